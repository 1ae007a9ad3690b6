"""Packages that add a metric and a format by entry points."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import corefscope

PLUGIN = """
from corefscope.core.metrics import METRICS
from corefscope.formats.detection import Comparison, Format
from corefscope.formats.jsonl.spans import DocumentFields, spans_document
from corefscope.formats.tables.rows import ids_document

TWIN = METRICS["muc"]._replace(name="muc_twin", title="Twin", summary="MUC under another name", cite="Doe (2026)")
HOMEMADE = METRICS["muc"]._replace(name="homemade", title="Homemade", summary="a metric without a paper", cite="")
COLONS = Format(
    "colons",
    "one entity a line: its name, a colon, its mentions",
    (".colons",),
    "colon_plugin:ColonReader",
    looks_like=r"%colons",
    has_words=False,
    comparison=Comparison("it has none"),
)


class ColonReader:
    has_heads = True
    starts = ()
    names = ["text"]

    def __init__(self, source, warnings, side):
        self.source = source

    def line_of_document(self, index):
        return 1

    def __iter__(self):
        _, *lines = self.source.read(self.source.start, self.source.size).decode().splitlines()
        entities = [(name, mentions.split()) for name, _, mentions in (line.partition(":") for line in lines)]
        yield ids_document("text", entities, self.source.name)


CARETS = Format("carets", "words, ^ before those of an entity", (".carets",), "colon_plugin:CaretReader", "%carets")


class CaretReader:
    has_heads = False
    starts = ()
    names = ["text"]

    def __init__(self, source, warnings, side):
        self.source = source

    def line_of_document(self, index):
        return 1

    def __iter__(self):
        _, *words = self.source.read(self.source.start, self.source.size).decode().split()
        entity = [[at, at] for at, word in enumerate(words) if word.startswith("^")]
        fields = DocumentFields([[word.lstrip("^") for word in words]], [entity])
        yield spans_document("text", fields, path=self.source.name)
"""
ENTRY_POINTS = """\
[corefscope.metrics]
muc_twin = colon_plugin:TWIN
homemade = colon_plugin:HOMEMADE
[corefscope.formats]
carets = colon_plugin:CARETS
colons = colon_plugin:COLONS
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an installed package that adds a metric and a format, and two files of the format."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "colon_plugin.py").write_text(PLUGIN, encoding="utf-8")
    metadata = folder / "colon_plugin-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: colon-plugin\nVersion: 1.0\n", encoding="utf-8")
    (metadata / "entry_points.txt").write_text(ENTRY_POINTS, encoding="utf-8")
    (folder / "key.colons").write_text("%colons\nx: a b c\ny: d e\n", encoding="utf-8")
    (folder / "response.colons").write_text("%colons\nx: a b\ny: c d e\n", encoding="utf-8")
    (folder / "key.carets").write_text("%carets ^Ann likes ^her dog\n", encoding="utf-8")
    (folder / "response.carets").write_text("%carets ^Ann likes ^her ^dog\n", encoding="utf-8")
    (folder / "other.conll").write_text(
        "#begin document (walk)\nAnn (0)\nlikes -\nher (0)\ndog -\n", encoding="utf-8"
    )
    return folder


def _run(site: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(site), str(Path(corefscope.__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-m", "corefscope", *arguments]
    return subprocess.run(
        command, cwd=site, env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True, check=False
    )


def test_a_plug_in_scores_its_metric_and_its_format(site: Path) -> None:
    done = _run(site, "score", "key.colons", "response.colons", "--metrics", "muc,muc_twin", "--format", "json")
    assert done.returncode == 0, done.stderr
    scores = json.loads(done.stdout)["metrics"]
    assert scores["muc_twin"] == scores["muc"]
    assert scores["muc"]["f1"] == pytest.approx(2 / 3)


def test_a_plug_in_is_named_by_option_and_listed(site: Path) -> None:
    named = _run(site, "score", "key.colons", "response.colons", "--key-format", "colons", "--metrics", "muc_twin")
    assert named.returncode == 0, named.stderr
    assert "Twin" in named.stdout
    assert "muc_twin" in _run(site, "metrics").stdout
    wrong = _run(site, "score", "key.colons", "response.colons", "--metrics", "muc_twinn")
    assert "did you mean 'muc_twin'" in wrong.stderr


def test_documents_of_other_names_are_refused(site: Path) -> None:
    """The reader has words, and no ``documents``, which only readers with ``starts`` need."""
    done = _run(site, "score", "other.conll", "response.carets")
    assert done.returncode == 1
    assert "response.carets:1: document 1 is 'text', but in the key (other.conll:1) 'walk'" in done.stderr
    assert "(1 document in the key, 1 in the response)" in done.stderr


def test_a_metric_of_a_plug_in_may_name_a_paper_of_its_own_or_none(site: Path) -> None:
    for name, shown in (("muc_twin", "; Doe (2026))"), ("homemade", "range [0, 1])")):
        done = _run(site, "metrics", name)
        assert done.returncode == 0, done.stderr
        assert shown in " ".join(done.stdout.split())
    assert "a metric without a paper\n" in _run(site, "metrics").stdout
    assert _run(site, "cite", "muc_twin", "homemade").stdout == "% Doe (2026)\n"


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_reader_of_words_need_not_read_parts_of_a_file(site: Path, jobs: str) -> None:
    """A reader without ``starts`` has no ``documents``."""
    done = _run(
        site, "score", "key.carets", "response.carets", "--metrics", "muc", "--format", "json", "--jobs", jobs
    )
    assert done.returncode == 0, done.stderr
    muc = json.loads(done.stdout)["metrics"]["muc"]
    assert (muc["recall"], muc["precision"]) == (1, 0.5)
