"""The weaker levels err like a person: they miss the best answer or do nothing, and never do what nobody would."""

from __future__ import annotations

import io
import json
import sys
from argparse import Namespace
from collections import Counter
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from volume import seeds

sys.path.append(str(Path(__file__).parents[1]))

from rex_bot import ADMINUS, PALACE, PORT, Play, table

import engine
from client.bots import LEVELS, NODES, NUMBERS, bot, chooser, level_in, levels_of, missing_text
from client.bots.graded import IDLE, BeginnerBot, CasualBot
from client.bots.greedy import GreedyBot
from client.bots.ladder import Played, Series, verdict
from client.bots.pool import played
from client.bots.thinking import LENGTH, packed, read_answer, serve
from client.commands import cli
from client.commands.arguments import settle_bots
from client.commands.seating import check_programs, play_out
from client.fronts.kit.pane import Item
from client.fronts.screen.shared import form_rows
from client.games.eclipse.bot import reasons as eclipse
from client.games.eclipse.bot.worth import NUMBERS as NUMBERS_OF_ECLIPSE
from client.games.rex.bot.march import compared
from client.session.start import BOTS, NewTable, bots_of, form_fields
from client.system.context import Context
from client.system.errors import INTERRUPTED, UserError
from client.system.progress import Meter
from client.system.texts import current, use
from client.words.options import game_title
from engine.core.dealer import Chooser
from engine.core.match import Match
from engine.core.values import Value, plain
from engine.core.views import View
from engine.core.waits import Choose
from engine.eclipse.flow import Menu

GOOD = [(3.0, "build"), (2.0, "move"), (0.5, "explore"), (0.4, "influence"), (0.0, "pass"), (-1.0, "upgrade")]


def answers(kind: type[CasualBot], weighed: list[tuple[float, str]], value: str = "build") -> Counter[str]:
    return Counter(kind()._other(weighed, value, Random(number)) for number in range(400))


def test_what_is_mistaken_for_the_best_gains_something_too() -> None:
    casual, beginner = answers(CasualBot, GOOD), answers(BeginnerBot, GOOD)
    assert casual.keys() == {"build", "move", "explore"}
    assert beginner.keys() == {"build", "move", "explore", "pass"}
    assert casual["build"] > 2 * beginner["build"] > 100
    assert answers(CasualBot, [(1.0, "build"), (0.0, "pass"), (-2.0, "move")]) == {"build": 400}


def test_what_greedy_does_before_it_weighs_is_left_as_it_is() -> None:
    assert answers(BeginnerBot, GOOD, "colonise") == {"colonise": 400}
    assert answers(BeginnerBot, []) == {"build": 400}


def test_nothing_is_forgotten_where_nothing_can_be_left_undone() -> None:
    roles = [(3.0, "explorer"), (2.0, "regent"), (1.0, "steward")]
    assert answers(BeginnerBot, roles, "explorer").keys() == {"explorer", "regent", "steward"}


def moved(game: Play) -> list[tuple[float, Any]]:
    """What Lazax compares before it moves or deploys."""
    view = game.match.view(0, game.dealer.lens(0))
    assert view.ask is not None
    return compared(view, view.ask)


@pytest.mark.parametrize("step", ["move", "deploy"])
def test_in_rex_what_is_mistaken_for_the_best_goes_elsewhere_and_a_deployment_is_forgotten_too(step: str) -> None:
    game = table("lazax,hacan,sol,letnev").army(0, PALACE, 9).army(0, ADMINUS, 5).army(3, PORT, 3)
    weighed = moved(game.influence(20, 5, 5, 5).run([step, 0]))
    ways = [tuple(part for part in answer if isinstance(part, str)) for _, answer in weighed]
    assert len({*ways}) == len(ways) > 3, "each way to go once, with its best number of units"
    assert [worth for worth, _ in weighed] == sorted((worth for worth, _ in weighed), reverse=True)
    (idle,) = [answer for _, answer in weighed if answer in IDLE]
    best = weighed[0][1]
    assert best != idle
    said = Counter(BeginnerBot()._other(weighed, best, Random(number)) for number in range(400))
    nothing = next(worth for worth, answer in weighed if answer == idle)
    better = [answer for worth, answer in weighed[:3] if worth > nothing]
    assert {*said} == {idle, *better}
    assert said[idle] > 30


