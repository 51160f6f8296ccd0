from __future__ import annotations

from eclipse_table import Play, own_technology, put, station, table

from engine.eclipse import sectors
from engine.eclipse.actions.explore import zones
from engine.eclipse.combat.aftermath import finder
from engine.eclipse.state import NOBODY
from engine.testing.judges.eclipse import check

PARTS = ("395-a", "395-b", "395-c")


def explored(turned: int = 0) -> Play:
    """Seat 0 explores nebula 395 north of its home."""
    play = table(nebula="on")
    pool = [tile for tile in play.g.const.stacks[3] if play.g.sectors.where[tile] == sectors.STACKED]
    play.force("sector", (1 + pool.index(play.tile("395")),))
    return play.say("explore", "zone 0 -3", f"lay 395 {turned}")


def names(play: Play, tiles: tuple[int, ...]) -> set[str]:
    return {play.g.const.sector_ids[tile] for tile in tiles}


def test_a_nebula_is_laid_in_three_parts() -> None:
    play = explored()
    where = [play.g.sectors.where[play.tile(part)] for part in PARTS]
    assert where == [sectors.ON_MAP] * 3
    assert play.g.sectors.where[play.tile("395")] == sectors.UNUSED
    assert check(play.g) is None


def test_discoveries_and_the_ancient_lie_in_their_parts() -> None:
    play = explored()
    assert [play.g.sectors.discovery[play.tile(part)] for part in PARTS] == [1, 0, 1]
    assert [play.ships(part) for part in PARTS] == [[], ["ancient"], []]


def test_exploring_a_nebula_gives_no_discovery_and_no_control() -> None:
    play = explored()
    assert play.seat == 1
    assert play.events("discovery/found") == []


def test_every_turn_of_a_nebula_is_an_option() -> None:
    play = table(nebula="on")
    pool = [tile for tile in play.g.const.stacks[3] if play.g.sectors.where[tile] == sectors.STACKED]
    play.force("sector", (1 + pool.index(play.tile("395")),)).say("explore", "zone 0 -3")
    assert play.options() == ["discard", *(f"lay 395 {turned}" for turned in range(6))]


def test_the_parts_are_connected_with_each_other() -> None:
    play = explored()
    for part in PARTS:
        assert names(play, sectors.neighbours(play.g, play.tile(part))) >= set(PARTS) - {part}


def test_each_part_reaches_out_through_its_own_edges() -> None:
    """Edges S and SW belong to part c: turned by 0 it is c that touches the home to the south."""
    play = explored()
    home = play.tile(play.home(0))
    assert [home in sectors.neighbours(play.g, play.tile(part)) for part in PARTS] == [False, False, True]
    assert names(play, sectors.neighbours(play.g, home)) & set(PARTS) == {"395-c"}
    turned = explored(2)
    assert [home in sectors.neighbours(turned.g, turned.tile(part)) for part in PARTS] == [False, True, False]


def test_a_ship_moves_part_by_part() -> None:
    play = explored()
    with play.edit() as g:
        station(g, "395-c", 0, "cruiser")
    play.say("pass", "move")
    flights = [option for option in play.options() if option.startswith("fly cruiser 395-c")]
    assert {"fly cruiser 395-c 395-a", "fly cruiser 395-c 395-b"} <= set(flights)
    play.say("fly cruiser 395-c 395-a")
    assert play.ships("395-a", 0) == ["cruiser"]


def test_ships_are_pinned_in_their_part_only() -> None:
    play = explored()
    with play.edit() as g:
        station(g, "395-b", 0, "interceptor")
        station(g, "395-a", 0, "interceptor")
    assert sectors.movable(play.g, 0, play.tile("395-b")) == 0
    assert sectors.movable(play.g, 0, play.tile("395-a")) == 1


def test_a_part_is_explored_from_through_its_own_edges() -> None:
    play = explored()
    with play.edit() as g:
        station(g, "395-a", 0, "interceptor")
    found = zones(play.g, 0)
    assert (0, -4) in found
    assert (-1, -3) in found or (-1, -2) in found
    assert (1, -4) not in found


def test_no_disc_ever_lies_in_a_nebula() -> None:
    play = explored()
    with play.edit() as g:
        station(g, "395-a", 0, "interceptor")
    play.say("pass", "influence")
    assert play.refusal("shift track 395-a") == "influence/no-space"
    play.now(["control", play.tile("395-a")])
    assert play.g.sectors.owner[play.tile("395-a")] == NOBODY


def test_a_disc_moves_next_to_ships_in_a_part_that_connects() -> None:
    play = explored()
    with play.edit() as g:
        put(g, "304", 0, -4, 0)
        station(g, "395-a", 0, "interceptor")
    play.say("pass", "influence")
    assert "shift track 304" in play.options()


def test_a_discovery_is_claimed_by_a_ship_in_its_part_after_combat() -> None:
    play = explored()
    with play.edit() as g:
        station(g, "395-a", 0, "interceptor")
    assert finder(play.g, play.tile("395-a")) == 0
    assert finder(play.g, play.tile("395-c")) is None
    play.now(["aftermath"])
    assert play.ask.word == "take-discovery"
    assert getattr(play.ask, "sector", "") == "395-a"


def test_benefits_are_placed_in_the_part() -> None:
    play = explored()
    with play.edit() as g:
        station(g, "395-a", 0, "interceptor")
    pool = [d for d, n in enumerate(play.g.round.discoveries) for _ in range(n)]
    play.force("discovery", (1 + pool.index(play.g.const.discovery_index["ancient-cruiser"]),))
    play.now(["aftermath"]).say("use")
    assert play.ships("395-a", 0) == ["interceptor", "cruiser"]


def test_orbital_and_monolith_are_drawn_anew_before_the_choice() -> None:
    play = explored()
    with play.edit() as g:
        station(g, "395-a", 0, "interceptor")
        for discovery in range(len(g.round.discoveries)):
            g.round.discoveries[discovery] = 0
        for name in ("ancient-monolith", "ancient-orbital", "ancient-cruiser"):
            g.round.discoveries[g.const.discovery_index[name]] = 1
        g.sectors.discovery[play.tile("395-c")] = 0
        for tile in range(len(g.sectors.discovery)):
            g.sectors.discovery[tile] = int(tile == play.tile("395-a"))
    index = play.g.const.discovery_index
    pool = sorted(index[name] for name in ("ancient-monolith", "ancient-orbital", "ancient-cruiser"))
    first = 1 + pool.index(index["ancient-orbital"])
    left = [d for d in pool if d != index["ancient-orbital"]]
    play.force("discovery", (first,), (1 + left.index(index["ancient-monolith"]),), (1,))
    play.now(["aftermath"])
    assert getattr(play.ask, "discovery", "") == "ancient-cruiser"
    assert sum(play.g.round.discoveries) == 2


def test_the_second_nebula_lies_in_ring_two_and_the_quota_stays() -> None:
    with_nebula, without = table(nebula="on"), table()
    assert with_nebula.tile("295") in with_nebula.g.const.stacks[2]
    assert with_nebula.g.round.left[2] == without.g.round.left[2] + 1
    assert with_nebula.g.round.left[3] == without.g.round.left[3]


def test_a_nebula_and_its_neighbour_join_by_half_with_the_generator() -> None:
    play = explored()
    with play.edit() as g:
        put(g, "397" if "397" in g.const.sector_index else "310", 1, -4, 0)
        own_technology(g, 0, "wormhole-generator")
    near = names(play, sectors.neighbours(play.g, play.tile("395-b"), half=True))
    assert "310" in near
