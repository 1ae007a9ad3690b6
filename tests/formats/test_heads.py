"""Heads from the trees, against a twin that knows the trees and spans from which the files were written."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import corefscope
from corefscope import InputError, OptionError
from corefscope.cli import main
from corefscope.comparison.signature import read_signature
from corefscope.core.document import Document, Relation
from corefscope.core.options import Options
from corefscope.core.positions import position
from corefscope.core.request import Request
from corefscope.formats.detection import read_documents
from corefscope.formats.heads import with_tree_heads
from examples import seeds
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE

TREE = """\
# newdoc id = d
# global.Entity = eid-etype-head
1\tthe\t_\tDET\t_\t_\t3\tdet\t_\tEntity=(e1-x-3
2\told\t_\tADJ\t_\t_\t3\tamod\t_\t_
3\thouse\t_\tNOUN\t_\t_\t4\tnsubj\t_\tEntity=e1)
4\tfell\t_\tVERB\t_\t_\t0\troot\t_\t_

1\tit\t_\tPRON\t_\t_\t0\troot\t_\tEntity=(e1-x-1)
"""
Tree = dict[str, str]
"""The HEAD of each word, by its id."""


def twin(nodes: list[str], tree: Tree) -> int:
    """Which node of a mention is its head, counted from 1: the definition, node by node."""
    words = [node for node in nodes if "." not in node]
    for word in words:
        if tree[word] not in nodes:
            return nodes.index(word) + 1
    return nodes.index(words[0]) + 1 if words else 1


class Written:
    """Random sentences with random trees, empty nodes and mentions; the heads are up to the caller."""

    def __init__(self, seed: int) -> None:
        chance = random.Random(seed)
        self.sentences: list[tuple[list[str], Tree, dict[str, str]]] = []
        for _ in range(chance.randint(1, 4)):
            words = chance.randint(1, 7)
            nodes: list[str] = []
            deps: dict[str, str] = {}
            for word in range(1, words + 1):
                nodes.append(str(word))
                for minor in range(1, chance.choice([0, 0, 0, 1, 2]) + 1):
                    nodes.append(f"{word}.{minor}")
                    deps[nodes[-1]] = f"{chance.randint(0, words)}:r{chance.randint(1, 2)}"
            # Any parent but itself: circles too.
            tree = {str(w): str(chance.choice([p for p in range(words + 1) if p != w])) for w in range(1, words + 1)}
            self.sentences.append((nodes, tree, deps))

    def mentions(self, seed: int) -> list[dict[int, tuple[int, int]]]:
        """For each sentence by entity the first and last node of its mention."""
        chance = random.Random(seed)
        every = []
        for nodes, _, _ in self.sentences:
            spans = {entity: sorted(chance.choices(range(len(nodes)), k=2)) for entity in chance.sample(range(4), 3)}
            every.append({entity: (first, last) for entity, (first, last) in spans.items()})
        return every

    def text(self, mentions: list[dict[int, tuple[int, int]]], head: Callable[[list[str], Tree], int]) -> str:
        lines = ["# global.Entity = eid-etype-head-other", "# newdoc id = d"]
        for number, ((nodes, tree, deps), spans) in enumerate(zip(self.sentences, mentions, strict=True)):
            cells = dict.fromkeys(nodes, "")
            for entity, (first, last) in spans.items():
                if first < last:
                    cells[nodes[last]] += f"e{entity})"
            for entity, (first, last) in spans.items():
                where = head(nodes[first : last + 1], tree)
                cells[nodes[first]] += f"(e{entity}-x-{where}-" + (")" if first == last else "")
            lines.append(f"# sent_id = s{number}")
            for node in nodes:
                misc = f"Entity={cells[node]}" if cells[node] else "_"
                columns = ["_", "_", deps[node]] if node in deps else [tree[node], "dep", "_"]
                lines.append("\t".join([node, "w", "_", "_", "_", "_", *columns, misc]))
            lines.append("")
        return "\n".join([*lines, ""])


@pytest.mark.parametrize("seed", seeds(150))
def test_tree_heads_are_the_heads_that_the_definition_names(seed: int, tmp_path: Path) -> None:
    written, chance = Written(seed), random.Random(seed)
    paths = {}
    for side in ("key", "response"):
        mentions = written.mentions(seed if side == "key" else seed + 1000)
        for name, head in {"any": lambda nodes, _: chance.randint(1, len(nodes)), "tree": twin}.items():
            paths[side, name] = tmp_path / f"{side}-{name}.conllu"
            paths[side, name].write_text(written.text(mentions, head))
        (read,), (expected,) = (list(read_documents(paths[side, name])) for name in ("any", "tree"))
        assert with_tree_heads(read).entities == expected.entities
    ours = corefscope.score(paths["key", "any"], paths["response", "any"], heads="tree", singletons="keep")
    theirs = corefscope.score(paths["key", "tree"], paths["response", "tree"], singletons="keep")
    assert dict(ours) == dict(theirs)
    assert ours.signature == theirs.signature.replace("|v", "|heads:tree|v")


LINES = """\
# global.Entity = eid-etype-head-other
# newdoc id = d
# sent_id = s
1\tthe\t_\t_\t_\t_\t2\tdet\t_\tEntity=(e1-x-1-
2\thouse\t_\t_\t_\t_\t4\tnsubj\t_\t_
2.1\t_\t_\t_\t_\t_\t_\t_\t4:nsubj\tEntity=e1)(e2-x-2-
2.2\t_\t_\t_\t_\t_\t_\t_\t1:obj\tEntity=e2)
3\tnot\t_\t_\t_\t_\t4\tadvmod\t_\tEntity=(e1-x-1-(e2-x-1-
3.1\t_\t_\t_\t_\t_\t_\t_\t4:obl\tEntity=e2)
4\tfell\t_\t_\t_\t_\t0\troot\t_\tEntity=e1)

