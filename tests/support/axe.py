"""What axe finds on a page that people who use assistive technology cannot use."""

from __future__ import annotations

from typing import Any

from npm import installed

RUN = """() => axe.run(document, { iframes: false, resultTypes: ["violations"] })
  .then(({ violations }) => violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes[0].html}`))"""


def serious(page: Any) -> list[str]:
    """Rules that a page, or a frame, breaks seriously, each with the first element that does."""
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate((installed("axe-core") / "axe.min.js").read_text(encoding="utf-8"))
    return list(page.evaluate(RUN))
