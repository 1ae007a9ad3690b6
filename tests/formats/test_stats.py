"""Statistics against a naive count over sets, and the command that shows them."""

from __future__ import annotations

import json
import random
from collections import Counter
from fractions import Fraction
from importlib.resources import files as resources
from pathlib import Path
from statistics import mean, median
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefscope.cli import main
from corefscope.cli.terminal import PLAIN
from corefscope.core.document import Document, Mention, Sentence
from corefscope.core.errors import Warnings
from corefscope.core.positions import position
from corefscope.formats.detection import open_reader
from corefscope.formats.stats import (
    COUNTS,
    SCHEMA,
    ChainLengths,
    FileStatistics,
    Statistics,
    StatisticsReport,
    document_statistics,
    file_statistics,
    stats,
)
from corefscope.formats.writing import overlapping
from corefscope.output.formats import REPORTS
from corefscope.output.results import files as reports
from examples import examples
from oracles.generate import random_pair
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE, SHARED
from rendering import as_text

GUM = SHARED / "data" / "gum-dev.key.conllu"


def run(*arguments: str) -> int:
    """The command as the command line runs it."""
    return main(["stats", *arguments])


# ---- a naive twin


def nodes_of(document: Document) -> list[int]:
    """All words and empty nodes, in the order of the text."""
    found = []
    for sentence in document.sentences:
        found += [position(sentence.number, word) for word in range(1, len(sentence.words) + 1)]
        found += [position(sentence.number, *map(int, name.split("."))) for name in sentence.unusual if "." in name]
    return sorted(found)


def naive(document: Document) -> dict[str, int]:
    """The same by comparing all mentions with all."""
    order = nodes_of(document)
    mentions = [(at, frozenset(m.positions)) for at, entity in enumerate(document.entities) for m in entity]

    def crosses(one: frozenset[int], other: frozenset[int]) -> bool:
        return bool(one & other) and not one <= other and not other <= one

    def unbroken(span: frozenset[int]) -> bool:
        return len(span) == order.index(max(span)) - order.index(min(span)) + 1

    return {
        "documents": 1,
        "sentences": len(document.sentences),
        "words": sum(1 for node in order if node % (1 << 20) == 0),
        "mentions": len(mentions),
        "entities": len(document.entities),
        "singletons": sum(len(entity) == 1 for entity in document.entities),
        "zeros": sum(m.head % (1 << 20) != 0 for entity in document.entities for m in entity),
        "discontinuous": sum(not unbroken(span) for _, span in mentions),
        "nested": sum(any(span < other for _, other in mentions) for _, span in mentions),
        "crossing": sum(any(crosses(span, other) for _, other in mentions) for _, span in mentions),
        "crossing_same_entity": sum(
            any(crosses(span, other) for its, other in mentions if its == at) for at, span in mentions
        ),
        "repeated": len(mentions) - len({span for _, span in mentions}),
    }


@st.composite
def documents(draw: st.DrawFn) -> Document:
    """Two sentences, the first perhaps with empty nodes; mentions are unbroken spans or any sets of nodes."""
    empty = sorted(draw(st.sets(st.sampled_from(["1.1", "2.1", "2.2", "4.1"]))))
    sentences = (
        Sentence("a", 1, 1, [f"{at}\tw" for at in range(1, 6)], ["1-2", *empty], ""),
        Sentence("b", 2, 9, [f"{at}\tw" for at in range(1, draw(st.integers(2, 5)))], [], ""),
    )
    nodes = nodes_of(Document("d", (), sentences=sentences))
    places = st.integers(0, len(nodes) - 1)
    ranges = st.tuples(places, places).map(lambda ends: nodes[min(ends) : max(ends) + 1])
    sets = st.sets(st.sampled_from(nodes), min_size=1, max_size=5).map(sorted)
    spans = st.one_of(ranges, sets) if draw(st.booleans()) else ranges
    mention = spans.map(lambda span: Mention(tuple(span), span[0]))
    entities = draw(st.lists(st.lists(mention, min_size=1, max_size=5).map(tuple), max_size=5))
    return Document("d", tuple(entities), sentences=sentences)


