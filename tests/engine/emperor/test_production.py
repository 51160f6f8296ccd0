from __future__ import annotations

from typing import Any

from emperor_table import Play, own, put, table

from engine.core.custom_content import of_file
from engine.emperor.spec import EMPEROR


def producing(role: str, *technologies: str, metal: int = 1, energy: int = 1, **options: Any) -> Play:
    """Seat 0 has chosen a role; it has a rich sector with food, a Starbase and an Empire."""
    play = table(3, **options)
    with play.edit() as g:
        put(g, "anvil", "d6", 0, food=2)
        put(g, "forge-and-flare", "c6", 0, starbase=True, food=1)
        put(g, "sparkwell", "e6", 0)
        g.seats.metal[0], g.seats.energy[0] = metal, energy
        own(g, 0, *technologies)
    return play.say("left", role)


# Steward


def test_the_steward_takes_one_metal_or_energy_if_it_fits() -> None:
    play = producing("steward")
    assert play.options() == ["-", "energy", "metal"]
    assert play.say("energy").g.seats.energy[0] == 2
    full = producing("steward", energy=3)
    assert full.options() == ["-", "metal"]
    assert full.refusal("energy") == "steward/no-room"
    assert producing("steward", metal=6, energy=3).asked == "produce"


def test_a_sector_spends_one_food_and_yields_all_its_icons() -> None:
    play = producing("steward").say("-")
    assert play.options() == ["-", "c6"]
    play.say("c6 d6")
    assert (play.g.seats.metal[0], play.g.seats.energy[0]) == (1 + 1 + 2, 1 + 1)
    assert play.g.sectors.food[play.at("c6")] == 0
    assert play.g.sectors.food[play.at("d6")] == 1


def test_a_sector_with_two_food_works_in_two_stewards() -> None:
    play = producing("steward").say("-", "- d6")
    assert play.g.sectors.food[play.at("d6")] == 1
    assert play.events("steward/produced")[0]["metal"] == 2


def test_only_sectors_with_food_produce() -> None:
    play = producing("steward").say("-")
    assert "e6" not in play.options()
    assert play.stage("c6") == ["-", "d6"]
    assert play.stage("c6 d6") == []


def test_what_does_not_fit_into_storage_is_lost() -> None:
    play = producing("steward", metal=5).say("-", "- d6")
    assert play.g.seats.metal[0] == 6
    assert play.events("steward/produced")[0]["lost"] == 1


def test_energy_that_does_not_fit_into_storage_is_lost_too() -> None:
    play = producing("steward", energy=3).say("-", "c6 -")
    assert (play.g.seats.metal[0], play.g.seats.energy[0]) == (2, 3)
    assert play.events("steward/produced")[0]["lost"] == 1


def test_robotics_lets_one_sector_produce_without_food() -> None:
    play = producing("steward", "robotics").say("-")
    assert play.options() == ["-", "c6", "d6", "d7", "e6"]
    play.say("d6")
    assert play.g.seats.metal[0] == 3
    assert play.g.sectors.food[play.at("d6")] == 2
    assert play.options() == ["-", "c6"]
    assert play.stage("c6") == play.stage("-") == []


def test_robotics_that_are_not_used_stay_ready() -> None:
    play = producing("steward", "robotics").say("-", "-")
    assert (play.asked, play.options()) == ("produce", ["-", "c6"])
    assert play.g.seats.techs[0, play.g.const.technology_index["robotics"]] == 1


# Engineer


def test_the_engineer_deploys_a_free_fighter_to_a_starbase() -> None:
    play = producing("engineer")
    assert play.options() == ["-", "c6", "d7"]
    assert play.refusal("d6") == "engineer/no-starbase"
    assert play.say("c6").ships(0, "c6") == ["fighter"]
    assert play.g.seats.marks[0] == 5


def test_without_a_fighter_in_reserve_there_is_no_free_one() -> None:
    play = table(3)
    with play.edit() as g:
        for ship in range(8):
            g.ships.place[ship] = play.at("d7")
    assert play.say("left", "engineer").asked == "build-ship"
    assert play.refusal("build fighter d7") == "engineer/none-left"


def test_ships_cost_marks_and_energy() -> None:
    play = producing("engineer", energy=3).say("-")
    with play.edit() as g:
        g.seats.marks[0] = 6
    play.say("build fighter d7", "build cruiser d7", "build dreadnought c6")
    assert (play.g.seats.marks[0], play.g.seats.energy[0]) == (0, 0)
    assert play.ships(0, "d7") == ["fighter", "fighter", "cruiser"]
    assert play.ships(0, "c6") == ["dreadnought"]


