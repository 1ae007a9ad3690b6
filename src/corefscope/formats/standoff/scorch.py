"""scorch JSON: clusters of ids by name, or a graph of ids and links; the mentions have no words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NoReturn

from ...core.components import components
from ...core.document import Document
from ...core.errors import Warnings
from ..jsonl.json_text import JsonError, line_at, locate, only_value, shortened
from ..source import Source
from ..tables.rows import ONE_DOCUMENT, IdError, id_text, ids_document

HINT = (
    '{"type": "clusters", "clusters": {NAME: [ID, …]}} or {"type": "graph", "mentions": [ID, …], "links": [[ID, ID]]}'
)
Clusters = list[tuple[str, list[object]]]


class ScorchReader:
    """The one document of a file."""

    has_heads = True  # an id has no words to choose a head from
    starts: Sequence[int] = ()  # it is read as a whole

    def __init__(self, source: Source, _: Warnings, __: str) -> None:
        self.source = source
        self.names: list[str] = [ONE_DOCUMENT]
        source.check_memory(source.start, source.size, item=600)
        self._text = source.text(source.start, source.size)
        try:
            value = only_value(self._text)
        except JsonError as fault:
            source.refuse(fault.message, HINT, line_at(self._text, fault.offset))
        if not isinstance(value, dict) or value.get("type") not in ("clusters", "graph"):
            source.refuse('has no "type" that is "clusters" or "graph"', HINT, 1)
        self._clusters = self._named(value) if value["type"] == "clusters" else self._components(value)

    def line_of_document(self, _: int) -> int:
        """The line on which the document begins."""
        return 1

    def __iter__(self) -> Iterator[Document]:
        yield ids_document(ONE_DOCUMENT, self._clusters, self.source.name, local_ids=False)

    def _named(self, value: dict[str, object]) -> Clusters:
        """The clusters of an object."""
        clusters = value.get("clusters")
        if not isinstance(clusters, dict):
            self._fail(f"clusters is {shortened(clusters)}, not an object", "clusters")
        for name, ids in clusters.items():
            if not isinstance(ids, list) or not ids:
                self._fail(f"the cluster {shortened(name)} is {shortened(ids)}, not a list of ids", "clusters", name)
            for at, id_ in enumerate(ids):
                self._check(id_, "clusters", name, at)
        return list(clusters.items())

    def _components(self, value: dict[str, object]) -> Clusters:
        """The connected components of a graph."""
        mentions, links = value.get("mentions"), value.get("links", [])
        if not isinstance(mentions, list):
            self._fail(f"mentions is {shortened(mentions)}, not a list of ids", "mentions")
        if not isinstance(links, list):
            self._fail(f"links is {shortened(links)}, not a list of pairs", "links")
        ids = {self._check(id_, "mentions", at): id_ for at, id_ in enumerate(mentions)}
        pairs = []
        for at, link in enumerate(links):
            if not isinstance(link, list) or len(link) != 2:
                self._fail(f"a link is {shortened(link)}, not a pair of ids", "links", at)
            pairs.append([self._check(id_, "links", at, end) for end, id_ in enumerate(link)])
            ids.update(zip(pairs[-1], link, strict=True))
        known = list(ids)
        groups = components([*([text] for text in known), *pairs])
        clusters = [[ids[known[number]] for number in sorted(group) if number < len(known)] for group in groups]
        return [(str(number), cluster) for number, cluster in enumerate(clusters)]

    def _check(self, id_: object, *steps: str | int) -> str:
        """The id as text."""
        try:
            return id_text(id_)
        except IdError as error:
            self._fail(str(error), *steps)

    def _fail(self, message: str, *steps: str | int) -> NoReturn:
        line = 1
        for end in range(len(steps), 0, -1):
            try:
                line = line_at(self._text, locate(self._text, self._text.index("{"), steps[:end]))
                break
            except StopIteration:
                continue
        self.source.refuse(message, HINT, line)
