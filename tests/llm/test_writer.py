"""Tagged text: what each style looks like, and that nothing is lost of what it can hold."""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Iterator
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefscope
import ua_zeros
from corefscope.cli import main
from corefscope.core.document import Document
from corefscope.core.errors import InputError, OptionError, Warnings
from corefscope.core.positions import MINOR_MASK
from corefscope.formats.convert import Conversion, convert
from corefscope.formats.corpus import Corpus
from corefscope.formats.pairs import Pair
from corefscope.llm.styles import STYLES
from examples import examples
from oracles.generate import random_pair
from places import EXAMPLE_KEY

HEADER = "# newdoc id = d\n# global.Entity = eid-etype-head-other\n"
ANN = HEADER + (
    "# sent_id = 1\n"
    "1\tAnn\t_\t_\t_\t_\t2\tnsubj\t_\tEntity=(e1--1)\n"
    "2\tmet\t_\t_\t_\t_\t0\troot\t_\t_\n"
    "3\ther\t_\t_\t_\t_\t5\tdet\t_\tEntity=(e2--3(e1--1)\n"
    "4\told\t_\t_\t_\t_\t5\tamod\t_\t_\n"
    "5\tdog\t_\t_\t_\t_\t2\tobj\t_\tEntity=e2)\n\n"
    "# sent_id = 2\n"
    "1\tBarked\t_\t_\t_\t_\t0\troot\t_\t_\n"
    "1.1\tit\t_\t_\t_\t_\t_\t_\t1:nsubj\tEntity=(e2--1)\n"
    "2\tNew York\t_\t_\t_\t_\t1\tobl\t_\t_\n\n"
)
LOOKS = {
    "crac": "Ann|[e1] met her|[e2,[e1] old dog|e2] Barked ##it|[e2] New_York",
    "xml": "<e1>Ann</e1> met <e2><e1>her</e1> old dog</e2> Barked <e2>##it</e2> New_York",
    "markdown": "[Ann](#cluster_1) met [[her](#cluster_1) old dog](#cluster_2) Barked [##it](#cluster_2) New_York",
    "colon": "[Ann: 1] met [[her: 1] old dog: 2] Barked [##it: 2] New_York",
    "seq2seq": "<m> Ann | 1 </m> met <m> <m> her | 1 </m> old dog | 2 </m> Barked <m> ##it | 2 </m> New_York",
    "corefinst": "<m>Ann</m>#1 met <m><m>her</m>#1 old dog</m>#2 Barked <m>##it</m>#2 New_York",
}
ODD = ["|", "||", "a|b", "[", "]", "##", "##x", "<e1>", "</e1>", "a:", "1]", ": 1]", "[a", "b]", "](#x)", "New York"]
ODD += ["```", "~~~", "<think>", "<m>", "</m>", "#", "(", "é", "水", "_", "|[e1]", "]:", "e1]", "a", "a", "b"]


def conllu(*entities: str) -> str:
    """A sentence with a word for each value of Entity; all depend on the first."""
    rows = (
        f"{number}\tw{number}\t_\t_\t_\t_\t{int(number > 1)}\tx\t_\t{f'Entity={entity}' if entity else '_'}\n"
        for number, entity in enumerate(entities, 1)
    )
    return HEADER + "# sent_id = 1\n" + "".join(rows) + "\n"


def written(folder: Path, text: str, **options: Any) -> tuple[str, Conversion]:
    """What is written of a key, and what was lost of it."""
    source, target = folder / "key.conllu", folder / "out.txt"
    source.write_text(text, encoding="utf-8")
    done = convert(source, target, to="tagged", **options)
    return target.read_text(encoding="utf-8"), done


@pytest.mark.parametrize("style", STYLES)
def test_ids_that_no_tag_can_hold_are_replaced(style: str, tmp_path: Path) -> None:
    written(tmp_path, conllu("(e1--1)", "(e1--1)", "(e1.2--1)", "(e1.2--1)"), style=style, lossy=True)
    report = corefscope.score(tmp_path / "key.conllu", tmp_path / "out.txt", match="exact")
    assert report["bcub"].f1 == 1


