"""Documents as a format can hold them; what does not fit is counted and replaced by what comes closest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ..base.document import Document, Mention, Sentence, mention_order
from ..base.positions import MINOR_MASK, SENTENCE_SHIFT, unbroken
from .losses import Losses
from .words import Run, WordNumbers, runs

Step = Callable[[list[Mention], WordNumbers, Losses], list[Mention]]
"""What becomes of the mentions of one entity."""


def _each(change: Callable[[Mention, WordNumbers, Losses], Mention | None]) -> Step:
    """A step that changes each mention by itself; None leaves it out."""

    def step(mentions: list[Mention], words: WordNumbers, losses: Losses) -> list[Mention]:
        return [new for mention in mentions if (new := change(mention, words, losses)) is not None]

    return step


@_each
def without_zeros(mention: Mention, _: WordNumbers, losses: Losses) -> Mention | None:
    """Mentions headed by an empty node: gone, unless they hold words, of which the first becomes the head."""
    if not mention.is_zero:
        return mention
    losses.add("zeros")
    overt = _overt(mention)
    return Mention(overt, overt[0]) if overt else None


@_each
def without_empty_nodes(mention: Mention, _: WordNumbers, losses: Losses) -> Mention:
    """Mentions headed by a word: their words only."""
    overt = _overt(mention)
    if len(overt) == len(mention.positions):
        return mention
    losses.add("empty_nodes")
    return Mention(overt, mention.head)


def _overt(mention: Mention) -> tuple[int, ...]:
    return tuple([place for place in mention.positions if not place & MINOR_MASK])


@_each
def without_gaps(mention: Mention, words: WordNumbers, losses: Losses) -> Mention:
    """Discontinuous mentions, and those whose parts overlap: the span that covers them."""
    positions = mention.positions
    if unbroken(positions) or (span := words.between(positions[0], positions[-1])) == positions:
        return mention
    losses.add("discontinuous")
    return mention._replace(positions=span)


@_each
def within_sentences(mention: Mention, _: WordNumbers, losses: Losses) -> Mention:
    """Mentions over several sentences: their words in the sentence of the head."""
    sentence = mention.head >> SENTENCE_SHIFT
    inside = tuple([place for place in mention.positions if place >> SENTENCE_SHIFT == sentence])
    if inside == mention.positions:
        return mention
    losses.add("sentences")
    return mention._replace(positions=inside)


def without_crossing(mentions: list[Mention], words: WordNumbers, losses: Losses) -> list[Mention]:
    """Of mentions that cross, the one that begins first: under one id, brackets close what was opened last."""
    kept: list[Mention] = []
    near: list[list[Run]] = []  # parts of mentions that are kept and may reach this far
    for mention in sorted(mentions, key=mention_order):
        parts = runs(mention.positions, words.places)
        near = [others for others in near if others[-1].last >= parts[0].first]
        if any(_clash(parts, others) for others in near):
            losses.add("crossing")
        else:
            near.append(parts)
            kept.append(mention)
    return kept


def _clash(parts: list[Run], others: list[Run]) -> bool:
    """Whether brackets of one id cannot keep two mentions apart: they cross, or both have parts and overlap."""
    if len(parts) > 1 and len(others) > 1 and others[0].first <= parts[-1].last and parts[0].first <= others[-1].last:
        return True
    return any(a < c < b < d or c < a < d < b for a, b in parts for c, d in others)


@_each
def headed_by_first_word(mention: Mention, _: WordNumbers, losses: Losses) -> Mention:
    """Every mention with its first word as head."""
    losses.add("heads", int(mention.head != mention.positions[0]))
    return mention._replace(head=mention.positions[0])


@_each
def as_names(mention: Mention, _: WordNumbers, losses: Losses) -> Mention:
    """Nothing changes, but a name says nothing about words and dependencies."""
    losses.add("dependencies", int(mention.is_zero))
    losses.add("spans", int(len(mention.positions) > 1))
    return mention


Cleaned = Callable[[str], str]
"""Text as a format can hold it; the same text if it can."""


def fitted(
    documents: Iterable[Document],
    losses: Losses,
    *,
    steps: tuple[Step, ...],
    word: Cleaned | None = None,
    name: Cleaned | None = None,
    types: bool = False,
    wordless: bool = False,
) -> Iterator[Document]:
    """Documents as a format can hold them.

    The steps say what becomes of mentions, ``word`` and ``name`` of words and document names; the rest is whether the
    format has entity types, and documents without words.
    """
    taken: set[str] = set()
    for document in documents:
        if not wordless and not any(sentence.words for sentence in document.sentences):
            losses.add("documents")
            continue
        document = _with_mentions(document, steps, losses)
        if not types:
            losses.add("types", sum(map(bool, document.entity_types)))
        if word is not None:
            document = document._replace(sentences=tuple(_with_words(document.sentences, word, losses)))
        if name is not None:
            document = document._replace(id=_fresh_name(document.id, name, taken, losses))
        yield document


def _with_mentions(document: Document, steps: tuple[Step, ...], losses: Losses) -> Document:
    words = WordNumbers(document)

    def fit(mentions: Iterable[Mention], losses: Losses) -> list[Mention]:
        for step in steps:
            mentions = step(list(mentions), words, losses)
        return sorted(mentions, key=mention_order)

    entities = [tuple(fit(entity, losses)) for entity in document.entities]
    kept = [i for i, entity in enumerate(entities) if entity]
    losses.entities += len(entities) - len(kept)
    kept.sort(key=lambda i: mention_order(entities[i][0]))
    return document.replace_entities(
        kept, tuple(entities[i] for i in kept), lambda mention: next(iter(fit([mention], Losses())), None)
    )


def _with_words(sentences: Iterable[Sentence], word: Cleaned, losses: Losses) -> Iterator[Sentence]:
    for sentence in sentences:
        changed = []
        for entry in sentence.words:
            number, _, form = entry.partition("\t")
            changed.append(f"{number}\t{word(form)}")
        different = sum(new != old for new, old in zip(changed, sentence.words, strict=True))
        losses.add("words", different)
        yield sentence._replace(words=changed) if different else sentence


def _fresh_name(old: str, clean: Cleaned, taken: set[str], losses: Losses) -> str:
    cleaned = clean(old)
    new, number = cleaned, 1
    while new in taken:
        number += 1
        new = f"{cleaned} {number}"
    taken.add(new)
    losses.add("names", int(new != old))
    return new
