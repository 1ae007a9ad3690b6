"""``corefscope score --engine``: options, faults and interrupts, as people meet them on the command line."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

import jsonschema
import pytest

import corefscope
from corefscope.cli import main, score
from corefscope.cli.arguments import ENGINE_ONLY, SHARED
from corefscope.cli.terminal import ProgressBar
from corefscope.output.formats.json_text import schema
from corefscope.scale.engines.tabulate import DUPLICATES
from labelled import made, write

duckdb = pytest.importorskip("duckdb")
MANY = 1_000_000  # rows that take some seconds


@pytest.fixture
def pair(tmp_path: Path) -> list[str]:
    """A key and a response."""
    sides = next(sides for n in range(100) if (sides := made(Random(n))).documents)
    return [write(tmp_path / f"{name}.csv", getattr(sides, name), True) for name in ("key", "response")]


@pytest.fixture
def linked(tmp_path: Path) -> str:
    """A table as splink users have it: the true entity, and clusters at several thresholds."""
    lines = ["unique_id,person,cluster_90,cluster_95,name", "1,a,1,1,x", "2,a,1,2,y", "3,b,1,3,z", "4,b,4,3,z"]
    path = tmp_path / "linked.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    return str(path)


def test_an_engine_prints_what_memory_prints(pair: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", *pair, "--metrics", "muc,bcub,ceafm,blanc", "--per-document", "--no-rules-note"]) == 0
    in_memory = capsys.readouterr()
    options = ["--engine", "duckdb", "--memory", "500MB", "--threads", "1"]
    assert main(["score", *pair, "--metrics", "muc,bcub,ceafm,blanc", "--per-document", *options]) == 0
    by_engine = capsys.readouterr()
    assert by_engine.out == in_memory.out
    assert not [line for line in by_engine.err.splitlines() if "missing" not in line]


def test_json_keeps_to_its_schema(pair: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", *pair, "--engine", "duckdb", "--format", "json", "--quiet"]) == 0
    content = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(schema()).validate(content)
    assert content["inputs"]["key"]["engine"].startswith("duckdb ")
    assert content["inputs"]["key"]["columns"]["document"] == "document"
    assert "documents" not in content


def test_one_table_is_scored_by_its_columns(linked: str, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--key-column", "person", "--response-column", "cluster_95", "--metrics", "bcub"]
    assert main(["score", linked, "--engine", "duckdb", *options]) == 0
    captured = capsys.readouterr()
    assert not captured.err
    figures = corefscope.score_labels(["a", "a", "b", "b"], [1, 2, 3, 3])["bcub"]
    assert captured.out.splitlines()[1].split() == ["B³", *(f"{100 * figure:.2f}" for figure in figures)]


@pytest.mark.parametrize("columns", ["cluster_90,cluster_95", "cluster_*"])
@pytest.mark.parametrize("tables", [1, 2])
def test_several_columns_are_a_threshold_sweep(
    columns: str, tables: int, linked: str, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--key-column", "person", "--mention-column", "unique_id", "--response-column", columns]
    assert main(["score", *[linked] * tables, "--engine", "duckdb", *options, "--metrics", "muc,bcub"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["F1", "MUC", "B³"]
    assert [line.split()[0] for line in lines[1:3]] == ["cluster_90", "cluster_95"]
    assert main(["score", linked, "--engine", "duckdb", *options, "--format", "csv", "--metrics", "muc"]) == 0
    assert capsys.readouterr().out.splitlines()[1].startswith("cluster_90,muc,")


def test_documents_are_written_to_a_file(pair: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "by-document.csv"
    assert main(["score", *pair, "--engine", "duckdb", "--documents-output", str(path), "--quiet"]) == 0
    header, *rows = path.read_text(encoding="utf-8").splitlines()
    assert header.startswith("document,pairs_recall,pairs_precision,pairs_f1,")
    assert len(rows) == len(corefscope.score(*pair).documents)
    assert main(["score", *pair, "--engine", "duckdb", "--documents-output", pair[0]]) == 2
    assert "is an input" in capsys.readouterr().err


def test_tables_that_an_engine_writes_are_safe_in_a_spreadsheet(tmp_path: Path) -> None:
    key, table, entities = tmp_path / "key.csv", tmp_path / "documents.csv", tmp_path / "entities.tsv"
    key.write_text("document,mention,entity\n=1,a,@e\n=1,b,@e\n", encoding="utf-8")
    paths = ["--documents-output", str(table), "--entities", str(entities)]
    command = ["score", str(key), str(key), "--engine", "duckdb", "--metrics", "muc", *paths, "--quiet"]
    assert main(command) == 0
    assert table.read_text(encoding="utf-8").splitlines()[1] == "=1,1.0,1.0,1.0"
    assert main([*command, "--spreadsheet"]) == 0
    assert table.read_text(encoding="utf-8").splitlines()[1] == '"\'=1",1.0,1.0,1.0'
    assert entities.read_text(encoding="utf-8").splitlines()[1].startswith('"\'=1"\t"\'@e"\t2\t')


def test_a_process_that_ends_says_nothing_of_its_own(pair: list[str]) -> None:
    """DuckDB complains at the end of what the garbage collector was told to keep."""
    command = [sys.executable, "-m", "corefscope", "score", *pair, "--engine", "duckdb", "--metrics", "muc"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert not [line for line in done.stderr.splitlines() if "missing" not in line]


@pytest.mark.parametrize("code", ["import corefscope", "from corefscope.cli import main; main(['score', *{}])"])
def test_who_names_no_engine_loads_none(code: str, pair: list[str]) -> None:
    program = f"{code.format(pair)}\nimport sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "corefscope" in loaded
    assert not {"duckdb", "_duckdb", "pyspark", "pyarrow"} & loaded
    assert not [name for name in loaded if name.startswith(("corefscope.scale.engines", "corefscope.scale.tables"))]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--engine", "duck"], 2, "unknown engine 'duck'"),
        (["--engine", "spark"], 2, "pass your session in Python"),
        (["--engine", "duckdb", "--jobs", "2"], 2, "--jobs and --engine cannot be combined: --threads"),
        (["--engine", "duckdb", "--settings", "crac"], 2, "--settings and --engine cannot be combined"),
        (["--engine", "duckdb", "--baseline", "none"], 2, "baseline cannot be used here"),
        (["--engine", "duckdb", "--heads", "tree"], 2, "heads cannot be used here: mentions are ids"),
        (["--engine", "duckdb", "--metrics", "mor"], 2, "mor needs the words"),
        (["--engine", "duckdb", "--key-format", "conll"], 2, "an engine reads tables, not conll"),
        (["--engine", "duckdb", "--mention-column", "id"], 1, "hint: there are 'document', 'mention', 'entity'"),
        (["--engine", "duckdb", "--temp", "no/such/directory"], 1, "--temp"),
        (["--engine", "duckdb", "--duplicates", "largest"], 2, "corrected"),
        (["--engine", "duckdb", "--duplicates", "drop"], 2, "unknown duplicates 'drop'"),
    ],
)
def test_what_does_not_go_with_an_engine_is_refused(
    arguments: list[str], code: int, message: str, pair: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", *pair, *arguments]) == code
    captured = capsys.readouterr()
    assert message in captured.err
    assert not captured.out


def test_help_explains_duplicates() -> None:
    assert [*SHARED["--duplicates"]["values"]] == [*DUPLICATES]


@pytest.mark.parametrize("option", ENGINE_ONLY)
def test_options_of_engines_need_one(option: str, pair: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    value = {"--memory": "4GB", "--threads": "2", "--duplicates": "error"}.get(option, "x")
    assert main(["score", *pair, option, value]) == 2
    assert f"{option} needs --engine" in capsys.readouterr().err


def test_one_file_needs_a_response_or_columns(linked: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", linked]) == 2
    assert "arguments are required: RESPONSE" in capsys.readouterr().err
    assert main(["score", linked, "--engine", "duckdb"]) == 2
    assert "--entity-column KEY_NAME,RESPONSE_NAME" in capsys.readouterr().err


def test_a_signature_is_replayed(pair: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    signature = "table|match:exact|zeros:dependent|singletons:drop|rules:corrected|documents:merge|v0.5.0"
    assert main(["score", *pair, "--engine", "duckdb", "--signature", signature, "--quiet"]) == 0
    assert signature.rpartition("|")[0] in capsys.readouterr().out.replace("\n|", "|")


def test_faults_are_messages_with_examples_and_hints(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "twice.csv"
    path.write_text("mention,entity\n1,a\n1,b\n\x1b[31m,a\n\x1b[31m,c\n", encoding="utf-8")
    assert main(["score", str(path), str(path), "--engine", "duckdb"]) == 1
    err = capsys.readouterr().err
    assert "2 mentions in several entities" in err
    assert "--duplicates largest --rules corrected" in err
    assert "\x1b" not in err
    assert main(["score", str(path), str(path), "--engine", "duckdb", "--rules", "corrected"]) == 1
    assert main(["score", str(path), str(path), "--engine", "duckdb", *_largest()]) == 0


def _largest() -> list[str]:
    return ["--rules", "corrected", "--duplicates", "largest"]


def test_a_note_names_the_option_above_five_million_rows(
    pair: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert score.MANY_ROWS == 5_000_000
    assert main(["score", *pair]) == 0
    assert "--engine" not in capsys.readouterr().err
    monkeypatch.setattr(score, "MANY_ROWS", 10)
    assert main(["score", *pair]) == 0
    assert "note: tables of more than 10 rows take less memory with --engine duckdb" in capsys.readouterr().err
    assert main(["score", *pair, "--quiet"]) == 0
    assert main(["score", *pair, "--engine", "duckdb", "--quiet"]) == 0
    assert not capsys.readouterr().err


class Terminal:
    """Standard error that is a terminal."""

    encoding = "utf-8"

    def __init__(self) -> None:
        self.text = ""

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.text += text
        return len(text)

    def flush(self) -> None:
        """Nothing is kept back."""


def test_steps_are_shown_on_a_terminal_only(
    pair: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    told = ProgressBar.__call__

    def tell(bar: ProgressBar, number: int, total: int, name: str) -> None:
        steps.append(name)
        told(bar, number, total, name)

    monkeypatch.setattr(ProgressBar, "__call__", tell)
    arguments = ["score", *pair, "--engine", "duckdb", "--metrics", "ceafe"]
    assert main(arguments) == 0
    assert len(steps) > 3
    assert not [line for line in capsys.readouterr().err.splitlines() if "missing" not in line]
    terminal = Terminal()
    monkeypatch.setenv("TERM", "xterm")
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stderr", terminal)
        assert main(arguments) == 0
    assert steps[0][:6] in terminal.text
    with monkeypatch.context() as patched:
        quiet = Terminal()
        patched.setattr(sys, "stderr", quiet)
        assert main([*arguments, "--quiet"]) == 0
    assert not quiet.text


# What runs out, and interrupts


@pytest.fixture(scope="session")
def large(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Tables that take some seconds, and more memory than is allowed."""
    folder = tmp_path_factory.mktemp("large")
    paths = []
    for name, size in (("key", 5), ("response", 4)):
        paths.append(str(folder / f"{name}.parquet"))
        rows = f"SELECT 'mention ' || hash(range) AS mention, hash(range // {size}) AS entity FROM range({MANY})"
        duckdb.connect().execute(f"COPY ({rows}) TO '{paths[-1]}' (FORMAT parquet)")
    return paths


