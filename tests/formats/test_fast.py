"""Readers with fast lanes find what a reading of every line finds: documents, warnings and errors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given
from hypothesis import strategies as st

from corefscope.core.document import Mention, mention_order
from corefscope.core.errors import InputError
from corefscope.core.positions import word_positions
from corefscope.formats.jsonl import spans
from corefscope.formats.jsonl.spans import DocumentFields, spans_document
from corefscope.formats.tables import reader as table
from corefscope.formats.tables import rows
from corefscope.formats.tables.reader import TableReader
from examples import examples
from readings import reading

generated = examples(500, suppress_health_check=[HealthCheck.function_scoped_fixture])


ODD = ("", " a", "a ", '"a"', '"a,b"', '"a\nb"', 'a"b', '"', "\0", "\u2028", '"a"b', "a\x0bb")


@st.composite
def tables(draw: st.DrawFn) -> str:
    """A table of cells with blanks and quotes, rows of other widths, blank lines and quoted ends of lines."""
    delimiter = draw(st.sampled_from(",;\t"))
    more = draw(st.sampled_from([["document"], [], ["document", "more"]]))
    names = draw(st.permutations([*more, "mention", "entity"]))
    usual = st.sampled_from(["a", "b", "7", "é", "x y"])
    rows_of_cells = draw(st.lists(st.lists(usual, min_size=len(names), max_size=len(names)), max_size=8))
    for _ in range(draw(st.integers(0, 2)) if rows_of_cells else 0):
        cells, others = draw(st.sampled_from(rows_of_cells)), draw(st.sampled_from(rows_of_cells))
        change = draw(st.sampled_from(["cell", "cell", "move", "row"]))
        if change == "cell" and cells:
            cells[draw(st.integers(0, len(cells) - 1))] = draw(st.sampled_from(ODD))
        elif change == "move" and cells:
            others.append(cells.pop())
        else:
            cells[:] = draw(st.sampled_from([[], [" "], ["a"]]))
    lines = [draw(st.sampled_from(["", "\n", " \n\n"])) + delimiter.join(names), *map(delimiter.join, rows_of_cells)]
    return "\n".join(lines) + draw(st.sampled_from(["", "\n", "\n\n"]))


@generated
@example("mention,entity\nb,b\n a,b\n", 1 << 14, 2)
@given(tables(), st.sampled_from([1, 9, 1 << 14]), st.sampled_from([2, 1 << 17]))
def test_tables_are_read_as_csv_reads_them(tmp_path: Path, text: str, batch: int, large: int) -> None:
    path = tmp_path / "k.csv"
    path.write_text(text, encoding="utf-8", newline="\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table, "BATCH", batch)
        patch.setattr(rows, "LARGE", large)
        fast = reading(TableReader, path)
        patch.setattr(table._CsvTable, "_unquoted", lambda *_: None)
        assert fast == reading(TableReader, path)


ODD_NUMBERS: tuple[Any, ...] = (-1, 99, 1 << 40, True, 1.0, "1", None, [1])
ODD_MENTIONS: tuple[Any, ...] = ([], [0], [0, 0, 0], [1, 0], 5, "ab", {"a": 1, "b": 2}, None)
ODD_CLUSTERS: tuple[Any, ...] = ([], 3, "ab", "", {"ab": 1}, None)


@st.composite
def span_fields(draw: st.DrawFn) -> DocumentFields:
    """A document with nothing wrong, and then perhaps one number, mention, cluster or field that is odd."""
    sentences = draw(st.lists(st.lists(st.sampled_from(["a", "b"]), max_size=4), min_size=1, max_size=5))
    exclusive = draw(st.booleans())
    number = st.integers(0, max(sum(map(len, sentences)) - 1, 0))
    mention = st.tuples(number, number).map(lambda pair: [min(pair), max(pair) + exclusive])
    clusters: Any = draw(st.lists(st.lists(mention, min_size=1, max_size=4), max_size=4))
    what = draw(st.sampled_from(["nothing", "number", "mention", "cluster", "field"]))
    if what == "field":
        clusters = draw(st.sampled_from([{}, None, "ab", {"ab": []}]))
    elif clusters and what != "nothing":
        cluster = draw(st.sampled_from(clusters))
        odd_mention = draw(st.sampled_from(cluster))
        if what == "number":
            odd_mention[draw(st.integers(0, 1))] = draw(st.sampled_from(ODD_NUMBERS))
        elif what == "mention":
            cluster[cluster.index(odd_mention)] = draw(st.sampled_from(ODD_MENTIONS))
        else:
            clusters[clusters.index(cluster)] = draw(st.sampled_from(ODD_CLUSTERS))
    return DocumentFields(sentences, clusters, exclusive=exclusive)


@generated
@given(span_fields(), st.sampled_from([2, 1000]), st.sampled_from([0, 1000]))
def test_jsonl_is_read_as_mention_by_mention(fields: DocumentFields, longest: int, many: int) -> None:
    sentences, exclusive = fields.sentences, fields.exclusive
    clusters: Any = fields.clusters
    words = [words[start : start + longest] for words in sentences for start in range(0, len(words), longest)]
    positions = [position for number, held in enumerate(words, 4) for position in word_positions(number, len(held))]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spans, "LONGEST", longest)
        patch.setattr(spans, "MANY", many)
        with pytest.raises((InputError, AssertionError)) as told:
            spans._refuse_clusters(fields, len(positions))
        if told.type is InputError:
            with pytest.raises(InputError) as raised:
                spans_document("d", fields, before=3)
            assert str(raised.value) == str(told.value)
            return
        document = spans_document("d", fields, before=3)
    entities = []
    for number, cluster in enumerate(spans.checked(clusters, 2, "clusters")):
        mentions = [Mention(positions[first : last + 1 - exclusive], positions[first]) for first, last in cluster]
        entities.append((sorted(mentions, key=mention_order), number))
    entities.sort(key=lambda entity: (mention_order(entity[0][0]), entity[1]))
    assert document.entities == tuple(tuple(mentions) for mentions, _ in entities)
    assert document.entity_ids == tuple(str(number) for _, number in entities)
    forms = [[word.partition("\t")[2] for word in sentence.words] for sentence in document.sentences]
    assert [*zip([sentence.number for sentence in document.sentences], forms, strict=True)] == [*enumerate(words, 4)]
