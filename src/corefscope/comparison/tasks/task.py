"""Reading tasks: from a manifest (TOML, YAML or JSON), or from a directory with a subdirectory for each data set."""

from __future__ import annotations

import glob
import json
import os
import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, NamedTuple

from ...core.baselines import BASELINES, comparable
from ...core.errors import InputError, OptionError
from ...core.format import FORMATS
from ...core.metrics import checked_metric, headline_metric
from ...core.options import CHOICES, Options
from ...core.request import Request, split
from ...formats.naming import names_of
from ...formats.paths import exists, is_wild
from ...formats.reading import check_baseline
from ...formats.settings import parse_settings
from ...formats.source import read_text
from ...formats.tables.columns import columns_in
from ..resampling import Plan

Settings = Mapping[str, Any]
"""Fields of a manifest with their values."""
MISSING: dict[str, str] = {
    "zero": "a submission that is missing or faulty scores 0",
    "skip": "systems are averaged over the data sets they have, and ranked only if they have all",
    "error": "systems have no average and no rank unless they have all data sets; exit code 1",
}
"""How a system that lacks a submission is averaged and ranked."""


class Submission(NamedTuple):
    """The response of one system to one data set, or why there is none."""

    path: str
    status: Literal["scored", "missing", "faulty"] = "scored"
    """``scored`` unless something is known to be wrong before it is read."""
    message: str = ""
    more: tuple[str, ...] = ()
    """The responses of further runs of the system."""

    @property
    def paths(self) -> tuple[str, ...]:
        """The responses of all runs."""
        return (self.path, *self.more)


STEPS: dict[str, str] = {
    "find": "",
    "read": "reading",
    "align": "comparing its words with the key",
    "score": "scoring",
}
"""The steps of scoring a submission, in order, with their names in messages."""


class Unscored(NamedTuple):
    """A submission that was not scored, or a key that cannot be read."""

    system: str
    """Empty if the error is in the key."""
    dataset: str
    status: str
    """``missing``, ``faulty`` or ``key``."""
    message: str
    step: str = "find"
    """The step that failed: one of ``STEPS``."""

    def __str__(self) -> str:
        if not self.system:
            return f"data set {self.dataset} is left out: {self.message}"
        return f"{', '.join(filter(None, (f'{self.system} on {self.dataset}', STEPS[self.step])))}: {self.message}"


RANKING = ("rank_by", "missing", "resamples", "seed")
"""How systems are ranked, as fields of a manifest."""
PRINTED = ("reading", "unclosed", "style", "repair")
"""Options for reading printed text; its words are always those of the key."""
FIELDS = (
    *("preset", *CHOICES, "heads", "anaphors", "only", "classes", "metrics", "key_format", "response_format"),
    *("words", "align", "relations", "weights", "windows", "mention_column", "entity_column", "document_column"),
    *PRINTED,
    *("documents", "topic", *RANKING, "settings", "baseline"),  # last: it depends on ``missing``
)
"""The fields of a manifest about scoring and ranking."""


class Scheme:
    """Options for scoring and ranking a task; OptionError for unknown values."""

    def __init__(self, settings: Settings) -> None:
        """``settings`` are fields of a manifest, and further arguments of a request."""
        ranking, arguments = split(settings, RANKING)
        self.request: Request = Request(arguments)
        columns_in(arguments)  # an error, also where no submission is a table
        self.options: Options = self.request.options
        if self.request.weights and self.request.weights.path:
            raise OptionError("weights of a task are size^ALPHA: each data set would need a file of its own")
        metrics = self.request.metrics
        if self.options.baseline:
            metrics = comparable(metrics, self.options.baseline)
        rank_by = ranking.get("rank_by", headline_metric(metrics))
        self.rank_by: str = checked_metric(rank_by)
        """The metric by whose macro average systems are ranked."""
        self.metrics: tuple[str, ...] = metrics if self.rank_by in metrics else (*metrics, self.rank_by)
        self.missing: str = ranking.get("missing", "zero")
        """How systems that lack a submission are treated: one of ``MISSING``."""
        OptionError.check("value of missing", self.missing, MISSING)
        if self.missing == "zero":
            self.request.refuse(
                baseline="a missing submission counts 0, which is no score from a baseline; let it be"
                " skipped, or an error (missing)"
            )
        for name in self.request.formats:
            if name is not None:
                OptionError.check("format", name, FORMATS)
        self.plan: Plan = Plan(**{name: ranking[name] for name in ("resamples", "seed") if name in ranking}).checked()


