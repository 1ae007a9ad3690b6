"""One output, seven scorers: the figures of docs/study.md.

::

    python -m benchmarks.study CLONES --gum DIR --python PYTHON

CLONES has the clones that ``checkouts.py`` lists, DIR ``gum-dev.key.conllu`` and ``gum-dev.sys.conllu``, PYTHON the
packages docopt, numpy, py7zr, scipy, tqdm and udapi. Every output is scored by every program with its default
options, in a format that the program reads. Then corefscope must give the same figure, and ``explain_difference``
names the settings by which a figure differs from that of scorer.pl. Only figures are kept, in docs/study.json.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from itertools import groupby
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import corefscope

from .checkouts import export

DOCS = Path(__file__).resolve().parents[1] / "docs"
FORMATS = {"conll": "conll", "conllu": "corefud", "conllua": "ua", "jsonl": "jsonl"}
SAME = 0.05
"""Figures that differ by no more need no cause, in points."""
SETTINGS = {
    ("singletons", "drop"): "s",
    ("match", "head"): "h",
    ("match", "partial"): "p",
    ("rules", "corefud-1.0"): "r",
    ("rules", "corefud-1.1"): "r",
}
"""What ``explain_difference`` may name, by the letter that the table has for it."""
HYPERCOREF = "sys_cdcr/{}/events/ecbp_on_ecbp/predicted/0/{}_test_events_average_0.7_corpus_level.conll"
Clusters = list[list[Any]]


class Documents(NamedTuple):
    """Both sides of one output, in every format of ``FORMATS``."""

    folder: Path

    def pair(self, suffix: str) -> tuple[Path, Path]:
        """The key and the response in a format."""
        return self.folder / f"key.{suffix}", self.folder / f"response.{suffix}"

    def clusters(self) -> list[tuple[Clusters, Clusters]]:
        """The clusters of key and response, document by document."""
        sides = (map(json.loads, path.read_text(encoding="utf-8").splitlines()) for path in self.pair("jsonl"))
        return [(_clusters(key), _clusters(response)) for key, response in zip(*sides, strict=True)]


def _clusters(document: Mapping[str, Any]) -> Clusters:
    clusters: Clusters = document.get("clusters") or document.get("predicted_clusters") or []
    return [[tuple(span) for span in cluster] for cluster in clusters]


# ---- outputs


def by_topic(source: Path, target: Path) -> None:
    """A file of HyperCoref with a document for each topic, so that the Perl scorer gets to an end."""
    rows = [line.split("\t") for line in source.read_text(encoding="utf-8").splitlines() if line[:1] not in ("#", "")]
    lines = []
    for topic, members in groupby(rows, key=lambda row: row[0]):
        lines.append(f"#begin document ({topic}); part 000")
        for _, sentence in groupby(members, key=lambda row: row[2:4]):
            lines += [f"{topic}\t0\t{at}\t{row[5]}\t{row[-1]}" for at, row in enumerate(sentence)] + [""]
        lines.append("#end document")
    target.write_text("\n".join([*lines, ""]), encoding="utf-8")


def animal_farm(source: Path, target: Path) -> None:
    """One book of BookCoref, without mentions that cross others: the UA scorers cannot read them."""
    lines = source.read_text(encoding="utf-8").splitlines()
    (found,) = (book for book in map(json.loads, lines) if book["doc_key"] == "animal_farm_0")
    crossing: set[tuple[int, ...]] = set()
    open_spans: list[tuple[int, ...]] = []
    for span in sorted(
        (tuple(span) for cluster in found["clusters"] for span in cluster), key=lambda s: (s[0], -s[1])
    ):
        open_spans = [other for other in open_spans if other[1] >= span[0]]
        if any(other[1] < span[1] for other in open_spans):
            crossing.add(span)
        else:
            open_spans.append(span)
    clusters = [[span for span in cluster if tuple(span) not in crossing] for cluster in found["clusters"]]
    print(f"{source}: {len(crossing)} mentions that cross others are left out", file=sys.stderr)
    kept = {"doc_key": found["doc_key"], "sentences": found["sentences"], "clusters": clusters}
    target.write_text(json.dumps(kept) + "\n", encoding="utf-8")


def ten_documents(source: Path, target: Path) -> None:
    """The first ten documents of a CorefUD file."""
    start, *documents = source.read_text(encoding="utf-8").split("# newdoc")
    target.write_text("# newdoc".join([start, *documents[:10]]), encoding="utf-8")


def make_outputs(clones: Path, gum: Path, python: str, folder: Path) -> dict[str, Documents]:
    """All outputs, by the headings of their columns."""
    archive = export("hypercoref", clones, folder) / "archive/conll/conll.7z"
    subprocess.run((python, "-m", "py7zr", "x", str(archive), str(folder / "7z")), check=True, capture_output=True)
    ecb = folder / "7z/key/ecbp/test_events_corpus_level.conll"
    dutch = export("dutchcoref", clones, folder) / "data/manualeval"
    books = export("books", clones, folder) / "predictions"
    sources: dict[str, tuple[Path, Path, Callable[[Path, Path], None] | None]] = {
        "ECB+": (ecb, folder / "7z" / HYPERCOREF.format("gg/ecbp", "model_4"), by_topic),
        "ECB+, BBC": (ecb, folder / "7z" / HYPERCOREF.format("gg_aug/gg_aug_bbc-ecbp", "model_1"), by_topic),
        "Dutch": (dutch / "knack_file7.gold.conll", dutch / "knack_file7.dutchcoref.conll", None),
        "book": (
            books / "finetuned_bookcoref/maverick_xl.jsonl",
            books / "off_the_shelf/maverick_xl.jsonl",
            animal_farm,
        ),
        "GUM": (gum / "gum-dev.key.conllu", gum / "gum-dev.sys.conllu", ten_documents),
    }
    outputs = {}
    for number, (name, (*sides, prepare)) in enumerate(sources.items()):
        documents = outputs[name] = Documents(folder / f"output-{number}")
        documents.folder.mkdir()
        for side, source in zip(("key", "response"), sides, strict=True):
            prepared = source
            if prepare is not None:
                prepared = documents.folder / f"prepared-{side}{source.suffix}"
                prepare(source, prepared)
            for suffix, format_ in FORMATS.items():
                corefscope.convert(prepared, documents.folder / f"{side}.{suffix}", to=format_, lossy=True)
    return outputs


# ---- programs

IN_PYTHON = """
import importlib.util, json, sys, types
import numpy
from scipy.optimize import linear_sum_assignment

