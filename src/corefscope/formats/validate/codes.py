"""The catalogue of what validation can find: of each code its name, its meaning and a hint.

Codes are stable: none changes its meaning, and none is used again for another thing.

An **error** is what a reader refuses, or what it cannot read as it was meant: something is lost or misread, and the
reader warns of it by the same name. A **warning** is read as written, but breaks the format, stops the official
scorer, or is seldom meant.

A hint may be printed once below many messages, so it names no entity or word of its own: ``ID`` is the id that the
message names.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_DEPS = "DEPS are ID:relation pairs joined by '|'; each ID is that of a word or an empty node of the sentence"
_PARTS = "write the parts of one mention as ID[1/3], ID[2/3], ID[3/3], in this order"
_HEAD = "the head is the index of a word in the mention, from 1, empty nodes counted"

_CATALOGUE = f"""
# files
E001 unreadable-file: The file cannot be opened, unpacked or read as text.
  > check the path
E002 not-utf-8: A line is not UTF-8.
  > convert the file, e.g. with iconv -f latin1 -t utf-8
E003 no-sentence: The file holds no sentence.
  > was the program that wrote it interrupted?
E004 refused: The reader of this format refuses the file.
  > see docs/formats.md
W005 noted: The reader reads the file, but had to put up with something.
  > see docs/formats.md
W006 byte-order-mark: The file begins with a byte order mark.
  > save it as UTF-8 without BOM
W007 carriage-return: Lines end in carriage returns.
  > convert it: tr -d '\\r' or dos2unix
W008 no-mention: The file holds no mention at all.
  > is it the file that has the coreference?

# CoNLL-U
E101 wrong-columns: A line has not ten columns.
  > CoNLL-U has ten columns separated by tabs
E102 line-of-blanks: A line looks empty and is not.
  > sentences end in a line that is really empty
E103 bad-id: An ID is none.
  > IDs are 1, 2, … or N.1 (empty node) or N-M (multiword token)
E104 word-out-of-order: Words are not numbered 1, 2, 3, …
  > number the words of each sentence from 1
E105 repeated-empty-node: The ID of an empty node comes twice.
  > number the empty nodes after word N as N.1, N.2, …
E106 repeated-sent-id: A sent_id comes twice in a document.
  > give every sentence an id of its own
E107 entity-on-multiword-token: Entity is on the line of a multiword token, where every scorer ignores it.
  > move it to the words that the token is made of
E108 entity-without-words: Entity is in a block without an ordinary word: it is lost.
  > empty nodes and multiword tokens belong among the words of their sentence
W111 missing-last-empty-line: The last sentence is not followed by an empty line.
  > was the file cut?
W112 extra-empty-line: More than one empty line, or one at the beginning.
  > one empty line is enough
W113 comment-among-words: A comment follows words of its sentence.
  > put comments before the words
W114 block-without-words: A stretch between empty lines holds no ordinary word, and is skipped.
  > comments belong right before the words of a sentence
W115 bad-multiword-range: The range of a multiword token does not fit the words after it.
  > a token comes before its first word and spans at least two, and no two tokens overlap
W116 misplaced-empty-node: An empty node is not where its ID says; it is read as if it did.
  > N.1, N.2, … come after word N, in this order
W117 missing-sent-id: A sentence has no sent_id, and is known by its number.
  > write '# sent_id = …'
W118 sent-id-in-two-documents: A sent_id comes again in another document.
  > UD wants it unique in the file; scores do not depend on it
W119 bad-tree: HEAD names no word, or the words of a sentence form a cycle. Scores do not depend on it.
  > the official scorer stops at this; '_' in HEAD passes
W120 tenth-empty-node: An empty node has a number from 10 after its point, which the official scorer reads as a
     decimal fraction.
  > under the corefud-1.2 rules N.10 is N.1; the corrected rules tell them apart

# header and documents of CorefUD
E201 missing-header: Entity is used, but there is no global.Entity that says what its brackets hold.
  > write '# global.Entity = eid-etype-head-other' (or what your brackets hold) after newdoc
E202 header-without-id: global.Entity names neither eid nor GRP.
  > write for example '# global.Entity = eid-etype-head-other' after each newdoc
E203 header-moves: global.Entity moves id, type or head. The last one holds for the whole file: what comes before is
     misread.
  > give all documents the same header, or keep them in files of their own
E204 old-corefud: This is CorefUD 0.x (ClusterId=, MentionSpan=), an old format.
  > convert it to CorefUD 1.0 (Entity= in MISC), or take a newer release of the corpus
E205 document-name-clash: An unnamed document would be called as another is.
  > write '# newdoc id = …'
E206 ignored-newdoc: A newdoc line does not begin a document: it is misspelt, precedes no words, or another
     follows.
  > write '# newdoc id = …' among the comments of the first sentence of each document
E207 ignored-header: A global.Entity line is misspelt, and is not read.
  > write '# global.Entity = …'
W211 header-differs: global.Entity changes, though not in the places of id, type and head.
  > the last one of a file holds for all of it: repeat the same one
