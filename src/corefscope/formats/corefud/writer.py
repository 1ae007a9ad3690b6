"""CorefUD writers: from documents of any format, over the text of a CorefUD file, and in canonical order.

- :func:`write` makes CoNLL-U with Entity in MISC and invents nothing: every word has HEAD 0, which is how CorefUD
  files declare that there is no tree. Part of speech and speaker are kept where the source has them.
- :func:`write_over` replaces the entities of a CorefUD file. Only the header, ``Entity`` and the attributes that
  refer to entities (``Bridge``, ``SplitAnte``) change; the rest stays byte for byte.
- :func:`rewritten` sorts the brackets of a CorefUD file and changes nothing else, except that it drops what the
  reader ignores: brackets that are never closed, and text outside brackets.

``Bridge`` and ``SplitAnte`` name entities only: of an anchor its entity is written, and the anaphor is the mention of
its entity that was opened last at the word. Links that cannot be expressed so are counted as losses.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, repeat

from ...core.document import Dependency, Document, Entity, Mention, Sentence
from ...core.errors import InputError, Warnings
from ...core.positions import MINOR_MASK, node_name, parse_position
from ..fitting import EntityNames, elements, links
from ..losses import Losses
from ..relations import nearest
from ..sentences import forms_of
from ..source import DocumentReader
from ..ua.lines import UASentence
from ..writing import ABOUT_ENTITIES, BREAKS, LINE_ENDS, BracketPair, Origin, cells, runs, unique
from .brackets import CHUNK, Brackets, Fields, ReaderSink, entities_of
from .layout import survey
from .nodes import Nodes
from .sentences import entity_values

UNUSABLE = re.compile(r"[\s|,<>]+")


def attributes(document: Document, ids: list[str], losses: Losses) -> dict[int, dict[str, str]]:
    """The links in MISC, by position and attribute."""
    names = EntityNames(document, ids)
    written: dict[int, dict[str, str]] = {}

    def add(place: int, name: str, link: str) -> None:
        at_place = written.setdefault(place, {})
        at_place[name] = ",".join(filter(None, (at_place.get(name), link)))

    for relation, anaphor, anchor in links(document, names, losses):
        mention, target = relation.anaphor[0], names.entities[anchor]
        begin_here = [other for other in names.entities[anaphor] if other.first == mention.first]
        opened_last = min(begin_here, key=lambda other: other.runs[0][1])
        if anaphor == anchor or opened_last != mention:
            losses.add("links")
            continue
        if len(relation.targets[0]) == 1 and nearest(target, mention) != relation.targets[0][0]:
            losses.add("anchors")
        label = UNUSABLE.sub("_", relation.label)
        add(mention.first, "Bridge", f"{anchor}<{anaphor}" + (f":{label}" if label else ""))
    for plural, element in elements(document, names, losses):
        add(names.entities[plural][0].first, "SplitAnte", f"{element}<{plural}")
    return written


HEADER = "eid-etype-head-other"
UNTYPED = re.compile(r"[\s()|=\-]+")


def clean_word(word: str) -> str:
    r"""Replace tabs and line ends in a word; CoNLL-U allows blanks.

    >>> clean_word("New York"), clean_word("a\tb"), clean_word("")
    ('New York', 'a_b', '_')
    """
    return BREAKS.sub("_", word) or "_"


def clean_name(name: str) -> str:
    r"""Replace line ends in a name and strip blanks around it; it cannot be empty.

    >>> clean_name(" a "), clean_name("a\nb"), clean_name("")
    ('a', 'a b', '_')
    """
    return LINE_ENDS.sub(" ", name).strip() or "_"


def write(documents: Iterable[Document], origin: Origin, losses: Losses) -> Iterator[str]:
    """The text of each document."""
    taken: set[str] = set()
    names: set[str] = set()
    for document in documents:
        ids = unique(document, taken, losses)
        entities = canonical_values(_brackets(document, ids))
        misc = attributes(document, ids, losses) if document.relations else {}
        for place, value in entities.items():
            misc.setdefault(place, {})["Entity"] = value
        head = [f"# newdoc id = {document.id}", f"# global.Entity = {HEADER}"]
        blocks = []
        for sentence in document.sentences:
            name = sentence.id
            if not re.fullmatch(r"[^\s=]\S*", name) or name in names:
                name = f"s{sentence.number}"
            names.add(name)
            blocks.append("\n".join([*head, *_sentence(sentence, name, misc, origin), ""]))
            head = []
        yield "\n".join([*blocks, ""])


def canonical_values(brackets: Iterable[BracketPair]) -> dict[int, str]:
    """The Entity of each position in canonical order; brackets around the same words are sorted by id."""
    ordered = cells(sorted(brackets, key=lambda bracket: bracket.closing))
    return {place: "".join(chunks) for place, chunks in ordered.items()}


def _brackets(document: Document, ids: list[str]) -> Iterator[BracketPair]:
    nodes = [place for sentence in document.sentences for place in sentence.nodes]
    types = document.entity_types or ("",) * len(ids)
    words = [place for place in nodes if not place & MINOR_MASK]
    for id_, type_, entity in zip(ids, types, document.entities, strict=True):
        for mention in entity:
            whole = _with_empty_nodes(mention, words, nodes) if len(words) < len(nodes) else mention
            yield from mention_brackets(whole, id_, UNTYPED.sub("_", type_), nodes)


def _with_empty_nodes(mention: Mention, words: list[int], nodes: list[int]) -> Mention:
    """A mention with the empty nodes between its words, which brackets cannot exclude."""
    if mention.first & MINOR_MASK:
        return mention
    parts = runs(mention.positions, words)
    between = [nodes[bisect_left(nodes, first) : bisect_right(nodes, last)] for first, last in parts]
    return mention._replace(positions=tuple(chain.from_iterable(between)))


def mention_brackets(mention: Mention, id_: str, type_: str, order: Sequence[int]) -> Iterator[BracketPair]:
    """The brackets of a mention: one pair for each of its parts."""
    parts = runs(mention.positions, order)
    head = mention.positions.index(mention.head) + 1
    for number, (first, last) in enumerate(parts, 1):
        label = f"{id_}[{number}/{len(parts)}]" if len(parts) > 1 else id_
        yield BracketPair(first, last, f"{label}-{type_}-{head}", label)


def _sentence(sentence: Sentence, name: str, misc: dict[int, dict[str, str]], origin: Origin) -> list[str]:
    words = forms_of(sentence)
    tags = origin.tags(sentence)
    speakers = {tag.speaker for tag in tags}
    lines = [f"# sent_id = {name}"]
    if len(speakers) == 1 and (speaker := clean_word(*speakers)) != "_":
        lines.append(f"# speaker = {speaker}")
    lines.append(f"# text = {' '.join(words)}")
    rows = {
        place: [form, "_", "_", tag.pos or "_", "_", "0", "_", "_"]
        for place, form, tag in zip(sentence.positions, words, tags, strict=True)
    }
    nodes = sentence.nodes
    # Besides CorefUD, only CoNLL-UA has empty nodes.
    dependencies = sentence.dependencies if isinstance(sentence, UASentence) and len(nodes) > len(rows) else {}
    for place in nodes if len(nodes) > len(rows) else rows:
        row = rows.get(place)
        if row is None:
            form = clean_word(sentence.columns(node_name(place))[1])
            deps = [f"{node_name(parent)}:{clean_word(label)}" for parent, label in dependencies.get(place, ())]
            row = [form, "_", "_", "_", "_", "_", "_", "|".join(deps) or "_"]
        items = [f"{key}={value}" for key, value in sorted(misc.get(place, {}).items())]
        lines.append("\t".join((node_name(place), *row, "|".join(items) or "_")))
    return lines


HEADER_COMMENT = "# global.Entity"


def write_over(documents: Iterable[Document], losses: Losses) -> Iterator[str]:
    """The text of each document with its entities, over the sentences of a CorefUD file."""
    taken: set[str] = set()
    for document in documents:
        sentences = imprinted(_with_one_owner(document, losses), taken, losses)
        first = next(iter(sentences), 0)
        if not any(line.startswith(HEADER_COMMENT) for sentence in document.sentences for line in sentence.lines):
            comments, newdoc, rest = sentences[first].rpartition("# newdoc")
            line, end, others = rest.partition("\n")
            sentences[first] = f"{comments}{newdoc}{line}{end}{HEADER_COMMENT} = {HEADER}\n{others}"
        yield "".join(f"{text}\n\n" for text in sentences.values())


def _with_one_owner(document: Document, losses: Losses) -> Document:
    """Keep each mention in one entity only, as CorefUD demands: the first of the largest that have it."""
    owners: dict[Mention, int] = {}
    entities = document.entities
    for index in sorted(range(len(entities)), key=lambda index: -len(entities[index])):
        for mention in entities[index]:
            owners.setdefault(mention, index)
    shared = sum(map(len, entities)) - len(owners)
    if not shared:
        return document
    losses.add("shared", shared)
    own = [tuple(mention for mention in entity if owners[mention] == n) for n, entity in enumerate(entities)]
    kept = [n for n, entity in enumerate(own) if entity]
    return document.replace_entities(kept, tuple(own[n] for n in kept))


def imprinted(document: Document, taken: set[str], losses: Losses) -> dict[int, str]:
    """The text of each sentence, by its number; adds its ids to ``taken``, those of earlier documents."""
    order = [node for sentence in document.sentences for node in sentence.nodes]
    types = document.entity_types or ("",) * len(document.entities)
    ids = unique(document, taken, losses)
    values = cells(
        bracket
        for id_, type_, entity in zip(ids, types, document.entities, strict=True)
        for mention in entity
        for bracket in mention_brackets(
            mention._replace(positions=tuple(dict.fromkeys(mention.positions))), id_, UNTYPED.sub("_", type_), order
        )
    )
    links = attributes(document, ids, losses) if document.relations else {}
    return {sentence.number: _sentence_text(sentence, values, links) for sentence in document.sentences}


def _sentence_text(sentence: Sentence, values: dict[int, list[str]], links: dict[int, dict[str, str]]) -> str:
    lines = []
    for line in sentence.text.split("\n"):
        columns = line.split("\t")
        if line.startswith(HEADER_COMMENT):
            lines.append(f"{HEADER_COMMENT} = {HEADER}")
        elif line.startswith("#") or len(columns) < 10:
            lines.append(line)
        else:
            node = parse_position(sentence.number, columns[0])
            chunks, named = (values.get(node, []), links.get(node, {})) if node is not None else ([], {})
            lines.append("\t".join([*columns[:9], _misc(columns[9], chunks, named)]))
    return "\n".join(lines)


def _misc(misc: str, chunks: list[str], links: Mapping[str, str]) -> str:
    """The MISC column with its brackets and links replaced by these.

    >>> _misc("A=1|Entity=(e1)|B=2", ["(e2)"], {}), _misc("Entity=(e1)", [], {}), _misc("_", ["(e2)"], {})
    ('A=1|Entity=(e2)|B=2', '_', 'Entity=(e2)')
    >>> _misc("Bridge=e3<e1|Entity=(e1)", ["(e2)"], {"Bridge": "e3<e2"})
    'Bridge=e3<e2|Entity=(e2)'
    """
    items = [item for item in misc.split("|") if item != "_"]
    first = next((n for n, item in enumerate(items) if item.startswith("Entity=")), len(items))
    before, after = (
        [item for item in part if not item.startswith(ABOUT_ENTITIES)] for part in (items[:first], items[first:])
    )
    named = {**links, **({"Entity": "".join(chunks)} if chunks else {})}
    return "|".join([*before, *[f"{name}={value}" for name, value in sorted(named.items())], *after]) or "_"


Values = list[list[tuple[int, str]]]
"""The Entity values of each sentence, with their positions in order."""


def rewritten(reader: DocumentReader, documents: Iterator[Document], warnings: Warnings) -> Iterator[str]:
    """The text of a file with brackets in canonical order, document by document."""
    source = reader.source
    layout = survey(source, Warnings())
    segments = sorted(segment for _, parts in layout.documents for segment in parts)
    fields = Fields(layout.header) if layout.header else None
    yield source.text(source.start, segments[0].start)
    line = source.line_number(segments[0].start)
    changes: Iterator[dict[int, str]] = (_changes(document, fields, warnings) for document in documents)
    if len(segments) > len(layout.documents):  # the file returns to a document: all must be read first
        changes = repeat(dict(chain.from_iterable(changed.items() for changed in changes)), len(segments))
    for segment, changed in zip(segments, changes, strict=True):
        lines = source.text(*segment).split("\n")
        yield "\n".join([changed.get(number, text) for number, text in enumerate(lines, line)])
        line += len(lines) - 1


def _changes(document: Document, fields: Fields | None, warnings: Warnings) -> dict[int, str]:
    """The lines of the file that change, by number."""
    if fields is None:
        return {}
    sink = ReaderSink(document.path)  # the reader has warned already
    old = [entity_values(sentence, sink) for sentence in document.sentences]
    parser = Brackets(fields, _SilentSink())
    new = [_in_order(values, fields, parser) for values in old]
    if new == old:
        return {}
    # Readers join the parts of discontinuous mentions in text order: another order of the brackets on one word can
    # mean other mentions. In this case sentences with parts stay as they are, or all of them.
    meaning = _read(old, document, fields)
    if _read(new, document, fields) != meaning:
        new = [
            before if any("[" in value for _, value in before) else after
            for before, after in zip(old, new, strict=True)
        ]
        if _read(new, document, fields) != meaning:
            new = old
        message = f"parts of mentions of document {document.id!r} would be joined otherwise in canonical order"
        warnings.add("order", document.path, document.sentences[0].line, message + ": left as is", harmless=True)
    changes = {}
    for sentence, before, after in zip(document.sentences, old, new, strict=True):
        old_values, new_values = dict(before), dict(after)
        for number, line in enumerate(sentence.lines if before != after else (), sentence.line):
            place = parse_position(sentence.number, line.partition("\t")[0])
            if place not in old_values or new_values.get(place) == old_values[place]:
                continue
            *columns, misc = line.split("\t")
            items = misc.split("|")
            last = max(index for index, item in enumerate(items) if item.startswith("Entity="))
            items[last : last + 1] = [f"Entity={new_values[place]}"] if place in new_values else []
            changes[number] = "\t".join([*columns, "|".join(items) or "_"])
    return changes


class _SilentSink:
    """A sink for brackets that were read already: it reports nothing."""

    repairs = False

    def report(self, problem: str, position: int, **facts: object) -> None:
        """Ignore a problem, as the reader did."""

    def dependencies(self, nodes: Nodes | None, head: int, whole: bool) -> tuple[Dependency, ...]:  # noqa: ARG002
        """No dependencies: only the pairs of brackets are needed."""
        return ()


def _in_order(values: list[tuple[int, str]], fields: Fields, parser: Brackets) -> list[tuple[int, str]]:
    """The values of a sentence in canonical order, without those that become empty."""
    brackets: list[BracketPair | None] = []  # None for open brackets
    opened: dict[tuple[str, int] | None, tuple[int, int, str]] = {}
    for place, value in values:
        for chunk in re.findall(CHUNK, value):
            bracket = parser.read(place, chunk)
            text = chunk[1:].removesuffix(")")
            if chunk[0] == "(" and chunk[-1] == ")":
                brackets.append(BracketPair(place, place, text, fields.of(text.split("-"))[0]))
            elif chunk[0] == "(":
                opened[bracket] = len(brackets), place, text
                brackets.append(None)
            elif bracket in opened:
                index, first, text = opened.pop(bracket)
                brackets[index] = BracketPair(first, place, text, chunk[:-1])
    return list(canonical_values(bracket for bracket in brackets if bracket is not None).items())


def _read(values: Values, document: Document, fields: Fields) -> dict[str, Entity] | None:
    """The mentions that the reader finds in these values; None if it would refuse them."""
    parser = Brackets(fields, ReaderSink(document.path))
    try:
        for of_sentence, sentence in zip(values, document.sentences, strict=True):
            if of_sentence:
                parser.feed(of_sentence, Nodes.of(sentence) if sentence.empty else None)
        parser.finish()
    except InputError:
        return None
    return {entity.id: entity.mentions for entity in entities_of(parser)}
