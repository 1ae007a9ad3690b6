"""The files of the app: its page and scripts, Pyodide, and the Python packages that it loads.

``python -m corefscope.output.pages.app.files OUT`` writes them as a static site.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Iterable, Iterator
from importlib import import_module
from importlib.metadata import distribution
from io import BytesIO
from pathlib import Path
from posixpath import dirname, join, normpath
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from ....core.errors import CorefscopeError, OptionError
from ....core.format import FORMATS
from ....core.metrics import GROUPS, METRICS
from ....core.options import TITLES
from ....core.presets import PRESETS
from ....core.version import __version__
from ...results.score import SAMPLES
from ..report import environment, own_sources
from .worker_api import TABS

PAGES = Path(__file__).parents[1]
OWN = PAGES.parents[1]
FOR_PAGE = ("jinja2", "markupsafe")
"""Packages that render the report page; they are pure Python, or work without their compiled parts."""
LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""The time of all files in an archive: the same content makes the same archive."""
SCRIPTS = ("app/assets/main.js", "app/assets/worker.js")
STYLES = ("report/assets/page.css", "app/assets/app.css")
IMPORT = re.compile(r'^(?:import|export) \{[^}]*\} from "(\.[^"]+)";$', flags=re.MULTILINE)
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
PYODIDE_LICENCES = (
    "Pyodide: Mozilla Public License 2.0, https://github.com/pyodide/pyodide",
    "CPython, in Pyodide: Python Software Foundation License 2, https://github.com/python/cpython",
)
PLACES = ("node_modules/pyodide", ".app/node_modules/pyodide")
"""Directories where Pyodide is searched, relative to the working directory."""


def app_files(pyodide: str | os.PathLike[str]) -> dict[str, bytes]:
    """The files of the site by their paths in it; ``pyodide`` is the directory of the package from npm."""
    found = Path(pyodide)
    if missing := [name for name in PYODIDE if not (found / name).is_file()]:
        problem = f"{os.fspath(pyodide)} is not the required version of Pyodide: it has no {missing[0]}"
        raise OptionError(f"{problem}\n  hint: {remedy()}")
    own, *others = licences()
    examples = OWN / "formats" / "examples"
    scripts = list(SCRIPTS)
    for name in scripts:  # which grows by the modules that a script imports
        imported = IMPORT.findall((PAGES / name).read_text(encoding="utf-8"))
        scripts += [path for other in imported if (path := normpath(join(dirname(name), other))) not in scripts]
    return {
        "index.html": _page().encode("utf-8"),
        **{name: (PAGES / name).read_bytes() for name in (*STYLES, *scripts)},
        **{f"pyodide/{name}": (found / name).read_bytes() for name in PYODIDE},
        **{f"example/{path.name}": path.read_bytes() for path in sorted(examples.glob("*.conllu"))},
        "python.zip": archive(sources()),
        "licences.txt": ("\n\n".join([own, *PYODIDE_LICENCES, *others]) + "\n").encode("utf-8"),
    }


def write_app(out: str | os.PathLike[str], pyodide: str | os.PathLike[str]) -> None:
    """Write the site into a directory, which may be part of another site."""
    for name, content in app_files(pyodide).items():
        path = Path(out) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def find_pyodide(named: str | os.PathLike[str] | None = None) -> Path:
    """The directory of Pyodide: the given one, else one below the working directory."""
    if named is not None:
        return Path(named)
    for place in map(Path, PLACES):
        if place.is_dir():
            return place
    raise CorefscopeError(f"Pyodide (Python for browsers) is not in {' or '.join(PLACES)}\n  hint: {remedy()}")


def remedy() -> str:
    """How to get Pyodide."""
    wanted = json.loads((PAGES / "app" / "assets" / "package.json").read_text(encoding="utf-8"))
    version = wanted["dependencies"]["pyodide"]
    return f"npm install pyodide@{version} in this directory, or name its directory with --pyodide"


def policy() -> str:
    """The Content-Security-Policy of the page: it can load and reach nothing outside its own origin.

    The worker starts from a ``blob:``, because it then inherits the policy of the page; a worker with an address
    would be bound by the headers of its own response, and static hosts send none. The report is a ``blob:``, too, so
    its script and style are allowed here, by their hashes.
    """
    style, script = own_sources()
    return (
        f"default-src 'none'; script-src 'self' 'wasm-unsafe-eval' '{script}'; style-src 'self' '{style}';"
        " img-src data:; connect-src 'self'; worker-src 'self' blob:; frame-src blob:; base-uri 'none';"
        " form-action 'none'"
    )


def _page() -> str:
    pages = environment(lambda name: (PAGES / "app" / "assets" / name).read_text(encoding="utf-8"))
    return pages.get_template("index.html.j2").render(
        policy=policy(),
        version=__version__,
        styles=STYLES,
        script=SCRIPTS[0],
        jobs={name: job.title for name, job in TABS.items()},
        presets={name: preset.title for name, preset in PRESETS.items()},
        samples=SAMPLES,
        options=TITLES,
        metrics=[*GROUPS, *METRICS],
        formats=list(FORMATS),
    )


def sources(others: Iterable[str] = FOR_PAGE) -> Iterator[tuple[str, Path]]:
    """The files of this package and of others, by their paths below a directory of ``sys.path``."""
    for path in OWN.rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path.relative_to(OWN.parent).as_posix(), path
    for package in others:
        for path in Path(str(import_module(package).__file__)).parent.glob("*.py"):
            yield f"{package}/{path.name}", path


def licences(others: Iterable[str] = FOR_PAGE) -> list[str]:
    """The licences of this package and of others."""
    texts = ["corefscope: Apache-2.0."]
    for package in others:
        installed = distribution(package)
        licence = next(path for path in installed.files or () if path.name.startswith("LICENSE"))
        texts.append(f"{installed.metadata['Name']} {installed.version}:\n\n{licence.read_text()}")
    return texts


def archive(files: Iterable[tuple[str, bytes | Path]]) -> bytes:
    """A zip archive of files by their paths in it; the same files make the same bytes."""
    buffer = BytesIO()
    with ZipFile(buffer, "w") as zipped:
        for name, content in sorted(files, key=lambda file: file[0]):
            info = ZipInfo(name, LONG_AGO)
            info.compress_type = ZIP_DEFLATED
            info.external_attr = 0o644 << 16  # ZipInfo gives no permission to read
            zipped.writestr(info, content if isinstance(content, bytes) else content.read_bytes())
    return buffer.getvalue()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Write the app as a static site.")
    parser.add_argument("out", metavar="OUT", help="output directory; it is created if necessary")
    parser.add_argument("--pyodide", metavar="DIR", help="directory of Pyodide (default: node_modules/pyodide)")
    parsed = parser.parse_args()
    try:
        write_app(parsed.out, find_pyodide(parsed.pyodide))
    except (CorefscopeError, OSError) as error:
        sys.exit(f"corefscope: error: {error}")
    sys.stdout.write(f"{parsed.out}\n")
