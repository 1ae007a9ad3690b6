"""The result of examining a response: faults, what they cost, and scores of parts, as values and as plain data."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, groupby
from typing import Any, NamedTuple

from ...base.mention import Mention
from ...base.numbers import headline
from ...base.positions import SENTENCE_SHIFT, node_name, shown_id
from ...base.result import Result
from ...evaluate.results import Report
from .attribution import RULES, Attribution
from .context import Example
from .slices import Slice, Weakness, score_of
from .taxonomy import KINDS, RELATION_KINDS, TITLES, Fault, several

SCHEMA = "corefscope-errors-3"
FAULT_FIELDS = (
    *("kind", "zero_kind", "document", "sentence", "path", "line"),
    *("key_entity", "response_entity", "other_entity", "key", "response", "text"),
)
LEAST_SHOWN = 0.00005
"""The smallest gain or loss that is not 0.00 points."""
SIDES = ("key", "response", "key_targets", "response_targets")
RELATION_FIELDS = ("key_targets", "response_targets", "label")
SLICE_FIELDS = ("by", "value", "documents", "key_mentions", "response_mentions", "share")


class _Examined(NamedTuple):
    """Faults, costs and slices."""

    report: Report
    attribution: Attribution
    counts: dict[str, int]
    """Faults by kind, then those of zeros by theirs."""
    by_document: dict[str, dict[str, int]]
    """The same for each document."""
    faults: list[Fault]
    """In the order of the documents; of the kinds that were asked for."""
    examples: dict[str, list[Example]]
    """Some of them in context, by kind."""
    slices: dict[str, list[Slice]]
    """By dimension, for those that were asked for."""
    worst: list[Weakness]
    """Of all dimensions, or of those that were asked for."""


class ErrorReport(Result, _Examined):
    """What :func:`~corefscope.examine` finds."""

    __slots__ = ()

    NAMES = ("class",)

    @property
    def summary(self) -> str:
        """The score, and what the repair of each class gains; ``rules`` only where it is not 0."""
        attribution = self.attribution
        gains = ", ".join(
            [f"{step.kind} {step.gain:.4f} ({self.counts.get(step.kind, 0)})" for step in attribution.steps]
            + [f"rules {attribution.rules:.4f}"] * (abs(attribution.rules) >= LEAST_SHOWN)
        )
        return f"{attribution.metric}={attribution.score:.4f}, lost by {gains}"

    def _flat_records(self) -> list[dict[str, Any]]:
        """What each class of errors costs, and ``rules``: together what is lost. The errors are for people."""
        steps: list[dict[str, Any]] = [
            {"class": step.kind, "errors": self.counts.get(step.kind, 0), "gain": step.gain}
            for step in self.attribution.steps
        ]
        steps.append({"class": RULES, "gain": self.attribution.rules})
        whole = {"class": self.attribution.metric, "score": self.attribution.score, "lost": self.attribution.lost}
        return [whole, *steps]

    @property
    def signature(self) -> str:
        """What to quote beside the figures."""
        return self.report.signature

    @property
    def verdict(self) -> str:
        """What to look at first: the kind of error that costs most, and the weakest part of the data."""
        by_cost = self.attribution.by_cost(self.counts)
        if not by_cost:
            if self.attribution.steps[0].kind not in KINDS:
                return "no errors of its kinds"
            return "no errors but in relations" if self.has_relation_faults else "no errors"
        cost = f"{several(TITLES[by_cost[0].kind])} cost most: {100 * by_cost[0].gain:.2f} points"
        return "; ".join([cost, *(f"worst slice: {part.slice.by} {part.slice.value}" for part in self.worst[:1])])

    @property
    def has_relation_faults(self) -> bool:
        """Whether a relation is wrong."""
        return not RELATION_KINDS.keys().isdisjoint(self.counts)

    @property
    def _fields_of_faults(self) -> tuple[str, ...]:
        return (*FAULT_FIELDS, *RELATION_FIELDS) if self.has_relation_faults else FAULT_FIELDS

    @property
    def columns(self) -> Sequence[str]:
        """The fields of all records, also if there are none."""
        return () if self.slices else (*self._fields_of_faults, "signature")

    def to_records(self, per_document: bool = False) -> list[dict[str, Any]]:  # noqa: ARG002
        """One flat record for each slice if slices were asked for, else one for each fault."""
        if self.slices:
            return [_slice_record(part) for part in chain.from_iterable(self.slices.values())]
        return [
            {name: getattr(fault, name) for name in self._fields_of_faults}
            | {name: " ".join(m) for name, m in _positions(fault).items() if name in self._fields_of_faults}
            for fault in self.faults
        ]

    def to_dict(self, per_document: bool = True) -> dict[str, Any]:  # noqa: ARG002
        """As plain values; ``corefscope errors --format json`` prints it, a JSON Schema describes it."""
        metric = self.attribution.metric
        documents = self.report.documents
        return {
            "schema": SCHEMA,
            "signature": self.signature,
            "options": self.report.options._asdict(),
            "attribution": self.attribution.to_dict(),
            "errors": self.counts,
            "documents": [
                {"id": name, "score": headline(documents[name][metric]), "errors": counts}
                for name, counts in self.by_document.items()
            ],
            "faults": [_fault_to_dict(fault) for fault in self.faults],
            "slices": [_slice_to_dict(part) for part in chain.from_iterable(self.slices.values())],
            "worst": [
                {
                    "by": weakness.slice.by,
                    "value": weakness.slice.value,
                    "share": weakness.slice.share,
                    **dict(zip(Weakness._fields[1:], weakness[1:], strict=True)),
                }
                for weakness in self.worst
            ],
            "warnings": list(self.report.warnings),
        }


def _fault_to_dict(fault: Fault) -> dict[str, Any]:
    """All fields; those of relations only of relations."""
    content = {**fault._asdict(), **_positions(fault)}
    return {name: value for name, value in content.items() if fault.relation or name not in RELATION_FIELDS}


def _positions(fault: Fault) -> dict[str, list[str]]:
    """The mentions of both sides: sentences and words; of mentions that are ids, the ids."""
    shown = _words if fault.sentence else lambda mention: shown_id(mention.head)
    return {side: [shown(mention) for mention in getattr(fault, side)] for side in SIDES}


def _words(mention: Mention) -> str:
    """The number of each sentence in the file and the ids of the words there, as in 12:3,4,4.1."""
    sentences = groupby(mention.positions, key=lambda position: position >> SENTENCE_SHIFT)
    return ",".join(f"{number}:{','.join(map(node_name, positions))}" for number, positions in sentences)


def _slice_to_dict(part: Slice) -> dict[str, Any]:
    return {
        **{name: getattr(part, name) for name in SLICE_FIELDS},
        "scores": {name: score_of(part.report, name) for name in part.report},
        "intervals": {name: list(interval) for name, interval in part.intervals.items()},
        "metrics": part.report.to_dict()["metrics"],
    }


def _slice_record(part: Slice) -> dict[str, Any]:
    record = {name: getattr(part, name) for name in SLICE_FIELDS}
    for name in part.report:
        record[name] = score_of(part.report, name)
        record[f"{name}_low"], record[f"{name}_high"] = part.intervals.get(name, (None, None))
    return record
