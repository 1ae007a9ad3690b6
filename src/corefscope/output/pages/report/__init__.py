"""The report page: scores, lost points, slices, and every document with its errors, in one HTML file.

The file has style, script and data, and loads nothing else. Other pages are rendered by the same functions.
"""

from __future__ import annotations

import json
import os
import re
from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Sequence
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, Unpack
from urllib.parse import urlencode

from ....analysis.agreement import SYMMETRIC
from ....analysis.errors.kinds import ordered_kinds
from ....core.errors import OptionError
from ....core.naming import check_values
from ....core.options import OPEN
from ....core.request import Path, Progress, Request, RequestArguments
from ....core.result import Plain
from ....formats.naming import NamedPaths, names_of, paths_and_names
from ....formats.target import Target, refuse_overwriting
from ...text import percent
from .annotators import name_sides, of_annotators
from .data import collect

if TYPE_CHECKING:
    from jinja2 import Environment

SCRIPT = "main.js"
LIVE = "live.js"
UNSAFE = {ord("<"): "\\u003c", ord(">"): "\\u003e", ord("&"): "\\u0026", 0x2028: "\\u2028", 0x2029: "\\u2029"}
CONTROLS = {code: 0x2400 + code for code in range(32)} | {127: 0x2421} | dict.fromkeys(range(128, 160), 0x2426)

IMPORT = re.compile(r'^import \{[^}]*\} from "\.{1,2}/(?:[\w./]+/)?(\w+\.js)";\n', flags=re.MULTILINE)
"""An import of a module of this directory or of another one of the package; its file name identifies it."""
EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const|let) )", flags=re.MULTILINE)
DECLARED = re.compile(r"^(?:async )?(?:function|class|const|let) (\w+)", flags=re.MULTILINE)
COMMENT = re.compile(r"^[ \t]*(?://[^\n]*|/\*(?:(?!\*/).)*\*/)\n", flags=re.MULTILINE | re.DOTALL)


def write_report(
    key: Path,
    responses: NamedPaths,
    out: Path,
    *,
    names: str | Sequence[str] | None = None,
    title: str | None = None,
    labels: Path | None = None,
    annotators: bool = False,
    progress: Progress | None = None,
    **arguments: Unpack[RequestArguments],
) -> tuple[str, ...]:
    """Write a page that compares responses with a key; return the warnings about the files.

    Parameters
    ----------
    key, responses
        Paths of files, as ``score`` takes them; responses may be a dictionary from their names. The page shows one
        response at a time and compares all of them.
    out
        The file to write; it is written whole or not at all.
    names
        The names of the responses; by default the distinct parts of their paths.
    title
        The title of the page; by default the names of the responses and of the key file.
    labels
        A file with classes of mentions, as for :func:`corefscope.examine`: slices and scores by class.
    annotators
        Whether the files are of two annotators: the page calls them A and B, and they are compared by the default
        options of :func:`corefscope.agree`.
    progress
        Called before each document with its number, the number of documents and its id.
    preset, match, zeros, singletons, rules, metrics, …
        As in ``score``. With ``digests``, the page shows the SHA-256 of the files beside the signature.

    Raises
    ------
    InputError
        If a file cannot be read, or key and response have different words.
    OptionError
        If an option has a value that does not exist.
    """
    check_values({"title": title, "labels": labels, "annotators": annotators, "progress": progress})
    responses, names = paths_and_names(responses, names)
    if annotators and len(responses) != 1:
        raise OptionError(f"a page of annotators compares two files, and here are {1 + len(responses)}")
    target_path = os.path.realpath(out)
    if os.path.isdir(target_path):
        raise OptionError(f"{os.fspath(out)} is a directory: name a file for the page")
    if not os.path.isdir(os.path.dirname(target_path)):
        raise OptionError(f"there is no directory {os.path.dirname(target_path)} to write the page in")
    refuse_overwriting(out, [key, *responses])
    request = Request(arguments, optional=True, base=SYMMETRIC if annotators else OPEN)
    if annotators and title is None:
        title = " and ".join(names_of([key, *responses]))
    if annotators and names is None:
        names = ["B"]
    data = collect(key, responses, request, names=names, title=title, labels=labels, progress=progress)
    if annotators:
        data["overview"] = of_annotators(data["overview"])
    with Target(os.path.join(os.curdir, out), os.fspath(out)) as target:  # so that "-" names a file
        page = render(data, wording=name_sides if annotators else str)
        target.write(page.encode("utf-8", errors="backslashreplace"))
    return tuple(dict.fromkeys(text for response in data["overview"]["responses"] for text in response["warnings"]))


def render(data: Plain, *, live: bool = False, wording: Callable[[str], str] = str) -> str:
    """The report page as text; a live page asks its server regularly for a newer version.

    ``wording`` rephrases template and script.
    """
    from markupsafe import Markup

    overview = data["overview"]
    return whole(
        "template.html.j2",
        own_style(),
        wording(join([SCRIPT, LIVE] if live else [SCRIPT], resource)),
        read=lambda name: wording(resource(name)),
        connect="'self'" if live else "'none'",
        page=overview,
        overview=Markup(embedded(_for_script(overview))),
        documents=[Markup(embedded(document)) for document in data["documents"]],
    )


