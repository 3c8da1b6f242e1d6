"""Side by side with hodoku-py, a port of HoDoKu to Python: the same puzzles, the same techniques.

    python trials/hodoku.py [--rows N] [--write docs/scale.md]

hodoku-py is copyleft: it is installed from PyPI into a folder that is gone afterwards, runs in a
process of its own, and is only measured. Both have singles, full houses, locked candidates, and
pairs, triples and quads, naked and hidden; locked pairs and triples follow from these. Both must
solve the same puzzles.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

from dokulog import Puzzle, Rules
from written import write

OTHER = """
import json, sys, time
from hodoku import SolutionType as T, Solver, SolverConfig
kept = {T.FULL_HOUSE, T.HIDDEN_SINGLE, T.NAKED_SINGLE, T.LOCKED_CANDIDATES_1, T.LOCKED_CANDIDATES_2,
        T.LOCKED_PAIR, T.LOCKED_TRIPLE, T.NAKED_PAIR, T.NAKED_TRIPLE, T.NAKED_QUADRUPLE,
        T.HIDDEN_PAIR, T.HIDDEN_TRIPLE, T.HIDDEN_QUADRUPLE}
solver = Solver(SolverConfig(step_overrides={t: {"enabled": False} for t in T if t not in kept}))
puzzles = json.load(sys.stdin)
solver.solve(puzzles[0])
begin = time.process_time()
solved = [bool(solver.solve(puzzle).solved) for puzzle in puzzles]
print(json.dumps({"cpu": time.process_time() - begin, "solved": solved}))
"""


def other(puzzles: list[str]) -> tuple[float, list[bool], str]:
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = str(Path(folder) / "bin" / "python")
        subprocess.run([python, "-m", "pip", "install", "-q", "hodoku-py"], check=True)
        version = "from importlib.metadata import version; print(version('hodoku-py'))"
        said = subprocess.run([python, "-c", version], capture_output=True, text=True, check=True)
        ran = subprocess.run(
            [python, "-I", "-c", OTHER],
            input=json.dumps(puzzles),
            capture_output=True,
            text=True,
            check=True,
        )
    told = json.loads(ran.stdout)
    return told["cpu"], told["solved"], said.stdout.strip()


def timed(ask: object, puzzles: list[str]) -> float:
    begin = time.process_time()
    assert callable(ask)
    ask(puzzles)
    return time.process_time() - begin


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rows", type=int, default=1000)
    options.add_argument("--write", type=Path)
    asked = options.parse_args()
    puzzles = [str(Puzzle.generate(seed)) for seed in range(asked.rows)]
    rules = Rules.standard().with_("full_house")
    answers = rules.deduce_all(puzzles, progress=False).to_arrow()
    ours = [outcome == "solved" for outcome in answers["outcome"].to_pylist()]
    cpu, theirs, version = other(puzzles)
    if ours != theirs:
        raise SystemExit(f"{sum(a != b for a, b in zip(ours, theirs))} puzzles end differently")
    calls = [
        ("`deduce_all`", timed(lambda all: rules.deduce_all(all, threads=1, progress=False), puzzles)),
        ("`rate_all`, every step", timed(lambda all: rules.rate_all(all, threads=1, progress=False), puzzles)),
        ("`explain`, every step with its reason", timed(lambda all: [rules.explain(p) for p in all], puzzles)),
    ]
    each = 1e6 / len(puzzles)
    lines = [
        f"{len(puzzles):,} minimal puzzles, singles, locked candidates and subsets, one core, CPU time; "
        f"both solve the same {sum(ours):,} of them:",
        "",
        "| | µs a puzzle | hodoku-py takes |",
        "|---|---|---|",
        f"| hodoku-py {version}, `solve` | {cpu * each:,.0f} | |",
        *(f"| {name} | {own * each:,.1f} | {cpu / own:,.0f} × |" for name, own in calls),
    ]
    print("\n".join(lines))
    if asked.write:
        write(asked.write, "trials/hodoku.py", lines)


if __name__ == "__main__":
    main()
