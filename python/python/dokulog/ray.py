"""Puzzles on Ray: the engine runs on each batch of a dataset.

    from dokulog import Rules, ray
    answers = ray.deduce(dataset, "puzzle", rules=Rules.extended())

Every column of the dataset is kept, and the answers stand beside it.
"""

from __future__ import annotations

from typing import Any

from ._native import Rules


def deduce(
    dataset: Any, column: str, *, rules: Rules | None = None, candidates: bool = False
) -> Any:
    """What the rules alone decide of each puzzle."""
    return _run(dataset, column, rules, "deduce_all", {"candidates": candidates})


def solve(dataset: Any, column: str, *, rules: Rules | None = None) -> Any:
    """The solution of each puzzle."""
    return _run(dataset, column, rules, "solve_all", {})


def count(dataset: Any, column: str, *, limit: int = 2) -> Any:
    """How many solutions each puzzle has, counted up to a limit."""
    return _run(dataset, column, None, "count_all", {"limit": limit})


def rate(dataset: Any, column: str, *, rules: Rules | None = None) -> Any:
    """How hard each puzzle is."""
    return _run(dataset, column, rules, "rate_all", {})


def _run(dataset: Any, column: str, rules: Rules | None, call: str, options: dict[str, Any]) -> Any:
    rules = rules or Rules.standard()

    def beside(table: Any) -> Any:
        # One core is one task of Ray's.
        ask = getattr(rules, call)
        answers = ask(table[column], threads=1, progress=False, **options).to_arrow()
        for name in answers.column_names:
            table = table.append_column(name, answers[name])
        return table

    return dataset.map_batches(beside, batch_format="pyarrow")
