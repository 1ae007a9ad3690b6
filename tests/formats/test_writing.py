"""Parts that writers share: brackets in canonical order, and entity ids."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefscope.core.document import Document, Mention, Sentence
from corefscope.core.positions import position
from corefscope.formats import writing as ids
from corefscope.formats.losses import Losses
from corefscope.formats.writing import BracketPair, cells


def document(*spans: str, words: int = 6, name: str = "d", entity_ids: tuple[str, ...] = ()) -> Document:
    """One sentence; an entity is written ``1-2 4 5,6@6``: spans with gaps and, after ``@``, heads."""
    entities = []
    for entity in spans:
        mentions = []
        for text in entity.split():
            where, _, head = text.partition("@")
            numbers: list[int] = []
            for part in where.split(","):
                first, _, last = part.partition("-")
                numbers += range(int(first), int(last or first) + 1)
            places = tuple(position(1, number) for number in numbers)
            mentions.append(Mention(places, position(1, int(head)) if head else places[0]))
        entities.append(tuple(mentions))
    sentence = Sentence("", 1, 1, [f"{number}\tw{number}" for number in range(1, words + 1)], [], "")
    return Document(name, tuple(entities), entity_ids=entity_ids, sentences=(sentence,))


# ------------------------------------------------------------------------------------------------------- brackets


def test_brackets_close_then_open_then_hold_single_words() -> None:
    brackets = [
        BracketPair(1, 3, "a-x-1", "a"),
        BracketPair(3, 3, "b", "b"),
        BracketPair(3, 4, "c", "c"),
        BracketPair(3, 9, "d", "d"),
        BracketPair(2, 3, "e", "e"),
    ]
    assert cells(brackets)[3] == ["e)", "a)", "(d", "(c", "(b)"]
    assert cells([brackets[0], brackets[1]])[3] == ["(b)", "a)"], "inside of what ends there, if nothing begins"


def test_brackets_around_the_same_words_keep_their_order_and_close_in_reverse() -> None:
    assert cells([BracketPair(1, 2, "b", "b"), BracketPair(1, 2, "a", "a")]) == {1: ["(b", "(a"], 2: ["a)", "b)"]}
    assert cells([BracketPair(1, 1, "b", "b"), BracketPair(1, 1, "a", "a")]) == {1: ["(b)", "(a)"]}


spans = st.tuples(st.integers(1, 8), st.integers(0, 4)).map(lambda drawn: (drawn[0], drawn[0] + drawn[1]))


@given(st.lists(spans, max_size=8))
def test_brackets_of_one_id_come_back_exactly_if_none_cross(drawn: list[tuple[int, int]]) -> None:
    """A stack is all a reader has; two spans that share a word at most at their ends are no problem for it."""
    stack: list[int] = []
    found = []
    for place, chunks in sorted(cells([BracketPair(first, last, "0", "0") for first, last in drawn]).items()):
        for chunk in chunks:
            if chunk[0] == "(":
                stack.append(place)
            if chunk[-1] == ")":
                found.append((stack.pop(), place))
    crossing = any(a < c < b < d for a, b in drawn for c, d in drawn)
    assert (sorted(found) == sorted(drawn)) == (not crossing)


# ------------------------------------------------------------------------------------------------------------ ids


@pytest.mark.parametrize(
    ("given_ids", "numbers", "unique", "renamed"),
    [
        (("e1", "e12"), ["1", "12"], ["e1", "e12"], (0, 0)),
        (("0", "1"), ["0", "1"], ["e0", "e1"], (0, 0)),
        (("abstract-1", "7"), ["1", "7"], ["e1", "e7"], (1, 1)),
        (("person", "e0"), ["1", "0"], ["person", "e0"], (1, 0)),
        (("e5", "5"), ["5", "1"], ["e5", "e1"], (1, 1)),
        (("e01", "a b"), ["0", "1"], ["e01", "e1"], (2, 1)),
        ((), ["0", "1"], ["e0", "e1"], (0, 0)),
    ],
)
def test_entity_ids_are_kept_where_they_can_be(
    given_ids: tuple[str, ...], numbers: list[str], unique: list[str], renamed: tuple[int, int]
) -> None:
    found = document("1", "2", entity_ids=given_ids)
    for expected, count, make in (
        (numbers, renamed[0], ids.numbers),
        (unique, renamed[1], lambda document, losses: ids.unique(document, set(), losses)),
    ):
        losses = Losses()
        assert make(found, losses) == expected
        assert losses.noted.get("ids", 0) == count
        assert not losses.refused


def test_entity_ids_are_unique_in_a_corefud_file_and_in_each_document_of_others() -> None:
    taken: set[str] = set()
    twice = [document("1", "2", entity_ids=("0", "1"), name=name) for name in ("d1", "d2")]
    assert [ids.unique(found, taken, Losses()) for found in twice] == [["e0", "e1"], ["e2", "e3"]]
    assert [ids.numbers(found, Losses()) for found in twice] == [["0", "1"]] * 2
    merged = document("1", "2", "3", entity_ids=("e1", "e2", "e1"))
    assert ids.distinct(merged, Losses()) == ["e1", "e2", "e1.2"]
    assert len(set(ids.numbers(merged, Losses()))) == 3
