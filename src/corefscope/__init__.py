"""corefscope scores coreference resolution: a system's response against a key."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from .base.version import __version__

if TYPE_CHECKING:  # the table below, for type checkers and editors; a test keeps them equal
    from .base.document import Document as Document
    from .base.errors import AlignmentError as AlignmentError
    from .base.errors import CorefscopeError as CorefscopeError
    from .base.errors import InputError as InputError
    from .base.errors import OptionError as OptionError
    from .base.mention import Mention as Mention
    from .base.numbers import F1 as F1
    from .base.numbers import Score as Score
    from .base.numbers import Value as Value
    from .count.metrics import GROUPS as GROUPS
    from .count.metrics import METRICS as METRICS
    from .evaluate.clusters import Scorer as Scorer
    from .evaluate.clusters import score_clusters as score_clusters
    from .evaluate.clusters import score_labels as score_labels
    from .evaluate.entities import EntityReport as EntityReport
    from .evaluate.entities import score_entities as score_entities
    from .evaluate.files import score as score
    from .evaluate.files import score_settings as score_settings
    from .evaluate.options import Options as Options
    from .evaluate.presets import PRESETS as PRESETS
    from .evaluate.request import Request as Request
    from .evaluate.results import Report as Report
    from .evaluate.rules import RULES as RULES
    from .evaluate.selected import b_cubed_over as b_cubed_over
    from .evaluate.selected import clusters_from_links as clusters_from_links
    from .evaluate.selected import restrict as restrict
    from .evaluate.settings import SettingsReport as SettingsReport
    from .output.formats import REPORTS as REPORTS
    from .output.pages.report import write_report as write_report
    from .output.pages.serve import serve_report as serve_report
    from .read.adapters import characters_to_tokens as characters_to_tokens
    from .read.adapters import from_allennlp as from_allennlp
    from .read.adapters import from_coref_data as from_coref_data
    from .read.adapters import from_corenlp as from_corenlp
    from .read.adapters import from_fastcoref as from_fastcoref
    from .read.adapters import from_maverick as from_maverick
    from .read.adapters import from_spacy as from_spacy
    from .read.adapters import from_stanza as from_stanza
    from .read.formats import FORMATS as FORMATS
    from .read.formats import read_documents as read_documents
    from .scale.tables import score_tables as score_tables
    from .study.agreement import Agreement as Agreement
    from .study.agreement import agree as agree
    from .study.compare import Comparison as Comparison
    from .study.compare import compare as compare
    from .study.correlation import Correlation as Correlation
    from .study.correlation import correlate as correlate
    from .study.criteria import Criteria as Criteria
    from .study.criteria import criteria as criteria
    from .study.difference import Explanation as Explanation
    from .study.difference import explain_difference as explain_difference
    from .study.errors.examine import examine as examine
    from .study.errors.report import ErrorReport as ErrorReport
    from .study.explain import MetricExplanation as MetricExplanation
    from .study.explain import explain_metric as explain_metric
    from .study.noise import perturb as perturb
    from .study.noise.curves import Curves as Curves
    from .study.noise.curves import curves as curves
    from .study.resampling import intervals as intervals
    from .study.tasks import TaskResult as TaskResult
    from .study.tasks import TaskSettings as TaskSettings
    from .study.tasks import score_task as score_task
    from .study.tasks import score_task_settings as score_task_settings
    from .study.verify import verify as verify
    from .write.convert import convert as convert
    from .write.stats import Statistics as Statistics
    from .write.stats import stats as stats
    from .write.validate import Problem as Problem
    from .write.validate import validate as validate

_PUBLIC = {
    "base.document": ("Document",),
    "base.errors": ("AlignmentError", "CorefscopeError", "InputError", "OptionError"),
    "base.mention": ("Mention",),
    "base.numbers": ("F1", "Score", "Value"),
    "count.metrics": ("GROUPS", "METRICS"),
    "evaluate.clusters": ("Scorer", "score_clusters", "score_labels"),
    "evaluate.entities": ("EntityReport", "score_entities"),
    "evaluate.files": ("score", "score_settings"),
    "evaluate.options": ("Options",),
    "evaluate.presets": ("PRESETS",),
    "evaluate.request": ("Request",),
    "evaluate.results": ("Report",),
    "evaluate.rules": ("RULES",),
    "evaluate.selected": ("b_cubed_over", "clusters_from_links", "restrict"),
    "evaluate.settings": ("SettingsReport",),
    "scale.tables": ("score_tables",),
    "read.adapters": (
        *("characters_to_tokens", "from_allennlp", "from_coref_data", "from_corenlp", "from_fastcoref"),
        *("from_maverick", "from_spacy", "from_stanza"),
    ),
    "read.formats": ("FORMATS", "read_documents"),
    "output.formats": ("REPORTS",),
    "output.pages.report": ("write_report",),
    "output.pages.serve": ("serve_report",),
    "study.agreement": ("Agreement", "agree"),
    "study.compare": ("Comparison", "compare"),
    "study.correlation": ("Correlation", "correlate"),
    "study.criteria": ("Criteria", "criteria"),
    "study.difference": ("Explanation", "explain_difference"),
    "study.explain": ("MetricExplanation", "explain_metric"),
    "study.errors.examine": ("examine",),
    "study.errors.report": ("ErrorReport",),
    "study.noise": ("perturb",),
    "study.noise.curves": ("Curves", "curves"),
    "study.resampling": ("intervals",),
    "study.tasks": ("TaskResult", "TaskSettings", "score_task", "score_task_settings"),
    "study.verify": ("verify",),
    "write.convert": ("convert",),
    "write.stats": ("Statistics", "stats"),
    "write.validate": ("Problem", "validate"),
}
"""The public names by the module that has them."""
TAKES_ARGUMENTS = 8
"""The flag of functions that take ``**arguments``."""
_HOME = {name: module for module, names in _PUBLIC.items() for name in names}

__all__ = ["__version__", *sorted(_HOME)]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that importing the package stays light."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f".{_HOME[name]}", __name__), name)
    if getattr(getattr(value, "__code__", None), "co_flags", 0) & TAKES_ARGUMENTS:
        if not ("inspect" in sys.modules or hasattr(sys, "ps1")):
            return value  # nobody looks at signatures, and to import what makes them takes longer than to score
        import_module(".base.spelling", __name__).spell_out(value)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
