"""What writers write: brackets in canonical order, ids and names that fit, files that are complete or not there."""

from __future__ import annotations

import bz2
import errno
import gzip
import json
import lzma
import ntpath
import os
import stat
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefscope.core.document import Document, Mention, Sentence
from corefscope.core.errors import InputError, OptionError, Warnings, is_closed_pipe
from corefscope.core.format import FORMATS
from corefscope.core.positions import position
from corefscope.formats import fitting
from corefscope.formats import writing as ids
from corefscope.formats.corefud import writer as corefud
from corefscope.formats.corefud.reader import CorefUDReader
from corefscope.formats.detection import word_tags
from corefscope.formats.losses import LOSSES, Losses
from corefscope.formats.source import DocumentReader, Source
from corefscope.formats.target import Target, TargetDirectory, refuse_overwriting
from corefscope.formats.writers import WRITERS, writer_for
from corefscope.formats.writing import BracketPair, Origin, cells

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


# ------------------------------------------------------------------------------------------------------- brackets


def test_brackets_close_then_open_then_hold_single_words() -> None:
    brackets = [
        BracketPair(1, 3, "a-x-1", "a"),
        BracketPair(3, 3, "b", "b"),
        BracketPair(3, 4, "c", "c"),
        BracketPair(3, 9, "d", "d"),
        BracketPair(2, 3, "e", "e"),
    ]
    assert cells(brackets)[3] == ["e)", "a)", "(d", "(c", "(b)"]
    assert cells([brackets[0], brackets[1]])[3] == ["(b)", "a)"], "inside of what ends there, if nothing begins"


def test_brackets_around_the_same_words_keep_their_order_and_close_in_reverse() -> None:
    assert cells([BracketPair(1, 2, "b", "b"), BracketPair(1, 2, "a", "a")]) == {1: ["(b", "(a"], 2: ["a)", "b)"]}
    assert cells([BracketPair(1, 1, "b", "b"), BracketPair(1, 1, "a", "a")]) == {1: ["(b)", "(a)"]}


spans = st.tuples(st.integers(1, 8), st.integers(0, 4)).map(lambda drawn: (drawn[0], drawn[0] + drawn[1]))


@given(st.lists(spans, max_size=8))
def test_brackets_of_one_id_come_back_exactly_if_none_cross(drawn: list[tuple[int, int]]) -> None:
    """A stack is all a reader has; two spans that share a word at most at their ends are no problem for it."""
    stack: list[int] = []
    found = []
    for place, chunks in sorted(cells([BracketPair(first, last, "0", "0") for first, last in drawn]).items()):
        for chunk in chunks:
            if chunk[0] == "(":
                stack.append(place)
            if chunk[-1] == ")":
                found.append((stack.pop(), place))
    crossing = any(a < c < b < d for a, b in drawn for c, d in drawn)
    assert (sorted(found) == sorted(drawn)) == (not crossing)


# ------------------------------------------------------------------------------------------------------------ ids


@pytest.mark.parametrize(
    ("given_ids", "numbers", "unique", "renamed"),
    [
        (("e1", "e12"), ["1", "12"], ["e1", "e12"], (0, 0)),
        (("0", "1"), ["0", "1"], ["e0", "e1"], (0, 0)),
        (("abstract-1", "7"), ["1", "7"], ["e1", "e7"], (1, 1)),
        (("person", "e0"), ["1", "0"], ["person", "e0"], (1, 0)),
        (("e5", "5"), ["5", "1"], ["e5", "e1"], (1, 1)),
        (("e01", "a b"), ["0", "1"], ["e01", "e1"], (2, 1)),
        ((), ["0", "1"], ["e0", "e1"], (0, 0)),
    ],
)
def test_entity_ids_are_kept_where_they_can_be(
    given_ids: tuple[str, ...], numbers: list[str], unique: list[str], renamed: tuple[int, int]
) -> None:
    found = document("1", "2", entity_ids=given_ids)
    for expected, count, make in (
        (numbers, renamed[0], ids.numbers),
        (unique, renamed[1], lambda document, losses: ids.unique(document, set(), losses)),
    ):
        losses = Losses()
        assert make(found, losses) == expected
        assert losses.noted.get("ids", 0) == count
        assert not losses.refused


