"""Every mention of a document with what became of it, for text with brackets."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import accumulate
from operator import add
from typing import NamedTuple

from ...base.document import Document, Sentence
from ...base.errors import InputError, Warnings, no_such_document
from ...base.mention import Mention
from ...base.positions import SENTENCE_SHIFT
from ...evaluate.mention_overlap import warn_of_inputs
from ...evaluate.options import Options
from ...evaluate.request import Path, Request
from ...evaluate.steps import align, mention_counts, relations_of
from ...match.alignment import Alignment
from .annotated import Annotated
from .context import labelled_runs, shown_positions
from .pairing import Pairing

FATES: dict[str, str] = {
    "right": "found, and in the right entity",
    "misplaced": "found, but put into another entity (≠), or split off its own (÷)",
    "span": "the span in the key of a mention that is found with other words",
    "span-response": "its span in the response",
    "missing": "only in the key",
    "extra": "only in the response; it is named after the key's entity that it was put into, * if there is none",
}


class Mark(NamedTuple):
    """A mention to be marked."""

    mention: Mention
    fate: str
    """One of FATES."""
    name: str
    """Its entity."""


class Bracket(NamedTuple):
    """One end of a run of words of a mention."""

    fate: str
    name: str
    """Empty at the beginning of a run in which no other begins or ends."""


class Marked(NamedTuple):
    """A word with the brackets before and after it."""

    word: str
    before: list[Bracket]
    after: list[Bracket]


class MarkedLink(NamedTuple):
    """A relation in which the two sides differ."""

    fate: str
    """``missing``, ``extra`` or ``misplaced``, as of mentions."""
    kind: str
    """What is wrong, as errors call it."""
    line: int
    sides: tuple[tuple[str, tuple[str, ...]], ...]
    """Of the key, and of the response if it has it, the anaphor and what it is linked to."""


class MarkedDocument(NamedTuple):
    """A document with its sentences, word by word."""

    id: str
    sentences: list[tuple[Sentence, list[Marked]]]
    links: list[MarkedLink]
    """Relations that differ."""


def marked_documents(
    key: Path,
    response: Path,
    request: Request,
    warnings: Warnings,
    *,
    document: str | None = None,
    only_errors: bool = False,
) -> Iterator[MarkedDocument]:
    """The documents of two files, one after the other, or the one whose id is ``document``.

    With ``only_errors``, the sentences in which something is wrong. What is odd is added to ``warnings``.
    """
    request.refuse(baseline="nothing is scored")
    ids: list[str] = []
    counts: tuple[int, ...] = (0, 0, 0, 0)
    opened = request.read([request.corpus(key, response, warnings)])
    options = opened.request.options
    for (pair,) in opened.rows:
        assert pair is not None
        ids.append(pair.key.id)
        if document not in (None, pair.key.id):
            continue
        if not pair.key.sentences:
            raise InputError("has no words to show", path=str(key), hint="take a format with words")
        alignment = align(*pair, options, warnings)
        counts = tuple(map(add, counts, mention_counts(*pair, alignment, options)))
        sentences = marked_sentences(*pair, alignment, options.smallest)
        chosen = [(sentence, words) for sentence, words in sentences if not only_errors or _wrong(words)]
        yield MarkedDocument(pair.key.id, chosen, _marked_links(pair.key, pair.response, alignment, options))
    if document is None:
        warn_of_inputs(warnings, opened.corpora[0].inputs, [counts], options.singletons == "drop")
    elif document not in ids:
        raise no_such_document(document, ids, str(key))


def _marked_links(key: Document, response: Document, alignment: Alignment, options: Options) -> list[MarkedLink]:
    relations = relations_of(key, response, options)
    if relations is None:
        return []
    from .deixis import examined_deixis
    from .relations import list_relation_faults  # few documents have any

    sides = Annotated(key, alignment.key), Annotated(response, alignment.response)
    layer = examined_deixis(key, response, options)
    marked = []
    for fault in [*list_relation_faults(*sides, relations.judged()), *(layer.faults if layer else ())]:
        halves = (fault.key, fault.key_targets), (fault.response, fault.response_targets)
        shown = [
            (side.text(side.in_file(anaphor[0])), tuple([side.text(side.in_file(target)) for target in targets]))
            for side, (anaphor, targets) in zip(sides, halves, strict=True)
            if anaphor
        ]
        fate = fault.plain_kind.partition("_")[0]
        marked.append(MarkedLink(fate if fate in FATES else "misplaced", fault.kind, fault.line, tuple(shown)))
    return marked


def _wrong(words: list[Marked]) -> bool:
    return any(bracket.fate != "right" for word in words for bracket in word.after)


def marks(key: Annotated, response: Annotated, pairing: Pairing) -> Iterator[Mark]:
    """Both sides' mentions, each once if both have it with the same words."""
    for i, members in pairing.key_members.items():
        for k in members:
            mention = key.mention(k)
            if k not in pairing.matched:
                yield Mark(mention, "missing", key.name(i))
                continue
            r = pairing.matched[k]
            counterpart, j = response.mention(r), pairing.response.owner[r]
            name = key.name(i)
            right = pairing.home[i] == j and pairing.main[j] == i
            if not right:
                name += "÷" if pairing.main[j] == i else f"≠{key.name(pairing.main[j])}"
            if counterpart.positions != mention.positions:
                yield Mark(mention, "span", name)
                yield Mark(counterpart, "span-response", name)
            else:
                yield Mark(mention, "right" if right else "misplaced", name)
    for r in pairing.extra():
        j = pairing.response.owner[r]
        name = key.name(pairing.main[j]) if j in pairing.main else f"*{response.name(j)}"
        yield Mark(response.mention(r), "extra", name)


