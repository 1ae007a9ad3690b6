"""``words="align"``: key and response over the same text with other words, in every command that takes files."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from itertools import accumulate, chain, pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefscope
from corefscope.cli import main
from corefscope.core.options import ALIGN, Options
from corefscope.core.request import Request
from corefscope.formats.projection import ProjectionCounts
from examples import examples, seeds
from places import SHARED

Span = tuple[int, int]
"""Start and end in characters without blanks."""
Clusters = list[list[Span]]


# ------------------------------------------------------------------ the same text in other words


class Telling:
    """A text in sentences of words."""

    def __init__(self, sentences: Sequence[Sequence[str]]) -> None:
        self.sentences = [list(words) for words in sentences if words]
        self.words = list(chain.from_iterable(self.sentences))
        self.starts = list(accumulate(map(len, self.words), initial=0))

    def jsonl(self, clusters: Clusters, name: str = "d") -> str:
        spans = [[list(self.span(mention)) for mention in cluster] for cluster in clusters]
        return json.dumps({"doc_key": name, "sentences": self.sentences, "clusters": spans}) + "\n"

    def span(self, mention: Span) -> Span:
        """First and last word."""
        return self.starts.index(mention[0]), self.starts.index(mention[1]) - 1

    def brackets(self, clusters: Clusters, opening: str = "({0}", joint: str = "|") -> list[str]:
        """A cell for each word."""
        cells: list[list[str]] = [[] for _ in self.words]
        named = [(self.span(m), f"e{n}") for n, cluster in enumerate(clusters, 1) for m in cluster]
        for (first, last), id_ in sorted(named, key=lambda each: (each[0][0], -each[0][1])):
            if first == last:
                cells[first].append(opening.format(id_) + ")")
            else:
                cells[first].append(opening.format(id_))
                cells[last].insert(0, f"{id_})")
        return [joint.join(cell) for cell in cells]

    def conll(self, clusters: Clusters) -> str:
        cells = iter(self.brackets(clusters))
        lines = ["#begin document (d); part 000"]
        for words in self.sentences:
            lines += [f"d\t0\t{at}\t{word}\t{next(cells).replace('e', '') or '-'}" for at, word in enumerate(words)]
            lines.append("")
        return "\n".join([*lines, "#end document", ""])

    def conllu(self, clusters: Clusters) -> str:
        cells = iter(self.brackets(clusters, "({0}--1", ""))
        lines = ["# newdoc id = d", "# global.Entity = eid-etype-head"]
        for words in self.sentences:
            for at, word in enumerate(words, 1):
                cell = next(cells)
                lines.append(f"{at}\t{word}" + "\t_" * 7 + (f"\tEntity={cell}" if cell else "\t_"))
            lines.append("")
        return "\n".join([*lines, ""])


SUFFIXES = {"jsonl": "jsonl", "conll": "conll", "conllu": "conllu"}


@st.composite
def told_twice(draw: st.DrawFn) -> tuple[Telling, Telling, Clusters, Clusters]:
    """A text, the same in other words and sentences, and two clusterings whose mentions are words of both."""
    size = draw(st.integers(2, 30))
    letters = "".join(draw(st.lists(st.sampled_from("abcß.'"), min_size=size, max_size=size)))
    place = st.integers(1, size - 1)
    cuts = sorted(draw(st.sets(place))) if size > 1 else []
    bounds = [0, *cuts, size]

    def clusters() -> Clusters:
        """Mentions of one entity do not overlap: brackets of one name would be ambiguous."""
        made: Clusters = []
        for _ in range(draw(st.integers(0, 4))):
            ends = sorted(draw(st.sets(st.sampled_from(bounds), max_size=6)))
            if cluster := list(zip(ends[::2], ends[1::2], strict=False)):
                made.append(cluster)
        return made

    def telling(needed: set[int], sentences: set[int]) -> Telling:
        ends = sorted({0, *needed, *sentences, size})
        pieces = [(start, letters[start:stop]) for start, stop in pairwise(ends)]
        cut: list[list[str]] = []
        for start, piece in pieces:
            if not start or start in sentences:
                cut.append([])
            cut[-1].append(piece)
        return Telling(cut)

    key, response = clusters(), clusters()
    held = set(chain.from_iterable(chain.from_iterable(response)))
    inside = {at for cluster in (*key, *response) for start, stop in cluster for at in range(start + 1, stop)}
    ends = draw(st.sets(st.sampled_from(bounds))) - inside
    others = draw(st.sets(place))
    return telling(set(cuts), ends), telling(held | others, others - inside), key, response


def _score(folder: Path, key: str, response: str, suffix: str, **options: Any) -> corefscope.Report:
    paths = folder / f"key.{suffix}", folder / f"response.{suffix}"
    for path, text in zip(paths, (key, response), strict=True):
        path.write_text(text, encoding="utf-8")
    return corefscope.score(*paths, match="exact", singletons="keep", **options)


@pytest.mark.parametrize("suffix", SUFFIXES)
@examples(120)
@given(case=told_twice())
def test_other_words_and_sentences_give_the_same_scores(
    suffix: str, case: tuple[Telling, Telling, Clusters, Clusters], tmp_path_factory: pytest.TempPathFactory
) -> None:
    told, retold, key, response = case
    folder = tmp_path_factory.mktemp("told")
    write, again = getattr(told, suffix), getattr(retold, suffix)
    plain = _score(folder, write(key), write(response), suffix)
    for align in ALIGN:
        report = _score(folder, write(key), again(response), suffix, words="align", align=align)
        assert dict(report) == dict(plain)
        assert report.rows == plain.rows
        assert report.inputs[1].projection == ProjectionCounts(align, exact=sum(map(len, response)))
    same = _score(folder, write(key), write(response), suffix, words="align")
    assert same.rows == plain.rows


# ------------------------------------------------------------------ files

KEY = [["Ann", "saw", "Bob", "'s", "dog", "."], ["It", "barked", "at", "her", "."]]
WORDS = [["Ann", "saw", "Bob's", "dog."], ["It", "barked", "at", "her."]]
TEXT = "Ann saw Bob's dog. It barked at her."


def _write(folder: Path, name: str, *documents: dict[str, Any]) -> Path:
    path = folder / name
    path.write_text("".join(json.dumps(document) + "\n" for document in documents), encoding="utf-8")
    return path


def _key(folder: Path, name: str = "key.jsonl", key: str = "d") -> Path:
    return _write(folder, name, {"doc_key": key, "sentences": KEY, "clusters": [[[0, 0], [9, 9]], [[2, 4], [6, 6]]]})


def _tokens(folder: Path, name: str = "tokens.jsonl", key: str = "d") -> Path:
    clusters = [[[0, 0], [7, 7]], [[2, 3], [4, 4]]]
    return _write(folder, name, {"doc_key": key, "sentences": WORDS, "clusters": clusters})


def _offsets(*strings: str) -> list[list[int]]:
    return [[TEXT.index(string), TEXT.index(string) + len(string)] for string in strings]


def _text(folder: Path, name: str = "text.jsonl", **fields: Any) -> Path:
    clusters = [_offsets("Ann", "her"), _offsets("Bob's dog", "It")]
    strings = [[TEXT[start:end] for start, end in cluster] for cluster in clusters]
    return _write(folder, name, {"text": TEXT, "clusters": clusters, "clusters_strings": strings, **fields})


def test_mentions_expand_contract_or_are_refused(tmp_path: Path) -> None:
    key, response = _key(tmp_path), _tokens(tmp_path)
    report = corefscope.score(key, response, words="align")
    assert report.inputs[1].projection == ProjectionCounts("expand", exact=4)
    assert list(report.counts("mentions").values()) == [2, 4, 2, 4]
    report = corefscope.score(response, key, words="align")
    assert report["conll"].f1 == 1  # "dog" is expanded to "dog.", as "her" to "her."
    assert report.inputs[1].projection == ProjectionCounts("expand", exact=2, expanded=2)
    report = corefscope.score(response, key, words="align", align="contract")
    assert report.inputs[1].projection == ProjectionCounts("contract", exact=2, contracted=1, dropped=1)
    assert report.options.words == "align-contract"
    with pytest.raises(corefscope.InputError, match=r"key.jsonl:1: the mention 'her' does not begin and end"):
        corefscope.score(response, key, words="align", align="strict")


def test_a_text_is_laid_over_the_words_of_the_key_without_being_asked(tmp_path: Path) -> None:
    key, response = _key(tmp_path), _text(tmp_path)
    report = corefscope.score(key, response)
    assert report["conll"].f1 == 1
    assert report.inputs[1].projection == ProjectionCounts("expand", True, exact=4)
    assert report.inputs[0].projection is None
    assert "|words:align-expand|" in report.signature
    assert list(report.warnings) == [
        f"{response}: counts characters: laid over the words of {key}; 4 mentions exact",
    ]
    assert report.to_dict()["inputs"]["response"]["projection"] == {
        "align": "expand",
        "exact": 4,
        "expanded": 0,
        "contracted": 0,
        "dropped": 0,
        "merged": 0,
        "words_changed": 0,
    }


def test_a_key_that_counts_characters_is_laid_over_the_words_of_the_response(tmp_path: Path) -> None:
    key, response = _text(tmp_path), _tokens(tmp_path)
    report = corefscope.score(key, response, match="exact")
    assert report["conll"].f1 == 1
    assert report.inputs[0].projection == ProjectionCounts("expand", True, exact=2, expanded=2)
    assert report.inputs[1].projection is None
    assert list(report.warnings) == [
        f"{key}: counts characters: laid over the words of {response}; 2 mentions exact, 2 expanded"
    ]
    assert corefscope.score(key, response, words="align").rows == report.rows
    assert corefscope.score(key, response, align="contract").options.words == "align-contract"


def test_two_texts_are_compared_as_they_are(tmp_path: Path) -> None:
    report = corefscope.score(_text(tmp_path), _text(tmp_path, "other.jsonl"), match="exact")
    assert report["conll"].f1 == 1
    assert not any(side.projection for side in report.inputs)
    assert report.options.words == ""
    other = _write(
        tmp_path, "blanks.jsonl", {"text": TEXT.replace(" ", "\n"), "span_clusters": [_offsets("Ann", "her")]}
    )
    with pytest.raises(corefscope.AlignmentError, match=r"texts agree without blanks.*--words align"):
        corefscope.score(_text(tmp_path), other)
    assert corefscope.score(_text(tmp_path), other, words="align", match="exact")["muc"].precision == 1


def test_a_text_over_the_words_of_corefud_is_scored_by_its_defaults(tmp_path: Path) -> None:
    telling = Telling(KEY)
    key = tmp_path / "key.conllu"
    key.write_text(telling.conllu([[(0, 3), (25, 28)], [(6, 14), (15, 17)]]), encoding="utf-8")
    report = corefscope.score(key, _text(tmp_path))
    assert report["conll"].f1 == 1
    assert report.options.match == "head"


def test_differing_words_say_what_would_help(tmp_path: Path) -> None:
    key, response = _key(tmp_path), _tokens(tmp_path)
    with pytest.raises(corefscope.AlignmentError, match=r"(?s)word 3 of sentence 1 is .Bob's.,.*use --words align"):
        corefscope.score(key, response)
    other = _write(tmp_path, "other.jsonl", {"doc_key": "d", "sentences": [["Ann", "saw", "us"]], "clusters": []})
    with pytest.raises(corefscope.AlignmentError) as error:
        corefscope.score(key, other)
    assert "align" not in str(error.value)
    message = "the text of document 'd' is not that of .*key.jsonl: 7 of 29 characters agree"
    with pytest.raises(corefscope.AlignmentError, match=message):
        corefscope.score(key, other, words="align")


def test_documents_are_paired_by_name_or_else_by_order(tmp_path: Path) -> None:
    def documents(words: list[list[str]], *names: str) -> list[dict[str, Any]]:
        last = sum(map(len, words)) - 1
        return [
            {"doc_key": name, "sentences": [*words, [f"{name[0]}!"]], "clusters": [[[0, 0], [last + 1, last + 1]]]}
            for name in names
        ]

    key = _write(tmp_path, "key.jsonl", *documents(KEY, "a; part 000", "b", "c"))
    turned = _write(tmp_path, "turned.jsonl", *documents(WORDS, "c", "a", "b"))
    others = _write(tmp_path, "others.jsonl", *documents(WORDS, "a1", "b1", "c1"))
    for response in (turned, others):
        report = corefscope.score(key, response, words="align", match="exact")
        assert report["conll"].f1 == 1
        assert report.inputs[1].projection == ProjectionCounts("expand", exact=6)
        with pytest.raises(corefscope.AlignmentError, match="document 1 is"):
            corefscope.score(key, response)
    few = _write(tmp_path, "few.jsonl", *documents(WORDS, "c", "a"))
    with pytest.raises(corefscope.AlignmentError, match="document 1 is 'c', but in the key"):
        corefscope.score(key, few, words="align")
    texts = [{"id": name, "text": f"{TEXT} {name[0]}!", "span_clusters": [[[0, 3]]]} for name in ("c1", "a1", "b1")]
    unnamed = _write(tmp_path, "texts.jsonl", *texts)
    report = corefscope.score(key, unnamed)  # by order; the last words are others
    assert report.inputs[1].projection == ProjectionCounts("expand", True, exact=3, words_changed=3)


def test_files_without_words_have_none_to_align(tmp_path: Path) -> None:
    path = tmp_path / "key.json"
    path.write_text('{"d": [["a", "b"]]}', encoding="utf-8")
    with pytest.raises(corefscope.OptionError, match=r"words cannot be aligned in .*clusters: mentions are ids"):
        corefscope.score(path, path, words="align")
    with pytest.raises(corefscope.OptionError, match="align cannot be combined with words ignore"):
        Request({"words": "ignore", "align": "expand"})
    with pytest.raises(corefscope.OptionError, match="unknown align 'grow'"):
        Request({"align": "grow"})  # type: ignore[typeddict-item]


@pytest.mark.parametrize("mode", ALIGN)
def test_signatures_are_read_back(mode: str) -> None:
    options = Request({"words": "align", "align": mode}).options  # type: ignore[typeddict-item]
    assert options.words == f"align-{mode}"
    assert Options.parse(str(Options(words=f"align-{mode}"))).words == f"align-{mode}"
    for wrong in ("align", "align-grow", "grow"):
        with pytest.raises(corefscope.OptionError, match="unknown words"):
            Options.parse(f"{Options()}|words:{wrong}")


def test_counts_are_the_same_with_several_processes(tmp_path: Path) -> None:
    names = [f"d{number}" for number in range(20)]
    key = _write(
        tmp_path, "key.jsonl", *({"doc_key": n, "sentences": KEY, "clusters": [[[0, 0], [9, 9]]]} for n in names)
    )
    clusters = [_offsets("Ann", "he")]
    text = _write(tmp_path, "text.jsonl", *({"doc_key": n, "text": TEXT, "span_clusters": clusters} for n in names))
    one, two = (corefscope.score(key, text, jobs=jobs) for jobs in (1, 2))
    assert one.to_dict() == two.to_dict()
    assert one.inputs[1].projection == ProjectionCounts("expand", True, exact=20, expanded=20)


# ------------------------------------------------------------------ fastcoref


@pytest.mark.parametrize("text", [TEXT, f" {TEXT}\n"])
def test_training_files_of_fastcoref_are_read(text: str, tmp_path: Path) -> None:
    clusters = [[[start + text.index("A"), end + text.index("A")] for start, end in _offsets("Ann", "her")]]
    training = _write(tmp_path, "train.jsonl", {"text": text, "clusters": clusters})
    report = corefscope.score(_key(tmp_path), training)
    assert report["mentions"].precision == 1


@pytest.mark.parametrize(
    ("text", "clusters"),
    [
        ("Ann saw.", [[[4, 7]]]),  # "saw" or "saw."
        ("Ann saw us.", [[[0, 2]]]),  # "An" or "Ann"
        ("Ann saw us.", [[[0, 3], [4, 6]]]),
        ("Ann saw us.", [[[0, 4]]]),
        ("Ann saw us.", [[[3, 7]]]),
        ("Ann", [[[0, 4]]]),
        ("Ann", [[[2, 2]]]),
    ],
)
def test_texts_whose_ends_may_mean_two_things_are_refused(text: str, clusters: object, tmp_path: Path) -> None:
    path = _write(tmp_path, "train.jsonl", {"text": text, "clusters": clusters})
    with pytest.raises(corefscope.InputError, match="clusters over a text may mean two things"):
        corefscope.score(path, path)


STANDOFF = sorted((SHARED / "conformance" / "standoff").glob("d*"))


@pytest.mark.parametrize("folder", STANDOFF, ids=[path.name for path in STANDOFF])
def test_what_fastcoref_writes_says_what_the_key_says(folder: Path) -> None:
    report = corefscope.score(folder / "key.jsonl", folder / "fastcoref.jsonl", match="exact", singletons="keep")
    assert report["conll"].f1 == 1


# ------------------------------------------------------------------ commands


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str, str]:
    """A key, a response in other words, and a text."""
    return str(_key(tmp_path)), str(_tokens(tmp_path)), str(_text(tmp_path))


ALIGNED = ("--words", "align")
COMMANDS = {
    "score": ("score", "{key}", "{response}", *ALIGNED),
    "per document": ("score", "{key}", "{response}", *ALIGNED, "--per-document", "--settings", "head,exact"),
    "baseline": ("score", "{key}", "{response}", *ALIGNED, "--baseline", "{text}"),
    "merged": ("score", "{key}", "{key}", *ALIGNED, "--heads", "file"),
    "compare": ("compare", "{key}", "{response}", "{text}", *ALIGNED),
    "errors": ("errors", "{key}", "{response}", *ALIGNED),
    "diff": ("diff", "{key}", "{response}", *ALIGNED),
    "explain": ("explain", "muc", "{key}", "{response}", *ALIGNED),
    "agree": ("agree", "{key}", "{response}", "{text}", *ALIGNED),
    "report": ("report", "{key}", "{response}", "{text}", *ALIGNED, "-o", "{folder}/page.html"),
    "curves": ("curves", "{key}", "--response", "{response}", *ALIGNED, "--kinds", "drop", "--step", "50"),
}


@pytest.mark.parametrize("command", COMMANDS.values(), ids=[*COMMANDS])
def test_every_command_takes_it(
    command: tuple[str, ...], files: tuple[str, str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = dict(zip(("key", "response", "text"), files, strict=True), folder=str(tmp_path))
    code = main([part.format(**names) for part in command])
    captured = capsys.readouterr()
    assert code == 0, captured.err
    if command[0] not in ("report", "curves", "diff"):
        assert "words:align-expand" in captured.out


UNASKED = {name: tuple(part for part in command if part not in ALIGNED) for name, command in COMMANDS.items()}


@pytest.mark.parametrize("name", [name for name, command in UNASKED.items() if "{response}" in command])
def test_every_command_takes_a_text(
    name: str, files: tuple[str, str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    key, _, text = files
    names = {"key": key, "response": text, "text": text, "folder": str(tmp_path)}
    command = [part.format(**names) for part in UNASKED[name]]
    if name in ("compare", "agree", "report"):
        command.remove(text)  # which is the second response, too
    code = main(command)
    captured = capsys.readouterr()
    assert code == 0, captured.err
    assert f"{text}: counts characters: laid over the words of {key}; 4 mentions exact" in captured.err
    if name not in ("report", "curves", "diff"):
        assert "words:align-expand" in captured.out


def test_the_line_of_a_score_says_what_became_of_mentions(
    files: tuple[str, str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    key, response, _ = files
    assert main(["score", response, key, *ALIGNED]) == 0
    assert "response  over the words of the key: 2 mentions exact, 2 expanded\n" in capsys.readouterr().out


@pytest.mark.parametrize("asked", [True, False])
def test_saved_results_are_verified(asked: bool, files: tuple[str, str, str], tmp_path: Path) -> None:
    key, response, text = files
    saved = str(tmp_path / "saved.json")
    options = ALIGNED if asked else ()
    systems = [response, text] if asked else [str(_key(tmp_path, "same.jsonl")), text]
    assert main(["score", key, text, *options, "-o", saved]) == 0
    assert main(["verify", saved]) == 0
    signature = json.loads(Path(saved).read_text(encoding="utf-8"))["signature"]
    assert main(["score", key, text, "--signature", signature]) == 0
    assert main(["compare", key, *systems, *options, "-o", saved]) == 0
    assert main(["verify", saved]) == 0
    data = tmp_path / "task" / "data"
    data.mkdir(parents=True)
    for name, path in (("key", key), ("one", systems[0]), ("two", text)):
        (data / f"{name}.jsonl").write_text(Path(path).read_text(encoding="utf-8"), encoding="utf-8")
    assert main(["task", str(data.parent), *options, "--jobs", "1", "-o", saved]) == 0
    assert main(["verify", saved]) == 0
    systems_of_task = json.loads(Path(saved).read_text(encoding="utf-8"))["systems"]
    assert len(systems_of_task) == 2
    assert all(
        entry["status"] == "scored" for row in systems_of_task.values() for entry in row["submissions"].values()
    )


def test_a_manifest_may_ask_for_it(files: tuple[str, str, str], tmp_path: Path) -> None:
    key, response, _ = files
    manifest = tmp_path / "task.toml"
    manifest.write_text(
        f'words = "align"\nalign = "contract"\n[datasets]\nd = "{key}"\n[systems]\none = {{ d = "{response}" }}\n',
        encoding="utf-8",
    )
    result = corefscope.score_task(manifest)
    assert result.options.words == "align-contract"


@pytest.mark.parametrize("seed", seeds(10))
def test_texts_that_differ_are_scored_in_any_command(seed: int, tmp_path: Path) -> None:
    """Whatever is replaced, left out or put in: no error, and no more mentions than there were."""
    rng = random.Random(seed)
    changed = re.sub("[a-z]", lambda letter: rng.choice([letter[0]] * 9 + ["", "x", "é "]), TEXT)
    ends = sorted(rng.sample(range(len(changed.rstrip())), 6))
    clusters = [[list(pair) for pair in zip(ends[::2], [end + 1 for end in ends[1::2]], strict=True)]]
    response = _write(tmp_path, "response.jsonl", {"text": changed, "span_clusters": clusters})
    report = corefscope.score(_key(tmp_path), response)
    projection = report.inputs[1].projection
    assert projection is not None
    assert projection.exact + projection.expanded + projection.dropped == 3
    assert report.inputs[1].mentions == 3 - projection.dropped - projection.merged
