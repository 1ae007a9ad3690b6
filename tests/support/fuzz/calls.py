"""Command lines to call in process: every command that reads files, on files of every format, under any options.

Commands, their arguments, and the values of options come from the parsers, so that a new one is drawn by itself.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import os
import random
import tempfile
from collections.abc import Callable, Mapping
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from corefscope.analysis.errors.kinds import ERROR_KINDS as KINDS
from corefscope.analysis.errors.slices import DIMENSIONS
from corefscope.analysis.noise import PERTURBATIONS
from corefscope.cli import main
from corefscope.cli.arguments import WITH_ENGINE
from corefscope.cli.parser import COMMANDS, INPUTS, command_parser
from corefscope.comparison.tasks.task import FIELDS
from corefscope.compat.codabench import scoring as compat_codabench
from corefscope.compat.commands import conll as compat_conll
from corefscope.compat.commands import corefud as compat_corefud
from corefscope.compat.commands import ua as compat_ua
from corefscope.core.format import FORMATS
from corefscope.core.metrics import GROUPS, METRICS
from corefscope.formats.writers import WRITERS
from corefscope.llm.styles import STYLES
from corefscope.output.formats import PICTURES, REPORTS
from standoff_files import companion_files

from .corpora import SIZE, corpus_file
from .mutators import broken
from .printed import spoilt
from .seeds import ALONE, wrapped
from .values import DUMPS, hostile

PROGRAMS: dict[str, Callable[[list[str]], int]] = {
    "corefscope": main,
    "corefud-scorer": compat_corefud.main,
    "ua-scorer": compat_ua.main,
    "corefscope-conll": compat_conll.main,
    "score.py": compat_codabench.main,
}
OUT = "out"
"""The directory that everything is written to."""
BLOCKING = ("serve",)
"""Commands that only end when they are stopped."""
WEIGHTS = {"report": 0.25, "curves": 0.4, "perturb": 0.4, "explain-difference": 0.3, "errors": 0.7, "task": 1.5}
"""How often a command is drawn, compared with others: less often those that take 50 ms and more."""
SPECIAL_PROGRAMS = ("corefud-scorer", "ua-scorer", "corefscope-conll", "score.py")
FREQUENT = {"--words": 0.3, "--format": 0.4, "--output": 0.25, "--lossy": 0.7, "--to": 0.7, "--skeleton": 0.15}
"""The probability of options, where it is not that of all others."""
FIXED = {"--jobs": ("1",), "--resamples": ("100",), "--step": ("50", "100")}
"""Options that are nearly always given, as their defaults take processes or time."""
NAMES = [
    "\x1b[31mx",
    "a\x07b",
    "\x9b31m",
    "\x7f",
    "=1+1",
    "../x",
    "a/b",
    "<b>&amp;",
    "%s{0}",
    "\u202ex",
    "'\",;",
    "é" * 90,
]
"""Names of documents and words that are hard to print."""
WRITING = ("--output", "--entities", "--response-entities", "--documents-output", "--reports", "--codabench")
"""Options that name what is written, which must be below OUT."""
JUNK = ["", "x", "0", "1", "-1", "99", "1e9", "nan", "a,b", "a,,b", "(", "*", "\x1b[31m", "é", "--", "x" * 300, "out"]
UA_WORDS = (
    *("remove_singletons", "remove_split_antecedent", "MIN", "keep_non_referring", "keep_bridging"),
    *("only_split_antecedent", "evaluate_discourse_deixis", "lea", "muc", "blanc", "all", "x"),
)
LARGE_PICTURE = 0.002
"""The probability of a picture as output: one takes half a second."""


WITH_WORDS = [name for name in ALONE if FORMATS[name].has_words]
WITHOUT_WORDS = [name for name in ALONE if not FORMATS[name].has_words]


class Call(NamedTuple):
    """One call of a program."""

    program: str
    arguments: tuple[tuple[str, ...], ...]
    """In groups: a positional argument, or an option with its value."""
    files: Mapping[str, bytes]
    links: Mapping[str, str]
    """Symbolic links and their targets; a link without a target is a named pipe."""
    formats: str
    """What the call is counted under."""
    stdin: bytes = b""
    terminal: bool = False
    """Whether standard output is a terminal."""
    columns: int = 80

    @property
    def command(self) -> str:
        """The program, or the command of corefscope."""
        return self.arguments[0][0] if self.program == "corefscope" else self.program

    @property
    def words(self) -> list[str]:
        """The arguments as a program takes them."""
        return [word for group in self.arguments for word in group]


def draw_call(rng: random.Random) -> Call:
    """A call, the same for the same state of the generator."""
    commands = reading_commands()
    names = [*commands, *SPECIAL_PROGRAMS]
    name = rng.choices(names, [WEIGHTS.get(each, 1.0) for each in names])[0]
    drawing = _Drawing(rng)
    if name in SPECIAL_PROGRAMS:
        return drawing.finished(name, _SPECIAL[name](drawing))
    return drawing.finished("corefscope", [(name,), *drawing.arguments(commands[name])])


@cache
def reading_commands() -> dict[str, list[argparse.Action]]:
    """The commands that read files and end by themselves, with their arguments."""
    found = {}
    for command in COMMANDS:
        actions = [action for action in command_parser(command).actions if action.dest != "help"]
        if command not in BLOCKING and any(action.dest in INPUTS for action in actions):
            found[command] = actions
    return found


class _Drawing:
    """The files and arguments of one call, while they are drawn."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.files: dict[str, bytes] = {}
        self.links: dict[str, str] = {}
        self.corpus = rng.randrange(SIZE)
        self.key_format = "tagged" if rng.random() < 0.04 else rng.choice([*ALONE, *WITH_WORDS])
        self.response_format = self._response_format()
        self.style = rng.choice(list(STYLES))
        self.faulty = rng.choice(("", "", "", "key", "response", "all"))
        self.renamed = (rng.choice(("doc0", "w7", "person")), rng.choice(NAMES)) if rng.random() < 0.15 else None
        self.takes_directory = False
        self.stdin = b""

    def _response_format(self) -> str:
        """The format of the key, another that has words if the key has, or any."""
        drawn = self.rng.random()
        if drawn < 0.55:
            return self.key_format
        comparable = [*WITH_WORDS, "tagged", "tagged", "tagged"] if self.key_format in WITH_WORDS else WITHOUT_WORDS
        return self.rng.choice(comparable if drawn < 0.93 else list(FORMATS))

    def finished(self, program: str, arguments: list[tuple[str, ...]]) -> Call:
        """The call, once all of it is drawn."""
        return Call(
            program,
            tuple(arguments),
            self.files,
            self.links,
            self.key_format,
            self.stdin,
            self.rng.random() < 0.3,
            self.rng.choice((80, 80, 30, 200)),
        )

    def arguments(self, actions: list[argparse.Action]) -> list[tuple[str, ...]]:
        """Values of all positional arguments, and some options."""
        self.takes_directory = any(action.dest == "kinds" for action in actions)
        positional = [group for action in actions if not action.option_strings for group in self.operands(action)]
        options = [action for action in actions if action.option_strings]
        usual = 2 / len(options)
        with_engine = self.key_format == "table" and self.rng.random() < 0.15
        groups = []
        for action in options:
            name = max(action.option_strings, key=len)
            chance = 1.0 if action.required else 0.9 if name in FIXED else FREQUENT.get(name, usual)
            if name == "--step" and self.files.keys() & {f"{NOISY}/manifest.json"}:
                chance = usual
            if name == "--engine" or name in WITH_ENGINE:
                chance = 0.002 if not with_engine else 1.0 if name == "--engine" else 0.2
            elif name == "--skeleton" and "tagged" in (self.key_format, self.response_format):
                chance = 0.5 if any(action.dest == "key" for action in actions) else 0.95
            if self.rng.random() < chance:
                groups.append((name,) if action.nargs == 0 else (name, self.value(name, str(action.metavar))))
                groups += [("--documents", "topic")] if name == "--topic" else []
        self.rng.shuffle(groups)
        return positional + groups

    # ---- files

    def add(self, name: str, data: bytes) -> str:
        """A file of that name, with a name in it replaced if the call has one to replace."""
        if self.renamed:
            old, new = self.renamed
            data = data.replace(old.encode(), new.encode())
        self.files[name] = data
        return name

    def corpus_file(self, side: str, name: str = "", corpus: int | None = None) -> str:
        """A file of the corpus, or of another one, broken if files of this side are to be."""
        format_ = self.key_format if side == "key" else self.response_format
        number = self.corpus if corpus is None else corpus
        data = corpus_file(number, side, format_, self.style if format_ == "tagged" else "")
        if format_ == "tagged":
            data = spoilt(self.rng, data)
        elif self.faulty in (side, "all"):
            data = wrapped(broken(self.rng, data, format_), self.rng)
        added = self.add((name or side) + (_suffix(format_) if self.rng.random() < 0.8 else ""), data)
        for other, content in companion_files(added, format_).items():
            self.files.setdefault(other, content)
        if self.rng.random() < 0.02 and not name:
            self.stdin = data
            return "-"
        return added

    def key(self) -> str:
        return self.corpus_file("key")

    def response(self, name: str = "") -> str:
        """A response; now and then one over other words, which may be longer than the key."""
        other = self.rng.randrange(SIZE) if self.rng.random() < 0.08 else None
        return self.corpus_file("response", name, other)

    def skeleton(self) -> str:
        """The words of the corpus in a format that has words; or any file."""
        if self.rng.random() < 0.2:
            return self.any_file()
        format_ = self.rng.choice(WITH_WORDS)
        return self.add(f"skeleton{_suffix(format_)}", corpus_file(self.corpus, "key", format_))

    def any_file(self) -> str:
        """A file that is there already, or a new one."""
        return self.rng.choice(list(self.files)) if self.files and self.rng.random() < 0.7 else self.key()

    # ---- arguments

    def operands(self, action: argparse.Action) -> list[tuple[str, ...]]:
        """Positional arguments by what their parser calls them."""
        if action.dest in _OPERANDS:
            return [(word,) for word in _OPERANDS[action.dest](self)]
        return [(self.rng.choice(JUNK),)]

    def value(self, name: str, metavar: str) -> str:
        """The value of an option."""
        if name in FIXED:
            return self.rng.choice(FIXED[name])
        if name not in WRITING and self.rng.random() < 0.02:
            return self.rng.choice(JUNK)
        if name in _VALUES:
            return _VALUES[name](self)
        choice = self.rng.choice(metavar.split("|"))
        if choice in ("FILE", "KEY", "RESPONSE"):
            return self.any_file()
        return self.rng.choice(JUNK) if choice.isupper() else choice

    def true_format(self, side: str) -> str:
        """The format of a side, or any other."""
        own = self.key_format if side == "key" else self.response_format
        return own if self.rng.random() < 0.6 else self.rng.choice(list(FORMATS))

    def written(self, suffixes: tuple[str, ...]) -> str:
        """A file to write."""
        suffix = self.rng.choice(suffixes)
        return f"{OUT}/written{suffix}{self.rng.choice(('', '', '', '.gz', '.xz'))}"

    def output(self) -> str:
        """A file for tables, seldom for a picture, or nothing that can be written."""
        if self.rng.random() < LARGE_PICTURE:
            return self.written(tuple(PICTURES))
        if self.rng.random() < 0.05:
            return self.rng.choice(("-", OUT, f"{OUT}/missing/x.json", f"{OUT}/x.unknown"))
        return self.written(tuple(row.suffix for row in REPORTS.values()))

    def sample(self, names: list[str], most: int = 4) -> str:
        """Some names, separated by commas."""
        return ",".join(self.rng.sample(names, self.rng.randint(1, min(most, len(names)))))

    # ---- manifests and results

    def task(self) -> str:
        """A manifest, or a directory of data sets."""
        datasets, systems = ("d1", "d2")[: self.rng.randint(1, 2)], ("ours", "theirs")
        key_suffix = response_suffix = ""
        for dataset in datasets:
            self.corpus = self.rng.randrange(SIZE)
            key_suffix = os.path.splitext(self.corpus_file("key", f"task/{dataset}/key"))[1]
            for system in systems:
                response_suffix = os.path.splitext(self.response(f"task/{dataset}/{system}"))[1]
        if self.rng.random() < 0.15:
            return "task"
        content: dict[str, Any] = {
            "datasets": {name: f"task/{name}/key{key_suffix}" for name in datasets},
            "systems": {name: f"task/{{dataset}}/{name}{response_suffix}" for name in systems},
        }
        if self.rng.random() < 0.5:
            content["datasets"]["d1"] = {"key": content["datasets"]["d1"], "language": "en", "group": "news"}
            content["systems"]["ours"] = {"d1": f"task/d1/ours{response_suffix}"}
        for field in self.rng.sample(FIELDS, self.rng.choice((0, 1, 1, 2))):
            content[field] = self.field(field)
        suffix = self.rng.choice(list(DUMPS))
        return self.add(f"manifest.{suffix}", hostile(self.rng, content, suffix))

    def field(self, name: str) -> Any:
        """The value of a field of manifests, which options have, too."""
        option = "--" + name.replace("_", "-")
        metavars = [str(action.metavar) for action in reading_commands()["task"] if option in action.option_strings]
        return self.value(option, metavars[0]) if metavars else self.rng.choice(JUNK)

    def result(self, name: str = "result", *, faulty: bool = True) -> str:
        """A saved result with its files."""
        saved = _saved_result(self.rng.randrange(RESULTS))
        self.files.update({path: data for path, data in saved.items() if path != RESULT})
        text = saved[RESULT]
        return self.add(f"{name}.json", hostile(self.rng, json.loads(text), "json") if faulty else text)

    def results(self) -> list[str]:
        """Saved results of several systems; or published scores as CSV."""
        if self.rng.random() < 0.2:
            data = broken(self.rng, _published(self.rng), "table")
            return [self.add("published.csv", data)]
        faulty = self.rng.randrange(4)
        return [self.result(f"r{n}", faulty=n == faulty) for n in range(self.rng.choice((1, 3, 4, 4)))]

    def perturbed(self) -> str:
        """A directory of ``perturb`` with a hostile manifest."""
        saved = _perturbed(self.rng.randrange(3))
        self.files.update(saved)
        content = json.loads(saved[f"{NOISY}/manifest.json"])
        self.add(f"{NOISY}/manifest.json", hostile(self.rng, content, "json"))
        return NOISY

    def source(self) -> str:
        """A key, or a directory for a command that takes one."""
        return self.perturbed() if self.takes_directory and self.rng.random() < 0.4 else self.key()

    # ---- other programs

    def corefud_scorer(self) -> list[tuple[str, ...]]:
        self.key_format = self.response_format = "corefud"
        options = [("-s",), ("-x",), ("-a", "partial"), ("-a", "exact"), ("-z", "linear"), ("-m", "muc", "--")]
        return [
            *self.rng.sample(options, self.rng.randint(0, 3)),
            *((each,) for each in (self.key(), self.response())),
        ]

    def ua_scorer(self) -> list[tuple[str, ...]]:
        self.key_format = self.response_format = "ua"
        words = self.rng.sample(UA_WORDS, self.rng.randint(0, 4))
        return [(each,) for each in (self.key(), self.response(), *words)]

    def conll_scorer(self) -> list[tuple[str, ...]]:
        self.key_format = self.response_format = self.rng.choice(("conll", "semeval"))
        metric = self.rng.choice((*compat_conll.METRICS, "all"))
        names = self.rng.choice(((), ("none",), ("(doc0)",), ("(doc0); part 000",)))
        return [(each,) for each in (metric, self.key(), self.response(), *names)]

    def codabench(self) -> list[tuple[str, ...]]:
        """What the platform runs on a submission."""
        key = self.corpus_file("key", "in/ref/data")
        name = f"in/res/data{os.path.splitext(key)[1]}"
        drawn = self.rng.random()
        if drawn < 0.01:
            self.links[name] = ""
        elif drawn < 0.1:
            self.links[name] = self.rng.choice(("../ref/" + os.path.basename(key), "nowhere", "."))
        elif drawn < 0.2:
            self.links["in/res/sub"] = "../ref"
        else:
            self.response("in/res/data")
        content = {"datasets": {"data": os.path.basename(key)}, "metrics": "conll"}
        for field in self.rng.sample(FIELDS, self.rng.choice((0, 0, 1))):
            content[field] = self.field(field)
        text = json.dumps(content).encode() if self.rng.random() < 0.7 else hostile(self.rng, content, "json")
        self.add("in/ref/task.json", text)
        details = [("--details", "report")] if self.rng.random() < 0.2 else []
        return [("in",), (OUT,), *details]


