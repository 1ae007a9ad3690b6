"""XML: elements with lines; whatever is hostile is refused soon, and in little memory."""

from __future__ import annotations

import time

import pytest

import corefscope
from corefscope.formats.standoff.xml import DEEPEST, parse_xml

BOMB = b'<!DOCTYPE a [<!ENTITY b "bb">' + b"".join(
    b'<!ENTITY b%d "%s">' % (level, b"&b%d;" % (level - 1) * 10) for level in range(1, 20)
)
HOSTILE = {
    "entities of entities": (BOMB + b"]><a>&b19;</a>", "declares the entity 'b'"),
    "a long entity": (
        b'<!DOCTYPE a [<!ENTITY b "' + b"x" * 100_000 + b'">]><a>' + b"&b;" * 100_000 + b"</a>",
        "declares",
    ),
    "a file as an entity": (
        b'<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
        "declares the entity",
    ),
    "a parameter entity": (b'<!DOCTYPE a [<!ENTITY % b SYSTEM "http://x/y"> %b;]><a/>', "declares the entity"),
    "an entity of a DTD": (b'<!DOCTYPE a SYSTEM "a.dtd">\n<a>\n&nbsp;</a>', ":3: uses the entity &nbsp;"),
    "deep": (b"<a>" * 1_000_000, f"more than {DEEPEST} elements are nested"),
    "never closed": (b"<a>\n<b>\n", ":3: is not well-formed XML"),
    "a number": (b"<a>&#99999999999999;</a>", "is not well-formed XML"),
    "an encoding": (b'<?xml version="1.0" encoding="x-none"?><a/>', "is not well-formed|cannot be decoded"),
    "no UTF-8": (b"<a>\xff</a>", ":1: is not well-formed XML"),
    "nothing": (b" ", "is not well-formed XML"),
    "many attributes": (b"<a " + b" ".join(b'a%d="x"' % number for number in range(50_000)) + b"><b>", "well-formed"),
}


def test_elements_have_names_attributes_text_and_lines() -> None:
    root = parse_xml(b'<?xml version="1.0"?>\n<x:a xmlns:x="y" k="1">\n <b>t&amp;<c/>u</b><b/></x:a>', "file")
    assert (root.name, root.attributes["k"], root.line) == ("a", "1", 2)
    assert [(element.name, element.text.strip(), element.line) for element in root] == [
        ("a", "", 2),
        ("b", "t&u", 3),
        ("c", "", 3),
        ("b", "", 3),
    ]
    assert [element.name for element in root.named("b")] == ["b", "b"]


def test_a_dtd_of_another_file_is_not_read_and_latin_1_is() -> None:
    data = '<?xml version="1.0" encoding="ISO-8859-1"?>\n<!DOCTYPE a SYSTEM "no.dtd">\n<a>é</a>'.encode("latin-1")
    assert parse_xml(data, "file").text == "é"


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_refused_soon(name: str) -> None:
    data, message = HOSTILE[name]
    begun = time.process_time()
    with pytest.raises(corefscope.InputError, match=message):
        parse_xml(data, "file")
    assert time.process_time() - begun < 1
