"""Key and response, read in step: document by document, over the same sentences and words."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import zip_longest
from typing import NamedTuple

from ..base.document import Document, Sentence
from ..base.errors import AlignmentError, InputError, Side, Warnings
from ..base.positions import position
from .fitting import by_name, same_name, with_same_sentences
from .formats import FORMATS, DocumentReader, open_reader
from .source import path_name

HINT = "key and response must hold the same documents, sentences and words; only empty nodes may differ"


class Pair(NamedTuple):
    """One document of both sides."""

    key: Document
    response: Document


class PairReader:
    """Streams the pairs of two files; memory holds one pair at a time."""

    def __init__(
        self,
        key: str | os.PathLike[str],
        response: str | os.PathLike[str],
        warnings: Warnings,
        key_format: str | None = None,
        response_format: str | None = None,
    ) -> None:
        if path_name(key) == path_name(response) == "-":
            raise InputError("key and response cannot both be standard input", hint="name a file for one of them")
        self._warnings = warnings
        self._opened: list[DocumentReader] = []
        try:
            self.key_format, self.key = self._reader(key, key_format, warnings, "key")
            self.response_format, self.response = self._reader(response, response_format, warnings, "response")
            self._both_or_none_have_words()
        except BaseException:
            self.close()
            raise
        self._loose = "jsonl" in (self.key_format, self.response_format)  # may lack names, and ends of sentences
        self.names = self.key.names
        """The ids of the documents of the key, in order."""

    def __iter__(self) -> Iterator[Pair]:
        if not FORMATS[self.key_format].has_words:
            try:
                yield from map(Pair._make, by_name(self.key, self.response, self._warnings))
            except AlignmentError:
                self._look_for_faults()
                raise
            return
        self._same_documents()
        keys, responses = iter(self.key), iter(self.response)
        for _ in self.names:
            pair = Pair(next(keys), next(responses))
            if self._loose:
                pair = Pair(*with_same_sentences(*pair))
            try:
                check_aligned(*pair)
            except AlignmentError:
                self._look_for_faults()
                raise
            yield pair
            del pair  # or it would be kept while the next one is read
        for reader in (keys, responses):
            for _ in reader:  # nothing more comes, but a reader may have something to say at the end
                raise AssertionError("a reader has more documents than names")

    def close(self) -> None:
        """Close both files."""
        for reader in self._opened:
            reader.source.close()

    def _reader(
        self, path: str | os.PathLike[str], format_: str | None, warnings: Warnings, side: str
    ) -> tuple[str, DocumentReader]:
        name, reader = open_reader(path, format_, warnings, side)
        self._opened.append(reader)
        return name, reader

    def _both_or_none_have_words(self) -> None:
        sides = {self.key_format: self.key.source.name, self.response_format: self.response.source.name}
        with_words = {FORMATS[format_].has_words: format_ for format_ in sides}
        if len(with_words) > 1:
            words, ids = with_words[True], with_words[False]
            raise AlignmentError(
                "was read as {ids} (mentions are ids), but {other} as {words} (mentions are words)",
                key=Side(self.key.source.name),
                response=Side(self.response.source.name),
                blamed="key" if ids == self.key_format else "response",
                hint="give both in formats with words, or say which format it is: --key-format, --response-format",
                code="words-and-ids",
                facts={"ids": ids, "words": words, "other": sides[words]},
            )

    def _same_documents(self) -> None:
        keys, responses = self.key.names, self.response.names
        same = same_name if self._loose else str.__eq__
        shorter = min(len(keys), len(responses))
        at = next((at for at in range(shorter) if not same(keys[at], responses[at])), shorter)
        if at == len(keys) == len(responses):
            return
        self._look_for_faults()
        key, response = (
            Side(reader.source.name, reader.line_of_document(at) if at < len(names) else 0)
            for reader, names in ((self.key, keys), (self.response, responses))
        )
        if at >= len(responses):
            message, blamed, name, key_name = "document {key_name!r} is not in {response_file}", "key", "", keys[at]
        else:
            in_key = "in {key_line} {key_name!r}" if at < len(keys) else "there are no more documents in {key}"
            message, blamed, name = "document {number} is {name!r}, but " + in_key, "response", responses[at]
            key_name = keys[at] if at < len(keys) else ""
        raise AlignmentError(
            f"{message} ({len(keys)} documents in {{key}}, {len(responses)} in {{response}})",
            key=key,
            response=response,
            blamed=blamed,
            hint=HINT,
            facts={"number": at + 1, "name": name, "key_name": key_name},
        )

    def _look_for_faults(self) -> None:
        """Read both files to the end: a fault in one of them says more than that the two do not fit."""
        for reader in (self.key, self.response):
            for _ in reader:
                pass


def check_aligned(key: Document, response: Document) -> None:
    """Raise AlignmentError at the first sentence or word in which the two documents differ."""
    for ours, theirs in zip_longest(key.sentences, response.sentences):
        if ours is None or theirs is None:
            _fail_sentence(key, response, ours, theirs)
        if ours.words != theirs.words:
            if _ids_differ(ours, theirs):
                _fail_id(key, response, ours, theirs)
            _fail_word(key, response, ours, theirs)
        if _ids_differ(ours, theirs):
            _fail_id(key, response, ours, theirs)


def _ids_differ(ours: Sentence, theirs: Sentence) -> bool:
    """Formats that have no sentence ids leave them empty: nothing can be said then."""
    return bool(ours.id and theirs.id and ours.id != theirs.id)


def _fail_sentence(key: Document, response: Document, ours: Sentence | None, theirs: Sentence | None) -> None:
    counts = f"({len(key.sentences)} sentences in {{key}}, {len(response.sentences)} in {{response}})"
    absent = "response_file" if ours else "key"
    sentence = ours or theirs
    raise AlignmentError(
        f"sentence {{sentence!r}} of document {{document!r}} is not in {{{absent}}} {counts}",
        key=Side(key.path, ours.line if ours else 0),
        response=Side(response.path, theirs.line if theirs else 0),
        blamed="key" if ours else "response",
        hint=HINT,
        facts={"sentence": sentence and (sentence.id or sentence.number), "document": key.id},
    )


def _fail_id(key: Document, response: Document, ours: Sentence, theirs: Sentence) -> None:
    raise AlignmentError(
        "sent_id {id!r}, but in {key_line} {key_id!r}",
        key=Side(key.path, ours.line),
        response=Side(response.path, theirs.line),
        hint=HINT,
        facts={"id": theirs.id, "key_id": ours.id},
    )


def _fail_word(key: Document, response: Document, ours: Sentence, theirs: Sentence) -> None:
    pairs = enumerate(zip_longest(ours.words, theirs.words))
    at, (our, their) = next((at, pair) for at, pair in pairs if pair[0] != pair[1])

    def shown(word: str | None) -> str:
        return repr(word.partition("\t")[2]) if word is not None else "missing"

    def line(sentence: Sentence) -> int:
        name = sentence.words[min(at, len(sentence.words) - 1)].partition("\t")[0]
        return sentence.line_of(position(sentence.number, int(name)))

    raise AlignmentError(
        "word {number} of sentence {sentence!r} is {word}, but in {key_line} {key_word}",
        key=Side(key.path, line(ours)),
        response=Side(response.path, line(theirs)),
        hint=HINT,
        facts={
            "number": at + 1,
            "sentence": theirs.id or theirs.number,
            "word": shown(their),
            "key_word": shown(our),
        },
    )