_SPECIAL: dict[str, Callable[[_Drawing], list[tuple[str, ...]]]] = {
    "corefud-scorer": _Drawing.corefud_scorer,
    "ua-scorer": _Drawing.ua_scorer,
    "corefscope-conll": _Drawing.conll_scorer,
    "score.py": _Drawing.codabench,
}


def _suffix(format_: str) -> str:
    """What names of files of a format end in."""
    suffix = (*FORMATS[format_].suffixes, "")[0]
    return suffix if suffix[:1] in ("", ".") else f".{suffix}"


def _files(drawing: _Drawing, responses: int) -> list[str]:
    """A key, and so many responses or more."""
    return [drawing.key(), *(drawing.response(f"r{n}") for n in range(drawing.rng.randint(responses, 2)))]


_WRITTEN = tuple(suffix for row in WRITERS.values() for suffix in row.suffixes)
_OPERANDS: dict[str, Callable[[_Drawing], list[str]]] = {
    "key": lambda drawing: [drawing.key()],
    "response": lambda drawing: [drawing.response()],
    "responses": lambda drawing: [drawing.response(f"r{n}") for n in range(drawing.rng.randint(1, 2))],
    "paths": lambda drawing: _files(drawing, 1),
    "files": lambda drawing: _files(drawing, 0),
    "source": lambda drawing: [drawing.source()],
    "target": lambda drawing: [drawing.rng.choice(("-", drawing.written(_WRITTEN), f"{OUT}/target"))],
    "task": lambda drawing: [drawing.task()],
    "result": lambda drawing: [drawing.result()],
    "results": _Drawing.results,
    "values": lambda drawing: [
        drawing.rng.choice(("44.4", "0", "100", "x", "1e9")),
        drawing.key(),
        drawing.response(),
    ],
    "metric": lambda drawing: [drawing.rng.choice((*METRICS, "x", ""))],
}
"""Positional arguments, by what parsers call them."""
_ID_COLUMNS = ["doc", "mention", "entity"]
_VALUES: dict[str, Callable[[_Drawing], str]] = {
    "--output": _Drawing.output,
    "--entities": lambda drawing: drawing.written((".csv", ".tsv")),
    "--response-entities": lambda drawing: drawing.written((".csv", ".tsv")),
    "--documents-output": lambda drawing: drawing.written((".csv", ".tsv", ".parquet")),
    "--reports": lambda _: f"{OUT}/reports",
    "--codabench": lambda drawing: drawing.rng.choice((f"{OUT}/bundle", f"{OUT}/bundle.zip")),
    "--temp": lambda _: ".",
    "--memory": lambda drawing: drawing.rng.choice(("100MB", "1GB")),
    "--max-unpacked": lambda drawing: drawing.rng.choice(("1GB", "100MB", "1MB", "1kB")),
    "--metrics": lambda drawing: drawing.sample([*METRICS, *GROUPS, "mean(muc,lea)", "all", "corefud"]),
    "--metric": lambda drawing: drawing.rng.choice(list(METRICS)),
    "--rank-by": lambda drawing: drawing.rng.choice(list(METRICS)),
    "--against": lambda drawing: drawing.rng.choice((*METRICS, "r0", "response")),
    "--fail-under": lambda drawing: drawing.rng.choice(
        ("conll=50", "muc.recall=0.2,lea=1%", "lea.value=x", "conll=nan")
    ),
    "--settings": lambda drawing: drawing.rng.choice(("crac", "head,exact+keep", "partial+corrected,linear", "x+y")),
    "--signature": lambda drawing: _signature(drawing.rng),
    "--document": lambda drawing: drawing.rng.choice(("doc0", "doc1", "(doc0); part 000", "x")),
    "--style": lambda drawing: drawing.style if drawing.rng.random() < 0.5 else drawing.rng.choice(list(STYLES)),
    "--names": lambda drawing: drawing.rng.choice(("a", "a,b", "b,a,c", "a,a", "\x1b[31m,b", "=1,@2", "a/b,..")),
    "--topic": lambda drawing: drawing.rng.choice(("doc", "(doc)\\d", "d(x)?oc", "", ".*", "(?P<a>d)o")),
    "--level": lambda drawing: drawing.rng.choice(("0.5", "0.95", "1", "0", "nan", "95")),
    "--limit": lambda drawing: drawing.rng.choice(("0", "1", "3", "9" * 25)),
    "--seed": lambda drawing: drawing.rng.choice(("0", "1", "4294967296", "9" * 19)),
    "--threads": lambda drawing: drawing.rng.choice(("1", "2")),
    "--kinds": lambda drawing: drawing.sample(list(PERTURBATIONS), 3),
    "--kind": lambda drawing: drawing.rng.choice(list(KINDS)),
    "--by": lambda drawing: drawing.rng.choice((*DIMENSIONS, "document", "genre=([a-z]+)", "genre=(", "genre")),
    "--figures": lambda drawing: drawing.sample(["recall", "precision", "f1"]),
    "--key-column": lambda drawing: drawing.rng.choice(_ID_COLUMNS),
    "--response-column": lambda drawing: drawing.rng.choice((*_ID_COLUMNS, "entity,doc", "e*")),
    "--mention-column": lambda drawing: drawing.rng.choice(_ID_COLUMNS),
    "--document-column": lambda drawing: drawing.rng.choice((*_ID_COLUMNS, "")),
    "--key-format": lambda drawing: drawing.true_format("key"),
    "--response-format": lambda drawing: drawing.true_format("response"),
    "--file-format": lambda drawing: drawing.true_format("key"),
    "--from": lambda drawing: drawing.true_format("key"),
    "--skeleton": lambda drawing: drawing.skeleton(),
}
"""Values of options that parsers do not list."""

