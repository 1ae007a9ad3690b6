"""Archives of this package and of those that its report page needs, to run without installation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from importlib.metadata import distribution
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

OWN = Path(__file__).parents[1]
FOR_PAGE = ("jinja2", "markupsafe")
"""Packages that render the report page; they are pure Python, or work without their compiled parts."""
LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""The time of all files in an archive: the same content makes the same archive."""


def sources(others: Iterable[str] = FOR_PAGE) -> Iterator[tuple[str, Path]]:
    """The files of this package and of others, by their paths below a directory of ``sys.path``."""
    for path in OWN.rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path.relative_to(OWN.parent).as_posix(), path
    for package in others:
        for path in Path(str(import_module(package).__file__)).parent.glob("*.py"):
            yield f"{package}/{path.name}", path


def licences(others: Iterable[str] = FOR_PAGE) -> list[str]:
    """The licences of this package and of others."""
    texts = ["corefscope: Apache-2.0."]
    for package in others:
        installed = distribution(package)
        licence = next(path for path in installed.files or () if path.name.startswith("LICENSE"))
        texts.append(f"{installed.metadata['Name']} {installed.version}:\n\n{licence.read_text()}")
    return texts


def archive(files: Iterable[tuple[str, bytes | Path]]) -> bytes:
    """A zip archive of files by their paths in it; the same files make the same bytes."""
    buffer = BytesIO()
    with ZipFile(buffer, "w") as zipped:
        for name, content in sorted(files, key=lambda file: file[0]):
            info = ZipInfo(name, LONG_AGO)
            info.compress_type = ZIP_DEFLATED
            info.external_attr = 0o644 << 16  # ZipInfo gives no permission to read
            zipped.writestr(info, content if isinstance(content, bytes) else content.read_bytes())
    return buffer.getvalue()
