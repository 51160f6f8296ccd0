# SPDX-License-Identifier: GPL-3.0-or-later
"""Section 6.2 of cards and choices: shuffles, deals, peeks, reveals, decks dealt anew, and seals."""

from __future__ import annotations

from typing import Any

from second.anew import Anew
from second.cards import Handle, Opening
from second.choices import Choice, opening_fits, read_seal
from second.codec import Refused, is_bytes, is_int, is_list, refuse
from second.dice import ThresholdKey
from second.entries import STAGES, Entry
from second.position import Position
from second.proofs import Shuffle
from second.told import Row
from second.waits import Answers, Keys, Later, Over, Prepare, Roll, Slot, Wait, never


class CardWait(Wait):
    guarded = True

    def __init__(self, position: Position, asked: list[Any]) -> None:
        super().__init__(position, asked)
        assert position.sealed is not None
        self.sealed = position.sealed
        self.holders = [position.keys.index(key) for key in self.sealed.keys.keys]

    def turn(self, stage: int) -> int | None:
        """The holder whose turn it is at this stage."""
        return next((number for number in self.holders if (stage, number) not in self.slots), None)

    def in_turn(self, member: int, stage: int) -> Slot:
        if member not in self.holders or (stage, member) in self.slots:
            never()
        if self.turn(stage) != member:
            raise Later
        return stage, member


class SealedShuffle(CardWait):
    kinds = ("shuffle",)

    def __init__(self, position: Position, asked: list[Any]) -> None:
        super().__init__(position, asked)
        _, _, self.deck, self.cards, handles = asked
        self.handles: list[Handle] = [(deck, index) for deck, index in handles]
        if not self.sealed.decks.finished:
            refuse("told/other-question", "a shuffle before the decks are made")
        lying = set(self.sealed.decks.lie.lying)
        back = [(card[0], card[1]) for card in self.cards if isinstance(card, list)]
        if not set(back) <= lying or len(set(back)) < len(back):
            refuse("told/other-question", "a card is put back that does not lie there")
        if set(self.handles) & lying or len(set(self.handles)) < len(self.handles):
            refuse("told/other-question", "a new handle is used already")
        self.pairs, self.numbers = self.sealed.enter(self.deck, self.cards)
        if self.cards:
            self.sealed.decks.shuffles += 1
        self.number = self.sealed.decks.shuffles

    def owed(self) -> list[tuple[int, int]]:
        turn = self.turn(2)
        return [(turn, 2)] if turn is not None and self.cards else []

    def place(self, entry: Entry, member: int) -> Slot:
        return self.in_turn(member, 2) if self.cards else never()

    def take(self, entry: Entry, member: int, body: Any) -> bool:
        shuffle = Shuffle(body, len(self.pairs))
        keys = self.sealed.keys
        if not shuffle.proves(keys.shuffle_place(self.deck, self.number, entry.author), keys.public, self.pairs):
            refuse("deck/shuffle-proof")
        self.pairs = shuffle.output
        return True

    def finish(self) -> None:
        self.sealed.lay(self.position.height, self.cards, self.handles, self.pairs, self.numbers)


