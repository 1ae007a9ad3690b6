"""corefscope scores coreference resolution: a system's response against a key.

    >>> from corefscope import score_clusters
    >>> key = [["Ann", "she", "her"], ["Ben", "he"]]
    >>> response = [["Ann", "she"], ["Ben", "he", "her"]]
    >>> report = score_clusters(key, response)
    >>> f"{report['conll']:.2%}", report["muc"].recall
    ('73.33%', 0.6666666666666666)

Score
    score               files; score_settings: under several settings at once
    score_clusters      clusters in memory; Scorer: document by document
    score_labels        arrays of labels
    score_tables        tables of any size; score_entities: each entity;
                        Engine, Dialect, check_engine: by your database
    score_keys          a set of keys: a KeySetReport
    score_sampled_key   a key that is a sample: a SampledKeyReport
    score_windows       long texts in windows: a WindowCurve
    Report              the result: a score by metric, by document, warnings
    Score, F1, Value    a score, by what its metric has
    SettingsReport, EntityReport
    b_cubed_over, restrict, clusters_from_links

Understand a score
    examine             errors and what they cost: an ErrorReport
    explain_metric      how a score is calculated: a MetricExplanation
    explain_difference  settings behind two different scores: an Explanation
    write_report        a page with scores, errors and text; serve_report

Compare
    compare             systems, with intervals and tests: a Comparison
    intervals           confidence intervals of one report
    score_task          a shared task: a TaskResult; score_task_settings,
                        TaskSettings
    agree               agreement of annotators: an Agreement
    probe               resolution of pronouns: a GapReport or a
                        ProbeReport
    correlate           metrics over systems: a Correlation
    curves, perturb     metrics under controlled noise: Curves
    criteria            which criteria metrics meet: Criteria
    verify              compute a saved result again
    merge               one Report of several over different documents
    cite_line           the sentence about scores for a paper

Files
    read_documents      a Document with Mentions, one at a time; Mention
    convert             write a file in another format
    validate            list every Problem of a file
    stats               Statistics: words, mentions, entities

Output of frameworks as clusters
    from_allennlp, from_coref_data, from_corenlp, from_fastcoref,
    from_maverick, from_spacy, from_stanza, characters_to_tokens

Names that options take
    METRICS, GROUPS, PRESETS, RULES, FORMATS, REPORTS
    Options, Request    what a score depends on; corefscope.core.choices has
                        the values as types

Errors
    CorefscopeError     all of them; InputError, AlignmentError, OptionError

Values are unrounded fractions; report.signature says how they were computed.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from . import capabilities as _capabilities  # noqa: F401  (attaches metrics, formats and rule sets to core)
from .core.naming import current_name
from .core.version import __version__ as __version__

if TYPE_CHECKING:
    from .analysis.agreement import Agreement as Agreement
    from .analysis.agreement import agree as agree
    from .analysis.correlation import Correlation as Correlation
    from .analysis.correlation import correlate as correlate
    from .analysis.criteria import Criteria as Criteria
    from .analysis.criteria import criteria as criteria
    from .analysis.entities import EntityReport as EntityReport
    from .analysis.entities import score_entities as score_entities
    from .analysis.errors.examine import examine as examine
    from .analysis.errors.report import ErrorReport as ErrorReport
    from .analysis.explain import MetricExplanation as MetricExplanation
    from .analysis.explain import explain_metric as explain_metric
    from .analysis.noise import perturb as perturb
    from .analysis.noise.curves import Curves as Curves
    from .analysis.noise.curves import curves as curves
    from .comparison.difference import Explanation as Explanation
    from .comparison.difference import explain_difference as explain_difference
    from .comparison.gap import GapReport as GapReport
    from .comparison.key_sets import KeySetReport as KeySetReport
    from .comparison.key_sets import score_keys as score_keys
    from .comparison.merging import merge as merge
    from .comparison.probe import ProbeReport as ProbeReport
    from .comparison.probe import probe as probe
    from .comparison.resampling import intervals as intervals
    from .comparison.systems import Comparison as Comparison
    from .comparison.systems import compare as compare
    from .comparison.tasks import TaskResult as TaskResult
    from .comparison.tasks import TaskSettings as TaskSettings
    from .comparison.tasks import score_task as score_task
    from .comparison.tasks import score_task_settings as score_task_settings
    from .comparison.verify import verify as verify
    from .core.clusters import Scorer as Scorer
    from .core.clusters import score_clusters as score_clusters
    from .core.document import Document as Document
    from .core.document import Mention as Mention
    from .core.errors import AlignmentError as AlignmentError
    from .core.errors import CorefscopeError as CorefscopeError
    from .core.errors import InputError as InputError
    from .core.errors import OptionError as OptionError
    from .core.format import FORMATS as FORMATS
    from .core.metrics import GROUPS as GROUPS
    from .core.metrics import METRICS as METRICS
    from .core.numbers import F1 as F1
    from .core.numbers import Score as Score
    from .core.numbers import Value as Value
    from .core.options import Options as Options
    from .core.presets import PRESETS as PRESETS
    from .core.report import Report as Report
    from .core.request import Request as Request
    from .core.rules import RULES as RULES
    from .formats.adapters import characters_to_tokens as characters_to_tokens
    from .formats.adapters import from_allennlp as from_allennlp
    from .formats.adapters import from_coref_data as from_coref_data
    from .formats.adapters import from_corenlp as from_corenlp
    from .formats.adapters import from_fastcoref as from_fastcoref
    from .formats.adapters import from_maverick as from_maverick
    from .formats.adapters import from_spacy as from_spacy
    from .formats.adapters import from_stanza as from_stanza
    from .formats.convert import convert as convert
    from .formats.detection import read_documents as read_documents
    from .formats.files import score as score
    from .formats.settings import SettingsReport as SettingsReport
    from .formats.settings import score_settings as score_settings
    from .formats.stats import Statistics as Statistics
    from .formats.stats import stats as stats
    from .formats.validate import Problem as Problem
    from .formats.validate import validate as validate
    from .measures.sampled_key import SampledKeyReport as SampledKeyReport
    from .measures.sampled_key import score_sampled_key as score_sampled_key
    from .measures.selection import b_cubed_over as b_cubed_over
    from .measures.selection import clusters_from_links as clusters_from_links
    from .measures.selection import restrict as restrict
    from .measures.windows import WindowCurve as WindowCurve
    from .measures.windows import score_windows as score_windows
    from .output.citation import cite_line as cite_line
    from .output.formats import REPORTS as REPORTS
    from .output.pages.report import write_report as write_report
    from .output.pages.serve import serve_report as serve_report
    from .scale.arrays import score_labels as score_labels
    from .scale.engines.base import Dialect as Dialect
    from .scale.engines.base import Engine as Engine
    from .scale.engines.conformance import check_engine as check_engine
    from .scale.tables import score_tables as score_tables


_PUBLIC = {
    "core.errors": ("AlignmentError", "CorefscopeError", "InputError", "OptionError"),
    "core.document": ("Document", "Mention"),
    "core.numbers": ("F1", "Score", "Value"),
    "core.metrics": ("GROUPS", "METRICS"),
    "core.clusters": ("Scorer", "score_clusters"),
    "analysis.entities": ("EntityReport", "score_entities"),
    "formats.files": ("score",),
    "core.options": ("Options",),
    "core.presets": ("PRESETS",),
    "core.request": ("Request",),
    "core.report": ("Report",),
    "core.rules": ("RULES",),
    "measures.sampled_key": ("SampledKeyReport", "score_sampled_key"),
    "measures.selection": ("b_cubed_over", "clusters_from_links", "restrict"),
    "measures.windows": ("WindowCurve", "score_windows"),
    "formats.settings": ("SettingsReport", "score_settings"),
    "scale.arrays": ("score_labels",),
    "scale.engines.base": ("Dialect", "Engine"),
    "scale.engines.conformance": ("check_engine",),
    "scale.tables": ("score_tables",),
    "formats.adapters": (
        *("characters_to_tokens", "from_allennlp", "from_coref_data", "from_corenlp", "from_fastcoref"),
        *("from_maverick", "from_spacy", "from_stanza"),
    ),
    "core.format": ("FORMATS",),
    "formats.detection": ("read_documents",),
    "output.citation": ("cite_line",),
    "output.formats": ("REPORTS",),
    "output.pages.report": ("write_report",),
    "output.pages.serve": ("serve_report",),
    "analysis.agreement": ("Agreement", "agree"),
    "comparison.gap": ("GapReport",),
    "comparison.probe": ("ProbeReport", "probe"),
    "comparison.key_sets": ("KeySetReport", "score_keys"),
    "comparison.systems": ("Comparison", "compare"),
    "analysis.correlation": ("Correlation", "correlate"),
    "analysis.criteria": ("Criteria", "criteria"),
    "comparison.difference": ("Explanation", "explain_difference"),
    "analysis.explain": ("MetricExplanation", "explain_metric"),
    "analysis.errors.examine": ("examine",),
    "analysis.errors.report": ("ErrorReport",),
    "analysis.noise": ("perturb",),
    "analysis.noise.curves": ("Curves", "curves"),
    "comparison.merging": ("merge",),
    "comparison.resampling": ("intervals",),
    "comparison.tasks": ("TaskResult", "TaskSettings", "score_task", "score_task_settings"),
    "comparison.verify": ("verify",),
    "formats.convert": ("convert",),
    "formats.stats": ("Statistics", "stats"),
    "formats.validate": ("Problem", "validate"),
}
"""The public names by the module that has them."""
_TAKES_ARGUMENTS = 8
"""The flag of functions that take ``**arguments``."""
_HOME = {name: module for module, names in _PUBLIC.items() for name in names}


if not TYPE_CHECKING:  # for which a misspelt name is an error

    def __getattr__(name: str) -> object:
        """Import a public name when it is first used, so that importing the package stays light."""
        if (current := current_name(name)) != name:
            return getattr(sys.modules[__name__], current)
        if name not in _HOME:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        value = getattr(import_module(f".{_HOME[name]}", __name__), name)
        if getattr(getattr(value, "__code__", None), "co_flags", 0) & _TAKES_ARGUMENTS:
            if not ("inspect" in sys.modules or hasattr(sys, "ps1")):
                return value  # importing inspect takes longer than scoring, and only help and editors need signatures
            import_module(".signatures", __name__).spell_out(value)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return ["__version__", *sorted(_HOME)]


if not TYPE_CHECKING:  # a list that type checkers cannot evaluate makes every name public to them
    __all__ = __dir__()