def marked_sentences(
    key: Document, response: Document, alignment: Alignment, smallest: int = 1
) -> Iterator[tuple[Sentence, list[Marked]]]:
    """The sentences of a document, word by word with brackets; empty nodes only where mentions hold them."""
    key_side, response_side = Annotated(key, alignment.key), Annotated(response, alignment.response)
    by_sentence: dict[int, list[Mark]] = defaultdict(list)
    for mark in marks(key_side, response_side, Pairing(alignment, smallest)):
        for number in {position >> SENTENCE_SHIFT for position in mark.mention.positions}:
            by_sentence[number].append(mark)
    for sentence, other in zip(key.sentences, response.sentences, strict=True):
        marked = by_sentence[sentence.number]
        used = {position for mark in marked for position in mark.mention.positions}
        words = dict.fromkeys(shown_positions(other, used), response_side)
        words.update(dict.fromkeys(shown_positions(sentence, used), key_side))
        yield sentence, _with_brackets(sorted(words), [words[p].word(p) for p in sorted(words)], marked)


def _with_brackets(positions: list[int], texts: list[str], marked: list[Mark]) -> list[Marked]:
    index = {position: n for n, position in enumerate(positions)}
    words = [Marked(text, [], []) for text in texts]
    runs = [(*run, mark.fate) for mark in marked for run in labelled_runs(mark.mention, mark.name, index)]
    begun = [0, *accumulate(map(Counter(run[0] for run in runs).__getitem__, range(len(words))))]
    ended = [0, *accumulate(map(Counter(run[1] for run in runs).__getitem__, range(len(words))))]
    # Longer mentions open before and close after the shorter ones inside them.
    for first, last, name, fate in sorted(runs, key=lambda run: (run[0], -run[1])):
        inside = begun[last + 1] - begun[first + 1] + ended[last] - ended[first]
        words[first].before.append(Bracket(fate, name if inside else ""))
    for _, last, name, fate in sorted(runs, key=lambda run: (run[1], -run[0])):
        words[last].after.append(Bracket(fate, name))
    return words