@pytest.mark.parametrize("id", ["eclipse2", "eclipse1"])
def test_in_eclipse_an_action_is_forgotten_and_never_a_whole_round(id: str) -> None:
    match, dealer = engine.new_game(id, 3, "forgets")
    for _ in engine.play(match, dealer, engine.by_caretaker):
        if isinstance(match.pending, Menu):
            break
    wait = match.pending
    assert isinstance(wait, Menu)
    for spent, forgets in ((0, False), (1, True)):
        match.g.seats.spent[wait.seat] = spent
        view = match.view(wait.seat)
        weighed = eclipse.compared(view, wait)
        assert len(weighed) > 2
        assert [pair for pair in eclipse.weigh(view, wait) if pair[1] != "pass" or forgets] == weighed
        said = Counter(BeginnerBot()._other(weighed, weighed[0][1], Random(number)) for number in range(100))
        assert ("pass" in said) == forgets


@pytest.mark.parametrize("id", ["eclipse2", "eclipse1"])
def test_in_eclipse_a_beginner_takes_land_from_the_start(id: str) -> None:
    """It once sat in its home up to round 4, and passed first with nothing done."""
    held, idle = list[int](), 0
    for number in range(3):
        match, dealer = engine.new_game(id, 4, f"land {number}")
        inner = chooser([bot("beginner")] * 4, dealer, Random(number))

        def choose(match: Match, seat: int, ask: Choose[Any], inner: Chooser = inner) -> Value:
            nonlocal idle
            value, seats = inner(match, seat, ask), match.g.seats
            idle += isinstance(ask, Menu) and value == "pass" and not seats.spent[seat] and not seats.passed[seat]
            return value

        for _ in engine.play(match, dealer, choose):
            if match.g.round.number == 4:
                break
        held += [match.g.sectors.owner.count(seat) for seat in range(4)]
    assert sum(held) / len(held) > 3
    assert idle <= 1, "of 36 rounds of a seat"


@pytest.mark.parametrize("name", ["beginner", "casual"])
@pytest.mark.parametrize("id", ["emperor", "rex"])
def test_a_weak_level_plays_a_whole_game(id: str, name: str) -> None:
    match, dealer = engine.new_game(id, 3, f"weak {name}")
    choose = chooser([bot(name)] * 3, dealer, Random(1))
    for _ in engine.play(match, dealer, choose):
        pass
    assert match.over


def test_an_answer_of_a_level_follows_from_its_chance() -> None:
    match, dealer = engine.new_game("emperor", 3, "again")
    for _ in engine.play(match, dealer, engine.by_caretaker):
        if match.owing():
            break
    view = match.view(match.owing()[0], dealer.lens(match.owing()[0]))
    assert view.ask is not None
    for name in ("beginner", "casual", "greedy"):
        assert len({bot(name).choose(view, view.ask, Random(7), NODES) for _ in range(5)}) == 1


@pytest.mark.parametrize("name", ["beginner", "casual"])
def test_what_a_level_misjudges_in_a_round_is_the_same_at_each_question_of_a_table(name: str) -> None:
    """There each question goes to a bot that is made anew. It once misjudged other things at each, and a ship that had
    begun a raid turned back."""
    (match, dealer), views = engine.new_game("eclipse2", 3, "same"), list[View]()

    def choose(match: Match, seat: int, ask: Choose[Any]) -> Value:
        if isinstance(ask, Menu) and seat == 0:
            views.append(match.view(seat, dealer.lens(seat)))
        return GreedyBot().choose(match.view(seat, dealer.lens(seat)), ask, Random(1), NODES)

    for _ in engine.play(match, dealer, choose):
        if match.g.round.number == 4:
            break
    kept, answers = bot(name, "seed"), io.BytesIO()
    serve(io.BytesIO(b"".join(packed(name, "seed", view) for view in views)), answers)
    answers.seek(0)
    for view in views:
        assert view.ask is not None
        value = kept.choose(view, view.ask, Random(f"seed/0/{view.height}"), NODES)
        assert read_answer(answers.read(int.from_bytes(answers.read(LENGTH), "big")))[0] == plain(value)
    assert len(views) > 12
    misjudged = [{str(one.numbers(NUMBERS_OF_ECLIPSE, view)) for view in views} for one in drawing(name)]
    assert [len(each) for each in misjudged] == [3, 3]
    assert not misjudged[0] & misjudged[1]


