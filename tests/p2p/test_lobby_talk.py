"""What people say to each other before the table begins: texts, wishes, and seats that are taken back."""

from __future__ import annotations

from lobbyhouse import House, house, sitter

from p2p.lobby.effects import Dealt, Heard, RoomChanged, Say, TurnedAway
from p2p.lobby.messages import MAX_SAID, MAX_SPOKEN, MAX_WISH


def gathered() -> House:
    table = house()
    table.come(sitter("Bob"))
    table.come(sitter("Eve2"), watch=True)
    return table


def heard(table: House, who: str) -> list[tuple[str, str]]:
    return [(each.name, each.text) for each in table.got(who, Heard) if isinstance(each, Heard)]


def test_what_a_guest_says_is_heard_by_all_under_its_own_name() -> None:
    table = gathered()
    table.guests["Bob"].say("hello")
    table.settle()
    table.invite.say("welcome")
    table.settle()
    for who in ("inviter", "Bob", "Eve2"):
        assert heard(table, who) == [("Bob", "hello"), ("Ann", "welcome")]


def test_who_only_watches_or_still_knocks_says_nothing() -> None:
    table = house(approve_all=False)
    table.come(sitter("Bob"))
    table.come(sitter("Eve2"), watch=True)
    for who in ("Bob", "Eve2"):
        table.guests[who].say("hello")
    table.settle()
    assert heard(table, "inviter") == []


def test_a_guest_cannot_flood_the_lobby_and_is_told_so() -> None:
    table = gathered()
    bob = table.guests["Bob"]
    for number in range(MAX_SPOKEN + 5):
        refusal = bob.say("x" * (MAX_SAID + 9))
        assert (refusal.code if refusal else None) == (None if number < MAX_SPOKEN else "chat/too-many")
        table.settle()
    for _ in range(5):  # a guest that does not keep to it
        bob._say("say", "x" * MAX_SAID)
        table.settle()
    assert heard(table, "inviter") == [("Bob", "x" * MAX_SAID)] * MAX_SPOKEN
    table.invite.heard("Bob", "say", "x" * (MAX_SAID + 1))
    assert not [each for each in table.invite.effects() if isinstance(each, Heard)]


def test_a_wish_is_seen_by_all_and_binds_nobody() -> None:
    table = gathered()
    table.guests["Bob"].wish("hacan")
    table.invite.wish("sol")
    table.settle()
    for who in ("inviter", "Bob", "Eve2"):
        last = table.got(who, RoomChanged)[-1]
        assert isinstance(last, RoomChanged)
        assert [row.wish for row in last.room] == ["sol", "hacan"]
    table.come(sitter("Cid"))
    table.ready("Bob", "Cid")
    assert table.got("Cid", Dealt)


def test_a_wish_that_is_too_long_does_not_count() -> None:
    table = gathered()
    table.invite.heard("Bob", "wish", "x" * (MAX_WISH + 1))
    assert len(table.invite.room) == 2
    assert table.invite.room[1].wish == ""


def test_a_seat_is_taken_back_and_may_be_asked_for_again() -> None:
    table = gathered()
    table.invite.remove(sitter("Bob").identity)
    table.settle()
    assert [row.name for row in table.invite.room] == ["Ann"]
    assert [effect.code for effect in table.got("Bob", TurnedAway) if isinstance(effect, TurnedAway)] == [
        "lobby/removed"
    ]
    del table.guests["Bob"]
    table.come(sitter("Bob"))
    assert [row.name for row in table.invite.room] == ["Ann", "Bob"]


def test_no_seat_is_taken_back_once_the_roster_is_fixed() -> None:
    table = gathered()
    table.come(sitter("Cid"))
    table.ready("Bob", "Cid")
    said = len(table.got("Bob", Say))
    table.invite.remove(sitter("Bob").identity)
    table.settle()
    assert len(table.got("Bob", Say)) == said
    assert not table.got("Bob", TurnedAway)
