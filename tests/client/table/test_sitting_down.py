"""Opening a lobby, sitting down and beginning: what is offered, kept, announced, stored, and what cannot be played."""

from __future__ import annotations

import platform
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import trio

from client.system.errors import UserError
from client.system.journal import no_log
from client.table import joining
from client.table.joining import (
    TICKET_LASTS,
    SeatRequest,
    begin_table,
    invite,
    lacking,
    lobby_of,
    read_ticket,
    reopened,
    seated_identity,
    seed_number,
    sitter_of,
    terms_of,
    whoami,
    with_ticket,
)
from client.table.open_lobby import OpenLobby, open_lobbies
from client.table.options import settled
from client.table.reception import Reception
from client.table.record import Record
from client.table.router import LinkRouter
from client.table.tables import records
from engine.core.registry import game
from p2p.identity.keys import SigningKey
from p2p.identity.tablekey import MAX_DEVICE, TableKeys
from p2p.link.meet import Meeting
from p2p.lobby.messages import Terms
from p2p.lockstep.genesis import Genesis, Member
from p2p.log.store import Store
from p2p.reach.answer import GuestAnswer, write_answer
from p2p.reach.ticket import new_ticket, parse_ticket

ANN, BOB = (SigningKey.from_seed(letter * 32) for letter in (b"a", b"b"))
REX = game("rex")
AGREED = settled(REX, 3, [])
ALL = (("Ann", None), ("Bob", "greedy"), ("Cid", "random"))
HERE, RELAY = "tcp://8.8.4.1:4000", "relay://192.0.2.9:4000"


def same(one: TableKeys | None, other: TableKeys | None) -> bool:
    """True if these are the same keys."""
    return one is not None and other is not None and (one.key.seed(), one.secret) == (other.key.seed(), other.secret)


class Home:
    """A peer without a network."""

    def __init__(self, folder: Path, store: Store, nursery: trio.Nursery) -> None:
        self.shown: list[str] = []
        self.notices: list[Any] = []
        self.called: list[bytes] = []
        self.store, self.nursery, self.identity = store, nursery, ANN
        self.local, self.quiet, self.examine = False, True, None
        self.meetings: list[Meeting] = []
        self.nearby = tuple
        self.context = SimpleNamespace(folders=SimpleNamespace(config=folder))
        self.router = LinkRouter(SimpleNamespace(links={}), SimpleNamespace(), no_log)  # type: ignore[arg-type]
        self.waits: list[Sequence[str]] = []
        self.reach: Any = SimpleNamespace(
            note=lambda: None, public=("tcp://ann.example:1",), listener=SimpleNamespace(port=4711), relays=["relay://a:1"],
            candidates=lambda: (HERE,), facts=lambda: None, troubles=dict, lacks_outer_host=lambda: False,
            supervisor=SimpleNamespace(links={}), caller=SimpleNamespace(call=self._call), wait_at=self.waits.append,
        )  # fmt: skip

    def _call(self, _meeting: Meeting, guest: bytes, _places: object, *, leads: bool) -> str:
        self.called.append(guest)
        return ""

    def places(self) -> tuple[str, ...]:
        return (HERE, RELAY)

    def reception(self) -> Reception:
        player: Any = SimpleNamespace(
            show=lambda told, plain=False: self.shown.append(told()), notice=self.notices.append,
            gather=lambda _controls: None,
        )  # fmt: skip
        return Reception(player, unasked=True)


@asynccontextmanager
async def home(folder: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Any]:
    async def ways(_peer: object) -> tuple[tuple[str, ...], tuple[str, ...], str]:
        return (HERE,), (RELAY,), "mapped"

    monkeypatch.setattr(joining, "ways_of", ways)

    async def nothing(_reach: object, _seconds: float) -> None:
        """Nobody answers."""

    monkeypatch.setattr("client.table.inviting.explore", nothing)
    monkeypatch.setattr("client.table.inviting.judge", lambda _facts: "mapped")
    (folder / "data").mkdir()
    with Store(folder / "data", "test") as store:
        async with trio.open_nursery() as nursery:
            yield Home(folder, store, nursery)
            nursery.cancel_scope.cancel()


# An invitation -------------------------------------------------------------------------------------------------------


