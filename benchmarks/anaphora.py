"""A CoNLL-UA corpus of random documents with plurals, bridging, deixis and what does not refer, and a noisy copy."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

WORDS = 20
"""Of a sentence."""
ENTITIES, PLURALS, SILENT = 160, 12, 5
"""Of the entities of a document, those that are plurals, and those that do not refer."""
COLUMNS = "ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY BRIDGING DISCOURSE_DEIXIS REFERENCE NOM_SEM"


def ua(directory: Path) -> None:
    """10 documents, 12,000 words."""
    _write(directory, "ua", 10, 60)


def ua_long(directory: Path) -> None:
    """4 long documents, 32,000 words."""
    _write(directory, "ua-long", 4, 400)


def _write(directory: Path, name: str, documents: int, sentences: int) -> None:
    for side, noise in (("key", 0.0), ("response", 0.2)):
        text = "\n".join(_lines(documents, sentences, Random("ua"), Random(side), noise))
        (directory / f"{name}.{side}.conllua").write_text(f"{text}\n", encoding="utf-8")


def _lines(documents: int, sentences: int, random: Random, other: Random, noise: float) -> Iterator[str]:
    """Both sides have the same mentions; where there is noise, they are said to be something else."""
    yield f"# global.columns = {COLUMNS}"
    for document in range(documents):
        yield f"# newdoc id = talk/{document}"
        markables = 0
        for number in range(1, sentences * WORDS + 1):
            if number % WORDS == 1:
                yield f"\n# sent_id = {document}-{number // WORDS + 1}"
            identity = bridging = deixis = "_"
            if random.random() < 0.33:
                entity, anchor = random.randrange(ENTITIES), random.randrange(1, 9)
                if other.random() < noise:
                    entity, anchor = other.randrange(ENTITIES), other.randrange(1, 9)
                markables += 1
                name = f"{entity}-Pseudo" if entity < SILENT else str(entity)
                element = f"|ElementOf={ENTITIES - 1 - entity % PLURALS}" if entity < 3 * PLURALS else ""
                identity = f"(EntityID={name}|MarkableID=m{markables}|Min={number}|SemType=dn{element})"
                if random.random() < 0.1 and markables > anchor:
                    bridging = f"(MarkableID=m{markables}|Rel=part|MentionAnchor=m{markables - anchor})"
                if random.random() < 0.05:
                    deixis = f"(EntityID={entity % 9}-DD|MarkableID=d{markables}|Min={number}|SemType=dn)"
            cells = (str(number), f"w{number % 97}", *"_" * 8, identity, bridging, deixis, "_", "_")
            yield "\t".join(cells)
