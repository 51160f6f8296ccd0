# SPDX-License-Identifier: GPL-3.0-or-later
"""A whole game in one file, `NAME.star`: saved game, replay, dispute and proof.

    header
    "C" record   the table's own content, whose id the genesis names; in a file of version 2 only
    "E" record   the raw bytes of an entry, after all earlier entries of its author
    "T" record   salt (16 bytes) and text of the chat entry before it; may be left out
    "Z" record   [count, height, head, exporter, digest, signature] in canonical CBOR

count is the number of entries, digest = H("star", all bytes before the trailer), and the signature that of the
exporter's key over H("export", table, count, height, head, digest): the exporter's statement that this is all it holds
up to that head. A changed, missing or added byte anywhere is refused, and the error names the entry or part. A file
never contains a secret that its author has not shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

from engine.core.dataclass import dataclass
from p2p.log.feeds import Feeds, genesis_among
from p2p.log.records import FileError, Reader, Signatures, Writer
from p2p.wire.codec import WireError, decode, encode
from p2p.wire.content import MAX_CONTENT, content_name
from p2p.wire.entry import MAX_NUMBER, Attachment, Entry, fits
from p2p.wire.signing import public_bytes, sign, verify
from seeds.hashing import H

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

MAGIC: Final = b"\x89star\r\n\x1a"
VERSION: Final = 1
OWN_VERSION: Final = 2
"""Version of a file that contains the table's own content."""
ORIGIN: Final = 3
"""The place in a genesis' `origin` of the name of what the table keeps of its beginning."""
SALT_BYTES: Final = 16

Progress = Callable[[int, int, str], None]
"""Called with the progress of long work: (done, total, what)."""


@dataclass(frozen=True, slots=True)
class Star:
    """A game read from a file.

    Attributes:
        entries: in file order.
        texts: of chats, by entry id.
        height, head: position that the exporter had reached.
        exporter: the exporter's table key.
        program: version of the program that wrote the file.
        content: the table's own content, empty if it has none.
    """

    table: bytes
    entries: tuple[Entry, ...]
    texts: dict[bytes, Attachment]
    height: int
    head: bytes
    exporter: bytes
    program: str
    content: bytes = b""


def pack_star(
    entries: Iterable[tuple[Entry, Attachment | None]],
    *,
    key: Ed25519PrivateKey,
    height: int,
    head: bytes,
    program: str,
    chat: bool = True,
    content: bytes = b"",
) -> bytes:
    """Return the bytes of a file with these entries, each feed in its order.

    chat: True to include the texts of chats.
    content: the table's own content.

    Raises ValueError if there is no entry, if they are not complete feeds of one table, or if the genesis names other
    content, so that every file written can be read.
    """
    writer = Writer(MAGIC, OWN_VERSION if content else VERSION, program)
    if content:
        writer.add(b"C", content)
    feeds: Feeds | None = None
    for entry, attachment in entries:
        feeds = feeds or Feeds(entry.table)
        if not feeds.add(entry).readable:
            raise ValueError(f"entry {len(feeds.entries)} does not follow its author's earlier ones")
        writer.add(b"E", entry.raw)
        if attachment is not None and chat:
            writer.add(b"T", attachment[0] + attachment[1].encode())
    if feeds is None:
        raise ValueError("a game has entries")
    if content:
        _check_content(content, feeds)
    count, digest = len(feeds.entries), writer.digest("star")
    signature = sign(key, H("export", feeds.table, count, height, head, digest))
    writer.add(b"Z", encode([count, height, head, public_bytes(key), digest, signature]))
    return writer.bytes()


def read_star(data: bytes, progress: Progress | None = None, threads: int | None = None) -> Star:
    """Return the game in a file's bytes after checking every signature, chain and text. Raises FileError.

    threads: as in `records.executor`.
    """
    reader = Reader(data, MAGIC, VERSION, OWN_VERSION)
    content = reader.take(b"C", "content") if reader.version == OWN_VERSION else b""
    feeds: Feeds | None = None
    texts: dict[bytes, Attachment] = {}
    number = 0
    with Signatures(threads) as signatures:
        while reader.letter() not in (b"Z", b""):
            part = f"entry {number}"
            entry = signatures.read(reader.take(b"E", part, number), number)
            feeds = feeds or Feeds(entry.table)
            _add(feeds, entry, number)
            if reader.letter() == b"T":
                texts[entry.id] = _text(entry, reader.take(b"T", f"text of {part}", number), number)
            if progress is not None:
                progress(*reader.progress, "signatures")
            number += 1
    if feeds is None:
        raise FileError("file/empty", "entry 0", "no entries", entry=0)
    height, head, exporter = _trailer(reader, feeds)
    if reader.version == OWN_VERSION:
        _check_content(content, feeds)
    return Star(feeds.table, tuple(feeds.entries), texts, height, head, exporter, reader.program, content)


def _check_content(content: bytes, feeds: Feeds) -> None:
    """Check that the content is the one that the table agreed on. Raises FileError."""
    genesis = genesis_among(feeds.entries)
    body = genesis.body if genesis is not None and isinstance(genesis.body, dict) else {}
    origin = body.get("origin")
    begins = origin[ORIGIN] if isinstance(origin, list) and len(origin) > ORIGIN else None
    if content_name(content) != (body.get("content") if origin is None else begins):
        raise FileError("file/content", "content", "not the content that the genesis names")
    if len(content) > MAX_CONTENT:
        raise FileError("file/content", "content", f"{len(content)} bytes, at most {MAX_CONTENT}")


def _add(feeds: Feeds, entry: Entry, number: int) -> None:
    part = f"entry {number}"
    if entry.table != feeds.table:
        raise FileError("file/other-table", part, "it belongs to another table", entry=number)
    if feeds.add(entry).readable != (entry,):
        detail = "an author's entries are missing, doubled, forked or out of order here"
        raise FileError("file/chain", part, detail, entry=number)


def _text(entry: Entry, record: bytes, number: int) -> Attachment:
    part = f"text of entry {number}"
    try:
        attachment = record[:SALT_BYTES], record[SALT_BYTES:].decode()
    except UnicodeDecodeError:
        raise FileError("file/text", part, "not UTF-8", entry=number) from None
    if not fits(entry, attachment):
        raise FileError("file/text", part, "not the text that was signed", entry=number)
    return attachment


def _trailer(reader: Reader, feeds: Feeds) -> tuple[int, bytes, bytes]:
    digest = H("star", reader.before())
    try:
        trailer = decode(reader.take(b"Z", "trailer"))
    except WireError as error:
        raise FileError("file/trailer", "trailer", str(error)) from None
    match trailer:
        case [int(count), int(height), bytes(head), bytes(exporter), bytes(said), bytes(signature)] if (
            type(count) is int and type(height) is int and 0 <= height <= MAX_NUMBER and len(head) == 32
        ):
            pass
        case _:
            raise FileError("file/trailer", "trailer", "not the six fields of a trailer")
    if not verify(exporter, signature, H("export", feeds.table, count, height, head, said)):
        raise FileError("file/trailer", "trailer", "its signature does not fit")
    if (count, said) != (len(feeds.entries), digest):
        detail = f"{len(feeds.entries)} entries, {count} were signed; something was left out, added or moved"
        raise FileError("file/changed", "entries", detail)
    reader.end()
    return height, head, exporter
