# SPDX-License-Identifier: GPL-3.0-or-later
"""Machines: bots are seats of the machine on which they think. It signs what they answer, and shows their hands to
nobody."""

from __future__ import annotations

import json
import os
import random
import signal
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from house import FakeSwitch, Memory, without_threads
from recorded import GameTable
from screen_game import typed
from small import Game
from trio.testing import MockClock

from client.bots.random import RandomBot
from client.bots.thinking import LENGTH, packed, read_answer
from client.fronts.screen.front import Front
from client.fronts.web.actions import perform
from client.fronts.web.state import StateFeed
from client.session.deeds import deeds_of
from client.session.player import SessionPlayer
from client.show.document import as_plain
from client.show.styled import plain as unstyled
from client.system.journal import no_log
from client.system.texts import use
from client.table.controls import RunningControls
from client.table.machine import GameMachine
from client.table.notice_words import notice_text
from client.table.notices import BotFailed, ChatSaid, TableNotice
from client.table.responder import Responder
from client.table.runtime import RunningTable
from client.table.thinker import Bots, Thinker, ThinkerError, Thought, bot_seed
from client.table.writer import StoreWriter
from client.words.machines import machine_lines
from engine.core.agenda import Table
from engine.core.cards import Handle, Lens
from engine.core.dataclass import replace
from engine.core.match import Match
from engine.core.registry import game, settle_options
from engine.core.values import plain
from engine.core.views import View
from p2p.identity.keys import SigningKey
from p2p.identity.tablekey import certify
from p2p.lockstep.account import cards, proven, unproven
from p2p.lockstep.genesis import Genesis, Member, Row, fixed_keys, fixed_nonce
from p2p.lockstep.lockstep import Lockstep
from p2p.testing.tables import member
from seeds.hashing import H

FACE = "planted-face"
ROWS = (Row(0, "Ann"), Row(1, "Bob", "random"), Row(2, "Cid", "greedy"))


class Unthinking:
    """Answers at random in this process. real: returns the lens of a seat."""

    def __init__(self, real: Mapping[int, Lens]) -> None:
        self.real, self.fails, self.asked = real, "", list[tuple[str, str, int]]()

    async def choose(self, level: str, seed: str, view: View) -> Any:
        await trio.lowlevel.checkpoint()
        self.asked.append((level, seed, view.seat))
        if self.fails:
            raise ThinkerError(self.fails)
        assert view.ask is not None
        seen = replace(view, lens=self.real.get(view.seat, Lens()))
        return Thought(plain(RandomBot().choose(seen, view.ask, random.Random(seed), 1)))


class OneMachine:
    """A machine that holds all seats of a table."""

    def __init__(self, name: str = "rex", rows: tuple[Row, ...] = ROWS) -> None:
        spec = game(name)
        agreed = settle_options(spec, len(rows), {})
        assert isinstance(agreed, Table), agreed
        machine = GameMachine(Match.new(spec, agreed))
        keys = fixed_keys(1, 0)
        certificate = certify(SigningKey.from_seed(H("test identity", 1, 0)), keys.key.public, b"test lobby", "device")
        members = (Member(certificate, rows, fixed_nonce(1, 0)),)
        rules, content = machine.ident
        genesis = Genesis(name, dict(agreed.options), rules, content, members, test=True)
        self.person, self.store = SessionPlayer(), Memory()
        lockstep = member(genesis, keys, machine)
        writer = StoreWriter(self.store, genesis.table, self.person.notice)  # type: ignore[arg-type]
        self.table = RunningTable(lockstep, writer, FakeSwitch(), self.person, no_log)  # type: ignore[arg-type]
        self.controls = RunningControls(self.table, self.table.finish)
        self.thinker = Unthinking(self.table.machine.lenses)
        self.bots = Bots(self.table, self.thinker, bot_seed(keys.secret, genesis.table), self.controls)  # type: ignore[arg-type]

    @property
    def voice(self) -> Lockstep:
        assert self.table.voice is not None
        return self.table.voice

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        async with trio.open_nursery() as nursery:
            self.person.sit(self.controls)
            self.responder = Responder(self.table, self.voice, self.person, nursery, person=True, bots=self.bots)
            nursery.start_soon(self.table.run, True)
            yield
            nursery.cancel_scope.cancel()

    async def answer(self, rng: random.Random) -> None:
        """Answer the person's question at random."""
        session = self.person.session
        while session.asking.choices is not None and not session.asking.sendable:
            session.asking.pick(rng.choice(list(session.asking.choices.options)))
        session.asking.send()
        await trio.sleep(0.1)

    async def asks(self) -> bool:
        """Wait until the person is asked; False if the game is over."""
        while self.person.session.asking.draft is None and not self.voice.position.over:
            self.thinker.real = self.table.machine.lenses
            await trio.sleep(0.05)
        return not self.voice.position.over


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


