"""What is wrong with a response, for people: what errors cost, the weakest parts of the data, examples in context."""

from __future__ import annotations

import os
from collections.abc import Sequence

from ...base.numbers import headline, ratio
from ...count.metrics import METRICS
from ...study.faults.attribution import Attribution
from ...study.faults.context import Chain, Example, Token
from ...study.faults.examine import ErrorReport
from ...study.faults.slices import Slice, score_of
from ...study.faults.taxonomy import KINDS, ZERO_KINDS, Fault
from ..columns import CUT, cut, padded, table, width_of
from ..text import BOLD, DIM, percent, shown, styled

BAR = 20  # columns of the longest bar
LABEL = 10  # columns before a sentence or chain
BETWEEN = " · "
LONGEST_MENTION = 40  # columns of a mention in a chain


def render(found: ErrorReport, width: int, colour: bool) -> str:
    """The whole summary; lines of examples are no wider than ``width``."""
    title = METRICS[found.attribution.metric].title
    parts = [_headline(found, title, colour), _costs(found, width, colour)]
    for by, slices in found.slices.items():
        parts.append(_slices(by, slices, found, colour))
    if found.worst:
        parts.append(_worst(found, title, width, colour))
    for kind, examples in found.examples.items():
        parts.append(_examples(kind, examples, found, width, colour))
    parts.append(styled(found.report.signature, DIM, colour) + "\n")
    return "\n".join(parts)


def _headline(found: ErrorReport, title: str, colour: bool) -> str:
    documents = len(found.by_document)
    where = f"{documents} documents" if documents != 1 else "document " + shown(next(iter(found.by_document)))
    lost = f"{title} {found.attribution.score:.2f}: {found.attribution.lost:.2f} points lost"
    return f"{styled(lost, BOLD, colour)} in {where}\n"


def _costs(found: ErrorReport, width: int, colour: bool) -> str:
    attribution, counts = found.attribution, found.counts
    most = max(1.0, *(step.points for step in attribution.steps))
    rows = []
    for step in attribution.steps:
        spread = f"{step.least:.2f} to {step.most:.2f}" if counts[step.kind] else ""
        bar = "█" * round(BAR * ratio(max(step.points, 0.0), most))
        rows.append([KINDS[step.kind], str(counts[step.kind]), f"{step.points:.2f}", spread, bar])
    if _matters(attribution):
        rows.append(["rules", "", f"{attribution.rules:.2f}", "", ""])
    rows.append(["all", str(sum(counts[kind] for kind in KINDS)), f"{attribution.lost:.2f}", "", ""])
    bars = [row.pop() for row in rows]
    lines = table(["", "errors", "points lost", "by order of repair"], rows)
    longest = max(map(width_of, lines))
    if longest + 2 + BAR <= width:
        lines[1:] = [f"{padded(line, longest)}  {bar}".rstrip() for line, bar in zip(lines[1:], bars, strict=True)]
    lines[0] = styled(lines[0], DIM, colour)
    lines[-1] = styled(lines[-1], BOLD, colour)
    zeros = [
        f"{counts[kind]} {title}{'s' * (counts[kind] > 1)}"
        for kind, (title, _) in ZERO_KINDS.items()
        if kind in counts
    ]
    if zeros:
        lines.append(styled("among these: " + ", ".join(zeros), DIM, colour))
    return "\n".join(lines) + "\n"


def _matters(attribution: Attribution) -> bool:
    return abs(attribution.rules) >= 0.005


def _slices(by: str, slices: Sequence[Slice], found: ErrorReport, colour: bool) -> str:
    metric = found.attribution.metric
    names = [name for name in found.report if name != metric] + [metric]
    rows = []
    for part in slices:
        figures = [score_of(part.report, name) for name in names]
        interval = part.intervals.get(metric)
        rows.append(
            [
                shown(part.value),
                *(str(number) for number in (part.key_mentions, part.response_mentions)),
                f"{100 * part.share:.1f}%",
                *("–" if figure is None else percent(figure) for figure in figures),
                f"{percent(interval[0])}–{percent(interval[1])}" if interval else "",
            ]
        )
    every = [
        sum(column) for column in zip(*((part.key_mentions, part.response_mentions) for part in slices), strict=True)
    ]
    rows.append(["all", *map(str, every), "100.0%", *(percent(headline(found.report[name])) for name in names), ""])
    head = [f"by {shown(by)}", "key", "response", "share", *(METRICS[name].title for name in names), "95% interval"]
    if not any(row[-1] for row in rows):
        head, rows = head[:-1], [row[:-1] for row in rows]
    lines = table(head, rows)
    lines[0] = styled(lines[0], DIM, colour)
    lines[-1] = styled(lines[-1], BOLD, colour)
    return "\n".join(lines) + "\n"


