"""What the ``global.Entity`` header says about the brackets of a file."""

from __future__ import annotations

import re
import sys


def places(header: str) -> tuple[int, int, int]:
    """The places of id, type and head in an opening bracket, -1 for none.

    >>> places("eid-etype-head-other"), places("GRP")
    ((0, 1, 2), (0, -1, -1))
    """
    last = {name: index for index, name in enumerate(header.split("-"))}
    id_, type_ = max(last.get("eid", -1), last.get("GRP", -1)), max(last.get("etype", -1), last.get("entity", -1))
    return id_, type_, last.get("head", -1)


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
    """

    __slots__ = ("head", "id", "order", "pattern", "size", "type")

    def __init__(self, header: str) -> None:
        self.size = header.count("-") + 1
        self.id, self.type, self.head = places(header)
        patterns = {self.id: r"([^()\-\[\]= ]+)", self.type: r"([^()\-]*)", self.head: r"([0-9]{1,9})"}
        fields = [patterns.get(index, r"[^()\-]*") for index in range(max(patterns) + 1)]
        absent = "()" * ((self.type < 0) + (self.head < 0))
        opening = rf"\({'-'.join(fields)}{absent}(?:-[^()]*)?(?:(\))|(?=\(|\Z))"
        closing = r"([^()\-\[\]]+)\)"
        self.pattern = re.compile(rf"{opening}|{closing}|(\([^()]*\)?|[^()]+\)?|\))")
        indices = self.id, self.type, self.head
        in_order = sorted(indices, key=lambda index: index if index >= 0 else sys.maxsize)
        self.order = [in_order.index(index) for index in indices]
        """Which groups of the pattern are id, type and head."""
