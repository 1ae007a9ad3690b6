"""Broken files: whatever bytes there are, a reader gives documents or one of our own errors, and soon.

Every format is given its own files, broken, those of the other formats, and bytes at random; each is read as that
format whatever it looks like, on either side, and then scored as what it is taken for.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefscope
from corefscope.core.errors import Warnings
from corefscope.core.format import FORMATS
from corefscope.formats.detection import open_reader
from corefscope.formats.writers import WRITERS
from examples import examples, seeds
from fuzz import calling, checks
from fuzz.calling import run_call
from fuzz.calls import PROGRAMS, Call, draw_call, reading_commands
from fuzz.counts import mentions
from fuzz.minimise import minimised
from fuzz.mutators import ANYWHERE, PIECES, broken
from fuzz.running import CALLS, Input, draw, make, run
from fuzz.seeds import ALONE, whole, wrapped
from standoff_files import put_companions


def _read(path: Path, format_: str | None) -> int:
    """Read a file to its end on both sides, whatever it is; how many documents there were."""
    documents = 0
    for side in ("key", "response"):
        with suppress(corefscope.CorefscopeError):
            _, reader = open_reader(path, format_, Warnings(), side)
            try:
                for at, document in enumerate(reader):
                    assert document.id == reader.names[at]
                    assert reader.line_of_document(at) >= 0
                    documents += 1
            finally:
                reader.source.close()
    return documents


@pytest.mark.parametrize("seed", seeds(6))
@pytest.mark.parametrize("format_", ALONE)
def test_only_our_own_errors(format_: str, seed: int, tmp_path: Path) -> None:
    """100 broken files of every format and seed: as what they were, on either side, and against themselves."""
    rng = random.Random(f"{format_} {seed}")
    suffix = (*FORMATS[format_].suffixes, "")[0]
    good, bad = tmp_path / f"good{suffix}", tmp_path / f"bad{suffix}"
    scored = read = 0
    for path in (good, bad):
        put_companions(path, format_)
    for _ in range(100):
        text = whole(format_, rng)
        good.write_bytes(text)
        bad.write_bytes(broken(rng, text, format_))
        read += _read(bad, format_)
        for key, response in ((good, bad), (bad, good), (bad, bad)):
            options: dict[str, Any] = {
                "rules": rng.choice(list(corefscope.RULES)),
                "match": rng.choice(("head", "exact", "partial")),
            }
            if rng.random() < 0.2:
                options["documents"] = "merge"
            with suppress(corefscope.CorefscopeError):
                corefscope.score(key, response, metrics="all", **options)
                scored += 1
    assert scored
    assert read
    assert scored < 300


@pytest.mark.parametrize("format_", ALONE)
def test_files_of_other_formats(format_: str, tmp_path: Path) -> None:
    """Every format is given the files of all others, whole and broken."""
    rng = random.Random(format_)
    path = tmp_path / "other"
    put_companions(path, format_)
    for other in ALONE:
        for _ in range(20):
            text = whole(other, rng)
            for data in (text, broken(rng, text, format_)):
                path.write_bytes(data)
                _read(path, format_)


BYTES = st.one_of(
    st.binary(max_size=80),
    st.text('{}[]",:0123456789.eE-\\uNtrfalsn \t\n#()|_', max_size=80).map(str.encode),
    st.lists(st.sampled_from(sorted({*sum(PIECES.values(), ANYWHERE)}, key=repr)), max_size=12).map(b"".join),
)


@examples(300)
@given(data=BYTES)
@pytest.mark.parametrize("format_", FORMATS)
def test_any_bytes(format_: str, data: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Read as this format, and scored as whatever it looks like."""
    path = tmp_path_factory.getbasetemp() / f"any-{format_}"
    path.write_bytes(data)
    _read(path, format_)
    with suppress(corefscope.CorefscopeError):
        corefscope.score(path, path, metrics="conll", key_format=format_)
    with suppress(corefscope.CorefscopeError):
        corefscope.score(path, path, metrics="conll")


def test_what_must_hold_for_broken_files_holds_for_a_few(tmp_path: Path) -> None:
    """The first files of ``make fuzz``."""
    for index in range(600):
        assert run(make(0, index), tmp_path).failures == {}, f"--seed 0 --start {index} --inputs 1"


def test_what_must_hold_for_calls_holds_for_a_few(tmp_path: Path) -> None:
    """The first calls of ``make fuzz --kind calls``."""
    for index in range(400):
        assert run(draw(0, index, (CALLS,)), tmp_path).failures == {}, f"--kind calls --start {index} --inputs 1"