class DealAnew(CardWait):
    kinds = ("shuffle", "remask", "tag", "share")

    def __init__(self, position: Position, asked: list[Any]) -> None:
        super().__init__(position, asked)
        sealed = self.sealed
        if sealed.before is None or not sealed.decks.made or asked[1] not in sealed.decks.anew:
            refuse("told/other-question", "no deck to deal anew")
        self.reads = {(handle, reader) for _, handle, reader in sealed.reads}
        self.anew = Anew(sealed.before, sealed.keys, asked[1], sealed.decks.shuffles, self.reads)
        readers = {hand.reader for hand in self.anew.hands}
        self.readers = [position.keys.index(key) for key in sealed.keys.keys if key in readers]

    def stage(self) -> int:
        for stage, members in ((2, self.holders), (3, self.readers), (4, self.holders), (7, self.holders)):
            if any((stage, number) not in self.slots for number in members):
                return stage
        return 8

    def owed(self) -> list[tuple[int, int]]:
        stage = self.stage()
        if stage in (2, 4):
            return [(number, stage) for number in [self.turn(stage)] if number is not None]
        members = self.readers if stage == 3 else self.holders if stage == 7 else []
        return [(number, stage) for number in members if (stage, number) not in self.slots]

    def place(self, entry: Entry, member: int) -> Slot:
        stage = STAGES[entry.kind]
        members = self.readers if stage == 3 else self.holders
        if member not in members or (stage, member) in self.slots:
            never()
        if stage > self.stage():
            raise Later
        return self.in_turn(member, stage) if stage in (2, 4) else (stage, member)

    def take(self, entry: Entry, member: int, body: Any) -> bool:
        if entry.kind == "shuffle":
            shuffle = Shuffle(body, len(self.anew.fresh))
            keys = self.sealed.keys
            place = keys.shuffle_place(self.anew.deck, self.anew.number, entry.author)
            if not shuffle.proves(place, keys.public, self.anew.fresh):
                refuse("deck/shuffle-proof")
            self.anew.fresh = shuffle.output
        elif entry.kind == "remask":
            self.anew.remask(entry.author, body)
        elif entry.kind == "tag":
            self.anew.blind(entry.author, body)
        else:
            self.anew.share(entry.author, body)
        return True

    def finish(self) -> None:
        decks = self.sealed.decks
        decks.anew.remove(self.anew.deck)
        self.anew.lay(decks)
        decks.record(self.position.height)
        self.sealed.changed = self.sealed.changed or self.anew.hand_changed(decks, self.reads)
        self.sealed.floor = self.position.height + 1


class Reading(CardWait):
    """A `deal` or `show` of sealed cards."""

    kinds = ("remask", "share")

    def __init__(self, position: Position, asked: list[Any]) -> None:
        super().__init__(position, asked)
        if not self.sealed.decks.finished:
            refuse("told/other-question", "cards before the decks are made")
        owner = position.owner.get(asked[1])
        self.reader = position.keys[owner] if owner is not None else b""
        handles: list[Handle] = [(deck, index) for deck, index in asked[-1]]
        found = [self.sealed.decks.card(handle) for handle in handles]
        if self.reader not in self.sealed.keys.keys:
            found = []
        self.opening = Opening(self.sealed.keys, [card for card in found if card], self.reader, reveal=False)
        self.opening.begin()

    def stage(self) -> int:
        asked = [number for number in self.holders if self.opening.to_remask(self.position.keys[number])]
        return 3 if asked else 7

    def owed(self) -> list[tuple[int, int]]:
        stage = self.stage()
        cards = self.opening.to_remask if stage == 3 else self.opening.to_share
        return [(number, stage) for number in self.holders if cards(self.position.keys[number])]

    def place(self, entry: Entry, member: int) -> Slot:
        stage = STAGES[entry.kind]
        key = self.position.keys[member]
        if (stage, member) in self.slots or member not in self.holders:
            never()
        if stage == 3:
            return (3, member) if self.opening.to_remask(key) else never()
        if self.stage() == 3:
            raise Later
        return (7, member) if self.opening.to_share(key) else never()

    def take(self, entry: Entry, member: int, body: Any) -> bool:
        (self.opening.remask if entry.kind == "remask" else self.opening.share)(entry.author, body)
        return True

    def finish(self) -> None:
        height = self.position.height
        self.opening.end(height, self.sealed.number_of)
        self.sealed.reads += [(height, (deck, index), self.reader) for deck, index in self.asked[-1]]

    def undo(self) -> None:
        self.opening.undo()


