"""Format loss: what tags cost that have not landed, apart from what coreference costs."""

from __future__ import annotations

import json
import random
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefscope
from corefscope.cli import main
from corefscope.core.choices import StyleName
from corefscope.formats.convert import convert
from corefscope.llm.styles import STYLES
from examples import examples
from oracles.generate import random_pair

ROWS = ["1 Ann 2 (e1--1)", "2 met 0 _", "3 her 5 (e2--3(e1--1)", "4 old 5 _", "5 dog 2 e2)", "6 . 2 _"]
MORE = ["1 It 2 (e2--1)", "2 barked 0 _", "3 . 2 _"]


def _misc(entity: str) -> str:
    return entity if entity == "_" else f"Entity={entity}"


def sentence(number: int, rows: list[str]) -> str:
    columns = (row.split() for row in rows)
    lines = (
        f"{n}\t{form}\t_\t_\t_\t_\t{head}\tx\t_\t{e if e == '_' else 'Entity=' + e}" for n, form, head, e in columns
    )
    return "\n".join([f"# sent_id = {number}", *lines, "", ""])


KEY = "# newdoc id = d\n# global.Entity = eid-etype-head-other\n" + sentence(1, ROWS) + sentence(2, MORE)
WHOLE: dict[str, Any] = {"match": "exact", "singletons": "keep", "rules": "corrected"}


def scored(folder: Path, text: str, key: str = KEY, **options: str) -> corefscope.Report:
    (folder / "key.conllu").write_text(key, encoding="utf-8")
    (folder / "out.txt").write_text(text + "\n", encoding="utf-8")
    return corefscope.score(folder / "key.conllu", folder / "out.txt", **{**WHOLE, **options})


def test_a_faithful_copy_costs_nothing(tmp_path: Path) -> None:
    report = scored(tmp_path, "Ann|[e1] met her|[e1],[e2 old dog|e2] . It|[e2] barked .")
    assert report.format_loss is not None
    assert all(lost == (1, 1, 1) and not lost.format_loss for lost in report.format_loss.values())


def test_an_unclosed_mention_is_the_formats_fault(tmp_path: Path) -> None:
    report = scored(tmp_path, "Ann|[e1] met her|[e1],[e2 old dog . It|[e2] barked .")
    assert report.format_loss is not None
    lost = report.format_loss["muc"]
    assert (lost.landed, lost.coreference_loss) == (1, 0)
    assert lost.format_loss == 1 - report["muc"].f1 > 0


def test_a_wrong_entity_is_the_coreferences_fault(tmp_path: Path) -> None:
    report = scored(tmp_path, "Ann|[e1] met her|[e2],[e2 old dog|e2] . It|[e1] barked .")
    assert report.format_loss is not None
    assert report.format_loss["conll"].format_loss == 0 < report.format_loss["conll"].coreference_loss


def test_an_unclosed_mention_of_the_wrong_entity_is_the_fault_of_both(tmp_path: Path) -> None:
    report = scored(tmp_path, "Ann|[e1] met her|[e1],[e9 old dog . It|[e2] barked .")
    assert report.format_loss is not None
    lost = report.format_loss["mentions"]
    assert (lost.landed, lost.format_loss > 0) == (1, True)
    assert report.format_loss["muc"].coreference_loss > 0


def test_what_was_never_printed_is_not_the_formats_fault(tmp_path: Path) -> None:
    report = scored(tmp_path, "Ann|[e1] met her|[e1],[e2 old dog|e2] .")
    assert report.format_loss is not None
    assert report.format_loss["conll"].format_loss == 0 < report.format_loss["conll"].coreference_loss


def test_the_ceiling_is_what_the_style_can_hold(tmp_path: Path) -> None:
    split = KEY.replace("(e2--3(e1--1)", "(e2[1/2]--1(e1--1)").replace("Entity=e2)", "Entity=e2[1/2])")
    word = "7\tso\t_\t_\t_\t_\t2\tx\t_\tEntity=(e2[2/2]--1)\n\n"
    split = split.replace("\n\n", f"\n{word}", 1)
    report = scored(tmp_path, "Ann|[e1] met her|[e1],[e2 old dog|e2] . so It|[e2] barked .", split)
    assert report.format_loss is not None
    lost = report.format_loss["mentions"]
    assert lost.score == lost.landed == lost.ceiling < 1


