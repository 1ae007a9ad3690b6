"""``corefscope-conll`` behaves as ``scorer.pl`` does: every figure here was printed by that program, version 8.01.

Where a checkout of it is at hand (``PEER_CONLL`` names its directory), it is asked again, and its own test cases are
run too.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from corefscope.compat.commands.conll import METRICS, main

PEER = Path(os.environ["PEER_CONLL"]) if os.environ.get("PEER_CONLL") else None
needs_peer = pytest.mark.skipif(PEER is None, reason="PEER_CONLL names no checkout of the CoNLL reference scorer")
TOTALS = re.compile(r"\n====== TOTALS =======\n(?:.*: Recall: .*\n-+\n|\nCoreference:\n)+")
RECALL_PRECISION = re.compile(r"Recall: \((\S+) / (\S+)\).*Precision: \((\S+) / (\S+)\)")


def document(*cells: str, name: str = "(d); part 000", words: str = "", end: bool = True) -> str:
    """A document with these coreference cells; every word is called by a letter of ``words``, or w."""
    rows = [f"d\t0\t{i}\t{(words or 'w' * len(cells))[i]}\t{cell}" for i, cell in enumerate(cells)]
    return "\n".join([f"#begin document {name}", *rows, "", *["#end document"] * end, ""])


PLAIN = document("(1", "1)", "(1)", "(2)", "(2)")
OTHER = document("(1)", "(1)", name="b")
SEMEVAL = "#begin document 7\n" + "".join(f"{i}\tw\t_\t_\t_\t{c}\n" for i, c in enumerate(("(1)", "(2", "2)"), 1))


class Case(NamedTuple):
    """Two files, and the counts that the reference prints: of mentions, and of MUC."""

    key: str
    response: str
    mentions: str
    muc: str
    warning: str = ""
    """What is said about it on standard error, as a regular expression; nothing if empty."""
    name: str = "none"


CASES = {
    "a closing bracket before an opening one of the same id": Case(
        document("(5", "5)|(5", "5)", "(5)"), document("(5", "5)|(5)", "-", "(5)"), "2 3 2 3", "1 2 1 2"
    ),
    "a bare id inside of its mention": Case(
        document("(0", "0", "0)", "(0)"), document("(0", "-", "0)", "(0)"), "2 2 2 2", "1 1 1 1"
    ),
    "a bare id where nothing is open": Case(PLAIN, document("(1", "1)", "(1)", "2", "(2)"), "3 4 3 3", "1 2 1 1"),
    "other words": Case(PLAIN, PLAIN.replace("\tw\t", "\tx\t"), "4 4 4 4", "2 2 2 2", "word 1 of .* is 'x', but"),
    "other sentences": Case(
        PLAIN, PLAIN.replace("d\t0\t2", "\nd\t0\t2"), "4 4 4 4", "2 2 2 2", "word 3 of sentence 1 is missing, but"
    ),
    "a shorter response": Case(PLAIN, document("(1", "1)", "(1)"), "2 4 2 2", "1 2 1 1", "is missing, but"),
    "a longer response": Case(
        PLAIN, document("(1", "1)", "-", "(2)", "(2)", "(2)"), "3 4 3 4", "1 2 1 2", "but .* missing"
    ),
    "SemEval": Case(SEMEVAL, SEMEVAL.replace("2)", "2)|(1)"), "2 2 2 3", "0 0 0 1"),
    "other words in SemEval": Case(
        SEMEVAL, SEMEVAL.replace("\tw\t", "\tx\t"), "2 2 2 2", "0 0 0 0", "word 1 of sentence 1 is 'x', but"
    ),
    "columns between blanks": Case(
        PLAIN.replace("\t", " "), document("(1", "1)", "(1)").replace("\t", "   "), "2 4 2 2", "1 2 1 1", "missing"
    ),
    "empty columns at the end": Case(PLAIN.replace("(2)", "(2)\t\t"), PLAIN, "4 4 4 4", "2 2 2 2"),
    "a comment is a word": Case(
        PLAIN.replace("d\t0\t2", "# comment\nd\t0\t2"), PLAIN, "3 4 3 4", "0 2 0 2", "word 3 of sentence 1 is 'w'"
    ),
    "double antecedents are passed over": Case(
        document("(1)", "(1+2)", "(1)|(22+3)"), document("(1)", "-", "(1)"), "2 2 2 2", "1 1 1 1", "key:3: .*1 more"
    ),
    "ids that are no numbers are passed over": Case(
        document("(1)", "(a", "a)|(1)"),
        document("(1)", "(b)", "(1)"),
        "2 2 2 2",
        "1 1 1 1",
        "key:3: .* not a number",
    ),
    "an id with a zero before it is another": Case(
        document("(1)", "(01)", "(1)"), document("(1)", "(1)", "(1)"), "3 3 3 3", "1 1 1 2"
    ),
    "part 0 is not part 000": Case(
        PLAIN, PLAIN.replace("part 000", "part 0"), "0 4 0 0", "0 2 0 0", "000' is missing: counted as empty"
    ),
    "a missing document": Case(PLAIN + OTHER, PLAIN, "4 6 4 4", "2 3 2 2", "response: document 'b' is missing"),
    "a document that only the response has": Case(
        PLAIN, OTHER + PLAIN, "4 4 4 4", "2 2 2 2", "response:1: document 'b' is not in the key: not scored"
    ),
    "documents in another order": Case(PLAIN + OTHER, OTHER + PLAIN, "6 6 6 6", "3 3 3 3"),
    "a document that comes twice": Case(
        PLAIN, document("(1)", "-", "-", "-", "-") + PLAIN, "4 4 4 4", "2 2 2 2", "is repeated: the last one counts"
    ),
    "a document that comes twice, by its name": Case(
        PLAIN, document("(1)", "-", "-", "-", "-") + PLAIN, "0 4 0 1", "0 2 0 0", "is repeated", "(d); part 000"
    ),
    "one document by its name": Case(PLAIN + OTHER, PLAIN, "0 2 0 0", "0 1 0 0", "'b' is missing", "b"),
    "a name that nobody has": Case(PLAIN, PLAIN, "0 0 0 0", "0 0 0 0", "key: document 'x' is missing", "x"),
    "never closed, without an end": Case(
        document("(1)", "(2", "(1)", end=False), document("(1)", "-", "(1)"), "2 2 2 2", "1 1 1 1", "never closed"
    ),
    "a document that does not end before the next": Case(
        document("(1)", name="a", end=False) + OTHER,
        document("(1)", "-", "(1)", name="a") + OTHER,
        "4 5 4 4",
        "2 3 2 2",
        "document 'a' does not end before the next",
    ),
    "text outside of documents": Case("x\t(1\n" + PLAIN + "x\t1)\n", PLAIN, "4 4 4 4", "2 2 2 2"),
    "an empty response": Case(PLAIN, "", "0 4 0 0", "0 2 0 0", "response: has no '#begin document' line"),
    "a key without documents": Case("w\t(1)\n", PLAIN, "0 0 0 0", "0 0 0 0", "key: has no '#begin document' line"),
    "carriage returns": Case(PLAIN.replace("\n", "\r\n"), PLAIN, "4 4 4 4", "2 2 2 2"),
    "a carriage return is a column": Case(PLAIN.replace("(2)", "(2)\t\r"), PLAIN, "2 2 2 4", "1 1 1 2"),
    "repeated mentions that the key lacks are not counted": Case(
        document("(1)", "-", "(1)"), document("(1)", "(2)" * 12, "(1)"), "2 2 2 3", "1 1 1 12"
    ),
    "mentions that are repeated": Case(
        PLAIN, document("(1", "1)|(3)", "(1)|(2)", "(2)|(2)", "(2)"), "4 4 4 5", "2 2 2 2"
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))
def test_the_figures_of_the_reference(case: Case, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["muc", *_written(tmp_path, case), case.name]) == 0
    out, err = capsys.readouterr()
    counts = [" ".join(line.groups()) for line in RECALL_PRECISION.finditer(out)]
    assert counts == [case.mentions, case.muc]
    assert re.search(case.warning, err) if case.warning else not err


@needs_peer
@pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))
def test_the_reference_itself_says_the_same(case: Case, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = _written(tmp_path, case)
    for metric in METRICS:
        theirs = _peer(metric, *files, case.name)
        code = main([metric, *files, case.name])
        assert (code, TOTALS.findall(capsys.readouterr().out)) == (
            int(theirs.returncode > 0),
            TOTALS.findall(theirs.stdout),
        )


@needs_peer
def test_all_test_cases_of_the_reference_give_its_totals(capsys: pytest.CaptureFixture[str]) -> None:
    assert PEER is not None
    responses = sorted((PEER / "test" / "DataFiles").glob("*.response"))
    assert len(responses) == 36
    for response in responses:
        files = str(response.parent / f"{response.name.rpartition('-')[0]}.key"), str(response)
        for metric in (*METRICS, "all"):
            theirs = _peer(metric, *files, "none")
            assert main([metric, *files, "none"]) == theirs.returncode
            totals = TOTALS.findall(theirs.stdout)
            assert TOTALS.findall(capsys.readouterr().out) == totals != [], (response.name, metric)


@pytest.mark.parametrize(
    ("key", "message"),
    [
        (document("(1)", "1)"), r"key:3: 1\) in '1\)' closes what was never opened\n  hint: "),
        (
            document("(1)", "(e1)"),
            r"key:3: 1\) in '\(e1\)' closes what was never opened\n  hint: ids must be numbers",
        ),
        (
            document("(1", "-"),
            r"key:1: a mention of 1 in document '\(d\); part 000' is never closed\n  hint: write 1",
        ),
    ],
)
def test_what_the_reference_dies_of_is_an_error_with_its_line(
    key: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["all", *_written(tmp_path, Case(key, PLAIN, "", "")), "none"]) == 1
    assert re.search(message, capsys.readouterr().err)


def test_more_than_ten_repeated_mentions_are_refused_and_all_counts_them_for_each_metric(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The reference does not set its counter back: four repeats are eight at B³, and twelve at CEAFm."""
    response = document("(1)|(2)", "(1)|(2)", "(1)|(2)", "(1)|(2)")
    files = _written(tmp_path, Case(document("(1)", "(1)", "(1)", "(1)"), response, "", ""))
    assert main(["muc", *files, "none"]) == 0
    capsys.readouterr()
    assert main(["all", *files, "none"]) == 1
    out, err = capsys.readouterr()
    assert re.findall("METRIC .*:", out) == ["METRIC muc:", "METRIC bcub:", "METRIC ceafm:"]
    assert len(TOTALS.findall(out)) == 2
    assert "response: repeats more than 10 mentions of the key (3 times 4, because 'all' counts anew" in err


