"""Explanations add up to the counts, for every metric and under every rule set."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefscope
from corefscope.analysis.explain import SOURCES, explain_counts
from corefscope.analysis.explanations import explanation_of
from corefscope.analysis.explanations.pieces import Entry, Section, sums, total
from corefscope.compat.conll_counts import chains
from corefscope.core.choices import Rules
from corefscope.core.document import Document
from corefscope.core.errors import OptionError
from corefscope.core.matching.alignment import Alignment, Side
from corefscope.core.metrics import METRICS
from corefscope.core.metrics.base import Explanation, Metric
from corefscope.core.options import CHOICES, Options
from corefscope.core.steps import align, count
from examples import examples
from strategies import Clusters, pairs, repeated, small_documents

RULES = sorted(corefscope.RULES)
COUNTED = [metric for metric in METRICS.values() if metric.reads not in ("scores", "relations")]
options = st.builds(Options, **{name: st.sampled_from(choices) for name, choices in CHOICES.items()})


def _assert_adds_up(alignment: Alignment, metric: Metric, rules: Rules) -> None:
    sections = explain_counts(alignment, metric, rules)
    (counts,) = count(alignment, [metric], Options(rules=rules))
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


@examples(70)
@given(small_documents(), small_documents(), options)
def test_what_is_shown_adds_up_to_the_counts_of_every_metric(
    key: Document, response: Document, options: Options
) -> None:
    """Zeros, discontinuous mentions, mentions in several entities, and counterparts that are not mutual."""
    alignment = align(key, response, options)
    program = corefscope.RULES[options.rules].program
    for metric in COUNTED:
        if program and metric.name in program.stand_for:
            with pytest.raises(OptionError, match="cannot be explained under the rules"):
                explain_counts(alignment, metric, options.rules)
        else:
            _assert_adds_up(alignment, metric, options.rules)


def _aligned(key: Sequence[Sequence[Any]], response: Sequence[Sequence[Any]]) -> Alignment:
    sides = Side.of_hashables(key), Side.of_hashables(response)
    return Alignment.of_pairs(*sides, [sides[1].numbers.get(mention, -1) for mention in sides[0].mentions])


@examples(40)
@given(small_documents(), small_documents(), options)
def test_a_metric_without_an_explanation_of_its_own_is_shown_by_components(
    key: Document, response: Document, options: Options
) -> None:
    """Every metric that adds over connected components can be; they need not name an explanation."""
    alignment = align(key, response, options)
    for metric in COUNTED:
        if metric.name == "mentions" and not alignment.mutual:
            continue  # pairs of the official rules, which entities do not show: its own explanation lists them
        if metric.engines.adds_over_components:
            plain = metric._replace(explanation=Explanation())
            sections = explanation_of(plain)(SOURCES[metric.reads](alignment))  # type: ignore[misc]
            counts = count(alignment, [metric], Options())[0]
            assert not any(isinstance(number, Fraction) for number in counts), "exact values must not be remembered"
            shown = sums(sections, len(metric.fields))
            assert list(map(float, shown)) == pytest.approx(list(map(float, counts)), abs=1e-9), metric.name


def test_a_metric_without_an_explanation_and_components_is_shown_by_its_counts() -> None:
    alignment = _aligned([["a", "b"], ["c"]], [["a", "b", "c"]])
    for name in ("blanc", "adjusted_rand", "kappa"):
        metric = METRICS[name]._replace(explanation=Explanation())
        _assert_adds_up(alignment, metric, "corrected")
        assert len(explain_counts(alignment, metric, "corrected")[0].entries) == 1


def test_a_metric_of_the_alignment_without_an_explanation_cannot_be_explained() -> None:
    zeros = METRICS["zero"]._replace(explanation=Explanation())
    assert explanation_of(zeros) is None
    with pytest.raises(OptionError, match="has no explanation"):
        explain_counts(_aligned([["a", "b"]], [["a", "b"]]), zeros, "corrected")


@examples(80)
@given(st.one_of(pairs, st.tuples(repeated, repeated)), st.sampled_from(RULES))
def test_what_is_shown_of_clusters_adds_up(pair: tuple[Clusters, Clusters], rules: str) -> None:
    """Mentions that only one side has, and mentions that stand several times."""
    alignment = _aligned(*pair)
    for metric in COUNTED:
        if not metric.scope.needs_words:
            _assert_adds_up(alignment, metric, rules)  # type: ignore[arg-type]


Link = frozenset[str]


def _links(side: Clusters) -> tuple[set[Link], set[Link]]:
    """The pairs of one cluster, and those of two."""
    together = {frozenset(link) for cluster in side for link in combinations(cluster, 2)}
    return together, {frozenset(link) for one, other in combinations(side, 2) for link in product(one, other)}


@examples(150)
@given(pairs)
def test_links_are_right_wrong_missing_or_spurious(pair: tuple[Clusters, Clusters]) -> None:
    """Found again from sets of links; and those that are listed are these."""
    alignment = _aligned(*pair)
    mentions = [{mention for cluster in side for mention in cluster} for side in pair]
    names = alignment.key.mentions, alignment.response.mentions
    for rules in RULES:
        sections = explain_counts(alignment, METRICS["blanc"], rules)
        for section, key, response in zip(sections, *map(_links, pair), strict=False):
            expected = [
                key & response,
                {link for link in key - response if link <= mentions[1]},
                {link for link in key - response if not link <= mentions[1]},
                {link for link in response - key if link <= mentions[0]},
                {link for link in response - key if not link <= mentions[0]},
            ]
            for entry, links in zip(section.entries, expected, strict=True):
                listed = {frozenset(names[side][number] for side, number in piece.mentions) for piece in entry.pieces}
                assert listed == links, (rules, section.title, entry.name)
                assert {term.value for term in entry.terms if term} == {len(links)}


@examples(150)
@given(repeated, repeated)
def test_links_of_mentions_that_repeat_are_sets_under_the_rules_of_conll(key: Clusters, response: Clusters) -> None:
    """A mention of the key in two clusters is linked and not linked; of the response, where it occurs first."""
    alignment = _aligned(key, response)
    spurious = len(alignment.key.mentions)
    names = [*alignment.key.mentions, *(f"+{mention}" for mention in alignment.response.mentions)]
    sides = [[[names[m] for m in chain] for chain in side] for side in chains(alignment)]
    assert all(name.startswith("+") == (n >= spurious) for n, name in enumerate(names))
    mentions = [{mention for chain in side for mention in chain} for side in sides]
    sections = explain_counts(alignment, METRICS["blanc"], "conll-8.01")
    for section, mine, its in zip(sections, *map(_links, sides), strict=False):
        missing = sum(not link <= mentions[1] for link in mine - its)
        extra = sum(not link <= mentions[0] for link in its - mine)
        expected = [len(mine & its), len(mine - its) - missing, missing, len(its - mine) - extra, extra]
        shown = [next(term.value for term in entry.terms if term) for entry in section.entries]
        assert shown == expected
