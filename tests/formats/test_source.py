"""Where bytes come from: paths and standard input, compression, line ends, encodings."""

from __future__ import annotations

import bz2
import gc
import gzip
import io
import lzma
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from corefscope.core.errors import InputError, OptionError
from corefscope.formats import source
from corefscope.formats import source as unpacking
from corefscope.formats.detection import read_documents
from corefscope.formats.source import Source

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

# Some temporary copies stay open: see NOT_CLOSED in test_faults.
pytestmark = pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")

TEXT = "# café\n1\ta\n\n1\tb\n"
PACKED = {"plain": bytes, "gzip": gzip.compress, "xz": lzma.compress, "bzip2": bz2.compress}
COMPRESSIONS = pytest.mark.parametrize("pack", PACKED.values(), ids=PACKED)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "some.conllu"


def content(path: str | Path) -> str:
    """All the text of a source."""
    opened = Source.open(path)
    try:
        return opened.text(opened.start, opened.size)
    finally:
        opened.close()


def refused(path: str | Path) -> tuple[str, str, str]:
    """Path, message and hint of the error that opening raises."""
    with pytest.raises(InputError) as caught:
        Source.open(path)
    name, message, line, hint = caught.value.path, caught.value.message, caught.value.line, caught.value.hint
    del caught
    gc.collect()  # while open files are forgiven
    assert line == 0
    return name, message, hint


def test_a_source_has_a_name_a_size_and_parts_that_can_be_read_in_any_order(path: Path) -> None:
    path.write_bytes(TEXT.encode())
    opened = Source.open(path)
    assert (opened.name, opened.start, opened.size) == (str(path), 0, len(TEXT.encode()))
    assert opened.read(8, 12) == b"1\ta\n"
    assert opened.read(0, 7) == "# café".encode()
    assert opened.text(8, 12) == "1\ta\n"
    assert opened.read(opened.size, opened.size + 10) == b""
    opened.close()


@COMPRESSIONS
@pytest.mark.parametrize("extension", ["conllu", "gz", "txt.xz", "bz2"])
def test_compression_is_known_by_content_whatever_the_extension(
    pack: Callable[[bytes], bytes], extension: str, tmp_path: Path
) -> None:
    path = tmp_path / f"some.{extension}"
    path.write_bytes(pack(TEXT.encode()))
    assert content(path) == content(str(path)) == TEXT


def test_members_of_a_gzip_file_are_read_on(path: Path) -> None:
    path.write_bytes(gzip.compress(TEXT.encode()) + gzip.compress(TEXT.encode()))
    assert content(path) == TEXT * 2


