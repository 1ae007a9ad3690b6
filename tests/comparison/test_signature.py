"""Signatures that are read back, and commands that apply them."""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path
from typing import Any

import pytest

import corefscope
from corefscope.analysis.noise.curves import curves
from corefscope.cli import arguments, main
from corefscope.cli.parser import Parser
from corefscope.comparison.signature import read_signature
from corefscope.core.errors import OptionError
from corefscope.formats.settings import score_settings
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE

OPTIONS = "corefud|match:head|zeros:dependent|singletons:drop|rules:corefud-1.2"


def test_a_signature_replays() -> None:
    for options in ({"match": "exact", "singletons": "keep"}, {"preset": "conll12"}, {"documents": "merge"}):
        report = corefscope.score(EXAMPLE_KEY, EXAMPLE_RESPONSE, **options)  # type: ignore[arg-type]
        again = corefscope.score(EXAMPLE_KEY, EXAMPLE_RESPONSE, **read_signature(report.signature).arguments)
        assert again.signature == report.signature
        assert {name: again[name] for name in report if name in again} == dict(report)


def test_the_signature_of_a_comparison_says_how_it_was_resampled() -> None:
    options = "corefud|match:head|zeros:linear|singletons:drop|rules:corrected"
    found = read_signature(f"{options}|resampled:documents|resamples:100|seed:3|level:0.9|test:bootstrap|v0.0.1")
    assert found.plan == {"resampled": "documents", "resamples": 100, "seed": 3, "level": 0.9, "test": "bootstrap"}
    assert found.version == "0.0.1"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("corefud|match:x", "unknown match"),
        ("x", "unknown format"),
        ("corefud|subset:f", "cannot be replayed"),
        ("", "is empty"),
        ("corefud|zeros:dependent|v0.1.0", "incomplete: it does not say match, singletons, rules"),
        (f"{OPTIONS}|match:head", "an option twice"),
        (f"{OPTIONS}|seed:1|seed:1", "seed twice"),
        (f"{OPTIONS}|seed:x", "seed:x, which is no number"),
        (f"{OPTIONS}|baseline:", "without a value"),
        (f"{OPTIONS}|v0.1.0|match:head", "unknown option"),
        (f"{OPTIONS} noise-seed:0", "unknown rules"),
    ],
)
def test_wrong_signatures_are_refused(text: str, says: str) -> None:
    with pytest.raises(OptionError, match=says):
        read_signature(text)


def test_options_replace_those_of_the_signature(capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(EXAMPLE_KEY), str(EXAMPLE_RESPONSE)]
    signature = "corefud|match:exact|zeros:dependent|singletons:keep|rules:corrected|v0.0.1"
    assert main(["score", *files, "--signature", signature, "--match", "partial"]) == 0
    out, err = capsys.readouterr()
    assert "|match:partial|zeros:dependent|singletons:keep|rules:corrected|" in out
    assert "the signature was written by version 0.0.1" in err
    assert main(["score", *files, "--signature", signature, "--preset", "crac24"]) == 2


def test_the_signature_of_several_settings_says_so() -> None:
    found = score_settings(EXAMPLE_KEY, EXAMPLE_RESPONSE, "crac", documents="merge")
    assert "|match:head,exact,partial|" in found.signature
    assert "|singletons:drop,keep|" in found.signature
    assert "|documents:merge|" in found.signature
    with pytest.raises(OptionError, match=r"several settings \(match:head,exact,partial\)"):
        read_signature(found.signature)
    for report in found.values():
        assert read_signature(report.signature).arguments["match"] == report.options.match


def test_the_signature_of_curves_reads_back() -> None:
    found = curves(EXAMPLE_KEY, kinds="drop", levels=[50], seed=3, metrics="muc")
    assert read_signature(found.signature).plan == {"noise-seed": 3}
    found = curves(EXAMPLE_KEY, response=EXAMPLE_RESPONSE, by="length", levels=[50], metrics="muc")
    assert read_signature(found.signature).plan == {"by": "length"}


COMMON = ("compare", "diff", "errors", "report", "score")


@pytest.mark.parametrize(
    ("part", "commands"),
    [
        ("noise-seed:3", COMMON),
        ("by:length", COMMON),
        ("rank_by:conll", COMMON),
        ("seed:3", ("diff", "errors", "report", "score")),
    ],
)
def test_what_a_command_cannot_apply_is_refused(
    part: str, commands: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str], files: list[str]
) -> None:
    for command in commands:
        more = ["-o", str(tmp_path / "page.html")] if command == "report" else []
        assert main([command, *files, *more, "--signature", f"{OPTIONS}|{part}|v0.0.1"]) == 2, command
        assert f"the signature has {part}, which this command cannot apply: " in capsys.readouterr().err
    assert not (tmp_path / "page.html").exists()


