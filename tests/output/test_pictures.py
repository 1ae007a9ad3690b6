"""Pictures: what they show of results, not how pretty it is."""

from __future__ import annotations

import json
import re
from io import BytesIO, TextIOWrapper
from itertools import combinations
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import corefscope
from corefscope import compare, correlate, curves, score, score_windows
from corefscope.cli import main
from corefscope.core.metrics import select
from corefscope.measures.profiles import least_muc
from on_disk import written
from oracles.quirks import conllu
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE

pytest.importorskip("matplotlib", reason="matplotlib is not installed: pip install 'corefscope[plot]'")

from matplotlib.figure import Figure
from matplotlib.text import Annotation, Text

from corefscope.core.errors import OptionError
from corefscope.formats.stats import StatisticsReport, file_statistics, largest_document
from corefscope.output.pictures import (
    DARK,
    LIGHT,
    MARKS,
    Point,
    Theme,
    draw,
    draw_correlation,
    draw_curves,
    draw_plane,
    draw_profiles,
    draw_windows,
    put_ends,
    put_names,
)


def test_systems_lie_at_their_recall_and_precision_on_their_contour() -> None:
    comparison = compare(EXAMPLE_KEY, [EXAMPLE_RESPONSE, EXAMPLE_KEY], names="a,b", metrics="muc,kappa,lea")
    figure: Any = Figure()
    draw_plane(comparison, figure)
    assert [panel.get_title() for panel in figure.axes] == ["MUC", "LEA"]
    for metric, panel in zip(("muc", "lea"), figure.axes, strict=True):
        points = {line.get_label(): (line.get_xdata()[0], line.get_ydata()[0]) for line in panel.lines[:2]}
        expected = comparison["a"][metric]
        assert points["a"] == pytest.approx((100 * expected.recall, 100 * expected.precision))
        assert points["b"] == pytest.approx((100, 100))
    contour = figure.axes[0].lines[2 + 4]  # of F1 = 50
    for recall, precision in zip(contour.get_xdata(), contour.get_ydata(), strict=True):
        assert 2 * recall * precision / (recall + precision) == pytest.approx(50)


def test_contours_have_numbers_and_blanc_has_no_contours() -> None:
    """F1 of BLANC is no function of its recall and precision."""
    figure = _drawn(draw_plane, score(EXAMPLE_KEY, EXAMPLE_RESPONSE, metrics="muc,blanc"))
    muc, blanc = figure.axes
    lowest = max(muc.get_xlim()[0], muc.get_ylim()[0])
    numbers = {text.get_text(): text.get_position() for text in muc.texts if text.get_text().isdigit()}
    assert {int(number) for number in numbers} >= {level for level in range(10, 100, 10) if level > lowest}
    for number, (recall, precision) in numbers.items():
        assert 2 * recall * precision / (recall + precision) == pytest.approx(int(number))
    assert len(blanc.lines) == 1
    assert not [text for text in blanc.texts if text.get_text().isdigit()]


SAMPLE = EXAMPLE_KEY.parent / "popescu-belis"


def _profiles(*paths: Path) -> Any:
    files = [file_statistics(path) for path in paths]
    return _drawn(draw_profiles, StatisticsReport(files, classes=largest_document(paths[0], paths[1:])))


def _clusters(path: Path, *clusters: str) -> Path:
    path.write_text(json.dumps([list(cluster) for cluster in clusters]), encoding="utf-8")
    return path


def test_classes_are_those_of_figure_2_of_popescu_belis() -> None:
    """Rows are K1 to K4, columns R1 to R3, and every expression is in one place."""
    diagram = _profiles(SAMPLE / "key.conllu", SAMPLE / "response.conllu").axes[0]
    shown = {text.get_position(): text.get_text().split() for text in diagram.texts}
    assert shown == {
        (0, 0): ["1", "2"],
        (1, 1): ["3", "4", "5"],
        (0, 2): ["6", "7", "8", "9", "10"],
        (1, 2): ["11", "12"],
        (1, 3): ["13", "14", "15", "16"],
        (2, 3): ["17"],
    }
    assert [label.get_text() for label in diagram.get_yticklabels()] == ["K1", "K2", "K3", "K4"]
    assert [label.get_text() for label in diagram.get_xticklabels()] == ["R1", "R2", "R3"]
    assert "peaks" in diagram.get_title()


