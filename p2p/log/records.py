# SPDX-License-Identifier: GPL-3.0-or-later
r"""The framing of our files: a header that any version can read, then records, with nothing between or after them.

    header   magic (8 bytes, with a byte above 127 and a line end, to detect a transfer as text)
             version (2 bytes, big-endian) · program: length (1 byte) and ASCII text, the writer
             check: the first 8 bytes of H("header", everything before)
    record   letter (1 byte) · length (4 bytes, big-endian) · body

Magic, version and program have the same place in every version, so an older program can name the one that is needed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from os import cpu_count
from typing import Any, Final, Protocol, Self

from p2p.wire.codec import WireError
from p2p.wire.entry import Entry, check_signature, read_entry
from p2p.wire.shapes import MAX_DECK_ENTRY
from seeds.hashing import H

MAGIC_BYTES: Final = 8
CHECK_BYTES: Final = 8
MAX_RECORD: Final = MAX_DECK_ENTRY
MAX_PROGRAM: Final = 64
TOGETHER: Final = 64
"""Signatures in one batch of a thread."""
AHEAD: Final = 8
"""Batches by which reading may be ahead of the checks, so that the reported progress stays true."""


class FileError(ValueError):
    """A file is refused.

    Attributes:
        code: stable name such as "file/entry".
        part: the part at fault, as the format names it ("header", "entry 17", "trailer").
        entry: number of the entry at fault, from 0, else None.
        detail: plain text for a log.
    """

    def __init__(self, code: str, part: str, detail: str = "", *, entry: int | None = None) -> None:
        super().__init__(f"{code} in {part}" + (f": {detail}" if detail else ""))
        self.code = code
        self.part = part
        self.detail = detail
        self.entry = entry


class Writer:
    """Builds a file in memory."""

    def __init__(self, magic: bytes, version: int, program: str) -> None:
        name = program.encode("ascii")
        if len(magic) != MAGIC_BYTES or len(name) > MAX_PROGRAM:
            raise ValueError("a magic has 8 bytes, a program's version at most 64 letters")
        header = magic + version.to_bytes(2, "big") + bytes([len(name)]) + name
        self._data = bytearray(header + H("header", header)[:CHECK_BYTES])

    def add(self, letter: bytes, body: bytes) -> None:
        """Append one record."""
        if len(body) > MAX_RECORD:
            raise ValueError(f"a record has at most {MAX_RECORD} bytes, not {len(body)}")
        self._data += letter + len(body).to_bytes(4, "big") + body

    def digest(self, purpose: str) -> bytes:
        """Return the hash of everything so far."""
        return H(purpose, bytes(self._data))

    def bytes(self) -> bytes:
        return bytes(self._data)


class Reader:
    """Reads a file's bytes in order. Every method raises FileError, which names the part at fault."""

    def __init__(self, data: bytes, magic: bytes, *versions: int) -> None:
        self._data = data
        if data[:MAGIC_BYTES] != magic:
            raise FileError("file/foreign", "magic", "not a file of this kind, or damaged at its very start")
        start = MAGIC_BYTES + 3
        size = data[start - 1] if len(data) >= start else 0
        end = start + size + CHECK_BYTES
        if len(data) < end:
            raise FileError("file/truncated", "header", f"{len(data)} bytes")
        if H("header", data[: start + size])[:CHECK_BYTES] != data[start + size : end]:
            raise FileError("file/header", "header", "version or program are damaged")
        self.version = int.from_bytes(data[MAGIC_BYTES : MAGIC_BYTES + 2], "big")
        self.program = data[start : start + size].decode("ascii", "replace")
        if self.version not in versions:
            raise FileError("file/version", "header", f"version {self.version}, written by {self.program}")
        self._at = end

    def letter(self) -> bytes:
        """Return the letter of the next record, empty at the end of the file."""
        return self._data[self._at : self._at + 1]

    def before(self) -> bytes:
        """Return everything read so far."""
        return self._data[: self._at]

    @property
    def progress(self) -> tuple[int, int]:
        """The number of bytes read and the number of all bytes."""
        return self._at, len(self._data)

    def take(self, letter: bytes, part: str, entry: int | None = None) -> bytes:
        """Return the body of the next record, which must have this letter."""
        found = self.letter()
        if not found:
            raise FileError("file/truncated", part, "the file ends before it", entry=entry)
        if found != letter:
            raise FileError("file/record", part, f"record {found!r} where {letter!r} belongs", entry=entry)
        start = self._at + 5
        size = int.from_bytes(self._data[self._at + 1 : start], "big")
        if size > MAX_RECORD:
            raise FileError("file/length", part, f"a record of {size} bytes", entry=entry)
        if len(self._data) < start + size:
            raise FileError("file/truncated", part, f"{start + size - len(self._data)} bytes are missing", entry=entry)
        self._at = start + size
        return self._data[start : start + size]

    def end(self) -> None:
        """Check that the file ends here."""
        if self._at != len(self._data):
            raise FileError("file/trailing", "end", f"{len(self._data) - self._at} bytes after the trailer")


