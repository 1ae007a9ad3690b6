"""Documents as a format can hold them; what does not fit is counted and replaced by what comes closest."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from operator import ne
from typing import TYPE_CHECKING

from ..base.document import Change, Document, Sentence
from ..base.mention import Mention, mention_order
from ..base.positions import MINOR_MASK, SENTENCE_SHIFT
from .ids import free_name
from .losses import Losses
from .relations import without_lost
from .words import Run, runs, word_positions

if TYPE_CHECKING:
    from .formats import Writer

Step = Callable[[list[Mention], list[int], Losses], list[Mention]]
"""What becomes of the mentions of one entity, given the positions of all words."""


Held = Callable[[Document, Losses], list[list[Mention]]]
"""What is left of the mentions of each entity of a document."""


def _each(change: Callable[[Mention, list[int], Losses], Mention | None]) -> Step:
    """A step that changes each mention by itself; None leaves it out."""

    def step(mentions: list[Mention], words: list[int], losses: Losses) -> list[Mention]:
        return [new for mention in mentions if (new := change(mention, words, losses)) is not None]

    return step


@_each
def without_zeros(mention: Mention, _: list[int], losses: Losses) -> Mention | None:
    """Mentions headed by an empty node: gone, unless they hold words, of which the first becomes the head."""
    if not mention.is_zero:
        return mention
    losses.add("zeros")
    overt = _overt(mention)
    return mention._replace(positions=overt, head=overt[0], dependencies=()) if overt else None


@_each
def without_empty_nodes(mention: Mention, _: list[int], losses: Losses) -> Mention:
    """Mentions headed by a word: their words only."""
    overt = _overt(mention)
    if len(overt) == mention.size:
        return mention
    losses.add("empty_nodes")
    return mention._replace(positions=overt)


def _overt(mention: Mention) -> tuple[int, ...]:
    return tuple([place for place in mention.positions if not place & MINOR_MASK])


@_each
def words_or_zero(mention: Mention, _: list[int], losses: Losses) -> Mention:
    """Mentions that hold empty nodes: their words only, or the first node if there are none."""
    kept = _overt(mention) or mention.positions[:1]
    if len(kept) == mention.size:
        return mention
    losses.add("empty_nodes")
    head = mention.head if mention.head in kept else kept[0]
    return mention._replace(positions=kept, head=head, dependencies=mention.dependencies if mention.is_zero else ())


@_each
def without_minimum(mention: Mention, _: list[int], losses: Losses) -> Mention:
    """Mentions without a minimum."""
    losses.add("minima", int(bool(mention.minimum)))
    return Mention(mention.positions, mention.head, mention.dependencies) if mention.minimum else mention


@_each
def headed_by_minimum(mention: Mention, _: list[int], losses: Losses) -> Mention:
    """The same where the head says which word is enough."""
    losses.add("minima", int(len(mention.minimum) > 1))
    return Mention(mention.positions, mention.head, mention.dependencies) if mention.minimum else mention


@_each
def without_gaps(mention: Mention, words: list[int], losses: Losses) -> Mention:
    """Discontinuous mentions, and those whose parts overlap: the span that covers them."""
    if not mention.broken:
        return mention
    positions = mention.positions
    span = tuple(words[bisect_left(words, positions[0]) : bisect_right(words, positions[-1])])
    if span == positions:
        return mention
    losses.add("discontinuous")
    return mention._replace(positions=span)


@_each
def within_sentences(mention: Mention, _: list[int], losses: Losses) -> Mention:
    """Mentions over several sentences: their words in the sentence of the head."""
    if not mention.broken:
        return mention
    sentence = mention.head >> SENTENCE_SHIFT
    inside = tuple([place for place in mention.positions if place >> SENTENCE_SHIFT == sentence])
    if inside == mention.positions:
        return mention
    losses.add("sentences")
    return mention._replace(positions=inside)


def _apart(clash: Callable[[list[Run], list[Run]], bool]) -> Step:
    """A step that leaves out mentions that brackets of one id cannot keep apart from another that begins before."""

    def step(mentions: list[Mention], words: list[int], losses: Losses) -> list[Mention]:
        kept: list[Mention] = []
        near: list[list[Run]] = []  # parts of mentions that are kept and may reach this far
        odd = [
            mention for mention in mentions if mention.broken or mention.first & MINOR_MASK
        ]  # others have words only
        empty = {place for mention in odd for place in mention.positions if place & MINOR_MASK}
        nodes = sorted([*words, *empty]) if empty else words
        for mention in sorted(mentions, key=mention_order):
            if mention.size == 1 and mention.is_zero:  # a bracket of its own
                kept.append(mention)
                continue
            parts = runs(mention.positions, nodes)
            near = [others for others in near if others[-1].last >= parts[0].first]
            if any(clash(parts, others) for others in near):
                losses.add("crossing")
            else:
                near.append(parts)
                kept.append(mention)
        return kept

    return step


@_apart
def without_crossing(parts: list[Run], others: list[Run]) -> bool:
    """Brackets close what was opened last: mentions must not cross, nor overlap if both have parts."""
    if len(parts) > 1 and len(others) > 1 and others[0].first <= parts[-1].last and parts[0].first <= others[-1].last:
        return True
    return any(a < c < b < d or c < a < d < b for a, b in parts for c, d in others)


@_apart
def without_touching(parts: list[Run], others: list[Run]) -> bool:
    """Where a word's brackets open before they close, no mention may begin at the last word of another, either."""
    return any(a < c <= b < d or c < a <= d < b for a, b in parts for c, d in others)


