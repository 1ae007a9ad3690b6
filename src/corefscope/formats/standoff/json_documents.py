"""Stand-off annotation in JSON: Label Studio, doccano, Prodigy, CoreNLP, spaCy and xCoRe.

A file is one JSON array of documents, one document, or one document a line.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from ast import literal_eval
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser
from itertools import accumulate
from json import dumps
from typing import ClassVar

from ...core.errors import InputError
from ..adapters import View, from_corenlp
from ..jsonl.json_text import JsonError, iter_documents, line_at, locate
from .model import StandoffDocument, StandoffMention, StandoffReader
from .offsets import TextSpan, place_spans

SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
STEPS = re.compile(r"\w+((?:\[(?:'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|[0-9]+)\])+)")
"""The expression with which an error about a part of a document begins."""
STEP = re.compile(r"\[('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|[0-9]+)\]")
SPACY_CLUSTER = re.compile(r"coref_clusters_[0-9]+", re.ASCII)
Relation = tuple[str, str, str]
"""Name, and ids of two mentions."""


class JsonStandoffReader(StandoffReader):
    """Reader of documents that are JSON objects; a subclass reads one of them."""

    expected: ClassVar[str]
    """Shape of a document, for errors."""

    def parse(self) -> Iterator[StandoffDocument]:
        """The documents of the file, in order."""
        text = self.text
        names: dict[str, int] = {}
        self._relations: dict[str, int] = {}
        line, before, number = 1, 0, 1
        try:
            for value in iter_documents(text):
                line += text.count("\n", before, value.start)
                before = value.start
                count = 0
                try:
                    if SURROGATE.search(text, value.start, value.end):
                        _check_surrogates(value.value)
                    for document in self.read_documents(View(value.value, "document", self.expected), number, line):
                        if document.name in names:
                            message = f"document {document.name!r} comes twice (first in line {names[document.name]})"
                            self.source.refuse(message, "give each document an id of its own", line)
                        names[document.name] = line
                        count += 1
                        yield document
                except InputError as error:
                    raise (
                        error
                        if error.path
                        else error.located(self.source.name, _line_of_part(text, value.start, error.message))
                    ) from None
                number += max(count, 1)
        except JsonError as fault:
            self.source.refuse(fault.message, f"expected {self.expected}", line_at(text, fault.offset))
        self.check_relations(self._relations, next(iter(self._relations.values()), 0))

    @abstractmethod
    def read_documents(self, document: View, number: int, line: int) -> Iterator[StandoffDocument]:
        """The documents of one JSON object; the first has this number in the file."""

    def links_between(self, relations: Sequence[Relation], line: int) -> list[tuple[str, str]]:
        """Relations that are identity; those without a name are."""
        for name, _, _ in relations:
            if name:
                self._relations.setdefault(name, line)
        return [(one, other) for name, one, other in relations if not name or self.is_identity(name)]


def _check_surrogates(value: object) -> None:
    """Refuse text that cannot be written."""
    try:
        dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        message = "a string holds half of a surrogate pair"
        raise InputError(message, hint="write characters as UTF-8, or as both halves") from None


def _line_of_part(text: str, start: int, message: str) -> int:
    """The line of the part of a document that an error is about: its message begins with the way to it."""
    way = STEPS.match(message)
    steps = [literal_eval(step) for step in STEP.findall(way[1])] if way else []
    return line_at(text, locate(text, start, steps))


def _text(view: View) -> str:
    if not isinstance(view.value, str):
        view.refuse(" is not a string")
    return view.value


def _id(view: View) -> str:
    """An id, which is a string or a number."""
    if isinstance(view.value, bool) or not isinstance(view.value, str | int):
        view.refuse(" is no id: it must be a string or a whole number")
    return str(view.value)


def _known_id(view: View, ids: dict[str, StandoffMention]) -> str:
    """The id of a mention."""
    if _id(view) not in ids:
        view.refuse(f" is {view.value!r:.60}, which is no mention: export relations with their spans")
    return _id(view)


def _add(mentions: dict[str, StandoffMention], id_: str, mention: StandoffMention, view: View) -> None:
    """Add a mention; several annotations of one span may share its id."""
    if mentions.setdefault(id_, mention).parts != mention.parts:
        view.refuse(f" has the id {id_!r:.60} of another span")


def _optional(view: View, field: str) -> list[View]:
    """The items of a list that may be missing."""
    return view.field(field).items() if view.fields().get(field) is not None else []


def _name(view: View, field: str, number: int) -> str:
    """The name of a document; documents without one are numbered."""
    name = view.fields().get(field)
    return f"#{number}" if name is None or name == "" else _id(view.field(field))


class LabelStudioReader(JsonStandoffReader):
    """Tasks of Label Studio's JSON export: spans are mentions, relations between them identity.

    The first annotation that was not cancelled is read; of tasks without annotation, the first prediction.
    """

    expected = '{"data": {"text": …}, "annotations": [{"result": [{"id": …, "value": {"start": …, "end": …}}, …]}]}'

    def read_documents(self, document: View, number: int, line: int) -> Iterator[StandoffDocument]:
        """One task."""
        if "annotations" not in document.fields() and "predictions" not in document.fields():
            if "annotation_id" not in document.fields():
                document.refuse(" has neither annotations nor predictions")
            self.source.refuse(
                "this is Label Studio's JSON-MIN, without relations", "export JSON, not JSON-MIN", line
            )
        result = self._result(document, line)
        spans: dict[str, tuple[TextSpan, View]] = {}
        is_html = False
        for index, item in enumerate(result):
            value = item.fields().get("value")
            if (
                item.fields().get("type") == "relation"
                or value is None
                or "start" not in item.field("value").fields()
            ):
                continue
            span, in_html = _label_studio_span(item.field("value"), line)
            is_html = is_html or in_html
            id_ = _id(item.field("id")) if item.fields().get("id") is not None else f"#{index}"
            if spans.setdefault(id_, (span, item))[0].offsets != span.offsets:
                item.refuse(f" has the id {id_!r:.60} of another span")
        data = document.field("data")
        text = _task_text(data)
        text = _html_text(text) if is_html else text
        text, places = place_spans(text, {id_: span for id_, (span, _) in spans.items()}, self.source)
        mentions = {id_: StandoffMention(parts, line=line) for id_, parts in places.items()}
        relations = [relation for item in result for relation in _label_studio_relations(item, mentions)]
        links = self.links_between(relations, line)
        name = _name(data, "doc_key", number) if "doc_key" in data.fields() else _name(document, "id", number)
        yield StandoffDocument(name, mentions, text, links=links, line=line)

    def _result(self, task: View, line: int) -> list[View]:
        """Spans and relations of the annotation that counts."""
        for field in ("annotations", "predictions"):
            chosen = [each for each in _optional(task, field) if not each.fields().get("was_cancelled")]
            if len(chosen) > 1:
                message = f"a task has {len(chosen)} {field}: the first one is read (and the same of other tasks)"
                self.warnings.add("several-annotations", self.source.name, line, message)
            if chosen:
                return chosen[0].field("result").items()
        return []


def _label_studio_span(value: View, line: int) -> tuple[TextSpan, bool]:
    """A span, and whether it counts characters of the text of HTML."""
    spelling = value.fields().get("text")
    spelling = spelling if isinstance(spelling, str) else None
    in_html = "startOffset" in value.fields()
    if in_html and "globalOffsets" not in value.fields():
        value.refuse(" counts characters within elements of HTML and has no globalOffsets: use a task of plain text")
    offsets = value.field("globalOffsets") if in_html else value
    return TextSpan([(offsets.field("start").number(), offsets.field("end").number())], spelling, line), in_html


def _label_studio_relations(item: View, mentions: dict[str, StandoffMention]) -> list[Relation]:
    """A relation, once for each of its labels."""
    if item.fields().get("type") != "relation":
        return []
    one, other = (_known_id(item.field(end), mentions) for end in ("from_id", "to_id"))
    return [(name, one, other) for name in map(_text, _optional(item, "labels"))] or [("", one, other)]


def _task_text(data: View) -> str:
    """The text of a task: ``text``, or the only string that it has."""
    strings = [name for name, value in data.fields().items() if isinstance(value, str)]
    if "text" not in strings and len(strings) != 1:
        data.refuse(" has no text")
    return _text(data.field("text" if "text" in strings else strings[0]))


class _HtmlText(HTMLParser):
    """The text of HTML without its tags."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[str] = []

    def handle_data(self, data: str) -> None:
        """Add a piece of text."""
        self.pieces.append(data)


