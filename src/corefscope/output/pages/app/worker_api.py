"""The Python side of the app, which runs in a web worker: questions and answers are JSON.

Dropped files are in the file system of the worker. Every error becomes a sentence.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ....core.errors import CorefscopeError, InputError
from ....core.report import Report
from ....core.request import Progress, Request, RequestArguments
from ....formats.naming import names_of
from ...formats import REPORTS
from ...layout import Text, lay_out, sheets_of
from ...results.score import note_on_rules
from .plain_resampling import resample_without_numpy

EXAMPLES = 2
"""Errors of each kind that are shown in context, as in ``corefscope errors``."""
PLACES = 5
"""Places of each code that are shown, as in ``corefscope validate``."""
SLICED = "mentions,conll,lea"
"""Metrics of slices, as in ``corefscope errors``."""
PIP = "Use the command line: pip install corefscope"


class Question(NamedTuple):
    """The files and options of a job."""

    key: str
    responses: Sequence[str]
    options: RequestArguments
    progress: Progress | None
    everything: bool
    """Whether all errors and problems are wanted instead of examples, as by programs."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the responses."""
        return names_of(self.responses)


NamedResults = list[tuple[str, object]]
"""Results, each with the name of its response; without a name if it is about all."""


def _scores(asked: Question) -> NamedResults:
    from ....formats.files import score

    arguments: RequestArguments = {**asked.options, "digests": True}
    return [
        (name, score(asked.key, path, compare_rules=True, progress=asked.progress, **arguments))
        for name, path in zip(asked.names, asked.responses, strict=True)
    ]


def _comparison(asked: Question) -> NamedResults:
    from ....comparison.systems import compare

    arguments: RequestArguments = {**asked.options, "digests": True}
    return [("", compare(asked.key, asked.responses, progress=asked.progress, **arguments))]


def _errors(asked: Question) -> NamedResults:
    from ....analysis.errors.examine import examine

    arguments: RequestArguments = {**asked.options, "metrics": SLICED}
    examples, limit = (0, None) if asked.everything else (EXAMPLES, 0)
    return [
        (name, examine(asked.key, path, progress=asked.progress, examples=examples, limit=limit, **arguments))
        for name, path in zip(asked.names, asked.responses, strict=True)
    ]


def _validation(asked: Question) -> NamedResults:
    from ....core.format import FORMATS
    from ....formats.detection import recognised
    from ....formats.validate import Validation, inspect

    keep = None if asked.everything else PLACES
    found = []
    for path in filter(None, (asked.key, *asked.responses)):
        beside = path != asked.key and asked.key and not FORMATS[recognised(path, None)].alone
        found.append(inspect(path, keep=keep, skeleton=asked.key if beside else None))
    return [("", Validation(found))]


def _report(asked: Question) -> NamedResults:
    from ..report import render
    from ..report.data import collect

    request = Request(asked.options, optional=True)
    return [("", render(collect(asked.key, asked.responses, request, progress=asked.progress)))]


class Tab(NamedTuple):
    """A tab of the page, and the job behind it."""

    title: str
    make: Callable[[Question], NamedResults]


TABS: dict[str, Tab] = {
    "scores": Tab("Scores", _scores),
    "comparison": Tab("Comparison", _comparison),
    "errors": Tab("Errors", _errors),
    "validation": Tab("Validation", _validation),
    "report": Tab("Report page", _report),
}


class WorkerApi:
    """Answers the questions of a page. Results are kept until it asks about other files or options."""

    def __init__(self) -> None:
        resample_without_numpy()
        self._about = ""
        self._kept: dict[tuple[str, bool], NamedResults] = {}

    def answer(self, question: str, progress: Progress | None = None) -> str:
        """The answer to a question: ``parts`` to show, the ``text`` of a file, or the ``error``.

        ``job`` is one of TABS, for ``key``, ``responses`` and ``options``; files of the same name but another
        ``batch`` are others. ``format`` and the number of a ``result`` ask for a file to save.
        """
        try:
            return json.dumps(self._answer(json.loads(question), progress))
        except CorefscopeError as error:
            return json.dumps({"error": str(error), "in_files": isinstance(error, InputError)})
        except ModuleNotFoundError as error:
            package = (error.name or "a package").partition(".")[0]
            return json.dumps({"error": f"This needs {package}, which is not available in the browser. {PIP}"})
        except MemoryError:
            return json.dumps({"error": f"The files are too large for the memory of a browser tab. {PIP}"})
        except Exception as error:  # a page has no use for a traceback
            return json.dumps({"error": f"Unexpected error ({type(error).__name__}). {PIP}"})

    def _answer(self, question: dict[str, Any], progress: Progress | None) -> dict[str, object]:
        about = json.dumps([question[name] for name in ("batch", "key", "responses", "options")])
        if about != self._about:
            self._about, self._kept = about, {}
        rendering = REPORTS[question["format"]] if "format" in question else None
        everything = rendering is not None and rendering.for_programs
        place = question["job"], everything
        if place not in self._kept:
            asked = Question(question["key"], question["responses"], question["options"], progress, everything)
            self._kept[place] = TABS[question["job"]].make(asked)
        results = self._kept[place]
        if rendering:
            return {"text": rendering.render(results[question["result"]][1])}
        if isinstance(results[0][1], str):
            return {"text": results[0][1]}
        return {"parts": [_part(name, result) for name, result in results]}


def _part(name: str, result: object) -> dict[str, object]:
    """A result as the page shows it."""
    report = getattr(result, "report", result)  # that of errors has the warnings
    warnings = [*getattr(report, "warnings", ()), *([note_on_rules(report)] if isinstance(report, Report) else [])]
    layout = lay_out(result)
    blocks: list[dict[str, object]] = []
    for block in layout.blocks:
        if isinstance(block, Text):
            blocks.append({"lines": block.spans})
            continue
        sheets = []
        for sheet in sheets_of(block):
            rows = [{"strong": number in sheet.strong, "cells": row} for number, row in enumerate(sheet.rows)]
            own = {"title": sheet.title, "note": sheet.note, "left": sheet.left, "head": sheet.head, "rows": rows}
            sheets.append(own)
        blocks.append({"sheets": sheets})  # cells and spans become lists
    return {
        "name": name,
        "warnings": list(filter(None, warnings)),
        "blocks": blocks,
        "notes": layout.notes,
        "signatures": layout.signatures,
    }
