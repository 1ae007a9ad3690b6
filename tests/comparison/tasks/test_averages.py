"""Macro averages over data sets, missing submissions, and ranks."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

import corefscope
from corefscope.cli import main
from corefscope.comparison.paired_tests import SIGNIFICANT, holm
from corefscope.comparison.tasks import Submission, Task, TaskResult, score_task
from corefscope.comparison.tasks.task import Scheme, Unscored
from corefscope.core.numbers import Score, headline
from corefscope.core.options import Options
from corefscope.core.report import Report
from oracles import resampling as slow
from rendering import as_text
from tasks_on_disk import KEY, WORSE, Documents, write


def command_line(*arguments: str) -> int:
    return main(["task", *arguments])


def test_data_sets_are_pooled_and_averaged(tmp_path: Path) -> None:
    """By hand: on one all is right; on two {1, 2} of {1, 2, 3, 4} is found, twice."""
    root = write(
        tmp_path,
        {
            "one/key.conllu": [[[1, 2]]],
            "one/ours.conllu": [[[1, 2]]],
            "two/key.conllu": [[[1, 2, 3, 4]], [[1, 2, 3, 4]], [[1, 2]]],
            "two/ours.conllu": [[[1, 2]], [[1, 2]], [[1, 2]]],
        },
    )
    result = score_task(root)
    micro = result["ours"]["two"]
    assert micro["muc"] == pytest.approx((3 / 7, 1, 6 / 10))  # links 1 + 1 + 1 of 3 + 3 + 1
    assert micro["bcub"] == pytest.approx((4 / 10, 1, 8 / 14))  # ¼·2 + ¼·2 + 2 of 4 + 4 + 2 mentions
    assert micro["ceafe"].f1 == pytest.approx(7 / 9)  # 2/3 + 2/3 + 1 of 3 entities
    macro = result.macro("ours")
    assert macro is not None
    assert macro["muc"] == pytest.approx(((1 + 3 / 7) / 2, 1, (1 + 6 / 10) / 2))
    assert isinstance(macro["muc"], Score)
    conll = (1 + (6 / 10 + 8 / 14 + 7 / 9) / 3) / 2
    assert result.average("ours", "conll") == pytest.approx(conll)
    assert result.ranks == {"ours": 1}


def test_every_submission_is_scored_as_it_would_be_alone(folder: Path) -> None:
    result = score_task(folder, metrics="all", match="exact", singletons="keep")
    alone = corefscope.score(
        folder / "one" / "key.conllu", folder / "one" / "a.conllu", metrics="all", match="exact", singletons="keep"
    )
    assert result["a"]["one"].to_dict() == alone.to_dict()
    macro = result.macro("a")
    assert macro is not None
    for name, score in macro.items():
        parts = [result["a"][dataset][name] for dataset in ("one", "two")]
        for figure, value in score._asdict().items():
            if figure != "direction":
                assert value == pytest.approx(sum(getattr(part, figure) for part in parts) / 2), (name, figure)


def test_a_missing_submission_counts_as_zero(folder: Path) -> None:
    result = score_task(folder)
    assert result.average("b", "conll") == pytest.approx(0.5)
    assert not result.is_complete("b")
    assert not result.errors
    assert result.problems == (Unscored("b", "two", "missing", f"there is no {folder / 'two' / 'b'}.*"),)
    assert "b: missing on two, counts as 0" in result.notes
    assert result.ranks["b"] is not None


def test_a_missing_submission_scores_worst_where_perfect_is_zero(folder: Path) -> None:
    result = score_task(folder, metrics="d_err", rank_by="d_err", significance=False)
    assert result["b"]["one"]["d_err"].value == 0
    assert result.average("b", "d_err") == pytest.approx(0.5)
    assert list(result.ranks) == ["a", "b"]


def test_a_missing_submission_is_skipped(folder: Path) -> None:
    result = score_task(folder, missing="skip")
    assert result.average("b", "conll") == pytest.approx(1)
    assert result.ranks == {"a": 1, "b": None}
    assert not result.errors
    assert "|missing:skip|" in result.signature


def test_a_missing_submission_is_an_error(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = score_task(folder, missing="error")
    assert result.average("b", "conll") is None
    assert result.ranks == {"a": 1, "b": None}
    assert [(error.system, error.dataset) for error in result.errors] == [("b", "two")]
    assert command_line(str(folder), "--missing", "error") == 1
    out, err = capsys.readouterr()
    assert "error: b on two: there is no" in err
    assert re.search(r"^a +1 ", out, re.MULTILINE)


def test_a_system_of_which_nothing_is_there_is_named(tmp_path: Path) -> None:
    write(tmp_path, {"key": KEY, "a": KEY})
    (tmp_path / "t.json").write_text(
        json.dumps({"datasets": {"one": "key"}, "systems": {"a": "a", "b": "{dataset}.b"}}), encoding="utf-8"
    )
    result = score_task(tmp_path / "t.json")
    assert result.warnings == [f"no file of b was found (there is no {tmp_path / 'one.b'})"]
    assert result.average("b", "conll") == 0


def _made(averages: Mapping[str, Sequence[Sequence[int]]], **settings: Any) -> TaskResult:
    """A result whose documents have 20 mentions, of which each system finds so many."""
    names = [f"set{at}" for at in range(len(next(iter(averages.values()))))]
    task = Task(
        "made",
        dict.fromkeys(names, ""),
        {system: {name: Submission("x") for name in names} for system in averages},
        {"metrics": "mentions", **settings},
    )
    reports = {
        system: {name: _detection(found) for name, found in zip(names, by_set, strict=True)}
        for system, by_set in averages.items()
    }
    return TaskResult(task, Scheme(task.settings), reports)


def _detection(found: Sequence[int]) -> Report:
    rows: dict[str, Any] = {f"#{at}": ((n, 20, n, 20),) for at, n in enumerate(found)}
    return Report(Options("clusters", "exact", "linear", "keep"), ("mentions",), rows)


def slow_p(ours: Sequence[Report], theirs: Sequence[Report], metric: str, resamples: int, seed: int) -> float:
    """How often systems that change places in random documents differ as much, one resample at a time."""

    def difference(swapped: Sequence[bool]) -> float:
        total, start = 0.0, 0
        for a, b in zip(ours, theirs, strict=True):
            here = swapped[start : start + len(a.rows)]
            start += len(here)
            scores: list[float] = []
            for one, other in ((a, b), (b, a)):
                rows = {name: (other if swap else one).rows[name] for name, swap in zip(a.rows, here, strict=True)}
                scores.append(headline(Report(a.options, tuple(a), rows)[metric]))
            total += scores[0] - scores[1]
        return total / len(ours)

    documents = sum(len(report.rows) for report in ours)
    observed: float = abs(difference([False] * documents)) - slow.TIE
    if 2**documents <= resamples:
        every = [[bool(number >> at & 1) for at in range(documents)] for number in range(2**documents)]
        return sum(abs(difference(swapped)) >= observed for swapped in every) / len(every)
    reached = sum(abs(difference(swapped)) >= observed for swapped in slow.swaps(seed, documents, resamples))
    return (reached + 1) / (resamples + 1)


def slow_ranks(
    averages: dict[str, float], reports: dict[str, list[Report]], p_value: Callable[[str, str], float]
) -> dict[str, int]:
    """Each system against the best of the cluster, until one differs; every p adjusted among all below the best."""
    order = sorted(averages, key=lambda name: -averages[name])
    ranks = {order[0]: 1}
    best = order[0]
    for at, name in enumerate(order[1:], 1):
        below = order[order.index(best) + 1 :]
        adjusted = dict(zip(below, holm([p_value(best, other) for other in below]), strict=True))
        if adjusted[name] < SIGNIFICANT:
            best = name
            ranks[name] = at + 1
        else:
            ranks[name] = ranks[best]
    assert set(ranks) == set(reports)
    return ranks


def _check_against_twin(result: TaskResult) -> None:
    metric, plan = result.scheme.rank_by, result.scheme.plan
    reports = result._for_test(list(result))
    averages = {system: result.average(system, metric) or 0.0 for system in result}

    def p_value(best: str, other: str) -> float:
        return slow_p(reports[best], reports[other], metric, plan.resamples, plan.seed)

    assert dict(result.ranks) == slow_ranks(averages, reports, p_value)
    for compared in result.ranking.comparisons:
        assert compared.p == pytest.approx(p_value(compared.best, compared.system), abs=1e-12)
        assert compared.difference == averages[compared.system] - averages[compared.best]


def test_systems_that_differ_by_chance_share_a_rank() -> None:
    """While a and b win in turn, c is clearly worse than both, and d like c; e has nothing."""
    result = _made(
        {
            "d": [[9, 12] * 3, [10, 11] * 2],
            "b": [[14, 16] * 3, [15, 16] * 2],
            "e": [[0, 1] * 3, [0, 0] * 2],
            "a": [[16, 14] * 3, [17, 15] * 2],
            "c": [[11, 10] * 3, [12, 10] * 2],
        },
        resamples=300,
    )
    assert dict(result.ranks) == {"a": 1, "b": 1, "c": 3, "d": 3, "e": 5}
    assert result.ranking.clusters == (("a", "b"), ("c", "d"), ("e",))
    assert [(row.best, row.system) for row in result.ranking.comparisons] == [
        *(("a", name) for name in "bcde"),
        *(("c", name) for name in "de"),
    ]
    _check_against_twin(result)


@pytest.mark.parametrize("seed", range(6))
def test_clusters_are_those_of_a_slow_twin(seed: int) -> None:
    rng = random.Random(seed)
    sets = [rng.randint(1, 6) for _ in range(rng.randint(1, 4))]
    levels = {name: rng.randint(4, 16) for name in "abcd"}
    made = {
        name: [[min(20, max(0, level + rng.randint(-4, 4))) for _ in range(size)] for size in sets]
        for name, level in levels.items()
    }
    _check_against_twin(_made(made, resamples=200, seed=seed))


def test_missing_submissions_are_tested_as_responses_without_entities(tmp_path: Path) -> None:
    """Twelve documents, six of which b lacks: the same as if it had found nothing in them."""
    many = [*KEY, *KEY, *KEY]
    files: dict[str, Documents | str] = {
        "one/key.conllu": many,
        "one/a.conllu": [*WORSE, *KEY, *WORSE],
        "one/b.conllu": many,
        "two/key.conllu": many,
        "two/a.conllu": many,
    }
    missing = score_task(write(tmp_path / "missing", files), resamples=500)
    files["two/b.conllu"] = [[]] * 6
    empty = score_task(write(tmp_path / "empty", files), resamples=500)
    assert missing.ranking == empty.ranking
    assert missing.ranks == {"a": 1, "b": 2}
    _check_against_twin(missing)
    assert missing.documents == 12


def test_the_draws_are_those_of_the_seed(folder: Path) -> None:
    rng = random.Random(5)
    made = {name: [[rng.randint(0, 20) for _ in range(10)] for _ in range(2)] for name in "ab"}
    p = [_made(made, resamples=200, seed=seed).ranking.comparisons[0].p for seed in (1, 1, 2, 3)]
    assert p[0] == p[1]
    assert len(set(p)) > 1
    assert "|resamples:200|seed:7|" in score_task(folder, resamples=200, seed=7).signature


def test_without_a_test_only_equal_averages_share_a_rank() -> None:
    made = {"a": [[10]], "b": [[12]], "c": [[10]], "d": [[3]]}
    result = _made(made)
    result.tested = False
    assert dict(result.ranks) == {"b": 1, "a": 2, "c": 2, "d": 4}
    assert result.ranking.comparisons == ()
    assert result.signature == result.signature.replace("seed", "")
    assert result.to_dict()["plan"] is None


def test_a_shared_rank_has_a_reason() -> None:
    made = {"a": [[16, 14] * 6], "b": [[14, 16] * 5 + [14, 15]], "c": [[1, 2] * 6], "d": [[1, 2] * 6]}
    result = _made(made, resamples=300)
    assert dict(result.ranks) == {"a": 1, "b": 1, "c": 3, "d": 3}
    contrast = next(one for one in result.ranking.comparisons if one.system == "b")
    assert contrast.adjusted > SIGNIFICANT
    reasons = {system: str(shared) for system, shared in result.shared_ranks.items()}
    p = "p=1.00" if contrast.adjusted > 0.9995 else f"p={contrast.adjusted:.3f}".replace("0.", ".")
    assert reasons == {"b": f"not significantly below a, {p}", "d": "the same average as c"}
    assert result.to_dict()["systems"]["b"]["shared"] == reasons["b"]
    assert "shared" not in result.to_dict()["systems"]["a"]
    rows = {line.split()[0]: line.split()[1:3] for line in as_text(result).splitlines()[1:5]}
    assert (rows["a"][0], rows["b"], rows["d"]) == ("1", ["1", p], ["3", "equal"])


DISJOINT: dict[str, tuple[dict[str, Sequence[Sequence[int]]], str]] = {
    "few documents": ({"a": [[20, 20]], "b": [[0, 0]]}, "with 2 documents and 1 comparison no difference can be"),
    "many comparisons": (
        {"a": [[20] * 8], **{name: [[2] * 8] for name in "bcdefghi"}},
        "with 8 documents and 8 comparisons no difference can be",
    ),
    "correction": ({"a": [[20] * 9], **{name: [[2] * 9] for name in "bcdefghi"}}, ""),
}


@pytest.mark.parametrize("case", DISJOINT)
def test_disjoint_intervals_of_a_shared_rank_are_explained(case: str) -> None:
    made, why = DISJOINT[case]
    result = _made(made)
    low = result.intervals["a"].low
    apart = [system for system in "bcdefghi" if system in made and result.intervals[system].high < low]
    assert apart
    shared = [system for system in apart if result.ranks[system] == 1]
    assert bool(shared) == bool(why)
    for system in shared:
        assert result.shared_ranks[system].why_disjoint.startswith(why)
    notes = [note for note in result.notes if "has nothing in common with" in note]
    assert len(notes) == bool(why)
    assert all(system in notes[0] for system in shared)


def test_a_missing_submission_is_a_reason_for_disjoint_intervals(tmp_path: Path) -> None:
    many = [*KEY, *KEY, *KEY]
    files: dict[str, Documents | str] = {
        **{f"{name}/{file}.conllu": many for name in ("one", "two") for file in ("key", "b")},
        **{f"{name}/a.conllu": [*WORSE, *KEY, *WORSE] for name in ("one", "two")},
        **{f"three/{file}.conllu": many[:3] for file in ("key", "a")},
    }
    result = score_task(write(tmp_path, files), resamples=500)
    assert dict(result.ranks) == {"a": 1, "b": 1}
    assert result.shared_ranks["b"].why_disjoint.startswith("a submission to three counts as 0")


def test_with_few_documents_nothing_is_significant() -> None:
    result = _made({"a": [[20, 20]], "b": [[0, 0]]})
    assert dict(result.ranks) == {"a": 1, "b": 1}
    assert any("with only 2 documents in all, no difference can be significant" in note for note in result.notes)
