"""Vectors of what a relay and its visitors say, of an encrypted visit, and of passes."""

from __future__ import annotations

from typing import Any

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from vectorkit import refusals

from p2p.identity.keys import SigningKey
from p2p.link.noise import Handshake
from p2p.link.sealed import prologue
from p2p.reach.admission import access_key, make_pass, refusal_of
from p2p.wire.codec import Plain, encode
from p2p.wire.relaying import (
    MAGIC,
    Answer,
    Called,
    No,
    Paired,
    Request,
    Seen,
    Still,
    Time,
    pack_answer,
    pack_seal,
    read_answer,
    read_request,
    room_of,
)

PRIVATE, VISITOR, RELAY = (X25519PrivateKey.from_private_bytes(bytes([number]) * 32) for number in (7, 8, 9))
SECRET, IDENTITY = bytes(range(32)), SigningKey.from_seed(bytes([3]) * 32).public
NOW = 1_800_000_000


def visits() -> dict[str, Any]:
    key, room = PRIVATE.public_key().public_bytes_raw(), room_of(SECRET, IDENTITY)
    requests = [
        Request("wait", room),
        Request("wait", room, admission=b"p" * 29),
        Request("call", room),
        Request("see"),
        Request("time"),
        Request("back", room, 40_918),
    ]
    answers: list[Answer] = [
        Seen("192.0.2.7:4000", 40_919),
        Time(NOW),
        Still(),
        Called(),
        Paired(),
        No("relay/too-many"),
    ]
    one = Handshake(initiator=True, prologue=prologue(), static=VISITOR, ephemeral=VISITOR, known=key)
    other = Handshake(initiator=False, prologue=prologue(), static=PRIVATE, ephemeral=RELAY, known=key)
    first = one.write(b"")
    other.read(first)
    second = other.write(b"")
    one.read(second)
    asking, _ = one.split()
    answering, _ = other.split()
    wrong: dict[str, Plain] = {
        "another version": [2, "wait", room],
        "another verb": [1, "listen", room],
        "a room of 15 bytes": [1, "wait", room[:15]],
        "a call with a pass": [1, "call", room, b"p" * 29],
        "an empty pass": [1, "wait", room, b""],
        "a pass of 41 bytes": [1, "wait", room, bytes(41)],
        "a port below 1024": [1, "back", room, 1_023],
    }
    lies: dict[str, Plain] = {
        "a port beyond 65535": ["seen", "192.0.2.7:4000", 65_536],
        "a time of 2^40": ["time", 1 << 40],
        "a code with a space": ["no", "relay full"],
        "another word": ["hello"],
        "a word too many": ["paired", 1],
    }
    return {
        "secret": SECRET.hex(),
        "identity": IDENTITY.hex(),
        "room": room.hex(),
        "requests": [
            {"verb": each.verb, "room": each.room.hex(), "port": each.port, "pass": each.admission.hex(),
             "content": each.pack().hex()} for each in requests
        ],
        "answers": [{"content": pack_answer(each).hex(), "is": _words(each)} for each in answers],
        "visit": {
            "private key": PRIVATE.private_bytes_raw().hex(),
            "key": key.hex(),
            "visitor": VISITOR.private_bytes_raw().hex(),
            "relay": RELAY.private_bytes_raw().hex(),
            "first": pack_seal(first).hex(),
            "second": second.hex(),
            "request": requests[0].pack().hex(),
            "encrypted": asking.encrypt(requests[0].pack()).hex(),
            "answer": pack_answer(answers[0]).hex(),
            "answered": answering.encrypt(pack_answer(answers[0])).hex(),
        },
        "refused requests": refusals(lambda each: read_request(MAGIC + encode(each)), wrong, "content", _asked),
        "refused answers": refusals(lambda each: read_answer(encode(each)), lies, "content", _said),
    }  # fmt: skip


def _asked(each: Plain) -> str:
    return (MAGIC + encode(each)).hex()


def _said(each: Plain) -> str:
    return encode(each).hex()


def _words(answer: Any) -> list[Any]:
    match answer:
        case Seen(endpoint, port):
            return ["seen", endpoint, port]
        case Time(seconds):
            return ["time", seconds]
        case No(code):
            return ["no", code]
    return [type(answer).__name__.lower()]


def passes() -> dict[str, Any]:
    private = PRIVATE.private_bytes_raw()
    access, tag = access_key(private, "chess"), b"table  1"
    good = make_pass(access, tag, NOW)
    wrong = {
        "another tag": b"table  2" + good[8:],
        "a later expiry": good[:8] + (NOW + 1).to_bytes(5, "big") + good[13:],
        "a check of another club": make_pass(access_key(private, "go"), tag, NOW),
        "a byte too few": good[:-1],
        "none": b"",
    }
    assert refusal_of(good, [access], NOW) == ""
    cases = [*((why, each, NOW) for why, each in wrong.items()), ("after its expiry", good, NOW + 1)]
    return {
        "private key": private.hex(),
        "club": "chess",
        "access": access.hex(),
        "tag": tag.hex(),
        "expiry": NOW,
        "pass": good.hex(),
        "refused": [
            {"why": why, "pass": each.hex(), "now": now, "code": refusal_of(each, [access], now)}
            for why, each, now in cases
        ],
    }


def vectors() -> dict[str, Any]:
    return {"relay": visits(), "pass": passes()}
