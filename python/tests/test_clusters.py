"""Dask and Ray, where they are installed: the same answers as without them."""

import pytest

from dokulog import Puzzle, Rules

PUZZLES = [*(str(Puzzle.generate(seed)) for seed in range(40)), "no puzzle", "." * 81]


def expected() -> list[dict[str, object]]:
    rows: list[dict[str, object]] = Rules.standard().deduce_all(PUZZLES).to_arrow().to_pylist()
    return [{"id": i, "puzzle": PUZZLES[i], **row} for i, row in enumerate(rows)]


def test_dask() -> None:
    frames = pytest.importorskip("dask.dataframe")
    import pandas

    from dokulog import dask

    frame = pandas.DataFrame({"id": range(len(PUZZLES)), "puzzle": PUZZLES})
    answers = dask.deduce(frames.from_pandas(frame, npartitions=3), "puzzle").compute()
    told = answers.astype(object).where(answers.notna(), None).to_dict("records")
    assert told == expected()
    counted = dask.count(frames.from_pandas(frame, npartitions=2), "puzzle", limit=7).compute()
    assert counted["count"].tolist()[-1] == 7


def test_ray() -> None:
    ray_itself = pytest.importorskip("ray")
    import pyarrow

    from dokulog import ray

    ray_itself.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    try:
        table = pyarrow.table({"id": list(range(len(PUZZLES))), "puzzle": PUZZLES})
        answers = ray.deduce(ray_itself.data.from_arrow(table), "puzzle").take_all()
        assert sorted(answers, key=lambda row: row["id"]) == expected()
    finally:
        ray_itself.shutdown()
