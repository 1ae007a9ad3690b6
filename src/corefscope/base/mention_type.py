"""What a mention is by the word that heads it: a zero, a pronoun, a name, a nominal, or something else."""

from __future__ import annotations

from .document import Document
from .mention import Mention
from .positions import coordinates

TYPES = ("zero", "pronoun", "name", "nominal", "other")
PRONOMINAL = frozenset({"zero", "pronoun"})
PRO_FORMS = frozenset({"DET", "ADV", "ADJ", "NUM"})
NOMINAL = frozenset({"NOUN", "NUM", "ADJ", "SYM"})


def word_type(upos: str, feats: str) -> str:
    """The type of a mention whose head is an ordinary word, by the columns UPOS and FEATS of that word.

    In any language, in this order:

    - ``pronoun``: PRON; or DET, ADV, ADJ or NUM with a PronType other than Art (*his*, *this*, *there*);
    - ``name``: PROPN;
    - ``nominal``: NOUN, or NUM, ADJ and SYM that stand for one (*the second*, *the poor*);
    - ``other``: verbs, clauses, and whatever formats without UPOS have.

    >>> word_type("PRON", "_"), word_type("DET", "Poss=Yes|PronType=Prs"), word_type("DET", "PronType=Art")
    ('pronoun', 'pronoun', 'other')
    """
    if upos == "PRON":
        return "pronoun"
    if upos in PRO_FORMS:
        kind = next((feature for feature in feats.split("|") if feature.startswith("PronType=")), "PronType=Art")
        if kind != "PronType=Art":
            return "pronoun"
    if upos == "PROPN":
        return "name"
    return "nominal" if upos in NOMINAL else "other"


def mention_type(document: Document, mention: Mention) -> str:
    """``zero`` if the head is an empty node; of mentions without words, ``other``; else :func:`word_type`."""
    if mention.is_zero:
        return "zero"
    if not document.sentences:
        return "other"
    columns = document.sentence_of(mention.head).conllu_of(coordinates(mention.head)[1])
    return word_type(columns[3], columns[5]) if len(columns) == 10 else "other"
