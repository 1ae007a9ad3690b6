"""The cases of ``golden/llm``, in lines of JSON; their keys lack the columns that are always empty."""

from __future__ import annotations

import json
from typing import Any

from places import GOLDEN


def cases(name: str) -> list[dict[str, Any]]:
    """The cases of a file."""
    text = (GOLDEN / "llm" / f"{name}.jsonl").read_text(encoding="utf-8")
    return [_with_key(json.loads(line)) for line in text.split("\n") if line]


def _with_key(case: dict[str, Any]) -> dict[str, Any]:
    if "key" in case:
        case["key"] = "\n".join(map(_ten_columns, case["key"].split("\n")))
    return case


def _ten_columns(line: str) -> str:
    columns = line.split("\t")
    if len(columns) < 7:
        return line
    return "\t".join([columns[0], columns[1], "_", columns[2], "_", "_", *columns[3:]])