"""


def _read(folder: Path) -> Document:
    path = folder / "file.conllu"
    path.write_text(LINES)
    (document,) = read_documents(path)
    return document


def test_the_first_word_that_depends_on_a_word_outside_is_the_head(tmp_path: Path) -> None:
    (house, fell), (zeros, negated) = with_tree_heads(_read(tmp_path)).entities
    assert [mention.head for mention in (house, fell)] == [position(1, 2), position(1, 4)]
    assert negated.head == position(1, 3)
    assert not house.dependencies
    assert not negated.dependencies
    assert zeros.head == position(1, 2, 1)


def test_a_zero_has_the_dependencies_of_its_new_head(tmp_path: Path) -> None:
    document = _read(tmp_path)
    before, after = document.entities[1][0], with_tree_heads(document).entities[1][0]
    assert before.positions == after.positions
    assert (before.head, before.dependencies) == (position(1, 2, 2), ((position(1, 1), "obj"),))
    assert (after.head, after.dependencies) == (position(1, 2, 1), ((position(1, 4), "nsubj"),))


def test_mentions_in_relations_change_alike(tmp_path: Path) -> None:
    document = _read(tmp_path)
    house = document.entities[0][0]
    with_relation = document._replace(relations=(Relation("bridging", (house,), (document.entities[1],)),))
    changed = with_tree_heads(with_relation)
    assert changed.relations[0].anaphor == (changed.entities[0][0],)
    assert changed.relations[0].targets == (changed.entities[1],)


def test_mentions_without_a_tree_have_their_first_word(tmp_path: Path) -> None:
    path = tmp_path / "file.conllu"
    path.write_text("\n".join(_without_head(line) for line in LINES.split("\n")))
    (document,) = read_documents(path)
    assert [mention.head for mention in with_tree_heads(document).entities[0]] == [position(1, 1), position(1, 3)]


def _without_head(line: str) -> str:
    columns = line.split("\t")
    return "\t".join([*columns[:6], "_", *columns[7:]]) if len(columns) == 10 else line


def test_heads_are_part_of_options_and_signature_only_where_used() -> None:
    assert Options.parse("corefud|match:head|heads:tree") == Options(heads="tree")
    assert "heads" not in Request({"heads": "file"}).options.signature
    request = Request({"heads": "tree", "match": "head", "zeros": "dependent", "singletons": "drop"})
    assert request.options.signature.startswith(
        "corefud|match:head|zeros:dependent|singletons:drop|rules:corefud-1.2|heads:tree|v"
    )
    assert Request(read_signature(request.options.signature).arguments).options == request.options
    for wrong in ("trees", "Tree"):
        with pytest.raises(OptionError, match=r"unknown heads .*choose from: file, tree"):
            Request({"heads": wrong})  # type: ignore[typeddict-item]
    with pytest.raises(OptionError, match="unknown heads 'file'"):
        Options.parse("corefud|match:head|heads:file")


def test_formats_without_dependencies_are_refused_with_the_reason(tmp_path: Path) -> None:
    conll = tmp_path / "key.conll"
    conll.write_text("#begin document (d); part 000\nd 0 0 Ann (0)\n\n#end document\n")
    calls: list[Callable[[], Any]] = [
        lambda: corefscope.score(conll, conll, heads="tree"),
        lambda: corefscope.compare(conll, [conll], heads="tree"),
        lambda: corefscope.curves(conll, heads="tree"),
    ]
    for call in calls:
        with pytest.raises(InputError, match=r"key\.conll: has no dependencies to find heads in: it is conll"):
            call()


def test_a_response_without_dependencies_has_those_of_the_key(tmp_path: Path) -> None:
    """Its words are those of the key, whatever its sentences: the heads are those that the key's trees give."""
    key = tmp_path / "key.conllu"
    key.write_text(TREE, encoding="utf-8")
    words = ["the", "old", "house", "fell", "it"]
    for sentences in ([words[:4], words[4:]], [words]):
        response = tmp_path / "response.jsonl"
        document = {"doc_key": "d", "sentences": sentences, "clusters": [[[1, 2], [4, 4]]]}
        response.write_text(json.dumps(document), encoding="utf-8")
        by_tree = corefscope.score(key, response, heads="tree")
        assert by_tree["conll"].f1 == 1
        assert not by_tree.warnings
        by_first_word = corefscope.score(key, response)
        assert by_first_word["conll"].f1 < 1
        assert "--heads tree finds them in the dependencies of the key" in by_first_word.warnings[0]
    document = {"doc_key": "d", "sentences": [[word] for word in words], "clusters": [[[2, 2], [4, 4]]]}
    response.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(InputError, match="other sentences than the key"):
        corefscope.score(key, response, heads="tree")
    assert corefscope.score(key, response, heads="tree", words="align")["conll"].f1 == 1


