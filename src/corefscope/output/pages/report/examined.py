"""One response on its way into the page: scored, its faults listed, its lost points and slices counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ....base.document import Document
from ....base.errors import OptionError
from ....base.numbers import Score
from ....count.metrics import METRICS, counted, headline_metric
from ....evaluate.request import Request
from ....evaluate.results import Report
from ....read.corpus import Corpus
from ....study.explain import by_document
from ....study.faults.attribution import is_of_relations
from ....study.faults.examine import Examiner
from ....study.faults.features import DIMENSIONS
from ....study.faults.genres import genre_pattern
from ....study.faults.ledgers import is_attributable
from ....study.faults.slices import Slice, Slicer, score_of, worst
from ....study.faults.taxonomy import RELATION_KINDS, TITLES, ZERO_KINDS, several
from ....study.resampling import Study, headline_of
from .chains import Compared, Plain, compare
from .documents import kinds_of
from .how import How, pooled
from .kinds import help_of, look_of

SLICE_RESAMPLES = 1000


def main_metric(names: Sequence[str]) -> str:
    """The metric that the page is about: CoNLL if it was asked for, else the first of which points can be lost.

    Metrics of relations come after those of identity.

    >>> main_metric(["muc", "conll"]), main_metric(["d_err", "split", "lea"])
    ('conll', 'lea')
    >>> main_metric(["deixis_muc", "deixis"]), main_metric(["bridging_mention", "bridging_entity"])
    ('deixis', 'bridging_entity')
    """
    scores = [name for name in names if METRICS[name].perfect == 1]
    if not scores:
        raise OptionError(
            f"none of {', '.join(names)} is a score of which points can be lost: add one, such as conll"
        )
    return headline_metric([name for name in scores if not is_of_relations(METRICS[name])] or scores)


class Examined(Examiner):
    """A response and everything that is found out about it, a document at a time."""

    def __init__(self, name: str, corpus: Corpus, request: Request) -> None:
        names = request.metrics
        self.main = main_metric(names)
        self.identity = not is_of_relations(METRICS[self.main])
        """Whether identity is scored: then its faults are listed, and cost points."""
        dimensions, sliced = (tuple(DIMENSIONS), [self.main]) if self.identity else ((), [])
        attributed = self.main if is_attributable(self.main) else ""
        super().__init__(request, names, attributed, by=dimensions, slice_metrics=sliced)
        self.name, self.corpus = name, corpus
        self.how = How(self.main, request.options.rules)
        self.documents: list[Counter[str]] = []
        """For each document how many faults of each kind there are; those of zeros are kinds of their own."""
        self.relations: set[str] = set()
        """The kinds of relations that there are."""
        self._sizes: list[tuple[int, int]] = []

    def compare(self, key: Document, response: Document) -> Compared:
        """Score and examine one document."""
        findings = self.examine(key, response, self.corpus.warnings)
        compared = compare(findings, self.identity)
        self.documents.append(Counter(fault.zero_kind or fault.kind for fault in compared.faults))
        self.relations.update(kinds_of(findings))
        alignment = findings.alignment
        self._sizes.append((len(alignment.key.mentions), len(alignment.response.mentions)))
        return compared

    def order(self, report: Report) -> list[str]:
        """The metrics as they are shown."""
        return [self.main, *(name for name in report if name != self.main)]

    def plain(self, report: Report, study: Study | None, shown: Sequence[str]) -> Plain:
        """What the template needs of the response; ``shown`` are the documents of which the page has the text."""
        of_mentions = {slicer.by: slicer.slices(report.options) for slicer in self.slicers}
        parts = [part for parts in of_mentions.values() for part in parts]
        weak = worst(report, parts, self.metric, limit=3) if self.identity else []
        documents = report.documents
        losses = self._losses()
        named = {by: (DIMENSIONS[by].title, parts) for by, parts in of_mentions.items()}
        if self.identity and (genre := self.genre_slicer()):
            named["genre"] = "genre, by the ids of documents", self._genres(genre, report)
        order = self.order(report)
        return {
            "name": self.name,
            "inputs": report.inputs,
            "signature": report.signature,
            "printed": self._printed(report),
            "warnings": list(report.warnings),
            "cards": [self._card(metric, report, study) for metric in order],
            "losses": losses,
            "verdict": losses["steps"][0] if losses and losses["steps"] else None,
            "relations": self._relation_counts(),
            "slices": [
                {"by": by, "title": title, "rows": [self._slice(part) for part in parts]}
                for by, (title, parts) in named.items()
                if len(parts) > 1
            ],
            "weak": [
                {"by": part.by, "title": DIMENSIONS[part.by].title, "value": part.value, "score": score}
                for part, score, *_ in weak
            ],
            "documents": [
                {
                    "scores": [score_of(documents[name], metric) for metric in self.order(report)],
                    "faults": kinds.total(),
                }
                for name, kinds in zip(shown, self.documents, strict=False)
            ],
        }

    def _printed(self, report: Report) -> Plain | None:
        """What became of words and tags, and by metric what the format cost, if a language model printed it."""
        if not report.inputs[1].accounts:
            return None
        from ...results.printed import printed_lines

        lost = dict(report.format_loss or {})
        shown = [(METRICS[name].title, lost[name]) for name in self.order(report) if name in lost]
        return {"lines": printed_lines(report), "losses": shown}

    def genre_slicer(self) -> Slicer | None:
        """What divides the documents by genre, if their ids name genres."""
        pattern = genre_pattern(list(self.rows))
        return Slicer(f"genre={pattern}", self.options, [self.metric] if self.identity else []) if pattern else None

    def _genres(self, slicer: Slicer, report: Report) -> list[Slice]:
        wanted = [self.metrics.index(part) for part in counted([self.metric])]
        for (name, row), sizes in zip(self.rows.items(), self._sizes, strict=True):
            slicer.add_document(name, tuple([row[number] for number in wanted]), *sizes)
        return slicer.slices(report.options)

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

    def _losses(self) -> Plain | None:
        """The steps from the score to 100, in points, the dearest first, each where the one before ends."""
        attribution = self.ledger.attribution()
        if attribution is None:
            return None
        counts = sum(self.documents, Counter())
        for zero_kind, (_, kind) in ZERO_KINDS.items():
            counts[kind] += counts[zero_kind]
        steps, reached = [], 100 * attribution.score
        for step in attribution.by_cost(counts):
            kind = step.kind
            title = TITLES[kind]
            kinds = [kind, *(name for name, (_, whole) in ZERO_KINDS.items() if whole == kind)]
            more = {"look": look_of(kind), "kinds": ",".join(kinds), "title": title, "several": several(title)}
            begins, reached = reached, reached + 100 * step.gain
            points = {"points": 100 * step.gain, "least": 100 * step.least, "most": 100 * step.most}
            steps.append(
                {
                    "kind": kind,
                    "help": help_of(kind),
                    "count": counts[kind],
                    **more,
                    **points,
                    "from": begins,
                    "to": reached,
                }
            )
        return {"score": 100 * attribution.score, "steps": steps, "rules": 100 * attribution.rules, "end": reached}

    def _relation_counts(self) -> list[Plain]:
        """How many errors in relations there are of each kind, most first."""
        counts = sum(self.documents, Counter())
        kinds = [(kind, title) for kind, (title, _) in RELATION_KINDS.items() if counts[kind]]
        return sorted(
            (
                {"kind": kind, "title": title, "count": counts[kind], "look": look_of(kind), "help": help_of(kind)}
                for kind, title in kinds
            ),
            key=lambda row: -row["count"],
        )

    def _slice(self, part: Slice) -> Plain:
        interval = part.with_intervals([self.metric], SLICE_RESAMPLES).intervals.get(self.metric)
        return {"slice": part, "score": score_of(part.report, self.metric), "interval": interval}
