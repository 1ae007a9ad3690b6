"""The page's scripts without a browser: how modules are joined, and their own tests, which Node runs."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from corefscope.output.pages import leaderboard as board
from corefscope.output.pages.report import LIVE, SCRIPT, join
from places import SOURCE

ASSETS = SOURCE / "output" / "pages" / "report" / "assets"
BOARD = SOURCE / "output" / "pages" / "leaderboard" / "assets"
TESTS = Path(__file__).parents[1] / "js"
NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="Node is not installed: the page's scripts are not tested")


def _joined(**modules: str) -> str:
    return join(["a.js"], {f"{name}.js": text for name, text in modules.items()}.__getitem__)


def test_modules_stand_after_those_they_import_and_once() -> None:
    text = _joined(
        a='import { b } from "./b.js";\nimport {\n  c,\n  d,\n} from "./c.js";\nb(c, d);\n',
        b='import { c } from "./c.js";\nexport const b = (...all) => [...all, c];\n',
        c="export let c = 1;\nexport async function d() {}\nexport class E {}\n",
    )
    body = "let c = 1;\nasync function d() {}\nclass E {}\nconst b = (...all) => [...all, c];\nb(c, d);\n"
    assert text == f'"use strict";\n(() => {{\n{body}}})();\n'


def test_a_module_may_lie_in_another_directory() -> None:
    assert "const b = 1;\nb;\n" in _joined(
        a='import { b } from "../../report/assets/b.js";\nb;\n', b="export const b = 1;\n"
    )


def test_comments_stay_out() -> None:
    text = _joined(
        a='// @ts-check\n/* One\n   two. */\n\n/** @import { A } from "./t" */\n'
        "const a = 1; // here\n  /** @type {A} */ (a).b();\n/**\n * @param {A} b\n */\nconst f = (b) => b;\n"
    )
    assert text.splitlines()[2:-1] == ["const a = 1; // here", "  /** @type {A} */ (a).b();", "const f = (b) => b;"]


@pytest.mark.parametrize(
    ("modules", "message"),
    [
        ({"a": 'import { b } from "./b.js";\nconst x = 1;\n', "b": "function x() {}\n"}, "declare x"),
        ({"a": 'import { b } from "./b.js";\n', "b": 'import { a } from "./a.js";\n'}, "a.js > b.js > a.js"),
        ({"a": 'import * as b from "./b.js";\n'}, "cannot join"),
        ({"a": "export default 1;\n"}, "cannot join"),
        ({"a": "const a = 1;\nexport { a };\n"}, "cannot join"),
    ],
)
def test_what_cannot_be_joined_is_refused(modules: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        _joined(**modules)


def _read(name: str) -> str:
    return (ASSETS / name).read_text(encoding="utf-8")


def test_every_module_is_in_the_page_and_is_checked() -> None:
    reached: list[str] = []

    def read(name: str) -> str:
        reached.append(name)
        return _read(name)

    join([SCRIPT, LIVE], read)
    assert sorted(reached) == sorted(path.name for path in ASSETS.glob("*.js"))
    for name in reached:
        lines = _read(name).splitlines()
        assert lines[0] == "// @ts-check"
        assert max(map(len, lines)) <= 120, name


def test_the_leaderboard_has_its_modules_and_some_of_the_report_page(tmp_path: Path) -> None:
    reached: list[str] = []

    def read(name: str) -> str:
        reached.append(name)
        return board.read(name)

    text = join([board.SCRIPT], read)
    own = {path.name for path in BOARD.glob("*.js")}
    assert own < set(reached) < own | {path.name for path in ASSETS.glob("*.js")}
    assert not re.search(r"^\s*(import|export)\b|import\(|fetch\(", text, flags=re.MULTILINE)
    for path in BOARD.glob("*.js"):
        lines = path.read_text(encoding="utf-8").splitlines()
        assert lines[0] == "// @ts-check"
        assert max(map(len, lines)) <= 120
    if NODE is not None:
        (tmp_path / "joined.js").write_text(text, encoding="utf-8")
        subprocess.run([str(NODE), "--check", tmp_path / "joined.js"], check=True)


def test_the_page_has_no_imports_and_the_live_part_only_where_it_is_served() -> None:
    for entries, live in (([SCRIPT], False), ([SCRIPT, LIVE], True)):
        text = join(entries, _read)
        assert not re.search(r"^\s*(import|export)\b|import\(", text, flags=re.MULTILINE)
        assert ("fetch(" in text) == live


@needs_node
def test_the_joined_script_is_one(tmp_path: Path) -> None:
    path = tmp_path / "joined.js"
    path.write_text(join([SCRIPT, LIVE], _read), encoding="utf-8")
    subprocess.run([str(NODE), "--check", path], check=True)


@needs_node
def test_the_pure_modules_pass_their_own_tests() -> None:
    files = sorted(map(str, TESTS.glob("*.test.js")))
    done = subprocess.run([str(NODE), "--test", *files], capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"\bpass [1-9]", done.stdout)
