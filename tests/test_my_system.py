"""docs/my-system.md: every command prints what it shows, and its files are what the packages write.

Packages that are not installed are skipped. ``make docs`` writes the present output of the commands into the page.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

import pytest

import corefscope
from frameworks import WITH_FRAMEWORKS, framework
from pages import COMMAND, session
from places import REPOSITORY

PAGE = REPOSITORY / "docs" / "my-system.md"
FILE = re.compile(r"^`([^`\s]+)`:\n\n```\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TEXT, WORDS = "Ann likes her dog", ["Ann", "likes", "her", "dog"]
KEYS = {
    "key.conllu": """\
# newdoc id = walk
# global.Entity = eid-etype-head
# sent_id = walk-1
# text = Ann likes her dog
1\tAnn\tAnn\tPROPN\t_\t_\t2\tnsubj\t_\tEntity=(e1-person-1)
2\tlikes\tlike\tVERB\t_\t_\t0\troot\t_\t_
3\ther\ther\tPRON\t_\t_\t4\tnmod\t_\tEntity=(e2-animal-2(e1-person-1)
4\tdog\tdog\tNOUN\t_\t_\t2\tobj\t_\tEntity=e2)
""",
    "key.conll": """\
#begin document (walk)
walk  0  0  Ann    (0)
walk  0  1  likes  -
walk  0  2  her    (1|(0)
walk  0  3  dog    1)

#end document
""",
    "key.jsonl": json.dumps(
        {"doc_key": "walk", "sentences": [WORDS], "clusters": [[[0, 0], [2, 2]], [[2, 3]]]},
    ),
}
"""Three keys over the same document."""
FILES = {**KEYS, **dict(FILE.findall(PAGE.read_text(encoding="utf-8")))}
RESPONSES = [name for name in FILES if name not in KEYS and not name.endswith(".tokens")]


def _brought_up_to_date(text: str, folder: Path) -> str:
    """The page with what its commands print."""
    for name, content in FILES.items():
        (folder / name).write_text(content, encoding="utf-8")

    def shown(block: re.Match[str]) -> str:
        return f"```console\n{''.join(session(block[1], folder))}```"

    return CONSOLE.sub(shown, text)


def test_commands_print_what_the_page_shows(tmp_path: Path) -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert _brought_up_to_date(text, tmp_path) == text, "docs/my-system.md is out of date: run make docs"


def test_recipes_are_short_and_complete() -> None:
    text = PAGE.read_text(encoding="utf-8")
    systems = re.findall(r"^\| \[([^]]+)\]", text, re.MULTILINE)
    assert len(systems) == 9
    for system in systems:
        heading = system.replace("a language", "A language")
        recipe = text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
        assert 1 <= len(COMMAND.findall(recipe)) <= 2, system
        assert "66.67" in recipe
        assert "\n- " in recipe
    assert all(len(content.splitlines()) <= 10 for content in FILES.values())


@pytest.mark.parametrize("response", RESPONSES)
@pytest.mark.parametrize("key", KEYS)
def test_every_system_is_scored_with_every_key(key: str, response: str, tmp_path: Path) -> None:
    """Nothing but the two files is given."""
    for name, content in FILES.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    report = corefscope.score(tmp_path / key, tmp_path / response)
    assert report["muc"].recall == 1
    assert report["muc"].precision == 0.5


# ------------------------------------------------------------------ files of the packages themselves


def _fields(line: str) -> list[str]:
    return line.split("\t")


@WITH_FRAMEWORKS
def test_stanza_writes_the_file_of_the_page(tmp_path: Path) -> None:
    framework("stanza")
    doc = framework("stanza.models.common.doc", "stanza")
    coref = framework("stanza.models.coref.coref_chain", "stanza")
    conll = framework("stanza.utils.conll", "stanza")
    tokens, start = [], 0
    for number, word in enumerate(WORDS, 1):
        start = TEXT.index(word, start)
        tokens.append({"id": (number,), "text": word, "start_char": start, "end_char": start + len(word)})
    document = doc.Document([tokens], text=TEXT)
    mentions = [coref.CorefMention(0, first, last) for first, last in ((0, 1), (2, 3), (2, 4))]
    document.coref = [coref.CorefChain(0, mentions, "her dog", 2)]
    path = tmp_path / "stanza.conllu"
    conll.CoNLL.write_doc2conll(document, str(path))
    assert path.read_text(encoding="utf-8").strip() == FILES["stanza.conllu"].strip()


@WITH_FRAMEWORKS
def test_fastcoref_writes_the_file_of_the_page(tmp_path: Path) -> None:
    """Its own ``predict``, with a model that has already predicted."""
    modeling = framework("fastcoref.modeling", "fastcoref")
    spans = [(0, 3), (10, 13), (10, 17)]
    result = modeling.CorefResult(TEXT, [[0, 1, 2]], dict(enumerate(enumerate(spans))), {}, None, 0)
    model = SimpleNamespace(
        nlp=True,
        _create_dataset=lambda *_: None,
        _prepare_batches=lambda *_: None,
        _inference=lambda *_: [result],
    )
    path = tmp_path / "fastcoref.jsonl"
    modeling.CorefModel.predict(model, texts=[TEXT], output_file=str(path))
    assert path.read_text(encoding="utf-8").strip() == FILES["fastcoref.jsonl"].strip()


def _spacy_document() -> Any:
    document = framework("spacy").blank("en")(TEXT)
    document.spans["coref_clusters_1"] = [document[0:1], document[2:3], document[2:4]]
    return document


def _spaces_of(clusters: dict[str, list[dict[str, Any]]]) -> dict[str, list[tuple[int, int]]]:
    return {name: [(span["start"], span["end"]) for span in spans] for name, spans in clusters.items()}


@WITH_FRAMEWORKS
def test_spacy_writes_the_file_of_the_page(tmp_path: Path) -> None:
    written = _spacy_document().to_json()
    shown = json.loads(FILES["spacy.json"])
    assert (written["text"], written["tokens"]) == (shown["text"], shown["tokens"])
    assert _spaces_of(written["spans"]) == _spaces_of(shown["spans"])
    path, key = tmp_path / "spacy.json", tmp_path / "key.jsonl"
    path.write_text(json.dumps(written), encoding="utf-8")
    key.write_text(FILES["key.jsonl"], encoding="utf-8")
    assert corefscope.score(key, path)["muc"].precision == 0.5


if __name__ == "__main__":
    with TemporaryDirectory() as directory:
        PAGE.write_text(_brought_up_to_date(PAGE.read_text(encoding="utf-8"), Path(directory)), encoding="utf-8")
