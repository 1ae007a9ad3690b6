"""Ways to break a file: bytes, lines, and what the format is made of."""

from __future__ import annotations

import random
import re

PIECES = {
    "corefud": [
        *(b"(e1", b"e1)", b"(e1[1/2]-x-1", b"e1[2/2])", b"()", b"Entity=", b"|Entity", b"Entity=(e1-x-9", b"2.1"),
        *(b"# newdoc\n", b"# newdoc id = x\n", b"# global.Entity = eid\n", b"# sent_id = s\n", b"1-2", b"2.0"),
        *(b"1.1\t_\t_\t_\t_\t_\t_\t_\t9:x\t_\n", b"# global.Entity = GRP-etype\n", b"ClusterId="),
    ],
    "ua": [
        *(
            b"(EntityID=1|MarkableID=m1",
            b"(EntityID=2|MarkableID=m2)",
            b")",
            b"(",
            b"@",
            b"|ElementOf=1",
            b"|Min=2,3",
        ),
        *(
            b"# newdoc id = x\n",
            b"# newdoc",
            b"# global.columns = ID FORM IDENTITY\n",
            b"# sent_id = s\n",
            b"2.1",
            b"2-3",
        ),
        *(
            b"-Pseudo",
            b"_Pseudo",
            b"m1)",
            b"(MarkableID=m1|MentionAnchor=m2)",
            b"EntityAnchor=1",
            b"\xc2\xa0",
            b"\t_",
        ),
    ],
    "conll": [
        *(b"#begin document (d); part 000\n", b"# begin document", b"#end document\n", b"; part ", b"\t-", b"\t"),
        *b"(0) (0 0) | () # (1(2 1)2)".split(),
        b"9" * 5000,
    ],
    "jsonl": [
        *b'[ ] { } " , : -1 99 1e9 NaN true null \\ud800 \\'.split(),
        *(b'"clusters": ', b'"predicted_clusters": ', b'"doc_key": "d", ', b'"part_id": 7, ', b'"tokens": [], '),
        *(b'"subtoken_map": [0], ', b"[" * 2000, b"9" * 5000, b"[0, 0]", b'"text": "a", '),
    ],
    "tagged": [
        *(
            b"|[e1]",
            b"|[e1 ",
            b"|e1]",
            b"|[e1],[e2]",
            b"<e1>",
            b"</e1>",
            b"</",
            b"[",
            b"]",
            b"](#cluster_0)",
            b": 1]",
        ),
        *(b"<m> ", b" | 0 </m>", b"##", b" ##|[e1]", b"<e1>##</e1>", b"```", b"<e1 id=2>", b"&lt;e1&gt;", b"</m>"),
        *(
            b"]_1",
            b"](1)",
            b"] [E2]",
            b"**",
            b"** (1)",
            b"{",
            b"|1}",
            b"(",
            b")_2",
            b"[1: ",
            b"\n- Ann: ",
            b"\n| 1 | ",
        ),
        *(b'\n[["', b'", "', b'{"mentions": ["', b'{"id": "d", "completion": "'),
    ],
    "table": [b",", b"\t", b";", b'"', b'""', b"mention", b"entity", b"doc", b"\n,,\n", b"x" * 140_000, b"PAR1"],
    "links": [b",", b"\t", b";", b'"', b"mention", b"antecedent", b"doc", b"\n,,\n", b"\nd0,1,1\n", b"\n\n"],
}
PIECES |= {
    "webanno": [
        *(
            b"*->1-1",
            b"|",
            b"_",
            b"\t",
            b"[1]",
            b"[1_2]",
            b"\\",
            b"->",
            b"#T_RL=x.Coref|type|BT_x.Span\n",
            b"#T_CH=x|y|z\n",
        ),
        *(b"#T_SP=x\n", b"#Text=\n", b"1-1.1\t0-1\tA\t_\t_\t_\n", b"99-99", b"9" * 400),
    ],
    "brat": [
        *(
            b"T1\tM 0 3\tAda\n",
            b"T9\tM 0 1;2 3\n",
            b"R1\tCoref Arg1:T1 Arg2:T2\n",
            b"*\tCoref T1 T2\n",
            b"E1\tX:T1\n",
        ),
        *(b"R2\tcop Arg1:T1 Arg2:T2\n", b";", b"99 98", b"\t", b"A1\tx T1\n", b"#1\tx\n", b"9" * 400),
    ],
    "litbank": [
        b"MENTION\tT1\t0\t0\t0\t0\tx\tPER\tNOM\n",
        b"COREF\tT1\tx-1\n",
        b"COREF\tT99\tx\n",
        b"APPOS\tT1\tT2\n",
    ],
    "booknlp": [b"-1\t", b"0\t0\t0\tNOM\tPER\tx\n", b"COREF", b"start_token", b"\t", b'"', b"paragraph_ID"],
    "gap": [b"\tTRUE\t", b"FALSE", b"\t", b"A-coref", b"Pronoun", b"0", b"99", b'"'],
    "mmax": [
        *(
            b'<markable id="m" span="word_1..word_4"/>',
            b"word_1",
            b"..",
            b",",
            b'coref_set="set_1"',
            b'ref="markable_1"',
        ),
        *(b"<mmax_project>", b"<words>../x</words>", b'<!DOCTYPE a [<!ENTITY b "c">]>', b"&b;", b"<a>" * 200, b"</"),
    ],
    "ecb": [
        *(
            b'<token_anchor t_id="1"/>',
            b'<source m_id="1"/>',
            b'<target m_id="1"/>',
            b' note="x"',
            b' m_id="1"',
            b"<",
        ),
        *(b"<CROSS_DOC_COREF>", b"</Markables>", b'<!DOCTYPE a [<!ENTITY b "c">]>', b"&b;", b"&#0;", b"<a>" * 200),
    ],
    "sacr": [b"{E1 ", b'{E1:x="y" ', b"}", b"{", b"\n#x\n", b"#textid: a\n", b'"', b":", b"{E1 " * 1100],
    "scorch": [
        b'"type": "graph", ',
        b'"clusters": {}, ',
        b'"mentions": ["a"], ',
        b'"links": [["a", "b"]], ',
        b"[" * 2000,
    ],
    "cdcr": [
        *(b'"tokens_number": [1, 2], ', b'"sent_id": 1, ', b'"doc_id": "x", ', b'"coref_chain": "y", ', b"[]", b"{}"),
        *(b"[" * 2000, b"9" * 5000, b"-1", b"null"),
    ],
}
HARD_JSON = [
    b"[]",
    b"{}",
    b"null",
    b"-1",
    b"1.5",
    b"true",
    b'"x"',
    b"[" * 2000,
    b"9" * 5000,
    b'"\\ud800"',
    b'"id": 1, ',
]
PIECES |= {
    "label-studio": [
        *HARD_JSON,
        *(
            b'"annotations": [], ',
            b'"predictions": [], ',
            b'"was_cancelled": true, ',
            b'"result": [], ',
            b'"value": {}',
        ),
        *(b'"type": "relation", ', b'"from_id": "m0", ', b'"globalOffsets": {}, ', b'"startOffset": 0, '),
    ],
    "doccano": [
        *HARD_JSON,
        *(b'"start_offset": 0, ', b'"end_offset": 99, ', b'"entities": [], ', b'"label": [[0, 1, "M"]], '),
        *(b'"relations": [{"from_id": 1, "to_id": 2, "type": "x"}], ', b'"text": "a", '),
    ],
    "prodigy": [
        *HARD_JSON,
        *(
            b'"token_start": 0, ',
            b'"token_end": 99, ',
            b'"tokens": [], ',
            b'"spans": null, ',
            b'"answer": "reject", ',
        ),
        *(b'"head_span": {}, ', b'"label": "x", ', b'"start": 3, '),
    ],
    "corenlp": [
        *HARD_JSON,
        *(
            b'"corefs": {}, ',
            b'"sentNum": 9, ',
            b'"startIndex": 0, ',
            b'"headIndex": 9, ',
            b'"tokens": [], ',
            b'"1": [], ',
        ),
    ],
    "spacy": [
        *HARD_JSON,
        b'"spans": {}, ',
        b'"coref_clusters_1": [], ',
        b'"start": 9, ',
        b'"end": 0, ',
        b'"_": {}, ',
    ],
    "xcore": [*HARD_JSON, b'"tokens": [[]], ', b"[0, 0, 0]", b"[9, 0, 0]", b'"doc_ids": ["a", "a"], ', b"[[]]"],
    "stanza": [
        *(b"coref_chains=", b"unit-id0", b",start-id0", b",end-id0", b"middle-id1", b"repr-", b"|", b"# newdoc\n"),
        *(b"1-2", b"2.1", b"Entity=(e1)", b"# global.Entity = eid\n", b"id" + b"9" * 400),
    ],
    "parquet": [b"PAR1", b"tokens", b"clusters", b"\x00", b"\xff" * 8],
}
PIECES["semeval"], PIECES["clusters"] = PIECES["conll"], PIECES["jsonl"]
PIECES["cdcr-over-words"] = PIECES["cdcr"]
ANYWHERE = [
    b"\t",
    b"\n",
    b"\n\n",
    b"\r",
    b" ",
    b"\x00",
    b"\xff",
    b"\xef\xbb\xbf",
    b"\xe2\x80\xa8",
    b"\xed\xa0\x80",
    b"(" * 300,
    b"[" * 300,
    b"9" * 400,
    *b"( ) - 0".split(),
]
VALUE = re.compile(rb'"[^"\n]*"|-?[0-9]+|\w+|\[[^\[\]]*\]|[^\t\n]+')
VALUES = [b"0", b"1", b"-1", b"99", b"1e9", b'"a"', b"null", b"[]", b"[0, 0]", b"[[0, 1]]", b"{}", b"_", b"-", b"(1)"]
AT_THE_BEGINNING = [b"\x1f\x8b", b"BZh", b"\xff\xfe", b"\xfd7zXZ\x00", b"\xef\xbb\xbf", b"\n \n", b"#x\n", b"PAR1"]