class Promised(Protocol):
    """What of `concurrent.futures.Future` is used."""

    def result(self) -> Any:
        """Return what the work gave, or raise what it raised."""


class Executor(Protocol):
    """What of `concurrent.futures.Executor` is used."""

    def submit(self, work: Callable[..., Any], /, *given: Any) -> Promised:
        """Begin work, and return its result to come."""

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Begin no more work. cancel_futures: also not what has been submitted."""


class Postponed:
    """Works when the result is asked for, where there are no threads, as in a browser."""

    def submit(self, work: Callable[..., Any], /, *given: Any) -> Promised:
        """Keep the work until then."""
        return _Kept(work, given)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Nothing is left to do."""


class _Kept:
    """Work that nobody has asked for yet."""

    def __init__(self, work: Callable[..., Any], given: Sequence[Any]) -> None:
        self._work, self._given = work, given

    def result(self) -> Any:
        return self._work(*self._given)


def executor(threads: int | None) -> Executor:
    """Return what works in so many threads, None for one on each core. Without any (0) work waits until its result is
    asked for."""
    if threads == 0:
        return Postponed()
    from concurrent.futures import ThreadPoolExecutor  # short files need none

    return ThreadPoolExecutor(threads or cpu_count() or 1)


class Signatures:
    """Reads entries of a file and checks their signatures meanwhile in threads. The end of the `with` block waits for
    them. Raises FileError for the first entry that is wrong, in file order. threads: as in `executor`."""

    def __init__(self, threads: int | None = None) -> None:
        self._threads = threads
        self._pool: Executor | None = None
        self._unchecked: list[tuple[int, Entry]] = []
        self._checks: deque[Promised] = deque()

    def __enter__(self) -> Self:
        return self

    def read(self, raw: bytes, number: int) -> Entry:
        """Return the entry in record `number` (from 0)."""
        try:
            entry = read_entry(raw)
        except WireError as error:
            raise _entry_error(number, error) from None
        self._unchecked.append((number, entry))
        if len(self._unchecked) == TOGETHER:
            self._hand_out()
        while len(self._checks) > AHEAD:
            self._await_one()
        return entry

    def __exit__(self, *_: object) -> None:
        if self._pool is None:  # few signatures are checked before a thread has started
            _raise(_first_false(self._unchecked))
            return
        try:
            self._hand_out()
            while self._checks:
                self._await_one()
        finally:
            self._pool.shutdown(cancel_futures=True)

    def _hand_out(self) -> None:
        if self._pool is None:
            self._pool = executor(self._threads)
        self._checks.append(self._pool.submit(_first_false, self._unchecked))
        self._unchecked = []

    def _await_one(self) -> None:
        _raise(self._checks.popleft().result())


def _raise(error: FileError | None) -> None:
    if error is not None:
        raise error from None


def _first_false(entries: Sequence[tuple[int, Entry]]) -> FileError | None:
    for number, entry in entries:
        try:
            check_signature(entry)
        except WireError as error:
            return _entry_error(number, error)
    return None


def _entry_error(number: int, error: WireError) -> FileError:
    return FileError("file/entry", f"entry {number}", str(error), entry=number)
