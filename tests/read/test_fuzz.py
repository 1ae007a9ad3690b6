"""Broken files: whatever bytes there are, a reader gives documents or one of our own errors, and soon.

Every format is given its own files, broken, those of the other formats, and bytes at random; each is read as that
format whatever it looks like, on either side, and then scored as what it is taken for.
"""

from __future__ import annotations

import csv
import io
import json
import random
import re
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import corefscope
from corefscope.base.errors import Warnings
from corefscope.read.formats import FORMATS, open_reader
from oracles.generate import random_pair
from places import EXAMPLE_KEY, GOLDEN

SENTENCES = [["Ada", "Lovelace", "knew", "Babbage", "."], ["She", "wrote", "to", "him", "."]]
WORDS = SENTENCES[0] + SENTENCES[1]
INCLUSIVE = [[[0, 1], [5, 5]], [[3, 3], [8, 8]]]
EXCLUSIVE = [[[0, 2], [5, 6]], [[3, 4], [8, 9]]]
TEXT = "Ada knew Babbage.\nShe wrote."

DIALECTS: list[dict[str, Any]] = [
    {"doc_key": "d", "sentences": SENTENCES, "clusters": INCLUSIVE, "predicted_clusters": [[[0, 1], [8, 8]]]},
    {"document": WORDS, "clusters": INCLUSIVE},
    {
        "tokens": WORDS,
        "clusters": [[[1, 2], [6, 7]]],
        "subtoken_map": [None, 0, 1, 2, 3, 4, 5, 5, 6, 7, 8, 9, None],
        "sentence_map": [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1],
    },
    {
        "document_id": "d",
        "part_id": 0,
        "cased_words": WORDS,
        "sent_id": [0] * 5 + [1] * 5,
        "span_clusters": EXCLUSIVE,
        "word_clusters": [[1, 5], [3, 8]],
        "head2span": [[1, 0, 2]],
    },
    {"tokens": WORDS, "clusters_token_offsets": INCLUSIVE, "clusters_char_offsets": None},
    {"text": TEXT, "clusters": [[[0, 3], [18, 21]]], "clusters_strings": [["Ada", "She"]]},
    {"text": TEXT, "clusters_char_offsets": [[[0, 2], [18, 20]]]},
    {"id": 1, "sentences": [{"tokens": [{"text": "a"}, {"text": "b"}]}], "coref_chains": [[[0, 0, 0], [0, 1, 1]]]},
    {"id": 1, "sentences": SENTENCES, "mention_clusters": [[[0, 0, 2], [1, 0, 1]]]},
]
CLUSTERS: list[Any] = [
    [["m1", "m2"], [3, 4.5, [5, "x"]]],
    {"d": [["m1", "m2"]], "e": {"x": [[0, 1], [2, 2]], "y": [7, "7"]}},
    {"doc_key": "d", "clusters": [["a", "b"]], "predicted_clusters": [["a", "c"]]},
    [{"id": "d", "clusters": [["a", "b"]]}, {"id": "e", "clusters": {"x": ["b"]}}],
]
ROWS = [
    ["doc", "mention", "entity"],
    ["a", "m1", "e1"],
    ["b", "m1", "e1"],
    ["a", 'm "2",\n;', "e1"],
    ["b", "m2", "é"],
]
CONLL = (GOLDEN / "conll" / "l00001.key.conll").read_bytes()[:1500]
NESTED = b"# begin document d\nAda\t(a(a\nknew\ta)|(a-1)\n\nher\t_\ndog\ta)(b)\n\n#end document\n"
NESTED += b"#begin document (e); part 1\nit -\n"
SEMEVAL = b"#begin document d\n%s\n2\tran\t_\t_\tV\tV\t_\t_\t0\t(1\n\n1\tshe%s\t1)\n\n#end document d\n" % (
    b"1\tAda\t_\t_\tN\tN\t_\t_\t2\t(1)|(2)",
    b"\t_" * 8,
)

