"""Why two scores of the same files differ: every combination of settings is tried, and those that fit are named."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

from ..base.document import Document
from ..base.errors import OptionError, Warnings
from ..base.numbers import headline, mean
from ..base.positions import MINOR_MASK
from ..base.version import __version__
from ..count.metrics import headline_metric
from ..evaluate.files import reports
from ..evaluate.options import CHOICES, DEFAULTS, Options
from ..evaluate.presets import settings_of
from ..evaluate.request import Path, Progress, Request, RequestArguments
from ..evaluate.results import Report
from ..evaluate.rules import RULES
from ..evaluate.scoring import Scoring
from ..match.transform import SAME_WORDS, with_one_owner, without_repeats
from ..read.pairs import Pair
from ..read.source import refuse_pipes

if TYPE_CHECKING:
    from typing_extensions import Unpack

SCHEMA = "corefscope-explanation-1"
AGGREGATIONS: dict[str, str] = {"micro": "counts pooled over documents", "macro": "mean over documents"}
DUPLICATES: dict[str, str] = {"kept": "as the rules have it", "removed": "each span in one entity only, beforehand"}
MEANINGS: Mapping[str, Mapping[str, str]] = {"aggregation": AGGREGATIONS, "duplicates": DUPLICATES}
"""Settings that are no options, and what their values mean."""
NOISE = 1e-9
"""How far, in points, two ways to compute the same score may be apart."""


class Way(NamedTuple):
    """One way to arrive at a figure."""

    metric: str
    match: str
    zeros: str
    singletons: str
    rules: str
    duplicates: str = "kept"
    aggregation: str = "micro"

    def __str__(self) -> str:
        return " ".join(f"{name}:{value}" for name, value in self._asdict().items())

    def differs(self, other: Way) -> dict[str, tuple[str, str]]:
        """The settings in which two ways differ, with both values."""
        pairs = zip(self._fields, self, other, strict=True)
        return {name: (ours, theirs) for name, ours, theirs in pairs if ours != theirs}


class Explanation(NamedTuple):
    """What produces each of the figures."""

    wanted: tuple[str, ...]
    """The figures as they were given; ``ours`` is the one under the default settings."""
    found: tuple[tuple[tuple[Way, float], ...], ...]
    """For each of them the ways that lead to it with their exact values, nearest to the defaults first."""
    nearest: tuple[tuple[Way, float], ...]
    """For each of them the way that comes closest."""
    read_as: tuple[tuple[str, ...], ...]
    """Of a figure such as 0.73 whether it fits as a ``ratio``, as a ``percentage``, or both; else empty."""
    tried: int
    irrelevant: tuple[str, ...]
    """Settings that make no difference to these files, and why."""

    @property
    def path(self) -> tuple[Way, Way] | None:
        """One way for each of two figures that have as much in common as can be."""
        if len(self.found) < 2 or not all(self.found):
            return None
        pairs = ((one[0], other[0]) for one, other in product(self.found[0], self.found[1]))
        return min(pairs, key=lambda pair: len(pair[0].differs(pair[1])))

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        path = self.path
        return {
            "schema": SCHEMA,
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
                for wanted, readings, ways, nearest in zip(
                    self.wanted, self.read_as, self.found, self.nearest, strict=True
                )
            ],
            "differs": {name: list(pair) for name, pair in path[0].differs(path[1]).items()} if path else None,
        }


class Figure:
    """A figure as somebody quotes it: rounded, or cut off, after so many decimals; or not rounded at all."""

    def __init__(self, text: str) -> None:
        self.text = text.strip()
        number = self.text.removesuffix("%").rstrip()
        try:
            value = Decimal(number)
        except InvalidOperation:
            raise OptionError(f"{text!r} is no number: give a score as it was printed, such as 68.42") from None
        if not value.is_finite() or not -100 <= value <= 200:
            raise OptionError(f"{text} is no score: give a percentage, or a ratio between 0 and 1")
        exponent = value.as_tuple().exponent
        decimals = -int(exponent) if isinstance(exponent, int) else 0
        unit = 10.0 ** -min(max(decimals, 0), 20)
        self.readings = {"percentage": (float(value), unit)}
        """The points that it may stand for, and those of its last decimal."""
        if abs(value) <= 1 and decimals > 1 and number == self.text:
            self.readings = {"ratio": (100 * float(value), 100 * unit), **self.readings}

    def distance(self, ratio: float) -> float:
        """How far a ratio is from what was quoted, in points."""
        return min(abs(100 * ratio - wanted) for wanted, _ in self.readings.values())

    def fits(self, ratio: float) -> bool:
        """Whether the ratio is printed like this by somebody who rounds, or who cuts off."""
        return bool(self.read_as(ratio))

    def read_as(self, ratio: float) -> list[str]:
        """The readings under which it is."""
        return [name for name, (wanted, unit) in self.readings.items() if _is_printed(100 * ratio, wanted, unit)]


def _is_printed(value: float, wanted: float, unit: float) -> bool:
    beyond = value - wanted if value >= 0 else wanted - value
    return -NOISE <= beyond < unit - NOISE or abs(beyond) <= 0.5 * unit + NOISE


def explain_difference(
    figures: Sequence[str | float],
    key: Path,
    response: Path,
    *,
    progress: Progress | None = None,
    **arguments: Unpack[RequestArguments],
) -> Explanation:
    """Search all settings for those that produce one or two figures; of one, also how it differs from ours.

    Rule sets are tried with the matches that they know. The files are read several times, so pipes are refused.
    ``progress`` is called before each document under each setting. Other arguments are as for ``score``; those that
    are searched for are refused.
    """
    if not 1 <= len(figures) <= 2:
        raise OptionError(f"{len(figures)} figures: give one or two")
    wanted = [Figure(str(figure)) for figure in figures]
    request = Request(arguments)
    request.refuse(
        **dict.fromkeys(("preset", *CHOICES), "every value is tried"),
        baseline="figures that people quote are measured from 0",
    )
    names = request.metrics
    refuse_pipes((key, response), "it is read several times")
    choices, irrelevant, documents = _choices(request.pairs(request.corpus(key, response, Warnings())))
    several = choices.pop("duplicates")
    grid = _grid(choices)
    values: dict[Way, float] = {}
    steps = _steps(documents * len(grid) * len(several), progress)
    for duplicates in several:
        scorings = [Scoring(request.options._replace(**way), names) for way in grid]
        corpus = request.corpus(key, response, Warnings())
        for pair in request.pairs(corpus):
            if duplicates == "removed":
                pair = Pair(*(with_one_owner(without_repeats(side, SAME_WORDS), SAME_WORDS) for side in pair))
            for scoring in scorings:
                steps(pair.key.id)
                scoring.score(*pair, None)
        for scoring, report in zip(scorings, reports(request, corpus, scorings), strict=True):
            values.update(_figures(scoring.options, duplicates, report))
    ours = Way(headline_metric(names[::-1]), **settings_of(DEFAULTS))
    found = [[(way, value) for way, value in values.items() if figure.fits(value)] for figure in wanted]
    nearest = [min(values.items(), key=lambda item: figure.distance(item[1])) for figure in wanted]
    texts = [figure.text for figure in wanted]
    read_as = [_read_as(figure, ways) for figure, ways in zip(wanted, found, strict=True)]
    if len(wanted) == 1:
        own = _same_metric(found[0], ours, values)
        texts, found, nearest, read_as = [*texts, "ours"], [*found, [own]], [*nearest, own], [*read_as, ()]
    ordered = tuple(tuple(sorted(ways, key=lambda item: len(item[0].differs(ours)))) for ways in found)
    return Explanation(tuple(texts), ordered, tuple(nearest), tuple(read_as), len(values), tuple(irrelevant))


def _read_as(figure: Figure, ways: Sequence[tuple[Way, float]]) -> tuple[str, ...]:
    """The readings that lead to something, of a figure that has several."""
    fitting = {name for _, value in ways for name in figure.read_as(value)}
    return tuple(name for name in figure.readings if name in fitting) if len(figure.readings) > 1 else ()


def _steps(total: int, progress: Progress | None) -> Callable[[str], None]:
    """What is to be called before each document is scored under each setting."""
    numbers = iter(range(total))

    def tell(name: str) -> None:
        if progress:
            progress(next(numbers), total, name)

    return tell


def _same_metric(ways: list[tuple[Way, float]], ours: Way, values: dict[Way, float]) -> tuple[Way, float]:
    """Our own figure, of the metric that the other one seems to be."""
    metrics = dict.fromkeys(way.metric for way, _ in ways)
    if metrics and ours.metric not in metrics:
        ours = ours._replace(metric=next(iter(metrics)))
    return ours, values[ours]


def _choices(pairs: Iterable[Pair]) -> tuple[dict[str, Sequence[str]], list[str], int]:
    """The values that each setting can have, the settings that cannot matter, and how many documents there are."""
    zeros = repeats = False
    documents = 0
    for pair in pairs:
        documents += 1
        zeros = zeros or any(map(_has_zeros, pair))
        repeats = repeats or any(map(_repeats, pair))
    choices: dict[str, Sequence[str]] = {**CHOICES, "duplicates": tuple(DUPLICATES)}
    irrelevant = []
    if not zeros:
        choices["zeros"] = ("dependent",)
        irrelevant.append("zeros: neither file has any")
    if not repeats:
        choices["duplicates"] = ("kept",)
        irrelevant.append("duplicates: no span stands twice")
    if documents == 1:
        irrelevant.append("aggregation: there is only one document")
    return choices, irrelevant, documents


def _has_zeros(document: Document) -> bool:
    return any(mention.head & MINOR_MASK for entity in document.entities for mention in entity)


def _repeats(document: Document) -> bool:
    spans = [mention.positions for entity in document.entities for mention in entity]
    return len(set(spans)) < len(spans)


def _grid(choices: dict[str, Sequence[str]]) -> list[dict[str, str]]:
    """Every combination of options that rule sets know."""
    combinations = [dict(zip(choices, values, strict=True)) for values in product(*choices.values())]
    return [options for options in combinations if options["match"] in RULES[options["rules"]].matches]


def _figures(options: Options, duplicates: str, report: Report) -> Iterable[tuple[Way, float]]:
    several = len(report.documents) > 1
    for name in report:
        way = Way(name, **settings_of(options), duplicates=duplicates)
        yield way, headline(report[name])
        if several:
            values = [headline(scores[name]) for scores in report.documents.values()]
            yield way._replace(aggregation="macro"), mean(values)
