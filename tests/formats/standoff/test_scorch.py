"""scorch JSON: clusters, and graphs."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

import corefscope
from examples import seeds
from standoff_files import read

CLUSTERS = {"type": "clusters", "clusters": {"a": ["m1", "m3"], "b": ["m2"]}}
GRAPH = {"type": "graph", "mentions": ["m1", "m2", "m3"], "links": [["m3", "m1"]]}


def put(folder: Path, value: object, name: str = "some.json") -> Path:
    path = folder / name
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return path


def test_both_say_the_same(tmp_path: Path) -> None:
    key, response = put(tmp_path, CLUSTERS, "key"), put(tmp_path, GRAPH, "response")
    report = corefscope.score(key, response, metrics="conll,lea")
    assert report.signature.startswith("scorch|")
    assert report["conll"].f1 == report["lea"].f1 == 1
    assert str(report.inputs[1]) == "1 document, 3 mentions in 2 entities (1 singleton)"


def test_a_name_may_come_first(tmp_path: Path) -> None:
    name, (document,) = read(put(tmp_path, {"name": "a", "type": "clusters", "clusters": {"0": [[0, "0", "1"]]}}))
    assert name == "scorch"
    assert list(map(len, document.entities)) == [1]


@pytest.mark.parametrize("seed", seeds(30))
def test_what_is_written_is_read(seed: int, tmp_path: Path) -> None:
    rng = random.Random(f"scorch {seed}")
    ids: list[object] = [rng.choice((number, f"m{number}")) for number in range(9)]
    clusters = {str(at): [id_ for number, id_ in enumerate(ids) if number % 4 == at] for at in range(4)}
    links = [[cluster[0], id_] for cluster in clusters.values() for id_ in cluster[1:]]
    rng.shuffle(links)
    mentions = rng.sample(ids, len(ids)) if rng.random() < 0.5 else [cluster[0] for cluster in clusters.values()]
    key = put(tmp_path, {"type": "clusters", "clusters": clusters}, "key")
    response = put(tmp_path, {"type": "graph", "mentions": mentions, "links": links}, "response")
    assert corefscope.score(key, response, metrics="conll")["conll"].f1 == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"type": "clusters",\n"clusters": [["a"]]}', ':2: clusters is [["a"]], not an object'),
        ('{"type": "clusters", "clusters": {\n"a": []}}', ':2: the cluster "a" is [], not a list of ids'),
        ('{"type": "clusters", "clusters": {"a": ["x",\nnull]}}', ":2: null is no id"),
        ('{"type": "graph", "links": []}', ":1: mentions is null, not a list"),
        ('{"type": "graph", "mentions": [],\n"links": [["a"]]}', ':2: a link is ["a"], not a pair'),
        ('{"type": "graph", "mentions": [', ":1: invalid JSON"),
        ("[" * 100_000, ":1: JSON that is nested too deeply"),
        ('{"type": "tree"}', ':1: has no "type" that is "clusters" or "graph"'),
    ],
)
def test_faults_have_a_line(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(corefscope.InputError) as error:
        read(put(tmp_path, text), "scorch")
    assert message in str(error.value)
