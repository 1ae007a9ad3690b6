"""Hostile values in manifests and result files: JSON, TOML and YAML with one part replaced, removed or doubled."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable
from typing import Any

from .mutators import broken

DEEP = 3000
"""Brackets in each other: more than Python calls functions in each other."""


class Raw(str):
    """Text that stands in a file as it is, where a value could be."""

    __slots__ = ()


HOSTILE: list[Any] = [
    *(None, True, False, 0, -1, 1, 2.5, 10**30, Raw("9" * 5000), Raw("1e999"), math.nan, math.inf, -math.inf),
    *(
        "",
        " ",
        "x",
        "0",
        "nan",
        "../key",
        "/dev/null",
        "*",
        "{dataset}",
        "{x}",
        "\x00",
        "\x1b[31m",
        "\x9b31m",
        "=1+1",
    ),
    *(Raw('"\\ud800"'), Raw('"\\udcff.json"'), "é" * 300, "a/b", "<script>", "%s", "-", "--help"),
    *([], {}, [[]], [None], [{}], ["x"], {"": ""}, {"x": None}, {"key": []}, {"f1": "x"}, [1, "a", None]),
    *(Raw("[" * DEEP), Raw("[" * DEEP + "]" * DEEP), Raw('{"a":' * DEEP + "1" + "}" * DEEP), Raw("1979-05-27")),
]


def changed(rng: random.Random, value: Any) -> Any:
    """A copy with one part replaced by a hostile value or another part, removed, renamed or doubled."""
    places = list(_places(value))
    if not places:
        return rng.choice(HOSTILE)
    path = rng.choice(places)
    return _changed_at(rng, value, path, lambda: _at(value, rng.choice(places)))


def _places(value: Any, path: tuple[Any, ...] = ()) -> Any:
    for name in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield (*path, name)
        yield from _places(value[name], (*path, name))


def _at(value: Any, path: tuple[Any, ...]) -> Any:
    for name in path:
        value = value[name]
    return value


def _changed_at(rng: random.Random, value: Any, path: tuple[Any, ...], other: Callable[[], Any]) -> Any:
    name, *below = path
    copy = value.copy()
    if below:
        copy[name] = _changed_at(rng, value[name], tuple(below), other)
        return copy
    way = rng.random()
    if way < 0.6:
        copy[name] = rng.choice(HOSTILE)
    elif way < 0.75:
        copy[name] = other()
    elif way < 0.85:
        del copy[name]
    elif isinstance(copy, list):
        copy.insert(rng.randrange(len(copy) + 1), copy[name])
    else:
        copy[_hostile_name(rng, name)] = copy.pop(name) if way < 0.95 else copy[name]
    return copy


def _hostile_name(rng: random.Random, name: Any) -> str:
    return rng.choice((f"{name} ", str(name).upper(), "", "x", "\x1b[31m", "../x", "a/b", "é" * 99, Twice(name)))


class Twice(str):
    """A name that stands in a table although it stands there already."""

    __slots__ = ()

    def __hash__(self) -> int:
        return hash(("twice", str(self)))

    def __eq__(self, other: object) -> bool:
        return self is other


def as_json(value: Any) -> str:
    """JSON in which raw text stands as it is."""
    if isinstance(value, Raw):
        return str(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(str(name))}: {as_json(each)}\n" for name, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(as_json, value)) + "]"
    return json.dumps(value)


def as_toml(value: Any) -> str:
    """TOML: tables at the top as sections, all others in a line."""
    if not isinstance(value, dict):
        return _toml(value)
    plain = [f"{_toml_name(name)} = {_toml(each)}" for name, each in value.items() if not isinstance(each, dict)]
    tables = [
        "\n".join([f"[{_toml_name(name)}]", *(f"{_toml_name(key)} = {_toml(item)}" for key, item in each.items())])
        for name, each in value.items()
        if isinstance(each, dict)
    ]
    return "\n".join([*plain, *tables, ""])


def _toml_name(name: Any) -> str:
    return json.dumps(str(name)).replace("\x7f", "\\u007f")


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_toml_name(name)} = {_toml(each)}" for name, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return as_json(value)


ALIASES = "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}' if n else 'x'] * 9)}]\n" for n in range(9))
"""YAML in which each name stands for nine of the one before."""
DUMPS: dict[str, Callable[[Any], str]] = {"json": as_json, "toml": as_toml, "yaml": as_json, "yml": as_json}
"""JSON is YAML, too."""


def hostile(rng: random.Random, value: Any, suffix: str) -> bytes:
    """The text of a value with some of its parts changed, or with its text broken, or whole."""
    way = rng.random()
    for _ in range(rng.choice((1, 1, 2, 3)) if way < 0.6 else 0):
        value = changed(rng, value)
    text = DUMPS[suffix](value).encode("utf-8", "surrogatepass")
    if suffix == "yaml" and way > 0.98:
        return ALIASES.encode() + b"datasets: *a8\n"
    return broken(rng, text, "jsonl") if 0.6 <= way < 0.8 else text
