"""A whole table of beacons, decks and seals: whatever order messages take, all peers and onlookers agree on every die.

Peers share no state but messages; an onlooker knows no secret. Members fall silent and come back in new epochs.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from hypothesis import given
from hypothesis import strategies as st

from seeds.beacon import Beacon, BeaconRoll, commitment, seed
from seeds.hashing import H
from seeds.opendeck import Handle, OpenDecks
from seeds.seals import Seals, seal_commitment, seal_nonce

TABLE = H("test", "table")
DECK = 12


@dataclass
class Peer:
    """One peer's machines. secret: None for an onlooker."""

    name: bytes
    secret: bytes | None
    beacon: Beacon = field(default_factory=lambda: Beacon(TABLE))
    decks: OpenDecks = field(default_factory=OpenDecks)
    seals: Seals = field(default_factory=lambda: Seals(TABLE))
    rolls: list[BeaconRoll] = field(default_factory=list)

    def committed(self, k: int) -> bytes:
        return commitment(TABLE, self.beacon.epoch, k, self.name, self.seed(k))

    def seed(self, k: int) -> bytes:
        assert self.secret is not None
        return seed(self.secret, TABLE, self.beacon.epoch, k)


def table(count: int) -> list[Peer]:
    members = [Peer(H("test", "member", n), H("test", "secret", n)) for n in range(count)]
    return [*members, Peer(H("test", "onlooker"), None)]


def prepare(peers: list[Peer], members: list[Peer], epoch: int, height: int, rng: random.Random) -> None:
    """Begin an epoch: every peer hears every member's commitment, each in an order of its own."""
    for peer in peers:
        peer.beacon.enter(epoch, [member.name for member in members])
    said = [(member.name, member.committed(member.beacon.k)) for member in members]
    for peer in peers:
        for name, committed in rng.sample(said, len(said)):
            assert peer.beacon.commit(name, height, peer.beacon.k, committed) is None


def roll(peers: list[Peer], members: list[Peer], silent: list[Peer], height: int, rng: random.Random) -> BeaconRoll:
    """Everybody but the silent opens; the table writes them off at a moment that differs from peer to peer."""
    head = H("test", "head", height)
    k = peers[0].beacon.k
    said = [(m.name, m.seed(k), m.committed(k + 1)) for m in members if m not in silent]
    for peer in peers:
        peer.beacon.begin(height, head)
        agreed = rng.randint(0, len(said))
        for number, (name, seed_k, following) in enumerate([*rng.sample(said, len(said)), (b"", b"", b"")]):
            if number == agreed:
                peer.beacon.write_off([member.name for member in silent])
            if name:
                assert peer.beacon.open(name, head, k, seed_k, following) is None
        assert peer.beacon.owing == ()
        peer.rolls.append(peer.beacon.finish())
    assert len({peer.rolls[-1] for peer in peers}) == 1
    return peers[0].rolls[-1]


@given(st.integers(1, 6), st.integers(0, 2**32), st.lists(st.integers(0, 3), min_size=1, max_size=6))
def test_all_peers_and_an_onlooker_agree_on_every_die(count: int, shuffle_seed: int, epochs: list[int]) -> None:
    rng = random.Random(shuffle_seed)
    peers = table(count)
    height, members = 0, peers[:-1]
    for epoch, rolls in enumerate(epochs):
        prepare(peers, members, epoch, height, rng)
        for left in range(rolls, 0, -1):
            height += 1
            silent = rng.sample(members, rng.randrange(len(members))) if left == 1 else []
            finished = roll(peers, members, silent, height, rng)
            assert {name for name, shown in finished.seeds if shown is None} == {member.name for member in silent}
        height += 1
        members = [peer for peer in peers[:-1] if rng.random() < 0.7] or peers[:1]
    history = [(one.k, one.value) for one in peers[0].rolls]
    assert len({k for k, _ in history}) == len({value for _, value in history}) == len(history), "nothing comes twice"


@given(st.integers(2, 6), st.integers(0, 2**32))
def test_all_peers_agree_on_cards_and_opened_choices(count: int, shuffle_seed: int) -> None:
    rng = random.Random(shuffle_seed)
    peers = table(count)
    members = peers[:-1]
    prepare(peers, members, 0, 0, rng)
    first: list[Handle] = [("bag", place) for place in range(DECK)]
    second: list[Handle] = [("bag", DECK + place) for place in range(DECK // 2)]
    back = rng.sample(first, DECK // 2)
    values = [roll(peers, members, [], height, rng).value for height in (1, 2)]
    for peer in peers:
        peer.decks.shuffle(values[0], list(range(DECK)), first)
        peer.decks.shuffle(values[1], [list(handle) for handle in back], second)
    kept = [handle for handle in first if handle not in back]
    cards = peers[0].decks.faces(kept) + peers[0].decks.faces(second)
    assert sorted(map(int, cards)) == list(range(DECK))
    assert all(peer.decks.dump() == peers[0].decks.dump() for peer in peers)

    handles: list[Handle] = [("seal", place) for place in range(count)]
    choices = [bytes([rng.randrange(3)]) for _ in members]
    chosen = zip(members, handles, choices, strict=True)
    nonces = [seal_nonce(m.secret or b"", TABLE, 0, handle, TABLE, value) for m, handle, value in chosen]
    rows = list(zip(members, handles, choices, nonces, strict=True))
    for peer in peers:
        for member, handle, value, nonce in rows:
            committed = seal_commitment(TABLE, 0, handle, member.name, value, nonce)
            assert peer.seals.place(handle, member.name, 0, TABLE, committed) is None
        for member, handle, value, nonce in rng.sample(rows, count):
            assert peer.seals.open(handle, member.name, value, nonce) is None
        assert peer.seals.take(handles) == choices
