"""Small CorefUD pairs for the page: hostile text, scripts that run otherwise, marks that cross, and much of it."""

from __future__ import annotations

import random
from pathlib import Path

from places import GOLDEN

HEADER = "# global.Entity = eid-etype-head-other\n"
ATTACK = "<script>window.attacked=1</script>"
BREAKOUT = "</script><script>window.attacked=2</script>"
IMAGE = '"><img src=x onerror="window.attacked=3">'
STYLED = "</style><body onload='window.attacked=4'>"
CONTROLS = "nul\x00esc\x1b[31mnel\x85line\u2028para\u2029bidi\u202eend"
COMMENT = "<!--<script>"
LONG = "long" * 300

Word = tuple[str, str]
"""Form and MISC."""


def sentence(name: str, words: list[Word]) -> str:
    rows = [f"{n}\t{form}\t_\tNOUN\t_\t_\t0\troot\t_\t{misc}" for n, (form, misc) in enumerate(words, 1)]
    return f"# sent_id = {name}\n" + "\n".join(rows) + "\n\n"


def document(name: str, *sentences: str) -> str:
    first, *others = sentences
    return f"# newdoc id = {name}\n{HEADER}{first}{''.join(others)}"


def write(folder: Path, key: str, response: str, names: tuple[str, str] = ("key", "response")) -> tuple[Path, Path]:
    paths = folder / f"{names[0]}.conllu", folder / f"{names[1]}.conllu"
    for path, text in zip(paths, (key, response), strict=True):
        path.write_bytes(text.encode("utf-8"))
    return paths


def hostile(folder: Path) -> tuple[Path, Path]:
    """Markup, quotes, control characters and endless words wherever a file has text."""

    def side(second: str) -> str:
        entity = "</script><svg/onload:attack>"
        return document(
            f"{IMAGE}{BREAKOUT}&amp;{COMMENT}",
            sentence(
                BREAKOUT.replace(" ", ""),
                [
                    (ATTACK, f"Entity=({entity}-<b>type</b>-1)"),
                    (BREAKOUT, f"Entity=({second}-\"'type-1)"),
                    (IMAGE, "_"),
                    (STYLED, f"Entity=({entity}-<b>type</b>-1)"),
                    (CONTROLS, f"Entity=({second}-\"'type-1)"),
                    (COMMENT, "_"),
                    (LONG, f"Entity=({entity}-<b>type</b>-1)"),
                    ("{{ 7 * 7 }}{% raw %}", f"Entity=({second}-\"'type-1)"),
                ],
            ),
        ) + document("plain", sentence("s1", [("a", "Entity=(p-x-1)"), ("b", "Entity=(p-x-1)"), ("c", "_")]))

    return write(
        folder,
        side("'+window.attacked+'"),
        side("javascript:attacked"),
        ("key <script>window.attacked=6<!--", "'response\" onload=x"),
    )


def right_to_left(folder: Path) -> tuple[Path, Path]:
    """Arabic and Hebrew with digits and a Latin name."""

    def side(last: str) -> str:
        return document(
            "عربي",
            sentence(
                "ar-1",
                [
                    ("أعلنت", "_"),
                    ("الوزيرة", "Entity=(e1-person-1"),
                    ("الجديدة", "Entity=e1)"),
                    ("أن", "_"),
                    ("الشركة", "Entity=(e2-org-1"),
                    ("NASA", "Entity=e2)|SpaceAfter=No"),
                    ("،", "_"),
                    ("في", "_"),
                    ("2024", "Entity=(e3-time-1)"),
                    ("،", "_"),
                    ("ستدعمها", "Entity=(e1-person-1)|SpaceAfter=No"),
                    (".", "_"),
                ],
            ),
            sentence(
                "ar-2",
                [
                    ("وقالت", "Entity=(e1-person-1)"),
                    ("إنها", "Entity=(e2-org-1)"),
                    ("في", "_"),
                    ("2024", f"Entity=({last}-time-1)"),
                ],
            ),
        ) + document(
            "עברית",
            sentence(
                "he-1",
                [
                    ("הילדה", "Entity=(h1-person-1)"),
                    ("ראתה", "_"),
                    ("את", "_"),
                    ("הכלב", "Entity=(h2-animal-1"),
                    ("שלה", "Entity=(h1-person-1)h2)"),
                    ("והוא", "Entity=(h2-animal-1)"),
                    ("רץ", "SpaceAfter=No"),
                    (".", "_"),
                ],
            ),
        )

    return write(folder, side("e3"), side("e2"))


