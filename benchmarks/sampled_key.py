"""Coverage of the intervals from a sampled key: samples of a known clustering, estimated as ``score`` does it.

``python -m benchmarks.sampled_key`` prints, for each estimate, how many of 1,000 intervals contain the true value.
"""

from __future__ import annotations

from collections import Counter
from random import Random

from corefscope.measures.sampled_key import (
    ESTIMATORS,
    NORMAL,
    SIZE,
    UNIFORM,
    SampledEntity,
    estimate,
    weight_of,
)

ENTITIES, SAMPLED, SAMPLES = 20_000, 500, 1000
SIZES = 50, 200, SAMPLED
Population = list[SampledEntity]


def population(random: Random, entities: int = ENTITIES) -> tuple[Population, float]:
    """Key entities of 1 to 12 mentions with what a response makes of them, and its mentions per entity.

    A tenth of the mentions moves to another entity of the response, and a tenth of the entities is split.
    """
    key = [entity for entity in range(entities) for _ in range(min(12, 1 + int(random.expovariate(0.5))))]
    split = [random.random() < 0.1 for _ in range(entities)]
    response = []
    for entity in key:
        moved = random.randrange(entities) if random.random() < 0.1 else entity
        response.append((moved, split[moved] and random.random() < 0.5))
    sizes, of_response = Counter(key), Counter(response)
    cells: dict[int, list[tuple[int, int]]] = {}
    for (entity, other), n in Counter(zip(key, response, strict=True)).items():
        cells.setdefault(entity, []).append((n, of_response[other]))
    entities_of_key = [SampledEntity.of_cells(sizes[entity], cells[entity]) for entity in sizes]
    return entities_of_key, len(key) / len(of_response)


def sample(random: Random, whole: Population, sampled_key: str, size: int) -> Population:
    """Entities at random, or those of mentions at random."""
    if sampled_key == UNIFORM:
        return random.sample(whole, size)
    drawn = random.choices(range(len(whole)), [entity.size for entity in whole], k=size)
    return [whole[number] for number in dict.fromkeys(drawn)]


def coverage(
    sampled_key: str, *, samples: int = SAMPLES, size: int = SAMPLED, entities: int = ENTITIES, seed: int = 0
) -> dict[str, float]:
    """By figure the share of 95 % intervals that contain the ratio of the whole population."""
    random = Random(seed)
    whole, mean_size = population(random, entities)
    figures = {
        f"{name} {figure}": term
        for name, row in ESTIMATORS.items()
        for figure, term in (("recall", row.recall), ("precision", row.precision))
    }
    true = {}
    for name, term in figures.items():
        values = [term(entity, mean_size) for entity in whole]
        true[name] = sum(n for n, _ in values) / sum(d for _, d in values)
    covered = dict.fromkeys(figures, 0)
    for _ in range(samples):
        kinds = Counter(sample(random, whole, sampled_key, size))
        for name, term in figures.items():
            weighted = []
            for entity in kinds:
                weight = weight_of(sampled_key, entity.size, None, "", "")
                n, d = term(entity, mean_size)
                weighted.append((weight * n, weight * d))
            value, sd, _ = estimate(weighted, list(kinds.values()))
            covered[name] += value is not None and sd is not None and abs(value - true[name]) <= NORMAL * sd
    return {name: count / samples for name, count in covered.items()}


if __name__ == "__main__":
    for size in SIZES:
        print(f"{SAMPLES:,} samples of {size} of {ENTITIES:,} entities; share of 95 % intervals with the true value")
        shares = {sampled_key: coverage(sampled_key, size=size) for sampled_key in (UNIFORM, SIZE)}
        for name in shares[UNIFORM]:
            print(f"{name:26}" + "".join(f"  {way} {100 * share[name]:.1f} %" for way, share in shares.items()))
