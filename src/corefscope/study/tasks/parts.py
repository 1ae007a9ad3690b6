"""Parts of a task that have averages of their own: the data sets of a language, and of a group.

The language of a data set is what the manifest says, or else what its name begins with: ``en`` of ``en_gum``. Groups
are whatever the manifest says: kinds of text, tracks, the sizes of corpora.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from .task import Task

CODE = r"([a-z]{2,3})_"
"""How the name of a data set begins that says its language, by ISO 639."""


class TaskPart(NamedTuple):
    """Some of the data sets."""

    kind: str
    """``language`` or ``group``."""
    name: str
    datasets: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}"


def language_of(task: Task, dataset: str) -> str:
    """What language a data set is in; empty if nothing says so.

    >>> from corefscope.study.tasks import Task
    >>> [language_of(Task("", {}, {}), name) for name in ("en_gum", "hbo_ptnk", "news")]
    ['en', 'hbo', '']
    """
    named = re.match(CODE, dataset)
    return task.languages.get(dataset) or (named[1] if named else "")


def parts_of(task: Task, datasets: Iterable[str]) -> tuple[TaskPart, ...]:
    """Languages, then groups. Languages tell nothing new if each has one data set, or one has all."""
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
