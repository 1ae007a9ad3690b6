"""``corefscope validate``: every code has a tiny file with the problems it must give, and no others."""

from __future__ import annotations

import gzip
import io
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from corefscope import score
from corefscope.cli import main
from corefscope.core.document import Document, Mention, Sentence
from corefscope.core.errors import InputError, OptionError, Warnings
from corefscope.core.format import FORMATS, Format
from corefscope.core.positions import position
from corefscope.core.version import __version__
from corefscope.formats.corefud.brackets import REFUSALS
from corefscope.formats.source import Source
from corefscope.formats.ua.lines import REFUSALS as UA_REFUSALS
from corefscope.formats.validate import CODES, Problem, Validation, find_problems, inspect, validate
from corefscope.output.formats import REPORTS
from examples import examples
from faulty_files import CASES, ELSEWHERE, GOOD, PIECES, Expected, corefud, mutated, sentence, word, words
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE, GOLDEN, SHARED, SOURCE
from readings import refusal
from rendering import as_text

SCHEMA = SOURCE / "output" / "schemas" / "corefscope-validation-1.json"
VALIDATOR = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))


def places(problems: list[Problem]) -> Expected:
    return sorted((problem.code, problem.line) for problem in problems)


@pytest.mark.parametrize(("table", "code", "text", "expected"), CASES, ids=[f"{t}-{c}" for t, c, _, _ in CASES])
def test_a_tiny_file_for_every_code(table: str, code: str, text: str, expected: Expected, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(text.encode())
    found = validate(path, "conll" if "CoNLL" in table.split() else None)
    assert places(found) == expected
    assert code in {problem.code for problem in found}
    assert all(problem.hint and problem.message for problem in found)


def test_every_code_has_a_file() -> None:
    assert {code for _, code, _, _ in CASES} | ELSEWHERE == set(CODES)


def test_codes_are_well_formed() -> None:
    names = [code.name for code in CODES.values()]
    assert len(set(names)) == len(names)
    assert list(CODES) == [row.code for row in CODES.values()]
    for code in CODES.values():
        assert code.name == code.name.lower().replace(" ", "-")
        assert code.meaning.endswith((".", "…", "?", "]."))
        assert not code.hint.endswith(".")


# ---- hints


def named_in(hint: str) -> set[str]:
    """The entities, words and empty nodes that a hint names; versions of programs and formats are none."""
    text = re.sub(r"(CorefUD |scorer |corefud-|ua-|[Aa]naphora )[0-9.]+", "", hint)
    return set(re.findall(r"\b[em][0-9]+\b|\([0-9]+\b|\b[0-9]+\)|\b[0-9]+[.-][0-9]+\b|\b[0-9]+:\w+|Min=[0-9]+", text))


def assert_hint_agrees(message: str, hint: str) -> None:
    assert all(name.strip("()") in message for name in named_in(hint)), (message, hint)


def test_hints_name_no_entity_or_word_of_their_own() -> None:
    """They are printed below messages that name others."""
    assert named_in("write 'e4)' after word 2, as 2.1 or (3") == {"e4", "2.1", "(3"}
    ours = [code.hint for code in CODES.values()]
    readers = [hint for _, hint in (*REFUSALS.values(), *UA_REFUSALS.values())]
    assert not [hint for hint in (*ours, *readers) if named_in(hint)]


@pytest.mark.parametrize(
    ("table", "code", "text"), [case[:3] for case in CASES], ids=[f"{c[0]}-{c[1]}" for c in CASES]
)
def test_the_hint_of_every_code_agrees_with_its_message(table: str, code: str, text: str, tmp_path: Path) -> None:
    del table, code
    path = tmp_path / "file"
    path.write_text(text, encoding="utf-8", newline="")
    for problem in validate(path):
        assert_hint_agrees(problem.message, problem.hint)


@examples(300)
@given(content=mutated())
def test_hints_agree_with_messages_in_faulty_files(content: bytes, scratch: Path) -> None:
    scratch.write_bytes(content)
    for problem in validate(scratch):
        assert_hint_agrees(problem.message, problem.hint)
    if error := refusal(scratch):
        assert_hint_agrees(error.message, error.hint)


def test_problems_of_one_code_have_each_their_hint(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    path = tmp_path / "x.conllu"
    path.write_text(words(GOOD, "").replace("\n\n", "\n3\tw\t_\n4\tw\t_\n5 w _ _ _ _ _ _ _ _\n\n"), encoding="utf-8")
    assert command([str(path)]) == 1
    assert capsys.readouterr().out.splitlines()[2:-2] == [
        "  E101 wrong-columns: error (3 times)",
        "    line 6: 3 columns instead of 10",
        "    line 7: 3 columns instead of 10",
        "    hint: CoNLL-U has ten columns separated by tabs",
        "    line 8: 1 column instead of 10",
        "    hint: columns are separated by blanks: use tabs",
    ]


# ---- files that are no text, or no file


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "no such file"),
        (b"\x1f\x8bnonsense", "is damaged gzip data"),
        ("# newdoc\n".encode("utf-16"), "is UTF-16, not UTF-8"),
    ],
)
def test_what_cannot_be_opened(content: bytes | None, message: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    if content is not None:
        path.write_bytes(content)
    [problem] = validate(path)
    assert (problem.code, problem.line, problem.severity) == ("E001", 0, "error")
    assert message in problem.message
    assert str(problem).startswith(f"{path}: E001 unreadable-file: ")


def test_an_empty_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"")
    assert places(validate(path)) == [("E003", 0)]


