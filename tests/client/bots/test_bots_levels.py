"""The weaker levels err like a person: they miss the best answer or do nothing, and never do what nobody would."""

from __future__ import annotations

from collections import Counter
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from volume import seeds

import engine
from client.bots import LEVELS, NODES, NUMBERS, bot, chooser
from client.bots.graded import BeginnerBot, CasualBot
from client.bots.ladder import Played, Series, verdict
from client.bots.pool import played
from client.commands.seating import check_programs
from client.session.start import BOTS
from client.system.errors import UserError

GOOD = [(3.0, "build"), (2.0, "move"), (0.5, "explore"), (0.4, "influence"), (0.0, "pass"), (-1.0, "upgrade")]


def answers(kind: type[CasualBot], weighed: list[tuple[float, str]], value: str = "build") -> Counter[str]:
    return Counter(kind()._other(weighed, value, Random(number)) for number in range(400))


def test_what_is_mistaken_for_the_best_gains_something_too() -> None:
    casual, beginner = answers(CasualBot, GOOD), answers(BeginnerBot, GOOD)
    assert casual.keys() == {"build", "move", "explore"}
    assert beginner.keys() == {"build", "move", "explore", "pass"}
    assert casual["build"] > beginner["build"] > 100
    assert answers(CasualBot, [(1.0, "build"), (0.0, "pass"), (-2.0, "move")]) == {"build": 400}


def test_what_greedy_does_before_it_weighs_is_left_as_it_is() -> None:
    assert answers(BeginnerBot, GOOD, "colonise") == {"colonise": 400}
    assert answers(BeginnerBot, []) == {"build": 400}


def test_nothing_is_forgotten_where_nothing_can_be_left_undone() -> None:
    roles = [(3.0, "explorer"), (2.0, "regent"), (1.0, "steward")]
    assert answers(BeginnerBot, roles, "explorer").keys() == {"explorer", "regent", "steward"}


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


def test_each_level_is_explained_where_it_is_chosen() -> None:
    assert {*BOTS} == {*LEVELS}
    assert [NUMBERS[number] for number in "12345"] == [name for name, about in BOTS.items() if about[0] in "12345"]
    assert all(about.startswith(f"{number}: ") for number, about in enumerate(list(BOTS.values())[:5], 1))


@pytest.mark.parametrize("level", ["cmd:evil", "package:evil", "greedi"])
def test_a_table_whose_record_names_a_program_asks_for_it_again(level: str) -> None:
    def seat(record: str | None, row: str | None) -> Any:
        member = SimpleNamespace(rows=[SimpleNamespace(level=row), SimpleNamespace(level=None)])
        keys = SimpleNamespace(key=SimpleNamespace(public=b"me"))
        return SimpleNamespace(keys=keys, record=SimpleNamespace(level=record, member=lambda _key: member))

    check_programs(seat("greedy", "expert"))
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
