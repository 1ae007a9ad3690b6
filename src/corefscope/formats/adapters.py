"""Clusters from the output of coreference frameworks, for :func:`corefscope.score_clusters` and ``Scorer.add``.

No framework is imported: an adapter inspects the shape of its argument, and raises :class:`~corefscope.InputError`
with the expected shape if it has another one.

**One convention for all.** A mention is ``(start, end)``: 0-based, counted through the whole document, ``end`` *not*
included, so ``tokens[start:end]`` are its words. Offsets that include the last word, count per sentence or count from
1 are converted. So a key from one framework can be scored against a response from another, as long as both
saw the same tokens. Character offsets are never mixed in silently (see :func:`from_fastcoref`).

>>> from corefscope import score_clusters
>>> key = from_coref_data({"sentences": [{"tokens": ["Ada", "knew"]}, {"tokens": ["her", "machine"]}],
...                        "coref_chains": [[[0, 0, 0], [1, 0, 0]]]})
>>> response = from_allennlp({"document": ["Ada", "knew", "her", "machine"], "clusters": [[[0, 0], [2, 2]]]})
>>> key == response, score_clusters(key, response, metrics="conll")["conll"].f1
(True, 1.0)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate, islice
from operator import index
from reprlib import repr as brief
from typing import Any, NamedTuple, NoReturn, TypeVar

from ..core.errors import InputError

Span = tuple[int, int]
"""``(start, end)``: 0-based in the whole document, the end not included."""

T = TypeVar("T")


class View(NamedTuple):
    """A part of a framework's object: its value, the expression that reaches it, and the expected shape of the whole.

    >>> View({"cluster": []}, "output", "{'clusters': […]}").field("clusters")
    Traceback (most recent call last):
    corefscope.core.errors.InputError: output has no 'clusters', only 'cluster'
      hint: expected {'clusters': […]}
    """

    value: Any
    name: str
    expected: str

    def refuse(self, problem: str) -> NoReturn:
        """Raise the error about this part, with the expected shape."""
        raise InputError(f"{self.name}{problem}", hint=f"expected {self.expected}")

    def fields(self) -> Mapping[Any, Any]:
        """The dictionary that this is."""
        if not isinstance(self.value, Mapping):
            self.refuse(f" is {brief(self.value)}, not a dictionary")
        return self.value

    def field(self, key: str) -> View:
        """The value of a dictionary."""
        fields = self.fields()
        if key not in fields:
            others = ", ".join(map(brief, islice(fields, 8)))
            self.refuse(f" has no {key!r}, only {others}" if others else " is empty")
        return self._replace(value=fields[key], name=f"{self.name}[{key!r}]")

    def attribute(self, name: str) -> View:
        """The value of an attribute."""
        try:
            return self._replace(value=getattr(self.value, name), name=f"{self.name}.{name}")
        except AttributeError:
            self.refuse(f", which is {brief(self.value)}, has no attribute {name!r}")

    def elements(self) -> list[Any]:
        """The items of a list, tuple, array or the like."""
        try:
            if not isinstance(self.value, str | bytes | Mapping):
                return list(self.value)
        except TypeError:
            pass
        self.refuse(f" is {brief(self.value)}, not a list")

    def items(self) -> list[View]:
        """The items, each as a part."""
        return [self._replace(value=item, name=f"{self.name}[{i}]") for i, item in enumerate(self.elements())]

    def number(self) -> int:
        """A whole number, of Python or of an array library."""
        try:
            return index(self.value)
        except TypeError:
            self.refuse(f" is {brief(self.value)}, not a whole number")

    def numbers(self, names: str) -> list[int]:
        """As many whole numbers as there are names."""
        items = self.items()
        if len(items) != len(names.split(", ")):
            self.refuse(f" is {brief(self.value)}, not ({names})")
        return [item.number() for item in items]

    def span(self, start: int, end: int, length: int, unit: str = "token", within: str = "") -> Span:
        """The span of this mention, end exclusive; refuse one that is empty or outside of ``length`` tokens."""
        if not 0 <= start < end <= length:
            problem = "which holds nothing" if start >= end else f"but there are {length} {unit}s"
            self.refuse(f"{within} is {unit}s[{start}:{end}], {problem}")
        return start, end


def read_clusters(clusters: Iterable[View], read: Callable[[View], T]) -> list[list[T]]:
    """Clusters of mentions, each mention read by a function."""
    read_so_far = []
    for cluster in clusters:
        mentions = cluster.items()
        if not mentions:
            cluster.refuse(" is empty")
        read_so_far.append([read(mention) for mention in mentions])
    return read_so_far


def read_spans(clusters: View, length: int, unit: str = "token", *, inclusive: bool = False) -> list[list[Span]]:
    """Clusters of ``(start, end)``; ``inclusive`` says that the end is part of the mention."""

    def read(mention: View) -> Span:
        start, end = mention.numbers("start, end")
        return mention.span(start, end + inclusive, length, unit)

    return read_clusters(clusters.items(), read)


class Sentences:
    """The sentences of a document: the token at which each begins, and its length."""

    def __init__(self, tokens: Iterable[View]) -> None:
        self._lengths = [len(view.elements()) for view in tokens]
        self._starts = list(accumulate(self._lengths, initial=0))

    def sentence(self, mention: View, number: int) -> Span:
        """The first token of a sentence, counted from 0, and how many it has."""
        if not 0 <= number < len(self._lengths):
            mention.refuse(f" is in sentence {number + 1} of {len(self._lengths)}")
        return self._starts[number], self._lengths[number]

    def span(self, mention: View, number: int, start: int, end: int) -> Span:
        """A mention that counts the tokens of its sentence, as a span of the document."""
        first, length = self.sentence(mention, number)
        mention.span(start, end, length, within=f", in sentence {number + 1},")
        return first + start, first + end


EXPECTED = "tokens as strings in the order of the text, or as (start, end) character offsets, end not included"


def characters_to_tokens(
    clusters: Iterable[Iterable[Span]], tokens: Sequence[str] | Sequence[Span], text: str | None = None
) -> list[list[Span]]:
    """Clusters of character offsets as clusters of token spans; both leave out their end.

    A mention that does not begin and end where tokens do is an error: it could be scored only by guessing.

    >>> characters_to_tokens([[(0, 12), (17, 24)]], ["Ada", "Lovelace", "saw", "herself"], "Ada Lovelace saw herself")
    [[(0, 2), (3, 4)]]
    >>> characters_to_tokens([[(0, 12), (20, 24)]], [(0, 3), (4, 12), (13, 16), (17, 24)])
    Traceback (most recent call last):
    corefscope.core.errors.InputError: clusters[0][1]: characters 20 to 24 do not begin where a token begins
      hint: let the system read the tokens of the key, or give as tokens= those that the system made

    Parameters
    ----------
    clusters
        Lists of (start, end).
    tokens
        Strings, which are looked up in ``text`` one after the other with nothing but blanks between them; or the
        (start, end) of each.
    text
        What the characters are counted in; needed for tokens that are strings.
    """
    offsets = _offsets(View(tokens, "tokens", EXPECTED), text)
    begins = {start: index for index, (start, _) in enumerate(offsets)}
    ends = {end: index + 1 for index, (_, end) in enumerate(offsets)}

    def read(mention: View) -> Span:
        start, end = mention.numbers("start, end")
        for offset, boundaries, verb in ((start, begins, "begin"), (end, ends, "end")):
            if offset not in boundaries:
                quoted = f" ({text[start:end]!r})" if text and 0 <= start < end else ""
                raise InputError(
                    f"{mention.name}: characters {start} to {end}{quoted} do not {verb} where a token {verb}s",
                    hint="let the system read the tokens of the key, or give as tokens= those that the system made",
                )
        return mention.span(begins[start], ends[end], len(offsets))

    return read_clusters(View(clusters, "clusters", EXPECTED).items(), read)


def _offsets(tokens: View, text: str | None) -> list[Span]:
    """The character offsets of each token."""
    offsets: list[Span] = []
    end_before = 0
    for view in tokens.items():
        token = view.value
        if isinstance(token, str):
            if text is None:
                raise InputError("tokens that are strings need the text that contains them", hint="give text=")
            start = text.find(token, end_before)
            if not token or start < 0 or text[end_before:start].strip():
                rest = text[end_before : end_before + 20]
                message = f"{view.name}, {token!r}, is not what comes next in the text, {rest!r}"
                raise InputError(message, hint="give the offsets of the tokens instead, tokens=[(start, end), …]")
            end = start + len(token)
        else:
            start, end = view.numbers("start, end")
            if not end_before <= start < end:
                view.refuse(f", {(start, end)}, is empty or begins before the token before it ends")
        offsets.append((start, end))
        end_before = end
    return offsets


def from_allennlp(output: object) -> list[list[Span]]:
    """The clusters of ``predictor.predict(document=text)``, or of ``predict_tokenized(words)``.

    AllenNLP counts tokens through the document and *includes* the last one: its predictor replaces mentions with
    ``document[start : end + 1]`` (allennlp-models, ``coref/predictors/coref.py``). Keys in the jsonlines format of
    most neural systems count alike: give their words as ``document``.

    >>> from_allennlp({"document": ["Ada", "Lovelace", "saw", "herself"], "clusters": [[[0, 1], [3, 3]]]})
    [[(0, 2), (3, 4)]]
    """
    expected = "{'document': [words], 'clusters': [[[start, end], …], …]}, as CorefPredictor.predict returns it"
    whole = View(output, "output", expected)
    return read_spans(whole.field("clusters"), len(whole.field("document").elements()), inclusive=True)


def from_maverick(output: object) -> list[list[Span]]:
    """The clusters of ``model.predict(…)``, from its ``clusters_token_offsets``.

    Maverick counts tokens through the document and *includes* the last one: it joins
    ``tokens[start : end + 1]`` itself (maverick-coref, ``models/maverick_model.py``). Its ``clusters_char_offsets``,
    there for plain text only, include the last character and are not used.

    >>> from_maverick({"tokens": ["Ada", "Lovelace", "saw", "herself"],
    ...                "clusters_token_offsets": [((0, 1), (3, 3))], "clusters_char_offsets": None})
    [[(0, 2), (3, 4)]]
    """
    shape = "{'tokens': [words], 'clusters_token_offsets': [((start, end), …), …], …}, what Maverick.predict returns"
    whole = View(output, "output", shape)
    return read_spans(whole.field("clusters_token_offsets"), len(whole.field("tokens").elements()), inclusive=True)


def from_fastcoref(
    prediction: object, *, tokens: Sequence[str] | Sequence[Span] | None = None, characters: bool = False
) -> list[list[Span]]:
    """The clusters of one prediction; of ``predict(texts=[…])`` take the items one by one.

    fastcoref given **tokens** (``is_split_into_words=True``) counts tokens, the end not included, as everywhere here.
    Given **text**, it counts *characters* (fastcoref, ``utilities/util.py``), which no key of tokens agrees with.
    Then say which of the two is wanted.

    Parameters
    ----------
    prediction
        A ``CorefResult``, or a line that ``predict(…, output_file=…)`` wrote, after ``json.loads``.
    tokens
        The tokens of the key, as strings in the order of the text or as (start, end) character offsets: mentions
        become spans of tokens, as :func:`characters_to_tokens` does it.
    characters
        Leave characters as they are, to be scored against character offsets.
    """
    whole = View(
        prediction,
        "prediction",
        "a CorefResult with text and get_clusters(as_strings=False), as FCoref.predict returns them,"
        " or a line of its output_file: {'text': …, 'clusters': [[[start, end], …], …]}",
    )
    if isinstance(prediction, Mapping):
        text, clusters = whole.field("text"), whole.field("clusters")
    else:
        text, clusters = whole.attribute("text"), _clusters_of(whole)
    if not isinstance(text.value, str):
        if characters:
            whole.refuse(" was made from tokens: it has no character offsets")
        return read_spans(clusters, len(text.elements()))
    spans = read_spans(clusters, len(text.value), "character")
    if tokens is not None:
        return characters_to_tokens(spans, tokens, text.value)
    if not characters:
        raise InputError(
            "the prediction was made from text, so its spans are character offsets, which no tokens agree with",
            hint="give the tokens of the key, tokens=[…], or score characters against characters, characters=True",
        )
    return spans


def _clusters_of(prediction: View) -> View:
    """The clusters without mentions of special tokens: fastcoref has None for them, and drops them from strings."""
    get_clusters = prediction.attribute("get_clusters")
    try:
        clusters = [
            [span for span in cluster if span is not None] for cluster in get_clusters.value(as_strings=False)
        ]
        return get_clusters._replace(value=[cluster for cluster in clusters if cluster], name="clusters")
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        get_clusters.refuse(f"(as_strings=False) fails: {error}")


def from_spacy(
    doc: object, prefix: str = "coref_clusters", *, heads: bool = False, empty: bool = False
) -> list[list[Span]]:
    """The clusters of a ``Doc``: its span groups ``coref_clusters_1``, ``coref_clusters_2``, … in this order.

    Spans count tokens through the document and end before ``span.end``, as everywhere here. A group belongs if its
    name is the prefix, ``_`` and a number (spacy-experimental, ``coref/coref_util.py``): the default is what the span
    resolver writes, ``"coref_head_clusters"`` what it reads, one token per mention. spaCy counts runs of blanks as
    tokens of their own; make the ``Doc`` from the words of the other side where that matters.

    Parameters
    ----------
    doc
        The ``Doc``.
    prefix
        What the names of the groups begin with.
    heads
        Take of each span its syntactic root alone (``span.root``, which needs a parser), to score spans against head
        clusters.
    empty
        Whether a ``Doc`` without any such group has no clusters. Nothing tells it from one that no model for
        coreference has seen, so it is an error unless this is true.
    """
    whole = View(
        doc,
        "doc",
        "a spaCy Doc with a span group for each cluster, doc.spans['coref_clusters_1'] and so on;"
        " other names need prefix= (head clusters: prefix='coref_head_clusters')",
    )
    groups: dict[int, View] = {}
    others, seen = [], []
    spans = whole.attribute("spans")
    names = spans.attribute("keys")
    for name in names._replace(value=names.value()).elements():
        seen.append(str(name))
        numbered = re.fullmatch(r"(.*)_(\d+)", str(name), flags=re.DOTALL)
        if numbered and numbered[1] == prefix:
            groups[int(numbered[2])] = spans._replace(value=spans.value[name], name=f"doc.spans[{name!r}]")
        elif numbered and "coref" in numbered[1]:
            others.append(str(name))
    if not groups and (others or not empty):
        instead = f", but {', '.join(map(repr, (others or seen)[:3]))}" if seen else ""
        spans.refuse(f" has no group {prefix}_1{instead}{'' if others else '; empty=True allows it'}")
    length = len(whole.elements())

    def read(span: View) -> Span:
        if heads:
            root = span.attribute("root").attribute("i").number()
            return span.span(root, root + 1, length)
        return span.span(span.attribute("start").number(), span.attribute("end").number(), length)

    clusters = read_clusters([groups[number] for number in sorted(groups)], read)
    return [list(dict.fromkeys(cluster)) for cluster in clusters] if heads else clusters


def from_stanza(document: object) -> list[list[tuple[int, ...]]]:
    """The chains of ``stanza.Pipeline(…, processors="tokenize,coref")(text)``.

    ``mention.sentence`` and ``start_word`` count from 0 and ``end_word`` is not included; the two count the *words*
    of the sentence, so the parts of a multiword token count one by one (stanza, ``models/coref/coref_chain.py``).

    A zero, which stanza gives as a pair (number of words before it, number of the empty node), becomes
    ``(position, position, number)``: an empty span before the word at ``position``, with the number of the empty node
    in its sentence.

    >>> from types import SimpleNamespace as Fake
    >>> mention = Fake(sentence=1, start_word=0, end_word=2)
    >>> from_stanza(Fake(sentences=[Fake(words=["Hello"]), Fake(words=["Ada", "Lovelace"])],
    ...                  coref=[Fake(mentions=[mention])]))
    [[(1, 3)]]
    """
    whole = View(
        document,
        "document",
        "a stanza Document from a pipeline with the coref processor: document.coref is a list of chains,"
        " chain.mentions a list of mentions with sentence, start_word and end_word",
    )
    words = [sentence.attribute("words") for sentence in whole.attribute("sentences").items()]
    sentences = Sentences(words)
    chains = whole.attribute("coref").items()
    every_word = [word for of_sentence in words for word in of_sentence.elements()]
    # The coref processor gives every word a list, an empty one if need be.
    if not chains and every_word and all(getattr(word, "coref_chains", None) is None for word in every_word):
        whole.refuse(" has no chains in coref, and its words have no coref_chains: no coref processor has run")

    def read(mention: View) -> tuple[int, ...]:
        number = mention.attribute("sentence").number()
        start, end = mention.attribute("start_word"), mention.attribute("end_word")
        if not isinstance(start.value, tuple):
            return sentences.span(mention, number, start.number(), end.number())
        before, empty_node = start.numbers("words before, number of the empty node")
        first, length = sentences.sentence(mention, number)
        if not 0 <= before <= length:
            mention.refuse(f" is a zero after {before} words of a sentence of {length}")
        return first + before, first + before, empty_node

    return read_clusters([chain.attribute("mentions") for chain in chains], read)


def from_corenlp(annotation: object) -> list[list[Span]]:
    """The chains of a document that CoreNLP wrote with ``-outputFormat json``, after ``json.loads``.

    ``sentNum`` and ``startIndex`` count from 1, and ``endIndex`` is one past the last word, both within the sentence
    (CoreNLP, ``coref/data/CorefChain.java``). Where sentences begin is told by the number of their ``tokens``.

    >>> from_corenlp({"sentences": [{"tokens": [{"word": "Ada"}, {"word": "left"}]}, {"tokens": [{"word": "She"}]}],
    ...               "corefs": {"4": [{"sentNum": 1, "startIndex": 1, "endIndex": 2},
    ...                                {"sentNum": 2, "startIndex": 1, "endIndex": 2}]}})
    [[(0, 1), (2, 3)]]
    """
    whole = View(
        annotation,
        "annotation",
        "{'sentences': [{'tokens': […], …}, …],"
        " 'corefs': {'1': [{'sentNum': 1, 'startIndex': 1, 'endIndex': 3, …}, …], …}},"
        " CoreNLP's JSON output after json.loads, from a pipeline with the coref annotator",
    )
    sentences = Sentences(sentence.field("tokens") for sentence in whole.field("sentences").items())

    def read(mention: View) -> Span:
        number, start, end = (mention.field(key).number() - 1 for key in ("sentNum", "startIndex", "endIndex"))
        return sentences.span(mention, number, start, end)

    chains = whole.field("corefs")
    return read_clusters([chains.field(name) for name in chains.fields()], read)


def from_coref_data(example: object) -> list[list[Span]]:
    """The chains of an example of ``datasets.load_dataset("coref-data/…_indiscrim")``.

    A mention there is ``[sentence, start, end]``: all 0-based, the last token *included* (``format_mention`` in
    ianporada/coref-data, ``preprocessing/indiscrim_conversion/preco.py``), ``start`` and ``end`` counting the items
    of the sentence's ``tokens``. In ``corefud_indiscrim`` those hold empty nodes too, so what is scored against it
    must count them as well; of a discontinuous mention that dataset keeps one part only.

    >>> from_coref_data({"sentences": [{"tokens": ["Ada", "left"]}, {"tokens": ["She", "did"]}],
    ...                  "coref_chains": [[[0, 0, 0], [1, 0, 0]]]})
    [[(0, 1), (2, 3)]]
    """
    whole = View(
        example,
        "example",
        "{'sentences': [{'tokens': […], …}, …], 'coref_chains': [[[sentence, start, end], …], …]},"
        " an example of a coref-data/…_indiscrim dataset",
    )
    sentences = Sentences(sentence.field("tokens") for sentence in whole.field("sentences").items())

    def read(mention: View) -> Span:
        number, start, end = mention.numbers("sentence, start, end")
        return sentences.span(mention, number, start, end + 1)

    return read_clusters(whole.field("coref_chains").items(), read)
