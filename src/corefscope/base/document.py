"""Documents and mentions: what readers make and everything else reads.

A **position** is one int that orders all words and empty nodes of a file:
``sentence << 40 | word << 20 | minor``, so that 3 < 3.1 < 3.10 < 4 and both files count alike.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from typing import NamedTuple

SENTENCE_SHIFT = 40
WORD_SHIFT = 20
NEXT_WORD = 1 << WORD_SHIFT
MINOR_MASK = NEXT_WORD - 1
WORD_MASK = (1 << SENTENCE_SHIFT) - 1
LONGEST = (1 << SENTENCE_SHIFT - WORD_SHIFT) - 1
"""Words of a sentence that positions can tell apart."""

Dependency = tuple[int, str]  # (position of the parent, relation with its subtypes)


def position(sentence: int, word: int, minor: int = 0) -> int:
    """The int that stands for a word, or with ``minor`` for an empty node.

    >>> position(1, 3) < position(1, 3, 1) < position(1, 3, 10) < position(1, 4) < position(2, 1)
    True
    """
    return sentence << SENTENCE_SHIFT | word << WORD_SHIFT | minor


def parse_position(sentence: int, name: str) -> int | None:
    """The position that a CoNLL-U id such as ``3`` or ``3.1`` names; None if it is no such id.

    >>> parse_position(1, "3.10") == position(1, 3, 10), parse_position(1, "3.0"), parse_position(1, "x")
    (True, None, None)
    """
    word, dot, minor = name.partition(".")
    if not (word.isascii() and word.isdigit() and len(word) < 7):
        return None
    if not dot:
        return position(sentence, int(word))
    if not (minor.isascii() and minor.isdigit() and len(minor) < 7 and int(minor)):
        return None
    return position(sentence, int(word), int(minor))


def coordinates(place: int) -> tuple[int, int, int]:
    """The (sentence, word, minor) of a position: the inverse of :func:`position`."""
    return place >> SENTENCE_SHIFT, (place & WORD_MASK) >> WORD_SHIFT, place & MINOR_MASK


def node_name(place: int) -> str:
    """The CoNLL-U id of the word or empty node at a position.

    >>> node_name(position(7, 3)), node_name(position(7, 3, 10))
    ('3', '3.10')
    """
    _, word, minor = coordinates(place)
    return f"{word}.{minor}" if minor else str(word)


def decimal(place: int) -> int:
    """The position of an empty node whose id is read as a decimal number: that of 3.1 and of 3.10 is the same.

    >>> decimal(position(1, 3, 1)) == decimal(position(1, 3, 10)) < decimal(position(1, 3, 2))
    True
    """
    minor = place & MINOR_MASK
    # 1 and 10 become 100000, 11 becomes 110000: as many digits as a minor can have.
    return place - minor + int(str(minor).ljust(6, "0")) if minor else place


def id_at(place: int) -> str:
    """The id that a position stands for where mentions have no words, as JSON."""
    number = place >> WORD_SHIFT
    return number.to_bytes((number.bit_length() + 7) // 8, "big").decode("utf-8", errors="replace")


def shown_id(place: int) -> str:
    """The same id, to be shown: a string without its quotes."""
    import json

    text = id_at(place)
    try:
        return str(json.loads(text)) if text.startswith('"') else text
    except ValueError:
        return text


def runs_of(numbers: Iterable[int]) -> list[tuple[int, int]]:
    """First and last of runs of numbers that follow each other.

    >>> runs_of([3, 4, 7])
    [(3, 4), (7, 7)]
    """
    runs: list[tuple[int, int]] = []
    for number in sorted(set(numbers)):
        if runs and runs[-1][1] == number - 1:
            runs[-1] = runs[-1][0], number
        else:
            runs.append((number, number))
    return runs


class Mention(NamedTuple):
    """A set of words with a head; equality never depends on an option."""

    positions: tuple[int, ...]
    """Increasing; empty nodes inside the span are part of it. A word is repeated only where the annotation has
    parts of one discontinuous mention overlap."""
    head: int
    dependencies: tuple[Dependency, ...] = ()
    """The enhanced dependencies of the head, read only where they matter: on zeros."""

    @property
    def is_zero(self) -> bool:
        """Whether the head is an empty node, whatever else the span holds."""
        return self.head & MINOR_MASK != 0


def mention_order(mention: Mention) -> tuple[int, int, int]:
    """By first word, then longer first, then by last word: how the mentions of an entity stand in a document."""
    positions = mention.positions
    return positions[0], -len(positions), positions[-1]


def text_order(mention: Mention) -> tuple[int, int, int]:
    """By first word, then by last word, then shorter first: which of two mentions comes before the other."""
    positions = mention.positions
    return positions[0], positions[-1], len(positions)


def unbroken(words: tuple[int, ...]) -> bool:
    """Whether these are words that follow each other, without empty nodes."""
    return not words[0] & MINOR_MASK and words == tuple(range(words[0], words[-1] + 1, NEXT_WORD))


def common_words(one: tuple[int, ...], other: tuple[int, ...], both_unbroken: bool = False) -> int:
    """|A ∩ B| of two spans; of two that are known to be unbroken, by arithmetic.

    >>> common_words((NEXT_WORD, 2 * NEXT_WORD), (2 * NEXT_WORD, 3 * NEXT_WORD), both_unbroken=True)
    1
    """
    if both_unbroken:
        return max((min(one[-1], other[-1]) - max(one[0], other[0]) >> WORD_SHIFT) + 1, 0)
    return len(set(one).intersection(other))


Entity = tuple[Mention, ...]


def is_comment(line: str) -> bool:
    r"""Whether a line of a file is a comment; a word may be ``#``, too.

    >>> is_comment("# newdoc"), is_comment("#\t(3)")
    (True, False)
    """
    return line[:1] == "#" and line[1:2] != "\t"


class Sentence(NamedTuple):
    """What key and response must agree on, and where it stands."""

    id: str
    number: int
    """1-based, in the whole file."""
    line: int
    """Where it begins in the file."""
    words: list[str]
    """One ``ID⇥FORM`` per ordinary word."""
    unusual: list[str]
    """The ids of empty nodes (2.1) and multiword tokens (2-3)."""
    text: str
    """Its lines as they stand in the file."""

    @property
    def empty(self) -> list[str]:
        """The ids of its empty nodes."""
        return [name for name in self.unusual if "." in name]

    def columns(self, name: str) -> list[str]:
        """The columns of the word, empty node or multiword token of that id."""
        return self.text.split("\n")[self._at(name)].split("\t")

    def line_of(self, place: int) -> int:
        """The line of the file on which a word or empty node stands."""
        return self.line + self._at(node_name(place))

    def _at(self, name: str) -> int:
        lines = self.text.split("\n")
        rows = [at for at, line in enumerate(lines) if not is_comment(line)]
        if len(rows) == len(self.words) and name.isdigit():
            return rows[int(name) - 1]  # a line for each word, whatever words are called
        return next((at for at in rows if lines[at].startswith(name + "\t")), 0)


class Document:
    """One document of one side: entities over sentences.

    Entities are never empty and stand in the order of their first words (which comes first of those that begin with
    the same word is the format's affair), the mentions of an entity in the order of their first words (longer first).
    Readers guarantee it; transformations keep it.
    """

    __slots__ = (
        "entities",
        "entity_ids",
        "entity_types",
        "id",
        "largest_minor",
        "local_ids",
        "path",
        "repeats_words",
        "sentences",
    )

    def __init__(
        self,
        id: str,  # noqa: A002  (it is what a document's name is called)
        entities: tuple[Entity, ...],
        *,
        entity_ids: tuple[str, ...] = (),
        entity_types: tuple[str, ...] = (),
        sentences: tuple[Sentence, ...] = (),
        path: str = "",
        largest_minor: int = 0,
        repeats_words: bool = False,
        local_ids: bool = False,
    ) -> None:
        self.id = id
        self.entities = entities
        self.entity_ids = entity_ids
        self.entity_types = entity_types
        self.sentences = sentences
        self.path = path
        self.largest_minor = largest_minor
        """The largest number after the point in the id of an empty node."""
        self.repeats_words = repeats_words
        """Whether parts of some discontinuous mention overlap."""
        self.local_ids = local_ids
        """Whether the ids of entities mean nothing in other documents."""

    def replace_entities(self, kept: list[int], entities: tuple[Entity, ...]) -> Document:
        """The same document with other entities; ``kept`` says which of the old each one continues."""
        return Document(
            self.id,
            entities,
            entity_ids=tuple(self.entity_ids[i] for i in kept) if self.entity_ids else (),
            entity_types=tuple(self.entity_types[i] for i in kept) if self.entity_types else (),
            sentences=self.sentences,
            path=self.path,
            largest_minor=self.largest_minor,
            repeats_words=self.repeats_words,
            local_ids=self.local_ids,
        )

    def columns(self, place: int) -> list[str]:
        """The ten CoNLL-U columns of the word or empty node at a position: for reports."""
        return self.sentence_of(place).columns(node_name(place))

    def line_of(self, place: int) -> int:
        """The line of the file on which a word or empty node stands."""
        return self.sentence_of(place).line_of(place) if self.sentences else 0

    def form(self, place: int) -> str:
        """The word at a position; of an empty node its form, ``_`` if it has none; without words, the id."""
        if not self.sentences:
            return shown_id(place)
        _, word, minor = coordinates(place)
        if minor:
            return self.columns(place)[1]
        return self.sentence_of(place).words[word - 1].partition("\t")[2]

    def words_of(self, mention: Mention) -> list[str]:
        """The words of a mention, in order."""
        return [self.form(place) for place in mention.positions]

    def sentence_of(self, place: int) -> Sentence:
        """The sentence in which a position is."""
        number = place >> SENTENCE_SHIFT
        return self.sentences[bisect_left(self.sentences, number, key=lambda sentence: sentence.number)]
