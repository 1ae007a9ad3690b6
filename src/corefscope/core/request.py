"""Requests: the arguments of a score, parsed and checked once.

Every entry point takes the same keyword arguments and makes a :class:`Request` of them: options, metrics, formats,
selected mentions. It knows no files; ``formats/files`` opens those and completes the request by the key's format.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from copy import copy
from typing import Any, NamedTuple, TypedDict, Unpack, cast

from .baselines import BASELINES, FILE
from .choices import (
    Align,
    AnaphorsName,
    Classes,
    Documents,
    Heads,
    Match,
    PresetName,
    Reading,
    Repair,
    Rules,
    Singletons,
    StyleName,
    Unclosed,
    Words,
    Zeros,
)
from .document import Document, Mention, mention_type
from .errors import InputError, OptionError
from .format import DEFAULT_METRICS, FORMATS
from .grouping import DOCUMENTS, Group, grouping, joined_how
from .kinds import needs_upos
from .metrics import METRICS, OPTIONAL, metric_name, select, with_means
from .naming import check_names, check_values, cut, listed_names, split_names
from .options import ALIGN, CHOICES, CLASSES, DEFAULTS, FROM_FILE, HEADS, OPEN, WHOLE, WORDS, Options
from .presets import PRESETS
from .registry import HOOKS
from .rules import RULES

Where = Callable[[Document, Mention], bool]
"""Whether a mention of a document is meant."""


class Anaphors(NamedTuple):
    """One choice of ``--anaphors``."""

    name: str
    title: str
    chosen: Where | None
    """Which mentions are anaphors; without it, all."""
    needs_upos: bool = False


def _is_pronoun(document: Document, mention: Mention) -> bool:
    return mention_type(document, mention) == "pronoun"


ANAPHORS: dict[str, Anaphors] = {
    row.name: row
    for row in (
        Anaphors("zeros", "mentions whose head is an empty node", lambda _, mention: mention.is_zero),
        Anaphors(
            "pronouns",
            "mentions whose head is a pronoun, by UPOS and PronType: CorefUD only",
            _is_pronoun,
            needs_upos=True,
        ),
        Anaphors("all", "every mention", None),
    )
}


Path = str | os.PathLike[str]
Progress = Callable[[int, int, str], None]
"""Called before each step with its number, the number of steps, and what comes: the id of a document, say."""


ONLY = "b3_only"
"""The metric that averages over mentions of some kinds in whole entities."""
NAMED: dict[str, Iterable[str]] = {
    **CHOICES,
    "preset": PRESETS,
    "anaphors": ANAPHORS,
    "documents": DOCUMENTS,
    "words": WORDS,
    "align": ALIGN,
    "heads": HEADS,
    "classes": CLASSES,
    "key_format": FORMATS,
    "response_format": FORMATS,
}
"""Arguments whose values are names, with these names."""


Column = str | Sequence[str | None]
"""The name of a column, or those of the key and of the response; None for one that is to be found."""


class PrintedArguments(TypedDict, total=False):
    """The keyword arguments of text that language models print, as :func:`~corefscope.score` explains them."""

    skeleton: str | os.PathLike[str] | None
    reading: Reading | None
    unclosed: Unclosed | None
    style: StyleName | None
    repair: Repair | None


class ReadingArguments(PrintedArguments, total=False):
    """The keyword arguments that say how files are read, as :func:`~corefscope.score` explains them."""

    relations: str | Sequence[str] | None
    mention_column: Column | None
    entity_column: Column | None
    document_column: Column | None


class RequestArguments(ReadingArguments, total=False):
    """The keyword arguments of every entry point that makes a score, as :func:`~corefscope.score` explains them.

    None leaves an argument open.
    """

    preset: PresetName | None
    match: Match | None
    zeros: Zeros | None
    singletons: Singletons | None
    rules: Rules | None
    heads: Heads | None
    metrics: str | Sequence[str] | None
    key_format: str | None
    response_format: str | None
    documents: Documents | None
    topic: str | None
    baseline: Path | None
    weights: Path | None
    windows: int | str | None
    anaphors: AnaphorsName | Where | None
    only: str | None
    classes: Classes | None
    words: Words | None
    align: Align | None
    where: Where | None
    sentences: Path | None
    digests: bool


def relations_in(arguments: Mapping[str, Any]) -> tuple[str, ...]:
    """The names of relations that arguments take for identity; none if they leave it open."""
    names = arguments.get("relations")
    if names is None:
        return ()
    listed = [
        name.strip() for name in (names.split(",") if isinstance(names, str) else listed_names("relations", names))
    ]
    if not listed or not all(listed):
        raise OptionError("relations are names, separated by commas: --relations Coref,Ident")
    return tuple(listed)


class Request:
    """What decides a score. Match, zeros and singletons may be open: the key's format and the rules have defaults.

    >>> request = Request({"preset": "crac22", "singletons": "keep", "metrics": "muc,lea"})
    >>> str(request.options), request.metrics
    ('corefud|match:partial|zeros:linear|singletons:keep|rules:corefud-1.0', ('muc', 'lea'))
    """

    __slots__ = (
        *("align", "anaphors", "arguments", "baseline", "digests", "formats", "group", "metrics"),
        *("metrics_are_open", "optional", "options", "relations", "sentences", "weights", "where"),
    )

    def __init__(
        self,
        arguments: RequestArguments,
        *,
        base: Options = OPEN,
        metrics: str | Sequence[str] = DEFAULT_METRICS,
        optional: bool = False,
    ) -> None:
        """``base`` and ``metrics`` hold unless an argument, or a preset among them, says otherwise.

        ``optional`` says whether groups hold metrics of what the files may not have: :func:`~.files.run` leaves
        them out of reports if they do not.
        """
        arguments = cast("RequestArguments", check_names(arguments, RequestArguments.__annotations__))
        self.arguments = arguments
        preset, names = arguments.get("preset"), arguments.get("metrics")
        others = ("baseline", "digests", "only", "topic", "weights", "where", "sentences")
        check_values({name: arguments.get(name) for name in others})
        for name, choices in NAMED.items():
            value: Any = arguments.get(name)
            if not (value is None or (name == "anaphors" and callable(value))):
                OptionError.check("format" if name.endswith("format") else name, value, choices)
        if preset is not None:
            base, metrics = PRESETS[preset].options, PRESETS[preset].metrics
        self.optional = optional
        classes = WHOLE if arguments.get("classes") == WHOLE else ""
        if classes and names is None:
            metrics = ONLY
        self.metrics_are_open: bool = names is None and metrics == DEFAULT_METRICS
        """Whether the metrics are the defaults, which depend on the format of the key."""
        self.metrics: tuple[str, ...] = with_means(select(metrics if names is None else names, optional))
        self.formats: tuple[str | None, str | None] = arguments.get("key_format"), arguments.get("response_format")
        self.where: Where | None = arguments.get("where")
        self.anaphors = arguments.get("anaphors")
        if classes and (self.anaphors or self.metrics != (ONLY,)):
            raise OptionError(f"classes can stay whole for the metric {ONLY} alone, without anaphors")
        self.digests: bool = bool(arguments.get("digests"))
        self.relations: tuple[str, ...] = relations_in(arguments)
        self.sentences: str = os.fspath(arguments.get("sentences") or "")
        """The file that lists the sentences whose mentions are scored; empty if all are."""
        if any(arguments.get(name) is not None for name in PrintedArguments.__annotations__):
            HOOKS["printed_options"](arguments)  # refuses values that are not valid
        documents, topic = arguments.get("documents") or "apart", arguments.get("topic")
        words = arguments.get("words") or "compare"
        self.align = arguments.get("align") or "expand"
        """What mentions become that begin or end inside a word of the other side, if they are laid over its words."""
        if arguments.get("align") and words == "ignore":
            raise OptionError("align cannot be combined with words ignore, which compares the numbers of words")
        self.group: Group | None = grouping(documents, topic)
        """What a document is joined under, by its id; None if documents stay apart."""
        chosen: dict[str, Any] = {name: value for name in CHOICES if (value := arguments.get(name)) is not None}
        baseline = os.fspath(arguments.get("baseline") or "")
        self.baseline: str = "" if baseline in BASELINES else baseline
        """The file, directory or pattern that scores are measured from, if one is."""
        weights = os.fspath(arguments.get("weights") or "")
        self.weights: Any = HOOKS["parse_weights"](weights, self.group) if weights else None
        """The weights of entities, if they have some."""
        heads, windows = arguments.get("heads") or FROM_FILE, arguments.get("windows")
        extras: dict[str, Any] = {
            "heads": "" if heads == FROM_FILE else heads,
            "baseline": FILE if self.baseline else baseline,
            "anaphors": self.anaphors if isinstance(self.anaphors, str) else _name(self.anaphors, ANAPHORS),
            "only": arguments.get("only") or "",
            "classes": classes,
            "subset": "-".join(filter(None, [_name(self.where), "sentences" if self.sentences else ""])),
            "documents": joined_how(documents, topic),
            "words": {"compare": "", "align": f"align-{self.align}"}.get(words, words),
            "repair": arguments.get("repair") or "",
            "relations": ",".join(self.relations),
            "weights": self.weights.signed if self.weights else "",
            "windows": "" if windows is None else str(windows) or "''",
        }
        DEFAULTS._replace(**chosen, **extras).checked()
        self.options: Options = base._replace(**chosen, **extras)
        """Those that are open are empty; :meth:`read` and :meth:`completed` fill them in."""
        self.metrics = self._weighed(self.metrics)

    def _weighed(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """The metrics among these that can be weighed, if entities have weights; one that is named must be."""
        if not self.weights:
            return names
        if RULES[self.options.rules].program:
            raise OptionError(f"rules {self.options.rules} count as their program does, which knows no weights")
        if self.options.baseline in BASELINES:
            raise OptionError(f"weights cannot be combined with the baseline {self.options.baseline}: name a file")
        weighed: tuple[str, ...] = HOOKS["weighable"](names, set(map(metric_name, self.named)))
        return weighed

    def __repr__(self) -> str:
        return f"<Request {cut(', '.join(self.metrics), 240)} ({cut(str(self.options), 240)})>"

    def replaced(self, **changes: Unpack[RequestArguments]) -> Request:
        """The same request with other arguments in their place."""
        arguments = cast("RequestArguments", {**self.arguments, **changes})
        return Request(arguments, base=self.options, metrics=self.metrics, optional=self.optional)

    def refuse(self, **reasons: str) -> None:
        """Raise OptionError if the request has an argument that cannot be used here; the reason says why."""
        for name, reason in reasons.items():
            if self.arguments.get(name) not in (None, "", "apart", "compare", False):
                raise OptionError(f"{name} cannot be used here: {reason}")

    def complete(self, key_formats: Collection[str]) -> Request:
        """The same request with nothing left open, once the format of the key is known.

        OptionError if keys of these formats are scored by different defaults.
        """
        completed = copy(self)
        completed.options = self.options.completed(key_formats)
        defaults = {FORMATS[name].defaults.metrics for name in key_formats}
        if self.metrics_are_open and len(defaults) == 1:
            completed.metrics = self._weighed(with_means(select(defaults.pop(), self.optional)))
            completed.metrics_are_open = False
        return completed

    @property
    def named(self) -> set[str]:
        """The metrics requested by their own names, not by a group."""
        names = self.arguments.get("metrics") or ()
        return {str(name).strip().lower() for name in (split_names(names) if isinstance(names, str) else names)}

    def check_formats(self, path: str, formats: Iterable[str], key_formats: Collection[str] = ()) -> None:
        """Refuse formats without the annotation that the request needs: heads, pronouns, empty nodes, relations.

        A response over the words of a key that has dependencies needs none: ``key_formats`` are those of its key.
        """
        key_has_trees = bool(key_formats) and all(FORMATS[name].layers.has_dependencies for name in key_formats)
        for name in OPTIONAL & self.named:
            scope = METRICS[name].scope
            for format_ in formats:
                if not scope.applies_to(format_):
                    hint = f"leave {name} out, or give files in {' or '.join(scope.formats)}"
                    raise InputError(f"has nothing that {name} counts: it is {format_}", path=path, hint=hint)
        by_upos = isinstance(self.anaphors, str) and bool(self.anaphors) and ANAPHORS[self.anaphors].needs_upos
        selected = f"anaphors ({self.anaphors})" if by_upos else f"mentions ({self.options.only})"
        by_upos = by_upos or (bool(self.options.only) and needs_upos(self.options.only))
        of_nodes = next((name for name in self.metrics if METRICS[name].scope.needs_empty_nodes), "")
        by_tree = self.options.has_tree_heads("response" if key_formats else "key")
        for row in map(FORMATS.__getitem__, formats) if by_tree or by_upos or of_nodes else ():
            if by_tree and not row.layers.has_dependencies and not (key_has_trees and row.has_words):
                names = " or ".join(
                    other.name for other in FORMATS.values() if other.layers.has_dependencies and other.alone
                )
                hint = f"leave --heads out, or give a key in {names}"
                raise InputError(f"has no dependencies to find heads in: it is {row.name}", path=path, hint=hint)
            if by_upos and not row.layers.has_upos:
                hint = "give CorefUD files, or in Python a predicate"
                message = f"has no UPOS to tell {selected} by: it is {row.name}"
                raise InputError(message, path=path, hint=hint)
            if of_nodes and not row.layers.has_empty_nodes:
                names = " or ".join(other.name for other in FORMATS.values() if other.layers.has_empty_nodes)
                hint = f"leave {of_nodes} out, or give both files in {names}"
                raise InputError(
                    f"has no empty nodes, which {of_nodes} counts: it is {row.name}", path=path, hint=hint
                )

    @property
    def has_predicate(self) -> bool:
        """Whether a function of the caller's takes part, which another process may not know."""
        return callable(self.where) or callable(self.anaphors)


def split(arguments: Mapping[str, object], names: Iterable[str]) -> tuple[dict[str, Any], RequestArguments]:
    """The arguments of these names that are not None, and all others.

    >>> split({"seed": 3, "level": None, "match": "head"}, ("seed", "level"))
    ({'seed': 3}, {'match': 'head'})
    """
    own = {name: arguments[name] for name in names if arguments.get(name) is not None}
    others = {name: value for name, value in arguments.items() if name not in names}
    return own, cast("RequestArguments", others)


def _name(where: Where | None, taken: Iterable[str] = ()) -> str:
    """What signatures call a predicate: never as what is not one."""
    name = "" if where is None else re.sub(r"[^\w.-]", "", getattr(where, "__name__", "")) or "custom"
    return "custom" if name in taken else name
