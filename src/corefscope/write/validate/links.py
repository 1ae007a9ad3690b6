"""``Bridge`` and ``SplitAnte``: links between entities, which no score needs but the official scorer reads."""

from __future__ import annotations

import re
from collections.abc import Container

from .problems import Problems, quoted

ATTRIBUTES = ("Bridge", "SplitAnte", "Split")
LINK = re.compile(r"([^<>,:]+)<([^<>,:]+)(?::[^<>,]*)?")


class Links:
    """The links of a document, or of a file if entity ids hold for all of it."""

    def __init__(self, problems: Problems) -> None:
        self._problems = problems
        self._named: list[tuple[int, str, str]] = []  # line, attribute, entity id

    def add(self, line: int, attribute: str, value: str, with_entity: bool) -> None:
        """Note what is wrong with the links of a line; the entities they name are looked up in the end."""
        if not with_entity:
            self._problems.add("bad-link", line, f"{attribute} without Entity is ignored")
            return
        for item in value.split(","):
            link = LINK.fullmatch(item)
            if not link:
                self._problems.add("bad-link", line, f"{quoted(item)} in {attribute} is no link of two entities")
            elif link[1] == link[2]:
                self._problems.add("bad-link", line, f"{quoted(item)} in {attribute} links an entity with itself")
            else:
                self._named += [(line, attribute, link[1]), (line, attribute, link[2])]

    def finish(self, entities: Container[str]) -> None:
        """Note links to entities that do not exist."""
        for line, attribute, id_ in self._named:
            if id_ not in entities:
                message = f"{attribute} names the entity {quoted(id_)}, which has no mention"
                self._problems.add("bad-link", line, message)
        self._named = []
