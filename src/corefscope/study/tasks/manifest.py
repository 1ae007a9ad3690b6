"""A task as a manifest: which data sets, which systems, where their files are, and what is scored how."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from ...base.errors import InputError, OptionError
from ...count.baselines import BASELINES
from ...evaluate.request import check_baseline
from ...read.paths import exists, is_wild
from .formats import line_of, load
from .task import FIELDS, Submission, Task, schemes

DATASET = "{dataset}"
PLACEHOLDER = re.compile(r"\{[^{}]*\}")
SECTIONS = ("datasets", "systems")
NUMBERS = ("resamples", "seed")
LISTS = ("metrics", "settings")
FACTS = ("key", "language", "group")
"""What a manifest may say of a data set: where its key is, and which averages it is in."""
SHOWN = 5  # file names in a message


def read_manifest(path: str, *, keys_only: bool = False) -> Task:
    """The task that a manifest describes; InputError with the line if it makes no sense.

    With ``keys_only`` it need not name any system, nor need files of systems be there.
    """
    return _Manifest(path).task(keys_only)


class _Manifest:
    def __init__(self, path: str) -> None:
        self.path = path
        self.base = os.path.dirname(path)
        content, self.text = load(path)
        self.content = self._table(content, "the manifest")

    def task(self, keys_only: bool) -> Task:
        self._check_names(self.content, (*FIELDS, *SECTIONS), "field")
        settings = self._settings()
        facts = {name: self._facts(name, said) for name, said in self._section("datasets").items()}
        datasets = {name: self._key(name, said.get("key")) for name, said in facts.items()}
        named = {} if keys_only and "systems" not in self.content else self._section("systems")
        systems = {name: self._system(name, files, datasets) for name, files in named.items()}
        submissions = [submission for files in systems.values() for submission in files.values()]
        if not keys_only and not any(submission.path for submission in submissions):
            message = f"no file of any system was found: {submissions[0].message}"
            raise self._error(message, "systems", hint="paths are relative to the manifest")
        return Task(
            self.path,
            datasets,
            systems,
            settings,
            self._baselines(settings.get("baseline"), datasets),
            {name: said["language"] for name, said in facts.items() if "language" in said},
            {name: said["group"] for name, said in facts.items() if "group" in said},
        )

    def _baselines(self, baseline: str | None, datasets: Iterable[str]) -> dict[str, str]:
        try:
            return find_baselines(baseline, datasets, self.base)
        except OptionError as error:
            raise self._error(str(error), "baseline") from None

    def _settings(self) -> dict[str, Any]:
        """What it says about scoring and ranking; a value that does not exist is an error on its line."""
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

    def _value(self, name: str, value: Any) -> Any:
        if name in NUMBERS:
            digits = isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 20
            if digits or (isinstance(value, int) and not isinstance(value, bool)):
                return int(value)
            raise self._error(f"{name} must be a whole number and is not {value!r}", name)
        if isinstance(value, str):
            return value
        if name in LISTS and isinstance(value, list) and all(isinstance(item, str) for item in value):
            return value
        raise self._error(f"{name} must be a text{' or a list' * (name in LISTS)} and is not {value!r}", name)

    def _facts(self, name: str, said: Any) -> dict[str, Any]:
        """What the manifest says of a data set: the path of its key alone, or a table."""
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

    def _key(self, name: str, key: Any) -> str:
        if not isinstance(key, str) or not key:
            raise self._error(f"the key of {name!r} must be a path and is not {key!r}", name, "datasets")
        file = _find(self.base, key, name)
        if not file.path:
            raise self._error(f"the key of {name!r}: {file.message}", name, "datasets")
        return file.path

    def _system(self, name: str, files: Any, datasets: Mapping[str, str]) -> dict[str, Submission]:
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
                f"{name!r} must be a pattern with {DATASET}, or a table of paths by data set, and is not {files!r}",
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

    def _section(self, name: str) -> dict[str, Any]:
        if name not in self.content:
            hint = "the section [datasets] has the key of each data set, [systems] the files of each system"
            raise InputError(f"has no {name}", path=self.path, hint=hint)
        section = self._table(self.content[name], name)
        if not section:
            raise self._error(f"{name} is empty", name)
        if "" in section:
            raise self._error(f"a name in {name} is empty", name)
        return section

    def _table(self, content: Any, what: str) -> dict[str, Any]:
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
    """The file of each data set that scores are measured from, seen from a directory; none if no file is named."""
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
    """The one file that a pattern stands for, seen from the directory of the manifest."""
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
