"""Entities written over the text of a CorefUD file, instead of those that it has.

Only what coreference is written in changes: the header, ``Entity``, and the attributes that refer to entities
(``Bridge``, ``SplitAnte``), which say what the relations of the document say. Everything else stays byte for byte.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ..base.document import Document, Sentence
from ..base.mention import Mention
from ..base.positions import parse_position
from .brackets import cells
from .corefud import HEADER, UNTYPED, mention_brackets
from .ids import unique
from .links import attributes
from .losses import Losses

HEADER_COMMENT = "# global.Entity"
ABOUT_ENTITIES = ("Entity=", "Bridge=", "SplitAnte=", "Split=")


def write(documents: Iterable[Document], losses: Losses) -> Iterator[str]:
    """The text of each document, whose sentences are those of a CorefUD file."""
    taken: set[str] = set()
    for document in documents:
        sentences = imprinted(_with_one_owner(document, losses), taken, losses)
        first = next(iter(sentences), 0)
        if not any(line.startswith(HEADER_COMMENT) for sentence in document.sentences for line in sentence.lines):
            comments, newdoc, rest = sentences[first].rpartition("# newdoc")
            line, end, others = rest.partition("\n")
            sentences[first] = f"{comments}{newdoc}{line}{end}{HEADER_COMMENT} = {HEADER}\n{others}"
        yield "".join(f"{text}\n\n" for text in sentences.values())


def _with_one_owner(document: Document, losses: Losses) -> Document:
    """Each mention in one entity, the largest that has it and of these the first: others are no valid CorefUD."""
    owners: dict[Mention, int] = {}
    entities = document.entities
    for index in sorted(range(len(entities)), key=lambda index: -len(entities[index])):
        for mention in entities[index]:
            owners.setdefault(mention, index)
    shared = sum(map(len, entities)) - len(owners)
    if not shared:
        return document
    losses.add("shared", shared)
    own = [tuple(mention for mention in entity if owners[mention] == n) for n, entity in enumerate(entities)]
    kept = [n for n, entity in enumerate(own) if entity]
    return document.replace_entities(kept, tuple(own[n] for n in kept))


def imprinted(document: Document, taken: set[str], losses: Losses) -> dict[int, str]:
    """The text of each sentence by its number; ``taken`` are the ids of earlier documents, and those of this one."""
    order = [node for sentence in document.sentences for node in sentence.nodes]
    types = document.entity_types or ("",) * len(document.entities)
    ids = unique(document, taken, losses)
    values = cells(
        bracket
        for id_, type_, entity in zip(ids, types, document.entities, strict=True)
        for mention in entity
        for bracket in mention_brackets(
            mention._replace(positions=tuple(dict.fromkeys(mention.positions))), id_, UNTYPED.sub("_", type_), order
        )
    )
    links = attributes(document, ids, losses) if document.relations else {}
    return {sentence.number: _sentence(sentence, values, links) for sentence in document.sentences}


def _sentence(sentence: Sentence, values: dict[int, list[str]], links: dict[int, dict[str, str]]) -> str:
    lines = []
    for line in sentence.text.split("\n"):
        columns = line.split("\t")
        if line.startswith(HEADER_COMMENT):
            lines.append(f"{HEADER_COMMENT} = {HEADER}")
        elif line.startswith("#") or len(columns) < 10:
            lines.append(line)
        else:
            node = parse_position(sentence.number, columns[0])
            chunks, named = (values.get(node, []), links.get(node, {})) if node is not None else ([], {})
            lines.append("\t".join([*columns[:9], _misc(columns[9], chunks, named)]))
    return "\n".join(lines)


def _misc(misc: str, chunks: list[str], links: Mapping[str, str]) -> str:
    """The last column with these brackets and links, in the place of those that it had.

    >>> _misc("A=1|Entity=(e1)|B=2", ["(e2)"], {}), _misc("Entity=(e1)", [], {}), _misc("_", ["(e2)"], {})
    ('A=1|Entity=(e2)|B=2', '_', 'Entity=(e2)')
    >>> _misc("Bridge=e3<e1|Entity=(e1)", ["(e2)"], {"Bridge": "e3<e2"})
    'Bridge=e3<e2|Entity=(e2)'
    """
    items = [item for item in misc.split("|") if item != "_"]
    first = next((n for n, item in enumerate(items) if item.startswith("Entity=")), len(items))
    before, after = (
        [item for item in part if not item.startswith(ABOUT_ENTITIES)] for part in (items[:first], items[first:])
    )
    named = {**links, **({"Entity": "".join(chunks)} if chunks else {})}
    return "|".join([*before, *[f"{name}={value}" for name, value in sorted(named.items())], *after]) or "_"
