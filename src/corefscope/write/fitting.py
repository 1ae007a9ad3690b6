"""Documents as a format can hold them; what does not fit is counted and replaced by what comes closest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ..base.document import Document, Mention, Sentence, mention_order
from ..base.positions import MINOR_MASK, SENTENCE_SHIFT, unbroken
from .losses import Losses
from .words import Run, Words, runs

Step = Callable[[list[Mention], Words, Losses], list[Mention]]
"""What becomes of the mentions of one entity."""


def without_zeros(mentions: list[Mention], _: Words, losses: Losses) -> list[Mention]:
    """Mentions headed by an empty node: gone, unless they hold words, of which the first becomes the head."""
    kept = []
    for mention in mentions:
        if mention.is_zero:
            losses.add("zeros")
            if not (overt := _overt(mention)):
                continue
            mention = Mention(overt, overt[0])
        kept.append(mention)
    return kept


def without_empty_nodes(mentions: list[Mention], _: Words, losses: Losses) -> list[Mention]:
    """Mentions headed by a word: their words only."""
    kept = []
    for mention in mentions:
        overt = _overt(mention)
        if len(overt) < len(mention.positions):
            losses.add("empty_nodes")
            mention = Mention(overt, mention.head)
        kept.append(mention)
    return kept


def _overt(mention: Mention) -> tuple[int, ...]:
    return tuple([place for place in mention.positions if not place & MINOR_MASK])


def without_gaps(mentions: list[Mention], words: Words, losses: Losses) -> list[Mention]:
    """Discontinuous mentions, and those whose parts overlap: the span that covers them."""
    kept = []
    for mention in mentions:
        if not unbroken(mention.positions):
            span = words.between(mention.positions[0], mention.positions[-1])
            if span != mention.positions:
                losses.add("discontinuous")
                mention = mention._replace(positions=span)
        kept.append(mention)
    return kept


def within_sentences(mentions: list[Mention], _: Words, losses: Losses) -> list[Mention]:
    """Mentions over several sentences: their words in the sentence of the head."""
    kept = []
    for mention in mentions:
        sentence = mention.head >> SENTENCE_SHIFT
        inside = tuple([place for place in mention.positions if place >> SENTENCE_SHIFT == sentence])
        if inside != mention.positions:
            losses.add("sentences")
            mention = mention._replace(positions=inside)
        kept.append(mention)
    return kept


def without_crossing(mentions: list[Mention], words: Words, losses: Losses) -> list[Mention]:
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


def _clash(ours: list[Run], theirs: list[Run]) -> bool:
    """Whether brackets of one id cannot keep two mentions apart: they cross, or both have parts and overlap."""
    if len(ours) > 1 and len(theirs) > 1 and theirs[0].first <= ours[-1].last and ours[0].first <= theirs[-1].last:
        return True
    return any(a < c < b < d or c < a < d < b for a, b in ours for c, d in theirs)


def headed_by_first_word(mentions: list[Mention], _: Words, losses: Losses) -> list[Mention]:
    """Every mention with its first word as head."""
    losses.add("heads", sum(mention.head != mention.positions[0] for mention in mentions))
    return [mention._replace(head=mention.positions[0]) for mention in mentions]


def as_names(mentions: list[Mention], _: Words, losses: Losses) -> list[Mention]:
    """Nothing changes, but a name says nothing about words and dependencies."""
    losses.add("dependencies", sum(mention.is_zero for mention in mentions))
    losses.add("spans", sum(len(mention.positions) > 1 for mention in mentions))
    return mentions


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
            document.sentences = tuple(_with_words(document.sentences, word, losses))
        if name is not None:
            document.id = _fresh_name(document.id, name, taken, losses)
        yield document


def _with_mentions(document: Document, steps: tuple[Step, ...], losses: Losses) -> Document:
    words = Words(document)
    entities: list[tuple[Mention, ...]] = []
    kept = []
    for at, entity in enumerate(document.entities):
        mentions = list(entity)
        for step in steps:
            mentions = step(mentions, words, losses)
        if mentions:
            kept.append(at)
            entities.append(tuple(sorted(mentions, key=mention_order)))
    losses.entities += len(document.entities) - len(kept)
    order = sorted(range(len(kept)), key=lambda i: mention_order(entities[i][0]))
    return document.replace_entities([kept[i] for i in order], tuple(entities[i] for i in order))


def _with_words(sentences: Iterable[Sentence], word: Cleaned, losses: Losses) -> Iterator[Sentence]:
    for sentence in sentences:
        changed = []
        for entry in sentence.words:
            number, _, form = entry.partition("\t")
            changed.append(f"{number}\t{word(form)}")
        different = sum(new != old for new, old in zip(changed, sentence.words, strict=True))
        losses.add("words", different)
        yield sentence._replace(words=changed) if different else sentence


def _fresh_name(given: str, name: Cleaned, taken: set[str], losses: Losses) -> str:
    wanted = name(given)
    new, again = wanted, 1
    while new in taken:
        again += 1
        new = f"{wanted} {again}"
    taken.add(new)
    losses.add("names", int(new != given))
    return new
