"""JSON, as described by the schemas in the package (see :func:`schema`)."""

from __future__ import annotations

import json as codec
from importlib.resources import files
from typing import Any

from ...core.report import SCHEMA


def render(result: Any, per_document: bool, colour: bool) -> str:  # noqa: ARG001
    """The result as an object with keys in a fixed order; infinite numbers are null."""
    values = result.to_dict(per_document)
    try:
        return codec.dumps(values, indent=1, allow_nan=False) + "\n"
    except ValueError:
        return codec.dumps(_finite(values), indent=1) + "\n"


def _finite(values: object) -> object:
    """The same values with None for infinite numbers, which JSON does not have."""
    if isinstance(values, dict):
        return {name: _finite(value) for name, value in values.items()}
    if isinstance(values, list | tuple):
        return list(map(_finite, values))
    return None if isinstance(values, float) and values in (float("inf"), float("-inf")) else values


def schema(name: str = SCHEMA) -> dict[str, Any]:
    """The JSON Schema of that name."""
    path = files("corefscope") / "output" / "schemas" / f"{name}.json"
    content: dict[str, Any] = codec.loads(path.read_text(encoding="utf-8"))
    return content
