"""Makes docs/choice.md: what the automatic choice of a method costs beside the best method.

    python3 docs/choice.py                    # needs cargo; about an hour
    python3 docs/choice.py squeezer hmmwv     # some of them; the page is written from all that were made
    LINKWORK=./linkwork python3 docs/choice.py    # with a program that is there

Every built-in model and problem runs by `auto` and by the methods that it chooses from, adams beside them, at
tolerances from 1e-3 to 1e-10. Errors are those of positions and angles at 200 times, relative to how far a channel
moves, or to its value if it hardly does, held against the tightest run of another method that comes to its end. Work is
processor time of the whole run, start and trials included, the least of several. For each number of digits the cheapest
tolerance counts that reaches them and after which no tighter one misses them.
"""

import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
KEPT = HERE / "study" / "choice.json"
METHODS = ["auto", "dop853", "radau", "bdf", "adams"]
TOLERANCES = [10.0**-k for k in range(3, 11)]
TIGHT = ["radau", "dop853", "bdf"]
TIGHTEST = [1e-11, 1e-10, 1e-9]  # the first at which a method comes to its end
DIGITS = [3, 5]
LIMIT = 15  # seconds for a run, twice as many for one that others are held against
STEADY = 1e-3  # a channel that moves by less of its value hardly moves
REPEATS = 2
SHORT = 0.05  # seconds; runs that are over sooner are repeated more often, because whatever else the machine does counts more
SHORT_REPEATS = 6


def program():
    if given := os.environ.get("LINKWORK"):
        return given
    build = ["cargo", "build", "--release", "--package", "linkwork-cli", "--message-format=json-render-diagnostics"]
    out = subprocess.run(build, cwd=HERE, check=True, capture_output=True, text=True).stdout
    messages = map(json.loads, out.splitlines())
    return [m["executable"] for m in messages if m.get("executable")][-1]


def names(linkwork):
    found = []
    for what in ["models", "problems"]:
        out = subprocess.run([linkwork, "list", what], check=True, capture_output=True, text=True).stdout
        found += [line.split()[0] for line in out.splitlines() if line.strip()]
    return found


def run(linkwork, name, method, rtol, place, coordinates=None, limit=LIMIT):
    """Processor time, and columns of positions; nothing where the end was not reached, False where that was for the time."""
    command = [linkwork, "run", name, "--method", method, "--rtol", f"{rtol:.0e}", "--out", place, "--quiet", "--once"]
    if coordinates:
        command += ["--coordinates", coordinates]
    try:
        subprocess.run(command, capture_output=True, timeout=limit, check=False)
        summary = json.loads((pathlib.Path(place) / "summary.json").read_text())
    except subprocess.TimeoutExpired:
        return False
    except (OSError, ValueError):
        return None
    if summary["verdict"] == "failed":
        return None
    with open(pathlib.Path(place) / "table.csv", newline="") as file:
        rows = list(csv.reader(file))
    head = rows[0]
    places = [i for i, n in enumerate(head) if n + ".velocity" in head or ".quaternion." in n]
    places = places or list(range(1, len(head)))
    # of several rows the last; an event at an output is a rounding off it
    by_time = {round(float(row[0]), 9): [float(row[i]) for i in places] for row in rows[1:]}
    with open(pathlib.Path(place) / "channels.csv", newline="") as file:
        units = dict(list(csv.reader(file))[1:])
    kinds = ["quaternion" if ".quaternion." in head[i] else units[head[i]] for i in places]
    return summary["stats"]["cpu_seconds"], kinds, by_time


def coordinates(linkwork, name, place):
    """Those that are chosen; nothing for systems that have their own."""
    command = [linkwork, "run", name, "--out", place, "--quiet", "--once"]
    subprocess.run(command, capture_output=True, timeout=10 * LIMIT, check=False)
    return json.loads((pathlib.Path(place) / "summary.json").read_text()).get("coordinates")


def error(found, reference, units):
    """Largest difference, relative to the range of the channel or a thousandth of the widest of its unit, or to the value of
    one that hardly moves: what turns on the spot has places that are rounding and nothing else."""
    times = [t for t in reference if t in found]
    if len(times) < len(reference) or not times:
        return float("inf")
    worst = 0.0
    columns = range(len(reference[times[0]]))
    ranges = [max(reference[t][i] for t in times) - min(reference[t][i] for t in times) for i in columns]
    sizes = [max(abs(reference[t][i]) for t in times) for i in columns]
    widest, largest = (
        {unit: max(r for r, u in zip(of, units) if u == unit) for unit in units} for of in (ranges, sizes)
    )
    for i in columns:
        steady = sizes[i] if ranges[i] < STEADY * sizes[i] else 0.0
        scale = max(ranges[i], steady, 1e-3 * widest[units[i]], 1e-6 * largest[units[i]], 1e-12)
        apart = (abs(found[t][i] - reference[t][i]) for t in times)
        if units[i] == "quaternion":  # q and -q are one orientation
            apart = (min(d, abs(found[t][i] + reference[t][i])) for d, t in zip(apart, times))
        worst = max(worst, max(apart) / scale)
    return worst


