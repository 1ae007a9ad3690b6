"""Build hook: the links of the project and of its README, made from its repository, which pyproject.toml names."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

PAGES = {
    "Documentation": "tree/main/docs",
    "Changelog": "blob/main/CHANGELOG.md",
    "Issues": "issues",
}


RELATIVE = re.compile(r"""(\]\(|(?:src|srcset)=")(?!https?:|#)""")


class LinksHook(MetadataHookInterface):
    """Adds ``urls`` and ``readme`` to the metadata."""

    def update(self, metadata: dict[str, Any]) -> None:
        """The repository, and pages in it; the README, whose links must be whole to work on PyPI."""
        repository: str = self.config["repository"]
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        text = RELATIVE.sub(
            lambda found: f"{found[1]}{repository}/{'blob' if '(' in found[1] else 'raw'}/main/", text
        )
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
        metadata["urls"] = {"Repository": repository} | {name: f"{repository}/{path}" for name, path in PAGES.items()}
