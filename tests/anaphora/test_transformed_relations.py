"""Relations between mentions are kept by everything that makes a document from a document."""

from __future__ import annotations

import pytest

from corefscope.analysis.noise import OF_KEYS, perturb
from corefscope.core.document import Document, Mention, Relation, Sentence
from corefscope.core.matching.transform import (
    SAME_WORDS,
    restricted,
    with_decimal_ordinals,
    with_one_owner,
    with_words_once,
    without_repeats,
    without_singletons,
)
from corefscope.core.positions import decimal, position
from corefscope.formats.fitting import fitted, headed_by_first_word, without_empty_nodes, without_zeros
from corefscope.formats.joining import join
from corefscope.formats.losses import Losses
from corefscope.formats.pairs import cut_like
from corefscope.formats.writers import WRITERS
from noise import IN_RELATIONS


def _mention(*words: int, head: int = 0, sentence: int = 1) -> Mention:
    positions = tuple(position(sentence, word) for word in words)
    return Mention(positions, positions[head])


HOUSE, IT, DOOR, SHE, THEY, DUMMY = (
    _mention(1, 2, head=1),
    _mention(4),
    _mention(5, 6, head=1),
    _mention(7),
    _mention(8),
    _mention(3),
)
BRIDGE = Relation("bridging", (DOOR,), ((HOUSE, IT),), "part")
PLURAL = Relation("split", (THEY,), ((HOUSE, IT), (SHE,)))
NON_REFERRING = Relation("non-referring", (DUMMY,))
RELATIONS = (BRIDGE, PLURAL, NON_REFERRING)


def _document(relations: tuple[Relation, ...] = RELATIONS, name: str = "d") -> Document:
    words = [f"{number}\tw{number}" for number in range(1, 9)]
    rows = "\n".join(f"{word}\t_\tVERB\t_\t_\t0\t_\t_\t_" for word in words)
    return Document(
        name,
        ((HOUSE, IT), (DOOR,), (SHE,), (THEY,)),
        entity_ids=("e1", "e2", "e3", "e4"),
        sentences=(Sentence("s", 1, 1, words, [], rows),),
        relations=relations,
    )


def test_documents_have_no_relations_unless_they_are_given() -> None:
    assert Document("d", ()).relations == ()


def test_relations_outlive_entities() -> None:
    """A singleton that is dropped is still what a bridge leads to, or from."""
    document = _document()
    assert len(without_singletons(document).entities) == 1
    for changed in (
        without_singletons(document),
        with_one_owner(document, SAME_WORDS),
        without_repeats(document, SAME_WORDS),
        document.replace_entities([], ()),
    ):
        assert changed.relations == RELATIONS


def test_relations_lose_mentions_that_are_left_out() -> None:
    document = _document()

    def without(*gone: Mention) -> tuple[Relation, ...]:
        return restricted(document, lambda _, mention: mention not in gone).relations

    assert without() == RELATIONS
    assert without(DOOR) == (PLURAL, NON_REFERRING)  # the anaphor
    assert without(DUMMY) == (BRIDGE, PLURAL)
    assert without(HOUSE) == (
        BRIDGE._replace(targets=((IT,),)),
        PLURAL._replace(targets=((IT,), (SHE,))),
        NON_REFERRING,
    )
    assert without(HOUSE, IT) == (PLURAL._replace(targets=((SHE,),)), NON_REFERRING)  # no target is left
    assert without(HOUSE, IT, SHE) == (NON_REFERRING,)
    assert without(HOUSE, IT, SHE, DUMMY) == ()


def test_mentions_of_relations_change_with_those_of_entities() -> None:
    repeated = Mention((*HOUSE.positions, HOUSE.positions[-1]), HOUSE.head)
    document = _document((BRIDGE._replace(targets=((repeated, IT),)),))
    assert with_words_once(document).relations == (BRIDGE,)
    zero = Mention((position(1, 3, 10),), position(1, 3, 10))
    document = _document((BRIDGE._replace(anaphor=(zero,)),))
    (relation,) = with_decimal_ordinals(document).relations
    assert relation.anaphor[0].head == decimal(position(1, 3, 1))
    assert relation.targets == BRIDGE.targets


def test_relations_move_with_their_words() -> None:
    sentences = [
        Sentence("", number, 1, [f"{word + 1}\tw{(number - 3) * 4 + word + 1}" for word in range(4)], [], "")
        for number in (3, 4)
    ]
    cut = cut_like(_document(), sentences)
    assert cut is not None
    assert cut.relations[1].targets[1] == (_mention(3, sentence=4),)
    joined = join("all", [_document(), _document((BRIDGE,), "e")])
    assert joined.relations[:3] == RELATIONS
    assert joined.relations[3].anaphor == (_mention(5, 6, head=1, sentence=2),)
    assert set(joined.relations[3].targets[0]) < set(joined.entities[0])


def test_writers_fit_the_mentions_of_relations() -> None:
    zero = Mention((position(1, 3, 1),), position(1, 3, 1))
    document = _document(
        (BRIDGE, PLURAL._replace(targets=((zero,), (SHE,))), NON_REFERRING._replace(anaphor=(zero,)))
    )
    steps = (without_zeros, without_empty_nodes, headed_by_first_word)
    losses = Losses()
    row = WRITERS["jsonl"]._replace(steps=steps, cannot_hold=("documents", "types"), name_of_document=None)
    (written,) = fitted([document], row, losses)
    assert written.relations == (
        BRIDGE._replace(anaphor=(_mention(5, 6),), targets=((_mention(1, 2), IT),)),
        PLURAL._replace(targets=((SHE,),)),
    )
    assert losses.counts == {"heads": 2}  # those of entities: nothing is counted twice


@pytest.mark.parametrize("kind", [kind for kind in OF_KEYS if kind not in IN_RELATIONS])
def test_noise_keeps_relations(kind: str) -> None:
    """In mentions that are in some entity, or in none as before."""
    document = _document()
    assert perturb(document, kind, 0).relations == RELATIONS
    noisy = perturb(document, kind, 100)
    if kind == "drop":
        assert noisy.relations == (NON_REFERRING,)
        return
    assert [relation.kind for relation in noisy.relations] == [relation.kind for relation in RELATIONS]
    mentions = {mention for entity in noisy.entities for mention in entity}
    for relation in noisy.relations[:2]:
        assert mentions.issuperset(relation.anaphor)
        assert mentions.issuperset(mention for target in relation.targets for mention in target)
