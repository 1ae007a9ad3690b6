"""``corefscope verify``: recompute a saved result and compare."""

from __future__ import annotations

import argparse
import sys

from ..comparison.signature import note_on_version
from ..comparison.verify import verify
from ..output.text import shown
from . import arguments
from .terminal import complain

DESCRIPTION = """\
Recompute a result that was saved as JSON (by score, compare or task) from its
files, and compare every figure. The exit code is 1 if a file has changed or a
figure differs."""
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
