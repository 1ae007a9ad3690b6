"""Statements that choose cells for a best assignment. See :mod:`.statements` for their columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...scale.engines.sql import SIDES, Symbol, at_least_0

CELL = ("place", "key", "response", "n", "k", "r", "km", "rm")


def weighed(cells: str, weight: Any, margin: Any, where: str = "") -> str:
    """Cells that weigh more than 0, and by how much they outweigh what else their rows and columns can have."""
    look = [Symbol(name) for name in CELL[3:]]
    columns = [*CELL, f"CAST({weight(*look)} AS DOUBLE) AS weight"]
    columns.append(f"CAST({margin(weight, *look, at_least_0)} AS DOUBLE) AS margin")
    return f"(SELECT * FROM (SELECT {', '.join(columns)} FROM {cells} t{where}) u WHERE weight > 0)"


def certain(weighed: str, slack: float) -> str:
    """The cells that outweigh all else by more than that."""
    return f"SELECT {', '.join(CELL)} FROM {weighed} w WHERE margin > CAST('{slack}' AS DOUBLE)"


def leading(left: str) -> str:
    """The cells that weigh most in row and column, and at least as much as the second of both together."""
    ranks = []
    for side, other in (("key", "response"), ("response", "key")):
        over = f"OVER (PARTITION BY {side} ORDER BY weight DESC, {other})"
        ranks += [f"ROW_NUMBER() {over} AS {side}_rank", f"LEAD(weight) {over} AS {side}_next"]
    ranked = f"SELECT {', '.join([*CELL, 'weight', *ranks])} FROM {left} l"
    rivals = " + ".join([f"COALESCE({side}_next, 0)" for side, _ in SIDES])
    where = f"key_rank = 1 AND response_rank = 1 AND weight >= {rivals}"
    return f"SELECT {', '.join(CELL)} FROM ({ranked}) ranked WHERE {where}"


def not_touched(cells: str, taken: str) -> str:
    """The cells that share neither row nor column with those taken."""
    others = " AND ".join(
        [f"NOT EXISTS (SELECT 1 FROM {taken} {table} WHERE {table}.{side} = c.{side})" for side, table in SIDES]
    )
    return f"SELECT {', '.join([*CELL, 'weight'])} FROM {cells} c WHERE {others}"


def together(tables: Sequence[str]) -> str:
    """The cells of several tables."""
    return "(" + " UNION ALL ".join([f"SELECT {', '.join(CELL)} FROM {table} u" for table in tables]) + ")"
