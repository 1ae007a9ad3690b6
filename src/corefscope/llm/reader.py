"""Reader of printed text over the words of a skeleton, which is the key unless another file is named.

Sentences, words and empty nodes are those of the skeleton, so that documents are like any others; mentions come from
the tags. ``copy_report`` reports how words were copied and where tags were placed.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from io import BytesIO
from itertools import accumulate, chain

from ..core.document import Document
from ..core.errors import InputError, Warnings, amount
from ..core.format import FORMATS
from ..core.naming import brief
from ..formats.alignment import COPIED, align_words
from ..formats.corefud.reader import CorefUDReader
from ..formats.detection import open_format, sniff
from ..formats.source import DocumentReader, Source, documents_in
from ..formats.ua.reader import UAReader
from .completions import CompletionFile, holds_completions
from .copies import (
    OrderedLines,
    PrintedLine,
    align_copy,
    assign_lines,
    has_tags,
    iter_lines,
    lex_over,
    survey_lines,
    vocabulary_of,
)
from .copy_report import DROPPED, PLACED, REASONS, REPAIRED, CopyReport, DocumentCopy, describe_located, is_copy
from .fast import STYLE as EXACT_STYLE
from .fast import exact_copy, placed_copy
from .lexer import ZERO, LexedText, clean, pair_tags, plain_items
from .locating import KeyText
from .mention_lists import LIST_STYLES, MentionList, may_have_list, read_list, read_lists
from .options import DEFAULT, WORD, PrintedOptions
from .placement import TagPlacer, place_mentions
from .printed_json import find_json_documents
from .prompts import SHORT_PROMPT
from .skeleton import Entities, SkeletonIndex, as_conllu, build_document
from .styles import CLASSIC, ENCLOSED, STYLES, Style, named_style, recognise_style, share_of_tags
from .styles import LOOKS_LIKE as LOOKS_LIKE

MIN_COPIED = 0.8
"""Share of the key's words that tagged text must have copied if the answer may as well be read as a list."""
SHOWN = 60
"""Number of characters that an error shows of a text without tags."""
_SKELETON_HINT = "name the file whose words were printed, usually the key: --skeleton FILE"
_ANNOTATION = re.compile(rb"^#[^\n]*\n|\t[^\t\n]*$", re.MULTILINE)
"""The parts in which a key and its blind copy may differ: comments, and the last column."""


