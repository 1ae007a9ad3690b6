"""``validate --profile ud``: what the official validator says, and nothing else.

``tests/golden/udvalidate.json`` holds its verdicts on golden files, on a text spoiled in one way for each of its
tests, and on seeded mutations; ``PYTHONPATH=src:tests/support python tests/write/test_validate_ud.py`` writes them
where udtools is installed. There the program itself is also asked about every file of the conformance sets.
"""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from tempfile import TemporaryDirectory

import jsonschema
import pytest
from hypothesis import given

from corefscope.base.errors import OptionError
from corefscope.cli import main
from corefscope.output.formats import REPORTS
from corefscope.write.validate import CODES, PROFILES, Validation, inspect, validate
from corefscope.write.validate.ud.catalogue import ALIKE, TESTS
from corefscope.write.validate.ud.columns import PARTS_OF_SPEECH, RELATIONS
from examples import examples
from faulty_files import mutated
from official_tests import EDITS, FURTHER, edited
from places import GOLDEN, SHARED, SOURCE
from submissions import COREFERENCE, FORMAT, cleaned, rich, spoiled
from udvalidate import udvalidate

VERDICTS = GOLDEN / "udvalidate.json"
SETS = ("corefud", "corefud-duplicates", "found")
SPOILED = 720
try:
    INSTALLED = version("udtools")
except PackageNotFoundError:
    INSTALLED = ""
official = pytest.mark.skipif(
    PROFILES["ud"].version != INSTALLED, reason=f"udtools {PROFILES['ud'].version} is not installed"
)
WARNING = {"ill-nested-entities-warning"}


def sources() -> list[Path]:
    """The CorefUD files among the golden ones; further ones would change what the seeds mean."""
    return [path for name in SETS for path in sorted((GOLDEN / name).glob("*.conllu"))]


def files() -> Iterator[tuple[str, str]]:
    """All that has a stored verdict: name and text."""
    for path in sources():
        text = path.read_text(encoding="utf-8")
        name = f"{path.parent.name}/{path.name}"
        yield name, text
        yield f"{name}, cleaned", cleaned(text)
    yield "rich", rich()
    yield from ((f"edited: {test}", edited(rich(), test)) for test in (*EDITS, *FURTHER))
    yield from spoiled(bases(), SPOILED)


def bases() -> list[str]:
    """What is spoiled: short cleaned files, and as often the text with everything in it."""
    short = [text for path in sources() if len(text := cleaned(path.read_text(encoding="utf-8"))) < 20_000]
    return short + [rich()] * len(short)


def ours(path: Path, text: str) -> tuple[bool, set[str]]:
    """Whether we accept a text, and the ids of all that we find."""
    path.write_bytes(text.encode())
    found = inspect(path, profile="ud")
    return not found.count("error"), set(found.counts)


# ---- agreement


def test_we_accept_what_the_official_validator_accepts_and_find_the_same_ids(tmp_path: Path) -> None:
    """Stored verdicts: of all levels, on more than 1,000 files, original and mutated."""
    stored = json.loads(VERDICTS.read_text(encoding="utf-8"))
    assert stored["udtools"] == PROFILES["ud"].version
    seen: Counter[str] = Counter()
    for name, text in files():
        accepted, ids = ours(tmp_path / "file.conllu", text)
        theirs = stored["files"][name]
        assert accepted == theirs["accepted"], name
        if not theirs["crashed"]:
            assert ids == set(theirs["ids"]), name
        seen["accepted" if accepted else "refused"] += 1
        seen.update(ids)
    assert seen.total() > 1_000
    assert seen["accepted"] > 100
    assert seen["refused"] > 500
    assert {test for test in TESTS if not seen[test]} == set()


@official
def test_the_stored_verdicts_are_those_of_the_program(tmp_path: Path) -> None:
    stored = json.loads(VERDICTS.read_text(encoding="utf-8"))["files"]
    assert dict(verdicts(tmp_path)) == stored


@official
@pytest.mark.skipif(not SHARED.is_dir(), reason="the conformance sets are not here")
def test_we_agree_with_the_program_on_every_conformance_file() -> None:
    paths = sorted((SHARED / "conformance").rglob("*.conllu"))
    assert len(paths) > 500
    for path in paths:
        verdict, found = udvalidate(path), inspect(path, profile="ud")
        assert verdict.accepted == (not found.count("error")), path
        assert verdict.crashed or verdict.ids == set(found.counts), path


@examples(300)
@given(content=mutated())
def test_no_file_whatever_is_in_it_stops_us(content: bytes, scratch: Path) -> None:
    """And where the program is installed, it says the same, unless the file is empty."""
    scratch.write_bytes(content)
    found = inspect(scratch, profile="ud")
    if PROFILES["ud"].version == INSTALLED and content:
        verdict = udvalidate(scratch)
        assert verdict.accepted == (not found.count("error"))
        assert verdict.crashed or verdict.ids == set(found.counts)


@official
def test_tags_and_relations_are_those_of_the_program() -> None:
    from udtools.data import Data

    data = Data()
    assert data.upos == PARTS_OF_SPEECH
    assert data.udeprel - {"ref"} == RELATIONS


def test_where_the_program_stops_with_a_traceback_we_refuse_the_file_with_an_id() -> None:
    crashed = [verdict for verdict in json.loads(VERDICTS.read_text())["files"].values() if verdict["crashed"]]
    assert crashed
    assert not any(verdict["accepted"] for verdict in crashed)


# ---- each test


@pytest.mark.parametrize("test", TESTS)
def test_every_test_has_a_text_that_fails_it(test: str, tmp_path: Path) -> None:
    accepted, ids = ours(tmp_path / "file.conllu", edited(rich(), test))
    assert test in ids
    assert accepted == (not any(TESTS[found].severity == "error" for found in ids))


