"""Where text, or a picture, goes: a file that is complete or not there at all, or standard output."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable
from contextlib import suppress
from importlib import import_module
from shutil import copyfileobj
from tempfile import SpooledTemporaryFile, mkstemp
from types import TracebackType
from typing import BinaryIO, cast

from ..base.errors import CorefscopeError, InputError, OptionError
from ..base.naming import packed_suffix
from ..read.paths import WILD

IN_MEMORY = 1 << 26


def refuse_overwriting(
    target: str | os.PathLike[str],
    inputs: Iterable[str | os.PathLike[str]],
    error: type[CorefscopeError] = OptionError,
) -> None:
    """Refuse to write over a file that is read, whatever links lead to it, or over one of a directory or pattern."""
    if not os.path.isfile(target):
        return
    for path in inputs:
        same = os.path.isfile(path) and os.path.samefile(path, target)
        within = os.path.isdir(path) and _is_below(target, path)
        if same or within or _is_matched(target, os.fspath(path)):
            raise error(f"{os.fspath(target)} is an input: it would be overwritten (name another file)")


def _is_below(target: str | os.PathLike[str], directory: str | os.PathLike[str]) -> bool:
    real = os.path.realpath(directory)
    return os.path.realpath(target).startswith(os.path.join(real, ""))


def _is_matched(target: str | os.PathLike[str], pattern: str) -> bool:
    if not WILD.search(pattern) or os.path.exists(pattern):
        return False
    from glob import glob

    return any(os.path.isfile(path) and os.path.samefile(path, target) for path in glob(pattern, recursive=True))


class Target:
    """A file to be written. It is put in its place when everything was written and nothing went wrong.

    Until then text goes to a temporary file beside it. Standard output, pipes and devices get everything at the end.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self._real_path = path if path == "-" else os.path.realpath(path)
        self._temporary = ""
        self._raw: BinaryIO | None = None
        self._file: BinaryIO | None = None

    def __enter__(self) -> Target:
        try:
            self._raw = self._open()
            self._file = _packing(self._raw, packed_suffix(self.path))
        except OSError as error:
            self._discard()
            raise self._failure(error) from None
        return self

    def write(self, content: str | bytes) -> None:
        """Write text, or bytes as they are."""
        assert self._file is not None
        try:
            self._file.write(content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content)
        except OSError as error:
            raise self._failure(error) from None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self._finish()
        finally:
            self._discard()

    def _open(self) -> BinaryIO:
        if self.path == "-" or (os.path.exists(self._real_path) and not os.path.isfile(self._real_path)):
            if os.path.isdir(self._real_path):
                raise IsADirectoryError(0, "is a directory")
            return cast("BinaryIO", SpooledTemporaryFile(max_size=IN_MEMORY))
        descriptor, self._temporary = mkstemp(
            prefix=f".{os.path.basename(self._real_path)[:50]}.", suffix=".part", dir=os.path.dirname(self._real_path)
        )
        return cast("BinaryIO", os.fdopen(descriptor, "w+b"))

    def _finish(self) -> None:
        raw = self._raw
        assert raw is not None
        assert self._file is not None
        try:
            if self._file is not raw:
                self._file.close()
            raw.flush()
            if self._temporary:
                os.chmod(self._temporary, _mode(self._real_path))
                raw.close()
                os.replace(self._temporary, self._real_path)
                self._temporary = ""
                return
        except OSError as error:
            raise self._failure(error) from None
        raw.seek(0)
        if self.path == "-":
            copyfileobj(raw, sys.stdout.buffer)
            sys.stdout.buffer.flush()
        else:
            with open(self._real_path, "wb") as device:
                copyfileobj(raw, device)

    def _discard(self) -> None:
        if self._raw is not None:
            self._raw.close()
        if self._temporary:
            with suppress(FileNotFoundError):
                os.unlink(self._temporary)
            self._temporary = ""

    def _failure(self, error: OSError) -> InputError:
        hint = "make the directory first" if isinstance(error, FileNotFoundError) else ""
        return InputError(f"cannot be written: {error.strerror or error}", path=self.path, hint=hint)


def _packing(file: BinaryIO, suffix: str) -> BinaryIO:
    """A file that compresses into another one, always to the same bytes."""
    if not suffix:
        return file
    if suffix.lower() == ".gz":  # without name and time, which would be others the next time
        return cast("BinaryIO", import_module("gzip").GzipFile(filename="", mode="wb", fileobj=file, mtime=0))
    return cast("BinaryIO", import_module({".xz": "lzma", ".bz2": "bz2"}[suffix.lower()]).open(file, "wb"))


def _mode(path: str) -> int:
    """The permissions of the file that is replaced, or those of a new file."""
    with suppress(FileNotFoundError):
        return stat.S_IMODE(os.stat(path).st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
