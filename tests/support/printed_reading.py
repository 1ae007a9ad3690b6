"""All that is read of a printed file, to compare two ways of reading it."""

from __future__ import annotations

from io import BytesIO
from typing import Any

from corefscope.core.errors import InputError, Warnings
from corefscope.formats.corefud.reader import CorefUDReader
from corefscope.formats.source import Source
from corefscope.llm.options import PrintedOptions
from corefscope.llm.reader import TaggedReader


def printed_reading(key: str, text: str, **options: str) -> list[Any]:
    """Documents, copy reports and warnings; or the error."""
    warnings = Warnings()
    reader = TaggedReader(Source("out.txt", BytesIO(text.encode())), warnings)
    reader.read_as(PrintedOptions.of(options))
    reader.share_layout_with(CorefUDReader(Source("key.conllu", BytesIO(key.encode())), Warnings()))
    try:
        documents = list(reader)
    except InputError as error:
        return [str(error)]
    return [
        *((each.id, each.entity_ids, each.entities, [s.line for s in each.sentences]) for each in documents),
        *((each.copied.style, each.copied.words, each.copied.tags, each.copied.doubtful) for each in documents),
        *((each.copied.explained, each.copied.tags_of_any_style, each.copied.cut_off) for each in documents),
        [reader.line_of_document(number) for number in range(len(documents))],
        *warnings,
    ]
