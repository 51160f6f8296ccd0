"""Vectors of lines that messengers carry: invitations, answers, tickets of running tables."""

from __future__ import annotations

from base64 import b32encode
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from vectorkit import code_of

from p2p.identity.keys import SigningKey
from p2p.reach.answer import GuestAnswer, open_answer, private_of, public_of, read_answers, write_answer
from p2p.reach.ticket import Ticket, TicketError, parse_ticket
from p2p.reach.whereabouts import make_table_ticket, parse_table_ticket, sign_whereabouts
from p2p.wire.address import at_relay
from p2p.wire.codec import encode
from seeds.hashing import H

LOBBY = bytes(range(16))


def tickets() -> dict[str, Any]:
    inviter = SigningKey.from_seed(bytes([3]) * 32).public
    ticket = Ticket(
        LOBBY,
        inviter,
        bytes([5]) * 16,
        ("tcp://192.0.2.7:4000", "tcp://[2001:db8::1]:4001", "tcp://host:1"),
        ("relay://192.0.2.8:4002", at_relay("192.0.2.8", 4003, bytes(32), b"pass"), at_relay("host", 1, bytes(32))),
        1_800_000_000,
    )
    text = str(ticket)
    assert parse_ticket(f"Come! <{text.upper()}> soon") == ticket
    body: list[Any] = [2, 0, LOBBY, inviter, bytes(16), [], [], 5]

    def other(at: int, value: Any) -> str:
        return line_of([*body[:at], value, *body[at + 1 :]])

    wrong = {
        "no beginning": text.removeprefix("starlock:"),
        "a letter that base32 lacks": text[:20] + "1" + text[21:],
        "a letter left out": text[:-1],
        "two letters exchanged": text[:30] + text[31] + text[30] + text[32:],
        "another version": other(0, 3),
        "a lobby of 15 bytes": other(2, bytes(15)),
        "an inviter of small order": other(3, bytes(32)),
        "four relays": other(6, [bytes(4) + b"\0\1"] * 4),
        "a kind that is not wanted": other(1, 1),
        "a relay's key of 31 bytes": other(6, [[bytes([1] * 6), bytes(31)]]),
        "an empty pass": other(6, [[bytes([1] * 6), bytes(32), b""]]),
        "an address without port": other(5, [bytes(6)]),
    }

    announced = replace(ticket, announced=True)
    assert parse_ticket(str(announced)) == announced

    def expired() -> object:
        return ticket.check(1_800_000_001)

    return {
        "ticket": text,
        "lobby": LOBBY.hex(),
        "inviter": inviter.hex(),
        "secret": ticket.secret.hex(),
        "candidates": ticket.candidates,
        "relays": ticket.relays,
        "expiry": ticket.expiry,
        "announced": str(announced),
        "meeting": [ticket.meeting().name.hex(), announced.meeting().name.hex()],
        "refused": [{"why": why, "text": each, "code": ticket_code(each)} for why, each in wrong.items()],
        "expired": code_of(expired),
    }


def ticket_code(text: str) -> str:
    try:
        parse_ticket(text)
    except TicketError as error:
        return error.code
    raise AssertionError(text)


def line_of(value: Any) -> str:
    """A line with a right hash over any value."""
    data = encode(value)
    whole = len(data).to_bytes(2, "big") + data + H("line-check", data)[:5]
    return "starlock:" + b32encode(whole).decode().rstrip("=").lower()


