"""Who signs again what its store has lost signs the same bytes, of every kind of entry; so nobody convicts it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import pairwise
from typing import Any

import pytest
from faultcases import bad_dealing

from p2p.lockstep.automatic import LATE
from p2p.lockstep.effects import Keep
from p2p.lockstep.lockstep import Lockstep
from p2p.lockstep.pacts import read_pact
from p2p.lockstep.step import read_claim
from p2p.testing.cheats import CheatTable, vanished_bidder
from p2p.testing.machine import HIGHEST, TestMachine
from p2p.testing.tables import DirectTable, member
from p2p.wire.codec import decode
from p2p.wire.entry import KINDS, Entry

SEALED = {"draws": "sealed"}


def talked() -> DirectTable:
    """A game of two with chat, claims, a vote that is refused and one that comes too late."""
    table = DirectTable([[0], [1]], 3, options=SEALED)
    table.start()
    first, second = table.peers
    assert first.chat("hello") is None
    table.settle()
    assert second.chat("hello") is None
    assert first.clock(second.me or b"") is None
    table.settle()
    while table.peers[0].position.step.kind != "choose":
        assert table.step()
    assert first.propose("takeback", (), [table.peers[0].position.height - 1, True]) is None
    table.settle()
    assert second.refuse(second.votes()[0].pact.id, "pact/declined") is None
    table.settle()
    owing = next(iter(first.owing()))
    waiting = next(peer for peer in table.peers if peer.me != owing)
    assert waiting.claim(owing) is None
    table.settle()
    assert second.leave() is None
    table.settle()
    table.play()
    return table


def returned() -> CheatTable:
    """A game of three from which one is left out, and comes back."""
    table = CheatTable(([0], [1], [2]), seed=7, rounds=2)
    table.start()
    table.play_to("together")
    table.lose(2)
    table.play()
    return table


TABLES: dict[str, Callable[[], DirectTable]] = {
    "vanished": vanished_bidder,
    "dealt badly": lambda: bad_dealing()[0],
    "talked": talked,
    "returned": returned,
}


@cache
def played(name: str) -> DirectTable:
    return TABLES[name]()


def compared(name: str) -> list[tuple[int, Entry]]:
    """The entries of a table that are signed again, each with the place of its author: those of the honest."""
    peers = played(name).peers
    cheats = {key for peer in peers for key in peer.faults}
    return [
        (number, entry)
        for number, peer in enumerate(peers)
        if peer.me not in cheats
        for entry in peer.feeds.feed(peer.me or b"")[:: 1 if name != "vanished" else 2]
    ]


def restored(table: DirectTable, number: int, entry: Entry) -> Lockstep:
    """The member once more, from a store that holds what it held before it signed this entry."""
    peer = table.peers[number]
    known = peer.feeds.entries[: peer.feeds.entries.index(entry)]
    again = member(
        table.genesis, table.keys[number], TestMachine(sum(len(m.seats) for m in table.genesis.members), rounds(peer))
    )
    again.restore([(one, peer.texts.get(one.id)) for one in known])
    again.settled()
    again.start(new=True)
    return again


def rounds(peer: Lockstep) -> int:
    machine = peer.machine
    assert isinstance(machine, TestMachine)
    return int(machine.state["rounds"])


def say(again: Lockstep, peer: Lockstep, entry: Entry) -> None:
    """Let it decide what it decided before."""
    body: Any = entry.body
    match entry.kind:
        case "answer":
            assert again.answer(body[0], body[1]) is None
        case "seal":
            kept = [
                data for name, data in peer.member_secrets.choices.items() if name.startswith(f"seal/{entry.epoch}/")
            ]
            assert any(again.answer(body[0], [decode(data)]) is None for data in kept)
        case "chat":
            assert again.chat(peer.texts[entry.id][1]) is None
        case "clock":
            assert again.clock(body[0]) is None
        case "result":
            claim = read_claim(entry)
            assert claim is not None
            assert again.claim(claim[0]) is None
        case "pact":
            pact = read_pact(body)
            assert again.propose(pact.kind, [end.author for end in pact.out], pact.terms) is None
        case "sign":
            assert again.sign(body[0]) is None
        case "refuse":
            assert again.refuse(body[0], body[1]) is None
        case "leave":
            assert again.leave() is None


def own(again: Lockstep) -> list[Entry]:
    return [effect.entry for effect in again.settled() if isinstance(effect, Keep) and effect.is_own]


@pytest.mark.parametrize("name", TABLES)
def test_every_entry_that_is_signed_again_from_an_equal_store_is_the_same_bytes(name: str) -> None:
    table = played(name)
    assert compared(name)
    for number, entry in compared(name):
        again = restored(table, number, entry)
        made = own(again)
        for now in (LATE, 2 * LATE + 1) if not made else ():
            again.tick(now)
            made += own(again)
        if not made:
            say(again, table.peers[number], entry)
            made = own(again)
        assert made[0].raw == entry.raw, (entry.kind, entry.seq)


def test_a_refusal_is_the_same_bytes_whatever_has_arrived_since() -> None:
    """It named how much of each feed its author held, so that a store that had lost it and heard more since said it
    otherwise: where others held a later word of its author, it could say nothing more."""
    table = DirectTable([[number] for number in range(5)], 3, options=SEALED)
    table.start()
    while table.peers[0].position.step.kind != "together":
        assert table.step()
    assert table.peers[0].propose("absent", [table.keys[4].key.public]) is None
    table.settle()
    refusing = table.peers[1]
    (vote,) = refusing.votes()
    kept = list(refusing.feeds.entries)
    assert refusing.refuse(vote.pact.id, "pact/present") is None
    table.settle()
    (lost,) = (entry for entry in refusing.feeds.feed(refusing.me or b"") if entry.kind == "refuse")
    assert table.peers[4].chat("I am here") is None
    table.settle()
    since = [entry for entry in refusing.feeds.entries if entry not in kept and entry.author != refusing.me]
    assert {entry.author for entry in since} >= {table.keys[4].key.public}
    again = member(table.genesis, table.keys[1], TestMachine(5, 1))
    again.restore([(entry, refusing.texts.get(entry.id)) for entry in (*kept, *since)])
    again.settled()
    again.start(new=True)
    assert again.refuse(vote.pact.id, "pact/present") is None
    assert own(again)[0].raw == lost.raw


@pytest.mark.parametrize("name", ["talked", "returned"])
def test_only_the_choice_that_is_sealed_again_stores_its_secret_and_no_later_own_entry_that_others_show(
    name: str,
) -> None:
    """The store refuses a secret twice, so the program ended."""
    said = dict.fromkeys(number for number, entry in compared(name) if entry.kind == "seal")
    for number in said:
        peer = played(name).peers[number]
        entry, following = next(
            (entry, later)
            for entry, later in pairwise(peer.feeds.feed(peer.me or b""))
            if entry.kind == "seal" and any(one is entry for _, one in compared(name))
        )
        again = restored(played(name), number, entry)
        again.feed(following)
        assert own(again) == []
        say(again, peer, entry)
        kept = [each for each in again.settled() if isinstance(each, Keep) and each.is_own]
        assert [each.entry.raw for each in kept[:2]] == [entry.raw, following.raw]
        assert [len(each.secrets) for each in kept[:2]] == [1, 0]
    assert said


def test_every_kind_of_entry_is_signed_again() -> None:
    assert {entry.kind for name in TABLES for _, entry in compared(name)} == KINDS


@pytest.mark.parametrize("kind", ["together", "seal"])
def test_several_seats_of_one_member_answer_at_one_height_and_all_count(kind: str) -> None:
    table = DirectTable([[0, 1, 2], [3]], 5, rounds=2)
    table.start()
    while table.peers[0].position.step.kind != kind:
        assert table.step()
    several = table.peers[0]
    height, head = several.position.height, several.position.head
    for seat in (2, 0, 1):
        assert several.answer(seat, table.pick(several, seat)) is None
        several.go_on()
    table.settle()
    wanted = "seal" if kind == "seal" else "answer"
    said = [entry for entry in table.log_of(wanted) if (entry.height, entry.author) == (height, several.me)]
    assert [entry.body[0] for entry in said if isinstance(entry.body, list)] == [2, 0, 1]
    assert {entry.head for entry in said} == {head}
    assert several.position.height == height, "the other member has not answered yet"
    table.play()
    assert {peer.position.head for peer in table.peers} == {several.position.head}
    assert all(peer.position.over and not peer.faults for peer in table.peers)


def test_a_stand_ins_answer_that_a_store_has_lost_comes_back_and_is_not_said_otherwise() -> None:
    """A machine answers for a bot that is stuck, loses that entry, and its bot thinks well again."""
    table = DirectTable([[0, 1], [2]], 5, rounds=2)
    table.start()
    while not ({0, 1} & {*table.peers[0].owing().get(table.peers[0].me or b"", [])}):
        assert table.step()
    machine, other = table.peers
    seat = machine.owing()[machine.me or b""][0]
    kept = list(machine.feeds.entries)
    said = [machine.machine.caretaker(seat)]
    assert machine.answer(seat, said) is None
    table.settle()
    lost = [entry for entry in other.feeds.feed(machine.me or b"") if entry.id not in {each.id for each in kept}]
    assert lost
    again = member(table.genesis, table.keys[0], TestMachine(3, 2))
    again.restore([(entry, None) for entry in kept])
    again.start(new=False)
    assert again.mute is not None, "nothing is signed before somebody confirms the end of the own feed"
    assert again.answer(seat, [HIGHEST]) is not None
    for entry in lost:
        again.feed(entry)
    for effect in again.settled(table.work):
        assert not (isinstance(effect, Keep) and effect.is_own), "what comes back is not signed again"
    assert [entry.id for entry in again.feeds.feed(again.me or b"")][-len(lost) :] == [entry.id for entry in lost]
    assert not again.faults
    assert not other.faults
