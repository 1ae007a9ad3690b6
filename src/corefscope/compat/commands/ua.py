"""``ua-scorer``: the command line of the Universal Anaphora scorer 1.0, byte for byte on standard output.

With ``--version 2``, that of 2.0 (:mod:`corefscope.compat.commands.ua_2_0`).

Words of the command line count in any position, and unknown ones are ignored. Files are read as the program reads
them (:mod:`corefscope.formats.ua.official`). Where it ends in a traceback, or never ends, this one reports the error
and exits with code 1.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from ...cli.terminal import guarded, warn
from ...core.document import Document
from ...core.errors import InputError, Warnings
from ...core.matching.transform import without_singletons
from ...core.metrics import METRICS as METRIC_ROWS
from ...core.numbers import Counts, Score, add, mean
from ...core.rules import RULES
from ...formats.mention_warnings import SideMentions, warn_of_mentions
from ...formats.ua.official import OfficialDocument, read_file
from ...output.text import shown
from ..ua_2_0 import stops
from ..ua_counts import SideRelations, relations_of
from .corefud import divides_by_zero

UA = "ua-1.0"
METRICS = ("lea", "muc", "bcub", "ceafe", "ceafm", "blanc")
CONLL = ("muc", "bcub", "ceafe")
LEVELS = {
    "recognition": "Bridging anaphora recognition scores:",
    "mention": "Full bridging scores (Markable Level):",
    "entity": "Full bridging scores (Entity Level):",
}
RULE = "=" * 44
DESCRIPTION = """\
A drop-in replacement for the Universal Anaphora scorer 1.0 (ua-scorer.py).
With --version 2, for scorer 2.0, which has other options: see ua-scorer --version 2 --help.

Words after the files, in any order:
  remove_singletons          omit entities of one mention
  remove_split_antecedent    omit split antecedents
  MIN                        match mentions by their minimal spans
  keep_non_referring         also score expressions that do not refer
  keep_bridging              also score bridging
  only_split_antecedent      score split antecedents alone
  evaluate_discourse_deixis  score discourse deixis instead of identity
  lea muc bcub ceafe ceafm blanc all   which metrics; without any, all
