"""Shared tasks: averages, ranks, and that nothing is lost by what one submission does."""

from __future__ import annotations

import argparse
import csv
import gzip
import io
import json
import ntpath
import os
import random
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jsonschema
import pytest

import corefscope
from corefscope.cli import task as command
from corefscope.cli.terminal import guarded
from corefscope.compare.resampling import SIGNIFICANT, holm
from corefscope.compare.tasks import Submission, Task, TaskResult, read_task, run_task, score_task, scoring
from corefscope.compare.tasks.scoring import Job, Outcome
from corefscope.compare.tasks.task import Scheme, Unscored
from corefscope.compare.verify import task_again
from corefscope.core.errors import InputError, OptionError
from corefscope.core.numbers import Score, headline
from corefscope.core.options import Options
from corefscope.core.report import Report
from corefscope.formats.processes import how_many
from corefscope.output.formats import REPORTS
from corefscope.output.formats.json import schema
from oracles import resampling as slow
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE

Documents = Sequence[Sequence[Sequence[int]]]
"""Documents of entities of words, each word a mention."""
WORDS = 12
KEY: Documents = [[[1, 2, 3, 4], [6, 8]], [[1, 5], [2, 3, 9]]]
WORSE: Documents = [[[1, 2], [6, 8]], [[1, 5, 2, 3, 9]]]
BAD: Documents = [[[1, 6], [2, 8]], [[9, 5], [1, 3]]]


def text(documents: Documents, first: int = 0) -> str:
    """The documents as CorefUD."""
    lines = ["# global.Entity = eid-etype-head-other"]
    for number, entities in enumerate(documents, first):
        owner = {word: at for at, entity in enumerate(entities) for word in entity}
        lines += [f"# newdoc id = d{number}", f"# sent_id = s{number}"]
        for word in range(1, WORDS + 1):
            entity = f"Entity=(d{number}e{owner[word]}-x-1-)" if word in owner else "_"
            lines.append(f"{word}\tw{word}\t_\tX\t_\t_\t{word - 1}\tdep\t_\t{entity}")
        lines.append("")
    return "\n".join([*lines, ""])


def write(root: Path, files: dict[str, Documents | str]) -> Path:
    """A directory with these files."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else text(content), encoding="utf-8")
    return root


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two data sets; b has no submission for the second."""
    return write(
        tmp_path / "task",
        {
            "one/key.conllu": KEY,
            "one/a.conllu": WORSE,
            "one/b.conllu": KEY,
            "two/gold.conllu": KEY[:1],
            "two/a.conllu": KEY[:1],
        },
    )


def command_line(*arguments: str) -> int:
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    return guarded(lambda: command.run(parser.parse_args(arguments)))


# ---- averages


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
    assert result.warnings == [f"nothing was found of b (there is no {tmp_path / 'one.b'})"]
    assert result.average("b", "conll") == 0


# ---- what goes wrong


def test_other_documents_are_the_fault_of_their_submission(folder: Path) -> None:
    (folder / "one" / "b.conllu").write_text(text(KEY[:1]), encoding="utf-8")
    result = score_task(folder)
    (error,) = result.errors
    assert (error.system, error.dataset, error.status) == ("b", "one", "faulty")
    assert "document 'd1' is not in the response" in error.message
    assert result.average("b", "conll") == 0
    assert set(result["a"]) == {"one", "two"}


def test_documents_that_only_one_response_has_are_tested_with_the_others(tmp_path: Path) -> None:
    """Tables are paired by document: a response may have documents that the key lacks."""
    header = "doc,mention,entity\n"
    key = "".join(f"d{at},1,a\nd{at},2,a\n" for at in range(12))
    files: dict[str, Documents | str] = {
        "one/key.csv": header + key,
        "one/ours.csv": header + key,
        "one/theirs.csv": header + "c1,7,b\nc1,8,b\n" + key.replace("2,a", "2,b"),
        "one/third.csv": header + key + "e1,7,b\ne1,8,b\n",
    }
    result = score_task(write(tmp_path, files), metrics="bcub", rank_by="bcub", resamples=200)
    assert result.ranks == {"ours": 1, "third": 1, "theirs": 3}
    assert set(result.intervals) == {"ours", "theirs", "third"}