@examples(1000)
@given(documents())
def test_counts_equal_the_naive_ones(document: Document) -> None:
    found = document_statistics(document)
    assert {name: getattr(found, name) for name in COUNTS} == naive(document)
    lengths = [len(mention.positions) for entity in document.entities for mention in entity]
    assert sum(length * often for length, often in (found.span_lengths or {}).items()) == sum(lengths)


@examples(200)
@given(documents())
def test_a_word_that_parts_share_counts_once(document: Document) -> None:
    doubled = tuple(
        tuple(mention._replace(positions=(mention.positions[0], *mention.positions)) for mention in entity)
        for entity in document.entities
    )
    assert document_statistics(Document("d", doubled, sentences=document.sentences)) == document_statistics(document)


@pytest.mark.parametrize("seed", range(20))
def test_files_are_counted_as_naively(seed: int, tmp_path: Path) -> None:
    path = tmp_path / "key.conllu"
    path.write_text(random_pair(random.Random(seed), "medium", duplicates=True, minors=True)[0], encoding="utf-8")
    _, reader = open_reader(path, None, Warnings())
    twins = [naive(document) for document in reader]
    reader.source.close()
    found = file_statistics(path)
    assert [each.to_dict() | twin for (_, each), twin in zip(found.documents, twins, strict=True)] == [
        each.to_dict() for _, each in found.documents
    ]
    total = stats(path).to_dict()
    assert {name: sum(twin[name] for twin in twins) for name in COUNTS}.items() <= total.items()


def test_a_mention_in_a_gap_is_neither_nested_nor_crossing() -> None:
    around, gap, across = ((0, 0), (3, 4)), ((1, 2),), ((2, 3),)
    assert overlapping([around, gap]) == (set(), set())
    assert overlapping([around, ((4, 4),)]) == ({((4, 4),)}, set())
    assert overlapping([around, ((0, 4),)]) == ({around}, set())
    assert overlapping([around, gap, across]) == (set(), {around, gap, across})


def test_thousands_of_mentions_that_all_touch_each_other_are_no_trouble() -> None:
    """Comparing all with all would take hours for these."""
    size = 30_000
    nest = [((at, 2 * size - at),) for at in range(size)]
    assert tuple(map(len, overlapping(nest))) == (size - 1, 0)
    chained = [((at, at + size),) for at in range(size)]
    assert tuple(map(len, overlapping(chained))) == (0, size)
    broken = [((at, at + 1), (at + 3, at + 3)) for at in range(0, 4 * size, 2)]
    assert tuple(map(len, overlapping(broken))) == (0, 2 * size)


# ---- sums and ratios


@given(st.lists(documents(), max_size=4))
def test_statistics_add_up(some: list[Document]) -> None:
    parts = [document_statistics(document) for document in some]
    total = sum(parts, Statistics())
    assert all(getattr(total, name) == sum(getattr(part, name) for part in parts) for name in COUNTS)
    assert total == sum(reversed(parts), Statistics())
    chains = [len(entity) for document in some for entity in document.entities]
    long = [length for length in chains if length > 1]
    for shown, lengths in ((total.chain_length, chains), (total.chain_length_without_singletons, long)):
        assert shown == (
            (float(Fraction(sum(lengths), len(lengths))), median(lengths), max(lengths)) if lengths else (None,) * 3
        )
    if chains:
        assert total.coreference_rate == pytest.approx((total.mentions - total.repeated) / total.entities)


def test_nothing_has_no_ratios() -> None:
    empty = Statistics()
    assert (empty.mentions_per_100_words, empty.coreference_rate, empty.chain_length.mean) == (None, None, None)
    assert empty.to_dict()["span_lengths"] == {}


def wordless() -> Document:
    places = [position(0, at) for at in range(1, 5)]
    one, two, three, four = (Mention((place,), place) for place in places)
    return Document("ids", ((one, two, three), (four,), (one,)))


