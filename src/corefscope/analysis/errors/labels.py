"""Classes of entities, and scores by class: typed mentions, typed links, and which classes are confused.

Classes come from a file that labels mentions. An entity has the class of most of its labelled mentions; of equally
many, that of the first in the text. A response mention that the file does not name has the label of its counterpart.
Each side decides for itself, and an entity without labelled mentions has no class. For class c:

- **typed mentions**: R = matched mentions in entities of class c on both sides / key mentions in entities of class c;
  precision divides by the response mentions in such entities;
- **typed links**: the same for pairs of mentions in one entity, which are right if both sides have the pair, in
  entities of class c;
- **all classes**: the sums of all. With one class for every mention, that is mention detection and ``pairs``;
- **confusion**: the key mentions by class in the key and in the response, missing and extra mentions among them.

Gatti et al. (2026) score mentions and links by class; the confusion follows from the same counts.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from ...core.document import Document, Mention, text_order
from ...core.errors import InputError, amount
from ...core.metrics.blanc import pairs
from ...core.numbers import Score, prf
from ...core.positions import shown_id
from ...core.result import Plain
from ...formats.tables.reader import COLUMNS
from ...formats.tables.small import read_cells
from ...formats.tables.writer import mention_name
from .pairing import AnnotatedSide, Pairing

Values = dict[int, str]
"""The value of each mention."""
UNKNOWN = "none"
ABSENT = "–"
"""In place of a class: the mention is missing, or extra."""
NAMES: dict[str, tuple[str, ...]] = {
    "document": ("", *COLUMNS["document"]),
    "mention": COLUMNS["mention"],
    "class": ("class", "label", "type"),
}
HINT = (
    "columns document (may be absent), mention and class; a mention is its id, or its place: 2:3-5 for words 3 to 5"
)


class Labels:
    """The classes of mentions, by document and by the place of the mention, or its id."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._classes: dict[str, dict[str, str]] = defaultdict(dict)
        for line, (document, mention, value) in read_cells(path, NAMES, HINT):
            if self._classes[document].setdefault(mention, value) != value:
                other = self._classes[document][mention]
                message = f"mention {mention!r:.60} has two classes, {other!r:.60} and {value!r:.60}"
                raise InputError(message, path=path, line=line, hint="give each mention one class")
            if value in (UNKNOWN, ABSENT):
                message = f"{value!r} is no class, but what is shown where there is none"
                raise InputError(message, path=path, line=line, hint="leave the row out, or choose another word")

    def unused(self) -> InputError:
        """The error of a file that labels no mention of any document."""
        return InputError("labels no mention of these documents", path=self.path, hint=HINT)

    def named(self, side: AnnotatedSide) -> set[tuple[str, str]]:
        """The rows, by document and mention, that name a mention of a side; singletons that are dropped included."""
        names = {name for entity in side.document.entities for name in _names(side.document, entity)}
        return {(id_, name) for id_ in ("", side.document.id) for name in names & self._classes.get(id_, {}).keys()}

    def warn_of_unknown(self, documents: Iterable[str], named: Collection[tuple[str, str]]) -> str:
        """The warning about rows for these documents that name no mention of either side; empty if there are none."""
        rows = [(id_, name) for id_ in dict.fromkeys(["", *documents]) for name in self._classes.get(id_, ())]
        unknown = [name for id_, name in rows if (id_, name) not in named]
        if not unknown:
            return ""
        share = f"{len(unknown):,} of {amount(len(rows), 'label')} name no mention"
        return f"{self.path}: {share}, such as {unknown[0]!r:.60}; {HINT}"

    def values(self, key: AnnotatedSide, response: AnnotatedSide, pairing: Pairing) -> tuple[Values, Values]:
        """The class of the entity of each mention, by the labels of its own side."""
        of_key, of_response = self._labels(key), self._labels(response)
        of_counterparts = {r: of_key[k] for k, r in pairing.counterparts.items() if k in of_key}
        return (
            _majorities(key, pairing.key_members, of_key),
            _majorities(response, pairing.response_members, of_counterparts | of_response),
        )

    def _labels(self, side: AnnotatedSide) -> Values:
        """The labels of the mentions that the file names."""
        document = side.document
        classes = {**self._classes.get("", {}), **self._classes.get(document.id, {})}
        if not classes:
            return {}
        mentions = [side.mention(number) for number in range(len(side.side.mentions))]
        names = enumerate(_names(document, mentions))
        return {number: classes[name] for number, name in names if name in classes}


def _names(document: Document, mentions: Iterable[Mention]) -> list[str]:
    """What a file of labels calls mentions: their places, or their ids."""
    sentences = {sentence.number: index for index, sentence in enumerate(document.sentences, 1)}
    return [mention_name(mention, sentences) if sentences else shown_id(mention.head) for mention in mentions]


def _majorities(side: AnnotatedSide, members: Mapping[int, list[int]], labels: Values) -> Values:
    values = {}
    for entity in members.values():
        ordered = sorted(entity, key=lambda number: text_order(side.side.mentions[number]))
        most = Counter(labels[number] for number in ordered if number in labels).most_common(1)  # the first of equals
        values.update(dict.fromkeys(entity, most[0][0] if most else UNKNOWN))
    return values


