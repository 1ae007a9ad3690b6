"""The app in a browser: files are dropped and scored where they are, and nothing leaves the machine."""

from __future__ import annotations

import gzip
import json
import re
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from axe import serious
from corefscope.cli import main
from corefscope.output.pages.app.files import write_app
from corefscope.output.pages.app.worker_api import TABS
from corefscope.output.pages.serve import serve_app
from npm import installed
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE, SHARED
from serving import running

from . import corpora
from .conftest import WATCH, violations

LONG = 60_000  # milliseconds, on a busy machine
GUM = [SHARED / "data" / f"gum-dev.{side}.conllu" for side in ("key", "sys")]
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
DROP = """([zone, name, text]) => {
  const carried = new DataTransfer();
  carried.items.add(new File([text], name));
  const event = { dataTransfer: carried, bubbles: true, cancelable: true };
  for (const kind of ["dragenter", "dragover", "drop"]) {
    document.querySelector(zone).dispatchEvent(new DragEvent(kind, event));
  }
}"""


class App:
    """The page, as people use it."""

    def __init__(self, page: Any) -> None:
        self.page = page

    def choose(self, key: Path | Sequence[Path] | None, responses: Sequence[Path] = ()) -> None:
        """These files and no others."""
        if self.page.locator("#back").is_visible():
            self.page.locator("#back").click()
        for side in ("key", "responses"):
            while self.page.locator(f"#{side}-files button").count():
                self.page.locator(f"#{side}-files button").first.click()
        if key:
            self.page.locator("#key-input").set_input_files(key if isinstance(key, Path) else list(key))
        if responses:
            self.page.locator("#responses-input").set_input_files(list(responses))

    def score(self) -> Any:
        """The panel with the scores, or with what is wrong."""
        self.page.locator("#score").click()
        return self.shown("scores")

    def open(self, job: str) -> Any:
        """The panel of a tab."""
        self.page.locator(f"#tab-{job}").click()
        return self.shown(job)

    def shown(self, job: str) -> Any:
        panel = self.page.locator(f"#panel-{job}")
        panel.locator(".part, .failed, iframe").first.wait_for(timeout=LONG)
        return panel

    def saved(self, job: str, format_: str, part: int = 0) -> str:
        """The text of a file that the page hands out."""
        place = self.page.locator(f"#panel-{job} :is(.part, .framing)").nth(part)
        buttons = place.locator(".downloads button", has_text=format_)
        with self.page.expect_download(timeout=LONG) as saving:
            buttons.click()
        return Path(saving.value.path()).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Where ``corefscope serve --app`` serves."""
    with running(serve_app(installed("pyodide"), port=0)) as url:
        yield url


@pytest.fixture(scope="module")
def axe() -> str:
    return str(installed("axe-core") / "axe.min.js")


@pytest.fixture(scope="module")
def said() -> list[str]:
    """What pages asked of another origin, and what they complained about."""
    return []


@pytest.fixture(scope="module")
def visits(browser: Any, axe: str, said: list[str]) -> Iterator[Callable[..., Any]]:
    """Opens pages; in the end nothing must have been said, and nothing refused."""
    contexts: list[Any] = []

    def visit(url: str, **options: Any) -> Any:
        context = browser.new_context(**{"viewport": {"width": 1400, "height": 900}, **options})
        contexts.append(context)
        context.add_init_script(WATCH)
        context.add_init_script(path=axe)
        own = (url, f"blob:{url}", "blob:null/", "data:")
        context.on("request", lambda one: None if one.url.startswith(own) else said.append(f"request: {one.url}"))
        page = context.new_page()
        page.on("console", lambda message: said.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: said.append(f"error: {error}"))
        page.goto(url)
        return page

    yield visit
    for context in contexts:
        for page in context.pages:
            said += [f"refused: {found}" for found in page.evaluate("violations")]
        context.close()
    assert not said


@pytest.fixture(scope="module")
def app(visits: Callable[..., Any], address: str) -> App:
    """One page for most tests: Python need not start again for each."""
    page = visits(address)
    page.locator("#status", has_text="Choose").wait_for(timeout=LONG)
    return App(page)


def _printed(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> Any:
    """What the command line prints, as JSON."""
    main([*map(str, arguments), "--format", "json"])
    return json.loads(capsys.readouterr().out)


def _figures(value: Any) -> Any:
    """A result whose files are named without their directories, which are others in the browser."""
    if isinstance(value, dict):
        return {name: _figures(part) for name, part in value.items()}
    if isinstance(value, list):
        return [_figures(part) for part in value]
    return re.sub(r"\S*/", "", value) if isinstance(value, str) else value


def _numbers(value: Any) -> list[float]:
    if isinstance(value, dict | list):
        return [n for part in (value.values() if isinstance(value, dict) else value) for n in _numbers(part)]
    return [value] if isinstance(value, int | float) else []


@pytest.mark.parametrize(
    "files",
    [
        pytest.param([EXAMPLE_KEY, EXAMPLE_RESPONSE], id="example"),
        pytest.param(GUM, id="gum", marks=pytest.mark.skipif(not GUM[0].exists(), reason="../shared is not there")),
    ],
)
def test_scores_and_errors_are_those_of_the_command_line(
    app: App, capsys: pytest.CaptureFixture[str], files: list[Path]
) -> None:
    """To the last digit: the JSON that the page saves has the figures of the JSON that the command line prints."""
    app.choose(files[0], [files[1]])
    shown = app.score().inner_text()
    expected = _printed(capsys, "score", *files, "--quiet")
    assert f"{100 * expected['metrics']['conll']['f1']:.2f}" in shown
    assert expected["signature"] in shown
    assert _figures(json.loads(app.saved("scores", "JSON"))) == _figures(expected)
    app.open("errors")
    assert _figures(json.loads(app.saved("errors", "JSON"))) == _figures(
        _printed(capsys, "errors", *files, "--quiet")
    )


def test_comparison_and_validation_are_those_of_the_command_line(
    app: App, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Scores and p-values to the last digit; ends of intervals to 12 digits, for sums have another order."""
    packed = tmp_path / "packed.conllu.gz"
    packed.write_bytes(gzip.compress(EXAMPLE_KEY.read_bytes()))
    files = [EXAMPLE_RESPONSE, packed]
    app.choose(EXAMPLE_KEY, files)
    assert app.score().locator(".part").count() == 2
    assert "packed" in app.open("comparison").inner_text()
    ours, expected = (
        json.loads(app.saved("comparison", "JSON")),
        _printed(capsys, "compare", EXAMPLE_KEY, *files, "--quiet"),
    )
    assert _numbers(ours) == pytest.approx(_numbers(expected), rel=1e-12, abs=1e-15)
    assert _figures(ours["systems"]) == _figures(expected["systems"])
    for metric, difference in expected["differences"]["packed"].items():
        assert ours["differences"]["packed"][metric]["p"] == difference["p"]
    assert "no problems" in app.open("validation").inner_text()
    assert app.saved("validation", "CSV").splitlines()[0].startswith("path,")


