"""Empty nodes themselves: the figures of the CRAC 2026 task, by an oracle that reads the text of the files."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import corefscope
from corefscope.analysis.explain import explain_metric
from corefscope.cli import main
from corefscope.comparison.systems import compare
from corefscope.comparison.tasks import score_task
from corefscope.core.errors import InputError, OptionError
from corefscope.core.metrics import GROUPS, METRICS, select
from corefscope.core.presets import PRESETS
from oracles.empty_nodes import LOOKS, counts
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE, GOLDEN

PAIRS = [
    (path, path.with_name(path.name.replace(".key.", ".sys.")))
    for path in sorted((GOLDEN / "corefud").glob("*.key.conllu"))
    if path.name != "c00101.key.conllu"  # which no reader takes
]
NAMES = GROUPS["empty-nodes"]
CONLL = "#begin document (d); part 000\nd\t0\t0\tAnn\t-\t(1)\n\n#end document\n"


def written(random: Random, sentences: int, documents: int) -> str:
    """A text with empty nodes that often look alike; words are the same whatever is drawn."""
    lines = []
    for number in range(sentences):
        if number % (sentences // documents) == 0:
            lines += [f"# newdoc id = d{number}", "# global.Entity = eid-etype-head-other"]
        lines.append(f"# sent_id = s{number}")
        for word in range(4):
            if word:
                parent = 0 if word == 1 else 1
                lines.append(f"{word}\tw\tw\tX\t_\t_\t{parent}\tdep\t{parent}:dep\tEntity=(e{number}--1-)")
            for minor in range(1, random.choice([1, 1, 2, 4])):
                deps = "|".join(
                    f"{head}:{random.choice('ab')}" for head in random.sample([1, 2, 3], random.choice([1, 2]))
                )
                columns = [random.choice("____x") for _ in range(5)]
                lines.append("\t".join([f"{word}.{minor}", *columns, "_", "_", deps, "_"]))
        lines.append("")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("seed", range(12))
def test_counts_are_those_of_the_oracle_on_random_files(seed: int, tmp_path: Path) -> None:
    documents = 1 + seed % 3
    texts = [written(Random(seed * 2 + side), 60, documents) for side in (0, 1)]
    paths = [tmp_path / name for name in ("key.conllu", "response.conllu")]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text, encoding="utf-8")
    report = corefscope.score(*paths, metrics="empty-nodes")
    wanted = counts(*texts)
    assert {name: list(report.counts(name).values()) for name in NAMES} == wanted
    assert 0 < wanted["empty_all"][0] < wanted["empty_arc"][0] < wanted["empty_arc"][1]
    swapped = corefscope.score(*reversed(paths), metrics="empty-nodes")
    assert all(swapped[name].precision == report[name].recall for name in NAMES)


def test_counts_are_those_of_the_oracle_on_all_golden_files() -> None:
    some = 0
    for key, response in PAIRS:
        report = corefscope.score(key, response, metrics="empty-nodes")
        wanted = counts(key.read_text(encoding="utf-8"), response.read_text(encoding="utf-8"))
        assert {name: list(report.counts(name).values()) for name in NAMES} == wanted, key
        some += wanted["empty_arc"][1] > wanted["empty_dep_wo"][0] > 0
    assert some > 3


def test_two_nodes_that_look_alike_count_twice_and_the_first_item_of_deps_counts(tmp_path: Path) -> None:
    rows = {
        "key": ["1.1\t_\t_\t_\t_\t_\t_\t_\t2:a|1:b\t_", "1.2\t_\t_\t_\t_\t_\t_\t_\t2:b\t_"],
        "response": [
            "2.1\t_\t_\t_\t_\t_\t_\t_\t2:b\t_",
            "2.2\t_\t_\t_\t_\t_\t_\t_\t_\t_",
            "2.3\t_\t_\t_\t_\t_\t_\t_\t2.1:b\t_",
        ],
    }
    head = "# newdoc id = d\n# global.Entity = eid-etype-head-other\n1\ta\t_\t_\t_\t_\t0\troot\t_\tEntity=(e1--1)\n"
    second = "2\tb\t_\t_\t_\t_\t1\tdep\t_\t_\n"
    paths = []
    for side, nodes in rows.items():
        one, two = ("".join(f"{row}\n" for row in nodes if row[0] == word) for word in "12")
        paths.append(tmp_path / f"{side}.conllu")
        paths[-1].write_text(f"{head}{one}{second}{two}\n")
    report = corefscope.score(*paths, metrics="empty-nodes")
    found = {name: list(report.counts(name).values()) for name in ("empty_arc", "empty_dep", "empty_wo")}
    assert found == {"empty_arc": [1, 2, 1, 3], "empty_dep": [1, 2, 1, 3], "empty_wo": [0, 2, 0, 3]}


def test_the_preset_crac26_is_crac25() -> None:
    ours, before = PRESETS["crac26"], PRESETS["crac25"]
    assert (ours.options, ours.metrics, ours.note) == (before.options, before.metrics, before.note)
    assert ours.title == before.title.replace("2025", "2026")
    pair = EXAMPLE_KEY, EXAMPLE_RESPONSE
    assert corefscope.score(*pair, preset="crac26").to_dict() == corefscope.score(*pair, preset="crac25").to_dict()


def test_the_group_has_the_ten_metrics_of_the_task_and_all_has_none_of_them() -> None:
    assert list(NAMES) == list(LOOKS)
    assert select("empty-nodes") == NAMES
    assert not {*NAMES} & {*select("all")}
    assert all(METRICS[name].scope.needs_empty_nodes for name in NAMES)


@pytest.mark.parametrize("asked", ["empty-nodes", "muc,empty_dep", "mean(empty_arc,muc)"])
def test_formats_without_empty_nodes_are_refused_with_the_reason(asked: str, tmp_path: Path) -> None:
    path = tmp_path / "key.conll"
    path.write_text(CONLL)
    with pytest.raises(InputError, match=r"has no empty nodes, which .* counts: it is conll"):
        corefscope.score(path, path, metrics=asked)
    with pytest.raises(InputError, match="has no empty nodes, which empty_arc counts: it is conll"):
        corefscope.score_settings(path, path, "exact+empty_arc,exact")
    with pytest.raises(OptionError, match="empty_arc"):
        corefscope.score_clusters([["a", "b"]], [["a", "b"]], metrics="empty_arc")


def test_intervals_comparisons_tasks_parts_and_workings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    directory = tmp_path / "task" / "en"
    directory.mkdir(parents=True)
    for name, seed in (("key", 1), ("one", 1), ("two", 2)):
        (directory / f"{name}.conllu").write_text(written(Random(seed), 12, 6), encoding="utf-8")
    key, one, two = (directory / f"{name}.conllu" for name in ("key", "one", "two"))
    chosen = ["--metrics", "empty_all,empty_arc", "--resamples", "200"]
    assert main(["compare", *map(str, (key, one, two)), *chosen]) == 0
    assert "100.00" in capsys.readouterr().out
    whole = corefscope.score(key, two, metrics="empty-nodes")
    assert len(whole.rows) == 6
    (blocks,) = compare(
        key, [two], documents="merge", resample="sentences", resamples=100, metrics="empty-nodes"
    ).reports.values()
    assert len(blocks.rows) == 12
    assert all(blocks.counts(name) == whole.counts(name) for name in NAMES)
    task = score_task(tmp_path / "task", jobs=1, significance=False, rank_by="empty_all", metrics="empty-nodes")
    assert list(task.ranks) == ["one", "two"]
    for name in NAMES:
        explanation = explain_metric(key, two, name, document="d0")
        assert explanation.calculation.counts == tuple(whole.documents["d0"].counts(name).values())
