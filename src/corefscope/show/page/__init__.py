"""The report page: scores, lost points, slices, and every document with its errors, in one HTML file."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from ...evaluate.presets import chosen, wanted_metrics


def write_report(
    key: str | os.PathLike[str],
    responses: Sequence[str | os.PathLike[str]],
    out: str | os.PathLike[str],
    *,
    names: str | Sequence[str] | None = None,
    title: str | None = None,
    preset: str | None = None,
    match: str | None = None,
    zeros: str | None = None,
    singletons: str | None = None,
    rules: str | None = None,
    metrics: str | Sequence[str] | None = None,
    key_format: str | None = None,
    response_format: str | None = None,
    progress: Callable[[int, int, str], None] | None = None,
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
    preset, match, zeros, singletons, rules, metrics, key_format, response_format
        As in ``score``.
    progress
        Called before each document with its number, the number of documents and its id.

    Raises
    ------
    InputError
        If a file is not what it should be, or the files do not stand over the same words.
    OptionError
        If an option has a value that does not exist.
    """
    from .data import collect
    from .page import check_target, write

    check_target(out, [key, *responses])
    data = collect(
        key,
        responses,
        chosen(preset, match=match, zeros=zeros, singletons=singletons, rules=rules),
        names=names,
        title=title,
        metrics=wanted_metrics(preset, metrics),
        key_format=key_format,
        response_format=response_format,
        progress=progress,
    )
    write(data, out)
    read = data["overview"]["responses"]
    return tuple(dict.fromkeys(warning for response in read for warning in response["warnings"]))
