"""The page on this machine: scored again when files change, shown to nobody else."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path

import pytest

from corefscope.cli import main
from corefscope.core.errors import CorefscopeError, InputError, OptionError
from corefscope.output.pages.serve import SAFE, UNFRAMED, Server, Site, serve_report
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE
from serving import running

PAGE = "<!DOCTYPE html><html><body>\n<p>{}</p></body></html>"


class _Maker:
    """Makes pages that say what the response holds."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __call__(self) -> str:
        text = self.path.read_text(encoding="utf-8")
        if "broken" in text:
            raise InputError("it is <broken>", path="r", line=3)
        return PAGE.format(text)


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    for name in ("key", "response"):
        (tmp_path / name).write_text("one", encoding="utf-8")
    return tmp_path / "key", tmp_path / "response"


@pytest.fixture
def server(files: tuple[Path, Path]) -> Iterator[Server]:
    key, response = files
    site = Site(str(key), [str(response)], _Maker(response))
    server = Server(site.answer, "127.0.0.1", 0, shared=False)
    with running(server):
        yield server


def _ask(server: Server, path: str = "/", method: str = "GET", **headers: str) -> tuple[HTTPResponse, str]:
    connection = HTTPConnection("127.0.0.1", server.server_address[1], timeout=10)
    connection.request(method, path, headers=headers)
    answer = connection.getresponse()
    text = answer.read().decode("utf-8")
    connection.close()
    return answer, text


def _change(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    os.utime(path, ns=(time.time_ns(), time.time_ns() + 5_000_000_000))


def test_the_page_follows_the_files(server: Server, files: tuple[Path, Path]) -> None:
    answer, text = _ask(server)
    assert answer.status == 200
    assert '<html data-version="1">' in text
    assert "<p>one</p>" in text
    _change(files[1], "another")
    assert json.loads(_ask(server, "/version")[1]) == {"version": "2", "error": ""}
    assert "<p>another</p>" in _ask(server)[1]


def test_a_broken_file_is_said_to_be_so_and_the_last_page_stays(server: Server, files: tuple[Path, Path]) -> None:
    _change(files[1], "broken")
    assert json.loads(_ask(server, "/version")[1]) == {"version": "1", "error": "r:3: it is <broken>"}
    text = _ask(server)[1]
    assert 'role="status">r:3: it is &lt;broken&gt;</p>' in text
    assert "<p>one</p>" in text
    files[1].unlink()
    assert "cannot be read" in json.loads(_ask(server, "/version")[1])["error"]
    _change(files[1], "whole")
    assert json.loads(_ask(server, "/version")[1]) == {"version": "2", "error": ""}


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost", 200),
        ("localhost:1234", 200),
        ("127.0.0.1:80", 200),
        ("[::1]:80", 200),
        ("evil.example", 421),
        ("evil.example:8765", 421),
        ("127.0.0.1.evil.example", 421),
        ("localhost@evil.example", 421),
        ("192.168.0.1", 421),
        ("", 421),
        ("a:b:c", 421),
    ],
)
def test_only_this_machine_by_its_own_name(server: Server, host: str, status: int) -> None:
    for path in ("/", "/version", "/nothing"):
        answer, text = _ask(server, path, Host=host)
        assert answer.status == (404 if status == 200 and path == "/nothing" else status)
        assert ("one" in text) == (status == 200 and path == "/")


def test_answers_are_guarded(server: Server) -> None:
    answer, text = _ask(server, method="HEAD")
    assert text == ""
    for name, value in {**SAFE, "Content-Security-Policy": UNFRAMED}.items():
        assert answer.headers[name] == value
    assert _ask(server, method="POST")[0].status == 501
    assert _ask(server, "/../../etc/passwd")[0].status == 404


def _raw(server: Server, request: bytes) -> bytes:
    """All bytes with which a server answers these bytes."""
    with socket.create_connection(("127.0.0.1", server.server_address[1]), timeout=10) as connection:
        connection.sendall(request)
        connection.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: connection.recv(1 << 16), b""))


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", 200),
        (b"GET /\r\nHost: localhost\r\n\r\n", 200),
        (b"HEAD / HTTP/1.0\r\nHost: localhost\r\n\r\n", 200),
        (b"GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n", 404),
        (b"HEAD /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n", 404),
        (b"GET /\r\n\r\n", 421),
        (b"GET / HTTP/1.0\r\n\r\n", 421),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n", 421),
        (b"POST / HTTP/1.1\r\nHost: localhost\r\n\r\n", 501),
        (b"<script> / HTTP/1.1\r\nHost: localhost\r\n\r\n", 501),
        (b"POST / HTTP/1.1\r\nHost: evil.example\r\n\r\n", 421),
        (b"OPTIONS * HTTP/1.1\r\nHost: evil.example\r\n\r\n", 421),
        (b"<script>\r\n\r\n", 400),
        (b"GET / HTTP/x <script>\r\n\r\n", 400),
        (b"GET / HTTP/one\r\n\r\n", 400),
        (b"POST /\r\n\r\n", 400),
        (b"GET / HTTP/2.0\r\n\r\n", 505),
        (b"GET /" + b"x" * 70_000 + b" HTTP/1.1\r\n\r\n", 414),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"X: y\r\n" * 200 + b"\r\n", 431),
    ],
)
def test_every_answer_is_guarded_whatever_was_asked(server: Server, request_: bytes, status: int) -> None:
    head, _, content = _raw(server, request_).partition(b"\r\n\r\n")
    assert re.match(rf"HTTP/1\.\d {status} ".encode(), head)
    for name, value in {**SAFE, "Content-Security-Policy": UNFRAMED}.items():
        assert f"{name}: {value}".encode() in head.split(b"\r\n")
    assert (b"one" in content) == (status == 200 and request_.startswith(b"GET"))
    assert b"<script>" not in content
    assert not (request_.startswith(b"HEAD") and content)


