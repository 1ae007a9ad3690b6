"""The options of a score. Their string is its signature, known before anything is scored."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast

from .baselines import BASELINES, OF_FILE
from .choices import Align, Match, Rules, Singletons, Words, Zeros
from .errors import OptionError
from .format import FORMATS
from .kinds import kinds_in
from .matching.matchers import MATCHERS, ZEROS
from .naming import brief_fields
from .registry import HOOKS
from .rules import RULES
from .version import __version__

if TYPE_CHECKING:
    from .input import Input

HEADS: dict[str, str] = {
    "file": "the heads that the files name; the first word where they name none",
    "tree": "the first word of a mention that depends on a word outside it (HEAD), in both files",
    "key=tree": "the same in the key only",
    "response=tree": "the same in the response only, for systems that write no heads",
}
FROM_FILE = "file"
DERIVED = tuple(name for name in HEADS if name != FROM_FILE)
WORDS: dict[str, str] = {
    "compare": "key and response must have the same words and sentences",
    "ignore": "mentions are compared by the numbers of their words in the document (a warning says what differs)",
    "align": "the text must be the same, its words may not: mentions are laid over the words of the key",
}
ALIGN: dict[str, str] = {
    "expand": "is expanded to all of that word",
    "contract": "is contracted to the words that are wholly inside, and dropped if there are none",
    "strict": "is an error",
}
"""What a mention becomes that begins or ends inside a word of the other side."""
SIGNED_WORDS = (*(name for name in WORDS if name != "align"), *(f"align-{name}" for name in ALIGN))
"""The values of ``words`` in a signature."""
REPAIRS: dict[str, str] = {"offsets": "mentions of JSON are placed by their strings where offsets contradict them"}
CLASSES: dict[str, str] = {
    "restricted": "entities lose the mentions that --only does not select",
    "whole": "entities keep all mentions, and B³ is averaged over those that --only selects (metric b3_only)",
}
WHOLE = "whole"
SINGLETONS: dict[str, str] = {
    "drop": "entities of one mention are removed from both sides first",
    "keep": "entities of one mention are scored like all others",
}
IN_MEMORY = ("clusters", "labels")
"""Formats of clusters and labels in memory; the first is also a format of files."""

TITLES: dict[str, Mapping[str, str]] = {
    "match": {name: matcher.title for name, matcher in MATCHERS.items()},
    "zeros": ZEROS,
    "singletons": SINGLETONS,
    "rules": {name: rules.title for name, rules in RULES.items()},
}
"""The options that every score has, and what their values mean."""
CHOICES: dict[str, tuple[str, ...]] = {name: tuple(titles) for name, titles in TITLES.items()}

BY_KEY = ("match", "zeros", "singletons")
"""Options whose default is a field of the key's format, unless the rules have one; empty while it is not known."""

EXTRAS = (
    *("heads", "baseline", "anaphors", "only", "classes", "subset", "documents", "words", "llm", "repair"),
    *("relations", "weights", "windows"),
)
"""Options that a signature names only where they are used."""


