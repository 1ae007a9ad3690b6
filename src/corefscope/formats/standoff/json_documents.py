"""Stand-off annotation in JSON: Label Studio, doccano, Prodigy, CoreNLP and xCoRe.

A file is one JSON array of documents, one document, or one document a line.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import ClassVar

from ...core.errors import InputError
from ..adapters.frameworks import from_corenlp
from ..adapters.shapes import View
from ..jsonl.json_text import JsonError, iter_documents, line_at
from .model import StandoffDocument, StandoffMention, StandoffReader
from .offsets import TextSpan, place_spans


class JsonStandoffReader(StandoffReader):
    """Reader of documents that are JSON objects; a subclass reads one of them."""

    expected: ClassVar[str]
    """Shape of a document, for errors."""

    def parse(self) -> Iterator[StandoffDocument]:
        """The documents of the file, in order."""
        text = self.text
        line, before = 1, 0
        try:
            for number, value in enumerate(iter_documents(text), 1):
                line += text.count("\n", before, value.start)
                before = value.start
                try:
                    yield from self.read_documents(View(value.value, "document", self.expected), number, line)
                except InputError as error:
                    raise error if error.path else error.located(self.source.name, line) from None
        except JsonError as fault:
            self.source.refuse(fault.message, f"expected {self.expected}", line_at(text, fault.offset))

    def read_documents(self, document: View, number: int, line: int) -> Iterator[StandoffDocument]:
        """The documents of one JSON object, which has this number in the file."""
        raise NotImplementedError

    def links_between(self, relations: list[tuple[str, str, str]], ids: Mapping[str, object], line: int) -> Links:
        """Relations (name, id, id) that are identity; those without a name are."""
        self.check_relations([name for name, _, _ in relations], line)
        links = [(one, other) for name, one, other in relations if not name or self.is_identity(name)]
        for id_ in chain.from_iterable(links):
            if id_ not in ids:
                self.source.refuse(
                    f"a relation names {id_!r}, which is no mention", "export relations with spans", line
                )
        return links


Links = list[tuple[str, str]]


def _text(view: View) -> str:
    if not isinstance(view.value, str):
        view.refuse(" is not a string")
    return view.value


def _name(view: View, field: str, number: int) -> str:
    """The name of a document; documents without one are numbered."""
    name = view.fields().get(field)
    return str(name) if isinstance(name, str | int) and name != "" else f"#{number}"


class LabelStudioReader(JsonStandoffReader):
    """Tasks of Label Studio's JSON export: spans are mentions, relations between them identity.

    The first annotation that was not cancelled is read; of tasks without annotation, the first prediction.
    """

    expected = '{"data": {"text": …}, "annotations": [{"result": [{"id": …, "value": {"start": …, "end": …}}, …]}]}'

    def read_documents(self, document: View, number: int, line: int) -> Iterator[StandoffDocument]:
        """One task."""
        if "annotations" not in document.fields() and "predictions" not in document.fields():
            hint = "JSON-MIN has no relations: export as JSON"
            self.source.refuse("a task of Label Studio has no annotations", hint, line)
        text = self._task_text(document.field("data"))
        relations: list[tuple[str, str, str]] = []
        spans: dict[str, TextSpan] = {}
        for item in self._result(document, line):
            if item.fields().get("type") == "relation":
                ends = [str(item.field(end).value) for end in ("from_id", "to_id")]
                labels = item.fields().get("labels")
                names = [str(label) for label in labels] if isinstance(labels, list) else []
                relations += [(name, ends[0], ends[1]) for name in names or [""]]
            elif "start" in item.field("value").fields():
                value = item.field("value")
                value = value.field("globalOffsets") if "globalOffsets" in value.fields() else value
                spelling = item.field("value").fields().get("text")
                offsets = [(value.field("start").number(), value.field("end").number())]
                spelling = spelling if isinstance(spelling, str) else None
                spans[str(item.field("id").value)] = TextSpan(offsets, spelling, line)
        text, places = place_spans(text, spans, self.source)
        mentions = {id_: StandoffMention(parts, line=line) for id_, parts in places.items()}
        links = self.links_between(relations, mentions, line)
        yield StandoffDocument(_name(document, "id", number), mentions, text, links=links, line=line)

    def _result(self, task: View, line: int) -> list[View]:
        """Spans and relations of the annotation that counts."""
        for field in ("annotations", "predictions"):
            found = task.field(field).items() if task.fields().get(field) else []
            chosen = [each for each in found if not each.fields().get("was_cancelled")]
            if len(chosen) > 1:
                message = f"a task has {len(chosen)} {field}: the first one is read (and the same of other tasks)"
                self.warnings.add("several-annotations", self.source.name, line, message)
            if chosen:
                return chosen[0].field("result").items()
        return []

    def _task_text(self, data: View) -> str:
        """The text of a task: ``text``, or the only string that it has."""
        strings = [name for name, value in data.fields().items() if isinstance(value, str)]
        if "text" not in strings and len(strings) != 1:
            data.refuse(" has no text")
        return _text(data.field("text" if "text" in strings else strings[0]))


class DoccanoReader(JsonStandoffReader):
    """Documents of doccano's JSONL with relations."""

    expected = (
        '{"text": …, "entities": [{"id": …, "start_offset": …, "end_offset": …}, …],'
        ' "relations": [{"from_id": …, "to_id": …, "type": …}, …]}'
    )

    def read_documents(self, document: View, number: int, line: int) -> Iterator[StandoffDocument]:
        """One document."""
        mentions = {
            str(item.field("id").value): StandoffMention(
                [(item.field("start_offset").number(), item.field("end_offset").number())], line=line
            )
            for item in document.field("entities").items()
        }
        relations = [
            (str(item.field("type").value), str(item.field("from_id").value), str(item.field("to_id").value))
            for item in document.field("relations").items()
        ]
        links = self.links_between(relations, mentions, line)
        text = _text(document.field("text"))
        yield StandoffDocument(_name(document, "id", number), mentions, text, links=links, line=line)