def test_a_corrupt_file_loses_nothing_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = [f"s{at:02}" for at in range(12)]
    write(tmp_path, {"one/key.conllu": KEY, **{f"one/{name}.conllu": WORSE for name in names}})
    (tmp_path / "one" / "s07.conllu").write_bytes(b"# newdoc\n1\tw1\xff\n")
    assert command_line(str(tmp_path), "--jobs", "2", "--format", "json", "--resamples", "100") == 1
    out, err = capsys.readouterr()
    assert err.count("corefscope: error:") == 1
    assert "s07 on one" in err
    found = json.loads(out)
    assert [(error["system"], error["status"]) for error in found["errors"]] == [("s07", "faulty")]
    statuses = {name: system["submissions"]["one"]["status"] for name, system in found["systems"].items()}
    assert statuses == {name: "faulty" if name == "s07" else "scored" for name in names}
    scores = {
        system["submissions"]["one"]["report"]["metrics"]["conll"]["f1"]
        for name, system in found["systems"].items()
        if name != "s07"
    }
    assert len(scores) == 1


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_faulty_and_does_not_hang(folder: Path) -> None:
    """As a file, in a directory that is validated, and behind a link; links to files are read."""
    (folder / "x").mkdir()
    (folder / "x" / "key").mkdir()
    shutil.copy(EXAMPLE_KEY, folder / "x" / "key" / "a.conllu")
    for name in ("ours", "theirs"):
        (folder / "x" / name).mkdir()
    os.mkfifo(folder / "x" / "ours" / "a.conllu")
    (folder / "x" / "theirs" / "a.conllu").symlink_to(EXAMPLE_RESPONSE)
    (folder / "y").mkdir()
    shutil.copy(EXAMPLE_KEY, folder / "y" / "key.conllu")
    os.mkfifo(folder / "y" / "pipe.conllu")
    (folder / "y" / "ours.conllu").symlink_to(folder / "y" / "pipe.conllu")
    program = f"from corefscope import score_task; print(*score_task({str(folder)!r}).problems, sep='\\n')"
    command = [sys.executable, "-c", program]
    said = subprocess.run(command, capture_output=True, text=True, timeout=20, check=True).stdout
    for name in ("pipe", "ours"):
        assert f"{folder / 'y' / name}.conllu: is a pipe or a device, not a file" in said
    assert "ours on x" in said
    assert "theirs on x" not in said


def test_a_bad_key_leaves_its_data_set_out(folder: Path) -> None:
    write(folder, {"three/key.conllu": "nonsense\n", "three/a.conllu": KEY, "three/b.conllu": KEY})
    result = score_task(folder)
    assert result.datasets == ("one", "two")
    (error,) = result.errors
    assert str(error).startswith("data set three is left out: ")
    assert result.average("a", "conll") == score_task(folder, missing="skip").average("a", "conll")
    assert "three: left out of all averages, its key cannot be read" in result.notes
    assert result.to_dict()["systems"]["a"]["submissions"]["three"]["status"] == "key"


def test_without_any_key_there_is_no_result(tmp_path: Path) -> None:
    write(tmp_path, {"one/key.conllu": "nonsense\n", "one/a.conllu": KEY})
    with pytest.raises(InputError, match="no key can be read"):
        score_task(tmp_path)


def test_nothing_but_faulty_submissions(tmp_path: Path) -> None:
    write(tmp_path, {"one/key.conllu": KEY, "one/a.conllu": "x\n", "one/b.conllu": "x\n"})
    result = score_task(tmp_path)
    assert result.ranks == {"a": 1, "b": 1}
    assert len(result.errors) == 2
    for row in REPORTS.values():
        assert row.render(result, True, False)


