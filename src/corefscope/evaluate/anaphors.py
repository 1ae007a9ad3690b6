"""What is to be resolved: the mentions that metrics of anaphora take for anaphors, by name or by a predicate."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ..base.document import Document
from ..base.mention import Mention

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
    from ..base.mention_type import mention_type  # most scores need no types

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
