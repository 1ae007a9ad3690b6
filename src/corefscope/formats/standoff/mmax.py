"""MMAX2: a ``.mmax`` project with a file of words and files of markables, one for each level.

Markables of the coreference level with the same ``coref_set`` or ``coref_class`` are one entity; so are those that
``ref`` points to, if their type is identity. Without either, a markable is a singleton.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from itertools import pairwise

from ..naming import COMPRESSED
from ..source import read_bytes
from .model import StandoffDocument, StandoffMention, StandoffReader, stem_of
from .xml import XmlElement, parse_xml

SETS = ("coref_set", "coref_class", "mention_group", "coreference_set")
LEVELS = ("coref", "coreference", "mention", "mentions", "phrase", "np", "entity", "entities")
"""Names of levels that have coreference; the first one that is there is read."""
SENTENCES = ("sentence", "sentences", "alpsent", "sent", "utterance")
FOLDERS = ("", "Basedata", "basedata", "Markables", "markables", "MARKABLES", "words")
EMPTY = ("", "empty", "none", "_")
NON_REFERRING: dict[str, tuple[str, ...]] = {"type": ("pleonastic",), "reference": ("non_referring", "nonreferring")}
SAFE_NAME = re.compile(r"(?!\.\.?$)[^/\\:\0]{1,200}")
INNER_PATH = re.compile(r"(?:\./)?(?:[\w -]+/?){1,9}")
"""A folder inside of that of the project: nothing that a file says leads out of it."""
HINT = "a project is NAME.mmax, NAME_words.xml and NAME_coref_level.xml, beside it or in Basedata and Markables"


class MmaxReader(StandoffReader):
    """The one document of a project; a file of markables is read with the words that belong to it."""

    def parse(self) -> Iterator[StandoffDocument]:
        """Find the files of the project, then read words, sentences and markables."""
        name = self.source.name
        if name == "<stdin>":
            self.source.refuse("needs the files beside it, with words and markables", "name the file")
        root = parse_xml(self.source.read(self.source.start, self.source.size), name)
        stem, self._folders = os.path.basename(stem_of(name)), [os.path.dirname(name)]
        self._patterns: list[str] = []
        level: tuple[str, XmlElement] | None = None
        if root.name == "markables":
            stem, level = re.sub(r"_[^_]+(?:_level)?$", "", stem), (name, root)
            self._folders.append(os.path.join(os.path.dirname(name), os.pardir))
        elif root.name == "words":
            self.source.refuse("has the words of an MMAX2 project, without mentions", f"name {stem}.mmax", root.line)
        elif root.name != "mmax_project":
            self.source.refuse(f"begins with <{root.name[:40]}>, which is no file of MMAX2", HINT, root.line)
        words_file = next((element.text.strip() for element in root.named("words")), "") or f"{stem}_words.xml"
        if not SAFE_NAME.fullmatch(words_file):
            hint = "the file of words must be in the folder of the project or in Basedata"
            self.source.refuse(f"{words_file[:60]!r} is no plain file name", hint, root.line)
        stems = list(dict.fromkeys([stem, words_file.removesuffix(".xml").removesuffix("_words")]))
        self._read_common_paths()
        path, words = self._read([words_file])
        numbers = self._number_words(words, path)
        named = [pattern.replace("$", each) for pattern in self._patterns for each in stems]
        level = level or self._read([*named, *(f"{each}_{name}_level.xml" for name in LEVELS for each in stems)])
        mentions, links = self._mentions(*level, numbers)
        forms = [word.text.strip() or "_" for word in words.named("word")]
        sentences = self._sentences(stems, numbers, forms)
        yield StandoffDocument(stem, mentions, sentences=sentences, links=links)

    def _read_common_paths(self) -> None:
        """Take folders, and names of files with coreference, from ``common_paths.xml``."""
        path = os.path.join(self._folders[0], "common_paths.xml")
        if not os.path.isfile(path):
            return
        for element in parse_xml(read_bytes(path), path):
            text = element.text.strip()
            if element.name in ("basedata_path", "markable_path") and INNER_PATH.fullmatch(text):
                self._folders.append(os.path.join(self._folders[0], text))
            elif element.name == "level" and element.attributes.get("name", "").lower() in LEVELS:
                self._patterns += [text] if SAFE_NAME.fullmatch(text) else []

    def _find(self, names: list[str]) -> str | None:
        """The path of the first of these files that is in a folder of the project."""
        places = [os.path.join(folder, inner) for folder in self._folders for inner in FOLDERS]
        packed = [name + suffix for name in names for suffix in ("", *COMPRESSED)]
        paths = (os.path.join(place, name) for name in packed for place in places)
        return next(filter(os.path.isfile, paths), None)

    def _read(self, names: list[str]) -> tuple[str, XmlElement]:
        """The path and content of the first of these files that is there."""
        path = self._find(names)
        if path is None:
            self.source.refuse(f"there is no {names[0]} beside it", HINT)
        return path, parse_xml(read_bytes(path), path)

    def _number_words(self, words: XmlElement, path: str) -> dict[str, int]:
        """The numbers of words in the order of the file, by their ids."""
        ids = [word.attributes.get("id", "") for word in words.named("word")]
        numbers = {id_: number for number, id_ in enumerate(ids)}
        if not ids or len(numbers) < len(ids) or "" in numbers:
            self.source.refuse(f"{path} has no words, or words without an id of their own", HINT)
        return numbers

    def _mentions(
        self, path: str, root: XmlElement, numbers: dict[str, int]
    ) -> tuple[dict[str, StandoffMention], list[tuple[str, str]]]:
        """The markables of a level that refer, and the pairs that pointers link."""
        mentions: dict[str, StandoffMention] = {}
        pointers: list[tuple[str, str]] = []
        own = path == self.source.name
        for markable in root.named("markable"):
            attributes = {name.lower(): value for name, value in markable.attributes.items()}
            if any(attributes.get(name, "").lower() in values for name, values in NON_REFERRING.items()):
                continue
            id_ = attributes.get("id") or f"#{len(mentions)}"
            parts = self._parts(attributes.get("span", ""), numbers, path, markable.line)
            entity = next((attributes[name] for name in SETS if attributes.get(name, "").lower() not in EMPTY), "")
            mentions[id_] = StandoffMention(parts, entity, line=markable.line if own else 0)
            if attributes.get("ref", "").lower() not in EMPTY and self.is_identity(attributes.get("type", "")):
                pointers += [(id_, target.rpartition(":")[2]) for target in attributes["ref"].split(";")]
        return mentions, [link for link in pointers if link[1] in mentions]

    def _parts(self, span: str, numbers: dict[str, int], path: str, line: int) -> list[tuple[int, int]]:
        """The parts of a span ``word_1..word_3,word_7``."""
        parts = []
        for run in span.split(","):
            first, _, last = run.strip().partition("..")
            ends = [numbers.get(id_) for id_ in (first, last or first)]
            if ends[0] is None or ends[1] is None or ends[1] < ends[0]:
                where = "" if path == self.source.name else f" in {path}:{line}"
                hint = "a span is word_1..word_3,word_7, with ids of the file of words"
                self.source.refuse(f"the span {span[:60]!r}{where} has no such words", hint, 0 if where else line)
            parts.append((ends[0], ends[1] + 1))
        return parts

    def _sentences(self, stems: list[str], numbers: dict[str, int], forms: list[str]) -> list[list[str]]:
        """The words by the sentence level, if there is one; words outside of all sentences are cut off, too."""
        path = self._find([f"{stem}_{level}_level.xml" for level in SENTENCES for stem in stems])
        if path is None:
            return [forms]
        cuts = {0, len(forms)}
        for markable in parse_xml(read_bytes(path), path).named("markable"):
            parts = self._parts(markable.attributes.get("span", ""), numbers, path, markable.line)
            cuts |= {min(parts)[0], max(parts)[1]}
        return [forms[start:end] for start, end in pairwise(sorted(cuts))]
