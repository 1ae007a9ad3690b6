"""The report page without a browser: what it holds, that it is closed to the world, and how it is written."""

from __future__ import annotations

import json
import os
import random
import re
from base64 import b64encode
from collections.abc import Callable
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefscope import score
from corefscope.core.choices import Rules
from corefscope.core.document import Sentence
from corefscope.core.errors import InputError, OptionError
from corefscope.core.request import Request
from corefscope.output.formats.json_text import schema
from corefscope.output.pages.report import documents as page_documents
from corefscope.output.pages.report import embedded, render, visible, write_report
from corefscope.output.pages.report.data import collect
from corefscope.output.pages.report.text import find_spacing
from oracles.generate import random_pair
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE, SHARED
from tests.output.browser import corpora


class Parsed(HTMLParser):
    """The elements of a page, and the text of those that are looked into."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.raw: list[tuple[str, dict[str, str], str]] = []
        self._open: tuple[str, dict[str, str]] | None = None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.elements.append((tag, found))
        self._open = (tag, found) if tag in ("script", "style") else None

    def handle_data(self, data: str) -> None:
        if self._open:
            self.raw.append((*self._open, data))

    def handle_endtag(self, tag: str) -> None:  # noqa: ARG002
        self._open = None

    def all(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.elements if name == tag]


@pytest.fixture(scope="module")
def example() -> dict[str, Any]:
    return collect(EXAMPLE_KEY, [EXAMPLE_RESPONSE], Request({}))


def _words(document: dict[str, Any], mention: list[int]) -> list[str]:
    nodes = [word for sentence in document["s"] for word in sentence[2]]
    runs = zip(mention[2::2], mention[3::2], strict=True)
    return [nodes[node] for first, last in runs for node in range(first, last + 1)]


def test_scores_are_those_of_the_scorer(example: dict[str, Any]) -> None:
    report = score(EXAMPLE_KEY, EXAMPLE_RESPONSE)
    (response,) = example["overview"]["responses"]
    assert response["signature"] == report.signature
    assert response["cards"][0]["title"] == "CoNLL"
    shown = {card["title"]: card["score"] for card in response["cards"]}
    assert shown["CoNLL"] == report["conll"].f1
    assert shown["MUC"] == report["muc"].f1
    assert len(shown) == len(report)
    of_documents = [row["scores"][0] for row in response["documents"]]
    assert of_documents == [scores["conll"].f1 for scores in report.documents.values()]


def test_the_waterfall_ends_at_100(example: dict[str, Any]) -> None:
    losses = example["overview"]["responses"][0]["losses"]
    assert losses["steps"][0]["from"] == losses["score"]
    assert losses["end"] + losses["rules"] == pytest.approx(100, abs=1e-9)
    errors = sum(step["count"] for step in losses["steps"])
    assert errors == sum(len(document["responses"][0]["f"]) for document in example["documents"])
    assert errors == sum(row["errors"] for row in example["overview"]["responses"][0]["documents"])


def test_a_document_has_words_chains_and_counterparts(example: dict[str, Any]) -> None:
    document = example["documents"][0]
    assert document["id"] == "es_biblioteca"
    assert [name for name, _ in document["key"]["e"]][:2] == ["e1", "e3"]
    key, response = document["key"], document["responses"][0]
    first = key["m"][0]
    assert _words(document, first) == ["La", "alcaldesa", "de", "Villanueva"]
    counterpart = response["m"][response["to"][0]]
    assert _words(document, counterpart) == ["La", "alcaldesa", "de", "Villanueva"]
    assert response["back"][response["to"][0]] == 0
    assert document["s"][0][3] == [10, 15]  # barrio, ladrillo: a comma and a full stop follow at once
    assert document["s"][0][4] == [8]  # de + el is one token
    assert document["z"][0][1:] == ["2.1", [[3, "", "nsubj of prometido"]]]


def _without_words(directory: Path) -> tuple[Path, Path]:
    """Mentions that are ids."""
    key, response = directory / "key.json", directory / "response.json"
    key.write_text('{"d": [["a", "b", "c"], ["x", "<i>"]]}')
    response.write_text('{"d": [["a", "b"], ["c", "x", "<i>"]]}')
    return key, response


def _no_mentions(directory: Path) -> tuple[Path, Path]:
    text = corpora.document("d", corpora.sentence("s1", [("a", "_")]))
    return corpora.write(directory, text, text)


def in_page(data: dict[str, Any]) -> dict[str, Any]:
    """What a script finds in the page."""
    found = {
        attributes["id"]: json.loads(text)
        for tag, attributes, text in Parsed(render(data)).raw
        if tag == "script" and "id" in attributes
    }
    return {"overview": found.pop("overview-data"), "documents": [found[f"document-{n}"] for n in range(len(found))]}


PAIRS: dict[str, Callable[[Path], tuple[Path, Path]]] = {
    "hostile": corpora.hostile,
    "zeros": corpora.crossing,
    "right to left": corpora.right_to_left,
    "ids": _without_words,
    "no mentions": _no_mentions,
    "example": lambda _: (EXAMPLE_KEY, EXAMPLE_RESPONSE),
    "anaphora": corpora.anaphora,
}


@pytest.mark.parametrize("responses", [1, 2])
@pytest.mark.parametrize("name", PAIRS)
def test_embedded_data_keep_to_their_schema(name: str, responses: int, tmp_path: Path) -> None:
    paths = PAIRS[name](tmp_path)
    content = in_page(collect(paths[0], [paths[1], paths[0]][:responses], Request({"match": "exact"})))
    jsonschema.Draft202012Validator.check_schema(schema("corefscope-page-1"))
    jsonschema.Draft202012Validator(schema("corefscope-page-1")).validate(content)
    kinds = len(content["overview"]["kinds"])
    for facts, document in zip(content["overview"]["documents"], content["documents"], strict=True):
        assert facts["id"] == document["id"]
        assert [len(facts[name]) for name in ("scores", "faults", "kinds")] == [responses] * 3
        assert all(len(counts) == kinds for counts in facts["kinds"])
        assert all(len(mention) % 2 == 0 for mention in document["key"]["m"])
        for response in document["responses"]:
            assert len(response["p"]) == len(document["key"]["e"])
            assert len(response["to"]) == len(document["key"]["m"])
            assert len(response["back"]) == len(response["m"])
            assert ("r" in response) == (name == "anaphora")


@pytest.mark.parametrize(
    "spoil",
    [
        lambda content: content["documents"][0]["responses"][0].pop("p"),
        lambda content: content["documents"][0]["s"][0].append(1),
        lambda content: content["documents"][0]["responses"][0]["how"][0][1][0][2][0].pop(),
        lambda content: content["documents"][0]["key"]["m"][0].insert(0, -1),
        lambda content: content["overview"].update(more=1),
    ],
)
def test_the_schema_is_not_satisfied_by_anything(
    example: dict[str, Any], spoil: Callable[[dict[str, Any]], object]
) -> None:
    content = in_page(example)
    spoil(content)
    assert not jsonschema.Draft202012Validator(schema("corefscope-page-1")).is_valid(content)


def test_the_page_has_how_its_scores_come_about(example: dict[str, Any]) -> None:
    """Of all documents on the cards; of each the headline metric, with the mentions and chains of the page."""
    report = score(EXAMPLE_KEY, EXAMPLE_RESPONSE)
    cards = {card["title"]: dict(card["how"]) for card in example["overview"]["responses"][0]["cards"]}
    assert cards["MUC"] == {"Recall": "15 / 20", "Precision": "15 / 19"}
    assert cards["CoNLL"]["B³"] == f"{100 * report['bcub'].f1:.2f}"
    assert cards["BLANC"]["coreference links key"] == "38"
    document = example["documents"][0]
    muc, _, ceafe, conll = document["responses"][0]["how"]
    assert [part[0] for part in document["responses"][0]["how"]] == ["MUC", "B³", "CEAFe", "CoNLL"]
    assert conll[2] == [["F1", "(14/19 + 762/1139 + 193/270) / 3", "0.7069", "70.69"]]
    title, columns, rows, totals, altered = muc[1][0]
    assert title.startswith("Recall: a key entity in p pieces")
    assert (columns, totals, altered) == (["kept", "links"], ["7", "10"], [])
    level, chain, pieces, terms = rows[0]
    assert (level, chain, terms) == (0, 0, ["5 − 3 = 2", "5 − 1 = 4"])
    words = [[_words(document, document["key"]["m"][mention]) for mention in mentions] for mentions, _ in pieces]
    assert words[0][0] == ["La", "alcaldesa", "de", "Villanueva"]
    assert [other for _, other in pieces] == [-1, None, None]
    assert ceafe[1][1][2][0][1] == -1  # the first response entity


def test_long_documents_are_not_worked_out_on_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    def lengths() -> list[int]:
        documents = collect(EXAMPLE_KEY, [EXAMPLE_RESPONSE], Request({}))["documents"]
        return [len(document["responses"][0]["how"]) for document in documents]

    assert lengths() == [4, 4]
    monkeypatch.setattr(page_documents, "MOST_MENTIONS", 29)  # one has 28, the other 30
    assert lengths() == [4, 0]
    monkeypatch.setattr(page_documents, "MOST_MENTIONS", 100)
    monkeypatch.setattr(page_documents, "MOST_CHARACTERS", 10)
    assert lengths() == [4, 0]


def test_partners_are_those_of_the_errors(tmp_path: Path) -> None:
    """A key entity of which most is in a response entity that mostly is another has no partner, not the next best."""
    # b is mostly in x, which mostly is a; y holds the rest of b, and c
    sides = [
        corpora.document("d", corpora.sentence("s", [("w", f"Entity=({entity}-t-1)") for entity in entities]))
        for entities in ("aaaabbbc", "xxxxxxyy")
    ]
    key, response = corpora.write(tmp_path, sides[0], sides[1])
    (document,) = collect(key, [response], Request({"match": "exact", "singletons": "keep"}))["documents"]
    assert [name for name, _ in document["key"]["e"]] == ["a", "b", "c"]
    assert document["responses"][0]["p"] == [0, -1, -1]
    (document,) = collect(response, [key], Request({"match": "exact", "singletons": "keep"}))["documents"]
    assert document["responses"][0]["p"] == [0, -1]


def test_a_mention_that_is_near_makes_a_partner(tmp_path: Path) -> None:
    """Entities whose mentions are there with other words only are no less each other's."""
    whole, last = (
        corpora.document("d", *(corpora.sentence(f"s{n}", [("a", first), ("b", second)]) for n in range(2)))
        for first, second in (("Entity=(e-t-2", "Entity=e)"), ("_", "Entity=(f-t-1)"))
    )
    key, response = corpora.write(tmp_path, whole, last)
    (document,) = collect(key, [response], Request({"match": "exact"}))["documents"]
    assert document["responses"][0]["to"] == [-1, -1]
    assert document["responses"][0]["p"] == [0]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("rules", ["corefud-1.2", "corrected"])