def _html_text(html: str) -> str:
    parser = _HtmlText()
    parser.feed(html)
    parser.close()
    return "".join(parser.pieces)


class DoccanoReader(JsonStandoffReader):
    """Documents of doccano's JSONL with relations."""

    expected = (
        '{"text": …, "entities": [{"id": …, "start_offset": …, "end_offset": …}, …],'
        ' "relations": [{"from_id": …, "to_id": …, "type": …}, …]}'
    )

    def read_documents(self, document: View, number: int, line: int) -> Iterator[StandoffDocument]:
        """One document."""
        if "entities" not in document.fields() and not {"label", "labels"}.isdisjoint(document.fields()):
            hint = "use a project with relations (sequence labelling) and export JSONL with entities and relations"
            self.source.refuse("this is doccano's JSONL with labels of spans only, without relations", hint, line)
        text = _text(document.field("text"))
        mentions: dict[str, StandoffMention] = {}
        for item in document.field("entities").items():
            start, end = (item.field(field).number() for field in ("start_offset", "end_offset"))
            span = item.span(start, end, len(text), "character")
            _add(mentions, _id(item.field("id")), StandoffMention([span], line=line), item)
        relations = []
        for item in document.field("relations").items():
            one, other = (_known_id(item.field(end), mentions) for end in ("from_id", "to_id"))
            relations.append((_text(item.field("type")), one, other))
        links = self.links_between(relations, line)
        yield StandoffDocument(_name(document, "id", number), mentions, text, links=links, line=line)


