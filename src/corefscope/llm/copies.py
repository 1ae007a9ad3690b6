"""Printed lines and words as copies of the original documents.

- Lines: one line is one document, in the order of the skeleton. Where there are more lines or fewer, or a line fits
  another document better, each line goes to the document that it shares most words with, rare words counting most; a
  line that has little of any document is chatter. So documents may be missing, or be printed in several lines. Lines
  in the order of the skeleton are read one at a time, twice: first to make sure of that.
- Copies: a text may be printed more than once, as an echo of the prompt or as a draft. One of the copies counts.
- Literal tags: a text may contain ``<b>`` or ``[see: 1]``. Where the words of the key look like tags, such matches
  are first read as words, and aligned. Those that correspond to just these words of the key are text; all others are
  tags. Near misses are then read as tags only if no words of the key are lost by that.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import accumulate, zip_longest
from typing import NamedTuple

from ..formats.alignment import COPIED, AlignedBlock, align_words, target_words
from ..formats.edit_distance import normalise
from ..formats.source import Source
from .fast import STYLE as EXACT_STYLE
from .fast import exact_copy
from .lexer import LexedText, Word, without_fence
from .printed_json import JSON_DOCUMENT, find_json_documents
from .styles import STYLES, Style, may_look_like_tags, recognise_style, respell, squeezed, undisguise

COMMON = 64
"""Maximum number of documents with a word that counts for the assignment of lines."""
MIN_SHARED = 0.3
"""Minimum share of a line's words that its document has."""
_RUN = re.compile(r"\w+")


class PrintedLine(NamedTuple):
    """A line that is not blank, or a document in JSON: its line number, text, and vocabulary."""

    number: int
    text: str
    words: frozenset[str] = frozenset()
    is_json: bool = False


def vocabulary_of(words: Iterable[str]) -> frozenset[str]:
    """The runs of letters and digits in words: punctuation may be attached to them."""
    return frozenset(_RUN.findall(" ".join(map(normalise, words))))


def assign_lines(
    lines: Sequence[PrintedLine], vocabularies: Sequence[frozenset[str]]
) -> list[list[PrintedLine]] | None:
    """Assign lines to documents, only JSON if a document has any; None if there is one line each, in order."""
    one_each = len(lines) == len(vocabularies)
    if one_each and all(map(_fits, lines, vocabularies)):
        return None
    documents_of: dict[str, list[int]] = {}
    for number, vocabulary in enumerate(vocabularies):
        for word in vocabulary:
            documents_of.setdefault(word, []).append(number)
    best: list[int | None] = []
    latest = 0
    for line in lines:
        weights: Counter[int] = Counter()
        for word in line.words:
            numbers = documents_of.get(word, ())
            for number in numbers if len(numbers) <= COMMON else ():
                weights[number] += COMMON // len(numbers)
        # Ties go to the next document from the latest one on.
        most = max(weights, key=lambda number: (weights[number], number >= latest, -number), default=0)
        best.append(most if line.words and _fits(line, vocabularies[most]) else None)
        latest = latest if best[-1] is None else most
    if one_each and all(number in (None, own) for own, number in enumerate(best)):
        return None
    found: list[list[PrintedLine]] = [[] for _ in vocabularies]
    for line, at in zip(lines, best, strict=True):
        if at is not None:
            found[at].append(line)
    return [[line for line in document if line.is_json] or document for document in found]


CLEAR_SHARE = 0.8
"""Share of all tags that one style must have, so that it is certain to be the usual one of the file."""


class OrderedLines(NamedTuple):
    """Lines that are one document each, in the order of the skeleton."""

    numbers: Sequence[int]
    """Their line numbers."""
    styles: Sequence[Style | None]
    """Their styles, as far as these are the usual one."""
    usual: Style | None
    """The style of most tags; None of JSON."""
    is_json: bool


def iter_lines(source: Source) -> Iterator[PrintedLine]:
    """The lines of a file that are not blank, without code fences, one at a time."""
    number = 0
    for offset, piece in source.pieces(b"\n"):
        for line in source.decoded(piece, offset).removesuffix("\n").split("\n"):
            number += 1
            if (text := without_fence(line)).strip():
                yield PrintedLine(number, text)


