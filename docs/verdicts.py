"""Makes docs/verdicts.md: how far the end of a run is off, in tolerances, beside what its verdict says.

    python3 docs/verdicts.py                      # needs cargo; about half an hour; all of it by one program
    python3 docs/verdicts.py pendulum hmmwv       # some of them; the page is written from all that were made
    LINKWORK=./linkwork python3 docs/verdicts.py  # with a program that is there

Every built-in model and problem runs with default settings in both coordinates at tolerances from 1e-3 to 1e-8.
The error is that of positions and velocities in the last row, relative to how far each channel moves (at least a
tenth of the farthest of its unit), against a tight run of the same motion. Two tight runs, by different
methods, tell how much the measure itself is worth: cells below ten times their distance are left out.
"""

import csv
import itertools
import json
import math
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from choice import names, program

HERE = pathlib.Path(__file__).resolve().parent
KEPT = HERE / "study" / "verdicts.json"
TOLERANCES = [10.0**-k for k in range(3, 9)]
COORDINATES = ["absolute", "joint"]
# ways to the truth, until two agree: of different families, so that they share no mistakes
TIGHT = [("joint", "dop853"), ("absolute", "radau"), ("absolute", "dop853"), ("joint", "bdf"), ("absolute", "bdf"), ("joint", "rosenbrock")]
TIGHT_RTOLS = ["1e-11", "1e-9"]
AGREED = 1e-9
LIMIT = int(os.environ.get("LIMIT", "60"))  # seconds of processor time for a run
CACHE = HERE.parent / "target" / "verdicts"  # what tight runs found
FAINT = 0.1
STANDS = 1e-3
TIGHTENED = "computed with rtol"
STEADY = 1e-6  # share of its own size that a channel is held against where nothing changes
PROMISED, GOOD = 100.0, 10.0
MOTION = {"m", "rad", "m/s", "rad/s"}


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT))


def seconds(linkwork, name, arguments, place):
    """Processor time of a run, the least of three."""

    def spent():
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    def once():
        before = spent()
        run(linkwork, name, arguments, place)
        return spent() - before

    return min(once() for _ in range(3))


def run(linkwork, name, arguments, place):
    """Verdict and columns of the motion; nothing where the end was not reached in time."""
    command = [linkwork, "run", name, "--out", str(place), "--quiet", *arguments]
    try:
        subprocess.run(command, capture_output=True, preexec_fn=limit, check=False)
        summary = json.loads((place / "summary.json").read_text())
    except (OSError, ValueError):
        return None
    (place / "summary.json").unlink()
    if summary["verdict"] == "failed":
        return None
    with open(place / "table.csv", newline="") as file:
        head, *rows = list(csv.reader(file))
    with open(place / "channels.csv", newline="") as file:
        units = dict(row[:2] for row in list(csv.reader(file))[1:])
    moves = [i for i, n in enumerate(head) if i and (units.get(n) in MOTION or ".quaternion." in n)]
    moves = moves or list(range(1, len(head)))
    columns = {head[i]: [float(row[i]) for row in rows] for i in moves}
    return {
        "verdict": summary["verdict"],
        "doubts": summary["doubts"],
        "tightened": any(n.startswith(TIGHTENED) for n in summary.get("notes", [])),
        "estimate": {k: v for k, v in summary.get("verification", {}).items() if k in ("tolerances", "work")},
        "units": {n: units.get(n) for n in columns},
        "ends": {n: c[-1] for n, c in columns.items()},
        "ranges": {n: max(c) - min(c) for n, c in columns.items()},
    }


def off(a, b):
    """Error of the last row of `a`, relative to how far `b` moves."""
    ranges, units = b["ranges"], b["units"]
    shared = [n for n in ranges if n in a["ends"]]
    widest = {}
    for n in shared:
        widest[units[n]] = max(widest.get(units[n], 0.0), ranges[n])
    # what neither moves nor turns, beside the size and the speed of the mechanism, has no errors of its own
    size = max((abs(b["ends"][n]) for n in shared if units[n] == "m"), default=0.0)
    rate = max(widest.get("rad/s", 0.0), widest.get("m/s", 0.0) / size if size else 0.0)
    least = {"m": STANDS * size, "m/s": STANDS * size * rate, "rad": STANDS, "rad/s": STANDS * rate}
    worst, channel = 0.0, ""
    for n in shared:
        x, y = a["ends"][n], b["ends"][n]
        floor = STANDS if ".quaternion." in n else least.get(units[n], 0.0)
        scale = max(ranges[n], FAINT * widest[units[n]], floor, STEADY * abs(y))
        e = abs(x - y)
        if ".quaternion." in n:
            e = min(e, abs(x + y))
        if n.endswith((".yaw", ".pitch", ".roll")):
            if n.rpartition(".")[0] + ".quaternion.w" in shared:
                continue  # the quaternion tells: near a pitch of a quarter turn yaw and roll are anything
            e = abs(math.remainder(e, math.tau))
        if scale > 1e-12 and not e / scale <= worst:
            worst, channel = e / scale, n
    return worst, channel


