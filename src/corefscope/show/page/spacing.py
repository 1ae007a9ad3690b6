"""Where a text has no blank between two words: what a file says, else what the script is known for."""

from __future__ import annotations

import re
from itertools import pairwise

from ...base.document import Sentence

NO_SPACE = re.compile(r"^([0-9]+)(?:-([0-9]+))?\t[^\n]*\bSpaceAfter=No\b", flags=re.MULTILINE)
TEXT = re.compile(r"^# text = ([^\n]*)", flags=re.MULTILINE)
SURFACE = re.compile(r"^([0-9]+)-([0-9]+)\t([^\t\n]*)", flags=re.MULTILINE)
MULTIWORD = re.compile(r"([0-9]+)-([0-9]+)")
UNSPACED = re.compile(  # scripts that put no blanks between words
    "[\u0e00-\u0eff"  # Thai, Lao
    "\u1000-\u109f"  # Myanmar
    "\u1780-\u17ff"  # Khmer
    "\u2e80-\u31ff"  # Han radicals, punctuation, kana
    "\u3400-\u9fff"  # Han
    "\uf900-\ufaff"  # Han, compatibility
    "\ufe30-\ufe4f"  # punctuation of vertical text
    "\uff00-\uffef"  # full-width forms
    "\U00020000-\U0003ffff]"  # Han, rarer
)


def joints(sentence: Sentence) -> tuple[list[int], list[int]]:
    """The words, counted from 1, after which no blank stands, and those glued to the next by a multiword token."""
    glued: set[int] = set()
    for name in sentence.unusual:
        if token := MULTIWORD.fullmatch(name):
            glued.update(range(int(token[1]), min(int(token[2]), len(sentence.words))))
    unspaced = _stated(sentence)
    if unspaced is None:
        unspaced = _by_text(sentence, glued)
    if unspaced is None:
        unspaced = _by_script(sentence)
    return [word for word in unspaced if word not in glued], sorted(glued)


def _stated(sentence: Sentence) -> list[int] | None:
    """What ``SpaceAfter=No`` says; None if nothing does."""
    if "SpaceAfter=No" not in sentence.text:
        return None
    return sorted({int(last or first) for first, last in NO_SPACE.findall(sentence.text)})


def _by_text(sentence: Sentence, glued: set[int]) -> list[int] | None:
    """What ``# text`` says; None if there is none or the words are not in it."""
    stated = TEXT.search(sentence.text)
    if not stated:
        return None
    text, offset = stated[1], 0
    surfaces = {int(first): (int(last), form) for first, last, form in SURFACE.findall(sentence.text)}
    unspaced: list[int] = []
    word = 1
    while word <= len(sentence.words):
        last, form = surfaces.get(word, (word, form_of(sentence.words[word - 1])))
        if last < word or not text.startswith(form, offset):
            return None
        offset += len(form)
        if offset < len(text) and text[offset].isspace():
            offset = len(text) - len(text[offset:].lstrip())
        elif last not in glued:
            unspaced.append(last)
        word = last + 1
    return unspaced


def _by_script(sentence: Sentence) -> list[int]:
    """No blanks between words of scripts that have none."""
    forms = [form_of(word) for word in sentence.words]
    if all(form.isascii() for form in forms):
        return []
    return [
        word
        for word, (form, following) in enumerate(pairwise(forms), 1)
        if UNSPACED.match(form[-1:]) and UNSPACED.match(following)
    ]


def form_of(word: str) -> str:
    """The form of a word of a sentence."""
    return word.partition("\t")[2]