async def test_a_lobby_whose_seats_are_all_taken_here_begins_with_what_was_offered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    published: list[tuple[Any, ...]] = []
    request = SeatRequest(ALL, (2,), port=0)
    opened = lobby_of(REX, AGREED, request)
    opened.name, opened.folder = "rex-1", tmp_path
    guest = GuestAnswer(opened.lobby, BOB.public, b"instance", (HERE,), int(time.time()) + 600)
    opened.pasted = write_answer(guest, BOB, ANN.public)
    async with home(tmp_path, monkeypatch) as ann:
        seat, hosting = await invite(
            ann, REX, AGREED, request, ann.reception(), lambda *given: published.append(given), "Ann's", ("random",),
            opened,
        )  # fmt: skip
        ((ticket, cause, before),) = published
        assert (ticket.candidates, ticket.relays, cause, before) == ((HERE,), (RELAY,), "mapped", None)
        assert (ticket.lobby, ticket.secret, ticket.inviter) == (opened.lobby, opened.secret, ANN.public)
        assert abs(ticket.expiry - time.time() - TICKET_LASTS) < 60
        assert TICKET_LASTS == 604_800
        assert ann.router.lobby is hosting
        assert ann.meetings[0] == ticket.meeting()
        (word,) = (text for text in ann.shown if "Others on this network" in text)
        assert ann.meetings[1].name == hosting.announced != ticket.meeting().name
        assert word.split()[-1].count("-") == 1
        assert ann.reach.note() is None, "a table that has begun is not announced"
        assert BOB.public in ann.called, "who sent the answer that it was opened with is called"
        assert seat.new
        record = seat.record
        assert (record.port, record.local, record.quiet, record.seed, record.level) == (4711, False, True, None, None)
        assert record.ticket == str(ticket)
        assert record.addresses == {ANN.public: ("tcp://ann.example:1",)}
        rows = [row for member in record.genesis.members for row in member.rows]
        assert {row.name: row.level for row in rows} == dict(ALL)
        assert next(row.seat for row in rows if row.name == "Ann") == 2
        assert record.name.startswith("rex-")
        ((_stored, kept),) = records(ann.store)
        assert kept == record
        assert same(ann.store.keys(record.genesis.table), opened.keys)
        assert same(seat.keys, opened.keys)
        assert not (tmp_path / "rex-1").exists(), "it is no open lobby any more"
        hosting.noted()
        assert not (tmp_path / "rex-1").exists()


