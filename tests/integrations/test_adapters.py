"""Adapters on the classes of Stanza and fastcoref themselves, without any model: their documents are made by hand."""

from __future__ import annotations

from typing import Any

import pytest

from corefscope import InputError, from_fastcoref, from_stanza
from frameworks import WITH_FRAMEWORKS, framework

pytestmark = WITH_FRAMEWORKS
TEXT = "Ada Lovelace met Charles Babbage. She admired his engine."
SENTENCES = [["Ada", "Lovelace", "met", "Charles", "Babbage", "."], ["She", "admired", "his", "engine", "."]]
TOKENS = [word for sentence in SENTENCES for word in sentence]
CLUSTERS = [[(0, 2), (6, 7)], [(3, 5), (8, 9)]]
CHARACTERS = [[(0, 12), (34, 37)], [(17, 32), (46, 49)]]


def _stanza_document() -> Any:
    doc = framework("stanza.models.common.doc", "stanza")
    words = [[{"id": number, "text": word} for number, word in enumerate(s, 1)] for s in SENTENCES]
    return doc.Document(words)


def _chain(number: int, *mentions: Any) -> Any:
    chains = framework("stanza.models.coref.coref_chain", "stanza")
    return chains.CorefChain(number, [chains.CorefMention(*mention) for mention in mentions], "", 0)


def test_documents_of_stanza() -> None:
    document = _stanza_document()
    with pytest.raises(InputError, match="no coref processor has run"):
        from_stanza(document)
    document.coref = [_chain(0, (0, 0, 2), (1, 0, 1)), _chain(1, (0, 3, 5), (1, 2, 3))]
    assert from_stanza(document) == CLUSTERS
    document.coref = []  # a processor that found nothing
    assert from_stanza(document) == []


def test_zeros_of_stanza() -> None:
    doc = framework("stanza.models.common.doc", "stanza")
    words = [[{"id": 1, "text": "Vino"}, {"id": (1, 1), "text": "_"}, {"id": 2, "text": "."}]]
    document = doc.Document(words)
    document.coref = [_chain(0, (0, 0, 1), (0, (1, 1), (1, 1)))]
    assert from_stanza(document) == [[(0, 1), (1, 1, 1)]]


def _fastcoref(text: Any, spans: list[list[Any]]) -> Any:
    """A result as ``FCoref.predict`` makes it: spans of the model's own pieces, and a map to what was given."""
    numbered = [[(number, place) for place in range(len(cluster))] for number, cluster in enumerate(spans)]
    char_map = {
        piece: (index, span)
        for pieces, cluster in zip(numbered, spans, strict=True)
        for index, (piece, span) in enumerate(zip(pieces, cluster, strict=True))
    }
    result = framework("fastcoref.modeling", "fastcoref").CorefResult
    return result(text=text, clusters=numbered, char_map=char_map, reverse_char_map={}, coref_logit=None, text_idx=0)


def test_results_of_fastcoref() -> None:
    tokens = _fastcoref(TOKENS, CLUSTERS)
    assert from_fastcoref(tokens) == CLUSTERS
    text = _fastcoref(TEXT, CHARACTERS)
    assert text.get_clusters()[0] == ["Ada Lovelace", "She"]
    assert from_fastcoref(text, characters=True) == CHARACTERS
    assert from_fastcoref(text, tokens=TOKENS) == CLUSTERS
    with pytest.raises(InputError, match="character offsets"):
        from_fastcoref(text)


def test_mentions_on_special_tokens_of_fastcoref_are_nowhere() -> None:
    """Such a mention has no place in what was given; fastcoref leaves it out of its own strings."""
    prediction = _fastcoref(TEXT, [[*CHARACTERS[0], None], [None]])
    prediction.char_map.update({piece: (None, None) for piece, (_, span) in prediction.char_map.items() if not span})
    assert prediction.get_clusters() == [["Ada Lovelace", "She"], []]
    assert from_fastcoref(prediction, tokens=TOKENS) == CLUSTERS[:1]