@examples(50)
@given(st.integers(0, 10**9), st.sampled_from([style for style in STYLES if style != "json"]))
def test_format_loss_and_coreference_loss_add_up(seed: int, style: StyleName) -> None:
    """Text with the tags of another response, from which pieces are missing: 1 − score, metric by metric."""
    rng = random.Random(seed)
    key, response = random_pair(rng, empty_parents=False)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "other.conllu").write_text(response, encoding="utf-8")
        convert(folder / "other.conllu", folder / "out.txt", style=style, lossy=True)
        text = (folder / "out.txt").read_text(encoding="utf-8")
        for _ in range(rng.randint(0, 4)):
            at = rng.randrange(len(text))
            text = text[:at] + text[at + rng.randint(1, 9) :]
        options = {"match": rng.choice(["head", "exact"]), "rules": rng.choice(["corrected", "corefud-1.2"])}
        report = scored(folder, text, key, **options)
        for metric, lost in (report.format_loss or {}).items():
            assert lost.score == getattr(report[metric], "f1", None)
            assert lost.format_loss >= 0 <= lost.coreference_loss
            assert abs(lost.format_loss + lost.coreference_loss - (1 - lost.score)) < 1e-12


def test_reports_say_it_before_the_scores(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scored(tmp_path, "Sure !\nAnn|[e1] met her|[e1],[e2 Old dog . It|[e2]")
    files = [str(tmp_path / "key.conllu"), str(tmp_path / "out.txt")]
    assert main(["score", *files, "-q", "--metrics", "muc"]) == 0
    before, points, scores, _ = capsys.readouterr().out.split("\n\n")
    assert " ".join(before.split()) == (
        "response printed in style crac (explains 100.00 % of tags): 6 of 9 words copied (66.67 %), 1 in another"
        " spelling, 2 left out, 2 before or after the text tags: 6 placed, 0 moved, 1 repaired, 0 dropped cut off: d"
        " behind word 7 of 9"
    )
    assert " ".join(points.splitlines()[0].split()) == "points Format loss Coreference loss Ideal placement Ceiling"
    assert scores.splitlines()[0].split() == ["Recall", "Precision", "F1"]


def test_json_has_it_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = scored(tmp_path, "Ann|[e1] met her|[e1],[e2 old dog . It|[e2] barked .")
    files = [str(tmp_path / "key.conllu"), str(tmp_path / "out.txt")]
    options = ["--match", "exact", "--singletons", "keep", "--rules", "corrected", "--format", "json"]
    assert main(["score", *files, *options, "-q"]) == 0
    saved = json.loads(capsys.readouterr().out)
    assert report.format_loss is not None
    assert saved["format_loss"] == report.format_loss.to_dict()
    assert saved["format_loss"]["muc"]["format_loss"] == 1 - saved["metrics"]["muc"]["f1"]
    assert saved["inputs"]["response"]["printed"]["tags"]["repaired"] == 1


def test_the_page_has_it_before_the_scores(tmp_path: Path) -> None:
    report = scored(tmp_path, "Ann|[e1] met her|[e1],[e2 old dog . It|[e2] barked .")
    files = [str(tmp_path / "key.conllu"), str(tmp_path / "out.txt")]
    options = ["--match", "exact", "--singletons", "keep", "--rules", "corrected", "-q"]
    assert main(["report", *files, *options, "-o", str(tmp_path / "page.html")]) == 0
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert report.format_loss is not None
    lost = report.format_loss["conll"]
    row = f'<th scope="row">CoNLL</th><td>{100 * lost.format_loss:.2f}</td><td>{100 * lost.coreference_loss:.2f}</td>'
    assert (
        0
        < page.index("response printed in style crac (explains 100.00 % of tags): 9 of 9 words copied")
        < page.index(row)
    )
    assert page.index(row) < page.index('<div class="score hero">')
    assert main(["report", files[0], files[0], "-q", "-o", str(tmp_path / "plain.html")]) == 0
    assert "What the format cost" not in (tmp_path / "plain.html").read_text(encoding="utf-8")


def test_other_formats_have_none(tmp_path: Path) -> None:
    (tmp_path / "key.conllu").write_text(KEY, encoding="utf-8")
    report = corefscope.score(tmp_path / "key.conllu", tmp_path / "key.conllu")
    assert report.format_loss is None
    assert "format_loss" not in report.to_dict()
