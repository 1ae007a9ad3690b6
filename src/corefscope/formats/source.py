"""Input files, plain or compressed, and standard input: parts in any order; and the protocol of readers.

Streams, compressed files and files with other line ends are copied first. The copy is kept in memory while it is
small, otherwise in a temporary file without a name. It is never larger than ``COREFSCOPE_MAX_UNPACKED`` allows
(``--max-unpacked`` sets it), so that a few bytes cannot fill a disk. Nor may it take more memory than
:func:`max_memory`; plain files may, since their size shows how large they are.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from importlib import import_module
from itertools import chain
from stat import S_ISREG
from typing import TYPE_CHECKING, BinaryIO, NoReturn, Protocol, cast, runtime_checkable

from ..core.document import Document
from ..core.errors import CorefscopeError, InputError, OptionError

if TYPE_CHECKING:
    from ..llm.copy_report import CopyReport
    from ..llm.options import PrintedOptions
    from .tables.columns import ColumnNames

PIECE = 1 << 18
LONGEST_PIECE = 1 << 30
"""Maximum number of bytes that must be in memory together, such as those of a line."""
IN_MEMORY = 1 << 26
ITEM_SIZE, LIST_SIZE = 64, 300
"""Bytes that an element of JSON takes, and an array or object with what is made of it, such as a mention."""
MAX_UNPACKED = "COREFSCOPE_MAX_UNPACKED"
"""Environment variable of the limit; worker processes inherit it."""
DEFAULT_LIMIT = "20GB"
LEAST_MEMORY = 2 * 10**9
"""Bytes of memory that compressed input may take by default: a laptop has them."""
UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
SPARE_DISK = 1 << 28
"""Bytes that are left free on the disk for temporary files."""
COMPRESSIONS = {b"\x1f\x8b": "gzip", b"\xfd7zXZ\x00": "lzma", b"BZh": "bz2"}
PARQUET = b"PAR1"
MAY_BE_EMPTY = (".ann", ".ann.gz", ".ann.xz", ".ann.bz2")
"""Suffixes of files that are empty if nothing is annotated: their text is in another file."""
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

unreadable: partial[InputError] = partial(InputError, code="unreadable-file")


def path_name(path: object) -> str:
    """A path as text."""
    name = os.fspath(path) if isinstance(path, str | os.PathLike) else None
    if not isinstance(name, str):
        hint = "give a str or a pathlib.Path; score_tables takes data frames"
        raise unreadable(f"{path!r:.60} is not a path", hint=hint)
    return name


def read_once(name: str) -> bool:
    """Whether an input can be read only once: standard input, pipes and devices."""
    return name == "-" or (os.path.exists(name) and not (os.path.isfile(name) or os.path.isdir(name)))


def refuse_pipes(paths: Iterable[object], why: str, error: type[CorefscopeError] = InputError) -> None:
    """Refuse inputs that can be read only once."""
    for name in map(path_name, paths):
        if read_once(name):
            what = "standard input" if name == "-" else name
            raise error(f"{what} can be read only once\n  hint: save it to a file first: {why}")


def read_text(path: str | os.PathLike[str]) -> str:
    """The text of a small file: a manifest, a saved result."""
    with _small_file(path) as source:
        return source.text(source.start, source.size)


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """The unpacked content of a small file, without a byte order mark."""
    with _small_file(path) as source:
        return source.read(source.start, source.size)


@contextmanager
def _small_file(path: str | os.PathLike[str]) -> Iterator[Source]:
    """A file that is read as a whole."""
    source = Source.open(path)
    try:
        source.check_memory(source.start, source.size)
        yield source
    finally:
        source.close()


_Stamp = tuple[int, int] | None
"""Size and time of a file on disk; None for a stream or a device."""


class Source:
    """A file of known size whose parts can be read in any order.

    Lines end in a line feed: a file with other line ends is converted once, when it is opened. Standard input, pipes
    and compressed files are copied, to disk if they are large. A file that changes while it is read is an error:
    after each read, its size and time must be those of the beginning.
    """

    def __init__(self, name: str, file: BinaryIO, stamp: _Stamp = None) -> None:
        self.name = name
        self.file = file
        self._stamp = stamp
        self._translations: list[BinaryIO] = []
        self.is_unpacked = False
        """Whether it was compressed: a few bytes may have become many, so memory is limited."""
        self._lines_at = [1]  # numbers of the lines in which pieces begin, as far as counted
        self.size: int = stamp[0] if stamp else file.seek(0, os.SEEK_END)
        self.start: int = len(BOM) if self.read(0, len(BOM)) == BOM else 0
        self.first_return = 0
        """The first line that had a carriage return before it was converted; 0 if none had."""

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Source:
        """Open a path, or ``-``; every failure is an InputError with a remedy."""
        name = path_name(path)
        try:
            return cls._open(name)
        except CorefscopeError:
            raise
        except (OSError, EOFError, ValueError) as error:
            kind = IsADirectoryError if os.path.isdir(name) else type(error)  # Windows: permission denied
            message, hint = FAILURES.get(kind, (f"cannot be read: {error}", ""))
            raise unreadable(message, path=name, hint=hint) from None

    @classmethod
    def _open(cls, name: str) -> Source:
        if name == "-":
            if sys.stdin is None:
                raise unreadable("is closed", path="<stdin>", hint="pipe a file into it, or name one")
            name, stdin = "<stdin>", cast("BinaryIO", sys.stdin.buffer)
            return cls._readable(name, spooled(text_stream(pieces(stdin), name), name), None)
        file: BinaryIO = open(name, "rb")  # noqa: SIM115  (closed by Source.close)
        stamp = _stamp_of(file)
        if stamp is None:
            file = _replaced(file, text_stream(pieces(file), name), name, None)
        return cls._readable(name, file, stamp)

    @classmethod
    def _readable(cls, name: str, file: BinaryIO, stamp: _Stamp) -> Source:
        """The source, unpacked and with line feeds; the file is closed on failure."""
        try:
            first = _read_start(file)
            for mark, encoding in WIDE_ENCODINGS.items():
                if first.startswith(mark):
                    raise unreadable(f"is {encoding}, not UTF-8", path=name, hint="convert it: iconv -t utf-8")
            is_unpacked = False
            for mark, compression in COMPRESSIONS.items():
                if first.startswith(mark):
                    is_unpacked = True
                    file = _replaced(file, text_stream(decompressed(file, compression, name), name), name, stamp)
                    first, stamp = _read_start(file), None
            line = 0
            if not first.startswith(PARQUET) and any(b"\r" in piece for piece in pieces(file)):
                file.seek(0)
                line = first_return(pieces(file))
                file.seek(0)
                file, stamp = _replaced(file, unix_lines(pieces(file)), name, stamp), None
            source = cls(name, file, stamp)
            source.first_return, source.is_unpacked = line, is_unpacked
            if source.size == source.start and not name.lower().endswith(MAY_BE_EMPTY):
                source.refuse("is empty", "was the program that wrote it interrupted?", code="no-sentence")
        except BaseException:
            file.close()
            raise
        return source

    def read(self, start: int, end: int) -> bytes:
        """The bytes from ``start`` up to ``end``, or to the end of the file.

        Compressed input must leave memory for what is made of the bytes: a quarter of :func:`max_memory` at a time.
        """
        if self.is_unpacked and min(end, self.size) - start > max_memory() // 4:
            raise memory_error(self.name)
        self.file.seek(start)
        data = self.file.read(max(min(end, self.size) - start, 0))
        if len(data) < min(end, self.size) - start:
            raise _changed(self.name)
        self.check_unchanged()
        return data

    def check_memory(self, start: int, end: int, *, item: int = ITEM_SIZE, line: int = 0) -> None:
        """Refuse compressed JSON whose values would take more memory than :func:`max_memory`.

        ``item`` is the size of an element; brackets and commas tell how many there are before any is made.
        """
        if not self.is_unpacked:
            return
        needed, limit = 0, max_memory()
        for offset in range(start, end, PIECE):
            piece = self.read(offset, min(offset + PIECE, end))
            needed += len(piece) + item * piece.count(b",") + LIST_SIZE * (piece.count(b"[") + piece.count(b"{"))
            if needed > limit:
                raise memory_error(self.name, line)

    def check_unchanged(self) -> None:
        """Refuse a file that has changed since it was opened: its parts may not fit together."""
        _check_stamp(self.file, self._stamp, self.name)

    def text(self, start: int, end: int) -> str:
        """Text from ``start`` up to ``end``; bytes that are not UTF-8 are an error with their line."""
        return self.decoded(self.read(start, end), start)

    def decoded(self, data: bytes, start: int) -> str:
        """Bytes that were read from ``start`` on, as text."""
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError as error:
            if b"\0" in data:
                self.refuse("is a binary file", "text in UTF-8 is needed", code="not-utf-8")
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
                    if size > LONGEST_PIECE:
                        what = "a line" if separator == b"\n" else "a sentence"
                        hint = "is it a file of another kind?"
                        self.refuse(f"{what} is longer than {LONGEST_PIECE:,} bytes", hint, self.line_number(offset))
                    continue
                piece = piece[: cut + len(separator)]
            yield offset, piece
            offset, size = offset + len(piece), PIECE

    def line_number(self, offset: int) -> int:
        """The 1-based number of the line that holds the byte at ``offset``; pieces are counted once, lazily."""
        known, piece = self._lines_at, offset // PIECE
        while len(known) <= piece:
            start = (len(known) - 1) * PIECE
            known.append(known[-1] + self.read(start, start + PIECE).count(b"\n"))
        return known[piece] + self.read(piece * PIECE, offset).count(b"\n")

    def digest(self) -> str:
        """SHA-256 of the unpacked content, as hexadecimal digits."""
        from hashlib import sha256  # 10 ms, for digests only

        digest = sha256()
        for start in range(0, self.size, PIECE):
            digest.update(self.read(start, start + PIECE))
        return digest.hexdigest()

    def refuse(self, message: str, hint: str, line: int = 0, code: str = "refused") -> NoReturn:
        """Raise the error about this file."""
        raise InputError(message, path=self.name, line=line, hint=hint, code=code) from None

    def close(self) -> None:
        """Close the file, and what it was translated into."""
        for file in (self.file, *self._translations):
            file.close()


class TranslatedSource(Source):
    """A file as another format has it, for the reader of that format; digests are those of the file itself."""

    def __init__(self, original: Source, file: BinaryIO) -> None:
        self.original = original
        original._translations.append(file)
        super().__init__(original.name, file)
        self.is_unpacked: bool = original.is_unpacked
        self.first_return: int = original.first_return

    def digest(self) -> str:
        """SHA-256 of the unpacked content of the file."""
        return self.original.digest()

    def check_unchanged(self) -> None:
        """Refuse a file that has changed since it was opened."""
        self.original.check_unchanged()

    def close(self) -> None:
        """Close the file and its translation."""
        self.original.close()


def _stamp_of(file: BinaryIO) -> _Stamp:
    status = os.fstat(file.fileno())
    return (status.st_size, status.st_mtime_ns) if S_ISREG(status.st_mode) else None


def _check_stamp(file: BinaryIO, stamp: _Stamp, name: str) -> None:
    if stamp is not None and _stamp_of(file) != stamp:
        raise _changed(name)


def _changed(name: str) -> InputError:
    hint = "wait until the program that writes it has ended, then run this again"
    return unreadable("changed while it was read", path=name, hint=hint)


def _read_start(file: BinaryIO) -> bytes:
    """The first bytes, which tell kinds of files apart; the file is rewound."""
    first = file.read(6)
    file.seek(0)
    return first


def _replaced(file: BinaryIO, unpacked: Iterator[bytes], name: str, stamp: _Stamp) -> BinaryIO:
    """A spooled copy in place of a file, which is closed."""
    with file:
        copy = spooled(unpacked, name)
        try:
            _check_stamp(file, stamp, name)
        except BaseException:
            copy.close()
            raise
    return copy


@runtime_checkable
class LayoutSharer(Protocol):
    """A reader that is faster where another one has just read the same text."""

    def share_layout_with(self, other: object) -> None:
        """Reuse the layout of that reader's document where the lines are the same."""


