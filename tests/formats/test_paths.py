"""Pairing of the files of two directories."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from corefscope.core.errors import InputError
from corefscope.formats.paths import files_named, pair_files


def test_companion_files_of_a_directory_are_not_paired(tmp_path: Path) -> None:
    for folder in ("anna", "bela"):
        (tmp_path / folder).mkdir()
        for name in ("a.ann", "a.txt", "b.ann", "b.txt", "annotation.conf"):
            (tmp_path / folder / name).touch()
    pairs = pair_files(str(tmp_path / "anna"), str(tmp_path / "bela"))
    assert [Path(pair.key).name for pair in pairs] == ["a.ann", "b.ann"]


def test_hidden_directories_are_left_out(tmp_path: Path) -> None:
    """Such as those of Git and Jupyter."""
    for name in ("keys/a.txt", "keys/.git/HEAD", "keys/.ipynb_checkpoints/a-checkpoint.txt", "keys/b/.c/d.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert files_named(str(tmp_path / "keys")) == [str(tmp_path / "keys" / "a.txt")]


def test_links_to_directories_are_followed_but_not_back(tmp_path: Path) -> None:
    (tmp_path / "there" / "sub").mkdir(parents=True)
    (tmp_path / "there" / "sub" / "a.txt").touch()
    (tmp_path / "here").mkdir()
    links = {"here/one": "there", "here/two": "there/sub", "there/sub/up": "there", "there/back": "here"}
    for link, target in links.items():
        try:
            (tmp_path / link).symlink_to(tmp_path / target, target_is_directory=True)
        except OSError:
            pytest.skip("links cannot be made here")
    found = [Path(name).relative_to(tmp_path).as_posix() for name in files_named(str(tmp_path / "here"))]
    assert found == ["here/one/sub/a.txt", "here/two/a.txt"]


def test_a_directory_that_cannot_be_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sub").mkdir()
    scan = os.scandir

    def refuse(path: str) -> object:
        if path.endswith("sub"):
            raise PermissionError(13, "Permission denied")
        return scan(path)

    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(InputError, match=r"sub: cannot be read: Permission denied"):
        files_named(str(tmp_path))


@pytest.mark.parametrize("side", [0, 1])
def test_a_misspelt_directory_is_what_is_named(side: int, tmp_path: Path) -> None:
    key, response = [str(tmp_path), str(tmp_path / "kyes")][:: 1 - 2 * side]
    with pytest.raises(InputError, match=r"kyes: no such file or directory"):
        pair_files(key, response)
