"""Documents made of sentences, and of clusters of [first, last] that count words through the document."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from operator import add
from typing import Any, NoReturn, Protocol

from ...base.document import Document, Entity, Mention, Sentence
from ...base.positions import LONGEST, word_positions
from .json_text import shortened

Clusters = list[list[list[int]]]

_Row = tuple[int, int, int, Entity]
"""First word and minus the end of the first mention, number of the cluster, mentions: rows sort as entities do."""
_numbers: list[str] = []


class Fail(Protocol):
    """An error at the place that is being read."""

    def __call__(self, message: str, hint: str, code: str = "refused") -> NoReturn:
        """Raise it."""


def checked(clusters: Any, width: int, field: str, fail: Fail) -> Clusters:
    """The same, if it is clusters that are not empty, of mentions that are so many whole numbers each."""
    shape = "[first, last]" if width == 2 else "[sentence, first, last]"
    hint = f"{field} must be a list of clusters, each a list of mentions {shape}"
    if not isinstance(clusters, list):
        fail(f"{field} is {shortened(clusters)}, not a list", hint)
    for at, cluster in enumerate(clusters):
        if not isinstance(cluster, list):
            fail(f"{field}[{at}] is {shortened(cluster)}, not a list of mentions", hint)
        if not cluster:
            fail(f"{field}[{at}] has no mentions", "leave empty clusters out")
        for number, mention in enumerate(cluster):
            if not isinstance(mention, list) or len(mention) != width:
                fail(f"{field}[{at}][{number}] is {shortened(mention)}, not {shape}", hint)
            if not all(type(item) is int for item in mention):
                where = f"{field}[{at}][{number}] is {shortened(mention)}"
                fail(f"{where}, but words are counted in whole numbers", hint)
    return clusters


def spans_document(
    name: str,
    sentences: Sequence[Sequence[str]],
    clusters: Any,
    fail: Fail,
    *,
    heads: Sequence[Sequence[int | None]] | None = None,
    exclusive: bool = False,
    field: str = "clusters",
    before: int = 0,
    line: int = 0,
    path: str = "",
) -> Document:
    """The document with mentions and entities in canonical order, each entity called by the number of its cluster.

    Parameters
    ----------
    name, line, path
        What the document is called, and where it stands.
    sentences
        Their words; a sentence without words does not count.
    clusters
        Lists of pairs of word numbers, from 0, through the document.
    fail
        Called with what is wrong, and a hint.
    heads
        For each mention the number of its head in the document; of a mention that has none, the first word is.
    exclusive
        Whether the second number of a mention is that of the word after the last.
    field
        What the clusters are called in messages.
    before
        How many sentences there are in the file before this document.
    """
    read, places = _sentences(sentences, before, line, fail)
    try:
        rows = _rows(clusters, places, exclusive)
    except (TypeError, ValueError, IndexError):
        _explain(clusters, len(places), exclusive, field, fail)
    if heads:
        head_of = _heads(clusters, heads, places, exclusive)
        rows = [(*row[:3], tuple([Mention(m[0], head_of.get((row[2], m[0]), m[1])) for m in row[3]])) for row in rows]
    return Document(
        name,
        tuple([row[3] for row in rows]),
        entity_ids=tuple([str(row[2]) for row in rows]),
        entity_types=("",) * len(rows),
        sentences=tuple(read),
        path=path,
        local_ids=True,
    )


def _sentences(
    sentences: Sequence[Sequence[str]], before: int, line: int, fail: Fail
) -> tuple[list[Sentence], tuple[int, ...]]:
    """Sentences numbered on, and the positions of all their words."""
    longest = max(map(len, sentences), default=0)
    if longest > LONGEST:
        sentences = [words[at : at + LONGEST] for words in sentences for at in range(0, len(words), LONGEST)]
    if longest > len(_numbers):
        _numbers.extend(f"{number}\t" for number in range(len(_numbers) + 1, min(longest, LONGEST) + 1))
    read: list[Sentence] = []
    places: list[int] = []
    new = tuple.__new__
    for words in sentences:
        if not words:
            continue
        before += 1
        try:
            numbered = list(map(add, _numbers, words))
        except TypeError:
            odd = next(word for word in words if not isinstance(word, str))
            fail(f"the word {shortened(odd)} is not a string", "words must be strings")
        read.append(new(Sentence, ("", before, line, numbered, [], "")))
        places.extend(word_positions(before, len(words)))
    return read, tuple(places)


def _rows(clusters: Any, places: tuple[int, ...], exclusive: bool) -> list[_Row]:
    """Entities in order; whatever is wrong with clusters makes this raise some error."""
    if type(clusters) is not list or not {int}.issuperset(map(type, chain.from_iterable(chain(*clusters)))):
        raise TypeError("no lists of lists of lists of whole numbers")
    size, more = len(places), 0 if exclusive else 1
    rows: list[_Row] = []
    new = tuple.__new__  # half the time of calling Mention
    for at, cluster in enumerate(clusters):
        if len(cluster) == 1:
            ((first, end),) = cluster
            end += more
            if not 0 <= first < end <= size:
                raise IndexError("no words of the document")
            rows.append((first, -end, at, (new(Mention, (places[first:end], places[first], ())),)))
            continue
        spans = [(first, -last - more) for first, last in cluster]
        spans.sort()
        members = []
        for first, minus_end in spans:
            if not 0 <= first < -minus_end <= size:
                raise IndexError("no words of the document")
            members.append(new(Mention, (places[first:-minus_end], places[first], ())))
        rows.append((*spans[0], at, tuple(members)))
    rows.sort()
    return rows


def _heads(
    clusters: Clusters, heads: Sequence[Sequence[int | None]], places: tuple[int, ...], exclusive: bool
) -> dict[tuple[int, tuple[int, ...]], int]:
    """The heads that are known, by the number of the cluster and the words of the mention."""
    return {
        (at, places[first : last + (not exclusive)]): places[head]
        for at, (cluster, cluster_heads) in enumerate(zip(clusters, heads, strict=True))
        for (first, last), head in zip(cluster, cluster_heads, strict=True)
        if head is not None
    }


def _explain(clusters: Any, size: int, exclusive: bool, field: str, fail: Fail) -> NoReturn:
    for at, cluster in enumerate(checked(clusters, 2, field, fail)):
        for number, (first, last) in enumerate(cluster):
            where = f"{field}[{at}][{number}] is {shortened([first, last])}"
            if first < 0:
                fail(f"{where}, but words are counted from 0", "")
            if last < first + exclusive:
                what = "ends where it begins: there are no words in it" if last == first else "ends before it begins"
                fail(f"{where}: it {what}", f"ends are {'exclusive' if exclusive else 'inclusive'} in {field}")
            if last >= size + exclusive:
                what = f"the document has {size} words, 0 to {size - 1}"
                fail(f"{where}, but {what}", _hint(last, size, exclusive, field))
    raise AssertionError("clusters were refused but nothing is wrong with them")


def _hint(last: int, size: int, exclusive: bool, field: str) -> str:
    if not exclusive and last == size:
        return f"ends are inclusive in {field}; if yours are exclusive, call the field span_clusters"
    return "if these numbers count subtokens, the document needs a subtoken_map"
