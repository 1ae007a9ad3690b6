"""The page of one submission: what is wrong with it, its figures, and, if the keys may be seen, every document.

It needs no template, so nothing but the standard library; the report pages in it do.
"""

from __future__ import annotations

from ...base.version import __version__
from ...study.tasks import TaskResult
from ...study.tasks.result import COUNTS_AS
from ..formats import REPORTS
from ..formats.html import escaped, of_layout
from ..layout import Cell, Layout, Sheet
from ..page.data import collect
from ..page.page import digest, own_sources
from ..page.page import embedded as escaped_json
from ..page.page import render as report_page
from ..results.score import shown_figure, shown_headline, titles

MOST_WARNINGS = 50
STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; margin: 1.5rem; color: #222; background: #fff; }
table { border-collapse: collapse; margin: .5rem 0 1rem; } th, td { padding: .15rem .6rem; }
th { border-bottom: 1px solid #999; } summary { cursor: pointer; margin: .5rem 0; }
.wrong { border-left: 4px solid #c0392b; background: #fdf0ee; padding: .5rem 1rem; white-space: pre-wrap; }
iframe { width: 100%; height: 90vh; border: 1px solid #ccc; }
"""
SCRIPT = """
for (const details of document.querySelectorAll("details.report")) {
  details.addEventListener("toggle", () => {
    const frame = document.createElement("iframe");
    const page = JSON.parse(details.querySelector("script").textContent);
    frame.title = details.querySelector("summary").textContent;
    frame.src = URL.createObjectURL(new Blob([page], { type: "text/html" }));
    details.append(frame);
  }, { once: true });
}
"""
"""Opens a report when somebody asks for it. It is a page with an address of its own, or its links would not work."""


def page(result: TaskResult, details: str) -> str:
    """The page as text."""
    (system,) = result
    body = [*_problems(result), of_layout(Layout([_overview(result, system)], [result.signature], result.notes))]
    for dataset, report in result[system].items():
        shown = REPORTS["html"].render(report, per_document=True)
        body.append(f"<details><summary>{escaped(dataset)}: all figures</summary>\n{shown}</details>")
        if details == "report":
            body.append(_report(result, system, dataset))
    warnings = result.warnings
    more = [f"and {len(warnings) - MOST_WARNINGS:,} more"] if len(warnings) > MOST_WARNINGS else []
    noted = "".join(f"<li>{escaped(warning)}</li>\n" for warning in [*warnings[:MOST_WARNINGS], *more])
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_policy(details)}">
<title>Detailed results</title>
<style>{STYLE}</style>
</head>
<body>
<h1>Detailed results</h1>
{chr(10).join(body)}
{f"<h2>Warnings</h2><ul>{noted}</ul>" if noted else ""}
<p>corefscope {__version__}</p>
{f"<script>{SCRIPT}</script>" if details == "report" else ""}
</body>
</html>
"""


def _problems(result: TaskResult) -> list[str]:
    counts_as = COUNTS_AS[result.scheme.missing]
    return [
        f'<p class="wrong"><b>{escaped(problem.dataset)}: {problem.status}, {counts_as}</b>\n'
        + "\n".join(map(escaped, problem.message.split("\n")))
        + "</p>"
        for problem in result.problems
    ]


def _overview(result: TaskResult, system: str) -> Sheet:
    """Data sets as rows, metrics as columns; the average at the top."""
    statuses = {problem.dataset: problem.status for problem in result.problems}
    averages = [None if result.nothing(name) else result.average(system, name) for name in result.metrics]
    rows = [["Macro average", *map(shown_figure, averages)]]
    for dataset in result.datasets:
        report = result[system].get(dataset)
        rows.append(
            [dataset, *(shown_headline(report, name) if report else statuses[dataset] for name in result.metrics)]
        )
    cells = [list(map(Cell, row)) for row in rows]
    return Sheet(["Data set", *titles(result.metrics)], cells, strong=[0])


def _report(result: TaskResult, system: str, dataset: str) -> str:
    """The report page of one response, in a frame; if it cannot be made, why."""
    key, response = result.task.datasets[dataset], result.task.systems[system][dataset].path
    try:
        shown = report_page(collect(key, [response], result.scheme.request, names=[system], title=dataset))
    except Exception as error:  # no reason to lose the figures
        return f"<p>{escaped(dataset)}: there is no report page: {escaped(repr(error))}</p>"
    inner = f'<script type="application/json">{escaped_json(shown)}</script>'
    return f'<details class="report"><summary>{escaped(dataset)}: every document</summary>\n{inner}</details>'


def _policy(details: str) -> str:
    """Nothing is loaded; reports are bound by it as well, so their script and their style are allowed."""
    styles, scripts = [digest(STYLE)], ["none"]
    if details == "report":
        style, script = own_sources()
        styles, scripts = [*styles, style], [digest(SCRIPT), script]
    allowed = (" ".join(f"'{source}'" for source in sources) for sources in (styles, scripts))
    return (
        "default-src 'none'; style-src {}; script-src {}; style-src-attr 'unsafe-inline'; frame-src blob:;"
        " img-src data:; base-uri 'none'; form-action 'none'"
    ).format(*allowed)