def module(name, **names):
    made = types.ModuleType(name)
    made.__dict__.update(names)
    sys.modules[name] = made

# What is gone from newer versions of scikit-learn, and what AllenNLP needs besides its metric.
module("sklearn"), module("sklearn.utils")
module("sklearn.utils.linear_assignment_",
       linear_assignment=lambda costs: numpy.transpose(linear_sum_assignment(costs)))
base = type("Metric", (), {"register": staticmethod(lambda _: lambda made: made)})
module("torch", Tensor=object), module("allennlp"), module("allennlp.nn"), module("allennlp.training")
module("allennlp.training.metrics")
module("allennlp.nn.util", dist_reduce_sum=lambda value: value)
module("allennlp.training.metrics.metric", Metric=base)

spec = importlib.util.spec_from_file_location("metrics", sys.argv[1])
program = importlib.util.module_from_spec(spec)
spec.loader.exec_module(program)
evaluator = getattr(program, sys.argv[2])()
scorers = getattr(evaluator, "scorers", [evaluator])
for sides in json.load(sys.stdin):
    key, response = ([tuple(map(tuple, cluster)) for cluster in side] for side in sides)
    of = [{mention: cluster for cluster in side for mention in cluster} for side in (response, key)]
    for scorer in scorers:
        scorer.update(response, key, *of)
