"""``corefscope serve``: the report page, live."""

from __future__ import annotations

import argparse
import sys

from . import arguments
from .terminal import complain

DESCRIPTION = (
    "Show the page of 'corefscope report' on this machine, and score again whenever a file changes; the page in the"
    " browser follows. Ctrl-C ends it."
)
EXAMPLES = """\
examples:
  corefscope serve key.conllu response.conllu
  corefscope serve key.conllu ours.conllu theirs.conllu --port 9000
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    arguments.add(parser, "key", "responses")
    parser.add_argument(
        "--host", default="127.0.0.1", metavar="ADDRESS", help="default %(default)s: this machine only"
    )
    parser.add_argument("--port", type=int, default=8765, metavar="N", help="default %(default)s; 0 takes a free one")
    parser.add_argument(
        "--shared", action="store_true", help="allow a --host that other machines can reach (there is no password)"
    )
    parser.add_argument("--title", metavar="TEXT", help="what to call the page (default: names of responses and key)")
    arguments.add(parser, "--names", *arguments.REQUEST, "--metrics")
    arguments.add(parser, "--baseline", help=arguments.NO_BASELINE)
    arguments.add(parser, "--quiet", help="do not say when files are scored again")


def run(parsed: argparse.Namespace) -> int:
    """Serve until interrupted."""
    from ..show.serve import serve_report

    def scored(seconds: float) -> None:
        if not parsed.quiet:
            complain("note", f"scored in {seconds:.1f} s")

    with serve_report(
        parsed.key,
        parsed.responses,
        names=parsed.names,
        title=parsed.title,
        host=parsed.host,
        port=parsed.port,
        shared=parsed.shared,
        scored=scored,
        **arguments.request_arguments(parsed),
    ) as server:
        sys.stdout.write(f"{server.url}\n")
        sys.stdout.flush()
        try:
            server.serve_forever(poll_interval=0.2)
        except KeyboardInterrupt:
            return 0
    return 0
