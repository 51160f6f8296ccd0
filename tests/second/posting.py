# SPDX-License-Identifier: GPL-3.0-or-later
"""Section 12: bundles, letters and posted text."""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass
from typing import Any

from second.codec import Refused, decode, encode, is_bytes, is_int, is_list, refuse
from second.entries import LARGEST, Entry, read_entry
from second.genesis import read_certificate
from second.hashing import H
from second.signing import signed, strict_key

BUNDLE = b"starlock post 1"
LETTER = b"starlock lobby 1"
LONGEST_BUNDLE = 16_000_000


def base32(text: str) -> bytes:
    """The bytes of base32 without padding, in either case."""
    text = text.upper()
    return base64.b32decode(text + "=" * (-len(text) % 8))


# Bundles (12.1).


@dataclass
class Bundle:
    made: int
    table: bytes
    writer: bytes
    feeds: list[list[Any]]
    entries: list[bytes]


def read_bundle(data: bytes) -> Bundle:
    if data[:14] != BUNDLE[:14]:
        refuse("bundle/none")
    if len(data) > LONGEST_BUNDLE:
        refuse("bundle/large")
    if len(data) < 15 + 8 or data[-8:] != H("bundle check", data[:-8])[:8]:
        refuse("bundle/damaged")
    if data[14:15] != BUNDLE[14:]:
        refuse("bundle/version")
    try:
        messages = [decode(raw) for raw in split(data[23:-72])]
        table, writer, feeds = read_have(messages[0])
        entries = Unpacking().entries(messages[1:])
    except (Refused, IndexError):
        refuse("bundle/damaged")
    if not signed(writer, H("bundle", data[:-72]), data[-72:-8]):
        refuse("bundle/signature")
    return Bundle(int.from_bytes(data[15:23], "big"), table, writer, feeds, entries)


def split(data: bytes) -> list[bytes]:
    parts = []
    while data:
        size = int.from_bytes(data[:4], "big")
        if len(data) < 4 + size:
            refuse("bundle/damaged")
        parts.append(data[4 : 4 + size])
        data = data[4 + size :]
    return parts


def read_have(message: Any) -> tuple[bytes, bytes, list[list[Any]]]:
    right = is_list(message, 7) and message[0] == 4 and is_bytes(message[1], 32) and strict_key(message[2])
    if not right or message[4:] != [[], b"", b""]:
        refuse("bundle/damaged")
    if not all(
        is_list(row, 3) and strict_key(row[0]) and is_int(row[1]) and is_bytes(row[2], 32) for row in message[3]
    ):
        refuse("bundle/damaged")
    return message[1], message[2], message[3]


class Unpacking:
    """Section 11: puts entries together again that go without the header of their author's last one."""

    def __init__(self) -> None:
        self.last: dict[bytes, Entry] = {}

    def entries(self, messages: list[Any]) -> list[bytes]:
        found = []
        for message in messages:
            if is_list(message, 2) and message[0] == 6:
                found += [self.whole(item) for item in message[1]]
            elif not is_list(message, 3) or message[0] != 7:
                refuse("bundle/damaged")
        return found

    def whole(self, item: list[Any]) -> bytes:
        raw = item[0] if isinstance(item[0], bytes) else self.following(item)
        entry = read_entry(raw)
        self.last[entry.author] = entry
        return raw

    def following(self, item: list[Any]) -> bytes:
        before = list(self.last.values())[item[0]]
        kind = sorted(LARGEST)[item[1]]
        height, head, state = before.height, before.head, before.state
        if len(item) >= 6:
            height, head, state = height + item[3], item[4], item[5]
        body, signature = decode(item[2][:-64]), item[2][-64:]
        position = [before.epoch, height, head, state]
        return encode([1, before.table, before.author, before.seq + 1, before.id, *position, kind, body, signature])


# Letters (12.2).


@dataclass
class Statement:
    kind: str
    lobby: bytes
    about: bytes
    author: bytes
    body: Any
    id: bytes


