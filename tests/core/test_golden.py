"""The figures of the reference scorer itself, to the last digit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import corefscope
from corefscope.compat.commands.corefud import main
from oracles.official import score_files
from places import SHARED, conformance_directories

TOLERANCE = 1e-9


def _cases() -> list[Any]:
    found = []
    for directory in conformance_directories():
        expected = json.loads((directory / "expected.json").read_text(encoding="utf-8"))
        names = sorted(expected)
        for start in range(0, len(names), 10):  # ten cases a test keep the runner quick
            part = {name: expected[name] for name in names[start : start + 10]}
            where = "shared" if SHARED in directory.parents else "golden"
            found.append(pytest.param(directory, part, id=f"{where}-{directory.name}-{names[start]}"))
    return found


def _options(text: str) -> dict[str, Any]:
    return dict(item.split("=") for item in text.split(","))


def _figures(scores: Any, name: str) -> tuple[float, ...]:
    score = scores[name]
    return (score,) if isinstance(score, float) else tuple(score)


@pytest.mark.parametrize(("directory", "cases"), _cases())
def test_every_figure_of_the_official_scorer_is_reproduced(directory: Path, cases: dict[str, Any]) -> None:
    """All option sets, all metrics, recall, precision and F1; where the official program stops, we raise."""
    compared = 0
    for case, by_options in cases.items():
        key, response = directory / f"{case}.key.conllu", directory / f"{case}.sys.conllu"
        for text, expected in by_options.items():
            if "error" in expected:
                with pytest.raises(corefscope.InputError):
                    corefscope.score(key, response, **_options(text))
                continue
            report = corefscope.score(key, response, **_options(text))
            for name, value in expected.items():
                wanted = (value,) if isinstance(value, float) else tuple(value)
                assert _figures(report, name) == pytest.approx(wanted, abs=TOLERANCE), (case, text, name)
                compared += len(wanted)
    assert compared >= 25 * 12 * sum("error" not in next(iter(case.values())) for case in cases.values())


@pytest.mark.parametrize(("directory", "cases"), _cases()[:4])
def test_the_oracle_agrees_with_the_official_scorer(directory: Path, cases: dict[str, Any]) -> None:
    """The independent twin used for fuzzing is held to the same figures."""
    for case, by_options in list(cases.items())[:3]:
        for text, expected in by_options.items():
            if "error" not in expected:
                paths = (directory / f"{case}.{side}.conllu" for side in ("key", "sys"))
                scores = score_files(*paths, **_options(text))
                for name, value in expected.items():
                    wanted = (value,) if isinstance(value, float) else tuple(value)
                    assert _figures(scores, name) == pytest.approx(wanted, abs=TOLERANCE), (case, text, name)


def _commands() -> list[Any]:
    return [
        pytest.param(path, id=f"{'shared' if SHARED in path.parents else 'golden'}-{path.stem}")
        for directory in conformance_directories()
        for path in sorted(directory.glob("stdout/*.txt"))
    ]


@pytest.mark.parametrize("path", _commands())
def test_the_drop_in_command_prints_the_same_bytes(
    path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first line of the file is the command, the rest is what the official program prints."""
    command, _, expected = path.read_text(encoding="utf-8").partition("\n")
    monkeypatch.chdir(path.parent.parent)
    assert main(command.split()[2:]) == 0
    assert capsys.readouterr().out == expected


@pytest.mark.skipif(not SHARED.exists(), reason="the real-size pair is not distributed with the repository")
def test_a_real_corpus_is_scored_as_the_official_scorer_does() -> None:
    """30 documents of UD English-GUM, four option sets."""
    data = SHARED / "data"
    expected = json.loads((data / "gum-dev.expected.json").read_text(encoding="utf-8"))
    for text, metrics in expected.items():
        report = corefscope.score(data / "gum-dev.key.conllu", data / "gum-dev.sys.conllu", **_options(text))
        for name, value in metrics.items():
            wanted = (value,) if isinstance(value, float) else tuple(value)
            assert _figures(report, name) == pytest.approx(wanted, abs=TOLERANCE), (text, name)
