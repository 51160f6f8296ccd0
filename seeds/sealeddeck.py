# SPDX-License-Identifier: GPL-3.0-or-later
"""Sealed decks: face-down cards that nobody can read, not even all but one of the members together.

Every physical card has a number in its deck and a point M = hash to a point ("card", table, deck, number); a public
list gives the face of each number. A deck enters play publicly sealed with r = 1, and then every member in roster order
shuffles it, each with a proof (`shuffle`). Handles name positions, top first.

    state      input                          next       what happens
    ----------------------------------------------------------------------------------------------------------------
    IDLE       begin_shuffle(...)             SHUFFLING  fixes the input: new cards, and handles put back by name
    SHUFFLING  take(checked)                  SHUFFLING  the next member's turn; after the last: IDLE
    IDLE       begin_reading(handles, reader) READING    a Deal or Show to one member
    IDLE       begin_reading(handles, None)   READING    a Reveal to all
    READING    remask(member, ...)            READING    new masks of cards, for the reader
    READING    share(member, ...)             READING    shares of the members that owe them
    READING    finish()                       IDLE       nothing is owed
    any        abandon()                      IDLE       shuffle or reading ends without an outcome

Each sealed pair that somebody may read has one private reader; the log contains the shares of all other members. If it
had a second reader, also in a history that comes to nothing, the log would contain all shares, and all could read it.
So a card goes to each reader by a new pair, (A + r G, B + r Y), with a proof that both halves changed by the same r.
The reader makes it, with an r that is another one in another history. A card that somebody can read already is masked
by its last reader: if the next one did so, it would need the share of the last one alone, and who forges a history
would deceive nobody else. To reveal a card takes the missing share of its last reader, or the shares of all if nobody
has read it.

A Reveal that ends without an outcome may have published any share, even the one that a private reading would withhold,
and nobody can know which, since members received different shares. So a form that a Reveal has begun to open
(`SealedForm.shown`) is not used for a private reading. Its last reader first masks the card anew, even for itself.
Without a last reader no mask would hide the card from a member that withheld its share and has read it. Then a Deal or
Show opens the card like a Reveal, with the shares of all, so that all know what one may know. This happens only with
the consent of all members, which it takes to take back a Reveal.

Cards are put back by the name of their handle, never as a pair, so nobody can obtain shares for a chosen pair. Every
shuffle masks all pairs anew, so a reader cannot follow its card through a shuffle. The card of a handle put back can
still be revealed as long as the same members hold the keys.

Checking a shuffle is slow (`check` is pure and may run in another thread); taking a checked one is fast.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.dataclass import dataclass, field, replace
from seeds.deckkeys import DeckKeys, Shares, check_shares, make_shares
from seeds.errors import ContractError, Fault
from seeds.group import BASE, Point, add, mul, pack, sub
from seeds.opendeck import Card, Handle
from seeds.proofs import check, equal_logarithms, prove, scalar
from seeds.sealedcards import Layout, Lying, Remask, SealedForm, card_point, opened
from seeds.shuffle import MOST_CARDS, Sealed, remasked
from seeds.turns import CheckedShuffle, ShuffleTask


@dataclass(frozen=True, slots=True)
class _Shuffling:
    task: ShuffleTask
    new: tuple[int, ...]
    back: tuple[Handle, ...]
    handles: tuple[Handle, ...]


@dataclass(frozen=True, slots=True)
class _Reading:
    """A reading under way. shared, masked: the shares and new pairs that it has added so far."""

    handles: tuple[Handle, ...]
    reader: bytes | None
    shared: list[tuple[SealedForm, bytes]] = field(default_factory=list)
    masked: list[Lying] = field(default_factory=list)


class SealedDecks:
    """The state machine above, for all decks of one table and one generation of keys.

    Attributes:
        version: number of shuffles; it never goes back.
        faces: by deck, the face of every card that ever entered it, by its number.
        points: by point, its card.
        lying: by handle, its card.
        spent: by handle put back, its former card.
        numbers: by deck, the numbers of its cards.
    """

    def __init__(self, keys: DeckKeys) -> None:
        self.keys = keys
        self.version = 0
        self.faces: dict[str, list[Card]] = {}
        self.points: dict[Point, tuple[str, int]] = {}
        self.numbers: dict[str, tuple[int, ...]] = {}
        self.lying: dict[Handle, Lying] = {}
        self.spent: dict[Handle, Lying] = {}
        self._shuffling: _Shuffling | None = None
        self._reading: _Reading | None = None

    def layout(self) -> Layout:
        """Return the present layout of the cards."""
        return Layout(dict(self.lying), dict(self.spent), dict(self.numbers))

    def go_back(self, layout: Layout) -> None:
        """Restore a layout of the cards, and end a shuffle or reading under way.

        Published shares stay published: a card keeps its readers and passes to another only by a new mask, even if the
        table has taken back its deal. Cards of a Reveal under way count as shown, so their present pairs are never used
        for a private reading again.
        """
        self.abandon()
        self.lying, self.spent, self.numbers = dict(layout.lying), dict(layout.spent), dict(layout.numbers)

    def abandon(self) -> None:
        """End a shuffle or reading under way without an outcome. None of its messages counts, since they may not have
        reached all. A card of a Reveal stays shown."""
        if self._reading is not None:
            for pair, member in self._reading.shared:
                del pair.shares[member]
            for card in self._reading.masked:
                card.pairs.pop()
        self._shuffling = self._reading = None

    def successor(self, keys: DeckKeys) -> SealedDecks:
        """Return the decks of the next generation with the same cards. Cards that all know are already there;
        `anew.DealingAnew` adds the others. Cards put back before cannot be revealed any longer, unless all know
        them."""
        decks = SealedDecks(keys)
        decks.version = self.version + 1
        decks.faces, decks.points = {deck: list(faces) for deck, faces in self.faces.items()}, dict(self.points)
        decks.numbers = dict(self.numbers)
        for old, new in ((self.lying, decks.lying), (self.spent, decks.spent)):
            for handle, card in old.items():
                if card.known is not None:
                    point = card_point(keys.table, card.deck, card.known)
                    new[handle] = Lying(card.deck, [SealedForm((BASE, add(point, keys.public)))], card.known)
        return decks

    def hand_on(self, old: bytes, new: bytes) -> None:
        """Let the member `new`, which has the secret of `old`, read what that one could."""
        self.keys = self.keys.handed_on(old, new)
        for card in (*self.lying.values(), *self.spent.values()):
            for pair in card.pairs:
                pair.reader = new if pair.reader == old else pair.reader
                pair.shares = {new if member == old else member: share for member, share in pair.shares.items()}

    def unlaid(self) -> list[str]:
        """Return the names of the decks with cards that not all know. Each must be dealt anew for a successor."""
        return sorted({card.deck for card in self.lying.values() if card.known is None})

    def holds(self, handle: Handle) -> bool:
        """True if the present or former card under this handle can be revealed."""
        return handle in self.lying or handle in self.spent

    # Shuffles --------------------------------------------------------------------------------------------------------

    @property
    def task(self) -> ShuffleTask | None:
        """The shuffle that is due and its member, None without one."""
        return None if self._shuffling is None else self._shuffling.task

    def begin_shuffle(self, deck: str, members: Sequence[Card | Handle], handles: Sequence[Handle]) -> None:
        """Begin to put the members under new handles. members: cards, and handles put back."""
        self._idle()
        back = tuple(member for member in members if isinstance(member, tuple))
        taken = [handle for handle in handles if self.holds(handle)]
        if taken or len(handles) != len(members) or len(set(handles)) != len(handles) or len(set(back)) != len(back):
            raise ContractError(f"{len(members)} cards for {len(handles)} handles, of which {len(taken)} are not new")
        foreign = [handle for handle in back if handle not in self.lying or self.lying[handle].deck != deck]
        if foreign or not 1 <= len(members) <= MOST_CARDS:
            raise ContractError(f"no shuffle of {deck} can hold {foreign or len(members)} cards")
        first = len(self.faces.get(deck, ()))
        cards = tuple(
            self.card(member).pairs[-1].sealed if isinstance(member, tuple) else self._enter(deck, member)
            for member in members
        )
        self.version += 1
        new = tuple(range(first, len(self.faces.get(deck, ()))))
        self._shuffling = _Shuffling(ShuffleTask(self.keys, deck, self.version, 0, cards), new, back, tuple(handles))

    def take(self, checked: CheckedShuffle) -> None:
        """Take the checked shuffle of the member whose turn it is."""
        shuffling = self._shuffling
        if shuffling is None or checked.task != shuffling.task:
            raise ContractError("this shuffle was checked against another turn")
        task = replace(shuffling.task, turn=shuffling.task.turn + 1, cards=checked.cards)
        if task.turn < len(self.keys.members):
            self._shuffling = replace(shuffling, task=task)
            return
        for handle in shuffling.back:
            self.spent[handle] = self.lying.pop(handle)
        for handle, sealed in zip(shuffling.handles, task.cards, strict=True):
            self.lying[handle] = Lying(task.deck, [SealedForm(sealed)])
        self.numbers[task.deck] = (*self.numbers.get(task.deck, ()), *shuffling.new)
        self._shuffling = None

    def _enter(self, deck: str, face: Card) -> Sealed:
        faces = self.faces.setdefault(deck, [])
        point = card_point(self.keys.table, deck, len(faces))
        self.points[point] = deck, len(faces)
        faces.append(face)
        return BASE, add(point, self.keys.public)

    # Readings --------------------------------------------------------------------------------------------------------

    def begin_reading(self, handles: Sequence[Handle], reader: bytes | None) -> None:
        """Begin a Deal or Show to one member, or a Reveal to all (reader None)."""
        self._idle()
        if len(set(handles)) != len(handles) or (reader is not None and reader not in self.keys.members):
            raise ContractError("a card is read once at a time, and by a member")
        if reader is not None and not self.lying.keys() >= set(handles):
            raise ContractError("a card that does not lie there goes to nobody")
        if reader is None:
            for handle in handles:
                self.card(handle).pairs[-1].shown = True
        self._reading = _Reading(tuple(handles), reader)

    def owing_remask(self, member: bytes) -> list[Handle]:
        """Return the cards of this reading that the member must mask anew, in order."""
        return [handle for handle in self.current().handles if self._masker(self.card(handle)) == member]

    def owing_share(self, member: bytes) -> list[Handle]:
        """Return the cards of this reading of which the member must publish its share, in order; none before all are
        masked."""
        reading = self.current()
        if self.masking:
            return []
        cards = [(handle, self.card(handle)) for handle in reading.handles]
        asked = [(handle, card) for handle, card in cards if member != reading.reader or self._for_all(card)]
        unknown = [handle for handle, card in asked if card.known is None]
        return [handle for handle in unknown if member not in self.sealed_form(handle).shares]

    @property
    def masking(self) -> bool:
        """True if a member must still mask a card of this reading anew."""
        return any(self._masker(self.card(handle)) is not None for handle in self.current().handles)

    @property
    def owing(self) -> tuple[bytes, ...]:
        """The members that owe something to the reading, in roster order: masks first, then shares."""
        if self.masking:
            return tuple(member for member in self.keys.members if self.owing_remask(member))
        return tuple(member for member in self.keys.members if self.owing_share(member))

    def make_remask(self, member: bytes, fresh: bytes) -> Remask:
        """Return this member's new pairs. fresh: 32 random bytes."""
        pairs, proofs = [], []
        for number, handle in enumerate(self.owing_remask(member)):
            old = self.card(handle).pairs[-1].sealed
            r = scalar(fresh, "remask", number, self.current().reader, pack(old))
            new = remasked(old, self.keys.public, r)
            pairs.append(new)
            relation = equal_logarithms(sub(new[0], old[0]), self.keys.public, sub(new[1], old[1]))
            proofs.append(prove("remask", self.keys.place(member, *handle, pack(old)), relation, [r], fresh))
        return Remask(tuple(pairs), tuple(proofs))

    def remask(self, member: bytes, message: Remask) -> Fault | None:
        """Take a member's new pairs."""
        handles, reader = self.owing_remask(member), self.current().reader
        if not handles or len(handles) != len(message.pairs) or len(handles) != len(message.proofs):
            return Fault("deck/owes-no-remask" if not handles else "deck/form", member)
        for handle, new, proof in zip(handles, message.pairs, message.proofs, strict=True):
            old = self.card(handle).pairs[-1].sealed
            relation = equal_logarithms(sub(new[0], old[0]), self.keys.public, sub(new[1], old[1]))
            if new[0] == old[0] or not check("remask", self.keys.place(member, *handle, pack(old)), relation, proof):
                return Fault("deck/remask-proof", member)
        for handle, new in zip(handles, message.pairs, strict=True):
            self.card(handle).pairs.append(SealedForm(new, reader))
            self.current().masked.append(self.card(handle))
        return None

    def make_share(self, member: bytes, x: int, fresh: bytes) -> Shares:
        """Return this member's shares.

        x: its x_p.
        fresh: 32 random bytes.
        """
        return make_shares(self.keys, member, x, self.firsts(member), fresh)

    def firsts(self, member: bytes) -> tuple[Point, ...]:
        """Return the halves of which the member owes its shares now."""
        return tuple(self.sealed_form(handle).sealed[0] for handle in self.owing_share(member))

    def share(self, member: bytes, message: Shares, *, judged: bool = False) -> Fault | None:
        """Take a member's shares. judged: True if `check_shares` has accepted them for its `firsts`."""
        handles = self.owing_share(member)
        if not handles:
            return Fault("deck/owes-no-share", member)
        if not judged and not check_shares(self.keys, member, self.firsts(member), message):
            return Fault("deck/share-proof", member)
        for handle, value in zip(handles, message.values, strict=True):
            self.sealed_form(handle).shares[member] = value
            self.current().shared.append((self.sealed_form(handle), member))
        return None

    def finish(self) -> list[Card] | None:
        """End the finished reading. Return the cards of a Reveal, else None."""
        reading = self.current()
        if self.owing:
            raise ContractError(f"{len(self.owing)} members owe to this reading")
        cards = [self._known(handle) for handle in reading.handles if self._for_all(self.card(handle))]
        self._reading = None
        return cards if reading.reader is None else None

    def read(self, member: bytes, x: int, handle: Handle) -> Card:
        """Return a card that only this member may read. x: its x_p."""
        if self.card(handle).known is not None:
            return self._known(handle)
        for pair in self.card(handle).pairs:
            if pair.reader == member and len({*pair.shares, member}) == len(self.keys.members):
                return self._face(opened(pair, {**pair.shares, member: mul(x, pair.sealed[0])}))
        raise ContractError(f"{handle} is not for this member to read")

    def reader(self, handle: Handle) -> bytes | None:
        """Return the last private reader of a card, None without one."""
        return self.card(handle).pairs[-1].reader

    def readers(self, handle: Handle) -> dict[bytes, SealedForm]:
        """Return the members that can read a card in private, each with its last form, in the order of the forms."""
        everybody, forms = set(self.keys.members), dict[bytes, SealedForm]()
        for pair in self.card(handle).pairs:
            if pair.reader is not None and {*pair.shares, pair.reader} == everybody:
                forms.pop(pair.reader, None)
                forms[pair.reader] = pair
        return forms

    # Cards under handles ---------------------------------------------------------------------------------------------

    def _masker(self, card: Lying) -> bytes | None:
        """Return the member that must mask a card anew for the reader of this reading, None if nobody must: its last
        reader, or else the next one itself."""
        if card.known is not None or self._for_all(card) or self._own(card) is not None:
            return None
        return card.pairs[-1].reader or self.current().reader

    def _for_all(self, card: Lying) -> bool:
        """True if this reading opens a card to all: a Reveal, or a card without a last reader whose form was shown."""
        return self.current().reader is None or (card.pairs[-1].shown and card.pairs[-1].reader is None)

    def _own(self, card: Lying) -> SealedForm | None:
        """Return the pair of a card that only the reader of this reading may read, None without one."""
        reader = self.current().reader
        own = (pair for pair in card.pairs if reader is not None and pair.reader == reader)
        return next((pair for pair in own if not pair.shown), None)

    def sealed_form(self, handle: Handle) -> SealedForm:
        """Return the pair of a card that this reading uses."""
        card = self.card(handle)
        return self._own(card) or card.pairs[-1]

    def _known(self, handle: Handle) -> Card:
        card = self.card(handle)
        if card.known is None:
            point = opened(card.pairs[-1], card.pairs[-1].shares)
            card.known = self.card_at(point)[1]
        return self.faces[card.deck][card.known]

    def _face(self, point: Point) -> Card:
        deck, number = self.card_at(point)
        return self.faces[deck][number]

    def card_at(self, point: Point) -> tuple[str, int]:
        """The deck of a card's point, and the number of the card. LocalError for a point of no deck."""
        if point not in self.points:
            raise ContractError("a sealed card that is none of the deck's")
        return self.points[point]

    def card(self, handle: Handle) -> Lying:
        """Return the present or former card under a handle. Raises LocalError if there never was one."""
        card = self.lying.get(handle) or self.spent.get(handle)
        if card is None:
            raise ContractError(f"no card lies under {handle}")
        return card

    def current(self) -> _Reading:
        """Return the reading under way. Raises LocalError without one."""
        if self._reading is None:
            raise ContractError("no card is being read")
        return self._reading

    def _idle(self) -> None:
        if self._shuffling is not None or self._reading is not None:
            raise ContractError("one shuffle or reading at a time")