SAYING_STEPS = """\
import sys
from corefscope.cli.terminal import ProgressBar
from corefscope.scale.engines.tabulate import DUPLICATES
ProgressBar.__call__ = lambda self, number, total, name: print(name, flush=True)
from corefscope.cli import main
sys.exit(main())
"""


@pytest.mark.skipif(os.name != "posix", reason="signals are those of POSIX")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupt_ends_the_statement_and_leaves_no_file(
    number: int, code: int, large: list[str], tmp_path: Path
) -> None:
    output = tmp_path / "by-document.csv"
    options = ["--engine", "duckdb", "--memory", "80MB", "--temp", str(tmp_path), "--documents-output", str(output)]
    command = [sys.executable, "-c", SAYING_STEPS, "score", *large, *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stderr is not None
    with process.stdout, process.stderr:
        for line in process.stdout:
            if "join" in line:
                break
        time.sleep(0.3)
        assert list(tmp_path.iterdir())
        process.send_signal(number)
        began = time.monotonic()
        assert process.wait(60) == code
        assert time.monotonic() - began < 20
        assert "Traceback" not in process.stderr.read()
    assert not list(tmp_path.iterdir())


def test_a_small_memory_ends_with_an_empty_temp_directory(large: list[str], tmp_path: Path) -> None:
    report = corefscope.score_tables(*large, memory="80MB", temp=tmp_path, metrics="muc,ceafm")
    assert report.inputs[0].mentions == MANY
    assert 0.7 < report["muc"].f1 < 1
    assert not list(tmp_path.iterdir())


def test_too_little_memory_is_an_error_that_names_the_option(
    large: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", *large, "--engine", "duckdb", "--memory", "5MB", "--temp", str(tmp_path)]) == 1
    assert "--memory" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_full_temp_directory_is_an_error_that_names_the_option(large: list[str], tmp_path: Path) -> None:
    settings = {"memory_limit": "40MB", "temp_directory": str(tmp_path), "max_temp_directory_size": "1MB"}
    connection = duckdb.connect(config=settings)
    with pytest.raises(corefscope.InputError) as caught:
        corefscope.score_tables(*large, engine=connection)
    assert "--temp" in caught.value.hint


def test_the_free_disk_is_compared_with_the_rows_before_they_are_joined(
    large: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def usage(_: Any) -> Any:
        return shutil._ntuple_diskusage(10**9, 10**9, 1_000_000)

    monkeypatch.setattr(shutil, "disk_usage", usage)
    assert main(["score", *large, "--engine", "duckdb", "--memory", "40MB"]) == 1
    err = capsys.readouterr().err
    assert f"{2 * MANY:,} rows" in err
    assert "--temp" in err
