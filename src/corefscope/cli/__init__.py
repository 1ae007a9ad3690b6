"""The command line: ``corefscope COMMAND …``. Exit codes: 0 done, 1 bad input, 2 wrong usage."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from .parser import build_parser
from .terminal import guarded


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    parser = build_parser(arguments[:1])
    options = parser.parse_args(arguments)
    if options.run is None:
        parser.print_help()
        return 2
    return guarded(lambda: options.run(options))
