"""The registry of metrics: one row each, in the order in which reports show them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..errors import OptionError
from ..naming import listed_names, split_names
from ..registry import Registry, load
from .base import Metric
from .means import parts_written, written_mean

OFFICIAL: dict[str, tuple[str, ...]] = {
    "muc": ("muc",),
    "b_cubed": ("bcub",),
    "ceaf": ("ceafe", "ceafm"),
    "blanc": ("blanc",),
    "lea": ("lea",),
    "overlap": ("mor",),
    "anaphors": ("zero",),
    "mentions": ("mentions",),
    "conll": ("conll",),
}
"""The modules of the official metrics, and the names of the rows in their ``ROWS``."""


class MetricRegistry(Registry[Metric]):
    """Metrics in the order in which reports show them.

    Only rows are listed and counted; ``mean(muc,lea)`` and ``major_macro(10)`` can be looked up all the same.
    """

    def __getitem__(self, name: str) -> Metric:
        if not name.endswith(")"):
            return super().__getitem__(name)
        if _has_settings(name):
            row: Metric = load(WITH_SETTINGS[name.partition("(")[0]])(name)
            return row
        return super().__getitem__(name) if parts_written(name) is None else written_mean(name, self)

    def __contains__(self, name: object) -> bool:
        if not isinstance(name, str) or (parts_written(name) is None and not _has_settings(name)):
            return super().__contains__(name)
        try:
            return bool(self[name])
        except OptionError:
            return False


WITH_SETTINGS: dict[str, str] = {}
"""The metrics whose name may be followed by settings in brackets, and what makes the row, ``module:FUNCTION``."""


def _has_settings(name: str) -> bool:
    return name.endswith(")") and name.partition("(")[0] in WITH_SETTINGS


METRICS = MetricRegistry(
    lazy={name: f"{__name__}.{module}:ROWS" for module, names in OFFICIAL.items() for name in names},
    entry_points="corefscope.metrics",
)
"""The official metrics, then those of capabilities (``corefscope/capabilities.py``). Other packages add metrics by
entry points of the group ``corefscope.metrics`` that name a :class:`Metric`."""
MEANS = ["conll"]
"""The metrics that are means of others."""
OPTIONAL: set[str] = set()
"""Metrics of annotation layers that files may not have (``Applicability.witness``)."""
GROUPS: dict[str, tuple[str, ...]] = {
    "corefud": ("muc", "bcub", "ceafe", "ceafm", "blanc", "lea", "mor", "zero", "mentions", "conll"),
    "conll": ("muc", "bcub", "ceafe", "conll"),
    "conll12": ("muc", "bcub", "ceafm", "ceafe", "blanc", "mentions", "conll"),
    "paper": ("muc", "bcub", "ceafe", "lea", "conll"),
}
"""Names that stand for several metrics."""


def aliases() -> dict[str, str]:
    """The names of metrics in other programs, and here; ambiguous ones too."""
    return {alias: metric.name for metric in METRICS.values() for alias in (*metric.aliases, *metric.hints)}


def metric_name(name: str) -> str:
    """The name in the registry of a metric that may have another name elsewhere; unknown names are not changed.

    >>> metric_name("B3"), metric_name("CEAF_e"), metric_name("mean(muc, b3)"), metric_name("lae")
    ('bcub', 'ceafe', 'mean(muc,bcub)', 'lae')
    """
    name = name.strip().lower()
    if (parts := parts_written(name)) is not None:
        return METRICS[f"mean({','.join(map(metric_name, split_names(parts)))})"].name
    if _has_settings(name):
        return METRICS[name].name
    if name in GROUPS or name in METRICS:
        return name
    return next((metric.name for metric in METRICS.values() if name in metric.aliases), name)


def checked_metric(name: str) -> str:
    """The name in the registry of one metric; OptionError with suggestions if there is none."""
    known = metric_name(name) if isinstance(name, str) else name
    OptionError.check("metric", known, METRICS, aliases() if known not in METRICS else {})
    return known


def select(names: str | Iterable[str], optional: bool = False) -> tuple[str, ...]:
    """Parse metrics: a name, a group, a mean, a comma-separated string or a list of these.

    ``optional`` includes metrics of annotation layers that files may not have; a report leaves them out if absent.

    >>> select("conll"), select("lea,muc"), select(["conll", "lea"])
    (('muc', 'bcub', 'ceafe', 'conll'), ('lea', 'muc'), ('muc', 'bcub', 'ceafe', 'conll', 'lea'))
    >>> select("muc,mean(muc, LEA)")
    ('muc', 'mean(muc,lea)')
    """
    listed = [metric_name(name) for name in listed_names("metrics", names)]
    unknown = [name for name in listed if name not in GROUPS and name not in METRICS]
    if unknown or not listed:
        raise OptionError.unknown("metric", unknown or [""], dict.fromkeys([*GROUPS, *METRICS]), aliases())
    members = [(name, member) for name in listed for member in GROUPS.get(name, (name,))]
    left_out = () if optional else OPTIONAL
    return tuple(dict.fromkeys(member for name, member in members if name == member or member not in left_out))


def with_means(names: Iterable[str]) -> tuple[str, ...]:
    """These metrics, and the means all of whose parts are among them.

    >>> with_means(["ceafe", "bcub", "muc"])
    ('ceafe', 'bcub', 'muc', 'conll')
    """
    names = dict.fromkeys(names)
    has_optional = not OPTIONAL.isdisjoint(names)
    candidates = [name for name in MEANS if has_optional or name not in OPTIONAL]
    means = [name for name in candidates if names.keys() >= {*METRICS[name].parts}]
    return tuple(dict.fromkeys([*names, *means]))


def groups_of(name: str) -> list[str]:
    """The groups that a metric belongs to, besides ``all``.

    >>> groups_of("muc"), groups_of("kappa")
    (['corefud', 'conll', 'conll12', 'paper'], ['popescu-belis'])
    """
    return [group for group, members in GROUPS.items() if name in members and group != "all"]


def headline_metric(names: Sequence[str]) -> str:
    """The metric to show where only one is shown: CoNLL if it is there, else the first.

    >>> headline_metric(["muc", "conll"]), headline_metric(["lea", "muc"])
    ('conll', 'lea')
    """
    return next((name for name in names if METRICS[name].scale.headline), names[0])


def headline_first(names: Iterable[str]) -> list[str]:
    """Metrics in the order of tables: the headline metric, then the others as they are.

    >>> headline_first(["muc", "lea", "conll"]), headline_first([])
    (['conll', 'muc', 'lea'], [])
    """
    names = list(names)
    return list(dict.fromkeys([headline_metric(names), *names])) if names else []


def paper_metrics(names: Sequence[str]) -> list[str]:
    """The columns of a table for a paper, the headline metric first.

    Of a whole group with CoNLL in it, those of the group ``paper``; metrics that are named one by one all stay.

    >>> paper_metrics(select("corefud,kappa")), paper_metrics(select("blanc,muc"))
    (['conll', 'muc', 'bcub', 'ceafe', 'lea', 'kappa'], ['blanc', 'muc'])
    """
    whole = [members for members in GROUPS.values() if "conll" in members and {*members} <= {*names}]
    left_out = {member for members in whole for member in members}.difference(GROUPS["paper"])
    kept = [name for name in names if name not in left_out]
    return headline_first(kept)


def counted(names: Iterable[str]) -> tuple[Metric, ...]:
    """The metrics whose counts are needed for these: of a mean, its parts."""
    return tuple({leaf.name: leaf for name in names for leaf in _leaves(METRICS[name])}.values())


def _leaves(metric: Metric) -> list[Metric]:
    return [leaf for part in metric.parts for leaf in _leaves(METRICS[part])] if metric.parts else [metric]
