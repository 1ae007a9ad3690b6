"""Names of columns of tables, as arguments give them: one for both sides, or one for each."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from ...core.errors import OptionError
from ...core.request import Column

SIDES = ("key", "response")
ROLES = ("document", "mention", "entity")
"""Contents of the columns of tables."""


class ColumnNames(NamedTuple):
    """The columns of tables that arguments name, by what they hold."""

    document: Column | None = None
    mention: Column | None = None
    entity: Column | None = None
    in_one_table: bool = False
    """Whether key and response are columns of one file, whose rows are the mentions."""

    @property
    def has_both_entities(self) -> bool:
        """Whether the entities of key and response are in columns of two names."""
        both = [self.of_side(side).get("entity") for side in SIDES]
        return all(both) and both[0] != both[1]

    def of_side(self, side: str, header: Collection[str] = ()) -> dict[str, str]:
        """The names for one side; a comma separates those of key and response, unless a column is called so.

        >>> ColumnNames(mention="id, record_id", entity=("person", None), document="").of_side("response")
        {'document': '', 'mention': 'record_id'}
        """
        named = {}
        for role, names in zip(ROLES, self[:3], strict=True):
            if isinstance(names, str) and names.count(",") == 1 and names not in header:
                names = [name.strip() or None for name in names.split(",")]
            name = names if isinstance(names, str) else names[side == "response"] if names else None
            if name is not None:
                named[role] = name
        return named


ANY_COLUMNS = ColumnNames()
"""No column is named."""


def columns_in(arguments: Mapping[str, Any]) -> ColumnNames:
    """The columns that arguments name; OptionError if they are no names."""
    named: dict[str, Any] = {role: arguments.get(f"{role}_column") for role in ROLES}
    for role, names in named.items():
        if isinstance(names, str):
            is_valid = names.strip(" ,") != "" or (role == "document" and not names)
        else:
            pair = names if isinstance(names, Sequence) and len(names) == len(SIDES) else [0]
            is_valid = names is None or all(name is None or isinstance(name, str) for name in pair)
        if not is_valid:
            raise OptionError(
                f"{role}_column is the name of a column, or two names, of the key's and the response's,"
                f" not {names!r:.60}"
            )
    return ColumnNames(**named)
