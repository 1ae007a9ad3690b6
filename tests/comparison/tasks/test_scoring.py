"""Scoring the submissions of a task: faulty files lose no other submission, processes change nothing."""

from __future__ import annotations

import json
import ntpath
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from corefscope.cli import main
from corefscope.comparison.tasks import score_task, scoring
from corefscope.comparison.tasks.scoring import Job, Outcome
from corefscope.comparison.tasks.task import Scheme
from corefscope.core.errors import InputError, OptionError
from corefscope.core.request import Request
from corefscope.formats.files import open_files
from corefscope.formats.processes import how_many
from corefscope.formats.reading import ScoringRun
from corefscope.output.formats import REPORTS
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE
from tasks_on_disk import KEY, WORSE, Documents, text, write


def command_line(*arguments: str) -> int:
    return main(["task", *arguments])


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


def deadly(jobs: Sequence[Job], *arguments: Any) -> list[Outcome]:
    """Scores, unless a response is called b."""
    if any(job.system == "b" for job in jobs):
        os._exit(3)
    return scoring.score_jobs(jobs, *arguments)


@pytest.mark.parametrize("systems", ["abcd", "abcdefghijklmnop"])  # by themselves, and two at a time
def test_a_process_that_dies_takes_no_other_with_it(
    systems: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, {"one/key.conllu": KEY, **{f"one/{name}.conllu": WORSE for name in systems}})
    monkeypatch.setattr(scoring, "score_jobs", deadly)
    result = score_task(tmp_path, jobs=2, significance=False)
    assert [(error.system, error.message) for error in result.errors] == [("b", scoring.DIED)]
    assert [len(result[name]) for name in systems] == [int(name != "b") for name in systems]


def test_systems_that_share_a_reading_of_the_key_are_scored_as_by_themselves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also with warnings about the key, and with responses that cannot be read or have other words."""
    key = EXAMPLE_KEY.read_text(encoding="utf-8").replace("Entity=(", "Entity=(x)(", 1)  # one span, two entities
    response = EXAMPLE_RESPONSE.read_text(encoding="utf-8")
    broken, other_words = response.replace("Entity=(", "Entity=((", 1), response.replace("letter", "word")
    systems = dict(
        enumerate([key, response, broken, response, other_words, response.replace("(e2", "(e99"), key] * 4)
    )
    write(tmp_path, {"one/key.conllu": key, **{f"one/s{n:02}.conllu": content for n, content in systems.items()}})
    opened: list[int] = []

    def open_noted(request: Request, key: str, responses: Sequence[str]) -> ScoringRun:
        opened.append(len(responses))
        return open_files(request, key, responses)

    monkeypatch.setattr(scoring, "open_files", open_noted)
    together = score_task(tmp_path, jobs=1, digests=True).to_dict()
    assert max(opened) == scoring.TOGETHER
    assert len(together["errors"]) == 8
    monkeypatch.setattr(scoring, "TOGETHER", 1)
    assert score_task(tmp_path, jobs=1, digests=True).to_dict() == together


def test_where_there_are_no_processes_this_one_does_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = score_task(folder, jobs=1)
    monkeypatch.setattr("corefscope.formats.processes.WorkerPool.start", lambda *_: False)
    assert score_task(folder, jobs=2).to_dict() == expected.to_dict()


def test_a_script_that_is_not_protected_gets_its_result(folder: Path) -> None:
    script = folder.parent / "script.py"
    script.write_text(
        "from corefscope.comparison.tasks import score_task\n"
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


def test_errors_of_keys_are_recognised_with_either_separator(monkeypatch: pytest.MonkeyPatch) -> None:
    assert scoring._is_in("keys/en/a.conllu", "keys/en")
    assert not scoring._is_in("keys/english/a.conllu", "keys/en")
    assert not scoring._is_in("", ".")
    monkeypatch.setattr(scoring, "os", SimpleNamespace(path=ntpath))
    assert scoring._is_in("Keys\\en\\a.conllu", "keys/en")
    assert not scoring._is_in("keys\\english\\a.conllu", "keys/en")