class ProdigyReader(JsonStandoffReader):
    """Examples of Prodigy's ``coref.manual`` and ``rel.manual``: spans of tokens, and relations between them.

    Only examples that were accepted count.
    """

    expected = '{"tokens": [{"text": …}, …], "spans": [{"token_start": …, "token_end": …}, …], "relations": […]}'

    def read_documents(self, document: View, number: int, line: int) -> Iterator[StandoffDocument]:
        """One example, unless it was rejected or ignored."""
        answer = document.fields().get("answer", "accept")
        if answer != "accept":
            message = f"an example is left out: its answer is {answer!r}"
            self.warnings.add("not-accepted", self.source.name, line, message)
            return
        words = [_text(token.field("text")) for token in document.field("tokens").items()]
        mentions: dict[str, StandoffMention] = {}

        def mention_id(span: View) -> str:
            start, end = span.field("token_start").number(), span.field("token_end").number() + 1
            mentions[f"{start}-{end}"] = StandoffMention([(start, end)], line=line)
            return f"{start}-{end}"

        for span in document.field("spans").items() if document.fields().get("spans") else ():
            mention_id(span)
        relations = []
        for item in document.field("relations").items() if document.fields().get("relations") else ():
            ends = [mention_id(item.field(end)) for end in ("head_span", "child_span")]
            relations.append((str(item.fields().get("label") or ""), ends[0], ends[1]))
        links = self.links_between(relations, mentions, line)
        yield StandoffDocument(_name(document, "id", number), mentions, sentences=[words], links=links, line=line)


class CoreNLPReader(JsonStandoffReader):
    """JSON that CoreNLP writes with ``-outputFormat json`` and the annotator ``coref``."""

    has_heads = True
    expected = (
        '{"sentences": [{"tokens": [{"word": …}, …]}, …], "corefs": {ID: [{"sentNum": …, "startIndex": …}, …]}}'
    )

    def read_documents(self, document: View, number: int, line: int) -> Iterator[StandoffDocument]:
        """One document."""
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
                mentions[f"{name}:{len(mentions)}"] = StandoffMention([(start, end)], str(name), start + head, line)
        yield StandoffDocument(_name(document, "docId", number), mentions, sentences=sentences, line=line)


def _corenlp_word(token: View) -> str:
    """A word as the text has it: ``word`` has -LRB- for a bracket."""
    original = token.fields().get("originalText")
    return original if isinstance(original, str) and original else _text(token.field("word"))


class XCoReReader(JsonStandoffReader):
    """Output of xCoRe for several documents: clusters of [document, first, last], shared by the documents."""

    expected = '{"tokens": [[…], …], "clusters_token_offsets": [[[document, first, last], …], …]}'

    def read_documents(self, document: View, number: int, line: int) -> Iterator[StandoffDocument]:
        """All documents of one object."""
        words = [[_text(word) for word in tokens.items()] for tokens in document.field("tokens").items()]
        names = document.fields().get("doc_ids")
        if not isinstance(names, list) or len(names) != len(words):
            names = [f"#{number + index}" for index in range(len(words))]
        mentions: list[dict[str, StandoffMention]] = [{} for _ in words]
        for cluster, members in enumerate(document.field("clusters_token_offsets").items()):
            for mention in members.items():
                index, first, last = mention.numbers("document, first, last")
                if not 0 <= index < len(words):
                    mention.refuse(f" is in document {index}, but there are {len(words)}, counted from 0")
                start, end = mention.span(first, last + 1, len(words[index]))
                own = mentions[index]
                own[f"{cluster}:{len(own)}"] = StandoffMention([(start, end)], f"c{cluster}", line=line)
        for name, tokens, of_document in zip(names, words, mentions, strict=True):
            yield StandoffDocument(str(name), of_document, sentences=[tokens], line=line, local_ids=len(words) == 1)
