"""brat stand-off: ``.ann`` with spans over the characters of a ``.txt`` beside it, and relations between them.

Every text-bound annotation (``T1``) is a mention. Relations whose names say identity, and equivalences (``*``), link
mentions; other relations, attributes, normalisations and notes are not read. A relation to an event is one to its
trigger.

LitBank's brat files have no relation of identity: each mention is annotated twice, with its category (``PROP_PER``)
and with its entity (``Emma_Woodhouse-1``). Such a pair is one mention of that entity.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from .model import StandoffDocument, StandoffMention, StandoffReader, stem_of
from .offsets import TextSpan, place_spans

TEXT_BOUND = re.compile(r"(T\S*)\t(\S+) ([0-9]+ [0-9]+(?:;[0-9]+ [0-9]+)*)[ ]*(?:\t(.*))?", re.ASCII)
EVENT = re.compile(r"(E\S*)\t[^\s:]+:(\S+).*")
RELATION = re.compile(r"R\S*\t(\S+)\s+[^\s:]+:(\S+)\s+[^\s:]+:(\S+)\s*")
EQUIVALENCE = re.compile(r"\*\t(\S+)((?: \S+){2,})\s*")
IGNORED = re.compile(r"[AMN#]\S*\t.*")
LITBANK_CATEGORY = re.compile(r"(?:PROP|NOM|PRON)_([A-Z]+)")
LITBANK_ENTITY = re.compile(r".+-[0-9]+", re.ASCII)
HINT = "a line is 'T1<tab>TYPE START END<tab>TEXT', 'R1<tab>NAME Arg1:T1 Arg2:T2' or '*<tab>NAME T1 T2 …'"


class BratReader(StandoffReader):
    """The one document of an ``.ann`` file."""

    def parse(self) -> Iterator[StandoffDocument]:
        """Read the lines, then find out what their offsets count."""
        spans: dict[str, TextSpan] = {}
        labels: dict[str, str] = {}
        triggers: dict[str, str] = {}
        links: list[tuple[int, str, list[str]]] = []
        for number, line in self.lines:
            if match := TEXT_BOUND.fullmatch(line):
                if match[1] in spans:
                    self.source.refuse(f"{match[1]} comes twice", "each annotation needs an id of its own", number)
                pairs = [pair.split(" ") for pair in match[3].split(";")]
                offsets = [
                    (self.number(a, number, "an offset"), self.number(b, number, "an offset")) for a, b in pairs
                ]
                spans[match[1]], labels[match[1]] = TextSpan(offsets, match[4], number), match[2]
            elif match := EVENT.fullmatch(line):
                triggers[match[1]] = match[2]
            elif match := RELATION.fullmatch(line):
                links.append((number, match[1], [match[2], match[3]]))
            elif match := EQUIVALENCE.fullmatch(line):
                links.append((number, match[1], match[2].split()))
            elif not IGNORED.fullmatch(line):
                self.source.refuse(f"{line[:60]!r} is no annotation of brat", HINT, number)
        is_litbank = _is_litbank(labels)
        if not is_litbank or self.identity_relations:
            self.check_relations((name for _, name, _ in links), links[0][0] if links else 0)
        chosen = [(number, arguments) for number, name, arguments in links if self.is_identity(name)]
        for number, arguments in chosen:
            arguments[:] = [triggers.get(id_, id_) for id_ in arguments]
            if unknown := [id_ for id_ in arguments if id_ not in spans]:
                self.source.refuse(
                    f"{unknown[0]} is not in the file", "relations link text-bound annotations", number
                )
        _, text = self.companion(f"{stem_of(self.source.name)}.txt", "which has the text")
        text, places = place_spans(text, spans, self.source)
        mentions = {id_: StandoffMention(places[id_], line=span.line) for id_, span in spans.items()}
        types: dict[str, str] = {}
        if is_litbank:
            mentions, types = _join_annotations(mentions, labels)
        pairs_of_ids = [(arguments[0], other) for _, arguments in chosen for other in arguments[1:]]
        yield StandoffDocument(self.document_name, mentions, text, links=pairs_of_ids, entity_types=types)


def _is_litbank(labels: Mapping[str, str]) -> bool:
    """Whether some labels are categories of LitBank and all others are entities."""
    kinds = set(labels.values())
    entities = {kind for kind in kinds if not LITBANK_CATEGORY.fullmatch(kind)}
    return 0 < len(entities) < len(kinds) and all(map(LITBANK_ENTITY.fullmatch, entities))


def _join_annotations(
    mentions: Mapping[str, StandoffMention], labels: Mapping[str, str]
) -> tuple[dict[str, StandoffMention], dict[str, str]]:
    """The mentions of LitBank with their entities, and the types of entities; a span is often annotated twice."""
    entities: dict[tuple[tuple[int, int], ...], str] = {}
    categories: dict[str, str] = {}
    for id_, label in labels.items():
        if match := LITBANK_CATEGORY.fullmatch(label):
            categories[id_] = match[1]
        else:
            entities.setdefault(tuple(mentions[id_].parts), label)
    joined: dict[str, StandoffMention] = {}
    types: dict[str, str] = {}
    for id_, mention in mentions.items():
        entity = entities.get(tuple(mention.parts), "") if id_ in categories else labels[id_]
        joined[id_] = mention._replace(entity=entity)
        if id_ in categories:
            types.setdefault(entity or id_, categories[id_])
    return joined, types
