"""JSON, as the schemas in the package describe it (see :func:`schema`)."""

from __future__ import annotations

from ...base.annotations import Any
from ...evaluate.results import SCHEMA


def render(result: Any, per_document: bool, colour: bool) -> str:  # noqa: ARG001
    """The result as an object of plain values, keys in a fixed order."""
    import json as codec

    return codec.dumps(result.to_dict(per_document), indent=1) + "\n"


def schema(name: str = SCHEMA) -> dict[str, Any]:
    """The JSON Schema of that name."""
    import json as codec
    from importlib.resources import files

    path = files("corefscope") / "show" / "schemas" / f"{name}.json"
    content: dict[str, Any] = codec.loads(path.read_text(encoding="utf-8"))
    return content
