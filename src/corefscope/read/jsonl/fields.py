"""What the fields of a jsonlines document mean: which hold words, which hold clusters, and what those count.

====================================  ======================================  ==========================
field                                 a mention                               written by
====================================  ======================================  ==========================
``clusters``, ``predicted_clusters``  first and last word, in the document    most systems, AllenNLP
the same, with ``subtoken_map``       first and last subtoken                 e2e-coref with BERT
the same, with ``clusters_strings``   first character (or word) and the next  fastcoref
                                      after the last
``span_clusters``                     first word and the next after the last  wl-coref
``clusters_token_offsets``            first and last word                     maverick
``clusters_char_offsets``             first and last character of ``text``    maverick
``coref_chains``                      sentence, first and last word in it     coref-data (Hugging Face)
``mention_clusters``                  sentence, first word and the next       PreCo
                                      after the last
====================================  ======================================  ==========================

What a name leaves open is never guessed: ``clusters`` over a ``text`` without words, or over ``cased_words``
(wl-coref leaves the last word out there), is an error that says how to call the field instead.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from .json_text import refuse, shortened
from .spans import Clusters, DocumentFields, checked
from .strings import STRINGS, reconcile
from .words import LIST_HINT, WORD_FIELDS, DocumentWords, has_words, words_of

NAME_FIELDS = ("doc_key", "doc_id", "document_id", "id")
PREDICTED = "predicted_clusters"
READ_PREDICTED = f"the response is read from {PREDICTED}, not from clusters"
NO_KEY = f"has only {PREDICTED}, which the key is not read from"


class ClusterField(NamedTuple):
    """What the mentions of a field count."""

    name: str
    unit: str
    exclusive: bool = False
    """Whether the last number is that of what comes after the mention."""


CLUSTER_FIELDS = {
    row.name: row
    for row in (
        ClusterField("clusters", "words"),
        ClusterField(PREDICTED, "words"),
        ClusterField("span_clusters", "words", exclusive=True),
        ClusterField("clusters_token_offsets", "words"),
        ClusterField("clusters_char_offsets", "characters"),
        ClusterField("coref_chains", "words of a sentence"),
        ClusterField("mention_clusters", "words of a sentence", exclusive=True),
    )
}
KEY_FIELDS = [name for name in CLUSTER_FIELDS if name != PREDICTED]
COMPANIONS = {"clusters_strings", STRINGS, "clusters_token_text", "clusters_char_text"}
COMPANIONS |= {"word_clusters", "head2span"}


def document_name(fields: dict[str, Any], number: int) -> str:
    """What a document is called; with its part, if it has one, as in CoNLL files.

    >>> document_name({"document_id": "nw/1", "part_id": 0}, 1), document_name({}, 7)
    ('nw/1; part 000', '#7')
    """
    for field in NAME_FIELDS:
        name = fields.get(field)
        if name is None or name == "":
            continue
        if not isinstance(name, str | int) or isinstance(name, bool):
            refuse(f"{field} is {shortened(name)}", "a document is called by a string or a number")
        part = fields.get("part_id")
        try:
            str(name).encode()
        except UnicodeEncodeError:
            refuse(f"{field} holds half of a surrogate pair", "write characters as UTF-8")
        return f"{name}; part {part:03d}" if type(part) is int else str(name)
    return f"#{number}"


def read_fields(fields: dict[str, Any], side: str, repair: str = "") -> DocumentFields:
    """The words and clusters of a document; ``side`` says whether predicted clusters are wanted.

    ``repair`` is one of :data:`~corefscope.read.formats.REPAIRS`, or empty.
    """
    field, others = _cluster_field(fields, side)
    words = words_of(fields, field.unit)
    reading = _read(fields, field, words)
    for other in others:
        if "characters" in (other.unit, words.unit):  # not the same units, but there must be as many mentions
            clusters = checked(fields[other.name], 3 if other.unit == "words of a sentence" else 2, other.name)
            agree = list(map(len, clusters)) == list(map(len, checked(reading.clusters, 2, field.name)))
        else:
            agree = _as_sets(_read(fields, other, words)) == _as_sets(reading)
        if not agree:
            refuse(f"{field.name} and {other.name} do not hold the same mentions", "leave out the one that is wrong")
    return reconcile(fields.get(STRINGS), reading, repair, document_name(fields, 0))


def unread_fields(fields: dict[str, Any]) -> list[str]:
    """Fields that seem to hold clusters, by their names, but are not understood."""
    read = CLUSTER_FIELDS.keys() | COMPANIONS
    return [name for name in fields if name not in read and any(word in name for word in ("cluster", "coref"))]


def _cluster_field(fields: dict[str, Any], side: str) -> tuple[ClusterField, list[ClusterField]]:
    """The field that is to be read, and others that must say the same."""
    present = [row for name, row in CLUSTER_FIELDS.items() if fields.get(name) is not None]
    if side == "response" and any(row.name == PREDICTED for row in present):
        return CLUSTER_FIELDS[PREDICTED], []
    fitting = [row for row in present if row.name != PREDICTED]
    if not fitting:
        names = ", ".join(map(shortened, list(fields)[:20])) or "none"
        has = NO_KEY if present else "has no clusters"
        message = f"the document {has}; its fields: {names}"
        if present:
            refuse(message, f"the key is read from {', '.join(KEY_FIELDS)}; is this file the response?", "no-key")
        refuse(message, f"understood are {', '.join(CLUSTER_FIELDS)}, with words in {', '.join(WORD_FIELDS)}")
    if not has_words(fields):
        fitting.sort(key=lambda row: row.unit != "characters")
    return fitting[0], fitting[1:]


def _read(fields: dict[str, Any], field: ClusterField, words: DocumentWords) -> DocumentFields:
    exclusive = field.exclusive
    value = fields[field.name]
    if words.unit == "characters" and field.name == "clusters_token_offsets":
        refuse(f"{field.name} counts words, but the document has none", LIST_HINT)
    if field.unit == "words of a sentence":
        value = _of_document(checked(value, 3, field.name), words, field)
    else:
        if field.name in ("clusters", PREDICTED):
            exclusive = _clusters_are_exclusive(fields, field.name)
        if words.of_subtokens is not None:
            value = _of_words(checked(value, 2, field.name), words.of_subtokens, field)
            exclusive = False
    heads = _heads(fields) if field.name == "span_clusters" and words.unit == "words" else None
    return DocumentFields(words.sentences, value, field.name, exclusive, heads)


def _clusters_are_exclusive(fields: dict[str, Any], name: str) -> bool:
    """Whether the field with the usual name holds ends of the unusual kind."""
    strings, text = fields.get("clusters_strings"), fields.get("text")
    if name == "clusters" and strings is not None and isinstance(text, str | list):
        # fastcoref counts characters, or words if it was given words, and says what it means
        clusters = checked(fields[name], 2, name)
        same = strings == [[text[first:end] for first, end in cluster] for cluster in clusters]
        if has_words(fields) and same and strings:
            message = "clusters counts text, as clusters_strings shows, but there are words as well"
            refuse(message, "leave the words out")
        if not has_words(fields) and not same:
            refuse("clusters and clusters_strings do not hold the same mentions", "leave out the one that is wrong")
        if not has_words(fields):
            return True
    if fields.get("cased_words") is not None:
        refuse(
            f"{name} over cased_words may mean two things: wl-coref leaves the last word out, others do not",
            f"call {name} span_clusters if its ends are exclusive, else call the words tokens",
        )
    if not has_words(fields):
        refuse(
            f"{name} over a text may mean two things: the last character may belong to a mention or not",
            "call it span_clusters if its ends are exclusive, clusters_char_offsets if they are inclusive",
        )
    return False


def _of_document(clusters: Clusters, words: DocumentWords, field: ClusterField) -> Clusters:
    """Mentions that count the words of their sentences, counted through the document."""
    starts = words.starts
    if starts is None:
        refuse(f"{field.name} counts the words of sentences, but there are no sentences", "give the field sentences")

    def converted(mention: list[int], what: str) -> list[int]:
        sentence, first, last = mention
        if not 0 <= sentence < len(starts) - 1:
            refuse(f"{what}, but there are {len(starts) - 1} sentences, counted from 0")
        size = starts[sentence + 1] - starts[sentence]
        if not 0 <= first < last + 1 - field.exclusive <= size:
            ends = "exclusive" if field.exclusive else "inclusive"
            refuse(f"{what}, but that sentence has {size} words, 0 to {size - 1}", f"ends are {ends} here")
        return [starts[sentence] + first, starts[sentence] + last]

    return _converted(clusters, field, converted)


def _of_words(clusters: Clusters, of_subtokens: list[int], field: ClusterField) -> Clusters:
    """Mentions that count subtokens, counting words."""
    size = len(of_subtokens)

    def converted(mention: list[int], what: str) -> list[int]:
        first, last = mention[0], mention[1] - field.exclusive
        if not 0 <= first <= last < size:
            refuse(f"{what}, but the subtoken_map has {size} subtokens, 0 to {size - 1}")
        span = [of_subtokens[first], of_subtokens[last]]
        if min(span) < 0:
            refuse(f"{what}, but one of the two belongs to no word in the subtoken_map")
        return span

    return _converted(clusters, field, converted)


def _converted(clusters: Clusters, field: ClusterField, convert: Callable[[list[int], str], list[int]]) -> Clusters:
    """All mentions changed by a function, which also gets the beginning of a message about each."""
    return [
        [convert(mention, f"{field.name}[{i}][{j}] is {shortened(mention)}") for j, mention in enumerate(cluster)]
        for i, cluster in enumerate(clusters)
    ]


def _heads(fields: dict[str, Any]) -> list[list[int | None]] | None:
    """The heads that wl-coref writes: of each span in the same place, or of those that head2span has."""
    words = fields.get("word_clusters")
    if words is None:
        return None
    spans = checked(fields["span_clusters"], 2, "span_clusters")
    hint = "word_clusters must hold clusters of word numbers, head2span lists of [head, first, next]"
    if not isinstance(words, list) or not all(isinstance(cluster, list) for cluster in words):
        refuse("word_clusters is not a list of clusters", hint)
    heads: list[list[int | None]]
    if list(map(len, words)) == list(map(len, spans)):
        heads = words
    else:  # heads of several mentions are written only once in keys
        listed = checked([fields["head2span"]], 3, "head2span")[0] if fields.get("head2span") else []
        head_of = {(first, end): head for head, first, end in listed}
        heads = [[head_of.get((first, end)) for first, end in cluster] for cluster in spans]
    for index, (cluster, cluster_heads) in enumerate(zip(spans, heads, strict=True)):
        for (first, end), head in zip(cluster, cluster_heads, strict=True):
            if head is not None and not (type(head) is int and first <= head < end):
                refuse(
                    f"the head {shortened(head)} is not in its span {[first, end]} of span_clusters[{index}]", hint
                )
    return heads


def _as_sets(reading: DocumentFields) -> list[list[tuple[int, int]]]:
    clusters = checked(reading.clusters, 2, reading.field)
    return sorted(sorted((first, last - reading.exclusive) for first, last in cluster) for cluster in clusters)