def test_entity_ids_are_unique_in_a_corefud_file_and_in_each_document_of_others() -> None:
    taken: set[str] = set()
    twice = [document("1", "2", entity_ids=("0", "1"), name=name) for name in ("d1", "d2")]
    assert [ids.unique(found, taken, Losses()) for found in twice] == [["e0", "e1"], ["e2", "e3"]]
    assert [ids.numbers(found, Losses()) for found in twice] == [["0", "1"]] * 2
    merged = document("1", "2", "3", entity_ids=("e1", "e2", "e1"))
    assert ids.distinct(merged, Losses()) == ["e1", "e2", "e1.2"]
    assert len(set(ids.numbers(merged, Losses()))) == 3


# ------------------------------------------------------------------------------------------------- what does not fit


def fitted(found: Document, *steps: fitting.Step) -> tuple[list[str], dict[str, int]]:
    """The mentions that are left, as in :func:`document`, and what was lost."""
    losses = Losses()
    row = WRITERS["jsonl"]._replace(steps=steps, cannot_hold=("documents",), name_of_document=None)
    (kept,) = fitting.fitted([found], row, losses)
    shown = []
    for entity in kept.entities:
        mentions = []
        for mention in entity:
            numbers = ",".join(str((place >> 20) & 0xFFFFF) for place in mention.positions)
            head = f"@{(mention.head >> 20) & 0xFFFFF}" if mention.head != mention.positions[0] else ""
            mentions.append(numbers + head)
        shown.append(" ".join(mentions))
    return shown, losses.counts


def test_discontinuous_mentions_become_the_span_that_covers_them() -> None:
    assert fitted(document("1,3@3 5"), fitting.without_gaps) == (["1,2,3@3 5"], {"discontinuous": 1})
    assert fitted(document("1-3@2"), fitting.without_gaps) == (["1,2,3@2"], {})


def test_of_crossing_mentions_of_one_entity_the_first_is_kept() -> None:
    assert fitted(document("1-3 2-4 3-5"), fitting.without_crossing) == (["1,2,3 3,4,5"], {"crossing": 1})
    assert fitted(document("1-4 2-3 4-6 1-2"), fitting.without_crossing)[1] == {}, "nested, or sharing a border"
    assert fitted(document("1-3", "2-4"), fitting.without_crossing)[1] == {}, "of two entities"
    assert fitted(document("1,3 2,4"), fitting.without_crossing)[1] == {"crossing": 1}, "parts of which is which?"


def test_heads_count_only_where_they_are_not_the_first_word() -> None:
    assert fitted(document("1-3@2 4-5 6"), fitting.headed_by_first_word) == (["1,2,3 4,5 6"], {"heads": 1})


def test_entities_without_mentions_are_gone() -> None:
    zero = Mention((position(1, 1, 1),), position(1, 1, 1), ((position(1, 2), "nsubj"),))
    mixed = Mention((position(1, 1, 1), position(1, 2)), position(1, 1, 1))
    inside = Mention((position(1, 2), position(1, 2, 1), position(1, 3)), position(1, 3))
    found = Document("d", ((zero,), (mixed, inside)), entity_ids=("e1", "e2"), sentences=document().sentences)
    steps = fitting.without_zeros, fitting.without_empty_nodes, fitting.without_gaps
    assert fitted(found, *steps) == (["2,3@3 2"], {"zeros": 2, "empty_nodes": 1})


def test_every_loss_that_a_format_names_exists() -> None:
    for row in WRITERS.values():
        assert set(row.cannot_hold) <= LOSSES.keys()


# ------------------------------------------------------------------------------------------------------- fresh files


def test_corefud_from_nothing_but_words_and_clusters(tmp_path: Path) -> None:
    found = document("1-2@2 4", "1-2,5", words=5, entity_ids=("7", "8"))
    (text,) = corefud.write([found], origin("jsonl"), Losses())
    assert text == (
        "# newdoc id = d\n# global.Entity = eid-etype-head-other\n# sent_id = s1\n# text = w1 w2 w3 w4 w5\n"
        "1\tw1\t_\t_\t_\t_\t0\t_\t_\tEntity=(e7--2(e8[1/2]--1\n"
        "2\tw2\t_\t_\t_\t_\t0\t_\t_\tEntity=e8[1/2])e7)\n"
        "3\tw3\t_\t_\t_\t_\t0\t_\t_\t_\n"
        "4\tw4\t_\t_\t_\t_\t0\t_\t_\tEntity=(e7--1)\n"
        "5\tw5\t_\t_\t_\t_\t0\t_\t_\tEntity=(e8[2/2]--1)\n\n"
    )
    path = tmp_path / "new.conllu"
    path.write_text(text, encoding="utf-8")
    (again,) = documents(path, CorefUDReader)
    assert set(again.entities) == set(found.entities)
    assert again.entity_ids == ("e8", "e7"), "the longer first mention first"


