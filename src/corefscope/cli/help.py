"""``corefscope help``: a command, an option or other topic; ``completion``: a script for shells to complete them."""

from __future__ import annotations

import argparse
import os
import sys
from types import ModuleType

from ..core.errors import CorefscopeError, OptionError
from ..core.metrics import GROUPS, METRICS, metric_name
from ..output.results.catalogues import details
from ..output.text import terminal_width, wrapped
from .arguments import BY_GROUP, SHARED, file_format
from .parser import COMMANDS, CommandParts, Parser, build_parser, command_parser

DESCRIPTION = "Explain a command, an option with all its values, or another topic."
EXAMPLES = """\
examples:
  corefscope help
  corefscope help compare
  corefscope help match
  corefscope help exit-codes
  corefscope help prompt
"""
TOPICS = {
    "files": """\
A key or response is a file, a directory or a quoted pattern ('dev/*.conllu'); the files of two directories
are paired by name. - is standard input. .gz, .xz and .bz2 files are decompressed. The format is detected from
the content, so key and response may have different ones: 'corefscope help formats' lists them.""",
    "signature": """\
The signature below every result says how it was computed: format, options, rules and version, as in
corefud|match:head|zeros:dependent|singletons:drop|rules:corefud-1.2|v0.1.0. Quote it with a score.
On a terminal, a long one continues in lines that begin with |; lines and all, it is one string (--wide prints it as
one line). --signature 'STRING' scores in the same way; 'corefscope verify RESULT.json' recomputes a saved result.""",
    "exit-codes": """\
0 success; 1 bad input, or a problem was found (validate, verify, task); 2 wrong usage; 3 a score is below
--fail-under; 130 interrupted, 143 terminated, 129 hung up.""",
    "environment": """\
COLUMNS: width of text, if not that of the terminal (80 in a pipe). Messages in a pipe are not broken into lines,
unless COLUMNS is set. NO_COLOR: no colours. COREFSCOPE_MAX_UNPACKED: maximum size
of decompressed input, as --max-unpacked.""",
}
"""Topics that are neither commands nor options."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("topic", metavar="TOPIC", nargs="?", help="a command, an option or another topic")


def run(parsed: argparse.Namespace) -> int:
    options = {name.removeprefix("--"): row for name, row in SHARED.items() if name.startswith("--")}
    options["formats"] = file_format("file")
    topic: str = parsed.topic or ""
    if topic in COMMANDS:
        command_parser(topic).print_help()
        return 0
    if topic == "prompt":
        from ..llm.prompts import prompt_lines  # few calls ask for them

        sys.stdout.write("\n".join(prompt_lines(terminal_width())) + "\n")
        return 0
    if topic in TOPICS:
        lines = [" ".join(TOPICS[topic].split())]
    elif topic == "engine":
        rows = BY_GROUP[SHARED["--engine"]["group"]]
        lines = [f"  {name} {row.get('metavar', 'NAME')}: {row['help']}" for name, row in rows.items()]
    elif topic in options:
        row = options[topic]
        values = [f"  {name}: {title}" for name, title in row.get("values", {}).items()]
        lines = [row["help"].replace("%%", "%"), *values]
    elif topic and metric_name(topic) in METRICS:
        sys.stdout.write(details(METRICS[metric_name(topic)], terminal_width()))
        return 0
    elif topic:
        raise OptionError.unknown("topic", [topic], dict.fromkeys([*COMMANDS, *options, *TOPICS, "prompt", *METRICS]))
    else:
        build_parser().print_help()
        lines = [
            "",
            f"options: {', '.join(sorted(options))}",
            f"other topics: {', '.join(sorted([*TOPICS, 'prompt']))}",
            "corefscope help TOPIC explains a command, a metric or any of these",
        ]
    width = terminal_width()
    for line in lines:
        indent = "      " if line.startswith("  ") else ""
        sys.stdout.write("\n".join(wrapped(line, width, indent)) + "\n")
    return 0


SHELLS = {"bash": "~/.bashrc", "zsh": "~/.zshrc", "fish": "~/.config/fish/config.fish"}
"""The shells, and the file that each reads when it starts."""


def _add_completion_arguments(parser: Parser) -> None:
    parser.add_argument("shell", values=SHELLS, help="the shell")


def _run_completion(parsed: argparse.Namespace) -> int:
    sys.stdout.write(_argcomplete().shellcode(["corefscope"], shell=parsed.shell) + "\n")
    return 0


def complete() -> None:
    """Answer a shell that asks for completions; the question is in the environment. Does not return."""
    words = os.environ.get("COMP_LINE", "").split()
    command = words[1] if len(words) > 1 and words[1] in COMMANDS else ""
    parser = build_parser(command)
    for action in parser.commands[command].actions if command else ():
        values = [name for name in parser.commands[command].values[action.dest] if not name.isupper()]
        if action.dest == "metrics":
            vars(action)["completer"] = _complete_metrics  # where argcomplete looks for it
        elif values:
            vars(action)["completer"] = lambda values=values, **_: values
    _argcomplete().autocomplete(parser)


def _complete_metrics(prefix: str, **_: object) -> list[str]:
    """Names of metrics and groups, after those that are already in the list."""
    before = prefix.rpartition(",")
    return [f"{before[0]}{before[1]}{name}" for name in dict.fromkeys([*GROUPS, *METRICS])]


def _argcomplete() -> ModuleType:
    try:
        import argcomplete
    except ImportError:
        raise CorefscopeError(
            "completion needs the package argcomplete: pip install 'corefscope[completion]'"
        ) from None
    return argcomplete


COMPLETION = CommandParts(
    "Print a script that makes a shell complete commands, options, values and files.",
    """\
examples:
  eval "$(corefscope completion bash)"
      in ~/.bashrc; the same for zsh in ~/.zshrc
  corefscope completion fish | source
      in ~/.config/fish/config.fish
""",
    _add_completion_arguments,
    _run_completion,
)
