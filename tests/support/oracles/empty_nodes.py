"""Empty nodes as multisets, from the text of two files: which are in both, of how many.

Sentences are counted by empty lines. A node is the parent that the first item of its DEPS names, and what else is
asked for: R = |K ∩ R| / |K|, P = |K ∩ R| / |R|, over all sentences.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

Node = tuple[str, ...]


def rows(text: str) -> Iterator[list[str]]:
    """The columns of all empty nodes, the number of the sentence in front."""
    for number, sentence in enumerate(text.rstrip("\n").split("\n\n")):
        for line in sentence.split("\n"):
            columns = line.split("\t")
            if line[0] != "#" and "." in columns[0]:
                yield [str(number), *columns]


def parent(row: list[str]) -> str:
    return row[9].split("|")[0].split(":")[0]


def relation(row: list[str]) -> str:
    return row[9].split("|")[0].split(":", 1)[1]


def place(row: list[str]) -> str:
    return row[1].split(".")[0]


LOOKS: dict[str, Callable[[list[str]], Node]] = {
    "empty_arc": lambda row: (row[0], parent(row)),
    "empty_dep": lambda row: (row[0], parent(row), relation(row)),
    "empty_wo": lambda row: (row[0], parent(row), place(row)),
    "empty_dep_wo": lambda row: (row[0], parent(row), relation(row), place(row)),
    "empty_form": lambda row: (row[0], parent(row), row[2]),
    "empty_lemma": lambda row: (row[0], parent(row), row[3]),
    "empty_upos": lambda row: (row[0], parent(row), row[4]),
    "empty_xpos": lambda row: (row[0], parent(row), row[5]),
    "empty_feats": lambda row: (row[0], parent(row), row[6]),
    "empty_all": lambda row: (row[0], parent(row), relation(row), place(row), *row[2:7]),
}


def counts(key: str, response: str) -> dict[str, list[int]]:
    """Of each metric: common and of the key, common and of the response."""
    result = {}
    for name, looks in LOOKS.items():
        ours, theirs = (Counter(map(looks, rows(text))) for text in (key, response))
        common = sum(min(number, theirs[node]) for node, number in ours.items())
        result[name] = [common, sum(ours.values()), common, sum(theirs.values())]
    return result
