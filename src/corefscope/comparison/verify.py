"""Reproducing results that were saved as JSON: compute them again and compare every figure."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple, Protocol, cast

from ..core.errors import InputError, OptionError, amount
from ..core.naming import brief_fields, check_values
from ..core.options import CHOICES, split_words
from ..core.registry import HOOKS
from ..core.report import SCHEMA, Report
from ..core.request import RequestArguments
from ..core.result import Plain
from ..core.rules import RULES
from ..core.version import __version__
from ..formats.files import score
from ..formats.paths import is_file_name
from ..formats.settings import SETTINGS_SCHEMA, SettingsReport
from ..formats.source import read_text
from ..formats.tables.columns import ROLES
from ..measures.sampled_key import SCHEMA as SAMPLED
from ..measures.sampled_key import SampledKeyReport, sampled_in, score_sampled_key
from ..measures.windows import SCHEMA as WINDOWS
from ..measures.windows import WindowCurve
from .gap import GAP_SCHEMA, GapReport
from .key_sets import SCHEMA as KEYS
from .key_sets import KeySetReport, score_keys
from .mean_report import AveragedReport
from .probe import PROBE_SCHEMA, ProbeReport, probe
from .resampling import Plan
from .signature import how_printed, read_signature, split_documents
from .systems import COMPARISON, Comparison, compare
from .tasks import Submission, Task, TaskResult, TaskSettings, run_task
from .tasks.result import TASK, TASK_SETTINGS

Saved = Plain
Shape = dict[str, Any]
"""Types of values by name, as :func:`check_shape` checks them."""
Find = Callable[[str, str], str]
"""Called with ``key``, ``response``, ``baseline`` or ``weights`` and the saved path; returns the present path."""

TOLERANCE = 1e-9
SHOWN = 200  # characters of a value


class Verification(NamedTuple):
    """The outcome of computing a result again."""

    version: str
    """The version of corefscope that wrote the result."""
    changed: tuple[str, ...]
    """Files that have changed."""
    differences: tuple[str, ...]
    """Figures that have changed: the place, the saved value and the new one."""
    compared: int
    """The number of figures that were compared."""

    def __repr__(self) -> str:
        return brief_fields(self)

    @property
    def same(self) -> bool:
        """Whether nothing has changed."""
        return not (self.changed or self.differences)


def verify(
    path: str | os.PathLike[str],
    *,
    key: str | os.PathLike[str] | None = None,
    response: str | os.PathLike[str] | None = None,
    baseline: str | os.PathLike[str] | None = None,
    weights: str | os.PathLike[str] | None = None,
) -> Verification:
    """Compute a saved result again, and compare every figure.

    ``key``, ``response``, ``baseline`` and ``weights`` are the present paths of the files, if they have moved. Saved
    paths are relative to the current directory, or to that of the result.
    """
    moved = {"key": key, "response": response, "baseline": baseline, "weights": weights}
    check_values(moved)
    name = os.fspath(path)
    saved = read_saved(name)
    kind = KINDS[saved["schema"]]
    try:
        check_shape(saved, kind.needs)
        reports = kind.reports(saved)
        if parts := [part for report in reports.values() for part in report["inputs"]["key"].get("parts") or ()]:
            hint = "verify these, then merge them again"
            raise InputError(f"was merged from {amount(len(parts), 'result')}", path=name, hint=hint)
        find = partial(find_file, moved, Path(name).parent)
        parts = [*reports.values(), *(saved["pairs"] if kind is KINDS[AGREEMENT] else ())]
        per_document = any("documents" in part for part in parts) or bool(
            saved.get("decisions") or saved.get("by_pair")
        )
        again = kind.compute(saved, find).to_dict(per_document)
    except OptionError as error:
        raise InputError(f"cannot be computed again: {error}", path=name) from None
    except DamageError as error:
        raise InputError(f"is damaged: {shorten(error)}", path=name, hint="save the result again") from None
    now = kind.reports(again)
    signature = saved.get("signature") or next(iter(reports.values()))["signature"]
    version = signature.rpartition("|v")[2]
    compared, differences = _compare(saved, again, by_another_version=version != __version__)
    changed = [message for label, report in reports.items() for message in _find_changed(report, now.get(label))]
    return Verification(version, tuple(dict.fromkeys(changed)), tuple(differences), compared)


def read_saved(path: str) -> Saved:
    """The content of a saved result."""
    text = read_text(path)
    try:
        saved = json.loads(text)
    except (ValueError, RecursionError) as error:  # of JSON, and of numbers with thousands of digits
        line = error.lineno if isinstance(error, json.JSONDecodeError) else 0
        raise InputError(f"is not JSON: {error}", path=path, line=line) from None
    hint = "save one of score, compare, agree, probe or task with --format json"
    if not isinstance(saved, dict) or not str(saved.get("schema")).startswith("corefscope-"):
        raise InputError("is not a result of corefscope", path=path, hint=hint)
    if saved["schema"] not in KINDS:
        raise InputError(f"is a result of another kind: {saved['schema']}", path=path, hint=hint)
    return saved


def find_file(moved: Mapping[str, str | os.PathLike[str] | None], beside: Path, side: str, saved: str) -> str:
    """Where the file of a side is now: where the caller says, where it was, or beside the result."""
    path = moved[side]
    if path is not None:
        return os.fspath(path)
    if not is_file_name(saved):
        raise DamageError(f"{saved!r} is no name of a file")
    if saved in ("<stdin>", "-"):
        raise InputError(f"the {side} came from standard input", hint=f"say where it is now: --{side} FILE")
    return saved if os.path.exists(saved) else str(beside / saved)


class DamageError(Exception):
    """A saved result lacks something that is needed to compute it again."""


def _keys_again(saved: Saved, find: Find) -> KeySetReport:
    reports = list(saved["keys"].values())
    request = request_arguments(reports[0], find)
    if len({report["inputs"][side]["format"] for report in reports for side in ("key", "response")}) > 1:
        request["key_format"] = request["response_format"] = None
    paths = [paths_of(report, find) for report in reports]
    return score_keys([key for key, _ in paths], paths[0][1], names=list(saved["keys"]), **request)


def _gap_again(saved: Saved, find: Find) -> GapReport | ProbeReport:
    files = [find(side, saved["files"][side]) for side in ("key", "response")]
    by = saved["decided_by"]
    return probe(files[0], files[1], gap=None if by == "table" else by, **saved["plan"])


def _probe_again(saved: Saved, find: Find) -> GapReport | ProbeReport:
    conditions = saved["conditions"]
    files = [
        find(side, name)
        for condition in [*conditions.values()][: 1 if saved.get("condition") else None]
        for side, name in zip(("key", "response"), condition["files"], strict=True)
    ]
    parts = [part for part in saved["signature"].split("|") if not part.startswith("anaphors:")]
    asked: dict[str, Any] = {name: saved.get(name) for name in ("condition", "pronouns")}
    asked |= {**(saved.get("plan") or {}), **read_signature("|".join(parts)).arguments}
    return probe(files[0], *files[1:], names=list(conditions), **asked)


def _agreement_again(saved: Saved, find: Find) -> _Computed:
    signature = read_signature(saved["signature"])
    files = [find("response" if number else "key", name) for number, name in enumerate(saved["files"])]
    unmarked = signature.plan.get("unmarked") or "class"
    asked = {**signature.arguments, "metrics": list(saved["mean"])}
    again: _Computed = HOOKS["agree"](files, names=saved["annotators"], unmarked=unmarked, **asked)
    return again


AGAIN = ("anaphors", "heads", "repair", "relations", "only", "classes", "weights", "windows")
"""Options that a saved result has only where they were given."""
SIDE: Shape = {
    "name": str,
    "format": str,
    "parts?": list,
    "sha256?": str,
    "engine?": str,
    "columns?": {"entity": str},
    "weights?": str,
}
SIDES: Shape = {"key": SIDE, "response": SIDE, "baseline?": SIDE}
REPORT_NEEDS: Shape = {"signature": str, "inputs": SIDES, "metrics": dict, "options?": dict}
SETTINGS_NEEDS: Shape = {"settings": {"*": REPORT_NEEDS}}
COMPARISON_NEEDS: Shape = {
    "signature": str,
    "systems": {"*": REPORT_NEEDS},
    "runs?": {"*": {"reports": [REPORT_NEEDS]}},
    "baseline?": str,
    "plan?": {"resampled": str, "resamples": int, "seed": int, "level": int | float, "test": str},
}
GAP_NEEDS: Shape = {
    "signature": str,
    "files": {"key": str, "response": str},
    "decided_by": str,
    "plan": {"resamples": int, "seed": int, "level": int | float},
}
PROBE_NEEDS: Shape = {
    "signature": str,
    "condition?": str,
    "pronouns?": [str],
    "conditions": {"*": {"files": [str]}},
    "plan?": {"resamples": int, "seed": int, "level": int | float, "test": str},
}
AGREEMENT = "corefscope-agreement-1"
SUBMITTED: Shape = {"inputs": SIDES, "options?": dict}
SUBMISSION: Shape = {
    "runs?": {"reports": [REPORT_NEEDS]},
    "more_files?": [str],
    "validation?": dict,
    "file?": str,
    "status": str,
    "message?": str,
    "report?": SUBMITTED,
}
TASK_NEEDS: Shape = {
    **dict.fromkeys(("signature", "task", "rank_by", "missing"), str),
    "options": {
        **dict.fromkeys((*CHOICES, "baseline", "documents"), str),
        **{f"{name}?": str for name in (*AGAIN, "words", "llm")},
    },
    "formats": {"key?": str, "response?": str},
    "metrics": [str],
    "plan?": {"resamples": int, "seed": int},
    "title?": str,
    "description?": str,
    "datasets": {"*": {"key": str, "baseline?": str, "language?": str, "language_name?": str, "groups?": [str]}},
    "systems": {"*": {"submissions": {"*": SUBMISSION}}},
}
TASK_SETTINGS_NEEDS: Shape = {"signature": str, "settings": {"*": TASK_NEEDS}}
"""Of each schema the part that decides what is computed. Figures may be anything: they are compared."""


def check_shape(value: Any, shape: Any, where: str = "the result") -> None:
    """Raise an error unless a value is of a type, or a table whose entries have the shapes that are named.

    ``name?`` may be null or absent. ``*`` means all entries, at least one. ``[shape]`` is a list.
    """
    if isinstance(shape, list):
        check_shape(value, list, where)
        for item in value:
            check_shape(item, shape[0], f"an item of {where}")
        return
    table = isinstance(shape, dict)
    if not isinstance(value, dict if table else shape) or (table and "*" in shape and not value):
        raise DamageError(f"{where} is {shorten(repr(value))}")
    for field, inner in shape.items() if table else ():
        for name in value if field == "*" else [field.removesuffix("?")]:
            if value.get(name) is not None or not field.endswith("?"):
                check_shape(value.get(name), inner, name)


def _score_again(saved: Saved, find: Find) -> Report | SampledKeyReport:
    """Score the files of a saved report again; tables that an engine read are read with our own.

    Repeated mentions of tables are treated as the rules do, since other results are never saved.
    """
    inputs, files, request = saved["inputs"], paths_of(saved, find), request_arguments(saved, find)
    sampled = sampled_in(read_signature(saved["signature"]).plan.get("key"))
    if not inputs["key"].get("engine"):
        if sampled:
            return score_sampled_key(*files, sampled, **request)
        has_other_rules, keep_going = saved.get("other_rules") is not None, bool(saved.get("missing"))
        report = score(*files, **request, compare_rules=has_other_rules, keep_going=keep_going)
        return AveragedReport.of(report) if "document_means" in saved else report
    from ..scale.tables import score_tables  # few results are of tables

    columns: list[dict[str, str]] = [inputs[side].get("columns") for side in ("key", "response")]
    if not all(columns):
        raise InputError("the columns that were scored are not known", path=files[0])
    mention, document = ([each.get(role, "") for each in columns] for role in ("mention", "document"))
    request.pop("digests")
    again: Report | SampledKeyReport = score_tables(
        *(files[:1] if files[0] == files[1] else files),
        key=columns[0]["entity"],
        response=columns[1]["entity"],
        mention=mention if any(mention) else None,
        document=document if any(document) else None,
        duplicates="largest" if RULES[str(request["rules"])].one_owner else "drop-equal",
        **cast("dict[str, Any]", {**request, "sampled_key": sampled or None}),
    )
    return again


def paths_of(report: Saved, find: Find) -> tuple[str, str]:
    """The present paths of key and response."""
    inputs = report["inputs"]
    return find("key", inputs["key"]["name"]), find("response", inputs["response"]["name"])


def request_arguments(report: Saved, find: Find) -> RequestArguments:
    """The arguments of the saved request; where a side had files of several formats, these are detected again."""
    key, response = (report["inputs"][side]["format"] for side in ("key", "response"))
    signed = read_signature(report["signature"]).arguments
    if baseline := report["inputs"].get("baseline"):
        signed["baseline"] = find("baseline", baseline["name"])
    if weights := report["inputs"]["key"].get("weights"):
        _, colon, column = str(signed["weights"]).partition(":")
        signed["weights"] = f"{find('weights', weights)}{colon}{column}"
    return {
        **signed,
        "key_format": None if "+" in key else key,
        "response_format": None if "+" in response else response,
        "metrics": list(report["metrics"]),
        "digests": True,
        **_columns_of(report),
    }


def _columns_of(report: Saved) -> RequestArguments:
    """The columns of tables that were read without an engine; those of sides that are none are found."""
    inputs = report["inputs"]
    sides = [inputs[side].get("columns") for side in ("key", "response")] if not inputs["key"].get("engine") else []
    if not any(sides):
        return {}
    document, mention, entity = (
        [(columns.get(role, "") if columns else None) for columns in sides] for role in ROLES
    )
    return {"document_column": document, "mention_column": mention, "entity_column": entity}


def _comparison_again(saved: Saved, find: Find) -> Comparison:
    systems = saved["systems"]
    paths = {name: [paths_of(run, find) for run in runs] for name, runs in _runs_of_systems(saved).items()}
    (key, _), *_ = next(iter(paths.values()))
    plan: Saved = saved.get("plan") or {}
    requests = [request_arguments(run, find) for runs in _runs_of_systems(saved).values() for run in runs]
    request = requests[0]
    if len({each["response_format"] for each in requests}) > 1:
        request["response_format"] = None
    request.update(_how_words_were_compared(systems.values()))
    return compare(
        key,
        {name: [response for _, response in runs] for name, runs in paths.items()},
        against=saved.get("baseline"),
        resample=plan.get("resampled", "nothing"),
        **{name: plan[name] for name in Plan._fields if plan},
        **request,
    )


def _runs_of_systems(saved: Saved) -> dict[str, list[Saved]]:
    """The reports of all runs of each system of a comparison."""
    several = saved.get("runs") or {}
    return {
        name: (several[name]["reports"] if name in several else None) or [report]
        for name, report in saved["systems"].items()
    }


def _how_words_were_compared(reports: Iterable[Saved]) -> RequestArguments:
    """``words`` and ``align`` of all reports; only what counts characters was aligned if not all words were."""
    options = [report.get("options") for report in reports if isinstance(report, dict)]
    signed = {str(each.get("words", "")) for each in options if isinstance(each, dict)}  # older versions have none
    words, align = split_words(max(signed, default=""))
    return {"words": words or None if len(signed) == 1 else None, "align": align or None}


def task_again(saved: Saved, find: Find) -> TaskResult:
    """The result of the same files, scored and ranked in the same way; the manifest is not read again."""
    plan = saved.get("plan") or {}
    columns = [_columns_of(report) for report in _reports_of_task(saved).values()]
    settings = {
        **(columns[0] if columns and all(each == columns[0] for each in columns) else {}),
        **{name: saved["options"][name] for name in CHOICES},
        "baseline": saved["options"]["baseline"] or None,
        # unknown to older versions
        **{name: saved["options"].get(name) or None for name in AGAIN},
        **_how_words_were_compared(_reports_of_task(saved).values()),
        **how_printed(saved["options"].get("llm", "")),
        **{name: saved[name] for name in ("metrics", "rank_by", "missing")},
        **{name: plan.get(name) for name in ("resamples", "seed")},
        **{f"{side}_format": saved["formats"].get(side) for side in ("key", "response")},
        **dict(zip(("documents", "topic"), split_documents(saved["options"]["documents"]), strict=True)),
        "digests": True,
    }
    rows = saved["datasets"]
    datasets = {name: find("key", row["key"]) for name, row in rows.items()}
    baselines = {name: find("baseline", row["baseline"]) for name, row in rows.items() if row.get("baseline")}
    systems = {}
    for system, row in saved["systems"].items():
        if row["submissions"].keys() != datasets.keys():
            raise DamageError(f"{system} has other data sets than the task")
        systems[system] = {
            name: Submission("", entry["status"], entry.get("message") or "")
            if entry.get("file") is None
            else Submission(
                find("response", entry["file"]),
                more=tuple(find("response", path) for path in entry.get("more_files", ())),
            )
            for name, entry in row["submissions"].items()
        }
    languages = {name: row["language"] for name, row in rows.items() if row.get("language")}
    groups = {name: tuple(row["groups"]) for name, row in rows.items() if row.get("groups")}
    about = saved.get("title") or "", saved.get("description") or ""
    names = {languages[name]: row["language_name"] for name, row in rows.items() if row.get("language_name")}
    task = Task(saved["task"], datasets, systems, settings, baselines, languages, groups, *about, names)
    entries = (entry for row in saved["systems"].values() for entry in row["submissions"].values())
    return run_task(task, significance=bool(plan), validation=any(entry.get("validation") for entry in entries))


def _reports_of_task(*results: Saved) -> dict[object, Saved]:
    return {
        (number, system, dataset): submission["report"]
        for number, result in enumerate(results)
        for system, row in result["systems"].items()
        for dataset, submission in row["submissions"].items()
        if submission.get("report") is not None
    }


class _Computed(Protocol):
    """A result that can be saved."""

    def to_dict(self, per_document: bool = True) -> Saved:
        """As plain values."""


class _Kind(NamedTuple):
    """A row of ``KINDS``: results of one schema."""

    needs: Shape
    compute: Callable[[Saved, Find], _Computed]
    reports: Callable[[Saved], Mapping[object, Saved]]
    """The reports in a result, under keys that identify them."""


KINDS = {
    SCHEMA: _Kind(REPORT_NEEDS, _score_again, lambda result: {"": result}),
    SAMPLED: _Kind(REPORT_NEEDS, _score_again, lambda result: {"": result}),
    SETTINGS_SCHEMA: _Kind(
        SETTINGS_NEEDS,
        lambda saved, find: SettingsReport(
            {title: cast("Report", _score_again(report, find)) for title, report in saved["settings"].items()}
        ),
        lambda result: result["settings"],
    ),
    WINDOWS: _Kind(
        {"windows": {"*": REPORT_NEEDS}},
        lambda saved, find: WindowCurve(
            {name: cast("Report", _score_again(report, find)) for name, report in saved["windows"].items()}
        ),
        lambda result: result["windows"],
    ),
    KEYS: _Kind({"signature": str, "keys": {"*": REPORT_NEEDS}}, _keys_again, lambda result: result["keys"]),
    GAP_SCHEMA: _Kind(GAP_NEEDS, _gap_again, lambda _: {}),
    PROBE_SCHEMA: _Kind(PROBE_NEEDS, _probe_again, lambda _: {}),
    AGREEMENT: _Kind(
        {"signature": str, "annotators": [str], "files": [str], "mean": dict, "pairs": [dict]},
        _agreement_again,
        lambda _: {},
    ),
    COMPARISON: _Kind(
        COMPARISON_NEEDS,
        _comparison_again,
        lambda result: {
            (name, number): run for name, runs in _runs_of_systems(result).items() for number, run in enumerate(runs)
        },
    ),
    TASK: _Kind(TASK_NEEDS, task_again, _reports_of_task),
    TASK_SETTINGS: _Kind(
        TASK_SETTINGS_NEEDS,
        lambda saved, find: TaskSettings(
            {title: task_again(result, find) for title, result in saved["settings"].items()}
        ),
        lambda result: _reports_of_task(*result["settings"].values()),
    ),
}


def _find_changed(saved: Saved, again: Saved | None) -> Iterator[str]:
    """The files of a report that have changed."""
    if again is None:
        yield f"{saved['inputs']['response']['name']} cannot be scored"
        return
    before, after = ((report.get("options") or {}).get("weights", "") for report in (saved, again))
    if before != after:
        yield f"the weights have changed: {before or 'there were none'}, now {after}"
    for side, now in again["inputs"].items():
        before, after = saved["inputs"][side].get("sha256"), now.get("sha256")
        if before and after and before != after:
            yield f"the {side} {now['name']} has changed: SHA-256 was {before[:12]}…, is {after[:12]}…"


ABSENT = object()
OPTIONAL = {".sha256"}
"""Optional fields of a result."""
FIGURES = {".recall", ".precision", ".f1", ".value", ".counts", ".metrics", ".documents"}
"""Fields that every version saves."""


def _compare(saved: Saved, again: Saved, *, by_another_version: bool) -> tuple[int, list[str]]:
    """The number of figures in either result, and descriptions of those that differ.

    Texts are no figures, but signatures (except for the version) and options must be the same. Nothing may be
    missing, but another version may not have saved all fields; if figures were removed together with their table,
    ``numbers`` differs.
    """
    compared, differences = 0, []
    for path, before, now in _leaves(saved, again):
        saved_later = by_another_version and path[-1].startswith(".") and path[-1] not in FIGURES
        if before is ABSENT and (path[-1] in OPTIONAL or saved_later):
            continue
        if path[-1] == ".signature" or path[-2:-1] == (".options",):
            texts = [
                value.rpartition("|v")[0] or value if isinstance(value, str) else value for value in (before, now)
            ]
            figure, same = False, texts[0] == texts[1]
        else:
            # A text is compared only where there is no text now, or was none.
            figure = any(isinstance(value, int | float | dict | list | tuple) for value in (before, now))
            same = before is not ABSENT and (not figure or _same(before, now))
        compared += figure or not same
        if not same:
            differences.append(f"{''.join(path).removeprefix('.')} was {shorten(before)}, is {shorten(now)}")
    return compared, differences


def _leaves(
    saved: object, again: object, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], object, object]]:
    """The path of each value that is not a table or a list in both results, and both values."""
    if isinstance(saved, dict) and isinstance(again, dict):
        for name in dict.fromkeys((*saved, *again)):
            yield from _leaves(saved.get(name, ABSENT), again.get(name, ABSENT), (*path, f".{name}"))
    elif isinstance(saved, list) and isinstance(again, list | tuple):
        for index, (before, now) in enumerate(zip_longest(saved, again, fillvalue=ABSENT)):
            label = before.get("id", index) if isinstance(before, dict) else index
            yield from _leaves(before, now, (*path, f"[{label}]"))
    else:
        yield path, saved, again


def _same(saved: Any, again: Any) -> bool:
    if any(isinstance(value, bool) or not isinstance(value, int | float) for value in (saved, again)):
        return type(saved) is type(again) and bool(saved == again)
    neither_is_a_number = saved != saved and again != again
    # Nothing is subtracted from what was saved, which may be too large an integer for that.
    return neither_is_a_number or bool(again - TOLERANCE <= saved <= again + TOLERANCE)


def shorten(value: object) -> str:
    """The beginning of a value, as messages show it."""
    text = "missing" if value is ABSENT else str(value)
    return text if len(text) <= SHOWN else text[:SHOWN] + "…"
