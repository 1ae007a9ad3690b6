"""Level 2: what comments say of a sentence: its ids, whether a document begins, and its text against its forms."""

from __future__ import annotations

import re

from ..problems import quoted
from .sentence import BLANK, FORM, MISC, Note, UDSentence, number

SENT_ID = re.compile(rf"#{BLANK}*sent_id{BLANK}*={BLANK}*(\S+)")
NEWDOC = re.compile(rf"#{BLANK}*newdoc(?:{BLANK}+\S+)?")
"""As it is tested: ``# newdoc id = x`` is none."""
NEWPAR = re.compile(rf"#{BLANK}*newpar(?:{BLANK}+\S+)?")
TEXT = re.compile(rf"#{BLANK}*text{BLANK}*={BLANK}*(.*)")
PARALLEL = re.compile(
    rf"#{BLANK}*parallel_id{BLANK}*={BLANK}*"
    r"([a-z]+/[-0-9a-z]+)(?:/(?=[ap])(?:alt([1-9][0-9]*))?(?:part([1-9][0-9]*))?)?"
)


class Comments:
    """Checks the comments of the sentences of a file."""

    def __init__(self, note: Note) -> None:
        self._note = note
        self._sent_ids: set[str] = set()
        self._parallel: set[tuple[str | None, ...]] = set()
        self._latest: dict[tuple[str, str], int | None] = {}  # the latest alt and part of each parallel sentence
        self._glued = False  # whether the latest token has SpaceAfter=No

    def check(self, sentence: UDSentence) -> None:
        """Note what is wrong."""
        self._check_sent_id(sentence)
        self._check_parallel_id(sentence)
        begins = {name: sentence.matching(pattern) for name, pattern in (("newdoc", NEWDOC), ("newpar", NEWPAR))}
        for name, matches in begins.items():
            if len(matches) > 1:
                self._note(f"multiple-{name}", sentence.first, f"{len(matches)} {name} lines in one sentence")
        if any(begins.values()) and self._glued:
            message = "a document or paragraph begins after a sentence whose last token has SpaceAfter=No"
            self._note("spaceafter-newdocpar", sentence.first, message)
        texts = sentence.matching(TEXT)
        if len(texts) == 1:
            self._check_text(sentence, texts[0][1])
        else:
            test = "multiple-text" if texts else "missing-text"
            self._note(test, sentence.first, f"{len(texts) or 'no'} '# text =' in the sentence")

    def _misspelt(self, sentence: UDSentence, name: str, pattern: re.Pattern[str]) -> None:
        for comment in sentence.comments:
            if comment.startswith((f"# {name}", f"#{name}")) and not pattern.fullmatch(comment):
                self._note(f"invalid-{name.replace('_', '-')}", sentence.first, f"{quoted(comment)} is no {name}")

    def _check_sent_id(self, sentence: UDSentence) -> None:
        self._misspelt(sentence, "sent_id", SENT_ID)
        ids = [match[1] for match in sentence.matching(SENT_ID)]
        if len(ids) != 1:
            test = "multiple-sent-id" if ids else "missing-sent-id"
            self._note(test, sentence.first, f"{len(ids) or 'no'} sent_id in the sentence")
            return
        if ids[0] in self._sent_ids:
            self._note("non-unique-sent-id", sentence.first, f"sent_id {quoted(ids[0])} comes twice in the file")
        if ids[0].count("/") > 1:
            self._note("slash-in-sent-id", sentence.first, f"sent_id {quoted(ids[0])} has several slashes")
        self._sent_ids.add(ids[0])

    def _check_parallel_id(self, sentence: UDSentence) -> None:
        self._misspelt(sentence, "parallel_id", PARALLEL)
        matches = sentence.matching(PARALLEL)
        if len(matches) > 1:
            self._note("multiple-parallel-id", sentence.first, f"{len(matches)} parallel_ids in one sentence")
        if len(matches) != 1:
            return
        parallel, *numbers = whole = matches[0].groups()
        if whole in self._parallel:
            self._note("non-unique-parallel-id", sentence.first, f"parallel_id {quoted(parallel)} comes twice")
        else:
            for name, digits in zip(("alt", "part"), numbers, strict=True):
                self._check_order(sentence, name, parallel, number(digits) if digits else None)
        self._parallel.add(whole)

    def _check_order(self, sentence: UDSentence, name: str, parallel: str, found: int | None) -> None:
        """Versions and parts are numbered 1, 2, …, or none of a sentence is."""
        before = self._latest.get((name, parallel), 0)
        known = (name, parallel) in self._latest
        expected = before + 1 if before is not None else None
        if found != expected and not (found is None and not known):
            message = f"{name} of the parallel sentence {quoted(parallel)} is {found}, not {expected}"
            self._note(f"parallel-id-{name}", sentence.first, message)
        self._latest[name, parallel] = found

    def _check_text(self, sentence: UDSentence, text: str) -> None:
        if not text:
            self._note("empty-text", sentence.first, "the text is empty")
        elif text[-1].isspace():
            self._note("text-trailing-whitespace", sentence.first, "the text ends in a blank")
        inside: set[str] = set()  # the words of multiword tokens
        reported = False
        for row in sentence.rows:
            misc, form, line = row.columns[MISC], row.columns[FORM], row.line
            if "NoSpaceAfter=Yes" in misc:
                self._note("nospaceafter-yes", sentence.first, "NoSpaceAfter=Yes in MISC")
            if any(item.startswith("SpaceAfter=") and item != "SpaceAfter=No" for item in row.attributes):
                self._note("spaceafter-value", line, "SpaceAfter has another value than No")
            glued = "SpaceAfter=No" in misc
            if row.is_empty or row.id in inside:
                if glued:
                    test = "spaceafter-empty-node" if row.is_empty else "spaceafter-mwt-node"
                    self._note(test, line, f"{row.id} has SpaceAfter=No")
                continue
            if row.is_multiword:
                first, last = map(number, row.id.split("-"))
                inside.update(map(str, range(first, last + 1)))
            if not text.startswith(form):
                if not reported:
                    self._note("text-form-mismatch", line, f"form {quoted(form)}, but text {quoted(text)}")
                reported = True
                continue
            text = text[len(form) :]
            self._glued = "SpaceAfter=No" in row.attributes
            if not self._glued:
                if text and not text[0].isspace():
                    self._note("missing-spaceafter", line, f"form {quoted(form)} is followed by {quoted(text)}")
                text = text.lstrip()
        if text:
            self._note("text-extra-chars", sentence.first, f"the text goes on: {quoted(text)}")
