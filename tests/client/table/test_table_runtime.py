"""The table at run time, several of them in one process on a clock that jumps: real loops, duties and endings, over
links and disks that fail when the test says so."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest
import trio
from house import House, without_threads
from trio.testing import MockClock
from volume import GATE, VOLUME, gated

from client.table import runtime
from client.table.controls import RunningControls
from client.table.notices import ChatSaid, PeerStopped
from client.table.words import owed_text
from p2p.lockstep.claims import claims
from p2p.lockstep.consent import OUT_OF_REACH
from p2p.lockstep.machine import TableRefusal


@pytest.fixture(autouse=True)
def _without_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    without_threads(monkeypatch)


async def test_tables_play_to_the_end_and_everybody_has_everything(autojump_clock: MockClock) -> None:
    house = House(3)
    async with house.open():
        await house.finish()
    assert [ending.complete for ending in house.endings] == [True] * 3
    counts = {len(table.lockstep.feeds.entries) for table in house.tables}
    assert len(counts) == 1
    for seat, store in enumerate(house.stores):
        stored = {entry.id for entry, _ in store.entries}
        assert stored == {entry.id for entry in house.tables[seat].lockstep.feeds.entries}


async def test_peers_without_a_link_get_every_entry_through_a_third(autojump_clock: MockClock) -> None:
    house = House(3, cut=[(0, 2)])
    async with house.open():
        await house.finish(1)
        await house.finish()
    assert len({house.voice(number).position.head for number in range(3)}) == 1


async def test_the_others_go_on_without_a_bot_that_is_out_of_reach(autojump_clock: MockClock) -> None:
    house = House(3)
    async with house.open():
        await house.until(lambda: house.voice(0).position.height > 12)
        house.cut(2)
        began = trio.current_time()
        await house.finish(0, 1)
        assert trio.current_time() - began > OUT_OF_REACH
    assert "vote/agreed" in house.players[0].codes()
    assert house.endings[0].lacking() == [house.key(2)]


@pytest.mark.parametrize("seats", [3, 4])
async def test_a_table_outlives_one_who_vanishes_while_another_is_away_for_a_while(
    autojump_clock: MockClock, seats: int
) -> None:
    """The word of the one who vanishes would be needed to leave out the other: nobody is bound to wait for it."""
    house = House(seats)
    async with house.open():
        await house.until(lambda: house.voice(0).position.height > 5)
        house.cut(0)
        await trio.sleep(8)
        house.cut(seats - 1)
        await trio.sleep(4)
        for seat in range(1, seats - 1):
            house.link(0, seat)
        await house.finish(*range(seats - 1))
        assert house.key(seats - 1) not in house.voice(0).position.members


@pytest.mark.parametrize("slow", [5.0, 0.1])
async def test_who_was_left_out_is_let_in_again_and_finishes_with_the_others(
    autojump_clock: MockClock, slow: float
) -> None:
    """However fast the others play: a proposal to let somebody in is made by whom they wait for."""
    house = House(3)
    for player in house.players:
        player.slow = slow
    async with house.open():
        await house.until(lambda: house.voice(0).position.height > 12)
        house.cut(2)
        await house.until(lambda: house.key(2) in house.voice(0).position.cut)
        for seat in (0, 1):
            house.link(seat, 2)
        await house.finish()
    agreed = house.players[0].agreed()
    assert agreed == ["absent", "back"]
    assert [ending.complete for ending in house.endings] == [True] * 3


async def test_persons_do_not_bind_themselves_while_a_word_that_it_takes_cannot_come(
    autojump_clock: MockClock,
) -> None:
    house = House(4)
    async with house.open(persons=(0, 1, 2)):
        await house.until(lambda: house.voice(0).position.height > 5)
        house.cut(3)
        house.cut(2)
        await trio.sleep(2)
        desks = [player.controls for player in house.players]
        assert isinstance(desks[0], RunningControls)
        assert isinstance(desks[1], RunningControls)
        await house.until(lambda: house.key(3) in house.voice(0).owing())
        assert desks[0].propose("absent", [3]) == TableRefusal("pact/word-missing", "", ("Player 2",))
        assert not house.voice(0).voting.locks()
        house.link(1, 2)
        await house.until(partial(lambda controls: controls.propose("absent", [3]) is None, desks[0]), 30)
        await house.until(desks[1].votes)
        house.cut(2)
        await trio.sleep(2)
        assert desks[1].vote(desks[1].votes()[0].pact.id, True) == TableRefusal("pact/word-missing", "", ("Player 2",))
        assert not house.voice(1).voting.locks()
        house.link(0, 2)
        pact = desks[1].votes()[0].pact.id
        await house.until(partial(lambda controls: controls.vote(pact, True) is None, desks[1]), 30)


async def test_who_has_agreed_to_a_vote_sees_whose_word_on_it_is_missing(autojump_clock: MockClock) -> None:
    house = House(4)
    async with house.open(persons=(0, 1, 2, 3)):
        await house.until(lambda: house.voice(0).position.height > 5)
        house.cut(3)
        first, second = house.players[0].controls, house.players[1].controls
        assert isinstance(first, RunningControls)
        assert isinstance(second, RunningControls)
        await house.until(lambda: list(first.debts()) == [3])
        assert first.propose("absent", [3]) is None
        await house.until(second.votes)
        assert second.vote(second.votes()[0].pact.id, True) is None
        await house.until(lambda: list(first.debts()) == list(second.debts()) == [2])
        assert {*first.debts().values()} == {"sign"}
        assert owed_text("sign")
        third = house.players[2].controls
        assert third is not None
        assert third.vote(third.votes()[0].pact.id, yes=True) is None
        await house.until(lambda: house.key(3) in house.voice(0).position.cut)
        assert first.debts().get(2) != "sign"


async def test_two_peers_wait_for_each_other_however_long(autojump_clock: MockClock) -> None:
    house = House(2)
    async with house.open():
        await house.until(lambda: house.voice(0).position.height > 10)
        house.cut(1)
        await trio.sleep(1_000 if VOLUME == GATE else 3_600)
        assert not house.voice(0).position.over
        house.link(0, 1)
        await house.finish()


async def test_between_two_who_waits_can_sign_what_is_owed_and_the_game_can_still_go_on(
    autojump_clock: MockClock,
) -> None:
    house = House(2)
    async with house.open():
        await house.until(lambda: house.voice(0).position.height > 10)
        house.cut(1)
        await trio.sleep(60)
        controls = house.players[0].controls
        assert controls is not None
        assert list(controls.debts()) == [1]
        assert controls.claim(7) is not None
        assert controls.claim(0) is not None
        assert controls.claim(1) == TableRefusal("lockstep/unconfirmed"), "nobody is linked"
        assert controls.vouch() is None
        assert controls.claim(1) is None
        (claim,) = claims(house.voice(0))
        assert (claim.author, claim.member, claim.stands) == (house.key(0), house.key(1), True)
        await house.until(lambda: any(entry.kind == "result" for entry, _ in house.stores[0].entries))
        house.link(0, 1)
        await house.finish()
    assert [claim.stands for claim in claims(house.voice(1))] == [False]
    assert house.voice(1).position.over


async def test_a_bot_says_once_that_somebody_keeps_the_table_waiting(autojump_clock: MockClock) -> None:
    house = House(3)
    async with house.open(persons=[1]):
        await house.until(lambda: house.voice(0).position.height > 5)
        house.cut(2)
        await trio.sleep(600)
        said = [entry.kind for entry in house.voice(1).feeds.feed(house.key(0))]
        assert said.count("clock") == 1
        assert said.count("pact") == 1


async def test_a_person_is_not_spoken_for(autojump_clock: MockClock) -> None:
    house = House(3)
    async with house.open(persons=[0, 1, 2]):
        await house.until(lambda: house.voice(0).position.height > 12)
        house.cut(2)
        await trio.sleep(600)
        assert not house.voice(0).ballots.pacts
        controls, other = house.players[0].controls, house.players[1].controls
        assert controls is not None
        assert other is not None
        assert list(controls.debts()) == [2]
        assert controls.linked() == {1: True, 2: False}
        assert controls.propose("absent", [2]) is None
        await house.until(other.votes)
        (vote,) = other.votes()
        assert other.vote(vote.pact.id, yes=True) is None
        await house.until(lambda: house.key(2) in house.voice(0).position.cut)
        assert controls.ways()[2] == ""
        back = house.players[2]
        assert PeerStopped("lockstep/left-out") not in back.notices
        house.link(0, 2)
        house.link(1, 2)
        await house.until(lambda: PeerStopped("lockstep/left-out") in back.notices)
        assert controls.ways()[2] == "direct"
        assert back.controls is not None
        assert back.controls.propose("back") is None
        for person in (controls, other):
            await house.until(person.votes)
            assert person.vote(person.votes()[0].pact.id, yes=True) is None
        await house.until(lambda: "back" in back.agreed())


async def test_who_resumes_alone_is_told_what_is_waited_for_and_signs_nothing_until_somebody_comes(
    autojump_clock: MockClock,
) -> None:
    house = House(2, cut=[(0, 1)])
    async with house.open(resumed=[0, 1]):
        await trio.sleep(60)
        waits = [notice.why for notice in house.players[0].notices if isinstance(notice, PeerStopped)]
        assert waits == ["lockstep/unconfirmed"]
        assert house.stores[0].entries == house.stores[1].entries == []
        house.link(0, 1)
        await house.finish()
        assert "own-feed/confirmed" in house.players[0].codes()


async def test_who_is_alone_with_its_copy_vouches_for_it_and_with_others_there_they_are_asked(
    autojump_clock: MockClock,
) -> None:
    house = House(3, cut=[(0, 1), (0, 2)])
    async with house.open(persons=[0, 1, 2], resumed=[0, 1, 2]):
        await trio.sleep(1.5)
        first, second = house.players[0].controls, house.players[1].controls
        assert first is not None
        assert second is not None
        assert second.vouch() == TableRefusal("own-feed/linked")
        assert first.vouch() is None
        said = trio.current_time()
        await house.until(lambda: house.stores[0].entries)
        assert trio.current_time() - said < 0.1, "at once, and not with the next round of duties"
        assert first.vouch() == TableRefusal("own-feed/confirmed")


async def test_other_devices_of_the_others_which_have_lost_their_keys_confirm_no_copy(
    autojump_clock: MockClock,
) -> None:
    house = House(3, cut=[(0, 1), (0, 2)])
    async with house.open(persons=[0, 1, 2], resumed=[0, 1, 2]):
        await trio.sleep(1.5)
        table, controls = house.tables[1], house.players[1].controls
        assert controls is not None
        assert controls.vouch() == TableRefusal("own-feed/linked")
        table.held.update({name: replace(have, writer=bytes(32)) for name, have in table.held.items()})
        assert controls.vouch() is None


async def test_on_a_full_disk_nothing_is_sent_and_nothing_is_lost(autojump_clock: MockClock) -> None:
    house = House(2)
    async with house.open():
        await house.until(lambda: house.voice(0).position.height > 10)
        house.stores[0].full = True
        await house.until(lambda: "store/full" in house.players[0].codes())
        stored = {entry.id for entry, _ in house.stores[0].entries}
        await trio.sleep(60)
        seen = [entry for entry in house.voice(1).feeds.feed(house.key(0)) if entry.id not in stored]
        assert seen == []
        assert house.players[0].codes().count("store/full") == 1
        house.stores[0].full = False
        await house.finish()
    assert "store/ready" in house.players[0].codes()


async def test_a_question_is_taken_back_with_the_move_it_was_about(autojump_clock: MockClock) -> None:
    house = House(2)
    house.players[0].slow = house.players[1].slow = 30.0
    async with house.open():
        table = house.voice(0)

        def restful() -> bool:
            position = table.position
            return (
                position.height > 20
                and position.step.kind == "choose"
                and not position.secrets_since(position.height - 1)
            )

        await house.until(restful, 6000)
        asked = sum(len(player.asked) for player in house.players)
        controls = house.players[0].controls
        assert controls is not None
        assert controls.propose("takeback", back_to=table.position.height - 1) is None
        await house.until(lambda: sum(player.given_up for player in house.players))
        await house.until(lambda: sum(len(player.asked) for player in house.players) > asked)
        for player in house.players:
            player.slow = 0.0
        await house.finish()


async def test_chat_reaches_the_others_and_what_is_too_long_is_refused(autojump_clock: MockClock) -> None:
    house = House(2)
    house.players[0].slow = house.players[1].slow = 5.0
    async with house.open():
        await house.until(lambda: house.voice(0).position.height > 3)
        controls = house.players[0].controls
        assert controls is not None
        assert controls.chat("good luck") is None
        refusal = controls.chat("x" * 501)
        assert refusal is not None
        assert refusal.code == "chat/length"
        await house.until(lambda: "chat" in house.players[1].codes())
    (said,) = [notice for notice in house.players[1].notices if isinstance(notice, ChatSaid)]
    assert (said.name, said.text) == ("Player 0", "good luck")


async def test_a_peer_alone_at_the_end_does_not_wait_for_ever(autojump_clock: MockClock) -> None:
    house = House(2)
    async with house.open():
        await house.until(lambda: house.voice(0).position.over)
        if house.endings[0].complete is None:
            house.cut(1)
        await house.until(lambda: house.endings[0].complete is not None, 60)
    assert house.voice(0).position.over


@pytest.mark.parametrize(("seats", "code"), [(2, "pact/only-two"), (3, "pact/absent-first")])
async def test_who_is_given_up_before_being_left_out_is_told_what_comes_first_or_that_two_cannot(
    autojump_clock: MockClock, seats: int, code: str
) -> None:
    house = House(seats)
    async with house.open(persons=range(seats)):
        await house.until(lambda: house.voice(0).position.height > 2)
        controls = house.players[0].controls
        assert controls is not None
        assert controls.propose("gone", [1]) == TableRefusal(code, "", ("Player 1",))
        if seats == 2:
            assert controls.propose("absent", [1]) == TableRefusal(code, "", ("Player 1",)), "at no time"
        assert controls.propose("gone", [7]) == TableRefusal("table/no-such-member")


async def test_the_ways_to_a_member_end_when_it_is_given_up(autojump_clock: MockClock) -> None:
    house = House(3)
    async with house.open(persons=range(3)):
        await house.until(lambda: house.voice(0).position.height > 2)
        controls, position = house.players[0].controls, house.voice(0).position
        assert controls is not None
        assert [*controls.ways()] == [0, 1, 2]
        assert controls.ways()[0] == "here"
        position.membership.gone.add(position.owner[1])
        assert [*controls.ways()] == [0, 2]


@pytest.mark.parametrize(("options", "seconds"), gated([({"patience": "10m"}, 600.0), ({}, 3600.0)], 1))
async def test_bots_leave_out_who_is_linked_and_keeps_silent_for_the_agreed_time_and_no_earlier(
    autojump_clock: MockClock, options: dict[str, str], seconds: float
) -> None:
    house = House(3, options=options)
    async with house.open():
        await silent(house)
        await trio.sleep(seconds - 10)
        assert house.key(2) not in house.voice(0).position.cut
        await house.until(lambda: house.key(2) in house.voice(0).position.cut, 30)


async def test_where_no_time_is_agreed_bots_wait_for_who_is_linked_for_ever(autojump_clock: MockClock) -> None:
    house = House(3, options={"patience": "off"})
    async with house.open():
        await silent(house)
        await trio.sleep(700 if VOLUME == GATE else 5_000)  # who is not linked is left out after a minute
        assert not house.voice(0).position.cut
        assert not any(table.voice and table.voice.votes() for table in house.tables)
        house.cut(2)
        await house.until(lambda: house.key(2) in house.voice(0).position.cut, 60)


async def silent(house: House) -> None:
    """Let the last player fall silent, and wait until it is waited for."""
    await house.until(lambda: house.voice(0).position.height > 5)
    house.players[2].slow = 1e9
    await house.until(lambda: house.voice(0).owing().get(house.key(2)))


async def test_a_table_is_at_rest_once_the_last_of_the_jobs_that_follow_from_each_other_is_done(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A job that was just being taken from the queue was once taken for none, and a letter was written without what
    follows from it."""
    monkeypatch.setattr(runtime, "AT_ONCE", 0.0)
    house, done = House(2), 0
    async with house.open(persons=(0, 1)):
        table = house.tables[0]

        def job(more: int) -> None:
            nonlocal done
            done += 1
            if more:
                table.soon(partial(job, more - 1))

        for jobs in range(1, 40):
            done = 0
            job(jobs - 1)
            await table.at_rest()
            assert done == jobs
