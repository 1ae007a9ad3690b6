"""What holds for the measures of three papers on random partitions, first of all that they equal their twins.

Popescu-Belis (2000) numbers his propositions; of those, 8 and 13 are named here. The other statements about his
measures are ours, derived from their definitions: each docstring says what is asserted, and no more is claimed.
"""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from itertools import chain, islice
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import corefscope
from corefscope.core.choices import Rules
from examples import examples
from oracles import papers
from oracles.papers import CAI_STRUBE, FIGURES, POPESCU_BELIS, VALUES, completed, nothing_to_count, oracle
from strategies import Clusters, pairs, partitions

NAMES = [*FIGURES, *VALUES]
EVERY_RULE_SET = [name for name in NAMES if name != "blanc"]
EXCLUSIVE = ("xcore", "xcore_strict")
SWAPPING = [name for name in FIGURES if name not in (*CAI_STRUBE, *EXCLUSIVE)] + ["b3_all", "ceaf_orig"]
SPLITS = [name for name in POPESCU_BELIS if name not in EXCLUSIVE]

Sides = tuple[list[list[Hashable]], list[list[Hashable]]]
same_mentions = pairs.map(lambda pair: completed(*pair))
"""Key and response over the same mentions."""
keys = partitions().filter(bool)


def approx(value: Any) -> Any:
    return pytest.approx(value, abs=1e-12)


def scores(key: Any, response: Any, rules: Rules = "corrected") -> Any:
    return corefscope.score_clusters(key, response, metrics=NAMES, rules=rules)


def one_class(key: Clusters) -> Clusters:
    return [list(chain(*key))]


def all_alone(key: Clusters) -> Clusters:
    return [[mention] for mention in chain(*key)]


def of_sizes(sizes: list[int]) -> list[list[int]]:
    numbers = iter(range(sum(sizes)))
    return [list(islice(numbers, size)) for size in sizes]


def as_sets(clusters: Any) -> set[frozenset[Hashable]]:
    return set(map(frozenset, clusters))


def without(mentions: set[Hashable], clusters: list[list[Hashable]]) -> list[list[Hashable]]:
    left = [[mention for mention in cluster if mention not in mentions] for cluster in clusters]
    return [cluster for cluster in left if cluster]


def split(ours: Any, theirs: Any) -> bool:
    """Whether they break one of our classes."""
    return any(not any(set(cluster) <= set(other) for other in theirs) for cluster in ours)


def expected(name: str, documents: papers.Documents, rules: str) -> tuple[float, ...]:
    """The oracle's figures. Nothing against nothing is what the rule set says it is for any metric."""
    if name in CAI_STRUBE and nothing_to_count(name, documents):
        return (corefscope.RULES[rules].conventions.nothing,) * 3
    return tuple(float(figure) for figure in oracle(name, documents))


def figures(name: str, score: Any) -> tuple[float, ...]:
    return (score.recall, score.precision, score.f1) if name in FIGURES else (score.value,)


# Twins


@examples(150)
@given(pairs)
def test_measures_equal_their_set_based_twins(pair: tuple[Clusters, Clusters]) -> None:
    """Partitions with twinless mentions on both sides, empty ones among them."""
    report = scores(*pair)
    for name in NAMES:
        assert figures(name, report[name]) == approx(expected(name, [pair], "corrected")), name
    assert report["d_err"].direction == papers.d_err_of_document(*pair).direction


@examples(80)
@given(pairs)
def test_only_blanc_and_nothing_at_all_depend_on_the_rules(pair: tuple[Clusters, Clusters]) -> None:
    """Under rules by which nothing against nothing is 0, each ratio 0/0 of Cai and Strube is 0."""
    for rules in corefscope.RULES:
        report = scores(*pair, rules=rules)
        for name in EVERY_RULE_SET:
            assert figures(name, report[name]) == approx(expected(name, [pair], rules)), (name, rules)
    for name in CAI_STRUBE:
        report = scores(*pair, rules="corefud-1.2")
        assert figures(name, report[name]) == approx([float(value) for value in oracle(name, [pair])]), name


