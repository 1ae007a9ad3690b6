"""Writes the pages of PAGES: ``python docs/generate.py``.

They come from the catalogues, from docstrings, from the golden figures and from brute force; a test fails if a page
is not what this script would write.
"""

from __future__ import annotations

import inspect
import json
import re
import sys
from collections.abc import Sequence
from fractions import Fraction
from itertools import dropwhile, groupby
from pathlib import Path
from typing import Any

import corefscope
from corefscope import GROUPS, METRICS, REPORTS, criteria, score_clusters
from corefscope.analysis.errors.kinds import ERROR_KINDS, IDENTITY, ZEROS, kinds_of
from corefscope.cli.arguments import BY_GROUP
from corefscope.cli.help import TOPICS
from corefscope.cli.parser import COMMANDS
from corefscope.formats.validate.codes import CODES
from corefscope.measures.bibliography import entries, reference
from corefscope.output.results.catalogues import definition, shown_range

DOCS = Path(__file__).resolve().parent
ERRORS_SCHEMA = "../src/corefscope/output/schemas/corefscope-errors-3.json"
GOLDENS = DOCS.parent / "tests" / "golden" / "papers.json"

NAMES = {"muc": "muc_pb", "b3": "b3_pb", "b3_class_weighted": "b3_pb_class", "H": "entropy"}
"""What the measures of Popescu-Belis are called in the catalogue, where the name differs."""

LETTERS = {"precision": "P", "recall": "R", "f1": "F"}

PAPERS = {
    "cai-strube-2010": "Cai and Strube (2010)",
    "luo-2014-blanc": "Luo et al. (2014)",
    "popescu-belis-2000": "Popescu-Belis (2000)",
}


def options_page() -> str:
    """All options that commands share, by what they are about, with their values."""
    lines = [
        "# Options",
        "",
        "Made from the catalogues by `docs/generate.py`; `corefscope help OPTION` prints the same.",
        "`corefscope COMMAND --help` tells which command has which; an option means the same in all of them.",
        "",
        "In Python, options are keyword arguments of the same names, with `_` for `-`.",
    ]
    for title, rows in BY_GROUP.items():
        lines += ["", f"## {title[:1].upper()}{title[1:]}" if title else "## Options of some commands"]
        for name, row in rows.items():
            if not name.startswith("--"):
                continue
            metavar = f" {row['metavar']}" if "metavar" in row else ""
            lines += ["", f"### `{name}{metavar}`", "", _sentence(row["help"].replace("%%", "%"))]
            if values := row.get("values"):
                lines += ["", *(f"- `{value}`: {text}" for value, text in values.items())]
    lines += ["", "## Commands", ""]
    lines += [f"- `corefscope {name}`: {command.title}" for name, command in COMMANDS.items()]
    lines += ["", "## Other topics"]
    for name, text in TOPICS.items():
        lines += ["", f"### {name}", "", text]
    return "\n".join(lines) + "\n"


def _sentence(text: str) -> str:
    return (text[:1].upper() + text[1:] if text[:1].isalpha() else text).rstrip(".") + "."


def api_page() -> str:
    """All public names with their signatures and docstrings, by what they are for."""
    lines = [
        "# API reference",
        "",
        "Made from the docstrings by `docs/generate.py`; `help(corefscope.score)` prints the same.",
        "Everything here is imported from `corefscope`; [From Python](python.md) shows how it is used.",
    ]
    for name in corefscope.__all__:
        value = getattr(corefscope, name)
        if name.startswith("__"):
            continue
        if isinstance(value, type) or callable(value):
            lines += ["", f"## {name}", "", f"```text\n{name}{_signature(value)}\n```", "", _docstring(value)]
            if isinstance(value, type):
                lines += _members(value)
        else:
            listed = ", ".join(f"`{each}`" for each in value)
            lines += ["", f"## {name}", "", f"A catalogue by name: {listed}."]
    return "\n".join(lines) + "\n"


def _signature(value: Any) -> str:
    try:
        found = inspect.signature(value)
    except ValueError:
        return "(…)"
    plain = [
        parameter.replace(annotation=inspect.Parameter.empty)
        for parameter in found.parameters.values()
        if parameter.name != "self"
    ]
    return re.sub(r"<[^>]*>", "…", str(found.replace(parameters=plain, return_annotation=inspect.Signature.empty)))


def _docstring(value: Any) -> str:
    """A docstring as Markdown: roles are names, examples and lists of parameters are blocks."""
    text = inspect.getdoc(value) or ""
    text = re.sub(r":\w+:`~?([^`]*)`", lambda role: f"`{role[1].rpartition('.')[2]}`", text).replace("``", "`")
    text = re.sub(r"^Parameters\n-+\n", "**Parameters**\n\n", text, flags=re.MULTILINE)
    paragraphs = []
    for paragraph in text.split("\n\n"):
        if paragraph.startswith(">>>"):
            paragraph = f"```pycon\n{paragraph}\n```"
        elif "\n    " in paragraph:
            paragraph = re.sub(r"^(\w[\w, …]*)\n((?:    .*\n?)+)", _parameter, paragraph, flags=re.MULTILINE).rstrip()
        paragraphs.append(paragraph)
    return "\n\n".join(paragraphs)


