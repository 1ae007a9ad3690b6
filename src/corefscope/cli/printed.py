"""The arguments of text that language models print."""

from __future__ import annotations

from ..read.tagged.printed import FAITHFUL, READINGS, REPAIRS, UNCLOSED, WORD
from .declaring import Declaration, choice

PRINTED: dict[str, Declaration] = {
    "--skeleton": {
        "metavar": "FILE",
        "help": "the file whose words a language model was to print with tags (default: the key)",
    },
    "--style": {
        "metavar": "NAME",
        "help": "how its tags look, if not to be recognised: crac, xml, markdown, colon, seq2seq, corefinst or json",
    },
    "--unclosed": choice("unclosed", UNCLOSED, after=f" (default {WORD})"),
    "--repair": choice("repair", REPAIRS),
    "--reading": choice("reading", READINGS, after=f" (default {FAITHFUL})"),
}
BRIEFS: dict[str, str] = {
    "--skeleton": "whose words it has (default: the key)",
    "--style": "how its tags look",
    "--unclosed": "mentions that are never closed",
    "--repair": "offsets of JSON that are wrong",
    "--reading": "how it is read",
}
"""What short help says of them."""


def printed_arguments(parsed: object) -> dict[str, str | None]:
    """What was parsed, as keyword arguments."""
    names = [name.removeprefix("--") for name in PRINTED]
    return {name: getattr(parsed, name, None) for name in names}
