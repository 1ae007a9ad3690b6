"""Format loss: score with every tag placed as intended, minus the actual score. Coreference loss: 1 − the former.

A tag that a language model printed may have been moved, repaired or dropped, because its word was not copied, or
because the other tag of its mention is missing. *Placed as intended* means that such a mention is taken for the
mention of the key that it was meant for, if one fits:

- It shares words with the place where the doubtful mention was read, or dropped. One that begins or ends there is
  preferred; then one of the entity that most other mentions of the response entity belong to; then the one that
  shares most words, and the shorter one.
- No other mention of the response is the same, and no other doubtful mention was meant for it. It may be the doubtful
  mention itself, as it was read.

A mention that fits none stays as it is; what was never printed is not placed. A metric that would be lower keeps its
actual value: both losses are at least 0, and add up to 1 with the score.

The *ceiling* of a style is the score of a faithful copy of the key, tagged in that style: below 1 where the style
cannot represent the key, such as discontinuous mentions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ..core.document import Document, Mention, mention_order, same_words
from ..core.metrics import METRICS
from ..core.numbers import headline
from ..core.positions import SENTENCE_SHIFT
from ..formats.losses import Losses
from .copy_report import DROPPED, DoubtfulMention
from .styles import STYLES
from .writer import representable_mentions

if TYPE_CHECKING:
    from ..core.report import Report, Rows


NEVER_MEANT = ("repeated", "outside", "without id")
"""Reasons of dropped mentions that were not meant for any mention of the key, or have no entity."""


class PointsLost(NamedTuple):
    """Losses of one metric, from 0 to 1."""

    score: float
    """Score of the text as read."""
    landed: float
    """Score with every tag placed as intended."""
    ceiling: float
    """Score of a faithful copy of the key."""

    @property
    def format_loss(self) -> float:
        """Score lost by the format."""
        return self.landed - self.score

    @property
    def coreference_loss(self) -> float:
        """Score lost by the coreference."""
        return 1 - self.landed

    def to_dict(self) -> dict[str, float]:
        """The losses as plain values."""
        return {**self._asdict(), "format_loss": self.format_loss, "coreference_loss": self.coreference_loss}


class FormatLoss(Mapping[str, PointsLost]):
    """Losses by metric, of metrics whose perfect score is 1.

    ``report.format_loss["conll"].format_loss``
    """

    def __init__(self, report: Report, ideal: Rows, ceiling: Rows) -> None:
        self._report = report
        self._reports = report, report.with_rows(ideal), report.with_rows(ceiling)

    def __getitem__(self, name: str) -> PointsLost:
        score, ideal, ceiling = (headline(report[name]) for report in self._reports)
        return PointsLost(score, max(score, ideal), ceiling)

    def __iter__(self) -> Iterator[str]:
        return (name for name in self._report if METRICS[name].scale.perfect == 1 and not self._report.nothing(name))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def to_dict(self) -> dict[str, dict[str, float]]:
        """The losses as plain values."""
        return {name: lost.to_dict() for name, lost in self.items()}


def faithful_copy(key: Document, style: str) -> Document:
    """The key as read back from a faithful copy in a style."""
    entities = representable_mentions(STYLES.get(style or "crac", STYLES["json"]), True, key, Losses())
    kept = [number for number, entity in enumerate(entities) if entity]
    kept.sort(key=lambda number: mention_order(entities[number][0]))
    return key.replace_entities(kept, tuple(tuple(entities[number]) for number in kept))


def comparable_documents(key: Document, response: Document) -> tuple[Document, Document]:
    """The response with every tag placed as intended, and a faithful copy of the key in the style of the response."""
    return ideal_placement(key, response), faithful_copy(key, response.copied.style)


def ideal_placement(key: Document, response: Document) -> Document:
    """The response with every tag placed as intended; the same document if nothing changes."""
    doubtful = [m for m in response.copied.doubtful if m.reason not in NEVER_MEANT and m.first]
    if not doubtful:
        return response
    intended = _IntendedMentions(key, response)
    entities = {
        id_: {same_words(m): m for m in entity}
        for id_, entity in zip(response.entity_ids, response.entities, strict=True)
    }
    changed = False
    for mention in doubtful:
        members = entities.setdefault(mention.id, {})
        ends = mention.first, mention.last
        as_read = next((words for words in members if words[:2] == ends), None) if mention.fate != DROPPED else None
        target = intended.find(mention, as_read)
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


class _IntendedMentions:
    """Mentions of the key that doubtful mentions may have been meant for."""

    def __init__(self, key: Document, response: Document) -> None:
        entity_of = {same_words(m): number for number, entity in enumerate(key.entities) for m in entity}
        self._entity_of = entity_of
        self._key = {same_words(m): m for entity in key.entities for m in entity}
        self._shared = {
            id_: Counter(entity_of[words] for m in entity if (words := same_words(m)) in entity_of)
            for id_, entity in zip(response.entity_ids, response.entities, strict=True)
        }
        """Number of mentions that a response entity shares with each entity of the key."""
        self._found = Counter(same_words(m) for entity in response.entities for m in entity)
        self._free: dict[int, dict[Mention, None]] = {}
        """Mentions of the key that the response does not have, by sentence."""
        for words, m in self._key.items():
            if words not in self._found:
                self._free.setdefault(m.first >> SENTENCE_SHIFT, {})[m] = None

    def find(self, doubtful: DoubtfulMention, as_read: Any) -> Mention | None:
        """The mention that a doubtful one was meant for, used once; None if there is none, or it is that one."""
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
