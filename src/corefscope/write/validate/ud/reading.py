"""A file as the official validator goes through it: sentence by sentence, level by level."""

from __future__ import annotations

from collections.abc import Iterator

from ....read.source import Source
from ..problems import Problems
from .columns import ColumnChecks
from .comments import Comments
from .entities import Entities
from .lines import is_end, read_sentence
from .sentence import UDSentence
from .trees import check_graph, check_references, check_tree, has_graph


def check_file(source: Source, problems: Problems) -> None:
    """Note what the official validator would refuse or warn of."""
    UDValidation(problems).check(source)


class UDValidation:
    """The state of one file."""

    def __init__(self, problems: Problems) -> None:
        self._note = problems.add
        self._columns = ColumnChecks(self._note)
        self._comments = Comments(self._note)
        self._entities = Entities(self._note)
        self._graphs: dict[bool, int] = {}  # the first sentence with DEPS, and the first without

    def check(self, source: Source) -> None:
        """Go through a file."""
        number = 0
        gathered: list[str] = []
        for number, line in enumerate(_lines(source), 1):
            gathered.append(line)
            if is_end(line):
                self._sentence(gathered, number - len(gathered) + 1)
                gathered = []
        if gathered:
            self._sentence(gathered, number - len(gathered) + 1)
        if source.first_return:
            self._note("non-unix-newline", source.first_return, "lines end in carriage returns")

    def _sentence(self, lines: list[str], first: int) -> None:
        """What fails an early test is not looked at further."""
        sentence = read_sentence(lines, first, self._note)
        if sentence is None:
            return
        if not check_references(sentence, self._note) or not check_tree(sentence, self._note):
            return
        if not self._columns.check(sentence):
            return
        self._check_all_or_none(sentence)
        self._comments.check(sentence)
        check_graph(sentence, self._note)
        self._entities.check(sentence)

    def _check_all_or_none(self, sentence: UDSentence) -> None:
        """DEPS stand in all sentences or in none; the first that differs is noted."""
        with_graph = has_graph(sentence)
        if with_graph not in self._graphs and self._graphs:
            (other,) = self._graphs.values()
            message = (
                f"{'' if with_graph else 'no '}DEPS here, but {'none' if with_graph else 'some'} in line {other}"
            )
            self._note("edeps-only-sometimes", sentence.first, message)
        self._graphs.setdefault(with_graph, sentence.first)


def _lines(source: Source) -> Iterator[str]:
    """The lines of a file; a byte order mark stays, and bytes that are not UTF-8 are replaced."""
    mark = "\ufeff" if source.start else ""
    for _, piece in source.pieces(b"\n\n"):
        first, *others = piece.removesuffix(b"\n").decode("utf-8", errors="replace").split("\n")
        yield mark + first
        yield from others
        mark = ""
