"""CorefUD files that the official validator accepts, and seeded ways to spoil them: one or several at once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from random import Random

ENTITY = re.compile(r"(?<=Entity=)[^|\t\n]+")


def rich() -> str:
    """A text with everything in it: parts, zeros, a multiword token, links, identities, brackets that cross."""
    return """\
# newdoc
# global.Entity = eid-etype-head-other-identity
# sent_id = s1
# text = Ann met her dog del there park
1\tAnn\t_\tPROPN\t_\t_\t2\tnsubj\t2:nsubj\tEntity=(e1-person-1--Ann)
2\tmet\t_\tVERB\t_\t_\t0\troot\t0:root\tEntity=(e2-person-2-
2.1\t_\t_\t_\t_\t_\t_\t_\t2:obj\tEntity=(e3-person-1-)
3\ther\t_\tPRON\t_\tCase=Acc|Number=Sing\t2\tobj\t2:obj|2.1:dep\tEntity=(e1-person-1--Ann)
4\tdog\t_\tNOUN\t_\t_\t2\tobj\t2:obj\tEntity=e2)
5-6\tdel\t_\t_\t_\t_\t_\t_\t_\t_
5\tde\t_\tADP\t_\t_\t2\tobl\t2:obl:de\tEntity=(e4[1/2]-place-1-
6\tel\t_\tDET\t_\t_\t2\tdep\t2:dep\tEntity=e4[1/2])
7\tthere\t_\tADV\t_\t_\t2\tadvmod\t2:advmod\t_
8\tpark\t_\tNOUN\t_\t_\t2\tdep\t2:dep\tEntity=(e4[2/2]-place-1-)

# sent_id = s2
# text = They saw that and then again.
1\tThey\t_\tPRON\t_\t_\t2\tnsubj\t2:nsubj\tBridge=e2<e5:subset,e4<e5|Entity=(e5--1-)|SplitAnte=e1<e5,e2<e5
2\tsaw\t_\tVERB\t_\t_\t0\troot\t0:root\tEntity=(e6[1/3]-event-2-
3\tthat\t_\tDET\t_\t_\t2\tdep\t2:dep\tEntity=e6[1/3])(e7-object-1-
4\tand\t_\tCCONJ\t_\t_\t2\tdep\t2:dep\tEntity=(e8--1-(e6[2/3]-event-2-)
5\tthen\t_\tADV\t_\t_\t2\tdep\t2:dep\tEntity=e7)
6\tagain\t_\tADV\t_\t_\t2\tdep\t2:dep\tEntity=e8)(e6[3/3]-event-2-|SpaceAfter=No
7\t.\t_\tPUNCT\t_\t_\t2\tpunct\t2:punct\tEntity=e6[3/3])|SpaceAfter=No

# newdoc id = d2
# global.Entity = eid-etype-head-other-identity
# sent_id = s3
# text = It rained
1\tIt\t_\tPRON\t_\t_\t2\tnsubj\t2:nsubj\tEntity=(e9-abstract-1-)
2\trained\t_\tVERB\t_\t_\t0\troot\t0:root\tEntity=(e10-event-1-)

