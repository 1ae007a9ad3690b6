"""Settings: several ways to score one response, from one reading, and the results.

A setting is written as what differs from the options at hand, joined by ``+``: values of options (``exact``,
``keep``, ``corrected``, ``topic``), a preset, metrics or groups: ``exact+keep``, ``crac22``, ``partial+muc+lea``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Unpack, cast

from ..core.errors import InputError, OptionError
from ..core.grouping import DOCUMENTS
from ..core.metrics import GROUPS, METRICS
from ..core.naming import check_values, listed_names, split_names
from ..core.numbers import AnyScore, headline
from ..core.options import CHOICES, settings_of
from ..core.pipeline import Scoring
from ..core.presets import PRESETS
from ..core.report import Report
from ..core.request import Path, Progress, Request, RequestArguments
from ..core.result import Plain, Result, how_many_numbers
from ..core.version import __version__
from .files import open_files, run
from .reading import check_corpora
from .source import refuse_pipes

if TYPE_CHECKING:
    from ..core.input import Input


SETTINGS_SCHEMA = "corefscope-settings-1"
SETTINGS: dict[str, dict[str, str]] = {
    "crac": {
        "head match": "head+dependent+drop",
        "exact match": "exact+dependent+drop",
        "partial match": "partial+dependent+drop",
        "with singletons": "head+dependent+keep",
        "zeros": "head+dependent+drop+zero",
    },
    "codicrac": {
        "anaphora resolution": "codicrac22-ar",
        "bridging": "codicrac22-br",
        "discourse deixis": "codicrac22-dd",
    },
    "cross-document": {
        "document": "apart+keep",
        "topic": "topic+keep",
        "corpus": "merge+keep",
        "document, no singletons": "apart+drop",
        "topic, no singletons": "topic+drop",
        "corpus, no singletons": "merge+drop",
    },
}
"""Named sets of settings, with their titles and members.

A row names everything that its title promises, so that other options cannot change what it means; rules and metrics
are those at hand.
"""

OPTION_OF = {value: name for name, choices in (*CHOICES.items(), ("documents", DOCUMENTS)) for value in choices}


def parse_settings(text: str | Sequence[str]) -> dict[str, Plain]:
    """Parse settings such as ``crac`` or ``head,exact+keep``: by title, the arguments of a request.

    >>> parse_settings("head,exact+keep")
    {'head': {'match': 'head'}, 'exact+keep': {'match': 'exact', 'singletons': 'keep'}}
    """
    written: dict[str, str] = {}
    for item in listed_names("settings", text):
        name = item.strip()
        written.update(SETTINGS.get(name, {name: name}))
    if not written or not all(written):
        raise OptionError("a setting is empty: name some, such as crac, or head,exact+keep")
    return {title: _setting(words) for title, words in written.items()}


def _setting(written: str) -> Plain:
    presets: list[str] = []
    values: Plain = {}
    metrics: list[str] = []
    for word in written.split("+"):
        if word in OPTION_OF:
            name = OPTION_OF[word]
            if name in values:
                raise OptionError(f"the setting {written!r} has two values of {name}: {values[name]} and {word}")
            values[name] = word
        elif word in PRESETS:
            presets.append(word)
        elif word in METRICS or word in GROUPS:
            metrics.append(word)
        elif word in SETTINGS:
            raise OptionError(f"{word} stands for several settings and cannot be part of one: {written!r}")
        else:
            raise OptionError.unknown("setting", [word], [*SETTINGS, *OPTION_OF, *PRESETS, *GROUPS, *METRICS])
    if len(presets) > 1:
        raise OptionError(f"the setting {written!r} has two presets: {presets[0]} and {presets[1]}")
    for preset in presets:
        values = {**settings_of(PRESETS[preset].options), **values}
        metrics = metrics or split_names(PRESETS[preset].metrics)
    return {**values, "metrics": metrics} if metrics else values


def main_figure(scores: Mapping[str, AnyScore]) -> str:
    """Main figure: that of the last metric, which is CoNLL unless others are named."""
    *_, name = scores
    return f"{name}={headline(scores[name]):.4f}"


def main_figures(reports: Mapping[str, Mapping[str, AnyScore]]) -> str:
    """Main figure of each report."""
    return ", ".join(f"{name}: {main_figure(report)}" for name, report in reports.items())


class SettingsReport(Result, dict[str, Report]):
    """The reports of one response under several settings, by their titles."""

    NAMES: ClassVar[tuple[str, ...]] = ("setting", "metric")

    @property
    def summary(self) -> str:
        """The main figure of each report."""
        return main_figures(self)

    @property
    def signature(self) -> str:
        """All values of every option; each report has a signature of its own to replay."""
        return in_common(str(report.options) for report in self.values())

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics of all reports."""
        first, *others = self.values()
        return tuple([name for name in first if all(name in report for report in others)])

    @property
    def inputs(self) -> tuple[Input, ...]:
        """The files that were read."""
        return next(iter(self.values())).inputs

    @property
    def warnings(self) -> tuple[str, ...]:
        """The warnings of all reports."""
        return tuple(dict.fromkeys(warning for report in self.values() for warning in report.warnings))

    @property
    def missing(self) -> tuple[InputError, ...]:
        """The faults of the files that were left out."""
        return next(iter(self.values())).missing

    def to_dict(self, per_document: bool = True) -> Plain:
        """The reports as plain values, by setting."""
        settings = {title: report.to_dict(per_document) for title, report in self.items()}
        return {"schema": SETTINGS_SCHEMA, "settings": settings, "numbers": how_many_numbers(settings)}

    def to_records(self, per_document: bool = False) -> list[Plain]:
        """One flat record for each report and metric (and document)."""
        return [
            {self.NAMES[0]: title, **record}
            for title, report in self.items()
            for record in report.to_records(per_document)
        ]


