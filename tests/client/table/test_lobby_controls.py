"""What a person may do in the lobby, over links: wishes, chat, readiness, seats taken back, bots for free seats."""

from __future__ import annotations

from dataclasses import replace
from hmac import digest
from types import SimpleNamespace
from typing import Any

import pytest
import trio
import trio.testing

from client.fronts.screen.feed import NewsFeed
from client.fronts.screen.lobby import lobby_screen
from client.fronts.screen.scene import Scene, Ui
from client.fronts.web.fragments.lobby import lobby as web_lobby
from client.session import lobby
from client.session.deeds import DEEDS
from client.session.player import SessionPlayer
from client.session.view import view_of
from client.show.styled import plain
from client.system.errors import UserError
from client.system.journal import no_log
from client.system.names import clipped
from client.table.guest import Joining
from client.table.joining import renamed
from client.table.lobby import Hosting, Room, judge_name
from client.table.reception import Reception
from client.table.router import LinkRouter
from client.table.words import away_text
from client.words.machines import unnamed_text
from p2p.identity.keys import SigningKey
from p2p.identity.tablekey import TableKeys, certify
from p2p.identity.words import fingerprint
from p2p.lobby.guest import Guest
from p2p.lobby.invite import Invite
from p2p.lobby.messages import Seated, Sitter, Terms
from p2p.lockstep.genesis import Row
from p2p.reach.find import TableOffer
from p2p.wire.address import at_friend
from p2p.wire.messages import Lobby, parse
from seeds.hashing import H

MEETING = b"m" * 32
ID = b"lobby of sixteen"
TERMS = Terms("rex", {}, 3, "rex/1", b"c" * 16, {}, False, "starlock 1")


def proof(binding: bytes) -> bytes:
    return digest(b"secret of ticket", binding, "sha256")


def sitter(name: str) -> Sitter:
    keys = TableKeys(SigningKey.from_seed(H("table key", name)), H("secret", name))
    certificate = certify(SigningKey.from_seed(H("identity", name)), keys.key.public, ID, "test")
    return Sitter(certificate, ((name, None),), (), ())


async def still() -> None:
    """Wait until nothing goes on any more, nor in the threads that judge offers."""
    await trio.testing.wait_all_tasks_blocked(0.01)
    while trio.to_thread.current_default_thread_limiter().borrowed_tokens:
        await trio.testing.wait_all_tasks_blocked(0.01)


class Cable:
    """One end of a link: what is sent arrives at the other end's lobby at once."""

    def __init__(self, peer: bytes, rtt: float) -> None:
        self.peer_id, self.stats = peer, SimpleNamespace(rtt=rtt)
        self.pipe = SimpleNamespace(meeting=MEETING, binding=b"channel", dial_back=None, via="", punched=False)
        self.other: Any = None
        self.code = ""

    def send(self, message: bytes) -> bool:
        said = parse(message)
        assert isinstance(said, Lobby)
        self.other.word("link", said.kind, said.body)
        return True

    async def aclose(self, code: str) -> None:
        self.code = code


