"""Figures right between two that can be printed: the official rounding errors decide, so they are ours too."""

from __future__ import annotations

import os
import random
import threading
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

import corefscope
from corefscope.cli import main
from corefscope.compat.commands.corefud import main as drop_in
from corefscope.core.official_sums import official_sums
from corefscope.core.rules import RULES
from corefscope.core.table import Contingency
from corefscope.formats import adjustments
from oracles.official import score_files
from oracles.quirks import conllu
from places import GOLDEN

OPTIONS: dict[str, Any] = {"match": "exact", "singletons": "keep"}
SUMMED = ("bcub", "ceafe", "lea", "conll")
Partition = list[list[int]]


def partition(rng: random.Random, size: int) -> Partition:
    """Numbers from 1 in random clusters, few of them large."""
    names = rng.choices(range(rng.randint(2, size)), k=size)
    clusters = {name: [number for number, other in enumerate(names, 1) if other == name] for name in names}
    return list(clusters.values())


def write(path: Path, clusters: Partition, words: int) -> None:
    notation = "; ".join(f"e{i} {' '.join(map(str, cluster))}" for i, cluster in enumerate(clusters))
    path.write_text(conllu(notation, words=words), encoding="utf-8")


def printed(figures: object) -> list[str]:
    values = [figures] if isinstance(figures, float) else list(figures)  # type: ignore[call-overload]
    return [f"{100 * value:.2f}" for value in values]