def test_mentions_and_counterparts_are_those_of_the_alignment(seed: int, rules: Rules, tmp_path: Path) -> None:
    """Random pairs with everything odd: repeats, many empty nodes, discontinuous mentions."""
    key, response = random_pair(random.Random(seed), duplicates=True, two_heads=True, minors=True)
    paths = corpora.write(tmp_path, key, response)
    data = collect(paths[0], [paths[1], paths[0]], Request({"rules": rules, "singletons": "keep"}))
    report = score(*paths, rules=rules, singletons="keep", metrics="mentions")
    matched = 0
    for document in data["documents"]:
        size = sum(len(sentence[2]) for sentence in document["s"])
        ours, (theirs, again) = document["key"], document["responses"]
        for side in (ours, theirs, again):
            for chain, head, *runs in side["m"]:
                assert 0 <= chain < len(side["e"])
                assert sorted(runs) == runs
                assert runs[-1] < size
                assert any(first <= head <= last for first, last in zip(runs[::2], runs[1::2], strict=True))
        assert len(theirs["to"]) == len(again["to"]) == len(ours["m"])
        assert all(-1 <= to < len(theirs["m"]) for to in theirs["to"])
        assert all(-1 <= to < len(ours["m"]) for to in theirs["back"])
        for kind, _, keys, responses, *_ in theirs["f"]:
            assert kind < 10
            assert all(0 <= mention < len(ours["m"]) for mention in keys)
            assert all(0 <= mention < len(theirs["m"]) for mention in responses)
        matched += len({to for to in theirs["to"] if to >= 0})
    assert matched == report.counts("mentions")["recall_numerator"] or rules == "corefud-1.2"
    render(data)