@runtime_checkable
class PrintedReader(Protocol):
    """A reader that has options for text that language models print."""

    def read_as(self, options: PrintedOptions) -> None:
        """Set the options."""


@runtime_checkable
class RelationSelector(Protocol):
    """A reader of annotation in which relations of some names are identity."""

    def select_relations(self, names: Iterable[str]) -> None:
        """Take relations of these names for identity."""


@runtime_checkable
class ColumnSelector(Protocol):
    """A reader of tables, whose columns users may name."""

    def select_columns(self, names: ColumnNames) -> None:
        """Take the columns of these names."""

    def columns_read(self) -> dict[str, str]:
        """The columns that are read, by what they hold."""


@runtime_checkable
class SkeletonReader(Protocol):
    """A reader of text that has its words from another file, the skeleton."""

    copy_report: CopyReport
    """Report of how words were copied."""

    @property
    def over_corefud(self) -> bool:
        """Whether the skeleton is CorefUD."""

    def documents_over(self, key: Iterator[Document]) -> Iterator[Document]:
        """All documents; ``key`` yields those of the key, which are not read again if they are the skeleton."""


class DocumentReader(Protocol):
    """Reader of a file: documents one at a time, their ids known beforehand."""

    source: Source
    has_heads: bool
    """Whether the file says which words are heads."""

    @property
    def names(self) -> list[str]:
        """The ids of the documents: in the order of the file if mentions are words, sorted if they are ids."""

    def line_of_document(self, index: int) -> int:
        """The line of the file on which a document begins."""

    def __iter__(self) -> Iterator[Document]: ...

    @property
    def starts(self) -> Sequence[int]:
        """Where documents begin in the file, if it can be read from any of them on; otherwise empty."""

    def documents(self, start: int, stop: int) -> Iterator[Document]:
        """Documents ``start`` up to ``stop``, the same as when all are read; called only if there are ``starts``."""


