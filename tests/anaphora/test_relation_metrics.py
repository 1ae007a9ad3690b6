"""Metrics of relations in reports: shown where files have them, resampled and compared like all others."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import corefscope
from anaphora import corefud_example
from corefscope.capabilities import METRIC_MODULES, RELATION_METRICS
from corefscope.cli import main
from corefscope.core.choices import Rules
from corefscope.core.errors import InputError, OptionError
from corefscope.core.metrics import METRICS, OPTIONAL, select

GOLDEN = Path(__file__).parent.parent / "golden"
PLAIN = [str(GOLDEN / "corefud" / f"c00001.{side}.conllu") for side in ("key", "sys")]
ALL = [str(GOLDEN / "ua" / f"u00020.{side}.conllua") for side in ("key", "response")]


def test_the_group_anaphora_has_all_measures_of_anaphora_where_files_have_them() -> None:
    report = corefscope.score(*ALL, metrics="anaphora", rules="corrected")
    present = {name for name in RELATION_METRICS if not report.nothing(name)}
    assert {"plural", "split", "deixis", "bridging_entity", "non_referring"} <= present
    assert {*report} == present | {*METRIC_MODULES["corefscope.measures.anaphora_resolution"]}


@pytest.mark.parametrize("group", ["anaphora", "all"])
def test_without_relations_groups_are_what_they_were(group: str) -> None:
    report = corefscope.score(*PLAIN, metrics=group)
    assert not OPTIONAL & {*report}
    assert {*report} == {*select(group)}
    named = corefscope.score(*PLAIN, metrics=[*select(group)])
    assert report.to_dict() == named.to_dict()


@pytest.fixture
def worked(tmp_path: Path) -> list[str]:
    return [
        corefud_example(tmp_path / "key.conllu", "e1<e3,e2<e3", {10: "e1<e4"}),
        corefud_example(tmp_path / "response.conllu", "e1<e3,e5<e3", {10: "e2<e4", 11: "e1<e5"}),
    ]


@pytest.mark.parametrize("arguments", [["score"], ["compare"], ["score", "--settings", "exact,head"]])
def test_tables_of_a_group_leave_out_anchors_that_a_convention_makes(
    worked: list[str], arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    def printed(*further: str) -> str:
        assert main([*arguments, *worked, "--quiet", *further]) == 0
        return capsys.readouterr().out

    in_group = printed("--metrics", "anaphora")
    assert "Bridging (entity)" in in_group
    assert "Bridging (mention)" not in in_group
    assert "Bridging (mention)" in printed("--metrics", "anaphora,bridging_mention")
    assert "Bridging (mention)" in printed("--metrics", "bridging_mention")
    assert '"bridging_mention"' in printed("--metrics", "anaphora", "--format", "json")


def test_anchors_that_the_file_names_are_shown_by_the_group(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", *ALL, "--quiet", "--metrics", "anaphora"]) == 0
    assert "Bridging (mention)" in capsys.readouterr().out


def test_a_group_counts_the_same_metrics_of_corefud_and_of_its_ua_file(worked: list[str], tmp_path: Path) -> None:
    as_ua = [str(tmp_path / f"{side}.conllua") for side in ("key", "response")]
    for source, target in zip(worked, as_ua, strict=True):
        corefscope.convert(source, target)
    reports = [
        corefscope.score(*files, metrics="anaphora", singletons="keep", match="exact") for files in (worked, as_ua)
    ]
    assert reports[0].to_dict()["metrics"] == reports[1].to_dict()["metrics"]
    assert "bridging_mention" in reports[0]


def test_rules_ua_1_0_have_their_own_defaults_whatever_the_format(worked: list[str]) -> None:
    """The worked example of the specification, to its digits."""
    report = corefscope.score(*worked, rules="ua-1.0")
    assert (report.options.match, report.options.singletons) == ("exact", "keep")
    assert report["muc"] == pytest.approx((0.875, 0.875, 0.875))
    assert report["bcub"] == pytest.approx((0.898148, 0.930041, 0.913816), abs=1e-6)
    assert report["ceafe"].f1 == pytest.approx(0.966667, abs=1e-6)
    assert report["conll"].f1 == pytest.approx(0.918494, abs=1e-6)
    chosen = corefscope.score(*worked, rules="ua-1.0", match="head").options
    assert (chosen.match, chosen.singletons) == ("head", "keep")
    assert corefscope.score(*worked).options.singletons == "drop"


def test_a_metric_that_is_named_stays_though_there_is_nothing_of_it() -> None:
    report = corefscope.score(*PLAIN, metrics=["muc", "bridging_entity"])
    assert [*report] == ["muc", "bridging_entity"]
    assert report.nothing("bridging_entity")


@pytest.mark.parametrize("metric", ["non_referring", "deixis_muc", "deixis"])
def test_what_a_format_does_not_annotate_is_refused_if_it_is_named(metric: str) -> None:
    with pytest.raises(InputError, match=f"has nothing that {metric} counts: it is corefud"):
        corefscope.score(*PLAIN, metrics=["muc", metric])
    assert metric not in corefscope.score(*PLAIN, metrics="anaphora")


def test_the_path_of_identity_imports_no_measure_of_relations() -> None:
    code = (
        "import sys, corefscope; corefscope.score(*sys.argv[1:]);"
        "print([name for name in sys.modules if 'anaphora.' in name or 'plurals' in name or 'bridging' in name])"
    )
    done = subprocess.run([sys.executable, "-c", code, *PLAIN], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_relations_have_intervals_and_paired_tests_by_their_counts() -> None:
    for names in (["plural", "bridging_entity", "deixis_muc"], "anaphora"):
        comparison = corefscope.compare(ALL[0], ALL[::-1], metrics=names, rules="corrected", resamples=100)
        assert {"plural", "bridging_entity", "deixis_muc"} <= {*comparison.metrics}
        assert comparison.study is not None
        for system, by_metric in comparison.study.intervals.items():
            for metric, interval in by_metric.items():
                score = comparison[system][metric].f1
                low, high = interval["f1"].low, interval["f1"].high
                assert low - 1e-9 <= score <= high + 1e-9 or low <= high, (system, metric)
        worse = comparison.reports[next(iter(comparison.reports))]
        better = comparison.reports[[*comparison.reports][1]]
        assert worse["bridging_entity"].f1 < better["bridging_entity"].f1 == 1


def test_a_task_ranks_by_a_metric_of_relations(tmp_path: Path) -> None:
    for folder, file in (("key", ALL[0]), ("one", ALL[1]), ("two", ALL[0])):
        (tmp_path / folder).mkdir()
        shutil.copy(file, tmp_path / folder / "d.conllua")
    manifest = tmp_path / "task.toml"
    manifest.write_text(
        'metrics = ["bridging_entity", "plural"]\nrank_by = "bridging_entity"\nrules = "corrected"\n'
        '[datasets]\nd = "key/d.conllua"\n[systems]\none = "one/d.conllua"\ntwo = "two/d.conllua"\n',
        encoding="utf-8",
    )
    result = corefscope.score_task(manifest, jobs=1, significance=False)
    assert not result.errors
    assert result.ranks == {"two": 1, "one": 2}


TRACKS = {"anaphora resolution": "conll", "bridging": "bridging_entity", "discourse deixis": "deixis"}


def test_a_board_of_the_three_tracks_of_codicrac_is_one_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for case in ("u00010", "u00020"):
        (tmp_path / "task" / case).mkdir(parents=True)
        key, response = (GOLDEN / "ua" / f"{case}.{side}.conllua" for side in ("key", "response"))
        for name, file in (("key", key), ("one", response), ("two", key)):
            shutil.copy(file, tmp_path / "task" / case / f"{name}.conllua")
    shutil.copy(GOLDEN / "ua" / "u00020.response.conllua", tmp_path / "task" / "u00020" / "three.conllua")
    task, board = str(tmp_path / "task"), tmp_path / "board.html"
    assert main(["task", task, "--settings", "codicrac", "--resamples", "100", "-q", "-o", str(board)]) == 0
    assert all(title in board.read_text(encoding="utf-8") for title in TRACKS)
    settings = corefscope.score_task_settings(task, "codicrac", jobs=1, resamples=100)
    assert {title: result.scheme.rank_by for title, result in settings.items()} == TRACKS
    for title, suffix in zip(TRACKS, ("ar", "br", "dd"), strict=True):
        result, preset = settings[title], f"codicrac22-{suffix}"
        assert next(iter(result.ranks)) == "two"
        files = (f"{task}/u00020/{name}.conllua" for name in ("key", "one"))
        alone = corefscope.score(*files, preset=preset)  # type: ignore[arg-type]
        assert result["one"]["u00020"][TRACKS[title]] == alone[TRACKS[title]]
    capsys.readouterr()


@pytest.mark.parametrize("rules", ["corrected", "corefud-1.2", "ua-1.0"])
def test_every_metric_of_relations_has_intervals_paired_tests_and_settings(rules: Rules) -> None:
    names = [name for name in METRICS if name in OPTIONAL]
    comparison = corefscope.compare(ALL[0], ALL[::-1], metrics=names, rules=rules, resamples=100)
    assert comparison.study is not None
    for by_system in (comparison.study.intervals, comparison.study.differences):
        assert all({*by_metric} == {*names} for by_metric in by_system.values())
    reports = corefscope.score_settings(ALL[0], ALL[1], "exact,exact+codicrac22-br", metrics=names, rules=rules)
    assert [*reports["exact"]] == names


def test_what_cannot_leave_metrics_out_has_groups_without_relations() -> None:
    assert not OPTIONAL & {*select("all")}
    assert {*select("all", optional=True)} >= OPTIONAL
    with pytest.raises(OptionError, match="relations"):
        corefscope.examine(*ALL, metric="plural", rules="corrected")


def test_annotators_agree_about_relations_whoever_comes_first() -> None:
    names = [name for name in METRICS if name in OPTIONAL]
    one, other = (corefscope.agree([*files], metrics=names) for files in (ALL, ALL[::-1]))
    (ours,), (theirs,) = one.to_records(), other.to_records()
    assert {name: ours[name] for name in names} == pytest.approx({name: theirs[name] for name in names})


@pytest.mark.parametrize(("rules", "score"), [("corefud-1.2", 0), ("corrected", 1)])
def test_without_any_plural_the_rules_say_what_blanc_of_elements_is(rules: Rules, score: float) -> None:
    assert corefscope.score(*PLAIN, metrics="split_blanc", rules=rules)["split_blanc"] == (score, score, score)
