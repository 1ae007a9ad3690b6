"""The fast lane of CoNLL-UA finds what the general reader finds: documents, official readings, faults, lines."""

from __future__ import annotations

import random
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from anaphora import random_key, random_zeros, with_zeros
from corefscope.core.document import Document
from corefscope.core.errors import InputError, Warnings
from corefscope.formats.losses import Losses
from corefscope.formats.source import Source
from corefscope.formats.ua import fast, official, reader
from places import GOLDEN
from tests.formats.test_fitting import written
from tests.formats.ua.test_reader import bridge, one, opening, text

FILES = sorted((GOLDEN / "ua").glob("**/*.conllua"))
ODD = (
    *(
        "\t\t",
        "  ",
        " ",
        "\u3000",
        "\x0b",
        "\n",
        "\n\n",
        "\n \n",
        "\n# sent_id = x\n",
        "\n#\n",
        "\t_",
        "3-4",
        "2.1",
        "#",
    ),
    *(
        "(",
        ")",
        "))",
        "@",
        "|",
        "=",
        ",",
        "m1)",
        "Min=",
        "Min=0",
        "Min=1,2,3",
        "min=1",
        "EntityId=",
        "ElementOf=,",
        "x=y|",
    ),
    *(
        "_Pseudo",
        "MentionID=m1|",
        "EntityAnchor=1|",
        "ElementOf=1|",
        "², ",
        "(MarkableID=markable_1|MentionAnchor=markable_1)",
    ),
)
"""Text that is inserted into valid files."""


def known(document: Document | None) -> Any:
    """All that is known of a document."""
    if document is None:
        return None
    sentences = [
        (*sentence[:3], list(sentence.words), sentence.unusual, list(sentence.lines), sentence.nodes)
        for sentence in document.sentences
    ]
    refusals = [(what, str(error)) for what, error in document.refusals]
    left = document._replace(sentences=(), official=None, refusals=(), deixis=None)
    return left, sentences, refusals, known(document.official), known(document.deixis)


def reading(path: Path) -> Any:
    """The documents up to the error that ends them, that error, and the warnings; and what UA scorer 1.0 reads."""
    warnings, error, of_program = Warnings(), "", {}
    documents: list[Any] = []
    with closing(Source.open(path)) as source:
        try:
            documents += map(known, reader.UAReader(source, warnings))
        except InputError as fault:
            error = f"{fault} [{fault.code}]"
    try:
        read = official.read_file(path)
        of_program = {name: (known(each.document), each.skipped) for name, each in read.items()}
    except InputError as fault:
        error += str(fault)
    return documents, error, warnings.records(), of_program


def both_ways(path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, Any]:
    short = reading(path)
    with monkeypatch.context() as patch:
        for module in (reader, official):
            patch.setattr(module, "read_plain", lambda *_: None)
        return short, reading(path)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_files_of_all_kinds_are_read_alike_in_both_lanes(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    short, long = both_ways(path, monkeypatch)
    assert short == long


@pytest.mark.parametrize("seed", range(25))
def test_odd_files_are_read_alike_in_both_lanes(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(seed)
    document = random_key(rng)
    if rng.random() < 0.2:
        document = with_zeros(rng, document, random_zeros(rng))
    content = written(document, "ua", Losses())
    for name in range(6):
        at = rng.randrange(content.index("newdoc"), len(content))
        changed = content[:at] + rng.choice(ODD) + content[at + rng.choice([0, 0, 1]) :]
        if rng.random() < 0.3:
            changed = changed.replace("\t", "  ")
        path = tmp_path / f"{name}.conllua"
        path.write_text(changed, encoding="utf-8")
        short, long = both_ways(path, monkeypatch)
        assert short == long, changed


def test_many_documents_take_the_fast_lane() -> None:
    """Otherwise the tests above would compare the general reader with itself."""
    texts = [written(random_key(random.Random(seed)), "ua", Losses()) for seed in range(40)]
    assert sum(fast.read_plain(text, 0, 1) is not None for text in texts) > 10


def test_the_fast_lane_knows_all_white_space() -> None:
    spaces = {chr(code) for code in range(sys.maxunicode + 1) if chr(code).isspace()}
    assert set(fast.ODD_SPACES) == spaces - set(" \t\n")
    assert all(map(str.isascii, fast.ODD_SPACES[: fast.ODD_IN_ASCII]))
    assert not any(map(str.isascii, fast.ODD_SPACES[fast.ODD_IN_ASCII :]))


@pytest.mark.parametrize(
    "cells",
    [
        [one("m1", 1) + opening("m2", 1), ")"],  # members in another order than that of the text
        [one("m1", "1_Pseudo"), one("m2", 2)],
        [(one("m1", 1), bridge("m1", "m2") + bridge("m1", "m3")), one("m2", 2), one("m3", 3)],
        [(one("m1", 1), bridge("m1", "m9")), one("m2", 2)],
    ],
)
def test_the_fast_lane_keeps_the_official_reading_where_it_differs(
    cells: list[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "some.conllua"
    path.write_text(text(*cells), encoding="utf-8")
    short, long = both_ways(path, monkeypatch)
    assert short == long
