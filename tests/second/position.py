# SPDX-License-Identifier: GPL-3.0-or-later
"""Section 6.1: where a table stands, and what a pact does to it (9.4)."""

from __future__ import annotations

from typing import Any

from second.cards import Handle
from second.choices import Choice
from second.codec import Refused
from second.decks import OpenDecks, SealedDecks
from second.dice import KeyRun, ThresholdKey
from second.genesis import Genesis, Record, read_certificate
from second.hashing import H
from second.pacts import CUTTING, NEW_KEYS, Pact


class Position:
    """A table at one height. Members are known by their numbers, `keys` has the table key of each."""

    def __init__(self, genesis: Genesis) -> None:
        self.genesis = genesis
        self.table = genesis.table
        self.height = 0
        self.epoch = 0
        self.head = genesis.table
        self.keys = [member.key for member in genesis.members]
        self.identities = [member.identity for member in genesis.members]
        self.members = list(range(len(self.keys)))
        self.owner = {seat: number for number, member in enumerate(genesis.members) for seat in member.seats}
        self.left_out: dict[int, int] = {}
        self.since: dict[int, int] = {}
        self.given_up: set[int] = set()
        self.line = [0]
        self.asked: dict[int, list[Any]] = {}
        self.k = 0
        self.commitments: dict[int, bytes] = {}
        self.run = KeyRun(self.table, 0, self.member_keys())
        self.threshold: dict[str, ThresholdKey] = {}
        self.lock: ThresholdKey | None = None
        self.lone_floor = 0
        self.departures: list[tuple[int, int]] = []
        self.open = OpenDecks({(deck, number): face for deck, number, face in genesis.laid})
        self.sealed = SealedDecks(self.table, self.holder_keys()) if genesis.sealed else None
        self.choices: dict[Handle, Choice] = {}
        self.unsealed: set[Handle] = set()
        self.revealed: dict[int, dict[Handle, Choice]] = {}
        self.ending = "played"

    def number(self, key: bytes) -> int | None:
        return self.keys.index(key) if key in self.keys else None

    def member_keys(self) -> list[bytes]:
        return [self.keys[number] for number in self.members]

    def present(self) -> list[int]:
        return [number for number in self.members if number not in self.left_out]

    def holder_keys(self) -> list[bytes]:
        """The table keys of those who own a seat and are not given up, in roster order."""
        return [self.keys[number] for number in sorted(set(self.owner.values()) - self.given_up)]

    # What a pact may do here (9.3).

    def applying(self, pacts: list[Pact]) -> list[Pact]:
        """Those of these pacts that apply, without those that give a seat to more new keys than a table takes."""
        keys, found = {*self.keys}, []
        for pact in sorted(pacts, key=lambda pact: pact.id):
            after = keys | ({key} if (key := pact.newcomer) is not None else set())
            if self.applies(pact) and len(after) <= len(self.genesis.members) + NEW_KEYS:
                keys = after
                found.append(pact)
        return found

    def applies(self, pact: Pact) -> bool:
        out = [self.number(key) for key in pact.names]
        if pact.kind in ("absent", "without", "repair"):
            within = all(number in self.members for number in out)
            if pact.kind == "without":
                return within and pact.terms[3] > self.height and pact.terms[4] > self.epoch
            return within
        if pact.kind == "gone":
            return all(number in self.left_out and number not in self.members for number in out)
        if pact.kind == "back":
            back = self.number(pact.terms[0])
            return back in self.left_out and back not in self.members and back not in self.given_up
        if pact.kind == "seat":
            return self.seat_applies(*pact.terms)
        if pact.kind == "takeback":
            return pact.terms[0] in self.line and self.floor() <= pact.terms[0] < self.height
        if pact.kind == "moved":
            return self.move_applies(out[0], *pact.terms)
        return pact.kind == "end"

    def seat_applies(self, seat: int, record: Any) -> bool:
        if self.owner.get(seat) not in self.present():
            return False
        try:
            read = Record(record)
        except Refused:
            return False
        return read.seats == [seat] and self.number(read.key) not in self.left_out

    def move_applies(self, old: int | None, certificate: Any, kept: bool) -> bool:
        if old is None or old not in self.owner.values() or old in self.given_up:
            return False
        try:
            identity, key, lobby, _, _ = read_certificate(certificate)
        except Refused:
            return False
        return (
            identity == self.identities[old]
            and lobby == H("moved", self.table, self.keys[old], int(kept))
            and key not in self.keys
        )

    def floor(self) -> int:
        """The lowest height to which a take-back goes."""
        gone = [height for height, number in self.departures if number not in self.members]
        return max([self.lone_floor, self.sealed.floor if self.sealed else 0, *gone])

    def cut(self, pact: Pact) -> None:
        """The ends that the pact names count."""
        if pact.kind in CUTTING:
            for key, seq, _ in pact.out:
                number = self.number(key)
                if number is not None:
                    self.left_out[number] = min(seq, self.left_out.get(number, seq))

    # What it does when its height is resolved (9.4).

    def take_effect(self, pacts: list[Pact]) -> int:
        """What pacts do together; the height that opens then."""
        height, epoch = self.height + 1, self.epoch + 1
        for pact in pacts:
            if pact.kind == "without":
                height, epoch = pact.terms[3], pact.terms[4]
            elif pact.kind == "repair":
                epoch = max(epoch, pact.terms[2])
        before, owners, out = self.holder_keys(), set(self.owner.values()), set(self.members)
        shown = False
        for pact in pacts:
            self.given_up.update(self.keys.index(key) for key in pact.left)
            if pact.kind == "takeback":
                shown = shown or self.shows_cards_from(pact.terms[0])
            else:
                shown = shown or pact.kind == "repair" or (pact.kind == "without" and pact.terms[2])
            self.apply(pact)
        self.new_epoch(epoch)
        gone = (out - set(self.members)) | (owners - set(self.owner.values()))
        gone |= {self.keys.index(key) for key in before if key not in self.holder_keys()}
        self.departures += [(height, number) for number in sorted(gone)]
        if self.sealed and (shown or self.holder_keys() != before):
            self.sealed.next_generation(self.holder_keys(), height)
        return height

    def apply(self, pact: Pact) -> None:
        if pact.kind == "gone":
            self.given_up.update(self.keys.index(key) for key in pact.names)
        elif pact.kind == "back":
            number = self.keys.index(pact.terms[0])
            self.left_out.pop(number, None)
            self.since[number] = max(pact.terms[1], self.since.get(number, -1))
        elif pact.kind == "seat":
            record = Record(pact.terms[1])
            self.owner[pact.terms[0]] = self.enroll(record.key, record.identity)
        elif pact.kind == "takeback":
            self.take_back(pact.terms[0])
        elif pact.kind == "end":
            self.ending = pact.terms
        elif pact.kind == "moved":
            self.move(pact)

    def enroll(self, key: bytes, identity: bytes) -> int:
        if key not in self.keys:
            self.keys.append(key)
            self.identities.append(identity)
        return self.keys.index(key)

    def move(self, pact: Pact) -> None:
        old = self.keys.index(pact.names[0])
        identity, key, _, _, _ = read_certificate(pact.terms[0])
        new = self.enroll(key, identity)
        self.owner = {seat: new if number == old else number for seat, number in self.owner.items()}
        self.given_up.add(old)
        if pact.terms[1] and self.sealed:
            self.sealed.rename(self.keys[old], key)

    def take_back(self, to: int) -> None:
        self.line = self.line[: self.line.index(to) + 1]
        for height in [height for height in self.revealed if height >= to]:
            self.choices.update(self.revealed.pop(height))
        self.choices = {handle: choice for handle, choice in self.choices.items() if choice.sealed_at < to}
        for choice in self.choices.values():
            if choice.opened_at is not None and choice.opened_at >= to:
                choice.opened = choice.opened_at = None
                choice.closed = False
        if self.sealed:
            self.sealed.back(to)

    def new_epoch(self, epoch: int) -> None:
        """Members are those who own a seat and are not left out; all commitments lapse."""
        self.epoch = epoch
        self.members = sorted(number for number in set(self.owner.values()) if number not in self.left_out)
        self.commitments = {}
        self.run = KeyRun(self.table, epoch, self.member_keys())
        self.threshold = {}

    def shows_cards_from(self, to: int) -> bool:
        """True if the line has a question at or above `to` that shows sealed cards."""
        if self.sealed is None or self.sealed.standing() is None:
            return False
        asked = [self.asked[height] for height in self.line if height >= to and height in self.asked]
        return any(
            question[0] in ("deal", "show", "reveal") and any(map(self.sealed.entered, question[-1]))
            for question in asked
        )

    def lone_key(self) -> ThresholdKey | None:
        """Section 7.5: the key that makes a roll where fewer than three are members, if any does."""
        if len(self.members) >= 3 or self.lock is None:
            return None
        holders = [key for key in self.lock.keys if self.number(key) in self.members]
        return self.lock if len(holders) >= self.lock.threshold else None
