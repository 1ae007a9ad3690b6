"""Checks of the oracle itself, run by hand from `tests/`:

    python -m oracles.check_official conformance DIRECTORY ...   against figures of the official program
    python -m oracles.check_official reader [NUMBER]             against udapi's reader (needs udapi)
    python -m oracles.check_official quirks                      against the hand-made pairs of `quirks`

Each prints what it compared and every difference, and exits with 1 if there is one.
"""

from __future__ import annotations

import importlib
import itertools
import json
import logging
import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from oracles.generate import random_pair
from oracles.official import score_files
from oracles.official_reader import load_entities, read_conllu
from oracles.quirks import QUIRKS, conllu

FLAGS: tuple[dict[str, bool], ...] = (
    {},
    {"duplicates": True},
    {"two_heads": True},
    {"duplicates": True, "two_heads": True, "shared_eids": True, "grp": False},
    {"minors": True},
    {"grp": True, "merged_documents": True, "late_header": True},
    {"zeros": False, "discontinuous": False},
    {"newdoc": False},
    {"empty_deps": True},
)


def check_conformance(directories: list[Path]) -> int:
    figures = errors = differences = 0
    for directory in directories:
        for case, options in json.loads((directory / "expected.json").read_text()).items():
            paths = [directory / f"{case}.{side}.conllu" for side in ("key", "sys")]
            for option, expected in options.items():
                chosen = dict(item.split("=") for item in option.split(","))
                try:
                    scores = score_files(*paths, **chosen)
                except ValueError as error:
                    scores = {}
                    if "error" not in expected:
                        differences += 1
                        print(f"{case} {option}: {error}")
                if "error" in expected:
                    errors += 1
                    if scores:
                        differences += 1
                        print(f"{case} {option}: no error where the official program has {expected['error']}")
                    continue
                for metric, score in scores.items():
                    got = score if isinstance(score, tuple) else (score,)
                    wanted = expected[metric] if isinstance(score, tuple) else [expected[metric]]
                    for a, b in zip(got, wanted, strict=True):
                        figures += 1
                        if abs(a - b) > 1e-9:
                            differences += 1
                            print(f"{case} {option} {metric}: {a}, official {b}")
    print(f"{figures} figures and {errors} errors compared, {differences} differences")
    return differences


def check_reader(number: int) -> int:
    document = importlib.import_module("udapi.core.document").Document
    logging.disable(logging.WARNING)
    files = mentions = differences = 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file.conllu"
        for name, text in itertools.islice(_generated_files(), number):
            path.write_text(text, encoding="utf-8")
            loaded = [
                [(sorted(n.word for n in m.nodes), m.head.word, m.head.deps()) for m in entity]
                for entity in load_entities(read_conllu(path)).values()
            ]
            reference = [
                [([_word(n) for n in m.words], _word(m.head), _deps(m.head)) for m in entity.mentions]
                for entity in document(str(path)).coref_entities
            ]
            files += 1
            mentions += sum(map(len, reference))
            if loaded != reference:
                differences += 1
                print(f"{name}: {loaded}, udapi {reference}")
    print(f"{files} files with {mentions} mentions compared, {differences} differences")
    return differences


def _generated_files() -> Iterator[tuple[str, str]]:
    for seed in itertools.count():
        flags, size = FLAGS[seed % len(FLAGS)], "medium" if seed % 10 == 9 else "small"
        key, response = random_pair(random.Random(seed), size, **flags)
        yield f"seed {seed} {size} {flags} key", key
        yield f"seed {seed} {size} {flags} response", response


def check_quirks() -> int:
    figures = differences = 0
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / "key.conllu", Path(folder) / "response.conllu"]
        for quirk in QUIRKS:
            for path, notation in zip(paths, (quirk.key, quirk.response), strict=True):
                path.write_text(conllu(notation), encoding="utf-8")
            scores = score_files(*paths, **quirk.options)
            for metric, expected in quirk.expected.items():
                score = scores[metric]
                wanted = expected if isinstance(expected, tuple) else (expected,)
                got = score[-len(wanted) :] if isinstance(score, tuple) else (score,)
                figures += len(wanted)
                if any(abs(100 * a - b) > 0.006 for a, b in zip(got, wanted, strict=True)):
                    differences += 1
                    print(f"{quirk.name}, {metric}: {got}, official {wanted}")
    print(f"{len(QUIRKS)} quirks with {figures} figures compared, {differences} differences")
    return differences


def _word(node: object) -> tuple[int, float]:
    return (node.root.bundle.number, node.ord)  # type: ignore[attr-defined]


def _deps(node: object) -> list[tuple[tuple[int, float], str]]:
    return [(_word(dep["parent"]), dep["deprel"]) for dep in node.deps]  # type: ignore[attr-defined]


def main(arguments: list[str]) -> int:
    if arguments[:1] == ["conformance"] and len(arguments) > 1:
        return min(1, check_conformance([Path(name) for name in arguments[1:]]))
    if arguments[:1] == ["reader"] and len(arguments) <= 2:
        return min(1, check_reader(int(arguments[1]) if len(arguments) == 2 else 2000))
    if arguments == ["quirks"]:
        return min(1, check_quirks())
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
