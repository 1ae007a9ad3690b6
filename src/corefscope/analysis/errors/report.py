"""The error report: errors in context, the points they cost, and scores of slices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain, groupby
from typing import ClassVar, NamedTuple

from ...core.document import Mention, Sentence
from ...core.numbers import headline
from ...core.positions import MINOR_MASK, SENTENCE_SHIFT, node_name, runs_of, shown_id
from ...core.report import Report
from ...core.result import Result
from .attribution import RULES, Attribution
from .groups import ErrorGroup, select_grouping
from .kinds import ERROR_KINDS, IDENTITY, DocumentComparison, Error, Mentions, pluralise
from .labels import TypedCounts
from .pairing import AnnotatedSide
from .slices import Slice, Weakness, describe_slice, score_of

SCHEMA = "corefscope-errors-3"
ERROR_FIELDS = (
    *("kind", "zero_kind", "document", "sentence", "path", "line"),
    *("key_entity", "response_entity", "other_entity", "key", "response", "text"),
    *("head", "mention_type", "distance"),
)
LEAST_SHOWN = 0.00005
"""The smallest gain or loss that is not 0.00 points."""
SIDES = ("key", "response", "key_targets", "response_targets")
RELATION_FIELDS = ("key_targets", "response_targets", "label")
GROUP_FIELDS = ("by", "value", "errors", "gain")
SLICE_FIELDS = ("by", "value", "documents", "key_mentions", "response_mentions", "share")


LONGEST_CHAIN = 60  # mentions that are kept of a chain


class Token(NamedTuple):
    """A word, and the mentions that begin before and end after it."""

    place: int
    word: str
    opens: int
    """The number of mentions that begin."""
    closes: tuple[str, ...]
    """The names of the entities whose mentions end."""
    in_focus: bool
    """Whether it belongs to a mention of the error."""


class Chain(NamedTuple):
    """The mentions of an entity, as text, and which of them the error is about."""

    side: str
    name: str
    size: int
    mentions: tuple[tuple[str, bool], ...]
    """Around the first that the error is about, if they are many."""
    before: int
    """The number of mentions that are left out before these."""


class Arrow(NamedTuple):
    """A relation as text: an anaphor and its targets."""

    side: str
    anaphor: str
    targets: tuple[str, ...]
    label: str


class Example(NamedTuple):
    """An error in its context."""

    error: Error
    key: tuple[Token, ...]
    response: tuple[Token, ...]
    chains: tuple[Chain, ...]
    heads: tuple[str, str]
    """The heads in key and response of a mention that has the same words in both; else empty."""
    arrows: tuple[Arrow, ...] = ()
    """The relations of the error."""


class Contexts:
    """The errors of one document in context."""

    def __init__(self, pair: DocumentComparison) -> None:
        self._key = _ShownSide("key", pair.key, pair.pairing.key_members)
        self._response = _ShownSide("response", pair.response, pair.pairing.response_members)

    def example(self, error: Error) -> Example:
        """An error in its context."""
        other_side = ERROR_KINDS[error.kind].other_side
        number = (error.key or error.response)[0].first >> SENTENCE_SHIFT
        tokens: list[tuple[Token, ...]] = []
        chains: list[Chain] = []
        arrows: list[Arrow] = []
        for shown, mentions, targets, entity in (
            (self._key, error.key, error.key_targets, error.key_entity),
            (self._response, error.response, error.response_targets, error.response_entity),
        ):
            entities = shown.entities(entity, error.other_entity if other_side == shown.title else "")
            tokens.append(shown.tokens(number, entities, mentions, targets if error.relation else None))
            chains += [shown.chain(i, targets or mentions) for i in entities]
            if targets:
                anaphor, *others = [shown.side.text(shown.side.in_file(m)) for m in (mentions[0], *targets)]
                arrows.append(Arrow(shown.title, anaphor, tuple(others), error.label))
        key, response = tokens
        return Example(error, key, response, tuple(chains), self._heads(error), tuple(arrows))

    def _heads(self, error: Error) -> tuple[str, str]:
        """The heads of a mention with the same words on both sides: its error is another head."""
        is_span = len(error.key) == len(error.response) == 1 and not (error.other_entity or error.label)
        targets = error.key_targets or error.response_targets
        if not is_span or targets or error.zero or error.key[0].positions != error.response[0].positions:
            return "", ""
        return self._key.side.word(error.key[0].head), self._response.side.word(error.response[0].head)


class _ShownSide:
    """The entities of one side, to be shown."""

    def __init__(self, title: str, side: AnnotatedSide, members: dict[int, list[int]]) -> None:
        self.title, self.side, self._members = title, side, members

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {self.side.name(i): i for i in self._members}

    def entities(self, *names: str) -> list[int]:
        """The numbers of the entities of these names, as far as there are such."""
        return [self._numbers[name] for name in dict.fromkeys(names) if name in self._numbers]

    def chain(self, i: int, focus: tuple[Mention, ...]) -> Chain:
        mentions = [self.side.mention(n) for n in self._members[i]]
        first = next((index for index, mention in enumerate(mentions) if mention in focus), 0)
        start = max(min(first - LONGEST_CHAIN // 2, len(mentions) - LONGEST_CHAIN), 0)
        kept = mentions[start : start + LONGEST_CHAIN]
        texts = tuple((self.side.text(mention), mention in focus) for mention in kept)
        return Chain(self.title, self.side.name(i), len(mentions), texts, start)

    def tokens(
        self, number: int, entities: list[int], focus: Mentions, targets: Mentions | None = None
    ) -> tuple[Token, ...]:
        """The words of the sentence of that number, with brackets of these entities, and of a relation."""
        sentence = next((s for s in self.side.document.sentences if s.number == number), None)
        if sentence is None:
            return ()
        marked = [(self.side.mention(n), self.side.name(i)) for i in entities for n in self._members[i]]
        if targets is not None:
            known = {mention.positions for mention, _ in marked}
            related = map(self.side.in_file, (*focus, *targets))
            marked += [(mention, "") for mention in related if mention.positions not in known]
        positions = shown_positions(sentence, {p for mention, _ in marked for p in mention.positions})
        index = {position: n for n, position in enumerate(positions)}
        opens = [0] * len(positions)
        closes: list[list[tuple[int, str]]] = [[] for _ in positions]
        for mention, name in marked:
            for first, last, label in labelled_runs(mention, name, index):
                opens[first] += 1
                closes[last].append((-first, label))
        in_focus = {position for mention in focus for position in mention.positions}
        names = [tuple(name for _, name in sorted(closing)) for closing in closes]
        words = map(self.side.word, positions)
        return tuple(map(Token, positions, words, opens, names, map(in_focus.__contains__, positions)))


def shown_positions(sentence: Sentence, used: set[int]) -> list[int]:
    """The words of a sentence, and those of its empty nodes that are used."""
    return [position for position in sentence.nodes if not position & MINOR_MASK or position in used]


def labelled_runs(mention: Mention, name: str, index: dict[int, int]) -> Iterator[tuple[int, int, str]]:
    """The first and last word of each unbroken part of a mention, as ``index`` has them, and the name of the part."""
    runs = runs_of(index[position] for position in mention.positions if position in index)
    for part, (first, last) in enumerate(runs, 1):
        yield first, last, name if len(runs) == 1 else f"{name}[{part}/{len(runs)}]"


class _ErrorReportFields(NamedTuple):
    report: Report
    attribution: Attribution
    counts: dict[str, int]
    """Errors by kind, then those of zeros by theirs."""
    by_document: dict[str, dict[str, int]]
    """The same for each document."""
    faults: list[Error]
    """Errors of the requested kinds, in the order of the documents."""
    examples: dict[str, list[Example]]
    """Some of them in context, by kind."""
    slices: dict[str, list[Slice]]
    """By requested dimension."""
    worst: list[Weakness]
    """Of the requested dimensions, or else of all."""
    groups: list[ErrorGroup]
    """Of the requested kinds, by all groupings."""
    group_by: tuple[str, ...]
    """The requested groupings."""
    typed: dict[str, TypedCounts]
    """Scores by class and which classes are confused, of the dimension ``label``."""


class ErrorReport(Result, _ErrorReportFields):
    """Errors of a response, the points they cost, and scores of slices, as :func:`~corefscope.examine` finds them."""

    __slots__ = ()

    NAMES: ClassVar[tuple[str, ...]] = ("class",)

    @property
    def summary(self) -> str:
        """The score, and what the repair of each class gains; ``rules`` only where it is not 0."""
        attribution = self.attribution
        gains = ", ".join(
            [f"{step.kind} {step.gain:.4f} ({self.counts.get(step.kind, 0)})" for step in attribution.steps]
            + [f"rules {attribution.rules:.4f}"] * (abs(attribution.rules) >= LEAST_SHOWN)
        )
        return f"{attribution.metric}={attribution.score:.4f}, lost by {gains}"

    def _flat_records(self) -> list[dict[str, object]]:
        """The cost of each class of errors and of ``rules``, which add up to the lost points; no single errors."""
        steps: list[dict[str, object]] = [
            {"class": step.kind, "errors": self.counts.get(step.kind, 0), "gain": step.gain}
            for step in self.attribution.steps
        ]
        steps.append({"class": RULES, "gain": self.attribution.rules})
        whole = {"class": self.attribution.metric, "score": self.attribution.score, "lost": self.attribution.lost}
        return [whole, *steps]

    @property
    def signature(self) -> str:
        """The signature to quote with the figures."""
        return self.report.signature

    @property
    def verdict(self) -> str:
        """The kind of error that costs most, and the weakest slice, in a sentence."""
        by_cost = self.attribution.by_cost(self.counts)
        if not by_cost:
            if ERROR_KINDS[self.attribution.steps[0].kind].concerns != IDENTITY:
                return "no errors of its kinds"
            return "no errors but in relations" if self.has_relation_faults else "no errors"
        cost = f"{pluralise(ERROR_KINDS[by_cost[0].kind].title)} cost most: {100 * by_cost[0].gain:.2f} points"
        return "; ".join([cost, *(f"weakest: {describe_slice(*part.slice[:2])}" for part in self.worst[:1])])

    @property
    def has_relation_faults(self) -> bool:
        """Whether a relation is wrong."""
        return any(ERROR_KINDS[kind].relation for kind in self.counts)

    @property
    def _error_fields(self) -> tuple[str, ...]:
        return (*ERROR_FIELDS, *RELATION_FIELDS) if self.has_relation_faults else ERROR_FIELDS

    @property
    def columns(self) -> Sequence[str]:
        """The fields of all records, also if there are none."""
        if self.slices:
            return ()
        kinds = [kind for kind in ERROR_KINDS if any(kind in group.kinds for group in self.groups)]
        return (*(GROUP_FIELDS + tuple(kinds) if self.group_by else self._error_fields), "signature")

    def to_records(self, per_document: bool = False) -> list[dict[str, object]]:  # noqa: ARG002
        """One flat record for each slice or group if some were requested, else one for each error."""
        records: list[dict[str, object]] = []
        for part in chain.from_iterable(self.slices.values()):
            records.append({name: getattr(part, name) for name in SLICE_FIELDS})
            for name in part.report:
                low, high = part.intervals.get(name, (None, None))
                records[-1] |= {name: score_of(part.report, name), f"{name}_low": low, f"{name}_high": high}
            if part.by in self.typed:
                records[-1] |= self.typed[part.by].record(part.value)
        for by in self.group_by:
            groups = select_grouping(self.groups, by)
            records += [{name: getattr(group, name) for name in GROUP_FIELDS} | group.kinds for group in groups]
        if self.slices or self.group_by:
            return records
        return [
            {name: getattr(error, name) for name in self._error_fields}
            | {name: " ".join(m) for name, m in _positions(error).items() if name in self._error_fields}
            for error in self.faults
        ]

    def to_dict(self, per_document: bool = True) -> dict[str, object]:  # noqa: ARG002
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
            "faults": [
                {
                    name: value
                    for name, value in {**error._asdict(), **_positions(error)}.items()
                    if error.relation or name not in RELATION_FIELDS
                }
                for error in self.faults
            ],
            "slices": [
                {
                    **{name: getattr(part, name) for name in SLICE_FIELDS},
                    "scores": {name: score_of(part.report, name) for name in part.report},
                    "intervals": {name: list(interval) for name, interval in part.intervals.items()},
                    "metrics": part.report.to_dict()["metrics"],
                }
                for part in chain.from_iterable(self.slices.values())
            ],
            "worst": [
                {
                    "by": weakness.slice.by,
                    "value": weakness.slice.value,
                    "share": weakness.slice.share,
                    **dict(zip(Weakness._fields[1:], weakness[1:], strict=True)),
                }
                for weakness in self.worst
            ],
            **({"typed": {by: typed.to_dict() for by, typed in self.typed.items()}} if self.typed else {}),
            "groups": [group._asdict() for group in self.groups],
            "warnings": list(self.report.warnings),
        }


def _positions(error: Error) -> dict[str, list[str]]:
    """The mentions of both sides: sentences and words, as in 12:3,4,4.1; of mentions that are ids, the ids."""

    def shown(mention: Mention) -> str:
        if not error.sentence:
            return shown_id(mention.head)
        sentences = groupby(mention.positions, key=lambda position: position >> SENTENCE_SHIFT)
        return ",".join(f"{number}:{','.join(map(node_name, positions))}" for number, positions in sentences)

    return {side: [shown(mention) for mention in getattr(error, side)] for side in SIDES}