def _parameter(found: re.Match[str]) -> str:
    return f"- `{found[1]}`: {' '.join(found[2].split())}\n"


def _members(value: type) -> list[str]:
    lines: list[str] = []
    for name, member in vars(value).items():
        if name.startswith("_") or not getattr(member, "__doc__", None):
            continue
        if inspect.isfunction(member) or isinstance(member, classmethod):
            called = f"{name}{_signature(getattr(value, name))}"
        elif isinstance(member, property):
            called = name
        else:
            continue
        text = " ".join((inspect.getdoc(member) or "").split("\n\n")[0].split())
        lines.append(f"- `{called}`: {text}")
    return ["", *lines] if lines else []


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
        symmetric = "yes" if metric.scale.symmetric else "no"
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
    defined: dict[str, str] = {}
    for metric in METRICS.values():
        text = definition(metric)
        first = defined.setdefault(text, metric.name)
        text = text if first == metric.name else f"Defined together with [`{first}`](#{first})."
        lines += ["", f"## {metric.name}", "", f"**{metric.title}** · {metric.summary}", "", text]
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
    """What the papers do and how to do it, what cannot be recomputed, and their tables: printed and computed."""
    rows = json.loads(GOLDENS.read_text(encoding="utf-8"))
    lines = [
        "# The papers: what they do, print and compute",
        "",
        "Made from the golden figures by `docs/generate.py`: [what the papers do](#what-the-papers-do), with the",
        "command and the test for it; [what cannot be recomputed](#what-cannot-be-recomputed), and why; then every",
        "figure that can be, beside what corefscope computes for the same key and response under the `corrected`",
        "rules. Where the two differ, the note says why.",
        "",
        "## What the papers do",
        "",
        _part("what-papers-do"),
        "",
        "## What cannot be recomputed",
        "",
        "| paper | printed | why not |",
        "|---|---|---|",
    ]
    lost = [row for row in rows if row["status"] == "not-reproducible"]
    lines += [f"| {PAPERS[row['paper']]} | {row['table']} | {NEEDED[row['paper']]} |" for row in lost]
    lines += ["", *NOT_IN_TABLES]
    for paper, title in PAPERS.items():
        lines += ["", f"## {title}", "", "Errata, in our words:", "", _part(paper)]
        printed = [row for row in rows if row["paper"] == paper and row not in lost]
        for table, group in groupby(printed, key=lambda row: row["table"]):
            lines += _table(table, list(group))
    return "\n".join(lines) + "\n"


NEEDED = {
    "cai-strube-2010": "the output of their systems on ACE 2004 is not available. Each printed F is that of its R"
    " and P. In Table 9 the recalls of B³_sys (65.7, 64.1) and B³_all (65.1, 64.3) differ, which the definitions rule"
    " out. Figures 1 and 2 can be drawn for other files, as above",
    "luo-2014-blanc": "the output of the participants of CoNLL-2011 and 2012 is not available, and F does not follow"
    " from R and P",
    "popescu-belis-2000": "the annotation of the texts VA and LPG is not available. Each printed F is that of its R"
    " and P (15 of 15), and κ follows from Table 5 and MUC: 55.8 to 57.5 (57), 18.1 to 20.5 (20), 6.5 to 10.2 (9)."
    " DMT and D-err would need the sizes of classes",
}
NOT_IN_TABLES = [
    "Table 3 of Luo et al. prints r between BLANC and MUC .975/.844/.935, B³ .981/.942/.966, CEAFm .941/.923/.966",
    "and CEAFe .797/.781/.919 (recall/precision/F1, all p < .001). The scores of the other metrics are in other",
    "papers: put them into a CSV, and `correlate` makes the table. D-err of Popescu-Belis is described, not defined:",
    "what is computed is a reconstruction.",
]


def _part(name: str) -> str:
    """A part of the page that is written by hand, in a folder below."""
    return (DOCS / "errata" / f"{name}.md").read_text(encoding="utf-8").rstrip().replace("](../", "](")


def _table(table: str, rows: list[dict[str, Any]]) -> list[str]:
    lines = ["", f"### {table}", ""]
    for (key, response), group in groupby(rows, key=lambda row: (_shown(row["key"]), _shown(row["response"]))):
        members = list(group)
        if key:
            lines += [f"key {key}, response {response}", ""]
        if any(WITNESS in row["note"] for row in members):
            lines += [WITNESS_NOTE, ""]
        lines += ["| measure | printed | computed | note |", "|---|---|---|---|"]
        for row in members:
            note = "; ".join(part for part in (_status(row), _note(row)) if part)
            cells = row["measure"], _printed(row["printed"]), _computed(row), note
            lines.append("| " + " | ".join(map(_escaped, cells)) + " |")
        lines.append("")
    return lines[:-1]


