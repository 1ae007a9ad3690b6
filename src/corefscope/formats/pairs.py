"""Pairing of the documents of key and response, and the check that both have the same sentences and words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice, zip_longest
from typing import NamedTuple, NoReturn, Protocol, runtime_checkable

from ..core.document import Document, Mention, Sentence
from ..core.errors import AlignmentError, Location, OptionError, Warnings, amount
from ..core.format import Format
from ..core.input import Input
from ..core.positions import LONGEST, SENTENCE_SHIFT, WORD_MASK
from .sentences import forms_of
from .source import DocumentReader, SkeletonReader, documents_in


def cut_like(document: Document, sentences: Sequence[Sentence]) -> Document | None:
    """Cut a document of plain words like these sentences; None if the words are not the same.

    Systems that return one list of words can thus be compared with keys that know where sentences end.
    """
    old = document.sentences
    if _forms(old) != _forms(sentences) or any(
        sentence.unusual for sentence in old if not isinstance(sentence, RecutSentence)
    ):
        return None
    return cut_by_number(document, sentences)


def cut_by_number(document: Document, sentences: Sequence[Sentence]) -> Document:
    """Cut the words of a document into sentences as long as these; the rest joins the last one."""
    old, forms = document.sentences, _forms(document.sentences)
    lengths = [len(like.words) for like in sentences]
    lengths[-1] += max(len(forms) - sum(lengths), 0)
    if lengths[-1] > LONGEST:
        message = "document {document!r} is far longer than in {key}"
        raise AlignmentError(message, Location(""), Location(document.path), document=document.id)
    recut = old[0].recut if old and isinstance(old[0], RecutSentence) else _recut
    cut, place = recut(document, sentences, lengths)
    move = moving(place)
    return document.both(lambda reading: _replace_sentences(reading.changed(move), cut))


Cut = tuple[tuple[Sentence, ...], Callable[[int], int]]
"""Sentences, and the function that moves positions into them."""


@runtime_checkable
class RecutSentence(Protocol):
    """A sentence of a format that cuts its documents itself, because they have more than words."""

    def recut(self, document: Document, like: Sequence[Sentence], lengths: Sequence[int]) -> Cut:
        """Cut a document like other sentences, into sentences of these lengths."""


def _recut(document: Document, like: Sequence[Sentence], lengths: Sequence[int]) -> Cut:
    """Cut a document of plain words."""
    old = document.sentences
    line = old[0].line if old else 0
    rest = iter(_forms(old))
    cut = []
    for other, length in zip(like, lengths, strict=True):
        words = [f"{number}\t{form}" for number, form in enumerate(islice(rest, length), 1)]
        cut.append(Sentence("", other.number, line, words, []))
    positions = ([position for sentence in side for position in sentence.positions] for side in (old, cut))
    return tuple(cut), dict(zip(*positions, strict=True)).__getitem__


def _replace_sentences(document: Document, sentences: tuple[Sentence, ...]) -> Document:
    """The document, and its layer of deixis, over other sentences."""
    layers = document.deixis.both(lambda layer: _replace_sentences(layer, sentences)) if document.deixis else None
    return document._replace(sentences=sentences, deixis=layers)


def _sentence_lengths(document: Document) -> list[tuple[int, int]]:
    """Number and length of each sentence."""
    return [(sentence.number, len(sentence.words)) for sentence in document.sentences]


def moving(position: Callable[[int], int]) -> Callable[[Mention], Mention]:
    """The function that moves a mention by moving each of its positions."""
    return lambda mention: mention.moved(position)


def renumbering(numbers: Mapping[int, int]) -> Callable[[int], int]:
    """The function that moves a position to the sentence of another number."""
    return lambda place: numbers[place >> SENTENCE_SHIFT] << SENTENCE_SHIFT | place & WORD_MASK


def _forms(sentences: Sequence[Sentence]) -> list[str]:
    return [form for sentence in sentences for form in forms_of(sentence)]


SAME_TEXT = "the texts agree without blanks, only their words or sentences differ: use --words align"
UNNAMED = "#[0-9]+"
PART = "(?s)(.*); part ([0-9]+)"


class Pair(NamedTuple):
    """One document of both sides."""

    key: Document
    response: Document


Pairs = tuple[Pair | None, ...]
"""One document of a key with each of its responses; None where neither side has it."""


class OpenFile(NamedTuple):
    """A file that is being read."""

    format: Format
    reader: DocumentReader
    digest: str = ""
    """SHA-256 of its content, if requested."""

    @property
    def name(self) -> str:
        """Name of the file in messages."""
        return self.reader.source.name


class WordComparison(NamedTuple):
    """Comparison of the words of key and response: ``words`` and ``align`` of a request."""

    words: str = "compare"
    align: str = "expand"


COMPARED = WordComparison()


def document_pairs(
    key: OpenFile,
    responses: Sequence[OpenFile],
    warnings: Sequence[Warnings],
    inputs: Sequence[tuple[Input, Input]],
    comparison: WordComparison = COMPARED,
    wanted: range | None = None,
) -> Iterator[Pairs]:
    """The documents of a key file with those of each response; memory holds one document of each file.

    Where mentions are words, only the ``wanted`` documents are read, by number. ``inputs``, key and response for each
    response, count mentions that are laid over the words of the other side.
    """
    words = comparison.words
    for response in responses:
        _check_same_kind(key, response)
    if words == "ignore":
        for file in (key, *responses):
            if reason := file.format.comparison.words_matter:
                raise OptionError(f"words cannot be ignored in {file.name}, which is {file.format.name}: {reason}")
    if not key.format.has_words:
        if words == "align":
            raise OptionError(f"words cannot be aligned in {key.name}, which is {key.format.name}: mentions are ids")
        yield from _by_name(key, responses, warnings)
        return
    numbers = range(len(key.reader.names)) if wanted is None else wanted
    shared = _SharedDocuments(documents_in(key.reader, numbers.start, numbers.stop))
    readers = [iter(shared)]
    for response in responses:
        order = _match_documents(key, response, comparison)
        readers.append(_documents_of(response, numbers, order, shared))
    for _ in numbers:
        if words == "ignore":
            key_document, *documents = map(next, readers)
            sides = zip(documents, warnings, strict=True)
            yield tuple(numbered_alike(key_document, document, warned) for document, warned in sides)
        else:
            yield _next_pairs(key, responses, readers, inputs, comparison)
    for reader in readers:
        for _ in reader:  # nothing more comes, but a reader may warn at the end of a file
            raise AssertionError("a reader has more documents than names")


def _documents_of(
    response: OpenFile, numbers: range, order: Sequence[int] | None, key: _SharedDocuments
) -> Iterator[Document]:
    """Documents of a response by their numbers, which the order translates if it is not that of the key."""
    reader = response.reader
    if order:
        return _read_in_order(response, [order[number] for number in numbers])
    if isinstance(reader, SkeletonReader) and len(numbers) == len(reader.names):
        return reader.documents_over(key.again())
    return documents_in(reader, numbers.start, numbers.stop)


class _SharedDocuments:
    """The documents of a key, for it and for readers of responses that are read in step."""

    def __init__(self, documents: Iterator[Document]) -> None:
        self._documents = documents
        self._latest: Document | None = None

    def __iter__(self) -> Iterator[Document]:
        for document in self._documents:
            self._latest = document
            del document
            yield self._latest
            self._latest = None  # not kept while the next one is read

    def again(self) -> Iterator[Document]:
        """The latest document, each time."""
        while self._latest is not None:
            yield self._latest


def _next_pairs(
    key: OpenFile,
    responses: Sequence[OpenFile],
    readers: Sequence[Iterator[Document]],
    inputs: Sequence[tuple[Input, Input]],
    comparison: WordComparison,
) -> Pairs:
    key_document, *documents = map(next, readers)
    pairs = []
    for response, document, sides in zip(responses, documents, inputs, strict=True):
        pair = Pair(key_document, document)
        is_text = key_document.counts_characters != document.counts_characters
        try:
            if is_text or comparison.words == "align":
                pair = _project(pair, sides, comparison)
            elif not _same_layout(*pair):
                if key.format.comparison.loose or response.format.comparison.loose:
                    pair = with_same_sentences(*pair)
                if not check_aligned(*pair):
                    pair = _with_same_numbers(*pair)
        except AlignmentError as error:
            _look_for_faults(key, response)
            from .projection import texts_agree  # 2 ms, where scoring ends anyway

            cut = [[sentence.words for sentence in document.sentences] for document in pair]
            raise error.with_hint(SAME_TEXT) if cut[0] != cut[1] and texts_agree(*pair) else error from None
        pairs.append(pair)
    return tuple(pairs)


def _project(pair: Pair, inputs: tuple[Input, Input], comparison: WordComparison) -> Pair:
    """Both over the words of the key, or over those of the response if the key counts characters."""
    from .projection import Projection, ProjectionCounts  # few pairs have other words

    key, response = pair
    if key.counts_characters == response.counts_characters:
        try:
            same_numbers = check_aligned(*pair)
        except AlignmentError:
            pass
        else:
            inputs[1].add_projection(ProjectionCounts(comparison.align, exact=sum(response.sizes)))
            return pair if same_numbers else _with_same_numbers(*pair)
    moves_key = key.counts_characters and not response.counts_characters
    moved, fixed = (key, response) if moves_key else (response, key)
    projection = Projection(moved, fixed, comparison.align)
    moved = projection.project(moved)
    counts = projection.counts._replace(is_automatic=comparison.words != "align")
    inputs[0 if moves_key else 1].add_projection(counts)
    return Pair(moved, fixed) if moves_key else Pair(fixed, moved)


def _same_layout(key: Document, response: Document) -> bool:
    """Whether layouts show, without making sentences, that these are the same."""
    return key.layout is not None and key.layout.same_text(response.layout)


def _by_name(key: OpenFile, responses: Sequence[OpenFile], warnings: Sequence[Warnings]) -> Iterator[Pairs]:
    """Pair documents that are sorted by name in all files; one that a file lacks is empty there.

    A table cannot say that a document has no mentions.
    """
    streams = [zip(_names_like(key, file), file.reader, strict=True) for file in (key, *responses)]
    nexts = [next(stream, None) for stream in streams]
    while any(nexts):
        name = min(named[0] for named in nexts if named)
        documents = [named[1] if named and named[0] == name else None for named in nexts]
        nexts = [
            next(stream, None) if document else named
            for stream, document, named in zip(streams, documents, nexts, strict=True)
        ]
        yield tuple(
            Pair(documents[0] or _empty(name, key, warned), document or _empty(name, response, warned))
            if documents[0] or document
            else None
            for document, response, warned in zip(documents[1:], responses, warnings, strict=True)
        )


def ids_of_documents(key: OpenFile, responses: Sequence[OpenFile]) -> list[str]:
    """The names of the documents that :func:`document_pairs` reads where mentions are ids."""
    return sorted({name for file in (key, *responses) for name in _names_like(key, file)})


def _names_like(key: OpenFile, response: OpenFile) -> list[str]:
    """The names of the documents of a response, as the key has them."""
    key_names, names = key.reader.names, response.reader.names
    if len(key_names) == len(names) == 1 and same_name(key_names[0], names[0]):
        return key_names
    if set(key_names).isdisjoint(names):
        _look_for_faults(key, response)
        raise AlignmentError(
            "has no document of {key}: {first!r} is its first, {key_first!r} that of {key_file}",
            Location(key.name),
            Location(response.name),
            hint="documents must have the same names on both sides",
            first=names[0],
            key_first=key_names[0],
            key_file=key.name,
        )
    return names


def _empty(name: str, file: OpenFile, warnings: Warnings) -> Document:
    warnings.add("absent", file.name, 0, f"document {name!r} is missing: counted as empty")
    return Document(name, (), path=file.name)


def same_name(key: str, response: str) -> bool:
    """Whether the names of documents in the same place may name the same document.

    A document without a name may be any document; the part of a document is written in several ways.

    >>> same_name("a", "a"), same_name("#1", "a"), same_name("b", "a")
    (True, True, False)
    >>> same_name("a; part 003", "a_3"), same_name("a; part 000", "a"), same_name("a; part 001", "a")
    (True, True, False)
    """
    unnamed = any(re.fullmatch(UNNAMED, name) for name in (key, response))
    return unnamed or not _spellings(key).isdisjoint(_spellings(response))


def _spellings(name: str) -> set[str]:
    """Equivalent names of a document: ``a; part 000`` is ``a_0`` in other formats, or only ``a``."""
    match = re.fullmatch(PART, name)
    if not match:
        return {name}
    id_, part = match[1], match[2].lstrip("0")
    return {name, f"{id_}_{part or 0}", *(() if part else (id_,))}


def with_same_sentences(key: Document, response: Document) -> Pair:
    """Both with the sentences of the side that has more of them (by default the key), if the words are the same.

    Numbers of sentences must agree, too: where a document was cut again, those of all later ones are shifted.
    """
    if _sentence_lengths(key) == _sentence_lengths(response):
        return Pair(key, response)
    if len(key.sentences) >= len(response.sentences):
        return Pair(key, cut_like(response, key.sentences) or response)
    return Pair(cut_like(key, response.sentences) or key, response)


def _with_same_numbers(key: Document, response: Document) -> Pair:
    """Both with the sentence numbers of the key; their words are the same.

    A CorefUD file that returns to a document counts the sentences of other documents in between; other formats do
    not, and the other file may return to it elsewhere.
    """
    pairs = zip(key.sentences, response.sentences, strict=True)
    sentences = tuple([theirs._replace(number=ours.number) for ours, theirs in pairs])
    numbers = {old.number: new.number for old, new in zip(response.sentences, sentences, strict=True)}
    move = moving(renumbering(numbers))
    return Pair(key, response.both(lambda reading: _replace_sentences(reading.changed(move), sentences)))


def numbered_alike(key: Document, response: Document, warnings: Warnings) -> Pair:
    """Both with the sentences of the key, whatever their words; a warning reports words or sentences that differ."""
    try:
        check_aligned(key, response)
    except AlignmentError as error:
        if not key.sentences:
            raise
        message = f"{error.message}; words are not compared: mentions are matched by the numbers of their words"
        warnings.add("words", error.path, error.line, message)
    if _sentence_lengths(key) != _sentence_lengths(response):
        response = cut_by_number(response, key.sentences)
    return Pair(key, response)


def _check_same_kind(key: OpenFile, response: OpenFile) -> None:
    """Refuse a file whose mentions are words with one whose mentions are ids."""
    if key.format.has_words == response.format.has_words:
        return
    ids, words = (response, key) if key.format.has_words else (key, response)
    raise AlignmentError(
        "was read as {ids} (mentions are ids), but {other} as {words} (mentions are words)",
        Location(key.name),
        Location(response.name),
        blamed="key" if ids is key else "response",
        hint="give both in formats with words, or name the format: --key-format, --response-format",
        code="words-and-ids",
        ids=ids.format.name,
        words=words.format.name,
        other=words.name,
    )


def _match_documents(key: OpenFile, response: OpenFile, comparison: WordComparison) -> list[int] | None:
    """The numbers of the documents of the response, in the order of the key; None if the order is the same.

    Where mentions are laid over other words, documents are paired by their names, else by their order: texts that do
    not fit are refused later. Everywhere else, names and order must be the same.
    """
    key_names, names = key.reader.names, response.reader.names
    if len(key_names) == len(names) == 1 and any(file.format.comparison.named_by_file for file in (key, response)):
        return None
    same = same_name if key.format.comparison.loose or response.format.comparison.loose else str.__eq__
    shorter = min(len(key_names), len(names))
    index = next((index for index in range(shorter) if not same(key_names[index], names[index])), shorter)
    if index == len(key_names) == len(names):
        return None
    if len(key_names) == len(names) and (comparison.words == "align" or _is_text(key) != _is_text(response)):
        return _order_by_name(key_names, names)
    _look_for_faults(key, response)
    locations = [
        Location(file.name, file.reader.line_of_document(index) if index < len(file.reader.names) else 0)
        for file in (key, response)
    ]
    counts = f" ({amount(len(key_names), 'document')} in {{key}}, {len(names)} in {{response}})"
    if index >= len(names):
        message = "document {key_name!r} is not in {response_file}" + counts
        raise AlignmentError(message, *locations, blamed="key", key_name=key_names[index])
    key_name = key_names[index] if index < len(key_names) else None
    key_part = "there are no more documents in {key}" if key_name is None else "in {key_line} {key_name!r}"
    message = "document {number} is {name!r}, but " + key_part + counts
    raise AlignmentError(message, *locations, number=index + 1, name=names[index], key_name=key_name)


def _is_text(file: OpenFile) -> bool:
    """Whether the first document of a file counts the characters of a text."""
    return any(document.counts_characters for document in islice(documents_in(file.reader, 0, 1), 1))


def _order_by_name(key_names: Sequence[str], names: Sequence[str]) -> list[int] | None:
    """For each document of the key the number of the one of the same name; None if not all have one."""
    numbers = {spelling: number for number, name in enumerate(names) for spelling in _spellings(name)}
    order = [
        next((numbers[spelling] for spelling in _spellings(name) if spelling in numbers), -1) for name in key_names
    ]
    return order if sorted(order) == list(range(len(names))) else None


def _read_in_order(file: OpenFile, numbers: Sequence[int]) -> Iterator[Document]:
    """Some documents of a file in another order; all are in memory."""
    documents = list(file.reader)
    yield from [documents[number] for number in numbers]


def _look_for_faults(key: OpenFile, response: OpenFile) -> None:
    """Read both files to the end: a fault in one of them says more than that the two differ."""
    for file in (key, response):
        for _ in file.reader:
            pass


def check_aligned(key: Document, response: Document) -> bool:
    """Raise AlignmentError at the first sentence or word in which the two documents differ.

    Return whether the numbers of sentences are the same, too.
    """
    if _same_layout(key, response):
        return True
    same_numbers = True
    for in_key, in_response in zip_longest(key.sentences, response.sentences):
        if in_key is None or in_response is None:
            _refuse_sentence(key, response, in_key, in_response)
        # Formats without sentence ids leave them empty.
        if in_key.id and in_response.id and in_key.id != in_response.id:
            locations = Location(key.path, in_key.line), Location(response.path, in_response.line)
            message = "sent_id {id!r}, but in {key_line} {key_id!r}"
            raise AlignmentError(message, *locations, id=in_response.id, key_id=in_key.id)
        if in_key.words != in_response.words:
            _refuse_word(key, response, in_key, in_response)
        same_numbers = same_numbers and in_key.number == in_response.number
    return same_numbers


def _refuse_sentence(
    key: Document, response: Document, in_key: Sentence | None, in_response: Sentence | None
) -> NoReturn:
    sentence = in_key or in_response
    assert sentence is not None
    blamed, absent = ("key", "{response_file}") if in_key else ("response", "{key}")
    counts = f"({len(key.sentences)} sentences in {{key}}, {len(response.sentences)} in {{response}})"
    message = f"sentence {{name!r}} of document {{document!r}} is not in {absent} {counts}"
    # The line is that of the sentence, which only one side has: that side is the one that is blamed.
    locations = Location(key.path, sentence.line), Location(response.path, sentence.line)
    name = sentence.id or sentence.number
    raise AlignmentError(message, *locations, blamed=blamed, name=name, document=key.id)


def _refuse_word(key: Document, response: Document, in_key: Sentence, in_response: Sentence) -> NoReturn:
    words = enumerate(zip_longest(in_key.words, in_response.words))
    index, pair = next((index, pair) for index, pair in words if pair[0] != pair[1])
    key_word, word = (repr(word.partition("\t")[2]) if word is not None else "missing" for word in pair)

    def line(sentence: Sentence) -> int:
        last = len(sentence.words) - 1
        return sentence.line_of(sentence.positions[min(index, last)]) if last >= 0 else sentence.line

    message = "word {number} of sentence {sentence!r} is {word}, but in {key_line} {key_word}"
    locations = Location(key.path, line(in_key)), Location(response.path, line(in_response))
    sentence = in_response.id or in_response.number
    raise AlignmentError(message, *locations, number=index + 1, sentence=sentence, word=word, key_word=key_word)
