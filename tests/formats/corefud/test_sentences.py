"""What the lines of a response may have that those of the key have not, if both are to be one outline."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from corefscope.formats.corefud.fast import is_table
from corefscope.formats.corefud.sentences import DocumentOutline, Outline, blocks
from faulty_files import corefud, sentence, word

KEY = corefud(
    sentence("# text = w w\n", word("1-2"), word(1, "(e1-x-1-)"), word("1.1"), word(2)),
    sentence(word(1, "(e1-x-1-)"), word(2), id_="s2"),
)
Change = tuple[str, str]


def _outline(text: str, ids: tuple[str, ...] = ("s1", "s2"), before: int = 0) -> Outline:
    lines = text.split("\n")
    outline = Outline(lines, 1, before, list(blocks(lines, is_table(text.encode()))))
    outline.ids = list(ids)
    return outline


def _changed(change: Change) -> str:
    assert change[0] in KEY
    return KEY.replace(*change, 1)


SAME: dict[str, Change] = {
    "nothing": ("", ""),
    "MISC": ("\tEntity=(e1-x-1-)\n", "\tSpaceAfter=No\n"),
    "a comment": ("# text = w w", "# text = other"),
    "a comment with a tab": ("# text = w w", "# text\tother"),
    "the header": ("eid-etype-head-other", "eid-head"),
}
OTHER: dict[str, Change] = {
    "sent_id": ("# sent_id = s2", "# sent_id = s3"),
    "sent_id with tabs": ("# sent_id = s2", "# sent_id\ts2\tx"),
    "a comment that becomes an id": ("# text = w w", "# sent_id = s0"),
    "a form": ("\n1\tw", "\n1\tv"),
    "the number of a word": ("\n2\tw", "\n3\tw"),
    "an empty node": ("1.1\t", "1.2\t"),
    "another column": ("\t_\tEntity", "\tx\tEntity"),
    "one more column": ("\tEntity=(e1-x-1-)\n", "\tEntity=(e1-x-1-)\t_\n"),
    "a line that is no row": ("# text = w w", "text"),
    "an empty line instead of a comment": ("# text = w w", ""),
    "a comment instead of an empty line": ("\n\n", "\n# x\n"),
    "one more line": ("# text = w w", "# text = w w\n# x"),
}


@pytest.mark.parametrize("change", SAME.values(), ids=SAME.keys())
def test_lines_that_differ_in_misc_and_comments_share_what_was_found_out(change: Change) -> None:
    key = _outline(KEY)
    like = key.share_layout_with(_changed(change).split("\n"), 7, 0)
    assert like is not None
    assert like.blocks is key.blocks
    assert like.blocks == _outline(_changed(change)).blocks
    assert (like.ids, like.line) == (key.ids, 7)


@pytest.mark.parametrize("change", OTHER.values(), ids=OTHER.keys())
def test_lines_that_differ_in_anything_else_do_not(change: Change) -> None:
    assert _outline(KEY).share_layout_with(_changed(change).split("\n"), 1, 0) is None


def test_neither_do_lines_after_more_sentences_nor_those_of_a_key_that_was_not_read_to_its_end() -> None:
    assert _outline(KEY).share_layout_with(KEY.split("\n"), 1, 1) is None
    assert _outline(KEY, ids=()).share_layout_with(KEY.split("\n"), 1, 0) is None


def _sentences(*outlines: Outline) -> DocumentOutline:
    sentences = DocumentOutline("some.conllu")
    for outline in outlines:
        sentences.outlines.append(outline)
    return sentences


@pytest.mark.parametrize(
    ("change", "same"),
    [
        (lambda text: text, True),
        (lambda text: text.replace("\t_\tEntity", "\tx\tEntity"), True),
        (lambda text: text.replace("# text = w w\n", ""), True),
        (lambda text: text.replace(word("1.1"), ""), True),
        (lambda text: text.replace("\n2\tw", "\n2\tv", 1), False),
        (lambda text: text.replace("\n2\tw", "\n3\tw", 1), False),
    ],
)
def test_documents_of_the_same_words_are_the_same_text(change: Callable[[str], str], same: bool) -> None:
    assert _sentences(_outline(KEY)).same_text(_sentences(_outline(change(KEY)))) is same


def test_documents_of_other_sentences_are_not() -> None:
    assert not _sentences(_outline(KEY)).same_text(_sentences(_outline(KEY, ids=("s1", "s3"))))
    assert not _sentences(_outline(KEY)).same_text(None)
