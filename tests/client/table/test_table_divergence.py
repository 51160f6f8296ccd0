"""Two programs compute two states: both sides are told where, also after a resume and over a link that comes later."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from math import inf
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar

import pytest
import trio
from house import House, without_threads
from trio.testing import MockClock

from client.table.controls import RunningControls
from client.table.divergence import REPORTS, WORDS_AT_ONCE, Divergence
from client.table.machine import GameMachine
from client.table.notices import (
    DivergenceFound,
    FaultProven,
    Party,
    PeerStopped,
    StateDiverged,
    StatesAgree,
    TableNotice,
)
from client.table.reminders import remind
from p2p.lockstep.history import Heights
from p2p.lockstep.machine import TableRefusal
from p2p.lockstep.report import Report
from p2p.lockstep.step import ProvenFault

N = TypeVar("N", bound=TableNotice)
AT = 12
"""The height from which the other engine differs."""


class Drifting(GameMachine):
    """An engine that once gives the bank a coin too many."""

    def apply(self, given: Any) -> Any:
        return self._drifted(super().apply(given))

    def replay(self, given: Any) -> Any:
        return self._drifted(super().replay(given))

    def _drifted(self, events: Any) -> Any:
        if self.match.height == AT:
            self.match.g.farm.bank += 1
            self.match._digest = b""
        return events

    def clone(self) -> Drifting:
        return drifting(super().clone())


def drifting(usual: GameMachine) -> Drifting:
    return Drifting(usual.match, usual.lenses)


@pytest.fixture(autouse=True)
def _without_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    without_threads(monkeypatch)


def house_of(folder: Path, engine: Callable[[GameMachine], GameMachine] | None, players: int = 2, **how: Any) -> House:
    """A house with that engine at seat 1; its tables compare their states as those of processes do."""
    house = House(players, engines={1: engine} if engine is not None else {}, **how)
    house.comparing = [Divergence(table, folder / str(seat)) for seat, table in enumerate(house.tables)]  # type: ignore[attr-defined]
    return house


def resumed(folder: Path, before: House, engine: Callable[[GameMachine], GameMachine] | None) -> House:
    """The same two after both were left, without a link at first."""
    house = house_of(folder, engine, cut=[(0, 1)])
    for seat, table in enumerate(house.tables):
        table.restore(before.stores[seat].entries, lambda _done, _total: None)
        remind(table)
    return house


def told(house: House, kind: type[N]) -> Sequence[Sequence[N]]:
    """By seat, the notices of one kind."""
    return [[notice for notice in player.notices if isinstance(notice, kind)] for player in house.players]


def stored(house: House) -> bool:
    """True if every store holds all that its table holds."""
    held = (len(table.lockstep.feeds.entries) for table in house.tables)
    return [len(store.entries) for store in house.stores] == [*held]


def mirrored(house: House) -> bool:
    """True if both were told the same place, with the values the other way round."""
    (one, *more), (other, *others) = told(house, DivergenceFound)
    assert not more
    assert not others
    assert (one.member, other.member) == (house.tables[0].party(house.key(1)), house.tables[1].party(house.key(0)))
    return (one.height, one.path, one.mine, one.theirs, one.here) == (
        other.height, other.path, other.theirs, other.mine, other.there,
    )  # fmt: skip


def test_the_state_of_another_member_is_compared_and_neither_an_own_one_nor_that_of_a_stranger(tmp_path: Path) -> None:
    house = house_of(tmp_path, None)
    (comparing, _) = house.comparing  # type: ignore[attr-defined]
    for author, compared in ((house.key(0), False), (b"s" * 32, False), (house.key(1), True)):
        comparing.begin(SimpleNamespace(author=author, height=1, head=bytes(32), state=bytes(16)))
        assert comparing.found is compared


async def test_both_sides_are_told_both_values_and_again_after_a_resume(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    house = house_of(tmp_path, drifting)
    async with house.open():
        await house.until(lambda: all(told(house, DivergenceFound)))
        await house.until(lambda: stored(house))
    assert mirrored(house)
    found = told(house, DivergenceFound)[0][0]
    assert (found.path, found.count) == ("farm.bank", 1)
    assert found.here is not None
    assert found.here.repeats
    again = resumed(tmp_path, house, drifting)
    assert any(told(again, StateDiverged))
    async with again.open(resumed=(0, 1)):
        again.link(0, 1)
        await again.until(lambda: all(told(again, DivergenceFound)))
    assert mirrored(again)


async def test_every_member_is_told_and_who_agrees_with_whom(autojump_clock: MockClock, tmp_path: Path) -> None:
    """Also those whose programs hold no entry over another state."""
    house = house_of(tmp_path, drifting, players=3)
    async with house.open(persons=(0, 1, 2)):
        await house.until(lambda: all(told(house, DivergenceFound)))
        found = [one for (one,) in told(house, DivergenceFound)]
        sides = {frozenset({"Player 0", "Player 2"}), frozenset({"Player 1"})}
        assert [{frozenset(map(str, side)) for side in each.sides} for each in found] == [sides] * 3
        assert found[0].member == found[2].member == Party(1, "Player 1")
        house.tables[0].waited_until = lambda _key: inf
        controls = RunningControls(house.tables[0], house.tables[0].finish)
        assert controls.propose("absent", [1]) != TableRefusal("pact/no-limit", "", ("Player 1",))


class Once(Drifting):
    """An engine that is mended when the game goes on."""

    mended = False

    def _drifted(self, events: Any) -> Any:
        return events if Once.mended else super()._drifted(events)

    def clone(self) -> Once:
        other = GameMachine.clone(self)
        return Once(other.match, other.lenses)


@pytest.mark.parametrize("asking", [0, 1])
async def test_all_read_on_by_consent_once_their_programs_agree(
    autojump_clock: MockClock, tmp_path: Path, asking: int
) -> None:
    Once.mended = False
    house = house_of(tmp_path, lambda usual: Once(usual.match, usual.lenses))
    async with house.open(persons=(0, 1)):
        await house.until(lambda: all(told(house, DivergenceFound)))
        (found, *_), (other, *_) = told(house, DivergenceFound)
        assert found.repair_from == other.repair_from is not None
        controls = [RunningControls(table, table.finish) for table in house.tables]
        assert controls[asking].propose("takeback", (), found.repair_from) == TableRefusal("pact/states-differ")
        Once.mended = True
        assert controls[asking].propose("repair", (), found.repair_from) is None
        await house.until(controls[1 - asking].votes)
        (vote,) = controls[1 - asking].votes()
        assert controls[1 - asking].vote(vote.pact.id, yes=True) is None
        await house.finish()
    assert [player.agreed() for player in house.players] == [["repair"], ["repair"]]
    assert all(told(house, StatesAgree))


async def test_one_that_computed_wrongly_once_is_told_apart(autojump_clock: MockClock, tmp_path: Path) -> None:
    """What it plays again from the log fits the other side."""
    house = house_of(tmp_path, None)

    def fault() -> None:
        house.tables[1].machine.match.g.farm.bank += 1
        house.tables[1].machine.match._digest = b""

    async with house.open():
        await house.until(lambda: house.voice(1).position.height >= AT)
        await house.tables[1].do(fault)
        await house.until(lambda: all(told(house, DivergenceFound)))
    one, other = (notices[0] for notices in told(house, DivergenceFound))
    assert (one.path, other.path) == ("", "")
    assert one.there is not None
    assert not one.there.repeats
    assert other.here == one.there


async def test_the_other_side_is_told_when_a_program_comes_back_mended(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    Once.mended = False
    house = house_of(tmp_path, lambda usual: Once(usual.match, usual.lenses))
    async with house.open():
        await house.until(lambda: all(told(house, DivergenceFound)))
        house.part(0, 1)
        house.link(0, 1)
        await trio.sleep(20)
        assert len(told(house, DivergenceFound)[0]) == 1, "the same is not told twice"
        Once.mended = True
        house.part(0, 1)
        house.link(0, 1)
        await house.until(lambda: len(told(house, DivergenceFound)[0]) == 2)
    mended = told(house, DivergenceFound)[0][-1]
    assert mended.path == ""
    assert mended.there is not None
    assert not mended.there.repeats


async def test_only_who_was_left_out_asks_to_come_back_and_not_with_a_program_that_differs(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    house = house_of(tmp_path, drifting, players=3)
    async with house.open(persons=(0, 1, 2)):
        await house.until(lambda: all(told(house, DivergenceFound)))
        controls = [RunningControls(table, table.finish) for table in house.tables]
        assert controls[1].propose("back") == TableRefusal("pact/not-left-out")
        assert controls[0].propose("absent", [1]) is None
        await house.until(controls[2].votes)
        assert controls[2].vote(controls[2].votes()[0].pact.id, yes=True) is None
        await house.until(lambda: PeerStopped("lockstep/left-out") in house.players[1].notices)
        assert house.key(1) not in house.voice(1).position.cut, "it cannot follow so far"
        assert controls[1].propose("back") == TableRefusal("pact/own-program")


async def test_a_member_that_asks_and_answers_without_end_makes_others_replay_the_game_seldom(
    autojump_clock: MockClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each question and each answer replays the game, so of one member few are taken, over however many links."""
    house, replays, again = house_of(tmp_path, None, players=3), list[int](), Heights.machine_at

    def counted(self: Heights, height: int) -> Any:
        replays.append(height)
        return again(self, height)

    async with house.open(persons=(0, 1, 2)):
        await house.until(lambda: house.voice(0).position.height >= AT)
        table, comparing = house.tables[0], house.comparing[0]  # type: ignore[attr-defined]
        places = dict.fromkeys((entry.height, entry.head) for entry in table.lockstep.feeds.feed(house.key(1)))
        identity = table.identity(house.key(1))
        monkeypatch.setattr(Heights, "machine_at", counted)
        for number in range(40):
            name = f"again {number}"
            table.who[name] = identity
            for height, head in places:
                for kind in ("ask", "mine"):
                    comparing.heard(name, f"state/{kind}", [height, head, *([b"s" * 16] if kind == "mine" else [])])
            comparing._look()
            for link in (name, *(each.link for each in comparing._open.values())):
                for (height, head), said in product(places, range(20)):
                    comparing.heard(link, "state/digests", [height, head, {"farm": bytes([said]) * 16}])
                    comparing.heard(link, "state/fields", [height, head, {"farm": {"bank": said}}])
        assert replays
        assert len(replays) <= 5 * WORDS_AT_ONCE
        assert len(told(house, DivergenceFound)[0]) + len(told(house, StateDiverged)[0]) <= WORDS_AT_ONCE


