"""What the tests of the log share: authors with keys, and entries that follow each other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from p2p.identity.keys import SigningKey
from p2p.identity.tablekey import TableKeys
from p2p.wire.entry import NO_PREV, Entry, chat_hash, make_entry
from seeds.hashing import H

TABLE = H("test", "table")
SALT = bytes(16)


def member(name: str) -> TableKeys:
    """A member whose key and secret follow from its name."""
    return TableKeys(SigningKey.from_seed(H("test", "key", name)), H("test", "secret", name))


def entry(who: TableKeys, after: Entry | None = None, **changes: Any) -> Entry:
    """An entry of this member that follows `after`."""
    seq, prev = (0, NO_PREV) if after is None else (after.seq + 1, after.id)
    fields: dict[str, Any] = {
        "table": TABLE,
        "seq": seq,
        "prev": prev,
        "epoch": 0,
        "height": seq,
        "head": H("test", "head", seq),
        "state": bytes(16),
        "kind": "answer",
        "body": None,
    }
    return make_entry(who.key.private, **(fields | changes))


def feed(who: TableKeys, count: int, **changes: Any) -> list[Entry]:
    """The first entries of this member."""
    entries: list[Entry] = []
    for _ in range(count):
        entries.append(entry(who, entries[-1] if entries else None, **changes))
    return entries


def chat(who: TableKeys, text: str, after: Entry | None = None) -> Entry:
    """A chat entry for this text."""
    return entry(who, after, kind="chat", body=[chat_hash(SALT, text)])


def mixed(*feeds: list[Entry]) -> Iterator[Entry]:
    """The entries of several feeds, one of each in turn."""
    for step in range(max(map(len, feeds))):
        yield from (one[step] for one in feeds if step < len(one))
