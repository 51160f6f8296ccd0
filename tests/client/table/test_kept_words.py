"""What a table and the network are told as, by every state that they can be in, as kept in tests/client/table/said."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final, get_args

import pytest
from kept import compared
from parties import ANNA, BOB, CARL
from trouble_scenes import NOTICES

from client.table import doctor
from client.table.doctor import MAPS, DoctorStep, lines_of, well
from client.table.notice_words import notice_text
from client.table.notices import (
    BotFailed,
    ChatSaid,
    DiskReady,
    DivergenceFound,
    EndUnseen,
    GameOver,
    HistoryRewound,
    LinkChange,
    LinkChanged,
    MoveAsked,
    OthersHeard,
    OwnFeedConfirmed,
    StatesAgree,
    TableNotice,
    VoteNotice,
    VoteStage,
    logged,
)
from client.table.verdict import Place, advice, leads_nowhere, reachable, scope_text, ticket_changed
from client.table.words import (
    away_text,
    cause_at,
    handover_text,
    link_trouble,
    lobby_trouble,
    owed_text,
    relay_trouble,
    store_trouble,
    ticket_trouble,
    way_text,
)
from p2p.identity.keys import SigningKey
from p2p.link.contract import LinkRefusedError
from p2p.log.store import StoreError
from p2p.reach.reflect import Kind
from p2p.reach.ticket import TicketError, new_ticket
from p2p.reach.verdict import CallBack, Cause

KEPT: Final = Path(__file__).with_name("said")
RELAY: Final = "relay://192.0.2.9:4000"
ODD: Final = "\x1b[2J"


def steps(found: Iterable[DoctorStep]) -> list[str]:
    """Steps of the doctor, with what each is called and whether it matters."""
    every = [*found]
    named = [
        f"{each.step} {'well' if each.ok else 'not'} {'matters' if each.matters else ''}".rstrip() for each in every
    ]
    return [*named, *lines_of(every), f"all well: {well(every)}"]


def reach(**more: Any) -> Any:
    """A network in some state."""
    usual: dict[str, Any] = {
        "listener": SimpleNamespace(port=4000, counts={}),
        "announcer": None,
        "trouble": None,
        "behind_another_router": lambda: False,
        "reflections": SimpleNamespace(hosts_seen=lambda: (), endpoints=lambda _port, _own: ()),
        "kind": lambda: "cone",
        "troubles": dict,
        "standing_at": lambda: (),
        "relays_by": lambda kind: [RELAY, "relay://198.51.100.4:1"] if kind == "relay" else [],
        "supervisor": SimpleNamespace(friends=list),
    }
    return SimpleNamespace(**usual | more)


def test_the_network_is_told_as_kept_in_every_state(monkeypatch: pytest.MonkeyPatch) -> None:
    out, refused = list[str](), LinkRefusedError("listen/port-in-use", 4000)
    for own, sources in (((), ()), (("192.0.2.1", "2001:db8::1"), ("192.0.2.1",))):
        monkeypatch.setattr(doctor, "own_addresses", lambda own=own: own)
        monkeypatch.setattr(doctor, "default_sources", lambda sources=sources: sources)
        out += steps([doctor._addresses(), doctor._listening(reach())])
        for trouble, address in product([None, *MAPS, "none"], [None, "tcp://203.0.113.5:4000"]):
            made: Any = SimpleNamespace(trouble=trouble, address=lambda _hosts, address=address: address)
            out += steps([doctor._mapped(reach(), made, "host")])
        nothing: Any = SimpleNamespace(trouble=None, address=lambda _hosts: None)
        out += steps([doctor._mapped(reach(behind_another_router=lambda: True), nothing, "host")])
    out += steps([doctor.not_listening(refused)])
    for echoed, problems, heard in product((True, False), ((), ("eth1", "wlan0")), (0, 3)):
        announcer = SimpleNamespace(echoed=echoed, problems=problems, heard=heard)
        out += steps([doctor._announcing(reach(announcer=announcer))])
    out += steps([doctor._announcing(reach()), doctor._announcing(reach(trouble=refused))])
    for ahead in ((), (0.4,), (59.9, 60.1), (60.0,), (60.1,), (-60.0,), (-60.6,), (1.0, 2.0, 4000.0)):
        out += [f"{ahead}:", *steps([doctor._clock(ahead)])]
    for kind in get_args(Kind):
        for seen in ((), (("203.0.113.5", 4001), ("203.0.113.5", 4002))):
            reflections = SimpleNamespace(endpoints=lambda _port, _own, seen=seen: seen)
            out += steps([doctor._router(reach(kind=lambda kind=kind: kind, reflections=reflections), "host")])
    for address in (None, "tcp://[2001:db8::1]:4000"):
        pinhole: Any = SimpleNamespace(address=lambda address=address: address)
        out += steps([doctor._let_in(pinhole)])
    for troubles, standing, friends in (({}, (), ()), ({RELAY: "relay/full"}, (), (BOB,)), ({}, (RELAY,), (BOB, CARL))):
        supervisor = SimpleNamespace(friends=lambda friends=friends: friends)
        there = reach(troubles=lambda troubles=troubles: troubles, standing_at=lambda standing=standing: standing)
        there.supervisor = supervisor
        out += steps(doctor._waiting(there))
    counts = {"link/up": 3, "listen/called-back": 1, "link/timeout": 2, "link/hung-up": 1}
    out += steps(doctor._turned_away(reach(listener=SimpleNamespace(port=1, counts=counts))))
    out += steps(doctor._turned_away(reach(listener=SimpleNamespace(port=1, counts={"link/up": 3}))))
    for by, came in product((RELAY, "friend://00"), (True, False)):
        out += steps([doctor._called(CallBack(by, "203.0.113.5", 4000, came, False))])
    for ways in product((True, False), ("candidate", "relay", "own-router")):
        for answered in (True, False):
            out += steps([doctor._ticket_verdict([DoctorStep(ways[1], ways[0], "")], answered=answered)])
    compared(KEPT / "network.txt", "\n".join(out) + "\n")


def test_who_can_be_reached_is_told_as_kept_by_every_cause() -> None:
    out = list[str]()
    for cause in get_args(Cause):
        out += [f"{cause}: {scope_text(cause)} / {reachable(cause)}"]
        out += [f"  {place}: {advice(cause, place)}" for place in get_args(Place)]
    causes: tuple[Cause, ...] = ("relay", "mapped")
    key, expiry = SigningKey.from_seed(b"a" * 32).public, 2_000_000_000
    ways = ((), ("tcp://127.0.0.1:1",), ("tcp://192.168.1.2:1",), ("tcp://203.0.113.5:1", "tcp://192.168.1.2:1"))
    tickets = [
        new_ticket(b"l" * 16, key, each, expiry, relays)
        for each, relays in product(ways, ((), (RELAY,)))
        if each or relays
    ]
    for before, now in product(tickets, tickets):
        for cause in causes:
            out.append(f"{before.candidates}{before.relays} → {now.candidates}{now.relays} {cause}:")
            out.append(f"  {ticket_changed(before, now, cause)}")
    out += map(str, map(leads_nowhere, (True, False)))
    compared(KEPT / "reached.txt", "\n".join(out) + "\n")


def test_notices_and_troubles_are_told_as_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("client.system.extras.extra_command", "pip install {}".format)
    every: list[TableNotice] = [
        *NOTICES.values(),
        *(LinkChanged(change, some) for change in LinkChange for some in ((BOB,), (BOB, CARL))),
        *(EndUnseen(some) for some in ((BOB,), (BOB, CARL))),
        ChatSaid(f"Bob{ODD}", None), ChatSaid("Bob", f"hello{ODD}"), OthersHeard(), StatesAgree(BOB), HistoryRewound(4),
        BotFailed("Bob (bot)", 7, "timeout"), DiskReady(), GameOver(), GameOver("left"), MoveAsked((ANNA, BOB)),
        *map(OwnFeedConfirmed, range(3)),
    ]  # fmt: skip
    kinds = ("takeback", "absent", "gone", "back", "free", "repair", "moved", "without", "end", "none")
    for stage, kind in product(VoteStage, kinds):
        for terms in (None, [3, False]):
            by = None if stage is VoteStage.AGREED else CARL
            every.append(VoteNotice(stage, kind, 9, (BOB,), terms, by, "pact/rival" if by else ""))
    out = [f"{type(each).__name__} {dict(logged(each))}\n  {notice_text(each)}" for each in every]
    assert any(isinstance(each, DivergenceFound) for each in every)
    for code in ("lobby/full", "lobby/name-taken", "lobby/left", "none"):
        out += [away_text(f"Bob{ODD}", code), str(lobby_trouble(code, ("a", 2)).whole)]
    for code in ("link/unreachable", "link/other-version", "relay/full", "libp2p/missing", "none"):
        found = link_trouble(LinkRefusedError(code, "x", "y"))
        out += [f"{code} {found.exit_code} {found.whole} / {cause_at(code)} / {relay_trouble(RELAY, code)}"]
    for detail in (0, 1, 2, 3):
        out.append(ticket_trouble(TicketError("ticket/kind", detail)).whole)
    out += [ticket_trouble(TicketError("ticket/letter", "!", 4)).whole, ticket_trouble(TicketError("none")).whole]
    out.append(store_trouble(StoreError("store/locked", Path("starlock.db"), "7")).whole)
    out += [handover_text("Bob"), owed_text("shuffle"), owed_text("answer")]
    out += [way_text(way) for way in ("here", "direct", "relay", "libp2p", "Bob", "")]
    compared(KEPT / "notices.txt", "\n".join(out) + "\n")
