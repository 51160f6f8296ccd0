# SPDX-License-Identifier: GPL-3.0-or-later
"""Proof that a member broke the protocol, as a value and as a file that anybody can judge.

A *pair* is complete: two entries that no honest holder of one key signs both. `contradiction` returns the reason:

    evidence/seq       two entries for one place of the feed
    evidence/chain     an entry whose `prev` is not the author's entry at the place before
    evidence/slot      two entries under one height, head and state that fill the same slot
    evidence/opening   a seed that does not match its author's commitment

*Log evidence* is an entry that is wrong only in its context (an illegal answer, a false opening). It comes with the
genesis and all entries up to its head. A judge replays them and convicts only if head *and* state of the replay equal
those in the entry. The same head with another state means that two engines differ, and convicts nobody. A judge without
the rules or the content gives no verdict.

File: header, a record "C" with [code, detail], in version 2 a record "O" with the table's own content, a record "A" for
each accused entry (one or two), a record "E" for each entry of the log, and "Z" with the number of entries and the hash
of all bytes before. The file is not signed, since its proof does not depend on the sender.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal

from engine.core.dataclass import dataclass
from p2p.log.records import FileError, Reader, Signatures, Writer
from p2p.wire.codec import WireError, decode, encode
from p2p.wire.entry import Entry
from seeds.beacon import commitment
from seeds.hashing import H

MAGIC: Final = b"\x89proof\r\n"
VERSION: Final = 1
OWN_VERSION: Final = 2
"""Version of a file that contains the content of its table."""

_SEATED: Final = frozenset({"answer", "seal"})
_SLOTTED: Final = _SEATED | {
    *("commit", "keys", "ok", "complaint", "shuffle", "remask", "tag", "open", "share", "reveal", "partial")
}


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two contradicting entries of one author. seq: the greatest seq at which the two histories can part."""

    first: Entry
    second: Entry

    @property
    def seq(self) -> int:
        return min(self.first.seq, self.second.seq)


def contradiction(first: Entry, second: Entry) -> str | None:
    """Return the code of the contradiction between two entries, in either order, None if there is none."""
    if (first.table, first.author) != (second.table, second.author) or first.id == second.id:
        return None
    if first.seq > second.seq:
        first, second = second, first
    if first.seq == second.seq:
        return "evidence/seq"
    if second.seq == first.seq + 1 and second.prev != first.id:
        return "evidence/chain"
    slot = slot_of(first)
    if slot is not None and slot == slot_of(second):
        return "evidence/slot"
    return "evidence/opening" if _false_opening(first, second) or _false_opening(second, first) else None


def slot_of(entry: Entry) -> tuple[int, bytes, bytes, str, int] | None:
    """Return the slot that only one entry of its author may fill: height, head, state, kind, and the seat for kinds
    signed for a seat; None for other kinds. An entry over another state than the table's fills none, unless a repair
    lets it count."""
    if entry.kind not in _SLOTTED:
        return None
    seat = -1
    if entry.kind in _SEATED:
        match entry.body:
            case [int(number), *_] if type(number) is int:
                seat = number
            case _:
                return None
    return entry.height, entry.head, entry.state, entry.kind, seat


def _false_opening(before: Entry, after: Entry) -> bool:
    """True if `after` opens a seed that does not match the commitment in `before` for the same roll.

    The body of a commit is [k, commitment to seed k, ...], of an open [k, seed k, commitment to seed k+1].
    """
    if after.kind != "open" or before.epoch != after.epoch:
        return False
    match before.kind, before.body:
        case "commit", [int(k), bytes(promised), *_]:
            pass
        case "open", [int(opened), bytes(), bytes(promised)]:
            k = opened + 1
        case _:
            return False
    match after.body:
        case [int(number), bytes(seed), bytes()] if number == k and bool not in (type(number), type(k)):
            return commitment(after.table, after.epoch, k, after.author, seed) != promised
    return False


