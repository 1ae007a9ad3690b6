"""Results as text of a given width."""

from __future__ import annotations

from typing import Any

import pytest

from corefscope.output.formats import REPORTS


def as_text(result: Any, width: int = 100, *, per_document: bool = False, colour: bool = False) -> str:
    """What a terminal of so many columns shows."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", str(width))
        return REPORTS["text"].render(result, per_document, colour)
