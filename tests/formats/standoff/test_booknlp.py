"""BookNLP: entities by their header, over the words of ``.tokens``."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import corefscope
from examples import seeds
from standoff_files import random_text, read, read_clusters, wanted_clusters, write_booknlp

TOKENS = 'sentence_ID\tword\n7\tAnn\n7\tsaid\n7\t"\n8\tshe\n8\tsleeps\n'
ENTITIES = 'cat\tCOREF\tstart_token\tend_token\ttext\nPER\t12\t0\t0\tAnn\nPER\t12\t3\t3\tshe\nVEH\t-1\t2\t3\t" she\n'
HEADER = "COREF\tstart_token\tend_token\tprop\tcat\ttext\n"


def put(folder: Path, entities: str, tokens: str = TOKENS) -> Path:
    (folder / "book.tokens").write_text(tokens, encoding="utf-8")
    path = folder / "book.entities"
    path.write_text(entities, encoding="utf-8")
    return path


def test_columns_are_found_by_name_and_quotes_are_text(tmp_path: Path) -> None:
    _, (document,) = read(put(tmp_path, ENTITIES))
    assert [[document.words_of(mention) for mention in entity] for entity in document.entities] == [
        [["Ann"], ["she"]],
        [['"', "she"]],
    ]
    assert document.entity_types == ("PER", "VEH")
    assert len(document.sentences) == 2


@pytest.mark.parametrize("seed", seeds(30))
def test_what_is_written_is_read(seed: int, tmp_path: Path) -> None:
    rng = random.Random(f"booknlp {seed}")
    document = random_text(rng)
    name, (found,) = read(write_booknlp(document, tmp_path, rng))
    assert name == "booknlp"
    assert read_clusters(found) == wanted_clusters(document)


@pytest.mark.parametrize(
    ("entities", "tokens", "message"),
    [
        (
            f"{HEADER}1\t0\t9\tNOM\tPER\tx\n",
            TOKENS,
            "book.entities:2: a mention has words 0 to 10, but there are only 5",
        ),
        (f"{HEADER}1\t2\t1\tNOM\tPER\tx\n", TOKENS, "book.entities:2: a mention has words 2 to 2, which is empty"),
        (f"{HEADER}1\tx\t1\tNOM\tPER\tx\n", TOKENS, "book.entities:2: start_token is 'x', not a number"),
        (f"{HEADER}1\t1\n", TOKENS, "book.entities:2: a row of 2 cells; the header has 6"),
        ("COREF\tstart_token\n", TOKENS, "book.entities:1: has no column 'end_token'"),
        (HEADER, "x\n", "book.tokens:1: has no column 'word'"),
    ],
)
def test_faults_have_a_line(entities: str, tokens: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(corefscope.InputError) as error:
        read(put(tmp_path, entities, tokens), "booknlp")
    assert message in str(error.value)


def test_words_without_mentions_name_the_other_file(tmp_path: Path) -> None:
    path = put(tmp_path, ENTITIES, "paragraph_ID\tsentence_ID\tword\n0\t0\tAnn\n")
    with pytest.raises(corefscope.InputError, match=r"without mentions(?s:.*)book\.entities"):
        read(tmp_path / "book.tokens")
    (tmp_path / "book.tokens").unlink()
    with pytest.raises(corefscope.InputError, match=r"there is no book\.tokens beside it"):
        read(path)
