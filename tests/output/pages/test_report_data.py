"""The errors of a page without a browser: the verdict, their slices, and which systems share them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from corefscope import examine
from corefscope.analysis.errors.kinds import ERROR_KINDS
from corefscope.analysis.errors.slices import DIMENSIONS, genre_pattern
from corefscope.core.request import Request
from corefscope.output.pages.report import render
from corefscope.output.pages.report.data import collect
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE
from tests.output.browser import corpora


@pytest.fixture(scope="module")
def example() -> dict[str, Any]:
    return collect(EXAMPLE_KEY, [EXAMPLE_RESPONSE], Request({}))


def _plain(page: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", "", page).split())


def test_the_page_opens_with_the_verdict_of_errors(example: dict[str, Any]) -> None:
    (response,) = example["overview"]["responses"]
    worst = response["weak"][0]
    verdict = examine(EXAMPLE_KEY, EXAMPLE_RESPONSE).verdict
    assert verdict == (
        f"{response['verdict']['several']} cost most: {response['verdict']['points']:.2f} points;"
        f" weakest: {worst['phrase']}"
    )
    shown = _plain(render(example).partition('<section class="verdicts"')[2].partition("</section>")[0])
    assert shown.endswith(
        "Divided entities cost most: 7.80 points; weakest: antecedents in the same sentence (CoNLL 46.79)."
    )


def test_each_system_has_a_verdict_and_its_name_comes_first() -> None:
    data = collect(EXAMPLE_KEY, [EXAMPLE_RESPONSE, EXAMPLE_KEY], Request({}), names="ours,perfect")
    page = render(data)
    assert "<title>ours and perfect against key.conllu – corefscope report</title>" in page
    shown = _plain(page.partition('<section class="verdicts"')[2].partition("</section>")[0])
    assert "ours Divided entities cost most: 7.80 points" in shown
    assert shown.endswith("perfect No errors.")
    headings = [_plain(heading) for heading in re.findall(r"<h2[^>]*>(.*?)</h2>", page)]
    assert {"ours: where the points went", "perfect: where the points went", "ours: slices"} <= set(headings)


def test_the_waterfall_has_the_dearest_first_and_no_kind_without_errors(example: dict[str, Any]) -> None:
    steps = example["overview"]["responses"][0]["losses"]["steps"]
    assert [step["points"] for step in steps] == sorted((step["points"] for step in steps), reverse=True)
    assert len(steps) == 5  # neither missing nor extra entities
    assert all(step["count"] for step in steps)
    assert steps[0]["kind"] == "divided"
    assert [step["kinds"] for step in steps[1:3]] == ["missing_mention,missing_zero", "extra_mention,extra_zero"]


def test_errors_are_in_the_slices_of_their_mentions(example: dict[str, Any]) -> None:
    slices = example["overview"]["slices"]
    divided_by = set(DIMENSIONS) - {"relation"}  # of which the example has none
    assert {by for by, _ in slices} == divided_by
    kinds = [kind["name"] for kind in example["overview"]["kinds"]]
    zeros = slices.index(("mention-type", "zero"))
    for document in example["documents"]:
        for kind, _, key, response, numbers, _ in document["responses"][0]["f"]:
            values = {slices[number] for number in numbers}
            for by in divided_by:
                assert 1 <= sum(one == by for one, _ in values) <= len(key or response)
            if kinds[kind].endswith("zero"):
                assert zeros in numbers
    missing = example["documents"][0]["responses"][0]["f"][3]  # "se"
    assert ("mention-type", "pronoun") in {slices[number] for number in missing[4]}


def _system(folder: Path, name: str, words: str) -> Path:
    """A file of one-letter words, each a mention of the entity that ``words`` names there, or of none."""
    text = [("w", "_" if entity == "." else f"Entity=({entity}-t-1)") for entity in words]
    path = folder / f"{name}.conllu"
    path.write_text(corpora.document("d", corpora.sentence("s", text)))
    return path


def test_errors_say_which_other_systems_make_them(tmp_path: Path) -> None:
    key = _system(tmp_path, "key", "aabb.aa.")
    systems = [
        _system(tmp_path, "one", "aa..xaa."),  # b is missing, x is extra
        _system(tmp_path, "two", "aa.bxa.."),  # so it is here, and half of b; a third of a
        _system(tmp_path, "three", "aabb.aa."),
    ]
    data = collect(key, systems, Request({"match": "exact", "singletons": "keep"}))
    kinds = [kind["name"] for kind in data["overview"]["kinds"]]
    (document,) = data["documents"]
    listed = [[(kinds[kind], also) for kind, _, _, _, _, also in response["f"]] for response in document["responses"]]
    found = [[error for error in errors if ERROR_KINDS[error[0]].repair] for errors in listed]
    assert found == [
        [("missing_entity", 0), ("extra_entity", 2)],
        [("missing_mention", 0), ("extra_entity", 1), ("missing_mention", 0)],
        [],
    ]


def test_an_error_of_the_same_kind_at_one_mention_is_the_same(tmp_path: Path) -> None:
    key = _system(tmp_path, "key", "aabbb")
    systems = [_system(tmp_path, "one", "aab.."), _system(tmp_path, "two", "aab.b")]
    (document,) = collect(key, systems, Request({"match": "exact", "singletons": "keep"}))["documents"]
    assert [[error[-1] for error in response["f"]] for response in document["responses"]] == [[2, 0], [1]]


def test_genres_are_offered_if_ids_name_them(tmp_path: Path) -> None:
    ids = ["X_news_1", "X_news_2", "X_novel_1", "X_novel_2"]
    paths = []
    for name, last in (("key", "b"), ("response", "a")):
        words = [(w, f"Entity=({w}-t-1)") for w in "abaab"] + [("z", f"Entity=({last}-t-1)")]
        text = "".join(corpora.document(one, corpora.sentence(f"s{one}", words)) for one in ids)
        paths.append(tmp_path / f"{name}.conllu")
        paths[-1].write_text(text)
    data = collect(paths[0], [paths[1]], Request({}))
    assert [document["genre"] for document in data["overview"]["documents"]] == ["news", "news", "novel", "novel"]
    (genre,) = [part for part in data["overview"]["responses"][0]["slices"] if part["by"] == "genre"]
    expected = examine(*paths, by=["genre=^X_([a-z]+)"]).slices["genre=^X_([a-z]+)"]
    assert [(row["slice"].value, row["slice"].key_mentions) for row in genre["rows"]] == [("news", 12), ("novel", 12)]
    assert [row["score"] for row in genre["rows"]] == [part.report["conll"].f1 for part in expected]
    assert 'href="#slice=genre%3Anews"' in render(data)


@pytest.mark.parametrize(
    "ids",
    [
        [],
        ["d"],
        ["GUM_news_a", "GUM_novel_b"],  # one document each
        ["d1", "d2", "d3", "d4"],
        ["a_1", "a_2", "a_3", "a_4"],  # a single one
        ["news_1", "news_2", "novel_1", "3"],
        [f"{chr(97 + n // 26)}{chr(97 + n % 26)}_{k}" for n in range(30) for k in range(2)],  # too many
    ],
)
def test_ids_that_name_no_genres(ids: list[str]) -> None:
    assert genre_pattern(ids) is None


def test_what_is_special_in_a_common_beginning_is_taken_as_it_is() -> None:
    pattern = genre_pattern(["x.(+_news_1", "x.(+_news_2", "x.(+_novel_1", "x.(+_novel_2"])
    assert pattern is not None
    assert re.search(pattern, "x.(+_essay_9")
    assert not re.search(pattern, "xa(+_essay_9")


def test_joined_documents_have_slices_of_entities_that_cross_them(tmp_path: Path) -> None:
    paths = []
    for name, last in (("key", "a"), ("response", "b")):
        text = "".join(
            corpora.document(one, corpora.sentence(f"s{one}", [("w", f"Entity=({e}-t-1)") for e in entities]))
            for one, entities in (("d1", "aabbcc"), ("d2", f"ccddd{last}"))
        )
        paths.append(tmp_path / f"{name}.conllu")
        paths[-1].write_text(text)
    arguments: Any = {"documents": "merge"}
    data = collect(paths[0], [paths[1]], Request(arguments))
    (part,) = [part for part in data["overview"]["responses"][0]["slices"] if part["by"] == "cross-document"]
    sizes = [(row["slice"].value, row["slice"].key_mentions, row["slice"].response_mentions) for row in part["rows"]]
    assert sizes == [("one", 5, 5), ("several", 7, 7)]  # b and d; a and c
    assert part["rows"][0]["score"] == 1
    (of_examine,) = [examine(*paths, by=["cross-document"], **arguments).slices["cross-document"]]
    assert [one.report["conll"].f1 for one in of_examine] == [row["score"] for row in part["rows"]]
    apart = collect(paths[0], [paths[1]], Request({}))["overview"]["responses"][0]
    assert "cross-document" not in {part["by"] for part in apart["slices"]}
    (whole,) = examine(*paths, by=["cross-document"]).slices["cross-document"]
    assert (whole.value, whole.share) == ("one", 1)
