"""The inner model: parts, blanks, components, and mentions of absurd length."""

from __future__ import annotations

import time

import pytest

import corefscope
from corefscope.core.document import Document
from corefscope.formats.standoff.model import StandoffDocument, StandoffMention, build_document


def spoken(document: Document) -> list[list[str]]:
    return [["".join(document.words_of(mention)) for mention in entity] for entity in document.entities]


def test_ids_and_links_together_make_entities() -> None:
    spans = {"a": (0, 1), "b": (2, 3), "c": (4, 5), "d": (6, 7), "e": (8, 9)}
    entities = {"a": "x", "b": "x", "d": "y"}
    mentions = {id_: StandoffMention([span], entities.get(id_, "")) for id_, span in spans.items()}
    built = build_document(StandoffDocument("t", mentions, "A B C D E", links=[("c", "d"), ("d", "c")]))
    assert spoken(built) == [["A", "B"], ["C", "D"], ["E"]]
    assert built.entity_ids == ("x", "c", "e")


def test_parts_are_sorted_merged_and_without_blanks() -> None:
    mentions = {"a": StandoffMention([(4, 6), (0, 2), (1, 3)], "x"), "b": StandoffMention([(4, 5), (0, 2)], "x")}
    built = build_document(StandoffDocument("t", mentions, "Ann B C\nD"))
    assert spoken(built) == [["AnnB", "AnB"]]
    words = StandoffDocument("t", {"a": StandoffMention([(1, 3)], head=2)}, sentences=[["a", "b"], [], ["c"]])
    mention = build_document(words).entities[0][0]
    assert len(mention.positions) == 2
    assert mention.head == mention.positions[1]


def test_the_same_span_counts_once_in_an_entity() -> None:
    mentions = {id_: StandoffMention([(0, 3)], "x") for id_ in "ab"} | {"c": StandoffMention([(0, 3)], "y")}
    assert spoken(build_document(StandoffDocument("t", mentions, "Ann"))) == [["Ann"], ["Ann"]]


def test_mentions_of_absurd_length_are_refused_soon() -> None:
    text = "a\n" * 500_000
    mentions = {str(number): StandoffMention([(0, len(text))], str(number)) for number in range(10_000)}
    begun = time.process_time()
    with pytest.raises(corefscope.InputError, match="absurdly long"):
        build_document(StandoffDocument("t", mentions, text))
    assert time.process_time() - begun < 5
