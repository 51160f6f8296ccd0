"""Whole games of the vectors, read as PROTOCOL.md words it: heads, epochs and members of every height, with votes and
leaves. Proofs are left to `test_protocol_proofs`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from p2p.log.starfile import read_star
from p2p.wire.codec import decode, encode
from p2p.wire.entry import Entry
from seeds.hashing import H

GAMES: list[dict[str, Any]] = json.loads(Path(__file__).with_name("protocol_vectors.json").read_text("utf-8"))["game"]
STAGES = {
    1: ("commit", "keys", "answer", "seal"), 2: ("shuffle",), 3: ("remask",), 4: ("tag",), 5: ("ok", "complaint"),
    6: ("open",), 7: ("share",), 8: ("reveal",), 9: ("partial",),
}  # fmt: skip
STAGE = {kind: stage for stage, kinds in STAGES.items() for kind in kinds}
BY_T = ("absent", "gone", "without", "repair", "moved")
CARDS = ("keys", "anew", "deal", "show", "reveal")


def items(data: bytes) -> list[Any]:
    """The items of a file that tells what was asked (10.2)."""
    found, at = list[Any](), 0
    while at < len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        found.append(decode(data[at + 4 : at + 4 + size], limit=size))
        at += 4 + size
    return found


class Reader:
    """A reader without the rules, as far as these games go."""

    def __init__(self, game: dict[str, Any]) -> None:
        self.entries = read_star(bytes.fromhex(game["star"])).entries
        self.feeds: dict[bytes, list[Entry]] = {}
        for entry in self.entries:
            self.feeds.setdefault(entry.author, []).append(entry)
        self.table = self.entries[0].table
        body: Any = next(entry.body for entry in self.entries if entry.kind == "genesis")
        assert H("genesis", encode(body)) == self.table
        self.sealed = body["options"].get("draws") == "sealed"
        self.seedless, self.lock = body["options"].get("dice") == "lock", list[bytes]()
        self.members: list[bytes] = [record[0][1] for record in body["members"]]
        self.numbers = {key: number for number, key in enumerate(self.members)}
        self.owner = {row[0]: record[0][1] for record in body["members"] for row in record[1]}
        self.cut: dict[bytes, int] = {}
        self.gone: set[bytes] = set()
        self.height, self.epoch, self.head, self.carried = 0, 0, self.table, list[Any]()
        self.ending = "played"
        self.pacts: dict[bytes, list[Any]] = {}
        self.signed: dict[bytes, set[bytes]] = {}
        for entry in self.entries:
            self.hear(entry, entry.body)

    def hear(self, entry: Entry, body: Any) -> None:
        """Section 9.1."""
        if entry.kind == "pact":
            *first, terms, attempt, over = body
            name = H("pact", *first, encode(terms), attempt, over)
            self.pacts[name] = body
            self.signed.setdefault(name, set()).add(entry.author)
        elif entry.kind == "sign":
            self.signed.setdefault(body[0], set()).add(entry.author)

    def complete(self) -> list[tuple[bytes, list[Any]]]:
        """The complete pacts of this position (9.3). None of these games has two at one position."""
        found = []
        for name, body in self.pacts.items():
            kind, at, head, out, *_ = body
            signers = [member for member in self.members if member not in [end[0] for end in out]]
            enough = len(self.members) // 2 + 1 if kind in BY_T else len(self.members)
            if (at, head) == (self.height, self.head) and len(signers) >= enough:
                found += [(name, body)] if self.signed[name] >= set(signers) else []
        return sorted(found)

    def counts(self, entry: Entry) -> bool:
        here = entry.kind in STAGE and (entry.height, entry.head) == (self.height, self.head)
        return here and entry.seq <= self.cut.get(entry.author, entry.seq)

    def slots(self) -> dict[tuple[int, int], Entry]:
        """Section 6.3."""
        found: dict[tuple[int, int], Entry] = {}
        for entry in filter(self.counts, self.entries):
            body: Any = entry.body
            seat = body[0] if entry.kind in ("answer", "seal") else self.numbers[entry.author]
            assert found.setdefault((STAGE[entry.kind], seat), entry) is entry
            assert entry.epoch == self.epoch
        return found

    def owing(self, asked: list[Any], slots: dict[tuple[int, int], Entry]) -> set[bytes]:
        """Section 6.2: who owes an entry of a stage other than 9."""
        kind, present = asked[0], [member for member in self.members if member not in self.cut]
        if kind in ("choose", "together", "seal"):
            return {self.owner[seat] for seat in asked[1] if (1, seat) not in slots and self.owner[seat] in present}
        if kind in ("prepare", "keys"):
            first = {member for member in present if (1, self.numbers[member]) not in slots}
            later = {member for member in present if (5, self.numbers[member]) not in slots and kind == "keys"}
            return first or later
        if kind == "roll" or (kind == "shuffle" and not self.sealed):
            seeds = not self.lone and not (self.seedless and len(self.members) >= 3)
            return {member for member in present if seeds and (6, self.numbers[member]) not in slots}
        return set()

    @property
    def lone(self) -> bool:
        """Section 7.5: true if the last lock alone makes the rolls."""
        here = [member for member in self.members if member in self.lock]
        return bool(self.lock) and len(self.members) < 3 and len(here) >= len(self.lock) // 2 + 1

    def leaves(self, asked: list[Any]) -> list[tuple[bytes, list[Any]]]:
        """Section 9.6."""
        found = []
        for author, feed in self.feeds.items():
            last = feed[-1]
            read = all(entry.height <= self.height for entry in feed if entry.kind in STAGE)
            if last.kind == "leave" and read and author in self.owing(asked, self.slots()):
                body: list[Any] = ["leave", self.height, self.head, [[author, last.seq, last.id]], None, 0, []]
                *first, terms, attempt, over = body
                found.append((H("pact", *first, encode(terms), attempt, over), body))
        return found

    def resolve(self, asked: list[Any], ended: bool, outcome: list[Any]) -> None:
        """Sections 6.3, 6.5 and 9.4."""
        pacts = self.complete()
        for _name, (kind, _at, _head, out, *_rest) in pacts:
            if kind == "absent":
                self.cut.update({end[0]: end[1] for end in out})
        left = self.leaves(asked)
        self.cut.update({body[3][0][0]: body[3][0][1] for _name, body in left})
        pacts = sorted([*pacts, *left])
        cards = asked[0] in CARDS or (asked[0] == "shuffle" and self.sealed)
        kinds = {body[0] for _name, body in pacts}
        assert ended is bool(kinds & {"takeback", "without", "end"} or (cards and kinds))
        slots = {} if ended else self.slots()
        assert ended or not self.owing(asked, slots)
        ids = [slots[slot].id for slot in sorted(slots) if slot[0] != 9]
        record = [*self.carried, asked]
        told = H("told", encode(record)) if ids else None
        self.head = H("head", self.head, self.height, ids, [name for name, _body in pacts], told)
        self.carried = [*([] if ids else record), *outcome]
        self.height += 1
        self.lock = self.members if asked == ["keys"] and not ended else self.lock
        for _name, body in pacts:
            if body[0] == "leave":
                self.gone.add(body[3][0][0])
            elif body[0] == "end":
                self.ending = body[4]
        if pacts:
            self.epoch += 1
            self.members = [member for member in self.members if member not in self.cut]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game["name"])
def test_a_game_is_read_as_the_document_says(game: dict[str, Any]) -> None:
    reader = Reader(game)
    (name, version, table), *rows, (height, asked, digest) = items(bytes.fromhex(game["told"]))
    assert (name, version, table) == ("starlock told", 1, reader.table)
    for at, wanted, ended, outcome in rows:
        assert at == reader.height
        agrees(reader, game)
        reader.resolve(wanted, ended, outcome)
    agrees(reader, game)
    assert (height, asked) == (reader.height, ["over"])
    state = H("state", digest, H("told", encode([*reader.carried, asked])))[:16]
    results: dict[bytes, Any] = {
        entry.author: (entry.body, entry.state, entry.head) for entry in reader.entries if entry.kind == "result"
    }
    (said,) = {(encode(body), state_of, head) for body, state_of, head in results.values()}
    body: Any = decode(said[0])
    assert said[1:] == (state, reader.head)
    assert body[0] == reader.ending
    assert body[2] == sorted(reader.gone, key=reader.numbers.__getitem__)
    assert results.keys() == set(reader.members)


def agrees(reader: Reader, game: dict[str, Any]) -> None:
    at = str(reader.height)
    assert reader.head.hex() == game["heads"][at]
    assert reader.epoch == game["epochs"][at]
    assert [reader.numbers[member] for member in reader.members] == game["members"][at]
