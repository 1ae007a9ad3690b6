"""JSON, as the schemas in the package describe it (see :func:`schema`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...evaluate.results import SCHEMA


def render(result: Any, per_document: bool, colour: bool) -> str:  # noqa: ARG001
    """The result as an object of plain values, keys in a fixed order."""
    content = result.to_dict()
    if not per_document:
        _without_documents(content)
    return as_json(content)


def as_json(content: Mapping[str, Any]) -> str:
    """Plain values as JSON."""
    import json as codec

    return codec.dumps(content, indent=1) + "\n"


def _without_documents(content: Any) -> None:
    """Leave out what reports say about single documents, wherever reports are."""
    if not isinstance(content, dict):
        return
    if content.get("schema") == SCHEMA:
        del content["documents"]
        return
    for value in content.values():
        _without_documents(value)


def schema(name: str = SCHEMA) -> dict[str, Any]:
    """The JSON Schema of that name."""
    import json as codec
    from importlib.resources import files

    path = files("corefscope") / "show" / "schemas" / f"{name}.json"
    content: dict[str, Any] = codec.loads(path.read_text(encoding="utf-8"))
    return content
