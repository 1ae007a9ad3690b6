"""Several processes give what one gives: the same bits, the same warnings, the same errors."""

from __future__ import annotations

import gzip
import os
import random
from collections.abc import Callable
from multiprocessing import active_children, parent_process
from pathlib import Path
from typing import Any

import pytest

import corefscope
from corefscope.cli import main
from corefscope.core.errors import Warnings
from corefscope.core.request import Request
from corefscope.formats import files
from corefscope.formats import files as side_by_side
from corefscope.formats.corpus import chunks
from corefscope.formats.detection import open_reader
from examples import seeds
from oracles.generate import random_pair

FEATURES: dict[str, bool] = {"grp": False, "shared_eids": True, "duplicates": True, "two_heads": True, "minors": True}
SCORE_CHUNK = side_by_side.score_chunk
Pair = tuple[Path, Path]


def corpus(folder: Path, seed: int, **features: Any) -> Pair:
    """A key and a response of eight documents or more; entities recur in several of them."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = folder / "key.conllu", folder / "response.conllu"
    for path, text in zip(paths, random_pair(random.Random(seed), "many", **{**FEATURES, **features}), strict=True):
        path.write_text(text, encoding="utf-8")
    return paths


def alike(make: Callable[[int], Any], *jobs: int) -> None:
    """Fail unless so many jobs have the result, or the error, of one."""

    def outcome(count: int) -> str:
        try:
            return repr(make(count))
        except corefscope.CorefscopeError as error:
            return f"{type(error).__name__}: {error}"

    expected = outcome(1)
    for count in jobs:
        assert outcome(count) == expected


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """The shares are scored one after the other, in this process: quick, and all the rest is the same."""
    monkeypatch.setattr("corefscope.formats.processes.WorkerPool.start", lambda *_: False)


# ---- in one process, share by share


@pytest.mark.parametrize("seed", seeds(40))
@pytest.mark.usefixtures("here")
def test_shares_add_up_to_the_bits_of_the_whole(seed: int, tmp_path: Path) -> None:
    key, response = corpus(tmp_path, seed, grp=None if seed % 3 else False, merged_documents=seed % 10 == 9)
    rng = random.Random(seed)
    options: dict[str, Any] = {
        "match": rng.choice(["head", "partial", "exact"]),
        "singletons": rng.choice(["drop", "keep"]),
        "rules": rng.choice(["corefud-1.2", "corrected"]),
    }

    def scored(jobs: int) -> Any:
        report = corefscope.score(key, response, jobs=jobs, compare_rules=True, digests=True, **options)
        return report.to_dict()

    alike(scored, 2, 3, 8)


@pytest.mark.usefixtures("here")
def test_entities_that_recur_are_warned_of_as_often(tmp_path: Path) -> None:
    key, response = corpus(tmp_path, 5)
    (recurring, *_) = [
        [warning for warning in corefscope.score(key, response, jobs=jobs).warnings if "earlier document" in warning]
        for jobs in (1, 2, 3)
    ]
    assert recurring
    assert "more of this kind" in recurring[0]
    alike(lambda jobs: corefscope.score(key, response, jobs=jobs).warnings, 2, 3, 5)


@pytest.mark.usefixtures("here")
def test_what_opening_a_file_tells_is_told_once(tmp_path: Path) -> None:
    key, response = corpus(tmp_path, 6, late_header=True)
    text = key.read_text(encoding="utf-8")
    key.write_text(text.replace("# sent_id", "#newdoc id = x\n# sent_id"), encoding="utf-8")
    warnings = corefscope.score(key, response).warnings
    assert any("misspelt" in warning for warning in warnings)
    assert any("the last one of the file holds for all" in warning for warning in warnings)
    alike(lambda jobs: corefscope.score(key, response, jobs=jobs).warnings, 2, 3)


@pytest.mark.parametrize("seed", range(100, 106))
@pytest.mark.usefixtures("here")
def test_errors_of_shares_are_those_of_the_whole(seed: int, tmp_path: Path) -> None:
    key, response = corpus(tmp_path, seed)

    def examined(jobs: int) -> Any:
        few = corefscope.examine(key, response, jobs=jobs, examples=2, limit=3)
        by = corefscope.examine(key, response, jobs=jobs, by=["mention-type", "document", "genre=d([0-9])"])
        return few.to_dict(), few.examples, by.to_dict()

    alike(examined, 2, 3, 8)


@pytest.mark.usefixtures("here")
def test_systems_are_compared_share_by_share(tmp_path: Path) -> None:
    key, response = corpus(tmp_path, 7)

    def compared(**arguments: Any) -> Callable[[int], Any]:
        def with_jobs(jobs: int) -> Any:
            return corefscope.compare(
                key, [response, key], jobs=jobs, resamples=50, digests=True, **arguments
            ).to_dict()

        return with_jobs

    alike(compared(), 2, 3)
    alike(compared(baseline=str(response)), 2, 3)
    alike(compared(resample="sentences", metrics="bcub"), 2, 3)


@pytest.mark.parametrize("format_", ["conll", "jsonl"])
@pytest.mark.usefixtures("here")
def test_every_format_with_words_is_divided(format_: str, tmp_path: Path) -> None:
    for seed in range(6):
        paths = []
        for path in corpus(tmp_path, seed, zeros=False, discontinuous=False):
            target = path.with_suffix(f".{format_}")
            target.unlink(missing_ok=True)
            corefscope.convert(path, target, to=format_, lossy=True)
            paths.append(target)
        _, reader = open_reader(paths[0], None, Warnings())
        assert len(reader.starts) >= 8
        reader.source.close()
        alike(lambda jobs: corefscope.score(*paths, jobs=jobs, match="partial").to_dict(), 2, 3, 8)  # noqa: B023
        alike(lambda jobs: corefscope.examine(*paths, jobs=jobs).to_dict(), 3)  # noqa: B023
        alike(lambda jobs: corefscope.score(*paths, jobs=jobs, words="ignore").to_dict(), 3)  # noqa: B023


READ_BY_SHARES = {
    "conllu": """# newdoc id = {n}
