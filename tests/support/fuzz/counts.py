"""How many mentions a file holds, from the definition of its format alone: no code of the package is used.

A counter returns None where the definition leaves it open. It need not refuse what is wrong: it is asked only about
files that a reader has accepted without a word.
"""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
import re
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

UNPACK: dict[bytes, Callable[[bytes], bytes]] = {
    b"\x1f\x8b": gzip.decompress,
    b"BZh": bz2.decompress,
    b"\xfd7zXZ\x00": lzma.decompress,
}
SPANS = (
    *("clusters", "span_clusters", "clusters_token_offsets", "clusters_char_offsets", "coref_chains"),
    "mention_clusters",
)
MENTION_COLUMNS = {"mention", "mention_id"}


def mentions(data: bytes, format_: str) -> int | None:
    """How many mentions the key in a file has."""
    unpack = next((unpack for mark, unpack in UNPACK.items() if data.startswith(mark)), bytes)
    data = unpack(data)  # once: what is packed twice is not text
    if format_ == "table" and data.startswith(b"PAR1"):
        from pyarrow import parquet

        rows: int = parquet.read_metadata(io.BytesIO(data)).num_rows
        return rows
    if format_ == "parquet":
        return _parquet(data)
    text = data.decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n")
    counter = COUNTERS.get(format_)
    assert counter, f"tests/support/fuzz/counts.py has no counter of {format_}: add it to COUNTERS"
    try:
        return counter(text)
    except (AttributeError, LookupError, TypeError, ValueError, csv.Error, ElementTree.ParseError):
        return None  # written in a way that only a reader knows


def _corefud(text: str) -> int | None:
    """Brackets that open in ``Entity`` of words and empty nodes; of a mention in parts, the first."""
    headers = re.findall(r"^# global\.Entity\s*=\s*(.*?)\s*$", text, re.MULTILINE)
    fields = headers[-1].split("-") if headers else ["eid"]
    ids = [at for at, field in enumerate(fields) if field in ("eid", "GRP")]
    if len(ids) != 1:
        return None
    count = 0
    for line in text.split("\n"):
        columns = line.split("\t")
        if len(columns) != 10 or (line.startswith("#") and not line.startswith("#\t")) or "-" in columns[0]:
            continue
        values = [value[7:] for value in columns[9].split("|") if value.startswith("Entity=")]
        if len(values) > 1:
            return None
        for opened in re.findall(r"\(([^()]*)", values[0]) if values else ():
            parts = opened.split("-")
            later = re.search(r"\[(\d+)/\d+\]$", parts[ids[0]] if len(parts) > ids[0] else "")
            count += later is None or int(later[1]) == 1
    return count


def _brackets(text: str) -> int | None:
    """Brackets that open in the last column."""
    count = 0
    for line in text.split("\n"):
        if line.strip() and (not line.startswith("#") or line.startswith("#\t")):
            cell = line.rsplit("\t", 1)[-1] if "\t" in line else line.split()[-1]
            count += cell.count("(")
    return count


def _objects(text: str) -> list[Any]:
    """All JSON values of a text, one after the other."""
    values, at, decoder = [], 0, json.JSONDecoder()
    while at < len(text):
        if text[at].isspace():
            at += 1
        else:
            value, at = decoder.raw_decode(text, at)
            values.append(value)
    return values


def _jsonl(text: str) -> int | None:
    """Spans in the first field that holds clusters, over all documents."""
    documents = _objects(text)
    if len(documents) == 1 and isinstance(documents[0], list):
        documents = documents[0]
    count = 0
    for document in documents:
        fields = [document[name] for name in SPANS if document.get(name) is not None]
        if not fields:
            return None
        count += sum(len(cluster) for cluster in fields[0])
    return count


