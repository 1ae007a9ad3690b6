"""Stanza's CoNLL-U: ``coref_chains=start-id0,unit-id1`` in MISC, read as CorefUD with brackets in its place.

``start``, ``middle`` and ``end`` mark the words of a mention, ``unit`` a mention of one word; ``repr`` marks the
representative mention. Mentions of one chain that nest or touch cannot be told apart by the tags: an end closes the
mention that was begun last. Heads are first words, unless trees are asked for (``--heads tree``).
"""

from __future__ import annotations

import re
from io import BytesIO

from ...core.errors import Warnings
from ..corefud.reader import CorefUDReader
from ..source import Source

CHAINS = re.compile(r"(?<=[\t|])coref_chains=([^|\t\n]*)(?=[|\n]|\Z)")
TAG = re.compile(r"(unit|start|middle|end)-(?:repr-)?id([0-9]+)", re.ASCII)
BRACKETS = {"end": "{0})", "start": "({0}", "unit": "({0})", "middle": ""}
"""What a tag becomes, in the order in which the brackets of a word are written."""
HEADER = "# global.Entity = eid"


class StanzaReader(CorefUDReader):
    """The documents of a file, usually one: Stanza writes no ``newdoc``."""

    def __init__(self, source: Source, warnings: Warnings, side: str = "key") -> None:
        source.check_memory(source.start, source.size)
        text = source.text(source.start, source.size)
        if not text.startswith(HEADER):  # else it is read once more
            text = CHAINS.sub(lambda match: _entity(match, source), text)
            first, rest = text.split("\n", 1) if text.startswith("#") else ("", text)
            # The header replaces the first comment, so that lines keep their numbers.
            text = f"{HEADER}\n{rest}" if not first.startswith("# newdoc") else f"{first}\n{HEADER}\n{rest}"
        source.close()
        super().__init__(Source(source.name, BytesIO(text.encode())), warnings, side)


def _entity(match: re.Match[str], source: Source) -> str:
    """The attribute ``Entity`` of a word; another attribute if no mention begins or ends there."""
    tags = [TAG.fullmatch(tag) for tag in match[1].split(",")]
    if None in tags:
        line = 1 + match.string.count("\n", 0, match.start())
        hint = "tags are unit-id0, start-id0, middle-id0, end-id0, with repr- before the id, joined by commas"
        source.refuse(f"{match[0][:80]!r} are no tags of chains", hint, line)
    brackets = [
        bracket.format(f"c{tag[2]}") for kind, bracket in BRACKETS.items() for tag in tags if tag and tag[1] == kind
    ]
    return f"Entity={''.join(brackets)}" if any(brackets) else "InChain=Yes"
