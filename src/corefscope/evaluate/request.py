"""One request: what decides a score besides the files.

Every entry point takes the same keyword arguments, makes a :class:`Request` of them, and asks it for everything else:
the options, the metrics, the files in step, the documents as they are to be scored.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypedDict, cast

from ..base.document import Document, Mention
from ..base.errors import OptionError, Warnings
from ..count.metrics import select
from ..match.transform import restricted
from ..read.corpus import Corpus, in_step
from ..read.joining import grouping, joined, joined_how
from ..read.pairs import Pair, Pairs
from .options import CHOICES, DEFAULTS, Options
from .presets import PRESETS

if TYPE_CHECKING:
    from typing_extensions import Unpack

Path = str | os.PathLike[str]
Progress = Callable[[int, int, str], None]
"""Called before each step with its number, the number of steps, and what comes: the id of a document, say."""
Where = Callable[[Document, Mention], bool]
"""Whether a mention of a document is to be scored."""


class RequestArguments(TypedDict, total=False):
    """The keyword arguments of every entry point that makes a score, as :func:`~corefscope.score` explains them.

    None leaves an argument open.
    """

    preset: str | None
    match: str | None
    zeros: str | None
    singletons: str | None
    rules: str | None
    metrics: str | Sequence[str] | None
    key_format: str | None
    response_format: str | None
    documents: str | None
    topic: str | None
    baseline: str | None
    words: str | None
    where: Where | None
    digests: bool


class Request:
    """What decides a score, nothing left open.

    >>> request = Request({"preset": "crac22", "singletons": "keep", "metrics": "muc,lea"})
    >>> str(request.options), request.metrics
    ('corefud|match:partial|zeros:linear|singletons:keep|rules:corefud-1.2', ('muc', 'lea'))
    """

    __slots__ = ("arguments", "digests", "formats", "group", "metrics", "options", "where")

    def __init__(
        self, arguments: RequestArguments, *, base: Options = DEFAULTS, metrics: str | Sequence[str] = "corefud"
    ) -> None:
        """``base`` and ``metrics`` hold unless an argument, or a preset among them, says otherwise."""
        check_names(arguments, RequestArguments.__annotations__)
        self.arguments = arguments
        preset, names = arguments.get("preset"), arguments.get("metrics")
        if preset:
            if preset not in PRESETS:
                raise OptionError.unknown("preset", [str(preset)], PRESETS)
            base, metrics = PRESETS[preset].options, PRESETS[preset].metrics
        self.metrics = select(metrics if names is None else names)
        self.formats = arguments.get("key_format"), arguments.get("response_format")
        self.where = arguments.get("where")
        self.digests = bool(arguments.get("digests"))
        documents, topic = arguments.get("documents") or "apart", arguments.get("topic")
        words = arguments.get("words") or "compare"
        self.group = grouping(documents, topic)
        """What a document is joined under, by its id; None if documents stay apart."""
        chosen = {name: value for name in CHOICES if (value := cast("str | None", arguments.get(name))) is not None}
        self.options = base._replace(
            **chosen,
            baseline=arguments.get("baseline") or "",
            subset=_name(self.where),
            documents=joined_how(documents, topic),
            words="" if words == "compare" else words,
        ).checked()

    def replaced(self, **changes: Unpack[RequestArguments]) -> Request:
        """The same request with other arguments in their place."""
        return Request({**self.arguments, **changes}, base=self.options, metrics=self.metrics)

    def refuse(self, **reasons: str) -> None:
        """Raise OptionError if the request has an argument that cannot be used here; the reason says why."""
        for name, reason in reasons.items():
            if self.arguments.get(name) not in (None, "", "apart", "compare", False):
                raise OptionError(f"{name} cannot be used here: {reason}")

    def corpus(self, key: Path, response: Path, warnings: Warnings) -> Corpus:
        """The files of both sides; they are opened when reading begins."""
        return Corpus(
            key, response, warnings, *self.formats, digests=self.digests, words=self.options.words or "compare"
        )

    def pairs(self, corpus: Corpus) -> Iterator[Pair]:
        """The pairs of documents as they are to be scored: joined, and restricted to the mentions that count."""
        for (pair,) in self.rows([corpus]):
            assert pair is not None
            yield pair
            del pair  # or it would be kept while the next document is read

    def rows(self, corpora: Sequence[Corpus], progress: Progress | None = None) -> Iterator[Pairs]:
        """The same for several responses to one key, which is read once: a pair of each, or None, at a time."""
        rows = in_step(corpora)
        for row in joined(rows, self.group) if self.group else rows:
            if progress:
                progress(*corpora[0].progress, next(pair.key.id for pair in row if pair))
            yield tuple([self.selected(pair) if pair else None for pair in row])
            del row  # or its documents would be kept while the next ones are read

    def selected(self, pair: Pair) -> Pair:
        """Both documents with the mentions that count."""
        where = self.where
        return Pair(*(side.both(lambda document: restricted(document, where)) for side in pair)) if where else pair


def check_names(arguments: Iterable[str], names: Iterable[str]) -> None:
    """Complain about keyword arguments that do not exist, as Python does."""
    for name in arguments:
        if name not in names:
            from difflib import get_close_matches

            near = get_close_matches(name, list(names), 1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise TypeError(f"unexpected keyword argument {name!r}{hint}")


def split(arguments: Mapping[str, Any], names: Iterable[str]) -> tuple[dict[str, Any], RequestArguments]:
    """The arguments of these names that are not None, and all others.

    >>> split({"seed": 3, "level": None, "match": "head"}, ("seed", "level"))
    ({'seed': 3}, {'match': 'head'})
    """
    own = {name: arguments[name] for name in names if arguments.get(name) is not None}
    others = {name: value for name, value in arguments.items() if name not in names}
    return own, cast("RequestArguments", others)


def _name(where: Where | None) -> str:
    """What signatures call a predicate."""
    return "" if where is None else re.sub(r"[^\w.-]", "", getattr(where, "__name__", "")) or "custom"
