"""``corefscope score``: one response against one key."""

from __future__ import annotations

import argparse

from ..evaluate.results import Report, SettingsReport
from . import arguments
from .output import add_output, add_per_document, chosen_format, write
from .terminal import Progress, complain, warn

DESCRIPTION = "Score a response against a key over the same words, in any of the formats (recognised by content)."
EXAMPLES = """\
examples:
  corefscope score key.conllu response.conllu
      the official CorefUD scores: head match, zeros by dependencies, no singletons
  corefscope score key.conllu response.conllu --match exact --singletons keep
  corefscope score key.conllu response.conllu --rules corrected
      the same without the bugs of the official scorer
  corefscope score key.conllu response.conllu --metrics conll,lea --per-document
  corefscope score key.conllu.gz - --format json < response.conllu
  corefscope score key.conll response.jsonl --preset conll12
  corefscope score key.conllu response.conllu --settings crac -o table.tex
  corefscope score keys/ responses/
      many files, paired by name
  corefscope score key.conll response.conll --documents topic --topic '(\\d+)_'
      cross-document coreference within topics
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    arguments.add_key(parser)
    parser.add_argument("response", metavar="RESPONSE", help="the response, likewise")
    arguments.add_request(parser)
    arguments.add_metrics(parser)
    arguments.add_baseline(parser)
    parser.add_argument(
        "--settings",
        metavar="LIST",
        help="score in several ways at once: 'crac' for what the CRAC organisers publish, or a list such as"
        " head,exact+keep,partial+corrected of what differs from the options",
    )
    add_per_document(parser)
    add_output(parser)
    parser.add_argument(
        "--no-rules-note",
        action="store_true",
        help="do not compare with the corrected rules (a note says when they give another CoNLL score)",
    )
    parser.add_argument("--quiet", "-q", action="store_true", help="no warnings, notes and progress")


def run(options: argparse.Namespace) -> int:
    """Score, say what is odd, print the report."""
    from ..evaluate.files import score, score_settings

    files = options.key, options.response
    with Progress(options.quiet) as progress:
        request = arguments.request_arguments(options)
        request["digests"] = chosen_format(options) == "json"
        result: Report | SettingsReport
        if options.settings is not None:
            result = score_settings(*files, options.settings, progress=progress, **request)
        else:
            compared = not (options.no_rules_note or request.get("baseline"))
            result = score(*files, compare_rules=compared, progress=progress, **request)
    warn(options, result.warnings)
    if isinstance(result, Report) and not options.quiet:
        _note_on_rules(result)
    write(result, options)
    return 0


def _note_on_rules(report: Report) -> None:
    """One line if the corrected rules give another CoNLL score."""
    other = report.alternative
    if other is None or abs(other.ours - other.conll) < 1e-11:
        return
    digits = next(n for n in range(2, 11) if round(100 * other.ours, n) != round(100 * other.conll, n))
    complain(
        "note",
        f"CoNLL is {100 * other.ours:.{digits}f} under rules {report.options.rules}"
        f" but {100 * other.conll:.{digits}f} under {other.rules} (--no-rules-note silences this)",
    )