def _clusters(text: str) -> int | None:
    """Ids in clusters: ``{document: clusters}``, one document's clusters, or objects that have them."""
    values = _objects(text)
    value = values[0]
    if len(values) > 1 or (isinstance(value, list) and value and all(isinstance(item, dict) for item in value)):
        found = [_of_document(item.get("clusters")) for item in (values if len(values) > 1 else value)]
    elif isinstance(value, dict) and "clusters" not in value:
        found = [_of_document(item) for item in value.values()]
    else:
        found = [_of_document(value["clusters"] if isinstance(value, dict) else value)]
    return None if None in found else sum(filter(None, found))


def _of_document(clusters: Any) -> int | None:
    if not isinstance(clusters, list | dict):
        return None
    return sum(len(cluster) for cluster in (clusters.values() if isinstance(clusters, dict) else clusters))


def _table(text: str) -> int | None:
    """Rows below the one that names the columns."""
    header = text.lstrip("\n").split("\n")[0]
    for delimiter in ",\t;":
        names = {name.strip().lower() for name in next(csv.reader([header], delimiter=delimiter))}
        if len(names) > 1 and names & MENTION_COLUMNS:
            rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True)
            return sum(1 for row in rows if any(cell.strip() for cell in row)) - 1
    return None


def _links(text: str) -> int | None:
    """Different ids of each document; only where all is spelt as usual."""
    header, *rows = text.split("\n")
    if header != "document,mention,antecedent" or '"' in text or "\r" in text:
        return None
    cells = [[cell.strip() for cell in row.split(",")] for row in rows if row]
    return len({(row[0], id_) for row in cells for id_ in row[1:] if id_})


def _markables(text: str) -> int | None:
    """Different ids of markables in each document whose entity refers; only where all is spelt as usual."""
    opening = re.compile(r"\((?:EntityID=([^|()@=\s]+)\|MarkableID=([^|()@=\s]+))(?=[|()]|$)")
    headers = re.findall(r"global\.columns(.*)", text)
    if headers and (len(headers) > 1 or headers[0].split()[11:12] != ["IDENTITY"]):
        return None
    total = 0
    for document in re.split(r"^\s*#[^\S\n]*newdoc\b", text, flags=re.MULTILINE):
        entities: dict[str, str] = {}
        for row in document.split("\n"):
            columns = row.split("\t")
            if row.lstrip()[:1] in ("", "#") or row.startswith(" id ="):
                continue
            if len(columns) < 11:  # or separated by blanks
                return None
            found = opening.findall(columns[10])
            if len(found) != columns[10].count("(") or "\t" in (row[:1], row[-1:]):
                return None
            entities.update((id_, entity) for entity, id_ in found)
        total += sum(not entity.endswith(("-Pseudo", "_Pseudo")) for entity in entities.values())
    return total


def _distinct(spans: list[Any]) -> int | None:
    """The number of spans; None if one comes twice, which counts once in the same entity."""
    return len(spans) if len(set(map(repr, spans))) == len(spans) else None


def _rows(text: str) -> list[list[str]]:
    return [line.split("\t") for line in text.split("\n") if line.strip()]


def _brat(text: str) -> int | None:
    return _distinct([row[1].partition(" ")[2].strip() for row in _rows(text) if row[0].startswith("T")])


def _litbank(text: str) -> int | None:
    mentions = [row for row in _rows(text) if row[0] == "MENTION"]
    return _distinct([row[2:6] for row in mentions]) if len({row[1] for row in mentions}) == len(mentions) else None


def _booknlp(text: str) -> int | None:
    header, *rows = _rows(text)
    return _distinct([[int(row[header.index(name)]) for name in ("start_token", "end_token")] for row in rows])


def _webanno(text: str) -> int | None:
    """Different links of one layer of chains, if they are written in the usual way and cover different words."""
    usual = re.match(
        r"\s*#FORMAT=[^\n]*\n(?:#T_SP=[^\n|]*\|[^\n|]*\n)?#T_CH=", text
    )  # columns are those of the header
    if (
        not usual
        or text.count("#T_SP=") > 1
        or text.count("#T_CH=") != 1
        or "#T_RL" in text
        or re.search(r"^[0-9]+-[0-9]+\.", text, re.MULTILINE)
    ):
        return None
    words: dict[str, list[int]] = {}
    for number, row in enumerate(row for row in _rows(text) if not row[0].startswith("#")):
        cells = [cell for cell in row[4:6] if "->" in cell]
        if len(cells) > 1 or any(
            not re.fullmatch(r"(?:\*|\w+)->[1-9][0-9]*-[1-9][0-9]*", v) for c in cells for v in c.split("|")
        ):
            return None
        for value in cells[0].split("|") if cells else ():
            words.setdefault(value.partition("->")[2], []).append(number)
        if any("->" in cell for cell in row[3:4] + row[6:]):
            return None
    return _distinct(list(words.values()))