RESULTS = 12
RESULT, NOISY = "result.json", "noisy"


@cache
def _saved_result(number: int) -> dict[str, bytes]:
    """A result that ``score``, ``compare`` or ``task`` has saved, and the files that it was made from."""
    format_ = ("corefud", "conll", "jsonl", "ua", "clusters", "table")[number % 6]
    key, response = f"set/d1/key{_suffix(format_)}", f"set/d1/ours{_suffix(format_)}"
    files = {path: corpus_file(number % 3, side, format_) for path, side in ((key, "key"), (response, "response"))}
    arguments = {
        0: ["score", key, response],
        1: ["compare", key, response, key, "--names", "a,b", "--resamples", "100"],
        2: ["task", "set", "--resamples", "100", "--jobs", "1"],
        3: ["score", key, response, "--settings", "head,exact"],
    }
    more = ["--format", "json", "-q", "--output", RESULT]
    return _made(files, [*arguments[number // 3], *more], [RESULT]) | files


@cache
def _perturbed(number: int) -> dict[str, bytes]:
    """A key and a directory of responses that ``perturb`` has written."""
    files = {"key.conllu": corpus_file(number, "key", "corefud")}
    arguments = ["perturb", "key.conllu", "-o", NOISY, "--step", "100", "-q", "--kinds", "drop,merge,split"]
    return _made(files, arguments, [NOISY]) | files


@cache
def _signature_of(number: int) -> str:
    content = json.loads(_saved_result(number)[RESULT])
    return str(content.get("signature", "")) if isinstance(content, dict) else ""


def _signature(rng: random.Random) -> str:
    """A signature of a result, or one with a part changed."""
    parts = _signature_of(rng.randrange(RESULTS)).split("|")
    if rng.random() < 0.5:
        parts[rng.randrange(len(parts))] = rng.choice((*JUNK, "match:x", "rules:corrected", "metrics:conll"))
    return "|".join(parts)


def _published(rng: random.Random) -> bytes:
    """A CSV of scores as papers print them."""
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(["system", "metric", "recall", "precision", "f1"])
    for system in "abcd":
        for metric in ("muc", "bcub", "ceafe", "conll"):
            table.writerow([system, metric, *(f"{rng.uniform(20, 90):.2f}" for _ in range(3))])
    return text.getvalue().encode()


def _made(files: Mapping[str, bytes], arguments: list[str], wanted: list[str]) -> dict[str, bytes]:
    """The files that a command writes, seen from the directory that has its inputs."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        write_files(Path(folder), files)
        os.chdir(folder)
        try:
            with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()) as said:
                code = main(arguments)
            assert code == 0, said.getvalue()
        finally:
            os.chdir(before)
        found = [path for name in wanted for path in (Path(folder, name), *Path(folder, name).rglob("*"))]
        return {str(path.relative_to(folder)): path.read_bytes() for path in found if path.is_file()}


def write_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Put files in their places below a directory."""
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
