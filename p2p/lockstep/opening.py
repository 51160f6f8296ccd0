# SPDX-License-Identifier: GPL-3.0-or-later
"""Secret choices of the table: sealed at one height and opened at another, by their authors, or by the others if an
author is silent."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from engine.core.dataclass import dataclass
from p2p.lockstep.machine import HandleRef
from p2p.lockstep.member_secrets import MemberSecrets
from p2p.lockstep.task import Job, Made, Place, Task
from p2p.wire.codec import Plain, Value, WireError, decode, encode
from p2p.wire.entry import Entry
from seeds.choices import Choice, ForcedOpening, check_choice, read_choice
from seeds.dealing import KeyGeneration
from seeds.errors import Fault
from seeds.hashing import HASH_BYTES
from seeds.seals import Seals
from seeds.threshold import Partial, ThresholdKey, read_partial


@dataclass(frozen=True, slots=True)
class Placed:
    """A sealed choice.

    Attributes:
        committed: the commitment, None if its author was silent.
        entry: id of the entry that sealed it.
        choice, run: the encrypted choice for the others, and the run of its keys.
        fallback: the caretaker's value at the time of the seal.
    """

    handle: HandleRef
    author: bytes
    epoch: int
    head: bytes
    committed: bytes | None
    fallback: Value
    entry: bytes = b""
    choice: Choice | None = None
    run: KeyGeneration | None = None


@dataclass(frozen=True, slots=True)
class _Taken:
    handles: tuple[HandleRef, ...]


def read_seal(entry: Entry, handle: HandleRef, key: ThresholdKey | None) -> bytes | Choice | None:
    """Return the sealed choice in a seal's body: [seat, commitment, copy], or with an encryption to the others. None if
    it is malformed or its proof is false. The copy is for its author; older programs omit it. key: the key to which the
    choice must be sealed, None for a hash alone."""
    match entry.body:
        case [int(), bytes() as committed, *copy] if key is None and len(committed) == 32:
            fits = not copy or (len(copy) == 1 and isinstance(copy[0], bytes))
            return committed if fits else None
        case [int(), *rest] if key is not None:
            choice = read_choice(rest)
            if choice is not None and check_choice(key, entry.author, handle, choice):
                return choice
    return None


class SealedChoices:
    """The choices that the game has not taken yet (`placed`), and their history, which a take-back replays."""

    def __init__(self, table: bytes) -> None:
        self._table = table
        self.seals = Seals(table)
        self.placed: dict[HandleRef, Placed] = {}
        self._done: list[tuple[int, Placed | _Taken]] = []

    def __contains__(self, handle: HandleRef) -> bool:
        return handle in self.placed

    def place(self, height: int, placed: Placed) -> None:
        """Note a choice sealed at a height."""
        self.seals.place(placed.handle, placed.author, placed.epoch, placed.head, placed.committed)
        self.placed[placed.handle] = placed
        self._done.append((height, placed))

    def by(self, author: bytes) -> list[Placed]:
        """Return what an author has sealed in the present game, opened or not: a take-back may ask for it again."""
        placed = (deed for _, deed in self._done if isinstance(deed, Placed))
        return [each for each in placed if each.author == author and each.committed is not None]

    def at(self, handle: HandleRef) -> Placed:
        """Return the choice sealed under a handle."""
        return self.placed[handle]

    def owing(self, handles: Iterable[HandleRef], author: bytes | None = None) -> list[HandleRef]:
        """Return the handles that must still be opened, by this author or by any."""
        owing = self.seals.owing([handle for handle in handles if handle in self.placed])
        return [handle for handle in owing if author in (None, self.placed[handle].author)]

    def take(self, height: int, handles: Sequence[HandleRef]) -> dict[HandleRef, Value]:
        """Return the choices under those handles that hold one, as given to the game: the opened value, None for a
        sealed one that stays closed, the fallback for one that was never sealed."""
        sealed = tuple(handle for handle in handles if handle in self.placed)
        values = dict(zip(sealed, self.seals.take(sealed), strict=True))
        never = {handle: self.placed[handle] for handle in sealed if self.placed[handle].committed is None}
        cards = {handle: None if data is None else decode(data) for handle, data in values.items()}
        cards.update((handle, placed.fallback) for handle, placed in never.items())
        for handle in sealed:
            del self.placed[handle]
        if sealed:
            self._done.append((height, _Taken(sealed)))
        return cards

    def go_back(self, to: int) -> None:
        """Restore the choices as they were when height `to` opened."""
        done = [item for item in self._done if item[0] < to]
        self.seals, self.placed, self._done = Seals(self._table), {}, []
        for height, deed in done:
            if isinstance(deed, Placed):
                self.place(height, deed)
                continue
            for handle in deed.handles:
                self.seals.write_off(self.placed[handle].author, [handle])
            self.take(height, deed.handles)


class Opening(Task):
    """A Reveal of choices. Authors open their own. If an author is left out, t present holders of the key open its
    choice. If they are too few, or the choice was not sealed to them, it stays closed."""

    kinds = ("reveal", "partial")
    changing = True

    def __init__(self, choices: SealedChoices, handles: Sequence[HandleRef], present: Collection[bytes]) -> None:
        """present: the members of this epoch that are not left out."""
        self._choices, self._present = choices, present
        self._handles = choices.owing(handles)
        self._opened: dict[HandleRef, bytes] = {}
        self._released: set[bytes] = set()
        self._forced: dict[HandleRef, ForcedOpening] = {}
        for handle in self._handles:
            placed = choices.at(handle)
            if placed.author not in present:
                self._force(placed)
        self.accused = self._unopenable = dict[bytes, bytes]()

    def _force(self, placed: Placed) -> None:
        key = placed.run.key("seal") if placed.run is not None and placed.choice is not None else None
        if key is None or placed.choice is None or len(set(key.members) & set(self._present)) < key.t:
            self._choices.seals.write_off(placed.author, [placed.handle])
        else:
            self._forced[placed.handle] = ForcedOpening(key, placed.author, placed.handle, placed.choice)

    def owed(self) -> list[tuple[str, bytes]]:
        owing = [self._choices.at(handle).author for handle in self._own()]
        helpers = [member for member in self._present if self._to_help(member) and member not in self._released]
        helpers = helpers if any(not force.open for force in self._forced.values()) else []
        return [("reveal", member) for member in dict.fromkeys(owing)] + [("partial", member) for member in helpers]

    def short(self, left: Collection[bytes] = ()) -> bool:
        silent = set(self._present).difference(self._released, self.cut, left)
        return any(force.short(silent) for force in self._forced.values())

    def _own(self, author: bytes | None = None) -> list[HandleRef]:
        """Return the choices that their authors must still open."""
        return [handle for handle in self._choices.owing(self._handles, author) if handle not in self._forced]

    def _to_help(self, member: bytes) -> list[HandleRef]:
        return [handle for handle, force in self._forced.items() if member in force.key.members]

    def place(self, kind: str, author: bytes) -> Place:
        asked = self._own(author) if kind == "reveal" else author in self._present and self._to_help(author)
        return "open" if asked else "never"

    def take(self, entry: Entry, proven: object) -> Fault | Job | None:
        return self._revealed(entry) if entry.kind == "reveal" else self._helped(entry)

    def _revealed(self, entry: Entry) -> Fault | None:
        """Judge an opening. One that does not match its commitment is a proven fault and counts as missing."""
        handles = self._own(entry.author)
        cards = read_cards(entry.body, handles)
        if cards is None:
            return Fault("seal/form", entry.author)
        found = None
        for handle, (value, nonce) in zip(handles, cards, strict=True):
            fault = self._choices.seals.open(handle, entry.author, encode(value), nonce)
            if fault is not None:
                self._choices.seals.write_off(entry.author, [handle])
                found = fault
            else:
                self._opened[handle] = entry.author
        return found

    def _helped(self, entry: Entry) -> Fault | None:
        """Judge a partial. A false one counts as missing, so the table waits for its author."""
        handles, author = self._to_help(entry.author), entry.author
        found, partials = self.late(entry), read_partials(entry.body, handles)
        if found is not None or partials is None:
            return found
        for handle, partial in zip(handles, partials, strict=True):
            fault = self._forced[handle].release(author, partial) or self._settle(handle)
            found = found or fault
        self._released.add(author)
        return found

    def late(self, entry: Entry) -> Fault | None:
        handles = self._to_help(entry.author)
        partials = read_partials(entry.body, handles)
        if partials is None:
            return Fault("seal/form", entry.author) if handles else None
        given = zip(handles, partials, strict=True)
        faults = (self._forced[handle].judge(entry.author, partial) for handle, partial in given)
        return next((fault for fault in faults if fault is not None), None)

    def _settle(self, handle: HandleRef) -> Fault | None:
        """Accept a choice that the others have opened."""
        force, seals = self._forced[handle], self._choices.seals
        if not force.open or not seals.owing([handle]):
            return None
        if force.value is None or force.nonce is None or not _readable(force.value):
            seals.write_off(force.author, [handle])
            self._unopenable.setdefault(force.author, self._choices.at(handle).entry)
            return Fault("seal/unopenable", force.author)
        return seals.open(handle, force.author, force.value, force.nonce)

    def forced(self) -> list[tuple[bytes, bool]]:
        """Return (author, True if it could be opened) of each choice that the others opened."""
        return [(force.author, force.value is not None) for force in self._forced.values() if force.open]

    def make(self, kind: str, member_secrets: MemberSecrets) -> Made | Job | None:
        if kind == "reveal":
            cards = member_secrets.reveal(self._choices.seals, self._own(member_secrets.me))
            return None if cards is None else Made(kind, cards)
        partials: list[Plain] = []
        for handle in self._to_help(member_secrets.me):
            force, placed = self._forced[handle], self._choices.at(handle)
            assert placed.run is not None
            partials.append([*handle, member_secrets.partial(placed.run, force.key, force.choice.point)])
        return Made(kind, partials)

    def abandon(self) -> None:
        """Undo openings that may not have reached all, so that they are requested again. Those of left-out members
        have."""
        again = [handle for handle in self._handles if self._opened.get(handle) not in self.cut]
        self._choices.seals.reopen(again)


def _readable(data: bytes) -> bool:
    try:
        return encode(decode(data)) == data
    except WireError:
        return False


def read_partials(body: Value, handles: Sequence[HandleRef]) -> list[Partial] | None:
    """Return the partials of a forced opening for exactly these handles in order, None for another form."""
    if type(body) is not list or len(body) != len(handles):
        return None
    partials: list[Partial] = []
    for item, (deck, index) in zip(body, handles, strict=True):
        match item:
            case [str() as name, number, bytes() as packed] if _same((name, number), (deck, index)):
                partial = read_partial(packed)
                if partial is not None:
                    partials.append(partial)
    return partials if len(partials) == len(handles) else None


def _same(named: tuple[str, Value], handle: HandleRef) -> bool:
    """True if this names the handle with an integer, since in Python True == 1."""
    return named == handle and type(named[1]) is int


def read_cards(body: Value, handles: list[HandleRef]) -> list[tuple[Value, bytes]] | None:
    """Return values and nonces of a `reveal` for exactly these handles in order, None for another form."""
    if type(body) is not list or len(body) != len(handles):
        return None
    cards: list[tuple[Value, bytes]] = []
    for item, (deck, index) in zip(body, handles, strict=True):
        match item:
            case [str() as name, number, value, bytes(nonce)] if (
                _same((name, number), (deck, index)) and len(nonce) == HASH_BYTES
            ):
                cards.append((value, nonce))
            case _:
                return None
    return cards
