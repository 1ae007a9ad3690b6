"""Several responses, read with one reading of their key."""

from __future__ import annotations

import gc
import gzip
import json
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from corefscope.core.document import Document
from corefscope.core.errors import AlignmentError, InputError, Warnings
from corefscope.formats.corefud.reader import CorefUDReader
from corefscope.formats.corpus import Corpus, iter_aligned

WORDS = ["Ann", "came", "She", "left"]


def _conllu(*names: str, entity: str = "e1") -> str:
    blocks = []
    for number, name in enumerate(names):
        header = "# global.Entity = eid-etype-head-other\n" if not number else ""
        cells = [f"Entity=({entity}-person-1)" if at in (0, 2) else "_" for at in range(4)]
        rows = [f"{at % 2 + 1}\t{WORDS[at]}\t_\t_\t_\t_\t0\t_\t_\t{cells[at]}\n" for at in range(4)]
        first, second = "".join(rows[:2]), "".join(rows[2:])
        blocks.append(f"# newdoc id = {name}\n{header}# sent_id = {name}1\n{first}\n# sent_id = {name}2\n{second}\n")
    return "".join(blocks)


def _jsonl(*names: str, words: list[str] = WORDS, **fields: Any) -> str:
    document = {"tokens": words, "clusters": [[[0, 0], [2, 2]]], **fields}
    return "".join(json.dumps({"doc_key": name, **document}) + "\n" for name in names)


def _corpora(key: Path, *responses: Path, digests: bool = False) -> list[Corpus]:
    return [Corpus(key, response, Warnings(), digests=digests) for response in responses]


def _write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


def _shown(document: Document) -> tuple[Any, ...]:
    return document.id, document.path, document.entities, [sentence.words for sentence in document.sentences]


def _same_as_apart(key: Path, *responses: Path) -> None:
    """Whatever is read in step is what is read one response after the other."""
    together = _corpora(key, *responses, digests=True)
    rows = list(iter_aligned(together))
    for at, response in enumerate(responses):
        (apart,) = _corpora(key, response, digests=True)
        pairs = [tuple(map(_shown, pair)) for pair in apart]
        assert [tuple(map(_shown, row[at])) for row in rows if row[at]] == pairs  # type: ignore[arg-type]
        assert [side.to_dict() for side in together[at].inputs] == [side.to_dict() for side in apart.inputs]
        assert together[at].headless == apart.headless
        assert list(together[at].warnings) == list(apart.warnings)
        assert together[at].progress == apart.progress


def test_responses_of_other_formats_files_and_compressions(tmp_path: Path) -> None:
    key = _write(tmp_path / "key.conllu.gz", _conllu("a", "b"))
    responses = [
        _write(tmp_path / "one.conllu", _conllu("a", "b", entity="e7")),
        _write(tmp_path / "two.jsonl.gz", _jsonl("a", "b")),
        _write(tmp_path / "three.jsonl", _jsonl("a", "b", sentences=[WORDS[:2], WORDS[2:]])),
    ]
    _same_as_apart(key, *responses, key)
    for pairs in iter_aligned(_corpora(key, *responses)):
        assert len({id(pair.key) for pair in pairs if pair}) == 1


def test_directories(tmp_path: Path) -> None:
    """Files belong together by name, without suffixes where they differ, so the first response decides the order."""
    for name in ("a", "a-b"):
        _write(tmp_path / "key" / f"{name}.conllu", _conllu("d"))
        _write(tmp_path / "one" / f"{name}.conllu", _conllu("d"))
        _write(tmp_path / "two" / f"{name}.jsonl.gz", _jsonl("d"))
    _same_as_apart(tmp_path / "key", tmp_path / "one", tmp_path / "one")
    rows = list(iter_aligned(_corpora(*(tmp_path / name for name in ("key", "one", "two")))))
    assert [[pair.response.id for pair in row if pair] for row in rows] == [["d", "d"], ["a.conllu: d"] * 2]
    assert [[Path(pair.response.path).name for pair in row if pair] for row in rows] == [
        ["a-b.conllu", "a-b.jsonl.gz"],
        ["a.conllu", "a.jsonl.gz"],
    ]


def test_a_key_without_sentences_is_cut_for_each_response(tmp_path: Path) -> None:
    key = _write(tmp_path / "key.jsonl", _jsonl("a", "b"))
    flat = _write(tmp_path / "flat.jsonl", _jsonl("a", "b"))
    cut = _write(tmp_path / "cut.jsonl", _jsonl("a", "b", sentences=[WORDS[:1], WORDS[1:]]))
    _same_as_apart(key, flat, cut, flat)
    (first, second, third), _ = iter_aligned(_corpora(key, flat, cut, flat))
    assert first
    assert second
    assert third
    assert first.key is third.key
    assert [len(pair.key.sentences) for pair in (first, second)] == [1, 2]


