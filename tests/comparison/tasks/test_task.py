"""From what systems handed in to ranks in every setting: one reading, validation, averages by language and group."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from referencing import Registry, Resource

import corefscope
from corefscope.cli import main
from corefscope.comparison.tasks import (
    Task,
    TaskResult,
    read_task,
    run_task,
    run_task_settings,
    score_task,
    score_task_settings,
    scoring,
)
from corefscope.comparison.tasks.task import schemes
from corefscope.comparison.verify import task_again, verify
from corefscope.core.choices import Missing
from corefscope.core.errors import InputError, OptionError
from corefscope.core.report import Report
from corefscope.formats.files import open_files
from corefscope.output.formats import REPORTS
from corefscope.output.formats.json_text import schema
from corefscope.output.layout import Sheet, lay_out
from oracles import resampling as slow
from rendering import as_text
from tasks_on_disk import BAD, KEY, WORSE, Documents, write

CRAC = ["head match", "exact match", "partial match", "with singletons", "zeros"]
SETS = {"cs_one": KEY, "cs_two": KEY[:1], "en_one": KEY, "de_one": KEY[1:]}


def conll(value: float | None) -> float:
    assert value is not None
    return value


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Four data sets in three languages; b lacks one of the two Czech ones."""
    files: dict[str, Documents | str] = {}
    for name, key in SETS.items():
        files[f"{name}/key.conllu"] = key
        files[f"{name}/a.conllu"] = WORSE[: len(key)] if name != "de_one" else WORSE[1:]
        if name != "cs_two":
            files[f"{name}/b.conllu"] = BAD[: len(key)] if name != "de_one" else key
    return write(tmp_path / "task", files)


# ---- settings


def test_every_setting_scores_as_a_run_of_its_own(folder: Path) -> None:
    result = score_task_settings(folder, resamples=100)
    assert list(result) == CRAC
    alone: dict[str, dict[str, Any]] = {
        "head match": {"match": "head", "singletons": "drop"},
        "exact match": {"match": "exact", "singletons": "drop"},
        "partial match": {"match": "partial", "singletons": "drop"},
        "with singletons": {"match": "head", "singletons": "keep"},
        "zeros": {"match": "head", "singletons": "drop", "metrics": "zero"},
    }
    for title, options in alone.items():
        assert result[title].to_dict() == score_task(folder, resamples=100, **options).to_dict(), title


def test_all_settings_come_from_one_reading(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Any] = []

    def open_and_count(*inputs: Any) -> Any:
        opened.append(inputs)
        return open_files(*inputs)

    monkeypatch.setattr(scoring, "open_files", open_and_count)
    score_task_settings(folder, "head,exact,partial+keep", significance=False, jobs=1, missing="skip")
    assert len(opened) == 7  # submissions


def test_ranks_are_those_of_each_setting(tmp_path: Path) -> None:
    """With singletons, b is better; without, a is."""
    one: Documents = [[[1, 2], [3], [4], [5], [6]]]
    a: Documents = [[[1, 2]]]
    b: Documents = [[[1, 2, 7], [3], [4], [5], [6]]]
    root = write(tmp_path, {"one/key.conllu": one, "one/a.conllu": a, "one/b.conllu": b})
    result = score_task_settings(root, "head+drop,head+keep", significance=False)
    assert result["head+drop"].ranks == {"a": 1, "b": 2}
    assert result["head+keep"].ranks == {"b": 1, "a": 2}
    assert as_text(result).splitlines()[:3] == [
        "Macro average   head+drop  head+keep",
        "a              100.00 (1)  61.11 (2)",  # with singletons MUC 1, B³ 1/2, CEAFe 1/3
        "b               69.40 (2)  83.05 (1)",  # MUC 2/3, B³ 8/13, CEAFe 4/5; with them 2/3, 32/37, 24/25
    ]


