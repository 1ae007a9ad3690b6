"""Fast reading of plain CorefUD sentences: the same values and mentions as the general reader, or None.

Nearly all sentences are words and multiword tokens in order, and nearly all mentions are continuous and well formed.
Everything else is left to :mod:`.sentences` and :mod:`.brackets`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from operator import length_hint
from typing import TYPE_CHECKING

from ...core.document import Mention
from ...core.positions import MINOR_MASK, NEXT_WORD, SENTENCE_SHIFT, WORD_MASK, WORD_SHIFT
from .brackets import Brackets, EntityInProgress, OpenBracket

if TYPE_CHECKING:
    from .nodes import Nodes


MULTIWORD = re.compile(r"([0-9]+-[0-9]+)\t")
ALL_BUT_TABS = bytes(set(range(256)) - set(b"\t\n"))
ROW = b"\t" * 9 + b"\n"
Carrier = tuple[int, str]
"""The position of a word or empty node, and its Entity."""
Block = tuple[int, int, int, list[int] | None]
"""Lines between empty lines: their start, the end of their comments, their end; then the indices of multiword tokens
if all other rows are words in order, or None if they are not or it is not known."""
NUMBERS = [f"{number}\t" for number in range(1, 512)]
NOWHERE = 1 << 99
OFFSETS: dict[str | None, int] = {None: 0, "": 0} | {str(n): n - 1 << WORD_SHIFT for n in range(1, 100)}
"""Distance of the head from the first word of a mention, by the index as written, up to 99."""


def is_table(data: bytes) -> bool:
    r"""Whether each of these lines has ten columns, or no tab at all.

    >>> is_table(b"# text\n1" + b"\t_" * 9 + b"\n\n"), is_table(b"# text\n1\t_\n")
    (True, False)
    """
    return b"\t" not in (data.translate(None, ALL_BUT_TABS) + b"\n").replace(ROW, b"")


def multiword_rows(rows: Sequence[str]) -> list[int] | None:
    """Indices of the rows that are multiword tokens; None if the others are not words in order, or there are none."""
    if len(rows) > len(NUMBERS):
        return None
    multiword: list[int] = []
    number, left = 0, iter(rows)
    while not all(map(str.startswith, left, islice(NUMBERS, number, None))):
        index = len(rows) - length_hint(left) - 1  # of the row that ended this
        if not MULTIWORD.match(rows[index]):
            return None
        multiword.append(index)
        number = index + 1 - len(multiword)
    return multiword if len(multiword) < len(rows) else None


def plain_values(number: int, lines: list[str], block: Block) -> list[Carrier] | None:
    """The values of :func:`~.sentences.entity_values`; None if the sentence is not plain."""
    _, first, end, multiword = block
    if multiword is None:
        return None
    rows = lines[first:end]
    for index in reversed(multiword):
        if "Entity" in rows.pop(index):
            return None
    values: list[Carrier] = []
    position = number << SENTENCE_SHIFT
    for row in rows:
        position += NEXT_WORD
        if "Entity" in row:
            before, _, rest = row.rpartition("Entity=")
            value, _, others = rest.partition("|")
            sign = before[-1:]
            # Another attribute, or one Entity of two; another column; no value; a further Entity.
            if (
                (sign != "\t" and (sign != "|" or "Entity" in before))
                or "\t" in rest
                or not value
                or (others and "Entity" in others)
            ):
                return None
            values.append((position, value))
    return values


def feed(brackets: Brackets, carriers: Sequence[Carrier], nodes: Nodes | None) -> None:
    """Read ``Entity`` values as :meth:`Brackets.feed` does: the same mentions and the same problems.

    Well-formed continuous mentions are made here: chunks that the pattern of the header matches in full cannot fail
    the checks of :meth:`Brackets.read`, which reads all others.
    """
    entities, fields = brackets.entities, brackets.fields
    find, findall = entities.get, fields.pattern.findall
    shuffled = fields.order if fields.order != [0, 1, 2] else None
    new = tuple.__new__  # half the time of calling Mention
    brackets.enter(carriers[0][0] >> SENTENCE_SHIFT, nodes)
    for position, value in carriers:
        chunks = findall(value)
        if shuffled:
            chunks = [(c[shuffled[0]], c[shuffled[1]], c[shuffled[2]], *c[3:]) for c in chunks]
        for id_, type_, head, single, closed, other in chunks:
            if closed:
                entity = find(closed)
                if entity is not None and entity.opened and nodes is None:
                    slot, first, head, in_parts = entity.opened[-1]
                    if in_parts is None and first < position <= first | WORD_MASK:  # whole, in this sentence
                        length, offset = position - first, OFFSETS.get(head, NOWHERE)
                        if offset <= length:  # the head is one of its words
                            del entity.opened[-1]
                            place = first, ~(length >> WORD_SHIFT), position, first + offset, (), ()
                            entity.members[slot] = new(Mention, place)
                            continue
                brackets.read(position, closed + ")")
            elif id_:
                entity = find(id_)
                if entity is None:
                    entity = entities[id_] = EntityInProgress(id_, type_)
                elif type_ != entity.type:
                    brackets.position = position
                    brackets.check_type(entity, type_)
                members = entity.members
                if not single:
                    entity.opened.append(new(OpenBracket, (len(members), position, head, None)))
                    members.append(None)
                elif nodes is not None and position & MINOR_MASK:
                    members.append(brackets.mention((position,), position))
                else:
                    members.append(new(Mention, (position, -1, position, position, (), ())))
            else:
                brackets.read(position, other)
