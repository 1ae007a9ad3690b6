"""The fields of a jsonlines document: its name, words and clusters, and the units that clusters count."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import accumulate, chain, groupby
from operator import itemgetter
from typing import NamedTuple

from .json_text import refuse, shortened
from .spans import Clusters, DocumentFields, checked
from .strings import STRINGS, reconcile

WORD_FIELDS = ("sentences", "tokens", "document", "cased_words", "text")
FLAT_FIELDS = ("tokens", "document", "cased_words")
SENTENCE_FIELDS = ("sent_id", "sentence_map")
SPECIAL = re.compile(r"\[(?:CLS|SEP|PAD)\]|</?s>|<pad>|<\|endoftext\|>")
LINE = re.compile(r"[^\n]*\n|[^\n]+")
LIST_HINT = "words are given as sentences [[word, …], …] or as tokens [word, …]"


class DocumentWords(NamedTuple):
    """The words of a document, and the units that clusters may count instead."""

    sentences: Sequence[Sequence[str]]
    """For a text its lines: the characters of a string are its words."""
    unit: str = "words"
    """``words`` or ``characters``."""
    has_sentences: bool = False
    """Whether the document has a field of sentences."""
    of_subtokens: list[int] | None = None
    """The word of each subtoken, -1 for none."""


def has_words(fields: dict[str, object]) -> bool:
    """Whether a document has words, not only a text."""
    return any(fields.get(name) is not None for name in ("sentences", *FLAT_FIELDS))


def words_of(fields: dict[str, object], unit: str) -> DocumentWords:
    """The words of a document whose clusters count ``unit``."""
    if unit == "characters" or not has_words(fields):
        return _text(fields, unit)
    if fields.get("subtoken_map") is not None:
        return _subtokens(fields)
    words = _flat(fields)
    sentences = fields.get("sentences")
    if sentences is not None:
        cut = _sentences(sentences)
        if words is not None and words != list(chain.from_iterable(cut)):
            refuse("sentences and tokens do not hold the same words", "leave out the one that is wrong")
        return DocumentWords(cut, has_sentences=True)
    return DocumentWords(_cut(words or [], fields))


def _text(fields: dict[str, object], unit: str) -> DocumentWords:
    """The characters of a text, whose lines are its sentences."""
    text = fields.get("text")
    if isinstance(text, list) and unit != "characters":  # fastcoref, when it is given words
        return DocumentWords([text])
    if isinstance(text, str):
        return DocumentWords(LINE.findall(text), "characters")
    if text is not None:
        refuse(f"text is {shortened(text)}, not a string", LIST_HINT)
    present = ", ".join(map(shortened, list(fields)[:20])) or "none"
    missing = "text that its characters are counted in" if unit == "characters" else "words"
    refuse(
        f"the document has no {missing}; its fields: {present}",
        f"words are read from {', '.join(WORD_FIELDS)}; for clusters of ids without words, name the format clusters",
    )


def _flat(fields: dict[str, object]) -> list[str] | None:
    """The field that lists all words, if there is one."""
    words, first = None, ""
    for name in FLAT_FIELDS:
        value = fields.get(name)
        if value is None:
            continue
        if not isinstance(value, list):
            refuse(f"{name} is {shortened(value)}, not a list of words", LIST_HINT)
        if words is None:
            words, first = value, name
        elif words != value:
            refuse(f"{first} and {name} do not hold the same words", "leave out the one that is wrong")
    return words


def _sentences(sentences: object) -> list[list[str]]:
    """Lists of words, or objects that have them as tokens (which may be objects that have a text)."""
    if not isinstance(sentences, list):
        refuse(f"sentences is {shortened(sentences)}, not a list of sentences", LIST_HINT)
    if set(map(type, sentences)) <= {list}:
        return sentences
    cut: list[list[str]] = []
    for index, sentence in enumerate(sentences):
        words = sentence.get("tokens") if isinstance(sentence, dict) else sentence
        if not isinstance(words, list):
            refuse(f"sentences[{index}] is {shortened(sentence)}, not a list of words", LIST_HINT)
        cut.append([word.get("text", word) if isinstance(word, dict) else word for word in words])
    return cut


def _cut(words: list[str], fields: dict[str, object]) -> list[list[str]]:
    """Cut a list of words where the number of the sentence changes."""
    for name in SENTENCE_FIELDS:
        numbers = fields.get(name)
        if isinstance(numbers, list):
            if len(numbers) != len(words):
                refuse(f"{name} has {len(numbers)} items, but there are {len(words)} words")
            return _cut_by(words, numbers)
    return [words]


def _cut_by(words: list[str], numbers: list[object]) -> list[list[str]]:
    runs = groupby(zip(words, numbers, strict=True), itemgetter(1))
    return [[word for word, _ in run] for _, run in runs]


def _subtokens(fields: dict[str, object]) -> DocumentWords:
    """Words as tokens has them, else as sentences has them, else put together from the subtokens in sentences."""
    of_subtokens = _subtoken_map(fields["subtoken_map"])
    count = max(of_subtokens, default=-1) + 1
    words = _flat(fields)
    sentences = fields.get("sentences")
    if words is not None:
        if count > len(words):
            words_there = f"there are {len(words)} words, 0 to {len(words) - 1}"
            refuse(f"the subtoken_map names word {count - 1}, but {words_there}")
    else:
        cut = _sentences([] if sentences is None else sentences)
        subtokens = list(chain.from_iterable(cut))
        if len(subtokens) == len(of_subtokens):
            words = _join_subtokens(subtokens, of_subtokens, count)
        elif len(subtokens) == count:
            return DocumentWords(cut, of_subtokens=of_subtokens)
        else:
            refuse(
                f"sentences hold {len(subtokens)} items, but the subtoken_map {len(of_subtokens)} subtokens"
                f" of {count} words",
                "give the words as tokens",
            )
    numbers = fields.get("sentence_map")
    if not isinstance(numbers, list):
        return DocumentWords(_cut(words, {"sent_id": fields.get("sent_id")}), of_subtokens=of_subtokens)
    if len(numbers) != len(of_subtokens):
        refuse(f"sentence_map has {len(numbers)} items, but the subtoken_map {len(of_subtokens)}")
    sentence_of: dict[int, object] = {}
    for word, number in zip(of_subtokens, numbers, strict=True):
        sentence_of.setdefault(word, number)
    of_words: list[object] = []
    sentence = next((sentence_of[word] for word in of_subtokens if word >= 0), None)
    for word in range(len(words)):  # words without subtokens stay with the word before; the first ones, with the next
        sentence = sentence_of.get(word, sentence)
        of_words.append(sentence)
    return DocumentWords(_cut_by(words, of_words), of_subtokens=of_subtokens)


def _subtoken_map(value: object) -> list[int]:
    if not isinstance(value, list) or not all(word is None or type(word) is int for word in value):
        refuse("subtoken_map is not a list of word numbers", "it has the number of its word for each subtoken")
    words = [-1 if word is None else word for word in value]
    numbered = [word for word in words if word >= 0]
    if numbered != sorted(numbered):
        refuse("the numbers of subtoken_map do not increase", "it has the number of its word for each subtoken")
    if numbered and numbered[-1] > len(words):  # or a few bytes could ask for any number of words
        refuse(f"the subtoken_map names word {shortened(numbered[-1])}, but has {len(words)} subtokens only")
    return words


def _join_subtokens(subtokens: list[str], of_subtokens: list[int], count: int) -> list[str]:
    """Words from their subtokens, without the marks of tokenizers at the beginning or inside of words."""
    words = [""] * count
    for subtoken, word in zip(subtokens, of_subtokens, strict=True):
        if not isinstance(subtoken, str):
            refuse(f"the subtoken {shortened(subtoken)} is not a string", "give the words as tokens")
        if word >= 0 and not SPECIAL.fullmatch(subtoken):
            going_on = words[word] and subtoken.startswith("##")
            words[word] += subtoken[2:] if going_on else subtoken.lstrip("Ġ▁")
    return words


NAME_FIELDS = ("doc_key", "doc_id", "document_id", "id")
PREDICTED = "predicted_clusters"
READ_PREDICTED = f"the response is read from {PREDICTED}, not from clusters"
NO_KEY = f"has only {PREDICTED}, which the key is not read from"


class ClusterField(NamedTuple):
    """A field of clusters, and the unit that its mentions count."""

    name: str
    unit: str
    exclusive: bool = False
    """Whether the last number is that of the unit after the mention."""


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


def document_name(fields: dict[str, object], number: int) -> str:
    """Name of a document, with its part if it has one, as in CoNLL files.

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