def test_bytes_that_are_not_utf_8(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(words(GOOD, "").encode().replace(b"\tw\t", b"\t\xe4\t"))
    assert places(validate(path)) == [("E002", 4), ("E002", 5)]


def test_compressed_files_are_looked_into(tmp_path: Path) -> None:
    path = tmp_path / "file.conllu.gz"
    path.write_bytes(gzip.compress(words("(e1-x-1-").replace("\n", "\r\n").encode()))
    assert places(validate(path)) == [("E304", 4), ("W007", 1)]


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(words("e1)").encode())))
    assert [str(problem) for problem in validate("-")] == [
        "-:4: E303 closed-never-opened: 'e1)' closes what was never opened"
    ]


def test_an_unknown_format() -> None:
    with pytest.raises(OptionError, match=r"unknown format 'conl' \(did you mean 'conll'"):
        validate(EXAMPLE_KEY, "conl")


# ---- other formats: what their reader says, and checks on documents


class FakeReader:
    """Gives a document with a crossing, then refuses the rest."""

    has_heads = False

    def __init__(self, source: Source, warnings: Warnings, side: str) -> None:
        assert side == "key"
        self.source = source
        warnings.add("odd", source.name, 7, "odd")
        warnings.add("strange", source.name, 0, "strange")

    @property
    def names(self) -> list[str]:
        return ["d"]

    starts = ()

    def documents(self, start: int, stop: int) -> Iterator[Document]:
        raise NotImplementedError

    def line_of_document(self, at: int) -> int:
        return at

    def __iter__(self) -> Iterator[Document]:
        spans = [tuple(position(1, word) for word in span) for span in ((1, 2, 3), (2, 3, 4), (2, 3), (2, 3))]
        mentions = tuple(Mention(span, span[0]) for span in spans)
        text = Sentence("", 1, 5, [f"{number}\t{form}" for number, form in enumerate("abcd", 1)], [], "a b c d")
        yield Document("d", (mentions, mentions[:1]), sentences=(text,), path=self.source.name)
        raise InputError("is too long", path=self.source.name, line=3, hint="cut it")


class FakeFormat(Format):
    def matches(self, beginning: str) -> bool:
        return beginning == "fake"


def test_other_formats(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FORMATS, "fake", FakeFormat("fake", "Fake", (".fake",), f"{__name__}:FakeReader"))
    path = tmp_path / "x.fake"
    path.write_text("fake", encoding="utf-8")
    assert [(problem.code, problem.line, problem.message) for problem in validate(path)] == [
        ("W005", 0, "strange"),
        ("E004", 3, "is too long"),
        ("W401", 5, "entity 1 holds words 2 to 3 'b c' twice"),
        ("W402", 5, "entity 2 holds words 1 to 3 'a b c', as entity 1 does"),
        ("W403", 5, "entity 1 holds words 2 to 4 'b c d', which crosses words 1 to 3 'a b c'"),
        ("W005", 7, "odd"),
    ]
    assert inspect(path).tally.mentions == 5


