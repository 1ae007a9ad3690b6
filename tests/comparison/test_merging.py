"""Merged results have the bits of one run, whatever the partition and the order of the parts."""

from __future__ import annotations

import json
import os
import random
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import corefscope
from corefscope.cli import main
from corefscope.comparison.merging import Part, _places
from corefscope.core.options import Options
from corefscope.core.report import Report
from corefscope.formats.adjustments import needs_official_digits
from oracles.generate import random_pair

FILES = 7


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files in two directories of genres; documents of several files have the same names."""
    folder = tmp_path_factory.mktemp("corpus")
    for number in range(FILES):
        texts = random_pair(random.Random(number), "small", grp=False)
        for side, text in zip(("keys", "responses"), texts, strict=True):
            path = folder / side / ("bc", "nw")[number % 2] / f"{number}.conllu"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text.replace("doc0", f"doc{number}"), encoding="utf-8")
    return folder


def names(corpus: Path) -> list[str]:
    root = corpus / "keys"
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*.conllu"))


def scored(corpus: Path, files: list[str], folder: Path, **how: Any) -> Report:
    """The report of some files, which are linked into directories of their own."""
    for side in ("keys", "responses"):
        for name in files:
            link = folder / side / name
            link.parent.mkdir(parents=True, exist_ok=True)
            os.link(corpus / side / name, link)
    return corefscope.score(folder / "keys", folder / "responses", **how)


def saved(report: Report) -> Any:
    return json.loads(json.dumps(report.to_dict()))


def alike(merged: Report, whole: Report) -> None:
    """The same rows in the same order, the same bits of scores, means and intervals, the same sizes."""
    assert list(merged.rows.items()) == list(whole.rows.items())
    assert dict(merged) == dict(whole)
    assert merged.document_means() == whole.document_means()
    assert merged.signature == whole.signature
    assert merged.files() == whole.files()
    assert [str(side) for side in merged.inputs] == [str(side) for side in whole.inputs]
    assert saved(merged)["metrics"] == saved(whole)["metrics"]


HOW = [{}, {"metrics": "conll"}, {"rules": "corrected", "metrics": "all"}, {"match": "exact", "singletons": "keep"}]


@settings(max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.lists(st.integers(0, 3), min_size=FILES, max_size=FILES),
    st.randoms(use_true_random=False),
    st.sampled_from(HOW),
)
def test_any_partition_in_any_order_is_the_whole(
    corpus: Path,
    tmp_path_factory: pytest.TempPathFactory,
    owners: list[int],
    rng: random.Random,
    how: dict[str, Any],
) -> None:
    folder = tmp_path_factory.mktemp("parts")
    whole = corefscope.score(corpus / "keys", corpus / "responses", **how)
    groups = [[name for name, owner in zip(names(corpus), owners, strict=True) if owner == part] for part in range(4)]
    parts = [scored(corpus, files, folder / str(part), **how) for part, files in enumerate(groups) if files]
    parts = [part for part in parts if tuple(part) == tuple(whole)]  # "all" leaves out layers that files lack
    if sum(len(part.rows) for part in parts) < len(whole.rows):
        return
    rng.shuffle(parts)
    alike(corefscope.merge([saved(part) for part in parts]), whole)


def test_intervals_are_those_of_the_whole(corpus: Path, tmp_path: Path) -> None:
    files = names(corpus)
    parts = [scored(corpus, files[start::3], tmp_path / str(start), jobs=1 + start % 2) for start in range(3)]
    whole = corefscope.score(corpus / "keys", corpus / "responses")
    merged = corefscope.merge(parts[::-1])
    assert corefscope.intervals(merged, resamples=100) == corefscope.intervals(whole, resamples=100)


def test_directories_of_genres_are_parts(corpus: Path) -> None:
    parts = [corefscope.score(corpus / "keys" / genre, corpus / "responses" / genre) for genre in ("nw", "bc")]
    alike(corefscope.merge(parts), corefscope.score(corpus / "keys", corpus / "responses"))


def test_single_files_are_parts(corpus: Path) -> None:
    parts = [corefscope.score(corpus / "keys" / name, corpus / "responses" / name) for name in names(corpus)]
    alike(corefscope.merge(parts[::-1]), corefscope.score(corpus / "keys", corpus / "responses"))


def test_documents_of_one_file_are_parts(tmp_path: Path) -> None:
    """Files whose names differ tell no order: names of documents do."""
    texts = random_pair(random.Random(1), "many", grp=False)
    documents = [
        [re.sub(r".*\n", f"# newdoc id = d{number}\n", piece, count=1) for number, piece in enumerate(pieces, 8)]
        for pieces in (text.split("# newdoc")[1:] for text in texts)
    ]
    header = re.search(r"# global\.Entity.*\n", texts[0])
    assert header

    def write(name: str, pieces: list[str]) -> None:
        text = "".join(pieces)
        text = text if header[0] in text else text.replace("\n", f"\n{header[0]}", 1)
        (tmp_path / f"{name}.conllu").write_text(text, encoding="utf-8")

    parts = []
    for side, pieces in zip(("key", "response"), documents, strict=True):
        write(side, pieces)
    for start in (1, 0):
        for side, pieces in zip(("key", "response"), documents, strict=True):
            write(f"{side}-{start}", pieces[start::2])
        parts.append(corefscope.score(tmp_path / f"key-{start}.conllu", tmp_path / f"response-{start}.conllu"))
    alike(corefscope.merge(parts), corefscope.score(tmp_path / "key.conllu", tmp_path / "response.conllu"))


def test_counts_are_those_of_the_documents(corpus: Path, tmp_path: Path) -> None:
    """The pooled recall of mentions from counts as fractions, which knows nothing of rows."""
    files = names(corpus)
    parts = [scored(corpus, files[start::2], tmp_path / str(start), metrics="mentions") for start in range(2)]
    counts = [document["metrics"]["mentions"]["counts"] for part in parts for document in saved(part)["documents"]]
    found, all_ = (sum(Fraction(row[name]) for row in counts) for name in list(counts[0])[:2])
    assert corefscope.merge(parts)["mentions"].recall == float(found / all_)


def test_names_that_recur_are_known_by_their_files(corpus: Path, tmp_path: Path) -> None:
    files = names(corpus)
    for side in ("keys", "responses"):
        for name in files:
            path = tmp_path / side / name
            path.parent.mkdir(parents=True, exist_ok=True)
            text = (corpus / side / name).read_text(encoding="utf-8")
            path.write_text(re.sub(r"(# newdoc id = ).*", r"\1same", text, count=1), encoding="utf-8")
    parts = [scored(tmp_path, files[start::2], tmp_path / str(start)) for start in range(2)]
    whole = corefscope.score(tmp_path / "keys", tmp_path / "responses")
    assert any(": same" in name for name in whole.rows)
    alike(corefscope.merge(parts), whole)


# ---- the last printed digit


def write_entities(folder: Path, number: int, sizes: list[tuple[int, int]]) -> None:
    """A file with entities of so many mentions, of which the response has the first ones."""
    for column, side in enumerate(("keys", "responses")):
        (folder / side).mkdir(parents=True, exist_ok=True)
        lines = [
            f"w\t_\t_\t_\t_\t0\t_\t_\t{f'Entity=(e{number}x{entity}-x-1-)' if n < size[column] else '_'}\n"
            for entity, size in enumerate(sizes)
            for n in range(size[0])
        ]
        words = "".join(f"{n}\t{line}" for n, line in enumerate(lines, 1))
        head = f"# newdoc id = d{number}\n# global.Entity = eid-etype-head-other\n# sent_id = d{number}-1\n"
        (folder / side / f"{number}.conllu").write_text(f"{head}{words}\n", encoding="utf-8")


FIVE_OF_32 = [(16, 4), (16, 8)]  # B³ recall is (4·4/16 + 8·8/16) / 32 = 15.625 %


@pytest.mark.parametrize("files", [[FIVE_OF_32[:1], FIVE_OF_32[1:]], [FIVE_OF_32, [(7, 3)]], [FIVE_OF_32] * 2])
def test_figures_between_two_hundredths_are_counted_as_by_one_run(files: Any, tmp_path: Path) -> None:
    for number, sizes in enumerate(files):
        write_entities(tmp_path, number, sizes)
    parts = [scored(tmp_path, [f"{number}.conllu"], tmp_path / f"part-{number}") for number in range(len(files))]
    whole = corefscope.score(tmp_path / "keys", tmp_path / "responses")
    assert any(map(needs_official_digits, (*parts, whole)))
    alike(corefscope.merge(parts), whole)
    for number in range(len(files)):
        (tmp_path / f"part-{number}" / "keys" / f"{number}.conllu").unlink()
    merged = corefscope.merge(parts)
    assert "cannot be read again" in merged.warnings[-1]
    assert merged["bcub"].f1 == pytest.approx(whole["bcub"].f1, abs=1e-12)


# ---- what is merged further, and what is refused


def test_merged_results_are_results(corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = []
    for genre in ("bc", "nw"):
        paths.append(str(tmp_path / f"{genre}.json"))
        sides = [str(corpus / side / genre) for side in ("keys", "responses")]
        assert main(["score", *sides, "--per-document", "-o", paths[-1], "--quiet"]) == 0
    out = str(tmp_path / "all.json")
    assert main(["merge", *paths, "--per-document", "--average", "documents", "-o", out, "--quiet"]) == 0
    whole = corefscope.score(corpus / "keys", corpus / "responses")
    assert json.loads(Path(out).read_text())["metrics"] == saved(whole)["metrics"]
    assert "document_means" in json.loads(Path(out).read_text())
    alike(corefscope.merge([out]), whole)
    assert "lea" in corefscope.cite_line(out).lower()
    assert main(["verify", out]) == 1
    assert "merged from 2 results" in capsys.readouterr().err
    assert main(["merge", *paths, "--average", "documents"]) == 0
    assert "mean over" in capsys.readouterr().out


def test_missing_files_stay_missing(corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    faulty = tmp_path / "faulty"
    for part, name in enumerate(names(corpus)[:4]):
        scored(corpus, [name], faulty / str(part % 2))
    path = faulty / "1" / "responses" / names(corpus)[1]
    text = path.read_text(encoding="utf-8").replace("\tX\t", "\tX", 1)
    path.unlink()
    path.write_text(text, encoding="utf-8")
    parts = []
    for part in range(2):
        parts.append(str(tmp_path / f"{part}.json"))
        sides = [str(faulty / str(part) / side) for side in ("keys", "responses")]
        main(["score", *sides, "--keep-going", "--per-document", "-o", parts[-1], "--quiet"])
    assert main(["merge", *parts]) == 1
    out, err = capsys.readouterr()
    assert "missing   1 file with faults" in out
    assert str(path) in err


def test_what_cannot_be_merged_is_refused_with_the_reason(corpus: Path, tmp_path: Path) -> None:
    key, response = (corpus / side / "bc" for side in ("keys", "responses"))
    report = corefscope.score(key, response)
    good = saved(report)
    exact = saved(corefscope.score(corpus / "keys" / "nw", corpus / "responses" / "nw", match="exact"))
    few = saved(corefscope.score(corpus / "keys" / "nw", corpus / "responses" / "nw", metrics="muc"))
    clusters = saved(corefscope.score_clusters([["a", "b"]], [["a", "b"]]))
    refused: list[tuple[list[Any], str]] = [
        ([good, good], "result 2: document '[^']*' is in result 1, too"),
        ([good, exact], "result 2: was scored otherwise than result 1: match:exact instead of match:head"),
        ([good, few], "result 2: has other metrics than result 1: bcub, blanc"),
        ([saved_without(good, "documents")], "result 1: has no counts of documents\n  hint: save it with"),
        ([clusters], "result 1: was not made from files"),
        ([{"schema": "corefscope-comparison-1"}], "result 1: is no report of one response"),
        ([{**good, "signature": 7}], "result 1: is damaged"),
        ([{**good, "documents": [{"id": "a", "metrics": {"muc": {}}}]}], "result 1: is damaged"),
        ([{**good, "documents": good["documents"][:1] * 2}], "result 1: is damaged: a document is there twice"),
        ([saved(corefscope.score(key, response, documents="merge"))], "documents were joined"),
        ([saved(corefscope.score(key, response, baseline="all"))], "measured from a baseline"),
        ([tmp_path / "none.json"], "none.json: no such file"),
    ]
    (tmp_path / "text.json").write_text("text")
    refused.append(([tmp_path / "text.json"], "text.json:1: is not JSON"))
    (tmp_path / "errors.json").write_text(json.dumps({"schema": "corefscope-errors-3"}))
    refused.append(([tmp_path / "errors.json"], "errors.json: is a result of another kind: corefscope-errors-3"))
    for results, message in refused:
        with pytest.raises(corefscope.InputError, match=message):
            corefscope.merge(results)
    with pytest.raises(corefscope.OptionError, match="nothing to merge"):
        corefscope.merge([])


def saved_without(report: dict[str, Any], name: str) -> dict[str, Any]:
    return {field: value for field, value in report.items() if field != name}


def test_documents_of_a_file_that_was_divided_are_in_the_order_of_their_numbers() -> None:
    """Zeros in front do not count, or d9 would come first."""
    parts = [
        Part(path, {}, Report(Options(), ["muc"], dict.fromkeys(ids, ((0, 0, 0, 0),))), ["f"] * len(ids))
        for path, ids in (("a", ["d10", "d08"]), ("b", ["d9"]))
    ]
    assert [place.name for place in _places(parts)] == ["d08", "d9", "d10"]
