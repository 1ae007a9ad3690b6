"""The layers of a document: identity, discourse deixis, and mentions that only a relation needs."""

from __future__ import annotations

from collections.abc import Iterable

from ...base.annotations import Any
from ...base.document import Document
from ...base.record import Record
from ...evaluate.options import Options
from ...evaluate.rules import RULES
from ...evaluate.steps import align, read_differently
from ...match.alignment import Alignment
from ...study.faults.annotated import Annotated
from ...study.faults.examine import Findings
from ...study.faults.pairing import Pairing
from ...study.faults.taxonomy import Fault

IDENTITY = ""
DEIXIS = "deixis"
NON_REFERRING = "non-referring"
UNSCORED = "unscored"
"""What identity does not score but a relation needs, such as a singleton that is an anchor."""
EMPTY = Document("", ())


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


class PairedSides(Record):
    """Both sides of a layer, aligned as identity is."""

    key: Annotated
    response: Annotated
    alignment: Alignment
    pairing: Pairing


def deixis_of(findings: Findings, options: Options) -> PairedSides | None:
    """The layer of discourse deixis, in which singletons count; None if neither side has it."""
    documents = findings.key.document, findings.response.document
    if read_differently(*documents):
        documents = RULES[options.rules].read(documents[0]), RULES[options.rules].read(documents[1])
    if not any(document.deixis for document in documents):
        return None
    key, response = (document.deixis or EMPTY for document in documents)
    alignment = align(key, response, options._replace(singletons="keep"))
    sides = Annotated(key, alignment.key), Annotated(response, alignment.response)
    return PairedSides(*sides, alignment, Pairing(alignment, 1))


class Compared(Record):
    """A document of the key and of a response, and what the page shows of it."""

    findings: Findings
    deixis: PairedSides | None
    faults: list[Fault]
    """Of identity and of relations, in the order of the text."""

    def layers(self) -> list[tuple[str, PairedSides]]:
        """Identity, then deixis if there is any."""
        found = self.findings
        identity = PairedSides(found.key, found.response, found.alignment, found.pairing)
        return [(IDENTITY, identity), *([(DEIXIS, self.deixis)] if self.deixis else [])]


def compare(findings: Findings, options: Options, identity: bool) -> Compared:
    """What is shown of a document; faults of ``identity`` only if it is scored."""
    faults = [*(findings.faults if identity else ()), *findings.relation_faults]
    if findings.relation_faults:
        faults.sort(key=lambda fault: (fault.key or fault.response)[0].first)
    return Compared(findings, deixis_of(findings, options), faults)