class Table:
    """An inviter with one guest."""

    def __init__(self, nursery: trio.Nursery, *, asked: bool = False, name: str = "Bob") -> None:
        """asked: the guest is asked whether to sit down. name: that of the guest."""
        self.ann, self.bob = SessionPlayer(), SessionPlayer()
        mine, theirs = sitter("Ann"), replace(sitter("Bob"), players=((name, None),))
        switches = [LinkRouter(SimpleNamespace(links={}), SimpleNamespace(), no_log) for _ in range(2)]  # type: ignore[arg-type]
        cables = Cable(theirs.identity, 0.064), Cable(mine.identity, 0.064)
        invite = Invite(ID, TERMS, mine, lambda: bytes(32), proof, judge_name, approve_all=True)
        self.rooms = rooms = [
            Room(switch, Reception(player, unasked=not (asked and player is self.bob)), nursery)
            for switch, player in zip(switches, (self.ann, self.bob), strict=True)
        ]
        self.hosting = Hosting(invite, MEETING, rooms[0], "greedy", lambda seats, _options: replace(TERMS, seats=seats))

        async def sit(_names: tuple[str, ...]) -> Sitter:
            return theirs

        ticket: Any = SimpleNamespace(inviter=mine.identity, proof=proof)
        guest = Guest(mine.identity, lambda: bytes(32))

        def rename(me: Sitter, taken: str, free: tuple[str, ...]) -> Sitter:
            return renamed(me, taken, free, chosen=False)

        self.joining = Joining(ticket, guest, rooms[1], lambda _terms, _content, _link: None, sit, rename)
        cables[0].other, cables[1].other = self.joining, self.hosting
        for switch, cable in zip(switches, cables, strict=True):
            switch.links["link"] = cable  # type: ignore[assignment]
        self.cables: tuple[Any, Any] = cables

    @property
    def shown(self) -> lobby.KnownLobby:
        """The lobby as the inviter sees it."""
        return self.ann.session.gathering.lobby or lobby.KnownLobby()

    @property
    def question(self) -> str:
        """What the guest is asked."""
        return view_of(self.bob.session).question or ""

    def again(self) -> None:
        """The guest comes back over another link."""
        for side in (self.hosting, self.joining):
            side.went("link", "link/lost")
        fresh = Cable(self.cables[1].peer_id, 0.064)
        fresh.other = self.hosting
        self.joining.came("link", fresh)  # type: ignore[arg-type]
        self.hosting.came("link", self.cables[0])

    async def meet(self) -> None:
        """The guest comes and sits down, and is asked if it is to be."""
        self.ann.session.gather(self.hosting)
        self.bob.session.gather(self.joining)
        self.joining.came("link", self.cables[1])
        self.hosting.came("link", self.cables[0])
        with trio.fail_after(150):
            while len(self.shown.places) < 2:  # noqa: ASYNC110  what holds is told by no event
                await trio.sleep(0.01)
        await still()  # the guest is asked only after it sits


async def test_both_sides_see_seats_links_words_wishes_and_readiness() -> None:
    async with trio.open_nursery() as nursery:
        table = Table(nursery)
        await table.meet()
        table.bob.session.gathering.wish_for("hacan")
        table.joining.ready(False)
        host, guest = table.ann.session.gathering.lobby, table.bob.session.gathering.lobby
        assert host is not None
        assert guest is not None
        assert [(place.name, place.mine) for place in host.places] == [("Ann", True), ("Bob", False)]
        assert [(place.name, place.mine) for place in guest.places] == [("Ann", False), ("Bob", True)]
        bob = host.places[1]
        assert (bob.way, bob.rtt, bob.ready, bob.wish) == ("direct", 64, False, "hacan")
        assert bob.words == fingerprint(sitter("Bob").identity)
        assert guest.places[0].rtt == 64
        assert (host.free, guest.game, guest.seats) == (1, "rex", 3)
        nursery.cancel_scope.cancel()


async def test_before_it_is_let_in_a_guest_sees_how_many_seats_are_free_and_nobody_who_sits() -> None:
    async with trio.open_nursery() as nursery:
        table = Table(nursery, asked=True)
        table.bob.session.gather(table.joining)
        table.joining.came("link", table.cables[1])
        offer: Any = [TERMS.fields(), 1, None]
        table.joining.word("link", "offer", offer)
        guest = table.bob.session.gathering.lobby
        assert guest is not None
        assert (guest.free, guest.places, guest.names) == (1, (), ())
        said = [plain(each) for each in lobby_screen(Scene(table.bob.session), Ui(), NewsFeed(), 100, 30)]
        page = str(web_lobby(view_of(table.bob.session), table.bob.session))
        for text in (" ".join(said), page):
            assert unnamed_text(1) in text
            assert "open" not in text
        nursery.cancel_scope.cancel()


def test_a_friend_who_relays_is_named_in_the_lobby() -> None:
    player = SessionPlayer()
    names = ("Ann", "Bob", "Cid")
    rows = tuple(Seated(sitter(name).identity, (Row(seat, name),), False) for seat, name in enumerate(names))
    link: Any = SimpleNamespace(stats=SimpleNamespace(rtt=0.064), pipe=SimpleNamespace(via=at_friend(rows[1].identity)))
    Reception(player, unasked=True).room(rows, 0, rows[0].identity, {rows[2].identity: link})
    assert player.session.gathering.lobby is not None
    assert [place.way for place in player.session.gathering.lobby.places] == ["", "", "Bob"]
    assert [place.link for place in player.session.gathering.lobby.places] == ["", "", "through Bob"]


