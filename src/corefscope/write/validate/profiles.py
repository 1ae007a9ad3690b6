"""Profiles: whose tests a file must pass, and in whose words."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, NamedTuple

from ...base.brief import by_name
from .codes import CODES, Code


class Profile(NamedTuple):
    """One row of the catalogue."""

    name: str
    title: str
    version: str = ""
    """That of the program whose tests these are."""
    module: str = ""
    """Has the tests by id (``TESTS``) and what looks for them (``check_file``); without it, they are our own."""

    def __repr__(self) -> str:
        return by_name(self)

    @property
    def tests(self) -> Mapping[str, Code]:
        """Of another program: its tests by id."""
        return self._of_module("catalogue.TESTS") if self.module else {}

    def check_file(self, *arguments: Any) -> None:
        """Look for problems, as the module does."""
        self._of_module("reading.check_file")(*arguments)

    def _of_module(self, name: str) -> Any:
        module, _, attribute = name.partition(".")
        return getattr(import_module(f".{self.module}.{module}", __package__), attribute)


SIDES = {"key": "as a key", "response": "as a response"}
"""The sides of a score that a file may be checked for; it matters where one file may hold both."""
OWN = "corefscope"
PROFILES: dict[str, Profile] = {
    profile.name: profile
    for profile in (
        Profile(OWN, "what our readers refuse, lose or find odd, by our codes"),
        Profile("ud", "what the official validator says (udvalidate --level 2 --coref), by its ids", "0.2.9", "ud"),
    )
}


def row_of(code: str) -> Code:
    """What is known of a code of ours, or of an id of another program."""
    if code in CODES:
        return CODES[code]
    return next(profile.tests[code] for profile in PROFILES.values() if code in profile.tests)
