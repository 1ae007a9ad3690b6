"""The report page: scores, lost points, slices, and every document with its errors, in one HTML file."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Unpack

from ....core.naming import check_values
from ....core.request import Path, Progress, Request, RequestArguments
from ....formats.target import Target


def write_report(
    key: Path,
    responses: Sequence[Path],
    out: Path,
    *,
    names: str | Sequence[str] | None = None,
    title: str | None = None,
    progress: Progress | None = None,
    **arguments: Unpack[RequestArguments],
) -> tuple[str, ...]:
    """Write a page that compares responses with a key; return the warnings about the files.

    Parameters
    ----------
    key, responses
        Paths of files, as ``score`` takes them. The page shows one response at a time and compares all of them.
    out
        The file to write; it is written whole or not at all.
    names
        The names of the responses; by default the distinct parts of their paths.
    title
        The title of the page; by default the names of the responses and of the key file.
    progress
        Called before each document with its number, the number of documents and its id.
    preset, match, zeros, singletons, rules, metrics, …
        As in ``score``. With ``digests``, the page shows the SHA-256 of the files beside the signature.

    Raises
    ------
    InputError
        If a file cannot be read, or key and response have different words.
    OptionError
        If an option has a value that does not exist.
    """
    from .data import collect
    from .page import check_target, render

    check_values({"title": title, "progress": progress})
    check_target(out, [key, *responses])
    data = collect(key, responses, Request(arguments, optional=True), names=names, title=title, progress=progress)
    with Target(os.path.join(os.curdir, out), os.fspath(out)) as target:  # so that "-" names a file
        target.write(render(data).encode("utf-8", errors="backslashreplace"))
    return tuple(dict.fromkeys(text for response in data["overview"]["responses"] for text in response["warnings"]))
