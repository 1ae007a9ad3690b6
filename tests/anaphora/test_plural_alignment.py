"""Metrics with split antecedents: worked by hand, and against an oracle that is written from the definitions."""

from __future__ import annotations

import random
import tracemalloc
from typing import Any

import pytest

from corefscope.anaphora import plural_measures
from corefscope.anaphora.plural_measures import MEASURES, NO_PLURAL, Handling, PluralCounts, TwoPartitions
from corefscope.anaphora.plurals import Partition, Plural
from corefscope.anaphora.relations import disjoint_elements
from corefscope.compat.ua_counts import HANDLING as UA
from corefscope.core.document import Mention, Relation
from corefscope.core.errors import InputError
from corefscope.core.numbers import prf
from corefscope.core.positions import position
from corefscope.formats.relations import anchor_of
from oracles.relations import METRICS, Side, expected, inner

PLAIN = Handling()


def partition(*entities: Any) -> Partition:
    """Entities as strings of mentions, ``[ab,cd]`` for a plural."""
    return Partition([_members(entity) for entity in entities])


def _members(entity: str) -> list[Any]:
    before, _, rest = entity.partition("[")
    elements, _, after = rest.partition("]")
    plural = [Plural(tuple(leaf) for leaf in elements.split(","))] if elements else []
    return [*before, *plural, *after]


def score(metric: str, key: Partition, response: Partition, handling: Handling = PLAIN) -> list[float]:
    return [round(figure, 6) for figure in prf(TwoPartitions(key, response, handling).count(metric).whole[0])]


def test_a_plural_with_an_element_too_many_is_worked_out_as_by_hand() -> None:
    key, response = partition("ab", "cd", "e", "[ab,cd]fg"), partition("ab", "cd", "e", "[ab,cd,e]fg")
    assert score("muc", key, response)[:2] == [1, round(11 / 12, 6)]
    assert score("bcub", key, response)[:2] == [1, 0.951667]
    assert score("ceafe", key, response)[:2] == [0.983333, 0.983333]
    assert score("lea", key, response)[:2] == [1, 0.95]


def test_the_worked_example_of_a_wrong_element_holds_to_the_printed_digits() -> None:
    key, response = partition("15", "34", "78[15,34]", "x", "y"), partition("15", "34", "78[15,y]", "x", "y")
    assert score("muc", key, response)[:2] == [0.875, 0.875]
    assert score("bcub", key, response) == [0.898148, 0.930041, 0.913816]
    assert score("ceafe", key, response)[2] == 0.966667
    assert score("lea", key, response)[:2] == [round(8 / 9, 6), round(25 / 27, 6)]
    alone = {
        metric: TwoPartitions(key, response, PLAIN).count(metric).split[0] for metric in ("muc", "bcub", "ceafe")
    }
    assert alone == {"muc": (1, 2, 1, 2), "bcub": (2, 4, 2, 3), "ceafe": (1, 2, 1, 2)}


def test_a_right_plural_is_never_torn_from_its_counterpart() -> None:
    key = partition("a", "b", "c", "d", "x[a,b,c,d]", "y[c,d]")
    response = partition("a", "b", "c", "d", "x[a,b,c,d]", "z[a,b]")
    assert TwoPartitions(key, response, UA).count("muc").whole[0][0] == 0
    assert TwoPartitions(key, response, PLAIN).count("muc").whole[0][0] == 1


def test_weights_of_lea_run_on_in_the_way_of_ua_only() -> None:
    key, response = partition("ab", "cd", "f[ab,cd]g"), partition("ab", "cd", "ee", "f[ab,cd,e]g")
    product, running = (TwoPartitions(key, response, handling).count("lea").whole[0] for handling in (PLAIN, UA))
    assert product[:2] == running[:2]
    assert product[2] - running[2] == pytest.approx(0.2)  # of three links, fg has weight 0.8 instead of 1


def _random_side(rng: random.Random) -> Side:
    mentions = [m for m in "abcdefgh" if rng.random() < 0.85]
    rng.shuffle(mentions)
    cuts = sorted(rng.sample(range(1, len(mentions)), min(rng.randint(2, 4), len(mentions) - 1)))
    entities = [frozenset(mentions[start:end]) for start, end in zip([0, *cuts], [*cuts, len(mentions)], strict=True)]
    plurals: dict[int, Any] = {}
    for i in rng.sample(range(len(entities)), rng.randint(0, 2)):
        others = [entity for j, entity in enumerate(entities) if j != i and j not in plurals]
        elements = frozenset(rng.sample(others, min(rng.randint(1, 3), len(others))))
        if elements and elements not in plurals.values():
            plurals[i] = elements
    return [(entity, plurals.get(i)) for i, entity in enumerate(entities)]


def _partition(side: Side) -> Partition:
    return Partition(
        [
            [*sorted(mentions), *([Plural(tuple(sorted(leaf)) for leaf in elements)] if elements else [])]
            for mentions, elements in side
        ]
    )


@pytest.mark.parametrize("metric", METRICS)
def test_counts_with_plurals_are_those_of_the_definitions(metric: str) -> None:
    rng = random.Random(17)
    for _ in range(150):
        key, response = _random_side(rng), _random_side(rng)
        found = TwoPartitions(_partition(key), _partition(response), PLAIN).count(metric)
        possible = [[tuple(map(float, row)) for row in rows] for rows in expected(metric, key, response)]
        assert any(found.whole == [pytest.approx(row) for row in rows] for rows in possible), (key, response)


