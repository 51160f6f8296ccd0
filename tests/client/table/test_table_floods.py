"""What a flood does to a table: it ends its own link, and nothing of it stands in a store."""

from __future__ import annotations

import pytest
import trio
from house import House, without_threads
from trio.testing import MockClock

from client.table.checked import Checked
from p2p.identity.tablekey import TableKeys
from p2p.lockstep.genesis import fixed_keys
from p2p.sync.exchange import MAX_REFUSED
from p2p.sync.pace import CHATS_A_MINUTE
from p2p.wire.codec import WireError
from p2p.wire.entry import NO_PREV, Entry, chat_hash, make_entry
from p2p.wire.messages import Push, Sent

SALT = bytes(16)


@pytest.fixture(autouse=True)
def _without_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    without_threads(monkeypatch)


def chat(keys: TableKeys, seq: int = 0, prev: bytes = NO_PREV, table: bytes = bytes(32)) -> Entry:
    return make_entry(
        keys.key.private, table=table, seq=seq, prev=prev, epoch=0, height=0, head=bytes(32), state=bytes(16),
        kind="chat", body=[chat_hash(SALT, "hello")],
    )  # fmt: skip


def forged(entry: Entry, number: int) -> bytes:
    return entry.raw[:-2] + bytes([number, entry.raw[-1] ^ 1])


async def test_what_is_checked_ahead_is_judged_as_it_is_where_it_is_heard() -> None:
    keys, stranger = fixed_keys(1, 1), fixed_keys(2, 1)
    good, theirs = chat(keys), chat(stranger)
    raws = [good.raw, forged(good, 1), b"\xff", theirs.raw, forged(theirs, 2)]
    checked, inline = Checked(), Checked()
    await checked.ahead(raws, {keys.key.public})
    for raw in raws:
        verdicts = []
        for each in (checked, inline):
            try:
                entry = each.read(raw)
                each.check(entry)
                verdicts.append(entry.id.hex())
            except WireError as error:
                verdicts.append(error.code)
        assert verdicts[0] == verdicts[1]
    assert checked.read(good.raw) is checked.read(good.raw)
    checked.forget(raws)
    assert checked.read(good.raw) is not checked.read(good.raw)


async def test_after_as_many_faults_as_end_a_link_nothing_more_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    keys, calls = fixed_keys(1, 1), list[bytes]()

    def refuse(raw: bytes) -> Entry:
        calls.append(raw)
        raise WireError("entry/shape", 0, "not a list")

    monkeypatch.setattr("client.table.checked.read_entry", refuse)
    await Checked().ahead([bytes([number]) for number in range(200)], {keys.key.public})
    assert len(calls) == MAX_REFUSED


async def test_forged_entries_end_their_link_and_the_table_plays_on(autojump_clock: MockClock) -> None:
    house = House(3)
    async with house.open():
        await house.until(lambda: house.voice(0).position.height > 5)
        name = next(iter(house.switches[0].links))
        last = house.voice(0).feeds.last(house.key(1))
        assert last is not None
        entry = chat(house.keys[1], last.seq + 1, last.id, house.genesis.table)
        await house.tables[0].hear(name, Push(tuple(Sent(forged(entry, number)) for number in range(200))))
        await house.until(lambda: house.switches[0].refused)
        assert house.switches[0].refused == [(name, "bye/refused")]
        await house.until(lambda: all(house.voice(seat).position.over for seat in range(3)))


async def test_what_a_spectator_chats_is_shown_and_not_stored(autojump_clock: MockClock) -> None:
    house = House(2)
    async with house.open():
        await house.until(lambda: house.voice(0).position.height > 3)
        name = next(iter(house.switches[0].links))
        hello = chat(fixed_keys(5, 9), table=house.genesis.table)
        await house.tables[0].hear(name, Push((Sent(hello.raw, (SALT, "hello")),)))
        await house.finish()
    assert "chat" in house.players[0].codes()
    assert house.voice(0).feeds.get(hello.id) is not None
    assert hello not in house.voice(0).hearing.log
    assert all(entry.id != hello.id for store in house.stores for entry, _ in store.entries)
    assert [ending.complete for ending in house.endings] == [True, True]


async def test_a_person_chats_ten_times_a_minute_and_is_told_to_wait(autojump_clock: MockClock) -> None:
    house = House(2)
    house.players[0].slow = house.players[1].slow = 1e6
    async with house.open():
        await house.until(lambda: house.voice(0).mute is None and house.voice(0).position.height > 1)
        controls = house.players[0].controls
        assert controls is not None
        assert [controls.chat("word") for _ in range(CHATS_A_MINUTE)] == [None] * CHATS_A_MINUTE
        refusal = controls.chat("word")
        assert refusal is not None
        assert (refusal.code, refusal.detail) == ("chat/too-fast", (CHATS_A_MINUTE,))
        await trio.sleep(61 / CHATS_A_MINUTE)
        assert controls.chat("word") is None
