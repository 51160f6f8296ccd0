from __future__ import annotations

import pytest
from rex_table import Play, table

from engine.rex.city_map import controller

SIX = "sol,lazax,hacan,xxcha,jol-nar,letnev"


def moving(seat: int, *places: tuple[int, str, int]) -> Play:
    made = table(SIX).influence(9, 9, 9, 9, 9, 9)
    for who, space, count in places:
        made.army(who, space, count)
    return made.run(["move", seat])


def distances(made: Play, space: str) -> dict[str, int]:
    """The steps by road from a space to every other one, whatever lies between."""
    city = made.g.const
    found, todo = {space: 0}, [space]
    for here in todo:
        for near in city.roads[city.space_index[here]]:
            there = city.spaces[near].id
            if there not in found:
                found[there] = found[here] + 1
                todo.append(there)
    return found


def test_a_group_moves_two_spaces_by_roads() -> None:
    made = moving(2, (2, "grand-exchange", 4))
    there = made.options("grand-exchange")
    assert "imperial-navy-base" in there
    assert "hydro-works" in there  # by the IAF HQ
    assert "adminus-imperialis" not in there
    assert made.refusal("grand-exchange adminus-imperialis 1") == "maneuver/too-far"
    made.say("grand-exchange hydro-works 3")
    assert (made.count(2, "grand-exchange"), made.count(2, "hydro-works")) == (1, 3)


def test_sol_moves_three_spaces() -> None:
    assert "adminus-imperialis" in moving(0, (0, "grand-exchange", 4)).options("grand-exchange")


@pytest.mark.parametrize("transit", ["imperial-navy-base", "civilian-spaceport"])
@pytest.mark.parametrize("seat", [0, 2])
def test_who_controls_navy_base_or_spaceport_moves_four(transit: str, seat: int) -> None:
    made = moving(seat, (seat, "grand-exchange", 4), (seat, transit, 1))
    far = distances(made, "grand-exchange")
    assert max(far.values()) > 4
    assert max(far[there] for there in made.options("grand-exchange")) == 4


def test_a_contested_navy_base_gives_no_range() -> None:
    made = moving(2, (2, "grand-exchange", 4), (2, "imperial-navy-base", 1), (1, "imperial-navy-base", 1))
    assert "foundry-row" not in made.options("grand-exchange")


def test_a_bombarded_sector_is_not_left_entered_or_crossed() -> None:
    made = table(SIX).army(2, "orbital-lift-yards", 2).army(2, "adminus-mecatol", 2).army(2, "archive-vaults", 1)
    made.run(["move", 2])
    assert "adminus-mecatol" not in made.options()
    assert made.refusal("orbital-lift-yards adminus-mecatol 1") == "maneuver/bombarded"
    assert made.options("archive-vaults") == sorted(
        ["mecatol-power-south", "palace-approach", "reactor-fields", "vel-terro-residential", "embassy-quarter",
         "guard-citadel", "imperial-palace"]
    )  # fmt: skip


def test_a_group_passes_through_others_but_does_not_stop_beside_an_ally() -> None:
    made = table(SIX).ally(2, 4).army(2, "grand-exchange", 2).army(4, "iaf-hq", 1).army(4, "galactic-council", 1)
    made.run(["move", 2])
    there = made.options("grand-exchange")
    assert "iaf-hq" not in there
    assert "galactic-council" in there
    assert made.refusal("grand-exchange iaf-hq 1") == "maneuver/ally-there"


def test_face_down_units_do_not_share_a_space_with_an_allys_either() -> None:
    made = table(SIX).influence(9, 9, 9, 9, 9, 9).ally(2, 3).army(2, "grand-exchange", 2).army(3, "iaf-hq", 1)
    with made.edit() as g:
        g.board.hidden[g.const.space_index["iaf-hq"]] = 1
    made.run(["move", 2], ["deploy", 2], ["move", 3])
    assert made.refusal("grand-exchange iaf-hq 1") == "maneuver/ally-there"
    made.say("stay")
    assert made.refusal("iaf-hq 1") == "maneuver/ally-there"
    made.say("done")
    assert made.refusal("iaf-hq grand-exchange 1") == "maneuver/ally-there"


