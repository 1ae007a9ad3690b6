"""Where bytes come from: a path, ``-`` for standard input, plain or compressed, read piece by piece."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import partial
from typing import IO, BinaryIO, NoReturn, cast

from ..base.errors import CorefscopeError, InputError

PIECE = 1 << 22
IN_MEMORY = 1 << 26

COMPRESSIONS = {b"\x1f\x8b": "gzip", b"\xfd7zXZ\x00": "lzma", b"BZh": "bz2"}
WIDE_ENCODINGS = {
    b"\xff\xfe\x00\x00": "UTF-32",
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
    b"\x00\x00\xfe\xff": "UTF-32",
}
BOM = b"\xef\xbb\xbf"
FAILURES: dict[type[Exception], tuple[str, str]] = {
    FileNotFoundError: ("no such file", "check the spelling of the path"),
    IsADirectoryError: ("is a directory", "name one file in it"),
    PermissionError: ("may not be read (permission denied)", ""),
}
"""Why a file cannot be opened: the message, and a hint."""
unreadable = partial(InputError, code="unreadable-file")


def path_name(path: object) -> str:
    """A path as text."""
    name = os.fspath(path) if isinstance(path, str | os.PathLike) else None
    if not isinstance(name, str):
        raise unreadable(f"{path!r} is not a path", hint="give a str or a pathlib.Path")
    return name


def refuse_pipes(paths: Iterable[object], why: str, error: type[CorefscopeError] = InputError) -> None:
    """Refuse what can be read only once: standard input, pipes and devices."""
    for name in map(path_name, paths):
        if name == "-" or (os.path.exists(name) and not (os.path.isfile(name) or os.path.isdir(name))):
            what = "standard input" if name == "-" else name
            raise error(f"{what} can be read only once\n  hint: save it to a file first: {why}")


class Source:
    """A file of known size whose parts can be read in any order.

    Lines end in a line feed: a file with other line ends is converted once, when it is opened. What cannot be
    read twice (standard input, pipes, compressed files) is spooled, to disk if it is large.
    """

    __slots__ = ("_file", "first_return", "name", "size", "start")

    def __init__(self, name: str, file: BinaryIO) -> None:
        self.name = name
        self._file = file
        file.seek(0, os.SEEK_END)
        self.size = file.tell()
        self.start = len(BOM) if self.read(0, len(BOM)) == BOM else 0
        self.first_return = 0
        """The first line that had a carriage return before it was converted; 0 if none had."""

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Source:
        """Open a path, or ``-``; every failure is an InputError that says what to do."""
        name = path_name(path)
        try:
            return cls._open(name)
        except InputError:
            raise
        except (OSError, EOFError, ValueError) as error:
            message, hint = FAILURES.get(type(error), (f"cannot be read: {error}", ""))
            raise unreadable(message, path=name, hint=hint) from None

    @classmethod
    def _open(cls, name: str) -> Source:
        if name == "-":
            if sys.stdin is None:
                raise unreadable("is closed", path="<stdin>", hint="pipe a file into it, or name one")
            return cls._readable("<stdin>", _spooled(_pieces(cast("BinaryIO", sys.stdin.buffer))))
        file: BinaryIO = open(name, "rb")  # noqa: SIM115  (closed by Source.close)
        return cls._readable(name, file if file.seekable() else _replaced(file, _pieces(file)))

    @classmethod
    def _readable(cls, name: str, file: BinaryIO) -> Source:
        """The source once it is unpacked and its lines end as they should; the file is closed if it never is."""
        try:
            first = file.read(6)
            file.seek(0)
            for mark, encoding in WIDE_ENCODINGS.items():
                if first.startswith(mark):
                    raise unreadable(f"is {encoding}, not UTF-8", path=name, hint="convert it: iconv -t utf-8")
            for mark, compression in COMPRESSIONS.items():
                if first.startswith(mark):
                    file = _replaced(file, _decompressed(file, compression, name))
            first_return = 0
            if any(b"\r" in piece for piece in _pieces(file)):
                file.seek(0)
                first_return = _first_return(_pieces(file))
                file.seek(0)
                file = _replaced(file, _unix_lines(_pieces(file)))
            source = cls(name, file)
            source.first_return = first_return
            if source.size == source.start:
                source.refuse("is empty", "was the program that wrote it interrupted?", code="no-sentence")
        except BaseException:
            file.close()
            raise
        return source

    def read(self, start: int, end: int) -> bytes:
        """The bytes from ``start`` up to ``end``."""
        self._file.seek(start)
        return self._file.read(end - start)

    def text(self, start: int, end: int) -> str:
        """The same as text; bytes that are not UTF-8 are an error with their line."""
        data = self.read(start, end)
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError as error:
            if b"\0" in data:
                raise unreadable("is a binary file", path=self.name, hint="text in UTF-8 is needed") from None
            hint = "convert the file, e.g. with iconv -f latin1 -t utf-8"
            line = self.line_number(start + error.start)
            self.refuse(f"byte 0x{data[error.start]:02x} is not UTF-8", hint, line, "not-utf-8")

    def pieces(self, separator: bytes) -> Iterator[tuple[int, bytes]]:
        """The file in large pieces that end in a separator (or with the file), each with its offset."""
        offset, size = self.start, PIECE
        while offset < self.size:
            piece = self.read(offset, offset + size)
            if offset + len(piece) < self.size:
                cut = piece.rfind(separator)
                if cut < 0:
                    size *= 2
                    continue
                piece = piece[: cut + len(separator)]
            yield offset, piece
            offset, size = offset + len(piece), PIECE

    def line_number(self, offset: int) -> int:
        """The 1-based number of the line that holds the byte at ``offset``: counted only when asked."""
        self._file.seek(0)
        sizes = [PIECE] * (offset // PIECE) + [offset % PIECE]
        return 1 + sum(self._file.read(size).count(b"\n") for size in sizes)

    def digest(self) -> str:
        """SHA-256 of the content, as hexadecimal digits: the same whether or not the file was compressed."""
        from hashlib import sha256

        digest = sha256()
        self._file.seek(0)
        for piece in _pieces(self._file):
            digest.update(piece)
        return digest.hexdigest()

    def refuse(self, message: str, hint: str, line: int = 0, code: str = "refused") -> NoReturn:
        """Raise the error about this file."""
        raise InputError(message, path=self.name, line=line, hint=hint, code=code) from None

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _pieces(file: BinaryIO) -> Iterator[bytes]:
    return iter(lambda: file.read(PIECE), b"")


def _replaced(file: BinaryIO, pieces: Iterator[bytes]) -> BinaryIO:
    """A spooled file instead of another, which is closed."""
    try:
        return _spooled(pieces)
    finally:
        file.close()


def _spooled(pieces: Iterator[bytes]) -> BinaryIO:
    from tempfile import SpooledTemporaryFile

    file = SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115  (closed by Source.close)
    try:
        for piece in pieces:
            _keep(piece, file)
    except BaseException:
        with suppress(OSError):  # a full disk once more
            file.close()
        raise
    file.seek(0)
    return cast("BinaryIO", file)


def _keep(piece: bytes, file: IO[bytes]) -> None:
    """Write to the copy; it has no name, so its error names the directory."""
    try:
        file.write(piece)
    except OSError as error:
        from tempfile import gettempdir

        hint = "TMPDIR names another directory for the copy of what is compressed, a pipe, or has other line ends"
        raise unreadable(f"cannot be written: {error.strerror or error}", path=gettempdir(), hint=hint) from None


def _decompressed(file: BinaryIO, compression: str, name: str) -> Iterator[bytes]:
    from importlib import import_module

    try:
        with import_module(compression).open(file) as opened:
            yield from _pieces(opened)
    except Exception as error:  # each of the three modules raises errors of its own
        raise unreadable(
            f"is damaged {compression} data: {error}", path=name, hint="compress it again, or unpack it first"
        ) from None


def _first_return(pieces: Iterator[bytes]) -> int:
    """The number of the first line with a carriage return; 0 if there is none."""
    line = 1
    for piece in pieces:
        offset = piece.find(b"\r")
        if offset >= 0:
            return line + piece.count(b"\n", 0, offset)
        line += piece.count(b"\n")
    return 0


def _unix_lines(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """The same bytes with every line end as a line feed; a CR LF pair may be cut by the end of a piece."""
    held = b""
    for piece in pieces:
        piece = held + piece
        held = b"\r" if piece.endswith(b"\r") else b""
        yield piece[: len(piece) - len(held)].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if held:
        yield b"\n"
