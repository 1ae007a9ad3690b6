"""Random key/response pairs in CorefUD and CoNLL-UA: legal for the official loader, determined by the rng.

The response has the words of the key; its empty nodes, its entities and its relations are derived from the key's by
noise, so that scores are seldom 0 or 1.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field, replace

RELATIONS = ("nsubj", "obj", "obl", "nmod", "conj:and", "nsubj:pass")


@dataclass(frozen=True)
class Features:
    """What a pair may contain. What is off by default is where the official scorer is odd (or stops)."""

    zeros: bool = True  # empty nodes, alone or inside spans
    discontinuous: bool = True
    singletons: bool = True
    multiword_tokens: bool = True  # whose Entity must be ignored
    empty_parents: bool = True  # DEPS that name empty nodes
    grp: bool | None = None  # a GRP header or an eid header; None: either, drawn for each file
    newdoc: bool = True  # False: one document without newdoc (the official scorer stops)
    late_header: bool = False  # earlier documents carry another global.Entity, which does not count
    shared_eids: bool = False  # an eid in two documents (eid headers only)
    merged_documents: bool = False  # the same newdoc id twice
    duplicates: bool = False  # a mention in two entities, or twice in one
    two_heads: bool = False  # a span that stands twice, with two heads
    minors: bool = False  # empty nodes .10 and up, whose float ordinals clash
    empty_deps: bool = False  # zeros without DEPS (the official scorer stops)
    relations: bool = False  # bridging and split antecedents; in CoNLL-UA also non-referring mentions and deixis
    nested: bool = False  # no two mentions of a document cross
    same_empty: bool = False  # the response has the empty nodes of the key


@dataclass(frozen=True)
class Size:
    documents: tuple[int, int]
    sentences: tuple[int, int]
    words: tuple[int, int]
    entities: tuple[int, int]
    mentions: tuple[int, int]


SIZES = {
    "small": Size((1, 3), (1, 4), (3, 12), (2, 6), (1, 6)),
    "medium": Size((2, 4), (4, 9), (8, 25), (6, 15), (1, 9)),
    "many": Size((8, 10), (1, 4), (3, 12), (2, 6), (1, 6)),
}


@dataclass(frozen=True)
class Token:
    uid: int  # the same in key and response
    major: int  # number of the word, or of the word before the empty node
    form: str
    empty: bool
    deps: tuple[tuple[int, str], ...]  # (uid of the parent, 0 for the root, relation)


@dataclass(frozen=True)
class Mention:
    sentence: int
    words: frozenset[int]
    head: int


Entities = list[list[Mention]]  # of one document


@dataclass
class Relations:
    """The relations of one document; entities are numbers."""

    elements: dict[int, list[int]] = field(default_factory=dict)  # of each plural entity
    bridges: list[tuple[int, Mention, int, Mention]] = field(default_factory=list)
    """The entity of the anaphor, the anaphor, the entity of the anchor, the anchor (which CorefUD does not name)."""
    non_referring: set[int] = field(default_factory=set)


Tree = dict[int, tuple[str, str]]  # uid -> HEAD, DEPREL


class Side:
    """One of the two files: its sentences and, per document, its entities."""

    def __init__(self, rng: random.Random, want: Features, size: Size) -> None:
        self.rng, self.want, self.size = rng, want, size
        self.sentences: list[list[Token]] = []
        self.documents: list[range] = []  # of sentence indices
        self.entities: list[Entities] = []
        self.relations: list[Relations] = []

    # ---- nodes

    def ids(self, sentence: int) -> dict[int, str]:
        """The ID column of each uid."""
        minors: Counter[int] = Counter()
        result: dict[int, str] = {0: "0"}
        for token in self.sentences[sentence]:
            minors[token.major] += token.empty
            result[token.uid] = f"{token.major}.{minors[token.major]}" if token.empty else str(token.major)
        return result

    def order(self, sentence: int) -> list[int]:
        """The uids in the order in which the official loader sees them: by float."""
        ids = self.ids(sentence)
        return sorted((token.uid for token in self.sentences[sentence]), key=lambda uid: float(ids[uid]))

    def crowded(self, sentence: int) -> set[int]:
        """Empty nodes of groups with clashing ordinals: no part of several words may begin or end there."""
        sizes = Counter(token.major for token in self.sentences[sentence] if token.empty)
        return {t.uid for t in self.sentences[sentence] if t.empty and sizes[t.major] >= 10}

    def draw_deps(self, uid: int, candidates: list[int]) -> tuple[tuple[int, str], ...]:
        if self.want.empty_deps and self.rng.random() < 0.3:
            return ()
        number = self.rng.choice((1, 1, 1, 2, 2, 3))
        drawn = {(self.rng.choice(candidates), self.rng.choice(RELATIONS)) for _ in range(number)}
        deps = sorted((parent, relation) for parent, relation in drawn if parent != uid)
        return tuple(deps) or ((0, "root"),)

    def insert_empty(self, sentence: int, token: Token) -> None:
        tokens = self.sentences[sentence]
        group = [i for i, t in enumerate(tokens) if t.major == token.major]
        first = (group[0] if group and tokens[group[0]].empty else group[0] + 1) if group else 0
        tokens.insert(self.rng.randint(first, group[-1] + 1 if group else 0), token)

    def parents(self, sentence: int) -> list[int]:
        """Parents to choose from: few of them, so that several zeros share one."""
        tokens = self.sentences[sentence]
        words = [t.uid for t in tokens if not t.empty]
        return [0, *words[:5], *(t.uid for t in tokens if t.empty and self.want.empty_parents)]

    # ---- mentions

    def parts(self, mention: Mention) -> list[tuple[int, int]]:
        """The maximal runs of the mention's words, as first and last position."""
        runs: list[tuple[int, int]] = []
        for position, uid in enumerate(self.order(mention.sentence)):
            if uid in mention.words:
                if runs and runs[-1][1] == position - 1:
                    runs[-1] = (runs[-1][0], position)
                else:
                    runs.append((position, position))
        return runs

    def draw_mention(self, document: int) -> Mention:
        rng = self.rng
        sentence = rng.choice(self.documents[document])
        order = self.order(sentence)
        empty = [t.uid for t in self.sentences[sentence] if t.empty]
        known = [m for e in self.entities[document] for m in e if m.sentence == sentence]
        head = rng.choice(known).head if known and rng.random() < 0.4 else rng.choice(order)
        if empty and rng.random() < 0.35:
            head = rng.choice(empty)
        at = order.index(head)
        if rng.random() < (0.6 if head in empty else 0.3):
            return Mention(sentence, frozenset({head}), head)
        first, last = max(0, at - rng.randint(0, 3)), min(len(order), at + rng.randint(1, 4))
        words = set(order[first:last])
        if self.want.discontinuous and len(words) > 2 and rng.random() < 0.2:
            words -= set(rng.sample(sorted(words - {head}), rng.randint(1, len(words) - 2)))
        return Mention(sentence, frozenset(words), head)

    def repeat_mention(self, document: int) -> Mention | None:
        known = [m for entity in self.entities[document] for m in entity]
        if not known or self.rng.random() > 0.3 or not (self.want.duplicates or self.want.two_heads):
            return None
        m = self.rng.choice(known)
        return replace(m, head=self.rng.choice(sorted(m.words))) if self.want.two_heads else m

    def add(self, document: int, entity: list[Mention], mention: Mention) -> None:
        """Adds the mention to the entity if the features and the file format allow it."""
        for other_entity in self.entities[document]:
            for other in other_entity:
                if (other.sentence, other.words) == (mention.sentence, mention.words):
                    same_head = other.head == mention.head
                    if not (self.want.duplicates if same_head else self.want.two_heads):
                        return
        crowded, order = self.crowded(mention.sentence), self.order(mention.sentence)
        mine = self.parts(mention)
        several = [(a, b) for a, b in mine if a != b]
        if any(order[a] in crowded or order[b] in crowded for a, b in (several if len(mine) == 1 else mine)):
            return
        if self.want.nested and any(self.cross(mention, other) for one in self.entities[document] for other in one):
            return
        for other in entity:
            if other.sentence != mention.sentence:
                continue
            theirs = self.parts(other)
            apart = mine[-1][1] < theirs[0][0] or theirs[-1][1] < mine[0][0]
            if len(mine) > 1 and len(theirs) > 1 and not apart:
                return
            if any(a < c < b < d or c < a < d < b for a, b in mine for c, d in theirs):
                return
        entity.append(mention)

    def cross(self, one: Mention, other: Mention) -> bool:
        """Whether two mentions overlap and neither holds the other."""
        if one.sentence != other.sentence:
            return False
        return any(a < c <= b < d or c < a <= d < b for a, b in self.parts(one) for c, d in self.parts(other))

    # ---- relations

    def draw_relations(self, document: int, like: Side | None = None) -> None:
        """Draws the relations of a document; those of a response resemble the key's."""
        rng, entities, relations = self.rng, self.entities[document], Relations()
        self.relations.append(relations)
        numbers = [i for i, entity in enumerate(entities) if entity]
        rng.shuffle(numbers)  # a plural has elements that come before it here, so there is no circle
        if like:
            relations.non_referring.update(
                i
                for j in like.relations[document].non_referring
                if (i := self.counterpart(like, document, j)) in numbers
            )
        relations.non_referring.update(i for i in numbers if rng.random() < 0.07)
        if like:
            for plural, elements in like.relations[document].elements.items():
                found = [
                    self.counterpart(like, document, i)
                    for i in (plural, *elements)
                    if i == plural or rng.random() < 0.8
                ]
                self.add_elements(relations, numbers, found[0], found[1:])
        for _ in range(rng.randint(0, 1 if like else 3) if len(numbers) > 1 else 0):
            plural = rng.choice(numbers)
            drawn: list[int | None] = [*rng.sample(numbers, min(len(numbers), rng.randint(1, 3)))]
            if relations.elements and rng.random() < 0.25:  # of which another plural has the same
                drawn = [*rng.choice(list(relations.elements.values()))]
            self.add_elements(relations, numbers, plural, drawn)
        wanted: list[tuple[Mention | None, int | None, Mention | None]] = []
        for _, anaphor, target, anchor in like.relations[document].bridges if like else ():
            if rng.random() < 0.85:
                target_here = self.counterpart(like, document, target) if like else target
                wanted.append((anaphor, target_here if rng.random() < 0.85 else None, anchor))
        wanted += [(None, None, None)] * (rng.randint(0, 1 if like else 4) if len(numbers) > 1 else 0)
        for of, to, at in wanted:
            sources = [i for i in numbers if of is None or of in entities[i]]
            targets = [i for i in numbers if to in (None, i)]
            source, to = (rng.choice(some) if some else None for some in (sources, targets))
            if source is not None and to is not None and source != to:
                chosen = of if of and of in entities[source] else rng.choice(entities[source])
                chosen_anchor = at if at and at in entities[to] else rng.choice(entities[to])
                relations.bridges.append((source, chosen, to, chosen_anchor))

    def add_elements(
        self, relations: Relations, order: list[int], plural: int | None, elements: list[int | None]
    ) -> None:
        if plural in order and plural is not None and plural not in relations.elements:
            before = order[: order.index(plural)]
            if kept := [element for element in dict.fromkeys(elements) if element is not None and element in before]:
                relations.elements[plural] = kept

    def counterpart(self, key: Side, document: int, number: int) -> int | None:
        """The entity here that has most mentions of an entity of the key."""
        mentions = key.entities[document][number]
        common = [sum(mention in entity for mention in mentions) for entity in self.entities[document]]
        return common.index(max(common)) if any(common) else None


