"""The formats that can be read: one row each, recognised by content, then by the name of the file."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import closing
from typing import TYPE_CHECKING, Any

from ..core.document import Document, Sentence
from ..core.errors import InputError, OptionError, Warnings
from ..core.format import FORMATS, Comparison, Format, KeyDefaults, Layers
from ..core.registry import load
from ..core.request import PrintedArguments
from . import sentences
from .naming import packed_suffix
from .sentences import Tag
from .source import Source

if TYPE_CHECKING:
    from ..llm.options import PrintedOptions
    from .source import DocumentReader


GLANCE = 1 << 14  # bytes that are enough to tell formats apart
LONG_GLANCE = 1 << 20  # and those of JSON
PRINTED_WORDS = b'"tokens"'
"""What JSON that is cut off has at least, if a language model printed it."""


READINGS: dict[str, str] = {
    "faithful": "tags move with their words, whatever became of these",
    "text2text": "what the cleaner and importer of the CRAC tasks (text2text-coref) make of it, flaws included",
    "text2text-z": "the same, both run with -z: zeros are those of the skeleton",
}
UNCLOSED: dict[str, str] = {
    "word": "a mention that is never closed is its first word",
    "sentence": "it goes on to the last word that was printed of its sentence",
    "drop": "it is left out",
}


def printed_as(arguments: Mapping[str, Any]) -> PrintedOptions | None:
    """What arguments say of printed text; None if they say nothing."""
    if all(arguments.get(name) is None for name in PrintedArguments.__annotations__):
        return None
    from ..llm.options import PrintedOptions

    return PrintedOptions.of(arguments)


NO_WORDS = "it has none, mentions are ids"
COMMENTS = r"\s*(?:#(?!\s?begin document)[^\n]*\n\s*)*"
"""What may come before anything else."""

ROWS: tuple[Format, ...] = (
    Format(
        "ua",
        "CoNLL-UA (Universal Anaphora): CoNLL-U with IDENTITY, BRIDGING, DISCOURSE_DEIXIS",
        (".conllua",),
        "corefscope.formats.ua.reader:UAReader",
        rf"{COMMENTS}?(?:#\s*global\.columns\s*=[^\n]*\bIDENTITY\b|[0-9]+(?:[.-][0-9]+)?(?:\t[^\t\n]+){{10}})",
        tolerant="corefscope.formats.ua.checks:UAReading",
        layers=Layers(tags="of_conllu", has_upos=True, has_singletons=True, names_minima=True),
        comparison=Comparison(loose=True),
    ),
    Format(
        "corefud",
        "CorefUD 1.0 and later: CoNLL-U with Entity in MISC",
        (".conllu",),
        "corefscope.formats.corefud.reader:CorefUDReader",
        rf"{COMMENTS}?(?:# (?:global\.Entity|newdoc|sent_id)|(?:1(?:-[0-9]+)?|0\.1)\t)",
        tolerant="corefscope.formats.corefud.checks:CorefUDReading",
        layers=Layers(
            tags="of_conllu", has_upos=True, has_dependencies=True, has_empty_nodes=True, has_singletons=True
        ),
        comparison=Comparison("its official scorer compares them"),
        defaults=KeyDefaults(match="head", singletons="drop"),
    ),
    Format(
        "semeval",
        "SemEval-2010: tabs, word numbers in the first column, brackets in the last",
        (),
        "corefscope.formats.conll.reader:SemevalReader",
        rf"{COMMENTS}#\s?begin document (?!\(?1\)?\s*\n)[^\n;]*\n"
        r"\s*1(?:\t[^\t\n]*){3,}\n(?:2\t|\s*\n|#)",
        tolerant="corefscope.formats.conll.checks:SemevalReading",
        layers=Layers(has_singletons=True, bare_brackets=True),
    ),
    Format(
        "conll",
        "CoNLL-2011 and CoNLL-2012: brackets in the last column",
        ("conll",),
        "corefscope.formats.conll.reader:ConllReader",
        rf"{COMMENTS}#\s?begin document\b",
        tolerant="corefscope.formats.conll.checks:ConllReading",
        layers=Layers(tags="of_conll", bare_brackets=True),
    ),
    Format(
        "jsonl",
        "jsonlines: one JSON object with words and clusters of spans a line",
        (".jsonl", ".jsonlines"),
        "corefscope.formats.jsonl.reader:JsonlReader",
        two_sided=True,
        printed_if=b'"clusters_text_mentions"',
        comparison=Comparison(loose=True),
    ),
    Format(
        "tagged",
        "text that a language model printed, with tags around mentions, read over the words of the key",
        (".txt", ".md"),
        "corefscope.llm.reader:TaggedReader",
        alone=False,
        layers=Layers(tags="of_conllu", has_upos=True, has_dependencies=True),
        comparison=Comparison("it is the key's words that they are"),
    ),
    Format(
        "table",
        "CSV, TSV or Parquet with columns document, mention, entity",
        (".csv", ".tsv", ".parquet"),
        "corefscope.formats.tables.reader:TableReader",
        has_words=False,
        comparison=Comparison(NO_WORDS),
    ),
    Format(
        "clusters",
        "JSON: clusters of ids, without words",
        (".json",),
        "corefscope.formats.tables.clusters:ClustersReader",
        has_words=False,
        mistaken_for="jsonl",
        two_sided=True,
        comparison=Comparison(NO_WORDS),
    ),
)
BUILT_IN = {row.name: row for row in ROWS}
DEFAULT = "corefud"
PRINTED = "tagged"
JSON_STRING = r"""[\[,:(]\s{0,99}(["'])[^"'\\\n]{1,400}\1\s{0,99}[],)}]"""
"""A string in JSON that is not the name of a field."""


def may_be_printed(row: Format, source: Source, broken: bool = False) -> bool:
    """Whether a file of this format is read as printed text if there is a skeleton."""
    sign = PRINTED_WORDS if broken else row.printed_if
    return bool(row.printed_if) and sign in source.read(source.start, source.size)


def open_format(
    row: Format, source: Source, warnings: Warnings, side: str, printed: PrintedOptions | None = None
) -> DocumentReader:
    """The reader of a source in a format; ``printed`` says how text is read that a language model printed."""
    reader: DocumentReader = load(row.reader)(source, warnings, side)
    if printed and (read_as := getattr(reader, "read_as", None)):
        read_as(printed)
    return reader


def word_tags(row: Format, sentence: Sentence) -> list[Tag]:
    """Part of speech and speaker of each word of a sentence, empty where nothing is known."""
    tags: list[Tag] = getattr(sentences, row.layers.tags)(sentence) if row.layers.tags else []
    return tags if len(tags) == len(sentence.words) else [Tag("", "")] * len(sentence.words)


def open_reader(
    path: str | os.PathLike[str],
    format_: str | None,
    warnings: Warnings,
    side: str = "key",
    printed: PrintedOptions | None = None,
    skeleton: Format | None = None,
) -> tuple[str, DocumentReader]:
    """Open a file in the format that is named or else recognised: the name of the format, and the reader.

    ``printed`` says how text is read that a language model printed, ``skeleton`` what the key is beside a response.
    """
    source = _opened(path, format_)
    try:
        row = FORMATS[format_ or sniff(source, may_be_answer=skeleton is not None and skeleton.has_words)]
        over_words = format_ is None and bool(
            (printed and printed.skeleton) or (skeleton and skeleton.layers.has_empty_nodes)
        )
        if over_words and may_be_printed(row, source):
            row = FORMATS["tagged"]
        try:
            return row.name, open_format(row, source, warnings, side, printed)
        except InputError:
            if not over_words or not may_be_printed(row, source, broken=True):
                raise
            return "tagged", open_format(FORMATS["tagged"], source, warnings, side, printed)
    except BaseException:
        source.close()
        raise


def recognised(path: str, format_: str | None) -> str:
    """The name of the format that a file would be opened in."""
    with closing(_opened(path, format_)) as source:
        return format_ or sniff(source)


def _opened(path: str | os.PathLike[str], format_: str | None) -> Source:
    if format_ is not None:
        OptionError.check("format", format_, FORMATS)
    return Source.open(path)


def read_documents(path: str | os.PathLike[str], format: str | None = None) -> Iterator[Document]:  # noqa: A002
    """The documents of a file, one at a time; the format is recognised unless it is named.

    The file is opened for the first document and closed after the last. Then what its reader warned of becomes
    Python warnings.
    """
    collected = Warnings()
    _, reader = open_reader(path, format, collected)
    with closing(reader.source):
        yield from reader
    if collected:
        from warnings import warn

        for message in collected:
            warn(message, stacklevel=2)


def sniff(source: Source, *, may_be_answer: bool = False) -> str:
    """The format whose beginning this looks like, else the one its name ends like, else the default.

    ``may_be_answer``: whether it may be an answer of a language model, since it is the response to a key with words.
    """
    beginning = _beginning(source, GLANCE)
    if beginning.lstrip()[:1] in ("{", "[") and _holds_completions(source):
        return PRINTED
    row = next((row for row in _candidates() if row.matches(beginning)), None)
    by_suffix = _by_suffix(source.name)
    if may_be_answer and _may_be_list(row, by_suffix, beginning):
        return PRINTED
    if row is None:
        return by_suffix or DEFAULT
    if not row.mistaken_for or source.size <= source.start + GLANCE:
        return row.name
    other = FORMATS[row.mistaken_for]  # what tells the two apart may come late in a long line
    return other.name if by_suffix == other.name or other.matches(_beginning(source, LONG_GLANCE)) else row.name


def _may_be_list(row: Format | None, by_suffix: str | None, beginning: str) -> bool:
    """Whether a response to a key with words may list mentions: text of an unknown kind, or JSON with strings.

    Other JSON has ids for mentions, which cannot be scored over words.
    """
    if row is None:
        return by_suffix is None and "\t" not in beginning
    return row.name == "clusters" and (by_suffix == PRINTED or re.search(JSON_STRING, beginning) is not None)


def _holds_completions(source: Source) -> bool:
    """Whether JSON wraps answers of a language model."""
    from ..llm.completions import holds_completions  # few files are JSON

    return holds_completions(source)


def _beginning(source: Source, size: int) -> str:
    return source.read(source.start, min(source.start + size, source.size)).decode("utf-8", errors="replace")


def _by_suffix(name: str) -> str | None:
    """The format that a name ends like, whether or not the file is compressed."""
    plain = name.removesuffix(packed_suffix(name)).lower()
    return next((row.name for row in _candidates() if row.suffixes and plain.endswith(row.suffixes)), None)


def _candidates() -> Iterator[Format]:
    """The formats of this package, then those of others, which are looked up only if none of ours fits."""
    yield from BUILT_IN.values()
    yield from [row for name, row in FORMATS.items() if name not in BUILT_IN]