def test_zeros_of_both_sides_are_told_apart(tmp_path: Path) -> None:
    data = collect((paths := corpora.crossing(tmp_path))[0], [paths[1]], Request({}))
    (document,) = data["documents"]
    assert document["z"] == [
        [4, "4.1", [[3, "", "nsubj of five"]]],
        [5, "4.2", [[1, "ona", "obj of five"], [2, "", "obj of six"]]],
    ]
    discontinuous = [mention for mention in document["key"]["m"] if len(mention) > 4]
    assert [mention[2:] for mention in discontinuous] == [[0, 0, 2, 2]]
    titles = [data["overview"]["kinds"][error[0]]["name"] for error in document["responses"][0]["f"]]
    assert titles == ["misattached_zero"]


def test_several_responses_share_the_words_and_the_key(example: dict[str, Any]) -> None:
    data = collect(EXAMPLE_KEY, [EXAMPLE_RESPONSE, EXAMPLE_KEY], Request({}), names="ours,perfect")
    first, second = data["overview"]["responses"]
    assert (first["name"], second["name"]) == ("ours", "perfect")
    assert first["cards"] == example["overview"]["responses"][0]["cards"]
    assert second["cards"][0]["score"] == 1
    assert second["cards"][0]["difference"].difference == pytest.approx(1 - first["cards"][0]["score"])
    document = data["documents"][0]
    assert len(document["responses"]) == 2
    assert document["responses"][1]["to"] == list(range(len(document["key"]["m"])))
    assert document["key"] == example["documents"][0]["key"]


