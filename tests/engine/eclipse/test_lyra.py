"""Lyra: its first technology, its shrines and its dice (document 000, section 6; their rulings)."""

from __future__ import annotations

import pytest
from arena import Arena
from eclipse_table import Play, grids, put, wander

from engine.eclipse.shrines import planets, standing
from engine.eclipse.species import has_effect
from engine.eclipse.state import wanderers_of


def test_lyra_begins_with_the_fusion_source_and_may_fit_it() -> None:
    play = wander("lyra", "hydran")
    assert play.store(0) == (2, 4, 3)
    play.say("upgrade")
    assert any("fusion-source" in option for option in play.options())
    assert not any("gauss-shield" in option for option in play.options())


@pytest.mark.parametrize(
    ("resource", "prices"), [("money", (3, 4, 5)), ("science", (2, 3, 4)), ("materials", (4, 5, 6))]
)
def test_shrines_of_a_row_cost_what_the_sheet_says(resource: str, prices: tuple[int, ...]) -> None:
    play = wander("lyra", "hydran")
    with play.edit() as g:
        for each in range(3):
            g.seats.store[0, each] = 30
        put(g, "101", 1, -1, owner=0)
        put(g, "313", 3, -3, owner=0)
        put(g, "104", -1, 1, owner=0)
    paid = []
    for _ in prices:
        play.now(["shrine", 0])
        before = sum(play.store(0))
        play.say(next(option for option in shrines(play) if option.endswith(f" {resource}")))
        paid.append(before - sum(play.store(0)))
    assert tuple(paid) == prices


def shrines(play: Play) -> list[str]:
    return [option for option in play.options() if option.startswith("shrine")]


def test_lyra_places_one_shrine_with_a_research_action_beside_a_planet_of_the_resource() -> None:
    play = grids(wander("lyra", "hydran"))
    with play.edit() as g:
        for each in (0, 2):
            g.seats.store[0, each] = 4
    play.say("research", "buy improved-hull grid")
    assert (play.asked, play.seat) == ("place-shrine", 0)
    assert shrines(play) == ["shrine 238 materials materials", "shrine 238 money money", "shrine 238 science science"]
    before = play.store(0)
    play.say("shrine 238 money money")
    assert play.store(0) == (before[0] - 3, *before[1:])
    assert play.events("shrine/placed") == [
        {"seat": 0, "sector": "238", "planet": "money", "resource": "money", "price": 3}
    ]
    assert standing(play.g, play.tile("238")) == 1
    assert play.asked != "place-shrine"


def test_lyra_may_research_for_a_shrine_alone_and_may_do_without_one() -> None:
    play = wander("lyra", "hydran")
    with play.edit() as g:
        g.seats.store[0, 0], g.seats.store[0, 1], g.seats.store[0, 2] = 3, 0, 4
        for tech, tiles in enumerate(g.round.tray):
            g.round.bag[tech] += tiles
            g.round.tray[tech] = 0
    play.say("research", "stop")
    assert shrines(play) == ["shrine 238 materials materials", "shrine 238 money money"]
    assert play.refusal("shrine 238 science science") == "shrine/too-expensive"
    play.say("done")
    assert standing(play.g, play.tile("238")) == 0


def test_a_planet_takes_one_shrine_and_a_gray_one_any() -> None:
    play = grids(wander("lyra", "hydran"))
    with play.edit() as g:
        tile = put(g, "313", 3, -3, owner=0)
        for resource in range(3):
            g.seats.store[0, resource] = 9
        found = wanderers_of(g)
        found.shrines[play.tile("238"), 0], found.placed[0, 0] = 1, 1
    assert planets(play.g, tile) == [3]
    play.now(["shrine", 0])
    assert shrines(play) == [
        "shrine 238 materials materials",
        "shrine 238 science science",
        "shrine 313 gray materials",
        "shrine 313 gray money",
        "shrine 313 gray science",
    ]
    assert play.refusal("shrine 238 money money") == "shrine/stands-already"
    assert dict(play.ask.price(play.g, play.read("shrine 313 gray money"))) == {"money": -4}
    assert dict(play.ask.price(play.g, play.read("shrine 313 gray science"))) == {"science": -2}
    assert dict(play.ask.price(play.g, play.read("shrine 313 gray materials"))) == {"materials": -4}


def third(resource: int) -> Play:
    """Lyra is about to place the last shrine of a row."""
    play = wander("lyra", "hydran")
    with play.edit() as g:
        for each in range(3):
            g.seats.store[0, each] = 9
        wanderers_of(g).placed[0, resource] = 2
    return play.now(["shrine", 0])


def test_the_third_money_shrine_costs_five_and_brings_an_influence_disc() -> None:
    play = third(0)
    discs, reserve = play.g.seats.discs[0], play.g.seats.reserve[0]
    play.say("shrine 238 money money")
    assert play.store(0)[0] == 4
    assert (play.g.seats.discs[0], play.g.seats.reserve[0]) == (discs + 1, reserve - 1)
    assert play.events("shrine/row-done") == [{"seat": 0, "resource": "money", "bonus": "disc"}]


def test_the_third_science_shrine_brings_the_wormhole_generator_for_lyra_alone() -> None:
    play = third(1)
    assert not has_effect(play.g, 0, "wormhole-generator")
    play.say("shrine 238 science science")
    assert has_effect(play.g, 0, "wormhole-generator")
    assert not has_effect(play.g, 1, "wormhole-generator")
    assert not has_effect(play.g, 0, "cloaking-device")


def test_the_third_materials_shrine_brings_a_discovery_for_the_starting_sector() -> None:
    play = third(2).say("shrine 238 materials materials")
    assert (play.asked, play.seat) == ("take-discovery", 0)
    assert play.events("discovery/found")[0]["sector"] == "238"


def test_a_row_without_shrines_gives_none() -> None:
    play = third(2)
    with play.edit() as g:
        wanderers_of(g).placed[0, 2] = 3
    assert play.refusal("shrine 238 materials materials") == "shrine/row-empty"


def test_lyra_rolls_dice_again_for_colony_ships() -> None:
    arena = Arena("lyra", "terran-federation", wanderers="on").ships(0, "102", interceptor=1).ships(1, "102", cruiser=1)
    arena.begin().go([3], ["attack interceptor"])
    seat, choose = arena.asking()
    assert (seat, choose.word, arena.options()) == (0, "reroll-die", ["-", "reroll yellow 3"])
    ready = arena.now.seats.colony[0]
    arena.go([6], ["reroll yellow 3"])
    assert arena.now.seats.colony[0] == ready - 1
    assert arena.new_events("combat/rerolled") == [
        {"seat": 0, "sector": "102", "colour": "yellow", "face": 3, "now": 6}
    ]
    assert arena.options() == ["-", "reroll yellow 6"]
    arena.go([1], ["-"])
    assert [event["damage"] for event in arena.new_events("combat/hit")] == [1]
