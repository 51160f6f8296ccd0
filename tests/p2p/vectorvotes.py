"""Vectors of members and votes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from vectorkit import MEMBERS, OTHER, TABLE, flipped, mixed, refusals, shown

from p2p.identity.keys import SigningKey
from p2p.identity.tablekey import Certificate, certify
from p2p.identity.words import WORDS, fingerprint
from p2p.lockstep.genesis import Genesis, Member, Row, nonce_commitment
from p2p.lockstep.pacts import FeedEnd, Pact, covers, enough, moving_lobby, read_pact
from p2p.wire.codec import decode, encode
from p2p.wire.entry import NO_PREV
from seeds.hashing import H

# Members -------------------------------------------------------------------------------------------------------------


def member_of(number: int, seats: Sequence[int], lobby: bytes = b"lobby") -> Member:
    identity, key = SigningKey.from_seed(H("identity", number)), SigningKey.from_seed(H("key", number))
    rows = tuple(Row(seat, f"Player {seat}", "hard" if seat == 1 else None) for seat in seats)
    return Member(certify(identity, key.public, lobby, f"device {number}"), rows, H("nonce of", number))


def genesis_of(*members: Member) -> Genesis:
    return Genesis("eclipse2", {"draws": "sealed"}, "eclipse2/1", bytes(16), members)


def genesis() -> dict[str, Any]:
    one, two = member_of(0, [0, 1]), member_of(1, [2])
    good = genesis_of(one, two)
    body: Any = decode(encode(good.body()))

    def records(*members: Member) -> Any:
        return decode(encode(genesis_of(*members).body()))

    again = certify(SigningKey.from_seed(H("identity", 0)), two.key, one.certificate.lobby, "device 1")
    wrong: dict[str, Any] = {
        "another protocol": {**body, "protocol": 2},
        "a key less": {name: value for name, value in body.items() if name != "test"},
        "a key more": {**body, "seats": 3},
        "a number for test": {**body, "test": 0},
        "no members": {**body, "members": []},
        "a table key twice": records(one, replace(two, certificate=one.certificate)),
        "an identity twice": records(one, replace(two, certificate=again)),
        "two lobbies": records(one, member_of(1, [2], b"other")),
        "a seat twice": records(one, member_of(1, [1])),
        "a seat left out": records(one, member_of(1, [3])),
        "a member without a seat": records(one, member_of(1, [])),
        "seats that descend": records(replace(one, rows=one.rows[::-1]), two),
        "an empty name": records(replace(one, rows=(Row(0, ""), one.rows[1])), two),
        "seat 16": records(one, member_of(1, [16])),
        "a nonce of 31 bytes": records(replace(one, nonce=bytes(31)), two),
        "another device": records(replace(one, certificate=replace(one.certificate, device="other")), two),
    }
    return {
        "body": mixed(good.body()),
        "table": good.table.hex(),
        "members": [
            {"key": member.key.hex(), "identity": member.certificate.identity.hex(), "seats": member.seats}
            for member in good.members
        ],
        "nonces": [nonce_commitment(member.key, member.nonce).hex() for member in good.members],
        "refused": refusals(Genesis.read, wrong, "body", mixed),
    }


def certificates() -> dict[str, Any]:
    good = member_of(0, [0]).certificate
    fields: Any = good.fields()
    lobby = moving_lobby(TABLE, good.key, kept=True)
    moved = certify(SigningKey.from_seed(H("identity", 0)), OTHER.public, lobby, "new")
    wrong: dict[str, Any] = {
        "another identity": [OTHER.public, *fields[1:]],
        "another key": [fields[0], OTHER.public, *fields[2:]],
        "another lobby": [*fields[:2], b"other", *fields[3:]],
        "another device": [*fields[:3], "other", fields[4]],
        "another signature": [*fields[:4], flipped(fields[4])],
        "a lobby of 33 bytes": [*fields[:2], bytes(33), *fields[3:]],
        "a device of 49 bytes": [*fields[:3], "d" * 49, fields[4]],
        "a key of small order": [fields[0], bytes(32), *fields[2:]],
        "a field less": fields[:4],
    }
    return {
        "certificate": mixed(fields),
        "key": good.key.hex(),
        "moved": {
            "table": TABLE.hex(),
            "old": good.key.hex(),
            "kept": True,
            "lobby": moved.lobby.hex(),
            "certificate": mixed(moved.fields()),
        },
        "refused": refusals(Certificate.read, wrong, "certificate", mixed),
    }


# Votes ---------------------------------------------------------------------------------------------------------------

ENDS = tuple(sorted([FeedEnd(MEMBERS[0], 8, bytes([6]) * 32), FeedEnd(MEMBERS[1], -1, NO_PREV)]))


def pacts() -> dict[str, Any]:
    record: Any = decode(encode(member_of(1, [2]).record()))
    certificate: Any = record[0]
    made = [
        Pact("absent", 3, TABLE, ENDS, None, 1, (bytes([7]) * 32,)),
        Pact("gone", 3, TABLE, ENDS[:1], None),
        Pact("back", 3, TABLE, (), [MEMBERS[0], 9]),
        Pact("seat", 3, TABLE, (), [2, record]),
        Pact("takeback", 3, TABLE, (), [1, False]),
        Pact("without", 3, TABLE, ENDS[:1], [MEMBERS[0], [bytes(32), bytes([1]) * 32], True, 12, 4]),
        Pact("repair", 3, TABLE, (), [bytes(16), [[*ENDS[0]]], 4]),
        Pact("end", 3, TABLE, (), "agreed"),
        Pact("moved", 3, TABLE, ENDS[:1], [certificate, True]),
    ]
    body: Any = decode(encode(made[0].body()))

    def other(at: int, value: Any) -> list[Any]:
        return [*body[:at], value, *body[at + 1 :]]

    wrong: dict[str, Any] = {
        "no list": None,
        "six parts": body[:6],
        "an unknown kind": other(0, "leave"),
        "a height below 0": other(1, -1),
        "a head of 31 bytes": other(2, bytes(31)),
        "nobody out": other(3, []),
        "ends that descend": other(3, body[3][::-1]),
        "an end with an id at seq -1": other(3, [[MEMBERS[0], -1, bytes([1]) * 32]]),
        "somebody out of an end": ["end", 3, TABLE, body[3], "agreed", 0, []],
        "terms of an absent": other(4, []),
        "an empty code": ["end", 3, TABLE, [], "", 0, []],
        "a code of 65 letters": ["end", 3, TABLE, [], "x" * 65, 0, []],
        "a number for a boolean": ["takeback", 3, TABLE, [], [1, 0], 0, []],
        "three ids": ["without", 3, TABLE, body[3], [MEMBERS[0], [bytes(32)] * 3, True, 12, 4], 0, []],
        "a state of 15 bytes": ["repair", 3, TABLE, [], [bytes(15), [], 4], 0, []],
        "two who move": ["moved", 3, TABLE, body[3], [certificate, True], 0, []],
        "an attempt below 0": other(5, -1),
        "over in another order": other(6, [bytes([2]) * 32, bytes([1]) * 32]),
        "over of a take-back": ["takeback", 3, TABLE, [], [1, False], 0, [bytes(32)]],
        "65 in over": other(6, [number.to_bytes(32, "big") for number in range(65)]),
    }
    return {
        "pacts": [{"kind": pact.kind, "body": mixed(pact.body()), "id": pact.id.hex()} for pact in made],
        "refused": refusals(read_pact, wrong, "body", mixed),
        "enough": [
            {"kind": kind, "members": count, "left": left, "signers": enough(kind, count, left)}
            for kind in ("absent", "takeback", "moved")
            for count in range(2, 7)
            for left in range(count if kind == "absent" else 1)
        ],
        "covers": covering(),
    }


def covering() -> list[dict[str, Any]]:
    """Pairs of pacts at one position of three members, and whether the first one covers the second one."""
    ends = [FeedEnd(member, 1, bytes([6]) * 32) for member in sorted(MEMBERS[:3])]
    one, other = Pact("absent", 3, TABLE, (ends[0],), None), Pact("absent", 3, TABLE, (ends[1],), None)
    over, back = replace(other, over=(one.id,)), Pact("takeback", 3, TABLE, (), [1, False])
    read_on = Pact("repair", 3, TABLE, (), [bytes(16), [], 4])
    pairs: list[tuple[Pact, Pact]] = [
        (one, back),
        (back, one),
        (one, other),
        (over, one),
        (one, over),
        (over, other),
        (one, one),
        (Pact("gone", 3, TABLE, (ends[0],), None), back),
        (replace(one, attempt=1), one),
        (read_on, back),
        (replace(read_on, over=(back.id,)), back),
        (one, read_on),
        (replace(one, over=(read_on.id,)), read_on),
        (replace(read_on, out=(ends[0],)), read_on),
        (replace(read_on, out=(ends[0],)), back),
    ]
    members = sorted(MEMBERS[:3])
    return [
        {
            "members": shown(members),
            "first": mixed(first.body()),
            "second": mixed(second.body()),
            "covers": covers(first, second, members),
        }
        for first, second in pairs
    ]


def vectors() -> dict[str, Any]:
    return {
        "genesis": genesis(),
        "certificate": certificates(),
        "pact": pacts(),
        "words": list(WORDS),
        "fingerprint": [{"identity": each.hex(), "words": fingerprint(each)} for each in (MEMBERS[0], OTHER.public)],
    }
