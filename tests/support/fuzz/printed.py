"""What language models do to the text that they are to print with tags."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from .mutators import broken

REFUSALS = [
    "I'm sorry, but I can't help with that.",
    "As a language model, I cannot tag [this text: 1].",
    "Here is the tagged text:",
    "",
    "{}",
    "[]",
    "```\n```",
    '{"error": "context length exceeded"}',
    '[["Ann", "her"], ["the dog"]]',
    '{"1": ["Ann"], "2": [{"text": "it", "start": 3, "end": 4}]}',
    "- **Ann**: Ann, her\n- dog: the dog; it",
    "| Entity | Mentions |\n|---|---|\n| 1 | Ann; her |",
    '{"custom_id": "d", "result": {"type": "errored"}}',
]
WORD = re.compile(r"\S+")


def spoilt(rng: random.Random, data: bytes) -> bytes:
    """Printed text as it was, or with one or two of the faults that models make, or broken as any file is."""
    way = rng.random()
    if way < 0.15:
        return data
    if way < 0.3:
        return broken(rng, data, "tagged")
    text = data.decode("utf-8", "replace")
    for _ in range(rng.choice((1, 1, 2))):
        text = rng.choice(FAULTS)(rng, text)
    return text.encode("utf-8", "replace")


def _truncate(rng: random.Random, text: str) -> str:
    return text[: rng.randrange(len(text) + 1)]


def _refuse(rng: random.Random, text: str) -> str:
    """A refusal in the place of the text, or of one of its documents."""
    lines = text.split("\n")
    lines[rng.randrange(len(lines))] = rng.choice(REFUSALS)
    return rng.choice((rng.choice(REFUSALS), "\n".join(lines)))


def _introduce(rng: random.Random, text: str) -> str:
    return f"{rng.choice(REFUSALS)}\n\n```{rng.choice(('', 'xml', 'json'))}\n{text}\n```\nLet me know!"


def _repeat(rng: random.Random, text: str) -> str:
    """The same words over and over again."""
    words = text.split(" ")
    start = rng.randrange(len(words))
    piece = words[start : start + rng.choice((1, 3, 20))]
    return " ".join(words[:start] + piece * rng.choice((2, 5, 50)) + words[start:])


def _change_word(rng: random.Random, text: str) -> str:
    """Another word in the place of one: without its tags, in other letters, as a zero, or one of the text."""
    words = list(WORD.finditer(text))
    if not words:
        return text
    old, other = rng.choice(words), rng.choice(words)[0]
    new = rng.choice((other, old[0].upper(), old[0][::-1], "##", f"##{old[0]}", "", f"{old[0]} ##", "é", "x" * 50))
    return text[: old.start()] + new + text[old.end() :]


def _change_zero(rng: random.Random, text: str) -> str:
    """A zero more or fewer, with or without a tag."""
    if "##" in text and rng.random() < 0.5:
        return text.replace("##", rng.choice(("", "#", "# #", "##x", "####")), rng.choice((1, -1)))
    at = rng.choice([match.start() for match in re.finditer(r" |\Z", text)])
    zero = rng.choice(
        ("##", "##|[e1]", "<e1>##</e1>", "[##: 1]", "[##](#cluster_0)", "<m> ## | 0 </m>", "##|[e9 ##|e9]")
    )
    return f"{text[:at]} {zero}{text[at:]}"


def _join_lines(_: random.Random, text: str) -> str:
    return text.replace("\n", " ")


FAULTS: list[Callable[[random.Random, str], str]] = [
    *(_truncate, _refuse, _introduce, _repeat, _change_word, _change_word, _change_zero, _change_zero, _join_lines)
]
