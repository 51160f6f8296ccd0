# SPDX-License-Identifier: GPL-3.0-or-later
"""One signed statement of one author: the unit of every log, link and file.

An entry is the canonical CBOR list

    [version, table, author, seq, prev, epoch, height, head, state, kind, body, signature]

version    1, the number of the protocol               height    waits resolved when it was written
table      32 bytes, hash of the genesis               head      32 bytes, running hash of accepted entries at `height`
author     32 bytes, an Ed25519 table key              state     16 bytes, digest of the game at `height`
seq, prev  place in the author's feed and the id of    kind      one of KINDS
           the entry before (NO_PREV at seq 0)         body      plain data; size and form by kind (`shapes`)
epoch      number of the current set of members        signature 64 bytes over the id

Its id is H("entry", encoding of the list without the signature). The signature is not part of it: several signatures of
the same statement are the same entry. The raw bytes are kept, forwarded and stored as received.

The text of a chat is sent next to its entry, whose body is a list that starts with chat_hash(salt, text). So a file can
omit the text without breaking the log.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final, NoReturn, TypeAlias, TypedDict, Unpack

from engine.core.dataclass import dataclass
from p2p.wire.codec import Plain, Value, WireError, decode, encode
from p2p.wire.shapes import MAX_DECK_ENTRY, has_shape, most_bytes
from p2p.wire.signing import SIGNATURE_BYTES, public_bytes, sign, strict_key, verify
from seeds.hashing import H

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

VERSION: Final = 1
NO_PREV: Final = bytes(32)
MAX_NUMBER: Final = 2**53 - 1
"""Greatest seq, epoch and height. JavaScript holds it exactly, so that a web page can check a log too."""

KINDS: Final = frozenset(
    {
        *("genesis", "join", "commit", "keys", "ok", "complaint", "answer", "seal", "shuffle", "remask", "tag"),
        *("open", "share", "partial", "reveal", "pact", "sign", "refuse", "chat", "clock", "result", "fault"),
        "leave",
    }
)

Attachment: TypeAlias = tuple[bytes, str]
"""Salt (16 bytes) and text of a chat, which are not part of its entry."""

_FIELDS: Final = 12
_SIGNED_HEAD: Final = b"\x8c"  # a list of twelve
_UNSIGNED_HEAD: Final = b"\x8b"  # a list of eleven
_SIGNATURE_HEAD: Final = b"\x58\x40"  # 64 bytes follow
_SIGNATURE_ITEM: Final = len(_SIGNATURE_HEAD) + SIGNATURE_BYTES


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry. `raw` is its exact encoding, `id` its hash. Only the functions of this module make entries."""

    version: int
    table: bytes
    author: bytes
    seq: int
    prev: bytes
    epoch: int
    height: int
    head: bytes
    state: bytes
    kind: str
    body: Value
    signature: bytes
    raw: bytes
    id: bytes


class EntryFields(TypedDict):
    """The fields of an entry that its author chooses."""

    table: bytes
    seq: int
    prev: bytes
    epoch: int
    height: int
    head: bytes
    state: bytes
    kind: str
    body: Plain


def make_entry(private_key: Ed25519PrivateKey, **said: Unpack[EntryFields]) -> Entry:
    """Return a new signed entry.

    Signing is deterministic, so an entry rebuilt after a crash has the same bytes. Raises ValueError if a peer would
    refuse the result.
    """
    author = public_bytes(private_key)
    origin: list[Value] = [VERSION, said["table"], author, said["seq"], said["prev"], said["epoch"]]
    fields = [*origin, said["height"], said["head"], said["state"], said["kind"]]
    encoded = encode([*fields, said["body"]])[1:]
    identity = H("entry", _UNSIGNED_HEAD + encoded)
    signature = sign(private_key, identity)
    raw = _SIGNED_HEAD + encoded + _SIGNATURE_HEAD + signature
    return _entry([*fields, _decoded(said["body"]), signature], raw, identity)


def _decoded(value: Plain) -> Value:
    """Return what `decode(encode(value))` returns: a copy with lists for tuples and sorted keys."""
    if isinstance(value, list | tuple):
        return [_decoded(item) for item in value]
    if isinstance(value, dict):
        keys = sorted(value, key=lambda key: (len(key.encode()), key.encode()))
        return {key: _decoded(value[key]) for key in keys}
    return value  # type: ignore[return-value]  # `encode` takes nothing else


