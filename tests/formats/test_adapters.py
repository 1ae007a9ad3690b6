"""Each framework's output, imitated by a small fake, becomes the same clusters; other shapes are refused in words."""

from __future__ import annotations

import ast
import contextlib
import io
import json
import re
import sys
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefscope import InputError, Scorer, score_clusters
from corefscope.formats import adapters
from places import REPOSITORY, SOURCE

TEXT = "Ada Lovelace met Charles Babbage. She admired his engine. It was never built."
SENTENCES = [
    ["Ada", "Lovelace", "met", "Charles", "Babbage", "."],
    ["She", "admired", "his", "engine", "."],
    ["It", "was", "never", "built", "."],
]
TOKENS = [word for sentence in SENTENCES for word in sentence]
OFFSETS = [(0, 3), (4, 12), (13, 16), (17, 24), (25, 32), (32, 33), (34, 37), (38, 45), (46, 49), (50, 56), (56, 57)]
OFFSETS += [(58, 60), (61, 64), (65, 70), (71, 76), (76, 77)]
CLUSTERS = [[(0, 2), (6, 7)], [(3, 5), (8, 9)], [(8, 10), (11, 12)]]
BY_SENTENCE = [[(0, 0, 2), (1, 0, 1)], [(0, 3, 5), (1, 2, 3)], [(1, 2, 4), (2, 0, 1)]]
"""Sentence, start, end: all from 0, the end not included."""


# ---- the frameworks, as far as adapters look at them


class SpacySpan:
    def __init__(self, start: int, end: int) -> None:
        self.start, self.end = start, end
        self.root = SimpleNamespace(i=end - 1)


class SpacyDoc:
    """A Doc is a sequence of tokens; ``spans`` maps names to groups of spans."""

    def __init__(self, words: list[str], **spans: list[SpacySpan]) -> None:
        self.words, self.spans = words, spans

    def __iter__(self) -> Any:
        return iter(self.words)

    def __len__(self) -> int:
        return len(self.words)


class FastcorefResult:
    """A CorefResult keeps subtoken spans and the characters, or tokens, that they stand for."""

    def __init__(self, text: str | list[str], spans: list[list[tuple[int, int]]]) -> None:
        self.text = text
        self.clusters = [tuple((start + 1, end) for start, end in cluster) for cluster in spans]
        self.char_map = {(start + 1, end): (0, (start, end)) for cluster in spans for start, end in cluster}

    def get_clusters(self, as_strings: bool = True) -> list[list[Any]]:
        assert not as_strings
        return [[self.char_map[mention][1] for mention in cluster] for cluster in self.clusters]


@dataclass
class StanzaMention:
    sentence: int
    start_word: Any
    end_word: Any


@dataclass
class StanzaChain:
    index: int
    mentions: list[StanzaMention]
    representative_text: str = ""
    representative_index: int = 0


@dataclass
class StanzaWord:
    coref_chains: list[Any] | None


@dataclass
class StanzaSentence:
    words: list[Any]
    tokens: list[Any] = field(default_factory=list)


@dataclass
class StanzaDocument:
    sentences: list[StanzaSentence]
    coref: list[StanzaChain]


def spacy_doc() -> SpacyDoc:
    """Groups as the span resolver writes them, not in order, with the head clusters and others beside them."""
    return SpacyDoc(
        TOKENS,
        coref_clusters_10=[SpacySpan(*span) for span in CLUSTERS[2]],
        coref_clusters_2=[SpacySpan(*span) for span in CLUSTERS[1]],
        coref_clusters_1=[SpacySpan(*span) for span in CLUSTERS[0]],
        coref_head_clusters_1=[SpacySpan(1, 2), SpacySpan(6, 7)],
        coref_clusters_other=[SpacySpan(0, 1)],
        ruler=[SpacySpan(0, 1)],
    )


def allennlp_output() -> dict[str, Any]:
    return {
        "top_spans": [[0, 1], [3, 4], [6, 6], [8, 8], [8, 9], [11, 11]],
        "predicted_antecedents": [-1, -1, 0, 1, -1, 4],
        "document": TOKENS,
        "clusters": [[[start, end - 1] for start, end in cluster] for cluster in CLUSTERS],
    }


