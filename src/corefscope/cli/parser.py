"""The registry of commands, one row each, and the parser of the command line."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Collection, Iterable, Mapping
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

from ..core.errors import OptionError
from ..core.registry import Registry
from ..output.columns import terminal_width

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

INPUTS = ("key", "response", "responses", "paths", "files", "results", "result", "source", "task", "values")
"""Arguments of commands that name input files."""
FOR_MODELS, FOR_CODABENCH = "text for language models (--to tagged)", "Codabench competition"
GROUPS = (
    *(FOR_MODELS, "scoring rules", "metrics", "input", "output"),
    *("tables of any size (CSV, Parquet)", FOR_CODABENCH),
)
"""Titles of argument groups, in the order of the help."""
EXAMPLES = """\
examples:
  corefscope score key.conllu response.conllu
  corefscope score key.conllu response.conllu --match exact --singletons keep
  corefscope score key.conllu response.conllu --metrics conll,lea --per-document
  corefscope score key.conllu.gz - --format json < response.conllu
  corefscope metrics
"""
VALUES_NOTE = "\n'corefscope help OPTION' explains the values of an option."
HELP_OF_OPTIONS = "'corefscope help OPTION' explains the values of an option."
_TITLES = {
    "score": "score a response against a key",
    "errors": "show where points are lost",
    "explain": "show how a score is calculated on one document",
    "diff": "print the text with brackets where key and response differ",
    "report": "write an HTML page with scores and errors",
    "serve": "show the report page, updated when a file changes",
    "compare": "compare systems, with intervals and significance",
    "task": "score every system of a shared task on every data set",
    "verify": "recompute a saved result and compare",
    "explain-difference": "find the settings behind two different scores of the same files",
    "agree": "measure agreement between annotators",
    "correlate": "measure how metrics correlate over systems",
    "perturb": "make responses with controlled noise from a key",
    "curves": "show how metrics behave under controlled noise",
    "convert": "write a file in another format",
    "validate": "check files and list every problem",
    "stats": "count words, mentions and entities of files",
    "metrics": "list the metrics, or explain some",
    "presets": "list the options of shared tasks",
    "cite": "print BibTeX for the papers behind metrics",
    "help": "explain a command, an option or another topic",
    "completion": "print a shell completion script",
}
"""Names and titles, in the order of the help."""


PROGRAM = "corefscope"


class Command(NamedTuple):
    """One row of the registry of commands."""

    title: str
    module: str

    def load(self) -> ModuleType:
        """The module of the command: ``DESCRIPTION``, ``EXAMPLES``, ``add_arguments(parser)`` and ``run(parsed)``."""
        return import_module(self.module)


COMMANDS: Registry[Command] = Registry(
    {name: Command(title, f"{__package__}.{name.replace('-', '_')}") for name, title in _TITLES.items()}
)


def one_of(kind: str, choices: Collection[str], aliases: Mapping[str, str] | None = None) -> Callable[[str], str]:
    """A type for argparse: one of the choices; a mistyped one gets a suggestion."""

    def check(value: str) -> str:
        if value not in choices:
            raise argparse.ArgumentTypeError(str(OptionError.unknown(kind, [value], choices, aliases)))
        return value

    return check


class HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Help as wide as the terminal. Argparse would import shutil for that with every argument, which takes 3 ms."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=terminal_width(80) - 2)


class Parser(argparse.ArgumentParser):
    """A parser with titled groups of arguments, which lists its arguments and commands."""

    def __init__(self, **options: Any) -> None:
        self.actions: list[argparse.Action] = []
        """Its arguments, those of groups included."""
        self.values: dict[str, Mapping[str, str]] = {}
        """Named values of arguments and what they mean."""
        self.commands: dict[str, Parser] = {}
        super().__init__(formatter_class=HelpFormatter, **options)
        self._groups = {title: self.add_argument_group(title) for title in GROUPS}  # help omits empty ones

    def add_argument(
        self, *names: Any, group: str = "", values: Mapping[str, str] | None = None, **declaration: Any
    ) -> argparse.Action:
        """Add an argument to the group of this title; ``values`` are its named values and what they mean."""
        if values:
            kind = names[0].lstrip("-")
            declaration = {"type": one_of(kind, values), "metavar": "|".join(values), **declaration}
        add = self._groups[group].add_argument if group else super().add_argument
        action = add(*names, **declaration)
        self.actions.append(action)
        self.values[action.dest] = values or {}
        return action

    def print_help(self, file: SupportsWrite[str] | None = None) -> None:
        """Print the help. Unlike argparse, this fails if the help cannot be written."""
        (file or sys.stdout).write(self.format_help())


def build_parser(command: str = "") -> Parser:
    """The parser of the whole command line; only the named command gets its arguments, as imports take time."""
    parser = Parser(
        prog=PROGRAM,
        description="Official coreference scores in a tenth of a second, and what to fix first.",
        epilog=EXAMPLES,
    )
    parser.add_argument("--version", action="store_true", help="show the version and exit")
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND")
    for name, row in COMMANDS.items():
        subparser = subparsers.add_parser(name, help=row.title)
        if name == command:
            parser.commands[name] = _with_arguments(subparser, row)
    return parser


def command_parser(command: str) -> Parser:
    """The parser of one command, without those of the others, which would take 10 ms."""
    return _with_arguments(Parser(prog=f"{PROGRAM} {command}"), COMMANDS[command])


def _with_arguments(parser: Parser, row: Command) -> Parser:
    module = row.load()
    parser.description, parser.epilog = module.DESCRIPTION, module.EXAMPLES
    parser.set_defaults(run=module.run)
    module.add_arguments(parser)
    parser.usage = parser.usage or _usage(parser.actions)
    if any(parser.values[action.dest] for action in parser.actions if action.option_strings):
        parser.epilog = f"{module.EXAMPLES.rstrip()}\n\n{HELP_OF_OPTIONS}"
    return parser


def _usage(actions: Iterable[argparse.Action]) -> str:
    """Required options and operands; argparse would list all options."""
    forms = {"+": "{0} [{0} …]", "*": "[{0} …]", "?": "[{0}]"}
    required = [
        f"{action.option_strings[0]} {action.metavar}"
        for action in actions
        if action.option_strings and action.required
    ]
    operands = [action for action in actions if not action.option_strings]
    words = [forms.get(str(action.nargs), "{0}").format(action.metavar or action.dest) for action in operands]
    return " ".join(["%(prog)s", *required, *words, "[options]"])


def options_of(parser: Parser) -> list[str]:
    """The options that a parser knows, as they are written in full."""
    return [option for action in parser.actions for option in action.option_strings if option.startswith("--")]
