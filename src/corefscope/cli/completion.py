"""``corefscope completion``: what makes a shell complete commands, options and their values."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Any

from ..core.errors import CorefscopeError
from .arguments import one_of

SHELLS = {"bash": "~/.bashrc", "zsh": "~/.zshrc", "fish": "~/.config/fish/config.fish"}
"""The shells, and the file that each reads when it starts."""
DESCRIPTION = "Print a script that makes a shell complete commands, options, their values, and files."
EXAMPLES = """\
examples:
  eval "$(corefscope completion bash)"
      in ~/.bashrc; zsh likewise, in ~/.zshrc
  corefscope completion fish | source
      in ~/.config/fish/config.fish
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("shell", metavar="|".join(SHELLS), type=one_of("shell", SHELLS), help="the shell")


def run(parsed: argparse.Namespace) -> int:
    """Print the script."""
    sys.stdout.write(_argcomplete().shellcode(["corefscope"], shell=parsed.shell) + "\n")
    return 0


def complete() -> None:
    """Answer a shell that asks how a line may go on; it says so in the environment. Does not return."""
    from .parser import COMMANDS, build_parser

    words = os.environ.get("COMP_LINE", "").split()
    command = words[1] if len(words) > 1 and words[1] in COMMANDS else None
    parser = build_parser(command)
    for action in parser.commands[command].actions if command else ():
        values = str(action.metavar).split("|")
        if len(values) > 1 and (action.option_strings or values == list(SHELLS)):
            vars(action)["completer"] = _Values(values)  # where argcomplete looks for it
        elif action.dest == "metrics":
            vars(action)["completer"] = _metrics
    _argcomplete().autocomplete(parser)


class _Values:
    """Completes the values of an option; in capitals stand others, which nobody can list."""

    def __init__(self, values: list[str]) -> None:
        self._values = [value for value in values if not value.isupper()]

    def __call__(self, **_: object) -> list[str]:
        return self._values


def _metrics(prefix: str, **_: object) -> list[str]:
    """Names of metrics and groups, after those that stand there."""
    from ..core.metrics import GROUPS, METRICS

    before = prefix.rpartition(",")
    return [f"{before[0]}{before[1]}{name}" for name in dict.fromkeys([*GROUPS, *METRICS])]


def _argcomplete() -> Any:
    try:
        import argcomplete
    except ImportError:
        raise CorefscopeError(
            "completing needs the package argcomplete: pip install 'corefscope[completion]'"
        ) from None
    return argcomplete
