# SPDX-License-Identifier: GPL-3.0-or-later
"""Machines: bots are seats of the machine on which they think. It signs what they answer, and shows their hands to
nobody."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
import trio
from house import without_threads
from one_machine import ROWS, OneMachine
from recorded import GameTable
from screen_game import typed
from small import Game
from trio.testing import MockClock

from client.fronts.screen.front import Front
from client.fronts.web.actions import perform
from client.fronts.web.state import StateFeed
from client.session.deeds import deeds_of
from client.show.document import as_plain
from client.show.styled import plain as unstyled
from client.system.journal import no_log
from client.system.texts import use
from client.table.machine import GameMachine
from client.words.machines import machine_lines
from engine.core.cards import Handle, Lens
from engine.core.registry import game
from p2p.lockstep.account import cards, proven, unproven
from p2p.lockstep.genesis import Member, Row

FACE = "planted-face"


def faces(lens: Lens) -> list[str]:
    """The faces in a lens."""
    return [str(lens.get(handle)) for handle in lens]


def shown(machine: OneMachine, front: Front) -> str:
    """Everything that a person, a page or a program may be shown now."""
    session = machine.person.session
    told = [StateFeed(session, (), no_log, drawn=drawn).next().decode() for drawn in (False, True)]
    pages = [each.id for each in deeds_of(session).values() if each.shows]
    told += [json.dumps(as_plain(perform(session, {"act": name}))) for name in pages]
    for size in ((80, 24), (160, 50)):
        told += map(unstyled, front.draw(*size).lines)
    for word in ("", "table", "log", "since", "why", "members", *session.table.pictures.documents.commands):
        told.append(typed(front, word))
    seats = range(session.table.controls.genesis.seats if session.table.controls is not None else 0)
    told += [face for seat in seats for face in faces(machine.controls.lens(seat))]
    return "\n".join(told)


async def test_nothing_in_a_bots_hand_is_on_any_front(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    """All faces that bots know here are marked; no front, page or program is told a mark."""
    without_threads(monkeypatch)

    def marked(machine: GameMachine, seat: int) -> Lens:
        known = machine.lenses.setdefault(seat, Lens())
        return Lens(dict.fromkeys(known, FACE)) if seat in (1, 2) else known

    def learn(machine: GameMachine, seat: int, handle: tuple[str, int], card: Any) -> None:
        machine.lenses.setdefault(seat, Lens()).learn(Handle(*handle), card)

    monkeypatch.setattr(GameMachine, "lens", marked)
    monkeypatch.setattr(GameMachine, "learn", learn)
    machine, rng, looks = OneMachine(), random.Random(1), 0
    session = machine.person.session
    async with machine.open():
        front = Front(session, Screenless())
        while looks < 12 and await machine.asks():
            assert session.asking.draft is not None
            assert session.asking.draft.asked.seat == 0
            if any(machine.table.machine.lenses.get(seat) for seat in (1, 2)):
                assert FACE in faces(machine.table.machine.lens(1)) + faces(machine.table.machine.lens(2))
                assert FACE not in shown(machine, front)
                looks += 1
            await machine.answer(rng)
    assert looks == 12
    assert {seat for _level, _seed, seat in machine.thinker.asked} == {1, 2}


class Screenless:
    """A host of a front without a terminal."""

    def __getattr__(self, name: str) -> Any:
        return lambda *_given, **_named: None


async def test_one_person_and_bots_are_one_member_whose_person_sees_an_own_hand_and_votes(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    without_threads(monkeypatch)
    machine = OneMachine()
    async with machine.open():
        assert await machine.asks()
        session = machine.person.session
        assert machine.controls.seats == (0,)
        assert not session.table.shared
        assert session.frame().view.seat == 0
        assert machine.responder._consent is None
        assert machine.voice.position.members == (machine.voice.me,)


async def test_a_bot_of_this_machine_counts_as_here_and_nobody_is_asked_to_go_on_without_it(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    without_threads(monkeypatch)
    machine = OneMachine()
    async with machine.open():
        assert await machine.asks()
        front = Front(machine.person.session, Screenless())
        view = json.loads(StateFeed(machine.person.session, (), no_log, drawn=False).next().decode())["view"]
        assert [(seat["here"], seat["linked"], seat["link"]) for seat in view["seats"]] == [
            (True, True, ""), (True, True, "on this machine"), (True, True, "on this machine")
        ]  # fmt: skip
        drawn = StateFeed(machine.person.session, (), no_log, drawn=True).next().decode()
        assert "Ann (you)" in drawn
        assert "no connection" not in drawn
        assert "Propose to go on without" not in drawn
        assert "Nobody plays on another machine." in typed(front, "absent b")


async def test_people_at_one_keyboard_take_turns_beside_bots(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    without_threads(monkeypatch)
    machine = OneMachine(rows=(Row(0, "Ann"), Row(1, "Bob"), Row(2, "Cid", "random")))
    async with machine.open():
        await trio.sleep(5)
        session = machine.person.session
        assert machine.controls.seats == (0, 1)
        assert session.table.shared
        assert session.asking.awaited in (0, 1)


def test_a_table_of_one_member_claims_nothing_about_dice_or_cards() -> None:
    """Not even where every proof is right: whoever holds all keys knows and chooses all of it."""
    claims = {}
    for holdings in ([[0, 1, 2]], [[0], [1, 2]]):
        table = GameTable(holdings, 1, game("rex"))
        table.start()
        table.play()
        peer = table.peers[0]
        object.__setattr__(peer.genesis, "test", False)  # as with seeds that nobody knows
        found = cards(peer, {})
        claims[len(holdings)] = set(proven(peer, found)), set(unproven(peer, found))
    told, lacking = claims[1]
    assert not [code for code in told if code.startswith(("dice-", "cards-", "choices-"))]
    assert "one-member" in lacking
    assert {"cards-proven", "cards-secret", "dice-committed"} <= claims[2][0]
    assert "one-member" not in claims[2][1]


def test_it_is_said_how_many_seats_a_machine_holds_and_who_let_whom_in() -> None:
    use("en")
    made = [Member(None, rows, bytes(32)) for rows in (ROWS, (Row(3, "Eve"),))]  # type: ignore[arg-type]  # unread
    assert machine_lines(made) == [
        "Ann's machine holds 3 seats: one vote together. (Ann, Bob (bot), Cid (bot))",
        "Ann invited, and let in: Eve.",
    ]
    assert machine_lines(made[:1])[1:] == [
        "One machine holds every seat: nothing shows that its dice and cards are fair."
    ]


# Real processes ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_host_with_a_bot_and_a_guest_are_two_members_and_go_on_after_a_kill(tmp_path: Path) -> None:
    star = tmp_path / "game.star"
    game = Game(tmp_path, height=21)
    ann = game.host("--bots", "random", "--friends", "1", "--local", players=3)
    with game.guest(ann, "Eve", "--local", "--save", str(star)) as eve:
        ann.reaches(20)
        ann.kill()
        game.go_on()
        with game.resume("ann") as again:
            assert (again.end(), eve.end()) == (0, 0), again.errors + eve.errors
            assert eve.answer["names"] == ["Ann (bot)", "Eve (bot)", "Cid (bot)"]
            assert len(eve.answer["digests"]) == 2
            assert not (tmp_path / "ann" / "home" / "data" / "bots").exists()
    with game.command("wat", "verify", str(star), "--json") as verified:
        assert verified.end() == 0
        seats = verified.answer["seats"]
        assert [seat["bot"] for seat in seats] == ["random"] * 3
        assert seats[0]["key"] == seats[2]["key"] != seats[1]["key"]
        assert verified.answer["problems"] == []
