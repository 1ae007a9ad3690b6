"""Saved results that are computed again: nothing in them can be removed, altered or damaged unnoticed."""

from __future__ import annotations

import copy
import json
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

import corefscope
from corefscope.cli import main
from corefscope.comparison.systems import compare
from corefscope.comparison.tasks import score_task
from corefscope.comparison.verify import Verification, verify
from corefscope.core.errors import InputError
from corefscope.formats.settings import score_settings
from corefscope.formats.standoff.gap import COLUMNS as GAP_COLUMNS
from examples import examples
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE

COMMANDS = [
    ["score"],
    ["score", "--per-document", "--match", "exact", "--metrics", "all"],
    ["score", "--preset", "conll12", "--documents", "merge"],
    ["score", "--baseline", "random", "--metrics", "muc,bcub"],
    ["score", "--settings", "crac,conll12"],
    ["score", "--windows", "20,whole", "--metrics", "lea"],
    ["compare", "--resamples", "100", "--seed", "5"],
    ["compare", "--resample", "nothing", "--metrics", "lea"],
    ["compare", "--resample", "sentences", "--metrics", "bcub", "--resamples", "100"],
]

SIGNATURE = "corefud|match:head|zeros:dependent|singletons:drop|rules:corefud-1.2|v0.1.0"


