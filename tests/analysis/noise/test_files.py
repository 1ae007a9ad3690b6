"""Noise changes what it says, as much as it says, and nothing else."""

from __future__ import annotations

import json
import ntpath
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jsonschema
import pytest

import corefscope
import ua_zeros
from corefscope.analysis.noise import LEVELS, OF_KEYS, PERTURBATIONS, perturb, plan
from corefscope.analysis.noise.files import MANIFEST, Manifest, _relative_path, perturb_file
from corefscope.cli import perturb as command
from corefscope.cli.parser import Parser
from corefscope.cli.terminal import guarded
from corefscope.core.document import Document, Mention
from corefscope.core.errors import InputError, OptionError, Warnings
from corefscope.core.numbers import headline
from corefscope.core.positions import node_name
from corefscope.formats.detection import open_reader
from corefscope.output.formats.json_text import schema
from noise import IN_RELATIONS
from oracles.generate import random_pair
from places import EXAMPLE_KEY, GOLDEN, SHARED

KINDS = [kind for kind in OF_KEYS if kind not in IN_RELATIONS]
"""Those of relations are in ``test_layers``."""
ODD: dict[str, Any] = dict.fromkeys(("duplicates", "two_heads", "empty_deps", "shared_eids", "minors"), True)


def _documents(path: Path) -> list[Document]:
    _, reader = open_reader(path, None, Warnings())
    try:
        return list(reader)
    finally:
        reader.source.close()


