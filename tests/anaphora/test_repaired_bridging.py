"""Counts of relations once errors of some kinds are repaired."""

from __future__ import annotations

import pytest

from corefscope.anaphora.plurals import Partition
from corefscope.anaphora.relations import HANDLING, JudgedLink, JudgedRelations, JudgedSide, repaired_bridging
from corefscope.core.document import Mention, Relation
from corefscope.core.positions import position

EARLY, LATE, ANAPHOR = (Mention((position(1, word),), position(1, word)) for word in (1, 3, 5))


@pytest.mark.parametrize(("anchor", "repaired"), [((EARLY,), (1, 1, 1, 1)), ((EARLY, LATE), (0, 1, 0, 1))])
def test_a_wrong_anchor_is_repaired_only_where_files_name_anchors(
    anchor: tuple[Mention, ...], repaired: tuple[int, ...]
) -> None:
    """Where a file names the anchor's entity alone, its anchor is a convention that no correction can change."""
    link = JudgedLink(
        Relation("bridging", (ANAPHOR,), (anchor,)), "it", "e1", recognised=True, same_mention=False, same_entity=True
    )
    side = JudgedSide(Partition([]), {}, [link], [])
    judged = JudgedRelations(side, side, HANDLING)
    assert repaired_bridging("mention")(judged, (0, 1, 0, 1), {"wrong_anchor"}) == repaired
