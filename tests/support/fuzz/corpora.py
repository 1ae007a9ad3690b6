"""Small good corpora: a key and a response over the same words, in every format.

Each corpus is a random CorefUD pair with zeros and relations, or a golden pair of CoNLL-UA. Its other formats are
converted from it, so that a key and a response of different formats still have the same words.
"""

from __future__ import annotations

import csv
import io
import json
import random
import re
import tempfile
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from corefscope.formats.convert import convert
from corefscope.formats.writers import WRITERS
from oracles.generate import random_pair
from places import GOLDEN
from standoff_files import STANDOFF

from .seeds import FEATURES, whole

SIDES = ("key", "response")
SIZE = 40
"""Corpora: few enough that each is made and converted once in a process."""
LARGEST_GOLDEN = 6000  # bytes
_ENTITY = re.compile(r"\((e\d+)")


@cache
def corpus_file(number: int, side: str, format_: str, style: str = "") -> bytes:
    """The file of one side of a corpus; ``style`` is that of tagged text."""
    own, *sides = _corpus(number)
    if format_ == own:
        return sides[SIDES.index(side)].encode()
    if format_ == "ua" and number % 2:
        return numbered_through(_converted(number, side, "ua").decode()).encode()
    if format_ == "semeval":
        return _semeval(_converted(number, side, "conll").decode()).encode()
    if format_ == "table":
        return _table(json.loads(_converted(number, side, "clusters")), number)
    if format_ in WRITERS and format_ not in STANDOFF:  # most of which hold one document only
        return _converted(number, side, format_, style)
    return whole(format_, random.Random(f"{number} {side} {format_}"))


def numbered_through(text: str) -> str:
    """CoNLL-UA whose words are numbered through each document, not through each sentence."""
    lines, last = [], 0
    for line in text.split("\n"):
        if line.startswith("# newdoc"):
            last = 0
        number, tab, rest = line.partition("\t")
        if tab and number.isdigit():
            last += 1
            line = f"{last}\t{rest}"
        elif tab and re.fullmatch(r"\d+\.\d+", number):
            line = f"{last}.{number.partition('.')[2]}\t{rest}"
        lines.append(line)
    return "\n".join(lines)


@cache
def _corpus(number: int) -> tuple[str, str, str]:
    """A format, and the key and the response in it."""
    rng = random.Random(f"corpus {number}")
    if number % 4 == 3:
        key = rng.choice(_golden_ua_keys())
        response = key.with_name(key.name.replace("key", "response"))
        return "ua", key.read_text(encoding="utf-8"), response.read_text(encoding="utf-8")
    features: dict[str, Any] = {name: rng.random() < 0.3 for name in FEATURES} | {"zeros": rng.random() < 0.7}
    features["newdoc"] = rng.random() < 0.9
    texts = random_pair(rng, **features)
    if rng.random() < 0.5:
        texts = _with_relations(rng, texts[0]), _with_relations(rng, texts[1])
    return "corefud", *texts


def _with_relations(rng: random.Random, text: str) -> str:
    """CorefUD with ``Bridge`` and ``SplitAnte`` at some of its mentions."""
    entities = sorted(set(_ENTITY.findall(text)))
    lines = text.split("\n")
    for at, line in enumerate(lines):
        if (opened := _ENTITY.search(line)) and "\t" in line and rng.random() < 0.4:
            earlier = entities[: entities.index(opened[1])]  # no entity may be an element of itself
            if len(earlier) > 1 and rng.random() < 0.5:
                elements = rng.sample(earlier, 2)
                lines[at] = f"{line}|SplitAnte={elements[0]}<{opened[1]},{elements[1]}<{opened[1]}"
            else:
                lines[at] = f"{line}|Bridge={rng.choice(entities)}<{opened[1]}{rng.choice(('', ':part'))}"
    return "\n".join(lines)


@cache
def _converted(number: int, side: str, to: str, style: str = "") -> bytes:
    """A side of a corpus as the package writes it; of the next corpus if that fails, for calls of convert to find."""
    own, *sides = _corpus(number)
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "source"), Path(folder, "target")
        source.write_text(sides[SIDES.index(side)], encoding="utf-8")
        try:
            convert(source, target, to=to, from_format=own, lossy=True, style=style or None)  # type: ignore[arg-type]
        except Exception:
            return corpus_file(number + 1, side, to, style)
        return target.read_bytes()


@cache
def _golden_ua_keys() -> list[Path]:
    keys = sorted((GOLDEN / "ua").glob("*.key.conllua"))
    return [path for path in keys if path.stat().st_size < LARGEST_GOLDEN]


def _semeval(conll: str) -> str:
    lines = []
    for line in conll.split("\n"):
        if line.startswith("#begin document"):
            name = re.sub(r"\((.*)\); part (\d+)", r"\1_\2", line[16:])
            lines.append(f"#begin document {name}")
        elif line.startswith("#") or not line.strip():
            lines.append(line)
        else:
            columns = line.split()
            lines.append("\t".join((str(int(columns[2]) + 1), columns[3], *"_" * 9, columns[-1])))
    return "\n".join(lines)


def _table(content: Any, number: int) -> bytes:
    """CSV, TSV or Parquet of clusters by document."""
    rows = [
        {"doc": document, "mention": str(mention), "entity": str(entity)}
        for document, clusters in content.items()
        for entity, mentions in (clusters.items() if isinstance(clusters, dict) else enumerate(clusters))
        for mention in mentions
    ]
    if number % 5 == 4 and find_spec("pyarrow"):
        import pyarrow
        from pyarrow import parquet

        written = io.BytesIO()
        parquet.write_table(pyarrow.table({name: [row[name] for row in rows] for name in rows[0]}), written)
        return written.getvalue()
    text = io.StringIO()
    table = csv.DictWriter(text, ["doc", "mention", "entity"], delimiter="\t" if number % 5 == 3 else ",")
    table.writeheader()
    table.writerows(rows)
    return text.getvalue().encode()
