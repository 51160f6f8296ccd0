"""What strangers of the same network, and those who ask for a taken name, learn in a lobby and may do there."""

from __future__ import annotations

from dataclasses import replace

import pytest
from lobbyhouse import TERMS, House, announced, house, proof, sitter

from p2p.lobby.effects import Close, Dealt, Knocked, NameTaken, RoomChanged, Say, TurnedAway, Waiting
from p2p.lobby.invite import MAX_GUESTS, MAX_STRANGERS
from p2p.lobby.messages import Sitter
from p2p.wire.codec import decode, encode


def test_who_asks_with_a_taken_name_hears_free_ones_and_may_ask_again_on_the_same_link() -> None:
    table = house()
    table.come(sitter("Eve"))
    assert table.got("Eve", NameTaken) == [NameTaken("Eve", ("Zoe",))]
    assert not table.got("Eve", TurnedAway)
    table.guests["Eve"].sit(called("Eve", "Zoe"), proof(b"Eve"))
    table.settle()
    assert [row.name for row in table.invite.room] == ["Ann", "Zoe"]


def called(who: str, name: str) -> Sitter:
    """Somebody's request for a seat under another name."""
    return replace(sitter(who), players=((name, None),))


def knows(table: House, link: str) -> set[str]:
    """What somebody was told of those who sit: names, wishes and keys."""
    told = b"".join(
        encode(each.body) for each in table.got("inviter", Say) if isinstance(each, Say) and each.link == link
    )
    words = {"Ann", "Bob", "hydran", "terran", "good evening"}
    keys = {f"key of {name}" for name in ("Ann", "Bob") if sitter(name).identity in told}
    return {word for word in words if word.encode() in told} | keys


def test_a_link_asks_eight_times_for_a_name_that_is_taken_and_then_ends() -> None:
    table = house()
    eve = sitter("Eve")
    table.invite.opened("link", eve.identity, b"link", None)
    told: list[str] = []
    for _ in range(9):
        table.invite.heard("link", "sit", [proof(b"link"), decode(encode(eve.fields()))])
        told += [each.kind if isinstance(each, Say) else type(each).__name__ for each in table.invite.effects()]
    assert [each for each in told if each in ("taken", "Close")] == ["taken"] * 8 + ["Close"]


def test_who_waits_for_an_answer_when_the_table_begins_hears_that_it_has_begun() -> None:
    table = house(terms=replace(TERMS, seats=2), approve_all=False)
    table.come(sitter("Bob"))
    table.come(sitter("Cid", ()))
    assert table.got("Cid", Waiting)
    table.invite.approve("Bob", yes=True)
    table.ready("Bob")
    assert table.got("Bob", Dealt)
    assert table.got("Cid", TurnedAway) == [TurnedAway("lobby/begun", ())]


def gathering() -> House:
    """An inviter who is asked about each newcomer, and Bob, who sits with the ticket."""
    table = house(approve_all=False)
    table.come(sitter("Bob"))
    table.invite.approve("Bob", yes=True)
    table.guests["Bob"].wish("hydran")
    table.settle()
    return table


@pytest.mark.parametrize("name", ["Bob", "Cid"])
def test_a_stranger_in_the_same_network_learns_no_name_before_it_is_let_in(name: str) -> None:
    table = gathering()
    for who in ("quiet", "loud"):
        table.come(called("Eve", name), sits=who == "loud", heard=who)
    table.invite.wish("terran")
    table.invite.say("good evening")
    assert table.invite.change(replace(TERMS, options={"draws": "sealed"})) is None
    table.settle()
    assert knows(table, "Bob") == {"Ann", "Bob", "hydran", "terran", "good evening", "key of Ann", "key of Bob"}
    assert knows(table, "quiet") == knows(table, "loud") == set()
    assert table.got("quiet", RoomChanged)[0] == RoomChanged((), 1), "only how many seats are free"
    table.invite.approve("loud", yes=False)
    table.settle()
    assert knows(table, "loud") == set()
    assert table.got("loud", TurnedAway) == [TurnedAway("lobby/declined", ())]


