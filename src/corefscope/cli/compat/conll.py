"""``corefscope-conll``: the command line of the CoNLL reference scorer 8.01 and its TOTALS, byte for byte.

Percentages are cut off after two decimals, as the reference does it. Where that dies, this says what is wrong and
where, with exit code 1.
"""

from __future__ import annotations

import argparse
import operator
from collections.abc import Sequence
from functools import reduce
from math import trunc

from ...base.errors import no_such_document
from ...base.numbers import f1, mean, ratio
from ...evaluate.results import Report
from ..terminal import guarded, warn

METRICS = ("muc", "bcub", "ceafm", "ceafe", "blanc")
RULE = "-" * 74
DESCRIPTION = """\
A drop-in replacement for the CoNLL reference scorer 8.01 (scorer.pl).

NAME is the document to score, as it stands after '#begin document'; without it, or with 'none', all are.
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
    from ...evaluate.files import score

    names = METRICS if parsed.metric == "all" else (parsed.metric,)
    report = score(
        parsed.key,
        parsed.response,
        preset="conll12",
        metrics=[*names, "mentions"],
        key_format="conll",
        response_format="conll",
    )
    warn(report.warnings)
    documents = _chosen(report, parsed)
    for name in names:
        if parsed.metric == "all":
            print(f"\nMETRIC {name}:")
        print("\n====== TOTALS =======")
        print("Identification of Mentions: " + _line(_sums(report, documents, "mentions")))
        if name == "blanc":
            _print_blanc(_sums(report, documents, "blanc"))
        else:
            print("Coreference: " + _line(_sums(report, documents, name)))
    return 0


def _chosen(report: Report, parsed: argparse.Namespace) -> list[str]:
    """The documents to add up."""
    if parsed.name == "none":
        return list(report.documents)
    from ...read.conll import document_name

    name = document_name(parsed.name)
    if name not in report.documents:
        raise no_such_document(parsed.name, list(report.documents), parsed.key)
    return [name]


def _sums(report: Report, documents: Sequence[str], name: str) -> tuple[float, ...]:
    """The counts of the documents, added in their order without any correction of rounding."""
    rows = [report.documents[document].counts(name).values() for document in documents]
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
    raise SystemExit(main())