DOCUMENT = {"doc_key": "d", "sentences": [["a", "b"], ["c"]]}


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"clusters": [[[0, 0], [2, 2]]]}, []),
        ({"clusters": [[[0, 9]]]}, [("E004", 1)]),
        ({"predicted_clusters": [[[0, 0], [2, 2]]]}, [("W005", 1)]),
        ({"clusters": [], "predicted_clusters": [[[0, 9]]]}, [("E004", 1)]),
        ({"clusters": [[[0, 0], [0, 0]]], "predicted_clusters": [[[1, 1]], [[1, 1]]]}, [("W401", 1), ("W402", 1)]),
        ({"clusters": [[[0, 9]]], "predicted_clusters": [[[0, 9]]]}, [("E004", 1), ("E004", 1)]),
        ({}, [("E004", 1)]),
    ],
)
def test_jsonlines_are_read_as_key_and_as_response(fields: object, expected: Expected, tmp_path: Path) -> None:
    assert isinstance(fields, dict)
    path = tmp_path / "x.jsonl"
    path.write_text(json.dumps(DOCUMENT | fields) + "\n", encoding="utf-8")
    assert places(validate(path)) == expected
    assert inspect(path).tally.format == "jsonl"


SPANS = st.lists(st.lists(st.integers(-1, 3), max_size=3) | st.none(), max_size=3)
CLUSTERS: st.SearchStrategy[object] = st.lists(SPANS | st.integers(), max_size=3) | st.sampled_from(
    [None, [[[0, 0], [2, 2]]], [[[1, 2]]], {}, "x"]
)
IDS = st.sampled_from([[["m1", "m2"]], [["m1"], []], {"e": ["m1", 2]}, [[None]], None, "x", [], {}])
FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "clusters": CLUSTERS | IDS,
        "predicted_clusters": CLUSTERS | IDS,
        "span_clusters": CLUSTERS,
        "coref_chains": CLUSTERS,
        "clusters_of_mine": CLUSTERS,
        "doc_key": st.sampled_from(["d", 0, None, [], "\udc00"]),
        "sentences": st.sampled_from([[["a", "b"], ["c"]], [["a", 1]], [], None, "ab"]),
        "tokens": st.sampled_from([["a", "b", "c"], ["a"], None]),
    },
)


@pytest.mark.parametrize("format_", ["jsonl", "clusters"])
@examples(400)
@given(fields=FIELDS, second=FIELDS | st.none(), whole=st.booleans())
@example(fields={"predicted_clusters": [[[0, 0], [2, 2]]]}, second=None, whole=True)
@example(fields={"predicted_clusters": [["m1", "m2"]]}, second=None, whole=False)
@example(fields={"doc_key": "d", "predicted_clusters": [["m1", "m2"]]}, second=None, whole=False)
@example(fields={"clusters": [], "predicted_clusters": [[[0, 9]]]}, second=None, whole=True)
def test_validate_refuses_what_score_refuses_on_each_side(
    format_: str, fields: dict[str, object], second: dict[str, object] | None, whole: bool, scratch: Path
) -> None:
    documents = [fields, {**second, "doc_key": "e"}] if second is not None else [fields]
    documents = [DOCUMENT | document for document in documents] if whole else documents
    scratch.write_text("\n".join(map(json.dumps, documents)) + "\n", encoding="utf-8")
    refusals = {side: refusal(scratch, format_, side) for side in ("key", "response")}
    for side, error in refusals.items():
        errors = [problem for problem in validate(scratch, format_, side=side) if problem.severity == "error"]  # type: ignore[arg-type]
        assert [problem.message for problem in errors] == ([error.message] if error else [])
    refused = [error.message for error in refusals.values() if error]
    if refused:
        with pytest.raises(InputError) as raised:
            score(scratch, scratch, key_format=format_, response_format=format_)
        assert raised.value.message in refused
    else:
        score(scratch, scratch, key_format=format_, response_format=format_)
    found = validate(scratch, format_)
    kept = {error.message for error in refusals.values() if error and error.code != "no-key"}
    assert {problem.message for problem in found if problem.severity == "error"} == kept
    if (error := refusals["key"]) and error.code == "no-key":
        assert ("W005", error.message) in [(problem.code, problem.message) for problem in found]


def test_a_side_that_does_not_exist() -> None:
    with pytest.raises(OptionError, match="unknown side 'keys'"):
        validate(EXAMPLE_KEY, side="keys")  # type: ignore[arg-type]