def schemes(settings: Settings) -> dict[str, Scheme]:
    """The scheme of each setting by title; without settings, one scheme with an empty title.

    A setting that has metrics of its own is ranked by the first of them, unless ``rank_by`` is among them.
    """
    named, common = split(settings, ("settings",))
    if not named:
        return {"": Scheme(common)}
    Request(split(common, RANKING)[1])  # settings replace values, which are checked here
    schemes = {}
    for title, changes in parse_settings(named["settings"]).items():
        if "documents" in changes:
            raise OptionError("all settings of a task join documents alike: leave settings such as merge out")
        own: dict[str, object] = {**common, **changes}
        if "metrics" in changes and own.get("rank_by") not in Request({"metrics": changes["metrics"]}).metrics:
            own.pop("rank_by", None)
        schemes[title] = Scheme(own)
    return schemes


class Task(NamedTuple):
    """A manifest or a directory with the files that were found."""

    path: str
    datasets: dict[str, str]
    """The key of each data set."""
    systems: dict[str, dict[str, Submission]]
    """The submissions of each system, for all data sets."""
    settings: Mapping[str, Any] = {}
    """What the manifest says about scoring and ranking: some of ``FIELDS``."""
    baselines: Mapping[str, str] = {}
    """The baseline file of each data set, if the baseline is a file."""
    languages: Mapping[str, str] = {}
    """The language of data sets, if given by the manifest."""
    groups: Mapping[str, tuple[str, ...]] = {}
    """The groups that a data set is in, if it is in any."""
    title: str = ""
    description: str = ""
    """What the manifest says about the task, in one paragraph or several."""
    language_names: Mapping[str, str] = {}
    """The names of languages, if the manifest gives codes: English for ``en``."""

    @property
    def name(self) -> str:
        """The title, or the name of the manifest or directory."""
        name = os.path.basename(os.path.abspath(self.path))
        return self.title or (name if os.path.isdir(self.path) else os.path.splitext(name)[0])

    @property
    def has_runs(self) -> bool:
        """Whether some system has several runs."""
        return any(one.more for submissions in self.systems.values() for one in submissions.values())

    def language_name(self, language: str) -> str:
        """A language by its name, if the manifest gives one."""
        return self.language_names.get(language, language)

    def languages_of(self, datasets: Iterable[str]) -> list[str]:
        """The names of the languages of data sets; empty if that of some data set is unknown."""
        languages = [language_of(self, dataset) for dataset in datasets]
        return list(dict.fromkeys(map(self.language_name, languages))) if all(languages) else []

    def replaced(self, settings: Settings) -> Task:
        """The task with some settings replaced; None keeps the old value."""
        given = {name: value for name, value in settings.items() if value is not None}
        return self._replace(settings={**self.settings, **given})


CODE = r"([a-z]{2,3})_"
"""The language code (ISO 639) at the beginning of a data set's name."""


class TaskPart(NamedTuple):
    """Data sets with an average of their own: those of a language, or of a group of the manifest."""

    kind: str
    """``language`` or ``group``."""
    name: str
    datasets: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}"


def language_of(task: Task, dataset: str) -> str:
    """The language of a data set: from the manifest, or from its name (``en`` of ``en_gum``); empty if unknown.

    >>> from corefscope.comparison.tasks import Task
    >>> [language_of(Task("", {}, {}), name) for name in ("en_gum", "hbo_ptnk", "news")]
    ['en', 'hbo', '']
    """
    named = re.match(CODE, dataset)
    return task.languages.get(dataset) or (named[1] if named else "")


def parts_of(task: Task, datasets: Iterable[str]) -> tuple[TaskPart, ...]:
    """The languages, then the groups of data sets; no languages if each has one data set, or one has all."""
    names = list(datasets)
    languages = _divided("language", [(language_of(task, name), name) for name in names])
    groups = _divided("group", [(group, name) for name in names for group in task.groups.get(name, ())])
    telling = len(languages) > 1 and any(len(part.datasets) > 1 for part in languages)
    return (*(languages if telling else ()), *groups)


