"""The command line as people use it."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

import corefscope
from corefscope.cli import main
from corefscope.cli.parser import COMMANDS
from corefscope.compat.commands.corefud import main as compat
from corefscope.core.metrics import GROUPS, METRICS
from corefscope.output.formats.json import schema
from oracles.quirks import conllu
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE

PAIR = [str(EXAMPLE_KEY), str(EXAMPLE_RESPONSE)]


def test_the_table_has_a_row_per_metric_and_the_signature(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", *PAIR]) == 0
    lines = capsys.readouterr().out.split("\n")
    report = corefscope.score(*PAIR)
    assert lines[0].split() == ["Recall", "Precision", "F1"]
    for line, name in zip(lines[1:], report, strict=False):
        title, *figures = line.split()
        assert title == METRICS[name].title
        assert figures == [f"{100 * figure:.2f}" for figure in report[name]]
    assert lines[-2] == report.signature


def test_documents_are_shown_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", *PAIR, "--per-document", "--metrics", "conll,lea"]) == 0
    out = capsys.readouterr().out
    for name, scores in corefscope.score(*PAIR, metrics=["conll", "lea"]).documents.items():
        row = next(line for line in out.split("\n") if line.startswith(name))
        assert row.split()[-1] == f"{100 * scores['lea'].f1:.2f}"


@pytest.mark.parametrize(
    "more", [[], ["--metrics", "all"], ["--per-document"], ["--rules", "corrected", "--metrics", "lea"]]
)
def test_json_keeps_to_its_schema(more: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", *PAIR, "--format", "json", *more]) == 0
    content = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(schema()).validate(content)
    assert ("documents" in content) == ("--per-document" in more)
    if "all" in more:
        assert "reconstructed" in content["metrics"]["d_err"]["note"]
    if not more:
        assert content["metrics"]["muc"]["f1"] == corefscope.score(*PAIR)["muc"].f1


def test_the_schema_is_a_schema_and_knows_all_choices() -> None:
    jsonschema.Draft202012Validator.check_schema(schema())
    options = schema()["properties"]["options"]["properties"]
    assert options["rules"]["enum"] == list(corefscope.RULES)


def test_metrics_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["metrics"]) == 0
    out = capsys.readouterr().out
    for metric in METRICS.values():
        assert metric.title in out
        assert metric.summary in " ".join(out.split())
    for group in GROUPS:
        assert f"group {group}:" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["score", *PAIR, "--match", "hed"], "did you mean 'head'"),
        (["score", *PAIR, "--metrics", "muk"], "did you mean 'muc'"),
        (["score", *PAIR, "--format", "jsn"], "did you mean 'json'"),
        (["score", PAIR[0]], "RESPONSE"),
        (["scoer", *PAIR], "score"),
    ],
)
def test_wrong_usage_is_exit_code_2(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        code: object = main(arguments)
    except SystemExit as stop:
        code = stop.code
    assert code == 2
    assert message in capsys.readouterr().err


def test_without_a_command_help_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert "examples:" in capsys.readouterr().out


@pytest.mark.parametrize("command", [["--help"], ["score", "--help"], ["metrics", "--help"]])
def test_help_texts_fit_and_carry_examples(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(command)
    assert stop.value.code == 0
    out = capsys.readouterr().out
    assert "corefscope" in out
    assert "examples:" in out or command[0] == "metrics"


def _tie(folder: Path, key: str = "e1 3..4 9", response: str = "e2 2..6@3 8; e1 3..5 9") -> list[str]:
    """A pair on which the rule sets disagree; unless others are given, quirk 5."""
    paths = []
    for name, notation in (("key", key), ("response", response)):
        paths.append(folder / f"{name}.conllu")
        paths[-1].write_text(conllu(notation), encoding="utf-8")
    return list(map(str, paths))


def test_rule_sets_that_disagree_are_mentioned_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", *_tie(tmp_path)]) == 0
    note = "CoNLL is 22.22 under rules corefud-1.2 but 66.67 under corrected"
    err = capsys.readouterr().err
    assert note in err
    assert err.count("\n") == 1
    for silence in (["--no-rules-note"], ["--quiet"], ["--rules", "corrected"]):
        assert main(["score", *_tie(tmp_path), *silence]) == 0
        assert not capsys.readouterr().err
    assert main(["score", *_tie(tmp_path), "--metrics", "lea"]) == 0
    assert "LEA is 0.00 under rules corefud-1.2 but 66.67 under corrected (" in capsys.readouterr().err
    assert main(["score", PAIR[0], PAIR[0]]) == 0
    assert not capsys.readouterr().err


@pytest.mark.parametrize(
    ("key", "response", "note"),
    [
        # Zeros in swapped places: only one metric differs, and it is not CoNLL.
        ("e1 1 2.1[3:nsubj]; e2 2 2.2[4:obj]", "e1 1 2.2[3:nsubj]; e2 2 2.1[4:obj]", "Zeros is 0.00"),
        # Boundary case (1) of Luo et al. (2014): the same mentions and no links.
        ("e1 1", "e1 1", "BLANC is 0.00"),
    ],
)
def test_the_note_on_rules_looks_at_every_metric_shown(
    key: str, response: str, note: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pair = _tie(tmp_path, key, response)
    assert main(["score", *pair, "--singletons", "keep", "--metrics", "zero,blanc,lea"]) == 0
    assert f"{note} under rules corefud-1.2 but 100.00 under corrected (" in capsys.readouterr().err
    assert main(["score", *pair, "--singletons", "keep", "--metrics", "bcub,ceafm"]) == 0
    assert not capsys.readouterr().err


def _run(*arguments: str, **more: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "corefscope", *arguments]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", **more)  # type: ignore[call-overload, no-any-return]


def test_output_in_a_pipe_has_no_colours_and_survives_a_closed_pipe() -> None:
    done = _run("score", *PAIR)
    assert done.returncode == 0
    assert "\x1b" not in done.stdout + done.stderr
    command = f"{sys.executable} -m corefscope score {PAIR[0]} {PAIR[1]} --format json --per-document | head -c 10"
    piped = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert not piped.stderr


def test_a_terminal_that_knows_only_ascii_is_served() -> None:
    done = _run("score", *PAIR, env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0
    assert "B3 " in done.stdout
    assert "\\x" not in done.stdout


@pytest.mark.parametrize("encoding", ["cp1252", "cp437", "ascii"])
@pytest.mark.parametrize(
    "command",
    [
        ["score", *PAIR, "--per-document"],
        ["errors", *PAIR],
        ["compare", PAIR[0], PAIR[1], PAIR[0], "--names", "→,日本"],
        ["diff", *PAIR],
        ["explain", "lea", *PAIR],
        ["stats", PAIR[0]],
        ["curves", PAIR[0], "--step", "50"],
        ["validate", PAIR[0]],
        ["metrics", "lea", "blanc"],
        ["score", "→.conllu", PAIR[1]],
        ["--help"],
    ],
    ids=lambda command: command[0],
)
def test_no_console_is_too_poor_for_what_is_printed(command: list[str], encoding: str) -> None:
    """Consoles of Windows know some 250 characters: signs of ours have plain forms, others are escaped."""
    environment = {**os.environ, "PYTHONUTF8": "0", "PYTHONIOENCODING": encoding, "COLUMNS": "80"}
    done = subprocess.run(
        [sys.executable, "-m", "corefscope", *command], capture_output=True, check=False, env=environment
    )
    said = done.stdout.decode(encoding) + done.stderr.decode(encoding)
    assert done.returncode == (1 if "→.conllu" in command else 0), said
    assert "Traceback" not in said
    names = "\\u65e5\\u672c"
    assert "\\u" not in said.replace(names, "") or command[0] in ("metrics", "explain")


@pytest.mark.parametrize("form", ["csv", "json", "markdown", "latex", "html"])
def test_data_in_a_pipe_are_utf_8_whatever_the_console_is(form: str, tmp_path: Path) -> None:
    path = tmp_path / "ids.json"
    path.write_text('{"日本→": {"e": ["m1", "m2"]}}', encoding="utf-8")
    written = [
        subprocess.run(
            [sys.executable, "-m", "corefscope", "score", path, path, "--per-document", "--format", form],
            capture_output=True,
            check=True,
            env={**os.environ, "PYTHONUTF8": "0", "PYTHONIOENCODING": encoding},
        ).stdout
        for encoding in ("cp1252", "utf-8")
    ]
    assert written[0] == written[1]
    assert form in ("html", "json") or "日本" in written[0].decode("utf-8")
    assert b"\r" not in written[0]


def test_standard_input_is_read() -> None:
    text = EXAMPLE_RESPONSE.read_text(encoding="utf-8")
    assert _run("score", PAIR[0], "-", input=text).stdout == _run("score", *PAIR).stdout


@pytest.mark.parametrize(
    ("options", "first"),
    [
        ([], "coreferential mentions, zeros (using dependent match method) using head"),
        (["-s", "-z", "linear"], "coreferential mentions, singletons, zeros (using linear match method) using head"),
        (["-a", "partial"], "coreferential mentions, zeros (using dependent match method) using partial-corefud"),
        (["-a", "partial", "-x"], "coreferential mentions, zeros (using dependent match method) using exact"),
        (["-m", "mor", "--"], " using head"),
        (["-m", "--"], " using head"),
    ],
)
def test_the_drop_in_says_what_it_does(options: list[str], first: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert compat([*options, *PAIR]) == 0
    assert capsys.readouterr().out.split("\n")[0] == f"The scorer is evaluating {first} match evaluation setting."


def test_the_drop_in_prints_its_first_lines_before_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As CorefUD scorer 1.2 does, whose standard output is then the same to the byte."""
    faulty = tmp_path / "faulty.conllu"
    faulty.write_text("# newdoc id = d\n1\tw\t_\t_\t_\t_\t0\t_\t_\tEntity=(e1)\n\n", encoding="utf-8")
    for path in (faulty, tmp_path / "missing.conllu"):
        assert compat([str(path), str(path), "-x", "-s", "-m", "muc", "lea"]) == 1
        out, err = capsys.readouterr()
        assert out == (
            "The scorer is evaluating coreferential mentions, singletons, zeros (using dependent match method)"
            " using exact match evaluation setting.\nThe following metrics will be evaluated: muc, lea\n\n"
        )
        assert "error" in err