def answers() -> dict[str, Any]:
    """An answer whose ephemeral key is fixed, so that it is the same each time."""
    host, guest = SigningKey.from_seed(bytes([3]) * 32), SigningKey.from_seed(bytes([4]) * 32)
    places = "tcp://192.0.2.7:4000", "tcp://[2001:db8::1]:4001"
    made = GuestAnswer(LOBBY, guest.public, bytes(8), places, 1_800_000_000)
    ephemeral = X25519PrivateKey.from_private_bytes(bytes([9]) * 32)
    text = write_answer(made, guest, host.public, ephemeral)
    (sealed,) = read_answers(f"Bob> {text}")
    assert open_answer(sealed, host, LOBBY) == made
    assert open_answer(sealed, host, bytes(16)) is None

    def altered(**fields: Any) -> str:
        return write_answer(replace(made, **fields), host, host.public, ephemeral)

    def refusal(line: str) -> str:
        try:
            opened = open_answer(read_answers(line)[0], host, LOBBY)
        except TicketError as error:
            return error.code
        assert opened is None
        return "another key"

    wrong = {
        "signed by another identity": altered(),
        "no place": altered(places=()),
        "a lobby of 15 bytes": altered(lobby=bytes(15)),
        "sealed to another key": write_answer(made, guest, guest.public, ephemeral),
        "an ephemeral key of small order": line_of([2, 2, bytes(32) + sealed[32:]]),
        "a byte of the seal changed": line_of([2, 2, sealed[:-1] + bytes([sealed[-1] ^ 1])]),
        "a key alone": line_of([2, 2, sealed[:32]]),
    }
    return {
        "answer": text,
        "seed of the inviter": host.seed().hex(),
        "inviter": host.public.hex(),
        "X25519 keys of the inviter": [
            private_of(host).private_bytes_raw().hex(),
            public_of(host.public).public_bytes_raw().hex(),
        ],
        "lobby": made.lobby.hex(),
        "guest": made.guest.hex(),
        "instance": made.instance.hex(),
        "places": made.places,
        "expiry": made.expiry,
        "refused": [{"why": why, "text": each, "code": refusal(each)} for why, each in wrong.items()],
    }


def whereabouts() -> dict[str, Any]:
    """A ticket of a running table, and whereabouts that nobody believes."""
    ann, bob = SigningKey.from_seed(bytes([5]) * 32), SigningKey.from_seed(bytes([6]) * 32)
    table, other = bytes([8]) * 32, bytes([7]) * 32
    known = [
        sign_whereabouts(ann.sign, ann.public, table, 7, ["tcp://192.0.2.7:4000", "relay://192.0.2.8:4002"]),
        sign_whereabouts(bob.sign, bob.public, table, 1, []),
    ]
    ticket = make_table_ticket(ann.sign, ann.public, table, known, 1_800_000_000)
    text = str(ticket)
    assert parse_table_ticket(f"Back to the table: {text.upper()}!") == ticket
    assert ticket.right(table)
    assert all(each.right(table) for each in ticket.whereabouts)
    body: list[Any] = [2, 1, *ticket.fields()]
    elsewhere = sign_whereabouts(bob.sign, bob.public, other, 2, ["tcp://192.0.2.9:4000"])
    forged = replace(known[0], number=8)
    stolen = make_table_ticket(bob.sign, ann.public, table, known, 1_800_000_000)

    def code(value: Sequence[Any]) -> str:
        try:
            parse_table_ticket(line_of(value))
        except TicketError as error:
            return error.code
        raise AssertionError(value)

    wrong = {
        "a member named twice": [*body[:4], [known[1].fields(), known[1].fields()], *body[5:]],
        "seven addresses": [*body[:4], [[bob.public, 1, [bytes([1] * 6)] * 7, bytes(64)]], *body[5:]],
        "a number below zero": [*body[:4], [[bob.public, -1, [], bytes(64)]], *body[5:]],
        "a signature in place of whereabouts": [*body[:4], [bytes(64)], *body[5:]],
        "an expiry below zero": [*body[:5], -1, body[6]],
        "a mark of 15 bytes": [*body[:2], bytes(15), *body[3:]],
        "an invitation": [2, 0, *body[2:]],
    }
    assert not any(each.right(table) for each in (elsewhere, forged, stolen))
    return {
        "table": table.hex(),
        "ticket": text,
        "whereabouts": [encode(each.fields()).hex() for each in ticket.whereabouts],
        "refused": [
            *({"why": why, "text": line_of(each), "code": code(each)} for why, each in wrong.items()),
            {"why": "signed for another table", "whereabouts": encode(elsewhere.fields()).hex(), "code": "signature"},
            {"why": "another number than signed", "whereabouts": encode(forged.fields()).hex(), "code": "signature"},
            {"why": "a ticket that another member signed", "text": str(stolen), "code": "signature"},
        ],
    }


def vectors() -> dict[str, Any]:
    return {"ticket": tickets(), "answer": answers(), "whereabouts": whereabouts()}
