"""The app without a browser: what it consists of, how it is served, and what Python answers its page."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from corefscope.cli import main
from corefscope.core.options import TITLES, Options
from corefscope.formats.files import score
from corefscope.output.pages.app import worker_api
from corefscope.output.pages.app.files import PYODIDE, app_files, find_pyodide, policy, write_app
from corefscope.output.pages.app.worker_api import TABS, WorkerApi
from corefscope.output.pages.serve import SAFE, Server, serve_app
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE, SOURCE
from serving import running

ASSETS = SOURCE / "output" / "pages" / "app" / "assets"


@pytest.fixture(scope="module")
def pyodide(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory that looks like Pyodide."""
    folder = tmp_path_factory.mktemp("pyodide")
    for name in PYODIDE:
        (folder / name).write_bytes(b"\0" + name.encode())
    return folder


@pytest.fixture(scope="module")
def files(pyodide: Path) -> dict[str, bytes]:
    return app_files(pyodide)


def _asked(api: WorkerApi, job: str, **more: Any) -> dict[str, Any]:
    question = {"batch": 1, "key": str(EXAMPLE_KEY), "responses": [str(EXAMPLE_RESPONSE)], "options": {}, "job": job}
    answer: dict[str, Any] = json.loads(api.answer(json.dumps({**question, **more})))
    return answer


@pytest.mark.parametrize("job", [job for job in TABS if job != "report"])
@pytest.mark.parametrize("format_", ["json", "csv", "markdown", "latex"])
def test_what_is_saved_is_what_the_command_line_writes(
    job: str, format_: str, capsys: pytest.CaptureFixture[str]
) -> None:
    commands = {"scores": "score", "comparison": "compare", "errors": "errors", "validation": "validate"}
    main([commands[job], str(EXAMPLE_KEY), str(EXAMPLE_RESPONSE), "--format", format_])
    assert _asked(WorkerApi(), job, format=format_, result=0) == {"text": capsys.readouterr().out}


def test_results_are_shown_as_plain_values() -> None:
    (part,) = _asked(WorkerApi(), "scores")["parts"]
    (sheet,) = part["blocks"][0]["sheets"]
    assert part["name"] == "response"
    assert sheet["head"] == ["", "Recall", "Precision", "F1"]
    assert sheet["rows"][0] == {
        "strong": True,
        "cells": [[text, False, "", ""] for text in ("CoNLL", "", "", "72.88")],
    }
    assert part["signatures"] == [Options().signature]
    for job in TABS:
        answer = _asked(WorkerApi(), job)
        assert all(isinstance(text, str) for text in _texts(answer)), job


def _texts(value: Any) -> Iterator[Any]:
    """What the page will take for text: all that is neither a list nor an object, a number nor a truth value."""
    if isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _texts(part)
    elif not isinstance(value, int):
        yield value


def test_texts_are_scored_in_windows() -> None:
    options = {"windows": "20", "metrics": "conll"}
    for job in ("scores", "errors", "comparison"):
        (part,) = _asked(WorkerApi(), job, options=options)["parts"]
        assert "71.19" in json.dumps(part), job
    assert "words" in _asked(WorkerApi(), "scores", options={"windows": "many"})["error"]


def test_notes_of_tables_are_text_also_where_there_is_nothing_to_note() -> None:
    """A list in the place of a text would stop the page; a response without zeros has nothing to say about them."""
    (part,) = _asked(WorkerApi(), "errors", responses=[str(EXAMPLE_KEY)])["parts"]
    assert [sheet["note"] for block in part["blocks"] for sheet in block.get("sheets", ())] == [""]