def test_the_text_that_is_spoiled_is_accepted(tmp_path: Path) -> None:
    assert ours(tmp_path / "file.conllu", rich()) == (True, WARNING)


def test_every_way_to_spoil_a_text_changes_some_verdict() -> None:
    stored = json.loads(VERDICTS.read_text(encoding="utf-8"))["files"]
    alone = [(name.partition(" ")[2], verdict) for name, verdict in stored.items() if name[0].isdigit()]
    refused = {kind for kinds, verdict in alone if not verdict["accepted"] for kind in kinds.split(", ")}
    harmless = {"MISC in another order", "no newdoc"}
    assert {*COREFERENCE, *FORMAT} - refused <= harmless


def test_lines_are_those_of_the_fault(tmp_path: Path) -> None:
    path = tmp_path / "file.conllu"
    path.write_text(edited(rich(), "crossing-mentions-same-entity"), encoding="utf-8")
    (problem,) = [found for found in validate(path, profile="ud") if found.severity == "error"]
    assert (problem.line, problem.code, problem.name) == (14, *["crossing-mentions-same-entity"] * 2)
    assert problem.hint == "mentions of one entity are apart or nested"
    assert str(problem) == f"{path}:14: [L6 COREF {problem.code}]: mentions of 'e4' from 5 to 8 and 7 to 8 cross"


# ---- the catalogue


def test_ids_are_well_formed_and_say_which_codes_of_ours_are_alike() -> None:
    assert set(EDITS) == set(TESTS) == set(ALIKE)
    for test in TESTS.values():
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", test.code)
        assert re.fullmatch(rf"\[L[126] [A-Z]+ {test.code}\]", test.title)
        assert (test.severity == "warning") == ("WARNING" in test.title)
        assert test.meaning.endswith((".", "…", ")"))
        assert not test.hint.endswith(".")
    assert {code for codes in ALIKE.values() for code in codes} <= set(CODES)
    assert not set(TESTS) & set(CODES)


def test_an_unknown_profile_is_refused() -> None:
    with pytest.raises(OptionError, match=r"unknown profile 'udd' \(did you mean 'ud'"):
        validate("x", profile="udd")


# ---- files that the official validator cannot open, or does not look into


def test_an_empty_file_is_refused_though_the_official_validator_has_nothing_to_say(tmp_path: Path) -> None:
    assert ours(tmp_path / "file", "") == (False, {"E003"})


def test_compressed_files_are_looked_into_though_the_official_validator_stops(tmp_path: Path) -> None:
    path = tmp_path / "file.conllu.gz"
    path.write_bytes(gzip.compress(rich().encode()))
    assert set(inspect(path, profile="ud").counts) == WARNING


def test_bytes_that_are_not_utf_8(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(rich().encode().replace(b"there\t_", b"there\t\xe4"))
    assert set(inspect(path, profile="ud").counts) == WARNING | {"invalid-utf"}


def test_other_formats_fail(tmp_path: Path) -> None:
    accepted, ids = ours(tmp_path / "file", "#begin document (d); part 000\nd 0 0 Ann (1)\n\n#end document\n")
    assert (accepted, "invalid-line" in ids) == (False, True)


# ---- the command


def test_the_command_shows_ids_and_ends_as_validate_does(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = tmp_path / "good.conllu", tmp_path / "bad.conllu"
    good.write_text(rich(), encoding="utf-8")
    bad.write_text(edited(rich(), "same-span-entity-mentions"), encoding="utf-8")
    assert main(["validate", str(good), "--profile", "ud"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "[L6 WARNING ill-nested-entities-warning]: warning" in shown
    assert "corefud, 2 documents, 3 sentences, 17 words, 11 mentions in 10 entities" in shown
    assert f"|profile:ud-{PROFILES['ud'].version}" in shown
    assert main(["validate", str(good), "--profile", "ud", "--strict"]) == 1
    capsys.readouterr()
    for name in REPORTS:
        assert main(["validate", str(bad), "--profile", "ud", "--format", name]) == 1
        assert "same-span-entity-mentions" in capsys.readouterr().out.replace(r"\_", "_"), name


def test_the_json_is_what_its_schema_says(tmp_path: Path) -> None:
    schema = json.loads((SOURCE / "output" / "schemas" / "corefscope-validation-1.json").read_text(encoding="utf-8"))
    path = tmp_path / "file.conllu"
    path.write_text(edited(rich(), "same-span-entity-mentions"), encoding="utf-8")
    content = Validation([inspect(path, profile="ud")], profile="ud").to_dict()
    jsonschema.Draft202012Validator(schema).validate(content)
    assert (content["profile"], content["valid"], content["errors"]) == ("ud", False, 1)
    assert content["files"][0]["counts"] == {"ill-nested-entities-warning": 1, "same-span-entity-mentions": 1}


def verdicts(directory: Path) -> Iterator[tuple[str, dict[str, object]]]:
    """What the official validator says of every file."""
    path = directory / "file.conllu"
    for name, text in files():
        path.write_bytes(text.encode())
        verdict = udvalidate(path)
        yield name, {"accepted": verdict.accepted, "crashed": bool(verdict.crashed), "ids": sorted(verdict.ids)}


if __name__ == "__main__":
    with TemporaryDirectory() as directory:
        rows = [f"  {json.dumps(name)}: {json.dumps(verdict)}" for name, verdict in verdicts(Path(directory))]
    start, end = f'{{"udtools": {json.dumps(INSTALLED)}, "files": {{\n', "\n}}\n"
    VERDICTS.write_text(start + ",\n".join(rows) + end, encoding="utf-8")
