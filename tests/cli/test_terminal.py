"""What a command writes is there whole or not at all, whatever stops it: a full disk, or a signal.

Commands run as processes of their own and are stopped by real signals, at a moment that the test chooses: they say
``writing`` when the first piece is written, and then wait.
"""

from __future__ import annotations

import contextlib
import gzip
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from corefscope.cli import main
from corefscope.cli.parser import COMMANDS, command_parser, options_of
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and limits are those of POSIX")

PAIR = "key.conllu response.conllu"
WRITING = {
    "score": f"score {PAIR} -o out.json",
    "errors": f"errors {PAIR} -o out.json",
    "explain": f"explain muc {PAIR} -o out.json",
    "report": f"report {PAIR} -o out.html",
    "compare": f"compare {PAIR} response.conllu --names a,b --resamples 100 -o out.json",
    "task": "task task --no-significance -o out.json",
    "explain-difference": f"explain-difference 44.44 {PAIR} -o out.json",
    "metrics": "metrics --criteria muc -o out.json",
    "presets": "presets -o out.json",
    "diff": f"diff {PAIR} -o out.txt",
    "agree": f"agree {PAIR} -o out.json",
    "probe": f"probe {PAIR} --resamples 100 -o out.json",
    "correlate": "correlate scores.json -o out.svg",
    "perturb": "perturb key.conllu -o out --kinds drop,split --quiet",
    "curves": "curves noisy -o out.json",
    "merge": "merge part.json -o out.json",
    "convert": "convert key.conllu out.conllu",
    "validate": "validate key.conllu -o out.json",
    "stats": "stats key.conllu -o out.json",
}
PACKED = {"packed": "convert key.conllu out.conllu.gz", "over an old file": "stats key.conllu -o old.json"}
SLOWLY = """\
import sys, time
from corefscope.formats.target import Target
def write(self, content, write=Target.write):
    write(self, content)
    print("writing", flush=True)
    time.sleep(60)
Target.write = write
from corefscope.cli import main
sys.exit(main())
"""
STUBBORNLY = SLOWLY.replace('    print("', '    try: print("', 1).replace(
    "\n    time.sleep(60)", '; time.sleep(60)\n    finally: print("again", flush=True); time.sleep(60)'
)
"""Who says ``writing`` is in the ``try`` already: the signal may come right after."""
STARTING = """\
import sys
from multiprocessing.process import BaseProcess
def start(self, start=BaseProcess.start):
    print("starting", flush=True)
    start(self)
BaseProcess.start = start
from corefscope.cli import main
if __name__ == "__main__": sys.exit(main())
"""
IGNORED = """\
import os, sys, time
from corefscope.cli.terminal import guarded
class Late:
    def __del__(self):
        os.kill(os.getpid(), int(sys.argv[1]))
        time.sleep(0)
def command():
    Late()
    time.sleep(60)
    return 0
sys.exit(guarded(command))
"""
AT_ONCE = "import sys; from corefscope.cli import main; sys.exit(main())"


