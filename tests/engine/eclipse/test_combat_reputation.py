"""Reputation tiles: who draws how many, and what is kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from arena import TERRANS, Arena
from eclipse_table import both_editions
from played_figures import single_figures

from engine.core.agenda import Item
from engine.core.cards import Handle
from engine.core.ids import Seat
from engine.core.registry import GameSpec
from engine.core.sections import flat, row_of
from engine.eclipse.combat.reputation import KeepTile
from engine.eclipse.editions.first import ECLIPSE1
from engine.eclipse.spec import ECLIPSE2
from engine.eclipse.state import NOBODY
from engine.eclipse.terms import BUILDABLE, PIECES


def draws(arena: Arena) -> list[tuple[int, int]]:
    return [(told["seat"], told["tiles"]) for told in arena.new_events("reputation/drawn")]


def winner_draws(fleet: Mapping[str, int], loser: int = 1, **options: Any) -> list[tuple[int, int]]:
    """Draws when seat 0, with four dreadnought dice of four damage each and first to act, destroys a fleet. The first
    edition has no splitter."""
    arena = Arena(**options).ships(loser, "001", **fleet).ships(0, "001", dreadnought=2)
    for slot in (1, 2):
        arena.part(0, "dreadnought", slot, "antimatter-cannon")
    for slot in (5, 6, 7):
        arena.part(0, "dreadnought", slot, "conformal-drive")
    if arena.game is ECLIPSE2:
        arena.knows(0, "antimatter-splitter")
    return draws(arena.begin().to_the_end())


@pytest.mark.parametrize(
    ("fleet", "loser", "tiles"),
    [
        ({"interceptor": 1}, 1, 2),
        ({"starbase": 1}, 1, 2),
        ({"cruiser": 1}, 1, 3),
        ({"dreadnought": 1}, 1, 4),
        ({"cruiser": 1, "interceptor": 1}, 1, 4),
        ({"ancient": 1}, NOBODY, 2),
        ({"guardian": 1}, NOBODY, 3),
        ({"gcds": 1}, NOBODY, 4),
    ],
)
def test_one_tile_for_taking_part_and_more_for_what_was_destroyed(
    fleet: dict[str, int], loser: int, tiles: int
) -> None:
    assert dict(winner_draws(fleet, loser))[0] == tiles


@pytest.mark.parametrize("ship", ["interceptor", "starbase", "cruiser", "dreadnought", "ancient", "gcds"])
@both_editions
def test_a_destroyed_ship_is_worth_as_many_draws_as_its_edition_says(edition: GameSpec, ship: str) -> None:
    named = "first" if edition is ECLIPSE1 else "second"
    numbers = single_figures(f"eclipse/content/{named}/tracks.toml")
    told = dict(winner_draws({ship: 1}, 1 if PIECES.index(ship) in BUILDABLE else NOBODY, game=edition))
    assert (told[0],) == (numbers["participation_draws"][0] + numbers[f"draws.{ship}"][0],)


@both_editions
def test_nobody_draws_more_than_five_tiles(edition: GameSpec) -> None:
    named = "first" if edition is ECLIPSE1 else "second"
    told = dict(winner_draws({"cruiser": 2, "interceptor": 2}, game=edition))
    assert (told[0],) == single_figures(f"eclipse/content/{named}/tracks.toml")["most_draws"] == (5,)


def test_the_loser_draws_too_for_taking_part() -> None:
    assert dict(winner_draws({"interceptor": 1}))[1] == 1


def test_players_draw_in_the_order_in_which_they_entered() -> None:
    arena = Arena(*TERRANS)
    for seat in (2, 0, 1):
        arena.ships(seat, "001", interceptor=1)
    assert [seat for seat, _ in draws(arena.begin().to_the_end())] == [2, 0, 1]


def test_who_fights_twice_in_a_sector_draws_once_for_taking_part() -> None:
    arena = Arena(*TERRANS).ships(2, "001", interceptor=1).ships(0, "001", cruiser=1).ships(1, "001", interceptor=1)
    arena.part(0, "cruiser", 5, "fusion-drive")
    arena.begin().to_the_end()
    assert dict(draws(arena))[0] == 3


def test_who_was_never_in_a_battle_draws_nothing() -> None:
    assert draws(Arena().ships(0, "001", cruiser=1).ships(1, "102", cruiser=1).begin().to_the_end()) == []


def drawing(arena: Arena, seat: int, draws: int, held: Mapping[int, int] | None = None) -> Arena:
    """The seat draws; it holds the tiles of these numbers on places of its track (-1: an ambassador)."""
    for place, tile in (held or {}).items():
        arena.g.seats.reputation[seat, place] = tile + 1 if tile >= 0 else tile - 1
    return arena.begin(["draw-reputation", arena.tile("001"), seat, 0, draws])


def test_at_most_one_tile_is_kept_and_the_rest_returns_to_the_bag() -> None:
    arena = drawing(Arena(), 0, 3)
    assert arena.options() == ["-", *(f"keep reputation#{tile} 2" for tile in range(3))]
    arena.go((), ["keep reputation#1 2"])
    assert list(row_of(arena.now.seats.reputation, 0)) == [0, 2, 0, 0, 0]
    assert len(arena.now.decks.order["reputation"]) == 32
    faces = [arena.dealer.faces[Handle("reputation", index)] for index in (1, *arena.now.decks.order["reputation"])]
    assert sorted(faces) == sorted(arena.now.const.reputation_bag)


def test_keeping_none_is_allowed() -> None:
    arena = drawing(Arena(), 0, 2).go((), ["-"])
    assert not any(flat(arena.now.seats.reputation))
    assert len(arena.now.decks.order["reputation"]) == 33


def test_only_the_seat_that_draws_sees_its_tiles() -> None:
    arena = drawing(Arena(), 0, 3)
    assert [*arena.dealer.lens(0)] == [Handle("reputation", tile) for tile in range(3)]
    assert [*arena.dealer.lens(1)] == []


def test_a_space_for_ambassadors_takes_no_reputation_tile() -> None:
    assert drawing(Arena("hydran", "terran-union"), 0, 1).options() == ["-", "keep reputation#0 2"]
    assert drawing(Arena("draco", "terran-federation"), 0, 1).options() == ["-", "keep reputation#0 1"]


def test_an_owned_tile_may_be_exchanged_but_no_ambassador() -> None:
    arena = Arena("draco", "terran-federation")
    arena.begin(["draw-reputation", arena.tile("001"), 0, 0, 1]).go((), ["keep reputation#0 1"])
    g = arena.now
    g.seats.reputation[0, 1] = -2
    choose = KeepTile(Seat(0), (Handle("reputation", 9),))
    assert [(keep.tile.index, keep.place) for keep in choose.options(g) if keep] == [(9, 1), (9, 3)]
    g.seats.reputation[0, 2] = g.seats.reputation[0, 3] = -2
    assert choose.caretaker(g) is None
    assert [(keep.tile.index, keep.place) for keep in choose.options(g) if keep] == [(9, 1)]


def test_an_exchanged_tile_returns_to_the_bag() -> None:
    arena = Arena("draco", "terran-federation")
    draw: Item = ["draw-reputation", arena.tile("001"), 0, 0, 1]
    arena.begin(draw, draw).go((), ["keep reputation#0 1", "keep reputation#1 1"])
    assert list(row_of(arena.now.seats.reputation, 0)) == [2, 0, 0, 0, 0]
    assert len(arena.now.decks.order["reputation"]) == 32
    kept = {"seat": 0, "place": 1}
    assert arena.new_events("reputation/kept") == [{**kept, "returned": 0}, {**kept, "returned": 1}]


def test_the_caretaker_keeps_the_first_tile_if_there_is_room() -> None:
    arena = drawing(Arena("draco", "terran-federation"), 0, 2).to_the_end()
    assert arena.now.seats.reputation[0, 0] == 1


def test_the_bag_limits_the_draw() -> None:
    arena = Arena()
    draw: Item = ["draw-reputation", arena.tile("001"), 0, 0]
    arena.begin([*draw, 1], [*draw, 5], [*draw, 1])
    del arena.now.decks.order["reputation"][2:]
    arena.go((), ["keep reputation#0 2"])
    assert draws(arena) == [(0, 1), (0, 2)]
