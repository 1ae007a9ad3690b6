"""The catalogue of problems that validation can find, read from ``codes.toml``.

An **error** is what a reader refuses, or what it cannot read as intended: something is lost or misread, and the
reader warns of it by the same name. A **warning** is read as written, but breaks the format, stops the official
scorer, or is seldom intended.
"""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import NamedTuple


class Code(NamedTuple):
    """One entry of the catalogue."""

    code: str
    name: str
    meaning: str
    hint: str
    severity: str
    """``error`` or ``warning``, which the letter of our own codes tells."""
    title: str
    """Heading of its problems in a report."""


_CATALOGUE = tomllib.loads((files(__package__) / "codes.toml").read_text(encoding="utf-8"))
CODES: dict[str, Code] = {
    code: Code(code, **entry, severity="error" if code[0] == "E" else "warning", title=f"{code} {entry['name']}")
    for code, entry in _CATALOGUE.items()
}
"""All entries by code."""

BY_NAME: dict[str, Code] = {code.name: code for code in CODES.values()}
