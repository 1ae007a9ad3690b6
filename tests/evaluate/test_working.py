"""What is worked out by hand adds up to the counts, for every metric and under every rule set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import corefscope
from corefscope.base.document import Document
from corefscope.base.errors import OptionError
from corefscope.count.metrics import METRICS
from corefscope.count.metrics.base import Metric
from corefscope.count.working import working_of
from corefscope.count.working.sections import Entry, Section, sums, total
from corefscope.evaluate.options import CHOICES, Options
from corefscope.evaluate.steps import align, count
from corefscope.evaluate.working import SOURCES, work_out
from corefscope.match.alignment import Alignment, Side
from strategies import Clusters, pairs, repeated, small_documents

RULES = sorted(corefscope.RULES)
COUNTED = [metric for metric in METRICS.values() if metric.reads != "scores"]
options = st.builds(Options, **{name: st.sampled_from(choices) for name, choices in CHOICES.items()})


def _assert_adds_up(alignment: Alignment, metric: Metric, rules: str) -> None:
    sections = work_out(alignment, metric, rules)
    (counts,) = count(alignment, [metric], rules)
    shown = sums(sections, len(metric.fields))
    assert list(map(float, shown)) == pytest.approx(list(map(float, counts)), abs=1e-9), (metric.name, sections)
    for section in sections:
        for entry in section.entries:
            _assert_details_add_up(section, entry)


def _assert_details_add_up(section: Section, entry: Entry) -> None:
    assert len(entry.terms) == len(section.columns)
    for n, term in enumerate(entry.terms):
        details = [detail.terms[n] for detail in entry.entries]
        if term and any(details):
            assert float(total(detail.value for detail in details if detail)) == pytest.approx(float(term.value))


@settings(max_examples=150, deadline=None)
@given(small_documents(), small_documents(), options)
def test_what_is_shown_adds_up_to_the_counts_of_every_metric(
    key: Document, response: Document, options: Options
) -> None:
    """Zeros, discontinuous mentions, mentions in several entities, and counterparts that are not mutual."""
    alignment = align(key, response, options)
    for metric in COUNTED:
        _assert_adds_up(alignment, metric, options.rules)


def _aligned(key: Sequence[Sequence[Any]], response: Sequence[Sequence[Any]]) -> Alignment:
    sides = Side.of_hashables(key), Side.of_hashables(response)
    return Alignment.of_pairs(*sides, [sides[1].numbers.get(mention, -1) for mention in sides[0].mentions])


@settings(max_examples=80, deadline=None)
@given(small_documents(), small_documents(), options)
def test_a_metric_without_a_working_of_its_own_is_shown_by_components(
    key: Document, response: Document, options: Options
) -> None:
    """Every metric that adds over connected components can be; they are the ones that need not name a working."""
    alignment = align(key, response, options)
    for metric in COUNTED:
        if metric.adds_over_components:
            plain = metric._replace(working="")
            sections = working_of(plain)(SOURCES[metric.reads](alignment))  # type: ignore[misc]
            counts = count(alignment, [metric], "corefud-1.2")[0]
            shown = sums(sections, len(metric.fields))
            assert list(map(float, shown)) == pytest.approx(list(map(float, counts)), abs=1e-9), metric.name


def test_a_metric_without_working_and_components_cannot_be_explained() -> None:
    blanc = METRICS["blanc"]._replace(working="")
    assert working_of(blanc) is None
    with pytest.raises(OptionError, match="names no working"):
        work_out(_aligned([["a", "b"]], [["a", "b"]]), blanc, "corrected")


@settings(max_examples=150, deadline=None)
@given(st.one_of(pairs, st.tuples(repeated, repeated)), st.sampled_from(RULES))
def test_what_is_shown_of_clusters_adds_up(pair: tuple[Clusters, Clusters], rules: str) -> None:
    """Mentions that only one side has, and mentions that stand several times."""
    alignment = _aligned(*pair)
    for metric in COUNTED:
        if not metric.needs_words:
            _assert_adds_up(alignment, metric, rules)
