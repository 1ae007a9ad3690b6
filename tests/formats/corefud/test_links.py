"""Bridge and SplitAnte of CorefUD."""

from __future__ import annotations

from pathlib import Path

import pytest

from corefscope.core.document import Document
from corefscope.core.errors import InputError, Warnings
from corefscope.formats.detection import open_reader
from corefscope.formats.validate import validate

HEADER = "# newdoc id = d\n# global.Entity = eid-etype-head-other\n# sent_id = s1\n"


def corefud(*misc: str) -> str:
    rows = [f"{number}\tw{number}\t_\t_\t_\t_\t0\t_\t_\t{each or '_'}" for number, each in enumerate(misc, 1)]
    return HEADER + "\n".join(rows) + "\n\n"


def read(path: Path, warnings: Warnings | None = None) -> list[Document]:
    _, reader = open_reader(path, None, Warnings() if warnings is None else warnings)
    try:
        return list(reader)
    finally:
        reader.source.close()


def put(folder: Path, name: str, content: str) -> Path:
    path = folder / name
    path.write_text(content, encoding="utf-8")
    return path


def test_links_of_corefud(tmp_path: Path) -> None:
    """The anaphor is the mention of its entity that was opened last; a target may come later; order is kept."""
    warnings = Warnings()
    content_ = corefud(
        "Entity=(e1--1-(e1--1)",
        "Bridge=e2<e1,e3<e1:part|Entity=e1)",
        "Bridge=e1<e2|Entity=(e2--1)",
        "Entity=(e3--1)|Split=e1<e3,e2<e3",
        "Bridge=e1<e3",
        "Bridge=e9<e3,x,e3<e3,e1<e8|Entity=(e3--1)",
    )
    (document,) = read(put(tmp_path, "some.conllu", content_), warnings)
    assert not warnings  # nobody has looked
    kinds = [(r.kind, r.ids, r.label, [m.size for m in r.anaphor]) for r in document.relations]
    assert kinds == [
        ("split", ("e3", "e1", "e2"), "", [1, 1]),
        ("bridging", ("e1", "e2"), "", [1]),
        ("bridging", ("e1", "e3"), "part", [1]),
        ("bridging", ("e2", "e1"), "", [1]),
    ]
    assert [(warned.kind, warned.times) for warned in warnings.records()] == [("bad-link", 4)]


def test_a_cycle_of_plurals_is_an_error_once_somebody_asks(tmp_path: Path) -> None:
    content_ = corefud("Entity=(e1--1)|SplitAnte=e2<e1", "Entity=(e2--1)|SplitAnte=e1<e2")
    (document,) = read(put(tmp_path, "some.conllu", content_))
    assert len(document.entities) == 2
    with pytest.raises(InputError, match=r"some\.conllu:5: SplitAnte: entity 'e1' is an element of itself"):
        len(document.relations)


def test_validate_names_cycles_of_split_antecedents_and_links_to_oneself(tmp_path: Path) -> None:
    content_ = corefud(
        "Entity=(e1--1)|SplitAnte=e2<e1",
        "Entity=(e2--1)|SplitAnte=e3<e2",
        "Bridge=e3<e3|Entity=(e3--1)|SplitAnte=e1<e3,e3<e3",
    )
    found = validate(put(tmp_path, "some.conllu", content_))
    assert [(problem.code, problem.line) for problem in found] == [("E703", 6), ("W331", 6), ("W331", 6)]
    assert "'e1' an element of itself ('e1 of e3 of e2 of e1')" in found[0].message
    below = corefud("Entity=(e1--1)|SplitAnte=e2<e1,e3<e1", "Entity=(e2--1)|SplitAnte=e3<e2", "Entity=(e3--1)")
    assert not validate(put(tmp_path, "below.conllu", below))


def test_the_older_name_of_split_antecedents_counts_only_where_the_newer_one_is_missing(tmp_path: Path) -> None:
    plural = "Entity=(e4--1)|Split=e3<e4|SplitAnte=e1<e4,e2<e4"
    content_ = corefud("Entity=(e1--1)", "Entity=(e2--1)", "Entity=(e3--1)", plural)
    (document,) = read(put(tmp_path, "some.conllu", content_))
    assert [relation.ids for relation in document.relations] == [("e4", "e1", "e2")]
