"""Tables of links: entities are connected components."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import corefscope
from corefscope import clusters_from_links, score_clusters
from examples import seeds


@pytest.mark.parametrize("seed", seeds(50))
def test_entities_are_those_of_clusters_from_links(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    clusters = []
    for name in ("key", "response"):
        links = [
            (f"m{rng.randrange(9)}", rng.choice(["", f"m{rng.randrange(9)}"])) for _ in range(rng.randrange(1, 9))
        ]
        rows = "\n".join(f"{mention},{antecedent}" for mention, antecedent in links)
        (tmp_path / f"{name}.csv").write_text(f"mention,antecedent\n{rows}\n", encoding="utf-8")
        clusters.append(clusters_from_links((mention, antecedent or mention) for mention, antecedent in links))
    report = corefscope.score(tmp_path / "key.csv", tmp_path / "response.csv", metrics="corefud")
    expected = score_clusters(*clusters)
    assert all(report[name] == pytest.approx(expected[name]) for name in expected)


def test_links_of_a_response_meet_the_clusters_of_a_key(tmp_path: Path) -> None:
    """A pronoun resolver writes links; the key is a table. Links of one document do not reach another."""
    key, response = tmp_path / "key.csv", tmp_path / "response.tsv"
    key.write_text("document,mention,entity\na,Ann,e1\na,she,e1\na,it,e2\nb,she,e1\n", encoding="utf-8")
    response.write_text("document\tmention\tantecedent\na\tshe\tAnn\na\tit\t\nb\tshe\t\n", encoding="utf-8")
    report = corefscope.score(key, response, metrics="muc,bcub")
    assert report["muc"].f1 == report["bcub"].f1 == 1
    assert report.signature.startswith("table+links|")
