"""What becomes of mentions that stand twice, of singletons, and of odd positions."""

from __future__ import annotations

import pytest

from corefscope.core.document import Document, Entity, Mention
from corefscope.core.matching.transform import (
    SAME_WORDS,
    SAME_WORDS_AND_HEAD,
    restricted,
    with_decimal_ordinals,
    with_minima,
    with_one_owner,
    with_words_once,
    without_repeats,
    without_singletons,
)
from corefscope.core.positions import position


def _mention(*words: int, head: int = 0) -> Mention:
    return Mention(tuple(position(1, word) for word in words), position(1, head or words[0]))


def _document(*entities: list[Mention]) -> Document:
    ids = tuple(f"e{number}" for number in range(len(entities)))
    return Document("d", tuple(map(tuple, entities)), entity_ids=ids, entity_types=tuple(map(str.upper, ids)))


def _by_id(document: Document) -> dict[str, Entity]:
    assert document.entity_types == tuple(map(str.upper, document.entity_ids))
    return dict(zip(document.entity_ids, document.entities, strict=True))


A, B, C, D = (_mention(word) for word in (1, 2, 3, 4))


def test_a_mention_stands_once_per_entity_the_first_one_kept() -> None:
    """By words alone, another head is no other mention."""
    other_head = _mention(1, 2, head=2)
    first = _mention(1, 2, head=1)
    document = _document([first, other_head, C], [C, C])
    assert _by_id(without_repeats(document, SAME_WORDS)) == {"e0": (first, C), "e1": (C,)}
    assert _by_id(without_repeats(document, SAME_WORDS_AND_HEAD)) == {"e0": (first, other_head, C), "e1": (C,)}


def test_what_changes_nothing_gives_the_document_back() -> None:
    document = _document([A, B], [A, C])
    assert without_repeats(document, SAME_WORDS) is document
    assert without_singletons(document) is document


def test_the_largest_entity_owns_a_mention() -> None:
    """e1 begins later and stands later, but it has three mentions."""
    owned = with_one_owner(_document([A, C], [B, C, D]), SAME_WORDS)
    assert _by_id(owned) == {"e0": (A,), "e1": (B, C, D)}


def test_of_equally_large_entities_the_one_that_begins_first_owns_it() -> None:
    """Of mentions with the same first word the longer stands first in a document; the shorter is over first."""
    long, short = _mention(1, 2, 3), _mention(1, 2)
    assert _by_id(with_one_owner(_document([long, D], [short, D]), SAME_WORDS)) == {"e0": (long,), "e1": (short, D)}


def test_where_first_mentions_are_the_same_the_next_decides() -> None:
    """Both lose nothing but A, which is what they share."""
    assert _by_id(with_one_owner(_document([A, C], [A, B]), SAME_WORDS)) == {"e0": (C,), "e1": (A, B)}


def test_sizes_are_those_before_anything_is_taken_away() -> None:
    """e1 loses two mentions to e0 and is down to one, but keeps D, because it had three and e2 has two."""
    document = _document([A, B, C, _mention(5)], [B, C, D], [D, _mention(6)])
    assert _by_id(with_one_owner(document, SAME_WORDS)) == {
        "e0": document.entities[0],
        "e1": (D,),
        "e2": (_mention(6),),
    }


def test_an_entity_that_loses_all_is_gone() -> None:
    assert _by_id(with_one_owner(_document([A], [A, B]), SAME_WORDS)) == {"e1": (A, B)}


def test_by_head_two_heads_are_two_mentions() -> None:
    document = _document([_mention(1, 2, head=1), C], [_mention(1, 2, head=2), D])
    assert _by_id(with_one_owner(document, SAME_WORDS_AND_HEAD)) == _by_id(document)
    assert list(map(len, with_one_owner(document, SAME_WORDS).entities)) == [2, 1]


@pytest.mark.parametrize("size", [1, 2, 3])
def test_entities_of_two_mentions_are_no_singletons(size: int) -> None:
    document = _document([A, B, C][:size], [D])
    assert without_singletons(document).entity_ids == (("e0",) if size > 1 else ())


def test_words_of_overlapping_parts_count_once() -> None:
    document = with_words_once(_document([_mention(1, 2, 2, 3)], [A]))
    assert _by_id(document) == {"e0": (_mention(1, 2, 3),), "e1": (A,)}


def test_a_predicate_selects_mentions() -> None:
    document = _document([A, B], [C], [D])
    kept = restricted(document, lambda whole, mention: whole is document and mention in (B, D))
    assert _by_id(kept) == {"e0": (B,), "e2": (D,)}


def test_the_tenth_empty_node_is_read_as_the_first() -> None:
    """1.10 is 1.1, so it comes before 1.2; its parent 2.20 is 2.2; entities stay in the order they had."""
    first, second, tenth = (position(1, 1, minor) for minor in (1, 2, 10))
    zero = Mention((tenth,), tenth, ((position(1, 2, 20), "nsubj"),))
    document = _document([zero], [Mention((second,), second)])
    read = with_decimal_ordinals(document)
    assert read.entity_ids == ("e0", "e1")
    (same,), (later,) = read.entities
    one, two = (with_decimal_ordinals(_document([Mention((p,), p)])).entities[0][0].head for p in (first, second))
    assert same.positions == (same.head,) == (one,)
    assert later.head == two
    assert same.dependencies[0][0] & 0xFFFFF == later.head & 0xFFFFF
    assert same.dependencies[0][1] == "nsubj"


def test_every_word_is_needed_where_no_minimum_is_named_but_none_of_a_zero() -> None:
    zeros = tuple(position(1, 2, minor) for minor in (1, 2))
    plain, zero = _mention(1, 2, head=2), Mention(zeros, zeros[0])
    assert [mention.minimum for mention in with_minima(_document([plain, zero])).entities[0]] == [plain.positions, ()]
