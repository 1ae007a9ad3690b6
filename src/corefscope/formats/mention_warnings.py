"""Warnings about mentions that only one side has: none at all, none in common, or many ids unknown to the other side.

They are about a whole run, not about each document: a document without a mention is nothing unusual.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..core.errors import Warnings, amount
from ..core.format import FORMATS
from ..core.numbers import percent

if TYPE_CHECKING:
    from ..core.input import Input


NOTHING_TO_FIND = "F1 of mentions and entities is 0"
ABSENT = {"corefud": " (no Entity= in MISC)"}
"""Remark about a file without mentions, by format: CoNLL-U may have coreference in ways that are not CorefUD."""
MANY = 5
"""Ids are warned of if one in so many mentions of a side is unknown to the other."""
ARE_SAMPLED = (
    "are ids written alike? If the key is a sample: --sampled-key (score_sampled_key); to score common mentions only:"
    " keep only these in both files"
)


class SideMentions(NamedTuple):
    """The mentions of one side."""

    name: str
    """Name in messages: mostly a path."""
    read: int
    """Number of mentions."""
    scored: int
    """Number of mentions that are scored, without those of dropped entities."""
    singletons: int = 0
    """Number of singletons, if these are dropped."""
    absent: str = ""
    """Remark about its files if they have no mentions."""


def warn_of_mentions(
    warnings: Warnings, key: SideMentions, response: SideMentions, *, matched: int, ids_in_common: int | None = None
) -> None:
    """Warn if a side has no mention, if the sides have none in common, or if many ids are unknown to a side.

    ``matched`` mentions that are scored are in both. Where mentions are ids, ``ids_in_common`` of all that were read
    are in both; if more than a fifth of a side is unknown to the other, the warning has the numbers of both sides.
    """
    if not key.read:
        result = f": {NOTHING_TO_FIND}" if response.read else f", nor has {response.name}: there are none to score"
        warnings.add("no mentions", key.name, 0, f"has no mentions{key.absent}{result}")
    elif not response.read:
        message = f"has no mentions{response.absent}, but {key.name} has {key.read:,}: {NOTHING_TO_FIND}"
        warnings.add("no mentions", response.name, 0, message)
    elif alone := [side for side in (key, response) if not side.scored]:
        for side in alone:
            reason = ", since entities of one mention are dropped" if side.singletons == side.read else ""
            message = f"none of its {amount(side.read, 'mention')} is scored{reason}: {NOTHING_TO_FIND}"
            warnings.add("no mentions", side.name, 0, message)
    elif not matched:
        message = (
            f"none of its {amount(response.scored, 'mention')} is among the {key.scored:,} of {key.name}: are these"
            " the same texts, and are words, ends of spans and ids counted alike?"
        )
        warnings.add("nothing in common", response.name, 0, message)
    elif ids_in_common is not None:
        _warn_of_unknown_ids(warnings, key, response, ids_in_common)


def _warn_of_unknown_ids(warnings: Warnings, key: SideMentions, response: SideMentions, common: int) -> None:
    if all(MANY * (side.read - common) <= side.read for side in (key, response)):
        return
    message = (
        f"{_unknown(response.read, common)} are not in {key.name}, and {_unknown(key.read, common)} of {key.name} are"
        f" not here: {ARE_SAMPLED}"
    )
    warnings.add("unknown ids", response.name, 0, message)


def _unknown(read: int, common: int) -> str:
    return f"{read - common:,} of {amount(read, 'mention')} ({percent((read - common) / read, 1)} %)"


def warn_of_inputs(
    warnings: Warnings, inputs: Sequence[Input], counts: Sequence[Sequence[int]], drops_singletons: bool
) -> None:
    """Warn of mentions, as :func:`warn_of_mentions` does, in files that were read.

    ``counts`` are those of :func:`~.steps.mention_counts`, added up over all documents: one for each way in which the
    files are scored. There is no warning about what one of them finds.
    """
    key_scored, response_scored, matched, common = map(max, zip(*counts, strict=True))
    key, response = (
        SideMentions(
            "<stdin>" if side.name == "-" else side.name,
            side.mentions,
            scored,
            side.singletons * drops_singletons,
            ABSENT.get(side.format, ""),
        )
        for side, scored in zip(inputs[:2], (key_scored, response_scored), strict=True)
    )
    has_ids = not any(FORMATS[name].has_words for side in inputs[:2] for name in side.formats)
    warn_of_mentions(warnings, key, response, matched=matched, ids_in_common=common if has_ids else None)


def warnings_of_clusters(counts: Sequence[int], drops_singletons: bool) -> Warnings:
    """Warnings of :func:`warn_of_mentions` about clusters in memory, from the counts of a ``Scorer``."""
    key_read, response_read, key_scored, response_scored, matched, spans = counts
    warnings = Warnings()
    key = SideMentions("the key", key_read, key_scored, key_read * drops_singletons)
    response = SideMentions("the response", response_read, response_scored, response_read * drops_singletons)
    common = None if spans or drops_singletons else matched
    warn_of_mentions(warnings, key, response, matched=matched, ids_in_common=common)
    return warnings
