"""The lobby of an inviter at its machine: what each message and each loss of a link leads to."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
import trio
from lobbies import ANN, BOB, LAN, TICKET, Link, Noted, room
from trio.testing import MockClock

from client.system.errors import UserError
from client.system.names import bot_name
from client.table.lobby import LINKS_TOLD, Hosting, fresh_nonce, judge_name
from p2p.lobby.effects import Close, Dealt, Heard, Knocked, RoomChanged, Say, TurnedAway
from p2p.lobby.messages import Seated
from p2p.lockstep.genesis import Row
from p2p.lockstep.machine import TableRefusal
from p2p.wire.messages import Lobby

# What both sides share -----------------------------------------------------------------------------------------------


async def test_messages_go_to_links_that_are_there_and_a_dealt_table_ends_the_wait() -> None:
    async with trio.open_nursery() as nursery:
        shared, reception, switch = room(nursery)
        link = switch.links["bob"] = Link()
        shared.settle(Say("bob", "seat", [1]))
        shared.settle(Say("gone", "seat", [1]))
        assert link.sent == [Lobby("seat", [1])]
        shared.settle(Heard("Bob", "hello"))
        assert reception.given("said") == [("Bob", "hello")]
        shared.settle(Close("bob", "bye/no"))
        await trio.testing.wait_all_tasks_blocked()
        assert switch.closed == [("bob", "bye/no")]
        assert shared.linked() == {BOB: link}
        assert not shared.over.is_set()
        genesis: Any = "genesis"
        shared.settle(Dealt(genesis, {ANN: ("tcp://a:1",)}))
        assert await shared.wait() == ("genesis", {ANN: ("tcp://a:1",)})
        shared.fail(UserError("a/b", "too late"))
        assert shared.failed is None


async def test_a_lobby_without_a_table_ends_with_the_first_reason_or_as_closed() -> None:
    async with trio.open_nursery() as nursery:
        shared = room(nursery)[0]
        shared.fail(UserError("a/b", "first"))
        shared.fail(UserError("c/d", "second"))
        with pytest.raises(UserError, match="first"):
            await shared.wait()
        other = room(nursery)[0]
        other.over.set()
        with pytest.raises(UserError) as caught:
            await other.wait()
        assert caught.value.code == "lobby/closed"


async def test_links_and_other_tables_are_told_regularly_until_the_table_begins(autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        shared, reception, _switch = room(nursery)
        mine, other = SimpleNamespace(lobby=b"mine"), SimpleNamespace(lobby=b"other")
        shared.nearby = lambda: [mine, other]
        told: list[float] = []
        nursery.start_soon(shared.tell_links, lambda: told.append(trio.current_time()), b"mine")
        began = trio.current_time()
        await trio.sleep(3.5 * LINKS_TOLD)
        assert [at - began for at in told] == [LINKS_TOLD, 2 * LINKS_TOLD, 3 * LINKS_TOLD]
        assert reception.given("nearby") == [([other],)] * 3
        shared.over.set()
        await trio.lowlevel.checkpoint()
        await trio.testing.wait_all_tasks_blocked()
        assert not nursery.child_tasks


def test_nonces_are_random_and_of_their_length() -> None:
    assert {len(fresh_nonce()) for _ in range(3)} == {32}
    assert fresh_nonce() != fresh_nonce()


def seated(identity: bytes, *names: str, level: str | None = None) -> Seated:
    rows = tuple(Row(at, name, level if at else None) for at, name in enumerate(names))
    return Seated(identity, rows, ready=True)


def asks(*players: tuple[str, str | None]) -> Any:
    """A newcomer who asks for seats with these names."""

    def rows(seats: range) -> tuple[Row, ...]:
        return tuple(Row(seat, *player) for seat, player in zip(seats, players, strict=True))

    return SimpleNamespace(rows=rows, count=len(players), players=players)


def test_a_name_that_looks_like_another_at_the_table_is_refused_with_names_that_are_free() -> None:
    known = (seated(ANN, "Ann", "Zed"), seated(BOB, "Bob"))
    assert judge_name(asks(("Cid", None), ("Dee", "greedy")), known) is None
    for name in ("Ann", "ann", "ZED", "Bob"):
        refusal = judge_name(asks((name, None)), known)
        assert refusal is not None
        assert (refusal.code, refusal.detail[0]) == ("lobby/name-taken", name)
        assert len(refusal.detail) > 1
        assert name not in refusal.detail[1:]
        assert all(judge_name(asks((str(free), None)), known) is None for free in refusal.detail[1:])
    refusal = judge_name(asks(("Cid", None), ("Dee", None), ("cid", None)), known)
    assert refusal is not None
    assert refusal.detail[0] == "cid", "two of one machine"


# The inviter ---------------------------------------------------------------------------------------------------------


class Host:
    """An inviter whose lobby says what it is told to."""

    def __init__(self, nursery: trio.Nursery, **how: Any) -> None:
        made: Any = room(nursery)
        self.room, self.reception, self.switch = made
        self.effects: list[Any] = []
        invite: Any = Noted()
        self.invite = invite
        self.invite.effects = lambda: [self.effects.pop(0) for _ in range(len(self.effects))]
        self.invite.room = (seated(ANN, "Ann"), Seated(BOB, (Row(2, "Bob"),), ready=False))
        self.invite.free, self.invite.me = (1,), SimpleNamespace(identity=ANN)
        self.invite.watchers, self.invite.lobby, self.invite.content = (b"eve",), b"lobby", b"content"
        self.invite.terms = SimpleNamespace(game="rex")
        self.noted = 0
        self.hosting = Hosting(self.invite, TICKET, self.room, **how)
        self.hosting.noted = self._note

    def _note(self) -> None:
        self.noted += 1


async def test_an_inviter_is_ready_at_once_and_told_who_is_there_until_the_table_begins(
    autojump_clock: MockClock,
) -> None:
    async with trio.open_nursery() as nursery:
        host = Host(nursery)
        found: list[Any] = []

        async def gather() -> None:
            found.append(await host.hosting.gather())

        nursery.start_soon(gather)
        await trio.sleep(1.5 * LINKS_TOLD)
        assert host.reception.given("open") == [(host.hosting,)]
        assert host.reception.given("own_content") == [("rex", b"content")]
        assert host.invite.given("ready") == [(True,)]
        assert host.reception.given("room") == [(host.invite.room, 1, ANN, {}, (b"eve",))]
        genesis: Any = "genesis"
        host.effects.append(Dealt(genesis, {}))
        host.hosting.wish("hacan")
        assert host.invite.given("wish") == [("hacan",)]
        await trio.sleep(0.1)
        assert found == [("genesis", {})]


async def test_links_by_the_ticket_or_the_announcement_reach_the_lobby_and_no_others() -> None:
    async with trio.open_nursery() as nursery:
        host = Host(nursery)
        host.hosting.came("one", Link())  # type: ignore[arg-type]
        host.hosting.came("two", Link(meeting=LAN))  # type: ignore[arg-type]
        host.hosting.announced = LAN
        host.hosting.came("three", Link(meeting=LAN))  # type: ignore[arg-type]
        host.hosting.came("four", Link(meeting=b"x" * 32))  # type: ignore[arg-type]
        opened = host.invite.given("opened")
        assert opened == [
            ("one", BOB, b"channel", "tcp://a:1", True), ("three", BOB, b"channel", "tcp://a:1", False)
        ]  # fmt: skip
        assert host.noted == 2


async def test_a_word_is_heard_and_who_may_watch_by_it_is_shown_to_the_table() -> None:
    async with trio.open_nursery() as nursery:
        host = Host(nursery)
        host.invite.returns["watched_by"] = False
        host.hosting.word("bob", "seat", [1])
        host.invite.returns["watched_by"] = True
        host.hosting.word("eve", "watch", b"proof")
        assert host.invite.given("heard") == [("bob", "seat", [1]), ("eve", "watch", b"proof")]
        assert host.switch.introduced == ["eve"]
        host.hosting.trouble(BOB, "link/timeout", ())


async def test_bots_for_free_seats_have_the_level_that_is_named_or_whose_turn_it_is() -> None:
    async with trio.open_nursery() as nursery:
        host = Host(nursery, levels=("greedy", "random"))
        host.invite.returns["seat_bot"] = True
        assert host.hosting.add_bot(2)
        assert host.hosting.add_bot(3)
        assert host.hosting.add_bot(4, "expert")
        host.invite.returns["seat_bot"] = False
        assert not host.hosting.add_bot(0)
        assert host.invite.given("seat_bot") == [
            (2, bot_name(2), "greedy"), (3, bot_name(3), "random"), (4, bot_name(4), "expert"),
            (0, bot_name(0), "greedy"),
        ]  # fmt: skip
        assert host.noted == 4


async def test_terms_are_changed_where_the_game_and_the_guests_allow_it_and_else_the_reason_is_told() -> None:
    async with trio.open_nursery() as nursery:
        asked: list[Any] = []

        def terms_of(seats: int, options: Any) -> Any:
            asked.append((seats, options))
            if seats == 9:
                raise UserError("table/seats", "not by nine", "by six")
            return f"terms for {seats}"

        host = Host(nursery, terms_of=terms_of)
        assert host.hosting.change(4, {"a": "b"}) == ""
        assert host.reception.given("terms") == [("terms for 4",)]
        assert host.hosting.change(9, {}) == UserError("table/seats", "not by nine", "by six").whole
        host.invite.returns["change"] = TableRefusal("lobby/seats-taken", "", (2,))
        assert host.hosting.change(2, {}) != ""
        assert host.invite.given("change") == [("terms for 4",), ("terms for 2",)]
        assert host.reception.given("terms") == [("terms for 4",)]
        assert asked == [(4, {"a": "b"}), (9, {}), (2, {})]
        assert Host(nursery).hosting.change(4, {}) == "This table does not change any more."


async def test_a_message_goes_to_all_unless_it_is_meant_for_this_home() -> None:
    async with trio.open_nursery() as nursery:
        host = Host(nursery, keep=lambda text: text == "secret")
        for text in ("secret", "hello"):
            assert host.hosting.say(text) is None
        assert host.invite.given("say") == [("hello",)]


async def test_a_newcomer_is_asked_about_once_and_the_answer_is_kept(autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        host = Host(nursery)
        answers, asked = {"Bob": True, "Cid": False}, list[str]()

        async def approve(sitter: Any) -> bool:
            asked.append(sitter.players[0][0])
            await trio.sleep(1)
            return answers[sitter.players[0][0]]

        host.reception.approve = approve
        bob: Any = SimpleNamespace(identity=BOB, players=(("Bob", None),))
        cid: Any = SimpleNamespace(identity=b"c" * 32, players=(("Cid", None),))
        host.effects += [Knocked("bob", bob), Knocked("cid", cid), Knocked("bob again", bob)]
        host.hosting.wish("")
        await trio.sleep(0.5)
        assert len(asked) == 1, "one after the other"
        await trio.sleep(3)
        assert sorted(host.invite.given("approve")) == [("bob", True), ("bob again", True), ("cid", False)]
        assert sorted(asked) == ["Bob", "Cid"]
        host.effects.append(Knocked("bob later", bob))
        host.hosting.wish("")
        assert host.invite.given("approve")[-1] == ("bob later", True)
        assert len(host.invite.given("approve")) == 4
        host.hosting.remove(2)
        assert host.invite.given("remove") == [(BOB,)]
        assert host.invite.given("unseat_bot") == [(2,)]
        host.effects.append(Knocked("bob at last", bob))
        host.hosting.wish("")
        await trio.sleep(3)
        assert asked[2:] == ["Bob"], "it was sent away"
        host.hosting.remove(0)
        assert host.invite.given("remove") == [(BOB,)], "nobody removes the inviter"


async def test_who_goes_while_it_is_asked_about_is_asked_about_no_more(autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        host = Host(nursery)
        ended: list[str] = []

        async def approve(_sitter: Any) -> bool:
            try:
                await trio.sleep_forever()
            finally:
                ended.append("asked")

        host.reception.approve = approve
        bob: Any = SimpleNamespace(identity=BOB, players=(("Bob", None),))
        host.effects.append(Knocked("bob", bob))
        host.hosting.wish("")
        await trio.sleep(1)
        host.hosting.went("cid", "link/dead")
        await trio.sleep(1)
        assert ended == []
        host.hosting.went("bob", "link/dead")
        await trio.sleep(1)
        assert ended == ["asked"]
        assert host.invite.given("closed") == [("cid",), ("bob",)]
        assert host.invite.given("approve") == []


async def test_who_is_turned_away_is_named_and_changes_of_the_room_are_shown() -> None:
    async with trio.open_nursery() as nursery:
        host = Host(nursery)
        host.effects += [TurnedAway("lobby/full", (), who="Bob"), RoomChanged((), 1)]
        host.hosting.ready(False)
        assert host.invite.given("ready") == [(False,)]
        assert host.reception.given("turned_away") == [("Bob", "lobby/full")]
        assert len(host.reception.given("room")) == 1
