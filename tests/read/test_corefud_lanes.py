"""The fast lane of the CorefUD reader says what the careful one says: documents, warnings, errors and their lines.

The careful lane is the reader with its short cuts taken away: every sentence is examined line by line, every value is
looked at attribute by attribute, every bracket is read with all checks.
"""

from __future__ import annotations

import random
import re
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from corefscope.base.errors import InputError, Warnings
from corefscope.read.corefud import reader, sentences
from corefscope.read.corefud.fields import Fields
from corefscope.read.corefud.reader import CorefUDReader
from corefscope.read.source import Source
from faulty_files import BRACKETS, CONLLU, HEADERS, MENTIONS, corefud, faulty_lines, sentence, word
from fuzz.mutators import broken
from fuzz.seeds import whole

AS_IT_STANDS = re.compile(r"()()()()()(\([^()]*\)?|[^()]+\)?|\))")
"""Finds every chunk of a value, and understands none."""
MULTIWORD = corefud(
    sentence(word("1-2"), word(1, "(e1-x-1-"), word(2, "e1)"), word("3-4"), word(3), word(4, "(e1-x-1-)")),
    sentence(word(1, "(e1-x-1-)"), word("2-3", "(e2-x-1-)"), word(2), word(3), id_="s2"),
    sentence(
        word("1-2"), word(1), word("1.1", "(e1-x-1-)", deps="1:x"), word(2, "(e2-x-2-"), word(3, "e2)"), id_="s3"
    ),
)


def _careful(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(sentences, "_numbered", lambda _: False)
    patch.setattr(sentences, "_multiword", lambda _: None)
    patch.setattr(reader, "plain_values", lambda *_: None)
    known = Fields.__init__

    def blind(fields: Fields, header: str) -> None:
        known(fields, header)
        fields.pattern = AS_IT_STANDS

    patch.setattr(Fields, "__init__", blind)


def _read(path: Path) -> tuple[Any, ...]:
    """What a file holds and what is said of it; of sentences all that can be asked."""
    warnings = Warnings()
    documents, error = [], ""
    try:
        with closing(Source.open(path)) as source:
            for document in CorefUDReader(source, warnings):
                asked = [(s[:3], list(s.words), s.unusual, s.text, s.positions) for s in document.sentences]
                documents.append((document._replace(sentences=()), asked))
    except InputError as failed:
        error = f"{failed.code} {failed}"
    return documents, error, list(warnings)


def _same_in_both_lanes(path: Path, data: bytes) -> bool:
    """Whether the file could be read; that both lanes read it alike is asserted."""
    path.write_bytes(data)
    fast = _read(path)
    with pytest.MonkeyPatch.context() as patch:
        _careful(patch)
        assert _read(path) == fast
    return not fast[1]


def test_files_of_the_fault_catalogue(tmp_path: Path) -> None:
    for name, (text, _) in {**CONLLU, **HEADERS, **BRACKETS, **MENTIONS, "multiword": (MULTIWORD, [])}.items():
        _same_in_both_lanes(tmp_path / f"{name}.conllu", text.encode())


@pytest.mark.parametrize("seed", range(4))
def test_random_and_broken_files(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    read = 0
    for _ in range(100):
        data = whole("corefud", rng)
        odd = faulty_lines(rng, "corefud", data.decode()).encode("utf-8", errors="surrogateescape")
        for text in (data, odd, broken(rng, data, "corefud")):
            read += _same_in_both_lanes(tmp_path / "made.conllu", text)
    assert 100 < read < 300
