"""Random documents, printed with tags in every style, and what a model may do to them; none of the package's code."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import NamedTuple

Span = tuple[int, int]
VOCABULARY = ["ba", "be", "bi", "bo", "bu", "da", "de", "di", "Ana", "Bo", "Cy", "3", "x_y", *".,'-\"[]|:<"]


class Made(NamedTuple):
    """Words by sentence, and the spans of entities by number of words in the document; spans never cross."""

    sentences: list[list[str]]
    entities: dict[str, list[Span]]

    @property
    def words(self) -> list[str]:
        return [word for sentence in self.sentences for word in sentence]

    @property
    def spans(self) -> list[tuple[Span, str]]:
        return [(span, name) for name, spans in self.entities.items() for span in spans]

    def clusters(self) -> set[frozenset[Span]]:
        return {frozenset(spans) for spans in self.entities.values()}


def made(random: Random, rare: bool) -> Made:
    """A document; ``rare``: of words most of which are there once, as in a real text."""
    sentences = []
    for _ in range(random.randint(1, 4)):
        words = [random.choice(VOCABULARY) for _ in range(random.randint(1, 9))]
        if rare:
            words = [f"{word}{random.randrange(10**4)}" if word.isalpha() else word for word in words]
        sentences.append(words)
    spans: set[Span] = set()
    before = 0
    for words in sentences:
        for _ in range(random.randint(0, 4)):
            first = random.randrange(len(words))
            last = min(len(words) - 1, first + random.choice([0, 0, 1, 2, 5]))
            new = before + first, before + last
            if not any(a < new[0] <= b < new[1] or new[0] < a <= new[1] < b for a, b in spans):
                spans.add(new)
        before += len(words)
    entities: dict[str, list[Span]] = {}
    for span in sorted(spans):
        entities.setdefault(f"e{random.randint(1, 4)}", []).append(span)
    return Made(sentences, entities)


def conllu(documents: list[Made]) -> str:
    """The same as a file without coreference; every word depends on the first one of its sentence."""
    lines = []
    for number, document in enumerate(documents, 1):
        lines += [f"# newdoc id = d{number}", "# global.Entity = eid-etype-head-other"]
        for place, words in enumerate(document.sentences, 1):
            text = " ".join(words)
            lines += [f"# sent_id = d{number}-s{place}", f"# text = {text}"]
            for index, word in enumerate(words, 1):
                head, relation = ("0", "root") if index == 1 else ("1", "dep")
                lines.append(f"{index}\t{word}\t_\tX\t_\t_\t{head}\t{relation}\t_\tGloss=a|Ref={index}")
            lines.append("")
    return "\n".join(lines) + "\n"


NOISE = ["[", "]", "|", "<", ">", "e1", "]|", "</m>", "<m>", "##", ":", "(#", ")", "\n"]
OPENS = {"xml": "<{}>", "markdown": "[", "colon": "[", "seq2seq": "<m> ", "corefinst": "<m>"}
CLOSES = {"xml": "</{}>", "markdown": "](#{})", "colon": ": {}]", "seq2seq": " | {} </m>", "corefinst": "</m>#{}"}
UNCLEAR = {"crac": "|[]", "xml": "<", "markdown": "[]", "colon": "[]:", "seq2seq": "<|", "corefinst": "<"}
"""Words that may be taken for tags in a style."""


def printed(words: list[str], spans: list[tuple[Span, str]], style: str) -> str:
    """Words with tags; the spans are numbers of words."""
    opening: dict[int, list[tuple[int, str]]] = {}
    closing: dict[int, list[tuple[int, str]]] = {}
    for (first, last), name in sorted(spans, key=lambda span: (span[0][0], -span[0][1])):
        opening.setdefault(first, []).append((last, name))
        closing.setdefault(last, []).insert(0, (first, name))
    items = []
    for number, word in enumerate(words):
        begins, ends = opening.get(number, []), closing.get(number, [])
        if style == "crac":
            tags = [f"[{name}]" if last == number else f"[{name}" for last, name in begins]
            tags += [f"{name}]" for first, name in ends if first < number]
            items.append(f"{word}|{','.join(sorted(tags))}" if tags else word)
        else:
            before = "".join(OPENS[style].format(name) for _, name in begins)
            items.append(before + word + "".join(CLOSES[style].format(name) for _, name in ends))
    return " ".join(items)


def miscopied(words: list[str], random: Random, share: float) -> list[str]:
    """The same number of items, each of which may be another word, none, two, or two in one."""
    changes: list[Callable[[str], str]] = [
        str.upper,
        lambda word: word.replace("'", "’").replace("-", "–"),
        lambda word: word[:-1] + "q",
        lambda _: "other",
        lambda _: "",
        lambda word: f"{word} {word}",
        lambda word: f"{word[:1]} {word[1:]}",
        lambda word: f"{word}.",
        lambda word: f"extra {word}",
    ]
    return [random.choice(changes)(word) if random.random() < share else word for word in words]


def spoilt(text: str, random: Random) -> str:
    """A text to whose signs something was done, and around which something was said."""
    signs = list(text)
    for _ in range(random.randint(0, 6)):
        if not signs:
            break
        at = random.randrange(len(signs))
        change = random.randint(0, 3)
        if change == 0:
            del signs[at : at + random.randint(1, 4)]
        elif change == 1:
            signs.insert(
                at, random.choice(["[", "]", "|", "<", ">", "e1", "]|", "</m>", "<m>", "##", ":", "(#", ")", "\n"])
            )
        elif change == 2:
            signs[at:at] = signs[at : at + random.randint(1, 9)]
        else:
            signs[at] = random.choice(" \n,.|[]<>#")
    text = "".join(signs)
    if random.random() < 0.3:
        text = text[: random.randint(0, len(text))]
    if random.random() < 0.3:
        text = f"```text\n{text}\n```"
    if random.random() < 0.3:
        text = f"<think>{text[:20]}</think>\nHere you are:\n{text}\nAnything else?"
    return text