def random_pair(rng: random.Random, size: str = "small", **features: bool | None) -> tuple[str, str]:
    """The texts of a key and a response file."""
    want, extent = Features(**features), SIZES[size]  # type: ignore[arg-type]
    key = _draw_key(rng, want, extent)
    return _written(rng, key, _draw_response(rng, want, extent, key))


def _draw_key(rng: random.Random, want: Features, size: Size) -> Side:
    key, uid = Side(rng, want, size), 0
    for _ in range(rng.randint(*size.documents) if want.newdoc else 1):
        start = len(key.sentences)
        for _ in range(rng.randint(*size.sentences)):
            sentence, length = len(key.sentences), rng.randint(*size.words)
            key.sentences.append([])
            for major in range(1, length + 1):
                uid += 1
                key.sentences[-1].append(Token(uid, major, f"w{rng.randint(1, 30)}", False, ()))
            for _ in range(rng.randint(0, 1 + length // 4) if want.zeros else 0):
                uid += 1
                deps = key.draw_deps(uid, key.parents(sentence))
                key.insert_empty(sentence, Token(uid, rng.randint(0, length), "_", True, deps))
            for _ in range(rng.randint(10, 12) if want.minors and rng.random() < 0.5 else 0):
                uid += 1
                deps = key.draw_deps(uid, key.parents(sentence))
                key.insert_empty(sentence, Token(uid, length // 2, "_", True, deps))
            tokens = key.sentences[sentence]  # some overt words have DEPS too
            for i, token in enumerate(tokens):
                if not token.empty and rng.random() < 0.1:
                    tokens[i] = replace(token, deps=((0, "dep"),))
        key.documents.append(range(start, len(key.sentences)))
        _draw_entities(key)
    return key


def _draw_entities(key: Side) -> None:
    """Draws the entities of the next document of a key."""
    rng, document = key.rng, len(key.entities)
    key.entities.append([])
    for _ in range(rng.randint(*key.size.entities)):
        entity: list[Mention] = []
        key.entities[document].append(entity)
        for _ in range(max(rng.randint(*key.size.mentions), 1 if key.want.singletons else 2)):
            key.add(document, entity, key.repeat_mention(document) or key.draw_mention(document))
    if key.want.relations:
        key.draw_relations(document)


def _draw_response(rng: random.Random, want: Features, size: Size, key: Side) -> Side:
    response = Side(rng, want, size)
    response.documents = key.documents
    uid = max(token.uid for tokens in key.sentences for token in tokens)
    for sentence, tokens in enumerate(key.sentences):
        if want.same_empty:
            response.sentences.append(list(tokens))
            continue
        response.sentences.append([token for token in tokens if not token.empty])
        length = len(response.sentences[-1])
        kept = [token for token in tokens if token.empty and rng.random() > 0.1]
        for _ in range(rng.choice((0, 0, 1)) if want.zeros else 0):
            uid += 1
            deps = key.draw_deps(uid, key.parents(sentence))
            kept.append(Token(uid, rng.randint(0, length), "_", True, deps))
        known = {0} | {token.uid for token in response.sentences[-1] + kept}
        for token in kept:
            major = rng.randint(0, length) if rng.random() < 0.2 else token.major
            deps = key.draw_deps(token.uid, key.parents(sentence)) if rng.random() < 0.2 else token.deps
            deps = tuple((parent if parent in known else 0, relation) for parent, relation in deps)
            response.insert_empty(sentence, replace(token, major=major, deps=deps))
    _derive_entities(response, key)
    return response


def _derive_entities(response: Side, key: Side) -> None:
    """Draws the entities of all documents of a response."""
    rng = response.rng
    for document, entities in enumerate(key.entities):
        response.entities.append([])
        for entity in _regrouped(rng, entities):
            target: list[Mention] = []
            response.entities[document].append(target)
            for mention in entity:
                if rng.random() > 0.12:
                    changed = _changed(rng, response, mention, len(key.parts(mention)) == 1)
                    if changed:
                        response.add(document, target, changed)
            if rng.random() < 0.25:
                extra = response.repeat_mention(document) or response.draw_mention(document)
                response.add(document, target, extra)
        if response.want.relations:
            response.draw_relations(document, key)


@dataclass
class UaSide:
    """One CoNLL-UA file: identity and discourse deixis over the same sentences."""

    identity: Side
    deixis: Side
    text: str


def random_ua_pair(rng: random.Random, size: str = "small", **features: bool) -> tuple[UaSide, UaSide]:
    """A key and a response in CoNLL-UA, each with the model that its text was written from."""
    want = Features(**{"relations": True, "zeros": False, **features}, nested=True)
    key = _draw_key(rng, want, SIZES[size])
    response = _draw_response(rng, want, SIZES[size], key)
    layers = []
    for side, like in ((key, None), (response, key)):
        layer = Side(rng, want, SIZES[size])
        layer.sentences, layer.documents = side.sentences, side.documents
        layers.append(layer)
        if like is None:
            for _ in layer.documents:
                _draw_entities(layer)
        else:
            _derive_entities(layer, layers[0])
    through = rng.random() < 0.5 and not want.zeros  # words are numbered through the document
    return (
        UaSide(key, layers[0], _ua_text(rng, key, layers[0], through)),
        UaSide(response, layers[1], _ua_text(rng, response, layers[1], through)),
    )


def minimal_words(side: Side, mention: Mention) -> list[int]:
    """The words of ``Min``: none, the head, or the head and words after it that follow each other."""
    tokens = {token.uid: token for token in side.sentences[mention.sentence]}
    if tokens[mention.head].empty or len(mention.words) % 3 == 0 or any(token.empty for token in tokens.values()):
        return []
    words = [mention.head]
    while len(words) < len(mention.words) - 1 and words[-1] + 1 in mention.words:
        words.append(words[-1] + 1)  # the uids of the words of a sentence follow each other
    return words


def _ua_text(rng: random.Random, identity: Side, deixis: Side, through: bool) -> str:
    columns = (
        "ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY BRIDGING DISCOURSE_DEIXIS REFERENCE NOM_SEM"
    )
    lines = [f"# global.columns = {columns}"]
    for number, document in enumerate(identity.documents):
        lines.append(f"# newdoc id = doc{number}")
        cells, bridging, markables = _ua_cells(rng, identity, number, "m")
        deictic, _, _ = _ua_cells(rng, deixis, number, "d")
        before = 0
        for sentence in document:
            lines.append(f"# sent_id = s{sentence}")
            ids = identity.ids(sentence)
            for token in identity.sentences[sentence]:
                name = str(before + token.major) if through else ids[token.uid]
                deps = "|".join(f"{ids[parent]}:{relation}" for parent, relation in token.deps) or "_"
                links = "".join(
                    f"(MarkableID={markables[a]}|Rel=part|MentionAnchor={markables[b]})"
                    for a, b in bridging.get(token.uid, ())
                )
                row = (
                    name,
                    token.form,
                    *"______",
                    deps,
                    "_",
                    cells[token.uid],
                    links or "_",
                    deictic[token.uid],
                    "_",
                    "_",
                )
                lines.append("\t".join(row))
            before += sum(not token.empty for token in identity.sentences[sentence])
            lines.append("")
    return "\n".join(lines) + "\n"


Occurrence = tuple[int, int]  # entity, and number of the mention in it


def _ua_cells(
    rng: random.Random, side: Side, document: int, prefix: str
) -> tuple[dict[int, str], dict[int, list[tuple[Occurrence, Occurrence]]], dict[Occurrence, str]]:
    """By uid the cells of a layer, and the bridging links that begin there; the ids of markables."""
    relations, entities = side.relations[document], side.entities[document]
    names = [f"e{i}{'-Pseudo' * (i in relations.non_referring)}" for i in range(len(entities))]
    element_of: dict[int, list[str]] = {}
    for plural, elements in relations.elements.items():
        for element in elements:
            element_of.setdefault(element, []).append(names[plural])
    parts: dict[int, list[tuple[int, int, str]]] = {sentence: [] for sentence in side.documents[document]}
    markables: dict[Occurrence, str] = {}
    numbers = rng.sample(range(1, 1000), sum(map(len, entities)))
    before: dict[int, int] = {}
    for sentence in side.documents[document]:
        words = [token.uid for token in side.sentences[sentence] if not token.empty]
        before.update({uid: len(before) + n for n, uid in enumerate(words, 1)})
    for i, entity in enumerate(entities):
        for n, mention in enumerate(entity):
            markables[i, n] = f"{prefix}{numbers.pop()}"
            fields = [f"EntityID={names[i]}", f"MarkableID={markables[i, n]}"]
            if words := minimal_words(side, mention):
                fields.append("Min=" + ",".join(str(before[word]) for word in dict.fromkeys((words[0], words[-1]))))
            if n == 0 and i in element_of:
                fields.append("ElementOf=" + ",".join(element_of[i]))
            parts[mention.sentence] += [(first, last, "|".join(fields)) for first, last in side.parts(mention)]
    cells: dict[int, str] = {}
    for sentence, listed in parts.items():
        for at, uid in enumerate(side.order(sentence)):
            closing = ")" * sum(first < last == at for first, last, _ in listed)
            opening = sorted((part for part in listed if part[0] == at), key=lambda part: -part[1])
            cells[uid] = closing + "".join(f"({text}{')' * (last == at)}" for _, last, text in opening) or "_"
    bridging: dict[int, list[tuple[Occurrence, Occurrence]]] = {}
    for source, anaphor, target, anchor in relations.bridges:
        first = next(uid for uid in side.order(anaphor.sentence) if uid in anaphor.words)
        link = (source, entities[source].index(anaphor)), (target, entities[target].index(anchor))
        bridging.setdefault(first, []).append(link)
    return cells, bridging, markables


def _regrouped(rng: random.Random, entities: Entities) -> Entities:
    result = [list(entity) for entity in entities if rng.random() > 0.08]
    for entity in list(result):
        chance = rng.random()
        if chance < 0.12 and len(entity) > 1:  # split
            result.append(entity[len(entity) // 2 :])
            del entity[len(entity) // 2 :]
        elif chance < 0.22:  # merge
            other = rng.choice(result)
            if other is not entity:
                other.extend(entity)
                entity.clear()
        elif chance < 0.4 and entity:  # move one mention
            rng.choice(result).append(entity.pop())
    rng.shuffle(result)
    return result


def _changed(rng: random.Random, side: Side, mention: Mention, whole: bool) -> Mention | None:
    """The mention among the nodes of the response, with a moved boundary or another head now and then."""
    order = side.order(mention.sentence)
    positions = [i for i, uid in enumerate(order) if uid in mention.words]
    if not positions:
        return None
    if whole:  # what was continuous stays so, unless an empty node was carried far away
        positions = [i for i in range(positions[0], positions[-1] + 1) if i - positions[0] < 8]
    for move in (1, -1):
        if rng.random() < 0.15:
            edge = positions[-1] + 1 if move == 1 else positions[0] - 1
            if rng.random() < 0.5 and len(positions) > 1:
                positions.pop(-1 if move == 1 else 0)
            elif 0 <= edge < len(order):
                positions.insert(len(positions) if move == 1 else 0, edge)
    words = [order[i] for i in positions]
    head = mention.head if mention.head in words and rng.random() > 0.12 else rng.choice(words)
    return Mention(mention.sentence, frozenset(words), head)


# ---- writing


def _written(rng: random.Random, key: Side, response: Side) -> tuple[str, str]:
    """Both files: what must be equal (comments, forms, trees) is drawn once."""
    want = key.want
    names = [f"doc{number}" if rng.random() < 0.7 else None for number in range(len(key.documents))]
    if want.merged_documents and len(names) > 1:
        names[-1] = names[0] = "doc0"
    comments: list[list[str]] = [[] for _ in key.sentences]
    rows: list[Tree] = []
    with_ids = rng.random() < 0.9
    for number, (document, name) in enumerate(zip(key.documents, names, strict=True)):
        if want.newdoc:
            comments[document[0]].append(f"# newdoc id = {name}" if name else "# newdoc")
        for sentence in document:
            if with_ids:
                comments[sentence].append(f"# sent_id = d{number}s{sentence}")
            words = [t for t in key.sentences[sentence] if not t.empty]
            comments[sentence].append("# text = " + " ".join(token.form for token in words))
            heads = [rng.randrange(token.major) for token in words]  # a word attaches to one before it
            rows.append({t.uid: (str(h), "dep") for t, h in zip(words, heads, strict=True)})
    grp = [rng.random() < 0.3 if want.grp is None else want.grp for _ in range(2)]
    return _text(rng, key, grp[0], comments, rows), _text(rng, response, grp[1], comments, rows)


def _text(rng: random.Random, side: Side, grp: bool, comments: list[list[str]], rows: list[Tree]) -> str:
    fields = ["GRP" if grp else "eid", "etype", "head", "other"]
    if rng.random() < 0.5:
        rng.shuffle(fields)
    lines: list[str] = []
    pool = [f"e{number}" for number in range(1, 4 + sum(map(len, side.entities)))]
    rng.shuffle(pool)
    shared = list(pool)
    for number, (document, entities) in enumerate(zip(side.documents, side.entities, strict=True)):
        if grp or side.want.shared_eids:
            pool = list(shared)
        chunks: dict[int, list[_Part]] = {sentence: [] for sentence in document}
        eids = [pool.pop() for _ in entities]
        for entity, eid in zip(entities, eids, strict=True):
            for mention in entity:
                chunks[mention.sentence] += _mention_parts(rng, side, mention, eid, fields)
        links = _links(rng, side, number, eids) if side.want.relations else {}
        for sentence in document:
            lines += comments[sentence]
            if sentence == document[0]:
                last = number == len(side.documents) - 1
                stray = side.want.late_header and not last
                lines.append("# global.Entity = " + ("etype-eid-other-head" if stray else "-".join(fields)))
            lines += _sentence_lines(rng, side, sentence, chunks[sentence], rows[sentence], links)
    return "\n".join(lines) + "\n"


Links = dict[int, list[str]]  # uid -> items of MISC


def _links(rng: random.Random, side: Side, document: int, eids: list[str]) -> Links:
    """``Bridge`` and ``SplitAnte`` of a document; each stands where a mention of the anaphor's entity begins."""
    found: dict[tuple[str, int], list[str]] = {}

    def first_word(mention: Mention) -> int:
        return next(uid for uid in side.order(mention.sentence) if uid in mention.words)

    for plural, elements in side.relations[document].elements.items():
        at = first_word(rng.choice(side.entities[document][plural]))
        found.setdefault(("SplitAnte", at), []).extend(f"{eids[i]}<{eids[plural]}" for i in elements)
    for source, anaphor, target, _ in side.relations[document].bridges:
        label = rng.choice(("", ":part", ":subset"))
        found.setdefault(("Bridge", first_word(anaphor)), []).append(f"{eids[target]}<{eids[source]}{label}")
    links: Links = {}
    for (name, uid), values in found.items():
        links.setdefault(uid, []).append(f"{name}={','.join(values)}")
    return links


@dataclass(frozen=True)
class _Part:
    first: int
    last: int
    opening: str  # without brackets
    closing: str


def _findable(parent: str) -> str:
    """The official loader looks for an empty parent by its printed float, so it cannot find 2.10."""
    return "0" if "." in parent and str(float(parent)) != parent else parent


def _mention_parts(rng: random.Random, side: Side, mention: Mention, eid: str, fields: list[str]) -> list[_Part]:
    runs = side.parts(mention)
    words = [uid for uid in side.order(mention.sentence) if uid in mention.words]
    values = {"etype": "person" if eid < "e5" else "place", "head": str(words.index(mention.head) + 1)}
    values["other"] = rng.choice(("", "note:x"))
    result = []
    for number, (first, last) in enumerate(runs, 1):
        label = f"{eid}[{number}/{len(runs)}]" if len(runs) > 1 else eid
        opening = "-".join(values.get(name, label) for name in fields)
        result.append(_Part(first, last, opening.rstrip("-"), label))
    return result


def _sentence_lines(
    rng: random.Random, side: Side, sentence: int, parts: list[_Part], rows: Tree, links: Links
) -> list[str]:
    ids, position = side.ids(sentence), {uid: i for i, uid in enumerate(side.order(sentence))}
    words = [token for token in side.sentences[sentence] if not token.empty]
    lines: list[str] = []
    for token in side.sentences[sentence]:
        at = position[token.uid]
        # Shorter ones close first and longer ones open first; equals close in reverse.
        closing = sorted((p for p in reversed(parts) if p.first < p.last == at), key=lambda p: -p.first)
        opening = sorted((p for p in parts if at == p.first < p.last), key=lambda p: -p.last)
        single = [f"({p.opening})" for p in parts if at == p.first == p.last]
        annotation = [f"{p.closing})" for p in closing] + [f"({p.opening}" for p in opening]
        early = rng.random() < 0.2 and not any("[" in chunk for chunk in single)
        entity = "".join(single + annotation if early else annotation + single)
        misc = [item for item in (f"Entity={entity}" if entity else "", rng.choice(("", "", "X=1"))) if item]
        misc += links.get(token.uid, ())
        rng.shuffle(misc)
        deps = "|".join(f"{_findable(ids[parent])}:{relation}" for parent, relation in token.deps) or "_"
        head, deprel = ("_", "_") if token.empty else rows[token.uid]
        odd = not token.empty and token.major % 2 and token.major < len(words)
        if side.want.multiword_tokens and odd and rng.random() < 0.05:
            lines.append("\t".join((f"{token.major}-{token.major + 1}", "mwt", *"_______", "Entity=(e1)")))
        columns = (ids[token.uid], token.form, "_", "X", "_", "_", head, deprel, deps, "|".join(misc) or "_")
        lines.append("\t".join(columns))
    return [*lines, ""]