class ClassScores(NamedTuple):
    """The typed scores of one class, or of all."""

    name: str
    mentions: Score
    links: Score
    counts: tuple[tuple[int, int, int], tuple[int, int, int]]
    """Of mentions and of links: those that are right, those of the key and those of the response."""

    def to_dict(self) -> Plain:
        """As plain values."""
        both = zip(("mentions", "links"), (self.mentions, self.links), self.counts, strict=True)
        names = ("correct", "key", "response")
        return {what: score._asdict() | dict(zip(names, counts, strict=True)) for what, score, counts in both}


class TypedCounts:
    """Mentions and links by the classes of their entities on both sides, added up over documents."""

    def __init__(self) -> None:
        self.confusion: Counter[tuple[str, str]] = Counter()
        """Mentions by the class in the key and in the response."""
        self.named: set[tuple[str, str]] = set()
        """The rows of the file, by document and mention, that name a mention."""
        self._links: Counter[tuple[str, str]] = Counter()
        """Links by class and by where they are: ``correct``, ``key`` or ``response``."""

    def add(self, values: tuple[Values, Values], pairing: Pairing) -> None:
        """Add a document, given the class of each mention of both sides."""
        of_key, of_response = values
        self.confusion.update((of_key[k], of_response[r]) for k, r in pairing.counterparts.items())
        self.confusion.update((of_key[k], ABSENT) for k in of_key.keys() - pairing.counterparts.keys())
        spurious = of_response.keys() - set(pairing.counterparts.values())
        self.confusion.update((ABSENT, of_response[r]) for r in spurious)
        sides = (("key", of_key, pairing.key_members), ("response", of_response, pairing.response_members))
        for side, of_side, members in sides:
            for entity in members.values():
                self._links[of_side[entity[0]], side] += pairs(len(entity))
        holder = {r: j for j, entity in pairing.response_members.items() for r in entity}
        for entity in pairing.key_members.values():
            shared = Counter(holder[pairing.counterparts[k]] for k in entity if k in pairing.counterparts)
            for j, common in shared.items():
                name = of_key[entity[0]]
                if name == of_response[pairing.response_members[j][0]]:
                    self._links[name, "correct"] += pairs(common)

    def merge(self, other: TypedCounts) -> None:
        """Add later documents."""
        self.confusion.update(other.confusion)
        self.named |= other.named
        self._links.update(other._links)

    @property
    def classes(self) -> list[str]:
        """The classes, the most frequent first."""
        sizes: Counter[str] = Counter()
        for (in_key, in_response), mentions in self.confusion.items():
            sizes.update({in_key: mentions})
            sizes.update({in_response: mentions})
        return sorted(sizes.keys() - {UNKNOWN, ABSENT}, key=lambda name: (-sizes[name], name))

    def scores(self) -> Iterator[ClassScores]:
        """The scores of each class, then those of all."""
        classes = self.classes
        for name, members in [*((name, [name]) for name in classes), ("all", classes)]:
            mentions = (
                sum(self.confusion[one, one] for one in members),
                sum(count for (one, _), count in self.confusion.items() if one in members),
                sum(count for (_, one), count in self.confusion.items() if one in members),
            )
            correct, key, response = (
                sum(self._links[one, where] for one in members) for where in ("correct", "key", "response")
            )
            links = correct, key, response
            yield ClassScores(name, _score(mentions), _score(links), (mentions, links))

    def to_dict(self) -> Plain:
        """As plain values."""
        *classes, everything = self.scores()
        return {
            "classes": {scores.name: scores.to_dict() for scores in classes},
            "all": everything.to_dict(),
            "confusion": [
                dict(zip(("key", "response"), [None if name == ABSENT else name for name in cell], strict=True))
                | {"mentions": self.confusion[cell]}
                for cell in self._cells(self._lines())
            ],
        }

    def _lines(self) -> list[str]:
        return [*self.classes, UNKNOWN, ABSENT]

    def _cells(self, lines: Iterable[str]) -> list[tuple[str, str]]:
        return [(key, response) for key in lines for response in self._lines() if self.confusion[key, response]]

    def record(self, name: str) -> Plain:
        """The figures of a class as columns of a flat record, with its line of the confusion."""
        scores = next((scores for scores in self.scores() if scores.name == name and name in self.classes), None)
        typed = {"mention": scores and scores.mentions, "link": scores and scores.links}
        figures = {
            f"typed_{what}_{figure}": getattr(score, figure, None)
            for what, score in typed.items()
            for figure in Score._fields
        }
        others = {other: "missing" if other == ABSENT else other for other in self._lines()}
        return figures | {f"as_{shown}": self.confusion[name, other] for other, shown in others.items()}

    def table(self) -> tuple[list[str], list[list[int]]]:
        """The lines and columns of the confusion, and its numbers; what is never used is left out."""
        used = {name for cell in self.confusion for name in cell}
        lines = [name for name in self._lines() if name in used]
        return lines, [[self.confusion[key, response] for response in lines] for key in lines]

    def most_confused(self) -> list[tuple[str, str, int]]:
        """The pairs of two different classes, the most frequent first."""
        cells = [(key, response) for key, response in self._cells(self.classes) if key != response]
        return sorted(((*cell, self.confusion[cell]) for cell in cells), key=lambda row: (-row[2], row[:2]))


def _score(counts: tuple[int, int, int]) -> Score:
    correct, key, response = counts
    return prf((correct, key, correct, response))
