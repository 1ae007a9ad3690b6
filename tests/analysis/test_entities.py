"""What became of each entity: the table that score writes, from the definition, for words, ids and large tables."""

from __future__ import annotations

import csv
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

import corefscope
from corefscope.analysis.entities import COLUMNS, EntityRow, Pieces, pieces_of_key, score_entities
from corefscope.cli import main
from corefscope.core.choices import Singletons
from corefscope.core.errors import InputError
from corefscope.core.matching.alignment import Alignment, Side
from corefscope.core.table import tabulate
from corefscope.formats.tables import rows as id_rows
from corefscope.formats.tables import writer as tables
from examples import examples
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE
from strategies import Clusters, pairs

PAIR = [str(EXAMPLE_KEY), str(EXAMPLE_RESPONSE)]
Named = dict[str, set[str]]


def _expected(ours: Named, theirs: Named) -> dict[str, tuple[int, ...]]:
    """From sets: no table, no cells."""
    found: dict[str, tuple[int, ...]] = {}
    for name, entity in ours.items():
        touched = [other for other in theirs.values() if other & entity]
        missing = entity - set().union(*theirs.values())
        foreign = [mention for other in touched for mention in other if mention not in entity]
        largest = max((len(other & entity) for other in touched), default=0)
        found[name] = (len(entity), len(touched), largest, len(missing), len(foreign))
    return found


def _named(side: Clusters) -> Named:
    return {f"e{i}": {*cluster} for i, cluster in enumerate(side)}


def _write(path: Path, entities: Named, document: str = "d") -> str:
    lines = [f"{document},{m},{name}" for name, members in entities.items() for m in sorted(members)]
    random.Random(3).shuffle(lines)
    path.write_text("\n".join(["document,mention,entity", *lines, ""]), encoding="utf-8")
    return str(path)


def _by_name(rows: Any) -> dict[str, tuple[int, ...]]:
    return {row.entity: tuple(row[2:]) for row in rows}