def _gap(text: str) -> int | None:
    header, *rows = _rows(text)
    names = ("Pronoun-offset", "A-offset", "B-offset")
    places = [[int(row[header.index(name)]) for name in names] for row in rows]
    return 3 * len(rows) if all(len(set(each)) == 3 for each in places) else None


def _elements(text: str, name: str, attribute: str) -> list[Any]:
    return [
        element.get(attribute)
        for element in ElementTree.fromstring(text.strip()).iter()
        if element.tag.rpartition("}")[2] == name
    ]


def _mmax(text: str) -> int | None:
    if re.search(r"pleonastic|non_?referring|\bID=|:markable", text) or "<markables" not in text:
        return None
    ids, spans = (_elements(text, "markable", name) for name in ("id", "span"))
    return _distinct(spans) if len(set(ids)) == len(ids) and not any("," in span for span in spans) else None


def _ecb(text: str) -> int | None:
    markables = [each for group in ElementTree.fromstring(text.strip()).iter("Markables") for each in group]
    anchors = [sorted({anchor.get("t_id", "") for anchor in markable.iter("token_anchor")}) for markable in markables]
    ids = [markable.get("m_id") for markable in markables]
    return _distinct([each for each in anchors if each]) if len(set(ids)) == len(ids) else None


def _sacr(text: str) -> int | None:
    """Braces that close; None where two might be around the same words, or something is spelt in an odd way."""
    text = re.sub(r'(?<=[:,])\w+=(?:\w+|"[^"\n{}]*")', "", text)
    odd = re.search(r'^#.*[{}]|["=]|\}\s*\}|\{\w+:?,* *\{', text, re.MULTILINE)
    return None if odd else text.count("}")


def _scorch(text: str) -> int | None:
    value = json.loads(text)
    if value["type"] == "clusters":
        ids = [id_ for cluster in value["clusters"].values() for id_ in cluster]
        return _distinct(ids)
    linked = [id_ for link in value.get("links", []) for id_ in link]
    return len(set(map(json.dumps, [*value["mentions"], *linked])))


def _cdcr(text: str) -> int | None:
    return _distinct(
        [[str(each["doc_id"]), int(each["sent_id"]), sorted(set(each["tokens_number"]))] for each in json.loads(text)]
    )


def _parquet(data: bytes) -> int | None:
    from pyarrow import parquet

    table = parquet.read_table(io.BytesIO(data))
    names = [name for name in SPANS if name in table.column_names]
    if len(names) != 1 or "predicted_clusters" in table.column_names:
        return None
    clusters = [cluster for row in table.column(names[0]).to_pylist() for cluster in row]
    return sum(map(len, clusters)) if all(len(set(map(repr, each))) == len(each) for each in clusters) else None


def _documents(text: str) -> list[Any]:
    """JSON objects: one after the other, or those of one array."""
    values = _objects(text)
    return values[0] if len(values) == 1 and isinstance(values[0], list) else values


def _label_studio(text: str) -> int | None:
    count = 0
    for task in _documents(text):
        chosen = [each for each in task["annotations"] if not each.get("was_cancelled")]
        if len(chosen) != 1:
            return None
        values = [item["value"] for item in chosen[0]["result"] if "start" in item.get("value", {})]
        if len({item.get("id") for item in chosen[0]["result"] if item["type"] == "labels"}) != len(values):
            return None
        distinct = _distinct([(value["start"], value["end"]) for value in values])
        if distinct is None or any(set(value) != {"start", "end", "text", "labels"} for value in values):
            return None
        count += distinct
    return count


