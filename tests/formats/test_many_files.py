"""Corpora of many files: what looks odd is read first, and faults can be left out."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import corefscope
from corefscope.cli import main
from corefscope.formats import processes
from corefscope.formats.many_files import unusual
from corefscope.formats.paths import pair_files
from oracles.generate import random_pair

FAULTS: dict[str, Callable[[str], str]] = {
    "empty": lambda _: "",
    "cut": lambda text: text[: len(text) * 2 // 3],
    "columns": lambda text: text.replace("\tX\t", "\tX", 1),
    "words": lambda text: text.replace("\tw", "\tother", 1),
}


def corpus(folder: Path, numbers: range, faults: dict[int, str] | None = None) -> tuple[Path, Path]:
    """Files of one to three documents; documents of several files are called the same."""
    sides = folder / "keys", folder / "responses"
    for side in sides:
        side.mkdir(parents=True)
    for number in numbers:
        texts = random_pair(random.Random(number), "small", grp=False)
        for side, text in zip(sides, texts, strict=True):
            fault = (faults or {}).get(number) if side.name == "responses" else None
            (side / f"{number:02}.conllu").write_text(FAULTS[fault](text) if fault else text, encoding="utf-8")
    return sides


def without(folder: Path, numbers: range, left_out: set[int]) -> tuple[Path, Path]:
    key, response = corpus(folder, numbers)
    for number in left_out:
        (key / f"{number:02}.conllu").unlink()
        (response / f"{number:02}.conllu").unlink()
    return key, response


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks are scored one after the other in this process."""
    monkeypatch.setattr(processes.WorkerPool, "start", lambda *_: False)


def figures(report: corefscope.Report) -> Any:
    """What must be the same: scores and counts of every document, and what was read."""
    read = [[side.documents, side.mentions, side.entities, side.singletons, side.digest] for side in report.inputs]
    return [*report.rows.values()], dict(report), read, report.signature, report.alternative


# ---- files with faults are left out


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("jobs", [1, 3])
def test_the_rest_is_scored_as_if_faulty_files_were_not_there(jobs: int, tmp_path: Path) -> None:
    faults = {1: "empty", 4: "columns", 5: "words", 11: "cut"}
    how: dict[str, Any] = {"digests": True, "compare_rules": True}
    faulty = corpus(tmp_path / "faulty", range(12), faults)
    report = corefscope.score(*faulty, keep_going=True, jobs=jobs, **how)
    rest = corefscope.score(*without(tmp_path / "rest", range(12), {*faults}), **how)
    assert figures(report) == figures(rest)
    assert [Path(fault.path).name for fault in report.missing] == [f"{number:02}.conllu" for number in faults]
    assert all(fault.line for fault in report.missing[1:])
    assert [fault["line"] for fault in report.to_dict()["missing"]] == [fault.line for fault in report.missing]
    assert not rest.missing
    assert "missing" not in rest.to_dict()


def test_jobs_and_one_process_leave_out_the_same(tmp_path: Path) -> None:
    faulty = corpus(tmp_path, range(8), {1: "words", 6: "columns"})
    one, two = (corefscope.score(*faulty, keep_going=True, jobs=jobs) for jobs in (1, 2))
    assert one.to_dict() == two.to_dict()
    assert len(one.missing) == 2


def test_every_setting_leaves_out_the_same(tmp_path: Path) -> None:
    faulty = corpus(tmp_path / "faulty", range(4), {2: "words"})
    rest = without(tmp_path / "rest", range(4), {2})
    settings = corefscope.score_settings(*faulty, "head,exact+keep", keep_going=True)
    expected = corefscope.score_settings(*rest, "head,exact+keep")
    assert len(settings.missing) == 1
    assert [dict(report) for report in settings.values()] == [dict(report) for report in expected.values()]


def test_a_baseline_may_lack_files_too(tmp_path: Path) -> None:
    key, response = corpus(tmp_path / "a", range(4))
    _, baseline = corpus(tmp_path / "b", range(4), {2: "words"})
    report = corefscope.score(key, response, baseline=baseline, keep_going=True)
    rest = without(tmp_path / "rest", range(4), {2})
    assert report.rows == corefscope.score(*rest, baseline=rest[1]).rows
    assert [Path(fault.path).parts[-3] for fault in report.missing] == ["b"]


def test_files_without_a_counterpart_are_missing(tmp_path: Path) -> None:
    key, response = corpus(tmp_path, range(3))
    (response / "01.conllu").unlink()
    with pytest.raises(corefscope.InputError, match="cannot be paired"):
        corefscope.score(key, response)
    (fault,) = corefscope.score(key, response, keep_going=True).missing
    assert (fault.path, fault.message) == (str(key / "01.conllu"), "has no response")
    assert "same name in both directories" in fault.hint