def fastcoref_of_text() -> FastcorefResult:
    characters = [[(OFFSETS[start][0], OFFSETS[end - 1][1]) for start, end in cluster] for cluster in CLUSTERS]
    return FastcorefResult(TEXT, characters)


def fastcoref_of_tokens() -> FastcorefResult:
    return FastcorefResult(TOKENS, CLUSTERS)


def maverick_output() -> dict[str, Any]:
    offsets = [tuple((start, end - 1) for start, end in cluster) for cluster in CLUSTERS]
    return {
        "tokens": TOKENS,
        "clusters_token_offsets": offsets,
        "clusters_char_offsets": None,
        "clusters_token_text": [[" ".join(TOKENS[s : e + 1]) for s, e in cluster] for cluster in offsets],
        "clusters_char_text": None,
    }


def stanza_document() -> StanzaDocument:
    chains = [StanzaChain(at, [StanzaMention(*mention) for mention in c]) for at, c in enumerate(BY_SENTENCE)]
    return StanzaDocument([StanzaSentence(sentence) for sentence in SENTENCES], chains)


def corenlp_annotation() -> dict[str, Any]:
    def mention(sentence: int, start: int, end: int) -> dict[str, Any]:
        indices = {"startIndex": start + 1, "endIndex": end + 1, "headIndex": end, "sentNum": sentence + 1}
        text = " ".join(SENTENCES[sentence][start:end])
        return {"id": 0, "text": text, **indices, "position": [sentence + 1, 1], "isRepresentativeMention": False}

    return {
        "sentences": [
            {"index": at, "tokens": [{"index": n, "word": word} for n, word in enumerate(sentence, 1)]}
            for at, sentence in enumerate(SENTENCES)
        ],
        "corefs": {str(3 + at): [mention(*found) for found in cluster] for at, cluster in enumerate(BY_SENTENCE)},
    }


def coref_data_example() -> dict[str, Any]:
    return {
        "id": "train_1",
        "sentences": [
            {"id": at, "speaker": None, "tokens": [{"id": n, "text": word} for n, word in enumerate(sentence)]}
            for at, sentence in enumerate(SENTENCES)
        ],
        "coref_chains": [[[sentence, start, end - 1] for sentence, start, end in c] for c in BY_SENTENCE],
    }


ADAPTERS: dict[str, tuple[Callable[[Any], Any], Callable[[], Any]]] = {
    "spacy": (adapters.from_spacy, spacy_doc),
    "allennlp": (adapters.from_allennlp, allennlp_output),
    "fastcoref": (adapters.from_fastcoref, fastcoref_of_tokens),
    "fastcoref of text": (lambda thing: adapters.from_fastcoref(thing, tokens=TOKENS), fastcoref_of_text),
    "maverick": (adapters.from_maverick, maverick_output),
    "stanza": (adapters.from_stanza, stanza_document),
    "corenlp": (adapters.from_corenlp, corenlp_annotation),
    "coref_data": (adapters.from_coref_data, coref_data_example),
}


@pytest.mark.parametrize("name", ADAPTERS)
def test_all_frameworks_give_the_same_clusters(name: str) -> None:
    adapter, make = ADAPTERS[name]
    found = adapter(make())
    assert found == CLUSTERS
    assert score_clusters(CLUSTERS, found, metrics="conll")["conll"].f1 == 1.0


def test_a_key_of_one_framework_scores_a_response_of_another() -> None:
    response = allennlp_output()
    response["clusters"] = [[[0, 1], [6, 6]], [[3, 4], [8, 9], [11, 11]]]
    scorer = Scorer(metrics="muc")
    scorer.add(adapters.from_spacy(spacy_doc()), adapters.from_allennlp(response))
    assert tuple(scorer.report()["muc"]) == pytest.approx((2 / 3, 2 / 3, 2 / 3))


def test_whatever_is_like_an_int_will_do() -> None:
    output = {**allennlp_output(), "clusters": np.array([[[0, 1], [6, 6]]])}
    found = adapters.from_allennlp(output)
    assert found == [CLUSTERS[0]]
    assert type(found[0][0][0]) is int


