"""The words of a sentence, numbered lazily because most are only compared; their parts of speech and speakers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple, TypeVar, overload

from ..core.document import Sentence, is_comment

T = TypeVar("T")


class NumberedWords(Sequence[str]):
    r"""The words of a sentence as ``ID⇥FORM``, made lazily from their forms.

    >>> NumberedWords(["a", "b"])[1], NumberedWords(["a", "b"]) == ["1\ta", "2\tb"]
    ('2\tb', True)
    """

    __slots__ = ("forms",)

    def __init__(self, forms: Sequence[str]) -> None:
        self.forms: Sequence[str] = forms

    def __len__(self) -> int:
        return len(self.forms)

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> list[str]: ...

    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return list(self)[index]
        return f"{range(1, len(self.forms) + 1)[index]}\t{self.forms[index]}"

    def __iter__(self) -> Iterator[str]:
        return (f"{number}\t{form}" for number, form in enumerate(self.forms, 1))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, NumberedWords):
            return self.forms == other.forms or (  # a text is a sentence of characters, too
                type(self.forms) is not type(other.forms) and list(self.forms) == list(other.forms)
            )
        return list(self) == other


class RowWords(NumberedWords):
    r"""The words of rows of columns, which a function extracts lazily.

    Rows that differ in nothing but the last column, where coreference is annotated, have the same words.

    >>> words, others = (RowWords([row], str.upper) for row in ("a\t(3)", "a\t-"))
    >>> words[0], words == others
    ('1\tA\t(3)', True)
    """

    def __init__(self, rows: list[str], form: Callable[[str], str]) -> None:
        self.rows = rows
        self._form = form

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def forms(self) -> list[str]:  # type: ignore[override]
        """The forms of the words."""
        return list(map(self._form, self.rows))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, RowWords) and self._form == other._form and same_but_last(self.rows, other.rows):
            return True
        return super().__eq__(other)


class BorrowedSentence(Sentence):
    """A sentence with the words of another file; ``line`` is where it begins in the file that has the mentions."""

    __slots__ = ()

    def line_of(self, position: int) -> int:  # noqa: ARG002
        """The line of the sentence: the file has no lines for these words."""
        return self.line


def forms_of(sentence: Sentence) -> Sequence[str]:
    """The forms of the words of a sentence."""
    words = sentence.words
    return words.forms if isinstance(words, NumberedWords) else [word.partition("\t")[2] for word in words]


def same_but_last(rows: list[str], others: list[str]) -> bool:
    """Whether rows of two columns or more are the same but for the last."""
    if len(rows) != len(others):
        return False
    for row, other in zip(rows, others, strict=True):
        if row != other:
            columns, tab, _ = row.rpartition("\t")
            other_columns, other_tab, _ = other.rpartition("\t")
            if not tab and not other_tab:
                columns, other_columns = row.rsplit(None, 1)[0], other.rsplit(None, 1)[0]
            if columns != other_columns or tab != other_tab:
                return False
    return True


def sorted_runs(items: list[T], sizes: Iterable[int]) -> Iterator[list[T]]:
    """Items cut into consecutive runs of these sizes, each of them sorted.

    >>> list(sorted_runs([3, 2, 1], [1, 2]))
    [[3], [1, 2]]
    """
    start = 0
    for size in sizes:
        run = items[start : start + size]
        if size > 1:
            run.sort()
        yield run
        start += size


UNKNOWN = ("-", "*", "_")


class Tag(NamedTuple):
    """Part of speech and speaker of a word; empty if unknown."""

    pos: str
    speaker: str


def of_conllu(sentence: Sentence) -> list[Tag]:
    """The tags of CoNLL-U: XPOS, or else UPOS; the speaker is in a comment."""
    speaker, tags = "", []
    for line in sentence.lines:
        if line[:1] == "#":
            name, equals, value = line[1:].partition("=")
            if equals and name.strip() == "speaker":
                speaker = value.strip()
            continue
        columns = line.split("\t") if "\t" in line else [*line.split(), ""]  # CoNLL-UA may have blanks
        if columns[0].isdigit():
            tags.append(Tag(next((tag for tag in columns[4:2:-1] if tag != "_"), ""), speaker))
    return tags


def of_conll(sentence: Sentence) -> list[Tag]:
    """The tags of CoNLL-2012: columns 5 and 10 of a file that has all columns; those of a shorter one are unknown."""
    rows = conll_rows(sentence)
    if any(len(row) < 12 for row in rows):
        return []
    cells = [(row[4].strip(), row[9].strip()) for row in rows]
    return [Tag(*("" if cell in UNKNOWN else cell for cell in pair)) for pair in cells]


def conll_rows(sentence: Sentence) -> list[list[str]]:
    """The columns of the words of a CoNLL file."""
    lines = [line for line in sentence.lines if line and not is_comment(line)]
    return [line.split("\t") if "\t" in line else line.split() for line in lines]


TAGS: dict[str, Callable[[Sentence], list[Tag]]] = {"of_conllu": of_conllu, "of_conll": of_conll}
"""Functions that find tags, by the names that formats give them (``Layers.tags``)."""