class TaggedReader:
    """Reader of a file of printed text; ``names`` are those of the skeleton."""

    def __init__(self, source: Source, warnings: Warnings, side: str = "response") -> None:  # noqa: ARG002
        self.source = source
        self.copy_report: CopyReport = CopyReport(signed=DEFAULT.signed())
        self._warnings = warnings
        self._options = DEFAULT
        self._skeleton: DocumentReader | None = None
        self._style: Style | None = None
        """The style that is named, or that of most tags."""
        self._key: DocumentReader | None = None
        self._lines: list[list[PrintedLine]] = []
        """Lines of each document, once documents are read."""
        self._lists: dict[int, MentionList] = {}
        """Lists of mentions, by the number of their document."""
        self._ordered: OrderedLines | None = None
        """The lines of a file that is read line by line."""
        self._answers: CompletionFile | None = None
        """Answers of a file that wraps them."""

    def read_as(self, options: PrintedOptions) -> None:
        """Set the options; a skeleton that is named is read at once."""
        self._options, self.copy_report.signed = options, options.signed()
        if options.skeleton:
            source = Source.open(options.skeleton)
            copy = Source(source.name, BytesIO(source.read(0, source.size)))  # needs no closing
            source.close()
            format_ = sniff(copy)
            if not FORMATS[format_].has_words:
                message = f"is {format_}, which has no words to read printed text over"
                raise InputError(message, path=source.name, hint=_SKELETON_HINT, code="no-skeleton")
            self._skeleton = open_format(FORMATS[format_], copy, self._warnings, "key")

    def share_layout_with(self, other: DocumentReader) -> None:
        """Read over the words of the key, unless another skeleton is named."""
        self._key = other
        if self._options.skeleton and not isinstance(other, TaggedReader):
            words, others = (
                _ANNOTATION.sub(b"", source.read(source.start, source.size)).strip()
                for source in (self.skeleton.source, other.source)
            )
            self.copy_report.signed = self._options.signed(words != others)
        if self._skeleton is None:
            self._skeleton = _reopen(other.skeleton if isinstance(other, TaggedReader) else other)

    @property
    def skeleton(self) -> DocumentReader:
        """The reader of the original words."""
        if self._skeleton is None:
            message = "is printed text, which needs a file with the original words, and none is named"
            raise InputError(message, path=self.source.name, hint=_SKELETON_HINT, code="no-skeleton")
        return self._skeleton

    @property
    def over_corefud(self) -> bool:
        """Whether the skeleton is a CorefUD file."""
        return isinstance(self._skeleton, CorefUDReader)

    has_heads = over_corefud
    """Whether the skeleton has trees, in which heads can be found."""

    @property
    def names(self) -> list[str]:
        """Ids of the documents."""
        return self.skeleton.names

    @property
    def starts(self) -> Sequence[int]:
        """Empty: lines are assigned to documents when all of them are read."""
        return ()

    def line_of_document(self, index: int) -> int:
        """Line on which a document begins."""
        if self._answers is not None:
            return self._answers.line_of(index)
        if self._ordered is not None:
            return self._ordered.numbers[index]
        lines = self._lines[index] if self._lines else []
        return lines[0].number if lines else 1

    def __iter__(self) -> Iterator[Document]:
        return self.documents(0, len(self.names))

    def documents(self, start: int, stop: int) -> Iterator[Document]:
        """The documents from one number up to another."""
        return self._documents(documents_in(self.skeleton, start, stop), start, stop)

    def documents_over(self, key: Iterator[Document]) -> Iterator[Document]:
        """All documents; ``key`` yields those of the key, which are not read again if they are the skeleton."""
        is_skeleton = not self._options.skeleton and not isinstance(self._key, TaggedReader)
        count = len(self.names)
        return self._documents(key if is_skeleton else documents_in(self.skeleton, 0, count), 0, count)

    def _documents(self, originals: Iterator[Document], start: int, stop: int) -> Iterator[Document]:
        """The documents with these numbers, over the original ones."""
        self.copy_report.documents.clear()
        if self._options.reading != DEFAULT.reading:
            from ..compat.text2text import documents  # few files are read so

            yield from documents(self, self._options.reading, self._warnings, start, stop)
            return
        if holds_completions(self.source):
            yield from self._read_answers(originals, start, stop)
            return
        self._ordered = ordered = self._survey()
        if ordered:
            self._style = ordered.usual
            for document, line, style in zip(originals, iter_lines(self.source), ordered.styles, strict=True):
                yield self._read(document, [line._replace(is_json=ordered.is_json)], style)
            return
        self._assign_lines()
        for number, document in enumerate(originals, start):
            found = self._lists.get(number)
            yield self._read_list(document, found, 1) if found else self._read(document, self._lines[number])

    def _survey(self) -> OrderedLines | None:
        """The lines of the file, if each is the document of the skeleton with its number."""
        named = self._options.style
        if len(self.names) == 1 or named in LIST_STYLES:
            return None
        style = named_style(named) if named else None
        skeleton = self.skeleton
        if isinstance(skeleton, CorefUDReader):
            forms = skeleton.forms()
        else:
            forms = (SkeletonIndex(document).forms for document in skeleton)
        return survey_lines(iter_lines(self.source), forms, style, self._lex)

    def _read_answers(self, originals: Iterator[Document], start: int, stop: int) -> Iterator[Document]:
        """Read documents whose answers are in lines of their own, each in its own style."""
        self._answers = answers = CompletionFile(self.source, self.names, self._warnings)
        recognised = False
        for number, document in enumerate(originals, start):
            answer, line = answers.answer(number), answers.line_of(number)
            if answer is None or answer.failure:
                reason = answer.failure if answer else "the file has no answer to it"
                message = f"document {document.id!r} has no mentions: {reason}"
                self._warnings.add("no answer", self.source.name, line, message)
            text = clean(answer.text) if answer else ""
            copied = self._read_copy(document, [PrintedLine(line, text)])
            if copied:
                recognised = True
                yield copied
                continue
            forms = SkeletonIndex(document).forms
            lines = [each._replace(number=line) for each in self._find_lines(text, forms)]
            tagged = self._has_tags(lines, [forms])
            found = self._list_of_document(text, document, lines, tagged)
            if found:
                self._lists[number] = found
            recognised = recognised or tagged or found is not None
            yield self._read_list(document, found, line) if found else self._read(document, lines, alone=True)
        if not recognised and not start and stop == len(self.names):
            first = answers.answer(0)
            self._refuse_untagged(clean(first.text) if first else "", [], answers.line_of(0))

    def _lex(self, text: str, line: int, style: Style | None, forms: Sequence[str] = ()) -> LexedText:
        """Lex a text that begins on this line and is printed in a style."""
        if style is None:
            return pair_tags(plain_items(text, 0, len(text)))
        try:
            return style.lex(text, self._options.repair) if style.is_json else lex_over(style, text, forms)
        except InputError as error:
            raise error.located(self.source.name, line) from None

    def _style_of(
        self, lines: Sequence[PrintedLine], text: str, forms: Sequence[str] = (), *, alone: bool = False
    ) -> Style | None:
        """Style of a document: the one that is named, or that of most of its tags."""
        if lines and lines[0].is_json:
            return STYLES["json"]
        if self._options.style or alone or len(self.names) == 1:
            return self._style
        return recognise_style(text, self._style, forms)

    def _assign_lines(self) -> None:
        """Assign the lines of the file to documents."""
        text = clean(self.source.text(self.source.start, self.source.size))
        forms = [SkeletonIndex(document).forms for document in self.skeleton]
        lines = self._find_lines(text, list(chain.from_iterable(forms)))
        tagged = self._has_tags(lines, forms)
        self._find_lists(text, lines, tagged)
        if not tagged and not self._lists:
            self._refuse_untagged(text, list(chain.from_iterable(forms)))
        if self._lists:
            self._lines = [[] for _ in forms]
            return
        if len(self.names) == 1:
            self._lines = [lines]
            return
        known = []
        for line in lines:
            words = self._lex(line.text, line.number, self._style_of([line], line.text)).words
            known.append(line._replace(words=vocabulary_of(words)))
        found = assign_lines(known, list(map(vocabulary_of, forms)))
        self._lines = [[line] for line in known] if found is None else found
        if found is not None:
            self._warn_about_lines(known)

    def _find_lists(self, text: str, lines: Sequence[PrintedLine], tagged: bool) -> None:
        """Find the list of mentions of each document, if the file lists mentions instead of tagging them."""
        self._lists = {}
        if len(self.names) == 1:
            for document in self.skeleton:
                if found := self._list_of_document(text, document, lines, tagged):
                    self._lists[0] = found
        elif not tagged and not self._is_named_tag_style() and may_have_list(text):
            keys = [_key_text(SkeletonIndex(document)) for document in self.skeleton]
            self._lists = read_lists(text, self.names, keys)

    def _is_named_tag_style(self) -> bool:
        return bool(self._options.style) and self._options.style not in LIST_STYLES

    def _list_of_document(
        self, text: str, document: Document, lines: Sequence[PrintedLine], tagged: bool
    ) -> MentionList | None:
        """The list of mentions in an answer, unless it is a copy of the text with tags."""
        if self._is_named_tag_style() or any(line.is_json for line in lines) or not may_have_list(text):
            return None
        skeleton = SkeletonIndex(document)
        found = read_list(text, _key_text(skeleton), self._options.style)
        if found and tagged:
            whole = "\n".join(line.text for line in lines)
            words = self._lex(whole, 1, self._style, skeleton.forms).words
            copied = sum(b.target_size for b in align_words(words, skeleton.forms) if b.kind in COPIED)
            if copied >= MIN_COPIED * len(skeleton.forms):
                return None
        return found

    def _read_list(self, document: Document, found: MentionList, line: int) -> Document:
        """Read one document of the skeleton with the mentions that a list has."""
        skeleton = self._index(document)
        places = [*skeleton.places, *(zero.place for zero in skeleton.zeros)]
        located = found.located
        entities: Entities = {
            str(number): {(places[first], places[last]): None for first, last in spans}
            for number, spans in enumerate(located.entities, 1)
            if spans
        }
        report = DocumentCopy(document.id, found.style, len(skeleton.forms))
        report.located.update(located.counts)
        self.copy_report.documents.append(report)
        if located.ambiguous or located.missing:
            first = f", such as {brief(located.missing[0], 60)}" if located.missing else ""
            message = f"document {document.id!r}: {describe_located(report.located)}{first}"
            self._warnings.add("located", self.source.name, line, message)
        lines = [line] * len(skeleton.document.sentences)
        return build_document(skeleton.document, entities, (), lines, self.source.name)._replace(copied=report)

    def _find_lines(self, text: str, forms: Sequence[str]) -> list[PrintedLine]:
        """Documents in JSON, and lines that are not blank; sets the usual style of the latter."""
        named = self._options.style
        if named in LIST_STYLES:
            self._style = None
            return []
        self._style = named_style(named) if named else None
        faults: dict[int, str] = {}
        documents, rest = (
            find_json_documents(text, faults) if self._style is None or self._style.is_json else ([], text)
        )
        for at, fault in faults.items():
            self._warnings.add("broken", self.source.name, text.count("\n", 0, at) + 1, fault)
        objects = [PrintedLine(number, document, is_json=True) for number, document in documents]
        if self._style is None:
            self._style = recognise_style(rest, None, forms)
            if objects and (self._style is None or not self._style.closings(rest)):
                return objects
        if self._style and self._style.is_json:
            return objects
        lines = [PrintedLine(number, line) for number, line in enumerate(rest.split("\n"), 1) if line.strip()]
        return sorted([*objects, *lines], key=lambda line: line.number)

    def _has_tags(self, lines: Sequence[PrintedLine], forms: Sequence[Sequence[str]]) -> bool:
        """Whether there is a tag that is not a word of the skeleton, or a document in JSON."""
        if any(line.is_json for line in lines):
            return True
        text = "\n".join(line.text for line in lines)
        return self._style is not None and has_tags(self._style, text, list(chain.from_iterable(forms)))

    def _refuse_untagged(self, text: str, forms: Sequence[str], line: int = 0) -> None:
        """Raise InputError, unless the text is a plain copy and the key has no mentions."""
        words = self._lex(text, 1, None).words
        copied = bool(words) and bool(forms) and is_copy(align_words(words, forms))
        if copied:
            key = _reopen(self._key or self.skeleton)
            if isinstance(key, TaggedReader):
                key.read_as(self._options)
            if not any(document.entities for document in key):
                return
        named = self._options.style
        message = f"no tags of style {named} recognised" if named else "no mention tags recognised"
        if named in LIST_STYLES:
            message = f"no mentions in style {named} recognised"
        known = f"{', '.join([*CLASSIC, *ENCLOSED])}, or lists ({', '.join(LIST_STYLES)})"
        hint = f"leave --style out, or name one of {known}" if named else f"print tags in one of the styles {known}"
        if self._style and (other := self._style.mistaken_for(text)):
            message += f"; the text looks like style {other}"
        if not copied:
            message += ", and the text is not a copy of the original"
            hint += "; did the model refuse, or answer in another way?"
        hint += f" A prompt: {SHORT_PROMPT} (more: corefscope help prompt)"
        lines = ((number, each.strip()) for number, each in enumerate(text.split("\n"), 1) if each.strip())
        number, first = next(lines, (0, ""))
        message += f": it begins {brief(first, SHOWN)}" if first else ": it is empty"
        raise InputError(message, path=self.source.name, line=line or number, hint=hint, code="no-tags")

    def _warn_about_lines(self, lines: list[PrintedLine]) -> None:
        """Warn that lines were assigned to documents by their words, and count those of no document."""
        used = {line.number for document in self._lines for line in document}
        absent = [name for name, document in zip(self.names, self._lines, strict=True) if not document]
        message = f"{amount(len(lines), 'line')} for {amount(len(self.names), 'document')}: assigned by their words"
        if absent:
            message += f"; {amount(len(absent), 'document')} not printed, the first is {absent[0]!r}"
        self._warnings.add("documents", self.source.name, lines[0].number if lines else 0, message)
        outside = DocumentCopy("", "", 0)
        for line in lines:
            if line.number not in used:
                text = self._lex(line.text, line.number, self._style_of([line], line.text))
                outside.words["set aside"] += len(text.words)
                outside.tags[DROPPED, "outside"] += text.tags
                if text.tags:
                    message = f"{amount(text.tags, 'tag')} dropped: this line is part of no document of the key"
                    self._warnings.add("outside", self.source.name, line.number, message)
        if outside.words or outside.tags:
            self.copy_report.documents.append(outside)

    def _warn_about_tags(self, report: DocumentCopy, unreadable: list[int]) -> None:
        """Warn about tags that were repaired or dropped, and about a document that is cut off."""
        for line in unreadable:
            self._warnings.add("unreadable", self.source.name, line, "a tag is cut off or mangled: dropped")
        is_word = self._options.unclosed == WORD
        used = "its first word was used" if is_word else "it was read to the end of its sentence"
        repairs = {
            "never closed": f"is never closed; {used} (--unclosed)",
            "never opened": "was never opened; its last word was used (--unclosed)",
        }
        for id_, fate, reason, _, _, line in report.doubtful:
            mention = f"a mention of {brief(id_, 60)}"
            if fate == DROPPED:
                self._warnings.add(reason, self.source.name, line, f"{mention} is dropped: {REASONS[reason]}")
            elif fate == REPAIRED:
                self._warnings.add(fate, self.source.name, line, f"{mention} {repairs[reason]}")
        if report.cut_off:
            message = f"document {report.name!r} is cut off at word {report.cut_off:,} of {report.of:,}"
            self._warnings.add("cut off", self.source.name, 0, message)

    def _warn_about_document(self, document: Document, report: DocumentCopy, line: int, tags: int) -> None:
        """Warn about a document that is not a copy of the original, or has no tags although the key has mentions."""
        if not report.is_copy:
            words = sum(report.words[kind] for kind in COPIED)
            message = (
                f"the text printed for document {document.id!r} is not a copy of it"
                f" ({words:,} of {amount(report.of, 'word')}): did the model refuse?"
            )
            self._warnings.add("no copy", self.source.name, line, message)
        elif document.entities and not tags:
            message = f"document {document.id!r} has no tags, but mentions in the key"
            self._warnings.add("untagged", self.source.name, line, message)

    def _read_copy(self, document: Document, lines: Sequence[PrintedLine]) -> Document | None:
        """Read one document of the skeleton if one line is an exact copy of it with tags; None if it is not."""
        if len(lines) != 1 or lines[0].is_json or self._options.style not in ("", EXACT_STYLE.name):
            return None
        skeleton = self._index(document)
        copy = exact_copy(lines[0].text, skeleton.forms)
        entities = placed_copy(copy, skeleton.places) if copy else None
        if copy is None or entities is None:
            return None
        size = len(skeleton.forms)
        report = DocumentCopy(document.id, EXACT_STYLE.name, size)
        report.words["same"] = size
        report.tags[PLACED, ""] = 2 * copy.mentions
        report.explained = report.tags_of_any_style = copy.tagged
        self.copy_report.documents.append(report)
        numbers = [lines[0].number] * len(skeleton.document.sentences)
        found = build_document(skeleton.document, entities, (), numbers, self.source.name)
        return found._replace(copied=report)

    def _index(self, document: Document) -> SkeletonIndex:
        """The words of a document; those of formats without empty nodes as lines of CoNLL-U."""
        has_zeros = isinstance(self._skeleton, (CorefUDReader, UAReader))
        return SkeletonIndex(document if has_zeros else as_conllu(document))

    def _read(
        self, document: Document, lines: list[PrintedLine], style: Style | None = None, *, alone: bool = False
    ) -> Document:
        """Read one document of the skeleton with the mentions of these lines.

        ``style`` is that of the lines if it is known; ``alone``: they may be in another style than other documents.
        """
        if copied := self._read_copy(document, lines):
            return copied
        skeleton = self._index(document)
        whole = "\n".join(line.text for line in lines)
        style = style or self._style_of(lines, whole, skeleton.forms, alone=alone)
        text = self._lex(whole, lines[0].number if lines else 1, style, skeleton.forms)
        parts = text.text.split("\n") if text.text else [line.text for line in lines]
        starts = list(accumulate([0, *(len(part) + 1 for part in parts)]))

        def line_of(at: int) -> int:
            return lines[bisect_right(starts, at) - 1].number

        for note in text.notes:
            self._warnings.add("repaired", self.source.name, lines[0].number, f"document {document.id!r}: {note}")
        blocks = align_copy(text, skeleton.forms)
        placer = TagPlacer(skeleton, text, blocks)
        report = DocumentCopy(document.id, style.name if style else "", len(skeleton.forms))
        report.count_words(blocks)
        if style and not style.is_json:
            report.explained, report.tags_of_any_style = share_of_tags(style, whole, skeleton.forms)
        entities = place_mentions(text, placer, self._options.unclosed, report, line_of)
        self.copy_report.documents.append(report)
        if lines:
            self._warn_about_document(document, report, lines[0].number, text.tags)
        self._warn_about_tags(report, [line_of(at) for at in text.unreadable])
        sentence_lines = placer.sentence_lines(line_of)
        found = build_document(skeleton.document, entities, placer.new_zeros, sentence_lines, self.source.name)
        return found._replace(copied=report)


def _key_text(skeleton: SkeletonIndex) -> KeyText:
    """The words of a document, and its zeros behind them, each like a sentence."""
    sizes = [len(sentence.words) for sentence in skeleton.document.sentences] + [1] * len(skeleton.zeros)
    return KeyText([*skeleton.forms, *(ZERO + zero.form for zero in skeleton.zeros)], list(accumulate(sizes)))


def _reopen(reader: DocumentReader) -> DocumentReader:
    """Another reader of the same file, whose warnings are not shown."""
    return type(reader)(reader.source, Warnings(), "key")  # type: ignore[call-arg]
