"""JSON as the schema ``corefscope-report-1`` describes it (see :func:`schema`)."""

from __future__ import annotations

from typing import Any

from ..results import SCHEMA, Report


def render(report: Report, per_document: bool, colour: bool) -> str:  # noqa: ARG001
    """The report as an object of plain values, keys in a fixed order."""
    import json as codec

    content = report.to_dict()
    if not per_document:
        del content["documents"]
    return codec.dumps(content, indent=1) + "\n"


def schema() -> dict[str, Any]:
    """The JSON Schema of what :func:`render` writes."""
    import json as codec
    from importlib.resources import files

    path = files("corefscope") / "schemas" / f"{SCHEMA}.json"
    content: dict[str, Any] = codec.loads(path.read_text(encoding="utf-8"))
    return content
