"""Writes the pages of PAGES: ``python docs/generate.py``.

They come from the catalogues, from docstrings, from the golden figures and from brute force; a test fails if a page
is not what this script would write.
"""

from __future__ import annotations

import inspect
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import dropwhile, groupby
from pathlib import Path
from typing import Any

import corefscope
from corefscope import GROUPS, METRICS, criteria, score_clusters
from corefscope.analysis.errors.kinds import ERROR_KINDS, IDENTITY, ZEROS, kinds_of
from corefscope.cli.arguments import BY_GROUP
from corefscope.cli.help import TOPICS
from corefscope.core.metrics.base import Metric
from corefscope.formats.validate import CODES
from corefscope.measures.bibliography import reference
from corefscope.measures.weights import weighable
from corefscope.output.results.catalogues import shown_range

DOCS = Path(__file__).resolve().parent
ERRORS_SCHEMA = "../src/corefscope/output/schemas/corefscope-errors-3.json"
GOLDENS = DOCS.parent / "tests" / "golden" / "papers.json"


POSITIONAL = {"key", "response"}

SOURCES = {
    "corefud-scorer": "CorefUD scorer 1.2: its README",
    "luo-2014-blanc": "Luo et al. (2014)",
    "cai-strube-2010": "Cai and Strube (2010)",
    "popescu-belis-2000": "Popescu-Belis (2000)",
}


def options_page() -> str:
    """All options that commands share, by what they are about, with their values."""
    lines = [
        "# Options",
        "",
        "An option means the same in every command; `corefscope COMMAND --help` shows which command has which, and",
        "`corefscope help OPTION` explains one. In Python, options are keyword arguments with `_` for `-`.",
    ]
    for title, rows in sorted(BY_GROUP.items(), key=lambda group: not group[0]):  # those without a title last
        options = {name: row for name, row in rows.items() if name.startswith("--")}
        if options:
            lines += ["", f"## {title[:1].upper()}{title[1:]}" if title else "## Options of some commands"]
            lines += ["", "| option | meaning |", "|---|---|"]
            lines += [_row(_option(name, row), _meaning(name, row)) for name, row in options.items()]
    lines += ["", "## Width, messages and names", "", TERMINAL]
    for name, text in TOPICS.items():
        if name not in ELSEWHERE:
            lines += ["", f"## {name[:1].upper()}{name[1:].replace('-', ' ')}", "", text]
    return "\n".join(lines) + "\n"


TERMINAL = (
    "Text is as wide as the terminal, and 80 columns wide in a pipe. A table that does not fit continues below;\n"
    "`--wide` never breaks one. A signature that does not fit continues in lines that begin with `|`; copy all of\n"
    "them for `--signature`. Every warning ends in `[scores may be affected]` or `[scores are not affected]`.\n"
    "Metrics are accepted by the names of other programs, such as `b3`, `phi4`, `conll_score`, `v_measure` and `ari`."
)
ELSEWHERE = ("files", "formats", "prompt")
"""Topics of ``corefscope help`` that pages of their own explain."""


def _option(name: str, row: dict[str, Any]) -> str:
    return f"`{name} {row['metavar']}`" if "metavar" in row else f"`{name}`"


def _meaning(name: str, row: dict[str, Any]) -> str:
    """The help of an option, and its values unless another page or command lists them."""
    text, values = _sentence(row["help"].replace("%%", "%")), row.get("values", {})
    if name.endswith("-format"):
        return f"{text} See [formats](formats.md)."
    if name == "--preset":
        return f"{text} {_listed(values)}."
    return "<br>".join([text, *(f"`{value}`: {meaning}" for value, meaning in values.items())])


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _row(*cells: str) -> str:
    return "| " + " | ".join(map(_escaped, cells)) + " |"


def _sentence(text: str) -> str:
    return (text[:1].upper() + text[1:] if text[:1].isalpha() else text).rstrip(".") + "."


SHARED = {parameter for parameter in inspect.signature(corefscope.score).parameters if parameter not in POSITIONAL}
"""The arguments of ``score``, which most functions take: the page lists them once."""


