"""GAP: one document a row."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import corefscope
from examples import seeds
from standoff_files import WORDS, read

HEADER = "ID\tText\tPronoun\tPronoun-offset\tA\tA-offset\tA-coref\tB\tB-offset\tB-coref\tURL\n"
ROW = 'd-1\tAnn met "Eve" after she left.\tshe\t20\tAnn\t0\tTRUE\tEve\t9\tFALSE\thttp://x\n'


def put(folder: Path, text: str) -> Path:
    path = folder / "gap.tsv"
    path.write_text(text, encoding="utf-8")
    return path


def test_pronoun_and_names_are_mentions(tmp_path: Path) -> None:
    name, documents = read(put(tmp_path, HEADER + ROW + ROW.replace("d-1", "d-2").replace("TRUE", "False")))
    assert name == "gap"
    assert [document.id for document in documents] == ["d-1", "d-2"]
    spoken = [
        [["".join(document.words_of(mention)) for mention in entity] for entity in document.entities]
        for document in documents
    ]
    assert spoken == [[["Ann", "she"], ["Eve"]], [["Ann"], ["Eve"], ["she"]]]


@pytest.mark.parametrize("seed", seeds(30))
def test_what_is_written_is_read(seed: int, tmp_path: Path) -> None:
    rng = random.Random(f"gap {seed}")
    rows, wanted = [], []
    for number in range(3):
        words = rng.choices(WORDS, k=12)
        (a, b, pronoun), truth = rng.sample(range(12), 3), rng.choice((None, "A", "B"))
        cells = [f"d{number}", " ".join(words)]
        for at, name in ((pronoun, ""), (a, "A"), (b, "B")):
            cells += [
                words[at],
                str(len(" ".join(words[:at])) + bool(at)),
                *([str(truth == name).upper()] if name else []),
            ]
        rows.append("\t".join([*cells, "http://x"]))
        clusters = {"A": [{a, pronoun}, {b}], "B": [{b, pronoun}, {a}], None: [{a}, {b}, {pronoun}]}[truth]
        wanted.append({frozenset(words[at] for at in cluster) for cluster in clusters})
    _, documents = read(put(tmp_path, HEADER + "\n".join(rows) + "\n"))
    found = [
        {frozenset("".join(document.words_of(mention)) for mention in entity) for entity in document.entities}
        for document in documents
    ]
    assert found == wanted


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEADER + ROW.replace("\t20\t", "\t21\t"), ":2: Pronoun is 'she', but Text has 'he ' at 21"),
        (HEADER + ROW.replace("\t20\t", "\tx\t"), ":2: Pronoun-offset is 'x', not a number"),
        (HEADER + ROW.replace("TRUE", "yes"), ":2: A-coref is 'yes'"),
        (HEADER + 2 * ROW, ":3: document 'd-1' comes twice"),
        (HEADER + "d-1\tAnn\n", ":2: a row of 2 cells; the header has 11"),
        (HEADER.replace("B-coref", "B") + ROW, ":1: has no column 'B-coref'"),
        (HEADER, "holds no document"),
    ],
)
def test_faults_have_a_line(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(corefscope.InputError) as error:
        read(put(tmp_path, text), "gap")
    assert message in str(error.value)
