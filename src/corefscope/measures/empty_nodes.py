"""Empty nodes themselves, whether or not they are mentions: R = |K ∩ R| / |K|, P = |K ∩ R| / |R|

K and R are the empty nodes of key and response in a sentence, as multisets: a node is the parent of the first item
of its DEPS, and what else the metric asks for. Two nodes that look alike count twice.

- ``empty_arc``: the parent alone. What follows is compared besides.
- ``empty_dep``: the relation of the first item of DEPS.
- ``empty_wo``: the place in the sentence, which is the number before the point of the id.
- ``empty_dep_wo``: relation and place.
- ``empty_form``, ``empty_lemma``, ``empty_upos``, ``empty_xpos``, ``empty_feats``: that column, as it is written.
- ``empty_all``: relation, place and these five columns.

Coreference plays no part, nor do match, singletons and rules. A node without DEPS has an empty parent and relation;
a parent may be an empty node, by its id. (The program of the task stops at both.) 0/0 follows the rule set. Documents
are pooled by adding numerators and denominators.

The evaluation of the CRAC 2026 task (Straka 2026).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from ..core.document import Sentence
from ..core.matching.alignment import Alignment
from ..core.metrics.base import Applicability, BlockOf, Booking, EngineSupport, Explanation, Metric, Resampling, rows
from ..core.numbers import Counts, add
from ..core.positions import SENTENCE_SHIFT, parse_position

COLUMNS = {"form": 1, "lemma": 2, "upos": 3, "xpos": 4, "feats": 5}


class EmptyNode(NamedTuple):
    """An empty node of one side, and whether the other side has one with the same attributes."""

    position: int
    in_key: bool
    right: int

    @property
    def counts(self) -> Counts:
        """Its contribution to the counts of recall or precision."""
        return (self.right, 1, 0, 0) if self.in_key else (0, 0, self.right, 1)


def _nodes(sentence: Sentence | None, attributes: Sequence[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The ids of the empty nodes of a sentence, and their attributes."""
    names = set(sentence.empty) if sentence else ()
    for line in sentence.lines if sentence and names else ():
        columns = line.split("\t")
        if columns[0] in names:
            parent, _, relation = columns[8].partition("|")[0].partition(":") if columns[8] != "_" else ("", "", "")
            besides = {"relation": relation, "place": columns[0].partition(".")[0]}
            values = [besides[name] if name in besides else columns[COLUMNS[name]] for name in attributes]
            yield columns[0], (parent, *values)


def judge_empty_nodes(alignment: Alignment, attributes: Sequence[str]) -> Iterator[EmptyNode]:
    """Sentence by sentence the empty nodes of the key, then those of the response."""
    documents = [side.document for side in (alignment.key, alignment.response)]
    for pair in zip_longest(*(document.sentences if document else () for document in documents)):
        if not any(sentence and sentence.unusual for sentence in pair):
            continue
        number = next(sentence.number for sentence in pair if sentence)
        nodes = [list(_nodes(sentence, attributes)) for sentence in pair]
        common = Counter(values for _, values in nodes[0]) & Counter(values for _, values in nodes[1])
        for in_key, own in zip((True, False), nodes, strict=True):
            left = Counter(common)
            for name, values in own:
                right = int(left[values] > 0)
                left[values] -= right
                yield EmptyNode(parse_position(number, name) or number << SENTENCE_SHIFT, in_key, right)


ATTRIBUTES: dict[str, tuple[str, ...]] = {
    "arc": (),
    "dep": ("relation",),
    "wo": ("place",),
    "dep_wo": ("relation", "place"),
    **{name: (name,) for name in COLUMNS},
    "all": ("relation", "place", *COLUMNS),
}


def _row(name: str, attributes: tuple[str, ...]) -> Metric:
    def count(alignment: Alignment) -> Counts:
        return add([(0, 0, 0, 0), *(node.counts for node in judge_empty_nodes(alignment, attributes))])

    def book(alignment: Alignment, block_of: BlockOf) -> Iterator[Booking]:
        for node in judge_empty_nodes(alignment, attributes):
            yield block_of(node.position), node.counts

    titles = ["the parent", *(other.upper() if other in COLUMNS else f"the {other}" for other in attributes)]
    listing = " and ".join(filter(None, [", ".join(titles[:-1]), titles[-1]]))
    return Metric(
        name=f"empty_{name}",
        title=f"Empty nodes ({name.upper()})",
        summary=f"empty nodes that both sides have, by {listing}",
        cite="straka-2026",
        definition=__doc__,
        reads="alignment",
        scope=Applicability(needs_words=True, needs_empty_nodes=True, compares_entities=False),
        counts=count,
        engines=EngineSupport(counts_of_ids=lambda _: (0, 0, 0, 0)),  # no id is an empty node
        resampling=Resampling(book),
        explanation=Explanation(f"mentions.empty_nodes:{name}"),
    )


ROWS = rows(*[_row(name, attributes) for name, attributes in ATTRIBUTES.items()])