def _divided(kind: str, pairs: Iterable[tuple[str, str]]) -> list[TaskPart]:
    by_name: dict[str, list[str]] = {}
    for name, dataset in pairs:
        if name:
            by_name.setdefault(name, []).append(dataset)
    return [TaskPart(kind, name, tuple(inside)) for name, inside in by_name.items()]


DEEPEST = 50
"""Maximum number of dots in one line of TOML; its parser takes quadratic time in them."""
LONG_NUMBER = re.compile(r"[0-9][0-9_]{4000}")
QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'|#.*")
ONCE = "each name may occur only once"
NO_ALIASES = "write the value itself: aliases can expand to more than fits into memory"


def load(path: str) -> tuple[object, str]:
    """The parsed content of a manifest and its text; the format depends on the extension."""
    suffix = os.path.splitext(path)[1].lower()
    if suffix not in LOADERS:
        raise InputError(
            "is neither a directory nor a manifest",
            path=path,
            hint=f"the name of a manifest ends in {', '.join(LOADERS)}",
        )
    text = read_text(path)
    try:
        return LOADERS[suffix](path, text), text
    except InputError:
        raise
    except ValueError:  # Python refuses to read numbers of thousands of digits
        number = LONG_NUMBER.search(text)
        line = text.count("\n", 0, number.start()) + 1 if number else 0
        raise InputError("a number has too many digits", path=path, line=line, hint="write a smaller one") from None
    except RecursionError:
        raise InputError("is nested too deeply", path=path) from None


def line_of(text: str, name: str, within: str = "", *, nth: int = 1) -> int:
    """The line on which a field is set for the nth time; 0 if unknown.

    >>> line_of(chr(10).join(['match = "head"', "[systems]", 'ours = "a"']), "ours", within="systems")
    3
    """
    within_table = _field(within).search(text) if within else None
    matches = list(_field(name).finditer(text, within_table.start("name") if within_table else 0))
    return text.count("\n", 0, matches[nth - 1].start("name")) + 1 if len(matches) >= nth else 0


