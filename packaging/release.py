"""Prepare a release up to the last step before publishing: ``make release``.

Checks the version and the changelog, builds the distributions twice, inspects them, and installs the wheel in clean
environments outside the repository, where the commands have to work. Everything happens in a temporary directory;
with ``--out DIR`` the distributions are kept. ``docs/releasing.md`` describes what follows.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
OLDEST = ("numpy==1.24.*", "scipy==1.10.*")  # of the dependencies, those that move figures; for the first of PYTHONS
RATING = 8  # of pyroma, of 10: it also asks for an address of the authors
SMOKE = (
    ("corefscope", "demo"),
    ("corefscope", "score", "--example"),
    ("corefscope", "errors", "--example"),
    ("corefscope", "report", "--example", "--output", "report.html"),
    ("corefscope", "cite", "muc"),
    ("corefscope", "metrics", "--criteria"),
    ("corefscope", "help", "formats"),
    ("corefscope", "validate", "key.conllu"),
    ("corefud-scorer", "key.conllu", "key.conllu"),
    ("corefscope-conll", "all", "key.conll", "key.conll"),
    ("ua-scorer", "key.conllua", "key.conllua"),
    ("python", "-c", "import corefscope; corefscope.score('key.conllu', 'key.conllu')"),
)
CONLL = "#begin document (d); part 000\nd 0 0 a (1)\nd 0 1 b (1)\n\n#end document\n"


class ReleaseError(Exception):
    """A step that failed, with what it printed."""


def run(*command: str | Path, cwd: Path = ROOT, env: dict[str, str] | None = None) -> str:
    """What a command prints; ReleaseError if it fails."""
    done = subprocess.run(list(map(str, command)), cwd=cwd, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ReleaseError(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def check_version() -> str:
    """The version, once the changelog and CITATION.cff have it, too."""
    text = (ROOT / "src/corefscope/core/version.py").read_text(encoding="utf-8")
    version = re.search(r'__version__ = "([^"]+)"', text)[1]  # type: ignore[index]
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    if not re.search(rf"^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d$", changelog, re.M):
        raise ReleaseError(f"CHANGELOG.md has no section '## [{version}] - YYYY-MM-DD'")
    if f"\nversion: {version}\n" not in (ROOT / "CITATION.cff").read_text(encoding="utf-8"):
        raise ReleaseError(f"CITATION.cff does not say version: {version}")
    return version


def check_tree(version: str, tagged: bool) -> None:
    """Refuse uncommitted changes and, unless the release is ``tagged`` already, a tag that exists."""
    if changed := run("git", "status", "--porcelain"):
        raise ReleaseError(f"these changes are not committed:\n{changed}")
    if not tagged and run("git", "tag", "--list", f"v{version}"):
        raise ReleaseError(f"the tag v{version} exists: give the release another version")


def check_links(tagged: bool) -> None:
    """Name the files that do not know the repository yet; refuse them in a release that is ``tagged``."""
    wanted = b"OWNER" + b"/corefscope"
    files = [name for name in run("git", "ls-files").splitlines() if wanted in (ROOT / name).read_bytes()]
    if files and tagged:
        raise ReleaseError(f"put the owner of the repository in the place of OWNER: {', '.join(files)}")
    if files:
        print(f"before the first tag, put the owner of the repository in the place of OWNER: {', '.join(files)}")


def build(folder: Path) -> dict[str, str]:
    """Build sdist and wheel in a folder, and return their digests; ReleaseError if a second build differs."""
    env = {**os.environ, "SOURCE_DATE_EPOCH": run("git", "log", "-1", "--format=%ct").strip()}
    digests = []
    for outdir in (folder, folder / "again"):
        run(sys.executable, "-m", "build", "--outdir", outdir, env=env)
        files = sorted(path for path in outdir.iterdir() if path.is_file())
        digests.append({file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files})
    if digests[0] != digests[1]:
        raise ReleaseError(f"two builds differ: {digests[0]} and {digests[1]}")
    return digests[0]


def inspect(files: list[Path]) -> Path:
    """Check metadata and contents, and that the wheel, which is returned, has every file of the package."""
    run(sys.executable, "-m", "twine", "check", "--strict", *files)
    wheel = next(file for file in files if file.suffix == ".whl")
    run(sys.executable, "-m", "check_wheel_contents", wheel)
    for sdist in set(files) - {wheel}:
        run(sys.executable, "-m", "pyroma", "--min", str(RATING), sdist)
    tracked = {name.removeprefix("src/") for name in run("git", "ls-files", "src").splitlines()}
    packed = set(zipfile.ZipFile(wheel).namelist())
    if missing := sorted(tracked - packed):
        raise ReleaseError(f"the wheel lacks {len(missing)} files, such as {missing[0]}")
    return wheel


def interpreters() -> Iterator[tuple[str, str]]:
    """The versions of Python on this machine that are supported, and their paths."""
    own = "{}.{}".format(*sys.version_info)
    for version in PYTHONS:
        places = [*Path.home().glob(f".pyenv/versions/{version}.*/bin/python"), shutil.which(f"python{version}")]
        if found := next(filter(None, [sys.executable if version == own else None, *places]), None):
            yield version, str(found)


def smoke(wheel: Path, python: str, folder: Path, *pinned: str) -> None:
    """Install the wheel in an environment of its own and run every command of ``SMOKE`` in an empty directory."""
    run(python, "-m", "venv", folder / "env")
    bin_ = folder / "env" / ("Scripts" if os.name == "nt" else "bin")
    run(bin_ / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel, *pinned)
    work = folder / "work"
    work.mkdir()
    examples = ROOT / "src/corefscope/formats/examples"
    shutil.copy(examples / "key.conllu", work)
    (work / "key.conll").write_text(CONLL, encoding="utf-8")
    shutil.copy(ROOT / "tests/golden/anaphora/key.conllua", work)
    env = {"PATH": f"{bin_}{os.pathsep}{os.environ['PATH']}", "HOME": str(folder), "LC_ALL": "C.UTF-8"}
    for name, *arguments in SMOKE:
        run(bin_ / name, *arguments, cwd=work, env=env)


def main() -> None:
    """Every step, and what a maintainer does next."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, help="keep the distributions in this directory")
    parser.add_argument("--tagged", action="store_true", help="the tag of the version exists, as in the workflow")
    parser.add_argument("--wheel", type=Path, help="only try this wheel in a clean environment")
    parsed = parser.parse_args()
    try:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            if parsed.wheel:
                smoke(parsed.wheel.resolve(), sys.executable, folder / "given")
                print(f"{parsed.wheel.name} works.")
                return
            version = check_version()
            check_tree(version, parsed.tagged)
            check_links(parsed.tagged)
            pythons = dict(interpreters())
            if PYTHONS[0] not in pythons:
                raise ReleaseError(f"{' and '.join(OLDEST)} need Python {PYTHONS[0]}, which is not on this machine")
            digests = build(folder)
            files = [folder / name for name in digests]
            wheel = inspect(files)
            for python, path in pythons.items():
                smoke(wheel, path, folder / python)
                print(f"works with Python {python}, the newest dependencies")
            smoke(wheel, pythons[PYTHONS[0]], folder / "oldest", *OLDEST)
            print(f"works with {', '.join(OLDEST)}")
            if parsed.out:
                parsed.out.mkdir(exist_ok=True)
                for file in files:
                    shutil.copy(file, parsed.out)
    except ReleaseError as error:
        sys.exit(f"release: {error}")
    for name, digest in digests.items():
        print(f"{digest}  {name}")
    print(f"Version {version} is ready. What is left: git tag v{version}, and git push --tags, which publishes it.")


if __name__ == "__main__":
    main()
