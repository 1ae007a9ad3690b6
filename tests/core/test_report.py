"""Means over documents, beside pooled scores."""

from __future__ import annotations

import csv
import io
import json
from statistics import mean

import jsonschema
import pytest

import corefscope
from corefscope.cli import main
from corefscope.core.numbers import headline
from corefscope.output.formats.json_text import schema
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE

PAIR = [str(EXAMPLE_KEY), str(EXAMPLE_RESPONSE)]


def test_means_are_those_of_the_documents_that_count() -> None:
    """One document has no zeros in coreference, another one has: its score is the mean."""
    report = corefscope.score(*PAIR, metrics="all", singletons="keep")
    means = report.document_means()
    for name in report:
        scored = [scores[name] for scores in report.documents.values() if not scores.nothing(name)]
        if scored:
            assert headline(means[name]) == pytest.approx(mean(map(headline, scored)))
    assert means["muc"] == pytest.approx(
        [mean(x) for x in zip(*[s["muc"] for s in report.documents.values()], strict=True)]
    )
    one = corefscope.score(*PAIR, documents="merge")
    assert headline(one.document_means()["conll"]) == one["conll"].f1


def test_documents_without_anything_to_count_are_left_out() -> None:
    scorer = corefscope.Scorer(metrics="muc")
    scorer.add([["a", "b"]], [["a", "b"]])
    scorer.add([["a"]], [["a"]])
    assert scorer.report().document_means()["muc"].f1 == 1  # type: ignore[union-attr]
    assert corefscope.score_clusters([["a"]], [["a"]], metrics="muc").document_means() == {}


def test_the_command_shows_means_in_every_format(capsys: pytest.CaptureFixture[str]) -> None:
    command = [
        "score",
        *PAIR,
        "--quiet",
        "--average",
        "documents",
        "--metrics",
        "muc,conll,kappa",
        "--singletons",
        "keep",
    ]
    means = corefscope.score(*PAIR, metrics="muc,conll,kappa", singletons="keep").document_means()
    shown = f"{100 * headline(means['conll']):.2f}"
    for format_ in ("text", "markdown", "latex", "html"):
        assert main([*command, "--format", format_]) == 0
        printed = capsys.readouterr().out
        assert "mean over 2 documents" in printed
        assert shown in printed
    assert main([*command, "--format", "json"]) == 0
    result = json.loads(capsys.readouterr().out)
    jsonschema.validate(result, schema(result["schema"]))
    assert result["document_means"]["conll"]["f1"] == headline(means["conll"])
    assert main([*command, "--format", "csv"]) == 0
    records = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert float(records[0]["mean_recall"]) == means["muc"].recall  # type: ignore[union-attr]
    assert main([*command, "--settings", "crac"]) == 2