def test_the_drop_in_prints_conll_for_any_three_listed_names(capsys: pytest.CaptureFixture[str]) -> None:
    """Quirk 16: MUC three times is a CoNLL score, too."""
    assert compat(["-m", "muc", "muc", "muc", "--", *PAIR]) == 0
    out = capsys.readouterr().out
    assert out.count("muc\n") == 3 + 1
    assert f"CoNLL score: {100 * corefscope.score(*PAIR)['muc'].f1:.2f}" in out


def test_the_drop_in_complains_without_a_traceback(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert compat([PAIR[0], str(tmp_path / "none")]) == 1
    assert "no such file" in capsys.readouterr().err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is full")
@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["score", "--help"], [], ["metrics"]])
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_what_cannot_be_written_is_exit_code_1(arguments: list[str], unbuffered: str) -> None:
    command = [sys.executable, "-m", "corefscope", *arguments]
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, env=environment)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert done.stderr.startswith("corefscope: error: cannot write")


@pytest.mark.skipif(os.name != "posix", reason="needs a shell")
def test_complaints_never_go_to_standard_output() -> None:
    command = f"{sys.executable} -m corefscope score key.conllu 2>&-"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")


def test_an_interrupt_among_the_imports_is_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("corefscope.cli.parser.command_parser", interrupted)
    assert main(["metrics"]) == 130
    monkeypatch.setattr("corefscope.cli.terminal.guarded", interrupted)
    assert main(["metrics"]) == 130


