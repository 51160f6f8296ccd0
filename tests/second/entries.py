# SPDX-License-Identifier: GPL-3.0-or-later
"""Section 4: entries, their kinds, and two words for one place."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from second.codec import Refused, decode, encode, is_bytes, is_int, is_list, refuse
from second.hashing import H
from second.signing import signed, strict_key

LARGEST = {
    "genesis": 12_000,
    "join": 512,
    "commit": 12_000,
    "keys": 12_000,
    "ok": 12_000,
    "complaint": 12_000,
    "answer": 12_000,
    "seal": 12_000,
    "shuffle": 60_000,
    "remask": 60_000,
    "tag": 60_000,
    "open": 12_000,
    "share": 12_000,
    "reveal": 12_000,
    "partial": 12_000,
    "pact": 4_096,
    "sign": 512,
    "refuse": 2_048,
    "leave": 512,
    "result": 4_096,
    "chat": 512,
    "clock": 512,
    "fault": 1_024,
}
"""The kinds, with the greatest size of an entry in bytes."""

STAGES = {
    "commit": 1,
    "keys": 1,
    "answer": 1,
    "seal": 1,
    "shuffle": 2,
    "remask": 3,
    "tag": 4,
    "ok": 5,
    "complaint": 5,
    "open": 6,
    "share": 7,
    "reveal": 8,
    "partial": 9,
}
BASED = ("complaint", "shuffle", "tag", "share")


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry whose form is right; `raw` is its encoding."""

    table: bytes
    author: bytes
    seq: int
    prev: bytes
    epoch: int
    height: int
    head: bytes
    state: bytes
    kind: str
    body: Any
    signature: bytes
    id: bytes = field(repr=False)
    raw: bytes = field(repr=False)

    @property
    def stage(self) -> int | None:
        return STAGES.get(self.kind)

    def is_signed(self) -> bool:
        return signed(self.author, self.id, self.signature)


def read_entry(raw: bytes) -> Entry:
    """The entry of these bytes; its signature is not checked here."""
    fields = decode(raw)
    if not is_list(fields, 12):
        refuse("entry/shape")
    version, table, author, seq, prev, epoch, height, head, state, kind, body, signature = fields
    for code, right in (
        ("version", is_int(version, 1, 1)),
        ("table", is_bytes(table, 32)),
        ("author", strict_key(author)),
        ("seq", is_int(seq)),
        ("prev", is_bytes(prev, 32) and (seq == 0) == (prev == bytes(32))),
        ("epoch", is_int(epoch)),
        ("height", is_int(height)),
        ("head", is_bytes(head, 32)),
        ("state", is_bytes(state, 16)),
        ("kind", isinstance(kind, str) and kind in LARGEST),
        ("signature", is_bytes(signature, 64)),
        ("too-long", len(raw) <= LARGEST.get(str(kind), 0)),
        ("body", has_form(str(kind), body)),
    ):
        if not right:
            refuse(f"entry/{code}")
    entry_id = H("entry", encode(fields[:-1]))
    return Entry(table, author, seq, prev, epoch, height, head, state, kind, body, signature, entry_id, raw)


def has_form(kind: str, body: Any) -> bool:
    """True unless the kind is one whose body has exactly one form, and this is none."""
    if kind in ("join", "leave"):
        return body is None
    if kind in ("chat", "clock"):
        return is_list(body, 1) and is_bytes(body[0], 32)
    if kind == "fault":
        return (
            is_list(body, 3)
            and is_bytes(body[0], 32)
            and isinstance(body[1], str)
            and len(body[1]) <= 64
            and isinstance(body[2], list)
            and 1 <= len(body[2]) <= 2
            and all(is_bytes(item, 32) for item in body[2])
        )
    return True


def text_fits(entry: Entry, salt: bytes, text: bytes) -> bool:
    """True if the entry is a chat with this salt and text in UTF-8."""
    try:
        return entry.kind == "chat" and len(salt) == 16 and entry.body == [H("chat", salt, text.decode())]
    except UnicodeDecodeError:
        return False


def same_place(first: Entry, second: Entry) -> bool:
    """Section 4.4, `evidence/slot`, of two entries of one author."""
    if first.stage is None or first.kind != second.kind:
        return False
    if (first.height, first.head, first.state) != (second.height, second.head, second.state):
        return False
    return first.kind not in ("answer", "seal") or seat_named(first.body) == seat_named(second.body)


def seat_named(body: Any) -> Any:
    """The first item of a body, told apart from those of other types."""
    return encode(body[0]) if isinstance(body, list) and body else None


def contradiction(first: Entry, second: Entry) -> str | None:
    """Section 4.4: the code of the fault that two entries prove, or None."""
    if first.id == second.id or (first.author, first.table) != (second.author, second.table):
        return None
    if first.seq == second.seq:
        return "evidence/seq"
    low, high = sorted((first, second), key=lambda entry: entry.seq)
    if low.seq + 1 == high.seq and high.prev != low.id:
        return "evidence/chain"
    if same_place(first, second):
        return "evidence/slot"
    if breaks_promise(first, second) or breaks_promise(second, first):
        return "evidence/opening"
    return None


def breaks_promise(promise: Entry, opening: Entry) -> bool:
    """True if `promise` commits its author to another seed than `opening` shows."""
    if opening.kind != "open" or promise.kind not in ("commit", "open") or promise.epoch != opening.epoch:
        return False
    roll, commitment = committed(promise)
    if not is_list(opening.body, 3) or opening.body[0] != roll or not is_bytes(opening.body[1], 32):
        return False
    return bool(commitment != H("commit", opening.table, opening.epoch, roll, opening.author, opening.body[1]))


def committed(entry: Entry) -> tuple[Any, Any]:
    """The number of the roll for which a `commit` or an `open` has a commitment, and that."""
    body = entry.body
    if entry.kind == "commit" and is_list(body, 4) and is_int(body[0]):
        return body[0], body[1]
    if entry.kind == "open" and is_list(body, 3) and is_int(body[0]):
        return body[0] + 1, body[2]
    return None, None


def checked(raw: bytes) -> Entry:
    """The entry of these bytes, with a right signature."""
    entry = read_entry(raw)
    if not entry.is_signed():
        raise Refused("entry/signature")
    return entry
