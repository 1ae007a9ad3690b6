"""Frameworks that need not be installed: tests that run on them are skipped without them, with the reason."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

WITH_FRAMEWORKS = pytest.mark.filterwarnings("ignore")
"""What frameworks warn of is their affair."""


def framework(name: str, package: str = "") -> Any:
    """A module of a framework, or the test is skipped."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        reason = f"{package or name} is not installed: pip install {package or name}"
        return pytest.importorskip(name, reason=reason, exc_type=ImportError)