def test_mentions_without_words_are_shown_by_their_ids(tmp_path: Path) -> None:
    key, response = _without_words(tmp_path)
    data = collect(key, [response], Request({"match": "exact", "metrics": "conll"}))
    (document,) = data["documents"]
    ((_, _, words, _, _),) = document["s"]
    assert sorted(words) == ["<i>", "a", "b", "c", "x"]
    assert sorted(_words(document, mention)[0] for mention in document["key"]["m"]) == sorted(words)
    assert len(document["responses"][0]["f"]) == 2
    render(data)


def test_mentions_may_cross_sentences(tmp_path: Path) -> None:
    text = "#begin document (d); part 000\na 0 0 one (1\n\na 0 0 two 1)\na 0 1 three (1)\n\n#end document\n"
    path = tmp_path / "key.conll"
    path.write_text(text)
    (document,) = collect(path, [path], Request({"match": "exact"}))["documents"]
    assert [mention[2:] for mention in document["key"]["m"]] == [[0, 1], [2, 2]]
    assert [sentence[2] for sentence in document["s"]] == [["one"], ["two", "three"]]


def test_digests_stand_beside_the_signature(example: dict[str, Any]) -> None:
    """Of key and response, and only if somebody asked for them."""
    page = render(collect(EXAMPLE_KEY, [EXAMPLE_RESPONSE, EXAMPLE_KEY], Request({"digests": True})))
    key, response = (sha256(path.read_bytes()).hexdigest() for path in (EXAMPLE_KEY, EXAMPLE_RESPONSE))
    shown = re.findall(r"SHA-256 of the key: <code>(.*?)</code>. SHA-256 of the response: <code>(.*?)</code>", page)
    assert shown == [(key, response), (key, key)]
    assert "SHA-256" not in render(example)


def test_one_document_has_no_intervals(tmp_path: Path) -> None:
    paths = corpora.chinese(tmp_path)
    data = collect(paths[0], [paths[1]], Request({"metrics": "lea,d_err"}))
    (response,) = data["overview"]["responses"]
    assert [card["title"] for card in response["cards"] if card["main"]] == ["LEA"]
    assert not any(card["interval"] for card in response["cards"])
    assert "LEA is" in render(data)


@pytest.mark.parametrize(("documents", "sure"), [(5, False), (6, True)])
def test_slices_have_intervals_from_six_documents_on(tmp_path: Path, documents: int, sure: bool) -> None:
    data = collect(*_many(tmp_path, documents), Request({}))
    (response,) = data["overview"]["responses"]
    rows = [row for part in response["slices"] for row in part["rows"] if row["score"] is not None]
    assert rows
    assert any(row["interval"] for row in rows) == sure
    assert response["cards"][0]["interval"]


