"""The pictures of Eclipse at many positions of whole random games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import pytest
from volume import gated

from client.bots import bot, chooser
from client.games.eclipse.show.boards import total
from client.games.eclipse.show.pictures import PICTURES
from client.games.eclipse.show.tech import gives
from client.games.eclipse.wording.texts import PROMPTS
from client.show.lines import lines
from client.show.pictures import Frame
from client.show.styled import ASCII, UNICODE, plain
from client.system import texts
from client.system.names import columns
from client.words import DisplayNames
from client.words.asking import prompt_text
from engine.core.agenda import Table
from engine.core.cards import Lens
from engine.core.dealer import Chooser, Dealer, HashDice, at_random, by_caretaker, play
from engine.core.ids import Seat
from engine.core.match import Match
from engine.core.registry import game, settle_options
from engine.core.sections import flat, row_of
from engine.core.waits import Choose
from engine.eclipse import sectors
from engine.eclipse.actions import upgrade
from engine.eclipse.flow import Menu
from engine.eclipse.free import Colonise
from engine.eclipse.terms import STARBASE

NAMES = ("Anna", "Bob", "Carl", "Dina", "Emil", "Fay")
WIDTH = 79


@pytest.fixture(params=["en", "es"])
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    texts.use(request.param)
    yield request.param
    texts.use("en")


def begun(seats: int, seed: int, **options: str) -> tuple[Match, Dealer]:
    spec = game("eclipse2")
    table = settle_options(spec, seats, options)
    assert isinstance(table, Table)
    return Match.new(spec, table, checkpoint=16), Dealer(HashDice(seed))


@cache
def positions(seats: int, seed: int, every: int) -> tuple[tuple[Match, Dealer], ...]:
    """Every so many inputs of a random game."""
    match, dealer = begun(seats, seed)
    found = []
    for number, _ in enumerate(play(match, dealer, at_random(HashDice(seed)))):
        if number % every == 0:
            found.append((match.clone(), dealer))
    return (*found, (match, dealer))


def frame(match: Match, dealer: Dealer, seat: int, ascii_only: bool = False) -> Frame:
    view = match.view(seat, dealer.lens(seat) if seat >= 0 else Lens())
    return Frame(view, NAMES[: match.g.table.seats], ASCII if ascii_only else UNICODE, (), WIDTH)


def test_what_a_technology_brings_is_told_with_its_figures(language: str) -> None:
    shown = frame(*begun(2, 1), 0)
    assert not [text for tech in range(len(shown.g.const.technologies)) if "{" in (text := gives(shown, tech))]


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_no_picture_is_wider_than_the_terminal(seats: int, language: str) -> None:
    for match, dealer in positions(seats, 3, 60):
        for command, picture in PICTURES.documents.commands.items():
            shown = frame(match, dealer, 1)
            for words in ((), ("001",), ("A",)) if picture.usage else ((),):
                for each in picture.draw(replace(shown, words=words)):
                    assert columns(plain(each)) <= WIDTH, (command, words, plain(each))


def test_a_sector_that_is_not_there_is_answered_with_those_that_are_or_with_that_there_is_none_yet() -> None:
    match, dealer = begun(2, 3)
    asked = replace(frame(match, dealer, 0), words=("zzz",))
    for name in ("map", "near"):
        (told,) = map(plain, PICTURES.documents.commands[name].draw(asked))
        assert told == "No sector lies on the map yet."
    begun_match, dealer = positions(2, 3, 60)[1]
    asked = replace(frame(begun_match, dealer, 0), words=("zzz",))
    told = " ".join(map(plain, PICTURES.documents.commands["map"].draw(asked)))
    assert told.startswith("There is no sector “zzz” on the map. There are 001, ")


def test_who_has_passed_is_told_what_is_left_to_do() -> None:
    match, dealer = begun(4, 3)
    told = []
    for passed in (0, 1):
        match.g.seats.passed[0] = passed
        told.append(" ".join(map(plain, lines(PICTURES.documents.before(frame(match, dealer, 0), Menu(Seat(0))), 80))))
    assert told == ["", "You have passed: upgrade, build or move once as a reaction, or pass again."]


def test_a_starbase_is_not_counted_among_the_ships_that_may_leave() -> None:
    match, dealer = positions(4, 3, 60)[1]
    shown = frame(match.clone(), dealer, 0)
    home = next(tile for tile, here in sectors.fleet(shown.g).items() if 0 in here)
    sectors.launch(shown.g, sectors.idle_ship(shown.g, 0, STARBASE), home)
    told = PICTURES.documents.commands["map"].draw(replace(shown, words=(str(shown.g.const.sector_ids[home]),)))
    assert any("starbase; 1 may leave" in plain(each) for each in told)


def test_ascii_pictures_are_ascii() -> None:
    for match, dealer in positions(4, 3, 60):
        for command in ("map", "boards", "tech"):
            for each in PICTURES.documents.commands[command].draw(frame(match, dealer, 0, ascii_only=True)):
                assert plain(each).replace("×", "x").isascii(), plain(each)


def test_somebody_without_a_seat_sees_the_public_pictures() -> None:
    for match, dealer in positions(4, 3, 120):
        shown = frame(match, dealer, -1)
        assert PICTURES.documents.standing(shown)
        for picture in PICTURES.documents.commands.values():
            assert picture.draw(shown)


def by_greedy(dealer: Dealer) -> Chooser:
    """Games with battles, diplomacy and upgrades."""
    return chooser([bot("greedy")] * 4, dealer, Random(2))


@cache
def questions(player: str) -> tuple[tuple[Match, Lens, int], ...]:
    """The first three positions of a game at which each question is asked, with what the asked seat knows."""
    match, dealer = begun(4, 2)
    seen: Counter[str] = Counter()
    found = []
    for _ in play(match, dealer, at_random(HashDice(2)) if player == "random" else by_greedy(dealer)):
        for seat in match.owing():
            ask = match.ask_of(seat)
            assert ask is not None
            seen[ask.word] += 1
            if seen[ask.word] <= 3:
                found.append((match.clone(), Lens(dict(dealer.lens(seat))), seat))
    return tuple(found)


@pytest.mark.parametrize("player", gated(["greedy", "random"], 1))
def test_every_question_has_its_words_and_every_option_can_be_explained(language: str, player: str) -> None:
    words = set()
    for match, lens, seat in questions(player):
        ask = match.ask_of(seat)
        assert ask is not None
        words.add(ask.word)
        shown = Frame(match.view(seat, lens), NAMES[:4], UNICODE, (), WIDTH)
        assert ask.word not in prompt_text(ask, NAMES, DisplayNames("eclipse2")).split(), ask.word
        assert "{" not in prompt_text(ask, NAMES, DisplayNames("eclipse2"))
        assert all(columns(plain(each)) <= WIDTH for each in lines(PICTURES.documents.before(shown, ask), WIDTH))
        for option in ask.options(match.g, lens):
            text = PICTURES.questions.hint(shown, ask, option, ())
            assert "\n" not in text
            assert "{" not in text
    assert len(words) > 8


def test_an_end_is_asked_for_only_while_a_colony_ship_can_be_used_and_the_question_says_so() -> None:
    found = set()
    for match, lens, seat in questions("greedy"):
        ask = match.ask_of(seat)
        if ask is not None and ask.word in ("finish", "settle"):
            assert any(isinstance(option, Colonise) for option in ask.options(match.g, lens))
            found.add(prompt_text(ask, NAMES, DisplayNames("eclipse2")))
    assert found == {
        "The action is done, and colony ships can still be used: use them, or end the turn.",
        "Before income colony ships can still be used: use them, or stop.",
    }


def test_every_choice_of_the_game_has_a_prompt() -> None:
    game("eclipse2")

    def below(cls: type[Any]) -> Iterator[type[Any]]:
        for each in list[type[Any]](cls.__subclasses__()):
            yield each
            yield from below(each)

    words = {str(getattr(each, "word", "")) for each in below(Choose) if each.__module__.startswith("engine.eclipse")}
    assert words == set(PROMPTS)


def test_reputation_tiles_are_shown_to_their_owner_alone() -> None:
    match, dealer = begun(2, 11, species="eridani,terran-union")
    for _ in play(match, dealer, by_caretaker):
        if match.g.round.number >= 1 and any(flat(match.g.seats.reputation)):
            break
    held = [seat for seat in range(2) if any(tile > 0 for tile in row_of(match.g.seats.reputation, seat))]
    assert held
    for owner in held:
        for viewer in range(2):
            board = " ".join(
                plain(each)
                for each in PICTURES.documents.commands["boards"].draw(
                    replace(frame(match, dealer, viewer), words=(chr(65 + owner),))
                )
            )
            assert ("[?]" in board) == (viewer != owner)
            assert (total(frame(match, dealer, viewer), owner)[1] > 0) == (viewer != owner)


def test_a_board_says_who_has_passed_starts_is_the_traitor_or_out() -> None:
    match, dealer = positions(4, 3, 120)[-1]
    match = match.clone()
    g = match.g
    g.round.start = g.round.traitor = 0
    for out, told in ((0, "passed, starts, traitor"), (1, "out, starts, traitor")):
        g.seats.passed[0], g.seats.out[0] = 1, out
        drawn = PICTURES.documents.commands["boards"].draw(replace(frame(match, dealer, 0), words=("A",)))
        assert told in " ".join(map(plain, drawn))


def test_a_part_beside_the_grid_is_explained_and_shown_on_the_board(language: str) -> None:
    early, dealer = positions(2, 1, 40)[2]
    state: Any = early.segment_start()
    part = state.const.part_index["muon-source"]
    state.seats.parts[0, part] = 1
    state.flow.agenda, state.flow.now = [["upgrade", 0, 1, 1]], []
    match = Match(early.spec, state)
    ask = match.ask_of(0)
    assert ask is not None
    beside = [option for option in ask.options(match.g) if getattr(option, "part", "") == "muon-source"]
    assert {option.slot for option in beside} == {9}
    shown = frame(match, dealer, 0)
    assert all("+2" in PICTURES.questions.hint(shown, ask, option, ()) for option in beside)
    upgrade.install(match.g, 0, 0, 8, part)
    board = "\n".join(
        map(plain, PICTURES.documents.commands["boards"].draw(replace(frame(match, dealer, 0), words=(NAMES[0],))))
    )
    assert " 9 " in board