# ------------------------------------------------------------------------------------------------- CorefUD to CorefUD


# ------------------------------------------------------------------------------------------------------------- files


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A directory in which nothing but what a test writes may be left."""
    yield tmp_path
    assert not [path.name for path in tmp_path.iterdir() if path.name.endswith(".part")]


def test_a_file_appears_when_it_is_complete(folder: Path) -> None:
    path = folder / "out.txt"
    with Target(str(path)) as target:
        target.write("ä\n")
        assert not path.exists()
    assert path.read_bytes() == "ä\n".encode()
    assert list(folder.iterdir()) == [path]


@pytest.mark.parametrize("error", [InputError("x"), KeyboardInterrupt()])
def test_a_file_is_not_touched_if_something_goes_wrong(folder: Path, error: BaseException) -> None:
    path = folder / "out.txt"
    path.write_text("old", encoding="utf-8")

    def fail() -> None:
        with Target(str(path)) as target:
            target.write("new")
            raise error

    with pytest.raises(type(error)):
        fail()
    assert path.read_text(encoding="utf-8") == "old"
    assert list(folder.iterdir()) == [path]


def test_permissions_are_those_of_the_old_file_or_of_a_new_one(folder: Path) -> None:
    path, other = folder / "out.txt", folder / "other.txt"
    path.write_text("old", encoding="utf-8")
    path.chmod(0o640)
    other.write_text("", encoding="utf-8")
    for name in ("out.txt", "new.txt"):
        with Target(str(folder / name)) as target:
            target.write("new")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert (folder / "new.txt").stat().st_mode == other.stat().st_mode


def test_links_and_devices_stay_what_they_are(folder: Path) -> None:
    (folder / "link").symlink_to(folder / "real")
    with Target(str(folder / "link")) as target:
        target.write("x")
    assert (folder / "link").is_symlink()
    assert (folder / "real").read_text(encoding="utf-8") == "x"
    with Target(os.devnull) as target:
        target.write("x")
    assert not os.path.isfile(os.devnull)


@pytest.mark.parametrize(("suffix", "unpack"), [("gz", gzip.open), ("XZ", lzma.open), ("bz2", bz2.open)])
def test_files_are_compressed_by_suffix_always_alike(
    folder: Path, suffix: str, unpack: Callable[[Path], gzip.GzipFile]
) -> None:
    paths = [folder / f"{name}.conllu.{suffix}" for name in "ab"]
    for path in paths:
        with Target(str(path)) as target:
            target.write("text\n")
        with unpack(path) as file:
            assert file.read() == b"text\n"
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_targets_that_cannot_be_written(folder: Path) -> None:
    (folder / "dir").mkdir()
    for path, message in (
        (folder / "none" / "out.txt", "cannot be written: No such file or directory"),
        (folder / "dir", "cannot be written: is a directory"),
    ):
        with pytest.raises(InputError, match=message), Target(str(path)):
            pass


def test_a_drive_that_does_not_exist_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """The parent of a drive is the drive itself: looking for a parent that exists must end there."""

    def fail(path: str, *_: int) -> None:
        raise FileNotFoundError(errno.ENOENT, "The system cannot find the path specified", path)

    windows = SimpleNamespace(
        path=ntpath, sep="\\", urandom=os.urandom, walk=os.walk, mkdir=fail, unlink=fail, chmod=fail
    )
    monkeypatch.setattr("corefscope.formats.target.os", windows)
    for path in ("Q:\\", "Q:\\some\\where", "\\\\server\\share\\out"):
        with pytest.raises(InputError, match=r"(?s)cannot be made: The system.*a drive that exists"):
            TargetDirectory(path).__enter__()


@pytest.mark.parametrize("held", ["a.txt", "b.txt", "manifest.json"])
def test_a_directory_stays_as_it_was_if_another_program_has_a_file_open(
    folder: Path, held: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On Windows, where a file that is open can be neither moved nor removed nor replaced."""
    names = ["a.txt", "b.txt", "manifest.json"]
    for name in [*names, "other.txt"]:
        (folder / name).write_text("old", encoding="utf-8")

    def unless_held(function: Callable[..., None]) -> Callable[..., None]:
        def call(*paths: str, **named: int) -> None:
            if str(folder / held) in paths:
                raise PermissionError(errno.EACCES, "Access is denied")
            function(*paths, **named)

        return call

    for name in ("rename", "replace", "unlink"):
        monkeypatch.setattr(os, name, unless_held(getattr(os, name)))

    def write() -> None:
        with TargetDirectory(str(folder)) as directory:
            for name in names:
                with directory.file(name) as target:
                    target.write("new")

    with pytest.raises(InputError, match=r"(?s)Access is denied.*close it in other programs"):
        write()
    assert {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()} == dict.fromkeys(
        [*names, "other.txt"], "old"
    )
    monkeypatch.undo()
    write()
    assert {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()} == {
        **dict.fromkeys(names, "new"),
        "other.txt": "old",
    }


