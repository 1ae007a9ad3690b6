"""Counts of the CoNLL reference scorer on inputs that are few kilobytes and hang together as much as they can."""

from __future__ import annotations

import random
from collections.abc import Iterator
from operator import or_
from pathlib import Path
from unittest.mock import Mock

import pytest

import corefscope
from corefscope.compat import conll_counts as conll
from corefscope.core.document import Mention
from corefscope.core.matching.assignment import assign_component, sparse
from corefscope.core.registry import HOOKS
from corefscope.scale import large_assignment as large

Chains = list[list[int]]


class _Counted(list[int]):
    """A chain that counts how often it is gone through."""

    walks = 0

    def __iter__(self) -> Iterator[int]:
        self.walks += 1
        return super().__iter__()


def _random_chains(rng: random.Random, mentions: int, entities: int) -> Chains:
    chains: Chains = [[] for _ in range(entities)]
    for mention in range(mentions):
        rng.choice(chains).append(mention)
    return [chain for chain in chains if chain]


def _ceaf(key: Chains, response: Chains) -> tuple[float, float]:
    mentions, entities = conll._ceaf(key, response)
    return mentions[0], entities[0]


def test_the_words_of_mentions_are_not_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of nested mentions, all words together are very many; the last word and the size tell how they close."""
    monkeypatch.setattr(Mention, "positions", property(lambda _: pytest.fail("no words are needed")))
    cells = [f"({i}" for i in (0, 1, 0, 1)] + [f"{i})" for i in (1, 0, 1, 0)]
    path = tmp_path / "nested.conll"
    path.write_text("\n".join(["#begin document (d)", *(f"w\t{cell}" for cell in cells), "", "#end document", ""]))
    assert list(corefscope.score(path, path, preset="conll12").counts("muc").values()) == [2, 2, 2, 2]


@pytest.mark.parametrize("mentions", [20, 400])
def test_chains_are_not_looked_through_for_every_mention_that_repeats(mentions: int) -> None:
    """Every mention in a chain of four, and in another; one chain has them all."""
    fours = [list(range(start, start + 4)) for start in range(0, mentions, 4)]
    counted = [_Counted(chain) for chain in [*fours, *fours, list(range(mentions)), *fours]]
    key: Chains = [*counted[: -len(fours)]]
    response: Chains = [*counted[-len(fours) :]]
    links, apart = mentions * 3 // 2, mentions * (mentions - 1) // 2
    assert conll.links_of_chains(key, response) == (
        links,
        apart,
        links,
        apart - links,
        apart + mentions,
        apart - links,
    )
    assert max(chain.walks for chain in counted) < 5


def test_mentions_of_the_same_chains_are_looked_at_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two chains with the same thousand mentions are united once, not a thousand times."""
    united = Mock(wraps=or_)
    monkeypatch.setattr(conll, "or_", united)
    both = list(range(1000))
    assert conll.links_of_chains([both, both], [[0], [1]])[:3] == (0, 499500, 0)
    assert united.call_count < 3 * len(both)


def test_only_ceafe_depends_on_the_choice_of_scipy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its weights are rounded; those of CEAFm are whole numbers, of which the total is the same."""
    asked: list[type] = []

    def recorded(rows: list[dict[int, float]]) -> list[tuple[int, int]]:
        asked.extend({type(weight) for row in rows for weight in row.values()})
        return assign_component(rows)

    monkeypatch.setattr(conll, "assign_component", recorded)
    rng = random.Random(1)
    mentions, _ = _ceaf(_random_chains(rng, 300, 40), _random_chains(rng, 300, 40))
    assert asked == [float]
    assert isinstance(mentions, int)


@pytest.mark.parametrize("seed", range(5))
def test_no_matrix_is_made_if_it_would_be_too_large(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(seed)
    key, response = (_random_chains(rng, 300, rng.randint(20, 60)) for _ in range(2))
    usual = _ceaf(key, response)
    monkeypatch.setattr(sparse, "DENSE", 100)
    monkeypatch.setattr(sparse, "SEARCHED", 0)
    monkeypatch.setitem(HOOKS, "assign_matrix", lambda *_: pytest.fail("the matrix would be too large"))
    solver = Mock(side_effect=large.assign_large)
    monkeypatch.setitem(HOOKS, "assign_large", solver)
    assert _ceaf(key, response) == pytest.approx(usual, rel=1e-12)
    assert solver.called