def read_letter(data: bytes) -> tuple[list[Statement], bytes]:
    """The statements, and the bundle behind them, if any."""
    end = 20 + int.from_bytes(data[16:20], "big")
    if len(data) < end + 8 or data[end : end + 8] != H("letter check", data[:end])[:8]:
        refuse("letter/damaged")
    if data[:16] != LETTER:
        refuse("letter/version")
    try:
        raws = decode(data[20:end])
        if not isinstance(raws, list) or not 1 <= len(raws) <= 64 or not all(isinstance(raw, bytes) for raw in raws):
            refuse("letter/damaged")
        statements = [read_statement(raw) for raw in raws]
    except Refused as refusal:
        refuse(refusal.code if refusal.code == "letter/signature" else "letter/damaged")
    return statements, data[end + 8 :]


def read_statement(raw: bytes) -> Statement:
    fields = decode(raw)
    if not is_list(fields, 6):
        refuse("letter/damaged")
    kind, lobby, about, author, body, signature = fields
    if kind not in ("invitation", "answer", "roster", "nonce") or not is_bytes(lobby, 16) or not is_bytes(about, 32):
        refuse("letter/damaged")
    if not strict_key(author) or not is_bytes(signature, 64):
        refuse("letter/damaged")
    if not signed(author, H("lobby by post", encode(fields[:-1])), signature):
        refuse("letter/signature")
    return Statement(kind, lobby, about, author, body, H("lobby statement", raw))


def made_genesis(statements: list[Statement]) -> dict[str, Any]:
    """The genesis that a roster, its answers and all nonces make."""
    invitation = next(item for item in statements if item.kind == "invitation")
    roster = next(item for item in statements if item.kind == "roster")
    answers = {item.id: item for item in statements if item.kind == "answer"}
    nonces = {item.author: item.body for item in statements if item.kind == "nonce" and item.about == roster.id}
    terms, sitter, _ = invitation.body[:3]
    sitting: list[tuple[bytes, Any, Any]] = [(invitation.author, sitter, None)]
    sitting += [(answers[row[0]].author, answers[row[0]].body[1], row[1]) for row in roster.body]
    taken = {seat for _, _, seats in sitting for seat in seats or ()}
    left = [seat for seat in range(terms[4]) if seat not in taken]
    members = []
    for author, (certificate, players, _, _), seats in sitting:
        seats = left[: len(players)] if seats is None else seats
        rows = sorted([seat, *player] for seat, player in zip(seats, players, strict=True))
        read_certificate(certificate)
        members.append([certificate, rows, nonces[author]])
    protocol, _, game, options, _, rules, content, _, test = terms
    return {
        "protocol": protocol,
        "game": game,
        "rules": rules,
        "options": options,
        "content": content,
        "members": members,
        "test": test,
        "position": None,
    }


# Posted text (12.3).


@dataclass
class Posted:
    whole: bytes | None
    damaged: int
    other: int


def read_posted(text: str) -> Posted:
    """What the parts in a text make together, and how many parts are damaged or of another version."""
    parts: dict[tuple[bytes, int], dict[int, bytes]] = {}
    damaged = other = 0
    for match in re.finditer(r"starlock-post:([\sa-z2-7]*)", text, re.IGNORECASE):
        letters = re.sub(r"\s", "", match[1])
        try:
            place, number, payload = read_part(letters)
        except Refused as refusal:
            other += refusal.code == "part/version"
            damaged += refusal.code == "part/damaged"
            continue
        parts.setdefault(place, {})[number] = payload
    for (name, count), found in parts.items():
        whole = b"".join(found[number] for number in sorted(found))
        if len(found) == count and H("post", whole)[:5] == name:
            return Posted(whole, damaged, other)
    return Posted(None, damaged, other)


def read_part(letters: str) -> tuple[tuple[bytes, int], int, bytes]:
    start = base32(letters[:16] + "AAAA") if len(letters) >= 20 else b""
    if not start:
        refuse("part/damaged")
    if start[0] != 1:
        refuse("part/version")
    start = base32(letters[:24])
    size = int.from_bytes(start[10:12], "big")
    needed = -(-(12 + size + 5) * 8 // 5)
    try:
        data = base32(letters[:needed])
    except (binascii.Error, ValueError):
        refuse("part/damaged")
    if len(data) != 12 + size + 5 or data[-5:] != H("post-part", data[:-5])[:5]:
        refuse("part/damaged")
    number, count = int.from_bytes(data[6:8], "big"), int.from_bytes(data[8:10], "big")
    return (data[1:6], count), number, data[12:-5]
