"""Arguments that several commands share, one row each; their values and defaults come from the catalogues."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any, cast

from .. import formats
from ..core.baselines import BASELINES
from ..core.document import TYPES
from ..core.errors import OptionError
from ..core.format import FORMATS
from ..core.grouping import DOCUMENTS, TOPIC
from ..core.metrics import GROUPS, checked_metric
from ..core.options import ALIGN, CLASSES, FROM_FILE, HEADS, OPEN, REPAIRS, TITLES, WORDS, Options
from ..core.presets import PRESETS
from ..core.request import ANAPHORS, ReadingArguments, RequestArguments
from ..core.rules import RULES
from ..formats.detection import BUILT_IN, READINGS, UNCLOSED
from ..formats.source import DEFAULT_LIMIT, MAX_UNPACKED
from ..output.formats import REPORTS
from ..output.layout import TABLES
from .parser import EXAMPLE, Parser, one_of
from .terminal import complain

Declaration = dict[str, Any]
"""The keyword arguments of ``Parser.add_argument``."""


def natural(text: str) -> int:
    """A type for argparse: a number from 0, in digits."""
    if not (text.isascii() and text.isdigit() and len(text) < 20):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0")
    return int(text)


def metric_type(text: str) -> str:
    """A type for argparse: the name of a metric, or one of its other names."""
    try:
        return checked_metric(text)
    except OptionError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def explain_values(values: Mapping[str, str]) -> str:
    """What the named values of an option mean, for its help."""
    return "; ".join(f"{name}: {title}" for name, title in values.items()).replace("%", "%%")


def default_of(name: str, defaults: Options = OPEN) -> str:
    """The default of an option that every score has."""
    if value := getattr(defaults, name):
        return f"default {value}"
    by_format = {row.name: getattr(row.defaults, name) for row in BUILT_IN.values()}
    usual = max(by_format.values(), key=[*by_format.values()].count)
    special = [f"{value} for {key} keys" for key, value in by_format.items() if value != usual]
    by_rules: dict[str, list[str]] = {}
    for row in RULES.values():
        if name in row.defaults:
            by_rules.setdefault(row.defaults[name], []).append(row.name)
    under = [f"; {value} under rules {', '.join(names)}" for value, names in by_rules.items()]
    usually = f"default: {', '.join(special)}, {usual} for others" if special else f"default {usual}"
    return f"{usually}{''.join(under)}"


def file_format(files: str) -> Declaration:
    """The declaration of an option that names the format of files; help lists the formats of this package."""
    return {
        "type": one_of("format", FORMATS),
        "values": {row.name: row.title for row in BUILT_IN.values()},
        "metavar": "FORMAT",
        "help": f"{files} format (default: detected)",
    }


class StyleAction(argparse.Action):
    """Action of ``--style``: ``list`` prints the styles and ends the program."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,  # noqa: ARG002
    ) -> None:
        """Store the name of a style."""
        if values == "list":
            from ..llm.prompts import style_lines  # few calls ask for them

            sys.stdout.write("\n".join(style_lines()) + "\n")
            parser.exit()
        setattr(namespace, self.dest, values)


PRINTED: dict[str, Declaration] = {
    "--skeleton": {"metavar": "FILE", "help": "the text that the language model was given (default: the key)"},
    "--style": {
        "metavar": "NAME",
        "action": StyleAction,
        "help": "style of tags or lists (default: detected); 'list' prints an example of each",
    },
    "--unclosed": {"values": UNCLOSED, "help": "mentions that are never closed (default word)"},
    "--repair": {"values": REPAIRS, "help": "what to repair in printed JSON (default: nothing)"},
    "--reading": {"values": READINGS, "help": "how printed text is aligned with the original (default faithful)"},
}
"""Options for text that language models print."""