if hasattr(evaluator, "metrics"):
    print(100 * evaluator.get_f1("conll2012"))
else:
    print(100 * sum(scorer.get_f1() for scorer in scorers) / len(scorers))
"""
UA_2 = """
import importlib
program = importlib.import_module("ua-scorer")
arguments = program.parse_arguments()
program.process_arguments(arguments)
program.evaluate(arguments)
"""


class Run(NamedTuple):
    """How to run other programs: their Python, and where they are exported from and to."""

    python: str
    clones: Path
    folder: Path

    def _call(self, command: Iterable[str | Path], where: Path, text: str = "") -> str:
        environment = {**os.environ, "PYTHONPATH": str(where), "PYTHONHASHSEED": "0", "PERL_HASH_SEED": "0"}
        done = subprocess.run(
            list(map(str, command)),
            cwd=where,
            env=environment,
            input=text,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    def script(self, program: str, name: str, suffix: str) -> Callable[[Documents], float]:
        """A Python script that prints a CoNLL score."""

        def score(documents: Documents) -> float:
            where = export(program, self.clones, self.folder)
            printed = self._call((self.python, name, *documents.pair(suffix)), where)
            return float(re.findall(r"CoNLL score: ([\d.]+)", printed)[-1])

        return score

    def ua_2(self, documents: Documents) -> float:
        """UA scorer 2.0 by its functions, because its command does not score."""
        where = export("corefud-1.2", self.clones, self.folder)
        printed = self._call((self.python, "-c", UA_2, *documents.pair("conllua")), where)
        return float(re.findall(r"CoNLL score: ([\d.]+)", printed)[-1])

    def perl(self, documents: Documents) -> float:
        """The CoNLL score from the fractions that scorer.pl prints, because it truncates percentages."""
        where = export("scorer.pl", self.clones, self.folder)
        figures = []
        for metric in ("muc", "bcub", "ceafe"):
            printed = self._call(("perl", "scorer.pl", metric, *documents.pair("conll"), "none"), where)
            totals = re.findall(r"Coreference: Recall: \((\S+) / (\S+)\).*Precision: \((\S+) / (\S+)\)", printed)[-1]
            numerator, key, same, response = map(float, totals)
            recall, precision = numerator / key if key else 0, same / response if response else 0
            figures.append(2 * recall * precision / (recall + precision) if recall + precision else 0)
        return 100 * mean(figures)

    def scorch(self, documents: Documents) -> float:
        """Directories of JSON files, one for each document."""
        where = export("scorch", self.clones, self.folder)
        with TemporaryDirectory() as name:
            folders = [Path(name, side) for side in ("key", "response")]
            for at, sides in enumerate(documents.clusters()):
                for folder, side in zip(folders, sides, strict=True):
                    folder.mkdir(exist_ok=True)
                    clusters = {str(number): list(map(str, cluster)) for number, cluster in enumerate(side)}
                    text = json.dumps({"type": "clusters", "clusters": clusters})
                    (folder / f"{at:04}.json").write_text(text, encoding="utf-8")
            printed = self._call((self.python, "-m", "scorch.main", *folders), where)
        return 100 * float(re.findall(r"average score: ([\d.]+)", printed)[-1])

    def class_(self, program: str, file: str, name: str) -> Callable[[Documents], float]:
        """A class that is updated with the clusters of each document."""

        def score(documents: Documents) -> float:
            where = export(program, self.clones, self.folder)
            text = json.dumps(documents.clusters())
            return float(self._call((self.python, "-c", IN_PYTHON, where / file, name), self.folder, text))

        return score


# ---- the same figure from corefscope


def replay(suffix: str, **options: Any) -> Callable[[Documents], float]:
    """Files, scored under some options."""

    def score(documents: Documents) -> float:
        return 100 * float(corefscope.score(*documents.pair(suffix), metrics="conll", **options)["conll"].f1)

    return score


def without_singletons(documents: Documents) -> float:
    """E2e-coref: B³ without clusters of one mention, CEAFe without those of the response."""
    pairs = documents.clusters()
    cut = [(key, [cluster for cluster in response if len(cluster) > 1]) for key, response in pairs]
    whole, dropped = _report(pairs), _report(pairs, singletons="drop")
    return 100 * mean([whole["muc"].f1, dropped["bcub"].f1, _report(cut)["ceafe"].f1])


def with_extra_mentions(documents: Documents) -> float:
    """Scorch, but for its averages: mentions that only the response has are singletons of the key."""
    return 100 * float(_report(_extended(documents))["conll"].f1)


def averaged_by_mentions(documents: Documents) -> float:
    """Scorch: scores of documents, averaged by their numbers of mentions."""
    pairs = _extended(documents)
    weights = [sum(len(cluster) for side in pair for cluster in side) for pair in pairs]
    reports = [_report([pair]) for pair in pairs]
    scores = (
        sum(weight * float(report[metric].f1) for weight, report in zip(weights, reports, strict=True))
        for metric in ("muc", "bcub", "ceafe")
    )
    return 100 * mean(scores) / sum(weights)


def _extended(documents: Documents) -> list[tuple[Clusters, Clusters]]:
    pairs = []
    for key, response in documents.clusters():
        known = {mention for cluster in key for mention in cluster}
        extra = {mention for cluster in response for mention in cluster} - known
        pairs.append(([*key, *([mention] for mention in sorted(extra))], response))
    return pairs


def _report(pairs: list[tuple[Clusters, Clusters]], singletons: Any = "keep") -> corefscope.Report:
    scorer = corefscope.Scorer(metrics="conll", singletons=singletons)
    for pair in pairs:
        scorer.add(*pair)
    return scorer.report()


class Row(NamedTuple):
    """A line of the table: programs that must agree, and how corefscope gives their figure."""

    programs: Mapping[str, Callable[[Documents], float]]
    replay: Callable[[Documents], float]
    causes: Callable[[Documents, float], str] | None = None
    """The letters of the causes, if these are no settings of corefscope."""
    one_to_one: Callable[[Documents], float] | None = None
    """The same, but that every mention matches one."""


def rows(run: Run) -> list[Row]:
    """All programs; the first is what the others are compared with."""
    exact = {"match": "exact"}
    official = {"scorer.pl 8.01": run.perl}
    clusters_with = {
        "e2e-coref": run.class_("e2e-coref", "metrics.py", "CorefEvaluator"),
        "fastcoref": run.class_("fastcoref", "fastcoref/utilities/metrics.py", "CorefEvaluator"),
        "AllenNLP": run.class_("allennlp", "allennlp_models/coref/metrics/conll_coref_scores.py", "ConllCorefScores"),
    }
    clusters_without = {
        "Maverick": run.class_("maverick", "maverick/common/metrics.py", "OfficialCoNLL2012CorefEvaluator"),
        "BookCoref": run.class_("bookcoref", "src/metrics.py", "OfficialCoNLL2012CorefEvaluator"),
    }
    return [
        Row(official, replay("conll", preset="conll12")),
        Row({"coval": run.script("coval", "scorer.py", "conll")}, replay("conll", singletons="keep", **exact)),
        Row(clusters_without, replay("conll", singletons="keep", **exact)),
        Row(clusters_with, without_singletons, lambda _, __: "e"),
        Row({"scorch": run.scorch}, averaged_by_mentions, _of_scorch),
        Row(
            {"UA scorer 1.0": run.script("ua-1.0", "ua-scorer.py", "conllua")},
            replay("conllua", rules="ua-1.0", singletons="keep", **exact),
        ),
        Row(
            {"UA scorer 2.0": run.ua_2},
            replay("conllua", rules="ua-2.0", singletons="drop", **exact),
        ),
        Row(
            {"CorefUD scorer 1.0": run.script("corefud-1.0", "corefud-scorer.py", "conllu")},
            replay("conllu", rules="corefud-1.0", match="partial"),
            one_to_one=replay("conllu", match="partial"),
        ),
        Row(
            {"CorefUD scorer 1.1": run.script("corefud-1.1", "corefud-scorer.py", "conllu")},
            replay("conllu", rules="corefud-1.1"),
            one_to_one=replay("conllu"),
        ),
        Row({"CorefUD scorer 1.2": run.script("corefud-1.2", "corefud-scorer.py", "conllu")}, replay("conllu")),
    ]


def _of_scorch(documents: Documents, first: float) -> str:
    extended, averaged = with_extra_mentions(documents), averaged_by_mentions(documents)
    return "m" * (abs(extended - first) > SAME) + "w" * (abs(averaged - extended) > SAME)


@cache
def causes(documents: Documents, first: float, figure: float) -> str:
    """The letters of the settings by which ``explain_difference`` gets from the first figure to another."""
    quoted = [f"{first:.2f}", f"{figure:.2f}"]
    differs = corefscope.explain_difference(quoted, *documents.pair("conllu"), metrics="conll").to_dict()["differs"]
    return "".join(sorted({SETTINGS[name, value] for name, (_, value) in (differs or {}).items()}))


def measure(outputs: Mapping[str, Documents], run: Run) -> dict[str, Any]:
    """The figures and causes of all rows; an error if corefscope gives another figure, or no cause is found."""
    table: list[dict[str, Any]] = []
    first: dict[str, float] = {}
    for row in rows(run):
        cells: dict[str, dict[str, Any]] = {}
        for name, documents in outputs.items():
            print(f"{', '.join(row.programs)}: {name}", file=sys.stderr)
            try:
                figures = {program: score(documents) for program, score in row.programs.items()}
            except subprocess.CalledProcessError as error:
                print(error.stderr.strip().splitlines()[-1], file=sys.stderr)
                cells[name] = {"figure": None, "corefscope": None, "causes": ""}
                continue
            (figure,) = {round(figure, 2) for figure in figures.values()}
            ours = row.replay(documents)
            if any(abs(ours - theirs) > 0.0051 for theirs in figures.values()):
                raise SystemExit(f"{name}: {figures}, but corefscope gives {ours}")
            start = first.setdefault(name, figure)
            letters = ""
            if abs(figure - start) > SAME:
                letters = row.causes(documents, start) if row.causes else causes(documents, start, figure)
                if row.one_to_one and abs(row.one_to_one(documents) - ours) > SAME:
                    letters = "".join(sorted({*letters, "r"}))
                if not letters:
                    raise SystemExit(f"{name}, {figures}: no cause found")
            cells[name] = {"figure": figure, "corefscope": round(ours, 4), "causes": letters}
        table.append({"programs": list(row.programs), "outputs": cells})
    return {"version": corefscope.__version__, "rows": table}


# ---- the page

LETTERS = {
    "s": "entities of one mention are left out: `--singletons drop`",
    "h": "the same head is enough: `--match head`; where files have no syntax, the first word is the head",
    "p": "a part with the head is enough: `--match partial`",
    "r": "several mentions may match one: `--rules corefud-1.0`, `corefud-1.1`",
    "e": "entities of one mention are left out of B³ on both sides, and of CEAFe in the response",
    "m": "mentions that only the response has become singletons of the key",
    "w": "scores of documents are averaged by their mentions, not pooled",
}
BEFORE = """\
# One output, seven scorers

