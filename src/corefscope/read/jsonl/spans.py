"""Documents made of sentences, and of clusters of [first, last] that count words through the document."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain, islice, pairwise

from ...base.annotations import Any, NoReturn
from ...base.document import Document, Entity, Mention, Sentence
from ...base.positions import LONGEST, NEXT_WORD, SENTENCE_SHIFT, WORD_SHIFT
from ...base.record import Record
from ..numbered import NumberedWords
from .json_text import refuse, shortened

Clusters = list[list[list[int]]]


class _Places:
    """The positions of the words of a document, by their numbers from 0: made when they are asked for."""

    __slots__ = ("_bases", "_starts", "size")

    def __init__(self, before: int, sizes: list[int]) -> None:
        """Of sentences that have so many words; the file has so many sentences before them."""
        *self._starts, self.size = accumulate(sizes, initial=0)
        self._bases = [
            (number << SENTENCE_SHIFT) + (1 - start << WORD_SHIFT)
            for number, start in enumerate(self._starts, before + 1)
        ]

    def span(self, first: int, end: int) -> tuple[int, ...]:
        """The positions from one word up to another; there must be such words."""
        starts = self._starts
        sentences = range(bisect_right(starts, first) - 1, bisect_left(starts, end))
        cuts = [first, *starts[sentences.start + 1 : sentences.stop], end]
        positions: list[int] = []
        for base, (start, stop) in zip(self._bases[sentences.start : sentences.stop], pairwise(cuts), strict=True):
            positions += range(base + (start << WORD_SHIFT), base + (stop << WORD_SHIFT), NEXT_WORD)
        return tuple(positions)

    def mentions(self, spans: Iterable[Sequence[int]], more: int) -> Iterator[Mention]:
        """The mentions from their first words up to their last, or to ``more`` words after it; the first is the head.

        Whatever is no mention in the document makes this raise some error.
        """
        starts, bases, size, new = self._starts, self._bases, self.size, tuple.__new__
        ends = [*starts[1:], size]
        for first, last in spans:
            end = last + more
            if not 0 <= first < end <= size:
                raise IndexError("no words of the document")
            sentence = bisect_right(starts, first) - 1
            if end <= ends[sentence]:
                base = bases[sentence]
                place = base + (first << WORD_SHIFT)
                yield new(Mention, (place, first - end, base + (end - 1 << WORD_SHIFT), place, (), ()))
            else:
                words = self.span(first, end)
                yield Mention(words, words[0])


class DocumentFields(Record):
    """One document as its fields tell it."""

    sentences: Sequence[Sequence[str]]
    """Their words; a sentence without words does not count."""
    clusters: Any
    """Lists of pairs of word numbers, from 0, through the document."""
    field: str = "clusters"
    """What the clusters are called in messages."""
    exclusive: bool = False
    """Whether the second number of a mention is that of the word after the last."""
    heads: list[list[int | None]] | None = None
    """For each mention the number of its head in the document; None for the first word of the mention."""


def checked(clusters: Any, width: int, field: str) -> Clusters:
    """The same, if it is clusters that are not empty, of mentions that are so many whole numbers each."""
    shape = "[first, last]" if width == 2 else "[sentence, first, last]"
    hint = f"{field} must be a list of clusters, each a list of mentions {shape}"
    if not isinstance(clusters, list):
        refuse(f"{field} is {shortened(clusters)}, not a list", hint)
    for i, cluster in enumerate(clusters):
        if not isinstance(cluster, list):
            refuse(f"{field}[{i}] is {shortened(cluster)}, not a list of mentions", hint)
        if not cluster:
            refuse(f"{field}[{i}] has no mentions", "leave empty clusters out")
        for j, mention in enumerate(cluster):
            if not isinstance(mention, list) or len(mention) != width:
                refuse(f"{field}[{i}][{j}] is {shortened(mention)}, not {shape}", hint)
            if not all(type(item) is int for item in mention):
                message = f"{field}[{i}][{j}] is {shortened(mention)}, but words are counted in whole numbers"
                refuse(message, hint)
    return clusters


def spans_document(name: str, fields: DocumentFields, before: int = 0, line: int = 0, path: str = "") -> Document:
    """The document with mentions and entities in canonical order, each entity called by the number of its cluster.

    ``before`` is how many sentences there are in the file before this document.
    """
    sentences, places = _sentences(fields.sentences, before, line)
    try:
        rows = _entities(fields.clusters, places, fields.exclusive)
    except (TypeError, ValueError, IndexError):
        _explain(fields, places.size)
    if fields.heads:
        head_of = _heads(fields.clusters, fields.heads, places, fields.exclusive)
        rows = [
            (first, index, tuple([m._replace(head=head_of.get((index, m.positions), m.head)) for m in mentions]))
            for first, index, mentions in rows
        ]
    return Document(
        name,
        tuple([mentions for _, _, mentions in rows]),
        entity_ids=tuple([str(index) for _, index, _ in rows]),
        entity_types=("",) * len(rows),
        sentences=tuple(sentences),
        path=path,
        local_ids=True,
    )


def _sentences(sentences: Sequence[Sequence[str]], before: int, line: int) -> tuple[list[Sentence], _Places]:
    """Sentences numbered on, and the positions of all their words."""
    if max(map(len, sentences), default=0) > LONGEST:
        sentences = [words[start : start + LONGEST] for words in sentences for start in range(0, len(words), LONGEST)]
    sentences = list(filter(None, sentences))
    if not all(map(_all_strings, sentences)):
        odd = next(word for words in sentences for word in words if not isinstance(word, str))
        refuse(f"the word {shortened(odd)} is not a string", "words must be strings")
    new = tuple.__new__
    read = [
        new(Sentence, ("", number, line, NumberedWords(words), [], ()))
        for number, words in enumerate(sentences, before + 1)
    ]
    return read, _Places(before, list(map(len, sentences)))


def _all_strings(words: Sequence[Any]) -> bool:
    try:
        return type(words) is str or "".join(words) is not None  # a third of the time of looking at types
    except TypeError:
        return False


def _entities(clusters: Any, places: _Places, exclusive: bool) -> list[tuple[Mention, int, Entity]]:
    """First mention, number and mentions of each cluster, in order; whatever is wrong with them raises an error."""
    if type(clusters) is not list or not {list}.issuperset(map(type, clusters)):
        raise TypeError("no lists of mentions")
    if not {int}.issuperset(map(type, chain.from_iterable(chain.from_iterable(clusters)))):
        raise TypeError("no whole numbers")
    mentions = places.mentions(chain.from_iterable(clusters), 0 if exclusive else 1)
    entities = (sorted(islice(mentions, len(cluster))) for cluster in clusters)
    return sorted([(entity[0], index, tuple(entity)) for index, entity in enumerate(entities)])


def _heads(
    clusters: Clusters, heads: Sequence[Sequence[int | None]], places: _Places, exclusive: bool
) -> dict[tuple[int, tuple[int, ...]], int]:
    """The heads that are known, by the number of the cluster and the words of the mention."""
    return {
        (index, places.span(first, last + (not exclusive))): places.span(head, head + 1)[0]
        for index, (cluster, cluster_heads) in enumerate(zip(clusters, heads, strict=True))
        for (first, last), head in zip(cluster, cluster_heads, strict=True)
        if head is not None
    }


def _explain(fields: DocumentFields, size: int) -> NoReturn:
    exclusive, field = fields.exclusive, fields.field
    ends = f"ends are {'exclusive' if exclusive else 'inclusive'} in {field}"
    for i, cluster in enumerate(checked(fields.clusters, 2, field)):
        for j, (first, last) in enumerate(cluster):
            what = f"{field}[{i}][{j}] is {shortened([first, last])}"
            if first < 0:
                refuse(f"{what}, but words are counted from 0")
            if last == first and exclusive:
                refuse(f"{what}: it ends where it begins: there are no words in it", ends)
            if last < first:
                refuse(f"{what}: it ends before it begins", ends)
            if last >= size + exclusive:
                hint = "if these numbers count subtokens, the document needs a subtoken_map"
                if last == size:
                    hint = f"{ends}; if yours are exclusive, call the field span_clusters"
                refuse(f"{what}, but the document has {size} words, 0 to {size - 1}", hint)
    raise AssertionError("clusters were refused but nothing is wrong with them")
