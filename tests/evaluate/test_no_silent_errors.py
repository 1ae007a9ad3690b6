"""Whatever ``validate`` calls an error stops ``score``, or is among its warnings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import example, given, settings

import corefscope
from corefscope.base.errors import InputError, Warned, Warnings
from corefscope.read.formats import open_reader
from corefscope.write.validate import CODES, inspect
from faulty_files import CASES, ELSEWHERE, GOOD, conll, corefud, mutated, sentence, word, words

ERRORS = [
    (code, text.encode(), "conll" if "CoNLL" in table.split() else "corefud")
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
    ("E004", json.dumps(DOCUMENT).encode(), "jsonl"),
    ("E004", b'{"clusters": 3}', "clusters"),
    ("E004", b"document,mention,entity\nd\n", "table"),
    ("E101", b"x\ty\n\n" + words(GOOD).encode(), "corefud"),
    ("E102", b" \n" + words(GOOD).encode(), "corefud"),
    ("E108", (sentence(word("1-2", GOOD), id_="s0") + words(GOOD)).encode(), "corefud"),
    ("E203", MOVED.encode(), "corefud"),
    ("E206", words(GOOD).replace("# newdoc id", "#newdoc id").encode(), "corefud"),
    ("E206", words(GOOD).replace("# newdoc id = d", "# newdoc id = c\n# newdoc id = d").encode(), "corefud"),
    ("E206", ("# newdoc id = c\n\n" + words(GOOD)).encode(), "corefud"),
    ("E301", corefud(sentence(word(1, GOOD), word(2, misc="Entity=|X=1"))).encode(), "corefud"),
    ("E301", corefud(sentence(word(1, misc=f"Entity={GOOD}|Entity"))).encode(), "corefud"),
    ("E302", corefud(sentence(word(1, misc=f"Entity|Entity={GOOD}"))).encode(), "corefud"),
    ("E302", corefud(sentence(word(1, misc=f"X=1|Entity={GOOD}|Y=2|Entity="))).encode(), "corefud"),
    ("E319", words("(e1-x-1-", "e1[2/2])").encode(), "corefud"),
    ("E505", ("w\t-\n" + conll("(1)")).encode(), "conll"),
    ("E505", (conll("(1)") + "d\t0\t1\tw\t-\t-\n").encode(), "conll"),
    ("E505", ("w\t-\n" + SEMEVAL).encode(), "semeval"),
    ("E506", ("#Begin document (c)\n" + conll("(1)")).encode(), "conll"),
    ("E506", SEMEVAL.replace("\t(1)\n\n", "\t(1)\n\n# begin_document e\n").encode(), "semeval"),
]
"""Further ways into the same faults, and other formats."""


def records(path: Path, format_: str | None) -> list[Warned] | InputError:
    """What a reader warns of, on both sides; or why it stops."""
    warnings = Warnings()
    try:
        for side in ("key", "response"):
            _, reader = open_reader(path, format_, warnings, side)
            try:
                for _ in reader:
                    pass
            finally:
                reader.source.close()
    except InputError as error:
        return error
    return warnings.records()


def unsaid(path: Path, format_: str | None) -> set[str]:
    """The names of the errors of a file of which ``score`` says nothing, with the file on both sides."""
    problems = inspect(path, format_).problems
    errors = {problem.name for problem in problems if problem.severity == "error"}
    told = records(path, format_)
    if isinstance(told, InputError):
        with pytest.raises(InputError):
            corefscope.score(path, path, key_format=format_, response_format=format_)
        return set()
    shown = "\n".join(corefscope.score(path, path, key_format=format_, response_format=format_).warnings)
    assert all(record.message in shown for record in told)
    lines = {(problem.name, problem.line) for problem in problems}
    kinds = {record.kind for record in told}
    if "part-closed-otherwise" in kinds:  # validation closes what was meant, and may then find other faults
        return {name for name in errors - kinds if not _of_brackets(name)}
    assert {(record.kind, record.line) for record in told if record.kind in errors} <= lines
    return errors - kinds


def _of_brackets(name: str) -> bool:
    return any(code.name == name and code.code.startswith("E3") for code in CODES.values())


@pytest.mark.parametrize(("code", "content", "format_"), [*ERRORS, *OTHERS])
def test_no_error_of_the_catalogue_is_silent(
    code: str, content: bytes | None, format_: str | None, tmp_path: Path
) -> None:
    """Each in the first line in which validation finds it, unless something else stops ``score`` before."""
    path = tmp_path / "file"
    if content is not None:
        path.write_bytes(content)
    assert code in inspect(path, format_).counts
    assert not unsaid(path, format_)


def test_every_error_of_the_catalogue_has_a_file() -> None:
    assert {code for code, _, _ in [*ERRORS, *OTHERS]} == {code for code in CODES if code[0] == "E"}
    assert {code for code in ELSEWHERE if code[0] == "E"} <= {code for code, _, _ in OTHERS}


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


@settings(max_examples=600, deadline=None)
@given(content=mutated())
@example(content=b"# newdoc id = c\n# newdoc id = d\n" + words(GOOD).encode())
@example(content=conll("(1)").encode().replace(b"#end", b"#END") + b"w\t-\n")
def test_no_error_of_a_mutated_file_is_silent(content: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.getbasetemp() / "mutated"
    path.write_bytes(content)
    assert not unsaid(path, None)
