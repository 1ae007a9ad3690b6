"""What is to be resolved: the mentions that metrics of anaphora take for anaphors, by name or by a predicate.

One request: what decides a score besides the files.

Every entry point takes the same keyword arguments, makes a :class:`Request` of them, and asks it for everything else:
the options, the metrics, the files in step, the documents as they are to be scored.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple, Unpack, cast

from ..formats.corpus import WHOLE, Chunk, Corpus, Input, iter_aligned
from ..formats.detection import FORMATS, PrintedArguments, printed_as
from ..formats.heads import FROM_FILE, HEADS, with_tree_heads
from ..formats.joining import DOCUMENTS, grouping, joined, joined_how
from ..formats.pairs import WORDS, Pair, Pairs
from ..formats.paths import exists
from ..formats.source import path_name
from .baselines import BASELINES, FILE, OF_FILE
from .document import Document, Mention
from .errors import InputError, OptionError, Warnings
from .matching.transform import restricted
from .metrics import METRICS, OPTIONAL, select, with_means
from .naming import check_names, check_values, split_names
from .options import CHOICES, DEFAULTS, OPEN, Options
from .presets import PRESETS

Where = Callable[[Document, Mention], bool]
"""Whether a mention of a document is meant."""


class Anaphors(NamedTuple):
    """One row of the catalogue."""

    name: str
    title: str
    chosen: Where | None
    """Which mentions are anaphors; without it, all."""
    needs_upos: bool = False


def _is_pronoun(document: Document, mention: Mention) -> bool:
    from .document import mention_type  # most scores need no types

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


NAMED: dict[str, Iterable[str]] = {
    **CHOICES,
    "preset": PRESETS,
    "anaphors": ANAPHORS,
    "documents": DOCUMENTS,
    "words": WORDS,
    "heads": HEADS,
    "key_format": FORMATS,
    "response_format": FORMATS,
}
"""Arguments whose values are names, with these names."""


class RequestArguments(PrintedArguments, total=False):
    """The keyword arguments of every entry point that makes a score, as :func:`~corefscope.score` explains them.

    None leaves an argument open.
    """

    preset: str | None
    match: str | None
    zeros: str | None
    singletons: str | None
    rules: str | None
    heads: str | None
    metrics: str | Sequence[str] | None
    key_format: str | None
    response_format: str | None
    documents: str | None
    topic: str | None
    baseline: Path | None
    anaphors: str | Where | None
    words: str | None
    where: Where | None
    digests: bool


class Request:
    """What decides a score. Match and singletons may be open: their defaults are those of the key's format.

    >>> request = Request({"preset": "crac22", "singletons": "keep", "metrics": "muc,lea"})
    >>> str(request.options), request.metrics
    ('corefud|match:partial|zeros:linear|singletons:keep|rules:corefud-1.2', ('muc', 'lea'))
    """

    __slots__ = (
        *("anaphors", "arguments", "baseline", "digests", "formats", "group", "metrics", "optional", "options"),
        "printed",
        "where",
    )

    def __init__(
        self,
        arguments: RequestArguments,
        *,
        base: Options = OPEN,
        metrics: str | Sequence[str] = "corefud",
        optional: bool = False,
    ) -> None:
        """``base`` and ``metrics`` hold unless an argument, or a preset among them, says otherwise.

        ``optional`` says whether groups hold metrics of what the files may not have: :func:`~.files.run` leaves
        them out of reports if they do not.
        """
        check_names(arguments, RequestArguments.__annotations__)
        self.arguments = arguments
        preset, names = arguments.get("preset"), arguments.get("metrics")
        check_values({name: arguments.get(name) for name in ("baseline", "digests", "topic", "where")})
        for name, choices in NAMED.items():
            value: Any = arguments.get(name)
            if not (value is None or (name == "anaphors" and callable(value))):
                OptionError.check("format" if name.endswith("format") else name, value, choices)
        if preset is not None:
            base, metrics = PRESETS[preset].options, PRESETS[preset].metrics
        self.optional = optional
        self.metrics = with_means(select(metrics if names is None else names, optional))
        self.formats = arguments.get("key_format"), arguments.get("response_format")
        self.where, self.anaphors = arguments.get("where"), arguments.get("anaphors")
        self.digests = bool(arguments.get("digests"))
        self.printed = printed_as(arguments)
        """How text is read that a language model printed; None if nothing is said of it."""
        documents, topic = arguments.get("documents") or "apart", arguments.get("topic")
        words = arguments.get("words") or "compare"
        self.group = grouping(documents, topic)
        """What a document is joined under, by its id; None if documents stay apart."""
        chosen = {name: value for name in CHOICES if (value := cast("str | None", arguments.get(name))) is not None}
        baseline = path_name(arguments.get("baseline") or "")
        self.baseline = "" if baseline in BASELINES else baseline
        """The file, directory or pattern that scores are measured from, if one is."""
        heads = arguments.get("heads") or FROM_FILE
        extras = {
            "heads": "" if heads == FROM_FILE else heads,
            "baseline": FILE if self.baseline else baseline,
            "anaphors": self.anaphors if isinstance(self.anaphors, str) else _name(self.anaphors, ANAPHORS),
            "subset": _name(self.where),
            "documents": joined_how(documents, topic),
            "words": "" if words == "compare" else words,
            "repair": arguments.get("repair") or "",
        }
        DEFAULTS._replace(**chosen, **extras).checked()
        self.options = base._replace(**chosen, **extras)
        """Those that are open are empty; :meth:`read` and :meth:`completed` fill them in."""

    def replaced(self, **changes: Unpack[RequestArguments]) -> Request:
        """The same request with other arguments in their place."""
        return self._remade({**self.arguments, **changes}, self.options)

    def refuse(self, **reasons: str) -> None:
        """Raise OptionError if the request has an argument that cannot be used here; the reason says why."""
        for name, reason in reasons.items():
            if self.arguments.get(name) not in (None, "", "apart", "compare", False):
                raise OptionError(f"{name} cannot be used here: {reason}")

    def corpus(self, key: Path, response: Path, warnings: Warnings) -> Corpus:
        """The files of both sides; they are opened when reading begins."""
        words = self.options.words or "compare"
        return Corpus(key, response, warnings, *self.formats, digests=self.digests, words=words, printed=self.printed)

    def baseline_corpus(self, key: Path) -> list[Corpus]:
        """The key and the response that scores are measured from, if that is a file: its format is recognised."""
        if not self.baseline:
            return []
        check_baseline(self.baseline)
        further: dict[str, Any] = {"words": self.options.words or "compare", "printed": self.printed}
        return [Corpus(key, self.baseline, Warnings(), self.formats[0], digests=True, **further)]

    def completed(self, key: Input) -> Request:
        """The same request with nothing left open, once the format of the key is known.

        A key with files of several formats is refused if what is open depends on which one counts.
        """
        try:
            options = self.options.completed(key.formats)
        except OptionError as error:
            raise InputError(str(error), path=key.name) from None
        return self._remade(self.arguments, options)

    def _remade(self, arguments: RequestArguments, options: Options) -> Request:
        return Request(arguments, base=options, metrics=self.metrics, optional=self.optional)

    def read(
        self, corpora: Sequence[Corpus], progress: Progress | None = None, chunks: Sequence[Chunk] = (WHOLE,)
    ) -> Opened:
        """Begin to read responses to one key: then the key says what the request has left open.

        Only the first of the chunks is read here; if there are others, not before :func:`~.files.run` has begun them.
        """
        corpora[0].chunk, *others = chunks
        baseline = self.baseline_corpus(corpora[0].inputs[0].name)
        rows = self.rows([*corpora, *baseline], progress)
        if others:
            return Opened(self.completed(corpora[0].peek_format()), self, corpora, rows, others, *baseline)
        first = list(islice(rows, 1))
        return Opened(self.completed(corpora[0].inputs[0]), self, corpora, _resumed(first, rows), others, *baseline)

    def pairs(self, corpus: Corpus) -> Iterator[Pair]:
        """The pairs of documents as they are to be scored: joined, and restricted to the mentions that count."""
        for (pair,) in self.rows([corpus]):
            assert pair is not None
            yield pair
            del pair  # or it would be kept while the next document is read

    def rows(self, corpora: Sequence[Corpus], progress: Progress | None = None) -> Iterator[Pairs]:
        """The same for several responses to one key, which is read once: a pair of each, or None, at a time."""
        rows = iter_aligned(corpora)
        for row in joined(rows, self.group) if self.group else rows:
            self.check_corpora(corpora)
            if progress:
                progress(*corpora[0].progress, next(pair.key.id for pair in row if pair))
            yield tuple([self.selected(pair) if pair else None for pair in row])
            del row  # or its documents would be kept while the next ones are read

    def check_corpora(self, corpora: Sequence[Corpus]) -> None:
        """Refuse what the formats of the files that were opened do not allow."""
        key = corpora[0].inputs[0]
        if len(key.formats) > 1:
            self.completed(key)
        for side in (key, *(corpus.inputs[1] for corpus in corpora)):
            self.check_formats(side.name, side.formats)

    @property
    def named(self) -> set[str]:
        """The metrics that are asked for by their own names, not by a group."""
        names = self.arguments.get("metrics") or ()
        return {str(name).strip().lower() for name in (split_names(names) if isinstance(names, str) else names)}

    def check_formats(self, path: str, formats: Iterable[str]) -> None:
        """Refuse formats that do not tell what is asked for: heads, pronouns, empty nodes, what does not refer."""
        for name in OPTIONAL & self.named:
            scope = METRICS[name].scope
            for format_ in formats:
                if not scope.applies_to(format_):
                    hint = f"leave {name} out, or give files in {' or '.join(scope.formats)}"
                    raise InputError(f"has nothing that {name} counts: it is {format_}", path=path, hint=hint)
        by_upos = isinstance(self.anaphors, str) and self.anaphors and ANAPHORS[self.anaphors].needs_upos
        of_nodes = next((name for name in self.metrics if METRICS[name].scope.needs_empty_nodes), "")
        for row in map(FORMATS.__getitem__, formats) if self.options.heads or by_upos or of_nodes else ():
            if self.options.heads and not row.layers.has_dependencies:
                names = " or ".join(other.name for other in FORMATS.values() if other.layers.has_dependencies)
                hint = f"leave --heads out, or give both files in {names}"
                raise InputError(f"has no dependencies to find heads in: it is {row.name}", path=path, hint=hint)
            if by_upos and not row.layers.has_upos:
                hint = "give CorefUD files, or in Python a predicate"
                message = f"has no UPOS to tell anaphors ({self.anaphors}) by: it is {row.name}"
                raise InputError(message, path=path, hint=hint)
            if of_nodes and not row.layers.has_empty_nodes:
                names = " or ".join(other.name for other in FORMATS.values() if other.layers.has_empty_nodes)
                hint = f"leave {of_nodes} out, or give both files in {names}"
                raise InputError(
                    f"has no empty nodes, which {of_nodes} counts: it is {row.name}", path=path, hint=hint
                )

    def selected(self, pair: Pair) -> Pair:
        """Both documents with the heads that were asked for, the mentions that count, and what is to be resolved."""
        return Pair(*(side.both(self._selected) for side in pair))

    def _selected(self, document: Document) -> Document:
        if self.options.heads:
            document = with_tree_heads(document)
        if self.where:
            document = restricted(document, self.where)
        if self.anaphors:
            chosen = ANAPHORS[self.anaphors].chosen if isinstance(self.anaphors, str) else self.anaphors
            document = document._replace(anaphors=chosen)
        return document

    @property
    def has_predicate(self) -> bool:
        """Whether a function of the caller's takes part, which another process may not know."""
        return callable(self.where) or callable(self.anaphors)


