"""The registry of commands, one row each, and the parser of the command line."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from ..core.errors import OptionError
from ..core.metrics import GROUPS as METRIC_GROUPS
from ..core.metrics import METRICS, metric_name
from ..core.naming import RENAMED
from ..core.registry import Registry
from ..core.request import RequestArguments
from ..output.text import terminal_width, wrapped, wrapped_message
from .terminal import complain

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

INPUTS = ("key", "response", "responses", "inputs", "paths", "files", "results", "result", "source", "task", "values")
"""Arguments of commands that name input files."""
FOR_MODELS, FOR_CODABENCH = "text for language models (--to tagged)", "Codabench competition"
GROUPS = (
    *(FOR_MODELS, "scoring rules", "metrics", "input", "output"),
    *("tables of any size (CSV, Parquet)", FOR_CODABENCH),
)
"""Titles of argument groups, in the order of the help."""
EVERYDAY, MORE = "everyday commands", "more commands"
TABLES = ("entities", "response_entities", "documents_output")
"""Options that write a table of their own."""
ABSENT: dict[str, object] = {
    **dict.fromkeys((*RequestArguments.__annotations__, "key", "response", "signature", "table", *TABLES)),
    **dict.fromkeys(("responses", "pictures"), ()),
    "per_document": False,
}
"""The values of options that a command does not have."""


class CommandParts(NamedTuple):
    """The parts of a command; the module of a command has them under the same names."""

    DESCRIPTION: str
    EXAMPLES: str
    add_arguments: Callable[[Parser], None]
    run: Callable[[argparse.Namespace], int]
    """Does the work, prints, and returns the exit code."""


PROGRAM = "corefscope"
EXAMPLE = "--example"
DESCRIPTION = """\
Official coreference scores in a tenth of a second, and what to fix first.
New here? 'corefscope demo' scores an example and explains every line."""
EPILOG = "'corefscope COMMAND --help' shows its options; 'corefscope help' lists topics."


class Command(NamedTuple):
    """One row of the registry of commands."""

    title: str
    place: str
    """Its module; or MODULE:NAME if it shares the module of another command."""
    group: str = MORE
    """The title under which the help lists it."""

    def load(self) -> ModuleType | CommandParts:
        """The module or the parts of the command."""
        module, _, name = self.place.partition(":")
        loaded = import_module(f".{module}", __package__)
        parts: ModuleType | CommandParts = getattr(loaded, name) if name else loaded
        return parts


_ROWS = {
    "score": Command("score a response against a key", "score", EVERYDAY),
    "errors": Command("show where points are lost", "errors", EVERYDAY),
    "report": Command("write an HTML page with scores and errors", "report", EVERYDAY),
    "compare": Command("compare systems, with intervals and significance", "compare", EVERYDAY),
    "validate": Command("check files and list every problem", "validate", EVERYDAY),
    "convert": Command("write a file in another format", "convert", EVERYDAY),
    "demo": Command("score an example and explain every line", "demo"),
    "explain": Command("show how a score is calculated on one document", "explain"),
    "diff": Command("print the text with brackets where key and response differ", "diff"),
    "serve": Command("show the report page, updated when a file changes", "report:SERVE"),
    "task": Command("score every system of a shared task on every data set", "task"),
    "verify": Command("recompute a saved result and compare", "verify"),
    "merge": Command("add up saved results over different documents", "verify:MERGE"),
    "explain-difference": Command("find the settings behind two different scores", "explain:DIFFERENCE"),
    "agree": Command("measure agreement between annotators", "compare:AGREE"),
    "probe": Command("probe how pronouns are resolved: GAP, pairs of conditions", "probe"),
    "correlate": Command("measure how metrics correlate over systems", "compare:CORRELATE"),
    "perturb": Command("make responses with controlled noise from a key", "perturb"),
    "curves": Command("show how metrics behave under controlled noise", "perturb:CURVES"),
    "stats": Command("count words, mentions and entities of files", "validate:STATS"),
    "metrics": Command("list the metrics, or explain some", "metrics"),
    "presets": Command("list the options of shared tasks", "metrics:PRESETS"),
    "cite": Command("print BibTeX for the papers behind metrics", "cite:CITE"),
    "cite-line": Command("print the sentence about scores for a paper, with BibTeX", "cite:CITE_LINE"),
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
        super().__init__(prog, width=terminal_width() - 2)


class Parser(argparse.ArgumentParser):
    """A parser with titled groups of arguments, which lists its arguments and commands."""

    def __init__(self, **options: Any) -> None:
        self.actions: list[argparse.Action] = []
        """Its arguments, those of groups included."""
        self.values: dict[str, Mapping[str, str]] = {}
        """Named values of arguments and what they mean."""
        self.commands: dict[str, Parser] = {}
        self.example: tuple[str, ...] = ()
        """The files that ``--example`` stands for."""
        super().__init__(formatter_class=HelpFormatter, **options)
        self.set_defaults(**ABSENT)
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

    def parse_command(self, words: Sequence[str]) -> tuple[argparse.Namespace, list[str]]:
        """Parse the words after the name of a command, operands and options in any order.

        ``--example`` becomes the names of the example files.
        """
        words = list(map(_current_option, words))
        if self.example and EXAMPLE in words[: words.index("--") if "--" in words else None]:
            words = [word for word in words if word != EXAMPLE]
            valued = {option for action in self.actions if action.nargs != 0 for option in action.option_strings}
            pairs = zip(["", *words], words, strict=False)
            if files := [word for before, word in pairs if before not in valued and os.path.exists(word)]:
                raise OptionError(f"{EXAMPLE} has a key and responses of its own: leave it out, or {files[0]}")
            words += self.example
        return self.parse_known_intermixed_args(words)

    def error(self, message: str) -> NoReturn:
        """Print the usage and the message, and how to do without files if these are missing; exit with code 2."""
        if self.example and "required" in message:
            message += f"\n  hint: no files at hand? {self.prog} {EXAMPLE}"
        text = wrapped_message(f"{self.prog}: error: {message}", sys.stderr)
        self.exit(2, f"{self.format_usage()}{text}\n")

    def print_help(self, file: SupportsWrite[str] | None = None) -> None:
        """Print the help. Unlike argparse, this fails if the help cannot be written."""
        (file or sys.stdout).write(self.format_help())


def build_parser(command: str = "") -> Parser:
    """The parser of the whole command line; only the named command gets its arguments, as imports take time."""
    parser = Parser(
        prog=PROGRAM,
        usage=f"{PROGRAM} COMMAND …",
        description=f"{fitted(DESCRIPTION)}\n\n{_commands()}",
        epilog=fitted(EPILOG),
    )
    parser.add_argument("--version", action="store_true", help="show the version and exit")
    subparsers = parser.add_subparsers(metavar="COMMAND", help=argparse.SUPPRESS)  # the description lists them
    for name, row in COMMANDS.items():
        subparser = subparsers.add_parser(name, help=row.title)
        if name == command:
            parser.commands[name] = _with_arguments(subparser, row)
    return parser


def _commands() -> str:
    """The commands under the titles of their groups."""
    indent = " " * (max(map(len, COMMANDS)) + 4)
    groups = []
    for group in (EVERYDAY, MORE):
        rows = [(f"  {name}".ljust(len(indent)), row.title) for name, row in COMMANDS.items() if row.group == group]
        lines = [line for name, title in rows for line in wrapped(name + title, terminal_width(), indent)]
        groups.append("\n".join([f"{group}:", *lines]))
    return "\n\n".join(groups)


def fitted(text: str) -> str:
    """A description or examples in the width of the terminal; a long command continues after a backslash."""
    width = terminal_width()
    lines = []
    for line in text.rstrip().split("\n"):
        if line.startswith(f"  {PROGRAM} "):
            lines.append(" \\\n".join(wrapped(line, width - 2, " " * 6)))
        else:
            lines += wrapped(line, width)
    return "\n".join(lines)


def command_parser(command: str) -> Parser:
    """The parser of one command, without those of the others, which would take 10 ms."""
    return _with_arguments(Parser(prog=f"{PROGRAM} {command}"), COMMANDS[command])


def _with_arguments(parser: Parser, row: Command) -> Parser:
    parts = row.load()
    parser.description, parser.epilog = fitted(parts.DESCRIPTION), fitted(parts.EXAMPLES)
    parser.set_defaults(run=parts.run)
    parts.add_arguments(parser)
    parser.usage = parser.usage or _usage(parser.actions)
    if any(parser.values[action.dest] for action in parser.actions if action.option_strings):
        parser.epilog += "\n\n'corefscope help OPTION' explains the values of an option."
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


def _current_option(word: str) -> str:
    """A word; of an option that was renamed the new name, with a message."""
    name, sign, value = word.partition("=")
    if not word.startswith("--") or name[2:] not in RENAMED:
        return word
    complain("warning", f"{name} is now called --{RENAMED[name[2:]]}")
    return f"--{RENAMED[name[2:]]}{sign}{value}"


def options_of(parser: Parser) -> list[str]:
    """The options that a parser knows, as they are written in full."""
    return [option for action in parser.actions for option in action.option_strings if option.startswith("--")]


def refuse_mistyped(unknown: Sequence[str], parser: Parser) -> None:
    """Refuse options that do not exist, with suggestions: similar ones, or those that take the word as a value."""
    mistyped = [word.partition("=")[0] for word in unknown if word.startswith("-")]
    if not mistyped:
        return
    options = options_of(parser)
    suggested = {}
    for word in mistyped:
        name = word.lstrip("-")
        values = [f"{option} {value}" for option, value in _values_named(parser, name)]
        initial = [option for option in options if len(name) == 1 and option[2] == name.lower()]
        initial.sort(key=lambda option: option != "--metrics")  # what -m mostly means
        if near := values or initial[:3]:
            suggested[word] = near
    if not suggested:
        raise OptionError.unknown("option", mistyped, options)
    described = [
        f"{word!r}" + (f" (did you mean {' or '.join(map(repr, suggested[word]))}?)" if word in suggested else "")
        for word in mistyped
    ]
    raise OptionError(f"unknown option {', '.join(described)}")


def _values_named(parser: Parser, name: str) -> Iterable[tuple[str, str]]:
    """The options that have a value of this name, and the value."""
    for action in parser.actions:
        option = next((option for option in action.option_strings if option.startswith("--")), "")
        if option == "--metrics" and (metric_name(name) in METRICS or name in METRIC_GROUPS):
            yield option, metric_name(name)
        elif option and name in parser.values[action.dest]:
            yield option, name
