# SPDX-License-Identifier: GPL-3.0-or-later
"""What some members can find out together from their secrets and stores and the whole log. Every opening function of
this program is tried with every subset of what they hold.

A pool of all members finds everything, which shows that this module can find what a smaller pool does not find.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain, combinations
from typing import TypeVar

from p2p.identity.tablekey import TableKeys
from p2p.lockstep.lockstep import Lockstep
from p2p.lockstep.machine import HandleRef
from p2p.lockstep.opening import Placed
from p2p.wire.codec import Value, decode, encode
from seeds.beacon import commitment, seed
from seeds.choices import Choice, _masked
from seeds.dealing import KeyDealer, KeyGeneration
from seeds.deckkeys import deck_secret
from seeds.errors import ContractError
from seeds.group import Point, combination, mul, sub, total
from seeds.opendeck import Card
from seeds.sealeddeck import SealedDecks
from seeds.seals import seal_commitment, seal_nonce
from seeds.threshold import ThresholdKey, lagrange, make_partial, roll_point

T = TypeVar("T")


def subsets(items: Iterable[T]) -> Iterator[tuple[T, ...]]:
    """Yield all non-empty subsets, small ones first."""
    known = list(items)
    return chain.from_iterable(combinations(known, size) for size in range(1, len(known) + 1))


class Pool:
    """Members that share all their secrets.

    Attributes:
        peers: their locksteps, at one position.
        keys: their table keys and secrets.
    """

    def __init__(self, peers: Sequence[Lockstep], keys: Sequence[TableKeys]) -> None:
        self.peers = {peer.member_secrets.me: peer for peer in peers}
        self.secrets = {key.key.public: key.secret for key in keys}
        self.position = peers[0].position
        self.table = peers[0].genesis.table
        self.log = peers[0].feeds.entries
        self._bytes = [entry.raw for entry in self.log]
        self._bytes += [data for peer in peers for data in peer.member_secrets.choices.values()]
        self._words = {word for entry in self.log for word in _words(entry.body)}

    def holds(self, data: bytes) -> bool:
        """True if the log or a store contains these bytes."""
        return any(data in known for known in self._bytes)

    # Cards -----------------------------------------------------------------------------------------------------------

    def card(self, handle: HandleRef) -> Card | None:
        """Return the card under a handle, None if they cannot read it."""
        return next((card for decks in self._holding(handle) if (card := self._read(decks, handle)) is not None), None)

    def share(self, keys: TableKeys, handle: HandleRef) -> bool:
        """True if the log or a store contains the share of a card by the member with these keys, for any sealed form
        that the card has had under this handle, even if it was taken back or not needed."""
        return any(
            self.holds(mul(deck_secret(keys.secret, self.table, decks.keys.generation), pair.sealed[0]))
            for decks in self._holding(handle)
            for pair in decks.card(handle).pairs
        )

    def _holding(self, handle: HandleRef) -> list[SealedDecks]:
        chance = self.position.chance
        return [decks for decks in (chance.decks, chance.old_decks) if decks is not None and decks.holds(handle)]

    def _read(self, decks: SealedDecks, handle: HandleRef) -> Card | None:
        numbers = {
            member: deck_secret(secret, self.table, decks.keys.generation)
            for member, secret in self.secrets.items()
            if member in decks.keys.members
        }
        for member, x in numbers.items():
            try:
                return decks.read(member, x, handle)
            except ContractError:
                continue
        for pair in decks.card(handle).pairs:
            first, second = pair.sealed
            shares = {**pair.shares, **{member: mul(x, first) for member, x in numbers.items()}}
            for some in subsets(shares.values()):
                opened = decks.points.get(sub(second, total(some)))
                if opened is not None:
                    return decks.faces[opened[0]][opened[1]]
        return None

    # Choices ---------------------------------------------------------------------------------------------------------

    def choice(self, handle: HandleRef, guesses: Iterable[Value]) -> Value:
        """Return the choice sealed under a handle if they can open it or find it among the guesses, else None."""
        placed = self.position.chance.choices.at(handle)
        for peer in self.peers.values():
            kept = peer.member_secrets.choices.get(f"seal/{placed.epoch}/{handle[0]}/{handle[1]}")
            if peer.member_secrets.me == placed.author and kept is not None:
                return decode(kept)
        for data, nonce in chain(self._forced(placed), self._guessed(placed, guesses)):
            sealed = seal_commitment(self.table, placed.epoch, handle, placed.author, data, nonce)
            if sealed == placed.committed:
                return decode(data)
        return None

    def _forced(self, placed: Placed) -> Iterator[tuple[bytes, bytes]]:
        """Yield what a short choice would open to with the partials of each subset."""
        if placed.choice is None or placed.run is None:
            return
        key = placed.run.key("seal")
        for shared in self._powers(placed.run, key, placed.choice.point):
            text = _unmasked(key, placed, placed.choice, shared)
            yield text[2 : 2 + int.from_bytes(text[:2], "big")], text[-32:]

    def _guessed(self, placed: Placed, guesses: Iterable[Value]) -> Iterator[tuple[bytes, bytes]]:
        """Yield every guess with every nonce that they can derive or that was ever published."""
        handles = list(self.position.chance.choices.placed)
        for data in map(encode, guesses):
            derived = {
                seal_nonce(secret, self.table, epoch, handle, placed.head, data)
                for secret in self.secrets.values()
                for epoch in range(self.position.epoch + 1)
                for handle in handles
            }
            for nonce in derived | self._words:
                yield data, nonce

    # Dice ------------------------------------------------------------------------------------------------------------

    def seed(self, member: bytes) -> bytes | None:
        """Return the seed that a member has committed to and not opened yet, None if they cannot find it."""
        opened = {
            one for entry in self.log if (entry.author, entry.kind) == (member, "open") for one in _words(entry.body)
        }
        beacon = self.position.chance.beacon
        open_roll = beacon._roll.commitments if beacon._roll is not None else {}
        ready = {who: committed for who, (_, committed) in beacon._commitments.items()}
        promised = {**ready, **open_roll}.get(member)
        derived = {
            seed(secret, self.table, epoch, k)
            for secret in self.secrets.values()
            for epoch in range(beacon.epoch + 1)
            for k in range(beacon.k + 2)
        }
        for one in (derived | self._words) - opened:
            if commitment(self.table, beacon.epoch, beacon.k, member, one) == promised:
                return one
        return None

    def gammas(self) -> set[Point]:
        """Return the points that they could compute as the value of the lock of the open or next roll."""
        run, beacon = self.position.chance.run, self.position.chance.beacon
        if run is None or not run.done:
            return set()
        point = roll_point(self.table, run.epoch, beacon.k)
        return set(self._powers(run, run.key("dice"), point))

    def gamma(self) -> Point | None:
        """Return the true value, which takes t of them, None without a finished key."""
        run, beacon = self.position.chance.run, self.position.chance.beacon
        if run is None or not run.done:
            return None
        *_, last = self._powers(run, run.key("dice"), roll_point(self.table, run.epoch, beacon.k))
        return last

    def _powers(self, run: KeyGeneration, key: ThresholdKey, point: Point) -> Iterator[Point]:
        """Yield x times a point, for each x that a subset of them would compute as the secret of a threshold key."""
        values: dict[int, Point] = {}
        for member, secret in self.secrets.items():
            if member in key.members:
                share = KeyDealer(secret, run, member).share(key.purpose)
                values[key.members.index(member) + 1] = make_partial(key, member, share, point, bytes(32)).value
        for indices in subsets(sorted(values)):
            yield combination(lagrange(indices), [values[index] for index in indices])


def _words(value: Value) -> Iterator[bytes]:
    """Yield all 32-byte strings in a body."""
    if isinstance(value, bytes):
        if len(value) == 32:
            yield value
    elif isinstance(value, list | dict):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _words(item)


def _unmasked(key: ThresholdKey, placed: Placed, choice: Choice, shared: Point) -> bytes:
    return _masked(key, placed.author, placed.handle, choice.point, shared, choice.text)


def private_cards(table: Lockstep, member: bytes) -> list[HandleRef]:
    """Return the cards that only this member may read now and that it has not begun to reveal."""
    decks, found = table.position.chance.decks, []
    for handle, card in decks.lying.items() if decks is not None else ():
        readers = {pair.reader for pair in card.pairs if pair.reader is not None}
        if card.known is None and readers == {member} and member not in card.pairs[-1].shares:
            found.append(handle)
    return found


def find_out(
    peers: Sequence[Lockstep],
    keys: Sequence[TableKeys],
    victim: int,
    secret: Iterable[HandleRef],
    guesses: Collection[Value] = (),
) -> tuple[Counter[str], list[str]]:
    """Let all but one member of a table pool their secrets. secret: the cards that by the rules nobody else may know
    now, whatever the decks record of readers and shares. Return the number of the victim's secrets by kind, all of
    which a pool that includes the victim opens, and the secrets that the others have found out."""
    hidden, found = Counter[str](), list[str]()
    others = Pool([p for n, p in enumerate(peers) if n != victim], [k for n, k in enumerate(keys) if n != victim])
    everybody, me = Pool(peers, keys), keys[victim].key.public
    position = others.position
    for handle in secret:
        hidden[f"card of {handle[0]}"] += 1
        assert everybody.card(handle) is not None
        if others.card(handle) is not None or others.share(keys[victim], handle):
            found.append(f"card {handle}")
    for handle, placed in position.chance.choices.placed.items():
        if placed.author == me and placed.committed is not None and handle in position.chance.choices.owing([handle]):
            kind = "kept choice" if placed.choice is None else "short choice"
            hidden[kind] += 1
            truth = everybody.choice(handle, guesses)
            assert truth is not None
            pool = others if placed.choice is None else _below_threshold(peers, keys, victim, placed)
            if pool.choice(handle, [truth, *guesses]) is not None:
                found.append(f"{kind} {handle}")
    coming = everybody.seed(me)
    if coming is not None:
        hidden["seed"] += 1
        if others.seed(me) is not None or others.holds(coming):
            found.append("seed")
    return hidden, found


def _below_threshold(peers: Sequence[Lockstep], keys: Sequence[TableKeys], victim: int, placed: Placed) -> Pool:
    """Return a pool with one member fewer than needed to open a short choice."""
    assert placed.run is not None
    t = placed.run.key("seal").t
    numbers = [number for number in range(len(peers)) if number != victim][: t - 1]
    return Pool([peers[number] for number in numbers], [keys[number] for number in numbers])
