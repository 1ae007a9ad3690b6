"""Cross-document coreference: documents joined into one before they are scored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from ..core.document import Document, Mention, Relation, Sentence, changed_relations, mention_order
from ..core.errors import InputError
from ..core.grouping import Group
from ..core.positions import id_at
from .pairs import Pair, Pairs, moving, renumbering


def joined(rows: Iterable[Pairs], group: Group) -> Iterator[Pairs]:
    """Join the pairs of each group into one, in the order in which groups begin."""
    groups: dict[str, list[Pairs]] = {}
    for row in rows:
        name = group(next(pair.key.id for pair in row if pair))
        groups.setdefault(name, []).append(row)
    for name, members in groups.items():
        yield tuple([_join_pairs(name, [pair for pair in column if pair]) for column in zip(*members, strict=True)])


def _join_pairs(name: str, pairs: list[Pair]) -> Pair | None:
    keys = [pair.key for pair in pairs]
    # A response may not name its documents; ids of mentions are those of the key's document all the same.
    responses = [pair.response._replace(id=pair.key.id) for pair in pairs]
    return Pair(join(name, keys), join(name, responses)) if pairs else None


def join(name: str, documents: list[Document]) -> Document:
    """One document: sentences one after the other, entities of the same id as one."""
    if any(document.rows is not None for document in documents):
        from .tables.rows import joined as joined_rows  # most documents have words

        return joined_rows(name, documents, partial(_join, name, documents))
    new = _join(name, documents)
    if not any(document.official for document in documents):
        return new
    return new._replace(official=_join(name, [document.official or document for document in documents]))


def _join(name: str, documents: list[Document]) -> Document:
    sentences: list[Sentence] = []
    entities: dict[str, list[Mention]] = {}
    types: dict[str, str] = {}
    relations: list[Relation] = []
    starts: list[int] = []
    for document in documents:
        if document.local_ids:
            raise InputError(
                "its entity ids hold within a document only, so entities cannot be followed across documents",
                path=document.path,
                hint="use a format with entity ids for the whole corpus: CorefUD with eid, CoNLL, a table",
            )
        if document.sentences:
            starts.append(len(sentences) + 1)
            # A document to which its file comes back has gaps in the numbers of its sentences.
            numbers = {sentence.number: number for number, sentence in enumerate(document.sentences, starts[-1])}
            sentences += [sentence._replace(number=numbers[sentence.number]) for sentence in document.sentences]
            move = moving(renumbering(numbers))
        else:
            move = moving(partial(_id_within, document.id))
        relations += changed_relations(document.relations, move)
        document_types = document.entity_types or ("",) * len(document.entities)
        for id_, members, type_ in zip(document.entity_ids, document.entities, document_types, strict=True):
            entities.setdefault(id_, []).extend(map(move, members))
            types.setdefault(id_, type_)
    return Document(
        name,
        tuple(tuple(sorted(members, key=mention_order)) for members in entities.values()),
        entity_ids=tuple(entities),
        entity_types=tuple(types.values()),
        sentences=tuple(sentences),
        path=documents[0].path,
        largest_minor=max(document.largest_minor for document in documents),
        repeats_words=any(document.repeats_words for document in documents),
        relations=tuple(relations),
        starts=tuple(starts),
    )


def _id_within(document: str, position: int) -> int:
    """The position of a mention that is an id: the same id in another document is another mention."""
    from .tables.rows import id_position  # most corpora have words, and need no JSON

    return id_position([document, id_at(position)])
