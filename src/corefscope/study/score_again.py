"""The score of a saved report, from the same files under the same options."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..base.errors import InputError
from ..evaluate.files import score
from ..evaluate.request import RequestArguments
from ..evaluate.results import Report
from ..evaluate.rules import RULES
from ..evaluate.signature import read_signature

Saved = dict[str, Any]
Find = Callable[[str, str], str]
"""Called with ``key``, ``response`` or ``baseline`` and the path that was saved: where the file is now."""


def report_again(saved: Saved, find: Find) -> Report:
    """The report; what an engine has read, one of ours reads again."""
    files, request = paths(saved, find), arguments(saved, find)
    if saved["inputs"]["key"].get("engine"):
        return _tables_again(saved["inputs"], files, request)
    return score(*files, **request, compare_rules=saved.get("other_rules") is not None)


def _tables_again(inputs: Saved, files: tuple[str, str], request: RequestArguments) -> Report:
    """Repeats are dealt with as the rules do: a result was saved only if there were none, or in this way."""
    from ..scale.tables import score_tables  # few results are of tables

    columns: list[dict[str, str]] = [inputs[side].get("columns") for side in ("key", "response")]
    if not all(columns):
        raise InputError("the columns that were scored are not known", path=files[0])
    tables = files[:1] if files[0] == files[1] else files
    request.pop("digests")
    report: Report = score_tables(
        *tables,
        key=columns[0]["entity"],
        response=columns[1]["entity"],
        mention=_column_names("mention", columns),
        document=_column_names("document", columns),
        duplicates="largest" if RULES[str(request["rules"])].one_owner else "drop-equal",
        **request,
    )
    return report


def _column_names(role: str, columns: list[dict[str, str]]) -> list[str] | None:
    """The columns of a role on both sides, if there are any."""
    names = [each.get(role, "") for each in columns]
    return names if any(names) else None


def paths(report: Saved, find: Find) -> tuple[str, str]:
    """Where key and response are now."""
    inputs = report["inputs"]
    return find("key", inputs["key"]["name"]), find("response", inputs["response"]["name"])


def arguments(report: Saved, find: Find) -> RequestArguments:
    """Those of its request; where the files of a side were of several formats, these are recognised again."""
    key, response = (report["inputs"][side]["format"] for side in ("key", "response"))
    signed = read_signature(report["signature"]).arguments
    if baseline := report["inputs"].get("baseline"):
        signed["baseline"] = find("baseline", baseline["name"])
    return {
        **signed,
        "key_format": None if "+" in key else key,
        "response_format": None if "+" in response else response,
        "metrics": list(report["metrics"]),
        "digests": True,
    }
