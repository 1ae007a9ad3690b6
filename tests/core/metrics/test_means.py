"""Means of metrics: wherever a metric is named, a mean can be."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from hypothesis import given

import corefscope
from corefscope.analysis.agreement import measures
from corefscope.analysis.correlation import correlate
from corefscope.analysis.errors.examine import examine
from corefscope.analysis.noise.curves import curves
from corefscope.cli import main
from corefscope.comparison.systems import compare
from corefscope.comparison.tasks import score_task
from corefscope.comparison.verify import verify
from corefscope.core.errors import OptionError
from corefscope.core.metrics import GROUPS, METRICS, counted, groups_of, select
from corefscope.core.numbers import headline
from corefscope.output.pages.report import write_report
from examples import examples
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE
from strategies import Clusters, pairs

FILES = EXAMPLE_KEY, EXAMPLE_RESPONSE
ARGUMENTS = list(map(str, FILES))
MEAN = "mean(muc,bcub,lea)"
PARTS = ("muc", "bcub", "lea")


def _expected(report: corefscope.Report) -> float:
    return sum(float(report[part].f1) for part in PARTS) / 3


@examples(60)
@given(pairs)
def test_a_mean_is_the_mean_of_the_scores_of_its_parts(pair: tuple[Clusters, Clusters]) -> None:
    names = [name for name, row in METRICS.items() if not row.scope.needs_words and row.scale.perfect == 1]
    mean = f"mean({','.join(names)})"
    report = corefscope.score_clusters(*pair, metrics=[*names, mean])
    assert headline(report[mean]) == pytest.approx(sum(headline(report[name]) for name in names) / len(names))


def test_the_conll_score_is_such_a_mean() -> None:
    """Its row says the same as that of the mean, but for its name and what it is for."""
    conll, mean = METRICS["conll"], METRICS["mean(muc,bcub,ceafe)"]
    own = ["name", "title", "summary", "cite", "definition", "scale", "aliases", "hints"]
    ours, theirs = (
        {field: value for field, value in row._asdict().items() if field not in own} for row in (conll, mean)
    )
    assert ours == theirs
    assert conll.scale == mean.scale._replace(headline=True)
    report = corefscope.score(*FILES, metrics=["conll", mean.name])
    assert report["conll"] == report[mean.name]
    assert not mean.scale.headline


def test_conll_is_shown_wherever_its_parts_are(capsys: pytest.CaptureFixture[str]) -> None:
    """As the official scorer does, which prints it when MUC, B³ and CEAFe are computed."""
    assert main(["score", *ARGUMENTS, "--metrics", "ceafe,bcub,muc"]) == 0
    assert capsys.readouterr().out.splitlines()[1].split() == ["CoNLL", "72.88"]
    assert list(corefscope.score(*FILES, metrics=["muc", "bcub"])) == ["muc", "bcub"]


def test_names_are_spelled_in_one_way() -> None:
    assert select(" Mean( muc , BCUB,lea ),muc") == (MEAN, "muc")
    assert select(["muc", MEAN]) == ("muc", MEAN)
    assert [metric.name for metric in counted(["mean(conll,lea)"])] == ["muc", "bcub", "ceafe", "lea"]
    assert MEAN in METRICS
    assert MEAN not in list(METRICS)
    assert groups_of(MEAN) == []


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("mean(muc,musc)", "unknown metric 'musc' .did you mean 'muc'"),
        ("mean(muc)", "no mean: name two metrics or more, each once"),
        ("mean()", "unknown metric ''"),
        ("mean(muc,muc,lea)", "each once"),
        ("mean(muc,d_err)", "D-err .reconstructed. cannot be part of a mean: 0 is perfect, not 1"),
        ("mean(muc,mean(lea,bcub))", "has a mean for a part: name the metrics themselves"),
        ("mean(muc,corefud)", "unknown metric 'corefud'"),
        ("mean(muc,lea", "unknown metric 'mean.muc,lea'"),
    ],
)
def test_what_is_no_mean_is_refused_with_a_reason(name: str, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        select(name)
    assert name not in METRICS


def test_what_is_true_of_a_mean_follows_from_its_parts() -> None:
    assert METRICS["mean(muc,kappa)"].scale.range == (float("-inf"), 1.0)
    assert isinstance(
        corefscope.score_clusters([["a", "b"]], [["a"]], metrics="mean(muc,kappa)")["mean(muc,kappa)"],
        corefscope.Value,
    )
    assert not METRICS["mean(muc,b3_sys)"].scale.symmetric
    assert METRICS["mean(muc,zero)"].scope.needs_words
    assert not METRICS["mean(muc,mentions)"].scope.compares_entities
    with pytest.raises(OptionError, match="need the words of the mentions"):
        corefscope.score_clusters([["a"]], [["a"]], metrics="mean(muc,zero)")
    with pytest.raises(OptionError, match="no measure of agreement"):
        measures("mean(muc,b3_sys)")
    assert measures(f"lea,{MEAN}") == ("lea", MEAN)


def test_labels_have_means() -> None:
    report = corefscope.score_labels([1, 1, 1, 2, 2], [7, 7, 8, 8, 8], metrics=[MEAN, *PARTS])
    assert report[MEAN].f1 == pytest.approx(_expected(report))


def test_settings_may_name_a_mean(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", *ARGUMENTS, "--settings", f"head,exact+{MEAN}", "--format", "json"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert list(content["settings"][f"exact+{MEAN}"]["metrics"]) == [MEAN]


def test_a_mean_is_measured_from_a_baseline() -> None:
    """Of the scores, not a mean of what is above the baselines."""
    plain, trivial = (corefscope.score(*FILES, metrics=[MEAN, *PARTS], baseline=name) for name in (None, "all"))
    base = sum(_baseline(plain[part].f1, trivial[part].f1) for part in PARTS) / 3
    assert trivial[MEAN].f1 == pytest.approx((plain[MEAN].f1 - base) / (1 - base))


def _baseline(score: float, above: float) -> float:
    """The b of (s − b)/(1 − b)."""
    return (score - above) / (1 - above)


def test_means_have_intervals_and_are_compared(capsys: pytest.CaptureFixture[str]) -> None:
    study = compare(EXAMPLE_KEY, [EXAMPLE_RESPONSE, EXAMPLE_KEY], metrics=[MEAN, "lea"], resamples=200).study
    assert study is not None
    low, high = study.intervals["response"][MEAN]["f1"]
    assert low <= corefscope.score(*FILES, metrics=MEAN)[MEAN].f1 <= high
    assert study.differences["key"][MEAN].difference > 0
    assert main(["compare", *ARGUMENTS, "--metrics", MEAN, "--resample", "nothing", "--format", "csv"]) == 0
    (row,) = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert (row["metric"], row["recall"]) == (MEAN, "")


def test_parts_of_a_document_are_resampled_if_all_parts_of_a_mean_book_them() -> None:
    pair = EXAMPLE_KEY, [EXAMPLE_RESPONSE]
    mean = "mean(bcub,b3_all)"
    study = compare(*pair, metrics=mean, resample="sentences", rules="corrected", resamples=100).study
    assert study is not None
    assert mean in study.intervals["response"]
    with pytest.raises(OptionError, match="MUC counts links"):
        compare(*pair, metrics=MEAN, resample="sentences", rules="corrected")


def test_lost_points_of_a_mean_are_attributed_and_shown(tmp_path: Path) -> None:
    errors = examine(*FILES, metric=MEAN, metrics=[MEAN], by=["mention-type"])
    attribution = errors.attribution
    assert sum(step.gain for step in attribution.steps) + attribution.rules == pytest.approx(attribution.lost)
    out = tmp_path / "page.html"
    write_report(EXAMPLE_KEY, [EXAMPLE_RESPONSE], out, metrics=[MEAN, "bcub"])
    assert "mean(MUC, B³, LEA)" in out.read_text(encoding="utf-8")


def test_noise_tasks_and_correlations_know_means(tmp_path: Path) -> None:
    assert curves(EXAMPLE_KEY, kinds="merge", levels=[0], metrics=MEAN).reports["merge"][0][MEAN].f1 == 1
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "key.conllu").write_bytes(EXAMPLE_KEY.read_bytes())
    (tmp_path / "a" / "ours.conllu").write_bytes(EXAMPLE_RESPONSE.read_bytes())
    manifest = tmp_path / "task.toml"
    manifest.write_text(
        f'metrics = "conll,{MEAN}"\nrank_by = "mean(muc, bcub, lea)"\n'
        '[datasets]\na = "a/key.conllu"\n[systems]\nours = "a/ours.conllu"\n',
        encoding="utf-8",
    )
    task = score_task(manifest, jobs=1, significance=False)
    assert task.metrics == ("muc", "bcub", "ceafe", "conll", MEAN)
    assert f"|rank_by:{MEAN}|" in task.signature
    saved = []
    for number, match in enumerate(["head", "exact", "partial"]):
        report = corefscope.score(*FILES, match=match, metrics=["lea", MEAN], digests=True)  # type: ignore[arg-type]
        saved.append(tmp_path / f"{number}.json")
        saved[-1].write_text(json.dumps(report.to_dict()), encoding="utf-8")
    assert correlate(saved, mixed=True).metrics == ("lea", MEAN)
    assert not verify(saved[0]).differences


def test_a_mean_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["metrics", MEAN]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"{MEAN}: mean(MUC, B³, LEA), mean of MUC, B³, LEA")
    assert "a mean inside a mean is refused" in out
    assert "conll" in GROUPS


def test_an_unknown_metric_is_answered_with_the_nearest_or_with_all() -> None:
    with pytest.raises(OptionError) as near:
        select("bridging")
    assert str(near.value) == "unknown metric 'bridging' (did you mean 'bridging_entity' or 'bridging_mention'?)"
    with pytest.raises(OptionError, match=r"; choose from: corefud, .*non_referring"):
        select("qqqqq")
