"""Who gets a seat or watches: the inviter decides, and everybody is told why not."""

from __future__ import annotations

from dataclasses import replace

import pytest
from lobbyhouse import TERMS, house, proof, sitter

from p2p.lobby.effects import Close, Dealt, Knocked, Offered, RoomChanged, Say, TurnedAway, Waiting
from p2p.lobby.messages import Sitter


def test_a_guest_hears_what_is_offered_before_it_sits() -> None:
    table = house()
    table.come(sitter("Bob"), sits=False)
    assert table.got("Bob", Offered) == [Offered(TERMS)]
    table.guests["Bob"].leave("content/other")
    table.settle()
    assert table.got("inviter", TurnedAway) == [TurnedAway("lobby/left", ("content/other",))]


def test_another_protocol_is_refused_by_its_number() -> None:
    table = house(replace(TERMS, protocol=2))
    table.come(sitter("Bob"), sits=False)
    assert table.got("Bob", TurnedAway) == [TurnedAway("lobby/protocol", ("2 starlock 1",))]


def test_without_the_ticket_nobody_sits_or_watches() -> None:
    for watch in (False, True):
        table = house()
        table.come(sitter("Bob"), good=False, watch=watch)
        assert [effect.code for effect in table.got("Bob", TurnedAway)] == ["lobby/proof"]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("guest", "code"),
    [
        (sitter("Bob", (0,)), "lobby/seat-taken"),
        (sitter("Bob", (), 3), "lobby/full"),
        (sitter("Bob", lobby=b"another lobby..."), "lobby/certificate"),
        (sitter("Ann"), "lobby/yourself"),
    ],
)
def test_a_newcomer_who_does_not_fit_is_told_why(guest: Sitter, code: str) -> None:
    table = house()
    table.come(guest)
    assert [effect.code for effect in table.got(guest.name, TurnedAway)] == [code]  # type: ignore[union-attr]
    assert len(table.invite.room) == 1


def test_the_inviter_lets_people_in_or_not() -> None:
    table = house(approve_all=False)
    table.come(sitter("Bob"))
    assert isinstance(table.got("inviter", Knocked)[0], Knocked)
    assert table.got("Bob", Waiting)
    table.invite.approve("Bob", yes=False)
    table.settle()
    assert table.got("Bob", TurnedAway) == [TurnedAway("lobby/declined", ())]
    table.guests.pop("Bob")
    table.come(sitter("Bob"))
    table.invite.approve("Bob", yes=True)
    table.settle()
    assert table.invite.free == (2,)


def test_the_room_is_shown_to_all_who_sit() -> None:
    table = house()
    table.come(sitter("Bob"))
    table.come(sitter("Cid"))
    seen = table.got("Bob", RoomChanged)[-1]
    assert isinstance(seen, RoomChanged)
    assert ([row.name for row in seen.room], seen.free) == (["Ann", "Bob", "Cid"], 0)


def test_a_bot_takes_a_free_seat_and_no_other_seat_is_taken_back_from_one() -> None:
    table = house()
    table.come(sitter("Bob"))
    assert not table.invite.seat_bot(1, "Robot", "greedy")
    assert table.invite.seat_bot(2, "Robot", "greedy")
    assert not any(table.invite.unseat_bot(seat) for seat in (0, 1))
    full = table.invite.free
    assert (full, table.invite.unseat_bot(2), table.invite.free) == ((), True, (2,))


def test_who_sits_is_removed_before_the_table_begins_and_not_afterwards() -> None:
    table, bob = house(replace(TERMS, seats=2)), sitter("Bob")
    table.come(bob)
    table.invite.remove(bob.identity)
    table.settle()
    assert table.got("Bob", TurnedAway) == [TurnedAway("lobby/removed", ())]
    table.told.clear()
    table.guests.clear()
    table.come(bob)
    table.ready("Bob")
    table.invite.remove(bob.identity)
    table.settle()
    assert table.got("Bob", Dealt)
    assert not table.got("Bob", TurnedAway)
    assert not table.got("inviter", Close)


@pytest.mark.parametrize("said", [(), ("commit",)], ids=["no hash", "no nonce"])
def test_who_is_ready_and_then_says_nothing_is_removed_and_the_table_begins_without_it(said: tuple[str, ...]) -> None:
    table, cid = house(), sitter("Cid")
    table.come(sitter("Bob"))
    table.come(cid)
    table.ready("Bob")
    table.lost.add("Cid")
    table.invite.heard("Cid", "ready", True)
    for kind in said:
        table.invite.heard("Cid", kind, [table.invite.round, [bytes(32)]])
    table.settle()
    assert not table.invite.free
    table.invite.remove(cid.identity)
    table.settle()
    assert table.invite.free == (2,)
    table.come(sitter("Dan"))
    table.ready("Dan")
    assert table.got("Bob", Dealt) == table.got("Dan", Dealt) == table.got("inviter", Dealt)
    assert len(table.got("inviter", Dealt)) == 1


def test_a_watcher_gets_the_genesis_whether_it_comes_before_or_after_the_start() -> None:
    table = house()
    table.come(sitter("Early"), watch=True)
    table.come(sitter("Bob", (), 2))
    table.ready("Bob")
    table.come(sitter("Late"), watch=True)
    (dealt,) = table.got("inviter", Dealt)
    assert isinstance(dealt, Dealt)
    places = {table.invite.me.identity: table.invite.me.places, sitter("Bob").identity: ()}
    assert table.got("Early", Dealt) == table.got("Late", Dealt) == [Dealt(dealt.genesis, places)]
    assert all(dealt.places.values()), "a spectator is told where the inviter is, and of no other member"


def test_whoever_asks_to_watch_again_is_sent_nothing_again() -> None:
    table = house()
    table.come(sitter("Bob", (), 2))
    table.ready("Bob")
    table.come(sitter("Eve"), watch=True)
    for _ in range(100):
        table.invite.heard("Eve", "watch", proof(b"Eve"))
    table.settle()
    said = [effect for effect in table.got("inviter", Say) if effect.link == "Eve"]  # type: ignore[union-attr]
    assert [effect.kind for effect in said] == ["offer", "genesis"]  # type: ignore[union-attr]
