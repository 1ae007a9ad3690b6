"""The files that benchmarks read. ``python -m benchmarks.datasets NAME DIRECTORY`` makes one of them, seeded."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from random import Random

from .anaphora import ua, ua_long
from .catalogue import NOISE_OF_SYSTEMS
from .corpus import Entities, Noise, Profile, disturb, make, write
from .measure import DATA
from .printed import as_corefud, as_printed, natural_words

GUM = Profile(words=940, density=0.2825, fresh=0.49)
GUM_NOISE = Noise(dropped=0.07, added=0.05, shifted=0.06, moved=0.05, split=0.05, merged=0.03)
NOVEL = Profile(words=200_000, density=0.1515, fresh=0.3, longest=31)
TASK_DATASETS, TASK_SYSTEMS, TASK_DOCUMENTS = 20, 10, 10

COREFUD_SCORER = """\
import sys
try:
    from corefscope.compat.commands.corefud import main as run
except ImportError:  # versions up to 0.9 had other modules
    from corefscope.cli.compat.corefud import run
sys.exit(run())
"""
CHUNK = re.compile(r"(\(?)([^()\-\[\]]+)([^()]*\)?)")
"""A chunk of an ``Entity`` value: its bracket, if it opens a mention, the id of the entity, the rest."""


def gum(directory: Path) -> None:
    """GUM dev if ``DATA`` says where it is, else a pair with as many documents, words, mentions and entities."""
    if DATA in os.environ:
        for name, side in (("key", "key"), ("sys", "response")):
            shutil.copyfile(Path(os.environ[DATA]) / f"gum-dev.{name}.conllu", directory / f"gum.{side}.conllu")
    else:
        _write_pair(directory, "gum", [f"doc{i:02}" for i in range(30)], GUM, GUM_NOISE)


def novel(directory: Path) -> None:
    """One document of 200k words with 30k mentions."""
    _write_pair(directory, "novel", ["novel"], NOVEL, Noise())


def _write_pair(directory: Path, name: str, documents: list[str], profile: Profile, noise: Noise) -> None:
    key, response = (directory / f"{name}.{side}.conllu" for side in ("key", "response"))
    _write_responses(Random(name), key, {response: noise}, documents, profile)


def _write_responses(
    random: Random, key: Path, responses: dict[Path, Noise], documents: list[str], profile: Profile
) -> None:
    """A key, and a response for each noise."""
    with ExitStack() as stack:
        whole, *disturbed = (stack.enter_context(path.open("w", encoding="utf-8")) for path in (key, *responses))
        for number, document in enumerate(documents):
            made = make(random, profile)
            write(whole, document, f"e{number}x", made)
            for file, noise in zip(disturbed, responses.values(), strict=True):
                write(file, document, f"e{number}x", disturb(random, made, noise))


def gum5(directory: Path) -> None:
    """Five copies of GUM."""
    _write_copies(directory, 5)


def gum10(directory: Path) -> None:
    """Ten copies of GUM: 300 documents."""
    _write_copies(directory, 10)


def gum20(directory: Path) -> None:
    """Twenty copies of GUM."""
    _write_copies(directory, 20)


def gum100(directory: Path) -> None:
    """A hundred copies of GUM."""
    _write_copies(directory, 100)


def recurring(directory: Path) -> None:
    """A hundred copies of GUM with the same entities in all of them."""
    _write_copies(directory, 100, "recurring", again=True)


def _write_copies(directory: Path, copies: int, name: str = "", again: bool = False) -> None:
    for side in ("key", "response"):
        lines = (directory / f"gum.{side}.conllu").read_text(encoding="utf-8").splitlines(keepends=True)
        with (directory / f"{name or f'gum{copies}'}.{side}.conllu").open("w", encoding="utf-8") as file:
            for number in range(1, copies + 1):
                file.writelines(renamed(line, number, again) for line in lines)


def renamed(line: str, copy: int, again: bool = False) -> str:
    r"""A line of a copy, whose documents, sentences and entities (unless they come again) have names of their own.

    >>> renamed("# newdoc id = GUM_x\n", 3), renamed("# sent_id = GUM_x-1\n", 3)
    ('# newdoc id = GUM_x-copy3\n', '# sent_id = GUM_x-1-copy3\n')
    >>> renamed("1\t…\tEntity=e1)e2[1/2])(e3-x-1-(e4[2/2]-x-1-y)|MSeg=a\n", 3)
    '1\t…\tEntity=e1c3)e2c3[1/2])(e3c3-x-1-(e4c3[2/2]-x-1-y)|MSeg=a\n'
    """
    if line.startswith(("# newdoc id =", "# sent_id =")):
        return f"{line.rstrip()}-copy{copy}\n"
    before, entity, after = line.partition("Entity=")
    if line.startswith("#") or not entity or again:
        return line
    value, bar, rest = after.rstrip("\n").partition("|")
    value = CHUNK.sub(rf"\g<1>\g<2>c{copy}\g<3>", value)
    return f"{before}{entity}{value}{bar}{rest}\n"


def labels(directory: Path) -> None:
    """Key and response labels of 10M mentions in about 1M entities, in no order."""
    import numpy as np

    random = np.random.default_rng(10)
    mentions, entities = 10_000_000, 1_000_000
    sizes = random.geometric(entities / mentions, size=entities)
    key = np.resize(np.repeat(np.arange(entities), sizes), mentions)
    random.shuffle(key)
    response = key.copy()
    chance = random.random(mentions)
    stray, split = chance < 0.15, chance > 0.95
    response[stray] = random.integers(0, entities, size=int(stray.sum()))
    response[split] += entities
    np.save(directory / "labels.key.npy", key)
    np.save(directory / "labels.response.npy", response)


def commands(directory: Path) -> None:
    """The command ``corefud-scorer`` as pip installs it, of this version or of another."""
    (directory / "corefud-scorer").write_text(COREFUD_SCORER, encoding="utf-8")


def formats(directory: Path) -> None:
    """GUM as CoNLL-2012, jsonlines and clusters of ids."""
    _convert(directory, "gum", {"conll": "conll", "jsonl": "jsonl", "json": "clusters"})


def formats20(directory: Path) -> None:
    """Twenty copies of GUM as CoNLL-2012 and clusters of ids."""
    _convert(directory, "gum20", {"conll": "conll", "json": "clusters"})


def _convert(directory: Path, name: str, formats: dict[str, str]) -> None:
    from corefscope.formats.convert import convert

    for side in ("key", "response"):
        for suffix, format_ in formats.items():
            source, target = (directory / f"{name}.{side}.{end}" for end in ("conllu", suffix))
            convert(source, target, to=format_, lossy=True)


def scorch(directory: Path) -> None:
    """GUM, once and twenty times over, as the directories of JSON that scorch reads: a file for each document."""
    for path in [path for name in ("gum", "gum20") for path in directory.glob(f"{name}.*.json")]:
        folder = path.with_suffix(".scorch")
        folder.mkdir()
        for number, entities in enumerate(json.loads(path.read_text(encoding="utf-8")).values()):
            clusters = {"type": "clusters", "clusters": entities}
            (folder / f"{number}.json").write_text(json.dumps(clusters), encoding="utf-8")


def rows(directory: Path) -> None:
    """A table of a million mentions in 1,000 documents."""
    random = Random("rows")
    with (directory / "rows.csv").open("w", encoding="utf-8") as file:
        file.write("document,mention,entity\n")
        for document in range(1000):
            entities = Entities(random, 0.3)
            file.writelines(f"d{document},d{document}m{at},d{document}e{entities.next()}\n" for at in range(1000))


def stream(directory: Path) -> None:
    """20 MB and 200 MB of jsonlines with key, response and speakers in each document, as systems write them."""
    key, response = (
        [json.loads(line) for line in (directory / f"gum.{side}.jsonl").read_text(encoding="utf-8").splitlines()]
        for side in ("key", "response")
    )
    endings = []
    for ours, theirs in zip(key, response, strict=True):
        ours["predicted_clusters"] = theirs["clusters"]
        ours["speakers"] = [["speaker"] * len(sentence) for sentence in ours["sentences"]]
        del ours["doc_key"]
        endings.append(json.dumps(ours, ensure_ascii=False)[1:])
    for megabytes in (20, 200):
        with (directory / f"stream{megabytes}.jsonl").open("w", encoding="utf-8") as file:
            number = 0
            while file.tell() < megabytes * 1e6:
                for ending in endings:
                    file.write(f'{{"doc_key": "doc{number}", {ending}\n')
                    number += 1


def systems(directory: Path) -> None:
    """Four responses to GUM beside its own, each with 20 % of a kind of noise."""
    from corefscope.analysis.noise.files import perturb_file

    perturb_file(directory / "gum.key.conllu", directory / "systems", kinds=NOISE_OF_SYSTEMS, levels=[20])


def task(directory: Path) -> None:
    """A shared task: 20 data sets of 10 documents each, and 10 systems, each worse than the one before."""
    documents = [f"doc{i:02}" for i in range(TASK_DOCUMENTS)]
    for number in range(TASK_DATASETS):
        folder = directory / "task" / f"set{number:02}"
        folder.mkdir(parents=True)
        noise = {
            folder / f"system{rank:02}.conllu": Noise(*(share * (5 + rank) / 10 for share in GUM_NOISE))
            for rank in range(TASK_SYSTEMS)
        }
        _write_responses(Random(folder.name), folder / "key.conllu", noise, documents, GUM)


def crac(directory: Path) -> None:
    """A tenth of a shared task of 21 data sets, the first two large, and 30 systems; each response is that of ten."""
    for number in range(21):
        folder = directory / "crac" / f"set{number:02}"
        folder.mkdir(parents=True)
        documents = [f"doc{i:03}" for i in range(60 if number < 2 else 6)]  # of 80 kB
        noise = {
            folder / f"system{rank:02}.conllu": Noise(*(share * (5 + rank) / 10 for share in GUM_NOISE))
            for rank in range(3)
        }
        _write_responses(Random(folder.name), folder / "key.conllu", noise, documents, GUM)
        for rank in range(3, 30):
            os.link(folder / f"system{rank % 3:02}.conllu", folder / f"system{rank:02}.conllu")


def copies(directory: Path) -> None:
    """3,000 and 20,000 documents of 120 words, and exact copies of them with tags."""
    words, random = natural_words(100_000), Random("copies")
    for count in (3_000, 20_000):
        with ExitStack() as stack:
            paths = (directory / f"copies{count}.{suffix}" for suffix in ("conllu", "txt"))
            key, text = (stack.enter_context(path.open("w", encoding="utf-8")) for path in paths)
            for number in range(count):
                start = random.randrange(len(words) - 120)
                forms = words[start : start + 120]
                key.write(as_corefud(forms, f"d{number}"))
                text.write(as_printed(forms, exactly=True))


def crowds(directory: Path) -> None:
    """Small files in which everything competes: zeros that share their dependencies, mentions inside each other."""
    zeros = 2000
    for side, entity in (("key", 4), ("response", 3)):
        empty = [f"1.{i}\t_\t_\t_\t_\t_\t_\t_\t1:nsubj\tEntity=(e{i // entity}-x-1-)" for i in range(1, zeros + 1)]
        _write_sentence(directory / f"zeros.{side}.conllu", [_word(1, "_"), *empty])
        for name, spans, one_head in (("heads", 5000, True), ("nested", 8000, False)):
            head = spans + 1
            opened = [_word(i, f"Entity=(e{i // entity}-x-{head - i if one_head else 1}-") for i in range(1, spans)]
            closed = "".join(f"e{i // entity})" for i in range(spans - 1, 0, -1))
            ends = [closed, "_"] if side == "key" else ["_", closed]
            last = [_word(spans + n, end if end == "_" else f"Entity={end}") for n, end in enumerate(ends)]
            _write_sentence(directory / f"{name}.{side}.conllu", [*opened, *last])
        crossing = [_crossing(i // entity, (i - 1) // entity if i else -1) for i in range(1000)]
        last_sentence = _crossing(-1, 999 // entity)
        text = "\n".join(["#begin document (d); part 000", *crossing, last_sentence, "#end document\n"])
        (directory / f"crossing.{side}.conll").write_text(text, encoding="utf-8")


def _crossing(opened: int, closed: int) -> str:
    """A sentence of ten words in which a mention ends that began in the one before, and another begins."""
    cells = ["-"] * 10
    if closed >= 0:
        cells[2] = f"{closed})"
    if opened >= 0:
        cells[7] = f"({opened}"
    return "\n".join(f"d\t0\t{word}\tw\t{cell}" for word, cell in enumerate(cells)) + "\n"


def _word(number: int, misc: str) -> str:
    return f"{number}\tw\t_\t_\t_\t_\t{int(number > 1)}\tdep\t_\t{misc}"


def _write_sentence(path: Path, lines: list[str]) -> None:
    header = "# newdoc id = d\n# global.Entity = eid-etype-head-other\n# sent_id = s\n"
    path.write_text(header + "\n".join(lines) + "\n\n", encoding="utf-8")


def unrelated(directory: Path) -> None:
    """Key and response labels of 200,000 mentions that have nothing to do with each other."""
    import numpy as np

    random = np.random.default_rng(5)
    (directory / "unrelated").mkdir()
    for side in ("key", "response"):
        np.save(directory / "unrelated" / f"labels.{side}.npy", random.integers(0, 40_000, size=200_000))


def clusters(name: str, directory: Path) -> None:
    """Clusterings of millions of mentions."""
    from .scale_work import make  # which needs pyarrow

    make(name, directory)


DATASETS: dict[str, Callable[[Path], None]] = {
    made.__name__: made
    for made in (
        gum,
        commands,
        gum5,
        gum10,
        gum20,
        gum100,
        recurring,
        novel,
        labels,
        formats,
        formats20,
        scorch,
        rows,
        stream,
        copies,
        systems,
        task,
        crac,
        crowds,
        unrelated,
        ua,
        ua_long,
    )
}  # gum before its copies, and formats before stream


if __name__ == "__main__":
    name, directory = sys.argv[1:]
    if name in DATASETS:
        DATASETS[name](Path(directory))
    else:
        clusters(name, Path(directory))
