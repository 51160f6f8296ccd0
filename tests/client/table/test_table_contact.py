"""What people are told of links: nothing where nothing was lost, and the truth about who has left."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from parties import ANNA
from trio.testing import MockClock

from client.table.contact import ALONE, SOON, Contact
from client.table.guest import AGAIN, Joining
from client.table.lobby import Room
from client.table.notice_words import notice_text
from client.table.notices import LinkChange, LinkChanged

ANN, BOB = b"a" * 32, b"b" * 32


class NotingContact:
    """A contact, and what it tells."""

    def __init__(self) -> None:
        self.said: list[tuple[LinkChange, Sequence[bytes]]] = []
        self.contact = Contact(lambda change, who, _: self.said.append((change, list(who))))


@pytest.mark.parametrize("code", ["bye/replaced", "bye/double", "link/broken", "link/closed"])
def test_a_link_that_another_one_follows_soon_is_not_told_as_lost(code: str) -> None:
    told = NotingContact()
    told.contact.came(ANN)
    told.contact.went(ANN, code, 10.0)
    told.contact.tick(10.0 + SOON / 2, [ANN], linked=False)
    told.contact.came(ANN)
    told.contact.tick(10.0 + 2 * SOON, [ANN], linked=True)
    assert told.said == [(LinkChange.UP, [ANN]), (LinkChange.ANOTHER, [ANN])]
    assert not notice_text(LinkChanged(LinkChange.ANOTHER, (ANNA,)))


@pytest.mark.parametrize(
    ("code", "notice"),
    [("link/dead", LinkChange.DOWN), ("bye/done", LinkChange.FINISHED), ("bye/leave", LinkChange.LEFT)],
)
def test_who_stays_away_is_told_once_with_the_reason_and_so_is_the_return(code: str, notice: str) -> None:
    told = NotingContact()
    told.contact.went(ANN, code, 10.0)
    for second in range(20):
        told.contact.tick(10.0 + second, [ANN, BOB], linked=True)
    told.contact.came(ANN)
    for second in range(30, 40):
        told.contact.tick(float(second), [ANN, BOB], linked=True)
    assert [each for each in told.said if each[0] is not LinkChange.ANOTHER] == [
        (notice, [ANN]),
        (LinkChange.UP, [ANN]),
    ]


def test_who_has_left_and_links_only_to_say_so_is_not_told_as_back() -> None:
    told = NotingContact()
    told.contact.went(ANN, "bye/leave", 10.0)
    for second in range(40):
        if second in (10, 20):
            told.contact.came(ANN)
        if second in (13, 23):
            told.contact.went(ANN, "bye/leave" if second == 13 else "link/dead", 10.0 + second)
        told.contact.tick(10.0 + second, [ANN, BOB], linked=True)
    assert [each for each in told.said if each[0] is not LinkChange.ANOTHER] == [(LinkChange.LEFT, [ANN])]
    assert len(told.said) == 5, "links are drawn as they are"


def test_who_waits_alone_is_told_once_that_the_others_may_have_ended() -> None:
    told = NotingContact()
    for second in range(100):
        told.contact.tick(float(second), [ANN, BOB], linked=False)
        assert bool(told.said) == (second >= ALONE)
    assert told.said == [(LinkChange.ALONE, [ANN, BOB])]
    told.contact.tick(101.0, [ANN, BOB], linked=True)
    for second in range(200, 300):
        told.contact.tick(float(second), [ANN, BOB], linked=False)
    assert len(told.said) == 2
    over = NotingContact()
    for second in range(100):
        over.contact.tick(float(second), [], linked=False)
    assert over.said == []


class Guesthouse:
    """A guest in front of a lobby, and what it is shown."""

    def __init__(self, nursery: trio.Nursery, relays: tuple[str, ...] = ()) -> None:
        self.lost = 0
        reception = SimpleNamespace(lost=self._lose)
        guest = SimpleNamespace(link="", opened=self._open, heard=lambda *_: None, effects=list)
        self.guest = guest
        router = SimpleNamespace(links={})
        ticket = SimpleNamespace(inviter=ANN, relays=relays)
        self.room = Room(router, reception, nursery)  # type: ignore[arg-type]  # as much as a guest looks at
        nobody: Any = None
        self.joining = Joining(ticket, guest, self.room, nobody, nobody, nobody)  # type: ignore[arg-type]

    def _lose(self) -> None:
        self.lost += 1

    def _open(self, link: str) -> None:
        self.guest.link = link

    def comes(self, name: str) -> None:
        self.joining.came(name, SimpleNamespace(peer_id=ANN))  # type: ignore[arg-type]


@pytest.mark.parametrize("code", ["bye/double", "bye/replaced", "link/closed"])
async def test_a_guest_whose_link_is_replaced_sits_on_and_is_told_nothing(autojump_clock: MockClock, code: str) -> None:
    async with trio.open_nursery() as nursery:
        house = Guesthouse(nursery)
        house.comes("one")
        house.joining.went("one", code)
        await trio.sleep(0.1)
        house.comes("two")
        await trio.sleep(AGAIN + 10)
        assert house.lost == 0
        assert not house.room.over.is_set()
        house.joining.went("two", code)
        await trio.sleep(SOON + 1)
        assert house.lost == 1
        await trio.sleep(AGAIN + 1)
        assert house.room.over.is_set()


@pytest.mark.parametrize("code", ["link/hung-up", "link/unreachable"])
async def test_a_guest_tries_again_where_a_relay_may_lead_to_the_inviter_the_next_time(
    autojump_clock: MockClock, code: str
) -> None:
    async with trio.open_nursery() as nursery:
        alone, relayed = Guesthouse(nursery), Guesthouse(nursery, ("relay://192.0.2.1:40918",))
        for house in (alone, relayed):
            house.joining.trouble(ANN, code, ("?",))
        assert (alone.room.over.is_set(), relayed.room.over.is_set()) == (True, False)
        relayed.joining.trouble(ANN, "link/other-identity", ("?",))
        assert relayed.room.over.is_set()


async def test_a_guest_is_told_at_once_that_the_inviter_closed_the_lobby(autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        house = Guesthouse(nursery)
        house.comes("one")
        house.joining.went("one", "bye/leave")
        assert house.room.failed is not None
        assert house.room.failed.code == "lobby/closed"


async def test_an_inviter_that_is_out_of_reach_before_its_good_bye_is_read_has_closed_the_lobby(
    autojump_clock: MockClock,
) -> None:
    async with trio.open_nursery() as nursery:
        house = Guesthouse(nursery)
        house.comes("one")
        house.joining.trouble(ANN, "link/unreachable", ("?",))
        house.joining.went("one", "bye/leave")
        assert house.room.failed is not None
        assert house.room.failed.code == "lobby/closed"
