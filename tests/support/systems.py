"""Systems of which some are significantly better than the first one and some are worse."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from boards import ENTITIES, document

DOCUMENTS = 12
BETTER: Sequence[Sequence[int]] = ([1, 2, 3, 4], [6, 8], [10])
FIRST: Sequence[Sequence[int]] = ([1, 2], [3, 4], [6, 8], [10])
WORSE: Sequence[Sequence[int]] = ([1, 6], [2, 8], [10])
NAMES = ("baseline", "ours", "theirs", "seq2seq", "caw-coref", "link_append", "Béla 100%", "a&b", "x^2", "llama #3")


def systems_of(folder: Path, count: int) -> tuple[Path, list[Path]]:
    """The key, and the responses of so many systems: the first, then better and worse ones in turn."""
    texts = {"key": ENTITIES, "0": FIRST} | {str(n): BETTER if n % 2 else WORSE for n in range(1, count)}
    for name, entities in texts.items():
        # From document to document, more or less of what is right: figures differ, and so do intervals.
        kept = [
            document(
                number,
                ENTITIES if name == "key" else [entity for at, entity in enumerate(entities) if at or number % 4],
            )
            for number in range(DOCUMENTS)
        ]
        (folder / f"{name}.conllu").write_text("".join(kept), encoding="utf-8")
    return folder / "key.conllu", [folder / f"{number}.conllu" for number in range(count)]
