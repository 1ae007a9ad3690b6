"""Directories and patterns of files, and documents joined across them."""

from __future__ import annotations

import ntpath
import os
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import Any

import pytest

import corefscope
from corefscope.cli import main
from corefscope.comparison.systems import compare
from corefscope.core.errors import InputError, OptionError
from corefscope.formats.paths import Files, pair_files
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE

ROW = "{doc}\t0\t{at}\tw{at}\t-\t{cell}\n"


def _conll(*documents: tuple[str, list[str]]) -> str:
    parts = []
    for name, cells in documents:
        rows = "".join(ROW.format(doc=name, at=at, cell=cell) for at, cell in enumerate(cells))
        parts.append(f"#begin document ({name}); part 000\n{rows}\n#end document\n")
    return "".join(parts)


def _write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


ONE, TWO = ["(1)", "-", "(1)"], ["(1)", "(2)", "(1)|(2)"]


def test_directories_pair_files_by_name(tmp_path: Path) -> None:
    _write(tmp_path, {f"{side}/{name}": "" for side in ("k", "r") for name in ("a.conll", "x/b.conll", ".hidden")})
    found = pair_files(str(tmp_path / "k"), str(tmp_path / "r"))
    assert [(Path(pair.key).name, Path(pair.response).name) for pair in found] == [
        ("a.conll", "a.conll"),
        ("b.conll", "b.conll"),
    ]


def test_directories_pair_files_without_suffixes(tmp_path: Path) -> None:
    _write(tmp_path, {"k/a.v4_gold_conll": "", "k/b.conllu.gz": "", "r/a.jsonl": "", "r/b.conllu": ""})
    found = pair_files(str(tmp_path / "k"), str(tmp_path / "r"))
    assert [Path(pair.response).name for pair in found] == ["a.jsonl", "b.conllu"]


def test_patterns_pair_files_by_what_the_wildcards_stand_for(tmp_path: Path) -> None:
    _write(tmp_path, {f"{name}.{side}.conllu": "" for name in ("cs-pdt", "de-a") for side in ("gold", "sys")})
    found = pair_files(str(tmp_path / "*.gold.conllu"), str(tmp_path / "*.sys.conllu"))
    assert [(Path(pair.key).name, Path(pair.response).name) for pair in found] == [
        ("cs-pdt.gold.conllu", "cs-pdt.sys.conllu"),
        ("de-a.gold.conllu", "de-a.sys.conllu"),
    ]


def test_files_without_partner_are_listed(tmp_path: Path) -> None:
    _write(tmp_path, {"k/a.conll": "", "k/b.conll": "", "r/a.conll": "", "r/c.conll": ""})
    with pytest.raises(InputError, match=r"1 without a response: .*b\.conll\n  1 without a key: .*c\.conll"):
        pair_files(str(tmp_path / "k"), str(tmp_path / "r"))
    with pytest.raises(InputError, match=r"\[1\]\.x: no such file"):
        corefscope.score(tmp_path / "nothing[1].x", tmp_path / "k" / "a.conll")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="has no files"):
        pair_files(str(tmp_path / "empty"), str(tmp_path / "k"))


def test_a_file_whose_name_has_wildcards_is_one_file(tmp_path: Path) -> None:
    name = str(tmp_path / "a[1].conll")
    _write(tmp_path, {"a[1].conll": ""})
    assert pair_files(name, name) == [Files(name, name)]


def test_many_files_score_as_one_that_holds_their_documents(tmp_path: Path) -> None:
    files = {"k/1.conll": ("a", ONE), "k/2.conll": ("b", TWO), "r/1.conll": ("a", TWO), "r/2.conll": ("b", ONE)}
    _write(tmp_path, {name: _conll(document) for name, document in files.items()})
    _write(tmp_path, {"k.conll": _conll(("a", ONE), ("b", TWO)), "r.conll": _conll(("a", TWO), ("b", ONE))})
    many = corefscope.score(tmp_path / "k", tmp_path / "r", preset="conll12")
    one = corefscope.score(tmp_path / "k.conll", tmp_path / "r.conll", preset="conll12")
    assert many == one
    assert list(many.documents) == list(one.documents)
    assert str(many.inputs[0]) == str(one.inputs[0]) == "2 documents, 6 mentions in 3 entities (0 singletons)"


