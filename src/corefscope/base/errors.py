"""The exception tree, the warnings that readers collect, and how numbers stand in messages.

::

    CorefscopeError(ValueError)
    ├── InputError        a file is not what it should be; knows path, line and a hint
    │   └── AlignmentError    key and response do not stand over the same text
    └── OptionError       an unknown metric, rule set, match, …; suggests the nearest name

Every message reads ``path:line: what is wrong``, and the hint says what to do about it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence


def amount(count: int, one: str, many: str = "") -> str:
    """How many of something there are, as messages say it.

    >>> amount(1, "document"), amount(1200, "document"), amount(0, "entity", "entities")
    ('1 document', '1,200 documents', '0 entities')
    """
    return f"{count:,} {one if count == 1 else many or one + 's'}"


class CorefscopeError(ValueError):
    """Whatever corefscope raises on purpose."""


class InputError(CorefscopeError):
    """A file, or a value handed over in memory, that cannot be read as what it should be."""

    def __init__(self, message: str, *, path: str = "", line: int = 0, hint: str = "") -> None:
        place = f"{path}:{line}: " if path and line else f"{path}: " if path else ""
        super().__init__(place + message + (f"\n  hint: {hint}" if hint else ""))
        self.message, self.path, self.line, self.hint = message, path, line, hint

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.message, self.path, self.line, self.hint)


def no_such_document(name: str, names: Sequence[str], path: str) -> InputError:
    """The error about a document that is not there, with those that are called nearly so.

    >>> print(no_such_document("lettr", ["diary", "letter"], "k.conllu"))
    k.conllu: there is no document 'lettr'
      hint: documents are called 'letter' …
    """
    from difflib import get_close_matches

    near = get_close_matches(name, names, n=3, cutoff=0.3) or names[:3]
    hint = "documents are called " + ", ".join(map(repr, near)) + (" …" if len(names) > len(near) else "")
    return InputError(f"there is no document {name!r}", path=path, hint=hint)


class AlignmentError(InputError):
    """Key and response differ in documents, sentences or words."""


class OptionError(CorefscopeError):
    """An option has a value that does not exist."""

    @classmethod
    def unknown(cls, what: str, names: Iterable[str], choices: Iterable[str]) -> OptionError:
        """All unknown names at once, each with its nearest neighbours.

        >>> print(OptionError.unknown("metric", ["bcube"], ["muc", "bcub"]))
        unknown metric 'bcube' (did you mean 'bcub'?); choose from: muc, bcub
        """
        choices = list(choices)
        named = ", ".join(f"{name!r}{_suggestion(name, choices)}" for name in names)
        return cls(f"unknown {what} {named}; choose from: {', '.join(choices)}")


def _suggestion(name: str, choices: list[str]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name.lower(), choices, n=2, cutoff=0.5)
    return f" (did you mean {' or '.join(map(repr, near))}?)" if near else ""


def _rebuild(kind: type[InputError], message: str, path: str, line: int, hint: str) -> InputError:
    return kind(message, path=path, line=line, hint=hint)


class Warnings:
    """Warnings by kind: the first of each kind with its place, and how many there were.

    >>> found = Warnings()
    >>> found.add("unclosed", "dev.conllu", 7, "mention of 'e1' is never closed: ignored")
    >>> found.add("unclosed", "dev.conllu", 9, "mention of 'e2' is never closed: ignored")
    >>> list(found)
    ["dev.conllu:7: mention of 'e1' is never closed: ignored (and 1 more of this kind)"]
    """

    __slots__ = ("_first",)

    def __init__(self) -> None:
        self._first: dict[tuple[str, str], tuple[str, int]] = {}

    def add(self, kind: str, path: str, line: int, message: str) -> None:
        """Count a warning; only the first of its kind and file is kept in words."""
        if not self.again(kind, path):
            self._first[kind, path] = (f"{path}:{line}: {message}" if line else f"{path}: {message}", 1)

    def again(self, kind: str, path: str) -> bool:
        """Count one more of a kind that is known already; False if it is not, and must be put in words."""
        if (kind, path) not in self._first:
            return False
        text, count = self._first[kind, path]
        self._first[kind, path] = (text, count + 1)
        return True

    def forget(self, kind: str) -> None:
        """Drop what was said of a kind, because it does not matter."""
        self._first = {key: said for key, said in self._first.items() if key[0] != kind}

    def __iter__(self) -> Iterator[str]:
        for text, count in self._first.values():
            yield text + (f" (and {count - 1} more of this kind)" if count > 1 else "")

    def __len__(self) -> int:
        return sum(count for _, count in self._first.values())
