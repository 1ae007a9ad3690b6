"""Mentions placed by their strings where offsets contradict them."""

from __future__ import annotations

import pytest

from corefscope.formats.jsonl.strings import SearchableWords, nearest_places


@pytest.mark.parametrize(
    ("words", "string", "places"),
    [
        ("he saw her", "##he saw", [(1, 1)]),
        ("he saw her", "##", []),
        ("##he saw her", "##he saw", [(0, 1)]),
    ],
)
def test_zeros_of_a_string_are_ignored_where_words_have_none(
    words: str, string: str, places: list[tuple[int, int]]
) -> None:
    assert SearchableWords(words.split()).places(string) == places


def test_of_paths_with_the_same_changes_the_nearer_places_are_taken() -> None:
    """The distance grows from 0 to 3, or is 3 from the start: the first mention is where its offset says."""
    text = SearchableWords(["x", "a", "b", "x", "c", "y"])
    assert nearest_places([(3, 3), (8, 8)], ["x", "y"], text) == [(3, 3), (5, 5)]
