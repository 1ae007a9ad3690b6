"""Everything the page shows, as plain values: from files to what the template and the script read."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from ....base.errors import OptionError, Warnings
from ....base.naming import names_of
from ....base.version import __version__
from ....count.metrics import METRICS
from ....evaluate.files import reports
from ....evaluate.present import as_printed, without_absent
from ....evaluate.request import Path, Progress, Request
from ....evaluate.results import Report
from ....read.pairs import Pair
from ....read.source import path_name
from ....study.faults.examine import checked
from ....study.faults.slices import score_of
from ....study.resampling import DEFAULT, study
from .chains import IDENTITY, Plain, layers_in
from .documents import document_data
from .examined import Examined
from .faults import SliceNumbers
from .kinds import KIND_NAMES, kinds_of_page

MOST_DOCUMENTS = 2000  # of which the page has the text; more would take a browser minutes to read


def collect(
    key: Path,
    responses: Sequence[Path],
    request: Request,
    *,
    names: str | Sequence[str] | None = None,
    title: str | None = None,
    progress: Progress | None = None,
) -> Plain:
    """The data of a page: ``overview`` for the template; ``documents`` for the script, a JSON-able object each."""
    paths = [path_name(path) for path in responses]
    if not paths:
        raise OptionError("name at least one response")
    systems = names_of(paths, names)
    corpora = [request.corpus(key, path, Warnings()) for path in paths]
    documents: list[Plain] = []
    numbers = SliceNumbers()
    try:
        opened = checked(request).read(corpora, progress)
        examined = [Examined(name, corpus, opened.request) for name, corpus in zip(systems, corpora, strict=True)]
        for row in opened.rows:
            # A document that neither the key nor this response has: the key that others are compared with is empty.
            empty = next(Pair(pair.key, pair.key) for pair in row if pair)
            compared = [one.compare(*(pair or empty)) for one, pair in zip(examined, row, strict=True)]
            if len(documents) < MOST_DOCUMENTS:
                documents.append(document_data(compared, KIND_NAMES, [one.how for one in examined], numbers))
    finally:
        for corpus in corpora:
            corpus.close()
    made = without_absent(request, [reports(request, one.corpus, [one])[0] for one in examined])
    by_name = {one.name: as_printed(request, report) for one, report in zip(examined, made, strict=True)}
    named = {"key": path_name(key), "title": title or _title(systems, path_name(key)), "slices": list(numbers)}
    return {"overview": {**named, **_overview(examined, by_name, documents)}, "documents": documents}


def _title(systems: Sequence[str], key: str) -> str:
    """The systems first: that is what tells pages apart.

    >>> _title(["a"], "dev/key.conllu"), _title(["a", "b", "c", "d"], "key.conllu")
    ('a against key.conllu', 'a, b and 2 more against key.conllu')
    """
    names = [name if name.isascii() else f"\u2068{name}\u2069" for name in systems]  # scripts may run otherwise
    named = f"{', '.join(names[:2])} and {len(names) - 2} more" if len(names) > 2 else " and ".join(names)
    return f"{named} against {os.path.basename(key) or key}"


def _overview(examined: Sequence[Examined], by_name: Mapping[str, Report], documents: Sequence[Plain]) -> Plain:
    main, everything = examined[0].main, len(examined[0].documents)
    resampled = study(by_name) if everything > 1 else None  # a single document has no intervals
    cautions = list(resampled.cautions) if resampled else []
    if len(documents) < everything:
        cautions.append(
            f"the page shows the first {len(documents):,} of {everything:,} documents;"
            " all figures above them are of all"
        )
    shown = [document["id"] for document in documents]
    scores = [[score_of(report.documents[name], main) for name in shown] for report in by_name.values()]
    genre = examined[0].genre_slicer()
    made = {kind for one in examined for count in one.documents for kind in count}
    relations = sorted(set().union(*(one.relations for one in examined)))
    kinds = kinds_of_page(made, bool(relations), examined[0].identity)
    facts = []
    for index, document in enumerate(documents):
        counts = [one.documents[index] for one in examined]
        facts.append(
            {
                "id": document["id"],
                "words": sum(len(sentence[2]) for sentence in document["s"]) - len(document["z"]),
                "mentions": _scored(document["key"]),
                "genre": genre.value_of(document["id"]) if genre else "",
                "scores": [by_document[index] for by_document in scores],
                "faults": [count.total() for count in counts],
                "kinds": [[count[kind["name"]] for kind in kinds] for count in counts],
            }
        )
    return {
        "version": __version__,
        "headline": METRICS[main].title,
        "level": DEFAULT.level,
        "kinds": kinds,
        "documents": facts,
        "responses": [one.plain(by_name[one.name], resampled, shown) for one in examined],
        "identity": examined[0].identity,
        "relations": relations,
        "groups": list(dict.fromkeys([kind.get("relation", IDENTITY) for kind in kinds if kind["shown"]])),
        "layers": layers_in(documents),
        "metrics": [METRICS[name].title for name in examined[0].order(by_name[examined[0].name])],
        "cautions": cautions,
    }


def _scored(side: Plain) -> int:
    """How many mentions of a side are in the layer of identity."""
    return sum(len(side["e"][chain]) == len(("name", "type")) for chain, *_ in side["m"])