def test_nothing_but_faults_is_an_error(tmp_path: Path) -> None:
    faulty = corpus(tmp_path, range(2), {0: "words", 1: "columns"})
    with pytest.raises(corefscope.InputError, match=r"00\.conllu"):
        corefscope.score(*faulty, keep_going=True)


@pytest.mark.parametrize(("name", "value"), [("documents", "merge"), ("baseline", "random")])
def test_what_needs_all_files_is_refused(name: str, value: Any, tmp_path: Path) -> None:
    with pytest.raises(corefscope.OptionError, match="keep_going"):
        corefscope.score(*corpus(tmp_path, range(2)), keep_going=True, **{name: value})


def test_the_command_lists_faults_at_the_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    key, response = map(str, corpus(tmp_path, range(8), {1: "empty", 3: "words", 6: "columns"}))
    assert main(["score", key, response, "--keep-going", "--fail-under", "conll=99%"]) == 1
    out, err = capsys.readouterr()
    assert "missing   3 files with faults:" in out
    faults = [line for line in err.splitlines() if line.startswith("corefscope: error: ")]
    assert [line.partition("responses/")[2].split(":")[0] for line in faults] == [
        "01.conllu",
        "03.conllu",
        "06.conllu",
    ]
    assert main(["score", key, response, "--keep-going", "--quiet", "-o", str(tmp_path / "saved.json")]) == 1
    assert len(json.loads((tmp_path / "saved.json").read_text())["missing"]) == 3
    assert main(["verify", str(tmp_path / "saved.json")]) == 0
    assert main(["score", key, response, "--quiet"]) == 1
    assert capsys.readouterr().err.count("error:") == 4


# ---- what looks odd is read first


@pytest.mark.parametrize("fault", ["empty", "cut", "columns"])
def test_a_file_that_looks_odd_is_read_first(fault: str, tmp_path: Path) -> None:
    key, _ = corpus(tmp_path / "keys", range(40))
    _, response = corpus(tmp_path / "responses", range(40))
    for path in response.iterdir():
        path.write_bytes((key / path.name).read_bytes())
    odd = response / "33.conllu"
    odd.write_text(FAULTS[fault](odd.read_text(encoding="utf-8")), encoding="utf-8")
    scored = []

    def progress(*step: Any) -> None:
        scored.append(step)

    with pytest.raises(corefscope.InputError, match=r"33\.conllu"):
        corefscope.score(key, response, progress=progress)
    assert not scored


def test_few_bytes_are_read_before_the_run(tmp_path: Path) -> None:
    for side in ("k", "r"):
        (tmp_path / side).mkdir()
        for number in range(100):
            text = "1\tw\n" * 100 if side == "k" or number % 2 else "1\tw\n" * 40
            (tmp_path / side / f"{number:03}.txt").write_text(text)
    pairs = pair_files(str(tmp_path / "k"), str(tmp_path / "r"))
    sizes = [sum(Path(path).stat().st_size for path in pair[:2]) for pair in pairs]
    assert 0 < sum(sizes[number] for number in unusual(pairs)) <= sum(sizes) / 20
    (tmp_path / "r" / "077.txt").write_text("")
    assert unusual(pairs)[0] == 77


def test_files_that_look_alike_are_not_read_twice(tmp_path: Path) -> None:
    for side in ("k", "r"):
        (tmp_path / side).mkdir()
        for number in range(5):
            (tmp_path / side / f"{number}.txt").write_text("1\tw\n" * (100 + number))
    assert unusual(pair_files(str(tmp_path / "k"), str(tmp_path / "r"))) == []


# ---- processes


def slow_then_wrong(number: int) -> None:
    processes.send_note(number)
    if number:
        raise corefscope.InputError("fault", path="a", line=3)
    time.sleep(60)


def test_a_fault_in_one_process_ends_all() -> None:
    begun = time.monotonic()
    with (  # noqa: PT012
        pytest.raises(corefscope.InputError, match="a:3: fault"),
        processes.side_by_side(2) as pool,
    ):
        assert pool
        watch = processes.PoolWatch(pool, [pool.submit(slow_then_wrong, number) for number in (0, 1)])
        for _ in watch.iterate(iter(int, 1)):
            time.sleep(0.01)
    assert time.monotonic() - begun < 30


def noted(number: int) -> int:
    processes.send_note(number)
    return number


def test_notes_of_processes_add_to_progress() -> None:
    steps: list[tuple[int, int, str]] = []
    progress = processes.FileProgress(lambda *step: steps.append(step))
    progress(2, 10, "a")
    with processes.side_by_side(2) as pool:
        assert pool
        watch = processes.PoolWatch(pool, [pool.submit(noted, number) for number in (3, 4)], progress)
        assert [watch.result(task) for task in watch._tasks] == [3, 4]
    assert steps[0] == (2, 10, "a")
    assert steps[-1] == (9, 10, "a")