class Opened(NamedTuple):
    """Responses to one key on their way through memory."""

    request: Request
    """Nothing is left open in it."""
    asked: Request
    """The same as it was made."""
    corpora: Sequence[Corpus]
    rows: Iterator[Pairs]
    """A pair of each corpus at a time; that of the baseline comes last."""
    others: Sequence[Chunk] = ()
    """What other processes read."""
    baseline: Corpus | None = None
    """The file that scores are measured from, if one is."""


def _resumed(first: list[Pairs], rows: Iterator[Pairs]) -> Iterator[Pairs]:
    while first:
        yield first.pop()  # nothing keeps it while the next ones are read
    yield from rows


def split(arguments: Mapping[str, Any], names: Iterable[str]) -> tuple[dict[str, Any], RequestArguments]:
    """The arguments of these names that are not None, and all others.

    >>> split({"seed": 3, "level": None, "match": "head"}, ("seed", "level"))
    ({'seed': 3}, {'match': 'head'})
    """
    own = {name: arguments[name] for name in names if arguments.get(name) is not None}
    others = {name: value for name, value in arguments.items() if name not in names}
    return own, cast("RequestArguments", others)


def check_baseline(baseline: str, choices: Iterable[str] = BASELINES) -> None:
    """Refuse a baseline that is neither one of the choices nor a file; names are suggested."""
    if baseline in choices or exists(baseline):
        return
    if re.fullmatch(OF_FILE, baseline):
        digest = baseline.partition("-")[2]
        raise OptionError(f"scores were measured from a file (SHA-256 {digest}…): say where it is, --baseline FILE")
    raise OptionError(f"{OptionError.unknown('baseline', [baseline], choices)}, or name a file: there is no such one")


def _name(where: Where | None, taken: Iterable[str] = ()) -> str:
    """What signatures call a predicate: never as what is not one."""
    name = "" if where is None else re.sub(r"[^\w.-]", "", getattr(where, "__name__", "")) or "custom"
    return "custom" if name in taken else name
