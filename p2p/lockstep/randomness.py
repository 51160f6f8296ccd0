# SPDX-License-Identifier: GPL-3.0-or-later
"""Dice, cards and secret choices of a table as all members know them, and the task of each height.

From three members on, a threshold lock of t members is mixed into every roll; with `dice=lock` the roll is that lock
alone. Where fewer are left, the last lock of three or more alone makes the rolls, as long as t of its members are here:
they can foresee them together, and choose none. With `draws=sealed`, cards are in sealed decks, and t other members can
open short choices. With `draws=open`, a shuffle is a roll, every program can see every card, and choices are fixed by a
hash alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal

from engine.core.dataclass import replace
from p2p.lockstep.cards import Redealing, Sharing, Shuffling
from p2p.lockstep.drawn import Look, Rolled
from p2p.lockstep.keymaking import Commits, Keys
from p2p.lockstep.machine import HandleRef, Pending
from p2p.lockstep.member_secrets import MemberSecrets
from p2p.lockstep.opening import Opening, Placed, SealedChoices, read_seal
from p2p.lockstep.rolling import Rolling
from p2p.lockstep.step import Step
from p2p.lockstep.task import Several, Task
from p2p.log.feeds import Feeds
from p2p.wire.codec import Plain, Value
from p2p.wire.entry import Entry
from seeds.anew import DealingAnew
from seeds.beacon import Beacon
from seeds.choices import Choice
from seeds.dealing import KeyGeneration
from seeds.deckkeys import Keyring
from seeds.opendeck import Card, OpenDecks
from seeds.sealedcards import Layout
from seeds.sealeddeck import SealedDecks
from seeds.streams import dice
from seeds.threshold import CheckPartial, ThresholdKey, check_partial

LOCKED_FROM: Final = 3
"""The least number of members for locked rolls. At a table of two nobody could open the lock for a silent member."""


class Randomness:
    """Dice, cards and secret choices of a table, as all members know them.

    Attributes:
        rolls: all finished rolls.
        shuffles: number of shuffles of sealed decks.
        anew: (height, deck) of each deck dealt anew.
        strayed: (height, handle, member) of each card that a remaining member had read and could not read after its
            deck was dealt anew, so that it may be another card now. Empty unless there is a fault.
        forced: (height, author, True if it could be opened) of each choice that the others opened.
        lone: the run whose lock alone makes the rolls of this epoch, since fewer than LOCKED_FROM members are left and
            t of its own are among them; else None.
        rolled_alone: height before which no roll can be taken back, since a lock alone made it.
        dealt_since: height before which cards of the present keys cannot be taken back.
        looks: every deal and peek of the present game.
        kept: (height, seat, handle, choice) of each own choice sealed for a later opening.
        late: members whose partial a roll had to wait for.
        check_partial: checks a partial; an audit checks many together, later.
        decks: the sealed decks, None until all keys are there.
        old_decks: the previous sealed decks, until each is dealt anew.
    """

    def __init__(
        self, table: bytes, member_secrets: MemberSecrets | None, *, sealed: bool, seedless: bool = False
    ) -> None:
        self.table, self.sealed, self.seedless = table, sealed, seedless
        self._secrets = member_secrets
        self.beacon = Beacon(table)
        self.run: KeyGeneration | None = None
        self.ring: Keyring | None = None
        self.choices = SealedChoices(table)
        self.rolls: list[Rolled] = []
        self.looks: list[Look] = []
        self.kept: list[tuple[int, int, HandleRef, Value]] = []
        self.reveals = self.shuffles = 0
        self.anew: list[tuple[int, str]] = []
        self.strayed: list[tuple[int, HandleRef, bytes]] = []
        self.forced: list[tuple[int, bytes, bool]] = []
        self.lone: KeyGeneration | None = None
        self.rolled_alone = 0
        self.dealt_since = 0
        self.late = set[bytes]()
        self.check_partial: CheckPartial = check_partial
        self._lock: KeyGeneration | None = None
        self.open_decks = OpenDecks()
        self._ordered: list[tuple[int, bytes, Pending]] = []
        self.decks: SealedDecks | None = None
        self.old_decks: SealedDecks | None = None
        self._unlaid: list[str] = []
        self._layouts: list[tuple[int, Layout]] = []
        self._opened: list[tuple[int, HandleRef]] = []

    # Members ---------------------------------------------------------------------------------------------------------

    def enter(
        self, epoch: int, members: Sequence[bytes], holders: Sequence[bytes], height: int, *, renew: bool = False
    ) -> None:
        """Begin a new epoch at this height.

        holders: the members that hold seats, left out or not. The decks are sealed to them, so other holders need new
            keys.
        renew: True if the same holders need new keys too.
        """
        self.beacon.enter(epoch, members)
        last = self.run if self.run is not None and self.run.done else self._lock
        self._lock = last
        here = [] if last is None else set(members).intersection(last.members)
        self.lone = last if last is not None and len(members) < LOCKED_FROM and len(here) >= last.t else None
        self.run = KeyGeneration(self.table, epoch, members) if len(members) >= LOCKED_FROM else None
        if not self.sealed or (self.ring is not None and self.ring.members == tuple(holders) and not renew):
            return
        generation = 0 if self.ring is None else self.ring.generation + 1
        self.ring = Keyring(self.table, generation, holders)
        self.dealt_since = height
        if self.decks is not None and not self._unlaid:
            self.old_decks = self.decks
        self.decks, self._unlaid, self._layouts = None, [], []

    def hand_on(self, old: bytes, new: bytes) -> None:
        """Let the table key `new`, which has the secret of `old`, read what that one could."""
        for decks in filter(None, (self.decks, self.old_decks)):
            decks.hand_on(old, new)
        for number, look in ((n, look) for n, look in enumerate(self.looks) if look.member == old):
            self.looks[number] = look._replace(member=new, cards=self._read_on(look, new))

    def holds_secret(self, member: bytes) -> bool:
        """True if the table secret of this program is that of a member, as the deck keys of that one show."""
        own, known = self._secrets, filter(None, (self.decks, self.old_decks))
        theirs = [decks.keys for decks in known if member in decks.keys.members]
        return own is not None and bool(theirs) and all(own.holds(keys, member) for keys in theirs)

    def _read_on(self, look: Look, reader: bytes) -> list[tuple[HandleRef, Value]]:
        """Return the cards that a key has read which goes on as `reader`, as far as this program can read them."""
        member_secrets, decks = self._secrets, self.old_decks if self._unlaid or self.decks is None else self.decks
        if member_secrets is None or decks is None or member_secrets.me != reader:
            return look.cards
        readable = {handle for handle, _ in look.cards if decks.holds(handle) and reader in decks.readers(handle)}
        return [(h, member_secrets.read(decks, h) if h in readable else card) for h, card in look.cards]

    # The task of a height --------------------------------------------------------------------------------------------

    def before(self, pending: Pending, height: int) -> tuple[Literal["prepare", "keys", "anew"], Task] | None:
        """Return the preparation that needs its own height before this wait, None if there is none. The first height
        always is one."""
        rolls, cards = self._rolls(pending), self._cards(pending)
        keyless = cards and self.ring is not None and bool(self.ring.owing)
        seeds = (rolls and self.lone is None) or pending.kind == "seal"
        if height == 0 or (seeds and self.beacon.uncommitted) or keyless:
            return "prepare", Commits(self.beacon, self.run, self.ring, height, decks=bool(keyless))
        if self.run is not None and not self.run.done and (rolls or self._short(pending)):
            return "keys", Keys(self.run)
        if cards:
            self._lay_out(height)
            if self._unlaid:
                assert self.old_decks is not None
                assert self.ring is not None
                read = {(handle, look.member) for look in self.looks for handle, _ in look.cards}
                return "anew", Redealing(DealingAnew(self.old_decks, self.ring.keys(), self._unlaid[0], read))
        return None

    def _rolls(self, pending: Pending) -> bool:
        return pending.kind == "roll" or (pending.kind == "shuffle" and not self.sealed)

    def _cards(self, pending: Pending) -> bool:
        """True if this wait needs sealed cards."""
        if pending.kind == "reveal":
            return self.sealed and any(handle not in self.choices for handle in pending.handles)
        return self.sealed and pending.kind in ("shuffle", "deal", "show")

    def _short(self, pending: Pending) -> bool:
        return self.sealed and pending.kind == "seal" and not pending.keep

    def _lay_out(self, height: int) -> None:
        """Make the decks of this generation, once all its keys are there."""
        assert self.ring is not None
        if self.decks is None:
            keys, old = self.ring.keys(), self.old_decks
            self.decks = SealedDecks(keys) if old is None else old.successor(keys)
            self._unlaid = [] if old is None else old.unlaid()
            self.dealt_since = 0 if old is None else height
            self._note_layout(height)

    def task(self, pending: Pending, height: int, head: bytes, members: Sequence[bytes], reader: bytes) -> Task | None:
        """Return the task of a wait, None for waits that only need answers.

        members: the present members.
        reader: the member that holds the seat of a deal or show.
        """
        if self._rolls(pending) and self.lone is not None:
            alone = self.beacon.alone(self.lone.epoch, height, head)
            return Rolling(alone, self.lone, self.late, self.check_partial, members)
        if self._rolls(pending):
            self.beacon.begin(height, head, seedless=self.seedless and self.run is not None)
            return Rolling(self.beacon, self.run, self.late, self.check_partial)
        match pending.kind:
            case "shuffle" if self.decks is not None:
                mixed = [_member(member) for member in pending.members]
                return Shuffling(self.decks, pending.deck, mixed, pending.handles)
            case "deal" | "show" if self.decks is not None:
                gone = reader not in self.decks.keys.members
                return Sharing(self.decks, pending.handles, reader, gone=gone)
            case "reveal":
                opening = Opening(self.choices, pending.handles, members)
                if not self._cards(pending):
                    return opening
                assert self.decks is not None
                cards = [handle for handle in pending.handles if handle not in self.choices]
                return Several(Sharing(self.decks, cards, None, gone=False), opening)
        return None

    # Seals -----------------------------------------------------------------------------------------------------------

    def seal_key(self, pending: Pending) -> ThresholdKey | None:
        """Return the key to which a choice must be sealed so that others can open it, None without one."""
        return self.run.key("seal") if self.run is not None and self._short(pending) else None

    def sealed_choice(self, entry: Entry, handle: HandleRef, pending: Pending) -> bytes | Choice | None:
        """Return the choice in a seal's body, None if it is malformed or false."""
        return read_seal(entry, handle, self.seal_key(pending))

    # The outcome of a height -----------------------------------------------------------------------------------------

    def outcome(
        self, step: Step, pending: Pending, height: int, epoch: int, head: bytes, owner: Mapping[int, bytes]
    ) -> tuple[Plain, Value]:
        """Finish the step. Return the part of the result, and the machine's input."""
        match step.task, pending.kind:
            case Rolling() as rolling, "roll":
                value, faces = self._rolled(rolling, pending)
                return [value, faces], list(faces)
            case Rolling() as rolling, _:
                value, _ = self._rolled(rolling, pending)
                self._ordered.append((height, value, pending))
                self.open_decks.shuffle(value, pending.members, pending.handles)
                return value, None
            case Shuffling(), _:
                self.shuffles += 1
                self._note_layout(height + 1)
            case _, "seal":
                self._seal(step, pending, height, epoch, head, owner)
            case task, "reveal":
                self.reveals += 1
                cards = self._revealed(task, pending.handles, height)
                self._note_opened(height, pending.handles)
                return cards, cards
            case task, "deal" | "show":
                if isinstance(task, Sharing):
                    task.finish()
                self._note_opened(height, pending.handles)
                seat = pending.seats[0]
                self.looks.append(Look(height, seat, owner[seat], self._faces(pending.handles, owner[seat])))
        return None, None

    def laid(self, task: Redealing, height: int) -> None:
        """Note that a deck was dealt anew."""
        assert self.decks is not None
        task.anew.lay(self.decks)
        self._unlaid.remove(task.anew.deck)
        self.anew.append((height, task.anew.deck))
        self.strayed += ((height, *lost) for lost in self._unreadable(task.anew.deck))
        self.dealt_since = height + 1
        self._note_layout(self.dealt_since)

    def _unreadable(self, deck: str) -> Iterator[tuple[HandleRef, bytes]]:
        """Yield the cards of a deck that a member has read and cannot read now."""
        assert self.decks is not None
        lying, members = self.decks.lying, self.decks.keys.members
        read = {(handle, look.member): None for look in self.looks for handle, _ in look.cards}
        for handle, member in read:
            card = lying.get(handle)
            hidden = card is not None and card.deck == deck and card.known is None
            if hidden and member in members and member not in self.decks.readers(handle):
                yield handle, member

    def _rolled(self, rolling: Rolling, pending: Pending) -> tuple[bytes, list[int]]:
        roll, lifted = rolling.finish()
        if self.lone is not None:
            self.beacon.passed()
            self.rolled_alone = roll.height + 1
        faces = dice(roll.value, pending.sides)
        kind: Literal["roll", "shuffle"] = "roll" if pending.kind == "roll" else "shuffle"
        what = kind, pending.tag, pending.sides, tuple(faces)
        self.rolls.append(Rolled(roll, *what, rolling.promised, lifted, rolling.threshold, rolling.holders))
        return roll.value, faces

    def roll_on(self, pending: Pending) -> tuple[Plain, Value]:
        """Add dice to the last roll: the next numbers of its stream. Return the part of the result, for all its dice,
        and the machine's input."""
        rolled = self.rolls[-1]
        sides = (*rolled.sides, *pending.sides)
        faces = dice(rolled.roll.value, sides)
        self.rolls[-1] = replace(rolled, sides=sides, faces=tuple(faces))
        return [rolled.roll.value, faces], list(faces[len(rolled.faces) :])

    def _seal(
        self, step: Step, pending: Pending, height: int, epoch: int, head: bytes, owner: Mapping[int, bytes]
    ) -> None:
        for seat, handle in zip(pending.seats_all, pending.handles, strict=True):
            entry = step.filled.get((1, seat))
            said = None if entry is None else self.sealed_choice(entry, handle, pending)
            choice = said if isinstance(said, Choice) else None
            committed = said.committed if isinstance(said, Choice) else said
            self.choices.place(
                height,
                Placed(
                    *(handle, owner[seat], epoch, head, committed, step.fallback[seat]),
                    *(b"" if entry is None else entry.id, choice, self.run if choice is not None else None),
                ),
            )
            member_secrets = self._secrets
            if member_secrets is None or member_secrets.me != owner[seat] or entry is None or committed is None:
                continue
            member_secrets.recall(epoch, handle, entry.body, choice, self.seal_key(pending))
            if pending.keep:
                self.kept.append((height, seat, handle, member_secrets.choice(epoch, handle)))

    def recall(self, feeds: Feeds) -> None:
        """Restore the values of own choices that were read in an earlier run and that the store has lost."""
        own = self._secrets
        if own is None:
            return
        for placed in self.choices.by(own.me):
            entry, key = feeds.get(placed.entry), placed.run.key("seal") if placed.run is not None else None
            if entry is not None and not own.knows(placed.epoch, placed.handle):
                own.recall(placed.epoch, placed.handle, entry.body, placed.choice, key)

    def _revealed(self, task: Task | None, handles: Sequence[HandleRef], height: int) -> list[Value]:
        cards: dict[HandleRef, Value] = dict(self.choices.take(height, handles))
        for part in task.parts if isinstance(task, Several) else (task,):
            if isinstance(part, Sharing):
                cards.update(part.finish())
            elif isinstance(part, Opening):
                self.forced.extend((height, author, opened) for author, opened in part.forced())
        if not self.sealed:
            cards.update(zip(rest := [h for h in handles if h not in cards], self.open_decks.faces(rest), strict=True))
        return [cards.get(handle) for handle in handles]

    # Cards seen, and going back --------------------------------------------------------------------------------------

    def _faces(self, handles: Sequence[HandleRef], reader: bytes) -> list[tuple[HandleRef, Value]]:
        """Return the cards of a deal or peek that this program can read."""
        if not self.sealed:
            return list(zip(handles, self.open_decks.faces(handles), strict=True))
        member_secrets, decks = self._secrets, self.decks
        if member_secrets is None or decks is None or member_secrets.me != reader or reader not in decks.keys.members:
            return [(handle, None) for handle in handles]
        return [(handle, member_secrets.read(decks, handle)) for handle in handles]

    def seen(self, seat: int, since: int = 0) -> Iterator[tuple[HandleRef, Value]]:
        """Yield the cards dealt or shown to a seat since a height of the present game, and its choices sealed for
        later, as far as they are known here."""
        for look in self.looks:
            if look.seat == seat and look.height >= since:
                yield from ((handle, card) for handle, card in look.cards if card is not None)
        for height, author, handle, choice in self.kept:
            if author == seat and height >= since and choice is not None:
                yield handle, choice

    def go_back(self, to: int) -> None:
        """Restore cards and choices as they were when height `to` opened. Rolls, epochs, keys, cards that were read and
        everything before `dealt_since` stay."""
        self.choices.go_back(to)
        self.looks = [look for look in self.looks if look.height < to]
        self.kept = [kept for kept in self.kept if kept[0] < to]
        self._ordered = [item for item in self._ordered if item[0] < to]
        self.open_decks = OpenDecks(self.open_decks.begun)
        for _, value, pending in self._ordered:
            self.open_decks.shuffle(value, pending.members, pending.handles)
        self._layouts = [item for item in self._layouts if item[0] <= to]
        if self.decks is not None:
            self.decks.go_back(self._layouts[-1][1] if self._layouts else Layout({}, {}, {}))
            self._close_since(to)

    def reads(self, pending: Pending) -> bool:
        """True if a wait shows sealed cards to somebody."""
        if self.decks is None or pending.kind not in ("deal", "show", "reveal"):
            return False
        return any(deck in self.decks.faces for deck, _ in pending.handles)

    def _note_opened(self, height: int, handles: Sequence[HandleRef]) -> None:
        """Note those of these cards that all know now."""
        if self.decks is not None:
            cards = [handle for handle in handles if self.decks.holds(handle)]
            self._opened += [(height, handle) for handle in cards if self.decks.card(handle).known is not None]

    def _close_since(self, to: int) -> None:
        """Let cards that were opened at or above a height count as sealed again, as far as they lie there."""
        assert self.decks is not None
        before = [(height, handle) for height, handle in self._opened if height < to]
        stays = {handle for _, handle in before}
        for handle in {handle: None for _, handle in self._opened if handle not in stays}:
            if self.decks.holds(handle):
                self.decks.card(handle).known = None
        self._opened = before

    def _note_layout(self, height: int) -> None:
        assert self.decks is not None
        self._layouts.append((height, self.decks.layout()))


def _member(value: Value) -> Card | HandleRef:
    """A card, or a handle put back, as sealed decks name it."""
    match value:
        case [str() as deck, int() as index]:
            return deck, index
        case int() | str():
            return value
    raise TypeError(f"neither a card nor a handle: {value!r:.40}")
