"""AllenNLP: what ``CorefPredictor.predict`` returns."""

from __future__ import annotations

from .shapes import Shape, Span

SHAPE = Shape("{'document': [words], 'clusters': [[[start, end], …], …]}, as CorefPredictor.predict returns it")


def from_allennlp(output: object) -> list[list[Span]]:
    """The clusters of ``predictor.predict(document=text)``, or of ``predict_tokenized(words)``.

    AllenNLP counts tokens through the document and *includes* the last one: its predictor replaces mentions with
    ``document[start : end + 1]`` (allennlp-models, ``coref/predictors/coref.py``). Keys in the jsonlines format of
    most neural systems count alike: give their words as ``document``.

    >>> from_allennlp({"document": ["Ada", "Lovelace", "saw", "herself"], "clusters": [[[0, 1], [3, 3]]]})
    [[(0, 2), (3, 4)]]
    """
    words = SHAPE.items(SHAPE.field(output, "document", "output"), "output['document']")
    clusters = SHAPE.field(output, "clusters", "output")
    return SHAPE.clusters(clusters, "output['clusters']", SHAPE.spans(len(words), inclusive=True))
