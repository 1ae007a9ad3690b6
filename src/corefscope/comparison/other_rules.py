"""The scores under the corrected rules beside those of the options, for the note on what they change."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ..core.errors import Warnings
from ..core.matching.alignment import Alignment
from ..core.metrics import GROUPS, METRICS
from ..core.numbers import SAME, Counts, headline
from ..core.options import Options
from ..core.report import Alternative, Tally
from ..core.rules import REFERENCE, RULES
from ..core.steps import DocumentPair, align, count, pair_sides, read_differently

CROWDED = 4_000_000
"""Pairs of mentions that compete with each other in one document: from here on rules are not compared."""


class OtherRules:
    """The scores under both rule sets: documents are counted anew only where their pairs differ."""

    def __init__(self, options: Options, names: Sequence[str]) -> None:
        self._shown = names
        self._has_mentions = False
        self._skipped = False
        self._chosen = Tally(options, [*names, *GROUPS["conll"]])
        self._reference = Tally(options._replace(rules=REFERENCE), self._chosen.names)
        self.metrics = self._chosen.metrics
        rules = RULES[options.rules]
        stand_for = rules.program.stand_for if rules.program and options.match in rules.matches else {}
        self._compared = tuple([METRICS[stand_for.get(metric.name, metric.name)] for metric in self.metrics])
        self._reads_relations = any(metric.reads == "relations" for metric in self._compared)

    def score(
        self, documents: DocumentPair, alignment: Alignment, counts: dict[str, Counts], warnings: Warnings | None
    ) -> None:
        """Add a document that has been aligned, and counted, under the chosen rules."""
        key, response = documents.key, documents.response
        if alignment.competing > CROWDED:
            self._skipped = True
            if warnings is not None:
                line = partial(key.line_of, alignment.key.mentions[0].first)
                message = f"too many mentions compete with each other to compare rules: see --rules {REFERENCE}"
                warnings.add("rules not compared", key.path, line, message)
        if self._skipped:
            return
        self._has_mentions = self._has_mentions or bool(alignment.key.mentions or alignment.response.mentions)
        if further := [metric for metric in self.metrics if metric.name not in counts]:
            row = count(alignment, further, self._chosen.options, documents)
            counts = counts | {metric.name: counts for metric, counts in zip(further, row, strict=True)}
        row = tuple([counts[metric.name] for metric in self.metrics])
        self._chosen.add(key.id, row)
        clean = not (alignment.key.repeats or alignment.response.repeats or read_differently(key, response))
        if clean and self._reads_relations:
            clean = documents.related_alike(self._chosen.options, self._reference.options)
        if not (clean and alignment.forced):
            # Of clean documents both rule sets pair the same mentions; of others, each prepares its own.
            sides = alignment.key, alignment.response
            options = self._reference.options
            other = pair_sides(*sides, options) if clean else align(key, response, options)
            if not clean or not alignment.mutual or alignment.to_response != other.to_response:
                row = count(other, self._compared, options, documents)
        self._reference.add(key.id, row)

    def add_alike(self, name: str, counts: dict[str, Counts], *, has_mentions: bool) -> None:
        """Add a document of ids that occur once, which all rules count in the same way."""
        row = tuple([counts[metric.name] for metric in self.metrics])
        self._has_mentions = self._has_mentions or has_mentions
        self._chosen.add(name, row)
        self._reference.add(name, row)

    def merge(self, other: OtherRules) -> None:
        """Add what was found in later documents."""
        self._chosen.merge(other._chosen)
        self._reference.merge(other._reference)
        self._has_mentions = self._has_mentions or other._has_mentions
        self._skipped = self._skipped or other._skipped

    def alternative(self) -> Alternative | None:
        """The scores under both, of what is shown and of the CoNLL score; None if a document was too crowded.

        A file without mentions, and one without zeros, has no score that could differ.
        """
        if self._skipped:
            return None
        chosen, reference = self._chosen.report(), self._reference.report()
        differing = [
            name
            for name in self._shown
            if abs(headline(chosen[name]) - headline(reference[name])) > SAME
            and not (chosen.nothing(name) and reference.nothing(name))
            and (any(chosen.counts(name).values()) or (self._has_mentions and not METRICS[name].scope.needs_words))
        ]
        conll, ours = headline(reference["conll"]), headline(chosen["conll"])
        return Alternative(REFERENCE, conll, ours, {name: (chosen[name], reference[name]) for name in differing})