def _save(command: list[str], files: list[str], directory: Path) -> Path:
    out = directory / "result.json"
    assert main([command[0], *files, *command[1:], "-o", str(out), "--quiet"]) == 0
    return out


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_what_was_saved_comes_out_again(command: list[str], files: list[str], tmp_path: Path) -> None:
    found = verify(_save(command, files, tmp_path))
    assert found.same
    assert found.compared >= 4


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_changed_file_is_noticed(
    command: list[str], files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = _save(command, files, tmp_path)
    path = Path(files[1])
    path.write_text(path.read_text(encoding="utf-8").replace("e3-place", "e3-organization"), encoding="utf-8")
    assert main(["verify", str(out)]) == 1
    assert "has changed: SHA-256" in capsys.readouterr().out


def _gap_files(folder: Path) -> list[str]:
    key, response = folder / "gap.tsv", folder / "decisions.tsv"
    rows = [
        f"d{n}\tAnn met Eve and {word} left.\t{word}\t16\tAnn\t0\t{a}\tEve\t8\tFALSE"
        for n, (word, a) in enumerate([("she", "TRUE"), ("he", "TRUE"), ("her", "FALSE"), ("him", "TRUE")])
    ]
    key.write_text("\n".join(["\t".join(GAP_COLUMNS), *rows, ""]), encoding="utf-8")
    response.write_text("".join(f"d{n}\tTRUE\t{n > 1}\n" for n in range(4)), encoding="utf-8")
    return [str(key), str(response)]


FURTHER = [
    ["score", "--more-keys", "OTHER", "--metrics", "muc,lea", "--match", "exact"],
    ["score", "--average", "documents", "--windows", "20"],
    ["agree", "OTHER", "--unmarked", "skip", "--per-document"],
    ["probe", "--pronouns", "it, they", "--per-document"],
    ["probe", "KEY", "OTHER", "--names", "a,b", "--resamples", "100", "--match", "exact"],
    ["probe", "GAP", "--resamples", "100", "--per-document"],
]


@pytest.mark.parametrize("command", FURTHER, ids=" ".join)
def test_results_of_other_kinds_come_out_again(command: list[str], files: list[str], tmp_path: Path) -> None:
    """What is saved is enough to compute it again, and no figure can be altered or removed."""
    places = {"OTHER": str(EXAMPLE_KEY.with_name("other.conllu")), "KEY": files[0]}
    chosen = _gap_files(tmp_path) if "GAP" in command else files
    words = [places.get(word, word) for word in command if word != "GAP"]
    path = _save(words, chosen, tmp_path)
    content = json.loads(path.read_text(encoding="utf-8"))
    assert verify(path).same
    numbers = [place for place in _places(content) if _is_number(_at(content, place)) and "plan" not in place]
    assert len(numbers) > 5
    for place in numbers[:: 1 + len(numbers) // 6]:
        altered = copy.deepcopy(content)
        _at(altered, place[:-1])[place[-1]] = 0.123456
        assert not verify_content(path, altered).same, place
        del _at(altered, place[:-1])[place[-1]]
        with suppress(InputError):
            assert not verify_content(path, altered).same, place


def test_a_changed_figure_is_noticed(files: list[str], tmp_path: Path) -> None:
    out = _save(["score"], files, tmp_path)
    content = json.loads(out.read_text(encoding="utf-8"))
    content["metrics"]["muc"]["recall"] += 1e-6
    out.write_text(json.dumps(content), encoding="utf-8")
    found = verify(out)
    assert not found.changed
    assert [said.partition(" ")[0] for said in found.differences] == ["metrics.muc.recall"]


def test_files_are_found_beside_the_result_or_where_one_says(
    files: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    out = _save(["score"], [Path(file).name for file in files], tmp_path)
    monkeypatch.chdir("/")
    assert verify(out).same
    (tmp_path / "key.conllu").rename(tmp_path / "moved.conllu")
    with pytest.raises(InputError, match="no such file"):
        verify(out)
    assert verify(out, key=tmp_path / "moved.conllu").same


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"schema": "corefscope-report-1"}', "{", '{"schema": []}'])
def test_what_is_no_result_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError):
        verify(path)


def test_runs_come_out_again(files: list[str], tmp_path: Path) -> None:
    copy_of_key = str(shutil.copy(files[0], tmp_path / "other.conllu"))
    out = tmp_path / "runs.json"
    systems = [f"a={files[1]}", f"a={copy_of_key}", f"b={files[0]}"]
    assert main(["compare", files[0], *systems, "--metrics", "conll", "-o", str(out), "--quiet"]) == 0
    assert verify(out).same
    shutil.copy(files[1], copy_of_key)
    assert any("other.conllu has changed" in said for said in verify(out).changed)
    content = json.loads(out.read_text(encoding="utf-8"))
    content["runs"]["a"]["reports"] = [{}]
    out.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(InputError, match="is damaged"):
        verify(out)


def test_a_task_comes_out_again(files: list[str], tmp_path: Path) -> None:
    directory = tmp_path / "task" / "data"
    directory.mkdir(parents=True)
    for name, path in (("key", files[0]), ("one", files[1]), ("two", files[0])):
        shutil.copy(path, directory / f"{name}.conllu")
    out = tmp_path / "task.json"
    assert main(["task", str(tmp_path / "task"), "-o", str(out), "--resamples", "100", "--quiet"]) == 0
    assert verify(out).same
    shutil.copy(files[0], directory / "one.conllu")
    found = verify(out)
    assert found.changed
    assert any("macro" in said for said in found.differences)
    (directory / "one.conllu").write_text("x", encoding="utf-8")
    assert any("cannot be scored" in said for said in verify(out).changed)


def test_directories_of_several_formats_come_out_again(mixed: list[str], tmp_path: Path) -> None:
    for command in (["score", "--match", "exact"], ["compare", "--match", "exact", "--resample", "nothing"]):
        out = _save(command, mixed, tmp_path)
        assert verify(out).same
    content = corefscope.score(*mixed, match="exact").to_dict()
    assert content["inputs"]["key"]["format"] == "conll+jsonl"


def _results(files: list[str], directory: Path) -> Iterator[dict[str, Any]]:
    key, response = files
    task = directory / "task" / "data"
    task.mkdir(parents=True)
    for name, path in (("key", key), ("one", response), ("two", key)):
        shutil.copy(path, task / f"{name}.conllu")
    few: dict[str, Any] = {"metrics": "muc,blanc"}
    yield corefscope.score(*files, digests=True, compare_rules=True, **few).to_dict()
    yield score_settings(key, response, "head,exact", digests=True, **few).to_dict()
    yield compare(key, [response, key], names="a,b", resamples=100, digests=True, **few).to_dict()
    yield score_task(directory / "task", jobs=1, resamples=100, digests=True, **few).to_dict()


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[dict[str, Any]]]:
    """A result of every kind, and where to put others."""
    directory = tmp_path_factory.mktemp("results")
    files = [str(shutil.copy(path, directory / path.name)) for path in (EXAMPLE_KEY, EXAMPLE_RESPONSE)]
    return directory / "result.json", [json.loads(json.dumps(found)) for found in _results(files, directory)]