def _with_first_word_heads(tmp_path: Path) -> Path:
    """The response of the example as a system writes it that has no heads: 1 for every mention."""
    path = tmp_path / "first-words.conllu"
    text = EXAMPLE_RESPONSE.read_text(encoding="utf-8")
    path.write_text(re.sub(r"(\(e\d+(?:\[[^\]]*\])?-[a-z]+)-\d+", r"\1-1", text), encoding="utf-8")
    return path


def test_heads_of_one_side_leave_the_other_side_alone(tmp_path: Path) -> None:
    """The heads of the example are those of the trees: each side can be restored on its own, and only that side."""
    key, spoilt = EXAMPLE_KEY, _with_first_word_heads(tmp_path)
    restored = corefscope.score(key, spoilt, heads="response=tree")
    assert dict(restored) == dict(corefscope.score(key, EXAMPLE_RESPONSE))
    assert "|heads:response=tree|" in restored.signature
    assert Options.parse(restored.signature).heads == "response=tree"
    plain = corefscope.score(key, spoilt)
    assert plain["conll"].f1 < 0.5 < restored["conll"].f1
    assert dict(corefscope.score(key, spoilt, heads="key=tree")) == dict(plain)
    both = corefscope.score(spoilt, spoilt, heads="tree")
    assert dict(corefscope.score(spoilt, key, heads="key=tree")) == dict(corefscope.score(spoilt, key, heads="tree"))
    assert both["conll"].f1 == 1
    with pytest.raises(OptionError, match="heads 'key=tree' treat key and response differently"):
        corefscope.agree([key, spoilt], heads="key=tree")


