"""The page's scripts: ES modules, joined into one classic script, which a page from disk may run as well."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence

IMPORT = re.compile(r'^import \{[^}]*\} from "\.{1,2}/(?:[\w./]+/)?(\w+\.js)";\n', flags=re.MULTILINE)
"""An import of a module that lies beside, or somewhere else in the package: its name alone tells which it is."""
EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const|let) )", flags=re.MULTILINE)
DECLARED = re.compile(r"^(?:async )?(?:function|class|const|let) (\w+)", flags=re.MULTILINE)
COMMENT = re.compile(r"^[ \t]*(?://[^\n]*|/\*(?:(?!\*/).)*\*/)\n", flags=re.MULTILINE | re.DOTALL)


def join(entries: Sequence[str], read: Callable[[str], str]) -> str:
    r"""The modules that the entries need, each after those it imports, in one closure without comments.

    Top-level names become those of the closure, so no two modules may declare the same one. What this does not
    understand (default exports, renaming, imports in a circle) is a ValueError.

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
