"""Writer of a Codabench competition: the files of the bundle, and its pages."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from ...comparison.tasks import Submission, Task, run_task
from ...comparison.tasks.averages import missing_score
from ...comparison.tasks.task import FIELDS, MISSING, Scheme, language_of
from ...core.choices import PresetName
from ...core.errors import OptionError
from ...core.metrics import METRICS
from ...core.options import TITLES, Options
from ...core.presets import PRESETS
from ...core.version import __version__
from ...formats.source import PARQUET
from ...formats.target import Target, TargetDirectory, is_within, refuse_overwriting
from ...output.formats.markdown import escaped
from ...output.pages.app.files import FOR_PAGE, OWN, archive, licences, sources
from ...output.text import shown
from . import MACRO, TASK, DatasetColumn, columns, file_name, key_of
from .scoring import SYSTEM, check_keys

Content = bytes | Path
"""The content of a file, or a file to copy."""
Files = Iterator[tuple[str, Content]]
"""Paths in the bundle with their contents."""
LOGO = Path(__file__).parent / "logo.png"
IMAGE = "python:3.12-slim"
"""The image in which the platform runs programs; its own default is Python 3.7."""
EXAMPLE = "baseline"
"""Name of the system, if the task has it, that participants see as an example of a submission."""
START = "2000-01-01 00:00:00"
TERMS = """\
# Terms