def test_only_the_side_with_tree_heads_needs_dependencies(tmp_path: Path) -> None:
    key, response = tmp_path / "key.conllu", tmp_path / "response.jsonl"
    key.write_text(TREE, encoding="utf-8")
    document = {
        "doc_key": "d",
        "sentences": [["the", "old", "house", "fell"], ["it"]],
        "clusters": [[[1, 2], [4, 4]]],
    }
    response.write_text(json.dumps(document), encoding="utf-8")
    assert corefscope.score(key, response, heads="response=tree")["conll"].f1 == 1
    assert corefscope.score(response, key, heads="response=tree", match="head", words="align").warnings
    with pytest.raises(InputError, match="has no dependencies to find heads in"):
        corefscope.score(response, key, heads="key=tree")


def test_heads_that_were_never_set_are_warned_of(tmp_path: Path) -> None:
    """One other head is enough for silence; so are a match that needs none, and heads of trees."""
    spoilt = _with_first_word_heads(tmp_path)
    remedy = (
        f"{spoilt}: each of the 16 mentions of several words has its first word as head, as if heads were not set"
    )
    (warning,) = corefscope.score(EXAMPLE_KEY, spoilt).warnings
    assert warning.startswith(remedy)
    assert "--heads response=tree" in warning
    (warning,) = corefscope.score(spoilt, EXAMPLE_RESPONSE).warnings
    assert "--heads key=tree" in warning
    for arguments in ({"heads": "response=tree"}, {"heads": "tree"}, {"match": "exact"}):
        assert not corefscope.score(EXAMPLE_KEY, spoilt, **arguments).warnings  # type: ignore[arg-type]
    assert not corefscope.score(EXAMPLE_KEY, EXAMPLE_RESPONSE).warnings
    spoilt.write_text(spoilt.read_text(encoding="utf-8").replace("(e1-person-1", "(e1-person-2", 1), encoding="utf-8")
    assert not corefscope.score(EXAMPLE_KEY, spoilt).warnings


def test_heads_that_were_never_set_are_noticed_by_any_number_of_processes(tmp_path: Path) -> None:
    """Neither half of the documents has enough mentions on its own."""
    spoilt = _with_first_word_heads(tmp_path)
    one, two = (corefscope.score(EXAMPLE_KEY, spoilt, jobs=jobs) for jobs in (1, 2))
    assert one.warnings == two.warnings


@pytest.mark.parametrize(("group", "titles"), [("cai-strube", "B³₀, B³_all"), ("popescu-belis", "MUC (P-B)")])
def test_dropped_singletons_are_noted_for_measures_whose_authors_score_them(group: str, titles: str) -> None:
    (warning,) = corefscope.score(EXAMPLE_KEY, EXAMPLE_RESPONSE, metrics=group).warnings
    assert titles in warning
    assert warning.endswith("score them: --singletons keep")
    assert not corefscope.score(EXAMPLE_KEY, EXAMPLE_RESPONSE, metrics=group, singletons="keep").warnings
    assert not corefscope.score(EXAMPLE_KEY, EXAMPLE_RESPONSE, metrics="corefud").warnings


def test_the_command_line_takes_heads(capsys: pytest.CaptureFixture[str]) -> None:
    pair = [str(EXAMPLE_KEY), str(EXAMPLE_RESPONSE)]
    for command in (["score", *pair], ["compare", *pair], ["errors", *pair], ["agree", *pair], ["curves", pair[0]]):
        assert main([*command, "--heads", "tree", "--quiet"]) == 0
        assert "|heads:tree|" in "".join(capsys.readouterr().out.split())
