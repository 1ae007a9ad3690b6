"""Layout of errors: the points they cost, the weakest slices of the data, examples in context."""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import groupby

from ...analysis.errors.attribution import RULES
from ...analysis.errors.groups import DISTANCE, DOCUMENT, HEAD, TEXT, TYPE, ErrorGroup, select_grouping
from ...analysis.errors.kinds import ERROR_KINDS, IDENTITY, ZEROS, Error, ErrorKind, kinds_of, ordered_kinds
from ...analysis.errors.labels import ABSENT, TypedCounts
from ...analysis.errors.pairing import ZERO
from ...analysis.errors.report import LEAST_SHOWN, Arrow, Chain, ErrorReport, Example, Token
from ...analysis.errors.slices import DIMENSIONS, Slice, describe_slice, score_of
from ...core.metrics import METRICS
from ...core.numbers import headline, ratio
from ..layout import Block, Layout, Sheet, Span, Text
from ..text import CUT, cut, cut_inside, padded, percent, shown, width_of, wrapped
from .score import titles

BAR = 20  # columns of the longest bar
LABEL = 10  # columns before a sentence or chain
BETWEEN, TO, AND = " · ", " → ", " + "
LONGEST_MENTION = 40  # columns of a mention in a chain
WIDE = 100  # columns that show everything, also where nothing limits the width
NARROWEST = 40  # columns in which examples can be read
NARROWEST_LIST = 12  # columns in which mentions can be listed
LONGEST_GROUP = 28  # columns of a mention or a document in a list of groups
MOST_GROUPS = 25
MOST_KINDS = 6
MOST_CLASSES = 7  # with "none" and missing mentions, of a whole table of confusion
FREQUENT = "most frequent mentions"
GROUP_TITLES = {
    TEXT: "mention",
    HEAD: "head",
    TYPE: "type",
    DISTANCE: "distance",
    DOCUMENT: "document",
}


def lay_out(errors: ErrorReport, per_document: bool, width: int | None) -> Layout:  # noqa: ARG001
    """The summary, its groups and the weakest slices, what was requested besides; no wider than ``width``."""
    width = max(width or WIDE, NARROWEST)
    title = METRICS[errors.attribution.metric].title
    documents = len(errors.by_document)
    where = f"{documents} documents" if documents != 1 else f"document {next(iter(errors.by_document))}"
    lost = f"{title} {percent(errors.attribution.score)}: {percent(errors.attribution.lost)} points lost"
    verdict = errors.verdict[:1].upper() + errors.verdict[1:]
    headline_text = Text([[Span(lost, "strong"), Span(f" in {where}")], [Span(f"{verdict}.")]])
    blocks: list[Block] = [headline_text, _costs(errors, width)]
    relations = [row for row in ordered_kinds() if row.relation]
    free = [_free(errors, "identity", kinds_of(IDENTITY), width), _free(errors, "relations", relations, width)]
    blocks += [sheet for sheet in free if sheet.rows]
    for by, slices in errors.slices.items():
        blocks += [_slices(by, slices, errors), *(_typed(errors.typed[by]) if by in errors.typed else ())]
    blocks += [_groups(by, errors, width) for by in errors.group_by]
    if not (errors.slices or errors.group_by) and (costliest := _costliest_groups(errors, width)):
        blocks.append(Text([[Span("points lost, the costliest groups first", "strong")], *costliest]))
    if errors.worst and not errors.group_by:
        rows = [
            [
                cut(shown(describe_slice(*weakness.slice[:2])), max(width - 44, 20)),
                percent(weakness.score),
                percent(weakness.below),
                f"{percent(weakness.slice.share, 1)}%",
                percent(weakness.weight),
            ]
            for weakness in errors.worst
        ]
        blocks.append(Sheet.of(["weakest slices", title, "below all", "share", "below × share"], rows, whole=True))
    by_cost = [step.kind for step in errors.attribution.by_cost(errors.counts)]
    for kind in (kind for kind in dict.fromkeys([*by_cost, *ERROR_KINDS]) if kind in errors.examples):
        examples = errors.examples[kind]
        heading = f"{ERROR_KINDS[kind].title}: {len(examples)} of {errors.counts[kind]}"
        blocks.append(Text([[Span(heading, "strong")]], wrap=False))
        blocks += [Text(list(_example(example, width)), wrap=False) for example in examples]
    return Layout(blocks, [errors.signature])


