"""What chat models volunteer: enclosures, lists of mentions, files of many answers; and answers that say nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import jsonschema
import pytest

import corefscope
from corefscope.cli import main
from corefscope.core.errors import InputError
from corefscope.llm.locating import KeyText, ListedEntity, ListedMention, locate
from corefscope.llm.mention_lists import LIST_STYLES, read_list
from corefscope.llm.styles import STYLES
from corefscope.output.formats.json_text import schema
from places import GOLDEN

SAMPLES = sorted((GOLDEN / "chat").glob("*/*.txt"))
OPTIONS: dict[str, Any] = {"match": "exact", "singletons": "keep", "metrics": "conll"}


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_sample_says_what_its_key_says_or_is_an_error(path: Path) -> None:
    key = path.with_name("key.jsonl")
    if path.stem in ("refusal", "plain"):
        with pytest.raises(InputError, match=r"no mention tags recognised.*it begins"):
            corefscope.score(key, path, **OPTIONS)
    else:
        assert corefscope.score(key, path, **OPTIONS)["conll"].f1 == 1


# ------------------------------------------------------------------ random documents in every shape

Span = tuple[int, int]
FILLERS = ["met", "saw", "and", "then", "left", "while", "quickly", "again"]
NAMES = ["Ann", "Bob", "the old dog", "the dog", "a river", "Eve", "her", "him", "it", "they", "the doctor's house"]


def _document(random: Random) -> tuple[list[str], list[list[Span]]]:
    """Words, and the spans of each entity; each string belongs to one entity, and none is in another."""
    names = random.sample(NAMES, random.randint(3, 8))
    entities = [names[start::3] for start in range(3)]
    words: list[str] = []
    spans: list[list[Span]] = [[], [], []]
    for _ in range(random.randint(6, 16)):
        entity = random.randrange(3)
        words += random.choices(FILLERS, k=random.randint(1, 3))
        name = random.choice(entities[entity]).split()
        spans[entity].append((len(words), len(words) + len(name) - 1))
        words += name
    return [*words, "."], [entity for entity in spans if entity]


def _tagged(words: list[str], entities: list[list[Span]], opening: str, closing: str) -> str:
    """The text with tags; ``{}`` is the id."""
    before, after = [""] * len(words), [""] * len(words)
    for number, spans in enumerate(entities, 1):
        for first, last in spans:
            before[first] = opening.replace("{}", str(number)) + before[first]
            after[last] += closing.replace("{}", str(number))
    return " ".join(a + word + b for a, word, b in zip(before, words, after, strict=True)).replace(" .", ".")


TAGS = {
    "below": ("[", "]_{}"),
    "below in braces": ("[", "]_{{}}"),
    "above": ("[", "]^{}"),
    "attached": ("[", "]{}"),
    "parentheses": ("[", "]({})"),
    "parentheses after a blank": ("[", "] ({})"),
    "second bracket": ("[", "][{}]"),
    "subscript": ("[", "]<sub>{}</sub>"),
    "number sign": ("[", "]#{}"),
    "letter": ("[", "]E{}"),
    "label": ("[", "](Entity {})"),
    "type": ("[", "]PERSON_{}"),
    "first": ("[{} ", "]"),
    "first with colon": ("[{}: ", "]"),
    "first with letter": ("[E{} ", "]"),
    "first with label": ("[Entity {}: ", "]"),
    "last with bar": ("[", "|{}]"),
    "last with colon": ("[", ": {}]"),
    "last in parentheses": ("[", " ({})]"),
    "before": ("{}[", "]"),
    "id, then mention": ("[{}](", ")"),
    "bold": ("**", "** ({})"),
    "bold, bracket": ("**", "**[{}]"),
    "bold, below": ("**", "**_{}"),
    "bold, inside": ("**", " [{}]**"),
    "bold, first": ("**{}: ", "**"),
    "italics": ("*", "* ({})"),
    "html": ("<b>", "</b> ({})"),
    "braces": ("{", "}_{}"),
    "braces, last": ("{", "|{}}"),
    "round": ("(", ")_{}"),
    "round, bracket": ("(", ")[{}]"),
    "function": ("E{}(", ")"),
    "xml of numbers": ("<{}>", "</{}>"),
    "angle": ("<", ">_{}"),
}


def _strings(words: list[str], entities: list[list[Span]]) -> list[list[str]]:
    return [[" ".join(words[first : last + 1]) for first, last in spans] for spans in entities]


def _rows(words: list[str], entities: list[list[Span]]) -> list[tuple[int, str, Span]]:
    rows = [(span, number) for number, spans in enumerate(entities, 1) for span in spans]
    return [(number, " ".join(words[span[0] : span[1] + 1]), span) for span, number in sorted(rows)]


def _objects(words: list[str], entities: list[list[Span]], offsets: str) -> str:
    starts = [sum(map(len, words[:at])) + at for at in range(len(words))]
    clusters = []
    for spans in entities:
        mentions: list[dict[str, Any]] = []
        for first, last in spans:
            ends = (first, last) if offsets == "words" else (starts[first], starts[last] + len(words[last]))
            mentions.append({"text": " ".join(words[first : last + 1]), "start": ends[0], "end": ends[1]})
        clusters.append({"mentions": mentions})
    return json.dumps({"clusters": clusters}, indent=1)


def _lines(pattern: str, separator: str, quote: str = "") -> Callable[[list[str], list[list[Span]]], str]:
    def printed(words: list[str], entities: list[list[Span]]) -> str:
        rows = enumerate(_strings(words, entities), 1)
        listed = [(number, row[0], separator.join(f"{quote}{each}{quote}" for each in row)) for number, row in rows]
        return "\n".join(pattern.format(number=number, name=name, mentions=text) for number, name, text in listed)

    return printed


Shape = Callable[[list[str], list[list[Span]]], str]
LISTS: dict[str, Shape] = {
    "strings": lambda words, entities: json.dumps(_strings(words, entities)),
    "fenced": lambda *made: (
        f"Sure! Here they are:\n```json\n{json.dumps(_strings(*made), indent=2)}\n```\nAnything else?"
    ),
    "python": lambda *made: repr([tuple(row) for row in _strings(*made)]),
    "by id": lambda *made: json.dumps({f"e{at}": row for at, row in enumerate(_strings(*made))}),
    "by name": lambda *made: json.dumps({row[0]: row for row in _strings(*made)}),
    "entities": lambda *made: json.dumps(
        {"entities": [{"id": at, "name": row[0], "mentions": row} for at, row in enumerate(_strings(*made))]}
    ),
    "mention rows": lambda *made: json.dumps([{"mention": text, "entity": at} for at, text, _ in _rows(*made)]),
    "offsets of words": lambda words, entities: _objects(words, entities, "words"),
    "offsets of characters": lambda words, entities: _objects(words, entities, "characters"),
    "bullets": _lines("- {name}: {mentions}", ", "),
    "bold bullets": _lines("* **{name}**: {mentions}", ", ", '"'),
    "numbered": _lines("{number}. {name}: {mentions}", ", "),
    "labelled": _lines("Entity {number}: {mentions}", ", "),
    "labelled, named": _lines("Cluster {number} ({name}): {mentions}", "; "),
    "sets": _lines("Cluster {number} = {{{mentions}}}", ", "),
    "quoted": _lines("{mentions}", ", ", '"'),
    "introduced": lambda *made: "Here you go:\n\n" + _lines("{number}. {mentions}", ", ", '"')(*made),
    "introduced bullets": lambda *made: "The entities are:\n" + _lines("- {mentions}", "; ")(*made),
    "headings": _lines("### {name}\n- {mentions}\n", "\n- "),
    "nested": _lines("{number}. **{name}**\n   - {mentions}", "\n   - ", '"'),
    "table": lambda *made: "| Entity | Mentions |\n|---|---|\n" + _lines("| {number} | {mentions} |", "; ")(*made),
    "table with names": lambda *made: (
        "| # | Entity | Mentions |\n|:-:|---|---|\n" + _lines("| {number} | {name} | {mentions} |", ", ")(*made)
    ),
    "table of mentions": lambda *made: (
        "| Mention | Entity |\n|---|---|\n" + "\n".join(f"| {text} | {at} |" for at, text, _ in _rows(*made))
    ),
}


def _score(folder: Path, words: list[str], entities: list[list[Span]], answer: str, suffix: str = ".txt") -> float:
    key, out = folder / "key.jsonl", folder / f"out{suffix}"
    key.write_text(json.dumps({"doc_key": "d", "sentences": [words], "clusters": entities}) + "\n", encoding="utf-8")
    out.write_text(answer, encoding="utf-8")
    figure: float = corefscope.score(key, out, **OPTIONS)["conll"].f1
    return figure


@pytest.mark.parametrize("name", TAGS)
def test_every_enclosure_is_read_as_it_was_meant(name: str, tmp_path: Path) -> None:
    for seed in range(4):
        made = _document(Random(f"{name} {seed}"))
        text = _tagged(*made, *TAGS[name])
        for answer in (text, f"Here is the text:\n\n{text}\n"):
            assert _score(tmp_path, *made, answer) == 1, answer


@pytest.mark.parametrize("name", LISTS)
def test_every_list_is_read_as_it_was_meant(name: str, tmp_path: Path) -> None:
    for seed in range(4):
        made = _document(Random(f"{name} {seed}"))
        answer = LISTS[name](*made)
        assert _score(tmp_path, *made, answer) == 1, answer


@pytest.mark.parametrize("style", [name for name, row in STYLES.items() if row.is_enclosed])
def test_enclosures_nest(style: str, tmp_path: Path) -> None:
    words = ["Ann", "met", "her", "dog", "."]
    entities = [[(0, 0), (2, 2)], [(2, 3)]]
    assert _score(tmp_path, words, entities, f"{STYLES[style].example} .") == 1


@pytest.mark.parametrize("suffix", [".txt", ".md", ".out", ".json"])
def test_no_suffix_is_needed(suffix: str, tmp_path: Path) -> None:
    words = ["Ann", "met", "her", "dog", "."]
    entities = [[(0, 0), (2, 2)], [(2, 3)]]
    answers = ['[["Ann", "her"], ["her dog"]]', "[['Ann', 'her'], ['her dog']]", "[Ann]_1 met [[her]_1 dog]_2."]
    answers += ["[1 Ann] met [2 [1 her] dog].", "{Ann|1} met {{her|1} dog|2}."]
    for answer in answers:
        assert _score(tmp_path, words, entities, answer, suffix) == 1, answer


# ------------------------------------------------------------------ strings and where they are

WORDS = ["Ann", "saw", "Eve", ".", "She", "left", ".", "Eve", "slept", ".", "She", "woke", "."]


def _located(*entities: list[str]) -> tuple[list[list[Span]], int, tuple[str, ...]]:
    listed = [ListedEntity("", [ListedMention(text) for text in strings]) for strings in entities]
    found = locate(listed, KeyText(WORDS))
    return [sorted(spans) for spans in found.entities], found.ambiguous, found.missing


def test_the_kth_string_is_the_kth_occurrence_that_is_free() -> None:
    assert _located(["Ann", "She"]) == ([[(0, 0), (4, 4)]], 1, ())
    assert _located(["Eve", "Eve"]) == ([[(2, 2), (7, 7)]], 0, ())
    assert _located(["Ann", "she"]) == ([[(0, 0), (4, 4)]], 1, ())
    assert _located(["Ann", "Bob"], ["Eve", "Eve", "Eve"]) == ([[(0, 0)], [(2, 2), (7, 7)]], 0, ("Bob", "Eve"))


def test_neighbours_in_the_list_tell_entities_apart() -> None:
    wanted = [[(0, 0), (4, 4)], [(2, 2), (7, 7), (10, 10)]]
    assert _located(["Ann", "She"], ["Eve", "Eve", "She"]) == (wanted, 2, ())
    assert _located(["Eve", "Eve", "She"], ["Ann", "She"]) == (wanted[::-1], 2, ())


def test_reports_count_what_was_located(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    key, out = tmp_path / "key.jsonl", tmp_path / "out.txt"
    clusters = [[[0, 0], [4, 4]], [[2, 2], [7, 7]]]
    key.write_text(json.dumps({"doc_key": "d", "sentences": [WORDS], "clusters": clusters}), encoding="utf-8")
    out.write_text('[["Ann", "She"], ["Eve", "Eve", "nobody"]]', encoding="utf-8")
    said = "located by text: 4, of these ambiguous: 1, not found: 1"
    assert main(["score", str(key), str(out), "--metrics", "muc"]) == 0
    captured = capsys.readouterr()
    assert f"response printed in style lists: {said}" in captured.out
    assert f"{said}, such as 'nobody'" in captured.err
    content = corefscope.score(key, out, metrics="conll").to_dict()
    jsonschema.Draft202012Validator(schema()).validate(content)
    printed = content["inputs"]["response"]["printed"]
    assert printed["located"] == {"by_text": 4, "by_offset": 0, "ambiguous": 1, "not_found": 1}


def test_a_plain_copy_is_no_list() -> None:
    words = "Ann said : hello , Bob . She met Eve , a friend , and left ."
    key = KeyText(words.split())
    copies = [
        "Ann said: hello, Bob.\nShe met Eve, a friend, and left.",
        "- Ann said: hello, Bob.\n- She met Eve, a friend,",
    ]
    for text in (*copies, "I'm sorry, but I can't help.", "", "[]", "{}", "[[]]", '["nobody"]'):
        assert read_list(text, key) is None


# ------------------------------------------------------------------ files of many answers

TEXTS = {"d1": "Ann met her dog . It barked .", "d2": "Eve fed her cat . It purred ."}
CLUSTERS = [[[0, 0], [2, 2]], [[2, 3], [5, 5]]]
ANSWERS = {
    "d1": "[Ann]_1 met [[her]_1 dog]_2. [It]_2 barked.",
    "d2": 'Sure:\n```json\n[["Eve", "her"], ["her cat", "It"]]\n```',
}
WRAPPERS: dict[str, Callable[[str, str], dict[str, Any]]] = {
    "openai": lambda id_, text: {
        "custom_id": id_,
        "response": {"status_code": 200, "body": {"choices": [{"message": {"role": "assistant", "content": text}}]}},
        "error": None,
    },
    "anthropic": lambda id_, text: {
        "custom_id": id_,
        "result": {"type": "succeeded", "message": {"content": [{"type": "text", "text": text}]}},
    },
    "harness": lambda id_, text: {
        "doc_id": int(id_[1:]) - 1,
        "doc": {"text": TEXTS[id_]},
        "resps": [[text]],
        "filtered_resps": [text],
    },
    **{
        field: lambda id_, text, field=field: {"id": id_, field: text}  # type: ignore[misc]
        for field in ("completion", "output", "text", "response", "generated_text", "prediction")
    },
}


def _key_of_two(folder: Path) -> Path:
    key = folder / "key.jsonl"
    rows = [{"doc_key": id_, "sentences": [text.split()], "clusters": CLUSTERS} for id_, text in TEXTS.items()]
    key.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return key


@pytest.mark.parametrize("name", WRAPPERS)
def test_answers_are_unwrapped_and_matched_by_id(name: str, tmp_path: Path) -> None:
    key, out = _key_of_two(tmp_path), tmp_path / "out.jsonl"
    rows = [WRAPPERS[name](id_, text) for id_, text in ANSWERS.items()]
    for text in (*("\n".join(map(json.dumps, each)) for each in (rows, rows[::-1])), json.dumps(rows, indent=1)):
        out.write_text(text, encoding="utf-8")
        report = corefscope.score(key, out, **OPTIONS)
        assert report["conll"].f1 == 1
        assert report.inputs[1].to_dict()["printed"]["style"] == "bracket+lists"
        assert not report.warnings


def test_failed_requests_are_named_and_nothing_at_all_is_an_error(tmp_path: Path) -> None:
    key, out = _key_of_two(tmp_path), tmp_path / "out.jsonl"
    failed = {"custom_id": "d2", "response": None, "error": {"message": "rate limit"}}
    out.write_text(f"{json.dumps(WRAPPERS['openai']('d1', ANSWERS['d1']))}\n{json.dumps(failed)}\n", encoding="utf-8")
    (warning,) = corefscope.score(key, out, **OPTIONS).warnings
    assert warning.endswith("out.jsonl:2: document 'd2' has no mentions: the request failed: \"rate limit\"")
    out.write_text("".join(json.dumps({"id": id_, "output": "Sorry."}) + "\n" for id_ in TEXTS), encoding="utf-8")
    with pytest.raises(InputError, match=r"no mention tags recognised.*it begins 'Sorry\.'"):
        corefscope.score(key, out, **OPTIONS)


def test_jsonlines_documents_are_no_answers(tmp_path: Path) -> None:
    key = _key_of_two(tmp_path)
    assert corefscope.score(key, key, **OPTIONS).inputs[1].format == "jsonl"
    row = {"id": "d1", "text": "Ann left", "clusters": [[[0, 3]]], "clusters_strings": [["Ann"]], "output": "x"}
    fast = tmp_path / "fast.jsonl"
    fast.write_text(json.dumps(row), encoding="utf-8")
    assert corefscope.score(fast, fast, **OPTIONS).inputs[1].format == "jsonl"


# ------------------------------------------------------------------ help, errors, hostile text


def test_styles_and_prompts_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["score", "--style", "list"])
    assert ended.value.code == 0
    listed = capsys.readouterr().out
    assert main(["help", "prompt"]) == 0
    prompts = capsys.readouterr().out
    examples = {name: style.example for name, style in STYLES.items()}
    for name, example in (examples | {name: style.example for name, style in LIST_STYLES.items()}).items():
        assert f"{name} " in listed
        assert f"--style {name}\n" in prompts
        assert all(line in listed and line in prompts for line in example.split("\n"))


def test_compare_names_the_system_that_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    folder = GOLDEN / "chat" / "c100"
    assert main(["compare", *(str(folder / name) for name in ("key.jsonl", "table.txt", "refusal.txt"))]) == 1
    assert "refusal.txt:1: no mention tags recognised" in capsys.readouterr().err


@pytest.mark.parametrize(
    "text",
    [
        *("[" * 10**5, "[" * 3000 + "Ann" + "]_1" * 3000, '[{"' * 20000, "*" * 10**5, "- Ann: her\n" * 5000),
        *(json.dumps([["Ann", "her"] * 5000]), "Ann, " * 20000, "| Ann | her |\n" * 5000, '{"a":' * 5000),
    ],
)
def test_hostile_text_ends(text: str, tmp_path: Path) -> None:
    words = TEXTS["d1"].split()
    try:
        assert _score(tmp_path, words, [[(0, 0), (2, 2)]], text) < 1
    except InputError as error:
        assert "no mention tags recognised" in str(error)  # noqa: PT017
