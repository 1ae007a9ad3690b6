"""``corefscope score``: one response against one key."""

from __future__ import annotations

import argparse

from ..base.numbers import headline
from ..count.metrics import METRICS, headline_metric
from ..evaluate.results import Report, SettingsReport
from . import arguments
from .output import add_output_or_picture, chosen_format, made, write
from .terminal import complain

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
  corefscope score key.conllu response.conllu --baseline simple.conllu
      0 is what a simple system scores, 100 still a perfect response
  corefscope score key.conll response.conll --documents topic --topic '(\\d+)_'
      cross-document coreference within topics
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    arguments.add(parser, "key", "response", *arguments.REQUEST, "--metrics", "--baseline")
    arguments.add_own(
        parser,
        "--settings",
        "several ways at once: crac, or a list",
        metavar="LIST",
        help="score in several ways at once: 'crac' for what the CRAC organisers publish, or a list such as"
        " head,exact+keep,partial+corrected of what differs from the options",
    )
    arguments.add(parser, "--per-document")
    add_output_or_picture(parser, "recall against precision")
    arguments.add_own(
        parser,
        "--no-rules-note",
        "no comparison with the corrected rules",
        action="store_true",
        help="do not compare with the corrected rules (a note says when they give other scores)",
    )
    arguments.add(parser, "--jobs", "--quiet")


def run(parsed: argparse.Namespace) -> int:
    """Score, say what is odd, print the report."""
    from ..evaluate.files import score, score_settings

    request = arguments.request_arguments(parsed)
    request["digests"] = chosen_format(parsed) == "json"
    files = parsed.key, parsed.response
    result: Report | SettingsReport
    if parsed.settings is not None:
        result = made(parsed, score_settings, *files, parsed.settings, jobs=parsed.jobs, **request)
    else:
        compare_rules = not (parsed.no_rules_note or request.get("baseline"))
        result = made(parsed, score, *files, compare_rules=compare_rules, jobs=parsed.jobs, **request)
        if not parsed.quiet:
            _note_on_rules(result)
    return write(result, parsed)


def _note_on_rules(report: Report) -> None:
    """One line if the corrected rules give other scores; the metric to speak of comes first."""
    other = report.alternative
    if other is None or not other.differing:
        return
    first = headline_metric(list(other.differing))
    parts: list[str] = []
    for name in (first, *(name for name in other.differing if name != first)):
        chosen, reference = (100 * headline(score) for score in other.differing[name])
        digits = next(n for n in range(2, 11) if round(chosen, n) != round(reference, n))
        title = METRICS[name].title
        if parts:
            parts.append(f"{title} {chosen:.{digits}f} but {reference:.{digits}f}")
        else:
            rules = f"under rules {report.options.rules} but {reference:.{digits}f} under {other.rules}"
            parts.append(f"{title} is {chosen:.{digits}f} {rules}")
    complain("note", f"{'; '.join(parts)} (--no-rules-note silences this)")
