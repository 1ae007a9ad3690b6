"""Manifests as text: TOML, YAML or JSON, with the line of what is wrong; no name may stand twice."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable
from importlib import import_module
from typing import Any

from ...base.errors import InputError
from ...read.source import read_text

DEEPEST = 50
"""Points in the names of one line of TOML; its reader takes time quadratic in them."""
LONG_NUMBER = re.compile(r"[0-9][0-9_]{4000}")
QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'|#.*")
ONCE = "every name may stand only once"
NO_ALIASES = "write the value itself: aliases can stand for far more than memory holds"


def load(path: str) -> tuple[Any, str]:
    """The content of a manifest and its text; the suffix says what it is."""
    suffix = os.path.splitext(path)[1].lower()
    if suffix not in LOADERS:
        raise InputError(
            "is neither a directory nor a manifest",
            path=path,
            hint=f"the name of a manifest ends in {', '.join(LOADERS)}",
        )
    text = read_text(path)
    try:
        return LOADERS[suffix](path, text), text
    except InputError:
        raise
    except ValueError:  # Python refuses to read numbers of thousands of digits
        number = LONG_NUMBER.search(text)
        line = text.count("\n", 0, number.start()) + 1 if number else 0
        raise InputError("a number has too many digits", path=path, line=line, hint="write a smaller one") from None
    except RecursionError:
        raise InputError("is nested too deeply", path=path) from None


def line_of(text: str, name: str, within: str = "", *, nth: int = 1) -> int:
    """The line on which a field is set, for the nth time; 0 if it cannot be told.

    >>> line_of(chr(10).join(['match = "head"', "[systems]", 'ours = "a"']), "ours", within="systems")
    3
    """
    within_table = _field(within).search(text) if within else None
    matches = list(_field(name).finditer(text, within_table.start("name") if within_table else 0))
    return text.count("\n", 0, matches[nth - 1].start("name")) + 1 if len(matches) >= nth else 0


def _field(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?m)(?:^|[{{,.\[])[ \t]*(?P<name>[\"']?{re.escape(name)}[\"']?)[ \t]*[=:\].]")


def _toml(path: str, text: str) -> Any:
    for number, line in enumerate(text.split("\n"), 1):
        if line.count(".") > DEEPEST and QUOTED.sub("", line).count(".") > DEEPEST:
            raise InputError("is nested too deeply", path=path, line=number)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message, _, position = str(error).partition(" (at ")
        place = re.match(r"line (\d+)", position)
        raise InputError(
            f"is not TOML: {message[:1].lower()}{message[1:]}",
            path=path,
            line=int(place[1]) if place else text.count("\n") + 1,
            hint=f"texts stand in quotes, and {ONCE}",
        ) from None


def _json(path: str, text: str) -> Any:
    import json

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        table: dict[str, Any] = {}
        for name, value in pairs:
            if name in table:
                raise InputError(f"{name!r} stands twice", path=path, line=line_of(text, name, nth=2), hint=ONCE)
            table[name] = value
        return table

    try:
        return json.loads(text, object_pairs_hook=once)
    except json.JSONDecodeError as error:
        raise InputError(f"is not JSON: {error.msg}", path=path, line=error.lineno) from None


def _yaml(path: str, text: str) -> Any:
    """Every scalar is a string: a data set called ``no`` is not False, and a version 1.10 not 1.1.

    Aliases are refused: ten lines of them stand for a value of gigabytes.
    """
    try:
        yaml = import_module("yaml")
    except ImportError:
        raise InputError(
            "to read YAML, PyYAML is needed",
            path=path,
            hint='pip install "corefscope[yaml]" (or write the manifest in TOML or JSON)',
        ) from None

    def mapping(loader: Any, node: Any) -> dict[Any, Any]:
        table: dict[Any, Any] = {}
        for name_node, value in node.value:
            name = loader.construct_object(name_node, deep=True)
            line = name_node.start_mark.line + 1
            if not isinstance(name, str):
                raise InputError("a name must be a text", path=path, line=line)
            if name in table:
                raise InputError(f"{name!r} stands twice", path=path, line=line, hint=ONCE)
            table[name] = loader.construct_object(value, deep=True)
        return table

    def compose_node(loader: Any, parent: Any, index: Any) -> Any:
        if loader.check_event(yaml.AliasEvent):
            event = loader.peek_event()
            line = event.start_mark.line + 1
            raise InputError(f"the alias *{event.anchor} is not read", path=path, line=line, hint=NO_ALIASES)
        return yaml.BaseLoader.compose_node(loader, parent, index)

    loader: Any = type("Loader", (yaml.BaseLoader,), {"compose_node": compose_node})
    loader.add_constructor("tag:yaml.org,2002:map", mapping)
    try:
        return yaml.load(text, Loader=loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or "it cannot be parsed"
        raise InputError(f"is not YAML: {problem}", path=path, line=mark.line + 1 if mark else 0) from None


LOADERS: dict[str, Callable[[str, str], Any]] = {".toml": _toml, ".yaml": _yaml, ".yml": _yaml, ".json": _json}
