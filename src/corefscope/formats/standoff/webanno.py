r"""WebAnno TSV 3, as WebAnno and INCEpTION write it: one word a row, layers in columns that the header declares.

Entities are chains (``T_CH``: cells ``label->CHAIN-LINK``), or spans (``T_SP``) linked by relations (``T_RL``: cells
``15-8[114_3]``, from annotation 114, which begins at word 15-8, to annotation 3 here). Of a relation layer that is
called after coreference all types but bridging count, else only types whose names say identity.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from .model import StandoffDocument, StandoffMention, StandoffReader, parts_of

HEADER = re.compile(r"#T_(SP|CH|RL)=(.*)")
ROW = re.compile(r"([0-9]{1,9})-([0-9]{1,9})(\.[0-9]{1,9})?\t[0-9]{1,15}-[0-9]{1,15}\t([^\t]*)((?:\t[^\t]*)*)")
STACKED = re.compile(r"(?:[^|\\]|\\.)+")
NUMBERED = re.compile(r"((?:[^\[\\]|\\.)*)\[([0-9]{1,9})\]")
LINK = re.compile(r"(?:.*->)?([0-9]{1,9})-([0-9]{1,9})", re.DOTALL)
TARGET = re.compile(r"([0-9]{1,9}-[0-9]{1,9})(?:\.[0-9]{1,9})?(?:\[([0-9]{1,9})_([0-9]{1,9})\])?")
ESCAPED = re.compile(r"\\(->|.)")
NOT_IDENTITY = re.compile(r"bridg|split", re.IGNORECASE)
HINT = "rows are SENTENCE-WORD, BEGIN-END, word, and the columns that #T_SP, #T_CH and #T_RL lines declare"


class _Layer(NamedTuple):
    """A layer: its kind, short name, columns, and for a relation the layer that it links."""

    kind: str
    name: str
    columns: slice
    base: str = ""


class WebAnnoReader(StandoffReader):
    """The one document of a file."""

    def parse(self) -> Iterator[StandoffDocument]:
        """Read rows by the layers that count."""
        self._layers: list[_Layer] = []
        self._width = 0
        self._tokens: dict[str, list[int]] = {}
        """Words of each mention, by the mention's id."""
        self._mentions: dict[str, StandoffMention] = {}
        self._types: dict[str, str] = {}
        self._relations: list[tuple[str, _Layer, str, str, int]] = []
        sentences: list[list[str]] = []
        count, last = 0, ""
        for number, line in self.lines:
            if match := ROW.fullmatch(line):
                sentence, word, part, form, rest = match.groups()
                if not part:
                    if sentence != last:
                        sentences.append([])
                        last = sentence
                    sentences[-1].append(_plain(form))
                    count += 1
                if not count:
                    self.source.refuse("a part of a word comes before all words", HINT, number)
                self._read_row(f"{sentence}-{word}", count - 1, rest.split("\t")[1:], number)
            elif header := HEADER.fullmatch(line):
                self._declare(*header.groups())
            elif not line.startswith("#"):
                self.source.refuse(f"{line[:60]!r} is no row of WebAnno TSV 3", HINT, number)
        if not any(layer.kind != "SP" for layer in self._layers):
            hint = "export a project with a chain layer for coreference, or a relation layer"
            self.source.refuse("declares neither chains (#T_CH) nor relations (#T_RL)", hint)
        links = list(self._links())
        chained = {id_ for id_, mention in self._mentions.items() if mention.entity}
        bases = {layer.base for layer in self._layers if layer.kind == "RL" and self._counts(layer)}
        kept = {
            id_: mention._replace(parts=parts_of(self._tokens[id_]))
            for id_, mention in self._mentions.items()
            if id_ in chained or id_.partition(":")[0] in bases
        }
        yield StandoffDocument(
            self.document_name, kept, sentences=sentences, links=links, entity_types=self._types, line=1
        )

    def _declare(self, kind: str, declaration: str) -> None:
        """Declare a layer, whose columns come after those of the layers before."""
        name, *fields = declaration.rstrip("\r").split("|")
        base = next((field[3:] for field in fields if field.startswith("BT_")), "")
        columns = slice(self._width, self._width + max(len(fields), 1))
        self._layers.append(_Layer(kind, name.strip(), columns, base))
        self._width = columns.stop

    def _read_row(self, place: str, word: int, cells: list[str], line: int) -> None:
        """Read the cells of one word."""
        if cells and not cells[-1]:  # rows end in a tab, or not
            cells = cells[:-1]
        if len(cells) < self._width:
            message = f"{len(cells)} columns of annotation, but the header declares {self._width}"
            self.source.refuse(message, HINT, line)
        for number, layer in enumerate(self._layers):
            columns = [STACKED.findall(cell) for cell in cells[layer.columns]]
            if layer.kind == "CH":
                for value in next((values for values in columns if any(map(LINK.fullmatch, values))), []):
                    if link := LINK.fullmatch(value):
                        self._add(f"chain {number}:{link[1]}-{link[2]}", word, line, f"{number}:{link[1]}")
            elif layer.kind == "SP":
                for value in next((values for values in columns if values != ["_"]), []):
                    if value != "_":
                        text, id_ = _numbered(value)
                        mention = f"{layer.name}:{id_ or place}"
                        self._add(mention, word, line)
                        self._types.setdefault(mention, "" if text == "*" else _plain(text))
            else:
                types = columns[0] if len(columns) > 1 else []
                for at, value in enumerate(columns[-1]):
                    if value != "_":
                        kind = _plain(_numbered(types[at])[0]) if at < len(types) else ""
                        self._relations.append((place, layer, kind, value, line))

    def _add(self, id_: str, word: int, line: int, entity: str = "") -> None:
        self._mentions.setdefault(id_, StandoffMention((), entity, line=line))
        self._tokens.setdefault(id_, []).append(word)

    def _counts(self, layer: _Layer) -> bool:
        """Whether a relation layer has identity: by its name, or by the type of some of its relations."""
        types = (kind for _, other, kind, _, _ in self._relations if other is layer)
        return self.is_identity(_short(layer.name)) or any(map(self.is_identity, types))

    def _links(self) -> Iterator[tuple[str, str]]:
        """The pairs of mentions that relations of identity link."""
        if not any(layer.kind == "CH" for layer in self._layers):
            names = [name for _, layer, kind, _, _ in self._relations for name in (kind, _short(layer.name))]
            self.check_relations(names)
        for place, layer, kind, value, line in self._relations:
            by_layer = self.is_identity(_short(layer.name)) and not NOT_IDENTITY.match(kind)
            if not (self.is_identity(kind) or by_layer):
                continue
            target = TARGET.fullmatch(value)
            if not target:
                self.source.refuse(f"{value[:60]!r} is no end of a relation", HINT, line)
            there, here = (int(id_ or 0) for id_ in target.groups()[1:])
            ends = f"{layer.base}:{there or target[1]}", f"{layer.base}:{here or place}"
            if absent := [end for end in ends if end not in self._mentions]:
                message = (
                    f"a relation has an annotation {absent[0].partition(':')[2]} of {layer.base}, which is not there"
                )
                self.source.refuse(message, "was the file cut?", line)
            yield ends


def _short(name: str) -> str:
    """The name of a layer without its package."""
    return name.rpartition(".")[2]


def _numbered(value: str) -> tuple[str, int]:
    """A value without its number in brackets, and the number; 0 without one."""
    match = NUMBERED.fullmatch(value)
    return (match[1], int(match[2])) if match else (value, 0)


def _plain(text: str) -> str:
    r"""A text without escapes.

    >>> _plain(r"a\_b\->c\\")
    'a_b->c\\'
    """
    return ESCAPED.sub(lambda match: {"t": " ", "n": " ", "r": " "}.get(match[1], match[1]), text)
