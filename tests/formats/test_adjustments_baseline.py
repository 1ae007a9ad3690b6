"""Any response as 0 %: (s − b)/(1 − b), where b is what a file scores against the same key under the same request."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import corefscope
from corefscope.cli import main
from corefscope.comparison.signature import read_signature
from corefscope.comparison.verify import verify
from corefscope.core.document import Document
from corefscope.core.errors import InputError, OptionError
from corefscope.core.options import Options
from corefscope.core.report import Scores
from corefscope.formats.corefud.reader import CorefUDReader
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE, SOURCE
from rendering import as_text

Files = tuple[str, str, str]
METRICS = "all"


@pytest.fixture
def files(tmp_path: Path) -> Files:
    """The example, and what a simple system may have found: the key with noise."""
    assert main(["perturb", str(EXAMPLE_KEY), "-o", str(tmp_path / "noisy"), "--kinds", "split", "--quiet"]) == 0
    shutil.copy(tmp_path / "noisy" / "split-060.conllu", tmp_path / "simple.conllu")
    for path in (EXAMPLE_KEY, EXAMPLE_RESPONSE):
        shutil.copy(path, tmp_path)
    key, response, simple = (str(tmp_path / f"{name}.conllu") for name in ("key", "response", "simple"))
    return key, response, simple


def _by_hand(ours: Scores, theirs: Scores, name: str) -> Any:
    """(s − b)/(1 − b) figure by figure; 0 where b is 1 and s is not. An error measure stays."""
    if name in ("d_err", "variation_of_information"):
        return ours[name]
    figures = zip(ours[name], theirs[name], strict=True)
    return pytest.approx(tuple((s - b) / (1 - b) if b != 1 else float(s == b) for s, b in figures))


@pytest.mark.parametrize(
    "options", [{}, {"match": "exact", "singletons": "keep"}, {"rules": "corrected"}, {"documents": "merge"}]
)
def test_scores_are_measured_from_those_of_the_file_pooled_and_per_document(
    options: dict[str, Any], files: Files
) -> None:
    key, response, simple = files
    ours, theirs = (corefscope.score(key, side, metrics=METRICS, **options) for side in (response, simple))
    report = corefscope.score(key, response, metrics=METRICS, baseline=Path(simple), **options)
    assert list(report) == list(ours)
    assert "mor" in report  # a metric that needs words
    for name in report:
        assert report[name] == _by_hand(ours, theirs, name)
        for document in ours.documents:
            expected = _by_hand(ours.documents[document], theirs.documents[document], name)
            assert report.documents[document][name] == expected
    assert ours["muc"] != report["muc"]


def test_the_file_itself_scores_0_and_the_key_100(files: Files) -> None:
    key, _, simple = files
    zero, perfect = (corefscope.score(key, side, metrics="muc,bcub,lea", baseline=simple) for side in (simple, key))
    assert zero["lea"].f1 == zero["muc"].recall == 0
    assert {score.f1 for score in perfect.values()} == {1}


def test_the_signature_has_the_digest_of_the_file(files: Files, tmp_path: Path) -> None:
    key, response, simple = files
    packed = tmp_path / "packed.conllu.gz"
    packed.write_bytes(gzip.compress(Path(simple).read_bytes()))
    digest = hashlib.sha256(Path(simple).read_bytes()).hexdigest()
    for path in (simple, str(packed)):
        report = corefscope.score(key, response, baseline=path)
        assert f"|baseline:file-{digest[:12]}|" in report.signature
        assert Options.parse(str(report.options)) == report.options
        assert report.inputs[2].digest == digest
    for wrong in ("file-12", "file-", f"file-{digest[:12].upper()}", "simple.conllu"):
        with pytest.raises(OptionError, match="unknown baseline"):
            Options.parse(f"corefud|baseline:{wrong}")


def test_a_name_wins_and_a_path_must_be_there(files: Files, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    key, response, simple = files
    monkeypatch.chdir(tmp_path)
    shutil.copy(simple, "none")
    assert corefscope.score(key, response, baseline="none").options.baseline == "none"
    assert corefscope.score(key, response, baseline="./none").options.baseline.startswith("file-")
    for absent in ("nane", "nowhere/*.conllu"):
        with pytest.raises(OptionError, match=r"unknown baseline .*choose from: none, all, random, or name a file"):
            corefscope.score(key, response, baseline=absent)
    with pytest.raises(InputError, match=r"is a directory, but .* is one file"):
        corefscope.score(key, response, baseline=tmp_path)


def test_it_is_the_same_everywhere(files: Files) -> None:
    key, response, simple = files
    expected = corefscope.score(key, response, baseline=simple)
    compared = corefscope.compare(key, [response, key], names="ours,perfect", baseline=simple, resamples=100)
    settings = corefscope.score_settings(key, response, "head,exact", baseline=simple)
    for report in (compared["ours"], settings["head"]):
        assert dict(report) == dict(expected)
        assert report.signature == expected.signature
    assert expected.options.baseline in compared.signature
    assert settings.signature.count(f"|baseline:{expected.options.baseline}|") == 1
    assert dict(settings["exact"]) == dict(corefscope.score(key, response, match="exact", baseline=simple))


def test_what_takes_no_baseline_refuses_a_file_before_it_is_read(files: Files, tmp_path: Path) -> None:
    key, response, _ = files
    unfit = tmp_path / "unfit.txt"
    unfit.write_text("nothing", "utf-8")
    refusals: list[Callable[[], object]] = [
        lambda: corefscope.examine(key, response, baseline=unfit),
        lambda: corefscope.write_report(key, [response], tmp_path / "page.html", baseline=unfit),
        lambda: corefscope.agree([key, response], baseline=unfit),
        lambda: corefscope.explain_metric(key, response, "muc", baseline=unfit),
        lambda: corefscope.explain_difference(["50"], key, response, baseline=unfit),
    ]
    for refused in refusals:
        with pytest.raises(OptionError, match="baseline cannot be used here"):
            refused()


def test_in_a_comparison_a_path_is_the_zero_point_and_a_name_the_system_to_compare_with(files: Files) -> None:
    key, response, simple = files
    by_path = corefscope.compare(key, [response, simple], baseline=simple, resamples=100)
    assert by_path["simple"]["lea"].f1 == 0
    shown = as_text(by_path)
    assert "baseline  read 2 documents" in shown
    assert "response  read" not in shown
    assert by_path.study is not None
    assert by_path.study.baseline == "response"
    by_name = corefscope.compare(key, [response, simple], baseline="simple", resamples=100)
    assert by_name["simple"]["lea"].f1 > 0
    assert by_name.study is not None
    assert by_name.study.baseline == "simple"
    with pytest.raises(OptionError, match=r"unknown baseline 'simpel' .did you mean 'simple'"):
        corefscope.compare(key, [response, simple], baseline="simpel")


def test_the_key_is_read_once(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    key, response, simple = files
    read: list[str] = []
    original = CorefUDReader.documents

    def noted(self: CorefUDReader, start: int, stop: int) -> Any:
        for document in original(self, start, stop):
            read.append(document.path)
            yield document

    monkeypatch.setattr(CorefUDReader, "documents", noted)
    corefscope.score(key, response, baseline=simple)
    corefscope.curves(key, kinds="drop", levels=[50], baseline=simple)
    assert read.count(key) == 4  # of two documents, by two commands
    assert read.count(simple) == 4


def test_standard_input_may_be_the_baseline(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    key, response, simple = files
    expected = corefscope.score(key, response, baseline=simple)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(Path(simple).read_bytes())))
    assert corefscope.score(key, response, baseline="-").signature == expected.signature
    with pytest.raises(InputError, match="cannot both be standard input"):
        corefscope.score(key, "-", baseline="-")


def test_directories_are_paired_by_name_like_responses(files: Files, tmp_path: Path) -> None:
    sides = [tmp_path / side for side in ("keys", "responses", "simples")]
    for side, file in zip(sides, files, strict=True):
        side.mkdir()
        shutil.copy(file, side / "b.conllu")
        shutil.copy(EXAMPLE_KEY, side / "a.conllu")
    keys, responses, simples = sides
    report = corefscope.score(keys, responses, baseline=simples)
    assert dict(report) == dict(corefscope.score(keys, responses, baseline=f"{simples}/"))
    digests = [hashlib.sha256((simples / f"{name}.conllu").read_bytes()).hexdigest() for name in "ab"]
    assert report.options.baseline == f"file-{hashlib.sha256(chr(10).join(digests).encode()).hexdigest()[:12]}"
    (simples / "a.conllu").unlink()
    with pytest.raises(InputError, match=r"cannot be paired by name(.|\n)*1 without a response"):
        corefscope.score(keys, responses, baseline=simples)


def test_a_document_that_the_baseline_lacks_is_refused_or_taken_for_empty_as_in_responses(tmp_path: Path) -> None:
    def written(name: str, *rows: str) -> str:
        (tmp_path / name).write_text("document,mention,entity\n" + "".join(f"{row}\n" for row in rows), "utf-8")
        return str(tmp_path / name)

    one, two = ("one,a,1", "one,b,1", "one,c,2"), ("two,a,1", "two,b,1")
    key = written("key.csv", *one, *two)
    response = written("response.csv", *one, *two, "spare,a,1", "spare,b,1")
    simple = written("simple.csv", "one,a,1", "one,b,2", "one,c,2", "other,a,1", "other,b,1")
    ours, theirs = (corefscope.score(key, side, metrics="muc,bcub") for side in (response, simple))
    report = corefscope.score(key, response, metrics="muc,bcub", baseline=simple)
    for name in report:
        assert report[name] == _by_hand(ours, theirs, name)
        assert report.documents["two"][name].f1 == 1
    assert {"spare", "other"} <= set(report.documents)
    assert any("simple.csv: document 'two' is missing: counted as empty" in text for text in report.warnings)
    compared = corefscope.compare(
        key, [response, response], names="a,b", metrics="bcub", baseline=simple, resamples=100
    )
    assert dict(compared["a"]) == {"bcub": report["bcub"]}
    short = tmp_path / "short.conllu"
    short.write_text(EXAMPLE_KEY.read_text("utf-8").partition("# newdoc")[2].partition("# newdoc")[0], "utf-8")
    short.write_text("# newdoc" + short.read_text("utf-8"), "utf-8")
    with pytest.raises(InputError, match=r"document .* is not in the response .*short\.conllu"):
        corefscope.score(EXAMPLE_KEY, EXAMPLE_RESPONSE, baseline=short)


def test_the_baseline_may_be_in_another_format_than_the_response(files: Files, tmp_path: Path) -> None:
    key, response, simple = files
    other = tmp_path / "simple.jsonl"
    assert main(["convert", simple, str(other), "--lossy", "--quiet"]) == 0
    options: Any = {"match": "exact", "metrics": "muc,bcub"}
    ours, theirs = (corefscope.score(key, side, **options) for side in (response, other))
    report = corefscope.score(key, response, response_format="corefud", baseline=other, **options)
    assert report["bcub"] == _by_hand(ours, theirs, "bcub")
    assert report.options.format == "corefud"


@pytest.mark.parametrize("with_response", [False, True])
def test_curves_are_measured_from_a_file(with_response: bool, files: Files) -> None:
    key, response, simple = files
    own: Any = {"kinds": "drop", "levels": [0, 50], "metrics": "muc,bcub"}
    if with_response:
        own["response"] = response
    plain, above = (corefscope.curves(key, **own, baseline=baseline) for baseline in (None, simple))
    zero = corefscope.score(key, simple, metrics="muc,bcub", singletons="keep", rules="corrected")
    for level in (0, 50):
        for name in ("muc", "bcub"):
            assert above.reports["drop"][level][name] == _by_hand(plain.reports["drop"][level], zero, name)
    assert "|baseline:file-" in above.signature


def test_curves_of_written_files_are_measured_from_a_file(files: Files, tmp_path: Path) -> None:
    key, _, simple = files
    in_memory = corefscope.curves(key, kinds="split", metrics="muc,bcub", baseline=simple)
    out = tmp_path / "curves.json"
    command = ["curves", str(tmp_path / "noisy"), "--key", key, "--metrics", "muc,bcub", "--baseline", simple]
    assert main([*command, "-o", str(out), "--quiet"]) == 0
    content = json.loads(out.read_text("utf-8"))
    assert content["signature"] == in_memory.signature
    assert [row["bcub"] for row in content["levels"]] == pytest.approx(in_memory.series("split", "bcub"))


COMMANDS = [
    ["score"],
    ["score", "--per-document", "--metrics", "all"],
    ["score", "--settings", "head,exact"],
    ["compare", "--resamples", "100"],
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_saved_result_can_be_verified(command: list[str], files: Files, tmp_path: Path) -> None:
    *pair, simple = files
    out = tmp_path / "result.json"
    assert main([command[0], *pair, *command[1:], "--baseline", simple, "-o", str(out), "--quiet"]) == 0
    assert verify(out).same
    saved = json.loads(out.read_text("utf-8"))
    reports = [saved] if "inputs" in saved else list((saved.get("settings") or saved["systems"]).values())
    schema = json.loads((SOURCE / "output" / "schemas" / "corefscope-report-1.json").read_text("utf-8"))
    for report in reports:
        jsonschema.validate(report, schema)
        assert report["inputs"]["baseline"]["name"] == simple
    moved = shutil.move(simple, tmp_path / "moved.conllu")
    with pytest.raises(InputError, match=r"no such file|unknown baseline"):
        verify(out)
    assert verify(out, baseline=moved).same
    Path(moved).write_text(EXAMPLE_RESPONSE.read_text("utf-8"), "utf-8")
    found = verify(out, baseline=moved)
    assert any("the baseline" in text and "has changed" in text for text in found.changed)
    for report in reports:
        del report["inputs"]["baseline"]
    out.write_text(json.dumps(saved), "utf-8")
    with pytest.raises(InputError, match=r"measured from a file .SHA-256 [0-9a-f]{12}"):
        verify(out)


def test_a_signature_is_replayed_with_the_file_and_no_other(files: Files, capsys: pytest.CaptureFixture[str]) -> None:
    key, response, simple = files
    signature = corefscope.score(key, response, baseline=simple).signature
    assert read_signature(signature).arguments["baseline"] == Options.parse(signature).baseline
    replay = ["score", key, response, "--signature", signature]
    assert main(replay) == 2
    assert "say where it is, --baseline FILE" in capsys.readouterr().err
    assert main([*replay, "--baseline", simple]) == 0
    assert signature in capsys.readouterr().out.replace("\n|", "|")
    assert main([*replay, "--baseline", key]) == 2
    assert "its content is not the same" in capsys.readouterr().err
    assert main([*replay, "--baseline", "all"]) == 0
    assert "|baseline:all|" in capsys.readouterr().out


def _task(folder: Path, files: Files, baseline: str) -> Path:
    """A task of two data sets in a folder, with a manifest."""
    for name, system in (("one", files[1]), ("two", files[0])):
        (folder / name).mkdir(parents=True)
        for label, file in (("key", files[0]), ("ours", system), ("simple", files[2])):
            shutil.copy(file, folder / name / f"{label}.conllu")
    manifest = folder / "task.toml"
    datasets = 'one = "one/key.conllu"\ntwo = "two/key.conllu"\n'
    systems = 'ours = "{dataset}/ours.conllu"\n'
    head = f'missing = "skip"\nbaseline = "{baseline}"\n' if baseline else 'missing = "skip"\n'
    manifest.write_text(f"{head}[datasets]\n{datasets}[systems]\n{systems}", "utf-8")
    return manifest


def test_a_task_names_the_baseline_of_each_data_set_relative_to_the_manifest(
    files: Files, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    manifest = _task(tmp_path / "task", files, "{dataset}/simple.conllu")
    result = corefscope.score_task(manifest)
    assert dict(result["ours"]["one"]) == dict(corefscope.score(files[0], files[1], baseline=files[2]))
    assert result["ours"]["two"]["lea"].f1 == 1
    plain = _task(tmp_path / "plain", files, "")
    by_option = corefscope.score_task(plain, baseline=str(plain.parent / "{dataset}" / "simple.conllu"))
    assert by_option.signature == result.signature
    assert Options.parse(str(result.options)) == result.options

    saved = tmp_path / "result.json"
    assert main(["task", str(manifest), "-o", str(saved), "--quiet"]) == 0
    assert verify(saved).same
    schema = json.loads((SOURCE / "output" / "schemas" / "corefscope-task-1.json").read_text("utf-8"))
    assert json.loads(saved.read_text("utf-8"))["datasets"]["two"]["baseline"].endswith("two/simple.conllu")
    assert "baseline" in str(schema["properties"]["datasets"])

    capsys.readouterr()
    assert main(["task", str(manifest), "--signature", result.signature]) == 0
    assert result.signature in capsys.readouterr().out.replace("\n|", "|")
    shutil.copy(files[1], manifest.parent / "two" / "simple.conllu")
    assert main(["task", str(manifest), "--signature", result.signature]) == 2
    assert "its content is not the same" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("baseline", "message"),
    [
        ("nane", r"task\.toml:2: unknown baseline 'nane' .did you mean 'none'"),
        ("one/simple.conllu", r"task\.toml:2: .* is one for all data sets: write \{dataset\}"),
        ("{dataset}/absent.conllu", r"task\.toml:2: the baseline of 'one': there is no .*absent"),
    ],
)
def test_mistakes_in_the_baseline_of_a_task_are_named(
    baseline: str, message: str, files: Files, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=message):
        corefscope.score_task(_task(tmp_path / "task", files, baseline))


def test_a_data_set_whose_baseline_is_faulty_is_left_out(files: Files, tmp_path: Path) -> None:
    manifest = _task(tmp_path / "task", files, "{dataset}/simple.conllu")
    (manifest.parent / "two" / "simple.conllu").write_text("nonsense\n", "utf-8")
    result = corefscope.score_task(manifest)
    assert result.datasets == ("one",)
    assert "simple.conllu" in str(result.errors[0])
    assert "its key or baseline cannot be read" in " ".join(result.notes)


def test_mentions_that_a_predicate_leaves_out_count_on_no_side(files: Files) -> None:
    def pronouns(_: Document, mention: Any) -> bool:
        return len(mention.positions) == 1

    key, response, simple = files
    ours, theirs, above = (
        corefscope.score(key, side, where=pronouns, metrics="muc", singletons="keep", baseline=baseline)
        for side, baseline in ((response, None), (simple, None), (response, simple))
    )
    assert above["muc"] == _by_hand(ours, theirs, "muc")
