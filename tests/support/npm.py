"""Packages from npm that tests need; installed once, into directories that git ignores."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from places import REPOSITORY, SOURCE

LOCKS = {
    "pyodide": (SOURCE / "output" / "pages" / "app" / "assets", REPOSITORY / ".app"),
    "axe-core": (REPOSITORY / "tests" / "output" / "js", REPOSITORY / "tests" / "output" / "js"),
}
"""Where the lock file of a package is, and where the package goes."""


def installed(package: str) -> Path:
    """The directory of a package; the test is skipped if it cannot be had."""
    locked, place = LOCKS[package]
    found = place / "node_modules" / package
    if not found.is_dir():
        _install(locked, place)
    if not found.is_dir():
        pytest.skip(f"{package} is not installed, and npm does not get it")
    return found


def _install(locked: Path, place: Path) -> None:
    """As ``npm ci``, but beside the place first: other processes may be installing, too."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("there is no npm")
    place.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place, prefix=".npm-") as folder:
        for name in ("package.json", "package-lock.json"):
            shutil.copy(locked / name, folder)
        command = [npm, "ci", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]
        try:
            done = subprocess.run(command, capture_output=True, timeout=120, check=False)
        except subprocess.TimeoutExpired:
            return
        if done.returncode == 0:
            try:
                os.rename(Path(folder) / "node_modules", place / "node_modules")
            except OSError:  # another process was faster, or some of it is there
                shutil.copytree(Path(folder) / "node_modules", place / "node_modules", dirs_exist_ok=True)