@examples(200)
@given(pairs)
def test_pieces_are_those_of_the_sets(pair: tuple[Clusters, Clusters]) -> None:
    """Seen from either side; an entity that is right has one piece, and nothing missing or foreign."""
    sides = [Side.of_hashables(side) for side in pair]
    to_response = [sides[1].numbers.get(mention, -1) for mention in sides[0].mentions]
    table = tabulate(Alignment.of_pairs(sides[0], sides[1], to_response))
    key, response = map(_named, pair)
    for ours, theirs, of_side in ((key, response, table), (response, key, table.T)):
        found = pieces_of_key(of_side)
        assert list(map(tuple, found)) == list(_expected(ours, theirs).values())
        right = [pieces == Pieces(pieces.size, 1, pieces.size, 0, 0) for pieces in found]
        assert sum(right) == len({*map(frozenset, ours.values())} & {*map(frozenset, theirs.values())})


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("singletons", ["keep", "drop"])
@pytest.mark.parametrize("seed", range(8))
def test_tables_of_ids_are_looked_at_alike_whether_large_or_small(
    seed: int, singletons: Singletons, large: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Large ones are counted with arrays, and have the names of entities all the same."""
    rng = random.Random(seed)
    sides: list[Named] = []
    for _ in range(2):
        clusters: Named = {}
        for mention in rng.sample(range(40), 30):
            clusters.setdefault(f"e{rng.randrange(12)}", set()).add(f"m{mention}")
        sides.append(clusters)
    files = [_write(tmp_path / f"{i}.csv", side) for i, side in enumerate(sides)]
    if large:
        monkeypatch.setattr(id_rows, "LARGE", 1)
    found = score_entities(*files, singletons=singletons)
    least = 2 if singletons == "drop" else 1
    kept = [{name: entity for name, entity in side.items() if len(entity) >= least} for side in sides]
    assert _by_name(found.key) == _expected(*kept)
    assert _by_name(found.response) == _expected(*kept[::-1])
    assert {row.document for row in (*found.key, *found.response)} == {"d"}


def test_a_large_table_may_be_scored_against_another_format(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Clusters in JSON have ids of entities, too."""
    key = _write(tmp_path / "key.csv", {"x": {"a", "b"}, "y": {"c"}})
    response = tmp_path / "response.json"
    response.write_text('{"d": {"first": ["a"], "second": ["b", "c"]}}', encoding="utf-8")
    small = score_entities(key, response)
    monkeypatch.setattr(id_rows, "LARGE", 1)
    large = score_entities(key, response)
    assert {*small.response} == {*large.response}
    assert {*small.key} == {*large.key} == {EntityRow("d", "x", 2, 2, 1, 0, 1), EntityRow("d", "y", 1, 1, 1, 0, 1)}


def test_scores_are_those_without_the_table() -> None:
    found = score_entities(*PAIR, compare_rules=True, metrics="all")
    alone = corefscope.score(*PAIR, compare_rules=True, metrics="all")
    assert found.report.to_dict() == alone.to_dict()


def test_several_processes_find_the_same(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("key", "response")]
    for folder, path in zip(folders, PAIR, strict=True):
        folder.mkdir()
        for name in "ab":
            text = Path(path).read_text(encoding="utf-8")
            for document in ("es_biblioteca", "en_letter"):
                text = text.replace(f"newdoc id = {document}", f"newdoc id = {name}_{document}")
            (folder / f"{name}.conllu").write_text(text, encoding="utf-8")
    one, two = (score_entities(*folders, jobs=jobs) for jobs in (1, 2))
    assert (one.key, one.response) == (two.key, two.response)
    assert len(one.key) == 18


def test_the_exact_clusters_of_the_score_are_the_right_entities() -> None:
    """Whatever stands in the files: a mention counts in one entity only, as for measures on partitions."""
    found = score_entities(*PAIR, metrics="clusters_exact,mentions", singletons="keep")
    for rows, place in ((found.key, "recall"), (found.response, "precision")):
        right = sum((row.pieces, row.missing, row.foreign) == (1, 0, 0) for row in rows)
        counts = found.report.counts("clusters_exact")
        assert (right, len(rows)) == (counts[f"{place}_numerator"], counts[f"{place}_denominator"])
    assert sum(row.size for row in found.key) == found.report.counts("mentions")["recall_denominator"]


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".csv.gz"])
def test_score_writes_tables_of_both_sides(suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [tmp_path / f"{side}{suffix}" for side in ("key", "response")]
    options = ["--entities", str(files[0]), "--response-entities", str(files[1])]
    assert main(["score", *PAIR, *options]) == 0
    with_tables = capsys.readouterr().out
    assert main(["score", *PAIR]) == 0
    assert with_tables == capsys.readouterr().out
    expected = score_entities(*PAIR)
    for path, rows in zip(files, (expected.key, expected.response), strict=True):
        assert _read(path) == [list(COLUMNS), *[[str(value) for value in row] for row in rows]]


def _read(path: Path) -> list[list[str]]:
    import gzip

    content = path.read_bytes()
    text = (gzip.decompress(content) if path.suffix == ".gz" else content).decode()
    return list(csv.reader(text.splitlines(), delimiter="\t" if path.suffix == ".tsv" else ","))


def test_no_table_is_left_if_the_report_cannot_be_written(tmp_path: Path) -> None:
    table, report = tmp_path / "entities.csv", tmp_path / "missing" / "report.json"
    assert main(["score", *PAIR, "--entities", str(table), "--output", str(report), "--quiet"]) == 1
    assert list(tmp_path.iterdir()) == []


def test_parquet_has_names_and_whole_numbers(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    path = tmp_path / "entities.parquet"
    assert main(["score", *PAIR, "--entities", str(path), "--quiet"]) == 0
    table = parquet.read_table(path)
    assert dict(zip(table.schema.names, map(str, table.schema.types), strict=True)) == {
        name: "string" if kind is str else "int64" for name, kind in COLUMNS.items()
    }
    assert [EntityRow(**row) for row in table.to_pylist()] == list(score_entities(*PAIR).key)
    tables.write_table(str(path), COLUMNS, [])
    assert parquet.read_table(path).num_rows == 0
    assert parquet.read_table(path).schema == table.schema


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ["--entities", "x.txt"],
            "does not say how to write a table: end it in .csv, .tsv, .parquet",
        ),
        (["--entities", "x.parquet.gz"], "does not say how to write a table"),
        (["--entities", PAIR[0] + ".csv", "--settings", "crac"], "leave --settings out"),
        (["--entities", "x.csv", "--response-entities", "x.csv"], "go to one file: name two"),
    ],
)
def test_what_cannot_be_written_is_refused_before_the_work(
    options: list[str], message: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["score", *PAIR, *options]) == 2
    out, err = capsys.readouterr()
    assert (out, list(tmp_path.iterdir())) == ("", [])
    assert message in err


def test_an_input_is_not_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = _write(tmp_path / "key.csv", {"x": {"a", "b"}})
    assert main(["score", path, path, "--entities", path]) == 2
    assert "is an input" in capsys.readouterr().err


def test_parquet_without_pyarrow_is_an_error_with_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(tables, "import_module", missing)
    with pytest.raises(InputError, match=r"without pyarrow"):
        tables.check_table("x.parquet")


@pytest.mark.parametrize("singletons", ["keep", "drop"])
@pytest.mark.parametrize("shares", [1_000_000, 3])
def test_an_engine_writes_the_same_tables(
    singletons: Singletons, shares: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("duckdb", reason="DuckDB is not installed")
    monkeypatch.setattr("corefscope.scale.engines.counting.ENTITY_BATCH", shares)
    draw = random.Random(7)
    for side in ("key", "response"):
        rows = [f"{d},{m},{draw.randrange(9)}" for d in "ab" for m in range(40) if draw.random() < 0.9]
        (tmp_path / f"{side}.csv").write_text("\n".join(["document,mention,entity", *rows]) + "\n")
    pair = [str(tmp_path / "key.csv"), str(tmp_path / "response.csv")]
    out = {"--entities": tmp_path / "e.csv", "--response-entities": tmp_path / "r.tsv"}
    options = [word for option, path in out.items() for word in (option, str(path))]
    more = ["--engine", "duckdb", "--singletons", singletons, "--metrics", "pairs", "--fail-under", "pairs=99.9%"]
    assert main(["score", *pair, *options, *more, "--quiet"]) == 3
    wanted = score_entities(*pair, singletons=singletons, metrics="pairs")
    for entities, path in zip((wanted.key, wanted.response), out.values(), strict=True):
        header, *rows_written = _read(path)
        assert header == list(COLUMNS)
        assert sorted(rows_written) == sorted([list(map(str, row)) for row in entities])
