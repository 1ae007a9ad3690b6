"""Relations of whole documents from their definitions: split antecedents, bridging, non-referring mentions, deixis.

The definitions are those of docs/anaphora.md, docs/metrics.md and decision 035. Nothing is shared with the package:
files are read by ``official_reader`` (CorefUD), or come with the model they were written from (CoNLL-UA); mentions
are paired by ``corrected`` or ``official``, and counted by ``relations``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

from oracles import corrected, generate, official, relations
from oracles.corrected import Mention, Word, identity
from oracles.official_reader import Loaded, Node, Span, load_entities, read_conllu

Entity = list[Mention]
Counts = dict[str, list[Fraction]]
LEVELS = ("bridging_recognition", "bridging_mention", "bridging_entity")


@dataclass
class Layer:
    """One side of a document: its entities by name, and relations between them."""

    entities: dict[str, Entity] = field(default_factory=dict)
    non_referring: dict[str, Entity] = field(default_factory=dict)
    elements: dict[str, list[str]] = field(default_factory=dict)
    """The elements of each plural entity."""
    bridges: list[tuple[Mention, Entity]] = field(default_factory=list)
    """An anaphor, and its anchor: one mention, or the entity if the format names no mention."""

    @property
    def everything(self) -> dict[str, Entity]:
        """All entities, those that do not refer last."""
        return {**self.entities, **self.non_referring}

    @property
    def is_empty(self) -> bool:
        """Whether it has neither plurals, nor bridging, nor mentions that do not refer."""
        return not (self.elements or self.bridges or self.non_referring)

    def leaves(self, name: str) -> set[str]:
        """The elements of a plural; instead of one that is a plural itself, its own."""
        if name not in self.elements:
            return {name}
        return set().union(*map(self.leaves, self.elements[name]))


@dataclass(frozen=True)
class Options:
    """What decides how mentions are paired, and what counts."""

    rules: str = "corrected"
    match: str = "head"
    zeros: str = "dependent"
    singletons: str = "drop"


# ---- documents


def corefud_documents(path: str | Path) -> list[Layer]:
    """The documents of a CorefUD file, in which each entity belongs to one document."""
    file = read_conllu(path)
    bridges: list[tuple[Loaded, str]] = []
    elements: dict[str, dict[str, None]] = {}

    def look_at(node: Node, entities: dict[str, list[Loaded]], prefix: str) -> None:
        misc = dict(item.partition("=")[::2] for item in node.misc.split("|"))
        for link in filter(None, misc.get("SplitAnte", "").split(",")):
            element, plural = link.split("<")
            elements.setdefault(prefix + plural, {})[prefix + element] = None
        for link in filter(None, misc.get("Bridge", "").split(",")):
            target, source = link.partition(":")[0].split("<")
            bridges.append((entities[prefix + source][-1], prefix + target))  # the mention that was opened last

    document_of: dict[int, int] = {}
    number = 0
    for sentence in file.sentences:
        number += bool(document_of and sentence.newdoc)
        document_of[id(sentence)] = number
    layers = [Layer() for _ in range(number + 1)]
    loaded = load_entities(file, look_at)
    home = {eid: layers[document_of[id(mentions[0].head.sentence)]] for eid, mentions in loaded.items()}
    for eid, mentions in loaded.items():
        home[eid].entities[eid] = list(map(_mention, mentions))
        if eid in elements:
            home[eid].elements[eid] = list(elements[eid])
    for anaphor, target in bridges:
        home[target].bridges.append((_mention(anaphor), home[target].entities[target]))
    return layers


def _mention(loaded: Loaded) -> Mention:
    dependencies = loaded.head.deps() if loaded.head.empty else []
    return Mention(
        tuple(sorted(map(_word, (node.word for node in loaded.nodes)))),
        _word(loaded.head.word),
        tuple((_word(parent), relation) for parent, relation in dependencies),
    )


def _word(word: tuple[int, float]) -> Word:
    sentence, ordinal = word
    major, _, minor = str(ordinal).partition(".")
    return sentence, int(major), int(minor or 0)


def ua_documents(side: generate.Side) -> list[Layer]:
    """The documents of one layer of a CoNLL-UA file, from the model that it was written from."""
    layers = []
    for entities, drawn in zip(side.entities, side.relations, strict=True):
        listed = [sorted((_drawn_mention(side, mention) for mention in entity), key=_order) for entity in entities]
        order = sorted((i for i, entity in enumerate(listed) if entity), key=lambda i: _order(listed[i][0]))
        layers.append(
            Layer(
                {str(i): listed[i] for i in order if i not in drawn.non_referring},
                {str(i): listed[i] for i in order if i in drawn.non_referring},
                {str(i): list(map(str, elements)) for i, elements in drawn.elements.items()},
                [
                    (_drawn_mention(side, anaphor), [_drawn_mention(side, anchor)])
                    for _, anaphor, _, anchor in drawn.bridges
                ],
            )
        )
    return layers


def _drawn_mention(side: generate.Side, mention: generate.Mention) -> Mention:
    """Its head is the first word of ``Min``, else its first word; an empty node only if it has no word."""
    ids = side.ids(mention.sentence)
    tokens = {token.uid: token for token in side.sentences[mention.sentence]}

    def word(uid: int) -> Word:
        major, _, minor = ids[uid].partition(".")
        return mention.sentence + 1, int(major), int(minor or 0)

    words = sorted(map(word, mention.words))
    minimum = sorted(map(word, generate.minimal_words(side, mention)))
    head = min(
        [*minimum, *(one for one in words if not one[2])], key=lambda one: one not in minimum, default=words[0]
    )
    uid = next(uid for uid in mention.words if word(uid) == head)
    deps = tuple(
        (word(parent) if parent else (mention.sentence + 1, 0, 0), name) for parent, name in tokens[uid].deps
    )
    return Mention(tuple(words), head, deps if head[2] else (), tuple(minimum or words) if not head[2] else ())


# ---- pairs


class Sides:
    """Two layers whose mentions are paired: mentions that are a pair are one number."""

    def __init__(self, key: Layer, response: Layer, options: Options) -> None:
        self.options = options
        self.layers = key, response
        corrects = options.rules == "corrected"
        self.owned: list[dict[str, Entity]] = []
        for layer in self.layers:
            listed = list(layer.everything.values())
            kept = corrected.owned(listed, options.match) if corrects else list(map(self._once, listed))
            self.owned.append(dict(zip(layer.everything, kept, strict=True)))
        entities = [[entity for entity in owned.values() if entity] for owned in self.owned]
        key_entities, response_entities = entities
        paired = corrected.matched if corrects else _official_pairs
        pairs = paired(key_entities, response_entities, options.match, options.zeros)
        self._number: tuple[dict[Any, int], dict[Any, int]] = ({}, {})
        self.place: dict[int, Any] = {}
        """Where the mentions of a number are."""
        for k, r in pairs:
            one, other = self._place(k), self._place(r)
            self._add((*sorted((one, other)), 0 if one <= other else 3), k, r)
        for n, side in enumerate(entities):
            for mention in chain.from_iterable(side):
                if self._identity(mention) not in self._number[n]:
                    self._add(
                        (self._place(mention), self._place(mention), n + 1), *((None, mention) if n else (mention,))
                    )

    def _once(self, entity: Entity) -> Entity:
        return list({self._identity(mention): mention for mention in reversed(entity)}.values())[::-1]

    def _identity(self, mention: Mention) -> Any:
        return identity(mention, self.options.match)

    def _place(self, mention: Mention) -> Any:
        """By first word, then by last, then by what is between them."""
        words = mention.words
        plain = all(b == (a[0], a[1] + 1, 0) == (a[0], b[1], a[2]) for a, b in pairwise(words))
        return words[0], words[-1], not plain, words, mention.head if self.options.match == "head" else None

    def _add(self, place: Any, *mentions: Mention | None) -> None:
        number = len(self.place)
        self.place[number] = place
        for numbers, mention in zip(self._number, mentions, strict=False):
            if mention is not None:
                numbers[self._identity(mention)] = number

    def number(self, side: int, mention: Mention) -> int:
        """What a mention is on both sides."""
        return self._number[side][self._identity(mention)]

    def members(self, side: int, name: str) -> set[int]:
        """The mentions that an entity owns."""
        return {self.number(side, mention) for mention in self.owned[side][name]}

    def entity_of(self, side: int, number: int) -> str | None:
        """The entity that a mention belongs to: of several, the last."""
        return next((name for name in reversed(self.owned[side]) if number in self.members(side, name)), None)

    # ---- entities with plurals

    def partition(self, side: int, smallest: int) -> relations.Side:
        """Entities that refer, each with its mentions and its split antecedents; the small ones are left out."""
        layer = self.layers[side]
        mentions = {name: self.members(side, name) for name in layer.entities if self.owned[side][name]}
        plurals: dict[str, relations.Elements] = {}
        for name in sorted(layer.elements, key=lambda name: self._words_of_elements(layer, name)):
            if name in layer.non_referring:
                continue
            at = name if name in layer.entities and self.owned[side][name] else self._new_home(side, name)
            if at not in layer.entities or at in plurals:  # an entity has one plural
                continue
            plurals[at] = self._elements(side, name)
            same = [other for other in plurals if other in mentions and plurals[other] == plurals[at]]
            if same[0] != at:  # entities with the same elements are one
                mentions[same[0]] |= mentions.pop(at)
        return [
            (frozenset(members), plurals.get(name))
            for name, members in mentions.items()
            if len(members) + (name in plurals) >= smallest
        ]

    def _new_home(self, side: int, name: str) -> str | None:
        """The entity that owns the mentions of one that has lost them all."""
        return self.entity_of(side, self.number(side, self.layers[side].entities[name][0]))

    @staticmethod
    def _words_of_elements(layer: Layer, name: str) -> list[tuple[Word, ...]]:
        return sorted({mention.words for leaf in layer.leaves(name) for mention in layer.everything[leaf]})

    def _elements(self, side: int, name: str) -> relations.Elements:
        """The elements of a plural; a mention of several is in the largest, of equally large ones in the first."""
        layer = self.layers[side]
        leaves = [
            sorted({self.number(side, mention) for mention in layer.everything[leaf]}, key=self.place.__getitem__)
            for leaf in layer.leaves(name)
        ]
        leaves.sort(key=lambda leaf: (-len(leaf), [self.place[number] for number in leaf]))
        kept = [
            frozenset(number for number in leaf if not any(number in larger for larger in leaves[:n]))
            for n, leaf in enumerate(leaves)
        ]
        return frozenset(filter(None, kept))

    def rank(self, pair: tuple[relations.Elements, relations.Elements]) -> Any:
        """By where the elements of two plurals are, the same from both sides; which is the key's comes last."""
        ours, theirs = (sorted(sorted(self.place[number] for number in leaf) for leaf in plural) for plural in pair)
        return *sorted((ours, theirs)), ours > theirs

    # ---- bridging

    def links(self, side: int) -> set[tuple[int, int]]:
        """Anaphor and anchor of each link."""
        found = set()
        for anaphor, anchors in self.layers[side].bridges:
            before = [anchor for anchor in anchors if _order(anchor) < _order(anaphor)]
            anchor = max(before, key=_order) if before else min(anchors, key=_order)
            found.add((self.number(side, anaphor), self.number(side, anchor)))
        return found

    def to_entities(self, side: int) -> set[tuple[int, str | None]]:
        """Anaphor of each link, and the entity of its anchor."""
        return {(anaphor, self.entity_of(side, anchor)) for anaphor, anchor in self.links(side)}

    def best_for(self, side: int, name: str) -> str | None:
        """The entity of the other side that holds most mentions of one; of several that of the earliest mention."""
        owners = [
            owner
            for number in sorted(self.members(side, name), key=self._earliest)
            if (owner := self.entity_of(1 - side, number)) is not None
        ]
        return max(owners, key=lambda owner: (owners.count(owner), -owners.index(owner)), default=None)

    def _earliest(self, number: int) -> Any:
        place = self.place[number]
        (first, last, *_), *_ = place
        return first, tuple(-part for part in last), place

    def right(self, side: int) -> tuple[int, int]:
        """How many links to entities the other side has, and how many there are."""
        links, others = self.to_entities(side), self.to_entities(1 - side)
        return sum((anaphor, self.best_for(side, name)) in others for anaphor, name in links if name), len(links)

    def non_referring(self, side: int) -> set[int]:
        """Mentions that do not refer."""
        return {self.number(side, m) for entity in self.layers[side].non_referring.values() for m in entity}