def test_files_are_dropped_and_options_hold(app: App, capsys: pytest.CaptureFixture[str]) -> None:
    app.choose(None)
    for zone, path in (("#key-drop", EXAMPLE_KEY), ("#responses-drop", EXAMPLE_RESPONSE)):
        app.page.evaluate(DROP, [zone, path.name, path.read_text(encoding="utf-8")])
    app.page.locator("#options > summary").click()
    app.page.locator("[name=match]").select_option("exact")
    app.page.locator("[name=singletons]").select_option("keep")
    app.page.locator("[name=metrics]").fill("lea, muc")
    app.page.locator("[name=metrics]").press("Enter")
    shown = app.score()
    options = ("--match", "exact", "--singletons", "keep", "--metrics", "lea,muc")
    expected = _printed(capsys, "score", EXAMPLE_KEY, EXAMPLE_RESPONSE, "--quiet", *options)
    assert shown.locator("tbody th").all_inner_texts() == ["LEA", "MUC"]
    assert expected["signature"] in shown.inner_text()
    app.page.locator("[name=metrics]").fill("leaf")
    assert app.page.locator("#results").is_hidden()
    assert "did you mean" in app.score().inner_text()
    app.page.locator("#options-form").evaluate("(form) => form.reset()")
    app.page.locator("[name=metrics]").dispatch_event("input")
    app.page.locator("#options > summary").click()


