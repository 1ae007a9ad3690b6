"""Manifests as text: TOML, YAML or JSON, with the line of what is wrong; no name may stand twice."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

from ...base.errors import InputError

ONCE = "every name may stand only once"


def load(path: str) -> tuple[Any, str]:
    """The content of a manifest and its text; the suffix says what it is."""
    suffix = os.path.splitext(path)[1].lower()
    if suffix not in LOADERS:
        raise InputError(
            "is neither a directory nor a manifest",
            path=path,
            hint=f"the name of a manifest ends in {', '.join(LOADERS)}",
        )
    try:
        with open(path, encoding="utf-8-sig") as file:
            text = file.read()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=path) from None
    except UnicodeDecodeError as error:
        raise InputError(f"is not UTF-8 (byte {error.start})", path=path) from None
    try:
        return LOADERS[suffix](path, text), text
    except RecursionError:
        raise InputError("is nested too deeply", path=path) from None


def line_of(text: str, name: str, within: str = "") -> int:
    """The line on which a field is set; 0 if it cannot be told.

    >>> line_of(chr(10).join(['match = "head"', "[systems]", 'ours = "a"']), "ours", within="systems")
    3
    """
    start = _place(text, within, 0) if within else 0
    found = _place(text, name, max(start, 0))
    return text.count("\n", 0, found) + 1 if found >= 0 else 0


def _place(text: str, name: str, start: int) -> int:
    field = re.compile(rf"(?m)(?:^|[{{,.\[])[ \t]*(?P<name>[\"']?{re.escape(name)}[\"']?)[ \t]*[=:\].]")
    found = field.search(text, start)
    return found.start("name") if found else -1


def _toml(path: str, text: str) -> Any:
    try:
        reader = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    except ImportError:
        raise InputError("to read TOML, tomli is needed", path=path, hint="pip install tomli") from None
    try:
        return reader.loads(text)
    except reader.TOMLDecodeError as error:
        said, _, place = str(error).partition(" (at ")
        line = re.match(r"line (\d+)", place)
        twice = "overwrite" in said or "twice" in said or "redefine" in said.lower()
        raise InputError(
            f"is not TOML: {said[:1].lower()}{said[1:]}",
            path=path,
            line=int(line[1]) if line else text.count("\n") + 1,
            hint=ONCE if twice else "",
        ) from None


def _json(path: str, text: str) -> Any:
    import json

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        for at, (name, _) in enumerate(pairs):
            if any(name == other for other, _ in pairs[:at]):
                raise InputError(f"{name!r} stands twice", path=path, line=_second_line(text, name), hint=ONCE)
        return dict(pairs)

    try:
        return json.loads(text, object_pairs_hook=once)
    except json.JSONDecodeError as error:
        raise InputError(f"is not JSON: {error.msg}", path=path, line=error.lineno) from None


def _second_line(text: str, name: str) -> int:
    again = _place(text, name, _place(text, name, 0) + 1)
    return text.count("\n", 0, again) + 1 if again >= 0 else 0


def _yaml(path: str, text: str) -> Any:
    """Every scalar is a string: a data set called ``no`` is not False, and a version 1.10 not 1.1."""
    try:
        yaml = import_module("yaml")
    except ImportError:
        raise InputError(
            "to read YAML, PyYAML is needed",
            path=path,
            hint='pip install "corefscope[yaml]" (or write the manifest in TOML or JSON)',
        ) from None

    def mapping(loader: Any, node: Any) -> dict[Any, Any]:
        found: dict[Any, Any] = {}
        for name_node, value in node.value:
            name = loader.construct_object(name_node, deep=True)
            line = name_node.start_mark.line + 1
            if not isinstance(name, str):
                raise InputError("a name must be a text", path=path, line=line)
            if name in found:
                raise InputError(f"{name!r} stands twice", path=path, line=line, hint=ONCE)
            found[name] = loader.construct_object(value, deep=True)
        return found

    loader: Any = type("Loader", (yaml.BaseLoader,), {})
    loader.add_constructor("tag:yaml.org,2002:map", mapping)
    try:
        return yaml.load(text, Loader=loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        said = getattr(error, "problem", None) or "it cannot be parsed"
        raise InputError(f"is not YAML: {said}", path=path, line=mark.line + 1 if mark else 0) from None


LOADERS: dict[str, Callable[[str, str], Any]] = {".toml": _toml, ".yaml": _yaml, ".yml": _yaml, ".json": _json}