def test_a_setting_with_metrics_of_its_own_is_ranked_by_them() -> None:
    made = schemes({"settings": "head,head+zero,exact+muc+lea", "rank_by": "lea"})
    assert {title: scheme.rank_by for title, scheme in made.items()} == {
        "head": "lea",
        "head+zero": "zero",
        "exact+muc+lea": "lea",
    }
    assert made["head+zero"].metrics == ("zero",)


def test_a_manifest_may_name_settings(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    manifest = folder / "task.toml"
    systems = 'a = "{dataset}/a.conllu"\nb = "{dataset}/b.conllu"\n'
    text = f'settings = ["head", "exact+keep"]\n[datasets]\ncs_one = "cs_one/key.conllu"\n[systems]\n{systems}'
    manifest.write_text(text.replace("{dataset}", "cs_one"), encoding="utf-8")
    assert list(run_task_settings(read_task(manifest))) == ["head", "exact+keep"]
    with pytest.raises(OptionError, match="several settings: score_task_settings"):
        score_task(manifest)
    assert main(["task", str(manifest), "-q"]) == 0
    assert "\nexact+keep\n" in capsys.readouterr().out
    assert main(["task", str(manifest), "-q", "--settings", "partial"]) == 0
    assert "\npartial\n" in capsys.readouterr().out
    manifest.write_text(manifest.read_text().replace("exact+keep", "exat"), encoding="utf-8")
    with pytest.raises(InputError, match=re.escape("task.toml:1: unknown setting 'exat' (did you mean 'exact'")):
        score_task(manifest)


def test_json_has_all_settings_and_can_be_verified(folder: Path, tmp_path: Path) -> None:
    saved = tmp_path / "saved.json"
    assert main(["task", str(folder), "--settings", "crac", "--resamples", "100", "-q", "-o", str(saved)]) == 0
    content = json.loads(saved.read_text())
    names = ("corefscope-report-1", "corefscope-task-1")
    registry: Any = Registry().with_resources([(name, Resource.from_contents(schema(name))) for name in names])
    jsonschema.Draft202012Validator(schema("corefscope-task-settings-1"), registry=registry).validate(content)
    assert list(content["settings"]) == CRAC
    verification = verify(saved)
    assert verification.same
    assert verification.compared > 1000
    content["settings"]["exact match"]["systems"]["a"]["parts"]["language:cs"]["conll"]["f1"] += 0.01
    saved.write_text(json.dumps(content), encoding="utf-8")
    (difference,) = verify(saved).differences
    assert difference.startswith("settings.exact match.systems.a.parts.language:cs.conll.f1 was ")


def test_records_say_their_setting(folder: Path) -> None:
    result = score_task_settings(folder, "head,exact", metrics="muc", significance=False)
    records = result.to_records()
    overs = ("", "language:cs", "language:de", "language:en")
    assert {(row["setting"], row["average"], row["over"]) for row in records} == {
        *((setting, "micro", "") for setting in result),
        *((setting, "macro", over) for setting in result for over in overs),
    }
    flat = result.to_flat_dict()
    assert flat["exact/a/language_cs/muc/f1"] == result["exact"].average("a", "muc", ("cs_one", "cs_two"))


@pytest.mark.parametrize("jobs", [1, 2])
def test_scores_may_be_measured_from_a_file_in_every_setting(folder: Path, tmp_path: Path, jobs: int) -> None:
    write(tmp_path / "simple", {f"{name}.conllu": BAD[: len(key)] for name, key in SETS.items() if name != "de_one"})
    write(tmp_path / "simple", {"de_one.conllu": (folder / "de_one" / "a.conllu").read_text(encoding="utf-8")})
    common: Any = {"baseline": str(tmp_path / "simple" / "{dataset}.conllu"), "missing": "skip", "resamples": 100}
    result = score_task_settings(folder, "head+drop,exact+keep", jobs=jobs, **common)
    alone = score_task(folder, match="exact", singletons="keep", jobs=1, **common)
    assert result["exact+keep"].to_dict() == alone.to_dict()


# ---- languages and groups


def test_languages_have_averages_of_their_own(folder: Path) -> None:
    result = score_task(folder)
    assert [(part.kind, part.name, part.datasets) for part in result.parts] == [
        ("language", "cs", ("cs_one", "cs_two")),
        ("language", "de", ("de_one",)),
        ("language", "en", ("en_one",)),
    ]
    czech = result.parts[0].datasets
    by_hand = (result["a"]["cs_one"]["conll"].f1 + result["a"]["cs_two"]["conll"].f1) / 2
    assert result.average("a", "conll", czech) == pytest.approx(by_hand)
    shown = as_text(result, 80)
    assert re.search(rf"^CoNLL by language +cs +de +en\na +{100 * by_hand:.2f} ", shown, re.MULTILINE)


@pytest.mark.parametrize(("missing", "share"), [("zero", 0.5), ("skip", 1.0), ("error", None)])
def test_what_is_missing_in_a_language_counts_as_the_rules_say(
    folder: Path, missing: Missing, share: float | None
) -> None:
    result = score_task(folder, missing=missing)
    average = result.average("b", "conll", ("cs_one", "cs_two"))
    assert average == (None if share is None else pytest.approx(share * result["b"]["cs_one"]["conll"].f1))
    english = result.average("b", "conll", ("en_one",))
    assert english == pytest.approx(result["b"]["en_one"]["conll"].f1)  # nothing is missing there


def test_languages_that_tell_nothing_new_are_not_shown(tmp_path: Path) -> None:
    for sets in (("en_a", "cs_a"), ("en_a", "en_b"), ("one", "two")):
        files: dict[str, Documents | str] = {}
        for name in sets:
            files.update({f"{name}/key.conllu": KEY, f"{name}/a.conllu": WORSE})
        assert score_task(write(tmp_path / "-".join(sets), files)).parts == ()


def test_a_language_with_nothing_to_count_has_no_average(tmp_path: Path) -> None:
    files: dict[str, Documents | str] = {}
    for name, documents in {"cs_a": KEY, "cs_b": KEY, "en_a": [[]]}.items():
        files.update({f"{name}/key.conllu": documents, f"{name}/a.conllu": documents})
    result = score_task(write(tmp_path, files), metrics="muc")
    parts = result.to_dict()["systems"]["a"]["parts"]
    assert "nothing" in parts["language:en"]["muc"]
    assert "nothing" not in parts["language:cs"]["muc"]
    assert {row["over"]: row["f1"] for row in result.to_records() if row["average"] == "macro"} == {
        "": 1,
        "language:cs": 1,
        "language:en": None,
    }
    assert re.search(r"^MUC by language +cs +en\na +100.00 +–$", as_text(result), re.MULTILINE)


MANIFEST = """\
[datasets]
one = {key = "cs_one/key.conllu", language = "cs", group = "news"}
two = {key = "cs_two/key.conllu", language = "cs", group = ["news", "small"]}
en_one = "en_one/key.conllu"
[systems]
a = {one = "cs_one/a.conllu", two = "cs_two/a.conllu", en_one = "en_one/a.conllu"}
b = {one = "cs_one/b.conllu", en_one = "en_one/b.conllu"}
"""


def test_a_manifest_names_languages_and_groups(folder: Path, tmp_path: Path) -> None:
    manifest = folder / "t.toml"
    manifest.write_text(MANIFEST, encoding="utf-8")
    result = score_task(manifest)
    assert [str(part) for part in result.parts] == ["language:cs", "language:en", "group:news", "group:small"]
    content = result.to_dict()
    assert content["datasets"]["two"]["groups"] == ["news", "small"]
    assert content["datasets"]["en_one"]["language"] == "en"
    assert content["systems"]["b"]["parts"]["group:small"]["conll"]["f1"] == 0
    saved = tmp_path / "saved.json"
    saved.write_text(json.dumps(score_task(manifest, digests=True).to_dict()), encoding="utf-8")
    assert verify(saved).same


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (('group = "news"', 'grop = "news"'), "t.toml:2: unknown field of a data set 'grop' (did you mean 'group'?)"),
        (('language = "cs"', "language = 5"), "t.toml:2: the language of 'one' must be a text and is not 5"),
        (('"small"]', "7]"), "t.toml:3: the group of 'two' must be a text and is not 7"),
        (('key = "cs_one/key.conllu", ', ""), "t.toml:2: the key of 'one' must be a path and is not None"),
    ],
)
def test_faults_in_what_a_manifest_says_of_data_sets(folder: Path, change: tuple[str, str], message: str) -> None:
    manifest = folder / "t.toml"
    manifest.write_text(MANIFEST.replace(*change, 1), encoding="utf-8")
    with pytest.raises(InputError, match=re.escape(message)):
        score_task(manifest)