def test_scores_are_marked_apart_from_the_bounds_of_figure_3(tmp_path: Path) -> None:
    """On the sample text; and where a mention of each side is not in the other (definition 19).

    {abcde} and {abcdf} are 2 classes of 6 mentions each: the bound is (6 − 4)/(6 − 2), the score (6 − 3)/(6 − 2).
    """
    figure = _profiles(SAMPLE / "key.conllu", SAMPLE / "response.conllu")
    expected = {"precision": (100 * 5 / 14, 100 * 11 / 14), "recall": (100 * 5 / 13, 100 * 11 / 13)}
    for panel, (side, values) in zip(figure.axes[2:], expected.items(), strict=True):
        assert side in panel.get_ylabel()
        assert "peaks" in panel.get_title()
        marks = [(line.get_xdata()[0], line.get_ydata()[0]) for line in panel.lines[-2:]]
        assert marks == [(3, pytest.approx(values[0])), (3, pytest.approx(values[1]))]
    recall = figure.axes[3].lines[0]
    assert recall.get_ydata()[0] == pytest.approx(100)  # PROP. 4: all in one class
    assert list(recall.get_ydata()[4:]) == [0] * 13  # 17 mentions, 4 key classes: nothing from 5 classes on
    figure = _profiles(_clusters(tmp_path / "key.json", "abcde"), _clusters(tmp_path / "response.json", "abcdf"))
    for panel in figure.axes[2:]:
        assert len(panel.lines[0].get_xdata()) == 6
        assert [(line.get_xdata()[0], line.get_ydata()[0]) for line in panel.lines[-2:]] == [(2, 50), (2, 75)]


def test_sizes_have_the_zones_of_figure_4(tmp_path: Path) -> None:
    """The key (7, 5, 3, 2) and the response (9, 7, 1, 0); what a side lacks is a class of 1."""
    sizes = _profiles(SAMPLE / "key.conllu", SAMPLE / "response.conllu").axes[1]
    assert sizes.get_xscale() == sizes.get_yscale() == "linear"
    common, key_larger, response_larger = ([bar.get_height() for bar in zone] for zone in sizes.containers)
    assert common == [7, 5, 1, 0]
    assert key_larger == [0, 0, 2, 2]
    assert response_larger == [2, 2, 0, 0]
    assert "D-err 33.90-p, DMT 75.00" in sizes.get_title()
    files = _clusters(tmp_path / "key.json", "abc", "xy"), _clusters(tmp_path / "response.json", "abcz")
    common, key_larger, response_larger = (
        [b.get_height() for b in zone] for zone in _profiles(*files).axes[1].containers
    )
    panel = _profiles(*files).axes[1]
    assert all(tick == round(tick) for tick in panel.yaxis.get_majorticklocs())
    widths = [bar.get_width() for bar in panel.containers[0]]
    assert [size for size, width in zip(common, widths, strict=True) for _ in range(round(width))] == [3, 1, 1]
    assert (sum(response_larger), sum(key_larger)) == (1, 1)  # (3, 2, 1) and (4, 1, 1)


def test_every_response_has_a_row_and_lone_mentions_a_place(tmp_path: Path) -> None:
    key = _clusters(tmp_path / "key.json", "abc", "de")
    responses = _clusters(tmp_path / "one.json", "abx"), _clusters(tmp_path / "two.json", "de")
    figure = _profiles(key, *responses)
    assert len(figure.axes) == 8
    assert [label.get_text() for label in figure.axes[0].get_xticklabels()][-1] == "–"
    shown = {text.get_position(): text.get_text().split() for text in figure.axes[0].texts}
    assert sorted(map(len, shown.values())) == [1, 1, 2, 2]
    assert figure.axes[4].get_xlabel() == "classes of two (–: in none)"


def test_files_over_other_texts_have_sizes_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(EXAMPLE_KEY), str(SAMPLE / "key.conllu")]
    assert main(["stats", *files, "-o", str(tmp_path / "x.svg")]) == 0
    assert "only sizes and bounds are drawn" in capsys.readouterr().err
    statistics = [file_statistics(path) for path in files]
    sizes, precision, recall = _drawn(draw_profiles, StatisticsReport(statistics)).axes
    for line, file in zip(sizes.lines, statistics, strict=True):
        assert list(line.get_ydata()) == sorted(file.total.chain_lengths.elements(), reverse=True)
    _, key = max(statistics[0].documents, key=lambda document: document[1].mentions)
    for panel, bound in zip((recall, precision), least_muc(key.mentions, key.entities, 1), strict=True):
        assert panel.lines[0].get_ydata()[0] == pytest.approx(100 * bound)


