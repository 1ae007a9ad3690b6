"""Printed text over the words of a skeleton, which is the key unless another file is named.

Sentences, words and empty nodes are those of the skeleton, so a document is what any other is; mentions are those
that the tags tell. What became of words and tags is in ``account``.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from io import BytesIO
from itertools import accumulate, chain
from typing import TYPE_CHECKING

from ...base.brief import brief
from ...base.document import Document
from ...base.errors import InputError, Warnings, amount
from ..source import Source
from .account import COPIED, DROPPED, REASONS, REPAIRED, Account, Copied, is_copy
from .aligning import aligned
from .cleaning import cleaned
from .documents import PrintedLine, alike, runs, sorted_out
from .frame import Frame, as_conllu
from .lexing import items
from .literal import lexed_over, may_look_like_tags
from .printed import DEFAULT, Printed
from .printed_json import in_json
from .styles import LOOKS_LIKE as LOOKS_LIKE
from .styles import STYLES, Style, named_style, style_of
from .tags import Lexed, lexed

if TYPE_CHECKING:
    from ..source import DocumentReader

SHOWN = 60
"""Characters of a text that are shown where no tags are recognised."""
_NO_WORDS = re.compile(rb"^#[^\n]*\n|\t[^\t\n]*$", re.MULTILINE)


class TaggedReader:
    """The documents of a file of printed text; ``names`` are those of the skeleton."""

    def __init__(self, source: Source, warnings: Warnings, side: str = "response") -> None:  # noqa: ARG002
        self.source = source
        self.account = Account(signed=DEFAULT.signed())
        self._warnings = warnings
        self._printed = DEFAULT
        self._skeleton: DocumentReader | None = None
        self._style: Style | None = None
        """That of most of its tags, or the one that is named."""
        self._key: DocumentReader | None = None
        """What it is read beside; without it, the skeleton is all there is."""
        self._lines: list[list[PrintedLine]] = []
        """The lines of each document, once somebody has asked for documents."""

    def read_as(self, printed: Printed) -> None:
        """Read in this way; a skeleton that is named is read at once."""
        self._printed, self.account.signed = printed, printed.signed()
        if printed.skeleton:
            from ..formats import FORMATS, sniff

            source = Source.open(printed.skeleton)
            copy = Source(source.name, BytesIO(source.read(0, source.size)))  # which nobody has to close
            source.close()
            format_ = sniff(copy)
            if not FORMATS[format_].has_words:
                raise InputError(
                    f"is {format_}, which has no words to read printed text over",
                    path=source.name,
                    hint="name the file whose words were printed, mostly the key: --skeleton FILE",
                    code="no-skeleton",
                )
            self._skeleton = FORMATS[format_].open(copy, self._warnings, "key")

    def share_layout_with(self, other: DocumentReader) -> None:
        """Read over the words of the key, unless another skeleton is named."""
        self._key = other
        if self._printed.skeleton and not isinstance(other, TaggedReader):
            other_words = _words(other.source) != _words(self.skeleton.source)
            self.account.signed = self._printed.signed(other_words)
        if self._skeleton is None:
            skeleton = other.skeleton if isinstance(other, TaggedReader) else other
            self._skeleton = type(skeleton)(skeleton.source, Warnings(), "key")  # type: ignore[call-arg]

    @property
    def skeleton(self) -> DocumentReader:
        """The reader of the words."""
        if self._skeleton is None:
            message = "is printed text, which is read over the words of another file, and none is named"
            raise InputError(
                message,
                path=self.source.name,
                hint="name the file whose words were printed, mostly the key: --skeleton FILE",
                code="no-skeleton",
            )
        return self._skeleton

    @property
    def over_corefud(self) -> bool:
        """Whether the sentences of its documents are those of a CorefUD file."""
        from ..corefud.reader import CorefUDReader

        return isinstance(self._skeleton, CorefUDReader)

    @property
    def _has_zeros(self) -> bool:
        """Whether the format of the skeleton can have zeros: its lines are those of CoNLL-U or CoNLL-UA."""
        from ..ua.reader import UAReader

        return self.over_corefud or isinstance(self._skeleton, UAReader)

    @property
    def has_heads(self) -> bool:
        """Heads are found in the trees of the skeleton, if it has any."""
        return self.over_corefud

    @property
    def names(self) -> list[str]:
        """The ids of the documents."""
        return self.skeleton.names

    @property
    def starts(self) -> Sequence[int]:
        """Nothing: which lines are which document is known when all are."""
        return ()

    def line_of_document(self, index: int) -> int:
        """The line on which a document begins."""
        lines = self._lines[index] if self._lines else []
        return lines[0].number if lines else 1

    def __iter__(self) -> Iterator[Document]:
        return self.documents(0, len(self.names))

    def documents(self, start: int, stop: int) -> Iterator[Document]:
        """Those from one number up to another."""
        self.account.documents.clear()
        if self._printed.reading != DEFAULT.reading:
            from .text2text.reading import documents

            yield from documents(self, self._printed.reading, self._warnings, start, stop)
            return
        self._sort_lines()
        for number, document in enumerate(self.skeleton.documents(start, stop), start):
            yield self._document(document, self._lines[number])

    def _lexed(self, text: str, line: int, style: Style | None, forms: Sequence[str] = ()) -> Lexed:
        """The items and mentions of a text that begins on this line and is printed in a style."""
        if style is None:
            return lexed(items(text, 0, len(text)))
        try:
            return style.lexed(text, self._printed.repair) if style.is_json else lexed_over(style, text, forms)
        except InputError as error:
            raise error.located(self.source.name, line) from None

    def _style_of(self, lines: Sequence[PrintedLine], text: str, forms: Sequence[str] = ()) -> Style | None:
        """The style of a document: the one that is named, or that of most of its tags."""
        if lines and lines[0].style:
            return lines[0].style
        if self._printed.style or (len(self.names) == 1 and not may_look_like_tags(forms)):
            return self._style
        return style_of(text, self._style, "".join(forms))

    def _sort_lines(self) -> None:
        """Find out which lines are which document."""
        text = cleaned(self.source.text(self.source.start, self.source.size))
        lines = self._found_lines(text)
        forms = [Frame(document).forms for document in self.skeleton]
        if not self._has_tags(lines, forms):
            self._refuse_untagged(text, list(chain.from_iterable(forms)))
        if len(self.names) == 1:
            self._lines = [lines]
            return
        known = []
        for line in lines:
            words = self._lexed(line.text, line.number, self._style_of([line], line.text)).words
            known.append(line._replace(words=runs(words)))
        found = sorted_out(known, list(map(runs, forms)))
        self._lines = [[line] for line in known] if found is None else [alike(document) for document in found]
        if found is not None:
            self._tell_of_lines(known)

    def _found_lines(self, text: str) -> list[PrintedLine]:
        """The documents in JSON, or else, or also, the lines that are not blank; and the usual style of these."""
        self._style = named_style(self._printed.style) if self._printed.style else None
        faults: dict[int, str] = {}
        objects, rest = in_json(text, faults) if self._style is None or self._style.is_json else ([], text)
        for at, fault in faults.items():
            self._warnings.add("broken", self.source.name, text.count("\n", 0, at) + 1, fault)
        if self._style is None:
            self._style = style_of(rest)
            if objects and (self._style is None or not self._style.closings(rest)):
                return objects
        if self._style and self._style.is_json:
            return objects
        lines = [PrintedLine(number, line) for number, line in enumerate(rest.split("\n"), 1) if line.strip()]
        return sorted([*objects, *lines], key=lambda line: line.number)

    def _has_tags(self, lines: Sequence[PrintedLine], forms: Sequence[Sequence[str]]) -> bool:
        """Whether there is a tag that is no word of the skeleton, or a document in JSON."""
        if any(line.style for line in lines):
            return True
        style, text = self._style, "\n".join(line.text for line in lines)
        if style is None or style.is_json:
            return False
        words = list(chain.from_iterable(forms))
        if style.closings(text, "".join(words) if may_look_like_tags(words) else "") and not style.masked:
            return True
        return any(span.id for span in lexed_over(style, text, words).spans)

    def _key_has_mentions(self) -> bool:
        """Whether there is a mention to be found: in the key, or else in the skeleton."""
        key = self._key or self.skeleton
        again: DocumentReader = type(key)(key.source, Warnings(), "key")  # type: ignore[call-arg]
        if isinstance(again, TaggedReader):
            again.read_as(self._printed)
        return any(document.entities for document in again)

    def _refuse_untagged(self, text: str, forms: Sequence[str]) -> None:
        """Raise InputError: nothing is known of the mentions. A plain copy is right if the key has no mention."""
        words = lexed(items(text, 0, len(text))).words
        copied = bool(words) and is_copy(aligned(words, forms))
        if copied and not self._key_has_mentions():
            return
        named, styles = self._printed.style, ", ".join(STYLES)
        message = f"no tags of style {named} recognised" if named else "no mention tags recognised"
        hint = f"leave --style out, or name one of {styles}" if named else f"print tags in one of the styles {styles}"
        if self._style and (other := self._style.mistaken_for(text)):
            message += f"; the text looks like style {other}"
        if not copied:
            message += ", and the text is not a copy of the original"
            hint += "; did the model refuse, or answer in another way?"
        begins = [(number, line.strip()) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
        number, line = begins[0] if begins else (0, "")
        message += f": it begins {brief(line, SHOWN)}" if line else ": it is empty"
        raise InputError(message, path=self.source.name, line=number, hint=hint, code="no-tags")

    def _tell_of_lines(self, lines: list[PrintedLine]) -> None:
        """Warn that documents were told by their words, and count what is no document."""
        used = {line.number for document in self._lines for line in document}
        absent = [name for name, document in zip(self.names, self._lines, strict=True) if not document]
        message = f"{amount(len(lines), 'line')} for {amount(len(self.names), 'document')}: told apart by their words"
        if absent:
            message += f"; {amount(len(absent), 'document')} not printed, the first is {absent[0]!r}"
        self._warnings.add("documents", self.source.name, lines[0].number if lines else 0, message)
        outside = Copied("", "", 0)
        for line in lines:
            if line.number not in used:
                text = self._lexed(line.text, line.number, self._style_of([line], line.text))
                outside.words["set aside"] += len(text.words)
                outside.tags[DROPPED, "outside"] += text.tags
                if text.tags:
                    message = f"{amount(text.tags, 'tag')} dropped: this line is part of no document of the key"
                    self._warnings.add("outside", self.source.name, line.number, message)
        if outside.words or outside.tags:
            self.account.documents.append(outside)

    def _tell_of_tags(self, copied: Copied, unreadable: list[int]) -> None:
        """Warn of tags that are not read as they were printed, and of a document that ends early."""
        for line in unreadable:
            self._warnings.add("unreadable", self.source.name, line, "a tag is cut off or mangled: dropped")
        for id_, fate, reason, _, _, line in copied.marked:
            mention = f"a mention of {brief(id_, 60)}"
            if fate == DROPPED:
                message = f"{mention} is dropped: {REASONS[reason]}"
                self._warnings.add(reason, self.source.name, line, message)
            elif fate == REPAIRED:
                message = f"{mention} lacks a tag: read as --unclosed {self._printed.unclosed} says"
                self._warnings.add(fate, self.source.name, line, message)
        if copied.cut_off:
            message = f"document {copied.name!r} is cut off at word {copied.cut_off:,} of {copied.of:,}"
            self._warnings.add("cut off", self.source.name, 0, message)

    def _tell_of_untagged(self, document: Document, copied: Copied, line: int, tags: int) -> None:
        """Warn of a document that is printed, but is no copy of the original, or has no tags although the key has."""
        if not copied.is_copy:
            words = sum(copied.words[kind] for kind in COPIED)
            message = (
                f"the text printed for document {document.id!r} is not a copy of it"
                f" ({words:,} of {amount(copied.of, 'word')}): did the model refuse?"
            )
            self._warnings.add("no copy", self.source.name, line, message)
        elif document.entities and not tags:
            message = f"document {document.id!r} has no tags, but mentions in the key"
            self._warnings.add("untagged", self.source.name, line, message)

    def _document(self, document: Document, lines: list[PrintedLine]) -> Document:
        """One document of the skeleton with the mentions of these lines."""
        from .copies import aligned_copy
        from .placing import Placing, placed
        from .spans import over

        frame = Frame(document if self._has_zeros else as_conllu(document))
        whole = "\n".join(line.text for line in lines)
        style = self._style_of(lines, whole, frame.forms)
        text = self._lexed(whole, lines[0].number if lines else 1, style, frame.forms)
        parts = text.text.split("\n") if text.text else [line.text for line in lines]
        starts = list(accumulate([0, *(len(part) + 1 for part in parts)]))

        def line_of(at: int) -> int:
            return lines[bisect_right(starts, at) - 1].number

        for note in text.notes:
            self._warnings.add("repaired", self.source.name, lines[0].number, f"document {document.id!r}: {note}")
        steps = aligned_copy(text, frame.forms)
        placing = Placing(frame, text, steps)
        copied = Copied(document.id, style.name if style else "", len(frame.forms))
        copied.count(steps)
        entities = placed(text, placing, self._printed.unclosed, copied, line_of)
        self.account.documents.append(copied)
        if lines:
            self._tell_of_untagged(document, copied, lines[0].number, text.tags)
        self._tell_of_tags(copied, [line_of(at) for at in text.unreadable])
        document = over(frame, entities, placing.new_zeros, placing.lines(line_of), self.source.name)
        return document._replace(copied=copied)


def _words(source: Source) -> bytes:
    """A file without what may differ between a key and its blind copy: comments, and the last column."""
    return _NO_WORDS.sub(b"", source.read(source.start, source.size)).strip()
