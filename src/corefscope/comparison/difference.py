"""Why two scores of the same files differ: a search over all settings for those that produce each figure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from itertools import count, product
from typing import ClassVar, NamedTuple, Unpack

from ..core.document import same_words
from ..core.errors import InputError, OptionError, Warnings
from ..core.matching.transform import SAME_WORDS, with_one_owner, without_repeats
from ..core.metrics import METRICS
from ..core.naming import check_values
from ..core.numbers import headline, mean
from ..core.options import CHOICES, DEFAULTS, OPEN, settings_of
from ..core.pipeline import Scoring
from ..core.positions import MINOR_MASK
from ..core.request import Path, Progress, Request, RequestArguments
from ..core.result import Plain, Result
from ..core.rules import REFERENCE, RULES
from ..core.version import SIGNATURE, __version__
from ..formats.files import reports
from ..formats.mention_warnings import warn_of_inputs
from ..formats.pairs import Pair
from ..formats.reading import iter_pairs, open_corpus
from ..formats.source import refuse_pipes

SCHEMA = "corefscope-explanation-1"
AGGREGATIONS: dict[str, str] = {"micro": "counts pooled over documents", "macro": "mean over documents"}
DUPLICATES: dict[str, str] = {"kept": "as the rules have it", "removed": "each span in one entity only, beforehand"}
MEANINGS: Mapping[str, Mapping[str, str]] = {"aggregation": AGGREGATIONS, "duplicates": DUPLICATES}
"""Settings that are no options, and what their values mean."""
OURS = "ours"
"""The name of the figure under the default settings."""
NOISE = 1e-9
"""Tolerance in points between two computations of the same score."""


class Setting(NamedTuple):
    """A setting that may produce a figure: metric, options and aggregation."""

    metric: str
    match: str
    zeros: str
    singletons: str
    rules: str
    duplicates: str = "kept"
    aggregation: str = "micro"

    def __str__(self) -> str:
        return " ".join(f"{name}:{value}" for name, value in self._asdict().items())

    def differs(self, other: Setting) -> dict[str, tuple[str, str]]:
        """The options in which two settings differ, with both values."""
        values = zip(self._fields, self, other, strict=True)
        return {name: (mine, its) for name, mine, its in values if mine != its}


Settings = tuple[tuple[Setting, float], ...]
"""Settings and the exact values that they lead to."""


@dataclass(frozen=True, repr=False)
class Explanation(Result):
    """The settings that produce each of the figures; ``rows`` has one row for each figure."""

    NAMES: ClassVar[tuple[str, ...]] = ("wanted", *Setting._fields)

    wanted: tuple[str, ...]
    """The figures as they were given; ``ours`` is the one under the default settings."""
    found: tuple[Settings, ...]
    """The settings that produce each figure with their exact values, nearest to the defaults first."""
    nearest: Settings
    """The setting that comes closest to each figure."""
    read_as: tuple[tuple[str, ...], ...]
    """Whether a figure such as 0.73 fits as a ``ratio``, as a ``percentage``, or both; empty for other figures."""
    tried: int
    irrelevant: tuple[str, ...]
    """Settings that make no difference to these files, and why."""
    limit: int = 5
    """Maximum number of settings printed for each figure."""
    warnings: tuple[str, ...] = ()
    """Warnings about files without mentions, or without any in common."""

    @property
    def summary(self) -> str:
        """The number of settings that produce each figure."""
        ways = ", ".join(f"{wanted}: {len(found)}" for wanted, found in zip(self.wanted, self.found, strict=True))
        return f"of {self.tried} ways tried those to {ways}"

    @property
    def signature(self) -> str:
        """The signature to quote; every setting has its own options."""
        return SIGNATURE

    @property
    def rows(self) -> Iterator[tuple[str, Settings, tuple[Setting, float], tuple[str, ...]]]:
        """For each figure its text, the settings that produce it, the nearest setting, and how it was read."""
        return zip(self.wanted, self.found, self.nearest, self.read_as, strict=True)

    @property
    def path(self) -> tuple[Setting, Setting] | None:
        """One setting for each of two figures, with as few differences as possible."""
        if len(self.found) < 2 or not all(self.found):
            return None
        pairs = ((one, other) for (one, _), (other, _) in product(*self.found))
        return min(pairs, key=lambda pair: len(pair[0].differs(pair[1])))

    def to_records(self, per_document: bool = False) -> list[dict[str, object]]:  # noqa: ARG002
        """One flat record for each setting that produces a figure; if there is none, for the nearest one."""

        def numbers(ways: Settings) -> dict[str, object]:
            return {"settings": len(ways), "tried": self.tried}

        return [
            {"wanted": wanted, "fits": bool(ways), **way._asdict(), "value": value, **numbers(ways)}
            for wanted, ways, nearest, _ in self.rows
            for way, value in ways or [nearest]
        ]

    def to_dict(self, per_document: bool = False) -> Plain:  # noqa: ARG002
        """As plain values."""
        path = self.path
        return {
            "schema": SCHEMA,
            "signature": self.signature,
            "version": __version__,
            "tried": self.tried,
            "irrelevant": list(self.irrelevant),
            "meanings": {name: dict(values) for name, values in MEANINGS.items()},
            "figures": [
                {
                    "wanted": wanted,
                    "read_as": list(readings),
                    "ways": [{**way._asdict(), "value": value} for way, value in ways],
                    "nearest": {**nearest[0]._asdict(), "value": nearest[1]},
                }
                for wanted, ways, nearest, readings in self.rows
            ],
            "differs": {name: list(pair) for name, pair in path[0].differs(path[1]).items()} if path else None,
        }


class Figure:
    """A quoted figure: rounded or truncated after some decimals, or not rounded at all."""

    def __init__(self, text: str) -> None:
        self.text: str = text.strip()
        digits = self.text.removesuffix("%").rstrip()
        try:
            value = Decimal(digits)
        except InvalidOperation:
            raise OptionError(f"{text!r} is no number: give a score as it was printed, such as 68.42") from None
        if not value.is_finite() or not -100 <= value <= 200:
            raise OptionError(f"{text} is no score: give a percentage, or a ratio between 0 and 1")
        exponent = value.as_tuple().exponent
        decimals = -int(exponent) if isinstance(exponent, int) else 0
        unit = 10.0 ** -min(max(decimals, 0), 20)
        self.readings: dict[str, tuple[float, float]] = {"percentage": (float(value), unit)}
        """The points that it may mean, and those of its last decimal."""
        if abs(value) <= 1 and decimals > 1 and digits == self.text:
            self.readings = {"ratio": (100 * float(value), 100 * unit), **self.readings}

    def distance(self, ratio: float) -> float:
        """The distance between a ratio and the quoted figure, in points."""
        return min(abs(100 * ratio - points) for points, _ in self.readings.values())

    def fits(self, ratio: float) -> list[str]:
        """The readings under which the ratio, rounded or truncated, is printed like this."""
        fitting = []
        for name, (points, unit) in self.readings.items():
            beyond = 100 * ratio - points if ratio >= 0 else points - 100 * ratio
            if -NOISE <= beyond < unit - NOISE or abs(beyond) <= 0.5 * unit + NOISE:
                fitting.append(name)
        return fitting


def explain_difference(
    figures: Sequence[str | float],
    key: Path,
    response: Path,
    *,
    progress: Progress | None = None,
    **arguments: Unpack[RequestArguments],
) -> Explanation:
    """Search all settings for those that produce one or two figures; a single figure is compared with ours.

    Rule sets are tried with the options that they know, unless their program refuses the files. The files are read
    several times, so pipes are refused.
    ``progress`` is called before each document under each setting. Other arguments are as for ``score``; those that
    are searched for are refused.
    """
    check_values({"progress": progress})
    if not 1 <= len(figures) <= 2:
        raise OptionError(f"{len(figures)} figures: give one or two")
    quoted = [Figure(str(figure)) for figure in figures]
    request = Request(arguments, base=DEFAULTS)
    request.refuse(
        **dict.fromkeys(("preset", *CHOICES), "every value is tried"),
        baseline="quoted figures are measured from 0",
        weights="quoted figures have none",
        windows="quoted figures are of whole texts",
    )
    refuse_pipes((key, response), "it is read several times")
    corpus = open_corpus(request, key, response, Warnings())
    grid, cleanings, irrelevant, documents = _choices(iter_pairs(request, corpus))
    own_options = OPEN.completed([*corpus.inputs[0].formats][:1])
    refused: dict[str, InputError] = {}
    values: dict[Setting, float] = {}
    warnings = Warnings()
    steps, total = count(), documents * len(grid) * len(cleanings)
    for duplicates in cleanings:
        scorings = [Scoring(request.options._replace(**options), request.metrics) for options in grid]
        corpus = open_corpus(request, key, response, Warnings())
        for pair in iter_pairs(request, corpus):
            if duplicates == "removed":
                pair = Pair(*(with_one_owner(without_repeats(side, SAME_WORDS), SAME_WORDS) for side in pair))
            for scoring in scorings:
                if progress:
                    progress(next(steps), total, pair.key.id)
                _score_unless_refused(scoring, pair, refused)
        scorings = [scoring for scoring in scorings if scoring.options.rules not in refused]
        for scoring, report in zip(scorings, reports(request, corpus, scorings), strict=True):
            for name in report:
                way = Setting(name, **settings_of(scoring.options), duplicates=duplicates)
                values[way] = headline(report[name])
                if len(report.documents) > 1:
                    by_document = [headline(scores[name]) for scores in report.documents.values()]
                    values[way._replace(aggregation="macro")] = mean(by_document)
        warnings = Warnings()
        warn_of_inputs(warnings, corpus.inputs, [scoring.sizes for scoring in scorings], drops_singletons=False)
    for name, error in refused.items():
        message = f"rules {name} not tried: {error.message}"
        warnings.add(f"rules {name}", error.path, error.line, message, harmless=True)
    metric = next((name for name in request.metrics if METRICS[name].scale.headline), request.metrics[-1])
    default = Setting(metric, **settings_of(own_options))
    rows = [_explained(figure, values, default) for figure in quoted]
    if len(rows) == 1:
        # Our own figure is of the metric that the other one seems to be.
        metrics = [way.metric for way, value in values.items() if quoted[0].fits(value)]
        own = default if default.metric in metrics or not metrics else default._replace(metric=metrics[0])
        rows.append((OURS, ((own, values[own]),), (own, values[own]), ()))
    texts, ways, nearest, readings = zip(*rows, strict=True)
    return Explanation(texts, ways, nearest, readings, len(values), tuple(irrelevant), warnings=tuple(warnings))


def _explained(
    figure: Figure, values: Mapping[Setting, float], default: Setting
) -> tuple[str, Settings, tuple[Setting, float], tuple[str, ...]]:
    """Its text, the settings that produce it, the nearest one, and the readings that fit if it has several."""
    ways = [(way, value) for way, value in values.items() if figure.fits(value)]
    nearest = min(values.items(), key=lambda item: figure.distance(item[1]))
    fitting = {reading for _, value in ways for reading in figure.fits(value)}
    readings = tuple(name for name in figure.readings if name in fitting) if len(figure.readings) > 1 else ()
    return figure.text, tuple(sorted(ways, key=lambda item: len(item[0].differs(default)))), nearest, readings


def _score_unless_refused(scoring: Scoring, pair: Pair, refused: dict[str, InputError]) -> None:
    """Add a pair to a scoring, or note why the program of its rules stops there; the reference never does."""
    if scoring.options.rules in refused:
        return
    try:
        scoring.score(*pair, None)
    except InputError as error:
        if scoring.options.rules == REFERENCE:
            raise
        refused[scoring.options.rules] = error


def _choices(pairs: Iterable[Pair]) -> tuple[list[Plain], Sequence[str], list[str], int]:
    """The options to try, what to do with duplicates, settings that cannot matter, and the number of documents."""
    has_zeros = has_repeats = False
    documents = 0
    for pair in pairs:
        documents += 1
        for side in pair:
            mentions = [mention for entity in side.entities for mention in entity]
            has_zeros = has_zeros or any(mention.head & MINOR_MASK for mention in mentions)
            has_repeats = has_repeats or len(set(map(same_words, mentions))) < len(mentions)
    grid: list[Plain] = []
    for values in product(*CHOICES.values()):
        options = dict(zip(CHOICES, values, strict=True))
        rules, zeros = RULES[options["rules"]], options["zeros"]
        if rules.knows(options["match"], zeros) and (has_zeros or zeros == rules.zeros[0]):
            grid.append(options)
    irrelevant = []
    if not has_zeros:
        irrelevant.append("zeros: neither file has any")
    if not has_repeats:
        irrelevant.append("duplicates: no span occurs twice")
    if documents == 1:
        irrelevant.append("aggregation: there is only one document")
    return grid, tuple(DUPLICATES) if has_repeats else ("kept",), irrelevant, documents
