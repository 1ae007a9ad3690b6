"""The profile ``ud``: the official validator of Universal Dependencies (udtools) and its report as problems."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import metadata

from ...core.errors import InputError, OptionError
from ..source import Source
from .problems import Code, Problems, shortened

PACKAGE = "udtools"
LEVEL = 2
LONGEST = 500
"""Characters of a message: udtools repeats whole lines and lists of mentions."""
FAILURE_HINT = "the official validator refuses this file, too: check the annotation of the sentence that ends here"


def installed_version() -> str:
    """The version of udtools; OptionError, with the remedy, if it is not installed."""
    try:
        return metadata.version(PACKAGE)
    except metadata.PackageNotFoundError:
        message = f"the profile 'ud' needs the package {PACKAGE}\n  hint: pip install 'corefscope[ud]'"
        raise OptionError(message) from None


def check_file(source: Source, problems: Problems) -> None:
    """Note the problems that ``udvalidate --level 2 --coref`` reports.

    Where udtools itself fails, as it does on malformed files, that is an error of the file at the line that was read
    last, after everything reported before.
    """
    version = installed_version()
    from udtools import Validator
    from udtools.state import State

    # A new validator for each file: udtools 0.2.9 adds the relation "ref" to its data while it runs.
    validator = Validator(lang="ud", level=LEVEL, check_coref=True, output=None)
    state = State()
    failure = ""
    try:
        with _quiet_logging():
            validator.validate_file_handle(_TextFile(source), state)
            validator.validate_end(state)
    except InputError:  # raised by our source
        raise
    except Exception as error:
        failure = f"{PACKAGE} {version} fails here: {type(error).__name__} {error}".rstrip()
    for incident in state.error_tracker:
        severity = "error" if incident.is_error() else "warning"
        title = f"[L{incident.level} {incident.testclass_to_report()} {incident.testid}]"
        test = Code(incident.testid, incident.testid, "", incident.explanation, severity, title)
        problems.add_test(test, incident.lineno, shortened(incident.message, LONGEST))
    if failure:
        problems.add("refused", state.current_line, shortened(failure, LONGEST), FAILURE_HINT)


@contextmanager
def _quiet_logging() -> Iterator[None]:
    """Keep udapi, which udtools reads trees with, from setting up logging to standard error.

    Handlers of the calling program still get what it logs.
    """
    root, handler = logging.getLogger(), logging.NullHandler()
    root.addHandler(handler)
    try:
        yield
    finally:
        root.removeHandler(handler)


class _TextFile:
    """The lines of a source, unpacked, as the open text file that udtools expects.

    A byte order mark is kept, as udtools keeps it. Bytes that are not UTF-8, which stop udtools when it opens a file
    itself, are replaced: it then reports them, with their line.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self.newlines = "\r\n" if source.first_return else "\n"

    def __iter__(self) -> Iterator[str]:
        mark = "\ufeff" if self._source.start else ""
        for _, piece in self._source.pieces(b"\n"):
            for line in piece.decode("utf-8", errors="replace").removesuffix("\n").split("\n"):
                yield f"{mark}{line}\n"
                mark = ""