class Reveal(Wait):
    """A `reveal` of cards and choices, sealed or open."""

    kinds: tuple[str, ...] = ("reveal", "partial")
    guarded = True

    def __init__(self, position: Position, asked: list[Any]) -> None:
        super().__init__(position, asked)
        self.handles: list[Handle] = [(deck, index) for deck, index in asked[2]]
        self.choices = {handle: position.choices[handle] for handle in self.handles if handle in position.choices}
        self.opening = self.open_cards()
        if self.opening:
            self.kinds = ("remask", "share", "reveal", "partial")
        present = self.present = position.present()
        self.due: dict[int, list[Handle]] = {}
        self.forced: dict[Handle, ThresholdKey] = {}
        self.partials: dict[Handle, dict[bytes, bytes]] = {}
        self.told: dict[Handle, Any] = {}
        for handle, choice in self.choices.items():
            author = position.keys.index(choice.author)
            if choice.opened_at is not None or choice.closed:
                continue
            if author in present:
                self.due.setdefault(author, []).append(handle)
            elif choice.key and len(self.sharers(choice.key)) >= choice.key.threshold:
                self.forced[handle] = choice.key
                self.partials[handle] = {}

    def open_cards(self) -> Opening | None:
        sealed = self.position.sealed
        handles = [handle for handle in self.handles if handle not in self.choices]
        if sealed is None or not handles:
            return None
        found = [sealed.decks.card(handle) for handle in handles]
        opening = Opening(sealed.keys, [card for card in found if card], None, reveal=True)
        opening.begin()
        return opening

    def sharers(self, key: ThresholdKey) -> list[int]:
        return [number for number in self.present if self.position.keys[number] in key.keys]

    def to_force(self, member: int) -> list[Handle]:
        return [handle for handle, key in self.forced.items() if member in self.sharers(key)]

    def unforced(self) -> list[Handle]:
        return [handle for handle, key in self.forced.items() if len(self.partials[handle]) < key.threshold]

    def holders(self) -> list[int]:
        return [self.position.keys.index(key) for key in self.opening.keys.keys] if self.opening else []

    def owed(self) -> list[tuple[int, int]]:
        owed = []
        if self.opening:
            keys = self.position.keys
            owed += [(number, 7) for number in self.holders() if self.opening.to_share(keys[number])]
        authors = self.waiting([number for number, handles in self.due.items() if handles])
        owed += [(number, 8) for number in authors if (8, number) not in self.slots]
        if self.unforced():
            forcers = sorted({number for key in self.forced.values() for number in self.sharers(key)})
            owed += [(number, 9) for number in forcers if (9, number) not in self.slots]
        return owed

    def short(self) -> bool:
        silent = {n for n in self.waiting(self.present) if (9, n) not in self.slots}
        able = [len(self.partials[h]) + len(silent & set(self.sharers(key))) for h, key in self.forced.items()]
        return any(able[at] < key.threshold for at, key in enumerate(self.forced.values()))

    def place(self, entry: Entry, member: int) -> Slot:
        stage = STAGES[entry.kind]
        if (stage, member) in self.slots:
            never()
        if stage == 7:
            if self.opening is None or member not in self.holders():
                never()
            if not self.opening.to_share(entry.author):
                never()
        elif stage == 8:
            if not self.due.get(member):
                never()
        elif stage == 3 or not self.to_force(member):
            never()
        return stage, member

    def take(self, entry: Entry, member: int, body: Any) -> bool:
        if entry.kind == "share":
            assert self.opening is not None
            self.opening.share(entry.author, body)
            return True
        return self.reveal(entry, member, body) if entry.kind == "reveal" else self.force(entry, member, body)

    def reveal(self, entry: Entry, member: int, body: Any) -> bool:
        handles = self.due[member]
        if not isinstance(body, list) or len(body) != len(handles):
            refuse("seal/form")
        for item, handle in zip(body, handles, strict=True):
            if not is_list(item, 4) or not is_int(item[1]) or tuple(item[:2]) != handle or not is_bytes(item[3], 32):
                refuse("seal/form")
        right = True
        for (_, _, value, nonce), handle in zip(body, handles, strict=True):
            choice = self.choices[handle]
            choice.opened_at = self.position.height
            if opening_fits(choice, value, nonce):
                choice.opened = value
            else:
                choice.closed, right = True, False
        self.due[member] = []
        if not right:
            refuse("seal/opening-mismatch")
        return True

    def force(self, entry: Entry, member: int, body: Any) -> bool:
        read = self.read_partial(entry.author, body)
        for handle, value in zip(self.to_force(member), read, strict=True):
            self.partials[handle][entry.author] = value
            if len(self.partials[handle]) == self.forced[handle].threshold:
                self.open_by_force(self.choices[handle], handle)
        return True

    def read_partial(self, author: bytes, body: Any) -> list[bytes]:
        handles = self.to_force(self.position.keys.index(author))
        if not handles:
            never()
        if not isinstance(body, list) or len(body) != len(handles):
            refuse("seal/form")
        read = []
        for item, handle in zip(body, handles, strict=True):
            if not is_list(item, 3) or not is_int(item[1]) or tuple(item[:2]) != handle:
                refuse("seal/form")
            point = self.choices[handle].point
            read.append(self.forced[handle].read_partial(author, point, item[2], "seal/form", "seal/proof"))
        return read

    def open_by_force(self, choice: Choice, handle: Handle) -> None:
        choice.opened_at = self.position.height
        try:
            choice.opened = choice.force(self.forced[handle].combined(self.partials[handle]))
        except Refused as fault:
            choice.closed = True
            self.faults.append((choice.entry, fault.code))

    def finish(self) -> None:
        if self.opening and self.position.sealed:
            self.opening.end(self.position.height, self.position.sealed.number_of)
        for handle, choice in self.choices.items():
            self.told[handle] = None if choice.closed else choice.opened
            del self.position.choices[handle]
        self.position.revealed[self.position.height] = self.choices

    def result(self, row: Row) -> list[Any]:
        """Where a choice was never sealed only the rules know the value."""
        given = row.result()
        known = given[0] if given and isinstance(given[0], list) and len(given[0]) == len(self.handles) else None
        found = []
        for at, handle in enumerate(self.handles):
            if handle in self.choices:
                found.append(None if self.choices[handle].closed else self.choices[handle].opened)
            elif handle in self.position.unsealed:
                found.append(known[at] if known else None)
            else:
                found.append(self.face(handle))
        return [found]

    def face(self, handle: Handle) -> Any:
        sealed = self.position.sealed
        if sealed is None:
            return self.position.open.faces.get(handle)
        card = sealed.decks.card(handle)
        if card is None or self.opening is None:
            return None
        point = None if card.known else card.last.opened(self.opening.keys.keys)
        number = card.number if card.known else sealed.number_of(handle[0], point) if point else None
        return sealed.faces[handle[0]][number] if number is not None else None

    def undo(self) -> None:
        if self.opening:
            self.opening.undo()
        for handle, choice in self.choices.items():
            if choice.opened_at != self.position.height:
                continue
            if handle in self.forced or self.position.keys.index(choice.author) not in self.position.left_out:
                choice.opened = choice.opened_at = None
                choice.closed = False


