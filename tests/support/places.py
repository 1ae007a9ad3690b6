"""Where test data is: in the repository always, beside it perhaps."""

from __future__ import annotations

from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
SOURCE = REPOSITORY / "src" / "corefscope"
GOLDEN = REPOSITORY / "tests" / "golden"
SHARED = REPOSITORY.parent / "shared"
EXAMPLE_KEY = SOURCE / "formats" / "examples" / "key.conllu"
EXAMPLE_RESPONSE = SOURCE / "formats" / "examples" / "response.conllu"


def conformance_directories() -> list[Path]:
    """The copied part of the conformance data, and all of it where it is at hand."""
    names = ("corefud", "corefud-duplicates", "found")
    found = [parent / name for parent in (GOLDEN, SHARED / "conformance") for name in names]
    return [path for path in found if path.exists()]
