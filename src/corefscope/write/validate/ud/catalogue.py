"""The tests of the official validator that can fail at level 2 with coreference: id, severity, meaning and hint."""

from __future__ import annotations

import re

from ..codes import CODES, Code

VERSION = "0.2.9"
"""That of udtools whose behaviour this is."""

_TREE = "the basic tree is a tree: HEAD leads from every word to 0, and one word has HEAD 0"
_ORDER = "closing brackets come before opening ones, those around one word before the former or after the latter"
_PARTS = "write the parts of one mention as ID[1/3], ID[2/3], ID[3/3], in this order, with the same fields"
_HEADER = "write '# global.Entity = eid-etype-head-other' before the first Entity, the same in all documents"
_DEPS = "DEPS are parent:relation pairs joined by '|', sorted by parent, then by relation"
_FEATS = "FEATS are Name=Value pairs joined by '|', sorted, each name once"
_TEXT = "'# text = …' is the forms of the sentence, with a space after each that has no SpaceAfter=No"
_LINK = "write ID<PLURAL,ID<PLURAL where a mention of the entity PLURAL begins"
_IDS = "IDs are 1, 2, …, with N.1 (empty node) after N and N-M (multiword token) before N"
_SPACES = "columns are not empty; only FORM, LEMMA and MISC may have blanks, single ones, inside"
_PARALLEL = "write '# parallel_id = corpus/sentence', or …/alt1 and …/part1 where one has several versions or parts"

