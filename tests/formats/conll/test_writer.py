"""CoNLL written from documents of CoNLL and other formats."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from corefscope.core.document import Document, Mention, Sentence
from corefscope.core.errors import Warnings
from corefscope.core.format import FORMATS
from corefscope.core.positions import position
from corefscope.formats.conll import writer as conll
from corefscope.formats.conll.reader import ConllReader
from corefscope.formats.corefud import writer as corefud
from corefscope.formats.corefud.reader import CorefUDReader
from corefscope.formats.detection import word_tags
from corefscope.formats.losses import Losses
from corefscope.formats.source import DocumentReader, Source
from corefscope.formats.writing import Origin

HEADER = "# global.Entity = eid-etype-head-other\n"


def origin(source_format: str, same: bool = False) -> Origin:
    """What a writer knows of a file of a format."""
    return Origin(same, partial(word_tags, FORMATS[source_format]))


def document(*spans: str, words: int = 6, name: str = "d", entity_ids: tuple[str, ...] = ()) -> Document:
    """One sentence; an entity is written ``1-2 4 5,6@6``: spans with gaps and, after ``@``, heads."""
    entities = []
    for entity in spans:
        mentions = []
        for text in entity.split():
            where, _, head = text.partition("@")
            numbers: list[int] = []
            for part in where.split(","):
                first, _, last = part.partition("-")
                numbers += range(int(first), int(last or first) + 1)
            places = tuple(position(1, number) for number in numbers)
            mentions.append(Mention(places, position(1, int(head)) if head else places[0]))
        entities.append(tuple(mentions))
    sentence = Sentence("", 1, 1, [f"{number}\tw{number}" for number in range(1, words + 1)], [], "")
    return Document(name, tuple(entities), entity_ids=entity_ids, sentences=(sentence,))


def documents(path: Path, reader: Callable[[Source, Warnings], DocumentReader]) -> list[Document]:
    source = Source.open(path)
    try:
        return list(reader(source, Warnings()))
    finally:
        source.close()


def content(found: Document) -> object:
    """What must come back."""
    words = [(sentence.number, sentence.words) for sentence in found.sentences]
    return found.id, words, found.entities


CONLL = """#begin document (nw/a_1); part 003
nw/a_1\t3\t0\tAnn\tNNP\t(TOP(S*\t-\t-\t-\tSpeaker#1\t(PERSON)\t(0)
nw/a_1\t3\t1\tsleeps\tVBZ\t*))\tsleep\t01\t1\tSpeaker#1\t*\t-

#end document
"""


def test_conll_keeps_its_columns_in_conll_and_what_fits_in_corefud(tmp_path: Path) -> None:
    path = tmp_path / "a.conll"
    path.write_text(CONLL.replace("\t", "  "), encoding="utf-8")
    (found,) = documents(path, ConllReader)
    assert list(conll.write([found], origin("conll", same=True), Losses())) == [CONLL]
    (text,) = corefud.write([found], origin("conll"), Losses())
    assert "# newdoc id = nw/a_1; part 003\n" in text
    assert "# speaker = Speaker#1\n# text = Ann sleeps\n1\tAnn\t_\t_\tNNP\t_\t0\t_\t_\tEntity=(e0--1)\n" in text


def test_conll_has_twelve_columns(tmp_path: Path) -> None:
    path = tmp_path / "a.conllu"
    body = "# speaker = Ann B.\n1\tHo\tho\tINTJ\tUH\t_\t0\troot\t_\t_\n2\tI\tI\tPRON\t_\t_\t1\tx\t_\tEntity=(e3--1)\n"
    path.write_text(f"# newdoc id = #1\n{HEADER}{body}\n", encoding="utf-8")
    (text,) = conll.write(documents(path, CorefUDReader), origin("corefud"), Losses())
    assert text == (
        "#begin document (#1)\n"
        "_1\t0\t0\tHo\tUH\t*\t-\t-\t-\tAnn_B.\t*\t-\n"
        "_1\t0\t1\tI\tPRON\t*\t-\t-\t-\tAnn_B.\t*\t(3)\n"
        "\n#end document\n"
    )


names = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n"), max_size=8) | st.sampled_from(
    ["a; part 003", "a; part 3", "a; part 0003", "(a)", "a)", "(a); part 000", "; part 000", " a ", "a;1", "#1", "()"]
)


@given(names)
def test_names_of_documents_come_back(name: str) -> None:
    """Of CoNLL all that fit on a line; of CorefUD those without blanks around them."""
    import tempfile

    found = document("1", name=name)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        path.write_text("".join(conll.write([found], origin("jsonl"), Losses())), encoding="utf-8")
        assert conll.clean_name(name) == name
        assert [content(again) for again in documents(path, ConllReader)] == [content(found)]
        found = found._replace(id=corefud.clean_name(name))
        assert found.id in (name, name.strip() or "_")
        path.write_text("".join(corefud.write([found], origin("jsonl"), Losses())), encoding="utf-8")
        assert [content(again) for again in documents(path, CorefUDReader)] == [content(found)]
