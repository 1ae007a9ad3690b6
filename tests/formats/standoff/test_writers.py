"""Writers of stand-off annotation: what is written is read again, and what cannot be held is told."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Mapping
from itertools import accumulate
from pathlib import Path

import pytest

import corefscope
from corefscope.cli import main
from corefscope.core.document import Document
from corefscope.core.errors import InputError, OptionError
from corefscope.formats.convert import convert
from corefscope.formats.losses import Losses
from corefscope.formats.standoff.writers import write_brat, write_label_studio, write_webanno
from corefscope.formats.target import Target
from corefscope.formats.writing import Origin
from examples import seeds
from oracles.generate import random_pair
from places import GOLDEN
from standoff_files import Clusters, random_text, read, read_clusters, wanted_clusters, write_jsonl
from standoff_files import write_brat as write_brat_by_hand
from tests.formats.test_writing import document

WRITTEN = ("brat", "webanno", "label-studio")
WALK: dict[str, object] = {
    "doc_key": "walk",
    "sentences": [["Ann", "likes", "her", "😀", "dog"], ["It", "barks", "."]],
    "clusters": [[[0, 0], [2, 2]], [[2, 4], [5, 5]]],
}


def put(folder: Path, *documents: Mapping[str, object]) -> Path:
    path = folder / "in.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in documents), encoding="utf-8")
    return path


def target(folder: Path, format_: str) -> Path:
    return folder / f"out.{'ann' if format_ == 'brat' else 'x'}"


def reread(path: Path, format_: str) -> Document:
    """The only document of a file, which is recognised."""
    name, (found,) = read(path)
    assert name == format_
    return found


# ------------------------------------------------------------------------------------------------------- examples


def test_brat_is_two_files(tmp_path: Path) -> None:
    done = convert(put(tmp_path, WALK), tmp_path / "out.ann")
    assert (tmp_path / "out.txt").read_bytes().decode() == "Ann likes her 😀 dog\nIt barks .\n"
    assert (tmp_path / "out.ann").read_bytes().decode() == (
        "T1\tMention 0 3\tAnn\nT2\tMention 10 13\ther\nT3\tMention 10 19\ther 😀 dog\nT4\tMention 20 22\tIt\n"
        "*\tCoreference T1 T2\n*\tCoreference T3 T4\n"
    )
    assert (done.documents, done.words, done.entities, done.mentions, done.lost) == (1, 8, 2, 4, {})
    assert done.noted == {"file_names": 1, "ids": 2}


def test_webanno_has_a_row_a_word_and_offsets_of_utf_16(tmp_path: Path) -> None:
    convert(put(tmp_path, WALK), tmp_path / "out.tsv", to="webanno")
    assert (tmp_path / "out.tsv").read_bytes().decode() == (
        "#FORMAT=WebAnno TSV 3.3\n"
        "#T_CH=de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink|referenceRelation|referenceType\n\n\n"
        "#Text=Ann likes her 😀 dog\n"
        "1-1\t0-3\tAnn\t*->1-1\t*[1]\t\n"
        "1-2\t4-9\tlikes\t_\t_\t\n"
        "1-3\t10-13\ther\t*->1-2|*->2-1\t*[2]|*[3]\t\n"
        "1-4\t14-16\t😀\t*->2-1\t*[3]\t\n"
        "1-5\t17-20\tdog\t*->2-1\t*[3]\t\n\n"
        "#Text=It barks .\n"
        "2-1\t21-23\tIt\t*->2-2\t*[4]\t\n"
        "2-2\t24-29\tbarks\t_\t_\t\n"
        "2-3\t30-31\t.\t_\t_\t\n"
    )


def test_label_studio_has_a_task_for_each_document(tmp_path: Path) -> None:
    other = {"doc_key": "other", "sentences": [["She", "ran"]], "clusters": []}
    convert(put(tmp_path, WALK, other), tmp_path / "out.json", to="label-studio")
    first, second = json.loads((tmp_path / "out.json").read_bytes())
    assert first["data"] == {"text": "Ann likes her 😀 dog\nIt barks .\n", "doc_key": "walk"}
    assert second == {"id": 2, "annotations": [{"result": []}], "data": {"text": "She ran\n", "doc_key": "other"}}
    result = first["annotations"][0]["result"]
    spans = {item["id"]: item["value"] for item in result if item["type"] == "labels"}
    assert [(value["start"], value["end"], value["text"]) for value in spans.values()] == [
        (0, 3, "Ann"),
        (10, 13, "her"),
        (10, 19, "her 😀 dog"),
        (20, 22, "It"),
    ]
    links = [(item["from_id"], item["to_id"]) for item in result if item["type"] == "relation"]
    assert [[spans[id_]["text"] for id_ in link] for link in links] == [["her", "Ann"], ["It", "her 😀 dog"]]
    name, found = read(tmp_path / "out.json")
    assert (name, [each.id for each in found]) == ("label-studio", ["walk", "other"])


def test_a_long_text_is_recognised_as_label_studio(tmp_path: Path) -> None:
    long = WALK | {"sentences": [["Ann", "likes", "her", "😀", "dog"], *([["word"] * 20] * 900)]}
    convert(put(tmp_path, long), tmp_path / "out.json", to="label-studio")
    assert len(reread(tmp_path / "out.json", "label-studio").entities) == 2


def test_types_are_labels_with_escapes() -> None:
    found = document("1-2 4", "5", entity_ids=("e1", "e2"))._replace(entity_types=("a_b->[c]|;*\\", ""))
    origin, losses = Origin(False, lambda _: []), Losses()
    rows = [line.split("\t") for line in "".join(write_webanno([found], origin, losses)).split("\n") if "\t" in line]
    escaped = r"a\_b\->\[c\]\|\;\*" + "\\\\"
    assert [row[4] for row in rows][:5] == [f"{escaped}[1]", f"{escaped}[1]", "_", f"{escaped}[2]", "*[3]"]
    assert "types" not in losses.counts
    (task,) = json.loads("".join(write_label_studio([found], origin, losses)))
    labels = [item["value"]["labels"] for item in task["annotations"][0]["result"] if item["type"] == "labels"]
    assert labels == [["a_b->[c]|;*\\"], ["a_b->[c]|;*\\"], ["Mention"]]
    assert "types" not in losses.counts
    text = "".join(write_brat([found], origin, losses))
    assert re.findall(r"\t(\S+) \d", text) == ["a_b-_c_"] * 2 + ["Mention"]
    assert losses.counts["types"] == 1


# ----------------------------------------------------------------------------------------- written and read again


@pytest.mark.parametrize("format_", WRITTEN)
@pytest.mark.parametrize("seed", seeds(40))
def test_words_and_clusters_are_read_again(seed: int, format_: str, tmp_path: Path) -> None:
    text = random_text(random.Random(f"writers {seed}"))
    done = convert(write_jsonl(text, tmp_path), target(tmp_path, format_), to=format_)
    found = reread(target(tmp_path, format_), format_)
    assert not done.lost
    assert read_clusters(found) == wanted_clusters(text)
    if format_ == "webanno":
        assert [[word.partition("\t")[2] for word in each.words] for each in found.sentences] == text.sentences


def space_after_no(text: str, rng: random.Random) -> str:
    """The same file with words that no blank follows."""
    lines = []
    for line in text.split("\n"):
        columns = line.split("\t")
        if len(columns) == 10 and columns[0].isdigit() and rng.random() < 0.4:
            columns[9] = "SpaceAfter=No" if columns[9] == "_" else f"{columns[9]}|SpaceAfter=No"
        lines.append("\t".join(columns))
    return "\n".join(lines)


def text_by_hand(conllu: str) -> str:
    """The words, a sentence a line."""
    text = ""
    for block in conllu.strip("\n").split("\n\n"):
        rows = [row for row in (line.split("\t") for line in block.split("\n")) if row[0].isdigit()]
        for row in rows:
            text += row[1] + ("" if row is rows[-1] or "SpaceAfter=No" in row[9].split("|") else " ")
        text += "\n"
    return text


def overt_clusters(found: Document, *, covered: bool) -> tuple[Clusters, int, int]:
    """The entities as sets of characters without zeros, the number of zeros, and that of mentions with gaps."""
    words = [place for sentence in found.sentences for place in sentence.positions]
    sizes = [len(word.partition("\t")[2]) for sentence in found.sentences for word in sentence.words]
    ends = [0, *accumulate(sizes)]
    clusters: list[frozenset[tuple[int, ...]]] = []
    zeros = gaps = 0
    for entity in found.entities:
        members = set()
        for mention in entity:
            zeros += mention.is_zero
            numbers = sorted({words.index(place) for place in mention.positions if place in words})
            if numbers and numbers[-1] - numbers[0] >= len(numbers):
                gaps += 1
                numbers = list(range(numbers[0], numbers[-1] + 1)) if covered else numbers
            if numbers:
                members.add(tuple(at for number in numbers for at in range(ends[number], ends[number + 1])))
        if members:
            clusters.append(frozenset(members))
    return set(clusters), zeros, gaps


@pytest.mark.parametrize("format_", WRITTEN)
@pytest.mark.parametrize("seed", seeds(40))
def test_corefud_loses_zeros_and_what_the_losses_say(seed: int, format_: str, tmp_path: Path) -> None:
    rng = random.Random(f"corefud {seed}")
    source = tmp_path / "in.conllu"
    source.write_text(space_after_no(random_pair(rng, "small", newdoc=False)[0], rng), encoding="utf-8")
    _, (before,) = read(source)
    wanted, zeros, gaps = overt_clusters(before, covered=format_ != "brat")
    out = target(tmp_path, format_)
    done = convert(source, out, to=format_, lossy=True)
    after = reread(out, format_)
    assert read_clusters(after) == wanted
    assert done.lost.get("zeros", 0) == zeros
    assert done.lost.get("discontinuous", 0) == (0 if format_ == "brat" else gaps)
    text = text_by_hand(source.read_text(encoding="utf-8"))
    if format_ == "brat":
        assert (tmp_path / "out.txt").read_bytes().decode() == text
    elif format_ == "label-studio":
        assert json.loads(out.read_bytes())[0]["data"]["text"] == text
    else:
        assert out.read_text(encoding="utf-8").count("\n#Text=") == len(before.sentences)
        assert "".join(re.findall(r"#Text=(.*\n)", out.read_text(encoding="utf-8"))) == text
    if done.lost:
        files = sorted(tmp_path.iterdir())
        with pytest.raises(InputError, match=f"^{re.escape(str(source))}: {format_} cannot hold "):
            convert(source, tmp_path / f"refused{out.suffix}", to=format_)
        assert sorted(tmp_path.iterdir()) == files


@pytest.mark.parametrize("format_", WRITTEN)
@pytest.mark.parametrize("seed", seeds(20))
def test_conll_loses_nothing(seed: int, format_: str, tmp_path: Path) -> None:
    text = random_text(random.Random(f"conll {seed}"), nested=True)
    convert(write_jsonl(text, tmp_path), tmp_path / "in.conll", lossy=True)
    _, (before,) = read(tmp_path / "in.conll")
    done = convert(tmp_path / "in.conll", target(tmp_path, format_), to=format_)
    assert not done.lost
    assert read_clusters(reread(target(tmp_path, format_), format_)) == read_clusters(before)


def test_conll_files_of_the_reference_pass_through_label_studio(tmp_path: Path) -> None:
    """Files of many documents; only a mention that an entity has twice is refused."""
    passed = 0
    for path in sorted((GOLDEN / "conll").glob("*.conll")):
        _, before = read(path)
        done = convert(path, tmp_path / "out.json", to="label-studio", lossy=True)
        _, after = read(tmp_path / "out.json")
        assert not done.lost.keys() - {"repeated"}
        assert [each.id for each in after] == [each.id for each in before]
        assert list(map(read_clusters, after)) == list(map(read_clusters, before))
        passed += not done.lost
    assert passed > 5


@pytest.mark.parametrize("seed", seeds(40))
def test_texts_pass_through_unchanged(seed: int, tmp_path: Path) -> None:
    rng = random.Random(f"texts {seed}")
    source = write_brat_by_hand(random_text(rng, broken=seed % 2 == 0), tmp_path, rng)
    text = source.with_suffix(".txt").read_bytes().decode().replace("\r\n", "\n")
    if seed % 2 == 0:  # parts of mentions are for brat only
        convert(source, tmp_path / "out.ann")
    else:
        convert(source, tmp_path / "between.json", to="label-studio")
        assert json.loads((tmp_path / "between.json").read_bytes())[0]["data"]["text"] == text
        convert(tmp_path / "between.json", tmp_path / "out.ann")
    assert (tmp_path / "out.txt").read_bytes().decode() == text
    before, after = (read(path)[1][0] for path in (source, tmp_path / "out.ann"))
    assert read_clusters(before) == read_clusters(after)


def task(text: str, *spans: tuple[int, int]) -> str:
    values = [{"id": f"m{at}", "type": "labels", "value": {"start": a, "end": b}} for at, (a, b) in enumerate(spans)]
    return json.dumps([{"id": 1, "annotations": [{"result": values}], "data": {"text": text}}])


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a\tb  c\n\nd", "a\tb  c\n\nd"),
        ("ab\r\ncd\r\nef", "ab\ncd\nef"),
        ("ab\r\ncd\nef\rgh", "ab\ncd\nef gh"),
        ("aa\u2028b\x85c\x0cd", "aa\u2028b\x85c\x0cd"),
    ],
)
def test_line_ends_of_texts_become_those_of_unix(text: str, written: str, tmp_path: Path) -> None:
    source = tmp_path / "in.json"
    spans = [match.span() for match in re.finditer(r"\w+", text)]
    source.write_text(task(text, *spans), encoding="utf-8")
    convert(source, tmp_path / "out.ann")
    assert (tmp_path / "out.txt").read_bytes().decode() == written
    (before,), (after,) = read(source)[1], read(tmp_path / "out.ann")[1]
    assert read_clusters(before) == read_clusters(after)


def test_a_byte_order_mark_in_a_text_is_told(tmp_path: Path) -> None:
    """A reader of the text would drop it, and all offsets would be wrong."""
    source = tmp_path / "in.json"
    source.write_text(task("\ufeffa b", (1, 2), (3, 4)), encoding="utf-8")
    with pytest.raises(InputError, match="brat cannot hold 1 word that cannot be written as it is"):
        convert(source, tmp_path / "out.ann")
    convert(source, tmp_path / "out.ann", lossy=True)
    assert (tmp_path / "out.txt").read_bytes().decode() == "\ufffda b"
    found = reread(tmp_path / "out.ann", "brat")
    assert [found.words_of(mention) for entity in found.entities for mention in entity] == [["a"], ["b"]]


# ------------------------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize("format_", WRITTEN)
def test_words_without_signs_and_mentions_twice_are_told(format_: str, tmp_path: Path) -> None:
    odd = {"doc_key": "d", "sentences": [["a", " ", "", "b\tc"]], "clusters": [[[0, 1], [0, 1]], [[1, 1], [2, 3]]]}
    source, out = put(tmp_path, odd), target(tmp_path, format_)
    told = "1 mention that its entity has already, 3 words that cannot be written as they are"
    with pytest.raises(InputError, match=f"{format_} cannot hold {told}"):
        convert(source, out, to=format_)
    assert convert(source, out, to=format_, lossy=True).lost == {"repeated": 1, "words": 3}
    assert len(reread(out, format_).entities) == 2


@pytest.mark.parametrize("format_", ["brat", "webanno"])
def test_several_documents_are_refused_with_a_remedy(format_: str, tmp_path: Path) -> None:
    source = put(tmp_path, WALK, WALK | {"doc_key": "other"})
    with pytest.raises(InputError, match=r"in\.jsonl: holds several documents \('walk', 'other', …\)") as caught:
        convert(source, target(tmp_path, format_), to=format_)
    assert "label-studio or jsonl" in caught.value.hint
    assert list(tmp_path.iterdir()) == [source]


def test_a_text_without_words_is_no_webanno(tmp_path: Path) -> None:
    source = tmp_path / "in.json"
    source.write_text(task("a b", (0, 1)), encoding="utf-8")
    with pytest.raises(InputError, match=r"in\.json: has a text that is not cut into words") as caught:
        convert(source, tmp_path / "out.tsv", to="webanno")
    assert caught.value.hint == "write brat or label-studio, which hold texts"
    assert list(tmp_path.iterdir()) == [source]


@pytest.mark.parametrize("name", ["-", "/dev/null", "out.txt", "."])
def test_brat_needs_the_name_of_a_file(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    put(tmp_path, WALK)
    monkeypatch.chdir(tmp_path)
    assert main(["convert", "in.jsonl", name, "--to", "brat"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert re.search(r"brat needs two files, which \S+( output)? cannot be: name the first, such as a\.ann", err)
    assert [path.name for path in tmp_path.iterdir()] == ["in.jsonl"]


# ------------------------------------------------------------------------------------------- both files, or neither


@pytest.mark.parametrize("suffix", [".ann", ".txt"])
def test_both_files_of_brat_or_neither(suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = put(tmp_path, WALK)
    for end in (".ann", ".txt"):
        (tmp_path / f"out{end}").write_text("old", encoding="utf-8")
    complete = Target.complete

    def full(self: Target) -> None:
        if self.path.endswith(suffix):
            raise InputError("cannot be written: No space left on device", path=self.path)
        complete(self)

    monkeypatch.setattr(Target, "complete", full)
    with pytest.raises(InputError, match="No space left"):
        convert(source, tmp_path / "out.ann")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.jsonl", "out.ann", "out.txt"]
    assert {(tmp_path / f"out{end}").read_text(encoding="utf-8") for end in (".ann", ".txt")} == {"old"}
    monkeypatch.undo()
    convert(source, tmp_path / "out.ann")
    assert len(reread(tmp_path / "out.ann", "brat").entities) == 2


def test_a_directory_in_place_of_the_text_leaves_nothing(tmp_path: Path) -> None:
    source = put(tmp_path, WALK)
    (tmp_path / "out.txt").mkdir()
    with pytest.raises(InputError, match=r"out\.txt: cannot be written: is a directory"):
        convert(source, tmp_path / "out.ann")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.jsonl", "out.txt"]


def test_compressed_annotation_has_its_text_beside_it(tmp_path: Path) -> None:
    convert(put(tmp_path, WALK), tmp_path / "out.ann.gz")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.jsonl", "out.ann.gz", "out.txt"]
    assert len(reread(tmp_path / "out.ann.gz", "brat").entities) == 2


def test_inputs_are_never_overwritten(tmp_path: Path) -> None:
    source = put(tmp_path, WALK).rename(tmp_path / "walk.txt")
    with pytest.raises(InputError, match=r"walk\.txt is an input"):
        convert(source, tmp_path / "walk.ann", from_format="jsonl")
    convert(source, tmp_path / "out.ann", from_format="jsonl")
    files = {path: path.read_bytes() for path in tmp_path.iterdir()}
    for name, to in (("out.ann", None), ("out.ann.gz", None), ("out.txt", "tagged"), ("out.txt", "label-studio")):
        with pytest.raises(InputError, match=r"is an input"):
            convert(tmp_path / "out.ann", tmp_path / name, to=to, lossy=True)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == files


def test_a_skeleton_is_not_overwritten(tmp_path: Path) -> None:
    skeleton = put(tmp_path, WALK)
    printed = tmp_path / "printed.txt"
    printed.write_text("Ann likes her 😀 dog It barks .\n", encoding="utf-8")
    before = skeleton.read_bytes()
    with pytest.raises(InputError, match=r"in\.jsonl is an input"):
        convert(printed, skeleton, skeleton=skeleton, lossy=True)
    assert skeleton.read_bytes() == before


def test_a_text_without_annotation_is_read_again(tmp_path: Path) -> None:
    """Brat makes an empty .ann for every text."""
    convert(put(tmp_path, WALK | {"clusters": []}), tmp_path / "out.ann")
    assert (tmp_path / "out.ann").read_bytes() == b""
    assert reread(tmp_path / "out.ann", "brat").entities == ()
    (tmp_path / "other.ann.txt").write_bytes(b"")
    with pytest.raises(InputError, match="is empty"):
        read(tmp_path / "other.ann.txt")


@pytest.mark.parametrize("format_", ["webanno", "label-studio"])
def test_formats_without_a_suffix_are_chosen_by_name(format_: str, tmp_path: Path) -> None:
    source = put(tmp_path, WALK)
    with pytest.raises(OptionError, match=rf"--to \S*{format_}"):
        convert(source, tmp_path / "out.tsv")
    convert(source, tmp_path / "out", to=format_)
    assert len(reread(tmp_path / "out", format_).entities) == 2
    assert corefscope.score(tmp_path / "out", tmp_path / "out", metrics="muc")["muc"].f1 == 1
