"""Makes docs/study.md and its diagrams: what `linkwork study` finds on some models.

    python3 docs/studies.py            # needs cargo; some minutes
    python3 docs/studies.py squeezer   # one of them; the page is written from all that were made

Work is counted, so the tables are the same on any machine; times are not, and are left out.
"""

import json
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
OUT = HERE / "study"
STUDIES = {
    "squeezer": "Seven bodies in closed loops that whip through their motion, [squeezer.toml](../models/squeezer.toml).",
    "slider_crank": "A driven slider crank, [slider_crank.toml](../models/slider_crank.toml): no freedom is left, so that "
    "errors are those of following a drive that starts smoothly.",
    "crank": "The slider crank with an elastic rod (problem `crank`): vibrations of the rod, undamped, "
    "much faster than the crank.",
    "hmmwv": "A vehicle over a bump, [hmmwv.toml](../models/hmmwv.toml): a stiff suspension (fastest mode -2.6e5 1/s) "
    "that explicit methods cannot afford.",
    "chain": "A chain of twelve pendulums with a driven suspension (problem `chain`), no constraints.",
}


def program():
    build = ["cargo", "build", "--release", "--package", "linkwork-cli", "--message-format=json-render-diagnostics"]
    out = subprocess.run(build, cwd=HERE, check=True, capture_output=True, text=True).stdout
    messages = map(json.loads, out.splitlines())
    return [m["executable"] for m in messages if m.get("executable")][-1]


def conduct(linkwork, name):
    """Runs a study; keeps what the page needs."""
    folder = OUT / "all" / name
    done = subprocess.run([linkwork, "study", name, "--json", "--out", folder], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise SystemExit(done.stderr)
    shutil.copy(folder / "motion.svg", OUT / f"{name}.svg")
    shutil.rmtree(OUT / "all")
    keep(name, json.loads(done.stdout))


def keep(name, study):
    """What the page needs of a study, without times."""
    kept = {key: study[key] for key in ["model", "t_end", "reference", "findings", "cut_short"]}
    for finding in kept["findings"]:
        for key in ["seconds", "fastest", "fastest_seconds"]:
            finding.pop(key)
    for run in kept["reference"]["runs"]:
        run.pop("seconds")
    rows = study["rows"]
    kept["runs"] = sum(r["work"] > 0 for r in rows)
    kept["far"] = sorted({words(r) for r in rows if r["far"]})
    kept["failed"] = sorted({words(r) for r in rows if r["without"] == "failed"})
    kept["dear"] = sorted({words(r) for r in rows if r["without"] == "given up"})
    kept["left_out"] = [who for who, _ in study["left_out"]]
    kept["best"] = {f: best(rows, f) for f in [3, 5, 7]}
    (OUT / f"{name}.json").write_text(json.dumps(kept, indent=1) + "\n")


def words(row):
    return ", ".join(filter(None, [row["method"], row["formulation"], row["coordinates"]]))


def best(rows, digits):
    """The least work of each method that reaches the digits, there and at all tighter tolerances."""
    found = {}
    for row in rows:
        akin = [r for r in rows if words(r) == words(row) and r["rtol"] <= row["rtol"] and r["verdict"]]
        if row["verdict"] and all(r["digits"][0] >= digits for r in akin):
            work, _ = found.get(row["method"], (float("inf"), None))
            if row["work"] < work:
                found[row["method"]] = (row["work"], f"{words(row)}, {row['rtol']:.0e}")
    return found


def amount(work):
    return f"{work / 1e6:.3g}"


def section(name):
    study = json.loads((OUT / f"{name}.json").read_text())
    first, *second = study["reference"]["runs"]
    apart = study["reference"]["apart"][0]
    lines = [f"## {name}", "", STUDIES[name], "", f"![Error against counted work and time of {name}](study/{name}.svg)", ""]
    lines += [f"{study['runs']} runs to t = {study['t_end']:g} s. Reference: {words(first)} at {first['rtol']:.0e}"]
    if second:
        lines[-1] += f", which {words(second[0])} at {second[0]['rtol']:.0e} confirms to {apart:.0e} of the motion."
    else:
        lines[-1] += ", which no run of another family has confirmed."
    lines += ["", "| digits | cheapest | rtol | reached | million instructions |", "|---|---|---|---|---|"]
    for f in study["findings"]:
        if f["cheapest"]:
            rtol = f"{f['cheapest']['rtol']:.0e}"
            lines.append(f"| {f['digits']:g} | {words(f['cheapest'])} | {rtol} | {f['reached']:.1f} | {amount(f['work'])} |")
        else:
            lines.append(f"| {f['digits']:g} | {f['without']} | | | |")
    methods = sorted({m for found in study["best"].values() for m in found})
    lines += ["", "Million instructions of the cheapest variant of each method:", ""]
    lines += ["| method | 3 digits | 5 digits | 7 digits |", "|---|---|---|---|"]
    for method in methods:
        cells = [study["best"][d].get(method) for d in ["3", "5", "7"]]
        lines.append(f"| {method} | " + " | ".join(f"{amount(c[0])} ({c[1].split(', ', 1)[1]})" if c else "-" for c in cells) + " |")
    remarks = []
    if study["far"]:
        remarks.append(f"said *converged* with an error above 100 tolerances at one tolerance or more: {'; '.join(study['far'])}")
    if study["failed"]:
        remarks.append(f"failed at one tolerance or more: {'; '.join(study['failed'])}")
    if study["dear"]:
        remarks.append(f"given up at 20 times the work of the first row: {'; '.join(study['dear'])}")
    if study["left_out"]:
        remarks.append(f"do not fit: {'; '.join(study['left_out'])}")
    if study["cut_short"]:
        remarks.append("time was up before all runs were made")
    lines += ["", *(f"- {r}" for r in remarks), ""]
    return "\n".join(lines)


HEAD = """# Which method suits which model

What `linkwork study` finds on some models: every method, in every formulation and in both coordinates, at tolerances
from 1e-3 to 1e-9, against two tight runs of different families. Made by `python3 docs/studies.py`; try
`linkwork study MODEL` on your own.

An error is the largest over the motion and over all positions and angles, relative to how far each moves; the
cheapest setting has to reach the digits at all tighter tolerances as well. Work is the sum of evaluations,
derivatives, factorisations, searches for pivots, solves and steps, each with its price in instructions. Factors and
solves are priced by counted multiplications, within a third; passes over the model by its size, within a factor of two.
Between settings of one model, beside callgrind on six of them (100 runs at 1e-5), nine of ten are right
within a factor of 1.5; formulas of time make implicit methods somewhat dearer than is counted. Times in the diagrams are those of
one machine, and scatter.

"""


def main():
    OUT.mkdir(exist_ok=True)
    linkwork = program()
    for name in sys.argv[1:] or STUDIES:
        conduct(linkwork, name)
    made = [name for name in STUDIES if (OUT / f"{name}.json").exists()]
    (HERE / "study.md").write_text(HEAD + "\n".join(map(section, made)).rstrip() + "\n")


if __name__ == "__main__":
    main()
