"""Pairs of files that are written, read and aligned."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from corefscope.core.document import Document
from corefscope.core.errors import Warnings
from corefscope.core.matching.alignment import Alignment
from corefscope.core.options import Options
from corefscope.core.rules import RULES
from corefscope.core.steps import align
from corefscope.formats.corpus import Corpus

Aligned = tuple[Document, Document, Alignment]

OPTIONS = st.fixed_dictionaries(
    {
        "match": st.sampled_from(["head", "partial", "exact"]),
        "zeros": st.sampled_from(["dependent", "linear"]),
        "singletons": st.sampled_from(["drop", "keep"]),
        "rules": st.sampled_from(list(RULES)),
    }
)
FEATURES = st.fixed_dictionaries(
    {name: st.booleans() for name in ("duplicates", "two_heads", "minors", "empty_deps", "zeros")}
)
"""What generated pairs may contain."""
STRICT = ("corefud-1.1", "corefud-1.0")
"""Rules that refuse empty nodes that differ; pairs for them are generated with ``same_empty``."""


def written(folder: Path, key: str, response: str, suffix: str = "conllu") -> tuple[Path, Path]:
    """The paths of two files with these texts."""
    paths = folder / f"key.{suffix}", folder / f"response.{suffix}"
    for path, text in zip(paths, (key, response), strict=True):
        path.write_text(text, encoding="utf-8")
    return paths


def aligned(folder: Path, key: str, response: str, suffix: str = "conllu", **options: Any) -> list[Aligned]:
    """The documents of two files with these texts, aligned."""
    pairs = Corpus(*written(folder, key, response, suffix), Warnings())
    return [(ours, theirs, align(ours, theirs, Options(**options))) for ours, theirs in pairs]
