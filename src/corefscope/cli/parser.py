"""The commands, one row each, and their parser. The module of the same name does the work."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from types import ModuleType

from ..base.annotations import Any
from ..base.version import __version__
from ..show.columns import terminal_width, wrapped

INPUTS = ("key", "response", "responses", "paths", "files", "results", "result", "source", "task", "values")
"""Arguments of commands that name what is read."""
COMMANDS: dict[str, str] = {
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
}
"""Name and what it does in a few words, in the order in which help shows them."""

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


def module_of(command: str) -> ModuleType:
    """The module of a command: ``DESCRIPTION``, ``EXAMPLES``, ``add_arguments(parser)`` and ``run(parsed)``."""
    return import_module(f".{command.replace('-', '_')}", __package__)


def build_parser() -> argparse.ArgumentParser:
    """The parser that only lists the commands."""
    parser = Parser(
        prog="corefscope",
        description="Scores coreference resolution: a system's response against a key.",
        epilog=EXAMPLES,
        formatter_class=HelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"corefscope {__version__}")
    parser.set_defaults(run=None)
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND")
    for name, title in COMMANDS.items():
        subparsers.add_parser(name, help=title, formatter_class=HelpFormatter)
    return parser


def command_parser(command: str) -> argparse.ArgumentParser:
    """The parser of what follows a command, whose module is imported for it."""
    module = module_of(command)
    parser = Parser(
        prog=f"corefscope {command}",
        description=module.DESCRIPTION,
        epilog=module.EXAMPLES,
        formatter_class=HelpFormatter,
    )
    parser.set_defaults(run=module.run)
    module.add_arguments(parser)
    if any(action.dest in INPUTS for action in parser._actions):
        import_module(".arguments", __package__).add(parser, "--max-unpacked")
    return parser


def options_of(parser: argparse.ArgumentParser) -> list[str]:
    """The options that a parser knows, as they are written in full."""
    return [option for action in parser._actions for option in action.option_strings if option.startswith("--")]
