"""CoNLL-UA with zeros and with words numbered through the document, and a reading of it that counts lines only.

Nothing here is taken from the package: what it reads and writes is compared with this.
"""

from __future__ import annotations

import random
import re
from typing import NamedTuple

HEADER = "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY\n"
BRACKET = re.compile(r"\(EntityID=(\w+)[^()]*\)?|\)")


class Item(NamedTuple):
    """A word or a zero: what it is called, and the item (by its number in the document) that governs a zero."""

    form: str
    is_zero: bool
    governor: int | None = None


class Reading(NamedTuple):
    """The words and zeros of a document in order, and the mentions of each entity as first and last item."""

    items: list[Item]
    entities: dict[str, set[tuple[int, int]]]

    @property
    def words(self) -> list[str]:
        """The words alone."""
        return [item.form for item in self.items if not item.is_zero]

    @property
    def partition(self) -> list[list[tuple[int, int]]]:
        """The entities without their names."""
        return sorted(map(sorted, self.entities.values()))

    @property
    def places(self) -> list[tuple[int, int]]:
        """Of each item how many words there are up to it, and how many zeros since the last of them."""
        places, word, zeros = [], 0, 0
        for item in self.items:
            word, zeros = (word, zeros + 1) if item.is_zero else (word + 1, 0)
            places.append((word, zeros))
        return places

    @property
    def mentions(self) -> list[tuple[int, int, int]]:
        """All mentions: the place of the first item, and how many items follow it."""
        places = self.places
        spans = [span for spans in self.entities.values() for span in spans]
        return sorted((*places[first], last - first) for first, last in spans)


def read(text: str) -> Reading:
    """Read a file of one document."""
    items: list[Item] = []
    entities: dict[str, set[tuple[int, int]]] = {}
    opened: list[tuple[str, int]] = []
    numbers: dict[str, int] = {}
    parents: dict[int, str] = {}
    for line in text.split("\n"):
        if not line:
            numbers = {}  # the IDs of another sentence name no governor
        if not line or line.startswith("#"):
            continue
        cells = line.split("\t")
        if "-" in cells[0]:
            continue
        number = len(items)
        numbers[cells[0]] = number
        items.append(Item(cells[1], "." in cells[0]))
        parents[number] = cells[8].partition(":")[0]
        for waiting in [each for each, name in parents.items() if name in numbers]:
            items[waiting] = items[waiting]._replace(governor=numbers[parents.pop(waiting)])
        for bracket in BRACKET.finditer(cells[10]):
            if bracket[1]:
                opened.append((bracket[1], number))
            if bracket[0].endswith(")"):
                entity, first = opened.pop()
                entities.setdefault(entity, set()).add((first, number))
    return Reading(items, entities)


def random_ua(seed: int) -> str:
    """A document of a few sentences; a zero may be before the first word, and depends on a word or on nothing."""
    rng = random.Random(seed)
    lines, word, markables = [HEADER + "# newdoc id = d"], 0, 0
    for sentence in range(rng.randint(2, 4)):
        lines.append(f"# sent_id = {sentence + 1}")
        size = rng.randint(1, 5)
        ids: list[str] = []
        for number in range(word, word + size + 1):
            ids += [str(number)] * (number > word)
            ids += [f"{number}.{zero}" for zero in range(1, rng.choice([1, 1, 2, 3]))]
        for at, id_ in enumerate(ids):
            parent = f"{rng.randint(word + 1, word + size)}:nsubj" if rng.random() < 0.7 else "_"
            markables += 1
            mention = f"(EntityID={rng.randint(1, 3)}|MarkableID=m{markables})" if rng.random() < 0.6 else "_"
            if "." not in id_ and at + 1 < len(ids) and "." not in ids[at + 1] and rng.random() < 0.2:
                lines.append("\t".join([f"{id_}-{ids[at + 1]}", "both", *"_________"]))
            form = f"w{id_}" if "." not in id_ else rng.choice(["_", "it"])
            lines.append("\t".join([id_, form, *"______", parent if "." in id_ else "_", "_", mention]))
        lines.append("")
        word += size
    return "\n".join([*lines, ""])
