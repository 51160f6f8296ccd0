"""Dice, cards and secret choices of a table with `draws=open`, served from the beacon, open decks and hash commitments.

`Chance` knows what everybody knows; `Purse` knows this member's secrets and writes the fairness entries that it owes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from p2p.lockstep.machine import HandleRef, Pending
from p2p.lockstep.step import Step, read_cards, read_opening
from p2p.wire.codec import Plain, Value, decode, encode
from p2p.wire.entry import Entry
from seeds.beacon import Beacon, Roll, commitment, seed
from seeds.opendeck import OpenDecks
from seeds.seals import Seals, seal_commitment, seal_nonce
from seeds.streams import dice


@dataclass(frozen=True, slots=True)
class Rolled:
    """A finished roll of the table and what it was for. faces: empty for a shuffle."""

    roll: Roll
    kind: Literal["roll", "shuffle"]
    tag: str
    sides: tuple[int, ...]
    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Shuffled:
    value: bytes
    members: tuple[Value, ...]
    handles: tuple[HandleRef, ...]


@dataclass(frozen=True, slots=True)
class _Placed:
    handle: HandleRef
    author: bytes
    epoch: int
    committed: bytes | None
    fallback: Value


@dataclass(frozen=True, slots=True)
class _Taken:
    handles: tuple[HandleRef, ...]


class Chance:
    """rolls: all finished ones; looks: (height, reader, [(handle, card)]) of every deal and peek of the present
    game."""

    def __init__(self, table: bytes) -> None:
        self.table = table
        self.beacon = Beacon(table)
        self.rolls: list[Rolled] = []
        self.looks: list[tuple[int, int, list[tuple[HandleRef, Value]]]] = []
        self._decks = OpenDecks()
        self.seals = Seals(table)
        self.reveals = 0
        self._sealed: dict[HandleRef, _Placed] = {}
        self._done: list[tuple[int, _Shuffled | _Placed | _Taken]] = []

    # What members say ------------------------------------------------------------------------------------------------

    def say(self, entry: Entry, step: Step, height: int) -> tuple[str | None, Value]:
        """Take a commit, open, seal or reveal for this step; return the code of its fault, and what it says."""
        match entry.kind:
            case "commit":
                return self._commit(entry, height)
            case "open":
                return self._opened(entry)
            case "seal":
                match entry.body:
                    case [int(), bytes() as committed] if len(committed) == 32:
                        return None, committed
                return "seal/form", None
        return self._revealed(entry, step), None

    def _commit(self, entry: Entry, height: int) -> tuple[str | None, Value]:
        match entry.body:
            case [int() as k, bytes() as committed]:
                fault = self.beacon.commit(entry.author, height, k, committed)
                return fault.code if fault else None, None
        return "beacon/form", None

    def _opened(self, entry: Entry) -> tuple[str | None, Value]:
        opening = read_opening(entry.body, self.beacon.k)
        if opening is None:
            return "beacon/form", None
        fault = self.beacon.open(entry.author, entry.head, self.beacon.k, *opening)
        return fault.code if fault else None, None

    def _revealed(self, entry: Entry, step: Step) -> str | None:
        """An opening that does not fit its commitment is proof of cheating and counts as silence."""
        handles = self.owed_by(entry.author, step.pending.handles if step.pending else ())
        cards = read_cards(entry.body, handles)
        if cards is None:
            return "seal/form"
        code = None
        for handle, (value, nonce) in zip(handles, cards, strict=True):
            fault = self.seals.open(handle, entry.author, encode(value), nonce)
            if fault is not None:
                code = fault.code
                self.seals.write_off(entry.author, [handle])
        return code

    # Who owes openings -----------------------------------------------------------------------------------------------

    def openers(self, handles: Sequence[HandleRef]) -> list[bytes]:
        """The members that have sealed choices among these to open, in the order of the handles."""
        owing = self.seals.owing([handle for handle in handles if handle in self._sealed])
        return list(dict.fromkeys(self.seals.author(handle) for handle in owing))

    def owed_by(self, author: bytes, handles: Sequence[HandleRef]) -> list[HandleRef]:
        """The sealed choices among these that `author` still has to open."""
        owing = self.seals.owing([handle for handle in handles if handle in self._sealed])
        return [handle for handle in owing if self.seals.author(handle) == author]

    def write_off(self, authors: Collection[bytes], pending: Pending) -> None:
        """These authors are absent: what they have not opened of this counts as silence. Not before all that they
        had said in time is read, for it counts."""
        if pending.kind in ("roll", "shuffle"):
            self.beacon.write_off(authors)
        for handle in pending.handles if pending.kind == "reveal" else ():
            if handle in self._sealed and self._sealed[handle].author in authors:
                self.seals.write_off(self._sealed[handle].author, [handle])

    # What it comes to ------------------------------------------------------------------------------------------------

    def outcome(
        self, step: Step, pending: Pending, height: int, epoch: int, owner: Mapping[int, bytes]
    ) -> tuple[Plain, Value]:
        """Close the step: what goes into the result, and what the machine is given."""
        match pending.kind:
            case "roll":
                faces = dice(self._roll(pending).value, pending.sides)
                return faces, list(faces)
            case "shuffle":
                value = self._roll(pending).value
                self._do(height, _Shuffled(value, pending.members, pending.handles))
                return value, None
            case "seal":
                self._seal(step, pending, height, epoch, owner)
            case "reveal":
                self.reveals += 1
                cards = self._open(pending.handles, height)
                return cards, cards
            case "deal" | "show":
                self.looks.append((height, pending.seats[0], self.faces(pending.handles)))
        return None, None

    def _roll(self, pending: Pending) -> Roll:
        roll = self.beacon.finish()
        if pending.kind == "roll":
            faces = tuple(dice(roll.value, pending.sides))
            self.rolls.append(Rolled(roll, "roll", pending.tag, pending.sides, faces))
        else:
            self.rolls.append(Rolled(roll, "shuffle", pending.tag, (), ()))
        return roll

    def _seal(self, step: Step, pending: Pending, height: int, epoch: int, owner: Mapping[int, bytes]) -> None:
        for seat, handle in zip(pending.seats_all, pending.handles, strict=True):
            said = step.said.get((1, seat))
            committed = said if isinstance(said, bytes) else None
            self._do(height, _Placed(handle, owner[seat], epoch, committed, step.fallback[seat]))

    def _open(self, handles: tuple[HandleRef, ...], height: int) -> list[Value]:
        sealed = tuple(handle for handle in handles if handle in self._sealed)
        values = dict(zip(sealed, self.seals.take(sealed), strict=True))
        cards: list[Value] = []
        for handle in handles:
            if handle in values:
                value = values[handle]
                cards.append(self._sealed[handle].fallback if value is None else decode(value))
            else:
                cards.extend(self._decks.faces([handle]))
        for handle in sealed:
            del self._sealed[handle]
        if sealed:
            self._done.append((height, _Taken(sealed)))
        return cards

    # Cards seen, and going back --------------------------------------------------------------------------------------

    def faces(self, handles: Sequence[HandleRef]) -> list[tuple[HandleRef, Value]]:
        return list(zip(handles, self._decks.faces(handles), strict=True))

    def seen(self, seat: int) -> Iterator[tuple[HandleRef, Value]]:
        """What was dealt or shown to a seat in the present game."""
        for _, reader, cards in self.looks:
            if reader == seat:
                yield from cards

    def go_back(self, to: int) -> None:
        """Decks and seals as they were when height `to` opened. Rolls and epochs never go back."""
        done = [item for item in self._done if item[0] < to]
        self.looks = [look for look in self.looks if look[0] < to]
        self._decks, self.seals, self._sealed, self._done = OpenDecks(), Seals(self.table), {}, []
        for height, deed in done:
            self._do(height, deed)

    def _do(self, height: int, deed: _Shuffled | _Placed | _Taken) -> None:
        match deed:
            case _Shuffled(value, members, handles):
                self._decks.shuffle(value, members, handles)
            case _Placed(handle, author, epoch, committed, _):
                self.seals.place(handle, author, epoch, committed)
                self._sealed[handle] = deed
            case _Taken(handles):
                for handle in handles:
                    self.seals.write_off(self._sealed.pop(handle).author, [handle])
                self.seals.take(handles)
        self._done.append((height, deed))


class Purse:
    """The secrets of one member. choices: its sealed values by name, as they were made durable with their entries."""

    def __init__(self, secret: bytes, table: bytes, me: bytes, choices: Mapping[str, bytes]) -> None:
        self._secret, self._table, self._me = secret, table, me
        self._choices = dict(choices)

    def __repr__(self) -> str:
        return "Purse(…)"

    def commit(self, epoch: int, k: int) -> Plain:
        return [k, self._commitment(epoch, k)]

    def open(self, epoch: int, k: int) -> Plain:
        return [k, seed(self._secret, self._table, epoch, k), self._commitment(epoch, k + 1)]

    def _commitment(self, epoch: int, k: int) -> bytes:
        return commitment(self._table, epoch, k, self._me, seed(self._secret, self._table, epoch, k))

    def seal(self, epoch: int, handle: HandleRef, value: Value) -> tuple[bytes, tuple[str, bytes]]:
        """The commitment to a choice, and the (name, secret) that must be durable before the commitment is sent."""
        data = encode(value)
        nonce = seal_nonce(self._secret, self._table, epoch, handle)
        self._choices[_name(epoch, handle)] = data
        return seal_commitment(self._table, epoch, handle, self._me, data, nonce), (_name(epoch, handle), data)

    def reveal(self, seals: Seals, handles: Sequence[HandleRef]) -> Plain | None:
        """The opening of my choices under these handles; None when the store has lost one."""
        cards: list[Plain] = []
        for handle in handles:
            epoch = seals.epoch(handle)
            data = self._choices.get(_name(epoch, handle))
            if data is None:
                return None
            cards.append([*handle, decode(data), seal_nonce(self._secret, self._table, epoch, handle)])
        return cards


def _name(epoch: int, handle: HandleRef) -> str:
    return f"seal/{epoch}/{handle[0]}/{handle[1]}"