@_each
def headed_by_first_word(mention: Mention, _: list[int], losses: Losses) -> Mention:
    """Every mention with its first word as head."""
    losses.add("heads", int(mention.head != mention.first))
    return mention._replace(head=mention.first)


@_each
def as_names(mention: Mention, _: list[int], losses: Losses) -> Mention:
    """Nothing changes, but a name says nothing about words and dependencies."""
    losses.add("dependencies", int(mention.is_zero))
    losses.add("spans", int(mention.size > 1))
    return mention


Cleaned = Callable[[str], str]
"""Text as a format can hold it; the same text if it can."""


def fitted(documents: Iterable[Document], row: Writer, losses: Losses) -> Iterator[Document]:
    """Documents as a format can hold them: its row says what becomes of mentions, words and names."""
    taken: set[str] = set()
    for document in documents:
        if row.blind:
            document = document.replace_entities((), ())
        if "documents" in row.cannot_hold and not any(sentence.words for sentence in document.sentences):
            losses.add("documents")
            continue
        document = without_lost(_with_mentions(document, row.steps, losses), row.cannot_hold, losses)
        if row.held is not None:
            document = _kept(document, row.held(document, losses), losses)
        if "types" in row.cannot_hold:
            losses.add("types", sum(map(bool, document.entity_types)))
        if row.word is not None:
            document = document._replace(sentences=tuple(_with_words(document.sentences, row.word, losses)))
        if row.name_of_document is not None:
            name = free_name(row.name_of_document(document.id), taken, " ")
            losses.add("names", int(name != document.id))
            document = document._replace(id=name)
        yield document


def _with_mentions(document: Document, steps: tuple[Step, ...], losses: Losses) -> Document:
    words = word_positions(document)

    def fit(mentions: Iterable[Mention], losses: Losses) -> list[Mention]:
        for step in steps:
            mentions = step(list(mentions), words, losses)
        return sorted(mentions, key=mention_order)

    fitted_alone: dict[Mention, Mention | None] = {}  # many relations may have the same target

    def alone(mention: Mention) -> Mention | None:
        if mention not in fitted_alone:
            fitted_alone[mention] = next(iter(fit([mention], Losses())), None)
        return fitted_alone[mention]

    return _kept(document, [fit(entity, losses) for entity in document.entities], losses, alone)


def _kept(
    document: Document, entities: list[list[Mention]], losses: Losses, change: Change | None = None
) -> Document:
    """The document with what is left of the mentions of each entity."""
    kept = [i for i, entity in enumerate(entities) if entity]
    losses.entities += len(entities) - len(kept)
    kept.sort(key=lambda i: mention_order(entities[i][0]))
    return document.replace_entities(kept, tuple(tuple(entities[i]) for i in kept), change)


def _with_words(sentences: Iterable[Sentence], word: Cleaned, losses: Losses) -> Iterator[Sentence]:
    for sentence in sentences:
        entries = [entry.partition("\t") for entry in sentence.words]
        changed = [f"{number}\t{word(form)}" for number, _, form in entries]
        different = sum(map(ne, changed, sentence.words))
        losses.add("words", different)
        yield sentence._replace(words=changed) if different else sentence