@pytest.mark.parametrize("name", [name for name in ADAPTERS if name != "spacy"])
def test_no_coreference_is_no_clusters(name: str) -> None:
    nothing: dict[str, Any] = {
        "allennlp": {"document": TOKENS, "clusters": []},
        "fastcoref": FastcorefResult(TOKENS, []),
        "fastcoref of text": FastcorefResult(TEXT, []),
        "maverick": {"tokens": TOKENS, "clusters_token_offsets": []},
        "stanza": StanzaDocument([], []),
        "corenlp": {"sentences": [], "corefs": {}},
        "coref_data": {"sentences": [], "coref_chains": []},
    }
    assert ADAPTERS[name][0](nothing[name]) == []


def test_an_object_without_any_sign_of_coreference_is_not_taken_for_one_without_chains() -> None:
    with pytest.raises(InputError, match=r"doc\.spans has no group coref_clusters_1; empty=True"):
        adapters.from_spacy(SpacyDoc(TOKENS))
    with pytest.raises(InputError, match="no group coref_clusters_1, but 'layout_1'; empty=True"):
        adapters.from_spacy(SpacyDoc(TOKENS, layout_1=[SpacySpan(0, 1)]))
    assert adapters.from_spacy(SpacyDoc(TOKENS, layout_1=[SpacySpan(0, 1)]), empty=True) == []
    unseen = StanzaDocument([StanzaSentence([StanzaWord(None)]), StanzaSentence([StanzaWord(None)])], [])
    with pytest.raises(InputError, match="no chains in coref, and its words have no coref_chains"):
        adapters.from_stanza(unseen)
    seen = StanzaDocument([StanzaSentence([StanzaWord([])]), StanzaSentence([StanzaWord([])])], [])
    assert adapters.from_stanza(seen) == []


# ---- what is particular to one framework


def test_spacy_head_clusters_have_a_prefix_of_their_own() -> None:
    assert adapters.from_spacy(spacy_doc(), prefix="coref_head_clusters") == [[(1, 2), (6, 7)]]


def test_spacy_spans_can_be_reduced_to_their_roots() -> None:
    doc = SpacyDoc(TOKENS, coref_clusters_1=[SpacySpan(0, 2), SpacySpan(1, 2), SpacySpan(6, 7)])
    assert adapters.from_spacy(doc, heads=True) == [[(1, 2), (6, 7)]]


def test_a_wrong_prefix_is_not_taken_for_no_coreference() -> None:
    doc = SpacyDoc(TOKENS, coref_head_clusters_1=[SpacySpan(0, 1)])
    with pytest.raises(InputError, match=r"no group coref_clusters_1, but 'coref_head_clusters_1'"):
        adapters.from_spacy(doc)
    with pytest.raises(InputError, match=r"no group coref_clusters_1, but 'coref_head_clusters_1'"):
        adapters.from_spacy(doc, empty=True)


def test_characters_of_fastcoref_are_never_taken_for_tokens() -> None:
    with pytest.raises(InputError, match=r"character offsets(?s:.*)tokens=(?s:.*)characters=True"):
        adapters.from_fastcoref(fastcoref_of_text())
    assert adapters.from_fastcoref(fastcoref_of_text(), characters=True)[0] == [(0, 12), (34, 37)]
    with pytest.raises(InputError, match="made from tokens"):
        adapters.from_fastcoref(fastcoref_of_tokens(), characters=True)


def test_a_line_of_the_output_of_fastcoref_is_read_too() -> None:
    result = fastcoref_of_text()
    line = json.dumps({"text": result.text, "clusters": result.get_clusters(as_strings=False)})
    assert adapters.from_fastcoref(json.loads(line), tokens=OFFSETS) == CLUSTERS


def test_a_failing_get_clusters_is_reported() -> None:
    result = fastcoref_of_text()
    del result.char_map[1, 12]
    with pytest.raises(InputError, match="get_clusters"):
        adapters.from_fastcoref(result, tokens=TOKENS)


