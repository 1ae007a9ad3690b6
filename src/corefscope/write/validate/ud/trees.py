"""Level 2: what HEAD and DEPS name, the basic tree, and the graph of DEPS."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from ..problems import quoted
from .sentence import DEPS, HEAD, Note, UDRow, UDSentence, number

NUMBER = re.compile(r"0|[1-9][0-9]*")
PARENT = re.compile(r"(?:0|[1-9][0-9]*)(?:\.[1-9][0-9]*)?")


def dependencies(row: UDRow) -> list[tuple[str, str]] | None:
    """The parents and relations of DEPS; None if they cannot be read."""
    if row.columns[DEPS] == "_":
        return []
    pairs = [item.partition(":") for item in row.columns[DEPS].split("|")]
    return [(parent, relation) for parent, _, relation in pairs] if all(pair[1] for pair in pairs) else None


def check_references(sentence: UDSentence, note: Note) -> bool:
    """Whether all that HEAD and DEPS name is there."""
    sound = True
    ids = {"0", *(row.id for row in sentence.nodes)}

    def fault(test: str, line: int, message: str) -> None:
        nonlocal sound
        sound = False
        note(test, line, message)

    for row in sentence.nodes:
        head = row.columns[HEAD]
        if row.is_word:
            if not NUMBER.fullmatch(head):
                fault("invalid-head", row.line, f"HEAD {quoted(head)} is no number")
            if head not in ids:
                fault("unknown-head", row.line, f"HEAD {quoted(head)} names no word of the sentence")
        pairs = dependencies(row)
        if pairs is None:
            fault("invalid-deps", row.line, f"DEPS {quoted(row.columns[DEPS])} cannot be read")
        for parent, _ in pairs or ():
            if not PARENT.fullmatch(parent):
                fault("invalid-ehead", row.line, f"parent {quoted(parent)} in DEPS is no id")
            if parent not in ids:
                fault("unknown-ehead", row.line, f"parent {quoted(parent)} in DEPS is no word of the sentence")
    return sound


def check_tree(sentence: UDSentence, note: Note) -> bool:
    """Whether the words form one tree."""
    children: dict[int, list[int]] = {}
    for row in sentence.words:
        word, head = number(row.id), number(row.columns[HEAD])
        if word == head:
            note("head-self-loop", row.line, f"HEAD of word {word} is the word itself")
            return False
        children.setdefault(head, []).append(word)
    roots = children.get(0, [])
    if len(roots) > 1:
        note("multiple-roots", sentence.first, f"words {_listed(roots)} have HEAD 0")
        return False
    lost = {number(row.id) for row in sentence.words} - _reached(0, children)
    if lost:
        note("non-tree", sentence.first, f"words {_listed(sorted(lost))} are not below the root")
    return not lost


def check_graph(sentence: UDSentence, note: Note) -> None:
    """Where there are DEPS or empty nodes, every node must be reached from 0."""
    nodes = sentence.nodes
    if not has_graph(sentence):
        return
    children: dict[str, list[str]] = {}
    for row in nodes:
        for parent, _ in dependencies(row) or ():
            children.setdefault(_decimal(parent), []).append(_decimal(row.id))
            if parent != _decimal(parent):
                message = f"parent {parent} in DEPS: the official validator stops at a number that ends in 0 here"
                note("unknown-ehead", row.line, message)
    reached = _reached("0", children)
    lost = [row for row in nodes if _decimal(row.id) not in reached]
    if lost:
        message = f"nodes {_listed(row.id for row in lost)} cannot be reached from 0 over DEPS"
        note("unconnected-egraph", lost[0].line, message)


def has_graph(sentence: UDSentence) -> bool:
    """Whether a sentence has DEPS or empty nodes."""
    return any(row.is_empty or row.columns[DEPS] != "_" for row in sentence.nodes)


def _decimal(name: str) -> str:
    """Ids of empty nodes are decimal numbers to the library that makes the graph: 1.10 is 1.1."""
    return name.rstrip("0") if "." in name else name


def _reached(start: Any, children: dict[Any, list[Any]]) -> set[Any]:
    reached: set[Any] = set()
    waiting = [start]
    while waiting:
        new = [child for child in children.get(waiting.pop(), ()) if child not in reached]
        reached.update(new)
        waiting += new
    return reached


def _listed(names: Iterable[object]) -> str:
    first = [str(name) for name, _ in zip(names, range(11), strict=False)]
    return ", ".join(first[:10]) + (", …" if len(first) > 10 else "")