def api_page() -> str:
    """All public names: signatures and what they are for."""
    lines = [
        "# API reference",
        "",
        "Everything is imported from `corefscope`; [From Python](python.md) shows how it is used, and",
        "`help(corefscope.score)` prints the whole documentation of a name, with parameters and examples.",
        f"`**options` are {_listed(sorted(SHARED))}, where they apply: see [options](options.md).",
    ]
    functions, classes, catalogues = [], [], []
    for name in dir(corefscope):
        value = getattr(corefscope, name)
        if name.startswith("__"):
            continue
        if isinstance(value, type):
            classes += ["", f"### {name}", "", _opening(value), *_members(value)]
        elif callable(value):
            functions += ["", f"### {name}", "", f"`{name}{_signature(value)}`", "", _opening(value)]
        else:
            catalogues.append(f"`{name}`")
    lines += ["", "## Functions", *functions, "", "## Results and other classes", *classes, "", "## Catalogues"]
    return "\n".join([*lines, "", f"Mappings from names to descriptions: {', '.join(catalogues)}."]) + "\n"


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
    own = [each for each in plain if each.name not in SHARED or each.kind is not each.KEYWORD_ONLY]
    if len(plain) - len(own) > FEW:
        plain = [*own, inspect.Parameter("options", inspect.Parameter.VAR_KEYWORD)]
    return re.sub(r"<[^>]*>", "…", str(found.replace(parameters=plain, return_annotation=inspect.Signature.empty)))


FEW = 4  # so many shared arguments are named


def _opening(value: Any) -> str:
    """The first paragraph of a docstring as Markdown: roles are names."""
    text = (inspect.getdoc(value) or "").partition("\n\n")[0]
    return re.sub(r":\w+:`~?([^`]*)`", lambda role: f"`{role[1].rpartition('.')[2]}`", text).replace("``", "`")


EVERYWHERE = {"to_dict", "to_records", "to_record", "signature", "summary", "warnings", "columns", "metrics"}
"""What every result has: python.md tells."""


def _members(value: type) -> list[str]:
    """The public methods and properties of a class that are its own."""
    names = []
    for name, member in vars(value).items():
        if name.startswith("_") or name in EVERYWHERE or not getattr(member, "__doc__", None):
            continue
        if inspect.isfunction(member) or isinstance(member, classmethod):
            names.append(f"{name}()")
        elif isinstance(member, property):
            names.append(name)
    return ["", f"Also {_listed(names)}."] if names else []


def metrics_page() -> str:
    """The metrics that people report with their definitions, and all others in short."""
    official = GROUPS["corefud"]
    lines = [
        "# Metrics",
        "",
        "`corefscope metrics NAME` prints the whole definition of a metric, with its edge cases; `corefscope cite`",
        "gives the papers in BibTeX; `corefscope explain NAME KEY RESPONSE` works a metric out on your files.",
        "[Which metric do I report?](which-metric.md)",
        "",
        *_metrics_with_another_scale(),
        "",
        "## The ten that people report",
    ]
    for metrics in _families(METRICS[name] for name in official):
        formula, *body = _paragraphs(metrics[0])
        lines += ["", f"### {' and '.join(metric.title for metric in metrics)}", ""]
        lines += [f"{_listed(metric.name for metric in metrics)}, {_papers(metrics)}. **{formula}**", "", body[0]]
        lines += ["", body[1]] if body[1:] and body[1].startswith("- ") else []
    lines += ["", "## Means", "", _paragraphs(METRICS["mean(muc,lea)"])[0], "", MEANS, "", "## Groups", ""]
    lines += [
        f"- `{name}`: {_in_short(members)}" for name, members in GROUPS.items() if name not in ("corefud", "all")
    ]
    lines += ["- `corefud`: the ten above", "- `all`: every metric"]
    fit = _listed(weighable(METRICS.built_in))
    lines += ["", "## Weights of entities", "", WEIGHTS.format(fit=fit).strip()]
    for metrics in _families(metric for metric in METRICS.values() if metric.name not in official):
        lines += ["", *_family(metrics)]
        if metrics[0].name == "major_macro":
            lines += ["", MAJOR.strip()]
    return "\n".join(lines) + "\n"


