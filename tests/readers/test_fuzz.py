"""Broken files: whatever bytes there are, a reader gives documents or one of our own errors, and soon."""

from __future__ import annotations

import random
from contextlib import suppress
from pathlib import Path

import pytest

import corefscope
from oracles.generate import random_pair
from places import EXAMPLE_KEY, GOLDEN

PIECES = [
    *(
        b"(e1",
        b"e1)",
        b"(e1[1/2]-x-1",
        b"e1[2/2])",
        b"()",
        b")",
        b"(",
        b"|",
        b"-",
        b"Entity=",
        b"|Entity",
        b"Entity=(e1-x-9",
    ),
    *(
        b"\t",
        b"\n",
        b"\n\n",
        b"\r",
        b" ",
        b"\x00",
        b"\xff",
        b"\xef\xbb\xbf",
        b"\xe2\x80\xa8",
        b"# newdoc\n",
        b"# newdoc id = x\n",
    ),
    *(
        b"# global.Entity = eid\n",
        b"# sent_id = s\n",
        b"2.1",
        b"2.0",
        b"1-2",
        b"99",
        b"0",
        b"1.1\t_\t_\t_\t_\t_\t_\t_\t9:x\t_\n",
    ),
    *(b"#begin document (d); part 000\n", b"#end document\n", b"(0)", b"(0", b"0)", b"\x1f\x8b", b"BZh", b"\xff\xfe"),
]


def _broken(rng: random.Random, text: bytes) -> bytes:
    """A file with a few pieces cut out, doubled, moved or put in."""
    for _ in range(rng.randint(1, 4)):
        start = rng.randrange(len(text) + 1)
        end = min(len(text), start + rng.choice((1, 3, 20, 200)))
        text = (
            rng.choice(
                (
                    text[:start] + text[end:],
                    text[:end] + text[start:],
                    text[:start] + rng.choice(PIECES) + text[start:],
                    text[:start] + rng.choice(PIECES) + text[end:],
                    text[:start],
                    text[:start] + rng.randbytes(3) + text[start:],
                )
            )
            or b" "
        )
    return text


@pytest.mark.parametrize("seed", range(25))
def test_only_our_own_errors(seed: int, tmp_path: Path) -> None:
    """100 broken files a seed, of every format, on either side and against themselves."""
    rng = random.Random(seed)
    whole = [
        EXAMPLE_KEY.read_bytes(),
        random_pair(rng, duplicates=True, two_heads=True)[0].encode(),
        (GOLDEN / "conll" / "l00001.key.conll").read_bytes()[:1500],
    ]
    good, bad = tmp_path / "good", tmp_path / "bad"
    scored = 0
    for _ in range(100):
        text = rng.choice(whole)
        good.write_bytes(text)
        bad.write_bytes(_broken(rng, text))
        for key, response in ((good, bad), (bad, good), (bad, bad)):
            with suppress(corefscope.CorefscopeError):
                corefscope.score(key, response, rules=rng.choice(list(corefscope.RULES)), metrics="all")
                scored += 1
    assert 0 < scored < 300
