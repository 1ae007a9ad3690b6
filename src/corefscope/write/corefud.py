"""CorefUD from documents of other formats: CoNLL-U with Entity in MISC, and nothing invented in other columns.

Every word has HEAD 0, which is how CorefUD files say that there is no tree. Ids are unique in the whole file. A
document is what its name, its words and its entities make; part of speech and speaker come along where the source
has them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from ..base.document import Document, Sentence
from ..base.mention import Mention
from .brackets import BracketPair, cells
from .ids import unique
from .losses import Losses
from .words import LINE_ENDS, Origin, forms, runs, word_positions

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
        entities = values(_brackets(document, unique(document, taken, losses)))
        head = [f"# newdoc id = {document.id}", f"# global.Entity = {HEADER}"]
        blocks = []
        for sentence in document.sentences:
            name = sentence.id
            if not re.fullmatch(r"[^\s=]\S*", name) or name in names:
                name = f"s{sentence.number}"
            names.add(name)
            blocks.append("\n".join([*head, *_sentence(sentence, name, entities, origin), ""]))
            head = []
        yield "\n".join([*blocks, ""])


def values(brackets: Iterable[BracketPair]) -> dict[int, str]:
    """The Entity of each place, in the order that CorefUD wants; brackets around the same words go by their ids."""
    ordered = cells(sorted(brackets, key=lambda bracket: bracket.closing))
    return {place: "".join(chunks) for place, chunks in ordered.items()}


def _brackets(document: Document, ids: list[str]) -> Iterator[BracketPair]:
    words = word_positions(document)
    types = document.entity_types or ("",) * len(ids)
    for id_, type_, entity in zip(ids, types, document.entities, strict=True):
        for mention in entity:
            yield from mention_brackets(mention, id_, UNTYPED.sub("_", type_), words)


def mention_brackets(mention: Mention, id_: str, type_: str, order: Sequence[int]) -> Iterator[BracketPair]:
    """The brackets of a mention: one pair for each of its parts."""
    parts = runs(mention.positions, order)
    head = mention.positions.index(mention.head) + 1
    for number, (first, last) in enumerate(parts, 1):
        label = f"{id_}[{number}/{len(parts)}]" if len(parts) > 1 else id_
        yield BracketPair(first, last, f"{label}-{type_}-{head}", label)


def _sentence(sentence: Sentence, name: str, entities: dict[int, str], origin: Origin) -> list[str]:
    words = forms(sentence)
    tags = origin.tags(sentence)
    speakers = {tag.speaker for tag in tags}
    lines = [f"# sent_id = {name}"]
    if len(speakers) == 1 and (speaker := clean_word(*speakers)) != "_":
        lines.append(f"# speaker = {speaker}")
    lines.append(f"# text = {' '.join(words)}")
    for number, (place, form, tag) in enumerate(zip(sentence.positions, words, tags, strict=True), 1):
        entity = entities.get(place)
        misc = f"Entity={entity}" if entity else "_"
        lines.append("\t".join((str(number), form, "_", "_", tag.pos or "_", "_", "0", "_", "_", misc)))
    return lines
