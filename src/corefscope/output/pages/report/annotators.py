"""The report page of two annotators: neither is the key, so its texts say A and B.

The words of the template, of the script and of the kinds of errors are replaced; those of files are not touched.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from ....analysis.errors.kinds import ERROR_KINDS, pluralise
from ....core.result import Plain

SIDES = {"key": "A", "response": "B"}
ONLY = {"missing": "only in A", "extra": "only in B"}
NOUN = r"(chains?|entit(?:y|ies)|mentions?)"
WORDS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    (re.compile(rf"\b([Kk])ey and response {NOUN}"), lambda match: f"{_cased(match[2], match[1])} of A and B"),
    (re.compile(r"\b[Kk]ey and response\b"), lambda _: "A and B"),
    (
        re.compile(rf"\b(a )?([Kk]ey|[Rr]esponse) {NOUN}"),
        lambda match: f"{_article(match)}{_cased(match[3], match[2])} of {SIDES[match[2].lower()]}",
    ),
    (re.compile(r"\b[Tt]he (key|response)\b"), lambda match: SIDES[match[1]]),
    (re.compile(r"(?<=>)([Kk]ey|[Rr]esponse)(?=<)"), lambda match: SIDES[match[1].lower()]),
    (re.compile(r"(?<=\")(Key|Response)(?=\")"), lambda match: SIDES[match[1].lower()]),
    (re.compile(r"\b(Key|Response): (?=\{\{)"), lambda match: f"{SIDES[match[1].lower()]}: "),
    (
        re.compile(
            r"\{% if page\.responses.length == 1 %\}(.*?)\{% else %\}.*\{% endif %\} against A (<bdi>.*)(?=</p>)"
        ),
        lambda match: f"A is {match[2]}, B is {match[1]}",
    ),
    (re.compile(r'(?<=, ")(missing|extra)(?="\);)|(?<=\} )missing(?=`)'), lambda match: ONLY[match[1] or "missing"]),
    (re.compile(r"\|capitalize\b"), lambda _: "|first_capital"),  # that of Jinja writes A and B small
)
"""Phrases about key and response in template, script and descriptions, and the same about A and B."""


def _cased(noun: str, first: str) -> str:
    return noun.capitalize() if first[0].isupper() else noun


def _article(match: re.Match[str]) -> str:
    """``a`` of "a response entity" as the article of the noun."""
    return {"": "", "a ": "an " if match[3].startswith("e") else "a "}[match[1] or ""]


def name_sides(text: str) -> str:
    """A text about key and response as one about A and B.

    >>> name_sides("A mention of the response that is not in the key, in a key entity.")
    'A mention of B that is not in A, in an entity of A.'
    """
    for pattern, words in WORDS:
        text = pattern.sub(words, text)
    return text


def name_kind(title: str) -> str:
    """The title of a kind of errors: nothing is missing or extra where no side is the key.

    >>> name_kind("missing mention"), name_kind("plural with an extra element"), name_kind("span error (deixis)")
    ('mention only in A', 'plural with an element only in B', 'span difference (deixis)')
    """
    title = re.sub(r"\ba (?=missing (?:element|entity))", "an ", title)
    title = re.sub(r"\bmissing ([\w-]+(?: [\w-]+)?)", r"\1 only in A", title)
    title = re.sub(r"\bextra ([\w-]+(?: [\w-]+)?)", r"\1 only in B", title)
    return title.replace("span error", "span difference")


def of_annotators(overview: Plain) -> Plain:
    """The overview of a page with the titles and descriptions of kinds in the words of two annotators."""
    titles = [form(row.title) for row in ERROR_KINDS.values() for form in (str, pluralise)]
    named = {title: name_kind(title) for title in titles}
    named |= {row.description: name_sides(row.description) for row in ERROR_KINDS.values()}
    named_overview = {name: _replaced(value, named) for name, value in overview.items()}
    for response in named_overview["responses"]:
        for card in response["cards"]:  # sums such as "coreference links key"
            card["how"] = [(re.sub(r"\b(key|response)$", lambda side: SIDES[side[0]], n), v) for n, v in card["how"]]
    return named_overview


def _replaced(value: Any, named: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {name: _replaced(inner, named) for name, inner in value.items()}
    if type(value) in (list, tuple):  # named ones are scores
        return [_replaced(inner, named) for inner in value]
    return named.get(value, value) if isinstance(value, str) else value