ABOUT = '''\
title = "Shared  Task\\tof Čeština"
description = """
Two languages.

The <final> results.
"""
languages = { cs = "Czech", en = "English" }
'''


def test_a_manifest_describes_the_task(folder: Path, tmp_path: Path) -> None:
    manifest = folder / "t.toml"
    manifest.write_text(ABOUT + MANIFEST, encoding="utf-8")
    result = score_task(manifest, digests=True)
    assert result.task.name == "Shared Task of Čeština"
    lines = ["Shared Task of Čeština", "Two languages.", "The <final> results.", "languages: Czech, English"]
    assert result.heading == lines
    assert as_text(result).splitlines()[:4] == lines
    assert "CoNLL by language  Czech  English" in as_text(result)
    content = result.to_dict()
    assert (content["title"], content["datasets"]["en_one"]["language_name"]) == (lines[0], "English")
    assert content["description"] == "Two languages.\n\nThe <final> results."
    assert str(result.parts[0]) == "language:cs"  # in data, a language is a code
    saved = tmp_path / "saved.json"
    saved.write_text(json.dumps(content), encoding="utf-8")
    assert verify(saved).same
    assert task_again(content, lambda _, path: path).to_dict() == content


def test_a_task_without_a_title_is_called_like_its_manifest(folder: Path) -> None:
    (folder / "t.toml").write_text(MANIFEST, encoding="utf-8")
    result = score_task(folder / "t.toml")
    assert (result.task.name, result.heading) == ("t", [])
    assert not {"title", "description"} & {*result.to_dict()}


