"""Scoring program of a Codabench bundle, ``score.py INPUT OUTPUT``: scores a submission as ``corefscope task`` does.

The exit code is 0 whatever is wrong with the submission: files that cannot be scored count 0, and standard error and
the page give the reason. It is 1 if the bundle itself is broken.
"""

from __future__ import annotations

import argparse
import json
import os
import stat
import sys
from collections.abc import Collection, Mapping, Sequence

from ...cli.terminal import complain, guarded, warn
from ...comparison.tasks import TaskResult, read_task, run_task
from ...comparison.tasks.averages import missing_score
from ...comparison.tasks.result import COUNTS_AS
from ...comparison.tasks.task import Submission
from ...core.errors import InputError, amount
from ...core.numbers import headline
from ...core.version import __version__
from ...formats.source import MAX_UNPACKED
from ...formats.target import Target
from ...output.formats import REPORTS
from ...output.formats.html import escaped, render_layout
from ...output.layout import Layout, Sheet
from ...output.pages.report import digest, own_sources
from ...output.pages.report import embedded as escaped_json
from ...output.pages.report import render as report_page
from ...output.pages.report.data import collect
from ...output.results.score import shown_figure, shown_headline, titles
from . import DETAILS, MACRO, TASK, key_of

SHOWN = 5
"""Maximum number of file names in a message."""
SYSTEM_FOLDERS = ("__MACOSX",)
KINDS = {
    stat.S_IFLNK: "a symbolic link",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}
"""Kinds of files that are not read, by mode."""
ARCHIVES = (".zip", ".tar", ".tgz", ".tar.gz", ".7z", ".rar")


FileId = tuple[int, int]
"""Device and inode: hard links to one file share them."""
UNKNOWN = 0, 0


def find_responses(folder: str, keys: Mapping[str, str]) -> dict[str, Submission]:
    """By data set, the response below a directory; ``keys`` has the file or the directory of each key.

    A response is called like its key, up to the first point of the name. Where there are several, the one that is
    least deep counts. A response that is not a regular file, or a directory that holds anything but regular files and
    directories, is faulty, and so is a hard link to a key.
    """
    entries: list[str] = []
    for parent, folders, files in os.walk(folder):  # links to directories are listed, not followed
        folders[:] = sorted(folders)
        for names in (folders, sorted(files)):
            names[:] = [name for name in names if not name.startswith(".") and name not in SYSTEM_FOLDERS]
            entries += [os.path.join(parent, name) for name in names]
    key_ids = {_file_id(path) for key in keys.values() for path in _tree(key)} - {UNKNOWN}
    return {dataset: _find(folder, entries, key, key_ids) for dataset, key in keys.items()}


def _tree(path: str) -> list[str]:
    """A path and everything below it, hidden files included: the reader of a directory looks into hidden ones."""
    inside = (os.path.join(parent, name) for parent, *names in os.walk(path) for name in (*names[0], *names[1]))
    return [path, *sorted(inside)]


def _mode(path: str) -> int:
    """The mode of a file, or of a link itself; 0 if it is unknown."""
    try:
        return os.lstat(path).st_mode
    except OSError:
        return 0


def _file_id(path: str) -> FileId:
    try:
        status = os.stat(path)
    except OSError:
        return UNKNOWN  # a key that is not there is reported where it is read
    return (status.st_dev, status.st_ino) if status.st_ino else UNKNOWN


def _find(folder: str, entries: list[str], key: str, key_ids: Collection[FileId]) -> Submission:
    wanted = key_of(key)
    is_kind = stat.S_ISDIR if os.path.isdir(key) else stat.S_ISREG
    named = [path for path in entries if key_of(path) == wanted]
    found = [path for path in named if is_kind(_mode(path))]
    depth = min((path.count(os.sep) for path in found), default=0)
    nearest = [path for path in found if path.count(os.sep) == depth]
    if len(nearest) == 1:
        faults = (_fault(folder, file, key_ids) for file in _tree(nearest[0]))
        fault = next(filter(None, faults), "")
        return Submission("", "faulty", fault) if fault else Submission(nearest[0])
    if not nearest and (refused := list(filter(None, (_fault(folder, path, key_ids) for path in named)))):
        return Submission("", "faulty", refused[0])
    what = f"directory {wanted}" if os.path.isdir(key) else f"file {wanted}.*"
    names = [os.path.relpath(path, folder) for path in nearest or entries if nearest or not stat.S_ISDIR(_mode(path))]
    listed = ", ".join(names[:SHOWN]) + (" …" if len(names) > SHOWN else "")
    if nearest:
        return Submission("", "faulty", f"there is more than one {what}: {listed}")
    there = f"{amount(len(names), 'file')}: {listed}" if names else "nothing"
    packed = [name for name in names if name.lower().endswith(ARCHIVES)]
    remedy = f"; {packed[0]} is an archive in the archive: pack the files themselves" if packed else ""
    return Submission("", "missing", f"there is no {what}; the submission has {there}{remedy}")


def _fault(folder: str, path: str, key_ids: Collection[FileId]) -> str:
    """The reason why an entry of a submission is not read; empty for a directory, or a regular file of its own."""
    mode, name = _mode(path), os.path.relpath(path, folder)
    if stat.S_ISDIR(mode):
        return ""
    if not stat.S_ISREG(mode):
        return f"{name} is {KINDS.get(stat.S_IFMT(mode), 'not a regular file')}: a submission is made of plain files"
    if _file_id(path) in key_ids:
        return f"{name} is a hard link to a key: a submission is made of files of its own"
    return ""