def test_formats_without_words_have_no_figures_of_words() -> None:
    found = document_statistics(wordless())
    assert (found.mentions, found.entities, found.singletons, found.repeated) == (5, 3, 2, 1)
    assert found.coreference_rate == 4 / 3
    for name in ("sentences", "words", "zeros", "discontinuous", "nested", "crossing", "span_lengths"):
        assert getattr(found, name) is None
        assert getattr(found + stats(EXAMPLE_KEY), name) is None
    assert (found + stats(EXAMPLE_KEY)).mentions == 5 + stats(EXAMPLE_KEY).mentions


def test_a_document_without_sentences_and_entities_is_just_empty() -> None:
    assert document_statistics(Document("d", ())) == Statistics(documents=1)


# ---- known files


def test_the_example() -> None:
    found = stats(EXAMPLE_KEY)
    assert [getattr(found, name) for name in COUNTS] == [2, 8, 127, 37, 17, 8, 4, 1, 9, 0, 0, 0]
    assert dict(found.entity_types)["person"] == 5
    assert stats(str(EXAMPLE_KEY), "corefud") == found


@pytest.mark.skipif(not GUM.exists(), reason="the corpus is not at hand")
def test_gum() -> None:
    found = stats(GUM)
    assert [getattr(found, name) for name in COUNTS] == [30, 1575, 28119, 7897, 3940, 2838, 1, 0, 2994, 0, 0, 0]


# ---- the command


def rows(text: str, labels: int = 26) -> dict[str, list[str]]:
    """What stands behind each label; of those that are called the same, the first."""
    return {line[:labels].strip(): line[labels:].split() for line in reversed(text.split("\n")) if line}


def test_figures_of_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(str(EXAMPLE_KEY)) == 0
    found = rows(capsys.readouterr().out)
    assert found["words"] == ["127"]
    assert found["zeros"] == ["4", "11%"]
    assert found["crossing another"] == ["0"]
    assert found["per 100 words"] == ["29.13"]
    assert found["coreference rate"] == ["2.18"]
    assert found["median"] == ["2"]
    assert found["1"] == ["21", "57%", "█" * reports.BAR]
    assert found["6–10"] == ["1", "3%", "█▌"]
    assert found["person"] == ["5", "29%", "█" * reports.BAR]


def test_files_stand_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(str(EXAMPLE_KEY), str(EXAMPLE_RESPONSE), "--total") == 0
    out = capsys.readouterr().out
    assert out.split("\n")[0].split() == ["key", "response", "total"]
    assert rows(out)["mentions"] == ["37", "36", "73"]
    assert "█" not in out
    assert run(str(EXAMPLE_KEY), str(EXAMPLE_RESPONSE)) == 0
    assert rows(capsys.readouterr().out)["mentions"] == ["37", "36"]


@pytest.mark.parametrize("width", [30, 80, 120])
def test_columns_that_do_not_fit_come_below(width: int, capsys: pytest.CaptureFixture[str], monkeypatch: Any) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    assert run(*[str(EXAMPLE_KEY)] * 9) == 0
    lines = capsys.readouterr().out.split("\n")
    assert all(len(line) <= max(width, 26 + 2 + len("key.conllu") + 5) for line in lines)
    assert sum(line.split().count("key") for line in lines) == 9
    assert sum(line.startswith("documents") for line in lines) == {30: 9, 80: 3, 120: 2}[width]