PIECES = {
    "corefud": [
        *(b"(e1", b"e1)", b"(e1[1/2]-x-1", b"e1[2/2])", b"()", b"Entity=", b"|Entity", b"Entity=(e1-x-9", b"2.1"),
        *(b"# newdoc\n", b"# newdoc id = x\n", b"# global.Entity = eid\n", b"# sent_id = s\n", b"1-2", b"2.0"),
        *(b"1.1\t_\t_\t_\t_\t_\t_\t_\t9:x\t_\n", b"# global.Entity = GRP-etype\n", b"ClusterId="),
    ],
    "conll": [
        *(b"#begin document (d); part 000\n", b"# begin document", b"#end document\n", b"; part ", b"\t-", b"\t"),
        *b"(0) (0 0) | () # (1(2 1)2)".split(),
        b"9" * 5000,
    ],
    "jsonl": [
        *b'[ ] { } " , : -1 99 1e9 NaN true null \\ud800 \\'.split(),
        *(b'"clusters": ', b'"predicted_clusters": ', b'"doc_key": "d", ', b'"part_id": 7, ', b'"tokens": [], '),
        *(b'"subtoken_map": [0], ', b"[" * 2000, b"9" * 5000, b"[0, 0]", b'"text": "a", '),
    ],
    "table": [b",", b"\t", b";", b'"', b'""', b"mention", b"entity", b"doc", b"\n,,\n", b"x" * 140_000, b"PAR1"],
}
PIECES["semeval"], PIECES["clusters"] = PIECES["conll"], PIECES["jsonl"]
ANYWHERE = [
    b"\t",
    b"\n",
    b"\n\n",
    b"\r",
    b" ",
    b"\x00",
    b"\xff",
    b"\xef\xbb\xbf",
    b"\xe2\x80\xa8",
    *b"( ) - 0".split(),
]
VALUE = re.compile(rb'"[^"\n]*"|-?[0-9]+|\w+|\[[^\[\]]*\]|[^\t\n]+')
VALUES = [b"0", b"1", b"-1", b"99", b"1e9", b'"a"', b"null", b"[]", b"[0, 0]", b"[[0, 1]]", b"{}", b"_", b"-", b"(1)"]
AT_THE_BEGINNING = [b"\x1f\x8b", b"BZh", b"\xff\xfe", b"\xfd7zXZ\x00", b"\xef\xbb\xbf", b"\n \n", b"#x\n", b"PAR1"]


def _whole(format_: str, rng: random.Random) -> bytes:
    """A file that can be read."""
    if format_ == "corefud":
        return rng.choice((_example(), random_pair(rng, duplicates=True, two_heads=True)[0].encode()))
    if format_ == "conll":
        return rng.choice((CONLL, NESTED))
    if format_ == "semeval":
        return SEMEVAL
    if format_ == "table":
        return rng.choice((*_tables(), *_parquets()))
    values = rng.sample(DIALECTS, 2) if format_ == "jsonl" else [rng.choice(CLUSTERS)]
    if rng.random() < 0.2:
        return json.dumps(values, indent=1).encode()
    return b"\n".join(json.dumps(value).encode() for value in values)


@cache
def _example() -> bytes:
    return EXAMPLE_KEY.read_bytes()


@cache
def _tables() -> list[bytes]:
    found = []
    for delimiter in ",\t;":
        text = io.StringIO()
        csv.writer(text, delimiter=delimiter).writerows(ROWS)
        found.append(text.getvalue().encode())
    return found


@cache
def _parquets() -> list[bytes]:
    if find_spec("pyarrow") is None:
        return []
    import pyarrow
    from pyarrow import parquet

    written = io.BytesIO()
    columns = {name: [row[at] for row in ROWS[1:]] for at, name in enumerate(ROWS[0])}
    parquet.write_table(pyarrow.table(columns), written)
    return [written.getvalue()]


def _broken(rng: random.Random, text: bytes, pieces: list[bytes]) -> bytes:
    """A file with a few pieces cut out, doubled, moved or put in; or only other values in the same places."""
    gently = rng.random() < 0.5
    for _ in range(rng.randint(1, 4)):
        text = _other_value(rng, text) if gently else _cut_up(rng, text, pieces)
    if rng.random() < 0.05:
        text = rng.choice(AT_THE_BEGINNING) + text
    return text or b" "