W212 late-header: Entity is used before the first global.Entity.
  > write it after the first newdoc
W213 header-without-head: global.Entity names no head: mentions of several words are headed by the first.
  > score such a file with --match exact, or add a head field
W214 repeated-header-field: global.Entity names a field twice, or both eid and GRP; the last one counts.
  > name each field once
W221 no-newdoc: The file has no newdoc and is read as one document.
  > the official scorer stops at a mention outside documents: write '# newdoc id = …'
W222 text-before-newdoc: Sentences come before the first newdoc; they are a document of their own.
  > the official scorer stops at a mention outside documents: write '# newdoc id = …'
W223 unnamed-document: A newdoc gives no id.
  > write '# newdoc id = …'; else it is called by its number
W224 repeated-document: The id of a newdoc comes again: both parts are one document.
  > give every document an id of its own

# brackets of CorefUD
E301 entity-without-value: Entity has no value.
  > write Entity=(ID…) or leave the attribute out
E302 repeated-entity-attribute: Entity occurs twice in one MISC: only the last counts.
  > join both: Entity=(…)(…)
E303 closed-never-opened: A bracket closes what is not open.
  > write the bracket that opens it, (ID…, on its first word
E304 never-closed: A bracket is never closed: the mention is lost.
  > write 'ID)' on its last word, before the brackets that open there
E305 crosses-sentences: A mention ends in another sentence than it began in, which CorefUD cannot hold.
  > close it in its sentence
E306 crosses-documents: A mention is closed in the document after its own.
  > close it before newdoc
E307 bad-entity-id: A bracket holds no usable entity id.
  > ids are not empty and hold no blanks, brackets, '-', '=' or '|'
E308 no-bracket: A piece of Entity has no bracket with an id: it is lost.
  > write (ID…, ID) or (ID…)
E309 head-not-a-number: Where the header says head, a bracket holds something else.
  > the head is the index of a word in the mention, from 1; give it as a number
E310 head-outside-mention: The head is beyond the words of its mention.
  > {_HEAD}; or do two mentions of this entity cross, which brackets with one id cannot?
E311 bad-part: The part of a discontinuous mention is malformed.
  > {_PARTS}
E312 part-without-first: A later part comes without the parts before it.
  > {_PARTS}
E313 parts-disagree: The parts of a mention do not count on, or disagree how many they are.
  > {_PARTS}
E314 last-part-missing: The last part of a mention never comes; it is read without.
  > {_PARTS}
E315 last-part-without-head: The last part of a discontinuous mention is one word and gives no head.
  > name the head field in global.Entity and give the head in the last part
E316 parts-entangled: Discontinuous mentions of an entity do not end in the reverse order of their beginnings.
  > finish the inner mention before the outer one
E317 bad-zero-deps: DEPS of an empty node that heads a mention name no word of the sentence.
  > {_DEPS}
E318 closing-with-fields: A closing bracket holds more than the id.
  > a closing bracket holds nothing but the id: 'ID)'
E319 part-closed-otherwise: A closing bracket names another part than the one it is read to close, that opened last.
  > close ID[1/2] by 'ID[1/2])' and ID by 'ID)', and what was opened last first
W321 unused-head: A head that is never looked at: 0, or that of a mention of one word and not 1.
  > write the index of the head from 1; that of one word is 1
W322 missing-head: A bracket of several words gives no head: it is the first word.
  > {_HEAD}
W323 extra-fields: A bracket holds more fields than global.Entity names: the last are ignored.
  > name them in the header; '-' within a value is written %2D
W324 type-changes: An entity has another type than before.
  > the mentions of an entity have one type
W325 closed-after-opened: A word opens and closes the same entity while an earlier mention of it is open: the new one
     is closed.
  > write closing brackets first: ID)(ID…
W327 parts-overlap: Parts of a discontinuous mention share words.
  > a word belongs to one part
W328 bracket-in-id: An entity id holds a square bracket.
  > {_PARTS}
W329 zero-without-deps: An empty node that heads a mention has no DEPS: it is matched by its position only.
  > give its enhanced dependencies in DEPS, as ID:relation; the official scorer stops without
W330 bad-head-deps: DEPS of a word that heads a mention are malformed. Scores do not depend on them.
  > the official scorer stops at this; {_DEPS}
W331 bad-link: Bridge or SplitAnte is malformed, occurs without Entity, or names an entity that does not exist.
  > write ID<ID or ID<ID:relation, joined by ','; the official scorer may stop at this
W332 single-part: A part is the only one of its mention: [1/1].
  > leave [1/1] out
W333 parts-in-two-sentences: Parts of a mention are in different sentences.
  > {_PARTS}

# mentions, in all formats
W401 repeated-mention: A span occurs twice in the same entity.
  > leave one out; scorers count it once, or twice if its heads differ
W402 span-in-two-entities: A span is in two entities: scorers disagree on what that means.
  > keep it in one; under the corefud-1.2 rules even a file against itself may then score less than 100
W403 crossing-mentions: Two mentions of the same entity overlap, and neither holds the other.
  > mentions of one entity are apart or nested
W404 ambiguous-nesting: Two mentions of an entity are nested. Were they meant to cross? Brackets with one id cannot.
  > if both are meant as read, all is well
W405 entity-in-two-documents: An entity id comes again in another document. Documents are scored apart, so it counts
     as two entities.
  > give entities ids of their own, or let the header say GRP if ids begin anew in each document
W406 no-singletons: No entity has just one mention. Corpora that annotate singletons have many.
  > right if the corpus annotates none; else they were dropped, and scores with --singletons keep suffer
W407 only-singletons: Every entity has just one mention: nothing corefers with anything.
  > are ids given to mentions instead of entities? Without singletons nothing is left to score

# CoNLL-2012 and SemEval
E501 no-document: There is no '#begin document' line.
  > is it a CoNLL file at all?
E502 repeated-part: A document comes twice with the same part.
  > number its parts
E503 one-column: A line has one column.
  > a word and its coreference cell are needed
E504 bad-cell: A coreference cell is malformed.
  > cells hold (ID, ID), (ID) and combinations joined by '|'
E505 words-outside-documents: Words are outside '#begin document' … '#end document': lost, or read as part of the
     document before.
  > put every sentence between '#begin document' and '#end document'
E506 ignored-begin-line: A line looks like '#begin document' and is not read as one: its words join the document
     before.
  > write '#begin document (ID); part 000'
W511 mention-over-sentences: A mention goes on in the next sentence.
  > is a closing bracket missing?
W512 missing-end-line: The last document has no '#end document'.
  > was the file cut off?
W513 begun-inside: A document begins before the last one ended.
  > write '#end document' before it
W514 columns-vary: Lines of one sentence have different numbers of columns.
  > fill empty cells with '-'
W515 word-numbers: Word numbers do not count on.
  > are words missing? Scores do not depend on it
W516 hash-line: A line of several columns begins with '#' and is read as a comment.
  > put a column before
W517 end-without-begin: '#end document' is outside documents.
  > is '#begin document' misspelt?
W518 document-without-words: A document has no words.
  > leave it out
W519 bare-id: An id without bracket is inside its mention, which goes on.
  > only the first and the last word have brackets
W520 opened-after-closed: A cell closes a mention and begins another of the same id, as 5)|(5. The reference scorer
     opens before it closes: it reads other mentions, and so do all rules but the corrected ones.
  > score with --rules corrected; CoNLL cannot hold a mention that begins at the last word of another of its entity

# CoNLL-UA
E701 bad-markable: A bracket lacks EntityID or MarkableID.
  > write (EntityID=…|MarkableID=…)
E702 markable-without-words: A markable is on a multiword token whose words do not follow.
  > put markables on the lines of words
E703 element-cycle: An entity is an element of itself, directly or by way of others; UA scorer 1.0 never ends.
  > ElementOf, or SplitAnte, names a plural entity that another one is a part of
E704 bad-minimum: Min is no number of a word.
  > write Min=N or Min=N,M: words of the document count from 1
E705 missing-anchor: A bridging link has no anchor.
  > write (MarkableID=…|Rel=…|MentionAnchor=…|EntityAnchor=…)
E706 markable-in-two-entities: The parts of a markable name different entities: the last one counts.
  > give every markable an id of its own
E707 bridging-of-nothing: A bridging link names a markable or an entity that is not in IDENTITY: it is lost.
  > anaphor and anchor must be markables of the document
E708 element-of-nothing: ElementOf names an entity that has no markable: it is lost.
  > a plural needs at least one markable
W711 minimum-outside: Min names words outside of its markable, which is then matched exactly; under UA scorer 1.0 with
     MIN it matches nothing.
  > words count from 1, through the document
W712 stops-ua-scorer: UA scorer 1.0 stops at this, or never ends.
  > other rules read it: --rules corrected
W713 read-otherwise: UA scorer 1.0 reads other mentions or links: it counts zeros and multiword tokens as words, of
     parts of a markable or of several anchors it takes the last, and it does not know _Pseudo.
  > under the ua-1.0 rules the score is that of its reading
W714 own-anchor: A bridging anaphor has itself for its anchor, or another mention of its own entity.
  > bridging leads to something else: name a mention of another entity, or write identity
"""
"""An entry is code and name, the meaning, and a hint."""
_ENTRY = re.compile(r"^([EW][0-9]+) (\S+): ([^>]+)\n  > (.+)$", re.MULTILINE)


class Code(NamedTuple):
    """One entry of the catalogue."""

    code: str
    name: str
    meaning: str
    hint: str
    severity: str
    """``error`` or ``warning``; of our codes, the letter says it."""
    title: str
    """What heads its problems in a report."""


CODES: dict[str, Code] = {
    code: Code(
        code, name, " ".join(meaning.split()), hint, "error" if code[0] == "E" else "warning", f"{code} {name}"
    )
    for code, name, meaning, hint in _ENTRY.findall(_CATALOGUE)
}
"""All of them, by code."""

BY_NAME: dict[str, Code] = {code.name: code for code in CODES.values()}
