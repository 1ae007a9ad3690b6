"""The pipeline: read, prepare, align, tabulate, count, pool. Start reading the package here."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

from .alignment import Alignment, Side
from .baselines import Baseline, comparable
from .counts import Counts, headline
from .document import Document, Mention
from .errors import OptionError, Warnings
from .matching import MATCHERS
from .metrics import GROUPS, select
from .metrics.base import Metric
from .options import Options
from .readers.pairs import PairReader
from .results import Alternative, Report, Tally
from .rules import REFERENCE, RULES, RuleSet
from .table import tabulate, tabulate_partition
from .transform import SAME_WORDS, Identity, restricted, without_singletons

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
    other = _OtherRules(tally.options) if compare_rules and rules != REFERENCE else None
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


def align(key: Document, response: Document, options: Options, warnings: Warnings | None = None) -> Alignment:
    """Prepare two documents as the options say, and pair their mentions."""
    rules, matcher = RULES[options.rules], MATCHERS[options.match]
    given = key, response
    if _odd_positions(key, response):
        key, response = rules.odd_positions(key), rules.odd_positions(response)
    sides: list[Side] = []
    for document, as_given in zip((key, response), given, strict=True):
        side, repeats = _prepare(document, options, rules, matcher.identity)
        sides.append(side)
        if repeats and warnings is not None:
            _warn_of_repeats(without_singletons(as_given) if options.singletons == "drop" else as_given, warnings)
    return _pair(sides[0], sides[1], options)


def _pair(key: Side, response: Side, options: Options) -> Alignment:
    find = MATCHERS[options.match].find
    return RULES[options.rules].align(key, response, find, zeros_first=options.zeros == "dependent")


def _odd_positions(key: Document, response: Document) -> bool:
    return any(document.largest_minor >= 10 or document.repeats_words for document in (key, response))


def count(alignment: Alignment, metrics: Sequence[Metric]) -> tuple[Counts, ...]:
    """One row: the counts of each metric."""
    seen: dict[str, Any] = {"alignment": alignment, "table": tabulate(alignment)}
    if any(metric.reads == "partition" for metric in metrics):
        seen["partition"] = tabulate_partition(alignment) if _irregular(alignment) else seen["table"]
    return tuple([metric.count(seen[metric.reads]) for metric in metrics])


def _irregular(alignment: Alignment) -> bool:
    """Whether counterparts are not mutual, or mentions stand in several entities."""
    return not alignment.mutual or alignment.key.repeats or alignment.response.repeats


def _prepare(document: Document, options: Options, rules: RuleSet, identity: Identity) -> tuple[Side, bool]:
    """Remove repeats and singletons; whether there were repeats. Only then more than one look is needed."""
    dropped = without_singletons(document) if options.singletons == "drop" else document
    side = _side(dropped, identity)
    if not side.repeats:
        return side, False
    document = rules.repeated(document, identity)
    if options.singletons == "drop":
        document = without_singletons(document)
    return _side(document, identity), True


def _side(document: Document, identity: Identity) -> Side:
    return Side(document.entities, list(map(identity, chain.from_iterable(document.entities))))


def _warn_of_repeats(document: Document, warnings: Warnings) -> None:
    entity_of: dict[tuple[int, ...], int] = {}
    for i, entity in enumerate(document.entities):
        for mention in entity:
            words = SAME_WORDS(mention)
            if entity_of.setdefault(words, i) != i and not warnings.again("two entities", document.path):
                names = document.entity_ids
                first, second = (names[at] if names else str(at) for at in (entity_of[words], i))
                message = f"the same span stands in two entities, {first!r} and {second!r}"
                warnings.add("two entities", document.path, document.line_of(words[0]), message)


class _OtherRules:
    """The CoNLL score under the corrected rules, counted anew only where they align differently."""

    def __init__(self, options: Options) -> None:
        self._ours = Tally(options, GROUPS["conll"])
        self._theirs = Tally(options._replace(rules=REFERENCE), GROUPS["conll"])

    def add(self, key: Document, response: Document, alignment: Alignment, counts: dict[str, Counts]) -> None:
        """Add a document that has been aligned, and counted, under our rules."""
        metrics = self._ours.metrics
        if all(metric.name in counts for metric in metrics):
            row = tuple(counts[metric.name] for metric in metrics)
        else:
            row = count(alignment, metrics)
        self._ours.add(key.id, row)
        clean = not (alignment.key.repeats or alignment.response.repeats or _odd_positions(key, response))
        if clean and alignment.forced:
            self._theirs.add(key.id, row)
            return
        if clean:  # then both rule sets pair the same mentions
            again = _pair(alignment.key, alignment.response, self._theirs.options)
        else:
            again = align(key, response, self._theirs.options)
        if not clean or not alignment.mutual or alignment.to_response != again.to_response:
            row = count(again, metrics)
        self._theirs.add(key.id, row)

    def alternative(self) -> Alternative:
        """Both scores."""
        ours, theirs = (headline(tally.report()["conll"]) for tally in (self._ours, self._theirs))
        return Alternative(self._theirs.options.rules, theirs, ours)
