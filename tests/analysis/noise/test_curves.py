"""How metrics behave under noise: figures, tables, pictures."""

from __future__ import annotations

import csv
import json
import random
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import corefscope
import ua_zeros
from corefscope.analysis.noise import LEVELS, OF_KEYS, PERTURBATIONS
from corefscope.analysis.noise.curves import Curves, curves, curves_of_files
from corefscope.analysis.noise.files import perturb_file
from corefscope.cli.parser import Parser
from corefscope.cli.perturb import CURVES
from corefscope.cli.terminal import guarded
from corefscope.core.errors import CorefscopeError, InputError, OptionError
from corefscope.core.positions import coordinates
from corefscope.formats.convert import convert
from corefscope.output.formats import REPORTS
from corefscope.output.formats.json_text import schema
from noise import IN_RELATIONS
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE, GOLDEN
from rendering import as_text


@pytest.fixture(scope="module")
def example() -> Curves:
    return curves(EXAMPLE_KEY, metrics="corefud,kappa")


def run(*arguments: str) -> int:
    parser = Parser()
    CURVES.add_arguments(parser)
    options = parser.parse_args(arguments)
    return guarded(lambda: CURVES.run(options))


def test_every_kind_has_every_level_and_starts_at_100(example: Curves) -> None:
    assert example.kinds == tuple(kind for kind in OF_KEYS if kind not in IN_RELATIONS)  # of which it has none
    for kind in example.kinds:
        assert example.levels(kind) == list(LEVELS)
        for metric in example.metrics:
            series = example.series(kind, metric)
            assert series[0] == pytest.approx(1)
            assert max(series) <= 1 + 1e-12


def test_curves_fall_where_they_must(example: Curves) -> None:
    for kind, metric in [
        ("drop", "mentions"),
        ("spurious", "muc"),
        ("split", "muc"),
        ("merge", "muc"),
        ("drop", "lea"),
    ]:
        series = example.series(kind, metric)
        assert series == sorted(series, reverse=True), (kind, metric)
        assert series[-1] < series[0]
    assert set(example.series("spurious-singletons", "muc")) == {1.0}
    assert set(example.series("boundary", "conll")) == {1.0}
    assert example.series("zero-drop", "zero")[-1] == 0


@pytest.mark.parametrize("options", [{}, {"match": "exact", "singletons": "drop", "rules": "corefud-1.2"}])
def test_files_give_the_same_figures_as_memory(options: dict[str, Any], tmp_path: Path) -> None:
    perturb_file(EXAMPLE_KEY, tmp_path, levels=[0, 30, 70], seed=4)
    ours = curves(EXAMPLE_KEY, levels=[0, 30, 70], seed=4, **options)
    theirs = curves_of_files(tmp_path, **options)
    assert theirs.to_records() == ours.to_records()
    assert theirs.signature == ours.signature
    some = curves_of_files(tmp_path, kinds="merge", key=EXAMPLE_KEY, metrics="lea", **options)
    assert some.series("merge", "lea") == ours.series("merge", "lea")
    with pytest.raises(OptionError, match="unknown kind"):
        curves_of_files(tmp_path, kinds="xyz")


def test_what_a_directory_does_not_hold_is_named(tmp_path: Path) -> None:
    perturb_file(EXAMPLE_KEY, tmp_path, levels=[0], kinds="drop")
    with pytest.raises(InputError, match="has no files of merge"):
        curves_of_files(tmp_path, kinds="drop,merge")
    (tmp_path / "drop-000.conllu").unlink()
    with pytest.raises(InputError, match="no such file"):
        curves_of_files(tmp_path)


