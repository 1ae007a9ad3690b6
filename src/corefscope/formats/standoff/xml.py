"""XML without entities of its own: a small tree of elements with their lines, for files that may be hostile."""

from __future__ import annotations

from collections.abc import Iterator
from xml.parsers import expat

from ...core.errors import InputError

DEEPEST = 100
"""Elements inside of each other; annotation has three or four."""


class XmlElement:
    """An element: its name without namespace, attributes, children, own text, and the line where it begins."""

    __slots__ = ("attributes", "children", "line", "name", "text")

    def __init__(self, name: str, attributes: dict[str, str], line: int) -> None:
        self.name: str = name.rpartition(":")[2]
        self.attributes: dict[str, str] = attributes
        self.line: int = line
        self.children: list[XmlElement] = []
        self.text: str = ""

    def __iter__(self) -> Iterator[XmlElement]:
        """The element and all that is in it, in the order of the file."""
        waiting = [self]
        while waiting:
            element = waiting.pop()
            yield element
            waiting.extend(reversed(element.children))

    def named(self, name: str) -> Iterator[XmlElement]:
        """The elements of this name in it, however deep."""
        return (element for element in self if element.name == name)


def parse_xml(data: bytes, path: str) -> XmlElement:
    """The root element of a file; InputError with the line for everything that is not plain, well-formed XML.

    Entity declarations are refused, since few bytes of them may become gigabytes; DTDs of other files are not read.
    """
    stripped = data.lstrip()
    before = data[: len(data) - len(stripped)].count(b"\n")  # blank lines before an XML declaration are harmless
    root = XmlElement("", {}, 0)
    opened = [root]
    parser = expat.ParserCreate()
    parser.buffer_text = True

    def fail(message: str, hint: str) -> None:
        raise InputError(message, path=path, line=before + parser.CurrentLineNumber, hint=hint)

    def start(name: str, attributes: dict[str, str]) -> None:
        if len(opened) > DEEPEST:
            fail(f"more than {DEEPEST} elements are nested", "annotation has a few: is this another kind of file?")
        element = XmlElement(name, attributes, before + parser.CurrentLineNumber)
        opened[-1].children.append(element)
        opened.append(element)

    def end(_: str) -> None:
        opened.pop()

    def characters(text: str) -> None:
        opened[-1].text += text

    def declared_entity(name: str, *_: object) -> None:
        fail(f"declares the entity {name[:40]!r}", "replace entities of your own by their text")

    def skipped_entity(name: str, _: object) -> None:
        fail(f"uses the entity &{name[:40]};, which it does not declare", "replace it by its text, or by &#160; etc.")

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = characters
    parser.EntityDeclHandler, parser.SkippedEntityHandler = declared_entity, skipped_entity
    try:
        parser.Parse(stripped, True)
    except InputError:  # of a handler
        raise
    except expat.ExpatError as error:
        message, hint = f"is not well-formed XML: {expat.ErrorString(error.code)}", "write it again with an XML tool"
        raise InputError(message, path=path, line=before + error.lineno, hint=hint) from None
    except (ValueError, LookupError) as error:  # an encoding that Python does not know, or cannot give to expat
        raise InputError(f"cannot be decoded: {error}", path=path, line=1, hint="convert it to UTF-8") from None
    return root.children[0]
