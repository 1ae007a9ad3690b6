"""The Python side of the app, which runs in a web worker: questions and answers are JSON.

Dropped files are in the file system of the worker. Every error becomes a sentence.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, cast

from ....core.errors import CorefscopeError, InputError, OptionError
from ....core.format import FORMATS
from ....core.options import BY_KEY, TITLES
from ....core.report import Report
from ....core.request import Progress, Request, RequestArguments
from ....core.rules import RULES
from ....formats.naming import names_of
from ....formats.paths import Files, pair_files
from ...formats import REPORTS
from ...layout import Block, Layout, Text, lay_out, sheets_of
from ...results.score import by_metric, figure_shown, note_on_rules

PLACES = 5
"""Places of each code that are shown, as in ``corefscope validate``."""
SLICED = "mentions,conll,lea"
"""Metrics of slices, as in ``corefscope errors``."""
EXPLAINED = ("match", "singletons", "rules")
"""Options that a result explains in words."""
PIP = "Use the command line: pip install corefscope"
UNREADABLE = "cannot be read: has it changed since it was chosen, or is it a directory?"


class Question(NamedTuple):
    """The files and options of a job. Directories, for several keys, hold files that are paired by name."""

    key: str
    responses: Sequence[str]
    names: Sequence[str]
    options: RequestArguments
    progress: Progress | None = None
    everything: bool = False
    """Whether all errors and problems are wanted instead of examples, as by programs."""
    unreadable: Sequence[str] = ()
    """Files that the browser could not read."""
    sampled_key: str = ""
    """How the key was sampled, if it was."""

    def pairs(self, response: str) -> list[Files]:
        """The key file of each file of a response."""
        for path in self.unreadable:
            if path == response or path.startswith(f"{response}/"):
                raise InputError(UNREADABLE, path=path)
        return pair_files(self.key, response)

    def without(self, names: Sequence[str]) -> Question:
        """The same question about the other responses."""
        kept = [at for at, name in enumerate(self.names) if name not in names]
        return self._replace(responses=[self.responses[at] for at in kept], names=[self.names[at] for at in kept])


class Failure(NamedTuple):
    """Why a response, or a file of it, has no result."""

    name: str
    message: str
    in_files: bool
    """Whether the error is in the files, so that validation may find more of them."""

    @classmethod
    def of(cls, name: str, error: CorefscopeError) -> Failure:
        """An error beside the name that it belongs to."""
        return cls(name, str(error), isinstance(error, InputError))

    def within(self, response: str) -> Failure:
        """The same failure under the name of the response, where a file of several has failed."""
        return self if self.name == response else self._replace(name=f"{response}, {self.name}")


class Outcome(NamedTuple):
    """The result of a job for a response."""

    name: str
    """The name of the response; empty if the result is about all."""
    result: object = None
    failures: Sequence[Failure] = ()
    report: Report | None = None
    """Where the options and warnings of the result are."""
    files: Mapping[str, Report] = {}
    """The scores of each file, if there are several."""
    warnings: Sequence[str] = ()
    """Those of a result without a report."""


def _for_each(asked: Question, make: Callable[[str, str], Outcome]) -> list[Outcome]:
    """The outcome for each response, by its name and path. An error in one does not affect the others."""
    outcomes = []
    errors: dict[str, InputError] = {}
    for name, path in zip(asked.names, asked.responses, strict=True):
        try:
            asked.pairs(path)
            outcomes.append(make(name, path))
        except InputError as error:
            errors[str(error)] = error
            outcomes.append(Outcome(name, failures=[Failure.of(name, error)]))
    if len(errors) == 1 and all(outcome.failures for outcome in outcomes):
        raise errors.popitem()[1]  # one response, or a key that cannot be read
    return outcomes


def _scores(asked: Question) -> list[Outcome]:
    from ....formats.files import score

    arguments: RequestArguments = {**asked.options, "digests": True}

    def make(name: str, path: str) -> Outcome:
        pairs = asked.pairs(path)
        if asked.sampled_key:
            from ....measures.sampled_key import score_sampled_key

            result = score_sampled_key(asked.key, path, asked.sampled_key, progress=asked.progress, **arguments)
            return Outcome(name, result, warnings=result.warnings)
        files: dict[str, Report] = {}
        failures = []
        for pair in pairs if len(pairs) > 1 else ():
            try:
                files[pair.name] = score(pair.key, pair.response, **arguments)
            except InputError as error:
                failures.append(Failure.of(pair.name, error))
        if failures:  # then a score of all files would be one of other files than its name says
            return Outcome(name, failures=failures, files=files)
        report = score(asked.key, path, compare_rules=True, progress=asked.progress, **arguments)
        return Outcome(name, report, report=report, files=files)

    return _for_each(asked, make)


def _comparison(asked: Question) -> list[Outcome]:
    from ....comparison.systems import compare

    arguments: RequestArguments = {**asked.options, "digests": True}
    result = compare(asked.key, asked.responses, names=asked.names, progress=asked.progress, **arguments)
    return [Outcome("", result, report=next(iter(result.reports.values())))]


def _errors(asked: Question) -> list[Outcome]:
    from ....analysis.errors.examine import examine

    arguments: RequestArguments = {**asked.options, "metrics": SLICED}
    limit = None if asked.everything else 0

    def make(name: str, path: str) -> Outcome:
        result = examine(asked.key, path, progress=asked.progress, limit=limit, **arguments)
        return Outcome(name, result, report=result.report)

    return _for_each(asked, make)


def _validation(asked: Question) -> list[Outcome]:
    from ....formats.detection import recognised
    from ....formats.validate import Validation, inspect

    keep = None if asked.everything else PLACES
    found, failures = [], []
    for path, skeleton in _files_of(asked):
        try:
            needs_words = skeleton and not FORMATS[recognised(path, None)].alone
            found.append(inspect(path, keep=keep, skeleton=skeleton if needs_words else None))
        except InputError as error:
            failures.append(Failure.of(os.path.basename(path), error))
    failures += [Failure(os.path.basename(path), f"{path}: {UNREADABLE}", False) for path in asked.unreadable]
    return [Outcome("", Validation(found) if found else None, failures)]


def _files_of(asked: Question) -> Iterator[tuple[str, str]]:
    """All files, and for those of responses the key whose words printed text has."""
    if not os.path.isdir(asked.key):
        yield from [(asked.key, "")] if asked.key else ()
        yield from ((path, asked.key) for path in asked.responses if path not in asked.unreadable)
        return
    yield from ((os.path.join(asked.key, name), "") for name in sorted(os.listdir(asked.key)))
    for path in asked.responses:
        files = {name: os.path.join(path, name) for name in sorted(os.listdir(path))}
        for name, file in files.items():
            beside = [key for key in os.listdir(asked.key) if key.partition(".")[0] == name.partition(".")[0]]
            yield file, os.path.join(asked.key, name if name in beside else beside[0]) if beside else ""


def _report(asked: Question) -> list[Outcome]:
    from ..report import render
    from ..report.data import collect

    request = Request(asked.options, optional=True)
    for path in asked.responses:
        asked.pairs(path)
    data = collect(asked.key, asked.responses, request, names=asked.names, progress=asked.progress)
    return [Outcome("", render(data))]


class Job(NamedTuple):
    """A kind of question."""

    title: str
    """That of its tab on the page."""
    make: Callable[[Question], list[Outcome]]


TABS: dict[str, Job] = {
    "scores": Job("Scores", _scores),
    "comparison": Job("Comparison", _comparison),
    "errors": Job("Errors", _errors),
    "validation": Job("Validation", _validation),
    "report": Job("Report page", _report),
}


class WorkerApi:
    """The answers to the questions of a page, kept until it asks about other files or options."""

    def __init__(self) -> None:
        self._about = ""
        self._kept: dict[tuple[str, bool], list[Outcome]] = {}

    def answer(self, question: str, progress: Progress | None = None) -> str:
        """The answer to a question: ``parts`` to show, the ``text`` of a file, or the ``error``.

        ``job`` is one of TABS, for ``key``, ``responses`` and ``options``; files of the same name but another
        ``batch`` are others. ``format`` and the number of a ``result`` ask for a file to save. ``names`` are those of
        the responses, ``unreadable`` files that are missing.
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
        names, responses = question.get("names") or names_of(question["responses"]), question["responses"]
        options = dict(question["options"])
        sampled_key = options.pop("sampled_key", "")
        if sampled_key and question["job"] not in ("scores", "validation"):
            raise OptionError("A sampled key has estimates only: see Scores.")
        asked = Question(
            question["key"], responses, names, cast("RequestArguments", options), progress, sampled_key=sampled_key
        )
        asked = asked._replace(
            unreadable=question.get("unreadable", ()), everything=rendering is not None and rendering.for_programs
        )
        outcomes = self._outcomes(question["job"], asked)
        if rendering:
            outcome = outcomes[question["result"]]
            if outcome.result is None:
                return {"error": "\n".join(failure.message for failure in outcome.failures)}
            return {"text": rendering.render(outcome.result)}
        if any(isinstance(outcome.result, str) for outcome in outcomes):
            return {
                "text": "".join(outcome.result for outcome in outcomes if isinstance(outcome.result, str)),
                "names": list(asked.names),
                "failures": [failure._asdict() for outcome in outcomes for failure in outcome.failures],
            }
        return {"parts": [_part(outcome, asked) for outcome in outcomes]}

    def _outcomes(self, job: str, asked: Question) -> list[Outcome]:
        """The outcomes of a job. What is about all responses leaves those out that cannot be scored, and says why."""
        place = job, asked.everything
        if place not in self._kept:
            try:
                self._kept[place] = TABS[job].make(asked)
            except InputError:
                scored = self._outcomes("scores", asked._replace(everything=False)) if job != "scores" else []
                broken = [outcome for outcome in scored if outcome.failures]
                if len(broken) in (0, len(scored)):
                    raise
                others = TABS[job].make(asked.without([outcome.name for outcome in broken]))
                failures = [failure.within(outcome.name) for outcome in broken for failure in outcome.failures]
                self._kept[place] = [others[0]._replace(failures=failures), *others[1:]]
        return self._kept[place]


