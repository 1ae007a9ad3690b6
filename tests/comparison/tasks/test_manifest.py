"""Tasks read from manifests and directories."""

from __future__ import annotations

import gzip
import json
import re
import sys
import time
from pathlib import Path

import pytest

from corefscope.cli import main
from corefscope.comparison.tasks import Submission, read_task, run_task, score_task
from corefscope.core.errors import InputError
from tasks_on_disk import BAD, KEY, WORSE, Documents, text, write


def command_line(*arguments: str) -> int:
    return main(["task", *arguments])


TOML = """\
preset = "crac25"
metrics = ["conll", "lea"]
rank_by = "lea"
resamples = 200
[datasets]
"no" = "gold/no.conllu"
"x[1]" = "gold/x*.conllu"
[systems]
ours = "runs/ours/{dataset}-*.conllu"
[systems.theirs]
no = "runs/theirs.conllu"
"""
YAML = """\
preset: crac25
metrics: [conll, lea]
rank_by: lea
resamples: 200
datasets:
  no: gold/no.conllu
  x[1]: gold/x*.conllu
systems:
  ours: runs/ours/{dataset}-*.conllu
  theirs:
    no: runs/theirs.conllu
"""
JSON = json.dumps(
    {
        "preset": "crac25",
        "metrics": ["conll", "lea"],
        "rank_by": "lea",
        "resamples": 200,
        "datasets": {"no": "gold/no.conllu", "x[1]": "gold/x*.conllu"},
        "systems": {"ours": "runs/ours/{dataset}-*.conllu", "theirs": {"no": "runs/theirs.conllu"}},
    },
    indent=1,
)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    return write(
        tmp_path / "m",
        {
            "gold/no.conllu": KEY,
            "gold/xx.conllu": KEY,
            "runs/ours/no-1.conllu": WORSE,
            "runs/ours/x[1]-1.conllu": WORSE,
            "runs/ours/x1-1.conllu": BAD,
            "runs/theirs.conllu": BAD,
        },
    )


