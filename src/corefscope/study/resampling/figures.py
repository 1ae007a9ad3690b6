"""Scores of many rows of pooled counts at once, as arrays: what ``metric.score`` says of each row.

The shapes that most metrics share have array forms, found by their score function. Whatever has none is scored
row by row, so that a new metric needs nothing here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.numbers import AnyScore, Counts, Score
from ...count.metrics import METRICS
from ...count.metrics.base import Conventions, Metric, plain
from ...count.metrics.blanc import BLANC, mean_of_key_links, mean_of_present, with_equal_mentions
from ...count.metrics.conll import CONLL
from ...count.metrics.popescu_belis import one_if_nothing

Array = NDArray[np.float64]
Figures = dict[str, Array]
"""Recall, precision, f1 or value of every row."""
Pooled = Mapping[str, Array]
"""Pooled counts by metric: fields × rows."""


def scores(names: Sequence[str], pooled: Pooled, conventions: Conventions) -> dict[str, Figures]:
    """The figures of each metric."""
    found: dict[str, Figures] = {}
    return {name: _score(name, pooled, conventions, found) for name in names}


def _score(name: str, pooled: Pooled, conventions: Conventions, found: dict[str, Figures]) -> Figures:
    """The figures of one metric, made once; those of its parts are found on the way."""
    if name not in found:
        metric = METRICS[name]
        if metric.parts and metric.score in OF_SCORES:
            parts = [_score(part, pooled, conventions, found) for part in metric.parts]
            found[name] = OF_SCORES[metric.score](parts)
        elif metric.parts:
            found[name] = _row_by_row(metric, [pooled[part] for part in metric.parts], conventions)
        else:
            form = OF_COUNTS.get(metric.score)
            made = form(pooled[name], conventions) if form else None
            found[name] = _row_by_row(metric, [pooled[name]], conventions) if made is None else made
    return found[name]


def above(figures: Figures, baselines: Sequence[Figures]) -> Figures:
    """Every figure measured from the mean of the same figure of the baselines, as ``baselines.above`` does."""
    found = {}
    for name, values in figures.items():
        base = np.mean([baseline[name] for baseline in baselines], axis=0)
        found[name] = ratios(values - base, 1 - base, nothing=values == base)
    return found


def ratios(numerators: Array, denominators: Array, nothing: Any = 0.0) -> Array:
    """The array form of :func:`..counts.ratio`; ``nothing`` may differ from row to row."""
    found = np.empty(np.broadcast(numerators, denominators).shape)
    found[...] = nothing
    return np.divide(numerators, denominators, out=found, where=denominators != 0)


def prf(counts: Sequence[Array], nothing: float = 0.0) -> Figures:
    """The array form of :func:`..counts.prf`."""
    recalled, key, precise, response = counts
    recall, precision = ratios(recalled, key), ratios(precise, response)
    found = {"recall": recall, "precision": precision, "f1": _f1(recall, precision)}
    same = recalled == precise
    if same.any():
        found["f1"] = np.where(same, ratios(2 * recalled, key + response), found["f1"])
    empty = (key == 0) & (response == 0)
    if empty.any():
        found = {name: np.where(empty, nothing, values) for name, values in found.items()}
    return found


def _f1(recall: Array, precision: Array) -> Array:
    return ratios(2 * precision * recall, precision + recall)


def _plain(counts: Array, conventions: Conventions) -> Figures:
    return prf(list(counts), conventions.nothing)


def _one_if_nothing(counts: Array, _: Conventions) -> Figures:
    recall, precision = ratios(counts[0], counts[1], 1.0), ratios(counts[2], counts[3], 1.0)
    return {"recall": recall, "precision": precision, "f1": _f1(recall, precision)}


def _blanc(counts: Array, conventions: Conventions) -> Figures | None:
    form = OF_LINKS.get(conventions.blanc)
    return form(counts) if form else None


def _mean_of_present(counts: Array) -> Figures:
    _, key, response, _, key_non, response_non, _ = counts
    return _mean_of_links(counts, (key != 0) | (response != 0), (key_non != 0) | (response_non != 0))


def _mean_of_key_links(counts: Array) -> Figures:
    return _mean_of_links(counts, counts[1] != 0, counts[4] != 0)


def _mean_of_links(counts: Array, coreference: NDArray[np.bool_], non_coreference: NDArray[np.bool_]) -> Figures:
    """The mean over the kinds of link that are there, row by row."""
    both, key, response, neither, key_non, response_non, _ = counts
    linked, apart = prf((both, key, both, response)), prf((neither, key_non, neither, response_non))
    there, there_non = coreference.astype(float), non_coreference.astype(float)
    return {name: ratios(there * linked[name] + there_non * apart[name], there + there_non) for name in linked}


def _with_equal_mentions(counts: Array) -> Figures:
    _, key, response, _, key_non, response_non, unmatched = counts
    no_links = (key == 0) & (response == 0) & (key_non == 0) & (response_non == 0)
    return {name: np.where(no_links, unmatched == 0, values) for name, values in _mean_of_present(counts).items()}


def _mean_f1(parts: Sequence[Figures]) -> Figures:
    return {"f1": np.mean([part["f1"] for part in parts], axis=0)}


OF_COUNTS: dict[Callable[..., AnyScore], Callable[[Array, Conventions], Figures | None]] = {
    plain: _plain,
    one_if_nothing: _one_if_nothing,
    BLANC.score: _blanc,
}
OF_LINKS: dict[Callable[[Counts], Score], Callable[[Array], Figures]] = {
    mean_of_present: _mean_of_present,
    mean_of_key_links: _mean_of_key_links,
    with_equal_mentions: _with_equal_mentions,
}
OF_SCORES: dict[Callable[..., AnyScore], Callable[[Sequence[Figures]], Figures]] = {CONLL.score: _mean_f1}


def _row_by_row(metric: Metric, pooled: Sequence[Array], conventions: Conventions) -> Figures:
    """Any metric, without an array form: from its own counts, or from those of its parts."""
    rows = zip(*([tuple(row) for row in counts.T.tolist()] for counts in pooled), strict=True)
    if metric.parts:
        parts = [METRICS[part] for part in metric.parts]
        found = [
            metric.score(
                [part.score(counts, conventions) for part, counts in zip(parts, row, strict=True)], conventions
            )
            for row in rows
        ]
    else:
        found = [metric.score(counts, conventions) for (counts,) in rows]
    names = [name for name, value in found[0]._asdict().items() if not isinstance(value, str)]
    return {name: np.array([getattr(score, name) for score in found]) for name in names}
