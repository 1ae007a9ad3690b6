"""The results of a shared task under several settings."""

from __future__ import annotations

from typing import Any

from ...base.result import Result, how_many_numbers
from ...evaluate.settings import in_common
from ..saved_scores import TASK_SETTINGS
from .result import TaskResult
from .task import Unscored


class TaskSettings(Result, dict[str, TaskResult]):
    """A result for each setting, by its title: ``result["exact match"].ranks``."""

    NAMES = ("setting", *TaskResult.NAMES)

    @property
    def first(self) -> TaskResult:
        """That of the first setting: files, problems and warnings are the same for all."""
        return next(iter(self.values()))

    @property
    def summary(self) -> str:
        """The systems with their ranks, by setting."""
        return "; ".join(f"{title}: {result.summary}" for title, result in self.items())

    @property
    def signature(self) -> str:
        """Of every part all values that settings have; each result has a signature of its own to replay."""
        return in_common(result.signature.rpartition("|v")[0] for result in self.values())

    @property
    def notes(self) -> list[str]:
        """Those of the first setting, and what others have besides."""
        common = self.first.notes
        return [
            *common,
            *(f"{title}: {note}" for title, result in self.items() for note in result.notes if note not in common),
        ]

    @property
    def errors(self) -> tuple[Unscored, ...]:
        """What must be mended."""
        return self.first.errors

    @property
    def warnings(self) -> list[str]:
        """What was odd in any of the files."""
        return list(dict.fromkeys(warning for result in self.values() for warning in result.warnings))

    def to_dict(self, per_document: bool = True) -> dict[str, Any]:
        """The results as plain values, by setting."""
        settings = {title: result.to_dict(per_document) for title, result in self.items()}
        values = {"schema": TASK_SETTINGS, "signature": self.signature, "settings": settings}
        return {**values, "numbers": how_many_numbers(settings)}

    def to_records(self, per_document: bool = False) -> list[dict[str, Any]]:
        """The records of each setting."""
        return [
            {"setting": title, **record}
            for title, result in self.items()
            for record in result.to_records(per_document)
        ]
