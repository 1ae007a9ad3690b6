"""What the page has of relations: their errors among all others, the layers of a document, pages without identity."""

from __future__ import annotations

import random
import re
from collections import Counter
from pathlib import Path
from typing import Any, cast

import jsonschema
import pytest

from anaphora import random_key, random_response
from corefscope import convert, examine, write_report
from corefscope.analysis.errors.kinds import ordered_kinds
from corefscope.cli import main
from corefscope.core.choices import Rules
from corefscope.core.errors import InputError, OptionError
from corefscope.core.request import Request, RequestArguments
from corefscope.formats.losses import Losses
from corefscope.output.formats.json_text import schema
from corefscope.output.pages.report import own_style, render
from corefscope.output.pages.report.data import collect
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE
from tests.formats.test_fitting import written
from tests.output.browser import corpora
from tests.output.pages.test_report import in_page

KIND_NAMES = [row.name for row in ordered_kinds()]

Plain = dict[str, Any]


@pytest.fixture
def house(tmp_path: Path) -> tuple[Path, Path]:
    """A document with relations of all kinds."""
    return corpora.anaphora(tmp_path)


def _collected(key: Path, *responses: Path, **arguments: Any) -> tuple[Plain, Plain]:
    data = collect(key, responses, Request(cast("RequestArguments", arguments)))
    return data["overview"], data["documents"][0]


def _words(document: Plain, side: Plain, mention: int) -> str:
    words = [word for sentence in document["s"] for word in sentence[2]]
    first, last = side["m"][mention][2:4]
    return " ".join(words[first : last + 1])


def _layers(side: Plain) -> dict[str, Counter[str]]:
    found: dict[str, Counter[str]] = {}
    for chain, *_ in side["m"]:
        name, _, *layer = side["e"][chain]
        found.setdefault("".join(layer), Counter())[name] += 1
    return found


def _in_corefud(paths: tuple[Path, Path], folder: Path) -> tuple[Path, Path]:
    made = folder / "key.conllu", folder / "response.conllu"
    for path, out in zip(paths, made, strict=True):
        convert(path, out, lossy=True)
    return made


def test_errors_in_relations_are_listed_and_counted_like_all_others(house: tuple[Path, Path]) -> None:
    overview, document = _collected(*house)
    names = [kind["name"] for kind in overview["kinds"]]
    expected = examine(*house).counts
    assert {name: count for name, count in expected.items() if count} == {
        name: count for name, count in zip(names, overview["documents"][0]["kinds"][0], strict=True) if count
    }
    assert overview["documents"][0]["faults"] == [sum(expected.values())]
    listed = [(names[kind], key, response) for kind, _, key, response, *_ in document["responses"][0]["f"]]
    of_layer = [(name, len(key), len(response)) for name, key, response in listed if "deixis" not in name]
    assert of_layer == [
        ("missing_element", 1, 1),
        ("wrong_entity", 1, 1),
        ("extra_mention", 0, 1),
        ("missing_non_referring", 1, 0),
    ]
    rows = overview["responses"][0]["relations"]
    assert {row["kind"]: row["count"] for row in rows if "deixis" not in row["kind"]} == dict.fromkeys(
        ["wrong_entity", "missing_element", "missing_non_referring"], 1
    )


def test_a_relation_knows_its_mentions_and_which_errors_are_about_which_target(house: tuple[Path, Path]) -> None:
    _, document = _collected(*house)
    (response,) = document["responses"]
    plural, bridging, expletive = response["r"][0]
    kinds = [KIND_NAMES[error[0]] for error in response["f"]]

    def said(row: list[Any], side: Plain) -> tuple[str, list[tuple[str, list[str]]], list[str]]:
        targets = [(_words(document, side, to), [kinds[n] for n in about]) for to, *about in row[3]]
        return _words(document, side, row[2]), targets, [kinds[n] for n in row[4]]

    of_key = document["key"]
    assert said(plural, of_key) == ("They", [("Ann", []), ("Bob", ["missing_element"])], ["missing_element"])
    house_words = f"an {corpora.ATTACK} house"
    assert said(bridging, of_key) == ("the door", [(house_words, ["wrong_entity"])], ["wrong_entity"])
    assert said(expletive, of_key) == ("It", [], ["missing_non_referring"])
    assert said(response["r"][1][1], response) == ("the door", [("Bob", ["wrong_entity"])], ["wrong_entity"])