# global.Entity = eid-etype-head-other
# sent_id = {n}-1
1	a	_	_	_	_	0	_	_	Entity=(e{m}-x-1-)
1.1	_	_	_	_	_	_	_	1:x	_


# sent_id = {n}-2
# (e1-x
1-2	de	_	_	_	_	_	_	_	_
1	d	_	_	_	_	0	_	_	_
2	e	_	_	_	_	0	_	_	Entity=(e{n}-x-1-)(e1-x-1-)

""",
    "conll": "#begin document ({n}); part 000\n# a comment\n\n \nd 0 0 a (1)\n# between\nd 0 1 b -\n\t\n\n"
    "d 0 0 # (1)\n#\t(2)\n\n#end document\n",
    "txt": "#begin document {n}\n1\ta\t_\t_\t(1)\n2\tb\t_\t_\t_\n\n\n# note\n1\tc\t_\t_\t(1)\n\n#end document\n",
    "jsonl": '{{"doc_key": "{n}", "sentences": [["a"], [], ["b", "c"]], "clusters": [],'
    ' "predicted_clusters": [[[0, 1]]]}}\n',
}
"""A document with all that makes counting sentences hard."""


@pytest.mark.parametrize("suffix", READ_BY_SHARES)
def test_a_reader_that_begins_in_the_middle_reads_the_same(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"file.{suffix}"
    path.write_text("".join(READ_BY_SHARES[suffix].format(n=n, m=n % 3) for n in range(6)), encoding="utf-8")

    def read(start: int, stop: int) -> tuple[list[Any], Warnings]:
        warnings = Warnings()
        _, reader = open_reader(path, None, warnings, "response")
        documents = list(reader.documents(start, stop))
        reader.source.close()
        return documents, warnings

    whole, warned = read(0, 6)
    assert [document.sentences[0].number for document in whole[:3]] == [1, 3, 5]
    assert bool(list(warned)) == (suffix in ("conllu", "jsonl"))
    for start in range(6):
        for stop in range(start + 1, 7):
            assert read(start, stop)[0] == whole[start:stop]
        before, after = (Warnings() if a == b else read(a, b)[1] for a, b in ((0, start), (start, 6)))
        before.extend(after)
        assert before.records() == warned.records()


@pytest.mark.usefixtures("here")
def test_documents_of_many_files_keep_their_names(tmp_path: Path) -> None:
    """Documents of several files are called the same; some files are packed, and some sizes differ."""
    for number in range(6):
        for path, side in zip(corpus(tmp_path / "made", number, newdoc=number % 2 > 0), ("k", "r"), strict=True):
            (tmp_path / side).mkdir(exist_ok=True)
            target = tmp_path / side / f"{number}.conllu"
            if number == 3:
                (tmp_path / side / "3.conllu.gz").write_bytes(gzip.compress(path.read_bytes()))
            else:
                target.write_bytes(path.read_bytes())
    key, response = tmp_path / "k", tmp_path / "r"
    names = list(corefscope.score(key, response, jobs=3).documents)
    assert any(name.startswith("5.conllu: ") for name in names)
    alike(lambda jobs: corefscope.score(key, response, jobs=jobs, digests=True).to_dict(), 2, 3, 4, 9)
    alike(lambda jobs: corefscope.examine(key, response, jobs=jobs, by=["document"]).to_dict(), 3)


@pytest.mark.usefixtures("here")
def test_files_of_ids_among_others_are_read_whole(tmp_path: Path) -> None:
    for side in ("k", "r"):
        (tmp_path / side).mkdir()
        for number in range(5):
            text = "".join(f"d{n % 4},m{n},e{n // 2}\n" for n in range(60))
            (tmp_path / side / f"{number}.csv").write_text(f"document,mention,entity\n{text}", encoding="utf-8")
    alike(lambda jobs: corefscope.score(tmp_path / "k", tmp_path / "r", jobs=jobs).to_dict(), 2, 3)


@pytest.mark.usefixtures("here")
def test_formats_that_differ_between_shares_are_refused_as_by_one(tmp_path: Path) -> None:
    for side in ("k", "r"):
        (tmp_path / side).mkdir()
    for path, side in zip(corpus(tmp_path / "made", 3, zeros=False, discontinuous=False), ("k", "r"), strict=True):
        (tmp_path / side / "a.conllu").write_bytes(path.read_bytes())
        corefscope.convert(path, tmp_path / side / "b.conll", to="conll", lossy=True)
    alike(lambda jobs: corefscope.score(tmp_path / "k", tmp_path / "r", jobs=jobs).to_dict(), 2, 3)
    with pytest.raises(corefscope.InputError, match="conll"):
        corefscope.score(tmp_path / "k", tmp_path / "r", jobs=2)


@pytest.mark.parametrize("number", [0, 3, 6])
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("\tw", "\tother"),
        ("# sent_id = ", "# sent_id = x"),
        ("\t_\n", "\n"),
        ("Entity=(", "Entity=x)("),
        ("1\tw", "2\tw"),
    ],
)
@pytest.mark.usefixtures("here")
def test_the_first_fault_is_the_one_that_is_told(number: int, old: str, new: str, tmp_path: Path) -> None:
    key, response = corpus(tmp_path, 11)
    text = response.read_text(encoding="utf-8")
    documents = text.split("# newdoc")
    documents[number + 1] = documents[number + 1].replace(old, new, 1)
    response.write_text("# newdoc".join(documents), encoding="utf-8")
    assert response.read_text(encoding="utf-8") != text
    with pytest.raises(corefscope.InputError, match="response"):
        corefscope.score(key, response, jobs=3)
    alike(lambda jobs: corefscope.score(key, response, jobs=jobs), 2, 3, 8)


def test_shares_are_stretches_of_bytes(tmp_path: Path) -> None:
    for name, size in (("a", 900), ("b", 10), ("c", 900)):
        (tmp_path / name).write_bytes(b"x" * size)
    first, second = chunks([str(tmp_path / name) for name in "abc"], 2)
    assert [first.holds_beginning(number) for number in range(3)] == [True, True, True]
    assert [second.holds_beginning(number) for number in range(3)] == [False, False, False]
    assert [second.begins_after(number) for number in range(3)] == [True, True, False]
    assert not any(first.ends_before(number) for number in range(3))
    (tmp_path / "c").write_bytes(b"x" * 700)
    first, second = chunks([str(tmp_path / name) for name in "abc"], 2)
    assert [first.ends_before(number) for number in range(3)] == [False, True, True]
    assert [second.holds_beginning(number) for number in range(3)] == [False, True, True]


# ---- in processes


def test_processes_give_the_same_output(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    key, response = map(str, corpus(tmp_path, 21))

    def said(*arguments: str) -> tuple[int, str, str]:
        return main([*arguments, key, response]), *capsys.readouterr()

    for command in (["score", "--format", "json"], ["compare", "--resample", "nothing"], ["errors", "--limit", "2"]):
        expected = said(*command, "--jobs", "1")
        assert expected[0] == 0
        assert "earlier document" in expected[2]
        for jobs in ("2", "3"):
            assert said(*command, "--jobs", jobs) == expected
    assert not active_children()


def test_a_fault_in_another_process_is_told_as_here(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    key, response = corpus(tmp_path, 11)
    *before, last = response.read_text(encoding="utf-8").split("# newdoc")
    response.write_text("# newdoc".join([*before, last.replace("\tw", "\tother", 1)]), encoding="utf-8")
    told = []
    for jobs in ("1", "2"):
        assert main(["score", str(key), str(response), "--jobs", jobs]) == 1
        told.append(capsys.readouterr())
    assert told[0] == told[1]
    assert "other" in told[0].err
    assert not active_children()


def deadly(*order: Any) -> Any:
    """Scores a share, but not in a process of its own."""
    if parent_process() is not None:
        os._exit(3)
    return SCORE_CHUNK(*order)


def test_the_share_of_a_process_that_dies_is_scored_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pair = corpus(tmp_path, 22)
    expected = corefscope.score(*pair).to_dict()
    monkeypatch.setattr(side_by_side, "score_chunk", deadly)
    assert corefscope.score(*pair, jobs=2).to_dict() == expected
    assert not active_children()


def test_an_interruption_ends_the_processes(tmp_path: Path) -> None:
    def enough(*_: Any) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        corefscope.score(*corpus(tmp_path, 23), jobs=2, progress=enough)
    assert not active_children()


# ---- one process


def test_what_cannot_be_divided_is_read_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def start(_: object, workers: int) -> bool:
        raise AssertionError(f"{workers} processes")

    monkeypatch.setattr("corefscope.formats.processes.WorkerPool.start", start)
    key, response = corpus(tmp_path, 24)
    with pytest.raises(AssertionError):
        corefscope.score(key, response, jobs=2)
    requests: list[dict[str, Any]] = [
        {"documents": "merge"},
        {"baseline": "random"},
        {"where": lambda *_: True},
        {"anaphors": lambda *_: True, "metrics": "anaphora"},
    ]
    for request in requests:
        corefscope.score(key, response, jobs=2, **request)
    with pytest.raises(corefscope.InputError, match="no such file"):
        corefscope.score(key, tmp_path / "nothing", jobs=2)
    os.mkfifo(tmp_path / "pipe")
    if not os.fork():
        (tmp_path / "pipe").write_bytes(response.read_bytes())
        os._exit(0)
    corefscope.score(key, tmp_path / "pipe", jobs=2)


def test_small_files_are_scored_in_one_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1, 2}, raising=False)
    key, response = corpus(tmp_path, 25)
    request = Request({})
    assert not files.open_files(request, key, [response], jobs=None).other_chunks
    monkeypatch.setattr(files, "SMALL", key.stat().st_size)
    assert len(files.open_files(request, key, [response], jobs=None).other_chunks) == 2
    with pytest.raises(corefscope.OptionError, match="at least 1 and is 0"):
        corefscope.score(key, response, jobs=0)