def read_fields(fields: dict[str, object], side: str, repair: str = "") -> DocumentFields:
    """The words and clusters of a document; a response is read from predicted clusters if there are any.

    ``repair`` is one of :data:`~corefscope.formats.detection.REPAIRS`, or empty.
    """
    if fields.get("clusters_strings") is not None:
        fields = {**fields, "clusters": _without_nulls(fields.get("clusters"))}
    field, others = _cluster_field(fields, side)
    named = fields[field.name]
    if isinstance(named, dict):
        fields = {**fields, field.name: list(named.values())}
    words = words_of(fields, field.unit)
    reading = _read(fields, field, words)
    for other in others:
        if "characters" in (other.unit, words.unit):  # other units, but as many mentions
            clusters = checked(fields[other.name], 3 if other.unit == "words of a sentence" else 2, other.name)
            agree = list(map(len, clusters)) == list(map(len, checked(reading.clusters, 2, field.name)))
        else:
            agree = _as_sets(_read(fields, other, words)) == _as_sets(reading)
        if not agree:
            refuse(f"{field.name} and {other.name} do not hold the same mentions", "leave out the one that is wrong")
    reading = reconcile(fields.get(STRINGS), reading, repair, document_name(fields, 0))
    if not isinstance(named, dict):
        return reading
    if isinstance(reading.clusters, list) and len(reading.clusters) < len(named):
        refuse("clusters without a mention that is found cannot be named", f"give {field.name} as a list")
    return reading._replace(names=list(named))


