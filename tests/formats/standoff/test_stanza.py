"""Stanza's CoNLL-U: chains in MISC, beside what CoNLL-U may have, and what is wrong with files."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import corefscope
from corefscope.cli import main
from corefscope.core.errors import Warnings
from corefscope.formats.detection import GLANCE, open_reader
from examples import seeds
from standoff_files import random_text, read, read_clusters, wanted_clusters, within_sentences, write_stanza


def row(number: object, word: str, misc: str = "_", head: int = 0) -> str:
    return f"{number}\t{word}\t_\tX\t_\t_\t{head}\tdep\t_\t{misc}\n"


START = "# text = Ann likes her dog\n# sent_id = 0\n"
ROWS = (
    row(1, "Ann", "start_char=0|end_char=3|coref_chains=unit-repr-id0", 2)
    + row(2, "likes", "start_char=4|end_char=9")
    + row(3, "her", "start_char=10|coref_chains=unit-id0,start-repr-id1|ner=O", 4)
    + row(4, "dog", "coref_chains=end-repr-id1", 2)
    + "\n"
)
WANTED = [["Ann", "her"], ["her dog"]]
HEADER = "# global.Entity = eid-etype-head\n"
BOTH = HEADER + START + ROWS.replace("start_char=4", "Entity=(e9-x-1)|Bridge=e1<e9|start_char=4")


def put(folder: Path, text: str, name: str = "walk.conllu") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def spoken(path: Path, format_: str = "stanza", named: str | None = None) -> list[list[list[str]]]:
    name, documents = read(path, named)
    assert name == format_
    return [
        [[" ".join(document.words_of(mention)) for mention in entity] for entity in document.entities]
        for document in documents
    ]


def refusal(path: Path) -> str:
    with pytest.raises(corefscope.InputError) as error:
        read(path, "stanza")
    return str(error.value)


def test_tags_are_mentions(tmp_path: Path) -> None:
    assert spoken(put(tmp_path, START + ROWS)) == [WANTED]
    assert spoken(put(tmp_path, ROWS)) == [WANTED]
    assert spoken(put(tmp_path, START + ROWS.rstrip("\n"), "walk")) == [WANTED]


def test_tags_of_a_word_come_in_any_order(tmp_path: Path) -> None:
    text = row(1, "a", "coref_chains=start-id0") + row(2, "b", "coref_chains=start-id1,end-id0,unit-id0")
    text += row(3, "c", "coref_chains=middle-id1") + row(4, "d", "coref_chains=end-id1") + "\n"
    assert spoken(put(tmp_path, text)) == [[["a b", "b"], ["b c d"]]]


def test_chains_are_numbered_by_document(tmp_path: Path) -> None:
    text = "".join(f"# newdoc id = {name}\n" + START + ROWS for name in "ab")
    path = put(tmp_path, text)
    assert spoken(path) == [WANTED, WANTED]
    report = corefscope.score(path, path, metrics="muc")
    assert report["muc"].f1 == 1
    assert not any("document" in str(warning) for warning in report.warnings)


def test_multiword_tokens_and_empty_nodes(tmp_path: Path) -> None:
    rows = ROWS.replace("2\tlikes", "2-3\tlikesher" + "\t_" * 7 + "\tcoref_chains=unit-id7\n2\tlikes")
    rows = rows.replace("\n4\tdog", "\n3.1\t_" + "\t_" * 6 + "\t4:x\tcoref_chains=unit-id0\n4\tdog")
    assert spoken(put(tmp_path, START + rows)) == [[["Ann", "her", "_"], ["her _ dog"]]]


def test_the_first_tags_may_come_late(tmp_path: Path) -> None:
    before = "".join(f"# sent_id = s{number}\n{row(1, 'x' * 60)}\n" for number in range(GLANCE // 60))
    path = put(tmp_path, before + START + ROWS)
    assert path.read_text(encoding="utf-8").index("coref_chains") > GLANCE
    assert spoken(path) == [WANTED]
    assert spoken(put(tmp_path, f"# text = {'x' * 2 * GLANCE}\n" + ROWS, "late.conllu")) == [WANTED]


def test_beside_corefud_it_is_corefud_that_counts(tmp_path: Path) -> None:
    path = put(tmp_path, BOTH)
    assert spoken(path, "corefud") == [[["likes"]]]
    warnings = Warnings()
    open_reader(path, None, warnings)[1].source.close()
    assert "coref_chains= of Stanza beside Entity= of CorefUD: Entity is read" in str(*warnings)
    assert spoken(path, "stanza", "stanza") == [WANTED]
    late = "".join(f"# sent_id = s{number}\n{row(1, 'x' * 60)}\n" for number in range(GLANCE // 60))
    assert read(put(tmp_path, late + BOTH))[0] == "corefud"


def test_plain_conllu_is_still_corefud(tmp_path: Path) -> None:
    text = START + ROWS.replace("coref_chains", "other_chains")
    assert read(put(tmp_path, text))[0] == "corefud"


def test_heads_are_those_of_trees_if_asked(tmp_path: Path) -> None:
    path = put(tmp_path, START + ROWS)
    report = corefscope.score(path, path, heads="tree", match="head", metrics="muc")
    assert report["muc"].f1 == 1
    assert "heads:tree" in report.signature


def test_it_can_be_read_again(tmp_path: Path) -> None:
    """As the skeleton of printed text is."""
    path = put(tmp_path, START + ROWS)
    _, reader = open_reader(path, None, Warnings())
    again: Any = type(reader)
    assert [document.entity_ids for document in again(reader.source, Warnings(), "key")] == [("id0", "id1")]
    reader.source.close()
    printed = put(tmp_path, "Ann|[e1] likes her|[e2,[e1] dog|e2]\n", "printed.txt")
    report = corefscope.score(path, printed, match="exact", singletons="keep")
    assert report.signature.startswith("stanza+tagged|")
    assert report["conll"].f1 == 1


def test_the_commands_that_take_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, converted = put(tmp_path, START + ROWS), tmp_path / "converted"
    assert main(["validate", str(path)]) == 0
    assert main(["stats", str(path)]) == 0
    for target, name in (("jsonl", ".jsonl"), ("corefud", ".conllu"), ("conll", ".conll")):
        output = converted.with_suffix(name)
        assert main(["convert", str(path), str(output), "--to", target, "--lossy"]) == 0
        assert spoken(output, target) == [WANTED]
    capsys.readouterr()


def test_digests_are_those_of_the_file(tmp_path: Path) -> None:
    from hashlib import sha256

    path = put(tmp_path, START + ROWS)
    _, reader = open_reader(path, None, Warnings())
    assert reader.source.digest() == sha256(path.read_bytes()).hexdigest()
    reader.source.close()
    assert reader.source.file.closed


@pytest.mark.parametrize("seed", seeds(60))
def test_what_is_written_is_read(seed: int, tmp_path: Path) -> None:
    rng = random.Random(f"stanza {seed}")
    document = within_sentences(random_text(rng, nested=True))
    name, (found,) = read(write_stanza(document, tmp_path, rng))
    assert name == "stanza"
    assert read_clusters(found) == wanted_clusters(document)


FAULTS = [
    ("unit-id0,start", "unit-id0,begin", ":5: 'coref_chains=unit-id0,begin-repr-id1' are no tags of chains"),
    ("unit-repr-id0", "", ":3: 'coref_chains=' are no tags of chains"),
    ("unit-repr-id0", "unit-repr-id٣", ":3: 'coref_chains=unit-repr-id"),
    ("end-repr-id1", "end-repr-id7", ":6: entity 'id7' is closed but was never opened"),
    ("\tdep\t_\tstart_char=4", "\tstart_char=4", ":4: 8 columns instead of 10"),
]


@pytest.mark.parametrize(("old", "new", "message"), FAULTS)
@pytest.mark.parametrize("start", [START, "# newdoc id = a\n# sent_id = 0\n"])
def test_faults_have_the_line_of_the_file(old: str, new: str, message: str, start: str, tmp_path: Path) -> None:
    assert message in refusal(put(tmp_path, start + ROWS.replace(old, new)))


def test_what_can_be_read_in_spite_of_a_fault_is_a_warning(tmp_path: Path) -> None:
    open_end = put(tmp_path, START + ROWS.replace("coref_chains=end-repr-id1", "_"))
    warnings = Warnings()
    _, reader = open_reader(open_end, None, warnings)
    assert [len(document.entities) for document in reader] == [1]
    reader.source.close()
    assert ":5: mention of 'id1' is never closed: ignored" in str(*warnings)


def test_lines_count_without_comments_too(tmp_path: Path) -> None:
    assert ":4: entity 'id7' is closed" in refusal(put(tmp_path, ROWS.replace("end-repr-id1", "end-repr-id7")))


HOSTILE = {
    "tags": ROWS.replace("end-repr-id1", ",".join(["end-id1"] * 60_000)),
    "starts": ROWS.replace("end-repr-id1", ",".join(["start-id1"] * 60_000)),
    "attributes": ROWS.replace("\tcoref_chains=end", "\t" + "|coref_chains=" * 60_000 + "coref_chains=end"),
    "units": ROWS.replace("end-repr-id1", ",".join(f"unit-id{at}" for at in range(20_000))),
    "number": ROWS.replace("end-repr-id1", "end-id" + "9" * 500_000),
    "tabs": ROWS.replace("\tcoref_chains=end", "\tcoref_chains=end" + "\t" * 500_000),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_files_end_soon(case: str, tmp_path: Path) -> None:
    path = put(tmp_path, HOSTILE[case])
    start = time.process_time()
    with suppress(corefscope.InputError):
        read(path, "stanza")
    assert time.process_time() - start < 3


def test_corefud_loads_no_module_for_it(tmp_path: Path) -> None:
    path = put(tmp_path, HEADER + START + ROWS.replace("coref_chains=unit-repr-id0", "Entity=(e1-x-1)", 1))
    path.write_text(path.read_text(encoding="utf-8").replace("coref_chains", "c"), encoding="utf-8")
    code = (
        "import sys; from corefscope.cli import main; main(['score', sys.argv[1], sys.argv[1], '--quiet']);"
        "print([name for name in sys.modules if 'standoff' in name or 'jsonl' in name or 'pyarrow' in name])"
    )
    done = subprocess.run([sys.executable, "-c", code, path], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout.splitlines()[-1] == "[]"
