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
from corefscope.formats.tables.rows import ids_document

TWIN = METRICS["muc"]._replace(name="muc_twin", title="Twin", summary="MUC under another name")
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
"""
ENTRY_POINTS = """\
[corefscope.metrics]
muc_twin = colon_plugin:TWIN
[corefscope.formats]
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
