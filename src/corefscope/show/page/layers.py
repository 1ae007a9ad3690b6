"""The layers of a document: identity, discourse deixis, and mentions that only a relation needs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from ...study.faults.deixis import Layer
from ...study.faults.examine import Findings
from ...study.faults.taxonomy import Fault

IDENTITY = ""
DEIXIS = "deixis"
NON_REFERRING = "non-referring"
UNSCORED = "unscored"
"""What identity does not score but a relation needs, such as a singleton that is an anchor."""


LAYERS = {
    IDENTITY: ("identity", "Entities that are scored as identity"),
    DEIXIS: ("deixis", "Entities of discourse deixis"),
    NON_REFERRING: ("non-referring", "Mentions that refer to nothing"),
    UNSCORED: ("unscored", "Mentions that identity does not score, but that are linked to others"),
}


def layers_in(documents: Iterable[dict[str, Any]]) -> list[tuple[str, str, str]]:
    """The layers that documents of the page have, each with its name and what is in it."""
    sides = [side for document in documents for side in (document["key"], *document["responses"])]
    found = {layer for side in sides for _, _, *layers in side["e"] for layer in layers}
    return [(layer, *said) for layer, said in LAYERS.items() if layer in (IDENTITY, *found)]


class Compared(NamedTuple):
    """A document of the key and of a response, and what the page shows of it."""

    findings: Findings
    faults: list[Fault]
    """Of identity, of relations and of deixis, in the order of the text."""

    def layers(self) -> list[tuple[str, Findings | Layer]]:
        """Identity, then deixis if there is any."""
        deixis = self.findings.deixis
        return [(IDENTITY, self.findings), *([(DEIXIS, deixis)] if deixis else [])]


def compare(findings: Findings, identity: bool) -> Compared:
    """What is shown of a document; faults of ``identity`` only if it is scored."""
    beyond = [*findings.relation_faults, *(findings.deixis.faults if findings.deixis else ())]
    faults = [*(findings.faults if identity else ()), *beyond]
    if beyond:
        faults.sort(key=lambda fault: (fault.key or fault.response)[0].first)
    return Compared(findings, faults)
