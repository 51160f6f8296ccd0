"""The ways back to a running table: its ticket made and read, what is shown to who misses somebody, and answers."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from house import House
from trio.testing import MockClock

from client.system.errors import UserError
from client.table.answering import address_text, nobody_text
from client.table.back import CUT_OFF, LASTS, PATIENCE, WayBack
from client.table.notices import AnswerMade
from client.table.record import Record
from p2p.link.meet import table_meeting
from p2p.reach.answer import GuestAnswer, open_answer, read_answers, write_answer
from p2p.reach.relay import PORT
from p2p.reach.whereabouts import (
    MAX_MEMBERS,
    TableTicket,
    Whereabouts,
    make_table_ticket,
    parse_table_ticket,
    sign_whereabouts,
)
from p2p.wire.address import at_friend, at_relay

HERE, THERE = "tcp://8.8.4.1:4000", "tcp://8.8.4.2:4000"


class Gossip:
    """Knows where members are."""

    def __init__(self, house: House, *, signs: bool) -> None:
        self.known: dict[bytes, Whereabouts] = {}
        self.taken: list[Whereabouts] = []
        self.signed, self.signs = 0, signs
        self.signature = house.keys[0].key.sign
        self.found: Any = None

    def sign_anew(self) -> None:
        self.signed += 1

    def take(self, listed: tuple[Whereabouts, ...]) -> None:
        self.taken += listed


class Home:
    """The first of three at a table, which nobody else has come to yet."""

    def __init__(
        self, nursery: trio.Nursery, folder: Path, *, lacks: bool = False, follows: bool = False, given: str = "",
        answer: str = "",
    ) -> None:  # fmt: skip
        self.house = House(3)
        self.table = self.house.tables[0]
        self.id = self.house.genesis.table
        self.lacks, self.outer = lacks, list[str]()
        self.shown: list[str] = []
        self.notices: list[Any] = []
        self.waits: list[str] = []
        self.called: list[Any] = []
        self.calls: dict[bytes, Any] = {}
        self.links: dict[tuple[bytes, bytes], Any] = {}
        self.linked: set[bytes] = set()
        self.table.linked = lambda key: key in self.linked  # type: ignore[method-assign]
        self.gossip = Gossip(self.house, signs=not follows)
        reach: Any = SimpleNamespace(
            supervisor=SimpleNamespace(links=self.links), wait_also_at=self.waits.extend, candidates=lambda: (HERE,),
            outer_hosts=lambda: self.outer, lacks_outer_host=lambda: self.lacks,
            listener=SimpleNamespace(local=SimpleNamespace(instance=b"instance")),
            caller=SimpleNamespace(call=self._call, calls=SimpleNamespace(calls=self.calls)),
        )  # fmt: skip
        player: Any = SimpleNamespace(
            show=lambda told, plain=False: self.shown.append(told()), notice=self.notices.append
        )
        record = Record("table", self.house.genesis)
        ticket = parse_table_ticket(given) if given else None
        self.way = WayBack(
            reach, self.house.identity(0), folder, nursery, self.table, self.gossip, player, record, ticket, answer  # type: ignore[arg-type]
        )  # fmt: skip
        self.look = self.table.on_tick[-1]

    def _call(self, *given: Any, leads: bool) -> str:
        self.called.append((*given, leads))
        self.calls[given[1]] = given
        return ""

    def where(self, seat: int, place: str = THERE, number: int = 1, table: bytes = b"") -> Whereabouts:
        key = self.house.keys[seat].key
        return sign_whereabouts(key.sign, key.public, table or self.id, number, [place])

    def ticket(self, maker: int, *seats: int, table: bytes = b"", lasts: int = 60) -> TableTicket:
        key, table = self.house.keys[maker].key, table or self.id
        listed = [self.where(seat, table=table) for seat in seats]
        return make_table_ticket(key.sign, key.public, table, listed, int(time.time()) + lasts)

    def up(self, seat: int, via: str = "") -> None:
        """A link to a member is up."""
        self.linked.add(self.house.key(seat))
        self.links[self.house.identity(seat).public, b"device"] = SimpleNamespace(pipe=SimpleNamespace(via=via))

    def down(self, seat: int) -> None:
        self.linked.discard(self.house.key(seat))
        self.links.pop((self.house.identity(seat).public, b"device"), None)


@asynccontextmanager
async def home(folder: Path, **how: Any) -> AsyncIterator[Home]:
    async with trio.open_nursery() as nursery:
        yield Home(nursery, folder, **how)
        nursery.cancel_scope.cancel()


# The ticket ----------------------------------------------------------------------------------------------------------


async def test_the_ticket_of_a_table_tells_where_its_members_are_for_a_week(tmp_path: Path) -> None:
    async with home(tmp_path) as ann:
        ann.gossip.known = {ann.house.key(seat): ann.where(seat) for seat in (0, 2)}
        told = ann.table.way_back("") if ann.table.way_back is not None else ""
        assert "starlock resume TICKET" in told
        made = parse_table_ticket(told)
        assert made.right(ann.id)
        assert made.maker == ann.house.key(0)
        assert {each.key for each in made.whereabouts} == {ann.house.key(0), ann.house.key(2)}
        assert abs(made.expiry - time.time() - LASTS) < 60
        assert LASTS == 604_800
        assert (ann.gossip.signed, ann.waits) == (1, []), "what it tells of itself is new"


async def test_whereabouts_that_have_no_room_are_left_out_but_never_the_own_ones(tmp_path: Path) -> None:
    async with home(tmp_path) as ann:
        places = tuple(at_relay("relay.example", port, b"k" * 32, b"p" * 40) for port in range(4000, 4006))
        crowd = {b"%032d" % at: Whereabouts(b"%032d" % at, 1, places, bytes(64)) for at in range(MAX_MEMBERS - 1)}
        ann.gossip.known = {**crowd, ann.house.key(0): ann.where(0)}
        made = ann.way.ticket()
        assert ann.house.key(0) in {each.key for each in made.whereabouts}
        assert 1 < len(made.whereabouts) < MAX_MEMBERS
        assert parse_table_ticket(str(made)) == made


async def test_a_relay_that_is_named_is_waited_at_and_what_is_none_is_refused(tmp_path: Path) -> None:
    async with home(tmp_path) as ann:
        parse_table_ticket(ann.way.text("relay.example"))
        assert ann.waits == [f"relay://relay.example:{PORT}"]
        with pytest.raises(UserError):
            ann.way.text("no relay")
        ann.gossip.found(["relay://192.0.2.9:1"])
        assert ann.waits[1:] == ["relay://192.0.2.9:1"], "others can be met there too"


async def test_who_signs_nothing_here_has_no_ticket_to_give(tmp_path: Path) -> None:
    async with home(tmp_path, follows=True) as ann:
        assert ann.table.way_back is None


@pytest.mark.parametrize(
    ("seats", "told"), [((1,), "1 member is;"), ((0, 1, 2), "2 members are;"), ((0,), "0 members")]
)
async def test_a_pasted_ticket_is_followed_and_kept_from_the_others(
    tmp_path: Path, seats: tuple[int, ...], told: str
) -> None:
    async with home(tmp_path) as ann:
        ticket = ann.ticket(1, *seats)
        assert ann.table.kept_here(f"Here it is: {ticket}")
        assert told in ann.shown[-1]
        assert ann.gossip.taken == list(ticket.whereabouts)


async def test_a_ticket_of_another_table_or_an_altered_one_is_followed_nowhere(tmp_path: Path) -> None:
    async with home(tmp_path) as ann:
        good = ann.ticket(1, 1)
        altered = TableTicket(good.mark, good.maker, good.whereabouts, good.expiry + 1, good.signature)
        for ticket in (ann.ticket(1, 1, table=b"o" * 32), altered):
            assert ann.table.kept_here(str(ticket))
            assert "is of another table, or somebody has altered it" in ann.shown[-1]
        assert ann.gossip.taken == []


async def test_any_other_text_is_said_to_the_others(tmp_path: Path) -> None:
    async with home(tmp_path) as ann:
        for text in ("hello", "8.8.4.4", "starlock resume TICKET"):
            assert not ann.table.kept_here(text)
        assert ann.shown == []


async def test_an_answer_below_the_own_ticket_is_read_as_an_answer(tmp_path: Path) -> None:
    async with home(tmp_path) as ann:
        guest = GuestAnswer(ann.id, ann.house.identity(1).public, b"instance", (THERE,), int(time.time()) + 600)
        line = write_answer(guest, ann.house.identity(1), ann.house.identity(0).public)
        for text in (line, f"{ann.ticket(0, 0)}\n{line}"):
            ann.called.clear()
            assert ann.table.kept_here(text)
            ((meeting, peer, places, leads),) = ann.called
            assert (meeting, peer, places, leads) == (table_meeting(ann.id), guest.guest, (THERE,), False)
        assert ann.gossip.taken == [], "its own ticket is no news"


# Who misses somebody -------------------------------------------------------------------------------------------------


async def test_who_misses_somebody_after_a_while_is_shown_the_ticket_and_asked_for_its_address(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    async with home(tmp_path, lacks=True) as ann, trio.open_nursery() as nursery:
        ann.up(1)
        nursery.start_soon(ann.way.run)
        await trio.sleep(PATIENCE - 1)
        assert ann.shown == []
        await trio.sleep(2)
        assert parse_table_ticket(ann.shown[0]).maker == ann.house.key(0)
        assert ann.shown[1:] == [address_text()]
        assert ann.notices == [AnswerMade("", asks=True)]
        assert not ann.table.kept_here("hello"), "that is no address"
        ann.outer = ["8.8.4.4"]
        assert ann.table.kept_here("8.8.4.4")
        assert "From now on 8.8.4.4 counts" in ann.shown[2]
        parse_table_ticket(ann.shown[3])
        assert not ann.table.kept_here("8.8.4.4"), "it is asked for once"
        assert len(ann.shown) == 4


async def test_an_address_of_no_use_is_kept_from_the_others_and_asked_for_still(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    async with home(tmp_path, lacks=True) as ann:
        await ann.way.run()
        count = len(ann.shown)
        for _ in range(2):
            assert ann.table.kept_here("192.168.1.1")
        assert len(ann.shown) == count + 2
        assert "192.168.1.1 is not an address" in ann.shown[-1]


@pytest.mark.parametrize("why", ["all are linked", "its own key before", "the game is over", "it only follows"])
async def test_nothing_is_shown_where_nobody_is_missed_or_can_be_met(
    autojump_clock: MockClock, tmp_path: Path, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with home(tmp_path, lacks=True, follows=why == "it only follows") as ann:
        if why == "all are linked":
            ann.up(1)
            ann.up(2)
        if why == "its own key before":  # it goes on with a new one
            ann.up(1)
            monkeypatch.setattr(ann.way, "_identity", ann.house.identity(2))
        if why == "the game is over":
            monkeypatch.setattr(type(ann.table.lockstep.position), "over", property(lambda _self: True))
        await ann.way.run()
        assert (ann.shown, ann.notices) == ([], [])


async def test_who_comes_with_a_ticket_tries_there_and_answers_its_maker_until_it_is_linked(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    async with trio.open_nursery() as nursery:
        text = str(Home(nursery, tmp_path).ticket(1, 1, 2, lasts=10**6))
        ann = Home(nursery, tmp_path, given=text)
        nursery.start_soon(ann.way.run)
        await trio.sleep(1)
        assert {each.key for each in ann.gossip.taken} == {ann.house.key(1), ann.house.key(2)}
        await trio.sleep(2 * PATIENCE - 2)
        assert nobody_text() not in ann.shown
        await trio.sleep(4)
        assert nobody_text() in ann.shown
        bob = ann.house.identity(1)
        assert ann.called == [(table_meeting(ann.id), bob.public, (THERE,), True)]
        (line,) = [each.line for each in ann.notices if isinstance(each, AnswerMade) and each.line]
        answer = open_answer(read_answers(line)[0], bob, ann.id)
        assert answer is not None
        assert (answer.guest, answer.places) == (ann.house.identity(0).public, (HERE,))
        ann.up(1)
        await trio.sleep(3)
        assert ann.notices[-1] == AnswerMade("", asks=False)
        assert not nursery.child_tasks, "it is done"


@pytest.mark.parametrize("maker", [0, 1, 3])
async def test_nobody_is_answered_who_is_linked_no_member_or_this_home(
    autojump_clock: MockClock, tmp_path: Path, maker: int
) -> None:
    async with trio.open_nursery() as nursery:
        first = Home(nursery, tmp_path)
        stranger = House(4) if maker == 3 else first.house
        key = stranger.keys[maker].key
        text = str(make_table_ticket(key.sign, key.public, first.id, [], int(time.time()) + 10**6))
        ann = Home(nursery, tmp_path, given=text)
        ann.up(1)
        ann.up(2)
        await ann.way.run()
        assert (ann.shown, ann.called) == ([], [])


async def test_an_answer_that_this_home_was_called_with_is_read_first(tmp_path: Path) -> None:
    async with trio.open_nursery() as nursery:
        made = Home(nursery, tmp_path)
        guest = GuestAnswer(made.id, made.house.identity(1).public, b"instance", (THERE,), int(time.time()) + 600)
        line = write_answer(guest, made.house.identity(1), made.house.identity(0).public)
        ann = Home(nursery, tmp_path, answer=line)
        nursery.start_soon(ann.way.run)
        await trio.testing.wait_all_tasks_blocked()
        assert [call[1] for call in ann.called] == [guest.guest]
        nursery.cancel_scope.cancel()


# A friend who relayed is gone ----------------------------------------------------------------------------------------


async def wait(ann: Home, seconds: float) -> None:
    """Look now, and again after so many seconds."""
    ann.look()
    await trio.sleep(seconds)
    ann.look()


async def test_who_is_cut_off_by_the_leaving_of_a_friend_is_told_once_what_helps(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    async with home(tmp_path) as ann:
        ann.up(1)
        ann.up(2, at_friend(ann.house.identity(1).public))
        await wait(ann, 3 * CUT_OFF)
        assert ann.shown == []
        for seat in (1, 2):
            ann.down(seat)
        await wait(ann, CUT_OFF - 0.5)
        assert ann.shown == []
        await wait(ann, 0.5)
        (told,) = ann.shown
        assert told.startswith("Player 1 passed on what you and Player 2 tell each other, and is gone.")
        await wait(ann, 3 * CUT_OFF)
        assert len(ann.shown) == 1


@pytest.mark.parametrize("seat", [1, 2])
async def test_nothing_is_told_where_friend_or_member_is_back_in_time_and_the_time_begins_anew(
    autojump_clock: MockClock, tmp_path: Path, seat: int
) -> None:
    async with home(tmp_path) as ann:
        friend = at_friend(ann.house.identity(1).public)
        ann.up(1)
        ann.up(2, friend)
        ann.look()
        ann.down(1)
        ann.down(2)
        await wait(ann, CUT_OFF - 1)
        ann.up(seat, friend if seat == 2 else "")
        await wait(ann, CUT_OFF)
        ann.down(seat)
        await wait(ann, CUT_OFF - 1)
        assert ann.shown == []


async def test_a_link_without_a_friend_is_told_by_nobody_to_be_cut_off(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    async with home(tmp_path) as ann:
        ann.up(1)
        ann.up(2, at_friend(ann.house.identity(1).public))
        ann.look()
        ann.up(2, "relay://192.0.2.9:1")
        ann.look()
        ann.down(1)
        ann.down(2)
        await wait(ann, 3 * CUT_OFF)
        assert ann.shown == []
