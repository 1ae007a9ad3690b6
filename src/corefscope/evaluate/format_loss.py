"""Format loss: the score if every tag had landed − the score as read. Coreference loss: 1 − the score if all had.

A tag that a language model printed may have moved, been repaired or been dropped, because its word was not copied, or
because the other end of its mention is missing. *If every tag had landed* is the best that can be said of such a
mention: it is taken for the mention of the key that it was meant for, where there is one that fits.

- It shares words with the place that the mention is read at, or was dropped at. One that begins or ends there comes
  first; then one of the entity that most of the response entity's other mentions are of; then the one that shares
  most words with it, and the shorter one.
- No other mention of the response is the same as it, and no other doubtful mention was meant for it. It may be the
  doubtful mention itself, as it is read.

A mention that fits none stays as it is. What was never printed cannot land. A metric that would be lower than as read
is taken to be what it is as read: both losses are at least 0, and together with the score they are 1.

The *ceiling* of a style is what a faithful copy of the key scores, tagged in that style: below 1 where the style
cannot hold what the key has, such as discontinuous mentions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ..base.document import Document, Entity
from ..base.mention import Mention, mention_order, same_words
from ..base.numbers import headline
from ..base.positions import SENTENCE_SHIFT
from ..count.metrics import METRICS
from ..read.tagged.account import DROPPED, DoubtfulMention
from ..read.tagged.styles import STYLES
from ..write.losses import Losses
from ..write.printed_order import held

if TYPE_CHECKING:
    from .results import Report, Rows

NEVER_MEANT = ("repeated", "outside", "without id")
"""Why mentions are dropped that were meant for no mention of the key, or do not say for whose."""


class PointsLost(NamedTuple):
    """What one metric lost; all numbers are shares of 1."""

    score: float
    """As read."""
    landed: float
    """If every tag had landed."""
    ceiling: float
    """That of a faithful copy of the key."""

    @property
    def format_loss(self) -> float:
        """What the format cost."""
        return self.landed - self.score

    @property
    def coreference_loss(self) -> float:
        """What the coreference cost."""
        return 1 - self.landed

    def to_dict(self) -> dict[str, float]:
        """As plain values."""
        further = {"format_loss": self.format_loss, "coreference_loss": self.coreference_loss}
        return {**self._asdict(), **further}


class FormatLoss(Mapping[str, PointsLost]):
    """What the format cost, by metric; of metrics that are 1 if all is right.

    ``report.format_loss["conll"].format_loss``
    """

    def __init__(self, report: Report, landed: Rows, ceiling: Rows) -> None:
        self._report = report
        self._landed, self._ceiling = report.with_rows(landed), report.with_rows(ceiling)

    def __getitem__(self, name: str) -> PointsLost:
        score, landed, ceiling = (headline(side[name]) for side in (self._report, self._landed, self._ceiling))
        return PointsLost(score, max(score, landed), ceiling)

    def __iter__(self) -> Iterator[str]:
        return (name for name in self._report if METRICS[name].scale.perfect == 1 and not self._report.nothing(name))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def to_dict(self) -> dict[str, dict[str, float]]:
        """As plain values."""
        return {name: lost.to_dict() for name, lost in self.items()}


def faithful(key: Document, style: str) -> Document:
    """What is read of the key if it is tagged in a style and copied without a fault."""
    entities = held(STYLES[style or "crac"], True, key, Losses())
    kept = [number for number, entity in enumerate(entities) if entity]
    kept.sort(key=lambda number: mention_order(entities[number][0]))
    return key.replace_entities(kept, tuple(tuple(entities[number]) for number in kept))


def landed(key: Document, response: Document) -> Document:
    """The response as if every tag of it had landed; the same document if nothing changes."""
    doubtful = [mention for mention in response.copied.marked if mention.reason not in NEVER_MEANT and mention.first]
    if not doubtful:
        return response
    meant = _Meant(key, response)
    entities = {id_: {same_words(m): m for m in entity} for id_, entity in _by_id(response)}
    changed = False
    for mention in doubtful:
        members = entities.setdefault(mention.id, {})
        ends = mention.first, mention.last
        as_read = next((words for words in members if words[:2] == ends), None) if mention.fate != DROPPED else None
        target = meant.mention(mention, as_read)
        if target is not None:
            members.pop(as_read, None)
            members[same_words(target)] = target
            changed = True
    if not changed:
        return response
    rows = sorted((sorted(members.values(), key=mention_order), id_) for id_, members in entities.items() if members)
    return response._replace(
        entities=tuple(tuple(members) for members, _ in rows),
        entity_ids=tuple(id_ for _, id_ in rows),
        entity_types=(),
    )


def _by_id(document: Document) -> Iterator[tuple[str, Entity]]:
    return zip(document.entity_ids, document.entities, strict=True)


class _Meant:
    """The mentions of the key that doubtful mentions may have been meant for."""

    def __init__(self, key: Document, response: Document) -> None:
        entity_of = {same_words(m): number for number, entity in enumerate(key.entities) for m in entity}
        self._entity_of = entity_of
        self._key = {same_words(m): m for entity in key.entities for m in entity}
        self._shared = {
            id_: Counter(entity_of[words] for m in entity if (words := same_words(m)) in entity_of)
            for id_, entity in _by_id(response)
        }
        """How many mentions a response entity shares with each entity of the key."""
        self._found = Counter(same_words(m) for entity in response.entities for m in entity)
        self._free: dict[int, dict[Mention, None]] = {}
        """By sentence, mentions of the key that the response does not have."""
        for words, m in self._key.items():
            if words not in self._found:
                self._free.setdefault(m.first >> SENTENCE_SHIFT, {})[m] = None

    def mention(self, doubtful: DoubtfulMention, as_read: Any) -> Mention | None:
        """The one that this one was meant for, which then no other was; None if there is none, or it is that one."""
        first, last = doubtful.first, doubtful.last
        free = self._free.get(first >> SENTENCE_SHIFT, {})
        shared = self._shared.get(doubtful.id, Counter())

        def fit(m: Mention) -> tuple[bool, int, int, int]:
            overlap = sum(first <= place <= last for place in m.positions)
            return m.first == first or m.last == last, shared[self._entity_of[same_words(m)]], overlap, -m.size

        near = [m for m in free if m.first <= last and first <= m.last]
        own = self._key.get(as_read) if self._found[as_read] == 1 else None
        best = max([*near, own] if own else near, key=fit, default=None)
        if best is None or best is own:
            return None
        del free[best]
        return best
