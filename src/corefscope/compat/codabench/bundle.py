"""The files of a competition bundle, by their paths in it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ...compare.tasks import Submission, Task, TaskResult, run_task
from ...compare.tasks.averages import missing_score
from ...compare.tasks.task import FIELDS, Scheme
from ...core.errors import OptionError
from ...core.metrics import METRICS
from ...formats.source import PARQUET
from ...output.text import shown
from ...output.vendored import FOR_PAGE, OWN, licences, sources
from . import texts
from .names import MACRO, TASK, DatasetColumn, columns, file_name, key_of
from .scoring import SYSTEM, check_keys

Content = bytes | Path
"""What is in a file, or the file that has it."""
Files = Iterator[tuple[str, Content]]
"""By their paths in the bundle."""
LOGO = Path(__file__).parent / "logo.png"
"""Two circles that overlap: what the key has, what the response has, and what both have."""
IMAGE = "python:3.12-slim"
"""What the platform runs programs in; its own default is Python 3.7."""
EXAMPLE = "baseline"
"""The system of the task, if there is one of this name, that everybody may see as an example of a submission."""
START = "2000-01-01 00:00:00"
HEAD = "# A Codabench competition. Look at title, description, terms.md and start before you upload it.\n"
SCORE = '''\
"""Scores a submission: score.py INPUT OUTPUT, where INPUT has ref (the keys) and res (the submission)."""

import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))

if __name__ == "__main__":
    from corefscope.compat.commands.codabench import main

    sys.exit(main(sys.argv[1:]))
'''


def bundle_files(task: Task, details: str) -> dict[str, Content]:
    """Everything, ``competition.yaml`` last; InputError if a key cannot be read."""
    scheme = _checked(task)
    with_keys = _scored_with_keys(task)
    all_columns = columns(task.datasets)
    keys = {column.dataset: file_name(column, task.datasets[column.dataset]) for column in all_columns}
    facts = texts.CompetitionFacts(
        _title(task),
        all_columns,
        [keys[name] + "/" * os.path.isdir(path) for name, path in task.datasets.items()],
        scheme,
        task.settings.get("preset", ""),
        with_keys.options,
        with_keys.signature,
    )
    return {
        "logo.png": LOGO,
        "terms.md": _text(texts.TERMS),
        "overview.md": _text(texts.overview(facts)),
        "evaluation.md": _text(texts.evaluation(facts)),
        f"reference_data/{TASK}.json": _manifest(task, keys),
        **dict(_copies("reference_data", {keys[name]: path for name, path in task.datasets.items()})),
        **dict(_scoring_program(details)),
        **dict(_starting_kit(task, facts, keys)),
        **dict(_example(task, facts, all_columns)),
        "competition.yaml": _text(HEAD + as_yaml(_competition(facts))),
    }


def _checked(task: Task) -> Scheme:
    """How the task is scored, once it is known that a leaderboard of numbers can show it."""
    if task.settings.get("settings"):
        raise OptionError("a leaderboard ranks by one way to score: leave settings out, and say which one it is")
    scheme = Scheme(task.settings)
    if unknown := [name for name in task.settings if name not in FIELDS]:
        raise OptionError(f"{', '.join(unknown)} cannot be part of a bundle")
    if scheme.missing != "zero":
        message = f"missing = {scheme.missing!r} leaves submissions without an average, which Codabench cannot rank"
        raise OptionError(f"{message}: write missing = 'zero', or --missing zero")
    for path in task.datasets.values():
        if _begins_with(path, PARQUET):
            raise OptionError(
                f"{path} is a Parquet file, which takes a package that the bundle does not have: use CSV"
            )
    worst = missing_score(scheme.rank_by, scheme.options.rules)
    if any(isinstance(value, float) and value == float("inf") for value in worst):
        raise OptionError(
            f"a missing submission has no end of {METRICS[scheme.rank_by].title}: rank by another metric (rank_by)"
        )
    return scheme


def _begins_with(path: str, beginning: bytes) -> bool:
    if not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        return file.read(len(beginning)) == beginning


def _scored_with_keys(task: Task) -> TaskResult:
    """What a submission gets that is the keys themselves: the options and the signature are those of all."""
    settings = {name: value for name, value in task.settings.items() if name != "response_format"}
    if "key_format" in settings:
        settings["response_format"] = settings["key_format"]
    keys = {name: Submission(path) for name, path in task.datasets.items()}
    result = run_task(task._replace(systems={SYSTEM: keys}, settings=settings), significance=False)
    check_keys(result)
    return result


def _title(task: Task) -> str:
    name = os.path.basename(os.path.abspath(task.path))
    return shown(name if os.path.isdir(task.path) else os.path.splitext(name)[0]).strip() or "Shared task"


def as_yaml(value: dict[str, Any]) -> str:
    """A table as YAML for people to edit, in its order; PyYAML is an extra, which the bundle itself does not need."""
    try:
        import yaml
    except ImportError:
        raise OptionError("a bundle needs PyYAML\n  hint: pip install 'corefscope[yaml]'") from None
    text: str = yaml.safe_dump(value, allow_unicode=True, sort_keys=False, width=1000)
    return text


def _text(content: str) -> bytes:
    return content.encode("utf-8", "backslashreplace")


def _manifest(task: Task, keys: Mapping[str, str], **systems: Mapping[str, str]) -> bytes:
    """What ``corefscope task`` reads: the settings, and where keys are, and responses if somebody has some."""
    content = {**task.settings, "datasets": keys, **({"systems": systems} if systems else {})}
    return _text(json.dumps(content, ensure_ascii=False, indent=1) + "\n")


def _copies(folder: str, paths: Mapping[str, str]) -> Files:
    """Files, and the files of directories, hidden ones aside, by their new names."""
    for name, path in paths.items():
        if not os.path.isdir(path):
            yield f"{folder}/{name}", Path(path)
            continue
        root = Path(path)
        for file in sorted(root.rglob("*")):
            if file.is_file() and not file.name.startswith("."):
                yield f"{folder}/{name}/{file.relative_to(root).as_posix()}", file


def _scoring_program(details: str) -> Files:
    packages = FOR_PAGE if details == "report" else ()
    command = f"python3 -I /app/program/score.py /app/input /app/output --details {details}"
    yield "scoring_program/metadata.yaml", _text(as_yaml({"command": command}))
    yield "scoring_program/score.py", _text(SCORE)
    yield "scoring_program/lib/licences.txt", _text("\n\n".join(licences(packages)) + "\n")
    for name, path in sorted(sources(packages)):
        yield f"scoring_program/lib/{name}", path


def _starting_kit(task: Task, facts: texts.CompetitionFacts, keys: Mapping[str, str]) -> Files:
    folders = {name for name, path in task.datasets.items() if os.path.isdir(path)}
    patterns = {name: file if name in folders else f"{key_of(file)}.*" for name, file in keys.items()}
    responses = {name: f"submission/{pattern}" for name, pattern in patterns.items()}
    manifest = _manifest(task, {name: f"keys/{pattern}" for name, pattern in patterns.items()}, ours=responses)
    yield "starting_kit/README.md", _text(texts.read_me(facts))
    yield "starting_kit/task.json", manifest
    for name in ("key.conllu", "response.conllu"):
        yield f"starting_kit/example/{name}", OWN.joinpath("formats", "examples", name)


def _example(task: Task, facts: texts.CompetitionFacts, all_columns: list[DatasetColumn]) -> Files:
    """A submission for everybody to see: never the keys."""
    submissions = task.systems.get(EXAMPLE, {})
    paths = {column: submissions[column.dataset].path for column in all_columns if column.dataset in submissions}
    yield "solution/README.md", _text(texts.example(facts, bool(paths)))
    yield from _copies("solution", {file_name(column, path): path for column, path in paths.items() if path})


def _competition(facts: texts.CompetitionFacts) -> dict[str, Any]:
    """What ``competition.yaml`` says."""
    metric = METRICS[facts.scheme.rank_by]
    titles = [(f"Macro {metric.title}", MACRO), *((column.title, column.key) for column in facts.columns)]
    sorting = "desc" if metric.scale.perfect else "asc"
    leaderboard = [
        {"title": title[:36], "key": key, "index": index, "sorting": sorting, "precision": 2, "hidden": False}
        for index, (title, key) in enumerate(titles)
    ]
    return {
        "version": 2,
        "title": facts.title[:256],
        "description": "Coreference resolution, scored by corefscope",
        "image": "logo.png",
        "terms": "terms.md",
        "docker_image": IMAGE,
        "enable_detailed_results": True,
        "show_detailed_results_in_submission_panel": True,
        "show_detailed_results_in_leaderboard": False,
        "make_programs_available": True,
        "pages": [{"title": "Overview", "file": "overview.md"}, {"title": "Evaluation", "file": "evaluation.md"}],
        "tasks": [
            {
                "index": 0,
                "name": facts.title[:256],
                "description": "Every data set, and their macro average",
                "scoring_program": "scoring_program",
                "reference_data": "reference_data",
            }
        ],
        "solutions": [{"index": 0, "name": "Example of a submission", "tasks": [0], "path": "solution"}],
        "phases": [
            {
                "index": 0,
                "name": "Evaluation",
                "description": "Submissions are scored on all data sets",
                "start": START,
                "execution_time_limit": 3600,
                "starting_kit": "starting_kit",
                "tasks": [0],
            }
        ],
        "leaderboards": [
            {"title": "Results", "key": "results", "submission_rule": "Force_Best", "columns": leaderboard}
        ],
    }
