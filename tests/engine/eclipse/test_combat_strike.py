"""One initiative step: missiles, cannons, damage, the choice of targets."""

from __future__ import annotations

import pytest
from arena import Arena
from eclipse_table import both_editions
from hypothesis import given, settings
from hypothesis import strategies as st
from played_figures import single_figures
from volume import VOLUME

from engine.core.ids import Seat
from engine.core.inputs import Answer
from engine.core.registry import GameSpec
from engine.core.values import order
from engine.core.waits import Choose, Roll
from engine.eclipse.combat.strike import Engage
from engine.eclipse.editions.first import ECLIPSE1
from engine.eclipse.spec import ECLIPSE2
from engine.eclipse.state import NOBODY

CANNONS = (
    ("ion-cannon", "yellow"), ("plasma-cannon", "orange"), ("soliton-cannon", "blue"), ("antimatter-cannon", "red")
)  # fmt: skip


def rolled(arena: Arena) -> list[tuple[int, str, str]]:
    return [(told["seat"], told["ship"], told["weapons"]) for told in arena.new_events("combat/rolled")]


def test_all_dice_of_a_type_are_rolled_at_once() -> None:
    arena = Arena().ships(0, "001", dreadnought=2).ships(1, "001", interceptor=1).begin()
    arena.go((2,))
    assert arena.match.pending == Roll((6, 6, 6, 6), "combat")


def test_missiles_fire_once_before_the_first_round_by_initiative() -> None:
    arena = Arena().ships(0, "001", cruiser=1).ships(1, "001", interceptor=1)
    arena.part(0, "cruiser", 5, "plasma-missile").part(1, "interceptor", 3, "flux-missile").begin()
    arena.go((1, 1, 1, 1, 1, 1, 1))
    volley = [(1, "interceptor", "missiles"), (0, "cruiser", "missiles")]
    assert rolled(arena) == [
        *volley,
        (1, "interceptor", "cannons"),
        (0, "cruiser", "cannons"),
        (1, "interceptor", "cannons"),
    ]


def test_a_ship_destroyed_before_its_turn_does_not_fire() -> None:
    arena = Arena().ships(0, "001", cruiser=1).ships(1, "001", interceptor=1)
    arena.part(0, "cruiser", 5, "plasma-missile").part(1, "interceptor", 3, "flux-missile").begin()
    arena.go((6, 6))
    assert rolled(arena) == [(1, "interceptor", "missiles")]
    assert arena.in_sector(0, "001") == []


@both_editions
def test_a_hull_absorbs_its_value_and_one_more_damage_destroys(edition: GameSpec) -> None:
    arena = Arena(game=edition).ships(0, "001", cruiser=1).ships(1, "001", interceptor=1).begin()
    arena.go((6, 1))
    assert arena.in_sector(0, "001") == ["cruiser"]
    arena.go((6,))
    assert arena.in_sector(0, "001") == []
    assert [told["damage"] for told in arena.new_events("combat/hit")] == [1, 1]


@pytest.mark.parametrize(
    ("edition", "cannon", "colour"),
    [
        *((ECLIPSE1, *each) for each in CANNONS if each[1] != "blue"),
        *((ECLIPSE2, *each) for each in CANNONS),
    ],
)
def test_dice_do_the_damage_of_their_colour(edition: GameSpec, cannon: str, colour: str) -> None:
    numbers = single_figures(f"eclipse/content/{'first' if edition is ECLIPSE1 else 'second'}/tracks.toml")
    arena = Arena(game=edition).ships(0, "001", dreadnought=1).ships(1, "001", interceptor=1)
    arena.part(1, "interceptor", 0, cannon).begin().go((6,))
    (damage,) = numbers[f"dice_damage.{colour}"]
    assert [told["damage"] for told in arena.new_events("combat/hit")] == [damage]
    sunk = arena.new_events("combat/destroyed")
    assert sunk == ([{"seat": 0, "ship": "dreadnought", "sector": "001", "by": 1}] if damage > 2 else [])


@pytest.mark.parametrize(("face", "hit"), [(1, False), (4, False), (5, True), (6, True)])
def test_computers_help_numbers(face: int, hit: bool) -> None:
    arena = Arena().ships(1, "001", interceptor=1).ships(0, "001", cruiser=1)
    arena.part(0, "cruiser", 5, "fusion-drive").begin()
    arena.go((face,))
    assert bool(arena.new_events("combat/hit")) is hit


