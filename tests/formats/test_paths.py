"""Pairing of the files of two directories."""

from __future__ import annotations

from pathlib import Path

from corefscope.formats.paths import pair_files


def test_companion_files_of_a_directory_are_not_paired(tmp_path: Path) -> None:
    for folder in ("anna", "bela"):
        (tmp_path / folder).mkdir()
        for name in ("a.ann", "a.txt", "b.ann", "b.txt", "annotation.conf"):
            (tmp_path / folder / name).touch()
    pairs = pair_files(str(tmp_path / "anna"), str(tmp_path / "bela"))
    assert [Path(pair.key).name for pair in pairs] == ["a.ann", "b.ann"]