def test_calls_are_of_every_command_that_reads_files_and_the_same_for_a_seed() -> None:
    drawn = [draw_call(random.Random(seed)) for seed in range(600)]
    assert {call.command for call in drawn} == {*reading_commands(), *PROGRAMS} - {"corefscope"}
    assert {call.formats for call in drawn} == {*ALONE, "tagged"}
    assert drawn[:20] == [draw_call(random.Random(seed)) for seed in range(20)]


def test_the_checks_of_calls_can_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def kinds(program: Callable[[list[str]], int], *words: str) -> set[str]:
        monkeypatch.setitem(PROGRAMS, "corefscope", program)
        call = Call("corefscope", (("score",), *((word,) for word in words)), {}, {}, "corefud")
        return {*run_call(call, tmp_path).failures}

    def prints(text: str, code: int = 0) -> Callable[[list[str]], int]:
        return lambda _: print(text) or code

    def leaves(_: list[str]) -> int:
        Path("out", "x").write_text("x", encoding="utf-8")
        return 1

    def forever(_: list[str]) -> int:
        while True:
            pass

    assert not kinds(prints("fine"))
    assert kinds(prints("", 4)) == {"score ends with exit code 4"}
    assert kinds(prints("fine", 3)) == {"score ends with exit code 3"}
    assert kinds(prints("\x1b[31m")) == {"control characters in standard output of score --format text"}
    assert kinds(prints("NaN"), "--format", "json") == {"score --format json prints what is no JSON"}
    assert kinds(lambda _: 1) == {"score fails without a message"}
    assert kinds(leaves) == {"score leaves files with exit code 1"}
    assert len(kinds(lambda _: dict[str, int]()["x"])) == 1
    monkeypatch.setattr(calling, "LONGEST", 0.05)
    assert kinds(forever) == {"score takes more than 0 s"}


@pytest.mark.parametrize("format_", ALONE)
def test_the_independent_count_counts(format_: str, tmp_path: Path) -> None:
    rng = random.Random(format_)
    path = tmp_path / "good"
    put_companions(path, format_)
    counted = 0
    for _ in range(20):
        path.write_bytes(wrapped(whole(format_, rng), rng))
        with suppress(corefscope.CorefscopeError):
            _, reader = open_reader(path, format_, Warnings())
            read = sum(len(entity) for document in reader for entity in document.entities)
            reader.source.close()
            counted += mentions(path.read_bytes(), format_) == read > 0
    assert counted > 5


def test_the_checks_of_make_fuzz_can_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def kinds(further: str = "", data: bytes = b"#begin document d\na (1)\nb (1)\n") -> set[str]:
        good = Input(data, "conll", "conll", data, further)
        return {re.sub(" from .*", "", kind) for kind in run(good, tmp_path).failures}

    def forever(*_: object, **__: object) -> None:
        while True:
            pass

    assert not kinds()
    with monkeypatch.context() as patch:
        patch.setattr("fuzz.counts.mentions", lambda *_: 1)
        assert kinds() == {"conll, count: not what there is"}
    with monkeypatch.context() as patch:
        patch.setattr(checks, "LONGEST", 0.05)
        patch.setattr(checks, "unsaid", forever)
        assert kinds() == {"conll, validate and score: takes more than 0 s"}
    with monkeypatch.context() as patch:
        patch.setitem(checks.DROP_INS, "conll", lambda _: 3)
        assert kinds() == {"conll, drop-in: exit code 3"}
    for further in checks.FURTHER:
        with monkeypatch.context() as patch:
            patch.setitem(checks.FURTHER, further, lambda *_: "goes wrong: a case")
            assert kinds(further) == {f"conll, {further}: goes wrong"}
    with monkeypatch.context() as patch:
        row = WRITERS["conll"]
        patch.setitem(WRITERS, "conll", row._replace(steps=()))
        touching = b"#begin document d\na (1\nb 1)|(1\nc 1)\n"
        assert kinds(data=touching) == {"conll, convert to conll: can be read in two ways"}
    with monkeypatch.context() as patch:
        patch.setattr("corefscope.formats.conll.reader.ConllReader.__iter__", lambda _: dict[str, int]()["x"])
        assert "conll, read: KeyError" in kinds()


def test_what_fails_is_made_short() -> None:
    assert minimised(b"a\nbc\nd(e\n" * 9, lambda data: b"(" in data) == b"("
