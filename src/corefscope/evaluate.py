"""The pipeline: read, prepare, align, tabulate, count, pool. Start reading the package here."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence

from .baselines import Baseline, comparable
from .comparison import OtherRules
from .counting import count
from .document import Document, Mention
from .errors import OptionError, Warnings
from .metrics import select
from .options import Options
from .prepare import align
from .readers.pairs import PairReader
from .results import Report, Tally
from .rules import REFERENCE
from .transform import restricted

NO_HEADS = "the file has no heads: the first word of each mention is taken for its head (--match exact needs none)"

Progress = Callable[[int, int, str], None]
"""Called before each document with its number, the number of documents and its id."""
Where = Callable[[Document, Mention], bool]
"""Whether a mention of a document is to be scored."""


def score(
    key: str | os.PathLike[str],
    response: str | os.PathLike[str],
    *,
    match: str = "head",
    zeros: str = "dependent",
    singletons: str = "drop",
    rules: str = "corefud-1.2",
    metrics: str | Sequence[str] = "corefud",
    key_format: str | None = None,
    response_format: str | None = None,
    baseline: str | None = None,
    where: Where | None = None,
    compare_rules: bool = False,
    progress: Progress | None = None,
) -> Report:
    """Score a response file against a key file.

    Parameters
    ----------
    key, response
        Paths of CorefUD or CoNLL-2012 files, plain or compressed; ``-`` is standard input.
    match
        ``head``, ``partial`` or ``exact``: which mentions are taken for the same.
    zeros
        ``dependent`` matches zeros by their dependencies, ``linear`` by their position.
    singletons
        ``drop`` or ``keep`` entities of one mention.
    rules
        ``corefud-1.2`` for the official numbers, ``corrected`` for the same without the official bugs.
    metrics
        A metric, a group of metrics, or a list of these.
    key_format, response_format
        ``corefud`` or ``conll``; without it the format is recognised.
    baseline
        ``none``, ``all`` or ``random``: measure scores from what a response scores in which no mentions corefer, all
        do, or which is random with the key's sizes. Metrics that need words are left out.
    where
        Called with a document and a mention: only mentions for which it is true are scored, on both sides.
    compare_rules
        Also find out the CoNLL score under ``corrected`` rules, as ``report.alternative``.
    progress
        Called before each document with its number, the number of documents and its id.

    Raises
    ------
    InputError
        If a file is not what it should be, or the two do not stand over the same words.
    OptionError
        If an option has a value that does not exist.
    """
    if baseline and compare_rules:
        raise OptionError("rules can be compared only without a baseline")
    options = Options("corefud", match, zeros, singletons, rules, baseline or "", _name(where))
    tally = Tally(options, comparable(select(metrics)) if baseline else metrics)
    from_baseline = Baseline(baseline, singletons, tally.metrics) if baseline else None
    other = OtherRules(tally.options) if compare_rules and rules != REFERENCE else None
    warnings = Warnings()
    pairs = PairReader(key, response, warnings, key_format, response_format)
    if match != "exact":
        for reader in (pairs.key, pairs.response):
            if not reader.has_heads:
                warnings.add("heads", reader.source.name, 0, NO_HEADS)
    tally.options = options._replace(format="+".join(dict.fromkeys((pairs.key_format, pairs.response_format))))
    try:
        for number, (ours, theirs) in enumerate(pairs):
            if progress:
                progress(number, len(pairs.names), ours.id)
            if where:
                ours, theirs = restricted(ours, where), restricted(theirs, where)
            alignment = align(ours, theirs, tally.options, warnings)
            row = count(alignment, tally.metrics)
            tally.add(ours.id, row)
            if from_baseline:
                from_baseline.add(ours.id, list(map(len, alignment.key.entities)))
            if other:
                names = [metric.name for metric in tally.metrics]
                other.add(ours, theirs, alignment, dict(zip(names, row, strict=True)))
            del ours, theirs, alignment  # or they would be kept while the next document is read
    finally:
        pairs.close()
    return tally.report(list(warnings), other.alternative() if other else None, from_baseline)


def _name(where: Where | None) -> str:
    return "" if where is None else re.sub(r"[^\w.-]", "", getattr(where, "__name__", "")) or "custom"
