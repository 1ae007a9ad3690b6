"""Level 2: what single columns hold: parts of speech, features, relations, attributes of MISC."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from unicodedata import category

from ..problems import quoted
from .sentence import (
    BLANK,
    DEPREL,
    DEPS,
    FEATS,
    HEAD,
    LEMMA,
    MISC,
    NAMES,
    UPOS,
    XPOS,
    Note,
    UDRow,
    UDSentence,
    number,
)
from .trees import dependencies

PARTS_OF_SPEECH = frozenset(
    """ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X""".split()  # noqa: SIM905
)
RELATIONS = frozenset(
    """acl advcl advmod amod appos aux case cc ccomp clf compound conj cop csubj dep det discourse dislocated expl
    fixed flat goeswith iobj list mark nmod nsubj nummod obj obl orphan parataxis punct reparandum root vocative
    xcomp""".split()  # noqa: SIM905
)
VALUE = r"[A-Z0-9][A-Za-z0-9]*"
FEATURE = re.compile(rf"([A-Z][A-Za-z0-9]*(?:\[[a-z0-9]+\])?)=({VALUE}(?:,{VALUE})*)")
RELATION = re.compile(r"[a-z]+(?::[a-z]+)?")
KNOWN = ("SpaceAfter", "Lang", "Translit", "LTranslit", "Gloss", "LId", "LDeriv", "Ref")
NEARLY_KNOWN = {name.lower() for name in KNOWN}
AT_EDGE = re.compile(rf"{BLANK}.*|.*{BLANK}", re.DOTALL)
LETTERS = {"Ll", "Lm", "Lo", "Mn", "Mc", "Me"}


class ColumnChecks:
    """Checks the columns of the sentences of a file."""

    def __init__(self, note: Note) -> None:
        self._note = note
        self._graphs = False  # once DEPS were seen, the official validator takes ref for a basic relation, too

    def check(self, sentence: UDSentence) -> bool:
        """Note what is wrong; whether to go on with the sentence."""
        sound = True
        for row in sentence.rows:
            if row.is_multiword:
                self._must_be_empty("mwt-nonempty-field", row, range(LEMMA, MISC))
            else:
                if row.is_empty:
                    self._must_be_empty("empty-node-nonempty-field", row, (HEAD, DEPREL))
                self._check_tags(row)
                sound = self._check_features(row) and sound
                if row.is_word:
                    self._check_relation(row)
                self._check_dependencies(row)
            self._check_misc(row)
        return sound

    def _must_be_empty(self, test: str, row: UDRow, columns: Sequence[int]) -> None:
        for column in columns:
            value = row.columns[column]
            if value != "_" and not (column == FEATS and value == "Typo=Yes"):
                self._note(test, row.line, f"{NAMES[column]} of {row.id} is {quoted(value)}")

    def _check_tags(self, row: UDRow) -> None:
        upos = row.columns[UPOS]
        if upos not in PARTS_OF_SPEECH and not (row.is_empty and upos == "_"):
            self._note("unknown-upos", row.line, f"UPOS {quoted(upos)} does not exist")
        if not row.columns[XPOS]:
            self._note("empty-string-in-xpos", row.line, "XPOS is empty")

    def _check_features(self, row: UDRow) -> bool:
        """Whether all features can be read."""
        if row.columns[FEATS] == "_":
            return True
        features = row.columns[FEATS].split("|")
        if not _sorted(features):
            self._note("unsorted-features", row.line, f"FEATS {quoted(row.columns[FEATS])} are not sorted")
        sound, names = True, set()
        for feature in features:
            match = FEATURE.fullmatch(feature)
            names.add(match[1] if match else feature)
            if not match:
                self._note("invalid-feature", row.line, f"{quoted(feature)} in FEATS is no Name=Value")
                sound = False
                continue
            values = match[2].split(",")
            if len(set(values)) < len(values):
                self._note("repeated-feature-value", row.line, f"{quoted(feature)} has a value twice")
            if not _sorted(values):
                self._note("unsorted-feature-values", row.line, f"the values of {quoted(feature)} are not sorted")
        if len(names) < len(features):
            self._note("repeated-feature", row.line, f"FEATS {quoted(row.columns[FEATS])} have a feature twice")
        return sound

    def _check_relation(self, row: UDRow) -> None:
        relation = row.columns[DEPREL]
        universal = relation.partition(":")[0]
        if not RELATION.fullmatch(relation):
            self._note("invalid-deprel", row.line, f"DEPREL {quoted(relation)} is no relation")
        elif universal not in RELATIONS and not (universal == "ref" and self._graphs):
            self._note("unknown-udeprel", row.line, f"DEPREL {quoted(relation)} does not exist")

    def _check_dependencies(self, row: UDRow) -> None:
        pairs = dependencies(row)
        if not pairs:
            return
        self._graphs = True
        shown = f"DEPS {quoted(row.columns[DEPS])}"
        parents = [_order(parent) for parent, _ in pairs]
        if parents != sorted(parents):
            self._note("unsorted-deps", row.line, f"{shown} are not sorted by parent")
        else:
            for (parent, relation), (next_parent, next_relation) in pairwise(pairs):
                if parent == next_parent and relation > next_relation:
                    self._note("unsorted-deps-2", row.line, f"{shown} are not sorted by relation")
                elif (parent, relation) == (next_parent, next_relation):
                    self._note("repeated-deps", row.line, f"{shown} have a pair twice")
        if _order(row.id) in parents:
            self._note("deps-self-loop", row.line, f"{row.id} is its own parent in {shown}")
        for _, relation in pairs:
            if not _is_enhanced(relation):
                self._note("invalid-edeprel", row.line, f"{quoted(relation)} in DEPS is no relation")
            elif (universal := relation.partition(":")[0]) not in RELATIONS and universal != "ref":
                self._note("unknown-eudeprel", row.line, f"{quoted(relation)} in DEPS does not exist")

    def _check_misc(self, row: UDRow) -> None:
        if row.columns[MISC] == "_":
            return
        known: Counter[str] = Counter()
        for attribute in row.attributes:
            name, equals, value = attribute.partition("=")
            if not name:
                self._note("empty-misc-key" if equals else "empty-misc", row.line, f"{quoted(attribute)} in MISC")
            if AT_EDGE.fullmatch(name) or AT_EDGE.fullmatch(value):
                self._note("misc-extra-space", row.line, f"blank at an end in {quoted(attribute)} in MISC")
            if name in KNOWN:
                known[name] += 1
            elif _stripped(name).lower() in NEARLY_KNOWN:
                self._note("misc-attr-typo", row.line, f"is {quoted(name)} in MISC misspelt?")
        for name, times in known.items():
            if times > 1:
                self._note("repeated-misc", row.line, f"{name} stands {times} times in MISC")


def _sorted(names: Sequence[str]) -> bool:
    lowered = [name.lower() for name in names]
    return lowered == sorted(lowered)


def _order(name: str) -> tuple[int, int]:
    """What ids are sorted by."""
    word, _, minor = name.partition(".")
    return number(word), number(minor or "0")


def _stripped(name: str) -> str:
    return re.sub(rf"^{BLANK}+|{BLANK}+$", "", name)


def _is_enhanced(relation: str) -> bool:
    """Whether a relation of DEPS is written as it should be: universal, subtype, preposition, case.

    Only the preposition may have letters beyond a to z, and underscores between them.

    >>> _is_enhanced("obl:v_souladu_s:ins"), _is_enhanced("obl:s_:ins"), _is_enhanced("_")
    (True, False, False)
    """
    universal, *others = relation.split(":")
    plain = [re.fullmatch(r"[a-z]+", part) is not None for part in others]
    if not re.fullmatch(r"[a-z]+", universal) or len(others) > 3:
        return False
    wide = [_is_preposition(part) for part in others]
    places = {0: [], 1: [[0]], 2: [[0], [1]], 3: [[1]]}[len(others)]
    return not others or any(all(wide[i] if i in place else plain[i] for i in range(len(others))) for place in places)


def _is_preposition(text: str) -> bool:
    return all(part and all(category(letter) in LETTERS for letter in part) for part in text.split("_"))
