"""Clusters of ids as JSON, without words: ``{document: clusters}``, or the clusters of one document.

Clusters are an array of clusters or an object ``{entity: cluster}``; a cluster is an array of ids, which are strings,
numbers, or arrays of these such as ``[first, last]``. Documents may also be objects that have their clusters in
``clusters`` (and ``predicted_clusters``, which a response is read from) and perhaps a name, in an array or one after
the other. Documents are sorted by name, since the members of objects have no order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import NamedTuple, NoReturn

from ...core.document import Document
from ...core.errors import InputError, Warnings
from ..jsonl.fields import CLUSTER_FIELDS, NAME_FIELDS, NO_KEY, PREDICTED, READ_PREDICTED, WORD_FIELDS, document_name
from ..jsonl.json_text import JsonError, line_at, locate, shortened, values
from ..jsonl.reader import LOOKS_LIKE as JSONL_LOOKS_LIKE
from ..source import Source
from .rows import IdError, id_position, ids_document

LOOKS_LIKE = rf"(?!{JSONL_LOOKS_LIKE})\s{{0,99}}[\[{{]"
"""JSON that does not look like jsonlines."""
HINT = "clusters are arrays of arrays of ids, or objects {entity: [id, …]}"

MENTION_SIZE = 600
"""Bytes that an id takes as a mention."""

Steps = tuple[str | int, ...]


class _Clusters(NamedTuple):
    """The clusters of a document, and the steps that lead to them from a value of the file."""

    name: str
    clusters: object
    start: int
    steps: Steps


class ClustersReader:
    """The documents of one file; mentions are ids, and have no words."""

    starts: Sequence[int] = ()  # it is read as a whole

    def __init__(self, source: Source, warnings: Warnings, side: str = "key") -> None:
        self.source = source
        self.has_heads = True  # an id has no words to choose a head from
        self._side, self._warnings = side, warnings
        self._documents: list[_Clusters] = []
        source.check_memory(source.start, source.size, item=MENTION_SIZE)
        text = self._text()
        try:
            for value in values(text):
                self._add(value.value, value.start, ())
        except JsonError as fault:
            source.refuse(fault.message, HINT, line_at(text, fault.offset))
        if not self._documents:
            source.refuse("holds no document", HINT)
        self._documents.sort(key=lambda document: document.name)
        self.names: list[str] = [document.name for document in self._documents]
        for index, (name, next_name) in enumerate(pairwise(self.names), 1):
            if name == next_name:
                source.refuse(f"document {name!r} comes twice", "merge the two", self.line_of_document(index))

    def line_of_document(self, index: int) -> int:
        """The line of the file on which the clusters of a document begin."""
        return self._line(*self._documents[index][2:])

    def __iter__(self) -> Iterator[Document]:
        for document in self._documents:
            clusters = document.clusters
            if isinstance(clusters, list):
                named = [(str(index), cluster) for index, cluster in enumerate(clusters)]
            elif isinstance(clusters, dict):
                named = list(clusters.items())
                self._check_names(clusters, document)
            else:
                message = f"{shortened(clusters)} is no clusters of document {document.name!r}"
                self._refuse(document.start, document.steps, message, HINT)
            try:
                if all(type(cluster) is list and cluster for _, cluster in named):
                    local = isinstance(clusters, list)
                    yield ids_document(document.name, named, self.source.name, local_ids=local)
                    continue
            except IdError:
                pass
            self._refuse_clusters(document, named)

    def _add(self, value: object, start: int, steps: Steps) -> None:
        """Add the documents of one value of the file."""
        if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
            for index, item in enumerate(value):
                self._add(item, start, (*steps, index))
        elif isinstance(value, list):
            self._documents.append(_Clusters(f"#{len(self._documents) + 1}", value, start, steps))
        elif isinstance(value, dict):
            words = [name for name in WORD_FIELDS if name in value]
            if words and any(name in value for name in CLUSTER_FIELDS):
                message = f"the document has words, in {words[0]}: this is jsonlines, not clusters of ids"
                self._refuse(start, steps, message, "name the format: jsonl")
            if field := _own_clusters(value, self._side):
                self._add_document(value, field, start, steps)
            else:
                self._check_names(value, _Clusters("", value, start, steps))
                self._documents += [
                    _Clusters(name, clusters, start, (*steps, name)) for name, clusters in value.items()
                ]
        else:
            self._refuse(start, steps, f"{shortened(value)} is no clusters", HINT)

    def _check_names(self, names: Iterable[str], within: _Clusters) -> None:
        """Refuse names of documents and entities that cannot be written again."""
        for name in names:
            if fault := _fault(name):
                self._refuse(within.start, within.steps, fault, "names of documents and entities are text, too")

    def _add_document(self, value: dict[str, object], field: str, start: int, steps: Steps) -> None:
        if field == PREDICTED and self._side == "key":
            hint = "the key is read from clusters; is this file the response?"
            self._refuse(start, (*steps, field), f"the document {NO_KEY}", hint, "no-key")
        try:
            name = document_name(value, len(self._documents) + 1)
        except InputError as error:
            self._refuse(start, steps, error.message, error.hint)
        steps = (*steps, field)
        self._documents.append(_Clusters(name, value[field], start, steps))
        if field == PREDICTED:
            self._warnings.add("predicted", self.source.name, partial(self._line, start, steps), READ_PREDICTED)

    def _refuse_clusters(self, document: _Clusters, named: list[tuple[str, object]]) -> NoReturn:
        """Refuse the first cluster or id that is malformed."""
        by_index = isinstance(document.clusters, list)
        for index, (entity, cluster) in enumerate(named):
            steps: Steps = (*document.steps, index if by_index else entity)
            if not isinstance(cluster, list):
                message = f"{shortened(cluster)} is no cluster of document {document.name!r}"
                self._refuse(document.start, steps, message, HINT)
            if not cluster:
                message = f"a cluster of document {document.name!r} is empty"
                self._refuse(document.start, steps, message, "leave it out")
            for step, id_ in enumerate(cluster):
                if fault := _fault(id_):
                    hint = "several documents are {document: clusters}"
                    self._refuse(document.start, (*steps, step), fault, hint)
        raise AssertionError("clusters were refused but nothing is wrong with them")

    def _line(self, start: int, steps: Steps) -> int:
        text = self._text()
        return line_at(text, locate(text, start, steps))

    def _text(self) -> str:
        return self.source.text(self.source.start, self.source.size)

    def _refuse(self, start: int, steps: Steps, message: str, hint: str, code: str = "refused") -> NoReturn:
        self.source.refuse(message, hint, self._line(start, steps), code)


def _fault(id_: object) -> str:
    """Message about an id that is malformed, or empty."""
    try:
        id_position(id_)
    except IdError as error:
        return str(error)
    return ""


def _own_clusters(value: dict[str, object], side: str) -> str:
    """The field of clusters of an object that is one document; empty if its members are documents."""
    if not value.keys() <= {"clusters", PREDICTED, "part_id", *NAME_FIELDS}:
        return ""
    if side == "response" and value.get(PREDICTED) is not None:
        return PREDICTED
    return "clusters" if "clusters" in value else PREDICTED if PREDICTED in value else ""
