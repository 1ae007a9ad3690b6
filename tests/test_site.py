"""The documents become a site: without a warning, without anything that is loaded from elsewhere."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from axe import serious
from places import REPOSITORY

NAV = (REPOSITORY / "zensical.toml").read_text(encoding="utf-8").partition("nav = [")[2].partition("\n]\n")[0]
LOADED = re.compile(r"""<(?:script|link|img|iframe)[^>]*?(?:src|href)=["']?((?:https?:)?//[^"'\s>]+)""")
LOOKS = [(width, scheme) for width in (1400, 800, 400) for scheme in ("light", "dark")]
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
LINKED = re.compile(r"""<a [^>]*?href=["']?([^"'\s>#]*)#?([^"'\s>]*)""")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("zensical", reason="the site is built by zensical, which is not installed")
    folder = tmp_path_factory.mktemp("site")
    shutil.copytree(REPOSITORY / "docs", folder / "docs")
    shutil.copy(REPOSITORY / "zensical.toml", folder)
    command = [sys.executable, "-m", "zensical", "build", "--strict"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "warning" not in (done.stdout + done.stderr).lower()
    return folder / "site"


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        assert LOADED.findall(page.read_text(encoding="utf-8")) == [], page.name


def test_it_has_the_pages_for_users_and_no_others(site: Path) -> None:
    pages = {page.relative_to(site).with_suffix(".md").as_posix() for page in site.rglob("*.html")} - {"404.md"}
    assert pages == set(re.findall(r'"([\w/-]+\.md)"', re.sub("#.*", "", NAV)))
    assert len(pages) > 25


def test_links_between_pages_lead_somewhere(site: Path) -> None:
    """Those to files outside the documents are for readers of the repository; a test of the README checks them."""
    for page in site.rglob("*.html"):
        if page.name == "404.html":
            continue
        for target, _ in LINKED.findall(page.read_text(encoding="utf-8")):
            if target.endswith(".html") and "://" not in target:
                assert (page.parent / target).exists(), (page.name, target)


def test_the_way_from_the_landing_page_to_a_score_is_short(site: Path) -> None:
    """Landing page, tutorial, command."""
    landing = (site / "index.html").read_text(encoding="utf-8")
    for tutorial, command in {
        "corefud": "corefscope score key.conllu response.conllu",
        "training": "scorer.add(gold, predicted)",
        "task": "corefscope task task.toml",
    }.items():
        assert f"tutorials/{tutorial}.html" in landing
        text = re.sub("<[^>]*>", "", (site / "tutorials" / f"{tutorial}.html").read_text(encoding="utf-8"))
        assert command in text


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_no_page_is_too_wide_and_axe_finds_nothing_serious(site: Path, browser: Any, width: int, scheme: str) -> None:
    """Every page once, on one of the screens; the first steps of a newcomer on all of them."""
    pages = sorted(page for page in site.rglob("*.html") if page.name != "404.html")
    shown = {*pages[LOOKS.index((width, scheme)) :: len(LOOKS)], *(site / "tutorials").iterdir(), site / "index.html"}
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, bypass_csp=True)
    page = context.new_page()
    for path in sorted(shown):
        page.goto(path.as_uri())
        assert page.evaluate(OVERFLOW) <= 0, path.name
        assert serious(page) == [], path.name
    context.close()
