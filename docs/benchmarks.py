"""Makes the tables of docs/benchmarks.md: the cheapest run that reaches given digits.

    python3 docs/benchmarks.py            # needs cargo and valgrind; about two minutes

Every method runs over tolerances 10^(-k/4) as it is. Of the runs that reach the digits those with the
least factorisations and residuals are counted by callgrind, steps alone, and the fewest instructions
are printed. Single end errors may be small by accident; every method has the same number of tries.
"""

import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
IMPLICIT = ["bdf,ggl", "bdf,index3", "gen-alpha,index3"]
EXPLICIT = ["dopri5,projected", "dop853,projected"]
TABLES = [
    ("angles", [3, 5, 7], [*IMPLICIT, *EXPLICIT, "adams,projected"]),
    ("bodies", [5], ["bdf,ggl", "bdf,index3"]),
    ("crank", [2, 3, 4, 5], [*IMPLICIT, *EXPLICIT]),
]
TOLERANCES = [10 ** (-k / 4) for k in range(10, 49)]
CANDIDATES = 2  # counted per method and digits
LINE = re.compile(r"digits\s+(\S+)\s+steps\s+(\d+)\s+residuals\s+(\d+)\s+factorisations\s+(\d+)")


def program():
    """Builds the bench and says where it is."""
    build = ["cargo", "bench", "-p", "linkwork-problems", "--bench", "work", "--no-run"]
    out = subprocess.run(
        [*build, "--message-format=json"], cwd=HERE, check=True, capture_output=True, text=True
    ).stdout
    for line in out.splitlines():
        message = json.loads(line)
        if message.get("executable") and message["target"]["name"] == "work":
            return message["executable"]
    raise SystemExit("cargo built no program")


def run(work, variant, tolerance, limit=20):
    """Digits, steps, residuals, factorisations; nothing when the end was not reached."""
    try:
        out = subprocess.run(
            [work, variant, f"{tolerance:.3e}"], capture_output=True, text=True, timeout=limit
        ).stdout
    except subprocess.TimeoutExpired:
        return None
    found = LINE.search(out)
    return found and (float(found[1]), *map(int, found.groups()[1:]))


def instructions(work, variant, tolerance):
    """Millions of instructions of the steps."""
    with tempfile.TemporaryDirectory() as place:
        out = subprocess.run(
            [
                "valgrind",
                "--tool=callgrind",
                "--toggle-collect=work::integrate*",
                "--callgrind-out-file=" + place + "/out",
                work,
                variant,
                f"{tolerance:.3e}",
            ],
            check=True,
            capture_output=True,
            text=True,
        ).stderr
    return int(re.search(r"Collected : (\d+)", out)[1]) / 1e6


def rows(work, problem, targets, method):
    """One row per target."""
    variant = f"{problem},{method}"
    grid = [(t, r) for t in TOLERANCES if (r := run(work, variant, t))]
    counts = {}
    for target in targets:
        reached = [(r[2] + r[3], t, r) for t, r in grid if r[0] >= target]
        best = []
        for _, t, r in sorted(reached)[:CANDIDATES]:
            counts[t] = counts.get(t) or instructions(work, variant, t)
            best.append((counts[t], t, r))
        words = method.replace(",", ", ")
        if best:
            million, t, r = min(best)
            yield f"| {target} | {words} | {t:.1e} | {r[0]:.2f} | {r[1]} | {r[2]} | {r[3]} | {million:.1f} |"
        else:
            yield f"| {target} | {words} | not reached | | | | | |"


def main():
    work = program()
    wanted = sys.argv[1:] or [t[0] for t in TABLES]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for problem, targets, methods in TABLES:
            if problem not in wanted:
                continue
            made = list(pool.map(lambda m: list(rows(work, problem, targets, m)), methods))
            print(f"\n{problem}\n")
            print("| digits | method | tolerance | reached | steps | residuals | factorisations | million instructions |")
            print("|---|---|---|---|---|---|---|---|")
            for lines in zip(*made):  # by digits, then by method
                print(*lines, sep="\n", flush=True)


main()
