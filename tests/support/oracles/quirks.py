"""Hand-made one-sentence pairs for the quirks of the official scorer (section 8 of its specification).

`QUIRKS` holds the pairs and the percentages that the official program prints; `conllu` writes a side as a file.
In the notation `e1 1 2.1[3:nsubj] 2..6@3; - 4.1[5:obj]` the entity e1 has a single word, a zero with its DEPS,
and the span from 2 to 6 (with all empty nodes in it) headed by 3; 4.1 is an empty node without a mention.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

Expected = dict[str, float | tuple[float, float, float]]  # f1, or (recall, precision, f1)


class Quirk(NamedTuple):
    name: str
    key: str
    response: str
    options: dict[str, Any]
    expected: Expected


LINEAR, EXACT, PARTIAL = {"zeros": "linear"}, {"match": "exact"}, {"match": "partial"}
KEEP = {"singletons": "keep"}
ALL_100: Expected = dict.fromkeys(("muc", "bcub", "ceafe", "ceafm", "blanc", "lea", "mor", "conll"), 100)
TWO_ZEROS = "e1 1 2.1[3:nsubj]; e2 2.2[4:obj] 6"
DOUBLE = "e1 1 3; e2 1 5"

QUIRKS = [
    Quirk("1 empty DEPS, linear", "e1 1 2.1[_]", "e1 1 2.1[_]", LINEAR, {"conll": 100}),
    Quirk(
        "2 the dictionary loses a match",
        TWO_ZEROS,
        "e1 1 2.2[3:nsubj]; e2 2.3[4:obj] 6; - 2.1[3:x]",
        {},
        {"muc": (50, 100, 66.67), "bcub": (62.5, 100, 76.92), "ceafe": 75, "conll": 72.86, "zero": 100},
    ),
    Quirk(
        "2 the same, swapped",
        "e1 1 2.2[3:nsubj]; e2 2.3[4:obj] 6; - 2.1[3:x]",
        TWO_ZEROS,
        {},
        {"muc": (50, 100, 66.67), "bcub": (62.5, 100, 76.92), "conll": 72.86, "zero": 0},
    ),
    Quirk(
        "2 without common ordinals",
        TWO_ZEROS,
        "e1 1 2.3[3:nsubj]; e2 2.4[4:obj] 6; - 2.1[3:x] 2.2[3:x]",
        {},
        {"muc": 100, "bcub": 100, "ceafe": 100, "conll": 100, "zero": 100},
    ),
    Quirk(
        "3 the dictionary invents a match",
        TWO_ZEROS,
        "e1 1 2.2[3:nsubj]; e2 2.1[5:foo] 6",
        {},
        {"muc": 100, "bcub": 100, "ceafe": 100, "blanc": 100, "lea": 100, "conll": 100, "zero": 0},
    ),
    Quirk(
        "3 with the wrong zero elsewhere",
        TWO_ZEROS,
        "e1 1 2.2[3:nsubj]; e2 4.1[5:foo] 6; - 2.1[5:x]",
        {},
        {"muc": 50, "bcub": 62.5, "ceafe": 75, "conll": 62.5},
    ),
    Quirk(
        "4 zero prefers identity to the alignment",
        "e1 1 2.1[3:nsubj]; e2 2 2.2[4:obj]",
        "e1 1 2.2[3:nsubj]; e2 2 2.1[4:obj]",
        {},
        {"conll": 100, "zero": (0, 0, 0)},
    ),
    Quirk("5 tie", "e1 3..4 9", "e2 2..6@3 8; e1 3..5 9", {}, {"muc": 0, "conll": 22.22}),
    Quirk("5 tie, e7 before", "e1 3..4 9; e7 1 11", "e2 2..6@3 8; e1 3..5 9", {}, {"muc": 50, "conll": 50}),
    Quirk("5 tie, e7 after", "e1 3..4 9; e7 11 12", "e2 2..6@3 8; e1 3..5 9", {}, {"muc": 0, "conll": 16.67}),
    Quirk(
        "6a phase 1 ignores spans",
        "e1 1 2.1[4:nsubj]; e2 2.1..3@2.1 6",
        "e2 2.1[4:nsubj]..3@2.1 6",
        {},
        {"muc": 0, "bcub": (25, 50, 33.33), "conll": 22.22},
    ),
    Quirk(
        "6a linear",
        "e1 1 2.1[4:nsubj]; e2 2.1..3@2.1 6",
        "e2 2.1[4:nsubj]..3@2.1 6",
        LINEAR,
        {"muc": (50, 100, 66.67), "conll": 66.67},
    ),
    Quirk(
        "6b the first of equal zeros",
        "e1 1 2.1[3:nsubj]; e2 2.2[3:nsubj] 6",
        "e2 2.2[3:nsubj] 6; - 2.1[3:nsubj]",
        {},
        {"muc": 0},
    ),
    Quirk("6c exact pairs zeros", "e1 1 2.1[3:nsubj]", "e1 1 4.1[3:nsubj]", EXACT, {"conll": 100}),
    Quirk("6c linear", "e1 1 2.1[3:nsubj]", "e1 1 4.1[3:nsubj]", EXACT | LINEAR, {"muc": 0, "conll": 25}),
    Quirk(
        "9 a mention in two entities",
        DOUBLE,
        DOUBLE,
        {},
        {"muc": 50, "bcub": 75, "ceafe": 100, "lea": 50, "blanc": 50, "conll": 75},
    ),
    Quirk("9 the earlier only", DOUBLE, "e1 1 3", {}, {"muc": (50, 0, 0)}),
    Quirk("9 the later only", DOUBLE, "e2 1 5", {}, {"muc": (50, 100, 66.67)}),
    Quirk("10 above 100", "e1 1 3; e2 1 3; e3 1 3", "e1 1 3", {}, {"blanc": (50, 150, 75)}),
    Quirk("11a", "e1 1", "e1 1", KEEP, {"blanc": 0}),
    Quirk("11b", "e1 1 3 5", "e1 1 3; e2 5", KEEP, {"blanc": (16.67, 50, 25)}),
    Quirk("11c", "e1 1; e2 3; e3 5", "e1 1 3; e2 5", KEEP, {"blanc": (33.33, 50, 40)}),
    Quirk(
        "12 float ordinals",
        "e1 1 2.1[3:nsubj]; e2 2.10[3:obj] 6",
        "e1 1 2.1[3:nsubj]; e2 2.10[3:obj] 6",
        {},
        {"muc": 50, "conll": 75},
    ),
    Quirk("13 exact", "e1 1..4 6; - 2.1[3:x]", "e1 1..4 6", EXACT, {"muc": 0, "conll": 25}),
    Quirk(
        "13 partial",
        "e1 1..4 6; - 2.1[3:x]",
        "e1 1..4 6",
        PARTIAL,
        {"conll": 100, "mor": (83.33, 100, 90.91)},
    ),
    Quirk("13 partial, swapped", "e1 1..4 6", "e1 1..4 6; - 2.1[3:x]", PARTIAL, {"conll": 25}),
    Quirk("13 head", "e1 1..4 6", "e1 1..4 6; - 2.1[3:x]", {}, {"conll": 100}),
    Quirk("14 another head", "e1 1..2@1 6", "e1 1..2@2 6", {}, {"muc": 0, "conll": 25}),
    Quirk("14 partial", "e1 1..2@1 6", "e1 1..2@2 6", PARTIAL, {"conll": 100}),
    Quirk("14 two heads in one entity", "e1 1..2@1 1..2@2", "e1 1..2@1 1..2@2", {}, ALL_100),
    Quirk("14 two heads, exact", "e1 1..2@1 1..2@2", "e1 1..2@1 1..2@2", EXACT, dict.fromkeys(ALL_100, 0)),
    Quirk("15 twice the same is a singleton", "e1 1 1", "e1 1 1", {}, dict.fromkeys(ALL_100, 0)),
    Quirk("22 zeros by position", "e1 1 2.1[3:nsubj]", "e1 1 2.1[4:obj]", {}, {**ALL_100, "zero": 100}),
    Quirk(
        "23 empty parents",
        "e1 1 2.2[2.1:nsubj]; - 2.1[3:x]",
        "e1 1 2.1[2.2:nsubj]; - 2.2[3:x]",
        {},
        {"muc": 0, "conll": 25},
    ),
    Quirk("24 overt", "e1 1 3.1[5:x]..4@4", "e1 1 3.1[5:x]..4@3.1", PARTIAL, {"conll": 100, "zero": 0}),
    Quirk("24 swapped", "e1 1 3.1[5:x]..4@3.1", "e1 1 3.1[5:x]..4@4", PARTIAL, {"conll": 100, "zero": 100}),
    Quirk("26 LEA", "e1 1", "e1 1 3", KEEP, {"lea": (0, 0, 0), "bcub": (100, 25, 40)}),
]


def conllu(notation: str, words: int = 12) -> str:
    """The file for one side."""
    deps = dict(re.findall(r"([0-9.]+)\[([^]]*)\]", notation))
    nodes = sorted([str(number) for number in range(1, words + 1)] + list(deps), key=float)
    annotation: dict[str, list[str]] = {node: [] for node in nodes}
    for group in re.sub(r"\[[^]]*\]", "", notation).split(";"):
        eid, *mentions = group.split()
        for mention in mentions if eid != "-" else []:
            span, _, head = mention.partition("@")
            first, _, last = span.partition("..")
            inside = nodes[nodes.index(first) : nodes.index(last or first) + 1]
            chunk = f"({eid}-{inside.index(head or first) + 1}"
            annotation[first].append(chunk if last else f"{chunk})")
            if last:
                annotation[last].insert(0, f"{eid})")
    lines = ["# newdoc id = d", "# global.Entity = eid-head", "# sent_id = s"]
    for node in nodes:
        head, entity = "_" if "." in node else "0", "".join(annotation[node])
        columns = (node, f"w{node}", "_", "_", "_", "_", head, "_", deps.get(node, "_"))
        lines.append("\t".join((*columns, f"Entity={entity}" if entity else "_")))
    return "\n".join(lines) + "\n\n"
