"""corefscope scores coreference resolution: a system's response against a key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._version import __version__

if TYPE_CHECKING:
    from .agreement import agree
    from .analysis.examine import examine
    from .clusters import Scorer, score_clusters
    from .comparing import Comparison, compare
    from .converting import convert
    from .correlation import correlate
    from .counts import F1, Score, Value
    from .document import Document, Mention
    from .errors import AlignmentError, CorefscopeError, InputError, OptionError
    from .evaluate import score, score_settings
    from .explain import explain_difference
    from .labels import score_labels
    from .metrics import GROUPS, METRICS
    from .options import Options
    from .perturbation import perturb
    from .replay import verify
    from .reports.page import write_report
    from .results import Report
    from .rules import RULES
    from .subsets import b_cubed_over, clusters_from_links, restrict
    from .tasks import score_task

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
    "F1": "counts",
    "GROUPS": "metrics",
    "METRICS": "metrics",
    "RULES": "rules",
    "AlignmentError": "errors",
    "Comparison": "comparing",
    "CorefscopeError": "errors",
    "Document": "document",
    "InputError": "errors",
    "Mention": "document",
    "OptionError": "errors",
    "Options": "options",
    "Report": "results",
    "Score": "counts",
    "Scorer": "clusters",
    "Value": "counts",
    "agree": "agreement",
    "b_cubed_over": "subsets",
    "clusters_from_links": "subsets",
    "compare": "comparing",
    "convert": "converting",
    "correlate": "correlation",
    "examine": "analysis.examine",
    "explain_difference": "explain",
    "perturb": "perturbation",
    "restrict": "subsets",
    "score": "evaluate",
    "score_clusters": "clusters",
    "score_labels": "labels",
    "score_settings": "evaluate",
    "score_task": "tasks",
    "verify": "replay",
    "write_report": "reports.page",
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
