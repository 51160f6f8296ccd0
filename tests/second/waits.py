# SPDX-License-Identifier: GPL-3.0-or-later
"""Section 6.2: what a height waits for, who owes what, and what an entry may say."""

from __future__ import annotations

from typing import Any, NoReturn

from second.codec import is_bytes, is_int, is_list, is_number, refuse
from second.dice import ThresholdKey, commitment, lock_base, roll_value
from second.entries import STAGES, Entry
from second.hashing import H, Stream
from second.position import Position
from second.told import Row

Slot = tuple[int, int]


class Later(Exception):  # noqa: N818  # the word of the document
    """The stage or turn of an entry has not come; its feed waits."""


def never() -> NoReturn:
    refuse("entry/not-asked")


class Wait:
    """A height that is open.

    `kinds` are those of the entries that it takes; `guarded` tells if it is one of cards, keys or openings (9.2).
    """

    kinds: tuple[str, ...] = ()
    guarded = False

    def __init__(self, position: Position, asked: list[Any]) -> None:
        self.position = position
        self.asked = asked
        self.slots: dict[Slot, Entry] = {}
        self.faults: list[tuple[bytes, str]] = []
        """Faults that an entry shows of another one, by the id of that one."""

    def owed(self) -> list[tuple[int, int]]:
        """(member, stage) of each entry that is waited for now; nobody that is not waited for."""
        return []

    def short(self) -> bool:
        """True if partials are missing, and fewer than t have given one or still may."""
        return False

    def place(self, entry: Entry, member: int) -> Slot:
        """The slot of an entry that is due; raises `Later`, or a refusal if it never is."""
        stage = STAGES[entry.kind]
        if (stage, member) in self.slots or not self.expects(member, stage):
            never()
        return stage, member

    def expects(self, member: int, stage: int) -> bool:
        return (member, stage) in self.owed()

    def take(self, entry: Entry, member: int, body: Any) -> bool:
        """Judges the content; raises its fault. False if the entry fills no slot all the same. A height that waits for
        nothing takes none."""
        never()

    def filled(self) -> None:
        """Called when an entry has got its slot."""

    def read_partial(self, author: bytes, body: Any) -> list[bytes]:
        """The values of a `partial`, which is judged also after the height is resolved."""
        never()

    def result(self, row: Row) -> list[Any]:
        """[value] of the result that the entries give, or an empty list. `row` holds what only the rules know."""
        return []

    def finish(self) -> None:
        """The height is resolved by its entries."""

    def undo(self) -> None:
        """The height comes to nothing."""

    def basis(self, stage: int, own: bool) -> bytes:
        ids = [self.slots[slot].id for slot in sorted(self.slots) if slot[0] < stage or (own and slot[0] == stage)]
        return H("basis", ids)

    def waiting(self, members: list[int]) -> list[int]:
        """Those of these members that are not left out."""
        return [number for number in members if number not in self.position.left_out]


class Over(Wait):
    """The game is over; nobody owes an entry with a stage."""


class Prepare(Wait):
    kinds = ("commit",)

    def __init__(self, position: Position, asked: list[Any]) -> None:
        super().__init__(position, asked)
        self.lacking = [number for number in position.present() if number not in position.commitments]
        self.guarded = not self.lacking

    def keyless(self) -> list[int]:
        """Holders whose deck keys are missing and who are no members."""
        sealed = self.position.sealed
        if sealed is None:
            return []
        numbers = [self.position.keys.index(key) for key in sealed.keys.keys if key not in sealed.keys.points]
        return [number for number in numbers if number not in self.position.members]

    def owed(self) -> list[tuple[int, int]]:
        if not self.lacking:
            return [(number, 1) for number in self.keyless()]
        return [(number, 1) for number in self.waiting(self.lacking) if (1, number) not in self.slots]

    def expects(self, member: int, stage: int) -> bool:
        return member in self.lacking

    def take(self, entry: Entry, member: int, body: Any) -> bool:
        position = self.position
        if not is_list(body, 4) or not is_number(body[0]):
            refuse("beacon/form")
        k, promise, announcement, deck_key = body
        read = key_point = None
        if len(position.members) >= 3:
            read = position.run.read_announcement(entry.author, announcement)
        elif announcement is not None:
            refuse("keys/form")
        sealed = position.sealed
        if sealed and entry.author in sealed.keys.keys and entry.author not in sealed.keys.points:
            key_point = sealed.keys.read_key(entry.author, deck_key)
        elif deck_key is not None:
            refuse("deck/form")
        if k != position.k:
            refuse("beacon/other-roll")
        if not is_bytes(promise, 32):
            refuse("beacon/form")
        position.commitments[member] = promise
        if read is not None:
            position.run.announced[entry.author] = read
        if sealed and key_point is not None:
            sealed.keys.points[entry.author] = key_point
        return True


