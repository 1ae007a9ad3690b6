"""The types of options name the values of the registries, and a report has the type of each score."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from corefscope import METRICS, PRESETS, RULES
from corefscope.cli.arguments import SHARED
from corefscope.comparison.paired_tests import TESTS
from corefscope.comparison.tasks.task import MISSING
from corefscope.core import choices
from corefscope.core.grouping import DOCUMENTS
from corefscope.core.matching.matchers import MATCHERS, ZEROS
from corefscope.core.metrics import counted
from corefscope.core.numbers import F1, Deviation, Score, Value
from corefscope.core.options import ALIGN, CLASSES, HEADS, REPAIRS, SINGLETONS, WORDS
from corefscope.core.report import Scores
from corefscope.core.request import ANAPHORS
from corefscope.formats.detection import READINGS, UNCLOSED
from corefscope.formats.tables.columns import SIDES
from corefscope.formats.validate import PROFILES
from corefscope.llm.mention_lists import LIST_STYLES
from corefscope.llm.styles import STYLES
from corefscope.llm.writer import ZEROS as WRITTEN_ZEROS
from corefscope.output.records import FRAMES

REGISTRIES: dict[str, Any] = {
    "Match": MATCHERS,
    "Zeros": ZEROS,
    "Singletons": SINGLETONS,
    "Rules": RULES,
    "PresetName": PRESETS,
    "Heads": HEADS,
    "Classes": CLASSES,
    "Documents": DOCUMENTS,
    "Words": WORDS,
    "Align": ALIGN,
    "AnaphorsName": ANAPHORS,
    "Reading": READINGS,
    "Unclosed": UNCLOSED,
    "Repair": REPAIRS,
    "StyleName": [*STYLES, *LIST_STYLES],
    "WrittenZeros": WRITTEN_ZEROS,
    "Test": TESTS,
    "Missing": MISSING,
    "Duplicates": SHARED["--duplicates"]["values"],
    "Profile": PROFILES,
    "SideName": SIDES,
    "FrameLibrary": FRAMES,
}


@pytest.mark.parametrize("name", REGISTRIES)
def test_types_name_the_values_of_the_registries(name: str) -> None:
    assert sorted(get_args(getattr(choices, name))) == sorted(REGISTRIES[name])


def test_types_of_metrics_are_the_types_of_their_scores() -> None:
    """No metric of this package is left to the overload for any text."""
    kinds = {
        Score: choices.ScoreMetric,
        F1: choices.F1Metric,
        Value: choices.ValueMetric,
        Deviation: choices.DeviationMetric,
    }
    named = {name: kind for kind, names in kinds.items() for name in get_args(names)}
    assert sorted(named) == sorted(METRICS.built_in)
    for name, kind in named.items():
        nothing: Any = {part.name: (0,) * len(part.fields) for part in counted([name])}
        assert type(Scores([name], nothing, "corrected")[name]) is kind, name