def test_files_without_mentions_and_pipes_are_drawn_as_far_as_they_go(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    empty = tmp_path / "empty.conllu"
    empty.write_text(re.sub(r"Entity=\S+", "_", EXAMPLE_KEY.read_text(encoding="utf-8")), encoding="utf-8")
    picture = str(tmp_path / "x.svg")
    for files in ([empty], [empty, empty], [EXAMPLE_KEY, empty], [empty, EXAMPLE_KEY]):
        assert main(["stats", *map(str, files), "-o", picture]) == 0
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(EXAMPLE_RESPONSE.read_bytes())))
    capsys.readouterr()
    assert main(["stats", str(EXAMPLE_KEY), "-", "-o", picture]) == 0
    assert "standard input can be read only once" in capsys.readouterr().err


def test_a_large_document_shows_its_largest_classes(tmp_path: Path) -> None:
    names = [chr(0x4E00 + number) for number in range(120)]
    clusters = ["".join(names[start : start + 4]) for start in range(0, 120, 4)]
    key = _clusters(tmp_path / "key.json", *clusters)
    diagram = _profiles(key, key).axes[0]
    assert len(diagram.texts) == 16
    assert "largest classes" in diagram.get_title()
    assert {text.get_text() for text in diagram.texts} == {"4"}


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


def test_names_that_a_terminal_would_obey_are_harmless(tmp_path: Path) -> None:
    """A file with a control character would be no XML."""
    draw(compare(EXAMPLE_KEY, [EXAMPLE_RESPONSE, EXAMPLE_KEY], names=["\x1b[31m<b>", "b"]), tmp_path / "x.svg")
    tree = ElementTree.parse(tmp_path / "x.svg")
    assert r"\x1b[31m<b>" in {text for element in tree.iter() for text in [element.text]}


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
    draw_plane(report, figure)
    assert figure.axes[0].get_xlim() == (-300, 100)
    assert figure.axes[0].get_ylim()[0] <= 100 * report["muc"].precision < 0


def test_axes_of_sizes_have_plain_numbers(tmp_path: Path) -> None:
    draw(StatisticsReport([file_statistics(EXAMPLE_KEY)]), tmp_path / "x.svg")
    text = (tmp_path / "x.svg").read_text(encoding="utf-8")
    assert "mathdefault" not in text
    assert ">1<" in text


def test_a_signature_is_never_cut_off() -> None:
    """A picture of one metric is narrow, and a comparison has a long signature."""
    result = compare(
        EXAMPLE_KEY, [EXAMPLE_RESPONSE, EXAMPLE_KEY], names=["a", "b"], metrics="muc", heads="response=tree"
    )
    figure = _drawn(draw_plane, result)
    figure.draw_without_rendering()
    signature = figure.texts[-1]
    assert signature.get_text().replace("\n", "") == result.signature
    box = signature.get_window_extent()
    assert 0 < box.x0 < box.x1 < figure.bbox.x1
    assert all(panel.get_tightbbox().y1 <= box.y0 for panel in figure.axes)


@pytest.mark.parametrize("command", ["score", "stats"])
def test_nothing_overlaps_the_signature(command: str) -> None:
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    figure: Any = Figure(layout="constrained")
    canvas: Any = FigureCanvasAgg(figure)
    if command == "score":
        draw_plane(score(EXAMPLE_KEY, EXAMPLE_RESPONSE), figure)
    else:
        draw_profiles(StatisticsReport([file_statistics(EXAMPLE_KEY)]), figure)
    canvas.draw()
    signature = figure.texts[-1].get_window_extent()
    assert all(panel.get_tightbbox().y1 <= signature.y0 for panel in figure.axes)


def _drawn(draw_result: Any, result: Any, theme: Theme = LIGHT) -> Any:
    figure: Any = Figure(layout="constrained")
    draw_result(result, figure, theme)
    return figure


