"""ECB+: XML with tokens, markables that are anchored to them, and relations that name the entity of markables.

A markable without anchors is an instance, which mentions are linked to. Cross-document coreference names its
instance for all documents of a topic (``note``); coreference inside of a document holds there only.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from .model import StandoffDocument, StandoffMention, StandoffReader, parts_of
from .xml import XmlElement, parse_xml

CROSS, INTRA = "CROSS_DOC_COREF", "INTRA_DOC_COREF"
HINT = "ECB+ has <token t_id sentence>, <Markables> with <token_anchor t_id>, and <Relations>"


class EcbReader(StandoffReader):
    """The one document of a file."""

    def parse(self) -> Iterator[StandoffDocument]:
        """Read tokens, then markables with anchors, then relations."""
        data = self.source.read(self.source.start, self.source.size)
        root = parse_xml(data, self.source.name)
        if root.name != "Document":
            self.source.refuse(f"begins with <{root.name[:40]}>, not <Document>", HINT, root.line)
        name = root.attributes.get("doc_name") or self.document_name
        tokens = list(root.named("token"))
        by_sentence = groupby(tokens, lambda token: token.attributes.get("sentence", "0"))
        sentences = [[token.text.strip() or "_" for token in group] for _, group in by_sentence]
        words: dict[str, int] = {}
        for number, token in enumerate(tokens):
            if words.setdefault(self._attribute(token, "t_id"), number) != number:
                self.source.refuse(f"t_id {token.attributes['t_id']!r} comes twice", HINT, token.line)
        mentions: dict[str, StandoffMention] = {}
        types: dict[str, str] = {}
        instances: dict[str, str] = {}
        for markable in [child for group in root.named("Markables") for child in group.children]:
            id_ = self._attribute(markable, "m_id")
            anchors = [self._attribute(anchor, "t_id") for anchor in markable.named("token_anchor")]
            if unknown := [anchor for anchor in anchors if anchor not in words]:
                self.source.refuse(f"there is no token {unknown[0][:40]!r}", HINT, markable.line)
            if not anchors:
                instances[id_] = markable.attributes.get("instance_id", "")
                continue
            mentions[id_] = StandoffMention(parts_of(words[anchor] for anchor in anchors), line=markable.line)
            types[id_] = markable.name
        entities: dict[str, str] = {}
        for relation in (child for group in root.named("Relations") for child in group.children):
            if relation.name in (CROSS, INTRA):
                self._link(relation, name, mentions, instances, entities)
        local = {id_: f"{name}#m{id_}" for id_ in mentions}
        linked = {id_: mention._replace(entity=entities.get(id_, local[id_])) for id_, mention in mentions.items()}
        entity_types = {linked[id_].entity: types[id_] for id_ in reversed(linked)}
        yield StandoffDocument(name, linked, sentences=sentences, entity_types=entity_types, local_ids=False)

    def _link(
        self,
        relation: XmlElement,
        name: str,
        mentions: dict[str, StandoffMention],
        instances: dict[str, str],
        entities: dict[str, str],
    ) -> None:
        """Note the entity of the sources of a relation."""
        target = next((self._attribute(end, "m_id") for end in relation.named("target")), "")
        across = relation.attributes.get("note") or instances.get(target, "")
        entity = across if relation.name == CROSS and across else f"{name}#r{relation.attributes.get('r_id', target)}"
        for end in relation.named("source"):
            id_ = self._attribute(end, "m_id")
            if id_ not in mentions:
                message = f"a relation has markable {id_[:40]!r}, which has no words: left out"
                self.warnings.add("markable", self.source.name, end.line, message)
            elif entities.setdefault(id_, entity) != entity:
                message = f"markable {id_[:40]!r} is in several entities: the first one counts"
                self.warnings.add("markable-twice", self.source.name, end.line, message)

    def _attribute(self, element: XmlElement, name: str) -> str:
        value = element.attributes.get(name)
        if value is None:
            self.source.refuse(f"<{element.name[:40]}> has no {name}", HINT, element.line)
        return value