def test_of_very_many_documents_the_first_are_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("corefscope.output.pages.report.data.MOST_DOCUMENTS", 3)
    paths = _many(tmp_path, 7)
    data = collect(*paths, Request({}))
    overview = data["overview"]
    assert [document["id"] for document in overview["documents"]] == [
        document["id"] for document in data["documents"]
    ]
    assert len(data["documents"]) == len(overview["responses"][0]["documents"]) == 3
    assert overview["responses"][0]["cards"][0]["score"] == score(paths[0], paths[1][0])["conll"].f1
    assert "first 3 of 7 documents" in render(data)


def _many(directory: Path, documents: int) -> tuple[Path, list[Path]]:
    """A key and a response of small documents, with mentions of two lengths."""
    body = "d 0 0 a (1)\nd 0 1 b (2\nd 0 2 c 2)\nd 0 3 d (1)\nd 0 4 e (2\nd 0 5 f {}\n\n#end document\n"
    paths = directory / "many.key.conll", directory / "many.response.conll"
    for path, last in zip(paths, ("2)", "2)|(1)"), strict=True):
        path.write_text(
            "".join(f"#begin document (d{n}); part 000\n" + body.format(last) for n in range(documents)),
            encoding="utf-8",
        )
    return paths[0], [paths[1]]


def test_the_policy_lets_nothing_else_in(example: dict[str, Any]) -> None:
    text = render(example)
    page = Parsed(text)
    (policy,) = [meta["content"] for meta in page.all("meta") if meta.get("http-equiv") == "Content-Security-Policy"]
    directives = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert directives["default-src"] == "'none'"
    assert "unsafe" not in policy
    for tag, directive in (("script", "script-src"), ("style", "style-src")):
        contents = [data for name, attributes, data in page.raw if name == tag and "type" not in attributes]
        assert len(contents) == 1
        digest = b64encode(sha256(contents[0].encode()).digest()).decode()
        assert directives[directive] == f"'sha256-{digest}'"
    for tag, attributes in page.elements:
        assert "style" not in attributes, (tag, attributes)
        assert not [name for name in attributes if name.startswith("on")]
        for name in ("src", "href", "action", "srcset", "data"):
            assert attributes.get(name, "#").startswith(("#", "data:,")), (tag, attributes)
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text)


def test_the_script_writes_text_not_markup() -> None:
    folder = Path(render.__code__.co_filename).parent / "assets"
    scripts = list(folder.glob("*.js"))
    assert len(scripts) > 10
    for name in scripts:
        source = name.read_text(encoding="utf-8")
        for forbidden in (
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "eval(",
            "</script",
            "<!--",
        ):
            assert forbidden not in source, (name, forbidden)


def test_hostile_text_stays_text(tmp_path: Path) -> None:
    key, response = corpora.hostile(tmp_path)
    attacks = [corpora.ATTACK, corpora.BREAKOUT, corpora.IMAGE, corpora.STYLED, corpora.COMMENT, "{{ 7 * 7 }}"]
    data = collect(key, [response], Request({}), names=[corpora.IMAGE], title="".join(attacks))
    page = Parsed(render(data))
    for tag in ("img", "iframe", "body", "base", "form"):
        assert len(page.all(tag)) == (tag == "body"), tag
    assert len(page.all("script")) == 2 + len(data["documents"])
    assert page.all("body") == [{}]
    (words,) = [
        sentence[2]
        for _, attributes, text in page.raw
        if attributes.get("id") == "document-0"
        for sentence in json.loads(text)["s"]
    ]
    assert words[:2] == [corpora.ATTACK, corpora.BREAKOUT]
    assert words[4] == corpora.CONTROLS


