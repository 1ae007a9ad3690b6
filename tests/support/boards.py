"""A small shared task with all that a leaderboard shows: languages, groups, ties, what is missing and faulty."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

WORDS = 12
HOSTILE = "</script><img src=x onerror=alert(1)>\"'&"
LANGUAGES = ("en_gum", "en_litbank", "cs_pdt", "hu_korkor")
ENTITIES = ([1, 2, 3, 4], [6, 8], [10, 12])
"""Words of each entity of the key, in every document."""
SYSTEMS: dict[str, Sequence[Sequence[int]]] = {
    "perfect": ENTITIES,
    "close": ([1, 2, 3, 4], [6, 8], [10]),
    "poor": ([1, 2], [6, 12], [10]),
    HOSTILE.replace("/", "_"): ([1, 6], [2, 8]),
}


def document(number: int, entities: Sequence[Sequence[int]]) -> str:
    """A document of one sentence as CorefUD."""
    owner = {word: at for at, entity in enumerate(entities) for word in entity}
    lines = [f"# newdoc id = d{number}", "# global.Entity = eid-etype-head-other", f"# sent_id = s{number}"]
    for word in range(1, WORDS + 1):
        misc = f"Entity=(d{number}e{owner[word]}-person-1-)" if word in owner else "_"
        lines.append(f"{word}\tw{word}\t_\tNOUN\t_\t_\t{word - 1}\tdep\t_\t{misc}")
    return "\n".join([*lines, "", ""])


def task_of(folder: Path, documents: int = 4) -> Path:
    """The manifest of the task, whose files are in the folder."""
    for dataset in LANGUAGES:
        (folder / dataset).mkdir(parents=True)
        for name, entities in {"key": ENTITIES, **SYSTEMS}.items():
            if (name, dataset) == ("poor", "hu_korkor"):
                continue  # missing
            text = "".join(document(number, entities) for number in range(documents))
            if (name, dataset) == ("close", "cs_pdt"):
                text = "1\tfaulty\n\n"
            (folder / dataset / f"{name}.conllu").write_text(text, encoding="utf-8")
    groups = {"en_litbank": "novels", "cs_pdt": HOSTILE}
    lines = ["settings = 'head,exact+keep,zero'", "resamples = 100"]
    for dataset in LANGUAGES:
        lines += [f"[datasets.{dataset}]", f'key = "{dataset}/key.conllu"']
        if dataset in groups:
            lines.append(f"group = '''{groups[dataset]}'''")
    lines.append("[systems]")
    for name in SYSTEMS:
        quoted = name.replace('"', '\\"')
        lines.append(f'"{quoted}" = "{{dataset}}/{quoted}.conllu"')
    manifest = folder / "board.toml"
    manifest.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return manifest
