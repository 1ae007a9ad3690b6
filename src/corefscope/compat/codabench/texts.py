"""The pages of a competition: what it is about, how it is scored, and how to score a submission oneself."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import NamedTuple

from ...compare.tasks.task import MISSING, Scheme
from ...core.metrics import METRICS
from ...core.options import TITLES, Options
from ...core.presets import PRESETS
from ...core.version import __version__
from ...output.formats.markdown import escaped
from .names import DatasetColumn

TERMS = """\
# Terms

All participants agree to these terms. Organisers: replace this page.
"""


class CompetitionFacts(NamedTuple):
    """What the pages tell."""

    title: str
    columns: Sequence[DatasetColumn]
    files: Sequence[str]
    """What the files of a submission may be called, in the order of the columns."""
    scheme: Scheme
    preset: str
    options: Options
    """Those of a submission in the format of the keys."""
    signature: str
    """That of all data sets together, likewise."""


def overview(facts: CompetitionFacts) -> str:
    """What is to be done, and how the scorer is had."""
    return f"""\
# {escaped(facts.title)}

Find the mentions in each text, and say which of them refer to the same entity.

{_submitting(facts)}
## How to score it oneself

Submissions are scored by corefscope {__version__}, which anybody can run:

{_at_home(facts)}
The signature says how scores are computed. For submissions in the format of the keys it is:

    {facts.signature}
"""


def evaluation(facts: CompetitionFacts) -> str:
    """What is counted, and what is missing counts as."""
    scheme = facts.scheme
    values = {name: getattr(facts.options, name) for name in TITLES}
    options = [f"| {name} | {value} | {escaped(TITLES[name][value])} |" for name, value in values.items()]
    metrics = [f"| {escaped(METRICS[name].title)} | {escaped(METRICS[name].summary)} |" for name in scheme.metrics]
    preset = [f"Preset `{facts.preset}`: {escaped(PRESETS[facts.preset].title)}.", ""] if facts.preset else []
    lines = [
        *("# Evaluation", ""),
        f"Submissions are ranked by the macro average of {escaped(METRICS[scheme.rank_by].title)}: each data set is",
        "scored over all of its documents together, and the average is the mean over data sets, in which all weigh",
        *("the same. Scores are percentages.", ""),
        *preset,
        *("| option | value | means |", "|:--|:--|:--|", *options, ""),
        *("| metric | measures |", "|:--|:--|", *metrics, ""),
        *("## What is missing", ""),
        f"For each data set, {MISSING[scheme.missing]}. Faulty is what cannot be read, or does not hold the",
        "documents, sentences and words of the key. The detailed results of a submission say what is wrong with it.",
        *("", "## Signature", "", f"    {facts.signature}"),
    ]
    return "\n".join(lines) + "\n"


def read_me(facts: CompetitionFacts) -> str:
    """What comes with the starting kit."""
    return f"""\
# {escaped(facts.title)}

{_submitting(facts)}
## How to score it oneself

{_at_home(facts)}
`example` has a key and a response to try it with:

    corefscope score example/key.conllu example/response.conllu
    corefscope validate example/response.conllu

To score a whole submission, put keys that you have into `keys` and responses into `submission`, both called as above,
and run

    corefscope task task.json
"""


def example(facts: CompetitionFacts, shown: bool) -> str:
    """What comes with the example of a submission, which may be nothing but this."""
    what = "The other files here are a submission." if shown else "The organisers show no submission."
    return f"""\
# {escaped(facts.title)}

{what}

{_submitting(facts)}"""


def _submitting(facts: CompetitionFacts) -> str:
    rows = [
        f"| {escaped(column.dataset)} | `{name}` |" for column, name in zip(facts.columns, facts.files, strict=True)
    ]
    return "\n".join(
        [
            *("## What to submit", ""),
            "A zip archive of one file for each data set. What matters is the name up to the first point; any format",
            *("that corefscope reads will do, also compressed (`.gz`, `.xz`, `.bz2`).", ""),
            *("| data set | for example |", "|:--|:--|", *rows, ""),
        ]
    )


def _at_home(facts: CompetitionFacts) -> str:
    metric, signature = shlex.quote(facts.scheme.rank_by), shlex.quote(facts.options.signature)
    return f"""\
    pip install corefscope=={__version__}
    corefscope score KEY RESPONSE --metrics {metric} --signature {signature}
"""
