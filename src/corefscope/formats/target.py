"""Where text, or a picture, goes: a file that is complete or not there at all, or standard output.

What is not complete yet has a temporary name beside its place. It is removed when something goes wrong, and at the
latest when the process ends; only a process that is killed outright (SIGKILL) leaves it behind.
"""

from __future__ import annotations

import atexit
import os
import stat
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterable
from contextlib import nullcontext, suppress
from functools import partial
from importlib import import_module
from shutil import copyfileobj, rmtree
from tempfile import SpooledTemporaryFile
from types import TracebackType
from typing import BinaryIO, cast

from ..core.errors import CorefscopeError, InputError, OptionError, is_closed_pipe
from .naming import packed_suffix
from .paths import is_wild

IN_MEMORY = 1 << 26

_unfinished: set[str] = set()
"""Temporary names of this process, from before they are made until they are gone."""


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
        within = os.path.isdir(path) and is_within(target, path)
        if same or within or _is_matched(target, os.fspath(path)):
            raise error(f"{os.fspath(target)} is an input: it would be overwritten (name another file)")


def is_within(target: str | os.PathLike[str], directory: str | os.PathLike[str]) -> bool:
    """Whether a path is that of a directory or of something in it, whatever links lead there."""
    real, place = (os.path.join(os.path.normcase(os.path.realpath(path)), "") for path in (directory, target))
    return place.startswith(real)


def _is_matched(target: str | os.PathLike[str], pattern: str) -> bool:
    if not is_wild(pattern) or os.path.exists(pattern):
        return False
    from glob import glob

    return any(os.path.isfile(path) and os.path.samefile(path, target) for path in glob(pattern, recursive=True))


class _Whole(ABC):
    """What is put in its place at the end of a ``with``, if nothing went wrong."""

    @abstractmethod
    def _finish(self) -> None: ...

    @abstractmethod
    def _discard(self) -> None: ...

    @abstractmethod
    def _failure(self, error: OSError) -> InputError: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self._finish()
        except OSError as failure:
            if is_closed_pipe(failure):
                raise  # the reader has seen enough
            raise self._failure(failure) from None
        finally:
            self._discard()


class Target(_Whole):
    """A file to be written. It is put in its place when everything was written and nothing went wrong.

    Until then text goes to a temporary file beside it. Standard output, pipes and devices get everything at the end.
    ``called`` is what messages call the file, if not by its path. What is written is compressed if the path says so,
    unless it is so already (``packed``).
    """

    def __init__(self, path: str, called: str = "", *, packed: bool = False) -> None:
        self.path = path
        self._suffix = "" if packed else packed_suffix(path)
        self._called = called or ("standard output" if path == "-" else path)
        self._real_path = path if path == "-" else os.path.realpath(path)
        self._temporary = ""
        self._raw: BinaryIO | None = None
        self._file: BinaryIO | None = None

    def __enter__(self) -> Target:
        try:
            self._raw = self._open()
            self._file = _packing(self._raw, self._suffix)
        except OSError as error:
            self._discard()
            raise self._failure(error) from None
        return self

    def check(self) -> None:
        """Raise InputError if the file cannot be written."""
        self.__enter__()
        self._discard()

    def write(self, content: str | bytes) -> None:
        """Write text, or bytes as they are."""
        assert self._file is not None
        try:
            self._file.write(content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content)
        except OSError as error:
            raise self._failure(error) from None

    def _open(self) -> BinaryIO:
        if self.path == "-" or (os.path.exists(self._real_path) and not os.path.isfile(self._real_path)):
            if os.path.isdir(self._real_path):
                raise IsADirectoryError(0, "is a directory")
            return cast("BinaryIO", SpooledTemporaryFile(max_size=IN_MEMORY))
        self._temporary = _temporary_name(*os.path.split(self._real_path))
        private = partial(os.open, mode=0o600)
        return cast("BinaryIO", open(self._temporary, "x+b", opener=private))

    def _finish(self) -> None:
        raw = self._raw
        assert raw is not None
        assert self._file is not None
        if self._file is not raw:
            self._file.close()
        raw.flush()
        if self._temporary:
            os.chmod(self._temporary, _mode(self._real_path))
            raw.close()
            os.replace(self._temporary, self._real_path)
            return
        raw.seek(0)
        with nullcontext(sys.stdout.buffer) if self.path == "-" else open(self._real_path, "wb") as device:
            copyfileobj(raw, device)
            device.flush()

    def _discard(self) -> None:
        for file in filter(None, (self._file, self._raw)):
            with suppress(OSError):  # a full disk once more: what is left in the buffer cannot be written
                file.close()
        if self._temporary:
            _remove(self._temporary)
            self._temporary = ""

    def _failure(self, error: OSError) -> InputError:
        return InputError(f"cannot be written: {error.strerror or error}", path=self._called, hint=_hint(error))


