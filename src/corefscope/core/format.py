"""``Format``: a record that describes one file format, and the registry of formats.

Core knows what files of a format annotate and which options are their defaults; :mod:`corefscope.formats` reads them.
"""

# Annotations are evaluated here: NamedTuple compiles those that are strings, field by field.

import re
from typing import NamedTuple

from .naming import by_name
from .registry import Registry, load


class Layers(NamedTuple):
    """What files of a format annotate beside mentions and entities."""

    tags: str = ""
    """A function of ``formats/sentences`` that reads the part of speech and the speaker of each word, if any."""
    has_upos: bool = False
    """Whether words have the parts of speech of Universal Dependencies, which tell pronouns."""
    has_dependencies: bool = False
    """Whether words say which word they depend on."""
    has_empty_nodes: bool = False
    """Whether sentences may have empty nodes, with columns of their own: zeros."""
    has_singletons: bool = False
    """Whether the best known corpora of this format annotate singletons."""
    names_minima: bool = False
    """Whether mentions name their minimal words (Min) and no heads."""
    bare_brackets: bool = False
    """Whether mentions are brackets without heads, so that crossing ones cannot be told from nested ones."""


class Comparison(NamedTuple):
    """How documents of this format are compared with those of the other side."""

    words_matter: str = ""
    """Why words of key and response must be the same; empty if mentions can be compared by the numbers of words."""
    loose: bool = False
    """Whether documents may lack names, and ends of sentences: those of the other side are taken then."""
    named_by_file: bool = False
    """Whether a document is called like its file: if each file has one document, they are paired by any name."""


DEFAULT_METRICS = "corefud"
"""The group of metrics that are scored unless others are named."""


class KeyDefaults(NamedTuple):
    """The options that hold unless they are given, if the key is of this format."""

    match: str = "exact"
    zeros: str = "dependent"
    singletons: str = "keep"
    metrics: str = DEFAULT_METRICS


class Format(NamedTuple):
    """One row of the registry: a dozen fields at most, and records of what files may have."""

    name: str
    title: str
    suffixes: tuple[str, ...]
    reader: str
    """``module:CLASS``, loaded if needed; called with a source, warnings, and the side, ``key`` or ``response``."""
    looks_like: str = ""
    """A regular expression that the beginning of such a file matches; if empty, LOOKS_LIKE of the module."""
    contains: tuple[str, ...] = ()
    """Strings of which the beginning holds at least one: quicker to look for than the pattern."""
    mistaken_for: str = ""
    """The name of a format that only a long look tells from this one."""
    has_words: bool = True
    """Whether mentions are made of words; else they are ids."""
    alone: bool = True
    """Whether a file can be read without another one that has its words."""
    two_sided: bool = False
    """Whether one file may hold the clusters of key and response."""
    printed_if: bytes = b""
    """What files hold that a language model may have printed: over a skeleton they are read as printed text."""
    tolerant: str = ""
    """``module:CLASS`` of a reader that reads on past faults, for ``validate``; without it the first fault is all."""

    layers: Layers = Layers()
    comparison: Comparison = Comparison()
    defaults: KeyDefaults = KeyDefaults()

    def __repr__(self) -> str:
        return by_name(self)

    def matches(self, beginning: str) -> bool:
        """Whether a file that begins like this is of this format."""
        if self.contains and not any(map(beginning.__contains__, self.contains)):
            return False
        pattern = self.looks_like or load(f"{self.reader.partition(':')[0]}:LOOKS_LIKE")
        return re.match(pattern, beginning) is not None


FORMATS: Registry[Format] = Registry(entry_points="corefscope.formats")
"""The formats of :mod:`corefscope.formats.detection`; other packages add theirs by entry points of the group
``corefscope.formats`` that name a :class:`Format`."""
