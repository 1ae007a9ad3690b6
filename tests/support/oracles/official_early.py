"""A naive oracle of CorefUD scorer 1.0 and 1.1: mentions look up their counterparts by comparing all with all.

Metrics, reader and pipeline are those of the oracle of 1.2 (`official`, `official_reader`); only how a mention is
found on the other side is written anew, from the definition. Where the programs stop because empty nodes differ, this
one raises ``ValueError``.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from oracles import official
from oracles.official import Counts, Score
from oracles.official_reader import File, Span, Word, check_alignment, read_conllu, split_documents


class Mention(official.Mention):
    """Two mentions are equal if they match. The hash is that of the words: sets and dictionaries tell more apart."""

    def __init__(self, span: Span, version: str, has_head: bool) -> None:
        super().__init__(span, "exact")
        self.version = version
        self.head: Word | None = span.head if has_head else None  # type: ignore[assignment]
        self.zero = span.zero if has_head else isinstance(span.words[0][1], float)

    def __eq__(self, other: object) -> bool:
        assert isinstance(other, Mention)
        if self.head and other.head and self.version == "1.1":
            return self.head == other.head
        if self.head:
            return other.wordset <= self.wordset and self.head in other.wordset
        if other.head:
            return self.wordset <= other.wordset and other.head in self.wordset
        return self.words == other.words

    def __hash__(self) -> int:
        return hash(self.wordset)


class Side(official.Side):
    """``owner`` is a dictionary, so equal mentions are looked for among its keys, one after the other."""

    def found(self, m: official.Mention) -> official.Mention | None:
        """The equal mention of the other side with the least difference; then by its start, then by its end."""
        mentions = list(self.owner)
        near = {other for word in m.words for other in mentions if word in other.wordset}  # filled word by word
        equal = [other for other in near if m == other]
        ranked = {
            id(other): (
                len(m.wordset ^ other.wordset) / len(m.wordset | other.wordset),
                other.words[0],
                other.words[-1],
            )
            for other in equal
        }
        return min(equal, key=lambda other: ranked[id(other)], default=None)

    def lands(self, m: official.Mention) -> int | None:
        found = self.found(m)
        return None if found is None else self.owner[found]


def _common(k: Sequence[official.Mention], s: Sequence[official.Mention]) -> int:
    return sum(any(m == other for other in s) for m in k)


def ceafe(key_side: official.Side) -> Counts:
    key, response = key_side.mine, key_side.other
    best = official._best([[2 * _common(k, s) / (len(k) + len(s)) for s in response] for k in key])
    return best, len(response), best, len(key)


def ceafm(key_side: official.Side) -> Counts:
    key, response = key_side.mine, key_side.other
    best = official._best([[_common(k, s) for s in response] for k in key])
    return best, sum(map(len, response)), best, sum(map(len, key))


def zero(key_side: official.Side) -> Counts:
    assert isinstance(key_side, Side)
    tp = fp = fn = wrong_link = 0
    first_mentions = {sorted(entity)[0] for entity in key_side.other}
    covered = set()
    for entity in key_side.mine:
        antecedents: set[int] = set()
        for position, m in enumerate(sorted(entity)):
            found = key_side.found(m)
            if position > 0 and m.zero:
                if found is None or found in first_mentions:
                    fn += 1
                elif key_side.owner[found] not in antecedents:
                    wrong_link += 1
                else:
                    tp += 1
                covered.update([] if found is None else [found])
            if found is not None:
                antecedents.add(key_side.owner[found])
    for entity in key_side.other:
        fp += sum(m.zero and m not in first_mentions and m not in covered for m in entity)
    return tp, tp + fp + wrong_link, tp, tp + fn + wrong_link


def _both_sides(metric: object) -> object:
    def counts(key_side: Side) -> Counts:
        return (*metric(Side(key_side.other, key_side.mine, {})), *metric(key_side))  # type: ignore[operator]

    return counts


METRICS = {
    **{name: [_both_sides(getattr(official, name))] for name in ("muc", "bcub", "lea")},
    "ceafe": [ceafe],
    "ceafm": [ceafm],
    "blanc": [official.blanc_coreferent, official.blanc_noncoreferent],
}
OF_VERSION = {"1.0": METRICS, "1.1": {**METRICS, "mor": [official.mor], "zero": [zero]}}


def _check_empty_nodes(key: File, response: File) -> None:
    for ours, theirs in zip(key.sentences, response.sentences, strict=False):
        for node, other in zip(ours.nodes(), theirs.nodes(), strict=False):
            if node.form != other.form:
                raise ValueError(f"node {node.word} is {node.form} in the key, {other.form} in the response")


def score_files(
    key_path: str | Path, response_path: str | Path, version: str, *, match: str, singletons: str
) -> dict[str, Score]:
    """Score a response file against a key file: metric -> (recall, precision, f1)."""
    files = read_conllu(key_path), read_conllu(response_path)
    check_alignment(*files)
    _check_empty_nodes(*files)
    key, response = map(split_documents, files)
    sides: list[official.Side] = []
    for name in key:
        entities: list[list[official.Entity]] = []
        for spans, has_head in ((key[name], match != "exact"), (response[name], match == "head")):
            unique = [list(dict.fromkeys(Mention(span, version, has_head) for span in entity)) for entity in spans]
            entities.append([list(e) for e in unique if singletons == "keep" or len(e) != 1])
        sides.append(Side(entities[0], entities[1], {}))
    return {name: official.pooled(parts, sides) for name, parts in OF_VERSION[version].items()}  # type: ignore[arg-type]
