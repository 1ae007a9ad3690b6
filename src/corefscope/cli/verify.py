"""``corefscope verify``: recompute a saved result and compare; ``merge``: one result of several."""

from __future__ import annotations

import argparse
import sys

from ..comparison.mean_report import AveragedReport
from ..comparison.merging import merge
from ..comparison.signature import note_on_version
from ..comparison.verify import verify
from ..output.text import shown
from . import arguments
from .output import add_output_or_picture, chosen_format, write
from .parser import CommandParts, Parser
from .terminal import complain, warn

DESCRIPTION = """\
Recompute a result that was saved as JSON (by score, compare, agree, probe or
task) from its files, and compare every figure. The exit code is 1 if a file has
changed or a figure differs."""
EXAMPLES = """\
examples:
  corefscope score key.conllu response.conllu -o result.json
  corefscope verify result.json
  corefscope verify result.json --key data/key.conllu --response runs/response.conllu
"""
SHOWN = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("result", metavar="RESULT.json", help="the saved result")
    parser.add_argument("--key", metavar="KEY", help="the key, if it was moved")
    parser.add_argument("--response", metavar="RESPONSE", help="the response, if it was moved")
    parser.add_argument("--baseline", metavar="FILE", help="the baseline file, if it was moved")
    parser.add_argument("--weights", metavar="FILE", help="the file of weights, if it was moved")
    arguments.add(parser, "--max-unpacked")


def run(parsed: argparse.Namespace) -> int:
    moved = {name: getattr(parsed, name) for name in ("key", "response", "baseline", "weights")}
    verification = verify(parsed.result, **moved)
    if note := note_on_version(verification.version):
        complain("note", note)
    if verification.same:
        sys.stdout.write(f"verified: {verification.compared:,} figures are the same\n")
        return 0
    differences = verification.differences
    lines = [*verification.changed, *differences[:SHOWN]]
    if len(differences) > SHOWN:
        lines.append(f"and {len(differences) - SHOWN:,} more")
    count = f"{len(differences):,} of {verification.compared:,} figures differ"
    sys.stdout.write("\n".join(["not verified: " + count, *(f"  {shown(line)}" for line in lines)]) + "\n")
    return 1


def _add_merge_arguments(parser: Parser) -> None:
    what = "results of 'corefscope score --per-document' that were saved as JSON, over different documents"
    parser.add_argument("results", metavar="RESULT.json", nargs="+", help=what)
    arguments.add(parser, "--per-document", "--average")
    add_output_or_picture(parser, "recall against precision")
    arguments.add(parser, "--max-unpacked", "--quiet")


def _run_merge(parsed: argparse.Namespace) -> int:
    chosen_format(parsed)
    report = merge(parsed.results)
    warn(report.warnings, parsed.quiet)
    write(AveragedReport.of(report) if parsed.average else report, parsed)
    for fault in report.missing:
        complain("error", str(fault))
    return 1 if report.missing else 0


MERGE = CommandParts(
    """\
Add up the counts of saved results over different documents: the scores are
those of one run over all of them, to the last bit. All must have the same
options and metrics. The exit code is 1 if a file is missing in one of them.""",
    """\
examples:
  corefscope score 'keys/a*' 'responses/a*' --per-document -o part-1.json
  corefscope score 'keys/b*' 'responses/b*' --per-document -o part-2.json
  corefscope merge part-*.json -o all.json
docs/integrations.md has a job array for Slurm.
""",
    _add_merge_arguments,
    _run_merge,
)