def test_ships_that_cannot_be_paid_are_not_built() -> None:
    play = producing("engineer").say("-")
    assert play.refusal("build dreadnought d7") == "engineer/too-expensive"
    play.say("build cruiser d7", "build fighter d7", "build fighter d7", "build fighter d7")
    assert play.seat == 1


def test_new_ships_go_to_starbases_and_the_home_only_without_a_limit() -> None:
    play = producing("engineer").say("-")
    assert play.refusal("build fighter d6") == "engineer/no-starbase"
    assert play.refusal("build fighter e6") == "engineer/no-starbase"
    for _ in range(5):
        play.say("build fighter c6")
    assert play.ships(0, "c6") == ["fighter"] * 5


def test_no_more_ships_than_there_are() -> None:
    play = table(3)
    with play.edit() as g:
        for ship in range(14):
            g.ships.place[ship] = play.at("d7")
        g.seats.marks[0], g.seats.energy[0] = 50, 3
    assert play.say("left", "engineer").seat == 1


def test_metal_hulls_are_paid_in_metal() -> None:
    play = producing("engineer", metal=6, ship_costs="metal").say("-", "build cruiser d7")
    assert (play.g.seats.marks[0], play.g.seats.metal[0], play.g.seats.energy[0]) == (5, 4, 0)


def test_modular_hulls_make_one_ship_cheaper() -> None:
    play = producing("engineer", "modular-hulls").say("-", "modular-hulls", "build cruiser d7")
    assert (play.g.seats.marks[0], play.g.seats.energy[0]) == (4, 1)
    play.say("build cruiser d7")
    assert (play.g.seats.marks[0], play.g.seats.energy[0]) == (2, 0)
    assert play.refusal("modular-hulls") == "notation/unknown"


def test_modular_hulls_bring_no_price_below_nothing() -> None:
    play = producing("engineer", "modular-hulls").say("-", "modular-hulls", "build fighter d7")
    assert (play.g.seats.marks[0], play.g.seats.energy[0]) == (5, 1)


# Scientist


def shopping(metal: int, energy: int) -> Play:
    """Seat 0 has chosen the Scientist; four cards of known prices are shown."""
    play = table(3)
    with play.edit() as g:
        for tech in range(len(g.round.display)):
            g.round.display[tech] = 0
        for name in ("propaganda", "colony-pods", "hydroponics", "trade-guild", "saboteurs", "deflector-shields"):
            g.round.display[g.const.technology_index[name]] = 1
        for seat in range(3):
            g.seats.metal[seat], g.seats.energy[seat] = metal, energy
    return play.say("left", "scientist")


def test_a_technology_is_bought_for_metal_and_energy() -> None:
    play = shopping(3, 2).say("-", "deflector-shields")
    assert (play.g.seats.metal[1], play.g.seats.energy[1]) == (0, 0)
    assert play.g.seats.techs[1, play.g.const.technology_index["deflector-shields"]] == 1


def test_each_player_may_buy_one() -> None:
    play = shopping(6, 3).say("hydroponics")
    assert play.seat == 1
    assert play.refusal("hydroponics") == "scientist/not-shown"
    assert "-" in play.options()


def test_the_chooser_pays_one_energy_less_and_may_pay_nothing() -> None:
    play = shopping(0, 0)
    assert play.options() == ["-", "hydroponics", "propaganda", "saboteurs"]
    assert play.refusal("colony-pods") == "scientist/too-expensive"
    assert play.refusal("robotics") == "scientist/not-shown"
    play.say("saboteurs")
    assert (play.g.seats.metal[0], play.g.seats.energy[0]) == (0, 0)
    assert play.g.flow.now == ["choose", 1]


def test_a_technology_without_energy_brings_its_chooser_none() -> None:
    card = b"[[technology]]\nid = 'propaganda'\nmetal = 1\nenergy = 0\n"
    play = table(3, spec=of_file(EMPEROR, card, "own").spec).say("left", "scientist", "propaganda")
    assert (play.g.seats.metal[0], play.g.seats.energy[0]) == (0, 1)


def test_the_display_is_refilled_after_all_have_acted() -> None:
    play = shopping(6, 3).say("hydroponics")
    shown = [[play.g.round.display[tech] for tech in cards].count(1) for cards in play.g.const.by_type]
    assert shown == [2, 1, 2]
    play.say("-", "-")
    assert [[play.g.round.display[tech] for tech in cards].count(1) for cards in play.g.const.by_type] == [2, 2, 2]
