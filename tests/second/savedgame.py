# SPDX-License-Identifier: GPL-3.0-or-later
"""Section 10.1: saved games."""

from __future__ import annotations

from dataclasses import dataclass, field

from second.codec import Refused, decode, is_bytes, is_int, is_list, refuse
from second.entries import Entry, read_entry, text_fits
from second.hashing import H
from second.signing import signed, strict_key

STAR = bytes.fromhex("89737461720d0a1a")
LONGEST_RECORD = 60_000
LONGEST_CONTENT = 48_000
CHATS = 2_000
FEED_BYTES = 16_000_000


class FileProblem(Refused):
    """What is wrong with a file; `number` is that of the entry at fault, from 0, where there is one."""

    def __init__(self, code: str, number: int | None = None) -> None:
        super().__init__(code)
        self.number = number


def framed(data: bytes, magic: bytes) -> tuple[int, str, list[tuple[str, bytes, int]], str | None]:
    """Version, program, records (letter, body, place of the first byte), and the code of what ends them early."""
    if data[:8] != magic:
        refuse("file/foreign")
    end = 11 + data[10] if len(data) > 10 else len(data)
    if len(data) < end + 8:
        refuse("file/truncated")
    if data[end : end + 8] != H("header", data[:end])[:8]:
        refuse("file/header")
    version = int.from_bytes(data[8:10], "big")
    if version not in (1, 2):
        refuse("file/version")
    records: list[tuple[str, bytes, int]] = []
    at = end + 8
    while at < len(data):
        letter = chr(data[at])
        if records and records[-1][0] == "Z":
            return version, data[11:end].decode("latin-1"), records, "file/trailing"
        size = int.from_bytes(data[at + 1 : at + 5], "big")
        if len(data) >= at + 5 and size > LONGEST_RECORD:
            return version, data[11:end].decode("latin-1"), records, "file/length"
        if len(data) < at + 5 + size:
            return version, data[11:end].decode("latin-1"), records, "file/truncated"
        records.append((letter, data[at + 5 : at + 5 + size], at))
        at += 5 + size
    finished = bool(records) and records[-1][0] == "Z"
    return version, data[11:end].decode("latin-1"), records, None if finished else "file/truncated"


@dataclass
class Feeds:
    """The feeds of a log while its entries are read in the order of the file."""

    last: dict[bytes, Entry] = field(default_factory=dict)
    chats: dict[bytes, int] = field(default_factory=dict)
    sizes: dict[bytes, int] = field(default_factory=dict)

    def follows(self, entry: Entry) -> bool:
        before = self.last.get(entry.author)
        if before is None:
            return entry.seq == 0
        return before.kind != "leave" and entry.seq == before.seq + 1 and entry.prev == before.id

    def take(self, entry: Entry) -> bool:
        """True if the entry is the next one of its feed."""
        if not self.follows(entry):
            return False
        author = entry.author
        if entry.kind == "chat":
            self.chats[author] = self.chats.get(author, 0) + 1
        else:
            self.sizes[author] = self.sizes.get(author, 0) + len(entry.raw)
        self.last[author] = entry
        return self.chats.get(author, 0) <= CHATS and self.sizes.get(author, 0) <= FEED_BYTES


@dataclass
class SavedGame:
    """The entries of a saved game, in the order of the file, and what its trailer says."""

    program: str
    content: bytes | None
    entries: list[Entry]
    texts: dict[int, str]
    height: int
    head: bytes
    exporter: bytes


def read_star(data: bytes) -> SavedGame:
    """The saved game of these bytes; raises `FileProblem`."""
    version, program, records, early = framed(data, STAR)
    entries: list[Entry] = []
    texts: dict[int, str] = {}
    try:
        content = read_records(version, records, entries, texts)
        if early and early != "file/trailing":
            raise FileProblem(early, len(entries))
    except FileProblem:
        check_signatures(entries)
        raise
    if not entries:
        raise FileProblem("file/empty")
    check_signatures(entries)
    height, head, exporter = read_trailer(data, records, entries)
    if early:
        raise FileProblem(early)
    return SavedGame(program, content, entries, texts, height, head, exporter)


def read_records(
    version: int, records: list[tuple[str, bytes, int]], entries: list[Entry], texts: dict[int, str]
) -> bytes | None:
    """Reads all but the trailer; returns the content."""
    feeds = Feeds()
    content: bytes | None = None
    before = ""
    for place, (letter, body, _) in enumerate(records):
        if (version == 2 and place == 0) != (letter == "C"):
            raise FileProblem("file/record", len(entries))
        if letter == "C":
            content = body
            if len(body) > LONGEST_CONTENT:
                raise FileProblem("file/content")
        elif letter == "E":
            read_next(body, entries, feeds)
        elif letter == "T":
            if before != "E":
                raise FileProblem("file/record", len(entries))
            if not text_fits(entries[-1], body[:16], body[16:]):
                raise FileProblem("file/text", len(entries) - 1)
            texts[len(entries) - 1] = body[16:].decode()
        elif letter != "Z":
            raise FileProblem("file/record", len(entries))
        before = letter
    return content


def read_next(body: bytes, entries: list[Entry], feeds: Feeds) -> None:
    try:
        entries.append(read_entry(body))
    except Refused:
        raise FileProblem("file/entry", len(entries)) from None
    if entries[-1].table != entries[0].table:
        raise FileProblem("file/other-table", len(entries) - 1)
    if not feeds.take(entries[-1]):
        raise FileProblem("file/chain", len(entries) - 1)


def check_signatures(entries: list[Entry]) -> None:
    for number, entry in enumerate(entries):
        if not entry.is_signed():
            raise FileProblem("file/entry", number)


def read_trailer(data: bytes, records: list[tuple[str, bytes, int]], entries: list[Entry]) -> tuple[int, bytes, bytes]:
    """The position that the trailer names and who wrote it."""
    _, body, at = records[-1]
    try:
        fields = decode(body)
    except Refused:
        raise FileProblem("file/trailer") from None
    if not is_list(fields, 6):
        raise FileProblem("file/trailer")
    count, height, head, exporter, digest, signature = fields
    if not is_int(count) or not is_int(height) or not is_bytes(head, 32) or not strict_key(exporter):
        raise FileProblem("file/trailer")
    if not is_bytes(digest, 32) or not is_bytes(signature, 64):
        raise FileProblem("file/trailer")
    if not signed(exporter, H("export", entries[0].table, count, height, head, digest), signature):
        raise FileProblem("file/trailer")
    if count != len(entries) or digest != H("star", data[:at]):
        raise FileProblem("file/changed")
    return height, head, exporter