def _worst(found: ErrorReport, title: str, width: int, colour: bool) -> str:
    rows = [
        [
            cut(shown(f"{weakness.slice.by} {weakness.slice.value}"), max(width - 50, 20)),
            percent(weakness.score),
            percent(weakness.below),
            f"{100 * weakness.slice.share:.1f}%",
            percent(weakness.weight),
        ]
        for weakness in found.worst
    ]
    lines = table(["worst slices", title, "below all", "share", "below × share"], rows)
    lines[0] = styled(lines[0], DIM, colour)
    return "\n".join(lines) + "\n"


def _examples(kind: str, examples: Sequence[Example], found: ErrorReport, width: int, colour: bool) -> str:
    lines = [styled(f"{KINDS[kind]}: {len(examples)} of {found.counts[kind]}", BOLD, colour)]
    for example in examples:
        lines += ["", *_example(example, width, colour)]
    return "\n".join(lines) + "\n"


def _example(example: Example, width: int, colour: bool) -> list[str]:
    fault = example.fault
    lines = [styled(_place(fault, width), DIM, colour)]
    centre = (fault.key or fault.response)[0].positions[0]
    for label, tokens in (("key", example.key), ("response", example.response)):
        if tokens:
            lines.append(padded(label, LABEL) + _sentence(tokens, centre, width - LABEL, colour))
    lines += [padded(chain.side, LABEL) + _chain(chain, width - LABEL, colour) for chain in example.chains]
    if any(example.heads):
        ours, theirs = (shown(word) for word in example.heads)
        lines.append(cut(padded("heads", LABEL) + f"{ours} in the key, {theirs} in the response", width))
    return lines


def _place(fault: Fault, width: int) -> str:
    """Sentence, file and line; a path that is too long is left out but for the name of the file."""
    where = shown(fault.sentence or fault.document)
    for path in (fault.path, os.path.basename(fault.path)):
        place = f"{where} · {shown(path)}:{fault.line}" if fault.line else f"{where} · {shown(path)}"
        if width_of(place) <= width:
            return place
    return cut(place, width)


def _sentence(tokens: Sequence[Token], centre: int, room: int, colour: bool) -> str:
    """The words around the first of the fault, on the side that lacks it too."""
    pieces = [
        ("[" * token.opens + shown(token.word) + "".join(f"]{shown(name)}" for name in token.closes), token.in_focus)
        for token in tokens
    ]
    first = min(sum(1 for token in tokens if token.place < centre), len(tokens) - 1)
    kept, left_out, more = _window(pieces, first, room, " ")
    before, after = (CUT + " " if left_out else ""), (" " + CUT if more else "")
    return before + _joined(kept, " ", colour) + after


def _chain(chain: Chain, room: int, colour: bool) -> str:
    """The mentions of an entity; those of the fault in brackets."""
    name = cut(shown(chain.name), max(room - 30, LABEL)) + ": "
    size = f" ({chain.size})"
    texts = [(cut(shown(text), LONGEST_MENTION), focus) for text, focus in chain.mentions]
    pieces = [(f"[{text}]" if focus else text, focus) for text, focus in texts]
    first = next((at for at, (_, focus) in enumerate(pieces) if focus), 0)
    kept, left_out, more = _window(pieces, first, room - width_of(name) - len(size), BETWEEN)
    before = CUT + BETWEEN if left_out or chain.before else ""
    after = BETWEEN + CUT if more or chain.before + len(pieces) < chain.size else ""
    return name + before + _joined(kept, BETWEEN, colour) + after + styled(size, DIM, colour)


def _window(
    pieces: list[tuple[str, bool]], first: int, room: int, between: str
) -> tuple[list[tuple[str, bool]], bool, bool]:
    """As many pieces as fit around the first that matters, and whether some are left out before and after."""
    if not pieces:
        return [], False, False
    gap = len(between)
    if sum(width_of(text) + gap for text, _ in pieces) - gap <= room:
        return pieces, False, False
    room = max(room - 2 * (1 + gap), 8)  # for ellipses at both ends
    low = high = first
    text, focus = pieces[first]
    chosen = [(cut(text, room), focus)]
    used = width_of(chosen[0][0])
    grown = True
    while grown:
        grown = False
        for _ in range(2):  # what follows says more than what comes before
            if high + 1 < len(pieces) and used + gap + width_of(pieces[high + 1][0]) <= room:
                high += 1
                chosen.append(pieces[high])
                used += gap + width_of(pieces[high][0])
                grown = True
        if low and used + gap + width_of(pieces[low - 1][0]) <= room:
            low -= 1
            chosen.insert(0, pieces[low])
            used += gap + width_of(pieces[low][0])
            grown = True
    return chosen, low > 0, high + 1 < len(pieces)


def _joined(pieces: Sequence[tuple[str, bool]], between: str, colour: bool) -> str:
    return between.join(styled(text, BOLD, colour and focus) for text, focus in pieces)
