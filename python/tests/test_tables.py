"""Columns in, columns out."""

import subprocess
import sys
from pathlib import Path

import duckdb
import pandas
import polars
import pyarrow
import pytest

from dokulog import Puzzle, Rules

LINE = "2..1...578...76..2...2..8.96...93...75...............4.....1....987...........38."
ROWS = [LINE, None, "no puzzle", "12..34....21..43", "11" + "." * 79, "." * 81]


def table(column: object, **options: object) -> list[dict[str, object]]:
    answers = Rules.standard().deduce_all(column, **options)  # type: ignore[arg-type]
    rows: list[dict[str, object]] = pyarrow.table(answers).to_pylist()
    return rows


def test_bad_rows_become_nulls_with_a_reason() -> None:
    rows = table(ROWS)
    assert [row["outcome"] for row in rows] == ["solved", None, None, "solved", None, "stuck"]
    assert all((row["outcome"] is None) == (row["reason"] is not None) for row in rows)
    assert rows[3]["digits"] == "1234341243212143"


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_every_kind_of_column_gives_the_same(threads: int) -> None:
    # More rows than a thread takes at once, so that order matters.
    texts = [row for i in range(1500) for row in (*ROWS, str(Puzzle.generate(i % 3)))]
    expected = table(texts, threads=1)
    chunked = pyarrow.chunked_array([texts[:5], texts[5:4000], [], texts[4000:]])
    frame = pandas.DataFrame({"puzzle": texts})
    columns = [
        chunked,
        pyarrow.array(texts, pyarrow.large_string()),
        pyarrow.array(texts, pyarrow.string_view()),
        pyarrow.array(["x", *texts])[1:],
        polars.Series(texts),
        pyarrow.Table.from_pandas(frame),
        duckdb.sql("select puzzle from frame"),
    ]
    for column in columns:
        assert table(column, threads=threads) == expected


def test_answers_go_to_every_library() -> None:
    answers = Rules.standard().rate_all([LINE, "x"])
    assert answers.column_names == ["outcome", "hardest", "score", "steps", "reason"]
    assert len(answers) == 2
    steps = Rules.standard().rate(LINE).steps
    assert polars.DataFrame(answers)["steps"].to_list() == [steps, None]
    assert answers.to_pandas()["steps"].tolist()[0] == steps
    assert answers.to_polars().shape == (2, 5)
    assert duckdb.sql("select count(score) from answers").fetchall() == [(1,)]


def test_the_other_questions() -> None:
    rules = Rules.standard()
    solved = rules.solve_all(ROWS).to_arrow().to_pylist()
    assert [row["outcome"] for row in solved] == ["one", None, None, "one", None, "several"]
    counted = rules.count_all(ROWS, limit=7).to_arrow().to_pylist()
    assert [row["count"] for row in counted] == [1, None, None, 1, None, 7]
    marks = rules.deduce_all(["." * 81], candidates=True).to_arrow().to_pylist()
    assert marks[0]["candidates"] == "123456789" * 81


def test_what_is_no_column_is_refused() -> None:
    rules = Rules.standard()
    with pytest.raises(TypeError, match="one puzzle"):
        rules.deduce_all(LINE)
    with pytest.raises(TypeError, match="2 columns"):
        rules.deduce_all(pyarrow.table({"a": ["x"], "b": ["y"]}))
    with pytest.raises(TypeError, match="texts"):
        rules.deduce_all(pyarrow.array([1, 2]))
    with pytest.raises(ValueError, match="at least 1"):
        rules.deduce_all([LINE], threads=0)


def test_the_command_says_the_same(tmp_path: Path) -> None:
    puzzles = [str(Puzzle.generate(seed)) for seed in range(200)]
    source = tmp_path / "list.txt"
    source.write_text("\n".join(puzzles) + "\n")
    command = [sys.executable, "-m", "dokulog", "deduce", "-q", "-o", "-", str(source)]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    assert ran.stdout.split() == [row["digits"] for row in table(puzzles)]
    missing = subprocess.run([*command[:-1], str(tmp_path / "none")], capture_output=True)
    assert missing.returncode == 2