READING: dict[str, Declaration] = {
    **PRINTED,
    "--relations": {
        "metavar": "NAMES",
        "help": "relations that are identity in files of annotation tools, separated by commas (default: names that"
        " begin with coref, ident, same_as or equiv)",
    },
    **{
        f"--{role}-column": {
            "metavar": "NAME[,NAME]",
            "help": f"tables: the column with the {ids}; two names are those of the key and of the response"
            f" (default: found by its name, such as {usual})",
        }
        for role, ids, usual in (
            ("mention", "ids of mentions", "mention_id, record_id or id"),
            ("entity", "entities", "entity, cluster_id or label"),
            ("document", "ids of documents, '' for none", "doc_id"),
        )
    },
}
"""Options for reading files, whatever is done with them."""
COLUMN_OPTIONS = tuple(name for name in READING if name.endswith("-column"))


def printed_arguments(parsed: argparse.Namespace) -> ReadingArguments:
    """The parsed options for reading files, as keyword arguments."""
    return cast("ReadingArguments", {name: getattr(parsed, name) for name in ReadingArguments.__annotations__})


ANNOTATORS = "the files are of two annotators, neither of whom is the key"
FILE = "a file (also .gz, .xz, .bz2), or - for standard input"
PATHS = "file, directory, quoted pattern, or - for standard input"
METRICS = f"metrics, means such as mean(muc,lea), or groups ({', '.join(GROUPS)}), separated by commas"
SETTINGS = {
    "match": "how mentions are matched",
    "zeros": "how zeros are matched",
    "singletons": "whether entities with one mention are scored",
    "rules": "the rules of which scorer to apply",
}
"""Help for the options that every score has."""
METAVARS: dict[str, Declaration] = {"rules": {"metavar": "NAME"}}
"""Metavariables of those whose values do not fit a line."""
BY_GROUP: dict[str, dict[str, Declaration]] = {
    "": {
        "key": {"metavar": "KEY", "help": f"the key: {PATHS}"},
        "response": {"metavar": "RESPONSE", "help": f"the response: {PATHS}"},
        "responses": {"metavar": "RESPONSE", "nargs": "+", "help": f"the response of each system: {PATHS}"},
        "files": {"metavar": "FILE", "nargs": "+", "help": FILE},
        "--document": {"metavar": "ID", "help": "show this document only"},
        "--annotators": {"action": "store_true", "help": ANNOTATORS},
        "--labels": {
            "metavar": "FILE",
            "help": "classes of mentions, as a dimension 'label' with typed scores: a table with the columns"
            " document, mention (its id, or its place, such as 2:3-5) and class",
        },
        "--title": {"metavar": "TEXT", "help": "title of the page (default: names of responses and key)"},
    },
    "scoring rules": {
        "--preset": {
            "type": one_of("preset", PRESETS),
            "values": {name: row.title for name, row in PRESETS.items()},
            "metavar": "NAME",
            "help": "options of a shared task: see 'corefscope presets'",
        },
        "--signature": {
            "metavar": "STRING",
            "help": "options from the signature of a published score; other options override it",
        },
        **{
            f"--{name}": {
                "values": titles,
                "help": f"{SETTINGS[name]} ({default_of(name)})",
                **METAVARS.get(name, {}),
            }
            for name, titles in TITLES.items()
        },
        "--heads": {"values": HEADS, "help": f"where heads of mentions come from (default {FROM_FILE})"},
        "--documents": {
            "values": DOCUMENTS,
            "help": "score documents separately, merged, or by topic (default apart)",
        },
        "--topic": {
            "metavar": "REGEX",
            "help": "regular expression that finds the topic at the start of a document id; its first group, if it"
            f" has one (default {TOPIC})",
        },
        "--anaphors": {
            "values": {name: row.title for name, row in ANAPHORS.items()},
            "help": "which anaphors the metrics of the group anaphora score (default all)",
        },
        "--only": {
            "metavar": "KINDS",
            "help": f"score these mentions only: {', '.join(TYPES)}, or upos=TAG, by the head; separated by commas",
        },
        "--classes": {"values": CLASSES, "help": "what --only does to entities (default restricted)"},
        "--windows": {
            "metavar": "W",
            "help": "cut texts into windows of W words, scored as documents; score takes several, W,W, and 'whole'"
            " (default: whole texts)",
        },
    },
    "metrics": {
        "--metrics": {
            "metavar": "NAMES",
            "help": f"{METRICS} (default: those of the preset, or corefud; for tables linkage): see"
            " 'corefscope metrics'",
        },
        "--baseline": {
            "type": str,
            "values": BASELINES | {"FILE": "the response of any system; a directory or quoted pattern, too"},
            "help": "rescale scores s relative to a baseline with score b: (s - b)/(1 - b)",
        },
        "--weights": {
            "type": str,
            "metavar": "WEIGHTS",
            "help": "weights of entities in metrics that are sums over them: size^ALPHA, such as size^0.5, or"
            " FILE[:COLUMN], a table with the columns document, entity and weight (or COLUMN)",
        },
        "--settings": {
            "metavar": "LIST",
            "help": "score under several settings at once: 'crac' for those of the CRAC organisers, 'cross-document'"
            " for documents, topics and corpus with and without singletons, or a list such as"
            " head,exact+keep,partial+corrected",
        },
        "--per-document": {"action": "store_true", "help": "also show every document"},
        "--average": {
            "choices": ("documents",),
            "help": "also show the mean over documents of each score, beside the pooled score",
        },
    },
    "input": {
        "--names": {"metavar": "NAMES", "help": "names of the systems, separated by commas"},
        "--key-format": file_format("key"),
        "--response-format": file_format("response"),
        "--file-format": file_format("file"),
        "--words": {
            "values": WORDS,
            "help": "whether key and response must have the same words (default compare)",
        },
        "--align": {
            "values": ALIGN,
            "help": "what a mention becomes that begins or ends inside a word of the other side, with --words align"
            " or where one side counts characters (default expand)",
        },
        **READING,
        "--sentences": {
            "metavar": "FILE",
            "help": "score mentions of these sentences only: CSV with Topic, File and Sentence Number, as for ECB+",
        },
        "--max-unpacked": {
            "metavar": "SIZE",
            "help": "maximum size of decompressed input, such as 500MB (default: the environment variable"
            f" {MAX_UNPACKED}, or {DEFAULT_LIMIT}); above 2GB it also raises the limit on memory for a compressed"
            " file",
        },
        "--keep-going": {
            "action": "store_true",
            "help": "many files: leave out those that have faults, and list the faults at the end (exit code 1;"
            " default: stop at the first)",
        },
        "--jobs": {
            "type": int,
            "metavar": "N",
            "help": "number of processes (default: one for small files, else one per processor)",
        },
    },
    "output": {
        "--format": {
            "values": {name: row.title for name, row in REPORTS.items()},
            "help": "output format (default: by the extension of FILE, or text)",
        },
        "--output": {
            "metavar": "FILE",
            "help": "output file; its extension sets the format"
            f" ({', '.join(row.suffix for row in REPORTS.values())}), unless --format does",
        },
        "--table": {
            "values": TABLES,
            "help": f"what tables show: {explain_values(TABLES)} (default: paper in Markdown, LaTeX and Typst, else"
            " full, as far as the terminal is wide enough)",
        },
        "--wide": {"action": "store_true", "help": "text: show all figures, however wide the tables (see less -S)"},
        "--spreadsheet": {
            "action": "store_true",
            "help": "make CSV and TSV safe for spreadsheets: quote all text, and put a single quote before text that"
            " would run as a formula",
        },
        "--color": {
            "values": {"auto": "colours on a terminal", "always": "also in a pipe", "never": "no colours"},
            "default": "auto",
            "help": "when to use colours (default auto)",
        },
        "--quiet": {"action": "store_true", "help": "no warnings, notes or progress bar"},
    },
    "tables of any size (CSV, Parquet)": {
        "--engine": {
            "metavar": "duckdb",
            "help": "count in a database engine; the other options of this group need it",
        },
        "--memory": {
            "metavar": "SIZE",
            "help": "memory limit, such as 4GB (default half of what is free, also of a container or job)",
        },
        "--temp": {"metavar": "DIR", "help": "directory for temporary files (default: that of the system)"},
        "--threads": {
            "type": natural,
            "metavar": "N",
            "help": "number of threads (default one per processor, if each has 125 MB)",
        },
        "--key-column": {"metavar": "NAME", "help": "column with the entities of the key (needs no engine)"},
        "--response-column": {
            "metavar": "NAMES",
            "help": "column with the entities of the response; leave RESPONSE out if KEY has both. One name needs no"
            " engine; several, separated by commas, and patterns such as 'cluster_*' are scored one by one",
        },
        "--duplicates": {
            "type": str,
            "values": {
                "error": "is refused",
                "drop-equal": "counts once if the rows are equal",
                "largest": "stays in its largest entity (--rules corrected)",
            },
            "help": "a mention in several rows of one side (default error)",
        },
        "--documents-output": {
            "metavar": "FILE",
            "help": "write the scores of all documents to a table (.csv, .tsv or .parquet)",
        },
    },
}
SHARED: dict[str, Declaration] = {
    name: {"group": title, **row} for title, rows in BY_GROUP.items() for name, row in rows.items()
}
NO_BASELINE = "not available here: errors are counted from a perfect response (score and compare take it)"
SHORT = {"--quiet": ("-q",), "--output": ("-o",)}
OUTPUT = ("--format", "--output", "--wide", "--spreadsheet", "--color")
WITH_ENGINE = tuple(BY_GROUP["tables of any size (CSV, Parquet)"])[1:]
ENGINE_ONLY = tuple(name for name in WITH_ENGINE if name not in ("--key-column", "--response-column"))
"""Those that no score without an engine takes."""
REQUEST = (
    *("--preset", "--signature", *(f"--{name}" for name in TITLES), "--heads", "--key-format", "--response-format"),
    *("--words", "--align", "--documents", "--topic", "--anaphors", "--only", "--classes", *READING, "--sentences"),
    "--windows",
    "--max-unpacked",
)
"""What decides a score, besides --metrics and --baseline."""


