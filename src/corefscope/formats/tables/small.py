"""Small tables beside the files that are scored: CSV or TSV with a header, of which some columns are read."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence

from ...core.errors import InputError
from ..source import read_text

DELIMITERS = ",\t;"


def read_cells(path: str, columns: Mapping[str, Sequence[str]], hint: str) -> Iterator[tuple[int, list[str]]]:
    """The line and the cells of each row that is not blank, without blanks around them.

    ``columns`` has the names that each column may have; one that may be absent, or empty, has "" among them. A cell
    that is empty otherwise is an InputError.
    """
    lines = read_text(path).split("\n")
    header_line = next((line for line in lines if line.strip()), "")
    rows = csv.reader(lines, delimiter=max(DELIMITERS, key=header_line.count))
    try:
        header = [name.strip().casefold() for name in next(filter(None, rows), [])]
        places = []
        for column, names in columns.items():
            place = next((header.index(name.casefold()) for name in names if name.casefold() in header), -1)
            if place < 0 and "" not in names:
                message = f"has no column {column!r}; found {', '.join(map(repr, header[:20]))}"
                raise InputError(message, path=path, line=rows.line_num, hint=hint)
            places.append(place)
        for row in filter(None, rows):
            cells = [row[place].strip() if 0 <= place < len(row) else "" for place in places]
            for (column, names), cell in zip(columns.items(), cells, strict=True):
                if not cell and "" not in names:
                    raise InputError(f"the cell of the {column} is empty", path=path, line=rows.line_num, hint=hint)
            yield rows.line_num, cells
    except csv.Error as error:
        raise InputError(f"is not CSV: {error}", path=path, line=rows.line_num, hint=hint) from None
