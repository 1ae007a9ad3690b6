"""Several systems against one key."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

import corefscope
from corefscope.cli import main
from corefscope.cli.compare import named_runs
from corefscope.comparison.systems import compare
from corefscope.core.errors import InputError, OptionError
from corefscope.output.formats import REPORTS
from corefscope.output.formats.json_text import schema
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE
from rendering import as_text

DOCUMENTS = 12
EMPTY = "\t_" * 7 + "\t"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """A key of several documents, and responses that share all but the first letters with it."""
    directory = tmp_path_factory.mktemp("compare")
    key, worse = [], []
    for number in range(DOCUMENTS):
        cells = ["(1)", "(2)", "(1)", "(3", "3)|(2)", "(3)", "(1)", "(2)"]
        lines = [f"d{number}\t0\t{at}\tw\t-\t{cell}" for at, cell in enumerate(cells)]
        key.append("\n".join([f"#begin document (d{number}); part 000", *lines, "", "#end document", ""]))
        wrong = [line.replace("(2)", "(1)") if number % 3 else line for line in lines]
        worse.append("\n".join([f"#begin document (d{number}); part 000", *wrong, "", "#end document", ""]))
    paths = [directory / name for name in ("key.conll", "good.conll", "bad.conll", "same.conll")]
    for path, text in zip(paths, (key, key, worse, worse), strict=True):
        path.write_text("".join(text), encoding="utf-8")
    return [str(path) for path in paths]


def test_each_system_is_scored_as_by_score(files: list[str]) -> None:
    key, *responses = files
    found = compare(key, responses, preset="conll12", resamples=200)
    assert list(found.reports) == ["good", "bad", "same"]
    for name, response in zip(found.reports, responses, strict=True):
        assert found[name] == corefscope.score(key, response, preset="conll12")
    assert found.best("conll") == {"good"}


def test_systems_may_be_a_dictionary_from_their_names(files: list[str]) -> None:
    key, good, bad, _ = files
    named = compare(key, {"ours": good, "theirs": Path(bad)}, against="theirs", resample="nothing")
    listed = compare(key, [good, bad], names=["ours", "theirs"], resample="nothing")
    assert list(named.reports) == ["ours", "theirs"]
    assert named.to_dict() == listed.to_dict()
    assert corefscope.agree({"Ann": good, "Ben": bad}).annotators == ("Ann", "Ben")
    with pytest.raises(OptionError, match="leave names out"):
        compare(key, {"ours": good}, names="mine")
    with pytest.raises(OptionError, match="names must differ and not be empty"):
        compare(key, {"": good})


def test_differences_are_from_the_baseline(files: list[str]) -> None:
    key, *responses = files
    found = compare(key, responses, preset="conll12", resamples=500, baseline="bad").study
    assert found is not None
    assert found.baseline == "bad"
    assert set(found.differences) == {"good", "same"}
    good, same = found.differences["good"]["conll"], found.differences["same"]["conll"]
    assert good.difference > 0
    assert good.interval.low > 0
    assert good.adjusted < 0.05
    assert same.difference == 0
    assert same.p == 1


def test_the_seed_is_part_of_the_signature(files: list[str]) -> None:
    one, other = (compare(files[0], files[1:3], preset="conll12", resamples=200, seed=seed) for seed in (7, 7))
    assert "|seed:7|" in one.signature
    assert one.to_dict() == other.to_dict()
    assert compare(files[0], files[1:3], preset="conll12", resamples=200, seed=8).to_dict() != one.to_dict()


def test_one_document_is_not_resampled(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "# newdoc id = a\n# global.Entity = eid-etype-head-other\n"
    words = "".join(
        f"# sent_id = {n}\n1\tx{EMPTY}Entity=(e{n % 3}-x-1-)\n2\ty{EMPTY}Entity=(e9-x-1-)\n\n" for n in range(12)
    )
    path = tmp_path / "novel.conllu"
    path.write_text(text + words, encoding="utf-8")
    assert main(["compare", str(path), str(path), "--metrics", "conll,bcub"]) == 0
    out = capsys.readouterr().out
    assert "there is only one document" in out
    assert "100.00" in out
    assert "[" not in out
    found = compare(path, [path, path], metrics="bcub", resample="blocks:2", resamples=100)
    assert found.study is not None
    assert found.study.documents == 6
    assert "blocks of one document depend on each other" in found.notes[-1]
    assert "|resampled:blocks:2|" in found.signature
    with pytest.raises(OptionError, match="MUC counts links"):
        compare(path, [path], metrics="muc", resample="sentences")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"baseline": "x"}, "unknown baseline 'x'"),
        ({"names": "a"}, "1 names for 2 files"),
        ({"names": "a,a"}, "names must differ"),
        ({"test": "x"}, "unknown test 'x'"),
        ({"resample": "words"}, "unknown unit 'words'"),
        ({"resamples": 1}, "too few"),
        ({"level": 2.0}, "level"),
    ],
)
def test_wrong_options_are_refused(files: list[str], options: dict[str, object], says: str) -> None:
    arguments: dict[str, object] = {"preset": "conll12", "metrics": "bcub", **options}
    with pytest.raises(OptionError, match=says):
        compare(files[0], files[1:3], **arguments)  # type: ignore[arg-type]


def test_a_response_with_other_documents_is_refused(files: list[str]) -> None:
    with pytest.raises(InputError):
        compare(files[0], [files[1], EXAMPLE_RESPONSE], preset="conll12")


@pytest.mark.parametrize("more", [[], ["--per-document"]])
def test_json_keeps_to_its_schema(files: list[str], more: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", *files, "--preset", "conll12", "--resamples", "100", "--format", "json", *more]) == 0
    content = json.loads(capsys.readouterr().out)
    report = schema()
    registry = {report["$id"]: report}
    validator = jsonschema.Draft202012Validator(schema("corefscope-comparison-1"), registry=_registry(registry))
    validator.validate(content)
    assert ("documents" in content["systems"]["good"]) == bool(more)


def _registry(schemas: dict[str, dict[str, object]]) -> object:
    from referencing import Registry, Resource

    return Registry().with_resources((name, Resource.from_contents(content)) for name, content in schemas.items())


def test_the_example_compares(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", str(EXAMPLE_KEY), str(EXAMPLE_RESPONSE), str(EXAMPLE_KEY), "--metrics", "conll"]) == 0
    out = capsys.readouterr().out
    assert "only 2 documents: intervals are too narrow" in out
    assert "− response" in out


@pytest.mark.parametrize("unit", ["", "foo", "blocks", "blocks:0", "sentences "])
def test_what_can_be_resampled_is_named(files: list[str], unit: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["compare", *files, "--resample", unit])
    assert "choose from: documents, sentences, blocks:N, nothing" in capsys.readouterr().err


def test_a_seed_where_nothing_is_resampled_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(EXAMPLE_KEY), str(EXAMPLE_RESPONSE), str(EXAMPLE_KEY)]
    assert main(["compare", *files, "--resample", "nothing", "--seed", "5", "--level", "0.9"]) == 2
    assert "seed, level cannot be used here: nothing is resampled" in capsys.readouterr().err
    assert main(["compare", *files, "--metrics", "lea", "--resamples", "100", "--seed", "5"]) == 0
    signature = capsys.readouterr().out.replace("\n|", "|").strip().splitlines()[-1]
    assert "|seed:5|" in signature
    assert main(["compare", *files, "--metrics", "lea", "--signature", signature, "--resample", "nothing"]) == 0
    assert "seed" not in capsys.readouterr().out


def test_endless_resampling_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(EXAMPLE_KEY), str(EXAMPLE_RESPONSE), str(EXAMPLE_KEY)]
    assert main(["compare", *files, "--resamples", "99999999999"]) == 2
    assert "take at most 1,000,000" in capsys.readouterr().err


def _first_documents(files: list[str], number: int, folder: Path) -> list[str]:
    """The same files with their first documents only."""
    shorter = []
    for path in map(Path, files):
        documents = path.read_text(encoding="utf-8").split("#begin document")[1 : number + 1]
        (folder / path.name).write_text("".join(f"#begin document{one}" for one in documents), encoding="utf-8")
        shorter.append(str(folder / path.name))
    return shorter


@pytest.mark.parametrize(
    ("documents", "systems", "test", "note"),
    [
        (12, 2, "randomisation", "80 % power to detect"),
        (6, 2, "randomisation", "80 % power to detect"),
        (5, 2, "randomisation", ""),
        (5, 2, "t", "80 % power to detect"),
        (6, 3, "wilcoxon", "no p adjusted by Holm's method can be below 0.0625"),
        (6, 3, "bootstrap", "80 % power to detect"),
    ],
)
def test_power_is_told_only_where_a_difference_can_be_significant(
    documents: int, systems: int, test: str, note: str, files: list[str], tmp_path: Path
) -> None:
    """Of 2⁵ ways to swap five documents, 2 are the one observed and its mirror image: p is .0625 at least."""
    key, *responses = _first_documents(files, documents, tmp_path)
    found = compare(key, responses[:systems], preset="conll12", resamples=200, test=test)  # type: ignore[arg-type]
    text = " ".join(as_text(found, 100).split())
    assert ("power" in text) == ("power" in note)
    assert note in text


def test_systems_are_ordered_where_all_metrics_agree(tmp_path: Path) -> None:
    """{a b c}{d}{e} beats {a b}{c}{d}{e} everywhere, also where less is better; all in one has a better MUC only."""
    clusters = {"key": ["abcd", "e"], "good": ["abc", "d", "e"], "poor": ["ab", "c", "d", "e"], "one": ["abcde"]}
    for name, entities in clusters.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(list(map(list, entities))), encoding="utf-8")
    key, *systems = (tmp_path / f"{name}.json" for name in clusters)
    metrics = "bcub,lea,conll,variation_of_information"
    found = compare(key, systems[:2], metrics=metrics, resample="nothing")
    assert found.unanimous() == [("good", "poor")]
    assert "all metrics agree: good is better" in as_text(found)
    found = compare(key, [systems[0], systems[2]], metrics="muc,bcub,ceafe", resample="nothing")
    assert found.unanimous() == []
    assert "no system is better by all metrics" in as_text(found)


def _runs(folder: Path) -> tuple[str, dict[str, list[str]]]:
    """A key of tables of ids, and three runs of two systems."""
    rows = {f"{at},{at // 3 % 4}" for at in range(30)}

    def write(name: str, keep: int) -> str:
        path = folder / f"{name}.csv"
        moved = (f"{row}9" if (at + keep) % keep == 0 else row for at, row in enumerate(sorted(rows)))
        lines = [f"d{at % 8},{row}" for at, row in enumerate(moved)]
        path.write_text("\n".join(["doc,mention,entity", *lines, ""]), encoding="utf-8")
        return str(path)

    names = {"a": (9, 10, 11), "b": (4, 5, 6)}
    runs = {name: [write(f"{name}-{n}", keep) for n, keep in enumerate(keeps)] for name, keeps in names.items()}
    return write("key", 100), runs


def test_runs_are_named_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    key, runs = _runs(tmp_path)
    found = compare(key, runs, metrics="bcub,muc")
    assert found.spread("a", "bcub") == found.runs["a"].spread("bcub")["f1"] > 0
    assert "|test:runs|" in found.signature
    listed = [f"{name}={path}" for name, paths in runs.items() for path in paths]
    for responses in ([f"{name}={tmp_path / name}-*.csv" for name in runs], listed):
        assert main(["compare", key, *responses, "--metrics", "bcub,muc", "--format", "json"]) == 0
        content = json.loads(capsys.readouterr().out)
        assert content["differences"]["b"]["bcub"]["p"] == found.study.differences["b"]["bcub"].p  # type: ignore[union-attr]
        assert len(content["runs"]["a"]["reports"]) == 3
    one = [f"{name}={paths[0]}" for name, paths in runs.items()]
    plain = [paths[0] for paths in runs.values()]
    outputs = []
    for arguments in (one, [*plain, "--names", "a,b"]):
        assert main(["compare", key, *arguments, "--metrics", "bcub,muc", "--format", "json"]) == 0
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["a={0}/a-0.csv", "{0}/b-0.csv"], 2, "has no name, but other systems do"),
        (["a={0}/x-*.csv"], 1, "no such file"),
        (["a={0}/a-0.csv", "a={0}/a-0.csv"], 2, "every run is a response of its own"),
        (["a={0}/a-*.csv", "b={0}/b-0.csv", "--test", "t"], 2, "for systems of one run"),
        (["{0}/a-0.csv", "--test", "runs"], 2, "for systems of several runs"),
        (["a={0}/a-*.csv", "--names", "x"], 2, "leave --names out"),
    ],
)
def test_wrong_runs_are_refused(
    arguments: list[str], code: int, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    key, _ = _runs(tmp_path)
    assert main(["compare", key, *[argument.replace("{0}", str(tmp_path)) for argument in arguments]]) == code
    assert message in capsys.readouterr().err


def test_names_of_runs_may_be_those_of_files_with_equals_signs(tmp_path: Path) -> None:
    key, runs = _runs(tmp_path)
    path = tmp_path / "lr=0.1.csv"
    path.write_text(Path(runs["a"][0]).read_text(encoding="utf-8"), encoding="utf-8")
    assert named_runs(key, [str(path)]) == {}
    assert named_runs(key, [f"slow={path}"]) == {"slow": [str(path)]}
    for number in (1, 2):
        (tmp_path / f"run{number}").mkdir()
    assert named_runs(str(tmp_path), [f"a={tmp_path}/run*"]) == {"a": [f"{tmp_path}/run1", f"{tmp_path}/run2"]}
    assert named_runs(str(tmp_path), [f"a={tmp_path}/*.csv"]) == {"a": [f"{tmp_path}/*.csv"]}


def test_the_spread_over_runs_is_shown(tmp_path: Path) -> None:
    key, runs = _runs(tmp_path)
    found = compare(key, {**runs, "c": runs["b"][0]}, metrics="bcub,muc")
    shown = f"±{100 * (found.spread('a', 'bcub') or 0):.2f}"
    text = as_text(found, 80)
    assert shown in text
    assert max(map(len, text.splitlines())) <= 80
    assert "±: standard deviation over runs (a 3, b 3)" in text
    for name in ("markdown", "typst", "html"):
        assert shown.replace("±", "&#177;" if name == "html" else "±") in REPORTS[name].render(found, False, False)
    assert shown.replace("±", r"$\pm$") in REPORTS["latex"].render(found, False, False)
    record = found.to_records()[0]
    assert (record["system"], record["runs"]) == ("a", 3)
    assert record["f1_sd"] == found.spread("a", "bcub")
    content = json.loads(REPORTS["json"].render(found, True, False))
    registry = _registry({report["$id"]: report for report in [schema()]})
    jsonschema.Draft202012Validator(schema("corefscope-comparison-1"), registry=registry).validate(content)
    bare = compare(key, runs, metrics="bcub,muc", resample="nothing")
    assert shown in as_text(bare, 80)
    assert "[" not in as_text(bare, 80)
