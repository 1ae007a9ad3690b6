"""What a directory of perturbed files holds: ``manifest.json``."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from ...base.errors import InputError
from ...base.version import __version__
from ...read.source import Source
from ...write.target import TargetDirectory
from . import PERTURBATIONS, select

MANIFEST = "manifest.json"
SCHEMA = "corefscope-perturbations-1"


class PerturbedFile(NamedTuple):
    """One file of the directory."""

    level: int
    """In percent."""
    name: str
    changes: int
    """How many changes were made, in all documents together."""


class Manifest(NamedTuple):
    """Which key was perturbed how, and where the results are."""

    key: str
    """The path of the key, from the directory."""
    key_format: str
    key_sha256: str
    seed: int
    kinds: Mapping[str, list[PerturbedFile]]
    version: str = __version__

    def write(self, directory: TargetDirectory) -> None:
        """Put it where :meth:`read` finds it, after all other files."""
        content = {
            "schema": SCHEMA,
            "version": self.version,
            **self._asdict(),
            "kinds": {
                kind: {
                    "title": PERTURBATIONS[kind].title,
                    "of": PERTURBATIONS[kind].of,
                    "files": [{"level": file.level, "file": file.name, "changes": file.changes} for file in files],
                }
                for kind, files in self.kinds.items()
            },
        }
        with directory.file(MANIFEST) as target:
            target.write(json.dumps(content, indent=1, ensure_ascii=False) + "\n")

    @classmethod
    def read(cls, directory: str | os.PathLike[str]) -> Manifest:
        """The manifest of a directory; InputError if it has none that makes sense."""
        path = path_in(directory)
        hint = "make such a directory with: corefscope perturb KEY -o DIR"
        try:
            with open(path, encoding="utf-8") as file:
                content = json.load(file)
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}", path=path, hint=hint) from None
        except (ValueError, RecursionError):
            raise InputError("is no JSON", path=path, hint=hint) from None
        if not isinstance(content, dict) or content.get("schema") != SCHEMA:
            raise InputError(f"is not of the schema {SCHEMA}", path=path, hint=hint)
        try:
            return cls(
                str(content["key"]),
                str(content["key_format"]),
                str(content["key_sha256"]),
                int(content["seed"]),
                {kind: _files(content["kinds"][kind]["files"]) for kind in select(content["kinds"])},
                str(content["version"]),
            )
        except (AttributeError, KeyError, OverflowError, TypeError, ValueError):
            raise InputError("lacks something, or has it in the wrong form", path=path, hint=hint) from None

    def key_path(self, directory: str | os.PathLike[str], moved: str | os.PathLike[str] | None = None) -> str:
        """Where the key is, if it was not moved; InputError if it is gone or no longer the same."""
        path = os.path.normpath(os.path.join(directory, self.key)) if moved is None else os.fspath(moved)
        if not os.path.exists(path):
            raise InputError(f"there is no key {path}", path=path_in(directory), hint="say where it is: --key FILE")
        with closing(Source.open(path)) as source:
            digest = source.digest()
        if digest != self.key_sha256:
            raise InputError(
                f"the key {path} is not the one that these files were made from",
                path=path_in(directory),
                hint="perturb it again, or say where that one is: --key FILE",
            )
        return path


def path_in(directory: str | os.PathLike[str], name: str = MANIFEST) -> str:
    """The path of the manifest, or of another file of the directory."""
    return str(Path(directory, name))


def _files(rows: list[dict[str, Any]]) -> list[PerturbedFile]:
    """The files of a kind of noise, by level; ValueError if there is none."""
    if not rows:
        raise ValueError("no files")
    return sorted(PerturbedFile(int(row["level"]), _plain(row["file"]), int(row["changes"])) for row in rows)


def _plain(name: Any) -> str:
    """The name of a file in the directory itself."""
    if not isinstance(name, str) or os.path.basename(name) != name or name in ("", ".", ".."):
        raise ValueError(name)
    return name