def _order(mention: Mention) -> Any:
    """By first word, the longer one first, then by last word."""
    return mention.words[0], -len(mention.words), mention.words[-1]


def _official_pairs(
    key: list[Entity], response: list[Entity], match: str, zeros: str
) -> set[tuple[Mention, Mention]]:
    """The pairs of CorefUD scorer 1.2 that are pairs from both sides."""
    sides: list[list[official.Entity]] = [[], []]
    back: tuple[dict[Any, Mention], dict[Any, Mention]] = ({}, {})
    for entities, known, made in zip((key, response), back, sides, strict=True):
        for entity in entities:
            made.append([official.Mention(_span(mention), match) for mention in entity])
            for mention, one in zip(entity, made[-1], strict=True):
                known.setdefault(one, mention)
    table = official.translation(official.match_mentions(sides[0], sides[1], match, zeros))
    return {
        (mention, back[1][there])
        for one, mention in back[0].items()
        if (there := table.get(one, one)) in back[1] and table.get(there, there) == one
    }


def _span(mention: Mention) -> Span:
    def word(place: Word) -> tuple[int, float]:
        sentence, major, minor = place
        return (sentence, float(f"{major}.{minor}")) if minor else (sentence, major)

    deps = tuple((word(parent), relation) for parent, relation in mention.dependencies)
    return Span(tuple(map(word, mention.words)), word(mention.head), bool(mention.head[2]), deps)


