from __future__ import annotations

import pytest
from rex_table import Play, table

SIX = "sol,lazax,hacan,xxcha,jol-nar,letnev"


def fallen(seat: int, units: int, mech: int = 0, influence: int = 9, *leaders: str) -> Play:
    made = table(SIX).influence(*(influence,) * 6)
    with made.edit() as g:
        g.seats.reserve[seat] -= units
        g.seats.casualties[seat] += units
        g.seats.mech_reserve[seat] -= mech
        g.seats.mech_casualties[seat] += mech
        for leader in leaders:
            g.leaders.status[g.const.leader_index[leader]] = 2
    return made.run(["recruitment"], phase="recruitment")


def test_at_most_five_units_come_back_in_a_turn() -> None:
    assert fallen(0, 9).options() == ["0", "1", "2", "3", "4", "5"]


@pytest.mark.parametrize(("seat", "free"), [(0, 3), (1, 1), (2, 1), (3, 1), (4, 2), (5, 2)])
def test_some_units_are_free_and_the_others_cost_two(seat: int, free: int) -> None:
    made = fallen(seat, 9).say("5 nobody")
    assert made.g.seats.influence[seat] == 9 - 2 * (5 - free)
    assert made.g.seats.casualties[seat] == 4


def test_nobody_recruits_what_it_cannot_pay() -> None:
    assert fallen(0, 9, influence=3).options() == ["0", "1", "2", "3", "4"]


def test_one_leader_comes_back_for_its_strength() -> None:
    made = fallen(0, 0, 0, 5, "fleet-marshal", "assault-general", "field-liaison")
    assert made.options(0) == ["assault-general", "field-liaison", "nobody"]
    assert made.refusal("0 fleet-marshal") == "recruit/too-expensive"
    made.say("0 assault-general")
    assert made.g.seats.influence[0] == 0
    assert made.g.leaders.status[made.g.const.leader_index["assault-general"]] == 1


def test_units_and_leader_are_paid_together() -> None:
    made = fallen(0, 5, 0, 5, "recon-captain", "field-liaison")
    assert made.options(4) == ["field-liaison", "nobody", "recon-captain"]
    assert made.options(5) == ["nobody"]


def test_lazax_recruits_at_most_one_mechanized_unit() -> None:
    assert fallen(1, 5, 3, 20).options(5) == ["0"]  # five units in all
    made = fallen(1, 5, 3)
    assert made.options(2) == ["0", "1"]
    assert made.options(5) == ["0"]
    made.say("2 1 nobody")
    assert made.g.seats.mech_casualties[1] == 2
    assert made.g.seats.influence[1] == 9 - 2 * 2


def test_recruiting_goes_in_turn_order() -> None:
    made = table(SIX)
    with made.edit() as g:
        for seat in range(6):
            g.seats.reserve[seat] -= 1
            g.seats.casualties[seat] += 1
        g.round.first = 3
    made.run(["recruitment"], phase="recruitment")
    seats = []
    for _ in range(6):
        seats.append(made.seat)
        made.stand_in()
    assert seats == [3, 4, 5, 0, 1, 2]
