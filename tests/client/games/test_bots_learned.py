"""The learned value of Eclipse: its figures are named, its weights are whole numbers that training makes again."""

from __future__ import annotations

import importlib.util
import json
import tomllib
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest

from client.bots import NODES, bot
from client.games.eclipse.bot import answer, learned
from client.games.eclipse.bot import turn as actions
from client.games.eclipse.bot.figures import figures
from engine.core.agenda import Table
from engine.core.cards import Lens
from engine.core.dealer import Dealer, HashDice, by_caretaker, play
from engine.core.match import Match
from engine.core.registry import game, settle_options
from engine.core.values import Value
from engine.core.views import View
from engine.core.waits import Choose
from engine.eclipse.flow import Menu
from engine.eclipse.setup import PickSpecies

ROOT = Path(__file__).resolve().parents[3]
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


def test_both_editions_have_been_learned() -> None:
    assert LEARNED == ["eclipse2", "eclipse1"]


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


@pytest.mark.parametrize("id", LEARNED)
def test_the_expert_takes_the_free_species_with_which_it_ended_farthest_ahead(id: str) -> None:
    table = settle_options(game(id), 3, {})
    assert isinstance(table, Table)
    match, dealer, expert = Match.new(game(id), table), Dealer(HashDice("species")), bot("expert")
    ahead, taken = learned.species_for(id), list[str]()

    def choose(match: Match, seat: int, ask: Choose[Any]) -> Value:
        if not isinstance(ask, PickSpecies):
            return match.caretaker(seat)
        free = ask.options(match.g)
        assert set(ahead) >= set(free), "each species has been tried"
        taken.append(str(expert.choose(match.view(seat, dealer.lens(seat)), ask, Random(1), NODES)))
        assert ahead[taken[-1]] == max(ahead[name] for name in free)
        return taken[-1]

    for _ in play(match, dealer, choose):
        if isinstance(match.pending, Menu):
            break
    assert len(taken) == 3


