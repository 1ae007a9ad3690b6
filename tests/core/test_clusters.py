"""Clusters that programs hand over: what is nested otherwise is refused with a hint, and spans may be lists."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest

from corefscope import InputError, OptionError, Scorer, clusters_from_links, score_clusters
from corefscope.cli import main
from corefscope.core.metrics import GROUPS, METRICS, aliases, select
from corefscope.measures.selection import b_cubed_over, restrict
from frameworks import framework

SPANS = [(0, 1), (2, 3)]
CLUSTERS = [[(0, 1), (4, 4)], [(7, 9), (8, 8)]]
HINT = r"(?s:.*)clusters of one document: \[\[\(0, 1\)"


@pytest.mark.parametrize("spans", [SPANS, tuple(SPANS), iter(SPANS), [tuple(map(np.int64, span)) for span in SPANS]])
def test_spans_without_clusters_around_them_are_refused(spans: Iterable[Any]) -> None:
    with pytest.raises(InputError, match=r"the key is a list of spans such as .*, not of clusters" + HINT):
        score_clusters(spans, [SPANS])


def test_the_response_is_looked_at_too() -> None:
    with pytest.raises(InputError, match="the response is a list of spans" + HINT):
        score_clusters([SPANS], SPANS)
    scorer = Scorer()
    with pytest.raises(InputError, match="the key is a list of spans"):
        scorer.add(SPANS, SPANS)
    assert len(scorer) == 0


def test_numbers_on_one_side_and_spans_on_the_other_are_refused() -> None:
    with pytest.raises(InputError, match="mentions of the response are numbers, those of the other" + HINT):
        score_clusters([SPANS], [[0, 1], [2, 3]])
    with pytest.raises(InputError, match="mentions of the key are numbers"):
        score_clusters([[0, 1], [2, 3]], [SPANS])


@pytest.mark.parametrize("deep", [[[SPANS]], [[["a", "b"]]], [[[0, 1, 2]]]])
def test_documents_around_clusters_are_refused(deep: Any) -> None:
    with pytest.raises(InputError, match=r"is a list, but not \[start, end\]" + HINT):
        score_clusters(deep, deep)


@pytest.mark.parametrize(
    "clusters", [[[0, 1], [2, 3]], [(0, 1, 2), (3, 4)], [("a", "b"), ("c", "d")], [{0, 1}, {2, 3}], [SPANS], []]
)
def test_what_can_be_meant_is_scored(clusters: Any) -> None:
    report = score_clusters(clusters, clusters, metrics="bcub")
    assert report["bcub"].f1 == (1.0 if clusters else 0.0)


def test_spans_may_be_lists_wherever_they_may_be_tuples() -> None:
    lists: list[list[Any]] = [[[0, 1], [4, 4]], [[7, 9], (8, 8)]]
    tuples: list[list[Any]] = [[(0, 1), (4, 4)], [(7, 9), (8, 8)]]
    response = [[(0, 1), (4, 4), (7, 9)]]
    each: list[dict[str, Any]] = [{}, {"singletons": "drop"}, {"rules": "corrected"}, {"rules": "conll-8.01"}]
    for options in each:
        expected = score_clusters(tuples, response, **options)
        assert dict(score_clusters(lists, response, **options)) == dict(expected)
    assert b_cubed_over(lists, response, lambda _: True) == b_cubed_over(tuples, response, lambda _: True)
    assert clusters_from_links([([0, 1], (4, 4)), ((4, 4), [7, 9])]) == [[(0, 1), (4, 4), (7, 9)]]


@pytest.mark.parametrize(
    ("name", "ours"),
    [
        *(("b3", "bcub"), ("b_cubed", "bcub"), ("B-cubed", "bcub"), ("ceaf_e", "ceafe"), ("phi4", "ceafe")),
        *(("ceaf-m", "ceafm"), ("conll_f1", "conll"), ("mention_detection", "mentions"), ("zeros", "zero")),
    ],
)
def test_a_metric_is_accepted_by_another_name(name: str, ours: str) -> None:
    assert select(name) == select(ours)
    if ours != "zero":  # which needs words
        report = score_clusters([["a"]], [["a"]], metrics=name)
        assert report[name] == report[ours]


@pytest.mark.parametrize(("name", "ours"), [("average", "conll"), ("cluster", "clusters_exact"), ("lae", "lea")])
def test_a_name_that_may_mean_a_metric_is_suggested(name: str, ours: str) -> None:
    with pytest.raises(OptionError, match=rf"unknown metric '{name}' \(did you mean '{ours}'"):
        score_clusters([["a"]], [["a"]], metrics=name)


def test_other_names_are_no_names_of_ours() -> None:
    assert not set(aliases()) & {*METRICS, *GROUPS}
    assert all(alias == alias.lower() for alias in aliases())
    assert sum(len(metric.aliases) + len(metric.hints) for metric in METRICS.values()) == len(aliases())
    assert select(list(METRICS)) == tuple(METRICS)


def test_the_metric_to_rank_by_is_suggested_too(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["task", "nowhere", "--rank-by", "lae"])
    assert "did you mean 'lea'" in capsys.readouterr().err
    assert main(["task", "nowhere", "--rank-by", "b3"]) == 1
    assert "b3" not in capsys.readouterr().err


class FakeTensor:
    """An array that compares by identity, as the tensors of PyTorch do."""

    def __init__(self, numbers: Any) -> None:
        self._numbers = numbers

    def tolist(self) -> Any:
        return self._numbers

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Any:
        return map(FakeTensor, self._numbers)

    def __eq__(self, other: object) -> Any:
        return FakeTensor([other])

    __hash__ = object.__hash__


class FakeVariable:
    """An array without ``tolist`` that cannot be hashed, as the tensors of TensorFlow are."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, numbers: Any) -> None:
        self._numbers = numbers

    def __array__(self) -> Any:
        return np.array(self._numbers)


