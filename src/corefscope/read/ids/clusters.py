"""Clusters of ids as JSON, without words: ``{document: clusters}``, or the clusters of one document.

Clusters are an array of clusters or an object ``{entity: cluster}``; a cluster is an array of ids, which are strings,
numbers, or arrays of these such as ``[first, last]``. Documents may also be objects that have their clusters in
``clusters`` (and ``predicted_clusters``, which a response is read from) and perhaps a name, in an array or one after
the other. Documents are put in the order of their names: objects have none.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, NoReturn

from ...base.document import Document
from ...base.errors import InputError, Warnings
from ..jsonl.fields import CLUSTER_FIELDS, NAME_FIELDS, PREDICTED, document_name
from ..jsonl.json_text import JsonError, line_at, locate, shortened, values
from ..jsonl.reader import LOOKS_LIKE as JSONL_LOOKS_LIKE
from ..jsonl.words import WORD_FIELDS
from ..source import Source
from .ids import IdError, id_position, ids_document

LOOKS_LIKE = rf"(?!{JSONL_LOOKS_LIKE})\s{{0,99}}[\[{{]"
"""JSON that does not look like jsonlines."""
HINT = "clusters are arrays of arrays of ids, or objects {entity: [id, …]}"

Steps = tuple[str | int, ...]


class _Clusters(NamedTuple):
    """The clusters of a document, and how they are reached from the beginning of a value of the file."""

    name: str
    clusters: Any
    start: int
    steps: Steps


class ClustersReader:
    """The documents of one file; mentions are ids, and have no words."""

    def __init__(self, source: Source, warnings: Warnings, side: str = "key") -> None:
        self.source = source
        self.has_heads = True  # an id has no words to choose a head from
        self._side, self._warnings = side, warnings
        self._documents: list[_Clusters] = []
        text = self._text()
        try:
            for value in values(text):
                self._add(value.value, value.start, ())
        except JsonError as fault:
            self._fail(line_at(text, fault.at), fault.message, HINT)
        if not self._documents:
            raise InputError("holds no document", path=source.name, hint=HINT)
        self._documents.sort(key=lambda document: document.name)
        self.names = [document.name for document in self._documents]
        for at in range(1, len(self.names)):
            if self.names[at - 1] == self.names[at]:
                self._fail(self.line_of_document(at), f"document {self.names[at]!r} comes twice", "merge the two")

    def line_of_document(self, at: int) -> int:
        """The line of the file on which the clusters of a document begin."""
        return self._line(*self._documents[at][2:])

    def __iter__(self) -> Iterator[Document]:
        for document in self._documents:
            clusters = document.clusters
            if isinstance(clusters, list):
                named = [(str(at), cluster) for at, cluster in enumerate(clusters)]
            elif isinstance(clusters, dict):
                named = list(clusters.items())
            else:
                what = f"{shortened(clusters)} is no clusters of document {document.name!r}"
                self._fail_at(document.start, document.steps, what, HINT)
            try:
                if all(type(cluster) is list and cluster for _, cluster in named):
                    local = isinstance(clusters, list)
                    yield ids_document(document.name, named, self.source.name, local_ids=local)
                    continue
            except IdError:
                pass
            self._explain(document, named)

    def _add(self, value: Any, start: int, steps: Steps) -> None:
        """The documents of one value of the file."""
        if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
            for at, item in enumerate(value):
                self._add(item, start, (*steps, at))
        elif isinstance(value, list):
            self._documents.append(_Clusters(f"#{len(self._documents) + 1}", value, start, steps))
        elif isinstance(value, dict):
            self._refuse_words(value, start, steps)
            if field := _own_clusters(value, self._side):
                self._add_one(value, field, start, steps)
            else:
                self._documents += [
                    _Clusters(name, clusters, start, (*steps, name)) for name, clusters in value.items()
                ]
        else:
            self._fail_at(start, steps, f"{shortened(value)} is no clusters", HINT)

    def _add_one(self, value: dict[str, Any], field: str, start: int, steps: Steps) -> None:
        def fail(message: str, hint: str, code: str = "refused") -> NoReturn:  # noqa: ARG001
            self._fail_at(start, steps, message, hint)

        name = document_name(value, len(self._documents) + 1, fail)
        document = _Clusters(name, value[field], start, (*steps, field))
        self._documents.append(document)
        if field == PREDICTED and not self._warnings.again("predicted", self.source.name):
            message = f"the response is read from {PREDICTED}, not from clusters"
            self._warnings.add("predicted", self.source.name, self._line(start, document.steps), message)

    def _refuse_words(self, value: dict[str, Any], start: int, steps: Steps) -> None:
        words = [name for name in WORD_FIELDS if name in value]
        if words and any(name in value for name in CLUSTER_FIELDS):
            what = f"the document has words, in {words[0]}: this is jsonlines, not clusters of ids"
            self._fail_at(start, steps, what, "name the format: jsonl")

    def _explain(self, document: _Clusters, named: list[tuple[str, Any]]) -> NoReturn:
        """Say which cluster or id is wrong, and where it stands."""
        by_number = isinstance(document.clusters, list)
        for at, (entity, cluster) in enumerate(named):
            here: Steps = (*document.steps, at if by_number else entity)
            if not isinstance(cluster, list):
                what = f"{shortened(cluster)} is no cluster of document {document.name!r}"
                self._fail_at(document.start, here, what, HINT)
            if not cluster:
                self._fail_at(
                    document.start, here, f"a cluster of document {document.name!r} is empty", "leave it out"
                )
            for number, id_ in enumerate(cluster):
                if fault := _fault(id_):
                    self._fail_at(
                        document.start, (*here, number), fault, "several documents are {document: clusters}"
                    )
        raise AssertionError("clusters were refused but nothing is wrong with them")

    def _line(self, start: int, steps: Steps) -> int:
        text = self._text()
        return line_at(text, locate(text, start, steps))

    def _text(self) -> str:
        return self.source.text(self.source.start, self.source.size)

    def _fail_at(self, start: int, steps: Steps, message: str, hint: str) -> NoReturn:
        self._fail(self._line(start, steps), message, hint)

    def _fail(self, line: int, message: str, hint: str) -> NoReturn:
        raise InputError(message, path=self.source.name, line=line, hint=hint)


def _fault(id_: object) -> str:
    """What is wrong with an id, or nothing."""
    try:
        id_position(id_)
    except IdError as error:
        return str(error)
    return ""


def _own_clusters(value: dict[str, Any], side: str) -> str:
    """The field of clusters of an object that is one document; nothing if its fields are documents."""
    if not value.keys() <= {"clusters", PREDICTED, "part_id", *NAME_FIELDS}:
        return ""
    if side == "response" and value.get(PREDICTED) is not None:
        return PREDICTED
    return "clusters" if "clusters" in value else ""