class Keys(Wait):
    kinds = ("keys", "ok", "complaint")
    guarded = True

    def __init__(self, position: Position, asked: list[Any]) -> None:
        super().__init__(position, asked)
        self.roster = list(position.members)
        self.convicted: list[int] = []
        """Whose word the height waits for until a vote ends it."""

    def dealt(self) -> bool:
        return all((1, number) in self.slots for number in self.roster)

    def owed(self) -> list[tuple[int, int]]:
        stage = 5 if self.dealt() else 1
        owed = [(number, stage) for number in self.roster if (stage, number) not in self.slots]
        return owed + [(number, 1) for number in self.convicted]

    def place(self, entry: Entry, member: int) -> Slot:
        stage = STAGES[entry.kind]
        if member not in self.roster or (stage, member) in self.slots:
            never()
        if stage == 5 and not self.dealt():
            raise Later
        return stage, member

    def take(self, entry: Entry, member: int, body: Any) -> bool:
        run = self.position.run
        if entry.kind == "keys":
            run.dealt[entry.author] = run.read_keys(entry.author, body)
        elif entry.kind == "ok":
            if not isinstance(body, bytes):
                refuse("keys/form")
            if body != run.ok() and member not in self.convicted:
                self.convicted.append(member)
        else:
            dealer = self.position.keys.index(run.read_complaint(entry.author, body))
            if dealer not in self.convicted:
                self.convicted.append(dealer)
                self.faults.append((self.slots[1, dealer].id, "keys/bad-share"))
        return True

    def finish(self) -> None:
        self.position.threshold = self.position.run.finished()
        self.position.lock = self.position.threshold["dice"]

    def undo(self) -> None:
        self.position.run.dealt.clear()


class Answers(Wait):
    """`choose` and `together`, and `seal`: each seat asked says one thing."""

    kinds: tuple[str, ...] = ("answer",)

    def __init__(self, position: Position, asked: list[Any]) -> None:
        super().__init__(position, asked)
        present = position.present()
        self.seats = {seat: position.owner[seat] for seat in asked[1] if position.owner.get(seat) in present}
        self.values = 1

    def owed(self) -> list[tuple[int, int]]:
        waiting = self.waiting(list(self.seats.values()))
        return [(owner, 1) for seat, owner in self.seats.items() if owner in waiting and (1, seat) not in self.slots]

    def place(self, entry: Entry, member: int) -> Slot:
        if not isinstance(entry.body, list) or not entry.body or not is_int(entry.body[0]):
            never()
        seat: int = entry.body[0]
        if seat not in self.seats or (1, seat) in self.slots:
            never()
        if self.seats[seat] != member:
            refuse("entry/not-yours")
        return 1, seat

    def take(self, entry: Entry, member: int, body: Any) -> bool:
        most = 256 if self.asked[0] == "choose" else 1
        if not is_list(body, 2) or not isinstance(body[1], list) or not 1 <= len(body[1]) <= most:
            refuse("answer/shape")
        self.values = len(body[1])
        return True

    def result(self, row: Row) -> list[Any]:
        """Of the caretaker's values only the seats can be told: those that nobody has answered for."""
        silent = [seat for seat in self.asked[1] if (1, seat) not in self.slots]
        given = row.result()
        if not silent or not given or not isinstance(given[0], list):
            return [[[seat, None] for seat in silent]] if silent else []
        right = all(is_list(item, 2) for item in given[0]) and [item[0] for item in given[0]] == silent
        return given if right else [[[seat, None] for seat in silent]]