def test_a_stranger_that_was_let_in_learns_that_its_name_is_taken_and_is_not_asked_about_anew() -> None:
    table = gathering()
    table.come(called("Cid", "Bob"), heard="lan")
    assert len(table.got("inviter", Knocked)) == 2
    table.invite.approve("lan", yes=True)
    table.settle()
    assert table.got("lan", NameTaken) == [NameTaken("Bob", ("Zoe",))]
    table.guests["lan"].sit(called("Cid", "Zoe"), announced(b"lan"))
    table.settle()
    assert [row.name for row in table.invite.room] == ["Ann", "Bob", "Zoe"]
    assert knows(table, "lan") > {"Ann", "Bob", "hydran"}
    table.come(called("Dan", "Bob"), heard="other")
    table.guests["other"].sit(called("Dan", "Eve"), announced(b"other"))
    table.settle()
    assert [row.name for row in table.invite.room] == ["Ann", "Bob", "Zoe"]


def test_a_stranger_asks_for_no_second_seat_and_may_not_watch() -> None:
    table = gathering()
    table.come(sitter("Cid"), heard="lan")
    for _ in range(3):
        table.guests["lan"].sit(sitter("Dan"), announced(b"lan"))
        table.settle()
    assert len(table.got("inviter", Knocked)) == 2
    table.come(sitter("Eve"), watch=True, heard="watcher")
    assert [each.code for each in table.got("watcher", TurnedAway)] == ["lobby/proof"]  # type: ignore[union-attr]
    assert knows(table, "watcher") == knows(table, "lan") == set()


def test_strangers_keep_nobody_out_who_has_the_ticket_and_a_silent_one_makes_room_for_the_next() -> None:
    table = house(approve_all=False)
    for number in range(MAX_STRANGERS):
        table.come(sitter(f"s{number}"), sits=number > 0, heard=f"s{number}")
    table.come(sitter("Cid"), heard="Cid")
    assert table.got("inviter", Close) == [Close("s0", "bye/full")]
    table.come(sitter("Dan"), heard="Dan")
    assert table.got("inviter", Close)[-1] == Close("Dan", "bye/full")
    table.come(sitter("Bob"))
    table.invite.approve("Bob", yes=True)
    table.settle()
    assert [row.name for row in table.invite.room] == ["Ann", "Bob"]


def test_guests_and_spectators_are_thirty_two_at_most_and_hold_no_seat_open() -> None:
    table = house()
    for number in range(MAX_GUESTS):
        table.come(sitter(f"w{number}"), watch=True)
    table.come(sitter("late"), watch=True)
    assert table.got("inviter", Close) == [Close("late", "bye/full")]
    assert len(table.invite.watchers) == MAX_GUESTS == 32
    table.invite.closed("w0")
    table.come(sitter("Bob"))
    assert [row.name for row in table.invite.room] == ["Ann", "Bob"]


def test_who_was_let_in_from_the_network_and_missed_the_start_gets_it_and_strangers_hear_that_it_has_begun() -> None:
    table = house(terms=replace(TERMS, seats=2))
    table.come(sitter("Bob"), heard="lan")
    table.guests["lan"].ready(yes=True)
    table.settle()
    assert table.got("lan", Dealt)
    table.come(sitter("Cid"), heard="stranger", sits=False)
    assert [each.code for each in table.got("stranger", TurnedAway)] == ["lobby/begun"]  # type: ignore[union-attr]
    table.invite.opened("again", sitter("Bob").identity, b"again", None, ticket=False)
    table.invite.heard("again", "sit", [announced(b"again"), decode(encode(sitter("Bob").fields()))])
    said = [each.kind for each in table.invite.effects() if isinstance(each, Say)]
    assert said == ["offer", "genesis"]