@pytest.mark.parametrize(("suffix", "content"), [("toml", TOML), ("json", JSON), ("yaml", YAML), ("yml", YAML)])
def test_manifests(files: Path, suffix: str, content: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if content == YAML:
        pytest.importorskip("yaml")
    manifest = files / f"task.{suffix}"
    manifest.write_text(content, encoding="utf-8")
    task = read_task(manifest)
    assert task.datasets == {"no": str(files / "gold/no.conllu"), "x[1]": str(files / "gold/xx.conllu")}
    assert task.systems["ours"]["x[1]"] == Submission(str(files / "runs/ours/x[1]-1.conllu"))
    assert task.systems["theirs"]["x[1]"] == Submission("", "missing", "the manifest names no file")
    result = run_task(task)
    assert result.scheme.metrics == ("muc", "bcub", "ceafe", "conll", "lea")
    assert result.scheme.rank_by == "lea"
    assert result.scheme.plan.resamples == 200
    monkeypatch.chdir(files)
    assert score_task(manifest.name).to_records() == result.to_records()
    assert score_task(manifest.name, rank_by="muc", match="exact").scheme.options.match == "exact"


def test_a_pattern_must_mean_one_file(files: Path) -> None:
    manifest = files / "task.toml"
    manifest.write_text(TOML.replace("{dataset}-*", "*{dataset}*").replace("runs/ours", "*/ours"), encoding="utf-8")
    write(files, {"runs/ours/no-2.conllu": KEY})
    result = score_task(manifest)
    (error,) = result.errors
    assert (error.system, error.dataset, error.status) == ("ours", "no", "faulty")
    assert "must match one file, but matches 2: " in error.message
    assert set(result["ours"]) == {"x[1]"}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("rank_by", "rankby"), "task.toml:3: unknown field 'rankby' (did you mean 'rank_by'?)"),
        (('"crac25"', '"crac52"'), "task.toml:1: unknown preset 'crac52' (did you mean 'crac2"),
        (('"lea"]', '"lae"]'), "task.toml:2: unknown metric 'lae' (did you mean 'lea'"),
        (('rank_by = "lea"', 'rank_by = "corefud"'), "task.toml:3: unknown metric 'corefud'"),
        (('rank_by = "lea"', 'missing = "none"'), "task.toml:3: unknown value of missing 'none'"),
        (('rank_by = "lea"', 'key_format = "connl"'), "task.toml:3: unknown format 'connl' (did you mean 'conll'"),
        (('["conll", "lea"]', "5"), "task.toml:2: metrics must be a text or a list and is not 5"),
        (('"crac25"', "5"), "task.toml:1: preset must be a text and is not 5"),
        (("200", "true"), "task.toml:4: resamples must be a whole number and is not True"),
        (("200", "20"), "task.toml:4: 20 resamples are too few"),
        (("[datasets]", "[datasets"), "task.toml:5: is not TOML: expected"),
        (
            ('"no" =', '"x[1]" ='),
            "task.toml:7: is not TOML: cannot overwrite a value\n  hint: put texts in quotes; each name",
        ),
        (("gold/no", "gold/on"), "task.toml:6: the key of 'no': there is no "),
        (('"gold/no.conllu"', "5"), "task.toml:6: the key of 'no' must be a path and is not 5"),
        (("{dataset}", "{datset}"), "task.toml:9: unknown placeholder '{datset}' (did you mean '{dataset}'?)"),
        (("{dataset}", "no"), "task.toml:9: the pattern of 'ours' is the same for all data sets"),
        (
            ('"runs/ours/{dataset}-*.conllu"', "[]"),
            "task.toml:9: 'ours' must be a pattern with {dataset}, or a table",
        ),
        (("\nno = ", "\nnoo = "), "task.toml:11: unknown data set 'noo' (did you mean 'no'?)"),
        (('"runs/theirs.conllu"', "5"), "task.toml:11: the file of 'theirs' for 'no' must be a path, not 5"),
        (("runs/", "rnus/"), "task.toml:8: no file of any system was found: no file matches "),
        (("[datasets]", "[systems.x]"), "task.toml: has no datasets"),
        (("[systems]", "systems = 5 #"), "task.toml:8: the key of 'systems' must be a path and is not 5"),
    ],
)
def test_faulty_manifests_are_explained(files: Path, change: tuple[str, str], message: str) -> None:
    manifest = files / "task.toml"
    manifest.write_text(TOML.replace(*change), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        score_task(manifest)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("t.json", '{"datasets": {"a": "x",\n "a": "y"}}', "t.json:2: 'a' occurs twice"),
        ("t.json", '{"datasets": \n}', "t.json:2: is not JSON: Expecting value"),
        ("t.json", "[" * 100_000, "t.json: is nested too deeply"),
        ("t.json", "[]", "t.json: the manifest must be a table"),
        ("t.json", '{"datasets": {}, "systems": {}}', "t.json:1: datasets is empty"),
        ("t.json", '{"datasets": {"": "x"}, "systems": {}}', "t.json:1: a name in datasets is empty"),
        ("t.json", '{"datasets": [], "systems": {}}', "t.json:1: datasets must be a table"),
        ("t.txt", "", "t.txt: is neither a directory nor a manifest"),
        ("t.yaml", "datasets:\n  a: x\n  a: y\n", "t.yaml:3: 'a' occurs twice"),
        ("t.yaml", "datasets:\n  a: [\n", "t.yaml:3: is not YAML: "),
        ("t.yaml", "datasets:\n  a: &x k\n  b: *x\n", "t.yaml:3: the alias *x is not read"),
        ("t.yaml", "datasets:\n  [a]: x\n", "t.yaml:2: a name must be a text"),
        ("t.yaml", "seed: a\n", "t.yaml:1: seed must be a whole number"),
        ("t.yaml", "!!python/object/apply:os.system [ls]\n", "t.yaml: the manifest must be a table"),
    ],
)
def test_files_that_are_no_manifests_are_explained(tmp_path: Path, name: str, content: str, message: str) -> None:
    if name.endswith("yaml"):
        pytest.importorskip("yaml")
    (tmp_path / name).write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=re.escape(message)):
        score_task(tmp_path / name)


