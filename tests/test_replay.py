"""Scores again, from signatures and from saved results."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import corefscope
from corefscope.cli import main
from corefscope.errors import InputError, OptionError
from corefscope.replay import replay, verify
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE

COMMANDS = [
    ["score"],
    ["score", "--per-document", "--match", "exact", "--metrics", "all"],
    ["score", "--preset", "conll12", "--documents", "merge"],
    ["score", "--baseline", "random", "--metrics", "muc,bcub"],
    ["score", "--settings", "crac,conll12"],
    ["compare", "--resamples", "100", "--seed", "5"],
    ["compare", "--resample", "nothing", "--metrics", "lea"],
    ["compare", "--resample", "sentences", "--metrics", "bcub", "--resamples", "100"],
]


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Copies that may be changed."""
    return [str(shutil.copy(path, tmp_path / path.name)) for path in (EXAMPLE_KEY, EXAMPLE_RESPONSE)]


def _save(command: list[str], files: list[str], directory: Path) -> Path:
    out = directory / "result.json"
    assert main([command[0], *files, *command[1:], "-o", str(out), "--quiet"]) == 0
    return out


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_what_was_saved_comes_out_again(command: list[str], files: list[str], tmp_path: Path) -> None:
    found = verify(_save(command, files, tmp_path))
    assert found.same
    assert found.compared >= 4


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_changed_file_is_noticed(
    command: list[str], files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = _save(command, files, tmp_path)
    path = Path(files[1])
    path.write_text(path.read_text(encoding="utf-8").replace("e3-place", "e3-organization"), encoding="utf-8")
    assert main(["verify", str(out)]) == 1
    assert "has changed: SHA-256" in capsys.readouterr().out


def test_a_changed_figure_is_noticed(files: list[str], tmp_path: Path) -> None:
    out = _save(["score"], files, tmp_path)
    content = json.loads(out.read_text(encoding="utf-8"))
    content["metrics"]["muc"]["recall"] += 1e-6
    out.write_text(json.dumps(content), encoding="utf-8")
    found = verify(out)
    assert not found.changed
    assert [said.partition(" ")[0] for said in found.differences] == ["metrics.muc.recall"]


def test_files_are_found_beside_the_result_or_where_one_says(
    files: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    out = _save(["score"], [Path(file).name for file in files], tmp_path)
    monkeypatch.chdir("/")
    assert verify(out).same
    (tmp_path / "key.conllu").rename(tmp_path / "moved.conllu")
    with pytest.raises(InputError, match="no such file"):
        verify(out)
    assert verify(out, key=tmp_path / "moved.conllu").same


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"schema": "corefscope-report-1"}', "{", '{"schema": []}'])
def test_what_is_no_result_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError):
        verify(path)


def test_a_signature_replays() -> None:
    for options in ({"match": "exact", "singletons": "keep"}, {"preset": "conll12"}, {"documents": "merge"}):
        report = corefscope.score(EXAMPLE_KEY, EXAMPLE_RESPONSE, **options)  # type: ignore[arg-type]
        again = corefscope.score(EXAMPLE_KEY, EXAMPLE_RESPONSE, **replay(report.signature).arguments)
        assert again.signature == report.signature
        assert {name: again[name] for name in report if name in again} == dict(report)


def test_the_signature_of_a_comparison_says_how_it_was_resampled() -> None:
    options = "corefud|match:head|zeros:linear|singletons:drop|rules:corrected"
    found = replay(f"{options}|resampled:documents|resamples:100|seed:3|level:0.9|test:bootstrap|v0.0.1")
    assert found.plan == {"resampled": "documents", "resamples": 100, "seed": 3, "level": 0.9, "test": "bootstrap"}
    assert found.version == "0.0.1"


@pytest.mark.parametrize(
    ("text", "says"),
    [("corefud|match:x", "unknown match"), ("x", "unknown format"), ("corefud|subset:f", "cannot be replayed")],
)
def test_wrong_signatures_are_refused(text: str, says: str) -> None:
    with pytest.raises(OptionError, match=says):
        replay(text)


def test_options_replace_those_of_the_signature(capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(EXAMPLE_KEY), str(EXAMPLE_RESPONSE)]
    signature = "corefud|match:exact|zeros:dependent|singletons:keep|rules:corrected|v0.0.1"
    assert main(["score", *files, "--signature", signature, "--match", "partial"]) == 0
    out, err = capsys.readouterr()
    assert "|match:partial|zeros:dependent|singletons:keep|rules:corrected|" in out
    assert "the signature was written by version 0.0.1" in err
    assert main(["score", *files, "--signature", signature, "--preset", "crac24"]) == 2


def test_a_task_comes_out_again(files: list[str], tmp_path: Path) -> None:
    directory = tmp_path / "task" / "data"
    directory.mkdir(parents=True)
    for name, path in (("key", files[0]), ("one", files[1]), ("two", files[0])):
        shutil.copy(path, directory / f"{name}.conllu")
    out = tmp_path / "task.json"
    assert main(["task", str(tmp_path / "task"), "-o", str(out), "--resamples", "100", "--quiet"]) == 0
    assert verify(out).same
    shutil.copy(files[0], directory / "one.conllu")
    found = verify(out)
    assert found.changed
    assert any("macro" in said for said in found.differences)
    (directory / "one.conllu").write_text("x", encoding="utf-8")
    assert any("cannot be scored" in said for said in verify(out).changed)
