"""Tags in pairs: per entity, what was opened last is closed first."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from .events import Event, Open, Unreadable, Word, Zero


class TaggedSpan(NamedTuple):
    """A mention as it was tagged: numbers of items (words and zeros of the text), None where a tag is missing."""

    id: str
    opens: int | None
    closes: int | None
    at: int
    """Where its first tag stands in the text."""

    @property
    def tags(self) -> int:
        """How many tags it has."""
        return (self.opens is not None) + (self.closes is not None)


class Lexed(NamedTuple):
    """The items of a document, its mentions, and the offsets of tags that cannot be read."""

    items: list[Word | Zero]
    spans: list[TaggedSpan]
    unreadable: list[int]
    notes: tuple[str, ...] = ()
    """What is to be said of how they were read."""
    text: str = ""
    """What offsets count, if it is not the text as it was printed; it has the same lines."""

    @property
    def words(self) -> list[str]:
        """The forms of its words."""
        return [item.form for item in self.items if isinstance(item, Word)]

    @property
    def tags(self) -> int:
        """How many tags there are, those that cannot be read included."""
        return sum(span.tags for span in self.spans) + len(self.unreadable)


def lexed(events: Iterable[Event]) -> Lexed:
    """Pair the tags. A mention is opened before an item and closed behind one; it may cross others.

    Ids that end in a digit are the same in whatever case they are: ``e1``, ``E1``.
    """
    items: list[Word | Zero] = []
    spans: list[TaggedSpan] = []
    unreadable: list[int] = []
    opened: dict[str, list[tuple[int, int]]] = {}
    spelt: dict[str, str] = {}
    for event in events:
        if isinstance(event, Word | Zero):
            items.append(event)
            continue
        if isinstance(event, Unreadable):
            unreadable.append(event.at)
            continue
        id_ = event.id
        if id_[-1:].isdigit():
            id_ = spelt.setdefault(id_.casefold(), id_)
        if isinstance(event, Open):
            opened.setdefault(id_, []).append((len(items), event.at))
        elif stack := opened.get("" if event.innermost else id_):
            start, at = stack.pop()
            spans.append(TaggedSpan(id_, start, len(items) - 1, at))
        else:
            spans.append(TaggedSpan(id_, None, len(items) - 1, event.at))
    spans += [TaggedSpan(id_, start, None, at) for id_, stack in opened.items() for start, at in stack]
    return Lexed(items, sorted(spans, key=lambda span: span.at), unreadable)
