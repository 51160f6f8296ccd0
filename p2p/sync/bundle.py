# SPDX-License-Identifier: GPL-3.0-or-later
"""A bundle: what a peer would send over a link, as one file, for members that are not online at the same time.

magic and version    made    messages    signature    check

made is the writer's clock in 8 bytes. The messages are its `have`, what the writer says about states that differ, and
its pushes as on a new link, each after 4 bytes of length. The signature is by the table key in the have, over all bytes
before it, the version too. The entries count by their own signatures, and a bundle may be read twice, late, never, or
in any order. Only its have needs the signature: it determines what the next bundle leaves out. The check is the
beginning of the hash of all bytes before it, in every version: without it a changed byte would look like the writing of
somebody else, or like another version.

A bundle may be old, so unlike a link it does not confirm the end of the reader's own feed. It can show that the
reader's feed lacks entries.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

from engine.core.dataclass import dataclass
from p2p.identity.keys import SigningKey
from p2p.lockstep.follower import Follower
from p2p.wire.codec import WireError
from p2p.wire.compression import Compressor, Decompressor, pushes
from p2p.wire.entry import Entry
from p2p.wire.frames import MAX_MESSAGE
from p2p.wire.messages import Feed, Have, Lobby, Push, Sent
from p2p.wire.signing import SIGNATURE_BYTES, verify
from seeds.hashing import H

MAGIC: Final = b"starlock post "
VERSION: Final = b"1"
CHECK: Final = 8
"""Bytes of the check."""
MAX_WORDS: Final = 24
"""Most words that are read."""
MAX_BUNDLE: Final = 16_000_000
"""Greatest length of a bundle in bytes."""
CERTAIN: Final = frozenset({"join", "commit", "answer", "seal", "open", "shuffle", "remask", "tag"})
"""Kinds of entries that an author must hold before it can sign at a later height."""

Known = Mapping[bytes, int]
"""What a member holds: by author, the last seq."""


class BundleError(Exception):
    """Bytes are not a valid bundle.

    code: "bundle/none" (another kind of file), "bundle/version", "bundle/damaged" (bytes are missing or changed),
        "bundle/large" (more than MAX_BUNDLE bytes), "bundle/signature" (not by the member in its have).
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Bundle:
    """The content of a bundle.

    Attributes:
        made: seconds since 1970 by the writer's clock.
        have: the writer's table key and what it holds.
        words: what the writer says besides entries.
    """

    made: int
    have: Have
    pushes: tuple[Push, ...]
    words: tuple[Lobby, ...] = ()

    @property
    def writer(self) -> bytes:
        """The writer's table key."""
        assert self.have.writer is not None
        return self.have.writer

    def known(self) -> dict[bytes, int]:
        """The last seq by author that the writer holds."""
        return {feed.author: feed.seq for feed in self.have.feeds}


def write_bundle(
    table: Follower, key: SigningKey, made: int, entries: Iterable[Entry], words: Sequence[Lobby] = ()
) -> bytes:
    """Return a bundle of `entries`, and of all pairs that prove a fork. Raises ValueError if it is too large.

    key: the writer's table key.
    words: what else to say.
    """
    feeds = tuple(Feed(author, seq, last) for author, (seq, last) in table.feeds.have().items())
    sent = [Sent(entry.raw, table.texts.get(entry.id)) for entry in entries]
    sent += [Sent(side.raw) for pair in table.feeds.forks.values() for side in (pair.first, pair.second)]
    link = Compressor()
    have = Have(table.genesis.table, key.public, feeds)
    messages = [link.pack(have), *map(link.pack, words), *map(link.pack, pushes(sent))]
    body = made.to_bytes(8, "big") + b"".join(len(each).to_bytes(4, "big") + each for each in messages)
    said = MAGIC + VERSION + body
    whole = said + key.sign(H("bundle", said))
    if len(whole) + CHECK > MAX_BUNDLE:
        raise ValueError(f"a bundle of {len(whole) + CHECK} bytes")
    return whole + _check(whole)


def read_bundle(data: bytes) -> Bundle:
    """Return the bundle in these bytes. Its writer and entries are not checked against the table. Raises
    BundleError."""
    if not data.startswith(MAGIC):
        raise BundleError("bundle/none")
    if len(data) > MAX_BUNDLE:
        raise BundleError("bundle/large")
    whole, start = data[:-CHECK], len(MAGIC + VERSION)
    if data[-CHECK:] != _check(whole) or len(whole) < start + SIGNATURE_BYTES:
        raise BundleError("bundle/damaged")
    if not whole.startswith(MAGIC + VERSION):
        raise BundleError("bundle/version")
    said, signature = whole[:-SIGNATURE_BYTES], whole[-SIGNATURE_BYTES:]
    body = said[start:]
    try:
        have, *rest = map(Decompressor().parse, _messages(body[8:]))
    except (WireError, ValueError) as error:
        raise BundleError("bundle/damaged") from error
    sent = [message for message in rest if isinstance(message, Push)]
    words = [message for message in rest if isinstance(message, Lobby)]
    if not isinstance(have, Have) or have.writer is None or len(sent) + len(words) < len(rest):
        raise BundleError("bundle/damaged")
    if not verify(have.writer, signature, H("bundle", said)):
        raise BundleError("bundle/signature")
    return Bundle(int.from_bytes(body[:8], "big"), have, tuple(sent), tuple(words[:MAX_WORDS]))


def _check(whole: bytes) -> bytes:
    return H("bundle check", whole)[:CHECK]


def _messages(data: bytes) -> Iterator[bytes]:
    at = 0
    while at < len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        if not 0 < size <= MAX_MESSAGE or at + 4 + size > len(data):
            raise ValueError("message/length")
        yield data[at + 4 : at + 4 + size]
        at += 4 + size


def shown_known(table: Follower, member: bytes) -> dict[bytes, int]:
    """Return what a member certainly holds, judged by its own entries: all that had to come before the last of them."""
    own = table.feeds.feed(member)
    last = max((entry.height for entry in own), default=-1)
    known = {member: len(own) - 1} if own else {}
    for entry in table.feeds.entries:
        if entry.height < last and entry.kind in CERTAIN:
            known[entry.author] = max(entry.seq, known.get(entry.author, -1))
    return known


def lacked(table: Follower, known: Collection[Known]) -> list[Entry]:
    """Return the entries that at least one of these members lacks."""
    return [entry for entry in table.feeds.entries if any(entry.seq > held.get(entry.author, -1) for held in known)]