def _random_key(folder: Path, seed: int, **features: Any) -> Path:
    path = folder / "key.conllu"
    path.write_text(random_pair(random.Random(seed), "medium", **features)[0], encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> list[Document]:
    """The example, and random documents with zeros, discontinuous mentions, nesting and crossing."""
    found = _documents(EXAMPLE_KEY)
    for seed in range(4):
        found += _documents(_random_key(tmp_path_factory.mktemp("keys"), seed))
    return found


def _mentions(document: Document) -> list[Mention]:
    return [mention for entity in document.entities for mention in entity]


def _noisy(documents: list[Document], kind: str) -> Iterator[tuple[Document, Document, int]]:
    """Documents, the same with noise, and how many changes that should be."""
    for document in documents:
        noise = plan(document, kind, seed=5)
        for level in LEVELS:
            yield document, noise.at(level), noise.changes_at(level)


@pytest.mark.parametrize("kind", KINDS)
def test_no_noise_is_no_change_and_all_noise_is_all_changes(kind: str, documents: list[Document]) -> None:
    changed = 0
    for document in documents:
        noise = plan(document, kind)
        assert noise.at(0) is document
        assert noise.changes_at(100) == noise.changes.total
        counts = [noise.changes_at(level) for level in range(101)]
        assert counts == sorted(counts)
        assert all(abs(count - noise.changes.total * level / 100) < 1 for level, count in enumerate(counts))
        changed += noise.changes.total
    assert changed


@pytest.mark.parametrize("kind", KINDS)
def test_documents_stay_in_order_and_words_as_they_are(kind: str, documents: list[Document]) -> None:
    for document, noisy, _ in _noisy(documents, kind):
        for mentions in noisy.entities:
            keys = [(m.positions[0], -len(m.positions), m.positions[-1]) for m in mentions]
            assert keys == sorted(keys)
        firsts = [entity[0].positions[0] for entity in noisy.entities]
        assert firsts == sorted(firsts)
        assert len(set(noisy.entity_ids)) == len(noisy.entity_ids) == len(noisy.entities) == len(noisy.entity_types)
        assert [sentence.words for sentence in noisy.sentences] == [sentence.words for sentence in document.sentences]
        if kind not in ("zero-add", "zero-misattach"):
            assert noisy.sentences == document.sentences
        assert all(mention.head in mention.positions for mention in _mentions(noisy))


@pytest.mark.parametrize("kind", KINDS)
def test_noise_is_nested(kind: str, documents: list[Document]) -> None:
    """What a level has changed stays changed: mentions and links of the key that are gone, links and mentions new."""

    def facts(document: Document, known: set[Mention]) -> set[object]:
        links = {(one, two) for entity in document.entities for one in entity for two in entity if one < two}
        return {*_mentions(document), *((one, two) for one, two in links if one in known and two in known)}

    for document in documents:
        noise = plan(document, kind)
        known = set(_mentions(document))
        before = facts(document, known)
        differences = [before ^ facts(noise.at(level), known) for level in LEVELS]
        assert all(less <= more for less, more in pairwise(differences))


def test_drop(documents: list[Document]) -> None:
    for document, noisy, changes in _noisy(documents, "drop"):
        left = set(_mentions(noisy))
        assert len(left) == len(_mentions(document)) - changes
        expected = (tuple(mention for mention in entity if mention in left) for entity in document.entities)
        assert sorted(entity for entity in expected if entity) == sorted(noisy.entities)


def test_spurious(documents: list[Document]) -> None:
    for document, noisy, changes in _noisy(documents, "spurious"):
        old = _mentions(document)
        new = [mention for mention in _mentions(noisy) if mention not in set(old)]
        assert len(new) == changes
        assert not {mention.head for mention in new} & {mention.head for mention in old}
        kept = (tuple(mention for mention in entity if mention not in new) for entity in noisy.entities)
        assert sorted(kept) == sorted(document.entities)


def test_spurious_singletons(documents: list[Document]) -> None:
    for document, noisy, changes in _noisy(documents, "spurious-singletons"):
        new: Counter[tuple[Mention, ...]] = Counter(noisy.entities)
        new -= Counter(document.entities)
        assert Counter(noisy.entities) - new == Counter(document.entities)
        assert sum(new.values()) == changes
        assert all(len(entity) == 1 for entity in new)


def test_merge(documents: list[Document]) -> None:
    for document, noisy, changes in _noisy(documents, "merge"):
        assert Counter(_mentions(noisy)) == Counter(_mentions(document))
        assert len(noisy.entities) == len(document.entities) - changes
        owner = {mention: i for i, entity in enumerate(noisy.entities) for mention in entity}
        assert all(len({owner[mention] for mention in entity}) == 1 for entity in document.entities)
        assert {entity for entity in document.entities if len(entity) == 1} <= set(noisy.entities)


def test_split(documents: list[Document]) -> None:
    for document, noisy, changes in _noisy(documents, "split"):
        assert Counter(_mentions(noisy)) == Counter(_mentions(document))
        assert len(noisy.entities) == len(document.entities) + changes
        owner = {mention: i for i, entity in enumerate(document.entities) for mention in entity}
        assert all(len({owner[mention] for mention in entity}) == 1 for entity in noisy.entities)
    assert all(len(entity) == 1 for entity in perturb(documents[0], "split", 100).entities)


def test_boundary(documents: list[Document]) -> None:
    for document, noisy, changes in _noisy(documents, "boundary"):
        old, new = (Counter(_mentions(side)) for side in (document, noisy))
        gone, come = old - new, new - old
        assert gone.total() == come.total() == changes
        assert Counter(mention.head for mention in gone.elements()) == Counter(m.head for m in come.elements())
        assert not any(mention.is_zero for mention in gone)
        assert not {mention.positions for mention in come} & {mention.positions for mention in old}
        assert Counter(map(len, noisy.entities)) == Counter(map(len, document.entities))


def test_head(documents: list[Document]) -> None:
    for document, noisy, changes in _noisy(documents, "head"):
        pairs = zip(_mentions(document), _mentions(noisy), strict=True)
        different = [(old, new) for old, new in pairs if old != new]
        assert len(different) == changes
        assert all(old.positions == new.positions and old.head != new.head for old, new in different)
        assert not any(new.is_zero for _, new in different)


def test_zero_drop(documents: list[Document]) -> None:
    for document, noisy, changes in _noisy(documents, "zero-drop"):
        gone = Counter(_mentions(document)) - Counter(_mentions(noisy))
        assert gone.total() == changes
        assert all(mention.is_zero for mention in gone)
        assert not Counter(_mentions(noisy)) - Counter(_mentions(document))


def test_zero_add(documents: list[Document]) -> None:
    for document, noisy, changes in _noisy(documents, "zero-add"):
        old = set(_mentions(document))
        new = [mention for mention in _mentions(noisy) if mention not in old]
        assert len(new) == changes
        assert len(_mentions(noisy)) == len(old) + changes
        _stand_in_the_text(noisy, new)
        _apart_from_spans(document, new)


def test_zero_misattach(documents: list[Document]) -> None:
    for document, noisy, changes in _noisy(documents, "zero-misattach"):
        old, new = (Counter(_mentions(side)) for side in (document, noisy))
        gone, come = old - new, new - old
        assert gone.total() == come.total() == changes
        assert all(mention.is_zero for mention in (*gone, *come))
        assert Counter(map(len, noisy.entities)) == Counter(map(len, document.entities))
        parents = {parent for mention in old for parent, _ in mention.dependencies}
        assert not parents & {parent for mention in come for parent, _ in mention.dependencies}
        _stand_in_the_text(noisy, list(come))
        _apart_from_spans(document, list(come))


def _stand_in_the_text(document: Document, zeros: list[Mention]) -> None:
    for zero in zeros:
        columns = document.columns(zero.head)
        assert len(columns) == 10
        assert columns[8].count(":") >= 1


def _apart_from_spans(document: Document, zeros: list[Mention]) -> None:
    """A new empty node inside of a span would change that span."""
    for zero in zeros:
        assert not any(m.positions[0] < zero.head < m.positions[-1] for m in _mentions(document))


def _scored(folder: Path, kind: str, level: int, **options: Any) -> corefscope.Report:
    return corefscope.score(EXAMPLE_KEY, folder / f"{kind}-{level:03d}.conllu", rules="corrected", **options)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example with all noise."""
    made = tmp_path_factory.mktemp("noisy") / "deep" / "er"
    perturb_file(EXAMPLE_KEY, made, levels=[0, 50, 100])
    return made


@pytest.mark.parametrize("kind", KINDS)
def test_metrics_see_what_they_should(kind: str, folder: Path) -> None:
    for singletons in ("keep", "drop"):
        report = _scored(folder, kind, 0, singletons=singletons, metrics="all")
        assert all(headline(report[name]) == pytest.approx(corefscope.METRICS[name].scale.perfect) for name in report)
    half, full = (_scored(folder, kind, level, singletons="keep") for level in (50, 100))
    exact = _scored(folder, kind, 100, match="exact", singletons="keep")
    if kind == "head":
        assert exact["conll"].f1 == 1
        assert full["conll"].f1 < half["conll"].f1 < 1
    elif kind == "boundary":
        assert full["conll"].f1 == 1
        assert exact["conll"].f1 < 0.5
    else:
        assert full["lea"].f1 < half["lea"].f1 < 1
    perfect = {
        "merge": full["muc"].recall * full["mentions"].f1,
        "split": half["muc"].precision * full["mentions"].f1,
        "spurious": full["muc"].recall * full["mentions"].recall,
        "spurious-singletons": full["muc"].f1 * full["bcub"].recall,
        "drop": half["muc"].precision * half["mentions"].precision,
        "zero-drop": full["muc"].precision * full["mentions"].precision,
        "zero-add": full["muc"].recall * full["mentions"].recall,
    }
    assert perfect.get(kind, 1.0) == 1
    if kind in ("zero-drop", "zero-misattach"):
        assert full["zero"].f1 == 0


@pytest.mark.parametrize("seed", range(4))
def test_files_read_back_as_what_was_written(seed: int, tmp_path: Path) -> None:
    """Whatever the key contains, in whatever order: of odd keys not all noise is possible, but none is broken."""
    key = _random_key(tmp_path, seed, merged_documents=seed % 2 == 1, **(ODD if seed % 4 > 1 else {}))
    manifest, _ = perturb_file(key, tmp_path / "noisy", levels=[0, 40, 100], seed=seed)
    documents = _documents(key)
    for kind, files in manifest.kinds.items():
        plans = [plan(document, kind, seed) for document in documents]
        for level, name, changes in files:
            written = _documents(tmp_path / "noisy" / name)
            assert [document.id for document in written] == [document.id for document in documents]
            assert sum(noise.changes_at(level) for noise in plans) == changes
            for noise, read in zip(plans, written, strict=True):
                expected = Counter(frozenset(_without_repeats(entity)) for entity in noise.at(level).entities)
                assert Counter(frozenset(entity) for entity in read.entities) == expected, (kind, level)


def _without_repeats(entity: tuple[Mention, ...]) -> Iterator[Mention]:
    """Words that parts of a mention share are written once."""
    for mention in entity:
        yield mention._replace(positions=tuple(dict.fromkeys(mention.positions)))


def test_the_manifest_says_what_is_there(folder: Path) -> None:
    content = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema("corefscope-perturbations-1")).validate(content)
    manifest = Manifest.read(folder)
    assert list(manifest.kinds) == KINDS
    assert manifest.key_path(folder) == os.path.realpath(EXAMPLE_KEY)
    listed = {file.name for files in manifest.kinds.values() for file in files}
    assert listed | {MANIFEST} == {path.name for path in folder.iterdir()}


def test_other_annotation_than_coreference_stays(folder: Path) -> None:
    def plain(path: Path) -> list[str]:
        lines = path.read_text(encoding="utf-8").split("\n")
        kept = []
        for line in lines:
            *columns, misc = line.split("\t")
            items = [item for item in misc.split("|") if not item.startswith("Entity=")]
            kept.append("\t".join([*columns, "|".join(items) or "_"]))
        return kept

    for kind in ("drop", "merge", "boundary"):
        assert plain(folder / f"{kind}-050.conllu") == plain(EXAMPLE_KEY)


def test_the_same_seed_makes_the_same_files_in_every_process(tmp_path: Path) -> None:
    program = (
        "import sys; from corefscope.analysis.noise.files import perturb_file as p; p(*sys.argv[1:], levels=[30])"
    )
    contents = []
    for seed in ("1", "2"):
        made = tmp_path / seed
        command = [sys.executable, "-c", program, str(EXAMPLE_KEY), str(made)]
        subprocess.run(command, check=True, env={**os.environ, "PYTHONHASHSEED": seed})
        contents.append({path.name: path.read_bytes() for path in made.iterdir()})
    assert contents[0] == contents[1]
    document = perturb(_documents(EXAMPLE_KEY)[1], "drop", 70)
    left = [[node_name(mention.head) for mention in entity] for entity in document.entities]
    assert left == [["9"], ["14", "11"], ["4"], ["1"], ["7"]]  # and in every version of Python


def test_seeds_and_documents_have_noise_of_their_own() -> None:
    document = _documents(EXAMPLE_KEY)[0]
    seeds = {tuple(_mentions(perturb(document, "drop", 50, seed))) for seed in range(5)}
    assert len(seeds) == 5
    document = document._replace(id="another")
    assert tuple(_mentions(perturb(document, "drop", 50))) not in seeds


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"kinds": "drop,mrege"}, "did you mean 'merge'"),
        ({"kinds": []}, "unknown kind"),
        ({"levels": [0, 110]}, "not 110"),
        ({"levels": []}, "nothing"),
    ],
)
def test_wrong_options_are_named(options: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=message):
        perturb_file(EXAMPLE_KEY, tmp_path / "noisy", **options)
    assert not (tmp_path / "noisy").exists()


def test_keys_without_zeros_have_no_noise_in_zeros(tmp_path: Path) -> None:
    key = _random_key(tmp_path, 1, zeros=False, multiword_tokens=False)
    manifest, warnings = perturb_file(key, tmp_path / "noisy", levels=[100])
    assert list(manifest.kinds) == [kind for kind in KINDS if not kind.startswith("zero")]
    assert not [warning for warning in warnings if "could change" in warning]
    _, warnings = perturb_file(key, tmp_path / "noisy", kinds="drop,zero-drop", levels=[100])
    assert "nothing that zero-drop could change: left out" in warnings[-1]
    with pytest.raises(InputError, match="nothing that zero-add could change"):
        perturb_file(key, tmp_path / "noisy", kinds="zero-add")


def test_only_files_of_corefud_are_written_over(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"convert it first"):
        perturb_file(GOLDEN / "conll" / "l00001.key.conll", tmp_path)
    with pytest.raises(OptionError, match="in a file"):
        perturb_file("-", tmp_path)
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="cannot be made"):
        perturb_file(EXAMPLE_KEY, tmp_path / "file")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "cannot be read"),
        ("{", "is no JSON"),
        ("[]", "is not of the schema"),
        ('{"schema": "corefscope-perturbations-1"}', "missing or malformed"),
    ],
)
def test_a_bad_manifest_is_refused(content: str | None, message: str, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / MANIFEST).write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        Manifest.read(tmp_path)


def test_a_manifest_names_files_of_its_directory_only(folder: Path, tmp_path: Path) -> None:
    content = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    for name in ("../../etc/passwd", "/etc/passwd", "..", 7):
        content["kinds"]["drop"]["files"][0]["file"] = name
        (tmp_path / MANIFEST).write_text(json.dumps(content), encoding="utf-8")
        with pytest.raises(InputError, match="missing or malformed"):
            Manifest.read(tmp_path)


def test_a_key_that_changed_is_noticed(tmp_path: Path) -> None:
    key = _random_key(tmp_path, 1)
    manifest, _ = perturb_file(key, tmp_path / "noisy", kinds="drop", levels=[0])
    assert manifest.key_path(tmp_path / "noisy") == str(key)
    key.write_text(key.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    with pytest.raises(InputError, match="is not the one that these files were made from"):
        manifest.key_path(tmp_path / "noisy")
    key.unlink()
    with pytest.raises(InputError, match="there is no key"):
        manifest.key_path(tmp_path / "noisy")


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def run(*arguments: str) -> int:
        parser = Parser()
        command.add_arguments(parser)
        options = parser.parse_args([str(EXAMPLE_KEY), *arguments])
        return guarded(lambda: command.run(options))

    noisy = str(tmp_path / "noisy")
    assert run("-o", noisy, "--kinds", "drop,merge", "--step", "40", "--seed", "3") == 0
    assert "8 files" in capsys.readouterr().out
    manifest = Manifest.read(noisy)
    assert manifest.seed == 3
    assert [file.level for file in manifest.kinds["merge"]] == [0, 40, 80, 100]
    assert run("-o", noisy, "--step", "0") == 2
    assert run("-o", noisy, "--kinds", "nothing") == 2
    assert capsys.readouterr().err.count("error") == 2
    assert run("-o", noisy, "--kinds", "drop", "-q") == 0
    assert not capsys.readouterr().out
    assert all(row.title in command.EXAMPLES for name, row in PERTURBATIONS.items() if name in OF_KEYS)


@pytest.mark.skipif(not (SHARED / "data" / "gum-dev.key.conllu").exists(), reason="GUM-dev is not at hand")
def test_a_real_corpus_reads_back(tmp_path: Path) -> None:
    key = SHARED / "data" / "gum-dev.key.conllu"
    perturb_file(key, tmp_path, kinds="merge", levels=[60])
    for document, read in zip(_documents(key), _documents(tmp_path / "merge-060.conllu"), strict=True):
        expected = Counter(map(frozenset, perturb(document, "merge", 60).entities))
        assert Counter(map(frozenset, read.entities)) == expected


@pytest.mark.parametrize(
    ("directory", "key", "seen"),
    [
        ("C:\\noise", "C:\\keys\\a.conllu", "../keys/a.conllu"),
        ("D:\\noise", "C:\\keys\\a.conllu", "C:\\keys\\a.conllu"),
    ],
)
def test_a_manifest_names_its_key_on_windows_too(
    directory: str, key: str, seen: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the separator of all systems; from another drive no relative path leads to it."""
    monkeypatch.setattr("corefscope.analysis.noise.files.os", SimpleNamespace(path=ntpath, sep="\\"))
    assert _relative_path(directory, key) == seen


@pytest.mark.parametrize("kind", ["zero-drop", "zero-add", "zero-misattach", "drop", "boundary"])
@pytest.mark.parametrize("seed", range(6))
def test_noise_in_ua_whose_words_are_numbered_through_the_document(kind: str, seed: int, tmp_path: Path) -> None:
    key = tmp_path / "key.conllua"
    key.write_text(ua_zeros.random_ua(seed), encoding="utf-8")
    before = ua_zeros.read(key.read_text(encoding="utf-8"))
    manifest, _ = perturb_file(key, tmp_path / "noisy", kinds=kind, levels=[0, 50, 100])
    for file in manifest.kinds[kind]:
        after = ua_zeros.read((tmp_path / "noisy" / file.name).read_text(encoding="utf-8"))
        assert after.words == before.words
        lost, new = before.mentions, after.mentions
        for mention in [*lost]:
            if mention in new:
                lost.remove(mention)
                new.remove(mention)
        removed, added = {"zero-drop": (1, 0), "zero-add": (0, 1), "drop": (1, 0)}.get(kind, (1, 1))
        assert (len(lost), len(new)) == (removed * file.changes, added * file.changes)
        if kind.startswith("zero"):
            assert all(zeros for _, zeros, _ in [*lost, *new])
        if added and kind.startswith("zero"):
            assert len(after.items) - len(before.items) == file.changes
            for item, place in zip(after.items, after.places, strict=True):
                if (*place, 0) in new:
                    assert item.governor is not None
                    assert not after.items[item.governor].is_zero
        else:
            assert [item[:2] for item in after.items] == [item[:2] for item in before.items]
