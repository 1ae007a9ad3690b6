"""Documents: sentences, and entities as tuples of mentions.

Readers make them, and everything else reads them. A mention is stored as first and last word and head; ``positions``
is computed lazily. Fields of a document that few scores need are lazy, too (:class:`LazyField`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import compress
from operator import itemgetter, lt
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar, overload

from .naming import brief_fields
from .positions import (
    FAR,
    LONG,
    MINOR_MASK,
    NEXT_WORD,
    SENTENCE_SHIFT,
    WORD_SHIFT,
    common_to,
    coordinates,
    ends_of,
    node_name,
    parse_position,
    positions_in,
    runs_in,
    shown_id,
    word_positions,
    words_in,
)

if TYPE_CHECKING:
    from .errors import InputError


Dependency = tuple[int, str]  # (position of the parent, relation with its subtypes)


class _Place(NamedTuple):
    """The stored fields of a mention; their order is the order of mentions in a document."""

    first: int
    shortness: int
    """Minus the number of words, so that of mentions that begin alike the longer one comes first."""
    last: int
    head: int
    """The position of its head word."""
    dependencies: tuple[Dependency, ...] = ()
    """The enhanced dependencies of the head, read only where they matter: on zeros."""
    broken: tuple[int, ...] = ()
    """All positions as runs, if they are not words of one sentence that follow each other; else nothing."""


class Mention(_Place):
    """A set of words with a head; equality never depends on an option.

    Nearly all mentions are consecutive words: they are stored as first and last word, and ``positions`` is computed
    lazily.

    >>> Mention((NEXT_WORD, 2 * NEXT_WORD), head=NEXT_WORD)[:4] == (NEXT_WORD, -2, 2 * NEXT_WORD, NEXT_WORD)
    True
    """

    __slots__ = ()

    def __new__(cls, positions: Sequence[int], head: int, dependencies: tuple[Dependency, ...] = ()) -> Mention:
        """Of positions in order; a word is repeated only where parts of one discontinuous mention overlap."""
        place = positions[0], -len(positions), positions[-1], head, dependencies, runs_in(positions)
        return tuple.__new__(cls, place)

    @property
    def positions(self) -> tuple[int, ...]:
        """Increasing; empty nodes inside the span are part of it."""
        return positions_in(self[5]) if self[5] else tuple(range(self[0], self[2] + 1, NEXT_WORD))

    @property
    def runs(self) -> list[tuple[int, int]]:
        """First and last position of words that follow each other; an empty node is mostly a run of its own."""
        return list(zip(*ends_of(self[5]), strict=True)) if self[5] else [(self[0], self[2])]

    @property
    def order(self) -> tuple[int, ...]:
        """What sorts mentions that begin and end alike as their positions do."""
        return self[5] or (self[0], FAR - self[2])

    @property
    def size(self) -> int:
        """The number of words, empty nodes included."""
        return -self[1]

    @property
    def distinct(self) -> int:
        """The number of different words: a word is repeated where parts of a discontinuous mention overlap."""
        return len(set(self.positions)) if self[5] and self.repeats else -self[1]

    @property
    def repeats(self) -> bool:
        """Whether a word is repeated."""
        firsts, lasts = ends_of(self[5])
        return not all(map(lt, lasts, firsts[1:]))

    @property
    def minimum(self) -> tuple[int, ...]:
        """The minimal words (MIN), which a matching mention must have; none if the annotation names none."""
        return ()

    @property
    def is_zero(self) -> bool:
        """Whether the head is an empty node; the span may hold words, too."""
        return self[3] & MINOR_MASK != 0

    def common(self, other: Mention) -> int:
        """|A ∩ B|: the number of words that two mentions share."""
        if not (self[5] or other[5] or (self[0] | other[0]) & MINOR_MASK):
            return max((min(self[2], other[2]) - max(self[0], other[0]) >> WORD_SHIFT) + 1, 0)
        if LONG * (len(self[5]) + len(other[5])) > self.size + other.size or self.repeats or other.repeats:
            one, two = (words_in(each[5]) if each[5] else each.positions for each in (self, other))
            return len(frozenset(one).intersection(two))
        return common_to(self.runs, other.runs)

    def moved(self, place: Callable[[int], int]) -> Mention:
        """The same mention elsewhere: each of its positions as a function says."""
        dependencies = tuple((place(parent), relation) for parent, relation in self.dependencies)
        return Mention(tuple(map(place, self.positions)), place(self.head), dependencies)

    def _replace(self, **changed: Any) -> Mention:
        """The same mention with another head, other positions or other dependencies."""
        same = {"positions": self.positions, "head": self.head, "dependencies": self.dependencies}
        return type(self)(**{**same, **changed})

    def __getnewargs__(self) -> tuple[Any, ...]:
        """What it is made of, for ``copy`` and ``pickle``."""
        return self.positions, self.head, self.dependencies

    def __repr__(self) -> str:
        from .naming import brief

        shown = f"positions={brief(self.positions, 100)}, head={self.head}"
        return f"Mention({shown}, dependencies={brief(self.dependencies, 100)})"


class MentionWithMinimum(Mention):
    """A mention whose minimal words the annotation names.

    >>> mention = MentionWithMinimum((NEXT_WORD, 2 * NEXT_WORD), NEXT_WORD, minimum=(NEXT_WORD,))
    >>> mention.minimum == (NEXT_WORD,) == mention._replace(head=2 * NEXT_WORD).minimum
    True
    """

    __slots__ = ()

    def __new__(
        cls,
        positions: Sequence[int],
        head: int,
        dependencies: tuple[Dependency, ...] = (),
        minimum: tuple[int, ...] = (),
    ) -> MentionWithMinimum:
        """As any mention, with its minimum."""
        return tuple.__new__(cls, (*Mention(positions, head, dependencies), minimum))

    @property
    def minimum(self) -> tuple[int, ...]:
        """The minimal words."""
        return self[-1]

    def moved(self, place: Callable[[int], int]) -> MentionWithMinimum:
        """The same mention elsewhere, and its minimum alike."""
        positions, head, dependencies = super().moved(place).__getnewargs__()
        return MentionWithMinimum(positions, head, dependencies, tuple(map(place, self.minimum)))

    def _replace(self, **changed: Any) -> Mention:  # type: ignore[override]
        return super()._replace(**{"minimum": self.minimum, **changed})

    def __getnewargs__(self) -> tuple[Any, ...]:
        return *super().__getnewargs__(), self.minimum


def unbroken(first: int, last: int, head: int, minimum: tuple[int, ...] = ()) -> Mention:
    """The mention of consecutive words of one sentence: takes a quarter of the time that the class takes.

    >>> unbroken(NEXT_WORD, 2 * NEXT_WORD, NEXT_WORD) == Mention((NEXT_WORD, 2 * NEXT_WORD), NEXT_WORD)
    True
    """
    place = first, (first - last >> WORD_SHIFT) - 1, last, head, (), ()
    if minimum:
        return tuple.__new__(MentionWithMinimum, (*place, minimum))
    return tuple.__new__(Mention, place)


mention_order: itemgetter[tuple[int, int, int]] = itemgetter(0, 1, 2)
"""Sort key of the mentions of an entity: by first word, then longer first, then by last word."""
same_words: itemgetter[tuple[int, int, int]] = itemgetter(0, 2, 5)
"""Equal for mentions with the same words; heads are not compared."""


def text_order(mention: Mention) -> tuple[int, int, int]:
    """Sort key of the mentions of a text: by first word, then by last word, then shorter first."""
    return mention[0], mention[2], -mention[1]


S = TypeVar("S")
T = TypeVar("T")
Entity = tuple[Mention, ...]
Change = Callable[[Mention], Mention | None]
"""From a mention to its replacement; None if it is left out."""


class Relation(NamedTuple):
    """A relation other than identity: bridging, split antecedents, or a non-referring expression.

    Anaphor and targets are mentions, not numbers or ids of entities, so a relation needs no entity to exist: an
    anchor may be a singleton that is dropped before scoring, and a non-referring mention is in no entity at all.
    What transformations of a document do with its relations:

    - If entities are left out, merged, split or joined, relations stay as they are.
    - If mentions change (other positions, another head), so do those in relations.
    - If mentions are left out, relations lose them: a relation without anaphor is dropped, and so is one that had
      targets and has none left.
    """

    kind: str
    """``bridging``, ``split`` or ``non-referring``."""
    anaphor: Entity
    """One mention; of a plural with split antecedents, all mentions of its entity."""
    targets: tuple[Entity, ...] = ()
    """For each target all mentions of its entity, or the one mention if the format names a mention. Non-referring
    mentions have no target."""
    label: str = ""
    """What the annotation calls the relation, as ``subset``; empty if it does not say."""
    ids: tuple[str, ...] = ()
    """The ids in the file of the entities of the anaphor and of each target, where it names entities: two entities
    may have the same mentions."""

    def __repr__(self) -> str:
        return brief_fields(self)

    def changed(self, change: Change) -> Relation | None:
        """The same relation with every mention replaced by ``change(mention)``; None if too little of it is left."""
        anaphor = _changed(self.anaphor, change)
        targets = [_changed(target, change) for target in self.targets]
        if not anaphor or (targets and not any(targets)):
            return None
        ids = self.ids[:1] + tuple(compress(self.ids[1:], targets))
        return self._replace(anaphor=anaphor, targets=tuple(filter(None, targets)), ids=ids)


def _changed(mentions: Entity, change: Change) -> Entity:
    return tuple([new for mention in mentions if (new := change(mention)) is not None])


def changed_relations(relations: Iterable[Relation], change: Change) -> tuple[Relation, ...]:
    """The relations with every mention replaced; those of which too little is left are dropped."""
    return tuple(filter(None, [relation.changed(change) for relation in relations]))


def is_comment(line: str) -> bool:
    r"""Whether a line of a file is a comment; a word may be ``#``, too.

    >>> is_comment("# newdoc"), is_comment("#\t(3)")
    (True, False)
    """
    return line[:1] == "#" and line[1:2] != "\t"


def remembered(make: Callable[[S], T]) -> Callable[[S], T]:
    """A function that caches its latest result: a sentence is mostly asked about several times in a row.

    Arguments are not compared: another object is another argument.

    >>> listed = remembered(list)
    >>> listed(text := "ab") is listed(text), listed(["a"]) is listed(["a"])
    (True, False)
    """
    latest: list[tuple[S, T]] = []

    def made(of: S) -> T:
        known = latest[-1:]
        if not known or known[0][0] is not of:
            known = latest[:] = [(of, make(of))]
        return known[0][1]

    return made


class _Rows(NamedTuple):
    """The lines of a sentence that are not comments, and the first line of each id."""

    numbers: list[int]
    named: dict[str, int]
    """By id, the first column."""


@remembered
def _rows_of(lines: Sequence[str]) -> _Rows:
    numbers = [number for number, line in enumerate(lines) if not is_comment(line)]
    named = {lines[number].partition("\t")[0]: number for number in reversed(numbers) if "\t" in lines[number]}
    return _Rows(numbers, named)


class Sentence(NamedTuple):
    """A sentence: its words, which key and response must agree on, and its lines in the file."""

    id: str
    number: int
    """1-based, in the whole file."""
    line: int
    """Where it begins in the file."""
    words: Sequence[str]
    """One ``ID⇥FORM`` per ordinary word."""
    unusual: list[str]
    """The ids of empty nodes (2.1) and multiword tokens (2-3)."""
    lines: Sequence[str] = ()
    """Its lines in the file."""

    def __repr__(self) -> str:
        return brief_fields(self)

    @property
    def text(self) -> str:
        """The same as one string."""
        return "\n".join(self.lines)

    @property
    def positions(self) -> range:
        """The positions of its ordinary words."""
        return word_positions(self.number, len(self.words))

    @property
    def empty(self) -> list[str]:
        """The ids of its empty nodes."""
        return [name for name in self.unusual if "." in name]

    @property
    def nodes(self) -> Sequence[int]:
        """The positions of its words and empty nodes, in the order of the text."""
        empty = [position for name in self.empty if (position := parse_position(self.number, name)) is not None]
        return sorted([*self.positions, *empty]) if empty else self.positions

    def columns(self, name: str) -> list[str]:
        """The columns of the word, empty node or multiword token of that id."""
        return self.lines[self.line_index(name)].split("\t")

    def conllu_of(self, word: int) -> list[str]:
        """The ten columns of CoNLL-U of an ordinary word, if its line has just these; else what there is of them."""
        lines, begins = self.lines, f"{word}\t"
        at = word - 1 - len(self.words)  # from the end, if there are lines of words only
        if not 0 < -at <= len(lines) or not lines[at].startswith(begins):
            at = _rows_of(lines).named.get(str(word), len(lines))
        return lines[at].split("\t") if at < len(lines) else []

    def line_of(self, position: int) -> int:
        """The line of a word or empty node in the file."""
        return self.line + self.line_index(node_name(position))

    def line_index(self, name: str) -> int:
        """The index among its lines of the word, empty node or multiword token of that id."""
        rows = _rows_of(self.lines)
        if len(rows.numbers) == len(self.words) and name.isdigit():
            return rows.numbers[int(name) - 1]  # a line for each word, in any numbering
        return rows.named.get(name, 0)


class TextLayout(Protocol):
    """The text of a document before its sentences are made: enough to count and to compare them."""

    def __len__(self) -> int:
        """The number of sentences."""

    def same_text(self, other: TextLayout | None) -> bool:
        """Whether another text certainly has the same sentences, numbers and words; if False, compare sentences."""


class EntityRows(Protocol):
    """The entities of a document as rows of a table."""

    @property
    def are_many(self) -> bool:
        """Whether there are so many rows that they are counted without making mentions."""

    def sizes(self) -> list[int]:
        """The number of mentions of each entity, in any order."""


class LazyField(Generic[T]):
    """A field that is set to a value, or to a function that makes the value when the field is first read.

    Copies of an object share the function, which is called once for all of them.
    """

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> LazyField[T]: ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
    def __get__(self, instance: object, owner: type) -> T | LazyField[T]:
        if instance is None:
            return self
        value: T = instance.__dict__[self._name]
        if callable(value):
            value = instance.__dict__[self._name] = value()
        return value

    def __set__(self, instance: object, value: T | Callable[[], T]) -> None:
        instance.__dict__[self._name] = cache(value) if callable(value) else value

    def apply(self, instance: object, change: Callable[[T], T]) -> T | Callable[[], T]:
        """The changed value; a function that makes it, if the field has not been read yet."""
        value = instance.__dict__[self._name]
        return (lambda: change(value())) if callable(value) else change(value)


class Document:
    """One document of one side: entities over sentences.

    Entities are never empty. They are sorted by their first words (entities that begin with the same word are in the
    order of their format), and the mentions of an entity by their first words, longer first. Readers guarantee it;
    transformations keep it. Documents are immutable: :meth:`_replace` makes another one.
    """

    id: str
    entities: LazyField[tuple[Entity, ...]] = LazyField()
    entity_ids: LazyField[tuple[str, ...]] = LazyField()
    entity_types: LazyField[tuple[str, ...]] = LazyField()
    sentences: LazyField[tuple[Sentence, ...]] = LazyField()
    path: str
    largest_minor: int
    """The largest number after the point in the id of an empty node."""
    repeats_words: bool
    """Whether parts of some discontinuous mention overlap."""
    local_ids: bool
    """Whether the ids of entities mean nothing in other documents."""
    counts_characters: bool
    """Whether its words are the characters of a text that has no tokens."""
    weights: Any
    """The weights of its entities, if they have some: ``EntityWeights`` of ``measures.weights``."""
    relations: LazyField[tuple[Relation, ...]] = LazyField()
    starts: tuple[int, ...]
    """Of documents that were joined into this one, the numbers of their first sentences."""
    anaphors: Callable[[Document, Mention], bool] | None
    """Tells which mentions are anaphors, for metrics that resolve them; if None, all are."""
    copied: Any
    """Copy report, if a language model printed the document: ``DocumentCopy`` of ``llm.copy_report``."""
    official: Document | None
    """The official reading: the same document as the reference program of its format reads it, if that differs.

    Readers set it where the program's way of reading is a quirk. Code that changes a document before it is scored
    changes both readings, as :meth:`both` does."""
    program: str
    """The name of the only rule set that takes the official reading; empty if all rule sets of programs do."""
    refusals: tuple[tuple[str, InputError], ...]
    """Layers that the program cannot read (``identity``, ``split``, ``bridging`` or ``minimum``), each with the error
    that it would stop with."""
    deixis: Document | None
    """Discourse deixis, where a format annotates it apart from identity: entities of their own over the same text."""
    layout: TextLayout | None
    """The text of its sentences, where these are made when they are first read."""
    rows: EntityRows | None
    """Its entities as rows of a table, where these are made when they are first read."""

    def __init__(
        self,
        id: str,  # noqa: A002
        entities: tuple[Entity, ...] | Callable[[], tuple[Entity, ...]],
        entity_ids: tuple[str, ...] | Callable[[], tuple[str, ...]] = (),
        entity_types: tuple[str, ...] | Callable[[], tuple[str, ...]] = (),
        sentences: tuple[Sentence, ...] | Callable[[], tuple[Sentence, ...]] = (),
        path: str = "",
        largest_minor: int = 0,
        repeats_words: bool = False,
        local_ids: bool = False,
        relations: tuple[Relation, ...] | Callable[[], tuple[Relation, ...]] = (),
        starts: tuple[int, ...] = (),
        anaphors: Callable[[Document, Mention], bool] | None = None,
        copied: Any = None,
        official: Document | None = None,
        program: str = "",
        refusals: tuple[tuple[str, InputError], ...] = (),
        deixis: Document | None = None,
        layout: TextLayout | None = None,
        rows: EntityRows | None = None,
        counts_characters: bool = False,
        weights: Any = None,
    ) -> None:
        self.id, self.path, self.program = id, path, program
        self.entities, self.entity_ids, self.entity_types = entities, entity_ids, entity_types
        self.sentences, self.starts, self.relations = sentences, starts, relations
        self.largest_minor, self.repeats_words, self.local_ids = largest_minor, repeats_words, local_ids
        self.anaphors, self.copied, self.official = anaphors, copied, official
        self.refusals, self.deixis, self.layout, self.rows = refusals, deixis, layout, rows
        self.counts_characters, self.weights = counts_characters, weights

    def _replace(self, **changed: object) -> Document:
        """The same document with other fields; the other lazy fields stay lazy."""
        if "sentences" in changed:
            changed = {"layout": None, **changed}
        if "entities" in changed:
            changed = {"rows": None, **changed}
        new = object.__new__(type(self))
        new.__dict__.update(self.__dict__)
        for name, value in changed.items():
            setattr(new, name, value)
        return new

    def __getstate__(self) -> dict[str, object]:
        """All fields, with lazy ones computed, and without what they are computed from."""
        return {name: getattr(self, name) for name in self.__dict__} | {"layout": None, "rows": None}

    def __eq__(self, other: object) -> bool:
        return self.__getstate__() == other.__getstate__() if isinstance(other, Document) else NotImplemented

    def __repr__(self) -> str:
        from .naming import brief

        held = f"{len(self.entities)} entities, {sum(self.sizes)} mentions, {self.sentence_count} sentences"
        return f"<Document {brief(self.id, 200)}: {held}>"

    @property
    def sizes(self) -> list[int]:
        """The number of mentions of each entity; if they are very many rows, in any order."""
        rows = self.rows
        return rows.sizes() if rows is not None and rows.are_many else list(map(len, self.entities))

    @property
    def sentence_count(self) -> int:
        """The number of sentences, counted without making them."""
        return len(self.layout or self.sentences)

    @property
    def has_words(self) -> bool:
        """Whether mentions are words of sentences, and not ids."""
        return self.layout is not None or bool(self.sentences)

    @property
    def deixis_layer(self) -> Document:
        """Its discourse deixis; if there is none, the same text without entities."""
        return self.deixis or self._replace(
            entities=(), entity_ids=(), entity_types=(), relations=(), refusals=(), official=None
        )

    def both(self, change: Callable[[Document], Document]) -> Document:
        """Change the document and its official reading."""
        new = change(self)
        return new._replace(official=change(self.official)) if self.official else new

    def replace_entities(
        self, kept: Sequence[int], entities: tuple[Entity, ...], change: Change | None = None
    ) -> Document:
        """The same document with other entities; ``kept`` has for each the number of the entity that it was.

        Ids and types of entities are kept by these numbers. ``change`` maps old mentions to new ones, if they differ.
        The official reading is dropped: it has other entities.
        """
        ids, types = self.entity_ids, self.entity_types
        new = self._replace(
            entities=entities,
            entity_ids=tuple([ids[i] for i in kept]) if ids else (),
            entity_types=tuple([types[i] for i in kept]) if types else (),
            official=None,
        )
        if change is not None:
            new.relations = Document.relations.apply(self, lambda relations: changed_relations(relations, change))
            new.deixis = self.deixis.both(lambda layer: layer.changed(change)) if self.deixis else None
        return new

    def changed(self, change: Change) -> Document:
        """The document with every mention replaced by ``change(mention)``; entities without mentions are dropped."""
        entities = [_changed(entity, change) for entity in self.entities]
        kept = [i for i, entity in enumerate(entities) if entity]
        return self.replace_entities(kept, tuple([entities[i] for i in kept]), change)

    def columns(self, position: int) -> list[str]:
        """The ten CoNLL-U columns of the word or empty node at a position: for reports."""
        return self.sentence_of(position).columns(node_name(position))

    def line_of(self, position: int) -> int:
        """The line of a word or empty node in the file."""
        return self.sentence_of(position).line_of(position) if self.sentences else 0

    def form(self, position: int) -> str:
        """The word at a position; of an empty node its form, ``_`` if it has none; without words, the id."""
        if not self.sentences:
            return shown_id(position)
        _, word, minor = coordinates(position)
        if minor:
            return self.columns(position)[1]
        return self.sentence_of(position).words[word - 1].partition("\t")[2]

    def words_of(self, mention: Mention) -> list[str]:
        """The words of a mention, in order."""
        return [self.form(position) for position in mention.positions]

    def sentence_of(self, position: int) -> Sentence:
        """The sentence in which a position is."""
        number, sentences = position >> SENTENCE_SHIFT, self.sentences
        index = number - sentences[0].number  # a fifth of the time of a search, if no number is left out
        if 0 <= index < len(sentences) and sentences[index].number == number:
            return sentences[index]
        from bisect import bisect_left  # to score asks for none

        return sentences[bisect_left(sentences, number, key=lambda sentence: sentence.number)]


TYPES = ("zero", "pronoun", "name", "nominal", "other")
PRONOMINAL = frozenset({"zero", "pronoun"})
PRO_FORMS = frozenset({"DET", "ADV", "ADJ", "NUM"})
NOMINAL = frozenset({"NOUN", "NUM", "ADJ", "SYM"})


def word_type(upos: str, feats: str) -> str:
    """The type of a mention whose head is an ordinary word, by the columns UPOS and FEATS of that word.

    In any language, in this order:

    - ``pronoun``: PRON; or DET, ADV, ADJ or NUM with a PronType other than Art (*his*, *this*, *there*);
    - ``name``: PROPN;
    - ``nominal``: NOUN, or NUM, ADJ and SYM used as one (*the second*, *the poor*);
    - ``other``: verbs, clauses, and all words of formats without UPOS.

    >>> word_type("PRON", "_"), word_type("DET", "Poss=Yes|PronType=Prs"), word_type("DET", "PronType=Art")
    ('pronoun', 'pronoun', 'other')
    """
    if upos == "PRON":
        return "pronoun"
    if upos in PRO_FORMS:
        kind = next((feature for feature in feats.split("|") if feature.startswith("PronType=")), "PronType=Art")
        if kind != "PronType=Art":
            return "pronoun"
    if upos == "PROPN":
        return "name"
    return "nominal" if upos in NOMINAL else "other"


def mention_type(document: Document, mention: Mention) -> str:
    """``zero`` if the head is an empty node; of mentions without words, ``other``; else :func:`word_type`."""
    if mention.is_zero:
        return "zero"
    if not document.sentences:
        return "other"
    columns = document.sentence_of(mention.head).conllu_of(coordinates(mention.head)[1])
    return word_type(columns[3], columns[5]) if len(columns) == 10 else "other"