@given(st.recursive(st.text() | st.integers(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_embedded_json_is_json_without_markup(value: Any) -> None:
    text = embedded(value)
    assert json.loads(text) == value
    assert not re.search("[<>&\u2028\u2029\x00-\x1f]", text)


def test_control_characters_are_made_visible() -> None:
    assert visible("a\x00\x1b\x7f\x85é‮") == "a␀␛␡␦é‮"


@pytest.mark.parametrize(
    ("words", "text", "expected"),
    [
        (["a", "b"], "", []),
        (["市长", "说", "NASA", "好", "。"], "", [1, 4]),
        (["สวัสดี", "ครับ"], "", [1]),
        (["안녕", "하세요"], "", []),
        (["a", "b", "c"], "ab c", [1, 3]),
        (["a", "b", "c"], "something else", []),
        (["", "市"], "", []),
    ],
)
def test_blanks_are_found_out(words: list[str], text: str, expected: list[int]) -> None:
    comment = f"# text = {text}\n" if text else ""
    lines = comment + "\n".join(f"{n}\t{word}\t_" for n, word in enumerate(words, 1))
    sentence = Sentence("", 1, 1, [f"{n}\t{word}" for n, word in enumerate(words, 1)], [], lines.split("\n"))
    assert find_spacing(sentence) == (expected, [])


def test_blanks_around_multiword_tokens() -> None:
    words = ["1\tde", "2\tel", "3\tbarrio", "4\t."]
    for misc, text in (("SpaceAfter=No", ""), ("_", "# text = del barrio.\n")):
        lines = f"{text}1-2\tdel\t_\n1\tde\t_\n2\tel\t_\n3\tbarrio\t{misc}\n4\t.\t_"
        unspaced, glued = find_spacing(Sentence("", 1, 1, words, ["1-2"], lines.split("\n")))
        assert (unspaced[0], glued) == (3, [1])


def test_files_are_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "report.html"
    out.write_text("before")
    link = tmp_path / "link.html"
    link.symlink_to(out)
    broken = tmp_path / "broken.conllu"
    broken.write_text("nothing")
    with pytest.raises(InputError):
        write_report(EXAMPLE_KEY, [broken], out)
    assert out.read_text() == "before"
    write_report(EXAMPLE_KEY, [EXAMPLE_RESPONSE], link)
    assert link.is_symlink()
    assert out.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    out.write_text("before")

    def failing(*_: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(os, "replace", failing)
    with pytest.raises(InputError, match="no space"):
        write_report(EXAMPLE_KEY, [EXAMPLE_RESPONSE], out)
    assert out.read_text() == "before"
    assert not list(tmp_path.glob(".*"))


def test_targets_that_make_no_sense_are_refused(tmp_path: Path) -> None:
    for out, said in (
        (tmp_path, "is a directory"),
        (tmp_path / "no" / "x.html", "no directory"),
        (EXAMPLE_KEY, "is an input"),
    ):
        with pytest.raises(OptionError, match=said):
            write_report(EXAMPLE_KEY, [EXAMPLE_RESPONSE], out)
    with pytest.raises(InputError, match="cannot both be standard input"):
        write_report("-", [EXAMPLE_RESPONSE, "-"], tmp_path / "x.html")
    with pytest.raises(OptionError, match="at least one"):
        write_report(EXAMPLE_KEY, [], tmp_path / "x.html")
    with pytest.raises(OptionError, match="names"):
        write_report(EXAMPLE_KEY, [EXAMPLE_RESPONSE], tmp_path / "x.html", names=["a", "b"])
    with pytest.raises(OptionError, match="of which points can be lost"):
        write_report(EXAMPLE_KEY, [EXAMPLE_RESPONSE], tmp_path / "x.html", metrics="d_err")


def test_names_of_files_that_are_no_text(tmp_path: Path) -> None:
    path = os.path.join(os.fsencode(tmp_path), b"key \xff.conllu")
    try:
        Path(os.fsdecode(path)).write_bytes(EXAMPLE_KEY.read_bytes())
    except OSError:
        pytest.skip("this file system takes no such names")
    write_report(os.fsdecode(path), [EXAMPLE_RESPONSE], tmp_path / "x.html")
    assert "key " in (tmp_path / "x.html").read_text(encoding="utf-8")


@pytest.mark.skipif(not (SHARED / "data").exists(), reason="the GUM pair is not beside the repository")
def test_a_corpus_makes_a_small_page(tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    write_report(SHARED / "data" / "gum-dev.key.conllu", [SHARED / "data" / "gum-dev.sys.conllu"], out)
    assert out.stat().st_size < 2_000_000
