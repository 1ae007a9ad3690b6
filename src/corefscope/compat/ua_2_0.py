"""Counts of the Universal Anaphora scorer 2.0, the library inside the CorefUD repository, quirks included.

A mention is a set of words. Mentions of the same words match. In partial match, others are paired one to one by their
minimal words, with SciPy's choice among ties. In CRAFT match, each response mention, in the order of the text, takes
the first key mention whose first chunk holds a chunk of it, if that is free. Identity metrics count paired mentions
as one, also among the elements of plurals; bridging and expressions that do not refer never do.

As in 1.0, entities with split antecedents pass through sets, and BLANC depends on the order of these. A zero is the
number of the word after it and its own number; the program has a string there, whose hash is another one in each run.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from functools import cached_property, partial

from ..anaphora.plurals import Partition, Plural
from ..core.document import Document, Mention
from ..core.errors import InputError
from ..core.matching.assignment import Row, assign
from ..core.positions import MINOR_MASK
from ..formats.ua.lines import MULTIWORD, LineNumbers, UASentence
from .ua_counts import HANDLING, DocumentRelations, UaSide

MATCHES = ("exact", "partial-corefud", "partial-craft")
HANDLING_2_0 = HANDLING._replace(running_weights=False)
Chunk = tuple[int, int]


class WordMention:
    """A mention that is equal to others of the same words, and has the hash of the program's."""

    __slots__ = ("_hash", "chunks", "is_zero", "minimum", "words")

    def __init__(
        self,
        words: Sequence[Hashable],
        minimum: frozenset[int] = frozenset(),
        chunks: Sequence[Chunk] = (),
        *,
        is_zero: bool = False,
    ) -> None:
        self.words: tuple[Hashable, ...] = tuple(words)
        self.minimum: frozenset[int] = minimum
        """The words that are enough to find it by; none if the annotation does not say."""
        self.chunks: Sequence[Chunk] = chunks
        """First and last word of each part."""
        self.is_zero: bool = is_zero
        self._hash = hash(frozenset(self.words))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, WordMention) and self.words == other.words


Members = Sequence[Sequence[Hashable]]
"""The members of each entity: mentions and plurals."""


def pair_mentions(key: Members, response: Members, match: str) -> dict[Hashable, Hashable]:
    """The key mention of each response mention that matches one of other words, and the other way round.

    A response mention with the words of such a key mention, which only an element of a plural can be, is taken for
    the counterpart of that, too.
    TypeError or IndexError where the program ends with one: it cannot sort zeros with words, or mentions without any,
    nor match heads.
    """
    if match == "exact":
        return {}
    # Mentions with the same ends and length stay in the order of sets, so these are made as the program makes them.
    keys, responses = ({member for entity in side for member in entity}.copy() for side in (key, response))
    ours, theirs = (
        {mention for mention in side - {m for m in side if m in other} if isinstance(mention, WordMention)}
        for side, other in ((keys, responses), (responses, keys))
    )
    if not ours or not theirs:
        return {}
    ours_sorted, theirs_sorted = (
        sorted(side, key=_text_order) if len(side) > 1 else list(side) for side in (ours, theirs)
    )
    if match == "head":
        raise TypeError
    pairs = dict(
        _pairs_of_craft(ours_sorted, theirs_sorted)
        if match == "partial-craft"
        else _pairs_of_parts(ours_sorted, theirs_sorted)
    )
    return pairs | {key: response for response, key in pairs.items()}


def _text_order(mention: WordMention) -> tuple[Hashable, Hashable, int]:
    return mention.words[0], mention.words[-1], len(mention.words)


def _pairs_of_parts(keys: list[WordMention], responses: list[WordMention]) -> Iterable[tuple[Hashable, Hashable]]:
    """The best assignment by |R| / |K| of parts of a key mention that hold its minimum."""
    holders: dict[Hashable, list[int]] = defaultdict(list)
    parts = [frozenset(response.words) for response in responses]
    for j, words in enumerate(parts):
        for word in words:
            holders[word].append(j)
    rows: list[Row] = []
    for key in keys:
        whole = frozenset(key.words)
        fits = holders[next(iter(key.minimum))] if key.minimum else ()
        rows.append({j: len(parts[j]) / len(whole) for j in fits if key.minimum <= parts[j] <= whole})
    for i, j in assign(rows, len(responses)):
        yield responses[j], keys[i]


