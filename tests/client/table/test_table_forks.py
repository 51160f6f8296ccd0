"""Tables with a member that signs two histories: the others go on without it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pytest
import trio
from engine_tables import machine
from house import House, without_threads
from trio.testing import MockClock

from client.table.controls import RunningControls
from client.table.notices import FaultProven, PeerStopped
from engine.testing.toy import TOY
from p2p.lockstep.audit import audit
from p2p.lockstep.step import ProvenFault
from p2p.wire.entry import Entry, make_entry


@pytest.fixture(autouse=True)
def _without_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    without_threads(monkeypatch)


async def test_bots_do_not_wait_for_one_who_is_proven_to_cheat_and_do_not_let_it_in_again(
    autojump_clock: MockClock,
) -> None:
    """It is linked all the time; but what it says does not count, so nothing it owes will ever come."""
    house = House(3)
    async with house.open():
        await house.until(lambda: house.voice(0).position.height > 12)
        cheat = house.key(2)
        house.players[2].slow = 1e6
        for voice in (house.voice(0), house.voice(1)):
            voice.charges.proven[cheat] = [ProvenFault("deck/shuffle-proof", cheat, (bytes(32),))]
        await house.until(lambda: all(house.voice(seat).position.over for seat in (0, 1)))
        assert house.voice(0).position.head == house.voice(1).position.head
    agreed = house.players[0].agreed()
    assert agreed[0] == "absent"
    assert "back" not in agreed
    assert cheat not in house.voice(0).position.members


async def fork(house: House, cheat: int, shown: Sequence[int], back: int = 1, height: int | None = None) -> None:
    """Let somebody sign another entry beside one of its last, as if at that height, and show it to these."""
    feed = house.voice(cheat).feeds.feed(house.key(cheat))
    await show(house, cheat, feed[-back], feed[-back].seq, feed[-back].prev, shown, height)


async def show(
    house: House, cheat: int, like: Entry, seq: int, prev: bytes, shown: Sequence[int], height: int | None = None
) -> None:
    entry = make_entry(
        house.keys[cheat].key.private, table=like.table, seq=seq, prev=prev, epoch=like.epoch,
        height=like.height if height is None else height, head=like.head, state=like.state, kind="chat",
        body=[bytes([seat]) * 32 for seat in shown[:1]],
    )  # fmt: skip
    for seat in shown:
        await house.tables[seat].do(lambda seat=seat: house.voice(seat).feed(entry))  # type: ignore[misc]


@pytest.mark.parametrize(("back", "height"), [(1, None), (1, 1), (5, None)])
async def test_nothing_is_played_again_because_somebody_signs_a_second_history_that_nobody_holds(
    autojump_clock: MockClock, back: int, height: int | None
) -> None:
    house = House(3)
    for player in house.players:
        player.slow = 5.0
    async with house.open():
        await house.until(lambda: house.voice(0).position.height > 12 and len(house.voice(0).position.chance.rolls) > 2)
        await fork(house, 2, (0, 1), back, height)
        rolled = [(roll.roll.height, roll.faces) for roll in house.voice(0).position.chance.rolls]
        await house.until(lambda: all(house.voice(seat).position.over for seat in (0, 1)))
        assert house.voice(0).position.head == house.voice(1).position.head
        assert [(roll.roll.height, roll.faces) for roll in house.voice(0).position.chance.rolls][
            : len(rolled)
        ] == rolled
    agreed = house.players[0].agreed()
    assert agreed == ["absent"]
    assert "rewound" not in house.players[0].codes() + house.players[1].codes()
    found = audit(list(house.voice(0).feeds.entries), lambda genesis: machine(TOY, 3), checked=True)
    assert "parted-histories" not in found.does_not_prove
    assert [fault.code for fault in house.voice(1).charges.proven[house.key(2)]] == ["entry/forked"]


async def test_a_member_that_signs_two_histories_again_and_again_is_told_once_and_not_to_itself(
    autojump_clock: MockClock,
) -> None:
    house = House(3)
    for player in house.players:
        player.slow = 5.0
    async with house.open(persons=(0, 1, 2)):
        await house.until(lambda: house.voice(0).position.height > 12)
        feed = house.voice(0).feeds.feed(house.key(2))
        for seat in (0, 2):
            for pair in (feed[-4:-2], feed[-2:]):
                accuse = partial(house.voice(seat).charges.accuse, "entry/forked", *pair)
                await house.tables[seat].do(accuse)
            await house.tables[seat].at_rest()
        told = [[each for each in house.players[seat].notices if isinstance(each, FaultProven)] for seat in (0, 2)]
        assert [len(each) for each in told] == [1, 0]
        assert PeerStopped("lockstep/own-fault") in house.players[2].notices


async def two_faced(house: House) -> None:
    """The last of three vanishes, and has told each of the others another thing while they had no link."""
    cheat = 2
    await house.until(lambda: house.voice(0).position.height > 12)
    house.cut(cheat)
    await trio.sleep(1)
    house.cut(0)
    last = house.voice(0).feeds.feed(house.key(cheat))[-1]
    for seat in (0, 1):
        await show(house, cheat, last, last.seq + 1, last.id, (seat,))
    house.link(0, 1)


async def test_bots_only_leave_out_who_signed_two_words_that_fill_no_slot_and_nothing_is_undone(
    autojump_clock: MockClock,
) -> None:
    """A vote ends the feed before its histories part, which all hold alike. Going back (`without`) is for histories
    that part: for two entries that fill a slot."""
    house = House(3)
    async with house.open():
        await two_faced(house)
        await house.until(lambda: all(house.voice(seat).position.over for seat in (0, 1)))
        assert house.voice(0).position.head == house.voice(1).position.head
    assert house.players[0].agreed() == ["absent"]
    found = audit(list(house.voice(0).feeds.entries), lambda genesis: machine(TOY, 3), checked=True)
    assert "parted-histories" not in found.does_not_prove


async def test_persons_too_only_leave_out_who_signed_two_words_that_fill_no_slot(autojump_clock: MockClock) -> None:
    house = House(3)
    async with house.open(persons=(0, 1)):
        await two_faced(house)
        desks = [player.controls for player in house.players]
        assert isinstance(desks[0], RunningControls)
        assert isinstance(desks[1], RunningControls)
        await house.until(
            partial(lambda controls: 2 in controls.debts() and controls.propose("absent", [2]) is None, desks[0])
        )
        await house.until(desks[1].votes)
        assert desks[1].vote(desks[1].votes()[0].pact.id, True) is None
        await house.until(lambda: all(house.voice(seat).position.over for seat in (0, 1)))
        assert house.voice(0).position.head == house.voice(1).position.head
    assert [player.agreed() for player in house.players[:2]] == [["absent"], ["absent"]]
