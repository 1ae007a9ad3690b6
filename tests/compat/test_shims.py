"""The files of ``shims``: pipelines of others run with them once the path is changed."""

from __future__ import annotations

import ast
import os
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from corefscope import Scorer
from corefscope.compat.commands import conll, corefud
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE, GOLDEN, REPOSITORY

SHIMS = REPOSITORY / "shims"
BIN = Path(sys.executable).parent
CONLL = [str(GOLDEN / "conll" / f"l00011.{side}.conll") for side in ("key", "response")]
CORPIPE, E2E, MAVERICK = (os.environ.get(f"PEER_{name}", "") for name in ("CORPIPE", "E2E", "MAVERICK"))
FIGURES = r"Coreference: Recall: \(.*\) ([\d.]+)%\tPrecision: \(.*\) ([\d.]+)%\tF1: ([\d.]+)%"
needs_perl = pytest.mark.skipif(shutil.which("perl") is None, reason="there is no perl")


def _run(*command: str | Path, **env: str) -> subprocess.CompletedProcess[str]:
    path = {"PYTHONPATH": str(REPOSITORY / "src"), **env}
    return subprocess.run(
        list(map(str, command)), env={**os.environ, **path}, capture_output=True, text=True, check=False
    )


def test_corefud_scorer_prints_what_the_command_prints(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [str(EXAMPLE_KEY), str(EXAMPLE_RESPONSE), "-m", "muc", "bcub", "ceafe", "zero", "-s"]
    corefud.main(arguments)
    done = _run(sys.executable, SHIMS / "corefud-scorer.py", *arguments)
    assert (done.returncode, done.stdout) == (0, capsys.readouterr().out)


def test_corefud_scorer_needs_corefscope_or_its_command(tmp_path: Path) -> None:
    script = SHIMS / "corefud-scorer.py"
    done = _run(sys.executable, "-I", "-S", script, "--help", PATH=str(tmp_path))
    assert done.returncode == 1
    assert "pip install corefscope" in done.stderr
    program = tmp_path / "corefud-scorer"
    program.write_text(f'#!{shutil.which("sh")}\necho "asked: $@"\n', encoding="utf-8")
    program.chmod(0o755)
    assert _run(sys.executable, "-I", "-S", script, "a", "b", PATH=str(tmp_path)).stdout == "asked: a b\n"


@needs_perl
def test_scorer_pl_prints_what_the_command_prints(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    conll.main(["muc", *CONLL, "none"])
    program = tmp_path / "corefscope-conll"
    code = "from corefscope.compat.commands.conll import main; raise SystemExit(main())"
    program.write_text(f"#!{sys.executable}\n{code}\n", encoding="utf-8")
    program.chmod(0o755)
    printed = capsys.readouterr().out
    perl = str(shutil.which("perl"))
    for command in ([perl, SHIMS / "scorer.pl"], [SHIMS / "scorer.pl"]):
        done = _run(*command, "muc", *CONLL, "none", PATH=f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
        assert (done.returncode, done.stdout) == (0, printed)
    done = _run(perl, SHIMS / "scorer.pl", "muc", *CONLL, COREFSCOPE_CONLL=str(tmp_path / "nowhere"))
    assert done.returncode != 0
    assert "pip install corefscope" in done.stderr


@pytest.mark.skipif(not CORPIPE, reason="PEER_CORPIPE names no checkout of CorPipe")
def test_corpipe_is_scored_by_its_own_script(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Only the program at its path is another one: ``corefud-score.sh GOLD SYSTEM`` writes ``SYSTEM.eval``."""
    shutil.copy(Path(CORPIPE) / "corefud-score.sh", tmp_path)
    (tmp_path / "corefud-scorer").mkdir()
    shutil.copy(SHIMS / "corefud-scorer.py", tmp_path / "corefud-scorer")
    python = tmp_path / "venv/bin/python3"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!{shutil.which("sh")}\nexec {sys.executable} "$@"\n', encoding="utf-8")
    python.chmod(0o755)
    system = tmp_path / "en_response.conllu"
    shutil.copy(EXAMPLE_RESPONSE, system)
    _run("sh", tmp_path / "corefud-score.sh", EXAMPLE_KEY, system)  # its exit code is that of its last test
    (metrics,) = re.findall(r'"\$2" -m ([a-z ]+)\)', (Path(CORPIPE) / "corefud-score.sh").read_text(encoding="utf-8"))
    corefud.main([str(EXAMPLE_KEY), str(system), "-m", *metrics.split()])
    assert (tmp_path / "en_response.eval").read_text(encoding="utf-8") == capsys.readouterr().out


@needs_perl
@pytest.mark.skipif(not E2E, reason="PEER_E2E names no checkout of an end-to-end model with conll.py")
def test_end_to_end_models_are_scored_by_their_own_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """``conll.py``, which most such models copy, runs ``scorer.pl`` and reads what it prints."""
    folder = tmp_path / "conll-2012/scorer/v8.01"
    folder.mkdir(parents=True)
    shutil.copy(SHIMS / "scorer.pl", folder)
    monkeypatch.chdir(tmp_path)
    code = f"import conll; print(conll.official_conll_eval(*{CONLL!r}, 'muc'))"
    done = _run(
        sys.executable,
        "-c",
        code,
        PYTHONPATH=f"{E2E}{os.pathsep}{REPOSITORY / 'src'}",
        COREFSCOPE_CONLL=str(BIN / "corefscope-conll"),
    )
    conll.main(["muc", *CONLL, "none"])
    (figures,) = re.findall(FIGURES, capsys.readouterr().out)
    assert ast.literal_eval(done.stdout) == dict(zip("rpf", map(float, figures), strict=True))


@pytest.mark.skipif(not MAVERICK, reason="PEER_MAVERICK names no checkout of Maverick")
def test_a_scorer_gives_the_figure_of_evaluators_in_python() -> None:
    program = runpy.run_path(str(Path(MAVERICK) / "maverick/common/metrics.py"))
    theirs, ours = program["OfficialCoNLL2012CorefEvaluator"](), Scorer(metrics="conll")
    for key, response in (
        ([((0, 0), (2, 3), (5, 5)), ((4, 4), (7, 7))], [((0, 0), (2, 3)), ((4, 4), (5, 5), (7, 7))]),
        ([((1, 1), (3, 3)), ((6, 8), (9, 9))], [((1, 1), (3, 3), (6, 8)), ((2, 2), (10, 10))]),
    ):
        entities = [{mention: entity for entity in side for mention in entity} for side in (response, key)]
        theirs.update(response, key, *entities)
        ours.add(key, response)
    assert ours.report()["conll"].f1 == pytest.approx(theirs.get_f1("conll2012"), abs=1e-12)