class ProdigyReader(JsonStandoffReader):
    """Examples of Prodigy's ``coref.manual`` and ``rel.manual``: spans of tokens, and relations between them.

    Only examples that were accepted count. Blank tokens are no words. Without tokens, spans count characters.
    """

    expected = '{"tokens": [{"text": …}, …], "spans": [{"token_start": …, "token_end": …}, …], "relations": […]}'

    def read_documents(self, document: View, number: int, line: int) -> Iterator[StandoffDocument]:
        """One example, unless it was rejected or ignored."""
        answer = document.fields().get("answer", "accept")
        if answer != "accept":
            message = f"an example is left out: its answer is {answer!r:.60}"
            self.warnings.add("not-accepted", self.source.name, line, message)
            return
        units = _ProdigyTokens(document) if "tokens" in document.fields() else _ProdigyText(document)
        mentions: dict[str, StandoffMention] = {}

        def mention_id(span: View) -> str:
            start, end = units.span(span)
            mentions[f"{start}-{end}"] = StandoffMention([(start, end)], line=line)
            return f"{start}-{end}"

        for span in _optional(document, "spans"):
            mention_id(span)
        relations = []
        for item in _optional(document, "relations"):
            one, other = (mention_id(item.field(end)) for end in ("head_span", "child_span"))
            name = _text(item.field("label")) if item.fields().get("label") is not None else ""
            relations.append((name, one, other))
        links = self.links_between(relations, line)
        name = _name(document, "id", number)
        yield StandoffDocument(name, mentions, units.text, units.sentences, links, line=line)


