"""Layouts of comparisons: of systems, annotators and metrics, these by criteria, correlation and noise."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ...analysis.agreement import LEADING, Agreement
from ...analysis.alpha import DISTANCES
from ...analysis.correlation import COEFFICIENTS, FEW, Correlation, CorrelationValue
from ...analysis.criteria import CRITERIA, WORST, Criteria
from ...analysis.noise import PERTURBATIONS
from ...analysis.noise.curves import Curves
from ...comparison.mean_report import spread_notes
from ...comparison.paired_tests import RUNS, SIGNIFICANT, TESTS, TIE, p_equals, shown_p
from ...comparison.resampling import FEW as TOO_FEW
from ...comparison.resampling import Study, headline_of
from ...comparison.systems import Comparison
from ...comparison.tasks.result import TaskResult, TaskSettings
from ...core.errors import amount
from ...core.metrics import METRICS, headline_first, headline_metric
from ...core.numbers import headline
from ..layout import Beside, Block, Cell, Layout, Sheet, Span, Text, sheet_width
from ..text import GAP, cut_inside, percent
from .score import CAPTION, NOTHING, by_document, figure_shown, input_lines, shown_figure, titles

SHORTEST_NAME, LONGEST_NAME = 12, 28  # columns; the longest above a column that is as wide as that
BETTER, WORSE = "↑", "↓"
"""The marks of systems that are significantly better or worse than the baseline."""


def lay_out_comparison(comparison: Comparison, per_document: bool, width: int | None) -> Layout:
    """Systems as rows, the best first, and metrics as columns, the headline metric first; the best in bold.

    If intervals of all metrics do not fit into ``width``, only those of the headline metric are shown.
    """
    metrics = headline_first(comparison.metrics)
    main = metrics[0]
    study = comparison.study
    sheets = [
        by_document(f"{METRICS[metric].title} per document", comparison.reports, metric)
        for metric in metrics
        if per_document
    ]
    everything = list(_everything(comparison, metrics))
    fits = width is None or max(map(sheet_width, everything)) <= width
    sheets += everything if fits else _ranking(comparison, metrics, width or 0)
    notes = method(comparison, main)
    if study and not fits:
        notes.append("--wide shows intervals and differences of all metrics")
    notes += [*unanimity(comparison), *comparison.notes, *key_read(comparison)]
    return Layout(sheets, [comparison.signature], notes, CAPTION)


def unanimity(comparison: Comparison) -> list[str]:
    """Whether all metrics agree on the order of the systems; nothing for one system or one metric."""
    systems = len(comparison.reports)
    if systems < 2 or sum(not METRICS[name].parts for name in comparison.metrics) < 2:
        return []
    pairs, agreed = systems * (systems - 1) // 2, comparison.unanimous()
    if pairs > 1:
        return [f"all metrics agree on the order of {len(agreed)} of {pairs} pairs of systems"]
    return [f"all metrics agree: {agreed[0][0]} is better" if agreed else "no system is better by all metrics"]


def method(comparison: Comparison, main: str, title: str = "") -> list[str]:
    """How intervals and p-values were computed, and the power of the test; a metric may have another title."""
    study, runs = comparison.study, comparison.runs
    notes = spread_notes({name: len(report.runs) for name, report in runs.items()})
    if not study:
        return notes
    level = f"{100 * study.plan.level:g} %"
    units = comparison.resampled.partition(":")[0]
    resamples = f"{study.plan.resamples:,} resamples of {comparison.resampled}"
    if runs:
        resamples = f"runs and {units}" + (
            f", of one run from {resamples}" if len(runs) < len(comparison.reports) else ""
        )
    notes.append(f"[low, high]: {level} interval from {resamples}")
    if study.differences:
        adjusted = "adjusted by Holm's method" if len(study.differences) > 1 else ""
        detectable = max(differences[main].detectable for differences in study.differences.values())
        power = f"80 % power to detect a difference of {percent(detectable)} {title or METRICS[main].title} points"
        test = TESTS[RUNS].title.removeprefix("a ") if runs else f"{study.plan.test} test"
        test = f"{test}{adjusted and ', p '}{adjusted}"
        notes.append(f"differences from {study.baseline}: {BETTER} better, {WORSE} worse, p < {SIGNIFICANT} ({test})")
        if study.least_p < SIGNIFICANT:
            notes.append(f"with these {study.documents} {units}, {power}")
        elif study.documents >= TOO_FEW:  # of fewer, a caution says so
            least = f"no p {adjusted or 'of this test'} can be below {study.least_p:.3g}"
            notes.append(f"with these {study.documents} {units}, {least}")
    return notes


def key_read(comparison: Comparison) -> list[str]:
    """What was read of the key, as all responses are over the same one."""
    return [line for line in input_lines(next(iter(comparison.reports.values()))) if not line.startswith("response")]


def _ranking(comparison: Comparison, metrics: Sequence[str], width: int) -> Iterator[Sheet]:
    """The main metric with intervals and differences; then the others, by the numbers of the systems."""
    main, *others = metrics
    ranked, study = comparison.ranked(main), comparison.study
    head, columns = [METRICS[main].title], [score_cells(comparison, main, ranked)]
    if study and study.differences:
        head.append(f"− {cut_inside(study.baseline, LONGEST_NAME)}")
        columns.append([difference_cell(comparison, study, system, main) for system in ranked])
    digits = len(str(len(ranked)))
    numbers = [f"{number:{digits}}" for number in range(1, len(ranked) + 1)]
    room = max(width - sheet_width(sheet_from(head, *columns)) - len(GAP) - digits - 1, SHORTEST_NAME)
    names = [f"{number} {cut_inside(system, room)}" for number, system in zip(numbers, ranked, strict=True)]
    yield sheet_from([figure_shown(comparison.reports.values()), *head], map(Cell, names), *columns)
    columns = [score_cells(comparison, metric, ranked, intervals=False) for metric in others]
    by_name, by_number = (
        sheet_from(["", *titles(others)], map(Cell, labels), *columns) for labels in (names, numbers)
    )
    if others:
        yield by_name if sheet_width(by_name) <= width else by_number


def _everything(comparison: Comparison, metrics: Sequence[str]) -> Iterator[Sheet]:
    """All scores with their intervals, then all differences from the baseline."""
    ranked, study = comparison.ranked(metrics[0]), comparison.study
    columns = [score_cells(comparison, metric, ranked) for metric in metrics]
    yield sheet_from([figure_shown(comparison.reports.values()), *titles(metrics)], map(Cell, ranked), *columns)
    if study and study.differences:
        others = [system for system in ranked if system != study.baseline]
        rows = [
            [Cell(system), *(difference_cell(comparison, study, system, metric) for metric in metrics)]
            for system in others
        ]
        yield Sheet([f"− {study.baseline}", *titles(metrics)], rows)


def sheet_from(head: Sequence[str], *columns: Iterable[Cell]) -> Sheet:
    """A table of columns."""
    return Sheet(head, [list(row) for row in zip(*columns, strict=True)])


def score_cells(comparison: Comparison, metric: str, systems: Sequence[str], *, intervals: bool = True) -> list[Cell]:
    """A column of scores."""
    best = comparison.best(metric)
    cells = []
    for name in systems:
        figure = comparison[name].figure(metric)
        interval = comparison.interval(name, metric) if intervals and figure is not None else None
        note = f"[{percent(interval.low)}, {percent(interval.high)}]" if interval else ""
        note = " ".join(filter(None, [shown_spread(comparison.spread(name, metric)), note]))
        cells.append(Cell(shown_figure(figure), name in best, note))
    return cells


def shown_spread(spread: float | None) -> str:
    """A standard deviation over runs, in percent.

    >>> shown_spread(0.0041), shown_spread(None)
    ('±0.41', '')
    """
    return "" if spread is None else f"±{percent(spread)}"


def difference_cell(comparison: Comparison, study: Study, system: str, metric: str) -> Cell:
    """The difference of a system from the baseline, with its interval, p-value and mark."""
    if system == study.baseline:
        return Cell()
    if any(comparison[name].nothing(metric) for name in (system, study.baseline)):
        return Cell(NOTHING)
    difference = study.differences[system][metric]
    low, high = (f"{100 * value:+.2f}" for value in difference.interval)
    sign = significance(comparison, study, system, metric)
    note = f"[{low}, {high}] {p_equals(difference.adjusted)}"
    return Cell(f"{100 * difference.difference:+.2f}", sign == BETTER, note, sign)


def significance(comparison: Comparison, study: Study, system: str, metric: str) -> str:
    """``BETTER`` or ``WORSE`` if a system differs significantly from the baseline; empty otherwise."""
    if system == study.baseline or study.differences[system][metric].adjusted >= SIGNIFICANT:
        return ""
    perfect = METRICS[metric].scale.perfect
    own, other = (abs(perfect - headline(comparison[name][metric])) for name in (system, study.baseline))
    return BETTER if own < other else WORSE


Columns = Sequence[tuple[str, Mapping[str, Cell]]]
"""Titles, each with the cell of every system; a data set may be called like another column."""
KINDS = ("language", "group")
BEST = "The best figures are bold"


def lay_out_task(result: TaskResult | TaskSettings, per_document: bool, width: int | None) -> Layout:
    """The ranking metric on every data set, and all metrics averaged; the best in bold.

    Several settings begin with an overview; with a ``width``, only the first shows more than its ranking metric.
    """
    notes = result.notes
    heading = (result if isinstance(result, TaskResult) else result.first).heading
    about: list[Block] = [Text([[Span(heading[0], "strong")], *heading[1:]])] if heading else []
    if isinstance(result, TaskResult):
        sheets = [*(documents(result) if per_document else ()), *tables(result)]
        return Layout([*about, *sheets], [result.signature], notes, CAPTION)
    sheets = [settings_overview(result)]
    for title, of_setting in result.items():
        sheets += documents(of_setting, title) if per_document else ()
        everything = width is None or of_setting is result.first
        sheets += [sheet for sheet in tables(of_setting, title) if everything or "Rank" in sheet.head]
    if width is not None and len(result) > 1:
        notes = [*notes, "--wide shows all tables of all settings"]
    return Layout([*about, *sheets], [result.signature], notes, CAPTION)


def documents(result: TaskResult, setting: str = "") -> Iterator[Sheet]:
    """The ranking metric on every document, a table for each data set."""
    metric = result.scheme.rank_by
    for dataset in result.datasets:
        reports = {system: result[system][dataset] for system in result.ranks if dataset in result[system]}
        if reports:
            yield by_document(f"{METRICS[metric].title} on {dataset}", reports, metric)._replace(title=setting)


def tables(result: TaskResult, setting: str = "") -> Iterator[Sheet]:
    """Systems by data sets, by parts of the task, and by metrics; each under the title of its setting."""
    metric = result.scheme.rank_by
    title = METRICS[metric].title
    under = f" ({setting})" if setting else ""
    systems = amount(len(result), "system")
    best = BEST if len(result) > 1 else ""
    datasets = amount(len(result.datasets), "data set")
    sure = f", {100 * result.scheme.plan.level:g} % intervals" if result.intervals else ""
    about = f"{title}{under} in percent of {systems} on {datasets}, with ranks and macro averages{sure}. {best}"
    yield system_sheet(title, result, by_dataset(result, metric), setting, about)
    for kind in KINDS:
        parts = [part for part in result.parts if part.kind == kind]
        if parts:
            columns = [
                (result.task.language_name(part.name), averages(result, metric, part.datasets)) for part in parts
            ]
            about = f"Macro averages of {title}{under} in percent by {kind}, over the data sets of each. {best}"
            yield system_sheet(f"{title} by {kind}", result, columns, setting, about)
    if sheet := other_metrics(result):
        about = f"Macro averages over {datasets}{under} in percent of {systems}, by metric. {best}"
        yield sheet._replace(title=setting, caption=about.strip())


def other_metrics(result: TaskResult) -> Sheet | None:
    """The macro averages of the metrics that do not rank; None if there are no others."""
    others = [name for name in result.metrics if name != result.scheme.rank_by]
    columns = [(METRICS[name].title, averages(result, name)) for name in others]
    return system_sheet("Macro average", result, columns, "", "") if columns else None


def settings_overview(result: TaskSettings) -> Sheet:
    """The macro average of the ranking metric and the rank of each system in each setting."""
    columns = []
    for title, of_setting in result.items():
        cells, ranks = averages(of_setting, of_setting.scheme.rank_by), of_setting.ranks
        ranked = {
            system: cell._replace(note=f"{cell.note} ({shown_rank(ranks[system])})".lstrip())
            for system, cell in cells.items()
        }
        columns.append((title, cells if of_setting.nothing(of_setting.scheme.rank_by) else ranked))
    metrics = dict.fromkeys(METRICS[of_setting.scheme.rank_by].title for of_setting in result.values())
    about = f"Macro averages in percent, with ranks in brackets, by setting ({', '.join(metrics)})."
    return system_sheet("Macro average", result.first, columns, "", f"{about} {BEST}")


def by_dataset(result: TaskResult, metric: str) -> Columns:
    """Rank, average, and the score on every data set; the status of a submission that was not scored."""
    ranks = {system: Cell(shown_rank(rank)) for system, rank in result.ranks.items()}
    for system, shared in result.shared_ranks.items():
        reason = "equal" if shared.adjusted is None else p_equals(shared.adjusted)
        ranks[system] = ranks[system]._replace(note=reason)
    columns: list[tuple[str, Mapping[str, Cell]]] = [("Rank", ranks), ("Macro", averages(result, metric))]
    if result.intervals:
        found = {system: "–".join(map(percent, interval)) for system, interval in result.intervals.items()}
        shown = {system: Cell(found.get(system, NOTHING)) for system in result}
        columns.append((f"{100 * result.scheme.plan.level:g} %", shown))
    statuses = {(problem.system, problem.dataset): problem.status for problem in result.problems}
    for dataset in result.datasets:
        scores = {system: result[system][dataset].figure(metric) for system in result if dataset in result[system]}
        unscored = {system: Cell(statuses[system, dataset]) for system in result if system not in scores}
        cells = _cells(metric, scores, marked=None not in scores.values())
        cells = _with_spread(result, cells, metric, (dataset,))
        columns.append((dataset, {**cells, **unscored}))
    return columns


def shown_rank(rank: int | None) -> str:
    """A rank; a dash if there is none."""
    return NOTHING if rank is None else str(rank)


def averages(result: TaskResult, metric: str, datasets: tuple[str, ...] | None = None) -> dict[str, Cell]:
    """By system the macro average of a metric over all data sets, or over these; the best in bold."""
    nothing = result.nothing(metric, datasets)
    scores = {system: None if nothing else result.average(system, metric, datasets) for system in result}
    return _with_spread(result, _cells(metric, scores), metric, datasets)


def _with_spread(
    result: TaskResult, cells: Mapping[str, Cell], metric: str, datasets: tuple[str, ...] | None
) -> dict[str, Cell]:
    """The cells, those of systems of several runs with their standard deviation."""
    noted = {**cells}
    for system in result.runs:
        if system in cells and cells[system].text != NOTHING:
            spread = result.spread(system, datasets)
            noted[system] = cells[system]._replace(note=shown_spread(headline_of(spread[metric])))
    return noted


def _cells(metric: str, scores: Mapping[str, float | None], *, marked: bool = True) -> dict[str, Cell]:
    """The scores of a column; the best are bold if they are ``marked``.

    Where the key has nothing to find, any score only counts errors, and no system is marked as the best.
    """
    perfect = METRICS[metric].scale.perfect
    distances = {system: abs(perfect - score) for system, score in scores.items() if score is not None}
    least = min(distances.values(), default=0.0)
    return {
        system: Cell(shown_figure(score), marked and system in distances and distances[system] - least < TIE)
        for system, score in scores.items()
    }


def system_sheet(corner: str, result: TaskResult, columns: Columns, title: str, caption: str) -> Sheet:
    """Systems as rows, in the order of their ranks."""
    titles, cells = zip(*columns, strict=True)
    rows = [[Cell(system), *(column[system] for column in cells)] for system in result.ranks]
    return Sheet([corner, *titles], rows, title=title, caption=caption.strip())


def lay_out_agreement(agreement: Agreement, per_document: bool, width: int | None) -> Layout:  # noqa: ARG001
    """Mean, least and greatest agreement by metric, then a matrix for each; of two annotators, one column.

    Where no metrics are named, only the leading ones with their reasons, and the matrix of the headline metric.
    """
    names, metrics, several = agreement.annotators, agreement.shown, len(agreement) > 1
    leading = metrics == tuple(LEADING)
    blocks: list[Block] = [Text([f"Agreement of {', '.join(names)}, in percent"])]
    if per_document:
        corner = "Document (mean over pairs)" if several else "Document"
        by_document = [
            [document, *(shown_figure(means[metric]) for metric in metrics)]
            for document, means in agreement.documents.items()
        ]
        blocks.append(Sheet.of([corner, *titles(metrics)], by_document))
    rows = []
    for metric in metrics:
        values = [value for report in agreement.values() if (value := report.figure(metric)) is not None]
        columns = 3 if several else 1
        figures = [agreement.mean(metric), min(values), max(values)][-columns:] if values else [None] * columns
        rows.append([METRICS[metric].title, *map(shown_figure, figures)])
    blocks.append(Sheet.of(["", "Mean", "Least", "Most"] if several else ["", "Agreement"], rows))
    if leading:
        blocks.append(Text([f"{METRICS[metric].title}: {reason}" for metric, reason in LEADING.items()]))
    if several and not leading:
        blocks.append(Beside([_matrix(agreement, metric) for metric in metrics]))
    elif several and len(names) <= MATRIX:
        blocks.append(_matrix(agreement, headline_metric(metrics)))
    if alpha := agreement.alpha():
        rows = [
            [
                DISTANCES[name][0],
                shown_figure(one.alpha),
                NOTHING if one.low is None or one.high is None else f"{percent(one.low)} to {percent(one.high)}",
                *map(shown_figure, (one.observed, one.expected)),
            ]
            for name, one in alpha.items()
        ]
        head = ["Krippendorff's α", "α", "95 % interval", "Disagreement", "Expected"]
        blocks.append(Sheet.of(head, rows))
    others = len(agreement.metrics) - len(metrics)
    notes = [f"--all shows {amount(others, 'more measure')}{' and their matrices' if several else ''}"]
    return Layout(blocks, [agreement.signature], notes if others else ())


MATRIX = 8
"""Maximum number of annotators whose matrix is shown unasked."""


def _matrix(agreement: Agreement, metric: str) -> Sheet:
    """The agreement of every annotator with every other."""
    names = agreement.annotators
    rows = [
        [one, *("" if one == other else shown_figure(value) for other, value in zip(names, row, strict=True))]
        for one, row in zip(names, agreement.matrix(metric), strict=True)
    ]
    return Sheet.of([METRICS[metric].title, *names], rows)


HEADS = [row.number for row in CRITERIA.values()]


def lay_out_criteria(result: Criteria, per_document: bool, width: int | None) -> Layout:  # noqa: ARG001
    """The criteria, the metrics that meet them, metrics that are never below others, and counterexamples."""
    legend = [f"  {row.number}: {row.title}" for row in CRITERIA.values()]
    rows = [
        [METRICS[name].title, *("yes" if finding.holds else "no" for finding in result.findings[name].values())]
        for name, *_ in result.same
    ]
    same = [f"  {', '.join(titles(group))}" for group in result.same if len(group) > 1]
    orders = [f"  {METRICS[more].title} ≥ {METRICS[less].title}" for more, less in result.orders]
    indulgence = "(6) no metric is always at least as indulgent as another"
    if orders:
        indulgence = "(6) always at least as indulgent, as far as was tried; no other two metrics are ordered:"
    witnesses = [  # the smallest pair that breaks a criterion; for (5), the smallest that scores 0
        [METRICS[name].title, CRITERIA[criterion].number, *finding.witness[:2], percent(finding.witness[2])]
        for name, *_ in result.same
        for criterion, finding in result.findings[name].items()
        if finding.witness
    ]
    blocks: list[Block] = [
        Text(["Coherence criteria (Popescu-Belis 2000), by their numbers; F1 or value", *legend]),
        Sheet.of(["", *HEADS], rows, left=1 + len(HEADS)),
        *([Text(["The same on one set of mentions:", *same])] if same else []),
        Text([indulgence, *orders]),
        Sheet.of(["Witness", "", "key", "response", "score"], witnesses, left=4, whole=True),
    ]
    notes = [
        f"all {result.pairs:,} kinds of pairs of partitions of up to {result.mentions} mentions that both sides have",
        f"(6) was tried on {result.larger_pairs:,} larger pairs, too; that there is no counterexample is no proof",
        WORST,
        "where (5) says no, 0 is never scored, and (3) holds of itself",
        "1 is perfect; of an error measure, 1 minus its value is looked at",
    ]
    return Layout(blocks, [result.signature], notes, "Coherence criteria")


NAMED = 12
"""Maximum number of systems that are named; of more, the first ones and the last are."""
LETTERS = {"recall": "R", "precision": "P", "f1": "F1"}


def lay_out_correlation(correlation: Correlation, per_document: bool, width: int | None) -> Layout:  # noqa: ARG001
    """One table for each coefficient, with p-values if one metric is compared with the rest."""
    systems = correlation.systems
    named = ", ".join(systems) if len(systems) <= NAMED else f"{', '.join(systems[: NAMED - 1])}, … {systems[-1]}"
    blocks: list[Block] = [Text([f"Correlations between metrics over {len(systems)} systems: {named}"])]
    for name in COEFFICIENTS:
        if correlation.against:
            blocks.append(_against(correlation, name))
        else:
            blocks += [_triangle(correlation, name, figure) for figure in correlation.figures]
    if not correlation.against:
        blocks.append(Text([f"(In brackets): p ≥ {SIGNIFICANT}, it may well be chance."]))
    constant = [name for name in correlation.scores if correlation.value("pearson", name, name) is None]
    if constant:
        message = f"{NOTHING} is undefined: all systems score the same in {', '.join(titles(constant))}"
        blocks.append(Text([message]))
    if len(systems) < FEW:
        blocks.append(Text([f"With fewer than {FEW} systems, chance has a large say in these figures."]))
    return Layout(blocks, correlation.signatures or ("published scores, without a signature",))


def _triangle(correlation: Correlation, name: str, figure: str) -> Sheet:
    """The lower half of a matrix: the upper half is the same."""
    metrics = headline_first(correlation.scores_of(figure))
    shown = titles(metrics)
    rows = []
    for number, one in enumerate(metrics[1:], 1):
        row = [shown[number]]
        for other in metrics[:number]:
            found = correlation.correlated(name, one, other, figure)
            row.append(f"({figure_of(found)})" if found and found.p >= SIGNIFICANT else figure_of(found))
        rows.append([*row, *[""] * (len(metrics) - 1 - number)])
    title = COEFFICIENTS[name].title
    if len(correlation.figures) > 1:
        title += f", {LETTERS[figure]}"
    return Sheet.of([title, *shown[:-1]], rows, sparse=True)


def _against(correlation: Correlation, name: str) -> Sheet:
    """Every other metric, with the coefficient and the p-value of each figure: Table 3 of Luo et al. (2014)."""
    head = [f"{COEFFICIENTS[name].title} with {titles([correlation.against])[0]}"]
    for figure in correlation.figures:
        head += [LETTERS[figure], "p"]
    rows = []
    for metric in headline_first(correlation.metrics):
        if metric == correlation.against:
            continue
        row = titles([metric])
        for figure in correlation.figures:
            has_both = (correlation.against, metric) in correlation.pairs(figure)
            found = correlation.correlated(name, correlation.against, metric, figure) if has_both else None
            row += [figure_of(found), shown_p(found.p) if found else NOTHING]
        rows.append(row)
    return Sheet.of(head, rows)


def figure_of(correlated: CorrelationValue | None) -> str:
    """A coefficient with three decimals.

    >>> figure_of(CorrelationValue(0.98765, 0.001)), figure_of(None)
    ('0.988', '–')
    """
    return NOTHING if correlated is None else f"{correlated.value:.3f}"


BARS = "▁▂▃▄▅▆▇█"


def lay_out_curves(curves: Curves, per_document: bool, width: int | None) -> Layout:  # noqa: ARG001
    """A table for each kind of noise, with a small picture of each curve."""
    noisy = curves.by == "noise"
    of = f"{curves.response or curves.key} {'with noise' if noisy else 'by length of text'}"
    blocks: list[Block] = [Text([f"Scores of {of}, in percent"])]
    for kind, title in curves.titles.items():
        levels = curves.levels(kind)
        most = levels[-1]
        changes = amount(curves.changes[kind][most], "change" if noisy else "mention")
        changes += f" at {most} %" if most < 100 else ""
        rows = []
        for metric in headline_first(curves.metrics):
            figures = [report.figure(metric) for report in curves.reports[kind].values()]
            shown = [NOTHING if figure is None else percent(figure, 1) for figure in figures]
            rows.append([METRICS[metric].title, sparkline(figures), *shown])
        title = f"{kind}: {title}; 100 % is {PERTURBATIONS[kind].of if noisy else 'the whole text'} ({changes})"
        blocks.append(Sheet.of(["", "", *(f"{level} %" for level in levels)], rows, title=title, left=2))
    return Layout(blocks, [curves.signature])


def sparkline(values: Sequence[float | None]) -> str:
    """A bar for each value from 0 to 1: the lowest for values below 0, a blank for None.

    >>> sparkline([1.0, 0.75, 0.5, 0.25, None, 0.0, -0.5])
    '█▇▅▃ ▁▁'
    """
    most = len(BARS) - 1
    return "".join(" " if value is None else BARS[max(0, min(int(value * len(BARS)), most))] for value in values)