HOSTILE: dict[str, tuple[bytes, str]] = {
    "<img src=x onerror=window.attacked=1>.conllu": (b"# <script>window.attacked=2</script>\n1\tx\n\n", ":2:"),
    "binary.conllu": (bytes(range(256)) * 40, "binary.conllu"),
    "empty.conllu": (b"", "empty.conllu"),
    "bomb.conllu.gz": (gzip.compress(b"#" * 3_000_000)[:-9], "bomb.conllu.gz"),
}


def test_hostile_files_are_told_in_a_sentence_and_run_nothing(app: App, tmp_path: Path) -> None:
    for name, (content, told) in HOSTILE.items():
        path = tmp_path / name
        path.write_bytes(content)
        app.choose(EXAMPLE_KEY, [path])
        text = app.score().inner_text()
        assert told in text, name
        assert "Traceback" not in text
        assert "went wrong that should not" not in text, name
    app.choose(EXAMPLE_KEY, [tmp_path / next(iter(HOSTILE))])
    app.score().locator("button", has_text="list every problem").click()
    assert "<img src=x" in app.shown("validation").inner_text()
    key, response = corpora.hostile(tmp_path)
    app.choose(key, [response])
    assert "CoNLL" in app.score().inner_text()
    for job in ("errors", "validation", "report"):
        app.open(job)
    app.page.frame_locator("#panel-report iframe").locator(".hero .big").wait_for(timeout=LONG)
    assert all(frame.evaluate("window.attacked === undefined") for frame in app.page.frames)


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A response that is faulty on its 5th line."""
    path = tmp_path / "broken.conllu"
    text = EXAMPLE_RESPONSE.read_text(encoding="utf-8")
    path.write_text(text.replace("Entity=(", "Entity=((", 1), encoding="utf-8")
    return path


def test_pasted_text_is_scored_like_a_file(app: App) -> None:
    app.choose(None)
    texts = {
        "key": EXAMPLE_KEY.read_text(encoding="utf-8"),
        "responses": EXAMPLE_RESPONSE.read_text(encoding="utf-8"),
    }
    for side, text in texts.items():
        app.page.locator(f"#{side}-text").fill(text)
        assert "pasted text" in app.page.locator(f"#{side}-files").inner_text()
    assert "72.88" in app.score().inner_text()
    app.page.locator("#responses-text").fill(texts["key"])
    assert app.page.locator("#results").is_hidden()
    assert app.page.locator("#responses-files li").count() == 1
    assert "100.00" in app.score().inner_text()
    app.page.locator("#key-text").fill("<img src=x onerror=window.attacked=1>")
    assert "pasted.txt" in app.score().inner_text()
    assert app.page.evaluate("window.attacked === undefined")
    app.choose(None)
    assert app.page.locator("#key-text").input_value() == ""
    assert app.page.locator("#score").is_disabled()


def test_one_broken_response_does_not_block_the_others(app: App, broken: Path, tmp_path: Path) -> None:
    perfect = tmp_path / "perfect.conllu"
    perfect.write_bytes(EXAMPLE_KEY.read_bytes())
    app.choose(EXAMPLE_KEY, [EXAMPLE_RESPONSE, broken, perfect])
    parts = app.score().locator(".part")
    assert parts.locator("h2").all_inner_texts() == ["response", "broken", "perfect"]
    assert "72.88" in parts.nth(0).inner_text()
    assert "broken.conllu:5: " in parts.nth(1).locator(".failed").inner_text()
    assert parts.nth(1).locator("table, .downloads").count() == 0
    assert "100.00" in parts.nth(2).inner_text()
    compared = app.open("comparison")
    assert "broken.conllu:5: " in compared.locator(".failed").inner_text()
    assert "+27.12" in compared.inner_text()
    frame = _frame(app, "errors")
    assert frame.locator("select.response-choice").first.locator("option").all_inner_texts() == [
        "response",
        "perfect",
    ]
    assert "broken.conllu:5: " in app.page.locator("#panel-errors .failed").inner_text()
    app.page.locator("#panel-errors select").select_option("2")
    assert set(json.loads(app.saved("errors", "JSON"))["errors"].values()) == {0}
    app.page.locator("#panel-errors .failed button").click()
    assert "E307" in app.shown("validation").inner_text()


def test_several_keys_are_paired_with_responses_by_name(
    app: App, capsys: pytest.CaptureFixture[str], broken: Path, tmp_path: Path
) -> None:
    """All files of a system are scored as the command line scores two directories."""
    (tmp_path / "key").mkdir()
    (tmp_path / "ours").mkdir()
    keys, responses = [], []
    for name in ("en", "fr"):
        keys.append(tmp_path / "key" / f"{name}.conllu")
        keys[-1].write_bytes(EXAMPLE_KEY.read_bytes())
        for system in ("ours", "theirs"):
            responses.append(tmp_path / system / f"{name}.{system}.conllu")
            responses[-1].parent.mkdir(exist_ok=True)
            source = broken if (name, system) == ("fr", "theirs") else EXAMPLE_RESPONSE
            responses[-1].write_bytes(source.read_bytes())
    stray = tmp_path / "cs.ours.conllu"
    stray.write_bytes(EXAMPLE_RESPONSE.read_bytes())
    app.choose(keys, [*responses, stray])
    assert "theirs, key fr.conllu" in app.page.locator("#responses-files li").nth(3).inner_text()
    assert "no key of this name" in app.page.locator("#responses-files li").last.inner_text()
    assert "cs.ours.conllu" in app.page.locator("#status").inner_text()
    ours, theirs = app.score().locator(".part").all()
    expected = _printed(capsys, "score", tmp_path / "key", tmp_path / "ours", "--quiet")
    assert _figures(json.loads(app.saved("scores", "JSON")))["metrics"] == expected["metrics"]
    assert ours.locator("table").last.locator("tbody th").all_inner_texts() == ["en", "fr"]
    assert "fr: " in theirs.locator(".failed").inner_text()
    assert "fr.theirs.conllu:5: " in theirs.locator(".failed").inner_text()
    assert theirs.locator("tbody th").all_inner_texts() == ["en"]
    assert theirs.locator(".signature").count() == 0  # a figure of some files would pass for one of all
    assert "theirs, fr: " in app.open("comparison").locator(".failed").inner_text()
    assert "5 files" not in app.open("validation").inner_text()


def test_defaults_are_said_in_words(app: App) -> None:
    app.choose(EXAMPLE_KEY, [EXAMPLE_RESPONSE])
    shown = app.score().locator(".settings")
    assert shown.locator("dt").all_inner_texts() == [
        "Match head the default for keys in corefud",
        "Singletons drop the default for keys in corefud",
        "Rules corefud-1.2 the default",
    ]
    assert "entities of one mention are removed" in shown.inner_text()
    app.page.locator("#options > summary").click()
    app.page.locator("[name=preset]").select_option("conll12")
    app.page.locator("[name=singletons]").select_option("drop")
    shown = app.score().locator(".settings")
    assert shown.locator("dt").all_inner_texts() == [
        "Match exact by preset conll12",
        "Singletons drop as chosen",
        "Rules conll-8.01 by preset conll12",
    ]
    app.page.locator("#options-form").evaluate("(form) => form.reset()")
    app.page.locator("[name=metrics]").dispatch_event("input")
    app.page.locator("#options > summary").click()


def test_one_file_can_be_validated_by_itself(app: App, tmp_path: Path) -> None:
    path = tmp_path / "odd.conllu"
    text = EXAMPLE_RESPONSE.read_text(encoding="utf-8")
    path.write_text(text.replace("Entity=(", "Entity=((", 1), encoding="utf-8")
    app.choose(None, [path])
    assert app.page.locator("#score").is_disabled()
    app.page.locator("#validate").click()
    shown = app.shown("validation").inner_text()
    assert "odd.conllu" in shown
    assert "hint:" in shown
    app.page.locator("#tab-scores").click()
    assert "a key and at least one response" in app.page.locator("#panel-scores").inner_text()


def test_the_report_works_in_its_frame_under_both_policies(app: App) -> None:
    app.choose(EXAMPLE_KEY, [EXAMPLE_RESPONSE])
    app.score()
    panel = app.open("report")
    frame = app.page.frame_locator("#panel-report iframe")
    frame.locator(".hero .big", has_text="72.88").wait_for(timeout=LONG)
    frame.locator("#text .m").first.click()
    assert frame.locator("#selection h3").is_visible()
    inside = next(frame for frame in app.page.frames if frame.url.startswith("blob:"))
    assert inside.evaluate("[violations.length, origin]") == [0, "null"]
    with app.page.expect_download() as saving:
        panel.locator("button", has_text="Save the page").click()
    assert "72.88" in Path(saving.value.path()).read_text(encoding="utf-8")
    with app.page.expect_popup() as opening:
        panel.locator("a", has_text="new tab").click()
    opening.value.locator(".hero .big", has_text="72.88").wait_for(timeout=LONG)
    opening.value.close()


def test_three_megabytes_are_scored_in_seconds(app: App, tmp_path: Path) -> None:
    key, response = corpora.large(tmp_path, 60_000)
    assert key.stat().st_size > 2_000_000
    app.choose(key, [response])
    start = time.perf_counter()
    assert "CoNLL" in app.score().inner_text()
    assert time.perf_counter() - start < 30  # two on a machine that does nothing else


def test_too_much_is_refused_before_it_is_read(app: App, tmp_path: Path) -> None:
    path = tmp_path / "huge.conllu"
    with path.open("wb") as file:
        file.truncate(301_000_000)
    app.choose(EXAMPLE_KEY, [path])
    assert "301.0 MB" in app.page.locator("#status").inner_text()
    assert app.page.locator("#score").is_disabled()


def test_the_keyboard_is_enough(app: App) -> None:
    app.choose(None)
    page = app.page
    page.locator("#example").focus()
    page.keyboard.press("Enter")
    page.locator("#status", has_text="Ready.").wait_for(timeout=LONG)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "key-input"
    page.locator("#score").focus()
    page.keyboard.press("Enter")
    app.shown("scores")
    page.locator("#tab-scores").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.id") == "tab-errors"
    page.keyboard.press("Enter")
    app.shown("errors")
    assert page.locator("#tab-errors").get_attribute("aria-selected") == "true"
    assert page.locator("#panel-scores").is_hidden()
    page.keyboard.press("End")
    assert page.evaluate("document.activeElement.id") == "tab-report"


def _frame(app: App, job: str) -> Any:
    """The page inside the frame of a tab, once it has listed its errors."""
    frame = app.open(job).locator("iframe").element_handle().content_frame()
    until = time.monotonic() + LONG / 1000
    while "error" not in (frame.evaluate("document.querySelector('#found')?.textContent") or ""):
        assert time.monotonic() < until, "the page in the frame lists no errors"
        app.page.screenshot()  # without a window, a frame may not be painted before somebody looks at it
        app.page.wait_for_timeout(50)
    app.page.screenshot()
    return frame


def test_nothing_is_too_wide_and_axe_finds_nothing(app: App, look: dict[str, Any], broken: Path) -> None:
    """Every tab, with two responses of which one is broken; the report page in its frame has tests of its own."""
    app.choose(EXAMPLE_KEY, [EXAMPLE_RESPONSE, broken])
    app.page.set_viewport_size(look["viewport"])
    app.page.emulate_media(color_scheme=look["color_scheme"])
    for name in ("#options", "#files details"):
        app.page.locator(name).evaluate("(details) => (details.open = true)")
    app.score()
    for job in TABS:
        app.open(job)
        assert app.page.evaluate(OVERFLOW) <= 0, job
        assert violations(app.page) == [], job
        assert serious(app.page) == [], job
    app.page.set_viewport_size({"width": 1400, "height": 900})
    app.page.emulate_media(color_scheme="light")
    for name in ("#options", "#files details"):
        app.page.locator(name).evaluate("(details) => (details.open = false)")


def test_report_and_errors_have_the_window_to_themselves(app: App, look: dict[str, Any]) -> None:
    """Below the tabs: the report page from its top, and its list of errors."""
    app.choose(EXAMPLE_KEY, [EXAMPLE_RESPONSE])
    app.score()
    app.page.set_viewport_size(look["viewport"])
    app.page.emulate_media(color_scheme=look["color_scheme"])
    for job in ("report", "errors"):
        frame = _frame(app, job)
        box = app.page.locator(f"#panel-{job} iframe").bounding_box()
        assert box["width"] >= look["viewport"]["width"] - 24
        assert box["y"] <= 130
        assert look["viewport"]["height"] - 24 <= box["y"] + box["height"] <= look["viewport"]["height"]
        assert app.page.evaluate("document.documentElement.scrollHeight <= innerHeight")
        assert frame.evaluate(OVERFLOW) <= 0
        assert serious(frame) == []
    assert app.page.locator("#panel-errors pre, #panel-errors .lines").count() == 0
    seen = frame.evaluate("document.querySelector('#list').getBoundingClientRect().top < innerHeight")
    assert seen, "the list of errors is in view"
    frame.locator("#list a.error").first.click()  # in a frame, browsers do not follow links within the page
    frame.locator("#selection h3").wait_for()
    assert frame.evaluate("location.hash").startswith("#doc=")
    assert not app.page.locator("#files").is_visible()
    app.page.locator("#back").click()
    assert app.page.locator("#files").is_visible()
    assert app.page.locator("#panel-scores .part").is_visible()
    app.page.set_viewport_size({"width": 1400, "height": 900})
    app.page.emulate_media(color_scheme="light")


def test_colours_that_are_chosen_hold_in_the_report_too(app: App) -> None:
    app.choose(EXAMPLE_KEY, [EXAMPLE_RESPONSE])
    app.page.locator("#theme").click()
    app.score()
    assert _frame(app, "report").evaluate("document.documentElement.dataset.theme") == "dark"
    app.page.locator("#back").click()
    app.page.locator("#theme").click()


def test_cancelling_ends_the_work_and_another_can_begin(app: App, tmp_path: Path) -> None:
    """Thousands of resamples of a dozen documents take seconds, of which none is waited for."""
    key, response = corpora.several(tmp_path, 12)
    app.choose(key, [response, key, response])
    app.score()
    app.page.locator("#tab-comparison").click()
    assert app.page.locator("#progress").is_visible()
    app.page.locator("#cancel").click()
    app.page.locator("#panel-comparison", has_text="Cancelled").wait_for(timeout=5000)
    assert app.page.locator("#cancel").is_hidden()
    assert app.page.locator("#panel-comparison .part").count() == 0
    app.choose(EXAMPLE_KEY, [EXAMPLE_RESPONSE])
    assert "72.88" in app.score().inner_text()


def test_python_that_breaks_down_is_started_again(app: App, said: list[str], tmp_path: Path) -> None:
    before = len(said)
    path = tmp_path / "nested.jsonl"
    path.write_bytes(b"[" * 200_000)
    app.choose(EXAMPLE_KEY, [path])
    assert "nested too deeply" in app.score().inner_text()
    assert any("fatal error" in line for line in said[before:])  # Pyodide's own words, to the console
    del said[before:]
    app.choose(EXAMPLE_KEY, [EXAMPLE_RESPONSE])
    assert "72.88" in app.score().inner_text()


class _Elsewhere(BaseHTTPRequestHandler):
    """Another origin, which would let anybody in."""

    asked: list[str]

    def do_GET(self) -> None:
        self.asked.append(self.path)
        self.send_response(200)
        self.send_header("Access-Control-Allow-Origin", "*")
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        pass


class _Quiet(SimpleHTTPRequestHandler):
    """A static host, which adds no headers of its own."""

    def log_message(self, *_: Any) -> None:
        pass


def test_neither_page_nor_worker_can_send_anything_even_from_a_static_host(browser: Any, tmp_path: Path) -> None:
    """The policy in the page binds the worker, too: what asks another origin is refused, and that hears nothing."""
    write_app(tmp_path / "site", installed("pyodide"))
    asked: list[str] = []
    static = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(tmp_path)))
    elsewhere = ThreadingHTTPServer(("127.0.0.1", 0), type("Elsewhere", (_Elsewhere,), {"asked": asked}))
    with running(static) as url, running(elsewhere) as other:
        page = browser.new_context().new_page()
        page.goto(f"{url}site/")
        ask = f"() => fetch('{other}').then(() => 'sent', () => 'refused')"
        assert page.evaluate(ask) == "refused"
        page.locator("#example").click()
        page.locator("#status", has_text="Ready.").wait_for(timeout=LONG)
        assert page.workers[0].evaluate(ask) == "refused"
        assert page.workers[0].evaluate(f"() => fetch('{url}site/licences.txt').then((got) => got.status)") == 200
        page.locator("#score").click()
        assert "72.88" in page.locator("#panel-scores .part").inner_text(timeout=LONG)
        assert asked == []
        page.context.close()
