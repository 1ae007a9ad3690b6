"""Registries: lazy rows, rows of other packages, and no cost without them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import corefscope
from corefscope.cli.parser import COMMANDS
from corefscope.core.registry import Registry
from corefscope.output.layout import RESULTS
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE

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


def test_built_in_rows_need_no_look_at_other_packages() -> None:
    code = (
        "import sys; from corefscope.cli import main; "
        f"main(['score', {str(EXAMPLE_KEY)!r}, {str(EXAMPLE_RESPONSE)!r}]); "
        "sys.exit('importlib.metadata' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=False).returncode == 0


def test_lazy_rows_are_loaded_once_by_name() -> None:
    rows: Registry[object] = Registry({"one": 1}, lazy={"pi": "math:pi", "tau": "math:__dict__"})
    assert list(rows) == ["one", "pi", "tau"] == list(rows.built_in)
    assert (rows["one"], rows["pi"], rows["tau"]) == (1, 3.141592653589793, 6.283185307179586)
    rows["two"] = 2
    assert len(rows) == 4
    del rows["one"], rows["pi"]
    assert list(rows) == ["tau", "two"]
    for name in ("one", "pi", "three"):
        assert name not in rows
        with pytest.raises(KeyError):
            rows[name]
        with pytest.raises(KeyError):
            del rows[name]


@pytest.mark.parametrize("registry", [corefscope.METRICS, corefscope.FORMATS, COMMANDS, RESULTS])
def test_the_registries_are_of_one_class(registry: Registry[object]) -> None:
    assert isinstance(registry, Registry)
    assert all(registry[name] for name in registry)
