"""Krippendorff's α for chains: the definition, its invariances, intervals, and where it is shown."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random

import jsonschema
import pytest

from corefscope import OptionError, agree
from corefscope.analysis.alpha import DISTANCES, UNMARKED, Labels, alphas
from corefscope.cli import main
from corefscope.output.formats.json_text import schema
from examples import seeds
from oracles import alpha as oracle
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE

Document = list[list[list[str]]]
"""The chains of every annotator."""


def _made(random: Random, annotators: int, mentions: int = 8) -> Document:
    """Annotators who mostly agree, each of whom leaves out some mentions."""
    base = [random.randrange(3) for _ in range(mentions)]
    found: Document = []
    for _ in range(annotators):
        chains: dict[int, list[str]] = {}
        for number, chain in enumerate(base):
            if random.random() < 0.85:
                chains.setdefault(random.randrange(4) if random.random() < 0.3 else chain, []).append(f"m{number}")
        found.append(list(chains.values()))
    return found


def _labels(document: Document) -> list[Labels]:
    return [{mention: i for i, chain in enumerate(chains) for mention in chain} for chains in document]


def _values(documents: Sequence[Document], unmarked: str) -> dict[str, float | None]:
    return {name: one.alpha for name, one in alphas(map(_labels, documents), unmarked).items()}


@pytest.mark.parametrize("unmarked", UNMARKED)
@pytest.mark.parametrize("seed", seeds(25))
def test_alpha_is_that_of_the_definition(seed: int, unmarked: str) -> None:
    random = Random(seed)
    documents = [_made(random, 2 + seed % 3, random.randrange(1, 9)) for _ in range(random.randrange(1, 4))]
    for name, value in _values(documents, unmarked).items():
        expected = oracle.alpha(documents, name, unmarked)
        assert value == (None if expected is None else pytest.approx(float(expected), abs=1e-9)), name


def test_the_worked_example() -> None:
    """The one of docs/agreement.md: {a, b, c} and {d} against {a, b} and {c, d}."""
    found = alphas([_labels([[["a", "b", "c"], ["d"]], [["a", "b"], ["c", "d"]]])], "class")
    assert found["passonneau"].observed == pytest.approx((1 / 3 + 1 / 3 + 2 / 3 + 1 / 3) / 4)
    assert found["passonneau"].alpha == pytest.approx(12 / 47)
    assert found["jaccard"].alpha == pytest.approx(37 / 198)
    assert found["masi"].alpha == pytest.approx(11 / 690)


@pytest.mark.parametrize("unmarked", UNMARKED)
@pytest.mark.parametrize("seed", seeds(10))
def test_equal_annotations_are_1_and_names_and_order_do_not_matter(seed: int, unmarked: str) -> None:
    random = Random(seed)
    documents = [_made(random, 3) for _ in range(2)]
    equal = [[document[0]] * 3 for document in documents]
    assert set(_values(equal, unmarked).values()) <= {1.0, None}
    values = _values(documents, unmarked)
    renamed = [
        [
            [[f"x{mention}" for mention in reversed(chain)] for chain in reversed(chains)]
            for chains in reversed(document)
        ]
        for document in reversed(documents)
    ]
    assert _values(renamed, unmarked) == pytest.approx(values)


def test_no_value_where_nothing_can_disagree() -> None:
    """All mentions in one chain, one mention, or none at all."""
    alike: list[Document] = [[[["a", "b"]]] * 2, [[["a"]]] * 2, [[], []]]
    for document in alike:
        for one in alphas([_labels(document)], "class").values():
            assert (one.alpha, one.low, one.high) == (None, None, None)
    lonely: Document = [[["a", "b"]], [["c"]]]
    assert set(_values([lonely], "skip").values()) == {None}  # no mention has two labels
    assert all(value is not None and value < 0 for value in _values([lonely], "class").values())


@pytest.mark.parametrize("documents", [1, 20])
def test_intervals_hold_the_value(documents: int) -> None:
    """Over documents, or over mentions if there are few documents."""
    random = Random(2)
    made = [_made(random, 3, 60 if documents == 1 else 12) for _ in range(documents)]
    for one in alphas(map(_labels, made), "class").values():
        assert None not in one
        assert one.low < one.alpha < one.high  # type: ignore[operator]
        assert one.high - one.low < 0.4  # type: ignore[operator]


def test_agreement_has_it_of_all_and_of_each_pair(tmp_path: Path) -> None:
    for name, entities in (("a", "x x x y y"), ("b", "x x z y y"), ("c", "x x x x y")):
        rows = "".join(f"d{n},{m},{e}\n" for n in range(2) for m, e in enumerate(entities.split()))
        (tmp_path / f"{name}.csv").write_text(f"document,mention,entity\n{rows}", encoding="utf-8")
    paths = [tmp_path / f"{name}.csv" for name in "abc"]
    document: Document = [
        [["0", "1", "2"], ["3", "4"]],
        [["0", "1"], ["2"], ["3", "4"]],
        [["0", "1", "2", "3"], ["4"]],
    ]
    agreement = agree(paths, metrics="lea")
    for name, one in agreement.alpha().items():
        expected = oracle.alpha([document] * 2, name, "class")
        assert expected is not None
        assert one.alpha == pytest.approx(float(expected))
    pair = agreement.alpha("b", "c")
    assert pair == agreement.alpha("c", "b") == agree(paths[1:], metrics="lea").alpha()
    records = agreement.to_records(per_document=True)
    assert [record["alpha_masi"] for record in records[-2:]] == [pair["masi"].alpha, agreement.alpha()["masi"].alpha]
    jsonschema.Draft202012Validator(schema("corefscope-agreement-1")).validate(
        json.loads(json.dumps(agreement.to_dict()))
    )


def test_mentions_that_one_has_not_marked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, rows in (("a", "1,x 2,x 3,y"), ("b", "1,x 2,x")):
        (tmp_path / f"{name}.csv").write_text("\n".join(["mention,entity", *rows.split()]), encoding="utf-8")
    paths = [str(tmp_path / f"{name}.csv") for name in "ab"]
    assert agree(paths).alpha()["masi"].alpha == pytest.approx(
        float(oracle.alpha([[[["1", "2"], ["3"]], [["1", "2"]]]], "masi", "class") or 0)
    )
    skipped = agree(paths, unmarked="skip")
    assert skipped.alpha()["masi"].alpha is None
    assert "|unmarked:skip|v" in skipped.signature
    with pytest.raises(OptionError, match="unknown unmarked 'no'"):
        agree(paths, unmarked="no")
    assert main(["agree", *paths, "--unmarked", "skip"]) == 0
    assert "unmarked:skip" in capsys.readouterr().out
    assert main(["score", *paths, "--signature", skipped.signature]) == 2
    assert "this is of annotators" in capsys.readouterr().err


@pytest.mark.parametrize("format_", ["text", "markdown", "latex", "html", "csv", "json"])
def test_every_format_has_it(format_: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["agree", str(EXAMPLE_KEY), str(EXAMPLE_RESPONSE), "--format", format_]) == 0
    value = agree([EXAMPLE_KEY, EXAMPLE_RESPONSE]).alpha()["masi"].alpha
    assert value is not None
    shown = str(value) if format_ in ("csv", "json") else f"{100 * value:.2f}"
    assert shown in capsys.readouterr().out


def test_heads_identify_mentions_where_they_match() -> None:
    by_head = agree([EXAMPLE_KEY, EXAMPLE_RESPONSE], match="head").alpha()
    exact = agree([EXAMPLE_KEY, EXAMPLE_RESPONSE]).alpha()
    for name in DISTANCES:
        assert (by_head[name].alpha or 0) > (exact[name].alpha or 0)  # spans that differ have the same head


def test_documents_that_are_too_large_have_no_alpha(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.csv"
    path.write_text("mention,entity\n" + "".join(f"{n},{n // 3}\n" for n in range(30)), encoding="utf-8")
    monkeypatch.setattr("corefscope.formats.tables.rows.LARGE", 10)
    agreement = agree([path, path])
    assert agreement.alpha() == {}
    assert "α is left out" in agreement.warnings[-1]


def test_explain_says_why_it_has_no_terms(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "alpha", str(EXAMPLE_KEY), str(EXAMPLE_RESPONSE)]) == 2
    assert "it is of annotators" in capsys.readouterr().err
