"""Titles of options: every option of whole games has words that a person would use."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

import pytest
from volume import gated

from client.bots import NODES, bot
from client.show.pictures import Frame, pictures
from client.show.styled import UNICODE
from client.system.registry import GAMES
from client.words import display_names_at, texts
from engine.core.agenda import Table
from engine.core.dealer import Dealer, HashDice
from engine.core.ids import Seat
from engine.core.inputs import Answer, Input
from engine.core.match import Match
from engine.core.notation import format_value
from engine.core.registry import game, settle_options
from engine.core.values import Value
from engine.core.waits import Choose
from engine.emperor.roles.explorer import ClaimTile

NAMES = ("Anna", "Bob", "Carl", "Dina", "Emil", "Fay")


def offered(
    name: str, players: int, seed: int, program: str, **chosen: str
) -> Iterator[tuple[Frame, Choose[object], Value, tuple[Value, ...]]]:
    """Each option that seats of a whole game of bots are shown, along one way through stages, with what came before."""
    spec = game(name)
    table = settle_options(spec, players, chosen)
    assert isinstance(table, Table), table
    match, dealer, rng, player = Match.new(spec, table), Dealer(HashDice(str(seed))), Random(seed), bot(program)
    while not match.over:
        given: Input | None = dealer.outcome(match, lambda *_: None)
        if given is None:
            seat = match.owing()[0]
            ask, lens = match.ask_of(seat), dealer.lens(seat)
            assert ask is not None
            frame = Frame(match.view(seat, lens), NAMES[:players], UNICODE, display_names=display_names_at(spec))
            so_far: tuple[Value, ...] = ()
            while options := ask.options(match.g, lens, so_far):
                yield from ((frame, ask, option, so_far) for option in options)
                if not ask.staged:
                    break
                so_far = (*so_far, rng.choice(list(options)))
            given = Answer(seat, player.choose(match.view(seat, lens), ask, rng, NODES))
        match.apply(given)


def shown(
    name: str, players: int, seed: int, program: str, **chosen: str
) -> Iterator[tuple[Choose[object], Value, str]]:
    """The same with their titles."""
    title = pictures(name).questions.title
    for frame, ask, option, so_far in offered(name, players, seed, program, **chosen):
        yield ask, option, title(frame, ask, option, so_far)


def test_a_title_has_the_option_s_own_things_in_it() -> None:
    found = {(format_value(option), title) for _ask, option, title in shown("eclipse2", 2, 3, "greedy")}
    said = dict(found)
    assert said["explore"] == "Explore a new sector"
    assert said["trade materials money"] == "Trade materials for money"
    ships = [(option.split(), title) for option, title in said.items() if option.startswith("fly ")]
    assert ships
    assert all(title == f"Move {ship} from {start} to {to}" for (_fly, ship, start, to), title in ships)


@pytest.mark.parametrize(
    ("name", "players", "program"),
    gated(
        [("eclipse2", 3, "greedy"), ("emperor", 4, "greedy"), ("rex", 4, "greedy"),
         ("eclipse1", 3, "greedy"), ("emperor", 3, "random"), ("rex", 6, "random")], 3
    ),
)  # fmt: skip
def test_every_option_of_a_whole_game_has_words_without_handles_and_ids(name: str, players: int, program: str) -> None:
    for ask, option, title in shown(name, players, 7, program):
        assert_in_words(ask, option, title)


def test_an_option_without_a_value_has_a_title_or_the_word_no_and_not_both() -> None:
    told = pictures("eclipse2")
    found = [each for each in offered("eclipse2", 2, 5, "greedy") if each[2] is None]
    assert any(ask.word == "keep-tile" for _frame, ask, _option, _so_far in found)
    for frame, ask, option, so_far in found:
        assert (told.questions.hint(frame, ask, option, so_far) == "") is bool(
            told.questions.title(frame, ask, option, so_far)
        ), ask.word


def test_every_option_of_the_wanderers_has_words() -> None:
    kinds: set[str] = set()
    for ask, option, title in shown("eclipse2", 2, 7, "random", wanderers="on", species="lyra,magellan"):
        assert_in_words(ask, option, title)
        kinds |= {ask.word, format_value(option).split()[0]}
    assert {"shrine", "swap", "place-shrine"} <= kinds


def test_a_sector_is_claimed_by_a_technology_in_words() -> None:
    spec = game("emperor")
    table = settle_options(spec, 3, {})
    assert isinstance(table, Table), table
    frame = Frame(Match.new(spec, table).view(0), NAMES[:3], UNICODE, display_names=display_names_at(spec))
    ask = ClaimTile(Seat(0), "d5", "colony-pods")
    titles = [pictures("emperor").questions.title(frame, ask, option, ()) for option in ask.options(frame.g)]
    assert titles == ["Do not claim it", "Claim it by Colony Pods"]


def assert_in_words(ask: Choose[object], option: Value, title: str) -> None:
    ids = {id for name in GAMES for id in texts(name).terms if "-" in id}
    about = (ask.word, format_value(option), title)
    assert title[:1].upper() == title[:1] != "", about
    assert not set("#{}?") & set(title), about
    assert not ids & set(re.split(r"[^a-z0-9-]+", title)), about
