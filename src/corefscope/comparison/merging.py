"""Merging of saved results: rows of counts of several runs become one report, to the same bits as by one run.

Sums of floats depend on their order. Documents therefore come in the order in which one run reads them, whatever the
order of the results: by the end of the path that key and response share, and within a file as in the file. Files
without a shared name tell no order; then names of documents do, numbers in them as numbers.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from posixpath import commonpath, dirname
from typing import Any, NamedTuple

from ..core.errors import InputError, OptionError, Warnings
from ..core.input import Input
from ..core.metrics import counted, select
from ..core.options import Options
from ..core.pipeline import Scoring, process
from ..core.report import SCHEMA, Report, Row, Rows
from ..core.request import Request
from ..core.result import Plain
from ..formats.adjustments import needs_official_digits, official_rows
from ..formats.corpus import Corpus
from ..formats.projection import ProjectionCounts
from ..formats.reading import complete, iter_rows, open_corpus
from .verify import DamageError, Shape, check_shape, find_file, paths_of, read_saved, request_arguments, shorten

SIDES = ("key", "response")
SIZES = ("documents", "mentions", "entities", "singletons")
FAULT: dict[str, type] = {"path": str, "line": int, "message": str, "hint": str}
SIDE: Shape = {
    "name": str,
    "format": str,
    "parts?": [str],
    **dict.fromkeys(SIZES, int),
    "projection?": {"align": str, **dict.fromkeys(ProjectionCounts._fields[2:], int)},
}
NEEDS: Shape = {
    "signature": str,
    "metrics": {"*": dict},
    "inputs": dict.fromkeys(SIDES, SIDE),
    "documents": [{"id": str, "file?": str, "metrics": {"*": dict}}],
    "counts_of_parts?": {"*": {"*": dict}},
    "missing?": [FAULT],
    "warnings": [str],
}
SAVE = "save it with corefscope score --per-document --format json"


class Part(NamedTuple):
    """One of the results that are merged."""

    path: str
    saved: Plain
    report: Report
    """Its scores, from the rows of counts of its documents."""
    files: Sequence[str]
    """The file of each document."""


class Place(NamedTuple):
    """A document of the merged report."""

    name: str
    part: int
    """The number of its result."""
    id: str
    """Its name there."""
    file: str


def merge(results: Iterable[str | os.PathLike[str] | Report | Mapping[str, Any]]) -> Report:
    """One report of several runs over different documents: the same figures as of one run over all of them.

    ``results`` are paths of results that ``corefscope score --per-document --format json`` has saved, or reports. All
    must have the same signature and metrics, and no document in common. What is not saved by document is left out:
    scores under other rules, and the format loss of printed text.
    """
    parts = [_read(result, number) for number, result in enumerate(results, 1)]
    if not parts:
        raise OptionError("there is nothing to merge: give at least one result")
    for part in parts[1:]:
        _check_alike(parts[0], part)
    places = _places(parts)
    ordered = [parts[number] for number in dict.fromkeys(place.part for place in places)]
    warnings = list(dict.fromkeys(warning for part in ordered for warning in part.saved["warnings"]))
    if any("format_loss" in part.saved for part in parts):
        warnings.append("the format loss of printed text is not saved by document, and left out")
    report, is_exact = _pooled(parts, places)
    if not is_exact:
        warnings.append("the last digit of a score may differ from one run: files cannot be read again")
    faults = [fault for part in ordered for fault in part.saved.get("missing") or ()]
    return Report(
        report.options,
        tuple(report),
        report.rows,
        warnings=warnings,
        inputs=[_merged_input(side, ordered, Counter(place.file for place in places)) for side in SIDES],
        missing=[InputError(**{name: fault[name] for name in FAULT}) for fault in faults],
    )


def _read(result: str | os.PathLike[str] | Report | Mapping[str, Any], number: int) -> Part:
    """A result whose documents have counts; everything else is refused with the reason."""
    path = os.fspath(result) if isinstance(result, str | os.PathLike) else f"result {number}"
    saved = (
        result.to_dict()
        if isinstance(result, Report)
        else dict(result)
        if isinstance(result, Mapping)
        else read_saved(path)
    )
    if saved.get("schema") != SCHEMA:
        raise InputError(f"is no report of one response, but {saved.get('schema')}", path=path, hint=SAVE)
    if "documents" not in saved:
        raise InputError("has no counts of documents", path=path, hint=SAVE)
    if not saved.get("inputs"):
        raise InputError("was not made from files: add up its Scorer objects instead", path=path)
    try:
        check_shape(saved, NEEDS)
        options = Options.parse(saved["signature"])
        names = select([*saved["metrics"]])
        for reason, applies in {
            "its documents were joined: score them together": options.documents,
            "its scores are measured from a baseline, which is not saved by document": options.baseline,
            "only bounds are known of some scores": any("at_most" in score for score in saved["metrics"].values()),
        }.items():
            if applies:
                raise InputError(f"cannot be merged: {reason}", path=path)
        rows = {document["id"]: _row(saved, document, names) for document in saved["documents"]}
        if len(rows) < len(saved["documents"]):
            raise DamageError("a document is there twice")
    except OptionError as error:
        raise InputError(f"cannot be merged: {error}", path=path) from None
    except DamageError as error:
        raise InputError(f"is damaged: {shorten(error)}", path=path, hint="save the result again") from None
    return Part(
        path, saved, Report(options, names, rows), [document.get("file") or "" for document in saved["documents"]]
    )


def _row(saved: Mapping[str, Any], document: Mapping[str, Any], names: Sequence[str]) -> Row:
    """The counts of one document, as they were before they were saved."""
    hidden = (saved.get("counts_of_parts") or {}).get(document["id"], {})
    row = []
    for metric in counted(names):
        counts = hidden.get(metric.name) or document["metrics"].get(metric.name, {}).get("counts")
        check_shape(counts, dict.fromkeys(metric.fields, int | float), f"the counts of {metric.name}")
        row.append(tuple([counts[field] for field in metric.fields]))
    return tuple(row)


def _check_alike(first: Part, part: Part) -> None:
    """Refuse results that were scored in different ways."""
    signatures = [one.saved["signature"].split("|") for one in (first, part)]
    ours, theirs = (
        ", ".join(item for item in signature if item not in other) or "nothing"
        for signature, other in (signatures, signatures[::-1])
    )
    if signatures[0] != signatures[1]:
        raise InputError(f"was scored otherwise than {first.path}: {theirs} instead of {ours}", path=part.path)
    if tuple(first.report) != tuple(part.report):
        unlike = ", ".join(sorted({*first.report} ^ {*part.report})) or "their order"
        hint = "name the metrics, so that all results have them: --metrics"
        raise InputError(f"has other metrics than {first.path}: {unlike}", path=part.path, hint=hint)


def _places(parts: Sequence[Part]) -> list[Place]:
    """All documents in the order of one run, under the names that one run gives them."""
    found = [
        Place("", number, id_, file)
        for number, part in enumerate(parts)
        for id_, file in zip(part.report.rows, part.files, strict=True)
    ]
    owners: dict[str, set[int]] = {}
    for place in found:
        owners.setdefault(place.file, set()).add(place.part)

    def order(place: Place) -> tuple[str, list[object], str]:
        if len(owners[place.file]) == 1:
            return place.file, [], ""
        pieces = enumerate(re.split(r"0*([0-9]+)", place.id))
        return place.file, [(len(piece), piece) if i % 2 else piece for i, piece in pieces], place.id

    directory = commonpath(map(dirname, filter(None, owners))) if any(owners) else ""
    named: dict[str, Place] = {}
    begun: dict[tuple[str, str], Place] = {}
    for place in sorted(found, key=order):
        prefix, colon, rest = place.id.partition(": ")
        plain = rest if colon and prefix and place.file.endswith(prefix) else place.id
        other = begun.setdefault((place.file, plain), place)
        name = f"{place.file.removeprefix(f'{directory}/')}: {plain}" if plain in named and place.file else plain
        if other is not place or name in named:
            message = f"document {plain!r} is in {parts[other.part].path}, too"
            raise InputError(message, path=parts[place.part].path, hint="merge results over different documents")
        named[name] = place._replace(name=name)
    return [*named.values()]


def _pooled(parts: Sequence[Part], places: Sequence[Place]) -> tuple[Report, bool]:
    """The report of all documents, and whether it has the bits of one run.

    If a figure is between two hundredths of a per cent, documents are counted again, as one run does it.
    """
    first = parts[0].report
    rows = [part.report.rows for part in parts]

    def report() -> Report:
        return Report(first.options, tuple(first), {place.name: rows[place.part][place.id] for place in places})

    saved = report()
    try:
        for number, part in enumerate(parts):
            if needs_official_digits(part.report):
                rows[number] = _count_again(part, official=False)
        pooled = report()
        if needs_official_digits(pooled):
            rows = [_count_again(part, official=True) for part in parts]
        return report(), True
    except (InputError, OptionError, OSError, KeyError):
        return saved, False


def _count_again(part: Part, *, official: bool) -> Rows:
    """The rows of a result from its files: in the official arithmetic, or in ours."""
    find = partial(find_file, dict.fromkeys(("key", "response", "baseline", "weights")), Path(part.path).parent)
    request = Request(request_arguments(part.saved, find), optional=True)
    missing = {fault["path"] for fault in part.saved.get("missing") or ()}
    whole = open_corpus(request, *paths_of(part.saved, find), Warnings(), keep_going=bool(missing))
    corpus = whole.part([files for files in whole.files if missing.isdisjoint((files.key, files.response))])
    request = complete(request, corpus.peek_format())
    rows = official_rows(request, corpus, part.report) if official else _scored(request, corpus, part.report)
    if rows is None or rows.keys() != part.report.rows.keys():
        raise InputError("has changed", path=part.path)
    return rows


def _scored(request: Request, corpus: Corpus, report: Report) -> Rows:
    scoring = Scoring(request.options, tuple(report))
    process(iter_rows(request, [corpus]), [Warnings()], [[scoring]])
    return scoring.rows


def _merged_input(side: str, parts: Sequence[Part], files: Counter[str]) -> Input:
    """One side of all results."""
    inputs = [part.saved["inputs"][side] for part in parts]
    names = sorted({name for input_ in inputs for name in input_.get("parts") or [input_["name"]]})
    merged = Input(names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1:,} more")
    merged.parts = tuple(names)
    merged.files = files
    merged.formats = dict.fromkeys(name for input_ in inputs for name in input_["format"].split("+"))
    for name in SIZES:
        setattr(merged, name, sum(input_[name] for input_ in inputs))
    for name in ("engine", "columns", "weights"):
        if all(input_.get(name) == inputs[0].get(name) for input_ in inputs) and name in inputs[0]:
            setattr(merged, name, inputs[0][name])
    for counts in filter(None, (input_.get("projection") for input_ in inputs)):
        known = {name: counts[name] for name in ProjectionCounts._fields if name in counts}
        merged.add_projection(ProjectionCounts(**known))
    return merged