@pytest.fixture(scope="session")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files for all commands."""
    folder = tmp_path_factory.mktemp("inputs")
    key, response = folder / "key.conllu", folder / "response.conllu"
    (folder / "task" / "en").mkdir(parents=True)
    for source, copy in ((EXAMPLE_KEY, key), (EXAMPLE_RESPONSE, response)):
        shutil.copy(source, copy)
        shutil.copy(source, folder / "task" / "en")
    (folder / "old.json").write_text("old", encoding="utf-8")
    assert main(["perturb", str(key), "-o", str(folder / "noisy"), "--kinds", "drop", "--step", "50", "--quiet"]) == 0
    responses = [str(folder / "noisy" / f"drop-{level}.conllu") for level in ("000", "050", "100")]
    part = ["--per-document", "-o", str(folder / "part.json"), "--quiet"]
    assert main(["score", str(key), responses[1], *part]) == 0
    options = ["--resamples", "100", "-o", str(folder / "scores.json"), "--quiet"]
    assert main(["compare", str(key), *responses, *options]) == 0
    return folder


@pytest.fixture
def folder(inputs: Path, tmp_path: Path) -> Iterator[Path]:
    """A copy of the files, in which nothing may have changed in the end."""
    copy = tmp_path / "files"
    shutil.copytree(inputs, copy)
    yield copy
    assert _content(copy) == _content(inputs)


def _content(folder: Path) -> dict[Path, bytes]:
    return {path.relative_to(folder): path.read_bytes() if path.is_file() else b"" for path in folder.rglob("*")}


def _start(folder: Path, program: str, command: str, prepare: Callable[[], object] = int) -> subprocess.Popen[str]:
    def begin() -> None:
        for number in (signal.SIGINT, signal.SIGHUP):  # which shells ignore in the background, and nohup
            signal.signal(number, signal.SIG_DFL)
        prepare()

    return subprocess.Popen(
        [sys.executable, "-c", program, *command.split()],
        cwd=folder,
        preexec_fn=begin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_every_command_that_writes_is_here() -> None:
    writing = {name for name in COMMANDS if "--output" in options_of(command_parser(name))}
    assert writing | {"convert"} == set(WRITING)


@pytest.mark.parametrize(
    ("command", "number"),
    [
        *((command, signal.SIGTERM) for command in (*WRITING.values(), *PACKED.values())),
        ("task task --no-significance --jobs 1 -o out.html --reports made/pages", signal.SIGTERM),
        *((WRITING[name], number) for name in ("convert", "perturb") for number in (signal.SIGINT, signal.SIGHUP)),
    ],
)
def test_a_signal_leaves_no_file_and_the_exit_code_of_shells(folder: Path, command: str, number: int) -> None:
    with _start(folder, SLOWLY, command) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "writing\n"
        assert list(folder.rglob(".*.part")), "no temporary file: the test looks at the wrong moment"
        process.send_signal(number)
        _, err = process.communicate(timeout=30)
    assert process.returncode == 128 + number
    assert not [line for line in err.splitlines() if not line.startswith(("corefscope: warning: ", "  "))]


def test_a_second_signal_leaves_no_file_either(folder: Path) -> None:
    with _start(folder, STUBBORNLY, WRITING["convert"]) as process:
        assert process.stdout is not None
        for said in ("writing\n", "again\n"):
            assert process.stdout.readline() == said
            process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=30) == 128 + signal.SIGTERM


def _small_files() -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (20, 20))


@pytest.mark.parametrize("command", [*WRITING.values(), *PACKED.values()])
def test_a_full_disk_leaves_no_file_and_the_error_names_it(folder: Path, command: str) -> None:
    with _start(folder, AT_ONCE, command, _small_files) as process:
        _, err = process.communicate(timeout=60)
    name = next(word for word in command.split() if word.startswith(("out", "old")))
    if "perturb" in command:
        name += "/drop-000.conllu"
    assert process.returncode == 1
    assert err.splitlines()[-1].startswith(f"corefscope: error: {name}"), err
    assert err.endswith(": cannot be written: File too large\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is full")
def test_a_full_device_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", "--to", "corefud", str(folder / "key.conllu"), "/dev/full"]) == 1
    assert capsys.readouterr().err == "corefscope: error: /dev/full: cannot be written: No space left on device\n"


def test_a_disk_too_full_for_a_copy_of_what_is_compressed(folder: Path) -> None:
    program = f"from corefscope.formats import source; source.IN_MEMORY = 1; {AT_ONCE}"
    command = "convert key.conllu.gz - --to corefud"
    packed = folder / "key.conllu.gz"
    packed.write_bytes(gzip.compress((folder / "key.conllu").read_bytes()))
    with _start(folder, program, command, _small_files) as process:
        _, err = process.communicate(timeout=60)
    packed.unlink()
    assert process.returncode == 1
    assert "cannot be written: File too large\n  hint: set TMPDIR to another directory" in err


def test_the_files_of_a_directory_are_replaced_together_or_not_at_all(tmp_path: Path) -> None:
    made = tmp_path / "a" / "noisy"
    options = ["-o", str(made), "--step", "50", "--quiet"]
    assert main(["perturb", str(EXAMPLE_KEY), *options, "--kinds", "drop"]) == 0
    assert list((tmp_path / "a").iterdir()) == [made]
    (made / "mine.txt").write_text("mine", encoding="utf-8")
    assert main(["perturb", str(EXAMPLE_KEY), *options, "--kinds", "split"]) == 0
    kinds = {path.name.partition("-")[0] for path in made.iterdir()}
    assert kinds == {"drop", "split", "mine.txt", "manifest.json"}
    (made / "split-050.conllu").unlink()
    (made / "split-050.conllu").mkdir()  # cannot be replaced
    (made / "split-050.conllu" / "mine.txt").touch()
    before = {path: path.read_bytes() for path in made.glob("*.*") if path.is_file()}
    assert main(["perturb", str(EXAMPLE_KEY), *options, "--kinds", "split", "--seed", "7"]) == 1
    assert {path: path.read_bytes() for path in made.glob("*.*") if path.is_file()} == before
    assert (made / "split-050.conllu" / "mine.txt").exists()
    assert not list(made.glob(".*"))


def _opened_by(process: subprocess.Popen[str], pipe: Path) -> int:
    """The writing end of a named pipe, once a process reads it; an error if the process ends before."""
    while process.poll() is None:
        with contextlib.suppress(OSError):  # it is not read yet
            return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        time.sleep(0.01)
    raise AssertionError(process.communicate())


def _ignore_the_end_of_the_terminal() -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)


def test_signals_that_are_ignored_stay_ignored(folder: Path) -> None:
    """``nohup corefscope …`` survives the end of the terminal."""
    os.mkfifo(folder / "slow.conllu")
    with _start(folder, AT_ONCE, "stats slow.conllu", _ignore_the_end_of_the_terminal) as process:
        with open(_opened_by(process, folder / "slow.conllu"), "wb") as pipe:
            process.send_signal(signal.SIGHUP)
            pipe.write(EXAMPLE_KEY.read_bytes())
        assert process.wait(timeout=60) == 0
        process.communicate()
    (folder / "slow.conllu").unlink()


WAITING = """\
import os
from corefscope.formats.source import Source
def opened(name, _open=Source._open):
    if "response" in name:
        with open(os.environ["WAITING"], "rb") as pipe:
            pipe.read()
    return _open(name)
