"""The command line: ``corefscope COMMAND …``.

Exit codes: 0 done, 1 bad input, 2 wrong usage, 3 a score below --fail-under; 130 interrupted, 143 terminated, 129
hung up.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import NoReturn


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    # Before NumPy is imported: for products as small as ours, threads cost more than they gain.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        from .terminal import guarded  # imports take a moment, in which Ctrl-C must be caught

        return guarded(lambda: _run(sys.argv[1:] if arguments is None else list(arguments)))
    except KeyboardInterrupt:
        return 130


def run() -> NoReturn:
    """The command ``corefscope``."""
    sys.exit(main())


def _run(arguments: list[str]) -> int:
    from ..core.errors import OptionError
    from ..formats.source import MAX_UNPACKED, parse_size
    from ..formats.target import refuse_overwriting
    from .parser import COMMANDS, INPUTS, command_parser, refuse_mistyped

    if "_ARGCOMPLETE" in os.environ:  # a shell asks for completions
        from .help import complete

        complete()
    command = arguments[0] if arguments and not arguments[0].startswith("-") else ""
    if command and command not in COMMANDS:
        raise OptionError.unknown("command", [command], COMMANDS)
    if not command:
        return _run_without_command(arguments)
    parser = command_parser(command)
    parsed, unknown = parser.parse_command(arguments[1:])
    refuse_mistyped(unknown, parser)
    if unknown:
        raise OptionError(f"too many arguments: {' '.join(unknown)} (see corefscope {command} --help)")
    options = vars(parsed)
    if (target := options.get("output")) and target != "-":
        for paths in filter(None, map(options.get, INPUTS)):
            refuse_overwriting(target, [paths] if isinstance(paths, str) else paths)
    if limit := options.get("max_unpacked"):
        parse_size(limit)
        os.environ[MAX_UNPACKED] = limit  # which worker processes inherit
    code: int = parsed.run(parsed)
    return code


def _run_without_command(arguments: list[str]) -> int:
    """Print the version or the help."""
    from ..core.version import __version__
    from .parser import build_parser, refuse_mistyped

    parser = build_parser()
    parsed, unknown = parser.parse_known_args(arguments)
    refuse_mistyped(unknown, parser)
    if not parsed.version:
        parser.print_help()
        return 2
    sys.stdout.write(f"corefscope {__version__}\n")
    return 0
