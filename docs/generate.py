"""Writes docs/metrics.md, papers.md, criteria.md and the table of validation.md: ``python docs/generate.py``.

They come from the catalogues of metrics and of problems, from the golden figures and from brute force; a test fails
if a page is not what this script would write.
"""

from __future__ import annotations

import json
import sys
from itertools import dropwhile, groupby
from pathlib import Path
from typing import Any

from corefscope import GROUPS, METRICS, REPORTS, criteria, score_clusters
from corefscope.count.metrics.bibliography import entries, reference
from corefscope.show.results.catalogues import definition, shown_range
from corefscope.write.validate.codes import CODES

DOCS = Path(__file__).resolve().parent
GOLDENS = DOCS.parent / "tests" / "golden" / "papers.json"

NAMES = {"muc": "muc_pb", "b3": "b3_pb", "b3_class_weighted": "b3_pb_class", "H": "entropy"}
"""What the measures of Popescu-Belis are called in the catalogue, where the name differs."""

PAPERS = {
    "cai-strube-2010": "Cai and Strube (2010)",
    "luo-2014-blanc": "Luo et al. (2014)",
    "popescu-belis-2000": "Popescu-Belis (2000)",
}


def metrics_page() -> str:
    """All metrics with their definitions, in the order of the catalogue."""
    lines = [
        "# Metrics",
        "",
        "Made from the catalogue by `docs/generate.py`; `corefscope metrics NAME` prints the same.",
        "",
    ]
    lines += [
        "| name | title | range | swapping sides swaps R and P | paper | what it is |",
        "|---|---|---|---|---|---|",
    ]
    for metric in METRICS.values():
        symmetric = "yes" if metric.symmetric else "no"
        cells = (
            f"[`{metric.name}`](#{metric.name})",
            metric.title,
            shown_range(metric),
            symmetric,
            reference(metric.cite),
        )
        lines.append("| " + " | ".join((*cells, metric.summary.replace("|", "\\|"))) + " |")
    lines += ["", "## Groups", ""]
    lines += [f"- `{name}`: {', '.join(f'`{member}`' for member in members)}" for name, members in GROUPS.items()]
    lines += ["", "## Means", "", definition(METRICS["mean(muc,lea)"])]
    for metric in METRICS.values():
        lines += ["", f"## {metric.name}", "", f"**{metric.title}** · {metric.summary}", "", definition(metric)]
        lines += ["", f"Counts that are pooled: {', '.join(metric.fields) or 'none, it is made from other scores'}."]
    lines += [
        "",
        "## References",
        "",
        "`corefscope cite` prints them.",
        "",
        "```bibtex",
        *"\n\n".join(entries().values()).split("\n"),
        "```",
    ]
    return "\n".join(lines) + "\n"


def papers_page() -> str:
    """The tables of the papers: what is printed, what is computed."""
    rows = json.loads(GOLDENS.read_text(encoding="utf-8"))
    lines = [
        "# The papers' tables, printed and computed",
        "",
        "Made from the golden figures by `docs/generate.py`: every figure of the papers that can be recomputed,",
        "beside what corefscope computes for the same key and response. Where the two differ, the note says why.",
    ]
    for paper, title in PAPERS.items():
        lines += ["", f"## {title}", "", "Errata, in our words:", ""]
        lines.append((DOCS / "errata" / f"{paper}.md").read_text(encoding="utf-8").rstrip())
        for table, group in groupby((row for row in rows if row["paper"] == paper), key=lambda row: row["table"]):
            lines += _table(table, list(group))
    return "\n".join(lines) + "\n"


def _table(table: str, rows: list[dict[str, Any]]) -> list[str]:
    lines = ["", f"### {table}", ""]
    for (key, response), group in groupby(rows, key=lambda row: (_shown(row["key"]), _shown(row["response"]))):
        if key:
            lines += [f"key {key}, response {response}", ""]
        lines += ["| measure | printed | computed | note |", "|---|---|---|---|"]
        for row in group:
            note = "; ".join(part for part in (_status(row), row["note"]) if part).replace("|", "\\|")
            measure = row["measure"].replace("|", "\\|")
            lines.append(f"| {measure} | {_printed(row['printed'])} | {_computed(row)} | {note} |")
        lines.append("")
    return lines[:-1]


def _shown(clusters: list[list[str]] | None) -> str:
    if not clusters or sum(map(len, clusters)) > 40:
        return ""
    return "".join("{" + " ".join(map(str, cluster)) + "}" for cluster in clusters)


def _printed(figures: Any) -> str:
    if isinstance(figures, dict):
        return ", ".join(f"{name} {value}" for name, value in figures.items() if value is not None) or "–"
    return "–" if figures is None else str(figures)


def _status(row: dict[str, Any]) -> str:
    return "" if row["status"] == "confirmed" else row["status"].replace("-", " ").replace(";", "; ")


def _computed(row: dict[str, Any]) -> str:
    name = NAMES.get(row["measure"], row["measure"]) if row["paper"].startswith("popescu") else row["measure"]
    if name not in METRICS or not row["key"]:
        return "–"
    score = score_clusters(row["key"], row["response"], metrics=[name], rules="corrected")[name]._asdict()
    letters = {"precision": "P", "recall": "R", "f1": "F"}
    return ", ".join(
        f"{letters.get(figure, figure)} {value if isinstance(value, str) else f'{value:.4f}'}"
        for figure, value in sorted(score.items(), key=lambda item: "PRF".find(letters.get(item[0], "?")))
    )


def validation_page() -> str:
    """The page as it is, with the table of all codes anew."""
    head = "| code | name | meaning | hint |\n|---|---|---|---|\n"
    before, _, rows = (DOCS / "validation.md").read_text(encoding="utf-8").partition(head)
    after = dropwhile(lambda line: line.startswith("|"), rows.splitlines(keepends=True))
    table = []
    for code in CODES.values():
        cells = (f"`{code.code}`", f"`{code.name}`", code.meaning, code.hint)
        table.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n")
    return "".join([before, head, *table, *after])


def criteria_page() -> str:
    """Which metric keeps to which coherence criterion; the version, which stands at the end, is left out."""
    lines = [
        "# Coherence criteria",
        "",
        "Made by `docs/generate.py`; `corefscope metrics --criteria` prints the same, also for means and for some",
        "metrics only, and `criteria()` returns it in Python.",
        "",
        "Popescu-Belis (2000) asks of a measure that perfect responses, and only they, score 1 (1); that the worst",
        "ones, and only they, score 0 (2), in two halves (3) and (4); that it can reach 0 (5); and how indulgent it",
        "is beside others (6). Here all small responses are tried. The witness is the smallest pair that breaks a",
        "criterion; for (5), the smallest that scores 0. Of the orders under (6), C ≤ MUC is his proposition 8, and",
        "κ ≤ MUC follows from the counts of κ: F − κ has the sign of a²b + a²c + ab² + ac² + 2abc + b²c + bc².",
        "",
    ]
    return "\n".join(lines) + "\n" + REPORTS["markdown"].render(criteria()).rpartition("\n`")[0]


PAGES = {
    "metrics.md": metrics_page,
    "papers.md": papers_page,
    "validation.md": validation_page,
    "criteria.md": criteria_page,
}


def main() -> int:
    """Write all pages."""
    for name, page in PAGES.items():
        (DOCS / name).write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
