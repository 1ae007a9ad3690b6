"""corefscope scores coreference resolution: a system's response against a key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._version import __version__

if TYPE_CHECKING:
    from .clusters import Scorer, score_clusters
    from .counts import F1, Score, Value
    from .document import Document, Mention
    from .errors import AlignmentError, CorefscopeError, InputError, OptionError
    from .evaluate import score
    from .labels import score_labels
    from .metrics import GROUPS, METRICS
    from .options import Options
    from .results import Report
    from .rules import RULES
    from .subsets import b_cubed_over, clusters_from_links, restrict

__all__ = [
    "F1",
    "GROUPS",
    "METRICS",
    "RULES",
    "AlignmentError",
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
    "b_cubed_over",
    "clusters_from_links",
    "restrict",
    "score",
    "score_clusters",
    "score_labels",
]

_HOMES = {
    "F1": "counts",
    "GROUPS": "metrics",
    "METRICS": "metrics",
    "RULES": "rules",
    "AlignmentError": "errors",
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
    "b_cubed_over": "subsets",
    "clusters_from_links": "subsets",
    "restrict": "subsets",
    "score": "evaluate",
    "score_clusters": "clusters",
    "score_labels": "labels",
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