By taking part you agree to the terms on this page. Organisers: replace it.
"""
HEAD = "# A Codabench competition. Look at title, description, terms.md and start before you upload it.\n"
SCORE = '''\
"""Score a submission: score.py INPUT OUTPUT, where INPUT has ref (the keys) and res (the submission)."""

import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))

if __name__ == "__main__":
    from corefscope.compat.codabench.scoring import main

    sys.exit(main(sys.argv[1:]))
'''


class CompetitionFacts(NamedTuple):
    """The facts that the pages state."""

    title: str
    description: Sequence[str]
    """The lines of the description."""
    languages: Mapping[str, str]
    """The language of each data set, if it is known."""
    columns: Sequence[DatasetColumn]
    files: Sequence[str]
    """Names that the files of a submission may have, in the order of the columns."""
    scheme: Scheme
    preset: PresetName | Literal[""]
    options: Options
    """Options of a submission in the format of the keys."""
    signature: str
    """Signature of all data sets together for such a submission."""


def write_bundle(task: Task, out: str, *, details: str) -> None:
    """Write the bundle of a task into a new directory, or as one archive if the name ends in ``.zip``."""
    is_archive = out.lower().endswith(".zip")
    inputs = [*task.datasets.values(), task.path]
    refuse_overwriting(out, inputs)
    for path in inputs:
        if os.path.isdir(path) and is_within(out, path):
            raise OptionError(f"{out} is in {path}, which is an input: name another place")
    if os.path.isdir(out) and (is_archive or os.listdir(out)):
        raise OptionError(f"{out} is there already, and is not empty: name another place, or remove it")
    if os.path.exists(out) and not os.path.isdir(out) and not is_archive:
        raise OptionError(f"{out} is a file: name a directory, or a file that ends in .zip")
    files = dict(bundle_files(task, details))
    if is_archive:
        with Target(out) as zipped:
            zipped.write(archive(files.items()))
        return
    with TargetDirectory(out) as directory:
        for name, content in files.items():
            with directory.file(name, packed=True) as file:
                file.write(content if isinstance(content, bytes) else content.read_bytes())


def bundle_files(task: Task, details: str) -> Files:
    """All files, ``competition.yaml`` last; InputError if a key cannot be read."""
    scheme = _check_task(task)
    # To submit the keys themselves gives the options and the signature of every submission.
    settings = {name: value for name, value in task.settings.items() if name != "response_format"}
    if "key_format" in settings:
        settings["response_format"] = settings["key_format"]
    perfect = {name: Submission(path) for name, path in task.datasets.items()}
    with_keys = run_task(task._replace(systems={SYSTEM: perfect}, settings=settings), significance=False)
    check_keys(with_keys)
    all_columns = columns(task.datasets)
    keys = {column.dataset: file_name(column, task.datasets[column.dataset]) for column in all_columns}
    facts = CompetitionFacts(
        shown(task.name).strip() or "Shared task",
        [*filter(None, map(str.strip, task.description.splitlines()))],
        {name: task.language_name(language) for name in task.datasets if (language := language_of(task, name))},
        all_columns,
        [keys[name] + "/" * os.path.isdir(path) for name, path in task.datasets.items()],
        scheme,
        task.settings.get("preset", ""),
        with_keys.options,
        with_keys.signature,
    )
    yield "logo.png", LOGO
    yield "terms.md", _text(TERMS)
    yield "overview.md", _text(_overview_page(facts))
    yield "evaluation.md", _text(_evaluation_page(facts))
    yield f"reference_data/{TASK}.json", _manifest(task, keys)
    yield from _copies("reference_data", {keys[name]: path for name, path in task.datasets.items()})

    packages = FOR_PAGE if details == "report" else ()
    command = f"python3 -I /app/program/score.py /app/input /app/output --details {details}"
    yield "scoring_program/metadata.yaml", _text(as_yaml({"command": command}))
    yield "scoring_program/score.py", _text(SCORE)
    yield "scoring_program/lib/licences.txt", _text("\n\n".join(licences(packages)) + "\n")
    for name, file in sorted(sources(packages)):
        yield f"scoring_program/lib/{name}", file

    patterns = {
        name: file if os.path.isdir(task.datasets[name]) else f"{key_of(file)}.*" for name, file in keys.items()
    }
    responses = {name: f"submission/{pattern}" for name, pattern in patterns.items()}
    yield "starting_kit/README.md", _text(_read_me(facts))
    manifest = _manifest(task, {name: f"keys/{pattern}" for name, pattern in patterns.items()}, ours=responses)
    yield "starting_kit/task.json", manifest
    for name in ("key.conllu", "response.conllu"):
        yield f"starting_kit/example/{name}", OWN.joinpath("formats", "examples", name)

    examples = task.systems.get(EXAMPLE, {})  # a submission that participants see, which is never the keys
    paths = {column: examples[column.dataset].path for column in all_columns if column.dataset in examples}
    what = "The other files here are a submission." if paths else "The organisers show no submission."
    yield "solution/README.md", _text(f"# {escaped(facts.title)}\n\n{what}\n\n{_submission_section(facts)}")
    yield from _copies("solution", {file_name(column, path): path for column, path in paths.items() if path})
    yield "competition.yaml", _text(HEAD + as_yaml(_competition(facts)))


def _check_task(task: Task) -> Scheme:
    """The scheme of a task; OptionError if a leaderboard of numbers cannot show it."""
    if task.settings.get("settings"):
        raise OptionError("a leaderboard ranks by one way to score: leave settings out, and give the options of one")
    scheme = Scheme(task.settings)
    if unknown := [name for name in task.settings if name not in FIELDS]:
        raise OptionError(f"{', '.join(unknown)} cannot be part of a bundle")
    if scheme.missing != "zero":
        message = f"missing = {scheme.missing!r} leaves submissions without an average, which Codabench cannot rank"
        raise OptionError(f"{message}: write missing = 'zero', or --missing zero")
    for path in task.datasets.values():
        if os.path.isfile(path):
            with open(path, "rb") as file:
                begins = file.read(len(PARQUET))
            if begins == PARQUET:
                raise OptionError(f"{path} is a Parquet file, which needs a package that the bundle lacks: use CSV")
    worst = missing_score(scheme.rank_by, scheme.options.rules)
    if any(isinstance(value, float) and value == float("inf") for value in worst):
        raise OptionError(
            f"a missing submission has no end of {METRICS[scheme.rank_by].title}: rank by another metric (rank_by)"
        )
    return scheme


def as_yaml(value: dict[str, object]) -> str:
    """A table as YAML in its order, for people to edit; PyYAML is an extra, which the bundle itself does not need."""
    try:
        import yaml
    except ImportError:
        raise OptionError("a bundle needs PyYAML\n  hint: pip install 'corefscope[yaml]'") from None
    text: str = yaml.safe_dump(value, allow_unicode=True, sort_keys=False, width=1000)
    return text


def _text(content: str) -> bytes:
    return content.encode("utf-8", "backslashreplace")


def _manifest(task: Task, keys: Mapping[str, str], **systems: Mapping[str, str]) -> bytes:
    """The manifest that ``corefscope task`` reads: settings, and paths of keys and of responses if there are any."""
    about = {"title": task.title, "description": task.description, "languages": dict(task.language_names)}
    datasets = {
        name: {"key": key, "language": task.languages[name]} if name in task.languages else key
        for name, key in keys.items()
    }
    content = {name: value for name, value in about.items() if value} | {**task.settings, "datasets": datasets}
    if systems:
        content["systems"] = systems
    return _text(json.dumps(content, ensure_ascii=False, indent=1) + "\n")


def _copies(folder: str, paths: Mapping[str, str]) -> Files:
    """Files, and the files of directories except hidden ones, by their new names."""
    for name, path in paths.items():
        if not os.path.isdir(path):
            yield f"{folder}/{name}", Path(path)
            continue
        root = Path(path)
        for file in sorted(root.rglob("*")):
            if file.is_file() and not file.name.startswith("."):
                yield f"{folder}/{name}/{file.relative_to(root).as_posix()}", file


def _competition(facts: CompetitionFacts) -> dict[str, object]:
    """The content of ``competition.yaml``."""
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
        "description": " ".join(facts.description) or "Coreference resolution, scored by corefscope",
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


def _overview_page(facts: CompetitionFacts) -> str:
    return f"""\
