"""What holds if nobody says otherwise: head match without singletons for CorefUD keys, else what was annotated."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

import corefscope
from corefscope import InputError, OptionError
from corefscope.analysis.errors.text_diff import marked_documents
from corefscope.analysis.noise.curves import curves_of_files
from corefscope.analysis.noise.files import perturb_file
from corefscope.cli import main
from corefscope.core.errors import Warnings
from corefscope.core.format import FORMATS
from corefscope.core.options import BY_KEY, OPEN
from corefscope.core.request import Request
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE

OFFICIAL = {"match": "head", "zeros": "dependent", "singletons": "drop"}
ANNOTATED = {"match": "exact", "zeros": "dependent", "singletons": "keep"}

WORDS = ["Ann", "saw", "Bob", "and", "she", "waved", "at", "him", "again"]
KEY = [[(0, 0), (4, 4)], [(2, 2), (7, 7)], [(6, 7)]]
RESPONSE = [[(0, 1), (4, 4)], [(2, 2), (7, 7)], [(8, 8)]]
"""A mention that begins with the same word (its head, where files name none) and is longer, and two singletons."""


def _brackets(clusters: list[list[tuple[int, int]]]) -> list[str]:
    cells: list[list[str]] = [[] for _ in WORDS]
    for number, cluster in enumerate(clusters):
        for start, end in cluster:
            if start == end:
                cells[start].append(f"({number})")
            else:
                cells[start].append(f"({number}")
                cells[end].append(f"{number})")
    return ["|".join(cell) or "-" for cell in cells]


def _conll(clusters: Any) -> str:
    rows = [f"d 0 {i} {word} {cell}" for i, (word, cell) in enumerate(zip(WORDS, _brackets(clusters), strict=True))]
    return "\n".join(["#begin document (d); part 000", *rows, "", "#end document", ""])


def _semeval(clusters: Any) -> str:
    cells = zip(WORDS, _brackets(clusters), strict=True)
    rows = [f"{i}\t{word}\t_\t_\t_\t{cell.replace('-', '_')}" for i, (word, cell) in enumerate(cells, 1)]
    return "\n".join(["#begin document d", *rows, "", "#end document d", ""])


def _corefud(clusters: Any) -> str:
    cells: list[list[str]] = [[] for _ in WORDS]
    for number, cluster in enumerate(clusters):
        for start, end in cluster:
            cells[start].append(f"(e{number}-x-1{')' if start == end else ''}")
            if start != end:
                cells[end].insert(0, f"e{number})")
    rows = [
        f"{i}\t{word}" + "\t_" * 4 + f"\t{i - 1}\tdep\t_\t" + ("Entity=" + "".join(cell) if cell else "_")
        for i, (word, cell) in enumerate(zip(WORDS, cells, strict=True), 1)
    ]
    return "\n".join(["# global.Entity = eid-etype-head", "# newdoc id = d", "# sent_id = s", *rows, "", ""])


def _table(clusters: Any) -> str:
    rows = [f"d,{start}-{end},{number}" for number, cluster in enumerate(clusters) for start, end in cluster]
    return "\n".join(["document,mention,entity", *rows, ""])


WRITTEN: dict[str, Any] = {
    "corefud": _corefud,
    "semeval": _semeval,
    "conll": _conll,
    "jsonl": lambda clusters: json.dumps({"doc_key": "d", "sentences": [WORDS], "clusters": clusters}) + "\n",
    "table": _table,
    "clusters": lambda clusters: json.dumps({"d": [[f"{s}-{e}" for s, e in cluster] for cluster in clusters]}),
}


def _pair(folder: Path, format_: str, response_format: str = "") -> tuple[str, str]:
    suffixes = {"corefud": ".conllu", "table": ".csv", "clusters": ".json", "jsonl": ".jsonl"}
    paths = []
    for side, clusters, name in (("key", KEY, format_), ("response", RESPONSE, response_format or format_)):
        folder.mkdir(exist_ok=True)
        path = folder / f"{side}{suffixes.get(name, '.txt')}"
        path.write_text(WRITTEN[name](clusters), encoding="utf-8")
        paths.append(str(path))
    return paths[0], paths[1]


def _choices(options: Any) -> dict[str, str]:
    return {name: getattr(options, name) for name in BY_KEY}


@pytest.mark.parametrize("name", WRITTEN)
def test_defaults_follow_the_format_of_the_key(name: str, tmp_path: Path) -> None:
    pair = _pair(tmp_path, name)
    expected = OFFICIAL if name == "corefud" else ANNOTATED
    report = corefscope.score(*pair)
    assert report.options.format == name
    assert _choices(report.options) == expected
    assert dict(report) == dict(corefscope.score(*pair, **expected))  # type: ignore[arg-type, misc]
    assert "|".join(f"{option}:{value}" for option, value in expected.items()) in report.signature
    other = ANNOTATED if name == "corefud" else OFFICIAL
    assert dict(report) != dict(corefscope.score(*pair, **other))  # type: ignore[arg-type, misc]


def test_every_format_says_its_defaults_and_only_corefud_has_those_of_its_scorer() -> None:
    assert {name: {option: getattr(row.defaults, option) for option in BY_KEY} for name, row in FORMATS.items()} == {
        name: OFFICIAL if name == "corefud" else ANNOTATED for name in FORMATS
    }


def test_the_key_decides_not_the_response(tmp_path: Path) -> None:
    assert _choices(corefscope.score(*_pair(tmp_path / "a", "conll", "jsonl")).options) == ANNOTATED
    assert _choices(corefscope.score(*_pair(tmp_path / "b", "jsonl", "corefud")).options) == ANNOTATED
    assert _choices(corefscope.score(*_pair(tmp_path / "c", "corefud", "jsonl")).options) == OFFICIAL


def test_every_entry_point_has_the_defaults_of_the_key(tmp_path: Path) -> None:
    key, response = pair = _pair(tmp_path / "files", "conll")
    expected = corefscope.score(*pair)
    compared = corefscope.compare(key, [response], names="ours", resample="nothing")
    assert compared["ours"].signature == expected.signature == compared.signature
    assert corefscope.examine(*pair).report.signature == expected.signature
    settings = corefscope.score_settings(*pair, "corefud-1.2,drop")
    assert settings["corefud-1.2"].signature == expected.signature
    assert _choices(settings["drop"].options) == ANNOTATED | {"singletons": "drop"}
    corefscope.write_report(key, [response], tmp_path / "page.html")
    assert expected.signature in (tmp_path / "page.html").read_text(encoding="utf-8")
    folder = tmp_path / "task"
    (folder / "set").mkdir(parents=True)
    (folder / "set" / "key.conll").write_text(WRITTEN["conll"](KEY))
    (folder / "set" / "ours.conll").write_text(WRITTEN["conll"](RESPONSE))
    task = corefscope.score_task(folder)
    assert task["ours"]["set"].signature == expected.signature
    assert _choices(task.options) == ANNOTATED
    assert "|match:exact|zeros:dependent|singletons:keep|" in task.signature
    explained = corefscope.explain_difference([f"{100 * expected['conll'].f1:.2f}"], *pair)
    assert _choices(explained.nearest[1][0]) == ANNOTATED
    curves = corefscope.curves(key, kinds="drop", levels=[50])
    assert "|match:exact|" in curves.signature
    assert "|match:head|" in corefscope.curves(EXAMPLE_KEY, kinds="drop", levels=[50]).signature
    assert _choices(corefscope.agree(pair).options) == ANNOTATED


def test_brackets_of_a_diff_are_those_of_the_default(tmp_path: Path) -> None:
    key, response = _pair(tmp_path, "conll")

    def outcomes(options: Any) -> list[str]:
        (document,) = marked_documents(key, response, Request(options), Warnings())
        return [bracket.outcome for _, words in document.sentences for word in words for bracket in word.after]

    assert outcomes({}) == outcomes(ANNOTATED) != outcomes(OFFICIAL)


def test_curves_of_files_have_the_defaults_of_their_key(tmp_path: Path) -> None:
    perturb_file(EXAMPLE_KEY, tmp_path / "noisy", kinds="drop", levels=[50])
    assert "|match:head|" in curves_of_files(tmp_path / "noisy").signature


def test_what_is_given_wins(tmp_path: Path) -> None:
    pair = _pair(tmp_path, "conll")
    assert _choices(corefscope.score(*pair, match="head").options) == ANNOTATED | {"match": "head"}
    assert _choices(corefscope.score(*pair, singletons="drop").options) == ANNOTATED | {"singletons": "drop"}
    assert _choices(corefscope.score(*pair, preset="crac25").options) == OFFICIAL
    assert _choices(corefscope.score(EXAMPLE_KEY, EXAMPLE_RESPONSE, preset="conll12").options) == ANNOTATED | {
        "zeros": "linear"
    }
    settings = corefscope.score_settings(*pair, "crac")
    assert _choices(settings["head match"].options) == OFFICIAL
    with pytest.raises(OptionError, match="unknown match ''"):
        corefscope.score(*pair, match="")  # type: ignore[arg-type]


def test_a_signature_wins(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pair = _pair(tmp_path, "conll")
    signature = corefscope.score(*pair, **OFFICIAL).signature  # type: ignore[arg-type]
    assert main(["score", *pair, "--signature", signature, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["signature"] == signature


@pytest.mark.parametrize("name", ["clusters", "table"])
def test_the_command_line_keeps_singletons_where_score_clusters_does(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", *_pair(tmp_path, name), "--format", "json", "--no-rules-note"]) == 0
    figures = json.loads(capsys.readouterr().out)["metrics"]
    metrics = "linkage" if name == "table" else None
    for metric, score in corefscope.score_clusters(KEY, RESPONSE, metrics=metrics).items():
        assert {figure: figures[metric][figure] for figure in score._asdict()} == pytest.approx(score._asdict())


def test_standard_input_and_named_formats_have_them_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key, response = _pair(tmp_path, "conll")
    for arguments in ({}, {"key_format": "conll"}):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(Path(key).read_bytes())))
        report = corefscope.score("-", response, **arguments)  # type: ignore[arg-type]
        assert _choices(report.options) == ANNOTATED
        assert dict(report) == dict(corefscope.score(key, response))


def test_the_files_are_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from corefscope.formats.conll import reader as conll

    opened: list[str] = []
    original = conll.ConllReader.documents

    def counted(self: Any, start: int, stop: int) -> Any:
        opened.append(self.source.name)
        return original(self, start, stop)

    monkeypatch.setattr(conll.ConllReader, "documents", counted)
    pair = _pair(tmp_path, "conll")
    corefscope.score(*pair)
    assert sorted(opened) == sorted(pair)


def _directory(folder: Path, *formats: str) -> tuple[str, str]:
    for side in ("key", "response"):
        (folder / side).mkdir(parents=True)
    for number, name in enumerate(formats):
        suffix = {"corefud": "conllu", "jsonl": "jsonl", "conll": "conll"}[name]
        for side, clusters in (("key", KEY), ("response", RESPONSE)):
            (folder / side / f"{number}.{suffix}").write_text(WRITTEN[name](clusters))
    return str(folder / "key"), str(folder / "response")


def test_a_directory_of_several_kinds_is_refused_unless_both_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mixed = _directory(tmp_path / "mixed", "corefud", "conll")
    message = r"keys in corefud and conll are scored by different defaults: give --match and --singletons"
    with pytest.raises(InputError, match=message):
        corefscope.score(*mixed)
    with pytest.raises(InputError, match=r"defaults: give --singletons$"):
        corefscope.score(*mixed, match="exact")
    report = corefscope.score(*mixed, match="exact", singletons="keep")
    assert report.options.format == "corefud+conll"
    assert main(["score", *mixed]) == 1
    assert "give --match and --singletons" in capsys.readouterr().err
    assert main(["score", *mixed, "--preset", "crac25"]) == 0
    alike = _directory(tmp_path / "alike", "jsonl", "conll")
    assert _choices(corefscope.score(*alike).options) == ANNOTATED


def test_a_task_with_keys_of_several_kinds_is_refused_unless_both_are_named(tmp_path: Path) -> None:
    for dataset, name, suffix in (("a", "corefud", "conllu"), ("b", "conll", "conll")):
        (tmp_path / dataset).mkdir()
        for file, clusters in (("key", KEY), ("ours", RESPONSE)):
            (tmp_path / dataset / f"{file}.{suffix}").write_text(WRITTEN[name](clusters))
    with pytest.raises(OptionError, match="keys in corefud and conll are scored by different defaults"):
        corefscope.score_task(tmp_path)
    assert _choices(corefscope.score_task(tmp_path, match="partial", singletons="keep").options) == {
        **ANNOTATED,
        "match": "partial",
    }


def test_help_says_the_rule(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("score", "compare", "errors", "report", "task", "diff"):
        assert main(["help", command]) == 0
        text = " ".join(capsys.readouterr().out.split())
        assert "(default: head for corefud keys, exact for others; " in text
        assert "; partial under rules corefud-1.0; exact under rules ua-1.0, ua-2.0, bookcoref)" in text
        assert "(default dependent; linear under rules corefud-1.1, corefud-1.0, ua-2.0)" in text
        assert "(default: drop for corefud keys, keep for others; keep under rules ua-1.0, bookcoref; drop" in text


def test_what_is_open_has_no_name_in_signatures() -> None:
    assert str(OPEN) == "corefud|rules:corefud-1.2"
    assert OPEN.completed(["corefud"]) == corefscope.Options()


# ---- heads


def test_head_match_of_files_without_heads_warns_once(tmp_path: Path) -> None:
    pair = _pair(tmp_path / "one", "conll")
    assert not corefscope.score(*pair).warnings
    (warning,) = corefscope.score(*pair, match="head").warnings
    assert warning == (
        f"{pair[0]}: the file has no heads: the first word of a mention counts as its head"
        " (--match exact needs none) (and 1 file more)"
    )
    directory = _directory(tmp_path / "many", "conll", "jsonl", "conll")
    (warning,) = corefscope.score(*directory, match="head").warnings
    assert warning.endswith("(and 5 files more)")


def test_corefud_without_a_head_field_warns_by_name_and_says_what_to_do(tmp_path: Path) -> None:
    text = _corefud(KEY).replace("eid-etype-head", "eid-etype").replace("-x-1", "-x")
    key = tmp_path / "key.conllu"
    key.write_text(text)
    response = _pair(tmp_path / "other", "corefud")[1]
    report = corefscope.score(key, response)
    assert _choices(report.options) == OFFICIAL
    (warning,) = report.warnings
    assert warning.startswith(f"{key}: the file has no heads: the first word of a mention counts as its head")
    assert "--match exact" in warning
    assert "--heads tree" in warning
    assert not corefscope.score(key, response, match="exact").warnings
    assert not corefscope.score(key, response, heads="tree").warnings
