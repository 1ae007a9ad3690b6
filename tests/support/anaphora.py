"""Random documents with everything that anaphora is: plurals, bridging, what does not refer, discourse deixis."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path

from corefscope.core.document import Document, Entity, Mention, MentionWithMinimum, Relation, Sentence, mention_order
from corefscope.core.positions import SENTENCE_SHIFT, position

WORDS, SENTENCES = 8, 4


def random_key(rng: random.Random) -> Document:
    """A document of a few sentences, each of the same words."""
    return _with_layer(rng, _document(rng, _spans(rng)))


def random_response(rng: random.Random, key: Document) -> Document:
    """A document over the same words that has some mentions of the key, and other entities and relations."""
    kept = [mention for entity in _everything(key) for mention in entity if rng.random() < 0.8]
    spans = {mention.positions for mention in kept} | {s for s in _spans(rng) if rng.random() < 0.3}
    return _with_layer(rng, _document(rng, sorted(spans)))


def _everything(document: Document) -> list[Entity]:
    return [*document.entities, *(r.anaphor for r in document.relations if r.kind == "non-referring")]


def _with_layer(rng: random.Random, document: Document) -> Document:
    if rng.random() < 0.4:
        return document
    return document._replace(deixis=_document(rng, _spans(rng)))


def _spans(rng: random.Random) -> list[tuple[int, ...]]:
    spans = set()
    for _ in range(rng.randint(3, 14)):
        sentence, first = rng.randint(1, SENTENCES), rng.randint(1, WORDS)
        last = min(first + rng.choice([0, 0, 1, 2, 3]), WORDS)
        spans.add(tuple(position(sentence, word) for word in range(first, last + 1)))
    return sorted(spans)


def _document(rng: random.Random, spans: Sequence[tuple[int, ...]]) -> Document:
    groups: dict[int, list[Mention]] = {}
    for span in spans:
        minimum = span[(start := rng.randrange(len(span))) : rng.randint(start, len(span) - 1) + 1]
        mention = MentionWithMinimum(span, minimum[0], (), minimum) if rng.random() < 0.5 else Mention(span, span[0])
        groups.setdefault(rng.randrange(1 + len(spans) // 2), []).append(mention)
    listed = [tuple(sorted(group)) for group in groups.values()]
    names = [f"e{i}" for i in range(len(listed))]
    referring = [i for i in range(len(listed)) if rng.random() < 0.85]
    relations: list[Relation] = []
    for i in rng.sample(range(len(listed)), min(len(listed), rng.randint(0, 3))):
        elements = [j for j in range(i) if rng.random() < 0.5]  # of others before it: no circle
        if elements:
            ids = tuple(names[j] for j in (i, *elements))
            relations.append(Relation("split", listed[i], tuple(listed[j] for j in elements), ids=ids))
    mentions = [mention for entity in listed for mention in entity]
    for _ in range(rng.randint(0, 4) if len(mentions) > 1 else 0):
        anaphor, anchor = rng.sample(mentions, 2)
        entity = next(entity for entity in listed if anchor in entity)
        relations.append(Relation("bridging", (anaphor,), (entity if rng.random() < 0.5 else (anchor,),)))
    left = [i for i in range(len(listed)) if i not in referring]
    relations += [Relation("non-referring", listed[i], (), names[i], (names[i],)) for i in left]
    order = sorted(referring, key=lambda i: listed[i][0])
    return Document(
        "d",
        tuple(listed[i] for i in order),
        tuple(names[i] for i in order),
        sentences=tuple(
            Sentence(f"s{n}", n, 10 * n, [f"{w}\tw{w}" for w in range(1, WORDS + 1)], [])
            for n in range(1, SENTENCES + 1)
        ),
        relations=tuple(relations),
    )


def renamed(document: Document, rng: random.Random) -> Document:
    """The same with other names, and entities and relations in another order."""
    return _renamed(document, rng)._replace(deixis=document.deixis and _renamed(document.deixis, rng))


def _renamed(document: Document, rng: random.Random) -> Document:
    known = {*document.entity_ids, *(id_ for relation in document.relations for id_ in relation.ids)}
    numbers = rng.sample(range(1000), len(known))
    name: Callable[[str], str] = {old: f"x{new}" for old, new in zip(sorted(known), numbers, strict=True)}.__getitem__
    order = rng.sample(range(len(document.entities)), len(document.entities))
    relations = [relation._replace(ids=tuple(map(name, relation.ids))) for relation in document.relations]
    return document._replace(
        entities=tuple(document.entities[i] for i in order),
        entity_ids=tuple(name(document.entity_ids[i]) for i in order),
        relations=tuple(rng.sample(relations, len(relations))),
    )


def corefud_example(path: Path, split: str, bridges: dict[int, str]) -> str:
    """The example of a key of five entities, and of a response: words 1 to 11 in exact mentions of a word."""
    entities = {1: "e1", 5: "e1", 3: "e2", 4: "e2", 7: "e3", 8: "e3", 10: "e4", 11: "e5"}
    lines = ["# newdoc id = d", "# global.Entity = eid-etype-head-other", "# sent_id = s", "# text = w"]
    for i in range(1, 12):
        misc = [f"Bridge={bridges.get(i)}"] * (i in bridges) + [f"Entity=({entities.get(i)}--1)"] * (i in entities)
        misc += [f"SplitAnte={split}"] * (i == 7)
        lines.append("\t".join([str(i), f"w{i}", *"_X__", str(i - 1), "dep", "_", "|".join(misc) or "_"]))
    path.write_text("\n".join([*lines, "", ""]))
    return str(path)


Zeros = dict[int, list[int]]
"""By sentence, the words that an empty node follows."""


def random_zeros(rng: random.Random, among: Zeros | None = None) -> Zeros:
    """Empty nodes, or some of those that there are."""
    if among:
        return {sentence: [word for word in words if rng.random() < 0.6] for sentence, words in among.items()}
    return {n: sorted(rng.sample(range(WORDS + 1), rng.randint(0, 3))) for n in range(1, SENTENCES + 1)}


def with_zeros(rng: random.Random, document: Document, zeros: Zeros) -> Document:
    """The document with empty nodes, inside of mentions and as mentions of its entities; without deixis."""
    places = [position(sentence, word, 1) for sentence, words in zeros.items() for word in words]

    def filled(mention: Mention) -> Mention:
        inside = [place for place in places if mention.first < place < mention.last]
        return Mention(sorted([*mention.positions, *inside]), mention.head)

    changed = document.changed(filled)._replace(deixis=None)
    added: dict[int, list[Mention]] = {}
    for place in places:
        if changed.entities and rng.random() < 0.7:
            parents = ((position(place >> SENTENCE_SHIFT, rng.randint(1, WORDS)), rng.choice(["nsubj", "obj"])),)
            added.setdefault(rng.randrange(len(changed.entities)), []).append(Mention((place,), place, parents))
    grown = {
        entity: tuple(sorted([*entity, *added.get(i, ())], key=mention_order))
        for i, entity in enumerate(changed.entities)
    }
    relations = [
        relation._replace(
            anaphor=grown.get(relation.anaphor, relation.anaphor),
            targets=tuple(grown.get(target, target) for target in relation.targets),
        )
        for relation in changed.relations
    ]
    named = sorted(zip(grown.values(), changed.entity_ids, strict=True))
    return changed._replace(
        entities=tuple(entity for entity, _ in named),
        entity_ids=tuple(name for _, name in named),
        relations=tuple(relations),
        sentences=tuple(_with_lines(sentence, zeros[sentence.number], rng) for sentence in changed.sentences),
    )


def _with_lines(sentence: Sentence, zeros: Sequence[int], rng: random.Random) -> Sentence:
    """A sentence that has lines of CoNLL-U, with parts of speech."""
    lines = []
    for word in range(WORDS + 1):
        tag = rng.choice(["PRON", "NOUN", "VERB"])
        lines += [f"{word}\tw{word}\t_\t{tag}\t_\t_\t0\t_\t_\t_"] if word else []
        lines += [f"{word}.1\t_\t_\tPRON\t_\t_\t_\t_\t{1 + 3 * word % WORDS}:nsubj\t_"] if word in zeros else []
    return sentence._replace(unusual=[f"{word}.1" for word in zeros], lines=lines)
