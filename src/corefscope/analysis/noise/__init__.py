"""Controlled noise: responses made from a key (or a response), wrong in one known way and to a known degree.

The random draws depend only on the seed, the kind of noise and the id of the document. Levels are nested: 30 % makes
all the changes of 20 %, and more. 0 % changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from numbers import Integral
from typing import NamedTuple

from ...core.document import Document
from ...core.errors import InputError, OptionError, Warnings
from ...core.matching.alignment import NONE, Alignment
from ...core.naming import check_values, listed_names
from . import changes, layers
from .changes import Changes, NoisePlan, RandomDraws, drop_mentions

LEVELS = tuple(range(0, 101, 10))
"""In percent, as in Figures 1 and 2 of Cai and Strube (2010)."""


class Perturbation(NamedTuple):
    """A kind of noise."""

    name: str
    title: str
    of: str
    """The changes of level 100 %."""
    changes: Callable[[Document, RandomDraws], Changes] | None
    """The changes to a document; None for ``twinless``, which needs the key."""


PERTURBATIONS: dict[str, Perturbation] = {
    row.name: row
    for row in (
        Perturbation("drop", "mentions are left out", "all mentions", changes.drop),
        Perturbation(
            "spurious", "words that are no mention join entities", "as many as there are mentions", changes.spurious
        ),
        Perturbation(
            "spurious-singletons",
            "words that are no mention become entities of their own",
            "as many as there are mentions",
            changes.spurious_singletons,
        ),
        Perturbation("merge", "entities of two mentions or more are merged", "one entity left", changes.merge),
        Perturbation("split", "links within entities are cut", "every mention alone", changes.split),
        Perturbation(
            "boundary",
            "mentions get a word too many or too few",
            "all mentions but zeros and discontinuous ones",
            changes.boundary,
        ),
        Perturbation("head", "mentions get the wrong head", "all mentions of several words", changes.head),
        Perturbation("zero-drop", "zeros are left out", "all zeros", layers.zero_drop),
        Perturbation("zero-add", "zeros that are none join entities", "as many as there are zeros", layers.zero_add),
        Perturbation("zero-misattach", "zeros depend on another word", "all zeros", layers.zero_misattach),
        Perturbation("bridging-drop", "bridging links are left out", "all bridging links", layers.bridging_drop),
        Perturbation(
            "bridging-add",
            "mentions become bridging anaphors of another entity",
            "as many as there are bridging links",
            layers.bridging_add,
        ),
        Perturbation(
            "bridging-anchor", "bridging links lead to another entity", "all bridging links", layers.bridging_anchor
        ),
        Perturbation("element-drop", "plurals lose elements", "all elements of plurals", layers.element_drop),
        Perturbation(
            "element-add", "entities become elements of plurals", "as many as there are elements", layers.element_add
        ),
        Perturbation(
            "non-referring-drop",
            "expressions that do not refer join entities",
            "all that do not refer",
            layers.non_referring_drop,
        ),
        Perturbation(
            "non-referring-add",
            "mentions cease to refer",
            "as many as there are that do not refer",
            layers.non_referring_add,
        ),
        Perturbation("twinless", "mentions that the key lacks are left out", "all mentions that the key lacks", None),
    )
}


OF_KEYS = tuple(name for name, row in PERTURBATIONS.items() if row.changes)
"""The kinds that need nothing but a document."""


def plan(document: Document, kind: str, seed: int = 0, alignment: Alignment | None = None) -> NoisePlan:
    """The changes that a kind of noise makes to a document, by level; a response comes with its alignment."""
    heads_of_key = {mention.head for mention in alignment.key.mentions} if alignment else ()
    draws = RandomDraws(seed, kind, document.id, heads_of_key)
    rounding = draws.below(100)
    make = PERTURBATIONS[kind].changes
    if make:
        return NoisePlan(document, make(document, draws), rounding)
    if alignment is None:
        raise OptionError(f"{kind} needs a response and its key: corefscope curves KEY --response RESPONSE")
    twins = zip(alignment.response.mentions, alignment.to_key, strict=True)
    twinless = [mention for mention, twin in twins if twin == NONE]
    return NoisePlan(document, drop_mentions(document, twinless, draws), rounding)


def perturb(document: Document, kind: str, level: int, seed: int = 0) -> Document:
    """The document with ``level`` percent of a kind of noise."""
    check_values({"seed": seed})
    check_levels([level])
    return plan(document, select([kind])[0], seed).at(level)


def select(kinds: str | Iterable[str]) -> tuple[str, ...]:
    """Parse and check names of kinds; each is kept once.

    >>> select("merge,drop")
    ('merge', 'drop')
    """
    names = tuple(dict.fromkeys(name.strip().lower() for name in listed_names("kinds", kinds)))
    unknown = [name for name in names if name not in PERTURBATIONS]
    if unknown or not names:
        raise OptionError.unknown("kind of noise", unknown or [""], PERTURBATIONS)
    return names


def check_levels(levels: Iterable[int]) -> tuple[int, ...]:
    """Sort levels; OptionError unless all are percentages."""
    listed = list(levels) if isinstance(levels, Iterable) else [None]
    if any(not isinstance(level, Integral) or isinstance(level, bool) for level in listed):
        raise OptionError(f"levels are percentages, integers from 0 to 100, not {levels!r:.60}")
    ordered = tuple(sorted(set(listed)))
    wrong = [level for level in ordered if not 0 <= level <= 100]
    if wrong or not ordered:
        raise OptionError(f"levels are percentages from 0 to 100, not {', '.join(map(str, wrong)) or 'nothing'}")
    return ordered


def effective_kinds(totals: Mapping[str, int], named: bool, path: str, warnings: Warnings) -> list[str]:
    """The kinds that change anything; add a warning for kinds that the user named but that change nothing."""
    changing = [kind for kind, total in totals.items() if total]
    lacking = [kind for kind in totals if kind not in changing]
    if not changing:
        raise InputError(f"has nothing that {' or '.join(lacking)} could change", path=path)
    if lacking and named:
        warnings.add("noise", path, 0, f"has nothing that {' or '.join(lacking)} could change: left out")
    return changing
