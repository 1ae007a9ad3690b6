"""The documents of printed text as the organisers' chain and CorefUD scorer 1.2 read them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import TYPE_CHECKING, TypeVar

from ....base.document import Document
from ....base.errors import InputError, Warnings
from ...corefud.reader import CorefUDReader
from ...source import Source
from ..styles import STYLES
from .cleaning import ChainError, cleaned, skeleton_words
from .importing import documents_of, headers_of, imported
from .trees import Tree

if TYPE_CHECKING:
    from ..reader import TaggedReader

_Any = TypeVar("_Any")


def documents(reader: TaggedReader, reading: str, warnings: Warnings, start: int, stop: int) -> Iterator[Document]:
    """Those of the file that the chain writes; in the reading ``…-z``, both programs are run with that option."""
    if not reader.over_corefud:
        reader.source.refuse(
            "is to be read as text2text_coref reads it, which needs a skeleton in CorefUD",
            "name one: --skeleton FILE",
        )
    if other := STYLES["crac"].mistaken_for(reader.source.text(0, reader.source.size)):
        message = f"looks like style {other}, but text2text_coref reads no other than crac"
        warnings.add("style", reader.source.name, 0, message)
    text = corefud(reader.source, reader.skeleton.source, reading.endswith("-z"), warnings)
    yield from CorefUDReader(Source(reader.source.name, BytesIO(text.encode())), Warnings()).documents(start, stop)


def corefud(printed: Source, skeleton: Source, zeros: bool, warnings: Warnings) -> str:
    """What the chain writes. Where a program of it ends with an error, that is one that names it."""
    chain = _Chain(printed, skeleton, zeros, warnings)
    try:
        return "".join(f"{line}\n" for line in chain.lines())
    except ChainError as stopped:
        raise InputError(
            f"text2text_coref {chain.step} ends with {stopped.error} here: {stopped.cause}",
            path=printed.name,
            line=chain.line,
            hint="read it by its words, as far as they go: --reading faithful",
            code="text2text-stops",
        ) from None


class _Chain:
    """Both programs, one after the other, and how far they have come: ``step`` and ``line`` of the printed text."""

    def __init__(self, printed: Source, skeleton: Source, zeros: bool, warnings: Warnings) -> None:
        self._name, self._zeros, self._warnings = printed.name, zeros, warnings
        self._printed, self._skeleton = (source.text(0, source.size).split("\n") for source in (printed, skeleton))
        if not self._printed[-1]:
            self._printed.pop()
        self.step, self.line = "clean", 0

    def lines(self) -> Iterator[str]:
        """The lines of the CorefUD file."""
        words = skeleton_words(self._skeleton, self._zeros)
        items = [
            list(cleaned(line, sentences, self._zeros))
            for line, sentences in self._counted(zip(self._printed, words, strict=False))
        ]
        self.step, self.line = "text2conllu", 0
        documents = documents_of(self._skeleton)
        if len(items) != len(documents):
            raise ChainError("AssertionError", f"{len(items)} printed documents for {len(documents)} of the skeleton")
        for cleaned_items, trees, header in self._counted(zip(items, documents, headers_of(documents), strict=True)):
            yield from imported(cleaned_items, trees, header, self._zeros)
            self._tell_of_numbers(trees)

    def _tell_of_numbers(self, trees: Iterable[Tree]) -> None:
        """Warn of numbers that are read otherwise: they are decimal fractions there, and may be those of words."""
        for tree in trees:
            if tree.is_misnumbered:
                numbers = ", ".join(str(node.number) for node in tree.empty)
                message = f"text2text_coref -z numbers empty nodes of {tree.name} {numbers}: read in this order"
                self._warnings.add("text2text", self._name, self.line, message)

    def _counted(self, documents: Iterable[_Any]) -> Iterator[_Any]:
        """The same; ``line`` is that of the last one."""
        for document in documents:
            self.line += 1
            yield document
