"""The sentences of a paper that say how its scores were computed, and the BibTeX entries that they cite.

>>> signature = "corefud|match:exact|zeros:linear|singletons:keep|rules:corrected|v1.0"
>>> print(cite_line(signature, "lea").splitlines()[0].replace(signature, "…"))
Scores by corefscope 1.0 (The corefscope authors, 2026; signature …); LEA (Moosavi and Strube, 2016) is reported.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ..analysis.agreement import SCHEMA as AGREEMENT
from ..comparison.paired_tests import RUNS, TESTS
from ..comparison.resampling import DEFAULT
from ..comparison.signature import read_signature
from ..comparison.systems import COMPARISON, DOCUMENTS
from ..comparison.tasks.result import TASK, TASK_SETTINGS
from ..core.errors import InputError, OptionError
from ..core.metrics import METRICS, paper_metrics, select
from ..core.report import SCHEMA
from ..core.result import Result
from ..core.version import __version__
from ..formats.settings import SETTINGS_SCHEMA, in_common
from ..formats.source import read_text
from ..measures.bibliography import entries, reference
from .formats import latex, typst
from .text import shown

YEAR = 2026
SOFTWARE = "corefscope"
"""The key of the BibTeX entry of this program."""
AUTHORS = "The corefscope authors"


class CitationStyle(NamedTuple):
    """How a format writes text, signatures and citations."""

    title: str
    escaped: Callable[[str], str]
    code: Callable[[str], str]
    cited: Callable[[Sequence[str]], str]
    """A citation behind a word, from keys."""
    with_more: Callable[[str, str], str]
    """A citation, from a key, with more in the same brackets."""


def _in_latex(signature: str) -> str:
    """A signature that may be broken between its parts."""
    bar, allow_break = latex.escaped("|"), r"\allowbreak{}"
    return rf"\texttt{{{latex.escaped(signature).replace(bar, bar + allow_break)}}}"


def _authors(key: str) -> str:
    """Authors and year, as in brackets."""
    if key == SOFTWARE:
        return f"{AUTHORS}, {YEAR}"
    named = reference(key)
    return named.replace(" (", ", ").removesuffix(")") if key in entries() else named


STYLES = {
    "text": CitationStyle(
        "authors and years in brackets",
        shown,
        shown,
        lambda keys: f" ({'; '.join(map(_authors, keys))})",
        lambda key, more: f" ({_authors(key)}; {more})",
    ),
    "latex": CitationStyle(
        "with \\citep (natbib)",
        latex.escaped,
        _in_latex,
        lambda keys: rf"~\citep{{{','.join(keys)}}}",
        lambda key, more: rf"~\citep[][{{{more}}}]{{{key}}}",
    ),
    "typst": CitationStyle(
        "with @references",
        typst.escaped,
        lambda signature: f"#raw({json.dumps(shown(signature), ensure_ascii=False)})",
        lambda keys: "".join(f" @{key}" for key in keys),
        lambda key, more: f" (@{key}; {more})",
    ),
}


def cite_line(
    result: Result | Mapping[str, Any] | str | os.PathLike[str],
    metrics: str | Sequence[str] | None = None,
    *,
    format: str = "text",  # noqa: A002  (as everywhere)
) -> str:
    """The sentences about scores for a paper, an empty line, and the BibTeX entries that they cite.

    ``result`` is any result with scores, the path of one that was saved as JSON, or a signature. ``metrics`` are
    those of the paper, by default the usual ones among those of the result. ``format`` is one of ``STYLES``.
    """
    OptionError.check("format", format, STYLES)
    signature, scored = _signature_and_metrics(result)
    named = select(metrics) if metrics is not None else tuple(paper_metrics(scored))
    text = _Text(STYLES[format])
    sentences = " ".join(_sentences(signature, named, text))
    bibliography = [software_entry(_version(signature)), *(entries()[key] for key in text.keys if key in entries())]
    return "\n\n".join([sentences, *bibliography]) + "\n"


def software_entry(version: str = __version__) -> str:
    """The BibTeX entry of a version of corefscope."""
    fields = {"author": f"{{{AUTHORS}}}", "title": SOFTWARE, "year": str(YEAR), "note": f"Version {version}"}
    lines = [f"  {name:6} = {{{value}}}" for name, value in fields.items()]
    return f"@misc{{{SOFTWARE},\n" + ",\n".join(lines) + "\n}"


def _version(signature: str) -> str:
    version = signature.rpartition("|v")[2]
    return version if version[:1].isdigit() else __version__


def _signature_and_metrics(result: Result | Mapping[str, Any] | str | os.PathLike[str]) -> tuple[str, Sequence[str]]:
    if isinstance(result, str) and "|" in result:
        read_signature(result)
        return result.strip(), select("conll")
    if isinstance(result, str | os.PathLike):
        path = os.fspath(result)
        text = read_text(path)
        try:
            return _read_values(json.loads(text))
        except (ValueError, RecursionError, KeyError, TypeError, AttributeError, StopIteration, OptionError):
            hint = "save one with --format json; or give a signature"
            raise InputError("is not a result with scores", path=path, hint=hint) from None
    values: Any = result
    try:
        return _read_values(values.to_dict(False) if isinstance(result, Result) else values)
    except KeyError:
        raise OptionError(f"{type(result).__name__} is no result with scores, as of score, compare or task") from None


def _read_values(values: Any) -> tuple[str, Sequence[str]]:
    """Signature and metrics of a result as plain values; several errors if it is something else."""
    schema = values["schema"]
    if schema in (SETTINGS_SCHEMA, TASK_SETTINGS):
        results = [_read_values(inner) for inner in values["settings"].values()]
        signatures = dict.fromkeys(signature for signature, _ in results)
        version = _version(results[0][0])
        together = in_common(signature.rpartition("|v")[0] for signature in signatures)
        return f"{together.rpartition('|v')[0]}|v{version}", results[0][1]
    metrics = {
        SCHEMA: lambda: values["metrics"],
        COMPARISON: lambda: next(iter(values["systems"].values()))["metrics"],
        TASK: lambda: values["metrics"],
        AGREEMENT: lambda: values["mean"],
    }[schema]()
    return str(values["signature"]), select([*metrics])


class _Text:
    """Sentences in a style; remembers the papers that they cite."""

    def __init__(self, style: CitationStyle) -> None:
        self.style = style
        self.keys: dict[str, None] = {SOFTWARE: None}

    def __call__(self, text: str, *papers: str) -> str:
        """Escaped text with citations behind it; a paper without an entry is named as it is."""
        known = [paper for paper in papers if paper in entries()]
        self.keys.update(dict.fromkeys(known))
        others = [self.style.escaped(f" ({paper})") for paper in papers if paper and paper not in known]
        return self.style.escaped(text) + (self.style.cited(known) if known else "") + "".join(others)

    def metrics(self, names: Sequence[str]) -> str:
        """The titles of metrics with their papers."""
        cited = [self(METRICS[name].title, *METRICS[name].papers) for name in names]
        return " and ".join(filter(None, [", ".join(cited[:-1]), cited[-1]]))


def _sentences(signature: str, metrics: Sequence[str], text: _Text) -> Iterator[str]:
    signed = text.style.with_more(SOFTWARE, f"{text('signature')} {text.style.code(signature)}")
    clauses = [text(f"Scores by corefscope {_version(signature)}") + signed]
    means = [name for name in metrics if METRICS[name].parts]
    for name in means:
        parts = METRICS[name].parts
        clauses.append(text(f"{METRICS[name].title} is the mean of the F1 scores of ") + text.metrics(parts))
    inside = {part for name in means for part in METRICS[name].parts}
    if others := [name for name in metrics if name not in inside and name not in means]:
        verb = f"{'is' if len(others) == 1 else 'are'} reported{' as well' if means else ''}"
        clauses.append(f"{text.metrics(others)} {verb}")
    yield f"{'; '.join(clauses)}."
    plan = dict(item.partition(":")[::2] for item in signature.split("|"))
    if plan.get("average") == "macro":
        yield text(f"Scores are averaged over {plan.get('datasets', 'all')} data sets.")
    if plan.get("resamples", "").isdecimal():
        unit = plan.get("resampled", DOCUMENTS).partition(":")[0]
        level = f"{100 * float(plan.get('level', DEFAULT.level)):g} % intervals"
        test = TESTS.get(plan.get("test", ""), TESTS[DEFAULT.test])
        if test is TESTS[RUNS]:
            tested = text(f"{level} and p-values are by {test.title}", test.cite)
            yield tested + text(", adjusted by Holm's method", "holm-1979") + "."
            return
        count = text(f" over {unit} ({int(plan['resamples']):,} resamples)")
        tested = text(f", p-values by {test.title}", *filter(None, [test.cite]))
        adjusted = text(", adjusted by Holm's method", "holm-1979")
        yield f"{text(f'{level} are by the bootstrap', 'efron-1993')}{count}{tested}{adjusted}."
