"""Build hook: the links of the project, made from its repository, which pyproject.toml names."""

from __future__ import annotations

from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

PAGES = {
    "Documentation": "tree/main/docs",
    "Changelog": "blob/main/CHANGELOG.md",
    "Issues": "issues",
}


class LinksHook(MetadataHookInterface):
    """Adds ``urls`` to the metadata."""

    def update(self, metadata: dict[str, Any]) -> None:
        """The repository, and pages in it."""
        repository: str = self.config["repository"]
        metadata["urls"] = {"Repository": repository} | {name: f"{repository}/{path}" for name, path in PAGES.items()}