"""


def cleaned(text: str) -> str:
    """A CorefUD file with columns, trees, texts, header and types that the official validator accepts.

    Entities stay as they are, apart from their types: those of two documents may clash, mentions may cross.
    """
    header = re.search(r"^# global\.Entity = (\S+)", text, re.MULTILINE)
    fields = header[1].split("-") if header else ["eid"]
    sentences = []
    for number, block in enumerate(text.strip("\n").split("\n\n"), 1):
        lines = block.split("\n")
        rows = [line.split("\t") for line in lines if line[:1].isdigit()]
        if not rows or any(len(row) != 10 for row in rows):
            continue
        comments = [line for line in lines if line.startswith("# newdoc")]
        if number == 1 or comments:
            comments.append("# global.Entity = eid-etype-head-other")
        tokens, covered = [], 0
        for row in rows:
            if "-" in row[0]:
                covered = int(row[0].split("-")[1])
                tokens.append(row[1])
            elif "." not in row[0] and int(row[0]) > covered:
                tokens.append(row[1])
            if "-" not in row[0]:
                word = "." not in row[0]
                root = row[0] == "1"
                parent, relation = ("0", "root") if root else ("1", "dep")
                row[3:9] = ["X", "_", "_", *([parent, relation] if word else "__"), f"{parent}:{relation}"]
            kept = [item for item in row[9].split("|") if item.startswith(("Entity=", "Bridge=", "SplitAnte="))]
            row[9] = ENTITY.sub(lambda value: _retyped(value[0], fields), "|".join(kept)) or "_"
        comments += [f"# sent_id = s{number}", f"# text = {' '.join(tokens)}"]
        sentences.append("\n".join([*comments, *("\t".join(row) for row in rows)]))
    return "\n\n".join(sentences) + "\n\n"


def _retyped(value: str, names: list[str]) -> str:
    """Brackets with id, type, head and nothing else."""

    def bracket(match: re.Match[str]) -> str:
        found = dict(zip(names, match[1].split("-"), strict=False))
        entity = found.get("eid") or found.get("GRP") or ""
        return f"({entity}-{'person' if found.get('etype') else ''}-{found.get('head') or 1}-{match[2]}"

    return re.sub(r"\(([^()]+)(\)?)", bracket, value)


Spoil = Callable[[Random, str], str]


def _one(random: Random, pattern: str, text: str, change: Callable[[re.Match[str]], str]) -> str:
    """The text with one of the places changed that a pattern finds."""
    places = list(re.finditer(pattern, text, re.MULTILINE))
    if not places:
        return text
    place = random.choice(places)
    return text[: place.start()] + change(place) + text[place.end() :]


def _replace(pattern: str, *others: str) -> Spoil:
    """One place that a pattern finds, by one of the others."""
    return lambda random, text: _one(random, pattern, text, lambda match: match.expand(random.choice(others)))


def _swap_ids(random: Random, text: str) -> str:
    ids = re.findall(r"[(=)]([\w]+)(?=[-)\[])", text)
    other = random.choice(ids) if ids else "e1"
    return _one(random, r"(?<=[(=)])\w+(?=[-)\[])", text, lambda _: other)


def _new_mention(random: Random, text: str) -> str:
    """A mention of some words of a sentence: of an entity of the file or another."""
    blocks = text.split("\n\n")
    at = random.randrange(len(blocks))
    lines = blocks[at].split("\n")
    rows = [n for n, line in enumerate(lines) if re.match(r"[0-9.]+\t", line)]
    if not rows:
        return text
    first, last = sorted(random.choices(rows, k=2))
    id_, type_ = random.choice(re.findall(r"\((\w+)(-\w*)", text) or [("n1", "-")])
    id_ = random.choice([id_, id_, "n1"])
    opening = f"({id_}{type_}-{random.choice([1, 1, 2])}-"
    for n, bracket in [(first, opening + ")")] if first == last else [(first, opening), (last, f"{id_})")]:
        before, _, misc = lines[n].rpartition("\t")
        at_front = bracket[0] != "(" or random.random() < 0.3
        if "Entity=" in misc:
            misc = ENTITY.sub((bracket + r"\g<0>") if at_front else (r"\g<0>" + bracket), misc)
        else:
            misc = f"Entity={bracket}" if misc == "_" else f"Entity={bracket}|{misc}"
        lines[n] = f"{before}\t{misc}"
    blocks[at] = "\n".join(lines)
    return "\n\n".join(blocks)


def _column(index: int, *values: str) -> Spoil:
    """One column of one row gets another value."""

    def spoil(random: Random, text: str) -> str:
        def change(match: re.Match[str]) -> str:
            columns = match[0].split("\t")
            if index < len(columns):
                columns[index] = random.choice(values)
            return "\t".join(columns)

        return _one(random, r"^[0-9][^\n]*", text, change)

    return spoil


def _swap_lines(random: Random, text: str) -> str:
    return _one(random, r"^([^\n]+\n)([^\n]+\n)", text, lambda match: match[2] + match[1])


def _double(random: Random, text: str) -> str:
    return _one(random, r"^[^\n]+\n", text, lambda match: match[0] * 2)


COREFERENCE: dict[str, Spoil] = {
    "bracket dropped": _replace(r"\(|\)", ""),
    "chunk dropped": _replace(r"(?<=[=)])(?:\([^()|\n]+\)?|\w[^()|\n]*\))", ""),
    "Entity dropped": _replace(r"Entity=[^|\n]+\|?", "_", ""),
    "other id": _swap_ids,
    "new mention": _new_mention,
    "two new mentions": lambda random, text: _new_mention(random, _new_mention(random, text)),
    "head": _replace(r"(?<=[(=)])([\w\[\]/]+-\w*)-\d+", r"\1-0", r"\1-9", r"\1-2", r"\1-x", r"\1-", r"\1", r"\1-01"),
    "type": _replace(r"(?<=[(=)])([\w\[\]/]+)-\w*", r"\1-person", r"\1-thing", r"\1-", r"\1-Person", r"\1-other"),
    "other fields": _replace(r"(-\d+)-(?=[\w(|)\n])", r"\1-new:x", r"\1-a-b", r"\1-a-b-c", r"\1"),
    "identity": _replace(r"--Ann", "--Bob", "-", "--Ann-x"),
    "part": _replace(r"\[\d/\d\]", "[1/2]", "[2/2]", "[1/1]", "[3/2]", "[0/2]", "[2/3]", "[x]", "", "[1/"),
    "bracket in id": _replace(r"(?<=[(=])(\w+)(?=-)", r"[\1", r"\1[", r"\1]", r"\1[1/2]", r"]\1"),
    "closing with fields": _replace(r"(?<=[=)])(\w+)\)", r"\1-person)", r"\1-)", r"\1[1/2])", r"\1 )"),
    "order of brackets": _replace(r"(\([^()|\n]+)(\([^()|\n]+\))", r"\2\1"),
    "closing last": _replace(r"(?<=[=)])(\w+\))(\([^()|\n]+)", r"\2\1"),
    "same span": _replace(r"(?<==)(\((\w+)(-[^()|\n]*)\))", r"(n2\3)\1", r"\1\1", r"(n2\3)(n3\3)"),
    "Entity twice": _replace(r"(Entity=[^|\n]+)", r"\1|\1", r"\1|Entity=", r"\1|Entity"),
    "no value": _replace(r"Entity=[^|\n]+", "Entity=", "Entity", "Entity=x", "Entity=(", "Entity=()", "Entity=e1"),
    "outside brackets": _replace(r"(Entity=[^|\n]+)", r"\1x", r"\1 ", r"\1(e1 -x)", r"\1)"),
    "on the token": _replace(
        r"(^\d+-\d+(?:\t[^\t\n]*){8}\t).*", r"\1Entity=(e1-person-1-)", r"\1Bridge=e1<e2", r"\1SplitAnte=e1<e2"
    ),
    "Bridge": _replace(
        r"(Entity=[^|\n]+)",
        *(rf"Bridge={value}|\1" for value in ("e1<e2", "e1<e1", "e1", "e1<", "e1<e2:X", "e1<e2:a,", "e1<e2,e1<e2")),
        *(rf"Bridge={value}|\1" for value in ("e1<e2:a:b", "e1<e2,e3", "<e2", "e1>e2", "", "e1<e2|Bridge=e3<e4")),
    ),
    "SplitAnte": _replace(
        r"(Entity=[^|\n]+)",
        *(rf"\1|SplitAnte={value}" for value in ("e1<e5", "e1<e5,e2<e5", "e5<e5,e1<e5", "e1<e5,e1<e5", "e1,e2<e5")),
        *(rf"\1|SplitAnte={value}" for value in ("", "e1<e5:x", "e1<e9,e2<e9", "e1<e5,e2<e9,e3<e5", "e1<e5,x")),
    ),
    "parts inside each other": _replace(
        r"(\tEntity=)\((\w+)-(\w*)-1-[^()|\n]*\)(?=\n)",
        r"\1(\2[1/2]-\3-1-(\2[2/2]-\3-1-)\2[1/2])",
        r"\1(\2[1/2]-\3-1-)(\2[2/2]-\3-1-(\2[2/2]-\3-1-)\2[2/2])",
        r"\1(\2[1/2]-\3-1-)(\2[1/2]-\3-1-)(\2[2/2]-\3-1-)(\2[2/2]-\3-1-)",
        r"\1(\2[1/2]-\3-1-)(\2[2/2]-\3-1-)(\2[1/2]-\3-1-)(\2[2/2]-\3-2-)",
    ),
    "SplitAnte at its target": _replace(
        r"Entity=\((\w+)([^|\n]*)",
        *(rf"\g<0>|SplitAnte={value}" for value in (r"x1<\1", r"x1<\1,x2<\1", r"x1<\1,x1<\1", r"\1<\1,x2<\1")),
        r"\g<0>|SplitAnte=x1<\1,x2<\1|SplitAnte=x1<\1",
    ),
    "links alone": _replace(r"\t_$", "\tBridge=e1<e2", "\tSplitAnte=e1<e3,e2<e3", "\tEntity=|Bridge=e1<e2"),
    "MISC in another order": _replace(r"(Bridge=[^|\n]+)\|(Entity=[^|\n]+)", r"\2|\1", r"\1|x|\2", r"\1| \2"),
    "no header": _replace(r"^# global\.Entity.*\n", ""),
    "no header at all": lambda _, text: re.sub(r"# global\.Entity.*\n", "", text),
    "header": _replace(
        r"^# global\.Entity = .*",
        *(f"# global.Entity = {value}" for value in ("eid-etype-head", "eid-etype-head-other-minspan", "eid")),
        *(f"# global.Entity = {value}" for value in ("GRP-etype-head", "etype-eid-head-other", "eid-etype-eid-head")),
        *(f"# global.Entity = {value}" for value in ("eid-etype-head-x-other", "eid_etype", "eid-etype-head-", "x")),
        *("#global.Entity=eid-etype-head-other", "# global.Entity", "# Global.Entity = eid-etype-head-other"),
        "# global.Entity = eid-etype-x-head",
    ),
    "all headers": lambda random, text: re.sub(
        r"global\.Entity = \S+",
        "global.Entity = "
        + random.choice(
            ["eid-etype-head-other-identity", "eid-etype-head", "eid-etype-head-identity-other", "eid-x"]
        ),
        text,
    ),
    "newdoc": _replace(r"^# sent_id", "# newdoc\n# sent_id", "# newdoc id = new\n# sent_id", "# newdoc x\n# sent_id"),
    "no newdoc": _replace(r"^# newdoc.*\n", ""),
    "bare newdocs": lambda _, text: re.sub(r"# newdoc id = \S+", "# newdoc", text),
    "sentences joined": _replace(r"\n\n# [^\n1]*\n(?:# [^\n]*\n)*1\t", "\n1\t"),
}
"""What is wrong with coreference."""

FORMAT: dict[str, Spoil] = {
    "line dropped": _replace(r"^[^\n]+\n", ""),
    "line doubled": _double,
    "lines swapped": _swap_lines,
    "empty line": _replace(r"\n", "\n\n", "\n \n", "\n\t\n", "\n\n\n"),
    "comment among words": _replace(r"^(\d+\t)", r"# x\n\1"),
    "no end": lambda random, text: text.rstrip("\n") + random.choice(["", "\n"]),
    "cut": lambda random, text: text[: random.randrange(len(text))],
    "column dropped": _replace(r"\t", "", " ", "\t\t", "\t_\t"),
    "blank": _replace(r"(?<=[\w\t])(?=[\w\t])", " ", "  ", "\u00a0", "\u3000", "\x1c"),
    "id": _column(0, "0", "1", "2", "01", "x", "3.1", "2.2", "1.0", "2-3", "3-2", "4-4", "1-9", "1.1-2", "0.1"),
    "form": _column(1, "other", "", "a b", " a", "a ", "a  b", "e\u0301", "\ufffd"),
    "lemma": _column(2, "", "a b", " a"),
    "UPOS": _column(3, "_", "NN", "X", "", "x", "NOUN"),
    "XPOS": _column(4, "", "a b", "x"),
    "FEATS": _column(
        5, "Case=Nom", "Case", "B=X|A=Y", "A=Y|A=Z", "A=Z,Y", "A=Y,Y", "a=b", "", "A=Y|", "A[x]=Y", "Typo=Yes"
    ),
    "HEAD": _column(6, "0", "1", "2", "_", "9", "x", "01", "", "2.1", "-1", "3"),
    "DEPREL": _column(7, "dep", "_", "Dep", "nsubj:pass", "nsubj:a:b", "foo", "ref", "", "obl:á"),
    "no DEPS in a sentence": lambda random, text: _one(
        random, r"(?:^\d+\t[^\n]*\n)+", text, lambda match: re.sub(r"(?<=\t)[\w:.|]+(?=\t[^\t\n]*\n)", "_", match[0])
    ),
    "SpaceAfter": _replace(r"^(\d+\.?\d*\t.*\t)_$", r"\1SpaceAfter=No", r"\1SpaceAfter", r"\1SpaceAfter=No|x"),
    "SpaceAfter on a node": _replace(r"^(\d+(?:\.\d+)?\t(?:[^\t\n]*\t){8})(.*)$", r"\1SpaceAfter=No|\2"),
    "DEPS": _column(
        8,
        *(
            "_",
            "0:root",
            "1:dep",
            "2:dep|1:dep",
            "1:b|1:a",
            "1:dep|1:dep",
            "x:dep",
            "9:dep",
            "2",
            "1:dep|",
            "1:_",
            "",
        ),
        *("2.1:dep", "1:obl:na:loc", "1:obl:á_b", "1:obl:A", "1:foo", "1:ref", "1:dep|2.1:dep|2:dep", "1:a:b:c:d:e"),
        *("3:dep", "4:dep", "1:obl:á:b:c", "1:obl:a:b_c:d", "1:obl:_a", "01:dep", "1.0:dep", "1:obl:loc:á"),
    ),
    "MISC": _column(
        9,
        *("SpaceAfter=No", "SpaceAfter=Yes", "NoSpaceAfter=Yes", "a|", "|a", "=x", " a=b", "a=b ", "spaceafter=No"),
        *("Lang=a|Lang=b", "Ref=1|Ref=2", "Gloss", "", "SpaceAfter=No|SpaceAfter=No", "a |b", " Lang=x", "x= y"),
    ),
    "sent_id": _replace(
        r"^# sent_id.*\n",
        *("", "# sent_id = s1\n", "# sent_id =\n", "#sent_id=q\n", "# sent_id = a b\n", "# sent_id = a/b/c\n"),
        *(
            "# sent_id = a/b\n",
            "# sent_id a\n",
            "# sent_id = a\n# sent_id = b\n",
            "# sentid = a\n",
            "#\tsent_id = t\n",
        ),
    ),
    "parallel_id": _replace(
        r"^# sent_id",
        *(
            f"# parallel_id = {value}\n# sent_id"
            for value in ("a/1", "a/1/alt1", "a/1/part1", "a/1/alt2", "A/1", "a")
        ),
        *(f"# parallel_id = {value}\n# sent_id" for value in ("a/1/alt1part1", "a/1/x", "a/1/", "a/1/part1alt1")),
        "# parallel_id = a/1\n# parallel_id = a/2\n# sent_id",
    ),
    "parallel_ids": lambda random, text: re.sub(
        r"(?m)^# sent_id",
        lambda _: (
            f"# parallel_id = a/1{random.choice(['', '/alt1', '/alt2', '/part1', '/part2', '/alt1part2'])}\n# sent_id"
        ),
        text,
    ),
    "text": _replace(
        r"^# text = (.*)\n",
        *("", "# text =\n", "# text = \n", "# text = x\n", r"# text = \1 \n", r"# text = \1 more\n", r"#text=\1\n"),
        *(r"# text = \1\n# text = \1\n", r"# text = \1.\n", r"# Text = \1\n", r"# text =  \1\n"),
    ),
    "space in the text": _replace(r"(?<=\w) (?=\w+)", "", "  ", "\u00a0"),
    "newpar": _replace(
        r"^# sent_id", "# newpar\n# sent_id", "# newpar id = p\n# sent_id", "# newpar\n# newpar x\n# sent_id"
    ),
    "line of another kind": _replace(r"^(\d+\t)", "x\\n\\1", "\u0663\\n\\1", "\ufeff\\1", "\\\\1\\1"),
    "carriage returns": lambda random, text: random.choice(
        [text.replace("\n", "\r\n"), text.replace("\n", "\r\n", 1)]
    ),
    "byte order mark": lambda _, text: "\ufeff" + text,
}
"""What is wrong with the rest."""


def spoiled(texts: list[str], number: int) -> Iterator[tuple[str, str]]:
    """So many files with what was done to them; the same for the same number."""
    for seed in range(number):
        random = Random(seed)
        text = random.choice(texts)
        kinds = FORMAT if seed % 3 == 0 else COREFERENCE
        chosen = random.choices(list(kinds), k=random.choice([1, 1, 1, 2, 3]))
        for kind in chosen:
            text = kinds[kind](random, text)
        yield f"{seed} {', '.join(chosen)}", text
