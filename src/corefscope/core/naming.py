"""Checks of the names and values of arguments, and short texts for long values in ``repr``."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Mapping
from typing import Any

from .errors import OptionError

FLAGS = frozenset(
    (
        *("annotators", "spreadsheet", "blind", "compare_rules", "digests", "intervals", "lossy", "masked", "mixed"),
        *("keep_going", "per_document", "shared", "significance", "validation"),
    )
)
NUMBERS = frozenset(("examples", "jobs", "kernel_limit", "limit", "port", "resamples", "seed", "threads"))
PATHS = frozenset(
    (
        *("baseline", "documents_to", "entities_to", "key", "labels", "response"),
        *("response_entities_to", "scratch", "skeleton", "temp", "weights"),
    )
)
FUNCTIONS = frozenset(("progress", "scored", "where"))
"""Options by what they take; all others take text."""

RENAMED: dict[str, str] = {}
"""Public names, arguments and options (without ``--``) that have a new name. The old one works until the next major
version, with a warning."""


def current_name(name: str, stacklevel: int = 3) -> str:
    """The name itself; of one that was renamed the new name, with a DeprecationWarning."""
    if name not in RENAMED:
        return name
    warnings.warn(f"{name} is now called {RENAMED[name]}", DeprecationWarning, stacklevel=stacklevel)
    return RENAMED[name]


def split_names(text: str) -> list[str]:
    """Names that are separated by commas; those inside brackets separate nothing.

    >>> split_names("lea,mean(muc,bcub)")
    ['lea', 'mean(muc,bcub)']
    """
    names, depth = [""], 0
    for sign in text:
        depth += (sign == "(") - (sign == ")")
        if sign == "," and depth <= 0:
            names.append("")
        else:
            names[-1] += sign
    return names


def check_names(arguments: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """The keyword arguments by their present names; complain about those that do not exist, as Python does."""
    current: dict[str, Any] = {}
    for old, value in arguments.items():
        name = current_name(old, stacklevel=5)
        current[name] = value
        if name not in names:
            from difflib import get_close_matches

            near = get_close_matches(name, list(names), 1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise TypeError(f"unexpected keyword argument {name!r}{hint}")
    return current


def check_values(options: Mapping[str, object]) -> None:
    """Refuse values of another type than the option takes; None leaves an option open.

    An option that has a list of choices is checked with :meth:`OptionError.check`, which names them.

    >>> check_values({"seed": 0, "topic": None})
    >>> check_values({"topic": False})
    Traceback (most recent call last):
        ...
    corefscope.core.errors.OptionError: topic is text that is not empty, not False
    """
    for name, value in options.items():
        if value is None:
            continue
        if name in FLAGS:
            taken, fits = "True or False", isinstance(value, bool)
        elif name in NUMBERS:
            taken, fits = "an integer", hasattr(value, "__index__") and not isinstance(value, bool)
        elif name in PATHS:
            taken, fits = "a path, a str or a pathlib.Path", isinstance(value, str | os.PathLike) and value != ""
        elif name in FUNCTIONS:
            taken, fits = "a function", callable(value)
        else:
            taken, fits = "text that is not empty", isinstance(value, str) and value != ""
        if not fits:
            raise OptionError(f"{name} is {taken}, not {value!r:.60}")


def listed_names(what: str, names: Any) -> list[str]:
    """Names as a list: one, several separated by commas, or a sequence; OptionError if they are none of these.

    >>> listed_names("metrics", "muc,mean(muc,lea)"), listed_names("metrics", ("muc", "lea"))
    (['muc', 'mean(muc,lea)'], ['muc', 'lea'])
    """
    if isinstance(names, str):
        return split_names(names)
    listed = list(names) if isinstance(names, Iterable) else [names]
    for name in listed:
        if not isinstance(name, str):
            raise OptionError(f"{what} are names, a str or a sequence of them, not {names!r:.60}")
    return listed


LONGEST = 400
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
