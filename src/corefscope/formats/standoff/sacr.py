"""SACR: a text with mentions in braces, ``{ENTITY:property="value",… words}``, which nest."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .model import StandoffDocument, StandoffMention, StandoffReader

OPENING = re.compile(r"\{(\w+)(?=[: ])")
PROPERTIES = re.compile(r':(?:\w+=(?:\w+|"[^"\n]{0,10000}"),?)* ?| ')
PLAIN = re.compile(r"[^{}\n]+|\n(?!#)")
COMMENT = re.compile(r"\n?#([^\n]*)")
TEXT_ID = re.compile(r"text_?id:\s*(.*\S)", re.IGNORECASE)
RULE = re.compile(r"\*{5,}[ \t]*$", re.MULTILINE)
DEEPEST = 1000


class SacrReader(StandoffReader):
    """The one document of a file; lines that begin with ``#`` are comments."""

    def parse(self) -> Iterator[StandoffDocument]:
        """Read the text without its braces, and what was in them."""
        source, name = "\n" + self.text, self.document_name
        pieces: list[str] = []
        size = offset = 0
        opened: list[tuple[str, int, int]] = []
        mentions: dict[str, StandoffMention] = {}
        lines = 0
        counted = 0

        def line() -> int:
            nonlocal lines, counted
            lines, counted = lines + source.count("\n", counted, offset), offset
            return max(lines, 1)

        while offset < len(source):
            if comment := COMMENT.match(source, offset) if source[offset] in "\n#" and not opened else None:
                if text_id := TEXT_ID.match(comment[1]):
                    name = text_id[1]
                offset = comment.end()
            elif match := PLAIN.match(source, offset) or RULE.match(source, offset):
                pieces.append(match[0])
                size, offset = size + len(match[0]), match.end()
            elif match := OPENING.match(source, offset):
                opened.append((match[1], size, line()))
                if len(opened) > DEEPEST:
                    self.source.refuse(f"more than {DEEPEST} braces are open", "close them", line())
                properties = PROPERTIES.match(source, match.end())
                offset = properties.end() if properties else match.end()
            elif source[offset] == "}" and opened:
                entity, start, begun = opened.pop()
                mentions[str(len(mentions))] = StandoffMention([(start, size)], entity, line=begun)
                offset += 1
            elif source[offset] == "}":
                self.source.refuse("'}' closes what was never opened", "write {ENTITY words}", line())
            elif source[offset] == "{":
                message = f"no entity after {source[offset : offset + 20]!r}"
                self.source.refuse(message, 'write {ENTITY:property="value" words}', line())
            else:
                pieces.append(source[offset])
                size, offset = size + 1, offset + 1
        if opened:
            self.source.refuse(f"the mention of {opened[-1][0]!r} is never closed", "add '}'", opened[-1][2])
        yield StandoffDocument(name, mentions, "".join(pieces))
