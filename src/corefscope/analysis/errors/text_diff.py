"""The text of documents with brackets around mentions, which show whether the response has them right."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import accumulate
from operator import add
from typing import NamedTuple

from ...core.document import Mention, Sentence
from ...core.errors import InputError, Warnings
from ...core.options import Options
from ...core.positions import SENTENCE_SHIFT
from ...core.request import Path, Request
from ...core.steps import align, mention_counts
from ...formats.mention_warnings import warn_of_inputs
from ...formats.naming import no_such_document
from ...formats.reading import open_corpus, start_run
from .kinds import DocumentComparison, compare_deixis, judge_relations, relation_errors
from .report import labelled_runs, shown_positions

OUTCOMES: dict[str, str] = {
    "right": "found, and in the right entity",
    "misplaced": "found, but put into another entity (≠), or split off its own (÷)",
    "span": "the span in the key of a mention that is found with other words",
    "span-response": "its span in the response",
    "missing": "only in the key",
    "extra": "only in the response; it is named after the key's entity that it was put into, * if there is none",
}
OUTCOMES_OF_ANNOTATORS: dict[str, str] = {
    "right": "in both, and in the same entity",
    "misplaced": "in both, but B has it in another entity (≠), or split off its own (÷)",
    "span": "the span in A of a mention to which B gives other words",
    "span-response": "its span in B",
    "missing": "only in A",
    "extra": "only in B; it is named after the entity of A that it was put into, * if there is none",
}
"""The same where neither side is the key."""


Mark = tuple[Mention, str, str]
"""A mention to be marked, one of ``OUTCOMES``, and the name of its entity."""


class Bracket(NamedTuple):
    """One end of a run of words of a mention."""

    outcome: str
    name: str
    """Empty at the beginning of a run in which no other begins or ends."""


class MarkedWord(NamedTuple):
    """A word with the brackets before and after it."""

    word: str
    before: list[Bracket]
    after: list[Bracket]


class MarkedLink(NamedTuple):
    """A relation in which the two sides differ."""

    outcome: str
    """``missing``, ``extra`` or ``misplaced``, as of mentions."""
    kind: str
    """The kind of error."""
    line: int
    sides: tuple[tuple[str, tuple[str, ...]], ...]
    """The anaphor and its targets, in the key and in the response, where there is one."""


class MarkedDocument(NamedTuple):
    """A document with its sentences, word by word."""

    id: str
    sentences: list[tuple[Sentence, list[MarkedWord]]]
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

    With ``only_errors``, only sentences with errors. Warnings about the files are added to ``warnings``.
    """
    request.refuse(baseline="nothing is scored")
    ids: list[str] = []
    counts: tuple[int, ...] = (0, 0, 0, 0)
    opened = start_run(request, [open_corpus(request, key, response, warnings)])
    options = opened.request.options
    for (pair,) in opened.rows:
        assert pair is not None
        ids.append(pair.key.id)
        if document not in (None, pair.key.id):
            continue
        if not pair.key.sentences:
            raise InputError("has no words to show", path=str(key), hint="use a format with words")
        alignment = align(*pair, options, warnings)
        counts = tuple(map(add, counts, mention_counts(*pair, alignment, options)))
        comparison = DocumentComparison(*pair, alignment, options.min_entity_size, judge_relations(*pair, options))
        chosen = [
            (sentence, words)
            for sentence, words in _marked_sentences(comparison)
            if not only_errors or any(bracket.outcome != "right" for word in words for bracket in word.after)
        ]
        yield MarkedDocument(pair.key.id, chosen, _marked_links(comparison, options))
    if document is None:
        warn_of_inputs(warnings, opened.corpora[0].inputs, [counts], options.singletons == "drop")
    elif document not in ids:
        raise no_such_document(document, ids, str(key))


def _marked_links(pair: DocumentComparison, options: Options) -> list[MarkedLink]:
    """The relations that differ, discourse deixis among them."""
    if pair.judged is None:
        return []
    sides = pair.key, pair.response
    layer = compare_deixis(pair.key.document, pair.response.document, options)
    marked = []
    for error in [*relation_errors(pair), *(layer.errors if layer else ())]:
        relations = (error.key, error.key_targets), (error.response, error.response_targets)
        shown = [
            (side.text(side.in_file(anaphor[0])), tuple([side.text(side.in_file(target)) for target in targets]))
            for side, (anaphor, targets) in zip(sides, relations, strict=True)
            if anaphor
        ]
        outcome = error.plain_kind.partition("_")[0]
        outcome = outcome if outcome in OUTCOMES else "misplaced"
        marked.append(MarkedLink(outcome, error.kind, error.line, tuple(shown)))
    return marked


def _marks(pair: DocumentComparison) -> Iterator[Mark]:
    """The mentions of both sides, each once if both have it with the same words."""
    key, response, pairing = pair.key, pair.response, pair.pairing
    for i, members in pairing.key_members.items():
        for k in members:
            mention = key.mention(k)
            if k not in pairing.matched:
                yield mention, "missing", key.name(i)
                continue
            r = pairing.matched[k]
            counterpart, j = response.mention(r), pairing.response.owner[r]
            name = key.name(i)
            right = pairing.home[i] == j and pairing.main[j] == i
            if not right:
                name += "÷" if pairing.main[j] == i else f"≠{key.name(pairing.main[j])}"
            if counterpart.positions != mention.positions:
                yield mention, "span", name
                yield counterpart, "span-response", name
            else:
                yield mention, "right" if right else "misplaced", name
    for r in pairing.extra():
        j = pairing.response.owner[r]
        name = key.name(pairing.main[j]) if j in pairing.main else f"*{response.name(j)}"
        yield response.mention(r), "extra", name


def _marked_sentences(pair: DocumentComparison) -> Iterator[tuple[Sentence, list[MarkedWord]]]:
    """The sentences of a document, word by word with brackets; empty nodes only where mentions hold them."""
    key_side, response_side = pair.key, pair.response
    by_sentence: dict[int, list[Mark]] = defaultdict(list)
    for mark in _marks(pair):
        for number in {position >> SENTENCE_SHIFT for position in mark[0].positions}:
            by_sentence[number].append(mark)
    for sentence, other in zip(key_side.document.sentences, response_side.document.sentences, strict=True):
        marked = by_sentence[sentence.number]
        used = {position for mention, _, _ in marked for position in mention.positions}
        words = dict.fromkeys(shown_positions(other, used), response_side)
        words.update(dict.fromkeys(shown_positions(sentence, used), key_side))
        yield sentence, _with_brackets(sorted(words), [words[p].word(p) for p in sorted(words)], marked)


def _with_brackets(positions: list[int], texts: list[str], marked: list[Mark]) -> list[MarkedWord]:
    index = {position: n for n, position in enumerate(positions)}
    words = [MarkedWord(text, [], []) for text in texts]
    runs = [(*run, outcome) for mention, outcome, name in marked for run in labelled_runs(mention, name, index)]
    begun = [0, *accumulate(map(Counter(run[0] for run in runs).__getitem__, range(len(words))))]
    ended = [0, *accumulate(map(Counter(run[1] for run in runs).__getitem__, range(len(words))))]
    # Longer mentions open before and close after the shorter ones inside them.
    for first, last, name, outcome in sorted(runs, key=lambda run: (run[0], -run[1])):
        inside = begun[last + 1] - begun[first + 1] + ended[last] - ended[first]
        words[first].before.append(Bracket(outcome, name if inside else ""))
    for _, last, name, outcome in sorted(runs, key=lambda run: (run[1], -run[0])):
        words[last].after.append(Bracket(outcome, name))
    return words