LINES = re.compile(rb"[^\n]*\n?")


def broken(rng: random.Random, text: bytes, format_: str) -> bytes:
    """A file with a few pieces cut out, doubled, moved or put in; or only other values in the same places."""
    way = rng.choice((_other_value, _other_lines, _cut_up, _cut_up))
    for _ in range(rng.choice((1, 1, 2, 4))):
        text = way(rng, text, PIECES[format_])
    if rng.random() < 0.05:
        text = rng.choice(AT_THE_BEGINNING) + text
    return text or b" "


def _other_value(rng: random.Random, text: bytes, _: list[bytes]) -> bytes:
    """One name, number or cell in the place of another."""
    found = list(VALUE.finditer(text))
    if not found:
        return text
    old, new = rng.choice(found), rng.choice((rng.choice(found)[0], rng.choice(VALUES)))
    return text[: old.start()] + new + text[old.end() :]


def _cut_up(rng: random.Random, text: bytes, pieces: list[bytes]) -> bytes:
    start = rng.randrange(len(text) + 1)
    end = min(len(text), start + rng.choice((1, 3, 20, 200)))
    return rng.choice(
        (
            text[:start] + text[end:],
            text[:end] + text[start:],
            text[:start] + rng.choice(pieces) + text[start:],
            text[:start] + rng.choice(pieces) + text[end:],
            text[:start] + rng.choice(ANYWHERE) + text[start:],
            text[:start],
            text[:start] + rng.randbytes(3) + text[start:],
        )
    )


def _other_lines(rng: random.Random, text: bytes, pieces: list[bytes]) -> bytes:
    """A line, or a run of lines, that is left out, doubled, moved, or has lost or got a field."""
    lines = LINES.findall(text)
    start = rng.randrange(len(lines))
    end = start + rng.choice((1, 1, 2, 5))
    here, rest = lines[start:end], lines[:start] + lines[end:]
    there = rng.randrange(len(rest) + 1)
    fields = here[0].split(b"\t")
    at = rng.randrange(len(fields))
    field = [rng.choice(fields + pieces)] if rng.random() < 0.5 else []
    return b"".join(
        rng.choice(
            (
                rest,
                lines[:end] + here + lines[end:],
                rest[:there] + here + rest[there:],
                [*lines[:start], b"\t".join(fields[:at] + field + fields[at + 1 :]), *lines[start + 1 :]],
            )
        )
    )
