"""`hold` at the card windows of Rex: one word says no to all of them until the phase ends."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
import trio
import trio.testing
from rex_bot import SIX, SOL, Play, table
from rex_person import Person, asked

from client.fronts.line.screen import LineScreen
from client.session.player import SessionPlayer
from client.system.texts import use
from client.table.player import Asked
from engine.core.errors import Refusal
from engine.core.ids import Seat
from engine.core.values import Value
from engine.rex.state import PHASES
from engine.rex.windows import PlayCard


@pytest.fixture(autouse=True)
def english() -> None:
    use("en")


def windows(*held: int) -> Play:
    """All these seats hold a card that fits no window, and are asked at one."""
    game = table(SIX)
    for seat in held:
        game.deal(seat, "energy-rifle")
    return game.run(["window", "maneuvering"])


def test_a_plain_no_to_a_window_is_sent_with_one_entry() -> None:
    person = Person(windows(SOL))
    assert "Type hold to say no" in person.read()
    assert "there are no odds" in person.show("odds")
    person.type("no")
    assert person.sent == (("no",),)


def ask_again(person: Person, window: str, phase: str, card: str = "energy-rifle") -> str:
    """Another window of a phase, with a card in hand; what is shown."""
    person.sent, person.screen.session.asking.waiting = list[Value](), []
    with person.game.edit() as g:
        g.round.phase = PHASES.index(phase)
    match, seat = person.game.match.clone(), person.seat
    person.screen.session.asking.asked(
        Asked(seat, match, person.game.dealer.lens(seat), PlayCard(Seat(seat), window), match.height)
    )
    return person.read()


@pytest.mark.parametrize("window", ["maneuvering", "march"])
def test_who_holds_says_no_at_once_to_all_windows_of_the_phase_and_is_asked_in_the_next(window: str) -> None:
    person = Person(windows(SOL))
    person.read()
    person.type("hold")
    assert person.sent == (("no",),)
    shown, sent = ask_again(person, window, "maneuvering"), person.sent
    assert (shown, sent) == ("", (("no",),))
    assert "Play a Strategy card now" in ask_again(person, "battle", "battle")
    assert not person.sent


def test_who_holds_says_no_also_when_a_card_would_fit() -> None:
    """Else an answer that takes longer would tell that one holds such a card."""
    person = Person(windows(SOL))
    person.type("hold")
    person.game.deal(SOL, "forced-march")
    assert ask_again(person, "march", "maneuvering") == ""
    assert person.sent == (("no",),)


async def test_a_table_gets_the_answer_of_who_holds_without_a_word_from_the_terminal() -> None:
    person = Person(windows(SOL))
    game, player, given = person.game, SessionPlayer(), list[Sequence[Value]]()
    controls = person.screen.session.table.controls
    assert controls is not None
    player.sit(controls)

    async def window(name: str) -> None:
        match, ask = game.match.clone(), PlayCard(Seat(SOL), name)
        given.append(await player.choose(Asked(SOL, match, game.dealer.lens(SOL), ask, match.height)))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(window, "maneuvering")
        await trio.testing.wait_all_tasks_blocked()
        LineScreen(player.session, lambda: 80).typed("hold")
    await window("march")
    assert given == [[("no",)], [("no",)]]


def test_who_holds_is_asked_everything_else_and_can_end_it() -> None:
    person = Person(windows(SOL))
    person.type("hold")
    assert person.screen.prompt() == "holding> "
    assert "asked again" in person.type("hold")
    assert "Play a Strategy card now" in ask_again(person, "march", "maneuvering")
    other = asked(table(SIX), ["deploy", SOL])
    assert "No question is open that" in other.show("hold")


def test_an_answer_that_was_refused_is_not_given_again_by_itself() -> None:
    person = Person(windows(SOL))
    person.type("hold")
    match = person.game.match.clone()
    person.sent, person.screen.session.asking.waiting = list[Value](), []
    ask = PlayCard(Seat(SOL), "march")
    person.screen.session.asking.asked(
        Asked(SOL, match, person.game.dealer.lens(SOL), ask, match.height, Refusal("answer/not-asked"))
    )
    assert not person.sent
    assert person.screen.session.asking.draft is not None


def test_the_help_speaks_of_this_game_and_of_hold_in_both_languages() -> None:
    person = asked(table(SIX), ["deploy", SOL])
    told = person.show("?")
    assert "grand for grand-exchange" in told
    assert "explore" not in told
    assert "hold [phase | round | game] say no to such questions until this phase ends" in person.show("? all")
    use("es")
    try:
        assert (
            "abstenerse [fase | ronda | partida] decir no a tales preguntas hasta que acabe esta fase"
            in person.show("? all")
        )
        assert "Elige primero la respuesta" in person.show("order partida")
    finally:
        use("en")
