"""The files of the app: its page and scripts, Pyodide, and the Python packages that it loads.

``python -m corefscope.output.pages.app.files OUT`` writes them as a static site.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from pathlib import Path
from posixpath import dirname, join, normpath

from ....core.errors import CorefscopeError, OptionError
from ....core.format import FORMATS
from ....core.metrics import GROUPS, METRICS
from ....core.options import TITLES
from ....core.presets import PRESETS
from ....core.version import __version__
from ...vendored import archive, licences, sources
from ..report.page import environment, own_sources
from .worker_api import TABS

PAGES = Path(__file__).parents[1]
EXAMPLES = PAGES.parents[1] / "formats" / "examples"
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
    scripts = list(SCRIPTS)
    for name in scripts:  # which grows by the modules that a script imports
        imported = IMPORT.findall((PAGES / name).read_text(encoding="utf-8"))
        scripts += [path for other in imported if (path := normpath(join(dirname(name), other))) not in scripts]
    return {
        "index.html": _page().encode("utf-8"),
        **{name: (PAGES / name).read_bytes() for name in (*STYLES, *scripts)},
        **{f"pyodide/{name}": (found / name).read_bytes() for name in PYODIDE},
        **{f"example/{path.name}": path.read_bytes() for path in sorted(EXAMPLES.glob("*.conllu"))},
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
        options=TITLES,
        metrics=[*GROUPS, *METRICS],
        formats=list(FORMATS),
    )


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
