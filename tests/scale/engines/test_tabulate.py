"""Faults in the data are found by their sums, and told with examples."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from corefscope.core.errors import InputError, OptionError
from corefscope.scale.engines import open_engine
from corefscope.scale.engines.base import Budget, Engine
from corefscope.scale.engines.counting import RepeatedMention
from corefscope.scale.engines.sql import LabelledTable
from tables_in_engines import Found, Row, columns_of, counted_plainly, found_by

duckdb = pytest.importorskip("duckdb")
KEY = LabelledTable("k", ("entity",), "mention", "document")
RESPONSE = KEY._replace(view="r")
CLEAN: list[Row] = [("d", f"m{number}", f"e{number // 3}") for number in range(12)]


@pytest.fixture
def engine() -> Iterator[Engine]:
    engine = open_engine("duckdb", Budget("200MB"))
    yield engine
    engine.close()


def _found(engine: Engine, key: list[Row], response: list[Row], **options: Any) -> Found:
    for name, rows in (("k", key), ("r", response)):
        engine.drop(name)
        engine.view(name, columns_of(rows))
    return found_by(engine, KEY, RESPONSE, **options)[0]


@pytest.mark.parametrize("side", ["key", "response"])
@pytest.mark.parametrize(("role", "at"), [("document", 0), ("mention", 1), ("entity", 2)])
@pytest.mark.parametrize("nothing", [None, ""])
def test_ids_that_are_missing_are_counted_by_side_and_column(
    engine: Engine, side: str, role: str, at: int, nothing: str | None
) -> None:
    faulty = list(CLEAN)
    for number in (2, 5):
        row: list[Any] = list(faulty[number])
        row[at] = nothing
        faulty[number] = (row[0], row[1], row[2])
    sides = {"key": CLEAN, "response": CLEAN} | {side: faulty}
    facts = _found(engine, **sides).facts
    assert facts.fatal
    missing = {"key": facts.key.missing, "response": facts.response.missing}
    assert missing.pop(side) == {role: 2}
    assert list(missing.values()) == [{}]


REPEATS = {
    "with counterpart": ("d", "m4"),
    "without counterpart": ("d", "alone"),
}


@pytest.mark.parametrize("documents", ["apart", "merge"])
@pytest.mark.parametrize("side", ["key", "response"])
@pytest.mark.parametrize("kind", REPEATS)
def test_a_mention_in_two_entities_is_found(engine: Engine, kind: str, side: str, documents: str) -> None:
    document, mention = REPEATS[kind]
    faulty = [*CLEAN, (document, mention, "e1"), (document, mention, "e7")]
    entities = ("e1", "e7")
    sides = {"key": CLEAN, "response": CLEAN} | {side: faulty}
    found = _found(engine, **sides, documents=documents)
    facts = {"key": found.facts.key, "response": found.facts.response}
    of_side = facts.pop(side)
    [other] = facts.values()
    assert found.facts.fatal
    assert (of_side.several, of_side.again) == (1, 0)
    assert of_side.repeated == (RepeatedMention("d", mention, entities, 2 + (kind == "with counterpart")),)
    assert (other.several, other.again, other.repeated) == (0, 0, ())


@pytest.mark.parametrize("side", ["key", "response"])
@pytest.mark.parametrize("row", [("d", "m4", "e1"), ("d", "alone", "e9")])
def test_a_row_that_comes_twice_is_found_and_can_be_dropped(engine: Engine, side: str, row: Row) -> None:
    whole = list(dict.fromkeys([*CLEAN, row]))
    sides = {"key": CLEAN, "response": CLEAN}
    found = _found(engine, **(sides | {side: [*whole, row]}))
    assert found.facts.fatal
    of_side = getattr(found.facts, side)
    assert (of_side.several, of_side.again) == (0, 1)
    assert of_side.repeated == (RepeatedMention(*row[:2], (row[2],), 2),)
    for duplicates in ("drop-equal", "largest"):
        found = _found(engine, **(sides | {side: [*whole, row]}), duplicates=duplicates)
        assert not found.facts.fatal
        assert getattr(found.facts, side).again == 1
        expected = sides | {side: whole}
        assert found.looked == counted_plainly(expected["key"], expected["response"])


def test_a_mention_can_belong_to_the_largest_of_its_entities(engine: Engine) -> None:
    """Of equally large ones to that of the smaller id; equal rows count once."""
    key = [*CLEAN, ("d", "m0", "e1"), ("d", "new", "e2"), ("d", "new", "e1"), ("d", "new", "e1"), ("d", "x", "e2")]
    # e0 has 3 mentions, e1 5 (m0 and new among them), e2 5 (new and x): new is in e1, whose id is smaller.
    expected = [row for row in key if row not in (("d", "m0", "e0"), ("d", "new", "e2"))]
    found = _found(engine, key, CLEAN, duplicates="largest")
    assert not found.facts.fatal
    assert (found.facts.key.several, found.facts.key.again) == (2, 0)
    assert found.looked == counted_plainly(list(dict.fromkeys(expected)), CLEAN)
    assert _found(engine, key, CLEAN, duplicates="drop-equal").facts.fatal


def test_an_entity_is_as_large_as_its_documents_make_it(engine: Engine) -> None:
    """Where documents are joined, entities of one name are one; where they are apart, they are not."""
    key = [("d", "m", "a"), ("d", "m", "b"), ("d", "n", "a"), ("f", "m", "b"), ("f", "n", "b")]
    for documents, owner in (("apart", "a"), ("merge", "b")):
        found = _found(engine, key, CLEAN, duplicates="largest", documents=documents)
        expected = [("d", "m", owner), *key[2:]]
        part: Callable[[Any], str] = str if documents == "apart" else lambda _: "all documents"
        assert found.looked == counted_plainly(expected, CLEAN, part)


def test_at_most_five_examples_come_first_by_name(engine: Engine) -> None:
    key = [*CLEAN, *[("d", f"m{number}", "e9") for number in range(8)]]
    facts = _found(engine, key, CLEAN).facts
    assert facts.key.several == 8
    assert [each.mention for each in facts.key.repeated] == ["m0", "m1", "m2", "m3", "m4"]


def test_mentions_of_the_same_name_in_other_documents_are_no_repeats(engine: Engine) -> None:
    key = [*CLEAN, *[("other", mention, entity) for _, mention, entity in CLEAN]]
    for documents in ("apart", "merge"):
        assert not _found(engine, key, CLEAN, documents=documents).facts.fatal


def test_a_mention_that_comes_very_often_ends_at_once(engine: Engine) -> None:
    """Somebody named a wrong column: a join of 60,000 rows with as many of the same mention would not end."""
    rows: list[Row] = [("d", "same", f"e{number % 9}") for number in range(60_000)]
    began = time.process_time()
    found = _found(engine, rows, rows)
    assert found.facts.fatal
    assert found.facts.key.repeated == (RepeatedMention("d", "same", ("e0", "e8"), 60_000),)
    assert time.process_time() - began < 20


def test_one_table_that_names_a_mention_twice_is_found(engine: Engine) -> None:
    engine.view("wide", {"mention": ["a", "b", "a"], "gold": ["x", "x", "y"], "answer": ["p", "p", "p"]})
    key = LabelledTable("wide", ("gold",), "mention")
    [found] = found_by(engine, key, key._replace(entities=("answer",)))
    assert found.facts.fatal
    assert found.facts.key.repeated == (RepeatedMention("", "a", ("x", "y"), 2),)
    with pytest.raises(InputError, match="largest"):
        found_by(engine, key, key._replace(entities=("answer",)), duplicates="largest")


def test_nothing_in_common_comes_with_an_example_of_each_side(engine: Engine) -> None:
    other = [(document, f"x:{mention}", entity) for document, mention, entity in CLEAN]
    facts = _found(engine, CLEAN, other).facts
    assert not facts.fatal
    assert facts.common == 0
    assert (facts.key.example, facts.response.example) == (("d", "m0"), ("d", "x:m0"))
    assert _found(engine, CLEAN, CLEAN).facts.key.example == ()


def test_clean_data_are_read_once_and_joined_once(engine: Engine) -> None:
    steps: list[str] = []
    _found(engine, CLEAN, CLEAN, progress=steps.append)
    assert steps.count("reading the key") == steps.count("joining key and response") == 1
    assert not [step for step in steps if "repeat" in step]


def test_mentions_of_two_tables_need_names(engine: Engine) -> None:
    for name in "kr":
        engine.view(name, columns_of(CLEAN))
    with pytest.raises(InputError, match="mention="):
        found_by(engine, KEY._replace(mention=""), RESPONSE._replace(mention=""))
    with pytest.raises(OptionError, match="drop-equal"):
        found_by(engine, KEY, RESPONSE, duplicates="drop-equall")
