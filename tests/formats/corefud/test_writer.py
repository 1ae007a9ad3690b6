"""CorefUD written from documents of other formats, and rewritten in canonical order."""

from __future__ import annotations

from pathlib import Path

from corefscope.formats.convert import convert
from corefscope.formats.corefud.reader import CorefUDReader
from tests.cli.test_faults import conllu
from tests.formats.conll.test_writer import content, documents

HEADER = "# global.Entity = eid-etype-head-other\n"


def converted(folder: Path, text: str) -> str:
    (folder / "in.conllu").write_text(text, encoding="utf-8")
    convert(folder / "in.conllu", folder / "out.conllu")
    before, after = (documents(folder / name, CorefUDReader) for name in ("in.conllu", "out.conllu"))
    assert [content(found) for found in before] == [content(found) for found in after]
    assert [found.entity_ids for found in before] == [found.entity_ids for found in after]
    once = (folder / "out.conllu").read_bytes().decode()
    convert(folder / "out.conllu", folder / "twice.conllu")
    assert (folder / "twice.conllu").read_bytes().decode() == once
    return once


CANONICAL = """# newdoc id = d1
# global.Entity = GRP-etype-infstat-minspan-link-identity
# meta::x = 1
# sent_id = s1
# text = ab c
# Entity=(e9) is no Entity
1-2\tab\t_\t_\t_\t_\t_\t_\t_\tEntity=(e8)(e1)
1\ta\tl\tNOUN\tNN\tX=Entity=1\t0\troot\t0:root\tBridge=e2<e1:part|Entity=(e1-person-new-1,2-coref-A_(B)|SplitAnte=e1<e2
2\tb\t_\t_\t_\t_\t1\tx\t_\tXEntity=e1)|Entity=e1)|SpaceAfter=No
2.1\t_\t_\t_\t_\t_\t_\t_\t1:nsubj\tEntity=(e2-person-acc-1-coref)

# a comment of its own


# sent_id = s2
1\tc\t_\t_\t_\t_\t0\troot\t_\t_

# newdoc
# sent_id = s3
1\td\t_\t_\t_\t_\t0\troot\t_\tA=1|Entity=(e1-place-new-1-coref-)|Z"""


def test_a_canonical_file_stays_as_it_is(tmp_path: Path) -> None:
    """To the byte, whatever it has besides brackets, and even without a line end after its last line."""
    text = CANONICAL.replace("A_(B)", "A_B")
    assert converted(tmp_path, text) == text


def test_only_the_order_of_brackets_changes(tmp_path: Path) -> None:
    def short(one: str, two: str, three: str) -> str:
        values = [f"A=1|Entity={value}|B=2" for value in (one, two, three)]
        rows = [f"{i}\tw\tl\tX\tX\tF\t0\td\t_\t{value}" for i, value in enumerate(values, 1)]
        return "\n".join([f"# newdoc id = d\n{HEADER}# sent_id = s", *rows, "", ""])

    old = short("(e3-x-1-c)(e1-x-1-a(e2-y-2-b(e2--1-", "(e4--1-(e5--1-q)e4)e2)(e6--1", "e1)e2)e6)")
    new = short("(e1-x-1-a(e2-y-2-b(e2--1-(e3-x-1-c)", "e2)(e6--1(e4--1-)(e5--1-q)", "e6)e2)e1)")
    assert converted(tmp_path, old) == new


def test_what_the_reader_ignores_is_not_written(tmp_path: Path) -> None:
    text = conllu(f"# newdoc id = d\n{HEADER}1 a (e1--1)(e2--1\n2 b (e3--1\n3 c (e1--1)x\n")
    assert "Entity=(e1--1)\n" in (out := converted(tmp_path, text))
    assert "e2" not in out
    assert "\t_\n3" in out, "nothing is left of the second word's"


def test_mentions_of_one_entity_that_cross_are_still_read_as_before(tmp_path: Path) -> None:
    text = conllu(f"# newdoc id = d\n{HEADER}1 a (e1--1\n2 b (e1[1/2]--1\n3 c e1)\n4 d e1[1/2])\n5 e (e1[2/2]--1)\n")
    assert converted(tmp_path, text) == text


def test_parts_that_canonical_order_would_join_otherwise_stay(tmp_path: Path) -> None:
    """Here the first part must end before the second begins, although it is a single word."""
    text = conllu(
        f"# newdoc id = d\n{HEADER}1 a (e1[1/2]--1\n2 b e1[1/2])(e1[2/2]--1)\n\n1 x (e2--1\n2 y e2)(e3--1)\n"
    )
    assert converted(tmp_path, text) == text.replace("e2)(e3--1)", "(e3--1)e2)")
    warnings = convert(tmp_path / "in.conllu", tmp_path / "out.conllu").warnings
    assert "joined otherwise" in " ".join(warnings)


def test_a_file_that_comes_back_to_a_document_keeps_its_order(tmp_path: Path) -> None:
    block = "# newdoc id = {}\n1 a (e1--1\n2 b e1)(e2--1)\n\n"
    text = conllu(HEADER + "".join(map(block.format, ["d1", "d2", "d1"])))
    assert converted(tmp_path, text) == text.replace("e1)(e2--1)", "(e2--1)e1)")


def test_a_file_without_entities_passes(tmp_path: Path) -> None:
    text = "\n\n# nothing yet\n\n# newdoc id = d\n1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n\n"
    assert converted(tmp_path, text) == text
