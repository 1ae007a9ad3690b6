"""What a mention is headed by: a zero, a pronoun, a name, a noun or something else, in any language.

Decided by the head's columns UPOS and FEATS of Universal Dependencies, in this order:

- ``zero``: the head is an empty node;
- ``pronoun``: PRON; or DET, ADV, ADJ or NUM with a PronType other than Art (*his*, *this*, *there*);
- ``name``: PROPN;
- ``nominal``: NOUN, or NUM, ADJ and SYM that stand for one (*the second*, *the poor*);
- ``other``: verbs, clauses, and whatever formats without UPOS have.
"""

from __future__ import annotations

from ...base.document import Document, Mention
from ...base.positions import MINOR_MASK, node_name

TYPES: dict[str, str] = {
    "zero": "zeros",
    "pronoun": "pronouns",
    "name": "names",
    "nominal": "nominal mentions",
    "other": "other mentions",
}
PRO_FORMS = frozenset({"DET", "ADV", "ADJ", "NUM"})
NOMINAL = frozenset({"NOUN", "NUM", "ADJ", "SYM"})
COLUMNS = 10


def mention_type(upos: str, feats: str) -> str:
    """The type of a mention whose head is an ordinary word.

    >>> mention_type("PRON", "_"), mention_type("DET", "Poss=Yes|PronType=Prs"), mention_type("DET", "PronType=Art")
    ('pronoun', 'pronoun', 'other')
    """
    if upos == "PRON" or (upos in PRO_FORMS and _is_pro_form(feats)):
        return "pronoun"
    if upos == "PROPN":
        return "name"
    return "nominal" if upos in NOMINAL else "other"


def _is_pro_form(feats: str) -> bool:
    kinds = [feature[9:] for feature in feats.split("|") if feature.startswith("PronType=")]
    return bool(kinds) and kinds[0] != "Art"


class HeadTypes:
    """The types of the mentions of a document; each sentence is taken apart once."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._sentences: dict[int, dict[str, str]] = {}

    def __call__(self, mention: Mention) -> str:
        """The type of a mention."""
        if mention.head & MINOR_MASK:
            return "zero"
        if not self._document.sentences:
            return "other"
        sentence = self._document.sentence_of(mention.head)
        types = self._sentences.get(sentence.number)
        if types is None:
            types = self._sentences[sentence.number] = _types(sentence.text)
        return types.get(node_name(mention.head), "other")


def _types(text: str) -> dict[str, str]:
    found = {}
    for line in text.split("\n"):
        columns = line.split("\t")
        if len(columns) == COLUMNS:
            found[columns[0]] = mention_type(columns[3], columns[5])
    return found
