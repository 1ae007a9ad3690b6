"""The official validator, run in this process: what it says of a file."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

COREF = 6
"""The level of its tests of coreference."""


class Verdict(NamedTuple):
    """What it says; a program that stops with a traceback has refused the file, and says no more."""

    accepted: bool
    ids: frozenset[str]
    crashed: str = ""


@cache
def _validator() -> Any:
    from udtools.argparser import parse_args_validator
    from udtools.validator import Validator

    arguments = parse_args_validator(["--level", "2", "--coref", "--lang", "xx", "--quiet"])
    return Validator(lang=arguments.lang, level=arguments.level, args=arguments, output=None)


def udvalidate(path: Path) -> Verdict:
    """``udvalidate --level 2 --coref --lang xx`` of a file; ids are those of all levels."""
    validator = _validator()
    validator.data.udeprel.discard("ref")  # which it adds while it runs
    try:
        state = validator.validate_files([str(path)])
    except Exception as error:  # whatever it is, the program ends with exit code 1
        return Verdict(False, frozenset(), repr(error))
    return Verdict(state.passed(), frozenset(incident.testid for incident in state.error_tracker))
