"""The catalogue of bad, dubious and odd input, through the command line.

Three tables: what is refused (``FAULTS``), what only warns (``WARNINGS``), what simply works (``ODDITIES``).
Files are written in a short form, line by line, so that line numbers can be read off it.
"""

from __future__ import annotations

import bz2
import gc
import gzip
import lzma
import os
import re
import sys
import warnings
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import NamedTuple

import pytest

from corefscope import score
from corefscope.cli import main
from oracles.official import score_files

FIRST = """\
# newdoc id = d1
# global.Entity = eid-etype-head-other
# sent_id = s1
1 Anna (e1-person-1)
2 met
3 her (e2-person-2(e1-person-1)
4 sister e2)

# sent_id = s2
1 She (e2-person-1)
2 left
2.1 _ (e1-person-1) 2:nsubj
3 early

"""
SECOND = """\
# newdoc id = d2
# global.Entity = eid-etype-head-other
# sent_id = s3
1 Bob (e3-person-1)
2 saw
3 his (e4-object-2(e3-person-1)
4 car e4)
5 again

"""
SHORT = FIRST + SECOND  # its second document begins in line 15
HEADER = "# global.Entity = eid-etype-head-other\n"
S1, S2 = (FIRST[FIRST.index(f"# sent_id = {name}") :] for name in ("s1", "s2"))
S1 = S1.removesuffix(S2)


def conllu(short: str) -> str:
    """CoNLL-U of lines ``ID FORM [Entity [DEPS]]``; comments and empty lines stay."""
    return "\n".join(line if line[:1] in ("", "#") else token(*line.split(" ")) for line in short.split("\n"))


def token(id_: str, form: str, entity: str = "_", deps: str = "_") -> str:
    """A line with all its columns."""
    head = "0" if id_ == "1" else "1" if id_.isdigit() else "_"
    return "\t".join([id_, form, "_", "X", "_", "_", head, "_", deps, "_" if entity == "_" else f"Entity={entity}"])


def replaced(text: str, *changes: str) -> str:
    """The text with each old piece, which must be there once, replaced by the new one that follows it."""
    for old, new in zip(changes[::2], changes[1::2], strict=True):
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


def cut(*changes: str) -> bytes:
    """The good file with changes in its short form."""
    return conllu(replaced(SHORT, *changes)).encode()


def raw(*changes: str) -> bytes:
    """The good file with changes in its CoNLL-U."""
    return replaced(conllu(SHORT), *changes).encode()


def short(text: str) -> bytes:
    """A file from its short form."""
    return conllu(text).encode()


GOOD = cut()
ALONE = short(FIRST)
UNNAMED = GOOD.replace(b"# newdoc id = d1\n", b"").replace(b"# newdoc id = d2\n", b"")
BARE = GOOD.replace(b"# global.Entity", b"# no header")
EARLY = token("3", "early")
UNOPENED = cut("car e4)", "car e4)e5)")
PART, LAST = "(e5[1/2]-x-1)", "(e5[2/2]-x-1)"
ZERO_IN_SPAN = cut("She (", "She (e5--3(", "(e1-person-1) 2:nsubj", "_ 9:x", "early", "early e5)")


class Special(Enum):
    """What may be at a path besides a file, and standard input."""

    MISSING = "nothing"
    DIRECTORY = "a directory"
    STDIN = "-"


File = bytes | Special
MISSING, DIRECTORY, STDIN = Special.MISSING, Special.DIRECTORY, Special.STDIN
BOTH = ("key", "response")


class Outcome(NamedTuple):
    code: int
    out: str
    err: str


