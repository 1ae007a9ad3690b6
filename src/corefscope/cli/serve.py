"""``corefscope serve``: the report page, live; or the app."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from ..core.errors import OptionError
from . import arguments
from .terminal import complain

if TYPE_CHECKING:
    from ..output.pages.serve import Server


DESCRIPTION = """\
Show the page of 'corefscope report' on this machine, and update it in the
browser whenever a file changes. With --app, show a page that scores the files
that you drop on it. Ctrl-C stops the server."""
EXAMPLES = """\
examples:
  corefscope serve key.conllu response.conllu
  corefscope serve key.conllu ours.conllu theirs.conllu --port 9000
  corefscope serve --app
      needs Pyodide (Python for browsers): npm install pyodide, once
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    arguments.add(parser, "key", nargs="?")
    arguments.add(parser, "responses", nargs="*")
    parser.add_argument("--app", action="store_true", help="serve the app instead of a report")
    pyodide = "directory of Pyodide, with --app (default node_modules/pyodide)"
    parser.add_argument("--pyodide", metavar="DIR", help=pyodide)
    host = "address (default 127.0.0.1: this machine only)"
    parser.add_argument("--host", default="127.0.0.1", metavar="ADDRESS", help=host)
    parser.add_argument("--port", type=int, default=8765, metavar="N", help="port (default 8765; 0: any free port)")
    shared = "allow a --host that other machines can reach (there is no password)"
    parser.add_argument("--shared", action="store_true", help=shared)
    arguments.add(parser, "--title", "--names", *arguments.REQUEST, "--metrics")
    arguments.add(parser, "--baseline", help=arguments.NO_BASELINE)
    arguments.add(parser, "--quiet", help="no note when files are scored again")


def run(parsed: argparse.Namespace) -> int:
    """Serve until interrupted."""
    with _start_server(parsed) as server:
        sys.stdout.write(f"{server.url}\n")
        sys.stdout.flush()
        try:
            server.serve_forever(poll_interval=0.2)
        except KeyboardInterrupt:
            return 0
    return 0


def _start_server(parsed: argparse.Namespace) -> Server:
    from ..output.pages.serve import serve_app, serve_report

    where = {"host": parsed.host, "port": parsed.port, "shared": parsed.shared}
    if parsed.app:
        if parsed.key:
            raise OptionError("--app takes no files: drop them on its page")
        return serve_app(parsed.pyodide, **where)
    if not parsed.responses:
        raise OptionError("name a key and at least one response, or give --app")

    def scored(seconds: float) -> None:
        if not parsed.quiet:
            complain("note", f"scored in {seconds:.1f} s")

    own = {"names": parsed.names, "title": parsed.title, "scored": scored}
    return serve_report(parsed.key, parsed.responses, **own, **where, **arguments.request_arguments(parsed))