def test_what_we_did_wrong_ourselves_is_said(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr(scoring, "_score", fail)
    result = score_task(folder, jobs=1)
    assert "corefscope has failed, please report it: ZeroDivisionError" in result.errors[0].message


# ---- processes


def test_processes_change_nothing(folder: Path) -> None:
    (folder / "two" / "a.conllu").write_text("x\n", encoding="utf-8")
    told: list[tuple[int, int, str]] = []
    serial = score_task(folder, jobs=1, digests=True)
    parallel = score_task(folder, jobs=3, digests=True, progress=lambda *news: told.append(news))
    assert parallel.to_dict() == serial.to_dict()
    assert parallel.to_records(per_document=True) == serial.to_records(per_document=True)
    assert sorted(news[:2] for news in told) == [(1, 3), (2, 3), (3, 3)]
    assert {name for *_, name in told} == {"a on one", "a on two", "b on one"}
    read = serial.to_dict()["systems"]["a"]["submissions"]["one"]["report"]["inputs"]["key"]
    assert len(read["sha256"]) == 64


def deadly(job: Job, *arguments: Any) -> Outcome:
    """Scores, unless the response is called b."""
    if job.system == "b":
        os._exit(3)
    return scoring.score_job(job, *arguments)


def test_a_process_that_dies_takes_no_other_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"one/key.conllu": KEY, **{f"one/{name}.conllu": WORSE for name in "abcd"}})
    monkeypatch.setattr(scoring, "score_job", deadly)
    result = score_task(tmp_path, jobs=2, significance=False)
    assert [(error.system, error.message) for error in result.errors] == [("b", scoring.DIED)]
    assert [len(result[name]) for name in "abcd"] == [1, 0, 1, 1]


def test_where_there_are_no_processes_this_one_does_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = score_task(folder, jobs=1)
    monkeypatch.setattr("corefscope.formats.processes.WorkerPool.start", lambda *_: False)
    assert score_task(folder, jobs=2).to_dict() == expected.to_dict()


def test_a_script_that_is_not_protected_gets_its_result(folder: Path) -> None:
    script = folder.parent / "script.py"
    script.write_text(
        "from corefscope.compare.tasks import score_task\n"
        f"print(score_task({str(folder)!r}, jobs=2, significance=False).average('b', 'conll'))\n",
        encoding="utf-8",
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True)
    assert done.stdout.split()[-1] == "0.5"


def test_an_interruption_is_passed_on(folder: Path) -> None:
    def enough(*_: Any) -> None:
        raise KeyboardInterrupt

    for jobs in (1, 2):
        with pytest.raises(KeyboardInterrupt):
            score_task(folder, jobs=jobs, progress=enough)


def test_the_number_of_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 3, 5}, raising=False)
    assert [how_many(jobs) for jobs in (None, 1, 2, 1000)] == [3, 1, 2, 60]
    assert scoring._size(Job("a", "one", os.path.dirname(__file__), "nowhere")) > 1000
    with pytest.raises(OptionError, match="must be at least 1 and is 0"):
        scoring.run_jobs([], [Scheme({})], workers=0)


# ---- ranks


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


def test_with_few_documents_nothing_is_significant() -> None:
    result = _made({"a": [[20, 20]], "b": [[0, 0]]})
    assert dict(result.ranks) == {"a": 1, "b": 1}
    assert any("with only 2 documents in all, no difference can be significant" in note for note in result.notes)


# ---- manifests and directories