# ---- counts


def counts(key: Layer, response: Layer, options: Options) -> Counts:
    """The counts of all metrics of relations of a document, without those of deixis."""
    sides = Sides(key, response, options)
    smallest = 2 if options.singletons == "drop" else 1
    found = _with_plurals("plural", sides, smallest)
    if all(plural is None for n in (0, 1) for _, plural in sides.partition(n, smallest)):
        found.update(_without_plurals(list(key.entities.values()), list(response.entities.values()), options))
    (ours, theirs), (to_key, to_response) = (sides.links(0), sides.links(1)), (sides.right(0), sides.right(1))
    sets: dict[str, tuple[set[Any], set[Any]]] = {
        "bridging_recognition": ({anaphor for anaphor, _ in ours}, {anaphor for anaphor, _ in theirs}),
        "bridging_mention": (ours, theirs),
        "non_referring": (sides.non_referring(0), sides.non_referring(1)),
    }
    for name, (one, other) in sets.items():
        common = len(one & other)
        found[name] = list(map(Fraction, (common, len(one), common, len(other))))
    found["bridging_entity"] = list(map(Fraction, (*to_key, *to_response)))
    return found


def deixis_counts(key: Layer, response: Layer, options: Options) -> Counts:
    """Those of the identity metrics over the layer of discourse deixis, in which singletons count."""
    found = _with_plurals("deixis", Sides(key, response, options), 1)
    return {name: counts for name, counts in found.items() if name.startswith("deixis")}