@pytest.mark.parametrize(
    ("about", "message"),
    [
        ("title = 5", "t.toml:1: title must be a text and is not 5"),
        ("title = ' '", "t.toml:1: title must be a text and is not ' '"),
        ("description = ['a']", "t.toml:1: description must be a text and is not ['a']"),
        ("titel = 'a'", "t.toml:1: unknown field 'titel' (did you mean 'title'?)"),
        ("languages = 'en'", "t.toml:1: languages must be a table of names and values"),
        ("languages = { ens = 'English' }", "unknown language of the data sets 'ens' (did you mean 'en'?)"),
        ("languages = { en = 1 }", "t.toml:1: the name of the language 'en' must be a text, not 1"),
    ],
)
def test_faults_in_what_a_manifest_says_of_the_task(folder: Path, about: str, message: str) -> None:
    (folder / "t.toml").write_text(f"{about}\n{MANIFEST}", encoding="utf-8")
    with pytest.raises(InputError, match=re.escape(message)):
        score_task(folder / "t.toml")


def test_the_metric_that_ranks_is_not_in_the_second_table(folder: Path) -> None:
    for metrics, others in (("conll", ["MUC", "B³", "CEAFe"]), ("conll,lea", ["MUC", "B³", "CEAFe", "LEA"])):
        *_, sheet = lay_out(score_task(folder, metrics=metrics)).blocks
        assert isinstance(sheet, Sheet)
        assert sheet.head == ["Macro average", *others]
    (sheet,) = lay_out(score_task(folder, metrics="lea")).blocks[:1]
    assert isinstance(sheet, Sheet)
    assert sheet.head[0] == "LEA"
    assert not any(
        isinstance(block, Sheet) and block.head[0] == "Macro average"
        for block in lay_out(score_task(folder, metrics="lea")).blocks
    )


# ---- validation, and the step that fails


