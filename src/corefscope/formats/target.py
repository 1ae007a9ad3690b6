"""Output files and directories that are written whole or not at all, and standard output.

An incomplete file has a temporary name in the same directory. It is removed on failure, at the latest when the
process ends; only a process that is killed outright (SIGKILL) leaves it behind.
"""

from __future__ import annotations

import atexit
import errno
import os
import stat
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterable
from contextlib import nullcontext, suppress
from functools import partial
from importlib import import_module
from types import TracebackType
from typing import BinaryIO, cast

from ..core.errors import CorefscopeError, InputError, OptionError
from .naming import packed_suffix
from .paths import is_wild

IN_MEMORY = 1 << 26
PIECE = 1 << 20

_unfinished: set[str] = set()
"""Temporary names of this process, from before they are created until they are removed."""


def refuse_overwriting(
    target: str | os.PathLike[str],
    inputs: Iterable[str | os.PathLike[str]],
    error: type[CorefscopeError] = OptionError,
) -> None:
    """Refuse to overwrite an input file, whatever links lead to it, or one of an input directory or pattern."""
    if not os.path.isfile(target):
        return
    for path in inputs:
        name = os.fspath(path)
        from glob import glob  # 5 ms, if a file is to be written only

        files = glob(name, recursive=True) if is_wild(name) and not os.path.exists(name) else [name]
        same = any(os.path.isfile(file) and os.path.samefile(file, target) for file in files)
        if same or (os.path.isdir(path) and is_within(target, path)):
            raise error(f"{os.fspath(target)} is an input: it would be overwritten (name another file)")


def is_within(target: str | os.PathLike[str], directory: str | os.PathLike[str]) -> bool:
    """Whether a path is a directory or inside of it, whatever links lead there."""
    real, place = (os.path.join(os.path.normcase(os.path.realpath(path)), "") for path in (directory, target))
    return place.startswith(real)


class _AtomicOutput(ABC):
    """Output that is put in its place at the end of a ``with`` block that raises no exception."""

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
                raise  # the reader of the pipe has ended
            raise self._failure(failure) from None
        finally:
            self._discard()


class Target(_AtomicOutput):
    """An output file, put in its place when everything has been written without failure.

    Until then text goes to a temporary file beside it. Standard output, pipes and devices get everything at the end.
    ``called`` is the name of the file in messages (default: its path). The extension of the path sets the
    compression, unless the content is compressed already (``packed``).
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
        """Write text or bytes."""
        assert self._file is not None
        try:
            self._file.write(content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content)
        except OSError as error:
            raise self._failure(error) from None

    def complete(self) -> None:
        """Write all that is still in buffers: of two files, each must be complete before one is put in its place."""
        assert self._raw is not None
        assert self._file is not None
        try:
            if self._file is not self._raw:
                self._file.close()
            self._raw.flush()
        except OSError as error:
            raise self._failure(error) from None

    def _open(self) -> BinaryIO:
        if self.path == "-" or (os.path.exists(self._real_path) and not os.path.isfile(self._real_path)):
            if os.path.isdir(self._real_path):
                raise IsADirectoryError(0, "is a directory")
            from tempfile import SpooledTemporaryFile  # 10 ms, for files and devices only

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
            while piece := raw.read(PIECE):
                device.write(piece)
            device.flush()

    def _discard(self) -> None:
        for file in filter(None, (self._file, self._raw)):
            with suppress(OSError):  # a full disk once more: the rest of the buffer cannot be written
                file.close()
        if self._temporary:
            _remove(self._temporary)
            self._temporary = ""

    def _failure(self, error: OSError) -> InputError:
        return InputError(f"cannot be written: {error.strerror or error}", path=self._called, hint=_hint(error))


class TargetDirectory(_AtomicOutput):
    """An output directory, written whole or not at all.

    Until all files are complete, they are in a temporary directory. Then a new directory appears at once, with its
    parents. In an existing directory, files of the same names are replaced, and others stay. The last file, which
    describes the others, is removed first and comes back last: while it exists, it is true. If a file cannot be
    replaced, because another program has it open on Windows, all old files are restored.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self._real_path = os.path.realpath(path)
        self._temporary = ""
        self._names: list[str] = []

    def file(self, name: str, *, packed: bool = False) -> Target:
        """A file of the directory; subdirectories are separated by ``/`` on every system."""
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
        # it is open: old files are moved away first, which fails before anything is lost.
        old = os.path.join(self._temporary, ".old")
        os.mkdir(old)
        moved: list[tuple[str, str]] = []
        try:
            for name in reversed(self._names):
                place = os.path.join(self._real_path, name)
                if os.path.isdir(place):
                    raise IsADirectoryError(0, f"{name} is a directory")  # not ours to remove
                with suppress(FileNotFoundError):
                    _move(place, os.path.join(old, name), moved)
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


def _move(source: str, place: str, moved: list[tuple[str, str]]) -> None:
    """Move a file and note it first: a signal may arrive just after the move."""
    moved.append((source, place))
    os.rename(source, place)


def _hint(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "make the directory first"
    return "close it in other programs, or check its permissions" if isinstance(error, PermissionError) else ""


@atexit.register
def remove_unfinished() -> None:
    """Remove incomplete files: a signal may arrive just before the statement that would have removed them."""
    for temporary in tuple(_unfinished):
        _remove(temporary)


def _temporary_name(directory: str, name: str) -> str:
    """A unique hidden name, recorded before there is a file of that name."""
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
        from shutil import rmtree

        rmtree(temporary, ignore_errors=True)
    _unfinished.discard(temporary)


def _packing(file: BinaryIO, suffix: str) -> BinaryIO:
    """A file that compresses into another one, reproducibly."""
    if not suffix:
        return file
    if suffix.lower() == ".gz":  # without name and time, which differ from run to run
        return cast("BinaryIO", import_module("gzip").GzipFile(filename="", mode="wb", fileobj=file, mtime=0))
    return cast("BinaryIO", import_module({".xz": "lzma", ".bz2": "bz2"}[suffix.lower()]).open(file, "wb"))


def _mode(path: str) -> int:
    """The permissions of the file that is replaced, or those of a new file."""
    with suppress(FileNotFoundError):
        return stat.S_IMODE(os.stat(path).st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def is_closed_pipe(error: OSError) -> bool:
    """Whether an error says that the reader of a pipe is gone; Windows calls that an invalid argument."""
    return isinstance(error, BrokenPipeError) or (os.name == "nt" and error.errno == errno.EINVAL)