@pytest.mark.parametrize("command", COMMANDS)
def test_descriptions_are_wrapped(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    with pytest.raises(SystemExit):
        main([command, "--help"])
    _, description, *_ = capsys.readouterr().out.split("\n\n")
    assert max(map(len, description.splitlines())) <= 58
    assert description.replace("\n", " ") == " ".join(COMMANDS[command].load().DESCRIPTION.split())


def test_lists_fit_the_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for arguments in (["metrics"], ["presets"], ["validate", PAIR[0]]):
        assert main(arguments) == 0
        assert max(map(len, capsys.readouterr().out.splitlines())) <= 80


def test_seeds_are_not_negative(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["compare", *PAIR], ["curves", PAIR[0]], ["perturb", PAIR[0], "-o", "no"], ["task", "no"]):
        with pytest.raises(SystemExit) as ended:
            main([*arguments, "--seed=-1"])
        assert ended.value.code == 2
        assert "'-1' is not a number from 0" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["scroe", "k", "r"], "unknown command 'scroe' (did you mean 'score'"),
        (["score", "k", "r", "--mtach", "exact"], "unknown option '--mtach' (did you mean '--match'"),
        (["score", "k", "r", "--mtach=exact"], "unknown option '--mtach' (did you mean '--match'"),
        (["--vresion"], "unknown option '--vresion' (did you mean '--version'"),
        (["score", "k", "r", "x"], "too many arguments: x (corefscope score --help"),
    ],
)
def test_typos_get_suggestions(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err


def test_inputs_in_directories_and_patterns_are_not_written_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in ("keys", "responses", "task/en"):
        (tmp_path / folder).mkdir(parents=True)
    files = {"keys/a.conllu": 0, "responses/a.conllu": 1, "task/en/key.conllu": 0, "task/en/ours.conllu": 1}
    for name, side in files.items():
        (tmp_path / name).write_bytes(Path(PAIR[side]).read_bytes())
    for command, target in (
        (["score", "keys", "responses"], "keys/a.conllu"),
        (["score", "keys/*.conllu", "responses/*.conllu"], "responses/a.conllu"),
        (["task", "task"], "task/en/ours.conllu"),
    ):
        assert main([*command, "--format", "text", "-o", target]) == 2, command
        assert "is an input: it would be overwritten" in capsys.readouterr().err
    assert {
        name: (tmp_path / name).read_bytes() == Path(PAIR[side]).read_bytes() for name, side in files.items()
    } == (dict.fromkeys(files, True))
    assert main(["score", "keys", "responses", "-o", "keys/scores.txt"]) == 0  # new, so nothing is lost


def test_max_unpacked_stops_a_compression_bomb_in_every_command_that_reads(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COREFSCOPE_MAX_UNPACKED", "1GB")  # and what it was is restored
    bomb = tmp_path / "bomb.conllu.gz"
    bomb.write_bytes(gzip.compress(b"# newdoc\n" * 300_000))
    path = str(bomb)
    for command in (
        ["score", path, path],
        ["validate", path],
        ["stats", path],
        ["convert", path, "-", "--to", "jsonl"],
    ):
        code = main([*command, "--max-unpacked", "2MB"])
        assert code in (1, 2), command
        told = "".join(capsys.readouterr())
        assert "unpacks to more than 2MB" in told, command
        assert "--max-unpacked" in told
    with pytest.raises(SystemExit):
        main(["score", path, path, "--max-unpacked", "much"])
    assert "'much' is not a size: write 500MB" in capsys.readouterr().err
