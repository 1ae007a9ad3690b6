"""Anaphora by classes and by links: the sample of the paper, an independent twin, and how anaphors are chosen."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefscope
from corefscope.analysis.errors.examine import examine
from corefscope.analysis.noise.curves import curves
from corefscope.capabilities import METRIC_MODULES
from corefscope.cli import main
from corefscope.comparison.systems import compare
from corefscope.comparison.tasks import score_task
from corefscope.comparison.verify import verify
from corefscope.core.choices import Rules
from corefscope.core.document import Document, Mention
from corefscope.core.errors import InputError
from examples import examples
from oracles import anaphora
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE

Partition = Sequence[Sequence[int]]
Documents = tuple[Partition, Partition, list[str]]
KEY = [[1, 2], [3, 4, 5], [6, 7, 8, 9, 10, 11, 12], [13, 14, 15, 16, 17]]
RESPONSE = [[1, 2, 6, 7, 8, 9, 10], [3, 4, 5, 11, 12, 13, 14, 15, 16], [17]]
PRONOUNS = {2, 4, 7, 8, 10, 12, 14, 15, 16}
KEPT: dict[str, Any] = {"match": "exact", "singletons": "keep", "metrics": "anaphora"}
FILES = EXAMPLE_KEY, EXAMPLE_RESPONSE


def _text(partition: Partition, types: Sequence[str]) -> str:
    """One document in which mention n is the nth node: a word with its UPOS, or an empty node."""
    entity = {mention: f"Entity=(e{i}-x-1)" for i, members in enumerate(partition) for mention in members}
    lines, word, minor = ["# newdoc id = d", "# global.Entity = eid-etype-head", "# sent_id = s"], 0, 0
    for number, kind in enumerate(types, 1):
        if kind == "zero":
            minor += 1
            columns = [f"{word}.{minor}", "_", "_", "_", "_", "_", "_", "_", f"0:dep{number}"]
        else:
            word, minor = word + 1, 0
            columns = [str(word), f"w{word}", "_", kind, "_", "_", "0", "root", "_"]
        lines.append("\t".join([*columns, entity.get(number, "_")]))
    return "\n".join(lines) + "\n\n"


def _written(folder: Path, key: Partition, response: Partition, types: Sequence[str]) -> tuple[Path, Path]:
    paths = folder / "key.conllu", folder / "response.conllu"
    for path, partition in zip(paths, (key, response), strict=True):
        path.write_text(_text(partition, types), encoding="utf-8")
    return paths


@pytest.fixture
def sample(tmp_path: Path) -> tuple[Path, Path]:
    return _written(tmp_path, KEY, RESPONSE, ["PRON" if n in PRONOUNS else "NOUN" for n in range(1, 18)])


def test_the_sample_text_gives_the_figures_worked_out_by_hand(sample: tuple[Path, Path]) -> None:
    report = corefscope.score(*sample, anaphors="pronouns", **KEPT)
    assert list(report.counts("anaphora_classes").values()) == [9, 9, 13, 32]
    assert list(report.counts("anaphora_links").values()) == [9, 9, 9, 9]
    assert list(report.counts("anaphora_full").values()) == [9, 9, 9, 9]
    assert "|anaphors:pronouns|" in report.signature


def test_a_predicate_selects_anaphors_in_formats_without_parts_of_speech(tmp_path: Path) -> None:
    """The same sample as CoNLL; the predicate knows the pronouns by their words."""
    paths = tmp_path / "key.conll", tmp_path / "response.conll"
    for path, side in zip(paths, (KEY, RESPONSE), strict=True):
        entity = {mention: i for i, members in enumerate(side) for mention in members}
        rows = [f"d\t0\t{n - 1}\tw{n}\t({entity[n]})" for n in range(1, 18)]
        path.write_text("#begin document (d); part 000\n" + "\n".join(rows) + "\n\n#end document\n", encoding="utf-8")

    def pronouns(document: Document, mention: Mention) -> bool:
        return int(document.words_of(mention)[0][1:]) in PRONOUNS

    report = corefscope.score(*paths, anaphors=pronouns, **KEPT)
    assert list(report.counts("anaphora_classes").values()) == [9, 9, 13, 32]
    assert "|anaphors:custom|" in report.signature  # not by its own name, which stands for something else
    with pytest.raises(InputError, match=r"has no UPOS to tell anaphors \(pronouns\) by: it is conll"):
        corefscope.score(*paths, anaphors="pronouns", **KEPT)
    assert tuple(corefscope.score(*paths, anaphors="all", **KEPT)["anaphora_links"])[:2] == (11 / 13, 11 / 14)


@st.composite
def _documents(draw: st.DrawFn) -> Documents:
    """A word, then words and zeros; each side leaves some out of its classes."""
    types = ["NOUN", *draw(st.lists(st.sampled_from(["NOUN", "PRON", "zero"]), min_size=3, max_size=9))]
    sides = []
    for _ in range(2):
        labels = draw(st.lists(st.integers(0, 3), min_size=len(types), max_size=len(types)))
        sides.append([[n for n, label in enumerate(labels, 1) if label == i] for i in (1, 2, 3) if i in labels])
    return sides[0], sides[1], types


@pytest.mark.parametrize("choice", ["zeros", "pronouns", "all", "custom"])
@pytest.mark.parametrize("rules", ["corefud-1.2", "corrected"])
@examples(60)
@given(documents=_documents())
def test_counts_equal_those_of_an_independent_twin(
    choice: str,
    rules: Rules,
    documents: tuple[Partition, Partition, list[str]],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    key, response, types = documents
    paths = _written(tmp_path_factory.mktemp("pair"), key, response, types)
    numbers = range(1, len(types) + 1)
    kinds = {"zeros": {"zero"}, "pronouns": {"PRON"}, "all": {"NOUN", "PRON", "zero"}, "custom": {"NOUN"}}[choice]
    anaphors = {n for n in numbers if types[n - 1] in kinds}
    full = {n for n in numbers if types[n - 1] == "NOUN"} - (anaphors if choice == "custom" else set())

    def nouns(document: Document, mention: Mention) -> bool:
        return document.columns(mention.head)[3] == "NOUN"

    given = nouns if choice == "custom" else choice
    report = corefscope.score(*paths, anaphors=given, rules=rules, zeros="linear", **KEPT)  # type: ignore[arg-type]
    twins = {
        "anaphora_classes": anaphora.by_classes(key, response, anaphors, full),
        "anaphora_links": anaphora.by_links(key, response, anaphors, set(numbers)),
        "anaphora_full": anaphora.by_links(key, response, anaphors, full),
    }
    for name, expected in twins.items():
        numerator, denominator, other_numerator, other_denominator = report.counts(name).values()
        for (part, whole), rate in zip(
            ((numerator, denominator), (other_numerator, other_denominator)), expected, strict=True
        ):
            assert (None if not whole else part / whole) == (None if rate is None else float(rate)), name


def test_a_perfect_response_resolves_everything() -> None:
    for choice in ("zeros", "pronouns", "all"):
        report = corefscope.score(EXAMPLE_KEY, EXAMPLE_KEY, anaphors=choice, metrics="anaphora")
        assert {tuple(score) for score in report.values()} == {(1, 1, 1)}, choice


def test_all_mentions_are_anaphors_unless_somebody_says_otherwise() -> None:
    plain, chosen = (corefscope.score(*FILES, metrics="anaphora", anaphors=choice) for choice in (None, "all"))
    assert dict(plain) == dict(chosen)
    assert "anaphors" not in plain.signature
    assert "|anaphors:all|" in chosen.signature


def test_anaphors_are_an_option_wherever_scores_are_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wanted = corefscope.score(*FILES, metrics="anaphora", anaphors="zeros")
    arguments = ["score", *map(str, FILES), "--metrics", "anaphora"]
    assert main([*arguments, "--anaphors", "zeros"]) == 0
    assert f"{100 * wanted['anaphora_links'].f1:.2f}" in capsys.readouterr().out
    assert main([*arguments, "--signature", wanted.signature]) == 0
    assert wanted.signature in capsys.readouterr().out.replace("\n|", "|")
    with pytest.raises(SystemExit):
        main([*arguments, "--anaphors", "names"])
    assert "choose from: zeros, pronouns, all" in capsys.readouterr().err
    common: dict[str, Any] = {"metrics": "anaphora", "anaphors": "zeros"}
    (report,) = compare(EXAMPLE_KEY, [EXAMPLE_RESPONSE], resample="nothing", **common).reports.values()
    assert dict(report) == dict(wanted)
    errors = examine(*FILES, metric="anaphora_links", **common)
    assert errors.report["anaphora_links"] == wanted["anaphora_links"]
    assert sum(step.gain for step in errors.attribution.steps) + errors.attribution.rules == pytest.approx(
        errors.attribution.lost
    )
    assert curves(EXAMPLE_KEY, kinds="merge", levels=[0], **common).reports["merge"][0]["anaphora_links"].f1 == 1
    for name, path in zip(("key", "ours"), FILES, strict=True):
        (tmp_path / "task" / "a").mkdir(parents=True, exist_ok=True)
        (tmp_path / "task" / "a" / f"{name}.conllu").write_bytes(path.read_bytes())
    task = score_task(tmp_path / "task", jobs=1, significance=False, rank_by="anaphora_links", digests=True, **common)
    assert "|anaphors:zeros|" in task.signature
    saved = tmp_path / "task.json"
    saved.write_text(json.dumps(task.to_dict()), encoding="utf-8")
    assert not verify(saved).differences


def test_a_predicate_cannot_be_replayed(capsys: pytest.CaptureFixture[str]) -> None:
    report = corefscope.score(*FILES, metrics="anaphora", anaphors=lambda _, mention: mention.is_zero)
    assert "|anaphors:lambda|" in report.signature
    assert main(["score", *map(str, FILES), "--signature", report.signature]) == 2
    assert "the predicate 'lambda' that selected mentions cannot be replayed" in capsys.readouterr().err


def test_every_anaphor_is_booked_where_it_stands() -> None:
    """Parts of a document can be resampled: the rows of its sentences add up to its own."""
    arguments: dict[str, Any] = {"metrics": "anaphora", "rules": "corrected", "anaphors": "pronouns"}
    (blocks,) = compare(
        EXAMPLE_KEY, [EXAMPLE_RESPONSE], resample="sentences", resamples=100, **arguments
    ).reports.values()
    whole = corefscope.score(*FILES, **arguments)
    assert len(blocks.rows) > len(whole.rows)
    assert {name: blocks.counts(name) for name in METRIC_MODULES["corefscope.measures.anaphora_resolution"]} == {
        name: whole.counts(name) for name in METRIC_MODULES["corefscope.measures.anaphora_resolution"]
    }


def test_ids_have_no_antecedents(tmp_path: Path) -> None:
    """Clusters of names have classes, but no order."""
    path = tmp_path / "clusters.json"
    path.write_text('{"clusters": [["a", "b", "c"], ["d", "e"]]}', encoding="utf-8")
    report = corefscope.score(path, path, metrics="anaphora")
    assert report["anaphora_classes"].f1 == 1
    assert not any(chain(report.counts("anaphora_links").values(), report.counts("anaphora_full").values()))
