"""Whatever a model does to a text that leaves a tag: it is read, and every tag is accounted for."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefscope.core.document import Document
from corefscope.core.errors import InputError, Warnings
from corefscope.formats.convert import convert
from corefscope.formats.corpus import Corpus
from corefscope.formats.detection import UNCLOSED, ReadingOptions, open_reader
from corefscope.llm.copies import lex_over
from corefscope.llm.copy_report import DROPPED, FATES, REASONS, CopyReport, merge_reports
from corefscope.llm.lexer import clean
from corefscope.llm.options import PrintedOptions
from corefscope.llm.styles import STYLES
from examples import examples
from printing import CLOSES, UNCLEAR, Made, Span, conllu, made, miscopied, printed, spoilt

TAGGED = ["crac", *CLOSES]


def _read(folder: Path, documents: list[Made], text: str, **options: str) -> tuple[list[Document], CopyReport]:
    key, response = folder / "key.conllu", folder / "out.txt"
    key.write_text(conllu(documents), encoding="utf-8")
    response.write_text(text or " ", encoding="utf-8")
    corpus = Corpus(key, response, Warnings(), None, "tagged", reading=ReadingOptions(PrintedOptions.of(options)))
    pairs = list(corpus)
    return [pair.response for pair in pairs], merge_reports(corpus.inputs[1].copy_reports)


def _clusters(document: Document) -> set[frozenset[Span]]:
    places = {place: n for n, place in enumerate(place for each in document.sentences for place in each.positions)}
    return {frozenset((places[m.first], places[m.last]) for m in entity) for entity in document.entities}


def _clear(document: Made, style: str) -> bool:
    return not any(sign in word for word in document.words for sign in UNCLEAR[style])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("printed")


@pytest.mark.parametrize("style", TAGGED)
@examples(60)
@given(seed=st.integers(0, 10**6))
def test_a_faithful_copy_is_read_as_it_was_meant(style: str, seed: int, folder: Path) -> None:
    random = Random(seed)
    documents = [document for document in (made(random, rare=True) for _ in range(3)) if _clear(document, style)]
    if documents and any(document.entities for document in documents):
        text = "\n".join(printed(document.words, document.spans, style) for document in documents)
        read, account = _read(folder, documents, text)
        assert [_clusters(document) for document in read] == [document.clusters() for document in documents]
        assert account.tags == {("placed", ""): 2 * sum(len(document.spans) for document in documents)}


@pytest.mark.parametrize("style", TAGGED)
@examples(60)
@given(seed=st.integers(0, 10**6), unclosed=st.sampled_from(list(UNCLOSED)))
def test_no_tag_is_lost_uncounted_whatever_was_copied_wrong(
    style: str, seed: int, unclosed: str, folder: Path
) -> None:
    random = Random(seed)
    documents = [made(random, rare=random.random() < 0.5) for _ in range(random.randint(1, 3))]
    lines = [
        printed(miscopied(document.words, random, random.random()), document.spans, style) for document in documents
    ]
    text = "\n".join(spoilt(line, random) for line in lines)
    whole = "\n".join(filter(str.strip, clean(text).split("\n")))
    tagged = lex_over(STYLES[style], whole, [word for document in documents for word in document.words])
    try:
        read, account = _read(folder, documents, text, unclosed=unclosed, style=style)
    except InputError as error:
        if error.code != "no-tags" or any(span.id for span in tagged.spans):
            raise
        return
    if len(documents) == 1:  # else what is a tag depends on which lines are which document
        assert sum(account.tags.values()) == tagged.tags
    for (fate, reason), count in account.tags.items():
        assert count >= 0
        assert fate in FATES
        assert (reason in REASONS) == (fate == DROPPED)
    assert [document.id for document in read] == [f"d{number}" for number in range(1, len(documents) + 1)]
    assert not (unclosed == "drop" and any(fate == "repaired" for fate, _ in account.tags))
    for document in read:
        for entity in document.entities:
            assert len(set(entity)) == len(entity)


@examples(100)
@given(seed=st.integers(0, 10**6))
def test_what_is_written_as_corefud_is_what_was_read(seed: int, folder: Path) -> None:
    random = Random(seed)
    documents = [made(random, rare=True) for _ in range(random.randint(1, 3))]
    lines = [printed(miscopied(document.words, random, 0.2), document.spans, "crac") for document in documents]
    try:
        read, _ = _read(folder, documents, "\n".join(spoilt(line, random) for line in lines))
    except InputError as error:
        if error.code != "no-tags":
            raise
        return
    key, text, out = (str(folder / name) for name in ("key.conllu", "out.txt", "out.conllu"))
    convert(text, out, from_format="tagged", skeleton=key, lossy=True)
    _, reader = open_reader(out, None, Warnings())
    again = list(reader)
    reader.source.close()
    for one, other in zip(read, again, strict=True):
        assert {m.positions for e in other.entities for m in e} <= {m.positions for e in one.entities for m in e}
    without = [_stripped(line) for line in Path(key).read_text(encoding="utf-8").split("\n")]
    kept = [_stripped(line) for line in Path(out).read_text(encoding="utf-8").split("\n") if not _is_new(line)]
    assert "\n".join(kept).strip() == "\n".join(without).strip()


def _is_new(line: str) -> bool:
    return "." in line.partition("\t")[0] and not line.startswith("#")


def _stripped(line: str) -> str:
    """A line without its coreference."""
    before, tab, misc = line.rpartition("\t")
    return before + tab + "|".join(item for item in misc.split("|") if not item.startswith("Entity="))
