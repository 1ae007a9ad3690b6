"""Documents and mentions: what readers make and everything else reads."""

from __future__ import annotations

from bisect import bisect_left
from typing import NamedTuple

from .positions import MINOR_MASK, SENTENCE_SHIFT, coordinates, node_name, shown_id

Dependency = tuple[int, str]  # (position of the parent, relation with its subtypes)


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