def _noisy(folder: Path, count: int, **options: Any) -> Any:
    """A comparison of so many systems; the last is perfect."""
    files = {"key": "e1 1 2 3 4 5; e2 6 7 8 9"}
    for number in range(1, count):
        lost, added = number % 4, number % 3
        files[str(number)] = f"x1 {' '.join(map(str, range(1, 6 - lost)))} 10 11; x2 {' '.join('6789'[added:])}"
    files[str(count)] = files["key"]
    for name, text in files.items():
        (folder / f"{name}.conllu").write_text(conllu(text), encoding="utf-8")
    names = [f"system {number}" for number in range(1, count + 1)]
    responses = [folder / f"{number}.conllu" for number in range(1, count + 1)]
    return compare(folder / "key.conllu", responses, names=names, resample="nothing", **options)


def _beside(panel: Any) -> set[str]:
    """The names that stand in a panel."""
    texts = [text.get_text() for text in panel.texts if isinstance(text, Annotation)]
    return {name.strip() for text in texts for name in text.split(",")}


@pytest.mark.parametrize("count", [2, 3, 10])
def test_every_point_is_named_and_told_apart(count: int, tmp_path: Path) -> None:
    """By names if there are few systems, else by numbers, which the legend explains; by colour, and by mark."""
    figure = _drawn(draw_plane, _noisy(tmp_path, count, metrics="muc,ceafe"))
    names = [f"system {number}" for number in range(1, count + 1)]
    tags = names if count <= 3 else [str(number) for number in range(1, count + 1)]
    for panel in figure.axes:
        if not any("+" in name for name in _beside(panel)):
            assert _beside(panel) >= set(tags)
    (legend,) = figure.legends
    shown = [text.get_text() for text in legend.get_texts()]
    assert shown == names if count <= 3 else [f"{tag}  {name}" for tag, name in zip(tags, names, strict=True)]
    points = figure.axes[0].lines[:count]
    assert len({(line.get_color(), line.get_marker()) for line in points}) == count
    assert len({line.get_color() for line in points}) == len({line.get_marker() for line in points}) == count


def test_one_system_has_its_f1_beside_each_point() -> None:
    report = score(EXAMPLE_KEY, EXAMPLE_RESPONSE)
    figure = _drawn(draw_plane, report)
    assert not figure.legends
    for panel, metric in zip(figure.axes, report, strict=False):
        assert f"F1 {100 * report[metric].f1:.2f}" in _beside(panel)


def test_what_nobody_has_has_no_panel(tmp_path: Path) -> None:
    """No zeros on either side: their score would be a point that means nothing."""
    files = written(tmp_path, *(conllu("e1 1 2; e2 3 4") for _ in "kr"))
    titles = [panel.get_title() for panel in _drawn(draw_plane, score(*files, metrics="muc,zero,lea")).axes]
    assert titles == ["MUC", "LEA"]


def test_settings_with_other_metrics_share_a_picture(tmp_path: Path) -> None:
    settings = corefscope.score_settings(EXAMPLE_KEY, EXAMPLE_RESPONSE, "crac")
    panels = {panel.get_title(): panel for panel in _drawn(draw_plane, settings).axes}
    assert _beside(panels["Zeros"]) >= {"1", "4 +1"}
    assert "5" not in _beside(panels["MUC"])
    draw(settings, tmp_path / "settings.svg")


def test_names_cover_neither_each_other_nor_points() -> None:
    """Points that are nearer to each other than their names are long."""
    figure: Any = Figure(figsize=(3, 3))
    panel = figure.subplots()
    panel.set(xlim=(0, 100), ylim=(0, 100))
    places = [(50, 50), (54, 50), (58, 50), (54, 55), (96, 50)]
    put_names(panel, [Point(x, y, f"system {x}-{y}", "#000000") for x, y in places])
    boxes = [text.get_window_extent() for text in panel.texts]
    assert len(boxes) == len(places)
    assert not [(a, b) for a, b in combinations(boxes, 2) if a.overlaps(b)]
    points = panel.transData.transform(places)
    assert not [(point, box) for point in points for box in boxes if box.contains(*point)]
    assert all(panel.get_window_extent().x1 >= box.x1 for box in boxes)


