"""Branching from a step of a recorded game into a practice against bots."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
import trio
from replaying import STARS, Seen, eclipse, rex, walked
from screen_game import Solo
from volume import gated

from client.bots import NODES, bot
from client.commands import cli
from client.proof.dealt import dealer_at
from client.proof.recording import Recording
from client.session.practice import Practice
from client.show.styled import plain
from client.system.names import BOT
from client.table.machine import GameMachine
from client.table.notices import TableNotice
from client.table.player import Asked, LobbyControls, TableControls
from engine.core.dealer import play
from engine.core.events import Event
from engine.core.match import Match
from engine.core.values import Value
from engine.core.waits import Choose


def test_every_step_is_the_game_that_its_height_has_in_the_log() -> None:
    for at in (0, 1, 23, 24, 25, 100, 301, 300, len(rex().steps) - 1):
        machine = rex().walk.table.position.history.machine_at(rex().steps[at].opens)
        assert isinstance(machine, GameMachine)
        if rex().at_height(rex().steps[at].opens) == at:
            assert rex().match(at).digest() == machine.match.digest()


def test_branch_becomes_a_command_that_could_be_typed_and_is_refused_at_the_end() -> None:
    seen = Seen(eclipse())
    seen.press("end", "b")
    assert "The game is over here" in seen.text()
    seen.press("escape", "home", *["right"] * 20, "b", "down", "enter")
    assert seen.replay.words == ("replay", "game.star", "--at", str(eclipse().steps[20].opens), "--branch", "B")
    assert seen.left == 1


@pytest.mark.parametrize(
    ("name", "at"),
    gated(
        [
            *(("eclipse2.1.star", 0.8), ("rex.1.star", 0.1), ("emperor.1.star", 0.4)),
            *(("eclipse2.1.star", 0.1), ("rex.1.star", 0.4), ("emperor.1.star", 0.8)),
            *(("eclipse2.1.star", 0.4), ("rex.1.star", 0.8), ("emperor.1.star", 0.1)),
        ],
        3,
    ),
)
def test_a_game_can_be_played_to_its_end_from_any_step(name: str, at: float) -> None:
    recording = Recording(walked(name))
    step = int(at * len(recording.steps))
    match, dealer, rng = recording.match(step).clone(), dealer_at(recording, step, "seed"), random.Random(1)
    player = bot("random")

    def choose(match: Match, seat: int, ask: Choose[object]) -> Value:
        return player.choose(match.view(seat, dealer.lens(seat), copy=False), ask, rng, NODES)

    for _given in play(match, dealer, choose):
        pass
    assert match.over


def test_who_plays_on_keeps_the_cards_that_were_seen_and_none_that_come_later() -> None:
    at = len(rex().steps) // 2
    dealers = [dealer_at(rex(), at, seed) for seed in ("one", "two")]
    seen = {handle for step, _seat, handles in rex().cards.dealt if step <= at for handle in handles}
    known = {handle for handle in seen if rex().cards.face(handle) is not None}
    assert known
    for dealer in dealers:
        assert all(dealer.faces[handle] == rex().cards.face(handle) for handle in known)
    hidden = [handle for handle in dealers[0].faces if handle not in seen and handle not in rex().cards.shown]
    assert [dealers[0].faces[handle] for handle in hidden] != [dealers[1].faces[handle] for handle in hidden]
    for handles, members in ((handles, members) for step, handles, members in rex().cards.shuffled if step <= at):
        faces = dealers[0].faces
        wanted = sorted(str(faces[card]) if card in faces else str(card) for card in members)
        assert sorted(str(faces[handle]) for handle in handles) == wanted


class Sitting:
    """A person who answers at random, so many times, and then leaves."""

    def __init__(self, answers: int) -> None:
        self.left, self.told, self.asked = answers, list[Event](), 0
        self.controls: TableControls | None = None

    async def confirm(self, question: Callable[[], str]) -> bool:
        return True

    def show(self, told: Callable[[], str], *, plain: bool = False) -> None:
        pass

    def gather(self, controls: LobbyControls) -> None:
        pass

    def sit(self, controls: TableControls) -> None:
        self.controls = controls

    async def choose(self, asked: Asked) -> Sequence[Value]:
        assert self.controls is not None
        assert asked.seat in self.controls.seats
        self.asked += 1
        if self.asked > self.left:
            self.controls.leave()
            await trio.sleep_forever()
        return [bot("random").choose(asked.view(), asked.ask, random.Random(self.asked), NODES)]

    def tell(self, height: int, events: Sequence[Event]) -> None:
        self.told += events

    def notice(self, notice: TableNotice) -> None:
        pass


async def test_a_practice_goes_on_from_the_step_with_bots_marked_as_such_and_can_be_left() -> None:
    at = len(eclipse().steps) // 3
    practice, person = Practice(eclipse(), at, 0, "random", "seed"), Sitting(3)
    assert practice.match.digest() == eclipse().match(at).digest()
    assert (practice.name(0).endswith(BOT), practice.name(1).endswith(BOT)) == (False, True)
    assert not await practice.play(person)
    assert person.asked == 4
    assert practice.match.height > eclipse().match(at).height
    assert practice.past(0) is not None
    assert practice.chat("hello") is not None


def test_a_practice_says_so_where_a_table_tells_how_far_it_is_verified() -> None:
    solo = Solo("emperor")
    assert "verified" in plain(solo.front.draw(120, 40).lines[0])
    solo.session.lasting = False
    solo.front.changed()
    for size in ((80, 24), (120, 40)):
        assert "practice" in plain(solo.front.draw(*size).lines[0])
        assert "✓" not in plain(solo.front.draw(*size).lines[0])


async def test_a_practice_is_played_to_its_end() -> None:
    practice = Practice(eclipse(), len(eclipse().steps) * 9 // 10, 1, "random", "seed")
    assert await practice.play(Sitting(10_000))
    assert practice.match.over


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--branch", "Z", "--at", "20"), "replay/seat"),
        (("--branch", "A"), "replay/over"),
        (("--branch", "A", "--at", "99999"), "replay/height"),
        (("--branch", "A", "--at", "20", "--bots", "nobody"), "cli/unknown-bot"),
    ],
)
def test_a_branch_that_cannot_be_is_refused_with_a_reason(
    words: Sequence[str], code: str, capsys: pytest.CaptureFixture[str], starlock_home: Path
) -> None:
    assert cli.main(["replay", str(STARS / "eclipse2.1.star"), *words, "--json"]) == 2
    assert f'"code":"{code}"' in capsys.readouterr().out
