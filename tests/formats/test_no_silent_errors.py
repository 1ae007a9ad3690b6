"""Whatever ``validate`` calls an error stops ``score``, or is among its warnings."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import example, given

import corefscope
from corefscope.core.errors import InputError
from corefscope.formats.validate import CODES, inspect
from examples import examples
from faulty_files import CASES, ELSEWHERE, GOOD, conll, corefud, mutated, sentence, word, words
from silence import unsaid

FORMAT_OF = {"CoNLL": "conll", "brackets in CoNLL": "conll", "UA": "ua"}
ERRORS = [
    (code, text.encode(), FORMAT_OF.get(table, "corefud"))
    for table, code, text, _ in CASES
    if CODES[code].severity == "error"
]
SEMEVAL = "#begin document d\n1\tw" + "\t_" * 7 + "\t(1)\n\n#end document d\n"
MOVED = corefud(sentence(word(1, "(e1)")), header="eid") + corefud(sentence(word(1), id_="s2"), header="x-eid")
DOCUMENT = {"doc_key": "d", "sentences": [["a"]], "clusters": [[[0, 9]]]}
OTHERS: list[tuple[str, bytes | None, str | None]] = [
    ("E001", None, None),
    ("E001", b"\x1f\x8bnonsense", None),
    ("E002", words(GOOD).encode().replace(b"\tw\t", b"\t\xe4\t"), "corefud"),
    ("E002", b"# \xe4\n\n" + words(GOOD).encode(), "corefud"),
    ("E002", conll("(1)").encode().replace(b"\tw\t", b"\t\xe4\t"), "conll"),
    ("E002", b"# \xe4\n" + conll("(1)").encode(), "conll"),
    ("E003", b"", None),
    ("E003", b"#begin document (d); part 000\n#end document\n", "conll"),
    ("E002", SEMEVAL.encode().replace(b"\tw\t", b"\t\0\xe4\t"), "semeval"),
    ("E002", b'[["m", "\xe4"]]', "clusters"),
    ("E004", json.dumps(DOCUMENT).encode(), "jsonl"),
    ("E004", b'{"clusters": 3}', "clusters"),
    ("E004", b"document,mention,entity\nd\n", "table"),
    ("E101", b"x\ty\n\n" + words(GOOD).encode(), "corefud"),
    ("E102", b" \n" + words(GOOD).encode(), "corefud"),
    ("E108", (sentence(word("1-2", GOOD), id_="s0") + words(GOOD)).encode(), "corefud"),
    ("E203", MOVED.encode(), "corefud"),
    ("E203", (corefud(sentence(word(1), id_="s0"), header="x") + words(GOOD)).encode(), "corefud"),
    ("E206", words(GOOD).replace("# newdoc id", "#newdoc id").encode(), "corefud"),
    ("E206", words(GOOD).replace("# newdoc id = d", "# newdoc id = c\n# newdoc id = d").encode(), "corefud"),
    ("E206", ("# newdoc id = c\n\n" + words(GOOD)).encode(), "corefud"),
    ("E301", corefud(sentence(word(1, GOOD), word(2, misc="Entity=|X=1"))).encode(), "corefud"),
    ("E301", corefud(sentence(word(1, misc=f"Entity={GOOD}|Entity"))).encode(), "corefud"),
    ("E302", corefud(sentence(word(1, misc=f"Entity|Entity={GOOD}"))).encode(), "corefud"),
    ("E302", corefud(sentence(word(1, misc=f"X=1|Entity={GOOD}|Y=2|Entity="))).encode(), "corefud"),
    ("E317", corefud(sentence(word("1-2", GOOD), word(1), word("1.1", GOOD, deps=""))).encode(), "corefud"),
    ("E319", words("(e1-x-1-", "e1[2/2])").encode(), "corefud"),
    ("E505", ("w\t-\n" + conll("(1)")).encode(), "conll"),
    ("E505", (conll("(1)") + "d\t0\t1\tw\t-\t-\n").encode(), "conll"),
    ("E505", ("w\t-\n" + SEMEVAL).encode(), "semeval"),
    ("E506", ("#Begin document (c)\n" + conll("(1)")).encode(), "conll"),
    ("E506", SEMEVAL.replace("\t(1)\n\n", "\t(1)\n\n# begin_document e\n").encode(), "semeval"),
]
"""Further ways into the same faults, and other formats."""


@pytest.mark.parametrize(("code", "content", "format_"), [*ERRORS, *OTHERS])
def test_no_error_of_the_catalogue_is_silent(
    code: str, content: bytes | None, format_: str | None, tmp_path: Path
) -> None:
    """Each in the first line in which validation finds it, unless something else stops ``score`` before."""
    path = tmp_path / "file"
    if content is not None:
        path.write_bytes(content)
    assert code in inspect(path, format_).counts
    with suppress(InputError):
        assert not unsaid(path, format_)


def test_every_error_of_the_catalogue_has_a_file() -> None:
    assert {code for code, _, _ in [*ERRORS, *OTHERS]} == {code for code in CODES if code[0] == "E"}
    assert {code for code in ELSEWHERE if code[0] == "E"} <= {code for code, _, _ in OTHERS}


@pytest.mark.parametrize(
    ("code", "content", "format_"), [case for case in [*ERRORS, *OTHERS] if case[2] in ("conll", "semeval")]
)
def test_refusals_of_conll_files_are_called_as_validation_calls_them(
    code: str, content: bytes, format_: str, tmp_path: Path
) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    found = {problem.name for problem in inspect(path, format_).problems}
    assert CODES[code].name in found
    assert _refusal(path, format_) in {"", *found} - {"refused"}


def _refusal(path: Path, format_: str) -> str:
    """The code of the error that a file is refused for; none if it is not."""
    try:
        assert corefscope.score(path, path, key_format=format_, response_format=format_).warnings
    except InputError as error:
        return error.code
    return ""


@pytest.mark.parametrize(("code", "content", "format_"), [*ERRORS, *OTHERS])
def test_one_faulty_side_is_enough(code: str, content: bytes | None, format_: str | None, tmp_path: Path) -> None:
    """The file as key, and as response, against one without faults."""
    bad, good = tmp_path / "bad", tmp_path / "good"
    good.write_text({"conll": conll("(1)"), "semeval": SEMEVAL}.get(format_ or "", words(GOOD)), encoding="utf-8")
    if content is not None:
        bad.write_bytes(content)
    for pair in ((bad, good), (good, bad)):
        try:
            report = corefscope.score(*pair, match="exact")
        except InputError:
            continue
        assert any(warning.startswith(f"{bad}:") for warning in report.warnings), code


@examples(600)
@given(content=mutated())
@example(content=b"# newdoc id = c\n# newdoc id = d\n" + words(GOOD).encode())
@example(content=conll("(1)").encode().replace(b"#end", b"#END") + b"w\t-\n")
def test_no_error_of_a_mutated_file_is_silent(content: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.getbasetemp() / "mutated"
    path.write_bytes(content)
    with suppress(InputError):
        assert not unsaid(path, None)
