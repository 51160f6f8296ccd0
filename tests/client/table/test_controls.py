"""What a person is told of a running table and may do: earlier positions, who holds what, whose turn, refusals."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from engine_tables import machine
from house import FakeSwitch, House, Memory, Seatmate, without_threads
from trio.testing import MockClock

from client.system.journal import no_log
from client.table.contact import SOON
from client.table.controls import FOLLOWING, SHORT, RunningControls
from client.table.machine import GameMachine
from client.table.notices import OthersHeard
from client.table.runtime import RunningTable
from client.table.writer import StoreWriter
from engine.core.cards import Lens
from engine.testing.toy import TOY
from p2p.lockstep.follower import Follower
from p2p.lockstep.machine import TableRefusal
from p2p.sync.pace import CHATS_A_MINUTE
from p2p.wire.address import at_friend

EACH = (0, 1, 2)


@pytest.fixture(autouse=True)
def _without_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    without_threads(monkeypatch)


@asynccontextmanager
async def three(after: int = 12) -> AsyncIterator[House]:
    """Three people who have played to that height, and think about the next answer for ever."""
    house = House(3)
    async with house.open(persons=EACH):
        await house.until(lambda: house.voice(0).position.height > after)
        for player in house.players:
            player.slow = 1e9
        await trio.sleep(10)
        yield house


def controls(house: House, seat: int) -> RunningControls:
    found = house.players[seat].controls
    assert isinstance(found, RunningControls)
    return found


async def agreed(house: House) -> None:
    """All others sign the one open vote of the first."""
    for seat in (1, 2):
        await house.until(controls(house, seat).votes)
        (vote,) = controls(house, seat).votes()
        assert controls(house, seat).vote(vote.pact.id, yes=True) is None
    await trio.sleep(1)


async def test_each_earlier_position_can_be_looked_at_and_none_that_is_still_to_come(autojump_clock: MockClock) -> None:
    house, seen = House(3), dict[int, bytes]()
    table = house.tables[0]

    def note() -> None:
        seen[table.lockstep.position.height] = table.machine.digest()

    table.after_change.append(note)
    async with house.open(persons=EACH):
        await house.until(lambda: house.voice(0).position.height > 12)
        first, height = controls(house, 0), house.voice(0).position.height
        assert set(seen) >= {height}
        for at, digest in seen.items():
            past = first.past(at)
            assert past is not None
            assert GameMachine(past).digest() == digest
        assert first.past(0) is not None
        assert first.past(-1) is None
        assert first.past(height + 1) is None


async def test_a_position_that_was_taken_back_cannot_be_looked_at_and_its_answer_does_not_stand(
    autojump_clock: MockClock,
) -> None:
    async with three() as house:
        first, height = controls(house, 0), house.voice(0).position.height
        assert (first.stands(height - 1), first.stands(height)) == (True, False)
        assert first.propose("takeback", back_to=height - 1, across=True) is None
        await agreed(house)
        assert house.voice(0).position.height > height
        assert first.past(height) is None
        assert first.past(height - 1) is not None
        assert not first.stands(height - 1)
        assert first.stands(height - 2)


async def test_who_is_linked_and_holds_what_is_told_by_seat_and_a_lost_link_with_what_it_has_signed(
    autojump_clock: MockClock,
) -> None:
    async with three() as house:
        first, height = controls(house, 0), house.voice(0).position.height
        assert (first.seats, first.name(2)) == ((0,), "Player 2")
        assert first.linked() == {1: True, 2: True}
        assert first.held() == {1: height, 2: height}
        assert first.holders() == {house.key(1): True, house.key(2): True}
        assert first.ways() == {0: "here", 1: "direct", 2: "direct"}
        assert first.members() == {0: 0, 1: 1, 2: 2}
        house.cut(2)
        await trio.sleep(1)
        assert first.linked() == {1: True, 2: False}
        assert first.ways() == {0: "here", 1: "direct", 2: ""}
        assert first.holders() == {house.key(1): True}, "nobody else can be asked"
        assert first.held()[1] == height
        assert 0 < first.held()[2] < height, "what it has certainly seen, by its own entries"


async def test_who_is_linked_through_a_friend_is_told_with_the_name_of_the_friend(autojump_clock: MockClock) -> None:
    async with three() as house:
        (link,) = (each for each in house.switches[0].links.values() if each.there == 2)
        for via, told in (("relay://192.0.2.9:1", "relay"), ("libp2p:/x", "libp2p")):
            link.pipe.via = via
            assert controls(house, 0).ways() == {0: "here", 1: "direct", 2: told}
        link.pipe.via = at_friend(house.identity(1).public)
        assert controls(house, 0).ways()[2] == "Player 1"
        link.pipe.via = at_friend(house.identity(0).public)
        assert controls(house, 0).ways()[2] == "relay", "this member is no friend of its own"


async def test_the_others_are_asked_anew_what_they_hold_of_the_own_feed_and_say_it(autojump_clock: MockClock) -> None:
    async with three() as house:
        first, voice = controls(house, 0), house.voice(0)
        house.tables[0].held.clear()
        assert first.holders() == {house.key(1): False, house.key(2): False}
        first.ask_again()
        assert voice.unconfirmed
        await house.until(lambda: not voice.unconfirmed, 10)
        await house.until(lambda: all(first.holders().values()), 10)
        house.tables[0].farewells.add(house.identity(2).public)
        house.cut(2)
        await trio.sleep(1)
        assert first.holders()[house.key(2)], "it has said good-bye holding everything"


async def test_a_sealed_choice_is_told_with_the_first_letters_of_its_entry_until_the_next_height_is_over(
    autojump_clock: MockClock,
) -> None:
    house, found = House(3), list[tuple[int, dict[int, str]]]()
    async with house.open(persons=EACH):
        first = controls(house, 0)
        house.tables[0].after_change.append(lambda: found.append((house.voice(0).position.height, dict(first.seals()))))
        await house.until(lambda: house.voice(0).position.height > 20)
        entries = [
            entry for seat in EACH for entry in house.voice(0).feeds.feed(house.key(seat)) if entry.kind == "seal"
        ]
    assert entries
    for height, told in found:
        for seat, letters in told.items():
            (sealed,) = [each for each in entries if each.id.hex().startswith(letters)]
            assert len(letters) == SHORT
            assert sealed.author == house.key(seat)
            assert sealed.height in (height, height - 1)
    assert {seat for _height, told in found for seat in told} == set(EACH)
    heights = {entry.height for entry in entries}
    assert any(told for height, told in found if height - 1 in heights)
    assert not any(told for height, told in found if not {height, height - 1} & heights)


async def test_cards_that_are_held_unopened_and_deals_are_counted_where_cards_are_sealed(
    autojump_clock: MockClock,
) -> None:
    house = House(2, options={"draws": "sealed"})
    async with house.open(persons=(0, 1)):
        await house.until(lambda: house.voice(0).position.height > 4, 6000)
        first = controls(house, 0)
        asked = [each.kind for each in house.voice(0).position.asked.values()]
        assert first.deals() == asked.count("deal") > 0
        order = first.match.g.decks.order["lots"]
        assert order
        held = first.hands()
        assert {seat: counted["lots"] for seat, counted in held.items()} == {0: 3, 1: 3}
    open_house = House(2)
    async with open_house.open(persons=(0, 1)):
        await open_house.until(lambda: open_house.voice(0).position.height > 4)
        assert controls(open_house, 0).deals() == 0
        assert controls(open_house, 0).hands() == {}


async def test_only_so_many_messages_a_minute_are_sent_and_what_is_meant_for_this_home_is_none(
    autojump_clock: MockClock,
) -> None:
    async with three() as house:
        first, kept = controls(house, 0), list[str]()

        def keeps(text: str) -> bool:
            kept.extend([text] * (text == "mine"))
            return text == "mine"

        house.tables[0].kept_here = keeps
        for number in range(CHATS_A_MINUTE):
            assert first.chat(f"{number}") is None
            assert first.chat("mine") is None
        assert first.chat("more") == TableRefusal("chat/too-fast", "", (CHATS_A_MINUTE,))
        assert kept == ["mine"] * CHATS_A_MINUTE
        await trio.sleep(60 / CHATS_A_MINUTE + 0.1)
        assert first.chat("later") is None
        await trio.sleep(1)
        said = [entry.kind for entry in house.voice(1).feeds.feed(house.key(0))]
        assert said.count("chat") == CHATS_A_MINUTE + 1


REFUSED: list[tuple[str, tuple[int, ...], int | None, str]] = [
    ("absent", (7,), None, "table/no-such-member"),
    ("absent", (1, 7), None, "table/no-such-member"),
    ("absent", (0,), None, "table/no-such-member"),
    ("gone", (1,), None, "pact/absent-first"),
    ("back", (), None, "pact/not-left-out"),
    ("takeback", (), None, "pact/kind"),
    ("repair", (), None, "pact/kind"),
    ("free", (), None, "pact/kind"),
]


async def test_what_cannot_be_proposed_is_refused_with_the_reason_and_signs_nothing(autojump_clock: MockClock) -> None:
    async with three() as house:
        for kind, about, to, code in REFUSED:
            refusal = controls(house, 0).propose(kind, about, to)
            assert refusal is not None
            assert (kind, about, refusal.code) == (kind, about, code)
        house.tables[0].apart = lambda: True
        refusal = controls(house, 0).propose("takeback", back_to=3)
        assert refusal is not None
        assert refusal.code == "pact/states-differ"
        assert not house.voice(0).ballots.pacts


async def test_a_vote_is_shown_to_whose_word_it_waits_for_and_names_who_proposes_it(autojump_clock: MockClock) -> None:
    async with three() as house:
        first, second, third = (controls(house, seat) for seat in EACH)
        assert first.propose("end") is None
        await house.until(lambda: second.votes() and third.votes())
        (vote,) = second.votes()
        assert first.votes() == []
        assert second.proposer(vote.pact.id) == third.proposer(vote.pact.id) == "Player 0"
        assert (vote.pact.kind, vote.pact.terms) == ("end", "agreed")
        assert second.vote(vote.pact.id, yes=False) is None
        await house.until(lambda: not third.votes())
        assert not house.voice(2).position.over
        assert first.votes() == []
        assert third.claim(5) == TableRefusal("table/no-such-member")


async def test_who_leaves_for_good_needs_no_vote_and_signs_nothing_more(autojump_clock: MockClock) -> None:
    async with three() as house:
        third = controls(house, 2)
        assert third.propose("leave") is None
        await house.until(lambda: house.voice(0).feeds.left(house.key(2)), 10)
        assert not controls(house, 0).votes()
        for act in (third.propose("end"), third.chat("hello")):
            assert act is not None
            assert act.code == "lockstep/left"


@pytest.mark.parametrize("for_good", [False, True])
async def test_nobody_is_said_to_be_waited_for_who_has_left_for_good(autojump_clock: MockClock, for_good: bool) -> None:
    async with three() as house:
        if for_good:
            assert controls(house, 2).propose("leave") is None
            await house.until(lambda: house.voice(0).feeds.left(house.key(2)), 10)
        for name in [name for name, link in house.switches[0].links.items() if link.there == 2]:
            del house.switches[0].links[name]
            house.tables[0].went(name, "bye/leave")
        await trio.sleep(3 * SOON)
        assert ("link/left" in house.players[0].codes()) == (not for_good)


async def test_a_person_is_told_once_when_the_others_have_verified_more(autojump_clock: MockClock) -> None:
    async with three() as house:
        table, player = house.tables[0], house.players[0]
        (have,) = (each for each in table.held.values() if each.writer == house.key(2))
        name = next(name for name, each in table.held.items() if each is have)
        short = tuple(feed for feed in have.feeds if feed.author != house.key(0))
        look = controls(house, 0)._tell_others
        table.held[name] = type(have)(have.table, have.writer, short)
        look()
        before = player.notices.count(OthersHeard())
        look()
        assert player.notices.count(OthersHeard()) == before, "who holds less is no news"
        table.held[name] = have
        look()
        look()
        assert player.notices.count(OthersHeard()) == before + 1


def spectator(house: House) -> RunningControls:
    lockstep = Follower(house.genesis, machine(TOY, 2))
    player = Seatmate()
    writer = StoreWriter(Memory(), house.genesis.table, player.notice)  # type: ignore[arg-type]
    return RunningControls(RunningTable(lockstep, writer, FakeSwitch(), player, no_log), lambda: None)  # type: ignore[arg-type]


async def test_a_spectator_signs_nothing_and_sees_the_table(autojump_clock: MockClock) -> None:
    eve: Any = spectator(House(2))
    acts = (
        eve.chat("hello"), eve.propose("end"), eve.propose("absent", [7]), eve.vote(bytes(32), yes=True), eve.vouch(),
        eve.claim(0),
    )  # fmt: skip
    assert acts == (FOLLOWING,) * 6
    eve.ask_again()
    assert (eve.votes(), eve.holders(), eve.seats, eve.alone) == ([], {}, (), None)
    assert eve.answered(0) is None
    assert eve.lens(0) == Lens()
    assert eve.linked() == {0: False, 1: False}
    assert eve.held() == {0: 0, 1: 0}
    assert not eve.secrets_since(0)
    assert eve.name(1) == "Player 1"


async def test_who_may_not_roll_before_others_are_heard_is_told_whose_word_it_waits_for(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with three() as house:
        voice, told = house.voice(0), controls(house, 0)
        asked = dict(told.debts())
        with monkeypatch.context() as patch:
            patch.setattr(voice.voting, "undecided", lambda: {voice.me, house.voice(2).me})
            assert told.debts() == asked, "answers are given all the same"
            patch.setattr(voice.position.step, "task", SimpleNamespace(owed=list))
            assert told.debts() == {2: "sign"}
