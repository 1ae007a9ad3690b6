"""Mentions over the words of another tokenisation, against the same mentions over the words themselves."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from contextlib import closing
from itertools import accumulate, chain, pairwise
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefscope.core.document import Document, Mention, MentionWithMinimum, Relation, Sentence
from corefscope.core.errors import AlignmentError, InputError, Warnings
from corefscope.core.options import ALIGN
from corefscope.core.positions import MINOR_MASK, SENTENCE_SHIFT, node_name, position
from corefscope.formats.corefud.nodes import zero_dependencies
from corefscope.formats.detection import open_reader
from corefscope.formats.projection import (
    FoldedText,
    Projection,
    ProjectionCounts,
    align_texts,
    divide_letters,
    texts_agree,
)
from corefscope.formats.sentences import NumberedWords
from examples import examples, seeds
from oracles.generate import random_pair, random_ua_pair

Parts = Sequence[tuple[int, int]]
"""First and last word, counted through the document from 0."""


def text(*sentences: str | list[str], counts_characters: bool = False) -> Document:
    """A document without mentions; a sentence as one string has its characters as words if these are counted."""
    words = [
        list(each) if counts_characters else each.split() if isinstance(each, str) else each for each in sentences
    ]
    numbered = [Sentence("", n, n, NumberedWords(forms), []) for n, forms in enumerate(words, 1)]
    return Document("d", (), sentences=tuple(numbered), path="d.x", counts_characters=counts_characters)


def places(document: Document) -> list[int]:
    return [place for sentence in document.sentences for place in sentence.positions]


def with_mentions(document: Document, *entities: Sequence[Parts]) -> Document:
    """The document with entities of mentions; the head is the first word."""
    words = places(document)

    def mention(parts: Parts) -> Mention:
        chosen = sorted({place for first, last in parts for place in words[first : last + 1]})
        return Mention(chosen, chosen[0])

    made = tuple(tuple(map(mention, entity)) for entity in entities)
    return document._replace(entities=made, entity_ids=tuple(f"e{n}" for n, _ in enumerate(made)))


def spoken(document: Document) -> list[list[str]]:
    return [[" ".join(document.words_of(mention)) for mention in entity] for entity in document.entities]


def projected(source: Document, target: Document, mode: str = "expand") -> tuple[Document, ProjectionCounts]:
    projection = Projection(source, target, mode)
    return projection.project(source), projection.counts


# ------------------------------------------------------------------ the same words again

TokenOf = Callable[[int], int]


def needed_cuts(document: Document) -> set[int]:
    """Positions of words that must begin a token so that nothing of a document is lost."""
    cuts: set[int] = set()
    for reading in filter(None, (document, document.official)):
        related = [entity for relation in reading.relations for entity in (relation.anaphor, *relation.targets)]
        for mention in chain.from_iterable((*reading.entities, *related)):
            for first, last in mention.runs:
                cuts |= {first & ~MINOR_MASK, (last & ~MINOR_MASK) + position(0, 1)}
            cuts |= {mention.head & ~MINOR_MASK, *(parent & ~MINOR_MASK for parent, _ in mention.dependencies)}
    for sentence in document.sentences:
        cuts.add(position(sentence.number, 1))
        for node in sentence.nodes if sentence.unusual else ():
            if node & MINOR_MASK:
                cuts.add((node & ~MINOR_MASK) + position(0, 1))
                cuts |= {parent & ~MINOR_MASK for parent, _ in zero_dependencies(sentence, node)}
    return cuts


def retokenised(document: Document, rng: random.Random) -> Document:
    """The document with words split, and glued where nothing begins or ends."""
    cuts, number_of, ends = needed_cuts(document), dict[int, int](), dict[int, int]()
    sentences = []
    for sentence in document.sentences:
        tokens: list[str] = []
        for place, word in zip(sentence.positions, sentence.words, strict=True):
            form = word.partition("\t")[2]
            inside = sorted(rng.sample(range(1, len(form)), rng.randrange(len(form)))) if rng.random() < 0.5 else []
            pieces = [form[start:stop] for start, stop in pairwise([0, *inside, len(form)])]
            if tokens and place not in cuts and rng.random() < 0.7:
                tokens[-1] += pieces.pop(0)
                number_of[place] = position(sentence.number, len(tokens))
            else:
                number_of[place] = position(sentence.number, len(tokens) + 1)
            tokens += pieces
            ends[place] = position(sentence.number, len(tokens))
        ends[position(sentence.number, 0)] = number_of[position(sentence.number, 0)] = position(sentence.number, 0)
        sentences.append((sentence, tokens))

    def moved(place: int) -> int:
        return ends[place & ~MINOR_MASK] | place & MINOR_MASK if place & MINOR_MASK else number_of[place]

    def change(mention: Mention) -> Mention:
        new: list[int] = []
        for first, last in mention.runs:
            if first & MINOR_MASK:
                new += [moved(place) for place in range(first, last + 1, position(0, 1))]
            else:
                new += range(number_of[first], ends[last] + 1, position(0, 1))
        dependencies = tuple((moved(parent), relation) for parent, relation in mention.dependencies)
        return Mention(sorted(new), moved(mention.head), dependencies)

    cut = tuple(_with_tokens(sentence, tokens, moved) for sentence, tokens in sentences)
    return document.both(lambda reading: reading.changed(change)._replace(sentences=cut))


def _with_tokens(sentence: Sentence, tokens: list[str], moved: TokenOf) -> Sentence:
    lines = [f"{number}\t{token}" + "\t_" * 8 for number, token in enumerate(tokens, 1)]
    unusual = []
    for node in sentence.nodes:
        if node & MINOR_MASK:
            columns = sentence.columns(node_name(node))
            found = zero_dependencies(sentence, node)
            deps = "|".join(f"{node_name(moved(parent))}:{relation}" for parent, relation in found)
            name = node_name(moved(node))
            unusual.append(name)
            lines.append("\t".join([name, *columns[1:8], deps or columns[8], columns[9]]))
    words = [f"{number}\t{token}" for number, token in enumerate(tokens, 1)]
    return Sentence(sentence.id, sentence.number, sentence.line, words, unusual, lines)


def _nodes(document: Document) -> list[list[str]]:
    """The columns of all empty nodes."""
    nodes = [node for sentence in document.sentences for node in sentence.nodes if node & MINOR_MASK]
    return [document.columns(node) for node in nodes]


@pytest.mark.parametrize("seed", seeds(60))
def test_what_keeps_its_boundaries_is_the_same_again(seed: int, tmp_path: Path) -> None:
    """Mentions in parts, zeros, heads, relations and the official reading, over a key with other zeros."""
    rng = random.Random(seed)
    pair = random_pair(rng)
    files = []
    for side, content in zip(("key", "response"), pair, strict=True):
        path = tmp_path / f"{side}.conllu"
        path.write_text(content, encoding="utf-8")
        files.append(_read(path))
    for key, response in zip(*files, strict=True):
        if any(mention.repeats for entity in response.entities for mention in entity if mention.broken):
            continue
        new, counts = projected(retokenised(response, rng), key, rng.choice(list(ALIGN)))
        assert new.entities == response.entities
        assert new.entity_ids == response.entity_ids
        assert new.entity_types == response.entity_types
        assert new.relations == response.relations
        assert (new.official and new.official.entities) == (response.official and response.official.entities)
        assert (counts.exact, sum(counts[3:])) == (sum(response.sizes), 0)
        assert [each.words for each in new.sentences] == [list(each.words) for each in key.sentences]
        assert [each.empty for each in new.sentences] == [each.empty for each in response.sentences]
        assert _nodes(new) == _nodes(response)


@pytest.mark.parametrize("seed", seeds(40))
def test_characters_and_back_are_the_same_again(seed: int, tmp_path: Path) -> None:
    """CoNLL-UA: minimal words, bridging, split antecedents and deixis, over characters and then over the key."""
    paths = tmp_path / "key.conllua", tmp_path / "response.conllua"
    for path, side in zip(paths, random_ua_pair(random.Random(seed)), strict=True):
        path.write_text(side.text, encoding="utf-8")
    for key, response in zip(*map(_read, paths), strict=True):
        words = [word.partition("\t")[2] for sentence in response.sentences for word in sentence.words]
        letters = list("".join(words))
        middle = len(letters) // 2
        over_letters, _ = projected(response, text(letters[:middle], letters[middle:]), "strict")
        again, counts = projected(over_letters, key, "strict")
        assert counts == ProjectionCounts("strict", exact=sum(response.sizes))
        layers = [(again, response), (again.deixis_layer, response.deixis_layer)]
        for new, old in layers if not _zeros(response) else ():  # which may come to another word
            assert [list(map(_words_and_minimum, entity)) for entity in new.entities] == [
                list(map(_words_and_minimum, entity)) for entity in old.entities
            ]
            assert _related(new) == _related(old)


def _read(path: Path) -> list[Document]:
    _, reader = open_reader(path, None, Warnings())
    with closing(reader.source):
        return list(reader)


def _zeros(document: Document) -> bool:
    places = [place for entity in document.entities for mention in entity for place in mention.positions]
    return any(place & MINOR_MASK for place in places)


def _words_and_minimum(mention: Mention) -> tuple[tuple[int, ...], ...]:
    return mention.positions, mention.minimum


def _related(document: Document) -> list[tuple[object, ...]]:
    return [
        (
            *(relation.kind, relation.label, relation.ids),
            [[mention.positions for mention in entity] for entity in (relation.anaphor, *relation.targets)],
        )
        for relation in document.relations
    ]


# ------------------------------------------------------------------ an oracle by characters


@st.composite
def retold(draw: st.DrawFn) -> tuple[list[str], list[str], list[list[tuple[int, int]]]]:
    """Words, the same characters in other words, and mentions over these, in parts."""
    size = draw(st.integers(1, 24))
    letters = "".join(draw(st.lists(st.sampled_from("ab'-.é"), min_size=size, max_size=size)))

    def tokens() -> list[str]:
        cuts = sorted(draw(st.sets(st.integers(1, size - 1)))) if size > 1 else []
        return [letters[start:stop] for start, stop in pairwise([0, *cuts, size])]

    words, others = tokens(), tokens()
    number = st.integers(0, len(others) - 1)
    part = st.tuples(number, number).map(lambda ends: (min(ends), max(ends)))
    return words, others, draw(st.lists(st.lists(part, min_size=1, max_size=3), max_size=5))


@examples(400)
@given(retold(), st.sampled_from(["expand", "contract"]), st.booleans())
def test_mentions_have_the_words_whose_characters_they_touch_or_hold(
    case: tuple[list[str], list[str], list[list[tuple[int, int]]]], mode: str, in_sentences: bool
) -> None:
    words, others, mentions = case
    target = text(words[: len(words) // 2], words[len(words) // 2 :]) if in_sentences else text(words)
    source = with_mentions(text(others), *[[parts] for parts in mentions])
    new, counts = projected(source, target, mode)

    def characters(tokens: list[str]) -> list[set[int]]:
        return [set(range(start, stop)) for start, stop in pairwise(accumulate(map(len, tokens), initial=0))]

    of_words, of_others, wanted, exact = characters(words), characters(others), [], 0
    for parts in mentions:
        own = set().union(*(of_others[index] for first, last in parts for index in range(first, last + 1)))
        # Contraction is part by part: parts that meet inside a word are one stretch of characters.
        covered = [number for number, word in enumerate(of_words) if word <= own]
        touched = [number for number, word in enumerate(of_words) if word & own]
        exact += covered == touched
        if chosen := touched if mode == "expand" else covered:
            wanted.append([[places(target)[number] for number in chosen]])
    assert [[list(mention.positions) for mention in entity] for entity in new.entities] == sorted(
        wanted, key=lambda entity: 0 if len(wanted) == len(mentions) else entity[0][0]
    )
    assert counts.exact == exact
    assert counts.dropped == len(mentions) - len(wanted)
    assert counts.expanded + counts.contracted == len(mentions) - exact - counts.dropped


def test_heads_are_the_words_of_their_first_characters() -> None:
    source = text("alpha-beta gamma delta")
    words = places(source)
    mentions = [Mention(words[:2], words[0]), Mention(words[:2], words[1]), Mention(words[1:], words[2])]
    source = source._replace(entities=tuple((mention,) for mention in mentions))
    new, _ = projected(source, text("alpha - beta gam", "ma del ta"))
    assert [new.form(entity[0].head) for entity in new.entities] == ["alpha", "gam", "del"]
    new, counts = projected(source, text("alpha-betagamma del", "ta"), "contract")
    assert spoken(new) == [["alpha-betagamma"], ["alpha-betagamma"], ["del ta"]]
    assert [new.form(entity[0].head) for entity in new.entities] == ["alpha-betagamma"] * 2 + ["del"]
    assert (counts.exact, counts.contracted) == (2, 1)


def test_a_lost_head_is_the_first_word() -> None:
    source = text("ab c d")
    words = places(source)
    source = source._replace(entities=((Mention(words, words[0]),),))
    new, _ = projected(source, text("x", "y", "z").__class__("d", (), sentences=text("a bc d").sentences), "contract")
    assert [new.form(mention.head) for mention in new.entities[0]] == ["a"]
    (mention,) = with_mentions(text("ab c d"), [[(1, 2)]]).entities[0]
    new, _ = projected(source._replace(entities=((mention,),)), text("a bc d"), "contract")
    assert [new.form(mention.head) for mention in new.entities[0]] == ["d"]


def test_mentions_that_become_the_same_words_are_one() -> None:
    source = with_mentions(text("New York 's mayor New"), [[(0, 0)], [(0, 1)], [(4, 4)]], [[(0, 1)]])
    new, counts = projected(source, text("NewYork 's mayor New"))
    assert spoken(new) == [["NewYork", "New"], ["NewYork"]]
    assert counts == ProjectionCounts("expand", exact=3, expanded=1, merged=1)
    assert str(counts) == "3 mentions exact, 1 expanded, 1 merged"


def test_minimal_words_relations_and_deixis_move_along() -> None:
    source = text("the old-dog it barked")
    words = places(source)
    dog, pronoun = MentionWithMinimum(words[:2], words[0], (), (words[1],)), Mention(words[2:3], words[2])
    inside = Mention(words[1:2], words[1])
    relations = (
        Relation("bridging", (pronoun,), ((dog, inside),), "part", ("e1", "e0")),
        Relation("non-referring", (inside,)),
    )
    deixis = source._replace(entities=((pronoun,),), entity_ids=("x",))
    source = source._replace(
        entities=((dog, inside), (pronoun,)), entity_ids=("e0", "e1"), relations=relations, deixis=deixis
    )
    new, _ = projected(source, text("the old - dog", "it barked"))
    assert spoken(new) == [["the old - dog", "old - dog"], ["it"]]
    assert [node_name(place) for place in new.entities[0][0].minimum] == ["2", "3", "4"]
    assert new.deixis is not None
    assert new.deixis.entities == ((new.entities[1][0],),)
    assert [(each.kind, each.anaphor, each.targets, each.ids) for each in new.relations] == [
        ("bridging", new.entities[1], (new.entities[0],), ("e1", "e0")),
        ("non-referring", new.entities[0][1:], (), ()),
    ]
    new, counts = projected(source, text("theold-do g it barked"), "contract")
    assert spoken(new) == [["theold-do g", "g"], ["it"]]
    new, counts = projected(source, text("theold-dog it barked"), "contract")
    assert (counts.dropped, spoken(new)) == (1, [["theold-dog"], ["it"]])
    assert [each.kind for each in new.relations] == ["bridging"]


def test_zeros_that_come_to_the_same_word_keep_apart() -> None:
    lines = ["1\tcan", "1.1\t_", "2\tnot", "2.1\t_", "2.2\t_", "3\tgo"]
    rows = [line + "\t_" * (9 - line.count("\t")) for line in lines]
    sentence = Sentence("", 1, 1, ["1\tcan", "2\tnot", "3\tgo"], ["1.1", "2.1", "2.2"], rows)
    zeros = [Mention([position(1, *at)], position(1, *at)) for at in ((1, 1), (2, 1), (2, 2))]
    source = Document("d", tuple((zero,) for zero in zeros), sentences=(sentence,), path="d")
    new, counts = projected(source, text("cannot go"))
    assert [node_name(entity[0].head) for entity in new.entities] == ["1.1", "1.2", "1.3"]
    assert counts.exact == 3
    assert new.sentences[0].empty == ["1.1", "1.2", "1.3"]
    assert [line.partition("\t")[0] for line in new.sentences[0].lines] == ["1", "1.1", "1.2", "1.3", "2"]
    assert [new.form(entity[0].head) for entity in new.entities] == ["_"] * 3


def test_a_zero_at_the_beginning_of_a_sentence_stays_there_if_it_is_one() -> None:
    def zero_first(number: int, *words: str) -> Sentence:
        numbered = [f"{at}\t{word}" for at, word in enumerate(words, 1)]
        return Sentence("", number, 1, numbered, ["0.1"], [row + "\t_" * 8 for row in ("0.1\t_", *numbered)])

    zeros = tuple((Mention([position(n, 0, 1)], position(n, 0, 1)),) for n in (1, 2))
    source = Document("d", zeros, sentences=(zero_first(1, "a", "b"), zero_first(2, "c")), path="d")
    for target, wanted in ((text("ab", "c"), ["1 0.1", "2 0.1"]), (text("ab c"), ["1 0.1", "1 1.1"])):
        new, _ = projected(source, target)
        assert [f"{e[0].head >> SENTENCE_SHIFT} {node_name(e[0].head)}" for e in new.entities] == wanted


# ------------------------------------------------------------------ texts that differ

DIFFERENT = {
    "typo": ("the olld dog barked", "the old dog barked", ["old dog"], 1),
    "another word": ("the old cat barked", "the old dog barked", ["old dog"], 1),
    "case and quotes": ('"The Old dog" barked', "`` the old dog '' barked", ["old dog"], 4),
    "brackets": ("( the old dog )", "-LRB- the old dog -RRB-", ["old dog"], 2),
    "a word too many": ("the old big dog barked", "the old dog barked", ["old dog"], 1),
    "a word too few": ("the old dog barked", "the old big dog barked", ["old big dog"], 1),
    "glued and a typo": (
        "the olddog's tail barkd at the cat",
        "the old dog 's tail barked at the cat",
        ["old dog"],
        1,
    ),
}


@pytest.mark.parametrize(("given_text", "wanted_text", "wanted", "changed"), DIFFERENT.values(), ids=[*DIFFERENT])
@pytest.mark.parametrize("as_characters", [False, True])
def test_texts_may_differ_here_and_there(
    given_text: str, wanted_text: str, wanted: list[str], changed: int, as_characters: bool
) -> None:
    lower = given_text.lower()
    start = lower.index("ol")
    stop = max(lower.find(animal) for animal in ("dog", "cat ba")) + 3
    source = text(given_text, counts_characters=True)
    source = with_mentions(source, [[(start, stop - 1)]])
    if not as_characters:
        words = given_text.split()
        spans = list(accumulate((len(word) + 1 for word in words), initial=0))
        chosen = [n for n, at in enumerate(spans[:-1]) if at < stop and at + len(words[n]) > start]
        source = with_mentions(text(given_text), [[(chosen[0], chosen[-1])]])
        if "'" in words[chosen[-1]]:
            wanted = [f"{wanted[0]} 's"]
        elif '"' in words[chosen[-1]]:
            wanted = [f"{wanted[0]} ''"]
    new, counts = projected(source, text(wanted_text))
    assert spoken(new) == [wanted]
    assert counts.exact + counts.expanded == 1
    assert counts.words_changed == changed


def test_text_without_blanks_is_aligned_by_characters() -> None:
    key = text([*"我们", "昨天", "看见", "了", "他", "。", "他", "很", "高兴", "。"] * 30)
    source = text("我们昨天看到了他。他很高兴。" * 30, counts_characters=True)
    source = with_mentions(source, [[(0, 1)], [(7, 7)], [(11, 12)], [(14 * 29, 14 * 29 + 1)]])
    new, counts = projected(source, key)
    assert spoken(new) == [["我 们", "他", "高兴", "我 们"]]
    assert (counts.exact, counts.words_changed) == (4, 30)


def test_characters_are_folded_but_case_is_kept() -> None:
    assert texts_agree(text("“Zoë’s ﬁrst–born…”"), text('"', "Zoe\u0308's first-born", "...", '"'))
    assert not texts_agree(text("Ann"), text("ann"))


def test_a_mention_of_words_that_only_one_text_has_is_dropped() -> None:
    source = with_mentions(text("he said um yes and left"), [[(0, 0)], [(2, 2)]], [[(2, 2)]])
    new, counts = projected(source, text("he said yes and left"))
    assert spoken(new) == [["he"]]
    assert new.entity_ids == ("e0",)
    assert (counts.exact, counts.dropped, counts.words_changed) == (1, 2, 1)


def test_other_texts_are_refused() -> None:
    with pytest.raises(AlignmentError, match=r"the text of document 'd' is not that of d.x: . of 13"):
        Projection(text("something else"), text("quick brown fox"), "expand")
    with pytest.raises(AlignmentError, match="is not that of"):
        Projection(text("half"), text(""), "expand")
    Projection(text(""), text(""), "expand")


def test_strict_names_the_mention_the_line_and_the_remedy() -> None:
    source = with_mentions(text("Ann saw", "her big dog ."), [[(2, 4)]], [[(4, 4)]])
    projected(with_mentions(source, [[(2, 4)]]), text("Ann saw her big dog."), "expand")
    with pytest.raises(
        InputError, match=r"(?s)d.x:2: the mention 'her big dog' does not begin and end .*--align expand"
    ):
        projected(source, text("Ann saw her big dog."), "strict")
    new, counts = projected(source, text("Annsaw", "her big do g ."), "strict")
    assert spoken(new) == [["her big do g"], ["do g"]]
    assert counts.exact == 2


def test_words_of_blanks_alone_are_nowhere() -> None:
    """Tokens of spaCy may be blank."""
    source = with_mentions(text(["Ann", " ", "saw", "\n", "her"]), [[(0, 1)], [(4, 4)]], [[(3, 3)]])
    new, counts = projected(source, text(["Ann", "saw", "\u200b", "her"]))
    assert spoken(new) == [["Ann", "her"]]
    assert (counts.exact, counts.dropped) == (2, 1)


def test_segments_cover_both_texts_in_order() -> None:
    source, target = FoldedText(text("the olld dog barkd !")), FoldedText(text("the old dogs , barked"))
    ends = (0, 0)
    for segment in align_texts(source, target):
        assert (segment.source_start, segment.target_start) == ends
        ends = segment.source_stop, segment.target_stop
    assert ends == (len(source.text), len(target.text))


@pytest.mark.parametrize("typos", [False, True])
def test_long_documents_take_seconds(typos: bool) -> None:
    rng = random.Random(5)
    words = [f"{rng.randrange(10 ** rng.randrange(1, 6))}w" for _ in range(100_000)]
    others: list[str] = []
    for word in words:
        others += [word[:1], word[1:]] if rng.random() < 0.3 else ["x"] if typos and rng.random() < 0.01 else [word]
    source = with_mentions(text(others), *[[[(at, at + 1)], [(at + 3, at + 3)]] for at in range(0, 90_000, 9)])
    start = process_time()
    new, counts = projected(source, text(words))
    assert counts.exact + counts.expanded > 19_000
    assert len(new.sentences) == 1
    assert process_time() - start < 20


# ------------------------------------------------------------------ multiword tokens

SPANISH = """\
# newdoc id = es
# global.Entity = eid-etype-head-other
1 La el DET _ _ 2 det 2:det Entity=(e1-place-2-
2 casa casa NOUN _ _ 6 nsubj 6:nsubj _
3-4 del _ _ _ _ _ _ _ _
3 de de ADP _ _ 5 case 5:case _
4 el el DET _ _ 5 det 5:det Entity=(e2-person-2-
5 rey rey NOUN _ _ 2 nmod 2:nmod Entity=e2)e1)
6 ardió arder VERB _ _ 0 root 0:root SpaceAfter=No
7 . . PUNCT _ _ 6 punct 6:punct _

