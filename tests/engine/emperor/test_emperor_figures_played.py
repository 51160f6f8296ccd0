"""Figures of Galactic Emperor as the rules compute with them, against the second transcription of the content files.

Those that no test here names are written out in the tests of their chapter.
"""

from __future__ import annotations

import pytest
from emperor_table import own, put, station, table
from played_figures import Figures, single_figures, transcribed

from engine.core.agenda import Item
from engine.emperor import dice, galaxy
from engine.emperor.combat import shield
from engine.emperor.state import SHIELDS
from engine.emperor.terms import ALL_UNITS, UNITS

NUMBERS = single_figures("emperor/content/numbers.toml")
UNIT = dict(transcribed("emperor/content/numbers.toml"))
CARDS = dict(transcribed("emperor/content/technologies.toml"))
TILES = transcribed("emperor/content/tiles.toml")
HOMES = TILES[-6:]
"""The homes come last, in the order of seats."""


def icons(row: Figures) -> tuple[int, ...]:
    """Food, metal and energy of all planets."""
    return tuple(map(sum, zip(*row.values(), strict=True)))


HOME = icons(HOMES[0][1])


@pytest.mark.parametrize(("tile", "row"), TILES[:-6], ids=[tile for tile, _ in TILES[:-6]])
def test_a_sector_is_harvested_produces_and_counts_its_planets(tile: str, row: Figures) -> None:
    food, metal, energy = icons(row)
    play = table(3)
    with play.edit() as g:
        put(g, tile, "d6", 0, food=int(metal + energy > 0))
    assert galaxy.planets(play.g, 0) - len(HOMES[0][1]) == len(row)
    assert (play.at("d6") in galaxy.generating(play.g, 0)) == (metal + energy > 0)
    play.force("market", (1, 1, 1, 1)).say("left", "merchant", "1").stand_in()
    assert play.events("merchant/traded")[0]["food"] == HOME[0] + food
    with play.edit() as g:
        g.seats.metal[0] = g.seats.energy[0] = 0
        g.sectors.food[g.const.space_index["d6"]] = int(metal + energy > 0)
        g.sectors.food[g.const.space_index["d7"]] = 0
    play.now(["free-cube", 0], ["produce", 0]).say("-")
    if metal + energy:
        play.say("d6")
    assert (play.g.seats.metal[0], play.g.seats.energy[0]) == (metal, energy)


def test_every_home_is_harvested_produces_and_counts_its_planets() -> None:
    play = table(6)
    with play.edit() as g:
        for seat in range(6):
            g.seats.metal[seat] = g.seats.energy[seat] = 0
            g.sectors.food[g.sectors.owner.index(seat)] = 1
    play.force("market", (1, 1, 1, 1)).say("left", "merchant", "1")
    harvest = {}
    for _ in HOMES:
        play.stand_in()
        told = play.events("merchant/traded")[0]
        harvest[told["seat"]] = told["food"]
    produced: list[Item] = [["produce", seat] for seat in range(6)]
    play.now(*produced)
    for seat, (_, row) in enumerate(HOMES):
        food, metal, energy = icons(row)
        assert galaxy.planets(play.g, seat) == len(row)
        assert harvest[seat] == food
        play.stand_in()
        assert (play.g.seats.metal[seat], play.g.seats.energy[seat]) == (metal, energy)


@pytest.mark.parametrize("seats", range(3, 7))
def test_set_up_gives_pieces_by_the_number_of_players(seats: int) -> None:
    g = table(seats).g
    assert list(g.seats.reserve) == [*NUMBERS[f"empires.{seats}"]] * seats
    assert (g.round.pool,) == NUMBERS[f"pool.{seats}"]
    assert len(g.const.spaces) == 3 * NUMBERS["radius"][0] * (NUMBERS["radius"][0] + 1) + 1


@pytest.mark.parametrize("unit", UNIT)
def test_a_unit_fires_in_its_phase_with_its_dice(unit: str) -> None:
    row = UNIT[unit]
    one = tuple(int(kind == UNITS.index(unit)) for kind in ALL_UNITS)
    for phase in (1, 2, 3):
        volley = dice.volley(one, table(3).g.const.units, phase)
        assert volley == row["hits"] * row["dice"][0] * (row["phase"] == (phase,))


@pytest.mark.parametrize("drive", [False, True])
@pytest.mark.parametrize("ship", [unit for unit in UNIT if "move" in UNIT[unit]])
def test_a_ship_moves_so_many_spaces_and_with_fusion_drive_more(ship: str, drive: bool) -> None:
    play = table(3)
    with play.edit() as g:
        station(g, 0, "c5", ship)
        own(g, 0, *["fusion-drive"] * drive)
    play.say("left", "warlord", *["fusion-drive"] * drive)
    way = ("c6", "d6", "e6", "f5")
    far = UNIT[ship]["move"][0] + drive * CARDS["fusion-drive"]["amount"][0]
    assert way[far - 1] in play.stage(" ".join([f"ship:{ship}:c5", *way[: far - 1]]))
    assert play.stage(" ".join([f"ship:{ship}:c5", *way[:far]])) == []


@pytest.mark.parametrize("cheaper", [False, True])
@pytest.mark.parametrize("ship", [unit for unit in UNIT if "move" in UNIT[unit]])
def test_a_ship_is_paid_with_its_marks_and_energy_and_less_with_modular_hulls(ship: str, cheaper: bool) -> None:
    play = table(3)
    with play.edit() as g:
        own(g, 0, *["modular-hulls"] * cheaper)
        g.seats.marks[0], g.seats.energy[0] = 9, 3
    play.say("left", "engineer", "-", *["modular-hulls"] * cheaper, f"build {ship} d7")
    card = CARDS["modular-hulls"] if cheaper else {"marks": (0,), "amount": (0,)}
    assert 9 - play.g.seats.marks[0] == max(0, UNIT[ship]["marks"][0] - card["marks"][0])
    assert 3 - play.g.seats.energy[0] == max(0, UNIT[ship]["energy"][0] - card["amount"][0])


def test_deflector_shields_stop_so_many_hits_of_a_battle() -> None:
    play = table(3)
    with play.edit(possible=False) as g:
        g.battle.helped[SHIELDS] = 0
    assert shield(play.g, 0, 9) == 9 - CARDS["deflector-shields"]["amount"][0]
    assert shield(play.g, 0, 9) == 9


@pytest.mark.parametrize("face", range(1, 7))
def test_a_market_takes_its_prices_from_the_faces(face: int) -> None:
    play = table(3).force("market", (face,) * NUMBERS["market_dice"][0]).say("left", "merchant", str(face))
    assert list(play.g.round.prices) == [NUMBERS[f"prices.{name}"][face - 1] for name in ("food", "metal", "energy")]


def test_a_technology_is_paid_with_its_metal_and_energy() -> None:
    room = NUMBERS["metal_room"][0], NUMBERS["energy_room"][0]
    for id, row in CARDS.items():
        play = table(3)
        with play.edit() as g:
            tech = g.const.technology_index[id]
            for other in range(len(g.round.display)):
                g.round.display[other] = int(other == tech)
            g.seats.metal[1], g.seats.energy[1] = room
        play.say("left", "scientist")
        if play.seat == 0:
            play.say("-")  # who chose the role pays less
        play.say(id)
        left = play.g.seats.metal[1], play.g.seats.energy[1]
        assert (room[0] - left[0], room[1] - left[1]) == (*row["metal"], *row["energy"]), id