TOML = """\
preset = "crac25"
metrics = ["conll", "lea"]
rank_by = "lea"
resamples = 200
[datasets]
"no" = "gold/no.conllu"
"x[1]" = "gold/x*.conllu"
[systems]
ours = "runs/ours/{dataset}-*.conllu"
[systems.theirs]
no = "runs/theirs.conllu"
"""
YAML = """\
preset: crac25
metrics: [conll, lea]
rank_by: lea
resamples: 200
datasets:
  no: gold/no.conllu
  x[1]: gold/x*.conllu
systems:
  ours: runs/ours/{dataset}-*.conllu
  theirs:
    no: runs/theirs.conllu
"""
JSON = json.dumps(
    {
        "preset": "crac25",
        "metrics": ["conll", "lea"],
        "rank_by": "lea",
        "resamples": 200,
        "datasets": {"no": "gold/no.conllu", "x[1]": "gold/x*.conllu"},
        "systems": {"ours": "runs/ours/{dataset}-*.conllu", "theirs": {"no": "runs/theirs.conllu"}},
    },
    indent=1,
)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    return write(
        tmp_path / "m",
        {
            "gold/no.conllu": KEY,
            "gold/xx.conllu": KEY,
            "runs/ours/no-1.conllu": WORSE,
            "runs/ours/x[1]-1.conllu": WORSE,
            "runs/ours/x1-1.conllu": BAD,
            "runs/theirs.conllu": BAD,
        },
    )


