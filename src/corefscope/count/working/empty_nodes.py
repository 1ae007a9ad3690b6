"""Empty nodes one by one: those of the key, and those of the response, each right or not."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ...base.positions import SENTENCE_SHIFT, node_name
from ...match.alignment import Alignment
from ..metrics.empty_nodes import ASKED, judged
from .sections import KEY, RESPONSE, Entry, Section, recall_and_precision, whole

TITLES = (
    "Recall: empty nodes of the key, and whether the response has one that looks alike",
    "Precision: empty nodes of the response, and whether the key has one that looks alike",
)


def _one_by_one(asked: tuple[str, ...], alignment: Alignment) -> list[Section]:
    entries: tuple[list[Entry], list[Entry]] = [], []
    for node in judged(alignment, asked):
        name = f"sentence {node.position >> SENTENCE_SHIFT}, empty node {node_name(node.position)}"
        entries[KEY if node.in_key else RESPONSE].append(Entry((whole(node.right), whole(1)), name=name))
    columns = recall_and_precision("right", "of")
    return [Section(TITLES[side], columns[side], tuple(entries[side])) for side in (KEY, RESPONSE)]


def __getattr__(name: str) -> Callable[[Alignment], list[Section]]:
    """``by_arc``, ``by_dep``, …: the working of each metric."""
    if name.removeprefix("by_") not in ASKED:
        raise AttributeError(name)
    return partial(_one_by_one, ASKED[name.removeprefix("by_")])
