"""From character offsets to spans of tokens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...base.errors import InputError
from .shapes import Span, View, read_clusters

EXPECTED = "tokens as strings in the order of the text, or as (start, end) character offsets, end not included"


def characters_to_tokens(
    clusters: Iterable[Iterable[Span]], tokens: Sequence[str] | Sequence[Span], text: str | None = None
) -> list[list[Span]]:
    """Clusters of character offsets as clusters of token spans; both leave out their end.

    A mention that does not begin and end where tokens do is an error: it could be scored only by guessing.

    >>> characters_to_tokens([[(0, 12), (17, 24)]], ["Ada", "Lovelace", "saw", "herself"], "Ada Lovelace saw herself")
    [[(0, 2), (3, 4)]]
    >>> characters_to_tokens([[(0, 12), (20, 24)]], [(0, 3), (4, 12), (13, 16), (17, 24)])
    Traceback (most recent call last):
    corefscope.base.errors.InputError: clusters[0][1]: characters 20 to 24 do not begin where a token begins
      hint: let the system read the tokens of the key, or give as tokens= those that the system made

    Parameters
    ----------
    clusters
        Lists of (start, end).
    tokens
        Strings, which are looked up in ``text`` one after the other with nothing but blanks between them; or the
        (start, end) of each.
    text
        What the characters are counted in; needed for tokens that are strings.
    """
    offsets = _offsets(View(tokens, "tokens", EXPECTED), text)
    begins = {start: index for index, (start, _) in enumerate(offsets)}
    ends = {end: index + 1 for index, (_, end) in enumerate(offsets)}

    def read(mention: View) -> Span:
        start, end = mention.numbers("start, end")
        for offset, boundaries, verb in ((start, begins, "begin"), (end, ends, "end")):
            if offset not in boundaries:
                raise InputError(
                    f"{mention.name}: characters {start} to {end}{_quoted(text, start, end)} do not {verb}"
                    f" where a token {verb}s",
                    hint="let the system read the tokens of the key, or give as tokens= those that the system made",
                )
        return mention.span(begins[start], ends[end], len(offsets))

    return read_clusters(View(clusters, "clusters", EXPECTED).items(), read)


def _offsets(tokens: View, text: str | None) -> list[Span]:
    """The character offsets of each token."""
    offsets: list[Span] = []
    end_before = 0
    for view in tokens.items():
        token = view.value
        if isinstance(token, str):
            if text is None:
                raise InputError("tokens that are strings need the text that they stand in", hint="give text=")
            start = text.find(token, end_before)
            if not token or start < 0 or text[end_before:start].strip():
                rest = text[end_before : end_before + 20]
                message = f"{view.name}, {token!r}, is not what comes next in the text, {rest!r}"
                raise InputError(message, hint="give the offsets of the tokens instead, tokens=[(start, end), …]")
            end = start + len(token)
        else:
            start, end = view.numbers("start, end")
            if not end_before <= start < end:
                view.refuse(f", {(start, end)}, is empty or begins before the token before it ends")
        offsets.append((start, end))
        end_before = end
    return offsets


def _quoted(text: str | None, start: int, end: int) -> str:
    return f" ({text[start:end]!r})" if text and 0 <= start < end else ""
