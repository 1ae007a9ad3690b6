"""The commands: one row each. The module of the same name has its arguments and what it does."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

COMMANDS: dict[str, str] = {
    "score": "score a response against a key",
    "errors": "show where the points went",
    "diff": "print the text with brackets where key and response differ",
    "report": "write an HTML page that shows where the points went",
    "serve": "show the page of report, and score again when a file changes",
    "compare": "compare systems, with intervals and significance",
    "task": "score every system of a shared task on every data set",
    "verify": "compute a saved result again and compare",
    "explain-difference": "find the settings behind two different scores of the same files",
    "agree": "how much annotators agree",
    "correlate": "how metrics correlate over systems",
    "perturb": "make controlled responses from a key",
    "curves": "how metrics behave under controlled noise",
    "convert": "write a file in another format",
    "validate": "find all problems of files",
    "stats": "count what files hold",
    "metrics": "list the metrics, or explain some",
    "presets": "list the options that shared tasks used",
    "cite": "print BibTeX for the papers behind metrics",
}
"""Name and what it does in a few words, in the order in which help shows them."""


def module_of(command: str) -> ModuleType:
    """The module of a command: ``DESCRIPTION``, ``EXAMPLES``, ``add_arguments(parser)`` and ``run(options)``."""
    return import_module(f".{command.replace('-', '_')}", __package__)