def test_names_of_points_that_coincide_stand_together() -> None:
    figure: Any = Figure()
    panel = figure.subplots()
    panel.set(xlim=(0, 100), ylim=(0, 100))
    put_names(panel, [Point(50, 50, name, "#000000") for name in "abcdef"] + [Point(20, 20, "g", "#000000")])
    assert {text.get_text() for text in panel.texts} == {"a, b, c, d +2", "g"}


def test_lines_are_named_at_their_ends() -> None:
    found = curves(EXAMPLE_KEY, kinds="drop,merge", levels=[0, 50, 100], metrics="muc,lea,conll")
    figure = _drawn(draw_curves, found)
    assert not figure.legends
    for panel in figure.axes:
        names = {text.get_text(): text.get_window_extent() for text in panel.texts}
        assert set(names) == {"MUC", "B³", "CEAFe", "LEA", "CoNLL"} & set(names) >= {"MUC", "LEA", "CoNLL"}
        assert not [(a, b) for a, b in combinations(names.values(), 2) if a.overlaps(b)]
    (legend,) = _drawn(draw_curves, curves(EXAMPLE_KEY, kinds="merge", levels=[0, 50], metrics="all")).legends
    assert len(legend.get_texts()) == len(select("all"))


def test_no_leader_crosses_the_name_of_another_line() -> None:
    """Nine lines end at 100, so that the name of the tenth is far below its end."""
    figure: Any = Figure((4, 2))
    panel = figure.subplots()
    panel.set(xlim=(0, 150), ylim=(0, 102))
    for number in range(10):
        panel.plot([0, 100], [100, 82 if number == 0 else 100], label=f"metric {number}")
    put_ends(panel)
    figure.draw_without_rendering()
    (leader,) = [text.arrow_patch for text in panel.texts if text.arrow_patch is not None]
    assert leader.get_window_extent().x1 < min(Text.get_window_extent(text).x0 for text in panel.texts)


def test_axes_of_curves_are_named_by_the_noise_and_lines_have_marks() -> None:
    found = curves(EXAMPLE_KEY, kinds="drop,merge", levels=[0, 50, 100], metrics="muc,bcub,ceafe,lea")
    panels = _drawn(draw_curves, found).axes
    assert [panel.get_xlabel() for panel in panels] == ["drop (%)", "merge (%)"]
    assert len({line.get_marker() for line in panels[0].lines}) == 5  # CoNLL, an average, is a thick line without
    sizes = {text.get_fontsize() for panel in panels for text in panel.texts}
    assert min(sizes) >= 7


def test_windows_are_drawn_from_the_smallest_to_whole_texts() -> None:
    curve = score_windows(EXAMPLE_KEY, EXAMPLE_RESPONSE, "20,40", metrics="lea")
    (panel,) = _drawn(draw_windows, curve).axes
    assert [tick.get_text() for tick in panel.get_xticklabels()] == ["20", "40", "whole"]
    assert [*panel.lines[0].get_ydata()] == [100 * report["lea"].f1 for report in curve.values()]


def test_metrics_of_a_family_share_a_panel() -> None:
    """Figures 1 and 2 of Cai and Strube (2010): variants of B³ and of CEAF, each with MUC."""
    folder = EXAMPLE_KEY.parent / "cai-strube"
    found = curves(
        folder / "twinless-key.json",
        response=folder / "twinless-sm1.json",
        kinds="twinless",
        levels=[0, 100],
        metrics="muc,cai-strube",
    )
    panels = _drawn(draw_curves, found).axes
    lines = [[line.get_label() for line in panel.lines] for panel in panels]
    assert lines == [
        ["MUC", "B³₀", "B³_all", "B³_r&n", "B³_sys"],
        ["MUC", "CEAF_orig", "CEAF_r&n", "CEAF_sys"],
    ]
    assert [panel.get_title().partition(":")[0] for panel in panels] == ["B³", "CEAF"]


def test_where_nothing_is_counted_a_curve_has_a_gap() -> None:
    found = curves(EXAMPLE_KEY, response=EXAMPLE_RESPONSE, by="length", metrics="muc,bcub")
    muc, bcub = _drawn(draw_curves, found).axes[0].lines
    assert [height != height for height in muc.get_ydata()[:3]] == [True, True, False]
    assert not any(height != height for height in bcub.get_ydata())