MAX_WARNINGS = 50
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
"""Opens a report on demand, as a page with an address of its own, which its links need."""


def page(result: TaskResult, details: str) -> str:
    """The page of detailed results."""
    (system,) = result
    body = [
        f'<p class="wrong"><b>{escaped(problem.dataset)}: {problem.status}, {COUNTS_AS[result.scheme.missing]}</b>\n'
        + "\n".join(map(escaped, problem.message.split("\n")))
        + "</p>"
        for problem in result.problems
    ]
    body.append(render_layout(Layout([_overview(result, system)], [result.signature], result.notes)))
    for dataset, report in result[system].items():
        shown = REPORTS["html"].render(report, per_document=True)
        body.append(f"<details><summary>{escaped(dataset)}: all figures</summary>\n{shown}</details>")
        if details == "report":
            body.append(_report(result, system, dataset))
    warnings = result.warnings
    more = [f"and {len(warnings) - MAX_WARNINGS:,} more"] if len(warnings) > MAX_WARNINGS else []
    noted = "".join(f"<li>{escaped(warning)}</li>\n" for warning in [*warnings[:MAX_WARNINGS], *more])
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
    return Sheet.of(["Data set", *titles(result.metrics)], rows, strong=[0])


def _report(result: TaskResult, system: str, dataset: str) -> str:
    """The report page of one response, in a frame; if it cannot be made, the reason."""
    key, response = result.task.datasets[dataset], result.task.systems[system][dataset].path
    try:
        shown = report_page(collect(key, [response], result.scheme.request, names=[system], title=dataset))
    except Exception as error:  # the figures are worth showing all the same
        return f"<p>{escaped(dataset)}: there is no report page: {escaped(repr(error))}</p>"
    inner = f'<script type="application/json">{escaped_json(shown)}</script>'
    return f'<details class="report"><summary>{escaped(dataset)}: every document</summary>\n{inner}</details>'


def _policy(details: str) -> str:
    """Content security policy: nothing is loaded; only this page and reports, which inherit it, may run scripts."""
    styles, scripts = [digest(STYLE)], ["none"]
    if details == "report":
        style, script = own_sources()
        styles, scripts = [*styles, style], [digest(SCRIPT), script]
    allowed = (" ".join(f"'{source}'" for source in sources) for sources in (styles, scripts))
    return (
        "default-src 'none'; style-src {}; script-src {}; style-src-attr 'unsafe-inline'; frame-src blob:;"
        " img-src data:; base-uri 'none'; form-action 'none'"
    ).format(*allowed)


SYSTEM = "submission"
"""Name of the only system."""
MAX_UNPACKED_SIZE = "2GB"
"""Maximum size of a decompressed file of a submission, unless the environment sets another."""
MAX_PRINTED_WARNINGS = 20
SCORES, PAGE = "scores.json", "detailed_results.html"


def main(arguments: Sequence[str] | None = None) -> int:
    """Score a submission and return the exit code."""
    parser = argparse.ArgumentParser(prog="score.py", description="Score a submission to a shared task.")
    parser.add_argument("input", metavar="INPUT", help="directory with ref (the keys) and res (the submission)")
    parser.add_argument("output", metavar="OUTPUT", help="directory for scores.json and detailed_results.html")
    parser.add_argument("--details", choices=DETAILS, default="figures", help="content of detailed_results.html")
    parsed = parser.parse_args(arguments)
    return guarded(lambda: _run(parsed))


def _run(parsed: argparse.Namespace) -> int:
    os.environ.setdefault(MAX_UNPACKED, MAX_UNPACKED_SIZE)
    result = score_submission(parsed.input, parsed.output, details=parsed.details)
    for problem in result.problems:
        complain("note", str(problem))
    warn(result.warnings[:MAX_PRINTED_WARNINGS])
    sys.stdout.write(REPORTS["text"].render(result))
    return 0


def score_submission(folder: str, out: str, *, details: str) -> TaskResult:
    """Score the submission in ``res`` of a directory against the keys in its ``ref``; write the scores and the page.

    Responses that cannot be scored count 0, with a note on the page. InputError is raised if a key is broken.
    """
    task = read_task(os.path.join(folder, "ref", f"{TASK}.json"), keys_only=True)
    responses = find_responses(os.path.join(folder, "res"), task.datasets)
    result = run_task(task._replace(systems={SYSTEM: responses}), jobs=1, significance=False)
    check_keys(result)
    with Target(os.path.join(out, SCORES)) as target:
        target.write(json.dumps(scores(result), indent=1) + "\n")
    with Target(os.path.join(out, PAGE)) as target:
        target.write(page(result, details))
    return result


def scores(result: TaskResult) -> dict[str, float]:
    """The figures of the ranking metric in percent, by the key of their columns.

    A data set has none if there is nothing to count in it.
    """
    metric = result.scheme.rank_by
    figures = {MACRO: result.average(SYSTEM, metric)}
    for dataset, key in result.task.datasets.items():
        report = result[SYSTEM].get(dataset)
        figures[key_of(key)] = (
            report.figure(metric) if report else headline(missing_score(metric, result.options.rules))
        )
    return {name: 100 * figure for name, figure in figures.items() if figure is not None}


def check_keys(result: TaskResult) -> None:
    """Raise InputError if a key cannot be read, which is no fault of the submission."""
    for problem in result.problems:
        if not problem.system:
            raise InputError(f"the key of {problem.dataset!r} cannot be scored with: {problem.message}")
