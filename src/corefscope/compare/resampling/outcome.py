"""What is asked of a resampling, and what comes out of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any, NamedTuple, Protocol, TypedDict, TypeVar

from ...core.errors import OptionError
from ...core.naming import check_values

Value = TypeVar("Value")

FEW = 6
"""With fewer documents no p-value of the randomisation test can be below .05: 2 of 2⁵ outcomes are .0625."""
ENOUGH = 20
"""With fewer documents, intervals contain the true value noticeably less often than they say."""
LEAST_RESAMPLES = 100
MOST_RESAMPLES = 1_000_000


class Plan(NamedTuple):
    """How to resample. Its string belongs into the signature of what is reported.

    >>> str(Plan(seed=7))
    'resamples:10000|seed:7|level:0.95|test:randomisation'
    """

    resamples: int = 10_000
    seed: int = 0
    level: float = 0.95
    """How often an interval should contain the true value."""
    test: str = "randomisation"

    def __str__(self) -> str:
        return "|".join(f"{name}:{value}" for name, value in self._asdict().items())

    def checked(self) -> Plan:
        """The same plan, once it is known to make sense."""
        check_values({"resamples": self.resamples, "seed": self.seed})
        if not isinstance(self.level, Real):
            raise OptionError(f"level is a number between 0 and 1, not {self.level!r:.60}")
        if self.resamples < LEAST_RESAMPLES:
            raise OptionError(f"{self.resamples} resamples are too few: take at least {LEAST_RESAMPLES}")
        if self.resamples > MOST_RESAMPLES:
            raise OptionError(f"{self.resamples:,} resamples are too many: take at most {MOST_RESAMPLES:,}")
        if self.seed < 0:
            raise OptionError(f"the seed is {self.seed}, but must not be negative")
        if not 0 < self.level < 1:
            raise OptionError(f"the level of an interval must be between 0 and 1, such as 0.95, not {self.level}")
        return self


DEFAULT = Plan()


class PlanArguments(TypedDict, total=False):
    """The fields of a plan, as keyword arguments."""

    resamples: int
    seed: int
    level: float
    test: str


class Interval(NamedTuple):
    """A percentile interval."""

    low: float
    high: float


def headline_of(figures: Mapping[str, Value]) -> Value:
    """What there is of F1, or else of the value, from what there is of each figure of a metric."""
    return figures["f1" if "f1" in figures else "value"]


class Difference(NamedTuple):
    """How much higher a system scores than the baseline: F1, or the value of a metric that has no F1."""

    difference: float
    """The pooled score of the system minus that of the baseline."""
    interval: Interval
    """From bootstrap resamples of documents, the same for both systems."""
    p: float
    """How often a difference at least as large, in either direction, comes about if the systems are equally good."""
    adjusted: float
    """The same after Holm's correction for the number of systems that were compared with the baseline."""
    exact: bool
    """Whether p was counted over all possibilities instead of a sample of them."""
    detectable: float
    """The true difference that a test at the same level would find four times in five, with these documents."""


class Results(dict[str, Value]):
    """Results by metric; ``cautions`` says what must be kept in mind with them."""

    def __init__(self, by_metric: dict[str, Value], cautions: tuple[str, ...]) -> None:
        super().__init__(by_metric)
        self.cautions = cautions


class Study(NamedTuple):
    """Several systems with their intervals, and their differences from one of them."""

    plan: Plan
    documents: int
    baseline: str
    """The system that the others are compared with."""
    intervals: dict[str, Results[dict[str, Interval]]]
    """By system, metric and figure (recall, precision, f1, value)."""
    differences: dict[str, Results[Difference]]
    """By system and metric; the baseline is not among them."""
    cautions: tuple[str, ...]


class PValue(NamedTuple):
    """A p-value, and whether it was counted over all possibilities."""

    p: float
    exact: bool


PValues = list[list[PValue]]
"""Systems but the first × metrics."""
Figures = dict[str, dict[str, Any]]
"""By metric and figure (recall, precision, f1, value) those of every resample, in whatever a resampler holds them."""


class Resampler(Protocol):
    """What a study asks of the rows of counts of several systems, of which the first is the baseline."""

    names: Sequence[str]
    documents: int

    def bootstrap(self, plan: Plan) -> list[Figures]:
        """The figures of each system in each resample."""

    def minus(self, values: Any, others: Any) -> Any:
        """The difference of two figures in each resample."""

    def interval(self, values: Any, level: float) -> Interval:
        """What lies between the (1 − level)/2 quantile and its mirror, interpolated."""

    def spread(self, values: Any) -> float:
        """The standard deviation."""

    def p_values(self, plan: Plan, observed: list[list[float]], resampled: list[list[Any]]) -> PValues:
        """Of the differences from the baseline, which are as observed, and as resampled."""

    def counting(self) -> dict[str, int]:
        """In how many documents each metric has anything to count, in some system."""


def cautions(documents: int, counting: dict[str, int]) -> tuple[str, ...]:
    """What must be said of so few documents; ``counting`` has how many have anything to count for each metric."""
    messages = []
    if documents < ENOUGH:
        least = f", and no p-value of a randomisation test can be below {2 * 0.5**documents:g}"
        messages.append(f"only {documents} documents: intervals are too narrow{least if documents < FEW else ''}")
    if documents >= FEW:
        messages += [
            f"{name}: only {count} of {documents} documents {'has' if count == 1 else 'have'} anything to count"
            for name, count in counting.items()
            if 0 < count < FEW
        ]
    return tuple(messages)
