"""Names of data sets where names are restricted: columns of a leaderboard, files of keys and submissions."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable
from typing import NamedTuple

from ...formats.naming import RESERVED, packed_suffix
from ...output.text import shown

LONGEST = 36
"""Maximum length of the title and of the key of a column on the platform."""
MACRO = "macro"
"""Key of the column that ranks."""
TASK = "task"
"""Name of the manifest beside the keys, without its suffix."""
TAKEN = (MACRO, TASK, "readme")

DETAILS = {
    "figures": "figures by data set, metric and document; they do not show the keys",
    "report": "the report page of each data set as well: every document with the entities of the key",
}
"""Contents of the page of a submission."""


class DatasetColumn(NamedTuple):
    """The column of one data set."""

    dataset: str
    key: str
    """Its name in ``scores.json``, and that of its files up to the first point."""
    title: str


def columns(datasets: Iterable[str]) -> list[DatasetColumn]:
    """A column for each data set, no two with the same key, none with one that cannot be the name of a file.

    >>> [column.key for column in columns(["en_gum", "../x", "Čeština.1", "x", "macro", "日本", "con"])]
    ['en_gum', 'x', 'Cestina_1', 'x_2', 'macro_2', 'data', 'con_2']
    """
    taken = {*TAKEN, *RESERVED}
    found = []
    for name in datasets:
        ascii_only = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode("ascii")
        plain = re.sub(r"[^A-Za-z0-9_-]+", "_", ascii_only).strip("_-")[:LONGEST] or "data"
        number, key = 1, plain
        while key.lower() in taken:
            number += 1
            key = plain[: LONGEST - len(f"_{number}")] + f"_{number}"
        taken.add(key.lower())  # some file systems ignore case
        found.append(DatasetColumn(name, key, shown(name).strip()[:LONGEST] or key))
    return found


def file_name(column: DatasetColumn, path: str) -> str:
    """Name of a file of a data set: the key of its column, and its own suffixes.

    >>> file_name(DatasetColumn("en gum", "en_gum", "en gum"), "gold/test.v2.conllu.gz")
    'en_gum.conllu.gz'
    """
    if os.path.isdir(path):
        return column.key
    packed = packed_suffix(path)
    suffix = re.sub(r"[^A-Za-z0-9.]", "", os.path.splitext(path.removesuffix(packed))[1])
    return f"{column.key}{suffix}{packed}"


def key_of(path: str) -> str:
    """Key of the column that a file belongs to: its name up to the first point.

    >>> key_of("res/en_gum.conllu.gz")
    'en_gum'
    """
    return os.path.basename(path).partition(".")[0]
