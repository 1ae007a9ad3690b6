"""Random documents, and writers of the formats of annotation tools that share no code with their readers."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable
from itertools import accumulate, pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

from corefscope.core.document import Document
from corefscope.core.errors import Warnings
from corefscope.formats.detection import ReadingOptions, open_reader

WORDS = (
    "Ann",
    "the",
    "cat",
    "мир",
    "naïve",
    "你好",
    "😀ok",
    "a|b",
    "x_y",
    "[1]",
    "A&B",
    "<i>",
    '"so"',
    "her",
    "don't",
    "->",
)
GLUED = (",", ".", "!", ")", "’s")
Parts = tuple[tuple[int, int], ...]


class AnnotatedText(NamedTuple):
    """A document: sentences of words, and the mentions of each entity as parts (start, end) in words."""

    sentences: list[list[str]]
    entities: list[list[Parts]]

    @property
    def words(self) -> list[str]:
        return [word for words in self.sentences for word in words]

    @property
    def places(self) -> list[tuple[int, int]]:
        """Sentence and number in it of each word."""
        return [(number, at) for number, words in enumerate(self.sentences) for at in range(len(words))]

    @property
    def mentions(self) -> list[tuple[int, Parts]]:
        """Entity and parts of each mention, in the order of the text."""
        found = [(entity, parts) for entity, members in enumerate(self.entities) for parts in members]
        return sorted(found, key=lambda mention: (mention[1][0][0], -mention[1][-1][1]))

    def text(self) -> tuple[str, list[tuple[int, int]]]:
        """The text, one sentence a line, and the characters of each word."""
        text, offsets = "", []
        for words in self.sentences:
            for at, word in enumerate(words):
                text += " " if at and word not in GLUED else ""
                offsets.append((len(text), len(text) + len(word)))
                text += word
            text += "\n"
        return text, offsets


def random_text(rng: random.Random, *, broken: bool = False, nested: bool = False) -> AnnotatedText:
    """A document; mentions may be in parts, or else must be nested or apart."""
    sentences = [
        [rng.choice(WORDS), *(rng.choice((*WORDS, *GLUED)) for _ in range(rng.randint(0, 7)))]
        for _ in range(rng.randint(1, 4))
    ]
    count = sum(map(len, sentences))
    spans: set[Parts] = set()
    for _ in range(rng.randint(1, 8)):
        start = rng.randrange(count)
        end = min(count, start + rng.choice((1, 1, 2, 3, 9)))
        parts: Parts = ((start, end),)
        if broken and end + 2 <= count and rng.random() < 0.3:
            parts = ((start, end), (end + 1, end + 2))
        crossing = any(a < start < b < end or start < a < end < b for ((a, b),) in spans) if nested else False
        if not crossing:
            spans.add(parts)
    entities: list[list[Parts]] = [[] for _ in range(rng.randint(1, 4))]
    for parts in sorted(spans):
        rng.choice(entities).append(parts)
    return AnnotatedText(sentences, list(filter(None, entities)))


def within_sentences(document: AnnotatedText) -> AnnotatedText:
    """The same without mentions that go over several sentences; the first word is one if nothing is left."""
    places = document.places
    kept = [[m for m in members if places[m[0][0]][0] == places[m[-1][1] - 1][0]] for members in document.entities]
    return document._replace(entities=list(filter(None, kept)) or [[((0, 1),)]])


Clusters = set[frozenset[tuple[int, ...]]]


def wanted_clusters(document: AnnotatedText) -> Clusters:
    """The entities as sets of characters that are not blank."""
    ends = [0]
    for word in document.words:
        ends.append(ends[-1] + len(word))
    return {
        frozenset(tuple(at for a, b in parts for at in range(ends[a], ends[b])) for parts in members)
        for members in document.entities
    }


def read_clusters(document: Document) -> Clusters:
    """The same of a document that was read."""
    characters: dict[int, range] = {}
    count = 0
    for sentence in document.sentences:
        for position, word in zip(sentence.positions, sentence.words, strict=True):
            size = len("".join(word.partition("\t")[2].split()))
            characters[position] = range(count, count + size)
            count += size
    return {
        frozenset(
            tuple(sorted({at for place in mention.positions for at in characters[place]})) for mention in entity
        )
        for entity in document.entities
    }


def read(path: Path, format_: str | None = None, relations: Iterable[str] = ()) -> tuple[str, list[Document]]:
    """The format that a file is recognised as, and its documents."""
    name, reader = open_reader(path, format_, Warnings(), options=ReadingOptions(relations=tuple(relations)))
    try:
        return name, list(reader)
    finally:
        reader.source.close()


def units(text: str, encoding: str) -> int:
    """The length of a text in characters, UTF-16 units or bytes."""
    return len(text) if not encoding else len(text.encode(encoding)) // (2 if encoding == "utf-16-le" else 1)


def write_brat(
    document: AnnotatedText, folder: Path, rng: random.Random, encoding: str = "", ends: str = "\n"
) -> Path:
    text, offsets = document.text()
    counted = text.replace("\n", ends)
    lines: list[str] = []
    first: dict[int, str] = {}
    ids: dict[int, list[str]] = {}
    for number, (entity, parts) in enumerate(document.mentions, 1):
        spans = [(offsets[a][0], offsets[b - 1][1]) for a, b in parts]
        shifted = [tuple(units(text[:at].replace("\n", ends), encoding) for at in span) for span in spans]
        shown = " ".join(text[a:b].replace("\n", " ") for a, b in spans)
        lines.append(f"T{number}\tMention {';'.join(f'{a} {b}' for a, b in shifted)}\t{shown}")
        first.setdefault(entity, f"T{number}")
        ids.setdefault(entity, []).append(f"T{number}")
    for entity, members in ids.items():
        if len(members) > 2 and rng.random() < 0.5:
            lines.append(f"*\tCoref {' '.join(members)}")
        else:
            pairs = rng.choice((list(pairwise(members)), [(each, members[0]) for each in members[1:]]))
            lines += [f"R{entity}{at}\tCoreference Arg1:{a} Arg2:{b}" for at, (a, b) in enumerate(pairs)]
    lines += ["A1\tNegation T1", "#1\tAnnotatorNotes T1\ta note"]
    (folder / "a.txt").write_bytes(counted.encode())
    path = folder / "a.ann"
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")
    return path


def write_booknlp(document: AnnotatedText, folder: Path, rng: random.Random) -> Path:
    rows = ["paragraph_ID\tsentence_ID\ttoken_ID_within_sentence\ttoken_ID_within_document\tword\tlemma"]
    for number, ((sentence, at), word) in enumerate(zip(document.places, document.words, strict=True)):
        rows.append(f"0\t{sentence + 5}\t{at}\t{number}\t{word}\t{word}")
    (folder / "a.tokens").write_text("\n".join([*rows, ""]), encoding="utf-8")
    entities = ["COREF\tstart_token\tend_token\tprop\tcat\ttext"]
    for entity, ((start, end),) in document.mentions:
        id_ = -1 if len(document.entities[entity]) == 1 and rng.random() < 0.5 else entity * 7
        entities.append(f"{id_}\t{start}\t{end - 1}\tNOM\tPER\t{' '.join(document.words[start:end])}")
    path = folder / "a.entities"
    path.write_text("\n".join([*entities, ""]), encoding="utf-8")
    return path


def write_litbank(document: AnnotatedText, folder: Path, rng: random.Random) -> Path:
    (folder / "a.txt").write_text("\n".join(map(" ".join, document.sentences)) + "\n", encoding="utf-8")
    places, lines, links = document.places, [], []
    for number, (entity, ((start, end),)) in enumerate(document.mentions):
        where = "\t".join(map(str, (*places[start], *places[end - 1])))
        lines.append(f"MENTION\tT{number}\t{where}\t{' '.join(document.words[start:end])}\tPER\tNOM")
        if len(document.entities[entity]) > 1 or rng.random() < 0.5:
            links.append(f"COREF\tT{number}\tperson-{entity}")
    path = folder / "a.ann"
    path.write_text("\n".join([*lines, *links, ""]), encoding="utf-8")
    return path


def webanno_escaped(text: str) -> str:
    for mark in ("\\", "[", "]", "|", "_", "->", ";", "*"):
        text = text.replace(mark, f"\\{mark}")
    return text


def _webanno(document: AnnotatedText, header: str, cells: Callable[[int], list[str]]) -> str:
    text, offsets = document.text()
    lines = ["#FORMAT=WebAnno TSV 3.3", *header.split("\n"), "", ""]
    number = 0
    for sentence, words in enumerate(document.sentences, 1):
        shown = text.split("\n")[sentence - 1]
        lines += [f"#Text={shown}"]
        for at, word in enumerate(words, 1):
            place = "-".join(str(units(text[:end], "utf-16-le")) for end in offsets[number])
            lines.append("\t".join([f"{sentence}-{at}", place, webanno_escaped(word), *cells(number), ""]))
            number += 1
        lines.append("")
    return "\n".join(lines)


def write_webanno_chains(document: AnnotatedText, folder: Path, rng: random.Random) -> Path:
    links: dict[int, int] = {}
    numbered = []
    for entity, parts in document.mentions:
        links[entity] = links.get(entity, 0) + 1
        numbered.append((entity + 1, links[entity], parts))
    swapped = rng.random() < 0.5

    def cells(word: int) -> list[str]:
        here = [(entity, link) for entity, link, parts in numbered if any(a <= word < b for a, b in parts)]
        relation = "|".join(f"{('*', 'coref')[link % 2]}->{entity}-{link}" for entity, link in here) or "_"
        kind = "|".join(f"per\\_son[{entity}]" for entity, _ in here) or "_"
        return ["_", *([kind, relation] if swapped else [relation, kind])]

    fields = "referenceType|referenceRelation" if swapped else "referenceRelation|referenceType"
    header = f"#T_SP=custom.Span|label\n#T_CH=de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink|{fields}"
    path = folder / "a.tsv"
    path.write_text(_webanno(document, header, cells), encoding="utf-8")
    return path


def write_webanno_relations(document: AnnotatedText, folder: Path, rng: random.Random) -> Path:
    ids: list[int] = []
    covers = [{word for a, b in parts for word in range(a, b)} for _, parts in document.mentions]
    for number, words in enumerate(covers):
        alone = len(words) == 1 and not any(words & other for other in covers[:number] + covers[number + 1 :])
        ids.append(0 if alone and rng.random() < 0.7 else number + 1)
    places = [f"{sentence + 1}-{at + 1}" for sentence, at in document.places]
    last: dict[int, int] = {}
    relations: dict[int, list[tuple[str, str]]] = {}
    for number, (entity, parts) in enumerate(document.mentions):
        if entity in last:
            there = document.mentions[last[entity]][1][0][0]
            here = parts[0][0]
            numbers = f"[{ids[last[entity]]}_{ids[number]}]" if ids[last[entity]] or ids[number] else ""
            relations.setdefault(here, []).append((rng.choice(("coref", "ana")), f"{places[there]}{numbers}"))
        elif last and rng.random() < 0.3:
            other = next(iter(last.values()))
            numbers = f"[{ids[other]}_{ids[number]}]" if ids[other] or ids[number] else ""
            target = places[document.mentions[other][1][0][0]]
            relations.setdefault(parts[0][0], []).append(("bridge:aggr", f"{target}{numbers}"))
        last[entity] = number

    def cells(word: int) -> list[str]:
        here = [number for number, words in enumerate(covers) if word in words]
        spans = "|".join(f"person[{ids[number]}]" if ids[number] else "person" for number in here) or "_"
        stars = "|".join(f"*[{ids[number]}]" if ids[number] else "*" for number in here) or "_"
        found = relations.get(word, [])
        return [spans, stars, "|".join(kind for kind, _ in found) or "_", "|".join(end for _, end in found) or "_"]

    header = (
        "#T_SP=webanno.custom.Referent|entity|infstat\n#T_RL=webanno.custom.Coref|type|BT_webanno.custom.Referent"
    )
    path = folder / "a.tsv"
    path.write_text(_webanno(document, header, cells), encoding="utf-8")
    return path


def write_mmax(document: AnnotatedText, folder: Path, rng: random.Random, flat: bool = False) -> Path:
    places = (("", ""), ("Basedata", "Markables"), ("", "markables"))
    base, marked = (folder / name for name in (places[0] if flat else rng.choice(places)))
    base.mkdir(exist_ok=True)
    marked.mkdir(exist_ok=True)
    ids = [f"word_{3 * number + 1}" for number in range(len(document.words))]
    words = [
        f"<word id={quoteattr(id_)}>{escape(word)}</word>" for id_, word in zip(ids, document.words, strict=True)
    ]
    start = '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE {0} SYSTEM "{0}.dtd">\n'
    (base / "a_words.xml").write_text(
        "\n".join([start.format("words") + "<words>", *words, "</words>"]), encoding="utf-8"
    )
    (folder / "a.mmax").write_text(
        '<?xml version="1.0"?>\n<mmax_project>\n<words>a_words.xml</words>\n</mmax_project>\n', encoding="utf-8"
    )

    def span(parts: Parts) -> str:
        return ",".join(ids[a] if b == a + 1 else f"{ids[a]}..{ids[b - 1]}" for a, b in parts)

    attribute = rng.choice(("coref_set", "coref_class"))
    rows = []
    for number, (entity, parts) in enumerate(document.mentions):
        single = len(document.entities[entity]) == 1 and rng.random() < 0.7
        name = "empty" if single else f"set_{entity}"
        rows.append(f'<markable id="markable_{number}" span="{span(parts)}" {attribute}="{name}"/>')
    _write_level(marked / "a_coref_level.xml", "coref", start, rows)
    ends = [0]
    for sentence in document.sentences:
        ends.append(ends[-1] + len(sentence))
    rows = [f'<markable id="s{at}" span="{span(((a, b),))}"/>' for at, (a, b) in enumerate(pairwise(ends))]
    _write_level(marked / "a_sentence_level.xml", "sentence", start, rows)
    return folder / "a.mmax" if rng.random() < 0.6 and not flat else marked / "a_coref_level.xml"


def _write_level(path: Path, name: str, start: str, rows: list[str]) -> None:
    opening = f'{start.format("markables")}<markables xmlns="www.eml.org/NameSpaces/{name}">'
    path.write_text("\n".join([opening, *rows, "</markables>"]), encoding="utf-8")


def write_sacr(document: AnnotatedText, folder: Path, rng: random.Random) -> Path:
    """Only nested mentions; words must have no braces."""
    words, number, pieces = document.words, 0, ["#title: a\n\n#textid: walk\n\n"]
    for sentence in document.sentences:
        for at in range(len(sentence)):
            pieces.append(" " if at and words[number] not in GLUED else "")
            for entity, ((start, _),) in document.mentions:
                if start == number:
                    pieces.append(f"{{E{entity}" + rng.choice((" ", ':type="x, y",head=1 ', ": ")))
            pieces.append(words[number])
            number += 1
            pieces.append("}" * sum(end == number for _, ((_, end),) in document.mentions))
        pieces.append("\n\n")
    path = folder / "a.sacr"
    path.write_text("".join(pieces), encoding="utf-8")
    return path


def write_ecb(document: AnnotatedText, folder: Path, rng: random.Random) -> Path:
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<Document doc_name="1_1ecb.xml" doc_id="DOC1">']
    for number, ((sentence, at), word) in enumerate(zip(document.places, document.words, strict=True), 1):
        lines.append(f'<token t_id="{number}" sentence="{sentence}" number="{at}">{escape(word)}</token>')
    lines.append("<Markables>")
    linked = {entity: [] for entity in range(len(document.entities))}  # type: dict[int, list[int]]
    for number, (entity, parts) in enumerate(document.mentions):
        anchors = [f'<token_anchor t_id="{word + 1}"/>' for a, b in parts for word in range(a, b)]
        rng.shuffle(anchors)
        lines.append(f'<HUMAN_PART_PER m_id="{number}">{"".join(anchors)}</HUMAN_PART_PER>')
        linked[entity].append(number)
    lines += [f'<HUMAN_PART_PER m_id="9{entity}" instance_id="HUM{entity}"/>' for entity in linked]
    lines += ["</Markables>", "<Relations>"]
    for entity, members in linked.items():
        if len(members) > 1 or rng.random() < 0.5:
            name, note = rng.choice((("CROSS_DOC_COREF", f' note="HUM{entity}"'), ("INTRA_DOC_COREF", "")))
            ends = "".join(f'<source m_id="{member}"/>' for member in members)
            lines.append(f'<{name} r_id="{entity}"{note}>{ends}<target m_id="9{entity}"/></{name}>')
    path = folder / "a.xml"
    path.write_text("\n".join([*lines, "</Relations>", "</Document>"]), encoding="utf-8")
    return path


def cdcr_mentions(document: AnnotatedText, name: str = "walk") -> list[dict[str, object]]:
    """Only mentions of one sentence."""
    places = document.places
    return [
        {
            "doc_id": name,
            "sent_id": places[parts[0][0]][0],
            "tokens_number": [places[word][1] for a, b in parts for word in range(a, b)],
            "tokens_str": " ".join(document.words[word] for a, b in parts for word in range(a, b)),
            "coref_chain": f"HUM{entity}",
        }
        for entity, parts in document.mentions
    ]


def write_jsonl(document: AnnotatedText, folder: Path) -> Path:
    """The key that other formats are scored against; of mentions without gaps."""
    clusters = [[[a, b - 1] for ((a, b),) in members] for members in document.entities]
    content = {"doc_key": "walk", "sentences": document.sentences, "clusters": clusters}
    path = folder / "key.jsonl"
    path.write_text(json.dumps(content) + "\n", encoding="utf-8")
    return path


def write_gap(document: AnnotatedText, folder: Path, rng: random.Random) -> Path:
    """One row with the first word of three mentions; the second or the third one may corefer with the first."""
    text, offsets = document.text()
    text = text.replace("\n", " ").replace("\t", " ")
    starts = [parts[0][0] for _, parts in document.mentions] * 3
    places = [(text[slice(*offsets[start])], str(offsets[start][0])) for start in starts[:3]]
    truth = rng.choice((("TRUE", "FALSE"), ("False", "True"), ("FALSE", "FALSE")))
    (pronoun, a, b), header = places, "ID Text Pronoun Pronoun-offset A A-offset A-coref B B-offset B-coref URL"
    row = ["walk", text, *pronoun, *a, truth[0], *b, truth[1], "http://x"]
    path = folder / "a.tsv"
    path.write_text("\t".join(header.split()) + "\n" + "\t".join(row) + "\n", encoding="utf-8")
    return path


def write_scorch(document: AnnotatedText, folder: Path, rng: random.Random) -> Path:
    clusters = {str(at): [f"{m[0][0]}-{m[-1][1]}" for m in members] for at, members in enumerate(document.entities)}
    value: dict[str, object] = {"type": "clusters", "clusters": clusters}
    if rng.random() < 0.5:
        links = [[ids[0], id_] for ids in clusters.values() for id_ in ids[1:]]
        value = {"type": "graph", "mentions": [id_ for ids in clusters.values() for id_ in ids], "links": links}
    path = folder / "a.json"
    path.write_text(json.dumps(value, indent=rng.choice((None, 1))), encoding="utf-8")
    return path


def write_cdcr(document: AnnotatedText, folder: Path, rng: random.Random) -> Path:
    path = folder / "a.json"
    path.write_text(json.dumps(cdcr_mentions(document), indent=rng.choice((None, 1))), encoding="utf-8")
    return path


def _pairs(document: AnnotatedText, rng: random.Random) -> list[tuple[int, int]]:
    """Links between numbers of mentions, which join those of each entity."""
    numbers: dict[int, list[int]] = {}
    for number, (entity, _) in enumerate(document.mentions):
        numbers.setdefault(entity, []).append(number)
    links = [
        (later, rng.choice(members[:at])) for members in numbers.values() for at, later in enumerate(members) if at
    ]
    rng.shuffle(links)
    return [link if rng.random() < 0.5 else link[::-1] for link in links]


def _put_json(path: Path, value: object, rng: random.Random) -> Path:
    shown = json.dumps(value, indent=rng.choice((None, 1)), ensure_ascii=rng.random() < 0.5)
    path.write_text(shown + "\n", encoding="utf-8")
    return path


def write_label_studio(document: AnnotatedText, folder: Path, rng: random.Random, encoding: str = "") -> Path:
    text, offsets = document.text()
    result: list[object] = [{"id": "c", "type": "choices", "value": {"choices": ["good"]}}]
    for number, (_, ((start, end),)) in enumerate(document.mentions):
        place = offsets[start][0], offsets[end - 1][1]
        value: dict[str, object] = {"text": text[slice(*place)], "labels": ["M"]}
        value |= dict(zip(("start", "end"), (units(text[:at], encoding) for at in place), strict=True))
        result.append({"id": f"m{number}", "type": "labels", "value": value})
    for one, other in _pairs(document, rng):
        labels = rng.choice((["coref"], [], ["x", "Coreference"]))
        result.append({"type": "relation", "from_id": f"m{one}", "to_id": f"m{other}", "labels": labels})
    rng.shuffle(result)
    annotations = [{"was_cancelled": True, "result": []}, {"completed_by": 1, "result": result}]
    return _put_json(folder / "a.json", [{"id": 7, "data": {"text": text}, "annotations": annotations}], rng)


def write_doccano(document: AnnotatedText, folder: Path, rng: random.Random) -> Path:
    text, offsets = document.text()
    spans = [
        {"id": 9 - number, "label": "M", "start_offset": offsets[start][0], "end_offset": offsets[end - 1][1]}
        for number, (_, ((start, end),)) in enumerate(document.mentions)
    ]
    names = ("coref", "SAME_AS", "identity")
    relations = [
        {"id": at, "from_id": 9 - one, "to_id": 9 - other, "type": rng.choice(names)}
        for at, (one, other) in enumerate(_pairs(document, rng))
    ]
    return _put_json(
        folder / "a.jsonl", {"id": 1, "text": text, "entities": spans, "relations": relations, "Comments": []}, rng
    )


def write_prodigy(document: AnnotatedText, folder: Path, rng: random.Random) -> Path:
    """With a blank token at the end of each sentence, as spaCy has them; spans by tokens or by characters."""
    text, offsets = document.text()
    tokens: list[dict[str, object]] = []
    places = []
    for number, (start, end) in enumerate(offsets):
        places.append(len(tokens))
        tokens.append({"text": text[start:end], "start": start, "end": end, "id": len(tokens)})
        if text[end] == "\n":
            tokens.append({"text": "\n", "start": end, "end": end + 1, "id": number})
    spans = []
    for _, ((start, end),) in document.mentions:
        span = {"start": offsets[start][0], "end": offsets[end - 1][1]}
        by_tokens = {"token_start": places[start], "token_end": places[end - 1]}
        spans.append(span | (by_tokens if rng.random() < 0.7 else {}))
    relations = [
        {"head": 0, "child": 0, "label": "COREF", "head_span": spans[one], "child_span": spans[other]}
        for one, other in _pairs(document, rng)
    ]
    value = {"text": text, "_task_hash": 1, "tokens": tokens, "spans": spans, "relations": relations}
    return _put_json(folder / "a.jsonl", value | rng.choice(({}, {"answer": "accept"})), rng)


def write_corenlp(document: AnnotatedText, folder: Path, rng: random.Random) -> Path:
    """Only mentions of one sentence."""
    places = document.places
    tokens = [
        [{"index": at, "word": word.replace("[", "-LSB-"), "originalText": word} for at, word in enumerate(words, 1)]
        for words in document.sentences
    ]
    corefs: dict[str, list[object]] = {}
    for entity, ((start, end),) in document.mentions:
        sentence, first = places[start]
        mention = {"sentNum": sentence + 1, "startIndex": first + 1, "endIndex": places[end - 1][1] + 2}
        corefs.setdefault(str(3 * entity), []).append(mention | {"headIndex": mention["endIndex"] - 1})
    value = {"sentences": [{"index": at, "tokens": each} for at, each in enumerate(tokens)], "corefs": corefs}
    return _put_json(folder / "a.json", value, rng)


def write_xcore(document: AnnotatedText, folder: Path, rng: random.Random) -> Path:
    clusters = [[[0, a, b - 1] for ((a, b),) in members] for members in document.entities]
    return _put_json(folder / "a.json", {"tokens": [document.words], "clusters_token_offsets": clusters}, rng)


def write_spacy(document: AnnotatedText, folder: Path, rng: random.Random) -> Path:
    """Words are joined by single blanks."""
    words = document.words
    ends = list(accumulate(len(word) + 1 for word in words))
    tokens = [
        {"id": at, "start": end - 1 - len(word), "end": end - 1}
        for at, (word, end) in enumerate(zip(words, ends, strict=True))
    ]
    groups = {
        f"coref_clusters_{number}": [
            {"start": tokens[a]["start"], "end": tokens[b - 1]["end"], "label": ""} for ((a, b),) in members
        ]
        for number, members in enumerate(document.entities, 1)
    }
    return _put_json(folder / "a.json", {"text": " ".join(words), "tokens": tokens, "spans": groups}, rng)


def write_stanza(document: AnnotatedText, folder: Path, rng: random.Random) -> Path:
    """Mentions of one chain may share a start, an end or both, but must not cross."""
    lines, number = [], 0
    representative = {entity: rng.choice(members) for entity, members in enumerate(document.entities)}
    for sentence, words in enumerate(document.sentences):
        lines += [f"# text = {' '.join(words)}", f"# sent_id = {sentence}"]
        for at, word in enumerate(words, 1):
            tags = []
            for entity, parts in document.mentions:
                ((start, end),) = parts
                if start <= number < end:
                    place = {(True, True): "unit", (True, False): "start", (False, True): "end"}
                    kind = place.get((number == start, number == end - 1), "middle")
                    tags.append(f"{kind}-{'repr-' if parts == representative[entity] else ''}id{entity}")
            rng.shuffle(tags)
            misc = "|".join(["start_char=0", *([f"coref_chains={','.join(tags)}"] if tags else [])])
            lines.append("\t".join([str(at), word, "_", "X", "_", "_", str(at - 1), "dep", "_", misc]))
            number += 1
        lines.append("")
    path = folder / "a.conllu"
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")
    return path


STANDOFF: dict[str, Callable[[AnnotatedText, Path, random.Random], Path]] = {
    "webanno": write_webanno_chains,
    "brat": write_brat,
    "litbank": write_litbank,
    "booknlp": write_booknlp,
    "gap": write_gap,
    "mmax": lambda document, folder, rng: write_mmax(document, folder, rng, flat=True),
    "ecb": write_ecb,
    "sacr": write_sacr,
    "scorch": write_scorch,
    "cdcr": write_cdcr,
    "label-studio": write_label_studio,
    "doccano": write_doccano,
    "prodigy": write_prodigy,
    "corenlp": write_corenlp,
    "xcore": write_xcore,
    "spacy": write_spacy,
    "stanza": write_stanza,
}
"""Writers of the formats that annotation tools and other systems use."""
WALK = AnnotatedText([["Ann", "likes", "her", "dog"]], [[((0, 1),), ((2, 3),)], [((2, 4),)]])
LONGER = AnnotatedText([["Ada", "Lovelace", "knew", "Łódź", "."], ["She", "😀ok", "wrote", "to", "him", "."]], [])


def standoff_file(format_: str, document: AnnotatedText, rng: random.Random) -> tuple[bytes, dict[str, bytes]]:
    """A file, and by the ends of their names those that must be beside it."""
    with TemporaryDirectory() as name:
        path = STANDOFF[format_](document, Path(name), rng)
        others = {
            other.name.removeprefix("a"): other.read_bytes() for other in path.parent.iterdir() if other != path
        }
        return path.read_bytes(), {end: data for end, data in others.items() if end in COMPANIONS}


COMPANIONS = (".txt", ".tokens", "_words.xml")


def put_companions(path: Path, format_: str, document: AnnotatedText = LONGER) -> None:
    """Write the files that must be beside a file of a format, over the words of a document."""
    for name, data in companion_files(path.name, format_, document).items():
        path.with_name(name).write_bytes(data)


def companion_files(name: str, format_: str, document: AnnotatedText = LONGER) -> dict[str, bytes]:
    """Names and contents of the files that must be beside one of this name."""
    if format_ not in ("brat", "litbank", "booknlp", "mmax"):
        return {}
    some = document._replace(entities=[[((0, 1),)]])
    stem = name
    for suffix in (".gz", ".xz", ".bz2"):
        stem = stem.removesuffix(suffix)
    stem = stem[: stem.rindex(".")] if "." in stem else stem
    return {f"{stem}{end}": data for end, data in standoff_file(format_, some, random.Random(0))[1].items()}
