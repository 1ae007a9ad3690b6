"""The documents of printed text as the organisers' chain and CorefUD scorer 1.2 read them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from io import BytesIO

from ....base.annotations import TypeVar
from ....base.document import Document
from ....base.errors import InputError, Warnings
from ...corefud.reader import CorefUDReader
from ...source import Source
from .cleaning import ChainError, cleaned, skeleton_words
from .importing import documents_of, headers_of, imported

_Any = TypeVar("_Any")


def documents(printed: Source, skeleton: Source, zeros: bool, start: int, stop: int) -> Iterator[Document]:
    """Those of the file that the chain writes; ``zeros``: both programs are run with ``-z``."""
    data = corefud(printed, skeleton, zeros).encode()
    yield from CorefUDReader(Source(printed.name, BytesIO(data)), Warnings()).documents(start, stop)


def corefud(printed: Source, skeleton: Source, zeros: bool) -> str:
    """What the chain writes. Where a program of it ends with an error, that is one that names it."""
    chain = _Chain(printed, skeleton, zeros)
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

    def __init__(self, printed: Source, skeleton: Source, zeros: bool) -> None:
        self._printed, self._skeleton = (source.text(0, source.size).split("\n") for source in (printed, skeleton))
        if not self._printed[-1]:
            self._printed.pop()
        self._zeros = zeros
        self.step, self.line = "clean", 0

    def lines(self) -> Iterator[str]:
        """The lines of the CorefUD file."""
        words = skeleton_words(self._skeleton, self._zeros)
        items = [
            list(cleaned(line, sentences, self._zeros))
            for line, sentences in self._counted(zip(self._printed, words, strict=False))
        ]
        self.step, self.line = "text2conllu", 0
        trees = documents_of(self._skeleton)
        if len(items) != len(trees):
            raise ChainError("AssertionError", f"{len(items)} printed documents for {len(trees)} of the skeleton")
        for document in self._counted(zip(items, trees, headers_of(trees), strict=True)):
            yield from imported(*document, self._zeros)

    def _counted(self, documents: Iterable[_Any]) -> Iterator[_Any]:
        """The same; ``line`` is that of the last one."""
        for document in documents:
            self.line += 1
            yield document