def test_pictures_at_2x_have_twice_the_pixels(tmp_path: Path) -> None:
    sizes = []
    for name in ("x.png", "x@2x.png"):
        draw(score(EXAMPLE_KEY, EXAMPLE_RESPONSE, metrics="muc"), tmp_path / name)
        header = (tmp_path / name).read_bytes()[16:24]
        sizes.append((int.from_bytes(header[:4]), int.from_bytes(header[4:])))
    assert sizes[1] == (2 * sizes[0][0], 2 * sizes[0][1])


def test_metrics_that_do_not_vary_have_no_panels(tmp_path: Path) -> None:
    saved = tmp_path / "saved.json"
    noisy = _noisy(tmp_path, 4, metrics="muc,lea,bcub,kappa").to_dict()
    for system in noisy["systems"].values():
        system["metrics"]["lea"] = {"recall": 0.5, "precision": 0.5, "f1": 0.5}
    saved.write_text(json.dumps(noisy), encoding="utf-8")
    figure = _drawn(draw_correlation, correlate([saved], metrics="muc,lea,bcub"))
    assert "the same for all systems: LEA" in figure._suptitle.get_text()
    assert not [
        panel for panel in figure.axes if "LEA" in (panel.get_xlabel(), panel.get_ylabel(), panel.get_title())
    ]


@pytest.mark.parametrize(
    ("name", "ground"), [("x.svg", "#ffffff"), ("x.dark.svg", "#16181d"), ("dark.svg", "#ffffff")]
)
def test_the_name_of_the_file_says_whether_the_ground_is_dark(name: str, ground: str, tmp_path: Path) -> None:
    draw(score(EXAMPLE_KEY, EXAMPLE_RESPONSE, metrics="muc"), tmp_path / name)
    assert f"fill: {ground}" in (tmp_path / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_colours_differ_and_can_be_seen_on_their_ground(theme: Theme) -> None:
    """Contrast of 3 to 1 at least, as WCAG asks for what is not text."""

    def luminance(colour: str) -> float:
        parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    assert len(set(theme.colours)) == 10 == len(set(MARKS))
    for colour in (*theme.colours, theme.ink, theme.grey):
        one, other = sorted([luminance(colour), luminance(theme.ground)])
        assert (other + 0.05) / (one + 0.05) >= (4.5 if colour in (theme.ink, theme.grey) else 2.6), colour


@pytest.mark.parametrize("against", [None, "muc"])
def test_no_point_lies_under_the_coefficients(against: Any, tmp_path: Path) -> None:
    """One system is best in one metric and worst in the others: a point in the upper left corner."""
    saved = tmp_path / "saved.json"
    noisy = _noisy(tmp_path, 4, metrics="muc,lea,bcub").to_dict()
    for number, system in enumerate(noisy["systems"].values()):
        for place, metric in enumerate(("muc", "bcub", "lea")):
            system["metrics"][metric]["f1"] = (number + place) % 4 / 4
    saved.write_text(json.dumps(noisy), encoding="utf-8")
    figure = _drawn(draw_correlation, correlate([saved], metrics="muc,lea,bcub", against=against))
    figure.draw_without_rendering()
    for panel in figure.axes:
        coefficients = panel.texts[0].get_window_extent()
        points = panel.transData.transform(panel.collections[0].get_offsets())
        assert not [point for point in points if coefficients.contains(*point)]


def test_one_metric_is_drawn_against_each_other_one(tmp_path: Path) -> None:
    """Figure 1 of Luo et al. (2014): F1 of BLANC over that of each other metric."""
    path = EXAMPLE_KEY.parent / "luo" / "published.csv"
    header, *rows = path.read_text(encoding="utf-8").splitlines()
    other = tmp_path / "other.csv"
    copies = [row.replace(",blanc,", f",{metric},") for metric in ("muc", "lea") for row in rows]
    other.write_text("\n".join([header, *copies]), encoding="utf-8")
    figure: Any = Figure()
    draw_correlation(correlate([path, other], against="blanc"), figure)
    assert [panel.get_title() for panel in figure.axes] == ["MUC", "LEA"]
    points = figure.axes[0].collections[0].get_offsets()
    assert len(points) == 53
    assert points[0].tolist() == pytest.approx([48.84, 48.84])
