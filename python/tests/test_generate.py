"""Puzzles that are made: as the command makes them."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

import dokulog
from dokulog import Puzzle, Rules

FULL = "249138657835976412176254839624593178751842963983617524462381795398765241517429386"


def by_command(*options: str) -> list[str]:
    command = [sys.executable, "-m", "dokulog", "generate", "-q", *options]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


@pytest.mark.parametrize(
    ("options", "asked"),
    [
        ("--count 3", {"count": 3}),
        ("--count 2 --seed 7 --size 6", {"count": 2, "seed": 7, "size": 6}),
        ("--clues 26..30 --symmetry half-turn", {"clues": (26, 30), "symmetry": "half-turn"}),
        ("--clues 40", {"clues": 40}),
        ("--count 2 --layout windoku", {"count": 2, "layout": "windoku"}),
        ("--requires pointing", {"requires": "pointing"}),
        ("--requires xy_wing --seed 3", {"requires": "xy_wing", "seed": 3}),
        ("--level 20..30", {"level": (20, 30)}),
        ("--beyond-rules", {"beyond_rules": True}),
        ("--add --seed 4", {"add": True, "seed": 4}),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_command_makes_the_same(options: str, asked: dict[str, object]) -> None:
    made = Rules.standard().generate(progress=False, **asked)  # type: ignore[arg-type]
    assert [str(puzzle) for puzzle in made] == by_command(*options.split())


def test_threads_change_nothing() -> None:
    made = [Rules.standard().generate(12, threads=threads, level=(20, 40)) for threads in (1, 2, 5)]
    assert made[0] == made[1] == made[2]
    assert Rules.standard().generate(0) == []


def test_puzzles_of_a_full_grid() -> None:
    (puzzle,) = Rules.standard().generate(solution=FULL)
    assert str(Rules.standard().solve(puzzle)) == FULL
    with pytest.raises(dokulog.NotMade, match="not full"):
        Rules.standard().generate(solution=str(puzzle))


def test_a_layout_of_ones_own() -> None:
    text = """layout cross "Cross" {
    extends classic(9).
    house fall "the falling diagonal" = {r1c1, r2c2, r3c3, r4c4, r5c5, r6c6, r7c7, r8c8, r9c9}.
}"""
    (puzzle,) = Rules.standard().generate(layout=text)
    again = Puzzle(str(puzzle), layout=text)
    solution = Rules.standard().solve(again)
    assert solution.outcome == "one"
    assert len({str(solution)[10 * i] for i in range(9)}) == 9
    with pytest.raises(dokulog.RulesError, match="\\^"):
        Rules.standard().generate(layout=text.replace("r9c9", "r10c9"))


def test_what_cannot_be_made_says_why() -> None:
    rules = Rules.standard()
    with pytest.raises(dokulog.NotMade, match="none as asked in 3 attempts"):
        rules.generate(clues=(5, 6), attempts=3)
    with pytest.raises(dokulog.NotMade, match="did you mean windoku"):
        rules.generate(layout="windoko")
    with pytest.raises(dokulog.NotMade, match="there is no size 8"):
        rules.generate(size=8)
    with pytest.raises(dokulog.NotMade, match="there is no symmetry"):
        rules.generate(symmetry="spiral")
    with pytest.raises(dokulog.UnknownRule, match="did you mean pointing"):
        rules.generate(requires="pointin")
    with pytest.raises(ValueError, match="30 is more than 20"):
        rules.generate(clues=(30, 20))


def test_rules_keep_what_they_were_told() -> None:
    text = 'rule only "Only" { level 1. place(C, D) :- candidates(C) within {D}, C in unsolved. explain "{C}". }'
    few = Rules.standard().only("naked_single").with_(text)
    assert sorted(few.names) == ["naked_single", "only"]
    assert "xy_wing" in Rules.standard().with_("xy_wing").names
    assert "cell_forcing" in Rules.standard().with_("forcing").names
    assert "unique_rectangle" in Rules.all().with_(text).names
    with pytest.raises(dokulog.NotUnique, match="one solution"):
        Rules.standard().with_("unique_rectangle")


@pytest.mark.parametrize("what", ["generate", "prove", "explain"])
def test_ctrl_c_stops_it(what: str) -> None:
    calls = {
        "generate": lambda: Rules.standard().generate(10_000, clues=(5, 6), attempts=10**9),
        "prove": lambda: Rules.all().prove("aic"),
        "explain": lambda: [Rules.extended().explain("." * 81) for _ in range(10**6)],
    }
    threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        for _ in range(10**6):
            calls[what]()


def test_other_threads_go_on() -> None:
    counted = 0
    ended = threading.Event()

    def count() -> None:
        nonlocal counted
        while not ended.wait(0.001):
            counted += 1

    thread = threading.Thread(target=count)
    thread.start()
    begin, deadline = counted, time.monotonic() + 60
    while counted < begin + 20 and time.monotonic() < deadline:
        Rules.standard().generate(200, threads=1)
    ended.set()
    thread.join()
    assert counted >= begin + 20


def test_progress_is_shown_where_someone_looks() -> None:
    script = "from dokulog import Rules; Rules.standard().generate(2000, threads=1, progress={})"
    shown = {}
    for progress in ("True", "None"):
        command = [sys.executable, "-c", script.format(progress)]
        shown[progress] = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    assert "puzzles" in shown["True"] and shown["None"] == ""
