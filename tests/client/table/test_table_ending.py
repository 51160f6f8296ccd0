"""Nobody leaves a table that is over before all who are linked have everything, and all learn that they have."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache

import pytest
import trio
import volume
from house import without_threads
from processes import Process, World
from recorded import GameTable
from trio.testing import MockClock

from client.table.ending import WAITING
from engine.testing.toy import TOY
from p2p.link.mem import Weather, mem_network
from p2p.wire.entry import Entry, make_entry


@pytest.fixture(autouse=True)
def _without_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    without_threads(monkeypatch)


@cache
def finished(seats: int) -> GameTable:
    """A game of the toy that has been played to its end. Not to be changed."""
    table = GameTable([[seat] for seat in range(seats)], spec=TOY)
    table.start()
    table.play()
    assert table.peers[0].position.over
    return table


@asynccontextmanager
async def world(seed: int, seats: int) -> AsyncIterator[World]:
    played = finished(seats)
    async with mem_network(seed, Weather(delay=(0.01, (0.1, 1.0)[seed % 2]))) as network:
        yield World(network, seed, played)


def entries(played: GameTable, number: int, lost: int) -> list[Entry]:
    """What a member holds who has not signed the result, and whose store lacks the last entries of the others."""
    me = played.keys[number].key.public
    known = [entry for entry in played.peers[0].feeds.entries if (entry.author, entry.kind) != (me, "result")]
    others = [entry for entry in known if entry.author != me]
    missing = {entry.id for entry in others[len(others) - lost :]}
    return [entry for entry in known if entry.id not in missing]


async def test_nobody_waits_at_the_end_for_who_has_left_for_good_and_is_out_of_reach(autojump_clock: MockClock) -> None:
    async with world(1, 2) as made:
        bob, known = made.played.keys[1].key, entries(made.played, 1, 0)
        last = next(each for each in reversed(known) if each.author == bob.public)
        left = make_entry(
            bob.private, table=last.table, seq=last.seq + 1, prev=last.id, epoch=last.epoch, height=last.height,
            head=last.head, state=last.state, kind="leave", body=None,
        )  # fmt: skip
        ann = Process(made, 0, [*known, left])
        began = trio.current_time()
        await made.play([ann])
        assert ann.lockstep.feeds.left(bob.public)
        assert (ann.ending.complete, ann.signed()) == (True, 1)
        assert trio.current_time() - began < WAITING


@pytest.mark.parametrize("seed", volume.seeds(3))
async def test_spectators_have_the_whole_end_when_the_players_are_gone(autojump_clock: MockClock, seed: int) -> None:
    async with world(seed, 2) as made:
        slow = (0.0, 0.3, 1.5)[seed % 3]
        processes = [Process(made, number, slow=slow if number > 1 else 0.0) for number in range(4)]
        await made.play(processes)
        assert [process.ending.complete for process in processes] == [True] * 4
        assert [process.signed() for process in processes] == [2] * 4


@pytest.mark.parametrize("seed", volume.seeds(6))
async def test_who_resumes_a_finished_game_learns_that_the_late_member_has_all(
    autojump_clock: MockClock, seed: int
) -> None:
    async with world(seed, 2) as made:
        everything = entries(made.played, 1, 0)
        slow = (0.0, 0.3, 1.5)[seed % 3]
        ann = Process(made, 0, everything, stay_for=[1], slow=slow)
        bob = Process(made, 1, entries(made.played, 1, 5), slow=slow)
        await made.play([ann, bob])
        assert (ann.ending.complete, bob.ending.complete) == (True, True)
        assert not ann.ending.lacking()
        assert ann.signed() == bob.signed() == 2


@pytest.mark.parametrize("seed", volume.seeds(3))
async def test_who_resumes_a_finished_game_stays_until_a_linked_spectator_has_all(
    autojump_clock: MockClock, seed: int
) -> None:
    async with world(seed, 2) as made:
        ann = Process(made, 0, entries(made.played, 1, 0), stay_for=[1])
        wat = Process(made, 2, slow=1.0)
        bob = Process(made, 1, entries(made.played, 1, 5), begins=lambda: ann.linked(wat))
        await made.play([ann, bob, wat])
        assert [process.ending.complete for process in (ann, bob, wat)] == [True] * 3
        assert wat.signed() == 2


async def test_a_spectator_who_never_says_what_it_has_holds_nobody_for_long(autojump_clock: MockClock) -> None:
    async with world(1, 2) as made:
        processes = [Process(made, number) for number in range(2)]
        mute = Process(made, 2)
        mute.table.exchange.compare = lambda: None  # type: ignore[method-assign]
        with trio.fail_after(200):
            await made.play([*processes, mute])
        assert [process.ending.complete for process in processes] == [True] * 2