Source._open = opened
"""


def test_a_signal_ends_the_processes_of_a_task(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waiting, site = tmp_path / "waiting", tmp_path / "site"
    os.mkfifo(waiting)
    site.mkdir()
    (site / "sitecustomize.py").write_text(WAITING, encoding="utf-8")
    monkeypatch.setenv("WAITING", str(waiting))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(site), os.environ.get("PYTHONPATH", "")]))
    with _start(folder, AT_ONCE, "task task --no-significance --jobs 2 -o out.json") as process:
        pipe = os.open(waiting, os.O_WRONLY)  # opens when one of the processes reads
        process.send_signal(signal.SIGTERM)
        begun = time.monotonic()
        assert process.wait(timeout=60) == 128 + signal.SIGTERM
        assert time.monotonic() - begun < 20
        process.communicate()
    with pytest.raises(BrokenPipeError):  # nobody reads any more
        os.write(pipe, b"x")
    os.close(pipe)


@pytest.fixture
def two_submissions(folder: Path) -> Iterator[Path]:
    second = folder / "task" / "en" / "second.conllu"
    shutil.copy(folder / "response.conllu", second)
    yield folder
    second.unlink()


@pytest.mark.parametrize("delay", [0, 0.03, 0.06, 0.1])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_to_all_processes_while_some_start_prints_nothing(
    two_submissions: Path, number: int, delay: float
) -> None:
    command = "task task --no-significance --jobs 2 -o out.json --quiet"
    with _start(two_submissions, STARTING, command, os.setsid) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "starting\n"
        time.sleep(delay)
        os.killpg(process.pid, number)
        _, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (128 + number, "")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_leaves_no_reports_of_several_processes(two_submissions: Path, number: int) -> None:
    command = "task task --no-significance --jobs 2 -o out.html --reports made/pages --quiet"
    with _start(two_submissions, AT_ONCE, command, os.setsid) as process:
        while process.poll() is None and not (made := list(two_submissions.glob(".pages.*.part"))):
            time.sleep(0.005)
        assert made
        time.sleep(0.05)
        os.killpg(process.pid, number)
        _, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (128 + number, "")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_in_a_finaliser_ends_the_command(folder: Path, number: int) -> None:
    """Python ignores the exception that the signal raises there."""
    with _start(folder, IGNORED, str(int(number))) as process:
        _, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (128 + number, "")


# ---- standard output and standard error


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is full")
@pytest.mark.parametrize(
    ("arguments", "unbuffered"),
    [(["--help"], ""), (["--version"], "1"), (["score", "--help"], "1"), ([], "1"), (["metrics"], "")],
)
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


# ---- the end of a process

SOURCE = Path(__file__).parents[2] / "src"
LATE = "import atexit, os\natexit.register(os.write, 2, b'handler ran')\n"
KEPT = """
import os, sys

