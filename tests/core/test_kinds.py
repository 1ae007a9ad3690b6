"""``--only``: scores of some kinds of mentions, with entities restricted to them or left whole."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

import corefscope
from corefscope import InputError, OptionError, b_cubed_over, restrict, score_clusters
from corefscope.cli import main
from corefscope.comparison.signature import read_signature
from corefscope.core.document import Document, Mention
from corefscope.core.kinds import kinds_in, needs_upos
from corefscope.core.options import Options
from corefscope.core.request import Request
from corefscope.formats.detection import read_documents
from examples import seeds
from oracles.generate import random_pair
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE

KINDS = ("pronoun", "name", "nominal", "zero", "other", "pronoun,zero", "upos=PRON", "upos=PROPN,NOUN")
Clusters = list[list[tuple[int, ...]]]


def _of_columns(only: str) -> Callable[[Document, Mention], bool]:
    """Whether a mention is of a kind, by the columns of its head alone: the definition written again."""

    def chosen(document: Document, mention: Mention) -> bool:
        number, upos, feats = (document.columns(mention.head)[at] for at in (0, 3, 5))
        if only.startswith("upos="):
            return upos in only[5:].split(",")
        if "." in number:
            return "zero" in only
        pro_form = upos in ("DET", "ADV", "ADJ", "NUM") and "PronType=" in feats and "PronType=Art" not in feats
        if upos == "PRON" or pro_form:
            return "pronoun" in only
        named = {"PROPN": "name", **dict.fromkeys(("NOUN", "NUM", "ADJ", "SYM"), "nominal")}
        return named.get(upos, "other") in only

    return chosen


def _clusters(path: Path, only: str) -> dict[str, tuple[Clusters, set[tuple[int, ...]]]]:
    """By document, the entities as lists of positions, and the mentions of a kind."""
    chosen, result = _of_columns(only), {}
    for document in read_documents(path):
        entities = [[mention.positions for mention in entity] for entity in document.entities]
        kept = {m.positions for entity in document.entities for m in entity if chosen(document, m)}
        result[document.id] = entities, kept
    return result


@pytest.mark.parametrize("only", KINDS)
def test_both_ways_of_the_paper_on_the_example(only: str) -> None:
    """Restricted: the partitions without other mentions. Whole: B³ of these mentions, by sets."""
    arguments = {"match": "exact", "zeros": "linear", "singletons": "keep", "rules": "corrected"}
    whole = corefscope.score(EXAMPLE_KEY, EXAMPLE_RESPONSE, only=only, classes="whole", **arguments)  # type: ignore[arg-type]
    restricted = corefscope.score(EXAMPLE_KEY, EXAMPLE_RESPONSE, only=only, metrics="muc,bcub,lea", **arguments)  # type: ignore[arg-type]
    keys, responses = _clusters(EXAMPLE_KEY, only), _clusters(EXAMPLE_RESPONSE, only)
    for name, scores in restricted.documents.items():
        (key, kept), (response, also_kept) = keys[name], responses[name]
        expected = score_clusters(
            restrict(key, kept.__contains__),
            restrict(response, also_kept.__contains__),
            metrics="muc,bcub,lea",
            rules="corrected",
        )
        assert {metric: scores[metric] for metric in expected} == dict(expected)
        if kept and also_kept:
            ours = whole.documents[name]["b3_only"]
            assert ours == pytest.approx(b_cubed_over(key, response, (kept | also_kept).__contains__), abs=1e-12)


@pytest.mark.parametrize("seed", seeds(20))
def test_all_kinds_together_are_all_mentions(seed: int, tmp_path: Path) -> None:
    paths = []
    for name, text in zip(("key", "response"), random_pair(random.Random(seed), "small"), strict=True):
        paths.append(tmp_path / f"{name}.conllu")
        paths[-1].write_text(text, encoding="utf-8")
    every = "zero,pronoun,name,nominal,other"
    assert dict(corefscope.score(*paths, only=every)) == dict(corefscope.score(*paths))
    plain = corefscope.score(*paths, metrics="bcub", rules="corrected")["bcub"]
    whole = corefscope.score(*paths, only=every, classes="whole", rules="corrected")["b3_only"]
    assert whole == pytest.approx(plain, abs=1e-12)


def test_the_signature_replays_the_kinds() -> None:
    report = corefscope.score(EXAMPLE_KEY, EXAMPLE_RESPONSE, only="pronoun,zero", classes="whole")
    assert "|only:pronoun,zero|classes:whole|" in report.signature
    options = Options.parse(report.signature)
    assert (options.only, options.classes) == ("pronoun,zero", "whole")
    arguments = read_signature(report.signature).arguments
    assert Request(arguments, metrics="b3_only").options == options
    by_tag = corefscope.score(EXAMPLE_KEY, EXAMPLE_RESPONSE, only="upos=PROPN")
    assert Options.parse(by_tag.signature).only == "upos=PROPN"


def test_what_cannot_be_selected_is_refused(tmp_path: Path) -> None:
    for wrong, message in {
        "pronouns": "unknown kind of mention 'pronouns' .did you mean 'pronoun'",
        "": "",
        "upos=": "is no list of UPOS tags",
        "upos=N|V": "is no list of UPOS tags",
    }.items():
        if wrong:
            with pytest.raises(OptionError, match=message):
                Request({"only": wrong})
    with pytest.raises(OptionError, match="needs only"):
        Request({"classes": "whole"})
    with pytest.raises(OptionError, match="unknown classes 'half'"):
        Request({"classes": "half", "only": "zero"})  # type: ignore[typeddict-item]
    for arguments in ({"metrics": "muc"}, {"anaphors": "zeros"}):
        with pytest.raises(OptionError, match="for the metric b3_only alone"):
            Request({"classes": "whole", "only": "zero", **arguments})  # type: ignore[typeddict-item]
    conll = tmp_path / "key.conll"
    conll.write_text("#begin document (d); part 000\nd 0 0 Ann (0)\n\n#end document\n")
    with pytest.raises(InputError, match=r"has no UPOS to tell mentions \(pronoun\) by"):
        corefscope.score(conll, conll, only="pronoun")
    assert kinds_in("upos=NOUN") == ("NOUN",)
    assert [needs_upos(kinds) for kinds in ("zero", "zero,name", "upos=NOUN")] == [False, True, True]


def test_every_command_that_scores_takes_only(capsys: pytest.CaptureFixture[str]) -> None:
    pair = [str(EXAMPLE_KEY), str(EXAMPLE_RESPONSE)]
    for command in ("score", "compare", "errors"):
        assert main([command, *pair, "--only", "pronoun", "--quiet"]) == 0
        assert "|only:pronoun|" in "".join(capsys.readouterr().out.split())


def test_systems_are_compared_on_parts_of_documents() -> None:
    """What each mention adds is booked where it begins, and adds up to the score."""
    pair = EXAMPLE_KEY, [EXAMPLE_RESPONSE]
    compared = corefscope.compare(*pair, only="pronoun", classes="whole", resample="sentences", resamples=100)
    report = compared["response"]
    expected = corefscope.score(EXAMPLE_KEY, EXAMPLE_RESPONSE, only="pronoun", classes="whole")
    assert report["b3_only"] == pytest.approx(expected["b3_only"])
