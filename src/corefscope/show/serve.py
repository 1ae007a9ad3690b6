"""The report page, live: scored again when a file changes. For people who iterate, on their own machine."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Sequence
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from threading import Lock
from typing import Any

from ..base.errors import CorefscopeError, OptionError
from ..read.paths import pair_files
from ..read.source import refuse_pipes

LOOPBACK = ("127.0.0.1", "localhost", "::1")
HOST = re.compile(r"\[(?P<six>[0-9A-Fa-f:.]+)\](?::\d{1,5})?|(?P<name>[^:\[\]\s/@]+)(?::\d{1,5})?")
SAFE = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}

Stamp = tuple[tuple[str, int, int], ...]
"""Name, time of change and size of every file."""


class Site:
    """The page of some files, as they are now."""

    def __init__(self, key: str, responses: Sequence[str], make: Callable[[], str]) -> None:
        """``make`` reads the files and returns the page; the first time it may fail with what is wrong."""
        refuse_pipes((key, *responses), "files that are served are read again when they change", OptionError)
        self._names = [(key, response) for response in responses]
        self._make = make
        self._lock = Lock()
        self._stamp = self._look()
        self._page = make()
        self._error = ""
        self.made = 1
        """How many times the page was made."""

    def version(self) -> tuple[str, str]:
        """What tells this page from later ones, and what is wrong with the files as they are now, if anything."""
        with self._lock:
            stamp = self._look()
            if stamp != self._stamp:
                self._stamp = stamp
                try:
                    self._page, self._error = self._make(), ""
                    self.made += 1
                except CorefscopeError as error:
                    self._error = str(error)
                except OSError as error:  # it is being written this moment
                    self._error = f"cannot be read: {error}"
            return str(self.made), self._error

    def page(self) -> str:
        """The page, with its version in it."""
        version, error = self.version()
        page = self._page.replace("<html", f'<html data-version="{version}"', 1)
        if error:
            page = page.replace("<body>", f'<body>\n<p id="live" class="live" role="status">{escape(error)}</p>', 1)
        return page

    def _look(self) -> Stamp:
        found: dict[str, tuple[str, int, int]] = {}
        for key, response in self._names:
            try:
                files = [name for pair in pair_files(key, response) for name in (pair.key, pair.response)]
            except CorefscopeError:
                files = [key, response]
            found.update((name, (name, *_state(name))) for name in files)
        return tuple(found.values())


def _state(name: str) -> tuple[int, int]:
    """When a file changed last, and its size; of one that is not there, what no file has."""
    try:
        state = os.stat(name)
    except OSError:
        return -1, -1
    return state.st_mtime_ns, state.st_size


def make_server(
    site: Site, host: str = "127.0.0.1", port: int = 8765, *, shared: bool = False
) -> ThreadingHTTPServer:
    """A server of a site; other hosts than this machine must be asked for with ``shared``."""
    if not shared and host not in LOOPBACK:
        raise OptionError(f"{host} can be reached from other machines: give --shared if that is what you want")

    class Handler(_Handler):
        pages = site
        names = frozenset({*LOOPBACK, host.lower()})
        any_address = shared

    try:
        server = ThreadingHTTPServer((host, port), Handler)
    except OverflowError:
        raise OptionError(f"there is no port {port}: take one between 0 and 65535") from None
    except OSError as error:
        raise CorefscopeError(
            f"cannot serve on {host}:{port}: {error.strerror or error}\n  hint: take another port with --port"
        ) from None
    server.daemon_threads = True
    return server


class _Handler(BaseHTTPRequestHandler):
    """Answers GET and HEAD for the page and its version, to those who ask this machine by its own name."""

    pages: Site
    names: frozenset[str]
    any_address: bool
    server_version = "corefscope"
    sys_version = ""
    timeout = 30

    def do_GET(self) -> None:
        """Answer with the content."""
        self._answer(body=True)

    def do_HEAD(self) -> None:
        """Answer without the content."""
        self._answer(body=False)

    def _answer(self, *, body: bool) -> None:
        if not self._asked_by_name():
            self._send(421, "text/plain", "this page is served to this machine only\n", body)
            return
        path = self.path.partition("?")[0]
        if path == "/":
            self._send(200, "text/html", self.pages.page(), body)
        elif path == "/version":
            version, error = self.pages.version()
            self._send(200, "application/json", json.dumps({"version": version, "error": error}), body)
        else:
            self._send(404, "text/plain", "there is nothing here\n", body)

    def _asked_by_name(self) -> bool:
        """Whether the Host is one of ours: pages of other sites must not reach this one through a name of theirs."""
        found = HOST.fullmatch(self.headers.get("Host", ""))
        if not found:
            return False
        name = (found["six"] or found["name"]).lower().rstrip(".")
        if name in self.names:
            return True
        try:
            return self.any_address and bool(ip_address(name))
        except ValueError:
            return False

    def _send(self, status: int, kind: str, text: str, body: bool) -> None:
        content = text.encode("utf-8", errors="backslashreplace")
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        for name, value in SAFE.items():
            self.send_header(name, value)
        self.end_headers()
        if body:
            self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        """Nothing: whoever serves to himself need not hear of it."""
