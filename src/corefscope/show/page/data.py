"""Everything the page shows, as plain values: from files to what the template and the script read."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from ...base.errors import OptionError, Warnings
from ...base.naming import names_of
from ...base.numbers import Score
from ...base.version import __version__
from ...count.metrics import METRICS
from ...evaluate.request import Path, Progress, Request
from ...evaluate.results import Report
from ...read.corpus import Corpus
from ...read.pairs import Pair
from ...read.source import path_name
from ...study.faults.features import DIMENSIONS
from ...study.faults.slices import Slice, Weakness, score_of, worst
from ...study.faults.taxonomy import KINDS, ZERO_KINDS
from ...study.resampling import DEFAULT, Interval, Study, study
from .documents import document_data
from .examined import KIND_NAMES, Examined

Plain = dict[str, Any]

SLICE_RESAMPLES = 1000
MOST_DOCUMENTS = 2000  # of which the page has the text; more would take a browser minutes to read
HELP = {
    "span": "The mention was found, but with other words.",
    "missing_mention": "A mention of the key that the response does not have, though it has others of the entity.",
    "extra_mention": "A mention of the response that is not in the key, in an entity of which others are.",
    "missing_entity": "No mention of this key entity was found.",
    "extra_entity": "No mention of this response entity is in the key.",
    "conflated": "Mentions of one key entity stand in a response entity that mostly belongs to another.",
    "divided": "Mentions of one key entity stand in another response entity than most of it.",
    "missing_zero": "A zero of the key that the response does not have, though it has others of the entity.",
    "extra_zero": "A zero of the response that is not in the key, in an entity of which other mentions are.",
    "misattached_zero": "The zero was found, but as another node or with other dependencies.",
}


def collect(
    key: Path,
    responses: Sequence[Path],
    request: Request,
    *,
    names: str | Sequence[str] | None = None,
    title: str | None = None,
    progress: Progress | None = None,
) -> Plain:
    """The data of a page: ``overview`` for the template, ``documents`` for the script, one JSON-able object each."""
    paths = [path_name(path) for path in responses]
    if not paths:
        raise OptionError("name at least one response")
    opened: list[Corpus] = []
    examined: list[Examined] = []
    documents: list[Plain] = []
    facts: list[Plain] = []
    try:
        for name, path in zip(names_of(paths, names), paths, strict=True):
            opened.append(request.corpus(key, path, Warnings()))
            examined.append(Examined(name, opened[-1], request))
        for row in request.rows(opened, progress):
            # A document that neither the key nor this response has: the key that others are compared with is empty.
            empty = next(Pair(pair.key, pair.key) for pair in row if pair)
            compared = [one.compare(*(pair or empty)) for one, pair in zip(examined, row, strict=True)]
            if len(documents) < MOST_DOCUMENTS:
                documents.append(document_data(compared, KIND_NAMES))
                facts.append(_facts(documents[-1]))
    finally:
        for corpus in opened:
            corpus.close()
    reports = {one.name: one.finished() for one in examined}
    return {"overview": _overview(path_name(key), title, examined, reports, facts), "documents": documents}


def _facts(document: Plain) -> Plain:
    words = sum(len(sentence[2]) for sentence in document["s"]) - len(document["z"])
    return {
        "id": document["id"],
        "sentences": len(document["s"]),
        "words": words,
        "chains": len(document["key"]["e"]),
        "mentions": len(document["key"]["m"]),
    }


def _overview(
    key: str, title: str | None, examined: Sequence[Examined], reports: dict[str, Report], facts: list[Plain]
) -> Plain:
    main = examined[0].metric
    sure = _study(reports)
    shown = [document["id"] for document in facts]
    scores = [[score_of(report.documents[name], main) for name in shown] for report in reports.values()]
    for at, document in enumerate(facts):
        document["scores"] = [of_response[at] for of_response in scores]
        document["faults"] = [one.documents[at].total() for one in examined]
        document["kinds"] = [[one.documents[at][kind] for kind in KIND_NAMES] for one in examined]
    titles = {**KINDS, **{name: shown for name, (shown, _) in ZERO_KINDS.items()}}
    return {
        "version": __version__,
        "title": title or f"{os.path.basename(key) or key}",
        "key": key,
        "main": main,
        "headline": METRICS[main].title,
        "level": DEFAULT.level,
        "kinds": [
            {"name": name, "title": titles[name], "help": HELP[name], "of": ZERO_KINDS.get(name, ("", name))[1]}
            for name in KIND_NAMES
        ],
        "zero_kinds": any(
            one.documents[at][kind] for one in examined for at in range(len(facts)) for kind in ZERO_KINDS
        ),
        "documents": facts,
        "responses": [_response(one, reports[one.name], sure, shown) for one in examined],
        "metrics": [METRICS[name].title for name in examined[0].order],
        "cautions": [*(sure.cautions if sure else ()), *_left_out(len(facts), len(examined[0].documents))],
    }


def _left_out(shown: int, documents: int) -> list[str]:
    """What to say if not every document is on the page."""
    if shown == documents:
        return []
    return [f"the page shows the first {shown:,} of {documents:,} documents; all figures above them are of all"]


def _study(reports: dict[str, Report]) -> Study | None:
    """Intervals and differences; nothing can be said of a single document."""
    if len(next(iter(reports.values())).documents) < 2:
        return None
    return study(reports)


def _response(one: Examined, report: Report, sure: Study | None, shown: Sequence[str]) -> Plain:
    key, response = one.corpus.inputs
    slices = one.slices(report.options)
    weak = worst(report, [part for parts in slices.values() for part in parts], one.metric, limit=3)
    return {
        "name": one.name,
        "path": response.name,
        "signature": report.signature,
        "key_read": str(key),
        "response_read": str(response),
        "warnings": list(report.warnings),
        "cards": [_card(name, one, report, sure) for name in one.order],
        "losses": _losses(one),
        "slices": [
            {"title": DIMENSIONS[by].title, "rows": [_slice(part, one.metric) for part in parts]}
            for by, parts in slices.items()
        ],
        "weak": [_weakness(found) for found in weak],
        "documents": [
            {"scores": [score_of(report.documents[name], metric) for metric in one.order], "faults": kinds.total()}
            for name, kinds in zip(shown, one.documents, strict=False)
        ],
    }


def _card(name: str, one: Examined, report: Report, sure: Study | None) -> Plain:
    score, shown = report[name], score_of(report, name)
    difference = sure.differences[one.name][name] if sure and one.name in sure.differences else None
    return {
        "title": METRICS[name].title,
        "summary": METRICS[name].summary,
        "main": name == one.metric,
        "score": shown,
        "recall": score.recall if isinstance(score, Score) else None,
        "precision": score.precision if isinstance(score, Score) else None,
        "interval": _interval(sure.intervals[one.name][name]) if sure and shown is not None else None,
        "difference": difference
        and {"points": difference.difference, "interval": list(difference.interval), "p": difference.adjusted},
    }


def _losses(one: Examined) -> Plain:
    """The steps from the score to 100, each where the one before ends."""
    attribution = one.ledger.attribution(one.metric)
    steps, at = [], attribution.score
    for step in attribution.steps:
        steps.append(
            {
                "kind": step.kind,
                "title": KINDS[step.kind],
                "help": HELP[step.kind],
                "count": one.faults[step.kind],
                "points": step.points,
                "least": step.least,
                "most": step.most,
                "from": at,
                "to": at + step.points,
            }
        )
        at += step.points
    return {"score": attribution.score, "steps": steps, "rules": attribution.rules, "end": at}


def _slice(part: Slice, main: str) -> Plain:
    interval = part.with_intervals([main], SLICE_RESAMPLES).intervals.get(main)
    return {
        "value": part.value,
        "key": part.key_mentions,
        "response": part.response_mentions,
        "score": score_of(part.report, main),
        "interval": list(interval) if interval else None,
    }


def _weakness(found: Weakness) -> Plain:
    return {"by": DIMENSIONS[found.slice.by].title, "value": found.slice.value, "score": found.score}


def _interval(figures: Mapping[str, Interval]) -> list[float]:
    return list(figures["f1" if "f1" in figures else "value"])