def _torch_tensor(numbers: Any) -> Any:
    return framework("torch").tensor(numbers)


ARRAYS = [FakeTensor, FakeVariable, np.array, _torch_tensor]


@pytest.mark.parametrize("options", [{}, {"singletons": "drop"}, {"rules": "corrected"}, {"rules": "conll-8.01"}])
@pytest.mark.parametrize("array", ARRAYS)
def test_arrays_and_tensors_score_as_their_numbers(array: Callable[[Any], Any], options: dict[str, Any]) -> None:
    response: list[list[Any]] = [[(0, 1), (4, 4), (7, 9)]]
    expected = dict(score_clusters(CLUSTERS, response, **options))
    spans = [[array(list(span)) for span in cluster] for cluster in CLUSTERS]
    parts = [[(array(start), array(end)) for start, end in cluster] for cluster in CLUSTERS]
    for key in (spans, parts):
        assert dict(score_clusters(key, response, **options)) == expected
    numbers = [[array(start) for start, _ in cluster] for cluster in CLUSTERS]
    assert score_clusters(numbers, [[0, 4], [7, 8]], metrics="bcub")["bcub"].f1 == 1.0
    nested = [[("d", array([0, 1]))], [("d", array([2, 2]))]]
    assert score_clusters(nested, [[("d", (0, 1))], [("d", (2, 2))]], metrics="bcub")["bcub"].f1 == 1.0


@pytest.mark.parametrize("array", [FakeTensor, np.array, _torch_tensor])
def test_a_cluster_may_be_an_array_of_spans(array: Callable[[Any], Any]) -> None:
    clusters = [array([list(span) for span in cluster]) for cluster in CLUSTERS]
    assert score_clusters(clusters, CLUSTERS, metrics="bcub")["bcub"].f1 == 1.0
    assert b_cubed_over(clusters, CLUSTERS, lambda _: True).f1 == 1.0
    with pytest.raises(InputError, match="the key is a list of spans"):
        score_clusters(array([[0, 1], [2, 3]]), CLUSTERS)


@pytest.mark.parametrize("array", ARRAYS)
def test_links_between_arrays_make_clusters_of_their_numbers(array: Callable[[Any], Any]) -> None:
    assert clusters_from_links([(array([0, 1]), array([4, 4])), ((4, 4), array([7, 9]))]) == [
        [(0, 1), (4, 4), (7, 9)]
    ]


@pytest.mark.parametrize("numbers", [[0, 1, 2], [0], [], [[0, 1]], [0.0, 1.0], [False, True], 0.5, True])
@pytest.mark.parametrize("array", ARRAYS)
def test_arrays_that_are_no_span_are_refused(array: Callable[[Any], Any], numbers: Any) -> None:
    with pytest.raises(InputError, match=r"cluster 1 of the response: a mention cannot be used: .*\n.*\.tolist\(\)"):
        score_clusters([[0]], [[(0, 0)], [(0, 1), array(numbers)]])


class Plain:
    """Compares by identity, as objects do by default."""


