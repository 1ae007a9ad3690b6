"""What the scoring program of a Codabench bundle runs: ``score.py INPUT OUTPUT``.

The exit code is 0 whatever is wrong with the submission: what cannot be scored counts 0, and standard error and the
page say why. It is 1 if the bundle itself is broken.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from ...cli.terminal import complain, guarded, warn

LIMIT = "2GB"
"""What a compressed file of a submission may unpack to, unless the environment says otherwise."""
SHOWN = 20  # warnings


def main(arguments: Sequence[str] | None = None) -> int:
    """Score a submission and return the exit code."""
    from ..codabench.names import DETAILS

    parser = argparse.ArgumentParser(prog="score.py", description="Score a submission to a shared task.")
    parser.add_argument("input", metavar="INPUT", help="a directory with ref (the keys) and res (the submission)")
    parser.add_argument("output", metavar="OUTPUT", help="a directory for scores.json and detailed_results.html")
    parser.add_argument("--details", choices=DETAILS, default="figures", help="content of detailed_results.html")
    parsed = parser.parse_args(arguments)
    return guarded(lambda: _run(parsed))


def _run(parsed: argparse.Namespace) -> int:
    from ...formats.source import MAX_UNPACKED
    from ...output.formats import REPORTS
    from ...output.pages.app.plain_resampling import resample_without_numpy
    from ..codabench.scoring import score_submission

    os.environ.setdefault(MAX_UNPACKED, LIMIT)
    resample_without_numpy()
    result = score_submission(parsed.input, parsed.output, details=parsed.details)
    for problem in result.problems:
        complain("note", str(problem))
    warn(result.warnings[:SHOWN])
    sys.stdout.write(REPORTS["text"].render(result))
    return 0