def _other_value(rng: random.Random, text: bytes) -> bytes:
    """One name, number or cell in the place of another."""
    found = list(VALUE.finditer(text))
    if not found:
        return text
    old, new = rng.choice(found), rng.choice((rng.choice(found)[0], rng.choice(VALUES)))
    return text[: old.start()] + new + text[old.end() :]


def _cut_up(rng: random.Random, text: bytes, pieces: list[bytes]) -> bytes:
    start = rng.randrange(len(text) + 1)
    end = min(len(text), start + rng.choice((1, 3, 20, 200)))
    return rng.choice(
        (
            text[:start] + text[end:],
            text[:end] + text[start:],
            text[:start] + rng.choice(pieces) + text[start:],
            text[:start] + rng.choice(pieces) + text[end:],
            text[:start] + rng.choice(ANYWHERE) + text[start:],
            text[:start],
            text[:start] + rng.randbytes(3) + text[start:],
        )
    )


def _read(path: Path, format_: str | None) -> int:
    """Read a file to its end on both sides, whatever it is; how many documents there were."""
    documents = 0
    for side in ("key", "response"):
        with suppress(corefscope.CorefscopeError):
            _, reader = open_reader(path, format_, Warnings(), side)
            try:
                for at, document in enumerate(reader):
                    assert document.id == reader.names[at]
                    assert reader.line_of_document(at) >= 0
                    documents += 1
            finally:
                reader.source.close()
    return documents


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("format_", FORMATS)
def test_only_our_own_errors(format_: str, seed: int, tmp_path: Path) -> None:
    """100 broken files of every format and seed: as what they were, on either side, and against themselves."""
    rng = random.Random(f"{format_} {seed}")
    suffix = (*FORMATS[format_].suffixes, "")[0]
    good, bad = tmp_path / f"good{suffix}", tmp_path / f"bad{suffix}"
    scored = read = 0
    for _ in range(100):
        text = _whole(format_, rng)
        good.write_bytes(text)
        bad.write_bytes(_broken(rng, text, PIECES[format_]))
        read += _read(bad, format_)
        for key, response in ((good, bad), (bad, good), (bad, bad)):
            options: dict[str, Any] = {
                "rules": rng.choice(list(corefscope.RULES)),
                "match": rng.choice(("head", "exact", "partial")),
            }
            if rng.random() < 0.2:
                options["documents"] = "merge"
            with suppress(corefscope.CorefscopeError):
                corefscope.score(key, response, metrics="all", **options)
                scored += 1
    assert scored
    assert read
    assert scored < 300


@pytest.mark.parametrize("format_", FORMATS)
def test_files_of_other_formats(format_: str, tmp_path: Path) -> None:
    """Every format is given the files of all others, whole and broken."""
    rng = random.Random(format_)
    path = tmp_path / "other"
    for other in FORMATS:
        for _ in range(20):
            text = _whole(other, rng)
            for data in (text, _broken(rng, text, PIECES[format_])):
                path.write_bytes(data)
                _read(path, format_)


BYTES = st.one_of(
    st.binary(max_size=80),
    st.text('{}[]",:0123456789.eE-\\uNtrfalsn \t\n#()|_', max_size=80).map(str.encode),
    st.lists(st.sampled_from(sorted({*sum(PIECES.values(), ANYWHERE)}, key=repr)), max_size=12).map(b"".join),
)


@settings(max_examples=300, deadline=None)
@given(data=BYTES)
@pytest.mark.parametrize("format_", FORMATS)
def test_any_bytes(format_: str, data: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Read as this format, and scored as whatever it looks like."""
    path = tmp_path_factory.getbasetemp() / f"any-{format_}"
    path.write_bytes(data)
    _read(path, format_)
    with suppress(corefscope.CorefscopeError):
        corefscope.score(path, path, metrics="conll", key_format=format_)
    with suppress(corefscope.CorefscopeError):
        corefscope.score(path, path, metrics="conll")