def in_common(options: Iterable[str]) -> str:
    """One signature of several: of every part all values that there are.

    >>> in_common(["corefud|match:head", "corefud|match:exact"]).rpartition("|")[0]
    'corefud|match:head,exact'
    """
    parts: dict[str, dict[str, None]] = {}
    for signature in options:
        for item in signature.split("|"):
            name, colon, value = item.partition(":")
            parts.setdefault(name + colon, {})[value] = None
    return "|".join([*(name + ",".join(values) for name, values in parts.items()), f"v{__version__}"])


def score_settings(
    key: Path,
    response: Path,
    settings: str | Sequence[str] = "crac",
    *,
    keep_going: bool = False,
    progress: Progress | None = None,
    jobs: int | None = 1,
    **arguments: Unpack[RequestArguments],
) -> SettingsReport:
    """Score a response against a key in several ways, reading both once, or once for each way to join documents.

    ``settings`` is ``crac`` for what the organisers of the CRAC tasks publish, ``cross-document`` for documents,
    topics and the corpus with and without singletons, or a list such as ``"head,exact+keep,conll12"``: each is what
    differs from the other arguments, which are as for :func:`~corefscope.score`.
    """
    changes = parse_settings(settings)
    check_values({"keep_going": keep_going})
    ways = dict.fromkeys(further.get("documents") for further in changes.values())
    if len(ways) > 1:
        refuse_pipes((key, response), "documents are joined in several ways, and read for each", OptionError)
    reports: dict[str, Report] = {}
    for way in ways:
        own = {**arguments, "documents": way or arguments.get("documents")}
        if "topic" in ways and own["documents"] != "topic":
            own["topic"] = None
        chosen = {title: further for title, further in changes.items() if further.get("documents") == way}
        opened = open_files(
            Request(cast("RequestArguments", own), optional=True), key, [response], progress, jobs, keep_going
        )
        requests = [opened.request.replaced(**further) for further in chosen.values()]
        for request in requests:
            check_corpora(request, opened.corpora)
        (scored,) = run(opened, [[Scoring(request.options, request.metrics) for request in requests]])
        reports |= zip(chosen, scored, strict=True)
    return SettingsReport({title: reports[title] for title in changes})