Run = Callable[..., Outcome]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Score a key and a response; the files are called just that."""
    monkeypatch.chdir(tmp_path)

    def run(key: File, response: File, *options: str) -> Outcome:
        arguments = ["score", put(key, "key"), put(response, "response"), *options]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)  # test_no_file_stays_open looks after them
            code = main(arguments)
            gc.collect(0)
        return Outcome(code, *capsys.readouterr())

    return run


def put(file: File, name: str) -> str:
    """Write a file and return what to call it on the command line."""
    if isinstance(file, bytes):
        Path(name).write_bytes(file)
    elif file is DIRECTORY:
        Path(name).mkdir()
    return "-" if file is STDIN else name


def place(name: str, line: int) -> str:
    """How a message about a file begins."""
    return f"{name}:{line}: " if line else f"{name}: "


# ------------------------------------------------------------------------------------------------- refused


class Fault(NamedTuple):
    name: str
    file: File
    line: int  # of the fault; 0 if the file as a whole is at fault
    says: str  # a regular expression for the message
    hint: str  # and one for the hint
    other: File = GOOD
    sides: tuple[str, ...] = BOTH  # where the faulty file is put
    blamed: str = ""  # the file that the message names, if it is not the faulty one


def apart(name: str, file: bytes, line: int, says: str, *, blamed: str = "") -> Fault:
    """A response that does not stand over the words of the key."""
    return Fault(name, file, line, says, "same documents, sentences and words", GOOD, ("response",), blamed)


TABS = "ten columns separated by tabs"
IDS = r"ids are 1, 2, … or N\.1"
INDEX = "index of a word in the mention"
PARENTS = "ID:relation pairs"
JSON = b'{"clusters": []}\n'

NO_LINE = "the message has no line number"
UNREAD = "documents are compared before anything is read: the response is blamed, without a line"
UNCOUNTED = "lines before the block of the first newdoc are not counted"
BALANCED = "the tabs of the sentence add up: silently accepted, or an IndexError if Entity stands on the short line"
TOO_LONG = "int() refuses more than 4300 digits with a ValueError of its own"
LOST = "the node and its mention are silently lost"

FAULTS = [
    # Not a file that can be read.
    Fault("missing", MISSING, 0, "no such file", "spelling"),
    Fault("directory", DIRECTORY, 0, "is a directory", "one file"),
    Fault("both standard input", STDIN, 0, "^key and response cannot both be", "name a file", STDIN, ("key",)),
    Fault("empty", b"", 0, "is empty", "interrupted"),
    Fault("byte order mark only", b"\xef\xbb\xbf", 0, "is empty", "interrupted"),
    Fault("empty inside", gzip.compress(b""), 0, "is empty", "interrupted"),
    Fault("Latin-1 word", GOOD.replace(b"early", b"t\xf4t"), 13, "byte 0xf4 is not UTF-8", "iconv"),
    Fault("Latin-1 comment", GOOD.replace(b"= s3", b"= s\xe9"), 17, "byte 0xe9 is not UTF-8", "iconv"),
    Fault("cut inside a character", GOOD.partition(b"again")[0] + b"\xc3", 22, "byte 0xc3 is not", "iconv"),
    Fault("UTF-16", GOOD.decode().encode("utf-16"), 0, "is UTF-16, not UTF-8", "iconv"),
    Fault("UTF-16 BE", b"\xfe\xff" + GOOD.decode().encode("utf-16-be"), 0, "is UTF-16", "iconv"),
    Fault("truncated gzip", gzip.compress(GOOD)[:-20], 0, "is damaged gzip data", "unpack"),
    Fault("truncated xz", lzma.compress(GOOD)[:-20], 0, "is damaged lzma data", "unpack"),
    Fault("truncated bzip2", bz2.compress(GOOD)[:-20], 0, "is damaged bz2 data", "unpack"),
    # Not CoNLL-U.
    Fault("9 columns", raw("early\t_", "early"), 13, "9 columns instead of 10: not CoNLL-U", TABS),
    Fault("11 columns", raw("early\t", "early\t\t"), 13, "11 columns instead of 10", TABS),
    Fault("9 and 11 columns", raw("She\t_\tX", "She\tX", "left\t", "left\t\t"), 10, "9 columns", TABS),
    Fault("11 and 9 columns", raw("left\t", "left\t\t", "early\t_", "early"), 11, "11 columns", TABS),
    Fault("tabs in a comment", raw("= s2", "= s2" + "\t" * 9, "early\t_", "early"), 13, "9 columns", TABS),
    Fault("1 column", raw(EARLY, "early"), 13, "1 column instead of 10", TABS),
    Fault("blanks for some tabs", raw("3\tearly\t", "3 early "), 13, "8 columns instead of 10", TABS),
    Fault("blanks for tabs in a line", raw(EARLY, EARLY.replace("\t", "  ")), 13, "1 column", "needs tabs"),
    Fault("blanks for tabs", GOOD.replace(b"\t", b" "), 4, "1 column instead", "needs tabs"),
    Fault("blanks for tabs, no newdoc", UNNAMED.replace(b"\t", b" "), 3, "1 column", "needs tabs", UNNAMED),
    Fault("JSON", JSON, 0, "was read as clusters", "formats with words"),
    Fault("JSON, no newdoc", JSON, 0, "was read as clusters", "formats with words", UNNAMED),
    Fault("no sentence", b"# sent_id = s1\n", 0, "no sentence", ""),
    Fault("no sentence, no newdoc", b"\n\n", 0, "no sentence", "", b"\n\n", ("key",)),
    Fault("blanks between sentences", raw("\n\n# sent_id = s2", "\n \n# x"), 8, "a line of blanks", "really empty"),
    Fault("tab between sentences", raw("\n\n# sent_id = s2", "\n\t\n# x"), 8, "a line of blanks", "really empty"),
    Fault("blanks between documents", raw("\n\n# newdoc", "\n \n# newdoc"), 14, "line of blanks", ""),
    Fault("blanks at the end", GOOD + b" \n", 24, "a line of blanks", "really empty"),
    Fault("id that is no number", cut("3 early", "x early"), 13, "'x' is not the id of a word", IDS),
    Fault("id in other digits", cut("3 early", "٣ early"), 13, "'٣' is not the id of a word", IDS),
    Fault("unfinished id", cut("2.1 _", "2. _"), 12, r"'2\.' is not the id of a word", IDS),
    Fault("empty node 2.0", cut("2.1 _", "2.0 _"), 12, r"'2\.0' is not the id of a word", IDS),
    Fault("empty node 2.1000000", cut("2.1 _", "2.1000000 _"), 12, "is not the id of a word", IDS),
    Fault("first word 0", cut("1 Anna", "0 Anna"), 4, "word '0' where word 1 is expected", "1, 2, 3"),
    Fault("word left out", cut("3 early", "4 early"), 13, "word '4' where word 3 is expected", "1, 2, 3"),
    Fault("word number twice", cut("3 early", "2 early"), 13, "word '2' where word 3 is expected", "1, 2, 3"),
    Fault("sentences not separated", cut("\n\n# sent_id = s2", "\n# x"), 9, "'1' where word 5 is", "1, 2, 3"),
    Fault("empty node twice", cut("3 early", "2.1 _\n3 early"), 13, "empty node 2.1 comes twice", r"N\.1, N\.2"),
    Fault("sent_id twice", cut("sent_id = s2", "sent_id = s1"), 9, r"'s1' comes twice .*in line 1\)", "its own"),
    # Not CorefUD 1.x.
    Fault("ClusterId", BARE.replace(b"Entity=", b"ClusterId="), 4, "ClusterId= in MISC: .* CorefUD 0.x", "convert"),
    Fault("MentionSpan", BARE.replace(b"Entity=e2)", b"MentionSpan=3-4"), 7, "MentionSpan= in .* 0.x", "convert"),
    Fault("no header", BARE, 4, "Entity is used but the file has no global.Entity header", "# global.Entity = eid"),
    Fault("header without value", GOOD.replace(b"= eid-etype-head-other", b"="), 4, "no global.Entity header", "eid"),
    Fault("header without eid", ALONE.replace(b"eid-", b"id-"), 2, "neither eid nor GRP", "eid-", ALONE),
    # Brackets.
    Fault("never opened", UNOPENED, 21, "entity 'e5' is closed but was never opened", r"nothing but .* in 'ID\)'"),
    Fault("never opened, CR LF", UNOPENED.replace(b"\n", b"\r\n"), 21, "'e5' is closed but was", "but the id"),
    Fault("never opened, gzip", gzip.compress(UNOPENED), 21, "'e5' is closed but was never opened", "but the id"),
    Fault("never opened, after empty lines", b"\n\n" + UNOPENED, 23, "'e5' is closed", ""),
    Fault("never opened, after a comment", b"# x\n\n" + UNOPENED, 23, "'e5' is closed", ""),
    Fault("closed twice", cut("car e4)", "car e4)e4)"), 21, "'e4' is closed but was never opened", "but the id"),
    Fault("closed with type", cut("sister e2)", "sister e2-person)"), 7, "'e2-person' is closed but", "but the id"),
    Fault("closed without id", cut("sister e2)", "sister )"), 7, "'' is closed but was never opened", "but the id"),
    Fault("closed a sentence later", cut("met", "met (e5-x-1", "left", "left e5)"), 11, "another sentence", "cross"),
    Fault("closed a document later", cut("met", "met (e5-x-1", "saw", "saw e5)"), 19, "closed but was never", ""),
    Fault("head not a number", cut("(e4-object-2", "(e4-object-x"), 20, r"head 'x' in '\(e4-object-x' is not", INDEX),
    Fault("head of one word not a number", cut("Bob (e3-person-1)", "Bob (e3-person-x)"), 18, "head 'x' in", INDEX),
    Fault("head empty", cut("(e4-object-2", "(e4-object--"), 20, "head '' in .* is not a number", INDEX),
    Fault("head outside", cut("(e4-object-2", "(e4-object-3"), 21, "head 3 of .* 'e4' is outside its 2 w", INDEX),
    Fault("head of many digits", cut("object-2", f"object-{'9' * 5000}"), 21, "head .* outside", ""),
    Fault("Entity without value", raw("Entity=e4)", "Entity"), 21, "Entity has no value", r"Entity=\(ID"),
    Fault("nothing in brackets", cut("car e4)", "car e4)()"), 21, "has no usable entity id", "not empty"),
    Fault("no id", cut("car e4)", "car e4)(-x-1)"), 21, r"'\(-x-1' has no usable entity id", "not empty"),
    Fault("id with =", cut("car e4)", "car e4)(e=5-x-1)"), 21, r"'\(e=5-x-1' has no usable entity id", "'='"),
    Fault("id with a blank", raw("=e4)", "=e4)(e 5-x-1)"), 21, r"'\(e 5-x-1' has no usable entity id", "no blanks"),
    # Parts of discontinuous mentions.
    Fault("part 2 first", cut("saw", "saw (e5[2/2]-x-1)"), 19, "part 2 of .* 'e5' comes before its first", "1/n"),
    Fault("part 2 alone", cut("saw", "saw (e3[2/2]-x-1)"), 19, "part 2 of .* 'e3' comes without the p", "earlier"),
    Fault("part 3 of 2", cut("saw", "saw (e3[3/2]-x-1)"), 19, "part 3 of 2 of a mention of 'e3'", "1/n to n/n"),
    Fault("part 2 of 1", cut("saw", "saw (e3[2/1]-x-1)"), 19, "part 2 of 1 of a mention of 'e3'", "1/n to n/n"),
    Fault("part 0", cut("saw", "saw (e3[0/2]-x-1)"), 19, "part 0 of 2 of a mention of 'e3'", "1/n to n/n"),
    Fault("part of many digits", cut("saw", f"saw (e3[1/{'9' * 5000}]-x-1)"), 19, "part", ""),
    Fault("part of words", cut("saw", "saw (e3[one]-x-1)"), 19, r"'e3\[one\]' is no part of a mention", r"ID\[1/2\]"),
    Fault(
        "part after the last", cut("saw", f"saw {PART}{LAST}{LAST}"), 19, "part 2 .* without the parts", "continues"
    ),
    Fault(
        "last part without head", cut("saw", f"saw {PART}(e5[2/2]-x)"), 19, "last part .* has no head", "head field"
    ),
    Fault("head outside the parts", cut("saw", f"saw {PART}(e5[2/2]-x-3)"), 19, "is outside its 2 words", INDEX),
    Fault("parts that cross", cut("saw", f"saw {PART}{PART}{LAST}"), 19, "the parts .* do not fit together", "inner"),
    # Dependencies of zeros.
    Fault("DEPS beyond the sentence", cut("2:nsubj", "4:nsubj"), 12, r"DEPS '4:nsubj' of empty node 2\.1", PARENTS),
    Fault("DEPS of no empty node", cut("2:nsubj", "2:x|2.2:nsubj"), 12, r"DEPS '2\.2:nsubj' of empty node", PARENTS),
    Fault("DEPS without colon", cut("2:nsubj", "2"), 12, "DEPS '2' of empty node", PARENTS),
    Fault("DEPS without parent", cut("2:nsubj", ":nsubj"), 12, "DEPS ':nsubj' of empty node", PARENTS),
    Fault("DEPS with nothing", raw("2:nsubj", ""), 12, "DEPS '' of empty node", PARENTS),
    Fault("DEPS inside a span", ZERO_IN_SPAN, 12, "DEPS '9:x' of empty node", PARENTS),
    # Key and response over different text.
    apart("document missing", ALONE, 15, "'d2'", blamed="key"),
    apart("document extra", short(SHORT + SECOND.replace("d2", "d3")), 24, "'d3'"),
    apart("documents swapped", short(SECOND + FIRST), 1, "document 1 is 'd2', but in the key .*'d1'"),
    apart("newdoc missing", cut("# newdoc id = d2\n", ""), 15, "'d2'", blamed="key"),
    apart("newdoc id missing", cut(" id = d2", ""), 15, "document 2 is '#2', but in the key .*'d2'"),
    apart("newdoc id different", cut("= d2", "= d3"), 15, "document 2 is 'd3', but in the key .*'d2'"),
    apart("first sentence missing", cut(S1, ""), 1, r"sent_id 's2', but in the key \(key:1\) 's1'"),
    apart("last sentence missing", cut(S2, ""), 9, "sentence 's2' of .*'d1' is not in the response", blamed="key"),
    apart("sentence extra", cut(S2, f"{S2}# sent_id = x\n1 Oh\n\n"), 15, "sentence 'x' of .*'d1' is not in the key"),
    apart("sent_id different", cut("= s2", "= s9"), 9, r"sent_id 's9', but in the key \(key:9\) 's2'"),
    apart("sent_id missing", cut("# sent_id = s2", "# x"), 9, r"sent_id '2', but in the key \(key:9\) 's2'"),
    apart("word different", cut("2 left", "2 came"), 11, r"word 2 of .*'s2' is 'came', but in .*key:11\) 'left'"),
    apart("word missing", cut("2 met\n3 her", "2 her", "4 sis", "3 sis"), 5, r"is 'her', but in .*key:5\) 'met'"),
    apart("last word missing", cut("\n5 again", ""), 21, r"word 5 of .* is missing, but in .*key:22\) 'again'"),
    apart("word extra", cut("5 again", "5 again\n6 ."), 23, r"word 6 of .* is '\.', but in .*key:22\) missing"),
    apart("word empty", raw("\tagain", "\t"), 22, r"word 5 of .*'s3' is '', but in .*key:22\) 'again'"),
]


@pytest.mark.parametrize(
    ("fault", "side"),
    [pytest.param(fault, side, id=f"{fault.name}, {side}") for fault in FAULTS for side in fault.sides],
)
def test_bad_input_is_refused_with_its_place_and_a_hint(fault: Fault, side: str, run: Run) -> None:
    """Exit code 1; one message on standard error that begins with file and line; nothing on standard output."""
    code, out, err = run(*((fault.file, fault.other) if side == "key" else (fault.other, fault.file)))
    start = "corefscope: error: " + ("" if fault.file is STDIN else place(fault.blamed or side, fault.line))
    message, _, hint = err.partition("\n  hint: ")
    assert (code, out) == (1, "")
    assert message.startswith(start)
    assert re.search(fault.says, message.removeprefix(start))
    assert re.search(fault.hint, hint)
    assert err.count("\n") == 1 + bool(hint)


# ------------------------------------------------------------------------------------------- only a warning


class Dubious(NamedTuple):
    name: str
    file: bytes
    line: int  # of the first fault
    says: str
    like: bytes | None = GOOD  # a file that scores the same
    more: int = 1  # faults of the kind besides the first
    harmless: bool = False  # whether no score depends on it


SWAP = ("head-other", "other-head")
ANEW = SECOND.replace("e3", "e1").replace("e4", "e2")  # ids of the first document


def twice(id_: str) -> bytes:
    """One more entity of two words."""
    return cut("met", f"met ({id_}-x-1)", "left", f"left ({id_}-x-1)")


WARNINGS = [
    Dubious(
        "never closed", cut("saw", "saw (e5-x-1", "again", "again (e5-x-1"), 19, "mention of 'e5' is never closed"
    ),
    Dubious("opened only", cut("(e2-person-1)", "(e2-person-1"), 10, "never closed", cut(" (e2-person-1)", ""), 0),
    Dubious("no bracket", cut("saw", "saw e5", "again", "again e5-x"), 19, "'e5' in Entity has no bracket: ignored"),
    Dubious(
        "types",
        cut("She (e2-person", "She (e2-x", "_ (e1-person", "_ (e1-x"),
        10,
        "'e2' is 'x' here but was",
        harmless=True,
    ),
    Dubious(
        "two entities",
        cut("Anna (", "Anna (e5--1)(", "-2(e1", "-2(e5--1)(e1"),
        4,
        "two entities, 'e1' and 'e5'",
        None,
    ),
    Dubious("two documents", cut(SECOND, ANEW), 18, "entity 'e1' also occurs in an earlier document"),
    Dubious(
        "headers", cut(SECOND, SECOND.replace(*SWAP)), 16, "other-head' here but was", short(SHORT.replace(*SWAP)), 0
    ),
    Dubious("no last part", twice("e5[1/2]"), 5, "mention of 'e5' lacks its last part", twice("e5")),
    Dubious("newdoc without words", cut(S2, f"# newdoc id = x\n\n# newdoc\n\n{S2}"), 9, "newdoc before an empty"),
]


@pytest.mark.parametrize("side", BOTH)
@pytest.mark.parametrize("dubious", WARNINGS, ids=[dubious.name for dubious in WARNINGS])
def test_dubious_input_scores_as_officially_and_warns_once(dubious: Dubious, side: str, run: Run) -> None:
    """One warning with file, line and how many more there are; the score is that of the official loader."""

    def scored(file: bytes) -> Outcome:
        return run(*((file, GOOD) if side == "key" else (GOOD, file)), "--no-rules-note")

    code, out, err = scored(dubious.file)
    assert code == 0
    assert err.startswith(f"corefscope: warning: {place(side, dubious.line)}")
    assert dubious.says in err
    effect = " [scores are not affected]\n" if dubious.harmless else " [scores may be affected]\n"
    more = f" (and {dubious.more} more of this kind)" if dubious.more else ""
    assert re.findall(r"(?: \(and .*?\))? \[scores .*\n|\n", err) == [more + effect]
    report = score("key", "response")
    for name, official in score_files("key", "response").items():
        f1 = official if isinstance(official, float) else official[2]
        assert report[name].f1 == pytest.approx(f1, abs=1e-9), name
    if dubious.like is not None:
        assert scored(dubious.like) == (0, out, "")


def test_kinds_and_files_are_counted_apart(run: Run) -> None:
    """One line for each kind and file; ``--quiet`` keeps all of them back."""
    file = cut("met", "met e5", "left", "left e5", "saw", "saw (e5-x-1")
    err = run(file, file).err
    assert re.findall(r"(?m)^corefscope: warning: (\w+:\d+): ", err) == [
        "key:5",
        "response:5",
        "key:19",
        "response:19",
    ]
    assert err.count("(and 1 more of this kind) [scores may be affected]\n") == 2
    assert run(file, file, "--quiet") == (0, run(file, file).out, "")


def test_faults_are_counted_once_in_a_file_that_comes_back_to_a_document(run: Run) -> None:
    """Two documents with the same id are one: that makes no fault two."""
    assert "more of this kind" not in run(*[cut("= d2", "= d1", "saw", "saw e5")] * 2).err


# ---------------------------------------------------------------------------------------------- simply works

Make = Callable[[str], str | bytes]


class Odd(NamedTuple):
    name: str
    make: Make  # how key and response are made from their short forms
    like: Make = conllu  # how the same is written plainly
    says: str = ""  # what is said on standard error all the same


RESPONSE = replaced(SHORT, "2(e1-person-1)", "1(e1-person-1)", "She (e2", "She (e1", "2(e3-person-1)", "2")
"""A response with errors, so that scores are not 100."""


def each(pattern: str, new: str) -> Make:
    """Write a short form with every match of a pattern replaced."""
    return lambda text: conllu(re.sub(pattern, new, text))


def every(pattern: str, new: str) -> Make:
    """Write a short form, then replace every match of a pattern in its CoNLL-U."""
    return lambda text: re.sub(pattern, new, conllu(text))


def gum(text: str) -> str:
    """As UD English-GUM has it: no heads, numbers for ids, and much else."""
    text = text.replace("eid-etype-head-other", "GRP-etype-infstat-salience-centering-minspan-link-identity")
    text = re.sub(r"\(e(\d)-(\w*)-\d", r"(\1-\2-giv:act-sal-cf1*-1,2-coref-Some_One", text)
    return conllu(re.sub(r"e(\d)\)", r"\1)", text))


def shuffled(text: str) -> str:
    """The fields of the header in another order."""
    text = text.replace("eid-etype-head-other", "infstat-head-eid-minspan-etype")
    return conllu(re.sub(r"\((e\d)-(\w*)-(\d)", r"(new-\3-\1-1-\2", text))


def local_ids(text: str) -> str:
    """With GRP: the ids of the second document start anew."""
    first, mark, second = text.replace("eid-", "GRP-").partition("# newdoc id = d2")
    return conllu(first + mark + second.replace("e3", "e1").replace("e4", "e2"))


ODDITIES = [
    # Documents.
    Odd("no newdoc", each("# newdoc.*\n", ""), each("# newdoc id = d2\n", "")),
    Odd("newdoc without id", each("(# newdoc).*", r"\1")),
    Odd("sentences before the first newdoc", each("# newdoc id = d1\n", "")),
    Odd("newdoc after other comments", each("(# newdoc.*\n)((?:#.*\n)+)", r"\2\1")),
    Odd("no sent_id", each("# sent_id.*\n", "")),
    Odd("sent_id without value", each("# sent_id.*", "# sent_id =\n# x")),
    # Lines.
    Odd("CR LF", every("\n", "\r\n")),
    Odd("CR", every("\n", "\r")),
    Odd("byte order mark", lambda text: conllu(text).encode("utf-8-sig")),
    Odd("empty lines at the start", lambda text: "\n\n\n" + conllu(text)),
    Odd("empty lines at the end", lambda text: conllu(text) + "\n\n\n"),
    Odd("empty lines between sentences", every("\n\n", "\n\n\n\n\n")),
    Odd("one line feed at the end", lambda text: conllu(text)[:-1]),
    Odd("no line feed at the end", lambda text: conllu(text)[:-2]),
    Odd("comments between words", each("\n2 ", "\n# comment\n#\n2 ")),
    Odd("comments without a sentence", each("\n\n", "\n\n# comment\n\n")),
    Odd("other line separators in a word", every("early", "ear\u2028\x85\x0b\x0cly")),
    # Compression, known by the first bytes.
    Odd("gzip", lambda text: gzip.compress(conllu(text).encode())),
    Odd("xz", lambda text: lzma.compress(conllu(text).encode())),
    Odd("bzip2", lambda text: bz2.compress(conllu(text).encode())),
    Odd("all at once", lambda text: gzip.compress(conllu(text).replace("\n", "\r\n").encode("utf-8-sig"))),
    # Headers.
    Odd("GRP", each("eid-", "GRP-")),
    Odd("GRP with the same ids in both documents", local_ids),
    Odd("GUM", gum, each(r"(\(e\d-\w*)-\d", r"\1"), "key: the file has no heads"),
    Odd("fields in another order", shuffled),
    Odd("one header, in the last document", lambda text: conllu(text.replace(HEADER, "", 1))),
    # Nodes.
    Odd(
        "multiword token",
        each("1 She", "1-2 Sheleft (e9-x-1)\n1 She"),
        says="Entity on the multiword token 1-2: ignored",
    ),
    Odd("empty node 0.1", each("1 She", "0.1 _ (e2--1) 2:x\n1 She"), each("2 left", "1.1 _ (e2--1) 2:x\n2 left")),
    Odd("empty node after its place", each("(2.1 .*\n)(3 .*\n)", r"\2\1")),
    Odd("empty node without DEPS", each(" 2:nsubj", "")),
    # Attributes.
    Odd("malformed Bridge and SplitAnte", every(r"(Entity=.*)", r"\1|Bridge=e1<|SplitAnte=<e9,(|Bridge")),
    Odd("Entity in another column", every(r"\tX\t_", r"\tX\tEntity=(e9-x-1)")),
    Odd("Entity as a word", every("early", "Entity=(e9-x-1)")),
    Odd("Entity in a comment", each("(# sent_id.*)", r"\1\n# Entity=(e9-x-1)")),
    Odd("Entity at the end of another key", every(r"\tEntity=", r"\tMyEntity=(e9-x-1)|Entity=")),
    Odd("Entity at the start of another key", every(r"(Entity=.*)", r"\1|EntityX=(e9-x-1)")),
    Odd("Entity in a value", every(r"(Entity=.*)", r"\1|Gloss=Entity=(e9-x-1)")),
    Odd(
        "Entity twice: the last one holds",
        every(r"\tEntity=", r"\tEntity=(e9-x-1)|Entity="),
        says="MISC has Entity 2 times: only the last counts",
    ),
    Odd("Entity= with nothing", every(r"_\n", r"Entity=\n"), says="Entity has no value: ignored"),
    Odd("part 1 of 1", each(r"She \((e\d)", r"She (\1[1/1]")),
]


@pytest.mark.parametrize("odd", [pytest.param(odd, id=odd.name) for odd in ODDITIES])
def test_odd_input_simply_works(odd: Odd, run: Run) -> None:
    """The score of the same thing written plainly, and hardly a word on standard error."""

    def scored(make: Make) -> Outcome:
        return run(*(encoded(make(text)) for text in (SHORT, RESPONSE)), "--no-rules-note")

    plain = scored(odd.like)
    assert (plain.code, plain.err) == (0, "")
    assert not re.search(r"CoNLL +(0|100)\.00", plain.out)
    made = scored(odd.make)
    assert (made.code, made.out) == (plain.code, plain.out)
    assert odd.says in made.err if odd.says else not made.err


def encoded(text: str | bytes) -> bytes:
    return text if isinstance(text, bytes) else text.encode()


@pytest.mark.parametrize(
    "pack", [bytes, gzip.compress, lambda data: data.replace(b"\n", b"\r\n")], ids=["plain", "gzip", "CR LF"]
)
@pytest.mark.parametrize("side", BOTH)
def test_standard_input(side: str, pack: Callable[[bytes], bytes], run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """``-`` on either side, through a pipe and from a file, plain or compressed."""
    key, response = GOOD, short(RESPONSE)
    plain = run(key, response)
    reading, writing = os.pipe()
    with os.fdopen(writing, "wb") as pipe:
        pipe.write(pack(key if side == "key" else response))
    Path("redirected").write_bytes(pack(key if side == "key" else response))
    for place in (reading, "redirected"):
        with open(place) as stdin:
            monkeypatch.setattr(sys, "stdin", stdin)
            assert run(*((STDIN, response) if side == "key" else (key, STDIN))) == plain


def test_faults_of_standard_input_are_named_so(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """What comes through ``-`` is called ``<stdin>``."""
    reading, writing = os.pipe()
    with os.fdopen(writing, "wb") as pipe:
        pipe.write(cut("car e4)", "car e5)"))
    with open(reading) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        assert run(GOOD, STDIN).err.startswith("corefscope: error: <stdin>:21: entity 'e5' is closed")


@pytest.mark.parametrize("header", [HEADER, ""], ids=["with header", "without header"])
def test_a_response_without_any_mention_scores_nothing(header: str, run: Run) -> None:
    """No Entity at all is a response like any other, needs no header, and is warned of."""
    silent = short(re.sub(r" (\(e|e\d).*", "", SHORT).replace(HEADER, header))
    code, out, err = run(GOOD, silent)
    assert code == 0
    assert "response: has no mentions (no Entity= in MISC), but key has 8: F1 of mentions and entities is 0" in err
    assert set(re.findall(r"\d+\.\d\d", out)) == {"0.00"}


TWO_ZEROS = """\
# newdoc id = d1
# global.Entity = eid-etype-head-other
1 Anna (e1--1)
2 left
2.1 _ (e1--1) 2:nsubj
2.10 _ (e2--1) 3:nsubj
3 saying
4 Bob (e2--1)
"""


@pytest.mark.parametrize(
    ("rules", "muc", "conll"), [("corrected", "100.00", "100.00"), ("corefud-1.2", "50.00", "75.00")]
)
def test_empty_nodes_2_1_and_2_10(rules: str, muc: str, conll: str, run: Run) -> None:
    """They are two nodes under corrected rules, and one mention of two entities under official ones."""
    file = short(TWO_ZEROS)
    code, out, _ = run(file, file, "--rules", rules, "--no-rules-note")
    assert code == 0
    assert re.search(rf"MUC +{muc} +{muc} +{muc}\n", out)
    assert re.search(rf"CoNLL +{conll}\n", out)


# ------------------------------------------------------------------------------------------------- and always

HOSTILE = "\x1b[31m\x07\x9b\u202e"
HARMLESS = r"\x1b[31m\x07\x9b\u202e"

HOSTILE_PLACES = {
    "document": cut("= d2", f"= {HOSTILE}"),
    "sentence": cut("= s3", f"= {HOSTILE}"),
    "word": cut("again", HOSTILE),
    "id": cut("3 early", f"{HOSTILE} early"),
    "DEPS": cut("2:nsubj", f"{HOSTILE}:nsubj"),
    "entity": cut("car e4)", f"car {HOSTILE})"),
    "head": cut("object-2", f"object-{HOSTILE}"),
    "type, a warning": cut("She (e2-person", f"She (e2-{HOSTILE}"),
    "chunk, a warning": cut("saw", f"saw {HOSTILE}"),
    "header, a warning": cut(SECOND, SECOND.replace("other", HOSTILE)),
}


@pytest.mark.parametrize("where", HOSTILE_PLACES)
def test_hostile_text_is_escaped_in_messages(where: str, run: Run) -> None:
    """What a terminal would obey is shown, not sent."""
    code, out, err = run(GOOD, HOSTILE_PLACES[where])
    assert code == (0 if "warning" in where else 1)
    assert HARMLESS in err
    assert not set(out + err) & (set(HOSTILE) - set("[31m"))


def test_hostile_text_is_escaped_in_tables_and_paths(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    """The names of documents and of files are foreign text too."""
    file = HOSTILE_PLACES["document"]
    out = run(file, file, "--per-document").out
    assert main(["score", HOSTILE, HOSTILE]) == 1
    err = capsys.readouterr().err
    for text in (out, err):
        assert HARMLESS in text
        assert not set(text) & (set(HOSTILE) - set("[31m"))


@pytest.mark.parametrize(
    ("key", "response"),
    [
        pytest.param(GOOD, GOOD, id="good"),
        pytest.param(GOOD, UNOPENED, id="faulty"),
        pytest.param(GOOD, MISSING, id="response missing"),
        pytest.param(GOOD, b"", id="response empty"),
        pytest.param(ALONE.replace(b"eid-", b"id-"), ALONE, id="header without eid"),
        pytest.param(GOOD.replace(b"\n", b"\r\n"), GOOD, id="CR LF"),
        pytest.param(gzip.compress(GOOD), GOOD, id="gzip"),
        pytest.param(gzip.compress(GOOD.replace(b"\n", b"\r\n")), GOOD, id="gzip of CR LF"),
        pytest.param(gzip.compress(b""), GOOD, id="gzip of nothing"),
        pytest.param(gzip.compress(GOOD)[:-20], GOOD, id="truncated gzip"),
    ],
)
def test_no_file_stays_open(key: File, response: File, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever happens, every file is closed in the end."""
    monkeypatch.chdir(tmp_path)
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        main(["score", put(key, "key"), put(response, "response")])
        gc.collect(0)
    assert [str(warning.message) for warning in found] == []
