"""Accuracy over annotated pronouns: right / pronouns, in pairs of conditions such as those of WinoBias

A pronoun is probed if its key entity has another mention that is no pronoun: its annotated antecedents. It is right
if its response entity has one of these, too: the recall of ``anaphora_classes``. Mentions are matched as in every
score. Pronouns are those of UPOS, and words of English, or words that are given.

Conditions are versions of one text that differ in what is probed: stereotypical and anti-stereotypical pronouns
(Zhao et al. 2018), or sets of pronouns. The documents of all conditions form pairs, which are resampled: a difference
of accuracies has a paired bootstrap interval, and a p-value of the paired test.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import Any, ClassVar, Unpack

from ..core.document import Document, Mention, mention_type
from ..core.errors import InputError, OptionError
from ..core.naming import check_values, listed_names
from ..core.report import Report, Rows
from ..core.request import Path, Progress, Request, Where, split
from ..core.result import Plain, Result, how_many_numbers
from ..core.version import __version__
from ..formats.detection import recognised
from ..formats.files import score
from ..formats.naming import checked_names, names_of
from ..formats.source import path_name, refuse_pipes
from .gap import NAME_MATCHES, GapReport, NameMatch, score_gap
from .paired_tests import TESTS
from .resampling import Interval, Plan, study
from .systems import Comparison, ComparisonArguments

PROBE_SCHEMA = "corefscope-probe-1"
METRIC = "anaphora_classes"
ENGLISH = frozenset(
    (
        *("i", "me", "my", "mine", "myself", "you", "your", "yours", "yourself", "yourselves", "he", "him", "his"),
        *("himself", "she", "her", "hers", "herself", "it", "its", "itself", "we", "us", "our", "ours"),
        *("ourselves", "they", "them", "their", "theirs", "themself", "themselves", "xe", "xem", "xyr", "xyrs"),
        *("xemself", "ze", "zir", "zirs", "zirself", "hir", "hirs", "hirself", "ey", "em", "eir", "eirs"),
    )
)


class ProbeReport(Result):
    """Accuracies by condition: ``report.accuracy("pro")``; the first condition is what others are compared with."""

    NAMES: ClassVar[tuple[str, ...]] = ("condition",)

    def __init__(
        self, comparison: Comparison, condition: str | None = None, pronouns: Sequence[str] | None = None
    ) -> None:
        self.comparison = comparison
        """The conditions as systems, over pairs of documents; recall, precision and F1 are all the accuracy."""
        self.condition = condition
        """The regular expression that finds conditions in the ids of documents, if one does."""
        self.pronouns = pronouns
        """The words that are pronouns, if they were named."""

    @property
    def conditions(self) -> tuple[str, ...]:
        """The names of the conditions."""
        return tuple(self.comparison.reports)

    def counts(self, condition: str) -> tuple[int, int]:
        """The number of pronouns that are right, and of all pronouns."""
        right, pronouns, *_ = self.comparison[condition].counts(METRIC).values()
        return int(right), int(pronouns)

    def accuracy(self, condition: str) -> float:
        """The share of pronouns that are right."""
        return float(self.comparison[condition][METRIC].recall)

    def interval(self, condition: str) -> Interval | None:
        """The interval of an accuracy; None if there is only one pair."""
        return self.comparison.interval(condition, METRIC)

    @property
    def pairs(self) -> dict[str, dict[str, tuple[int, int]]]:
        """By pair and condition how many pronouns are right, and how many there are."""
        rows = {name: report.rows for name, report in self.comparison.reports.items()}
        first = rows[self.conditions[0]]
        return {
            pair: {name: (int(of[pair][0][0]), int(of[pair][0][1])) for name, of in rows.items()} for pair in first
        }

    @property
    def all_right(self) -> int:
        """The number of pairs whose pronouns are right in every condition."""
        return sum(
            any(all_ for _, all_ in of.values()) and all(right == all_ for right, all_ in of.values())
            for of in self.pairs.values()
        )

    @property
    def warnings(self) -> list[str]:
        """Warnings about the files."""
        return self.comparison.warnings

    @property
    def signature(self) -> str:
        """The options of the score, and the plan of the resampling."""
        reports = list(self.comparison.reports.values())
        options = reports[0].options.as_of(report.options for report in reports)
        plan = f"|{self.comparison.study.plan}" if self.comparison.study else ""
        return f"{options}{plan}|v{__version__}"

    @property
    def summary(self) -> str:
        """The accuracy of each condition."""
        return ", ".join(f"{name}: accuracy={self.accuracy(name):.4f}" for name in self.conditions)

    def to_dict(self, per_document: bool = True) -> Plain:
        """As plain values, as the schema ``corefscope-probe-1`` describes them."""
        found = self.comparison.study
        conditions = {}
        for name, report in self.comparison.reports.items():
            right, pronouns = self.counts(name)
            conditions[name] = {
                "files": [side.name for side in report.inputs],
                "right": right,
                "pronouns": pronouns,
                "accuracy": self.accuracy(name),
                "interval": self.interval(name),
            }
        values = {
            "schema": PROBE_SCHEMA,
            "signature": self.signature,
            "condition": self.condition,
            "pronouns": self.pronouns and list(self.pronouns),
            "conditions": conditions,
            "baseline": self.conditions[0],
            "differences": {
                name: difference[METRIC]._asdict()
                for name, difference in (found.differences if found else {}).items()
            },
            "pairs": len(self.pairs),
            "all_right": self.all_right,
            "plan": found.plan._asdict() if found else None,
            "by_pair": [
                {"pair": pair, "conditions": {name: list(counts) for name, counts in of.items()}}
                for pair, of in (self.pairs.items() if per_document else ())
            ],
            "notes": self.comparison.notes,
            "warnings": self.warnings,
        }
        return {**values, "numbers": how_many_numbers(values)}

    def to_records(self, per_document: bool = False) -> list[Plain]:
        """One flat record for each condition; with ``per_document`` for each of its documents as well."""
        found = self.comparison.study
        records: list[Plain] = []
        for name in self.conditions:
            right, pronouns = self.counts(name)
            record: Plain = {"condition": name, "pair": "", "right": right, "pronouns": pronouns}
            record["accuracy"] = self.accuracy(name)
            record["low"], record["high"] = self.interval(name) or (None, None)
            if found and name in found.differences:
                difference = found.differences[name][METRIC]
                record["difference"] = difference.difference
                record["difference_low"], record["difference_high"] = difference.interval
                record["p"], record["p_adjusted"] = difference.p, difference.adjusted
            records.append({**record, "signature": self.signature})
        if per_document:
            records += [
                {"condition": name, "pair": pair, "right": right, "pronouns": pronouns}
                for pair, of in self.pairs.items()
                for name, (right, pronouns) in of.items()
            ]
        return records


def probe(
    key: Path,
    response: Path,
    *conditions: Path,
    names: str | Sequence[str] | None = None,
    condition: str | None = None,
    pronouns: str | Sequence[str] | None = None,
    gap: NameMatch | None = None,
    progress: Progress | None = None,
    **arguments: Unpack[ComparisonArguments],
) -> GapReport | ProbeReport:
    """Probe how pronouns are resolved: GAP by gender, or the accuracy over annotated pronouns by condition.

    Parameters
    ----------
    key, response
        As for :func:`corefscope.score`. If the key is a file of GAP, the response is the table of decisions (ID, A,
        B), or any clustering of the texts.
    conditions
        Key and response of further conditions.
    names
        The names of the conditions; by default the parts of the paths of their keys that differ.
    condition
        A regular expression that finds the condition in the ids of documents: its first group, or its match.
        Documents whose ids are the same without it form a pair.
    pronouns
        The words that are pronouns; by default those of English, and mentions whose head is a pronoun by UPOS.
    gap
        For GAP and a clustering: which mentions are a name, ``exact`` (the default) or ``overlap``.
    resamples, seed, level, test
        As for :func:`corefscope.compare`; a sample draws pairs of documents, or examples of GAP.
    progress, match, key_format, response_format, words, …
        As for :func:`corefscope.score`.
    """
    check_values({"condition": condition, "progress": progress})
    files = [key, response, *conditions]
    for path in files:
        check_values({"key": path})
    if len(files) % 2:
        raise OptionError("give two files for each condition: a key and a response")
    if gap is not None:
        OptionError.check("gap", gap, NAME_MATCHES)
    chosen, of_request = split(arguments, Plan._fields)
    plan = Plan(**chosen).checked()
    OptionError.check("test", plan.test, TESTS)
    request = Request(of_request)
    own = "a probe has its own"
    request.refuse(
        **dict.fromkeys(("metrics", "anaphors", "preset"), own),
        **dict.fromkeys(("baseline", "weights"), "accuracies are counted from 0, and each pronoun once"),
        documents="a probe pairs documents",
    )
    keys = [path_name(path) for path in files[::2]]
    is_gap = os.path.isfile(keys[0]) and recognised(keys[0], request.formats[0]) == "gap"
    if is_gap:
        if conditions or any(value is not None for value in (names, condition, pronouns, chosen.get("test"))):
            message = "leave further files, names, condition, pronouns and test out"
            raise OptionError(f"GAP compares feminine with masculine pronouns: {message}")
        matching = ("match", "zeros", "singletons", "rules", "heads", "only", "classes")
        request.refuse(**dict.fromkeys(matching, "GAP counts decisions, and gap says which mentions are a name"))
        refuse_pipes(files, "it is read twice", OptionError)
        return score_gap(request, key, response, gap or "exact", plan, progress)
    if gap is not None:
        raise OptionError(f"gap is for a key of GAP, which {keys[0]} is not")
    reports = _reports(files, keys, names, condition, pronoun_predicate(pronouns), progress, of_request)
    words = None if pronouns is None else [word.strip() for word in listed_names("pronouns", pronouns)]
    try:
        return ProbeReport(Comparison(reports, study(reports, METRIC, **chosen), "documents"), condition, words)
    except InputError as error:
        if len(next(iter(reports.values())).rows) > 1:
            raise
        return ProbeReport(Comparison(reports, None, "nothing", error.message), condition, words)


def pronoun_predicate(words: str | Sequence[str] | None) -> Where:
    """Whether a mention is one of these words; without them, an English pronoun or one by UPOS."""
    named = None if words is None else [word.strip().lower() for word in listed_names("pronouns", words)]
    if named is not None and not all(named or [""]):
        raise OptionError("pronouns are words, separated by commas: he,him,his")
    forms = ENGLISH if named is None else frozenset(named)

    def is_pronoun(document: Document, mention: Mention) -> bool:
        found = document.words_of(mention)
        if len(found) == 1 and found[0].lower() in forms:
            return True
        return named is None and mention_type(document, mention) == "pronoun"

    is_pronoun.__name__ = "english-pronouns" if named is None else "-".join(["pronouns", *named])
    return is_pronoun


def _reports(
    files: Sequence[Path],
    keys: Sequence[str],
    names: str | Sequence[str] | None,
    condition: str | None,
    is_pronoun: Where,
    progress: Progress | None,
    arguments: Any,
) -> dict[str, Report]:
    """The counts of each condition by pair, as rows in which recall and precision are the accuracy."""
    asked = {**arguments, "metrics": METRIC, "anaphors": is_pronoun}
    scored = [
        score(key, response, progress=progress, **asked)
        for key, response in zip(files[::2], files[1::2], strict=True)
    ]
    if condition is None:
        labels = names_of(keys, names)
        by_condition = dict(zip(labels, map(_rows, scored), strict=True))
        of_condition = dict(zip(labels, scored, strict=True))
        ids = [list(rows) for rows in by_condition.values()]
        if any({*of} != {*ids[0]} for of in ids):
            if any(len(of) != len(ids[0]) for of in ids):
                counts = ", ".join(f"{name}: {len(of):,}" for name, of in zip(labels, ids, strict=True))
                hint = "each document needs one in every condition, of the same name or at the same place"
                raise InputError(f"conditions have different numbers of documents ({counts})", hint=hint)
            by_condition = {
                name: dict(zip(ids[0], rows.values(), strict=True)) for name, rows in by_condition.items()
            }
    else:
        if len(scored) > 1:
            raise OptionError("condition finds conditions in the ids of documents: give one key and one response")
        by_condition = split_rows(_rows(scored[0]), condition, keys[0])
        if names is not None:
            listed = checked_names(names, len(by_condition), "conditions")
            by_condition = dict(zip(listed, by_condition.values(), strict=True))
        of_condition = dict.fromkeys(by_condition, scored[0])
    first = next(iter(by_condition.values()))
    reports = {}
    for name, rows in by_condition.items():
        if not sum(row[0][1] for row in rows.values()):
            hint = "name the words that are pronouns: --pronouns he,him,his"
            raise InputError(f"{name}: no pronoun corefers with another mention of the key", path=keys[0], hint=hint)
        reports[name] = of_condition[name].with_rows({pair: rows[pair] for pair in first})
    return reports


def _rows(report: Report) -> Rows:
    """For each document (right, pronouns) twice: recall and precision, and so F1, are the accuracy."""
    rows: Rows = {}
    for document, (counts,) in report.rows.items():
        right, pronouns, *_ = counts
        rows[document] = ((right, pronouns, right, pronouns),)
    return rows


def split_rows(rows: Rows, pattern: str, path: str = "") -> dict[str, Rows]:
    """The rows of each condition, by the ids of documents without the condition.

    >>> split_rows({"pro-1": ((1, 1, 1, 1),), "anti-1": ((0, 1, 0, 1),)}, "[a-z]+")
    {'pro': {'-1': ((1, 1, 1, 1),)}, 'anti': {'-1': ((0, 1, 0, 1),)}}
    """
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise OptionError(f"the condition pattern {pattern!r} is no regular expression: {error}") from None
    group = min(compiled.groups, 1)
    found: dict[str, Rows] = {}
    for document, row in rows.items():
        match = compiled.search(document)
        if match is None or not match[group]:
            hint = "give a pattern whose first group, or match, is the condition: --condition"
            raise InputError(f"the id of document {document!r} has no {pattern!r}", path=path, hint=hint)
        pair = document[: match.start(group)] + document[match.end(group) :]
        if found.setdefault(match[group], {}).setdefault(pair, row) is not row:
            raise InputError(f"pair {pair!r} has two documents of condition {match[group]!r}", path=path)
    first, *others = found.items()
    for name, of in others:
        if lone := sorted({*of} ^ {*first[1]}):
            message = f"pair {lone[0]!r} has no document of condition {name if lone[0] in first[1] else first[0]!r}"
            raise InputError(message, path=path, hint="each document needs one in every condition")
    return found
