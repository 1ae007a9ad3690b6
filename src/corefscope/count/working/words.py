"""What needs words: mention overlap pair by pair, anaphoric zeros one by one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from ...base.mention import Mention
from ...match.alignment import Alignment, Side
from ...match.transform import SAME_WORDS
from ..metrics import anaphora
from ..metrics.anaphors import Verdict, verdicts
from ..metrics.overlap import overlaps
from .maps import best_pairs
from .sections import KEY, RESPONSE, Column, Entry, Piece, Ref, Section, recall_and_precision, whole

COMMON = Column("common", (0, 2))


def overlap(alignment: Alignment) -> list[Section]:
    """The best map of mentions: equal ones first, then what shares most words."""
    keys, responses = _occurrences(KEY, alignment.key), _occurrences(RESPONSE, alignment.response)
    chosen = _best_map([mention for _, mention in keys], [mention for _, mention in responses])
    entries = []
    for k, (ref, mention) in enumerate(keys):
        if k in chosen:
            other, its = responses[chosen[k]]
            common = mention.common(its)
            pieces = (Piece((ref,)), Piece((other,)))
            entries.append(Entry((whole(common), whole(mention.size), whole(its.size)), pieces=pieces, name="pair"))
        else:
            entries.append(Entry((whole(0), whole(mention.size), None), pieces=(Piece((ref,)),), name="key only"))
    taken = set(chosen.values())
    for r, (ref, mention) in enumerate(responses):
        if r not in taken:
            entries.append(
                Entry((whole(0), None, whole(mention.size)), pieces=(Piece((ref,)),), name="response only")
            )
    return [
        Section(
            "Words that mentions have in common under the best one-to-one map of mentions",
            (COMMON, Column("of key", (1,)), Column("of response", (3,))),
            tuple(entries),
        )
    ]


def _occurrences(name: int, side: Side) -> list[tuple[Ref, Mention]]:
    """Every mention as often as it stands in an entity."""
    return [((name, number), side.mentions[number]) for entity in side.entities for number in entity]


def _best_map(keys: Sequence[Mention], responses: Sequence[Mention]) -> dict[int, int]:
    """For each mention of the key that is mapped its place among those of the response."""
    free: dict[Any, list[int]] = {}
    for r in reversed(range(len(responses))):
        free.setdefault(SAME_WORDS(responses[r]), []).append(r)
    chosen = {k: free[words].pop() for k, words in enumerate(map(SAME_WORDS, keys)) if free.get(words)}
    left = [k for k in range(len(keys)) if k not in chosen]
    others = sorted(r for places in free.values() for r in places)
    cells = overlaps([keys[k] for k in left], [responses[r] for r in others])
    for row, column in best_pairs((k, r, Fraction(common)) for k, r, common in cells):
        chosen[left[row]] = others[column]
    return chosen


def zeros(alignment: Alignment) -> list[Section]:
    """What became of each anaphor."""
    entries = [
        Entry(
            (whole(verdict.right), whole(verdict.in_key), whole(verdict.in_response)),
            name=_fate(verdict),
            pieces=(Piece(((KEY if verdict.in_key else RESPONSE, verdict.mention),)),),
        )
        for verdict in verdicts(alignment)
    ]
    columns = COMMON._replace(title="right"), Column("in key", (1,)), Column("resolved", (3,))
    return [Section("Zeros that are not the first mention of their entity", columns, tuple(entries))]


def by_classes(alignment: Alignment) -> list[Section]:
    """Whether the entity of each anaphor has a right full mention; and how many of its full mentions are right."""
    return _judged(
        anaphora.by_classes(alignment),
        "Recall: anaphors of the key that have a full mention, and whether the response gives them a right one",
        "Precision: the full mentions that the response puts anaphors with",
    )


def by_links(alignment: Alignment) -> list[Section]:
    """Whether the nearest antecedent of each anaphor is right."""
    return _by_links(alignment, full=False)


def by_full_links(alignment: Alignment) -> list[Section]:
    """The same of full antecedents."""
    return _by_links(alignment, full=True)


def _by_links(alignment: Alignment, *, full: bool) -> list[Section]:
    return _judged(
        anaphora.by_links(alignment, full=full),
        "Recall: anaphors of the key that have an antecedent, and whether the response gives them a right one",
        "Precision: anaphors of the response that have an antecedent, and whether it is right",
    )


def _judged(judgements: Iterable[anaphora.Judgement], *titles: str) -> list[Section]:
    """Anaphors that add to the recall are those of the key, others those of the response."""
    entries: tuple[list[Entry], list[Entry]] = [], []
    for mention, counts in judgements:
        side = KEY if counts[1] else RESPONSE
        right, of = map(int, counts[2 * side : 2 * side + 2])
        entries[side].append(Entry((whole(right), whole(of)), pieces=(Piece(((side, mention),)),)))
    columns = recall_and_precision("right", "of")
    return [Section(titles[side], columns[side], tuple(entries[side])) for side in (KEY, RESPONSE)]


def _fate(verdict: Verdict) -> str:
    if not verdict.in_key:
        return "spurious"
    if not verdict.in_response:
        return "lost"
    return "right" if verdict.right else "wrong link"