def test_deixis_and_what_does_not_refer_are_layers_of_their_own(house: tuple[Path, Path]) -> None:
    overview, document = _collected(*house)
    assert _layers(document["key"])["deixis"] == {"rain": 2}
    assert _layers(document["key"])["non-referring"] == {"it-Pseudo": 1}
    (response,) = document["responses"]
    assert [layer for layer, _, _ in overview["layers"]] == ["", "deixis", "non-referring"]
    that = [n for n, (chain, *_) in enumerate(document["key"]["m"]) if document["key"]["e"][chain][0] == "rain"][1]
    assert _words(document, document["key"], that) == "that"
    assert _words(document, response, response["to"][that]) == "that"
    assert overview["documents"][0]["mentions"] == sum(_layers(document["key"])[""].values()) == 6


def test_a_singleton_that_corefud_drops_is_shown_where_a_relation_needs_it(
    house: tuple[Path, Path], tmp_path: Path
) -> None:
    overview, document = _collected(*_in_corefud(house, tmp_path))
    assert _layers(document["key"]) == {"": {"bob": 2}, "unscored": {"ann": 1, "they": 1, "house": 1, "door": 1}}
    (response,) = document["responses"]
    for mention, (chain, *_) in enumerate(document["key"]["m"]):
        name = document["key"]["e"][chain][0]
        if name in ("ann", "they", "door"):  # in the response, the house is not alone
            assert _words(document, response, response["to"][mention]) == _words(document, document["key"], mention)
    assert [row[0] for row in response["r"][0]] == ["split", "bridging"]
    assert overview["documents"][0]["mentions"] == 2


def test_lists_fit_the_mentions_of_the_key_whatever_other_responses_need(house: tuple[Path, Path]) -> None:
    key, response = house
    _, document = _collected(key, response, key, response)
    for one in document["responses"]:
        assert len(one["to"]) == len(document["key"]["m"])
        assert len(one["p"]) == len(document["key"]["e"])
        assert len(one["back"]) == len(one["m"])
    assert {error[-1] for error in document["responses"][0]["f"]} == {0b100}
    assert document["responses"][1]["f"] == []


