"""Estimates from a sampled key, from their definitions: loops over mentions and pairs of them, in exact fractions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import combinations
from math import sqrt

Labels = Mapping[str, str]
"""The entity of each mention."""
Terms = list[tuple[Fraction, Fraction]]


def terms(key: Labels, response: Labels) -> dict[str, tuple[list[str], Terms]]:
    """By figure, such as ``pairs precision``: the sampled entities, and N and D of each."""
    sampled = sorted({*key.values()}, key=repr)
    members = {entity: [mention for mention in key if key[mention] == entity] for entity in sampled}
    found: dict[str, Terms] = {}

    def together(mention: str) -> list[str]:
        """The mentions of the response entity of a mention, of the whole response; none if it lacks the mention."""
        return [other for other in response if response[other] == response[mention]] if mention in response else []

    def add(figure: str, numerator: float | Fraction, denominator: float | Fraction) -> None:
        found.setdefault(figure, []).append((Fraction(numerator), Fraction(denominator)))

    mean_size = Fraction(len(response), len({*response.values()})) if response else Fraction(0)
    for entity in sampled:
        own = members[entity]
        known = [mention for mention in own if mention in response]
        right = sum(response.get(one, 0) == response.get(other, 1) for one, other in combinations(own, 2))
        strangers = sum(other not in own for mention in known for other in together(mention))
        add("pairs recall", right, len(list(combinations(own, 2))))
        add("pairs precision", right, right + Fraction(strangers, 2))
        of_key = of_response = Fraction(0)
        for mention in known:
            shared = {*own} & {*together(mention)}
            of_key += Fraction(len(shared), len(own))
            of_response += Fraction(len(shared), len(together(mention)))
        add("bcub recall", of_key, len(own))
        add("bcub precision", of_response, len(known))
        add("bcub_by_entity recall", of_key / len(own), 1)
        add("bcub_by_entity precision", of_response / len(own), 1)
        exact = any({*own} == {*together(mention)} for mention in known)
        add("clusters_exact recall", exact, 1)
        add("clusters_exact precision", exact * mean_size, len(known))
    return {figure: (sampled, values) for figure, values in found.items()}


def estimate(values: Terms) -> tuple[float | None, float | None]:
    """The ratio estimate with its bias correction, and its standard error; None where there is none."""
    count = len(values)
    b = sum(numerator for numerator, _ in values) / Fraction(count)
    a = sum(denominator for _, denominator in values) / Fraction(count)
    if a == 0:
        return None, None
    if b == 0 or count == 1:
        return float(b / a), None
    bias = sum(d * (n / b - d / a) for n, d in values) / count / ((count - 1) * a)
    spread = sum((d / a) ** 2 + (n / b) ** 2 - 2 * d * n / (a * b) for n, d in values) / (count * (count - 1))
    return float(b / a * (1 + bias)), float(b / a) * sqrt(spread)


def estimates(
    key: Labels, response: Labels, weight: Callable[[str, int], Fraction]
) -> dict[str, tuple[float | None, float | None]]:
    """Estimate and standard error of every figure; ``weight`` is that of an entity and its size."""
    found = {}
    for figure, (sampled, values) in terms(key, response).items():
        sizes = [sum(label == entity for label in key.values()) for entity in sampled]
        weights = [weight(entity, size) for entity, size in zip(sampled, sizes, strict=True)]
        found[figure] = estimate([(w * n, w * d) for w, (n, d) in zip(weights, values, strict=True)])
    return found
