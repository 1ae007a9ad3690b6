"""The parser of ``corefscope``: of all commands their names, of the one that is called also its arguments."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable

from .._version import __version__
from .catalogue import COMMANDS, module_of

EXAMPLES = """\
examples:
  corefscope score key.conllu response.conllu
  corefscope score key.conllu response.conllu --match exact --singletons keep
  corefscope score key.conllu response.conllu --metrics conll,lea --per-document
  corefscope score key.conllu.gz - --format json < response.conllu
  corefscope metrics
"""


class HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Help as wide as the terminal; asked for here because argparse would import half of shutil to ask."""

    def __init__(self, prog: str) -> None:
        try:
            width = os.get_terminal_size().columns
        except OSError:
            columns = os.environ.get("COLUMNS", "")
            width = int(columns) if columns.isdecimal() else 100
        super().__init__(prog, width=max(width - 2, 40))


def build_parser(commands: Iterable[str] = COMMANDS) -> argparse.ArgumentParser:
    """The parser; only the named commands get their arguments, because their modules must be imported for it."""
    parser = argparse.ArgumentParser(
        prog="corefscope",
        description="Scores coreference resolution: a system's response against a key.",
        epilog=EXAMPLES,
        formatter_class=HelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"corefscope {__version__}")
    parser.set_defaults(run=None)
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND")
    wanted = set(commands)
    for name, title in COMMANDS.items():
        command = subparsers.add_parser(name, help=title, formatter_class=HelpFormatter)
        if name in wanted:
            module = module_of(name)
            command.description, command.epilog = module.DESCRIPTION, module.EXAMPLES
            command.set_defaults(run=module.run)
            module.add_arguments(command)
    return parser
