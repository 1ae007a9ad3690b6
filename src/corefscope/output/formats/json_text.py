"""JSON for programs, with counts and unrounded, and the schemas that describe it."""

from __future__ import annotations

import json
from pkgutil import get_data
from typing import Any

from ...core.report import SCHEMA


def render(result: Any, per_document: bool, colour: bool) -> str:  # noqa: ARG001
    """The result as an object with keys in a fixed order (see :func:`schema`); infinite numbers are null."""
    values = result.to_dict(per_document)
    try:
        return json.dumps(values, indent=1, allow_nan=False) + "\n"
    except ValueError:
        return json.dumps(_finite(values), indent=1) + "\n"


def _finite(values: object) -> object:
    """The same values with None for infinite numbers, which JSON does not have."""
    if isinstance(values, dict):
        return {name: _finite(value) for name, value in values.items()}
    if isinstance(values, list | tuple):
        return list(map(_finite, values))
    return None if isinstance(values, float) and values in (float("inf"), float("-inf")) else values


def schema(name: str = SCHEMA) -> dict[str, Any]:
    """The JSON Schema of that name."""
    return dict(json.loads(get_data("corefscope.output", f"schemas/{name}.json") or ""))
