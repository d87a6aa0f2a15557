"""Makes the tables of docs/benchmarks.md: the cheapest run that reaches given digits.

    python3 docs/benchmarks.py            # needs cargo and valgrind; some minutes
    python3 docs/benchmarks.py ladder     # one table: angles, bodies, crank, typical, many, ladder, package

Every method runs over tolerances 10^(-k/4) as it is. Of the runs that reach the digits those with the
least factorisations and residuals are counted by callgrind, steps alone, and the fewest instructions
are printed. Single end errors may be small by accident; every method has the same number of tries.

The typical cost does without luck: tolerances 10^(-k/16), the loosest eight neighbours whose median of
digits reaches five, and the medians of what these runs take. For many digits the same with tolerances 10^(-k/8) and five
neighbours.

The ladder is the cost of Jacobian strategies on three systems: medians over runs whose tolerances differ
by millionths, start and steps.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
IMPLICIT = ["bdf,ggl", "bdf,index3", "radau,index3", "gen-alpha,index3"]
EXPLICIT = ["dopri5,projected", "dop853,projected"]
TABLES = [
    ("angles", [3, 5, 7], [*IMPLICIT, *EXPLICIT, "adams,projected"]),
    ("bodies", [5], ["bdf,ggl", "bdf,index3"]),
    ("crank", [2, 3, 4, 5], [*IMPLICIT, *EXPLICIT]),
]
TOLERANCES = [10 ** (-k / 4) for k in range(10, 49)]
CANDIDATES = 2  # counted per method and digits
LINE = re.compile(r"digits\s+(\S+)\s+steps\s+(\d+)\s+residuals\s+(\d+)\s+factorisations\s+(\d+)")

TYPICAL = ["angles,bdf,ggl", "angles,bdf,index3", "bodies,bdf,ggl", "bodies,bdf,index3"]
NEIGHBOURS = 8
TYPICAL_DIGITS = 5
FINE = [10 ** (-k / 16) for k in range(40, 160)]
MANY = [("angles", [3, 5, 7, 9], ["radau,index3", "bdf,index3"]), ("crank", [2, 2.5, 3, 4, 4.5, 5], ["radau,index3"])]
MANY_NEIGHBOURS = 5
COARSE = [10 ** (-k / 8) for k in range(20, 100)]

LADDER = ["train", "chain", "car"]
STRATEGIES = ["classical", "dense", "grouped", "partitioned", "extended", "exact", "exact-reuse", "auto"]
MILLIONTHS = [0, 1, 2]  # by which tolerances of the ladder differ
RUNG = re.compile(
    r"error\s+(\S+)\s+steps\s+(\d+)\s+residuals\s+(\d+)\s+for Jacobians\s+(\d+)"
    r"\s+evaluations\s+(\d+)\s+updates\s+(\d+)\s+factorisations\s+(\d+)"
)


def program(name):
    """Builds a bench and says where it is; one that is there may be named by `WORK`."""
    if name == "work" and (given := os.environ.get("WORK")):
        return given
    build = ["cargo", "bench", "-p", "linkwork-problems", "--bench", name, "--no-run"]
    out = subprocess.run(
        [*build, "--message-format=json"], cwd=HERE, check=True, capture_output=True, text=True
    ).stdout
    for line in out.splitlines():
        message = json.loads(line)
        if message.get("executable") and message["target"]["name"] == name:
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


def instructions(program, function, *words):
    """Millions of instructions of a function, or of all."""
    with tempfile.TemporaryDirectory() as place:
        out = subprocess.run(
            [
                "valgrind",
                "--tool=callgrind",
                *([f"--toggle-collect={function}*"] if function else []),
                f"--callgrind-out-file={place}/out",
                program,
                *words,
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
            counts[t] = counts.get(t) or instructions(work, "work::integrate", variant, f"{t:.3e}")
            best.append((counts[t], t, r))
        words = method.replace(",", ", ")
        if best:
            million, t, r = min(best)
            yield f"| {target} | {words} | {t:.1e} | {r[0]:.2f} | {r[1]} | {r[2] or '-'} | {r[3]} | {million:.1f} |"
        else:
            yield f"| {target} | {words} | not reached | | | | | |"


def typical(work, variant, digits=TYPICAL_DIGITS, tolerances=FINE, neighbours=NEIGHBOURS):
    """Medians over neighbouring tolerances: digits, steps, residuals, factorisations, instructions."""
    window = []
    for t in tolerances:
        window = [*window, (t, run(work, variant, t))][-neighbours:]
        full = len(window) == neighbours and all(r for _, r in window)
        if full and statistics.median(r[0] for _, r in window) >= digits:
            counts = [instructions(work, "work::integrate", variant, f"{t:.3e}") for t, _ in window]
            found = zip(*(r for _, r in window))
            return window[0][0], window[-1][0], [*map(statistics.median, found), statistics.median(counts)]
    return None


def print_many(pool, work):
    cells = [(f"{problem},{m}", d) for problem, all_digits, methods in MANY for m in methods for d in all_digits]
    made = pool.map(lambda cell: typical(work, *cell, COARSE, MANY_NEIGHBOURS), cells)
    print("\nmany\n\n| problem | digits | tolerances | reached | steps | million instructions |\n|---|---|---|---|---|---|")
    for (variant, digits), found in zip(cells, made):
        words = variant.replace(",", ", ")
        if not found:
            print(f"| {words} | {digits} | not reached | | | |", flush=True)
            continue
        first, last, (reached, steps, _, _, million) = found
        tolerances = f"{first:.1e} to {last:.1e}"
        print(f"| {words} | {digits} | {tolerances} | {reached:.2f} | {steps:.0f} | {million:.1f} |", flush=True)


def print_typical(pool, work):
    print("\ntypical\n")
    print("| problem | tolerances | digits | steps | residuals | factorisations | million instructions |")
    print("|---|---|---|---|---|---|---|")
    for variant, found in zip(TYPICAL, pool.map(lambda v: typical(work, v), TYPICAL)):
        words = variant.replace(",", ", ")
        if not found:
            print(f"| {words} | not reached | | | | | |")
            continue
        first, last, (digits, steps, residuals, factors, million) = found
        print(
            f"| {words} | {first:.1e} to {last:.1e} | {digits:.2f} | {steps:.0f} | {residuals:.0f} "
            f"| {factors:.0f} | {million:.2f} |"
        )


def rung(ladder, system, strategy):
    """Medians of one strategy: instructions, and what the bench counts; nothing where it cannot run."""
    all_runs = []
    for millionths in map(str, MILLIONTHS):
        out = subprocess.run(
            [ladder, system, strategy, millionths], capture_output=True, text=True, check=True
        ).stdout
        found = RUNG.search(out)
        if not found:
            return None
        count = instructions(ladder, "ladder::counted", "count", system, strategy, millionths)
        all_runs.append([count, *map(float, found.groups())])
    return [statistics.median(column) for column in zip(*all_runs)]


def print_ladder(pool):
    ladder = program("ladder")
    cells = [(system, strategy) for system in LADDER for strategy in STRATEGIES]
    made = dict(zip(cells, pool.map(lambda cell: rung(ladder, *cell), cells)))
    print("\nladder\n")
    print("| system | strategy | million instructions | % | steps | residuals | for Jacobians | evaluations | updates | factorisations | error over tolerance |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for system, strategy in cells:
        found = made[system, strategy]
        if not found:
            print(f"| {system} | {strategy} | no exact derivatives | | | | | | | | |")
            continue
        million, error, steps, residuals, of_jacobians, evaluations, updates, factors = found
        base = made[system, STRATEGIES[0]][0]
        print(
            f"| {system} | {strategy} | {million:.1f} | {100 * million / base:.0f} | {steps:.0f} | {residuals:.0f} "
            f"| {of_jacobians:.0f} | {evaluations:.0f} | {updates:.0f} | {factors:.0f} | {error:.1f} |"
        )


LOOP = """
import sys, linkwork as lw
model = lw.load(sys.argv[1])
for _ in range(int(sys.argv[2])):
    lw.simulate(model)
