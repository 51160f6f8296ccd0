"""The lobby of a guest at its machine: what each offer, each message and each loss of a link leads to."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from lobbies import ANN, BOB, Link, Noted, room
from trio.testing import MockClock

from client.system.errors import UserError
from client.table.guest import AGAIN, LOADING, REACHING, SOON, Joining
from p2p.lobby.effects import NameTaken, Offered, RoomChanged, TurnedAway, Waiting
from p2p.lockstep.machine import TableRefusal

TERMS: Any = SimpleNamespace(game="rex", seats=3)
OTHER: Any = SimpleNamespace(game="rex", seats=4)


class Guests:
    """A guest whose protocol says what it is told to."""

    def __init__(
        self, nursery: trio.Nursery, *, sits: bool = True, relays: tuple[str, ...] = (), **returns: Any
    ) -> None:
        self.names: Any = None

        async def ready(terms: Any, again: bool = False) -> bool:
            self.asked.append((terms, again))
            await self.answered.wait()
            return self.agrees

        async def sit(taken: tuple[str, ...]) -> Any:
            self.names = taken
            return SimpleNamespace(identity=BOB) if sits else None

        made: Any = room(nursery)
        self.room, self.reception, self.switch = made
        self.reception.ready = ready
        self.asked: list[Any] = []
        self.answered, self.agrees = trio.Event(), True
        self.refusal: Any = None
        self.effects: list[Any] = []
        guest: Any = Noted()
        self.guest = guest
        self.guest.effects = lambda: [self.effects.pop(0) for _ in range(len(self.effects))]
        self.guest.link = "ann"
        ticket: Any = SimpleNamespace(inviter=ANN, lobby=b"lobby", relays=relays, proof=lambda bound: b"proof " + bound)
        self.joining: Any = Joining(ticket, self.guest, self.room, lambda *_offer: self.refusal, sit, self.rename)
        self.link = Link(ANN)

    def rename(self, _me: object, name: str, free: tuple[str, ...]) -> Any:
        if not free:
            raise UserError("lobby/name-taken", name)
        return SimpleNamespace(identity=BOB, name=free[0])

    async def offered(self, terms: Any, content: bytes = b"") -> None:
        self.effects.append(Offered(terms, content))
        self.joining.word("ann", "offer", [])
        await settled()


async def settled() -> None:
    """Wait until nothing goes on any more, in threads neither."""
    for _ in range(3):
        await trio.testing.wait_all_tasks_blocked(0.001)
        while trio.to_thread.current_default_thread_limiter().borrowed_tokens:
            await trio.testing.wait_all_tasks_blocked(0.001)


@pytest.fixture(name="_here", autouse=True)
def _threads(monkeypatch: pytest.MonkeyPatch) -> None:
    async def here(work: Callable[..., Any], *given: Any, **_how: Any) -> Any:
        await trio.lowlevel.checkpoint()
        return work(*given)

    monkeypatch.setattr(trio.to_thread, "run_sync", here)


async def test_a_guest_asks_for_seats_once_a_link_and_is_ready_and_wishes_only_after_it_has_agreed() -> None:
    async with trio.open_nursery() as nursery:
        bob = Guests(nursery)
        bob.joining.wish("hacan")
        bob.joining.ready(True)
        bob.joining.came("ann", bob.link)
        await bob.offered(TERMS, b"content")
        assert bob.guest.given("opened") == [("ann",)]
        assert [given[1] for given in bob.guest.given("sit")] == [b"proof channel"]
        assert bob.reception.given("own_content") == [("rex", b"content")]
        assert bob.reception.given("terms") == [(TERMS,)]
        assert bob.joining.content == b"content"
        bob.joining.ready(False)
        assert bob.guest.given("ready") == bob.guest.given("wish") == []
        bob.answered.set()
        await settled()
        assert bob.guest.given("ready") == [(True,)]
        assert bob.guest.given("wish") == [("hacan",)]
        bob.joining.ready(False)
        bob.joining.wish("")
        assert bob.guest.given("ready") == [(True,), (False,)]
        assert bob.guest.given("wish") == [("hacan",), ("",)]
        await bob.offered(TERMS, b"content")
        assert len(bob.guest.given("sit")) == 1
        assert bob.asked == [(TERMS, False)]
        bob.link = Link(ANN)
        bob.joining.came("ann", bob.link)
        await bob.offered(OTHER, b"content")
        assert len(bob.guest.given("sit")) == 2
        assert bob.asked == [(TERMS, False), (OTHER, True)]
        assert bob.reception.given("own_content") == [("rex", b"content")], "it is the same"
        nursery.cancel_scope.cancel()


async def test_who_declines_leaves_and_who_only_watches_is_asked_nothing() -> None:
    async with trio.open_nursery() as nursery:
        bob = Guests(nursery)
        bob.agrees = False
        bob.answered.set()
        bob.joining.came("ann", bob.link)
        await bob.offered(TERMS)
        assert bob.guest.given("leave") == [("lobby/left",)]
        assert bob.room.failed.code == "lobby/declined"
        eve = Guests(nursery, sits=False)
        eve.joining.came("ann", eve.link)
        await eve.offered(TERMS)
        assert eve.guest.given("watch") == [(b"proof channel",)]
        assert (eve.guest.given("sit"), eve.asked) == ([], [])
        assert eve.joining.say("hello") == TableRefusal("table/no-seat")
        eve.joining.wish("hacan")
        assert eve.guest.given("wish") == []


async def test_a_table_that_cannot_be_played_here_is_left_with_the_reason() -> None:
    async with trio.open_nursery() as nursery:
        bob = Guests(nursery)
        bob.refusal = TableRefusal("rules/no-game", "", ("go",))
        bob.joining.came("ann", bob.link)
        await bob.offered(TERMS)
        assert bob.guest.given("leave") == [("rules/no-game",)]
        assert bob.room.failed.code == "rules/no-game"
        assert bob.reception.given("terms") == []
        assert bob.names is None


async def test_an_offer_over_a_link_that_is_gone_is_waited_for_anew() -> None:
    async with trio.open_nursery() as nursery:
        bob = Guests(nursery)
        await bob.offered(TERMS)
        assert bob.names is None, "no link is up"
        bob.joining.came("stranger", Link(BOB))
        await bob.offered(TERMS)
        assert bob.guest.given("opened") == []
        assert bob.names is None
        bob.joining.came("ann", bob.link)
        bob.effects.append(Offered(TERMS, b""))
        bob.joining.word("ann", "offer", [])
        bob.joining.came("ann", Link(ANN))
        await settled()
        assert bob.names is None, "it was offered over the link of before"
        nursery.cancel_scope.cancel()


async def test_a_taken_name_is_replaced_with_a_free_one_and_what_was_said_before_is_said_again() -> None:
    async with trio.open_nursery() as nursery:
        bob = Guests(nursery)
        bob.answered.set()
        bob.joining.wish("hacan")
        bob.joining.came("ann", bob.link)
        bob.effects.append(NameTaken("Bob", ("Bob 2",)))
        bob.joining.word("ann", "no", [])
        assert bob.guest.given("sit") == [], "no seat was asked for"
        await bob.offered(TERMS)
        bob.joining.ready(False)
        bob.effects.append(NameTaken("Bob", ("Bob 2",)))
        bob.joining.word("ann", "no", [])
        me, proof = bob.guest.given("sit")[-1]
        assert (me.name, proof) == ("Bob 2", b"proof channel")
        assert bob.guest.given("ready")[-1] == (False,)
        assert bob.guest.given("wish") == [("hacan",)] * 2
        bob.effects.append(NameTaken("Bob 2", ()))
        bob.joining.word("ann", "no", [])
        assert bob.guest.given("leave") == [("lobby/left",)]
        assert bob.room.failed.code == "lobby/name-taken"


async def test_who_sits_there_is_shown_once_it_is_known_and_a_guest_is_told_that_the_inviter_is_asked() -> None:
    async with trio.open_nursery() as nursery:
        bob = Guests(nursery)
        bob.joining._look_around()
        assert bob.reception.given("room") == []
        bob.effects += [RoomChanged((), 2), Waiting()]
        bob.joining.word("ann", "room", [])
        assert bob.reception.given("room") == [((), 2, b"", {})]
        assert bob.reception.names()[-1] == "waiting"
        assert bob.guest.given("heard") == [("ann", "room", [])]
        bob.effects.append(TurnedAway("lobby/full", ()))
        bob.joining.word("ann", "no", [])
        assert bob.room.failed.code == "lobby/full"
        bob.joining.remove(0)


async def test_a_guest_gives_up_after_a_while_and_later_where_a_slow_network_is_tried(
    autojump_clock: MockClock,
) -> None:
    async with trio.open_nursery() as nursery:
        for slow, seconds in ((False, REACHING), (True, REACHING + LOADING)):
            bob, other = Guests(nursery), Guests(nursery)
            for each in (bob, other):
                each.joining.slow = slow
                nursery.start_soon(gathered, each)
            other.joining.trouble(ANN, "link/timeout", ("why",))
            await trio.sleep(seconds - 0.5)
            assert not bob.room.over.is_set()
            await trio.sleep(1)
            assert bob.room.failed.code == "link/timeout"
            assert other.room.failed.code == "link/timeout"
            assert bob.reception.given("open") == [(bob.joining,)]


async def gathered(each: Guests) -> None:
    with pytest.raises(UserError):
        await each.joining.gather()


async def test_a_ticket_that_can_be_answered_is_answered_instead_until_a_link_is_up(autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        bob = Guests(nursery)
        said: list[str] = []

        async def answer() -> None:
            said.append("begun")
            try:
                await trio.sleep_forever()
            finally:
                said.append("ended")

        bob.joining.answer_by(answer)
        bob.joining.slow = True
        nursery.start_soon(bob.joining.gather)
        for code in ("link/hung-up", "link/unreachable", "link/timeout"):
            bob.joining.trouble(ANN, code, ())
        await trio.sleep(REACHING + 0.5)
        assert said == ["begun"], "an answer may be shown meanwhile"
        bob.joining.came("ann", bob.link)
        await trio.sleep(0.1)
        assert said == ["begun", "ended"]
        bob.joining.went("ann", "link/dead")
        await trio.sleep(SOON + AGAIN + 1)
        assert said == ["begun", "ended", "begun"]
        assert bob.reception.names().count("lost") == 1
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize(
    ("relays", "code", "ends"),
    [
        ((), "link/hung-up", True), ((), "link/unreachable", True), ((), "link/timeout", False),
        ((), "link/other-version", True), (("relay://a:1",), "link/hung-up", False),
        (("relay://a:1",), "link/other-identity", True), (("relay://a:1",), "link/bad-signature", True),
    ],
)  # fmt: skip
async def test_what_every_further_attempt_would_meet_again_ends_the_lobby_unless_there_was_a_link(
    relays: tuple[str, ...], code: str, ends: bool
) -> None:
    async with trio.open_nursery() as nursery:
        bob, met = Guests(nursery, relays=relays), Guests(nursery, relays=relays)
        bob.joining.trouble(BOB, code, ())
        assert not bob.room.over.is_set(), "that is about somebody else"
        met.joining.came("ann", met.link)
        for each in (bob, met):
            each.joining.trouble(ANN, code, ())
        assert (bob.room.over.is_set(), met.room.over.is_set()) == (ends, False)


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("bye/full", "lobby/full"),
        ("bye/leave", "lobby/closed"),
        ("bye/double", ""),
        ("bye/wait", ""),
        ("link/dead", ""),
    ],
)
async def test_a_good_bye_of_the_inviter_ends_the_lobby_and_the_end_of_one_link_does_not(code: str, told: str) -> None:
    async with trio.open_nursery() as nursery:
        bob = Guests(nursery)
        bob.joining.came("ann", bob.link)
        bob.joining.went("another", "bye/leave")
        assert not bob.room.over.is_set()
        bob.joining.went("ann", code)
        assert (bob.room.failed.code if bob.room.failed else "") == told
        nursery.cancel_scope.cancel()