WEIGHTS = """\
`--weights`: a recall Σ a(K) / Σ b(K) becomes Σ w(K)·a(K) / Σ w(K)·b(K), a precision the same over response entities.
Equal weights give the plain score. It is for {fit}; others are left out, or refused with the reason if named.

- `size^ALPHA`: w(K) = |K|^ALPHA, w(R) = |R|^ALPHA. `size^-1` makes B³ a mean over entities.
- `FILE[:COLUMN]`: CSV or TSV with columns document (may be absent or empty), entity and weight (or COLUMN), such as
  the table of the key. A row `*` is for all others, of its document if it names one. w(R) is the mean of the weights
  of its mentions: each weighs what the key entity of its counterpart does; without one, what `*` does, or else the
  mean of the file.

By hand: x = {{a, b, c}} weighs 3, y = {{d, e}} weighs 1; the response has {{a, b}} and {{c, d, e, z}}. B³ recall is
(3·(4/3 + 1/3) + 2) / (3·3 + 2) = 7/11. The response entities weigh 3 and (3 + 1 + 1 + 2)/4 = 7/4; precision is
(3·2 + 7/4·5/4) / (3·2 + 7/4·4) = 131/208.

Use weights if some entities matter more to your task, and you can say how much before you see scores; not to compare
with published scores, or to find the ALPHA under which a system wins.
"""
MAJOR = """\
By hand: the key has K₁ = {a, b, c, d}, K₂ = {e, …, j} and {k}, the response {a, b, c, e} and {f, g}. F(K₁) = 2·3/(4 +
4) = 3/4, F(K₂) = 2·2/(6 + 2) = 1/2; macro F1 is 5/8, micro F1 (4·3/4 + 6·1/2)/10 = 3/5.

Use it where a text is about a few entities, such as the characters of a novel. It does not see the others: not
instead of CoNLL. Choose t before you see scores.
"""
MEANS = (
    "Each has the same weight and is taken unrounded, of the pooled counts. A mean has no recall and precision, and\n"
    "contains no mean."
)
FAMILIES = {
    "b3_0": "End-to-end systems",
    "muc_pb": "One set of mentions",
    "entropy": "Entropy (V-measure)",
    "kappa": "Measures of one number",
    "anaphora_classes": "Anaphora resolution",
    "pairs": "Record linkage",
    "major_macro": "Major entities",
    "empty_arc": "Empty nodes",
    "plural_muc": "Split antecedents and discourse deixis",
    "bridging_recognition": "Bridging and non-referring expressions",
}
"""Headings of metrics that are defined together, by the first of them."""
ITEM = re.compile(r"^- (``.*?``): (.*?)(?=\n- |\n\n|\Z)", re.MULTILINE | re.DOTALL)
"""What a shared definition says of one metric, or of some."""


def _metrics_with_another_scale() -> list[str]:
    """The metrics that are not what most are."""
    ranges = [f"`{each.name}` {shown_range(each)}" for each in METRICS.values() if shown_range(each) != "[0, 1]"]
    one_sided = _listed(each.name for each in METRICS.values() if not each.scale.symmetric)
    return [
        f"Scores are in [0, 1], except {', '.join(ranges)}. Swapping key and response swaps recall and precision,",
        f"except of {one_sided}.",
    ]


def _families(metrics: Iterable[Metric]) -> list[list[Metric]]:
    """Metrics that are defined together."""
    families: dict[str, list[Metric]] = {}
    for metric in metrics:
        families.setdefault(metric.definition, []).append(metric)
    return list(families.values())


def _papers(metrics: Sequence[Metric]) -> str:
    return ", ".join(dict.fromkeys(reference(paper) for metric in metrics for paper in metric.papers))


def _paragraphs(metric: Metric) -> list[str]:
    return metric.definition.replace("``", "`").strip().split("\n\n")


def _family(metrics: Sequence[Metric]) -> list[str]:
    """Metrics with one definition: what they share, and the first sentence on each."""
    items = ITEM.findall(metrics[0].definition)
    heading = FAMILIES.get(metrics[0].name, metrics[0].title)
    formula, body, *_ = [*_paragraphs(metrics[0]), ""]
    lines = [f"## {heading}", "", f"{_papers(metrics)}. {body if items else metrics[0].summary}", ""]
    if not items:
        return [*lines, f"`{metrics[0].name}`: **{formula}**"]
    lines += ["| name | definition |", "|---|---|"]
    return [*lines, *(_row(names.replace("``", "`"), _first_sentence(text)) for names, text in items)]


def _first_sentence(text: str) -> str:
    plain = " ".join(text.split()).replace("``", "`").replace("**", "")
    return re.split(r"(?<=[^A-Z.][.]) (?=[A-Z(])", plain, maxsplit=1)[0].rstrip(".")


def _in_short(names: Sequence[str]) -> str:
    """The members of a group; of many, what they have in common."""
    if len(names) <= MANY:
        return _listed(names)
    beginnings = {name: name.partition("_")[0] for name in names}
    common = Counter(beginnings.values())
    return _listed(dict.fromkeys(f"{each}…" if common[each] > 1 else name for name, each in beginnings.items()))


MANY = 12  # more members of a group are shortened


