"""What is taken, and a best assignment of what is left, reach the best total: found by SciPy on whole matrices."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np
import pytest

from corefscope.core.metrics.ceaf import dice, shared_mentions
from corefscope.core.table import Weighing
from corefscope.scale.engines import open_engine
from corefscope.scale.engines.base import Budget, Engine
from corefscope.scale.engines.counting import SLACK, margin
from corefscope.scale.engines.sql import LabelledTable, Symbol, at_least_0
from tables_in_engines import Row, best, best_total, cells_of, columns_of, found_by

duckdb = pytest.importorskip("duckdb")
WEIGHINGS = [
    Weighing(shared_mentions),
    Weighing(dice),
    Weighing(shared_mentions, lone_key=True),
    Weighing(dice, lone_key=True, lone_response=True),
    Weighing(dice, lone_key=True, common_only=True),
]


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    engine = open_engine("duckdb", Budget("200MB"))
    yield engine
    engine.close()


def _noisy(random: Random, mentions: int, moved: float) -> tuple[list[Row], list[Row]]:
    key = [("d", number, random.randrange(mentions // 4)) for number in range(mentions)]
    response = [
        (document, number, entity // 2 if random.random() > moved else random.randrange(mentions // 4))
        for document, number, entity in key
    ]
    return [row for row in key if random.random() > 0.05], [row for row in response if random.random() > 0.05]


@pytest.mark.parametrize("local", [0, 20, 10**6])
@pytest.mark.parametrize("seed", range(4))
def test_taken_and_left_reach_the_best_total(engine: Engine, seed: int, local: int) -> None:
    random = Random(seed)
    key, response = _noisy(random, 400, (0.1, 0.3, 0.6, 1.0)[seed])
    for name, rows in (("k", key), ("r", response)):
        engine.view(name, columns_of(rows))
    labelled = LabelledTable("k", ("entity",), "mention", "document")
    [found] = found_by(engine, labelled, labelled._replace(view="r"), *WEIGHINGS, local=local)
    engine.drop("k", "r")
    cells = cells_of(key, response)
    [batch] = found.peeled
    for weighing, peeled in zip(WEIGHINGS, batch, strict=True):
        expected = best([(cell.key, cell.response, weighing(*cell.look)) for cell in cells])
        assert best_total(peeled, weighing) == pytest.approx(expected, rel=1e-13)
        for numbers in (peeled.left.rows, peeled.left.columns):
            assert set(numbers.tolist()) <= set(range(len(cells)))
        if local == 0 and seed == 0:
            assert len(peeled.left.n) < len(cells) / 5


@pytest.mark.parametrize("weighing", WEIGHINGS)
def test_margins_in_sql_are_those_of_arrays(weighing: Weighing) -> None:
    """To the bit."""
    random = Random(7)
    looks = []
    for _ in range(300):
        n = random.randint(1, 9)
        km, rm = n + random.randrange(5), n + random.randrange(5)
        looks.append((n, km + random.randrange(4), rm + random.randrange(4), km, rm))
    arrays = [np.array(column) for column in zip(*looks, strict=True)]
    names = ("n", "k", "r", "km", "rm")
    here = margin(weighing, **dict(zip(names, arrays, strict=True)), at_least_0=lambda value: np.maximum(value, 0))
    expression = margin(weighing, **{name: Symbol(name) for name in names}, at_least_0=at_least_0)
    with duckdb.connect() as connection:
        connection.register("looks", dict(zip(names, arrays, strict=True)))
        there = connection.execute(f"SELECT CAST({expression} AS DOUBLE) AS margin FROM looks").fetchnumpy()["margin"]
    assert sorted(there.tolist()) == sorted(here.astype(float).tolist())
    assert (here > SLACK).any()
    assert not (here > SLACK).all()


def test_rounds_that_take_hardly_any_end(engine: Engine) -> None:
    key, response = _noisy(Random(3), 2000, 1.0)
    for name, rows in (("k", key), ("r", response)):
        engine.view(name, columns_of(rows))
    labelled = LabelledTable("k", ("entity",), "mention", "document")

    def rounds(local: int) -> int:
        steps: list[str] = []
        weighing = Weighing(shared_mentions)
        found_by(engine, labelled, labelled._replace(view="r"), weighing, local=local, progress=steps.append)
        return len({step for step in steps if "round" in step})

    cells = len(cells_of(key, response))
    assert rounds(cells - 100) == 1, "what is left is not far more than may come home"
    assert rounds(0) > 1


def test_progress_tells_rounds_and_cells(engine: Engine) -> None:
    key, response = _noisy(Random(1), 400, 0.4)
    for name, rows in (("k", key), ("r", response)):
        engine.view(name, columns_of(rows))
    labelled = LabelledTable("k", ("entity",), "mention", "document")
    steps: list[str] = []
    found_by(engine, labelled, labelled._replace(view="r"), Weighing(dice), local=0, progress=steps.append)
    assert [step for step in steps if step.startswith("peeling dice, round 2: ")]