def _places(content: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every value."""
    entries = (
        content.items() if isinstance(content, dict) else enumerate(content) if isinstance(content, list) else ()
    )
    for name, value in entries:
        yield (*path, name)
        yield from _places(value, (*path, name))


def _at(content: Any, path: tuple[Any, ...]) -> Any:
    for name in path:
        content = content[name]
    return content


def verify_content(path: Path, content: dict[str, Any]) -> Verification:
    path.write_text(json.dumps(content), encoding="utf-8")
    return verify(path)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


@pytest.mark.parametrize("kind", range(4))
def test_no_figure_can_be_removed_or_altered(results: tuple[Path, list[dict[str, Any]]], kind: int) -> None:
    """A sample of all numbers: those that decide what is computed may also make it impossible."""
    path, found = results
    numbers = [place for place in _places(found[kind]) if _is_number(_at(found[kind], place)) and "plan" not in place]
    assert len(numbers) > 20
    for at, place in enumerate(numbers[:: len(numbers) // 12]):
        for junk in ([None, "0.5", True], [1e300, [], -7], [{}, float("nan"), 10**30])[at % 3]:
            content = copy.deepcopy(found[kind])
            _at(content, place[:-1])[place[-1]] = junk
            path.write_text(json.dumps(content), encoding="utf-8")
            assert verify(path).differences, (place, junk)
        content = copy.deepcopy(found[kind])
        del _at(content, place[:-1])[place[-1]]
        path.write_text(json.dumps(content), encoding="utf-8")
        assert verify(path).differences, place


@pytest.mark.parametrize("kind", range(4))
def test_nothing_can_be_removed_whole(results: tuple[Path, list[dict[str, Any]]], kind: int) -> None:
    """A metric, a document, a setting, a system, a field: with everything in it, once or wherever it stands."""
    path, found = results
    assert verify_content(path, found[kind]).same
    places = [
        place
        for place in _places(found[kind])  # digests are optional, and figures have a test of their own
        if place[-1] != "sha256" and (place[-1] == "numbers" or not _is_number(_at(found[kind], place)))
    ]
    removed = 0
    for place in places[:: 1 + len(places) // 80]:
        content = copy.deepcopy(found[kind])
        del _at(content, place[:-1])[place[-1]]
        removed += 1
        with suppress(InputError):  # it cannot be computed again
            assert not verify_content(path, content).same, place
    assert removed > 30


@pytest.mark.parametrize("kind", range(4))
@pytest.mark.parametrize(
    "name", ["muc", "documents", "other_rules", "plan", "exact", "a", "one", "report", "warnings"]
)
def test_nothing_can_be_removed_wherever_it_stands(
    results: tuple[Path, list[dict[str, Any]]], kind: int, name: str
) -> None:
    path, found = results
    content = copy.deepcopy(found[kind])
    places = [place for place in _places(content) if place[-1] == name]
    for place in places[::-1]:
        del _at(content, place[:-1])[place[-1]]
    with suppress(InputError):
        assert verify_content(path, content).same == (not places)


def test_results_of_versions_that_did_not_count_numbers_are_verified(
    results: tuple[Path, list[dict[str, Any]]],
) -> None:
    path, found = results
    content = json.loads(json.dumps(found[2]).replace(f"|v{corefscope.__version__}", "|v0.1.0"))
    for place in [place for place in _places(content) if place[-1] == "numbers"][::-1]:
        del _at(content, place[:-1])[place[-1]]
    assert verify_content(path, content).same


def test_added_figures_and_other_options_are_noticed(results: tuple[Path, list[dict[str, Any]]]) -> None:
    path, found = results
    for place, value in (
        (("metrics", "muc", "f2"), 0.5),
        (("options", "match"), "exact"),
        (("options", "extra"), "x"),
        (("inputs", "key", "mentions"), 7),
        (("other_rules", "conll"), 0.5),
        (("documents",), []),
    ):
        content = copy.deepcopy(found[0])
        _at(content, place[:-1])[place[-1]] = value
        path.write_text(json.dumps(content), encoding="utf-8")
        assert verify(path).differences, place


JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.floats(),
    st.sampled_from(["", "x", "corefud", "corefud+conll", "-", "..", "|", "[z-a]*", SIGNATURE, "documents"]),
    st.sampled_from([[], {}, [[]], {"x": 1}, [None, "x"], {"id": 1}, {"schema": "corefscope-report-1"}]),
)


@given(st.data())
@examples(120, suppress_health_check=list(HealthCheck))
def test_damaged_results_are_input_errors(results: tuple[Path, list[dict[str, Any]]], data: st.DataObject) -> None:
    path, found = results
    content = copy.deepcopy(found[data.draw(st.integers(0, 3))])
    for _ in range(data.draw(st.integers(1, 3))):
        # Places near the top decide what is done, and are too few to be found among all.
        deepest = data.draw(st.sampled_from([1, 2, 4, 6, 20]))
        places = [place for place in _places(content) if len(place) <= deepest]
        if not places:
            break
        place = data.draw(st.sampled_from(places))
        if data.draw(st.booleans()):
            del _at(content, place[:-1])[place[-1]]
        else:
            _at(content, place[:-1])[place[-1]] = copy.deepcopy(data.draw(JUNK))
    path.write_text(json.dumps(content), encoding="utf-8")
    with suppress(InputError):
        verify(path)


def test_a_fault_of_ours_is_not_called_damage(
    results: tuple[Path, list[dict[str, Any]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def faulty(*_: Any, **__: Any) -> None:
        raise KeyError("ours")

    path, found = results
    path.write_text(json.dumps(found[0]), encoding="utf-8")
    monkeypatch.setattr("corefscope.comparison.verify.score", faulty)
    with pytest.raises(KeyError, match="ours"):
        verify(path)


@pytest.mark.parametrize(
    ("kind", "place", "value", "says"),
    [
        (0, ("signature",), 3, "signature is 3"),
        (0, ("inputs", "key", "name"), "", "'' is no name of a file"),
        (1, ("settings",), {}, "settings is {}"),
        (2, ("plan", "seed"), "x", "seed is 'x'"),
        (3, ("systems", "one", "submissions"), {"data2": {"status": "x"}}, "one has other data sets than the task"),
    ],
)
def test_what_is_damaged_is_said(
    results: tuple[Path, list[dict[str, Any]]], kind: int, place: tuple[str, ...], value: Any, says: str
) -> None:
    path, found = results
    content = copy.deepcopy(found[kind])
    _at(content, place[:-1])[place[-1]] = value
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(InputError, match=f"is damaged: {says}"):
        verify(path)


def test_integers_too_large_for_floats_are_compared(results: tuple[Path, list[dict[str, Any]]]) -> None:
    path, found = results
    content = copy.deepcopy(found[0])
    content["metrics"]["muc"]["recall"] = 10**400
    path.write_text(json.dumps(content), encoding="utf-8")
    assert len(verify(path).differences) == 1


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"schema": "corefscope-report-1", "metrics": ' + "9" * 5000 + "}", "is"),
        ('{"schema": "corefscope-settings-1", "settings": {}}', "is damaged"),
        ("[" * 100_000, "is not JSON"),
    ],
    ids=["digits", "no settings", "deep"],
)
def test_odd_results_are_refused(text: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "result.json"
    path.write_text(text, encoding="utf-8")
    assert main(["verify", str(path)]) == 1
    assert says in capsys.readouterr().err


NUL, SURROGATE = "a\0b", "\ud800"
HOSTILE: list[Any] = [None, [], {}, "", "x", NUL, SURROGATE, [[0, 0]], [[[0, 0]]], 10**400, -1, True]
HOSTILE += [float("nan"), float("inf"), "9" * 5000, {"x": {}}]
"""Values of every type that no result has in any place."""


def _exits(*command: str) -> int:
    """The exit code of a command, whatever way it ends; an exception is a failure of the test."""
    try:
        return main([*command, "--quiet"])
    except SystemExit as leaving:
        return int(str(leaving.code))


def _damaged(content: dict[str, Any], nth: int) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    """Content with each value replaced by hostile ones, and with each entry removed: of all these, every nth."""
    number = 0
    for place in _places(content):
        for junk in [*HOSTILE, KeyError]:
            number += 1
            if number % nth:
                continue
            damaged = copy.deepcopy(content)
            if junk is KeyError:
                del _at(damaged, place[:-1])[place[-1]]
            else:
                _at(damaged, place[:-1])[place[-1]] = copy.deepcopy(junk)
            yield place, damaged


@pytest.mark.parametrize("kind", range(4))
def test_hostile_values_end_no_command_in_a_traceback(
    results: tuple[Path, list[dict[str, Any]]], kind: int, tmp_path: Path
) -> None:
    path, found = results
    whole = tmp_path / "whole.json"
    whole.write_text(json.dumps(found[2]), encoding="utf-8")
    runs = 0
    for place, content in _damaged(found[kind], 83):
        path.write_text(json.dumps(content), encoding="utf-8")
        for command in (["verify"], ["correlate", str(whole)], ["task", "--jobs", "1"]):
            assert _exits(*command, str(path)) in (0, 1, 2), (command, place)
            runs += 1
    assert runs > 60


@pytest.mark.parametrize(
    ("kind", "place", "value", "says"),
    [
        (3, ("options", "llm"), [[[0, 0]]], "is damaged: llm is [[[0, 0]]]"),
        (3, ("options", "anaphors"), {}, "is damaged: anaphors is {}"),
        (3, ("metrics",), [["muc"]], "is damaged: an item of metrics is ['muc']"),
        (3, ("datasets", "data", "groups"), [[0, 1]], "is damaged: an item of groups is [0, 1]"),
        (3, ("datasets", "data", "key"), NUL, r"is damaged: 'a\x00b' is no name of a file"),
        (3, ("systems", "one", "submissions", "data", "file"), SURROGATE, r"is damaged: '\ud800' is no name"),
        (0, ("inputs", "key", "name"), NUL, r"is damaged: 'a\x00b' is no name of a file"),
    ],
)
def test_what_no_result_can_hold_is_damage(
    results: tuple[Path, list[dict[str, Any]]], kind: int, place: tuple[str, ...], value: Any, says: str
) -> None:
    path, found = results
    content = copy.deepcopy(found[kind])
    _at(content, place[:-1])[place[-1]] = value
    with pytest.raises(InputError) as raised:
        verify_content(path, content)
    assert says in str(raised.value)


def test_hostile_manifests_end_in_no_traceback(files: list[str], tmp_path: Path) -> None:
    """As JSON and as TOML, of which every value that JSON has is written alike but for null and nan."""
    key, response = files
    manifest: dict[str, Any] = {
        "metrics": ["muc", "bcub"],
        "match": "head",
        "rules": "corrected",
        "resamples": 100,
        "seed": 0,
        "rank_by": "muc",
        "missing": "zero",
        "settings": ["head", "exact"],
        "datasets": {"data": {"key": key, "language": "en", "group": ["a", "b"]}},
        "systems": {"one": {"data": response}, "two": key},
    }
    for place, content in _damaged(manifest, 5):
        for suffix, text in ((".json", json.dumps(content)), (".toml", _toml(content))):
            path = tmp_path / f"manifest{suffix}"
            path.write_text(text, encoding="utf-8")
            assert _exits("task", str(path), "--jobs", "1", "--no-significance") in (0, 1, 2), (place, text)


def _toml(value: Any, depth: int = 0) -> str:
    if isinstance(value, dict):
        rows = [f"{json.dumps(name)} = {_toml(inner, depth + 1)}" for name, inner in value.items()]
        return "{" + ", ".join(rows) + "}" if depth else "\n".join(rows)
    if isinstance(value, list):
        return f"[{', '.join(_toml(inner, depth + 1) for inner in value)}]"
    return json.dumps(value).replace("NaN", "nan").replace("Infinity", "inf")


@pytest.mark.parametrize(
    ("name", "text"), [("a.toml", "\nseed = {}"), ("a.json", '{{"match": "head",\n"seed": {}}}')]
)
def test_numbers_of_thousands_of_digits_in_a_manifest_are_refused(
    name: str, text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / name
    path.write_text(text.format("1" + "0" * 5000), encoding="utf-8")
    assert main(["task", str(path)]) == 1
    assert f"{name}:2: a number has too many digits" in capsys.readouterr().err


def test_scores_too_large_for_floats_are_refused_by_correlate(
    results: tuple[Path, list[dict[str, Any]]], capsys: pytest.CaptureFixture[str]
) -> None:
    path, found = results
    content = copy.deepcopy(found[0])
    content["metrics"]["muc"]["recall"] = 10**400
    path.write_text(json.dumps(content), encoding="utf-8")
    assert main(["correlate", str(path)]) == 1
    assert "has scores that are no numbers" in capsys.readouterr().err


def test_hostile_manifests_of_noise_end_in_no_traceback(files: list[str], tmp_path: Path) -> None:
    assert main(["perturb", files[0], "-o", str(tmp_path / "noise"), "--kinds", "drop,split", "--step", "100"]) == 0
    path = tmp_path / "noise" / "manifest.json"
    whole = json.loads(path.read_text(encoding="utf-8"))
    for place, content in _damaged(whole, 11):
        path.write_text(json.dumps(content), encoding="utf-8")
        assert _exits("curves", str(tmp_path / "noise"), "--metrics", "muc") in (0, 1, 2), place
    for files_of_kind in ([], [{**whole["kinds"]["drop"]["files"][0], "level": float("inf")}]):
        whole["kinds"]["drop"]["files"] = files_of_kind
        path.write_text(json.dumps(whole), encoding="utf-8")
        assert _exits("curves", str(tmp_path / "noise")) == 1


def test_no_settings_are_refused(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", *files, "--settings", ""]) == 2
    assert "a setting is empty" in capsys.readouterr().err


@pytest.mark.parametrize("columns", [["cluster_90"], ["cluster_90,cluster_95"]])
@pytest.mark.parametrize("tables", [1, 2])
def test_what_an_engine_has_counted_is_counted_again(columns: list[str], tables: int, tmp_path: Path) -> None:
    """From the columns that the result names; repeats stay what they were."""
    pytest.importorskip("duckdb")
    table, out = tmp_path / "linked.csv", tmp_path / "out.json"
    lines = ["unique_id,person,cluster_90,cluster_95", "1,a,1,1", "2,a,1,2", "3,b,1,3", "4,b,4,3"]
    table.write_text("\n".join(lines), encoding="utf-8")
    named = ["--key-column", "person", "--mention-column", "unique_id", "--response-column", *columns]
    assert main(["score", *[str(table)] * tables, "--engine", "duckdb", *named, "-o", str(out)]) == 0
    assert verify(out).same
    table.write_text("\n".join([*lines, "5,b,1,1"]), encoding="utf-8")
    assert any("bcub" in difference for difference in verify(out).differences)