def test_lazax_moves_both_kinds_of_units() -> None:
    made = table(SIX).army(1, "grand-exchange", 2, 2).run(["move", 1])
    assert made.options("grand-exchange", "iaf-hq") == ["0", "1", "2"]
    assert made.options("grand-exchange", "iaf-hq", 0) == ["1", "2"]
    made.say("grand-exchange iaf-hq 1 2")
    assert made.count(1, "iaf-hq") == 3


def test_movement_may_be_skipped() -> None:
    made = moving(2, (2, "grand-exchange", 4)).say("stay")
    assert made.count(2, "grand-exchange") == 4


# Deployment


def deploying(seat: int, *places: tuple[int, str, int]) -> Play:
    made = table(SIX).influence(9, 9, 9, 9, 9, 9)
    for who, space, count in places:
        made.army(who, space, count)
    with made.edit() as g:
        g.seats.casualties[3] += g.seats.reserve[3]
        g.seats.reserve[3] = 0
    return made.run(["deploy", seat])


@pytest.mark.parametrize(
    ("places", "space", "paid"),
    [
        ((), "iaf-hq", 3),
        (((4, "iaf-hq", 1),), "iaf-hq", 3),
        (((5, "iaf-hq", 1),), "iaf-hq", 6),
        (((5, "iaf-hq", 1), (4, "iaf-hq", 1)), "iaf-hq", 6),
        (((5, "galactic-council", 1),), "galactic-council", 3),
    ],
)
def test_a_unit_costs_one_and_two_beside_enemies(
    places: tuple[tuple[int, str, int], ...], space: str, paid: int
) -> None:
    made = deploying(4, *places).say(f"{space} 3")
    assert made.count(4, space) == 3 + {who: n for who, at, n in places if at == space}.get(4, 0)
    assert made.g.seats.reserve[4] == 20 - sum(made.count(4, row.id) for row in made.g.const.spaces)
    assert made.g.seats.influence[4] == 9 - paid
    assert made.g.seats.influence[2] == 9 + paid  # Hacan is paid


def test_a_unit_costs_one_beside_face_down_units() -> None:
    made = deploying(4, (3, "iaf-hq", 2))
    with made.edit() as g:
        g.board.hidden[g.const.space_index["iaf-hq"]] = 1
    assert made.say("iaf-hq 3").g.seats.influence[4] == 6


def test_allies_pay_hacan_the_normal_price() -> None:
    made = table(SIX).influence(9, 9, 9, 9, 9, 9).ally(2, 4).run(["deploy", 4]).say("iaf-hq 3")
    assert (made.g.seats.influence[4], made.g.seats.influence[2]) == (6, 12)


def test_hacan_pays_half_rounded_up_to_the_bank() -> None:
    made = deploying(2).say("iaf-hq 3")
    assert list(made.g.seats.influence) == [9, 9, 7, 9, 9, 9]


def test_sol_deploys_for_nothing_in_its_home_sectors_only() -> None:
    made = deploying(0)
    home = [row.id for row in made.g.const.spaces if row.sector in range(13, 18)]
    assert made.options() == sorted(["done", *home])
    made.say("imperial-palace 7")
    assert list(made.g.seats.influence) == [9] * 6


def test_nothing_is_deployed_under_the_fleet_or_beside_an_ally() -> None:
    made = table(SIX).influence(9, 9, 9, 9, 9, 9).ally(4, 5).army(5, "iaf-hq", 1).army(5, "galactic-council", 1)
    made.run(["deploy", 4])
    assert "adminus-mecatol" not in made.options()
    assert "iaf-hq" not in made.options()
    assert "galactic-council" in made.options()


def test_nobody_deploys_what_it_cannot_pay() -> None:
    made = table(SIX).influence(2, 2, 2, 2, 2, 2).army(5, "iaf-hq", 1).run(["deploy", 4])
    assert made.options("hall-of-records") == ["1", "2"]
    assert made.options("iaf-hq") == ["1"]


def test_hacan_relocates_for_one_influence_a_unit() -> None:
    made = deploying(2, (2, "adminus-imperialis", 5)).say("relocate adminus-imperialis imperial-palace 4")
    assert made.count(2, "imperial-palace") == 4
    assert made.g.seats.influence[2] == 5


def test_allies_of_hacan_relocate_and_pay_it() -> None:
    made = table(SIX).influence(9, 9, 9, 9, 9, 9).ally(2, 4).army(4, "hall-of-records", 3).run(["deploy", 4])
    made.say("relocate hall-of-records imperial-palace 3")
    assert (made.g.seats.influence[4], made.g.seats.influence[2]) == (6, 12)
    assert "relocate" not in deploying(5, (5, "imperial-navy-base", 3)).options()


