"""What cannot be read twice, made a file that can: streams, compressed files, and files with other line ends.

The copy is kept in memory while it is small, else in a temporary file without a name. It is never larger than
``COREFSCOPE_MAX_UNPACKED`` says (``--max-unpacked`` sets it), so that a few bytes cannot fill a disk. Nor may it take
more memory than :func:`max_memory`; plain files may, since their size shows how large they are.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from itertools import chain
from typing import IO, BinaryIO, cast

from ..base.errors import InputError, OptionError

PIECE = 1 << 18
IN_MEMORY = 1 << 26
MAX_UNPACKED = "COREFSCOPE_MAX_UNPACKED"
"""The variable of the environment that holds the limit: worker processes inherit it."""
DEFAULT_LIMIT = "20GB"
LEAST_MEMORY = 2 * 10**9
"""Bytes of memory that compressed input may take, unless more is asked for: a laptop has them."""
UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
SPARE_DISK = 1 << 28
"""Bytes of the disk for temporary files that are left to others."""
COMPRESSIONS = {b"\x1f\x8b": "gzip", b"\xfd7zXZ\x00": "lzma", b"BZh": "bz2"}
PARQUET = b"PAR1"
GLANCE = 1 << 20
"""Bytes in which it must be seen that a stream is text."""

unreadable = partial(InputError, code="unreadable-file")


def parse_size(text: str) -> int:
    """Bytes, as people write them.

    >>> parse_size("500MB"), parse_size("2 gb"), parse_size("1.5GB")
    (500000000, 2000000000, 1500000000)
    """
    match = re.fullmatch(r"([0-9]{1,15}(?:\.[0-9]{1,3})?) ?([KMGT]?)B?", text.strip().upper(), re.ASCII)
    size = int(float(match[1]) * UNITS[match[2]]) if match else 0
    if not size:
        raise OptionError(f"{text!r} is not a size: write 500MB, 20GB or a number of bytes")
    return size


def max_unpacked() -> int:
    """How many bytes a file may have once it is unpacked."""
    text = os.environ.get(MAX_UNPACKED) or DEFAULT_LIMIT
    try:
        return parse_size(text)
    except OptionError as error:
        raise OptionError(f"{MAX_UNPACKED}: {error}") from None


def max_memory() -> int:
    """Bytes of memory that one compressed file may take: 2 GB, or what ``--max-unpacked`` says if that is more."""
    return max(LEAST_MEMORY, max_unpacked()) if os.environ.get(MAX_UNPACKED) else LEAST_MEMORY


def refuse_memory(name: str, line: int = 0) -> InputError:
    """The error about a compressed file whose content would take more memory than :func:`max_memory`."""
    hint = f"if it is meant to be so large, allow more: --max-unpacked 20GB, or {MAX_UNPACKED} in the environment"
    limit = os.environ.get(MAX_UNPACKED) if max_memory() > LEAST_MEMORY else "2GB"
    message = f"would take more than {limit} of memory once it is unpacked"
    return unreadable(message, path=name, line=line, hint=hint)


def refuse_size(name: str) -> InputError:
    """The error about a file that is larger than the limit."""
    limit = os.environ.get(MAX_UNPACKED) or DEFAULT_LIMIT
    hint = f"if it is meant to be so large, allow more: --max-unpacked, or {MAX_UNPACKED} in the environment"
    return unreadable(f"unpacks to more than {limit}", path=name, hint=hint)


def pieces(file: BinaryIO) -> Iterator[bytes]:
    """The rest of a file, piece by piece."""
    return iter(lambda: file.read(PIECE), b"")


def spooled(unpacked: Iterator[bytes], name: str) -> BinaryIO:
    """A copy whose parts can be read in any order; it vanishes when it is closed, or if it cannot be finished."""
    from tempfile import SpooledTemporaryFile

    limit, size = max_unpacked(), 0
    file = SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115  (closed by Source.close)
    try:
        for piece in unpacked:
            size += len(piece)
            if size > limit:
                raise refuse_size(name)
            if size > IN_MEMORY:
                _check_room(name)
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


def _check_room(name: str) -> None:
    """A full disk is somebody else's trouble, too: stop before."""
    from shutil import disk_usage
    from tempfile import gettempdir

    directory = gettempdir()
    if disk_usage(directory).free < SPARE_DISK:
        hint = "unpack it first, or name another directory: TMPDIR"
        raise unreadable(f"there is no room to unpack it in {directory}", path=name, hint=hint)


def text_stream(stream: Iterator[bytes], name: str) -> Iterator[bytes]:
    """The same, if it begins like text, or like what is unpacked later; devices may go on for ever."""
    first = next(stream, b"")
    if b"\0" in first[:GLANCE] and not first.startswith((PARQUET, *COMPRESSIONS, b"\xff\xfe", b"\xfe\xff")):
        raise unreadable("is a binary file", path=name, hint="text in UTF-8 is needed")
    return chain([first], stream)


def decompressed(file: BinaryIO, compression: str, name: str) -> Iterator[bytes]:
    """The content of a compressed file."""
    from importlib import import_module

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
    """The same bytes with every line end as a line feed; a CR LF pair may be cut by the end of a piece."""
    held = b""
    for piece in pieces:
        piece = held + piece
        held = b"\r" if piece.endswith(b"\r") else b""
        yield piece[: len(piece) - len(held)].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if held:
        yield b"\n"
