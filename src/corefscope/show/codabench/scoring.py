"""What the platform runs: a submission is scored as ``corefscope task`` does it, into figures and a page."""

from __future__ import annotations

import json
import os

from ...base.errors import InputError
from ...base.numbers import headline
from ...study.tasks import TaskResult, read_task, run_task
from ...study.tasks.averages import missing_score
from ...write.target import Target
from .details import page
from .names import MACRO, TASK, key_of
from .submission import find_responses

SYSTEM = "submission"
"""What the only system is called."""
SCORES, DETAILS = "scores.json", "detailed_results.html"


def score_submission(folder: str, out: str, *, details: str) -> TaskResult:
    """Score what is in ``res`` of a directory against the keys in its ``ref``; write the scores and the page.

    Whatever is wrong with the submission counts 0, with a note on the page. InputError is raised if a key is broken.
    """
    task = read_task(os.path.join(folder, "ref", f"{TASK}.json"), keys_only=True)
    responses = find_responses(os.path.join(folder, "res"), task.datasets)
    result = run_task(task._replace(systems={SYSTEM: responses}), jobs=1, significance=False)
    check_keys(result)
    with Target(os.path.join(out, SCORES)) as target:
        target.write(json.dumps(scores(result), indent=1) + "\n")
    with Target(os.path.join(out, DETAILS)) as target:
        target.write(page(result, details))
    return result


def scores(result: TaskResult) -> dict[str, float]:
    """By the key of its column, each figure of the metric that ranks, in percent.

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
    """Refuse to go on with a key that cannot be read: whoever submits is not to blame for it."""
    for problem in result.problems:
        if not problem.system:
            raise InputError(f"the key of {problem.dataset!r} cannot be scored with: {problem.message}")