def test_relocation_respects_fleet_and_allies() -> None:
    made = table(SIX).influence(9, 9, 9, 9, 9, 9).ally(2, 4).army(4, "iaf-hq", 1)
    made.army(2, "adminus-mecatol", 1).army(2, "grand-exchange", 1).run(["deploy", 2])
    assert made.options("relocate") == ["grand-exchange"]
    assert not {"iaf-hq", "adminus-mecatol"} & {*made.options("relocate", "grand-exchange")}


def test_after_anothers_deployment_xxcha_may_put_a_unit_into_the_council() -> None:
    made = table(SIX).influence(9, 9, 9, 9, 9, 9).run(["deploy", 4]).say("iaf-hq 1")
    assert made.seat == 3
    made.say("yes")
    assert made.count(3, "galactic-council") == 1
    assert made.g.seats.influence[3] == 9


def test_a_relocation_or_no_deployment_calls_no_shadow() -> None:
    made = table(SIX).influence(9, 9, 9, 9, 9, 9).army(2, "iaf-hq", 1)
    made.run(["deploy", 2], ["deploy", 4]).say("relocate iaf-hq imperial-courts 1")
    assert made.g.flow.now == ["deploy", 4]


def test_the_deployment_of_an_ally_calls_the_shadow_too() -> None:
    made = table(SIX).influence(9, 9, 9, 9, 9, 9).ally(3, 4).run(["deploy", 4]).say("iaf-hq 1")
    assert (made.seat, made.asked) == (3, "shadow")


def test_xxchas_own_deployment_calls_no_shadow() -> None:
    made = table(SIX).influence(9, 9, 9, 9, 9, 9).run(["deploy", 3], ["deploy", 4]).say("iaf-hq 1")
    assert made.g.flow.now == ["deploy", 4]
    assert made.count(3, "galactic-council") == 0


def test_without_a_reserve_no_shadow_follows() -> None:
    made = table(SIX).influence(9, 9, 9, 9, 9, 9).army(3, "hydro-works", 20).run(["deploy", 4]).say("iaf-hq 1")
    assert made.g.flow.now == ["deploy", 0]


# Faces and foresight


def test_jol_nar_looks_at_the_top_influence_card() -> None:
    made = table(SIX).army(0, "imperial-palace", 1).run(["maneuvering"])
    assert made.events("maneuver/foresight") == [{"seat": 4}]
    assert made.g.decks.top("influence", 1)[0] in made.dealer.lens(4)
    assert not any(handle.deck == "influence" for handle in made.dealer.lens(0))


def test_xxcha_turns_its_stacks_over() -> None:
    made = table(SIX).army(3, "iaf-hq", 2).army(3, "imperial-palace", 2).run(["facing"])
    assert made.options() == ["done", "iaf-hq", "imperial-palace"]
    made.say("iaf-hq done")
    iaf = made.g.const.space_index["iaf-hq"]
    assert made.g.board.hidden[iaf] == 1
    assert controller(made.g, iaf) == -1
    assert controller(made.g, made.g.const.space_index["imperial-palace"]) == 3


def test_units_that_join_a_stack_face_as_it_does() -> None:
    made = table(SIX).army(3, "iaf-hq", 2).army(3, "grand-exchange", 2).run(["facing"]).say("iaf-hq done")
    made.run(["move", 3]).say("grand-exchange iaf-hq 1")
    assert made.g.board.hidden[made.g.const.space_index["iaf-hq"]] == 1
    made.run(["move", 3]).say("iaf-hq imperial-courts 3")
    assert made.g.board.hidden[made.g.const.space_index["imperial-courts"]] == 1
    assert made.g.board.hidden[made.g.const.space_index["iaf-hq"]] == 0


def test_maneuvers_go_in_turn_order_movement_first() -> None:
    made = table("sol,hacan,letnev").army(0, "imperial-palace", 1).army(1, "iaf-hq", 1).army(2, "hydro-works", 1)
    with made.edit() as g:
        g.round.first = 1
    made.run(["maneuvering"])
    order = []
    for _ in range(6):
        order.append(tuple(made.g.flow.now))
        made.stand_in()
    assert order == [(name, seat) for seat in (1, 2, 0) for name in ("move", "deploy")]
