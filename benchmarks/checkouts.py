"""Other programs and public data at fixed commits, exported from clones. Nothing of them is kept in this repository.

The clones are in one directory, as ``OWNER+NAME/repo`` or ``NAME``; bare ones will do::

    git clone https://github.com/ufal/corefud-scorer CLONES/corefud-scorer
"""

from __future__ import annotations

import io
import subprocess
import tarfile
from pathlib import Path
from typing import NamedTuple


class Checkout(NamedTuple):
    """A GitHub repository at a commit, and the paths that are needed; all if there is none."""

    repository: str
    commit: str
    paths: tuple[str, ...] = ()


CHECKOUTS = {
    "scorer.pl": Checkout("conll/reference-coreference-scorers", "f49f3f8a"),
    "coval": Checkout("ns-moosavi/coval", "87071a62"),
    "scorch": Checkout("LoicGrobol/scorch", "5b459325"),
    "corefud-1.0": Checkout("ufal/corefud-scorer", "9926f36"),
    "corefud-1.1": Checkout("ufal/corefud-scorer", "8749913"),
    "corefud-1.2": Checkout("ufal/corefud-scorer", "4fd7b0e"),
    "ua-1.0": Checkout("juntaoy/universal-anaphora-scorer", "f4adb45b"),
    "e2e-coref": Checkout("kentonl/e2e-coref", "9d1ee197", ("metrics.py",)),
    "fastcoref": Checkout("shon-otmazgin/fastcoref", "8888e51d", ("fastcoref/utilities/metrics.py",)),
    "allennlp": Checkout("allenai/allennlp-models", "b1f37224", ("allennlp_models/coref/metrics",)),
    "maverick": Checkout("SapienzaNLP/maverick-coref", "0dc6554c", ("maverick/common/metrics.py",)),
    "bookcoref": Checkout("SapienzaNLP/bookcoref", "fc4e5c03", ("src/metrics.py",)),
    "books": Checkout(
        "SapienzaNLP/bookcoref",
        "fc4e5c03",
        ("predictions/finetuned_bookcoref/maverick_xl.jsonl", "predictions/off_the_shelf/maverick_xl.jsonl"),
    ),
    "hypercoref": Checkout("UKPLab/emnlp2021-hypercoref-cdcr", "205ebfc7", ("archive/conll/conll.7z",)),
    "dutchcoref": Checkout("andreasvc/dutchcoref", "8aaa76ff", ("data/manualeval",)),
}


def export(name: str, clones: Path, folder: Path) -> Path:
    """The files of a checkout, in a directory of its own; once for each folder."""
    target = folder / name
    if not target.exists():
        repository, commit, paths = CHECKOUTS[name]
        clone = _clone(repository, clones)
        command = ("git", "-C", str(clone), "archive", commit, *paths)
        archive = subprocess.run(command, capture_output=True, check=True).stdout
        with tarfile.open(fileobj=io.BytesIO(archive)) as files:
            files.extractall(target, filter="data")
    return target


def _clone(repository: str, clones: Path) -> Path:
    names = (f"{repository.replace('/', '+')}/repo", repository.partition("/")[2])
    found = [clones / name for name in names if (clones / name).is_dir()]
    if not found:
        raise SystemExit(f"{clones} has no clone of https://github.com/{repository}: expected {' or '.join(names)}")
    return found[0]
