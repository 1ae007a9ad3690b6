"""CoNLL-UA writer: markables in IDENTITY, bridging and deixis in their columns, from documents with words.

Each line is a word or a zero; multiword tokens are left out, since UA scorer 1.0 would count them as words. The first
ten columns are kept where the source has them. ``Min`` is the minimum of a mention, or its head where the source has
heads. If markables of a document cross, its closing brackets name their markables.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ...core.document import Document, Mention, Sentence, mention_order
from ...core.positions import MINOR_MASK, node_name, parse_position, position
from ..conll.writer import BLANKS, clean_word
from ..fitting import EntityNames, elements, links
from ..losses import Losses
from ..relations import anchor_of
from ..sentences import forms_of
from ..writing import ABOUT_ENTITIES, BracketPair, Origin, Run, cells, free_name, ids_of, runs, word_positions
from .lines import UASentence
from .markables import NON_REFERRING

HEADER = (
    "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC"
    " IDENTITY BRIDGING DISCOURSE_DEIXIS REFERENCE NOM_SEM"
)
UNUSABLE = re.compile(r"[\s()|=,@\ud800-\udfff]+")


class _Markable(NamedTuple):
    entity: str
    mention: Mention
    id: str
    parts: list[Run]


def write(documents: Iterable[Document], origin: Origin, losses: Losses) -> Iterator[str]:
    """The text of each document."""
    yield HEADER + "\n"
    for document in documents:
        words = word_positions(document)
        layers = [_Layer(document, words, 1, origin, losses)]
        if document.deixis:
            layers.append(_Layer(document.deixis, words, layers[0].next_number, origin, losses))
            losses.add("links", sum(relation.kind == "bridging" for relation in document.deixis.relations))
        columns = [layers[0].identity(), layers[0].bridging(), layers[1].identity() if document.deixis else {}]
        lines = [f"# newdoc id = {document.id}"]
        for sentence in document.sentences:
            if sentence.id and not re.search(r"\s", sentence.id):
                lines.append(f"# sent_id = {sentence.id}")
            for place, row in _rows(sentence, origin).items():
                lines.append("\t".join([*row, *(column.get(place, "_") for column in columns), "_", "_"]))
            lines.append("")
        yield "\n".join([*lines, ""])


class _Layer:
    """The markables of a column."""

    def __init__(self, document: Document, words: list[int], number: int, origin: Origin, losses: Losses) -> None:
        self._document, self._origin, self._losses = document, origin, losses
        self._word_numbers = {place: index for index, place in enumerate(words, 1)}
        taken: set[str] = set()
        old = ids_of(document)
        referring = [f"{id_}_" if id_.endswith(NON_REFERRING) else id_ for id_ in map(_clean, old)]
        ids = [free_name(id_, taken, ".") for id_ in referring]
        losses.add("ids", sum(new != id_ for new, id_ in zip(ids, old, strict=True)))
        self._names = EntityNames(document, ids)
        for relation in document.relations:
            if relation.kind == "non-referring":
                name = re.sub("[-_]Pseudo$", "", _clean(relation.label or "0")) or "0"
                self._names.add(free_name(name + NON_REFERRING[0], taken, "."), relation.label, relation.anaphor)
        members = [(mention, id_) for id_, entity in self._names.entities.items() for mention in entity]
        members.sort(key=lambda member: mention_order(member[0]))
        self._markables = []
        for index, (mention, id_) in enumerate(members, number):
            is_zero = mention.first & MINOR_MASK
            parts = [Run(mention.first, mention.last)] if is_zero else runs(mention.positions, words)
            self._markables.append(_Markable(id_, mention, f"markable_{index}", parts))
        own_heads = not any(mention.minimum for mention, _ in members) and any(
            mention.head != mention.first for mention, _ in members
        )
        self._has_heads = not origin.same_format and (origin.has_heads or own_heads)
        moved = _renumbered_nodes(document.sentences)
        losses.add("places", sum(not moved.isdisjoint(mention.positions) for mention, _ in members) if moved else 0)
        self._some_minima = any(0 < len(mention.minimum) < mention.size for mention, _ in members)
        self.next_number = number + len(members)
        self._ids = {(markable.mention, markable.entity): markable.id for markable in self._markables}

    def identity(self) -> dict[int, str]:
        """The cell of each position."""
        of_plurals: dict[str, list[str]] = {}
        for plural, element in elements(self._document, self._names, self._losses):
            of_plurals.setdefault(element, []).append(plural)
        closing = _cross([run for markable in self._markables for run in markable.parts])
        brackets = []
        for markable in self._markables:
            plurals = of_plurals.pop(markable.entity, [])
            items = [f"EntityID={markable.entity}", f"MarkableID={markable.id}", self._minimum(markable.mention)]
            items.append("ElementOf=" + ",".join(plurals) if plurals else "")
            text = "|".join(filter(None, items))
            end = markable.id if closing else ""
            brackets += [BracketPair(first, last, text, end) for first, last in markable.parts]
        # UA scorer 1.0 needs the closings of a cell before its openings.
        return {
            place: "".join(sorted(chunks, key=lambda chunk: chunk[0] == "("))
            for place, chunks in cells(brackets).items()
        }

    def bridging(self) -> dict[int, str]:
        """The bridging cell of each position."""
        written: dict[int, str] = {}
        for relation, anaphor, anchor in links(self._document, self._names, self._losses):
            mention, target = relation.anaphor[0], anchor_of(relation)
            rel = f"Rel={_clean(relation.label)}" if relation.label else ""
            ids = self._ids[mention, anaphor], self._ids[target, anchor]
            items = [f"MarkableID={ids[0]}", rel, f"MentionAnchor={ids[1]}", f"EntityAnchor={anchor}"]
            written[mention.first] = written.get(mention.first, "") + f"({'|'.join(filter(None, items))})"
        return written

    def _minimum(self, mention: Mention) -> str:
        minimum = mention.minimum or ((mention.head,) if self._has_heads else ())
        if len(minimum) == mention.size and self._some_minima:  # the whole mention is the default
            return ""
        numbers = [self._word_numbers[place] for place in minimum if place in self._word_numbers]
        if not numbers:
            return ""
        if numbers[-1] - numbers[0] >= len(numbers):
            self._losses.add("minima")
            return ""
        return f"Min={numbers[0]}" + (f",{numbers[-1]}" if len(numbers) > 1 else "")


def _renumbered_nodes(sentences: Iterable[Sentence]) -> set[int]:
    """Empty nodes whose ids do not follow their order: 5.4 after word 3, or 3.2 without 3.1."""
    found = set()
    for sentence in sentences:
        words = zeros = 0
        for place in sentence.nodes if sentence.empty else ():
            words, zeros = (words, zeros + 1) if place & MINOR_MASK else (words + 1, 0)
            if zeros and place != position(sentence.number, words, zeros):
                found.add(place)
    return found


def _clean(text: str) -> str:
    return UNUSABLE.sub("_", text) or "_"


def _cross(spans: list[Run]) -> bool:
    """Whether spans cross, so that bare closing brackets would close the wrong ones.

    >>> _cross([Run(1, 3), Run(2, 4)]), _cross([Run(1, 2), Run(2, 3)]), _cross([Run(1, 3), Run(1, 2)])
    (True, False, False)
    """
    opened: list[int] = []
    for first, last in sorted([span for span in spans if span.last > span.first], key=lambda run: (run[0], -run[1])):
        while opened and opened[-1] <= first:
            opened.pop()
        if opened and opened[-1] < last:
            return True
        opened.append(last)
    return False


def _rows(sentence: Sentence, origin: Origin) -> dict[int, list[str]]:
    """The first ten columns of each word and empty node."""
    rows: dict[int, list[str]] = {}
    if isinstance(sentence, UASentence):
        rows = dict(sentence.conllu_rows)
    elif origin.conllu:
        for line in sentence.lines:
            *columns, misc = line.split("\t")
            named = parse_position(sentence.number, columns[0]) if columns and line[:1] != "#" else None
            if named is not None:
                kept = [item for item in misc.split("|") if not item.startswith(ABOUT_ENTITIES)]
                rows[named] = [*columns, "|".join(kept) or "_"]
    written = {}
    for place in sentence.nodes:
        row = rows.get(place, [])
        written[place] = [node_name(place), *[BLANKS.sub("_", cell) or "_" for cell in row[1:]]]
    tags = origin.tags(sentence) if not rows else []
    for place, form, tag in zip(sentence.positions, forms_of(sentence), tags, strict=False):
        written[place] += [form, "_", "_", tag.pos or "_", *"_____"]
    for row in written.values():
        row[1:] = [clean_word(cell) for cell in [*row[1:], *"_________"][:9]]
    return written
