"""A CoNLL-U file as stretches of lines between empty lines, whatever is in them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ...read.source import Source
from .problems import Problems


class Block(NamedTuple):
    """Lines that follow each other, none of them empty."""

    line: int
    """The number of the first."""
    lines: list[str]


def blocks(source: Source, problems: Problems) -> Iterator[Block]:
    """The blocks of a file; what is wrong with its encoding and its empty lines is noted."""
    number, begun = 0, 1
    gathered: list[str] = []
    for lines in decoded(source, b"\n\n", problems):
        for line in lines:
            number += 1
            if line:
                begun = begun if gathered else number
                gathered.append(line)
            elif gathered:
                yield Block(begun, gathered)
                gathered = []
            else:
                problems.add("extra-empty-line", number, "an empty line after another, or at the beginning")
    if gathered:
        problems.add("missing-last-empty-line", number, "the file ends without an empty line after this")
        yield Block(begun, gathered)


def decoded(source: Source, separator: bytes, problems: Problems) -> Iterator[list[str]]:
    """The lines of a file in large portions; bytes that are not UTF-8 are noted and replaced."""
    before = 0
    for _, piece in source.pieces(separator):
        raw = piece.removesuffix(b"\n")
        try:
            lines = raw.decode("utf-8").split("\n")
        except UnicodeDecodeError:
            lines = [_mended(line, number, problems) for number, line in enumerate(raw.split(b"\n"), before + 1)]
        yield lines
        before += len(lines)


def _mended(line: bytes, number: int, problems: Problems) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as error:
        problems.add("not-utf-8", number, f"byte 0x{line[error.start]:02x} is not UTF-8")
        return line.decode("utf-8", errors="replace")


def check_bytes(source: Source, problems: Problems) -> None:
    """Note a byte order mark, and line ends with carriage returns (which a source has converted already)."""
    if source.start:
        problems.add("byte-order-mark", 1, "the file begins with a byte order mark")
    if source.first_return:
        message = "lines end in a carriage return, from this one on or here and there"
        problems.add("carriage-return", source.first_return, message)