@pytest.mark.parametrize("files", ["[]", '""', '[{"level": 1e999, "file": "drop-000.conllu", "changes": 0}]'])
def test_a_manifest_without_files_or_with_endless_levels_is_refused(files: str, tmp_path: Path) -> None:
    perturb_file(EXAMPLE_KEY, tmp_path, levels=[0], kinds="drop")
    path = tmp_path / "manifest.json"
    content = json.loads(path.read_text(encoding="utf-8"))
    content["kinds"]["drop"]["files"] = "FILES"
    path.write_text(json.dumps(content).replace('"FILES"', files), encoding="utf-8")
    with pytest.raises(InputError, match="missing or malformed"):
        curves_of_files(tmp_path)


def test_other_formats_have_curves_too() -> None:
    key = GOLDEN / "conll" / "l00001.key.conll"
    found = curves(key, match="exact", levels=[0, 100], metrics="conll")
    assert not any(kind.startswith("zero") for kind in found.kinds)
    assert found.series("drop", "conll") == [1, 0]
    assert found.signature.startswith("conll|")


def test_printed_keys_are_read_over_their_skeleton(tmp_path: Path) -> None:
    key = tmp_path / "key.txt"
    convert(EXAMPLE_KEY, key, lossy=True)
    found = curves(key, skeleton=EXAMPLE_KEY, match="exact", kinds="drop", levels=[0, 100], metrics="muc")
    assert found.series("drop", "muc") == [1, 0]


def test_formats_without_words_have_noise_in_entities_only(tmp_path: Path) -> None:
    key = tmp_path / "clusters.json"
    key.write_text('{"d": {"a": ["m1", "m2", "m3"], "b": ["m4", "m5"], "c": ["m6"]}}', encoding="utf-8")
    found = curves(key, match="exact", levels=[0, 100], metrics="muc")
    assert found.kinds == ("drop", "merge", "split")
    assert found.series("split", "muc") == [1, 0]


def test_text_has_a_curve_for_each_metric(example: Curves) -> None:
    shown = as_text(example, 100)
    assert all(len(line) <= 100 for line in shown.split("\n"))
    for kind in example.kinds:
        assert f"{kind}: {PERTURBATIONS[kind].title}" in shown
    assert shown.count("\nLEA ") == len(example.kinds)
    assert "▇" in shown
    assert shown.endswith(example.signature + "\n")
    assert "noise-seed:0" in example.signature
    narrow = as_text(example, 40).split("\n")
    assert all(len(line) <= 40 for line in narrow if line.strip() != str(EXAMPLE_KEY))


def test_csv_reads_back(example: Curves) -> None:
    rows = list(csv.DictReader(REPORTS["csv"].render(example).splitlines()))
    assert len(rows) == len(example.kinds) * len(LEVELS)
    row = next(row for row in rows if row["kind"] == "merge" and row["level"] == "40")
    assert float(row["bcub"]) == example.reports["merge"][40]["bcub"].f1
    assert row["signature"] == example.signature


def test_json_keeps_to_its_schema(example: Curves) -> None:
    content = json.loads(REPORTS["json"].render(example))
    jsonschema.Draft202012Validator(schema("corefscope-curves-1")).validate(content)


@pytest.fixture(scope="module")
def small() -> Curves:
    return curves(EXAMPLE_KEY, kinds="drop,head", levels=[0, 50, 100], metrics="lea,b3_all,kappa,conll")


