"""``corefscope help``: commands, options and other topics in full."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator

from ..core.errors import OptionError
from .arguments import SHARED, TITLED, WITH_ENGINE, Declaration, file_format

DESCRIPTION = "Explain a command with all its options, one option with its values, or another topic."
EXAMPLES = """\
examples:
  corefscope help
  corefscope help compare
  corefscope help match
  corefscope help exit-codes
"""
TOPICS: dict[str, str] = {
    "files": """\
A key or response is a file, a directory or a quoted pattern ('dev/*.conllu'): the files of two
directories are paired by their names. - is standard input. .gz, .xz and .bz2 are unpacked. The format is
recognised by content, so key and response may have different ones: 'corefscope help formats' lists them.""",
    "signature": """\
A signature stands under every result and says how it was made: format, options, rules and version, as in
corefud|match:head|zeros:dependent|singletons:drop|rules:corefud-1.2|v0.1.0. Quote it beside a score.
--signature 'STRING' scores in the same way; 'corefscope verify RESULT.json' computes a saved result again.""",
    "exit-codes": """\
0 done; 1 bad input, or a problem was found (validate, verify, task); 2 wrong usage; 3 a score is less than
--fail-under says; 130 interrupted, 143 terminated, 129 hung up.""",
    "environment": """\
COLUMNS: how wide text is, if not as wide as the terminal. NO_COLOR: no colours. COREFSCOPE_MAX_UNPACKED: refuse
compressed files that unpack to more, as --max-unpacked does.""",
}
"""What is neither a command nor an option."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("topic", metavar="TOPIC", nargs="?", help="a command, an option or another topic")


def run(parsed: argparse.Namespace) -> int:
    """Print the help of a command, of an option, or a text; without a topic, what there is."""
    from ..output.columns import folded, terminal_width
    from .parser import COMMANDS, build_parser, command_parser

    options = {name.removeprefix("--"): row for name, row in SHARED.items() if name.startswith("--")}
    options["formats"] = file_format("a file")
    topic: str = parsed.topic or ""
    lines: Iterable[str]
    if topic in COMMANDS:
        lines = [command_parser(topic, full=True).format_help().rstrip("\n")]
    elif topic in TOPICS:
        lines = [" ".join(TOPICS[topic].split())]
    elif topic == "engine":
        names = ["--engine", *WITH_ENGINE]
        lines = [f"{name} {SHARED[name]['metavar']}: {SHARED[name]['help']}" for name in names]
    elif topic in options:
        lines = _explained(options[topic])
    elif topic:
        raise OptionError.unknown("topic", [topic], dict.fromkeys([*COMMANDS, *options, *TOPICS]))
    else:
        lines = [
            build_parser().format_help(),
            f"options: {', '.join(sorted(options))}",
            f"other topics: {', '.join(sorted(TOPICS))}",
            "corefscope help TOPIC explains a command or any of these",
        ]
    width = terminal_width()
    sys.stdout.write("\n".join(line if "\n" in line else folded([line], width) for line in lines) + "\n")
    return 0


def _explained(row: Declaration) -> Iterator[str]:
    """What an option is for, and what its values mean."""
    if TITLED not in row:
        yield str(row["help"]).replace("%%", "%")
        return
    before, titles, after = row[TITLED]
    if before:
        yield before.rstrip(": ")
    yield from (f"{name}: {title}" for name, title in titles.items())
    if after:
        yield after.strip(" ()")
