"""Where results go: standard output, or a file whose name says the format, or a picture."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from ..core.errors import OptionError
from ..formats.naming import packed_suffix
from ..output.formats import PICTURES, REPORTS
from . import arguments
from .terminal import ProgressBar, colourful, warn

R = TypeVar("R")

TABLES = ("entities", "response_entities", "documents_output")
"""Options that write a table of their own."""


def add_output_or_picture(parser: argparse.ArgumentParser, picture: str) -> None:
    """--format and -o of a command that can also draw a picture of something."""
    drawn = f"{', '.join(PICTURES)}: {picture}, besides the tables (needs matplotlib)"
    arguments.add(parser, "--format")
    arguments.add(parser, "--output", help=f"{arguments.SHARED['--output']['help']}; {drawn}")
    arguments.add(parser, "--wide", "--spreadsheet", "--color")
    parser.set_defaults(pictures=PICTURES)


def chosen_format(parsed: argparse.Namespace) -> str:
    """The named format; else the one of the file's suffix; else text.

    Call it before the work, so that a bad name, or --spreadsheet for a format that no spreadsheet opens, fails early.
    """
    format_ = _named_format(parsed)
    if parsed.spreadsheet and not (REPORTS[format_].for_spreadsheets or _writes_delimited_table(parsed)):
        formats = [name for name, row in REPORTS.items() if row.for_spreadsheets]
        raise OptionError(
            f"--spreadsheet is for {' and '.join(formats)}, but the output is {format_}: give --format {formats[0]},"
            " or leave it out"
        )
    return format_


def _writes_delimited_table(parsed: argparse.Namespace) -> bool:
    """Whether a table of its own, of entities or documents, is written as CSV or TSV."""
    from ..formats.tables.writer import DELIMITERS, check_table

    paths = filter(None, (getattr(parsed, name, None) for name in TABLES))
    return any(check_table(path) in DELIMITERS for path in paths)


def _named_format(parsed: argparse.Namespace) -> str:
    named: str | None = parsed.format
    drawn = _is_picture(parsed)
    if drawn:
        from ..output.pictures import check_picture

        check_picture(parsed.output)
    if named or drawn or not parsed.output or parsed.output == "-":
        return named or "text"
    formats = {row.suffix: name for name, row in REPORTS.items()}
    suffix = _suffix(parsed.output.removesuffix(packed_suffix(parsed.output)))
    if suffix in formats:
        return formats[suffix]
    suffixes = ", ".join([*formats, *_pictures(parsed)])
    raise OptionError(f"the name {parsed.output!r} does not say the format: give --format, or end it in {suffixes}")


def _pictures(parsed: argparse.Namespace) -> tuple[str, ...]:
    """The suffixes of pictures that the command can draw."""
    return getattr(parsed, "pictures", ())


def _is_picture(parsed: argparse.Namespace) -> bool:
    return bool(parsed.output) and _suffix(parsed.output) in _pictures(parsed)


def _suffix(path: str) -> str:
    return os.path.splitext(path)[1].lower()


def made(parsed: argparse.Namespace, make: Callable[..., R], *inputs: Any, **own: Any) -> R:
    """What a function of the library returns, called under a progress bar; its warnings are said."""
    chosen_format(parsed)
    with ProgressBar(parsed.quiet) as progress:
        result = make(*inputs, progress=progress, **own)
    report: Any = getattr(result, "report", result)  # that of errors has the warnings
    warn(report.warnings, parsed.quiet)
    return result


def in_tables(result: Any, parsed: argparse.Namespace) -> Any:
    """Scores as people see them; programs get everything."""
    from ..core.metrics import OPTIONAL

    by_name = getattr(result, "reports", result if isinstance(result, dict) else {"": result})
    if REPORTS[chosen_format(parsed)].for_programs or OPTIONAL.isdisjoint(next(iter(by_name.values()))):
        return result
    from ..core.request import Request
    from ..formats.adjustments import as_printed
    from .arguments import request_arguments

    request = Request(request_arguments(parsed), optional=True)
    printed = {name: as_printed(request, report) for name, report in by_name.items()}
    if by_name is result:
        return type(result)(printed)
    return result.of(printed) if hasattr(result, "reports") else printed[""]


def write(result: Any, parsed: argparse.Namespace, pages: Mapping[Any, str] | None = None) -> int:
    """Render a result and write it to a file, as a whole or not at all, or print it; draw it, if asked for.

    ``pages`` are the addresses of report pages that HTML links to.
    """
    format_ = chosen_format(parsed)
    drawn = _is_picture(parsed)
    if drawn:
        from ..output.pictures import draw

        draw(result, parsed.output)
    printed = drawn or not parsed.output or parsed.output == "-"
    colour = printed and colourful(sys.stdout, parsed.color)
    row = REPORTS[format_]
    known: dict[str, Any] = {"text": {"wide": parsed.wide}, "html": {"pages": pages}}.get(format_, {})
    if row.for_spreadsheets:
        known = {"spreadsheet": parsed.spreadsheet, "terminal": printed and sys.stdout.isatty()}
    more = {name: value for name, value in known.items() if value}
    text = row.render(result, getattr(parsed, "per_document", False), colour, **more)
    if printed:
        print_text(text, for_people=format_ == "text")
    else:
        from ..formats.target import Target

        with Target(parsed.output) as target:
            target.write(text)
    return 0


def print_text(text: str, *, for_people: bool) -> None:
    """Print a result: a table for people in the encoding of the terminal, everything else the same on all systems.

    Data that go to a file or pipe are UTF-8 with line feeds, as in files that are named, whatever the encoding of the
    system is: cp1252 has no letters for most ids.
    """
    stream = sys.stdout
    if for_people or not isinstance(stream, io.TextIOWrapper) or stream.isatty():
        stream.write(text)
        return
    stream.flush()
    stream.buffer.write(text.encode("utf-8", "backslashreplace"))