@pytest.mark.parametrize(("suffix", "content"), [("toml", TOML), ("json", JSON), ("yaml", YAML), ("yml", YAML)])
def test_manifests(files: Path, suffix: str, content: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if content == YAML:
        pytest.importorskip("yaml")
    manifest = files / f"task.{suffix}"
    manifest.write_text(content, encoding="utf-8")
    task = read_task(manifest)
    assert task.datasets == {"no": str(files / "gold/no.conllu"), "x[1]": str(files / "gold/xx.conllu")}
    assert task.systems["ours"]["x[1]"] == Submission(str(files / "runs/ours/x[1]-1.conllu"))
    assert task.systems["theirs"]["x[1]"] == Submission("", "missing", "the manifest names no file")
    result = run_task(task)
    assert result.scheme.metrics == ("muc", "bcub", "ceafe", "conll", "lea")
    assert result.scheme.rank_by == "lea"
    assert result.scheme.plan.resamples == 200
    monkeypatch.chdir(files)
    assert score_task(manifest.name).to_records() == result.to_records()
    assert score_task(manifest.name, rank_by="muc", match="exact").scheme.options.match == "exact"


def test_a_pattern_must_mean_one_file(files: Path) -> None:
    manifest = files / "task.toml"
    manifest.write_text(TOML.replace("{dataset}-*", "*{dataset}*").replace("runs/ours", "*/ours"), encoding="utf-8")
    write(files, {"runs/ours/no-2.conllu": KEY})
    result = score_task(manifest)
    (error,) = result.errors
    assert (error.system, error.dataset, error.status) == ("ours", "no", "faulty")
    assert "must match one file, but matches 2: " in error.message
    assert set(result["ours"]) == {"x[1]"}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("rank_by", "rankby"), "task.toml:3: unknown field 'rankby' (did you mean 'rank_by'?)"),
        (('"crac25"', '"crac52"'), "task.toml:1: unknown preset 'crac52' (did you mean 'crac2"),
        (('"lea"]', '"lae"]'), "task.toml:2: unknown metric 'lae' (did you mean 'lea'"),
        (('rank_by = "lea"', 'rank_by = "corefud"'), "task.toml:3: unknown metric 'corefud'"),
        (('rank_by = "lea"', 'missing = "none"'), "task.toml:3: unknown value of missing 'none'"),
        (('rank_by = "lea"', 'key_format = "connl"'), "task.toml:3: unknown format 'connl' (did you mean 'conll'"),
        (('["conll", "lea"]', "5"), "task.toml:2: metrics must be a text or a list and is not 5"),
        (('"crac25"', "5"), "task.toml:1: preset must be a text and is not 5"),
        (("200", "true"), "task.toml:4: resamples must be a whole number and is not True"),
        (("200", "20"), "task.toml:4: 20 resamples are too few"),
        (("[datasets]", "[datasets"), "task.toml:5: is not TOML: expected"),
        (
            ('"no" =', '"x[1]" ='),
            "task.toml:7: is not TOML: cannot overwrite a value\n  hint: put text in quotes, and every name",
        ),
        (("gold/no", "gold/on"), "task.toml:6: the key of 'no': there is no "),
        (('"gold/no.conllu"', "5"), "task.toml:6: the key of 'no' must be a path and is not 5"),
        (("{dataset}", "{datset}"), "task.toml:9: unknown placeholder '{datset}' (did you mean '{dataset}'?)"),
        (("{dataset}", "no"), "task.toml:9: the pattern of 'ours' is the same for all data sets"),
        (
            ('"runs/ours/{dataset}-*.conllu"', "[]"),
            "task.toml:9: 'ours' must be a pattern with {dataset}, or a table",
        ),
        (("\nno = ", "\nnoo = "), "task.toml:11: unknown data set 'noo' (did you mean 'no'?)"),
        (('"runs/theirs.conllu"', "5"), "task.toml:11: the file of 'theirs' for 'no' must be a path, not 5"),
        (("runs/", "rnus/"), "task.toml:8: no file of any system was found: no file matches "),
        (("[datasets]", "[systems.x]"), "task.toml: has no datasets"),
        (("[systems]", "systems = 5 #"), "task.toml:8: the key of 'systems' must be a path and is not 5"),
    ],
)
def test_faulty_manifests_are_explained(files: Path, change: tuple[str, str], message: str) -> None:
    manifest = files / "task.toml"
    manifest.write_text(TOML.replace(*change), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        score_task(manifest)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("t.json", '{"datasets": {"a": "x",\n "a": "y"}}', "t.json:2: 'a' occurs twice"),
        ("t.json", '{"datasets": \n}', "t.json:2: is not JSON: Expecting value"),
        ("t.json", "[" * 100_000, "t.json: is nested too deeply"),
        ("t.json", "[]", "t.json: the manifest must be a table"),
        ("t.json", '{"datasets": {}, "systems": {}}', "t.json:1: datasets is empty"),
        ("t.json", '{"datasets": {"": "x"}, "systems": {}}', "t.json:1: a name in datasets is empty"),
        ("t.json", '{"datasets": [], "systems": {}}', "t.json:1: datasets must be a table"),
        ("t.txt", "", "t.txt: is neither a directory nor a manifest"),
        ("t.yaml", "datasets:\n  a: x\n  a: y\n", "t.yaml:3: 'a' occurs twice"),
        ("t.yaml", "datasets:\n  a: [\n", "t.yaml:3: is not YAML: "),
        ("t.yaml", "datasets:\n  a: &x k\n  b: *x\n", "t.yaml:3: the alias *x is not read"),
        ("t.yaml", "datasets:\n  [a]: x\n", "t.yaml:2: a name must be a text"),
        ("t.yaml", "seed: a\n", "t.yaml:1: seed must be a whole number"),
        ("t.yaml", "!!python/object/apply:os.system [ls]\n", "t.yaml: the manifest must be a table"),
    ],
)
def test_files_that_are_no_manifests_are_explained(tmp_path: Path, name: str, content: str, message: str) -> None:
    if name.endswith("yaml"):
        pytest.importorskip("yaml")
    (tmp_path / name).write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=re.escape(message)):
        score_task(tmp_path / name)


def test_text_that_is_not_utf_8_is_no_manifest(tmp_path: Path) -> None:
    (tmp_path / "t.toml").write_bytes(b"a = '\xff'")
    with pytest.raises(InputError, match="is not UTF-8"):
        score_task(tmp_path / "t.toml")
    with pytest.raises(InputError, match="there is no such file or directory"):
        score_task(tmp_path / "none.toml")


