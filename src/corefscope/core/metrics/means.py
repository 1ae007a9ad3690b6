"""mean(a,b,…): the arithmetic mean of the F1 of some metrics (of a measure of one number, its value)

Each metric has the same weight, and its score is taken unrounded. Documents are pooled before: the mean is that of
the pooled scores. It has no recall and precision. Parts are metrics of the catalogue, ``conll`` among them, of which
1 is perfect; a mean inside a mean is refused, because its parts would weigh less than the others.

Popescu-Belis (2000), section 4.1, averages several measures to make a verdict more reliable.

>>> from corefscope import score_clusters
>>> key, response = [["a", "b", "c"]], [["a", "b"], ["c"]]
>>> round(score_clusters(key, response, metrics="mean(muc,lea)")["mean(muc,lea)"].f1, 4)
0.5556
"""

from __future__ import annotations

from collections.abc import Mapping

from ..errors import OptionError
from ..naming import split_names
from ..numbers import F1, AnyScore, Counts, Score, Value, headline, mean
from .base import Applicability, Conventions, EngineSupport, Metric, Scale, elementwise


def _no_counts(_: object) -> Counts:
    return ()


@elementwise
def _mean_of_parts(parts: list[AnyScore], _: Conventions) -> F1 | Value:
    figure = mean(map(headline, parts))
    return F1(figure) if all(isinstance(part, Score | F1) for part in parts) else Value(figure)


def mean_of(*parts: Metric) -> Metric:
    """The row of a mean, which follows from its parts."""
    names, titles = [part.name for part in parts], ", ".join(part.title for part in parts)
    each_entity = [
        f"has {part.title}, which {part.engines.each_entity}" for part in parts if part.engines.each_entity
    ]
    return Metric(
        name=f"mean({','.join(names)})",
        title=f"mean({titles})",
        summary=f"mean of {titles}",
        cite="popescu-belis-2000",
        definition=__doc__,
        reads="scores",
        fields=(),
        counts=_no_counts,
        score=_mean_of_parts,
        parts=tuple(names),
        note="; ".join(f"{part.title}: {part.note}" for part in parts if part.note),
        scale=Scale(
            range=(mean(part.scale.range[0] for part in parts), 1.0),
            symmetric=all(part.scale.symmetric for part in parts),
        ),
        scope=Applicability(
            needs_words=any(part.scope.needs_words for part in parts),
            needs_empty_nodes=any(part.scope.needs_empty_nodes for part in parts),
            compares_entities=all(part.scope.compares_entities for part in parts),
        ),
        engines=EngineSupport(each_entity=next(iter(each_entity), "")),
    )


def parts_written(name: str) -> str | None:
    """The text inside the brackets of ``mean(…)``; None for other names."""
    return name[5:-1] if name.startswith("mean(") and name.endswith(")") else None


def written_mean(name: str, rows: Mapping[str, Metric]) -> Metric:
    """The row of a mean that is written as ``mean(…)``, of these metrics; OptionError if there is no such mean."""
    parts = [part.strip() for part in split_names(parts_written(name) or "")]
    if any(parts_written(part) is not None for part in parts):
        raise OptionError(f"{name} has a mean for a part: name the metrics themselves")
    unknown = [part for part in parts if part not in rows]
    if unknown:
        raise OptionError.unknown("metric", unknown, rows)
    if len(parts) < 2 or len(set(parts)) < len(parts):
        raise OptionError(f"{name} is no mean: name two metrics or more, each once")
    for row in map(rows.__getitem__, parts):
        if row.scale.perfect != 1:
            raise OptionError(f"{row.title} cannot be part of a mean: {row.scale.perfect:g} is perfect, not 1")
    return mean_of(*map(rows.__getitem__, parts))