def _with_plurals(layer: str, sides: Sides, smallest: int) -> Counts:
    found: Counts = {}
    key, response = sides.partition(0, smallest), sides.partition(1, smallest)
    members = [{member for entity in side for member in relations.members(entity)} for side in (key, response)]
    apart = members[0] ^ members[1]
    for metric in relations.METRICS:
        pairs = relations.alignment(metric, key, response, sides.rank)
        whole = relations.whole(metric, key, response, pairs)
        split = relations.split(metric, key, response, pairs)
        if metric == "blanc":
            found[f"{layer}_blanc"] = _of_blanc(whole, len(apart))
            decisive = [row[1] + row[3] for row in split]
            found["split_blanc"] = [*_of_blanc(split, sum(map(relations.is_plural, apart))), *decisive]
        else:
            found[f"{layer}_{metric}"], found[f"split_{metric}"] = list(whole[0]), list(split[0])
    return found


def _of_blanc(rows: list[relations.Row], apart: int) -> list[Fraction]:
    (both, key, _, response), (neither, key_non, _, response_non) = rows
    return [both, key, response, neither, key_non, response_non, Fraction(apart)]


def _without_plurals(key: list[Entity], response: list[Entity], options: Options) -> Counts:
    """The plural metrics of a document without plurals: those of identity, singletons dropped before matching."""
    match, zeros, singletons = options.match, options.zeros, options.singletons
    if options.rules == "corrected":
        ours, theirs = (corrected.prepared(side, match, singletons) for side in (key, response))
        pairs = corrected.matched(ours, theirs, match, zeros)
        partner = {identity(r, match): identity(k, match) for k, r in pairs}
        known = {identity(mention, match) for entity in ours for mention in entity}

        def number(mention: Mention) -> Any:
            one = identity(mention, match)
            return partner.get(one, (one, one in known))

        key_side: relations.Side = [(frozenset(identity(m, match) for m in entity), None) for entity in ours]
        response_side: relations.Side = [(frozenset(map(number, entity)), None) for entity in theirs]
        rows = {
            metric: relations.rows(metric, key_side, response_side, relations.NONE) for metric in relations.METRICS
        }
        mentions, matched = sum(map(len, ours)) + sum(map(len, theirs)), len(pairs)
    else:
        kept = [
            official._prepare([list(map(_span, entity)) for entity in side], match, singletons)
            for side in (key, response)
        ]
        officially = official.match_mentions(kept[0], kept[1], match, zeros)
        both = official.Side(kept[0], kept[1], official.translation(officially))
        rows = {
            metric: [
                (Fraction(rn), Fraction(rd), Fraction(pn), Fraction(pd))
                for pn, pd, rn, rd in (part(both) for part in official.METRICS[metric])
            ]
            for metric in relations.METRICS
        }
        mentions, matched = sum(len({*chain.from_iterable(side)}) for side in kept), len(officially)
    return {
        f"plural_{metric}": _of_blanc(found, mentions - 2 * matched) if metric == "blanc" else list(found[0])
        for metric, found in rows.items()
    }


def too_many_choices(key: Layer, response: Layer, limit: int = 30) -> bool:
    """Whether so many mentions of one head, or zeros of one sentence, compete that a search for pairs takes long."""
    sizes: list[tuple[list[Any], list[Any]]] = []
    for layer in (key, response):
        mentions = set(chain.from_iterable(layer.everything.values()))
        heads = [mention.head for mention in mentions]
        zeros = [mention.head[0] for mention in mentions if mention.head[2]]
        sizes.append((heads, zeros))
    return any(sizes[0][n].count(one) * sizes[1][n].count(one) > limit for n in (0, 1) for one in set(sizes[0][n]))


def pooled(documents: Iterator[Counts]) -> Counts:
    """The sums over documents."""
    total: Counts = {}
    for found in documents:
        for name, row in found.items():
            total[name] = [a + b for a, b in zip(total[name], row, strict=True)] if name in total else row
    return total