def test_a_document_that_only_one_response_has_is_none_elsewhere(tmp_path: Path) -> None:
    header = "document,mention,entity\n"
    key = _write(tmp_path / "key.csv", header + "b,1,x\nb,2,x\na,1,x\n")
    one = _write(tmp_path / "one.csv", header + "b,1,x\nc,1,y\n")
    two = _write(tmp_path / "two.csv", header + "a,1,x\n")
    _same_as_apart(key, one, two)
    rows = list(iter_aligned(_corpora(key, one, two)))
    assert [[pair.key.id if pair else None for pair in row] for row in rows] == [["a", "a"], ["b", "b"], ["c", None]]
    unnamed = _write(tmp_path / "unnamed.csv", "mention,entity\n1,x\n2,x\n")
    single = _write(tmp_path / "single.csv", header + "b,1,x\n")
    _same_as_apart(unnamed, single, unnamed)


def test_the_key_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key, response = (_write(tmp_path / f"{name}.conllu", _conllu("a", "b", "c")) for name in ("key", "response"))
    made: list[str] = []
    alive: list[weakref.ref[str]] = []

    class Watched(str):
        """A path that can be watched, and lives as long as its document."""

    def watched(reader: CorefUDReader, start: int, stop: int) -> Iterator[Document]:
        for document in plain(reader, start, stop):
            path = Watched(document.path)
            made.append(Path(path).stem)
            alive.append(weakref.ref(path))
            document = document._replace(path=path)
            del path
            yield document
            del document

    plain = CorefUDReader.documents
    monkeypatch.setattr(CorefUDReader, "documents", watched)
    corpora = _corpora(key, response, response)
    for pairs in iter_aligned(corpora):
        assert len(pairs) == 2
        gc.collect()
        assert sum(path() is not None for path in alive) == 3
        del pairs
    assert sorted(made) == ["key"] * 3 + ["response"] * 6


def test_errors_name_the_file_that_is_wrong(tmp_path: Path) -> None:
    key = _write(tmp_path / "key.conllu", _conllu("a", "b"))
    right = _write(tmp_path / "right.conllu", _conllu("a", "b"))
    for name, text, error in (
        ("words.jsonl", _jsonl("a", "b", words=[*WORDS[:3], "went"]), AlignmentError),
        ("documents.conllu", _conllu("a", "c"), AlignmentError),
        ("more.conllu", _conllu("a", "b", "c"), AlignmentError),
        ("ids.csv", "document,mention,entity\na,1,x\n", AlignmentError),
        ("broken.jsonl", _jsonl("a") + "{", InputError),
        ("gone.conllu", "", InputError),
    ):
        wrong = _write(tmp_path / name, text)
        corpora = _corpora(key, right, wrong)
        with pytest.raises(error, match=name):
            list(iter_aligned(corpora))
    broken = _write(tmp_path / "broken.conllu", _conllu("a", "b").replace("(e1-person-1)", "e1)", 1))
    with pytest.raises(InputError, match=r"broken\.conllu:4"):
        list(iter_aligned(_corpora(broken, right, right)))


def test_warnings_about_the_key_reach_every_response(tmp_path: Path) -> None:
    key = _write(tmp_path / "key.conllu", _conllu("a", "b").replace("(e1-person-1)", "(e1-person-1"))
    right = _write(tmp_path / "right.conllu", _conllu("a", "b"))
    _same_as_apart(key, right, key, right)
    corpora = _corpora(key, right, right)
    list(iter_aligned(corpora))
    assert all("key.conllu" in "".join(corpus.warnings) for corpus in corpora)


def test_what_cannot_be_read_in_step(tmp_path: Path) -> None:
    key, other = (_write(tmp_path / f"{name}.conllu", _conllu("a")) for name in ("key", "other"))
    with pytest.raises(ValueError, match="the same key"):
        list(iter_aligned([Corpus(key, other, Warnings()), Corpus(other, key, Warnings())]))
    with pytest.raises(InputError, match="standard input"):
        list(iter_aligned([Corpus(key, "-", Warnings()), Corpus(key, "-", Warnings())]))


def test_files_are_closed_when_reading_ends_early(tmp_path: Path) -> None:
    key, other = (_write(tmp_path / f"{name}.conllu", _conllu("a", "b")) for name in ("key", "other"))
    corpora = _corpora(key, other, other)
    reading = iter_aligned(corpora)
    next(reading)
    sources = [file.reader.source for corpus in corpora for file in corpus._opened]
    assert len(sources) == 3
    reading.close()  # type: ignore[attr-defined]
    for source in sources:
        with pytest.raises(ValueError, match="closed"):
            source.read(0, 1)
