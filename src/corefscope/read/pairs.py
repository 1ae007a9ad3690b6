"""Key and response, read in step: document by document, over the same sentences and words."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import zip_longest
from typing import NamedTuple

from ..base.document import Document, Sentence
from ..base.errors import AlignmentError, InputError, Warnings
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
                f"was read as {ids} (mentions are ids), but {sides[words]} as {words} (mentions are words)",
                path=sides[ids],
                hint="give both in formats with words, or say which format it is: --key-format, --response-format",
            )

    def _same_documents(self) -> None:
        keys, responses = self.key.names, self.response.names
        same = same_name if self._loose else str.__eq__
        shorter = min(len(keys), len(responses))
        at = next((at for at in range(shorter) if not same(keys[at], responses[at])), shorter)
        if at == len(keys) == len(responses):
            return
        self._look_for_faults()
        counts = f"({len(keys)} documents in the key, {len(responses)} in the response)"
        if at >= len(responses):
            raise AlignmentError(
                f"document {keys[at]!r} is not in the response {self.response.source.name} {counts}",
                path=self.key.source.name,
                line=self.key.line_of_document(at),
                hint=HINT,
            )
        ours = "there are no more documents in the key"
        if at < len(keys):
            ours = f"in the key ({self.key.source.name}:{self.key.line_of_document(at)}) {keys[at]!r}"
        raise AlignmentError(
            f"document {at + 1} is {responses[at]!r}, but {ours} {counts}",
            path=self.response.source.name,
            line=self.response.line_of_document(at),
            hint=HINT,
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
    counts = f"({len(key.sentences)} sentences in the key, {len(response.sentences)} in the response)"
    if ours is None and theirs is not None:
        raise AlignmentError(
            f"sentence {theirs.id or theirs.number!r} of document {key.id!r} is not in the key {counts}",
            path=response.path,
            line=theirs.line,
            hint=HINT,
        )
    if ours is not None:
        raise AlignmentError(
            f"sentence {ours.id or ours.number!r} of document {key.id!r} is not in the response {response.path}"
            f" {counts}",
            path=key.path,
            line=ours.line,
            hint=HINT,
        )


def _fail_id(key: Document, response: Document, ours: Sentence, theirs: Sentence) -> None:
    raise AlignmentError(
        f"sent_id {theirs.id!r}, but in the key ({key.path}:{ours.line}) {ours.id!r}",
        path=response.path,
        line=theirs.line,
        hint=HINT,
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
        f"word {at + 1} of sentence {theirs.id or theirs.number!r} is {shown(their)},"
        f" but in the key ({key.path}:{line(ours)}) {shown(our)}",
        path=response.path,
        line=line(theirs),
        hint=HINT,
    )