async def test_an_open_lobby_is_announced_with_its_free_seats_and_kept_with_its_ticket(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = SeatRequest(ALL[:1])
    opened = lobby_of(REX, AGREED, request)
    opened.name, opened.folder = "rex-1", tmp_path / "open"
    (tmp_path / "open").mkdir()
    told: list[Any] = []
    async with home(tmp_path, monkeypatch) as ann, trio.open_nursery() as nursery:

        async def opening() -> None:
            await invite(
                ann, REX, AGREED, request, ann.reception(), lambda *given: told.append(given), "Ann's", (), opened
            )  # fmt: skip

        nursery.start_soon(opening)
        while not told:  # noqa: ASYNC110  threads look for libraries
            await trio.sleep(0.01)
        await trio.testing.wait_all_tasks_blocked()
        assert ann.reach.note() is not None
        (kept,) = open_lobbies(tmp_path)
        assert parse_ticket(kept.ticket) == told[0][0]
        assert (kept.players, kept.seats, kept.game) == (ALL[:1], 3, "rex")
        host: Any = ann.router.lobby
        assert host.change(4, {}) == ""
        (kept,) = open_lobbies(tmp_path)
        assert kept.seats == 4
        assert host.change(9, {}) != "", "Rex is not played by nine"
        assert host.say("8.8.4.4") is None
        assert any("From now on 8.8.4.4 counts" in text for text in ann.shown)
        guest = GuestAnswer(opened.lobby, BOB.public, b"instance", (HERE,), int(time.time()) + 600)
        assert host.say(write_answer(guest, BOB, ANN.public)) is None
        assert ann.called == [BOB.public]
        (kept,) = open_lobbies(tmp_path)
        assert len(kept.answers) == 1, "it is called again if the lobby is opened again"
        nursery.cancel_scope.cancel()


def test_a_lobby_of_a_seed_is_the_same_each_time_and_any_other_is_new() -> None:
    first, again, other = (
        lobby_of(REX, AGREED, SeatRequest(ALL, (1,), seed=seed, port=7, local=True)) for seed in ("x", "x", "y")
    )
    assert first.lobby == again.lobby != other.lobby
    assert same(first.keys, again.keys)
    assert not same(first.keys, other.keys)
    assert first.secret != again.secret
    assert lobby_of(REX, AGREED, SeatRequest(ALL)).lobby != lobby_of(REX, AGREED, SeatRequest(ALL)).lobby
    assert (first.players, first.wants, first.level, first.port, first.local) == (ALL, (1,), None, 7, True)
    assert (first.game, first.seats, first.content) == ("rex", 3, b"")
    assert first.options == dict(AGREED.options)
    assert abs(first.expiry - time.time() - TICKET_LASTS) < 60


# Who sits ------------------------------------------------------------------------------------------------------------


def test_the_identity_of_a_test_table_follows_from_seed_and_seat_and_any_other_is_that_of_the_home(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(joining, "own_identity", lambda _context: SimpleNamespace(key=ANN))
    context: Any = None
    assert whoami(context, SeatRequest(ALL, (1,))) is ANN
    seeds = [(seed, wants) for seed in ("x", "y") for wants in ((), (0,), (1,), (1, 2))]
    found = {each: whoami(context, SeatRequest(ALL, each[1], seed=each[0])).public for each in seeds}
    assert len(set(found.values())) == 4
    assert found["x", ()] == found["x", (0,)]
    assert found["x", (1,)] == found["x", (1, 2)]
    assert seed_number("x") != seed_number("y")
    assert 0 <= seed_number("x") < 2**48


@pytest.mark.parametrize(
    ("name", "kept"),
    [("desk", "desk"), ("d" * MAX_DEVICE, "d" * MAX_DEVICE), ("d" * 99, "d" * MAX_DEVICE), ("é" * 99, None)],
)
def test_a_certificate_names_the_device_as_far_as_it_fits(
    monkeypatch: pytest.MonkeyPatch, name: str, kept: str | None
) -> None:
    monkeypatch.setattr(platform, "node", lambda: name)
    keys = TableKeys.generate()
    made = sitter_of(ANN, (HERE,), SeatRequest(ALL, (1,)), keys, b"l" * 16)
    assert made.certificate.device == (kept or "é" * (MAX_DEVICE // 2))
    assert (made.identity, made.certificate.key) == (ANN.public, keys.key.public)
    assert (made.players, made.wants, made.places) == (ALL, (1,), (HERE,))
    assert sitter_of(ANN, (), SeatRequest(ALL, seed="x"), keys, b"l" * 16).certificate.device == "test"


def test_terms_tell_the_game_its_content_and_whether_the_seed_is_known() -> None:
    for seed in (None, "x"):
        terms = terms_of(REX, AGREED, SeatRequest(ALL, seed=seed))
        assert (terms.game, terms.seats, terms.options) == ("rex", 3, dict(AGREED.options))
        assert (terms.rules, terms.content) == (REX.rules_id, REX.content_id(AGREED))
        assert terms.test == (seed is not None)
        assert terms.files
        assert lacking(terms, b"") is None


def test_other_rules_or_content_are_refused_with_the_files_that_differ() -> None:
    fine = terms_of(REX, AGREED, SeatRequest(ALL))

    def refused(**other: Any) -> tuple[str, tuple[Any, ...]]:
        fields = {name: getattr(fine, name) for name in fine.__slots__}
        refusal = lacking(Terms(**{**fields, **other}), b"")
        assert refusal is not None
        return refusal.code, refusal.detail

    assert refused(game="go")[0] == "rules/no-game"
    assert refused(rules="rex/999")[0] == "rules/other"
    names = sorted(fine.files)
    content = b"x" * 16
    assert refused(content=content)[1][-1] == "?"
    changed = {**fine.files, names[1]: "other", names[0]: "other"}
    assert refused(content=content, files=changed)[1][-1] == f"{names[0]}, {names[1]}"
    assert refused(content=content, files={**fine.files, "zebra.toml": "x"})[1][-1] == "zebra.toml"
    fewer = {name: told for name, told in fine.files.items() if name != names[0]}
    assert refused(content=content, files=fewer)[1][-1] == names[0]


@pytest.mark.parametrize(
    ("description", "seed", "refused"),
    [
        ("127.0.0.1:4000", None, False), ("[::1]:4000", None, False), ("192.0.2.1:4000", None, True),
        ("192.0.2.1:4000", "x", False), ("x 127.0.0.1", None, True),
    ],
)  # fmt: skip
@pytest.mark.parametrize("follows", [False, True])
def test_a_test_table_of_another_machine_is_not_played_without_the_seed(
    description: str, seed: str | None, refused: bool, follows: bool
) -> None:
    link: Any = SimpleNamespace(description=description)
    terms = terms_of(REX, AGREED, SeatRequest(ALL, seed="x"))
    request = None if follows else SeatRequest(ALL, seed=seed)
    refusal = joining._acceptable(terms, b"", link, request)
    here = description.startswith(("127", "["))
    assert (refusal is not None and refusal.code == "lobby/test-seed") == (not here if follows else refused)
    real = terms_of(REX, AGREED, SeatRequest(ALL))
    assert joining._acceptable(real, b"", link, request) is None


# At a table that has begun -------------------------------------------------------------------------------------------


async def begun(ann: Any, request: SeatRequest | None, keys: TableKeys | None, ticket: str = "") -> Any:
    made = OpenLobby("", b"l" * 16, b"s" * 16, 0, TableKeys.generate(), "rex", {}, 3, b"", ALL, ())
    sitter = sitter_of(ANN, (), SeatRequest(ALL), made.keys, made.lobby)
    options = dict(AGREED.options)
    genesis = Genesis(
        "rex", options, REX.rules_id, REX.content_id(AGREED),
        (Member(sitter.certificate, sitter.rows((0, 1, 2)), bytes(32)),), test=False,
    )  # fmt: skip
    return await begin_table(ann, genesis, {BOB.public: (HERE,)}, keys or made.keys, request, b"", ticket)


async def test_a_table_is_stored_before_anything_is_signed_and_a_known_one_keeps_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with home(tmp_path, monkeypatch) as ann:
        keys = TableKeys.generate()
        seat = await begun(ann, SeatRequest(ALL[1:], seed="x"), keys, "TICKET")
        record = seat.record
        assert (record.level, record.seed, record.ticket) == ("greedy", "x", "TICKET")
        assert record.addresses == {BOB.public: (HERE,), ANN.public: ("tcp://ann.example:1",)}
        assert same(ann.store.keys(record.genesis.table), keys)
        again = await begin_table(ann, record.genesis, {}, None, None, b"")
        assert (seat.new, again.new) == (True, False)
        assert again.record.name == record.name
        assert (again.record.level, again.record.seed) == (None, None)
        assert len(records(ann.store)) == 1


async def test_a_new_ticket_of_a_table_leads_here_for_a_week_and_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with home(tmp_path, monkeypatch) as ann:
        seat = await with_ticket(ann, await begun(ann, SeatRequest(ALL), None))
        ticket = parse_ticket(seat.record.ticket)
        assert (ticket.candidates, ticket.relays, ticket.inviter) == ((HERE,), (RELAY,), ANN.public)
        assert ticket.lobby == seat.record.genesis.members[0].certificate.lobby
        assert abs(ticket.expiry - time.time() - TICKET_LASTS) < 60
        ((_stored, kept),) = records(ann.store)
        assert kept.ticket == seat.record.ticket


async def test_a_table_with_a_ticket_opens_its_door_again_and_one_without_has_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with home(tmp_path, monkeypatch) as ann:
        ticket = new_ticket(b"l" * 16, ANN.public, [HERE], int(time.time()) + 60, [RELAY])
        made = OpenLobby("", b"l" * 16, b"s" * 16, 0, TableKeys.generate(), "rex", {}, 3, b"", ALL, ())
        nobody: Any = None
        without = await begun(ann, SeatRequest(ALL), made.keys)
        assert reopened(ann, without, nobody) is None
        genesis = without.record.genesis
        record = Record("rex-1", genesis, ticket=str(ticket), addresses={BOB.public: (HERE,)})
        follows: Any = SimpleNamespace(record=record, keys=None)
        with_keys: Any = SimpleNamespace(record=record, keys=made.keys)
        assert reopened(ann, follows, nobody) is None
        assert ann.meetings == []
        monkeypatch.setattr(Record, "member", lambda self, _key: self.genesis.members[0])
        hosting = reopened(ann, with_keys, nobody)
        assert hosting is ann.router.lobby
        assert hosting is not None
        assert ann.meetings == [ticket.meeting()]
        assert ann.waits == [["relay://a:1", RELAY]]
        door = hosting._invite
        assert door.places == {BOB.public: (HERE,), ANN.public: (HERE, RELAY)}
        assert (door.genesis, door.terms.game, door.terms.seats) == (genesis, "rex", 3)
        assert (door.me.players, door.me.wants) == (ALL, (0, 1, 2))
        assert hosting.change(3, {}) == "This table does not change any more."


def test_a_seat_of_a_test_table_is_signed_for_by_the_identity_of_its_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(joining, "own_identity", lambda _context: SimpleNamespace(key=ANN))
    monkeypatch.setattr(joining, "check_identity", lambda _context, _record, _keys: None)
    context: Any = None

    def seat(seed: str | None, seats: tuple[int, ...] | None, keys: bool = True) -> Any:
        member = None if seats is None else SimpleNamespace(seats=seats)
        record = SimpleNamespace(seed=seed, member=lambda _key: member)
        return SimpleNamespace(record=record, keys=TableKeys.generate() if keys else None)

    for own in (seat(None, (1,)), seat("x", None), seat("x", (1,), keys=False)):
        assert seated_identity(context, own) is ANN
    found = seated_identity(context, seat("x", (1, 2)))
    assert found.public == whoami(context, SeatRequest(ALL, (1,), seed="x")).public


def test_a_ticket_is_read_until_it_expires() -> None:
    good = new_ticket(b"l" * 16, ANN.public, [HERE], int(time.time()) + 60)
    assert read_ticket(f"Here: {good}") == good
    with pytest.raises(UserError):
        read_ticket(str(new_ticket(b"l" * 16, ANN.public, [HERE], int(time.time()) - 60)))
    with pytest.raises(UserError):
        read_ticket("none")