def test_counts_of_plurals_alone_are_sums_over_pairs_out_of_all() -> None:
    key, response = partition("ab", "cd", "x[ab,cd]"), partition("ab", "c", "d", "x[ab,c]", "y[d]")
    found: PluralCounts = TwoPartitions(key, response, PLAIN).count("bcub")
    sides = frozenset([frozenset("ab"), frozenset("cd")]), frozenset([frozenset("ab"), frozenset("c")])
    (row,), _ = inner("bcub", *sides)
    assert found.split[0] == pytest.approx([*map(float, row[:3]), float(row[3]) + 1])


def test_an_anchor_is_the_last_mention_before_the_anaphor_or_the_first_of_its_entity() -> None:
    one, two, three, four = (Mention((position(1, word),), position(1, word)) for word in (2, 4, 6, 8))
    assert anchor_of(Relation("bridging", (three,), ((one, two, four),))) == two
    assert anchor_of(Relation("bridging", (one,), ((four, three, two),))) == two
    assert anchor_of(Relation("bridging", (two,), ((one, two, three),))) == one  # not the anaphor itself
    assert anchor_of(Relation("bridging", (one,), ((four,),))) == four  # a mention that the file names


@pytest.mark.parametrize("metric", ["bcub", "ceafe"])
def test_ties_are_broken_alike_however_many_pairs_are_looked_at_together(
    metric: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(metric)
    for _ in range(25):
        sides = []
        for names, size in (("ABCDEFG", 3), ("abcdef", 2)):
            plurals = [f"{name}[{','.join(rng.sample('uvwxyz', size))}]" for name in names]
            sides.append(partition(*"uvwxyz", *plurals))
        figures = []
        for bits in (1, 5, 1000):
            monkeypatch.setattr(plural_measures, "BITS", bits)
            figures.append(TwoPartitions(sides[0], sides[1], PLAIN).count(metric))
        assert figures[0] == figures[1] == figures[2]


def test_weights_stay_short_where_many_plurals_overlap() -> None:
    rng = random.Random(7)
    sides = []
    for size in (4, 3):  # no two are identical
        names = map(chr, range(1000, 1110))
        plurals = [f"{name}[{','.join(rng.sample('uvwxyzst', size))}]" for name in names]
        sides.append(partition(*"uvwxyzst", *plurals))
    tracemalloc.start()
    TwoPartitions(sides[0], sides[1], PLAIN).count("ceafe")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 18e6  # 14 MB; with a bit for each of 12,100 pairs in the weight of each, 23 MB


def _sharing(plurals: int) -> Partition:
    """So many plurals that have an element in common, and one of their own."""
    return Partition([[i, Plural([("x",), (f"e{i}",)])] for i in range(plurals)])


def test_plurals_of_which_too_many_have_elements_in_common_are_an_error() -> None:
    both = TwoPartitions(_sharing(320), _sharing(320), PLAIN, "some.conllua")
    with pytest.raises(InputError, match=r"some\.conllua: has too many plural entities with common elements"):
        both.count("muc")


def test_plurals_of_a_crowd_find_each_other() -> None:
    """Each has its equal, up to the element of its own: shuffled, they find each other all the same."""
    other = Partition([[i, Plural([("x",), (f"e{i}", "f")])] for i in reversed(range(30))])
    counts = TwoPartitions(_sharing(30), other, PLAIN).count("ceafm")
    assert counts.split[0] == (60, 60, 60, 90)


def test_plurals_without_anything_in_common_are_not_compared() -> None:
    key = Partition([[i, Plural([(f"e{i}",)])] for i in range(2000)])
    assert len(TwoPartitions(key, key, PLAIN).touching) == 2000
    assert TwoPartitions(key, key, PLAIN).count("bcub").split[0] == (2000, 2000, 2000, 2000)


def test_a_mention_of_equally_large_elements_is_in_the_one_that_begins_first() -> None:
    early, shared, late = ((place, place, 0) for place in (1, 2, 3))
    assert disjoint_elements([[shared, late], [early, shared]]) == [(early, shared), (late,)]


def test_plurals_that_share_mentions_but_no_link_are_no_counterparts_under_muc() -> None:
    key, response = partition("x[ab,cd]"), partition("x[ac,bd]")
    (ours,), (theirs,) = key.plurals.values(), response.plurals.values()
    both = TwoPartitions(key, response, PLAIN)
    assert both.pairs(MEASURES["muc"]) == [(ours, NO_PLURAL, [(0, 2, 0, 0)]), (NO_PLURAL, theirs, [(0, 0, 0, 2)])]
    assert both.pairs(MEASURES["ceafm"]) == [(ours, theirs, [(2, 4, 2, 4)])]


def test_counterparts_of_plurals_are_the_same_whichever_side_is_the_key() -> None:
    """Several maps are equally good: the choice among them does not ask which plural is of the key."""
    key = partition("A[t,u]", "B[t,v]", "C[u,v]")
    response = partition("D[s,u,v]", "E[t,u,w]", "F[u]")
    there = {(ours, theirs) for ours, theirs, _ in TwoPartitions(key, response, PLAIN).pairs(MEASURES["ceafe"])}
    back = {(ours, theirs) for theirs, ours, _ in TwoPartitions(response, key, PLAIN).pairs(MEASURES["ceafe"])}
    assert there == back
