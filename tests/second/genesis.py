# SPDX-License-Identifier: GPL-3.0-or-later
"""Section 5: the genesis, records of members, and certificates."""

from __future__ import annotations

from typing import Any

from second.codec import encode, is_bytes, is_int, is_list, refuse
from second.hashing import H
from second.signing import signed, strict_key

KEYS = {"protocol", "game", "rules", "options", "content", "members", "test", "position"}


class Record:
    """A member: its certificate and the seats that it holds."""

    def __init__(self, value: Any) -> None:
        if not is_list(value, 3) or not isinstance(value[1], list) or not is_bytes(value[2], 32):
            refuse("genesis/member")
        self.identity, self.key, self.lobby, self.device, self.signature = read_certificate(value[0])
        self.seats: list[int] = []
        for row in value[1]:
            if not is_row(row) or (self.seats and row[0] <= self.seats[-1]):
                refuse("genesis/member")
            self.seats.append(row[0])


def is_row(row: Any) -> bool:
    return (
        is_list(row, 3)
        and is_int(row[0], 0, 15)
        and isinstance(row[1], str)
        and 1 <= len(row[1].encode()) <= 96
        and (row[2] is None or (isinstance(row[2], str) and 1 <= len(row[2].encode()) <= 32))
    )


def read_certificate(value: Any) -> tuple[bytes, bytes, bytes, str, bytes]:
    """identity, key, lobby, device and signature of a certificate."""
    if not is_list(value, 5):
        refuse("certificate/form")
    identity, key, lobby, device, signature = value
    if not strict_key(identity) or not strict_key(key) or not isinstance(lobby, bytes) or len(lobby) > 32:
        refuse("certificate/form")
    if not isinstance(device, str) or len(device.encode()) > 48 or not is_bytes(signature, 64):
        refuse("certificate/form")
    if not signed(identity, H("table-key", identity, key, lobby, device), signature):
        refuse("certificate/signature")
    return identity, key, lobby, device, signature


class Genesis:
    """A genesis whose body has the form of section 5."""

    def __init__(self, body: Any) -> None:
        if not isinstance(body, dict) or body.keys() - {"origin"} != KEYS:
            refuse("genesis/shape")
        if not is_int(body["protocol"], 1, 1):
            refuse("genesis/protocol")
        if not isinstance(body["game"], str) or not isinstance(body["rules"], str):
            refuse("genesis/shape")
        if not isinstance(body["options"], dict) or not isinstance(body["content"], bytes):
            refuse("genesis/shape")
        if not isinstance(body["test"], bool) or not (body["position"] is None or isinstance(body["position"], bytes)):
            refuse("genesis/shape")
        if not isinstance(body["members"], list) or not 1 <= len(body["members"]) <= 9:
            refuse("genesis/members")
        self.body = body
        self.table = H("genesis", encode(body))
        self.members = [Record(value) for value in body["members"]]
        self.sealed = body["options"].get("draws") == "sealed"
        self.lone = body["options"].get("dice") == "lock"
        keys = [{member.key for member in self.members}, {member.identity for member in self.members}]
        if min(map(len, keys)) < len(self.members):
            refuse("genesis/key-twice")
        if len({member.lobby for member in self.members}) > 1:
            refuse("genesis/lobby")
        seats = sorted(seat for member in self.members for seat in member.seats)
        if seats != list(range(len(seats))) or not all(member.seats for member in self.members):
            refuse("genesis/seats")
        if "origin" in body:
            self.check_origin(body["origin"])
        self.laid = body["origin"][4] if "origin" in body else []

    def check_origin(self, origin: Any) -> None:
        right = (
            is_list(origin, 6)
            and is_bytes(origin[0], 32)
            and is_int(origin[1])
            and is_bytes(origin[2], 32)
            and is_bytes(origin[3], 16)
            and isinstance(origin[4], list)
            and isinstance(origin[5], list)
            and len(self.members) == 1
            and self.body["position"] is not None
            and not self.sealed
            and all(is_card(card) for card in origin[4])
        )
        if not right:
            refuse("genesis/origin")
        cards = [encode(card[:2]) for card in origin[4]]
        seats = self.members[0].seats
        right = len(set(cards)) == len(cards) and all(
            is_list(row, 3) and is_int(row[0]) and row[0] in seats and encode(row[1:]) in cards for row in origin[5]
        )
        if not right:
            refuse("genesis/origin")


def is_card(card: Any) -> bool:
    return is_list(card, 3) and isinstance(card[0], str) and is_int(card[1])


def is_face(face: Any) -> bool:
    return isinstance(face, str) or is_int(face, -(2**63), 2**63 - 1)