def documents_in(reader: DocumentReader, start: int, stop: int) -> Iterator[Document]:
    """Documents ``start`` up to ``stop``; of a reader without ``starts``, these are always all of them."""
    return reader.documents(start, stop) if reader.starts else iter(reader)


def parse_size(text: str) -> int:
    """Parse a number of bytes with its unit.

    >>> parse_size("500MB"), parse_size("2 gb"), parse_size("1.5GB")
    (500000000, 2000000000, 1500000000)
    """
    match = re.fullmatch(r"([0-9]{1,15}(?:\.[0-9]{1,3})?) ?([KMGT]?)B?", text.strip().upper(), re.ASCII)
    size = int(float(match[1]) * UNITS[match[2]]) if match else 0
    if not size:
        raise OptionError(f"{text!r} is not a size: write 500MB, 20GB or a number of bytes")
    return size


def max_unpacked() -> int:
    """Maximum number of bytes of an unpacked file."""
    text = os.environ.get(MAX_UNPACKED) or DEFAULT_LIMIT
    try:
        return parse_size(text)
    except OptionError as error:
        raise OptionError(f"{MAX_UNPACKED}: {error}") from None


def max_memory() -> int:
    """Bytes of memory that one compressed file may take: 2 GB, or what ``--max-unpacked`` says if that is more."""
    return max(LEAST_MEMORY, max_unpacked()) if os.environ.get(MAX_UNPACKED) else LEAST_MEMORY


