"""Output files and directories are written whole or not at all."""

from __future__ import annotations

import bz2
import errno
import gzip
import lzma
import ntpath
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from corefscope.core.errors import InputError, OptionError
from corefscope.formats.target import Target, TargetDirectory, is_closed_pipe, refuse_overwriting


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A directory in which nothing but what a test writes may be left."""
    yield tmp_path
    assert not [path.name for path in tmp_path.iterdir() if path.name.endswith(".part")]


def test_a_file_appears_when_it_is_complete(folder: Path) -> None:
    path = folder / "out.txt"
    with Target(str(path)) as target:
        target.write("ä\n")
        assert not path.exists()
    assert path.read_bytes() == "ä\n".encode()
    assert list(folder.iterdir()) == [path]


@pytest.mark.parametrize("error", [InputError("x"), KeyboardInterrupt()])
def test_a_file_is_not_touched_if_something_goes_wrong(folder: Path, error: BaseException) -> None:
    path = folder / "out.txt"
    path.write_text("old", encoding="utf-8")

    def fail() -> None:
        with Target(str(path)) as target:
            target.write("new")
            raise error

    with pytest.raises(type(error)):
        fail()
    assert path.read_text(encoding="utf-8") == "old"
    assert list(folder.iterdir()) == [path]


def test_permissions_are_those_of_the_old_file_or_of_a_new_one(folder: Path) -> None:
    path, other = folder / "out.txt", folder / "other.txt"
    path.write_text("old", encoding="utf-8")
    path.chmod(0o640)
    other.write_text("", encoding="utf-8")
    for name in ("out.txt", "new.txt"):
        with Target(str(folder / name)) as target:
            target.write("new")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert (folder / "new.txt").stat().st_mode == other.stat().st_mode


def test_links_and_devices_stay_what_they_are(folder: Path) -> None:
    (folder / "link").symlink_to(folder / "real")
    with Target(str(folder / "link")) as target:
        target.write("x")
    assert (folder / "link").is_symlink()
    assert (folder / "real").read_text(encoding="utf-8") == "x"
    with Target(os.devnull) as target:
        target.write("x")
    assert not os.path.isfile(os.devnull)


@pytest.mark.parametrize(("suffix", "unpack"), [("gz", gzip.open), ("XZ", lzma.open), ("bz2", bz2.open)])
def test_files_are_compressed_by_suffix_always_alike(
    folder: Path, suffix: str, unpack: Callable[[Path], gzip.GzipFile]
) -> None:
    paths = [folder / f"{name}.conllu.{suffix}" for name in "ab"]
    for path in paths:
        with Target(str(path)) as target:
            target.write("text\n")
        with unpack(path) as file:
            assert file.read() == b"text\n"
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_targets_that_cannot_be_written(folder: Path) -> None:
    (folder / "dir").mkdir()
    for path, message in (
        (folder / "none" / "out.txt", "cannot be written: No such file or directory"),
        (folder / "dir", "cannot be written: is a directory"),
    ):
        with pytest.raises(InputError, match=message), Target(str(path)):
            pass


def test_a_drive_that_does_not_exist_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """The parent of a drive is the drive itself: looking for a parent that exists must end there."""

    def fail(path: str, *_: int) -> None:
        raise FileNotFoundError(errno.ENOENT, "The system cannot find the path specified", path)

    windows = SimpleNamespace(
        path=ntpath, sep="\\", urandom=os.urandom, walk=os.walk, mkdir=fail, unlink=fail, chmod=fail
    )
    monkeypatch.setattr("corefscope.formats.target.os", windows)
    for path in ("Q:\\", "Q:\\some\\where", "\\\\server\\share\\out"):
        with pytest.raises(InputError, match=r"(?s)cannot be made: The system.*a drive that exists"):
            TargetDirectory(path).__enter__()


@pytest.mark.parametrize("held", ["a.txt", "b.txt", "manifest.json"])
def test_a_directory_stays_as_it_was_if_another_program_has_a_file_open(
    folder: Path, held: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On Windows, where a file that is open can be neither moved nor removed nor replaced."""
    names = ["a.txt", "b.txt", "manifest.json"]
    for name in [*names, "other.txt"]:
        (folder / name).write_text("old", encoding="utf-8")

    def unless_held(function: Callable[..., None]) -> Callable[..., None]:
        def call(*paths: str, **named: int) -> None:
            if str(folder / held) in paths:
                raise PermissionError(errno.EACCES, "Access is denied")
            function(*paths, **named)

        return call

    for name in ("rename", "replace", "unlink"):
        monkeypatch.setattr(os, name, unless_held(getattr(os, name)))

    def write() -> None:
        with TargetDirectory(str(folder)) as directory:
            for name in names:
                with directory.file(name) as target:
                    target.write("new")

    with pytest.raises(InputError, match=r"(?s)Access is denied.*close it in other programs"):
        write()
    assert {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()} == dict.fromkeys(
        [*names, "other.txt"], "old"
    )
    monkeypatch.undo()
    write()
    assert {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()} == {
        **dict.fromkeys(names, "new"),
        "other.txt": "old",
    }


def test_a_file_that_another_program_has_open_is_an_error_with_a_remedy(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table that is open in a spreadsheet, say, on Windows."""
    path = folder / "out.csv"
    path.write_text("old", encoding="utf-8")

    def refuse(*_: str) -> None:
        raise PermissionError(errno.EACCES, "Access is denied")

    monkeypatch.setattr(os, "replace", refuse)
    with (
        pytest.raises(InputError, match=r"(?s)out\.csv: cannot be written: Access is denied.*close it in other"),
        Target(str(path)) as target,
    ):
        target.write("new")
    assert [file.read_text(encoding="utf-8") for file in folder.iterdir()] == ["old"]


def test_read_only_files_are_replaced_and_leave_nothing_behind(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On Windows, where a file that is read-only can be moved but not removed."""
    (folder / "a.txt").write_text("old", encoding="utf-8")
    (folder / "a.txt").chmod(stat.S_IRUSR)
    unlink = os.unlink

    def unlink_writable(path: str, **named: int) -> None:
        where = f"/proc/self/fd/{named['dir_fd']}/{path}" if "dir_fd" in named else path
        if not os.stat(where).st_mode & stat.S_IWUSR:
            raise PermissionError(errno.EACCES, "Access is denied")
        unlink(path, **named)

    monkeypatch.setattr(os, "unlink", unlink_writable)
    with TargetDirectory(str(folder)) as directory, directory.file("a.txt") as target:
        target.write("new")
    assert [(path.name, path.read_text(encoding="utf-8")) for path in folder.iterdir()] == [("a.txt", "new")]


def test_a_reader_that_has_gone_is_recognised_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    gone, other = OSError(errno.EINVAL, "Invalid argument"), OSError(errno.ENOSPC, "No space left on device")
    assert not is_closed_pipe(gone)
    assert is_closed_pipe(BrokenPipeError())
    monkeypatch.setattr("corefscope.formats.target.os", SimpleNamespace(name="nt"))
    assert is_closed_pipe(gone)
    assert not is_closed_pipe(other)


def test_inputs_are_recognised_in_any_case_where_the_system_ignores_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "Keys").mkdir()
    (folder / "Keys" / "a.conllu").write_text("", encoding="utf-8")
    real = os.path.realpath
    monkeypatch.setattr(os.path, "realpath", lambda path: real(path).replace("Keys/a", "KEYS/a"))
    monkeypatch.setattr(os.path, "normcase", str.lower)
    with pytest.raises(OptionError, match="is an input"):
        refuse_overwriting(folder / "Keys" / "a.conllu", [folder / "Keys"])