def drawing(name: str) -> list[CasualBot]:
    """Two bots of this level with seeds of their own."""
    made = [bot(name, seed) for seed in ("one", "other")]
    return [one for one in made if isinstance(one, CasualBot)]


def test_each_level_is_explained_where_it_is_chosen() -> None:
    assert {*BOTS} == {*LEVELS}
    assert [NUMBERS[number] for number in "12345"] == [name for name, about in BOTS.items() if about[0] in "12345"]
    assert all(about.startswith(f"{number}: ") for number, about in enumerate(list(BOTS.values())[:5], 1))


# Games that tell fewer levels apart


@pytest.mark.parametrize("id", ["eclipse2", "eclipse1", "emperor", "rex"])
def test_a_game_names_for_each_level_that_it_does_not_have_one_that_it_has(id: str) -> None:
    here = levels_of(id)
    assert {"random", "greedy"} <= {*here} <= {*LEVELS}
    assert {level_in(id, name) for name in LEVELS} == {*here}
    assert all(level_in(id, name) == name for name in (*here, "cmd:mine"))
    assert [*bots_of(id)] == [name for name in BOTS if name in here]


@pytest.mark.parametrize(("id", "missing"), [("rex", "master"), ("eclipse2", "master"), ("eclipse1", "master")])
def test_a_level_that_is_the_same_as_another_one_answers_as_it_does(id: str, missing: str) -> None:
    match, dealer = engine.new_game(id, 3, f"same {missing}")
    one, other = bot(missing), bot(level_in(id, missing))
    asked = 0
    for _ in engine.play(match, dealer, chooser([bot("random")] * 3, dealer, Random(1))):
        for seat in match.owing():
            view = match.view(seat, dealer.lens(seat))
            assert view.ask is not None
            assert one.choose(view, view.ask, Random(2), NODES) == other.choose(view, view.ask, Random(2), NODES)
            asked += 1
        if asked >= 60:
            break
    assert asked >= 60


def test_a_level_that_a_game_does_not_have_is_named_with_the_one_that_it_has() -> None:
    assert missing_text("rex", "greedy") == ""
    said = missing_text("rex", "master")
    assert said == f"There are no bots of the level “master” in {game_title('rex')}: “expert” is the same there."
    assert bots_of("rex")["expert"] == "4: they think ahead; the same here: master"
    before = current()
    use("es")
    try:
        said = missing_text("rex", "master")
        assert said == f"No hay bots del nivel «master» en {game_title('rex')}: «expert» es lo mismo allí."
        assert bots_of("rex")["expert"].endswith("; lo mismo aquí: master")
    finally:
        use(before)


def rows(table: NewTable) -> list[Item]:
    return [*form_rows(form_fields(table), lambda _line, _text: None)]


def test_the_form_keeps_bots_as_good_as_they_were_when_the_game_changes() -> None:
    table = NewTable(game="eclipse2", bots="master")
    table.choose_game("rex")
    assert table.command("play")[-1] == "expert"
    (row,) = [item for item in rows(table) if item.text.startswith("bots:")]
    assert "the same here: master" in row.text
    seen = []
    for _ in bots_of("rex"):
        assert row.turn is not None
        row.turn(1)
        seen.append(table.bots)
        (row,) = [item for item in rows(table) if item.text.startswith("bots:")]
    assert {*seen} == {*levels_of("rex")}


