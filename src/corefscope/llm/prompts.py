"""Prompts that lead to each style, to be followed by the text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from .enclosures import ENCLOSURES
from .mention_lists import LIST_STYLES
from .styles import STYLES

SHORT_PROMPT = (
    "Copy the text word by word; put each mention in brackets with the number of its entity behind it:"
    " [Ann]_1 met [[her]_1 dog]_2"
)
_FIND = "Find all mentions of entities in the text below, and which of them refer to the same entity."
_COPY = "Copy the text word by word, on one line; do not change, add or leave out words."
_ONLY = "Print nothing else."
_NESTED = "Mentions may be in mentions."
_TASKS = {
    "crac": "Put tags right behind words, after a bar: word|[e1] for a mention of one word, its first word|[e1 and"
    " its last word|e1] for a longer one. Several tags of a word are separated by commas.",
    "xml": f"Put each mention between <eN> and </eN>, where N is the number of its entity. {_NESTED}",
    "markdown": "Make each mention a link to its entity: [mention](#cluster_N). Links may be in links.",
    "colon": f"Put each mention in brackets, followed by a colon and the number of its entity. {_NESTED}",
    "seq2seq": f"Write <m> before each mention, and a bar, the number of its entity and </m> behind it. {_NESTED}",
    "corefinst": f"Write <m> before each mention, and </m>, # and the number of its entity behind it. {_NESTED}",
}
_JSON = (
    "Below is a document as JSON. Print the same JSON, with clusters_token_offsets filled in: for each entity the"
    " list of its mentions as [first, last] numbers of tokens, counted from 0, both inclusive. Print only JSON."
)
_PLACES = {
    "": "followed by the number of its entity",
    "last": "with a bar and the number of its entity behind its last word",
    "first": "with the number of its entity before its first word",
    "before": "with the number of its entity right before",
}
_AS_IN_TEXT = "just as they are in the text and in its order. If the same words are a mention twice, list them twice."
_LISTS = {
    "lists": "Print a JSON array with an array for each entity: the mentions of the entity as strings,"
    f" {_AS_IN_TEXT} Print nothing but JSON.",
    "bullets": "Print a line for each entity: - name: and the mentions of the entity in quotes, separated by commas,"
    f" {_AS_IN_TEXT}",
    "table": "Print a Markdown table with the columns Entity and Mentions: a row for each entity, its mentions"
    f" separated by semicolons, {_AS_IN_TEXT}",
}


class Prompt(NamedTuple):
    """A prompt that leads to a style, and what a model answers to the sentence of the examples."""

    style: str
    text: str
    example: str


def prompts() -> Iterator[Prompt]:
    """A prompt for each style."""
    titles = {enclosure.name: enclosure.title for enclosure in ENCLOSURES}
    for name, style in STYLES.items():
        kind, _, place = name.partition("-")
        if style.is_json:
            yield Prompt(name, _JSON, style.example)
        elif style.is_enclosed:
            inside = "Print each mention in bold" if kind == "bold" else f"Put each mention in {titles[kind]}"
            nested = "" if kind == "bold" else f" {_NESTED}"
            yield Prompt(name, f"{_FIND} {_COPY} {inside}, {_PLACES[place]}.{nested} {_ONLY}", style.example)
        else:
            yield Prompt(name, f"{_FIND} {_COPY} {_TASKS[name]} {_ONLY}", style.example)
    for name, row in LIST_STYLES.items():
        yield Prompt(name, f"{_FIND} {_LISTS[name]}", row.example)


def prompt_lines(width: int) -> Iterator[str]:
    """The prompts as text, wrapped to a width."""
    from textwrap import wrap

    intro = "Put the text behind one of these prompts; 'corefscope score KEY ANSWER' reads any of the answers."
    yield from wrap(intro, width)
    for prompt in prompts():
        yield ""
        yield f"--style {prompt.style}"
        yield from wrap(prompt.text, width, initial_indent="  ", subsequent_indent="  ", break_long_words=False)
        for number, line in enumerate(prompt.example.split("\n")):
            yield f"  {'Example: ' if not number else '         '}{line}"


def style_lines() -> Iterator[str]:
    """Each style with its title and an example."""
    rows = [(row.name, row.title, row.example) for row in STYLES.values()]
    rows += [(row.name, row.title, row.example) for row in LIST_STYLES.values()]
    width = max(len(name) for name, _, _ in rows)
    for name, title, example in rows:
        first, *others = example.split("\n")
        yield f"{name.ljust(width)}  {first}"
        for line in (*others, f"({title})"):
            yield f"{' ' * width}  {line}"
