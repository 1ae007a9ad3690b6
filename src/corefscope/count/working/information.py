"""Entropies class by class: how much each key class leaves open about the response, and the reverse."""

from __future__ import annotations

from math import log

from .cuts import Cut, Cuts
from .sections import Column, Entry, Section, Term, total, whole
from .sets import Sets, completion

RESPONSE_ENTROPY, RESPONSE_GIVEN_KEY, KEY_ENTROPY, KEY_GIVEN_RESPONSE, MENTIONS = range(5)


def entropy(sets: Sets) -> list[Section]:
    """N·H as sums over classes, and over the cells of a class."""
    complete, shown = completion(sets)
    cuts = complete.cuts()
    mentions = sum(cut.size for cut in cuts.key)
    return [
        Section(
            f"Recall = 1 − H(R|K)/H(R), precision = 1 − H(K|R)/H(K). Key classes of N = {mentions} mentions:"
            " N·H(K) = Σ k ln(N/k), N·H(R|K) = Σ n ln(k/n)",
            (Column("N·H(K)", (KEY_ENTROPY,)), Column("N·H(R|K)", (RESPONSE_GIVEN_KEY,)), Column("k", (MENTIONS,))),
            _classes(cuts, mentions),
            shown,
        ),
        Section(
            "Response classes: N·H(R) = Σ r ln(N/r), N·H(K|R) = Σ n ln(r/n)",
            (Column("N·H(R)", (RESPONSE_ENTROPY,)), Column("N·H(K|R)", (KEY_GIVEN_RESPONSE,)), Column("r")),
            _classes(cuts.T, mentions),
        ),
    ]


def _classes(cuts: Cuts, mentions: int) -> tuple[Entry, ...]:
    return tuple([about(cuts, cut, _own(cut, mentions), left_open(cut)) for cut in cuts.key])


def about(cuts: Cuts, cut: Cut, *terms: Term) -> Entry:
    """The line of a class: some terms, its size, and its pieces."""
    return Entry((*terms, whole(cut.size)), entity=cut.entity, pieces=cuts.shown_pieces(cut))


def _own(cut: Cut, mentions: int) -> Term:
    return Term(cut.size * (log(mentions) - log(cut.size)), f"{cut.size} ln({mentions}/{cut.size})")


def left_open(cut: Cut) -> Term:
    """Σ n ln(k/n): what a class leaves open about the other side."""
    sizes = list(map(len, cut.pieces))
    value = total(n * (log(cut.size) - log(n)) for n in sizes)
    return Term(float(value), " + ".join(f"{n} ln({cut.size}/{n})" for n in sizes))
