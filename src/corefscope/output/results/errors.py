"""Layout of errors: the points they cost, the weakest slices of the data, examples in context."""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import groupby

from ...analysis.errors.attribution import RULES
from ...analysis.errors.kinds import ERROR_KINDS, IDENTITY, ZEROS, Error, ErrorKind, kinds_of, ordered_kinds
from ...analysis.errors.report import LEAST_SHOWN, Arrow, Chain, ErrorReport, Example, Token
from ...analysis.errors.slices import Slice, score_of
from ...core.metrics import METRICS
from ...core.numbers import headline, ratio
from ..layout import Block, Layout, Sheet, Span, Text
from ..text import CUT, ROOM, cut, cut_inside, padded, percent, shown, width_of
from .score import titles

BAR = 20  # columns of the longest bar
LABEL = 10  # columns before a sentence or chain
BETWEEN, TO, AND = " · ", " → ", " + "
LONGEST_MENTION = 40  # columns of a mention in a chain
NARROWEST = 40  # columns in which examples can be read


def lay_out(errors: ErrorReport, per_document: bool, width: int | None) -> Layout:  # noqa: ARG001
    """The whole report; lines of examples are no wider than ``width``."""
    width = max(width or ROOM, NARROWEST)
    title = METRICS[errors.attribution.metric].title
    documents = len(errors.by_document)
    where = f"{documents} documents" if documents != 1 else f"document {next(iter(errors.by_document))}"
    lost = f"{title} {percent(errors.attribution.score)}: {percent(errors.attribution.lost)} points lost"
    verdict = errors.verdict[:1].upper() + errors.verdict[1:]
    headline_text = Text([[Span(lost, "strong"), Span(f" in {where}")], [Span(f"{verdict}.")]])
    blocks: list[Block] = [headline_text, _costs(errors)]
    relations = [row for row in ordered_kinds() if row.relation]
    free = [_free(errors, "identity", kinds_of(IDENTITY)), _free(errors, "relations", relations)]
    blocks += [sheet for sheet in free if sheet.rows]
    blocks += [_slices(by, slices, errors) for by, slices in errors.slices.items()]
    if errors.worst:
        rows = [
            [
                cut(shown(f"{weakness.slice.by} {weakness.slice.value}"), max(width - 50, 20)),
                percent(weakness.score),
                percent(weakness.below),
                f"{100 * weakness.slice.share:.1f}%",
                percent(weakness.weight),
            ]
            for weakness in errors.worst
        ]
        blocks.append(Sheet.of(["worst slices", title, "below all", "share", "below × share"], rows, whole=True))
    by_cost = [step.kind for step in errors.attribution.by_cost(errors.counts)]
    for kind in (kind for kind in dict.fromkeys([*by_cost, *ERROR_KINDS]) if kind in errors.examples):
        examples = errors.examples[kind]
        heading = f"{ERROR_KINDS[kind].title}: {len(examples)} of {errors.counts[kind]}"
        blocks.append(Text([[Span(heading, "strong")]], wrap=False))
        blocks += [Text(list(_example(example, width)), wrap=False) for example in examples]
    return Layout(blocks, [errors.signature])


def _costs(errors: ErrorReport) -> Sheet:
    attribution, counts = errors.attribution, errors.counts
    most = max(0.01, *(step.gain for step in attribution.steps))
    rows, bars = [], []
    for step in attribution.by_cost(counts):
        spread = f"{percent(step.least)} to {percent(step.most)}"
        rows.append([ERROR_KINDS[step.kind].title, str(counts[step.kind]), percent(step.gain), spread])
        bars.append("█" * round(BAR * ratio(max(step.gain, 0.0), most)))
    if abs(attribution.rules) >= LEAST_SHOWN:
        rows.append([RULES, "", percent(attribution.rules), ""])
    every = sum(counts.get(step.kind, 0) for step in attribution.steps)
    rows.append(["all", str(every), percent(attribution.lost), ""])
    zeros = [
        f"{counts[row.name]} {row.title}{'s' * (counts[row.name] > 1)}"
        for row in kinds_of(ZEROS)
        if row.name in counts and any(step.kind == row.part_of for step in attribution.steps)
    ]
    return Sheet.of(
        ["", "errors", "points lost", "range over repair orders"],
        rows,
        strong=[len(rows) - 1],
        whole=True,
        note=f"among these: {', '.join(zeros)}" if zeros else "",
        bars=[*bars, *[""] * (len(rows) - len(bars))],
    )


def _free(errors: ErrorReport, title: str, kinds: Sequence[ErrorKind]) -> Sheet:
    """The number of errors of each kind that costs no points of the metric."""
    with_cost = {step.kind for step in errors.attribution.steps}
    counted = [(row.title, errors.counts.get(row.name, 0)) for row in kinds if row.name not in with_cost]
    rows = [[name, str(count)] for name, count in counted if count]
    return Sheet.of([title, "errors"], rows, whole=True)


def _slices(by: str, slices: Sequence[Slice], errors: ErrorReport) -> Sheet:
    metric = errors.attribution.metric
    names = [name for name in errors.report if name != metric] + [metric]
    rows = []
    for part in slices:
        scores = [score_of(part.report, name) for name in names]
        interval = part.intervals.get(metric)
        rows.append(
            [
                *(part.value, str(part.key_mentions), str(part.response_mentions)),
                f"{100 * part.share:.1f}%" if part.share else "–",
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
    return Sheet.of(head, rows, strong=[len(parts)], whole=True)


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
