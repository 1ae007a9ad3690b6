"""Where results go: standard output, a file whose extension sets the format, or a picture."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Protocol, TypeVar

from ..core.errors import OptionError
from ..core.metrics import OPTIONAL
from ..core.report import Report
from ..core.request import Request
from ..formats.adjustments import as_printed
from ..formats.naming import packed_suffix
from ..formats.paths import stands_for_many
from ..formats.target import Target
from ..output.formats import PICTURES, REPORTS
from . import arguments
from .parser import TABLES
from .terminal import ProgressBar, colourful, warn


class Result(Protocol):
    """What a command computes."""

    @property
    def warnings(self) -> Iterable[str]:
        """What users should know about the input."""


R = TypeVar("R", bound=Result)
K = TypeVar("K")


def add_output_or_picture(parser: argparse.ArgumentParser, picture: str) -> None:
    """--format and -o of a command that can also draw a picture of something."""
    drawn = f"{', '.join(PICTURES)}: also draw {picture} (needs matplotlib)"
    arguments.add(parser, "--format")
    arguments.add(parser, "--output", help=f"{arguments.SHARED['--output']['help']}; {drawn}")
    arguments.add(parser, "--wide", "--spreadsheet", "--color")
    parser.set_defaults(pictures=PICTURES)


def chosen_format(parsed: argparse.Namespace) -> str:
    """The named format; else the one of the file's extension; else text.

    Call it before the work, so that a bad name, or --spreadsheet for a format that no spreadsheet opens, fails early.
    """
    format_: str = parsed.format or "text"
    if draws(parsed):
        from ..output.pictures import check_picture

        check_picture(parsed.output)
    elif not parsed.format and parsed.output and parsed.output != "-":
        formats = {row.suffix: name for name, row in REPORTS.items()}
        suffix = _suffix(parsed.output.removesuffix(packed_suffix(parsed.output)))
        if suffix not in formats:
            suffixes = ", ".join([*formats, *parsed.pictures])
            raise OptionError(
                f"the name {parsed.output!r} does not say the format: give --format, or end it in {suffixes}"
            )
        format_ = formats[suffix]
    if parsed.table and REPORTS[format_].for_programs:
        raise OptionError(f"--table is for tables that people read, and {format_} has all figures: leave it out")
    if parsed.spreadsheet and not REPORTS[format_].for_spreadsheets:
        tables = filter(None, map(vars(parsed).__getitem__, TABLES))
        from ..formats.tables.writer import DELIMITERS, check_table  # 20 ms, for tables of entities only

        if not any(check_table(path) in DELIMITERS for path in tables):
            names = [name for name, row in REPORTS.items() if row.for_spreadsheets]
            raise OptionError(
                f"--spreadsheet is for {' and '.join(names)}, but the output is {format_}: give --format {names[0]},"
                " or leave it out"
            )
    return format_


def draws(parsed: argparse.Namespace) -> bool:
    """Whether the output is a picture."""
    return bool(parsed.output) and _suffix(parsed.output) in parsed.pictures


def _suffix(path: str) -> str:
    return os.path.splitext(path)[1].lower()


def call_with_progress(parsed: argparse.Namespace, function: Callable[..., R], *inputs: object, **own: object) -> R:
    """Call a function of the library under a progress bar, and print its warnings."""
    chosen_format(parsed)
    unit = "files" if stands_for_many(parsed.key or "") else ""
    with ProgressBar(parsed.quiet, unit) as progress:
        result = function(*inputs, progress=progress, **own)
    warn(result.warnings, parsed.quiet)
    return result


def for_display(reports: Mapping[K, Report], parsed: argparse.Namespace) -> dict[K, Report]:
    """Reports with the metrics that tables show; formats for programs get all of them."""
    if REPORTS[chosen_format(parsed)].for_programs or OPTIONAL.isdisjoint(next(iter(reports.values()))):
        return {**reports}
    request = Request({**arguments.request_arguments(parsed), "topic": None}, optional=True)  # settings may have none
    return {name: as_printed(request, report) for name, report in reports.items()}


def write(result: object, parsed: argparse.Namespace, pages: Mapping[tuple[str, str], str] | None = None) -> int:
    """Render a result and print it, or write it to a file, whole or not at all; draw a picture if asked.

    ``pages`` are the addresses of report pages that HTML links to.
    """
    format_ = chosen_format(parsed)
    drawn = draws(parsed)
    if drawn:
        from ..output.pictures import draw

        draw(result, parsed.output)
    printed = drawn or not parsed.output or parsed.output == "-"
    colour = printed and colourful(sys.stdout, parsed.color)
    row = REPORTS[format_]
    known: dict[str, object] = {"text": {"wide": parsed.wide}, "html": {"pages": pages}}.get(format_, {})
    known["table"] = parsed.table
    if row.for_spreadsheets:
        known = {"spreadsheet": parsed.spreadsheet, "terminal": printed and sys.stdout.isatty()}
    options = {name: value for name, value in known.items() if value}
    text = row.render(result, parsed.per_document, colour, **options)
    if printed:
        print_text(text, for_people=format_ == "text")
    else:
        with Target(parsed.output) as target:
            target.write(text)
    return 0


def print_text(text: str, *, for_people: bool) -> None:
    """Print a result: a table for people in the encoding of the terminal, everything else the same on all systems.

    Data in a file or pipe are UTF-8 with line feeds whatever the encoding of the system is: cp1252 lacks the letters
    of most ids.
    """
    stream = sys.stdout
    if for_people or not isinstance(stream, io.TextIOWrapper) or stream.isatty():
        stream.write(text)
        return
    stream.flush()
    stream.buffer.write(text.encode("utf-8", "backslashreplace"))