def _without_nulls(clusters: object) -> object:
    """Clusters of fastcoref without mentions of special tokens, which are null and have no string."""
    if not isinstance(clusters, list) or not all(isinstance(cluster, list) for cluster in clusters):
        return clusters
    return [[mention for mention in cluster if mention is not None] for cluster in clusters]


def unread_fields(fields: dict[str, object]) -> list[str]:
    """Fields that seem to hold clusters, by their names, but are not read."""
    read = CLUSTER_FIELDS.keys() | COMPANIONS
    return [name for name in fields if name not in read and any(word in name for word in ("cluster", "coref"))]


def _cluster_field(fields: dict[str, object], side: str) -> tuple[ClusterField, list[ClusterField]]:
    """The field to be read, and others that must agree with it."""
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


def _read(fields: dict[str, object], field: ClusterField, words: DocumentWords) -> DocumentFields:
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
    return DocumentFields(
        words.sentences, value, field.name, exclusive, heads, counts_characters=words.unit == "characters"
    )


def _clusters_are_exclusive(fields: dict[str, object], name: str) -> bool:
    """Whether a field with the usual name has exclusive ends, which fastcoref writes."""
    strings, text = fields.get("clusters_strings"), fields.get("text")
    if name == "clusters" and strings is not None and isinstance(text, str | list):
        # fastcoref counts characters, or words if it was given words; clusters_strings tell which
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
        if isinstance(text, str) and _only_exclusive_ends_fit(text, checked(fields[name], 2, name)):
            return True
        refuse(
            f"{name} over a text may mean two things: the last character may belong to a mention or not",
            "call it span_clusters if its ends are exclusive, clusters_char_offsets if they are inclusive",
        )
    return False


def _only_exclusive_ends_fit(text: str, clusters: Clusters) -> bool:
    """Whether all mentions begin and end as words do if ends are exclusive, but not if they are inclusive.

    fastcoref's training files have character offsets with exclusive ends.

    >>> _only_exclusive_ends_fit("Ann, her dog.", [[[0, 3], [5, 8]]]), _only_exclusive_ends_fit("Ann.", [[[0, 3]]])
    (True, False)
    """
    mentions = list(chain.from_iterable(clusters))

    def fits(further: int) -> bool:
        return all(_is_delimited(text, start, end + further) for start, end in mentions)

    return fits(0) and (not mentions or not fits(1))


def _is_delimited(text: str, start: int, end: int) -> bool:
    """Whether a stretch of a text neither begins or ends with a blank nor inside a word."""
    if not 0 <= start < end <= len(text):
        return False
    cuts = [text[max(at - 1, 0) : at + 1] for at in (start, end)]
    inside = any(len(around) == 2 and around.isalnum() for around in cuts)
    return not inside and not text[start].isspace() and not text[end - 1].isspace()


def _of_document(clusters: Clusters, words: DocumentWords, field: ClusterField) -> Clusters:
    """Convert mentions that count the words of their sentences to numbers of words of the document."""
    if not words.has_sentences:
        refuse(f"{field.name} counts the words of sentences, but there are no sentences", "give the field sentences")
    starts = list(accumulate(map(len, words.sentences), initial=0))

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
    """Convert mentions that count subtokens to numbers of words."""
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
    """Convert all mentions by a function, which also gets the beginning of a message about each."""
    return [
        [convert(mention, f"{field.name}[{i}][{j}] is {shortened(mention)}") for j, mention in enumerate(cluster)]
        for i, cluster in enumerate(clusters)
    ]


def _heads(fields: dict[str, object]) -> list[list[int | None]] | None:
    """The heads that wl-coref writes: one for each span, or for those in head2span."""
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
