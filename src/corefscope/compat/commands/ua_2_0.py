"""``ua-scorer --version 2``: the Universal Anaphora scorer 2.0, byte for byte on standard output.

2.0 is the library inside the CorefUD repository. Its command line there prints two lines and evaluates nothing; this
one prints what it would if it called its function ``evaluate``. Formats other than CoNLL-UA are left out, and so are
presets, on which the program stops.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ...cli.terminal import guarded, warn
from ...core.errors import Warnings
from ...core.metrics import METRICS as METRIC_ROWS
from ...core.numbers import Counts, Score, add, mean
from ...core.rules import RULES
from ...formats.mention_warnings import SideMentions, warn_of_mentions
from ..ua_2_0 import MATCHES, stops
from ..ua_2_0_reader import Reading, relations_of_files
from ..ua_counts import SideRelations
from .corefud import divides_by_zero
from .ua import CONLL, LEVELS, RULE, add_version, divides_elements_by_zero, score_line, stops_at

UA = "ua-2.0"
METRICS = ("muc", "bcub", "ceafe", "ceafm", "blanc", "lea")
RELATIONS = ("non-referring", "bridging")
ALL = (*METRICS, "mention", "mor", *RELATIONS)
"""What ``all`` means, in the order in which it is scored."""


def main(arguments: Sequence[str]) -> int:
    """Run the scorer and return its exit code."""
    parser = argparse.ArgumentParser(
        prog="ua-scorer",
        description="A drop-in replacement for the Universal Anaphora scorer 2.0.",
        epilog="example:\n  ua-scorer --version 2 key.CONLLUA response.CONLLUA -s -l",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("key_file", help="path of the key file")
    parser.add_argument("sys_file", help="path of the system file")
    add_version(parser)
    parser.add_argument("-f", "--format", choices=("ua",), default="ua", help="format of the files")
    parser.add_argument(
        "-m",
        "--metrics",
        nargs="*",
        choices=("all", "conll", *METRICS, "mention", *RELATIONS),
        default=["conll"],
        help="metrics to evaluate; conll is muc, bcub and ceafe (put -- between them and the files)",
    )
    parser.add_argument("-a", "--match", choices=(*MATCHES, "head"), default="exact", help="how mentions are matched")
    parser.add_argument("-s", "--keep-singletons", action="store_true", help="evaluate singletons too")
    parser.add_argument("-l", "--keep-split-antecedents", action="store_true", help="evaluate split antecedents too")
    parser.add_argument("-z", "--keep-zeros", action="store_true", help="evaluate zeros too")
    parser.add_argument("--zero-match-method", choices=("linear",), default="linear", help="how zeros are matched")
    parser.add_argument(
        "-d",
        "--evaluate-discourse-deixis",
        action="store_true",
        help="evaluate discourse deixis instead of identity; keeps singletons and split antecedents",
    )
    parser.add_argument(
        "--only-split-antecedent",
        action="store_true",
        help="score split antecedents alone; keeps singletons and split antecedents",
    )
    parser.add_argument(
        "--allow-boundary-crossing", action="store_true", help="brackets name the markables that they close"
    )
    parsed = parser.parse_args(arguments)
    return guarded(lambda: _run(parsed))


def _run(parsed: argparse.Namespace) -> int:
    names = ALL if "all" in parsed.metrics else CONLL if "conll" in parsed.metrics else tuple(parsed.metrics)
    alone = parsed.evaluate_discourse_deixis or parsed.only_split_antecedent
    only_split = parsed.only_split_antecedent and not parsed.evaluate_discourse_deixis
    reading = Reading(
        match=parsed.match,
        singletons=parsed.keep_singletons or alone,
        plurals=parsed.keep_split_antecedents or alone,
        zeros=parsed.keep_zeros,
        bridging="bridging" in names,
        deixis=parsed.evaluate_discourse_deixis,
        crossing=parsed.allow_boundary_crossing,
    )
    print(f"The scorer is evaluating {_title(reading, names, only_split=only_split)}", end="")
    print(f" using {parsed.match} match evaluation setting.")
    print(f"The following metrics will be evaluated: {', '.join(names)}\n")
    documents = list(relations_of_files(parsed.key_file, parsed.sys_file, reading))
    _warn(parsed.key_file, parsed.sys_file, documents)
    conll = []
    for name in names:
        if name == "non-referring":
            print(f"{RULE}\nNon-referring markable identification scores:")
            print(score_line(_score("non_referring", [document.non_referring() for document in documents])))
        elif name == "bridging":
            print(RULE)
            for level, title in LEVELS.items():
                counts = [document.bridging()[level] for document in documents]
                print(f"{title}\n{score_line(_score(f'bridging_{level}', counts))}")
        else:
            score = _identity(name, documents, parsed.key_file, only_split=only_split)
            print(f"{name}\n{score_line(score)}")
            conll += [score.f1] if name in CONLL else []
    if len(conll) == len(CONLL):
        print(f"CoNLL score: {100 * mean(conll):.2f}")
    return 0


def _title(reading: Reading, names: Sequence[str], *, only_split: bool) -> str:
    """What is evaluated, in the words of the program."""
    if reading.deixis:
        return "discourse deixis"
    if only_split:
        return "only split-antecedents"
    if not {*METRICS, "mention"}.intersection(names):
        non_referring = "non-referring mentions" if "non-referring" in names else ""
        bridging = "bridging relations" if reading.bridging else ""
        return f"{non_referring}{', ' if bridging and not non_referring else ''}{bridging}"  # as the program has it
    parts = {
        "singletons": reading.singletons,
        "split-antecedents": reading.plurals,
        "zeros (using linear match method)": reading.zeros,
        "non-referring mentions": "non-referring" in names,
        "bridging relations": reading.bridging,
    }
    return ", ".join(["coreferential mentions", *(part for part, wanted in parts.items() if wanted)])


def _warn(key: str, response: str, documents: Sequence[SideRelations]) -> None:
    sizes = [sum(document.sizes[side] for document in documents) for side in (0, 1)]
    warnings = Warnings()
    sides = [SideMentions(path, size, size) for path, size in zip((key, response), sizes, strict=True)]
    warn_of_mentions(warnings, *sides, matched=sum(document.matched for document in documents))
    warn(warnings)


def _identity(name: str, documents: Sequence[SideRelations], path: str, *, only_split: bool) -> Score:
    """The score of an identity metric; InputError where the program stops."""
    if name == "mention":
        raise stops(path, 0, "stops at the metric mention")
    for document in documents:
        empty = document.empty_entities
        if (any(empty) and name in ("bcub", "lea")) or (all(empty) and name == "ceafe"):
            raise stops(path, 0, f"stops at {name} of an entity of zeros only: keep zeros, with -z")
    plurals = [document.count_plurals(name) for document in documents]
    counts = [each.split_row(name) if only_split else each.row(name) for each in plurals]
    if divides_by_zero(add(counts)) or any(divides_elements_by_zero(document, name) for document in documents):
        raise stops_at(name, path, "2.0")
    return _score(f"split_{name}" if only_split else name, counts)


def _score(metric: str, counts: Sequence[Counts]) -> Score:
    score = METRIC_ROWS[metric].score(add(counts), RULES[UA].conventions)
    assert isinstance(score, Score)  # all of these have recall and precision
    return score
