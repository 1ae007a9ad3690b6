"""What is wrong with discourse deixis: the errors of identity, and of plurals, over a layer of its own.

The layer is a document over the same words. It is aligned, paired and compared as identity is, with singletons; each
kind of error has the name that it has there, after ``deixis_``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ...base.document import Document
from ...evaluate.options import Options
from ...evaluate.steps import align, relations_of
from ...match.alignment import Alignment
from .annotated import Annotated
from .pairing import Pairing
from .relations import list_plural_faults
from .taxonomy import DEIXIS, Fault, list_faults


class Layer(NamedTuple):
    """The deixis of a pair of documents, and what is wrong with that of the response."""

    key: Annotated
    response: Annotated
    alignment: Alignment
    pairing: Pairing
    faults: list[Fault]


def examined_deixis(key: Document, response: Document, options: Options) -> Layer | None:
    """The layer of two documents; None if neither has it."""
    if not (key.deixis or response.deixis):
        return None
    key, response, options = key.deixis_layer, response.deixis_layer, options._replace(singletons="keep")
    alignment = align(key, response, options)
    sides, pairing = (Annotated(key, alignment.key), Annotated(response, alignment.response)), Pairing(alignment)

    def faults() -> Iterator[Fault]:
        yield from list_faults(*sides, pairing)
        if relations := relations_of(key, response, options):
            yield from list_plural_faults(*sides, relations.judged())

    return Layer(*sides, alignment, pairing, [fault._replace(kind=DEIXIS + fault.kind) for fault in faults()])
