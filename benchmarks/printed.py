"""A document, and what is printed of it: one word in twenty is changed."""

from __future__ import annotations

from random import Random

SENTENCE = 20
"""Words of a sentence."""
MENTION = 4
"""Every so many words there is a mention of two."""


def natural_words(size: int) -> list[str]:
    """Words of which few are frequent and many are rare, as in a text; they begin with all letters."""
    random = Random(16)
    return [_spelt(int(200_000 ** random.random())) for _ in range(size)]


def _spelt(number: int) -> str:
    """A number in syllables, the last digit first.

    >>> _spelt(7), _spelt(1234)
    ('di', 'kufi')
    """
    syllables = []
    while number:
        number, digit = divmod(number, 100)
        syllables.append("bdfghjklmnprstvzckxy"[digit // 5] + "aeiou"[digit % 5])
    return "".join(syllables)


def changed(forms: list[str]) -> list[str]:
    """The words with one in twenty in another case, replaced, left out, or twice."""
    random = Random(17)
    copied: list[str] = []
    for form in forms:
        if random.random() >= 0.05:
            copied.append(form)
            continue
        copied += random.choice(([form.upper()], ["another"], [], [form, form]))
    return copied


def _tag(place: int, size: int, opening: str, closing: str) -> str:
    """What marks a word, if a mention begins or ends there; 50 entities take turns."""
    entity = f"e{place // MENTION % 50 + 1}"
    begins, ends = place % MENTION == 0 and place + 1 < size, place % MENTION == 1
    return opening.format(entity) if begins else closing.format(entity) if ends else ""


def as_corefud(forms: list[str], name: str = "printed") -> str:
    """A CorefUD file of one document."""
    lines = [f"# newdoc id = {name}", "# global.Entity = eid-etype-head-other"]
    for place, form in enumerate(forms):
        number = place % SENTENCE + 1
        if number == 1:
            lines += ["", f"# sent_id = {name}-s{place}"][not place :]
        misc = _tag(place, len(forms), f"Entity=({name}{{}}--1", f"Entity={name}{{}})") or "_"
        lines.append("\t".join([str(number), form, *"____", str(number - 1), "dep", "_", misc]))
    return "\n".join([*lines, "", ""])


def as_printed(forms: list[str], *, exactly: bool = False) -> str:
    """The same in one line, with tags on what is left of the words."""
    tagged = [form + _tag(place, len(forms), "|[{}", "|{}]") for place, form in enumerate(forms)]
    return " ".join(tagged if exactly else changed(tagged)) + "\n"