"""
RUNS = (5, 25)


def each_run(command, model):
    """Millions of instructions of one more run: what starting the program costs does not count."""
    few, many = (instructions(*command, str(model), str(n)) for n in RUNS)
    return (many - few) / (RUNS[1] - RUNS[0])


def print_package(pool):
    """The package beside a program in Rust; the package of this Python is measured, so install it first."""
    subprocess.run(["cargo", "build", "--release", "-p", "linkwork", "--example", "many_runs"], cwd=HERE, check=True)
    models = [HERE.parent / "models" / f"{name}.toml" for name in ("squeezer", "pendulum", "stewart")]
    commands = [(str(HERE.parent / "target/release/examples/many_runs"), None), (sys.executable, None, "-c", LOOP)]
    print("\n| model | million instructions in Rust | in Python | ratio |\n|---|---|---|---|")
    for model in models:
        rust, python = pool.map(lambda c: each_run(c, model), commands)
        print(f"| {model.stem} | {rust:.2f} | {python:.2f} | {python / rust:.3f} |", flush=True)


def main():
    wanted = sys.argv[1:] or [*(t[0] for t in TABLES), "typical", "many", "ladder", "package"]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        if "package" in wanted:
            print_package(pool)
        if "ladder" in wanted:
            print_ladder(pool)
        tables = [t for t in TABLES if t[0] in wanted]
        work = (tables or {"typical", "many"} & {*wanted}) and program("work")
        if "typical" in wanted:
            print_typical(pool, work)
        if "many" in wanted:
            print_many(pool, work)
        for problem, targets, methods in tables:
            made = list(pool.map(lambda m: list(rows(work, problem, targets, m)), methods))
            print(f"\n{problem}\n")
            print("| digits | method | tolerance | reached | steps | residuals | factorisations | million instructions |")
            print("|---|---|---|---|---|---|---|---|")
            for lines in zip(*made):  # by digits, then by method
                print(*lines, sep="\n", flush=True)


if __name__ == "__main__":
    main()