def test_submissions_are_validated_and_their_problems_counted(folder: Path) -> None:
    path = folder / "cs_one" / "a.conllu"
    path.write_text(path.read_text().replace("-x-1-)", "-x-9-)", 1), encoding="utf-8")
    result = score_task(folder)
    found = result.checks["a", "cs_one"]
    alone = corefscope.validate(path)
    assert sum(found.codes.values()) == len(alone) > 0
    assert found.errors == sum(problem.severity == "error" for problem in alone)
    assert result.checks["b", "cs_one"].errors == 0
    assert ("b", "cs_two") not in result.checks
    entry = result.to_dict()["systems"]["a"]["submissions"]["cs_one"]
    assert entry["status"] == "scored"
    assert entry["validation"] == {"errors": found.errors, "warnings": found.warnings, "codes": dict(found.codes)}
    assert any(note.startswith("a: scored, but validation finds errors on cs_one") for note in result.notes) == bool(
        found.errors
    )


def test_errors_of_scored_submissions_are_noted(folder: Path) -> None:
    result = score_task(folder)
    result.checks = {**result.checks, ("a", "cs_one"): result.checks["a", "cs_one"]._replace(errors=3)}
    assert "a: scored, but validation finds errors on cs_one (3)" in result.notes


def test_validation_can_be_left_out(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = score_task(folder, validation=False)
    assert result.checks == {}
    assert result.to_dict()["systems"]["a"]["submissions"]["cs_one"]["validation"] is None
    assert main(["task", str(folder), "--no-validation", "-q", "--format", "json"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert content["systems"]["a"]["submissions"]["en_one"]["validation"] is None


def test_a_directory_is_validated_file_by_file(tmp_path: Path) -> None:
    files: dict[str, Documents | str] = {f"one/{side}/{x}.conllu": KEY for side in ("key", "a") for x in "xy"}
    root = write(tmp_path, files)
    path = root / "one" / "a" / "y.conllu"
    path.write_text(path.read_text().replace("Entity=(d0e0", "Entity=((d0e0", 1), encoding="utf-8")
    result = score_task(root)
    assert result.checks["a", "one"].errors == sum(p.severity == "error" for p in corefscope.validate(path)) > 0


@pytest.mark.parametrize(
    ("content", "step", "said"),
    [
        ("1\tx\n\n", "read", "a on cs_one, reading: "),
        (None, "align", "a on cs_one, comparing its words with the key: "),
    ],
)
def test_the_step_that_failed_is_named(folder: Path, content: str | None, step: str, said: str) -> None:
    path = folder / "cs_one" / "a.conllu"
    path.write_text(content or path.read_text().replace("\tw7\t", "\tother\t", 1), encoding="utf-8")
    result = score_task(folder)
    (error,) = result.errors
    assert error.step == step
    assert str(error).startswith(said)
    assert result.average("a", "conll") == pytest.approx(
        sum(report["conll"].f1 for report in result["a"].values()) / 4
    )  # a zero, with a note
    assert "a: faulty on cs_one, counts as 0" in result.notes
    assert result.to_dict()["systems"]["a"]["submissions"]["cs_one"]["step"] == step
    assert ("a", "cs_one") in result.checks


# ---- any format


def test_submissions_may_be_of_any_format(tmp_path: Path) -> None:
    """The same output as CorefUD, CoNLL, jsonlines and CRAC JSON scores the same."""
    root = write(tmp_path, {"one/key.conllu": KEY, "one/corefud.conllu": WORSE})
    source = root / "one" / "corefud.conllu"
    for name in ("conll", "jsonl"):
        corefscope.convert(source, root / "one" / f"{name}.{name}")
    rows = [
        {
            "doc_id": f"d{number}",
            "tokens": [f"w{word}" for word in range(1, 13)],
            "clusters_token_offsets": [[[word - 1, word - 1] for word in entity] for entity in entities],
            "clusters_text_mentions": [[f"w{word}" for word in entity] for entity in entities],
        }
        for number, entities in enumerate(WORSE)
    ]
    (root / "one" / "crac.json").write_text(json.dumps(rows), encoding="utf-8")
    result = score_task_settings(root, "exact+drop,exact+keep", significance=False)
    for of_setting in result.values():
        assert not of_setting.problems
        assert set(of_setting) == {"corefud", "conll", "jsonl", "crac"}
        assert len({conll(of_setting.average(name, "conll")) for name in of_setting}) == 1
        assert of_setting.ranks == dict.fromkeys(of_setting, 1)


# ---- intervals


def slow_interval(result: TaskResult, system: str) -> tuple[float, float]:
    """Documents drawn one at a time within each data set, which is pooled, scored and averaged."""
    metric, plan = result.scheme.rank_by, result.scheme.plan
    sums = [0.0] * plan.resamples
    for number, name in enumerate(result.task.datasets):
        report = result[system].get(name)
        if report is None:
            continue
        rows = list(report.rows.values())
        for at, drawn in enumerate(slow.samples(plan.seed + number, len(rows), plan.resamples)):
            sample: dict[str, Any] = {str(place): rows[document] for place, document in enumerate(drawn)}
            sums[at] += Report(report.options, tuple(report), sample)[metric].f1 / len(result.datasets)
    tail = (1 - plan.level) / 2
    return slow.quantile(sums, tail), slow.quantile(sums, 1 - tail)


def test_intervals_of_averages_are_those_of_a_slow_twin(folder: Path) -> None:
    many: Sequence[Any] = [*WORSE, *KEY, *BAD]
    write(folder, {"en_one/key.conllu": [*KEY] * 3, "en_one/a.conllu": many, "en_one/b.conllu": many[::-1]})
    result = score_task(folder, resamples=120, seed=5)
    for system in result:  # b has a zero that stands for a missing submission
        assert result.intervals[system] == pytest.approx(slow_interval(result, system), abs=1e-12)
        low, high = result.intervals[system]
        assert low < conll(result.average(system, "conll")) < high
    assert any("95 %: interval of the macro average, from 120 resamples" in note for note in result.notes)
    assert any("no spread in data sets of one document: cs_two, de_one" in note for note in result.notes)


def test_without_a_test_or_without_documents_there_are_no_intervals(folder: Path, tmp_path: Path) -> None:
    assert score_task(folder, significance=False).intervals == {}
    single = write(tmp_path / "s", {"one/key.conllu": KEY[:1], "one/a.conllu": KEY[:1], "one/b.conllu": WORSE[:1]})
    result = score_task(single)
    assert result.intervals == {}
    assert result.to_dict()["systems"]["a"]["interval"] is None
    assert "95 %" not in as_text(result)


# ---- at 80 columns


def test_a_large_task_is_readable_at_80_columns(tmp_path: Path) -> None:
    files: dict[str, Documents | str] = {}
    for number in range(20):
        files[f"x{number % 7}_dataset{number:02}/key.conllu"] = KEY
        for system in range(10):
            files[f"x{number % 7}_dataset{number:02}/system-{system}.conllu"] = WORSE if system % 2 else KEY
    result = score_task_settings(write(tmp_path, files), "head,exact", metrics="conll", resamples=100, jobs=1)
    text = as_text(result, 80)
    assert max(map(len, text.splitlines())) <= 80
    *lines, signature = text.replace("\n|", "|").splitlines()
    assert signature == result.signature
    assert lines[0].split() == ["Macro", "average", "head", "exact"]
    heads = " ".join(line for line in lines if line.startswith("CoNLL ")).split()
    assert {name: heads.count(name) for name in result.first.datasets} == dict.fromkeys(result.first.datasets, 2)
    assert len(lines) < 180


def test_a_task_with_settings_is_more_than_one_result() -> None:
    with pytest.raises(OptionError, match="several settings"):
        run_task(Task("made", {}, {}, {"settings": "crac"}))


def test_every_format_shows_every_setting(folder: Path) -> None:
    result = score_task_settings(folder, "head,exact+keep", resamples=100)
    for name, row in REPORTS.items():
        assert "exact+keep" in row.render(result), name