@pytest.mark.parametrize(
    ("preset", "headline"),
    [
        *(("codicrac22-br", "Bridging (entity)"), ("codicrac22-dd", "CoNLL (deixis)")),
        *(("codicrac21-br", "Bridging (entity)"), ("codicrac21-dd", "CoNLL (deixis)")),
    ],
)
def test_a_page_of_bridging_or_deixis_alone_is_made(
    preset: str, headline: str, house: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "report.html"
    assert main(["report", *map(str, house), "--preset", preset, "-o", str(out)]) == 0
    assert capsys.readouterr().out == f"{out}\n"
    overview, document = _collected(*house, preset=preset)
    assert overview["headline"] == headline
    listed = {KIND_NAMES[error[0]] for error in document["responses"][0]["f"]}
    assert listed
    assert "extra_mention" not in listed  # identity is not scored
    page = out.read_text(encoding="utf-8")
    assert "No errors." not in page
    assert 'id="slices-0"' not in page
    assert 'href="#slices-0"' not in page
    assert page.count('id="losses-0"') == page.count('href="#losses-0"')
    assert 'id="relations-0"' in page


def test_a_page_is_about_a_metric_of_relations_only_if_identity_is_not_scored(house: tuple[Path, Path]) -> None:
    overview, _ = _collected(*house, metrics="bridging_entity,lea")
    assert overview["headline"] == "LEA"
    with pytest.raises(OptionError, match="add one, such as conll"):
        _collected(*house, metrics="d_err")


def test_a_page_without_relations_has_nothing_of_them() -> None:
    data = collect(EXAMPLE_KEY, [EXAMPLE_RESPONSE], Request({}))
    assert [kind["name"] for kind in data["overview"]["kinds"] if "relation" in kind] == []
    for document in data["documents"]:
        assert {len(title) for side in (document["key"], *document["responses"]) for title in side["e"]} == {2}
        assert not any("r" in response for response in document["responses"])
    page = render(data)
    for name in ('id="arrows"', 'id="layers"', 'data-only="', 'id="relations-0"'):
        assert name not in page
    assert page.count('data-kind="') == 2 * 10


def test_filters_have_kinds_of_errors_in_relations_that_are_made(house: tuple[Path, Path], tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    write_report(*_in_corefud(house, tmp_path)[:1], [tmp_path / "response.conllu"], page)
    text = page.read_text(encoding="utf-8")
    assert "plural with a missing element" in text
    assert '<span class="sample k-missing_non_referring"></span> missing non-referring mention' not in text
    assert '<button type="button" class="plain" data-only="bridging">Only bridging</button>' in text
    assert 'data-only="non-referring"' not in text


def test_every_kind_has_a_sentence_and_a_look() -> None:
    style = own_style()
    for row in ordered_kinds():
        assert row.description.endswith(".")
        assert f".k-{row.name} {{ {row.style} }}" in style
        (colour,) = re.findall(r"var\((--\w+)\)", row.style)
        assert f"{colour}: light-dark(" in style


def test_a_page_under_rules_without_a_working_shows_everything_else(house: tuple[Path, Path]) -> None:
    _, document = _collected(*house, preset="codicrac22")
    assert document["responses"][0]["how"] == []
    assert len(document["responses"][0]["r"][0]) == 3


def test_a_zero_that_stands_in_a_relation_only_is_shown(house: tuple[Path, Path]) -> None:
    key, response = house
    rows = key.read_text(encoding="utf-8").split("14\tIt\t", 1)
    zero = "13.1\t_" + "\t_" * 8 + "\t(EntityID=z-Pseudo|MarkableID=z1)\t_\t_\n"
    key.write_text(f"{rows[0]}{zero}14\tIt\t{rows[1]}", encoding="utf-8")
    _, document = _collected(key, response)
    ((node, _, _),) = document["z"]
    of_key, _ = document["responses"][0]["r"]
    ((mention, errors),) = [(r[2], r[4]) for r in of_key if document["key"]["m"][r[2]][2:] == [node, node]]
    assert document["key"]["e"][document["key"]["m"][mention][0]] == ["z-Pseudo", "", "non-referring"]
    assert [KIND_NAMES[document["responses"][0]["f"][error][0]] for error in errors] == ["missing_non_referring"]


@pytest.mark.parametrize("rules", ["corrected", "corefud-1.2", "ua-1.0"])
def test_random_relations_make_sound_pages_with_the_errors_that_examine_finds(rules: Rules, tmp_path: Path) -> None:
    validator = jsonschema.Draft202012Validator(schema("corefscope-page-1"))
    made = 0
    for seed in range(25 if rules == "ua-1.0" else 10):  # UA scorer 1.0 refuses most of them
        rng = random.Random(seed)
        key = random_key(rng)
        paths = tmp_path / "key.conllua", tmp_path / "one.conllua", tmp_path / "two.conllua"
        for path, document in zip(paths, [key, random_response(rng, key), random_response(rng, key)], strict=True):
            path.write_text(written(document, "ua", Losses()), encoding="utf-8")
        try:
            data = collect(paths[0], paths[1:], Request({"rules": rules}))
        except InputError:
            assert rules == "ua-1.0"
            continue
        made += 1
        validator.validate(in_page(data))
        kinds = data["overview"]["kinds"]
        (document,) = data["documents"]
        for response, one in zip(paths[1:], document["responses"], strict=True):
            counted = Counter(kinds[error[0]]["name"] for error in one["f"])
            expected = examine(paths[0], response, rules=rules).counts
            assert counted == {name: count for name, count in expected.items() if count}
            for side, rows in zip((document["key"], one), one.get("r", ()), strict=False):
                assert all(error[2] or error[3] for error in one["f"])
                assert all(0 <= n < len(side["m"]) for row in rows for n in (row[2], *(to for to, *_ in row[3])))
            related = {n for rows in one.get("r", ()) for row in rows for n in row[4]}
            beyond = {n for n, error in enumerate(one["f"]) if "relation" in kinds[error[0]]}
            assert related <= beyond
    assert made > 5


def test_a_group_has_cards_of_relations_where_files_have_any(house: tuple[Path, Path]) -> None:
    def cards(key: Path, response: Path) -> list[str]:
        data = collect(key, [response], Request({"metrics": "anaphora"}, optional=True))
        return [card["title"] for card in data["overview"]["responses"][0]["cards"]]

    assert {"CoNLL (deixis)", "Bridging (mention)", "Bridging (entity)", "Non-referring"} <= {*cards(*house)}
    assert cards(EXAMPLE_KEY, EXAMPLE_RESPONSE) == ["Anaphora (classes)", "Anaphora (links)", "Anaphora (full)"]
