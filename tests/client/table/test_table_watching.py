"""Spectators: whoever knows the ticket follows from the first entry, whether it sat down before the start or after."""

from __future__ import annotations

from hmac import digest
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from house import House, without_threads
from trio.testing import MockClock

from client.session.deeds import DEEDS
from client.system.journal import no_log
from client.system.names import member_name
from client.table.controls import RunningControls
from client.table.lobby import Hosting, Room
from client.table.notices import OthersHeard
from client.table.player import seats_of
from client.table.reception import Reception
from client.table.router import LinkRouter
from p2p.link.meet import table_meeting
from p2p.lobby.invite import Invite
from p2p.lobby.messages import Sitter, Terms
from p2p.lockstep.genesis import Genesis, Row
from p2p.lockstep.hearing import MAX_SPECTATORS
from p2p.wire.messages import Have, parse


@pytest.fixture(autouse=True)
def _without_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    without_threads(monkeypatch)


TICKET = b"m" * 32
EVE = b"e" * 32


def proof(binding: bytes) -> bytes:
    return digest(b"secret of ticket", binding, "sha256")


class Wire:
    """A link of a spectator: what it was sent."""

    def __init__(self, meeting: bytes = TICKET) -> None:
        self.peer_id = EVE
        self.pipe = SimpleNamespace(meeting=meeting, binding=b"channel", dial_back=None, via="", punched=False)
        self.sent: list[Any] = []
        self.closed = ""

    def send(self, message: bytes) -> bool:
        self.sent.append(parse(message))
        return True

    async def aclose(self, code: str) -> None:
        self.closed = code

    def had(self) -> bool:
        return any(isinstance(message, Have) for message in self.sent)


class Door:
    """The inviter of a house: its switch, its lobby, its table."""

    def __init__(self, house: House, nursery: trio.Nursery) -> None:
        self.table, genesis = house.tables[0], house.genesis
        self.router = LinkRouter(SimpleNamespace(links={}), SimpleNamespace(), no_log)  # type: ignore[arg-type]
        shared = Room(self.router, Reception(house.players[0], unasked=True), nursery)
        self.hosting = Hosting(lobby(genesis), TICKET, shared)
        self.router.lobby = self.hosting
        self.table.router = self.router

    def comes(self, name: str, wire: Wire) -> None:
        self.router.link_up(name, wire)  # type: ignore[arg-type]  # as much of a link as is looked at

    def plays(self) -> None:
        """The table begins."""
        self.table.watched_by = self.hosting.watched_by


def lobby(genesis: Genesis) -> Invite:
    first = genesis.members[0]
    terms = Terms(genesis.game, {}, genesis.seats, genesis.rules, genesis.content, {}, True, "starlock")
    me = Sitter(first.certificate, tuple((row.name, row.level) for row in first.rows), first.seats, ())
    return Invite(first.certificate.lobby, terms, me, lambda: bytes(32), proof, lambda *_: None, genesis=genesis)


@pytest.mark.parametrize("before", [True, False])
async def test_who_watches_follows_whether_it_came_before_the_start_or_after(
    autojump_clock: MockClock, before: bool
) -> None:
    house, wire = House(2), Wire()
    async with trio.open_nursery() as nursery:
        door = Door(house, nursery)
        if before:
            door.comes("eve", wire)
            door.hosting.word("eve", "watch", proof(b"channel"))
        door.plays()
        nursery.start_soon(door.table.run, True)
        await trio.sleep(2)
        if not before:
            assert not wire.had()
            door.comes("eve", wire)
            assert "eve" not in door.table.who
            door.hosting.word("eve", "watch", proof(b"channel"))
        await trio.sleep(2)
        assert door.table.who == {"eve": EVE}
        assert wire.had()
        nursery.cancel_scope.cancel()


async def test_who_cannot_prove_the_ticket_follows_nothing(autojump_clock: MockClock) -> None:
    house, wire = House(2), Wire()
    async with trio.open_nursery() as nursery:
        door = Door(house, nursery)
        door.plays()
        nursery.start_soon(door.table.run, True)
        await trio.sleep(2)
        door.comes("eve", wire)
        door.hosting.word("eve", "watch", bytes(32))
        await trio.sleep(2)
        assert not door.table.who
        assert not wire.had()
        assert wire.closed == "bye/no"
        nursery.cancel_scope.cancel()


async def test_a_link_that_is_shown_twice_takes_part_once(autojump_clock: MockClock) -> None:
    house, wire = House(2), Wire(table_meeting(House(2).genesis.table).name)
    async with trio.open_nursery() as nursery:
        door = Door(house, nursery)
        door.plays()
        nursery.start_soon(door.table.run, True)
        await trio.sleep(2)
        door.comes("eve", wire)
        await trio.sleep(1)
        told = len(wire.sent)
        door.router.introduce("eve")
        await trio.sleep(1)
        assert len(wire.sent) == told
        nursery.cancel_scope.cancel()