@pytest.mark.parametrize("suffix", ["svg", "png", "pdf"])
def test_pictures_are_drawn(suffix: str, small: Curves, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed: pip install 'corefscope[plot]'")
    from corefscope.output.pictures import draw

    path = tmp_path / f"curves.{suffix}"
    draw(small, path)
    content = path.read_bytes()
    assert content.startswith({"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}[suffix])
    draw(small, path)
    assert path.read_bytes() == content  # the same every time
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    if suffix == "svg":
        drawn = content.decode("utf-8")
        assert all(f">{corefscope.METRICS[metric].title}<" in drawn for metric in small.metrics)


def test_without_matplotlib_the_way_to_it_is_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert run(str(EXAMPLE_KEY), "-o", str(tmp_path / "x.svg")) == 1
    assert "pip install 'corefscope[plot]'" in capsys.readouterr().err


def test_a_picture_that_cannot_be_written_is_an_error(small: Curves, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed: pip install 'corefscope[plot]'")
    from corefscope.output.pictures import draw

    with pytest.raises(CorefscopeError, match="cannot be written"):
        draw(small, tmp_path / "none" / "x.png")
    with pytest.raises(OptionError, match="ends in"):
        draw(small, tmp_path / "x.gif")


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(str(EXAMPLE_KEY), "--kinds", "merge,split", "--step", "50", "--metrics", "lea") == 0
    printed = capsys.readouterr().out
    assert "merge:" in printed
    assert "drop:" not in printed
    table = tmp_path / "curves.csv"
    assert run(str(EXAMPLE_KEY), "--kinds", "drop", "-o", str(table)) == 0
    assert not capsys.readouterr().out
    assert len(table.read_text(encoding="utf-8").splitlines()) == 12
    perturb_file(EXAMPLE_KEY, tmp_path / "noisy", kinds="drop")
    assert run(str(tmp_path / "noisy"), "--format", "csv") == 0
    assert capsys.readouterr().out == table.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["{key}", "--key", "{key}"], 2, "for a directory"),
        (["{folder}", "--seed", "1"], 2, "for a key file"),
        (["{folder}"], 1, "cannot be read"),
        (
            ["{key}", "-o", "x.docx"],
            2,
            "or end it in .txt, .json, .csv, .tsv, .md, .html, .tex, .typ, .svg, .png, .pdf",
        ),
        (["{key}", "--metrics", "muk"], 2, "did you mean 'muc'"),
        (["{key}x"], 1, "no such file"),
    ],
)
def test_mistakes_are_explained(
    arguments: list[str], code: int, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*(argument.format(key=EXAMPLE_KEY, folder=tmp_path) for argument in arguments)) == code
    assert message in capsys.readouterr().err


def _conll(folder: Path, name: str, documents: list[list[tuple[int, int]]]) -> Path:
    """A CoNLL file of documents of 120 words, each given as (word, entity) of its mentions of one word."""
    lines = []
    for number, mentions in enumerate(documents):
        entity_of = dict(mentions)
        lines.append(f"#begin document (d{number}); part 000")
        for word in range(120):
            cell = f"({entity_of[word]})" if word in entity_of else "-"
            lines.append(f"d{number}\t0\t{word}\tw{word}\t{cell}")
        lines += ["", "#end document"]
    path = folder / f"{name}.conll"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def artificial(tmp_path: Path) -> tuple[Path, Path]:
    """A key, and a response that links most of it and adds mentions of its own: singletons, or in entities."""
    rng = random.Random(7)
    keys, responses = [], []
    for _ in range(8):
        words = list(range(120))
        rng.shuffle(words)
        key = [(word, index // 4) for index, word in enumerate(words[:40])]
        found = [(word, entity if rng.random() < 0.85 else rng.randrange(10)) for word, entity in key[:34]]
        added = enumerate(words[40:64])
        twinless = [(word, rng.randrange(10) if index < 6 else 100 + index) for index, word in added]
        keys.append(key)
        responses.append(found + twinless)
    return _conll(tmp_path, "key", keys), _conll(tmp_path, "response", responses)


FIGURES_1_AND_2 = "muc,b3_0,b3_all,b3_rn,b3_sys,ceaf_orig,ceaf_rn,ceaf_sys"


def test_twinless_mentions_leave_the_artificial_setting_of_cai_and_strube(artificial: tuple[Path, Path]) -> None:
    """Figures 1 and 2: from a response, its twinless mentions go in steps of 10 %; all others stay."""
    key, response = artificial
    found = curves(key, response=response, kinds="twinless", metrics=FIGURES_1_AND_2, match="exact")
    assert found.levels("twinless") == list(range(0, 101, 10))
    assert found.changes["twinless"][100] == 8 * 24
    report = corefscope.score(
        key, response, metrics=FIGURES_1_AND_2, match="exact", singletons="keep", rules="corrected"
    )
    gain = {}
    for metric in found.metrics:
        series = found.series("twinless", metric)
        assert series[0] == report[metric].f1, metric
        gain[metric] = series[-1] - series[0]
    assert abs(gain["b3_0"]) < 0.02
    assert abs(gain["b3_all"]) < gain["b3_sys"]
    assert gain["ceaf_orig"] > 2 * gain["ceaf_sys"]
    assert gain["ceaf_sys"] == pytest.approx(gain["b3_sys"], abs=0.05)
    mentions = curves(key, response=response, kinds="twinless", metrics="mentions", match="exact")
    assert mentions.reports["twinless"][100]["mentions"].precision == 1
    assert len({report["mentions"].recall for report in mentions.reports["twinless"].values()}) == 1


def test_spurious_singletons_move_only_the_measures_that_cai_and_strube_say(artificial: tuple[Path, Path]) -> None:
    key, response = artificial
    found = curves(
        key,
        response=response,
        kinds="spurious-singletons",
        metrics=FIGURES_1_AND_2,
        match="exact",
        levels=[0, 50, 100],
    )
    assert found.changes["spurious-singletons"][100] > 100
    for metric in ("b3_sys", "ceaf_sys", "muc"):
        assert found.series("spurious-singletons", metric) == pytest.approx(
            [found.series("spurious-singletons", metric)[0]] * 3
        ), metric
    rising, falling = (found.series("spurious-singletons", metric) for metric in ("b3_all", "ceaf_orig"))
    assert rising[0] < rising[1] < rising[2]
    assert falling[0] > falling[1] > falling[2]


def test_twinless_needs_a_response(artificial: tuple[Path, Path], tmp_path: Path) -> None:
    key, response = artificial
    with pytest.raises(OptionError, match="twinless needs a response"):
        curves(key, kinds="twinless")
    assert run(str(key), "--response", str(response), "--kinds", "twinless", "-o", str(tmp_path / "c.json")) == 0
    content = json.loads((tmp_path / "c.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema("corefscope-curves-1")).validate(content)
    assert content["response"] == str(response)
    assert run(str(tmp_path), "--response", str(response)) == 2


def test_noise_from_a_response_takes_words_that_differ_and_anaphors(tmp_path: Path) -> None:
    lines = "#begin document (d); part 000\nd\t0\t0\ta\t(1)\nd\t0\t1\t{}\t(1)\n\n#end document\n"
    key, response, out = tmp_path / "k.conll", tmp_path / "r.conll", tmp_path / "c.json"
    key.write_text(lines.format("b"), encoding="utf-8")
    response.write_text(lines.format("c"), encoding="utf-8")
    pair = str(key), "--response", str(response), "--kinds", "drop", "-o", str(out)
    assert run(*pair) == 1
    assert run(*pair, "--words", "ignore", "--anaphors", "all", "--metrics", "muc,anaphora_links") == 0
    assert json.loads(out.read_text(encoding="utf-8"))["levels"][0]["muc"] == 1
    with pytest.raises(OptionError, match="noise leaves them as they are"):
        curves(key, words="ignore")


@pytest.mark.parametrize("seed", range(6))
def test_zeros_of_ua_give_the_same_figures_in_files_as_in_memory(seed: int, tmp_path: Path) -> None:
    key = tmp_path / "key.conllua"
    key.write_text(ua_zeros.random_ua(seed), encoding="utf-8")
    perturb_file(key, tmp_path / "noisy", levels=[0, 50, 100])
    ours = curves(key, levels=[0, 50, 100])
    assert curves_of_files(tmp_path / "noisy").to_records() == ours.to_records()
    assert {"zero-add", "zero-misattach"} <= set(ours.kinds)


def test_curves_of_a_golden_key_with_zeros_of_ua() -> None:
    drawn = curves(GOLDEN / "ua" / "u00014.key.conllua", levels=[0, 100])
    assert drawn.series("zero-add", "conll")[0] == 1 > drawn.series("zero-add", "conll")[1]
    assert drawn.changes["zero-add"][100] > 0


# By length


@pytest.mark.parametrize("level", [20, 50, 80, 100])
def test_beginnings_of_texts_are_scored_as_files_that_end_there(level: int) -> None:
    """Of exact mentions that are sets of words: those whose last word is among the first words of the text."""
    found = curves(
        EXAMPLE_KEY,
        response=EXAMPLE_RESPONSE,
        by="length",
        levels=[level],
        metrics=BY_SETS,
        match="exact",
        zeros="linear",
    ).reports["length"][level]
    total = 0
    for key, response in zip(*map(corefscope.read_documents, (EXAMPLE_KEY, EXAMPLE_RESPONSE)), strict=True):
        places = [(s.number, word) for s in key.sentences for word in range(1, len(s.words) + 1)]
        last = places[-(-len(places) * level // 100) - 1]
        sides = [
            [
                [mention.positions for mention in entity if coordinates(mention.positions[-1]) <= (*last, 0)]
                for entity in document.entities
            ]
            for document in (key, response)
        ]
        key_side, response_side = ([entity for entity in side if entity] for side in sides)
        expected = corefscope.score_clusters(key_side, response_side, metrics=BY_SETS, rules="corrected")
        for metric, score in expected.items():
            assert found.documents[key.id][metric] == pytest.approx(score)
        total += sum(map(len, key_side))
    ((_, mentions),) = (
        curves(EXAMPLE_KEY, response=EXAMPLE_RESPONSE, by="length", levels=[level]).changes["length"].items()
    )
    assert mentions == total


BY_SETS = "muc,bcub,ceafe,ceafm,blanc,lea"


def test_the_whole_text_has_the_score_of_the_files() -> None:
    found = curves(EXAMPLE_KEY, response=EXAMPLE_RESPONSE, by="length", metrics="all")
    whole = corefscope.score(EXAMPLE_KEY, EXAMPLE_RESPONSE, singletons="keep", rules="corrected", metrics="all")
    assert dict(found.reports["length"][100]) == dict(whole)
    assert found.levels("length") == list(range(10, 101, 10))
    assert "|by:length|" in found.signature


@pytest.mark.parametrize("format_", ["text", "json", "csv", "markdown", "latex", "html"])
def test_length_is_shown_in_every_format(format_: str, capsys: pytest.CaptureFixture[str]) -> None:
    command = [str(EXAMPLE_KEY), "--response", str(EXAMPLE_RESPONSE), "--by", "length", "--metrics", "muc"]
    assert run(*command, "--format", format_) == 0
    printed = capsys.readouterr().out
    assert "length" in printed
    if format_ == "json":
        jsonschema.validate(json.loads(printed), schema("corefscope-curves-1"))
        assert json.loads(printed)["levels"][-1]["key_mentions"] == corefscope.stats(EXAMPLE_KEY).mentions


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([str(EXAMPLE_KEY)], "needs a response"),
        ([str(EXAMPLE_KEY), "--response", str(EXAMPLE_RESPONSE), "--kinds", "drop"], "are for noise"),
        ([str(EXAMPLE_KEY), "--response", str(EXAMPLE_RESPONSE), "--seed", "0"], "are for noise"),
        ([str(EXAMPLE_KEY.parent)], "not for a directory"),
        ([str(EXAMPLE_KEY), "--response", str(EXAMPLE_RESPONSE), "--baseline", "none"], "baseline"),
    ],
)
def test_length_without_a_response_or_with_noise_is_refused(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*arguments, "--by", "length") == 2
    assert message in capsys.readouterr().err


def test_ids_have_no_length(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "ids.json"
    path.write_text('[["a", "b"]]', encoding="utf-8")
    assert run(str(path), "--response", str(path), "--by", "length") == 1
    assert "ids instead of words" in capsys.readouterr().err