Seven families of programs score the same files with their default options. Every cell is the CoNLL F1 that the
program itself gave. `corefscope` gives the same figure, and names the cause: letters say what leads from the figure
of `scorer.pl` to this one. Differences of up to 0.05 points need none. The UA scorers stop at mentions that cross.
"""
AFTER = """\

## Beside what papers claim

| claimed gain | points |
|---|---|
| [Lee et al. (2017)](https://aclanthology.org/D17-1018/): end-to-end model over all earlier ones | 1.5 |
| [CorPipe 23](https://arxiv.org/abs/2311.14391): over the other participants of CRAC 2023 | 4.5 |
| [CorPipe 24](https://arxiv.org/abs/2410.02756): over the other participants of CRAC 2024, two variants | 3.9, 2.8 |

Settings can reverse an order: in the [official results of CRAC 2024](https://ufal.mff.cuni.cz/corefud/crac24),
CorPipe-single is before Ondfa with head match (70.18, 69.97) and behind it with partial match (68.02, 69.82).

## The outputs

- **ECB+**: events, by the system of [HyperCoref](https://github.com/UKPLab/emnlp2021-hypercoref-cdcr) trained on ECB+
  (seed 0), with gold mentions, every topic a document. As one document, `corefscope` gives the 78.2663267 that
  its authors report. **ECB+, BBC**: with silver data of BBC News as well. **Gain**: the first minus the second.
- **Dutch**: [dutchcoref](https://github.com/andreasvc/dutchcoref) on a news article.
- **book**: *Animal Farm*, by Maverick off the shelf, against Maverick fine-tuned on
  [BookCoref](https://github.com/SapienzaNLP/bookcoref): the gold annotation could not be had. Mentions that cross
  others are left out.
- **GUM**: ten documents of GUM dev, but with a *synthetic* response: no output of a CorefUD system could be had.

No output on NARC was found. A format that a program does not read comes from `corefscope convert`.

`python -m benchmarks.study CLONES --gum DIR --python PYTHON` repeats the study; the commits are in
`benchmarks/checkouts.py`. How many more figures agree: [exactness](exactness.md).
"""


def page(found: Mapping[str, Any]) -> str:
    """The text of docs/study.md."""
    rows = found["rows"]
    names = list(rows[0]["outputs"])
    lines = [f"| scorer | {' | '.join(names)} | gain |", f"|---|{'---:|' * (len(names) + 1)}"]
    columns: dict[str, list[float]] = {name: [] for name in (*names, "gain")}
    for row in rows:
        figures = {name: cell["figure"] for name, cell in row["outputs"].items()}
        figures["gain"] = figures["ECB+"] - figures["ECB+, BBC"]
        shown = []
        for name, figure in figures.items():
            columns[name] += [] if figure is None else [figure]
            causes = row["outputs"][name]["causes"] if name in row["outputs"] else ""
            shown.append("stops" if figure is None else f"{figure:.2f} {causes}".strip())
        lines.append(f"| {', '.join(row['programs'])} | {' | '.join(shown)} |")
    spread = [f"**{max(column) - min(column):.2f}**" for column in columns.values()]
    lines += [f"| **spread** | {' | '.join(spread)} |", "", "| | cause |", "|---|---|"]
    used = {letter for row in rows for cell in row["outputs"].values() for letter in cell["causes"]}
    lines += [f"| {letter} | {meaning} |" for letter, meaning in LETTERS.items() if letter in used]
    return f"{BEFORE}\n{chr(10).join(lines)}\n{AFTER}"


def main() -> None:
    """Measure and write docs/study.json and docs/study.md."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.study", description=__doc__.partition("\n")[0])
    parser.add_argument("clones", type=Path, help="directory with the clones that checkouts.py lists")
    parser.add_argument("--gum", type=Path, required=True, help="directory with gum-dev.key.conllu and .sys.conllu")
    parser.add_argument("--python", default=sys.executable, help="Python of the programs (default: this one)")
    given = parser.parse_args()
    with TemporaryDirectory() as name:
        folder = Path(name)
        run = Run(str(Path(given.python).absolute()), given.clones.resolve(), folder)
        found = measure(make_outputs(run.clones, given.gum, run.python, folder), run)
    (DOCS / "study.json").write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    (DOCS / "study.md").write_text(page(found), encoding="utf-8")


if __name__ == "__main__":
    main()