def measure(linkwork, name):
    """Seconds by digits and method."""
    with tempfile.TemporaryDirectory() as place:
        tight = {}
        for method in TIGHT:
            ends = (run(linkwork, name, method, rtol, place, limit=2 * LIMIT) for rtol in TIGHTEST)
            if found := next((r for r in ends if r), None):
                tight[method] = found
        pairs = [(error(tight[a][2], tight[b][2], tight[b][1]), a, b) for a in tight for b in tight if a < b]
        if not pairs:
            return None
        apart, first, second = min(pairs)
        rows = {}
        # methods by name have the coordinates that are chosen with them, too
        chosen = coordinates(linkwork, name, place)
        ways = [(m, None) for m in METHODS] + [(m, "joint") for m in METHODS if m != "auto" and chosen == "joint"]
        for way in ways:
            method, word = way
            judge = tight[second if method == first else first][2]
            rows[way] = []
            for rtol in TOLERANCES:
                if not (found := run(linkwork, name, method, rtol, place, word)):
                    if found is False:
                        break  # a tighter one takes longer
                    continue
                seconds, units, motion = found
                off = max(error(motion, judge, units), apart)
                rows[way].append([rtol, off, seconds])
                if off < 10.0 ** -(max(DIGITS) + 1):
                    break
        best = {}
        for digits in DIGITS:
            best[digits] = {}
            for (method, word), all_runs in rows.items():
                for i, (rtol, _, seconds) in enumerate(all_runs):
                    if all(off <= 10.0**-digits for _, off, _ in all_runs[i:]):
                        repeats = SHORT_REPEATS if seconds < SHORT else REPEATS
                        again = [run(linkwork, name, method, rtol, place, word) for _ in range(repeats)]
                        least = [rtol, min(r[0] for r in again if r)]
                        best[digits][method] = min(best[digits].get(method, least), least, key=lambda x: x[1])
                        break
    return {str(digits): found for digits, found in best.items()}


def page(kept):
    lines = [
        "# What the automatic choice costs",
        "",
        "Made by [choice.py](choice.py): processor time in ms of whole runs, start, trials and results included, of the",
        "cheapest tolerance that reaches the digits, and that of `auto` relative to the best.",
        "",
        "| Model or problem | digits | best | ms | auto ms | ratio | others |",
        "|---|---|---|---|---|---|---|",
    ]
    ratios, unknown, missed = [], [], []
    for name, found in kept.items():
        for digits, by_method in (found or {}).items():
            others = {m: t for m, (_, t) in by_method.items() if m != "auto"}
            if not others or "auto" not in by_method:
                (missed if others else unknown).append(f"{name} ({digits} digits)")
                continue
            method = min(others, key=others.get)
            ratio = by_method["auto"][1] / others[method]
            ratios.append(ratio)
            rest = ", ".join(f"{m} {1e3 * t:.1f}" for m, t in others.items() if m != method)
            lines.append(
                f"| {name} | {digits} | {method} | {1e3 * others[method]:.1f} | {1e3 * by_method['auto'][1]:.1f} "
                f"| {ratio:.2f} | {rest} |"
            )
    unknown += [name for name, found in kept.items() if not found]
    within = [sum(r <= bound for r in ratios) for bound in (1.5, 3.0)]
    lines += [
        "",
        f"Of {len(ratios)} rows {within[0]} are within 1.5 times the best, {within[1]} within 3 times; the worst is "
        f"{max(ratios, default=1.0):.1f}.",
        "",
        f"`auto` reaches the digits at no tolerance down to {TOLERANCES[-1]:.0e}: {', '.join(missed) or 'nowhere'}. No row, because no two",
        f"methods agree to the digits at 1e-9 or tighter, or come to their end in {2 * LIMIT} s there: {', '.join(unknown) or 'none'}.",
    ]
    (HERE / "choice.md").write_text("\n".join(lines) + "\n")


def main():
    linkwork = program()
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    known = names(linkwork)
    for name in sys.argv[1:] or known:
        kept[name] = measure(linkwork, name)
        print(name, kept[name], flush=True)
        kept = {n: kept[n] for n in known if n in kept}
        KEPT.write_text(json.dumps(kept, indent=1) + "\n")
        page(kept)


if __name__ == "__main__":
    main()