class TargetDirectory(_Whole):
    """A directory to be written, whole or not at all.

    Until all files are complete, they are in a temporary directory. Then a new directory appears at once, with its
    parents. In a directory that is there already, files of the same names are replaced, and others stay. The last
    file, which describes the others, goes first and comes last: while it is there, it is true. If a file cannot be
    replaced, because another program has it open on Windows, all files that were there come back.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self._real_path = os.path.realpath(path)
        self._temporary = ""
        self._names: list[str] = []

    def file(self, name: str, *, packed: bool = False) -> Target:
        """A file of the directory, or of a directory in it; names of these end in ``/``, on every system."""
        top, *below = name.split("/")
        if below:
            os.makedirs(os.path.dirname(os.path.join(self._temporary, name)), exist_ok=True)
        self._names = [*(other for other in self._names if other != top), top]
        return Target(os.path.join(self._temporary, name), os.path.join(self.path, name), packed=packed)

    def __enter__(self) -> TargetDirectory:
        beside = self._real_path  # or in it, as it may be on a disk of its own
        while not os.path.exists(beside) and os.path.dirname(beside) != beside:  # a drive need not exist
            beside = os.path.dirname(beside)
        self._temporary = _temporary_name(beside, os.path.basename(self._real_path))
        try:
            os.mkdir(self._temporary)
        except OSError as error:
            self._discard()
            raise self._failure(error) from None
        return self

    def _finish(self) -> None:
        if not os.path.exists(self._real_path):
            os.makedirs(os.path.dirname(self._real_path), exist_ok=True)
            os.rename(self._temporary, self._real_path)
            return
        # Windows neither removes nor replaces a file that is open, and keeps the name of one that is removed while
        # it is open: old files are moved away, which fails before anything is lost.
        old = os.path.join(self._temporary, ".old")
        os.mkdir(old)
        moved: list[tuple[str, str]] = []
        try:
            for name in reversed(self._names):
                _move_away(os.path.join(self._real_path, name), os.path.join(old, name), moved)
            for name in self._names:
                _move(os.path.join(self._temporary, name), os.path.join(self._real_path, name), moved)
        except BaseException:
            for source, place in reversed(moved):
                with suppress(OSError):  # it had not been moved yet
                    os.replace(place, source)
            raise

    def _discard(self) -> None:
        _remove(self._temporary)

    def _failure(self, error: OSError) -> InputError:
        hint = "name a directory on a drive that exists" if isinstance(error, FileNotFoundError) else _hint(error)
        return InputError(f"cannot be made: {error.strerror or error}", path=self.path, hint=hint)


def _move_away(source: str, place: str, moved: list[tuple[str, str]]) -> None:
    """Move an old file, if there is one; a directory is not ours to remove."""
    if os.path.isdir(source):
        raise IsADirectoryError(0, f"{os.path.basename(source)} is a directory")
    with suppress(FileNotFoundError):
        _move(source, place, moved)


def _move(source: str, place: str, moved: list[tuple[str, str]]) -> None:
    """Move a file, noted before: a signal may come just after it was moved."""
    moved.append((source, place))
    os.rename(source, place)


def _hint(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "make the directory first"
    return "close it in other programs, or check its permissions" if isinstance(error, PermissionError) else ""


@atexit.register
def remove_unfinished() -> None:
    """Remove what is not complete: a signal may come just before the statement that would have cared for it."""
    for temporary in tuple(_unfinished):
        _remove(temporary)


def _temporary_name(directory: str, name: str) -> str:
    """A hidden name that nobody else has, known before there is a file of that name."""
    temporary = os.path.join(directory, f".{name[:50]}.{os.urandom(6).hex()}.part")
    _unfinished.add(temporary)
    return temporary


def _remove(temporary: str) -> None:
    """Remove a temporary file or directory, if it is still there."""
    files = [os.path.join(folder, name) for folder, _, names in os.walk(temporary) for name in names]
    for file in files or [temporary]:
        with suppress(OSError):
            os.chmod(file, stat.S_IRWXU)  # Windows removes no file that is read-only
            os.unlink(file)
    if os.path.isdir(temporary):
        rmtree(temporary, ignore_errors=True)
    _unfinished.discard(temporary)


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