def memory_error(name: str, line: int = 0) -> InputError:
    """Error about a compressed file that would take more memory than :func:`max_memory`."""
    hint = f"if it is meant to be so large, allow more: --max-unpacked 20GB, or {MAX_UNPACKED} in the environment"
    limit = os.environ.get(MAX_UNPACKED) if max_memory() > LEAST_MEMORY else "2GB"
    message = f"would take more than {limit} of memory once it is unpacked"
    return unreadable(message, path=name, line=line, hint=hint)


def size_error(name: str) -> InputError:
    """Error about a file that unpacks to more than the limit."""
    limit = os.environ.get(MAX_UNPACKED) or DEFAULT_LIMIT
    hint = f"if it is meant to be so large, allow more: --max-unpacked, or {MAX_UNPACKED} in the environment"
    return unreadable(f"unpacks to more than {limit}", path=name, hint=hint)


def pieces(file: BinaryIO) -> Iterator[bytes]:
    """The rest of a file, piece by piece."""
    return iter(lambda: file.read(PIECE), b"")


def spooled(unpacked: Iterator[bytes], name: str) -> BinaryIO:
    """A temporary copy whose parts can be read in any order; it vanishes when it is closed, or on failure."""
    from shutil import disk_usage  # with tempfile 20 ms, for compressed files and pipes only
    from tempfile import SpooledTemporaryFile, gettempdir

    limit, size = max_unpacked(), 0
    file = SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115  (closed by Source.close)
    try:
        for piece in unpacked:
            size += len(piece)
            if size > limit:
                raise size_error(name)
            directory = gettempdir()
            if size > IN_MEMORY and disk_usage(directory).free < SPARE_DISK:  # a full disk stops other programs, too
                hint = "unpack it first, or name another directory: TMPDIR"
                raise unreadable(f"not enough disk space to decompress it in {directory}", path=name, hint=hint)
            try:
                file.write(piece)
            except OSError as error:  # the copy has no name, so the error names the directory
                hint = "set TMPDIR to another directory: the input is compressed, a pipe, or has other line ends"
                message = f"cannot be written: {error.strerror or error}"
                raise unreadable(message, path=directory, hint=hint) from None
    except BaseException:
        with suppress(OSError):  # a full disk once more
            file.close()
        raise
    file.seek(0)
    return cast("BinaryIO", file)