def _part(outcome: Outcome, asked: Question) -> dict[str, object]:
    """An outcome as the page shows it."""
    report, files = outcome.report, outcome.files
    layout = lay_out(outcome.result) if outcome.result is not None else Layout([], [])
    metrics = dict.fromkeys(name for scores in files.values() for name in scores)
    by_file = [by_metric(f"{figure_shown(files.values())} per file", files, metrics)] if files else []
    warnings = [*report.warnings, note_on_rules(report)] if report else outcome.warnings
    return {
        "name": outcome.name,
        "failures": [failure._asdict() for failure in outcome.failures],
        "warnings": list(filter(None, warnings)),
        "settings": _settings(report, asked.options) if report else [],
        "blocks": list(map(_block, layout.blocks)),
        "files": list(map(_block, by_file)),
        "notes": layout.notes,
        "signatures": layout.signatures,
        "complete": outcome.result is not None,
    }


def _block(block: Block) -> dict[str, object]:
    """A block as plain values; cells and spans become lists."""
    if isinstance(block, Text):
        return {"lines": block.spans}
    sheets = []
    for sheet in sheets_of(block):
        rows = [{"strong": number in sheet.strong, "cells": row} for number, row in enumerate(sheet.rows)]
        sheets.append(
            {"title": sheet.title, "note": sheet.note, "left": sheet.left, "head": sheet.head, "rows": rows}
        )
    return {"sheets": sheets}


def _settings(report: Report, chosen: RequestArguments) -> list[dict[str, str]]:
    """How a score was made, in words: options with their values, what these mean, and why they hold."""
    preset = chosen.get("preset")
    defaults = RULES[report.options.rules].defaults
    settings = []
    for name in EXPLAINED:
        value = str(getattr(report.options, name))
        if chosen.get(name):
            reason = "as chosen"
        elif preset:
            reason = f"by preset {preset}"
        elif name in defaults:
            reason = f"the default of {report.options.rules}"
        elif name in BY_KEY:
            reason = f"the default for keys in {' and '.join(report.inputs[0].formats)}"
        else:
            reason = "the default"
        settings.append({"option": name, "value": value, "meaning": TITLES[name][value], "reason": reason})
    return settings