def truth(linkwork, name, is_model, place):
    """The tight run that agrees best with another, and their distance; kept for the next time."""
    kept = CACHE / f"{name}.json"
    if kept.exists():
        return json.loads(kept.read_text())
    tight, pairs = [], []
    ways = TIGHT if is_model else [("", method) for method in ("dop853", "radau", "bdf")]
    for rtol, (coordinates, method) in itertools.product(TIGHT_RTOLS, ways):
        where = ["--coordinates", coordinates] if is_model else []
        if not (r := run(linkwork, name, [*where, "--method", method, "--rtol", rtol, "--once"], place)):
            continue
        # the same method in other coordinates shares its mistakes
        pairs += [(off(r, other)[0], len(tight)) for by, other in tight if by != method]
        tight.append((method, r))
        if pairs and min(pairs)[0] < AGREED:
            break
    if not pairs:
        return None
    apart, best = min(pairs)
    found = {"apart": apart, "run": {k: tight[best][1][k] for k in ("ends", "ranges", "units")}}
    CACHE.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps(found))
    return found


def measure(linkwork, name):
    """Rows of each kind of coordinates: tolerance, verdict, error in tolerances, channel, doubts, estimate, whether
    tighter runs took the place of the first."""
    found = {}
    with tempfile.TemporaryDirectory() as place:
        place = pathlib.Path(place)
        is_model = run(linkwork, name, ["--coordinates", "absolute", "--rtol", "1e-3", "--once"], place) is not None
        if not (true := truth(linkwork, name, is_model, place)):
            return found
        apart = true["apart"]
        for coordinates in COORDINATES if is_model else ["own"]:
            where = ["--coordinates", coordinates] if is_model else []
            rows = []
            for rtol in TOLERANCES:
                r = run(linkwork, name, [*where, "--rtol", f"{rtol:.0e}"], place)
                if r is None:
                    rows.append([rtol, "failed", None, "", [], None, False])
                    continue
                e, channel = off(r, true["run"])
                known = e > 10 * apart or apart < rtol
                e = e / rtol if known else None
                rows.append([rtol, r["verdict"], e, channel, r["doubts"], r["estimate"], r["tightened"]])
            plain, once = [seconds(linkwork, name, [*where, *more], place) for more in ([], ["--once"])]
            found[coordinates] = {"apart": apart, "rows": rows, "seconds": [plain, once]}
    return found


def page(kept):
    lines = [
        "# What a verdict is worth",
        "",
        "Made by [verdicts.py](verdicts.py): error at the end of plain runs in tolerances, relative to how far each",
        "channel moves (at least a tenth of the farthest of its unit), against",
        "tight runs; the largest over positions and velocities. A `+` marks runs that were made tighter than asked for",
        "because the first was not good enough, `*` those that were not called converged, `-` what two tight",
        f"runs do not determine, `none` runs without an end in {LIMIT} s of processor time.",
        "",
        "| Model or problem | Coordinates | " + " | ".join(f"{t:.0e}" for t in TOLERANCES) + " |",
        "|---|---|" + "---|" * len(TOLERANCES),
    ]
    converged, doubted, works, times = [], [], [], []
    for name, found in kept.items():
        for coordinates, of in found.items():
            row = []
            times += [of["seconds"][0] / of["seconds"][1]] if "seconds" in of else []
            for _, verdict, error, _, doubts, estimate, tightened in of["rows"]:
                mark = "*" * bool(doubts) + "+" * tightened
                row.append("none" if verdict == "failed" else mark + ("-" if error is None else f"{error:.2g}"))
                works += [estimate["work"]] if estimate else []
                if verdict != "failed" and error is not None:
                    (doubted if doubts else converged).append((error, tightened))
            lines.append(f"| {name} | {coordinates} | " + " | ".join(row) + " |")

    def above(cells, bound):
        return sum(not e <= bound for e, _ in cells)

    share = 100 * above(converged, GOOD) / max(len(converged), 1)
    worst = max((e for e, _ in converged), default=0)
    mean = sum(works) / max(len(works), 1)
    lines += [
        "",
        f"Of {len(converged)} runs called converged {above(converged, GOOD)} ({share:.1f} %) are above {GOOD:.0f} "
        f"tolerances, {above(converged, PROMISED)} above {PROMISED:.0f}; the worst is at {worst:.2g}. "
        f"{sum(t for _, t in converged)} of them were made tighter.",
        "",
        f"Of {len(doubted)} runs that were not, {above(doubted, GOOD)} are above {GOOD:.0f} and "
        f"{above(doubted, PROMISED)} above {PROMISED:.0f}.",
        "",
        f"All runs together took {mean:.1f} times the work of the first on average, {max(works, default=0):.1f} times at most. "
        f"With the default tolerance plain runs took {sum(times) / max(len(times), 1):.1f} times the processor time of one run "
        f"(`--once`) on average, {max(times, default=0):.1f} times at most, with everything from the text to the files.",
    ]
    (HERE / "verdicts.md").write_text("\n".join(lines) + "\n")


def main():
    linkwork = program()
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    known = names(linkwork)
    with ThreadPoolExecutor(int(os.environ.get("JOBS", "1"))) as pool:
        asked = sys.argv[1:] or known
        done = [(n, pool.submit(measure, linkwork, n)) for n in asked]
        for name, found in ((n, f.result()) for n, f in done):
            kept[name] = found
            errors = {c: [f"{r[1][0]}{r[2] if r[2] is None else round(r[2], 2)}" for r in f["rows"]] for c, f in found.items()}
            print(name, errors, flush=True)
            kept = {n: kept[n] for n in known if n in kept}
            lines = ",\n".join(f"{json.dumps(n)}: {json.dumps(found)}" for n, found in kept.items())
            KEPT.write_text(f"{{\n{lines}\n}}\n")
            page(kept)


if __name__ == "__main__":
    main()