class _ProdigyTokens:
    """Tokens of an example, which spans count by number or, without, by their characters."""

    text = None

    def __init__(self, document: View) -> None:
        self._tokens = document.field("tokens").items()
        words = [_text(token.field("text")) for token in self._tokens]
        self._places = list(accumulate([bool(word.strip()) for word in words], initial=0))
        self._starts: dict[int, int] = {}
        self._ends: dict[int, int] = {}
        self.sentences = [[word for word in words if word.strip()]]

    def span(self, span: View) -> tuple[int, int]:
        """First word, and the one behind the last."""
        if "token_start" in span.fields():
            start, end = span.field("token_start").number(), span.field("token_end").number() + 1
        else:
            start, end = self._by_characters(span)
        span.span(start, end, len(self._tokens))
        if self._places[start] == self._places[end]:
            span.refuse(" has blank tokens only")
        return self._places[start], self._places[end]

    def _by_characters(self, span: View) -> tuple[int, int]:
        if not self._starts:
            for number, token in enumerate(self._tokens):
                self._starts[token.field("start").number()] = number
                self._ends[token.field("end").number()] = number + 1
        start, end = span.field("start").number(), span.field("end").number()
        if start not in self._starts or end not in self._ends:
            span.refuse(f" has characters {start} to {end}, which do not begin and end with tokens")
        return self._starts[start], self._ends[end]


class _ProdigyText:
    """The text of an example without tokens."""

    sentences = ()

    def __init__(self, document: View) -> None:
        self.text = _text(document.field("text"))

    def span(self, span: View) -> tuple[int, int]:
        """First character, and the one behind the last."""
        start, end = span.field("start").number(), span.field("end").number()
        return span.span(start, end, len(self.text), "character")


class CoreNLPReader(JsonStandoffReader):
    """JSON that CoreNLP writes with ``-outputFormat json`` and the annotator ``coref``."""

    has_heads = True
    expected = (
        '{"sentences": [{"tokens": [{"word": …}, …]}, …], "corefs": {ID: [{"sentNum": …, "startIndex": …}, …]}}'
    )

    def read_documents(self, document: View, number: int, line: int) -> Iterator[StandoffDocument]:
        """One document."""
        if "corefs" not in document.fields():
            hint = "run CoreNLP with the annotator coref: -annotators …,coref -outputFormat json"
            self.source.refuse("this is CoreNLP's JSON without corefs", hint, line)
        sentences = [
            [_corenlp_word(token) for token in sentence.field("tokens").items()]
            for sentence in document.field("sentences").items()
        ]
        chains = document.field("corefs")
        mentions: dict[str, StandoffMention] = {}
        for name, spans in zip(chains.fields(), from_corenlp(document.value), strict=True):
            for (start, end), mention in zip(spans, chains.field(name).items(), strict=True):
                head = mention.field("headIndex").number() - mention.field("startIndex").number()
                if not 0 <= head < end - start:
                    mention.refuse(" has its headIndex outside of the mention")
                mentions[f"{name}:{len(mentions)}"] = StandoffMention([(start, end)], name, start + head, line)
        yield StandoffDocument(_name(document, "docId", number), mentions, sentences=sentences, line=line)


def _corenlp_word(token: View) -> str:
    """A word as the text has it: ``word`` has -LRB- for a bracket."""
    original = token.fields().get("originalText")
    return original if isinstance(original, str) and original else _text(token.field("word"))