@pytest.mark.parametrize("style", LOOKS)
def test_every_style_looks_as_its_users_write_it(style: str, tmp_path: Path) -> None:
    assert written(tmp_path, ANN, style=style) == (LOOKS[style] + "\n", written(tmp_path, ANN, style=style)[1])
    assert not written(tmp_path, ANN, style=style)[1].lost


def test_json_is_that_of_the_shared_task(tmp_path: Path) -> None:
    text, _ = written(tmp_path, ANN, style="json")
    tokens = ["Ann", "met", "her", "old", "dog", "Barked", "##it", "New_York"]
    clusters = {
        "clusters_token_offsets": [[[0, 0], [2, 2]], [[2, 4], [6, 6]]],
        "clusters_text_mentions": [["Ann", "her"], ["her old dog", "##it"]],
    }
    assert json.loads(text) == [{"doc_id": "d", "tokens": tokens, **clusters}]
    text, done = written(tmp_path, ANN, style="json", blind=True)
    assert json.loads(text) == [{"doc_id": "d", "tokens": tokens, **dict.fromkeys(clusters)}]
    assert (done.mentions, done.lost) == (0, {})


@pytest.mark.parametrize("style", LOOKS)
def test_blind_text_has_words_and_zeros_only(style: str, tmp_path: Path) -> None:
    text, done = written(tmp_path, ANN, style=style, blind=True)
    assert text == "Ann met her old dog Barked ##it New_York\n"
    assert not done.lost
    assert written(tmp_path, ANN, style=style, blind=True, zeros="drop")[0] == "Ann met her old dog Barked New_York\n"


def test_masked_text_has_mentions_but_not_whose_they_are(tmp_path: Path) -> None:
    masked = {style: written(tmp_path, ANN, style=style, masked=True)[0] for style in ("markdown", "corefinst")}
    assert masked["markdown"] == "[Ann](#) met [[her](#) old dog](#) Barked [##it](#) New_York\n"
    assert masked["corefinst"].startswith("<m>Ann</m>#MASK met <m><m>her</m>#MASK old dog</m>#MASK")
    with pytest.raises(OptionError, match="cannot mask entities; markdown, corefinst can"):
        written(tmp_path, ANN, style="xml", masked=True)


def test_without_zeros_mentions_of_zeros_are_lost_and_asked_for(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="tagged cannot hold 1 zero"):
        written(tmp_path, ANN, zeros="drop")
    text, done = written(tmp_path, ANN, zeros="drop", lossy=True)
    assert "##" not in text
    assert done.lost == {"zeros": 1}


def test_zeros_stand_behind_the_highest_word_that_governs_them(tmp_path: Path) -> None:
    words = [("1", "a", "2", "_"), ("2", "b", "0", "_"), ("3", "c", "2", "_")]
    late = [("3.1", "late", "_", "1:x|2:y"), ("3.2", "_", "_", "1:x")]
    rows = [("0.1", "front", "_", "0:root"), *words, *late]
    lines = [f"{id_}\t{form}\t_\t_\t_\t_\t{head}\tx\t{deps}\t_\n" for id_, form, head, deps in rows]
    text, _ = written(tmp_path, HEADER + "# sent_id = 1\n" + "".join(lines) + "\n")
    assert text == "##front a ## b ##late c\n"


@pytest.mark.parametrize(("head", "text"), [(1, "w1|[e1 w2|e1] w3 w4|[e2]"), (3, "w1 w2 w3 w4|[e1],[e2]")])
def test_a_discontinuous_mention_keeps_the_part_with_its_head(head: int, text: str, tmp_path: Path) -> None:
    source = conllu(f"(e1[1/2]--{head}", "e1[1/2])", "", f"(e1[2/2]--{head})(e2--1)")
    with pytest.raises(InputError, match="1 mention that is not printed in one piece"):
        written(tmp_path, source)
    assert written(tmp_path, source, lossy=True)[0] == text + "\n"