# {escaped(facts.title)}

{_description(facts)}

{_submission_section(facts)}
## How to score it yourself

Submissions are scored by corefscope {__version__}, which you can run, too:

{_scoring_commands(facts)}
The signature of a score records everything that affects it. For submissions in the format of the keys it is

    {facts.signature}
"""


def _description(facts: CompetitionFacts) -> str:
    task = "Find the mentions in each text, and which of them refer to the same entity."
    return "\n\n".join(map(escaped, facts.description)) or task


def _evaluation_page(facts: CompetitionFacts) -> str:
    scheme = facts.scheme
    values = {name: getattr(facts.options, name) for name in TITLES}
    options = [f"| {name} | {value} | {escaped(TITLES[name][value])} |" for name, value in values.items()]
    metrics = [f"| {escaped(METRICS[name].title)} | {escaped(METRICS[name].summary)} |" for name in scheme.metrics]
    preset = [f"Preset `{facts.preset}`: {escaped(PRESETS[facts.preset].title)}.", ""] if facts.preset else []
    lines = [
        *("# Evaluation", ""),
        f"Submissions are ranked by the macro average of {escaped(METRICS[scheme.rank_by].title)}: each data set is",
        "scored over all of its documents together, and the average is the mean over data sets, in which all weigh",
        *("the same. Scores are percentages.", ""),
        *preset,
        *("| option | value | means |", "|:--|:--|:--|", *options, ""),
        *("| metric | measures |", "|:--|:--|", *metrics, ""),
        *("## Missing and faulty files", ""),
        f"For each data set, {MISSING[scheme.missing]}. Faulty is what cannot be read, or does not hold the",
        "documents, sentences and words of the key. The detailed results of a submission say what is wrong with it.",
        *("", "## Signature", "", f"    {facts.signature}"),
    ]
    return "\n".join(lines) + "\n"


def _read_me(facts: CompetitionFacts) -> str:
    return f"""\
# {escaped(facts.title)}

{_submission_section(facts)}
## How to score it yourself

{_scoring_commands(facts)}
`example` has a key and a response to try it with:

    corefscope score example/key.conllu example/response.conllu
    corefscope validate example/response.conllu

To score a whole submission, put keys that you have into `keys` and responses into `submission`, both called as above,
and run

    corefscope task task.json
"""


def _submission_section(facts: CompetitionFacts) -> str:
    head = ["data set", *(["language"] if facts.languages else []), "for example"]
    rows = [head, [":--"] * len(head)]
    for column, name in zip(facts.columns, facts.files, strict=True):
        language = [escaped(facts.languages.get(column.dataset, "–"))] if facts.languages else []
        rows.append([escaped(column.dataset), *language, f"`{name}`"])
    table = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join(
        [
            *("## What to submit", ""),
            "A zip archive of one file for each data set. What matters is the name up to the first point; any format",
            *("that corefscope reads will do, also compressed (`.gz`, `.xz`, `.bz2`).", ""),
            *(*table, ""),
        ]
    )


def _scoring_commands(facts: CompetitionFacts) -> str:
    metric, signature = shlex.quote(facts.scheme.rank_by), shlex.quote(facts.options.signature)
    return f"""\
    pip install corefscope=={__version__}
    corefscope score KEY RESPONSE --metrics {metric} --signature {signature}
"""
