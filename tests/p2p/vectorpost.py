"""Vectors of bundles, letters, posted text."""

from __future__ import annotations

from base64 import b32decode, b32encode
from typing import Any

import vectorlines
from vectorfiles import begun
from vectorkit import flipped, mixed, refusals

from p2p.identity.keys import SigningKey
from p2p.identity.tablekey import certify
from p2p.lobby.messages import Sitter, Terms
from p2p.lobby.posted import PostedLobby, read_letter, state, write_letter
from p2p.lockstep.genesis import nonce_commitment
from p2p.sync.bundle import read_bundle, write_bundle
from p2p.sync.pasted import Pasted, pasted_parts
from p2p.wire.codec import Plain, encode
from seeds.hashing import H

# Post ----------------------------------------------------------------------------------------------------------------


def bundles() -> dict[str, Any]:
    table = begun(2)
    entries = table.peers[0].feeds.entries
    good = write_bundle(table.peers[0], table.keys[0].key, 1_800_000_000, entries)
    read = read_bundle(good)
    whole = flipped(good[:-8], -1)
    wrong = {
        "another kind of file": b"x" + good,
        "a byte changed": flipped(good, 40),
        "cut short": good[:-1],
        "another version": checked(good[:14] + b"2" + good[15:-8]),
        "another signature": checked(whole),
        "a message cut short": checked(good[:30]),
    }
    return {
        "bundle": good.hex(),
        "made": read.made,
        "writer": read.writer.hex(),
        "feeds": [[feed.author.hex(), feed.seq, feed.id.hex()] for feed in read.have.feeds],
        "entries": [sent.raw.hex() for push in read.pushes for sent in push.entries],
        "refused": refusals(read_bundle, wrong, "bundle"),
    }


def checked(whole: bytes) -> bytes:
    return whole + H("bundle check", whole)[:8]


LOBBY = bytes(range(16))
TERMS = Terms("toy", {"draws": "open"}, 2, "toy/1", bytes(16), {}, False, "starlock test")


def letters() -> dict[str, Any]:
    """A table of two that begins by letters."""
    homes = []
    for number, wants in ((1, (0,)), (2, ())):
        key, identity = SigningKey.from_seed(bytes([number]) * 32), SigningKey.from_seed(bytes([100 + number]) * 32)
        certificate = certify(identity, key.public, LOBBY, "machine")
        homes.append((key, bytes([number]) * 32, Sitter(certificate, ((f"Player {number}", None),), wants, ())))
    (host, first, sits), (guest, second, comes) = homes
    opened: list[Plain] = [TERMS.fields(), sits.fields(), nonce_commitment(host.public, first)]
    invitation = state(host, "invitation", LOBBY, bytes(32), opened)
    answer = state(guest, "answer", LOBBY, invitation.id, [1, comes.fields(), nonce_commitment(guest.public, second)])
    lobby = PostedLobby(invitation)
    assert lobby.take(answer)
    lobby.fix(host, lobby.seating(lobby.answers()))
    lobby.show(host, first)
    lobby.show(guest, second)
    genesis = lobby.genesis()
    assert genesis is not None
    good = write_letter([invitation, *lobby.held()])
    said_by = invitation.raw
    wrong = {
        "a byte changed": flipped(good, 40),
        "cut short": good[:-1],
        "another version": lettered(good[:14] + b"2" + good[15:-8]),
        "another signature": write_letter([Forged(flipped(said_by, -1))]),  # type: ignore[list-item]
        "another kind": write_letter([Forged(encode(["vote", LOBBY, bytes(32), host.public, None, bytes(64)]))]),  # type: ignore[list-item]
        "no statement": write_letter([Forged(b"\x80")]),  # type: ignore[list-item]
    }
    return {
        "letter": good.hex(),
        "statements": [
            {
                "kind": each.kind,
                "id": each.id.hex(),
                "about": each.about.hex(),
                "author": each.author.hex(),
                "raw": each.raw.hex(),
            }
            for each in (invitation, *lobby.held())
        ],
        "genesis": mixed(genesis.body()),
        "table": genesis.table.hex(),
        "refused": refusals(read_letter, wrong, "letter"),
    }


class Forged:
    """Bytes that stand for a statement."""

    def __init__(self, raw: bytes) -> None:
        self.raw = raw


def lettered(whole: bytes) -> bytes:
    return whole + H("letter check", whole)[:8]


def posted() -> dict[str, Any]:
    data = bytes(number % 251 for number in range(2_500))
    parts = pasted_parts(data)
    first, second, third = parts
    texts = {
        "a letter changed": first.replace("a", "b", 1) if "a" in first else first,
        "a letter left out": first[:-1],
        "a digit that base32 lacks": first[:-1] + "1",
        "a part of another version": other_version(first),
        "a part alone": second,
    }

    def refusal(text: str) -> list[int]:
        pasted = Pasted()
        pasted.add(text)
        assert not list(pasted.taken())
        return [pasted.damaged, pasted.other]

    pasted = Pasted()
    assert pasted.add(f"> {third}\nhi {first.upper()} {second}") == 3
    assert list(pasted.taken()) == [data]
    return {
        "data": data.hex(),
        "parts": parts,
        "refused": [{"why": why, "text": text, "damaged, other": refusal(text)} for why, text in texts.items()],
    }


def other_version(part: str) -> str:
    letters = "".join(part.split("starlock-post:")[1].split()).upper()
    body = b32decode(letters + "=" * (-len(letters) % 8))[:-5]
    other = b"\x02" + body[1:]
    whole = b32encode(other + H("post-part", other)[:5]).decode().rstrip("=").lower()
    return f"(1/3) starlock-post: {whole}"


def vectors() -> dict[str, Any]:
    return {"bundle": bundles(), "letter": letters(), "posted text": posted(), **vectorlines.vectors()}