class EqualNeverHashed:
    """Equal by value, but hashed by identity: never found."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, EqualNeverHashed)

    __hash__ = object.__hash__


@dataclass(frozen=True)
class Span:
    start: Any
    end: Any


@pytest.mark.parametrize("make", [Plain, object, EqualNeverHashed, lambda: (0, Plain()), lambda: ("d", (Plain(), 1))])
def test_mentions_that_compare_by_identity_are_refused(make: Callable[[], Any]) -> None:
    scorer = Scorer()
    mention = make()
    for key in ([[make(), make()]], [[mention]]):
        with pytest.raises(InputError, match=r"cluster 0 of the key: mentions of type \w+ are compared by identity"):
            scorer.add(key, [[make(), mention]])
    with pytest.raises(InputError, match=r"link 0: mentions of type"):
        clusters_from_links([(make(), make())])
    assert len(scorer) == 0


def test_a_dataclass_that_holds_arrays_is_refused() -> None:
    with pytest.raises(InputError, match="Span holds"):
        score_clusters([[Span(FakeTensor(0), FakeTensor(1))]], [[Span(FakeTensor(0), FakeTensor(1))]])


@pytest.mark.parametrize("nan", [float("nan"), np.float64("nan"), (0, float("nan"))])
def test_not_a_number_is_no_mention(nan: Any) -> None:
    with pytest.raises(InputError, match="a mention is nan, which equals nothing, not even itself"):
        score_clusters([[nan]], [[nan]])


@pytest.mark.parametrize("mention", [{1, 2}, {"start": 0}, bytearray(b"x"), (0, {1})])
def test_mentions_that_cannot_be_hashed_are_refused(mention: Any) -> None:
    with pytest.raises(InputError, match="cluster 0 of the key: a mention cannot be used: unhashable"):
        score_clusters([[mention]], [[(0, 1)]])


def test_a_dictionary_has_clusters_by_name() -> None:
    key, response = [["a", "b", "c"], ["d"]], [["b", "c"], ["d", "e"]]
    named = dict(zip("xy", key, strict=True)), dict(zip("yz", response, strict=True))
    assert dict(score_clusters(*named)) == dict(score_clusters(key, response))
    scorer = Scorer()
    scorer.update(key=named[0], response=response)
    assert scorer.report()["muc"] == score_clusters(key, response)["muc"]
    assert b_cubed_over(*named, lambda _: True) == b_cubed_over(key, response, lambda _: True)
    assert restrict(named[0], lambda mention: mention != "d") == [["a", "b", "c"]]
    assert score_clusters({}, named[1])["mentions"] == (0, 0, 0)


@pytest.mark.parametrize("clusters", [{(0, 1): 1}, {"m1": "e1"}, {"m1": None}])
def test_labels_by_mention_are_no_clusters_by_name(clusters: Any) -> None:
    with pytest.raises(InputError, match=r"is a dictionary, but .* has .*, which is not a list of mentions"):
        score_clusters(clusters, clusters)


@pytest.mark.parametrize("clusters", [[{"id": "e1", "mentions": [(0, 1)]}], {"e1": {"m1": 1}}])
def test_clusters_themselves_are_no_dictionaries(clusters: Any) -> None:
    with pytest.raises(InputError, match="is a dictionary"):
        score_clusters(clusters, clusters)


class Point(NamedTuple):
    start: int
    end: int


class Letter(Enum):
    A = "a"


@pytest.mark.parametrize(
    "make",
    [
        *(
            lambda: Span(0, 1),
            lambda: Point(0, 1),
            lambda: Letter.A,
            lambda: frozenset((0, 1)),
            lambda: Fraction(1, 3),
        ),
        *(lambda: 1.5, lambda: b"m", lambda: None, lambda: range(3), lambda: np.str_("m"), lambda: np.int32(4)),
    ],
)
def test_every_value_is_a_mention(make: Callable[[], Any]) -> None:
    assert score_clusters([[make(), "x"]], [[make(), "x"]], metrics="bcub")["bcub"].f1 == 1.0


def test_update_requires_the_names_of_its_arguments() -> None:
    """``update(preds, target)`` of torchmetrics has the response first: recall and precision would be swapped."""
    key, response = [[(0, 1), (4, 4)], [(7, 9)]], [[(0, 1), (4, 4)]]
    scorer = Scorer(metrics="muc,bcub")
    both = r"update\(key=\.\.\., response=\.\.\.\).*update\(preds, target\)"
    with pytest.raises(TypeError, match=both):
        scorer.update(response, key)
    with pytest.raises(TypeError, match=both):
        scorer.update(key, response=response)
    with pytest.raises(TypeError, match=both):
        scorer.update(key=key)
    assert len(scorer) == 0
    scorer.update(response=response, key=key, name="d")
    assert list(scorer.report().rows) == ["d"]
    assert dict(scorer.compute()) == dict(score_clusters(key, response, metrics="muc,bcub"))