def test_results_are_kept_until_files_or_options_are_others(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    job = TABS["scores"]
    monkeypatch.setitem(TABS, "scores", job._replace(make=lambda asked: made.append(asked.key) or job.make(asked)))  # type: ignore[func-returns-value]
    api = WorkerApi()
    _asked(api, "scores")
    _asked(api, "scores")
    assert len(made) == 1
    _asked(api, "scores", batch=2)
    _asked(api, "scores", batch=2, options={"match": "exact"})
    assert len(made) == 3


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A response that is faulty on its first line."""
    path = tmp_path / "broken.conllu"
    path.write_text("1\tbroken\n\n", encoding="utf-8")
    return path


def test_an_error_is_beside_its_response_and_does_not_block_the_others(broken: Path) -> None:
    api, responses = WorkerApi(), [str(EXAMPLE_RESPONSE), str(broken), str(EXAMPLE_KEY)]
    good, bad, perfect = _asked(api, "scores", responses=responses)["parts"]
    assert good["complete"]
    assert perfect["complete"]
    assert not bad["complete"]
    (failure,) = bad["failures"]
    assert (failure["name"], failure["in_files"]) == ("broken", True)
    assert failure["message"].startswith(f"{broken}:1: ")
    (compared,) = _asked(api, "comparison", responses=responses)["parts"]
    assert compared["failures"] == bad["failures"]
    assert [row["cells"][0][0] for row in compared["blocks"][0]["sheets"][0]["rows"]] == ["key", "response"]
    report = _asked(api, "report", responses=responses)
    assert report["failures"] == bad["failures"]
    assert report["names"] == ["response", "broken", "key"]
    saved = _asked(api, "errors", responses=responses, format="json", result=1)
    assert saved["error"] == failure["message"]
    assert "text" in _asked(api, "errors", responses=responses, format="json", result=2)


def test_a_broken_key_is_said_once(broken: Path) -> None:
    for job in ("scores", "comparison", "errors", "report"):
        answer = _asked(WorkerApi(), job, key=str(broken), responses=[str(EXAMPLE_RESPONSE), str(EXAMPLE_KEY)])
        assert answer["error"].startswith(f"{broken}:1: "), job


def test_a_file_that_the_browser_cannot_read_is_named() -> None:
    gone = "responses/gone.conllu"
    asked = {"responses": [str(EXAMPLE_RESPONSE), gone], "unreadable": [gone]}
    for job in ("scores", "validation"):
        *_, last = _asked(WorkerApi(), job, **asked)["parts"]
        assert last["failures"][0]["message"].startswith(f"{gone}: cannot be read: has it changed"), job


@pytest.fixture
def directories(tmp_path: Path, broken: Path) -> dict[str, Any]:
    """A key of two files, a system with both, and one of which a file is broken."""
    for folder, sources in {
        "key": (EXAMPLE_KEY, EXAMPLE_KEY),
        "responses/ours": (EXAMPLE_RESPONSE, EXAMPLE_KEY),
        "responses/theirs": (EXAMPLE_RESPONSE, broken),
    }.items():
        (tmp_path / folder).mkdir(parents=True)
        for name, source in zip(("cs", "en"), sources, strict=True):
            suffix = "" if folder == "key" else f".{folder.rpartition('/')[2]}"
            (tmp_path / folder / f"{name}{suffix}.conllu").write_bytes(source.read_bytes())
    systems = [str(tmp_path / "responses" / name) for name in ("ours", "theirs")]
    return {"key": str(tmp_path / "key"), "responses": systems, "names": ["ours", "theirs"]}


def test_the_files_of_a_system_are_scored_together_only_if_all_can_be_read(directories: dict[str, Any]) -> None:
    ours, theirs = _asked(WorkerApi(), "scores", **directories)["parts"]
    together = score(directories["key"], directories["responses"][0])
    assert ours["signatures"] == [together.signature]
    assert ours["blocks"][0]["sheets"][0]["rows"][0]["cells"][3][0] == f"{100 * together['conll'].f1:.2f}"
    assert [row["cells"][0][0] for row in ours["files"][0]["sheets"][0]["rows"]] == ["cs", "en"]
    assert [row["cells"][-1][0] for row in ours["files"][0]["sheets"][0]["rows"]] == ["72.88", "100.00"]
    assert (theirs["complete"], theirs["blocks"], theirs["signatures"]) == (False, [], [])
    assert [failure["name"] for failure in theirs["failures"]] == ["en"]
    assert [row["cells"][0][0] for row in theirs["files"][0]["sheets"][0]["rows"]] == ["cs"]
    (compared,) = _asked(WorkerApi(), "comparison", **directories)["parts"]
    assert [failure["name"] for failure in compared["failures"]] == ["theirs, en"]
    (validated,) = _asked(WorkerApi(), "validation", **directories)["parts"]
    assert "6 files" in json.dumps(validated["blocks"])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (
            {},
            [
                "head the default for keys in corefud",
                "drop the default for keys in corefud",
                "corefud-1.2 the default",
            ],
        ),
        (
            {"rules": "ua-1.0", "singletons": "drop"},
            ["exact the default of ua-1.0", "drop as chosen", "ua-1.0 as chosen"],
        ),
        ({"preset": "crac24"}, ["head by preset crac24", "drop by preset crac24", "corefud-1.2 by preset crac24"]),
    ],
)
def test_how_a_score_was_made_is_said_in_words(options: dict[str, str], said: list[str]) -> None:
    (part,) = _asked(WorkerApi(), "scores", options=options)["parts"]
    assert [f"{setting['value']} {setting['reason']}" for setting in part["settings"]] == said
    assert all(setting["meaning"] == TITLES[setting["option"]][setting["value"]] for setting in part["settings"])


def test_progress_is_told() -> None:
    told: list[tuple[int, int, str]] = []
    question = {"batch": 1, "key": str(EXAMPLE_KEY), "responses": [str(EXAMPLE_RESPONSE)], "options": {}}
    WorkerApi().answer(json.dumps({**question, "job": "scores"}), lambda *now: told.append(now))
    assert [of for _, of, _ in told] == [2, 2]


def test_errors_are_sentences(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    faulty = tmp_path / "faulty.conllu"
    faulty.write_text("1\tbroken\n\n", encoding="utf-8")
    answer = _asked(WorkerApi(), "scores", responses=[str(faulty)])
    assert answer["error"].startswith(f"{faulty}:1: ")
    assert answer["in_files"] is True
    answer = _asked(WorkerApi(), "scores", options={"metrics": "leaf"})
    assert "did you mean" in answer["error"]
    assert answer["in_files"] is False
    for error, said in (
        (ModuleNotFoundError("no", name="numpy.linalg"), "needs numpy, which is not available in the browser"),
        (MemoryError(), "too large for the memory"),
        (KeyError("x"), "Unexpected error (KeyError)"),
    ):

        def fail(_: Any, error: Exception = error) -> Any:
            raise error

        monkeypatch.setitem(TABS, "scores", TABS["scores"]._replace(make=fail))
        answer = _asked(WorkerApi(), "scores")
        assert said in answer["error"]
        assert "pip install corefscope" in answer["error"]


def test_a_score_without_numpy_scipy_and_rich_is_all_the_page_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the browser does not have is not imported for ordinary files."""
    for name in list(sys.modules):
        if name.partition(".")[0] in ("numpy", "scipy", "rich") or name == "corefscope.comparison.count_matrix":
            monkeypatch.delitem(sys.modules, name)
    for name in ("numpy", "scipy", "rich"):
        monkeypatch.setitem(sys.modules, name, None)
    for job in TABS:
        assert "error" not in _asked(WorkerApi(), job), job
    monkeypatch.undo()


def test_the_site_is_whole(files: dict[str, bytes]) -> None:
    scripts = {f"app/assets/{path.name}" for path in ASSETS.glob("*.js")}
    assert scripts <= files.keys()
    for name in scripts:
        lines = files[name].decode().splitlines()
        assert lines[0] == "// @ts-check", name
        assert max(map(len, lines)) <= 120, name
    page = files["index.html"].decode()
    for name in re.findall(r'(?:href|src)="([^":#]+)"', page):
        assert name in files
    assert {f"pyodide/{name}" for name in PYODIDE} <= files.keys()
    with ZipFile(io.BytesIO(files["python.zip"])) as archive:
        names = archive.namelist()
        assert archive.read("corefscope/output/pages/app/worker_api.py") == Path(worker_api.__file__).read_bytes()
    assert {
        "jinja2/environment.py",
        "markupsafe/_native.py",
        "corefscope/output/pages/report/assets/page.css",
    } <= set(names)
    assert not [name for name in names if name.endswith((".so", ".pyc")) or "node_modules" in name]
    assert b"Pallets" in files["licences.txt"]
    assert b"Mozilla" in files["licences.txt"]


def test_the_page_has_nothing_inline_and_a_strict_policy(files: dict[str, bytes]) -> None:
    page = files["index.html"].decode()
    assert not re.search(r"<script(?![^>]* src=)|<style|\son\w+=|\sstyle=|javascript:", page)
    rules = dict(rule.strip().split(" ", 1) for rule in policy().split(";"))
    assert rules["default-src"] == "'none'"
    assert rules["connect-src"] == "'self'"
    assert "unsafe-inline" not in policy()
    assert "'unsafe-eval'" not in policy()
    assert not re.search(r"https?:|\*", policy())


def test_the_same_sources_make_the_same_site(files: dict[str, bytes], pyodide: Path, tmp_path: Path) -> None:
    write_app(tmp_path / "a" / "site", pyodide)
    written = {
        path.relative_to(tmp_path / "a" / "site").as_posix(): path.read_bytes()
        for path in (tmp_path / "a").rglob("*")
        if path.is_file()
    }
    assert written == files


@pytest.fixture(scope="module")
def server(pyodide: Path) -> Iterator[Server]:
    server = serve_app(pyodide, port=0)
    with running(server):
        yield server


@pytest.mark.parametrize(
    ("path", "status", "kind"),
    [
        ("/", 200, "text/html; charset=utf-8"),
        ("/index.html?x=1", 200, "text/html; charset=utf-8"),
        ("/app/assets/worker.js", 200, "text/javascript; charset=utf-8"),
        ("/pyodide/pyodide.asm.wasm", 200, "application/wasm"),
        ("/pyodide/pyodide.mjs", 200, "text/javascript; charset=utf-8"),
        ("/python.zip", 200, "application/zip"),
        ("/version", 404, "text/plain; charset=utf-8"),
        ("/app/", 404, "text/plain; charset=utf-8"),
        ("/../../../etc/passwd", 404, "text/plain; charset=utf-8"),
        ("//etc/passwd", 404, "text/plain; charset=utf-8"),
        ("/app/assets/package.json", 404, "text/plain; charset=utf-8"),
    ],
)
def test_the_server_has_the_files_of_the_site_only(server: Server, path: str, status: int, kind: str) -> None:
    connection = HTTPConnection("127.0.0.1", server.server_address[1], timeout=10)
    connection.request("GET", path)
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    assert (answer.status, answer.headers["Content-Type"]) == (status, kind)
    assert int(answer.headers["Content-Length"]) == len(content)
    assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
    assert status == 404 or policy() in answer.headers["Content-Security-Policy"]
    for name, value in SAFE.items():
        assert answer.headers[name] == value


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--app"], 1, "npm install pyodide@"),
        (["--app", "--pyodide", "."], 2, "is not the required version of Pyodide: it has no pyodide.mjs"),
        (["--app", "key.conllu"], 2, "--app takes no files"),
        ([], 2, "or give --app"),
        (["key.conllu"], 2, "at least one response"),
    ],
)
def test_the_command_says_what_is_missing(
    arguments: list[str],
    code: int,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["serve", *arguments]) == code
    assert said in capsys.readouterr().err


def test_pyodide_is_found_below_the_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "node_modules" / "pyodide").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    assert find_pyodide() == Path("node_modules/pyodide")
    assert find_pyodide("elsewhere") == Path("elsewhere")


def test_printed_text_is_answered_in_every_tab_over_the_words_of_the_key(tmp_path: Path) -> None:
    rows = ["# newdoc id = d", "# global.Entity = eid-etype-head-other", "# sent_id = s"]
    rows += [f"{n}\t{word}\t_\tX\t_\t_\t{n - 1}\tdep\t_\t_" for n, word in enumerate(["Ann", "saw", "her"], 1)]
    key, response = tmp_path / "key.conllu", tmp_path / "out.txt"
    key.write_text("\n".join([*rows, "", ""]), encoding="utf-8")
    response.write_text("Ann|[e1] saw her|[e1]\n", encoding="utf-8")
    for job in TABS:
        answer = json.dumps(_asked(WorkerApi(), job, key=str(key), responses=[str(response)]))
        assert "--skeleton" not in answer
        assert "error" not in json.loads(answer)
