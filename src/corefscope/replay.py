"""Scores again: from the signature beside a score, or from a result that was saved as JSON."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ._version import __version__
from .compare import SCHEMA as COMPARISON
from .compare import compare
from .errors import CorefscopeError, InputError, OptionError
from .evaluate import score
from .joining import how_joined
from .options import CHOICES, Options
from .readers.source import Source
from .results import SCHEMA, SETTINGS_SCHEMA
from .tasks.plain import SCHEMA as TASK

TOLERANCE = 1e-9
PLAN: dict[str, Callable[[str], Any]] = {
    "resampled": str,
    "resamples": int,
    "seed": int,
    "level": float,
    "test": str,
    "average": str,
    "datasets": str,
    "rank_by": str,
    "missing": str,
}
"""What the signatures of comparisons and tasks have besides, and how it is read."""


class Replay(NamedTuple):
    """What a signature says."""

    arguments: dict[str, Any]
    """For ``score``; a value of None is left to the caller."""
    plan: dict[str, Any]
    """For ``compare``: how to resample, if the signature says."""
    version: str
    """The version of corefscope that wrote it; empty if it does not say."""


def replay(signature: str) -> Replay:
    """Read a signature back.

    >>> replay("corefud|match:exact|zeros:linear|singletons:keep|rules:corrected|v0.1.0").arguments["match"]
    'exact'
    """
    items = signature.strip().split("|")
    version = items[-1][1:] if items[-1][:1] == "v" and items[-1][1:2].isdigit() else ""
    named = dict(item.partition(":")[::2] for item in items)
    try:
        plan = {name: read(named[name]) for name, read in PLAN.items() if name in named}
    except ValueError:
        raise OptionError(f"the signature {signature!r} has a number that is none") from None
    options = Options.parse("|".join(item for item in items if item.partition(":")[0] not in PLAN))
    if options.subset:
        raise OptionError(f"the predicate {options.subset!r} that selected mentions cannot be replayed")
    return Replay(_arguments(options), plan, version)


def _arguments(options: Options) -> dict[str, Any]:
    key_format, _, response_format = options.format.partition("+")
    documents, topic = how_joined(options.documents)
    return {
        **{name: getattr(options, name) for name in CHOICES},
        "key_format": key_format,
        "response_format": response_format or key_format,
        "documents": documents,
        "topic": topic,
        "baseline": options.baseline or None,
    }


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
    kind = str(saved.get("schema"))
    if kind not in RECOMPUTE:
        raise InputError("is not a result of corefscope", path=name, hint="save one with --format json")
    try:
        again, changed = RECOMPUTE[kind](saved, _Files(name, key, response))
    except CorefscopeError:
        raise
    except (AttributeError, KeyError, StopIteration, TypeError, ValueError) as error:
        raise InputError(f"is damaged: {error!r}", path=name, hint="save the result again") from None
    found = list(_compared(saved, again))
    written = saved["signature"] if "signature" in saved else next(iter(saved["settings"].values()))["signature"]
    return Verification(written.rpartition("|v")[2], tuple(changed), tuple(filter(None, found)), len(found))


def _loaded(path: str) -> dict[str, Any]:
    import json

    source = Source.open(path)
    try:
        content = json.loads(source.text(source.start, source.size))
    except (json.JSONDecodeError, RecursionError) as error:
        raise InputError(f"is not JSON: {error}", path=path, line=getattr(error, "lineno", 0)) from None
    finally:
        source.close()
    if not isinstance(content, dict):
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
        if saved in ("<stdin>", "-"):
            raise InputError(f"the {side} came from standard input", hint=f"say where it is now: --{side} FILE")
        return saved if os.path.exists(saved) else str(self._beside / saved)


def _report(saved: dict[str, Any], files: _Files) -> tuple[dict[str, Any], list[str]]:
    again = score(
        *_paths(saved, files), **_of_report(saved), baseline=saved["options"]["baseline"] or None, digests=True
    ).to_dict()
    return again, _changed(saved, again)


def _settings(saved: dict[str, Any], files: _Files) -> tuple[dict[str, Any], list[str]]:
    changed: list[str] = []
    settings: dict[str, Any] = {}
    for title, report in saved["settings"].items():
        settings[title], changed = _report(report, files)
    return {**saved, "settings": settings}, changed


def _comparison(saved: dict[str, Any], files: _Files) -> tuple[dict[str, Any], list[str]]:
    systems = saved["systems"]
    first = next(iter(systems.values()))
    paths = [_paths(report, files) for report in systems.values()]
    plan = dict(saved["plan"] or {"resampled": "nothing"})
    arguments = {name: value for name, value in _of_report(first).items() if name not in ("documents", "topic")}
    again = compare(
        paths[0][0],
        [response for _, response in paths],
        names=list(systems),
        baseline=saved["baseline"],
        resample=plan.pop("resampled"),
        **plan,
        **arguments,
        digests=True,
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


def _of_report(report: dict[str, Any]) -> dict[str, Any]:
    arguments = replay(report["signature"]).arguments
    del arguments["baseline"]
    for side in ("key", "response"):
        arguments[f"{side}_format"] = report["inputs"][side]["format"].partition("+")[0]
    return {**arguments, "metrics": list(report["metrics"])}


def _changed(saved: dict[str, Any], again: dict[str, Any]) -> list[str]:
    found = []
    for side, now in again["inputs"].items():
        before = saved["inputs"][side].get("sha256")
        if before and before != now["sha256"]:
            found.append(
                f"the {side} {now['name']} has changed: SHA-256 was {before[:12]}…, is {now['sha256'][:12]}…"
            )
    return found


NOT_FIGURES = {"inputs", "signature", "options", "warnings", "other_rules", "notes"}


def _compared(saved: Any, again: Any, where: str = "") -> Iterator[str]:
    """For every number of the saved result nothing, or how it differs."""
    if isinstance(saved, Mapping):
        again = again if isinstance(again, Mapping) else {}
        for name, value in saved.items():
            if name not in NOT_FIGURES:
                yield from _compared(value, again.get(name), f"{where}.{name}" if where else name)
    elif isinstance(saved, list):
        again = again if isinstance(again, list) and len(again) == len(saved) else [None] * len(saved)
        for at, (before, now) in enumerate(zip(saved, again, strict=True)):
            called = before["id"] if isinstance(before, dict) and "id" in before else at
            yield from _compared(before, now, f"{where}[{called}]")
    elif isinstance(saved, int | float) and not isinstance(saved, bool):
        same = isinstance(again, int | float) and abs(saved - again) <= TOLERANCE
        yield "" if same else f"{where} was {saved}, is {again}"


def note_on_version(version: str) -> str:
    """What to say if another version wrote a signature or result."""
    return f"written by version {version}, this is {__version__}" if version and version != __version__ else ""
