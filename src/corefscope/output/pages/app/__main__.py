"""``python -m corefscope.output.pages.app OUT``: write the app as a static site."""

from __future__ import annotations

import argparse
import sys

from ....core.errors import CorefscopeError
from .files import find_pyodide, write_app

parser = argparse.ArgumentParser(
    prog="python -m corefscope.output.pages.app", description="Write the app as a static site."
)
parser.add_argument("out", metavar="OUT", help="output directory; it is created if necessary")
parser.add_argument("--pyodide", metavar="DIR", help="directory of Pyodide (default: node_modules/pyodide)")
parsed = parser.parse_args()
try:
    write_app(parsed.out, find_pyodide(parsed.pyodide))
except (CorefscopeError, OSError) as error:
    sys.exit(f"corefscope: error: {error}")
sys.stdout.write(f"{parsed.out}\n")
