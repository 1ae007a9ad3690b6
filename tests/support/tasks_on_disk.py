"""Shared tasks as directories of small CorefUD files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

Documents = Sequence[Sequence[Sequence[int]]]
"""Documents of entities of words, each word a mention."""
WORDS = 12
KEY: Documents = [[[1, 2, 3, 4], [6, 8]], [[1, 5], [2, 3, 9]]]
WORSE: Documents = [[[1, 2], [6, 8]], [[1, 5, 2, 3, 9]]]
BAD: Documents = [[[1, 6], [2, 8]], [[9, 5], [1, 3]]]


def text(documents: Documents, first: int = 0) -> str:
    """The documents as CorefUD."""
    lines = ["# global.Entity = eid-etype-head-other"]
    for number, entities in enumerate(documents, first):
        owner = {word: at for at, entity in enumerate(entities) for word in entity}
        lines += [f"# newdoc id = d{number}", f"# sent_id = s{number}"]
        for word in range(1, WORDS + 1):
            entity = f"Entity=(d{number}e{owner[word]}-x-1-)" if word in owner else "_"
            lines.append(f"{word}\tw{word}\t_\tX\t_\t_\t{word - 1}\tdep\t_\t{entity}")
        lines.append("")
    return "\n".join([*lines, ""])


def write(root: Path, files: dict[str, Documents | str]) -> Path:
    """A directory with these files."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else text(content), encoding="utf-8")
    return root
