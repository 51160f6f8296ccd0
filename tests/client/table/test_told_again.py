"""What a home notes of a table, and what it tells again when a run begins."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
import trio
from notedtable import BOB, CID, GENESIS, ME, Table
from trio.testing import MockClock

from client.table import noted
from client.table.noted import Notes, standing
from client.table.notices import FaultProven, Owes
from client.table.record import Record
from client.table.reminders import remind
from engine.core.dataclass import replace
from engine.core.events import Event
from p2p.lockstep.effects import Diverged, Proposed
from p2p.wire.messages import Feed, Have

NO_LINKS: Any = SimpleNamespace(links={})

# Notes ---------------------------------------------------------------------------------------------------------------


def test_a_record_says_the_round_whose_move_it_is_and_since_when(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(noted, "time", lambda: 500.9)
    table: Any = Table()
    table.history = [(1, [Event("round/begins", {"round": 1})]), (5, [Event("round/begins", {"round": 2})])]
    table.owing, table.debts = {CID: [2], BOB: [1]}, dict.fromkeys((CID, BOB), "answer")
    found = standing(table, Record("table", GENESIS))
    assert (found.round, found.to_move, found.since) == (2, ("Cid", "Bob"), (7, 500))
    assert standing(table, replace(found, since=(7, 100))).since == (7, 100)
    assert standing(table, replace(found, since=(6, 100))).since == (7, 500)
    assert standing(table, replace(found, since=(7, 0))).since == (7, 500)
    table.position.history.stands = lambda height: height < 5
    assert standing(table, found).round == 1, "the second round was taken back"


def test_addresses_that_worked_are_dialed_first_the_next_time(monkeypatch: pytest.MonkeyPatch) -> None:
    table: Any = Table()
    bob, stranger = GENESIS.members[1].certificate.identity, b"x" * 32
    record = Record("table", GENESIS, addresses={bob: ("tcp://old:1", "tcp://b:1")})

    def link(peer: bytes, worked: str | None, *given: str) -> Any:
        return SimpleNamespace(peer_id=peer, pipe=SimpleNamespace(dial_back=worked), dial_addresses=given)

    links: Any = SimpleNamespace(links={"bob": link(bob, "tcp://a:1", "tcp://b:1"), "eve": link(stranger, "tcp://e:1")})
    where: Any = "where"
    notes = Notes(links, table, record, whereabouts=lambda: [where])
    found = notes.noted(record)
    assert found.addresses == {bob: ("tcp://a:1", "tcp://b:1", "tcp://old:1")}
    assert found.whereabouts == (where,)
    assert not found.by_post
    links.links = {"bob": link(bob, None, *(f"tcp://{at}:1" for at in range(9)))}
    assert notes.noted(record).addresses[bob] == tuple(f"tcp://{at}:1" for at in range(8))


def test_what_linked_members_hold_is_noted_with_the_time_when_that_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(noted, "time", lambda: now[0])
    table: Any = Table()
    notes = Notes(NO_LINKS, table, Record("table", GENESIS))
    table.held = {
        "bob": Have(GENESIS.table, BOB, (Feed(ME, 3, bytes(32)),)), "cid": Have(GENESIS.table, CID, ()),
        "eve": Have(GENESIS.table, None, (Feed(ME, 9, bytes(32)),)),
    }  # fmt: skip
    notes.last = notes.noted(notes.record)
    assert notes.last.held == {BOB: (100, {ME: 3})}
    now[0] = 200.0
    assert notes.noted(notes.record).held == {BOB: (100, {ME: 3})}
    table.held["bob"] = Have(GENESIS.table, BOB, (Feed(ME, 4, bytes(32)),))
    assert notes.noted(notes.record).held == {BOB: (200, {ME: 4})}


def test_what_a_link_says_in_the_name_of_another_member_is_not_noted() -> None:
    """Letters would leave out what that one is said to hold."""
    table: Any = Table()
    true, false = (Have(GENESIS.table, BOB, (Feed(ME, seq, bytes(32)),)) for seq in (3, 99))
    table.held = {"bob": true, "cid": false, "eve": false}
    (held,) = Notes(NO_LINKS, table, Record("table", GENESIS)).noted(Record("table", GENESIS)).held.values()
    assert held[1] == {ME: 3}


async def test_notes_are_written_when_something_has_changed(autojump_clock: MockClock) -> None:
    table: Any = Table()
    notes = Notes(NO_LINKS, table, Record("table", GENESIS), every=10.0)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(notes.run)
        await trio.sleep(9)
        assert table.written == []
        await trio.sleep(30)
        assert len(table.written) == 1
        table.position.height = 8
        await trio.sleep(10)
        assert len(table.written) == 2
        nursery.cancel_scope.cancel()


# Reminders -----------------------------------------------------------------------------------------------------------


def test_what_has_not_ended_is_told_again_and_what_has_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    table: Any = Table()
    remind(table)
    assert (table.notices, table.told, table.compared) == ([], [], 0)
    fault = SimpleNamespace(code="fork")
    table.lockstep.faults = {ME: [fault], BOB: [fault, None], CID: [fault], b"gone": [fault]}
    table.position.cut = {CID}
    claim, old, forged = (SimpleNamespace(head=head, of=of) for head, of in (
        (b"head", BOB), (b"other", BOB), (b"head", CID)
    ))  # fmt: skip
    monkeypatch.setattr("client.table.reminders.read_claim", lambda entry: entry.of and (entry.of, 5))
    table.lockstep.hearing.claims = {CID: claim, ME: old, BOB: forged, b"x": SimpleNamespace(head=b"head", of=None)}
    table.lockstep.reading.differing = lambda: ["entry"]
    table.lockstep.reading.elsewhere = True
    mine, other = (
        SimpleNamespace(pact=SimpleNamespace(id=b"pact"), missing=missing) for missing in ((ME, BOB), (BOB,))
    )
    table.voice = SimpleNamespace(votes=lambda: [mine, other])
    remind(table)
    bob, cid = table.party(BOB), table.party(CID)
    assert table.notices == [FaultProven(bob, "fork"), Owes(bob, cid)]
    assert table.told == [Diverged("entry", b"state"), Proposed(mine.pact, CID)]  # type: ignore[arg-type]
    assert table.compared == 1
