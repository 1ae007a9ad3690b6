"""What must hold for a file, however broken it is.

Every reader gives documents or one of our own errors; where it has nothing to say, it has counted as many mentions as
there are. What ``validate`` calls an error is an error or a warning of ``score``. What ``convert`` writes without a
loss reads the same, in one way only. Words that are not compared change no score of the same words; heads may come
from the tree; what ``explain`` works out is the score. The drop-ins end with a documented exit code. All of that
soon, and in little memory.
"""

from __future__ import annotations

import io
import resource
import signal
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from time import process_time
from types import FrameType
from typing import Any, NamedTuple

import corefscope
from corefscope.compat.commands import conll as compat_conll
from corefscope.compat.commands import corefud as compat_corefud
from corefscope.compat.commands import ua as compat_ua
from corefscope.core.document import Document, Mention
from corefscope.core.errors import Warnings
from corefscope.core.format import FORMATS
from corefscope.core.positions import SENTENCE_SHIFT, WORD_MASK
from corefscope.formats.convert import convert
from corefscope.formats.detection import ReadingOptions, open_reader, recognised
from corefscope.formats.writers import WRITERS
from corefscope.llm.options import PrintedOptions
from silence import unsaid
from standoff_files import read_clusters

from . import counts

LONGEST = 5.0
"""Seconds of the processor, however busy the machine is."""
WAITING = 30.0
"""Seconds on the clock, for what waits: for a named pipe, say."""
LARGEST = 1 << 30  # bytes of resident memory
PACKAGE = str(Path(corefscope.__file__).parent)
DROP_INS: dict[str, Callable[[str], int]] = {
    "corefud": lambda path: compat_corefud.main([path, path]),
    "ua": lambda path: compat_ua.main([path, path, "keep_bridging", "keep_non_referring", "MIN"]),
    "conll": lambda path: compat_conll.main(["all", path, path, "none"]),
    "semeval": lambda path: compat_conll.main(["bcub", path, path]),
}


class Outcome(NamedTuple):
    """What became of one file."""

    accepted: dict[str, bool]
    """By what was done with it: whether it went well."""
    failures: dict[str, str]
    """What must not be: the kind, and one case in words."""
    seconds: float


class Hang(BaseException):
    """It has taken too long. No handler of the package may catch it."""


@contextmanager
def alarm(seconds: float) -> Iterator[None]:
    """Raise Hang after so many seconds of the processor, or after WAITING seconds of doing nothing."""

    def ring(_: int, __: FrameType | None) -> None:
        raise Hang

    before = [signal.signal(number, ring) for number in (signal.SIGPROF, signal.SIGALRM)]
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, WAITING)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in zip((signal.SIGPROF, signal.SIGALRM), before, strict=True):
            signal.signal(number, handler)


def check(path: Path, good: Path, format_: str, target: str, further: str = "") -> Outcome:
    """Do with a file what can be done with one of its format.

    ``good`` is the file as it was before, ``target`` what to convert it to, and ``further`` one of ``FURTHER``.
    """
    accepted: dict[str, bool] = {}
    failures: dict[str, str] = {}
    begun = process_time()
    steps: dict[str, Callable[[], str]] = {
        "read": lambda: _reads(path, format_),
        "count": lambda: _counts(path, format_),
        "validate and score": lambda: _agree(path, format_),
        f"convert to {target}": lambda: _converts(path, format_, target),
    }
    if further:
        steps[further] = lambda: FURTHER[further](good, path, format_)
    if format_ in DROP_INS:
        steps["drop-in"] = lambda: _drops_in(path, format_)
    for step, run in steps.items():
        try:
            with alarm(LONGEST):
                wrong = run()
            accepted[step] = True
        except corefscope.CorefscopeError:
            accepted[step], wrong = False, ""
        except Hang:
            accepted[step], wrong = False, f"takes more than {LONGEST:.0f} s"
        except (Exception, SystemExit) as error:
            accepted[step], wrong = False, foreign(error)
        if wrong:
            kind, _, case = wrong.partition(": ")
            failures[f"{format_}, {step}: {kind}"] = case
    if resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 > LARGEST:
        failures[f"{format_}: more than {LARGEST >> 20} MB"] = ""
    return Outcome(accepted, failures, process_time() - begun)


