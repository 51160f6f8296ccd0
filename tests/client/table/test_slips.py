"""Friends keep the recovery slip of a member, which only its identity opens, and give it to nobody else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from house import House, without_threads
from hypothesis import given
from hypothesis import strategies as st
from trio.testing import MockClock

from client import __version__
from client.system.errors import UserError
from client.table.home import Seat
from client.table.record import Record
from client.table.recovery import recovered
from client.table.slips import KEPT, LOST, MOST, SLIP, Asking, Slips
from p2p.identity.keys import SigningKey
from p2p.identity.slip import SLIP_BYTES, make_slip, read_slip
from p2p.identity.tablekey import TableKeys
from p2p.lockstep.genesis import Genesis
from p2p.log.store import Store
from p2p.testing.machine import TestMachine
from p2p.testing.tables import fixed_genesis
from p2p.wire.codec import Value
from seeds.hashing import H

ME, OTHER = SigningKey.from_seed(H("me")), SigningKey.from_seed(H("other"))
TABLE, SECRET = H("table"), H("secret")


@pytest.fixture(autouse=True)
def _without_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    without_threads(monkeypatch)


def test_only_its_identity_opens_a_slip_and_only_for_its_table() -> None:
    slip = make_slip(ME, TABLE, 0, SECRET)
    assert len(slip) == SLIP_BYTES
    assert read_slip(ME, TABLE, slip) == SECRET
    assert read_slip(OTHER, TABLE, slip) is None
    assert read_slip(ME, H("another table"), slip) is None
    assert make_slip(ME, TABLE, 1, SECRET)[2:14] != slip[2:14], "nor two numbers"
    assert make_slip(ME, TABLE, 0, SECRET) == slip, "a friend learns from it only that it is the same"
    assert make_slip(ME, TABLE, 0, H("a later secret"))[2:14] != slip[2:14], "no nonce serves two secrets"


@given(st.integers(0, 8 * SLIP_BYTES - 1))
def test_a_slip_with_one_flipped_bit_opens_nothing(bit: int) -> None:
    slip = bytearray(make_slip(ME, TABLE, 0, SECRET))
    slip[bit // 8] ^= 1 << bit % 8
    assert read_slip(ME, TABLE, bytes(slip)) is None


@given(st.binary(max_size=200))
def test_what_is_no_slip_opens_nothing(data: bytes) -> None:
    assert read_slip(ME, TABLE, data) is None


def sit(house: House, seats: Sequence[int]) -> None:
    for seat in seats:
        table, store = house.tables[seat], house.stores[seat]
        Slips(table, house.voice(seat), store, house.identity(seat), house.keys[seat].secret)  # type: ignore[arg-type]


def link_to(house: House, here: int, there: int) -> str:
    return next(name for name, link in house.switches[here].links.items() if link.there == there)


async def test_every_friend_keeps_the_slip_of_every_other_one(autojump_clock: MockClock) -> None:
    house = House(3)
    sit(house, (0, 1, 2))
    async with house.open():
        await house.until(lambda: all(len(store.slips) == 2 for store in house.stores))
    for seat in range(3):
        for other in {0, 1, 2} - {seat}:
            kept = house.stores[other].slips[house.identity(seat).public]
            assert read_slip(house.identity(seat), house.genesis.table, kept) == house.keys[seat].secret
            feeds = house.voice(other).feeds
            assert not any(kept in entry.raw for entry in feeds.entries), "it stands outside of the log"


async def test_a_slip_of_another_size_or_of_a_stranger_is_not_kept_and_one_identity_fills_no_store(
    autojump_clock: MockClock,
) -> None:
    house = House(3)
    for player in house.players:
        player.slow = 1e6
    sit(house, (0,))
    async with house.open():
        link = link_to(house, 0, 1)
        for body in ([bytes(SLIP_BYTES + 1)], [bytes(10**6)], [], None, ["x"], [bytes(SLIP_BYTES), 1]):
            await house.tables[0].word(link, SLIP, body)  # type: ignore[arg-type]
        await house.tables[0].word("nobody", SLIP, [bytes(SLIP_BYTES)])
        await trio.sleep(5)
        assert house.stores[0].slips == {}
        link = link_to(house, 0, 2)
        for number in range(MOST + 10):
            await house.tables[0].word(link, SLIP, [bytes([number]) * SLIP_BYTES])
        await trio.sleep(5)
        assert house.stores[0].slips == {house.identity(2).public: bytes([MOST - 1]) * SLIP_BYTES}


async def test_a_slip_is_given_to_its_own_identity_alone(autojump_clock: MockClock) -> None:
    house = House(3)
    for player in house.players:
        player.slow = 1e6
    sit(house, (0, 1, 2))
    got: list[tuple[int, Value]] = []
    for seat in (1, 2):
        house.tables[seat].words[KEPT] = lambda _name, _kind, body, seat=seat: got.append((seat, body))  # type: ignore[misc]
    async with house.open():
        await house.until(lambda: all(len(store.slips) == 2 for store in house.stores))
        for seat in (1, 2):
            await house.tables[0].word(link_to(house, 0, seat), LOST, [])
        await house.tables[0].word("nobody", LOST, [])
        await house.until(lambda: len(got) == 2)
    opened = {
        seat: read_slip(house.identity(seat), house.genesis.table, body[0])  # type: ignore[arg-type, index]
        for seat, body in got
        if body
    }
    assert opened == {seat: house.keys[seat].secret for seat in (1, 2)}


class Router:
    """The links of a new device: to Ann alone, or to both friends."""

    def __init__(self, house: House, friends: Sequence[int]) -> None:
        self.sent: list[tuple[str, str]] = []
        self.links = {f"{friend}": house.switches[0].links[link_to(house, 0, friend)] for friend in friends}

    def connect(self, table: object) -> None:
        """It hears what the test says."""

    def send(self, name: str, message: object) -> bool:
        self.sent.append((name, message.kind))  # type: ignore[attr-defined]
        return True


async def test_a_friend_that_keeps_it_back_or_brings_another_delays_the_new_device_and_no_more(
    autojump_clock: MockClock,
) -> None:
    house = House(3)
    for player in house.players:
        player.slow = 1e6
    async with house.open():
        me = house.identity(0)
        bad = [bytes(SLIP_BYTES), make_slip(OTHER, house.genesis.table, 0, SECRET), make_slip(me, TABLE, 0, SECRET)]
        for friends, answers, expected in (
            ((1,), [], None),
            ((1,), bad, None),
            ((1, 2), [*bad, make_slip(me, house.genesis.table, 0, SECRET)], SECRET),
        ):
            router = Router(house, friends)
            asking, began = Asking(router, me), trio.current_time()  # type: ignore[arg-type]
            found: list[bytes | None] = []

            async def ask(asking: Asking = asking, found: list[bytes | None] = found) -> None:
                found.append(await asking.secret(house.genesis, 20))

            async with trio.open_nursery() as nursery:
                nursery.start_soon(ask)
                await trio.sleep(1)
                assert [kind for _, kind in router.sent] == [LOST] * len(friends)
                for answer in answers:
                    await asking.word(str(friends[-1]), KEPT, [answer])
                    await asking.word("nobody", KEPT, [make_slip(me, house.genesis.table, 0, H("forged"))])
            assert found == [expected]
            assert trio.current_time() - began <= 21


@pytest.mark.parametrize("first", ["earlier", "later"])
async def test_a_friend_that_brings_back_the_slip_of_an_earlier_key_costs_no_hand(
    first: str, autojump_clock: MockClock
) -> None:
    house = House(3)
    for player in house.players:
        player.slow = 1e6
    async with house.open():
        me, table = house.identity(0), house.genesis.table
        slips = [make_slip(me, table, 0, H("an earlier secret")), make_slip(me, table, 3, SECRET)]
        forged = (4).to_bytes(2, "big") + slips[0][2:]
        router = Router(house, (1, 2))
        asking, began = Asking(router, me), trio.current_time()  # type: ignore[arg-type]
        found: list[bytes | None] = []

        async def ask() -> None:
            found.append(await asking.secret(house.genesis, 20))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(ask)
            await trio.sleep(1)
            for friend, slip in enumerate(slips if first == "earlier" else slips[::-1], 1):
                await asking.word(str(friend), KEPT, [forged])
                await asking.word(str(friend), KEPT, [slip])
                await trio.sleep(1)
        assert found == [SECRET]
        assert trio.current_time() - began < 5, "nobody is waited for who has answered"


async def test_an_old_copy_of_a_home_replaces_no_slip_of_a_later_key(autojump_clock: MockClock) -> None:
    house = House(2)
    for player in house.players:
        player.slow = 1e6
    sit(house, (0,))
    async with house.open():
        link, me, table = link_to(house, 0, 1), house.identity(1), house.genesis.table
        later = make_slip(me, table, 2, H("later"))
        for slip in (later, make_slip(me, table, 0, SECRET)):
            await house.tables[0].word(link, SLIP, [slip])
            await trio.sleep(5)
        assert house.stores[0].slips == {me.public: later}


def test_the_slips_of_a_table_are_deleted_with_it_and_no_other(tmp_path: Path) -> None:
    house = House(2)
    with Store(tmp_path / "home", __version__) as store:
        store.add_table(house.genesis.table, Record("mine", house.genesis).info(), house.keys[0])
        store.keep_slip(house.genesis.table, ME.public, make_slip(ME, house.genesis.table, 0, SECRET))
        store.keep_slip(house.genesis.table, ME.public, make_slip(ME, house.genesis.table, 0, H("a later one")))
        kept = store.slip(house.genesis.table, ME.public)
        assert kept is not None
        assert read_slip(ME, house.genesis.table, kept) == H("a later one"), "the latest replaces the one before"
        assert store.slip(house.genesis.table, OTHER.public) is None
        store.drop_slips(H("another table"))
        assert store.slip(house.genesis.table, ME.public) is not None
        store.drop_slips(house.genesis.table)
        assert store.slip(house.genesis.table, ME.public) is None


def test_another_key_goes_on_in_the_store_and_the_old_one_is_forgotten(tmp_path: Path) -> None:
    house, new = House(2), TableKeys(OTHER, SECRET)
    record = Record("mine", house.genesis, moved=(OTHER.public, house.key(0)))
    with Store(tmp_path / "home", __version__) as store:
        store.add_table(house.genesis.table, Record("mine", house.genesis).info(), house.keys[0])
        store.go_on(house.genesis.table, record.info(), new)
        kept = store.keys(house.genesis.table)
        assert kept is not None
        assert (kept.key.seed(), kept.secret) == (OTHER.seed(), SECRET)
        (stored,) = store.tables()
    assert stored.info is not None
    assert Record.read(stored.info) == record
    assert record.member(OTHER.public) == house.genesis.members[0]
    assert house.keys[0].key.seed() not in (tmp_path / "home" / "starlock.db").read_bytes(), "nor in the main file"


# A new key -----------------------------------------------------------------------------------------------------------


class Alone:
    """Somebody who has lost the table secret while nobody is in reach; says no when asked whether to go on so."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def show(self, _told: Callable[[], str]) -> None:
        self.asked.append("the others")

    async def secret(self, _genesis: Genesis, _seconds: float) -> bytes | None:
        return None

    async def confirm(self, _question: Callable[[], str]) -> bool:
        self.asked.append("the person")
        return False