def text_stream(stream: Iterator[bytes], name: str) -> Iterator[bytes]:
    """Refuse a binary stream that is not unpacked later: devices may be endless."""
    first = next(stream, b"")
    if b"\0" in first and not first.startswith((PARQUET, *COMPRESSIONS, b"\xff\xfe", b"\xfe\xff")):
        raise unreadable("is a binary file", path=name, hint="text in UTF-8 is needed")
    return chain([first], stream)


def decompressed(file: BinaryIO, compression: str, name: str) -> Iterator[bytes]:
    """The content of a compressed file."""
    try:
        with import_module(compression).open(file) as opened:
            yield from pieces(opened)
    except Exception as error:  # each of the three modules raises errors of its own
        raise unreadable(
            f"is damaged {compression} data: {error}", path=name, hint="compress it again, or unpack it first"
        ) from None


def first_return(pieces: Iterator[bytes]) -> int:
    """The number of the first line with a carriage return; 0 if there is none."""
    line = 1
    for piece in pieces:
        offset = piece.find(b"\r")
        if offset >= 0:
            return line + piece.count(b"\n", 0, offset)
        line += piece.count(b"\n")
    return 0


def unix_lines(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Convert every line end to a line feed; a CR LF pair may be cut by the end of a piece."""
    held = b""
    for piece in pieces:
        piece = held + piece
        held = b"\r" if piece.endswith(b"\r") else b""
        yield piece[: len(piece) - len(held)].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if held:
        yield b"\n"