@examples(80)
@given(st.lists(pairs, max_size=4))
def test_pooled_measures_equal_their_twins(documents: list[tuple[Clusters, Clusters]]) -> None:
    """Sums of numerators and denominators, of κ's four counts, of BLANC's six, of entropies times mentions.

    D-err has no sums to speak of: its value is the mean of the documents', beside counts of its directions.
    """
    scorer = corefscope.Scorer(metrics=NAMES, rules="corrected")
    for key, response in documents:
        scorer.add(key, response)
    report = scorer.report()
    for name in NAMES:
        assert figures(name, report[name]) == approx(expected(name, documents, "corrected")), name
    counts = report.counts("d_err")
    assert (counts["recall_errors"], counts["precision_errors"]) == papers.d_err_directions(documents)
    assert counts["documents"] == len(documents)
    for document, of_one in zip(documents, report.documents.values(), strict=True):
        for name in NAMES:
            assert figures(name, of_one[name]) == approx(expected(name, [document], "corrected")), name


def test_documents_are_not_merged_into_one() -> None:
    """Two documents of one class each: merged, both sides would agree on what is apart, which nobody decided."""
    scorer = corefscope.Scorer(metrics=["entropy", "kappa", "rand"], rules="corrected")
    scorer.add([["a", "b"]], [["a"], ["b"]])
    scorer.add([["c", "d"]], [["c"], ["d"]])
    report: Any = scorer.report()
    merged: Any = scores([["a", "b"], ["c", "d"]], [["a"], ["b"], ["c"], ["d"]])
    assert (report["entropy"].recall, report["rand"].value) == (0, 0)
    assert (merged["entropy"].recall, merged["rand"].value) == (approx(0.5), approx(2 / 3))
    assert report.counts("kappa")["links_key_only"] == 2
    assert sum(report.counts("kappa").values()) == 4 - 2


# All measures


@examples(100)
@given(keys, st.randoms(use_true_random=False))
def test_the_key_itself_in_any_order_is_perfect(key: Clusters, rng: Any) -> None:
    """Every figure is 1, and D-err is 0 without direction."""
    response = [rng.sample(cluster, len(cluster)) for cluster in rng.sample(key, len(key))]
    report = scores(key, response)
    for name in NAMES:
        wanted = 0.0 if name == "d_err" else 1.0
        assert all(figure == approx(wanted) for figure in figures(name, report[name])), name
    assert report["d_err"].direction == ""


@examples(100)
@given(pairs)
def test_measures_keep_to_their_ranges(pair: tuple[Clusters, Clusters]) -> None:
    """All in [0, 1] but κ, which is at most 1; B³ at least classes by mentions; exclusive core recall above 0."""
    report = scores(*pair)
    for name in NAMES:
        low = float("-inf") if name == "kappa" else -1e-12
        assert all(low <= figure <= 1 + 1e-12 for figure in figures(name, report[name])), name
    key, response = completed(*pair)
    if total := sum(map(len, key)):
        assert report["b3_pb"].recall >= len(key) / total - 1e-12
        assert report["b3_pb"].precision >= len(response) / total - 1e-12
        assert report["b3_pb_class"].recall > 0
        assert report["b3_pb_class"].precision > 0
        assert all(report[name].recall > 0 for name in EXCLUSIVE)


@examples(100)
@given(pairs)
def test_swapping_sides_swaps_recall_and_precision(pair: tuple[Clusters, Clusters]) -> None:
    """And keeps κ, DMT, Rand and the size of D-err, which turns round.

    Exempt by definition: Cai and Strube's measures that treat spurious mentions otherwise than missing ones, and the
    exclusive core, which visits key classes only.
    """
    key, response = pair
    forth, back = scores(key, response), scores(response, key)
    for name in SWAPPING:
        recall, precision, f1 = figures(name, back[name])
        assert figures(name, forth[name]) == approx((precision, recall, f1)), name
    for name in VALUES:
        assert forth[name].value == approx(back[name].value), name
    assert back["d_err"].direction == {"r": "p", "p": "r", "": ""}[forth["d_err"].direction]


def test_the_exclusive_core_is_not_symmetric() -> None:
    """A response class nobody claims costs nothing; a key class that claims nothing is lost."""
    key, response = [["a", "b", "c"]], [["a", "b"], ["c"]]
    assert figures("xcore", scores(key, response)["xcore"]) == approx((2 / 3, 1.0, 4 / 5))
    assert figures("xcore", scores(response, key)["xcore"]) == approx((2 / 3, 2 / 3, 2 / 3))


@examples(100)
@given(pairs)
def test_measures_that_need_equal_mentions_add_singletons(pair: tuple[Clusters, Clusters]) -> None:
    """DEF.19: to complete both sides first changes nothing for Popescu-Belis' measures and the Rand index."""
    report, of_completed = scores(*pair), scores(*completed(*pair))
    for name in (*POPESCU_BELIS, *VALUES):
        assert figures(name, report[name]) == approx(figures(name, of_completed[name])), name


