"""``validate --profile ud``: udtools, the official validator, is run and its report translated."""

from __future__ import annotations

import gzip
import json
import logging
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

import jsonschema
import pytest
from hypothesis import given

from corefscope.cli import main
from corefscope.core.errors import OptionError
from corefscope.formats.validate import Validation, inspect, validate
from corefscope.output.formats import REPORTS
from examples import examples
from faulty_files import mutated
from places import GOLDEN, SOURCE
from tests.formats.validate.test_checking import assert_hint_agrees

official = pytest.mark.skipif(find_spec("udtools") is None, reason="udtools is not installed: pip install '.[ud]'")
NESTING = "ill-nested-entities-warning"
ACCEPTED = """\
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
"""A text with everything in it: parts, zeros, a multiword token, links, identities, brackets that cross."""
SAME_SPAN = ACCEPTED.replace("(e9-abstract-1-)", "(e9-abstract-1-)(e99-abstract-1-)")
PARK = "_\n8\tpark\t_\tNOUN\t_\t_\t2\tdep\t2:dep\tEntity=(e4[2/2]-place-1-)"
CROSSING = ACCEPTED.replace(PARK, f"Entity=(e4-place-1-{PARK.removeprefix('_')}e4)")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "file.conllu"


def found(path: Path, content: str | bytes) -> dict[str, int]:
    """How often each id is reported of a file with this content."""
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return dict(inspect(path, profile="ud").counts)


def official_report(path: Path) -> list[tuple[int, str, bool]]:
    """What udtools says of a file that it opens itself: line, id, and whether it is an error."""
    from udtools import Validator

    state = Validator(lang="ud", level=2, check_coref=True, output=None).validate_files([str(path)])
    return sorted((incident.lineno, incident.testid, incident.is_error()) for incident in state.error_tracker)


# ---- what is reported


@official
@pytest.mark.parametrize("source", sorted((GOLDEN / "corefud").glob("*.conllu"))[:40], ids=lambda source: source.stem)
def test_lines_ids_and_severities_are_those_of_the_program(source: Path) -> None:
    problems = validate(source, profile="ud")
    ours = sorted((problem.line, problem.code, problem.severity == "error") for problem in problems)
    assert ours == official_report(source)


@official
@pytest.mark.parametrize(
    ("old", "new", "test"),
    [
        ("7\tthere", "7x\tthere", "invalid-word-id"),
        ("\t2\tadvmod", "\t2\tmod", "unknown-udeprel"),
        ("# sent_id = s3", "# sent_id = s1", "non-unique-sent-id"),
        ("(e9-abstract-1-)", "(e9-abstract-1-", "cross-sentence-mention"),
        ("(e9-abstract-1-)", "(e9-abstract-5-)", "mention-head-out-of-range"),
    ],
)
def test_what_the_program_refuses_is_an_error(old: str, new: str, test: str, path: Path) -> None:
    path.write_text(ACCEPTED.replace(old, new, 1), encoding="utf-8")
    inspection = inspect(path, profile="ud")
    assert test in inspection.counts
    assert inspection.count("error")
    assert [(line, id_) for line, id_, _ in official_report(path)] == [
        (problem.line, problem.code) for problem in inspection.problems
    ]


@official
def test_a_problem_shows_line_level_class_and_id(path: Path) -> None:
    path.write_text(CROSSING, encoding="utf-8")
    (problem,) = [problem for problem in validate(path, profile="ud") if problem.severity == "error"]
    assert (problem.line, problem.code, problem.name) == (14, *["crossing-mentions-same-entity"] * 2)
    assert str(problem).startswith(f"{path}:14: [L6 COREF crossing-mentions-same-entity]: Mentions of entity 'e4'")


@official
def test_an_explanation_of_the_program_is_the_hint(path: Path) -> None:
    path.write_text(ACCEPTED.replace("\tthere\t_\t", "\tthere\te\u0301\t"), encoding="utf-8")
    hints = {problem.code: problem.hint for problem in validate(path, profile="ud")}
    assert "combining diacritics" in hints["unicode-normalization"]
    assert hints[NESTING] == ""


@official
def test_files_do_not_influence_each_other(path: Path) -> None:
    """The program accepts ``ref`` as a basic relation once it has seen DEPS, so each file gets its own validator."""
    words = ["1\tAnn\t_\tPROPN\t_\t_\t2\tref\t_\t_", "2\tmet\t_\tVERB\t_\t_\t0\troot\t_\t_"]
    text = "\n".join(["# sent_id = s", "# text = Ann met", *words, "", ""])
    assert found(path, ACCEPTED) == {NESTING: 1}
    assert found(path, text) == {"unknown-udeprel": 1}


# ---- files that udtools cannot open or that make it fail


def test_an_empty_file_is_refused_though_the_program_accepts_it(path: Path) -> None:
    pytest.importorskip("udtools")
    assert found(path, "") == {"E003": 1}


@official
def test_compressed_files_are_unpacked(path: Path) -> None:
    assert found(path, gzip.compress(ACCEPTED.encode())) == {NESTING: 1}


@official
def test_bytes_that_are_not_utf_8(path: Path) -> None:
    assert found(path, ACCEPTED.encode().replace(b"there\t_", b"there\t\xe4")) == {NESTING: 1, "invalid-utf": 1}


@official
def test_a_byte_order_mark_and_carriage_returns(path: Path) -> None:
    assert "invalid-line" in found(path, "\ufeff" + ACCEPTED)
    assert found(path, ACCEPTED.replace("\n", "\r\n")) == {NESTING: 1, "non-unix-newline": 1}


@official
def test_other_formats_are_refused(path: Path) -> None:
    assert "invalid-line" in found(path, "#begin document (d); part 000\nd 0 0 Ann (1)\n\n#end document\n")


@official
@pytest.mark.parametrize(
    ("old", "new"), [("Entity=(e5--1-)", "Entity=(e5 )"), ("eid-etype-head-other-identity", "eid-head")]
)
def test_a_failure_of_the_program_is_an_error_with_the_line(old: str, new: str, path: Path) -> None:
    path.write_text(ACCEPTED.replace(old, new), encoding="utf-8")
    inspection = inspect(path, profile="ud")
    (problem,) = [problem for problem in inspection.problems if problem.code == "E004"]
    assert problem.line > 10
    assert problem.message.startswith(f"udtools {metadata.version('udtools')} fails here: ")
    assert len(inspection.counts) > 1  # what it reported before
    with pytest.raises((UnboundLocalError, IndexError)):
        official_report(path)


@official
@examples(50)
@given(content=mutated())
def test_no_content_stops_it_and_hints_agree_with_messages(content: bytes, scratch: Path) -> None:
    scratch.write_bytes(content)
    for problem in inspect(scratch, profile="ud").problems:
        assert_hint_agrees(problem.message, problem.hint)


@official
def test_logging_is_left_alone(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    handlers = logging.getLogger().handlers[:]
    found(path, ACCEPTED.replace("eid-etype-head-other-identity", "eid-etype-other-head", 1))
    assert logging.getLogger().handlers == handlers
    assert "Mismatch in global.Entity" in caplog.text


# ---- the option and the command


def test_an_unknown_profile_is_refused() -> None:
    with pytest.raises(OptionError, match=r"unknown profile 'udd' \(did you mean 'ud'"):
        validate("x", profile="udd")  # type: ignore[arg-type]


def test_without_udtools_the_error_names_the_remedy(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> NoReturn:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", missing)
    path.write_text(ACCEPTED, encoding="utf-8")
    with pytest.raises(OptionError, match=r"pip install 'corefscope\[ud\]'"):
        validate(path, profile="ud")
    assert main(["validate", str(path), "--profile", "ud"]) == 2


@official
def test_the_command_shows_ids_and_ends_as_validate_does(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = tmp_path / "good.conllu", tmp_path / "bad.conllu"
    good.write_text(ACCEPTED, encoding="utf-8")
    bad.write_text(SAME_SPAN, encoding="utf-8")
    assert main(["validate", str(good), "--profile", "ud"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "[L6 WARNING ill-nested-entities-warning]: warning" in shown
    assert "corefud, 2 documents, 3 sentences, 17 words, 11 mentions in 10 entities" in shown
    assert f"|profile:ud-{metadata.version('udtools')}" in shown
    assert "hint" not in shown
    assert main(["validate", str(good), "--profile", "ud", "--strict"]) == 1
    capsys.readouterr()
    for name in REPORTS:
        assert main(["validate", str(bad), "--profile", "ud", "--format", name]) == 1
        assert "same-span-entity-mentions" in capsys.readouterr().out.replace("\\", ""), name


@official
def test_the_json_is_what_its_schema_says(path: Path) -> None:
    schema = json.loads((SOURCE / "output" / "schemas" / "corefscope-validation-1.json").read_text(encoding="utf-8"))
    path.write_text(SAME_SPAN, encoding="utf-8")
    content = Validation([inspect(path, profile="ud")], profile="ud").to_dict()
    jsonschema.Draft202012Validator(schema).validate(content)
    assert (content["profile"], content["valid"], content["errors"]) == ("ud", False, 1)
    assert content["files"][0]["counts"] == {NESTING: 1, "same-span-entity-mentions": 1}
