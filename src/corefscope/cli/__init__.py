"""The command line: ``corefscope COMMAND …``. Exit codes: 0 done, 1 bad input, 2 wrong usage."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from ..errors import CorefscopeError, OptionError
from .parser import build_parser
from .terminal import complain, tolerant_streams


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    tolerant_streams()
    parser = build_parser()
    options = parser.parse_args(arguments)
    if options.run is None:
        parser.print_help()
        return 2
    try:
        code: int = options.run(options)
        sys.stdout.flush()
        return code
    except OptionError as error:
        complain("error", str(error))
        return 2
    except CorefscopeError as error:
        complain("error", str(error))
        return 1
    except BrokenPipeError:  # the reader of our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130
