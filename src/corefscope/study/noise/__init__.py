"""Controlled noise: from a key (or a response) to responses that are wrong in one known way, to a known degree.

A kind of noise turns a document into another. It is drawn from a seed, the kind and the id of the document alone, and
it is nested: 30 % makes all changes that 20 % makes, and more. 0 % changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from numbers import Integral
from typing import NamedTuple

from ...base.document import Document
from ...base.errors import InputError, OptionError, Warnings
from ...base.naming import check_values, listed_names
from ...match.alignment import NONE, Alignment
from .changes import Changes, Draws, NoisePlan
from .entities import merge, split
from .mentions import boundary, drop, dropping, head, spurious, spurious_singletons
from .relations import (
    bridging_add,
    bridging_anchor,
    bridging_drop,
    element_add,
    element_drop,
    non_referring_add,
    non_referring_drop,
)
from .zeros import zero_add, zero_drop, zero_misattach

LEVELS = tuple(range(0, 101, 10))
"""In percent, as in Figures 1 and 2 of Cai and Strube (2010)."""


class Perturbation(NamedTuple):
    """One row of the catalogue."""

    name: str
    title: str
    of: str
    """What 100 % is."""
    changes: Callable[[Document, Draws], Changes] | None
    """What it does to a document; None if it drops the twinless mentions of a response, which only a key can tell."""


PERTURBATIONS: dict[str, Perturbation] = {
    row.name: row
    for row in (
        Perturbation("drop", "mentions are left out", "all mentions", drop),
        Perturbation(
            "spurious", "words that are no mention join entities", "as many as there are mentions", spurious
        ),
        Perturbation(
            "spurious-singletons",
            "words that are no mention become entities of their own",
            "as many as there are mentions",
            spurious_singletons,
        ),
        Perturbation("merge", "entities of two mentions or more are merged", "one entity left", merge),
        Perturbation("split", "links within entities are cut", "every mention alone", split),
        Perturbation(
            "boundary",
            "mentions get a word too many or too few",
            "all mentions but zeros and discontinuous ones",
            boundary,
        ),
        Perturbation("head", "mentions get the wrong head", "all mentions of several words", head),
        Perturbation("zero-drop", "zeros are left out", "all zeros", zero_drop),
        Perturbation("zero-add", "zeros that are none join entities", "as many as there are zeros", zero_add),
        Perturbation("zero-misattach", "zeros depend on another word", "all zeros", zero_misattach),
        Perturbation("bridging-drop", "bridging links are left out", "all bridging links", bridging_drop),
        Perturbation(
            "bridging-add",
            "mentions become bridging anaphors of another entity",
            "as many as there are bridging links",
            bridging_add,
        ),
        Perturbation(
            "bridging-anchor", "bridging links lead to another entity", "all bridging links", bridging_anchor
        ),
        Perturbation("element-drop", "plurals lose elements", "all elements of plurals", element_drop),
        Perturbation(
            "element-add", "entities become elements of plurals", "as many as there are elements", element_add
        ),
        Perturbation(
            "non-referring-drop",
            "expressions that do not refer join entities",
            "all that do not refer",
            non_referring_drop,
        ),
        Perturbation(
            "non-referring-add",
            "mentions cease to refer",
            "as many as there are that do not refer",
            non_referring_add,
        ),
        Perturbation("twinless", "mentions that the key lacks are left out", "all mentions that the key lacks", None),
    )
}


OF_KEYS = tuple(name for name, row in PERTURBATIONS.items() if row.changes)
"""The kinds that need nothing but a document."""


def plan(document: Document, kind: str, seed: int = 0, alignment: Alignment | None = None) -> NoisePlan:
    """What noise of a kind does to a document, level by level; if it is a response, with how it is aligned."""
    draws = Draws(seed, kind, document.id, {mention.head for mention in alignment.key.mentions} if alignment else ())
    rounding = draws.below(100)
    make = PERTURBATIONS[kind].changes
    if make:
        return NoisePlan(document, make(document, draws), rounding)
    if alignment is None:
        raise OptionError(f"{kind} needs a response and its key: corefscope curves KEY --response RESPONSE")
    twins = zip(alignment.response.mentions, alignment.to_key, strict=True)
    twinless = [mention for mention, twin in twins if twin == NONE]
    return NoisePlan(document, dropping(document, twinless, draws), rounding)


def perturb(document: Document, kind: str, level: int, seed: int = 0) -> Document:
    """The document with ``level`` percent of a kind of noise."""
    check_values({"seed": seed})
    check_levels([level])
    return plan(document, select([kind])[0], seed).at(level)


def select(kinds: str | Iterable[str]) -> tuple[str, ...]:
    """The kinds that are named, once each.

    >>> select("merge,drop")
    ('merge', 'drop')
    """
    names = tuple(dict.fromkeys(name.strip().lower() for name in listed_names("kinds", kinds)))
    unknown = [name for name in names if name not in PERTURBATIONS]
    if unknown or not names:
        raise OptionError.unknown("kind of noise", unknown or [""], PERTURBATIONS)
    return names


def check_levels(levels: Iterable[int]) -> tuple[int, ...]:
    """Levels in order, once they are known to be percentages."""
    listed = list(levels) if isinstance(levels, Iterable) else [None]
    if any(not isinstance(level, Integral) or isinstance(level, bool) for level in listed):
        raise OptionError(f"levels are percentages, integers from 0 to 100, not {levels!r:.60}")
    ordered = tuple(sorted(set(listed)))
    wrong = [level for level in ordered if not 0 <= level <= 100]
    if wrong or not ordered:
        raise OptionError(f"levels are percentages from 0 to 100, not {', '.join(map(str, wrong)) or 'nothing'}")
    return ordered


def with_something_to_change(totals: Mapping[str, int], named: bool, path: str, warnings: Warnings) -> list[str]:
    """The kinds that change anything; of those that were named, others are worth a word."""
    changing = [kind for kind, total in totals.items() if total]
    lacking = [kind for kind in totals if kind not in changing]
    if not changing:
        raise InputError(f"has nothing that {' or '.join(lacking)} could change", path=path)
    if lacking and named:
        warnings.add("noise", path, 0, f"has nothing that {' or '.join(lacking)} could change: left out")
    return changing
