"""What is public stays: names, parameters, commands, options, fields of schemas, exit codes, extension points.

``python tests/test_stability.py`` adds what is new to the record; what is gone from it must come back.
"""

from __future__ import annotations

import inspect
import io
import json
import re
import warnings
from collections.abc import Iterator, Mapping
from contextlib import chdir, redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal, get_args, get_origin

import pytest

import corefscope
from corefscope.cli import main
from corefscope.cli.parser import COMMANDS, command_parser, options_of
from corefscope.core import choices
from corefscope.core.format import Format
from corefscope.core.metrics.base import Metric
from corefscope.core.naming import RENAMED
from corefscope.scale.engines.base import MEMBERS, Dialect
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE, REPOSITORY
from tests.output.test_columns import PRINTS, prepare, words_of

RECORD = REPOSITORY / "tests/golden/public.json"
SCHEMAS = sorted((REPOSITORY / "src/corefscope/output/schemas").glob("*.json"))
PAIR = [str(EXAMPLE_KEY), str(EXAMPLE_RESPONSE)]


BUILT_IN = {*dir(Exception), *dir(dict)} - {*dir(Mapping)}
"""What classes bring along; ``count`` and ``index`` stay, since they say that a result can be unpacked."""


def _parameters(value: Any) -> list[str]:
    """Of a function; of a class, its public attributes, what its methods take, and its constructor if documented."""
    if not isinstance(value, type):
        return sorted(_arguments(value))
    own = [class_ for class_ in value.__mro__ if _is_ours(class_)]
    assigned = re.findall(r"\bself\.(\w+)(?:: .*)? = ", "".join(map(inspect.getsource, own)))  # in __init__
    ours = {name for class_ in own for name in (*vars(class_), *inspect.get_annotations(class_))} | {*assigned}
    names = sorted(name for name in ours | {*dir(value)} - BUILT_IN if not name.startswith("_"))
    callables = {name: getattr(value, name, None) for name in names}
    if re.search(r"^ *Parameters$", value.__doc__ or "", re.M):
        callables[""] = value
    taken = [f"{name}({item})" for name, call in callables.items() if _is_ours(call) for item in _arguments(call)]
    return [*names, *sorted(taken)]


def _is_ours(value: Any) -> bool:
    return str(getattr(value, "__module__", "")).startswith("corefscope")


def _arguments(value: Any) -> list[str]:
    try:
        return [name for name in inspect.signature(value).parameters if name != "self"] if callable(value) else []
    except ValueError:  # of exceptions
        return []


def _fields(schema: Any, path: str = "") -> Iterator[str]:
    """The paths of all properties of a schema."""
    if isinstance(schema, Mapping):
        for name, value in schema.get("properties", {}).items():
            yield f"{path}.{name}".lstrip(".")
            yield from _fields(value, f"{path}.{name}")
        for name, value in schema.items():
            if name != "properties":
                yield from _fields(value, f"{path}.{name}" if name in ("$defs", "definitions") else path)
    elif isinstance(schema, list):
        for value in schema:
            yield from _fields(value, path)


@cache
def _columns() -> dict[str, list[str]]:
    """The columns of CSV, by what is printed."""
    found = {}
    with TemporaryDirectory() as folder, redirect_stdout(io.StringIO()):
        prepare(Path(folder))
        with chdir(folder):
            for name, command in PRINTS.items():
                words = words_of(command, Path())
                if "--format" in options_of(command_parser(words[0])) and name != "cite-line":  # which has no CSV
                    with redirect_stdout(io.StringIO()) as printed, redirect_stderr(io.StringIO()):
                        main([*words, "--format", "csv"])
                    found[name] = sorted(printed.getvalue().split("\n")[0].split(","))
    return found


