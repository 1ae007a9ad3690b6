"""Scoring tables where they are: an engine joins, groups and counts, and the histograms are scored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from itertools import count
from typing import Any, Unpack, cast, overload

from ..analysis.entities import COLUMNS
from ..core.clusters import without_words
from ..core.errors import InputError, OptionError, amount
from ..core.metrics import counted
from ..core.naming import check_values, listed_names
from ..core.report import Report, Rows
from ..core.request import Path, Progress, Request, RequestArguments, split
from ..core.rules import RULES
from ..formats.settings import SettingsReport
from ..formats.source import parse_size, path_name
from ..formats.tables.writer import TableFile
from .engines import open_engine
from .engines.base import Budget, Engine
from .engines.counting import Facts
from .engines.tabulate import TabulatedResponse, tabulate
from .table_input import ONE_OWNER, ROLES, BothSides, check_facts, inputs_of, labelled
from .table_rows import DocumentFile, RowCollector, counts_of

KEPT_DOCUMENTS = 1_000_000
"""Documents whose rows a report keeps; the scores of more go to a file."""
REFUSED = {
    **dict.fromkeys(("heads", "anaphors", "words"), "mentions are ids and have no words"),
    "baseline": "scores of tables are measured from 0",
    "where": "mentions do not come to Python; select rows in the tables",
}


class TableArguments(RequestArguments, total=False):
    """The keyword arguments of :func:`score_tables`, which explains them."""

    engine: Any
    memory: str | None
    temp: Path | None
    scratch: Path | None
    threads: int | None
    mention: str | Sequence[str] | None
    document: str | Sequence[str] | None
    duplicates: str | None
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
    *tables: Any, key: str = ..., response: str = ..., **arguments: Unpack[TableArguments]
) -> Report: ...
@overload
def score_tables(
    *tables: Any, key: str = ..., response: Sequence[str], **arguments: Unpack[TableArguments]
) -> SettingsReport: ...
def score_tables(
    *tables: Any, key: str = "", response: str | Sequence[str] = "", **arguments: Unpack[TableArguments]
) -> Report | SettingsReport:
    """Score tables of any size: the key and the response, or one table that has the entities of both.

    Every row names a mention and the entity that it belongs to, and perhaps a document. The scores are those of
    :func:`score`, whatever the engine.

    Parameters
    ----------
    tables
        The key and the response; or one table, if ``key`` and ``response`` name its columns. Paths of CSV or Parquet
        files, patterns with wildcards, names of tables, data frames, relations of DuckDB, ``{column: values}``.
    key, response
        The columns of the entities; without it they are found by their names, as ``entity`` or ``cluster_id``.
        Several columns of the response, in a list that may have patterns such as ``cluster_*``, are scored each, and
        make a ``SettingsReport``: say, clusters at several thresholds.
    engine
        ``duckdb`` (the default), a connection of DuckDB or a SparkSession. What is handed over is not closed.
    memory, temp, threads
        What DuckDB may take: memory such as ``4GB`` (half of what there is by default), the directory for what does
        not fit (45 bytes a mention at most; the system's by default), threads.
    scratch
        A directory that all machines of a Spark cluster see, for tables in between.
    mention, document
        The columns of mentions and documents; two names if key and response call them differently. An empty name of
        the document means that there is none.
    duplicates
        What becomes of a mention in several rows: ``error`` (the default), ``drop-equal`` or ``largest`` (the largest
        of its entities keeps it: the rules ``corrected``, up to the choice between equally large ones).
    per_document
        Whether the report has the scores of each document; by default of up to a million.
    documents_to
        A file for the scores of each document, however many: ``.csv``, ``.tsv`` or ``.parquet``.
    entities_to, response_entities_to
        A file for what became of each entity of the key, or of the response, as :func:`score_entities` has it.
    spreadsheet
        Whether these files, as ``.csv`` and ``.tsv``, are for spreadsheets: text that one would run as a formula gets
        a single quote in front, numbers stay numbers. By default ids are written as they are.
    kernel_limit
        The most cells that hang together for which CEAF is worked out; of more, bounds are given.
    progress
        Called before each step with its number, 0, and what comes.
    metrics, rules, singletons, documents, topic, preset
        As for :func:`score`; without metrics all official ones that need no words.

    >>> key = {"mention": [1, 2, 3, 4], "entity": ["x", "x", "x", "y"]}
    >>> response = {"mention": [1, 2, 3, 4], "entity": [5, 5, 6, 6]}
    >>> round(score_tables(key, response, metrics="muc")["muc"].f1, 4)
    0.5
    """
    asked, further = split(arguments, OWN)
    check_values({name: value for name, value in asked.items() if name not in ("engine", "duplicates", *ROLES)})
    if not isinstance(key, str):
        raise OptionError(f"key is the name of a column, not {key!r:.60}")
    for role in ROLES:
        if asked.get(role) is not None and not any(listed_names(role, asked[role])):
            raise OptionError(f"{role} is the name of a column, or several, not {asked[role]!r}")
    scoring = _TableScoring(_request(further), asked)
    columns = [response] if isinstance(response, str) else listed_names("response", response)
    roles = {role: asked.get(role) for role in ROLES}
    with ExitStack() as stack:
        engine = stack.enter_context(closing(_open(asked)))
        sides = stack.enter_context(labelled(engine, tables, key, columns, roles))
        if path := asked.get("documents_to"):
            file = DocumentFile(
                path, scoring.options, scoring.metrics, sides.response, spreadsheet=bool(asked.get("spreadsheet"))
            )
            scoring.file = stack.enter_context(file)
        scoring.open_entity_files(stack, asked, len(columns) > 1)
        reports = scoring.reports(sides)
    return next(iter(reports.values())) if isinstance(response, str) else SettingsReport(reports)


def _request(arguments: RequestArguments) -> Request:
    """The request, with metrics that an engine can count."""
    request = Request(arguments, metrics=without_words("corefud"))
    request.refuse(**REFUSED)
    for format_ in request.formats:
        if format_ not in (None, "table"):
            raise OptionError(f"an engine reads tables, not {format_}")
    reasons = {
        name: metric.not_from_looks for name in request.metrics for metric in counted([name]) if metric.not_from_looks
    }
    if reasons and arguments.get("metrics") is not None:
        said = "; ".join(f"{name} {reason}" for name, reason in reasons.items())
        raise OptionError(f"an engine cannot count all of this: {said}. Leave it out, or score in memory")
    return request.replaced(metrics=[name for name in request.metrics if name not in reasons])


def _open(asked: dict[str, Any]) -> Engine:
    """Open the engine with its limits."""
    memory = f"{parse_size(asked['memory'])}B" if "memory" in asked else ""
    budget = Budget(memory, path_name(asked.get("temp", "")), asked.get("threads", 0))
    return open_engine(asked.get("engine", "duckdb"), budget, path_name(asked.get("scratch", "")))


class _TableScoring:
    """Makes reports of the batched tables that an engine returns."""

    def __init__(self, request: Request, asked: dict[str, Any]) -> None:
        self._request, self.metrics = request, request.metrics
        self.options = request.options.completed(["table"])._replace(format="table")
        self._duplicates: str = asked.get("duplicates", "error")
        self._per_document: bool | None = asked.get("per_document")
        self._progress: Progress | None = asked.get("progress")
        self._limits = {name: asked[name] for name in ("kernel_limit",) if name in asked}
        self.file: DocumentFile | None = None
        """The file for the scores of documents, if there is one."""
        self._entity_files: dict[str, TableFile] = {}
        if self._duplicates == "largest" and not RULES[self.options.rules].one_owner:
            raise OptionError(f"duplicates largest is for rules that give a mention to one entity: {ONE_OWNER}")

    def open_entity_files(self, stack: ExitStack, asked: dict[str, Any], several: bool) -> None:
        """Open the files for the pieces of entities, by side."""
        for side, name in (("key", "entities_to"), ("response", "response_entities_to")):
            if path := asked.get(name):
                if several:
                    raise OptionError("tables of entities are of one response: name one column")
                table = TableFile(path_name(path), COLUMNS, spreadsheet=bool(asked.get("spreadsheet")))
                self._entity_files[side] = stack.enter_context(table)

    def reports(self, sides: BothSides) -> dict[str, Report]:
        """The report of each response, by its column."""
        documents = self._request.arguments.get("documents") or "apart"
        tabulated = tabulate(
            sides.engine,
            sides.key,
            sides.response,
            documents=documents,
            topic=self._request.group if documents == "topic" else None,
            singletons=self.options.singletons,
            duplicates=self._duplicates,
            progress=self._steps(),
            **self._limits,
        )
        with closing(tabulated) as each:
            return {one.response: self._report(one, sides) for one in each}

    def _steps(self) -> Callable[[str], None] | None:
        """A callback that numbers the steps."""
        progress, numbers = self._progress, count(1)
        return None if progress is None else lambda step: progress(next(numbers), 0, step)

    def _report(self, tabulated: TabulatedResponse, sides: BothSides) -> Report:
        facts, metrics = tabulated.facts, counted(self.metrics)
        warnings = check_facts(facts, sides, tabulated.response, self._duplicates, self.options.rules)
        keeps = self._keeps(facts)
        low, high = RowCollector(keeps), RowCollector(keeps)
        unsolved = False
        for names, stack in tabulated.batches():
            columns = counts_of(stack, metrics)
            low.add(names, columns)
            high.add(names, counts_of(stack.at_most, metrics) if stack.unsolved else columns)
            unsolved = unsolved or stack.unsolved
            if self.file:
                self.file.add(tabulated.response, names, columns)
        for side, file in self._entity_files.items():
            for part in tabulated.pieces(side):
                file.add(part)
        return Report(
            self.options,
            self.metrics,
            cast("Rows", low.rows()),
            high_rows=cast("Rows", high.rows()) if unsolved else None,
            warnings=list(warnings),
            inputs=inputs_of(facts, sides, tabulated.response),
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
