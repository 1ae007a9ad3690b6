"""Catalogue of the formats that can be written, chosen by name or by the extension of a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, NamedTuple

from ..core.document import Document
from ..core.errors import OptionError, Warnings
from ..llm.styles import named_style
from ..llm.writer import PLAIN, TaggingOptions, representable_mentions
from ..llm.writer import write as write_tagged
from . import fitting
from .conll import writer as conll
from .corefud import writer as corefud
from .corefud.writer import rewritten
from .fitting import Cleaned, Held, Step
from .jsonl import writer as jsonl
from .losses import Losses
from .naming import packed_suffix
from .source import DocumentReader
from .standoff import writers as standoff
from .tables import writer as clusters
from .ua import writer as ua
from .writing import Origin

Write = Callable[[Iterable[Document], Origin, Losses], Iterator[str]]
"""From fitted documents, and the file they come from, to pieces of text."""
Companion = Callable[[Iterable[Document], Origin], Iterator[str]]
"""From fitted documents to pieces of a second file."""
Rewrite = Callable[[DocumentReader, Iterator[Document], Warnings], Iterator[str]]
"""From a reader, and its documents, to pieces of text."""


class Writer(NamedTuple):
    """One row of the catalogue."""

    name: str
    title: str
    suffixes: tuple[str, ...]
    write: Write
    cannot_hold: tuple[str, ...]
    """Annotation that gets lost, by the names of ``LOSSES``."""
    steps: tuple[Step, ...]
    """Changes of mentions that do not fit."""
    word: Cleaned | None = None
    """Change of words that cannot be written."""
    name_of_document: Cleaned | None = None
    """Change of document names that cannot be written."""
    held: Held | None = None
    """Choice among mentions that cannot be written together."""
    blind: bool = False
    """Whether entities are left out on purpose."""
    needs_words: bool = True
    """Whether documents must have words."""
    rewrite: Rewrite | None = None
    """Writer of a file of the same format, if not from its documents alone."""
    companion: tuple[str, Companion] | None = None
    """Suffix and writer of a second file, which belongs beside the first."""
    imprint: Callable[[Iterable[Document], Losses], Iterator[str]] | None = None
    """Writer of documents with the sentences of a file of this format and new entities."""


_WITHOUT_EMPTY_NODES = (fitting.without_zeros, fitting.without_empty_nodes)
_HEADLESS = ("heads", "names", "ids", "types")
_WITHOUT_HEADS = (fitting.without_minimum, fitting.headed_by_first_word)
_BEYOND_COREFUD = ("links", "anchors", "non_referring", "deixis", "minima")
_IDENTITY_ONLY = ("relations", "non_referring", "deixis", "minima")
_STANDOFF = ("repeated", "heads", "words", "ids", *_IDENTITY_ONLY)
TAGGED = "tagged"


def tagged_writer(options: TaggingOptions = PLAIN) -> Writer:
    """The row of tagged text, written with these options."""
    return Writer(
        TAGGED,
        "tagged text, as language models print it: one document a line, tags around mentions",
        (".txt",),
        partial(write_tagged, options=options),
        (
            *("zeros", "empty_nodes", "parts", "sentences", "crossing", "overlapping", "repeated", "tree_heads"),
            *("words", "types", "ids"),
        ),
        (*(() if options.has_zeros else (fitting.without_zeros,)), fitting.within_sentences),
        held=partial(representable_mentions, named_style(options.style), options.has_zeros),
        blind=options.blind,
    )


WRITERS: dict[str, Writer] = {
    row.name: row
    for row in (
        Writer(
            "corefud",
            "CorefUD: CoNLL-U with Entity in MISC",
            (".conllu",),
            corefud.write,
            ("sentences", "crossing", "shared", *_BEYOND_COREFUD, "words", "names", "documents", "ids"),
            (fitting.within_sentences, fitting.without_crossing, fitting.headed_by_minimum),
            corefud.clean_word,
            corefud.clean_name,
            rewrite=rewritten,
            imprint=corefud.write_over,
        ),
        Writer(
            "ua",
            "CoNLL-UA: markables, bridging and discourse deixis in columns after those of CoNLL-U",
            (".conllua",),
            ua.write,
            ("empty_nodes", "places", "links", "minima", "words", "names", "documents", "ids", "types"),
            (fitting.words_or_zero,),
            conll.clean_word,
            corefud.clean_name,
        ),
        Writer(
            "conll",
            "CoNLL-2012: brackets in the last column",
            ("conll",),
            conll.write,
            ("zeros", "empty_nodes", "discontinuous", "crossing", *_HEADLESS, "words", *_IDENTITY_ONLY),
            (*_WITHOUT_EMPTY_NODES, fitting.without_gaps, fitting.without_touching, *_WITHOUT_HEADS),
            conll.clean_word,
            conll.clean_name,
        ),
        Writer(
            "jsonl",
            "jsonlines: one document a line, sentences and clusters of [first, last] words",
            (".jsonl", ".jsonlines"),
            jsonl.write,
            ("zeros", "empty_nodes", "discontinuous", *_HEADLESS, *_IDENTITY_ONLY),
            (*_WITHOUT_EMPTY_NODES, fitting.without_gaps, *_WITHOUT_HEADS),
            name_of_document=jsonl.clean_name,
        ),
        Writer(
            "clusters",
            "clusters: one JSON object of documents, entities and names of mentions",
            (".json",),
            clusters.write,
            ("dependencies", "spans", "names", "ids", "types", *_IDENTITY_ONLY),
            (fitting.without_minimum, fitting.as_names),
            name_of_document=clusters.clean_name,
            needs_words=False,
        ),
        Writer(
            "brat",
            "brat stand-off: .ann, and the text in a .txt beside it; one document",
            (".ann",),
            standoff.write_brat,
            ("zeros", "empty_nodes", "overlaps", *_STANDOFF, "file_names", "types"),
            (*_WITHOUT_EMPTY_NODES, fitting.without_overlaps, *_WITHOUT_HEADS, fitting.without_repeats),
            companion=(".txt", standoff.brat_text),
        ),
        Writer(
            "webanno",
            "WebAnno TSV 3 (WebAnno, INCEpTION) with a chain for each entity; one document",
            (),
            standoff.write_webanno,
            ("zeros", "empty_nodes", "discontinuous", *_STANDOFF, "file_names"),
            (*_WITHOUT_EMPTY_NODES, fitting.without_gaps, *_WITHOUT_HEADS, fitting.without_repeats),
        ),
        Writer(
            "label-studio",
            "Label Studio's JSON: one task for each document, with spans and relations",
            (),
            standoff.write_label_studio,
            ("zeros", "empty_nodes", "discontinuous", *_STANDOFF, "names"),
            (*_WITHOUT_EMPTY_NODES, fitting.without_gaps, *_WITHOUT_HEADS, fitting.without_repeats),
            name_of_document=jsonl.clean_name,
        ),
        tagged_writer(),
    )
}


def writer_for(path: str, name: str | None, **options: Any) -> Writer:
    """The row of this name, or else that of the extension of the path; ``options`` are those of tagged text."""
    row = _choose_row(path, name)
    if row.name == TAGGED:
        return tagged_writer(TaggingOptions(**options).checked())
    for option in options:
        if option != "style":  # which may be that of what is read
            raise OptionError(f"{option} is for tagged text, but {row.name} is written: give --to {TAGGED}")
    return row


def _choose_row(path: str, name: str | None) -> Writer:
    if name is not None:
        OptionError.check("format", name, WRITERS)
        return WRITERS[name]
    plain = path.removesuffix(packed_suffix(path)).lower()
    for row in WRITERS.values():
        if row.suffixes and plain.endswith(row.suffixes):
            return row
    where = "standard output has no name that says" if path == "-" else f"the name {path!r} does not say"
    suffixes = ", ".join(f"{row.suffixes[0]} ({row.name})" for row in WRITERS.values() if row.suffixes)
    raise OptionError(f"{where} which format to write; name it (--to {'|'.join(WRITERS)}), or end it in {suffixes}")