WITNESS = "MUC-6 text not in the seed"  # as the golden rows say it
WITNESS_NOTE = (
    "The paper does not print this text of MUC-6. The key is one of 173 choices of class sizes and pronouns that\n"
    "give all printed cells of examples 4 to 6 but one, the recall of XC in example 6."
)
READINGS = "partly-inconsistent"  # with one of two readings


def _note(row: dict[str, Any]) -> str:
    """The note of a row, without what stands above its table or among its figures already."""
    if row["status"] == READINGS:
        return "here the other cells force R 103/147; in the second reading, `xcore_strict`, a key fits R 69 too"
    parts = [part.strip() for part in row["note"].split(";")]
    return "; ".join(part for part in parts if WITNESS not in part and not part.startswith("components {"))


def _escaped(cell: str) -> str:
    return cell.replace("|", "\\|")


def _shown(clusters: list[list[str]] | None) -> str:
    if not clusters or sum(map(len, clusters)) > 40:
        return ""
    return "".join("{" + " ".join(map(str, cluster)) + "}" for cluster in clusters)


def _printed(figures: Any) -> str:
    if isinstance(figures, dict):
        return ", ".join(f"{name} {value}" for name, value in figures.items() if value is not None) or "–"
    return "–" if figures is None else str(figures)


def _status(row: dict[str, Any]) -> str:
    """What became of the printed figures, if they are not simply those that are computed."""
    return (
        ""
        if row["status"].startswith(("confirmed", READINGS))
        else row["status"].replace("-", " ").replace(";", "; ")
    )


def _computed(row: dict[str, Any]) -> str:
    """The figures in the order and on the scale in which the paper prints them."""
    name = NAMES.get(row["measure"], row["measure"]) if row["paper"].startswith("popescu") else row["measure"]
    if not row["key"]:
        return ", ".join(f"{float(Fraction(value)):.4f}" for value in (row["exact"] or {}).values()) or "–"
    if name not in METRICS:
        return "–"
    score = score_clusters(row["key"], row["response"], metrics=[name], rules="corrected")[name]._asdict()
    figures = {LETTERS.get(figure, figure): value for figure, value in score.items()}
    order = "PRF" if isinstance(row["printed"], dict) and next(iter(row["printed"])) == "P" else "RPF"
    scale, digits = (100, 2) if row["printed_precision"] == "1 percent" else (1, 4)
    return ", ".join(
        f"{letter} {value if isinstance(value, str) else f'{scale * value:.{digits}f}'}"
        for letter, value in sorted(figures.items(), key=lambda item: order.find(item[0]))
    )


def validation_page() -> str:
    """The page as it is, with the table of all codes anew."""
    page = (DOCS / "validation.md").read_text(encoding="utf-8")
    codes = [(f"`{code.code}`", f"`{code.name}`", code.meaning, code.hint) for code in CODES.values()]
    return _with_table(page, "| code | name | meaning | hint |", codes)


def errors_page() -> str:
    """The page as it is, with the table of the kinds of errors anew."""
    rows = [(f"`{row.name}`", row.description) for row in kinds_of(IDENTITY, ZEROS)]
    return _with_table((DOCS / "errors.md").read_text(encoding="utf-8"), "| kind | meaning |", rows)


def errors_schema() -> str:
    """The JSON Schema of errors as it is, with the kinds of errors anew."""
    text = (DOCS / ERRORS_SCHEMA).read_text(encoding="utf-8")
    kinds = [row.name for row in ERROR_KINDS.values() if row.concerns != ZEROS]
    required = [row.name for row in kinds_of(IDENTITY)]
    text = re.sub(r'(?<="kind": \{"enum": )\[.*?\]', json.dumps(kinds), text)
    return re.sub(r'(?<="required": )\["span".*?\]', json.dumps(required), text)


def _with_table(page: str, head: str, rows: Sequence[Sequence[str]]) -> str:
    """A page with other rows in the table that has this head."""
    before, line, rest = page.partition(head + "\n")
    rule, *after = rest.splitlines(keepends=True)
    table = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |\n" for row in rows]
    return "".join([before, line, rule, *table, *dropwhile(lambda text: text.startswith("|"), after)])


def criteria_page() -> str:
    """Which metric keeps to which coherence criterion; the version, which stands at the end, is left out."""
    lines = [
        "# Coherence criteria",
        "",
        "Made by `docs/generate.py`; `corefscope metrics --criteria` prints the same, also for some metrics only,",
        "and `criteria()` returns it in Python. The search itself is `docs/criteria.py`, which takes means, too.",
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
    "errors.md": errors_page,
    ERRORS_SCHEMA: errors_schema,
    "criteria.md": criteria_page,
    "options.md": options_page,
    "api.md": api_page,
}


def main() -> int:
    """Write all pages."""
    for name, page in PAGES.items():
        (DOCS / name).write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
