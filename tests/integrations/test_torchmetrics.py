"""The metric of torchmetrics: the scores of ``Scorer``, in batches and in processes."""

from __future__ import annotations

import doctest
import os
from pathlib import Path
from typing import Any

import pytest

from corefscope import InputError
from frameworks import WITH_FRAMEWORKS, framework
from tests.integrations.clusters import documents, figures

torch = framework("torch")
framework("torchmetrics")
pytestmark = WITH_FRAMEWORKS

from corefscope.integrations import torchmetrics as module  # noqa: E402
from corefscope.integrations.torchmetrics import CorefScore  # noqa: E402

METRICS = "muc,bcub,ceafe,ceafm,blanc,lea,mentions,kappa,d_err,conll"


def _updated(metric: Any, pairs: list[Any], batch: int = 3) -> Any:
    for start in range(0, len(pairs), batch):
        part = pairs[start : start + batch]
        metric.update([response for _, response in part], [key for key, _ in part])
    return metric


@pytest.mark.parametrize("options", [{"metrics": "muc,lea,blanc"}, {"preset": "conll12"}, {"singletons": "drop"}])
def test_batches_add_up_to_the_scores_of_a_scorer(options: dict[str, Any]) -> None:
    pairs = documents(20)
    metric = _updated(CorefScore(**options), pairs)
    scores = {name: value.item() for name, value in metric.compute().items()}
    assert scores == pytest.approx(figures(pairs, **options), abs=1e-12)
    metric.reset()
    assert not metric.counts.any()


def test_a_metric_is_called_like_all_others() -> None:
    """``metric(preds, target)`` returns the scores of the batch, and both batches count in the end."""
    pairs = documents(8)
    metric = CorefScore(metrics="conll")
    for half in (pairs[:4], pairs[4:]):
        batch = metric([response for _, response in half], [key for key, _ in half])
        assert batch["conll/f1"].item() == pytest.approx(figures(half, metrics="conll")["conll/f1"])
    assert metric.compute()["conll/f1"].item() == pytest.approx(figures(pairs, metrics="conll")["conll/f1"])


def test_states_survive_a_checkpoint() -> None:
    pairs = documents(5)
    metric = _updated(CorefScore(metrics="lea"), pairs)
    metric.persistent(True)
    again = CorefScore(metrics="lea")
    again.persistent(True)
    again.load_state_dict(metric.state_dict())
    assert again.compute() == metric.compute()


def test_no_name_is_missing_where_there_is_nothing_to_count() -> None:
    empty = CorefScore(metrics="muc,kappa")
    empty.update([[]], [[]])
    assert set(empty.compute()) == {"muc/recall", "muc/precision", "muc/f1", "kappa/value"}


def test_batches_of_two_lengths_are_refused() -> None:
    with pytest.raises(InputError, match="2 documents in preds, but 1 in target"):
        CorefScore().update([[], []], [[]])


def _process(rank: int, place: str, results: str) -> None:
    """One of two processes: it sees every second document, and asks for the score of all."""
    os.environ["GLOO_SOCKET_IFNAME"] = "lo"
    torch.distributed.init_process_group("gloo", init_method=f"file://{place}", rank=rank, world_size=2)
    metric = _updated(CorefScore(metrics=METRICS), documents(21)[rank::2])
    scores = {name: value.item() for name, value in metric.compute().items()}
    torch.save(scores, f"{results}-{rank}")
    torch.distributed.destroy_process_group()


def test_two_processes_compute_the_score_of_all_documents(tmp_path: Path) -> None:
    """A real group of processes (gloo); the mean of the two scores would be another figure."""
    arguments = str(tmp_path / "group"), str(tmp_path / "scores")
    torch.multiprocessing.spawn(_process, args=arguments, nprocs=2)
    scores = [torch.load(tmp_path / f"scores-{rank}") for rank in (0, 1)]
    expected = figures(documents(21), metrics=METRICS)
    assert scores[0] == scores[1] == pytest.approx(expected, abs=1e-12)
    halves = [figures(documents(21)[rank::2], metrics=METRICS)["ceafe/f1"] for rank in (0, 1)]
    assert sum(halves) / 2 != pytest.approx(expected["ceafe/f1"], abs=1e-4)


def test_the_example_runs() -> None:
    assert doctest.testmod(module) == (0, 4)


def test_spans_may_be_tensors() -> None:
    pairs = documents(6)
    tensors = [
        tuple([[torch.tensor(span) for span in cluster] for cluster in side] for side in pair) for pair in pairs
    ]
    scores = _updated(CorefScore(metrics="conll"), tensors).compute()
    assert scores["conll/f1"].item() == pytest.approx(figures(pairs, metrics="conll")["conll/f1"])
    with pytest.raises(InputError, match="is a Tensor, but not"):
        CorefScore().update([[[torch.tensor([0.5, 1.5])]]], [[[torch.tensor([0, 1])]]])
