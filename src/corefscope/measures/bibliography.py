"""The papers behind the metrics, as BibTeX."""

from __future__ import annotations

import re
from functools import cache

from ..core.metrics.base import Metric

ACCENTS = {
    r"{\v{Z}}": "Ž",
    r"{\v{z}}": "ž",
    r"{\v{r}}": "ř",
    r"{\u{a}}": "ă",
    r"{\'y}": "ý",
    r"{\'i}": "í",
    r"{\'a}": "á",
}
"""Letters as BibTeX writes them."""


@cache
def entries() -> dict[str, str]:
    """BibTeX entries by key."""
    from importlib.resources import files

    text = (files(__package__) / "references.bib").read_text(encoding="utf-8")
    found = re.finditer(r"^@\w+\{([\w-]+),.*?^\}$", text, flags=re.MULTILINE | re.DOTALL)
    return {entry[1]: entry[0] for entry in found}


def reference(key: str) -> str:
    """A paper in a few words: authors and year. A text that is no key is shown as it is.

    >>> reference("cai-2010"), reference("luo-2005"), reference("Doe (2026)")
    ('Cai and Strube (2010)', 'Luo (2005)', 'Doe (2026)')
    """
    entry = entries().get(key)
    if entry is None:  # of a metric that another package has added
        return key
    names = [name.split()[-1] for name in _field(entry, "author").split(" and ")]
    shown = f"{names[0]} et al." if len(names) > 2 else " and ".join(names)
    for accent, letter in ACCENTS.items():
        shown = shown.replace(accent, letter)
    return f"{shown.replace('{', '').replace('}', '')} ({_field(entry, 'year')})"


def references(metric: Metric) -> str:
    """The papers of a metric in a few words.

    >>> from corefscope.core.metrics import METRICS
    >>> references(METRICS["blanc"])
    'Recasens and Hovy (2011), Luo et al. (2014)'
    """
    return ", ".join(map(reference, metric.papers))


def _field(entry: str, name: str) -> str:
    found = re.search(rf"^\s*{name}\s*=\s*\{{(.*)\}},?$", entry, flags=re.MULTILINE)
    return found[1] if found else ""
