"""Estimates from a sampled key: ratio = Σ w·N / Σ w·D over the entities of the sample

A key that has some entities of a population, each with all its mentions, says nothing about the other mentions of a
response: scored as if it were complete, it makes precision nearly 0. Every precision and recall below is a ratio of
two sums over key entities, so a sample of entities estimates it. For a key entity of k mentions, with n mentions in a
response entity of size r (sums over all response entities), m = Σ n, and M mentions in C entities of the whole
response:

=================  ==========================  ==============================
estimate           N                           D
=================  ==========================  ==============================
pairs, recall      Σ C2(n)                     C2(k)
pairs, precision   Σ C2(n)                     Σ C2(n) + ½ Σ n(r − n)
B³, recall         Σ n²/k                      k
B³, precision      Σ n²/r                      m
B³ by entity, R    (1/k) Σ n²/k                1
B³ by entity, P    (1/k) Σ n²/r                1
clusters, R        1 if some n = k = r         1
clusters, P        the same, times M/C         m
=================  ==========================  ==============================

The weight w of an entity is 1 if entities were sampled at random (``uniform``), 1/k if mentions were, and their
entities completed (``size``), or a number that a column of the key has. With the means a of w·D and b of w·N over the
j entities of the sample,

    estimate = (b/a) · (1 + mean(D/a · (N/b − D/a)) / (j − 1))
    sd       = (b/a) · √(Σ (D/a − N/b)² / (j(j − 1)))

and the interval is the estimate ± 1.96 sd, within 0 and 1. Of one entity there is no sd; if all D are 0, nothing is
known. A key of all entities has the plain score as its uncorrected ratio b/a. As a second opinion, the percentile
interval of b/a over samples with replacement of the entities.

Binette et al. (2022, 2024).
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from functools import partial
from importlib.util import find_spec
from math import fsum, isfinite, sqrt
from typing import ClassVar, NamedTuple, Unpack

from ..core.document import Document
from ..core.errors import InputError, OptionError, Warnings
from ..core.grouping import Group
from ..core.input import Input
from ..core.metrics import metric_name, select
from ..core.naming import check_values, listed_names
from ..core.numbers import in_order
from ..core.options import Options, escaped, unescaped
from ..core.pipeline import Scoring
from ..core.report import Report, Tally
from ..core.request import Path, Progress, Request, RequestArguments
from ..core.result import Plain, Result, how_many_numbers
from ..core.rules import REFERENCE
from ..core.table import Table, tabulate_partition
from ..core.version import __version__
from ..formats.detection import recognised
from ..formats.files import open_files, run
from ..formats.mention_warnings import ARE_SAMPLED, MANY
from ..formats.source import Source, path_name, refuse_pipes
from ..formats.tables.columns import columns_in
from ..formats.tables.reader import WeightReader
from ..formats.tables.rows import entity_names

SCHEMA = "corefscope-sampled-key-1"
UNIFORM, SIZE = "uniform", "size"
PREFIX = "sampled-"
"""How the value of ``key`` in a signature begins; the weights follow."""
NORMAL = 1.96
RESAMPLES, SEED, PERCENTILES = 1000, 0, (2.5, 97.5)
MOST_KINDS = 20_000
"""Entities that differ; with more, resampling takes minutes and the normal interval is as good."""


class SampledEntity(NamedTuple):
    """A key entity and sums over its cells; equal ones are counted together."""

    size: int
    """k"""
    matched: int
    """Σ n"""
    pairs: int
    """Σ C2(n)"""
    crossing: int
    """Σ n(r − n): pairs of its mentions with mentions of other entities that the response makes."""
    squares: int
    """Σ n²"""
    shares: float
    """Σ n²/r"""
    exact: bool
    """Whether a response entity has exactly its mentions."""

    @classmethod
    def of_cells(cls, size: int, cells: Sequence[tuple[int, int]]) -> SampledEntity:
        """From its size and (n, r) of its cells, in any order.

        >>> SampledEntity.of_cells(3, [(2, 2), (1, 4)])
        SampledEntity(size=3, matched=3, pairs=1, crossing=3, squares=5, shares=2.25, exact=False)
        """
        cells = sorted(cells)  # so that floats are added in the same order wherever cells are from
        return cls(
            size,
            sum(n for n, _ in cells),
            sum(n * (n - 1) // 2 for n, _ in cells),
            sum(n * (r - n) for n, r in cells),
            sum(n * n for n, _ in cells),
            in_order([n * n / r for n, r in cells]),
            (size, size) in cells,
        )


Term = Callable[[SampledEntity, float], tuple[float, float]]
"""N and D of an entity, given M/C of the response."""


class Estimator(NamedTuple):
    """One measure: how its recall and its precision are estimated."""

    title: str
    recall: Term
    precision: Term


ESTIMATORS = {
    "pairs": Estimator(
        "Pairs",
        lambda e, _: (e.pairs, e.size * (e.size - 1) / 2),
        lambda e, _: (e.pairs, e.pairs + e.crossing / 2),
    ),
    "bcub": Estimator("B³", lambda e, _: (e.squares / e.size, e.size), lambda e, _: (e.shares, e.matched)),
    "bcub_by_entity": Estimator(
        "B³ by entity", lambda e, _: (e.squares / e.size**2, 1), lambda e, _: (e.shares / e.size, 1)
    ),
    "clusters_exact": Estimator(
        "Clusters", lambda e, _: (e.exact, 1), lambda e, mean_size: (e.exact * mean_size, e.matched)
    ),
}
REFUSED = (
    "a sampled key gives no estimate of {}: MUC counts the pieces of response entities, CEAF maps entities to each"
    " other, BLANC and the Rand indices count pairs that are not linked, and all of these need the entities that the"
    " sample lacks; choose from {}"
)


class Estimate(NamedTuple):
    """An estimated figure; None where the sample has nothing to say."""

    estimate: float | None
    """With bias correction."""
    sd: float | None
    """The standard error."""
    low: float | None
    high: float | None
    """The ends of the 95 % interval: estimate ± 1.96 sd, within 0 and 1."""
    bootstrap_low: float | None
    bootstrap_high: float | None
    uncorrected: float | None
    """Σ w·N / Σ w·D"""


class EstimatedScore(NamedTuple):
    """The estimates of one measure."""

    recall: Estimate
    precision: Estimate


def estimate(terms: Sequence[tuple[float, float]], counts: Sequence[int]) -> tuple[float | None, ...]:
    """Estimate, sd and uncorrected ratio, from w·N and w·D of kinds of entities and how many there are of each.

    >>> estimate([(1, 1.5), (0, 0.5), (0, 1)], [1, 1, 1])
    (0.3888888888888889, 0.2545875386086578, 0.3333333333333333)
    """
    entities = sum(counts)
    b, a = (fsum(count * term[i] for term, count in zip(terms, counts, strict=True)) / entities for i in (0, 1))
    if not a:
        return None, None, None
    if not b:
        return 0.0, None, 0.0
    if entities == 1:
        return b / a, None, b / a
    relative = [(x / b, d / a, count) for (x, d), count in zip(terms, counts, strict=True)]
    bias = fsum(count * d * (x - d) for x, d, count in relative) / entities / (entities - 1)
    variance = fsum(count * (d - x) ** 2 for x, d, count in relative) / entities / (entities - 1)
    return b / a * (1 + bias), b / a * sqrt(variance), b / a


def bootstrap_intervals(
    terms: Sequence[Sequence[float]], counts: Sequence[int]
) -> list[tuple[float, float] | tuple[None, None]]:
    """Percentile intervals of the ratios of sums, resampling rows with replacement.

    Rows are numerator, denominator, numerator, … of the ratios, and ``counts`` how many rows of each kind there are.
    """
    ratios = len(terms[0]) // 2
    if find_spec("numpy") is None or sum(counts) == 1 or len(terms) > MOST_KINDS:  # a browser has no NumPy
        return [(None, None)] * ratios
    import numpy as np

    random, at_once = np.random.default_rng(SEED), max(1, 4_000_000 // len(terms))
    shares = np.array(counts) / sum(counts)
    sums = np.concatenate(
        [
            random.multinomial(sum(counts), shares, min(at_once, RESAMPLES - start)) @ np.array(terms, dtype=float)
            for start in range(0, RESAMPLES, at_once)
        ]
    )
    intervals: list[tuple[float, float] | tuple[None, None]] = []
    for numerators, denominators in zip(sums.T[::2], sums.T[1::2], strict=True):
        known = denominators != 0
        values = numerators[known] / denominators[known]
        low, high = np.percentile(values, PERCENTILES).tolist() if len(values) else (None, None)
        intervals.append((low, high))
    return intervals


def estimate_scores(
    entities: Mapping[tuple[SampledEntity, float], int], response: tuple[int, int], metrics: Sequence[str]
) -> dict[str, EstimatedScore]:
    """The estimates of measures, from the numbers of entities of each kind, and M and C of the response."""
    kinds = sorted(entities.items())  # whatever the order of entities, the bootstrap draws the same
    counts = [count for _, count in kinds]
    mentions, response_entities = response
    mean_size = mentions / response_entities if response_entities else 0
    columns = [
        [tuple([weight * value for value in term(one, mean_size)]) for (one, weight), _ in kinds]
        for name in metrics
        for term in ESTIMATORS[name][1:]
    ]
    rows = [[value for column in columns for value in column[row]] for row in range(len(kinds))]
    estimates = []
    for column, bootstrap in zip(columns, bootstrap_intervals(rows, counts), strict=True):
        value, sd, uncorrected = estimate(column, counts)  # type: ignore[arg-type]  # pairs
        ends = (None, None) if value is None or sd is None else (value - NORMAL * sd, value + NORMAL * sd)
        low, high = (None if end is None else min(1.0, max(0.0, end)) for end in ends)
        estimates.append(Estimate(value, sd, low, high, bootstrap[0], bootstrap[1], uncorrected))
    pairs = zip(estimates[::2], estimates[1::2], strict=True)
    return dict(zip(metrics, map(EstimatedScore._make, pairs), strict=True))


class SampledKeyReport(Result, dict[str, EstimatedScore]):
    """Estimates by measure: ``report["pairs"].precision.estimate``; interval ``.low`` to ``.high``."""

    NAMES: ClassVar[tuple[str, ...]] = ("metric", "figure")

    def __init__(
        self,
        report: Report,
        entities: Mapping[tuple[SampledEntity, float], int],
        response: tuple[int, int],
        sampled_key: str,
        metrics: Sequence[str],
    ) -> None:
        """``entities`` are those of the key with their weights, ``response`` are the numbers M and C."""
        if not entities:
            raise InputError("has no entities, so it is no sample", path=report.inputs[0].name)
        super().__init__(estimate_scores(entities, response, metrics))
        self.sampled_key = sampled_key
        self.metrics: tuple[str, ...] = tuple(metrics)
        self.options: Options = report.options
        self.inputs: tuple[Input, ...] = report.inputs
        mentions, matched = (sum(count * one[i] for (one, _), count in entities.items()) for i in (0, 1))
        self.mentions = mentions
        """How many mentions the sampled entities have."""
        key_is_known = MANY * (mentions - matched) <= mentions  # of a sample, the response has many more mentions
        self.warnings: tuple[str, ...] = tuple(
            text for text in report.warnings if not (key_is_known and ARE_SAMPLED in text)
        )
        self._entities = sum(entities.values())

    @property
    def entities(self) -> int:
        """The number of sampled entities."""
        return self._entities

    @property
    def signature(self) -> str:
        """That of a score, with the weights of the sample."""
        return f"{self.options}|key:{PREFIX}{escaped(self.sampled_key)}|v{__version__}"

    @property
    def summary(self) -> str:
        """The estimates of each measure."""
        shown = [
            f"{name} R={score.recall.estimate or 0:.4f} P={score.precision.estimate or 0:.4f}"
            for name, score in self.items()
        ]
        return f"{self.entities:,} entities: {', '.join(shown)}"

    def to_dict(self, per_document: bool = True) -> Plain:  # noqa: ARG002  (a sample has no documents)
        """As plain values, as the schema ``corefscope-sampled-key-1`` describes them."""
        values = {
            "schema": SCHEMA,
            "signature": self.signature,
            "options": self.options._asdict(),
            "inputs": {side: read.to_dict() for side, read in zip(("key", "response"), self.inputs, strict=True)},
            "weights": self.sampled_key,
            "entities": self.entities,
            "mentions": self.mentions,
            "metrics": {
                name: {figure: one._asdict() for figure, one in score._asdict().items()}
                for name, score in self.items()
            },
            "warnings": list(self.warnings),
        }
        return {**values, "numbers": how_many_numbers(values)}

    def to_records(self, per_document: bool = False) -> list[Plain]:  # noqa: ARG002
        """One flat record for each measure and figure."""
        return [
            {"metric": name, "figure": figure, **one._asdict(), "signature": self.signature}
            for name, score in self.items()
            for figure, one in score._asdict().items()
        ]


def sampled_arguments(arguments: RequestArguments) -> tuple[RequestArguments, tuple[str, ...]]:
    """The arguments of the score behind the estimates, and the names of these; OptionError for what is refused."""
    Request({**arguments, "metrics": None}).refuse(
        baseline="estimates are measured from 0",
        weights="estimates weigh entities by how they were sampled",
        windows="entities were sampled, not parts of them",
        preset="presets drop entities of one mention, which are part of the sample",
    )
    fixed: RequestArguments = {"singletons": "keep", "rules": REFERENCE}
    for name, value in fixed.items():
        if arguments.get(name) not in (None, value):
            raise OptionError(f"{name} {arguments.get(name)!r} cannot be combined with a sampled key: leave it out")
    return {**arguments, **fixed, "metrics": ("pairs",)}, _names(arguments.get("metrics"))


def _names(metrics: str | Sequence[str] | None) -> tuple[str, ...]:
    """The estimates among metrics and groups; other metrics must not be named."""
    if metrics is None:
        return tuple(ESTIMATORS)
    named = [name.strip().lower() for name in listed_names("metrics", metrics)]
    own = [name for name in named if name in ESTIMATORS]
    selected = select([name for name in named if name not in own]) if len(own) < len(named) or not named else ()
    wrong = [name for name in selected if name not in ESTIMATORS and name in map(metric_name, named)]
    names = tuple(name for name in ESTIMATORS if name in own or name in selected)
    if wrong or not names:
        raise OptionError(REFUSED.format(", ".join(wrong or named), ", ".join(ESTIMATORS)))
    return names


def sampled_in(signed: object) -> str:
    """The weights that the part ``key`` of a signature has; empty without this part.

    >>> sampled_in("sampled-uniform"), sampled_in(None)
    ('uniform', '')
    """
    weights = unescaped(str(signed or ""))
    if weights and not weights.startswith(PREFIX):
        raise OptionError(f"the signature has key:{weights[:60]}, which is not key:{PREFIX}{UNIFORM} or the like")
    return weights.removeprefix(PREFIX)


def score_sampled_key(
    key: Path,
    response: Path,
    sampled_key: str = UNIFORM,
    *,
    jobs: int | None = 1,
    progress: Progress | None = None,
    **arguments: Unpack[RequestArguments],
) -> SampledKeyReport:
    """Estimate precision and recall from a key that has a sample of the entities, each with all its mentions.

    The response has the whole population: its entities keep the mentions that the sample does not know.

    Parameters
    ----------
    key, response
        Paths, as for :func:`corefscope.score`.
    sampled_key
        How the sample was drawn: ``uniform`` (entities at random), ``size`` (mentions at random, and all mentions of
        their entities), or the name of a column of the key with the weight of each entity: 1 divided by its chance to
        be in the sample, or a multiple of that.
    metrics
        Some of ``pairs``, ``bcub``, ``bcub_by_entity`` and ``clusters_exact``; by default all.
    jobs, progress, match, documents, …
        As for :func:`corefscope.score`; rules are ``corrected``, and singletons are kept.
    """
    check_values({"sampled_key": sampled_key, "jobs": jobs, "progress": progress})
    scored, names = sampled_arguments(arguments)
    request = Request(scored)
    weights = None if sampled_key in (UNIFORM, SIZE) else read_weights(key, sampled_key, request)
    opened = open_files(request, key, [response], progress, jobs)
    scoring = SampledScoring(opened.request.options, sampled_key, weights)
    ((report,),) = run(opened, [[scoring]])
    return SampledKeyReport(report, scoring.entities, scoring.response, sampled_key, names)


Weights = Mapping[tuple[str, str], float]
"""The weight of each entity, by its document (or what this is joined under) and name."""


class SampledScoring(Scoring):
    """A scoring that also counts the kinds of key entities, and the mentions and entities of the response."""

    def __init__(self, options: Options, sampled_key: str, weights: Weights | None = None) -> None:
        super().__init__(options, ("pairs",))
        self._sampled_key, self._weights = sampled_key, weights
        self.entities: Counter[tuple[SampledEntity, float]] = Counter()
        self.response: tuple[int, int] = 0, 0
        self.another: Callable[[], Scoring] | None = partial(SampledScoring, options, sampled_key, weights)

    def process(self, key: Document, response: Document, warnings: Warnings | None) -> None:
        """Score one document, and add its entities."""
        table: Table | None = self.score_ids(key, response)
        names: Sequence[str] | None = None
        if table is None:
            alignment, _ = self.score(key, response, warnings)
            table = tabulate_partition(alignment)
            if self._weights is not None:
                names = [key.entity_ids[i] for i in dict.fromkeys(alignment.key.owner)]
        elif self._weights is not None:
            names = entity_names(key)
        sizes, others = ([size for size, _ in side.each_entity()] for side in (table, table.T))
        cells: list[list[tuple[int, int]]] = [[] for _ in sizes]
        for i, j, n in table.each_cell():
            cells[i].append((n, others[j]))
        named = names if names is not None else [""] * len(sizes)
        for size, of_entity, name in zip(sizes, cells, named, strict=True):
            self.entities[
                SampledEntity.of_cells(size, of_entity),
                weight_of(self._sampled_key, size, self._weights, key.id, name),
            ] += 1
        self.response = self.response[0] + sum(others), self.response[1] + len(others)

    def merge(self, other: Tally) -> None:
        """Add the later documents of another scoring."""
        super().merge(other)
        assert isinstance(other, SampledScoring)
        self.entities += other.entities
        self.response = self.response[0] + other.response[0], self.response[1] + other.response[1]


def weight_of(sampled_key: str, size: int, weights: Weights | None, document: str, entity: str) -> float:
    """The weight of an entity: 1, 1/k, or that of the column."""
    if weights is not None:
        return weights[document, entity]
    return 1 / size if sampled_key == SIZE else 1.0


def read_weights(path: Path, column: str, request: Request) -> Weights:
    """The weights in a column of a table."""
    refuse_pipes([path], f"weights are in column {column!r}, which is read first", OptionError)
    name = path_name(path)
    if not os.path.isfile(name) or (request.formats[0] or recognised(name, None)) != "table":
        raise OptionError(
            f"{column!r} is not {UNIFORM} or {SIZE}, and the key is not one table with a column of that name"
        )
    columns = columns_in(request.arguments)
    with closing(Source.open(name)) as source:
        reader = WeightReader(source, Warnings())
        reader.select_columns(columns._replace(mention=(column, None)))
        return gather_weights(reader.weights(), column, name, request.group)


def gather_weights(
    rows: Iterable[tuple[str, str, str]], column: str, path: str, group: Group | None
) -> dict[tuple[str, str], float]:
    """The weight of each entity, from document, entity and the text of the weight."""
    weights: dict[tuple[str, str], float] = {}
    for document, entity, text in rows:
        try:
            weight = float(text)
        except ValueError:
            weight = 0
        if not (isfinite(weight) and weight > 0):
            hint = "a weight is 1 divided by the chance that the entity is in the sample"
            raise InputError(f"column {column!r} has {text[:60]!r}: weights are above 0", path=path, hint=hint)
        at = group(document) if group else document, entity
        if weights.setdefault(at, weight) != weight:
            message = f"entity {entity!r} has the weights {weights[at]:g} and {weight:g} in column {column!r}"
            raise InputError(message, path=path, hint="all mentions of an entity have the same weight")
    return weights
