"""Exceptions, the warnings that readers collect, and numbers in messages.

::

    CorefscopeError(ValueError)
    ├── InputError        a file is not what it should be; knows path, line and a hint
    │   └── AlignmentError    key and response have different texts
    └── OptionError       an unknown metric, rule set, match, …; suggests the nearest name

Every message reads ``path:line: what is wrong``, and the hint says what to do about it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

DOZENS = 30
"""Choices that are too many to be listed where some are near."""
FEW_FILES = 3
"""Files whose warnings of one kind are shown one by one."""


def amount(count: int, one: str, many: str = "") -> str:
    """How many of something there are, as messages say it.

    >>> amount(1, "document"), amount(1200, "document"), amount(0, "entity", "entities")
    ('1 document', '1,200 documents', '0 entities')
    """
    return f"{count:,} {one if count == 1 else many or one + 's'}"


class CorefscopeError(ValueError):
    """Base class of the errors that corefscope raises."""


class InputError(CorefscopeError):
    """A file, or a value handed over in memory, that cannot be read as what it should be."""

    def __init__(self, message: str, *, path: str = "", line: int = 0, hint: str = "", code: str = "refused") -> None:
        location = f"{path}:{line}: " if path and line else f"{path}: " if path else ""
        super().__init__(location + message + (f"\n  hint: {hint}" if hint else ""))
        self.message = message
        self.path = path
        self.line = line
        self.hint = hint
        self.code = code

    def to_dict(self) -> dict[str, Any]:
        """Place, message and hint as plain values."""
        return {name: getattr(self, name) for name in ("path", "line", "message", "hint")}

    def located(self, path: str, line: int) -> InputError:
        """The same error with the file and the line, which the function that raised it does not know."""
        return InputError(self.message, path=path, line=line, hint=self.hint, code=self.code)

    def __reduce__(self) -> tuple[object, ...]:
        copy = partial(InputError, self.message, path=self.path, line=self.line, hint=self.hint, code=self.code)
        return copy, ()


class Location(NamedTuple):
    """A file, and a line of it if there is one to name."""

    path: str
    line: int = 0


class AlignmentError(InputError):
    """Key and response differ in documents, sentences or words.

    ``message`` is a template for ``facts``, in which ``{key}`` and ``{response}`` are the sides, ``{key_line}`` is
    the line of the key and ``{response_file}`` the file of the response.

    >>> key, response = Location("k.conllu", 3), Location("r.conllu", 4)
    >>> error = AlignmentError("sent_id {id!r}, but in {key_line} {key_id!r}", key, response, id="s1", key_id="s2")
    >>> print(error)
    r.conllu:4: sent_id 's1', but in the key (k.conllu:3) 's2'
      hint: key and response must hold the same documents, sentences and words; only empty nodes may differ
    >>> print(error.by_files("annotators read the same text"))
    r.conllu:4: sent_id 's1', but in line 3 of k.conllu 's2'
      hint: annotators read the same text
    """

    def __init__(
        self,
        message: str,
        key: Location,
        response: Location,
        *,
        blamed: str = "response",
        hint: str = "key and response must hold the same documents, sentences and words; only empty nodes may differ",
        code: str = "misaligned",
        named: bool = False,
        **facts: Any,
    ) -> None:
        sides = {"key": "the key", "response": "the response"}
        sides |= {"key_line": f"the key ({key.path}:{key.line})", "response_file": f"the response {response.path}"}
        if named:
            sides = {"key": key.path, "response": response.path}
            sides |= {"key_line": f"line {key.line} of {key.path}", "response_file": response.path}
        path, line = key if blamed == "key" else response
        super().__init__(message.format(**sides, **facts), path=path, line=line, hint=hint, code=code)
        self._copy = partial(AlignmentError, message, key, response, blamed=blamed, hint=hint, code=code, **facts)

    def by_files(self, hint: str) -> AlignmentError:
        """The same error where no side is the key: both are called by their files."""
        return self._copy(named=True, hint=hint)

    def with_hint(self, hint: str) -> AlignmentError:
        """The same error with another hint."""
        return self._copy(hint=hint)

    def __reduce__(self) -> tuple[object, ...]:
        return self._copy, ()


class OptionError(CorefscopeError):
    """An option has a value that does not exist."""

    @classmethod
    def unknown(
        cls, what: str, names: Iterable[object], choices: Iterable[str], aliases: Mapping[str, str] | None = None
    ) -> OptionError:
        """All unknown names at once, each with its nearest neighbours, or with what others call by it (``aliases``).

        Of dozens of choices only the nearest are named, where there are any.

        >>> print(OptionError.unknown("metric", ["bcube"], ["muc", "bcub"]))
        unknown metric 'bcube' (did you mean 'bcub'?); choose from: muc, bcub
        """
        choices = list(choices)
        near = [(repr(name), _suggestion(str(name), choices, aliases or {})) for name in names]
        named = ", ".join(f"{name:.60}{suggestion}" for name, suggestion in dict(near).items())
        listed = (
            ""
            if len(choices) > DOZENS and all(suggestion for _, suggestion in near)
            else f"; choose from: {', '.join(choices)}"
        )
        return cls(f"unknown {what} {named}{listed}")

    @classmethod
    def check(cls, what: str, name: object, choices: Iterable[str], aliases: Mapping[str, str] | None = None) -> None:
        """Refuse everything but one of the choices: ``False`` and ``""`` too, which could pass for a default.

        >>> OptionError.check("singletons", False, ["drop", "keep"])
        Traceback (most recent call last):
            ...
        corefscope.core.errors.OptionError: unknown singletons False; choose from: drop, keep
        """
        if not (isinstance(name, str) and name in choices):
            raise cls.unknown(what, [name], choices, aliases)


def _suggestion(name: str, choices: list[str], aliases: Mapping[str, str]) -> str:
    from difflib import get_close_matches

    known = aliases.get(name.lower())
    near = [known] if known else get_close_matches(name.lower(), choices, n=2, cutoff=0.5)
    return f" (did you mean {' or '.join(map(repr, near))}?)" if near else ""


class WarningText(str):
    """A warning as it is shown, which knows whether scores may depend on what it is about."""

    harmless: bool

    def __new__(cls, text: str, harmless: bool = False) -> WarningText:
        """The text itself; a pickle sets the rest."""
        made = super().__new__(cls, text)
        made.harmless = harmless
        return made

    @property
    def effect(self) -> str:
        """What it means for scores."""
        return "scores are not affected" if self.harmless else "scores may be affected"


class Warned(NamedTuple):
    """The first warning of its kind about a file, and how many there were."""

    kind: str
    path: str
    line: int
    """1-based; 0 if it concerns the whole file."""
    message: str
    times: int
    harmless: bool = False
    """Whether no score depends on it."""

    @property
    def text(self) -> str:
        """The message, and how many more there are."""
        return self.message + (f" (and {self.times - 1} more of this kind)" if self.times > 1 else "")

    @property
    def place(self) -> str:
        """The file, and the line if there is one."""
        return f"{self.path}:{self.line}" if self.line else self.path

    def __str__(self) -> str:
        return f"{self.place}: {self.text}"

    def folded(self, files: int, times: int) -> str:
        """One text for the warnings of this kind about so many files."""
        more = f" (and {times - 1:,} more of this kind)" if times > files else ""
        return f"{amount(files, 'file')}: {self.message}, e.g. {self.place}{more}"


class Warnings:
    """Warnings by kind: the first of each kind with its place, and how many there were. Iterates over their texts.

    Warnings of one kind about more than ``FEW_FILES`` files are folded into one text.

    >>> warnings = Warnings()
    >>> warnings.add("never-closed", "dev.conllu", 7, "mention of 'e1' is never closed: ignored")
    >>> warnings.add("never-closed", "dev.conllu", 9, "mention of 'e2' is never closed: ignored")
    >>> list(warnings)
    ["dev.conllu:7: mention of 'e1' is never closed: ignored (and 1 more of this kind)"]
    """

    __slots__ = ("_first", "_times")

    def __init__(self) -> None:
        self._first: dict[tuple[str, str], Warned] = {}
        self._times: dict[tuple[str, str], int] = {}

    def add(
        self,
        kind: str,
        path: str,
        line: int | Callable[[], int],
        message: str | Callable[[], str],
        *,
        harmless: bool = False,
    ) -> None:
        """Count a warning; only the first of its kind and file is kept, and only its line and message are made.

        It is ``harmless`` if no score depends on what it is about.
        """
        key = kind, path
        if key in self._first:
            self._times[key] += 1
            return
        line, message = line if isinstance(line, int) else line(), message if isinstance(message, str) else message()
        self._first[key], self._times[key] = Warned(kind, path, line, message, 1, harmless), 1

    def extend(self, later: Warnings) -> None:
        """Count what was warned of after this, of later documents."""
        for key, warned in later._first.items():
            self._first.setdefault(key, warned)
            self._times[key] = self._times.get(key, 0) + later._times[key]

    def forget(self, kind: str) -> None:
        """Drop the warnings of a kind that does not matter."""
        for key in [key for key in self._first if key[0] == kind]:
            del self._first[key], self._times[key]

    def records(self) -> list[Warned]:
        """The first warning of each kind and file."""
        return [warned._replace(times=self._times[key]) for key, warned in self._first.items()]

    def __iter__(self) -> Iterator[WarningText]:
        records = self.records()
        files: Counter[str] = Counter()
        times: Counter[str] = Counter()
        for warned in records:
            files[warned.kind] += 1
            times[warned.kind] += warned.times
        for warned in records:
            if files[warned.kind] <= FEW_FILES:
                yield WarningText(str(warned), warned.harmless)
            elif times[warned.kind]:
                yield WarningText(warned.folded(files[warned.kind], times.pop(warned.kind)), warned.harmless)

    def __len__(self) -> int:
        return sum(self._times.values())