def test_no_blanc_of_a_key_in_which_an_entity_is_never_closed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = _written(tmp_path, Case(document("(2", "(1)", "(1)", end=False), PLAIN, "", ""))
    assert main(["all", *files, "none"]) == 1
    out, err = capsys.readouterr()
    assert len(TOTALS.findall(out)) == 4
    assert "is opened and never closed: the reference has no BLANC" in err
    swapped = files[1], files[0]
    assert main(["all", *swapped, "none"]) == 0


def test_files_in_any_encoding_are_scored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "latin"
    path.write_bytes(PLAIN.replace("(d)", "(é)").replace("w", "é").encode("latin-1"))
    assert main(["muc", str(path), str(path), os.fsdecode(b"(\xe9); part 000")]) == 0
    out, err = capsys.readouterr()
    assert "Coreference: Recall: (2 / 2) 100%" in out
    assert not err


def test_standard_input_is_one_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["muc", "-", "-"]) == 1
    assert "cannot both be standard input" in capsys.readouterr().err


def _written(folder: Path, case: Case) -> tuple[str, str]:
    paths = folder / "key", folder / "response"
    for path, text in zip(paths, case[:2], strict=True):
        path.write_bytes(text.encode())
    return str(paths[0]), str(paths[1])


def _peer(*arguments: str) -> subprocess.CompletedProcess[str]:
    assert PEER is not None
    command = ["perl", str(PEER / "scorer.pl"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)
