"""The data of the report page, as plain values for the template and the script."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set

from ....analysis.errors.attribution import is_attributable, is_of_relations
from ....analysis.errors.examine import Examiner, checked
from ....analysis.errors.kinds import ERROR_KINDS, IDENTITY, ZEROS, ErrorKind, kinds_of, ordered_kinds, pluralise
from ....analysis.errors.labels import Labels
from ....analysis.errors.slices import (
    DIMENSIONS,
    LABEL,
    Slice,
    Slicer,
    describe_slice,
    genre_pattern,
    score_of,
    title_of,
    worst,
)
from ....analysis.explain import Calculation, by_document
from ....comparison.resampling import DEFAULT, Study, headline_of, study
from ....core.document import Document
from ....core.errors import OptionError, Warnings
from ....core.metrics import METRICS, counted, headline_metric
from ....core.metrics.base import RECALL_PRECISION
from ....core.numbers import Score, headline
from ....core.report import Report
from ....core.request import Path, Progress, Request
from ....core.result import Plain
from ....core.version import __version__
from ....formats.adjustments import as_printed, without_absent
from ....formats.corpus import Corpus
from ....formats.files import reports
from ....formats.naming import names_of
from ....formats.pairs import Pair
from ....formats.reading import open_corpus, start_run
from ....formats.source import path_name
from ...results.explanation import exact
from ...results.score import printed_lines
from ...text import percent
from .documents import ComparedDocument, ScoreExplainer, SliceNumbers, document_data, layers_in, relation_kinds

MOST_DOCUMENTS = 2000  # with text; a browser would take minutes to read more
SLICE_RESAMPLES = 1000
GENRE = "genre, by the ids of documents"


def collect(
    key: Path,
    responses: Sequence[Path],
    request: Request,
    *,
    names: str | Sequence[str] | None = None,
    title: str | None = None,
    labels: Path | None = None,
    progress: Progress | None = None,
) -> Plain:
    """The data of a page: ``overview`` for the template; ``documents`` for the script, a JSON object each."""
    paths = [path_name(path) for path in responses]
    if not paths:
        raise OptionError("name at least one response")
    systems = names_of(paths, names)
    classes = Labels(path_name(labels)) if labels else None
    corpora = [open_corpus(request, key, path, Warnings()) for path in paths]
    documents: list[Plain] = []
    numbers = SliceNumbers()
    try:
        opened = start_run(checked(request), corpora, progress)
        examiners = [
            ResponseExaminer(name, corpus, opened.request, classes)
            for name, corpus in zip(systems, corpora, strict=True)
        ]
        for row in opened.rows:
            # A document of other responses only is compared with the empty key that these are compared with.
            empty = next(Pair(pair.key, pair.key) for pair in row if pair)
            compared = [one.compare(*(pair or empty)) for one, pair in zip(examiners, row, strict=True)]
            if len(documents) < MOST_DOCUMENTS:
                documents.append(document_data(compared, [one.explainer for one in examiners], numbers))
    finally:
        for corpus in corpora:
            corpus.close()
    scores = without_absent(request, [reports(request, one.corpus, [one])[0] for one in examiners])
    by_name = {one.name: as_printed(request, report) for one, report in zip(examiners, scores, strict=True)}
    named = {"key": path_name(key), "title": title or _title(systems, path_name(key)), "slices": list(numbers)}
    overview = _overview(examiners, by_name, documents, list(numbers))
    return {"overview": {**named, **overview}, "documents": documents}


def _title(systems: Sequence[str], key: str) -> str:
    """The title of a page: the systems first, because they distinguish pages.

    >>> _title(["a"], "dev/key.conllu"), _title(["a", "b", "c", "d"], "key.conllu")
    ('a against key.conllu', 'a, b and 2 more against key.conllu')
    """
    names = [name if name.isascii() else f"\u2068{name}\u2069" for name in systems]  # of any writing direction
    named = f"{', '.join(names[:2])} and {len(names) - 2} more" if len(names) > 2 else " and ".join(names)
    return f"{named} against {os.path.basename(key) or key}"


def _overview(
    examiners: Sequence[ResponseExaminer],
    by_name: Mapping[str, Report],
    documents: Sequence[Plain],
    slices: Sequence[tuple[str, str]],
) -> Plain:
    main, everything = examiners[0].main, len(examiners[0].documents)
    resampled = study(by_name) if everything > 1 else None  # a single document has no intervals
    cautions = list(resampled.cautions) if resampled else []
    if len(documents) < everything:
        cautions.append(
            f"the page shows the text of the first {len(documents):,} of {everything:,} documents;"
            " all figures are of all documents"
        )
    shown = [document["id"] for document in documents]
    scores = [[score_of(report.documents[name], main) for name in shown] for report in by_name.values()]
    genre = examiners[0].genre_slicer()
    made = {kind for one in examiners for count in one.documents for kind in count}
    relations = sorted(set().union(*(one.relations for one in examiners)))
    kinds = kinds_of_page(made, bool(relations), examiners[0].identity)
    facts = []
    for index, document in enumerate(documents):
        counts, chains = [one.documents[index] for one in examiners], document["key"]["e"]
        facts.append(
            {
                "id": document["id"],
                "words": 0 if "ids" in document else words_in(document),
                "mentions": sum(len(chains[chain]) == 2 for chain, *_ in document["key"]["m"]),  # without a layer
                "genre": genre.value_of(document["id"]) if genre else "",
                "scores": [by_document[index] for by_document in scores],
                "faults": [count.total() for count in counts],
                "kinds": [[count[kind["name"]] for kind in kinds] for count in counts],
            }
        )
    return {
        "version": __version__,
        "headline": METRICS[main].title,
        "level": DEFAULT.level,
        "kinds": kinds,
        "dimensions": _dimensions(slices, [fact["genre"] for fact in facts]),
        "documents": facts,
        "responses": [one.plain(by_name[one.name], resampled, shown) for one in examiners],
        "identity": examiners[0].identity,
        "relations": relations,
        "groups": list(dict.fromkeys([kind.get("relation", "") for kind in kinds if kind["shown"]])),
        "layers": layers_in(documents),
        "metrics": [METRICS[name].title for name in examiners[0].order(by_name[examiners[0].name])],
        "cautions": cautions,
    }


def words_in(document: Plain) -> int:
    """The number of words of a document on the page; empty nodes are none."""
    return sum(len(sentence[2]) for sentence in document["s"]) - len(document["z"])


def _dimensions(slices: Sequence[tuple[str, str]], genres: Sequence[str]) -> Plain:
    """For each dimension its title, and the plain names of its slices in which errors are, in their order."""
    found: Plain = {}
    for by, row in {**DIMENSIONS, LABEL.name: LABEL}.items():
        values = sorted([value for dimension, value in slices if dimension == by], key=_order_of(row.order))
        if values:
            found[by] = {"title": row.title, "names": {value: describe_slice(by, value) for value in values}}
    if any(genres):
        names = {genre: describe_slice("genre", genre) for genre in sorted(set(genres))}
        found["genre"] = {"title": GENRE, "names": names}
    return found


def _order_of(order: Sequence[str]) -> Callable[[str], tuple[int, str]]:
    return lambda value: (order.index(value) if value in order else len(order), value)


def main_metric(names: Sequence[str]) -> str:
    """The headline metric of the page: CoNLL if it is chosen, else the first of which points can be lost.

    Metrics of relations come after those of identity.

    >>> main_metric(["muc", "conll"]), main_metric(["d_err", "split", "lea"])
    ('conll', 'lea')
    >>> main_metric(["deixis_muc", "deixis"]), main_metric(["bridging_mention", "bridging_entity"])
    ('deixis', 'bridging_entity')
    """
    scores = [name for name in names if METRICS[name].scale.perfect == 1]
    if not scores:
        raise OptionError(
            f"none of {', '.join(names)} is a score of which points can be lost: add one, such as conll"
        )
    return headline_metric([name for name in scores if not is_of_relations(METRICS[name])] or scores)


class ResponseExaminer(Examiner):
    """Scores and errors of a response, collected document by document."""

    def __init__(self, name: str, corpus: Corpus, request: Request, labels: Labels | None = None) -> None:
        names = request.metrics
        self.main: str = main_metric(names)
        self.identity: bool = not is_of_relations(METRICS[self.main])
        """Whether identity is scored, so that its errors are listed and cost points."""
        dimensions, sliced = (tuple(DIMENSIONS), [self.main]) if self.identity else ((), [])
        attributed = self.main if is_attributable(self.main) else ""
        labels = labels if self.identity else None
        super().__init__(request, names, attributed, by=dimensions, slice_metrics=sliced, labels=labels)
        self.name = name
        self.corpus = corpus
        self.explainer: ScoreExplainer = ScoreExplainer(self.main, request.options.rules)
        self.documents: list[Counter[str]] = []
        """For each document the number of errors of each kind; those of zeros are separate kinds."""
        self.relations: set[str] = set()
        """The kinds of relations in key or response."""
        self._sizes: list[tuple[int, int]] = []

    def compare(self, key: Document, response: Document) -> ComparedDocument:
        """Score and examine one document."""
        findings = self.examine(key, response, self.corpus.warnings)
        compared = ComparedDocument(findings, self.identity, self.dimensions)
        self.documents.append(Counter(error.zero_kind or error.kind for error in compared.errors))
        self.relations.update(relation_kinds(findings))
        alignment = findings.pair.alignment
        self._sizes.append((len(alignment.key.mentions), len(alignment.response.mentions)))
        return compared

    def order(self, report: Report) -> list[str]:
        """The metrics in the order in which they are shown."""
        return [self.main, *(name for name in report if name != self.main)]

    def plain(self, report: Report, study: Study | None, shown: Sequence[str]) -> Plain:
        """The data of the response for the template; ``shown`` are the documents whose text is on the page."""
        of_mentions = {slicer.by: slicer.slices(report.options) for slicer in self.slicers}
        parts = [part for parts in of_mentions.values() for part in parts]
        weak = worst(report, parts, self.metric, limit=3) if self.identity else []
        documents = report.documents
        counts = sum(self.documents, Counter())
        losses = self._losses(counts.copy())
        relations = [_counted_kind(row, counts) for row in ordered_kinds() if row.relation and counts[row.name]]
        named = {by: (title_of(by), parts) for by, parts in of_mentions.items()}
        if self.identity and (genre := self.genre_slicer()):
            wanted = [self.metrics.index(part) for part in counted([self.metric])]
            for (name, row), sizes in zip(self.rows.items(), self._sizes, strict=True):
                genre.add_document(name, tuple([row[number] for number in wanted]), *sizes)
            named["genre"] = GENRE, genre.slices(report.options)
        order = self.order(report)
        lost = dict(report.format_loss or {})
        titled_losses = [(METRICS[metric].title, lost[metric]) for metric in order if metric in lost]
        printed = report.inputs[1].copy_reports  # by a language model
        return {
            "name": self.name,
            "inputs": report.inputs,
            "signature": report.signature,
            "printed": {"lines": printed_lines(report), "losses": titled_losses} if printed else None,
            "warnings": [*report.warnings, *(line for slicer in self.slicers for line in slicer.warnings())],
            "cards": [self._card(metric, report, study) for metric in order],
            "losses": losses,
            "verdict": losses["steps"][0] if losses and losses["steps"] else None,
            "relations": sorted(relations, key=lambda row: -row["count"]),
            "slices": [
                {"by": by, "title": title, "rows": list(map(self._slice, parts))}
                for by, (title, parts) in named.items()
                if len(parts) > 1
            ],
            "typed": [slicer.typed for slicer in self.slicers if slicer.labels],
            "weak": [
                {"by": part.by, "phrase": describe_slice(part.by, part.value), "value": part.value, "score": score}
                for part, score, *_ in weak
            ],
            "documents": [
                {
                    "scores": [score_of(documents[name], metric) for metric in order],
                    "errors": kinds.total(),
                }
                for name, kinds in zip(shown, self.documents, strict=False)
            ],
        }

    def genre_slicer(self) -> Slicer | None:
        """A slicer of documents by genre, if their ids name genres."""
        pattern = genre_pattern(list(self.rows))
        return Slicer(f"genre={pattern}", self.options, [self.metric] if self.identity else []) if pattern else None

    def _card(self, metric: str, report: Report, study: Study | None) -> Plain:
        score, shown = report[metric], score_of(report, metric)
        difference = study.differences[self.name][metric] if study and self.name in study.differences else None
        return {
            "title": METRICS[metric].title,
            "summary": METRICS[metric].summary,
            "main": metric == self.main,
            "score": shown,
            "parts": score if isinstance(score, Score) else None,
            "how": pooled(by_document(METRICS[metric], report)),
            "interval": headline_of(study.intervals[self.name][metric]) if study and shown is not None else None,
            "difference": difference,
        }

    def _losses(self, counts: Counter[str]) -> Plain | None:
        """The steps from the score to 100, in points, the costliest first, each where the one before ends."""
        if self.lost_points is None:
            return None
        attribution = self.lost_points.attribution()
        for row in kinds_of(ZEROS):
            counts[row.part_of] += counts[row.name]
        steps, reached = [], 100 * attribution.score
        for step in attribution.by_cost(counts):
            kind = ERROR_KINDS[step.kind]
            kinds = [kind.name, *(row.name for row in kinds_of(ZEROS) if row.part_of == kind.name)]
            begins, reached = reached, reached + 100 * step.gain
            steps.append(
                {
                    **_counted_kind(kind, counts),
                    "kinds": ",".join(kinds),
                    "several": pluralise(kind.title),
                    "points": 100 * step.gain,
                    "least": 100 * step.least,
                    "most": 100 * step.most,
                    "from": begins,
                    "to": reached,
                }
            )
        return {"score": 100 * attribution.score, "steps": steps, "rules": 100 * attribution.rules, "end": reached}

    def _slice(self, part: Slice) -> Plain:
        interval = part.with_intervals([self.metric], SLICE_RESAMPLES).intervals.get(self.metric)
        name = describe_slice(part.by, part.value)
        return {"slice": part, "name": name, "score": score_of(part.report, self.metric), "interval": interval}


def pooled(calculation: Calculation) -> list[tuple[str, str]]:
    """The parts, components or sums of a score over all documents."""
    metric, counts = METRICS[calculation.metric], list(map(exact, calculation.counts))
    if calculation.parts:
        return [(METRICS[part.metric].title, percent(float(headline(part.score)))) for part in calculation.parts]
    if metric.fields == RECALL_PRECISION:
        return [("Recall", " / ".join(counts[:2])), ("Precision", " / ".join(counts[2:]))]
    return [(name.replace("_", " "), count) for name, count in zip(metric.fields, counts, strict=True)]


def _counted_kind(kind: ErrorKind, counts: Mapping[str, int]) -> Plain:
    return {"kind": kind.name, "title": kind.title, "help": kind.description, "count": counts[kind.name]}


def kinds_of_page(made: Set[str], relations: bool, identity: bool) -> list[Plain]:
    """All kinds of errors, those of relations only if there are ``relations``.

    Filters and legend show kinds of zeros and of relations if such errors are ``made``, those of identity if it is
    scored.
    """
    zeros = any(row.name in made for row in kinds_of(ZEROS))
    rows = []
    for row in ordered_kinds():
        kind: Plain = {"name": row.name, "title": row.title, "help": row.description, "of": row.part_of or row.name}
        kind |= {"verb": row.verb} if row.verb else {}
        if not row.relation:
            rows.append({**kind, "shown": identity and (zeros or row.concerns == IDENTITY)})
        elif relations:
            rows.append({**kind, "shown": row.name in made, "relation": row.relation})
    return rows