def test_documents_on_request(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    assert run(str(EXAMPLE_KEY), "--per-document") == 0
    head, first, second, blank, *_ = capsys.readouterr().out.split("\n")
    columns = ["words", "mentions", "entities", "singletons", "zeros", "discontinuous", "nested", "rate"]
    assert head.split() == ["key.conllu", *columns]
    assert first.split() == ["es_biblioteca", "64", "17", "7", "3", "4", "0", "3", "2.43"]
    assert second.split()[0] == "en_letter"
    assert blank == ""


@pytest.mark.parametrize("more", [[], ["--per-document"], [str(EXAMPLE_RESPONSE)]])
def test_json_keeps_to_its_schema(more: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(str(EXAMPLE_KEY), *more, "--format", "json") == 0
    content = json.loads(capsys.readouterr().out)
    schema().validate(content)
    assert content["files"][0]["statistics"] == stats(EXAMPLE_KEY).to_dict()
    assert content["files"][0]["format"] == "corefud"
    assert ("documents" in content["files"][0]) == ("--per-document" in more)
    assert content["total"]["mentions"] == sum(file["statistics"]["mentions"] for file in content["files"])


def schema() -> jsonschema.Draft202012Validator:
    text = (resources("corefscope") / "output" / "schemas" / f"{SCHEMA}.json").read_text(encoding="utf-8")
    jsonschema.Draft202012Validator.check_schema(json.loads(text))
    return jsonschema.Draft202012Validator(json.loads(text))


def text_of(*found: FileStatistics, per_document: bool = True, colour: bool = False, blocks: bool = True) -> str:
    text = as_text(StatisticsReport(found), 80, per_document=per_document, colour=colour)
    return text if blocks else text.translate(PLAIN)


def test_what_cannot_be_told_is_a_dash() -> None:
    file = FileStatistics("ids.json", "clusters", [("ids", document_statistics(wordless()))])
    schema().validate(json.loads(REPORTS["json"].render(StatisticsReport([file]), True)))
    found = rows(text_of(file, per_document=False))
    assert found["words"] == found["nested in another"] == found["per 100 words"] == ["–"]
    assert found["mentions"] == ["5"]
    assert "words per mention" not in found
    beside = rows(text_of(file, file_statistics(EXAMPLE_KEY), per_document=False))
    assert beside["words"] == ["–", "127"]
    assert beside["1"] == ["–", "21", "57%"]
    assert "–" not in text_of(file, blocks=False)


def _sizes(text: str) -> list[list[str]]:
    """The rows under "entities by size"."""
    section = text.partition("entities by size\n")[2].partition("\n\n")[0]
    return [line.replace("over ", "over").split() for line in section.split("\n")]


def test_entities_are_counted_by_size_and_large_ones_in_runs() -> None:
    """Every entity is in one run, up to the largest; sides stand side by side, within 80 columns."""
    sizes = Counter(
        {1: 90_000, 2: 40, 6: 3, 10: 1, 11: 2, 20: 1, 21: 1, 50: 1, 51: 1, 100: 2, 101: 1, 9_999: 1, 10_001: 1}
    )
    sizes[2_000_000] = 1
    sides = [
        FileStatistics(name, "table", [("d", Statistics(documents=1, chain_lengths=each, span_lengths=None))])
        for name, each in (("key.csv", sizes), ("response.csv", Counter({1: 5, 3: 7})))
    ]
    text = text_of(*sides, per_document=False)
    found = _sizes(text)
    assert [row[0] for row in found] == [
        *("1", "2", "3", "4", "5", "6–10", "11–20", "21–50", "51–100", "101–1,000", "1,001–10,000"),
        *("10,001–100,000", "over100,000"),
    ]
    assert found[0] == ["1", "90,000", ">99%", "5", "42%"]
    assert found[5:9] == [
        ["6–10", "4", "<1%", "0"],
        ["11–20", "3", "<1%", "0"],
        ["21–50", "2", "<1%", "0"],
        ["51–100", "3", "<1%", "0"],
    ]
    assert found[-1] == ["over100,000", "1", "<1%", "0"]
    assert sum(int(row[1].replace(",", "")) for row in found) == sizes.total()
    assert max(map(len, text.split("\n"))) <= 80
    assert [row[0] for row in _sizes(text_of(sides[1], per_document=False))] == ["1", "2", "3"]


def test_sizes_of_a_table_are_shown_and_are_in_the_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "key.csv"
    path.write_text("mention,entity\na,1\nb,1\nc,2\n", encoding="utf-8")
    assert run(str(path)) == 0
    assert [row[:3] for row in _sizes(capsys.readouterr().out)] == [["1", "1", "50%"], ["2", "1", "50%"]]
    assert run(str(path), "--format", "json") == 0
    assert json.loads(capsys.readouterr().out)["total"]["chain_lengths"] == {"1": 1, "2": 1}


@given(st.dictionaries(st.integers(1, 30), st.integers(0, 6)))
def test_mean_median_and_longest_of_runs_are_those_of_all_entities(lengths: dict[int, int]) -> None:
    every = list(Counter(lengths).elements())
    found = ChainLengths.of(Counter(lengths))
    assert found == ((pytest.approx(mean(every)), median(every), max(every)) if every else (None, None, None))


def test_text_of_files_cannot_command_the_terminal() -> None:
    types = Counter({"\x1b[31mred": 1, **{f"type {at}": at for at in range(2, 14)}})
    each = Statistics(documents=1, chain_lengths=Counter({1: sum(types.values())}), entity_types=types)
    text = text_of(FileStatistics("\x1b[32m" + "x" * 99, "corefud", [("\x1b[33m", each)]))
    assert "\x1b" not in text
    assert rows(text)["3 other types"][:2] == ["6", "7%"]
    assert text_of(FileStatistics("f", "corefud", [("d", each)]), colour=True).startswith("\x1b[2mf")


def test_shares_near_nothing_and_all_are_not_rounded_to_them() -> None:
    each = Statistics(documents=1, chain_lengths=Counter({1: 1999, 2: 1}), entity_types=Counter(a=1999, b=1))
    found = rows(text_of(FileStatistics("f", "corefud", [("d", each)]), per_document=False, blocks=False))
    assert found["a"] == ["1,999", ">99%", "#" * reports.BAR]
    assert found["b"] == ["1", "<1%", "#"]


def test_files_of_the_same_name_are_told_apart_by_their_directories() -> None:
    each = [("d", Statistics(documents=1))]
    found = [FileStatistics(path, "corefud", each) for path in ("a/key.conllu", "b/key.conllu")]
    assert text_of(*found, per_document=False).split("\n")[0].split() == ["a/key.conllu", "b/key.conllu"]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [(["missing.conllu"], 1, "missing.conllu"), ([str(EXAMPLE_KEY), "--file-format", "conll"], 1, "begin document")],
)
def test_what_cannot_be_read_is_said(
    arguments: list[str], code: int, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*arguments) == code
    printed = capsys.readouterr()
    assert printed.out == ""
    assert message in printed.err
    assert "Traceback" not in printed.err


def test_an_unknown_format_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        run(str(EXAMPLE_KEY), "--file-format", "corefuds")
    assert stopped.value.code == 2
    assert "did you mean 'corefud'" in capsys.readouterr().err


def test_warnings_are_shown_unless_quiet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "open.conllu"
    text = EXAMPLE_KEY.read_text(encoding="utf-8")
    path.write_text(text + "# sent_id = last\n1\tw" + "\t_" * 7 + "\tEntity=(e99-person-1-\n\n", encoding="utf-8")
    assert run(str(path)) == 0
    assert "never closed" in capsys.readouterr().err
    assert run(str(path), "--quiet") == 0
    assert capsys.readouterr().err == ""


def test_types_of_mentions_are_counted_where_words_have_upos(tmp_path: Path) -> None:
    """The example by hand: 4 zeros; pronouns and names by the UPOS of heads. Formats without UPOS have none."""
    (statistics,) = [file_statistics(EXAMPLE_KEY, None, None).total]
    assert statistics.mention_types == {"zero": 4, "pronoun": 11, "name": 8, "nominal": 14}
    assert statistics.mention_types.total() == statistics.mentions
    path = tmp_path / "key.jsonl"
    path.write_text('{"doc_key": "d", "sentences": [["Ann", "runs"]], "clusters": [[[0, 0], [1, 1]]]}')
    assert not file_statistics(path, None, None).total.mention_types
