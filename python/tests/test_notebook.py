"""What notebooks use: the cell magic, and Ctrl-C."""

import os
import signal
import threading
import time

import pytest
from IPython.core.interactiveshell import InteractiveShell

from dokulog import Rules
from dokulog.notebook import Diagnostics, rules

GOOD = 'rule only "Only" { level 1. place(C, D) :- candidates(C) within {D}, C in unsolved. explain "{C}". }'


def test_a_cell_of_rules() -> None:
    names: dict[str, object] = {}
    made = rules("mine alone", GOOD, names)
    assert isinstance(made, Rules) and names["mine"] is made and made.names == ["only"]
    shown = rules("", GOOD.replace("unsolved", "unsloved"), names)
    assert isinstance(shown, Diagnostics) and "rules" not in names
    assert "E010" in shown._repr_html_() and "^^^" in str(shown)
    with pytest.raises(ValueError, match="write %%rules"):
        rules("one two three", GOOD, names)


def test_the_magic_is_there() -> None:
    shell = InteractiveShell()
    shell.run_line_magic("load_ext", "dokulog")
    shell.run_cell_magic("rules", "taught", GOOD)
    assert "only" in shell.user_ns["taught"].names


def test_ctrl_c_is_heard() -> None:
    empty = ["." * 81] * 100_000
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        for _ in range(1000):
            Rules.extended().rate_all(empty, progress=False)
    assert time.monotonic() - begin < 60