@pytest.mark.parametrize("said", ["master", "5", "master+2"])
def test_a_command_says_once_which_level_plays_for_one_that_the_game_does_not_have(
    capsys: pytest.CaptureFixture[str], said: str
) -> None:
    words = ["simulate", "rex", "--players", "3", "--bots", f"random,{said},{said}", "--games", "1", "--json"]
    assert cli.main(words) == 0
    told = capsys.readouterr()
    assert json.loads(told.out)["levels"] == ["random", "expert", "expert"]
    assert told.err.count("“expert” is the same there") == 1
    assert cli.main(["simulate", "rex", "--players", "3", "--bots", "random", "--games", "1", "--json"]) == 0
    assert "the same there" not in capsys.readouterr().err


def test_the_bot_in_ones_own_seat_is_named_with_the_others_and_a_program_stays_as_it_is() -> None:
    told = io.StringIO()
    context = Context("play", False, None, told, told, Meter(told))
    args = Namespace(level="5", bots="cmd:play, now,master+2, expert")
    settle_bots(args, "rex", context)
    assert (args.level, args.bots) == ("expert", "cmd:play, now,expert+2, expert")
    assert told.getvalue() == missing_text("rex", "master") + "\n"
    args = Namespace(level=None)
    settle_bots(args, "rex", context)
    assert vars(args) == {"level": None}


@pytest.mark.parametrize("level", ["master", "expert", None])
async def test_who_joins_or_recovers_learns_when_the_table_begins_that_its_game_lacks_the_level(
    level: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command line knows no game: it comes with the table of others."""
    genesis = SimpleNamespace(origin=None, table=bytes(32), game="rex", options={}, seats=3, members=[b"a", b"b", b"c"])
    record, said = SimpleNamespace(name="mine", level=level, genesis=genesis), list[str]()

    async def left(*_args: object, **_more: object) -> Any:
        return SimpleNamespace(result=None, record=record, table=None)

    monkeypatch.setattr("client.table.peer.play", left)
    context = Context("join", False, None, io.StringIO(), io.StringIO(), Meter(io.StringIO()))
    peer: Any = SimpleNamespace(identity=None)
    seat: Any = SimpleNamespace(record=record, keys=None)
    player: Any = SimpleNamespace(show=lambda told: said.append(told()))
    assert await play_out(context, peer, seat, player) == INTERRUPTED
    lacking = [text for text in said if "is the same there" in text]
    assert lacking == ([missing_text("rex", "master")] if level == "master" else [])


@pytest.mark.parametrize("level", ["cmd:evil", "package:evil", "greedi"])
def test_a_table_whose_record_names_a_program_asks_for_it_again(level: str) -> None:
    def seat(record: str | None, row: str | None) -> Any:
        member = SimpleNamespace(rows=[SimpleNamespace(level=row), SimpleNamespace(level=None)])
        keys = SimpleNamespace(key=SimpleNamespace(public=b"me"))
        return SimpleNamespace(keys=keys, record=SimpleNamespace(level=record, member=lambda _key: member))

    check_programs(seat("greedy", "expert"))
    check_programs(seat("master", "casual"))  # whatever the game: older tables may name them
    check_programs(seat(None, None))
    for record, row in ((level, None), (None, level)):
        with pytest.raises(UserError) as refused:
            check_programs(seat(record, row))
        assert refused.value.code == "bot/not-given"
        assert "--bots" in str(refused.value.hint)


@pytest.mark.soak
@pytest.mark.parametrize("pair", [("casual", "beginner"), ("greedy", "casual")])
def test_a_higher_level_wins_more(pair: tuple[str, str]) -> None:
    series = Series("emperor", 4, {}, pair[0], (pair[1],), "levels")
    found = verdict(series, [Played(*key, row) for key, row in played(series.tasks(len(seeds(60))), 1)])
    assert found.faults == 0
    assert found.alone > found.other