def test_a_file_that_another_program_has_open_is_an_error_with_a_remedy(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table that is open in a spreadsheet, say, on Windows."""
    path = folder / "out.csv"
    path.write_text("old", encoding="utf-8")

    def refuse(*_: str) -> None:
        raise PermissionError(errno.EACCES, "Access is denied")

    monkeypatch.setattr(os, "replace", refuse)
    with (
        pytest.raises(InputError, match=r"(?s)out\.csv: cannot be written: Access is denied.*close it in other"),
        Target(str(path)) as target,
    ):
        target.write("new")
    assert [file.read_text(encoding="utf-8") for file in folder.iterdir()] == ["old"]


def test_read_only_files_are_replaced_and_leave_nothing_behind(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On Windows, where a file that is read-only can be moved but not removed."""
    (folder / "a.txt").write_text("old", encoding="utf-8")
    (folder / "a.txt").chmod(stat.S_IRUSR)
    unlink = os.unlink

    def unlink_writable(path: str, **named: int) -> None:
        where = f"/proc/self/fd/{named['dir_fd']}/{path}" if "dir_fd" in named else path
        if not os.stat(where).st_mode & stat.S_IWUSR:
            raise PermissionError(errno.EACCES, "Access is denied")
        unlink(path, **named)

    monkeypatch.setattr(os, "unlink", unlink_writable)
    with TargetDirectory(str(folder)) as directory, directory.file("a.txt") as target:
        target.write("new")
    assert [(path.name, path.read_text(encoding="utf-8")) for path in folder.iterdir()] == [("a.txt", "new")]


def test_a_reader_that_has_gone_is_recognised_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    gone, other = OSError(errno.EINVAL, "Invalid argument"), OSError(errno.ENOSPC, "No space left on device")
    assert not is_closed_pipe(gone)
    assert is_closed_pipe(BrokenPipeError())
    monkeypatch.setattr("corefscope.core.errors.os", SimpleNamespace(name="nt"))
    assert is_closed_pipe(gone)
    assert not is_closed_pipe(other)


def test_inputs_are_recognised_in_any_case_where_the_system_ignores_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "Keys").mkdir()
    (folder / "Keys" / "a.conllu").write_text("", encoding="utf-8")
    real = os.path.realpath
    monkeypatch.setattr(os.path, "realpath", lambda path: real(path).replace("Keys/a", "KEYS/a"))
    monkeypatch.setattr(os.path, "normcase", str.lower)
    with pytest.raises(OptionError, match="is an input"):
        refuse_overwriting(folder / "Keys" / "a.conllu", [folder / "Keys"])


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("a.conllu", "corefud"),
        ("A.CONLLU.GZ", "corefud"),
        ("a.v4_gold_conll", "conll"),
        ("a.conll.xz", "conll"),
        ("a.jsonl", "jsonl"),
        ("a.jsonlines.bz2", "jsonl"),
        ("a.json", "clusters"),
    ],
)
def test_the_end_of_a_name_says_which_format(path: str, name: str) -> None:
    assert writer_for(path, None).name == name
    assert writer_for(path, "jsonl").name == "jsonl"


@pytest.mark.parametrize("path", ["-", "a.text", "conllu", "a.gz"])
def test_a_name_that_says_nothing_is_an_error(path: str) -> None:
    with pytest.raises(OptionError, match=r"--to corefud\|ua\|conll\|jsonl\|clusters"):
        writer_for(path, None)
    with pytest.raises(OptionError, match="did you mean 'jsonl'"):
        writer_for(path, "json")


def test_clusters_are_one_json_object() -> None:
    found = [document("1-2 4", "5", name="d1", entity_ids=("e1", "e2")), document(name='"d2"')]
    text = "".join(WRITERS["clusters"].write(found, origin("corefud"), Losses()))
    assert json.loads(text) == {"d1": {"e1": ["1:1-2", "1:4"], "e2": ["1:5"]}, '"d2"': {}}
    assert json.loads("".join(WRITERS["clusters"].write([], origin("corefud"), Losses()))) == {}
