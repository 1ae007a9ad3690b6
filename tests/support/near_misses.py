"""What models do to tags and to the text around them: from a faithful copy to one that means the same.

Each function takes a line that is right and a source of chance; nothing of the package's code is used.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape
from random import Random

Miss = Callable[[str, Random], str]


def _sub(pattern: str, new: str, share: float = 1.0) -> Miss:
    """A spelling in the place of another, in so many of its places."""

    def miss(line: str, random: Random) -> str:
        return re.sub(pattern, lambda at: at.expand(new) if random.random() < share else at[0], line)

    return miss


def _signs(signs: dict[str, str], share: float = 1.0) -> Miss:
    """Signs in the place of others."""
    pattern = "|".join(map(re.escape, signs))
    return lambda line, random: re.sub(pattern, lambda at: signs[at[0]] if random.random() < share else at[0], line)


_WIDE = {sign: chr(ord(sign) + 0xFEE0) for sign in "<>[]()|:#"}
_ESCAPED = {sign: f"\\{sign}" for sign in "[]()|_#"}

OF_STYLE: dict[str, dict[str, Miss]] = {
    "crac": {
        "blank behind the bar": _sub(r"\|", "| "),
        "blank behind some bars": _sub(r"\|", "| ", 0.4),
        "blanks around the bar": _sub(r"\|", " | "),
        "blank before the bar": _sub(r"\|", " |"),
        "blank behind the comma": _sub(r",(?=\[?e[0-9])", ", "),
        "semicolon": _sub(r",(?=\[?e[0-9])", ";"),
        "no bar": _sub(r"\|(?=\[)", ""),
        "two bars": _sub(r"\|", "||"),
        "blanks in brackets": _sub(r"\[(e[0-9]+)\]", "[ \\1 ]"),
        "capital": _sub(r"(?<=\[)e(?=[0-9])", "E", 0.5),
        "full-width": _signs(_WIDE),
        "full-width, some": _signs(_WIDE, 0.5),
        "escaped": _signs(_ESCAPED),
        "bold words": _sub(r"(\S+)\|", "**\\1**|"),
        "bold tags": _sub(r"\|(\S+)", "|**\\1**"),
        "bold both": _sub(r"(\S+\|\S+)", "**\\1**"),
        "code": _sub(r"(\S+\|\S+)", "`\\1`"),
    },
    "xml": {
        "attribute": _sub(r"<(e[0-9]+)>", '<\\1 type="person">'),
        "attribute without quotes": _sub(r"<(e[0-9]+)>", "<\\1 type = person>"),
        "smart quotes": _sub(r"<(e[0-9]+)>", "<\\1 type=“per son”>"),
        "capital closes": _sub(r"</e(?=[0-9])", "</E", 0.5),
        "capital": _sub(r"(</?)e(?=[0-9])", "\\1E", 0.5),
        "id attribute": _sub(r"</e[0-9]+>", "</entity>"),
        "blanks": _sub(r"<(/?)(e[0-9]+)>", "< \\1\\2 >"),
        "blank behind": _sub(r"<(/?)(e[0-9]+)>", "<\\1\\2 >"),
        "entities": lambda line, _: re.sub(r"</?e[0-9]+>", lambda at: escape(at[0]), line),
        "entities, some": lambda line, random: re.sub(
            r"</?e[0-9]+>", lambda at: escape(at[0]) if random.random() < 0.5 else at[0], line
        ),
        "full-width": _signs(_WIDE),
        "square brackets": _sub(r"<(/?e[0-9]+)>", "[\\1]"),
        "no slash": _sub(r"</(e[0-9]+)>", "<\\1>", 0.3),
        "slash behind": _sub(r"</(e[0-9]+)>", "<\\1/>"),
        "closes by no name": _sub(r"</e[0-9]+>", "</>"),
        "wrapped": lambda line, _: f"<answer>{line}</answer>",
        "paragraphs": lambda line, _: f"<p>{line}</p>",
        "escaped": _signs({"<": "\\<", ">": "\\>"}),
        "bold": _sub(r"(<e[0-9]+>[^<]*</e[0-9]+>)", "**\\1**"),
        "bold inside": _sub(r"<(e[0-9]+)>([^<]*)</(e[0-9]+)>", "<\\1>**\\2**</\\3>"),
        "no end": _sub(r"</(e[0-9]+)>(?= )", "</\\1", 0.5),
    },
    "markdown": {
        "blank": _sub(r"\]\(", "] ("),
        "blanks inside": _sub(r"\(#(\w+)\)", "( #\\1 )"),
        "blank behind the sign": _sub(r"\(#", "(# "),
        "no sign": _sub(r"\(#", "("),
        "with blank": _sub(r"cluster_", "cluster "),
        "capital": _sub(r"cluster_", "Cluster_", 0.5),
        "title": _sub(r"\(#(\w+)\)", '(#\\1 "x y")'),
        "escaped": _signs(_ESCAPED),
        "full-width": _signs(_WIDE),
        "bold": _sub(r"(\[[^\[\]]*\]\(#\w+\))", "**\\1**"),
        "braces": _sub(r"\(#(\w+)\)", "{#\\1}"),
        "square": _sub(r"\(#(\w+)\)", "[#\\1]"),
    },
    "colon": {
        "no blank": _sub(r": (?=[0-9]+\])", ":"),
        "blank before": _sub(r": (?=[0-9]+\])", " : "),
        "blank behind": _sub(r"(?<=[0-9])\]", " ]"),
        "semicolon": _sub(r": (?=[0-9]+\])", "; "),
        "number sign": _sub(r": (?=[0-9]+\])", ": #"),
        "escaped": _signs(_ESCAPED),
        "full-width": _signs(_WIDE),
        "bold": _sub(r"(\[[^\[\]]*: [0-9]+\])", "**\\1**"),
        "bold id": _sub(r": ([0-9]+)\]", ": **\\1**]"),
    },
    "seq2seq": {
        "no blanks": _sub(r" ?(<m>|\|(?= [0-9]+ </m>)|</m>) ?", "\\1"),
        "capital": _sub(r"(</?)m>", "\\1M>"),
        "blanks": _sub(r"<(/?)m>", "< \\1m >"),
        "two bars": _sub(r"\|", "||"),
        "number sign": _sub(r"\| ", "| #"),
        "long name": _sub(r"(</?)m>", "\\1mention>"),
        "entities": lambda line, _: re.sub(r"</?m>", lambda at: escape(at[0]), line),
        "full-width": _signs(_WIDE),
        "escaped": _signs(_ESCAPED),
        "attribute": _sub(r"<m>", '<m type="x">'),
    },
    "corefinst": {
        "blank": _sub(r"</m>#", "</m> #"),
        "blank behind": _sub(r"</m>#", "</m># "),
        "in brackets": _sub(r"</m>#([0-9]+)", "</m>(#\\1)"),
        "brackets, no sign": _sub(r"</m>#([0-9]+)", "</m>[\\1]"),
        "no sign": _sub(r"</m>#([0-9]+)", "</m>\\1"),
        "capital": _sub(r"(</?)m>", "\\1M>"),
        "blanks": _sub(r"<(/?)m>", "< \\1m >"),
        "long name": _sub(r"(</?)m>", "\\1mention>"),
        "entities": lambda line, _: re.sub(r"</?m>", lambda at: escape(at[0]), line),
        "full-width": _signs(_WIDE),
        "escaped": _signs(_ESCAPED),
        "bold": _sub(r"(<m>[^<]*</m>#[0-9]+)", "**\\1**"),
    },
}
"""By style and name: what is done to a line."""


def with_id_attributes(line: str, quote: str = '"', name: str = "entity") -> str:
    """``<entity id="1">`` for ``<e1>``."""
    line = re.sub(r"<e([0-9]+)>", rf"<{name} id={quote}\1{quote}>", line)
    return re.sub(r"</e[0-9]+>", f"</{name}>", line)


OF_STYLE["xml"]["id attribute"] = lambda line, _: with_id_attributes(line)
OF_STYLE["xml"]["id attribute without quotes"] = lambda line, _: with_id_attributes(line, "")
OF_STYLE["xml"]["id attribute, smart quotes"] = lambda line, _: with_id_attributes(line, "”")
OF_STYLE["xml"]["id attribute of m"] = lambda line, _: with_id_attributes(line, "'", "m")
OF_STYLE["xml"]["id attribute with blanks"] = lambda line, _: with_id_attributes(line).replace('id="', 'id = "')


def _plain(line: str) -> str:
    """The words of a line, its tags left out, whatever its style is."""
    line = re.sub(r"\|\[?e[0-9]+\]?(?:,\[?e[0-9]+\]?)*|\]\(#\w+\)|: [0-9]+\]| \| [0-9]+ </m>|</m>#[0-9]+", "", line)
    return re.sub(r"</?\w+>|\[(?=\w)", "", line)


def _numbered(line: str, row: str) -> list[str]:
    """Its sentences with numbers."""
    return [row.format(*each) for each in enumerate(line.replace(" . ", " .\n").split("\n"), 1)]


AROUND: dict[str, Miss] = {
    "nothing": lambda line, _: line,
    "prefix": lambda line, _: f"Output: {line}",
    "bold prefix": lambda line, _: f"**Answer:** {line}",
    "chatter": lambda line, _: f"Sure! Here is the text with its mentions:\n\n{line}\n\nLet me know if that helps.",
    "apology": lambda line, _: f"{line}\nI am sorry, but I was not sure about some of the pronouns.",
    "fence": lambda line, _: f"```xml\n{line}\n```",
    "quoted": lambda line, _: f"> {line}",
    "in quotes": lambda line, _: f'"{line}"',
    "number": lambda line, _: f"1. {line}",
    "sentences": lambda line, _: line.replace(" . ", " .\n"),
    "sentences with blank lines": lambda line, _: line.replace(" . ", " .\n\n"),
    "list": lambda line, _: "- " + line.replace(" . ", " .\n- "),
    "numbered": lambda line, _: "\n".join(_numbered(line, "{}. {}")),
    "table": lambda line, _: "\n".join(["| # | text |", "|---|---|", *_numbered(line, "| {} | {} |")]),
    "fences": lambda line, _: "```\n" + line.replace(" . ", " .\n```\nThen:\n```\n") + "\n```",
    "continued": lambda line, _: line.replace(" . ", " .\n(continued)\n"),
    "prompt before": lambda line, _: f"{_plain(line)}\n\n{line}",
    "prompt before, labelled": lambda line, _: f"Input: {_plain(line)}\nOutput: {line}",
    "prompt before, one line": lambda line, _: f"Input: {_plain(line)} Output: {line}",
    "prompt behind": lambda line, _: f"{line}\n\nOriginal text:\n{_plain(line)}",
    "amp": lambda line, _: line.replace(" . ", " . &nbsp; "),
}
"""What may stand around a text, and how it may be laid out."""
