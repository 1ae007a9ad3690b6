"""corefscope scores coreference resolution: a system's response against a key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .base.version import __version__

if TYPE_CHECKING:
    from .base.document import Document, Mention
    from .base.errors import AlignmentError, CorefscopeError, InputError, OptionError
    from .base.numbers import F1, Score, Value
    from .count.metrics import GROUPS, METRICS
    from .evaluate.clusters import Scorer, score_clusters
    from .evaluate.files import score, score_settings
    from .evaluate.labels import score_labels
    from .evaluate.options import Options
    from .evaluate.results import Report
    from .evaluate.rules import RULES
    from .evaluate.subsets import b_cubed_over, clusters_from_links, restrict
    from .show.page import write_report
    from .study.agreement import agree
    from .study.compare import Comparison, compare
    from .study.correlation import correlate
    from .study.difference import explain_difference
    from .study.faults.examine import examine
    from .study.noise import perturb
    from .study.tasks import score_task
    from .study.verify import verify
    from .write.convert import convert

__all__ = [
    "F1",
    "GROUPS",
    "METRICS",
    "RULES",
    "AlignmentError",
    "Comparison",
    "CorefscopeError",
    "Document",
    "InputError",
    "Mention",
    "OptionError",
    "Options",
    "Report",
    "Score",
    "Scorer",
    "Value",
    "__version__",
    "agree",
    "b_cubed_over",
    "clusters_from_links",
    "compare",
    "convert",
    "correlate",
    "examine",
    "explain_difference",
    "perturb",
    "restrict",
    "score",
    "score_clusters",
    "score_labels",
    "score_settings",
    "score_task",
    "verify",
    "write_report",
]

_HOMES = {
    "F1": "base.numbers",
    "GROUPS": "count.metrics",
    "METRICS": "count.metrics",
    "RULES": "evaluate.rules",
    "AlignmentError": "base.errors",
    "Comparison": "study.compare",
    "CorefscopeError": "base.errors",
    "Document": "base.document",
    "InputError": "base.errors",
    "Mention": "base.document",
    "OptionError": "base.errors",
    "Options": "evaluate.options",
    "Report": "evaluate.results",
    "Score": "base.numbers",
    "Scorer": "evaluate.clusters",
    "Value": "base.numbers",
    "agree": "study.agreement",
    "b_cubed_over": "evaluate.subsets",
    "clusters_from_links": "evaluate.subsets",
    "compare": "study.compare",
    "convert": "write.convert",
    "correlate": "study.correlation",
    "examine": "study.faults.examine",
    "explain_difference": "study.difference",
    "perturb": "study.noise",
    "restrict": "evaluate.subsets",
    "score": "evaluate.files",
    "score_clusters": "evaluate.clusters",
    "score_labels": "evaluate.labels",
    "score_settings": "evaluate.files",
    "score_task": "study.tasks",
    "verify": "study.verify",
    "write_report": "show.page",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that importing the package stays light."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f".{_HOMES[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
