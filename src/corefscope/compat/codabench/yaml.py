"""YAML in block style, for people to edit. To write it takes no package; to read manifests, PyYAML is an extra."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any


def dump(value: dict[str, Any]) -> str:
    """A table of names and values as YAML; every text is in quotes, as JSON has them, which YAML reads alike.

    Names are plain words, and texts hold printable characters only.

    >>> print(dump({"version": 2, "pages": [{"title": "no", "file": "a.md"}], "tasks": [0]}), end="")
    version: 2
    pages:
      - title: "no"
        file: "a.md"
    tasks:
      - 0
    """
    return "".join(f"{line}\n" for line in _lines(value))


def _lines(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            within = list(_lines(inner))
            if isinstance(inner, dict | list):
                yield f"{name}:"
                yield from (f"  {line}" for line in within)
            else:
                yield f"{name}: {within[0]}"
    elif isinstance(value, list):
        for inner in value:
            first, *others = _lines(inner)
            yield f"- {first}"
            yield from (f"  {line}" for line in others)
    else:
        yield json.dumps(value, ensure_ascii=False)
