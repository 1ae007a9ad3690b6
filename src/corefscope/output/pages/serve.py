"""A local server of pages: the report page, scored again when a file changes, and the app."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Sequence
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from socket import socket
from threading import Lock
from time import perf_counter
from typing import NamedTuple, Unpack

from ...core.errors import CorefscopeError, OptionError
from ...core.naming import check_values
from ...core.request import Path, Request, RequestArguments
from ...formats.naming import NamedPaths, paths_and_names
from ...formats.paths import pair_files
from ...formats.source import path_name, refuse_pipes

LOOPBACK = ("127.0.0.1", "localhost", "::1")
HOST = re.compile(r"\[(?P<six>[0-9A-Fa-f:.]+)\](?::\d{1,5})?|(?P<name>[^:\[\]\s/@]+)(?::\d{1,5})?")
UNFRAMED = "frame-ancestors 'none'"
SAFE = {
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".json": "application/json",
    ".mjs": "text/javascript",
    ".wasm": "application/wasm",
    ".zip": "application/zip",
}
ERRORS = {
    404: "not found",
    421: "this page is served to this machine only",
    501: "only GET and HEAD are supported",
}


def serve_report(
    key: Path,
    responses: NamedPaths,
    *,
    names: str | Sequence[str] | None = None,
    title: str | None = None,
    labels: Path | None = None,
    host: str = "127.0.0.1",
    port: int = 8765,
    shared: bool = False,
    scored: Callable[[float], None] | None = None,
    **arguments: Unpack[RequestArguments],
) -> Server:
    """A server of the page that ``write_report`` writes; the page follows the files.

    ``with serve_report(key, [response]) as server: server.serve_forever()`` serves at ``server.url`` until
    interrupted. Each time the files are scored, ``scored`` is called with the seconds it took. Port 0 means any free
    port; a ``host`` that other machines can reach needs ``shared``. The rest is as in ``write_report``.
    """
    from .report import render
    from .report.data import collect

    values = {"title": title, "labels": labels, "host": host, "port": port, "shared": shared, "scored": scored}
    check_values(values)
    responses, names = paths_and_names(responses, names)
    request = Request(arguments, optional=True)

    def make() -> str:
        start = perf_counter()
        page = render(collect(key, responses, request, names=names, title=title, labels=labels), live=True)
        if scored:
            scored(perf_counter() - start)
        return page

    site = Site(path_name(key), list(map(path_name, responses)), make)
    return Server(site.answer, host, port, shared=shared)


def serve_app(
    pyodide: Path | None = None, *, host: str = "127.0.0.1", port: int = 8765, shared: bool = False
) -> Server:
    """A server of the app; ``pyodide`` is the directory of the npm package (default: searched)."""
    from .app.files import app_files, find_pyodide, policy

    allowed = f"{policy()}; {UNFRAMED}"
    answers = {
        f"/{name}": Answer(TYPES.get(os.path.splitext(name)[1], "text/plain"), content, allowed)
        for name, content in app_files(find_pyodide(pyodide)).items()
    }
    answers["/"] = answers["/index.html"]
    return Server(answers.get, host, port, shared=shared)


class Answer(NamedTuple):
    """The answer to a request."""

    kind: str
    content: bytes
    policy: str = UNFRAMED


class Site:
    """The report page of files, kept up to date."""

    def __init__(self, key: str, responses: Sequence[str], make: Callable[[], str]) -> None:
        """``make`` reads the files and returns the page. The first time, its errors are raised."""
        refuse_pipes((key, *responses), "files that are served are read again when they change", OptionError)
        self._names = [(key, response) for response in responses]
        self._make = make
        self._lock = Lock()
        self._state = self._file_states()
        self._page = make()
        self._error = ""
        self._made = 1  # times

    def answer(self, path: str) -> Answer | None:
        """The page, or its version."""
        if path not in ("/", "/version"):
            return None
        version, error = self.version()
        if path == "/version":
            return Answer("application/json", _encoded(json.dumps({"version": version, "error": error})))
        page = self._page.replace("<html", f'<html data-version="{version}"', 1)
        if error:
            page = page.replace("<body>", f'<body>\n<p id="live" class="live" role="status">{escape(error)}</p>', 1)
        return Answer("text/html", _encoded(page))

    def version(self) -> tuple[str, str]:
        """The version of the page, and the problem with the present files, if there is one."""
        with self._lock:
            state = self._file_states()
            if state != self._state:
                self._state = state
                try:
                    self._page, self._error = self._make(), ""
                    self._made += 1
                except CorefscopeError as error:
                    self._error = str(error)
                except OSError as error:  # such as while it is being written
                    self._error = f"cannot be read: {error}"
            return str(self._made), self._error

    def _file_states(self) -> dict[str, tuple[int, int] | None]:
        """The time of the last change and the size of each file; None if it is missing."""
        states: dict[str, tuple[int, int] | None] = {}
        for key, response in self._names:
            try:
                names = [name for pair in pair_files(key, response) for name in (pair.key, pair.response)]
            except CorefscopeError:
                names = [key, response]
            for name in names:
                try:
                    state = os.stat(name)
                    states[name] = state.st_mtime_ns, state.st_size
                except OSError:
                    states[name] = None
        return states


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", errors="backslashreplace")


class Server(ThreadingHTTPServer):
    """A server of a site to this machine; to other machines only if ``shared``."""

    daemon_threads = True

    def __init__(self, answer: Callable[[str], Answer | None], host: str, port: int, *, shared: bool) -> None:
        """``answer`` returns what is at a path, or None."""
        if not shared and host not in LOOPBACK:
            raise OptionError(f"{host} can be reached from other machines: add --shared to allow that")
        self.answer = answer
        self._hosts = {*LOOPBACK, host.lower()}
        self._shared = shared
        try:
            super().__init__((host, port), _Handler)
        except OverflowError:
            raise OptionError(f"there is no port {port}: use one between 0 and 65535") from None
        except OSError as error:
            raise CorefscopeError(
                f"cannot serve on {host}:{port}: {error.strerror or error}\n  hint: use another port with --port"
            ) from None

    @property
    def url(self) -> str:
        """The address of the page."""
        host, port = map(str, self.server_address[:2])
        return f"http://{f'[{host}]' if ':' in host else host}:{port}/"

    def handle_error(self, request: socket | tuple[bytes, socket], client_address: object) -> None:
        """Ignore clients that disconnect or are too slow; report all other errors."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)

    def is_own(self, host: str) -> bool:
        """Whether a Host header names this machine: other sites must not reach the page by their own names."""
        match = HOST.fullmatch(host)
        if not match:
            return False
        name = (match["six"] or match["name"]).lower().rstrip(".")
        if name in self._hosts:
            return True
        try:
            return self._shared and bool(ip_address(name))
        except ValueError:
            return False


