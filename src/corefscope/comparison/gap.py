"""GAP: P = TP / (TP + FP), R = TP / (TP + FN), F1 = 2PR / (P + R); bias = F1 of feminine / F1 of masculine pronouns

An example has a pronoun and two names, A and B: two decisions, whether the name corefers with the pronoun. Counts are
those of the official program, ``gap_scorer.py``: what the response leaves out is a false negative, also where the key
says FALSE. 0/0 is 0, and there is no bias if one of the two F1 is 0.

A response is a table of decisions, or any clustering of the texts. Then a name is TRUE if a mention with the words of
the name (``exact``), or a mention that shares words with it (``overlap``), is in an entity with the pronoun.

Intervals are percentiles over samples of the examples with replacement that have anything to count. Webster et al.
(2018).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import ClassVar, Literal, NamedTuple

from ..core.document import Document, Mention, mention_order
from ..core.errors import InputError, Warnings, amount
from ..core.numbers import Numeric, f1, ratio
from ..core.request import Path, Progress, Request
from ..core.result import Plain, Result, how_many_numbers
from ..core.version import __version__
from ..formats.detection import GLANCE
from ..formats.reading import iter_pairs, open_corpus
from ..formats.source import Source, path_name
from ..formats.standoff.gap import LOOKS_LIKE_DECISIONS, GapExample, GapReader, read_decisions
from .resampling import Interval, Plan

GAP_SCHEMA = "corefscope-gap-1"
GENDERS = {
    **dict.fromkeys(("she", "her", "hers"), "feminine"),
    **dict.fromkeys(("he", "his", "him"), "masculine"),
}
"""The gender of pronouns; others count in the overall figures only."""
GROUPS = ("overall", "masculine", "feminine")
BIAS = "bias"
NameMatch = Literal["exact", "overlap"]
NAME_MATCHES = {
    "exact": "a mention with the words of the name",
    "overlap": "a mention that shares words with the name",
}
Decisions = Mapping[str, Mapping[str, bool | None]]
"""By example and name (``A``, ``B``) whether the name corefers with the pronoun; None if that is not said."""


class Decision(NamedTuple):
    """Whether a name corefers with the pronoun of an example."""

    example: str
    name: str
    """``A`` or ``B``"""
    gender: str
    key: bool
    response: bool | None

    @property
    def outcome(self) -> str:
        """``tp``, ``fp``, ``fn`` or ``tn``."""
        if self.response is None:
            return "fn"
        return ("tp" if self.response else "fn") if self.key else ("fp" if self.response else "tn")


class GapScore(NamedTuple):
    """Counts of decisions.

    >>> score = GapScore(tp=3, fp=1, fn=3, tn=2)
    >>> score.recall, score.precision, score.f1
    (0.5, 0.75, 0.6)
    """

    tp: int
    fp: int
    fn: int
    tn: int

    @property
    def recall(self) -> float:
        """TP / (TP + FN)"""
        return ratio(self.tp, self.tp + self.fn)

    @property
    def precision(self) -> float:
        """TP / (TP + FP)"""
        return ratio(self.tp, self.tp + self.fp)

    @property
    def f1(self) -> float:
        """2PR / (P + R)"""
        return f1(self.recall, self.precision)

    def to_dict(self) -> dict[str, float]:
        """Counts and figures."""
        return {**self._asdict(), "recall": self.recall, "precision": self.precision, "f1": self.f1}


class GapReport(Result, dict[str, GapScore]):
    """Scores of ``overall``, ``masculine`` and ``feminine`` pronouns: ``report["feminine"].f1``, ``report.bias``."""

    NAMES: ClassVar[tuple[str, ...]] = ("group",)

    def __init__(
        self, decisions: Sequence[Decision], plan: Plan, by: str, files: tuple[str, str], warnings: Sequence[str] = ()
    ) -> None:
        """``by`` says how decisions were made: ``table``, or one of ``NAME_MATCHES`` of a clustering."""
        super().__init__({group: _count(decisions, group) for group in GROUPS})
        self.decisions: tuple[Decision, ...] = tuple(decisions)
        self.plan = plan
        self.by = by
        self.files = files
        self.warnings: tuple[str, ...] = tuple(warnings)
        self.intervals: dict[str, Interval | None] = _intervals(decisions, plan)
        """The interval of F1 of each group and of ``bias``; None where it is not defined."""

    @property
    def bias(self) -> float | None:
        """F1 of feminine / F1 of masculine pronouns; None if one of them is 0."""
        feminine, masculine = self["feminine"].f1, self["masculine"].f1
        return feminine / masculine if feminine and masculine else None

    @property
    def missing(self) -> int:
        """How many decisions the response leaves out."""
        return sum(decision.response is None for decision in self.decisions)

    @property
    def signature(self) -> str:
        """How decisions were made, and the plan of the intervals."""
        plan = "|".join(part for part in str(self.plan).split("|") if not part.startswith("test:"))
        return f"gap|decisions:{self.by}|{plan}|v{__version__}"

    @property
    def summary(self) -> str:
        """F1 of each group."""
        return ", ".join(f"{group} F1={score.f1:.4f}" for group, score in self.items())

    def to_dict(self, per_document: bool = True) -> Plain:
        """As plain values, as the schema ``corefscope-gap-1`` describes them."""
        values = {
            "schema": GAP_SCHEMA,
            "signature": self.signature,
            "files": dict(zip(("key", "response"), self.files, strict=True)),
            "decided_by": self.by,
            "examples": len(self.decisions) // 2,
            "missing": self.missing,
            "groups": {
                group: {**score.to_dict(), "interval": self.intervals[group]} for group, score in self.items()
            },
            "bias": self.bias,
            "bias_interval": self.intervals[BIAS],
            "plan": {name: value for name, value in self.plan._asdict().items() if name != "test"},
            "decisions": [
                {**decision._asdict(), "outcome": decision.outcome}
                for decision in (self.decisions if per_document else ())
            ],
            "warnings": list(self.warnings),
        }
        return {**values, "numbers": how_many_numbers(values)}

    def to_records(self, per_document: bool = False) -> list[Plain]:
        """One flat record for each group and the bias; with ``per_document`` for each decision as well."""
        records: list[Plain] = []
        for group, score in (*self.items(), (BIAS, None)):
            low, high = self.intervals[group] or (None, None)
            figures = score.to_dict() if score else {"f1": self.bias}
            records.append({"group": group, **figures, "low": low, "high": high, "signature": self.signature})
        decided = [
            {"group": "decision", **decision._asdict(), "outcome": decision.outcome} for decision in self.decisions
        ]
        return records + decided if per_document else records


def _count(decisions: Sequence[Decision], group: str) -> GapScore:
    outcomes = [decision.outcome for decision in decisions if group in ("overall", decision.gender)]
    return GapScore(*map(outcomes.count, GapScore._fields))


def _intervals(decisions: Sequence[Decision], plan: Plan) -> dict[str, Interval | None]:
    """Percentile intervals of F1 and of the bias; of one example, none."""
    import numpy as np

    from .count_matrix import bootstrap_weights

    names = list(dict.fromkeys(decision.example for decision in decisions))
    if len(names) < 2:
        return dict.fromkeys((*GROUPS, BIAS))
    row = {name: number for number, name in enumerate(names)}
    counted = ("tp", "fp", "fn")
    counts = np.zeros((len(names), len(GROUPS), len(counted)))
    for decision in decisions:
        for number, group in enumerate(GROUPS):
            if group in ("overall", decision.gender) and decision.outcome in counted:
                counts[row[decision.example], number, counted.index(decision.outcome)] += 1
    flat = counts.reshape(len(names), -1)
    drawn = bootstrap_weights(plan.seed, len(names), plan.resamples, flat.shape[1])
    sums = np.concatenate([weights @ flat for weights in drawn]).reshape(-1, len(GROUPS), len(counted))
    tp, fp, fn = (sums[..., number] for number in range(len(counted)))
    f1s: Numeric = f1(ratio(tp, tp + fn), ratio(tp, tp + fp))  # type: ignore[arg-type]  # arrays
    scores = dict(zip(GROUPS, f1s.T, strict=True))
    defined = (scores["feminine"] > 0) & (scores["masculine"] > 0)
    bias = scores["feminine"][defined] / scores["masculine"][defined]
    counting: Numeric = sums.any(axis=-1)  # a sample may have no example of a group
    scores = {group: of[counting[:, number]] for number, (group, of) in enumerate(scores.items())} | {BIAS: bias}
    ends = [(1 - plan.level) / 2, (1 + plan.level) / 2]
    return {
        name: Interval(*np.quantile(values, ends).tolist()) if len(values) else None
        for name, values in scores.items()
    }


def score_gap(
    request: Request, key: Path, response: Path, gap: str, plan: Plan, progress: Progress | None
) -> GapReport:
    """Score a response to GAP: a table of decisions, or a clustering of the texts."""
    warnings = Warnings()
    with closing(Source.open(path_name(key))) as source:
        examples = list(GapReader(source, warnings, "key").examples())
        if not examples:
            source.refuse("holds no example", "is it a file of GAP?")
    with closing(Source.open(path_name(response))) as source:
        beginning = source.read(source.start, min(source.size, source.start + GLANCE)).decode("utf-8", "replace")
        is_table = request.formats[1] is None and LOOKS_LIKE_DECISIONS.match(beginning) is not None
        decided: Decisions = read_decisions(source, warnings) if is_table else {}
    if not is_table:
        decided = decisions_of_clusters(request, key, response, examples, gap, warnings, progress)
    known = {example.name for example in examples}
    if foreign := [name for name in decided if name not in known]:
        message = f"{amount(len(foreign), 'example')} not in the key: left out; the first is {foreign[0][:60]!r}"
        warnings.add("foreign", path_name(response), 0, message)
    decisions = [
        Decision(
            example.name,
            name,
            GENDERS.get(example.pronoun.lower(), "other"),
            corefers,
            decided.get(example.name, {}).get(name),
        )
        for example in examples
        for name, corefers in example.corefers.items()
    ]
    if missing := sum(decision.response is None for decision in decisions):
        message = f"{missing:,} of {len(decisions):,} decisions missing: each counts as a false negative"
        warnings.add("missing", path_name(response), 0, message)
    if others := sum(decision.gender == "other" for decision in decisions) // 2:
        message = f"{amount(others, 'pronoun')} neither feminine nor masculine: in the overall figures only"
        warnings.add("gender", path_name(key), 0, message)
    files = path_name(key), path_name(response)
    return GapReport(decisions, plan, "table" if is_table else gap, files, list(warnings))


def decisions_of_clusters(
    request: Request,
    key: Path,
    response: Path,
    examples: Sequence[GapExample],
    gap: str,
    warnings: Warnings,
    progress: Progress | None = None,
) -> Decisions:
    """The decisions that a clustering of the texts makes."""
    corpus = open_corpus(request, key, response, warnings)
    decided: dict[str, dict[str, bool | None]] = {}
    for number, (example, pair) in enumerate(zip(examples, iter_pairs(request, corpus), strict=True)):
        if progress:
            progress(number, len(examples), example.name)
        mentions = sorted([mention for entity in pair.key.entities for mention in entity], key=mention_order)
        if len(mentions) < len(example.spans):
            message = f"document {example.name!r}: the pronoun and the names are not three mentions over these words"
            hint = "the words of the response are too coarse"
            raise InputError(message, path=pair.key.path, line=example.line, hint=hint)
        in_order = sorted(example.spans, key=lambda name: (example.spans[name][0], -example.spans[name][1]))
        placed = dict(zip(in_order, mentions, strict=True))
        pronoun = placed.pop("Pronoun")
        decided[example.name] = {name: _are_linked(pair.response, pronoun, placed[name], gap) for name in ("A", "B")}
    return decided


def _are_linked(response: Document, pronoun: Mention, name: Mention, gap: str) -> bool:
    """Whether an entity has the pronoun, and another mention that is the name."""
    words, places = pronoun.positions, {*name.positions}

    def is_name(mention: Mention) -> bool:
        found = mention.positions
        if found == words:
            return False
        return found == name.positions if gap == "exact" else not places.isdisjoint(found)

    return any(
        any(mention.positions == words for mention in entity) and any(map(is_name, entity))
        for entity in response.entities
    )
