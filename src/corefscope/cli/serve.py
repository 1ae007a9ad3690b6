"""``corefscope serve``: the report page, live."""

from __future__ import annotations

import argparse
import sys
import time

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
    parser.add_argument("--title", metavar="TEXT", help="what to call the page (default: the name of the key file)")
    arguments.add(parser, "--names", *arguments.REQUEST, "--metrics", "--baseline")
    arguments.add(parser, "--quiet", help="do not say when files are scored again")


def run(parsed: argparse.Namespace) -> int:
    """Serve until interrupted."""
    from ..evaluate.request import Request
    from ..show.page.data import collect
    from ..show.page.page import render
    from ..show.serve import Site, make_server

    request = Request(arguments.request_arguments(parsed))

    def make() -> str:
        begun = time.perf_counter()
        data = collect(parsed.key, parsed.responses, request, names=parsed.names, title=parsed.title)
        page = render(data, live=True)
        if not parsed.quiet:
            complain("note", f"scored in {time.perf_counter() - begun:.1f} s")
        return page

    site = Site(parsed.key, parsed.responses, make)
    with make_server(site, parsed.host, parsed.port, shared=parsed.shared) as server:
        host, port = server.server_address[:2]
        address = str(host) if ":" not in str(host) else f"[{host!s}]"
        sys.stdout.write(f"http://{address}:{port}/\n")
        sys.stdout.flush()
        try:
            server.serve_forever(poll_interval=0.2)
        except KeyboardInterrupt:
            return 0
    return 0
