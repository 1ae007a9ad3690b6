"""LitBank: ``.ann`` with lines MENTION and COREF over the words of a ``.txt`` beside it, one sentence a line."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate

from .model import StandoffDocument, StandoffMention, StandoffReader, stem_of

HINT = "a line is MENTION, id, sentence, word, last sentence, last word, text, type and form; or COREF, id, entity"


class LitbankReader(StandoffReader):
    """The one document of an ``.ann`` file of ``litbank/coref/tsv``; ends are inclusive."""

    def parse(self) -> Iterator[StandoffDocument]:
        """Read mentions and the entities of mentions; COP and APPOS lines are relations that are not read."""
        _, text = self.companion(f"{stem_of(self.source.name)}.txt", "which has the words")
        sentences = [line.split() for line in text.split("\n")]
        starts = list(accumulate(map(len, sentences), initial=0))
        mentions: dict[str, StandoffMention] = {}
        types: dict[str, str] = {}
        entities: dict[str, str] = {}
        lines: dict[str, int] = {}
        for number, line in self.lines:
            kind, *cells = line.split("\t")
            if kind == "MENTION" and len(cells) >= 5:
                first, last = (self._word(cells[at : at + 2], sentences, starts, number) for at in (1, 3))
                if last < first:
                    self.source.refuse(f"{cells[0]} ends before it begins", HINT, number)
                mentions[cells[0]] = StandoffMention([(first, last + 1)], line=number)
                types[cells[0]] = cells[6] if len(cells) > 6 else ""
            elif kind == "COREF" and len(cells) == 2:
                entities[cells[0]], lines[cells[0]] = cells[1], number
            elif kind not in ("COP", "APPOS"):
                self.source.refuse(f"{line[:60]!r} is no annotation of LitBank", HINT, number)
        for id_, number in lines.items():
            if id_ not in mentions:
                self.source.refuse(f"{id_} is no mention of the file", HINT, number)
        linked = {id_: mention._replace(entity=entities.get(id_, "")) for id_, mention in mentions.items()}
        entity_types = {entities.get(id_, id_): types[id_] for id_ in reversed(mentions)}
        yield StandoffDocument(self.document_name, linked, sentences=sentences, entity_types=entity_types)

    def _word(self, cells: list[str], sentences: list[list[str]], starts: list[int], line: int) -> int:
        """The number in the document of a word that is given by its sentence and its place in it."""
        sentence, word = (self.number(cell, line, "a place") for cell in cells)
        if sentence >= len(sentences) or word >= len(sentences[sentence]):
            hint = "is the text beside it the one that was annotated?"
            self.source.refuse(f"there is no word {word} in sentence {sentence} of the text", hint, line)
        return starts[sentence] + word