def test_yaml_needs_a_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "t.yaml").write_text("datasets: {}\n", encoding="utf-8")
    monkeypatch.setitem(sys.modules, "yaml", None)
    with pytest.raises(InputError, match=r'pip install "corefscope\[yaml\]"'):
        score_task(tmp_path / "t.yaml")


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"README.md": "x"}, "has no subdirectories"),
        ({"one/a.conllu": KEY}, "one: there is no key"),
        ({"one/key.conllu": KEY, "one/gold.conllu": KEY}, "there are 2 keys: gold.conllu, key.conllu"),
        ({"one/key.conllu": KEY, "one/.hidden": "x", "one/README.md": "x"}, "has keys, but no responses"),
        (
            {"one/key.conllu": KEY, "one/a.conllu": KEY, "one/a.conll": KEY},
            "two files of the system 'a': a.conll and a.conllu",
        ),
    ],
)
def test_directories_that_are_no_tasks_are_explained(
    tmp_path: Path, files: dict[str, Documents | str], message: str
) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        score_task(write(tmp_path, files))


def test_directories_hold_compressed_files_and_directories(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "one/Key/x.conllu": KEY[:1],
            "one/Key/y.conllu": text(KEY[1:], first=1),
            "one/v1.0/x.conllu": KEY[:1],
            "one/v1.0/y.conllu": text(KEY[1:], first=1),
            "one/a.conllu~": "a copy that an editor has made",
            "two/key.conllu": KEY,
        },
    )
    (tmp_path / "two" / "v1.0.conllu.gz").write_bytes(gzip.compress(text(KEY).encode()))
    result = score_task(tmp_path)
    assert result.average("v1.0", "conll") == 1
    assert not result.problems


# ---- outputs


@pytest.mark.parametrize("per_document", [False, True])
@pytest.mark.parametrize("name", REPORTS)
def test_every_format_has_figures_and_signature(folder: Path, name: str, per_document: bool) -> None:
    result = score_task(folder)
    shown = REPORTS[name].render(result, per_document, False)
    signature = {
        "latex": result.signature.replace("_", r"\_").replace("|", r"\textbar{}\allowbreak{}"),
        "json": json.dumps(result.signature),
    }.get(name, result.signature)
    assert signature in shown
    average = result.average("a", "conll")
    assert average is not None
    figure = str(result["a"]["one"]["conll"].f1) if name in ("json", "csv", "tsv") else f"{100 * average:.2f}"
    assert figure in shown or per_document
    assert ("d1" in shown) == per_document
    if name in ("csv", "tsv"):
        rows = list(csv.DictReader(io.StringIO(shown), delimiter="," if name == "csv" else "\t"))
        assert rows[0]["system"] == "a"
        assert {row["dataset"] for row in rows} == {"one", "two", ""}
        totals = [row for row in rows if not row.pop("document", "")]
        assert [float(row["f1"]) if row["f1"] else None for row in totals] == [
            record["f1"] for record in result.to_records()
        ]
    if name == "latex":
        tables = re.findall(r"\\begin\{tabular\}\{(\w+)\}(.*?)\\end\{tabular\}", shown, re.DOTALL)
        assert tables
        for columns, body in tables:
            assert {row.count("&") for row in body.splitlines() if row.endswith(r"\\")} == {len(columns) - 1}
    if name == "markdown":
        assert "| a | 1 | **" in shown


def test_records(folder: Path) -> None:
    result = score_task(folder, metrics="muc")
    records = {(row["system"], row["average"], row["dataset"]): row for row in result.to_records()}
    assert len(records) == 6
    assert records["b", "micro", "two"]["submission"] == "missing"
    assert records["b", "micro", "two"]["f1"] == 0
    assert records["b", "macro", ""]["f1"] == pytest.approx(0.5)
    skipped = score_task(folder, metrics="muc", missing="skip").to_records()
    assert [row["f1"] for row in skipped if row["system"] == "b"] == [1, None, 1]
    none = score_task(folder, metrics="muc", missing="error").to_records()
    assert [row["f1"] for row in none if row["system"] == "b"] == [1, None, None]