"""


class UaOptions(NamedTuple):
    """Options that the words of the command line set."""

    metrics: tuple[str, ...]
    singletons: bool
    plurals: bool
    minimum: bool
    non_referring: bool
    bridging: bool
    only_split: bool
    deixis: bool

    @classmethod
    def parse(cls, words: Iterable[str]) -> UaOptions:
        """The options of some words; all but that of deixis may be in the plural."""
        words = set(words)

        def has(word: str) -> bool:
            return not words.isdisjoint((word, f"{word}s"))

        deixis = "evaluate_discourse_deixis" in words
        only_split = has("only_split_antecedent") and not deixis
        alone = deixis or only_split
        named = tuple(name for name in METRICS if name in words and "all" not in words)
        return cls(
            metrics=named or METRICS,
            singletons=alone or not has("remove_singleton"),
            plurals=alone or not has("remove_split_antecedent"),
            minimum=not words.isdisjoint(("MIN", "min", "min_spans")),
            non_referring=has("keep_non_referring") and not alone,
            bridging=has("keep_bridging") and not alone,
            only_split=only_split,
            deixis=deixis,
        )

    def title(self) -> str:
        """The first line of the output."""
        parts = {
            "singletons": self.singletons,
            "split-antecedents": self.plurals,
            "non-referring mentions": self.non_referring,
            "bridging relations": self.bridging,
        }
        what = ", ".join(["corferent markables", *(part for part, wanted in parts.items() if wanted)])
        what = "only discourse deixis" if self.deixis else "only split-antecedents" if self.only_split else what
        how = " using the minimum span evaluation setting " if self.minimum else ""
        return f"The scorer is evaluating  {what} {how}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the scorer and return its exit code."""
    chosen = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    add_version(chosen)
    version, others = chosen.parse_known_args(arguments)
    if version.version == "2":
        from . import ua_2_0

        return ua_2_0.main(others)
    parser = argparse.ArgumentParser(
        prog="ua-scorer",
        description=DESCRIPTION,
        epilog="example:\n  ua-scorer key.CONLLUA response.CONLLUA keep_bridging",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("key", metavar="KEY", help="the key file")
    parser.add_argument("response", metavar="RESPONSE", help="the response file")
    parser.add_argument("words", metavar="WORD", nargs="*", help="options, listed above")
    add_version(parser)
    parsed = parser.parse_args(others)
    return guarded(lambda: _run(parsed))


def add_version(parser: argparse.ArgumentParser) -> None:
    """Add the option that chooses the scorer to replace."""
    parser.add_argument("--version", choices=("1", "2"), default="1", help="version of the scorer (default 1)")


def _run(parsed: argparse.Namespace) -> int:
    options = UaOptions.parse((parsed.key, parsed.response, *parsed.words))
    print(options.title())
    warnings = Warnings()
    scored = figures(parsed.key, parsed.response, options, print, warnings)
    warn(warnings)
    for name in options.metrics:
        if name not in scored:
            raise stops_at(name, parsed.key, "1.0")
        print(f"{name}\n{score_line(scored[name])}")
    if {*CONLL} <= {*options.metrics}:
        print(f"CoNLL score: {100 * mean(scored[name].f1 for name in CONLL):.2f}")
    if options.non_referring:
        print(f"{RULE}\nNon-referring markable identification scores:\n{score_line(scored['non_referring'])}")
    if options.bridging:
        print(RULE)
        for level, title in LEVELS.items():
            print(f"{title}\n{score_line(scored[f'bridging_{level}'])}")
    return 0


def score_line(score: Score) -> str:
    """Percentages as the scorers print them."""
    recall, precision, f1 = (100 * value + 0.0 for value in score)  # -0.0, of a negative denominator, is 0.0
    return f"Recall: {recall:.2f}  Precision: {precision:.2f}  F1: {f1:.2f}"


def figures(
    key: str, response: str, options: UaOptions, say: Callable[[str], object], warnings: Warnings | None = None
) -> dict[str, Score]:
    """The scores of two files by metric, without those at which the program divides by zero.

    ``say`` gets the messages of the program;
    ``warnings`` get what it does not report: that a side has no mentions, or that the sides share none.
    """
    rows: dict[str, list[Counts]] = {}
    stopped: set[str] = set()
    matched = False
    keys, responses = read_file(key), read_file(response)
    for name, of_key in keys.items():
        if name not in responses:
            say(f"The document  {shown(name)}  does not exist in the system output.")
            continue
        sides = of_key, responses[name]
        for anchor, anaphor in [skipped for side in sides for skipped in side.skipped if options.bridging]:
            pair = f"({shown(anchor)}, {shown(anaphor)})"
            say(f"Skip bridging pair {pair} as markable_id does not exist in identity column!")
        relations = _relations(sides, options)
        for metric, counts in _counts(relations, options):
            rows.setdefault(metric, []).append(counts)
        stopped.update(name for name in options.metrics if divides_elements_by_zero(relations, name))
        matched = matched or bool(
            relations.count_plurals("bcub").row("bcub")[0]
        )  # mostly known of the first document
    if warnings is not None:
        layers = [[_layer(side, options) for side in documents.values()] for documents in (keys, responses)]
        read = [sum(sum(layer.sizes) for layer in side) for side in layers]
        warn_of_mentions(warnings, *map(SideMentions, (key, response), read, read), matched=matched)
    conventions = RULES[UA].conventions
    levels = [f"bridging_{level}" for level in LEVELS]
    scores = {name: Score(0.0, 0.0, 0.0) for name in (*options.metrics, "non_referring", *levels)}
    for metric, by_document in rows.items():
        counts = add(by_document)
        score = METRIC_ROWS[metric].score(counts, conventions)
        assert isinstance(score, Score)  # all of these have recall and precision
        name = metric.removeprefix("split_")
        scores[name] = score
        if name in options.metrics and divides_by_zero(counts):
            stopped.add(name)
    return {name: score for name, score in scores.items() if name not in stopped}


def divides_elements_by_zero(relations: SideRelations, metric: str) -> bool:
    """Whether the program divides by zero when it compares the elements of two plurals."""
    return any(map(divides_by_zero, relations.element_counts(metric)))


def stops_at(metric: str, path: str, version: str) -> InputError:
    """The error where a version of the program divides by zero."""
    return stops(
        path, 0, f"stops at {metric}: it counts something right on a side that has nothing to count", version
    )


def _layer(side: OfficialDocument, options: UaOptions) -> Document:
    return side.document.deixis_layer if options.deixis else side.document


def _relations(sides: Sequence[OfficialDocument], options: UaOptions) -> SideRelations:
    def prepared(side: OfficialDocument) -> Document:
        document = _layer(side, options)
        if options.singletons:
            return document
        return RULES[UA].preparation.without_singletons(document) if options.plurals else without_singletons(document)

    key, response = map(prepared, sides)
    return relations_of(key, response, minimum=options.minimum, plurals=options.plurals)


def _counts(relations: SideRelations, options: UaOptions) -> Iterator[tuple[str, Counts]]:
    """The counts of one document, by the names of the catalogue."""
    for metric in options.metrics:
        plurals = relations.count_plurals(metric)
        yield (f"split_{metric}", plurals.split_row(metric)) if options.only_split else (metric, plurals.row(metric))
    if options.non_referring:
        yield "non_referring", relations.non_referring()
    for level, counts in relations.bridging().items() if options.bridging else ():
        yield f"bridging_{level}", counts


if __name__ == "__main__":
    sys.exit(main())
