"""``corefscope report``: a page with scores, lost points and errors; ``serve``: the same page, live, or the app."""

from __future__ import annotations

import argparse
import sys
from contextlib import suppress

from ..core.errors import OptionError
from ..output.pages.report import write_report
from ..output.pages.serve import Server, serve_app, serve_report
from ..output.text import shown
from . import arguments
from .arguments import ANNOTATORS
from .parser import CommandParts, Parser
from .terminal import ProgressBar, complain, warn

DESCRIPTION = """\
Write a page that shows where points are lost: scores with intervals, the cost
of each class of errors, the weakest parts of the data, and every document with
its chains and errors. The page is a single file."""
EXAMPLES = """\
examples:
  corefscope report key.conllu response.conllu -o report.html
  corefscope report key.conllu ours.conllu theirs.conllu --names ours,theirs
  corefscope report key.conll response.jsonl --preset conll12 --title 'Our dev set'
"""


def add_arguments(parser: Parser) -> None:
    arguments.add(
        parser, "key", "responses", "--title", "--names", "--labels", *arguments.REQUEST, "--metrics", "--quiet"
    )
    arguments.add_example(parser)
    arguments.add(parser, "--annotators", help=f"{ANNOTATORS}: the page calls them A and B")
    arguments.add(parser, "--output", default="report.html", help="output file (default report.html)")
    arguments.add(parser, "--baseline", help=arguments.NO_BASELINE)


def run(parsed: argparse.Namespace) -> int:
    request = arguments.request_arguments(parsed)
    own = {name: getattr(parsed, name) for name in ("names", "title", "labels", "annotators")}
    with ProgressBar(parsed.quiet) as progress:
        warnings = write_report(parsed.key, parsed.responses, parsed.output, progress=progress, **own, **request)
    warn(warnings, parsed.quiet)
    sys.stdout.write(f"{shown(parsed.output)}\n")
    return 0


def _add_serve_arguments(parser: Parser) -> None:
    arguments.add(parser, "key", nargs="?")
    arguments.add(parser, "responses", nargs="*")
    arguments.add_example(parser)
    parser.add_argument("--app", action="store_true", help="serve the app instead of a report")
    pyodide = "directory of Pyodide, with --app (default node_modules/pyodide)"
    parser.add_argument("--pyodide", metavar="DIR", help=pyodide)
    host = "address (default 127.0.0.1: this machine only)"
    parser.add_argument("--host", default="127.0.0.1", metavar="ADDRESS", help=host)
    parser.add_argument("--port", type=int, default=8765, metavar="N", help="port (default 8765; 0: any free port)")
    shared = "allow a --host that other machines can reach (there is no password)"
    parser.add_argument("--shared", action="store_true", help=shared)
    arguments.add(parser, "--title", "--names", "--labels", *arguments.REQUEST, "--metrics")
    arguments.add(parser, "--baseline", help=arguments.NO_BASELINE)
    arguments.add(parser, "--quiet", help="no note when files are scored again")


def _run_serve(parsed: argparse.Namespace) -> int:
    with _start_server(parsed) as server:
        sys.stdout.write(f"{server.url}\n")
        sys.stdout.flush()
        with suppress(KeyboardInterrupt):
            server.serve_forever(poll_interval=0.2)
    return 0


def _start_server(parsed: argparse.Namespace) -> Server:
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

    own = {"names": parsed.names, "title": parsed.title, "labels": parsed.labels, "scored": scored}
    return serve_report(parsed.key, parsed.responses, **own, **where, **arguments.request_arguments(parsed))


SERVE = CommandParts(
    """\
Show the page of 'corefscope report' on this machine, and update it in the
browser whenever a file changes. With --app, show a page that scores the files
that you drop on it. Ctrl-C stops the server.""",
    """\
examples:
  corefscope serve key.conllu response.conllu
  corefscope serve key.conllu ours.conllu theirs.conllu --port 9000
  corefscope serve --app
      needs Pyodide (Python for browsers): npm install pyodide, once
""",
    _add_serve_arguments,
    _run_serve,
)
