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
from ..output.text import terminal_width

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


class CommandParts(NamedTuple):
    """The parts of a command; the module of a command has them under the same names."""

    DESCRIPTION: str
    EXAMPLES: str
    add_arguments: Callable[[Parser], None]
    run: Callable[[argparse.Namespace], int]
    """Does the work, prints, and returns the exit code."""


PROGRAM = "corefscope"


class Command(NamedTuple):
    """One row of the registry of commands."""

    title: str
    place: str
    """Its module; or MODULE:NAME if it shares the module of another command."""

    def load(self) -> ModuleType | CommandParts:
        """The module or the parts of the command."""
        module, _, name = self.place.partition(":")
        loaded = import_module(f".{module}", __package__)
        parts: ModuleType | CommandParts = getattr(loaded, name) if name else loaded
        return parts


_ROWS = {
    "score": Command("score a response against a key", "score"),
    "errors": Command("show where points are lost", "errors"),
    "explain": Command("show how a score is calculated on one document", "explain"),
    "diff": Command("print the text with brackets where key and response differ", "diff"),
    "report": Command("write an HTML page with scores and errors", "report"),
    "serve": Command("show the report page, updated when a file changes", "report:SERVE"),
    "compare": Command("compare systems, with intervals and significance", "compare"),
    "task": Command("score every system of a shared task on every data set", "task"),
    "verify": Command("recompute a saved result and compare", "verify"),
    "explain-difference": Command(
        "find the settings behind two different scores of the same files", "explain:DIFFERENCE"
    ),
    "agree": Command("measure agreement between annotators", "compare:AGREE"),
    "correlate": Command("measure how metrics correlate over systems", "compare:CORRELATE"),
    "perturb": Command("make responses with controlled noise from a key", "perturb"),
    "curves": Command("show how metrics behave under controlled noise", "perturb:CURVES"),
    "convert": Command("write a file in another format", "convert"),
    "validate": Command("check files and list every problem", "validate"),
    "stats": Command("count words, mentions and entities of files", "validate:STATS"),
    "metrics": Command("list the metrics, or explain some", "metrics"),
    "presets": Command("list the options of shared tasks", "metrics:PRESETS"),
    "cite": Command("print BibTeX for the papers behind metrics", "metrics:CITE"),
    "help": Command("explain a command, an option or another topic", "help"),
    "completion": Command("print a shell completion script", "help:COMPLETION"),
}
COMMANDS: Registry[Command] = Registry(_ROWS)
"""All commands, in the order of the help."""


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
        self, *names: str, group: str = "", values: Mapping[str, str] | None = None, **declaration: Any
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
    parts = row.load()
    parser.description, parser.epilog = parts.DESCRIPTION, parts.EXAMPLES
    parser.set_defaults(run=parts.run)
    parts.add_arguments(parser)
    parser.usage = parser.usage or _usage(parser.actions)
    if any(parser.values[action.dest] for action in parser.actions if action.option_strings):
        parser.epilog = f"{parts.EXAMPLES.rstrip()}\n\n'corefscope help OPTION' explains the values of an option."
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
