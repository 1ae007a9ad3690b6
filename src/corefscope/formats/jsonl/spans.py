"""Documents from sentences and clusters of [first, last], which count words through the document."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import accumulate, pairwise, repeat
from typing import NamedTuple, NoReturn

from ...core.document import Document, Entity, Mention, Sentence, TextLayout, unbroken
from ...core.positions import LONGEST, NEXT_WORD, SENTENCE_SHIFT, WORD_SHIFT
from ..sentences import NumberedWords, sorted_runs
from .json_text import refuse, shortened

MANY = 1 << 15
"""Mentions from which on their numbers are packed: a line may hold a whole corpus."""

Clusters = list[list[list[int]]]
Heads = dict[tuple[int, tuple[int, ...]], int]
"""The positions of heads, by the number of the cluster and the words of the mention."""


class WordPlaces:
    """The positions of the words of a document, by their numbers from 0.

    ``before`` is the number of sentences of the file before the document, ``sizes`` the lengths of its sentences.
    """

    def __init__(self, before: int, sizes: Sequence[int]) -> None:
        self._ends = list(accumulate(sizes))
        self._bases = [
            (number << SENTENCE_SHIFT) + (1 - start << WORD_SHIFT)
            for number, start in enumerate([0, *self._ends[:-1]], before + 1)
        ]

    def span(self, first: int, end: int) -> tuple[int, ...]:
        """The positions from one word up to another, which must exist."""
        ends = self._ends
        sentences = slice(bisect_right(ends, first), bisect_left(ends, end) + 1)
        cuts = [first, *ends[sentences.start : sentences.stop - 1], end]
        positions: list[int] = []
        for base, (start, stop) in zip(self._bases[sentences], pairwise(cuts), strict=True):
            positions += range(base + (start << WORD_SHIFT), base + (stop << WORD_SHIFT), NEXT_WORD)
        return tuple(positions)

    def mentions(self, firsts: Sequence[int], lasts: Sequence[int]) -> list[Mention]:
        """The mentions from first to last words; the first word is the head."""
        ends, bases = self._ends, self._bases
        sentences = map(bisect_right, repeat(ends), firsts)
        return [
            unbroken(place := bases[sentence] + (first << WORD_SHIFT), bases[sentence] + (last << WORD_SHIFT), place)
            if last < ends[sentence]
            else Mention(words := self.span(first, last + 1), words[0])
            for first, last, sentence in zip(firsts, lasts, sentences, strict=True)
        ]


class ListedText:
    r"""Sentences given as lists of words on one line of a file, after ``before`` other sentences.

    >>> sentences = ListedText([["a"], ["b", "c"]], before=6, line=3).sentences()
    >>> len(sentences), sentences[1].number, list(sentences[1].words) == ["1\tb", "2\tc"]
    (2, 8, True)
    """

    def __init__(self, forms: Sequence[Sequence[str]], before: int, line: int) -> None:
        self._forms, self._before, self._line = forms, before, line

    def sentences(self) -> tuple[Sentence, ...]:
        """All sentences."""
        numbered = enumerate(self._forms, self._before + 1)
        return tuple([Sentence("", number, self._line, NumberedWords(words), []) for number, words in numbered])

    def __len__(self) -> int:
        return len(self._forms)

    def same_text(self, other: TextLayout | None) -> bool:
        """Whether another text certainly has the same numbers and words."""
        return isinstance(other, ListedText) and (self._before, self._forms) == (other._before, other._forms)


class _Spans(NamedTuple):
    """The mentions of all clusters, one after the other."""

    firsts: Sequence[int]
    lasts: Sequence[int]
    sizes: Sequence[int]
    """The number of mentions of each cluster."""

    @classmethod
    def read(cls, clusters: object, words: int, exclusive: bool) -> _Spans:
        """Read the clusters of a document of so many words; malformed ones raise TypeError or ValueError."""
        if not isinstance(clusters, list) or not all(clusters):
            raise TypeError("no lists of mentions")
        firsts: list[int] = []
        lasts: list[int] = []
        for cluster in clusters:
            for first, last in cluster:
                if not (type(first) is type(last) is int and 0 <= first <= last - exclusive < words):
                    raise ValueError("no words of the document")
                firsts.append(first)
                lasts.append(last - exclusive)
        sizes = list(map(len, clusters))
        if len(firsts) > MANY:
            return cls(array("i", firsts), array("i", lasts), sizes)
        return cls(firsts, lasts, sizes)


class DocumentFields(NamedTuple):
    """Words and clusters of a document."""

    sentences: Sequence[Sequence[str]]
    """Their words; a sentence without words does not count."""
    clusters: object
    """Lists of pairs of word numbers, from 0, through the document; unchecked."""
    field: str = "clusters"
    """Name of the clusters in messages."""
    exclusive: bool = False
    """Whether the second number of a mention is that of the word after the last."""
    heads: list[list[int | None]] | None = None
    """For each mention the number of its head in the document; None for the first word of the mention."""
    moved: int = 0
    """Mentions that stand elsewhere than their offsets say, because their strings do."""
    lost: int = 0
    """Mentions whose strings stand nowhere."""
    counts_characters: bool = False
    """Whether its words are the characters of a text."""
    names: Sequence[str] | None = None
    """Ids of entities, the same in all documents, if clusters are named."""


def checked(clusters: object, width: int, field: str) -> Clusters:
    """Refuse what is not a list of non-empty clusters of mentions of ``width`` whole numbers."""
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
    """The document with mentions and entities in canonical order, entities without id by the number of their cluster.

    ``before`` is how many sentences there are in the file before this document.
    """
    words = countable_sentences(fields.sentences)
    sizes = list(map(len, words))
    try:
        spans = _Spans.read(fields.clusters, sum(sizes), fields.exclusive)
    except (TypeError, ValueError):
        _refuse_clusters(fields, sum(sizes))
    places = partial(WordPlaces, before, sizes)
    counts_characters, names = fields.counts_characters, fields.names
    head_of = _heads(checked(fields.clusters, 2, fields.field), fields, places()) if fields.heads else {}
    del fields  # many clusters take less memory as spans
    entities = cache(partial(_entities, spans, places, head_of, names))
    text = ListedText(words, before, line)
    return Document(
        name,
        lambda: entities()[0],
        entity_ids=lambda: entities()[1],
        entity_types=("",) * len(spans.sizes),
        sentences=text.sentences,
        layout=text,
        path=path,
        local_ids=names is None,
        counts_characters=counts_characters,
    )


def countable_sentences(sentences: Sequence[Sequence[str]]) -> list[Sequence[str]]:
    """The words of each sentence that has some; sentences that positions cannot count are cut."""
    if max(map(len, sentences), default=0) > LONGEST:
        sentences = [words[start : start + LONGEST] for words in sentences for start in range(0, len(words), LONGEST)]
    sentences = list(filter(None, sentences))
    try:
        if sentences and type(sentences[0]) is list:  # else they are lines of a text
            deque(map("".join, sentences), maxlen=0)  # a third of the time of looking at types
    except TypeError:
        odd = next(word for words in sentences for word in words if not isinstance(word, str))
        refuse(f"the word {shortened(odd)} is not a string", "words must be strings")
    return sentences


def _entities(
    spans: _Spans, places: Callable[[], WordPlaces], head_of: Heads, names: Sequence[str] | None
) -> tuple[tuple[Entity, ...], tuple[str, ...]]:
    """The entities of a document in order, and the name or number of the cluster of each."""
    mentions = places().mentions(spans.firsts, spans.lasts)
    clusters = list(map(tuple, sorted_runs(mentions, spans.sizes)))
    order = sorted(range(len(clusters)), key=[cluster[0] for cluster in clusters].__getitem__)
    entities = [clusters[index] for index in order]
    if head_of:
        entities = [
            tuple([m._replace(head=head_of.get((index, m.positions), m.head)) for m in entity])
            for index, entity in zip(order, entities, strict=True)
        ]
    return tuple(entities), tuple([str(index) if names is None else names[index] for index in order])


def _heads(clusters: Clusters, fields: DocumentFields, places: WordPlaces) -> Heads:
    return {
        (index, places.span(first, last + (not fields.exclusive))): places.span(head, head + 1)[0]
        for index, (cluster, cluster_heads) in enumerate(zip(clusters, fields.heads or (), strict=True))
        for (first, last), head in zip(cluster, cluster_heads, strict=True)
        if head is not None
    }


def _refuse_clusters(fields: DocumentFields, size: int) -> NoReturn:
    """Refuse the first mention that is malformed or outside of a document of so many words."""
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