@pytest.mark.parametrize(("shield", "hit"), [("hull", True), ("gauss-shield", False)])
def test_shields_turn_numbers_away(shield: str, hit: bool) -> None:
    arena = Arena().ships(1, "001", cruiser=1).ships(0, "001", cruiser=1)
    arena.part(1, "cruiser", 5, shield).part(0, "cruiser", 5, "fusion-drive").begin()
    arena.go((5,))
    assert bool(arena.new_events("combat/hit")) is hit


def test_what_the_board_prints_beside_the_slots_counts() -> None:
    arena = Arena("planta", "terran-directorate").ships(0, "001", interceptor=1).ships(1, "001", dreadnought=1)
    arena.begin().go((5,))
    assert [(told["seat"], told["by"]) for told in arena.new_events("combat/hit")] == [(1, 0)]


def test_damage_stays_from_one_battle_of_the_phase_to_the_next_and_is_repaired_at_its_end() -> None:
    arena = Arena("terran-directorate", "terran-federation", "terran-union")
    for seat, ship in ((2, "interceptor"), (0, "cruiser"), (1, "interceptor")):
        arena.ships(seat, "001", **{ship: 1})
    arena.begin().go((6, 6))
    assert arena.new_events("combat/destroyed") == [{"seat": 1, "ship": "interceptor", "sector": "001", "by": 0}]
    assert list(arena.now.ships.damage).count(1) == 1
    arena.go((1, 6)).to_the_end()
    assert arena.in_sector(0, "001") == ["cruiser"]
    assert not any(arena.now.ships.damage)


def test_a_ship_type_without_cannons_does_nothing() -> None:
    arena = Arena().ships(0, "001", cruiser=1).ships(1, "001", interceptor=1)
    arena.part(1, "interceptor", 0, "hull").begin().go((1,))
    assert arena.new_events("combat/unarmed")[0] == {"seat": 1, "ship": "interceptor", "sector": "001"}


def test_of_types_with_equal_initiative_the_owner_chooses_the_first() -> None:
    arena = Arena().ships(0, "001", interceptor=1, cruiser=1).ships(1, "001", dreadnought=1)
    arena.part(0, "cruiser", 4, "fusion-drive").begin()
    assert arena.asking()[1] == Engage(Seat(0), "001", 1, ("interceptor", "cruiser"))
    assert arena.options() == ["attack cruiser", "attack interceptor"]
    arena.go((1, 1), ["attack cruiser"])
    assert [ship for _, ship, _ in rolled(arena)] == ["cruiser", "interceptor"]


def test_each_hit_goes_to_a_ship_of_the_owners_choice() -> None:
    arena = Arena().ships(1, "001", dreadnought=1, interceptor=1).ships(0, "001", cruiser=2)
    arena.part(0, "cruiser", 5, "fusion-drive").begin().go((6, 6))
    seat, choose = arena.asking()
    assert (seat, choose.staged) == (0, True)
    assert arena.options() == ["target:dreadnought:0", "target:interceptor:0"]
    arena.go((1,), ["target:dreadnought:0 target:dreadnought:1"])
    assert [(told["ship"], told["damage"]) for told in arena.new_events("combat/hit")] == [("dreadnought", 2)]


def test_equal_ships_are_one_option_until_damage_tells_them_apart() -> None:
    arena = Arena().ships(1, "001", cruiser=2).ships(0, "001", dreadnought=1)
    arena.part(0, "dreadnought", 7, "fusion-drive").begin().go((6, 6))
    assert arena.options() == ["target:cruiser:0", "target:cruiser:1"]
    arena.go((1,), ["target:cruiser:1"])
    assert arena.in_sector(1, "001") == ["cruiser"]


def test_hits_with_one_possible_target_are_not_asked_for() -> None:
    arena = Arena().ships(1, "001", interceptor=1).ships(0, "001", cruiser=1)
    arena.part(0, "cruiser", 5, "fusion-drive").begin().go((6,))
    assert arena.asked == []
    assert arena.in_sector(1, "001") == []


def test_a_hit_is_not_split_without_the_antimatter_splitter() -> None:
    arena = Arena().ships(1, "001", interceptor=2).ships(0, "001", cruiser=1)
    arena.part(0, "cruiser", 1, "antimatter-cannon").part(0, "cruiser", 5, "fusion-drive").begin().go((6,))
    assert arena.in_sector(1, "001") == ["interceptor"]