@dataclass(frozen=True, slots=True)
class Evidence:
    """A claim and its proof.

    Attributes:
        code: the claim, as named by the accuser's program.
        accused: one entry, or the two entries of a pair.
        log: empty for a pair, else the genesis and the entries up to the head of the accused entry.
        detail: plain text for a log.
        content: the table's own content, which a replay needs.
    """

    code: str
    accused: tuple[Entry, ...]
    log: tuple[Entry, ...] = ()
    detail: str = ""
    content: bytes = b""

    @property
    def author(self) -> bytes:
        return self.accused[0].author


@dataclass(frozen=True, slots=True)
class Replayed:
    """Head and state of a replay at the height of the accused entry, and the entry's fault, if it has one."""

    head: bytes
    state: bytes
    code: str | None


Replay = Callable[[Sequence[Entry], Entry], Replayed | None]
"""Replays a log up to the height of an entry and judges that entry. Returns None without the rules or the content."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What evidence proves. code: the fault found.

    "guilty": the author broke the protocol. "unfounded": nothing is proven. "engines-differ": the same entries led to
    another state here, which convicts nobody. "not-judged": this program cannot replay the log.
    """

    kind: Literal["guilty", "unfounded", "engines-differ", "not-judged"]
    author: bytes
    code: str


def judge(evidence: Evidence, replay: Replay | None = None) -> Verdict:
    """Return what the evidence proves. The signatures were checked when its entries were read."""
    author = evidence.author
    if len(evidence.accused) == 2:
        code = contradiction(*evidence.accused)
        return Verdict("unfounded", author, "evidence/none") if code is None else Verdict("guilty", author, code)
    (accused,) = evidence.accused
    found = None if replay is None else replay(evidence.log, accused)
    if found is None:
        return Verdict("not-judged", author, "evidence/no-rules")
    if found.head != accused.head:
        return Verdict("unfounded", author, "evidence/other-head")
    if found.state != accused.state:
        return Verdict("engines-differ", author, "evidence/other-state")
    if found.code is None:
        return Verdict("unfounded", author, "evidence/legal")
    return Verdict("guilty", author, found.code)


def pack_evidence(evidence: Evidence, program: str) -> bytes:
    """Return the bytes of an evidence file. program: version of the program that writes it."""
    writer = Writer(MAGIC, OWN_VERSION if evidence.content else VERSION, program)
    writer.add(b"C", encode([evidence.code, evidence.detail]))
    if evidence.content:
        writer.add(b"O", evidence.content)
    for letter, entries in ((b"A", evidence.accused), (b"E", evidence.log)):
        for entry in entries:
            writer.add(letter, entry.raw)
    writer.add(b"Z", encode([len(evidence.log), writer.digest("evidence")]))
    return writer.bytes()


def read_evidence(data: bytes) -> Evidence:
    """Return the evidence in a file's bytes after checking every signature. Raises FileError."""
    reader = Reader(data, MAGIC, VERSION, OWN_VERSION)
    code, detail = _claim(reader)
    content = reader.take(b"O", "content") if reader.version == OWN_VERSION else b""
    parts: Mapping[bytes, list[Entry]] = {b"A": [], b"E": []}
    with Signatures() as signatures:
        while reader.letter() in parts:
            letter, number = reader.letter(), len(parts[b"A"]) + len(parts[b"E"])
            if letter == b"A" and parts[b"E"]:
                raise FileError("file/order", f"entry {number}", "an accused entry after the log")
            parts[letter].append(signatures.read(reader.take(letter, f"entry {number}"), number))
    digest = H("evidence", reader.before())
    if reader.take(b"Z", "trailer") != encode([len(parts[b"E"]), digest]):
        raise FileError("file/changed", "trailer", "number or hash of the records is another one")
    reader.end()
    accused, log = tuple(parts[b"A"]), tuple(parts[b"E"])
    if len(accused) != (1 if log else 2) or len({(entry.table, entry.author) for entry in accused}) != 1:
        raise FileError("file/accused", "trailer", f"{len(accused)} accused entries and a log of {len(log)}")
    return Evidence(code, accused, log, detail, content)


def _claim(reader: Reader) -> tuple[str, str]:
    try:
        claim = decode(reader.take(b"C", "claim"))
    except WireError as error:
        raise FileError("file/claim", "claim", str(error)) from None
    match claim:
        case [str(code), str(detail)]:
            return code, detail
    raise FileError("file/claim", "claim", "not a code and a detail")
