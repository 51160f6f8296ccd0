"""Sealed decks: cards that lie face down for everybody, all others together included.

Every physical card has a number of its own in its deck and a point M = hash to a point ("card", table, deck, number); a
public list says which face each number has. A deck enters play sealed with r = 1, for all to see, and is then shuffled
by every member in roster order, each with a proof (`shuffle`). Handles name positions, top first.

    state      input                          next       what happens
    ----------------------------------------------------------------------------------------------------------------
    IDLE       begin_shuffle(...)             SHUFFLING  fixes the input: new cards, and handles put back by name
    SHUFFLING  take(checked)                  SHUFFLING  the next member's turn; after the last the handles lie: IDLE
    IDLE       begin_reading(handles, reader) READING    a Deal or Show to one member
    IDLE       begin_reading(handles, None)   READING    a Reveal to all
    READING    remask(member, ...)            READING    cards that somebody else could read, masked anew by him
    READING    share(member, ...)             READING    shares of those who owe them
    READING    finish()                       IDLE       nobody owes

Each sealed pair has one private reader, for whom all other members' shares stand in the log. Shown to a second reader
in the same way, all shares would stand there, and everybody could read it. So a card passes from reader to reader by a
new pair, (A + r G, B + r Y), made by the last reader with a proof that both halves moved by the same r. A card that is
revealed takes the missing share of its last reader, or everybody's if nobody has read it.

Cards go back by name of their handle, never as a pair, so nobody can have shares made for a pair of his own choice; and
as every shuffle masks all pairs anew, who has read a card cannot follow it through one.

Checking a shuffle takes long (`check`, pure, may run in another thread); taking one that is checked does not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from seeds.deckkeys import DeckKeys, Shares, check_shares, make_shares
from seeds.errors import Fault, LocalError
from seeds.group import BASE, Point, add, hash_point, mul, pack, read_points, sub, total
from seeds.hashing import Part
from seeds.opendeck import Card, Handle
from seeds.proofs import Proof, check, equal_logarithms, prove, read_proof, scalar
from seeds.shuffle import MOST_CARDS, Sealed, Shuffled, check_shuffle, remasked, shuffle


def card_point(table: bytes, deck: str, number: int) -> Point:
    """The point of a physical card."""
    return hash_point("card", table, deck, number)


@dataclass(slots=True)
class Pair:
    """One sealed form of a card. reader: who alone may read it; shares: what members have published of it."""

    sealed: Sealed
    reader: bytes | None = None
    shares: dict[bytes, Point] = field(default_factory=dict)


@dataclass(slots=True)
class Lying:
    """A card under its handle. pairs: its sealed forms, newest last; known: its number once everybody knows it."""

    deck: str
    pairs: list[Pair]
    known: int | None = None


@dataclass(frozen=True, slots=True)
class ShuffleTask:
    """What the member whose turn it is shuffles, and what its message is checked against."""

    keys: DeckKeys
    deck: str
    version: int
    turn: int
    cards: tuple[Sealed, ...]

    @property
    def member(self) -> bytes:
        """Whose turn it is."""
        return self.keys.members[self.turn]

    def make(self, fresh: bytes) -> Shuffled:
        """The member's shuffle. fresh: 32 bytes of chance."""
        return shuffle(self._place(), self.keys.public, self.cards, fresh)

    def check(self, member: bytes, shuffled: Shuffled) -> Fault | CheckedShuffle:
        """Judge a member's message for this turn."""
        if member != self.member:
            return Fault("deck/not-your-turn", member)
        if not check_shuffle(self._place(), self.keys.public, self.cards, shuffled):
            return Fault("deck/shuffle-proof", member)
        return CheckedShuffle(self, shuffled.cards)

    def _place(self) -> list[Part]:
        return self.keys.place(self.member, self.deck, self.version)


@dataclass(frozen=True, slots=True)
class CheckedShuffle:
    """A shuffle that passed its check."""

    task: ShuffleTask
    cards: tuple[Sealed, ...]


