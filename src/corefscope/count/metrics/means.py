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
from typing import Any

from ...base.errors import OptionError
from ...base.naming import split_names
from ...base.numbers import F1, AnyScore, Counts, Value, headline, mean
from .base import Conventions, Metric, elementwise


def _no_counts(_: object) -> Counts:
    return ()


@elementwise
def _mean_of_parts(parts: list[AnyScore], _: Conventions) -> F1 | Value:
    figure = mean(map(headline, parts))
    return F1(figure) if all(hasattr(part, "f1") for part in parts) else Value(figure)


def mean_of(*parts: Metric, **own: Any) -> Metric:
    """The row of a mean: what is true of it follows from its parts, but for what is its ``own``."""
    names, titles = [part.name for part in parts], ", ".join(part.title for part in parts)
    row = Metric(
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
        symmetric=all(part.symmetric for part in parts),
        range=(mean(part.range[0] for part in parts), 1.0),
        note="; ".join(f"{part.title}: {part.note}" for part in parts if part.note),
        compares_entities=all(part.compares_entities for part in parts),
        needs_words=any(part.needs_words for part in parts),
        needs_empty_nodes=any(part.needs_empty_nodes for part in parts),
        each_entity=next((f"has {part.title}, which {part.each_entity}" for part in parts if part.each_entity), ""),
    )
    return row._replace(**own)


def parts_written(name: str) -> str | None:
    """What stands between the brackets of ``mean(…)``; None if that is not what the name looks like."""
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
        if row.perfect != 1:
            raise OptionError(f"{row.title} cannot be part of a mean: {row.perfect:g} is perfect, not 1")
    return mean_of(*map(rows.__getitem__, parts))