def test_documents_of_one_jsonlines_file_must_be_alike(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    first, second = DOCUMENT | {"clusters": [[[0, 1]]]}, DOCUMENT | {"doc_key": "e", "predicted_clusters": [[[0, 1]]]}
    path.write_text(json.dumps(first) + "\n" + json.dumps(second) + "\n", encoding="utf-8")
    assert places(validate(path)) == [("W005", 2)]
    assert places(validate(path, side="key")) == [("E004", 2)]
    assert places(validate(path, side="response")) == []


def test_ids_are_named(tmp_path: Path) -> None:
    table, clusters = tmp_path / "x.csv", tmp_path / "x.json"
    table.write_text("document,mention,entity\nd,m1,e1\nd,m1,e2\n", encoding="utf-8")
    clusters.write_text('[["m1", "m1"]]', encoding="utf-8")
    assert [problem.message for problem in validate(table)] == ["entity 'e2' holds mention 'm1', as entity 'e1' does"]
    assert [problem.message for problem in validate(clusters)] == ["entity '0' holds mention 'm1' twice"]


# ---- files that are as they should be


@pytest.mark.parametrize("path", [EXAMPLE_KEY, EXAMPLE_RESPONSE], ids=lambda path: path.name)
def test_the_examples_have_no_problems(path: Path) -> None:
    assert validate(path) == []


@pytest.mark.skipif(not (SHARED / "data").exists(), reason="the data beside the repository is not at hand")
def test_real_data() -> None:
    key, response = (inspect(SHARED / "data" / f"gum-dev.{side}.conllu") for side in ("key", "sys"))
    assert not key.counts
    assert (key.tally.documents, key.tally.mentions, key.tally.entities) == (30, 7897, 3940)
    assert set(response.counts) == {"W324"}


def test_golden_files_are_readable() -> None:
    """What scorers were run on is no nonsense: at most the brackets of one entity are in a wrong order."""
    for path in [*GOLDEN.glob("corefud/*.conllu"), *GOLDEN.glob("conll/*.conll")]:
        errors = {code for code in inspect(path).counts if CODES[code].severity == "error"}
        assert errors <= {"E310", "E319"}, path


# ---- the reader has the last word


@examples(400)
@given(content=mutated())
@example(content=words("(e1[1/1]-x-1-)", "", "(e1[1/2]-x-1-)", "", "(e1[2/2]-x-1-)").encode())
@example(content=words("(e1[1/2]-x-1-", "(e1-x-1-", "e1[2/2])", "e1)").encode())
@example(content=b"#begin document (d); part " + b"9" * 5000 + b"\nd\t0\t0\tw\t-\t-\n\n#end document\n")
@example(content=b"# x" + b"\t" * 9 + b"\n1\tEntity\n\n")
def test_what_the_reader_refuses_is_an_error(content: bytes, scratch: Path) -> None:
    """And the tolerant reading finds it by itself: the reader never has to be asked."""
    scratch.write_bytes(content)
    inspection = inspect(scratch)
    errors = [problem for problem in inspection.problems if problem.severity == "error"]
    if not errors:
        assert not refusal(scratch)
    if FORMATS[inspection.tally.format].tolerant:  # a mutation may make it look like another format
        assert not [problem for problem in errors if problem.code == "E004" and "too long" not in problem.message]


@examples(400)
@given(content=mutated())
@example(content=words("(e1[1/2]-x-1-", "e1[1/2])", "(e1[2/2]-x-9-", "e1[2/2])").encode())
@example(content=words("(e1[3/2]-x-1-)", "e9)").encode())
@example(content=words("(e1-x-1-", "e1-x)").encode())
def test_what_stops_the_reader_has_its_code_and_line(content: bytes, scratch: Path) -> None:
    """Validation notes the same problem in the same line, whatever else it finds."""
    scratch.write_bytes(content)
    error = refusal(scratch, "corefud")
    if error is None:
        return
    problems = {(problem.name, problem.line) for problem in validate(scratch, "corefud")}
    names = {name for name, _ in problems}
    if "part-closed-otherwise" in names:  # validation closes what was meant, the reader what was opened last
        return
    if error.code == "bad-zero-deps":  # noted where the mention ends
        assert error.code in names
    else:
        assert (error.code, error.line) in problems


@examples(100)
@given(pieces=st.lists(st.sampled_from(PIECES) | st.text(max_size=4), max_size=30), noise=st.binary(max_size=40))
@pytest.mark.parametrize("format_", [None, *FORMATS])
def test_any_bytes_give_problems_and_never_a_traceback(
    format_: str | None, pieces: list[str], noise: bytes, scratch: Path
) -> None:
    scratch.write_bytes("".join(pieces).encode("utf-8", errors="surrogatepass") + noise)
    found = inspect(scratch, format_)
    VALIDATOR.validate(json.loads(REPORTS["json"].render(Validation([found]))))
    assert "\x00" not in as_text(Validation([found]))
    if not found.count("error"):
        assert not refusal(scratch, format_)


def test_hostile_nesting_takes_no_time(tmp_path: Path) -> None:
    """Thousands of brackets on one word, of one entity, and thousands of parts that never end."""
    path = tmp_path / "file"
    many = 5000
    path.write_text(
        words(
            "(e1-x-1-" * (many + 1) + "(e3[1/2]-x-1-" * many,
            "e1)" * many + "e3)" * many,
            "(e2[1/2]-x-1-)" * many,
            "(e2[2/2]-x-1-)" * many,
        ),
        encoding="utf-8",
    )
    counts = inspect(path).counts
    assert {code: counts[code] for code in ("E304", "E314", "E316", "E319")} == {
        "E304": 1,
        "E314": many,
        "E316": many - 1,
        "E319": many,
    }


# ---- what is shown


def command(arguments: list[str]) -> int:
    return main(["validate", *arguments])


def test_text_is_grouped_by_file_and_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    bad, good = tmp_path / "bad", tmp_path / "good"
    bad.write_text(words("(e1-y-1-)", GOOD, GOOD, GOOD, "e2)"), encoding="utf-8")
    good.write_text(words(GOOD), encoding="utf-8")
    assert command([str(bad), str(good), "--limit", "2"]) == 1
    assert capsys.readouterr().out == (
        f"{bad}: 1 error, 3 warnings; corefud, 1 document, 1 sentence, 5 words, 4 mentions in 1 entity"
        " (0 singletons)\n"
        "\n"
        "  E303 closed-never-opened: error\n"
        "    line 8: 'e2)' closes what was never opened\n"
        "    hint: write the bracket that opens it, (ID…, on its first word\n"
        "\n"
        "  W324 type-changes: warning (3 times)\n"
        "    line 5: 'e1' is 'x' here but was 'y'\n"
        "    line 6: 'e1' is 'x' here but was 'y'\n"
        "    and 1 more\n"
        "    hint: the mentions of an entity have one type\n"
        "\n"
        f"{good}: no problems; corefud, 1 document, 1 sentence, 1 word, 1 mention in 1 entity (1 singleton)\n"
        "\n"
        "2 files: 1 error, 3 warnings\n"
        "\n"
        f"corefscope|v{__version__}\n"
    )


def test_many_codes_fit_one_screen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "bad"
    faults = [["(e1-y-1-)"], ["e2)"], ["(-x-1-)"], ["(e3-x-9-)"]]
    lines = {}
    for number in range(1, len(faults) + 1):
        bad.write_text(words(GOOD, *(word for fault in faults[:number] for word in fault * 9)), encoding="utf-8")
        assert command([str(bad)]) == (number > 1)
        lines[number] = capsys.readouterr().out.splitlines()
        assert len(lines[number]) <= 40
    assert sum(line.startswith("    line ") for line in lines[1]) == 5
    assert sum(line.startswith("    line ") for line in lines[4]) < 10
    command([str(bad), "--limit", "5"])
    assert len(capsys.readouterr().out.splitlines()) > len(lines[4])


def test_exit_codes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    odd, good = tmp_path / "odd", tmp_path / "good"
    odd.write_text(words(GOOD, "(e1-y-1-)"), encoding="utf-8")
    good.write_text(words(GOOD), encoding="utf-8")
    assert command([str(good), "--strict"]) == 0
    assert command([str(odd)]) == 0
    assert command([str(odd), "--strict", "--limit", "0"]) == 1
    assert "1 error; corefud" in " ".join(capsys.readouterr().out.split())
    assert command([str(good), str(tmp_path / "none")]) == 1
    assert command([str(good), "--file-format", "conll"]) == 1
    with pytest.raises(SystemExit) as usage:
        command([str(good), "--limit", "-1"])
    assert usage.value.code == 2


@pytest.mark.parametrize("strict", [False, True])
def test_json_follows_its_schema(strict: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "file"
    path.write_text(words("(e1-y-1-)", *[GOOD] * 7, "e2)"), encoding="utf-8")
    arguments = [str(path), str(tmp_path / "none"), "--format", "json"]
    assert command(arguments + ["--strict"] * strict) == 1
    content = json.loads(capsys.readouterr().out)
    VALIDATOR.validate(content)
    assert (content["errors"], content["warnings"]) == ((9, 0) if strict else (2, 7))
    assert [file["valid"] for file in content["files"]] == [False, False]
    assert content["files"][0]["counts"] == {"E303": 1, "W324": 7}
    assert len(content["files"][0]["problems"]) == 8
    assert content["files"][1]["format"] is None


def test_the_whole_file_has_no_line(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text(words(""), encoding="utf-8")
    found = inspect(path)
    assert Validation([found]).to_dict()["files"][0]["problems"][0]["line"] is None
    assert "    whole file: the file holds no mention\n" in as_text(Validation([found]))


def test_text_of_files_is_made_harmless(tmp_path: Path) -> None:
    path = tmp_path / "\x1b[31mred"
    path.write_text(words(GOOD, "\x1b]0;title\x07)", "e" * 100000 + ")"), encoding="utf-8")
    shown = as_text(Validation([inspect(path)]))
    assert "\x1b" not in shown
    assert "\x07" not in shown
    assert max(map(len, shown.splitlines())) < 1000


def test_colours(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text(words("e2)"), encoding="utf-8")
    assert "\x1b[1mE303 closed-never-opened\x1b[0m: error" in as_text(Validation([inspect(path)]), colour=True)


# ---- the interface


def test_problems_come_as_they_are_found(tmp_path: Path) -> None:
    """The first document is reported before the second is read."""
    path = tmp_path / "file"
    second = corefud(sentence(word(1, "e2)"), id_="s2"), id_="e")
    path.write_text(words(GOOD, "e1)") + second, encoding="utf-8")
    found = find_problems(path)
    assert next(found).line == 5
    assert next(found).line == 10


def test_only_so_many_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text(words(*["e1)"] * 9), encoding="utf-8")
    found = inspect(path, keep=3)
    assert [problem.line for problem in found.problems] == [4, 5, 6]
    assert found.counts == {"E303": 9}


def test_mentions_inside_each_other_are_compared_by_their_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To list the words of each would take hours for a file of a megabyte."""
    size = 30
    opened = [f"{n}\ta\t_\t_\t_\t_\t_\t_\t_\tEntity=(e1-x-1-" for n in range(1, size + 1)]
    closed = [f"{n}\ta\t_\t_\t_\t_\t_\t_\t_\tEntity=e1)" for n in range(size + 1, 2 * size + 1)]
    path = tmp_path / "nested.conllu"
    head = ["# newdoc id = d", "# global.Entity = eid-etype-head-other", "# sent_id = s"]
    path.write_text("\n".join([*head, *opened, *closed, "", ""]), encoding="utf-8")

    def listed(_: Mention) -> tuple[int, ...]:
        raise AssertionError("the words of a mention were listed")

    monkeypatch.setattr(Mention, "positions", property(listed))
    assert not [problem for problem in validate(path) if problem.code.startswith("E")]


def test_a_directory_is_all_of_its_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of many files, problems are shown by code."""
    text = Path(EXAMPLE_RESPONSE).read_text(encoding="utf-8")
    (tmp_path / "deep").mkdir()
    for number in range(25):
        (tmp_path / "deep" / f"{number:02}.conllu").write_text(text if number % 5 else "", encoding="utf-8")
    problems = validate(tmp_path)
    assert problems == [problem for path in sorted(tmp_path.rglob("*.conllu")) for problem in validate(path)]
    assert main(["validate", str(tmp_path)]) == 1
    out = capsys.readouterr().out
    assert "no-sentence: error (5 times in 5 files)" in out
    assert out.count("is empty") == 5
    assert "25 files: 5 errors" in out
    assert main(["validate", str(tmp_path / "*" / "01.conllu")]) == 0
