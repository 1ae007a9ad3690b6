"""Adapters of AllenNLP, Maverick, fastcoref, spaCy, Stanza, CoreNLP and the coref-data datasets."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ...core.errors import InputError
from .shapes import Sentences, Span, View, characters_to_tokens, read_clusters, read_spans


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
