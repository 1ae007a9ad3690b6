"""The report page: scores, lost points, slices, and every document with its errors, in one HTML file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...evaluate.request import Path, Progress, Request, RequestArguments

if TYPE_CHECKING:
    from typing_extensions import Unpack


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
    """Write a page that compares responses with a key; what was odd in the files is returned.

    Parameters
    ----------
    key, responses
        Paths of files, as ``score`` takes them. The page shows one response at a time and compares all of them.
    out
        Where the page is written. Nothing is left there if something goes wrong.
    names
        What the responses are called; without it, as much of their paths as tells them apart.
    title
        What the page is called; without it, as the key file.
    progress
        Called before each document with its number, the number of documents and its id.
    preset, match, zeros, singletons, rules, metrics, …
        As in ``score``.

    Raises
    ------
    InputError
        If a file is not what it should be, or the files do not stand over the same words.
    OptionError
        If an option has a value that does not exist.
    """
    from .data import collect
    from .page import check_installed, check_target, write

    check_installed()
    check_target(out, [key, *responses])
    data = collect(key, responses, Request(arguments), names=names, title=title, progress=progress)
    write(data, out)
    return tuple(dict.fromkeys(said for response in data["overview"]["responses"] for said in response["warnings"]))