async def test_a_guest_with_a_taken_name_that_it_has_not_chosen_sits_down_with_a_free_one_and_is_ready() -> None:
    async with trio.open_nursery() as nursery:
        table = Table(nursery, name="Ann")
        await table.meet()
        await still()
        assert [(place.name, place.ready) for place in table.shown.places] == [("Ann", False), ("Ann 2", True)]
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize(
    ("free", "chosen"), [(("Ann 2",), True), ((), False), (("Zoe", "Bob 2", "Ann 21", "Ann  2", "An\u0430"), False)]
)
def test_a_name_that_was_chosen_stays_and_an_inviter_chooses_none_but_the_name_with_a_number(
    free: tuple[str, ...], chosen: bool
) -> None:
    with pytest.raises(UserError) as refused:
        renamed(sitter("Ann"), "Ann", free, chosen=chosen)
    assert refused.value.code == "lobby/name-taken"


def test_of_a_guest_and_its_bots_the_one_whose_name_is_taken_gets_another() -> None:
    both = replace(sitter("Ann"), players=(("Ann", None), ("Greedy", "greedy")))
    assert renamed(both, "Greedy", ("Greedy 2",), chosen=True).players == (("Ann", None), ("Greedy 2", "greedy"))
    assert renamed(both, "Ann", ("Ann 2",), chosen=False).players == (("Ann 2", None), ("Greedy", "greedy"))


async def test_a_guest_whose_link_is_replaced_while_it_is_asked_is_asked_once() -> None:
    async with trio.open_nursery() as nursery:
        table = Table(nursery, asked=True)
        table.bob.session.gather(table.joining)
        for _ in range(2):
            table.joining.came("link", table.cables[1])
            table.hosting.came("link", table.cables[0])
            await still()
            table.hosting.went("link", "link/hung-up")
            table.joining.went("link", "link/hung-up")
        assert len(table.bob.session.questions) == 1
        nursery.cancel_scope.cancel()


async def test_a_guest_who_has_agreed_is_asked_again_about_other_seats_and_is_not_ready_before() -> None:
    async with trio.open_nursery() as nursery:
        table = Table(nursery, asked=True)
        await table.meet()
        DEEDS["reply"].do(table.bob.session, {"yes": True})
        await still()
        assert [place.ready for place in table.shown.places] == [False, True]
        assert table.hosting.change(4, {}) == ""
        assert table.hosting.change(1, {}) != ""  # Bob has the second seat
        await still()
        assert "The inviter has changed the table: Rex: Final Days of an Empire, 4 players." in table.question
        assert [place.ready for place in table.shown.places] == [False, False]
        assert table.hosting.change(5, {}) == ""  # while the guest is asked: the question is replaced
        await still()
        assert "5 players" in table.question
        DEEDS["reply"].do(table.bob.session, {"yes": True})
        await still()
        assert [place.ready for place in table.shown.places] == [False, True]
        assert (table.shown.seats, table.shown.free) == (5, 3)
        nursery.cancel_scope.cancel()


async def test_what_is_said_is_in_the_chat_of_both_and_stays_when_the_table_begins() -> None:
    async with trio.open_nursery() as nursery:
        table = Table(nursery)
        await table.meet()
        assert table.ann.session.say("welcome") is None
        assert table.bob.session.say("hello") is None
        for player in (table.ann, table.bob):
            assert [(each.name, each.text) for each in player.session.events.chat] == [
                ("Ann", "welcome"),
                ("Bob", "hello"),
            ]
        nursery.cancel_scope.cancel()


async def test_what_a_guest_keeps_for_its_home_is_said_to_nobody() -> None:
    async with trio.open_nursery() as nursery:
        table = Table(nursery)
        await table.meet()
        table.joining.keep = lambda text: text.startswith("starlock:")
        table.joining.say("starlock:secret")
        table.joining.say("hello")
        for player in (table.ann, table.bob):
            assert [each.text for each in player.session.events.chat] == ["hello"]
        nursery.cancel_scope.cancel()