async def test_sixteen_spectators_follow_at_most_and_keep_no_member_out(autojump_clock: MockClock) -> None:
    house = House(2)
    meeting = table_meeting(house.genesis.table).name
    wires = [Wire(meeting) for _ in range(MAX_SPECTATORS + 2)]
    for number, wire in enumerate(wires):
        wire.peer_id = number.to_bytes(32, "big")
    wires[-1].peer_id = house.genesis.members[1].certificate.identity
    async with trio.open_nursery() as nursery:
        door = Door(house, nursery)
        door.plays()
        nursery.start_soon(door.table.run, True)
        await trio.sleep(2)
        for number, wire in enumerate(wires):
            door.comes(f"{number}", wire)
        await trio.sleep(2)
        assert [wire.had() for wire in wires] == [True] * MAX_SPECTATORS + [False, True]
        assert MAX_SPECTATORS == 16
        nursery.cancel_scope.cancel()


async def test_of_spectators_who_come_and_go_nothing_is_kept(autojump_clock: MockClock) -> None:
    house = House(2)
    meeting, member = table_meeting(house.genesis.table).name, house.genesis.members[1].certificate.identity
    async with trio.open_nursery() as nursery:
        door = Door(house, nursery)
        door.plays()
        nursery.start_soon(door.table.run, True)
        await trio.sleep(2)
        for number in range(50):
            wire: Any = Wire(meeting)
            wire.peer_id, wire.stats = (
                member if number == 0 else number.to_bytes(32, "big"),
                SimpleNamespace(rtt=None, sent_bytes=0),
            )
            door.comes(f"{number}", wire)
            door.router.link_down(f"{number}", wire, "bye/done")
            await trio.sleep(10)
        assert door.table.farewells == {member}
        assert door.table._contact._left == {member}
        assert not door.table.who
        nursery.cancel_scope.cancel()


async def test_each_answer_of_several_at_the_same_time_is_told(autojump_clock: MockClock) -> None:
    position = SimpleNamespace(height=3, missing=["Ann", "Bob"], step=SimpleNamespace(task=None))
    told: list[object] = []
    position.roster, position.past, position.owner = (), {}, {}
    table: Any = SimpleNamespace(
        lockstep=SimpleNamespace(position=position, feeds=None),
        voice=None,
        way_back=None,
        after_change=[],
        on_tick=[],
        player=SimpleNamespace(notice=told.append),
        others=list,
        held={},
    )
    RunningControls(table, lambda: None)
    look = table.after_change[-1]
    look()
    assert told == []
    position.missing = ["Bob"]
    look()
    assert told == [OthersHeard()]
    position.height, position.missing = 4, ["Ann"]
    look()
    assert len(told) == 1, "a new height is told with its events"


async def test_who_owes_something_else_at_the_same_move_is_told_once_a_tick(monkeypatch: pytest.MonkeyPatch) -> None:
    position = SimpleNamespace(height=3, missing=[], step=SimpleNamespace(task=None), roster=(), past={}, owner={})
    told: list[object] = []
    table: Any = SimpleNamespace(
        lockstep=SimpleNamespace(position=position, feeds=None),
        voice=None,
        way_back=None,
        after_change=[],
        on_tick=[],
        player=SimpleNamespace(notice=told.append),
        others=list,
        held={},
    )
    debts = {0: "shuffle"}
    monkeypatch.setattr(RunningControls, "debts", lambda _self: debts)
    RunningControls(table, lambda: None)
    (tick,) = table.on_tick
    tick()
    tick()
    assert told == [OthersHeard()]
    debts.clear()
    debts[1] = "shuffle"
    tick()
    assert told == [OthersHeard()] * 2


async def test_everybody_at_one_machine_has_its_link_and_can_be_voted_on_by_an_own_name() -> None:
    both, me = b"both", b"me"
    rows = {seat: Row(seat, name) for seat, name in enumerate(("Ann", "Bob", "Cid"))}
    position: Any = SimpleNamespace(
        height=3, missing=[], step=SimpleNamespace(task=None), past={}, owner={0: both, 1: both, 2: me},
        roster={}, members=(both, me), membership=SimpleNamespace(rows=rows, gone=set(), numbers={both: 0, me: 1}),
    )  # fmt: skip
    lockstep = SimpleNamespace(position=position, feeds=None, owing=dict, debts=lambda: {both: "share"})
    table: Any = SimpleNamespace(
        lockstep=lockstep, voice=None, way_back=None, after_change=[], on_tick=[], others=list, held={}, me=me,
        name=lambda key: member_name(position.roster[key].rows), linked=lambda _key: True,
    )  # fmt: skip
    controls = RunningControls(table, lambda: None)
    table.others = lambda: [both]
    position.roster = {both: SimpleNamespace(rows=(rows[0], rows[1])), me: SimpleNamespace(rows=(rows[2],))}
    assert controls.linked() == {0: True, 1: True}
    assert controls.debts() == {0: "share", 1: "share"}
    assert controls.members() == {0: 0, 1: 0, 2: 1}
    assert seats_of(controls, 0) == [0, 1]
    session: Any = SimpleNamespace(table=SimpleNamespace(controls=controls, running=controls), only_other=lambda: None)
    assert DEEDS["absent"].hindrance(session, {"members": [0]}) == ""
