"""Regular expressions that people give, matched in time linear in the text whatever they are.

Python's ``re`` tries one way after the other, and ``(a+)+$`` has 2ⁿ ways to fail. Here all ways are followed at once,
the preferred one first (Pike's machine), so the match is the one that ``re`` would find. What such a machine cannot
do, look-around and references back to a group, is refused.
"""

from __future__ import annotations

import re
from importlib import import_module

from .annotations import Any
from .errors import OptionError
from .record import Record

LARGEST = 1000
"""Steps of a pattern once its repeats are written out."""

Instruction = tuple[str, Any, Any]


class Match(Record):
    """The text that a pattern matches, and that of its first group; None if that took no part, or there is none."""

    whole: str
    group: str | None


class LinearPattern:
    """A regular expression.

    >>> LinearPattern("([0-9]+)_").match("36_1ecbplus.xml")
    Match(whole='36_', group='36')
    >>> LinearPattern("(a+)+$").match("a" * 999 + "b")
    """

    def __init__(self, text: str) -> None:
        """``text`` may raise OptionError, with the reason why it is no pattern."""
        self.text = text
        parser = import_module("re._parser" if hasattr(re, "_parser") else "sre_parse")
        try:
            tree = re.compile(text) and parser.parse(text)
        except (re.error, OverflowError) as error:
            raise OptionError(str(error)) from None
        except RecursionError:
            raise OptionError("it is nested too deeply") from None
        self.has_group = tree.state.groups > 1
        self._program = _Compiler(parser).program(tree)

    def match(self, text: str) -> Match | None:
        """What the text begins with."""
        return self._run(text, anywhere=False)

    def search(self, text: str) -> Match | None:
        """The first place where the pattern matches."""
        return self._run(text, anywhere=True)

    def _run(self, text: str, anywhere: bool) -> Match | None:
        best: tuple[int, ...] | None = None
        threads: list[tuple[int, tuple[int, ...]]] = [(0, (-1,) * 4)]
        for place in range(len(text) + 1):
            if place and anywhere and best is None:
                threads.append((0, (-1,) * 4))
            if not threads:
                break
            following: list[tuple[int, tuple[int, ...]]] = []
            seen: set[int] = set()
            for step, slots in threads:
                ended, slots = self._follow(step, slots, text, place, seen, following)
                if ended:  # whatever comes after is less preferred
                    best = slots
                    break
            threads = following
        if best is None:
            return None
        return Match(text[best[0] : best[1]], text[best[2] : best[3]] if best[3] >= 0 else None)

    def _follow(
        self, step: int, slots: tuple[int, ...], text: str, place: int, seen: set[int], following: list[Any]
    ) -> tuple[bool, tuple[int, ...]]:
        """Follow a thread, and what it splits into, up to the next character; whether one of them ends here."""
        stack = [(step, slots)]
        while stack:
            step, slots = stack.pop()
            while step not in seen:
                seen.add(step)
                kind, one, other = self._program[step]
                if kind == "end":
                    return True, slots
                if kind == "character":
                    if place < len(text) and one.match(text, place):
                        following.append((step + 1, slots))
                    break
                if kind == "place":
                    if not one.match(text, place):
                        break
                    step += 1
                elif kind == "save":
                    slots = (*slots[:one], place, *slots[one + 1 :])
                    step += 1
                else:  # "split": first one, then the other
                    if other is not None:
                        stack.append((other, slots))
                    step = one
        return False, slots


class _Compiler:
    """From the tree of a pattern to the program of the machine."""

    def __init__(self, parser: Any) -> None:
        self._parser = parser
        self._compile = import_module("re._compiler" if hasattr(re, "_compiler") else "sre_compile").compile
        self._program: list[Instruction] = []

    def program(self, tree: Any) -> list[Instruction]:
        """The whole match is kept in slots 0 and 1, the first group in 2 and 3."""
        self._add("save", 0)
        self._sequence(tree, tree.state.flags)
        self._add("save", 1)
        self._add("end")
        return self._program

    def _add(self, kind: str, one: Any = None, other: Any = None) -> int:
        if len(self._program) >= LARGEST:
            raise OptionError("its repeats are too large")
        self._program.append((kind, one, other))
        return len(self._program) - 1

    def _sequence(self, tree: Any, flags: int) -> None:
        for node in tree:
            self._node(str(node[0]), node, flags)

    def _node(self, name: str, node: Any, flags: int) -> None:
        value = node[1]
        if name in ("LITERAL", "NOT_LITERAL", "ANY", "IN", "AT"):
            state = self._parser.State()
            state.flags = flags
            single = self._compile(self._parser.SubPattern(state, [node]), flags)
            self._add("place" if name == "AT" else "character", single)
        elif name == "SUBPATTERN":
            group, added, removed, inner = value
            if group == 1:
                self._add("save", 2)
            self._sequence(inner, (flags | added) & ~removed)
            if group == 1:
                self._add("save", 3)
        elif name == "BRANCH":
            self._branch(value[1], flags)
        elif name in ("MAX_REPEAT", "MIN_REPEAT"):
            self._repeat(*value, greedy=name == "MAX_REPEAT", flags=flags)
        else:
            what = name.lower().replace("_", " ").replace("groupref", "reference to a group")
            raise OptionError(f"{what} (look-around, references and the like) cannot be matched in bounded time")

    def _split(self, at: int, inside: int, after: int, greedy: bool) -> None:
        self._program[at] = ("split", inside, after) if greedy else ("split", after, inside)

    def _branch(self, branches: list[Any], flags: int) -> None:
        ends = []
        for branch in branches[:-1]:
            split = self._add("split")
            self._sequence(branch, flags)
            ends.append(self._add("split"))
            self._split(split, split + 1, len(self._program), greedy=True)
        self._sequence(branches[-1], flags)
        for end in ends:
            self._program[end] = ("split", len(self._program), None)

    def _repeat(self, least: int, most: Any, inner: Any, *, greedy: bool, flags: int) -> None:
        for _ in range(least):
            self._sequence(inner, flags)
        if most == self._parser.MAXREPEAT:
            split = self._add("split")
            self._sequence(inner, flags)
            self._add("split", split)
            self._split(split, split + 1, len(self._program), greedy)
            return
        splits = []
        for _ in range(most - least):
            splits.append(self._add("split"))
            self._sequence(inner, flags)
        for split in splits:
            self._split(split, split + 1, len(self._program), greedy)
