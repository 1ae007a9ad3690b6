"""Layout of CorefUD files: how many sentences there are before a place."""

from __future__ import annotations

from pathlib import Path

import pytest

from corefscope.formats.corefud import layout
from corefscope.formats.corefud.layout import count_sentences
from corefscope.formats.source import Source


@pytest.mark.parametrize("piece", range(1, 12))
def test_sentences_are_counted_wherever_a_file_is_cut(
    piece: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(layout, "PIECE", piece)
    path = tmp_path / "some.conllu"
    sentence = "1\ta\n2\tb\n\n"
    path.write_text(sentence * 5, encoding="utf-8")
    source = Source.open(path)
    try:
        assert [count_sentences(source, len(sentence) * before) for before in range(1, 6)] == [1, 2, 3, 4, 5]
    finally:
        source.close()