def test_no_word_about_clients_that_leave_or_are_slow(
    server: Server, files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(server.RequestHandlerClass, "timeout", 0.2)
    _change(files[1], "x" * 10_000_000)
    request = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
    left = []
    for sent in (b"", b"GET", request[:-2], request, request):
        connection = socket.create_connection(("127.0.0.1", server.server_address[1]), timeout=10)
        connection.sendall(sent)
        left.append(connection)
    for connection in left[:2] + left[3:4]:  # leaves at once, without a farewell
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()
    time.sleep(1)  # the others say or read nothing for longer than the server waits
    for connection in left:
        connection.close()
    assert _ask(server, "/version")[0].status == 200
    assert capfd.readouterr() == ("", "")


def test_a_fault_of_ours_is_not_hidden(
    server: Server, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(server, "answer", lambda _: 1 // 0)
    assert _raw(server, b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n") == b""
    assert "ZeroDivisionError" in capfd.readouterr().err


def test_other_hosts_must_be_asked_for(files: tuple[Path, Path]) -> None:
    site = Site(str(files[0]), [str(files[1])], _Maker(files[1]))
    with pytest.raises(OptionError, match="--shared"):
        Server(site.answer, "0.0.0.0", 0, shared=False)
    server = Server(site.answer, "0.0.0.0", 0, shared=True)
    with running(server):
        assert _ask(server, Host="192.168.0.1:80")[0].status == 200
        assert _ask(server, Host="evil.example")[0].status == 421


def test_what_cannot_be_served(files: tuple[Path, Path], server: Server) -> None:
    with pytest.raises(OptionError, match="standard input"):
        Site("-", ["r"], lambda: "")
    site = Site(str(files[0]), [str(files[1])], _Maker(files[1]))
    with pytest.raises(CorefscopeError, match="use another port"):
        Server(site.answer, "127.0.0.1", server.server_address[1], shared=False)
    with pytest.raises(OptionError, match="there is no port 99999"):
        Server(site.answer, "127.0.0.1", 99999, shared=False)
    assert main(["serve", "none", "none"]) == 1


def test_a_report_is_served_from_python(tmp_path: Path) -> None:
    paths = [Path(shutil.copy(path, tmp_path / path.name)) for path in (EXAMPLE_KEY, EXAMPLE_RESPONSE)]
    times: list[float] = []
    server = serve_report(
        *(paths[0], paths[1:]), names=["mine"], title="a title", metrics="lea", port=0, scored=times.append
    )
    with running(server) as address:
        assert server.url == address
        text = _ask(server)[1]
        assert "<title>a title – corefscope report</title>" in text
        assert 'aria-label="mine"' in text
        assert "LEA is" in text
        _change(paths[1], EXAMPLE_KEY.read_text(encoding="utf-8"))
        assert "LEA is 100.00" in _ask(server)[1]
    assert len(times) == 2
    with pytest.raises(TypeError, match="'matches'; did you mean 'match'"):
        serve_report(paths[0], paths[1:], matches="exact")  # type: ignore[call-arg]
    with pytest.raises(OptionError, match="--shared"):
        serve_report(paths[0], paths[1:], host="0.0.0.0")


def test_the_command_serves_until_it_is_interrupted(tmp_path: Path) -> None:
    paths = [str(shutil.copy(path, tmp_path / path.name)) for path in (EXAMPLE_KEY, EXAMPLE_RESPONSE)]
    command = [sys.executable, "-m", "corefscope", "serve", *paths, "--port", "0"]
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # which shells ignore in the background
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    signal.signal(signal.SIGINT, before)
    with process:
        try:
            assert process.stdout is not None
            address = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/\n", process.stdout.readline())
            assert address
            connection = HTTPConnection("127.0.0.1", int(address[1]), timeout=30)
            connection.request("GET", "/")
            text = connection.getresponse().read().decode("utf-8")
            assert "72.88" in text
            assert "connect-src 'self'" in text.replace("&#39;", "'")
            connection.close()
        finally:
            process.send_signal(signal.SIGINT)
            _, said = process.communicate(timeout=30)
    assert process.returncode == 0
    assert re.fullmatch(r"corefscope: note: scored in [\d.]+ s\n", said)
