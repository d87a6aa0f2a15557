"""Makes docs/verdicts.md: how far the end of a run is off, in tolerances, beside what its verdict says.

    python3 docs/verdicts.py                      # needs cargo; about half an hour
    python3 docs/verdicts.py pendulum hmmwv       # some of them; the page is written from all that were made
    LINKWORK=./linkwork python3 docs/verdicts.py  # with a program that is there

Every built-in model and problem runs with default settings and `--estimate` in both coordinates at tolerances from 1e-3 to 1e-8.
The error is that of positions and velocities in the last row, relative to how far each channel moves (at least a
tenth of the farthest of its unit), against a tight run of the same motion. Two tight runs, by different
methods, tell how much the measure itself is worth: cells below ten times their distance are left out.
"""

import csv
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from choice import names, program

HERE = pathlib.Path(__file__).resolve().parent
KEPT = HERE / "study" / "verdicts.json"
TOLERANCES = [10.0**-k for k in range(3, 9)]
COORDINATES = ["absolute", "joint"]
TIGHT = ["dop853", "radau", "bdf"]
LIMIT = float(os.environ.get("LIMIT", "60"))  # seconds for a run
FAINT = 0.1
PROMISED, GOOD = 100.0, 10.0
MOTION = {"m", "rad", "m/s", "rad/s"}


def run(linkwork, name, arguments, place):
    """Verdict and columns of the motion; nothing where the end was not reached in time."""
    command = [linkwork, "run", name, "--out", str(place), "--quiet", *arguments]
    try:
        subprocess.run(command, capture_output=True, timeout=LIMIT, check=False)
        summary = json.loads((place / "summary.json").read_text())
    except (subprocess.TimeoutExpired, OSError, ValueError):
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
    values = {head[i]: [float(row[i]) for row in rows] for i in moves}
    return {"verdict": summary["verdict"], "doubts": summary["doubts"], "units": units, "values": values}


def off(a, b):
    """Error of the last row of `a`, relative to how far `b` moves."""
    shared = [n for n in b["values"] if n in a["values"]]
    ranges = {n: max(b["values"][n]) - min(b["values"][n]) for n in shared}
    widest = {}
    for n in shared:
        unit = b["units"].get(n)
        widest[unit] = max(widest.get(unit, 0.0), ranges[n])
    worst, channel = 0.0, ""
    for n in shared:
        scale = max(ranges[n], FAINT * widest[b["units"].get(n)])
        x, y = a["values"][n][-1], b["values"][n][-1]
        e = abs(x - y)
        if ".quaternion." in n:
            e = min(e, abs(x + y))
        if n.endswith((".yaw", ".pitch", ".roll")):
            e = abs(math.remainder(e, math.tau))
        if scale > 1e-12 and not e / scale <= worst:
            worst, channel = e / scale, n
    return worst, channel


def measure(linkwork, name):
    """Rows: coordinates, tolerance, verdict, error in tolerances, channel."""
    found = {}
    with tempfile.TemporaryDirectory() as place:
        place = pathlib.Path(place)
        where = ["--coordinates", "absolute"]
        is_model = run(linkwork, name, where, place) is not None
        for coordinates in COORDINATES if is_model else ["own"]:
            where = ["--coordinates", coordinates] if is_model else []
            tight = []
            for method in TIGHT:
                if r := run(linkwork, name, [*where, "--method", method, "--rtol", "1e-11"], place):
                    tight.append(r)
                if len(tight) > 1 and min(off(a, tight[-1])[0] for a in tight[:-1]) < 1e-8:
                    break
            pairs = [(off(a, b)[0], i) for i, b in enumerate(tight) for a in tight[:i]]
            if not pairs:
                continue
            apart, best = min(pairs)
            rows = []
            for rtol in TOLERANCES:
                r = run(linkwork, name, [*where, "--rtol", f"{rtol:.0e}", "--estimate"], place)
                if r is None:
                    rows.append([rtol, "failed", None, "", []])
                    continue
                e, channel = off(r, tight[best])
                known = e > 10 * apart or apart < GOOD * rtol
                rows.append([rtol, r["verdict"], e / rtol if known else None, channel, r["doubts"]])
            found[coordinates] = {"apart": apart, "rows": rows}
    return found


def page(kept):
    lines = [
        "# What a verdict is worth",
        "",
        "Made by [verdicts.py](verdicts.py): error at the end of runs with `--estimate` in tolerances, relative to",
        "how far each channel moves (at least a tenth of the farthest of its unit), against tight runs; the largest over",
        "positions and velocities. A `*` marks runs that were not called converged, `-` what two tight runs do not",
        "determine.",
        "",
        "| Model or problem | Coordinates | " + " | ".join(f"{t:.0e}" for t in TOLERANCES) + " |",
        "|---|---|" + "---|" * len(TOLERANCES),
    ]
    cells = []
    for name, found in kept.items():
        for coordinates, of in found.items():
            row = []
            for _, verdict, error, *_ in of["rows"]:
                mark = "" if verdict == "converged" else "*"
                row.append("failed" if verdict == "failed" else mark + ("-" if error is None else f"{error:.2g}"))
                if verdict == "converged" and error is not None:
                    cells.append(error)
            lines.append(f"| {name} | {coordinates} | " + " | ".join(row) + " |")
    above = [sum(not e <= bound for e in cells) for bound in (GOOD, PROMISED)]
    lines += [
        "",
        f"Of {len(cells)} cells called converged {above[0]} are above {GOOD:.0f} tolerances, {above[1]} above "
        f"{PROMISED:.0f}; the worst is {max(cells, default=0):.2g}.",
    ]
    (HERE / "verdicts.md").write_text("\n".join(lines) + "\n")


def main():
    linkwork = program()
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    known = names(linkwork)
    with ThreadPoolExecutor(int(os.environ.get("JOBS", "1"))) as pool:
        asked = sys.argv[1:] or known
        for name, found in zip(asked, pool.map(lambda n: measure(linkwork, n), asked)):
            kept[name] = found
            errors = {c: [f"{r[1][0]}{r[2] if r[2] is None else round(r[2], 2)}" for r in f["rows"]] for c, f in found.items()}
            print(name, errors, flush=True)
            kept = {n: kept[n] for n in known if n in kept}
            KEPT.write_text(json.dumps(kept, indent=1) + "\n")
            page(kept)


if __name__ == "__main__":
    main()