@pytest.mark.parametrize("id", LEARNED)
def test_an_expert_that_wavers_errs_by_its_chance_alone_and_takes_species_like_greedy(
    id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(learned.WAVER, id, 3.0)
    match, dealer = turn(id)
    view = seen(match, dealer)
    assert view.ask is not None
    given = [[bot("wavering").choose(view, view.ask, Random(seed), NODES) for seed in range(12)] for _ in range(2)]
    assert given[0] == given[1]
    assert len({*given[0]}) > 2, "greedy and the expert answer alike each time"
    assert {*given[0]} <= {*view.ask.options(view.g)}
    table = settle_options(game(id), 3, {})
    assert isinstance(table, Table)
    first, dealer = Match.new(game(id), table), Dealer(HashDice("species"))
    for _ in play(first, dealer, by_caretaker):
        if isinstance(first.pending, PickSpecies):
            break
    view = seen(first, dealer)
    assert view.ask is not None
    assert bot("wavering").choose(view, view.ask, Random(1), NODES) == answer(view, view.ask, Random(1))


@pytest.mark.parametrize("id", LEARNED)
def test_the_error_of_an_expert_that_wavers_has_the_deviation_that_is_given(id: str) -> None:
    match, dealer = turn(id)
    view = seen(match, dealer)
    wait = view.ask
    assert wait is not None
    usual = answer(view, wait, Random(1))

    def points(waver: float) -> dict[learned.Plan, float]:
        return {plan: points for points, plan in learned.weigh(view, wait, Random(1), NODES, usual, waver)}

    told = [points(waver) for waver in (1e-9, 1, 2)]
    once, twice = ([other[plan] - told[0][plan] for plan in told[0]] for other in told[1:])
    assert len(once) > 3
    assert twice == pytest.approx([2 * error for error in once], abs=1e-6)


@pytest.mark.parametrize("id", LEARNED)
def test_no_ship_is_moved_where_greedy_has_no_target_for_it(id: str) -> None:
    """Its flights would leave battles or come back, whatever the value says of that."""
    match, dealer = turn(id)
    seen_without = 0
    for _ in play(match, dealer, lambda match, seat, ask: answer(seen(match, dealer), ask, Random(1))):
        wait = match.pending
        if isinstance(wait, Menu) and "move" in wait.options(match.g):
            times = actions.times(match.g, wait.seat, "move")
            wanted = actions.move_value(match.g, wait.seat, times) > 0
            moving = [plan for plan in learned._plans(seen(match, dealer), wait, "pass") if "move" in plan]
            assert wanted or not moving
            seen_without += not wanted
        if seen_without == 20:
            return
    raise AssertionError("no such turn")


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


def rows(path: Path, games: list[str], game: str = "eclipse2") -> Path:
    head = json.dumps({"value": 1, "game": game, "seed": "s", "figures": ["points all", "other", "always"]})
    path.write_text("\n".join([head, *games, ""]))
    return path


def simple(count: int, seed: int) -> list[str]:
    """Games of two rounds in which a seat ends with its points and twice another figure."""
    rng, games = Random(seed), []
    for number in range(count):
        samples, final = [], [0, 0]
        for seat in range(2):
            one, other = rng.randrange(100), rng.randrange(100)
            final[seat] = one + 2 * other
            samples += [[seat, at, one, other, 7] for at in (1, 2)]
        games.append(json.dumps({"game": number, "final": final, "samples": samples}))
    return games


def weights(file: Path) -> dict[str, list[float]]:
    found = tomllib.loads(file.read_text())["figures"]
    return {name: [weight / learned.SCALE for weight in row] for name, row in found.items()}


def test_training_finds_the_weights_that_made_the_rows_and_writes_the_same_file_again(tmp_path: Path) -> None:
    made, games = script(), simple(30, 5)
    whole, back = rows(tmp_path / "whole", games), rows(tmp_path / "back", games[::-1])
    for path in (whole, back):
        made.train([path], tmp_path / f"{path.name}.toml")
    assert (tmp_path / "whole.toml").read_text() == (tmp_path / "back.toml").read_text(), "the order says nothing"
    found = weights(tmp_path / "whole.toml")
    assert found.keys() == {"points all", "other"}
    assert 0.9 < found["points all"][-1] <= 1, "it begins with 1"
    assert 1 < found["other"][-1] < found["other"][0] <= 2, "the penalty keeps it near to what it begins with"


def test_a_game_that_is_in_two_files_counts_once(tmp_path: Path) -> None:
    games = simple(30, 5)
    first, second = rows(tmp_path / "first", games), rows(tmp_path / "second", games[:20])
    made = script()
    assert len(made.read([first, second])[1]) == 30
    with pytest.raises(SystemExit, match="different games"):
        made.read([first, rows(tmp_path / "third", games, "eclipse1")])


def test_training_may_begin_with_the_weights_of_another_edition_by_rounds_to_come(tmp_path: Path) -> None:
    made, other = script(), tmp_path / "other.toml"
    other.write_text('constant = [1, 2, 30000]\n[figures]\n"other" = [50000, 0, 20000]\n"foreign" = [1, 1, 1]\n')
    made.train([rows(tmp_path / "rows", simple(10, 5))], tmp_path / "new.toml", other, penalty=1e9)
    assert weights(tmp_path / "new.toml") == {"other": [0, 2]}
    assert made.started(["other"], 4, other) == [
        ([weight], base) for weight, base in [(5, 1e-4), (5, 1e-4), (0, 2e-4), (2, 3)]
    ]


def test_a_species_of_few_games_lies_near_to_the_mean_of_all() -> None:
    games = [{"species": name, "ahead": ahead} for name, ahead in [("one", 12.0), *[("other", 2.0)] * 8]]
    assert script().ahead(games) == {"one": pytest.approx((12 + 2 * 7) / 3), "other": pytest.approx((16 + 2 * 7) / 10)}


def test_a_species_without_a_game_is_tried_before_the_best_one_and_the_content_file_holds_both(tmp_path: Path) -> None:
    made, before = script(), {"game": 0, "species": "draco", "ahead": 99.0}
    games = [before, made.tried("eclipse2", 1, 2, "s", [before])]
    assert games[1]["game"] == 1
    assert games[1]["species"] not in {"draco", ""}
    path = tmp_path / "rows"
    path.write_text("\n".join(["{}", *map(json.dumps, games), ""]))
    made.species("eclipse2", path, tmp_path / "species.toml")
    found = tomllib.loads((tmp_path / "species.toml").read_text())["species"]
    assert found == {name: round(learned.SCALE * points) for name, points in made.ahead(games).items()}
    assert len(found) == 2


def test_rows_of_games_are_played_again_alike() -> None:
    made = script()
    assert made.names("eclipse2") == [*figures(turn("eclipse2")[0].g, 0, Lens())]
