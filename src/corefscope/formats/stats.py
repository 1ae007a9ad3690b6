"""Statistics of a file: documents, words, mentions, entities, and the shapes of mentions and chains.

A mention is the *set* of its words and empty nodes, here as elsewhere. It is **nested** if it is a proper subset of
another, and it **crosses** another if the two share a word and neither contains the other; so a mention in the gap of
a discontinuous one does neither. Both count mentions, not pairs. Mentions of the same words are **repeated** from the
second on, in the same entity or another.
"""

from __future__ import annotations

import os
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, fields
from itertools import accumulate, chain, count
from typing import Any, ClassVar, NamedTuple, Unpack

from ..core.document import TYPES, Document, mention_type
from ..core.errors import Warnings
from ..core.matching.alignment import NONE, Alignment
from ..core.numbers import ratio
from ..core.options import OPEN
from ..core.positions import runs_of
from ..core.request import Path, ReadingArguments, Request, RequestArguments
from ..core.result import Plain, Result
from ..core.rules import REFERENCE
from ..core.steps import align
from ..core.table import Contingency
from ..core.version import SIGNATURE
from .corpus import iter_aligned
from .detection import ReadingOptions, open_reader
from .fitting import LABELS, relation_counts
from .pairs import Pair
from .reading import complete, open_corpus, select_mentions
from .source import path_name
from .writing import Runs, overlapping, span_length

SCHEMA = "corefscope-stats-1"
Histogram = Counter[int]  # how often each length occurs


@dataclass(frozen=True, slots=True, repr=False)
class Statistics(Result):
    """Counts of one document or of several: ``+`` adds them up.

    A figure is None where it is undefined: one that needs words, if the format has none (clusters, tables), and
    ratios whose denominator is 0.
    """

    documents: int = 0
    sentences: int | None = 0
    words: int | None = 0
    """Without empty nodes."""
    zeros: int | None = 0
    """Mentions headed by an empty node."""
    discontinuous: int | None = 0
    nested: int | None = 0
    """Mentions whose words are a proper part of another mention's."""
    crossing: int | None = 0
    """Mentions that share words with another one, and neither contains the other."""
    crossing_same_entity: int | None = 0
    """Mentions that cross a mention of their own entity."""
    repeated: int = 0
    """Mentions of the same words as an earlier one."""
    chain_lengths: Histogram = field(default_factory=Counter)
    """Entities by their number of mentions."""
    span_lengths: Histogram | None = field(default_factory=Counter)
    """Mentions by their number of words and empty nodes."""
    entity_types: Counter[str] = field(default_factory=Counter)
    """Entities by their type; those without one are left out."""
    relations: Counter[str] = field(default_factory=Counter)
    """Bridging, split antecedents, non-referring expressions and discourse deixis, by the names of ``LABELS``."""
    mention_types: Counter[str] = field(default_factory=Counter)
    """Mentions by their type, of :data:`~corefscope.core.document.TYPES`; empty if words have no UPOS."""
    NAMES: ClassVar[tuple[str, ...]] = ()
    signature: ClassVar[str] = SIGNATURE

    @property
    def summary(self) -> str:
        """The main counts."""
        return f"of {self.documents} documents: {self.entities} entities, {self.mentions} mentions"

    def _repr_html_(self) -> str:
        return StatisticsReport([FileStatistics("", "", [("", self)])])._repr_html_()

    @property
    def mentions(self) -> int:
        """Number of mentions."""
        return sum(length * times for length, times in self.chain_lengths.items())

    @property
    def entities(self) -> int:
        """Number of entities, singletons included."""
        return self.chain_lengths.total()

    @property
    def singletons(self) -> int:
        """Entities of one mention."""
        return self.chain_lengths[1]

    @property
    def mentions_per_100_words(self) -> float | None:
        """100 · mentions / words"""
        return ratio(100 * self.mentions, self.words) if self.words else None

    @property
    def coreference_rate(self) -> float | None:
        """|E| / |P_K|: distinct mentions per entity (Popescu-Belis 2000), the mean chain length if none repeats."""
        return ratio(self.mentions - self.repeated, self.entities) if self.entities else None

    @property
    def chain_length(self) -> ChainLengths:
        """Lengths of chains, singletons included."""
        return ChainLengths.of(self.chain_lengths)

    @property
    def chain_length_without_singletons(self) -> ChainLengths:
        """Lengths of chains of two mentions or more."""
        return ChainLengths.of(Counter({length: times for length, times in self.chain_lengths.items() if length > 1}))

    def __add__(self, other: Statistics) -> Statistics:
        pairs = [(getattr(self, count.name), getattr(other, count.name)) for count in fields(Statistics)]
        sums: list[Any] = [None if None in pair else pair[0] + pair[1] for pair in pairs]
        return Statistics(*sums)

    def to_dict(self) -> Plain:
        """All figures as plain values, unrounded; the schema ``corefscope-stats-1`` describes them."""
        return {
            **{name: getattr(self, name) for name in FIGURES},
            **{name: getattr(self, name)._asdict() for name in CHAINS},
            "chain_lengths": _by_length(self.chain_lengths),
            "span_lengths": None if self.span_lengths is None else _by_length(self.span_lengths),
            "entity_types": dict(sorted(self.entity_types.items(), key=lambda item: (-item[1], item[0]))),
            "mention_types": {name: self.mention_types[name] for name in TYPES if self.mention_types[name]},
            "relations": {name: self.relations[name] for name in LABELS if self.relations[name]},
        }

    def to_records(self, per_document: bool = False) -> list[Plain]:  # noqa: ARG002
        """One record."""
        return [self.to_record()]

    def to_record(self) -> Plain:
        """The figures without histograms, flat."""
        record = {name: getattr(self, name) for name in FIGURES}
        for name in CHAINS:
            record |= {f"{name}_{figure}": value for figure, value in getattr(self, name)._asdict().items()}
        return record