def test_text_that_is_not_utf_8_is_no_manifest(tmp_path: Path) -> None:
    (tmp_path / "t.toml").write_bytes(b"a = '\xff'")
    with pytest.raises(InputError, match="is not UTF-8"):
        score_task(tmp_path / "t.toml")
    with pytest.raises(InputError, match="there is no such file or directory"):
        score_task(tmp_path / "none.toml")


def test_yaml_needs_a_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "t.yaml").write_text("datasets: {}\n", encoding="utf-8")
    monkeypatch.setitem(sys.modules, "yaml", None)
    with pytest.raises(InputError, match=r'pip install "corefscope\[yaml\]"'):
        score_task(tmp_path / "t.yaml")


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"README.md": "x"}, "has no subdirectories"),
        ({"one/a.conllu": KEY}, "one: there is no key"),
        ({"one/key.conllu": KEY, "one/gold.conllu": KEY}, "there are 2 keys: gold.conllu, key.conllu"),
        ({"one/key.conllu": KEY, "one/.hidden": "x", "one/README.md": "x"}, "has keys, but no responses"),
        (
            {"one/key.conllu": KEY, "one/a.conllu": KEY, "one/a.conll": KEY},
            "two files of the system 'a': a.conll and a.conllu",
        ),
    ],
)
def test_directories_that_are_no_tasks_are_explained(
    tmp_path: Path, files: dict[str, Documents | str], message: str
) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        score_task(write(tmp_path, files))


def test_directories_hold_compressed_files_and_directories(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "one/Key/x.conllu": KEY[:1],
            "one/Key/y.conllu": text(KEY[1:], first=1),
            "one/v1.0/x.conllu": KEY[:1],
            "one/v1.0/y.conllu": text(KEY[1:], first=1),
            "one/a.conllu~": "a copy that an editor has made",
            "two/key.conllu": KEY,
        },
    )
    (tmp_path / "two" / "v1.0.conllu.gz").write_bytes(gzip.compress(text(KEY).encode()))
    result = score_task(tmp_path)
    assert result.average("v1.0", "conll") == 1
    assert not result.problems


def test_options_replace_fields(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    manifest = files / "task.toml"
    manifest.write_text(TOML, encoding="utf-8")
    assert command_line(str(manifest), "--preset", "crac22", "--rank-by", "muc", "--missing", "skip", "-q") == 0
    out = capsys.readouterr().out
    assert "|match:partial|zeros:linear|" in out
    assert "|rank_by:muc|missing:skip|resamples:200|" in out


@pytest.mark.parametrize(
    ("suffix", "text"),
    [
        ("toml", ".".join("a" * 100_000) + " = 1\n"),
        ("toml", "[" + ".".join("a" * 100_000) + "]\n"),
        ("toml", "x = {" + ".".join("a" * 100_000) + " = 1}\n"),
        ("toml", "x = " + "[" * 100_000),
        ("yaml", "[" * 100_000),
        ("json", "[" * 100_000 + "]" * 100_000),
        ("json", '{"a":' * 100_000 + "1" + "}" * 100_000),
    ],
)
def test_a_manifest_that_is_nested_too_deeply_is_an_error_in_bounded_time(
    suffix: str, text: str, tmp_path: Path
) -> None:
    path = tmp_path / f"task.{suffix}"
    path.write_text(text)
    begin = time.process_time()
    with pytest.raises(InputError, match="is nested too deeply"):
        score_task(path)
    assert time.process_time() - begin < 5
