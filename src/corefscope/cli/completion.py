"""``corefscope completion``: a script that completes commands, options and their values in a shell."""

from __future__ import annotations

import argparse
import os
import sys
from types import ModuleType

from ..core.errors import CorefscopeError
from ..core.metrics import GROUPS, METRICS
from .parser import COMMANDS, build_parser

SHELLS = {"bash": "~/.bashrc", "zsh": "~/.zshrc", "fish": "~/.config/fish/config.fish"}
"""The shells, and the file that each reads when it starts."""
DESCRIPTION = "Print a script that makes a shell complete commands, options, values and files."
EXAMPLES = """\
examples:
  eval "$(corefscope completion bash)"
      in ~/.bashrc; the same for zsh in ~/.zshrc
  corefscope completion fish | source
      in ~/.config/fish/config.fish
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("shell", values=SHELLS, help="the shell")


def run(parsed: argparse.Namespace) -> int:
    """Print the script."""
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
