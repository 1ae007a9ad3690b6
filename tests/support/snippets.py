"""The Python snippets of the pages as modules that a type checker can read.

A snippet may use what earlier snippets of its page define, and public names of the package that the page imported in
prose. Whatever else it does not define, such as the model of a reader, may be anything.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from doctest import DocTestParser
from pathlib import Path
from typing import NamedTuple

import corefscope

BLOCK = re.compile(
    r"^(?P<indent> *)```(?:py|python|pycon)\b[^\n]*\n(?P<text>.*?)^ *```\s*$", re.MULTILINE | re.DOTALL
)


class Snippet(NamedTuple):
    """A snippet of a page."""

    page: Path
    line: int
    text: str

    @property
    def name(self) -> str:
        """A name of a module."""
        return re.sub(r"\W", "_", f"{'_'.join(self.page.with_suffix('').parts[-2:])}_{self.line}").lower()


def snippets(pages: list[Path]) -> Iterator[tuple[Snippet, str]]:
    """Each snippet of some pages, and the module that is made of it."""
    for page in pages:
        earlier: list[str] = []
        whole = page.read_text(encoding="utf-8")
        for match in BLOCK.finditer(whole):
            text = "\n".join(line.removeprefix(match["indent"]) for line in match["text"].split("\n"))
            if ">>>" in text:
                text = "".join(example.source for example in DocTestParser().get_examples(text))
            yield Snippet(page, whole.count("\n", 0, match.start()) + 2, text), module(text, earlier)
            earlier.append(text)


def module(text: str, earlier: list[str]) -> str:
    """The snippet after what it needs: imports, earlier snippets, and names that may be anything."""
    needed: list[str] = []
    names = unbound(text)
    for before in reversed(earlier):
        if names & bound(before):
            needed.insert(0, before)
            names = (names - bound(before)) | unbound(before)
    public = sorted(names & {*dir(corefscope)})
    lines = [f"from corefscope import {', '.join(public)}"] if public else []
    lines += ["from typing import Any", *(f"{name}: Any = ..." for name in sorted(names.difference(public)))]
    return "\n".join([*lines, *needed, text, ""])


def bound(text: str) -> set[str]:
    """The names that a snippet defines, in any scope."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            names.add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names.update((alias.asname or alias.name).partition(".")[0] for alias in node.names)
    return names


def unbound(text: str) -> set[str]:
    """The names that a snippet uses and does not define."""
    used = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
    return used - bound(text) - {*dir(builtins)}
