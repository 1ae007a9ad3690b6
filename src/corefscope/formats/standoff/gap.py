"""GAP: one document a row, with a pronoun and two names, each a mention; a name may corefer with the pronoun."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ...core.errors import Warnings
from ..source import Source
from .model import StandoffDocument, StandoffMention, StandoffReader

COLUMNS = ("ID", "Text", "Pronoun", "Pronoun-offset", "A", "A-offset", "A-coref", "B", "B-offset", "B-coref")
HINT = f"the columns are {', '.join(COLUMNS)} and URL, separated by tabs, without quotes"
TRUTH = {"true": True, "false": False}
DECISION_HINT = "a line of decisions has the ID of an example, TRUE or FALSE for A, and for B, separated by tabs"
LOOKS_LIKE_DECISIONS = re.compile(r"\s*(?:ID\tA\S*\tB|[^\t\n]+\t(?:true|false)\t(?:true|false)(?:\s|\Z))", re.I)


class GapExample(NamedTuple):
    """One row: a pronoun, and the names A and B."""

    name: str
    text: str
    pronoun: str
    spans: Mapping[str, tuple[int, int]]
    """First character, and the one behind the last, of ``Pronoun``, ``A`` and ``B``."""
    corefers: Mapping[str, bool]
    """Whether ``A`` and ``B`` corefer with the pronoun."""
    line: int


class GapReader(StandoffReader):
    """The documents of a file; singletons are names that do not corefer with the pronoun."""

    def parse(self) -> Iterator[StandoffDocument]:
        """Read one document of each row."""
        for example in self.examples():
            mentions = {name: StandoffMention([span], line=example.line) for name, span in example.spans.items()}
            links = [("Pronoun", name) for name, corefers in example.corefers.items() if corefers]
            yield StandoffDocument(example.name, mentions, example.text, links=links, line=example.line)

    def examples(self) -> Iterator[GapExample]:
        """Read the rows after the header."""
        header: list[str] | None = None
        seen: set[str] = set()
        for line, row in self.lines:
            cells = row.split("\t")
            if header is None:
                header = cells
                if absent := [name for name in COLUMNS if name not in header]:
                    self.source.refuse(f"has no column {absent[0]!r}", HINT, line)
                continue
            if len(cells) < len(header) - 1:  # the URL may be absent
                self.source.refuse(f"a row of {len(cells)} cells; the header has {len(header)}", HINT, line)
            fields = dict(zip(header, cells, strict=False))
            if absent := [name for name in COLUMNS if name not in fields]:
                self.source.refuse(f"the row has no {absent[0]}", HINT, line)
            if fields["ID"] in seen:
                self.source.refuse(f"document {fields['ID']!r} comes twice", "each row needs its own ID", line)
            seen.add(fields["ID"])
            spans = {name: self._span(fields, name, line) for name in ("Pronoun", "A", "B")}
            corefers = {name: self._corefers(fields, name, line) for name in ("A", "B")}
            yield GapExample(fields["ID"], fields["Text"], fields["Pronoun"], spans, corefers, line)

    def _span(self, fields: dict[str, str], name: str, line: int) -> tuple[int, int]:
        start = self.number(fields[f"{name}-offset"], line, f"{name}-offset")
        end = start + len(fields[name])
        if fields["Text"][start:end] != fields[name] or not fields[name].strip():
            found = fields["Text"][start:end][:40]
            hint = "offsets count the characters of Text from 0"
            self.source.refuse(f"{name} is {fields[name][:40]!r}, but Text has {found!r} at {start}", hint, line)
        return start, end

    def _corefers(self, fields: dict[str, str], name: str, line: int) -> bool:
        value = fields[f"{name}-coref"].strip().lower()
        if value not in TRUTH:
            self.source.refuse(f"{name}-coref is {value[:40]!r}", "write TRUE or FALSE", line)
        return TRUTH[value]


def read_decisions(source: Source, warnings: Warnings) -> dict[str, dict[str, bool | None]]:
    """The decisions of a response to GAP, by example and name: ID, A-coref and B-coref, separated by tabs.

    As in the official program, the first row of an example counts, further cells do not, and what is neither TRUE nor
    FALSE is missing. A header begins with ID.
    """
    decisions: dict[str, dict[str, bool | None]] = {}
    for line, row in enumerate(source.text(source.start, source.size).split("\n"), 1):
        name, *cells = row.rstrip("\r").split("\t")
        if not row.strip() or name == "ID":
            continue
        if len(cells) < 2:
            source.refuse(f"a row of {len(cells) + 1} cells", DECISION_HINT, line)
        if name in decisions:
            warnings.add("repeated", source.name, line, f"{name!r} comes twice: the first row counts")
            continue
        if odd := [cell for cell in cells[:2] if cell.lower() not in TRUTH]:
            message = f"{odd[0][:40]!r} is neither TRUE nor FALSE: counted as missing"
            warnings.add("no decision", source.name, line, message)
        decisions[name] = dict(zip(("A", "B"), (TRUTH.get(cell.lower()) for cell in cells[:2]), strict=True))
    return decisions
