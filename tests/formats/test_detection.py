"""docs/formats.md shows what happens; formats are recognised and may be mixed; faults are located in all of them.

``make docs`` writes the present output of its commands into the page.
"""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import os
import random
import re
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefscope
from corefscope.cli import main
from corefscope.core.errors import Warnings
from corefscope.core.format import FORMATS
from corefscope.formats.detection import GLANCE, open_reader, sniff
from corefscope.formats.source import Source
from examples import examples
from places import EXAMPLE_KEY, REPOSITORY
from standoff_files import STANDOFF, WALK, AnnotatedText, put_companions, standoff_file

PAGE = REPOSITORY / "docs" / "formats.md"
EXAMPLES = REPOSITORY / "tests" / "formats" / "examples.md"
"""What the page leaves out: responses to its keys, further examples, and the commands of all."""
FILE = re.compile(r"^`([^`\s]+)`:\n\n```\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)


# ---------------------------------------------------------------------------------------------- the page


def _page() -> str:
    """The page and the examples that it leaves out."""
    return f"{PAGE.read_text(encoding='utf-8')}\n{EXAMPLES.read_text(encoding='utf-8')}"


def _sections(name: str) -> str:
    """What page and examples have under the heading of a format."""
    return "\n".join(re.findall(rf"^## `{name}`\n(.*?)(?=^## |\Z)", _page(), re.MULTILINE | re.DOTALL))


def _write_files(folder: Path) -> None:
    for name, text in FILE.findall(_page()):
        (folder / name).parent.mkdir(exist_ok=True)
        if name.endswith(".parquet"):  # the page shows rows as JSON
            (folder / name).write_bytes(_parquet(json.loads(text)))
        else:
            (folder / name).write_text(text, encoding="utf-8")


def _transcript(block: str, folder: Path) -> str:
    """The commands of a block, each with what it shows on a terminal without colours."""
    shown = ""
    for command in re.findall(r"^\$ (corefscope .*)\n", block, re.MULTILINE):
        done = subprocess.run(
            [sys.executable, "-m", *_split(command)],
            cwd=folder,
            env={**os.environ, "PYTHONIOENCODING": "utf-8", "COLUMNS": "100", "PYTHONPATH": str(REPOSITORY / "src")},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        )
        assert "Traceback" not in done.stdout, f"$ {command}\n{done.stdout}"
        shown += f"$ {command}\n{done.stdout}"
    return shown


def _split(command: str) -> list[str]:
    import shlex

    return shlex.split(command)


def _brought_up_to_date(text: str) -> str:
    with TemporaryDirectory() as folder:
        _write_files(Path(folder))
        return CONSOLE.sub(lambda block: f"```console\n{_transcript(block[1], Path(folder))}```", text)


def test_commands_print_what_the_page_shows(tmp_path: Path) -> None:
    _write_files(tmp_path)
    for block in CONSOLE.findall(_page()):
        assert _transcript(block, tmp_path) == block, f"{PAGE.name} or {EXAMPLES} is out of date: run make docs"


def test_every_example_is_used_and_every_format_has_one() -> None:
    text = _page()
    commands = "\n".join(CONSOLE.findall(text))
    for name, content in FILE.findall(text):
        assert name in commands or Path(name).parent.name in commands, name
        assert len(content.splitlines()) <= 10, name
    for name, row in FORMATS.items():
        section = _sections(name)
        assert FILE.search(section), name
        assert re.search(rf"^(?:\w+\+)?{name}\|", "\n".join(CONSOLE.findall(section)), re.MULTILINE), name
        for suffix in row.suffixes:
            assert f"`{suffix}`" in text
    blocks = len(FILE.findall(text)) + len(CONSOLE.findall(text))
    assert 2 * blocks == len(re.findall("^```", text, re.MULTILINE))


def test_all_examples_say_the_same() -> None:
    """The same figures from every pair of files, as the page claims; 100 from a file against itself."""
    commands = re.split(r"^\$ corefscope score ", "\n".join(CONSOLE.findall(_page())), flags=re.MULTILINE)
    for shown in commands[1:]:
        key, response = shown.split(maxsplit=2)[:2]
        wanted = "100.00 100.00 100.00" if key == response and "predicted" not in shown else "100.00 50.00 66.67"
        if "error:" not in shown:
            assert f"MUC {wanted}" in " ".join(shown.split())


def test_dialects_hold_the_same(tmp_path: Path) -> None:
    _write_files(tmp_path)
    documents = _read(tmp_path / "dialects.jsonl")
    for each in documents:
        spoken = [[" ".join(each.words_of(mention)) for mention in entity] for entity in each.entities]
        assert spoken == [["Ann", "her"], ["her dog"]]
    assert [each.id for each in documents] == ["plain", "subtokens", "wl-coref", "maverick", "PreCo"]


def test_what_is_not_read_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, text in UNREAD.items():
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        _assert_located(main(["score", str(path), str(path)]), capsys, path)


UNREAD = {
    "brat.ann": "T1\tPerson 0 3\tAnn\nT2\tPerson 10 13\ther\nR1\tCoref Arg1:T2 Arg2:T1\n",
    "litbank.ann": "MENTION\tT1\t0\t0\t0\t0\tAnn\tPER\tPROP\nCOREF\tT1\tAnn-1\n",
    "muc.sgm": '<DOC>\n<COREF ID="1">Ann</COREF> likes <COREF ID="2" TYPE="IDENT" REF="1">her</COREF> dog\n</DOC>\n',
    "uima.xmi": '<?xml version="1.0"?>\n<xmi:XMI></xmi:XMI>\n',
    "webanno.tsv": "#FORMAT=WebAnno TSV 3.3\n#T_SP=NamedEntity|value\n\n#Text=Ann\n1-1\t0-3\tAnn\tPER\n",
    "mmax.xml": '<?xml version="1.0"?>\n<markables xmlns="www.eml.org/NameSpaces/coref"></markables>\n',
    "spans.conllup": "# global.columns = ID FORM SPANS\n# newdoc id = walk\n1\tAnn\t(1)\n",
    "corenlp.json": '{"sentences": [{"tokens": [{"index": 1, "word": "Ann"}]}], "corefs": {"1": [{"sentNum": 1}]}}',
    "booknlp.entities": "COREF\tstart_token\tend_token\tprop\tcat\ttext\n1\t0\t0\tPROP\tPER\tAnn\n",
    "plain.txt": "Ann|[e1] likes her|[e2,[e1] dog|e2]\n",
    "old.conllu": "# newdoc id = d\n1\tAnn\t_\t_\t_\t_\t_\t_\t_\tClusterId=c1|MentionSpan=1\n",
}


# ------------------------------------------------------------------------------- the same in all formats

WORDS = ["Ann", "likes", "her", "dog"]


def _corefud(words: list[str] = WORDS, name: str = "walk") -> str:
    dog = "(e2-animal-2" if len(words) > 3 else ""
    cells = ["Entity=(e1-person-1)", "_", f"Entity={dog}(e1-person-1)", "Entity=e2)", "_", "_"]
    rows = [f"{at}\t{word}" + "\t_" * 7 + f"\t{cell}" for at, (word, cell) in enumerate(zip(words, cells), 1)]  # noqa: B905
    return "\n".join([f"# newdoc id = {name}", "# global.Entity = eid-etype-head", *rows, "", ""])


def _ua(words: list[str] = WORDS, name: str = "walk") -> str:
    brackets = ["EntityID=1|MarkableID=m1", "EntityID=2|MarkableID=m2", "EntityID=1|MarkableID=m3"]
    dog = f"({brackets[1]}" if len(words) > 3 else ""
    cells = [f"({brackets[0]})", "_", f"{dog}({brackets[2]})", ")", "_", "_"]
    pairs = enumerate(zip(words, cells), 1)  # noqa: B905
    rows = ["\t".join([str(at), word, *"_" * 8, cell, *"_" * 4]) for at, (word, cell) in pairs]
    return "\n".join([f"# newdoc id = {name}", *rows, "", ""])


def _conll(words: list[str] = WORDS, name: str = "walk", before: str = "{name}\t0\t{at}\t{word}\tNN") -> str:
    dog = "(1|" if len(words) > 3 else ""
    rows = [
        f"{before.format(name=name, at=at, number=at + 1, word=word)}\t{cell}"
        for at, (word, cell) in enumerate(zip(words, ["(0)", "-", f"{dog}(0)", "1)", "-", "-"]))  # noqa: B905
    ]
    return "\n".join([f"#begin document ({name})", *rows, "", "#end document", ""])


_semeval = partial(_conll, before="{number}\t{word}" + "\t_" * 8)


def _jsonl(words: list[str] = WORDS, name: str = "walk") -> str:
    clusters = [[[0, 0], [2, 2]], [[2, 3]]][: 2 if len(words) > 3 else 1]
    return json.dumps({"doc_key": name, "sentences": [words], "clusters": clusters}) + "\n"


def _table(ids: list[str] = WORDS, name: str = "walk") -> str:
    return f"document,mention,entity\n{name},{ids[0]},e1\n{name},{ids[2]},e1\n{name},{ids[3]},e2\n"


def _links(ids: list[str] = WORDS, name: str = "walk") -> str:
    return f"document,mention,antecedent\n{name},{ids[2]},{ids[0]}\n{name},{ids[3]},\n"


def _clusters(ids: list[str] = WORDS, name: str = "walk") -> str:
    return json.dumps({name: [[ids[0], ids[2]], [ids[3]]]})


def _standoff(words: list[str] = WORDS, name: str = "walk", *, format_: str) -> str:  # noqa: ARG001
    """A file of an annotation tool, whose document is called like its file."""
    document = AnnotatedText([words], WALK.entities if len(words) > 3 else WALK.entities[:1])
    return standoff_file(format_, document, random.Random(1))[0].decode()


def _parquet(row: dict[str, Any]) -> bytes:
    """A document as Hugging Face data sets have it."""
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    written = io.BytesIO()
    parquet.write_table(pyarrow.Table.from_pylist([row]), written)
    return written.getvalue()


WITH_WORDS: dict[str, Callable[..., str]] = {
    "corefud": _corefud,
    "ua": _ua,
    "semeval": _semeval,
    "conll": _conll,
    "jsonl": _jsonl,
    "webanno": partial(_standoff, format_="webanno"),
    "ecb": partial(_standoff, format_="ecb"),
    "stanza": partial(_standoff, format_="stanza"),
    "prodigy": partial(_standoff, format_="prodigy"),
    "corenlp": partial(_standoff, format_="corenlp"),
}
"""By format a file of one document, from its words and its name: the entity of words 1 and 3, and that of words 3 to
4, which is left out if there are only three words."""
WITH_IDS: dict[str, Callable[..., str]] = {"table": _table, "links": _links, "clusters": _clusters}
"""The same of formats without words: the entity of mentions 1 and 3, and that of mention 4."""
WRITTEN = WITH_WORDS | WITH_IDS
WRITTEN = {name: partial(_standoff, format_=name) for name in STANDOFF} | WRITTEN
BINARY: dict[str, Callable[..., bytes]] = {"parquet": lambda: _parquet(json.loads(_jsonl()))}
EACH = pytest.mark.parametrize("format_", FORMATS)
PAIRS = [*product(WITH_WORDS, WITH_WORDS), *product(WITH_IDS, WITH_IDS)]


def _put(folder: Path, name: str, text: str | bytes, format_: str = "") -> Path:
    """A file, and what must be beside it if it is of this format."""
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    put_companions(path, format_, WALK)
    return path


def _read(path: Path, format_: str | None = None) -> list[corefscope.Document]:
    _, reader = open_reader(path, format_, Warnings())
    try:
        return list(reader)
    finally:
        reader.source.close()


@pytest.mark.parametrize(("ours", "theirs"), PAIRS)
def test_formats_may_be_mixed(ours: str, theirs: str, tmp_path: Path) -> None:
    """Whatever the two formats are, the same entities score 1, and the report says what was read."""
    key, response = _put(tmp_path, "key", WRITTEN[ours]()), _put(tmp_path, "response", WRITTEN[theirs]())
    report = corefscope.score(key, response, match="exact", singletons="keep", metrics="conll")
    assert report.signature.startswith(f"{ours}|" if ours == theirs else f"{ours}+{theirs}|")
    assert report["conll"].f1 == 1
    assert str(report.inputs[0]) == "1 document, 3 mentions in 2 entities (1 singleton)"


# ------------------------------------------------------------------------------------------- recognition

LONG = "x" * (GLANCE + 4000)
COMMENTS = "# made by hand\n#\n# text = of several lines\n"
UNNAMED = _corefud().partition("\n")[2]
COLUMNS = "ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY BRIDGING DISCOURSE_DEIXIS"
HEADER = UNNAMED.partition("\n")[0] + "\n"
WORDS_ONLY = UNNAMED.removeprefix(HEADER)

BEGINNINGS: dict[str, dict[str, tuple[str, str]]] = {
    "corefud": {
        "header first": ("# global.Entity = eid-etype-head\n" + _corefud(), ""),
        "comments first": (COMMENTS + _corefud(), ""),
        "a long comment first": (f"# text = {LONG}\n" + _corefud(), ""),
        "a long comment after sent_id": ("# sent_id = 1\n" + f"# text = {LONG}\n" + UNNAMED, "a.conll"),
        "no comments": (WORDS_ONLY.replace("Entity=", "X="), "a.conll"),
        "misleading suffix": (_corefud(), "a.conll"),
        "another misleading suffix": (_corefud(), "a.jsonl"),
        "a multiword token first": (HEADER + "1-2\tAnnlikes" + "\t_" * 8 + "\n" + WORDS_ONLY, "a.conll"),
        "an empty node first": (HEADER + "0.1\t_" + "\t_" * 8 + "\n" + WORDS_ONLY, "a.conll"),
        "begin document in a text": ("# newdoc\n# text = #begin document (d)\n" + UNNAMED, "a.conll"),
    },
    "ua": {
        "plain": (_ua(), ""),
        "columns named": (f"# global.columns = {COLUMNS}\n" + _ua(), "a.conllu"),
        "comments first": (COMMENTS + _ua(), ""),
        "misleading suffix": (_ua(), "a.conllu"),
        "no newdoc": (_ua().partition("\n")[2], "a.conll"),
        "blanks for tabs": (f"# global.columns = {COLUMNS}\n" + _ua().replace("\t", "  "), ""),
        "blanks for tabs, by the suffix": (_ua().replace("\t", "  ").partition("\n")[2], "a.conllua"),
        "columns in another place": (
            "# global.columns = ID FORM IDENTITY\n1\tAnn\t(EntityID=1|MarkableID=m1)\n\n",
            "a.conllu",
        ),
        "a zero first": (_ua().replace("\n1\t", "\n0.1\t*" + "\t_" * 13 + "\n1\t"), ""),
    },
    "semeval": {
        "plain": (_semeval(), ""),
        "misleading suffix": (_semeval(), "a.conllu"),
        "no brackets": (_semeval().replace("(walk)", "10024_20000222"), "a.conll"),
        "a blank in the mark": (_semeval().replace("#begin", "# begin"), ""),
        "one word": (_semeval(WORDS[:1]), ""),
        "a blank line after the mark": (_semeval().replace(")\n1\t", ")\n\n1\t", 1), ""),
        "long cells": (_semeval().replace("\t_\t_", "\t" + "y" * 500 + "\t_"), "a.tsv"),
    },
    "conll": {
        "plain": (_conll(), ""),
        "comments first": (COMMENTS + _conll(), ""),
        "misleading suffix": (_conll(), "a.conllu"),
        "another misleading suffix": (_conll(), "a.csv"),
        "blanks between columns": (_conll().replace("\t", "   "), "a.txt"),
        "no brackets around the name": (_conll().replace("(walk)", "walk"), ""),
        "a blank in the mark": (_conll().replace("#begin", "# begin"), ""),
        "no name": (_conll().replace(" (walk)", ""), ""),
        "a long name": (_conll(name=LONG), "a.conllu"),
        "a long comment first": (f"# {LONG}\n" + _conll(), "a.v4_gold_conll"),
        "an empty document first": ("#begin document (e); part 000\n#end document\n" + _conll(), ""),
        "a skeleton with word numbers": (_conll(before="{number}\t{word}"), ""),
        "a document called 1": (_conll(name="1", before="{name}\t0\t{at}\t{word}" + "\t-" * 7), ""),
    },
    "jsonl": {
        "plain": (_jsonl(), ""),
        "sentences first": (json.dumps({"sentences": [WORDS], "clusters": []}), "a.json"),
        "clusters first": (json.dumps({"clusters": [[[0, 0], [2, 2]]], "tokens": WORDS}), "a.json"),
        "over several lines": (json.dumps(json.loads(_jsonl()), indent=2), "a.json"),
        "an array": (json.dumps([json.loads(_jsonl())]), "a.json"),
        "a long document": (_jsonl(WORDS + ["x"] * GLANCE), "a.json"),
        "a long document, the name first": (
            '{"doc_key": "d", "speakers": ["' + LONG + '"], ' + _jsonl()[19:],
            "a.json",
        ),
        "a text": (json.dumps({"text": "{Ann} likes her dog", "span_clusters": [[[1, 4], [12, 15]]]}), ""),
        "misleading suffix": (_jsonl(), "a.conllu"),
        "metadata first": (json.dumps({"meta": {"source": "x"}})[:-1] + ", " + _jsonl()[1:], "a.txt"),
    },
    "links": {
        "plain": (_links(), ""),
        "tabs": (_links().replace(",", "\t"), "a.csv"),
        "other columns": ("score;Antecedent_ID;mention\n1;a;m\n", ""),
    },
    "table": {
        "an antecedent, too": ("mention,entity,antecedent\nm,e,\n", ""),
        "plain": (_table(), ""),
        "tabs": (_table().replace(",", "\t"), "a.txt"),
        "semicolons": (_table().replace(",", ";"), "a.json"),
        "quotes": ('"doc_id","mention_id","cluster_id"\n"d","m","e"\n', ""),
        "capitals": ("Mention,Entity\nm,e\n", ""),
        "other columns": ("id,score,mention,x,label\n1,2,m,3,e\n", "a.conll"),
        "misleading suffix": (_table(), "a.conllu"),
        "a long first line": (
            _table().replace("entity\n", f"entity,{LONG}\n").replace("e1\n", "e1,\n").replace("e2\n", "e2,\n"),
            "",
        ),
        "a long first line, columns last": (f"{LONG},mention,entity\n,m,e\n", "a.csv"),
    },
    "clusters": {
        "plain": (_clusters(), ""),
        "one document": ('[["a", "b"], ["c"]]', ""),
        "over several lines": (json.dumps(json.loads(_clusters()), indent=2), ""),
        "named entities": ('{"d": {"e1": ["a", "b"]}}', "a.txt"),
        "objects with a name": ('{"doc_key": "d", "clusters": [["a"]]}\n{"doc_key": "e", "clusters": []}\n', ""),
        "misleading suffix": (_clusters(), "a.jsonl"),
        "a long first line": (json.dumps({"d": [[f"m{at}" for at in range(GLANCE)]]}), "a.txt"),
        "spans": ("[[[0, 1], [5, 5]], [[3, 3]]]", ""),
        "no clusters": ('{"d": []}', ""),
    },
}
BEGINNINGS |= {
    name: {"plain": (WRITTEN[name](), ""), "misleading suffix": (WRITTEN[name](), "a.conllu")} for name in STANDOFF
}
BEGINNINGS["webanno"] |= {"suffix of a table": (WRITTEN["webanno"](), "a.tsv")}
BEGINNINGS["brat"] |= {
    "relations first": ("R1\tCoref Arg1:T1 Arg2:T1\nT1\tPerson 0 3\tAnn\n", "a.ann"),
    "in parts": ("T1\tPerson 0 3;10 13\tAnn her\n", ""),
}
BEGINNINGS["ecb"] |= {"no declaration": (WRITTEN["ecb"]().partition("\n")[2], "a.xml")}
BEGINNINGS["mmax"] |= {"no DTD": ("\n".join(WRITTEN["mmax"]().split("\n")[2:]), "a.xml")}
BEGINNINGS["cdcr"] |= {"strings with braces first": ('[{"text": "{", ' + WRITTEN["cdcr"]().lstrip("[ \n{"), "a.json")}
CASES = [(format_, name) for format_, found in BEGINNINGS.items() for name in found]
DRESSED: dict[str, Callable[[bytes], bytes]] = {
    "plain": bytes,
    "byte order mark": lambda data: b"\xef\xbb\xbf" + data,
    "CR LF": lambda data: data.replace(b"\n", b"\r\n"),
    "blank lines first": lambda data: b"\n\n\n" + data,
    "gzip": gzip.compress,
    "xz, mark and CR LF": lambda data: lzma.compress(b"\xef\xbb\xbf\n" + data.replace(b"\n", b"\r\n")),
    "bzip2": bz2.compress,
}


def _sniffed(path: Path) -> str:
    source = Source.open(path)
    try:
        return sniff(source)
    finally:
        source.close()


@pytest.mark.parametrize("dress", DRESSED)
@pytest.mark.parametrize(("format_", "case"), CASES)
def test_beginnings_are_recognised(format_: str, case: str, dress: str, tmp_path: Path) -> None:
    text, name = BEGINNINGS[format_][case]
    path = _put(tmp_path, name or "some", DRESSED[dress](text.encode()), format_)
    assert _sniffed(path) == format_
    assert _read(path)


@EACH
def test_suffixes_decide_where_content_does_not(format_: str, tmp_path: Path) -> None:
    for suffix in FORMATS[format_].suffixes:
        assert _sniffed(_put(tmp_path, f"some{suffix}", "nothing in particular")) == format_


@examples(300)
@given(data=st.binary(min_size=1, max_size=200) | st.text('#{}[]",;:\t\n 1abegindocumet', min_size=1).map(str.encode))
def test_recognising_never_fails(data: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.getbasetemp() / "sniffed"
    path.write_bytes(data)
    with suppress(corefscope.InputError):  # damaged compression, UTF-16, nothing but a byte order mark
        assert _sniffed(path) in FORMATS


HOSTILE = ["{", "[", '"', "#", "1\t", ",", "\n", " ", "\t", "{}", '{"', '{"a":', "[{", "#\n", "#\n \n", "# newdo\n"]
HOSTILE += [
    "#begin document ",
    "# begin document x\n",
    "#begin document x\n1" + "\t" * 9,
    "mention,",
    "mention\t",
    '"mention" ',
]
HOSTILE += [
    "entity;mention",
    '"sentences" ',
    '"tokens":',
    '{"doc_key": "a" ',
    '{"id": 1}\n',
    "\\",
    '\\"',
    "x",
    "\x0b",
]
HOSTILE += ["<", "</", "|", "a|", "a|[", "]", "](#", ":", ": a", "[a:", "|a</", "<m>", "</m>", "a-", ":a-"]
STARTS = ["", "{", '[{"doc_key": "d",', "#begin document x\n1", "# x\n", "mention,"]


@pytest.mark.parametrize("start", STARTS)
def test_hostile_beginnings_are_of_one_format_at_most(start: str) -> None:
    """Four times as much as is ever looked at: what takes quadratic time would take minutes for all of these."""
    for repeated, end in product(HOSTILE, ("", "}", "mention")):
        beginning = start + repeated * (4 * GLANCE // len(repeated)) + end
        # Anything may hold tags: it is asked after formats that are easy to tell.
        found = [row.name for row in FORMATS.values() if row.alone and row.matches(beginning)]
        assert len(found) <= 1 or found in (["semeval", "conll"], ["ua", "corefud"])
        FORMATS["tagged"].matches(beginning)


# ------------------------------------------------------------------------------------------------ faults


SAYS_IT_ALL = "counted from 0|subtokens, 0 to"
"""Messages that need no hint."""


def _assert_located(
    code: int, capsys: pytest.CaptureFixture[str], path: Path, line: int | None = None, says: str = ""
) -> None:
    """One error that names the file (and the line), says what is wrong and what to do; nothing else."""
    out, err = capsys.readouterr()
    assert code == 1
    assert not out
    assert err.count("corefscope: error: ") == 1
    assert "Traceback" not in err
    assert "\n  hint: " in err or re.search(SAYS_IT_ALL, err)
    place = rf"{re.escape(str(path))}" + (r"(:\d+)?: " if line is None else f":{line}: " if line else ": ")
    assert re.match(rf"corefscope: error: {place}.*{says}", err, re.DOTALL), err


WITHOUT_CLUSTERS = {"doc_key": "walk", "sentences": [WORDS]}


def _line(**fields: Any) -> str:
    return "\n" + json.dumps(WITHOUT_CLUSTERS | fields) + "\n"


def _written(format_: str) -> str | bytes:
    return BINARY[format_]() if format_ in BINARY else WRITTEN[format_]()


def _json_of(format_: str, old: str, new: str) -> str:
    """A file of a JSON format on one line, changed."""
    return "\n" + json.dumps(json.loads(WRITTEN[format_]())).replace(old, new, 1)


FAULTS: dict[str, tuple[str, str | Callable[[], bytes], int, str]] = {
    # Brackets that do not fit.
    "corefud, never opened": (
        "corefud",
        _corefud().replace("Entity=e2)", "Entity=e3)"),
        6,
        "'e3' is closed but was never",
    ),
    "ua, never opened": (
        "ua",
        _ua().replace("_\t_\t_\t_\t_\n3", ")\t_\t_\t_\t_\n3"),
        3,
        "closes what was never opened",
    ),
    "ua, never closed": ("ua", _ua().replace("\t)\t", "\t_\t"), 4, "'m2' in IDENTITY is never closed"),
    "ua, no entity": ("ua", _ua().replace("EntityID=1|", "", 1), 2, "has no EntityID"),
    "ua, an element of itself": ("ua", _ua().replace("=m1)", "=m1|ElementOf=1)"), 2, "'1' is an element of itself"),
    "ua, no anchor": (
        "ua",
        _ua().replace(")\t_", ")\t(MarkableID=m1)", 1),
        2,
        "neither MentionAnchor nor EntityAnchor",
    ),
    "ua, document twice": ("ua", 2 * _ua(), 7, "document 'walk' comes twice"),
    "ua, a minimum": ("ua", _ua().replace("=m1)", "=m1|Min=x)"), 2, "Min=x of markable 'm1' is no number"),
    "ua, few columns": (
        "ua",
        _ua().replace("\n4\tdog", "\n4\tdog\n\n5\tx"),
        5,
        "2 columns, but IDENTITY is column 11",
    ),
    "conll, never opened": ("conll", _conll().replace("\t1)", "\t2)"), 5, "'2' is closed but was never opened"),
    "conll, never closed": ("conll", _conll().replace("\t1)", "\t-"), 2, "'1' that begins in this sentence is never"),
    "conll, no id": ("conll", _conll().replace("(0)", "()", 1), 2, "no bracket with an id"),
    "conll, no bracket": ("conll", _conll().replace("(0)", "0", 1), 2, "no bracket with an id"),
    "semeval, never opened": ("semeval", _semeval().replace("\t1)", "\t2)"), 5, "'2' is closed but was never opened"),
    "semeval, never closed": ("semeval", _semeval().replace("\t1)", "\t_"), 2, "'1' that begins in this sentence"),
    # Files of annotation tools; their own tests have more.
    "webanno, columns": ("webanno", WRITTEN["webanno"]().replace("likes\t_", "likes"), 8, "2 columns of annotation"),
    "webanno, no chains": ("webanno", "#FORMAT=WebAnno TSV 3.3\n\n1-1\t0-3\tAnn\n", 0, "declares neither chains"),
    "brat, other text": ("brat", WRITTEN["brat"]().replace("\tAnn", "\tEve"), 1, "T1 is 'Eve', but its place"),
    "brat, relations": ("brat", "T1\tP 0 3\tAnn\nR1\tcop Arg1:T1 Arg2:T1\n", 2, "found: 'cop'.*--relations cop"),
    "brat, beyond": ("brat", "\nT1\tP 10 99\ther\n", 2, "but the text has 18 characters"),
    "litbank, no word": ("litbank", "MENTION\tT1\t0\t7\t0\t7\tx\tPER\tNOM\n", 1, "there is no word 7 in sentence 0"),
    "booknlp, beyond": ("booknlp", WRITTEN["booknlp"]().replace("\t3\t", "\t9\t"), 3, "but there are only 4 words"),
    "booknlp, no column": ("booknlp", "COREF\tstart\n1\t2\n", 1, "has no column 'start_token'"),
    "gap, offset": ("gap", WRITTEN["gap"]().replace("\t10\t", "\t11\t"), 2, "but Text has .* at 11"),
    "mmax, no word": ("mmax", WRITTEN["mmax"]().replace('"word_1"', '"word_2"'), 4, "the span 'word_2' has no such"),
    "mmax, entities": ("mmax", '<!DOCTYPE a [\n<!ENTITY b "c">]>\n<markables/>', 2, "declares the entity 'b'"),
    "ecb, no token": ("ecb", WRITTEN["ecb"]().replace('r t_id="1"', 'r t_id="9"'), 8, "there is no token '9'"),
    "ecb, no XML": ("ecb", WRITTEN["ecb"]().replace("</Relations>", ""), 18, "is not well-formed XML"),
    "sacr, never closed": ("sacr", WRITTEN["sacr"]().replace("}", "", 1), 5, "the mention of 'E0' is never closed"),
    "scorch, no clusters": ("scorch", '{"type": "clusters",\n"clusters": []}', 2, "not an object"),
    "cdcr, no sentence": ("cdcr", '[\n{"doc_id": "a", "tokens_number": [1]}]', 2, "sent_id is null"),
    "label-studio, beyond": (
        "label-studio",
        _json_of("label-studio", '"end": 17', '"end": 99'),
        2,
        "but the text has 18 characters",
    ),
    "label-studio, JSON-MIN": ("label-studio", '[{"id": 1, "annotation_id": 2}]', 1, "export JSON, not JSON-MIN"),
    "doccano, beyond": ("doccano", _json_of("doccano", ": 17", ": 99"), 2, "but there are 18 characters"),
    "doccano, labels": ("doccano", '{"text": "a", "label": [[0, 1, "M"]]}', 1, "labels of spans only"),
    "spacy, no token": (
        "spacy",
        WRITTEN["spacy"]().replace('[{"start": 0', '[{"start": 1'),
        1,
        "do not begin and end",
    ),
    "prodigy, no tokens": ("prodigy", '{"tokens": {}, "spans": []}', 1, "is {}, not a list"),
    "corenlp, no corefs": ("corenlp", '{"sentences": []}', 1, "this is CoreNLP's JSON without corefs"),
    "corenlp, sentence": ("corenlp", _json_of("corenlp", '"sentNum": 1', '"sentNum": 3'), 2, "in sentence 3 of 1"),
    "xcore, document": ("xcore", '{"tokens": [["a"]], "clusters_token_offsets": [[[1, 0, 0]]]}', 1, "document 1"),
    "stanza, tags": ("stanza", WRITTEN["stanza"]().replace("unit-", "only-"), 3, "are no tags of chains"),
    "stanza, never opened": ("stanza", "\n" + WRITTEN["stanza"]().replace("=start-", "=middle-"), 7, "never opened"),
    "parquet, beyond": (
        "parquet",
        lambda: _parquet(WITHOUT_CLUSTERS | {"clusters": [[[0, 9]]]}),
        1,
        "the document has 4 words",
    ),
    # Names that are not known.
    "jsonl, no clusters": (
        "jsonl",
        _line(gold_clusters=[]),
        2,
        'its fields: "doc_key", "sentences", "gold_clusters"',
    ),
    "jsonl, no words": ("jsonl", '\n{"words": ["a"], "clusters": [[[0, 0]]]}\n', 2, 'no words; its fields: "words"'),
    "links, no mention": ("links", _links() + "walk,,Ann\n", 4, "the row has no mention"),
    "links, cells": ("links", _links() + "walk,Ann\n", 4, "the row has 2 cells, not 3"),
    "links, quotes": ("links", _links() + 'walk,"Ann,\n', 4, "is not a table"),
    "links, two columns": (
        "links",
        _links().replace("document", "mention_id"),
        1,
        "two columns may hold the mention",
    ),
    "links, nothing": ("links", "mention,antecedent\n", 0, "has no rows"),
    "table, no mention": ("table", _table().replace("mention", "span"), 1, "no column holds the mention; found"),
    "table, no entity": ("table", "\n" + _table().replace("entity", "chain"), 2, "no column holds the entity; found"),
    "clusters, no clusters": (
        "clusters",
        '{"d": [["a"]],\n"version": 7}',
        2,
        "7 is no clusters of document 'version'",
    ),
    # Numbers beyond what there is.
    "corefud, head": ("corefud", _corefud().replace("animal-2", "animal-3"), 6, "head 3 .* is outside its 2 words"),
    "jsonl, last": (
        "jsonl",
        _line(clusters=[[[0, 0], [2, 4]]]),
        2,
        r"\[2, 4\], but the document has 4 words, 0 to 3",
    ),
    "jsonl, first": ("jsonl", _line(clusters=[[[-1, 0]]]), 2, "counted from 0"),
    "jsonl, exclusive": ("jsonl", _line(span_clusters=[[[0, 5]]]), 2, "has 4 words"),
    "jsonl, subtokens": (
        "jsonl",
        _line(clusters=[[[0, 4]]], subtoken_map=[0, 1, 2, 3]),
        2,
        "has 4 subtokens, 0 to 3",
    ),
    "jsonl, sentence": ("jsonl", _line(mention_clusters=[[[1, 0, 1]]]), 2, "there are 1 sentences"),
    "jsonl, in a sentence": ("jsonl", _line(coref_chains=[[[0, 0, 4]]]), 2, "that sentence has 4 words"),
    "jsonl, characters": ("jsonl", '{"text": "Ann", "clusters_char_offsets": [[[0, 3]]]}', 1, "has 3"),
    # Spans that end before they begin.
    "jsonl, reversed": ("jsonl", _line(clusters=[[[2, 0]]]), 2, "ends before it begins"),
    "jsonl, of no words": ("jsonl", _line(span_clusters=[[[2, 2]]]), 2, "no words in it"),
    "jsonl, reversed offsets": ("jsonl", _line(clusters_token_offsets=[[[3, 2]]]), 2, "ends before it begins"),
    "jsonl, reversed in a sentence": ("jsonl", _line(mention_clusters=[[[0, 3, 2]]]), 2, r"\[0, 3, 2\]"),
    "jsonl, reversed subtokens": ("jsonl", _line(clusters=[[[3, 0]]], subtoken_map=[0, 1, 2, 3]), 2, r"\[3, 0\]"),
    # Documents that come twice.
    "corefud, sentence twice": (
        "corefud",
        2 * ("# newdoc id = d\n# sent_id = s\n" + UNNAMED),
        9,
        "sent_id 's' comes twice",
    ),
    "conll, document twice": ("conll", 2 * _conll(), 8, "document 'walk' comes twice"),
    "semeval, document twice": ("semeval", 2 * _semeval(), 8, "document 'walk' comes twice"),
    "jsonl, document twice": ("jsonl", 2 * _jsonl(), 2, "document 'walk' comes twice"),
    "clusters, document twice": ("clusters", '{"d": [],\n"d": []}', 2, '"d" comes twice'),
    "clusters, object twice": ("clusters", 2 * '{"id": "d", "clusters": []}\n', 2, "document 'd' comes twice"),
    # Not what it should be at all.
    "corefud, columns": ("corefud", _corefud().replace("\t_\t_\t_", " ", 1), 3, "columns instead of 10"),
    "conll, one column": ("conll", _conll().replace("walk\t0\t1\tlikes\tNN\t-", "likes"), 3, "one column"),
    "jsonl, no JSON": ("jsonl", _jsonl() + '{"doc_key": "e", "tokens": [\n', 2, "invalid JSON"),
    "table, cells": ("table", _table() + "walk,m4\n", 5, "a row of 2 cells; the header has 3"),
    "table, empty cell": ("table", _table() + "walk,,e3\n", 5, "the cell of the mention is empty"),
    "table, quotes": ("table", _table() + 'walk,"m4,e3\n', 5, "is not a table"),
    "clusters, no JSON": ("clusters", '{"d": [["a"],\n["b"]}', 2, "invalid JSON"),
    "clusters, empty": ("clusters", '{"d": [["a"],\n[]]}', 2, "is empty"),
    "clusters, no id": ("clusters", '{"d": [["a",\nnull]]}', 2, "null is no id"),
}


@pytest.mark.parametrize("side", ["key", "response"])
@pytest.mark.parametrize("fault", FAULTS)
def test_faults_are_located(fault: str, side: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    format_, text, line, says = FAULTS[fault]
    content = text if isinstance(text, str) else text()
    good, bad = (_put(tmp_path, *file, format_) for file in (("good", _written(format_)), ("bad", content)))
    paths = [str(bad), str(good)] if side == "key" else [str(good), str(bad)]
    _assert_located(main(["score", *paths, f"--{side}-format", format_]), capsys, bad, line, says)


def test_ids_that_look_like_tags_are_still_ids(tmp_path: Path) -> None:
    for text in ('{"a": [["</e1>", "x|[e1]"]]}', '[["Ann: 1]", "b"]]', '[ ["[a](#b)"] ]'):
        assert _sniffed(_put(tmp_path, "some", text)) == "clusters"


def test_every_format_has_faults() -> None:
    expected = {name for name, row in FORMATS.items() if row.alone}
    assert {fault[0] for fault in FAULTS.values()} == expected, "add a file with a fault to FAULTS"


@pytest.mark.parametrize(("ours", "theirs"), list(product(WITH_WORDS, WITH_WORDS)))
@pytest.mark.parametrize("words", [[*WORDS[:3], "cat"], [*WORDS, "too"], WORDS[:3]], ids=["other", "more", "fewer"])
def test_words_must_agree(
    ours: str, theirs: str, words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever the two formats are, the message says which word differs, and where it stands in both files."""
    key, response = _put(tmp_path, "key", WRITTEN[ours]()), tmp_path / "response"
    response.write_text(WRITTEN[theirs](words), encoding="utf-8")
    code = main(["score", str(key), str(response), "--match", "exact"])
    number = 5 if len(words) == 5 else 4
    says = rf"word {number} of sentence .* but in the key \({re.escape(str(key))}:\d+\)"
    _assert_located(code, capsys, response, None, says)


NAMED = [name for name in WITH_WORDS if not FORMATS[name].comparison.named_by_file]


@pytest.mark.parametrize(("ours", "theirs"), list(product(NAMED, NAMED)))
def test_documents_must_agree(ours: str, theirs: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    key, response = _put(tmp_path, "key", WRITTEN[ours]()), _put(tmp_path, "response", WRITTEN[theirs](name="run"))
    code = main(["score", str(key), str(response)])
    _assert_located(code, capsys, response, None, "document 1 is 'run', but in the key .* 'walk'")


@pytest.mark.parametrize(("ours", "theirs"), [*product(WITH_WORDS, WITH_IDS), *product(WITH_IDS, WITH_WORDS)])
def test_words_and_ids_do_not_go_together(
    ours: str, theirs: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    key, response = _put(tmp_path, "key", WRITTEN[ours]()), _put(tmp_path, "response", WRITTEN[theirs]())
    blamed = key if ours in WITH_IDS else response
    if theirs == "clusters":  # strings that occur in the text are mentions that a model listed
        listed = response.read_text(encoding="utf-8")
        response.write_text(re.sub(r'"(?=[A-Za-z])', '"m-', listed), encoding="utf-8")
        _assert_located(main(["score", str(key), str(response)]), capsys, blamed, 1, "no mention tags recognised")
        return
    _assert_located(main(["score", str(key), str(response)]), capsys, blamed, 0, "mentions are ids")


def test_documents_are_read_without_a_score(tmp_path: Path) -> None:
    documents = list(corefscope.read_documents(EXAMPLE_KEY))
    report = corefscope.score(EXAMPLE_KEY, EXAMPLE_KEY)
    assert [document.id for document in documents] == list(report.documents)
    assert sum(map(len, (document.entities for document in documents))) == report.inputs[0].entities
    noisy = corefscope.perturb(documents[0], "drop", 100, 0)
    assert isinstance(noisy, corefscope.Document)
    path = tmp_path / "some"
    path.write_text("document,mention,entity\nd1,Ada,e1\nd1,she,e1\n", encoding="utf-8")
    assert [document.entity_ids for document in corefscope.read_documents(path, format="table")] == [("e1",)]
    with pytest.raises(corefscope.OptionError, match="unknown format"):
        next(corefscope.read_documents(path, "tabel"))


def test_what_readers_warn_of_becomes_python_warnings(tmp_path: Path) -> None:
    path = tmp_path / "key.conllu"
    path.write_text(
        "# newdoc id = d\n# global.Entity = eid\n1\tAda" + 7 * "\t_" + "\tEntity=(e1\n\n", encoding="utf-8"
    )
    documents = corefscope.read_documents(path)
    assert next(documents).entities == ()
    with pytest.warns(UserWarning, match=r"key\.conllu:3: mention of 'e1' is never closed"):
        assert list(documents) == []


if __name__ == "__main__":
    for path in (PAGE, EXAMPLES):
        path.write_text(_brought_up_to_date(path.read_text(encoding="utf-8")), encoding="utf-8")
