"""Rules corefud-1.0 and corefud-1.1: the figures of CorefUD scorer 1.0 and 1.1, and what they print."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

import corefscope
from corefscope.compat.commands.corefud import main
from corefscope.compat.rules import _forms
from corefscope.core.document import Sentence
from corefscope.core.rules import RULES
from oracles.generate import random_pair
from oracles.official_early import OF_VERSION, score_files
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE, GOLDEN

EARLY = GOLDEN / "corefud-early"
EXPECTED: dict[str, dict[str, dict[str, dict[str, Any]]]] = json.loads(
    (EARLY / "expected.json").read_text(encoding="utf-8")
)
CASES = [(version, case) for version, cases in EXPECTED.items() for case in cases]
FEATURES = ("duplicates", "two_heads", "shared_eids", "merged_documents", "late_header", "minors", "empty_deps")


def _files(case: str) -> tuple[Path, Path]:
    return EARLY / f"{case}.key.conllu", EARLY / f"{case}.sys.conllu"


def _options(text: str) -> dict[str, Any]:
    return dict(item.split("=") for item in text.split(","))


@pytest.mark.parametrize(("version", "case"), CASES)
def test_figures_are_those_of_the_program(version: str, case: str) -> None:
    """All options and metrics; where the program stops, so do the rules."""
    for text, expected in EXPECTED[version][case].items():
        settings = _options(text) | {"rules": f"corefud-{version}"}
        if "error" in expected:
            with pytest.raises(
                corefscope.AlignmentError, match=f"CorefUD scorer {version} compares empty nodes, too"
            ):
                corefscope.score(*_files(case), **settings)
            continue
        report = corefscope.score(*_files(case), metrics=list(expected), **settings)
        for name, figures in expected.items():
            if figures is not None:  # there the program divides by zero
                assert tuple(report[name]) == pytest.approx(tuple(figures), abs=1e-12), (text, name)


@pytest.mark.parametrize(("version", "case"), CASES[::5])
def test_the_oracle_agrees_with_the_program(version: str, case: str) -> None:
    for text, expected in EXPECTED[version][case].items():
        if "error" not in expected:
            found = score_files(*_files(case), version, **_options(text))
            for name, figures in expected.items():
                assert found[name] == pytest.approx(tuple(figures), abs=1e-9), (text, name)


@pytest.mark.parametrize("seed", range(20))
def test_random_pairs_are_scored_as_by_the_oracle(seed: int, tmp_path: Path) -> None:
    rng = random.Random(4000 + seed)
    features: dict[str, Any] = {name: rng.random() < 0.25 for name in FEATURES}
    paths = tmp_path / "key.conllu", tmp_path / "response.conllu"
    for path, text in zip(paths, random_pair(rng, same_empty=seed % 10 > 0, **features), strict=True):
        path.write_text(text, encoding="utf-8")
    for version, metrics in OF_VERSION.items():
        for match in RULES[f"corefud-{version}"].matches:
            for singletons in ("drop", "keep"):
                options: dict[str, Any] = {"match": match, "singletons": singletons}
                rules: Any = f"corefud-{version}"
                try:
                    expected = score_files(*paths, version, **options)
                except ValueError:
                    with pytest.raises(corefscope.AlignmentError):
                        corefscope.score(*paths, rules=rules, **options)
                    continue
                report = corefscope.score(*paths, rules=rules, metrics=list(metrics), **options)
                for name, figures in expected.items():
                    assert tuple(report[name]) == pytest.approx(figures, abs=1e-9), (version, options, name)


@pytest.mark.parametrize("golden", sorted((EARLY / "stdout").iterdir()), ids=lambda path: path.stem)
def test_the_drop_in_prints_what_the_version_prints(
    golden: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    command, expected = golden.read_text(encoding="utf-8").split("\n", 1)
    monkeypatch.chdir(EARLY)
    assert main(command.split()[1:]) == 0
    assert capsys.readouterr().out == expected


def test_the_drop_in_stops_at_the_metric_at_which_the_version_does(capsys: pytest.CaptureFixture[str]) -> None:
    """BLANC of f316: two key mentions match one response mention, and the response has singletons only."""
    assert EXPECTED["1.1"]["f316"]["match=head,singletons=keep"]["blanc"] is None
    assert main(["--version", "1.1", "-s", *map(str, _files("f316"))]) == 1
    found = capsys.readouterr()
    assert "CorefUD scorer 1.1 stops at blanc" in found.err
    assert found.out.count("Recall") == 5


@pytest.mark.parametrize(("version", "option"), [("1.0", "-a=head"), ("1.0", "-m=zero"), ("1.1", "-z=linear")])
def test_a_version_has_its_own_options(version: str, option: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["--version", version, "key", "response", *option.split("=")])
    assert caught.value.code == 2
    assert "usage: corefud-scorer" in capsys.readouterr().err


def test_the_presets_of_2022_and_2023_use_the_scorer_of_the_year() -> None:
    preset: Any
    for preset, signed in {
        "crac22": "corefud|match:partial|zeros:linear|singletons:drop|rules:corefud-1.0",
        "crac23": "corefud|match:head|zeros:linear|singletons:drop|rules:corefud-1.1",
    }.items():
        report = corefscope.score(*_files("f300"), preset=preset)
        version = signed[-3:]
        options = signed.split("|")[1].replace(":", "=") + ",singletons=drop"
        assert report.signature.startswith(signed)
        assert tuple(report["muc"]) == pytest.approx(tuple(EXPECTED[version]["f300"][options]["muc"]), abs=1e-12)


@pytest.mark.parametrize("rules", ["corefud-1.0", "corefud-1.1"])
def test_options_that_a_version_does_not_know_are_scored_as_corrected(rules: Any) -> None:
    options: list[Any] = [{"match": "exact", "zeros": "dependent"}, {"match": "head", "zeros": "linear"}]
    for chosen in options[: 2 if rules == "corefud-1.0" else 1]:
        ours, reference = (
            corefscope.score(EXAMPLE_KEY, EXAMPLE_RESPONSE, rules=r, **chosen) for r in (rules, "corrected")
        )
        assert dict(ours) == dict(reference)


def test_several_mentions_match_one_and_ceaf_counts_all_of_them(tmp_path: Path) -> None:
    """Key {1-2, 1-3} {5}, response {1} {5, 6}, all heads first words, singletons kept: worked out by hand.

    Both key mentions find the response's word 1, which finds 1-2: it differs least. So B³ has R (4/2 + 1)/3 and
    P (1 + 1/2)/3, and CEAFe maps the first entities with 2·2/(2 + 1), above 1: its R is (4/3 + 2/3)/2.
    """
    key, response = _written(
        tmp_path, {1: "(e1-1(e1-1", 2: "e1)", 3: "e1)", 5: "(e2-1)"}, {1: "(e1-1)", 5: "(e2-1)", 6: "(e2-1)"}
    )
    report = corefscope.score(key, response, rules="corefud-1.1", singletons="keep", metrics="bcub,ceafe,ceafm,muc")
    assert tuple(report["bcub"])[:2] == pytest.approx((1, 0.5))
    assert tuple(report["ceafe"])[:2] == pytest.approx((1, 1))
    assert tuple(report["ceafm"])[:2] == pytest.approx((1, 1))
    assert tuple(report["muc"])[:2] == (1, 0)
    newer = corefscope.score(key, response, rules="corefud-1.2", singletons="keep", metrics="bcub")
    assert newer["bcub"].recall == pytest.approx((1 / 2 + 1) / 3)


def _written(folder: Path, *sides: dict[int, str]) -> tuple[Path, Path]:
    paths = folder / "key.conllu", folder / "response.conllu"
    for path, cells in zip(paths, sides, strict=True):
        rows = [f"{n}\tw{n}\t_\t_\t_\t_\t0\t_\t_\t{f'Entity={cells[n]}' if n in cells else '_'}" for n in range(1, 7)]
        header = ["# newdoc id = d", "# global.Entity = eid-head", "# sent_id = 1"]
        path.write_text("\n".join([*header, *rows, "", ""]), encoding="utf-8")
    return paths


def test_empty_nodes_that_differ_are_refused_with_both_lines() -> None:
    with pytest.raises(corefscope.AlignmentError) as caught:
        corefscope.score(EXAMPLE_KEY, EXAMPLE_RESPONSE, preset="crac23")
    assert caught.value.line
    assert "use --rules corefud-1.2" in str(caught.value)
    assert f"{EXAMPLE_KEY}:" in str(caught.value)


def test_words_and_empty_nodes_are_compared_in_the_order_of_their_numbers() -> None:
    names = [*map(str, range(1, 12)), "2.1"]
    lines = [f"{name}\tw{name}" for name in names]
    sentence = Sentence("s", 1, 1, [f"{name}\tw{name}" for name in names[:-1]], ["2.1"], lines)
    assert [name for name, _ in _forms(sentence)] == ["1", "2", "2.1", *map(str, range(3, 12))]