def survey_lines(
    lines: Iterator[PrintedLine],
    documents: Iterable[Sequence[str]],
    named: Style | None,
    lex: Callable[[str, int, Style | None, Sequence[str]], LexedText],
) -> OrderedLines | None:
    """Check that each line is the document with its number, of which only words are given, holding one at a time.

    None if not, or if it is not certain: then all lines have to be known to assign them. ``named`` is the style if
    it is known.
    """
    numbers, styles, tags = array("q"), list[Style | None](), Counter[Style]()
    tagged = objects = 0
    for line, forms in zip_longest(lines, documents):
        if line is None or forms is None or "<think" in line.text or "</think" in line.text:
            return None
        numbers.append(line.number)
        if named in (None, EXACT_STYLE) and (copy := exact_copy(line.text, forms)):
            styles.append(EXACT_STYLE)
            tags[EXACT_STYLE] += copy.tagged
            tagged += 1
            continue
        if (named is None or named.is_json) and re.search(JSON_DOCUMENT, line.text):
            faults: dict[int, str] = {}
            found, rest = find_json_documents(line.text, faults)
            if len(found) != 1 or rest.strip() or faults:
                return None
            style: Style | None = STYLES["json"]
            objects += 1
        else:
            style = named or recognise_style(line.text, None, forms)
        words = lex(line.text, line.number, style, forms).words
        if not _fits(line._replace(words=vocabulary_of(words)), vocabulary_of(forms)):
            return None
        styles.append(style)
        if style:
            tags[style] += style.closings(line.text, forms)
            tagged += style.is_json or has_tags(style, line.text, forms)
    if not tagged or objects not in (0, len(numbers)) or (named and named.is_json and not objects):
        return None
    usual = None if objects else named or max(tags, key=tags.__getitem__)
    if usual and tags[usual] < CLEAR_SHARE * tags.total():
        return None
    return OrderedLines(numbers, [style if style is usual else None for style in styles], usual, objects > 0)


def has_tags(style: Style, text: str, forms: Sequence[str]) -> bool:
    """Whether a text has a tag of a style that is not one of its words."""
    if style.is_json:
        return False
    if style.closings(text, forms) and not style.masked:
        return True
    return any(span.id for span in lex_over(style, text, forms).spans)


def _fits(line: PrintedLine, vocabulary: frozenset[str]) -> bool:
    """Whether a document has enough words of a line; a line without letters fits any."""
    return len(line.words & vocabulary) >= MIN_SHARED * len(line.words)


MIN_LENGTH = 1.4
"""Minimum length of a text that is searched for several copies, as a multiple of the key."""
MIN_JUMP = 0.4
"""Minimum jump back where another copy begins, as a share of the key."""
MIN_SIZE = 0.5
"""Minimum share of the best copy's tags and words that a later copy needs to be preferred."""


def align_copy(text: LexedText, key: Sequence[str]) -> list[AlignedBlock]:
    """Align printed words with those of the key; words outside of the copy that counts are invented.

    Of several copies the one with the most tags counts, or a later one with at least half of its tags and words.
    """
    words = text.words
    start, stop = _best_copy(text, words, key) if len(words) >= MIN_LENGTH * len(key) > 0 else (0, len(words))
    before = [AlignedBlock(0, start, 0, 0, "invented")] if start else []
    within = [
        AlignedBlock(start + each[0], start + each[1], *each[2:]) for each in align_words(words[start:stop], key)
    ]
    after = [AlignedBlock(stop, len(words), len(key), len(key), "invented")] if stop < len(words) else []
    return [*before, *within, *after]


def _best_copy(text: LexedText, words: Sequence[str], key: Sequence[str]) -> tuple[int, int]:
    """Range of the words of the copy that counts."""
    copies = _find_copies(words, key)
    if len(copies) < 2:
        return 0, len(words)
    tags = _tags_by_word(text)
    sizes = [(sum(tags[start:stop]), known) for start, stop, known in copies]
    most = max(sizes)
    good = [at for at, size in enumerate(sizes) if size[0] >= MIN_SIZE * most[0] and size[1] >= MIN_SIZE * most[1]]
    start, stop, _ = copies[good[-1] if good else sizes.index(most)]
    return start, stop


