"""Random documents with nested mentions, noisy copies of them, and both written as CorefUD."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from typing import NamedTuple, TextIO

TYPES = ("abstract", "person", "object", "place", "event", "organization", "time", "animal", "substance")

# form, lemma, UPOS, XPOS, features, relation, rest of MISC: as dull, and as long, as real ones
VOCABULARY = (
    ("research", "research", "NOUN", "NN", "Number=Sing", "nsubj", ""),
    ("mechanisms", "mechanism", "NOUN", "NNS", "Number=Plur", "nmod", "MSeg=mechan-ism-s"),
    ("she", "she", "PRON", "PRP", "Case=Nom|Gender=Fem|Number=Sing|Person=3|PronType=Prs", "nsubj", ""),
    ("it", "it", "PRON", "PRP", "Case=Acc|Gender=Neut|Number=Sing|Person=3|PronType=Prs", "obj", ""),
    ("the", "the", "DET", "DT", "Definite=Def|PronType=Art", "det", ""),
    ("a", "a", "DET", "DT", "Definite=Ind|PronType=Art", "det", ""),
    ("of", "of", "ADP", "IN", "_", "case", ""),
    ("into", "into", "ADP", "IN", "_", "case", "MSeg=in-to"),
    ("and", "and", "CCONJ", "CC", "_", "cc", ""),
    ("considerable", "considerable", "ADJ", "JJ", "Degree=Pos", "amod", "MSeg=consider-able"),
    ("has", "have", "AUX", "VBZ", "Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin", "aux", "MSeg=ha-s"),
    ("provided", "provide", "VERB", "VBN", "Tense=Past|VerbForm=Part", "acl", "MSeg=provid-ed"),
    ("learning", "learning", "NOUN", "NN", "Number=Sing", "obj", "MSeg=learn-ing"),
    ("Vienna", "Vienna", "PROPN", "NNP", "Number=Sing", "obl", ""),
    ("often", "often", "ADV", "RB", "_", "advmod", ""),
    ("2012", "2012", "NUM", "CD", "NumForm=Digit|NumType=Card", "nummod", "SpaceAfter=No"),
    (",", ",", "PUNCT", ",", "_", "punct", ""),
    ("visits", "visit", "VERB", "VBZ", "Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin", "conj", ""),
)

METADATA = "\n".join(
    f"# meta::{name} = {value}"
    for name, value in {
        "author": "A Generator of Dull Documents",
        "dateCollected": "2018-09-11",
        "genre": "academic",
        "speakerCount": "0",
        "summary": "This document has been made up at random, to be about as long and as nested as a real one.",
        "title": "Second Language Processing Shows Nothing Whatsoever after Months of Exposure to Noise",
    }.items()
)


class Mention(NamedTuple):
    """A span of words in a sentence, all counted from 1; ``head`` is a word of it."""

    start: int
    end: int
    head: int
    entity: int


class Sentence(NamedTuple):
    """Words as places in the vocabulary, and the mentions over them."""

    words: list[int]
    mentions: list[Mention]


class Profile(NamedTuple):
    """What the documents look like."""

    words: int  # in a document
    density: float  # mentions per word
    fresh: float  # chance that a mention begins an entity
    longest: int = 27  # words of a sentence; the shortest has 9
    same_head: float = 0.013  # chance that a mention has the head of another


class Noise(NamedTuple):
    """What the response gets wrong: shares of the mentions, and of the entities."""

    dropped: float = 0.05
    added: float = 0.05
    shifted: float = 0.10
    moved: float = 0.05
    split: float = 0.05
    merged: float = 0.05


class Entities:
    """Numbers of entities for mention after mention: the rich get richer."""

    def __init__(self, random: Random, fresh: float) -> None:
        self._random, self._fresh = random, fresh
        self._used: list[int] = []
        self.count = 0

    def next(self) -> int:
        """The entity of the next mention."""
        if not self._used or self._random.random() < self._fresh:
            self._used.append(self.count)
            self.count += 1
        else:
            self._used.append(self._random.choice(self._used))
        return self._used[-1]


def make(random: Random, profile: Profile) -> list[Sentence]:
    """A document."""
    entities = Entities(random, profile.fresh)
    document: list[Sentence] = []
    words = 0
    while words < profile.words:
        size = min(random.randint(9, profile.longest), profile.words - words)
        sentence = Sentence([random.randrange(len(VOCABULARY)) for _ in range(size)], [])
        for _ in range(_round(random, size * profile.density)):
            found = _place(random, size, sentence.mentions, profile.same_head)
            if found:
                sentence.mentions.append(found._replace(entity=entities.next()))
        document.append(sentence)
        words += size
    return document


def disturb(random: Random, document: list[Sentence], noise: Noise) -> list[Sentence]:
    """A response to the document."""
    count = 1 + max((mention.entity for sentence in document for mention in sentence.mentions), default=0)
    merged = {i: random.randrange(count) for i in range(count) if random.random() < noise.merged}
    split = {i for i in range(count) if random.random() < noise.split}

    def renamed(entity: int) -> int:
        if random.random() < noise.moved:
            return random.randrange(2 * count)  # half of these are entities of their own
        if entity in split and random.random() < 0.5:
            return count + entity
        return merged.get(entity, entity)

    return [
        Sentence(sentence.words, [m._replace(entity=renamed(m.entity)) for m in _disturbed(random, sentence, noise)])
        for sentence in document
    ]


def _disturbed(random: Random, sentence: Sentence, noise: Noise) -> list[Mention]:
    """The mentions of a sentence with some dropped, some shifted and some added."""
    size, found = len(sentence.words), list(sentence.mentions)
    for mention in sentence.mentions:
        chance = random.random()
        if chance < noise.dropped:
            found.remove(mention)
        elif chance < noise.dropped + noise.shifted:
            found.remove(mention)
            found.append(_shifted(random, mention, size, found))
    for mention in sentence.mentions:
        if random.random() < noise.added and (new := _place(random, size, found, 0.02)):
            found.append(new._replace(entity=mention.entity))
    return found


def _shifted(random: Random, mention: Mention, size: int, others: list[Mention]) -> Mention:
    """The mention with one boundary shifted, its head still in it; as it is if there is no room."""
    start, end, head, _ = mention
    spans = [(start - 1, end), (start + 1, end), (start, end - 1), (start, end + 1), (start, end + 2)]
    random.shuffle(spans)
    for first, last in spans:
        if 1 <= first <= head <= last <= size and _fits(first, last, others):
            return mention._replace(start=first, end=last)
    return mention


def _place(random: Random, size: int, others: list[Mention], same_head: float) -> Mention | None:
    """A new mention, nested or apart, in a sentence of some size, if there is room."""
    if others and random.random() < same_head:
        return _around(random.choice(others), size, others)
    heads = {other.head for other in others}
    for _ in range(20):
        length = 1
        if random.random() > 0.4:
            length = min(2 + int(random.expovariate(0.55)), size)
        start = random.randint(1, size - length + 1)
        free = [word for word in range(start, start + length) if word not in heads]
        if free and _fits(start, start + length - 1, others):
            return Mention(start, start + length - 1, random.choice(free), 0)
    return None


def _around(mention: Mention, size: int, others: list[Mention]) -> Mention | None:
    """A longer mention with the same head, as a coordination has that of its first part, if there is room."""
    for end in range(mention.end + 2, size + 1):
        if _fits(mention.start, end, others):
            return mention._replace(end=end)
    return None


def _fits(start: int, end: int, others: Iterable[Mention]) -> bool:
    """Whether a span is new and crosses no other."""
    for first, last, _, _ in others:
        if (first, last) == (start, end) or first < start <= last < end or start < first <= end < last:
            return False
    return True


def _round(random: Random, number: float) -> int:
    """Up or down, right on average."""
    return int(number + random.random())


def write(file: TextIO, name: str, prefix: str, document: list[Sentence]) -> None:
    """Write a document as CorefUD; ``prefix`` begins the ids of its entities."""
    file.write(f"# newdoc id = {name}\n# global.Entity = eid-etype-head-other\n{METADATA}\n")
    for number, sentence in enumerate(document, 1):
        text = " ".join(VOCABULARY[word][0] for word in sentence.words)
        file.write(f"# sent_id = {name}-{number}\n# s_type = decl\n# s_prominence = 3\n# text = {text}\n")
        file.writelines(_lines(sentence, prefix))
        file.write("\n")


def _lines(sentence: Sentence, prefix: str) -> Iterator[str]:
    brackets = _brackets(sentence, prefix)
    root = 1 + len(sentence.words) // 2
    for at, word in enumerate(sentence.words, 1):
        form, lemma, upos, xpos, features, relation, rest = VOCABULARY[word]
        parent, relation = (root, relation) if at != root else (0, "root")
        entity = f"Entity={brackets[at]}" if at in brackets else ""
        misc = "|".join(filter(None, (entity, rest))) or "_"
        yield (
            f"{at}\t{form}\t{lemma}\t{upos}\t{xpos}\t{features}\t{parent}\t{relation}\t{parent}:{relation}\t{misc}\n"
        )


def _brackets(sentence: Sentence, prefix: str) -> dict[int, str]:
    """The value of ``Entity`` at each word: first what is closed, from the inside, then what is opened."""
    closed: dict[int, str] = {}
    opened: dict[int, str] = {}
    for start, end, head, entity in sorted(sentence.mentions, key=lambda mention: (-mention.start, mention.end)):
        bracket = f"({prefix}{entity}-{TYPES[entity % len(TYPES)]}-{head - start + 1}-"
        opened[start] = bracket + (")" if start == end else "") + opened.get(start, "")
        if start != end:
            closed[end] = closed.get(end, "") + f"{prefix}{entity})"
    return {at: closed.get(at, "") + opened.get(at, "") for at in {*closed, *opened}}