class Seal(Answers):
    kinds = ("seal",)

    def __init__(self, position: Position, asked: list[Any]) -> None:
        super().__init__(position, asked)
        self.handles: dict[int, Handle] = {seat: (row[0], row[1]) for seat, row in zip(asked[1], asked[2], strict=True)}
        sealed = position.sealed is not None and not asked[3]
        self.key = position.threshold.get("seal") if sealed else None
        self.sealed: dict[Handle, Choice] = {}

    def take(self, entry: Entry, member: int, body: Any) -> bool:
        position = self.position
        handle = self.handles[body[0]]
        choice = Choice(position.table, position.epoch, handle, entry.author, b"", position.height, entry.id)
        read_seal(choice, body[1:], self.key)
        self.sealed[handle] = choice
        return True

    def result(self, row: Row) -> list[Any]:
        return []

    def finish(self) -> None:
        self.position.choices.update(self.sealed)
        self.position.unsealed.update(set(self.handles.values()) - set(self.sealed))


class Nothing(Wait):
    """A question of open decks that nobody owes a word to."""


def seats_in(asked: list[Any]) -> list[int]:
    """The seats that a question names."""
    kind = asked[0]
    if kind in ("choose", "together", "seal"):
        return list(asked[1])
    return [asked[1]] if kind in ("deal", "show") else []


def wait_for(position: Position, asked: list[Any]) -> Wait:
    """What the height waits for. The question is the file's word: one that cannot be asked here is refused."""
    kind = asked[0]
    if not all(seat in position.owner for seat in seats_in(asked)):
        refuse("told/other-question", "a seat that there is not")
    if position.sealed and kind in ("anew", "shuffle", "deal", "show"):
        position.sealed.make(position.height)
        found: dict[str, type[Wait]] = {"anew": DealAnew, "shuffle": SealedShuffle, "deal": Reading, "show": Reading}
        return found[kind](position, asked)
    if kind == "reveal":
        if position.sealed and any((deck, index) not in position.choices for deck, index in asked[2]):
            position.sealed.make(position.height)
        return Reveal(position, asked)
    plain: dict[str, type[Wait]] = {
        "prepare": Prepare,
        "keys": Keys,
        "choose": Answers,
        "together": Answers,
        "seal": Seal,
        "roll": Roll,
        "shuffle": Roll,
        "deal": Nothing,
        "show": Nothing,
        "over": Over,
    }
    if kind not in plain:
        refuse("told/other-question")
    return plain[kind](position, asked)
