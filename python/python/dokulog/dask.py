"""Puzzles on Dask: the engine runs on each partition of a data frame.

    from dokulog import Rules, dask
    answers = dask.deduce(frame, "puzzle", rules=Rules.extended())

Every column of the frame is kept, and the answers stand beside it.
"""

from __future__ import annotations

from typing import Any

from ._native import Rules


def deduce(
    frame: Any, column: str, *, rules: Rules | None = None, candidates: bool = False
) -> Any:
    """What the rules alone decide of each puzzle."""
    return _run(frame, column, rules, "deduce_all", {"candidates": candidates})


def solve(frame: Any, column: str, *, rules: Rules | None = None) -> Any:
    """The solution of each puzzle."""
    return _run(frame, column, rules, "solve_all", {})


def count(frame: Any, column: str, *, limit: int = 2) -> Any:
    """How many solutions each puzzle has, counted up to a limit."""
    return _run(frame, column, None, "count_all", {"limit": limit})


def rate(frame: Any, column: str, *, rules: Rules | None = None) -> Any:
    """How hard each puzzle is."""
    return _run(frame, column, rules, "rate_all", {})


def _run(frame: Any, column: str, rules: Rules | None, call: str, options: dict[str, Any]) -> Any:
    rules = rules or Rules.standard()
    # What comes out is seen on a partition without rows.
    meta = _beside(frame._meta, column, rules, call, options)
    return frame.map_partitions(_beside, column, rules, call, options, meta=meta)


def _beside(part: Any, column: str, rules: Rules, call: str, options: dict[str, Any]) -> Any:
    import pandas
    import pyarrow

    puzzles = pyarrow.array(part[column], pyarrow.string(), from_pandas=True)
    # One core is one task of Dask's.
    answers = getattr(rules, call)(puzzles, threads=1, progress=False, **options).to_pandas()
    return pandas.concat([part, answers.set_axis(part.index)], axis=1)