# Popescu-Belis (2000)


@examples(100)
@given(pairs)
def test_cores_never_exceed_muc(pair: tuple[Clusters, Clusters]) -> None:
    """PROP.8: C ≤ MUC in recall and in precision; hence in F."""
    report = scores(*pair)
    for core, muc in zip(figures("core", report["core"]), figures("muc_pb", report["muc_pb"]), strict=True):
        assert core <= muc + 1e-12


@examples(100)
@given(pairs)
def test_muc_and_cores_ignore_singletons_of_their_own_side(pair: tuple[Clusters, Clusters]) -> None:
    """PROP.13: recall is the same without the mentions of key singletons, precision without those of the response."""
    key, response = completed(*pair)
    report = scores(key, response)
    for side, field in ((key, "recall"), (response, "precision")):
        alone = {cluster[0] for cluster in side if len(cluster) == 1}
        fewer = scores(without(alone, key), without(alone, response))
        for name in ("muc_pb", "core"):
            assert getattr(report[name], field) == approx(getattr(fewer[name], field)), (name, field)


@examples(100)
@given(pairs, st.booleans())
def test_a_twinless_singleton_is_a_perfect_pair(pair: tuple[Clusters, Clusters], spurious: bool) -> None:
    """Completed, it is {x} on both sides: MUC and C stay (PROP.13); B³, XC, H, DMT and κ never fall."""
    key, response = pair
    assume(key or response)
    report = scores(key, response)
    extended = scores(key, [*response, ["z"]]) if spurious else scores([*key, ["z"]], response)
    for name in ("muc_pb", "core"):
        assert figures(name, extended[name]) == approx(figures(name, report[name])), name
    for name in ("b3_pb", "b3_pb_class", *EXCLUSIVE, "entropy", "dmt", "kappa"):
        for before, after in zip(figures(name, report[name]), figures(name, extended[name]), strict=True):
            assert after >= before - 1e-12, name


@examples(100)
@given(same_mentions)
def test_recall_is_perfect_if_and_only_if_no_key_class_is_split(sides: Sides) -> None:
    """For MUC, B³, B³ by classes, C and H; precision likewise for response classes; both only of equal partitions.

    The recall of exclusive cores is perfect of equal partitions only.
    """
    key, response = sides
    report = scores(key, response)
    for name in SPLITS:
        assert (report[name].recall == approx(1.0)) == (not split(key, response)), name
        assert (report[name].precision == approx(1.0)) == (not split(response, key)), name
        assert (report[name].f1 == approx(1.0)) == (as_sets(key) == as_sets(response)), name
    for name in EXCLUSIVE:
        assert (report[name].recall == approx(1.0)) == (as_sets(key) == as_sets(response))
    assert (report["kappa"].value == approx(1.0)) == (as_sets(key) == as_sets(response))
    assert (report["rand"].value == approx(1.0)) == (as_sets(key) == as_sets(response))


@examples(100)
@given(keys)
def test_all_in_one_class(key: Clusters) -> None:
    """Recall is perfect but for exclusive cores; precision says how far one class is from the key.

    N mentions, n classes, the largest of k: MUC (N−n)/(N−1), B³ Σ(kᵢ/N)², C and DMT (k−1)/(N−1), XC k/N both ways,
    H and κ 0; the deviation points to p.
    """
    report, sizes = scores(key, one_class(key)), sorted(map(len, key))
    assume(len(key) > 1)
    total, largest = sum(sizes), sizes[-1]
    assert all(report[name].recall == approx(1.0) for name in SPLITS)
    assert report["muc_pb"].precision == approx((total - len(key)) / (total - 1))
    assert report["b3_pb"].precision == approx(sum(size**2 for size in sizes) / total**2)
    assert report["b3_pb_class"].precision == approx(report["b3_pb"].precision)
    assert report["core"].precision == approx((largest - 1) / (total - 1))
    for name in EXCLUSIVE:
        assert figures(name, report[name]) == approx((largest / total,) * 3)
    assert report["entropy"].precision == approx(0.0)
    assert report["entropy"].f1 == approx(0.0)
    assert report["kappa"].value == approx(0.0)
    assert report["dmt"].value == approx((largest - 1) / (total - 1))
    assert report["d_err"].direction == "p"