async def test_a_member_that_is_convicted_is_named_again_after_a_resume(autojump_clock: MockClock) -> None:
    house = House(3)
    convicted = house.key(2)
    house.voice(0).charges.proven[convicted] = [ProvenFault("deck/shuffle-proof", convicted, (bytes(32),))]
    remind(house.tables[0])
    assert told(house, FaultProven)[0] == [FaultProven(house.tables[0].party(convicted), "deck/shuffle-proof")]


async def test_who_is_convicted_does_not_sign_after_a_resume_either(autojump_clock: MockClock) -> None:
    house = House(2)
    me = house.key(0)
    house.voice(0).charges.proven[me] = [ProvenFault("entry/forked", me, (bytes(32), bytes(32)))]
    house.voice(0).start(new=True)
    assert house.voice(0).mute is not None
    assert house.voice(0).mute.code == "lockstep/own-fault"  # type: ignore[union-attr]


async def test_no_answer_of_a_member_about_states_ends_the_program(autojump_clock: MockClock, tmp_path: Path) -> None:
    """What is asked for next names the sections of its answer, and has to fit a message."""
    house = house_of(tmp_path, None, players=3)
    async with house.open(persons=(0, 1, 2)):
        await house.until(lambda: house.voice(0).position.height >= AT)
        table, comparing = house.tables[0], house.comparing[0]  # type: ignore[attr-defined]
        entry = table.lockstep.feeds.feed(house.key(1))[-1]
        (name,) = (name for name, who in table.who.items() if who == table.identity(house.key(1)))
        comparing.heard(name, "state/ask", [entry.height, entry.head])
        comparing._look()
        assert comparing._open
        for sections in ({"x" * 65_440: 0}, {chr(number) * 9: b"" for number in range(300, 2_000)}):
            comparing.heard(name, "state/digests", [entry.height, entry.head, sections])
        comparing.heard(name, "state/fields", [entry.height, entry.head, {"farm": {"bank": "x" * 60_000}}])
        comparing.heard(name, "state/explain", [entry.height, entry.head, ["x" * 60_000]])


async def test_a_member_that_differs_again_and_again_fills_no_disk(tmp_path: Path) -> None:
    house = house_of(tmp_path, None)
    comparing = house.comparing[0]  # type: ignore[attr-defined]
    for height in range(3 * REPORTS):
        found = Report(height, b"head", house.key(1), bytes(16), bytes(16), ("farm",), (), ())
        assert comparing._written(found).exists()
    kept = {int(path.stem.rpartition("-")[2]) for path in (tmp_path / "0").iterdir()}
    assert kept == {*range(2 * REPORTS, 3 * REPORTS)}
