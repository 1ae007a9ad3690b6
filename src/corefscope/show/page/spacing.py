"""Where a text has no blank between two words: what a file says, else what the script is known for."""

from __future__ import annotations

import re
from itertools import pairwise

from ...base.document import Sentence

NO_SPACE = re.compile(r"^([0-9]+)(?:-([0-9]+))?\t[^\n]*\bSpaceAfter=No\b", flags=re.MULTILINE)
TEXT = re.compile(r"^# text = ([^\n]*)", flags=re.MULTILINE)
SURFACE = re.compile(r"^([0-9]+)-([0-9]+)\t([^\t\n]*)", flags=re.MULTILINE)
MULTIWORD = re.compile(r"([0-9]+)-([0-9]+)")
UNSPACED = (  # scripts that put no blanks between words
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Myanmar
    (0x1780, 0x17FF),  # Khmer
    (0x2E80, 0x31FF),  # Han radicals, punctuation, kana
    (0x3400, 0x9FFF),  # Han
    (0xF900, 0xFAFF),  # Han, compatibility
    (0xFE30, 0xFE4F),  # punctuation of vertical text
    (0xFF00, 0xFFEF),  # full-width forms
    (0x20000, 0x3FFFF),  # Han, rarer
)


def joints(sentence: Sentence) -> tuple[list[int], list[int]]:
    """The words, counted from 1, after which no blank stands, and those glued to the next by a multiword token."""
    glued = _inside_multiword_tokens(sentence)
    inside = set(glued)
    unspaced = _stated(sentence)
    if unspaced is None:
        unspaced = _by_text(sentence, inside)
    if unspaced is None:
        unspaced = _by_script(sentence)
    return [word for word in unspaced if word not in inside], glued


def _inside_multiword_tokens(sentence: Sentence) -> list[int]:
    glued: set[int] = set()
    for name in sentence.unusual:
        if token := MULTIWORD.fullmatch(name):
            glued.update(range(int(token[1]), min(int(token[2]), len(sentence.words))))
    return sorted(glued)


def _stated(sentence: Sentence) -> list[int] | None:
    """What ``SpaceAfter=No`` says; None if nothing does."""
    if "SpaceAfter=No" not in sentence.text:
        return None
    return sorted({int(last or first) for first, last in NO_SPACE.findall(sentence.text)})


def _by_text(sentence: Sentence, inside: set[int]) -> list[int] | None:
    """What ``# text`` says; None if there is none or the words are not in it."""
    stated = TEXT.search(sentence.text)
    if not stated:
        return None
    text, offset = stated[1], 0
    surfaces = {int(first): (int(last), form) for first, last, form in SURFACE.findall(sentence.text)}
    unspaced: list[int] = []
    number = 1
    while number <= len(sentence.words):
        last, form = surfaces.get(number, (number, _form(sentence.words[number - 1])))
        if last < number or not text.startswith(form, offset):
            return None
        offset += len(form)
        if offset < len(text) and text[offset].isspace():
            offset = len(text) - len(text[offset:].lstrip())
        elif last not in inside:
            unspaced.append(last)
        number = last + 1
    return unspaced


def _by_script(sentence: Sentence) -> list[int]:
    """No blanks between words of scripts that have none."""
    forms = [_form(word) for word in sentence.words]
    if all(form.isascii() for form in forms):
        return []
    return [
        number
        for number, (this, following) in enumerate(pairwise(forms), 1)
        if this and following and _unspaced(this[-1]) and _unspaced(following[0])
    ]


def _unspaced(character: str) -> bool:
    code = ord(character)
    return code >= UNSPACED[0][0] and any(first <= code <= last for first, last in UNSPACED)


def _form(word: str) -> str:
    return word.partition("\t")[2]
