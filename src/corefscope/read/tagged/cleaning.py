"""What is no part of the text: reasoning and code fences. Lines keep their numbers."""

from __future__ import annotations

import re

_THINK = re.compile(r"<(/?)think(?:ing)?>")
_FENCE = re.compile(r"[^\S\n]*(?:`{3,}|~{3,})")
_INFO = re.compile(r"[\w+#.-]*\s*")


def cleaned(text: str) -> str:
    r"""A text without reasoning and fences.

    >>> cleaned("<think>e1?</think>\n```text\nAnn|[e1]\n```")
    '\n\nAnn|[e1]\n'
    """
    return "\n".join(map(_without_fence, _without_reasoning(text).split("\n")))


def _without_reasoning(text: str) -> str:
    """What is not between ``<think>`` and ``</think>``; a first tag that closes ends what began in the prompt."""
    kept: list[str] = []
    start = depth = 0
    for number, mark in enumerate(_THINK.finditer(text)):
        if depth or (mark[1] and not number):
            kept.append("\n" * text.count("\n", start, mark.start()))
        else:
            kept.append(text[start : mark.start()])
        depth = 0 if mark[1] else 1
        start = mark.end()
    kept.append("\n" * text.count("\n", start) if depth else text[start:])
    return "".join(kept)


def _without_fence(line: str) -> str:
    """A line without the fence that it begins or ends with, and nothing if that is all it holds."""
    if "```" not in line and "~~~" not in line:
        return line
    if fence := _FENCE.match(line):
        line = line[fence.end() :]
        if _INFO.fullmatch(line):
            return ""
    end = line.rstrip()
    bare = end.rstrip(end[-1:]) if end[-1:] in ("`", "~") else end
    return bare if len(end) - len(bare) >= 3 else line
