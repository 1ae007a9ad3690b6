"""The words of a jsonlines document: in sentences, in a list, as subtokens, or only the characters of a text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate, chain
from typing import Any, NamedTuple

from .json_text import refuse, shortened

WORD_FIELDS = ("sentences", "tokens", "document", "cased_words", "text")
FLAT_FIELDS = ("tokens", "document", "cased_words")
SENTENCE_FIELDS = ("sent_id", "sentence_map")
SPECIAL = re.compile(r"\[(?:CLS|SEP|PAD)\]|</?s>|<pad>|<\|endoftext\|>")
LINE = re.compile(r"[^\n]*\n|[^\n]+")
LIST_HINT = "words are given as sentences [[word, …], …] or as tokens [word, …]"


class DocumentWords(NamedTuple):
    """The words of a document, and what numbers in clusters may count instead."""

    sentences: Sequence[Sequence[str]]
    """Of a text its lines: the characters of a string are its words."""
    unit: str = "words"
    """``words`` or ``characters``."""
    cuts_itself: bool = False
    """Whether the document says where sentences end."""
    of_subtokens: list[int] | None = None
    """The word of each subtoken, -1 for none."""

    @property
    def starts(self) -> list[int] | None:
        """The number of words before each sentence, and of all; None if the document does not cut itself."""
        return list(accumulate(map(len, self.sentences), initial=0)) if self.cuts_itself else None


def has_words(fields: dict[str, Any]) -> bool:
    """Whether a document has more than a text."""
    return any(fields.get(name) is not None for name in ("sentences", *FLAT_FIELDS))


def words_of(fields: dict[str, Any], unit: str) -> DocumentWords:
    """The words of a document whose clusters count these units."""
    if unit == "characters" or not has_words(fields):
        return _text(fields, unit)
    if fields.get("subtoken_map") is not None:
        return _subtokens(fields)
    words = _flat(fields)
    sentences = fields.get("sentences")
    if sentences is not None:
        cut = _sentences(sentences)
        if words is not None and words != list(chain.from_iterable(cut)):
            refuse("sentences and tokens do not hold the same words", "leave out the one that is wrong")
        return DocumentWords(cut, cuts_itself=True)
    return DocumentWords(_cut(words or [], fields))


def _text(fields: dict[str, Any], unit: str) -> DocumentWords:
    """The characters of a text, which ends sentences with its lines."""
    text = fields.get("text")
    if isinstance(text, list) and unit != "characters":  # fastcoref, when it is given words
        return DocumentWords([text])
    if isinstance(text, str):
        return DocumentWords(LINE.findall(text), "characters")
    if text is not None:
        refuse(f"text is {shortened(text)}, not a string", LIST_HINT)
    present = ", ".join(map(shortened, list(fields)[:20])) or "none"
    missing = "text that its characters are counted in" if unit == "characters" else "words"
    refuse(
        f"the document has no {missing}; its fields: {present}",
        f"words are read from {', '.join(WORD_FIELDS)}; for clusters of ids without words, name the format clusters",
    )


def _flat(fields: dict[str, Any]) -> list[str] | None:
    """The field that lists all words, if there is one."""
    present = [name for name in FLAT_FIELDS if fields.get(name) is not None]
    for name in present:
        if not isinstance(fields[name], list):
            refuse(f"{name} is {shortened(fields[name])}, not a list of words", LIST_HINT)
        if fields[name] != fields[present[0]]:
            refuse(f"{present[0]} and {name} do not hold the same words", "leave out the one that is wrong")
    return fields[present[0]] if present else None


def _sentences(sentences: Any) -> list[list[str]]:
    """Lists of words, or objects that have them as tokens (which may be objects that have a text)."""
    if not isinstance(sentences, list):
        refuse(f"sentences is {shortened(sentences)}, not a list of sentences", LIST_HINT)
    if set(map(type, sentences)) <= {list}:
        return sentences
    cut: list[list[Any]] = []
    for index, sentence in enumerate(sentences):
        words = sentence.get("tokens") if isinstance(sentence, dict) else sentence
        if not isinstance(words, list):
            refuse(f"sentences[{index}] is {shortened(sentence)}, not a list of words", LIST_HINT)
        cut.append([word.get("text") if isinstance(word, dict) else word for word in words])
    return cut


def _cut(words: list[str], fields: dict[str, Any]) -> list[list[str]]:
    """One list of words, cut where the number of the sentence changes."""
    for name in SENTENCE_FIELDS:
        numbers = fields.get(name)
        if isinstance(numbers, list):
            if len(numbers) != len(words):
                refuse(f"{name} has {len(numbers)} items, but there are {len(words)} words")
            return _cut_by(words, numbers)
    return [words]


def _cut_by(words: list[str], numbers: list[Any]) -> list[list[str]]:
    cut: list[list[str]] = []
    for index, word in enumerate(words):
        if not index or numbers[index] != numbers[index - 1]:
            cut.append([])
        cut[-1].append(word)
    return cut


def _subtokens(fields: dict[str, Any]) -> DocumentWords:
    """Words as tokens has them, else as sentences has them, else put together from the subtokens in sentences."""
    of_subtokens = _subtoken_map(fields["subtoken_map"])
    count = max(of_subtokens, default=-1) + 1
    words = _flat(fields)
    sentences = fields.get("sentences")
    if words is not None:
        if count > len(words):
            words_there = f"there are {len(words)} words, 0 to {len(words) - 1}"
            refuse(f"the subtoken_map names word {count - 1}, but {words_there}")
    else:
        cut = _sentences([] if sentences is None else sentences)
        subtokens = list(chain.from_iterable(cut))
        if len(subtokens) == len(of_subtokens):
            words = _put_together(subtokens, of_subtokens, count)
        elif len(subtokens) == count:
            return DocumentWords(cut, of_subtokens=of_subtokens)
        else:
            refuse(
                f"sentences hold {len(subtokens)} items, but the subtoken_map {len(of_subtokens)} subtokens"
                f" of {count} words",
                "give the words as tokens",
            )
    numbers = fields.get("sentence_map")
    if not isinstance(numbers, list):
        return DocumentWords(_cut(words, {"sent_id": fields.get("sent_id")}), of_subtokens=of_subtokens)
    if len(numbers) != len(of_subtokens):
        refuse(f"sentence_map has {len(numbers)} items, but the subtoken_map {len(of_subtokens)}")
    sentence_of: dict[int, Any] = {}
    for word, number in zip(of_subtokens, numbers, strict=True):
        sentence_of.setdefault(word, number)
    of_words: list[Any] = []
    for word in range(len(words)):  # words without subtokens stay with the word before
        of_words.append(sentence_of.get(word, of_words[-1] if of_words else sentence_of.get(0)))
    return DocumentWords(_cut_by(words, of_words), of_subtokens=of_subtokens)


def _subtoken_map(value: Any) -> list[int]:
    if not isinstance(value, list) or not all(word is None or type(word) is int for word in value):
        refuse("subtoken_map is not a list of word numbers", "it has the number of its word for each subtoken")
    words = [-1 if word is None else word for word in value]
    numbered = [word for word in words if word >= 0]
    if numbered != sorted(numbered):
        refuse("the numbers of subtoken_map do not increase", "it has the number of its word for each subtoken")
    if numbered and numbered[-1] > len(words):  # or a few bytes could ask for any number of words
        refuse(f"the subtoken_map names word {shortened(numbered[-1])}, but has {len(words)} subtokens only")
    return words


def _put_together(subtokens: list[Any], of_subtokens: list[int], count: int) -> list[str]:
    """Words from their subtokens, without what tokenizers add to mark where words begin or go on."""
    words = [""] * count
    for subtoken, word in zip(subtokens, of_subtokens, strict=True):
        if not isinstance(subtoken, str):
            refuse(f"the subtoken {shortened(subtoken)} is not a string", "give the words as tokens")
        if word >= 0 and not SPECIAL.fullmatch(subtoken):
            going_on = words[word] and subtoken.startswith("##")
            words[word] += subtoken[2:] if going_on else subtoken.lstrip("Ġ▁")
    return words