@examples(100)
@given(keys)
def test_all_classes_of_one_mention(key: Clusters) -> None:
    """Precision is perfect; recall says how far singletons are from the key.

    N mentions, n classes of kᵢ: MUC and C 0, B³ and XC n/N, B³ by classes the mean of 1/kᵢ, κ 0; DMT
    (n−1)/(N−1); the deviation points to r.
    """
    report, sizes = scores(key, all_alone(key)), list(map(len, key))
    assume(max(sizes) > 1)
    total = sum(sizes)
    assert all(report[name].precision == approx(1.0) for name in POPESCU_BELIS)
    for name in ("muc_pb", "core"):
        assert (report[name].recall, report[name].f1) == (0, 0), name
    for name in ("b3_pb", *EXCLUSIVE):
        assert report[name].recall == approx(len(key) / total), name
    assert report["b3_pb_class"].recall == approx(sum(1 / size for size in sizes) / len(key))
    assert report["kappa"].value == approx(0.0)
    assert report["dmt"].value == approx((len(key) - 1) / (total - 1))
    assert report["d_err"].direction == "r"


@examples(100)
@given(pairs)
def test_muc_has_no_f_without_common_links(pair: tuple[Clusters, Clusters]) -> None:
    """If one side has no links at all, MUC's F is 1 where the other has none either, else 0."""
    key, response = ([cluster[:1] for cluster in pair[0]], pair[1])
    for ours, theirs in ((key, response), (response, key)):
        wanted = 0.0 if any(len(cluster) > 1 for cluster in response) else 1.0
        assert scores(ours, theirs)["muc_pb"].f1 == approx(wanted)


@examples(100)
@given(pairs)
def test_exclusive_cores_are_never_larger_than_cores(pair: tuple[Clusters, Clusters]) -> None:
    """XC's recall is at most the share of mentions that are in the cores of key classes."""
    key, response = completed(*pair)
    cores = sum(max(len(set(cluster) & set(other)) for other in response) for cluster in key)
    report = scores(*pair)
    for name in EXCLUSIVE:
        assert report[name].recall * sum(map(len, key)) <= cores + 1e-9


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("response", [[["a"], ["b", "c"]], [["b", "c"], ["a"]]])
def test_ties_of_exclusive_cores_go_to_the_smaller_class(response: Clusters, turned: bool) -> None:
    """{a b} could claim {a} or {b c}; if it claimed the latter, {c} would get nothing: recall 1/3, not 2/3."""
    key = [["c"], ["a", "b"]] if turned else [["a", "b"], ["c"]]
    assert figures("xcore", scores(key, response)["xcore"]) == approx((2 / 3,) * 3)
    assert oracle("xcore", [(key, response)]) == (Fraction(2, 3),) * 3


@pytest.mark.parametrize(
    ("response", "recall", "precision"),
    [
        ([["a", "c"], ["b", "d", "e"]], "3/5", "3/5"),
        ([["b", "c"], ["a", "d"], ["e"]], "2/5", "4/5"),
        ([["a", "d"], ["b", "c"], ["e"]], "3/5", "3/5"),
    ],
)
def test_exclusive_cores_are_claimed_greedily(response: Clusters, recall: str, precision: str) -> None:
    """Large classes first; a claim is never taken back. Of equal candidates the one listed first is claimed.

    So the order in which classes are listed may matter, as the last two responses show.
    """
    key = [["a", "b"], ["c"], ["d", "e"]]
    found = figures("xcore", scores(key, response)["xcore"])
    assert oracle("xcore", [(key, response)])[:2] == (Fraction(recall), Fraction(precision))
    assert found[:2] == approx((float(Fraction(recall)), float(Fraction(precision))))


@pytest.mark.parametrize("size", range(2, 9))
def test_kappa_of_a_grid_has_no_lower_bound(size: int) -> None:
    """Rows against columns of an n × n grid of mentions: κ is −n, not at least −1."""
    rows = [[(i, j) for j in range(size)] for i in range(size)]
    columns = [[(i, j) for i in range(size)] for j in range(size)]
    assert papers.kappa([(rows, columns)]) == (-size,)
    assert scores(rows, columns)["kappa"].value == approx(-size)


@pytest.mark.parametrize("key", [[["a"]], [["a", "b", "c"]], [["a"], ["b"]]])
def test_kappa_is_1_where_chance_alone_agrees(key: Clusters) -> None:
    """One mention, one class, or only singletons, on both sides."""
    assert scores(key, key)["kappa"].value == 1


