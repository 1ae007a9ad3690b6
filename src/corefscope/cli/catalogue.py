"""The commands: one row each. The module of the same name has its arguments and what it does."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

COMMANDS: dict[str, str] = {
    "score": "score a response against a key",
    "metrics": "list the metrics, or explain some",
    "presets": "list the options that shared tasks used",
    "cite": "print BibTeX for the papers behind metrics",
}
"""Name and what it does in a few words, in the order in which help shows them."""


def module_of(command: str) -> ModuleType:
    """The module of a command: ``DESCRIPTION``, ``EXAMPLES``, ``add_arguments(parser)`` and ``run(options)``."""
    return import_module(f".{command.replace('-', '_')}", __package__)
