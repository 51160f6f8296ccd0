"""What others hold in private reaches no bot, no picture and no sentence of a seat."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from volume import gated

from client.bots import LEVELS, Bot, bot, chooser
from client.fronts.line.screen import LineScreen
from client.session.session import Session
from client.show.lines import lines as written
from client.show.pictures import Frame, pictures
from client.show.styled import UNICODE, plain
from client.system.texts import use
from client.words import DisplayNames, event_text
from engine.core.agenda import Table
from engine.core.cards import Lens
from engine.core.dealer import Dealer, HashDice, at_random, play
from engine.core.match import Match
from engine.core.registry import settle_options
from engine.core.values import Value
from engine.core.views import VEILED, View
from engine.core.waits import Choose
from engine.rex.spec import REX

ROOT = Path(__file__).parents[3]
NAMES = ("Ada", "Bo", "Cy", "Di", "Ed", "Flo")
SHOWS = pictures("rex")


@pytest.fixture(autouse=True)
def english() -> None:
    use("en")


def city(**options: str) -> Match:
    table = settle_options(REX, 6, {"factions": "sol,lazax,hacan,xxcha,jol-nar,letnev", **options})
    assert isinstance(table, Table)
    return Match.new(REX, table, None)


class Watched:
    """A bot that keeps what influence it was shown."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.shown: list[tuple[int, int, list[int]]] = []

    def choose(self, view: View, wait: Choose[Any], rng: Random, budget: int) -> Value:
        self.shown.append((view.g.round.phase, view.seat, list(view.g.seats.influence)))
        return self.bot.choose(view, wait, rng, budget)


@pytest.mark.parametrize("level", gated(sorted(LEVELS, key=lambda level: level not in ("greedy", "expert")), 2))
def test_a_bot_is_shown_its_own_influence_alone(level: str) -> None:
    match, dealer = city(), Dealer(HashDice(level))
    watched = Watched(bot(level))
    for _ in play(match, dealer, chooser([watched] * 6, dealer, Random(1))):
        if len(watched.shown) > 400:
            break
    assert {seat for _, seat, _ in watched.shown} == set(range(6))
    for _, seat, influence in watched.shown:
        assert influence[seat] >= 0
        assert [held for other, held in enumerate(influence) if other != seat] == [VEILED] * 5


def test_with_open_influence_everybody_sees_it() -> None:
    match = city(**{"open-influence": "on"})
    assert list(match.view(2).g.seats.influence) == list(match.view(-1).g.seats.influence)
    assert VEILED not in match.view(-1).g.seats.influence


def at_every_wait(match: Match, seed: str) -> Iterator[Dealer]:
    """A random game, wait by wait."""
    dealer = Dealer(HashDice(seed))
    for _ in play(match, dealer, at_random(HashDice(seed))):
        yield dealer


def drawn(match: Match, dealer: Dealer, seat: int) -> list[str]:
    """All that is shown to a seat at a wait: pictures, status, what comes before its question, hints and sentences."""
    view = match.view(seat, dealer.lens(seat))
    frame = Frame(view, NAMES, UNICODE)
    lines = [plain(runs) for show in SHOWS.documents.commands.values() for runs in show.draw(frame)]
    lines.append(SHOWS.documents.status(frame))
    if view.ask is not None and seat in match.owing():
        options = view.ask.options(view.g, view.lens)
        lines += [plain(runs) for runs in written(SHOWS.documents.before(frame, view.ask), 80)]
        lines += [SHOWS.questions.hint(frame, view.ask, option, ()) for option in options[:40]]
    return lines


def test_no_screen_depends_on_what_others_hold() -> None:
    """The same screens are drawn when the others hold other amounts."""
    match, step = city(), 0
    for dealer in at_every_wait(match, "screens"):
        step += 1
        if step % 60 or match.over or match.g.flow.now[:1] == ["betrayal"]:
            continue
        for seat in (0, 3, -1):
            before = drawn(match, dealer, seat)
            held = list(match.g.seats.influence)
            for other in range(6):
                if other != seat:
                    match.g.seats.influence[other] = 77
            assert drawn(match, dealer, seat) == before
            for other in range(6):
                match.g.seats.influence[other] = held[other]
    assert step > 600


class Room:
    """A desk at which several people share a terminal."""

    def __init__(self, match: Match, seats: tuple[int, ...]) -> None:
        self.match, self.seats = match, seats
        self.genesis = SimpleNamespace(game="rex", seats=6, members=(), origin=None)
        self.history: list[Any] = []

    def lens(self, seat: int) -> Lens:
        return Lens()

    def name(self, seat: int) -> str:
        return NAMES[seat]

    def answered(self, seat: int) -> None:
        return None

    def owing(self) -> tuple[int, ...]:
        return ()

    def debts(self) -> dict[int, str]:
        return {}

    def linked(self) -> dict[int, bool]:
        return {}

    def members(self) -> dict[int, int]:
        return {}


@pytest.mark.parametrize(("seats", "shown"), [((2,), [2]), ((1, 2), []), ((), [])])
def test_a_shared_terminal_shows_nobodys_influence_between_turns(seats: tuple[int, ...], shown: list[int]) -> None:
    match = city()
    for _ in at_every_wait(match, "shared"):
        if match.g.round.phase:
            break
    screen = LineScreen(Session(lambda asked, values: None, lambda: None), lambda: 80)
    screen.session.sit(Room(match, seats))  # type: ignore[arg-type]
    influence = screen.view.frame().g.seats.influence
    assert [seat for seat, held in enumerate(influence) if held != VEILED] == shown
    assert screen.view.frame().view.seat == (seats[0] if seats else -1)
    assert ("influence ?" in screen.status()) == (len(seats) > 1)


def test_what_is_told_names_what_changes_hands_and_never_what_is_held() -> None:
    """Amounts in sentences are those paid, given, collected or found; the sum that somebody holds is in none."""
    match, dealer = city(), Dealer(HashDice("told"))
    large = 900
    for step, (_, told) in enumerate(play(match, dealer, at_random(HashDice("told")))):
        sentences = [event_text(event, NAMES, DisplayNames("rex")) for event in told]
        if match.g.round.phase and large == 900:
            for seat in range(6):
                match.g.seats.influence[seat] += large
            large = 0
        if not large and match.g.round.phase != 2:  # who holds 900 may bid 900
            assert not [text for text in sentences if any(f"{sum_}" in text for sum_ in _sums(match))], step
        if match.g.round.number > 1:
            break


def _sums(match: Match) -> list[int]:
    return [held for held in match.g.seats.influence if held > 800]


def test_when_somebody_has_won_influence_lies_open() -> None:
    match = city()
    for _ in at_every_wait(match, "end"):
        pass
    assert match.over
    assert list(match.view(-1).g.seats.influence) == list(match.g.seats.influence)


def test_only_a_match_makes_views() -> None:
    """So that nothing the program shows goes round the veil."""
    makers = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for folder in ("client", "engine", "scripts")
        for path in sorted((ROOT / folder).rglob("*.py"))
        if re.search(r"\bView\(", path.read_text())
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "View"
    ]
    assert [place.split(":")[0] for place in makers] == ["engine/core/match.py"]
