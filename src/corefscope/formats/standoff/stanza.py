"""Stanza's CoNLL-U: ``coref_chains=start-id0,unit-id1`` in MISC, read as CorefUD with brackets in its place.

``start``, ``middle`` and ``end`` mark the words of a mention, ``unit`` a mention of one word; ``repr`` marks the
representative mention (stanza 1.15, ``models/common/doc.py``). Mentions of one chain that nest or touch cannot be
told apart by the tags: an end closes the mention that was begun last. Heads are first words, unless trees are asked
for (``--heads tree``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import BytesIO

from ...core.document import Document, Sentence
from ...core.errors import Warnings
from ..corefud.reader import CorefUDReader
from ..source import Source, TranslatedSource

CHAINS = "coref_chains="
TAG = re.compile(r"(unit|start|middle|end)-(?:repr-)?(id[0-9]+)", re.ASCII)
BRACKETS = {"end": "{0})", "start": "({0}", "unit": "({0})", "middle": ""}
"""The bracket that replaces each tag, in the order in which the brackets of a word are written."""
OWN_MARKS = re.compile(r"(?<=[\t|])(?=(?:Entity|Bridge|SplitAnte)=)|(?<=^# )(?=global\.)")
"""Annotation of CorefUD, which Stanza copies from its input: it gets another name."""
HEADER = "\n\n# global.Entity = GRP\n"
"""Behind the text, so that lines keep their numbers. Chains are numbered by document."""


class StanzaReader(CorefUDReader):
    """The documents of a file, usually one: Stanza writes no ``newdoc``."""

    def __init__(self, source: Source, warnings: Warnings, side: str = "key") -> None:
        if not isinstance(source, TranslatedSource):  # else it is read once more
            source.check_memory(source.start, source.size)
            lines = source.text(source.start, source.size).split("\n")
            translated = [_translate(line, number, source) for number, line in enumerate(lines, 1)]
            source = TranslatedSource(source, BytesIO(("\n".join(translated) + HEADER).encode()))
        super().__init__(source, warnings, side)

    def documents(self, start: int, stop: int) -> Iterator[Document]:
        """The documents in a range of indices; Stanza numbers sentences anew, so that other files have other ids."""
        for document in super().documents(start, stop):
            yield document.both(_without_sentence_ids)


def _without_sentence_ids(document: Document) -> Document:
    def sentences() -> tuple[Sentence, ...]:
        return tuple([sentence._replace(id="") for sentence in document.sentences])

    return document._replace(sentences=sentences)


def _translate(line: str, number: int, source: Source) -> str:
    """A line with brackets in place of chains; those of a multiword token are left out, its words have their own."""
    line = OWN_MARKS.sub("input-", line)
    if CHAINS not in line or line.startswith("#"):
        return line
    before, tab, misc = line.rpartition("\t")
    if "-" in before.partition("\t")[0]:
        return line
    return before + tab + "|".join(_attribute(each, number, source) for each in misc.split("|"))


def _attribute(attribute: str, line: int, source: Source) -> str:
    """An attribute of MISC: ``Entity`` for chains, another one if no mention begins or ends there."""
    if not attribute.startswith(CHAINS):
        return attribute
    tags = [TAG.fullmatch(tag) for tag in attribute.removeprefix(CHAINS).split(",")]
    if None in tags:
        hint = "tags are unit-id0, start-id0, middle-id0, end-id0, with repr- before the id, joined by commas"
        source.refuse(f"{attribute[:80]!r} are no tags of chains", hint, line)
    brackets = [
        bracket.format(tag[2]) for kind, bracket in BRACKETS.items() for tag in tags if tag and tag[1] == kind
    ]
    return f"Entity={''.join(brackets)}" if any(brackets) else "InChain=Yes"