def heard(machine: OneMachine, monkeypatch: pytest.MonkeyPatch, kind: type[Any]) -> list[Any]:
    """The notices of a kind that the person gets from now on."""
    told, notice = list[Any](), machine.person.notice

    def also(each: TableNotice) -> None:
        notice(each)
        if isinstance(each, kind):
            told.append(each)

    monkeypatch.setattr(machine.person, "notice", also)
    return told


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


async def test_a_bot_that_gives_no_answer_is_answered_for_by_the_caretaker_and_that_is_said(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    without_threads(monkeypatch)
    machine = OneMachine()
    machine.thinker.fails = "it has ended with code -9"
    told = heard(machine, monkeypatch, BotFailed)
    async with machine.open():
        while not told:
            assert await machine.asks()
            await machine.answer(random.Random(1))
        assert told[0].name in ("Bob (bot)", "Cid (bot)")
        assert "-9" in told[0].why
        assert "stand-in" in notice_text(told[0])


async def test_a_bot_that_answers_illegally_is_answered_for_as_well(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    without_threads(monkeypatch)
    machine = OneMachine()
    honest = machine.thinker.choose

    async def wrong(level: str, seed: str, view: View) -> Any:
        await honest(level, seed, view)
        return Thought(["no", "such", "answer"])

    monkeypatch.setattr(machine.thinker, "choose", wrong)
    told, rng = heard(machine, monkeypatch, BotFailed), random.Random(1)
    async with machine.open():
        while len(told) < 3:
            assert await machine.asks()
            await machine.answer(rng)
        assert not machine.voice.faults


async def test_bots_pick_the_same_again_from_equal_stores() -> None:
    """A machine that has lost its last entries signs the same answers again, and no second history."""
    secret, table = b"s" * 32, b"t" * 32
    assert bot_seed(secret, table) == bot_seed(secret, table)
    assert bot_seed(secret, table) != bot_seed(b"o" * 32, table)
    ask, view = first_question()
    thinkers = Thinker(no_log), Thinker(no_log)
    try:
        answers = [await each.choose(level, "seed/0/1", view) for each in thinkers for level in ("random", "greedy")]
        assert answers[:2] == answers[2:]
        assert thinkers[0].pid != thinkers[1].pid
        assert ask.validate(view.g, game("rex").words.value(answers[0].value), view.lens) is None
    finally:
        for each in thinkers:
            await each.end()


def first_question(name: str = "rex") -> tuple[Any, View]:
    """The first question of a game that is open to a seat."""
    from client.bots import chooser
    from engine.core.dealer import Dealer, HashDice

    spec = game(name)
    agreed = settle_options(spec, 3, {})
    assert isinstance(agreed, Table)
    match, dealer = Match.new(spec, agreed), Dealer(HashDice("1"))
    choose = chooser([RandomBot()] * 3, dealer, random.Random(1))
    while not match.owing() or (outcome := dealer.outcome(match, choose)) is not None:
        match.apply(dealer.outcome(match, choose) if not match.owing() else outcome)  # type: ignore[arg-type]
    seat = match.owing()[0]
    view = match.view(seat, dealer.lens(seat))
    return view.ask, view


@pytest.mark.parametrize("name", ["eclipse2", "eclipse1", "emperor", "rex"])
async def test_the_process_of_the_bots_gets_a_view_and_no_key(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STARLOCK_HOME", "/somewhere/secret")
    _ask, view = first_question(name)
    assert packed("random", "1", view)[LENGTH:].count(b"STARLOCK") == 0
    thinker = Thinker(no_log)
    try:
        await thinker.choose("greedy", "1", view)
        assert thinker.pid is not None
        if sys.platform == "linux":
            only_pipes(Path(f"/proc/{thinker.pid}"))
    finally:
        await thinker.end()


def only_pipes(process: Path) -> None:
    """The process has been told no home, and has nothing open but the pipes to its parent."""
    assert b"STARLOCK_HOME" not in (process / "environ").read_bytes()
    files = {str(each.readlink()) for each in (process / "fd").iterdir()}
    assert all(each.startswith("pipe:") or each == os.devnull for each in files), files


async def test_a_process_that_is_killed_is_told_and_started_again_at_the_next_question() -> None:
    _ask, view = first_question()
    thinker = Thinker(no_log)
    try:
        answer = await thinker.choose("random", "1", view)
        assert thinker.pid is not None
        os.kill(thinker.pid, signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
        with pytest.raises(ThinkerError):
            await thinker.choose("random", "1", view)
        assert await thinker.choose("random", "1", view) == answer
    finally:
        await thinker.end()
    assert thinker.pid is None


async def test_a_bot_that_raises_an_error_says_which() -> None:
    _ask, view = first_question()
    thinker = Thinker(no_log)
    try:
        with pytest.raises(ThinkerError, match="KeyError"):
            await thinker.choose("no-such-level", "1", view)
        assert await thinker.choose("random", "1", view) is not None
    finally:
        await thinker.end()


def test_bytes_that_are_no_answer_are_refused() -> None:
    for data in (b"", b"{", b"[]", b'{"error": 5}'):
        with pytest.raises(ValueError):
            read_answer(data)
    assert read_answer(b'{"value": null, "best": []}') == (None, [], "")


async def test_bots_greet_once_with_their_level(monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock) -> None:
    without_threads(monkeypatch)
    machine = OneMachine()
    said = heard(machine, monkeypatch, ChatSaid)
    async with machine.open():
        assert await machine.asks()
        machine.bots.greet()
        with trio.fail_after(60):
            while not said:
                await machine.table.changed()
    assert len(said) == 1
    assert "Hello!" in said[0].text
    assert "random" in said[0].text


async def test_bots_say_why_in_the_chat_of_their_machine_and_never_answer_themselves(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    without_threads(monkeypatch)
    machine = OneMachine()
    said = heard(machine, monkeypatch, ChatSaid)
    async with machine.open():
        assert await machine.asks()
        assert machine.controls.chat("bots: why?") is None
        await trio.sleep(5)
    texts = [each.text for each in said]
    assert texts[0] == "bots: why?"
    assert [said[0].name, *sorted(each.name for each in said[1:])] == ["Ann", "Bob (bot)", "Cid (bot)"]


def test_a_bot_tells_the_reason_of_its_latest_answer_of_each_kind_and_the_latest_kind_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    spec, texts = game("eclipse2"), (("research", "first"), ("build", "second"), ("research", "third"), ("move", ""))
    match = SimpleNamespace(spec=spec)
    answers = [
        SimpleNamespace(ask=SimpleNamespace(word=word, reason=reason), match=match, height=at, view=lambda: None)
        for at, (word, reason) in enumerate(texts)
    ]
    monkeypatch.setattr("client.table.thinker.weighed_text", lambda _level, _view, ask, *_rest: ask.reason)
    bots: Any = SimpleNamespace(_answered={0: answers}, _best={}, _before=lambda _seat: ())
    said = Bots.reasons(bots, 0, "greedy")
    assert [part.split()[-1] for part in said.split("; ")] == ["third", "second"]
    bots._answered = {0: answers[-1:]}
    assert "nothing to weigh" in Bots.reasons(bots, 0, "greedy")
    assert "not answered anything" in Bots.reasons(bots, 1, "greedy")


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
