"""What one core does: the command line and Arrow batches on the same puzzles, in CPU time.

    python trials/rates.py [--rows N] [--write docs/scale.md]

The best of several runs each, taken in turns. With --write the table in the document is replaced.
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

BEGIN, END = "<!-- measured by trials/rates.py -->", "<!-- end -->"


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


def by_arrow(column: pyarrow.Array, threads: int) -> tuple[float, float]:
    rules = Rules.standard()
    rules.deduce_all(column[:1000], progress=False)
    cpu, wall = time.process_time(), time.monotonic()
    rules.deduce_all(column, threads=threads, progress=False)
    return time.process_time() - cpu, time.monotonic() - wall


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rows", type=int, default=1_000_000)
    options.add_argument("--runs", type=int, default=3)
    options.add_argument("--write", type=Path)
    options.add_argument("--program", default=f"{sys.executable} -m dokulog")
    asked = options.parse_args()
    puzzles = make_list(asked.rows)
    column = pyarrow.array(puzzles)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "list.txt"
        path.write_text("\n".join(puzzles) + "\n")
        commands, arrows, walls = [], [], {1: [], 2: []}
        for _ in range(asked.runs):
            commands.append(by_command(path, asked.program.split()))
            for threads in (1, 2):
                cpu, wall = by_arrow(column, threads)
                walls[threads].append(wall)
                if threads == 1:
                    arrows.append(cpu)
    command, arrow = min(commands), min(arrows)
    micro = 1e6 / asked.rows
    an_hour = 3600 / arrow * asked.rows
    lines = [
        f"{asked.rows:,} puzzles made here, standard rules, one core, {asked.runs} runs in turns:",
        "",
        "| | µs a puzzle |",
        "|---|---|",
        f"| command line, list in, list out | {command * micro:.2f} |",
        f"| Arrow batches | {arrow * micro:.2f} |",
        "",
        f"Arrow ÷ command line: {arrow / command:.2f}; two threads: "
        f"{min(walls[1]) / min(walls[2]):.2f} × one. A core-hour does "
        f"{an_hour / 1e9:.1f} billion; 10⁸ puzzles take {1e8 / asked.rows * arrow / 60:.1f} "
        f"core-minutes, 10¹⁰ {1e10 / asked.rows * arrow / 3600:.1f} core-hours.",
    ]
    print("\n".join(lines))
    if asked.write:
        text = asked.write.read_text()
        head, rest = text.split(BEGIN)
        asked.write.write_text(f"{head}{BEGIN}\n" + "\n".join(lines) + f"\n{END}" + rest.split(END)[1])


if __name__ == "__main__":
    main()
