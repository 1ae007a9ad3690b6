"""``corefscope cite``: papers on metrics; ``cite-line``: the sentence about scores for a paper."""

from __future__ import annotations

import argparse

from ..core.errors import OptionError
from ..core.metrics import METRICS, select
from ..core.report import Report
from ..formats.files import score
from ..measures.bibliography import entries
from ..output.citation import STYLES, cite_line
from ..output.text import terminal_width, wrapped, wrapped_signature
from . import arguments
from .output import print_text
from .parser import CommandParts, Parser
from .terminal import warn

FIELD = " " * 15
"""Where long fields of BibTeX continue."""


def _add_cite_arguments(parser: Parser) -> None:
    parser.add_argument("names", metavar="NAME", nargs="*", help="a metric or group")


def _run_cite(parsed: argparse.Namespace) -> int:
    papers = entries()
    cited = dict.fromkeys(paper for name in select(parsed.names or "all") for paper in METRICS[name].papers)
    # A metric of another package may name a paper that is not among these: as a comment, which BibTeX skips.
    shown = [papers.get(paper, f"% {paper}") for paper in cited if paper]
    print_text(_broken("\n\n".join(shown)) + "\n", for_people=False)
    return 0


def _broken(text: str) -> str:
    """BibTeX, and sentences with a signature, in the width of the terminal."""
    width, lines = terminal_width(), []
    for line in text.split("\n"):
        indent = "% " if line.startswith("%") else FIELD if line.startswith(" ") else ""
        lines += [part for words in wrapped(line, width, indent) for part in wrapped_signature(words, width)]
    return "\n".join(lines)


def _add_cite_line_arguments(parser: Parser) -> None:
    parser.usage = "%(prog)s [RESULT.json | KEY RESPONSE] [options]"
    what = "a result that was saved as JSON; or a key and a response, which are scored; or nothing, with --signature"
    parser.add_argument("results", metavar="RESULT.json | KEY RESPONSE", nargs="*", help=what)
    arguments.add_example(parser)
    arguments.add(parser, *arguments.REQUEST)
    default = "default: CoNLL and LEA of all that were scored, or those that were named"
    arguments.add(parser, "--metrics", help=f"the metrics that the paper reports, by name or group ({default})")
    styles = {name: style.title for name, style in STYLES.items()}
    help_ = f"how papers are cited: {arguments.explain_values(styles)} (default text)"
    parser.add_argument("--format", values=styles, default="text", help=help_)
    arguments.add(parser, "--quiet")


def _run_cite_line(parsed: argparse.Namespace) -> int:
    source: str | Report
    if len(parsed.results) == 2:
        parsed.key, parsed.response = parsed.results
        request = arguments.request_arguments(parsed)
        source = score(parsed.key, parsed.response, **request)
        warn(source.warnings, parsed.quiet)
    elif len(parsed.results) == 1:
        (source,) = parsed.results
    elif parsed.results or parsed.signature is None:
        raise OptionError("give a result that was saved as JSON, or a key and a response, or --signature")
    else:
        source = parsed.signature
    text = cite_line(source, parsed.metrics, format=parsed.format)
    print_text(_broken(text) if parsed.format == "text" else text, for_people=False)
    return 0


CITE_LINE = CommandParts(
    """\
Print the sentences about scores for a paper, and BibTeX for what they cite: the
version and signature, what CoNLL is the mean of, and how intervals and p-values
were computed.""",
    """\
examples:
  corefscope compare key.conllu ours.conllu theirs.conllu -o result.json
  corefscope cite-line result.json
  corefscope cite-line result.json --format latex >> paper.tex
  corefscope cite-line key.conll response.conll --preset conll12
""",
    _add_cite_line_arguments,
    _run_cite_line,
)
CITE = CommandParts(
    "Print BibTeX for the papers behind the named metrics (default: all).",
    "examples:\n  corefscope cite lea blanc\n  corefscope cite >> references.bib",
    _add_cite_arguments,
    _run_cite,
)
