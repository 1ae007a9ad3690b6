"""Scoring tables of any size: an engine joins, groups and counts them, and the histograms are scored.

Counts of many documents are columns: summed over batches, and kept as rows for a report, or written to a file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from fractions import Fraction
from functools import cached_property
from itertools import count
from typing import Any, NamedTuple, Unpack, cast, overload

import numpy as np

from ..analysis.entities import COLUMNS
from ..core.choices import Duplicates
from ..core.errors import InputError, OptionError, amount
from ..core.format import FORMATS
from ..core.metrics import METRICS, counted
from ..core.metrics.base import Metric
from ..core.naming import check_values, listed_names
from ..core.numbers import Counts
from ..core.options import Options
from ..core.report import Report, Rows
from ..core.request import Column, Path, Progress, Request, RequestArguments, split
from ..core.rules import RULES
from ..formats.settings import SettingsReport
from ..formats.source import parse_size, path_name
from ..formats.tables.columns import ColumnNames, columns_in
from ..formats.tables.writer import TableFile
from ..measures.sampled_key import (
    SIZE,
    UNIFORM,
    SampledEntity,
    SampledKeyReport,
    Weights,
    gather_weights,
    sampled_arguments,
    weight_of,
)
from .arrays import plain, score_arrays
from .batch_assignment import KERNEL_LIMIT
from .batched_table import BatchedTable, Numbers
from .engines import open_engine, sql
from .engines.base import Budget
from .engines.counting import Facts, kind_of
from .engines.tabulate import ONE_DOCUMENT, TabulatedResponse, tabulate
from .table_input import ONE_OWNER, TablePair, check_facts, describe_inputs, open_tables

Columns = list[list[Numbers]]
"""For each metric an array for each of its fields, with one number for each document."""

SAFE = 1 << 62


def counts_of(table: BatchedTable, metrics: Sequence[Metric]) -> Iterator[list[Numbers]]:
    """The counts of some metrics for all documents of a table, one metric at a time."""
    for metric in metrics:
        yield [np.broadcast_to(array, table.documents) for array in metric.counts(table)]


def exact_sum(array: Numbers) -> int | Fraction:
    """Σ of an array: an integer, or a fraction if it has floats.

    >>> exact_sum(np.array([0.1, 0.1, 1e300, -1e300])) == 2 * Fraction(0.1)
    True
    """
    if array.dtype.kind == "f":
        significands, exponents = np.frexp(array)
        whole = (significands * 2.0**53).astype(np.int64)
        lowest = int(exponents.min(initial=0))
        # Halves of 27 bits: doubles hold the sums of 2²⁶ of them.
        high, low = (np.bincount(exponents - lowest, weights=half) for half in (whole >> 27, whole & (1 << 27) - 1))
        sums = [(int(a) << 27) + int(b) for a, b in zip(high.tolist(), low.tolist(), strict=True)]
        return sum(each << index for index, each in enumerate(sums)) * Fraction(2) ** (lowest - 53)
    if array.dtype.kind in "iu" and int(abs(array).max(initial=0)) * len(array) < SAFE:
        return int(array.sum())
    return sum(Fraction(number) if isinstance(number, float) else int(number) for number in array.tolist())


class CountedBatch(NamedTuple):
    """The counts of some documents: their exact sums, and the counts of each if they are kept."""

    sums: list[list[int | Fraction]]
    columns: Columns

    @classmethod
    def of(cls, columns: Iterable[list[Numbers]], keeps: bool) -> CountedBatch:
        """Add up columns, and drop them if they are not kept."""
        batch = cls([], [])
        for arrays in columns:
            batch.sums.append([exact_sum(array) for array in arrays])
            if keeps:
                batch.columns.append(arrays)
        return batch


class ArrayRows(Mapping[str, tuple[Counts, ...]]):
    """The counts of each document by its name, stored as arrays; only their totals if documents have no names.

    Totals are rounded once, whatever the batches. It is true even without any documents.
    """

    def __init__(self) -> None:
        self._at: dict[str, int] = {}
        self._batches: list[Columns] = []
        self._sums: list[list[list[int | Fraction]]] = []

    def add(self, names: Sequence[str], batch: CountedBatch) -> None:
        """Add a batch of documents, before any of them is looked up."""
        self._sums.append(batch.sums)
        if names:
            self._at.update(zip(names, count(len(self._at))))
            self._batches.append(batch.columns)

    @cached_property
    def totals(self) -> tuple[Counts, ...]:
        """The sums of all rows."""
        by_metric = zip(*self._sums, strict=True)
        sums = [[sum(field) for field in zip(*batches, strict=True)] for batches in by_metric]
        return tuple([tuple([float(one) if isinstance(one, Fraction) else one for one in row]) for row in sums])

    @cached_property
    def _columns(self) -> Columns:
        batches, self._batches = self._batches, []
        return [
            [np.concatenate(arrays) for arrays in zip(*of_metric, strict=True)]
            for of_metric in zip(*batches, strict=True)
        ]

    def __getitem__(self, name: str) -> tuple[Counts, ...]:
        at = self._at[name]
        return tuple([plain(tuple([array[at] for array in arrays])) for arrays in self._columns])

    def __iter__(self) -> Iterator[str]:
        return iter(self._at)

    def __len__(self) -> int:
        return len(self._at)

    def __bool__(self) -> bool:
        return True


class DocumentFile:
    """A file with the scores of each document, ``muc_recall`` and so on; empty where there is nothing to count.

    With several responses, the first column is the response. ``file`` must be closed by the caller.
    """

    def __init__(
        self, path: str, options: Options, metrics: Sequence[str], *, several: bool, spreadsheet: bool
    ) -> None:
        self._names, self._several = metrics, several
        self._counted = [metric.name for metric in counted(metrics)]
        self._conventions = RULES[options.rules].conventions
        nothing = [[np.zeros(1, dtype=np.int64) for _ in METRICS[name].fields] for name in self._counted]
        names = ["response", "document"] if several else ["document"]
        figures = {name: str if figure.dtype.kind in "UO" else float for name, figure in self._figures(nothing)}
        self.file: TableFile = TableFile(path, {**dict.fromkeys(names, str), **figures}, spreadsheet=spreadsheet)

    def add(self, response: str, documents: Sequence[str], columns: Columns) -> None:
        """Write the scores of a batch of documents."""
        first = [[response] * len(documents)] if self._several else []
        self.file.add([*first, documents, *[figure for _, figure in self._figures(columns)]])

    def _figures(self, columns: Columns) -> Iterator[tuple[str, Numbers]]:
        counts = dict(zip(self._counted, columns, strict=True))
        empty = {name: ~np.any([array != 0 for array in arrays], axis=0) for name, arrays in counts.items()}
        for name, score in score_arrays(self._names, counts, self._conventions).items():
            nothing = np.all([empty[part.name] for part in counted([name])], axis=0)
            for figure, values in score._asdict().items():
                array = np.asarray(values)
                unknown = "" if array.dtype.kind in "UO" else np.nan
                yield f"{name}_{figure}", np.where(nothing, unknown, array)


KEPT_DOCUMENTS = 1_000_000
"""Documents whose rows a report keeps; the scores of more go to a file."""
REFUSED = {
    **dict.fromkeys(
        ("heads", "anaphors", "only", "classes", "words", "align", "windows"), "mentions are ids and have no words"
    ),
    "baseline": "scores of tables are measured from 0",
    "weights": "an engine counts entities by their sizes; score in memory",
    "where": "mentions do not come to Python; select rows in the tables",
}


class TableArguments(RequestArguments, total=False):
    """The keyword arguments of :func:`score_tables`, which explains them."""

    engine: object
    memory: str | None
    temp: Path | None
    scratch: Path | None
    threads: int | None
    mention: Column | None
    document: Column | None
    duplicates: Duplicates | None
    per_document: bool | None
    documents_to: Path | None
    entities_to: Path | None
    response_entities_to: Path | None
    spreadsheet: bool | None
    kernel_limit: int | None
    progress: Progress | None


OWN = tuple(name for name in TableArguments.__annotations__ if name not in RequestArguments.__annotations__)


@overload
def score_tables(
    *tables: Any, key: str = ..., response: str = ..., sampled_key: None = ..., **arguments: Unpack[TableArguments]
) -> Report: ...
@overload
def score_tables(
    *tables: Any,
    key: str = ...,
    response: Sequence[str],
    sampled_key: None = ...,
    **arguments: Unpack[TableArguments],
) -> SettingsReport: ...
@overload
def score_tables(
    *tables: Any, key: str = ..., response: str = ..., sampled_key: str, **arguments: Unpack[TableArguments]
) -> SampledKeyReport: ...
def score_tables(
    *tables: Any,
    key: str = "",
    response: str | Sequence[str] = "",
    sampled_key: str | None = None,
    **arguments: Unpack[TableArguments],
) -> Report | SettingsReport | SampledKeyReport:
    """Score tables of any size: the key and the response, or one table that has the entities of both.

    Every row names a mention and the entity that it belongs to, and perhaps a document. The scores are those of
    :func:`score`, whatever the engine.

    Parameters
    ----------
    tables
        The key and the response; or one table, if ``key`` and ``response`` name its columns. Paths of CSV or Parquet
        files, patterns with wildcards, names of tables, data frames, relations of DuckDB, ``{column: values}``.
    key, response
        The columns of the entities; by default they are found by their names, such as ``entity`` or ``cluster_id``.
        A list of columns of the response, which may have patterns such as ``cluster_*``, gives a ``SettingsReport``
        with a report for each: for example for clusters at several thresholds.
    sampled_key
        If the key has a sample of the entities: how it was drawn, as for :func:`score_sampled_key`, whose result this
        then returns.
    engine
        ``duckdb`` (the default); a connection of DuckDB or a SparkSession, also of Spark Connect, which stay open; or
        an :class:`Engine` of your own.
    memory, temp, threads
        The limits of DuckDB: memory such as ``4GB`` (by default half of what the machine or its control groups leave
        free), the directory for temporary files (by default the system's), the number of threads (by default one per
        processor, if each has 125 MB). Rows of documents that a report keeps take memory besides.
    scratch
        A directory that all machines of a Spark cluster can reach, or a schema, for intermediate tables.
    mention, document
        The columns of mentions and documents; two names if they differ between key and response. An empty name of
        the document means that there is none. ``mention_column``, ``document_column`` and ``entity_column``, as for
        :func:`score`, are other names of these arguments, and of ``key`` and ``response``.
    duplicates
        How to treat a mention in several rows: ``error`` (the default), ``drop-equal``, or ``largest``, which keeps
        it in the largest of its entities (as the rules ``corrected`` do, except for ties).
    per_document
        Whether the report has the scores of each document; by default of up to a million.
    documents_to
        A file for the scores of each document, however many: ``.csv``, ``.tsv`` or ``.parquet``.
    entities_to, response_entities_to
        A file with the pieces of each entity of the key, or of the response, as in :func:`score_entities`.
    spreadsheet
        Whether ``.csv`` and ``.tsv`` files are for spreadsheets: text that would run as a formula gets a single quote
        in front; numbers stay numbers. By default ids are written unchanged.
    kernel_limit
        The size (in cells) of the largest connected component for which CEAF is computed; larger ones get bounds.
    progress
        Called before each step with its number, 0, and its description.
    metrics, rules, singletons, documents, topic, preset
        As for :func:`score`; by default the metrics of the group ``linkage``.

    >>> key = {"mention": [1, 2, 3, 4], "entity": ["x", "x", "x", "y"]}
    >>> response = {"mention": [1, 2, 3, 4], "entity": [5, 5, 6, 6]}
    >>> round(score_tables(key, response, metrics="muc")["muc"].f1, 4)
    0.5
    """
    asked, further = split(arguments, OWN)
    names = _column_names(asked, further)
    check_values({name: value for name, value in asked.items() if name not in ("engine", "duplicates")})
    if not isinstance(key, str):
        raise OptionError(f"key is the name of a column, not {key!r:.60}")
    columns = [response] if isinstance(response, str) else listed_names("response", response)
    check_values({"sampled_key": sampled_key})
    scoring = _SampledTableScoring(further, asked, sampled_key) if sampled_key else _TableScoring(further, asked)
    with ExitStack() as stack:
        memory = f"{parse_size(asked['memory'])}B" if "memory" in asked else ""
        budget = Budget(memory, path_name(asked.get("temp", "")), asked.get("threads", 0))
        scratch = path_name(asked.get("scratch", ""))
        engine = stack.enter_context(closing(open_engine(asked.get("engine", "duckdb"), budget, scratch)))
        sides = stack.enter_context(open_tables(engine, tables, key, columns, names))
        scoring.open_files(stack, asked, several=len(sides.response.entities) > 1)
        reports = scoring.reports(sides)
    if isinstance(response, str) or sampled_key:
        return next(iter(reports.values()))
    return SettingsReport(reports)


def _column_names(asked: dict[str, Any], further: RequestArguments) -> ColumnNames:
    """The columns that are named; of mentions and documents also by the short names of these arguments."""
    short = {f"{role}_column": asked.pop(role) for role in ("mention", "document") if role in asked}
    if twice := [name for name in short if further.get(name) is not None]:
        raise OptionError(f"{twice[0]} and {twice[0].removesuffix('_column')} are the same: give one of them")
    return columns_in({**further, **short})


def _request(arguments: RequestArguments) -> Request:
    """The request, with metrics that an engine can count."""
    request = Request(arguments, metrics=FORMATS["table"].defaults.metrics)
    request.refuse(**REFUSED)
    for format_ in request.formats:
        if format_ not in (None, "table"):
            raise OptionError(f"an engine reads tables, not {format_}")
    reasons = {
        name: metric.not_from_histogram
        for name in request.metrics
        for metric in counted([name])
        if metric.not_from_histogram
    }
    if reasons and arguments.get("metrics") is not None:
        said = "; ".join(f"{name} {reason}" for name, reason in reasons.items())
        raise OptionError(f"an engine cannot count all of this: {said}. Leave it out, or score in memory")
    return request.replaced(metrics=[name for name in request.metrics if name not in reasons])


class _TableScoring:
    """A scoring of the batched tables that an engine returns."""

    def __init__(self, arguments: RequestArguments, asked: dict[str, Any]) -> None:
        self._request = request = _request(arguments)
        self.metrics = request.metrics
        self.options = request.options.completed(["table"])._replace(format="table")
        self._duplicates: str = asked.get("duplicates", "error")
        self._per_document: bool | None = asked.get("per_document")
        self._progress: Progress | None = asked.get("progress")
        self._kernel_limit: int = asked.get("kernel_limit", KERNEL_LIMIT)
        self._document_file: DocumentFile | None = None
        self._entity_files: dict[str, TableFile] = {}
        if self._duplicates == "largest" and not RULES[self.options.rules].one_owner:
            raise OptionError(f"duplicates largest is for rules that give a mention to one entity: {ONE_OWNER}")

    def open_files(self, stack: ExitStack, asked: dict[str, Any], several: bool) -> None:
        """Open the files for the scores of documents, and for the pieces of entities of each side."""
        spreadsheet = bool(asked.get("spreadsheet"))
        if path := asked.get("documents_to"):
            self._document_file = DocumentFile(
                path_name(path), self.options, self.metrics, several=several, spreadsheet=spreadsheet
            )
            stack.enter_context(self._document_file.file)
        for side, name in (("key", "entities_to"), ("response", "response_entities_to")):
            if path := asked.get(name):
                if several:
                    raise OptionError("tables of entities are of one response: name one column")
                table = TableFile(path_name(path), COLUMNS, spreadsheet=spreadsheet)
                self._entity_files[side] = stack.enter_context(table)

    def reports(self, sides: TablePair) -> dict[str, Report]:
        """The report of each response, by its column."""
        documents = self._request.arguments.get("documents") or "apart"
        progress, numbers = self._progress, count(1)
        tabulated = tabulate(
            sides.engine,
            sides.key,
            sides.response,
            documents=documents,
            topic=self._request.group if documents == "topic" else None,
            singletons=self.options.singletons,
            duplicates=self._duplicates,
            kernel_limit=self._kernel_limit,
            progress=None if progress is None else lambda step: progress(next(numbers), 0, step),
        )
        with closing(tabulated) as each:
            return {one.response: self._report(one, sides) for one in each}

    def _report(self, tabulated: TabulatedResponse, sides: TablePair) -> Report:
        facts, metrics = tabulated.facts, counted(self.metrics)
        warnings = check_facts(facts, sides, tabulated.response, self._duplicates, self.options.rules)
        keeps, by_document = self._keeps(facts), self._document_file
        low, high = ArrayRows(), ArrayRows()
        unsolved = False
        for names, stack in tabulated.batches(is_named=keeps or by_document is not None):
            batch = at_most = CountedBatch.of(counts_of(stack, metrics), bool(names))
            if stack.unsolved:
                unsolved = True
                at_most = CountedBatch.of(counts_of(stack.at_most, metrics), keeps)
            low.add(names if keeps else (), batch)
            high.add(names if keeps else (), at_most)
            if by_document:
                by_document.add(tabulated.response, names, batch.columns)
            del stack, batch, at_most  # before the next batch is made
        for side, file in self._entity_files.items():
            for part in tabulated.counted.pieces(side) if tabulated.counted else ():
                file.add(part)
        return Report(
            self.options,
            self.metrics,
            cast("Rows", low),
            high_rows=cast("Rows", high) if unsolved else None,
            warnings=list(warnings),
            inputs=describe_inputs(facts, sides, tabulated.response),
        )

    def _keeps(self, facts: Facts) -> bool:
        """Whether the rows of all documents are kept."""
        merged = self.options.documents == "merge"
        most = 1 if merged else max(facts.key.documents, facts.response.documents)
        if most <= KEPT_DOCUMENTS:
            return self._per_document is not False
        if self._per_document:
            hint = "write their scores to a file: --documents-output FILE (documents_to=)"
            raise InputError(f"{amount(most, 'document')}: too many to show", hint=hint)
        return False


class _SampledTableScoring(_TableScoring):
    """A scoring whose results are estimates from a sampled key."""

    def __init__(self, arguments: RequestArguments, asked: dict[str, Any], sampled_key: str) -> None:
        arguments, self._names = sampled_arguments(arguments)
        super().__init__(arguments, asked)
        self._sampled_key = sampled_key
        for name in ("documents_to", "entities_to", "response_entities_to", "per_document"):
            if asked.get(name):
                raise OptionError(f"{name} cannot be combined with sampled_key: a sample has estimates only")

    def reports(self, sides: TablePair) -> dict[str, Any]:
        """The estimates, by the column of the response."""
        if len(sides.response.entities) > 1:
            raise OptionError("a sampled key has estimates of one response: name one column")
        return super().reports(sides)

    def _report(self, tabulated: TabulatedResponse, sides: TablePair) -> Any:
        report = super()._report(tabulated, sides)
        weights = None if self._sampled_key in (UNIFORM, SIZE) else self._weights(sides)
        assert tabulated.counted
        entities: Counter[tuple[SampledEntity, float]] = Counter()
        for document, name, size, cells in tabulated.counted.key_cells():
            weight = weight_of(self._sampled_key, size, weights, document, name)
            entities[SampledEntity.of_cells(size, cells), weight] += 1
        response = tabulated.facts.mentions[1], tabulated.facts.response.entities
        return SampledKeyReport(report, entities, response, self._sampled_key, self._names)

    def _weights(self, sides: TablePair) -> Weights:
        table = sides.key._replace(mention=self._sampled_key)
        types = sides.engine.columns(table.view)
        if self._sampled_key not in types:
            known = ", ".join(map(repr, list(types)[:20]))
            raise InputError(
                f"there is no column {self._sampled_key!r}", path=sides.names[0], hint=f"there are {known}"
            )
        kinds = {role: kind_of(types[column]) for role, column in table.columns().items()}
        side = sql.side(table, sides.engine.dialect, {**kinds, "mention": ""})
        rows = sides.engine.fetch(sql.weights(side, bool(table.document)), "reading weights")
        documents = rows["document"].tolist() if table.document else [ONE_DOCUMENT] * len(rows["entity"])
        names = zip(documents * 2, rows["entity"].tolist() * 2, strict=True)
        texts = [*rows["min_weight"].tolist(), *rows["max_weight"].tolist()]
        each = ((document, entity, text) for (document, entity), text in zip(names, texts, strict=True))
        return gather_weights(each, self._sampled_key, sides.names[0], self._request.group)