def test_crossing_mentions_are_kept_where_tags_have_ids(tmp_path: Path) -> None:
    source = conllu("(e1--1", "(e2--1", "e1)", "e2)")
    assert not written(tmp_path, source, style="crac")[1].lost
    assert not written(tmp_path, source, style="xml")[1].lost
    for style in ("markdown", "colon", "seq2seq", "corefinst"):
        with pytest.raises(InputError, match="1 mention that crosses another"):
            written(tmp_path, source, style=style)
        assert written(tmp_path, source, style=style, lossy=True)[1].mentions == 1


@pytest.mark.parametrize(("option", "value"), [("zeros", "drop"), ("blind", True), ("masked", True)])
def test_what_is_for_tagged_text_is_refused_elsewhere(option: str, value: Any, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=f"{option} is for tagged text, but corefud is written"):
        convert(EXAMPLE_KEY, tmp_path / "new.conllu", **{option: value})


def test_unknown_options_are_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"unknown style 'xmll'.*did you mean 'xml'"):
        convert(EXAMPLE_KEY, tmp_path / "new.txt", style="xmll")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="unknown zeros 'x'"):
        convert(EXAMPLE_KEY, tmp_path / "new.txt", zeros="x")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"stile.*did you mean 'style'"):
        convert(EXAMPLE_KEY, tmp_path / "new.txt", stile="xml")  # type: ignore[call-arg]


