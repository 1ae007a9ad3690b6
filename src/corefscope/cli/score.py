"""``corefscope score``: one response against one key."""

from __future__ import annotations

import argparse

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
    parser.add_argument(
        "--settings",
        metavar="LIST",
        help="score in several ways at once: 'crac' for what the CRAC organisers publish, or a list such as"
        " head,exact+keep,partial+corrected of what differs from the options",
    )
    arguments.add(parser, "--per-document")
    add_output_or_picture(parser, "recall against precision")
    parser.add_argument(
        "--no-rules-note",
        action="store_true",
        help="do not compare with the corrected rules (a note says when they give other scores)",
    )
    arguments.add(parser, "--jobs", "--quiet")


def run(parsed: argparse.Namespace) -> int:
    """Score, say what is odd, print the report."""
    from ..evaluate.files import score, score_settings
    from ..show.results.score import note_on_rules

    request = arguments.request_arguments(parsed)
    request["digests"] = chosen_format(parsed) == "json"
    files = parsed.key, parsed.response
    result: Report | SettingsReport
    if parsed.settings is not None:
        result = made(parsed, score_settings, *files, parsed.settings, jobs=parsed.jobs, **request)
    else:
        compare_rules = not (parsed.no_rules_note or request.get("baseline"))
        result = made(parsed, score, *files, compare_rules=compare_rules, jobs=parsed.jobs, **request)
        if not parsed.quiet and (note := note_on_rules(result)):
            complain("note", f"{note} (--no-rules-note silences this)")
    return write(result, parsed)
