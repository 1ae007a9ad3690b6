"""Tags that are nearly right, texts around texts, words that look like tags, several styles in one file."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random

import pytest

import corefscope
from clusters_read import Clusters, clusters_read
from corefscope.cli import main
from corefscope.core.errors import InputError, OptionError, Warnings
from corefscope.formats.corpus import Corpus
from corefscope.llm.copies import lex_over
from corefscope.llm.copy_report import CopyReport, merge_reports
from corefscope.llm.styles import STYLES, recognise_style
from near_misses import AROUND, OF_STYLE
from printing import OPENS, Made, conllu, printed

SYLLABLES = [consonant + vowel for consonant in "bdfgklmnprst" for vowel in "aeiou"]
CASES = [(style, name) for style, table in OF_STYLE.items() for name in (*table, *AROUND)]
SEEDS = 3


def _natural(random: Random) -> Made:
    """A document of words most of which are rare, in sentences that end with a stop, with mentions that nest."""
    sentences, entities, before = [], dict[str, list[tuple[int, int]]](), 0
    common = ["".join(random.choices(SYLLABLES, k=2)) for _ in range(25)]
    for _ in range(random.randint(2, 5)):
        words = [
            random.choice(common) if random.random() < 0.4 else "".join(random.choices(SYLLABLES, k=3))
            for _ in range(random.randint(3, 10))
        ]
        first = random.randrange(len(words))
        last = random.randrange(first, len(words))
        for span in {(first, last), (first, first), (last, last)}:
            entities.setdefault(f"e{random.randint(1, 4)}", []).append((before + span[0], before + span[1]))
        sentences.append([words[0].capitalize(), *words[1:], "."])
        before += len(words) + 1
    return Made(sentences, {name: sorted(spans) for name, spans in entities.items()})


def _line(document: Made, style: str) -> str:
    """A document in a style, with ids as models are asked for them."""
    line = printed(document.words, document.spans, style)
    if style in ("crac", "xml"):
        return line
    prefix = "cluster_" if style == "markdown" else ""
    return re.sub(r"(\(#|: |\| |</m>#)e([0-9]+)", rf"\g<1>{prefix}\2", line)


def _in_json(document: Made) -> str:
    spans = [[list(span) for span in entity] for entity in document.entities.values()]
    return json.dumps({"tokens": document.words, "clusters_token_offsets": spans})


def _read(folder: Path, key: str, text: str) -> tuple[list[Clusters], CopyReport, list[str]]:
    paths = folder / "key.conllu", folder / "out.txt"
    for path, content in zip(paths, (key, text), strict=True):
        path.write_text(content, encoding="utf-8")
    warnings = Warnings()
    corpus = Corpus(*paths, warnings, None, "tagged")
    return (
        [clusters_read(pair.response, pair.key) for pair in corpus],
        merge_reports(corpus.inputs[1].copy_reports),
        [*warnings],
    )


def _wanted(documents: list[Made]) -> list[Clusters]:
    return [{frozenset((a + 1, b + 1) for a, b in each) for each in made.clusters()} for made in documents]


@pytest.mark.parametrize(("style", "name"), CASES)
@pytest.mark.parametrize("size", [1, 3])
def test_nothing_is_lost_of_a_near_miss(style: str, name: str, size: int, tmp_path: Path) -> None:
    miss = {**OF_STYLE[style], **AROUND}[name]
    for seed in range(SEEDS):
        random = Random(f"{style} {name} {seed}")
        documents = [_natural(random) for _ in range(size)]
        text = "\n".join(miss(_line(document, style), random) for document in documents)
        assert _read(tmp_path, conllu(documents), text)[0] == _wanted(documents)


def test_each_document_is_read_in_its_own_style(tmp_path: Path) -> None:
    styles = [*OPENS, "crac"]
    for seed in range(20):
        random = Random(seed)
        documents = [_natural(random) for _ in range(5)]
        chosen = [random.choice([*styles, "json"]) for _ in documents]
        lines = [
            _in_json(document) if style == "json" else _line(document, style)
            for document, style in zip(documents, chosen, strict=True)
        ]
        read, account, _ = _read(tmp_path, conllu(documents), "\n".join(lines))
        assert read == _wanted(documents)
        assert [copied.style for copied in account.documents] == chosen


def _key(words: str) -> str:
    return conllu([Made([words.split()], {})])


@pytest.mark.parametrize(
    ("words", "text", "mentions"),
    [
        ("a <b> c d", "<e1>a</e1> <b> <e1>c</e1> d", {(1, 1), (3, 3)}),
        ("a < b > c d", "<e1>a</e1> <b> <e1>c</e1> d", {(1, 1), (5, 5)}),
        ("a &lt;b&gt; c d", "<e1>a</e1> &lt;b&gt; <e1>c</e1> d", {(1, 1), (3, 3)}),
        ("a <b> c d", "<e1>a</e1> ＜b＞ <e1>c</e1> d", {(1, 1), (3, 3)}),
        ("a <e1> c d", "<e1>a</e1> <e1> <e1>c</e1> d", {(1, 1), (3, 3)}),
        ("a [x1] c d", "a|[e1] [x1] c|[e1] d", {(1, 1), (3, 3)}),
        ("a b[x1] c d", "a|[e1] b[x1] c|[e1] d", {(1, 1), (3, 3)}),
        ("a | [ x1 ] c", "a|[e1] | [x1] c|[e1]", {(1, 1), (6, 6)}),
        ("a | c d", "a|[e1] ||[e2 c|e2] d|[e1]", {(1, 1), (2, 3), (4, 4)}),
        ("a [ see : 1 ] c", "[a: 1] [see: 1] [c: 1]", {(1, 1), (7, 7)}),
        ("a [ 1 ] ( 2 ) c", "[a](#1) [1](2) [c](#1)", {(1, 1), (8, 8)}),
    ],
)
def test_words_of_the_key_that_look_like_tags_are_words(
    words: str, text: str, mentions: set[tuple[int, int]], tmp_path: Path
) -> None:
    (read,), _, _ = _read(tmp_path, _key(words), text)
    assert {mention for cluster in read for mention in cluster} == mentions


def test_without_them_the_same_is_tags() -> None:
    for style, text, ids in (("xml", "<b>a</b> <c>b</c>", ["b", "c"]), ("crac", "b[x1] c|[e1]", ["x1", "e1"])):
        assert [span.id for span in lex_over(STYLES[style], text, ["b", "c"]).spans] == ids


def test_markup_around_the_text_is_no_entity_and_is_counted(tmp_path: Path) -> None:
    (read,), account, _ = _read(tmp_path, _key("a b c"), "<answer><p><e1>a</e1> b <e1>c</e1></p></answer>")
    assert read == {frozenset({(1, 1), (3, 3)})}
    assert account.tags == {("placed", ""): 4, ("dropped", "without id"): 4}


def test_of_several_copies_the_last_with_tags_is_read(tmp_path: Path) -> None:
    words = "Ann met her old dog and it barked at the cat"
    draft = "Ann|[e1] met her|[e2] old dog and it|[e2] barked at the cat"
    final = "Ann|[e1] met her|[e1] old dog and it|[e2] barked at the cat"
    wanted = {frozenset({(1, 1), (3, 3)}), frozenset({(7, 7)})}
    for text in (f"{words}\n{final}", f"{final}\n{words}", f"{draft}\nBetter: {final}"):
        (read,), account, _ = _read(tmp_path, _key(words), text)
        assert read == wanted
        assert account.words["same"] == 11
        assert account.words["set aside"] >= 11


def test_an_open_tag_in_chatter_is_no_mention_of_the_text(tmp_path: Path) -> None:
    (read,), account, _ = _read(tmp_path, _key("a b c"), "I mark with x|[e1 first:\na|[e2] b c")
    assert read == {frozenset({(1, 1)})}
    assert account.tags == {("placed", ""): 2, ("dropped", "nothing left"): 1}


def test_options_that_text2text_does_not_know_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    key, text = tmp_path / "key.conllu", tmp_path / "out.txt"
    key.write_text(_key("a b c"), encoding="utf-8")
    text.write_text("a|[e1] b c|[e1]\n", encoding="utf-8")
    with pytest.raises(OptionError, match="--style is for --reading faithful: leave it out"):
        corefscope.score(key, text, reading="text2text", style="xml")
    with pytest.raises(OptionError, match="leave it out with --reading text2text"):
        corefscope.score(key, text, reading="text2text", unclosed="drop")
    with pytest.raises(OptionError, match=r"unknown value of --unclosed 'wrod' .*choose from: word, sentence, drop"):
        corefscope.score(key, text, unclosed="wrod")  # type: ignore[arg-type]
    assert main(["score", str(key), str(text), "--reading", "text2text", "--metrics", "conll"]) == 0
    assert "--reading text2text does not follow words and tags" in " ".join(capsys.readouterr().out.split())
    assert "printed" not in corefscope.score(key, text, reading="text2text").inputs[1].to_dict()
    assert main(["convert", str(key), "-", "--to", "tagged", "--style", "markdown", "--blind", "--masked"]) == 2
    assert "give one of the two" in capsys.readouterr().err


def test_a_skeleton_with_other_words_than_the_key_is_in_the_signature(tmp_path: Path) -> None:
    key, blind, other, text = (tmp_path / name for name in ("key.conllu", "blind.conllu", "other.conllu", "out.txt"))
    key.write_text(_key("a b c").replace("Gloss=a|Ref=1", "Entity=(e1--1)"), encoding="utf-8")
    blind.write_text(_key("a b c"), encoding="utf-8")
    other.write_text(_key("a b c").replace("\t1\tdep\t", "\t2\tdep\t"), encoding="utf-8")
    text.write_text("a|[e1] b c|[e1]\n", encoding="utf-8")
    for skeleton in (key, blind):
        assert "|llm:tags-move,unclosed-word|" in corefscope.score(key, text, skeleton=skeleton).signature
    signature = corefscope.score(key, text, skeleton=other).signature
    assert "|llm:tags-move,unclosed-word,skeleton-other|" in signature
    from corefscope.comparison.signature import read_signature

    assert read_signature(signature).arguments["unclosed"] == "word"


@pytest.mark.parametrize("text", ["</e1 " * 50, "[" * 999, "<e1>" * 999, "|[" * 999, "{" * 999, "<e1/>a\0" * 99])
def test_hostile_text_is_read_and_lines_are_named(text: str, tmp_path: Path) -> None:
    (read,), account, warnings = _read(tmp_path, _key("a b c"), f"\n{text}\na|[e9] b c|[e9]")
    assert len(read) <= 2
    assert sum(account.tags.values()) >= 4
    assert all(re.search(r"out\.txt(?::[23])?: ", warning) for warning in warnings)


def test_words_in_json_that_are_no_strings_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="among the words, but no string"):
        _read(tmp_path, _key("a b c"), '{"tokens": ["a", {"b": 1}], "clusters_token_offsets": []}')


def test_no_tag_is_found_where_no_sign_of_one_is() -> None:
    """So lines without such signs need not be searched."""
    random = Random(15)
    pieces = [
        "e1",
        "m",
        "Ann",
        "/",
        "#",
        "1",
        ":",
        ";",
        ",",
        ">",
        ")",
        "(",
        "{",
        "}",
        "*",
        "=",
        '"',
        " ",
        "\t",
        "_",
        "id=",
    ]
    for _ in range(300):
        text = "".join(random.choices(pieces, k=20))
        for style in STYLES.values():
            assert style.is_json or style.is_enclosed or (style.respell(text) == text and not style.closings(text))
        plain = re.sub("[(){}*_=>]", "", text)
        assert recognise_style(plain, STYLES["colon"]) is STYLES["colon"]
    disguised = ["&lt;e1&gt;Ann&lt;/e1&gt;", "＜e1＞Ann＜/e1＞", "Ann｜［e1］", "Ann[e1 left"]
    assert [found.name if (found := recognise_style(text)) else "" for text in disguised] == [
        "xml",
        "xml",
        "crac",
        "crac",
    ]