@pytest.mark.parametrize("replaces", [None, False])
async def test_a_sound_key_is_replaced_only_if_the_person_says_so(replaces: bool | None, tmp_path: Path) -> None:
    genesis, keys = fixed_genesis([[0], [1]], 7, TestMachine(2), {"draws": "sealed"})
    person: Any = Alone()
    with Store(tmp_path, "test") as store:
        store.add_table(genesis.table, Record("table", genesis).info(), keys[0])
        peer: Any = SimpleNamespace(identity=SigningKey.from_seed(H("test identity", 7, 0)), store=store)
        with pytest.raises(UserError) as refused:
            await recovered(peer, Seat(Record("table", genesis), keys[0]), person, person, replaces=replaces)
        assert refused.value.code == "recover/key-kept"
        assert "starlock recover table --yes" in refused.value.hint
        assert person.asked == ["the person"][: replaces is None]
        kept = store.keys(genesis.table)
    assert kept is not None
    assert kept.key.seed() == keys[0].key.seed()


@pytest.mark.parametrize(("result", "code"), [("", "recover/key-kept"), ("the end", "recover/over")])
async def test_a_ticket_that_is_given_again_leads_to_what_this_home_knows_of_the_table(
    result: str, code: str, tmp_path: Path
) -> None:
    genesis, keys = fixed_genesis([[0], [1]], 7, TestMachine(2), {"draws": "sealed"})
    moved = TableKeys(OTHER, SECRET)
    person: Any = Alone()
    with Store(tmp_path, "test") as store:
        store.add_table(genesis.table, Record("table", genesis).info(), keys[0])
        known = Record("table", genesis, moved=(OTHER.public, keys[0].key.public), result=result)
        store.go_on(genesis.table, known.info(), moved)
        peer: Any = SimpleNamespace(identity=SigningKey.from_seed(H("test identity", 7, 0)), store=store)
        with pytest.raises(UserError) as refused:
            await recovered(peer, Seat(Record("table", genesis), None), person, person)
        assert refused.value.code == code
        kept = store.keys(genesis.table)
    assert kept is not None
    assert kept.key.public == OTHER.public