class _Handler(BaseHTTPRequestHandler):
    """Answers to GET and HEAD requests whose Host header names this machine.

    Every answer has the headers of SAFE, also answers to invalid requests.
    """

    server: Server
    server_version = "corefscope"
    sys_version = ""
    timeout = 30
    default_request_version = "HTTP/1.0"  # of requests without a version; HTTP/0.9 answers have no headers

    def do_GET(self) -> None:
        """Answer a request; HEAD without the content."""
        if not self._asked_by_name():
            self.send_error(421)
        elif answer := self.server.answer(self.path.partition("?")[0]):
            self._send(200, answer)
        else:
            self.send_error(404)

    do_HEAD = do_GET  # noqa: N815

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:  # noqa: ARG002
        """Send an error; the library calls this for other methods and invalid requests.

        A request that names another host only gets status 421.
        """
        if "headers" in vars(self) and not self._asked_by_name():
            code = 421
        self.close_connection = True
        self._send(code, Answer("text/plain", _encoded(ERRORS.get(code, "bad request") + "\n")))

    def _asked_by_name(self) -> bool:
        hosts = self.headers.get_all("Host", [])
        return len(hosts) == 1 and self.server.is_own(hosts[0])

    def _send(self, status: int, answer: Answer) -> None:
        textual = answer.kind.startswith("text/") or answer.kind.endswith("json")
        self.send_response(status)
        self.send_header("Content-Type", f"{answer.kind}; charset=utf-8" if textual else answer.kind)
        self.send_header("Content-Length", str(len(answer.content)))
        for name, value in {**SAFE, "Content-Security-Policy": answer.policy}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer.content)

    def log_message(self, *_: object) -> None:
        """Log nothing."""
