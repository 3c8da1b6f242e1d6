"""What one core does: the command line and Arrow batches on the same puzzles, in CPU time.

    python trials/rates.py [--rows N] [--write docs/scale.md]

The best of several runs each, taken in turns. With --write the tables in the document are replaced.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pyarrow

from dokulog import Puzzle, Rules
from written import write

#: What is asked for the table of rates: a name, the rules, the call, one row of so many.
ASKED = [
    ("deduce, standard rules", Rules.standard, "deduce_all", 1),
    ("solve, standard rules", Rules.standard, "solve_all", 1),
    ("rate, standard rules", Rules.standard, "rate_all", 10),
    ("deduce, extended rules", Rules.extended, "deduce_all", 10),
    ("rate, extended rules", Rules.extended, "rate_all", 50),
]


def make_list(rows: int) -> list[str]:
    seeds = [str(Puzzle.generate(seed)) for seed in range(1000)]
    digits = "123456789"
    turns = [str.maketrans(digits, digits[turn:] + digits[:turn]) for turn in range(9)]
    return [seeds[row % 1000].translate(turns[row // 1000 % 9]) for row in range(rows)]


def by_command(path: Path, program: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [*program, "deduce", "-q", "-j1", "-o", "-", str(path)],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def by_arrow(rules: Rules, call: str, column: pyarrow.Array, threads: int) -> tuple[float, float, int]:
    """CPU time, time, and bytes of the answers."""
    ask = getattr(rules, call)
    ask(column[:1000], progress=False)
    cpu, wall = time.process_time(), time.monotonic()
    answers = ask(column, threads=threads, progress=False)
    cpu, wall = time.process_time() - cpu, time.monotonic() - wall
    return cpu, wall, pyarrow.table(answers).nbytes


def in_words(hours: float) -> str:
    if hours < 1:
        return f"{hours * 60:.1f} core-minutes"
    return f"{hours:,.1f} core-hours"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rows", type=int, default=1_000_000)
    options.add_argument("--runs", type=int, default=3)
    options.add_argument("--write", type=Path)
    options.add_argument("--program", default=f"{sys.executable} -m dokulog")
    asked = options.parse_args()
    puzzles = make_list(asked.rows)
    column = pyarrow.array(puzzles)
    rows = len(column)
    commands, arrows, both, speed_ups = [], [], [], []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "list.txt"
        path.write_text("\n".join(puzzles) + "\n")
        for _ in range(asked.runs):
            commands.append(by_command(path, asked.program.split()))
            one, wall_of_one, _ = by_arrow(Rules.standard(), "deduce_all", column, 1)
            two, wall_of_two, _ = by_arrow(Rules.standard(), "deduce_all", column, 2)
            arrows.append(one)
            both.append(two)
            speed_ups.append(wall_of_one / wall_of_two)
    command, arrow = min(commands), min(arrows)
    lines = [
        f"{rows:,} minimal puzzles made here, standard rules, the best of {asked.runs} runs in turns, "
        "CPU time:",
        "",
        "| `deduce` | µs a puzzle |",
        "|---|---|",
        f"| command line, list in, list out | {command / rows * 1e6:.2f} |",
        f"| Arrow batches, one thread | {arrow / rows * 1e6:.2f} |",
        f"| Arrow batches, two threads together | {min(both) / rows * 1e6:.2f} |",
        "",
        f"Arrow ÷ command line: {arrow / command:.2f}. Two threads have "
        f"{2 * arrow / min(both):.2f} × the work of one done for each second that both have a core; "
        f"by the clock it was {max(speed_ups):.2f} ×.",
        "",
        "| one core, Arrow batches | puzzles an hour | 10⁸ puzzles | 10¹⁰ puzzles | bytes in + out |",
        "|---|---|---|---|---|",
    ]
    for name, made, call, one_in in ASKED:
        part = column[: max(1000, rows // one_in)]
        cpu, _, out = by_arrow(made(), call, part, 1)
        an_hour = len(part) / cpu * 3600
        size = (part.nbytes + out) / len(part)
        lines.append(
            f"| {name} | {an_hour / 1e6:,.0f} million | {in_words(1e8 / an_hour)} | "
            f"{in_words(1e10 / an_hour)} | {size:.0f} |"
        )
    print("\n".join(lines))
    if asked.write:
        write(asked.write, "trials/rates.py", lines)


if __name__ == "__main__":
    main()