def chinese(folder: Path) -> tuple[Path, Path]:
    """Words without blanks: said by SpaceAfter in the first sentence, known from the script in the second."""
    glue = "SpaceAfter=No"

    def side(last: str) -> str:
        return document(
            "中文",
            sentence(
                "zh-1",
                [
                    ("市长", f"Entity=(e1-person-1)|{glue}"),
                    ("昨天", glue),
                    ("宣布", glue),
                    ("，", glue),
                    ("新", f"Entity=(e2-place-2|{glue}"),
                    ("图书馆", f"Entity=e2)|{glue}"),
                    ("开放", glue),
                    ("。", glue),
                ],
            ),
            sentence(
                "zh-2",
                [
                    ("她", "Entity=(e1-person-1)"),
                    ("说", "_"),
                    ("它", f"Entity=({last}-place-1)"),
                    ("很", "_"),
                    ("大", "_"),
                ],
            ),
        )

    return write(folder, side("e2"), side("e1"))


def crossing(folder: Path) -> tuple[Path, Path]:
    """A discontinuous mention, mentions that cross, and zeros, one of them with a form."""

    def row(name: str, form: str, misc: str, deps: str = "_") -> str:
        return f"{name}\t{form}\t_\tNOUN\t_\t_\t{'_' if '.' in name else 0}\t_\t{deps}\t{misc}\n"

    def side(zero: str) -> str:
        return (
            f"# newdoc id = d\n{HEADER}# sent_id = s1\n"
            + row("1", "one", "Entity=(a-x-1(d[1/2]-x-1)")
            + row("2", "two", "Entity=(b-x-1")
            + row("3", "three", "Entity=a)(d[2/2]-x-1)")
            + row("4", "four", "Entity=b)")
            + zero
            + row("5", "five", "Entity=(a-x-1)")
            + row("6", "six", "Entity=(b-x-1)")
            + row("7", "seven", "Entity=(d-x-1)")
            + "\n"
        )

    key = row("4.1", "_", "Entity=(z-x-1)", "5:nsubj") + row("4.2", "ona", "Entity=(z-x-1)", "5:obj")
    response = row("4.1", "_", "Entity=(z-x-1)", "5:nsubj") + row("4.2", "_", "Entity=(z-x-1)", "6:obj")
    return write(folder, side(key), side(response))


def anaphora(folder: Path) -> tuple[Path, Path]:
    """Bridging, a plural and an expletive; a label and words that are markup."""
    paths = folder / "key.conllua", folder / "response.conllua"
    for path in paths:
        text = (GOLDEN / "anaphora" / path.name).read_text(encoding="utf-8")
        text = text.replace("\told\t", f"\t{ATTACK}\t").replace("Rel=part", "Rel=<b>part</b>")
        path.write_text(text, encoding="utf-8")
    return paths


def bridged(folder: Path, sentences: int = 300) -> tuple[Path, Path]:
    """A long document in which every fourth word is a bridging anaphor to the word before; and one with none.

    Some anchors are far away; the response lacks every third link.
    """

    def side(missing: int) -> str:
        def words(number: int) -> list[Word]:
            found = []
            for at in range(5):
                name = f"{number}x{at}"
                anchor = f"a0x{at}" if number == sentences - 1 else f"a{name}"
                bridge = f"Bridge={anchor}<b{name}:part|" if (number + at) % 3 >= missing else ""
                found += [("on", "_"), ("house", f"Entity=(a{name}-x-1)"), ("its", "_")]
                found += [("door", f"{bridge}Entity=(b{name}-x-1)")]
            return found

        long = document("long", *(sentence(f"s{number}", words(number)) for number in range(sentences)))
        return long + document("short", sentence("t1", [("a", "Entity=(p-x-1)"), ("b", "Entity=(p-x-1)")]))

    return write(folder, side(0), side(1))


def several(folder: Path, documents: int) -> tuple[Path, Path]:
    """Documents of a few words each; the response is wrong in two of three."""

    def words(number: int, wrong: int) -> list[Word]:
        last = "e" if number % 3 < wrong else "f"
        return [(name, f"Entity=({entity}-x-1)") for name, entity in zip("abcd", ("e", "f", "e", last), strict=True)]

    def side(wrong: int) -> str:
        return "".join(document(f"d{number}", sentence("s1", words(number, wrong))) for number in range(documents))

    return write(folder, side(0), side(2))