class Roll(Wait):
    """A `roll`, or a `shuffle` of open decks."""

    kinds = ("open", "partial")

    def __init__(self, position: Position, asked: list[Any]) -> None:
        super().__init__(position, asked)
        self.contributors = list(position.members)
        lone = position.lone_key()
        many = len(position.members) >= 3
        self.outlived = lone is not None
        self.lock: ThresholdKey | None = position.threshold.get("dice") if many else lone
        if many and self.lock is None:
            refuse("told/other-question", "a roll before there are keys")
        self.seedless = self.outlived or (many and position.genesis.lone)
        if not self.seedless and any(number not in position.commitments for number in position.present()):
            refuse("told/other-question", "a roll before there are commitments")
        self.epoch = self.lock.epoch if self.lock else position.epoch
        self.base = lock_base(position.table, self.epoch, position.k) if self.lock else b""
        self.k = position.k
        self.seeds: dict[int, bytes] = {}
        self.following: dict[int, bytes] = {}
        self.partials: dict[bytes, bytes] = {}

    def sharers(self) -> list[int]:
        position = self.position
        keys = self.lock.keys if self.lock else []
        return [number for number in position.members if position.keys[number] in keys]

    def opened(self) -> bool:
        return self.seedless or all((6, number) in self.slots for number in self.waiting(self.contributors))

    def owed(self) -> list[tuple[int, int]]:
        if not self.opened():
            return [(number, 6) for number in self.waiting(self.contributors) if (6, number) not in self.slots]
        if self.lock is None or len(self.partials) >= self.lock.threshold:
            return []
        return [(number, 9) for number in self.waiting(self.sharers()) if (9, number) not in self.slots]

    def short(self) -> bool:
        if self.lock is None or not self.opened():
            return False
        missing = {number for number, stage in self.owed() if stage == 9}
        return len(self.partials) + len(missing) < self.lock.threshold

    def place(self, entry: Entry, member: int) -> Slot:
        stage = STAGES[entry.kind]
        if (stage, member) in self.slots:
            never()
        if stage == 6 and (self.seedless or member not in self.contributors):
            never()
        if stage == 9:
            if member not in self.sharers():
                never()
            if not self.opened():
                raise Later
        return stage, member

    def take(self, entry: Entry, member: int, body: Any) -> bool:
        position = self.position
        if entry.kind == "partial":
            self.partials[entry.author] = self.read_partial(entry.author, body)[0]
            return True
        if not is_list(body, 3) or not is_number(body[0]):
            refuse("beacon/form")
        k, seed, following = body
        if k != position.k:
            refuse("beacon/other-roll")
        if not is_bytes(seed, 32) or not is_bytes(following, 32):
            refuse("beacon/form")
        if position.commitments.get(member) != commitment(position.table, position.epoch, k, entry.author, seed):
            refuse("beacon/opening-mismatch")
        self.seeds[member] = seed
        self.following[member] = following
        return True

    def read_partial(self, author: bytes, body: Any) -> list[bytes]:
        if self.lock is None or author not in self.lock.keys:
            never()
        if not is_list(body, 2) or not is_number(body[0]) or body[0] != self.k:
            refuse("lock/form")
        return [self.lock.read_partial(author, self.base, body[1], "lock/form", "lock/proof")]

    def value(self) -> bytes:
        position = self.position
        gamma = self.lock.combined(self.partials) if self.lock else None
        seeds = (
            [] if self.seedless else [[position.keys[number], self.seeds.get(number)] for number in self.contributors]
        )
        return roll_value(position.table, self.epoch, position.k, seeds, gamma)

    def result(self, row: Row) -> list[Any]:
        value = self.value()
        if self.asked[0] == "shuffle":
            return [value]
        sides = [side for roll in [self.asked, *row.rolls()] for side in roll[2]]
        return [[value, Stream(value, "dice").dice(sides)]]

    def finish(self) -> None:
        position = self.position
        if self.asked[0] == "shuffle":
            handles = [(deck, index) for deck, index in self.asked[4]]
            position.open.shuffle(self.value(), self.asked[3], handles)
        if not self.seedless:
            position.commitments = dict(self.following)
        if self.outlived:
            position.lone_floor = position.height + 1
        position.k += 1

    def undo(self) -> None:
        if not self.outlived:
            self.position.k += 1