def parse_entry(raw: bytes) -> Entry:
    """Return the entry of a peer or a file after checking its signature. Raises WireError."""
    entry = read_entry(raw)
    check_signature(entry)
    return entry


def check_signature(entry: Entry) -> None:
    """Raise WireError "entry/signature" unless the author signed the entry."""
    if not verify(entry.author, entry.signature, entry.id):
        raise WireError("entry/signature", len(entry.raw) - SIGNATURE_BYTES, "the author did not sign these bytes")


def chat_hash(salt: bytes, text: str) -> bytes:
    """Return the hash in a chat entry's body."""
    return H("chat", salt, text)


def fits(entry: Entry, attachment: Attachment) -> bool:
    """True if this text belongs to the chat entry."""
    return entry.kind == "chat" and isinstance(entry.body, list) and entry.body[:1] == [chat_hash(*attachment)]


def read_entry(raw: bytes) -> Entry:
    """Return an entry without checking its signature, for entries from the program's own store.

    Raises WireError: "wire/…" for the encoding, "entry/…" for the shape.
    """
    return _entry(decode(raw, limit=MAX_DECK_ENTRY), raw, None)


def _entry(items: Value, raw: bytes, identity: bytes | None) -> Entry:
    """Return the entry with these items, whose encoding is `raw`. identity: its id, None if unknown. Raises
    WireError."""
    if type(items) is not list or not items:
        _refuse("entry/shape", "not a list")
    if items[0] != VERSION or type(items[0]) is not int:
        _refuse("entry/version", f"protocol {items[0]!r:.20}, this program speaks {VERSION}")
    if len(items) != _FIELDS:
        _refuse("entry/shape", f"{len(items)} fields, not {_FIELDS}")
    table, author, seq, prev, epoch, height, head, state, kind, body, signature = items[1:]
    table, author = _bytes("table", table, 32), _bytes("author", author, 32)
    signature = _bytes("signature", signature, SIGNATURE_BYTES)
    if not strict_key(author):
        _refuse("entry/author", "not a usable Ed25519 key")
    seq, prev = _number("seq", seq), _bytes("prev", prev, 32)
    if (seq == 0) != (prev == NO_PREV):
        _refuse("entry/prev", f"seq {seq} with{'out' if prev == NO_PREV else ''} an entry before it")
    if type(kind) is not str or kind not in KINDS:
        _refuse("entry/kind", f"{kind!r:.40}")
    if len(raw) > most_bytes(kind):
        _refuse("entry/too-long", f"{len(raw)} bytes, at most {most_bytes(kind)} for {kind}")
    if not has_shape(kind, body):
        _refuse("entry/body", f"not the form of {kind}")
    return Entry(
        version=VERSION,
        table=_one(table),
        author=_one(author),
        seq=seq,
        prev=_one(prev),
        epoch=_number("epoch", epoch),
        height=_number("height", height),
        head=_one(_bytes("head", head, 32)),
        state=_one(_bytes("state", state, 16)),
        kind=kind,
        body=body,
        signature=signature,
        raw=raw,
        id=_one(identity or id_of(raw)),
    )


@lru_cache(256)
def _one(name: bytes) -> bytes:
    """Return one object for equal names, to save memory: many entries name the same table, members and entries."""
    return name


def id_of(raw: bytes) -> bytes:
    """Return the id of the entry with this encoding."""
    return H("entry", _UNSIGNED_HEAD + raw[1:-_SIGNATURE_ITEM])


def _bytes(name: str, value: Value, size: int) -> bytes:
    if type(value) is not bytes or len(value) != size:
        _refuse(f"entry/{name}", f"not {size} bytes")
    return value


def _number(name: str, value: Value) -> int:
    if type(value) is not int or not 0 <= value <= MAX_NUMBER:
        _refuse(f"entry/{name}", f"not a number from 0 to {MAX_NUMBER}")
    return value


def _refuse(code: str, detail: str) -> NoReturn:
    raise WireError(code, 0, detail)
