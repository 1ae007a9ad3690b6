"""Several settings from one reading."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, cast

import pytest

import corefscope
from corefscope.cli import main
from corefscope.core.errors import OptionError
from corefscope.core.metrics import GROUPS
from corefscope.core.options import Options
from corefscope.core.request import Request, RequestArguments
from corefscope.formats.settings import SETTINGS, parse_settings, score_settings
from oracles import partitions
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE


def test_each_setting_scores_as_on_its_own() -> None:
    found = score_settings(EXAMPLE_KEY, EXAMPLE_RESPONSE, "crac")
    alone = {
        "head match": corefscope.score(EXAMPLE_KEY, EXAMPLE_RESPONSE),
        "exact match": corefscope.score(EXAMPLE_KEY, EXAMPLE_RESPONSE, match="exact"),
        "partial match": corefscope.score(EXAMPLE_KEY, EXAMPLE_RESPONSE, match="partial"),
        "with singletons": corefscope.score(EXAMPLE_KEY, EXAMPLE_RESPONSE, singletons="keep"),
        "zeros": corefscope.score(EXAMPLE_KEY, EXAMPLE_RESPONSE, metrics="zero"),
    }
    assert found == alone
    assert [report.signature for report in found.values()] == [report.signature for report in alone.values()]


def test_files_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from corefscope.formats.source import Source

    opened: list[object] = []
    original = Source.open

    def counting(path: str) -> Source:
        opened.append(path)
        return original(path)

    monkeypatch.setattr(Source, "open", counting)
    score_settings(EXAMPLE_KEY, EXAMPLE_RESPONSE, "crac")
    assert len(opened) == 2


def requests(settings: str, **arguments: Any) -> dict[str, Request]:
    request = Request(cast("RequestArguments", {"metrics": "conll", **arguments}))
    return {title: request.replaced(**changes) for title, changes in parse_settings(settings).items()}


def test_settings_are_written_as_what_differs() -> None:
    base = Options(rules="corrected")
    found = requests("exact+keep, conll12, linear+muc+lea", rules="corrected", zeros="dependent")
    assert list(found) == ["exact+keep", "conll12", "linear+muc+lea"]
    assert found["exact+keep"].options == base._replace(match="exact", singletons="keep")
    assert found["exact+keep"].metrics == GROUPS["conll"]
    assert found["conll12"].options.rules == "conll-8.01"
    assert found["conll12"].metrics == GROUPS["conll12"]
    assert found["linear+muc+lea"].metrics == ("muc", "lea")


def test_all_named_sets_parse() -> None:
    for name, rows in SETTINGS.items():
        assert list(parse_settings(name)) == list(rows)


def test_other_options_do_not_change_what_a_named_set_means() -> None:
    named = requests("crac", match="partial", zeros="linear", singletons="keep", rules="corrected")
    found = {title: request.options for title, request in named.items()}
    assert found["head match"] == found["zeros"] == Options(rules="corrected")
    assert found["exact match"] == Options(match="exact", rules="corrected")
    assert found["partial match"] == Options(match="partial", rules="corrected")
    assert found["with singletons"] == Options(singletons="keep", rules="corrected")


def test_the_order_of_words_does_not_matter() -> None:
    one, other = requests("conll12+head+muc,muc+head+conll12").values()
    assert (one.options, one.metrics) == (other.options, other.metrics)
    assert (one.options.match, one.options.rules, one.metrics) == ("head", "conll-8.01", ("muc",))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("head+exact", "two values of match: head and exact"),
        ("keep+keep", "two values of singletons"),
        ("crac22+crac23", "two presets"),
        ("crac+keep", "stands for several settings"),
        ("", "is empty"),
        ("head,,exact", "is empty"),
        ("head+", "unknown setting ''"),
    ],
)
def test_settings_that_contradict_themselves_are_refused(text: str, says: str) -> None:
    with pytest.raises(OptionError, match=says):
        parse_settings(text)


def test_an_unknown_setting_is_named() -> None:
    with pytest.raises(OptionError, match=r"unknown setting 'exakt' \(did you mean 'exact'"):
        score_settings(EXAMPLE_KEY, EXAMPLE_RESPONSE, "exakt+keep")


Corpus = Mapping[str, Mapping[int, str]]
"""The entities of words, by document and number of the word."""
WORDS = ["Ann", "saw", "her", "and", "Bob", "went"]
KEY: Corpus = {
    "1_a": {0: "ann", 2: "ann", 4: "bob"},
    "1_b": {0: "ann", 4: "bob", 5: "leave"},
    "2_a": {0: "eve", 2: "eve", 4: "bob"},
    "2_b": {0: "ann", 5: "leave"},
}
RESPONSE: Corpus = {
    "1_a": {0: "x", 2: "y", 4: "x"},
    "1_b": {0: "x", 4: "x", 5: "z"},
    "2_a": {0: "y", 2: "y", 4: "w"},
    "2_b": {0: "x", 2: "z", 5: "z"},
}


def _clusters(entities: Mapping[int, str]) -> dict[str, list[list[int]]]:
    clusters: dict[str, list[list[int]]] = {}
    for word, entity in entities.items():
        clusters.setdefault(entity, []).append([word, word])
    return clusters


def _jsonl(corpus: Corpus, path: Path) -> None:
    documents = [{"doc_key": name, "tokens": WORDS, "clusters": _clusters(of)} for name, of in corpus.items()]
    path.write_text("".join(json.dumps(document) + "\n" for document in documents), encoding="utf-8")


def _xcore(corpus: Corpus, path: Path) -> None:
    clusters: dict[str, list[list[int]]] = {}
    for number, of in enumerate(corpus.values()):
        for word, entity in of.items():
            clusters.setdefault(entity, []).append([number, word, word])
    document = {"tokens": [WORDS] * len(corpus), "doc_ids": list(corpus)}
    path.write_text(json.dumps(document | {"clusters_token_offsets": [*clusters.values()]}), encoding="utf-8")


def _cdcr(corpus: Corpus, path: Path) -> None:
    mentions = [
        {"doc_id": name, "sent_id": 0, "tokens_number": [word], "coref_chain": entity}
        for name, of in corpus.items()
        for word, entity in of.items()
    ]
    path.write_text(json.dumps(mentions), encoding="utf-8")


def _ecb(corpus: Corpus, path: Path) -> None:
    path.mkdir()
    for name, of in corpus.items():
        tokens = "".join(f'<token t_id="{n}" sentence="0">{word}</token>' for n, word in enumerate(WORDS))
        marked = "".join(f'<ACT m_id="{n}"><token_anchor t_id="{n}"/></ACT>' for n in of)
        marked += "".join(f'<ACT m_id="i{entity}" instance_id="{entity}"/>' for entity in {*of.values()})
        links = "".join(
            f'<CROSS_DOC_COREF r_id="{n}" note="{entity}"><source m_id="{n}"/><target m_id="i{entity}"/>'
            "</CROSS_DOC_COREF>"
            for n, entity in of.items()
        )
        text = f"{tokens}<Markables>{marked}</Markables><Relations>{links}</Relations>"
        (path / f"{name}.xml").write_text(f'<Document doc_name="{name}">{text}</Document>', encoding="utf-8")


def _table(corpus: Corpus, path: Path) -> None:
    rows = [f"{name},{word},{entity}" for name, of in corpus.items() for word, entity in of.items()]
    path.write_text("\n".join(["document,mention,entity", *rows, ""]), encoding="utf-8")


def _conll(corpus: Corpus, path: Path) -> None:
    lines = []
    ids = {entity: n for n, entity in enumerate(sorted({entity for of in corpus.values() for entity in of.values()}))}
    for name, of in corpus.items():
        lines.append(f"#begin document ({name}); part 000")
        for number, word in enumerate(WORDS):
            cell = f"({ids[of[number]]})" if number in of else "-"
            lines.append(f"{name} 0 {number} {word} {cell}")
        lines += ["", "#end document"]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


CORPORA: dict[str, Callable[[Corpus, Path], None]] = {
    "jsonl": _jsonl,
    "xcore": _xcore,
    "cdcr": _cdcr,
    "ecb": _ecb,
    "table": _table,
    "conll": _conll,
}
LEVELS: dict[str, Callable[[str], str]] = {
    "document": lambda name: name,
    "topic": lambda name: name[0],
    "corpus": lambda _: "",
}


def _partition(corpus: Corpus, level: Callable[[str], str], least: int) -> list[frozenset[object]]:
    """The entities of each document, topic, or of the corpus, without singletons if ``least`` is 2."""
    entities: dict[tuple[str, str], set[object]] = {}
    for name, of in corpus.items():
        for word, entity in of.items():
            entities.setdefault((level(name), entity), set()).add((name, word))
    return [frozenset(mentions) for mentions in entities.values() if len(mentions) >= least]


@pytest.mark.parametrize("name", CORPORA)
def test_levels_and_singletons_of_a_corpus_are_one_table(name: str, tmp_path: Path) -> None:
    """The oracle has entities as sets of (document, word), cut at the borders of documents or topics."""
    key, response = tmp_path / "key", tmp_path / "response"
    CORPORA[name](KEY, key)
    CORPORA[name](RESPONSE, response)
    found = score_settings(key, response, "cross-document", metrics="muc,bcub,lea", key_format=name)
    assert list(found) == list(SETTINGS["cross-document"])
    for title, report in found.items():
        level, least = LEVELS[title.partition(",")[0]], 2 if "no singletons" in title else 1
        sides = [_partition(corpus, level, least) for corpus in (KEY, RESPONSE)]
        for metric in report:
            expected = getattr(partitions, metric)(*sides)
            assert list(report[metric]) == pytest.approx([float(figure) for figure in expected]), (title, metric)
    assert len({str(report.options) for report in found.values()}) == 6


def test_the_topic_pattern_is_for_topics_only(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    key, response = tmp_path / "key.jsonl", tmp_path / "response.jsonl"
    _jsonl(KEY, key)
    _jsonl(RESPONSE, response)
    found = score_settings(key, response, "cross-document", topic=".*(.)$", metrics="muc")
    assert found["topic"] == corefscope.score(key, response, documents="topic", topic=".*(.)$", metrics="muc")
    assert found["document"] == corefscope.score(key, response, metrics="muc")
    assert [list(report.documents) for report in found.values()][1:3] == [["a", "b"], ["all documents"]]
    files = [str(key), str(response), "--settings", "cross-document"]
    assert main(["score", *files, "--metrics", "all", "--topic", "(.)_", "--per-document"]) == 0
    assert "corpus, no singletons" in capsys.readouterr().out
    with pytest.raises(OptionError, match="two values of documents"):
        parse_settings("topic+merge")
    with pytest.raises(OptionError, match="read only once"):
        score_settings("-", response, "cross-document")


def test_tasks_join_documents_alike(tmp_path: Path) -> None:
    (tmp_path / "set").mkdir()
    _jsonl(KEY, tmp_path / "set" / "key.jsonl")
    _jsonl(RESPONSE, tmp_path / "set" / "system.jsonl")
    with pytest.raises(OptionError, match="settings of a task join documents alike"):
        corefscope.score_task_settings(tmp_path, "cross-document")
