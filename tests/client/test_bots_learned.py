"""The learned value of Eclipse: its figures are named, its weights are whole numbers that training makes again."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from random import Random
from types import ModuleType

import pytest

from client.bots import NODES, bot
from client.games.eclipse.bot import answer, learned
from client.games.eclipse.bot.figures import figures
from engine.core.agenda import Table
from engine.core.cards import Lens
from engine.core.dealer import Dealer, HashDice, by_caretaker, play
from engine.core.match import Match
from engine.core.registry import game, settle_options
from engine.core.views import View
from engine.eclipse.flow import Menu

ROOT = Path(__file__).resolve().parents[2]
LEARNED = [id for id in ("eclipse2", "eclipse1") if learned.learned_for(id) is not None]


def turn(id: str, **options: str) -> tuple[Match, Dealer]:
    """The first turn of a game."""
    table = settle_options(game(id), 3, options)
    assert isinstance(table, Table)
    match, dealer = Match.new(game(id), table), Dealer(HashDice("turn"))
    for _ in play(match, dealer, by_caretaker):
        if isinstance(match.pending, Menu):
            return match, dealer
    raise AssertionError


def seen(match: Match, dealer: Dealer) -> View:
    seat = match.owing()[0]
    return match.view(seat, dealer.lens(seat))


def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("value", ROOT / "scripts" / "value.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_game_has_been_learned() -> None:
    assert "eclipse2" in LEARNED


@pytest.mark.parametrize("id", LEARNED)
def test_all_weights_are_whole_numbers_of_figures_that_there_are(id: str) -> None:
    match, _ = turn(id)
    names = figures(match.g, 0, Lens())
    found = learned.learned_for(id)
    assert found is not None
    assert len(found.rows) == match.g.const.constants.rounds
    for constant, weights in found.rows:
        assert weights.keys() <= names.keys()
        assert all(type(number) is int for number in (constant, *weights.values()))


@pytest.mark.parametrize("id", ["eclipse2", "eclipse1"])
def test_figures_are_whole_numbers_with_the_same_names_for_every_seat(id: str) -> None:
    match, dealer = turn(id)
    by_seat = [figures(match.g, seat, dealer.lens(seat)) for seat in range(3)]
    assert by_seat[0].keys() == by_seat[1].keys() == by_seat[2].keys()
    assert all(type(number) is int for found in by_seat for number in found.values())


def test_the_expert_answers_by_its_value_and_tells_what_it_compared() -> None:
    match, dealer = turn("eclipse2")
    view = seen(match, dealer)
    assert view.ask is not None
    expert = bot("expert")
    value = expert.choose(view, view.ask, Random(1), NODES)
    weighed = expert.weighed  # type: ignore[attr-defined]
    assert len(weighed) > 3
    assert [worth for worth, _ in weighed] == sorted((worth for worth, _ in weighed), reverse=True)
    assert value in {answer(view, view.ask, Random(1)), weighed[0][1][0]}


def test_without_a_game_to_imagine_or_a_budget_it_answers_like_greedy() -> None:
    match, dealer = turn("eclipse2")
    view = seen(match, dealer)
    bare = View(view.seat, view.g, view.pending, view.ask, Lens(), view.height)
    assert view.ask is not None
    usual = answer(view, view.ask, Random(1))
    assert learned.choose(bare, view.ask, Random(1), NODES) == (usual, [])
    assert learned.choose(view, view.ask, Random(1), 1)[0] == usual


def test_wanderers_whom_no_training_has_seen_are_valued_too() -> None:
    match, dealer = turn("eclipse2", wanderers="on", species="lyra,magellan,exiles")
    view = seen(match, dealer)
    assert view.ask is not None
    value, _ = learned.choose(view, view.ask, Random(1), NODES)
    assert value in view.ask.options(view.g)


def test_training_finds_the_weights_that_made_the_rows_and_writes_the_same_file_again(tmp_path: Path) -> None:
    rng, games = Random(5), []
    for number in range(30):
        samples, final = [], [0, 0]
        for seat in range(2):
            one, other = rng.randrange(100), rng.randrange(100)
            final[seat] = one + 2 * other
            samples += [[seat, at, one, other, 7] for at in (1, 2)]
        games.append(json.dumps({"game": number, "final": final, "samples": samples}))
    head = json.dumps({"value": 1, "game": "eclipse2", "seed": "s", "figures": ["one", "other", "always"]})
    files = [tmp_path / name for name in ("a", "b")]
    for at, order in enumerate((games, games[::-1])):
        files[at].write_text("\n".join([head, *order, ""]))
        script().train(files[at], tmp_path / f"{files[at].name}.toml")
    first, second = [(tmp_path / f"{path.name}.toml").read_text() for path in files]
    assert first == second, "the order in which games were played says nothing"
    rows = dict(line.split(" = ") for line in first.splitlines() if line.startswith('"'))
    assert rows.keys() == {'"one"', '"other"'}
    one, other = (json.loads(rows[name])[-1] / learned.SCALE for name in ('"one"', '"other"'))
    assert 0.8 < one <= 1 < 1.6 < other <= 2, "the penalty makes weights a little smaller"


def test_rows_of_games_are_played_again_alike() -> None:
    made = script()
    assert made.SEATS
    assert made.names("eclipse2") == [*figures(turn("eclipse2")[0].g, 0, Lens())]
