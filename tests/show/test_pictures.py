"""Pictures: what they show of results, not how pretty it is."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import corefscope
from corefscope import compare, correlate, score
from corefscope.cli import main
from corefscope.count.metrics.muc import least
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE, GOLDEN

pytest.importorskip("matplotlib", reason="matplotlib is not installed: pip install 'corefscope[plot]'")

from matplotlib.figure import Figure

from corefscope.base.errors import OptionError
from corefscope.show.pictures import correlation, draw, plane, profiles
from corefscope.write.stats import StatisticsReport, file_statistics


def test_systems_lie_at_their_recall_and_precision_on_their_contour() -> None:
    comparison = compare(EXAMPLE_KEY, [EXAMPLE_RESPONSE, EXAMPLE_KEY], names="a,b", metrics="muc,kappa,lea")
    figure: Any = Figure()
    plane.draw(comparison, figure)
    assert [panel.get_title() for panel in figure.axes] == ["MUC", "LEA"]
    for metric, panel in zip(("muc", "lea"), figure.axes, strict=True):
        points = {line.get_label(): (line.get_xdata()[0], line.get_ydata()[0]) for line in panel.lines[-2:]}
        expected = comparison["a"][metric]
        assert points["a"] == pytest.approx((100 * expected.recall, 100 * expected.precision))
        assert points["b"] == pytest.approx((100, 100))
    contour = figure.axes[0].lines[4]  # of F1 = 50
    for recall, precision in zip(contour.get_xdata(), contour.get_ydata(), strict=True):
        assert 2 * recall * precision / (recall + precision) == pytest.approx(50)


def test_entities_of_each_file_stand_sorted_by_size() -> None:
    files = [file_statistics(path) for path in (EXAMPLE_KEY, EXAMPLE_RESPONSE)]
    figure: Any = Figure()
    profiles.draw(StatisticsReport(files), figure)
    sizes, precision, recall = figure.axes
    for line, file in zip(sizes.lines, files, strict=True):
        assert list(line.get_ydata()) == sorted(file.total.chain_lengths.elements(), reverse=True)
    largest, key = max(files[0].documents, key=lambda document: document[1].mentions)
    expected = least(key.mentions - key.repeated, key.entities, dict(files[1].documents)[largest].entities)
    for panel, bound in zip((recall, precision), expected, strict=True):
        assert panel.lines[2].get_ydata()[0] == pytest.approx(100 * bound)
    assert recall.lines[0].get_ydata()[0] == pytest.approx(100)  # PROP. 4: all in one class


@pytest.mark.parametrize("command", ["score", "compare", "stats"])
def test_commands_draw_what_they_print(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "picture.svg"
    assert main([command, str(EXAMPLE_KEY), str(EXAMPLE_RESPONSE), "-o", str(path)]) == 0
    assert "<svg" in path.read_text(encoding="utf-8")
    assert f"v{corefscope.__version__}" in path.read_text(encoding="utf-8")  # the signature
    assert len(capsys.readouterr().out.splitlines()) > 5


def test_dollar_signs_in_names_are_no_formulas(tmp_path: Path) -> None:
    odd = tmp_path / "$\\frac{$.conllu"
    odd.write_bytes(EXAMPLE_RESPONSE.read_bytes())
    draw(compare(EXAMPLE_KEY, [odd, EXAMPLE_KEY]), tmp_path / "x.svg")
    assert "$\\frac{$" in (tmp_path / "x.svg").read_text(encoding="utf-8")


def test_what_has_no_recall_cannot_be_drawn_in_a_plane(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="none of these metrics"):
        draw(score(EXAMPLE_KEY, EXAMPLE_RESPONSE, metrics="kappa"), tmp_path / "x.svg")


def test_scores_below_a_baseline_lie_inside_the_plane(tmp_path: Path) -> None:
    """One that finds nothing, measured from one that finds something."""
    empty = tmp_path / "empty.conllu"
    empty.write_text(re.sub(r"Entity=\S+", "_", EXAMPLE_KEY.read_text(encoding="utf-8")), encoding="utf-8")
    report = score(EXAMPLE_KEY, empty, metrics="muc", baseline=EXAMPLE_RESPONSE)
    assert report["muc"].recall == pytest.approx(-3)  # (0 - 3/4)/(1 - 3/4)
    figure: Any = Figure()
    plane.draw(report, figure)
    assert figure.axes[0].get_xlim() == (-300, 100)
    assert figure.axes[0].get_ylim()[0] <= 100 * report["muc"].precision < 0


def test_axes_of_sizes_have_plain_numbers(tmp_path: Path) -> None:
    draw(StatisticsReport([file_statistics(EXAMPLE_KEY)]), tmp_path / "x.svg")
    text = (tmp_path / "x.svg").read_text(encoding="utf-8")
    assert "mathdefault" not in text
    assert ">1<" in text


@pytest.mark.parametrize("command", ["score", "stats"])
def test_nothing_overlaps_the_signature(command: str) -> None:
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    figure: Any = Figure(layout="constrained")
    canvas: Any = FigureCanvasAgg(figure)
    if command == "score":
        plane.draw(score(EXAMPLE_KEY, EXAMPLE_RESPONSE), figure)
    else:
        profiles.draw(StatisticsReport([file_statistics(EXAMPLE_KEY)]), figure)
    canvas.draw()
    signature = figure.texts[-1].get_window_extent()
    assert all(panel.get_tightbbox().y1 <= signature.y0 for panel in figure.axes)


def test_one_metric_is_drawn_against_each_other_one(tmp_path: Path) -> None:
    """Figure 1 of Luo et al. (2014): F1 of BLANC over that of each other metric."""
    path = GOLDEN / "papers" / "luo-2014-blanc.csv"
    header, *rows = path.read_text(encoding="utf-8").splitlines()
    other = tmp_path / "other.csv"
    copies = [row.replace(",blanc,", f",{metric},") for metric in ("muc", "lea") for row in rows]
    other.write_text("\n".join([header, *copies]), encoding="utf-8")
    figure: Any = Figure()
    correlation.draw(correlate([path, other], against="blanc"), figure)
    assert [panel.get_title() for panel in figure.axes] == ["MUC", "LEA"]
    points = figure.axes[0].collections[0].get_offsets()
    assert len(points) == 53
    assert points[0].tolist() == pytest.approx([48.84, 48.84])