@COMPRESSIONS
def test_standard_input(pack: Callable[[bytes], bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    """It is called ``<stdin>``, may be a pipe, and stays open."""
    reading, writing = os.pipe()
    with os.fdopen(writing, "wb") as pipe:
        pipe.write(pack(TEXT.encode()))
    with open(reading) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        opened = Source.open("-")
        assert (opened.name, opened.text(0, opened.size)) == ("<stdin>", TEXT)
        opened.close()
        assert not stdin.buffer.closed


class Drip(io.RawIOBase):
    """A pipe whose writer is slow: every read returns one byte."""

    def __init__(self, data: bytes) -> None:
        self._data = io.BytesIO(data)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        return self._data.readinto(memoryview(buffer)[:1])


@pytest.mark.parametrize(
    "pack",
    [
        bytes,
        gzip.compress,
    ],
)
def test_a_slow_pipe(pack: Callable[[bytes], bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    """What the first read returns may be less than the mark of a compression."""
    with io.TextIOWrapper(io.BufferedReader(Drip(pack(TEXT.encode())))) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        opened = Source.open("-")
        assert opened.read(0, opened.size) == TEXT.encode()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_named_pipe_is_read_once_and_kept(path: Path) -> None:
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=(TEXT.encode(),))
    writer.start()
    assert content(path) == TEXT
    writer.join()


@pytest.mark.parametrize("piece", [1, 2, 3, 5, 8, 1 << 22])
@pytest.mark.parametrize("end", ["\r\n", "\r"], ids=["CR LF", "CR"])
def test_every_line_end_becomes_a_line_feed(
    end: str, piece: int, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever pieces are cut, between CR and LF too, and at the end of the file."""
    monkeypatch.setattr(source, "PIECE", piece)
    monkeypatch.setattr(unpacking, "PIECE", piece)
    for text in (TEXT, TEXT.rstrip("\n"), TEXT + "\n\n"):
        path.write_bytes(text.replace("\n", end).encode())
        assert content(path) == text


def test_mixed_line_ends(path: Path) -> None:
    path.write_bytes(b"a\r\nb\rc\n\r\nd\r\r\n")
    assert content(path) == "a\nb\nc\n\nd\n\n"


@COMPRESSIONS
def test_a_byte_order_mark_is_skipped(pack: Callable[[bytes], bytes], path: Path) -> None:
    path.write_bytes(pack(TEXT.encode("utf-8-sig")))
    opened = Source.open(path)
    assert (opened.start, opened.text(opened.start, opened.size)) == (3, TEXT)
    opened.close()


@pytest.mark.parametrize("piece", [1, 4, 1 << 22])
def test_line_numbers_are_those_of_the_file(piece: int, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of every byte, the line feed belonging to the line it ends."""
    monkeypatch.setattr(source, "PIECE", piece)
    monkeypatch.setattr(unpacking, "PIECE", piece)
    data = TEXT.encode("utf-8-sig")
    path.write_bytes(data)
    opened = Source.open(path)
    for at in range(len(data)):
        assert opened.line_number(at) == 1 + data[:at].count(b"\n")
    opened.close()


def test_bytes_that_are_not_utf_8_are_an_error_with_their_line(path: Path) -> None:
    path.write_bytes(b"# a\n1\t\xe9\n")
    opened = Source.open(path)
    assert opened.text(0, 4) == "# a\n"
    with pytest.raises(InputError, match="byte 0xe9 is not UTF-8") as caught:
        opened.text(4, opened.size)
    opened.close()
    assert (caught.value.path, caught.value.line) == (str(path), 2)
    assert "iconv" in caught.value.hint


UNREADABLE = {
    "empty": (b"", "is empty"),
    "byte order mark only": (b"\xef\xbb\xbf", "is empty"),
    "empty inside": (bz2.compress(b""), "is empty"),
    "UTF-16": (TEXT.encode("utf-16"), "is UTF-16, not UTF-8"),
    "UTF-16 BE": (b"\xfe\xff" + TEXT.encode("utf-16-be"), "is UTF-16, not UTF-8"),
    "UTF-32 BE": (b"\x00\x00\xfe\xff" + TEXT.encode("utf-32-be"), "is UTF-32, not UTF-8"),
    "truncated gzip": (gzip.compress(TEXT.encode())[:-5], "is damaged gzip data"),
    "no gzip": (b"\x1f\x8bnot really", "is damaged gzip data"),
    "truncated xz": (lzma.compress(TEXT.encode())[:-5], "is damaged lzma data"),
    "truncated bzip2": (bz2.compress(TEXT.encode())[:-5], "is damaged bz2 data"),
}


@pytest.mark.parametrize(("data", "message"), UNREADABLE.values(), ids=UNREADABLE)
def test_files_that_cannot_be_read_are_refused(data: bytes, message: str, path: Path) -> None:
    path.write_bytes(data)
    name, said, hint = refused(path)
    assert name == str(path)
    assert said.startswith(message)
    assert hint


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    assert refused(tmp_path / "none") == (str(tmp_path / "none"), "no such file", "check the spelling of the path")
    assert refused(tmp_path) == (str(tmp_path), "is a directory", "name one file in it")
    assert refused("a\0b")[1].startswith("cannot be read: ")


def test_a_path_of_bytes_is_refused() -> None:
    with pytest.raises(InputError, match="is not a path"):
        Source.open(b"some.conllu")  # type: ignore[arg-type]


def test_a_file_without_permission_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pretended, because an administrator may read everything."""

    def denied(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(source, "open", denied, raising=False)
    assert refused(path)[:2] == (str(path), "may not be read (permission denied)")


def test_large_compressed_files_go_to_disk(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpacking, "IN_MEMORY", 10)
    path.write_bytes(gzip.compress(TEXT.encode() * 100))
    assert content(path) == TEXT * 100


def changed(action: Callable[[], object], path: Path) -> None:
    """Expect the error about a file that changes."""
    with pytest.raises(InputError, match="changed while it was read") as caught:
        action()
    assert (caught.value.path, caught.value.code) == (str(path), "unreadable-file")
    assert caught.value.hint


@pytest.mark.parametrize("change", ["shrinks", "grows", "is rewritten"])
def test_a_file_that_changes_while_it_is_read_is_an_error(change: str, path: Path) -> None:
    data = TEXT.encode() * 1000
    path.write_bytes(data)
    with closing(Source.open(path)) as opened:
        opened.read(0, 100)
        if change == "shrinks":
            os.truncate(path, len(data) // 2)
        elif change == "grows":
            with path.open("ab") as file:
                file.write(b"x")
        else:
            time.sleep(0.02)  # the clock of a file system ticks about every 4 ms
            path.write_bytes(data.replace(b"a", b"c"))
        changed(lambda: opened.read(0, 100), path)
        changed(lambda: list(opened.pieces(b"\n\n")), path)
        changed(lambda: opened.text(len(data) - 100, len(data)), path)
        changed(lambda: opened.line_number(len(data)), path)
        changed(opened.digest, path)


def test_a_file_that_is_replaced_by_another_is_read_to_its_end(path: Path, tmp_path: Path) -> None:
    path.write_bytes(TEXT.encode())
    with closing(Source.open(path)) as opened:
        other = tmp_path / "other"
        other.write_bytes(b"something else")
        other.replace(path)
        assert opened.text(0, opened.size) == TEXT


@pytest.mark.parametrize("pack", [gzip.compress, lambda data: data.replace(b"\n", b"\r\n")], ids=["gzip", "CR LF"])
def test_a_file_that_grows_while_it_is_copied_is_an_error(
    pack: Callable[[bytes], bytes], path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.write_bytes(pack(TEXT.encode()))
    copy = unpacking.spooled

    def growing(*arguments: Any) -> Any:
        with path.open("ab") as file:
            file.write(b"1\tc\r\n")
        return copy(*arguments)

    monkeypatch.setattr(source, "spooled", growing)
    with pytest.raises(InputError, match=r"changed while it was read|is damaged gzip data"):
        Source.open(path)


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress, bz2.compress], ids=["gzip", "xz", "bzip2"])
def test_what_unpacks_to_more_than_the_limit_is_refused_and_leaves_nothing(
    pack: Callable[[bytes], bytes], path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.write_bytes(pack(b"1\ta\n" * 1_000_000))
    spool = tmp_path / "spool"
    spool.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(spool))
    monkeypatch.setattr(unpacking, "IN_MEMORY", 1000)
    monkeypatch.setattr(unpacking, "PIECE", 10_000)
    monkeypatch.setenv("COREFSCOPE_MAX_UNPACKED", "3MB")
    name, message, hint = refused(path)
    assert (name, message) == (str(path), "unpacks to more than 3MB")
    assert "--max-unpacked" in hint
    assert not list(spool.iterdir())
    monkeypatch.setenv("COREFSCOPE_MAX_UNPACKED", "5 MB")
    assert len(content(path)) == 4_000_000


def test_standard_input_that_goes_on_for_ever_is_stopped_by_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    class Endless(io.RawIOBase):
        def readable(self) -> bool:
            return True

        def readinto(self, buffer: WriteableBuffer) -> int:
            with memoryview(buffer) as view:
                view.cast("B")[:] = b"y" * len(view)
                return len(view)

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(Endless())))
    monkeypatch.setenv("COREFSCOPE_MAX_UNPACKED", "9MB")
    assert refused("-")[:2] == ("<stdin>", "unpacks to more than 9MB")


def test_a_disk_that_is_nearly_full_is_not_filled(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.write_bytes(gzip.compress(TEXT.encode()))
    monkeypatch.setattr(unpacking, "IN_MEMORY", 3)
    monkeypatch.setattr(unpacking, "SPARE_DISK", 1 << 62)
    _, message, hint = refused(path)
    assert message.startswith("not enough disk space to decompress it in ")
    assert "TMPDIR" in hint


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="no such device")
@pytest.mark.parametrize("device", ["/dev/zero", "/dev/urandom"])
def test_an_endless_device_is_refused_at_once(device: str) -> None:
    assert refused(device) == (device, "is a binary file", "text in UTF-8 is needed")


def test_zeros_that_are_packed_are_refused_at_once(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.write_bytes(gzip.compress(bytes(10_000_000)))
    monkeypatch.setenv("COREFSCOPE_MAX_UNPACKED", "5MB")
    assert refused(path)[1] == "is a binary file"


def test_a_line_that_never_ends_does_not_fill_the_memory(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "PIECE", 1000)
    monkeypatch.setattr(source, "LONGEST_PIECE", 10_000)
    path.write_bytes(b"a\n" * 600 + b"x" * 30_000)
    with (
        closing(Source.open(path)) as opened,
        pytest.raises(InputError, match="a line is longer than 10,000") as caught,
    ):
        list(opened.pieces(b"\n"))
    assert caught.value.line == 601


@pytest.mark.parametrize("text", ["", "0", "GB", "-1", "1e9", "5 apples", "1PB", "nan", "9" * 400])
def test_a_size_is_a_number_and_a_unit(text: str, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(OptionError, match="is not a size"):
        unpacking.parse_size(text)
    if text:
        path.write_bytes(gzip.compress(TEXT.encode()))
        monkeypatch.setenv("COREFSCOPE_MAX_UNPACKED", text)
        with pytest.raises(OptionError, match=r"COREFSCOPE_MAX_UNPACKED: .* is not a size"):
            Source.open(path)


DOCUMENTS = {
    "corefud": "# newdoc id = {name}\n# global.Entity = eid-etype-head-other\n1\ta" + "\t_" * 7 + "\tEntity=(e1)\n\n",
    "conll": "#begin document ({name}); part 000\n{name} 0 0 a (1)\n\n#end document\n",
    "jsonl": '{{"doc_key": "{name}", "sentences": [["a"]], "clusters": [[[0, 0]]]}}\n',
}


@pytest.mark.parametrize("name", DOCUMENTS)
@pytest.mark.parametrize("change", ["truncated", "rewritten"])
def test_a_file_that_changes_between_two_documents_is_an_error_in_every_format(
    name: str, change: str, path: Path
) -> None:
    text = "".join(DOCUMENTS[name].format(name=f"d{number:03d}") for number in range(100))
    path.write_text(text)
    documents = read_documents(path, name)
    assert next(documents).entities
    time.sleep(0.02)
    path.write_text(text[: len(text) // 2] if change == "truncated" else text.replace("a", "b"))
    changed(lambda: list(documents), path)


def test_lines_are_counted_once(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that come back to a document ask for hundreds of line numbers."""
    path.write_bytes(b"x\n" * unpacking.PIECE * 2)
    read = Source.read
    sizes: list[int] = []

    def counted(self: Source, start: int, end: int) -> bytes:
        data = read(self, start, end)
        sizes.append(len(data))
        return data

    with closing(Source.open(path).file) as file:
        opened = Source(str(path), file)
        monkeypatch.setattr(Source, "read", counted)
        offsets = [*range(0, opened.size, 100_000), 5, opened.size]
        assert [opened.line_number(offset) for offset in offsets] == [offset // 2 + 1 for offset in offsets]
    assert sum(sizes) <= opened.size + len(offsets) * unpacking.PIECE
    assert len(sizes) <= 2 * len(offsets)


def test_a_directory_is_called_one_where_the_system_says_permission_denied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As Windows does."""

    def deny(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(source, "open", deny, raising=False)
    with pytest.raises(InputError, match=r"(?s)is a directory.*name one file in it"):
        Source.open(tmp_path)
    (tmp_path / "a").touch()
    with pytest.raises(InputError, match="may not be read"):
        Source.open(tmp_path / "a")