class Options(NamedTuple):
    """What decides a score besides the input.

    >>> str(Options())
    'corefud|match:head|zeros:dependent|singletons:drop|rules:corefud-1.2'
    >>> Options.parse(str(Options(match="exact"))) == Options(match="exact")
    True
    """

    format: str = "corefud"
    """That of both files; if they differ, key and response joined by ``+``."""
    match: Match = "head"
    zeros: Zeros = "dependent"
    singletons: Singletons = "drop"
    rules: Rules = "corefud-1.2"
    heads: str = ""
    """Where the heads of mentions come from, if not from the files: one of ``DERIVED``."""
    baseline: str = ""
    """What scores are measured from, if not from 0: one of ``BASELINES``, or ``file-`` and how its SHA-256 begins."""
    anaphors: str = ""
    """What is to be resolved, if given: one of ``ANAPHORS``, or the name of a predicate."""
    only: str = ""
    """The kinds of mentions that are scored, if not all are: see :mod:`.kinds`."""
    classes: str = ""
    """``whole`` if entities keep all mentions, and only those of these kinds are averaged over."""
    subset: str = ""
    """The name of the predicate that selects mentions, if one does."""
    documents: str = ""
    """How documents are joined, if they are: ``merge``, or ``topic=`` and the pattern."""
    words: str = ""
    """``ignore`` if words were not compared, ``align-`` and the mode if mentions were laid over other words."""
    llm: str = ""
    """How text was read that a language model printed, where a side is such: ``tags-move,unclosed-word``."""
    repair: str = ""
    """``offsets`` if mentions of JSON are placed by their strings."""
    relations: str = ""
    """Names of the relations that are identity in files of annotation tools, if given, separated by commas."""
    weights: str = ""
    """The weights of entities, if they have some: ``size^`` and a power, or ``file-`` and how its SHA-256 begins."""
    windows: str = ""
    """The number of words that texts are cut into, if they are."""

    def __repr__(self) -> str:
        return brief_fields(self)

    def __str__(self) -> str:
        named = {name: getattr(self, name) for name in (*CHOICES, *EXTRAS)}
        return "|".join([self.format, *(f"{name}:{escaped(value)}" for name, value in named.items() if value)])

    @property
    def signature(self) -> str:
        """What to print beside a score so that others can reproduce it."""
        return f"{self}|v{__version__}"

    def has_tree_heads(self, side: str) -> bool:
        """Whether the dependencies tell the heads of a side, ``key`` or ``response``."""
        return self.heads in ("tree", f"{side}=tree")

    @property
    def min_entity_size(self) -> int:
        """The number of mentions from which on an entity counts."""
        return 2 if self.singletons == "drop" else 1

    def completed(self, formats: Iterable[str]) -> Options:
        """These options, with the defaults of the rules for what is open, or else of a key of these formats.

        >>> str(OPEN.completed(["conll"]))
        'corefud|match:exact|zeros:dependent|singletons:keep|rules:corefud-1.2'
        >>> str(OPEN._replace(rules="ua-1.0").completed(["corefud"]))
        'corefud|match:exact|zeros:dependent|singletons:keep|rules:ua-1.0'
        """
        rows, of_rules = [FORMATS[name] for name in formats], RULES[self.rules].defaults
        defaults: dict[str, set[Any]] = {
            name: {of_rules.get(name) or getattr(row.defaults, name) for row in rows}
            for name in BY_KEY
            if not getattr(self, name)
        }
        if any(len(values) > 1 for values in defaults.values()):
            kinds = " and ".join(row.name for row in rows)
            options = " and ".join(f"--{name}" for name, values in defaults.items() if len(values) > 1)
            raise OptionError(f"keys in {kinds} are scored by different defaults: give {options}")
        return self._replace(**{name: value for name, (value,) in defaults.items()})

    def over(self, inputs: Iterable[Input]) -> Options:
        """These options, with what files that were read add to them.

        That is their formats, how printed text was read, and whether mentions were laid over other words unasked.
        """
        inputs = list(inputs)
        formats = dict.fromkeys(name for side in inputs for name in side.formats)
        ways = dict.fromkeys(report.signed for side in inputs for report in side.copy_reports)
        aligned = [f"align-{side.projection.align}" for side in inputs if side.projection]
        words = self.words or "".join(aligned[:1])
        return self._replace(format="+".join(formats), llm=next(iter(ways), ""), words=words) if formats else self

    def as_of(self, reports: Iterable[Options]) -> Options:
        """These options, with what files added to those of reports: every format, and how they were read."""
        reports = list(reports)
        formats = dict.fromkeys(name for options in reports for name in options.format.split("+"))
        ways = [options.llm for options in reports if options.llm]
        words = [options.words for options in reports if options.words]
        return self._replace(
            format="+".join(formats) or self.format, llm="".join(ways[:1]), words=self.words or "".join(words[:1])
        )

    def checked(self) -> Options:
        """These options, once every value is known to exist."""
        for name, choices in CHOICES.items():
            OptionError.check(name, getattr(self, name), choices)
        if self.baseline and self.baseline not in BASELINES and not re.fullmatch(OF_FILE, self.baseline):
            raise OptionError.unknown("baseline", [self.baseline], BASELINES)
        if self.heads and self.heads not in DERIVED:
            raise OptionError.unknown("heads", [self.heads], DERIVED)
        if self.words and self.words not in SIGNED_WORDS:
            raise OptionError.unknown("words", [self.words], SIGNED_WORDS)
        if self.only:
            kinds_in(self.only)
        if self.classes and (self.classes != WHOLE or not self.only):
            raise OptionError(f"classes {self.classes!r} needs only, which says what is averaged over")
        if self.llm:
            HOOKS["parse_printed_options"](self.llm)
        if self.repair and self.repair not in REPAIRS:
            raise OptionError.unknown("repair", [self.repair], REPAIRS)
        if self.windows and not re.fullmatch("[1-9][0-9]{0,8}", self.windows):
            raise OptionError(f"windows have a number of words from 1 to 999999999, not {self.windows:.60}")
        return self

    @classmethod
    def parse(cls, text: str) -> Options:
        """Read a signature back; the version at its end may be missing and is not compared."""
        first, *rest = text.split("|")
        if rest and re.fullmatch(r"v\d[\w.+-]*", rest[-1]):
            rest.pop()
        parts = [(name, unescaped(value)) for name, _, value in (item.partition(":") for item in rest)]
        values: dict[str, Any] = dict(parts)
        unknown = [name for name in values if name not in (*CHOICES, *EXTRAS)]
        if unknown:
            raise OptionError.unknown("option", unknown, (*CHOICES, *EXTRAS))
        if len(values) < len(parts):
            raise OptionError(f"the signature {text!r} has an option twice")
        if not all(values.values()):
            raise OptionError(f"the signature {text!r} has an option without a value")
        unknown = [name for name in first.split("+") if name not in IN_MEMORY and name not in FORMATS]
        if unknown:
            raise OptionError.unknown("format", unknown, dict.fromkeys((*FORMATS, *IN_MEMORY)))
        return cls(first, **values).checked()


DEFAULTS = Options()
"""Those of the official scorer of CorefUD."""
NOT_KNOWN: dict[str, Any] = dict.fromkeys(BY_KEY, "")
OPEN = DEFAULTS._replace(**NOT_KNOWN)
"""The defaults, before it is known what the key is."""


def settings_of(options: Options) -> dict[str, str]:
    """The options that every score has: match, zeros, singletons and rules."""
    return {name: getattr(options, name) for name in CHOICES}


def split_words(signed: str) -> tuple[Words | Literal[""], Align | Literal[""]]:
    """The options ``words`` and ``align`` that a signature has as one; empty if it does not say.

    >>> split_words("align-contract"), split_words("ignore")
    (('align', 'contract'), ('ignore', ''))
    """
    words, _, align = signed.partition("-")
    return cast("Words", words), cast("Align", align)


def escaped(value: str) -> str:
    """A value without the sign that separates options."""
    return value.replace("%", "%25").replace("|", "%7C")


def unescaped(value: str) -> str:
    """The inverse of :func:`escaped`."""
    return value.replace("%7C", "|").replace("%25", "%")