def _doccano(text: str) -> int | None:
    spans = [
        (at, item["start_offset"], item["end_offset"])
        for at, document in enumerate(_documents(text))
        for item in document["entities"]
    ]
    ids = [(at, str(item["id"])) for at, document in enumerate(_documents(text)) for item in document["entities"]]
    texts = [document["text"] for document in _documents(text)]
    if any(text[start:end] != text[start:end].strip() for text in texts for _, start, end in spans):
        return None  # blanks at the ends do not count
    return _distinct(spans) if len(set(ids)) == len(ids) else None


def _prodigy(text: str) -> int | None:
    """Different spans, by characters; None if their tokens are others, or a document is left out."""
    count = 0
    for document in _documents(text):
        places = [(token["start"], token["end"], token["text"]) for token in document["tokens"]]
        if document.get("answer", "accept") != "accept" or len({start for start, _, _ in places}) != len(places):
            return None
        linked = [item[end] for item in document["relations"] for end in ("head_span", "child_span")]
        spans = set()
        for span in [*document["spans"], *linked]:
            first, last = span.get("token_start"), span.get("token_end")
            if first is not None and (places[first][0], places[last][1]) != (span["start"], span["end"]):
                return None
            if not document["text"][span["start"] : span["end"]].strip():
                return None
            spans.add((span["start"], span["end"]))
        if any(document["text"][start:end] != token for start, end, token in places):
            return None
        count += len(spans)
    return count


def _corenlp(text: str) -> int | None:
    count = 0
    for document in _documents(text):
        for chain in document["corefs"].values():
            spans = _distinct([(each["sentNum"], each["startIndex"], each["endIndex"]) for each in chain])
            if spans is None:
                return None
            count += spans
    return count


def _xcore(text: str) -> int | None:
    clusters = [each for document in _documents(text) for each in document["clusters_token_offsets"]]
    return sum(map(len, clusters)) if all(_distinct(each) is not None for each in clusters) else None


def _spacy(text: str) -> int | None:
    """Spans in groups of clusters; None where clusters of fastcoref may count instead, or a span comes twice."""
    count = 0
    for document in _documents(text):
        groups = [spans for name, spans in document["spans"].items() if re.fullmatch("coref_clusters_[0-9]+", name)]
        spans = [_distinct([(each["start"], each["end"]) for each in group]) for group in groups]
        if "_" in document or None in spans:
            return None
        count += sum(each or 0 for each in spans)
    return count


def _stanza(text: str) -> int | None:
    """Starts and units in chains of words; None where something else is near, or a span may come twice."""
    if text.count("coref_chains=") != len(re.findall(r"^[0-9.]+\t.*[\t|]coref_chains=[^|\t\n]+(?:\||$)", text, re.M)):
        return None
    count = 0
    for chains in re.findall(r"coref_chains=([^|\n]*)", text):
        tags = [tag.replace("repr-", "").split("-") for tag in chains.split(",")]
        if len(set(map(tuple, tags))) != len(tags):
            return None
        count += sum(tag[0] in ("unit", "start") for tag in tags)
    return count


COUNTERS: dict[str, Callable[[str], int | None]] = {
    "webanno": _webanno,
    "brat": _brat,
    "litbank": _litbank,
    "booknlp": _booknlp,
    "gap": _gap,
    "mmax": _mmax,
    "ecb": _ecb,
    "sacr": _sacr,
    "scorch": _scorch,
    "cdcr": _cdcr,
    "label-studio": _label_studio,
    "doccano": _doccano,
    "prodigy": _prodigy,
    "corenlp": _corenlp,
    "xcore": _xcore,
    "spacy": _spacy,
    "stanza": _stanza,
    "corefud": _corefud,
    "ua": _markables,
    "conll": _brackets,
    "semeval": _brackets,
    "jsonl": _jsonl,
    "clusters": _clusters,
    "table": _table,
    "links": _links,
}
