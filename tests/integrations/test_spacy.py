"""The scorer of spaCy, in a pipeline of spaCy's own, and the adapter on its own classes."""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any

import pytest

from corefscope import InputError, from_spacy
from frameworks import WITH_FRAMEWORKS, framework
from places import REPOSITORY
from tests.integrations.clusters import figures

spacy = framework("spacy")
pytestmark = WITH_FRAMEWORKS

from corefscope.integrations.spacy import score_coref  # noqa: E402

TEXT = "Ada Lovelace met Charles Babbage. She admired his engine. It was never built."
KEY = [[(0, 12), (34, 37)], [(17, 32), (46, 49)], [(46, 56), (58, 60)]]
RESPONSE = [[(0, 12), (34, 37), (46, 49)], [(46, 56), (58, 60)]]
NAME = "corefscope.coref_scorer.v1"


def groups(doc: Any, clusters: list[list[tuple[int, int]]], prefix: str = "coref_clusters") -> Any:
    """The clusters as span groups of a ``Doc``."""
    for number, cluster in enumerate(clusters, 1):
        doc.spans[f"{prefix}_{number}"] = [doc.char_span(*span) for span in cluster]
    return doc


def pipeline(**options: Any) -> Any:
    """One whose component finds the response, and is scored by ours."""

    class Finder:
        def __init__(self, scorer: Any) -> None:
            self.scorer = scorer

        def __call__(self, doc: Any) -> Any:
            return groups(doc, RESPONSE)

        def score(self, examples: Any, **further: Any) -> Any:
            return self.scorer(examples, **further)

    def make(nlp: Any, name: str, scorer: Any) -> Finder:  # noqa: ARG001
        return Finder(scorer)

    nlp = spacy.blank("en")
    spacy.Language.factory("corefscope_finder", default_config={"scorer": {"@scorers": NAME}}, func=make)
    nlp.add_pipe("corefscope_finder", name="coref", config={"scorer": {"@scorers": NAME, **options}})
    return nlp


@pytest.mark.parametrize("options", [{}, {"metrics": "muc,lea"}, {"preset": "conll12"}])
def test_a_pipeline_is_evaluated_by_its_scorer(options: dict[str, Any]) -> None:
    nlp = pipeline(**options)
    example = spacy.training.Example(nlp.make_doc(TEXT), groups(nlp.make_doc(TEXT), KEY))
    scores = nlp.evaluate([example])
    expected = figures([(KEY, RESPONSE)], **options)
    assert scores["coref_muc_r"] == pytest.approx(expected["muc/recall"])
    ours = {name for name in scores if name.startswith("coref_")}
    assert len(ours) == len(expected)
    if "conll/f1" in expected:
        assert scores["coref_conll_f"] == pytest.approx(expected["conll/f1"])


def test_sides_with_other_tokens_are_compared_by_their_characters() -> None:
    nlp = spacy.blank("en")
    words = [*TEXT.replace(".", " .").split()]
    other = groups(spacy.tokens.Doc(nlp.vocab, words=["Ada Lovelace", *words[2:]]), [])
    other.spans["coref_clusters_1"] = [other[0:1], other[5:6]]
    key = groups(nlp.make_doc(TEXT), [KEY[0]])
    assert len(other) == len(key) - 1
    assert score_coref([spacy.training.Example(other, key)])["coref_conll_f"] == 1
    different = spacy.training.Example(nlp.make_doc("Something else."), key)
    with pytest.raises(InputError, match="the texts of an example differ"):
        score_coref([different])


def test_a_response_without_groups_is_one_without_clusters() -> None:
    nlp = spacy.blank("en")
    example = spacy.training.Example(nlp.make_doc(TEXT), groups(nlp.make_doc(TEXT), KEY))
    assert score_coref([example])["coref_muc_r"] == 0


def test_installing_registers_the_scorer() -> None:
    """The entry point names what is there; spaCy asks for it by the name of the group."""
    text = (REPOSITORY / "pyproject.toml").read_text(encoding="utf-8")
    found = re.search(rf'\[project.entry-points.spacy_scorers\]\n"{NAME}" = "([\w.]+):(\w+)"', text)
    assert found
    assert getattr(import_module(found[1]), found[2]) is spacy.registry.scorers.get(NAME)


def test_the_adapter_reads_real_documents() -> None:
    nlp = spacy.blank("en")
    doc = groups(nlp(TEXT), KEY)
    assert from_spacy(doc) == [[(0, 2), (6, 7)], [(3, 5), (8, 9)], [(8, 10), (11, 12)]]
    assert from_spacy(groups(nlp(TEXT), KEY, "coref_head_clusters"), prefix="coref_head_clusters") == from_spacy(doc)
    for token in doc:
        token.head = doc[max(token.i - 1, 0)]  # a tree, so that spans have roots
    assert from_spacy(doc, heads=True) == [[(0, 1), (6, 7)], [(3, 4), (8, 9)], [(8, 9), (11, 12)]]
    stored = spacy.tokens.Doc(nlp.vocab).from_bytes(doc.to_bytes())
    assert from_spacy(stored) == from_spacy(doc)
    with pytest.raises(InputError, match="has no group coref_clusters_1"):
        from_spacy(nlp(TEXT))
