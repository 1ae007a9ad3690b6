"""``corefscope-conll``: the command line of the CoNLL reference scorer 8.01 and its TOTALS, byte for byte.

Files are read as the reference reads them (:mod:`~corefscope.compat.scorer_pl`); warnings say what it ignores.
Percentages are cut off after two decimals. Where the reference dies, this reports the error and its line, with exit
code 1, after the totals of the metrics before. The lines that the reference prints for each document are left out.
"""

from __future__ import annotations

import argparse
import operator
import sys
from collections.abc import Sequence
from functools import reduce
from math import trunc

from ...cli.terminal import guarded, warn
from ...core.document import Document
from ...core.errors import InputError, Warnings
from ...core.numbers import f1, mean, ratio
from ...core.pipeline import Scoring
from ...core.report import Report
from ...core.request import Request
from ...formats.mention_warnings import SideMentions, warn_of_mentions
from ...formats.pairs import Pair
from ..scorer_pl import ScorerPlReader, paired_by_name

METRICS = ("muc", "bcub", "ceafm", "ceafe", "blanc")
MAX_REPEATS = 10
RULE = "-" * 74
DESCRIPTION = """\
A drop-in replacement for the CoNLL reference scorer 8.01 (scorer.pl).
NAME is the document to score, as written after '#begin document'; without it, or with 'none', all are scored.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the scorer and return its exit code."""
    parser = argparse.ArgumentParser(
        prog="corefscope-conll",
        description=DESCRIPTION,
        epilog="example:\n  corefscope-conll all key.conll response.conll none",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    choices = (*METRICS, "all")
    parser.add_argument("metric", metavar="METRIC", type=str.lower, choices=choices, help=", ".join(choices))
    parser.add_argument("key", metavar="KEY", help="the key file")
    parser.add_argument("response", metavar="RESPONSE", help="the response file")
    parser.add_argument("name", metavar="NAME", nargs="?", default="none", help="one document, or 'none' for all")
    parsed = parser.parse_args(arguments)
    return guarded(lambda: _run(parsed))


def _run(parsed: argparse.Namespace) -> int:
    metrics = METRICS if parsed.metric == "all" else (parsed.metric,)
    report, repeats, gap = _score(parsed, metrics)
    for number, name in enumerate(metrics, 1):
        if parsed.metric == "all":
            print(f"\nMETRIC {name}:")
        if number * repeats > MAX_REPEATS:
            again = f" ({number} times {repeats}, because 'all' counts anew for each metric)" * (number > 1)
            message = f"repeats more than {MAX_REPEATS} mentions of the key{again}: the reference does not score it"
            raise InputError(message, path=parsed.response, hint="leave repeated mentions out")
        if name == "blanc" and gap:
            message = f"an entity of document {gap!r} is opened and never closed: the reference has no BLANC"
            raise InputError(message, path=parsed.key, hint="close it, and write '#end document'")
        print("\n====== TOTALS =======")
        print("Identification of Mentions: " + _line(_sums(report, "mentions")))
        if name == "blanc":
            _print_blanc(_sums(report, "blanc"))
        else:
            print("Coreference: " + _line(_sums(report, name)))
    return 0


def _score(parsed: argparse.Namespace, metrics: Sequence[str]) -> tuple[Report, int, str]:
    """The report, how often responses repeat mentions of the key, and the key's ``ScorerPlReader.gap``."""
    if parsed.key == parsed.response == "-":
        raise InputError("key and response cannot both be standard input", hint="name a file for one of them")
    request = Request({"preset": "conll12", "metrics": [*metrics, "mentions"], "words": "ignore"})
    scoring, warnings = Scoring(request.options, request.metrics), Warnings()
    repeats = 0
    read = [0, 0]
    with ScorerPlReader.open(parsed.key, warnings) as key, ScorerPlReader.open(parsed.response, warnings) as response:
        for pair in paired_by_name(key, response, warnings, None if parsed.name == "none" else parsed.name):
            scoring.score(*pair, None)
            repeats += _count_repeats(pair)
            read = [total + sum(document.sizes) for total, document in zip(read, pair, strict=True)]
    if not scoring.rows:
        scoring.score(Document("", ()), Document("", ()), None)
    names = key.source.name, response.source.name
    warn_of_mentions(warnings, *map(SideMentions, names, read, scoring.sizes), matched=scoring.sizes[2])
    warn(warnings)
    return scoring.report(), repeats, key.gap


def _count_repeats(pair: Pair) -> int:
    """Number of times that the response repeats mentions of the key, which the reference counts."""
    spans = [(mention.first, mention.last) for entity in pair.response.entities for mention in entity]
    if len(set(spans)) == len(spans):
        return 0
    in_key = {(mention.first, mention.last) for entity in pair.key.entities for mention in entity}
    both = [span for span in spans if span in in_key]
    return len(both) - len(set(both))


def _sums(report: Report, name: str) -> tuple[float, ...]:
    """The counts of the documents, added in their order without correction of rounding."""
    rows = [document.counts(name).values() for document in report.documents.values()]
    return tuple(reduce(operator.add, column) for column in zip(*rows, strict=True))


def _print_blanc(counts: Sequence[float]) -> None:
    both, key, response, neither, key_non, response_non, _ = counts
    links = (both, key, both, response), (neither, key_non, neither, response_non)
    print("\nCoreference:")
    print("Coreference links: " + _line(links[0]))
    print("Non-coreference links: " + _line(links[1]))
    kinds = [_figures(kind) for kind in links if kind[1]]
    recall, precision, f_score = (mean(figures) for figures in zip(*kinds, strict=True)) if kinds else (0.0, 0.0, 0.0)
    print("BLANC: " + _line((recall, 1, precision, 1), f_score))


def _figures(counts: Sequence[float]) -> tuple[float, float, float]:
    """Recall, precision and F1 in the steps of the reference, each rounded to a float."""
    recall, precision = ratio(counts[0], counts[1]), ratio(counts[2], counts[3])
    return recall, precision, f1(recall, precision)


def _line(counts: Sequence[float], f_score: float | None = None) -> str:
    recall, precision, harmonic = _figures(counts)
    shown = [f"{value:.15g}" for value in counts]
    return (
        f"Recall: ({shown[0]} / {shown[1]}) {percent(recall)}%"
        f"\tPrecision: ({shown[2]} / {shown[3]}) {percent(precision)}%"
        f"\tF1: {percent(harmonic if f_score is None else f_score)}%\n{RULE}"
    )


def percent(value: float) -> str:
    """A percentage with at most two decimals, cut off.

    >>> percent(2 / 3), percent(0.5), percent(0.125)
    ('66.66', '50', '12.5')
    """
    return f"{ratio(trunc(value * 10000), 100):.15g}"


if __name__ == "__main__":
    sys.exit(main())