def _costs(errors: ErrorReport, width: int) -> Sheet:
    attribution, counts = errors.attribution, errors.counts
    steps = attribution.by_cost(counts)
    most = max(0.01, *(step.gain for step in attribution.steps))
    with_range = width >= WIDE
    frequent = _frequent_mentions(errors, [step.kind for step in steps], width - (63 if with_range else 41))
    rows, bars = [], []
    for step in steps:
        spread = f"{percent(step.least)} to {percent(step.most)}"
        title = ERROR_KINDS[step.kind].title
        rows.append([title, frequent[step.kind], str(counts[step.kind]), percent(step.gain), spread])
        bars.append("█" * round(BAR * ratio(max(step.gain, 0.0), most)))
    if abs(attribution.rules) >= LEAST_SHOWN:
        rows.append([RULES, "", "", percent(attribution.rules), ""])
    every = sum(counts.get(step.kind, 0) for step in attribution.steps)
    rows.append(["all", "", str(every), percent(attribution.lost), ""])
    zeros = [
        f"{counts[row.name]} {row.title}{'s' * (counts[row.name] > 1)}"
        for row in kinds_of(ZEROS)
        if row.name in counts and any(step.kind == row.part_of for step in attribution.steps)
    ]
    head = ["", FREQUENT, "errors", "points lost", "range over repair orders"]
    kept = [at for at in range(len(head)) if (at != 1 or any(frequent.values())) and (at != 4 or with_range)]
    return Sheet.of(
        [head[at] for at in kept],
        [[row[at] for at in kept] for row in rows],
        left=2 if 1 in kept else 1,
        strong=[len(rows) - 1],
        whole=True,
        note=f"among these: {', '.join(zeros)}" if zeros else "",
        bars=[*bars, *[""] * (len(rows) - len(bars))],
    )


def _free(errors: ErrorReport, title: str, kinds: Sequence[ErrorKind], width: int) -> Sheet:
    """The number of errors of each kind that costs no points of the metric; the rarest in one row."""
    with_cost = {step.kind for step in errors.attribution.steps}
    counted = [(row.name, errors.counts.get(row.name, 0)) for row in kinds if row.name not in with_cost]
    found = [(name, count) for name, count in counted if count]
    kept = sorted(found, key=lambda row: -row[1])[: MOST_KINDS - 1] if len(found) > MOST_KINDS else found
    frequent = _frequent_mentions(errors, [name for name, _ in kept], width - 39)
    rows = [[ERROR_KINDS[name].title, frequent[name], str(count)] for name, count in found if (name, count) in kept]
    if rest := [count for name, count in found if (name, count) not in kept]:
        rows.append([f"{len(rest)} other kinds", "", str(sum(rest))])
    if not any(frequent.values()):
        return Sheet.of([title, "errors"], [[name, count] for name, _, count in rows], whole=True)
    return Sheet.of([title, FREQUENT, "errors"], rows, left=2, whole=True)


def _frequent_mentions(errors: ErrorReport, kinds: Sequence[str], room: int) -> dict[str, str]:
    """For each kind the mentions that are wrong most often, as in "I ×41, you ×25, …", in so many columns."""
    groups = select_grouping(errors.groups, TEXT)
    lines = dict.fromkeys(kinds, "")
    for kind in kinds if room >= NARROWEST_LIST else ():
        counts = sorted([(-group.kinds[kind], _name(group)) for group in groups if kind in group.kinds])
        lines[kind] = _first_of([f"{name} ×{-count}" if count < -1 else name for count, name in counts], room)
    return lines


def _first_of(items: Sequence[str], room: int) -> str:
    """As many items as fit.

    >>> _first_of(["one", "two", "three"], 12), _first_of(["one", "two"], 8), _first_of(["three"], 4)
    ('one, two, …', 'one, two', 'thr…')
    """
    line = ""
    for number, item in enumerate(items, 1):
        longer = f"{line}, {item}" if line else item
        if width_of(longer) + 3 * (number < len(items)) > room:
            return f"{line}, {CUT}" if line else cut(item, room)
        line = longer
    return line


def _costliest_groups(errors: ErrorReport, width: int) -> list[str]:
    """For each grouping the groups that cost most, in two lines of a terminal, and how many there are besides."""
    lines = []
    for by in (TYPE, DISTANCE, DOCUMENT):
        groups = [group for group in select_grouping(errors.groups, by) if group.gain is not None]
        items = [f"{_name(group)} {percent(group.gain or 0.0)}" for group in groups]
        if len(items) > 1:
            lines.append(_in_lines(f"  by {GROUP_TITLES[by]}: ", items, width, 2))
    return lines