@pytest.mark.parametrize("command", ["diff", "errors", "report"])
def test_what_has_no_baseline_says_why(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], files: list[str]
) -> None:
    more = ["-o", str(tmp_path / "page.html")] if command == "report" else []
    assert main([command, *files, *more, "--signature", f"{OPTIONS}|baseline:random|v0.0.1"]) == 2
    assert "baseline cannot be used here: " in capsys.readouterr().err
    assert not (tmp_path / "page.html").exists()


def _namespace(signature: str, **given: Any) -> argparse.Namespace:
    parser = Parser()
    arguments.add(parser, *arguments.REQUEST)
    options = parser.parse_args(["--signature", signature])
    for name, value in given.items():
        setattr(options, name, value)
    return options


def test_what_a_command_takes_is_applied_where_nothing_is_given() -> None:
    signature = f"{OPTIONS}|baseline:all|resampled:documents|resamples:200|seed:7"
    further = ("resample", "resamples", "seed")
    options = _namespace(signature, baseline=None, resample=None, resamples=None, seed=5)
    assert arguments.request_arguments(options, further)["baseline"] == "all"
    assert [getattr(options, name) for name in further] == ["documents", 200, 5]
    for has, fits in (({"average": "macro"}, True), ({"average": "micro"}, False)):
        options = _namespace(f"{OPTIONS}|average:macro")
        if fits:
            assert arguments.request_arguments(options, (), has)["match"] == "head"
        else:
            with pytest.raises(OptionError, match="average:macro, but here it is average:micro"):
                arguments.request_arguments(options, (), has)


def test_joining_is_replaced_as_a_whole() -> None:
    signature = f"{OPTIONS}|documents:topic=[a-z]+"
    read = arguments.request_arguments(_namespace(signature))
    assert (read["documents"], read["topic"]) == ("topic", "[a-z]+")
    read = arguments.request_arguments(_namespace(signature, documents="merge"))
    assert (read["documents"], read.get("topic")) == ("merge", None)


def test_the_signature_of_directories_of_several_formats_replays(
    mixed: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    signature = corefscope.score(*mixed, match="exact").signature
    assert signature.startswith("conll+jsonl|")
    assert main(["score", *mixed, "--signature", signature, "--quiet"]) == 0
    assert signature in capsys.readouterr().out.replace("\n|", "|")
    assert main(["compare", *mixed, mixed[1], "--signature", signature, "--resample", "nothing", "--quiet"]) == 0
    assert signature in capsys.readouterr().out.replace("\n|", "|")


def test_the_formats_of_two_files_belong_to_the_sides_in_order(
    mixed: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    single = [str(Path(mixed[0]) / "1.conll"), str(Path(mixed[1]) / "1.jsonl")]
    for pair in (single, single[::-1]):
        signature = corefscope.score(*pair, match="exact").signature
        assert main(["score", *pair, "--signature", signature, "--quiet"]) == 0
        assert signature in capsys.readouterr().out.replace("\n|", "|")
    assert main(["score", *single, "--signature", signature.replace("jsonl+conll", "conll+jsonl+conll")]) == 2
    assert "does not say which file has which" in capsys.readouterr().err


def _last_line(command: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert main([*command, "--quiet"]) == 0
    return capsys.readouterr().out.replace("\n|", "|").splitlines()[-1]


@pytest.mark.parametrize(
    "more",
    [
        ["score", "--baseline", "random", "--match", "exact"],
        ["score", "--documents", "merge"],
        ["compare", "--resamples", "200", "--seed", "7", "--level", "0.9", "--test", "bootstrap"],
        ["compare", "--resample", "blocks:2", "--metrics", "bcub", "--resamples", "100"],
    ],
    ids=" ".join,
)
def test_commands_apply_their_own_signatures(
    more: list[str], files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    metrics = ["--metrics", "bcub"]
    signature = _last_line([more[0], *files, *more[1:], *metrics], capsys)
    assert _last_line([more[0], *files, "--signature", signature, *metrics], capsys) == signature
    if more[0] == "compare":
        again = _last_line([more[0], *files, "--signature", signature, "--seed", "8", *metrics], capsys)
        assert "|seed:8|" in again


def test_a_task_applies_its_own_signature(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    directory = tmp_path / "task" / "data"
    directory.mkdir(parents=True)
    for name, path in (("key", files[0]), ("one", files[1]), ("two", files[0])):
        shutil.copy(path, directory / f"{name}.conllu")
    command = ["task", str(tmp_path / "task"), "--metrics", "muc,bcub", "--jobs", "1"]
    signature = _last_line([*command, "--rank-by", "bcub", "--missing", "skip", "--resamples", "200"], capsys)
    assert _last_line([*command, "--signature", signature], capsys) == signature
    assert main([*command, "--signature", signature.replace("datasets:1", "datasets:2")]) == 2