def whole(
    template: str,
    style: str,
    script: str,
    *,
    connect: str = "'none'",
    read: Callable[[str], str] | None = None,
    **values: object,
) -> str:
    """A page rendered from a template, whose policy allows this style and this script and nothing else.

    ``read`` returns the template and its includes; by default they are those of the report page.
    """
    from markupsafe import Markup

    policy = (
        f"default-src 'none'; style-src '{digest(style)}'; script-src '{digest(script)}'; img-src data:;"
        f" connect-src {connect}; base-uri 'none'; form-action 'none'"
    )
    pages = environment(read or resource)
    pages.filters.update(
        percent=percent,
        points=lambda value: f"{value:.2f}",
        signed=lambda value: f"{value:+.2f}".replace("-", "−"),
        thousands=lambda value: f"{value:,}",
        visible=visible,
        first_capital=lambda text: text[:1].upper() + text[1:],
        query=lambda value: urlencode(value, errors="replace"),
    )
    page = pages.get_template(template)
    return page.render(policy=policy, style=Markup(style), script=Markup(script), **values)


def own_sources() -> tuple[str, str]:
    """The hashes by which a policy allows the style and the script of every page that is not live."""
    return digest(own_style()), digest(join([SCRIPT], resource))


def embedded(value: object) -> str:
    r"""JSON to embed in an HTML page: nothing in it can end its element or begin another.

    >>> embedded({"form": "</script>"})
    '{"form":"\\u003c/script\\u003e"}'
    """
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).translate(UNSAFE)


def visible(text: str) -> str:
    """Text from a file with control characters replaced by their pictures."""
    return text.translate(CONTROLS)


def _for_script(overview: Plain) -> dict[str, object]:
    """The part of the overview that the script needs."""
    kept = ("id", "words", "genre", "scores", "faults", "kinds")
    return {
        "headline": overview["headline"],
        "kinds": [{name: kind[name] for name in kind if name != "shown"} for kind in overview["kinds"]],
        "slices": overview["slices"],
        "dimensions": overview["dimensions"],
        "responses": [
            {
                "name": response["name"],
                "score": response["cards"][0]["score"],
                "costs": {step["kind"]: step["points"] for step in (response["losses"] or {"steps": ()})["steps"]},
            }
            for response in overview["responses"]
        ],
        "documents": [{name: document[name] for name in kept} for document in overview["documents"]],
    }


def environment(read: Callable[[str], str]) -> Environment:
    """An environment of Jinja2 that escapes all text; undefined names are errors."""
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    return Environment(
        loader=FunctionLoader(read),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def own_style() -> str:
    """The style of the page, with a class for each kind of error: its colour, and the line under its mentions."""
    classes = [f".k-{row.name} {{ {row.style} }}\n" for row in ordered_kinds()]
    return resource("page.css") + "".join(classes)


def resource(name: str, package: str = __package__) -> str:
    """A file of the assets of the report page, or of another package."""
    return files(package).joinpath("assets", name).read_text(encoding="utf-8")


def digest(content: str) -> str:
    """The hash by which a policy allows a style or a script."""
    return f"sha256-{b64encode(sha256(content.encode('utf-8')).digest()).decode('ascii')}"


# ---- scripts: ES modules, joined into one classic script, because browsers load no modules from disk


def join(entries: Sequence[str], read: Callable[[str], str]) -> str:
    r"""The modules that the entries need, each after those it imports, in one closure without comments.

    Top-level names become those of the closure, so no two modules may declare the same one. Default exports, renaming
    and circular imports raise a ValueError.

    >>> modules = {"a.js": 'import { b } from "./b.js";\nb();\n', "b.js": "export const b = () => 1;\n"}
    >>> print(join(["a.js"], modules.__getitem__), end="")
    "use strict";
    (() => {
    const b = () => 1;
    b();
    })();
    """
    bodies: dict[str, str] = {}
    for entry in entries:
        _add(entry, read, bodies, ())
    declared = Counter(name for body in bodies.values() for name in DECLARED.findall(body))
    if repeated := [name for name, count in declared.items() if count > 1]:
        raise ValueError(f"two modules declare {', '.join(repeated)}")
    return '"use strict";\n(() => {\n' + "".join(bodies.values()) + "})();\n"


def _add(name: str, read: Callable[[str], str], bodies: dict[str, str], importers: tuple[str, ...]) -> None:
    """Add a module to ``bodies``, after those it imports."""
    if name in importers:
        raise ValueError(f"modules import each other: {' > '.join((*importers, name))}")
    if name in bodies:
        return
    source = read(name)
    for imported in IMPORT.findall(source):
        _add(imported, read, bodies, (*importers, name))
    body = EXPORT.sub("", IMPORT.sub("", COMMENT.sub("", source))).lstrip("\n")
    if unknown := re.search(r"^(?:import|export)\b.*", body, flags=re.MULTILINE):
        raise ValueError(f"{name}: cannot join {unknown[0]!r}")
    bodies[name] = body
