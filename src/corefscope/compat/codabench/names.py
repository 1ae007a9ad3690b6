"""What data sets are called where names are restricted: columns of a leaderboard, files of keys and submissions."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable
from typing import NamedTuple

from ...formats.naming import RESERVED, packed_suffix
from ...output.text import shown

LONGEST = 36
"""Characters that the platform allows to the title and to the key of a column."""
MACRO = "macro"
"""The key of the column that ranks."""
TASK = "task"
"""The name of the manifest beside the keys, without its suffix."""
TAKEN = (MACRO, TASK, "readme")

DETAILS = {
    "figures": "figures by data set, metric and document; they do not show the keys",
    "report": "the report page of each data set as well: every document with the entities of the key",
}
"""What the page of a submission shows."""


class DatasetColumn(NamedTuple):
    """The column of one data set."""

    dataset: str
    key: str
    """What ``scores.json`` calls it, and what files are called before the first point of their names."""
    title: str


def columns(datasets: Iterable[str]) -> list[DatasetColumn]:
    """A column for each data set, no two with the same key, none with one that cannot be the name of a file.

    >>> [column.key for column in columns(["en_gum", "../x", "Čeština.1", "x", "macro", "日本", "con"])]
    ['en_gum', 'x', 'Cestina_1', 'x_2', 'macro_2', 'data', 'con_2']
    """
    taken = {*TAKEN, *RESERVED}
    made = []
    for name in datasets:
        key = _free(_plain(name), taken)
        taken.add(key.lower())  # disks may not tell capitals from small letters
        made.append(DatasetColumn(name, key, shown(name).strip()[:LONGEST] or key))
    return made


def _plain(name: str) -> str:
    """Letters, digits, ``_`` and ``-`` only; accents are dropped."""
    ascii_only = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode("ascii")
    return re.sub(r"[^A-Za-z0-9_-]+", "_", ascii_only).strip("_-")[:LONGEST] or "data"


def _free(name: str, taken: set[str]) -> str:
    """The name, with a number if it is taken."""
    number, free = 1, name
    while free.lower() in taken:
        number += 1
        ending = f"_{number}"
        free = name[: LONGEST - len(ending)] + ending
    return free


def file_name(column: DatasetColumn, path: str) -> str:
    """What a file of a data set is called: by its column, with the suffixes that it has.

    >>> file_name(DatasetColumn("en gum", "en_gum", "en gum"), "gold/test.v2.conllu.gz")
    'en_gum.conllu.gz'
    """
    if os.path.isdir(path):
        return column.key
    packed = packed_suffix(path)
    suffix = re.sub(r"[^A-Za-z0-9.]", "", os.path.splitext(path.removesuffix(packed))[1])
    return f"{column.key}{suffix}{packed}"


def key_of(path: str) -> str:
    """The key of the column that a file belongs to: its name up to the first point.

    >>> key_of("res/en_gum.conllu.gz")
    'en_gum'
    """
    return os.path.basename(path).partition(".")[0]
