"""What an engine has found in tables, in words: errors, with examples and what to do; or warnings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ...base.errors import InputError, Warnings, amount
from ...read.corpus import Input
from ..mention_overlap import SideMentions, warn_of_mentions
from ..rules import RULES
from .sides import BothSides

if TYPE_CHECKING:
    from ...count.engines.facts import Facts, Repeated, SideFacts

ONE_OWNER = " or ".join(name for name, rules in RULES.items() if rules.one_owner)


def check_facts(facts: Facts, sides: BothSides, response: str, duplicates: str, rules: str) -> Warnings:
    """What is odd; an error if something is wrong. ``response`` is the column that the facts are of."""
    warnings = Warnings()
    names = sides.names[0], sides.names[1] + (f" ({response})" if len(sides.response.entities) > 1 else "")
    both = list(zip(names, (facts.key, facts.response), (sides.key, sides.response), strict=True))
    for (name, side, table), entity in zip(both, (sides.key.entities[0], response), strict=True):
        _check_rows(name, side, {**table.columns(), "entity": entity}, sides.in_one_table)
    for name, side, _ in both:
        _check_repeats(name, side, duplicates, rules, warnings)
    for role, key, response in facts.cast:
        message = f"the {role} is {response} here, but {key} in the key: both are compared as text"
        warnings.add("types", names[1], 0, message)
    for name, side, _ in both:
        if side.lacks:
            message = f"{amount(side.lacks, 'document')} missing, such as {side.lacking!r}: taken for empty"
            warnings.add("absent", name, 0, message)
    if not facts.common:
        examples = [" in document ".join(map(repr, reversed(side.example))) for _, side, _ in both]
        message = (
            f"no mention of the response is one of the key: {examples[1]} is one here, {examples[0]} one of the key."
            " Are ids written alike?"
        )
        warnings.add("nothing in common", names[1], 0, message)
    else:
        mentions = map(SideMentions, names, facts.mentions, facts.mentions)
        warn_of_mentions(warnings, *mentions, matched=facts.common, ids_in_common=facts.common)
    return warnings


def _check_rows(name: str, side: SideFacts, columns: Mapping[str, str], in_one_table: bool) -> None:
    if not side.rows:
        raise InputError("has no rows", path=name, hint="a row is needed for each mention")
    for role, rows in side.missing.items():
        hint = "each row must name its mention and entity: select the rows that do"
        if in_one_table and role == "entity":
            hint += "; if a side lacks mentions that the other has, give two tables"
        what = f"{amount(rows, 'row')} of {side.rows:,} without {role}"
        raise InputError(f"{what}: the column {columns[role]!r} is empty there", path=name, hint=hint)


def _check_repeats(name: str, side: SideFacts, duplicates: str, rules: str, warnings: Warnings) -> None:
    """Repeated mentions are an error, unless somebody has said what is to become of them."""
    examples = "; ".join(map(_described, side.repeated))
    if side.several:
        message = f"{amount(side.several, 'mention')} in several entities"
        if duplicates != "largest":
            raise InputError(f"{message}: {examples}", path=name, hint=_what_to_do(rules))
        warnings.add("two entities", name, 0, f"{message}, each taken for one of the largest: {examples}")
    if side.again:
        message = f"{amount(side.again, 'mention')} more than once in the same entity"
        if duplicates == "error":
            raise InputError(f"{message}: {examples}", path=name, hint="to count each once: --duplicates drop-equal")
        warnings.add("again", name, 0, f"{message}, counted once: {examples}")


def _what_to_do(rules: str) -> str:
    if RULES[rules].one_owner:
        return "to keep each in the largest of its entities only: --duplicates largest"
    return (
        f"rules {rules} count them in each, which is done in memory only: leave --engine out; or keep each in the"
        f" largest of its entities: --duplicates largest --rules {ONE_OWNER}"
    )


def _described(repeated: Repeated) -> str:
    """A mention, and where it stands."""
    document = f" of document {repeated.document!r}" if repeated.document else ""
    entities = " and ".join(map(repr, repeated.entities))
    rows = f" ({repeated.times} rows)" if repeated.times > 2 else ""
    return f"{repeated.mention!r}{document} in {entities}{rows}"


def inputs_of(facts: Facts, sides: BothSides, response: str) -> list[Input]:
    """What was read of both sides, by what, and from which columns."""
    inputs = []
    for name, side, table, entity in zip(
        sides.names,
        (facts.key, facts.response),
        (sides.key, sides.response),
        (sides.key.entities[0], response),
        strict=True,
    ):
        read = Input(name)
        read.formats["table"] = None
        read.documents, read.mentions = side.documents + side.lacks or 1, side.rows
        read.entities, read.singletons = side.entities, side.singletons
        read.engine = f"{sides.engine.name} {sides.engine.version}"
        named = {"document": table.document, "mention": table.mention, "entity": entity}
        read.columns = {role: column for role, column in named.items() if column}
        inputs.append(read)
    return inputs