def papers_page() -> str:
    """What the sources describe, item by item, their errata, and their cells: printed and computed."""
    rows = json.loads(GOLDENS.read_text(encoding="utf-8"))
    lines = [
        "# The sources, item by item",
        "",
        "What the README of the CorefUD scorer and the three papers describe, define, print or draw: a command that",
        "shows it, the figure that is printed, ours, and the test that compares them. The test of this page (“page”)",
        "runs every command and looks for what the column “ours” says. A dash: nothing is printed, or computed.",
        "″: the command above.",
        "",
        "The commands run in a copy of the examples of the package, which have the papers' own:",
        "",
        "```",
        "cp -r \"$(python3 -c 'import corefscope.formats as f; print(*f.__path__)')/examples\" papers",
        "cd papers",
        "corefscope perturb key.conllu -o noisy --kinds split,spurious,head",
        "corefscope compare key.conllu response.conllu noisy/split-060.conllu noisy/spurious-050.conllu -o all.json",
        (
            "corefscope compare key.conllu response.conllu noisy/split-060.conllu noisy/spurious-050.conllu"
            " --singletons keep -o keep.json"
        ),
        "sed s/,blanc,/,muc,/ luo/published.csv > other.csv",
        "```",
        "",
        "`noisy/` stands for other systems, `other.csv` for published scores of another metric.",
    ]
    for paper, title in SOURCES.items():
        lines += [
            "",
            f"## {title}",
            "",
            _part(f"items-{paper}"),
            "",
            "Errata and choices, in our words:",
            "",
            _part(paper),
        ]
        printed = [row for row in rows if row["paper"] == paper and row["status"] != "not-reproducible"]
        if paper == "cai-strube-2010":
            lines += ["", "Cells, as P R F:", "", *_cells(printed)]
    lines += ["", "## BookCoref", "", _part("bookcoref")]
    return "\n".join(lines) + "\n"


def _cells(rows: list[dict[str, Any]]) -> list[str]:
    """A row for each example, with its measures."""
    lines = ["| place | key | response | measure | printed | computed |", "|---|---|---|---|---|---|"]
    for table, of_table in groupby(rows, key=lambda row: row["table"]):
        cells = list(of_table)
        figures = [[row["measure"], _printed(row["printed"]), _computed(row)] for row in cells]
        columns = [
            "<br>".join(re.sub(r"[PRF] |,|\b0(?=\.)", "", text) for text in column)
            for column in zip(*figures, strict=True)
        ]
        lines.append(_row(table, _shown(cells[0]["key"]), _shown(cells[0]["response"]), *columns))
    return lines


def _part(name: str) -> str:
    """A part of the page that is written by hand, in a folder below."""
    return (DOCS / "errata" / f"{name}.md").read_text(encoding="utf-8").rstrip().replace("](../", "](")


def _escaped(cell: str) -> str:
    return cell.replace("|", "\\|")


def _shown(clusters: list[list[str]]) -> str:
    return "".join("{" + "".join(cluster) + "}" for cluster in clusters)


def _printed(figures: dict[str, float]) -> str:
    return ", ".join(f"{name} {value}" for name, value in figures.items())


def _computed(row: dict[str, Any]) -> str:
    """The figures in the order in which the paper prints them, with a digit more."""
    score = score_clusters(row["key"], row["response"], metrics=[row["measure"]], rules="corrected")[row["measure"]]
    return f"{score.precision:.4f} {score.recall:.4f} {score.f1:.4f}"


def validation_page() -> str:
    """The page as it is, with the list of all codes anew."""
    page = (DOCS / "validation.md").read_text(encoding="utf-8")
    codes = "\n".join(f"- `{code.code}` {code.name}: {code.meaning}" for code in CODES.values())
    return f"{page.partition(CODE)[0]}{codes}\n"


CODE = "- `E001`"  # the first


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
    table = [_row(*row) + "\n" for row in rows]
    return "".join([before, line, rule, *table, *dropwhile(lambda text: text.startswith("|"), after)])


def behaviour_page() -> str:
    """The page as it is, with the table of coherence criteria anew."""
    found = criteria()
    rows = [
        (METRICS[name].title, *("yes" if each.holds else "no" for each in found.findings[name].values()))
        for name, *_ in found.same
    ]
    page = (DOCS / "behaviour.md").read_text(encoding="utf-8")
    return _with_table(page, "| metric | (1) | (3) | (4) alone | (4) one | (5) |", rows)


PAGES = {
    "metrics.md": metrics_page,
    "papers.md": papers_page,
    "validation.md": validation_page,
    "errors.md": errors_page,
    ERRORS_SCHEMA: errors_schema,
    "behaviour.md": behaviour_page,
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
