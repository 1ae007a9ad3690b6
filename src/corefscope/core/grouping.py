"""Grouping of documents for cross-document coreference: which documents are scored as one."""

from __future__ import annotations

import re
from collections.abc import Callable

from .errors import InputError, OptionError

DOCUMENTS: dict[str, str] = {
    "apart": "each document is scored on its own",
    "merge": "all documents are one: entities of the same id are the same",
    "topic": "the documents of a topic are one; --topic says how ids tell the topic",
}
TOPIC = r"[^/_]+"
"""What ids begin with that name the topic, as ``36`` in ECB+'s 36_1ecbplus.xml."""

Group = Callable[[str], str]


def grouping(documents: str, topic: str | None = None) -> Group | None:
    """The function from the id of a document to what it is joined under; None if documents stay apart."""
    OptionError.check("documents", documents, DOCUMENTS)
    if topic is not None and documents != "topic":
        raise OptionError("a topic pattern is for documents joined by topic: --documents topic")
    if documents == "apart":
        return None
    if documents == "merge":
        return lambda _: "all documents"
    try:
        pattern = re.compile(topic or TOPIC)
    except re.error as error:
        raise OptionError(f"the topic pattern {topic!r} is no regular expression: {error}") from None

    def group(name: str) -> str:
        match = pattern.match(name)
        if match is None:
            raise InputError(
                f"the id of document {name!r} does not begin like {pattern.pattern!r}",
                hint="give a pattern whose first group, or match, is the topic: --topic",
            )
        return (pattern.groups and match[1]) or match[0]

    return group


def joined_how(documents: str, topic: str | None) -> str:
    """How documents are joined, as options name it.

    >>> joined_how("apart", None), joined_how("topic", "[0-9]+")
    ('', 'topic=[0-9]+')
    """
    grouping(documents, topic)
    return "" if documents == "apart" else documents + (f"={topic}" if topic else "")