def _in_lines(begins: str, items: Sequence[str], width: int, most: int) -> str:
    """A list that takes at most so many lines when it is broken; how many items are left out is its last item.

    >>> _in_lines("", ["one", "two", "three", "four"], 10, 2), _in_lines("", ["one", "two"], 10, 2)
    ('one, two, 2 others', 'one, two')
    """
    for kept in range(min(len(items), width * most // 3), 1, -1):
        left = len(items) - kept
        line = begins + ", ".join([*items[:kept], *([f"{left} other{'s' * (left > 1)}"] if left else [])])
        if len(wrapped(line, width)) <= most:
            return line
    return f"{begins}{items[0]}, {len(items) - 1} others"


def _name(group: ErrorGroup) -> str:
    """The name of a group for people."""
    if group.by in DIMENSIONS:
        return describe_slice(group.by, group.value)
    text = shown(group.value)
    return cut_inside(text, LONGEST_GROUP) if any(map(str.isalnum, text)) or group.value == ZERO else f'"{text}"'


def _groups(by: str, errors: ErrorReport, width: int) -> Sheet:
    """The groups of one grouping: their errors and points, and of which kind most of the errors are."""
    groups = select_grouping(errors.groups, by)
    rows = []
    for group in groups[:MOST_GROUPS]:
        kind, count = next(iter(group.kinds.items()))
        points = "–" if group.gain is None else percent(group.gain)
        mostly = f"{ERROR_KINDS[kind].title} ×{count}"
        rows.append([cut(_name(group), max(width - 50, 15)), mostly, str(group.errors), points])
    more = len(groups) - len(rows)
    note = f"{more} more {'group' if more == 1 else 'groups'}: JSON and CSV have all" if more else ""
    if not rows:
        note = "the annotation has nothing to group by" if errors.groups else "no errors"
    return Sheet.of(
        [f"by {GROUP_TITLES[by]}", "most often", "errors", "points lost"], rows, left=2, whole=True, note=note
    )


def _slices(by: str, slices: Sequence[Slice], errors: ErrorReport) -> Sheet:
    metric = errors.attribution.metric
    names = [name for name in errors.report if name != metric] + [metric]
    rows = []
    for part in slices:
        scores = [score_of(part.report, name) for name in names]
        interval = part.intervals.get(metric)
        rows.append(
            [
                *(describe_slice(by, part.value), str(part.key_mentions), str(part.response_mentions)),
                f"{percent(part.share, 1)}%" if part.share else "–",
                *("–" if score is None else percent(score) for score in scores),
                f"{percent(interval[0])}–{percent(interval[1])}" if interval else "",
            ]
        )
    parts = [part for part in slices if part.share]
    mentions = sum(part.key_mentions for part in parts), sum(part.response_mentions for part in parts)
    scores_of_all = [percent(headline(errors.report[name])) for name in names]
    rows.insert(len(parts), ["all", *map(str, mentions), "100.0%", *scores_of_all, ""])
    head = [f"by {by}", "key", "response", "share", *titles(names), "95% interval"]
    if not any(row[-1] for row in rows):
        head, rows = head[:-1], [row[:-1] for row in rows]
    return Sheet.of(head, rows, strong=[len(parts)])


def _typed(typed: TypedCounts) -> list[Sheet]:
    """The scores of each class, and which classes are confused: all of them if they fit, else the most frequent."""
    rows = [
        [shown(scores.name), *[percent(figure) for score in (scores.mentions, scores.links) for figure in score]]
        for scores in typed.scores()
    ]
    head = ["typed", *(f"{what} {figure}" for what in ("mentions", "links") for figure in ("R", "P", "F1"))]
    lines, numbers = typed.table()
    if len(lines) <= MOST_CLASSES:
        head_of_confusion = ["key mentions, by class of the response", *map(shown, lines)]
        cells = [[shown(name), *map(str, line)] for name, line in zip(lines, numbers, strict=True)]
        confusion = Sheet.of(head_of_confusion, cells, whole=True, note=f"{ABSENT}: missing, or extra")
    else:
        confused = typed.most_confused()
        note = f"{len(confused) - MOST_GROUPS} more: JSON and CSV have all" if len(confused) > MOST_GROUPS else ""
        pairs = [[*map(shown, row[:2]), str(row[2])] for row in confused[:MOST_GROUPS]]
        confusion = Sheet.of(
            ["class in the key", "in the response", "mentions"], pairs, left=2, whole=True, note=note
        )
    return [Sheet.of(head, rows, strong=[len(rows) - 1], whole=True), confusion]


def _example(example: Example, width: int) -> Iterator[Sequence[Span]]:
    yield [Span(_location(example.error, width), "dim")]
    sides = {"key": example.key, "response": example.response}
    points: dict[int, None] = {}  # where the mentions that the error is about begin and end, in order
    for tokens in sides.values():
        for in_focus, group in groupby(tokens, key=lambda token: token.in_focus):
            places = [token.place for token in group]
            points |= dict.fromkeys((places[0], places[-1]) if in_focus else ())
    for label, tokens in sides.items():
        if tokens:
            yield [Span(padded(label, LABEL)), *_sentence(tokens, list(points), width - LABEL)]
    for chain in example.chains:
        yield [Span(padded(chain.side, LABEL)), *_chain(chain, width - LABEL)]
    for arrow in example.arrows:
        yield [Span(padded(arrow.side, LABEL)), *_arrow(arrow, width - LABEL)]
    if any(example.heads):
        in_key, in_response = map(shown, example.heads)
        yield [Span(cut(padded("heads", LABEL) + f"{in_key} in the key, {in_response} in the response", width))]


def _location(error: Error, width: int) -> str:
    """Sentence, file and line; a long path is reduced to the name of the file."""
    where = shown(error.sentence or error.document)
    for path in (error.path, os.path.basename(error.path)):
        location = f"{where} · {shown(path)}" + (f":{error.line}" if error.line else "")
        if width_of(location) <= width:
            return location
    return cut(location, width)


def _sentence(tokens: Sequence[Token], points: Sequence[int], room: int) -> list[Span]:
    """The words around the points of the error, also on the side without the mention."""
    pieces = [
        ("[" * token.opens + shown(token.word) + "".join(f"]{shown(name)}" for name in token.closes), token.in_focus)
        for token in tokens
    ]
    places = [token.place for token in tokens]
    return _window(pieces, [min(bisect_left(places, point), len(places) - 1) for point in points], room, " ")


def _chain(chain: Chain, room: int) -> list[Span]:
    """The mentions of an entity; those of the error in brackets."""
    name = cut(shown(chain.name), max(room - 30, LABEL)) + ": "
    size = f" ({chain.size})"
    texts = [(cut_inside(shown(text), LONGEST_MENTION), focus) for text, focus in chain.mentions]
    pieces = [(f"[{text}]" if focus else text, focus) for text, focus in texts]
    points = [index for index, (_, focus) in enumerate(pieces) if focus]
    room -= width_of(name) + len(size)
    window = _window(pieces, points, room, BETWEEN, chain.before, chain.size - chain.before - len(pieces))
    return [Span(name), *window, Span(size, "dim")]


def _arrow(arrow: Arrow, room: int) -> list[Span]:
    """The targets of a mention: one anchor, or the elements of a plural."""
    label = f" ({cut(shown(arrow.label), LONGEST_MENTION)})" if arrow.label else ""
    anaphor = cut_inside(shown(arrow.anaphor), LONGEST_MENTION) + TO
    pieces = [(cut_inside(shown(text), LONGEST_MENTION), True) for text in arrow.targets]
    room -= width_of(anaphor) + width_of(label)
    return [Span(anaphor), *_window(pieces, [0], max(room, LABEL), AND), Span(label, "dim")]


def _window(
    pieces: list[tuple[str, bool]], points: Sequence[int], room: int, between: str, before: int = 0, after: int = 0
) -> list[Span]:
    """As many pieces as fit, those at the points first, with ellipses where some are omitted.

    ``before`` and ``after`` are the numbers of pieces that the caller omitted. Neighbours of one style are one span.
    """
    shown_pieces = _fitting([width_of(text) for text, _ in pieces], points or [0], room, len(between), before, after)
    if len(shown_pieces) == 1:
        (only,) = shown_pieces
        pieces = [*pieces]
        pieces[only] = cut_inside(pieces[only][0], max(room - 2 * (1 + len(between)), 8)), pieces[only][1]
    line: list[tuple[str, bool]] = []
    last = -1 - (before > 0)
    for index in shown_pieces:
        line += [(CUT, False)] * (index > last + 1) + [pieces[index]]
        last = index
    line += [(CUT, False)] * (after > 0 or last < len(pieces) - 1)
    spans: list[Span] = []
    for focus, group in groupby(line, key=lambda piece: piece[1]):
        spans += [Span(between), Span(between.join(text for text, _ in group), "strong" if focus else "")]
    return spans[1:]


def _fitting(
    widths: Sequence[int], points: Sequence[int], room: int, gap: int, before: int, after: int
) -> Sequence[int]:
    """The pieces that fit into a line with an ellipsis for each omitted run; the first point always does."""

    def fits(chosen: set[int]) -> bool:
        left_out = sum(index - 1 not in chosen for index in chosen if index or before)
        left_out += after > 0 or len(widths) - 1 not in chosen
        return sum(widths[index] + gap for index in chosen) + left_out * (1 + gap) - gap <= room

    if room >= sum(widths) and fits({*range(len(widths))}):
        return range(len(widths))
    chosen = {points[0]}
    for point in points:
        if fits(chosen | {point}):
            chosen.add(point)
    starts = [point for point in points if point in chosen]
    grown = True
    while grown:
        grown = False
        for start in starts:
            for step in (1, 1, -1):  # the right context says more than the left
                index = start
                while index in chosen:
                    index += step
                if 0 <= index < len(widths) and fits(chosen | {index}):
                    chosen.add(index)
                    grown = True
    return sorted(chosen)
