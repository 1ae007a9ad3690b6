"""The Codabench bundle: what it consists of, and that it scores as ``corefscope task`` does, with no package."""

from __future__ import annotations

import gzip
import json
import os
import shlex
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from corefscope import score
from corefscope.cli import main
from corefscope.comparison.tasks import Submission, Task, read_task, score_task
from corefscope.compat.codabench import LONGEST, columns, file_name, scoring
from corefscope.compat.codabench.bundle import as_yaml, write_bundle
from corefscope.compat.codabench.scoring import find_responses
from corefscope.core.errors import OptionError
from corefscope.core.numbers import headline
from corefscope.formats.naming import is_reserved
from corefscope.formats.source import MAX_UNPACKED
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE

KEY, RESPONSE = EXAMPLE_KEY.read_bytes(), EXAMPLE_RESPONSE.read_bytes()
Files = Mapping[str, bytes]
Run = Callable[..., "Scored"]
LAYOUT = {
    "competition.yaml",
    "logo.png",
    "terms.md",
    "overview.md",
    "evaluation.md",
    "reference_data",
    "scoring_program",
    "starting_kit",
    "solution",
}
MANIFEST = """\
preset = "crac25"
[datasets]
en_demo = "gold/english.conllu"
"čeština.1" = "gold/czech.conllu.gz"
[systems]
ours = {en_demo = "ours/en_demo.conllu", "čeština.1" = "ours/cestina_1.conllu"}
baseline = {en_demo = "baseline/en.conllu"}
"""
GOOD = {"en_demo.conllu": RESPONSE, "cestina_1.conllu": KEY}


def write(folder: Path, files: Files) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


