"""Sudoku techniques as declarative rules: run fast, proved sound, explained step by step.

>>> import dokulog
>>> rules = dokulog.Rules.standard()
>>> str(rules.deduce("12..34....21..43"))
'1234341243212143'
"""

from ._native import (
    Deduction,
    DokulogError,
    Explanation,
    GivenUp,
    NotMade,
    NotUnique,
    Problem,
    Proof,
    Puzzle,
    PuzzleError,
    Rating,
    Reasons,
    Rules,
    RulesError,
    Solution,
    Step,
    Table,
    UnknownRule,
    __version__,
)

__all__ = [
    "Deduction",
    "DokulogError",
    "Explanation",
    "GivenUp",
    "NotMade",
    "NotUnique",
    "Problem",
    "Proof",
    "Puzzle",
    "PuzzleError",
    "Rating",
    "Reasons",
    "Rules",
    "RulesError",
    "Solution",
    "Step",
    "Table",
    "UnknownRule",
    "__version__",
]


def load_ipython_extension(ipython: object) -> None:
    """`%load_ext dokulog` gives notebooks the cell magic `%%rules`."""
    from .notebook import register

    register(ipython)
