"""Files of this package, and of the packages its report page needs, to run elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

OWN = Path(__file__).parents[1]
FOR_PAGE = ("jinja2", "markupsafe")
"""Packages that the report page is made with; they are pure Python, or can do without what is not."""
LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""The time of all files in an archive: the same content makes the same archive."""


def sources(others: Iterable[str] = FOR_PAGE) -> Iterator[tuple[str, Path]]:
    """The files of this package and of others, by their paths in a directory that Python looks for packages in."""
    for path in OWN.rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path.relative_to(OWN.parent).as_posix(), path
    for package in others:
        module: Any = import_module(package)
        for path in Path(module.__file__).parent.glob("*.py"):
            yield f"{package}/{path.name}", path


def licences(others: Iterable[str] = FOR_PAGE) -> list[str]:
    """The licences of this package and of others."""
    from importlib.metadata import distribution

    texts = ["corefscope: Apache-2.0."]
    for package in others:
        of = distribution(package)
        licence = next(path for path in of.files or () if path.name.startswith("LICENSE"))
        texts.append(f"{of.metadata['Name']} {of.version}:\n\n{licence.read_text()}")
    return texts


def archive(files: Iterable[tuple[str, bytes | Path]]) -> bytes:
    """A zip archive of files by their paths in it; the same files make the same bytes."""
    import io
    from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

    buffer = io.BytesIO()
    with ZipFile(buffer, "w") as zipped:
        for name, content in sorted(files, key=lambda file: file[0]):
            info = ZipInfo(name, LONG_AGO)
            info.compress_type = ZIP_DEFLATED
            info.external_attr = 0o644 << 16  # or what is unpacked could not be read
            zipped.writestr(info, content if isinstance(content, bytes) else content.read_bytes())
    return buffer.getvalue()