def test_zeros_of_stanza_stand_between_words() -> None:
    document = stanza_document()
    document.coref[0].mentions += [StanzaMention(1, (1, 1), (1, 1)), StanzaMention(2, (0, 2), (0, 2))]
    assert adapters.from_stanza(document)[0] == [(0, 2), (6, 7), (7, 7, 1), (11, 11, 2)]
    document.coref[0].mentions = [StanzaMention(1, (6, 1), (6, 1))]
    with pytest.raises(InputError, match="a zero after 6 words of a sentence of 5"):
        adapters.from_stanza(document)


# ---- characters


def test_tokens_are_found_in_the_text_or_given_by_their_offsets() -> None:
    characters = [[(0, 12), (34, 37)]]
    assert adapters.characters_to_tokens(characters, TOKENS, TEXT) == [CLUSTERS[0]]
    assert adapters.characters_to_tokens(characters, OFFSETS) == [CLUSTERS[0]]


@pytest.mark.parametrize(
    ("mention", "message"),
    [
        ((1, 12), r"clusters\[0\]\[0\]: characters 1 to 12 \('da Lovelace'\) do not begin where a token begins"),
        ((0, 6), "do not end where a token ends"),
        ((13, 12), "holds nothing"),
        ((0, 500), "do not end where a token ends"),
        ((0,), "not"),
    ],
)
def test_spans_off_the_boundaries_of_tokens_are_errors(mention: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        adapters.characters_to_tokens([[mention]], TOKENS, TEXT)


@pytest.mark.parametrize(
    ("tokens", "text", "message"),
    [
        (["Ada", "met"], TEXT, r"tokens\[1\], 'met', is not what comes next in the text, ' Lovelace met"),
        (["Ada", ""], TEXT, "not what comes next"),
        (["Ada"], None, "need the text"),
        ([(0, 3), (2, 5)], None, "begins before the token before it ends"),
        ([(0, 0)], None, "is empty"),
        ([3], None, "not a list"),
        ("Ada", TEXT, "not a list"),
    ],
)
def test_tokens_that_do_not_fit_are_errors(tokens: Any, text: str | None, message: str) -> None:
    with pytest.raises(InputError, match=message):
        adapters.characters_to_tokens([], tokens, text)


words = st.lists(st.text("abé.", min_size=1, max_size=4), min_size=1, max_size=8)


@given(words, st.data())
def test_characters_and_tokens_are_the_same_spans(tokens: list[str], data: st.DataObject) -> None:
    offsets, text = [], ""
    for token in tokens:
        text += data.draw(st.sampled_from(["", " ", "\n "]))
        offsets.append((len(text), len(text) + len(token)))
        text += token
    start = data.draw(st.integers(0, len(tokens) - 1))
    end = data.draw(st.integers(start + 1, len(tokens)))
    characters = [[(offsets[start][0], offsets[end - 1][1])]]
    for given_tokens in (tokens, offsets):
        assert adapters.characters_to_tokens(characters, given_tokens, text) == [[(start, end)]]


# ---- malformed objects

SPANS_OFF = {
    "spacy": SpacyDoc(TOKENS, coref_clusters_1=[SpacySpan(0, 17)]),
    "allennlp": {"document": TOKENS, "clusters": [[[0, 16]]]},
    "fastcoref": FastcorefResult(TOKENS, [[(3, 3)]]),
    "fastcoref of text": {"text": TEXT, "clusters": [[(70, 90)]]},
    "maverick": {"tokens": TOKENS, "clusters_token_offsets": [[(4, 3)]]},
    "stanza": StanzaDocument([StanzaSentence(SENTENCES[0])], [StanzaChain(0, [StanzaMention(1, 0, 1)])]),
    "corenlp": {
        "sentences": [{"tokens": SENTENCES[0]}],
        "corefs": {"1": [{"sentNum": 1, "startIndex": 0, "endIndex": 1}]},
    },
    "coref_data": {"sentences": [{"tokens": SENTENCES[0]}], "coref_chains": [[[0, 5, 6]]]},
}


@pytest.mark.parametrize("name", ADAPTERS)
def test_spans_outside_the_document_are_errors(name: str) -> None:
    with pytest.raises(InputError, match=r"hint: expected"):
        ADAPTERS[name][0](SPANS_OFF[name])


@pytest.mark.parametrize("name", ADAPTERS)
@pytest.mark.parametrize("thing", [None, 3, "text", [], {}, object(), SimpleNamespace(text=None), {"clusters": 3}])
def test_other_objects_are_refused_with_what_was_expected(name: str, thing: Any) -> None:
    with pytest.raises(InputError, match=r"hint: expected"):
        ADAPTERS[name][0](thing)


junk = st.recursive(
    st.none() | st.integers(-2, 4) | st.text("ab", max_size=2) | st.floats(0, 1),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab", max_size=1), inner, max_size=2),
    max_leaves=8,
)


@pytest.mark.parametrize("name", ADAPTERS)
@given(data=st.data())
def test_no_other_exception_ever_comes_out(name: str, data: st.DataObject) -> None:
    """Any part of a sound object is replaced by anything."""
    thing = deepcopy(ADAPTERS[name][1]())
    parts = _parts(thing)
    replace = data.draw(st.sampled_from(parts))
    replace(data.draw(junk))
    with contextlib.suppress(InputError):
        found = ADAPTERS[name][0](thing)
        assert all(isinstance(mention, tuple) for cluster in found for mention in cluster)


def _parts(thing: Any) -> list[Callable[[Any], None]]:
    """A function for each part of an object, however deep, that puts something else in its place."""
    found: list[Callable[[Any], None]] = []
    attributes = getattr(thing, "__dict__", {})
    for name in attributes:
        found += [partial(setattr, thing, name), *_parts(attributes[name])]
    places = thing if isinstance(thing, dict) else range(len(thing)) if isinstance(thing, list) else ()
    for place in places:
        found += [partial(thing.__setitem__, place), *_parts(thing[place])]
    return found


# ---- the package and its page


def test_no_framework_is_imported() -> None:
    for path in (SOURCE / "read" / "adapters").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                assert {alias.name for alias in node.names} <= sys.stdlib_module_names
            if isinstance(node, ast.ImportFrom) and not node.level:
                assert str(node.module).split(".")[0] in sys.stdlib_module_names


PAGE = REPOSITORY / "docs" / "adapters.md"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def _module(name: str, **members: Any) -> ModuleType:
    module = ModuleType(name)
    for member, value in members.items():
        setattr(module, member, value)
    return module


def _frameworks() -> dict[str, ModuleType]:
    """Modules that are to the examples what the frameworks are."""

    class FCoref:
        def predict(self, texts: list[Any], is_split_into_words: bool = False) -> list[FastcorefResult]:
            assert texts == [TOKENS if is_split_into_words else TEXT]
            return [fastcoref_of_tokens() if is_split_into_words else fastcoref_of_text()]

    predictor = SimpleNamespace(predict_tokenized=lambda _: allennlp_output())
    return {
        "spacy": _module("spacy", load=lambda _: lambda _: spacy_doc()),
        "allennlp": _module("allennlp"),
        "allennlp.predictors": _module("allennlp.predictors"),
        "allennlp.predictors.predictor": _module(
            "predictor", Predictor=SimpleNamespace(from_path=lambda _: predictor)
        ),
        "fastcoref": _module("fastcoref", FCoref=FCoref),
        "maverick": _module("maverick", Maverick=lambda: SimpleNamespace(predict=lambda _: maverick_output())),
        "stanza": _module("stanza", Pipeline=lambda *_, **__: lambda _: stanza_document()),
        "datasets": _module("datasets", load_dataset=lambda *_, **__: [coref_data_example()]),
    }


def test_the_examples_of_the_page_print_what_it_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, module in _frameworks().items():
        monkeypatch.setitem(sys.modules, name, module)
    (tmp_path / "lovelace.txt.json").write_text(json.dumps(corenlp_annotation()), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, object] = {}
    blocks = BLOCK.findall(PAGE.read_text(encoding="utf-8"))
    assert len(blocks) >= len(ADAPTERS)
    for block in blocks:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(block, str(PAGE), "exec"), namespace)
        assert printed.getvalue().splitlines() == re.findall(r"^# -> (.*)$", block, flags=re.MULTILINE)


def test_the_page_names_every_adapter() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for name in ("characters_to_tokens", *(name for name in vars(adapters) if name.startswith("from_"))):
        assert f"import {name}" in text