@pytest.mark.parametrize("significance", [True, False])
def test_a_saved_result_can_be_computed_again(folder: Path, significance: bool) -> None:
    write(folder, {"three/key.conllu": "x\n", "three/a.conllu": KEY, "one/c.conllu": "x\n"})
    result = score_task(
        folder,
        metrics="lea",
        match="exact",
        significance=significance,
        resamples=150 if significance else None,
        digests=True,
    )
    saved = json.loads(REPORTS["json"].render(result, True, False))
    told: list[tuple[str, str]] = []

    def find(side: str, path: str) -> str:
        told.append((side, path))
        return path

    again = task_again(saved, find)
    assert again.to_dict() == saved
    assert again.scheme.plan.resamples == (150 if significance else 10_000)
    assert ("key", str(folder / "two" / "gold.conllu")) in told
    assert ("response", str(folder / "one" / "b.conllu")) in told


@pytest.mark.parametrize("missing", ["zero", "skip", "error"])
@pytest.mark.parametrize("significance", [True, False])
def test_json_is_as_its_schema_says(folder: Path, missing: str, significance: bool) -> None:
    write(folder, {"three/key.conllu": "x\n", "three/a.conllu": KEY, "one/c.conllu": "x\n"})
    result = score_task(folder, metrics="all", missing=missing, significance=significance)
    for per_document in (False, True):
        content = json.loads(REPORTS["json"].render(result, per_document, False))
        jsonschema.validate(content, schema("corefscope-task-1"))
        reports = [
            submission["report"]
            for system in content["systems"].values()
            for submission in system["submissions"].values()
            if submission["report"]
        ]
        assert len(reports) == 3
        for report in reports:
            jsonschema.validate(report, schema())
            assert ("documents" in report) == per_document


def test_the_best_are_bold(folder: Path) -> None:
    shown = REPORTS["markdown"].render(score_task(folder, metrics="conll"), False, False)
    rows = {line.split(" | ")[0]: line for line in reversed(shown.splitlines())}
    assert re.fullmatch(r"\| a \| 1 \| \*\*[\d.]+\*\* \| [\d.–]+ \| [\d.]+ \| \*\*100.00\*\* \|", rows["| a"])
    assert re.fullmatch(r"\| b \| [12] \| [\d.]+ \| [\d.–]+ \| \*\*100.00\*\* \| missing \|", rows["| b"])


def test_data_sets_may_be_called_like_other_columns(tmp_path: Path) -> None:
    files: dict[str, Documents | str] = {f"{name}/key.conllu": KEY for name in ("Rank", "Macro")}
    files.update({"Rank/a.conllu": BAD, "Macro/a.conllu": KEY})
    shown = REPORTS["markdown"].render(score_task(write(tmp_path, files), metrics="muc"), False, False)
    assert "| MUC | Rank | Macro | Macro | Rank |" in shown
    assert "| a | 1 | **50.00** | **100.00** | **0.00** |" in shown


def test_metrics_of_which_a_key_has_nothing_are_noted(tmp_path: Path) -> None:
    write(tmp_path, {"one/key.conllu": KEY, "one/a.conllu": KEY, "two/key.conllu": [[]], "two/a.conllu": [[]]})
    notes = score_task(tmp_path, metrics="muc,zero").notes
    assert "MUC: nothing to count in the key of two; left out of the mean" in notes
    assert "Zeros: no key has anything to count" in notes


def test_names_are_made_harmless(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, {"one/key.conllu": KEY, "one/\x1b[31mred.conllu": "x\n", "one/b.conllu": KEY})
    assert command_line(str(tmp_path)) == 1
    out, err = capsys.readouterr()
    assert "\x1b" not in out + err
    assert r"\x1b[31mred on one" in err


# ---- the command


