"""From two documents to an alignment: what the options and rules say about repeats, singletons and pairs."""

from __future__ import annotations

from functools import partial
from itertools import chain

from ..base.document import Document
from ..base.errors import Warnings
from ..match.alignment import Alignment, Side
from ..match.matchers import MATCHERS
from ..match.transform import SAME_WORDS, Identity, without_singletons
from .options import Options
from .rules import RULES, RuleSet


def align(key: Document, response: Document, options: Options, warnings: Warnings | None = None) -> Alignment:
    """Prepare two documents as the options say, and pair their mentions."""
    rules, matcher = RULES[options.rules], MATCHERS[options.match]
    given = key, response
    if odd_positions(key, response):
        key, response = rules.odd_positions(key), rules.odd_positions(response)
    sides: list[Side] = []
    for document, as_given in zip((key, response), given, strict=True):
        side, repeats = _prepare(document, options, rules, matcher.identity)
        sides.append(side)
        if repeats and warnings is not None:
            _warn_of_repeats(without_singletons(as_given) if options.singletons == "drop" else as_given, warnings)
    return pair(sides[0], sides[1], options)


def pair(key: Side, response: Side, options: Options) -> Alignment:
    """Pair the mentions of two sides that are prepared."""
    find = MATCHERS[options.match].find
    return RULES[options.rules].align(key, response, find, zeros_first=options.zeros == "dependent")


def odd_positions(key: Document, response: Document) -> bool:
    """Whether rule sets may disagree about where the words of mentions are."""
    return any(document.largest_minor >= 10 or document.repeats_words for document in (key, response))


def _prepare(document: Document, options: Options, rules: RuleSet, identity: Identity) -> tuple[Side, bool]:
    """Remove repeats and singletons; whether there were repeats. Only then more than one look is needed."""
    dropped = without_singletons(document) if options.singletons == "drop" else document
    side = _side(dropped, identity)
    if not side.repeats:
        return side, False
    document = rules.repeated(document, identity)
    if options.singletons == "drop":
        document = without_singletons(document)
    return _side(document, identity), True


def _side(document: Document, identity: Identity) -> Side:
    return Side(document.entities, list(map(identity, chain.from_iterable(document.entities))))


def _warn_of_repeats(document: Document, warnings: Warnings) -> None:
    entity_of: dict[tuple[int, ...], int] = {}
    for i, entity in enumerate(document.entities):
        for mention in entity:
            words = SAME_WORDS(mention)
            if entity_of.setdefault(words, i) != i:
                names = document.entity_ids
                first, second = (names[at] if names else str(at) for at in (entity_of[words], i))
                message = f"the same span stands in two entities, {first!r} and {second!r}"
                warnings.add("two entities", document.path, partial(document.line_of, words[0]), message)
