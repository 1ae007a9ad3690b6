"""CorefUD from documents of other formats: CoNLL-U with Entity in MISC, and nothing invented in other columns.

Every word has HEAD 0, which is how CorefUD files say that there is no tree. Ids are unique in the whole file. A
document is what its name, its words and its entities make; part of speech and speaker come along where the source
has them.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from ..base.document import Document, Sentence
from ..base.mention import Dependency, Mention
from ..base.positions import MINOR_MASK, node_name
from .brackets import BracketPair, cells
from .ids import unique
from .links import attributes
from .losses import Losses
from .words import LINE_ENDS, Origin, forms, runs

HEADER = "eid-etype-head-other"
BREAKS = re.compile(r"[\t\n\r\ud800-\udfff]+")
UNTYPED = re.compile(r"[\s()|=\-]+")


def clean_word(word: str) -> str:
    r"""CoNLL-U allows blanks in words, but no tabs and line ends.

    >>> clean_word("New York"), clean_word("a\tb"), clean_word("")
    ('New York', 'a_b', '_')
    """
    return BREAKS.sub("_", word) or "_"


def clean_name(name: str) -> str:
    r"""A name is what stands in a line, without blanks around it; it cannot be nothing.

    >>> clean_name(" a "), clean_name("a\nb"), clean_name("")
    ('a', 'a b', '_')
    """
    return LINE_ENDS.sub(" ", name).strip() or "_"


def write(documents: Iterable[Document], origin: Origin, losses: Losses) -> Iterator[str]:
    """The text of each document."""
    taken: set[str] = set()
    names: set[str] = set()
    for document in documents:
        ids = unique(document, taken, losses)
        entities = values(_brackets(document, ids))
        misc = attributes(document, ids, losses) if document.relations else {}
        for place, value in entities.items():
            misc.setdefault(place, {})["Entity"] = value
        head = [f"# newdoc id = {document.id}", f"# global.Entity = {HEADER}"]
        blocks = []
        for sentence in document.sentences:
            name = sentence.id
            if not re.fullmatch(r"[^\s=]\S*", name) or name in names:
                name = f"s{sentence.number}"
            names.add(name)
            blocks.append("\n".join([*head, *_sentence(sentence, name, misc, origin), ""]))
            head = []
        yield "\n".join([*blocks, ""])


def values(brackets: Iterable[BracketPair]) -> dict[int, str]:
    """The Entity of each place, in the order that CorefUD wants; brackets around the same words go by their ids."""
    ordered = cells(sorted(brackets, key=lambda bracket: bracket.closing))
    return {place: "".join(chunks) for place, chunks in ordered.items()}


def _brackets(document: Document, ids: list[str]) -> Iterator[BracketPair]:
    nodes = [place for sentence in document.sentences for place in sentence.nodes]
    types = document.entity_types or ("",) * len(ids)
    words = [place for place in nodes if not place & MINOR_MASK]
    for id_, type_, entity in zip(ids, types, document.entities, strict=True):
        for mention in entity:
            whole = _with_empty_nodes(mention, words, nodes) if len(words) < len(nodes) else mention
            yield from mention_brackets(whole, id_, UNTYPED.sub("_", type_), nodes)


def _with_empty_nodes(mention: Mention, words: list[int], nodes: list[int]) -> Mention:
    """A mention with the empty nodes between its words: brackets cannot leave them out."""
    if mention.first & MINOR_MASK:
        return mention
    parts = runs(mention.positions, words)
    between = [nodes[bisect_left(nodes, first) : bisect_right(nodes, last)] for first, last in parts]
    return mention._replace(positions=tuple(chain.from_iterable(between)))


def mention_brackets(mention: Mention, id_: str, type_: str, order: Sequence[int]) -> Iterator[BracketPair]:
    """The brackets of a mention: one pair for each of its parts."""
    parts = runs(mention.positions, order)
    head = mention.positions.index(mention.head) + 1
    for number, (first, last) in enumerate(parts, 1):
        label = f"{id_}[{number}/{len(parts)}]" if len(parts) > 1 else id_
        yield BracketPair(first, last, f"{label}-{type_}-{head}", label)


def _sentence(sentence: Sentence, name: str, misc: dict[int, dict[str, str]], origin: Origin) -> list[str]:
    words = forms(sentence)
    tags = origin.tags(sentence)
    speakers = {tag.speaker for tag in tags}
    lines = [f"# sent_id = {name}"]
    if len(speakers) == 1 and (speaker := clean_word(*speakers)) != "_":
        lines.append(f"# speaker = {speaker}")
    lines.append(f"# text = {' '.join(words)}")
    rows = {
        place: [form, "_", "_", tag.pos or "_", "_", "0", "_", "_"]
        for place, form, tag in zip(sentence.positions, words, tags, strict=True)
    }
    nodes = sentence.nodes
    dependencies: dict[int, Sequence[Dependency]] = {}
    if len(nodes) > len(rows):  # only files of CoNLL-UA have empty nodes besides those of CorefUD
        dependencies = getattr(sentence, "dependencies", dependencies)
    for place in nodes if len(nodes) > len(rows) else rows:
        row = rows.get(place) or _empty_node(sentence, place, dependencies.get(place, ()))
        items = [f"{key}={value}" for key, value in sorted(misc.get(place, {}).items())]
        lines.append("\t".join((node_name(place), *row, "|".join(items) or "_")))
    return lines


def _empty_node(sentence: Sentence, place: int, dependencies: Sequence[Dependency]) -> list[str]:
    """The columns of an empty node."""
    form = clean_word(sentence.columns(node_name(place))[1])
    deps = "|".join([f"{node_name(parent)}:{clean_word(relation)}" for parent, relation in dependencies])
    return [form, "_", "_", "_", "_", "_", "_", deps or "_"]