def test_the_command_writes_it_by_the_suffix(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    key = tmp_path / "key.conllu"
    key.write_text(ANN, encoding="utf-8")
    assert main(["convert", str(key), str(tmp_path / "out.txt")]) == 0
    assert (tmp_path / "out.txt").read_text(encoding="utf-8") == LOOKS["crac"] + "\n"
    assert (
        main(["convert", str(key), "-", "--to", "tagged", "--style", "xml", "--blind", "--zeros", "drop", "-q"]) == 0
    )
    assert capsys.readouterr().out == "Ann met her old dog Barked New_York\n"


# ------------------------------------------------------------------------------------------------- key → style → key


def with_odd_words(text: str, rng: random.Random) -> str:
    """The same file with words that look like tags."""
    rows = [line.split("\t") for line in text.split("\n")]
    for row in rows:
        if len(row) == 10 and row[0].isdigit() and rng.random() < 0.25:
            row[1] = rng.choice(ODD)
    return "\n".join("\t".join(row) for row in rows)


def read_again(folder: Path) -> list[Pair]:
    return list(Corpus(folder / "key.conllu", folder / "out.txt", Warnings()))


def spans(document: Document) -> list[list[tuple[int, ...]]]:
    return sorted(sorted(mention.positions for mention in entity) for entity in document.entities)


def can_hold(document: Document, style: str) -> bool:
    """Whether a style can hold every mention, as far as this can be said without moving zeros.

    Mentions are words in one piece, or a zero alone; no two of an entity, or of any where tags nest, cross or touch.
    """
    found: list[tuple[int, int, int]] = []
    for number, entity in enumerate(document.entities):
        for mention in entity:
            if mention.size > 1 and (mention.broken or any(place & MINOR_MASK for place in mention.positions)):
                return False
            found.append((number, mention.first, mention.last))
    if len(set(found)) < len(found):
        return False
    nests = style in ("markdown", "colon", "seq2seq", "corefinst")
    pairs = (sorted((one[1:], two[1:])) for one, two in combinations(found, 2) if nests or one[0] == two[0])
    return style == "json" or not any(a < c <= b < d for (a, b), (c, d) in pairs)


@examples(60)
@given(st.integers(0, 10**9), st.sampled_from(list(STYLES)), st.booleans(), st.booleans())
def test_nothing_is_lost_that_a_style_can_hold(seed: int, style: str, odd: bool, discontinuous: bool) -> None:
    rng = random.Random(seed)
    key, _ = random_pair(rng, discontinuous=discontinuous, duplicates=discontinuous)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _, done = written(folder, with_odd_words(key, rng) if odd else key, style=style, lossy=True)
        pairs = read_again(folder)
        lost = done.lost.keys() - {"tree_heads"}
        assert all(spans(pair.key) == spans(pair.response) for pair in pairs) == (not lost)
        assert sum(len(entity) for pair in pairs for entity in pair.response.entities) == done.mentions
        for pair in pairs:  # a mention may be shorter than in the key, but never holds anything else
            whole = [set(mention.positions) for entity in pair.key.entities for mention in entity]
            read = [set(mention.positions) for entity in pair.response.entities for mention in entity]
            assert all(any(mention <= other for other in whole) for mention in read)
        if all(can_hold(pair.key, style) for pair in pairs):
            assert not lost
        if not done.lost:
            heads = [[[m.head for m in e] for e in side.entities] for pair in pairs for side in pair]
            assert heads[::2] == heads[1::2]
        if not lost and style in ("crac", "xml"):
            assert [pair.key.entity_ids for pair in pairs] == [pair.response.entity_ids for pair in pairs]


def nested(seed: int) -> Iterator[str]:
    """Mentions in mentions of the same entity, as deep as the sentence is long, in every order of sizes."""
    rng = random.Random(seed)
    for width, (first, last) in product((3, 5), [(0, 0), (0, 1), (1, 1)]):
        spans = [(first * i, width - 1 - last * i) for i in range((width + 1) // 2)]
        spans = sorted({(a, b) for a, b in spans if a <= b}, key=lambda _: rng.random())
        opened = ["" for _ in range(width)]
        for a, b in sorted(spans, key=lambda span: (span[0], -span[1])):
            opened[a] += "(e1--1)" if a == b else "(e1--1"
        for a, b in sorted(spans, key=lambda span: -span[0]):
            if a != b:
                opened[b] += "e1)"
        yield conllu(*opened)


@pytest.mark.parametrize("style", STYLES)
def test_mentions_of_an_entity_in_mentions_of_it_come_back(style: str, tmp_path: Path) -> None:
    for source in nested(1):
        written(tmp_path, source, style=style, lossy=True)
        (pair,) = read_again(tmp_path)
        assert spans(pair.key) == spans(pair.response)
        assert len(pair.key.entities) == 1


@pytest.mark.parametrize("style", STYLES)
def test_a_faithful_copy_scores_100(style: str, tmp_path: Path) -> None:
    written(tmp_path, ANN, style=style)
    report = corefscope.score(tmp_path / "key.conllu", tmp_path / "out.txt", match="exact", rules="corrected")
    assert all(lost == (1, 1, 1) for lost in (report.format_loss or {}).values())
    assert report.format_loss


@examples(60)
@given(st.integers(0, 10**9))
def test_zeros_of_ua_are_printed_behind_their_governors_and_come_back_to_their_places(seed: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        key, text, back = (Path(name) / each for each in ("key.conllua", "printed.txt", "back.conllua"))
        key.write_text(ua_zeros.random_ua(seed), encoding="utf-8")
        convert(key, text)
        convert(text, back, skeleton=key)
        read = ua_zeros.read(key.read_text(encoding="utf-8"))
        behind: dict[int, list[str]] = {}
        last_word = -1
        for number, item in enumerate(read.items):
            last_word = last_word if item.is_zero else number
            if item.is_zero:
                at = last_word if item.governor is None else item.governor
                behind.setdefault(at, []).append("##" + item.form.removeprefix("_"))
        expected = list(behind.get(-1, []))
        for number, item in enumerate(read.items):
            expected += [item.form, *behind.get(number, [])] if not item.is_zero else []
        printed = [form.partition("|")[0] for form in text.read_text(encoding="utf-8").split()]
        assert printed == expected
        again = ua_zeros.read(back.read_text(encoding="utf-8"))
        assert [item[:2] for item in again.items] == [item[:2] for item in read.items]
        assert again.partition == read.partition


def test_words_of_nothing_are_a_loss(tmp_path: Path) -> None:
    """They are printed as '_', which is another word."""
    key = tmp_path / "key.jsonl"
    key.write_text('{"doc_key": "d", "sentences": [["", "a", ""]], "clusters": [[[0, 2]]]}\n', encoding="utf-8")
    with pytest.raises(InputError, match="tagged cannot hold 2 words that cannot be written as they are"):
        convert(key, tmp_path / "printed.txt", to="tagged")
