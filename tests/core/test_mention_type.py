"""The type of a mention is that of the line of its head, wherever the line stands in its sentence."""

from __future__ import annotations

import pytest

from corefscope.core.document import Document, Mention, Sentence, mention_type
from corefscope.core.positions import position


def _line(name: str, upos: str, columns: int = 10) -> str:
    return "\t".join([name, f"w{name}", "_", upos, *["_"] * 6][:columns])


LINES = [_line("1", "PRON"), *(_line(str(number), "VERB") for number in range(2, 11)), _line("11", "NOUN")]


@pytest.mark.parametrize("comments", [[], ["# sent_id = s", "# text = 1\tw1"]])
@pytest.mark.parametrize(("word", "kind"), [(1, "pronoun"), (2, "other"), (11, "nominal"), (12, "other")])
def test_first_and_last_line_and_none(comments: list[str], word: int, kind: str) -> None:
    sentence = Sentence("s", 3, 1, [line[:5] for line in LINES], [], [*comments, *LINES])
    document = Document("d", (), sentences=(sentence,))
    place = position(3, word)
    assert mention_type(document, Mention((place,), place)) == kind


def test_a_line_of_other_columns_says_nothing() -> None:
    sentence = Sentence("s", 1, 1, ["1\tw1"], [], _line("1", "PRON", 7))
    assert (
        mention_type(Document("d", (), sentences=(sentence,)), Mention((position(1, 1),), position(1, 1))) == "other"
    )
