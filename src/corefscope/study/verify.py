"""Scores again, from a result that was saved as JSON."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from ..base.errors import InputError, OptionError
from ..evaluate.files import score
from ..evaluate.request import RequestArguments
from ..evaluate.results import SCHEMA, SETTINGS_SCHEMA
from ..evaluate.signature import read_signature
from ..read.source import Source
from .compare import SCHEMA as COMPARISON
from .compare import compare
from .saved_scores import TASK

TOLERANCE = 1e-9
SHOWN = 200  # characters of a value


class Verification(NamedTuple):
    """What came of computing a result again."""

    version: str
    """That of the program that wrote the result."""
    changed: tuple[str, ...]
    """Files that are not what they were."""
    differences: tuple[str, ...]
    """Figures that are not what they were: where, before and now."""
    compared: int
    """How many figures were compared."""

    @property
    def same(self) -> bool:
        """Whether everything is as it was."""
        return not (self.changed or self.differences)


def verify(
    path: str | os.PathLike[str],
    *,
    key: str | os.PathLike[str] | None = None,
    response: str | os.PathLike[str] | None = None,
) -> Verification:
    """Compute a saved result again, and compare every figure.

    ``key`` and ``response`` say where the files are now, if not where they were (seen from here, or from where the
    result lies).
    """
    name = os.fspath(path)
    saved = _loaded(name)
    try:
        again, changed = RECOMPUTE[saved["schema"]](saved, _Files(name, key, response))
        found = list(_compared(saved, again))
        signed = saved if "signature" in saved else next(iter(saved["settings"].values()))
        version = signed["signature"].rpartition("|v")[2]
        return Verification(version, tuple(changed), tuple(filter(None, found)), len(found))
    except InputError:
        raise
    except OptionError as error:
        raise InputError(f"cannot be computed again: {error}", path=name) from None
    except DAMAGE as error:
        raise InputError(f"is damaged: {_short(repr(error))}", path=name, hint="save the result again") from None


DAMAGE = (
    *(ArithmeticError, AttributeError, LookupError, MemoryError, RecursionError, StopIteration),
    *(TypeError, ValueError, re.error),
)
"""What happens to those who take a result for what it is not."""


def _loaded(path: str) -> dict[str, Any]:
    import json

    source = Source.open(path)
    try:
        content = json.loads(source.text(source.start, source.size))
    except InputError:
        raise
    except (ValueError, RecursionError) as error:  # of JSON, and of numbers with thousands of digits
        raise InputError(f"is not JSON: {error}", path=path, line=getattr(error, "lineno", 0)) from None
    finally:
        source.close()
    if not isinstance(content, dict) or str(content.get("schema")) not in RECOMPUTE:
        raise InputError("is not a result of corefscope", path=path, hint="save one with --format json")
    return content


class _Files:
    """Where the files of a result are."""

    def __init__(
        self, result: str, key: str | os.PathLike[str] | None, response: str | os.PathLike[str] | None
    ) -> None:
        self._beside = Path(result).parent
        self._given = {"key": key, "response": response}

    def find(self, side: str, saved: str) -> str:
        given = self._given[side]
        if given is not None:
            return os.fspath(given)
        if not isinstance(saved, str) or not saved:
            raise TypeError(f"{saved!r} is no name of a file")
        if saved in ("<stdin>", "-"):
            raise InputError(f"the {side} came from standard input", hint=f"say where it is now: --{side} FILE")
        return saved if os.path.exists(saved) else str(self._beside / saved)


def _report(saved: dict[str, Any], files: _Files) -> tuple[dict[str, Any], list[str]]:
    compared = saved["other_rules"] is not None
    again = score(*_paths(saved, files), **_of_report(saved), compare_rules=compared).to_dict()
    return again, _changed(saved, again)


def _settings(saved: dict[str, Any], files: _Files) -> tuple[dict[str, Any], list[str]]:
    found = {title: _report(report, files) for title, report in saved["settings"].items()}
    changed = [said for _, changes in found.values() for said in changes]
    return {**saved, "settings": {title: again for title, (again, _) in found.items()}}, list(dict.fromkeys(changed))


def _comparison(saved: dict[str, Any], files: _Files) -> tuple[dict[str, Any], list[str]]:
    systems = saved["systems"]
    paths = [_paths(report, files) for report in systems.values()]
    plan = dict(saved["plan"] or {"resampled": "nothing"})
    every = [_of_report(report) for report in systems.values()]
    request = every[0]
    if len({arguments["response_format"] for arguments in every}) > 1:
        request["response_format"] = None
    again = compare(
        paths[0][0],
        [response for _, response in paths],
        names=list(systems),
        against=saved["baseline"],
        resample=plan.pop("resampled"),
        **plan,
        **request,
    ).to_dict()
    changed = [said for name in systems for said in _changed(systems[name], again["systems"][name])]
    return again, list(dict.fromkeys(changed))


def _task(saved: dict[str, Any], files: _Files) -> tuple[dict[str, Any], list[str]]:
    from .tasks.saved import rescored

    again = rescored(saved, files.find).to_dict()
    changed = []
    for system, row in saved["systems"].items():
        for name, submission in row["submissions"].items():
            if submission.get("report"):
                now = again["systems"][system]["submissions"][name].get("report")
                changed += _changed(submission["report"], now) if now else [f"{submission['file']} cannot be scored"]
    return again, list(dict.fromkeys(changed))


RECOMPUTE = {SCHEMA: _report, SETTINGS_SCHEMA: _settings, COMPARISON: _comparison, TASK: _task}


def _paths(report: dict[str, Any], files: _Files) -> tuple[str, str]:
    inputs = report["inputs"]
    return files.find("key", inputs["key"]["name"]), files.find("response", inputs["response"]["name"])


def _of_report(report: dict[str, Any]) -> RequestArguments:
    """The arguments of its request; where the files of a side were of several formats, these are recognised again."""
    arguments = read_signature(report["signature"]).arguments
    key, response = (report["inputs"][side]["format"] for side in ("key", "response"))
    return {
        **arguments,
        "key_format": None if "+" in key else key,
        "response_format": None if "+" in response else response,
        "metrics": list(report["metrics"]),
        "digests": True,
    }


def _changed(saved: dict[str, Any], again: dict[str, Any]) -> list[str]:
    found = []
    for side, now in again["inputs"].items():
        before, after = saved["inputs"][side].get("sha256"), now["sha256"]
        if before and before != after:
            found.append(f"the {side} {now['name']} has changed: SHA-256 was {before[:12]}…, is {after[:12]}…")
    return found


ABSENT = object()


def _compared(saved: Any, again: Any, where: str = "") -> Iterator[str]:
    """For every figure of the saved result or the one computed now nothing, or how they differ."""
    if isinstance(saved, Mapping) and isinstance(again, Mapping):
        for name in dict.fromkeys((*saved, *again)):
            before, now = saved.get(name, ABSENT), again.get(name, ABSENT)
            talk = name in ("warnings", "notes") and _is_talk(before) and _is_talk(now)
            unwanted = name == "documents" and before is ABSENT and isinstance(now, list)
            if name == "signature" or where.endswith("options"):
                before, now = (str(value).rpartition("|v")[0] or value for value in (before, now))
                if before != now:
                    yield f"{where}.{name} was {_short(before)}, is {_short(now)}".removeprefix(".")
            elif not talk and not unwanted:
                yield from _compared(before, now, f"{where}.{name}" if where else name)
    elif isinstance(saved, list) and isinstance(again, list | tuple):
        for at, (before, now) in enumerate(zip_longest(saved, again, fillvalue=ABSENT)):
            called = before["id"] if isinstance(before, Mapping) and "id" in before else at
            yield from _compared(before, now, f"{where}[{called}]")
    elif any(isinstance(value, int | float | Mapping | list | tuple) for value in (saved, again)):
        yield "" if _same(saved, again) else f"{where} was {_short(saved)}, is {_short(again)}"


def _is_talk(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(said, str) for said in value)


def _same(saved: Any, again: Any) -> bool:
    if any(isinstance(value, bool) or not isinstance(value, int | float) for value in (saved, again)):
        return type(saved) is type(again) and bool(saved == again)
    neither_is_a_number = saved != saved and again != again
    return neither_is_a_number or saved == again or bool(abs(saved - again) <= TOLERANCE)


def _short(value: Any) -> str:
    text = "missing" if value is ABSENT else str(value)
    return text if len(text) <= SHOWN else text[:SHOWN] + "…"