_CATALOGUE = f"""
L1 FORMAT
misplaced-comment W113: A comment stands after words of its sentence.
  > put comments before the words
pseudo-empty-line E102: A line looks empty and is not.
  > sentences end in a line that is really empty
empty-sentence W112 W114: A stretch between empty lines holds no words.
  > one empty line ends a sentence; comments belong right before the words
invalid-line: A line begins neither with a digit nor with '#'.
  > save the file as UTF-8 without BOM; separate columns by tabs
missing-empty-line W111: The last sentence is not followed by an empty line.
  > was the file cut?
number-of-columns E101: A line has not ten columns.
  > CoNLL-U has ten columns separated by tabs
invalid-whitespace-mwt: A multiword token has a blank in FORM or LEMMA.
  > {_SPACES}
invalid-whitespace: A column that may have no blank has one.
  > {_SPACES}
empty-column: A column is empty.
  > write '_'
leading-whitespace: A column begins with a blank.
  > {_SPACES}
trailing-whitespace: A column ends in a blank.
  > {_SPACES}
repeated-whitespace: A column has two blanks in a row.
  > {_SPACES}
invalid-word-id E103: An ID is none.
  > {_IDS}
misplaced-word-interval W115: A multiword token does not stand before its first word.
  > {_IDS}
misplaced-empty-node E105 W116: An empty node does not stand where its ID says.
  > {_IDS}
word-id-sequence E104: Words are not numbered 1, 2, 3, …
  > {_IDS}
reversed-word-interval W115: A multiword token ends before it begins.
  > {_IDS}
word-interval-out W115: A multiword token, or a word, has a number beyond the words of the sentence.
  > {_IDS}
overlapping-word-intervals W115: Multiword tokens overlap.
  > {_IDS}
non-unix-newline W007: Lines end in carriage returns.
  > convert it: tr -d '\\r' or dos2unix

L1 UNICODE
invalid-utf E002: A line is not UTF-8, or has the character that stands for such bytes (U+FFFD).
  > convert the file, e.g. with iconv -f latin1 -t utf-8
unicode-normalization: A line is not in the normal form NFC.
  > write letters with their accents as one character, e.g. with uconv -x any-nfc

L2 FORMAT
mwt-nonempty-field: A multiword token has more than FORM and MISC.
  > write '_' in the other columns of a multiword token
empty-node-nonempty-field: An empty node has HEAD or DEPREL.
  > write '_' in both, and the dependencies in DEPS
invalid-head W119: HEAD is no number.
  > {_TREE}
invalid-deps E317 W330: DEPS cannot be read.
  > {_DEPS}
invalid-ehead E317 W330: A parent in DEPS is no ID.
  > {_DEPS}
unsorted-deps: DEPS are not sorted by parent.
  > {_DEPS}
unsorted-deps-2: DEPS with one parent are not sorted by relation.
  > {_DEPS}
repeated-deps: A pair stands twice in DEPS.
  > {_DEPS}
repeated-misc: MISC has an attribute twice that may stand once: SpaceAfter, Lang, Translit, LTranslit, Gloss, LId,
     LDeriv or Ref.
  > leave one out

L2 WARNING
empty-misc: An attribute of MISC is empty.
  > is there a '|' too many?
empty-misc-key: An attribute of MISC has no name.
  > write Name=Value
misc-extra-space: Name or value of an attribute of MISC begins or ends with a blank.
  > leave the blank out
misc-attr-typo: An attribute of MISC is nearly called as a known one.
  > names are SpaceAfter, Lang, Translit, LTranslit, Gloss, LId, LDeriv and Ref, in these letters

L2 MORPHO
unknown-upos: UPOS is none of the 17 parts of speech.
  > write X if nothing is known; an empty node may have '_'
empty-string-in-xpos: XPOS is empty.
  > write '_'
unsorted-features: FEATS are not sorted.
  > {_FEATS}
invalid-feature: A feature is no Name=Value.
  > {_FEATS}
repeated-feature-value: A feature has a value twice.
  > {_FEATS}
unsorted-feature-values: The values of a feature are not sorted.
  > {_FEATS}
repeated-feature: A feature stands twice in FEATS.
  > {_FEATS}

L2 SYNTAX
unknown-head W119: HEAD names no word of the sentence.
  > {_TREE}
head-self-loop W119: HEAD of a word is the word itself.
  > {_TREE}
multiple-roots: Several words have HEAD 0.
  > {_TREE}
non-tree W119: Words form a cycle.
  > {_TREE}
invalid-deprel: DEPREL is no relation in small letters, with one subtype at most.
  > write dep if nothing is known
unknown-udeprel: DEPREL is none of the 37 relations.
  > write dep if nothing is known

L2 ENHANCED
unknown-ehead E317 W330: A parent in DEPS is no word of the sentence.
  > {_DEPS}
deps-self-loop: A word is its own parent in DEPS.
  > {_DEPS}
invalid-edeprel: A relation in DEPS has letters that it may not have.
  > relations are small letters; give an empty node dep rather than '_'
unknown-eudeprel: A relation in DEPS is none of the 37, nor ref.
  > write dep if nothing is known
edeps-only-sometimes: Some sentences have DEPS, or empty nodes, and others have not.
  > give DEPS in all sentences or in none
unconnected-egraph: Not every node can be reached from 0 over DEPS.
  > if a sentence has DEPS or empty nodes, all its words need DEPS

L2 METADATA
invalid-sent-id: A sent_id line is malformed.
  > write '# sent_id = …', an id without blanks
missing-sent-id W117: A sentence has no sent_id.
  > write '# sent_id = …'
multiple-sent-id: A sentence has several sent_ids.
  > keep one
non-unique-sent-id E106 W118: A sent_id comes twice in the file.
  > give every sentence an id of its own
slash-in-sent-id: A sent_id has several slashes.
  > leave them out
invalid-parallel-id: A parallel_id line is malformed.
  > {_PARALLEL}
multiple-parallel-id: A sentence has several parallel_ids.
  > {_PARALLEL}
non-unique-parallel-id: A parallel_id comes twice.
  > {_PARALLEL}
parallel-id-alt: The versions of a parallel sentence are not numbered 1, 2, …
  > {_PARALLEL}
parallel-id-part: The parts of a parallel sentence are not numbered 1, 2, …
  > {_PARALLEL}
multiple-newdoc E206: A sentence has several newdoc lines.
  > keep one
multiple-newpar: A sentence has several newpar lines.
  > keep one
spaceafter-newdocpar: SpaceAfter=No stands at the end of a document or paragraph.
  > leave it out
missing-text: A sentence has no text.
  > {_TEXT}
multiple-text: A sentence has several texts.
  > keep one
empty-text: The text of a sentence is empty.
  > {_TEXT}
text-trailing-whitespace: The text of a sentence ends in a blank.
  > {_TEXT}
nospaceafter-yes: NoSpaceAfter=Yes is not the way to say it.
  > write SpaceAfter=No
spaceafter-value: SpaceAfter has another value than No.
  > write SpaceAfter=No, or leave it out
spaceafter-empty-node: An empty node has SpaceAfter=No.
  > leave it out
spaceafter-mwt-node: A word of a multiword token has SpaceAfter=No.
  > write it on the line of the token
text-form-mismatch: A form is not what comes next in the text.
  > {_TEXT}
missing-spaceafter: No space follows a form in the text, but it has no SpaceAfter=No.
  > {_TEXT}
text-extra-chars: The text goes on after the last form.
  > {_TEXT}

L6 COREF
global-entity-mismatch E203 W211: global.Entity differs from the first one of the file.
  > {_HEADER}
spurious-global-entity E202 W213 W214: global.Entity does not begin with eid-etype-head, or other is not fourth.
  > {_HEADER}
entity-mwt E107: Entity, Bridge or SplitAnte stands on the line of a multiword token.
  > move it to the words that the token is made of
multiple-entity-statements E302: Entity stands twice in one MISC.
  > join both: Entity=(…)(…)
multiple-bridge-statements: Bridge stands twice in one MISC.
  > join both: Bridge=ID<ID,ID<ID
multiple-splitante-statements: SplitAnte stands twice in one MISC.
  > join both: SplitAnte=ID<PLURAL,ID<PLURAL
bridge-without-entity W331: Bridge stands without Entity.
  > write it where a mention of its target begins
splitante-without-entity W331: SplitAnte stands without Entity.
  > write it where a mention of its target begins
entity-without-global-entity E201 W212: Entity is used before the first global.Entity.
  > {_HEADER}
spurious-entity-statement E301 E308 W325: Entity cannot be read, or its brackets are in the wrong order.
  > {_ORDER}
too-many-entity-attributes E318 W323: A bracket holds more fields than global.Entity names, or a closing one more
     than the id.
  > name them in the header; '-' within a value is written %2D
spurious-entity-id E311 W328 W332: The id of an entity has a square bracket, or a part that cannot be.
  > {_PARTS}
misplaced-mention-part E312 E313: A part of a mention comes without the one before it.
  > {_PARTS}
mention-attribute-mismatch: The parts of a mention have different fields.
  > {_PARTS}
entity-across-newdoc W405: An entity id comes again in another document, after a newdoc line without 'id ='.
  > give entities ids of their own
spurious-entity-type: The type of an entity is none of the 12, nor empty.
  > types are person, place, organization, animal, plant, object, substance, time, number, abstract, event, other
spurious-mention-head E309 W321: A head is no number from 1 on.
  > the head is the index of a word in the mention, from 1, empty nodes counted
entity-type-mismatch W324: A mention has another type than the first of its entity.
  > the mentions of an entity have one type, all of them or none
entity-identity-mismatch: A mention has another identity than the first of its entity.
  > the mentions of an entity have one identity, all of them or none
ill-nested-entities E303 E319: A bracket closes what is not open in its sentence.
  > write the bracket that opens it; a part is closed by its own name, as ID[1/2])
mention-head-out-of-range E310: The head is beyond the words of its mention.
  > the head is the index of a word in the mention, from 1, empty nodes counted
same-span-entity-mentions W401 W402: Two mentions have the same words.
  > keep one of them
crossing-mentions-same-entity W403: Two mentions of the same entity overlap, and neither holds the other.
  > mentions of one entity are apart or nested
spurious-bridge-statement W331: Bridge cannot be read.
  > write ID<ID or ID<ID:relation, joined by ','
spurious-splitante-statement W331: SplitAnte cannot be read.
  > {_LINK}
spurious-splitante-relation W331: SplitAnte links an entity with itself.
  > {_LINK}
misplaced-splitante-statement: SplitAnte stands where no mention of its target begins.
  > {_LINK}
repeated-splitante-relation: A link stands twice in SplitAnte.
  > {_LINK}
only-one-split-antecedent: SplitAnte gives an entity one antecedent only.
  > {_LINK}
split-antecedent-mismatch: SplitAnte of an entity stands at two mentions: the official test refuses even the same one.
  > keep the first
cross-sentence-mention E304 E305 E314 W333: A mention is not closed, or not complete, at the end of its sentence.
  > close it in its sentence, with all its parts
internal-error E316: A part of a mention is closed after the last one. (The official validator calls this an error of
     its own.)
  > {_PARTS}

L6 WARNING
ill-nested-entities-warning: Brackets of different entities cross.
  > mentions of different entities may cross; was it meant?
"""
_GROUP = re.compile(r"^L[126] [A-Z]+$", re.MULTILINE)
_ENTRY = re.compile(r"^([a-z0-9-]+)((?: [EW][0-9]+)*): ([^>]+)\n  > (.+)$", re.MULTILINE)


def _tests() -> dict[str, Code]:
    groups = list(_GROUP.finditer(_CATALOGUE))
    ends = [group.start() for group in groups[1:]] + [len(_CATALOGUE)]
    tests = {}
    for group, end in zip(groups, ends, strict=True):
        severity = "warning" if group[0].endswith("WARNING") else "error"
        for id_, ours, meaning, hint in _ENTRY.findall(_CATALOGUE, group.end(), end):
            tests[id_] = Code(id_, id_, " ".join(meaning.split()), hint, severity, f"[{group[0]} {id_}]")
            ALIKE[id_] = tuple([CODES[code].code for code in ours.split()])
    return tests


ALIKE: dict[str, tuple[str, ...]] = {}
"""Our codes for the same thing, or a part of it."""
TESTS: dict[str, Code] = _tests()
"""All of them, by id."""