def rivals(folder: Path) -> tuple[Path, ...]:
    """A key and two responses to it: each is wrong where the other is right, and at one mention both are."""

    def text(name: str, entities: str) -> str:
        words = zip("abcdefgh", entities, strict=True)
        return document(name, sentence(f"s-{name}", [(word, f"Entity=({entity}-t-1)") for word, entity in words]))

    def side(name: str, *entities: str) -> Path:
        path = folder / f"{name}.conllu"
        path.write_text("".join(map(text, ("news_0", "news_1", "novel_2", "novel_3"), entities)))
        return path

    return (
        side("key", *["xxxxyyyy"] * 4),
        side("first", "xxxxyyyy", "xxxxyyyz", "xxxyyyyy", "xxxxyyyy"),
        side("second", "xxxxyyyz", "xxxxyyyz", "xxxxyyyy", "xyxxyyyy"),
    )


def heads(folder: Path) -> tuple[Path, Path]:
    """A mention with the same words on both sides and another head."""

    def side(head: int) -> str:
        words = [("the", f"Entity=(a-t-{head}"), ("old", "_"), ("mayor", "Entity=a)"), ("she", "Entity=(a-t-1)")]
        return document("d", sentence("s", words), sentence("t", [("her", "Entity=(a-t-1)"), ("it", "_")]))

    return write(folder, side(3), side(2))


def ids(folder: Path, entities: int = 400) -> tuple[Path, Path]:
    """A table of ids, three of each entity; the response divides each fifth one and lacks an id of each seventh."""
    paths = folder / "key.csv", folder / "response.csv"
    for side, path in enumerate(paths):
        rows = ["mention,entity"]
        for entity in range(entities):
            for number in range(3):
                divided = side and entity % 5 == 0 and number == 2
                if not (side and entity % 7 == 0 and number == 1):
                    rows.append(f"record-{entity}-{number},{entity}{'x' * divided}")
        path.write_text("\n".join([*rows, ""]))
    return paths


def pronouns(folder: Path, documents: int = 20) -> tuple[Path, Path]:
    """Documents that each lack some pronouns: "I" in all, "it" in half of them, "You" and "you" in a few."""

    def words(number: int, found: bool) -> list[Word]:
        lost = ["I", "I", *["it"] * (number % 2), *(["You", "you"] if number < 3 else [])]
        rows = [(form, "Entity=(e-x-1)") for form in ("Ann", "she")]
        return rows + [(form, "Entity=(e-x-1)" if found else "_") for form in lost]

    def side(found: bool) -> str:
        names = range(documents)
        return "".join(
            document(f"d{n}", sentence("s1", words(n, found)), sentence("s2", [(".", "_")])) for n in names
        )

    return write(folder, side(True), side(False))


def crowd(folder: Path, documents: int = 200, errors: int = 100) -> tuple[Path, Path]:
    """Twenty thousand errors: mentions that the response does not have."""
    sides: list[list[str]] = [[], []]
    for number in range(documents):
        found = [(f"word{number}", "Entity=(e-t-1)")] * 3
        missing = [(f"lost{number}n{at}", "Entity=(e-t-1)") for at in range(errors)]
        without = [(form, "_") for form, _ in missing]
        for side, words in zip(sides, ([*found, *missing], [*found, *without]), strict=True):
            side.append(document(f"d{number}", sentence(f"s{number}", words)))
    return write(folder, "".join(sides[0]), "".join(sides[1]))


def large(folder: Path, words: int = 200_000) -> tuple[Path, Path]:
    """One document of many words; the response differs here and there."""
    rng = random.Random(7)
    sides: list[list[str]] = [[], []]
    for number in range(words // 20):
        plain = [(f"word{number * 20 + at}", "_") for at in range(20)]
        rows = [list(plain), list(plain)]
        for at in range(0, 20, 4):
            chain = rng.randrange(400)
            other = chain if rng.random() < 0.8 else rng.randrange(400)
            for side, entity in zip(rows, (chain, other), strict=True):
                side[at] = (side[at][0], f"Entity=(e{entity}-x-1")
                side[at + 1] = (side[at + 1][0], f"Entity=e{entity})")
        for text, side in zip(sides, rows, strict=True):
            text.append(sentence(f"s{number + 1}", side))
    key, response = (document("large", *text) for text in sides)
    return write(folder, key, response)
