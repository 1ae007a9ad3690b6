"""What the ``global.Entity`` header says about the brackets of a file."""

from __future__ import annotations

import re
import sys

CHUNK = r"\([^()]*\)?|[^()]+\)?|\)"
"""An opening bracket, a closing one, both around one word, or text outside of brackets."""
LINKS = ("Bridge=", "SplitAnte=", "Split=")
"""What stands in MISC where there are relations."""
LARGEST = 999_999_999  # head indices that are larger, or too long for a number, are as wrong as this one


def usual_index(head: str) -> str:
    """A head index without signs, blanks and zeros in front; nothing if it is no number.

    >>> usual_index("+2"), usual_index("1" * 5000), usual_index("two")
    ('2', '999999999', '')
    """
    if head.isdecimal() and len(head) > 4000:  # Python makes no number of so many digits
        return str(LARGEST)
    try:
        return str(min(int(head), LARGEST))
    except ValueError:
        return ""


def all_places(header: str) -> list[list[int]]:
    """The places of id, type and head in an opening bracket, the last one first.

    >>> all_places("eid-etype-head-head")
    [[0], [1], [3, 2]]
    """
    names = header.split("-")
    return [
        [index for index in reversed(range(len(names))) if names[index] in alike]
        for alike in (("eid", "GRP"), ("etype", "entity"), ("head",))
    ]


def places(header: str) -> tuple[int, ...]:
    """The last place of each, -1 for none.

    >>> places("eid-etype-head-other"), places("GRP")
    ((0, 1, 2), (0, -1, -1))
    """
    return tuple([indices[0] if indices else -1 for indices in all_places(header)])


class Fields:
    """What the header ``global.Entity`` says about brackets.

    ``id``, ``type`` and ``head`` are the places of these fields in an opening bracket, -1 for none, and ``size`` is
    how many fields there are. ``pattern`` finds the chunks of a value: id, type, head and closing bracket of a
    continuous mention, the id that is closed, or else the chunk as it stands.

    >>> fields = Fields("eid-etype-head-other")
    >>> fields.id, fields.type, fields.head
    (0, 1, 2)
    >>> fields.pattern.findall("e1)(e2-person-1-x)")
    [('', '', '', '', 'e1', ''), ('e2', 'person', '1', ')', '', '')]

    Of a field that is named several times, the last one that a bracket has counts.

    >>> Fields("eid-head-head").of(["e1", "2", "3"]), Fields("eid-head-head").of(["e1", "2"])
    (('e1', '', '3'), ('e1', '', '2'))
    """

    __slots__ = ("_places", "head", "id", "order", "pattern", "size", "type")

    def __init__(self, header: str) -> None:
        self.size = header.count("-") + 1
        self._places = all_places(header)
        self.id, self.type, self.head = places(header)
        patterns = {self.id: r"([^()\-\[\]= ]+)", self.type: r"([^()\-]*)", self.head: r"([0-9]{1,9})"}
        fields = [patterns.get(index, r"[^()\-]*") for index in range(max(patterns) + 1)]
        absent = "()" * ((self.type < 0) + (self.head < 0))
        # Further fields, or the end of the bracket. Groups that are optional take longer.
        opening = rf"\({'-'.join(fields)}{absent}(?:-[^()]*|(?![^()]))(\)?)"
        closing = r"([^()\-\[\]]+)\)"
        self.pattern = re.compile(rf"{opening}|{closing}|({CHUNK})")
        indices = self.id, self.type, self.head
        in_order = sorted(indices, key=lambda index: index if index >= 0 else sys.maxsize)
        self.order = [in_order.index(index) for index in indices]
        """Which groups of the pattern are id, type and head."""

    def of(self, values: list[str]) -> tuple[str, str, str | None]:
        """Id, type and head of an opening bracket; the head is None if the bracket does not go so far."""
        size = len(values)
        id_, type_, head = (next((place for place in places if place < size), -1) for places in self._places)
        return (
            values[id_] if id_ >= 0 else "",
            values[type_] if type_ >= 0 else "",
            values[head] if head >= 0 else None,
        )
