"""The bracket parser: the same problems and mentions with every sink."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefscope.core.document import Dependency
from corefscope.core.errors import InputError, Warnings
from corefscope.core.positions import position
from corefscope.formats.corefud.brackets import CHUNK, REFUSALS, WARNINGS, Brackets, Fields, ReaderSink
from corefscope.formats.corefud.brackets import CODES as PROBLEM_CODES
from corefscope.formats.corefud.checks import MESSAGES
from corefscope.formats.corefud.nodes import Nodes
from corefscope.formats.validate import CODES
from examples import examples


class Recorder:
    """A sink that keeps every report and lets the machine go on as the reader would."""

    repairs = False

    def __init__(self) -> None:
        self.reports: list[tuple[str, int]] = []

    def report(self, problem: str, position: int, **_: object) -> None:
        self.reports.append((problem, position))

    def dependencies(self, nodes: Nodes | None, head: int, whole: bool) -> tuple[Dependency, ...]:  # noqa: ARG002
        return ()


CHUNKS = [
    *("(e1-x-1-", "(e1-x-2-", "(e1-x-1-)", "e1)", "(e2-y-1-", "e2)", "(e1[1/2]-x-1-", "e1[1/2])", "(e1[2/2]-x-1-"),
    *("e1[2/2])", "(e1[1/2]-x-1-)", "(e1[2/2]-x-0-)", "(e1[2/2])", "(e1[1/1]-x-1-)", "(e1[0/2]-x-1-)", "(e1[x]-x-1-"),
    *("e1[x])", "e1-x)", "()", "(e1-x-one-)", "(e1-x-99-", "e3", "(e2[2/3]-x-1-)"),
]


@examples(500)
@given(values=st.lists(st.lists(st.sampled_from(CHUNKS), min_size=1, max_size=3), min_size=1, max_size=8))
def test_the_reader_raises_the_first_refusal_that_is_collected(values: list[list[str]]) -> None:
    """The same machine: on the fast way of the reader, and chunk by chunk with a sink that collects."""
    fields = Fields("eid-etype-head-other")
    carriers = [(position(1, number), "".join(chunks)) for number, chunks in enumerate(values, 1)]
    recorder = Recorder()
    collecting = Brackets(fields, recorder)
    collecting.enter(1, None)
    for place, value in carriers:
        for chunk in re.findall(CHUNK, value):
            collecting.read(place, chunk)
    collecting.finish()
    first = next(((problem, place) for problem, place in recorder.reports if problem in REFUSALS), None)
    reading = Brackets(fields, ReaderSink("k", lambda place: place, Warnings()))
    if first is not None:
        with pytest.raises(InputError) as raised:
            reading.feed(carriers, None)
        assert (raised.value.code, raised.value.line) == (PROBLEM_CODES.get(first[0], first[0]), first[1])
        return
    reading.feed(carriers, None)
    reading.finish()
    assert {id_: entity.members for id_, entity in reading.entities.items()} == {
        id_: entity.members for id_, entity in collecting.entities.items()
    }


def test_refusals_and_reports_have_validation_codes() -> None:
    names = {code.name for code in CODES.values()}
    assert {PROBLEM_CODES.get(problem, problem) for problem in (*REFUSALS, *WARNINGS, *MESSAGES)} <= names
    assert not REFUSALS.keys() & WARNINGS.keys()
