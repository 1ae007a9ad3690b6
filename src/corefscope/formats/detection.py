"""The formats that can be read: one row each, recognised by content, then by the name of the file."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any, NamedTuple

from ..core.document import Document, Sentence
from ..core.errors import InputError, OptionError, Warnings
from ..core.format import FORMATS, Comparison, Format, KeyDefaults, Layers
from ..core.registry import load
from ..core.request import PrintedArguments, relations_in
from .naming import packed_suffix
from .sentences import TAGS, Tag
from .source import PARQUET, ColumnSelector, PrintedReader, RelationSelector, Source
from .tables.columns import ANY_COLUMNS, ColumnNames, columns_in

if TYPE_CHECKING:
    from ..llm.options import PrintedOptions
    from .source import DocumentReader


GLANCE = 1 << 14  # bytes that are enough to tell formats apart
LONG_GLANCE = 1 << 20  # and those of JSON
PRINTED_WORDS = b'"tokens"'
"""Name that JSON of a language model has even if it is cut off."""


READINGS: dict[str, str] = {
    "faithful": "tags move with their words, also if these were changed",
    "text2text": "what the cleaner and importer of the CRAC tasks (text2text-coref) make of it, flaws included",
    "text2text-z": "the same, both run with -z: zeros are those of the skeleton",
}
UNCLOSED: dict[str, str] = {
    "word": "a mention that is never closed is its first word",
    "sentence": "it goes on to the last word that was printed of its sentence",
    "drop": "it is left out",
}


def printed_as(arguments: Mapping[str, Any]) -> PrintedOptions | None:
    """The options for printed text in keyword arguments; None if there are none."""
    if all(arguments.get(name) is None for name in PrintedArguments.__annotations__):
        return None
    from ..llm.options import PrintedOptions

    return PrintedOptions.of(arguments)


class ReadingOptions(NamedTuple):
    """Options for reading files, besides their format."""

    printed: PrintedOptions | None = None
    """Options for text that a language model printed."""
    relations: Sequence[str] = ()
    """Names of the relations of annotation tools that are identity; empty for the usual ones."""
    columns: ColumnNames = ANY_COLUMNS
    """Names of the columns of a table."""

    @classmethod
    def of(cls, arguments: Mapping[str, Any]) -> ReadingOptions:
        """The options of keyword arguments; OptionError if they are not valid."""
        return cls(printed_as(arguments), relations_in(arguments), columns_in(arguments))


USUAL = ReadingOptions()


NO_WORDS = "it has none, mentions are ids"
COMMENTS = r"\s*(?:#(?!\s?begin document|FORMAT=WebAnno)[^\n]*\n\s*)*"
"""Comments that may precede everything else."""

XML_START = r"\s*(?:<\?xml[^>]*>\s*)?(?:<!DOCTYPE[^>\[]*(?:\[[^\]]*\]\s*)?>\s*)?(?:<!--[^>]*-->\s*)?"
JSON_MEMBERS = r'(?:[^{}"]|"(?:[^"\\]|\\.)*")*?'
"""Members of an object that hold no other object."""
NOTHING = r"(?!)"
"""The pattern of a format that is never recognised by itself."""
BY_FILE = Comparison(loose=True, named_by_file=True)
"""Comparison of files that hold one document, which is named after the file."""
JSON_OBJECT = r"\s*(?:\[\s*)?\{"
"""The beginning of a JSON object, or of an array of objects."""
JSON_START = rf"{JSON_OBJECT}[\s\S]*"
"""The beginning of JSON up to its telling field; trying it in vain takes 20 ms, which ``contains`` prevents."""

HEADER, CHAINS = "# global.Entity", "coref_chains="
"""Marks of CorefUD and of Stanza's CoNLL-U; a file with both is CorefUD."""

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
        "stanza",
        "Stanza's CoNLL-U: coref_chains in MISC",
        (),
        "corefscope.formats.standoff.stanza:StanzaReader",
        NOTHING,  # told from CorefUD by is_stanza
        layers=Layers(tags="of_conllu", has_upos=True, has_dependencies=True, has_empty_nodes=True),
        comparison=BY_FILE,
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
        "webanno",
        "WebAnno TSV 3 (WebAnno, INCEpTION): chains, or spans and relations",
        (),
        "corefscope.formats.standoff.webanno:WebAnnoReader",
        r"\s*#FORMAT=WebAnno TSV 3",
        comparison=BY_FILE,
    ),
    Format(
        "brat",
        "brat stand-off: .ann, with its text in a .txt beside it",
        (".ann",),
        "corefscope.formats.standoff.brat:BratReader",
        r"\s*(?:T[0-9]+\t\S+ [0-9]+ [0-9]+[;\t\n]|(?:R[0-9]+|\*)\t\S+ \S+|E[0-9]+\t\S+:T|#[0-9]+\tAnnotatorNotes )",
        comparison=BY_FILE,
    ),
    Format(
        "litbank",
        "LitBank .ann: lines MENTION and COREF, with its words in a .txt beside it",
        (),
        "corefscope.formats.standoff.litbank:LitbankReader",
        r"\s*(?:MENTION\tT[0-9]+\t[0-9]|COREF\tT[0-9]+\t)",
        comparison=BY_FILE,
    ),
    Format(
        "booknlp",
        "BookNLP: .entities, with its words in .tokens beside it",
        (".entities", ".tokens"),
        "corefscope.formats.standoff.booknlp:BookNLPReader",
        r"\s*(?:COREF\tstart_token\tend_token|paragraph_ID\tsentence_ID)\t",
        comparison=BY_FILE,
    ),
    Format(
        "gap",
        "GAP: TSV with a pronoun and two names a row",
        (),
        "corefscope.formats.standoff.gap:GapReader",
        r"\s*ID\tText\tPronoun\tPronoun-offset\t",
        comparison=Comparison(loose=True),
    ),
    Format(
        "mmax",
        "MMAX2: .mmax, with words and markables beside it",
        (".mmax",),
        "corefscope.formats.standoff.mmax:MmaxReader",
        rf'{XML_START}<(?:mmax_project\b|(?:words|markables\b[^>]*\bxmlns="www\.eml\.org/NameSpaces/[^>]*)>)',
        comparison=BY_FILE,
    ),
    Format(
        "ecb",
        "ECB+ XML: tokens, markables and relations",
        (),
        "corefscope.formats.standoff.ecb:EcbReader",
        rf"{XML_START}<Document\b[^>]*\bdoc_name=",
        comparison=BY_FILE,
    ),
    Format(
        "sacr",
        "SACR: text with mentions in braces",
        (".sacr",),
        "corefscope.formats.standoff.sacr:SacrReader",
        r'\s*(?:#[^\n]*\n\s*)*#text_?id:|[^{]*\{\w+:\w+="',
        comparison=BY_FILE,
    ),
    Format(
        "scorch",
        "scorch JSON: clusters, or a graph, of ids",
        (),
        "corefscope.formats.standoff.scorch:ScorchReader",
        r'\s*\{(?:\s*"name"\s*:\s*"[^"\\]*"\s*,)?\s*"type"\s*:\s*"(?:clusters|graph)"',
        has_words=False,
        comparison=Comparison(NO_WORDS),
    ),
    Format(
        "cdcr",
        "CDCR mention JSON: one list of mentions, by sentence and word numbers",
        (),
        "corefscope.formats.standoff.cdcr:CdcrReader",
        rf'\s*\[\s*\{{{JSON_MEMBERS}"tokens_number"\s*:',
        ('"tokens_number"',),
        has_words=False,
        comparison=Comparison(NO_WORDS),
    ),
    Format(
        "cdcr-over-words",
        "CDCR mention JSON, read over the words of the key",
        (),
        "corefscope.formats.standoff.cdcr:CdcrOverWordsReader",
        NOTHING,
        alone=False,
        comparison=Comparison("it is the key's words that they are"),
    ),
    Format(
        "label-studio",
        "Label Studio's JSON export: tasks with spans and relations",
        (),
        "corefscope.formats.standoff.json_documents:LabelStudioReader",
        rf'{JSON_OBJECT}(?:(?=[\s\S]*"result"\s*:\s*\[)[\s\S]*"(?:annotations|predictions)"\s*:\s*\['
        r'|[\s\S]*"annotation_id"\s*:)',
        ('"result"', '"annotation_id"'),
        comparison=BY_FILE,
    ),
    Format(
        "doccano",
        "doccano's JSONL: text, entities and relations",
        (),
        "corefscope.formats.standoff.json_documents:DoccanoReader",
        rf'{JSON_START}(?:"start_offset"\s*:|"labels?"\s*:\s*\[\s*\[\s*[0-9]+\s*,\s*[0-9]+\s*,\s*")',
        ('"start_offset"', '"label'),
        comparison=BY_FILE,
    ),
    Format(
        "prodigy",
        "Prodigy's JSONL: tokens, spans and relations",
        (),
        "corefscope.formats.standoff.json_documents:ProdigyReader",
        rf'{JSON_START}"(?:head_span|token_start|_task_hash)"\s*:',
        ('"head_span"', '"token_start"', '"_task_hash"'),
        comparison=BY_FILE,
    ),
    Format(
        "corenlp",
        "CoreNLP's JSON: sentences and corefs",
        (),
        "corefscope.formats.standoff.json_documents:CoreNLPReader",
        rf'{JSON_START}(?:"corefs"\s*:\s*\{{|"characterOffsetBegin"\s*:)',
        ('"corefs"', '"characterOffsetBegin"'),
        comparison=BY_FILE,
    ),
    Format(
        "xcore",
        "xCoRe's JSON: several documents that share entities",
        (),
        "corefscope.formats.standoff.json_documents:XCoReReader",
        rf'{JSON_OBJECT}(?:[^"\[{{]|"(?:[^"\\]|\\.)*")*?"tokens"\s*:\s*\[\s*\[',
        ('"tokens"',),
        comparison=BY_FILE,
    ),
    Format(
        "spacy",
        "spaCy's Doc.to_json: tokens, and groups of spans",
        (),
        "corefscope.formats.standoff.json_documents:SpacyReader",
        rf'{JSON_START}"tokens"\s*:\s*\[\s*\{{\s*"id"\s*:\s*[0-9]+\s*,\s*"start"\s*:',
        ('"tokens"',),
        comparison=BY_FILE,
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
        "parquet",
        "Parquet of Hugging Face data sets: a document a row, with the fields of jsonl",
        (),
        "corefscope.formats.jsonl.parquet:ParquetDocumentsReader",
        NOTHING,
        comparison=Comparison(loose=True),
    ),
    Format(
        "table",
        "CSV, TSV or Parquet with columns document, mention, entity",
        (".csv", ".tsv", ".parquet"),
        "corefscope.formats.tables.reader:TableReader",
        has_words=False,
        comparison=Comparison(NO_WORDS),
        defaults=KeyDefaults(metrics="linkage"),
    ),
    Format(
        "links",
        "CSV or TSV with columns mention, antecedent: entities are the mentions that links connect",
        (),
        "corefscope.formats.tables.links:LinksReader",
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
NUMBERED, NUMBERED_OVER_WORDS = "cdcr", "cdcr-over-words"
"""A format with numbers of words: mentions are ids, or words beside a key that has words."""
BUILT_IN = {row.name: row for row in ROWS}
DEFAULT = "corefud"
PRINTED = "tagged"
TABLE = "table"
JSON_STRING = r"""[\[,:(]\s{0,99}(["'])[^"'\\\n]{1,400}\1\s{0,99}[],)}]"""
"""A string in JSON that is not the name of a field."""


def may_be_printed(row: Format, source: Source, broken: bool = False) -> bool:
    """Whether a file of this format is read as printed text if there is a skeleton."""
    sign = PRINTED_WORDS if broken else row.printed_if
    return bool(row.printed_if) and sign in source.read(source.start, source.size)


def open_format(
    row: Format, source: Source, warnings: Warnings, side: str, options: ReadingOptions = USUAL
) -> DocumentReader:
    """The reader of a source in a format."""
    reader: DocumentReader = load(row.reader)(source, warnings, side)
    if options.printed and isinstance(reader, PrintedReader):
        reader.read_as(options.printed)
    if options.relations and isinstance(reader, RelationSelector):
        reader.select_relations(options.relations)
    if isinstance(reader, ColumnSelector):
        reader.select_columns(options.columns)
    elif options.columns.of_side(side):
        source.refuse(f"was read as {row.name}, which has no columns", "--mention-column and so on are for tables")
    return reader


def word_tags(row: Format, sentence: Sentence) -> list[Tag]:
    """Part of speech and speaker of each word of a sentence, empty where nothing is known."""
    tags = TAGS[row.layers.tags](sentence) if row.layers.tags else []
    return tags if len(tags) == len(sentence.words) else [Tag("", "")] * len(sentence.words)


def open_reader(
    path: str | os.PathLike[str],
    format_: str | None,
    warnings: Warnings,
    side: str = "key",
    options: ReadingOptions = USUAL,
    skeleton: Format | None = None,
) -> tuple[str, DocumentReader]:
    """Open a file in the format that is named or else recognised: the name of the format, and the reader.

    ``skeleton`` is the format of the key beside a response.
    """
    printed = options.printed
    source = _opened(path, format_)
    try:
        may_be_answer = skeleton is not None and skeleton.has_words
        row = FORMATS[
            format_ or sniff(source, may_be_answer=may_be_answer, is_table=bool(options.columns.of_side(side)))
        ]
        if format_ is None and row.name == DEFAULT and CHAINS in _beginning(source, GLANCE):
            message = f"{CHAINS} of Stanza beside Entity= of CorefUD: Entity is read"
            warnings.add("two-annotations", source.name, 0, f"{message} (to read the chains, name the format stanza)")
        if row.name == NUMBERED and skeleton and skeleton.has_words:
            row = FORMATS[NUMBERED_OVER_WORDS]
        over_words = format_ is None and bool(
            (printed and printed.skeleton) or (skeleton and skeleton.layers.has_empty_nodes)
        )
        if over_words and may_be_printed(row, source):
            row = FORMATS["tagged"]
        try:
            return row.name, open_format(row, source, warnings, side, options)
        except InputError:
            if not over_words or not may_be_printed(row, source, broken=True):
                raise
            return "tagged", open_format(FORMATS["tagged"], source, warnings, side, ReadingOptions(printed))
    except BaseException:
        source.close()
        raise


def recognised(path: str, format_: str | None, *, is_table: bool = False) -> str:
    """The name of the format that a file would be opened in; ``is_table`` is as for :func:`sniff`."""
    with closing(_opened(path, format_)) as source:
        return format_ or sniff(source, is_table=is_table)


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


def sniff(source: Source, *, may_be_answer: bool = False, is_table: bool = False) -> str:
    """The format whose beginning this looks like, else the one its name ends like, else the default.

    ``may_be_answer``: whether it may be an answer of a language model, since it is the response to a key with words.
    ``is_table``: whether its columns are named, so that it is a table if it looks like nothing else.
    """
    beginning = long_beginning = _beginning(source, GLANCE)
    is_json = beginning.lstrip()[:1] in ("{", "[")
    if is_json:  # what tells its formats apart may follow a long text
        long_beginning = _beginning(source, LONG_GLANCE)
    row = _matching(beginning, long_beginning)
    is_parquet = beginning.startswith(PARQUET.decode())
    if is_table and row is None:
        row = FORMATS[TABLE]
    by_suffix = _by_suffix(source.name)
    if by_suffix == "sacr" and row and row.name in ("clusters", PRINTED):  # {ENTITY words} may begin a text
        return by_suffix
    if row is None or not row.alone or is_json:
        from .foreign import refuse_foreign

        refuse_foreign(source)
    if is_json and not (row and row.contains) and _holds_completions(source):
        return PRINTED
    if may_be_answer and _may_be_list(row, by_suffix, beginning):
        return PRINTED
    if row is None:
        annotation = f"{os.path.splitext(source.name)[0]}.ann"
        if source.name.endswith(".txt") and os.path.isfile(annotation):
            source.refuse("has the text of brat annotation, without mentions", f"name the annotation: {annotation}")
    name = row.name if row else by_suffix or DEFAULT
    if name == DEFAULT and is_stanza(source, beginning):
        return "stanza"
    if row is None:
        return name
    if is_parquet and not is_table:
        from .jsonl.parquet import holds_documents  # needs pyarrow

        return "parquet" if holds_documents(source) else row.name
    if not row.mistaken_for or source.size <= source.start + GLANCE:
        return row.name
    other = FORMATS[row.mistaken_for]  # what tells the two apart may come late in a long line
    return other.name if by_suffix == other.name or other.matches(_beginning(source, LONG_GLANCE)) else row.name


def guess(beginning: str) -> str | None:
    """The format that the first lines of a file look like; None if they look like no other than the default."""
    row = _matching(beginning, beginning)
    return row.name if row else None


def _matching(beginning: str, long_beginning: str) -> Format | None:
    return next((row for row in _candidates() if row.matches(long_beginning if row.contains else beginning)), None)


def is_stanza(source: Source, beginning: str) -> bool:
    """Whether CoNLL-U has chains of Stanza and no header of CorefUD: Stanza keeps MISC and comments of its input."""
    if HEADER in beginning:
        return False
    header, chains = HEADER.encode(), CHAINS.encode()
    for _, piece in source.pieces(b"\n"):
        if header in piece:
            return False
        if chains in piece:
            return True
    return False


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