def _find_copies(words: Sequence[str], key: Sequence[str]) -> list[tuple[int, int, int]]:
    """Range of the words of each copy, and its number of words that are unique in the key.

    Ranges overlap: words between the last unique word of one copy and the first of the next may be part of either.
    """
    counts = Counter(map(normalise, key))
    places = {word: place for place, word in enumerate(map(normalise, key)) if counts[word] == 1}
    jump = MIN_JUMP * len(key)
    found: list[tuple[int, int, int]] = []
    start = known = furthest = last = 0
    for number, word in enumerate(words):
        place = places.get(normalise(word))
        if place is None:
            continue
        if known and place <= furthest - jump:
            found.append((start, number, known))
            start, known, furthest = last + 1, 0, place
        furthest, last, known = max(furthest, place), number, known + 1
    return [*found, (start, len(words), known)]


def _tags_by_word(text: LexedText) -> list[int]:
    """Number of tags at each word."""
    words = list(accumulate((isinstance(item, Word) for item in text.items), initial=0))
    tags = [0] * (words[-1] + 1)
    for span in text.spans:
        for number in (span.opens, span.closes):
            if number is not None and 0 <= number < len(text.items):
                tags[words[number]] += 1
    return tags


def lex_over(style: Style, text: str, forms: Sequence[str]) -> LexedText:
    """Lex a document that is printed in a style, knowing the words of the key."""
    text = _respell(style, text, forms)
    known = _tag_like(style, forms)
    if not known:
        return style.lex(text)._replace(text=text)

    def may_be_text(mark: re.Match[str]) -> bool:
        return squeezed(mark[0]) in known

    first = style.lex(text, is_text=may_be_text)
    marks = [mark.span() for mark in re.finditer(style.tags, text) if may_be_text(mark)]
    literal = _find_literal(style, text, marks, first, forms) if marks else set()
    if len(literal) == len(marks):
        return first._replace(text=text)
    return style.lex(text, is_text=lambda mark: mark.start() in literal)._replace(text=text)


def _respell(style: Style, text: str, forms: Sequence[str]) -> str:
    """Replace near misses by tags, except kinds by which words of the key would be lost."""
    respelled = style.respell(text)
    if respelled == text or not may_look_like_tags(forms, style.signs):
        return respelled
    copied = _count_copied(style, text, forms)
    changes: list[Callable[[str], str]] = [undisguise]
    changes += [partial(respell, spellings=[each]) for each in style.near_misses]
    for change in changes:
        new = change(text)
        if new != text and (now := _count_copied(style, new, forms)) >= copied:
            text, copied = new, now
    return text


def _count_copied(style: Style, text: str, forms: Sequence[str]) -> int:
    """Number of words of the key that are copied."""
    blocks = align_words(style.lex(text).words, forms)
    return sum(block.target_size for block in blocks if block.kind in COPIED)


def _tag_like(style: Style, words: Sequence[str]) -> set[str]:
    """Matches of tags in words, alone or joined, without blanks; a single bracket does not count."""
    if not may_look_like_tags(words, style.signs):
        return set()
    spaced = [" ".join(words)] if style.is_enclosed else []  # blanks belong to the tags of enclosures
    found = [
        mark
        for text in (squeezed("".join(words)), *spaced, *filter(re.compile(style.signs).search, words))
        for mark in re.finditer(style.tags, style.respell(undisguise(text)))
    ]
    return {squeezed(mark[0]) for mark in found if len(mark[0]) > 1 and mark.lastgroup != "bad"}


def _find_literal(
    style: Style, text: str, marks: Sequence[tuple[int, int]], lexed: LexedText, forms: Sequence[str]
) -> set[int]:
    """Offsets of the matches that are also in the words of the key that they correspond to."""
    words = [item for item in lexed.items if isinstance(item, Word)]
    keys = target_words(align_words([word.form for word in words], forms), len(words))
    found: set[int] = set()
    number = 0
    for start, stop in marks:
        while number < len(words) and words[number].at + len(words[number].form) <= start:
            number += 1
        over: list[int] = []
        at = number
        while at < len(words) and words[at].at < stop:
            over += keys[at] or ()
            at += 1
        if over and squeezed(text[start:stop]) in _tag_like(style, forms[min(over) : max(over) + 1]):
            found.add(start)
    return found
