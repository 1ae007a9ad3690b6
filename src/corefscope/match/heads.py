"""Heads from the trees: the first word of a mention whose parent (HEAD) lies outside the mention.

Words only: empty nodes have no basic dependency. A mention of empty nodes alone has its first node as head. Where no
word qualifies, because the words depend on each other in a circle, the first word is the head. A parent that is no
number (``_``) lies outside.
"""

from __future__ import annotations

from ..base.document import Document, Sentence, is_comment
from ..base.mention import Dependency, Mention
from ..base.positions import MINOR_MASK, SENTENCE_SHIFT, parse_position

HEADS: dict[str, str] = {
    "file": "the heads that the files name; the first word where they name none",
    "tree": "the first word of a mention that depends on a word outside it (HEAD), in both files",
}
FROM_FILE = "file"
"""What holds if nobody says otherwise."""
DERIVED = tuple(name for name in HEADS if name != FROM_FILE)
HEAD_COLUMN = 6


def with_tree_heads(document: Document) -> Document:
    """The same document, the heads of its mentions found in the basic dependencies."""
    parents: dict[int, dict[int, int | None]] = {}

    def parent_of(word: int) -> int | None:
        number = word >> SENTENCE_SHIFT
        if number not in parents:
            parents[number] = _parents(document.sentence_of(word))
        return parents[number].get(word)

    def with_head(mention: Mention) -> Mention:
        positions = mention.positions
        words = [position for position in positions if not position & MINOR_MASK]
        head = words[0] if words else positions[0]
        if len(words) > 1:
            span = set(positions)
            head = next((word for word in words if parent_of(word) not in span), head)
        if head == mention.head:
            return mention
        return mention._replace(head=head, dependencies=_dependencies(document, head))

    entities = tuple([tuple(map(with_head, entity)) for entity in document.entities])
    return document.replace_entities(range(len(entities)), entities, with_head)


def _parents(sentence: Sentence) -> dict[int, int | None]:
    """The parent of each word; None of those that have no number there."""
    lines = [line.split("\t") for line in sentence.lines if line and not is_comment(line)]
    heads = [row[HEAD_COLUMN] for row in lines if not {".", "-"} & set(row[0])]
    return {
        word: parse_position(sentence.number, head) for word, head in zip(sentence.positions, heads, strict=False)
    }


def _dependencies(document: Document, head: int) -> tuple[Dependency, ...]:
    """What is read of heads that are empty nodes: their enhanced dependencies."""
    if not head & MINOR_MASK:
        return ()
    from ..read.corefud.nodes import Nodes

    try:
        return Nodes.of(document.sentence_of(head)).dependencies(head)
    except LookupError:  # a node that depends on nothing that exists; the reader has warned of mentions that need it
        return ()