def _field(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?m)(?:^|[{{,.\[])[ \t]*(?P<name>[\"']?{re.escape(name)}[\"']?)[ \t]*[=:\].]")


def _toml(path: str, text: str) -> object:
    for number, line in enumerate(text.split("\n"), 1):
        if line.count(".") > DEEPEST and QUOTED.sub("", line).count(".") > DEEPEST:
            raise InputError("is nested too deeply", path=path, line=number)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message, _, position = str(error).partition(" (at ")
        place = re.match(r"line (\d+)", position)
        raise InputError(
            f"is not TOML: {message[:1].lower()}{message[1:]}",
            path=path,
            line=int(place[1]) if place else text.count("\n") + 1,
            hint=f"put texts in quotes; {ONCE}",
        ) from None


def _json(path: str, text: str) -> object:
    def once(pairs: list[tuple[str, object]]) -> dict[str, object]:
        table: dict[str, object] = {}
        for name, value in pairs:
            if name in table:
                raise InputError(f"{name!r} occurs twice", path=path, line=line_of(text, name, nth=2), hint=ONCE)
            table[name] = value
        return table

    try:
        return json.loads(text, object_pairs_hook=once)
    except json.JSONDecodeError as error:
        raise InputError(f"is not JSON: {error.msg}", path=path, line=error.lineno) from None


def _yaml(path: str, text: str) -> object:
    """Every scalar is a string: a data set called ``no`` is not False, and a version 1.10 not 1.1.

    Aliases are refused: ten lines of them can expand to gigabytes.
    """
    try:
        yaml = import_module("yaml")
    except ImportError:
        raise InputError(
            "to read YAML, PyYAML is needed",
            path=path,
            hint='pip install "corefscope[yaml]" (or write the manifest in TOML or JSON)',
        ) from None

    def plain(node: Any) -> object:
        if isinstance(node, yaml.SequenceNode):
            return [plain(item) for item in node.value]
        if not isinstance(node, yaml.MappingNode):
            return node.value if node else None
        table: dict[str, object] = {}
        for name_node, value in node.value:
            name, line = plain(name_node), name_node.start_mark.line + 1
            if not isinstance(name, str):
                raise InputError("a name must be a text", path=path, line=line)
            if name in table:
                raise InputError(f"{name!r} occurs twice", path=path, line=line, hint=ONCE)
            table[name] = plain(value)
        return table

    try:
        root = yaml.compose(text, Loader=yaml.BaseLoader)
        for event in yaml.parse(text, Loader=yaml.BaseLoader):
            if isinstance(event, yaml.AliasEvent):
                line = event.start_mark.line + 1
                raise InputError(f"the alias *{event.anchor} is not read", path=path, line=line, hint=NO_ALIASES)
        return plain(root)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or "it cannot be parsed"
        raise InputError(f"is not YAML: {problem}", path=path, line=mark.line + 1 if mark else 0) from None


LOADERS: dict[str, Callable[[str, str], object]] = {".toml": _toml, ".yaml": _yaml, ".yml": _yaml, ".json": _json}


DATASET = "{dataset}"
PLACEHOLDER = re.compile(r"\{[^{}]*\}")
SECTIONS = ("datasets", "systems")
ABOUT = ("title", "description", "languages")
"""The fields of a manifest that describe the task."""
NUMBERS = ("resamples", "seed")
LISTS = ("metrics", "settings", "mention_column", "entity_column", "document_column")
FACTS = ("key", "language", "group")
"""The fields of a data set in a manifest."""
SHOWN = 5  # file names in a message


class Manifest:
    """A manifest; InputError with the line of a problem."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.base: str = os.path.dirname(path)
        content, text = load(path)
        self.text: str = text
        self.content: dict[str, object] = self._table(content, "the manifest")

    def task(self, *, keys_only: bool = False) -> Task:
        """The task; with ``keys_only``, systems and their files may be missing."""
        self._check_names(self.content, (*FIELDS, *ABOUT, *SECTIONS), "field")
        title, description = map(self._text, ABOUT[:2])
        settings = self._settings()
        facts = {name: self._facts(name, said) for name, said in self._section("datasets").items()}
        datasets = {name: self._key(name, said.get("key")) for name, said in facts.items()}
        named = {} if keys_only and "systems" not in self.content else self._section("systems")
        systems = {name: self._system(name, files, datasets) for name, files in named.items()}
        submissions = [submission for files in systems.values() for submission in files.values()]
        if not keys_only and not any(submission.path for submission in submissions):
            message = f"no file of any system was found: {submissions[0].message}"
            raise self._error(message, "systems", hint="paths are relative to the manifest")
        try:
            baselines = find_baselines(settings.get("baseline"), datasets, self.base)
        except OptionError as error:
            raise self._error(str(error), "baseline") from None
        languages = {name: said["language"] for name, said in facts.items() if "language" in said}
        groups = {name: said["group"] for name, said in facts.items() if "group" in said}
        task = Task(self.path, datasets, systems, settings, baselines, languages, groups, title, description)
        return task._replace(language_names=self._language_names(task))

    def _text(self, name: str) -> str:
        """A field that describes the task; empty if it is not there. A title is one line."""
        if name not in self.content:
            return ""
        text = self.content[name]
        if not isinstance(text, str) or not text.strip():
            raise self._error(f"{name} must be a text and is not {text!r}", name)
        return " ".join(text.split()) if name == "title" else text.strip()

    def _language_names(self, task: Task) -> dict[str, str]:
        """The names of languages by their codes."""
        if "languages" not in self.content:
            return {}
        names = self._section("languages")
        codes = dict.fromkeys(language_of(task, dataset) for dataset in task.datasets)
        self._check_names(names, list(filter(None, codes)), "language of the data sets", "languages")
        for code, name in names.items():
            if not isinstance(name, str) or not name.strip():
                raise self._error(
                    f"the name of the language {code!r} must be a text, not {name!r}", code, "languages"
                )
        return {code: str(name).strip() for code, name in names.items()}

    def _settings(self) -> Settings:
        """The settings for scoring and ranking; an unknown value is an error on its line."""
        settings: dict[str, Any] = {}
        for name in FIELDS:
            if name not in self.content:
                continue
            settings[name] = self._value(name, self.content[name])
            try:
                schemes(settings)
            except OptionError as error:
                raise self._error(str(error), name) from None
        return settings

    def _value(self, name: str, value: object) -> int | str | list[str]:
        if name in NUMBERS:
            digits = isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 20
            if isinstance(value, str | int) and (digits or isinstance(value, int)) and not isinstance(value, bool):
                return int(value)
            raise self._error(f"{name} must be a whole number and is not {value!r}", name)
        if isinstance(value, str):
            return value
        if name in LISTS and isinstance(value, list) and all(isinstance(item, str) for item in value):
            return value
        raise self._error(f"{name} must be a text{' or a list' * (name in LISTS)} and is not {value!r}", name)

    def _facts(self, name: str, said: object) -> Settings:
        """The fields of a data set, given as the path of its key or as a table."""
        if not isinstance(said, Mapping):
            return {"key": said}
        self._check_names(said, FACTS, "field of a data set", name)
        facts = dict(said)
        if "group" in facts:
            groups = facts["group"] if isinstance(facts["group"], list) else [facts["group"]]
            facts["group"] = tuple(groups)
        for field in ("language", "group"):
            values = facts.get(field, ())
            for value in values if isinstance(values, tuple) else [values]:
                if not isinstance(value, str) or not value:
                    raise self._error(f"the {field} of {name!r} must be a text and is not {value!r}", field, name)
        return facts

    def _key(self, name: str, key: object) -> str:
        if not isinstance(key, str) or not key:
            raise self._error(f"the key of {name!r} must be a path and is not {key!r}", name, "datasets")
        file = _find(self.base, key, name)
        if not file.path:
            raise self._error(f"the key of {name!r}: {file.message}", name, "datasets")
        return file.path

    def _system(self, name: str, files: object, datasets: Mapping[str, str]) -> dict[str, Submission]:
        if isinstance(files, list) and files:
            if any(isinstance(run, list) or files.count(run) > 1 for run in files):
                message = f"{name!r} must list different runs, each a pattern or a table, and is not {files!r}"
                raise self._error(message, name, "systems")
            runs = [self._system(name, run, datasets) for run in files]
            return {dataset: _join_runs([run[dataset] for run in runs]) for dataset in datasets}
        if isinstance(files, str):
            self._check_pattern(files, name)
            if DATASET not in files and len(datasets) > 1:
                raise self._error(
                    f"the pattern of {name!r} is the same for all data sets: {files!r}",
                    name,
                    "systems",
                    hint=f"write {DATASET} where the name of the data set belongs",
                )
            return {dataset: _find(self.base, files, dataset) for dataset in datasets}
        if not isinstance(files, Mapping):
            raise self._error(
                f"{name!r} must be a pattern with {DATASET}, or a table of paths by data set, or a list of these,"
                f" its runs, and is not {files!r}",
                name,
                "systems",
            )
        self._check_names(files, datasets, "data set", name)
        submissions = dict.fromkeys(datasets, Submission("", "missing", "the manifest names no file"))
        for dataset, path in files.items():
            if not isinstance(path, str) or not path:
                raise self._error(f"the file of {name!r} for {dataset!r} must be a path, not {path!r}", dataset, name)
            self._check_pattern(path, name)
            submissions[dataset] = _find(self.base, path, dataset)
        return submissions

    def _check_pattern(self, pattern: str, system: str) -> None:
        unknown = [name for name in PLACEHOLDER.findall(pattern) if name != DATASET]
        if unknown:
            raise self._error(str(OptionError.unknown("placeholder", unknown, [DATASET])), system, "systems")

    def _section(self, name: str) -> dict[str, object]:
        if name not in self.content:
            hint = "the section [datasets] has the key of each data set, [systems] the files of each system"
            raise InputError(f"has no {name}", path=self.path, hint=hint)
        section = self._table(self.content[name], name)
        if not section:
            raise self._error(f"{name} is empty", name)
        if "" in section:
            raise self._error(f"a name in {name} is empty", name)
        return section

    def _table(self, content: object, what: str) -> dict[str, object]:
        if not isinstance(content, dict):
            raise self._error(f"{what} must be a table of names and values", what)
        return content

    def _check_names(self, names: Iterable[str], choices: Collection[str], what: str, within: str = "") -> None:
        unknown = [name for name in names if name not in choices]
        if unknown:
            raise self._error(str(OptionError.unknown(what, unknown, choices)), unknown[0], within)

    def _error(self, message: str, name: str, within: str = "", hint: str = "") -> InputError:
        return InputError(message, path=self.path, line=line_of(self.text, name, within), hint=hint)


def find_baselines(baseline: str | None, datasets: Iterable[str], base: str = "") -> dict[str, str]:
    """The baseline file of each data set, relative to a directory; empty if the baseline is no file."""
    if not baseline or baseline in BASELINES:
        return {}
    names = list(datasets)
    if DATASET not in baseline:
        if not exists(os.path.join(base, baseline)):
            check_baseline(baseline)
        if len(names) > 1:
            raise OptionError(f"the baseline {baseline!r} is one for all data sets: write {DATASET} for their names")
    files = {name: _find(base, baseline, name) for name in names}
    for name, file in files.items():
        if not file.path:
            raise OptionError(f"the baseline of {name!r}: {file.message}")
    return {name: file.path for name, file in files.items()}


def _find(base: str, pattern: str, dataset: str) -> Submission:
    """Find the one file that matches a pattern, relative to the directory of the manifest."""
    path = os.path.join(base, pattern.replace(DATASET, dataset))
    if os.path.exists(path):
        return Submission(path)
    if not is_wild(pattern):
        return Submission("", "missing", f"there is no {path}")
    names = glob.glob(pattern.replace(DATASET, glob.escape(dataset)), root_dir=base or None, recursive=True)
    paths = sorted(os.path.join(base, name) for name in names)
    if len(paths) == 1:
        return Submission(paths[0])
    if not paths:
        return Submission("", "missing", f"no file matches {path}")
    named = ", ".join(paths[:SHOWN]) + (" …" if len(paths) > SHOWN else "")
    return Submission("", "faulty", f"{path} must match one file, but matches {len(paths)}: {named}")


def _join_runs(runs: Sequence[Submission]) -> Submission:
    """The submission of a system of several runs; what is wrong with the first run that is missing or faulty."""
    for number, run in enumerate(runs, 1):
        if run.status != "scored":
            return run._replace(message=f"run {number}: {run.message}")
    return runs[0]._replace(more=tuple(run.path for run in runs[1:]))


KEYS = ("key", "gold")
NO_SUBMISSIONS = ("readme", "license", "licence")
LAYOUT = "one subdirectory per data set, with a file key.* (or gold.*) and a file for each system, named like it"


def read_directory(path: str, *, keys_only: bool = False) -> Task:
    """Read a task from a directory; InputError for another layout. With ``keys_only``, systems may be missing."""
    folders = [entry for entry in _entries(Path(path)) if entry.is_dir()]
    if not folders:
        raise InputError("has no subdirectories", path=path, hint=f"expected: {LAYOUT}; or a manifest")
    contents = {folder.name: _dataset(folder) for folder in folders}
    systems = sorted({system for _, responses in contents.values() for system in responses})
    if not systems and not keys_only:
        raise InputError("has keys, but no responses", path=path, hint=f"expected: {LAYOUT}")
    return Task(
        path,
        {name: key for name, (key, _) in contents.items()},
        {
            system: {
                name: Submission(responses[system])
                if system in responses
                else Submission("", "missing", f"there is no {os.path.join(path, name, system)}.*")
                for name, (_, responses) in contents.items()
            }
            for system in systems
        },
    )


def _dataset(folder: Path) -> tuple[str, dict[str, str]]:
    keys: list[str] = []
    responses: dict[str, str] = {}
    for entry in _entries(folder):
        if entry.name.partition(".")[0].lower() in KEYS:
            keys.append(str(entry))
            continue
        system = entry.name if entry.is_dir() else names_of([entry])[0]
        if system in responses:
            raise InputError(
                f"two files of the system {system!r}: {os.path.basename(responses[system])} and {entry.name}",
                path=str(folder),
                hint="each system has one response to a data set; its name is that of the file without suffixes",
            )
        responses[system] = str(entry)
    if len(keys) != 1:
        which = ", ".join(map(os.path.basename, keys))
        message = f"there are {len(keys)} keys: {which}" if keys else "there is no key"
        raise InputError(message, path=str(folder), hint=f"expected: {LAYOUT}")
    return keys[0], responses


def _entries(folder: Path) -> list[Path]:
    """The entries of a directory without hidden files, backup copies, readme and licence files."""
    try:
        entries = sorted(folder.iterdir())
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=str(folder)) from None
    return [
        entry
        for entry in entries
        if not entry.name.startswith(".")
        and not entry.name.endswith("~")
        and entry.name.partition(".")[0].lower() not in NO_SUBMISSIONS
    ]
