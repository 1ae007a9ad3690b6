"""fastcoref: what ``FCoref.predict`` and ``LingMessCoref.predict`` return."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...base.errors import InputError
from .characters import characters_to_tokens
from .shapes import Shape, Span

SHAPE = Shape(
    "a CorefResult with text and get_clusters(as_strings=False), as FCoref.predict returns them,"
    " or a line of its output_file: {'text': …, 'clusters': [[[start, end], …], …]}"
)


def from_fastcoref(
    prediction: object, *, tokens: Sequence[str] | Sequence[Span] | None = None, characters: bool = False
) -> list[list[Span]]:
    """The clusters of one prediction; of ``predict(texts=[…])`` take the items one by one.

    fastcoref given **tokens** (``is_split_into_words=True``) counts tokens, the end not included, as everywhere here.
    Given **text**, it counts *characters* (fastcoref, ``utilities/util.py``), which no key of tokens agrees with.
    Then say which of the two is wanted.

    Parameters
    ----------
    prediction
        A ``CorefResult``, or a line that ``predict(…, output_file=…)`` wrote, after ``json.loads``.
    tokens
        The tokens of the key, as strings in the order of the text or as (start, end) character offsets: mentions
        become spans of tokens, as :func:`characters_to_tokens` does it.
    characters
        Leave characters as they are, to be scored against character offsets.
    """
    if isinstance(prediction, Mapping):
        text, clusters = (SHAPE.field(prediction, name, "the prediction") for name in ("text", "clusters"))
    else:
        text = SHAPE.attribute(prediction, "text", "the prediction")
        clusters = _clusters_of(prediction)
    if not isinstance(text, str):
        if characters:
            SHAPE.refuse("the prediction was made from tokens: it has no character offsets")
        words = SHAPE.items(text, "the text of the prediction")
        return SHAPE.clusters(clusters, "clusters", SHAPE.spans(len(words)))
    spans = SHAPE.clusters(clusters, "clusters", SHAPE.spans(len(text), "character"))
    if tokens is not None:
        return characters_to_tokens(spans, tokens, text)
    if not characters:
        raise InputError(
            "the prediction was made from text, so its spans are character offsets, which no tokens agree with",
            hint="give the tokens of the key, tokens=[…], or score characters against characters, characters=True",
        )
    return spans


def _clusters_of(prediction: object) -> Any:
    get_clusters = SHAPE.attribute(prediction, "get_clusters", "the prediction")
    try:
        return get_clusters(as_strings=False)
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        SHAPE.refuse(f"get_clusters(as_strings=False) of the prediction fails: {error}")
