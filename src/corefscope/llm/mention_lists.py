"""Answers that list the mentions of each entity instead of copying the text: JSON, tables, and lines of a list.

What is read, with prose and code fences around it:

- **JSON**, also with single quotes, with parentheses for lists, or cut off: lists of lists of strings; objects by id
  or name, ``{"1": ["Ann", "her"]}``; objects with their mentions, ``{"name": "Ann", "mentions": [...]}``; one object
  for each mention, ``{"mention": "Ann", "entity": 1}``. A mention is a string, an object with a text or with offsets
  or with both, or a pair of offsets.
- **Tables** of Markdown: a column of mentions, several or one in a cell, and a column of entities.
- **Lines**: bullets and numbered lines, with a label or without (``- Ann: Ann, her``), labels without a bullet
  (``Entity 1: Ann, her``), and headings with a bullet for each mention. Mentions are separated by semicolons, commas
  or the like, or in quotes.

The words of the key decide what is a list: a line that is a passage of the text is none, a part between commas that
does not occur is joined with the next one, and what has no string of the text is chatter. If no entity lists its own
name, and names occur in the text, a name is the first mention of its entity.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ..formats.jsonl.json_text import JsonError, value_at
from .locating import KeyText, ListedEntity, ListedMention, Located, fold, locate
from .printed_json import JsonSalvage

LISTS, BULLETS, TABLE = "lists", "bullets", "table"


class ListStyle(NamedTuple):
    """One way to list mentions."""

    name: str
    title: str
    example: str


LIST_STYLES: dict[str, ListStyle] = {
    row.name: row
    for row in (
        ListStyle(LISTS, "JSON: the mentions of each entity as strings", '[["Ann", "her"], ["her dog"]]'),
        ListStyle(BULLETS, "lines: an entity and its mentions", '- Ann: "Ann", "her"\n- dog: "her dog"'),
        ListStyle(
            TABLE, "Markdown table of mentions", "| Entity | Mentions |\n|---|---|\n| 1 | Ann; her |\n| 2 | her dog |"
        ),
    )
}


class MentionList(NamedTuple):
    """The mentions of an answer, and where they are in the key."""

    style: str
    entities: list[ListedEntity]
    located: Located


DOCUMENT_FIELDS = ("doc_key", "doc_id", "document_id", "document", "id")
_LIST_LIKE = re.compile(
    r"(?m)^[^\S\n]*(?:[-*+•‣◦▪–—]|\(?[0-9]{1,4}[.):]|\#{1,6}\s|\||[\[{(\"“'`])|^[^:=→|,;\n]{1,160}(?:[:=→|,;]|->)"
)
MAX_LENGTH, MAX_SHARE = 100_000, 20
"""Maximum number of characters of a list: so many, and so many for each character of the key."""
MIN_ADVANTAGE = 0.75
"""JSON is preferred to tables, and tables to lines, unless the latter find many more mentions."""
Parser = Callable[[str, KeyText], list[ListedEntity]]


def read_list(text: str, key: KeyText, style: str = "") -> MentionList | None:
    """The list in an answer, if it has one; of several ways to read it, the one that finds most mentions."""
    parsers: dict[str, Parser] = {LISTS: read_json, TABLE: read_table, BULLETS: read_lines}
    best: MentionList | None = None
    if len(text) > MAX_LENGTH + MAX_SHARE * key.size:
        return None
    for name, parse in parsers.items():
        if style and name != style:
            continue
        found = _located(name, parse(text, key), key)
        if found is None:
            continue
        if best is None or MIN_ADVANTAGE * _hits(found) > _hits(best):
            best = found
    return best


def _located(style: str, entities: list[ListedEntity], key: KeyText) -> MentionList | None:
    """The list with the places of its mentions, if most of them are found."""
    if not entities:
        return None
    found = MentionList(style, entities, locate(with_names(entities, key), key))
    return found if found.located.found > len(found.located.missing) else None


def read_lists(text: str, names: Sequence[str], keys: Sequence[KeyText]) -> dict[int, MentionList]:
    """The lists of several documents in JSON, by the numbers of the documents.

    There is one value for each document, in order or with its name; or an object that has one by name.
    """
    values = list(json_values(text))
    if len(values) == 1 and isinstance(values[0], dict) and not {*names}.isdisjoint(values[0]):
        by_number = {number: values[0][name] for number, name in enumerate(names) if name in values[0]}
    else:
        if len(values) == 1 and isinstance(values[0], list):
            values = values[0]
        numbers = {name: number for number, name in enumerate(names)}
        named = {
            numbers[id_]: value
            for value in values
            if isinstance(value, dict)
            for field in DOCUMENT_FIELDS
            if isinstance(id_ := value.get(field), str) and id_ in numbers
        }
        by_number = named or (dict(enumerate(values)) if len(values) == len(names) else {})
    found = {number: _located(LISTS, entities_of(value), keys[number]) for number, value in by_number.items()}
    return {number: each for number, each in found.items() if each is not None}


def may_have_list(text: str) -> bool:
    """Whether a line begins like JSON, a table or a list, or has a label; most copies of texts have none of these."""
    return _LIST_LIKE.search(text) is not None


def _hits(found: MentionList) -> int:
    """Number of mentions that were found, less those that were not."""
    return found.located.found - len(found.located.missing)


def with_names(entities: Sequence[ListedEntity], key: KeyText) -> list[ListedEntity]:
    """The entities with their names as first mentions, if no entity lists its name and some names occur."""
    named = [entity for entity in entities if entity.name and entity.mentions]
    if any(fold(entity.name) in {fold(mention.text) for mention in entity.mentions} for entity in named):
        return [*entities]
    return [
        ListedEntity(entity.name, [ListedMention(entity.name), *entity.mentions])
        if entity.name and key.find(entity.name) and not entity.name.isdigit()
        else entity
        for entity in entities
    ]


# ------------------------------------------------------------------ JSON

_BEGINNING = re.compile(r"[\[{](?=\s{0,99}[\"'\[{(\]}0-9])|\((?=\s{0,99}[\"'\[({])")
_STRING_OR_PARENTHESIS = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|[()]", re.DOTALL)
_WRAPPED = '{"x": '
MAX_FAILURES = 200
"""Maximum number of places that look like the beginning of JSON and are none."""
MAX_DEPTH = 12
"""Maximum depth of lists and objects around mentions."""
MENTION_FIELDS = (
    *("mentions", "references", "members", "spans", "expressions", "occurrences", "coreferences"),
    *("coreferent_mentions", "coreferring_mentions", "elements", "items", "words", "phrases", "aliases"),
)
TEXT_FIELDS = (
    "text",
    "mention",
    "string",
    "span",
    "phrase",
    "surface",
    "expression",
    "form",
    "word",
    "token",
    "value",
)
NAME_FIELDS = (
    *("name", "canonical_name", "canonical", "representative", "representative_mention", "label", "title", "entity"),
    *("referent", "entity_name", "main_mention", "head"),
)
ID_FIELDS = (
    *(
        "entity_id",
        "cluster_id",
        "chain_id",
        "coref_id",
        "group_id",
        "entity",
        "cluster",
        "chain",
        "group",
        "referent",
    ),
    *("refers_to", "entity_name", "coref", "id"),
)
STARTS = ("start", "begin", "start_offset", "start_index", "start_idx", "from", "first")
ENDS = ("end", "stop", "end_offset", "end_index", "end_idx", "to", "last")
_UNITS = {"char": "characters", "token": "words", "word": "words"}


def read_json(text: str, key: KeyText) -> list[ListedEntity]:  # noqa: ARG001
    """The entities in the JSON values of an answer; of several lists of entities, those of the longest."""
    flat: list[ListedEntity] = []
    nested: list[list[ListedEntity]] = []
    for value in json_values(text):
        entities = [entity for entity in entities_of(value) if entity.mentions]
        if len(entities) == 1:
            flat += entities
        elif entities:
            nested.append(entities)
    longest = max(nested, key=lambda entities: sum(len(entity.mentions) for entity in entities), default=[])
    return longest or flat


def json_values(text: str) -> Iterator[object]:
    """The JSON values in a text that are lists or objects; what is whole of broken ones."""
    at = failures = 0
    while (start := _BEGINNING.search(text, at)) and failures < MAX_FAILURES:
        try:
            found = value_at(text, start.start())
            at = found.end
            yield found.value
        except JsonError:
            failures += 1
            salvaged = JsonSalvage(_WRAPPED + _with_brackets(text[start.start() :]), 0)
            value = salvaged.value.get("x")
            if isinstance(value, list | dict) and value:
                at = max(start.end(), start.start() + salvaged.end - len(_WRAPPED))
                yield value
            else:
                run = re.compile(r"[\[{(\s]+").match(text, start.start())
                at = run.end() if run else start.end()


def _with_brackets(text: str) -> str:
    """The text with brackets for the parentheses that are not in strings."""
    return _STRING_OR_PARENTHESIS.sub(lambda part: {"(": "[", ")": "]"}.get(part[0], part[0]), text)


def entities_of(value: object, name: str = "", depth: int = 0) -> list[ListedEntity]:
    """The entities of a JSON value.

    >>> entities_of({"1": ["Ann", "her"]})
    [ListedEntity(name='1', mentions=[ListedMention(text='Ann', start=None, end=None, unit=''), \
ListedMention(text='her', start=None, end=None, unit='')])]
    """
    if depth > MAX_DEPTH:
        return []
    if isinstance(value, dict):
        return _of_object(value, name, depth)
    if not isinstance(value, list):
        return []
    rows = [row for row in map(_row, value) if row is not None]
    if rows and len(rows) == len(value):
        return _grouped(rows)
    mentions = [mention for mention in map(mention_of, value) if mention is not None]
    if mentions and len(mentions) == len(value):
        return [ListedEntity(name, mentions)]
    return [entity for each in value for entity in entities_of(each, "", depth + 1)]


def _of_object(value: Mapping[str, object], name: str, depth: int) -> list[ListedEntity]:
    for field in MENTION_FIELDS:
        inner = _field(value, field)
        if isinstance(inner, str):
            inner = split_items(inner)
        if isinstance(inner, list):
            own = next((str(named) for each in NAME_FIELDS if _is_name(named := _field(value, each))), name)
            return entities_of(inner, own, depth + 1)
    members = {label: each for label, each in value.items() if isinstance(each, list | dict) and each}
    if len(members) == 1 and _CONTAINER.fullmatch(next(iter(members))):
        return entities_of(next(iter(members.values())), "", depth + 1)
    entities: list[ListedEntity] = []
    for label, each in members.items():
        entities += entities_of(each, label, depth + 1)
    strings = {label: each for label, each in value.items() if isinstance(each, str) and each.strip()}
    if strings and not members:
        if any(len(split_items(each)) > 1 for each in strings.values()):
            return [ListedEntity(label, [*map(ListedMention, split_items(each))]) for label, each in strings.items()]
        return _grouped([(target, ListedMention(source)) for source, target in strings.items()], with_names=True)
    return entities


_CONTAINER = re.compile(
    r"(?i)(?:coref\w*|clusters?|entit(?:y|ies)|chains?|groups?|results?|outputs?|answers?|data|response|annotations?"
    r"|documents?|links?|\w*_(?:clusters|entities|chains|mentions))"
)
"""The only member of an object that is called so is no entity, but holds them."""


def _field(value: Mapping[str, object], name: str) -> object:
    """A field, in whatever case."""
    if name in value:
        return value[name]
    return next((each for label, each in value.items() if label.lower().replace(" ", "_") == name), None)


def _is_name(value: object) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool) and value != ""


def mention_of(value: object) -> ListedMention | None:
    """A mention in JSON: a string, an object with a text or offsets, or a pair of offsets; else None."""
    if isinstance(value, str):
        return ListedMention(value) if value.strip() else None
    if isinstance(value, list):
        texts = [each for each in value if isinstance(each, str)]
        numbers = [each for each in value if type(each) is int]
        if len(numbers) == 2 and len(texts) <= 1 and len(value) == 2 + len(texts):
            return ListedMention(texts[0] if texts else "", numbers[0], numbers[1])
        return None
    if not isinstance(value, dict):
        return None
    text = next((each for field in TEXT_FIELDS if isinstance(each := _field(value, field), str)), "")
    start, end, unit = _offsets(value)
    return ListedMention(text, start, end, unit) if text or start is not None else None


def _offsets(value: Mapping[str, object]) -> tuple[int | None, int | None, str]:
    """Start and end of a mention, and what they count if the names of the fields say so."""
    found: dict[str, tuple[int, str]] = {}
    for label, each in value.items():
        plain = label.lower().replace(" ", "_")
        unit = next((title for part, title in _UNITS.items() if part in plain), "")
        plain = re.sub(r"_?(?:char(?:acter)?|token|word)s?_?", "", plain)
        if type(each) is int:
            for side, names in (("start", STARTS), ("end", ENDS)):
                if plain in names:
                    found.setdefault(side, (each, unit))
        elif isinstance(each, list) and len(each) == 2 and all(type(number) is int for number in each):
            found.setdefault("start", (each[0], unit))
            found.setdefault("end", (each[1], unit))
    if len(found) < 2:
        return None, None, ""
    return found["start"][0], found["end"][0], found["start"][1]


def _row(value: object) -> tuple[str, ListedMention] | None:
    """The entity and the mention of an object for one mention; None if it is none."""
    if not isinstance(value, dict) or any(isinstance(_field(value, field), list) for field in MENTION_FIELDS):
        return None
    mention = mention_of(value)
    entity = next((each for field in ID_FIELDS if _is_name(each := _field(value, field))), None)
    if mention is None or entity is None or (entity == mention.text and "entity" not in value):
        return None
    return str(entity), mention


def _grouped(rows: Sequence[tuple[str, ListedMention]], *, with_names: bool = False) -> list[ListedEntity]:
    """The mentions of rows by entity; ``with_names``: the entity is a mention, too."""
    groups: dict[str, list[ListedMention]] = {}
    names: dict[str, str] = {}
    for entity, mention in rows:
        names.setdefault(fold(entity), entity)
        first = [ListedMention(entity)] if with_names else []
        groups.setdefault(fold(entity), first).append(mention)
    return [ListedEntity(names[entity], mentions) for entity, mentions in groups.items()]


# ------------------------------------------------------------------ strings

_QUOTED = re.compile(
    r"\"([^\"\n]{1,400})\"|“([^”\n]{1,400})”|„([^“”\n]{1,400})[“”]|«([^»\n]{1,400})»|`([^`\n]{1,400})`"
    r"|(?<!\w)'([^'\n]{1,400}(?:'\w[^'\n]{0,100})?)'(?!\w)|‘([^’\n]{1,400}(?:’\w[^’\n]{0,100})?)’(?!\w)"
)
_TIMES = re.compile(r"\s*[(\[]?\s*(?:[x×]\s?([0-9]{1,3})|([0-9]{1,3})\s?(?:[x×]|times)|(twice))\s*[)\]]?\s*\Z", re.I)
_SEPARATORS = (
    r"\s*(?:;|<br\s*/?>|\n)\s*",
    r"\s+\|\s+|\|",
    r"\s*(?:→|->|=>|⟶)\s*",
    r"\s+=\s+",
    r"\s*,\s+|,(?=\D)",
    r"\s+/\s+",
)


def split_items(text: str, key: KeyText | None = None, *, is_one: bool = False) -> list[str]:
    """The strings that a text lists: in quotes, or separated.

    ``is_one``: the text is probably one mention, which may have commas in it.

    >>> split_items('"Ann", "her dog" and "she" (x2)'), split_items("Ann; her; it, too"), split_items("{Ann, her}")
    (['Ann', 'her dog', 'she', 'she'], ['Ann', 'her', 'it, too'], ['Ann', 'her'])
    """
    text = text.strip()
    quoted = list(_QUOTED.finditer(text))
    if quoted and not (key is not None and key.find(text)):
        strings: list[str] = []
        for number, each in enumerate(quoted):
            string = next(filter(None, each.groups()))
            behind = text[each.end() : quoted[number + 1].start() if number + 1 < len(quoted) else len(text)]
            strings += _repeated(string, behind.rstrip(" ,;&"))
            if is_one:
                break
        return strings
    if len(text) > 1 and text[0] + text[-1] in ("[]", "{}", "()"):
        text = text[1:-1].strip()
    if is_one and key is not None and key.knows(text):
        return [text]
    for separator in _SEPARATORS:
        parts = [part for part in re.split(separator, text) if part]
        if len(parts) > 1:
            break
    else:
        parts = [text] if text else []
    if key is not None:
        parts = _joined(parts, key)
    return [string for part in parts for string in _times(part)]


def _joined(parts: list[str], key: KeyText) -> list[str]:
    """Parts that do not occur, joined with the next ones if they then do, or split at ``and``."""
    found: list[str] = []
    at = 0
    while at < len(parts):
        part, size = parts[at], 1
        if not key.knows(part):
            wider = ((", ".join(parts[at : at + n]), n) for n in range(2, min(6, len(parts) - at) + 1))
            part, size = next((each for each in wider if key.find(each[0])), (part, 1))
        at += size
        pieces = [re.sub(r"\A(?:and|und|et|y|&)\s+", "", piece) for piece in re.split(r"\s+(?:and|&)\s+", part)]
        split = size == 1 and not key.knows(part) and all(map(key.knows, pieces))
        stripped = re.sub(r"\A(?:and|&)\s+", "", part)
        found += pieces if split else [stripped if stripped != part and key.knows(stripped) else part]
    return found


def _times(part: str) -> list[str]:
    times = _TIMES.search(part)
    return _repeated(part[: times.start()], times[0]) if times and times.start() else [part]


def _repeated(string: str, behind: str) -> list[str]:
    """The string as often as a remark behind it says: ``(x2)``, ``2 times``."""
    times = _TIMES.fullmatch(behind) if behind else None
    return [string] * (1 if times is None else 2 if times[3] else max(1, int(times[1] or times[2])))


# ------------------------------------------------------------------ tables

_ROW = re.compile(r"[^\S\n]*\|?(?P<cells>[^\n]*\|[^\n]*?)\|?[^\S\n]*")
_RULE = re.compile(r"[\s|:+=-]+")
_MENTION_HEAD = re.compile(r"(?i)mention|expression|reference|span|text|phrase|member|word|string|pronoun|occurrence")
_ENTITY_HEAD = re.compile(
    r"(?i)entity|cluster|chain|group|referent|refers|\bid\b|coref|antecedent|name|#|person|no\.?$"
)


def read_table(text: str, key: KeyText) -> list[ListedEntity]:
    """The entities of the tables of an answer: of cells with the same entity, the mentions."""
    rows: list[tuple[str, ListedMention]] = []
    for head, body in _tables(text):
        width = max(map(len, [head, *body]))
        body = [[*row, *[""] * (width - len(row))] for row in body]
        mentions = _mention_column(head, body, key)
        if mentions is None:
            continue
        entities = _entity_column(head, body, mentions, width)
        given = [row[entities] for row in body] if entities is not None else []
        has_own_rows = len({*given}) == len(given)
        latest = ""
        for number, row in enumerate(body):
            own = _unmarked(row[entities]) if entities is not None else str(number)
            latest = own or latest
            strings = split_items(_unmarked(row[mentions]), key, is_one=not has_own_rows)
            rows += [(latest, ListedMention(string)) for string in strings]
    return _grouped(rows)


def _tables(text: str) -> Iterator[tuple[list[str], list[list[str]]]]:
    """Header and rows of each table: lines with bars, the second of which is a rule or not there."""
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        end = at
        while end < len(lines) and "|" in lines[end] and _ROW.fullmatch(lines[end]):
            end += 1
        if end - at >= 2 and lines[at].count("|") >= 1:
            cells = [_cells(line) for line in lines[at:end]]
            rules = [number for number, line in enumerate(lines[at:end]) if _RULE.fullmatch(line) and "-" in line]
            body = [row for number, row in enumerate(cells[1:], 1) if number not in rules]
            is_headed = 1 in rules or any(_MENTION_HEAD.search(cell) for cell in cells[0])
            if body:
                yield (
                    (cells[0], body)
                    if is_headed
                    else ([], [row for number, row in enumerate(cells) if number not in rules])
                )
        at = max(end, at + 1)


def _cells(line: str) -> list[str]:
    row = _ROW.fullmatch(line)
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", row["cells"] if row else line)]


def _unmarked(cell: str) -> str:
    """A cell without emphasis."""
    return re.sub(r"\*{1,3}|_{2,3}", "", cell).strip()


def _mention_column(head: Sequence[str], body: Sequence[Sequence[str]], key: KeyText) -> int | None:
    """The column whose cells hold strings of the text, that of a fitting name first."""
    width = len(body[0])
    scores: dict[int, tuple[bool, int]] = {}
    for column in range(width):
        cells = [_unmarked(row[column]) for row in body]
        strings = [string for cell in cells for string in split_items(cell, key)]
        known = sum(map(key.knows, strings))
        if strings and 2 * known >= len(strings):
            named = bool(column < len(head) and _MENTION_HEAD.search(head[column]))
            scores[column] = named, known
    return max(scores, key=lambda column: (scores[column], column), default=None)


def _entity_column(head: Sequence[str], body: Sequence[Sequence[str]], mentions: int, width: int) -> int | None:
    """The column that tells entities apart: by its name, or the first other one that is filled."""
    others = [column for column in range(width) if column != mentions]
    named = [column for column in others if column < len(head) and _ENTITY_HEAD.search(head[column])]
    repeated = [column for column in named if len({row[column] for row in body}) < len(body)]
    return next(iter(repeated or named or others), None)


# ------------------------------------------------------------------ lines

_LINE = re.compile(
    r"(?P<indent>[^\S\n]*)(?P<bullet>(?:(?:[-*+•‣◦▪–—>]|\(?[0-9]{1,4}[.)]|\(?[A-Za-z][.)]|\#{1,6})[^\S\n]+){0,2})(?P<body>.*)"
)
_LABELLED = re.compile(
    r"(?P<label>\"[^\"]{1,80}\"|“[^”]{1,80}”|[^:=→\"“\[{|;,]{1,80}?(?:\([^()]{1,80}\))?)[^\S\n]*"
    r"(?P<sign>:|=|→|->|=>|⟶|[^\S\n][-–—](?=[^\S\n]))(?P<rest>.*)"
)
_ID_LABEL = re.compile(
    r"(?i)\W*(?:(?:entity|cluster|chain|group|person|coref\w*|set|mention cluster)\b.{0,80}|\w?[0-9]{1,4})\W*"
)
_GENERIC = re.compile(
    r"(?i)\W*(?:all )?(?:mentions?|references?|pronouns?|aliases|nouns?|names?|expressions?|members?|coref\w*)"
    r"(?: mentions?)?\W*"
)
MAX_LINES = 20_000
"""Maximum number of lines that are read of an answer."""


class _ListLine(NamedTuple):
    """A line of a list."""

    indent: int
    has_bullet: bool
    label: str
    items: list[str]
    body: str
    is_heading: bool = False


class _LineEntity(NamedTuple):
    """An entity: its first line, and the strings of the lines below it."""

    line: _ListLine
    below: list[str]

    def strings(self) -> list[str]:
        """All strings; those of the first line are a name if they are listed again below."""
        if {*map(fold, self.line.items)} <= {*map(fold, self.below)}:
            return self.below
        return [*self.line.items, *self.below]

    def label(self) -> str:
        """Its label, with what the first line has behind it if mentions are below."""
        if not self.below or not self.line.items:
            return self.line.label
        return ", ".join(self.line.items) if self.strings() is self.below else self.line.label


def read_lines(text: str, key: KeyText) -> list[ListedEntity]:
    """The entities of bullets, numbered lines, labelled lines, and headings with a line for each mention."""
    entities: list[_LineEntity] = []
    for raw in text.split("\n")[:MAX_LINES]:
        if not raw.strip():
            continue
        line = _list_line(raw, key)
        above = entities[-1].line if entities else None
        is_generic = _GENERIC.fullmatch(line.label) is not None
        is_child = above is not None and (
            line.indent > above.indent or (line.has_bullet and not above.has_bullet) or is_generic
        )
        if is_child and line.label and not is_generic:
            if key.knows(line.label) and not any(map(key.knows, line.items)):
                entities[-1].below.append(line.label)
            elif line.items and _is_list_line(line, key):
                entities.append(_LineEntity(line, []))
        elif is_child and line.items and above and _is_introduction(above, line, key):
            alone = [_LineEntity(line._replace(items=[string]), []) for string in entities.pop().below]
            entities += [*alone, _LineEntity(line, [])]
        elif is_child and line.items:
            entities[-1].below.extend(line.items if line.label else split_items(line.body, key, is_one=True))
        elif (line.label and not line.items) or (line.items and _is_list_line(line, key)):
            entities.append(_LineEntity(line, []))
    are_names = any(entity.below and entity.line.items and entity.strings() is entity.below for entity in entities)
    found = [
        (", ".join(entity.line.items), entity.below)
        if are_names and entity.below and entity.line.items
        else (entity.label(), entity.strings())
        for entity in entities
    ]
    found = [(label, strings) for label, strings in found if any(map(key.knows, strings))]
    if _is_copy([string for _, strings in found for string in strings], key):
        return []
    return [ListedEntity(_name(label, strings, key), [*map(ListedMention, strings)]) for label, strings in found]


def _list_line(raw: str, key: KeyText) -> _ListLine:
    """Parse a line."""
    line = _LINE.match(raw)
    assert line is not None
    body = re.sub(r"\*{1,3}|_{2,3}", "", line["body"]).strip()
    bullet = line["bullet"].strip(" \t#")
    labelled = _LABELLED.fullmatch(body)
    if labelled and labelled["sign"].strip() != ":" and key.knows(labelled["label"]):
        labelled = None  # a chain of mentions: Ann = her = she
    is_heading = raw.lstrip().startswith(("#", "**")) and not labelled
    label, rest = (labelled["label"].strip(), labelled["rest"].strip()) if labelled else ("", body)
    if labelled and key.find(body):
        label, rest = "", body
    items = split_items(rest, key) if rest else []
    if is_heading and not (len(items) > 1 and all(map(key.knows, items))):
        label, items = body, []
    indent = len(line["indent"].expandtabs(4))
    return _ListLine(indent, bool(bullet), label.strip('"“” '), items, rest, is_heading)


def _is_introduction(above: _ListLine, line: _ListLine, key: KeyText) -> bool:
    """Whether a line such as "Here you go:" only introduces bullets, which list the mentions of an entity each."""
    names_entity = above.is_heading or above.has_bullet or _ID_LABEL.fullmatch(above.label) or key.knows(above.label)
    return not names_entity and not above.items and len(line.items) > 1 and all(map(key.knows, line.items))


def _is_list_line(line: _ListLine, key: KeyText) -> bool:
    """Whether a line lists mentions: with a bullet or the name of an entity, or else strings that all occur."""
    if line.label and (line.has_bullet or _ID_LABEL.fullmatch(line.label)):
        return True
    if line.has_bullet and any(map(key.knows, line.items)):
        return True
    is_several = len(line.items) > 1 or bool(line.label) or line.body[:1] in "\"“„«`'‘{["
    return is_several and all(map(key.knows, line.items)) and not key.is_passage(line.body)


def _name(label: str, strings: Sequence[str], key: KeyText) -> str:
    """The name of an entity in its label: all of it, or what is in parentheses or before them."""
    inner = re.search(r"\(([^()]+)\)", label)
    after = re.fullmatch(r"(?i)\W*(?:entity|cluster|chain|group)\s*[\w#]{0,6}\s*[-–—:]\s*(.+)", label)
    listed = {*map(fold, strings)}
    candidates = [label, *([after[1]] if after else []), *([inner[1], label[: inner.start()]] if inner else [])]
    for candidate in candidates:
        if fold(candidate) in listed:
            return candidate.strip()
    return next((candidate.strip() for candidate in candidates if candidate.strip() and key.find(candidate)), label)


def _is_copy(strings: Sequence[str], key: KeyText) -> bool:
    """Whether strings are the text itself, piece by piece: most of its words, each right after the one before."""
    covered, at = 0, 0
    for string in strings:
        following = next((words for words in key.find(string) if 0 <= words[0] - at <= 2), None)
        if following:
            covered += following[1] - following[0] + 1
            at = following[1] + 1
    return bool(key.forms) and 2 * covered > len(key.forms) and covered > 8
