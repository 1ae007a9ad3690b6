"""The registry of error kinds: their names, and how errors are found, repaired and shown.

A response is turned into the key by repairs, and each repair is an error, after the idea of Kummerfeld and Klein
(2013). The alignment alone decides what is an error, so this holds for any language; *matched*, *near*, *piece*,
*home* and *main* are explained in :mod:`.pairing`.

``ERROR_KINDS`` has a row for each kind. Its finding function takes a :class:`DocumentComparison` and yields errors;
rows may share one function, which then names the kind of each error. Repairs, lost points, the choices of ``--kind``,
the JSON, and the filters, legend, colours and tables of the report page are made from the rows. Kinds of identity are
found in discourse deixis as well, where their names begin with ``deixis_``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from ...anaphora.relations import JudgedLink, JudgedRelations
from ...core.document import Document, Mention
from ...core.matching.alignment import Alignment
from ...core.options import Options
from ...core.steps import align, relations_of
from ...formats.relations import anchor_of
from .pairing import AnnotatedSide, Pairing, Repair, is_span_error

IDENTITY, ZEROS, DEIXIS = "identity", "zeros", "deixis"
RELATIONS = ("bridging", "split", "non-referring")
"""The relations with kinds of errors, discourse deixis aside, which is a layer of its own."""
DEIXIS_PREFIX = "deixis_"

Mentions = tuple[Mention, ...]


class ErrorKind(NamedTuple):
    """One kind of error."""

    name: str
    title: str
    description: str
    """One sentence for the legend of the report page."""
    concerns: str
    """``identity``, ``zeros``, ``deixis``, or one of ``RELATIONS``."""
    find: Callable[[DocumentComparison], Iterable[Error]] | None = None
    """Finds the errors of a document; None for kinds that are part of another kind."""
    repair: Repair | None = None
    """The steps that turn the response into the key; if None, the kind is counted but costs no points of identity.

    Metrics of relations say themselves what the kinds of relations cost (:mod:`.attribution`).
    """
    part_of: str = ""
    """The kind of which this is the case of zeros."""
    other_side: str = ""
    """The side to which the ``other_entity`` of its errors belongs."""
    verb: str = ""
    """Joins mentions of a key entity to the response entity they are in, for the error list of the report page."""
    colour: str = ""
    """A colour of ``page.css``; by default red for names in ``missing_``, blue for ``extra_``, else orange."""
    line: str = "double"
    """The underline on the report page: ``dotted``, ``dashed``, ``solid`` or ``double``."""

    @property
    def style(self) -> str:
        """The declarations of its class on the report page."""
        colour = self.colour or {"missing": "red", "extra": "blue"}.get(self.plain_name.partition("_")[0], "orange")
        return f"--k: var(--{colour}); --line: {self.line};"

    @property
    def plain_name(self) -> str:
        """The name without the prefix of discourse deixis."""
        return self.name.removeprefix(DEIXIS_PREFIX)

    @property
    def relation(self) -> str:
        """The kind of the relation that is wrong; empty for identity and zeros."""
        return "" if self.concerns in (IDENTITY, ZEROS) else self.concerns


class Error(NamedTuple):
    """One error. Entities have the names of their file, mentions the positions of their file."""

    kind: str
    document: str
    sentence: str
    """The id (or else the number) of the sentence of the first mention."""
    line: int
    """The line of the head of the first mention, in the key; for extra mentions and entities, in the response."""
    key: Mentions
    response: Mentions
    key_entity: str
    """For extra mentions their main entity, for relations that of the first target; empty if there is none."""
    response_entity: str
    """For missing mentions the home of their entity; empty if there is none."""
    text: str
    """The words of the first mention; a zero is ∅, a gap …."""
    path: str = ""
    """The file to which ``line`` refers."""
    zero: bool = False
    """Whether the mention is a zero; False for pieces and entities."""
    other_entity: str = ""
    """The key entity that a piece is conflated with, or the home that a divided piece is cut off from."""
    key_targets: Mentions = ()
    """For relations: anchors, or the first mention of each element of a plural."""
    response_targets: Mentions = ()
    label: str = ""
    """The name that the annotation gives to the relation."""
    head: str = ""
    """Of the first mention, like type and distance; empty without words."""
    mention_type: str = ""
    """As the slices of the dimension of that name; so is ``distance``."""
    distance: str = ""

    @property
    def relation(self) -> str:
        """The kind of the relation that is wrong; empty if it is identity."""
        return ERROR_KINDS[self.kind].relation

    @property
    def plain_kind(self) -> str:
        """The kind without the prefix of discourse deixis."""
        return ERROR_KINDS[self.kind].plain_name

    @property
    def zero_kind(self) -> str:
        """The name of its kind among zeros; empty for all other mentions."""
        return next((row.name for row in kinds_of(ZEROS) if self.zero and row.part_of == self.kind), "")


class RelationSide(NamedTuple):
    """The anaphor and targets of a wrong relation, on one side."""

    anaphor: Mentions = ()
    targets: Mentions = ()
    label: str = ""


NOTHING = RelationSide()


class DocumentComparison:
    """A document of the key aligned with that of the response, in which errors are found."""

    def __init__(
        self,
        key: Document,
        response: Document,
        alignment: Alignment,
        min_entity_size: int = 1,
        judged: JudgedRelations | None = None,
    ) -> None:
        """``judged`` are the relations of both sides; ``min_entity_size`` is 2 where singletons are dropped."""
        self.key: AnnotatedSide = AnnotatedSide(key, alignment.key)
        self.response: AnnotatedSide = AnnotatedSide(response, alignment.response)
        self.alignment = alignment
        self.pairing: Pairing = Pairing(alignment, min_entity_size)
        self.judged = judged

    def error(
        self, kind: str, keys: Sequence[int], responses: Sequence[int], i: int | None, j: int | None, other: str = ""
    ) -> Error:
        """An error in these mentions of key entity i and response entity j, all named by their numbers."""
        in_key = tuple([self.key.mention(k) for k in keys])
        in_response = tuple([self.response.mention(r) for r in responses])
        names = "" if i is None else self.key.name(i), "" if j is None else self.response.name(j)
        zero = (in_key or in_response)[0].is_zero and any(row.part_of == kind for row in kinds_of(ZEROS))
        return self._error(kind, in_key, in_response, *names)._replace(zero=zero, other_entity=other)

    def relation_error(self, kind: str, key: RelationSide = NOTHING, response: RelationSide = NOTHING) -> Error:
        """An error in a relation; its place is that of the first anaphor of the key, if there is one."""
        names = self.key.name_of_first(key.targets), self.response.name_of_first(response.targets)
        return self._error(kind, key.anaphor, response.anaphor, *names)._replace(
            key_targets=key.targets, response_targets=response.targets, label=key.label or response.label
        )

    def _error(self, kind: str, key: Mentions, response: Mentions, key_entity: str, response_entity: str) -> Error:
        side, first = (self.key, key[0]) if key else (self.response, response[0])
        mention, document = side.in_file(first), side.document
        place = document.id, side.sentence(mention), document.line_of(mention.head)
        return Error(kind, *place, key, response, key_entity, response_entity, side.text(mention), document.path)


# ---- identity


def find_span_errors(pair: DocumentComparison) -> Iterator[Error]:
    """Key mentions matched by other words, or by another head; zeros with other dependencies or on one side only."""
    pairing, keys, responses = pair.pairing, pair.pairing.key, pair.pairing.response
    for k, r in pairing.matched.items():
        if k in pairing.near or is_span_error(keys.mentions[k], responses.mentions[r]):
            yield pair.error("span", [k], [r], keys.owner[k], responses.owner[r])


def find_unmatched_mentions(pair: DocumentComparison) -> Iterator[Error]:
    """Mentions of either side that are not matched, though others of their entity are."""
    pairing = pair.pairing
    for k in pairing.missing():
        if (i := pairing.key.owner[k]) in pairing.home:
            yield pair.error("missing_mention", [k], [], i, pairing.home[i])
    for r in pairing.extra():
        if (j := pairing.response.owner[r]) in pairing.main:
            yield pair.error("extra_mention", [], [r], pairing.main[j], j)


def find_unmatched_entities(pair: DocumentComparison) -> Iterator[Error]:
    """Entities of either side of which no mention is matched: one error for the entity."""
    for i, members in pair.pairing.key_members.items():
        if i not in pair.pairing.home:
            yield pair.error("missing_entity", members, [], i, None)
    for j, members in pair.pairing.response_members.items():
        if j not in pair.pairing.main:
            yield pair.error("extra_entity", [], members, None, j)


def find_misplaced_pieces(pair: DocumentComparison) -> Iterator[Error]:
    """Pieces in a response entity that mainly is another key entity, and pieces away from the home of theirs.

    There are as many errors as cuts and joins are needed. A mention in a wrong entity is both.
    """
    pairing = pair.pairing
    for (i, j), members in pairing.pieces.items():
        responses = [pairing.matched[k] for k in members]
        if pairing.main[j] != i:
            yield pair.error("conflated", members, responses, i, j, pair.key.name(pairing.main[j]))
        if pairing.home[i] != j:
            yield pair.error("divided", members, responses, i, j, pair.response.name(pairing.home[i]))


# ---- relations: the metrics of relations decide, under the same options, which of them are right


def find_bridging_errors(pair: DocumentComparison) -> Iterator[Error]:
    """Bridging anaphors of one side only, and links to another entity, or to another mention of the right entity."""
    assert pair.judged is not None
    ours, theirs = _by_anaphor(pair.judged.key.links), _by_anaphor(pair.judged.response.links)
    for links in ours.values():
        if not links[0].recognised:
            yield pair.relation_error("missing_bridging", _linked(links, links))
    for links in theirs.values():
        if not links[0].recognised:
            yield pair.relation_error("extra_bridging", response=_linked(links, links))
    for anaphor, links in ours.items():
        if links[0].recognised:
            others = theirs[anaphor]
            for link, other in zip_longest(_to_wrong_entity(links), _to_wrong_entity(others)):
                yield pair.relation_error("wrong_entity", _linked(links, [link]), _linked(others, [other]))
            for link, other in zip(_to_wrong_anchor(links), _to_wrong_anchor(others), strict=False):
                yield pair.relation_error("wrong_anchor", _linked(links, [link]), _linked(others, [other]))


def _by_anaphor(links: Iterable[JudgedLink]) -> dict[object, list[JudgedLink]]:
    grouped: dict[object, list[JudgedLink]] = {}
    for link in links:
        grouped.setdefault(link.of, []).append(link)
    return grouped


def _to_wrong_entity(links: Iterable[JudgedLink]) -> list[JudgedLink]:
    """The first link to each entity that is not right."""
    return list({link.to: link for link in reversed([*links]) if not link.same_entity}.values())[::-1]


def _to_wrong_anchor(links: Iterable[JudgedLink]) -> list[JudgedLink]:
    return [link for link in links if link.same_entity and link.names_mention and not link.same_mention]


def _linked(links: Sequence[JudgedLink], about: Sequence[JudgedLink | None]) -> RelationSide:
    """The anaphor of all links, and the targets of those that the error is about."""
    relations = [link.relation for link in about if link]
    targets = dict.fromkeys(map(anchor_of, relations))
    return RelationSide(links[0].relation.anaphor, tuple(targets), relations[0].label if relations else "")


def find_plural_errors(pair: DocumentComparison) -> Iterator[Error]:
    """Plurals without counterpart, and elements that the counterpart does not have.

    Plurals are mapped as for the CEAFe of ``split``, their elements so that they have the most mentions in common.
    """
    assert pair.judged is not None
    ours, theirs = pair.judged.key, pair.judged.response
    for plural in pair.judged.plurals():
        key, response = RelationSide(ours.of_entity(plural.i)), RelationSide(theirs.of_entity(plural.j))
        missing, extra = [*map(ours.in_text, plural.missing)], [*map(theirs.in_text, plural.extra)]
        if plural.j is None:
            firsts = tuple([element[0] for element in sorted(missing)])
            yield pair.relation_error("missing_plural", key._replace(targets=firsts))
        elif plural.i is None:
            firsts = tuple([element[0] for element in sorted(extra)])
            yield pair.relation_error("extra_plural", response=response._replace(targets=firsts))
        else:
            for element in missing:
                yield pair.relation_error("missing_element", key._replace(targets=element[:1]), response)
            for element in extra:
                yield pair.relation_error("extra_element", key, response._replace(targets=element[:1]))


def find_non_referring_errors(pair: DocumentComparison) -> Iterator[Error]:
    """Mentions that do not refer on one side only."""
    assert pair.judged is not None
    for mention, right in pair.judged.key.non_referring:
        if not right:
            yield pair.relation_error("missing_non_referring", RelationSide((mention,)))
    for mention, right in pair.judged.response.non_referring:
        if not right:
            yield pair.relation_error("extra_non_referring", response=RelationSide((mention,)))


# ---- the registry

_ROWS = (
    ErrorKind(
        *("span", "span error", "The mention was found, but with other words, or with another head.", IDENTITY),
        *(find_span_errors, Repair(corrects_spans=True)),
        line="dotted",
    ),
    ErrorKind(
        *("missing_mention", "missing mention"),
        *("A mention of the key that the response does not have, though it has others of the entity.", IDENTITY),
        *(find_unmatched_mentions, Repair(adds_mentions=True)),
        line="dashed",
    ),
    ErrorKind(
        *("extra_mention", "extra mention"),
        *("A mention of the response that is not in the key, in an entity of which others are.", IDENTITY),
        *(find_unmatched_mentions, Repair(removes_mentions=True)),
        line="dashed",
    ),
    ErrorKind(
        *("missing_entity", "missing entity", "No mention of this key entity was found.", IDENTITY),
        *(find_unmatched_entities, Repair(adds_entities=True)),
        line="solid",
    ),
    ErrorKind(
        *("extra_entity", "extra entity", "No mention of this response entity is in the key.", IDENTITY),
        *(find_unmatched_entities, Repair(removes_entities=True)),
        line="solid",
    ),
    ErrorKind(
        *("conflated", "conflated entities"),
        *("Mentions of one key entity are in a response entity that mostly belongs to another.", IDENTITY),
        *(find_misplaced_pieces, Repair(cuts_entities=True)),
        other_side="key",
        verb="is in",
        colour="pink",
    ),
    ErrorKind(
        *("divided", "divided entity"),
        *("Mentions of one key entity are in another response entity than most of it.", IDENTITY),
        *(find_misplaced_pieces, Repair(joins_entities=True)),
        other_side="response",
        verb="is cut off in",
        colour="black",
    ),
    ErrorKind(
        *("missing_zero", "missing zero"),
        *("A zero of the key that the response does not have, though it has others of the entity.", ZEROS),
        part_of="missing_mention",
        line="dotted",
    ),
    ErrorKind(
        *("extra_zero", "extra zero"),
        *("A zero of the response that is not in the key, in an entity of which other mentions are.", ZEROS),
        part_of="extra_mention",
        line="dotted",
    ),
    ErrorKind(
        *("misattached_zero", "misattached zero"),
        *("The zero was found, but at another place or with another parent or relation.", ZEROS),
        part_of="span",
        line="dashed",
    ),
    ErrorKind(
        *("missing_bridging", "missing bridging anaphor"),
        *("A bridging anaphor of the key that is none in the response.", "bridging"),
        find_bridging_errors,
    ),
    ErrorKind(
        *("extra_bridging", "extra bridging anaphor"),
        *("A bridging anaphor of the response that is none in the key.", "bridging"),
        find_bridging_errors,
    ),
    ErrorKind(
        *("wrong_entity", "anchor of a wrong entity"),
        *("A bridging anaphor of both that is linked to another entity, or has a link on one side only.", "bridging"),
        find_bridging_errors,
    ),
    ErrorKind(
        *("wrong_anchor", "wrong anchor, right entity"),
        *("The anchor is another mention of the right entity.", "bridging"),
        find_bridging_errors,
    ),
    ErrorKind(
        *("missing_plural", "missing plural"),
        *("A plural of the key that has no counterpart in the response.", "split"),
        find_plural_errors,
    ),
    ErrorKind(
        *("extra_plural", "extra plural"),
        *("A plural of the response that has no counterpart in the key.", "split"),
        find_plural_errors,
    ),
    ErrorKind(
        *("missing_element", "plural with a missing element"),
        *("An element of the plural in the key that its counterpart does not have.", "split"),
        find_plural_errors,
    ),
    ErrorKind(
        *("extra_element", "plural with an extra element"),
        *("An element of the plural in the response that its counterpart does not have.", "split"),
        find_plural_errors,
    ),
    ErrorKind(
        *("missing_non_referring", "missing non-referring mention"),
        *("The mention does not refer in the key, but it does in the response, or is not there.", "non-referring"),
        find_non_referring_errors,
    ),
    ErrorKind(
        *("extra_non_referring", "extra non-referring mention"),
        *("The mention does not refer in the response, but it does in the key, or is not there.", "non-referring"),
        find_non_referring_errors,
    ),
)
ERROR_KINDS: dict[str, ErrorKind] = {row.name: row for row in _ROWS}
"""All kinds, by name. Discourse deixis has those of identity and of plurals, over a layer of its own."""
ERROR_KINDS.update(
    {
        DEIXIS_PREFIX + row.name: row._replace(
            name=DEIXIS_PREFIX + row.name,
            title=f"{row.title} (deixis)",
            description=f"In discourse deixis: {row.description}",
            concerns=DEIXIS,
            find=None,
            repair=None,
        )
        for row in _ROWS
        if row.concerns in (IDENTITY, "split")
    }
)


def kinds_of(*concerns: str) -> list[ErrorKind]:
    """The kinds that concern identity, zeros, a relation or deixis."""
    return [row for row in ERROR_KINDS.values() if row.concerns in concerns]


def ordered_kinds() -> list[ErrorKind]:
    """All kinds as they are listed: those of identity, of zeros, and of relations."""
    return [*kinds_of(IDENTITY), *kinds_of(ZEROS), *(row for row in ERROR_KINDS.values() if row.relation)]


def pluralise(title: str) -> str:
    """The title of a kind in the plural.

    >>> pluralise("extra entity"), pluralise("conflated entities"), pluralise("divided entity")
    ('extra entities', 'conflated entities', 'divided entities')
    >>> pluralise("anchor of a wrong entity"), pluralise("missing mention (deixis)")
    ('anchors of a wrong entity', 'missing mentions (deixis)')
    """
    for separator in (" of ", " with ", " (", ", "):
        head, found, rest = title.partition(separator)
        if found:
            return f"{pluralise(head)}{separator}{rest}"
    return title if title.endswith("s") else f"{title[:-1]}ies" if title.endswith("y") else f"{title}s"


# ---- errors of a document


def judge_relations(key: Document, response: Document, options: Options) -> JudgedRelations | None:
    """The relations of both sides and which of them are right; None if there are none to count."""
    relations = relations_of(key, response, options)
    return relations.judged() if relations else None


def identity_errors(pair: DocumentComparison) -> list[Error]:
    """The errors of identity, in the order of the text, then of the kinds."""
    rank = {name: number for number, name in enumerate(ERROR_KINDS)}
    return sorted(_find(pair, IDENTITY), key=lambda error: ((error.key or error.response)[0].first, rank[error.kind]))


def relation_errors(pair: DocumentComparison) -> list[Error]:
    """The errors of relations, by kind of relation."""
    return list(_find(pair, *RELATIONS)) if pair.judged else []


def _find(pair: DocumentComparison, *concerns: str) -> Iterator[Error]:
    """Run each finding function once."""
    for find in dict.fromkeys([row.find for row in kinds_of(*concerns)]):
        if find:
            yield from find(pair)


class DeixisLayer(NamedTuple):
    """The discourse deixis of a document, compared like identity, and its errors."""

    pair: DocumentComparison
    errors: list[Error]


def compare_deixis(key: Document, response: Document, options: Options) -> DeixisLayer | None:
    """The discourse deixis of two documents, with singletons; None if neither has any."""
    if not (key.deixis or response.deixis):
        return None
    key, response, options = key.deixis_layer, response.deixis_layer, options._replace(singletons="keep")
    judged = judge_relations(key, response, options)
    pair = DocumentComparison(key, response, align(key, response, options), judged=judged)
    errors = [*identity_errors(pair), *(_find(pair, "split") if judged else ())]
    prefixed = [error._replace(kind=DEIXIS_PREFIX + error.kind) for error in errors]
    return DeixisLayer(pair, [error for error in prefixed if error.kind in ERROR_KINDS])
