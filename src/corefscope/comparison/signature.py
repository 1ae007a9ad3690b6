"""Reading signatures: the arguments of a request that reproduces a score."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, cast

from ..core.baselines import BASELINES, FILE, of_file
from ..core.errors import OptionError
from ..core.input import one_digest
from ..core.options import CHOICES, Options, split_words
from ..core.registry import HOOKS
from ..core.request import ANAPHORS, RequestArguments
from ..core.version import __version__
from ..formats.corpus import response_digest
from ..formats.paths import exists, pair_files
from ..formats.source import refuse_pipes

RESAMPLING, TASK = "it does not resample like this", "this is of a shared task"
Plain = str | int | float
PLAN: dict[str, tuple[Callable[[str], Plain], str]] = {
    "resampled": (str, RESAMPLING),
    "resamples": (int, RESAMPLING),
    "seed": (int, RESAMPLING),
    "level": (float, RESAMPLING),
    "test": (str, RESAMPLING),
    "average": (str, TASK),
    "datasets": (int, TASK),
    "rank_by": (str, TASK),
    "missing": (str, TASK),
    "noise-seed": (int, "it makes no noise"),
    "key": (
        str,
        "estimates from a sampled key are ratios of sums over all its entities, which score --sampled-key makes",
    ),
    "unmarked": (str, "this is of annotators"),
    "by": (str, "it scores whole texts"),
}
"""Further parts of the signatures of comparisons, tasks and curves: type, and why other commands refuse them."""


OPTIONS = {"resampled": "resample", "key": "sampled_key"}
"""The options that some of these parts are, where the names differ."""


class Signature(NamedTuple):
    """The content of a signature."""

    arguments: RequestArguments
    """The arguments of a request; None leaves a value to the caller, as with several formats."""
    plan: dict[str, Plain]
    """Further arguments of ``compare``, ``task`` and others, such as the seed."""
    version: str
    """The version of corefscope that wrote it; empty if unknown."""
    formats: tuple[str, ...]
    """One for all files; or those of key and response; or more, whose files are not known."""


def read_signature(signature: str) -> Signature:
    """Read a signature back; it may be broken into lines at ``|``, as terminals show it.

    >>> read_signature("corefud|match:exact|zeros:linear|singletons:keep|rules:corrected|v0.1.0").arguments["match"]
    'exact'
    """
    signature = re.sub(r"\s*\|\s*", "|", signature.strip())
    items = signature.split("|")
    if items == [""]:
        raise OptionError("the signature is empty: copy one that is printed with a score")
    version = items[-1][1:] if items[-1][:1] == "v" and items[-1][1:2].isdigit() else ""
    names = [item.partition(":")[0] for item in items]
    planned = [item for item, name in zip(items, names, strict=True) if name in PLAN]
    several = [item for item, name in zip(items, names, strict=True) if name in (*CHOICES, "windows") and "," in item]
    if several:
        raise OptionError(f"the signature is of several settings ({several[0]}): take that of one, or --settings")
    options = Options.parse("|".join(item for item in items if item not in planned))
    for predicate in (options.subset, options.anaphors if options.anaphors not in ANAPHORS else ""):
        if predicate:
            raise OptionError(f"the predicate {predicate!r} that selected mentions cannot be replayed")
    absent = [name for name in CHOICES if name not in names]
    if absent:
        raise OptionError(f"the signature {signature!r} is incomplete: it does not say {', '.join(absent)}")
    plan: dict[str, Plain] = {}
    for name, _, value in (item.partition(":") for item in planned):
        if name in plan:
            raise OptionError(f"the signature has {name} twice")
        try:
            plan[name] = PLAN[name][0](value)
        except ValueError:
            raise OptionError(f"the signature has {name}:{value[:40]}, which is no number") from None
    formats = tuple(options.format.split("+"))
    documents, topic = split_documents(options.documents)
    one = formats[0] if len(formats) == 1 else None
    given = ("heads", "baseline", "anaphors", "only", "classes", "repair", "relations", "weights", "windows")
    arguments = {
        **{name: value for name, value in options._asdict().items() if name in CHOICES},
        "key_format": one,
        "response_format": one,
        "documents": documents,
        "topic": topic,
        **{name: value or None for name, value in options._asdict().items() if name in given},
        **{name: value or None for name, value in zip(("words", "align"), split_words(options.words), strict=True)},
        **how_printed(options.llm),
    }
    return Signature(cast("RequestArguments", arguments), plan, version, formats)


def split_documents(named: str) -> tuple[str, str | None]:
    """Split the part of a signature about joined documents into the arguments ``documents`` and ``topic``."""
    documents, _, topic = named.partition("=")
    return documents or "apart", topic or None


def how_printed(llm: str) -> dict[str, str]:
    """The arguments of a request that the ``llm`` part of a signature encodes."""
    if not llm:
        return {}
    from ..llm.options import FAITHFUL, PrintedOptions

    printed = PrintedOptions.parse(llm)
    unclosed = {"unclosed": printed.unclosed} if printed.reading == FAITHFUL else {}
    return {"reading": printed.reading, **unclosed}


def apply_plan(signature: Signature, further: Mapping[str, object], fixed: Mapping[str, object]) -> dict[str, object]:
    """Fill in the further options of a command that are None from a signature.

    ``fixed`` are parts that the command cannot change, so the signature must agree. Every part of a signature is
    applied or refused.
    """
    filled = dict(further)
    for part, value in signature.plan.items():
        name = OPTIONS.get(part, part)
        if name in filled:
            filled[name] = value if filled[name] is None else filled[name]
        elif part not in fixed:
            raise OptionError(f"the signature has {part}:{value}, which this command cannot apply: {PLAN[part][1]}")
        elif value != fixed[part]:
            raise OptionError(f"the signature has {part}:{value}, but here it is {part}:{fixed[part]}")
    return filled


def apply_arguments(
    signature: Signature, arguments: RequestArguments, sides: Iterable[tuple[str, str]]
) -> RequestArguments:
    """Fill in the arguments that are None from a signature; ``sides`` are keys and responses."""
    sides = list(sides)
    signed: dict[str, object] = dict(signature.arguments)
    if arguments.get("documents"):
        del signed["topic"]  # it belongs to the other way of joining
    if len(signature.formats) > 1 and not (arguments.get("key_format") and arguments.get("response_format")):
        signed.update(_formats(signature.formats, sides))
    if baseline := arguments.get("baseline"):
        check_baseline_file(signature, [(key, os.fspath(baseline)) for key in dict.fromkeys(key for key, _ in sides)])
    if weights := arguments.get("weights"):  # those without a file replace that of the signature
        found, own = HOOKS["parse_weights"](os.fspath(weights)), str(signed["weights"] or "")
        if own.startswith(FILE) and found.path and found.signed != own:
            message = f"the signature has weights:{own}, but {weights} is {found.signed}: it is another file"
            raise OptionError(message)
    missing = {name: value for name, value in signed.items() if arguments.get(name) is None}
    return cast("RequestArguments", {**arguments, **missing})


def check_baseline_file(signature: Signature, sides: Sequence[tuple[str, str]]) -> None:
    """Refuse baseline files other than those of the signature.

    ``sides`` are keys and the baseline of each. A baseline that is no file replaces that of the signature.
    """
    signed = signature.arguments.get("baseline")
    if not sides or signed in (None, *BASELINES) or not all(exists(baseline) for _, baseline in sides):
        return
    refuse_pipes((path for pair in sides for path in pair), "the baseline is compared with the signature")
    found = of_file(one_digest([response_digest(*pair) for pair in sides]))
    if found != signed:
        names = ", ".join(baseline for _, baseline in sides)
        raise OptionError(f"the signature has baseline:{signed}, but {names} is {found}: its content is not the same")


def _formats(formats: Sequence[str], sides: Sequence[tuple[str, str]]) -> dict[str, str]:
    """The formats of key and response, if each side is one file; otherwise formats are detected file by file."""
    if any(len(pair_files(*pair)) > 1 for pair in sides):
        return {}
    if len(formats) != 2 or not sides:
        raise OptionError(
            f"the signature has the formats {'+'.join(formats)} and does not say which file has which:"
            " give --key-format and --response-format"
        )
    return dict(zip(("key_format", "response_format"), formats, strict=True))


def note_on_version(version: str) -> str:
    """A note if another version wrote a signature or result."""
    return f"written by version {version}, this is {__version__}" if version and version != __version__ else ""
