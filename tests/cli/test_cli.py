"""The command line as people use it."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from pathlib import Path

import pytest

from corefscope.cli import main
from corefscope.core.metrics import GROUPS, METRICS
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE

PAIR = [str(EXAMPLE_KEY), str(EXAMPLE_RESPONSE)]


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
    assert "corefscope demo" in capsys.readouterr().out


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


@pytest.mark.parametrize(
    ("command", "encoding"),
    [
        (["score", *PAIR, "--per-document"], "cp1252"),
        (["score", *PAIR, "--per-document"], "cp437"),
        (["score", *PAIR, "--per-document"], "ascii"),
        (["errors", *PAIR], "cp437"),
        (["compare", PAIR[0], PAIR[1], PAIR[0], "--names", "→,日本"], "cp1252"),
        (["diff", *PAIR], "ascii"),
        (["explain", "lea", *PAIR], "ascii"),
        (["stats", PAIR[0]], "cp1252"),
        (["curves", PAIR[0], "--step", "50"], "cp437"),
        (["validate", PAIR[0]], "ascii"),
        (["metrics", "lea", "blanc"], "cp1252"),
        (["score", "→.conllu", PAIR[1]], "cp437"),
        (["--help"], "ascii"),
    ],
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


@pytest.mark.parametrize("form", ["csv", "markdown", "html"])
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


def test_an_interrupt_among_the_imports_is_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("corefscope.cli.parser.command_parser", interrupted)
    assert main(["metrics"]) == 130
    monkeypatch.setattr("corefscope.cli.terminal.guarded", interrupted)
    assert main(["metrics"]) == 130


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
        (["score", "k", "r", "x"], "too many arguments: x (see corefscope score --help"),
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
    assert main(["score", path, path, "--max-unpacked", "much"]) == 2
    assert "'much' is not a size: write 500MB" in capsys.readouterr().err
