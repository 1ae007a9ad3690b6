"""The reading half of the oracle of the official CorefUD scorer 1.2.

It follows the reader and loader that the official program uses (udapi 0.5.2) quirk by quirk: float ordinals,
the last ``global.Entity`` of the file for all of it, sentence numbers that run through the file. Bridge and
SplitAnte are not looked at here (they never change a score of that program, but faulty ones stop it): see
``relation_documents``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

Word = tuple[int, float]  # (sentence number in the file, ordinal: int for words, float for empty nodes)
Dep = tuple[Word, str]  # (parent, deprel)
DocumentId = str | int | None  # its name, its running number, or None where the file has no newdoc at all


class Span(NamedTuple):
    """A mention as it is in the file, before a matching option says what makes two mentions equal."""

    words: tuple[Word, ...]
    head: Word
    zero: bool = False
    deps: tuple[Dep, ...] = ()


@dataclass(eq=False)
class Node:
    sentence: Sentence
    ord: float
    form: str
    empty: bool
    raw_deps: str
    misc: str

    @property
    def word(self) -> Word:
        return (self.sentence.number, self.ord)

    def entity_annotation(self) -> str:
        values = [item[len("Entity") :] for item in self.misc.split("|") if item.split("=")[0] == "Entity"]
        if values and not values[-1]:
            raise ValueError("Entity without a value")
        return values[-1][1:] if values else ""  # a repeated attribute: the last one wins

    def deps(self) -> list[Dep]:
        sentence, result = self.sentence, []
        for item in self.raw_deps.split("|") if self.raw_deps != "_" else []:
            parent, deprel = item.split(":", 1)
            if "." in parent:  # found by its printed float: 2.10 is never found
                candidates = [n.word for n in sentence.empty_nodes if str(n.ord) == parent]
            else:  # found by position in the sentence, 0 being the root
                candidates = [(sentence.number, 0), *(n.word for n in sentence.words)][int(parent) :]
            if not candidates:
                raise ValueError(f"DEPS parent {parent} not found")
            result.append((candidates[0], deprel))
        return result


@dataclass(eq=False)
class Sentence:
    sent_id: str = ""
    zone: str = ""
    newdoc: str | bool | None = None
    number: int = 0
    words: list[Node] = field(default_factory=list)
    empty_nodes: list[Node] = field(default_factory=list)

    def nodes(self) -> list[Node]:
        return sorted(self.words + self.empty_nodes, key=lambda node: node.ord)


@dataclass(eq=False)
class File:
    sentences: list[Sentence] = field(default_factory=list)
    header: str | None = None


def read_conllu(path: str | Path) -> File:
    file = File()
    for block in re.split("\n\n+", Path(path).read_text(encoding="utf-8-sig")):
        if block:
            _read_sentence(block.split("\n"), file)
            if not file.sentences:
                raise ValueError("the first block has no word")  # later ones are just dropped
    number, last_id = 0, ""
    zones: set[str] = set()
    for sentence in file.sentences:  # an id is "bundle/zone"; consecutive ones of a bundle share its number
        bundle, _, sentence.zone = sentence.sent_id.partition("/")
        if not bundle or bundle != last_id:
            number, zones = number + 1, set()
        if sentence.zone in zones:
            raise ValueError(f"two consecutive sentences with the id {sentence.sent_id}")
        zones.add(sentence.zone)
        last_id = bundle or last_id  # without an id: the last id of the file, or else the running number
        sentence.number, sentence.sent_id = number, f"{last_id or number}/{sentence.zone}"
    return file


def _read_sentence(lines: list[str], file: File) -> None:
    sentence, heads = Sentence(), [0]
    for line in lines:
        if not line:  # a file that starts with an empty line or ends in a single line feed
            raise ValueError("empty line inside a sentence block")
        if line.startswith("#"):
            if m := re.match(r"# sent_id\s*=?\s*(\S+)", line):
                sentence.sent_id = m[1]
            elif m := re.match(r"# newdoc(?:\s+id\s*=\s*(.+))?$", line):
                sentence.newdoc = m[1] or True
            elif m := re.match(r"# global.Entity\s*=\s*(\S+)", line):
                file.header = m[1]
            continue
        columns = line.split("\t")
        columns += ["_"] * (10 - len(columns))
        identifier, form, raw_deps, misc = columns[0], columns[1], columns[8], columns[9]
        if "-" in identifier:
            continue
        if "." in identifier:
            sentence.empty_nodes.append(Node(sentence, float(identifier), form, True, raw_deps, misc))
            continue
        sentence.words.append(Node(sentence, int(identifier), form, False, raw_deps, misc))
        heads.append(0 if columns[6] == "_" else int(columns[6]))
    for position in range(1, len(heads)):
        at, steps = position, 0
        while at != 0:
            if not 0 <= heads[at] < len(heads) or steps > len(heads):
                raise ValueError(f"cycle or HEAD out of range at word {position}")
            at, steps = heads[at], steps + 1
    if sentence.words:  # a block without words is dropped, though its global.Entity counts
        file.sentences.append(sentence)
        if len(sentence.words) == 1 and sentence.words[0].misc == "Empty=Yes":
            sentence.words.clear()  # how udapi writes a sentence that has no word


@dataclass(eq=False)
class Loaded:
    """A mention being read; ``<`` is the order in which the loader sorts the mentions of an entity."""

    eid: str
    nodes: list[Node]
    head: Node

    def __lt__(self, other: Loaded) -> bool:
        if self.nodes[0] is not other.nodes[0]:
            return self.nodes[0].word < other.nodes[0].word
        if len(self.nodes) != len(other.nodes):
            return len(self.nodes) > len(other.nodes)
        return (self.nodes[-1].word, self.eid) < (other.nodes[-1].word, other.eid)


class Loader:
    """Reads the brackets of a whole file."""

    def __init__(self, header: str) -> None:
        self.fields = header.split("-")
        self.entities: dict[str, list[Loaded]] = {}
        self.opened: dict[str, list[tuple[Loaded, int | None]]] = {}
        self.pending: dict[str, list[Loaded]] = {}  # discontinuous mentions whose last part is to come

    def open(self, chunk: str, single: bool, node: Node, prefix: str) -> None:
        eid, head = "", None
        for name, value in zip(self.fields, chunk.split("-"), strict=False):
            if name == "eid":
                eid = value
            elif name == "GRP":
                eid = prefix + value
            elif name == "head":
                head = int(value)
        eid, part, total = _split_part(eid) if eid.endswith("]") else (eid, None, None)
        if not eid or any(c in eid for c in "-=| \t()"):
            raise ValueError(f"no valid entity id in {chunk!r}")
        stack, pending = self.opened.setdefault(eid, []), self.pending.setdefault(eid, [])
        if part in (None, "1"):
            mention = Loaded(eid, [node], node)
            self.entities.setdefault(eid, []).append(mention)
            if part:
                pending.append(mention)
        else:
            open_now = [mention for mention, _ in stack]
            free = [mention for mention in pending if mention not in open_now]
            if not free:
                raise ValueError(f"{chunk}: part of a mention that was not begun")
            mention = free[0]
            mention.nodes.append(node)
            if single and part == total:
                if head is None or head > len(mention.nodes):
                    raise ValueError(f"{chunk}: no valid head")
                mention.head = mention.nodes[head - 1]  # here a head of 0 is the LAST word
                self._finish(mention)
        if not single:
            stack.append((mention, head))

    def close(self, chunk: str, node: Node, prefix: str) -> None:
        eid, part, total = prefix + chunk, None, None
        if eid not in self.opened:
            eid, part, total = _split_part(eid)
        if not self.opened.get(eid) or "-" in chunk:
            raise ValueError(f"{chunk} closed but not opened")
        mention, head = self.opened[eid].pop()
        mention.nodes.sort(key=lambda n: n.ord)
        last = mention.nodes[-1]
        if last.sentence is not node.sentence:
            raise ValueError(f"{chunk} crosses sentences")
        for word in node.sentence.nodes():
            if last.ord < word.ord:
                mention.nodes.append(word)
                if word is node:
                    break
        if head and part == total:  # a head of 0 is none
            mention.nodes.sort(key=lambda n: n.ord)
            if head > len(mention.nodes):
                raise ValueError(f"{chunk}: head {head} is too big")
            mention.head = mention.nodes[head - 1]
        if part and part == total:
            self._finish(mention)

    def _finish(self, mention: Loaded) -> None:
        pending = self.pending[mention.eid]
        if not pending or pending.pop() is not mention:
            raise ValueError(f"{mention.eid}: another discontinuous mention is unfinished")

    def result(self) -> dict[str, list[Loaded]]:
        unclosed = [mention for stack in self.opened.values() for mention, _ in stack]
        entities = {eid: [m for m in ms if m not in unclosed] for eid, ms in self.entities.items()}
        entities = {eid: sorted(mentions) for eid, mentions in entities.items() if mentions}
        if len({m.head.sentence.zone for mentions in entities.values() for m in mentions}) > 1:
            raise ValueError("mentions in several zones cannot be ordered")
        return dict(sorted(entities.items(), key=lambda item: item[1][0]))


def _split_part(eid: str) -> tuple[str, str, str]:
    m = re.match(r"([^[]+)\[(\d+)/(\d+)\]", eid)
    if not m:
        raise ValueError(f"{eid}: not opened, or not of the form id[part/parts]")
    return m[1], m[2], m[3]


def load_entities(
    file: File, look_at: Callable[[Node, dict[str, list[Loaded]], str], None] | None = None
) -> dict[str, list[Loaded]]:
    """Entity id -> its mentions, both in the official order.

    ``look_at`` is called after each node, with the mentions of entities so far and with what comes before its ids.
    """
    header = file.header or "eid-etype-head-other"
    if "eid" not in header and "GRP" not in header:
        raise ValueError(f"no eid in {header}")
    loader = Loader(header)
    documents = 0
    for sentence in file.sentences:
        documents += 1 if sentence.newdoc or not documents else 0
        prefix = f"d{documents}." if "GRP" in header else ""
        for node in sentence.nodes():
            annotation = node.entity_annotation()
            if annotation and file.header is None:
                raise ValueError("Entity, but no global.Entity")
            for chunk in filter(None, re.split(r"(\([^()]+\)?|[^()]+\))", annotation)):
                inner = chunk.strip("()")
                if chunk.startswith("("):
                    loader.open(inner, chunk.endswith(")"), node, prefix)
                elif chunk.endswith(")"):
                    loader.close(inner, node, prefix)
            if look_at:
                look_at(node, loader.entities, prefix)
    return loader.result()


def split_documents(file: File) -> dict[DocumentId, list[list[Span]]]:
    """Document -> entities -> mentions. Documents with the same name are one."""
    documents: dict[DocumentId, dict[str, list[Span]]] = {}
    if not any(sentence.newdoc for sentence in file.sentences):
        documents[None] = {}
    home: dict[Sentence, DocumentId] = {}
    current: DocumentId = None
    count = 0
    for sentence in file.sentences:
        if sentence.newdoc:
            count += 1
            current = count if sentence.newdoc is True else sentence.newdoc
            documents.setdefault(current, {})
        home[sentence] = current
    for eid, mentions in load_entities(file).items():  # the order of the whole file, in every document
        for m in mentions:
            if len({home[node.sentence] for node in m.nodes}) > 1:
                raise ValueError(f"a mention of {eid} crosses documents")
            document = home[m.head.sentence]
            if document not in documents:
                raise ValueError("a mention before the first newdoc")
            words = tuple(sorted(node.word for node in m.nodes))
            span = Span(words, m.head.word, m.head.empty, tuple(m.head.deps()))
            documents[document].setdefault(eid, []).append(span)
    return {name: list(entities.values()) for name, entities in documents.items()}


def check_alignment(key: File, response: File) -> None:
    """As the official program does: what is beyond the end of the shorter one is not compared."""
    for k, s in zip(key.sentences, response.sentences, strict=False):
        if k.newdoc != s.newdoc or k.sent_id != s.sent_id:
            raise ValueError(f"sentences are not aligned: {k.sent_id}, {s.sent_id}")
        for a, b in zip(k.words, s.words, strict=False):
            if a.form != b.form:
                raise ValueError(f"words are not aligned: {a.form}, {b.form}")