def surface() -> dict[str, dict[str, list[str]]]:
    """Everything that the page on stability promises."""
    return {
        "names": {name: _parameters(getattr(corefscope, name)) for name in dir(corefscope)},
        "commands": {name: sorted(options_of(command_parser(name))) for name in COMMANDS},
        "values": {
            "metrics": sorted(corefscope.METRICS.built_in),
            "groups": sorted(corefscope.GROUPS),
            "presets": sorted(corefscope.PRESETS),
            "rules": sorted(corefscope.RULES),
            "formats": sorted(name for name in corefscope.FORMATS.built_in),
            "reports": sorted(corefscope.REPORTS),
            **{name: sorted(get_args(row)) for name, row in vars(choices).items() if get_origin(row) is Literal},
        },
        "schemas": {
            path.stem: sorted(set(_fields(json.loads(path.read_text(encoding="utf-8"))))) for path in SCHEMAS
        },
        "columns": _columns(),
        "extension points": {
            **{row.__name__: list(row._fields) for row in (Metric, Format, Dialect)},
            "Engine": sorted(MEMBERS),
        },
    }


def _gone() -> list[str]:
    recorded = json.loads(RECORD.read_text(encoding="utf-8"))
    present = surface()
    return [
        f"{kind}: {name}" + (f" {item}" if item else "")
        for kind, rows in recorded.items()
        for name, items in rows.items()
        for item in ("", *items)
        if name not in present[kind] or (item and item not in present[kind][name])
    ]


def test_nothing_public_disappears() -> None:
    assert _gone() == []


def test_what_is_new_is_recorded() -> None:
    assert json.loads(RECORD.read_text(encoding="utf-8")) == surface(), "run python tests/test_stability.py"


def test_the_record_notices_what_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [name for name in dir(corefscope) if name != "verify"]
    monkeypatch.setattr(corefscope, "__dir__", lambda: names)
    assert _gone() == [
        "names: verify",
        *(f"names: verify {name}" for name in ("baseline", "key", "path", "response", "weights")),
    ]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["score", *PAIR], 0),
        (["score", "nowhere.conllu", PAIR[1]], 1),
        (["score", *PAIR, "--match", "wrong"], 2),
        (["score", *PAIR, "--fail-under", "conll=99"], 3),
    ],
)
def test_exit_codes(arguments: list[str], code: int) -> None:
    if code == 2:
        with pytest.raises(SystemExit) as stopped:
            main(arguments)
        assert stopped.value.code == code
    else:
        assert main(arguments) == code


@pytest.fixture
def renamed(monkeypatch: pytest.MonkeyPatch) -> None:
    for old, new in {"matching": "match", "examine_errors": "examine"}.items():
        monkeypatch.setitem(RENAMED, old, new)


@pytest.mark.usefixtures("renamed")
def test_renamed_names_and_arguments_work_and_warn_once() -> None:
    with pytest.warns(DeprecationWarning, match="examine_errors is now called examine") as found:
        assert corefscope.examine_errors is corefscope.examine  # type: ignore[attr-defined]
    assert [len(found), found[0].filename] == [1, __file__]
    options: dict[str, Any] = {"matching": "exact"}
    with pytest.warns(DeprecationWarning, match="matching is now called match") as found:
        report = corefscope.score(*PAIR, **options)
    assert [len(found), found[0].filename] == [1, __file__]
    assert report.options.match == "exact"


@pytest.mark.usefixtures("renamed")
def test_renamed_options_work_and_say_so_once(capsys: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert main(["score", *PAIR, "--matching=exact"]) == 0
    printed = capsys.readouterr()
    assert "match:exact" in printed.out
    assert printed.err.count("--matching is now called --match") == 1


def test_the_page_has_the_exit_codes_and_the_schemas_of_the_package() -> None:
    page = (REPOSITORY / "docs/stability.md").read_text(encoding="utf-8")
    (name,) = re.findall(r'"schema": "([\w-]+)"', page)
    assert name in [path.stem for path in SCHEMAS]


if __name__ == "__main__":
    if Path(RECORD).exists() and (lost := _gone()):
        raise SystemExit(f"gone: {lost}")
    RECORD.write_text(json.dumps(surface(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