@dataclass(frozen=True, slots=True)
class Remask:
    """New pairs of cards that the author could read, in order, each with its proof."""

    pairs: tuple[Sealed, ...]
    proofs: tuple[Proof, ...]

    def plain(self) -> list[bytes]:
        """As it travels."""
        return [pack(half for pair in self.pairs for half in pair), b"".join(proof.packed() for proof in self.proofs)]


def read_remask(body: object, count: int) -> Remask | None:
    """The new pairs of `count` cards in an entry's body."""
    match body:
        case [bytes() as halves, bytes() as proofs] if len(proofs) == 64 * count:
            points = read_points(halves, 2 * count)
            proven = [read_proof(proofs[at : at + 64]) for at in range(0, len(proofs), 64)]
            sound = tuple(proof for proof in proven if proof is not None)
            if points is not None and len(sound) == count:
                return Remask(tuple(zip(points[::2], points[1::2], strict=True)), sound)
    return None


@dataclass(frozen=True, slots=True)
class Layout:
    """Which cards lie under which handles, to go back to: what shuffles changed, and nothing that was read."""

    lying: dict[Handle, Lying]
    numbers: dict[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class _Shuffling:
    task: ShuffleTask
    new: tuple[int, ...]
    back: tuple[Handle, ...]
    handles: tuple[Handle, ...]


@dataclass(frozen=True, slots=True)
class _Reading:
    handles: tuple[Handle, ...]
    reader: bytes | None


class SealedDecks:
    """The state machine above, for all decks of one table and one generation of keys.

    version: counts shuffles and never goes back; faces: of every card that ever entered a deck, by its number there;
    points: whose card a point is; lying: what lies under each handle; numbers: of the cards that lie in each deck.
    """

    def __init__(self, keys: DeckKeys) -> None:
        self.keys = keys
        self.version = 0
        self.faces: dict[str, list[Card]] = {}
        self.points: dict[Point, tuple[str, int]] = {}
        self.numbers: dict[str, tuple[int, ...]] = {}
        self.lying: dict[Handle, Lying] = {}
        self._shuffling: _Shuffling | None = None
        self._reading: _Reading | None = None

    def layout(self) -> Layout:
        """How the cards lie now."""
        return Layout(dict(self.lying), dict(self.numbers))

    def go_back(self, layout: Layout) -> None:
        """Lay the cards as they lay; a shuffle or reading under way is over.

        What was published stays published: a card keeps its readers, and goes to another only through a new mask, even
        if the table agreed that it was never dealt. A Reveal under way has begun to show its cards to whose share was
        missing; going back makes nobody forget them.
        """
        self.lying, self.numbers = dict(layout.lying), dict(layout.numbers)
        self._shuffling = self._reading = None

    def successor(self, keys: DeckKeys) -> SealedDecks:
        """Decks of the next generation, with the same cards, that `anew.DealingAnew` lays out."""
        decks = SealedDecks(keys)
        decks.version = self.version + 1
        decks.faces, decks.points = {deck: list(faces) for deck, faces in self.faces.items()}, dict(self.points)
        decks.numbers = dict(self.numbers)
        return decks

    # Shuffles --------------------------------------------------------------------------------------------------------

    @property
    def task(self) -> ShuffleTask | None:
        """The shuffle that is owed, and by whom."""
        return None if self._shuffling is None else self._shuffling.task

    def begin_shuffle(self, deck: str, members: Sequence[Card | Handle], handles: Sequence[Handle]) -> None:
        """Begin to lay the members under new handles. members: cards, and handles put back."""
        self._idle()
        back = tuple(member for member in members if isinstance(member, tuple))
        taken = [handle for handle in handles if handle in self.lying]
        if taken or len(handles) != len(members) or len(set(handles)) != len(handles) or len(set(back)) != len(back):
            raise LocalError(f"{len(members)} cards for {len(handles)} handles, of which {len(taken)} are not new")
        foreign = [handle for handle in back if self._card(handle).deck != deck]
        if foreign or not 1 <= len(members) <= MOST_CARDS:
            raise LocalError(f"no shuffle of {deck} can hold {foreign or len(members)} cards")
        first = len(self.faces.get(deck, ()))
        cards = tuple(
            self._card(member).pairs[-1].sealed if isinstance(member, tuple) else self._enter(deck, member)
            for member in members
        )
        self.version += 1
        new = tuple(range(first, len(self.faces.get(deck, ()))))
        self._shuffling = _Shuffling(ShuffleTask(self.keys, deck, self.version, 0, cards), new, back, tuple(handles))

    def take(self, checked: CheckedShuffle) -> None:
        """Take the checked shuffle of the member whose turn it is."""
        shuffling = self._shuffling
        if shuffling is None or checked.task != shuffling.task:
            raise LocalError("this shuffle was checked against another turn")
        task = replace(shuffling.task, turn=shuffling.task.turn + 1, cards=checked.cards)
        if task.turn < len(self.keys.members):
            self._shuffling = replace(shuffling, task=task)
            return
        for handle in shuffling.back:
            del self.lying[handle]
        for handle, sealed in zip(shuffling.handles, task.cards, strict=True):
            self.lying[handle] = Lying(task.deck, [Pair(sealed)])
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
        """Begin a Deal or Show to one member, or (None) a Reveal to all."""
        self._idle()
        if len(set(handles)) != len(handles) or (reader is not None and reader not in self.keys.members):
            raise LocalError("a card is read once at a time, and by a member")
        for handle in handles:
            card = self._card(handle)
            if reader is not None and card.known is None and card.pairs[-1].reader is None:
                card.pairs[-1].reader = reader
        self._reading = _Reading(tuple(handles), reader)

    def owing_remask(self, member: bytes) -> list[Handle]:
        """Cards of this reading that the member must mask anew, in order."""
        reading = self._current()
        if reading.reader is None:
            return []
        cards = [(handle, self.lying[handle]) for handle in reading.handles]
        return [handle for handle, card in cards if self._missing(card) and card.pairs[-1].reader == member]

    def owing_share(self, member: bytes) -> list[Handle]:
        """Cards of this reading of which the member must publish its share, in order; none before all are masked."""
        reading = self._current()
        if member == reading.reader or any(map(self.owing_remask, self.keys.members)):
            return []
        pairs = [(handle, self._pair(handle)) for handle in reading.handles if self.lying[handle].known is None]
        return [handle for handle, pair in pairs if member not in pair.shares]

    @property
    def owing(self) -> tuple[bytes, ...]:
        """Members that owe something to the reading, in roster order: masks first, then shares."""
        masks = tuple(member for member in self.keys.members if self.owing_remask(member))
        return masks or tuple(member for member in self.keys.members if self.owing_share(member))

    def make_remask(self, member: bytes, fresh: bytes) -> Remask:
        """This member's new pairs. fresh: 32 bytes of chance."""
        pairs, proofs = [], []
        for number, handle in enumerate(self.owing_remask(member)):
            old = self.lying[handle].pairs[-1].sealed
            r = scalar(fresh, "remask", number, pack(old))
            new = remasked(old, self.keys.public, r)
            pairs.append(new)
            relation = equal_logarithms(sub(new[0], old[0]), self.keys.public, sub(new[1], old[1]))
            proofs.append(prove("remask", self.keys.place(member, *handle, pack(old)), relation, [r], fresh))
        return Remask(tuple(pairs), tuple(proofs))

    def remask(self, member: bytes, message: Remask) -> Fault | None:
        """Take a member's new pairs."""
        handles, reader = self.owing_remask(member), self._current().reader
        if not handles or len(handles) != len(message.pairs) or len(handles) != len(message.proofs):
            return Fault("deck/owes-no-remask" if not handles else "deck/form", member)
        for handle, new, proof in zip(handles, message.pairs, message.proofs, strict=True):
            old = self.lying[handle].pairs[-1].sealed
            relation = equal_logarithms(sub(new[0], old[0]), self.keys.public, sub(new[1], old[1]))
            if new[0] == old[0] or not check("remask", self.keys.place(member, *handle, pack(old)), relation, proof):
                return Fault("deck/remask-proof", member)
        for handle, new in zip(handles, message.pairs, strict=True):
            self.lying[handle].pairs.append(Pair(new, reader))
        return None

    def make_share(self, member: bytes, x: int, fresh: bytes) -> Shares:
        """This member's shares. x: its x_p; fresh: 32 bytes of chance."""
        return make_shares(self.keys, member, x, self._firsts(self.owing_share(member)), fresh)

    def share(self, member: bytes, message: Shares) -> Fault | None:
        """Take a member's shares."""
        handles = self.owing_share(member)
        if not handles:
            return Fault("deck/owes-no-share", member)
        if not check_shares(self.keys, member, self._firsts(handles), message):
            return Fault("deck/share-proof", member)
        for handle, value in zip(handles, message.values, strict=True):
            self._pair(handle).shares[member] = value
        return None

    def finish(self) -> list[Card] | None:
        """End the reading to which nobody owes anything: the cards if it was a Reveal."""
        reading = self._current()
        if self.owing:
            raise LocalError(f"{len(self.owing)} members owe to this reading")
        self._reading = None
        if reading.reader is not None:
            return None
        return [self._known(handle) for handle in reading.handles]

    def read(self, member: bytes, x: int, handle: Handle) -> Card:
        """The card that this member alone may read. x: its x_p."""
        if self._card(handle).known is not None:
            return self._known(handle)
        for pair in self._card(handle).pairs:
            if pair.reader == member and len({*pair.shares, member}) == len(self.keys.members):
                return self._face(opened(pair, {**pair.shares, member: mul(x, pair.sealed[0])}))
        raise LocalError(f"{handle} is not for this member to read")

    def reader(self, handle: Handle) -> bytes | None:
        """The last private reader of a card."""
        return self._card(handle).pairs[-1].reader

    # What lies where -------------------------------------------------------------------------------------------------

    def _missing(self, card: Lying) -> bool:
        """Whether a card that not everybody knows has no pair for the reader of this reading."""
        return card.known is None and self._current().reader not in [pair.reader for pair in card.pairs]

    def _pair(self, handle: Handle) -> Pair:
        """The pair of a card that this reading is about."""
        pairs, reader = self.lying[handle].pairs, self._current().reader
        return next((pair for pair in pairs if reader is not None and pair.reader == reader), pairs[-1])

    def _firsts(self, handles: Sequence[Handle]) -> list[Point]:
        return [self._pair(handle).sealed[0] for handle in handles]

    def _known(self, handle: Handle) -> Card:
        card = self.lying[handle]
        if card.known is None:
            point = opened(card.pairs[-1], card.pairs[-1].shares)
            card.known = self._number(point)[1]
        return self.faces[card.deck][card.known]

    def _face(self, point: Point) -> Card:
        deck, number = self._number(point)
        return self.faces[deck][number]

    def _number(self, point: Point) -> tuple[str, int]:
        if point not in self.points:
            raise LocalError("a sealed card that is none of the deck's")
        return self.points[point]

    def _card(self, handle: Handle) -> Lying:
        if handle not in self.lying:
            raise LocalError(f"no card lies under {handle}")
        return self.lying[handle]

    def _current(self) -> _Reading:
        if self._reading is None:
            raise LocalError("no card is being read")
        return self._reading

    def _idle(self) -> None:
        if self._shuffling is not None or self._reading is not None:
            raise LocalError("one shuffle or reading at a time")


def opened(pair: Pair, shares: Mapping[bytes, Point]) -> Point:
    """The card's point, from the shares of all members."""
    return sub(pair.sealed[1], total(shares.values()))