def add(parser: argparse.ArgumentParser, *names: str, **changes: Any) -> None:
    """Add shared arguments by their names; ``changes`` replace parts of their declarations."""
    for name in names:
        parser.add_argument(*SHORT.get(name, ()), name, **{**SHARED[name], **changes})


def example_files(*names: str) -> tuple[str, ...]:
    """The paths of example files: ``key``, ``response``, and ``other``, the response of another system."""
    return tuple([os.path.join(os.path.dirname(formats.__file__), "examples", f"{name}.conllu") for name in names])


def add_example(parser: Parser, *names: str) -> None:
    """--example of a command that takes a key and responses, by default one response."""
    parser.example = example_files(*(names or ("key", "response")))
    parser.add_argument(EXAMPLE, action="store_true", help="use the example files of this package: name no others")


def add_settings(parser: argparse.ArgumentParser, defaults: Options, titles: Mapping[str, Mapping[str, str]]) -> None:
    """The options that every score has, with the command's own defaults."""
    for name, values in titles.items():
        text = f"{SETTINGS[name]} ({default_of(name, defaults)})"
        add(parser, f"--{name}", values=values, help=text, default=getattr(defaults, name) or None)


def request_arguments(
    parsed: argparse.Namespace, further: Sequence[str] = (), fixed: Mapping[str, Any] | None = None
) -> RequestArguments:
    """What was parsed, as the keyword arguments of ``score`` and all others; a signature fills in what is open.

    ``further`` names options of the command that a signature may set too, where they are None; ``fixed`` are parts of
    signatures that the command cannot change.
    """
    given = {name: vars(parsed)[name] for name in RequestArguments.__annotations__}
    request = cast("RequestArguments", {name: value for name, value in given.items() if value})
    if parsed.metrics is not None:  # an empty --metrics is an error, not an absence
        request["metrics"] = parsed.metrics
    if parsed.document_column == "":  # there is none
        request["document_column"] = ""
    if parsed.signature is None:
        return request
    if parsed.preset:
        raise OptionError("--signature and --preset cannot be combined")
    from ..comparison.signature import apply_arguments, apply_plan, note_on_version, read_signature

    signature = read_signature(parsed.signature)
    if note := note_on_version(signature.version):
        complain("note", f"the signature was {note}")
    vars(parsed).update(apply_plan(signature, {name: getattr(parsed, name) for name in further}, fixed or {}))
    responses = parsed.responses or [parsed.response]
    sides = [(parsed.key, response) for response in responses] if parsed.key is not None else []
    return apply_arguments(signature, request, sides)