async def test_no_snapshot_of_the_old_key_outlives_it_wherever_the_process_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    genesis, keys = fixed_genesis([[0], [1]], 7, TestMachine(2), {"draws": "sealed"})
    snapshot = tmp_path / f"{genesis.table.hex()}.snapshot"
    person: Any = Alone()
    with Store(tmp_path, "test") as store:
        store.add_table(genesis.table, Record("table", genesis).info(), keys[0])
        go_on = store.go_on
        snapshot.write_bytes(b"what the old key has read")

        def ended(*args: Any) -> None:
            go_on(*args)
            assert not snapshot.exists()

        monkeypatch.setattr(store, "go_on", ended)
        peer: Any = SimpleNamespace(identity=SigningKey.from_seed(H("test identity", 7, 0)), store=store)
        await recovered(peer, Seat(Record("table", genesis), keys[0]), person, person, replaces=True)


@pytest.mark.parametrize("kept", [False, True])
async def test_where_nobody_else_sits_no_key_is_replaced(kept: bool, tmp_path: Path) -> None:
    genesis, keys = fixed_genesis([[0, 1]], 7, TestMachine(2))
    person: Any = Alone()
    with Store(tmp_path, "test") as store:
        store.add_table(genesis.table, Record("table", genesis).info(), keys[0] if kept else None)
        peer: Any = SimpleNamespace(identity=SigningKey.from_seed(H("test identity", 7, 0)), store=store)
        with pytest.raises(UserError) as refused:
            await recovered(peer, Seat(Record("table", genesis), None), person, person, replaces=True)
        assert (refused.value.code, person.asked) == ("recover/alone", [])
        assert (store.keys(genesis.table) is not None) is kept


