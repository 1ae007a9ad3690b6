"""Rule sets of other programs: CorefUD scorer 1.0 and 1.1, CoNLL scorer 8.01, UA scorer 1.0 and 2.0, BookCoref."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from functools import partial
from typing import TYPE_CHECKING

from ..core.document import Document, Sentence
from ..core.errors import AlignmentError, InputError, Location
from ..core.matching import corrected
from ..core.matching.alignment import Alignment, Side
from ..core.matching.matchers import MATCHERS, Find, Matcher
from ..core.matching.transform import (
    SAME_WORDS_AND_HEAD,
    Identity,
    with_decimal_ordinals,
    with_words_once,
    without_repeats,
    without_singletons,
)
from ..core.metrics.base import Conventions
from ..core.metrics.blanc import mean_of_kinds, mean_of_present
from ..core.numbers import Counts, Score
from ..core.official_sums import official_sums
from ..core.rules import (
    REFERENCE,
    RULES,
    Align,
    AlignedRelations,
    Preparation,
    ProgramCounts,
    RuleSet,
    count_relations,
    identity_of_match,
)

if TYPE_CHECKING:
    from ..anaphora.relations import Relations
    from .ua_counts import DocumentRelations

UA_MATCHES = ("exact", "partial")


def _mean_of_key_links(counts: Counts) -> Score:
    """The mean over the kinds of link that the key has; 0 if it has none."""
    return mean_of_kinds(counts, counts[1] != 0, counts[4] != 0)


def _unchanged(document: Document, _: Identity | None = None) -> Document:
    return document


def _conll_counts(alignment: Alignment, _: Matcher, __: Set[str], ___: object, ____: int) -> dict[str, Counts]:
    from .conll_counts import count  # only for these rules

    return count(alignment)


def _without_singletons(document: Document) -> Document:
    """Drop singletons, which UA scorer 1.0 cannot do where entities have split antecedents."""
    plural = next((relation for relation in document.relations if relation.kind == "split"), None)
    if plural:
        line = document.line_of(plural.anaphor[0].first)
        hint = "keep them: --singletons keep; or score by other rules: --rules corrected"
        message = "UA scorer 1.0 cannot drop singletons where entities have split antecedents"
        raise InputError(message, path=document.path, line=line, hint=hint)
    return without_singletons(document)


def _compare_empty_nodes(key: Document, response: Document, *, program: str) -> None:
    """Refuse sentences whose words, empty nodes included, have other forms, compared one by one.

    The program does so, and ignores nodes after the last one of the shorter side.
    """
    for in_key, in_response in zip(key.sentences, response.sentences, strict=False):
        if not (in_key.lines and in_response.lines and (in_key.empty or in_response.empty)):
            continue
        for (ours, form), (theirs, other) in zip(_forms(in_key), _forms(in_response), strict=False):
            if form != other:
                raise AlignmentError(
                    "node {name} is {form!r}, but in {key_line} node {key_name} is {key_form!r}: {program} compares"
                    " empty nodes, too",
                    Location(key.path, in_key.line + in_key.line_index(ours)),
                    Location(response.path, in_response.line + in_response.line_index(theirs)),
                    hint="use --rules corefud-1.2, which lets empty nodes differ",
                    name=theirs,
                    form=other,
                    key_name=ours,
                    key_form=form,
                    program=program,
                )


def _forms(sentence: Sentence) -> Iterator[tuple[str, str]]:
    """ID and form of each word and empty node, in the order of their IDs as decimal numbers."""
    words = [word.partition("\t")[::2] for word in sentence.words]
    empty = [(name, sentence.columns(name)[1]) for name in sentence.empty]
    yield from sorted([*words, *empty], key=lambda node: float(node[0]))


def _align_by_lookup(
    key: Side, response: Side, find: Find, *, zeros_first: bool, matches: tuple[str, ...]
) -> Alignment:
    """As CorefUD scorer 1.0 and 1.1, as far as these know the options."""
    if zeros_first or all(find is not MATCHERS[name].find for name in matches):
        return corrected.align(key, response, find, zeros_first=zeros_first)
    from . import lookup  # only for these rules

    return lookup.align(key, response, find)


def _heads_of_key(matcher: Matcher, side: str) -> Identity:
    """In partial matching, key mentions of CorefUD scorer 1.1 have heads, and are the same only if these are."""
    return SAME_WORDS_AND_HEAD if matcher.find.parts and side == "key" else matcher.identity


def _by_lookup(
    version: str, title: str, matches: tuple[str, ...], identity: Callable[[Matcher, str], Identity]
) -> RuleSet:
    return RuleSet(
        name=f"corefud-{version}",
        title=title,
        align=partial(_align_by_lookup, matches=matches),
        preparation=Preparation(
            without_repeats,
            official=True,
            reading=with_decimal_ordinals,
            identity=identity,
            compare=partial(_compare_empty_nodes, program=f"CorefUD scorer {version}"),
        ),
        one_owner=False,
        conventions=Conventions(blanc=mean_of_present, nothing=0.0),
        relations=None,
        last_digits=official_sums,
        defaults={"zeros": "linear"} | ({} if "head" in matches else {"match": "partial"}),
        matches=matches,
        zeros=("linear",),
    )


COREFUD_1_1 = _by_lookup(
    "1.1",
    "what CorefUD scorer 1.1 prints (CRAC 2023): several mentions may match one; empty nodes must be the same",
    ("head", "partial", "exact"),
    _heads_of_key,
)
COREFUD_1_0 = _by_lookup(
    "1.0",
    "what CorefUD scorer 1.0 prints (CRAC 2022): as corefud-1.1, without head match",
    ("partial", "exact"),
    identity_of_match,
)
CONLL = RuleSet(
    name="conll-8.01",
    title="what the CoNLL reference scorer 8.01 prints; it knows exact matches only, others are as corrected",
    align=corrected.align,
    preparation=Preparation(_unchanged, official=True, reading=with_words_once),
    one_owner=False,
    conventions=Conventions(blanc=_mean_of_key_links, nothing=0.0),
    program=ProgramCounts(_conll_counts, pieces="pieces.pieces_of_chains"),
    matches=("exact",),
)
ProgramOfUA = Callable[[Matcher, int], Callable[[Document, Document], "DocumentRelations"]]
"""Makes the function that counts the relations of two documents, for a match and the least members of an entity."""


def _as_ua_1_0(matcher: Matcher, _: int) -> Callable[[Document, Document], DocumentRelations]:
    from .ua_counts import relations_of  # only for these rules

    return partial(relations_of, minimum=matcher.find.parts)


def _as_ua_2_0(matcher: Matcher, smallest: int) -> Callable[[Document, Document], DocumentRelations]:
    from .ua_2_0 import relations_of  # only for these rules

    return partial(relations_of, match=matcher.name, plurals=smallest == 1)


def _ua(
    version: str, title: str, program: ProgramOfUA, drop: Callable[[Document], Document], **defaults: str
) -> RuleSet:
    """A UA scorer, whose program drops singletons in a way of its own."""

    def counts(
        alignment: Alignment, matcher: Matcher, names: Set[str], known: Relations | None, smallest: int
    ) -> dict[str, Counts]:
        from .ua_counts import count

        return count(alignment, names, known, program(matcher, smallest)) if matcher.name in UA_MATCHES else {}

    def relations(
        key: Document, response: Document, align: Align, matcher: Matcher, smallest: int
    ) -> AlignedRelations:
        if matcher.name not in UA_MATCHES:
            return count_relations(key, response, align, matcher, smallest)
        if smallest > 1:
            key, response = drop(key), drop(response)
        return program(matcher, smallest)(key, response)

    of_plurals = {name: f"plural_{name}" for name in ("muc", "bcub", "ceafe", "ceafm", "blanc", "lea")}
    return RuleSet(
        name=f"ua-{version}",
        title=title,
        align=corrected.align,
        preparation=Preparation(_unchanged, official=False, reading=_unchanged, without_singletons=drop),
        one_owner=False,
        conventions=Conventions(blanc=mean_of_present, nothing=0.0),
        program=ProgramCounts(counts, of_plurals),
        relations=relations,
        defaults=defaults,
        matches=UA_MATCHES,
    )


UA = _ua(
    "1.0",
    "what UA scorer 1.0 prints, its quirks included; MIN is --match partial, heads are as corrected",
    _as_ua_1_0,
    _without_singletons,
    match="exact",
    singletons="keep",
)
UA_2_0 = _ua(
    "2.0",
    "what UA scorer 2.0 prints, zeros kept; split antecedents count if singletons do, heads are as corrected",
    _as_ua_2_0,
    without_singletons,
    match="exact",
    zeros="linear",
    singletons="drop",
)


def _bookcoref_windows(words: int, size: int) -> list[range]:
    """Its windows end at multiples of their size and at the end of the text; each lacks its first word.

    The last one is as long as the others, so that words between the last multiple and the end are in it, and so are
    words of the window before.
    """
    ends = [*range(size, words + 1, size), words]
    return [range(end - size + 1, end) for end in ends]


BOOKCOREF = RuleSet(
    name="bookcoref",
    title="what BookCoref's evaluate.py prints, also of --windows; mentions in two entities are as corrected",
    align=corrected.align,
    preparation=RULES[REFERENCE].preparation,
    one_owner=True,
    conventions=Conventions(blanc=mean_of_present, nothing=0.0),
    defaults={"match": "exact", "singletons": "keep"},
    matches=("exact",),
    windows=_bookcoref_windows,
)
