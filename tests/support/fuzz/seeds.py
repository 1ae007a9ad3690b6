"""Small good files of every format, drawn from a generator of random numbers."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
import random
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from corefscope.core.format import FORMATS
from oracles.generate import random_pair
from places import EXAMPLE_KEY, GOLDEN
from standoff_files import LONGER, STANDOFF, AnnotatedText, Parts, standoff_file

FEATURES = (
    *("zeros", "discontinuous", "multiword_tokens", "empty_parents", "newdoc"),
    *("late_header", "shared_eids", "merged_documents", "duplicates", "two_heads", "minors", "empty_deps"),
)
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


_gzip = partial(gzip.compress, mtime=0)  # gzip writes the time, and the same seed must give the same bytes


def wrapped(data: bytes, rng: random.Random) -> bytes:
    """The same file as others would hand it over: now and then compressed, with other line ends, or marked UTF-8."""
    drawn = rng.random()
    if drawn < 0.04 and not data.startswith(b"PAR1"):
        data = data.replace(b"\n", rng.choice((b"\r\n", b"\r")))
    elif drawn < 0.06 and not data.startswith(b"PAR1"):
        data = b"\xef\xbb\xbf" + data
    if 0.05 < drawn < 0.1:
        data = rng.choice((_gzip, bz2.compress, lzma.compress))(data)
    return data


ALONE = [name for name, row in FORMATS.items() if row.alone and (name != "parquet" or find_spec("pyarrow"))]
"""Formats whose files can be read without others."""


def whole(format_: str, rng: random.Random) -> bytes:
    """A file that can be read."""
    if format_ == "corefud":
        features: dict[str, Any] = {name: rng.random() < 0.5 for name in FEATURES}
        return _example() if rng.random() < 0.1 else random_pair(rng, **features)[rng.randrange(2)].encode()
    if format_ == "ua":
        data = rng.choice(_ua_files()).read_bytes()
        return data if rng.random() < 0.2 else data.replace(b"  ", b"\t")
    if format_ == "conll":
        return (
            rng.choice((CONLL, NESTED)) if rng.random() < 0.2 else _with_brackets(rng, "d\t0\t{at}\t{word}\t{cell}")
        )
    if format_ == "semeval":
        return SEMEVAL if rng.random() < 0.2 else _with_brackets(rng, "{next}\t{word}" + "\t_" * 9 + "\t{cell}")
    if format_ == "table":
        return rng.choice((*_tables(), *_parquets()))
    if format_ == "links":
        pairs = [f"d{rng.randrange(2)},{rng.randrange(9)},{rng.choice(('', rng.randrange(9)))}" for _ in range(9)]
        return "\n".join(["document,mention,antecedent", *pairs, ""]).encode()
    if format_ == "parquet":
        return _parquet_documents([_spans(rng, name) for name in "de"])
    format_ = format_.removesuffix("-over-words")
    if format_ in STANDOFF:
        return standoff_file(format_, _annotated(rng), rng)[0]
    assert format_ in ("jsonl", "clusters"), f"tests/support/fuzz/seeds.py has no good file of {format_}"
    values = rng.sample(DIALECTS, 2) if format_ == "jsonl" else [rng.choice(CLUSTERS)]
    if rng.random() < 0.2:
        return json.dumps(values, indent=1).encode()
    if format_ == "jsonl" and rng.random() < 0.5:
        values = [_spans(rng, name) for name in "de"]
    return b"\n".join(json.dumps(value).encode() for value in values)


@cache
def _ua_files() -> list[Path]:
    files = sorted((GOLDEN / "ua").glob("*.conllua"))
    return [path for path in files if path.stat().st_size < 6000]


def _spans(rng: random.Random, name: str) -> dict[str, Any]:
    words = [rng.choice(WORDS) for _ in range(rng.randint(3, 12))]

    def clusters() -> list[list[list[int]]]:
        spans = {tuple(sorted(rng.choices(range(len(words)), k=2))) for _ in range(rng.randint(1, 6))}
        drawn: dict[int, list[list[int]]] = {}
        for span in sorted(spans):
            drawn.setdefault(rng.randrange(3), []).append(list(span))
        return list(drawn.values())

    return {"doc_key": name, "sentences": [words[:3], words[3:] or ["."]], "clusters": clusters()} | (
        {"predicted_clusters": clusters()} if rng.random() < 0.5 else {}
    )


def _annotated(rng: random.Random) -> AnnotatedText:
    """Entities over words that are always the same, since they may be in a file of their own."""
    spans: list[Parts] = rng.sample([((0, 2),), ((3, 4),), ((5, 6),), ((6, 7),), ((9, 10),), ((7, 10),)], 4)
    return LONGER._replace(entities=[spans[:2], spans[2:3], spans[3:]])


def _with_brackets(rng: random.Random, row: str) -> bytes:
    """Documents with nested mentions in the last column."""
    lines = []
    for document in range(rng.randint(1, 2)):
        lines.append(f"#begin document (d{document}); part 000" if "d\t0" in row else f"#begin document d{document}")
        for _ in range(rng.randint(1, 3)):
            words = rng.choices(WORDS, k=rng.randint(2, 8))
            cells: list[list[str]] = [[] for _ in words]
            _nest(rng, cells, 0, len(words) - 1)
            lines += [
                row.format(at=at, next=at + 1, word=word, cell="|".join(cell) or "-")
                for at, (word, cell) in enumerate(zip(words, cells, strict=True))
            ]
            lines.append("")
        lines.append("#end document")
    return "\n".join([*lines, ""]).encode()


def _nest(rng: random.Random, cells: list[list[str]], first: int, last: int) -> None:
    """Mentions that lie in each other or side by side, from one word to another."""
    if first > last or rng.random() < 0.2:
        return
    entity = rng.randrange(4)
    if rng.random() < 0.5:
        cells[first].append(f"({entity})" if first == last else f"({entity}")
    middle = rng.randint(first, last)
    opened = bool(cells[first]) and cells[first][-1] == f"({entity}"
    _nest(rng, cells, first + (first < last), middle - (middle == last))
    _nest(rng, cells, middle + 1, last - 1)
    if opened:
        cells[last].append(f"{entity})")


def _parquet_documents(rows: list[dict[str, Any]]) -> bytes:
    import pyarrow
    from pyarrow import parquet

    written = io.BytesIO()
    names = ("doc_key", "sentences", "clusters")
    parquet.write_table(pyarrow.table({name: [row[name] for row in rows] for name in names}), written)
    return written.getvalue()


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