def _pairs_of_craft(keys: list[WordMention], responses: list[WordMention]) -> Iterable[tuple[Hashable, Hashable]]:
    """Each response mention with the first key mention that fits it, unless an earlier one has that."""
    taken: set[WordMention] = set()
    for response in responses:
        key = next((key for key in keys if _fits_first_chunk(key, response)), None)
        if key is not None and key not in taken:
            taken.add(key)
            yield response, key


def _fits_first_chunk(key: WordMention, response: WordMention) -> bool:
    if not key.chunks or key.is_zero or response.is_zero:
        return False
    first, last = key.chunks[0]
    inside = first <= last and any(start >= first and end <= last for start, end in response.chunks)
    return inside and not frozenset(key.words).isdisjoint(response.words)


class PairedPartition(Partition):
    """Entities of a response in which paired mentions are those of the key, in the elements of plurals, too."""

    def __init__(self, entities: Iterable[Sequence[Hashable]], pairs: dict[Hashable, Hashable]) -> None:
        super().__init__([[pairs.get(member, member) for member in entity] for entity in entities])
        self._pairs = pairs

    def leaves(self, plural: Plural) -> Partition:
        """The elements of a plural as entities of their own (cached)."""
        if plural not in self._leaves:
            self._leaves[plural] = PairedPartition(plural, self._pairs)
        return self._leaves[plural]


class WordNumbers:
    """The numbers of words in a document, multiword tokens included, and of zeros before a word."""

    def __init__(self, document: Document, *, with_minima: bool) -> None:
        self._with_minima = with_minima
        self._lines = LineNumbers(document)
        self._is_native = all(isinstance(sentence, UASentence) for sentence in document.sentences)
        self._known: dict[Mention, WordMention] = {}
        self._document = document

    @cached_property
    def _numbers(self) -> dict[int, Hashable]:
        """The number of each word, and a pair of numbers for each zero."""
        numbers: dict[int, Hashable] = {}
        words = zeros = 0
        for sentence in self._document.sentences:
            for place in sentence.places if isinstance(sentence, UASentence) else sentence.nodes:
                if 0 < place & MINOR_MASK < MULTIWORD:
                    numbers[place] = words, zeros
                    zeros += 1
                else:
                    numbers[place] = words
                    words, zeros = words + 1, 0
        return numbers

    def mention(self, mention: Mention) -> WordMention:
        """The value of a mention: its words, or its first zero if it has none."""
        if mention not in self._known:
            numbers = self._numbers
            places = [place for place in mention.positions if not place & MINOR_MASK]
            is_zero = not places
            words = [numbers.get(place, place) for place in dict.fromkeys(places or mention.positions[:1])]
            minimum = frozenset[int]()
            if self._with_minima and not is_zero:
                named = mention.minimum or (() if self._is_native else (mention.head,))
                minimum = frozenset([number for place in named if isinstance(number := numbers.get(place), int)])
            self._known[mention] = WordMention(words, minimum, is_zero=is_zero)
        return self._known[mention]


def _without_zeros(members: Members) -> Members:
    """Members that may match others: zeros never do, and the program cannot sort them."""
    return [
        [member for member in entity if not (isinstance(member, WordMention) and member.is_zero)]
        for entity in members
    ]


def relations_of(key: Document, response: Document, *, match: str, plurals: bool = True) -> DocumentRelations:
    """The relations of two documents."""
    partial_match = match != "exact"
    ours, theirs = (
        UaSide(side, WordNumbers(side, with_minima=partial_match).mention, plurals=plurals)
        for side in (key, response)
    )
    members, others = ours.members(), theirs.members()
    theirs.counterparts = pair_mentions(_without_zeros(members), _without_zeros(others), match)
    ours.entities, theirs.entities = Partition(members), PairedPartition(others, theirs.counterparts)
    # Discourse deixis is always scored with split antecedents.
    return DocumentRelations(ours, theirs, HANDLING_2_0, partial(relations_of, match=match))


def stops(path: str, line: int, why: str, version: str = "2.0") -> InputError:
    """The error where a version of the program stops."""
    hint = "correct the file, or score it by other rules: corefscope score --rules corrected"
    return InputError(f"UA scorer {version} {why}", path=path, line=line, hint=hint, code="refused")
