"""PCG64 in plain Python: the stream of numbers that ``numpy.random.PCG64(seed).random_raw()`` gives.

O'Neill (2014), the variant XSL-RR 128/64; where it starts follows from the seed as in NumPy's ``SeedSequence``.
"""

from __future__ import annotations

from collections.abc import Iterator

BITS_32, BITS_64, BITS_128 = ((1 << bits) - 1 for bits in (32, 64, 128))
MULTIPLIER = 0x2360ED051FC65DA44385DF649FCCF645
WORDS = 4  # of 32 bits, of which the entropy is a pool


def stream(seed: int) -> Iterator[int]:
    """The numbers, of 64 bits each.

    >>> next(stream(0)) >> 32, next(stream(2**70)) >> 32
    (2735729615, 2331484082)
    """
    first, second, third, fourth = _start(seed)
    increment = (third << 64 | fourth) << 1 & BITS_128 | 1
    state = ((increment + (first << 64 | second)) * MULTIPLIER + increment) & BITS_128
    while True:
        state = state * MULTIPLIER + increment & BITS_128
        folded, turn = (state >> 64 ^ state) & BITS_64, state >> 122
        yield (folded >> turn | folded << (64 - turn)) & BITS_64


def _start(seed: int) -> list[int]:
    """Four numbers of 64 bits that differ much for seeds that differ little."""
    entropy = [seed >> shift & BITS_32 for shift in range(0, max(seed.bit_length(), 1), 32)]
    mix_in = _Hash(0x43B0D7E5, 0x931E8875)
    pool = [mix_in(entropy[at] if at < len(entropy) else 0) for at in range(WORDS)]
    for source in range(WORDS):
        for at in range(WORDS):
            if at != source:
                pool[at] = _mixed(pool[at], mix_in(pool[source]))
    for word in entropy[WORDS:]:
        for at in range(WORDS):
            pool[at] = _mixed(pool[at], mix_in(word))
    draw_out = _Hash(0x8B51F9DD, 0x58F38DED)
    halves = [draw_out(pool[at % WORDS]) for at in range(2 * WORDS)]
    return [low | high << 32 for low, high in zip(halves[::2], halves[1::2], strict=True)]


class _Hash:
    """A hash of words of 32 bits that is another one each time."""

    def __init__(self, start: int, factor: int) -> None:
        self._constant, self._factor = start, factor

    def __call__(self, word: int) -> int:
        word ^= self._constant
        self._constant = self._constant * self._factor & BITS_32
        word = word * self._constant & BITS_32
        return word ^ word >> 16


def _mixed(one: int, other: int) -> int:
    mixed = 0xCA01F9DD * one - 0x4973F715 * other & BITS_32
    return mixed ^ mixed >> 16