@pytest.fixture(scope="module")
def task(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A manifest with two data sets, one of them compressed and called in a way that files cannot be."""
    files = {
        "task.toml": MANIFEST.encode("utf-8"),
        "gold/english.conllu": KEY,
        "gold/czech.conllu.gz": gzip.compress(KEY),
        **{f"ours/{name}": content for name, content in GOOD.items()},
        "baseline/en.conllu": RESPONSE,
    }
    return write(tmp_path_factory.mktemp("task"), files) / "task.toml"


@pytest.fixture(scope="module")
def bundle(task: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("bundle") / "out"
    assert main(["task", str(task), "--codabench", str(out)]) == 0
    return out


class Scored:
    """What came of a submission."""

    def __init__(self, output: Path, completed: subprocess.CompletedProcess[str]) -> None:
        self.code, self.out, self.said = completed.returncode, completed.stdout, completed.stderr
        self.files = sorted(path.name for path in output.iterdir())
        self.scores = json.loads((output / "scores.json").read_text()) if self.files else {}
        self.page = (output / "detailed_results.html").read_text(encoding="utf-8") if self.files else ""


def run_submission(folder: Path, bundle: Path, python: str = sys.executable) -> Scored:
    """Score ``folder/app/input/res`` as the platform does: same command, same places, nothing else at hand."""
    app, empty = folder / "app", folder / "empty"
    shutil.copytree(bundle / "scoring_program", app / "program")
    shutil.copytree(bundle / "reference_data", app / "input" / "ref")
    (app / "input" / "res").mkdir(parents=True, exist_ok=True)
    for made in (app / "output", empty):
        made.mkdir()
    command = yaml.safe_load((app / "program" / "metadata.yaml").read_text())["command"]
    first, *others = [part.replace("/app/", f"{app}/") for part in shlex.split(command)]
    assert (first, others[0]) == ("python3", "-I")
    before = sorted(app.rglob("*"))
    # -S: not even what is installed for this Python can be imported.
    done = subprocess.run(
        [python, "-S", *others], cwd=empty, env={}, capture_output=True, text=True, timeout=120, encoding="utf-8"
    )
    assert [path for path in app.rglob("*") if path not in before and path.parent != app / "output"] == []
    assert list(empty.iterdir()) == []
    assert "Traceback" not in done.stderr
    return Scored(app / "output", done)


@pytest.fixture
def run(bundle: Path, tmp_path: Path) -> Run:
    def scored(files: Files, python: str = sys.executable) -> Scored:
        write(tmp_path / "app" / "input" / "res", files)
        return run_submission(tmp_path, bundle, python)

    return scored


@pytest.fixture
def run_here(bundle: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """The same in this process, which is faster."""
    monkeypatch.setenv(MAX_UNPACKED, scoring.MAX_UNPACKED_SIZE)

    def scored(files: Files, python: str = sys.executable) -> Scored:
        folder, out = tmp_path / "input", tmp_path / "output"
        shutil.copytree(bundle / "reference_data", folder / "ref")
        write(folder / "res", files).mkdir(exist_ok=True)
        out.mkdir()
        code = scoring.main([str(folder), str(out)])
        return Scored(out, subprocess.CompletedProcess([python], code, *capfd.readouterr()))

    return scored


@pytest.fixture(scope="module")
def expected(task: Path) -> dict[str, float]:
    """What ``corefscope task`` says of the same files."""
    result = score_task(task, significance=False)
    macro = result.macro("ours")
    assert macro is not None
    english, czech = (100 * headline(result["ours"][name]["conll"]) for name in ("en_demo", "čeština.1"))
    return {"macro": 100 * headline(macro["conll"]), "en_demo": english, "cestina_1": czech}


def test_the_bundle_scores_as_corefscope_task_does_with_nothing_installed(
    run: Run, expected: dict[str, float]
) -> None:
    scored = run(GOOD)
    assert scored.code == 0
    assert scored.files == ["detailed_results.html", "scores.json"]
    assert scored.scores == expected
    assert 70 < scored.scores["en_demo"] < 75
    assert not scored.said
    for name, figure in expected.items():
        assert f"{figure:.2f}" in scored.page, name
    assert "|rank_by:conll|missing:zero|" in scored.page


def _pythons() -> list[str]:
    """Other versions of Python that are at hand."""
    folders = [*Path.home().glob(".pyenv/versions/*/bin"), *map(Path, os.environ.get("PATH", "").split(os.pathsep))]
    found: dict[str, str] = {}
    for minor in range(11, 20):
        for folder in folders:
            path = folder / f"python3.{minor}"
            if path.is_file() and "shims" not in path.parts:
                found.setdefault(path.name, str(path))
    return list(found.values())


@pytest.mark.parametrize("python", _pythons(), ids=os.path.basename)
def test_the_bundle_scores_alike_under_every_python(run: Run, expected: dict[str, float], python: str) -> None:
    assert run(GOOD, python).scores == expected


BROKEN = RESPONSE.replace(b"\t", b" ", 40)
ZIPPED = b"PK\x03\x04" + bytes(60)
OTHER_WORDS = RESPONSE.replace(b"\n1\t", b"\n1\tX", 1)
BAD: dict[str, tuple[Files, str]] = {
    "missing": ({"en_demo.conllu": KEY}, "there is no file cestina_1.*; the submission has 1 file: en_demo.conllu"),
    "empty": ({}, "there is no file en_demo.*; the submission has nothing"),
    "broken": ({"en_demo.conllu": BROKEN, "cestina_1.conllu": KEY}, "en_demo.conllu:"),
    "no words": ({"en_demo.conllu": b"", "cestina_1.conllu": KEY}, "en_demo.conllu"),
    "binary": ({"en_demo.conllu": bytes(range(256)), "cestina_1.conllu": KEY}, "en_demo.conllu"),
    "other words": ({"en_demo.conllu": OTHER_WORDS, "cestina_1.conllu": KEY}, "en_demo.conllu:"),
    "wrong names": (
        {"English.conllu": KEY, "cz.conllu": KEY},
        "has 2 files: English.conllu, cz.conllu",
    ),
    "zip in zip": ({"mine.zip": ZIPPED}, "mine.zip is an archive in the archive: pack the files themselves"),
    "a zip called right": ({"en_demo.zip": ZIPPED, "cestina_1.conllu": KEY}, "en_demo.zip"),
    "twice": (
        {"en_demo.conllu": KEY, "en_demo.json": KEY, "cestina_1.conllu": KEY},
        "there is more than one file en_demo.*: en_demo.conllu, en_demo.json",
    ),
    "damaged gzip": ({"en_demo.conllu.gz": gzip.compress(KEY)[:50], "cestina_1.conllu": KEY}, "en_demo.conllu.gz"),
    "a directory": ({"en_demo.conllu/x.conllu": KEY, "cestina_1.conllu": KEY}, "there is no file en_demo.*"),
    "a name in no encoding": ({os.fsdecode(b"en\xff_demo.conllu"): KEY, "cestina_1.conllu": KEY}, "has 2 files"),
    "hostile names": ({"<script>alert(1)</script>": KEY, "a\x1b[31m\n.txt": KEY}, "the submission has 2 files"),
}


@pytest.mark.parametrize("case", BAD)
def test_what_is_wrong_with_a_submission_counts_0_and_is_said(run_here: Run, case: str) -> None:
    files, message = BAD[case]
    scored = run_here(files)
    assert scored.code == 0
    right = [name for name in ("en_demo", "cestina_1") if scored.scores[name] == 100]
    wrong = {name for name in scored.scores if scored.scores[name] == 0}
    assert {*right, *wrong} - {"macro"} == {"en_demo", "cestina_1"}
    assert scored.scores["macro"] == 50 * len(right) < 100
    assert message in scored.said
    plain = scored.page.replace("&#x27;", "'").replace("&quot;", '"')
    assert message in plain
    assert "counts as 0" in plain
    assert "<script" not in scored.page
    assert "\x1b" not in scored.page + scored.said


@pytest.mark.parametrize(
    "files",
    [
        {"my run/en_demo.conllu": RESPONSE, "my run/cestina_1.conllu": KEY, "__MACOSX/my run/en_demo.conllu": b"x"},
        {"en_demo.conllu.gz": gzip.compress(RESPONSE), "cestina_1.conllu": KEY, "README.md": b"x", ".DS_Store": b"x"},
        {"en_demo.conllu": RESPONSE, "old/en_demo.conllu": KEY, "cestina_1": KEY},
    ],
    ids=["in a directory", "compressed", "the nearest counts"],
)
def test_files_are_found_wherever_they_are_packed(run_here: Run, expected: dict[str, float], files: Files) -> None:
    scored = run_here(files)
    assert scored.scores == expected
    assert not scored.said


def test_submissions_may_have_other_formats(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "en_demo.jsonl"
    assert main(["convert", str(EXAMPLE_KEY), str(target), "--lossy"]) == 0
    alone = headline(score(EXAMPLE_KEY, target, preset="crac25")["conll"])
    scored = run({"en_demo.jsonl": target.read_bytes(), "cestina_1.conllu": KEY})
    assert scored.scores["en_demo"] == 100 * alone > 50


def _link(path: Path, target: Path) -> None:
    path.symlink_to(target)


def _pipe(path: Path, _: Path) -> None:
    os.mkfifo(path)


def _socket(path: Path, _: Path) -> None:
    with socket.socket(socket.AF_UNIX) as opened:
        opened.bind(os.path.relpath(path))  # a long path is refused


SPECIAL: dict[str, tuple[Callable[[Path, Path], None], str]] = {
    "symbolic link": (_link, "is a symbolic link"),
    "broken link": (lambda path, _: path.symlink_to("nothing"), "is a symbolic link"),
    "link to a directory": (lambda path, key: path.symlink_to(key.parent), "is a symbolic link"),
    "link to a device": (lambda path, _: path.symlink_to("/dev/zero"), "is a symbolic link"),
    "named pipe": (_pipe, "is a named pipe"),
    "socket": (_socket, "is a socket"),
    "hard link to a key": (lambda path, key: path.hardlink_to(key), "is a hard link to a key"),
}


@pytest.mark.skipif(os.name != "posix", reason="links and pipes are those of POSIX")
@pytest.mark.parametrize("case", SPECIAL)
def test_only_regular_files_of_a_submission_are_read(case: str, tmp_path: Path) -> None:
    """Neither a file that a link names, nor one in a directory: data set ``many`` has a directory for its key."""
    make, message = SPECIAL[case]
    keys = write(tmp_path / "ref", {"one.conllu": KEY, "many/a.conllu": KEY, "many/b.conllu": KEY})
    folder = write(tmp_path / "res", {"many/a.conllu": KEY, "other.conllu": KEY})
    make(folder / "one.conllu", keys / "one.conllu")
    make(folder / "many" / "b.conllu", keys / "many" / "b.conllu")
    found = find_responses(str(folder), {"1": str(keys / "one.conllu"), "2": str(keys / "many")})
    assert [submission.status for submission in found.values()] == ["faulty", "faulty"]
    assert [submission.path for submission in found.values()] == ["", ""]
    for submission, name in zip(found.values(), ("one.conllu", os.path.join("many", "b.conllu")), strict=True):
        assert submission.message.startswith(f"{name} {message}: a submission is made of ")


@pytest.mark.skipif(os.name != "posix", reason="links and pipes are those of POSIX")
@pytest.mark.parametrize("hidden", ["", ".hidden/"])
@pytest.mark.parametrize("make", [_link, _pipe])
def test_a_directory_of_links_or_pipes_scores_0_and_does_not_hang(
    make: Callable[[Path, Path], None], hidden: str, tmp_path: Path
) -> None:
    name = f"{hidden}a.conllu"
    ref = write(tmp_path / "input" / "ref", {"task.json": b'{"datasets": {"many": "many"}}', f"many/{name}": KEY})
    folder = write(tmp_path / "input" / "res", {f"many/{hidden}readme": b""})
    (folder / "many" / hidden / "readme").unlink()
    make(folder / "many" / name, ref / "many" / name)
    (tmp_path / "output").mkdir()
    program = "import sys; from corefscope.compat.codabench.scoring import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", program, str(tmp_path / "input"), str(tmp_path / "output")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=True)
    assert json.loads((tmp_path / "output" / "scores.json").read_text()) == {"macro": 0, "many": 0}
    assert os.path.join("many", name) + " is a " in done.stderr


def test_links_that_belong_to_no_data_set_do_no_harm(tmp_path: Path) -> None:
    """A regular file counts, whatever else has its name; a hard link that is no key is a file like any other."""
    (tmp_path / "key.conllu").write_bytes(KEY)
    folder = write(tmp_path / "res", {"key.conllu": KEY})
    (folder / "key").symlink_to(tmp_path)
    (folder / "notes").symlink_to(tmp_path / "key.conllu")
    (folder / "twin.conllu").hardlink_to(folder / "key.conllu")
    found = find_responses(str(folder), {"a": str(tmp_path / "key.conllu")})
    assert found["a"] == Submission(str(folder / "key.conllu"))


def test_a_broken_key_fails_the_run_and_is_nobodys_0(bundle: Path, tmp_path: Path) -> None:
    broken = shutil.copytree(bundle, tmp_path / "broken")
    (broken / "reference_data" / "en_demo.conllu").write_bytes(BROKEN)
    write(tmp_path / "app" / "input" / "res", GOOD)
    scored = run_submission(tmp_path, broken)
    assert scored.code == 1
    assert scored.files == []
    assert "the key of 'en_demo' cannot be scored with" in scored.said


def test_the_bundle_has_the_layout_of_the_platform(bundle: Path) -> None:
    assert {path.name for path in bundle.iterdir()} == LAYOUT
    program = bundle / "scoring_program"
    assert {path.name for path in program.iterdir()} == {"metadata.yaml", "score.py", "lib"}
    assert {path.name for path in (program / "lib").iterdir()} == {"corefscope", "licences.txt"}
    assert not list(bundle.rglob("__pycache__"))
    references = bundle / "reference_data"
    assert {path.name for path in references.iterdir()} == {"task.json", "en_demo.conllu", "cestina_1.conllu.gz"}
    assert {path.name for path in (bundle / "solution").iterdir()} == {"README.md", "en_demo.conllu"}


def competition(bundle: Path) -> dict[str, Any]:
    """What the platform reads, once it is known that it will take it."""
    content: dict[str, Any] = yaml.safe_load((bundle / "competition.yaml").read_text(encoding="utf-8"))
    assert content["version"] == 2
    for field in ("image", "terms"):
        assert (bundle / content[field]).stat().st_size
    for page in content["pages"]:
        assert page["title"]
        assert (bundle / page["file"]).read_text(encoding="utf-8")
    indexes = [task["index"] for task in content["tasks"]]
    assert indexes == [0]
    for task in content["tasks"]:
        assert 0 < len(task["name"]) <= 256
        assert (bundle / task["scoring_program"] / "metadata.yaml").is_file()
        assert (bundle / task["reference_data"]).is_dir()
    for phase in content["phases"]:
        assert {"name", "start", "tasks"} <= set(phase)
        assert phase["tasks"] == indexes
        assert (bundle / phase["starting_kit"]).is_dir()
    for solution in content["solutions"]:
        assert solution["tasks"] == indexes
        assert (bundle / solution["path"]).is_dir()
    (leaderboard,) = content["leaderboards"]
    shown = leaderboard["columns"]
    assert [column["index"] for column in shown] == list(range(len(shown)))
    assert len({column["key"] for column in shown}) == len(shown)
    for column in shown:
        assert all(0 < len(column[name].strip()) <= LONGEST for name in ("title", "key"))
        assert column["sorting"] in ("asc", "desc")
    assert shown[0]["key"] == "macro"
    return content


def test_columns_of_the_leaderboard_are_the_data_sets(bundle: Path) -> None:
    content = competition(bundle)
    titles = [(column["title"], column["key"]) for column in content["leaderboards"][0]["columns"]]
    assert titles == [("Macro CoNLL", "macro"), ("en_demo", "en_demo"), ("čeština.1", "cestina_1")]
    assert content["docker_image"] == "python:3.12-slim"
    assert content["enable_detailed_results"] is True


def test_pages_say_how_it_is_scored_and_how_to_do_it_oneself(
    bundle: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    overview, evaluation = ((bundle / name).read_text(encoding="utf-8") for name in ("overview.md", "evaluation.md"))
    assert "|average:macro|datasets:2|rank_by:conll|missing:zero|" in overview
    assert "`cestina_1.conllu.gz`" in overview
    for part in ("`crac25`", "CoNLL", "LEA", "missing or faulty scores 0"):
        assert part in evaluation
    command = next(line for line in overview.splitlines() if line.startswith("    corefscope score"))
    arguments = shlex.split(command.replace("KEY", str(EXAMPLE_KEY)).replace("RESPONSE", str(EXAMPLE_RESPONSE)))
    assert main(arguments[1:]) == 0
    assert "72.88" in capsys.readouterr().out
    kit = shutil.copytree(bundle / "starting_kit", tmp_path / "kit")
    write(kit, {"keys/en_demo.conllu": KEY, "keys/cestina_1.conllu": KEY, "submission/en_demo.conllu": KEY})
    assert main(["task", str(kit / "task.json")]) == 0
    assert "50.00" in capsys.readouterr().out


def test_keys_are_nowhere_but_in_the_reference_data(bundle: Path, run: Run) -> None:
    """Participants see the solution, the starting kit and the scoring program."""
    secret = KEY.replace(b"Entity=", b"")
    private = [path for path in bundle.rglob("*") if path.is_file() and path.read_bytes() in (KEY, secret)]
    public = {"scoring_program/lib/corefscope/formats/examples/key.conllu", "starting_kit/example/key.conllu"}
    assert {path.relative_to(bundle).as_posix() for path in private} - public == {"reference_data/en_demo.conllu"}
    words = {line.split(b"\t")[1].decode() for line in KEY.splitlines() if line[:1].isdigit()}
    page = run(GOOD).page
    assert not [word for word in words if len(word) > 4 and f" {word} " in page]


def _contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_same_task_makes_the_same_bytes(task: Path, bundle: Path, tmp_path: Path) -> None:
    (tmp_path / "again").mkdir()  # an empty directory will do
    assert main(["task", str(task), "--codabench", str(tmp_path / "again")]) == 0
    assert _contents(tmp_path / "again") == _contents(bundle)
    for name in ("one.zip", "two.zip"):
        assert main(["task", str(task), "--codabench", str(tmp_path / name)]) == 0
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    with ZipFile(tmp_path / "one.zip") as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == _contents(bundle)


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("task.toml", "would be overwritten"),
        ("nowhere.txt", "is a file"),
        ("gold/english.conllu", "would be overwritten"),
        ("gold", "is not empty"),
        ("gold/dir/out", "is an input"),
        ("nowhere.txt/x/y", "cannot be made"),
    ],
)
def test_nothing_is_overwritten(place: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = {"gold/english.conllu": KEY, "gold/dir/a.conllu": KEY, "nowhere.txt": b"x"}
    manifest = b'[datasets]\nen = "gold/english.conllu"\nfolder = "gold/dir"\n'
    write(tmp_path, {**files, "task.toml": manifest})
    before = _contents(tmp_path)
    assert main(["task", str(tmp_path / "task.toml"), "--codabench", str(tmp_path / place)]) in (1, 2)
    assert message in capsys.readouterr().err
    assert _contents(tmp_path) == before


@pytest.mark.parametrize(("rank_by", "sorting", "lost"), [("lea", "desc", 0), ("d_err", "asc", 100)])
def test_what_is_missing_is_the_worst_there_is(rank_by: str, sorting: str, lost: float, tmp_path: Path) -> None:
    write(tmp_path, {"key": KEY, "task.json": json.dumps({"datasets": {"en": "key"}, "rank_by": rank_by}).encode()})
    out = tmp_path / "out"
    assert main(["task", str(tmp_path / "task.json"), "--codabench", str(out), "--metrics", f"muc,{rank_by}"]) == 0
    assert {column["sorting"] for column in competition(out)["leaderboards"][0]["columns"]} == {sorting}
    assert "| en | `en` |" in (out / "overview.md").read_text(encoding="utf-8")
    assert run_submission(tmp_path, out).scores == {"macro": lost, "en": lost}


def test_options_of_the_command_line_are_those_of_the_bundle(tmp_path: Path) -> None:
    write(tmp_path, {"key.conllu": KEY, "task.toml": b'[datasets]\nen = "key.conllu"\n'})
    signature = "corefud|match:exact|zeros:dependent|singletons:keep|rules:corrected"
    out = str(tmp_path / "out")
    assert main(["task", str(tmp_path / "task.toml"), "--codabench", out, "--signature", signature]) == 0
    assert f"{signature}|average:macro|" in (tmp_path / "out" / "overview.md").read_text(encoding="utf-8")
    write(tmp_path / "app" / "input" / "res", {"en.conllu": RESPONSE})
    report = score(EXAMPLE_KEY, EXAMPLE_RESPONSE, match="exact", singletons="keep", rules="corrected")
    expected = headline(report["conll"])
    assert run_submission(tmp_path, tmp_path / "out").scores == {"macro": 100 * expected, "en": 100 * expected}


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ('missing = "skip"', "missing = 'zero', or --missing zero"),
        ('metrics = "variation_of_information"\nrank_by = "variation_of_information"', "rank by another metric"),
    ],
)
def test_what_a_leaderboard_cannot_show_is_refused(
    lines: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, {"key.conllu": KEY, "task.toml": f'{lines}\n[datasets]\nen = "key.conllu"\n'.encode()})
    assert main(["task", str(tmp_path / "task.toml"), "--codabench", str(tmp_path / "out")]) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_several_settings_are_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="one way to score"):
        write_bundle(Task("task", {}, {}, {"settings": "crac"}), str(tmp_path / "out"), details="figures")


def test_a_key_that_cannot_be_read_makes_no_bundle(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, {"en/key.conllu": KEY, "cs/key.conllu": BROKEN})
    assert main(["task", str(tmp_path), "--codabench", str(tmp_path.parent / "no-bundle")]) == 1
    assert "key.conllu:" in capsys.readouterr().err
    assert not (tmp_path.parent / "no-bundle").exists()
    assert not list(tmp_path.parent.glob(".no-bundle*"))
    (tmp_path / "cs" / "key.conllu").write_bytes(b"PAR1 and so on")
    assert main(["task", str(tmp_path), "--codabench", str(tmp_path.parent / "no-bundle")]) == 2
    assert "is a Parquet file" in capsys.readouterr().err


def test_keys_that_are_directories_are_scored(tmp_path: Path) -> None:
    write(tmp_path, {"task/en/gold/a.conllu": KEY, "task/en/gold/.x": b"x", "task/en/gold/b.conllu": KEY})
    out = tmp_path / "out"
    assert main(["task", str(tmp_path / "task"), "--codabench", str(out)]) == 0
    assert _contents(out / "reference_data").keys() == {"task.json", "en/a.conllu", "en/b.conllu"}
    competition(out)
    write(tmp_path / "app" / "input" / "res", {"en/a.conllu": KEY, "en/b.conllu": KEY})
    assert run_submission(tmp_path, out).scores == {"macro": 100, "en": 100}


ODD = ["a'b\"c", "two\nlines", "../up", "/root", "日本語", "macro", "task", "README", "en", "EN", "e" * 50, "e" * 60]
ODD += ["<b>", "a|b`c", "- x: {y}", "#", "no", "  ", "%s{dataset}", "con.conllu"]


def test_the_bundle_has_title_description_and_languages(tmp_path: Path) -> None:
    write(tmp_path, {"key.conllu": KEY})
    manifest = {
        "title": "Task *2027*",
        "description": "Find <entities>.\n\nIn two languages.",
        "languages": {"en": "English", "fr": "Français"},
        "datasets": {"en_a": "key.conllu", "news": {"key": "key.conllu", "language": "fr"}, "other": "key.conllu"},
    }
    (tmp_path / "task.json").write_text(json.dumps(manifest), encoding="utf-8")
    out = tmp_path / "out"
    assert main(["task", str(tmp_path / "task.json"), "--codabench", str(out)]) == 0
    content = competition(out)
    assert (content["title"], content["description"]) == ("Task *2027*", "Find <entities>. In two languages.")
    overview = (out / "overview.md").read_text(encoding="utf-8")
    assert overview.startswith("# Task \\*2027\\*\n\nFind \\<entities\\>.\n\nIn two languages.\n\n## What to submit")
    assert [line for line in overview.splitlines() if line.startswith("| ")] == [
        "| data set | language | for example |",
        "| :-- | :-- | :-- |",
        "| en\\_a | English | `en_a.conllu` |",
        "| news | Français | `news.conllu` |",
        "| other | – | `other.conllu` |",
    ]
    saved = read_task(out / "reference_data" / "task.json", keys_only=True)
    assert (saved.title, saved.language_names) == (manifest["title"], manifest["languages"])


def test_twenty_data_sets_with_odd_names_make_a_bundle_that_scores(tmp_path: Path) -> None:
    write(tmp_path, {"key.conllu": KEY})
    manifest = {"datasets": dict.fromkeys(ODD, "key.conllu"), "rank_by": "lea"}
    (tmp_path / "odd.json").write_text(json.dumps(manifest), encoding="utf-8")
    out = tmp_path / "out"
    assert main(["task", str(tmp_path / "odd.json"), "--codabench", str(out)]) == 0
    content = competition(out)
    keys = [column["key"] for column in content["leaderboards"][0]["columns"]]
    assert len(keys) == len(ODD) + 1 == 21
    assert _contents(out / "reference_data").keys() == {"task.json", *(f"{key}.conllu" for key in keys[1:])}
    for page in ("overview.md", "evaluation.md", "starting_kit/README.md", "solution/README.md"):
        assert "<b>" not in (out / page).read_text(encoding="utf-8").replace("\\<", "")
    write(tmp_path / "app" / "input" / "res", {f"{key}.conllu": KEY for key in keys[1:]})
    scored = run_submission(tmp_path, out)
    assert scored.scores == dict.fromkeys(keys, 100)


@given(st.lists(st.text(min_size=1), unique=True, max_size=30))
def test_names_are_plain_and_differ(names: list[str]) -> None:
    made = columns(names)
    assert [column.dataset for column in made] == names
    keys = [column.key.lower() for column in made]
    assert len(set(keys)) == len(keys)
    for column in made:
        assert 0 < len(column.key) <= LONGEST
        assert all(sign.isascii() and (sign.isalnum() or sign in "_-") for sign in column.key)
        assert file_name(column, "x/y.conllu.xz") == f"{column.key}.conllu.xz"
        assert column.title.isprintable()
        assert 0 < len(column.title) <= LONGEST


def test_yaml_keeps_types_and_order() -> None:
    table = {"version": 2, "title": "no: čeština", "start": "2000-01-01 00:00:00", "pages": [{"title": "1.10"}]}
    text = as_yaml(table)
    assert yaml.safe_load(text) == table
    assert [line.partition(":")[0] for line in text.splitlines()] == ["version", "title", "start", "pages", "- title"]
    assert "čeština" in text


def test_without_pyyaml_the_error_names_the_remedy(
    task: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "yaml", None)
    assert main(["task", str(task), "--codabench", str(tmp_path / "out")]) == 2
    assert "pip install 'corefscope[yaml]'" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_the_logo_is_a_picture(bundle: Path) -> None:
    assert (bundle / "logo.png").read_bytes().startswith(b"\x89PNG\r\n\x1a\n")


def test_details_may_show_every_document(task: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert main(["task", str(task), "--codabench", str(out), "--details", "report"]) == 0
    library = out / "scoring_program" / "lib"
    assert {path.name for path in library.iterdir()} == {"corefscope", "jinja2", "markupsafe", "licences.txt"}
    assert "Redistribution and use" in (library / "licences.txt").read_text(encoding="utf-8")
    write(tmp_path / "app" / "input" / "res", GOOD)
    scored = run_submission(tmp_path, out)
    assert scored.code == 0
    assert scored.page.count('<details class="report">') == 2
    assert "corefscope report" in scored.page


def test_no_file_of_a_bundle_has_a_name_that_windows_refuses() -> None:
    keys = [column.key for column in columns(["con", "NUL", "Com1", "nul.test", "x", "X"])]
    assert not any(is_reserved(f"{key}.conllu") for key in keys)
    assert len({key.lower() for key in keys}) == len(keys)
