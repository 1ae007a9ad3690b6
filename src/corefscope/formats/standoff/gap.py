"""GAP: one document a row, with a pronoun and two names, each a mention; a name may corefer with the pronoun."""

from __future__ import annotations

from collections.abc import Iterator

from .model import StandoffDocument, StandoffMention, StandoffReader

COLUMNS = ("ID", "Text", "Pronoun", "Pronoun-offset", "A", "A-offset", "A-coref", "B", "B-offset", "B-coref")
HINT = f"the columns are {', '.join(COLUMNS)} and URL, separated by tabs, without quotes"
TRUTH = {"true": True, "false": False}


class GapReader(StandoffReader):
    """The documents of a file; singletons are names that do not corefer with the pronoun."""

    def parse(self) -> Iterator[StandoffDocument]:
        """Read one document of each row after the header."""
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
            mentions = {name: self._mention(fields, name, line) for name in ("Pronoun", "A", "B")}
            links = [("Pronoun", name) for name in ("A", "B") if self._corefers(fields, name, line)]
            yield StandoffDocument(fields["ID"], mentions, fields["Text"], links=links, line=line)

    def _mention(self, fields: dict[str, str], name: str, line: int) -> StandoffMention:
        start = self.number(fields[f"{name}-offset"], line, f"{name}-offset")
        end = start + len(fields[name])
        if fields["Text"][start:end] != fields[name] or not fields[name].strip():
            found = fields["Text"][start:end][:40]
            hint = "offsets count the characters of Text from 0"
            self.source.refuse(f"{name} is {fields[name][:40]!r}, but Text has {found!r} at {start}", hint, line)
        return StandoffMention([(start, end)], line=line)

    def _corefers(self, fields: dict[str, str], name: str, line: int) -> bool:
        value = fields[f"{name}-coref"].strip().lower()
        if value not in TRUTH:
            self.source.refuse(f"{name}-coref is {value[:40]!r}", "write TRUE or FALSE", line)
        return TRUTH[value]