def test_documents_of_the_same_name_are_known_by_their_files(tmp_path: Path) -> None:
    _write(tmp_path, {f"{side}/{n}/dev.conll": _conll(("a", ONE)) for side in "kr" for n in "123"})
    report = corefscope.score(tmp_path / "k", tmp_path / "r", preset="conll12")
    assert list(report.documents) == ["a; part 000", "2/dev.conll: a; part 000", "3/dev.conll: a; part 000"]
    report = corefscope.score(f"{tmp_path}/k/*/dev.conll", f"{tmp_path}/r/*/dev.conll", preset="conll12")
    assert list(report.documents) == ["a; part 000", "2: a; part 000", "3: a; part 000"]


def test_a_file_too_many_does_not_part_the_others(tmp_path: Path) -> None:
    _write(tmp_path, {"k/a.conllu": "", "k/b.conllu": "", "r/a.conllu": "", "r/a.conllu.gz": "", "r/b.jsonl": ""})
    with pytest.raises(InputError, match=r"by name\n  1 without a key: \S*a\.conllu\.gz\n"):
        pair_files(str(tmp_path / "k"), str(tmp_path / "r"))


def test_documents_joined_are_scored_across_documents(tmp_path: Path) -> None:
    key = _conll(("1_a", ["(1)", "(2)"]), ("1_b", ["(1)", "-"]), ("2_a", ["(2)", "(1)"]))
    response = _conll(("1_a", ["(7)", "(8)"]), ("1_b", ["(7)", "(8)"]), ("2_a", ["(8)", "(9)"]))
    _write(tmp_path, {"k.conll": key, "r.conll": response})
    paths = tmp_path / "k.conll", tmp_path / "r.conll"

    def figures(**options: Any) -> list[tuple[float, ...]]:
        report = corefscope.score(*paths, preset="conll12", metrics="muc", **options)
        return [tuple(scores.counts("muc").values()) for scores in report.documents.values()]

    assert figures() == [(0, 0, 0, 0)] * 3
    assert figures(documents="merge") == [(2, 3, 2, 3)]
    assert figures(documents="topic") == [(1, 1, 1, 2), (0, 0, 0, 0)]
    assert figures(documents="topic", topic=r"\d_(\w)") == [(1, 2, 1, 1), (0, 0, 0, 0)]
    report = corefscope.score(*paths, preset="conll12", documents="topic", topic=r"(\d|x)_")
    assert list(report.documents) == ["1", "2"]
    assert r"|documents:topic=(\d%7Cx)_|" in report.signature
    assert corefscope.Options.parse(report.signature) == report.options
    assert report.inputs[0].documents == 3


def test_joined_directories_keep_their_words_apart(tmp_path: Path) -> None:
    """Sentence 1 of one file is not sentence 1 of another."""
    _write(tmp_path, {f"{side}/{n}.conll": _conll((n, ["(1)", "(2)"])) for side in "kr" for n in "ab"})
    report = corefscope.score(tmp_path / "k", tmp_path / "r", preset="conll12", documents="merge")
    assert report.counts("mentions")["recall_denominator"] == 4
    assert report["muc"].f1 == 1


def test_mentions_that_are_ids_are_joined_by_entity(tmp_path: Path) -> None:
    """The same id in two documents is two mentions."""
    key = "document,mention,entity\nx_1,m1,a\nx_2,m1,a\ny_1,m1,b\n"
    _write(tmp_path, {"k.csv": key, "r.csv": key.replace("x_2,m1,a", "x_2,m1,c")})
    report = corefscope.score(tmp_path / "k.csv", tmp_path / "r.csv", preset="conll12", documents="topic")
    assert {name: tuple(scores.counts("muc").values()) for name, scores in report.documents.items()} == {
        "x": (0, 1, 0, 0),
        "y": (0, 0, 0, 0),
    }
    assert report.counts("mentions")["recall_numerator"] == 3


