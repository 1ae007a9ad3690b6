"""The kinds of errors as the page shows them: what they are, and how they look."""

from __future__ import annotations

from collections.abc import Set

from ....study.faults.taxonomy import KINDS, RELATION_KINDS, ZERO_KINDS
from .chains import DEIXIS, Plain

KIND_NAMES = (*KINDS, *ZERO_KINDS, *RELATION_KINDS)
"""A kind is its place here."""
LOOKS = {"missing": "k-missing", "extra": "k-extra"}
HELP = {
    "span": "The mention was found, but with other words, or with another head.",
    "missing_mention": "A mention of the key that the response does not have, though it has others of the entity.",
    "extra_mention": "A mention of the response that is not in the key, in an entity of which others are.",
    "missing_entity": "No mention of this key entity was found.",
    "extra_entity": "No mention of this response entity is in the key.",
    "conflated": "Mentions of one key entity stand in a response entity that mostly belongs to another.",
    "divided": "Mentions of one key entity stand in another response entity than most of it.",
    "missing_zero": "A zero of the key that the response does not have, though it has others of the entity.",
    "extra_zero": "A zero of the response that is not in the key, in an entity of which other mentions are.",
    "misattached_zero": "The zero was found, but at another place or with another parent or relation.",
    "missing_bridging": "A bridging anaphor of the key that is none in the response.",
    "extra_bridging": "A bridging anaphor of the response that is none in the key.",
    "wrong_entity": "A bridging anaphor of both that is linked to another entity, or has a link on one side only.",
    "wrong_anchor": "The anchor is another mention of the right entity.",
    "missing_plural": "A plural of the key that has no counterpart in the response.",
    "extra_plural": "A plural of the response that has no counterpart in the key.",
    "missing_element": "An element of the plural in the key that its counterpart does not have.",
    "extra_element": "An element of the plural in the response that its counterpart does not have.",
    "missing_non_referring": "The mention does not refer in the key, but it does in the response, or is not there.",
    "extra_non_referring": "The mention does not refer in the response, but it does in the key, or is not there.",
}
"""What each kind is, in a sentence; those of discourse deixis are told from those of identity."""


def help_of(kind: str) -> str:
    """What an error of a kind is."""
    of_layer = kind.removeprefix(f"{DEIXIS}_")
    return HELP[kind] if kind == of_layer else f"In discourse deixis: {HELP[of_layer]}"


def look_of(kind: str) -> str:
    """The class of style of a kind: its own in identity, and in deixis the same; else by what it begins with.

    >>> look_of("span"), look_of("deixis_span"), look_of("missing_bridging"), look_of("wrong_anchor")
    ('k0', 'k0', 'k-missing', 'k-wrong')
    """
    of_layer = kind.removeprefix(f"{DEIXIS}_")
    if of_layer not in RELATION_KINDS:
        return f"k{KIND_NAMES.index(of_layer)}"
    return LOOKS.get(of_layer.partition("_")[0], "k-wrong")


def kinds_of_page(made: Set[str], relations: bool, identity: bool) -> list[Plain]:
    """All kinds, those of relations only if there are ``relations``; and which of them filters and legend show.

    Those of zeros and of relations are shown if such errors are ``made``, those of identity if it is scored.
    """
    classes = {**{name: (title, name) for name, title in KINDS.items()}, **ZERO_KINDS}
    zeros = not made.isdisjoint(ZERO_KINDS)
    rows = [
        {
            "name": name,
            "title": title,
            "help": HELP[name],
            "of": whole,
            "shown": identity and (zeros or name in KINDS),
        }
        for name, (title, whole) in classes.items()
    ]
    if relations:
        rows += [
            {"name": name, "title": title, "help": help_of(name), "of": name, "shown": name in made}
            | {"relation": relation, "look": look_of(name)}
            for name, (title, relation) in RELATION_KINDS.items()
        ]
    return rows
