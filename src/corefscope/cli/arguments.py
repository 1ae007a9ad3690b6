"""How arguments are declared: their types, their choices with titles, their defaults.

Arguments that several commands share, one row each; choices and help come from the catalogues.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from ..core.baselines import BASELINES
from ..core.errors import OptionError
from ..core.format import FORMATS
from ..core.grouping import DOCUMENTS, TOPIC
from ..core.metrics import GROUPS
from ..core.options import FROM_FILE, HEADS, OPEN, REPAIRS, TITLES, WORDS, Options
from ..core.presets import PRESETS
from ..core.request import ANAPHORS, PrintedArguments, RequestArguments
from ..core.rules import RULES
from ..formats.detection import BUILT_IN, READINGS, UNCLOSED
from ..formats.source import DEFAULT_LIMIT, MAX_UNPACKED, parse_size
from ..output.formats import REPORTS
from .parser import IN_FULL, ArgumentGroup, Parser
from .terminal import complain

Declaration = dict[str, Any]
"""The keyword arguments of ``add_argument``; and TITLED, if values have titles: these between two texts."""
TITLED = "titled"


def one_of(kind: str, choices: Mapping[str, Any], aliases: Mapping[str, str] | None = None) -> Callable[[str], str]:
    """A type for argparse: one of the choices; a mistyped one gets a suggestion."""

    def check(value: str) -> str:
        if value not in choices:
            raise argparse.ArgumentTypeError(str(OptionError.unknown(kind, [value], choices, aliases)))
        return value

    return check


def natural(text: str) -> int:
    """A type for argparse: a number from 0, in digits."""
    if not (text.isascii() and text.isdigit() and len(text) < 20):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0")
    return int(text)


def size(text: str) -> str:
    """A type for argparse: a number of bytes, as people write it."""
    try:
        parse_size(text)
    except OptionError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return text


def choice(kind: str, titles: Mapping[str, str], before: str = "", after: str = "") -> Declaration:
    """The declaration of an option with named values; its help explains them between two texts."""
    described = "; ".join(f"{name}: {title}" for name, title in titles.items())
    text = f"{before}{described}{after}".replace("%", "%%")
    return {"type": one_of(kind, titles), "metavar": "|".join(titles), "help": text, TITLED: (before, titles, after)}


def default_of(name: str, defaults: Options = OPEN) -> str:
    """What help says of the default of an option that every score has."""
    if value := getattr(defaults, name):
        return f" (default {value})"
    by_format = {row.name: getattr(row.defaults, name) for row in BUILT_IN.values()}
    usual = max(by_format.values(), key=[*by_format.values()].count)
    special = [f"{value} for {key} keys" for key, value in by_format.items() if value != usual]
    under = [f"; {row.defaults[name]} under rules {row.name}" for row in RULES.values() if name in row.defaults]
    return f" (default: {', '.join(special)}, {usual} for others{''.join(under)})"


def file_format(
    files: str, catalogue: Mapping[str, Any] = FORMATS, unless: str = "it is not to be recognised"
) -> Declaration:
    """The declaration of an option that names a format; help lists those of this package."""
    listed = (BUILT_IN if catalogue is FORMATS else catalogue).values()
    titles = {row.name: row.title for row in listed}
    return choice("format", titles, f"the format of {files}, if {unless}: ") | {"type": one_of("format", catalogue)}


PRINTED: dict[str, Declaration] = {
    "--skeleton": {
        "metavar": "FILE",
        "help": "the file whose words a language model was to print with tags (default: the key)",
    },
    "--style": {
        "metavar": "NAME",
        "help": "how its tags look, if not to be recognised: crac, xml, markdown, colon, seq2seq, corefinst or json",
    },
    "--unclosed": choice("unclosed", UNCLOSED, after=f" (default {next(iter(UNCLOSED))})"),
    "--repair": choice("repair", REPAIRS),
    "--reading": choice("reading", READINGS, after=f" (default {next(iter(READINGS))})"),
}
BRIEFS: dict[str, str] = dict.fromkeys(PRINTED, IN_FULL) | {"--skeleton": "whose words printed text has"}
"""What short help says of them: little, as it must fit one screen."""


def printed_arguments(parsed: argparse.Namespace) -> PrintedArguments:
    """What was parsed of printed text, as keyword arguments."""
    return cast("PrintedArguments", {name: getattr(parsed, name) for name in PrintedArguments.__annotations__})


FILE = "a file (.gz, .xz, .bz2 are read too; - is standard input)"
COLOURS = {"auto": "colours on a terminal", "always": "in a pipe, too", "never": "none"}
METRICS = f"metrics, means such as mean(muc,lea), or groups ({', '.join(GROUPS)}), separated by commas"

SHARED: dict[str, Declaration] = {
    "key": {"metavar": "KEY", "help": f"the key: {FILE}, a directory, or a quoted pattern"},
    "response": {"metavar": "RESPONSE", "help": "the response, likewise"},
    "responses": {"metavar": "RESPONSE", "nargs": "+", "help": "the response of each system, likewise"},
    "files": {"metavar": "FILE", "nargs": "+", "help": FILE},
    "--names": {"metavar": "NAMES", "help": "what to call the systems, separated by commas"},
    "--preset": {
        "type": one_of("preset", PRESETS),
        "metavar": "|".join(PRESETS),
        "help": "the options of a shared task; 'corefscope presets' explains them",
    },
    "--signature": {
        "metavar": "STRING",
        "help": "the options of a signature that stands beside a score; options that are given too replace its own",
    },
    **{f"--{name}": choice(name, titles, after=default_of(name)) for name, titles in TITLES.items()},
    "--heads": choice("heads", HEADS, after=f" (default {FROM_FILE})"),
    "--key-format": file_format("the key file"),
    "--response-format": file_format("the response file"),
    "--file-format": file_format("the files"),
    "--documents": choice("documents", DOCUMENTS, after=" (default apart)"),
    "--topic": {
        "metavar": "REGEX",
        "help": "what ids of documents begin with that names their topic; the first group counts if there is one"
        f" (default {TOPIC})",
    },
    "--words": choice("words", WORDS, after=" (default compare)"),
    "--baseline": {
        "metavar": "|".join([*BASELINES, "FILE"]),
        "help": "measure scores s from what another response scores, b, instead of from 0: (s - b)/(1 - b); "
        + "; ".join(f"{name}: {title}" for name, (title, _) in BASELINES.items())
        + "; FILE: that of any system, likewise a directory or a quoted pattern",
    },
    "--anaphors": choice(
        "anaphors",
        {name: row.title for name, row in ANAPHORS.items()},
        "what the metrics of the group anaphora resolve: ",
        " (default all)",
    ),
    "--metrics": {
        "metavar": "NAMES",
        "help": f"{METRICS}; without it those of the preset, or corefud; 'corefscope metrics' lists them",
    },
    "--settings": {
        "metavar": "LIST",
        "help": "score in several ways at once: 'crac' for what the CRAC organisers publish, or a list such as"
        " head,exact+keep,partial+corrected of what differs from the options",
    },
    "--per-document": {"action": "store_true", "help": "show every document as well"},
    "--format": choice(
        "format",
        {name: row.title for name, row in REPORTS.items()},
        after=" (default text, or by the suffix of FILE)",
    ),
    "--output": {
        "metavar": "FILE",
        "help": "write to a file instead; its suffix says the format"
        f" ({', '.join(row.suffix for row in REPORTS.values())}), unless --format does",
    },
    "--wide": {
        "action": "store_true",
        "help": "text: all figures, in tables as wide as they need (less -S shows them)",
    },
    "--spreadsheet": {
        "action": "store_true",
        "help": "CSV and TSV that are safe to open in a spreadsheet: text that it would run as a formula (it starts"
        " with =, +, -, @, a tab or a line end) gets a single quote in front, and all text is quoted; numbers stay"
        " numbers (default: ids as they are)",
    },
    "--color": {**choice("color", COLOURS, after=" (default auto)"), "default": "auto"},
    "--max-unpacked": {
        "type": size,
        "metavar": "SIZE",
        "help": "refuse compressed files, Parquet and streams that unpack to more than this, as 500MB or 2GB"
        f" (default {MAX_UNPACKED} in the environment, or {DEFAULT_LIMIT}); more than 2GB also raises the limit on"
        " the memory that a compressed file or Parquet may take, which is 2GB by default",
    },
    "--jobs": {
        "type": int,
        "metavar": "N",
        "help": "processes that share the work; results are the same (default: one for small files, else as many as"
        " there are processors)",
    },
    "--engine": {
        "metavar": "duckdb",
        "help": "count in an engine, which needs little memory: duckdb. The following options hold with it only",
    },
    "--memory": {"type": size, "metavar": "SIZE", "help": "what it may take, as 4GB (default half of what is free)"},
    "--temp": {"metavar": "DIR", "help": "where it puts what memory cannot hold (default the system's directory)"},
    "--threads": {"type": natural, "metavar": "N", "help": "its threads (default one for each processor)"},
    "--key-column": {"metavar": "NAME", "help": "the column that has the entities of the key"},
    "--response-column": {
        "metavar": "NAMES",
        "help": "that of the response; if the same table has both, leave RESPONSE out. Several names, separated by"
        " commas, and patterns such as 'cluster_*' are scored one by one",
    },
    "--mention-column": {"metavar": "NAME", "help": "the column that has the ids of mentions"},
    "--document-column": {"metavar": "NAME", "help": "the column that has those of documents ('': there are none)"},
    "--duplicates": {
        "metavar": "error|drop-equal|largest",
        "help": "a mention in several rows of a side: it is an error (the default); equal rows count once; it stays"
        " in the largest of its entities, with --rules corrected",
    },
    "--documents-output": {
        "metavar": "FILE",
        "help": "write the scores of all documents to a table, .csv, .tsv or .parquet, however many there are",
    },
    "--quiet": {"action": "store_true", "help": "no warnings, notes and progress"},
    **PRINTED,
}
NO_BASELINE = "refused here: errors are counted from a perfect response (score and compare take it)"
SHORT = {"--quiet": ("-q",), "--output": ("-o",)}
FOR_MODELS, FOR_CODABENCH = "text for language models, --to tagged", "a competition on Codabench"
"""Groups of one command each."""
GROUPED: dict[str, dict[str, str]] = {
    "": {
        "key": "the key: a file, directory, pattern or -",
        "response": "the response, likewise",
        "responses": "the response of each system, likewise",
        "files": "files; - is standard input",
    },
    FOR_MODELS: {},
    "what counts as right": {
        "--preset": "options of a shared task: see 'presets'",
        "--signature": "options as a signature has them",
        "--match": "which mentions are the same",
        "--zeros": "how zeros are matched",
        "--singletons": "entities of one mention",
        "--rules": "",
        "--heads": "where heads come from",
        "--documents": "how far entities reach",
        "--topic": "how ids of documents name topics",
        "--anaphors": "what anaphora_links … resolve",
    },
    "what is measured": {
        "--metrics": "metrics, means, groups: see 'metrics'",
        "--baseline": "where the scale of scores begins",
        "--settings": "several ways at once: crac, or a list",
        "--per-document": "every document as well",
    },
    "files": {
        "--names": "what to call the systems",
        "--key-format": "of the key, if not to be recognised",
        "--response-format": "of the response, likewise",
        "--file-format": "of the files, if not to be recognised",
        "--words": "whether words must be the same",
        **BRIEFS,
        "--max-unpacked": "refuse what unpacks to more",
        "--jobs": "processes that share the work",
    },
    "output": {
        "--format": "",
        "--output": "write there; the suffix says the format",
        "--wide": "all figures, tables as wide as they need",
        "--spreadsheet": IN_FULL,
        "--color": "colours",
        "--quiet": "no warnings, notes and progress",
    },
    "tables of any size, CSV or Parquet": {
        "--engine": "count in duckdb ('help engine' has more)",
        "--memory": IN_FULL,
        "--temp": IN_FULL,
        "--threads": IN_FULL,
        "--key-column": IN_FULL,
        "--response-column": IN_FULL,
        "--mention-column": IN_FULL,
        "--document-column": IN_FULL,
        "--duplicates": IN_FULL,
        "--documents-output": IN_FULL,
    },
    FOR_CODABENCH: {},
}
"""Shared arguments by what they are about, and what short help says of them; nothing: it lists their values."""
GROUP_TITLES = (FOR_MODELS, *filter(None, GROUPED), FOR_CODABENCH)
"""Of all groups, in the order in which help shows them."""
OUTPUT = ("--format", "--output", "--wide", "--spreadsheet", "--color")
WITH_ENGINE = (
    *("--memory", "--temp", "--threads", "--key-column", "--response-column", "--mention-column"),
    *("--document-column", "--duplicates", "--documents-output"),
)
REQUEST = (
    *("--preset", "--signature", *(f"--{name}" for name in TITLES), "--heads"),
    *("--key-format", "--response-format", "--words", "--documents", "--topic", "--anaphors", *PRINTED),
)
"""What decides a score, besides --metrics and --baseline."""


def add(parser: argparse.ArgumentParser, *names: str, **changes: Any) -> None:
    """Add shared arguments by their names; ``changes`` replace parts of their declarations."""
    for name in names:
        _add(parser, name, {**SHARED[name], **changes})


def _add(parser: argparse.ArgumentParser, name: str, declaration: Declaration) -> None:
    """Add an argument to the group that it belongs to."""
    title = next(title for title, briefs in GROUPED.items() if name in briefs)
    add_own(group_of(parser, title) if title else parser, name, GROUPED[title][name], **declaration)


def add_own(parser: Any, name: str, brief: str, **declaration: Any) -> None:
    """Add an argument of one command, with what short help says of it."""
    declaration.pop(TITLED, None)
    parser.add_argument(name, *SHORT.get(name, ()), **declaration).brief = brief


def group_of(parser: argparse.ArgumentParser, title: str) -> ArgumentGroup:
    """The group of a command's arguments that has this title."""
    assert isinstance(parser, Parser)
    return parser.groups[title]


