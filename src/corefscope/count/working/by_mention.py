"""Mention by mention: B³, its variants for mentions that differ, and mention detection."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from ...match.alignment import NONE
from .cuts import Cut, Cuts
from .sections import RESPONSE, Column, Entry, Piece, Section, Term, recall_and_precision, total, whole
from .sets import Classes, Sets, altered, completion, restricted_to, with_singletons, without_singletons

COLUMNS = recall_and_precision("share", "mentions")
RECALL = "Recall: each mention of the key counts the share of its entity that the response has with it"
PRECISION = "Precision: each mention of the response counts the share of its entity that the key has with it"


def b_cubed(cuts: Cuts) -> list[Section]:
    """n/k for each mention."""
    return [_shares(RECALL, COLUMNS[0], cuts), _shares(PRECISION, COLUMNS[1], cuts.T)]


def _shares(title: str, columns: tuple[Column, Column], cuts: Cuts) -> Section:
    """The mentions of the first side; those of one piece have the same share."""
    return Section(title, columns, tuple([_of_entity(cuts, cut) for cut in cuts.key]))


def _of_entity(cuts: Cuts, cut: Cut) -> Entry:
    """An entity with an entry for each of its mentions."""
    entries = []
    for piece in cut.pieces:
        for member in piece:
            share = Term(Fraction(member.common, cut.size), f"{member.common}/{cut.size}")
            entries.append(Entry((share, whole(1)), pieces=(cuts.piece([member]),)))
    value = total(entry.terms[0].value for entry in entries if entry.terms[0])
    return Entry(
        (Term(value, _sum(cut)), whole(cut.size)),
        entity=cut.entity,
        pieces=cuts.shown_pieces(cut),
        entries=tuple(entries),
    )


def _sum(cut: Cut) -> str:
    """The shares of all mentions as a sum; equal ones as a product."""
    counted: dict[int, int] = {}
    for piece in cut.pieces:
        for member in piece:
            counted[member.common] = counted.get(member.common, 0) + 1
    return " + ".join(
        f"{times} × {common}/{cut.size}" if times > 1 else f"{common}/{cut.size}" for common, times in counted.items()
    )


def _altered(
    title: str, columns: tuple[Column, Column], own: Classes, other: Classes, names: tuple[str, str]
) -> Section:
    """The shares of one side against the other, both as they were altered, which is shown."""
    section = _shares(title, columns, Sets(own, other).cuts())
    return section._replace(altered=(altered(names[0], own), altered(names[1], other)))


FOR_RECALL = ("key for recall", "response for recall")
FOR_PRECISION = ("response for precision", "key for precision")


def _recall_with_missing(sets: Sets) -> Section:
    response = with_singletons(sets.response, RESPONSE, sets.missing)
    return _altered(RECALL, COLUMNS[0], sets.key, response, FOR_RECALL)


def _precision(response: Classes, key: Classes) -> Section:
    return _altered(PRECISION, COLUMNS[1], response, key, FOR_PRECISION)


def b3_0(sets: Sets) -> list[Section]:
    """Missing mentions count 0; spurious ones are taken out before the precision."""
    recall = _altered(RECALL, COLUMNS[0], sets.key, sets.response, FOR_RECALL)
    return [recall, _precision(restricted_to(sets.response, sets.key), sets.key)]


def b3_all(sets: Sets) -> list[Section]:
    """Missing and spurious mentions are singletons of the other side."""
    return [_recall_with_missing(sets), _precision(sets.response, sets.completed().key)]


def b3_rn(sets: Sets) -> list[Section]:
    """The same without spurious singletons."""
    kept = without_singletons(sets.response, set(sets.spurious))
    return [_recall_with_missing(sets), _precision(kept, Sets(sets.key, kept).completed().key)]


def b3_sys(sets: Sets) -> list[Section]:
    """The same, with the missing mentions as singletons of the response for the precision, too."""
    complete = without_spurious_singletons(sets).completed()
    return [_recall_with_missing(sets), _precision(complete.response, complete.key)]


def without_spurious_singletons(sets: Sets) -> Sets:
    """The key, and R⁻."""
    return sets._replace(response=without_singletons(sets.response, set(sets.spurious)))


def b3_pb(sets: Sets) -> list[Section]:
    """Both sides over one set of mentions."""
    complete, shown = completion(sets)
    first, second = b_cubed(complete.cuts())
    return [first._replace(altered=shown), second]


def mentions(cuts: Cuts) -> list[Section]:
    """Which mentions are found."""
    assert cuts.alignment is not None
    titles = ("Recall: the mentions of the key", "Precision: the mentions of the response")
    words = (("found", "missing"), ("right", "spurious"))
    counterparts = cuts.alignment.to_response, cuts.alignment.to_key
    return [
        Section(titles[side], columns, tuple(_found(side, counterparts[side], cuts.alignment.matched, words[side])))
        for side, columns in enumerate(recall_and_precision("matched", "mentions"))
    ]


def _found(side: int, counterparts: Sequence[int], matched: int, words: tuple[str, str]) -> Iterator[Entry]:
    """The mentions that have counterparts, and those that have none."""
    found = [n for n, counterpart in enumerate(counterparts) if counterpart != NONE]
    others = [n for n, counterpart in enumerate(counterparts) if counterpart == NONE]
    for name, numbers, worth in zip(words, (found, others), (1, 0), strict=True):
        pieces = tuple([Piece(((side, number),)) for number in numbers])
        yield Entry((whole(worth * len(numbers)), whole(len(numbers))), name=name, pieces=pieces)
    if matched != len(found):  # the official rules forget pairs when they look mentions up, or find others
        yield Entry((whole(matched - len(found)), None), name="pairs of the official rules beyond these")
