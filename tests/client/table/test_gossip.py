"""One contact heals all: members pass on where each is, by its own newest signature, and nobody else is told."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
import trio

from client.table.gossip import WHERE, AddressGossip, dialable
from p2p.identity.keys import SigningKey
from p2p.reach.whereabouts import Whereabouts, sign_whereabouts

TABLE = b"t" * 32
KEYS = [SigningKey.from_seed(bytes([number]) * 32) for number in range(4)]
ANN, BOB, CID, EVE = KEYS


def identity(key: bytes) -> bytes:
    return b"identity of " + key


class Home:
    """The gossip of one member over links whose messages are noted."""

    def __init__(self, key: SigningKey, members: list[SigningKey], record: Any = None) -> None:
        self.key = key
        self.sent: list[tuple[str, list[Any]]] = []
        self.wanted: dict[bytes, list[str]] = {}
        self.places = [f"tcp://8.8.4.{KEYS.index(key)}:4000"]
        self.gone: set[bytes] = set()
        position = SimpleNamespace(
            roster={each.public: None for each in members}, membership=SimpleNamespace(gone=self.gone)
        )
        table: Any = SimpleNamespace(
            lockstep=SimpleNamespace(genesis=SimpleNamespace(table=TABLE), position=position),
            me=key.public if key in members else None,
            who={},
            router=SimpleNamespace(send=lambda name, message: self.sent.append((name, message.body))),
            words={},
            on_tick=[],
            identity=identity,
        )
        self.table = table
        supervisor: Any = SimpleNamespace(want=self._want)
        kept: Any = record or SimpleNamespace(whereabouts=())
        sign = key.sign if key in members else None
        self.gossip = AddressGossip(table, sign, supervisor, lambda: self.places, kept)

    def _want(self, _meeting: Any, who: bytes, places: Any, *, newest: bool) -> None:
        assert newest
        self.wanted[who] = list(places)

    def link(self, other: Home) -> None:
        self.table.who[other.key.public.hex()] = identity(other.key.public)

    def told(self) -> list[tuple[str, list[Whereabouts]]]:
        """What was sent since the last time, by the link."""
        found, self.sent = self.sent, []
        return [(name, [Whereabouts.read(each) for each in body]) for name, body in found]


async def settle(*homes: Home) -> None:
    """Let everybody tell everybody that is linked, until nothing is new."""
    by_link = {home.key.public.hex(): home for home in homes}
    for _ in range(6):
        await trio.sleep(11)
        for home in homes:
            home.gossip.tick()
            for name, listed in home.told():
                if home.key.public.hex() in by_link[name].table.who:
                    body: Any = [each.fields() for each in listed]
                    by_link[name].gossip.heard(home.key.public.hex(), WHERE, body)


def three(*, spectator: bool = False) -> list[Home]:
    members = [ANN, BOB] if spectator else [ANN, BOB, CID]
    homes = [Home(key, members) for key in (ANN, BOB, CID)]
    for one, other in ((0, 1), (1, 2)):
        homes[one].link(homes[other])
        homes[other].link(homes[one])
    return homes


async def test_members_learn_the_addresses_of_those_that_they_are_not_linked_with(
    autojump_clock: trio.testing.MockClock,
) -> None:
    ann, bob, cid = three()
    await settle(ann, bob, cid)
    assert ann.wanted[identity(CID.public)] == cid.places
    assert cid.wanted[identity(ANN.public)] == ann.places
    ann.places = ["tcp://8.8.4.99:4000"]
    await settle(ann, bob, cid)
    assert cid.wanted[identity(ANN.public)] == ann.places
    before = cid.gossip.known[ANN.public].number
    await settle(ann, bob, cid)
    assert not ann.sent + bob.sent + cid.sent
    assert cid.gossip.known[ANN.public].number == before  # nothing new is signed while nothing changes


async def test_who_hears_of_anothers_relay_waits_there_too(autojump_clock: trio.testing.MockClock) -> None:
    ann, bob, cid = three()
    relays: list[str] = []
    cid.gossip.found = relays.extend
    ann.places = ["tcp://8.8.4.99:4000", "relay://8.8.4.9:4000"]
    await settle(ann, bob, cid)
    assert relays == ann.places[1:]


async def test_the_number_of_own_addresses_grows_also_after_a_restart(autojump_clock: trio.testing.MockClock) -> None:
    far = sign_whereabouts(ANN.sign, ANN.public, TABLE, 1 << 40, ["tcp://8.8.4.50:4000"])
    ann = Home(ANN, [ANN, BOB], SimpleNamespace(whereabouts=(far,)))
    ann.gossip.tick()
    assert ann.gossip.known[ANN.public].number == (1 << 40) + 1
    assert ann.gossip.known[ANN.public].places == tuple(ann.places)


async def test_who_is_given_up_is_told_nothing_and_not_dialed(autojump_clock: trio.testing.MockClock) -> None:
    ann, bob, cid = three()
    for home in (ann, bob):
        home.gone.add(CID.public)
    await settle(ann, bob, cid)
    assert identity(ANN.public) not in cid.wanted
    assert identity(CID.public) not in bob.wanted | ann.wanted


async def test_a_spectator_is_told_only_where_the_member_is_that_it_is_linked_with(
    autojump_clock: trio.testing.MockClock,
) -> None:
    ann, bob, spectator = three(spectator=True)
    await settle(ann, bob, spectator)
    assert set(bob.gossip.known) == {ANN.public, BOB.public}
    assert set(spectator.gossip.known) == {BOB.public}


@pytest.mark.parametrize("speaker", ["a stranger", "a member"])
async def test_forged_and_malformed_whereabouts_change_nothing(speaker: str) -> None:
    ann, bob = Home(ANN, [ANN, BOB]), Home(BOB, [ANN, BOB])
    ann.link(bob)
    ann.table.who["stranger"] = identity(EVE.public)
    name = "stranger" if speaker == "a stranger" else BOB.public.hex()
    right = sign_whereabouts(BOB.sign, BOB.public, TABLE, 5, ["tcp://8.8.8.8:4000"])
    forged = sign_whereabouts(EVE.sign, BOB.public, TABLE, 9, ["tcp://8.8.8.9:4000"])
    of_eve = sign_whereabouts(EVE.sign, EVE.public, TABLE, 9, ["tcp://8.8.8.9:4000"])
    elsewhere = sign_whereabouts(BOB.sign, BOB.public, b"u" * 32, 9, ["tcp://8.8.8.9:4000"])
    for body in (None, [], [1], [[b"", 1, [], b""]], [right.fields()] * 10):
        ann.gossip.heard(name, WHERE, body)  # type: ignore[arg-type]  # as it may come
    for each in (forged, of_eve, elsewhere):
        ann.gossip.heard(name, WHERE, [each.fields()])  # type: ignore[list-item]  # wire data
    assert not ann.wanted
    assert not ann.gossip.known
    ann.gossip.heard(name, WHERE, [right.fields()])  # type: ignore[list-item]  # wire data
    assert bool(ann.wanted) == (speaker == "a member")


async def test_a_member_that_floods_new_addresses_is_not_passed_on_for_ever() -> None:
    ann, bob = Home(ANN, [ANN, BOB]), Home(BOB, [ANN, BOB])
    ann.link(bob)
    for number in range(200):
        said = sign_whereabouts(BOB.sign, BOB.public, TABLE, number, [f"tcp://8.8.8.{number}:4000"])
        ann.gossip.heard(BOB.public.hex(), WHERE, [said.fields()])  # type: ignore[list-item]  # wire data
    assert ann.gossip.known[BOB.public].number < 25


def test_relays_have_room_among_the_addresses() -> None:
    direct = [f"tcp://8.8.4.{number}:4000" for number in range(8)]
    assert dialable([*direct, "friend:/ab", "relay://8.8.8.8:1"]) == (*direct[:5], "relay://8.8.8.8:1")