def test_ids_that_hold_within_documents_cannot_be_joined(tmp_path: Path) -> None:
    text = (
        "# newdoc id = {}\n# global.Entity = GRP-etype\n# sent_id = {}\n1\ta\t_\t_\t_\t_\t_\t_\t_\tEntity=(1-x)\n\n"
    )
    _write(tmp_path, {"k.conllu": text.format("a", 1) + text.format("b", 2)})
    with pytest.raises(InputError, match="hold within a document only"):
        corefscope.score(tmp_path / "k.conllu", tmp_path / "k.conllu", documents="merge")


def test_a_topic_may_be_any_of_several(tmp_path: Path) -> None:
    """A group that did not take part leaves the match to be the topic."""
    _write(tmp_path, {"k.conll": _conll(("a1", ONE), ("nw1", ONE))})
    report = corefscope.score(
        tmp_path / "k.conll", tmp_path / "k.conll", preset="conll12", documents="topic", topic="(a)|nw"
    )
    assert list(report.documents) == ["a", "nw"]


def test_a_key_is_read_once_so_that_it_may_be_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    writer = Thread(target=lambda: (tmp_path / "pipe").write_bytes(EXAMPLE_KEY.read_bytes()), daemon=True)
    writer.start()
    responses = [EXAMPLE_RESPONSE, EXAMPLE_KEY, EXAMPLE_RESPONSE]
    piped, plain = (
        compare(key, responses, names="a,b,c", resample="nothing") for key in (tmp_path / "pipe", EXAMPLE_KEY)
    )
    writer.join(timeout=10)
    assert [dict(piped[name]) for name in "abc"] == [dict(plain[name]) for name in "abc"]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"documents": "all"}, "unknown documents 'all'"),
        ({"documents": "topic", "topic": "("}, "is no regular expression"),
        ({"topic": "x"}, "--documents topic"),
    ],
)
def test_wrong_ways_to_join_are_refused(options: dict[str, str], says: str) -> None:
    with pytest.raises(OptionError, match=says):
        corefscope.score("k", "r", **options)  # type: ignore[arg-type]


def test_an_id_without_topic_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _write(tmp_path, {"k.conll": _conll(("a", ONE))})
    path = str(tmp_path / "k.conll")
    assert main(["score", path, path, "--preset", "conll12", "--documents", "topic", "--topic", r"\d+"]) == 1
    assert r"document 'a; part 000' does not begin like '\\d+'" in capsys.readouterr().err


def test_documents_that_one_side_does_not_name_are_joined_alike(tmp_path: Path) -> None:
    named, unnamed = tmp_path / "named.csv", tmp_path / "unnamed.csv"
    named.write_text("document,mention,entity\nd,1,a\nd,2,a\nd,3,b\nd,4,b\n", encoding="utf-8")
    unnamed.write_text("mention,entity\n1,a\n2,a\n3,b\n4,b\n", encoding="utf-8")
    for pair in ((named, unnamed), (unnamed, named)):
        assert corefscope.score(*pair, metrics="muc", documents="merge")["muc"].f1 == 1


@pytest.mark.parametrize("pattern", ["{}/*/*.conllu", "{}\\*\\*.conllu", "{}\\**\\*.CONLLU"])
def test_patterns_pair_files_by_their_wildcards_on_windows(pattern: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Either separator may be written there, in any case, and paths are found with backslashes."""
    windows = SimpleNamespace(path=SimpleNamespace(**vars(ntpath)), sep="\\", fspath=os.fspath)
    windows.path.isdir = windows.path.exists = lambda _: False
    windows.path.isfile = lambda _: True
    monkeypatch.setattr("corefscope.formats.paths.os", windows)
    monkeypatch.setattr(
        "glob.glob",
        lambda pattern, **_: [f"{pattern[0]}\\{folder}\\x.conllu" for folder in ("de", "en")],
    )
    found = pair_files(pattern.format("k"), pattern.format("r"))
    assert [(pair.key, pair.response) for pair in found] == [
        (f"k\\{folder}\\x.conllu", f"r\\{folder}\\x.conllu") for folder in ("de", "en")
    ]