def counted_once(key: Path, response: Path) -> corefscope.Report:
    """The report without the official arithmetic."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(RULES, "corefud-1.2", RULES["corefud-1.2"]._replace(last_digits=None))
        return corefscope.score(key, response, **OPTIONS)


def pairs_between(paths: Sequence[Path], pairs: int) -> tuple[int, int]:
    """Random pairs of 32 mentions, each compared with the twin.

    How many had figures that were counted again, and how many of these would have been printed otherwise.
    """
    rng = random.Random(11)
    again = otherwise = 0
    for _ in range(pairs):
        for path in paths:
            write(path, partition(rng, 32), 32)
        report = corefscope.score(*paths, **OPTIONS)
        expected = score_files(*paths, **OPTIONS)
        assert {name: printed(report[name]) for name in expected} == {n: printed(v) for n, v in expected.items()}
        plain = counted_once(*paths)
        again += any(adjustments._between(plain, name) for name in SUMMED)
        otherwise += any(printed(plain[name]) != printed(expected[name]) for name in SUMMED)
    return again, otherwise


def test_figures_between_two_hundredths_are_printed_as_the_official_scorer_prints_them(tmp_path: Path) -> None:
    """The twin adds and divides in the official order; there must be figures that would come out otherwise."""
    again, otherwise = pairs_between([tmp_path / "key.conllu", tmp_path / "response.conllu"], 150)
    assert again >= 10
    assert otherwise >= 2


def test_the_sums_are_those_of_exact_fractions_rounded_once_each_and_added_in_order() -> None:
    """B³ and LEA, on random tables; one more or one less rounding shows in the last bit."""
    rng = random.Random(5)
    for _ in range(300):
        key, response = partition(rng, rng.randint(2, 40)), partition(rng, rng.randint(2, 40))
        shared = {(i, j): len(set(k) & set(r)) for i, k in enumerate(key) for j, r in enumerate(response)}
        cells = {pair: n for pair, n in shared.items() if n}
        counts = official_sums(Contingency.of_pairs(list(map(len, key)), list(map(len, response)), cells))
        for side, (mine, other) in enumerate(((key, response), (response, key))):
            shares = [Fraction(sum(len(set(a) & set(b)) ** 2 for b in other), len(a)) for a in mine]
            assert counts["bcub"][2 * side] == added(shares)
            assert counts["lea"][2 * side] == added([resolved(set(a), other) for a in mine])


def test_the_sum_of_ceafe_is_what_scipy_chooses_and_numpy_adds_up() -> None:
    """To the last bit, also where the key has more entities than the response, and where there are hundreds."""
    rng = random.Random(6)
    for size in (*range(2, 60), 300, 700):
        key, response = (partition(rng, max(2, round(size * rng.uniform(0.5, 1.5)))) for _ in range(2))
        sizes, other_sizes = (list(map(len, side)) for side in (key, response))
        shared = {(i, j): len(set(k) & set(r)) for i, k in enumerate(key) for j, r in enumerate(response)}
        cells = {pair: n for pair, n in shared.items() if n}
        similarities = np.zeros((len(key), len(response)))
        for (i, j), n in cells.items():
            similarities[i, j] = 2 * n / (sizes[i] + other_sizes[j])
        expected = float(similarities[linear_sum_assignment(-similarities)].sum())
        assert official_sums(Contingency.of_pairs(sizes, other_sizes, cells))["ceafe"][0] == expected


def resolved(entity: set[int], other: Partition) -> Fraction:
    if len(entity) == 1:
        return Fraction(any(entity == set(cluster) for cluster in other))
    links = sum(len(both) * (len(both) - 1) for both in (entity & set(cluster) for cluster in other))
    return Fraction(len(entity) * links, len(entity) * (len(entity) - 1))


def added(terms: list[Fraction]) -> float:
    total = 0.0
    for term in terms:
        total += float(term)
    return total


def test_the_drop_in_and_our_tables_print_f1_of_the_ratios(capsys: pytest.CaptureFixture[str]) -> None:
    """R = 5/6 and P = 5/58: F1 is 10/64. 2n/(d + d') makes 15.62 of it, and 2PR/(P + R), the official way, 15.63."""
    paths = [str(GOLDEN / "found" / f"rounding-tie.{side}.conllu") for side in ("key", "sys")]
    assert drop_in(paths) == 0
    assert "Recall: 83.33  Precision: 8.62  F1: 15.63\n" in capsys.readouterr().out
    assert main(["score", *paths]) == 0
    assert "15.63" in capsys.readouterr().out


def test_what_cannot_be_read_again_is_reported_as_it_was_counted(tmp_path: Path) -> None:
    """Pipes are empty then; the figures are right, only a last digit may not be the official one."""
    rng = random.Random(11)
    key, response, pipe = (tmp_path / name for name in ("key.conllu", "response.conllu", "pipe"))
    write(key, partition(rng, 32), 32)
    while True:
        write(response, partition(rng, 32), 32)
        plain = counted_once(key, response)
        if any(adjustments._between(plain, name) for name in SUMMED):
            break
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(response.read_bytes()))
    writer.start()
    report = corefscope.score(key, pipe, key_format="corefud", response_format="corefud", **OPTIONS)
    writer.join()
    assert dict(report) == dict(plain)


@pytest.mark.parametrize(("error", "near"), [(0.0, True), (1e-13, True), (-1e-13, True), (1e-9, False)])
def test_a_figure_lies_between_two_hundredths_in_spite_of_the_rounding_errors_of_long_sums(
    error: float, near: bool, tmp_path: Path
) -> None:
    """Sums over 100,000 mentions are off by up to 1e-13 of the figure."""
    path = tmp_path / "key.conllu"
    write(path, [[1, 2]], 2)
    report = corefscope.score(path, path, metrics="bcub").with_rows({"d": ((0.15625 + error, 1, 1.0, 1),)})
    assert adjustments._between(report, "bcub") is near


def test_unmatched_mentions_of_blanc_are_distinct_ones(tmp_path: Path) -> None:
    key, response = tmp_path / "key.conllu", tmp_path / "response.conllu"
    write(key, [[1, 2], [1, 3]], 3)
    write(response, [[1, 2]], 3)
    report = corefscope.score(key, response, rules="corefud-1.2", metrics="blanc")
    assert report.counts("blanc")["unmatched_mentions"] == 1