@pytest.mark.parametrize(("ours", "theirs", "size"), [((6, 2, 2), (5, 4, 1), "1/416"), ((5, 2, 2), (4, 4, 1), "0")])
def test_a_deviation_may_lack_direction_and_even_size(ours: list[int], theirs: list[int], size: str) -> None:
    """What the key has beyond the response may be as far along as the reverse, or have the same centroid altogether.

    So a D-err of 0, as reconstructed, does not mean equal profiles.
    """
    key, response = of_sizes(ours), of_sizes(theirs)
    assert papers.d_err_of_document(key, response) == (Fraction(size), "")
    score = scores(key, response)["d_err"]
    assert (score.value, score.direction) == (approx(float(Fraction(size)) ** 0.5), "")


# Cai and Strube (2010)


@examples(100)
@given(pairs)
def test_recall_of_cai_and_strube(pair: tuple[Clusters, Clusters]) -> None:
    """B³_all, B³_r&n and B³_sys have the same recall; that of CEAF_r&n is CEAF_orig's, that of CEAF_sys no lower."""
    assume(pair[0])
    report = scores(*pair)
    assert report["b3_sys"].recall == approx(report["b3_all"].recall)
    assert report["b3_rn"].recall == approx(report["b3_all"].recall)
    assert report["b3_0"].recall <= report["b3_all"].recall + 1e-12
    assert report["ceaf_rn"].recall == approx(report["ceaf_orig"].recall)
    assert report["ceaf_sys"].recall >= report["ceaf_orig"].recall - 1e-12


@examples(100)
@given(pairs)
def test_spurious_singletons_count_only_where_nothing_removes_them(pair: tuple[Clusters, Clusters]) -> None:
    """One more leaves r&n and sys measures and B³_0 as they are; it never lowers B³_all nor raises CEAF_orig."""
    key, response = pair
    assume(key)
    report, more = scores(key, response), scores(key, [*response, ["z"]])
    for name in ("b3_0", "b3_rn", "b3_sys", "ceaf_rn", "ceaf_sys"):
        assert figures(name, more[name]) == approx(figures(name, report[name])), name
    assert more["b3_all"].precision >= report["b3_all"].precision - 1e-12
    assert more["ceaf_orig"].precision <= report["ceaf_orig"].precision + 1e-12


@examples(100)
@given(same_mentions)
def test_variants_differ_by_twinless_mentions_only(sides: Sides) -> None:
    """Of equal mentions all B³ are one measure, Popescu-Belis' included, and all CEAF another."""
    report: Any = corefscope.score_clusters(*sides, metrics=[*NAMES, "bcub", "ceafm"], rules="corrected")
    for name in ("b3_0", "b3_all", "b3_rn", "b3_sys", "b3_pb"):
        assert tuple(report[name]) == approx(tuple(report["bcub"])), name
    for name in ("ceaf_orig", "ceaf_rn", "ceaf_sys"):
        assert tuple(report[name]) == approx(tuple(report["ceafm"])), name


# Luo et al. (2014)


@examples(100)
@given(same_mentions)
def test_blanc_of_equal_mentions_counts_pairs(sides: Sides) -> None:
    """BLANC-gold, by looking at each pair of mentions, is BLANC where both sides have the same."""
    assert scores(*sides)["blanc"].f1 == approx(float(papers.blanc_gold(*sides)))


@examples(100)
@given(pairs)
def test_blanc_does_without_equal_mentions(pair: tuple[Clusters, Clusters]) -> None:
    """Where both kinds of links are on either side, its figures are the means of theirs, zeros included."""
    same, apart, _ = papers.blanc_components([pair])
    ours = [{frozenset((a, b)) for cluster in side for a in cluster for b in cluster if a != b} for side in pair]
    totals = [sum(map(len, side)) for side in pair]
    assume(any(ours) and any(len(o) < n * (n - 1) // 2 for o, n in zip(ours, totals, strict=True)))
    means = [float(c + n) / 2 for c, n in zip(same, apart, strict=True)]
    assert figures("blanc", scores(*pair)["blanc"]) == approx(means)


@examples(100)
@given(same_mentions)
def test_rand_is_the_share_of_pairs_agreed_upon(sides: Sides) -> None:
    """Counted by two loops; 1 where there are no pairs."""
    key, response = ({m: at for at, cluster in enumerate(side) for m in cluster} for side in sides)
    agreed = [(key[a] == key[b]) == (response[a] == response[b]) for a in key for b in key if repr(a) < repr(b)]
    wanted = sum(agreed) / len(agreed) if agreed else 1.0
    assert scores(*sides)["rand"].value == approx(wanted)
    assert 0 <= wanted <= 1
