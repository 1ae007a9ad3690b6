"""``corefscope score --engine``: tables that an engine reads, counts and keeps on disk where memory ends."""

from __future__ import annotations

import argparse
from typing import Any

from ..core.errors import OptionError
from ..core.naming import split_names
from ..core.report import Report
from ..core.request import RequestArguments
from ..formats.settings import SettingsReport
from ..scale.tables import score_tables
from .output import made

BY_HAND = "a session is handed over in Python: corefscope.score_tables(key, response, engine=session)"
NOT_WITH_ENGINE = {
    "jobs": "--threads says how many threads an engine has",
    "settings": "several columns make several scores, --response-column NAME,NAME; other options, several commands",
}
COLUMNS = ("key", "response", "mention", "document")


def score(parsed: argparse.Namespace, request: RequestArguments) -> Report | SettingsReport:
    """The score, or those of several columns by their names."""
    _check(parsed)
    tables = [parsed.key] if parsed.response is None else [parsed.key, parsed.response]
    files = {
        "documents_to": parsed.documents_output,
        "entities_to": parsed.entities,
        "response_entities_to": parsed.response_entities,
    }
    for path in filter(None, files.values()):
        from ..formats.target import refuse_overwriting

        refuse_overwriting(path, tables)
    columns = {role: name for role in COLUMNS if (name := getattr(parsed, f"{role}_column")) is not None}
    own: dict[str, Any] = {
        name: getattr(parsed, name) for name in ("engine", "memory", "temp", "threads", "duplicates", "per_document")
    }
    own["spreadsheet"] = parsed.spreadsheet or None
    if "response" in columns:
        names = split_names(columns.pop("response"))
        own["response"] = names if len(names) > 1 or "*" in names[0] else names[0]
    return made(parsed, score_tables, *tables, **files, **columns, **own, **request)


def _check(parsed: argparse.Namespace) -> None:
    """Refuse options that do not go with an engine."""
    if parsed.engine == "spark":
        raise OptionError(f"--engine spark: {BY_HAND}")
    for name, reason in NOT_WITH_ENGINE.items():
        if getattr(parsed, name) is not None:
            raise OptionError(f"--{name} and --engine do not go together: {reason}")
    if parsed.response is None and not (parsed.key_column and parsed.response_column):
        raise OptionError("one table needs --key-column and --response-column; two tables are KEY and RESPONSE")