def test_the_antimatter_splitter_spreads_the_damage_of_a_cannon() -> None:
    arena = Arena().ships(1, "001", interceptor=1, cruiser=1).ships(0, "001", cruiser=1)
    arena.part(0, "cruiser", 1, "antimatter-cannon").part(0, "cruiser", 5, "fusion-drive")
    arena.knows(0, "antimatter-splitter").begin().go((6,))
    assert arena.options() == ["target:cruiser:0", "target:interceptor:0"]
    arena.go((), ["target:cruiser:0 target:cruiser:1"])
    assert arena.in_sector(1, "001") == []


def test_the_antimatter_splitter_does_not_split_missiles() -> None:
    arena = Arena().ships(1, "001", interceptor=2).ships(0, "001", cruiser=1)
    arena.part(0, "cruiser", 1, "antimatter-missile").part(0, "cruiser", 5, "fusion-drive")
    arena.knows(0, "antimatter-splitter").begin().go((6,))
    assert arena.in_sector(1, "001") == ["interceptor"]


def test_ships_of_nobody_fire_without_asking_and_destroy_the_largest_they_can() -> None:
    arena = Arena().ships(NOBODY, "001", guardian=1).ships(0, "001", interceptor=1, cruiser=1)
    arena.begin().go((6, 6, 6))
    assert [told["ship"] for told in arena.new_events("combat/destroyed")] == ["cruiser", "interceptor"]
    assert rolled(arena) == [(NOBODY, "guardian", "cannons")]


def test_the_advanced_blueprints_of_nobody_have_missiles() -> None:
    arena = Arena(gcds_blueprint="advanced").ships(NOBODY, "001", gcds=1).ships(0, "001", cruiser=1)
    arena.begin().go((1, 1, 1, 1))
    assert rolled(arena) == [(NOBODY, "gcds", "missiles")]


FLEETS = st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 2), st.integers(0, 1)).filter(any)
WEAPONS = ("ion-cannon", "plasma-cannon", "antimatter-cannon", "plasma-missile", "flux-missile", "gauss-shield", "hull")


def answer(choose: Choose[object], arena: Arena, data: st.DataObject) -> object:
    """Any legal answer, while every listing is checked."""
    g = arena.now
    so_far: tuple[object, ...] = ()
    assert choose.validate(g, choose.caretaker(g)) is None
    while True:
        options = choose.options(g, None, so_far)
        assert [*options] == sorted(options, key=order)
        assert len({*options}) == len(options)
        if choose.staged and not options:
            return so_far
        pick = data.draw(st.sampled_from([*options]))
        if not choose.staged:
            assert choose.validate(g, pick) is None
            return pick
        so_far = (*so_far, pick)


@settings(max_examples=20 * VOLUME, deadline=None)
@given(FLEETS, FLEETS, st.lists(st.sampled_from(WEAPONS), min_size=6, max_size=6), st.data())
def test_any_battle_ends_with_every_ship_accounted_for(
    first: tuple[int, ...], second: tuple[int, ...], parts: list[str], data: st.DataObject
) -> None:
    arena = Arena().owns(0, "102").knows(0, "antimatter-splitter")
    names = ("interceptor", "cruiser", "dreadnought", "starbase")
    for seat, fleet in ((0, first), (1, second)):
        arena.ships(seat, "001", **dict(zip(names, fleet, strict=True)))
        for slot, part in zip((1, 2, 5), parts[3 * seat :], strict=False):
            arena.part(seat, "cruiser", slot, part)
    match = arena.begin().match
    for _ in range(300):
        if match.over:
            break
        if isinstance(match.pending, Roll):
            arena.go([data.draw(st.integers(1, 6)) if arena.now.round.entries < 99 else 6 for _ in match.pending.sides])
        else:
            seat, choose = arena.asking()
            arena.events.extend(match.apply(Answer(choose.seat, answer(choose, arena, data))))
            arena.go()
    lost = {0: 0, 1: 0}
    for told in [*arena.new_events("combat/destroyed"), *arena.new_events("combat/stranded")]:
        lost[told["seat"]] += 1
    assert {seat: sum(place >= 0 for place in arena.now.ships.place[18 * seat : 18 * seat + 18]) for seat in lost} == {
        0: sum(first) - lost[0],
        1: sum(second) - lost[1],
    }
    if match.over:
        assert not (arena.in_sector(0, "001") and arena.in_sector(1, "001"))
        assert not any(arena.now.ships.damage)
        assert all(place == NOBODY for place in arena.now.ships.leaving)
