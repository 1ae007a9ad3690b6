"""Short texts for long values: what ``repr`` shows of them."""

from __future__ import annotations

from typing import Any

LONGEST = 2000
"""Characters of the ``repr`` of any object of the package."""
BRACKETS: dict[type, tuple[str, str]] = {list: ("[", "]"), tuple: ("(", ")"), set: ("{", "}"), dict: ("{", "}")}


def brief(value: Any, room: int = LONGEST) -> str:
    """``repr(value)`` in about so many characters: of what is longer, how it begins and how much more there is.

    Long values are not gone through: what is shown is all that is looked at.

    >>> brief([(1, 2), "x"]), brief((1,)), brief(range(10**9))
    ("[(1, 2), 'x']", '(1,)', 'range(0, 1000000000)')
    >>> brief(list(range(10**6)), 12), brief({"a": "x" * 1000}, 20)
    ('[0, 1, 2, 3, … 999,996 more]', "{'a': 'xxxxxxxxxxxxxxxxxx' … 982 more}")
    """
    if isinstance(value, str | bytes):
        return repr(value) if len(value) <= room else f"{value[:room]!r} … {len(value) - room:,} more"
    if type(value) not in BRACKETS or not value:
        return cut(repr(value), room)
    items: list[str] = []
    for item in value:
        room -= 2  # the comma
        text = f"{brief(item, room)}: {brief(value[item], room)}" if isinstance(value, dict) else brief(item, room)
        room -= len(text)
        if items and room < 0:
            break
        items.append(text)
    if more := len(value) - len(items):
        items.append(f"… {more:,} more")
    single = "," if isinstance(value, tuple) and len(value) == 1 else ""
    opened, closed = BRACKETS[type(value)]
    return f"{opened}{', '.join(items)}{single}{closed}"


def cut(text: str, room: int = LONGEST) -> str:
    """A text; of one that is longer than so many characters, how it begins and how much more there is.

    >>> cut("muc=0.5, lea=0.25"), cut("muc=0.5, lea=0.25", 8)
    ('muc=0.5, lea=0.25', 'muc=0.5, … 9 more')
    """
    return text if len(text) <= room else f"{text[:room].rstrip()} … {len(text) - room:,} more"


def by_name(row: Any) -> str:
    """``<Metric muc>``: the ``__repr__`` of a registry row."""
    return f"<{type(row).__name__} {row.name}>"


def brief_fields(record: Any) -> str:
    """``Class(field=value, …)``: the ``__repr__`` of a named tuple that may hold long values."""
    share = LONGEST // (2 * len(record) + 1)  # room for names, and for saying what is not shown
    values = ", ".join([f"{name}={brief(value, share)}" for name, value in record._asdict().items()])
    return f"{type(record).__name__}({values})"
