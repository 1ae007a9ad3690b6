"""The catalogues of metrics and presets as results, and the full description of a metric."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf
from typing import ClassVar

from ...core.metrics import GROUPS, METRICS, groups_of, headline_first
from ...core.metrics.base import Metric
from ...core.options import settings_of
from ...core.presets import PRESETS
from ...core.result import Result
from ...core.version import __version__
from ...measures.bibliography import references
from ..layout import Block, Layout, Sheet, Text
from ..text import ROOM, padded, wrapped

SCHEMA = "corefscope-listing-1"
OVERVIEW = ("name", "title", "range")
"""The columns of the table of metrics; the other fields are in lines below it."""


@dataclass(frozen=True, repr=False)
class CatalogueListing(Result):
    """A catalogue, one entry a row."""

    NAMES: ClassVar[tuple[str, ...]] = ("name",)
    catalogue: str
    """``metrics`` or ``presets``."""
    entries: Sequence[dict[str, str]]

    @property
    def summary(self) -> str:
        """The number of entries."""
        return f"{len(self.entries)} {self.catalogue}"

    @property
    def signature(self) -> str:
        """The version whose catalogue it is."""
        return f"v{__version__}"

    def to_dict(self, per_document: bool = True) -> dict[str, object]:  # noqa: ARG002
        """The listing as a JSON object."""
        return {"schema": SCHEMA, "signature": self.signature, self.catalogue: list(self.entries)}

    def to_records(self, per_document: bool = False) -> list[dict[str, object]]:  # noqa: ARG002
        """One record for each entry."""
        return [{**entry} for entry in self.entries]


def metrics() -> CatalogueListing:
    """Every metric, CoNLL first: name, title, groups, range, summary, and paper."""
    rows = [
        {
            "name": name,
            "title": metric.title,
            "groups": ", ".join(groups_of(name)),
            "range": shown_range(metric),
            "summary": metric.summary,
            "paper": references(metric),
        }
        for name, metric in ((name, METRICS[name]) for name in headline_first(METRICS))
    ]
    return CatalogueListing("metrics", rows)


def presets() -> CatalogueListing:
    """Every preset: title, options, metrics, and note."""
    rows = [
        {
            "name": preset.name,
            "title": preset.title,
            **settings_of(preset.options),
            "metrics": preset.metrics,
            "note": preset.note,
        }
        for preset in PRESETS.values()
    ]
    return CatalogueListing("presets", rows)


def lay_out(listing: CatalogueListing, per_document: bool, width: int | None) -> Layout:  # noqa: ARG001
    """Metrics as a table, their summaries, and the groups; presets one after the other."""
    blocks: list[Block] = []
    if listing.catalogue == "metrics":
        rows = [[entry[name] for name in OVERVIEW] for entry in listing.entries]
        indent = max(len(entry["name"]) for entry in listing.entries) + 2
        summaries: list[str] = []
        for entry in listing.entries:
            text = padded(entry["name"], indent) + "; ".join(filter(None, (entry["summary"], entry["paper"])))
            summaries += wrapped(text, width, " " * indent) if width else [text]
        groups = [f"group {name}: {', '.join(members)}" for name, members in GROUPS.items()]
        blocks += [Sheet.of(OVERVIEW, rows, left=3, whole=True), Text(summaries, wrap=False), Text(groups)]
        return Layout(blocks, [listing.signature])
    for entry in listing.entries:
        options = [f"{name}:{value}" for name, value in entry.items() if name not in ("name", "title", "note")]
        lines = [entry["name"], f"  {entry['title']}", f"  {' '.join(options)}"]
        blocks.append(Text([*lines, f"  note: {entry['note']}"] if entry["note"] else lines))
    return Layout(blocks, [listing.signature])


def details(metric: Metric, width: int = ROOM) -> str:
    """Everything about a metric: definition, edge cases, departures, paper."""
    groups = ", ".join(groups_of(metric.name)) or "all"
    facts = "; ".join(filter(None, (f"groups {groups}", f"range {shown_range(metric)}", references(metric))))
    head = [*wrapped(f"{metric.name}: {metric.title}, {metric.summary}", width), *wrapped(f"({facts})", width, " ")]
    paragraphs = ["\n".join(_filled(paragraph, width)) for paragraph in definition(metric).split("\n\n")]
    return "\n".join(head) + "\n\n" + "\n\n".join(paragraphs) + "\n"


def _filled(paragraph: str, width: int) -> Iterator[str]:
    r"""The lines of a paragraph or of a list, as plain text of some width.

    >>> list(_filled("- ``a``: some\n  *words*\n- b", 80))
    ['- a: some words', '- b']
    """
    for item in re.split(r"\n(?=- )", re.sub(r"``|(?<!\w)\*{1,2}(?=\w)|(?<=[\w.])\*{1,2}(?!\w)", "", paragraph)):
        yield from wrapped(" ".join(item.split()), width, "  " if item.startswith("- ") else "")


def definition(metric: Metric) -> str:
    """The definition without code examples, and without list items about other metrics."""
    kept = []
    for paragraph in metric.definition.strip().split("\n\n"):
        items = re.split(r"\n(?=- ``)", paragraph)
        if items[0].startswith("- ``"):
            kept.append("\n".join(item for item in items if metric.name in _named(item.partition(":")[0])))
        elif not paragraph.startswith(">>>"):
            kept.append(paragraph)
    return "\n\n".join(filter(None, kept))


def _named(head: str) -> list[str]:
    """The metrics named by an item: ``a``, ``b``; or ``a`` … ``b`` for a range of the catalogue.

    >>> _named("- ``muc`` … ``ceafe``"), _named("- ``lea``, ``zero``")
    (['muc', 'bcub', 'ceafe'], ['lea', 'zero'])
    """
    names = re.findall(r"``(\w+)``", head)
    if "…" not in head:
        return names
    known = [*METRICS]
    return known[known.index(names[0]) : known.index(names[-1]) + 1]


def shown_range(metric: Metric) -> str:
    """The range as an interval.

    >>> shown_range(METRICS["muc"]), shown_range(METRICS["kappa"]), shown_range(METRICS["variation_of_information"])
    ('[0, 1]', '(-∞, 1]', '[0, ∞)')
    """
    low, high = metric.scale.range
    return f"{'(-∞' if low == -inf else f'[{low:g}'}, {'∞)' if high == inf else f'{high:g}]'}"
