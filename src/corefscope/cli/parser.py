"""The commands, one row each, their parser, and what values of options may be. Modules of commands do the work."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from importlib import import_module
from types import ModuleType
from typing import Any, NamedTuple

from ..core.registry import Registry
from ..core.version import __version__
from ..output.columns import terminal_width, wrapped

INPUTS = ("key", "response", "responses", "paths", "files", "results", "result", "source", "task", "values")
"""Arguments of commands that name what is read."""
_TITLES: dict[str, str] = {
    "score": "score a response against a key",
    "errors": "show where the points went",
    "explain": "work a score out by hand on one document",
    "diff": "print the text with brackets where key and response differ",
    "report": "write an HTML page that shows where the points went",
    "serve": "show the page of report, and score again when a file changes",
    "compare": "compare systems, with intervals and significance",
    "task": "score every system of a shared task on every data set",
    "verify": "compute a saved result again and compare",
    "explain-difference": "find the settings behind two different scores of the same files",
    "agree": "how much annotators agree",
    "correlate": "how metrics correlate over systems",
    "perturb": "make controlled responses from a key",
    "curves": "how metrics behave under controlled noise",
    "convert": "write a file in another format",
    "validate": "find all problems of files",
    "stats": "count what files hold",
    "metrics": "list the metrics, or explain some",
    "presets": "list the options that shared tasks used",
    "cite": "print BibTeX for the papers behind metrics",
    "help": "explain a command, an option, or something else in full",
    "completion": "print what makes a shell complete commands and options",
}
"""Name and what it does in a few words, in the order in which help shows them."""


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

LONGEST_VALUES = 21  # columns of the values of an option in short help
IN_FULL = "in full help only"
FEW = 3  # examples in short help
EXAMPLES = """\
examples:
  corefscope score key.conllu response.conllu
  corefscope score key.conllu response.conllu --match exact --singletons keep
  corefscope score key.conllu response.conllu --metrics conll,lea --per-document
  corefscope score key.conllu.gz - --format json < response.conllu
  corefscope metrics
"""


class HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Help as wide as the terminal: descriptions are wrapped, examples stand as they are.

    Python's own asks for the width in a way that takes 3 ms, though nobody wants help.
    """

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=max(terminal_width() - 2, 40))

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        if "\n  " in text:  # examples
            return super()._fill_text(text, width, indent)
        return "\n".join(wrapped(" ".join(text.split()), width, indent))


class ShortHelpFormatter(HelpFormatter):
    """One line for each argument that has a few words for it."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog)
        self._max_help_position = self._width if self._width < 70 else 36

    def _format_action(self, action: argparse.Action) -> str:
        brief: str | None = getattr(action, "brief", None)
        if brief == IN_FULL:
            return ""
        if brief is None or self._max_help_position > 36:
            return super()._format_action(action)
        values = str(action.metavar) if action.nargs != 0 else ""
        if len(values) > LONGEST_VALUES:
            brief, values = brief or values.replace("|", ", "), "NAME"
        names = ", ".join(sorted(action.option_strings, key=len))
        return f"  {f'{names} {values}'.strip():{self._max_help_position - 4}}  {brief}\n"


class Parser(argparse.ArgumentParser):
    """A parser that knows its arguments, groups and commands, and fails if help cannot be written."""

    def __init__(self, *args: Any, **options: Any) -> None:
        self.actions: list[argparse.Action] = []
        """Its arguments, those of groups included."""
        self.groups: dict[str, ArgumentGroup] = {}
        self.commands: dict[str, Parser] = {}
        super().__init__(*args, **options)

    def add_argument(self, *names: Any, **declaration: Any) -> argparse.Action:
        """Add an argument, and remember it."""
        action = super().add_argument(*names, **declaration)
        self.actions.append(action)
        return action

    def add_groups(self, titles: Iterable[str]) -> None:
        """Add groups in the order in which help shows them; it leaves out those without arguments."""
        self.groups |= {title: ArgumentGroup(self, title) for title in titles}

    def _print_message(self, message: str, file: Any = None) -> None:
        if file is sys.stdout:
            file.write(message)
        else:
            super()._print_message(message, file)


class ArgumentGroup:
    """Arguments under one title."""

    def __init__(self, parser: Parser, title: str) -> None:
        self._parser, self._group = parser, parser.add_argument_group(title)

    def add_argument(self, *names: str, **declaration: Any) -> argparse.Action:
        """Add an argument, which the parser remembers, too."""
        action = self._group.add_argument(*names, **declaration)
        self._parser.actions.append(action)
        return action


def build_parser(filled: str | None = None) -> Parser:
    """The parser that lists the commands; the one that is ``filled`` knows what follows it."""
    parser = Parser(
        prog="corefscope",
        description="Scores coreference resolution: a system's response against a key.",
        epilog=EXAMPLES,
        formatter_class=HelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"corefscope {__version__}")
    parser.set_defaults(run=None)
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND")
    for name, row in COMMANDS.items():
        command = parser.commands[name] = subparsers.add_parser(name, help=row.title, formatter_class=HelpFormatter)
        if name == filled:
            _fill(command, row.load())
    return parser


def command_parser(command: str, *, full: bool = False) -> Parser:
    """The parser of what follows a command, whose module is imported for it; its help is short, or in ``full``."""
    module = COMMANDS[command].load()
    more = f"corefscope help {command} explains all of it."
    examples = module.EXAMPLES if full else _few(module.EXAMPLES)
    parser = Parser(
        prog=f"corefscope {command}",
        description=module.DESCRIPTION,
        epilog=examples if full else f"{examples}{more}",
        formatter_class=HelpFormatter if full else ShortHelpFormatter,
    )
    parser.set_defaults(run=module.run)
    _fill(parser, module)
    return parser


def _fill(parser: Parser, module: ModuleType) -> None:
    from . import arguments

    parser.add_groups(arguments.GROUP_TITLES)
    module.add_arguments(parser)
    if any(action.dest in INPUTS for action in parser.actions):
        arguments.add(parser, "--max-unpacked")
    if parser.usage is None:
        named = [action for action in parser.actions if action.required and action.option_strings]
        words = [f"{action.option_strings[0]} {action.metavar}" for action in named]
        words += [_operand(action) for action in parser.actions if not action.option_strings]
        parser.usage = " ".join(["%(prog)s", *words, "[options]"])


def _operand(action: argparse.Action) -> str:
    several = {"+": "{0} [{0} …]", "*": "[{0} …]", "?": "[{0}]"}
    return several.get(str(action.nargs), "{0}").format(action.metavar or action.dest)


def _few(examples: str) -> str:
    """Some of the examples, without what is said about them."""
    calls = [line for line in examples.partition("examples:\n")[2].splitlines() if line.startswith("  corefscope ")]
    return "\n".join(["examples:", *calls[:FEW], ""])


def options_of(parser: Parser) -> list[str]:
    """The options that a parser knows, as they are written in full."""
    return [option for action in parser.actions for option in action.option_strings if option.startswith("--")]
