"""Metrics of relations in reports: shown where files have them, resampled and compared like all others."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import corefscope
from corefscope.base.errors import InputError, OptionError
from corefscope.count.metrics import MODULES, OPTIONAL, select

GOLDEN = Path(__file__).parent.parent / "golden"
PLAIN = [str(GOLDEN / "corefud" / f"c00001.{side}.conllu") for side in ("key", "sys")]
ALL = [str(GOLDEN / "ua" / f"u00020.{side}.conllua") for side in ("key", "response")]


def test_the_group_anaphora_has_all_measures_of_anaphora_where_files_have_them() -> None:
    report = corefscope.score(*ALL, metrics="anaphora", rules="corrected")
    present = {name for name in (*MODULES["plurals"], *MODULES["bridging"]) if not report.nothing(name)}
    assert {"plural", "split", "deixis", "bridging_entity", "non_referring"} <= present
    assert {*report} == present | {*MODULES["anaphora"]}


@pytest.mark.parametrize("group", ["anaphora", "all"])
def test_without_relations_groups_are_what_they_were(group: str) -> None:
    report = corefscope.score(*PLAIN, metrics=group)
    assert not OPTIONAL & {*report}
    assert {*report} == {*select(group)}
    named = corefscope.score(*PLAIN, metrics=[*select(group)])
    assert report.to_dict() == named.to_dict()


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
        "print([name for name in sys.modules if 'relations' in name or 'plurals' in name or 'bridging' in name])"
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


def test_what_cannot_leave_metrics_out_has_groups_without_relations() -> None:
    assert not OPTIONAL & {*select("all")}
    assert {*select("all", optional=True)} >= OPTIONAL
    with pytest.raises(OptionError, match="relations"):
        corefscope.examine(*ALL, metric="bridging_entity", rules="corrected")