async def test_a_seat_that_is_taken_back_sends_its_guest_away_with_the_reason() -> None:
    async with trio.open_nursery() as nursery:
        table = Table(nursery)
        await table.meet()
        table.joining.remove(0)
        table.hosting.remove(0)
        assert len(table.shown.places) == 2
        table.hosting.remove(1)
        assert [place.name for place in table.shown.places] == ["Ann"]
        assert table.rooms[1].failed is not None
        assert table.rooms[1].failed.code == "lobby/removed"
        nursery.cancel_scope.cancel()


def test_nothing_can_be_said_where_there_is_no_table() -> None:
    refusal = SessionPlayer().session.say("hello")
    assert refusal is not None
    assert refusal.code == "table/not-begun"


def test_who_has_no_seat_is_told_that_nobody_would_hear_it() -> None:
    person, said = SessionPlayer(), list[str]()
    person.session.gather(SimpleNamespace(inviting=False, add_bot=None, change=None, examine=None, say=said.append))
    row = Seated(sitter("Ann").identity, (Row(0, "Ann"),), True)
    for mine, refused in ((b"", "table/no-seat"), (row.identity, None)):
        Reception(person, unasked=True).room((row,), 2, mine, {})
        refusal = person.session.say("hello")
        assert (None if refusal is None else refusal.code) == refused
    assert said == ["hello"]


def test_who_is_sent_away_what_is_waited_for_and_what_is_lost_is_shown() -> None:
    shown = list[str]()
    player: Any = SimpleNamespace(show=lambda told: shown.append(told()))
    reception = Reception(player, unasked=False)
    reception.turned_away("", "lobby/full")
    assert shown == [], "nobody has said who it is"
    reception.turned_away("Bob" * 50, "lobby/left")
    reception.waiting()
    reception.lost()
    reception.relay_trouble("relay://key:pass@relay.example.org:4711", "relay/full")
    away, waiting, lost, trouble = shown
    assert away == away_text(clipped("Bob" * 50), "lobby/left") != away_text("Bob" * 50, "lobby/left")
    assert waiting.startswith("The inviter is asked")
    assert lost.startswith("The connection to the inviter is lost")
    assert "relay.example.org" in trouble
    assert "pass@" not in trouble


def test_other_tables_of_the_network_are_told_when_they_change() -> None:
    person = SessionPlayer()
    reception = Reception(person, unasked=True)
    person.session.gather(SimpleNamespace(inviting=True, add_bot=None, change=None, examine=None))
    open_, full = (TableOffer("rex", {}, 3, free, "rex/1", "test", "Dana", ID, b"s") for free in (2, 0))
    for offers, shown in (([open_], 1), ([open_], 1), ([full], 0), ([], 0)):
        reception.nearby(offers)
        assert person.session.gathering.lobby is not None
        assert len(person.session.gathering.lobby.nearby) == shown
        assert all("Dana" in text for text in person.session.gathering.lobby.nearby)


@pytest.mark.parametrize(
    "known",
    [
        {},
        {sitter("Bob").identity: (("Bob", None), ("Bert", None))},
        {sitter("Cid").identity: (("Bob", None),)},
    ],
    ids=["nobody", "other players", "another identity"],
)
async def test_who_was_let_in_comes_back_without_a_question_until_it_is_sent_away(
    known: dict[bytes, tuple[tuple[str, str | None], ...]],
) -> None:
    """known: who was let in with whom, when it comes for the third time."""
    async with trio.open_nursery() as nursery:
        table = Table(nursery)
        table.hosting._invite.approve_all = table.rooms[0].reception.unasked = False
        nursery.start_soon(table.meet)
        await _asked(table)
        DEEDS["reply"].do(table.ann.session, {"yes": True})
        await still()
        assert len(table.shown.places) == 2
        table.again()
        assert len(table.shown.places) == 1
        await still()
        assert (view_of(table.ann.session).question, len(table.shown.places)) == (None, 2)
        table.hosting._admitted = known
        table.again()
        await _asked(table)
        nursery.cancel_scope.cancel()


async def _asked(table: Table) -> None:
    with trio.fail_after(150):
        while not table.ann.session.questions:  # noqa: ASYNC110  what holds is told by no event
            await trio.sleep(0.01)