def add_settings(parser: argparse.ArgumentParser, defaults: Options, titles: Mapping[str, Mapping[str, str]]) -> None:
    """The options that every score has, with the command's own defaults."""
    for name, choices in titles.items():
        declaration = choice(name, choices, after=default_of(name, defaults))
        _add(parser, f"--{name}", {**declaration, "default": getattr(defaults, name) or None})


def request_arguments(
    parsed: argparse.Namespace, further: Sequence[str] = (), fixed: Mapping[str, Any] | None = None
) -> RequestArguments:
    """What was parsed, as the keyword arguments of ``score`` and all others; a signature fills in what is open.

    ``further`` names options of the command that a signature may set too, where they are None; ``fixed`` are parts of
    signatures that the command cannot change.
    """
    names = RequestArguments.__annotations__
    request = cast("RequestArguments", {name: value for name in names if (value := getattr(parsed, name, None))})
    if getattr(parsed, "metrics", None) is not None:  # an empty --metrics is an error, not an absence
        request["metrics"] = parsed.metrics
    if getattr(parsed, "signature", None) is None:
        return request
    if parsed.preset:
        raise OptionError("--signature and --preset do not go together")
    from ..comparison.signature import apply_arguments, apply_plan, note_on_version, read_signature

    signature = read_signature(parsed.signature)
    if note := note_on_version(signature.version):
        complain("note", f"the signature was {note}")
    vars(parsed).update(apply_plan(signature, {name: getattr(parsed, name) for name in further}, fixed or {}))
    responses = getattr(parsed, "responses", None) or [getattr(parsed, "response", None)]
    sides = [(parsed.key, response) for response in responses] if hasattr(parsed, "key") else []
    return apply_arguments(signature, request, sides)
