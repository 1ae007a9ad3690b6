"""How errors are laid out: what they cost, the weakest parts of the data, examples in context."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import groupby

from ...base.numbers import headline, ratio
from ...count.metrics import METRICS
from ...study.faults.context import Chain, Example, Token
from ...study.faults.report import ErrorReport
from ...study.faults.slices import Slice, score_of
from ...study.faults.taxonomy import KINDS, ZERO_KINDS, Fault
from ..columns import CUT, cut, padded, width_of
from ..layout import Block, Layout, Sheet, Span, Text
from ..text import percent, shown
from .score import titles

BAR = 20  # columns of the longest bar
LABEL = 10  # columns before a sentence or chain
BETWEEN = " · "
LONGEST_MENTION = 40  # columns of a mention in a chain
NARROWEST = 40  # columns in which examples can be read


def lay_out(errors: ErrorReport, per_document: bool, width: int) -> Layout:  # noqa: ARG001
    """The whole summary; lines of examples are no wider than ``width``."""
    width = max(width, NARROWEST)
    title = METRICS[errors.attribution.metric].title
    blocks: list[Block] = [_headline(errors, title), _costs(errors)]
    blocks += [_slices(by, slices, errors) for by, slices in errors.slices.items()]
    if errors.worst:
        blocks.append(_worst(errors, title, width))
    for kind, examples in errors.examples.items():
        heading = f"{KINDS[kind]}: {len(examples)} of {errors.counts[kind]}"
        blocks.append(Text([[Span(heading, "strong")]], wrap=False))
        blocks += [Text(list(_example(example, width)), wrap=False) for example in examples]
    return Layout(blocks, [errors.signature])


def _headline(errors: ErrorReport, title: str) -> Text:
    documents = len(errors.by_document)
    where = f"{documents} documents" if documents != 1 else f"document {next(iter(errors.by_document))}"
    lost = f"{title} {percent(errors.attribution.score)}: {percent(errors.attribution.lost)} points lost"
    return Text([[Span(lost, "strong"), Span(f" in {where}")]], wrap=False)


def _costs(errors: ErrorReport) -> Sheet:
    attribution, counts = errors.attribution, errors.counts
    most = max(0.01, *(step.gain for step in attribution.steps))
    rows, bars = [], []
    for step in attribution.steps:
        spread = f"{percent(step.least)} to {percent(step.most)}" if counts[step.kind] else ""
        rows.append([KINDS[step.kind], str(counts[step.kind]), percent(step.gain), spread])
        bars.append("█" * round(BAR * ratio(max(step.gain, 0.0), most)))
    if abs(attribution.rules) >= 0.00005:
        rows.append(["rules", "", percent(attribution.rules), ""])
    rows.append(["all", str(sum(counts[kind] for kind in KINDS)), percent(attribution.lost), ""])
    zeros = [
        f"{counts[kind]} {title}{'s' * (counts[kind] > 1)}"
        for kind, (title, _) in ZERO_KINDS.items()
        if kind in counts
    ]
    return Sheet.of(
        ["", "errors", "points lost", "by order of repair"],
        rows,
        strong=[len(rows) - 1],
        whole=True,
        note=zeros and f"among these: {', '.join(zeros)}",
        bars=[*bars, *[""] * (len(rows) - len(bars))],
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
                *(part.value, str(part.key_mentions), str(part.response_mentions), f"{100 * part.share:.1f}%"),
                *("–" if score is None else percent(score) for score in scores),
                f"{percent(interval[0])}–{percent(interval[1])}" if interval else "",
            ]
        )
    mentions = sum(part.key_mentions for part in slices), sum(part.response_mentions for part in slices)
    scores_of_all = [percent(headline(errors.report[name])) for name in names]
    rows.append(["all", *map(str, mentions), "100.0%", *scores_of_all, ""])
    head = [f"by {by}", "key", "response", "share", *titles(names), "95% interval"]
    if not any(row[-1] for row in rows):
        head, rows = head[:-1], [row[:-1] for row in rows]
    return Sheet.of(head, rows, strong=[len(slices)], whole=True)


def _worst(errors: ErrorReport, title: str, width: int) -> Sheet:
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
    return Sheet.of(["worst slices", title, "below all", "share", "below × share"], rows, whole=True)


def _example(example: Example, width: int) -> Iterator[Sequence[Span]]:
    fault = example.fault
    yield [Span(_location(fault, width), "dim")]
    centre = (fault.key or fault.response)[0].first
    for label, tokens in (("key", example.key), ("response", example.response)):
        if tokens:
            yield [Span(padded(label, LABEL)), *_sentence(tokens, centre, width - LABEL)]
    for chain in example.chains:
        yield [Span(padded(chain.side, LABEL)), *_chain(chain, width - LABEL)]
    if any(example.heads):
        in_key, in_response = map(shown, example.heads)
        yield [Span(cut(padded("heads", LABEL) + f"{in_key} in the key, {in_response} in the response", width))]


def _location(fault: Fault, width: int) -> str:
    """Sentence, file and line; a path that is too long is left out but for the name of the file."""
    where = shown(fault.sentence or fault.document)
    for path in (fault.path, os.path.basename(fault.path)):
        location = f"{where} · {shown(path)}" + (f":{fault.line}" if fault.line else "")
        if width_of(location) <= width:
            return location
    return cut(location, width)


def _sentence(tokens: Sequence[Token], centre: int, room: int) -> list[Span]:
    """The words around the first of the fault, on the side that lacks it too."""
    pieces = [
        ("[" * token.opens + shown(token.word) + "".join(f"]{shown(name)}" for name in token.closes), token.in_focus)
        for token in tokens
    ]
    first = min(sum(token.place < centre for token in tokens), len(tokens) - 1)
    return _window(pieces, first, room, " ")


def _chain(chain: Chain, room: int) -> list[Span]:
    """The mentions of an entity; those of the fault in brackets."""
    name = cut(shown(chain.name), max(room - 30, LABEL)) + ": "
    size = f" ({chain.size})"
    texts = [(cut(shown(text), LONGEST_MENTION), focus) for text, focus in chain.mentions]
    pieces = [(f"[{text}]" if focus else text, focus) for text, focus in texts]
    first = next((index for index, (_, focus) in enumerate(pieces) if focus), 0)
    room -= width_of(name) + len(size)
    window = _window(pieces, first, room, BETWEEN, chain.before, chain.size - chain.before - len(pieces))
    return [Span(name), *window, Span(size, "dim")]


def _window(
    pieces: list[tuple[str, bool]], first: int, room: int, between: str, before: int = 0, after: int = 0
) -> list[Span]:
    """As many pieces as fit around the first that matters, with ellipses where some are left out.

    So many are left out ``before`` and ``after`` in any case. Neighbours that look the same are one part of the line.
    """
    gap = len(between)
    if sum(width_of(text) + gap for text, _ in pieces) - gap > room:
        room = max(room - 2 * (1 + gap), 8)  # for ellipses at both ends
        pieces = [*pieces]
        pieces[first] = cut(pieces[first][0], room), pieces[first][1]
        used = width_of(pieces[first][0])
        low = high = first
        grown = True
        while grown:
            grown = False
            for at_end in (True, True, False):  # what follows says more than what comes before
                index = high + 1 if at_end else low - 1
                if 0 <= index < len(pieces) and used + gap + width_of(pieces[index][0]) <= room:
                    low, high = min(low, index), max(high, index)
                    used += gap + width_of(pieces[index][0])
                    grown = True
        before, after = before + low, after + len(pieces) - high - 1
        pieces = pieces[low : high + 1]
    spans: list[Span] = []
    for focus, group in groupby(pieces, key=lambda piece: piece[1]):
        spans += [Span(between), Span(between.join(text for text, _ in group), "strong" if focus else "")]
    return [Span(CUT + between if before else ""), *spans[1:], Span(between + CUT if after else "")]
