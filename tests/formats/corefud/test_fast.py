"""The fast functions of the CorefUD reader find what the general reader finds.

Documents, warnings, errors and their lines are compared with those of the reader without its fast functions: every
sentence is examined line by line, every value attribute by attribute, every bracket is read with all checks. And a
response that is read beside its key is what it is alone.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from corefscope.core.document import Document
from corefscope.core.errors import InputError, Warnings
from corefscope.formats.corefud import fast, sentences
from corefscope.formats.corefud.brackets import Brackets
from corefscope.formats.corefud.reader import CorefUDReader
from corefscope.formats.corefud.sentences import Outline
from corefscope.formats.source import Source
from faulty_files import BRACKETS, CONLLU, HEADERS, MENTIONS, corefud, faulty_lines, sentence, word
from fuzz.mutators import broken
from fuzz.seeds import whole

MULTIWORD = corefud(
    sentence(word("1-2"), word(1, "(e1-x-1-"), word(2, "e1)"), word("3-4"), word(3), word(4, "(e1-x-1-)")),
    sentence(word(1, "(e1-x-1-)"), word("2-3", "(e2-x-1-)"), word(2), word(3), id_="s2"),
    sentence(
        word("1-2"), word(1), word("1.1", "(e1-x-1-)", deps="1:x"), word(2, "(e2-x-2-"), word(3, "e2)"), id_="s3"
    ),
)


def _careful(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(sentences, "multiword_rows", lambda _: None)
    patch.setattr(fast, "plain_values", lambda *_: None)
    patch.setattr(fast, "feed", Brackets.feed)


def _read(path: Path, beside: Path | None = None) -> tuple[Any, ...]:
    """What a file holds and what is said of it; of sentences all that can be asked."""
    warnings = Warnings()
    documents, error = [], ""
    try:
        with closing(Source.open(path)) as source:
            for document in _documents(CorefUDReader(source, warnings), beside):
                asked = [(s[:3], list(s.words), s.unusual, s.text, s.positions) for s in document.sentences]
                documents.append((document._replace(sentences=()), asked))
    except InputError as failed:
        error = f"{failed.code} {failed}"
    return documents, error, list(warnings)


def _documents(reader: CorefUDReader, beside: Path | None) -> Iterator[Document]:
    """The documents of a reader, each of them read after that of another file, which it may look at."""
    if beside is None:
        yield from reader
        return
    with closing(Source.open(beside)) as source:
        other = CorefUDReader(source, Warnings())
        reader.share_layout_with(other)
        keys, documents = iter(other), iter(reader)
        while True:
            next(keys, None)
            document = next(documents, None)
            if document is None:
                return
            yield document


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
    for _ in range(40):
        data = whole("corefud", rng)
        odd = faulty_lines(rng, "corefud", data.decode()).encode("utf-8", errors="surrogateescape")
        for text in (data, odd, broken(rng, data, "corefud")):
            read += _same_in_both_lanes(tmp_path / "made.conllu", text)
    assert 40 < read < 120


MISC = ("_", "SpaceAfter=No", "Entity=(e9-x-1-)", "X=1|Entity=e1)", "Entity=(e1-x-1-")
ODD_MISC = (
    "Entity",
    "Entity=",
    "Entity=(a-x-1-)|Entity=(b-x-1-)",
    "X=Entity|Entity=(e1-x-1-)",
    "Entity=(e1-x-1-\t",
    "_\t_",
)
COMMENTS = (
    "# text = other",
    "# sent_id = other",
    "#\ttab",
    "# sent_id\tq\tr",
    "# x = |Entity=(e1-x-1-)",
    "",
    "other",
)


def _response(rng: random.Random, key: str, odd: bool) -> str:
    """A key with other MISC; if it is odd, also with comments, words and lines that may be wrong."""
    lines = key.split("\n")
    for index, line in enumerate(lines):
        columns = line.split("\t")
        if len(columns) == 10 and rng.random() < 0.3:
            columns[9] = rng.choice(MISC + ODD_MISC if odd and rng.random() < 0.1 else MISC)
        if len(columns) == 10 and odd and rng.random() < 0.01:
            columns[rng.choice((0, 1, 2, 7))] = rng.choice(("1-2", "7", "other"))
        lines[index] = "\t".join(columns)
        if line.startswith("#") and odd and rng.random() < 0.05:
            lines[index] = rng.choice((*COMMENTS, line + " more", line + "\tmore"))
    return "\n".join(lines)


@pytest.mark.parametrize("odd", [False, True])
def test_a_response_is_read_beside_its_key_as_it_is_alone(odd: bool, tmp_path: Path) -> None:
    borrowed: list[bool] = []
    like = Outline.share_layout_with

    def watched(*arguments: Any) -> Outline | None:
        outline = like(*arguments)
        borrowed.append(outline is not None)
        return outline

    key, response = tmp_path / "key.conllu", tmp_path / "response.conllu"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Outline, "share_layout_with", watched)
        for seed in range(60):
            rng = random.Random(seed)
            data = whole("corefud", rng)
            key.write_bytes(data)
            response.write_bytes(_response(rng, data.decode(), odd).encode())
            assert _read(response, beside=key) == _read(response)
    assert 0.1 < borrowed.count(True) / len(borrowed) < 0.95 if odd else borrowed.count(True) > 0.9 * len(borrowed)


def test_an_entity_on_a_multiword_token_of_the_response_is_seen_beside_a_key_without(tmp_path: Path) -> None:
    key, response = tmp_path / "key.conllu", tmp_path / "response.conllu"
    key.write_text(corefud(sentence(word("1-2"), word(1, "(e1-x-1-)"), word(2))))
    response.write_text(corefud(sentence(word("1-2", "(e1-x-1-)"), word(1), word(2))))
    documents, error, warnings = _read(response, beside=key)
    assert [document.entities for document, _ in documents] == [()]
    assert "Entity on the multiword token 1-2: ignored" in warnings[0]
    assert not error
