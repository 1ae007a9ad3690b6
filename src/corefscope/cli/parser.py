"""The parser of ``corefscope``: of all commands their names, of the one that is called also its arguments."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from typing import Any

from ..base.version import __version__
from ..show.columns import terminal_width, wrapped
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
    """Help as wide as the terminal: descriptions are wrapped, examples stand as they are."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=max(terminal_width() - 2, 40))

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        if "\n  " in text:  # examples
            return super()._fill_text(text, width, indent)
        return "\n".join(wrapped(" ".join(text.split()), width, indent))


class Parser(argparse.ArgumentParser):
    """A parser that does not keep to itself that help could not be written."""

    def _print_message(self, message: str, file: Any = None) -> None:
        if file is sys.stdout:
            file.write(message)
        else:
            super()._print_message(message, file)


def build_parser(commands: Iterable[str] = COMMANDS) -> argparse.ArgumentParser:
    """The parser; only the named commands get their arguments, because their modules must be imported for it."""
    parser = Parser(
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


def options_of(parser: argparse.ArgumentParser, command: str) -> list[str]:
    """The options that a command has, as they are written in full."""
    found = next(action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    actions = found.choices[command]._actions if command else parser._actions
    return [option for action in actions for option in action.option_strings if option.startswith("--")]
