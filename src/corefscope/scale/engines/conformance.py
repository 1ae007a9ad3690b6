"""Whether an engine finds what is found in memory."""

from __future__ import annotations

import csv
from itertools import cycle
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from ...core.metrics import METRICS
from ...formats.files import score
from ..tables import score_tables
from .base import LOCAL, Engine

CASES: dict[str, dict[str, Any]] = {
    "documents": {"documents": "apart"},
    "one document": {"documents": "merge", "singletons": "drop"},
    "topics": {"documents": "topic", "topic": r"^(.)"},
    "repeated mentions": {"rules": "corrected", "duplicates": "largest"},
}
"""Options of the runs that are compared."""
FEW = 20
"""Cells; with more, an engine has to take certain ones itself."""
COLUMNS = ("document", "mention", "entity")


class _WithLimit:
    """An engine from which no more cells than a limit are fetched."""

    def __init__(self, engine: Engine, local: int) -> None:
        self._engine, self.local = engine, local

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)


def check_engine(engine: Engine) -> list[str]:
    """Score small random tables with an engine and in memory; return what differs by more than 1e-12.

    Errors of the engine are raised as they are: they say what it does not understand.
    """
    random, problems = Random(1), []
    metrics = [name for name, metric in METRICS.items() if not metric.not_from_histogram]
    with TemporaryDirectory() as directory:
        for (case, options), limit in zip(CASES.items(), cycle((LOCAL, FEW))):
            tables = [_rows(random, repeats="duplicates" in options) for _ in range(2)]
            paths = [Path(directory, f"{side}.csv") for side in ("key", "response")]
            for path, table in zip(paths, tables, strict=True):
                with path.open("w", encoding="utf-8", newline="") as file:
                    csv.writer(file).writerows([COLUMNS, *table])
            in_memory = {name: value for name, value in options.items() if name != "duplicates"}
            expected = score(*paths, metrics=metrics, **in_memory)
            columns = [dict(zip(COLUMNS, map(list, zip(*table, strict=True)), strict=True)) for table in tables]
            found = score_tables(*columns, engine=_WithLimit(engine, limit), metrics=metrics, **options)
            for name in metrics:
                pairs = zip(found[name], expected[name], strict=True)
                if any(ours != theirs and not abs(ours - theirs) <= 1e-12 for ours, theirs in pairs):
                    problems.append(f"{case}: {name} is {found[name]}, not {expected[name]}")
    return problems


def _rows(random: Random, repeats: bool) -> list[tuple[str, str, int]]:
    """Mentions of three documents, with entities of many sizes; each lacks some."""
    rows = [
        (document, f"m {mention}", int(random.random() ** 2 * 9))
        for document in ("a1", "a2", "é")
        for mention in range(40)
        if random.random() < 0.9
    ]
    again = [(document, mention, 0) for document, mention, entity in rows[:5] if entity] if repeats else []
    return random.sample([*rows, *again], len(rows) + len(again))