def foreign(error: BaseException) -> str:
    """An exception that is not ours, and where it was raised."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.startswith(PACKAGE)]
    place = f"{Path(frames[-1].filename).relative_to(PACKAGE)} in {frames[-1].name}" if frames else "nowhere"
    return f"{type(error).__name__} from {place}: {error}"


def _documents(
    path: Path, format_: str, side: str, warnings: Warnings, skeleton: Path | None = None
) -> list[Document]:
    printed = PrintedOptions(skeleton=str(skeleton)) if skeleton else None
    _, reader = open_reader(path, format_, warnings, side, ReadingOptions(printed))
    try:
        return list(reader)
    finally:
        reader.source.close()


def _reads(path: Path, format_: str) -> str:
    """Both sides: that of the response may be refused where that of the key is not, and the other way round."""
    if FORMATS[format_].two_sided:
        with suppress(corefscope.CorefscopeError):
            _documents(path, format_, "response", Warnings())
    _documents(path, format_, "key", Warnings())
    return ""


def _counts(path: Path, format_: str) -> str:
    """A reader that has nothing to say has found as many mentions as there are."""
    warnings = Warnings()
    documents = _documents(path, format_, "key", warnings)
    expected = counts.mentions(path.read_bytes(), format_)
    if warnings or expected is None:
        raise corefscope.CorefscopeError("not counted")
    read = sum(len(entity) for document in documents for entity in document.entities)
    return "" if expected == read else f"not what there is: {read} mentions, but there are {expected}"


def _agree(path: Path, format_: str) -> str:
    """No error of ``validate`` without a word from ``score``."""
    errors = sorted(unsaid(path, format_))
    return f"score is silent about {errors[0]}: {errors}" if errors else ""


def _options(format_: str) -> dict[str, Any]:
    """Heads from the tree where there is one; words that differ are passed over where they may."""
    row = FORMATS[format_]
    options: dict[str, Any] = {"key_format": format_, "response_format": format_}
    return (
        options
        | ({"heads": "tree"} if row.layers.has_dependencies else {})
        | ({} if row.comparison.words_matter else {"words": "ignore"})
    )


def _scores(good: Path, path: Path, format_: str) -> str:
    """As response and as key, against the file as it was before."""
    with suppress(corefscope.CorefscopeError):
        corefscope.score(path, good, rules="corrected", metrics="conll", **_options(format_))
    corefscope.score(good, path, metrics="all", **_options(format_))
    return ""


def _explains(good: Path, path: Path, format_: str) -> str:
    """What is worked out by hand is the score, of one document and of all."""
    first = next(iter(corefscope.score(good, path, metrics="bcub", **_options(format_)).documents))
    for document in (first, None):
        explained = corefscope.explain_metric(good, path, "bcub", document=document, **_options(format_))
        by_hand = [float(figure) for figure in explained.calculation.score]
        score: list[float] = list(explained.report["bcub"])
        if any(abs(ours - theirs) > 1e-9 for ours, theirs in zip(by_hand, score, strict=True)):
            return f"is not the score: {by_hand} and {score}"
    return ""


def _ignores_words(_: Path, path: Path, format_: str) -> str:
    """A file has its own words: whether they are compared does not matter."""
    compared, ignored = (
        corefscope.score(path, path, metrics="conll", key_format=format_, response_format=format_, words=words)
        for words in ("compare", "ignore")
    )
    return "" if compared.rows == ignored.rows else f"other counts: {compared.rows} and {ignored.rows}"


FURTHER: dict[str, Callable[[Path, Path, str], str]] = {
    "score beside good": _scores,
    "explain": _explains,
    "ignore words": _ignores_words,
}
"""What one in three files goes through: the good file, the broken one, and their format."""


def _converts(path: Path, format_: str, target: str) -> str:
    """What was written without a loss reads the same; only what is called by ids is counted alone."""
    written = path.with_name("converted.ann" if target == "brat" else "converted")  # whose files may be empty
    done = convert(path, written, to=target, from_format=format_)
    try:
        before = _documents(path, format_, "key", Warnings())
        printed = target == "tagged"  # read over the words of the file, if its format is recognised
        if printed and all(document.counts_characters and not document.entities for document in before):
            return ""  # neither tags nor words tell that it is a copy
        if printed and recognised(str(path), None) != format_:
            return ""
        after = _documents(written, target, "key", Warnings(), path if printed else None)
    except corefscope.CorefscopeError as error:
        return f"what is written cannot be read: {error}"
    finally:
        written.unlink(missing_ok=True)
        written.with_suffix(".txt").unlink(missing_ok=True)
    if any(document.counts_characters for document in (*before, *after)):
        characters = [list(map(read_clusters, documents)) for documents in (before, after)]
        return "" if characters[0] == characters[1] else f"other clusters of characters: {characters!r:.600}"
    by_ids = not WRITERS[target].needs_words
    rewritten = WRITERS[target].rewrite and format_ == target
    if any(document.official for document in after) and not rewritten and target != "ua":  # as soon as it has zeros
        return f"can be read in two ways: {after!r:.300}"
    renamed = not done.noted.keys().isdisjoint(("names", "file_names"))
    content = [_content(documents, by_ids, renamed) for documents in (before, after)]
    return "" if content[0] == content[1] else f"reads otherwise: {content[0]!r:.300} and then {content[1]!r:.300}"


def _content(documents: list[Document], by_ids: bool, renamed: bool) -> Any:
    """All that a score can depend on."""
    if by_ids:
        return [sorted(map(len, document.entities)) for document in documents if document.entities]
    content = []
    for document in documents:
        ranks = {sentence.number: rank for rank, sentence in enumerate(document.sentences, 1)}
        counted = (Counter(_plain(mention, ranks) for mention in entity) for entity in document.entities)
        entities = [frozenset(each.items()) for each in counted]
        words = [list(sentence.words) for sentence in document.sentences]
        content.append(("" if renamed else document.id, words, Counter(entities)))
    return content


def _plain(mention: Mention, ranks: dict[int, int]) -> Mention:
    """In sentences counted through the document, and without its minimum, which a head may have become."""
    moved = mention.moved(lambda place: ranks[place >> SENTENCE_SHIFT] << SENTENCE_SHIFT | place & WORD_MASK)
    return Mention(moved.positions, moved.head, moved.dependencies)


def _drops_in(path: Path, format_: str) -> str:
    """Exit code 0, or 1 with a message."""
    said = io.StringIO()
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(said):
        code = DROP_INS[format_](str(path))
    if code not in (0, 1) or (code == 0 and not out.getvalue()):
        return f"exit code {code}: {said.getvalue()}"
    if code == 1 and "error: " not in said.getvalue():
        return "no message: " + said.getvalue()
    return ""
