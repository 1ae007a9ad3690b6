"""Conversion from one format to another; losses are counted, and refused unless ``lossy``."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from functools import partial
from itertools import islice
from typing import Any, NamedTuple, Unpack

from ..core.choices import SideName
from ..core.document import Document
from ..core.errors import InputError, OptionError, Warnings, amount
from ..core.format import FORMATS
from ..core.naming import FLAGS, check_names, check_values
from ..core.request import ReadingArguments
from ..llm.writer import TaggedArguments, TaggingOptions
from .detection import ReadingOptions, open_reader, word_tags
from .fitting import fitted
from .losses import LOSSES, Losses
from .source import DocumentReader, SkeletonReader, path_name
from .standoff.model import StandoffReader, stem_of
from .tables.columns import SIDES
from .target import Target, refuse_overwriting
from .writers import TAGGED, WRITERS, Writer, writer_for
from .writing import Origin


class Conversion(NamedTuple):
    """Counts of what was written and what was lost."""

    source_format: str
    target_format: str
    documents: int
    words: int
    entities: int
    mentions: int
    lost: dict[str, int]
    """Counts of losses that can change scores, by the names of ``LOSSES``; empty unless ``lossy``."""
    noted: dict[str, int]
    """Counts of losses that change no score."""
    warnings: tuple[str, ...]
    notes: tuple[str, ...]
    """The losses in words."""

    def __repr__(self) -> str:
        return f"<Conversion {self}>"

    def __str__(self) -> str:
        return (
            f"{amount(self.documents, 'document')}, {amount(self.mentions, 'mention')}"
            f" in {amount(self.entities, 'entity', 'entities')} ({self.source_format} to {self.target_format})"
        )


def convert(
    source_path: str | os.PathLike[str],
    target_path: str | os.PathLike[str],
    *,
    to: str | None = None,
    from_format: str | None = None,
    side: SideName = "key",
    lossy: bool = False,
    **printed: Unpack[TaggedArguments],
) -> Conversion:
    """Write a file in another format, or in the canonical form of its own.

    Parameters
    ----------
    source_path
        A file in any format that can be read, plain or compressed; ``-`` is standard input.
    target_path
        Where to write; compressed if it ends in .gz, .xz or .bz2; ``-`` is standard output. The file is written whole
        or not at all.
    to
        ``corefud``, ``ua``, ``conll``, ``jsonl``, ``clusters``, ``brat``, ``webanno``, ``label-studio`` or
        ``tagged``; by default the extension of the path sets the format.
    from_format
        The format of the source; by default it is detected.
    side
        ``key`` or ``response``: which of the two is read from a source that has both.
    lossy
        Write even if the losses can change scores.
    **printed
        For text that language models read and print. Where it is read, ``skeleton``, ``style``, ``unclosed``,
        ``reading`` and ``repair``: the file that has its words, which is needed, and how it is read, as for
        :func:`~corefscope.score`; over CorefUD, every column and attribute of the skeleton stays but its coreference.
        Where it is written, ``style``: ``crac`` (the default), ``xml``, ``markdown``, ``colon``, ``seq2seq``,
        ``corefinst`` or ``json``; ``zeros="drop"`` to leave zeros out, ``blind=True`` to write no tags, and
        ``masked=True`` (``markdown``, ``corefinst``) no entities.

    Raises
    ------
    InputError
        If the source is malformed, if something would be lost, or if the target cannot be written.
    OptionError
        If a format is unknown or the extension of the target sets none.
    """
    OptionError.check("side", side, SIDES)
    source, target = path_name(source_path), path_name(target_path)
    arguments: dict[str, Any] = {**printed}
    check_values({"lossy": lossy, "blind": arguments.get("blind"), "masked": arguments.get("masked")})
    tagging = {name: arguments.pop(name, None) for name in TaggingOptions._fields}
    tagging = {name: value for name, value in tagging.items() if not (value is None or (name in FLAGS and not value))}
    row = writer_for(target, to, **tagging)
    reading = arguments if row.name == TAGGED else {**arguments, "style": tagging.get("style")}
    reading = check_names(reading, ReadingArguments.__annotations__)
    companion = _companion_path(row, target)
    outputs = [target, companion] if companion else [target]
    skeleton = arguments.get("skeleton")
    inputs = [source, *([skeleton] if isinstance(skeleton, str | os.PathLike) else [])]
    for path in outputs:
        refuse_overwriting(path, inputs, InputError)
    warnings, losses = Warnings(), Losses()
    counts: Counter[str] = Counter()
    source_format, reader = open_reader(source_path, from_format, warnings, side, ReadingOptions.of(reading))
    try:
        with Target(target) as file, Target(companion) if companion else nullcontext() as beside:
            for text in _pieces(reader, source_format, row, losses, counts, warnings, beside):
                file.write(text)
            if row.needs_words and not counts["words"] and source_format != row.name:
                raise InputError(f"holds no words, which {row.name} needs", path=reader.source.name)
            if losses.refused and not lossy:
                raise InputError(
                    f"{row.name} cannot hold {losses.listed(losses.refused)}",
                    path=reader.source.name,
                    hint=f"--lossy (lossy=True) writes it anyway: {losses.instead()}",
                )
            if isinstance(reader, StandoffReader):
                for path in outputs:
                    refuse_overwriting(path, reader.companions, InputError)
            if beside:
                file.complete()
                beside.complete()
    finally:
        reader.source.close()
    return Conversion(
        source_format,
        row.name,
        counts["documents"],
        counts["words"],
        counts["entities"],
        counts["mentions"],
        losses.refused,
        losses.noted,
        tuple(warnings),
        tuple(_notes(row, losses)),
    )


def _companion_path(row: Writer, target: str) -> str:
    """The path of the second file that some formats need beside the first; empty for others."""
    if row.companion is None:
        return ""
    path = stem_of(target) + row.companion[0]
    is_file = os.path.isfile(target) or not os.path.exists(target)
    if target == "-" or not is_file or path == target:
        where = "standard output" if target == "-" else target
        example = " or ".join(f"a{suffix}" for suffix in row.suffixes)
        raise OptionError(f"{row.name} needs two files, which {where} cannot be: name the first, such as {example}")
    return path


def _pieces(
    reader: DocumentReader,
    source_format: str,
    row: Writer,
    losses: Losses,
    counts: Counter[str],
    warnings: Warnings,
    beside: Target | None,
) -> Iterator[str]:
    if row.imprint and isinstance(reader, SkeletonReader) and reader.over_corefud:
        return row.imprint(_counted(reader, counts), losses)
    if source_format == row.name and row.rewrite:
        return row.rewrite(reader, _counted(reader, counts), warnings)
    documents: Iterable[Document] = fitted(_with_words(reader, row) if row.needs_words else reader, row, losses)
    origin = _origin(reader, source_format, row)
    if row.companion and beside:
        documents = list(islice(documents, 2))  # a second one is refused
        for text in row.companion[1](documents, origin):
            beside.write(text)
    return row.write(_counted(documents, counts), origin, losses)


def written_in(format_: str, documents: Iterable[Document], reader: DocumentReader, losses: Losses) -> Iterator[str]:
    """Write documents in the format of the file they were read from, with new entities and relations."""
    row = WRITERS[format_]
    return row.write(fitted(documents, row, losses), _origin(reader, format_, row), losses)


def _origin(reader: DocumentReader, source_format: str, row: Writer) -> Origin:
    source_row = FORMATS[source_format]
    return Origin(
        source_format == row.name, partial(word_tags, source_row), reader.has_heads, source_row.layers.has_upos
    )


def _with_words(reader: DocumentReader, row: Writer) -> Iterator[Document]:
    for document in reader:
        if document.entities and not document.sentences:
            raise InputError(
                f"holds ids of mentions but no words, which {row.name} needs",
                path=reader.source.name,
                hint="convert the file that has the words; clusters of ids can be scored without conversion",
            )
        yield document


def _counted(documents: Iterable[Document], counts: Counter[str]) -> Iterator[Document]:
    """Count documents as they pass."""
    for document in documents:
        counts["documents"] += 1
        counts["words"] += sum(len(sentence.words) for sentence in document.sentences)
        counts["entities"] += len(document.entities)
        counts["mentions"] += sum(map(len, document.entities))
        yield document


def _notes(row: Writer, losses: Losses) -> Iterator[str]:
    if losses.refused:
        entities = amount(losses.entities, "entity", "entities")
        gone = f"; {entities} had only such mentions" if losses.entities else ""
        yield f"lost in {row.name}: {losses.listed(losses.refused)} ({losses.instead()}){gone}"
    for name, times in losses.noted.items():
        yield f"not in {row.name}: {losses.listed({name: times})} ({LOSSES[name].instead})"
