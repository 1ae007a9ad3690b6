"""Warnings of one kind about many files are folded into one text."""

from __future__ import annotations

from corefscope.core.errors import Warnings


def collected(files: int, times: int = 1) -> list[str]:
    warnings = Warnings()
    for file in range(files):
        for line in range(times):
            warnings.add("types", f"{file}.conllu", 12 + line, f"type {file} changes", harmless=True)
    warnings.add("heads", "0.conllu", 0, "no heads")
    return list(warnings)


def test_warnings_about_few_files_are_shown_one_by_one() -> None:
    assert collected(3)[0] == "0.conllu:12: type 0 changes"
    assert len(collected(3)) == 4


def test_warnings_about_many_files_are_one() -> None:
    assert collected(2000) == ["2,000 files: type 0 changes, e.g. 0.conllu:12", "0.conllu: no heads"]
    folded, _ = collected(4, 3)
    assert folded == "4 files: type 0 changes, e.g. 0.conllu:12 (and 11 more of this kind)"
    assert getattr(folded, "harmless", False)