@pytest.mark.parametrize(("draws", "kept"), [("open", False), ("open", True), ("sealed", True), ("sealed", False)])
async def test_a_slip_is_asked_for_only_where_hands_are_sealed_and_the_secret_is_lost(
    draws: str, kept: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    genesis, keys = fixed_genesis([[0], [1]], 7, TestMachine(2), {"draws": draws})
    monkeypatch.setattr("client.table.recovery.reach_out", lambda _peer, _record: None)
    alone: Any = Alone()
    with Store(tmp_path, "test") as store:
        store.add_table(genesis.table, Record("table", genesis).info(), keys[0] if kept else None)
        peer: Any = SimpleNamespace(identity=SigningKey.from_seed(H("test identity", 7, 0)), store=store)
        seat = Seat(Record("table", genesis), None)
        if draws == "sealed" and not kept:
            with pytest.raises(UserError) as refused:
                await recovered(peer, seat, alone, alone)
            assert refused.value.code == "recover/no-slip"
            assert alone.asked == ["the others", "the person"]
            assert store.keys(genesis.table) is None, "nothing was changed"
            return
        moved = await recovered(peer, seat, alone, alone, replaces=True)
        assert alone.asked == []
        assert moved.keys is not None
        assert moved.record.moved == (moved.keys.key.public, keys[0].key.public)
        assert (moved.keys.secret == keys[0].secret) is kept
        stored = store.keys(genesis.table)
        assert stored is not None
        assert stored.key.public == moved.keys.key.public
