"""The steps of every score: from two documents to an alignment, and from an alignment to one row of counts.

What becomes of each pair of documents under one set of options: aligned, counted, added up.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import partial
from itertools import chain
from operator import add
from typing import TYPE_CHECKING, Any, NamedTuple

from ..formats.corpus import Input
from .baselines import BASELINES, Baseline, comparable
from .document import Document
from .errors import OptionError, Warnings
from .matching.alignment import Alignment, Side
from .matching.matchers import MATCHERS
from .matching.transform import SAME_WORDS, Identity, with_minima
from .metrics import GROUPS, METRICS, select
from .metrics.base import Metric
from .numbers import AnyScore, Counts, headline
from .options import Options
from .report import Report, Row, Rows, Tally
from .rules import REFERENCE, RULES
from .table import tabulate, tabulate_partition

if TYPE_CHECKING:
    from ..anaphora.relations import RelationCounts, Relations
    from ..scale.arrays import ArrayContingency
    from .table import Contingency


def align(key: Document, response: Document, options: Options, warnings: Warnings | None = None) -> Alignment:
    """Remove repeats and singletons as the options and rules say, and pair the mentions of two documents."""
    odd = read_differently(key, response)
    sides: list[Side] = []
    for document in (key, response):
        side, repeats = _prepare(RULES[options.rules].read(document, options.match) if odd else document, options)
        sides.append(side)
        if repeats and warnings is not None:
            _warn_of_repeats(_kept(document, options), warnings)
    return pair(sides[0], sides[1], options)


def pair(key: Side, response: Side, options: Options) -> Alignment:
    """Pair the mentions of two sides that are prepared."""
    find = MATCHERS[options.match].find
    return RULES[options.rules].align(key, response, find, zeros_first=options.zeros == "dependent")


def read_differently(key: Document, response: Document) -> bool:
    """Whether rule sets may disagree about what stands in the files, or about where the words of mentions are."""
    return any(
        document.official
        or document.largest_minor >= 10
        or document.repeats_words
        or (document.deixis is not None and document.deixis.official)
        for document in (key, response)
    )


def _prepare(document: Document, options: Options) -> tuple[Side, bool]:
    """A document as it is aligned, and whether mentions were repeated."""
    identity, find = MATCHERS[options.match].identity, MATCHERS[options.match].find
    if find.parts and document.program not in ("", options.rules):  # of which the format names minimal words
        document = with_minima(document)
    side = _side(_kept(document, options), identity)
    if not side.repeats:
        return side, False
    # Repeats go first: an entity may be a singleton only without them.
    document = RULES[options.rules].preparation.repeated(document, identity)
    return _side(_kept(document, options), identity), True


def _kept(document: Document, options: Options) -> Document:
    return RULES[options.rules].preparation.without_singletons(document) if options.singletons == "drop" else document


def _side(document: Document, identity: Identity) -> Side:
    return Side(document.entities, list(map(identity, chain.from_iterable(document.entities))), document)


def _warn_of_repeats(document: Document, warnings: Warnings) -> None:
    entity_of: dict[Hashable, int] = {}
    for i, entity in enumerate(document.entities):
        for mention in entity:
            words = SAME_WORDS(mention)
            if entity_of.setdefault(words, i) != i:
                names = document.entity_ids or range(len(document.entities))
                first, second = str(names[entity_of[words]]), str(names[i])
                message = f"the same span stands in two entities, {first!r} and {second!r}"
                warnings.add("two entities", document.path, partial(document.line_of, mention.first), message)


def table_of_ids(
    key: Document, response: Document, options: Options, metrics: Iterable[Metric]
) -> ArrayContingency | None:
    """The table of two documents of ids, one of them large, without an alignment.

    None if they are others, if a mention stands twice, or if rules or metrics ask for more than the table.
    """
    asks_for_more = RULES[options.rules].program or key.anaphors or response.anaphors
    if not is_large(key, response) or asks_for_more or not all(metric.counts_of_ids for metric in metrics):
        return None
    from ..formats.tables.rows import rows_of
    from ..scale.arrays import tabulate_ids

    rows = rows_of(key), rows_of(response)
    return tabulate_ids(rows[0], rows[1], options.smallest) if rows[0] is not None and rows[1] is not None else None


def mention_counts(key: Document, response: Document, alignment: Alignment, options: Options) -> tuple[int, ...]:
    """The mentions of the key, of the response, the pairs of these, and the ids that both documents have.

    Mentions and pairs are those that were aligned; ids are also those of entities that are dropped.
    """
    common = alignment.matched
    if options.singletons == "drop" and not (key.has_words or response.has_words):
        ids, others = ({mention.first for entity in side.entities for mention in entity} for side in (key, response))
        common = len(ids & others)
    return len(alignment.key.mentions), len(alignment.response.mentions), alignment.matched, common


def is_large(key: Document, response: Document) -> bool:
    """Whether these are documents of so many ids that one does better without making mentions of them."""
    if key.rows is None and response.rows is None:
        return False
    from ..formats.tables.rows import has_many_rows  # most documents have words

    return has_many_rows(key, response)


def count_ids(table: ArrayContingency, metrics: Iterable[Metric]) -> dict[str, Counts]:
    """The counts of each metric, by name."""
    from ..scale.arrays import plain

    return {metric.name: plain(metric.counts_of_ids(table)) for metric in metrics if metric.counts_of_ids}


def count(
    alignment: Alignment,
    metrics: Sequence[Metric],
    options: Options,
    documents: AsRead | None = None,
) -> tuple[Counts, ...]:
    """One row: the counts of each metric, in the way of the rule set if it has one of its own.

    ``documents`` are those that were aligned, as they were read; without them there are no relations.
    """
    reads_relations = any(metric.reads == "relations" for metric in metrics)
    relations = documents.relations(options) if documents and reads_relations else None
    matcher, names = MATCHERS[options.match], [metric.name for metric in metrics]
    own = RULES[options.rules].counted(alignment, matcher, names, relations)
    if all(metric.name in own for metric in metrics):
        return tuple([own[metric.name] for metric in metrics])
    inputs: dict[str, Any] = {"alignment": alignment, "table": tabulate(alignment)}
    if any(metric.reads == "partition" for metric in metrics):
        irregular = not alignment.mutual or alignment.key.repeats or alignment.response.repeats
        inputs["partition"] = tabulate_partition(alignment) if irregular else inputs["table"]
    if reads_relations:
        inputs["relations"] = _related(relations, own, inputs["table"])
    return tuple(
        [own[metric.name] if metric.name in own else metric.counts(inputs[metric.reads]) for metric in metrics]
    )


def _related(relations: Relations | None, own: dict[str, Counts], table: Contingency) -> RelationCounts:
    """The relations of two documents as the rules see them, and beside them the metrics of identity."""
    from ..anaphora.relations import RelationCounts  # few metrics need it
    from .metrics import METRICS

    def identity(name: str) -> Counts:
        return own[name] if name in own else METRICS[name].counts(table)

    return RelationCounts(relations, identity)


class AsRead:
    """Two documents as they were read, and what rules count of their relations: made once."""

    __slots__ = ("_relations", "key", "response")

    def __init__(self, key: Document, response: Document) -> None:
        self.key, self.response = key, response
        self._relations: dict[Options, Relations | None] = {}

    def relations(self, options: Options) -> Relations | None:
        """Those under some options; None if neither document has any."""
        if options not in self._relations:
            self._relations[options] = relations_of(self.key, self.response, options)
        return self._relations[options]

    def related_alike(self, options: Options, others: Options) -> bool:
        """Whether other rules count the same of relations, since there is nothing that they could align otherwise."""
        if RULES[options.rules].relations is not RULES[others.rules].relations:
            return False
        relations = self.relations(options)
        return relations is None or relations.settled


def relations_of(key: Document, response: Document, options: Options) -> Relations | None:
    """What the rules count of the relations of two documents; None if neither has any."""
    rules = RULES[options.rules]
    if read_differently(key, response):
        key, response = (rules.read(document, options.match) for document in (key, response))
    if not any(document.relations or document.deixis for document in (key, response)):
        return None
    keeping = partial(align, options=options._replace(singletons="keep"))
    return rules.relations(key, response, keeping, MATCHERS[options.match], options.smallest)


SAME = 1e-11
"""Scores this close differ by the order of additions only."""
CROWDED = 4_000_000
"""Pairs of mentions that compete with each other in one document: from here on rules are not compared."""


class Scoring(Tally):
    """A tally that aligns and counts the pairs it is given."""

    def __init__(
        self,
        options: Options,
        metrics: str | Sequence[str],
        *,
        compare_rules: bool = False,
        unit: str | None = None,
        format_loss: bool = False,
    ) -> None:
        """``unit`` is ``sentences`` or ``blocks:N`` if rows of counts are wanted for parts of documents.

        With ``format_loss``, text that a language model printed is also scored with every tag placed as intended.
        """
        baseline = options.checked().baseline
        if baseline and compare_rules:
            raise OptionError("rules can be compared only without a baseline")
        if baseline and unit:
            raise OptionError("a baseline is a response to whole documents: parts of documents have none")
        super().__init__(options, comparable(select(metrics), baseline) if baseline else metrics)
        self._baseline = Baseline(baseline, options.smallest, self.metrics) if baseline in BASELINES else None
        self.sizes: tuple[int, ...] = (0, 0, 0, 0)
        """Those of :func:`~.steps.mention_counts`, added up."""
        self._block_size = 0
        if unit:
            from .blocks import block_size

            self._block_size = block_size(unit)
        self._other = _OtherRules(options, self.names) if compare_rules and options.rules != REFERENCE else None
        self._format_loss = format_loss
        self._printed_rows: tuple[Rows, Rows] = {}, {}
        """Of printed documents, the rows with tags placed as intended, and those of a faithful copy of the key."""
        self.another: Callable[[], Scoring] | None = None
        """Makes a scoring like this one in another process; None if all documents must come to one."""
        if type(self) is Scoring and self._baseline is None:  # which may be drawn, one document after the other
            another = partial(Scoring, options, metrics, compare_rules=compare_rules, unit=unit)
            self.another = partial(another, format_loss=format_loss)

    def look_at(self, key: Document, response: Document, warnings: Warnings | None) -> None:
        """Score one document; a scoring that wants to know more finds it out here."""
        if self.score_ids(key, response) is None:
            self.score(key, response, warnings)

    def score_ids(self, key: Document, response: Document) -> ArrayContingency | None:
        """Count one large document of ids without an alignment, and add its row; None if that cannot be done."""
        if self._baseline or self._block_size:
            return None
        metrics = dict.fromkeys([*self.metrics, *(self._other.metrics if self._other else ())])
        table = table_of_ids(key, response, self.options, metrics)
        if table is None:
            return None
        sizes = table.mentions, table.T.mentions, table.matched, table.ids_in_common
        self.sizes = tuple(map(add, self.sizes, sizes))
        counts = count_ids(table, metrics)
        row = tuple([counts[metric.name] for metric in self.metrics])
        self.add(key.id, row, tuple(count_ids(table.at_most, self.metrics).values()) if table.unsolved else None)
        if self._other:
            self._other.add_alike(key.id, counts)
        return table

    def score(self, key: Document, response: Document, warnings: Warnings | None) -> tuple[Alignment, Row]:
        """Align and count one document, and add its row."""
        alignment = align(key, response, self.options, warnings)
        self.sizes = tuple(map(add, self.sizes, mention_counts(key, response, alignment, self.options)))
        if self._block_size:
            from .blocks import Blocks, block_rows

            blocks = Blocks(key, self._block_size)
            for name, part in block_rows(alignment, blocks, self.metrics, self.options).items():
                self.add(name, part)
            return alignment, ()
        documents = AsRead(key, response)
        row = count(alignment, self.metrics, self.options, documents)
        self.add(key.id, row)
        if self._baseline:
            self._baseline.add(key.id, list(map(len, alignment.key.entities)))
        if self._format_loss and response.copied:
            self._score_ideal(key, response, row)
        if self._other:
            counts = {metric.name: counts for metric, counts in zip(self.metrics, row, strict=True)}
            self._other.score(documents, alignment, counts, warnings)
        return alignment, row

    def _score_ideal(self, key: Document, response: Document, row: Row) -> None:
        """Add the rows of a printed document from which its format loss is known."""
        from ..llm.format_loss import faithful_copy, ideal_placement  # few documents are printed

        others = ideal_placement(key, response), faithful_copy(key, response.copied.style)
        for rows, other in zip(self._printed_rows, others, strict=True):
            if other is response:
                rows[key.id] = row
            else:
                rows[key.id] = count(align(key, other, self.options), self.metrics, self.options, AsRead(key, other))

    def merge(self, other: Tally) -> None:
        """Add what another scoring of the same kind has found in later documents."""
        super().merge(other)
        assert isinstance(other, Scoring)
        for mine, others in zip(self._printed_rows, other._printed_rows, strict=True):
            mine |= others
        self.sizes = tuple(map(add, self.sizes, other.sizes))
        if self._other and other._other:
            self._other.merge(other._other)

    def report(self, warnings: Sequence[str] = (), inputs: Sequence[Input] = (), **further: Any) -> Report:
        """The report of everything added so far, with what is compared with it."""
        if self._baseline:
            further["baseline_rows"] = self._baseline.samples
        if self._other:
            further["alternative"] = self._other.alternative()
        if any(self._printed_rows):
            further["printed_rows"] = tuple([{**self.rows, **rows} for rows in self._printed_rows])
        return super().report(warnings, inputs, **further)


class Alternative(NamedTuple):
    """The scores of the same input under another rule set, beside ours."""

    rules: str
    conll: float
    """The CoNLL score under the other rules,"""
    ours: float
    """and under those of the options."""
    differing: Mapping[str, tuple[AnyScore, AnyScore]]
    """By metric, among those that the report has, what is not the same: the score under the rules of the options, and
    that under the others."""

    def to_dict(self) -> dict[str, Any]:
        """As plain values: the CoNLL score, and what differs, under the other rules."""
        differing = {name: other._asdict() for name, (_, other) in self.differing.items()}
        return {"rules": self.rules, "conll": self.conll, "differing": differing}


class _OtherRules:
    """The scores under the corrected rules beside those of the options: counted anew only where they differ."""

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
        self, documents: AsRead, alignment: Alignment, counts: dict[str, Counts], warnings: Warnings | None
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
            other = pair(*sides, options) if clean else align(key, response, options)
            if not clean or not alignment.mutual or alignment.to_response != other.to_response:
                row = count(other, self._compared, options, documents)
        self._reference.add(key.id, row)

    def add_alike(self, name: str, counts: dict[str, Counts]) -> None:
        """Add a document of ids that stand once, which no rules pair or count differently."""
        row = tuple([counts[metric.name] for metric in self.metrics])
        self._has_mentions = True
        self._chosen.add(name, row)
        self._reference.add(name, row)

    def merge(self, other: _OtherRules) -> None:
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
            and (any(chosen.counts(name).values()) or (self._has_mentions and not METRICS[name].scope.needs_words))
        ]
        conll, ours = headline(reference["conll"]), headline(chosen["conll"])
        return Alternative(REFERENCE, conll, ours, {name: (chosen[name], reference[name]) for name in differing})