1 Vio ver VERB _ _ 0 root 0:root _
1.1 _ _ PRON _ _ _ _ 1:nsubj Entity=(e2-person-1-)
2-3 al _ _ _ _ _ _ _ _
2 a a ADP _ _ 4 case 4:case _
3 el el DET _ _ 4 det 4:det Entity=(e3-animal-2-
4 perro perro NOUN _ _ 1 obj 1:obj Entity=e3)
5 y y CCONJ _ _ 6 cc 6:cc _
6-8 dáselo _ _ _ _ _ _ _ SpaceAfter=No
6 da dar VERB _ _ 1 conj 1:conj _
7 se él PRON _ _ 6 iobj 6:iobj Entity=(e2-person-1-)
8 lo él PRON _ _ 6 obj 6:obj Entity=(e3-animal-1-)
9 . . PUNCT _ _ 1 punct 1:punct _
"""


def spanish(folder: Path) -> Document:
    path = folder / "es.conllu"
    rows = ("\t".join(line.split(" ")) if line[:1].isdigit() else line for line in SPANISH.split("\n"))
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    _, reader = open_reader(path, None, Warnings())
    with closing(reader.source):
        return next(iter(reader))


def in_text(surface: str, *mentions: str) -> Document:
    """The text of some words with mentions that are each found once in it."""
    document = text(surface, counts_characters=True)
    found = [surface.index(mention) for mention in mentions]
    return with_mentions(
        document, *([[(start, start + len(each) - 1)]] for start, each in zip(found, mentions, strict=True))
    )


@pytest.mark.parametrize("typo", ["", "!"])
def test_a_text_has_the_words_of_multiword_tokens(typo: str, tmp_path: Path) -> None:
    mentions = ["La casa del rey", "del rey", "rey", "al perro", "perro", "dáselo", "se", "lo"]
    response = in_text(f"La casa del rey ardió{typo}. Vio al perro y dáselo.", *mentions)
    projection = Projection(response, spanish(tmp_path), "strict")
    words = ["La casa de el rey", "de el rey", "rey", "a el perro", "perro", "da se lo", "se", "lo"]
    assert spoken(projection.project(response)) == [[each] for each in words]
    assert projection.counts.words_changed == 2 * len(typo)  # the last word, and the full stop behind it


def test_words_of_multiword_tokens_are_words_too(tmp_path: Path) -> None:
    key = spanish(tmp_path)
    response = with_mentions(text("La casa de elrey ardió . Vio a el perro y da se lo ."), [[(2, 3)]], [[(11, 13)]])
    projection = Projection(response, key, "strict")
    assert spoken(projection.project(response)) == [["de el rey"], ["da se lo"]]
    assert projection.counts.words_changed == 0
    assert texts_agree(key, response)


def test_multiword_tokens_of_both_sides_are_compared(tmp_path: Path) -> None:
    """A response whose tools do not split what the key splits, or the other way round."""
    key = spanish(tmp_path)
    other = with_mentions(text("La casa del rey ardió .", "Vio al perro y dáselo ."), [[(2, 3)]], [[(10, 10)]])
    assert texts_agree(key, other)
    assert spoken(Projection(other, key, "strict").project(other)) == [["de el rey"], ["da se lo"]]
    whole = Projection(key, other, "expand").project(key)
    assert spoken(whole) == [["La casa del rey"], ["del rey", "_", "dáselo"], ["al perro", "dáselo"]]


@given(st.text("abc", max_size=6), st.lists(st.text("abc", max_size=4), min_size=1, max_size=4))
def test_letters_of_a_token_are_all_divided(surface: str, words: list[str]) -> None:
    pieces = divide_letters(surface, words)
    assert "".join(pieces) == surface
    assert len(pieces) == len(words)
    if "".join(words) != surface and len(surface) >= len(words):
        assert all(pieces)
