"""The relations of a document for the page: what is linked to what, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...base.annotations import Any
from ...base.document import Document, Relation
from ...base.mention import Mention
from ...count.relations.elements import anchor_of
from ...study.faults.examine import Findings
from ...study.faults.taxonomy import TITLES, Fault
from .nodes import NumberedNodes


def relation_data(findings: Findings, nodes: NumberedNodes, response: int) -> dict[str, Any]:
    """Under ``r`` the relations of the key and of a response, by its number as a side; nothing if there are none."""
    documents = findings.key.document, findings.response.document
    if not any(document.relations for document in documents):
        return {}
    faults = findings.relation_faults
    wrong = [(f, f.key, f.key_targets) for f in faults], [(f, f.response, f.response_targets) for f in faults]
    sides = zip(documents, wrong, (0, response), strict=True)
    return {"r": [[_row(*row, of_side, nodes, side) for row in _links(d)] for d, of_side, side in sides]}


def _links(document: Document) -> Iterator[tuple[Relation, Mention, list[Mention]]]:
    """Each relation by one mention of the anaphor and of each target; what does not refer, mention by mention."""
    for relation in document.relations:
        if relation.kind == "bridging":
            yield relation, relation.anaphor[0], [anchor_of(relation)]
        elif relation.targets:
            yield relation, relation.anaphor[0], [element[0] for element in relation.targets]
        else:
            yield from ((relation, mention, []) for mention in relation.anaphor)


def _row(
    relation: Relation,
    anaphor: Mention,
    targets: list[Mention],
    wrong: Sequence[tuple[Fault, Sequence[Mention], Sequence[Mention]]],
    nodes: NumberedNodes,
    side: int,
) -> list[Any]:
    """Kind, label, words of the anaphor and of targets, and what is wrong."""
    titles = [
        TITLES[fault.kind]
        for fault, anaphors, about in wrong
        if fault.relation == relation.kind
        and anaphor in anaphors
        and (relation.kind != "bridging" or targets[0] in about)
    ]
    label = relation.label if targets else ""  # of what does not refer, it is the name of an entity
    runs = [nodes.runs(mention, side) for mention in (anaphor, *targets)]
    return [relation.kind, label, runs[0], runs[1:], list(dict.fromkeys(titles))]
