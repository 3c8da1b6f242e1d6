"""Puzzles on Spark: the engine runs inside each Python worker, on Arrow batches.

    from dokulog import Rules, spark
    answers = spark.deduce(df, "puzzle", rules=Rules.extended())

Every column of the frame is kept, and the answers stand beside it. Rules travel as text and are
compiled once in each worker.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Iterator

from ._native import Rules, Table

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import DataFrame

_COLUMNS = {
    "deduce": "outcome string, digits string, hardest string, reason string",
    "deduce with candidates": (
        "outcome string, digits string, candidates string, hardest string, reason string"
    ),
    "solve": "outcome string, digits string, by_rules boolean, reason string",
    "count": "count bigint, reason string",
    "rate": "outcome string, hardest string, score bigint, steps bigint, reason string",
}


def deduce(
    df: DataFrame, column: str, *, rules: Rules | None = None, candidates: bool = False
) -> DataFrame:
    """What the rules alone decide of each puzzle."""
    kind = "deduce with candidates" if candidates else "deduce"
    return _run(df, column, rules, kind, "deduce_all", {"candidates": candidates})


def solve(df: DataFrame, column: str, *, rules: Rules | None = None) -> DataFrame:
    """The solution of each puzzle."""
    return _run(df, column, rules, "solve", "solve_all", {})


def count(df: DataFrame, column: str, *, limit: int = 2) -> DataFrame:
    """How many solutions each puzzle has, counted up to a limit."""
    return _run(df, column, None, "count", "count_all", {"limit": limit})


def rate(df: DataFrame, column: str, *, rules: Rules | None = None) -> DataFrame:
    """How hard each puzzle is."""
    return _run(df, column, rules, "rate", "rate_all", {})


def _run(
    df: DataFrame, column: str, rules: Rules | None, kind: str, call: str, options: dict[str, Any]
) -> DataFrame:
    from pyspark.sql.types import StructType

    if column not in df.columns:
        raise ValueError(f"there is no column {column!r}: there are {', '.join(df.columns)}")
    answers = StructType.fromDDL(_COLUMNS[kind])
    assert isinstance(answers, StructType)
    taken = [name for name in answers.names if name in df.columns]
    if taken:
        raise ValueError(f"the frame has a column {taken[0]!r} already: rename it")
    schema = StructType(df.schema.fields + answers.fields)
    work = _worker(column, rules or Rules.standard(), call, options)
    return df.mapInArrow(work, schema)


def _worker(
    column: str, rules: Rules, call: str, options: dict[str, Any]
) -> Callable[[Iterator[pyarrow.RecordBatch]], Iterator[pyarrow.RecordBatch]]:
    def work(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        import pyarrow

        ask = getattr(rules, call)
        for batch in batches:
            # One core is one task of Spark's.
            table: Table = ask(batch.column(column), threads=1, progress=False, **options)
            answers = pyarrow.table(table).combine_chunks()
            beside = [answers.column(name).combine_chunks() for name in answers.column_names]
            arrays = [
                array.chunk(0) if isinstance(array, pyarrow.ChunkedArray) else array
                for array in beside
            ]
            names = batch.schema.names + answers.column_names
            yield pyarrow.RecordBatch.from_arrays(batch.columns + arrays, names=names)

    return work
