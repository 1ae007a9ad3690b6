"""Faulty files: a tiny one for every code of validation, and sound ones with a few pieces changed."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from oracles.generate import random_pair
from places import EXAMPLE_KEY, GOLDEN

Expected = list[tuple[str, int]]
Case = tuple[str, Expected]


def word(id_: object, entity: str = "", *, head: str = "_", deps: str = "_", misc: str = "_") -> str:
    """A line of CoNLL-U."""
    return f"{id_}\tw\t_\t_\t_\t_\t{head}\t_\t{deps}\t{'Entity=' + entity if entity else misc}\n"


def sentence(*lines: str, id_: str = "s1") -> str:
    """Lines with their sent_id before and an empty line after."""
    return f"# sent_id = {id_}\n" + "".join(lines) + "\n"


def corefud(*sentences: str, header: str = "eid-etype-head-other", id_: str = "d") -> str:
    """A document: newdoc in line 1, the header in line 2, the first sent_id in line 3, words from line 4."""
    return f"# newdoc id = {id_}\n# global.Entity = {header}\n" + "".join(sentences)


def words(*entities: str) -> str:
    """A document of one sentence, its words from line 4, each with its Entity or none."""
    return corefud(sentence(*(word(number, entity) for number, entity in enumerate(entities, 1))))


def conll(*cells: str, end: bool = True) -> str:
    """A document of one sentence, its words from line 2."""
    rows = "".join(f"d\t0\t{number}\tw\t-\t{cell}\n" for number, cell in enumerate(cells))
    return "#begin document (d); part 000\n" + rows + "\n" + ("#end document\n" if end else "")


def ua(*cells: str) -> str:
    """A document of CoNLL-UA in one sentence, its words from line 3; a cell may hold that of BRIDGING, too."""
    rows = ("\t".join([str(number), "w", *"_" * 8, cell or "_"]) for number, cell in enumerate(cells, 1))
    lines = "".join(row + "\t_" * (14 - row.count("\t")) + "\n" for row in rows)
    header = (
        "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY BRIDGING DISCOURSE_DEIXIS"
    )
    return f"{header}\n# newdoc id = d\n{lines}\n"


GOOD = "(e1-x-1-)"
FILES: dict[str, Case] = {
    "E003": (corefud(), [("E003", 0), ("E206", 1), ("W111", 2), ("W114", 1)]),
    "W006": ("\ufeff" + words(GOOD), [("W006", 1)]),
    "W007": (words(GOOD).replace("\n", "\r\n"), [("W007", 1)]),
    "W008": (words(""), [("W008", 0)]),
}

CONLLU: dict[str, Case] = {
    "E101": (corefud(sentence(word(1, GOOD), "2\tw\t_\n")), [("E101", 5)]),
    "E102": (corefud(sentence(word(1, GOOD), " \t\n")), [("E102", 5)]),
    "E103": (corefud(sentence(word(1, GOOD), word("x"), word("3.0"))), [("E103", 5), ("E103", 6)]),
    "E104": (
        corefud(sentence(word(1, GOOD), word(3), word(4), word(1))),
        [("E104", 5), ("E104", 7)],
    ),
    "E105": (corefud(sentence(word(1, GOOD), word("1.1"), word("1.1"))), [("E105", 6)]),
    "E106": (corefud(sentence(word(1, GOOD)), sentence(word(1))), [("E106", 6)]),
    "E107": (corefud(sentence(word("1-2", "(e2-x-1-)"), word(1, GOOD), word(2))), [("E107", 4)]),
    "E108": (
        corefud(sentence(word(1, GOOD)), sentence(word("1-2", GOOD)), sentence(word("0.1", GOOD))),
        [("E108", 6), ("E108", 9), ("W114", 6), ("W114", 9), ("W115", 7)],
    ),
    "W111": (words(GOOD)[:-1], [("W111", 4)]),
    "W112": ("\n" + words(GOOD) + "\n", [("W112", 1), ("W112", 7)]),
    "W113": (corefud(sentence(word(1, GOOD), "# text\n", word(2))), [("W113", 5)]),
    "W114": (corefud(sentence(word(1, GOOD)), "# text\n\n"), [("W114", 6)]),
    "W115": (
        corefud(
            sentence(word("3-2"), word("2-3"), word("1-2"), word(1, GOOD), word("2-3"), word(2), word("3-9"), word(3))
        ),
        [("W115", 4), ("W115", 5), ("W115", 8), ("W115", 10)],
    ),
    "W116": (
        corefud(sentence(word("0.1"), word("2.1"), word(1, GOOD), word("1.2"), word("1.1"))),
        [("W116", 5), ("W116", 7), ("W116", 8)],
    ),
    "W117": (corefud(word(1, GOOD) + "\n"), [("W117", 1)]),
    "W118": (corefud(sentence(word(1, GOOD))) + corefud(sentence(word(1)), id_="e"), [("W118", 6)]),
    "W119": (
        corefud(sentence(word(1, GOOD, head="9"), word(2, head="x"), word(3, head="4"), word(4, head="3"))),
        [("W119", 4), ("W119", 5), ("W119", 6)],
    ),
    "W120": (
        corefud(sentence(word(1, GOOD), *(word(f"1.{minor}") for minor in range(1, 11)))),
        [("W120", 14)],
    ),
}

HEADERS: dict[str, Case] = {
    "E201": ("# newdoc id = d\n" + sentence(word(1, GOOD), word(2, GOOD)), [("E201", 3), ("W323", 3), ("W323", 4)]),
    "E202": (corefud(sentence(word(1, "(e1-x)")), header="etype-head"), [("E202", 2), ("W323", 4)]),
    "E203": (
        corefud(sentence(word(1, GOOD))) + corefud(sentence(word(1, "(e2-1)"), id_="s2"), header="eid-head", id_="e"),
        [("E203", 7), ("E309", 4), ("W323", 4)],
    ),
    "E204": (
        "# newdoc id = d\n" + sentence(word(1, misc="ClusterId=c1"), word(2, misc="ClusterId=c1")),
        [("E204", 3)],
    ),
    "E205": (
        corefud(sentence(word(1, GOOD)), id_="#2") + "# newdoc\n" + sentence(word(1), id_="s2"),
        [("E205", 6), ("W223", 6)],
    ),
    "E206": (
        corefud("# newdoc id = e\n", sentence(word(1, GOOD)), "#newdoc id = f\n", "# newdoc id =\n", "# newdoc\n\n"),
        [("E206", 1), ("E206", 7), ("E206", 8), ("E206", 9), ("W114", 7)],
    ),
    "E207": ("# newdoc id = d\n#global.Entity = eid\n" + sentence(word(1)), [("E207", 2)]),
    "W211": (
        corefud(sentence(word(1, GOOD))) + corefud(sentence(word(1), id_="s2"), header="eid-etype-head", id_="e"),
        [("W211", 7), ("W323", 4)],
    ),
    "W212": (
        "# newdoc id = d\n"
        + sentence(word(1, "(e1)"))
        + "# global.Entity = eid-etype-head\n"
        + sentence(word(1), id_="s2"),
        [("W212", 3)],
    ),
    "W213": (corefud(sentence(word(1, "(1-x)")), header="GRP-etype"), [("W213", 2)]),
    "W214": (
        corefud(sentence(word(1, "(e1-2-1)")), header="eid-GRP-head"),
        [("W214", 2)],
    ),
    "W221": ("# global.Entity = eid-head\n" + sentence(word(1, "(e1-1)")), [("W221", 0)]),
    "W222": (sentence(word(1)) + corefud(sentence(word(1, GOOD), id_="s2")), [("W222", 1)]),
    "W223": ("# newdoc\n" + words(GOOD).partition("\n")[2], [("W223", 1)]),
    "W224": (corefud(sentence(word(1, GOOD))) + corefud(sentence(word(1), id_="s2")), [("W224", 6)]),
}

BRACKETS: dict[str, Case] = {
    "E301": (
        corefud(sentence(word(1, misc="Entity"), word(2, misc="Entity=|X=1"), word(3, GOOD))),
        [("E301", 4), ("E301", 5)],
    ),
    "E302": (corefud(sentence(word(1, misc=f"Entity=(e2-x-1-)|Entity={GOOD}"))), [("E302", 4)]),
    "E303": (words(GOOD, "e1)", ")e7)"), [("E303", 5), ("E303", 6), ("E303", 6)]),
    "E304": (words(GOOD, "(e1-x-1-(e1-x-1-", ""), [("E304", 5), ("E304", 5)]),
    "E305": (
        corefud(sentence(word(1, "(e1-x-1-")), sentence(word(1, "e1)(e2-x-1-)"), id_="s2")),
        [("E305", 7)],
    ),
    "E306": (
        corefud(sentence(word(1, "(e1-x-1-"))) + corefud(sentence(word(1, "e1)(e2-x-1-)"), id_="s2"), id_="e"),
        [("E304", 4), ("E306", 9)],
    ),
    "E307": (words(GOOD, "()", "(-x-1-)", "(a b-x-1-"), [("E304", 7), ("E307", 5), ("E307", 7)]),
    "E308": (words(GOOD, "e1"), [("E308", 5)]),
    "E309": (words("(e1-x-one-", "e1)", "(e1-x--)"), [("E309", 4), ("E309", 6)]),
    "E310": (words("(e1-x-3-", "e1)"), [("E310", 5)]),
    "E311": (
        words("(e1[0/2]-x-1-", "e1[0/2])", "(e1[2/1]-x-1-)", "(e1[x]-x-1-)"),
        [("E311", 4), ("E311", 6), ("E311", 7), ("E319", 5)],
    ),
    "E312": (
        words("(e1[2/2]-x-1-)", GOOD, "(e1[2/2]-x-1-", "", "e1[2/2])"),
        [("E312", 4), ("E312", 6)],
    ),
    "E313": (
        words("(e1[1/3]-x-1-)", "", "(e1[3/3]-x-1-)", "(e2[1/2]-x-1-)", "", "(e2[2/3]-x-1-)", "", "(e2[3/3]-x-1-)"),
        [("E313", 6), ("E313", 9), ("E313", 11)],
    ),
    "E314": (words("(e1[1/2]-x-1-)", ""), [("E314", 4)]),
    "E315": (
        corefud(sentence(word(1, "(e1[1/2])"), word(2), word(3, "(e1[2/2])")), header="eid"),
        [("E315", 6), ("W213", 2)],
    ),
    "E316": (
        words("(e1[1/2]-x-1-)", "", "(e1[1/2]-x-1-)", "", "(e1[2/2]-x-1-)", "", "(e1[2/2]-x-1-)"),
        [("E316", 8)],
    ),
    "E317": (
        corefud(sentence(word(1), word("1.1", GOOD, deps="9:x"), word("1.2", GOOD, deps="1"))),
        [("E317", 5), ("E317", 6)],
    ),
    "E318": (words("(e1-x-1-", "e1-x)"), [("E318", 5)]),
    "E319": (
        words("(e1[1/2]-x-1-", "(e1-x-1-", "e1[1/2])", "e1)", "", "(e1[2/2]-x-1-)"),
        [("E319", 6), ("W403", 5)],
    ),
    "W321": (words("(e1-x-2-)", "(e1-x-0-", "e1)"), [("W321", 4), ("W321", 5)]),
    "W322": (words("(e1-x", "e1)"), [("W322", 4)]),
    "W323": (words("(e1-x-1-a-b)"), [("W323", 4)]),
    "W324": (words(GOOD, "(e1-y-1-)", "(e1--1-)"), [("W324", 5)]),
    "W325": (words("(e1-x-1-", "(e1-x-1-(e2-x-1-)e1)", "e1)"), [("W325", 5), ("W402", 5)]),
    "W327": (words("(e1[1/2]-x-1-", "e1[1/2])(e1[2/2]-x-1-)"), [("W327", 5)]),
    "W328": (words("(e1[-x-1-)"), [("W328", 4)]),
    "W329": (corefud(sentence(word(1), word("1.1", GOOD), word("1.2"))), [("W329", 5)]),
    "W330": (corefud(sentence(word(1, GOOD, deps="9:x"), word(2, deps="9:x"))), [("W330", 4)]),
    "W331": (
        corefud(
            sentence(
                word(1, misc="Bridge=e1<e1|Entity=(e1-x-1-)"),
                word(2, misc="Bridge=e1<e2:part|Entity=(e2-x-1-)"),
                word(3, misc="Entity=(e3-x-1-)|SplitAnte=e1<e3,e9<e3"),
                word(4, misc="Entity=(e3-x-1-)|SplitAnte=e1"),
                word(5, misc="Bridge=e1<e3"),
            )
        ),
        [("W331", 4), ("W331", 6), ("W331", 7), ("W331", 8)],
    ),
    "W332": (words("(e1[1/1]-x-1-)"), [("W332", 4)]),
    "W333": (
        corefud(sentence(word(1, "(e1[1/2]-x-1-)")), sentence(word(1, "(e1[2/2]-x-1-)"), id_="s2")),
        [("W333", 7)],
    ),
}

MENTIONS: dict[str, Case] = {
    "W401": (words(GOOD + GOOD), [("W401", 4)]),
    "W402": (words(GOOD + "(e2-x-1-)"), [("W402", 4)]),
    "W403": (
        words("(e1[1/2]-x-1-)", "(e1-x-1-", "(e1[2/2]-x-1-)e1)"),
        [("W403", 5)],
    ),
    "W404": (conll("(1", "(1", "", "1)", "1)"), [("W404", 3)]),
    "W405": (
        corefud(sentence(word(1, GOOD))) + corefud(sentence(word(1, GOOD), id_="s2"), id_="e"),
        [("W405", 9)],
    ),
    "W406": (words(*(f"(e{entity}-x-1-)" for entity in range(10) for _ in "ab")), [("W406", 0)]),
    "W407": (words(*(f"(e{entity}-x-1-)" for entity in range(10))), [("W407", 0)]),
    "W408": (words(*(["(e1-x-1-", "e1)"] * 12)), [("W408", 0)]),
}

CONLL: dict[str, Case] = {
    "E501": ("d 0 0 w (1)\n", [("E501", 0), ("E505", 1)]),
    "E502": (conll("(1)") + conll("(1)"), [("E502", 5)]),
    "E503": (conll("(1)").replace("\n\n", "\nw\n\n"), [("E503", 3)]),
    "E504": (conll("(1)", "1", "()"), [("E504", 3), ("E504", 4), ("E504", 4)]),
    "E505": ("w\t-\n" + conll("(1)") + "d\t0\t1\tw\t-\t-\nd\t0\t2\tw\t-\t-\n", [("E505", 1), ("E505", 6)]),
    "E506": (conll("(1)") + "#Begin document (e)\n", [("E506", 5)]),
    "W511": (conll("(1", "", "1)").replace("d\t0\t1", "\nd\t0\t1"), [("W511", 2)]),
    "W512": (conll("(1)", end=False), [("W512", 3)]),
    "W513": (conll("(1)", end=False) + conll("(1)").replace("000", "001"), [("W513", 4)]),
    "W514": (conll("(1)", "-", "-").replace("d\t0\t1\t", "d\t0\t"), [("W514", 3)]),
    "W515": (conll("(1)", "-", "-").replace("d\t0\t1\tw\t-\t-\n", ""), [("W515", 3)]),
    "W516": (conll("(1)").replace("\n\n", "\n#x\t-\n\n"), [("W516", 3)]),
    "W517": (conll("(1)") + "#end document\n", [("W517", 5)]),
    "W518": (conll("(1)") + "#begin document (e)\n#end document\n", [("W518", 5)]),
    "W519": (conll("(1", "1", "1)", "1"), [("E504", 5), ("W519", 3)]),
    "W520": (conll("(1", "1)|(1", "1)|(2", "(3|3)|2)"), [("W403", 3), ("W520", 3)]),
}

CONLL_BRACKETS: dict[str, Case] = {
    "E303": (conll("(1)", "1)", "(2|3)"), [("E303", 3), ("E303", 4), ("E304", 4)]),
    "E304": (conll("(1(1", "1)"), [("E304", 2)]),
    "E306": (conll("(1") + conll("1)|(2)").replace("000", "001"), [("E304", 2), ("E306", 6)]),
    "W401": (conll("(1)|(1)"), [("W401", 2)]),
    "W402": (conll("(1)(2)"), [("W402", 2)]),
}

MARKABLE = "(EntityID=1|MarkableID=m1)"
SECOND = "(EntityID=2|MarkableID=m2)"
UA: dict[str, Case] = {
    "E103": (ua(MARKABLE).replace("\n1\t", "\nx\t"), [("E103", 3)]),
    "E303": (ua(MARKABLE, ")"), [("E303", 4), ("W712", 4)]),
    "E304": (ua(MARKABLE[:-1], ""), [("E304", 3), ("W712", 3)]),
    "E502": (ua(MARKABLE) + ua(SECOND), [("E502", 6)]),
    "E504": (ua(MARKABLE, "x"), [("E504", 4), ("W712", 4)]),
    "E701": (ua(MARKABLE, "(EntityID=1)"), [("E701", 4), ("W712", 4)]),
    "E702": (ua(MARKABLE).replace("\n1\t", "\n1-2\t"), [("E702", 3), ("W713", 2)]),
    "E703": (ua("(EntityID=1|MarkableID=m1|ElementOf=1)"), [("E703", 3), ("W712", 3)]),
    "E704": (ua("(EntityID=1|MarkableID=m1|Min=x)"), [("E704", 3), ("W712", 3)]),
    "E705": (ua(f"{MARKABLE}\t(MarkableID=m1)"), [("E705", 3), ("W712", 3)]),
    "E706": (ua(MARKABLE, MARKABLE.replace("1|", "2|")), [("E706", 4), ("W713", 2)]),
    "E707": (ua(f"{MARKABLE}\t(MarkableID=m1|MentionAnchor=m9)"), [("E707", 3)]),
    "E708": (ua("(EntityID=1|MarkableID=m1|ElementOf=9)"), [("E708", 3)]),
    "W711": (ua("(EntityID=1|MarkableID=m1|Min=7)"), [("W711", 3), ("W713", 2)]),
    "W712": (ua(MARKABLE.replace("ID", "Id")), [("W712", 3)]),
    "W713": (ua(MARKABLE, MARKABLE), [("W713", 2)]),
    "W714": (ua(f"{MARKABLE}\t(MarkableID=m1|MentionAnchor=m1)"), [("W714", 3)]),
}

TABLES = {
    "UA": UA,
    "files": FILES,
    "CoNLL-U": CONLLU,
    "headers": HEADERS,
    "brackets": BRACKETS,
    "mentions": MENTIONS,
    "CoNLL": CONLL,
    "brackets in CoNLL": CONLL_BRACKETS,
}
CASES = [(table, code, *case) for table, cases in TABLES.items() for code, case in cases.items()]
ELSEWHERE = {"E001", "E002", "E004", "W005"}
"""Codes whose files are no text, or no file; they have tests of their own."""

PIECES = (
    *("(e1", "e1)", "(e1[1/2]-x-1", "e1[2/2])", "()", ")", "(", "|", "-", "Entity=", "|Entity", "Entity=(e1-x-9-"),
    *("\t", "\n", "\n\n", "\r", " ", "\x00", "\ufeff", "\u2028", "# newdoc\n", "# newdoc id = x\n", "#newdoc\n"),
    *("# global.Entity = eid\n", "# global.Entity = GRP-head-etype\n", "# sent_id = s\n", "2.1", "2.0", "1-2", "99"),
    *(
        "0",
        word("1.1", deps="9:x"),
        word(1, GOOD),
        word(2, "(e1[1/1]-x-1-)"),
        word(1, "e1)"),
        "#begin document (d)\n",
    ),
    *("#begin document (d); part 000\n", "#end document\n", "(0)", "(0", "0)", "ClusterId=", "\udcff"),
    *('{"sentences": [["a"]], "clusters": [[[0, 0]]]}\n', '{"clusters": {"a": [1]}}', '[["a", "b"]]', '"', "{", "]"),
    *("document,mention,entity\n", "d,m,e\n", "d\tm\te\n"),
)


LINES = {
    "corefud": (
        *(
            "# newdoc",
            "# newdoc id = x",
            "#newdoc id = x",
            "# newdoc id =",
            "#\tnewdoc",
            "# newdocs",
            "# sent_id = s",
        ),
        *(
            "# global.Entity = eid",
            "#global.Entity = eid",
            "# global.Entity: eid",
            "# global.Entity = GRP-head-etype",
        ),
        *("# global.Entity = eid-etype-head-other", "", " ", "# text", "ClusterId=c1", "\udcff", "# \udcff", "x\ty"),
        *(
            line[:-1]
            for line in (word("1-2", GOOD), word("2-3"), word("1.1", deps="9:x"), word("0.1", GOOD), word(1))
        ),
    ),
    "conll": (
        *(
            "#begin document (d)",
            "#begin document (d); part 000",
            "#Begin document (e)",
            "# begin_document f",
            "w\t-",
        ),
        *("#  begin document (g)", "#end document", "#END DOCUMENT", "#end documents", "", " ", "# \udcff", "\udcff"),
        *("w\t-", "d\t0\t0\tw\t-\t(7)", "d\t0\t0\tw\t-\t7)", "#x\t-", "#\t-", "w"),
    ),
}
VALUES = {
    "corefud": (
        *("Entity", "Entity=", "Entity=|X=1", "Entity=(e1-x-1-)|Entity=(e2-x-1-)", "Entity|Entity=(e1-x-1-)", "_"),
        *("Entity=(e1-x-1-", "Entity=e1)", "Entity=(e1-x-9-", "Entity=(e1[1/2]-x-1-)", "Entity=(e1[2/2]-x-1-)"),
        *("Entity=(e1[1/3]-x-1-", "Entity=(e1[3/3]-x-1-)", "Entity=e1[1/3])", "Entity=e1[2/2])", "X=Entity=(e1)"),
        *("Entity=(e1-x-1-)|Entity", "Entity=(e1-x-1-)|Entity=", "Entity=(e1-x-1-)|X=1|EntityX=2", "Entity=e1"),
        *("Entity=(e1-x-1-)e2", "Entity=(e1[0/2]-x-1-)", "Entity=()", "Entity=e1-x)", "MyEntity=(e1)"),
    ),
    "conll": ("(1", "1)", "(1)", "(1|(1)", "1", "()", "(1)|1)", "-", "_", "", "x)", "(x"),
}
"""Lines, and contents of the last column, that are wrong or odd."""


def faulty_lines(rng: random.Random, kind: str, text: str) -> str:
    """A text of whole lines with a few of them put in, left out, doubled, moved, or given another last column."""
    lines = text.split("\n")
    for _ in range(rng.randint(1, 4)):
        at = rng.choice((0, 1, len(lines) - 1, *[rng.randrange(len(lines)) for _ in range(7)])) % len(lines)
        what = rng.random()
        if what < 0.3:
            lines.insert(at, rng.choice(LINES[kind]))
        elif what < 0.8 and "\t" in lines[at]:
            lines[at] = lines[at].rpartition("\t")[0] + "\t" + rng.choice(VALUES[kind])
        elif what < 0.9:
            lines.insert(rng.randrange(len(lines) + 1), lines[at])
        elif len(lines) > 1:
            del lines[at]
    return "\n".join(lines)


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """A file as it should be, with a few lines changed, or a few pieces cut out, doubled or put in."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    kind = draw(st.sampled_from(("corefud", "corefud", "example", "conll")))
    if kind == "corefud":
        names = ("late_header", "shared_eids", "merged_documents", "duplicates", "two_heads", "empty_deps", "minors")
        features = {name: rng.random() < 0.2 for name in names}
        text = random_pair(rng, "small", multiword_tokens=rng.random() < 0.2, **features)[0]
    elif kind == "example":
        text = EXAMPLE_KEY.read_text(encoding="utf-8")
    else:
        text = (GOLDEN / "conll" / "l00001.key.conll").read_text(encoding="utf-8")[:1500]
    if draw(st.booleans()):
        text = faulty_lines(rng, "conll" if kind == "conll" else "corefud", text)
        return text.encode("utf-8", errors="surrogateescape")
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.sampled_from((0, 1, 3, 20, 200))))
        piece = draw(st.sampled_from(("", text[start:end] * 2, *PIECES)))
        text = text[:start] + piece + text[end:]
    return text.encode("utf-8", errors="surrogateescape")
