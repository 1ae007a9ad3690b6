"""The pictures of README and docs are of this version, show the pages as they are now, and exist light and dark."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from corefscope.core.version import __version__
from npm import installed
from places import REPOSITORY

DOCS = REPOSITORY / "docs"
DOCUMENTS = [REPOSITORY / "README.md", *sorted(DOCS.rglob("*.md"))]
SHOWN = re.compile(r"""(?:\]\(|srcset="|src=")([^)"\s]*images/[\w-]+\.png)(#gh-(?:light|dark)-mode-only)?""")
REMEDY = "run make images"


def _module() -> ModuleType:
    spec = importlib.util.spec_from_file_location("images", DOCS / "images.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


IMAGES = _module()


@pytest.mark.parametrize("name", IMAGES.SHOTS)
def test_pictures_are_of_this_version(name: str) -> None:
    pytest.importorskip("PIL", reason="metadata of pictures are read with Pillow")
    for suffix in IMAGES.SCHEMES.values():
        path = IMAGES.IMAGES / f"{name}{suffix}.png"
        assert path.exists(), REMEDY
        size, labels = IMAGES.labels(path)
        assert labels["version"] == __version__, REMEDY
        assert size == IMAGES.SHOTS[name].size, REMEDY


@pytest.fixture(scope="module")
def addresses() -> Any:
    with IMAGES.pages(installed("pyodide")) as found:
        yield found


@pytest.mark.parametrize("name", IMAGES.SHOTS)
def test_pictures_show_the_pages_as_they_are(
    browser: Any, addresses: dict[str, str], name: str, tmp_path: Path
) -> None:
    """A picture that is taken anew has the same headings and size; its pixels depend on fonts."""
    pytest.importorskip("PIL", reason="metadata of pictures are read with Pillow")
    anew = tmp_path / "anew.png"
    for scheme, suffix in IMAGES.SCHEMES.items():
        anew.write_bytes(IMAGES.take(browser, name, scheme, addresses[IMAGES.SHOTS[name].page]))
        assert IMAGES.labels(anew) == IMAGES.labels(IMAGES.IMAGES / f"{name}{suffix}.png"), REMEDY


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(REPOSITORY)))
def test_pictures_follow_dark_mode(document: Path) -> None:
    """Each is there twice: in a <picture>, or as Markdown with fragments that GitHub and the site know."""
    found = SHOWN.findall(document.read_text(encoding="utf-8"))
    names: dict[str, set[str]] = {"light": set(), "dark": set()}
    for path, fragment in found:
        stem = Path(path).stem
        dark = stem.endswith("-dark")
        assert (document.parent / path).exists(), path
        assert fragment in ("", f"#gh-{'dark' if dark else 'light'}-mode-only"), path
        names["dark" if dark else "light"].add(stem.removesuffix("-dark"))
        assert fragment or "<picture>" in document.read_text(encoding="utf-8"), path
    assert names["light"] == names["dark"], f"every picture has one for light and one for dark pages: {names}"


def test_every_picture_is_shown() -> None:
    shown = {Path(path).name for document in DOCUMENTS for path, _ in SHOWN.findall(document.read_text("utf-8"))}
    assert {path.name for path in IMAGES.IMAGES.glob("*.png")} <= shown