def _by_length(histogram: Histogram) -> dict[str, int]:
    return {str(length): times for length, times in sorted(histogram.items())}


CHAINS = ("chain_length", "chain_length_without_singletons")
COUNTS = (
    *("documents", "sentences", "words", "mentions", "entities", "singletons"),
    *("zeros", "discontinuous", "nested", "crossing", "crossing_same_entity", "repeated"),
)
FIGURES = (*COUNTS, "mentions_per_100_words", "coreference_rate")


class ChainLengths(NamedTuple):
    """Lengths of the chains of entities; None if there are none."""

    mean: float | None
    median: float | None
    max: int | None

    @classmethod
    def of(cls, lengths: Histogram) -> ChainLengths:
        """From the number of entities of each length.

        >>> ChainLengths.of(Counter({1: 2, 2: 1, 6: 1}))
        ChainLengths(mean=2.5, median=1.5, max=6)
        """
        order = sorted(length for length, times in lengths.items() if times)
        if not order:
            return cls(None, None, None)
        ends = list(accumulate(lengths[length] for length in order))
        middle = [order[bisect_right(ends, place)] for place in ((ends[-1] - 1) // 2, ends[-1] // 2)]
        median = ratio(sum(middle), 2) if sum(middle) % 2 else sum(middle) // 2
        return cls(ratio(sum(length * lengths[length] for length in order), ends[-1]), median, order[-1])


class FileStatistics(NamedTuple):
    """The statistics of a file, document by document."""

    path: str
    format: str
    documents: list[tuple[str, Statistics]]

    @property
    def total(self) -> Statistics:
        """The sum of all documents."""
        return sum((statistics for _, statistics in self.documents), Statistics())

    def to_dict(self, per_document: bool = False) -> Plain:
        """As plain values."""
        values: Plain = {"path": self.path, "format": self.format, "statistics": self.total.to_dict()}
        if per_document:
            values["documents"] = [{"id": name, "statistics": each.to_dict()} for name, each in self.documents]
        return values


class DocumentClasses(NamedTuple):
    """Key and response of one document as partitions of all its mentions (Popescu-Belis 2000, Figure 2).

    A mention that one side lacks is a class of its own there (his definition 19); the table, as ever, leaves it out.
    """

    name: str
    """The response."""
    document: str
    key: Sequence[str]
    response: Sequence[str]
    """The entities of each side."""
    pieces: dict[tuple[int, int], list[int]]
    """The mentions of (key entity, response entity), numbered from 1 in the order of the text; -1 for none."""
    table: Contingency

    @property
    def mentions(self) -> int:
        """|E|: the mentions of both sides."""
        return self.table.total + self.table.T.missing

    @property
    def classes(self) -> tuple[int, int]:
        """|P_K| and |P_R|"""
        return self.table.entities + self.table.T.missing, self.table.T.entities + self.table.missing

    @classmethod
    def of(cls, name: str, pair: Pair, alignment: Alignment) -> DocumentClasses:
        """From an alignment; a mention in several entities belongs to the one that owns it."""
        key, response = alignment.key, alignment.response
        lone = [number for number, other in enumerate(alignment.to_key) if other == NONE]
        found = [(mention, key.owner[n], alignment.to_response[n]) for n, mention in enumerate(key.mentions)]
        mentions = [(mention, i, response.owner[n] if n != NONE else -1) for mention, i, n in found]
        mentions += [(response.mentions[n], -1, response.owner[n]) for n in lone]
        mentions.sort(key=lambda row: row[0].positions)
        rows, columns = (sorted({row[side] for row in mentions} - {-1}) for side in (1, 2))
        places = [{entity: place for place, entity in enumerate(side)} | {-1: -1} for side in (rows, columns)]
        pieces: dict[tuple[int, int], list[int]] = {}
        for number, (_, i, j) in enumerate(mentions, 1):
            pieces.setdefault((places[0][i], places[1][j]), []).append(number)
        sizes = [Counter(entities) for entities in zip(*((i, j) for _, i, j in mentions), strict=True)]
        return cls(
            name,
            pair.key.id,
            [pair.key.entity_ids[i] for i in rows],
            [pair.response.entity_ids[j] for j in columns],
            pieces,
            Contingency.of_pairs(
                [sizes[0][i] for i in rows],
                [sizes[1][j] for j in columns],
                {cell: len(numbers) for cell, numbers in pieces.items() if -1 not in cell},
            ),
        )


def largest_document(
    key: Path, responses: Sequence[Path], **arguments: Unpack[RequestArguments]
) -> list[DocumentClasses]:
    """The classes of the key's document with the most mentions, with those of each response.

    Singletons count, and the rules are the corrected ones, unless ``arguments`` say otherwise.
    """
    request = Request(arguments, base=OPEN._replace(singletons="keep", rules=REFERENCE))
    corpora = [open_corpus(request, key, response, Warnings()) for response in responses]
    largest: Sequence[Pair | None] = ()
    most = 0
    for row in iter_aligned(corpora):
        first = next((pair.key for pair in row if pair), None)
        size = sum(map(len, first.entities)) if first else 0
        if size > most:
            largest, most = row, size
    options = complete(request, corpora[0].inputs[0]).options
    pairs = zip(corpora, largest, strict=False)  # no document at all: no pairs
    selected = [(corpus.inputs[1].name, select_mentions(request, pair)) for corpus, pair in pairs if pair]
    return [DocumentClasses.of(name, pair, align(*pair, options)) for name, pair in selected]


@dataclass(frozen=True, repr=False)
class StatisticsReport(Result):
    """The statistics of files, in the order in which they were named."""

    files: Sequence[FileStatistics]
    with_total: bool = False
    """Whether reports show the total of all files, which JSON always has."""
    warnings: Sequence[str] = ()
    classes: Sequence[DocumentClasses] = ()
    """For pictures: :func:`largest_document` of the files."""
    NAMES: ClassVar[tuple[str, ...]] = ("path",)
    signature: ClassVar[str] = SIGNATURE

    @property
    def summary(self) -> str:
        """The main counts."""
        return f"of {len(self.files)} files, {self.total.summary.removeprefix('of ')}"

    @property
    def total(self) -> Statistics:
        """The sum of all files."""
        return sum((file.total for file in self.files), Statistics())

    def to_dict(self, per_document: bool = True) -> Plain:
        """As plain values; the schema ``corefscope-stats-1`` describes them."""
        return {
            "schema": SCHEMA,
            "signature": self.signature,
            "files": [file.to_dict(per_document) for file in self.files],
            "total": self.total.to_dict(),
            "warnings": list(self.warnings),
        }

    def to_records(self, per_document: bool = False) -> list[Plain]:
        """One flat record for each file and each of its documents, whose id is None for the file as a whole."""
        counted: list[tuple[str | None, str | None, str | None, Statistics]] = []
        for file in self.files:
            counted += [(*file[:2], *document) for document in file.documents if per_document]
            counted.append((*file[:2], None, file.total))
        if self.with_total:
            counted.append((None, None, None, self.total))
        return [
            {"path": path, "format": format_, **({"document": name} if per_document else {}), **each.to_record()}
            for path, format_, name, each in counted
        ]


def stats(
    path: str | os.PathLike[str], file_format: str | None = None, **reading: Unpack[ReadingArguments]
) -> Statistics:
    """Statistics of a file; its format is detected unless given.

    Text that a language model printed needs a ``skeleton``; it is read as for :func:`~corefscope.score`.
    """
    return file_statistics(path, file_format, None, **reading).total


def file_statistics(
    path: str | os.PathLike[str],
    file_format: str | None = None,
    warnings: Warnings | None = None,
    **reading: Unpack[ReadingArguments],
) -> FileStatistics:
    """The statistics of each document of a file; documents are read one at a time."""
    warnings = Warnings() if warnings is None else warnings
    name, reader = open_reader(path, file_format, warnings, options=ReadingOptions.of(reading))
    try:
        documents = [(document.id, document_statistics(document)) for document in reader]
    finally:
        reader.source.close()
    return FileStatistics(path_name(path), name, documents)


def document_statistics(document: Document) -> Statistics:
    """The statistics of one document."""
    chains = Counter(map(len, document.entities))
    types = Counter(filter(None, document.entity_types))
    if document.entities and not document.sentences:
        ids = [mention.positions for entity in document.entities for mention in entity]
        repeated = len(ids) - len(set(ids))
        return Statistics(1, None, None, None, None, None, None, None, repeated, chains, None, types)
    ranks: dict[int, int] = {}  # the number of each word and empty node in the document
    for sentence in document.sentences:
        ranks.update(zip(sentence.nodes, count(len(ranks))))
    entities = [[_ranked_runs(mention.positions, ranks) for mention in entity] for entity in document.entities]
    times = Counter(chain.from_iterable(entities))
    nested, crossing = overlapping(times)
    return Statistics(
        documents=1,
        sentences=len(document.sentences),
        words=sum(len(sentence.words) for sentence in document.sentences),
        zeros=sum(mention.is_zero for entity in document.entities for mention in entity),
        discontinuous=sum(times[span] for span in times if len(span) > 1),
        nested=sum(times[span] for span in nested),
        crossing=sum(times[span] for span in crossing),
        crossing_same_entity=sum(_crossing_within(entity, crossing) for entity in entities) if crossing else 0,
        repeated=times.total() - len(times),
        chain_lengths=chains,
        span_lengths=Counter(map(span_length, times.elements())),
        entity_types=types,
        relations=relation_counts(document),
        mention_types=_mention_types(document),
    )


def _mention_types(document: Document) -> Counter[str]:
    types = Counter([mention_type(document, mention) for entity in document.entities for mention in entity])
    return types if types.keys() - {"zero", "other"} else Counter()  # without UPOS, the other types are not known


def _crossing_within(entity: list[Runs], crossing: Collection[Runs]) -> int:
    """The number of mentions of an entity that cross another one of it."""
    times = Counter(span for span in entity if span in crossing)
    return sum(times[span] for span in overlapping(times)[1]) if len(times) > 1 else 0


def _ranked_runs(positions: tuple[int, ...], ranks: dict[int, int]) -> Runs:
    first, last = ranks[positions[0]], ranks[positions[-1]]
    if last - first + 1 == len(positions) == len(set(positions)):
        return ((first, last),)
    return tuple(runs_of(ranks[place] for place in positions))
