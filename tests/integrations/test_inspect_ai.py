"""The scorer of inspect_ai, in evaluations that a scripted model answers."""

from __future__ import annotations

import doctest
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from corefscope import InputError
from frameworks import WITH_FRAMEWORKS, framework
from tests.integrations.clusters import documents, figures

inspect_ai = framework("inspect_ai", "inspect-ai")
pytestmark = WITH_FRAMEWORKS

from inspect_ai.dataset import Sample  # noqa: E402
from inspect_ai.model import ModelOutput, get_model  # noqa: E402

from corefscope.integrations import inspect_ai as module  # noqa: E402
from corefscope.integrations.inspect_ai import MOST_BRACKETS, clusters_of_json, coref  # noqa: E402


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """To estimate tokens, inspect_ai would fetch a vocabulary; here a token is a byte."""
    monkeypatch.setattr("tiktoken.get_encoding", lambda _: SimpleNamespace(encode=lambda text, **_: text.encode()))


def _evaluated(samples: list[tuple[Any, str]], folder: Path, scorer: Any) -> Any:
    outputs = [ModelOutput.from_content("mockllm/model", answer) for _, answer in samples]
    task = inspect_ai.Task(
        dataset=[Sample(input="Which mentions corefer?", target=json.dumps(key)) for key, _ in samples],
        scorer=scorer,
    )
    model = get_model("mockllm/model", custom_outputs=outputs)
    (log,) = inspect_ai.eval(task, model, log_dir=str(folder), display="none", max_samples=1)
    assert log.status == "success", log.error
    return log


def _found(log: Any) -> dict[str, float]:
    return {name: metric.value for score in log.results.scores for name, metric in score.metrics.items()}


def test_samples_are_pooled_by_their_counts(tmp_path: Path) -> None:
    pairs = documents(6)
    answers = [f"I think:\n```json\n{json.dumps(response)}\n```" for _, response in pairs]
    log = _evaluated([(key, answer) for (key, _), answer in zip(pairs, answers, strict=True)], tmp_path, coref())
    found, expected = _found(log), figures(pairs)
    assert {name: found[name] for name in expected} == pytest.approx(expected)
    each = [figures([pair])["conll/f1"] for pair in pairs]
    assert found["mean"] == pytest.approx(sum(each) / len(each))
    assert found["mean"] != pytest.approx(expected["conll/f1"], abs=1e-4)


def test_options_and_readers_are_the_callers(tmp_path: Path) -> None:
    def lines(text: str) -> list[list[str]]:
        return json.loads(text) if text.startswith("[") else [line.split() for line in text.splitlines()]

    log = _evaluated([([["a", "b", "c"]], "a b\nc d")], tmp_path, coref(lines, metrics="muc,lea"))
    expected = figures([([["a", "b", "c"]], [["a", "b"], ["c", "d"]])], metrics="muc,lea")
    found = _found(log)
    assert {name: found[name] for name in expected} == pytest.approx(expected)


@pytest.mark.parametrize("answer", ["I do not know.", "[[", '[[{"mention": 1}]]', "[" * 100_000, "[1] [2]"])
def test_an_answer_that_cannot_be_read_has_no_clusters(answer: str, tmp_path: Path) -> None:
    log = _evaluated([([["a", "b"]], answer), ([["a", "b"]], '[["a", "b"]]')], tmp_path, coref(metrics="muc"))
    assert _found(log)["muc/recall"] == 0.5
    unread, read = (next(iter(sample.scores.values())) for sample in log.samples)
    assert "scored as an answer without clusters" in unread.explanation
    assert "<Report conll=1.0000" in read.explanation


def test_clusters_stand_anywhere_in_an_answer() -> None:
    assert clusters_of_json("[1] says [[[0, 1], [4, 4]], []]. Right?") == [[[0, 1], [4, 4]]]
    assert clusters_of_json("none: []") == []
    with pytest.raises(InputError, match="no clusters"):
        clusters_of_json("[x" * MOST_BRACKETS + '[["a"]]')


def test_the_example_runs() -> None:
    assert doctest.testmod(module) == (0, 1)
