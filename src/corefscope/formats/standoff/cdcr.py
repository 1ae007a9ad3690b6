"""CDCR mention JSON: one list of mentions for all documents, each with its sentence and the numbers of its words.

The list has no words. Beside another such list mentions are ids, made of the sentence and the word numbers; beside a
key that has words they are mentions over those. Chains are named for the whole corpus.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from ...core.document import Document
from ...core.errors import Warnings
from ..jsonl.json_text import JsonError, after_blanks, items, line_at, shortened
from ..sentences import forms_of
from ..source import DocumentReader, Source
from ..tables.rows import ids_document
from .model import StandoffDocument, StandoffMention, StandoffReader, parts_of

HINT = 'a mention is {"doc_id": …, "sent_id": 0, "tokens_number": [3, 4], "coref_chain": …}'
CHAINS = ("coref_chain", "cluster_id", "predicted_coref_chain")


class _ListedMention(NamedTuple):
    """A mention of the list."""

    sentence: int
    words: tuple[int, ...]
    chain: str
    line: int


def _read_list(source: Source) -> dict[str, list[_ListedMention]]:
    """The mentions of each document, in the order in which documents begin."""
    source.check_memory(source.start, source.size, item=600)
    text = source.text(source.start, source.size)
    documents: dict[str, list[_ListedMention]] = {}
    start = after_blanks(text, 0)
    if not text.startswith("[", start):
        source.refuse("is no list of mentions", HINT, 1)
    line, counted = 1, 0
    try:
        listed = items(text, start)
        for item in listed:
            line, counted = line_at(text[counted : item.start], len(text), line), item.start
            name, mention = _read_mention(source, item.value, line)
            documents.setdefault(name, []).append(mention)
    except JsonError as fault:
        source.refuse(fault.message, HINT, line_at(text, fault.offset))
    if not documents:
        source.refuse("holds no mention", HINT)
    return documents


def _read_mention(source: Source, value: object, line: int) -> tuple[str, _ListedMention]:
    """A mention and the name of its document."""
    if not isinstance(value, dict):
        source.refuse(f"{shortened(value)} is no mention", HINT, line)
    name, sentence, words = value.get("doc_id"), value.get("sent_id"), value.get("tokens_number")
    chain = next((value[field] for field in CHAINS if value.get(field) not in (None, "")), None)
    if not isinstance(name, str | int) or isinstance(name, bool) or not str(name).strip():
        source.refuse(f"doc_id is {shortened(name)}, not a name", HINT, line)
    if isinstance(sentence, str) and sentence.isascii() and sentence.isdigit() and len(sentence) < 10:
        sentence = int(sentence)
    if type(sentence) is not int or not 0 <= sentence < 10**9:
        source.refuse(f"sent_id is {shortened(sentence)}, not a number from 0", HINT, line)
    if not isinstance(words, list) or not words or not all(type(word) is int and 0 <= word < 10**9 for word in words):
        source.refuse(f"tokens_number is {shortened(words)}, not a list of numbers from 0", HINT, line)
    if chain is not None and not (isinstance(chain, str) or type(chain) is int):
        source.refuse(f"the chain is {shortened(chain)}, not a name", HINT, line)
    return str(name), _ListedMention(sentence, tuple(sorted(set(words))), "" if chain is None else str(chain), line)


class CdcrReader:
    """The documents of one list, sorted by name; mentions are ids."""

    has_heads = True  # an id has no words to choose a head from
    starts: Sequence[int] = ()  # it is read as a whole

    def __init__(self, source: Source, _: Warnings, __: str) -> None:
        self.source = source
        self._documents = _read_list(source)
        self.names: list[str] = sorted(self._documents)

    def line_of_document(self, index: int) -> int:
        """The line on which the first mention of a document is."""
        return self._documents[self.names[index]][0].line

    def __iter__(self) -> Iterator[Document]:
        for name in self.names:
            clusters: dict[str, dict[tuple[int, ...], None]] = {}
            for number, mention in enumerate(self._documents[name]):
                chain = mention.chain or f"{name}#{number}"
                clusters.setdefault(chain, {})[mention.sentence, *mention.words] = None
            listed = [(chain, list(map(list, ids))) for chain, ids in clusters.items()]
            yield ids_document(name, listed, self.source.name)


class CdcrOverWordsReader(StandoffReader):
    """The documents of one list over the words of a key."""

    def __init__(self, source: Source, warnings: Warnings, side: str) -> None:
        super().__init__(source, warnings, side)
        self._listed = _read_list(source)
        self._key: DocumentReader | None = None

    def share_layout_with(self, other: DocumentReader) -> None:
        """Take the words of the key."""
        self._key = type(other)(other.source, Warnings(), "key")  # type: ignore[call-arg]  # read a second time

    def parse(self) -> Iterator[StandoffDocument]:
        """The documents of the key with the mentions of the list; mentions of other documents are an error."""
        if self._key is None:
            hint = "give it as the response to a key that has words"
            self.source.refuse("has no words: it is read over those of a key", hint)
        names, listed = self._key.names, self._listed
        if len(names) == len(listed) == 1:  # names do not matter
            listed = dict(zip(names, listed.values(), strict=True))
        if absent := [name for name in listed if name not in names]:
            line = listed[absent[0]][0].line
            self.source.refuse(f"document {absent[0]!r} is not in the key", "name documents as the key does", line)
        for document in self._key:
            yield self._over_words(document, listed.get(document.id, []))

    def _over_words(self, document: Document, listed: Sequence[_ListedMention]) -> StandoffDocument:
        """A document of the key's words with mentions of the list."""
        sentences = [forms_of(sentence) for sentence in document.sentences]
        starts = list(accumulate(map(len, sentences), initial=0))
        mentions = {}
        for number, mention in enumerate(listed):
            if mention.sentence >= len(sentences) or mention.words[-1] >= len(sentences[mention.sentence]):
                message = f"there is no word {mention.words[-1]} in sentence {mention.sentence} of {document.id!r}"
                self.source.refuse(message, "both count from 0, as the key does", mention.line)
            parts = parts_of(starts[mention.sentence] + word for word in mention.words)
            entity = mention.chain or f"{document.id}#{number}"
            mentions[str(number)] = StandoffMention(parts, entity, line=mention.line)
        line = listed[0].line if listed else 1
        return StandoffDocument(document.id, mentions, sentences=sentences, line=line, local_ids=False)