class Late:
    def __del__(self, write=os.write):
        write(2, b"gone")

sys.kept = Late()
"""


def _python(*words: str, path: Path) -> subprocess.CompletedProcess[str]:
    """Python with a ``sitecustomize`` at a path."""
    paths = os.pathsep.join([str(path), str(SOURCE)])
    known = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return subprocess.run(
        [sys.executable, *words],
        env={**known, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("module", ["corefscope", "corefscope.compat.commands.corefud"])
def test_codes_output_and_exit_handlers_are_those_of_any_program(module: str, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(LATE)
    command = ("score",) if module == "corefscope" else ()
    failed = _python("-m", module, *command, "absent.conllu", "absent.conllu", path=tmp_path)
    assert failed.returncode == 1
    assert "absent.conllu: no such file" in failed.stderr
    assert failed.stderr.endswith("handler ran")


def test_objects_are_destroyed_at_the_end(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(KEPT)
    for words in (
        ("-m", "corefscope", "presets"),
        ("-X", "dev", "-m", "corefscope", "presets"),
        ("-c", "import runpy; runpy.run_module('corefscope')", "presets"),
        ("-m", "trace", "--count", "-C", str(tmp_path), "--module", "corefscope", "presets"),
    ):
        assert _python(*words, path=tmp_path).stderr.endswith("gone"), words


def test_the_garbage_collector_keeps_its_settings(tmp_path: Path) -> None:
    watched = """
import gc, sys
before = gc.get_threshold()
from corefscope.cli import main, terminal
start = terminal.ProgressBar.__enter__

def enter(self):
    print(gc.isenabled(), gc.get_threshold() == before, file=sys.stderr)
    return start(self)

terminal.ProgressBar.__enter__ = enter
main(["score", sys.argv[1], sys.argv[1]])
print(gc.isenabled(), gc.get_threshold() == before, gc.get_freeze_count(), file=sys.stderr)
"""
    example = EXAMPLE_KEY
    run = _python("-c", watched, str(example), path=tmp_path)
    assert run.stderr == "True True\nTrue True 0\n"


def test_a_profiler_says_what_it_has_seen(tmp_path: Path) -> None:
    profiled = _python("-m", "cProfile", "-m", "corefscope", "presets", path=tmp_path)
    assert "function calls" in profiled.stdout


def test_threads_are_waited_for(tmp_path: Path) -> None:
    late = "import threading, time, os\n"
    late += "threading.Timer(0.5, os.write, (2, b'thread ran')).start()\n"
    (tmp_path / "sitecustomize.py").write_text(late)
    assert _python("-m", "corefscope", "presets", path=tmp_path).stderr.endswith("thread ran")
