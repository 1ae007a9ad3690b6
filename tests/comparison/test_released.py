"""Results that earlier versions saved: this one computes the same figures from the same files.

``python tests/comparison/test_released.py`` saves those of the present version.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from corefscope.cli import main
from corefscope.comparison.verify import verify
from corefscope.core.version import __version__
from places import GOLDEN

RELEASED = GOLDEN / "released"
COMMANDS = {
    "score": "score key.conllu response.conllu",
    "score-all": "score key.conllu response.conllu --metrics all --match exact --singletons keep --per-document",
    "score-corrected": "score key.conllu response.conllu --rules corrected --match partial --zeros linear",
    "score-conll12": "score key.conll response.conll --preset conll12",
    "score-ua": "score key.conllua response.conllua --rules ua-1.0 --metrics all",
    "score-csv": "score key.csv response.csv",
    "score-baseline": "score key.conllu response.conllu --baseline random --metrics muc,bcub",
    "score-merge": "score key.conllu response.conllu --documents merge",
    "settings": "score key.conllu response.conllu --settings crac,corrected",
    "compare": "compare key.conllu response.conllu key.conllu --resamples 100 --seed 5",
}
VERSIONS = ["0.2.0", "0.3.0", "0.4.0", "0.5.0", "0.6.0", "0.7.0", "0.8.0", "0.9.0", "1.0.0"]
SAVED = sorted(RELEASED.glob("*/*.json"))


@pytest.mark.parametrize("path", SAVED, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_saved_results_are_computed_again(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(RELEASED)
    found = verify(path.relative_to(RELEASED))
    assert found.differences == ()
    assert found.changed == ()
    assert found.version == path.parent.name
    assert found.compared > 20


def test_there_are_results_of_every_version() -> None:
    assert {path.parent.name for path in SAVED} >= set(VERSIONS)
    assert all(len(list((RELEASED / version).iterdir())) >= 9 for version in VERSIONS)


if __name__ == "__main__":
    os.chdir(RELEASED)
    Path(__version__).mkdir(exist_ok=True)
    for name, command in COMMANDS.items():
        main([*command.split(), "--output", f"{__version__}/{name}.json"])