def test_the_command_prints_tables(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command_line(str(folder), "--metrics", "conll", "--jobs", "1", "--quiet") == 0
    out, err = capsys.readouterr()
    assert not err
    lines = out.splitlines()
    assert lines[0].split() == ["CoNLL", "Rank", "Macro", "95", "%", "one", "two"]
    assert lines[1].split()[:2] == ["a", "1"]
    assert lines[4].split() == ["Macro", "average", "MUC", "B³", "CEAFe", "CoNLL"]
    assert lines[-1] == score_task(folder, metrics="conll").signature


def test_the_command_writes_files(folder: Path, tmp_path: Path) -> None:
    for name, row in REPORTS.items():
        path = tmp_path / f"result{row.suffix}"
        assert command_line(str(folder), "-o", str(path), "--no-significance", "-q") == 0
        shown = path.read_text(encoding="utf-8")
        expected = score_task(folder, significance=False, digests=name == "json")
        assert shown == row.render(expected, False, False)


def test_not_all_warnings_are_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    odd = text(KEY).replace("-x-1-)", "-y-1-)", 1)
    write(tmp_path, {"one/key.conllu": KEY, **{f"one/s{at:02}.conllu": odd for at in range(15)}})
    assert command_line(str(tmp_path), "--no-significance") == 0
    err = capsys.readouterr().err
    assert err.count("corefscope: warning:") == 11
    assert err.endswith("corefscope: warning: and 5 more (--format json has all)\n")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--no-significance", "--seed", "1"], 2, "--resamples and --seed are for the test"),
        (["--jobs", "0"], 2, "the number of jobs must be at least 1"),
        (["--resamples", "5"], 2, "5 resamples are too few"),
        (["-o", "x.doc"], 2, "does not say the format"),
        (["--metrics", "x"], 2, "unknown metric 'x'"),
    ],
)
def test_wrong_usage(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, message: str
) -> None:
    assert command_line(str(folder), *arguments) == code
    assert message in capsys.readouterr().err


def test_options_replace_fields(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    manifest = files / "task.toml"
    manifest.write_text(TOML, encoding="utf-8")
    assert command_line(str(manifest), "--preset", "crac22", "--rank-by", "muc", "--missing", "skip", "-q") == 0
    out = capsys.readouterr().out
    assert "|match:partial|zeros:linear|" in out
    assert "|rank_by:muc|missing:skip|resamples:200|" in out


@pytest.mark.parametrize(
    ("suffix", "text"),
    [
        ("toml", ".".join("a" * 100_000) + " = 1\n"),
        ("toml", "[" + ".".join("a" * 100_000) + "]\n"),
        ("toml", "x = {" + ".".join("a" * 100_000) + " = 1}\n"),
        ("toml", "x = " + "[" * 100_000),
        ("yaml", "[" * 100_000),
        ("json", "[" * 100_000 + "]" * 100_000),
        ("json", '{"a":' * 100_000 + "1" + "}" * 100_000),
    ],
)
def test_a_manifest_that_is_nested_too_deeply_is_an_error_in_bounded_time(
    suffix: str, text: str, tmp_path: Path
) -> None:
    path = tmp_path / f"task.{suffix}"
    path.write_text(text)
    begin = time.process_time()
    with pytest.raises(InputError, match="is nested too deeply"):
        score_task(path)
    assert time.process_time() - begin < 5


def test_errors_of_keys_are_recognised_with_either_separator(monkeypatch: pytest.MonkeyPatch) -> None:
    assert scoring._is_in("keys/en/a.conllu", "keys/en")
    assert not scoring._is_in("keys/english/a.conllu", "keys/en")
    assert not scoring._is_in("", ".")
    monkeypatch.setattr(scoring, "os", SimpleNamespace(path=ntpath))
    assert scoring._is_in("Keys\\en\\a.conllu", "keys/en")
    assert not scoring._is_in("keys\\english\\a.conllu", "keys/en")