class SpacyReader(JsonStandoffReader):
    """``Doc.to_json()`` of spaCy: clusters are groups of spans called ``coref_clusters_1``, ``coref_clusters_2`` …

    The coreference component of fastcoref for spaCy has its clusters in ``_`` instead, as pairs of characters.
    """

    expected = (
        '{"text": …, "tokens": [{"start": …, "end": …}, …], "spans": {"coref_clusters_1": [{"start": …}, …], …}}'
    )

    def read_documents(self, document: View, number: int, line: int) -> Iterator[StandoffDocument]:
        """One ``Doc``, with its tokens as words."""
        text = _text(document.field("text"))
        bounds = [
            token.span(token.field("start").number(), token.field("end").number(), len(text), "character")
            for token in document.field("tokens").items()
        ]
        words = [text[start:end] for start, end in bounds]
        before = list(accumulate([bool(word.strip()) for word in words], initial=0))
        starts = {start: place for (start, _), place in zip(bounds, before, strict=False)}
        ends = {end: place for (_, end), place in zip(bounds, before[1:], strict=True)}
        mentions: dict[str, StandoffMention] = {}
        for name, cluster in self._clusters(document, line).items():
            for view, start, end in cluster:
                if start not in starts or end not in ends:
                    view.refuse(f" has characters {start} to {end}, which do not begin and end with tokens")
                if starts[start] >= ends[end]:
                    view.refuse(" is empty")
                span = starts[start], ends[end]
                mentions[f"{name}:{len(mentions)}"] = StandoffMention([span], name, line=line)
        sentences = [[word for word in words if word.strip()]]
        yield StandoffDocument(f"#{number}", mentions, sentences=sentences, line=line)

    def _clusters(self, document: View, line: int) -> dict[str, list[tuple[View, int, int]]]:
        """The clusters, each with its mentions and their first character and the one behind the last."""
        groups = document.field("spans").fields() if document.fields().get("spans") is not None else {}
        names = [name for name in groups if SPACY_CLUSTER.fullmatch(name)]
        if names or "_" not in document.fields():
            clusters = {
                name: [
                    (span, span.field("start").number(), span.field("end").number())
                    for span in document.field("spans").field(name).items()
                ]
                for name in names
            }
        else:
            of_fastcoref = document.field("_").field("coref_clusters").items()
            clusters = {
                f"{index}": [
                    (span, start, end) for span in cluster.items() for start, end in [span.numbers("start, end")]
                ]
                for index, cluster in enumerate(of_fastcoref)
            }
        if groups and not clusters:
            hint = "give each entity a group of spans, named coref_clusters_1, coref_clusters_2 and so on"
            found = ", ".join(map(repr, list(groups)[:3]))
            self.source.refuse(f"a spaCy Doc without clusters: its groups of spans are {found:.100}", hint, line)
        return clusters


class XCoReReader(JsonStandoffReader):
    """Output of xCoRe for several documents: clusters of [document, first, last], shared by the documents.

    The tokens of a document are a list of words, as xCoRe documents it, or of lists of words, as xCoRe 0.1 writes it.
    """

    expected = '{"tokens": [[…], …], "clusters_token_offsets": [[[document, first, last], …], …]}'

    def read_documents(self, document: View, number: int, line: int) -> Iterator[StandoffDocument]:
        """All documents of one object."""
        words = [list(_words(tokens)) for tokens in document.field("tokens").items()]
        names = [f"#{number + index}" for index in range(len(words))]
        if document.fields().get("doc_ids") is not None:
            names = list(map(_id, document.field("doc_ids").items()))
            if len(names) != len(words):
                document.field("doc_ids").refuse(f" has {len(names)} ids, but there are {len(words)} documents")
        mentions: list[dict[str, StandoffMention]] = [{} for _ in words]
        for cluster, members in enumerate(document.field("clusters_token_offsets").items()):
            for mention in members.items():
                index, first, last = mention.numbers("document, first, last")
                if not 0 <= index < len(words):
                    mention.refuse(f" is in document {index}, but there are {len(words)}, counted from 0")
                span = mention.span(first, last + 1, len(words[index]))
                own, entity = mentions[index], f"c{number}.{cluster}"
                own[f"{cluster}:{len(own)}"] = StandoffMention([span], entity, line=line)
        for name, tokens, of_document in zip(names, words, mentions, strict=True):
            yield StandoffDocument(name, of_document, sentences=[tokens], line=line, local_ids=len(words) == 1)


def _words(tokens: View) -> Iterator[str]:
    """The words of a document, which may be in sentences."""
    for item in tokens.items():
        if isinstance(item.value, list):
            yield from map(_text, item.items())
        else:
            yield _text(item)
