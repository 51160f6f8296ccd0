"""Magellan, Lyra and the Exiles, the Artifact Codex and Ancient Might (document 000, section 6; their rulings)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from arena import Arena
from eclipse_table import Play, own_technology, put, station, table

from engine.core.agenda import Table
from engine.core.errors import Refusal
from engine.core.ids import Seat
from engine.core.registry import settle_options
from engine.eclipse import population
from engine.eclipse.blueprints import ship_stats
from engine.eclipse.options import content_played
from engine.eclipse.scoring import WAYS, points
from engine.eclipse.setup import new_game
from engine.eclipse.shrines import planets, standing
from engine.eclipse.spec import ECLIPSE2
from engine.eclipse.species import has_effect
from engine.eclipse.state import Wanderers, face_down, wanderers_of
from engine.eclipse.stats import CANNONS, COMPUTER, DRIVE, HULL, PRODUCTION
from engine.eclipse.terms import STARBASE
from engine.testing.judges import judge


def wander(*species: str, seats: int = 2, document_scoring: str = "off") -> Play:
    return table(seats, species, wanderers="on", document_scoring=document_scoring)


def part(play: Play, name: str, seat: int = 0, reputation: int = 0) -> int:
    return dict(points(play.g, seat, reputation))[name]


def test_the_option_adds_boards_homes_and_discoveries_and_changes_no_table_without_it() -> None:
    plain, more = (settle_options(ECLIPSE2, 4, options) for options in ({"wanderers": "off"}, {"wanderers": "on"}))
    assert isinstance(plain, Table)
    assert isinstance(more, Table)
    assert "wanderers" not in plain.options
    assert content_played(plain) != content_played(more)
    assert "wanderers" not in new_game(plain).sections
    base, e = ECLIPSE2.const(plain), ECLIPSE2.const(more)
    assert set(e.species_ids) - set(base.species_ids) == {"magellan", "lyra", "exiles"}
    assert set(e.discovery_ids) - set(base.discovery_ids) == {"artifact-codex", "ancient-might"}
    assert (len(base.discovery_bag), len(e.discovery_bag)) == (36, 38)
    assert e.stacks == base.stacks


@pytest.mark.parametrize("seats", range(2, 7))
def test_any_number_of_players_may_have_any_of_them(seats: int) -> None:
    named = ("exiles", "lyra", "magellan")[:seats]
    play = wander(*named, seats=seats)
    assert judge(ECLIPSE2, play.g) is None
    assert [play.g.const.species_ids[board] for board in play.g.seats.species][: len(named)] == list(named)


def test_a_species_of_the_option_needs_the_option() -> None:
    assert settle_options(ECLIPSE2, 2, {"species": "hydran,lyra"}) == Refusal(
        "option/needs-wanderers", "species", ("lyra",)
    )


# Scoring


def test_each_way_of_scoring_counts_its_own() -> None:
    assert set(WAYS) == {"controlled-sectors", "ancients", "ancient-parts", "shrines", "orbitals"}


def test_the_rulings_name_what_each_source_says_and_the_rows_have_it() -> None:
    told = {ruling.id: ruling.ruling for ruling in ECLIPSE2.rulings}
    first, second = (
        table(2, ("magellan", "lyra"), wanderers="on", magellan_trade=value).g.const for value in ("3", "2")
    )
    rates = (each.trade[each.species_index["magellan"]] for each in (first, second))
    assert "{} for 1 by the program for play by chat, {} for 1 by the audit".format(*rates) in told["magellan"]
    money, science, materials = (", ".join(map(str, row.costs)) for row in first.shrine_rows)
    named = f"{money} money, {science} science or {materials} materials by the audit"
    assert named in told["lyra"]
    lyra = first.species[first.species_index["lyra"]]
    assert lyra.technologies == ("fusion-source",)
    assert "begins with the Fusion Source by the sheets" in told["lyra"]


def test_magellan_scores_a_point_for_each_discovery_tile_that_is_a_ship_part() -> None:
    play = wander("magellan", "hydran")
    with play.edit() as g:
        parts = g.const.part_index
        g.seats.parts[0, parts["ion-turret"]] = 1
        g.seats.blueprint[0, 0, 3] = 1 + parts["shard-hull"]
        g.seats.blueprint[0, 1, 2] = 1 + parts["hull"]
        g.seats.parts[1, parts["flux-shield"]] = 1
        g.seats.kept[0] = 3
    assert part(play, "species") == 2
    assert part(play, "discoveries") == 6
    assert part(play, "species", 1) == 0


def test_lyra_scores_a_point_for_each_shrine_in_sectors_it_controls() -> None:
    play = wander("lyra", "hydran")
    with play.edit() as g:
        there, home = put(g, "101", 1, -1), play.tile("238")
        found = wanderers_of(g)
        found.shrines[home, 0], found.shrines[home, 2], found.shrines[there, 0] = 1, 3, 1
        found.placed[0, 0], found.placed[0, 2] = 2, 1
    assert part(play, "species") == 2
    with play.edit() as g:
        population.take_control(g, 0, there)
    assert part(play, "species") == 3
    assert part(play, "species", 1) == 0


def test_the_exiles_score_a_point_for_each_orbital_in_sectors_they_control() -> None:
    play = wander("exiles", "hydran")
    assert part(play, "species") == 1
    with play.edit() as g:
        own, nobody = put(g, "101", 1, -1, owner=0), put(g, "102", -1, 1)
        g.sectors.orbital[own] = g.sectors.orbital[nobody] = 1
        g.sectors.orbital[play.tile("224")] = 1
    assert part(play, "species") == 2
    assert part(play, "species", 1) == 0


def test_the_artifact_codex_scores_a_point_for_each_artifact_in_controlled_sectors() -> None:
    play = wander("hydran", "magellan")
    with play.edit() as g:
        put(g, "107", 1, -1, owner=0)
        put(g, "109", -1, 1)
        wanderers_of(g).codex[0] = 1
    assert (part(play, "discoveries"), part(play, "discoveries", 1)) == (2, 0)


@pytest.mark.parametrize(("reputation", "points"), [(2, 0), (3, 1), (8, 2), (9, 3)])
def test_ancient_might_scores_a_point_for_every_three_of_reputation(reputation: int, points: int) -> None:
    play = wander("hydran", "magellan")
    with play.edit() as g:
        wanderers_of(g).might[0] = 1
    assert part(play, "discoveries", 0, reputation) == points
    assert part(play, "discoveries", 1, reputation) == 0


def test_the_eridani_do_not_score_their_reputation_twice() -> None:
    for scoring, parts in (("off", (0, 3)), ("on", (3, 0))):
        play = wander("eridani", "magellan", document_scoring=scoring)
        with play.edit() as g:
            wanderers_of(g).might[0] = 1
        assert (part(play, "species", 0, 9), part(play, "discoveries", 0, 9)) == parts


@pytest.mark.parametrize(("answer", "held"), [("use", 1), ("points", 0)])
@pytest.mark.parametrize("name", ["artifact-codex", "ancient-might"])
def test_the_tiles_are_kept_for_their_points_or_for_two(name: str, answer: str, held: int) -> None:
    play = wander("hydran", "magellan")
    play.force("discovery", (sum(play.g.round.discoveries[: play.g.const.discovery_index[name] + 1]),))
    play.now(["draw-discovery", 0, play.tile("224")])
    assert play.options() == ["points", "use"]
    play.say(answer)
    found = wanderers_of(play.g)
    assert ((found.codex if name == "artifact-codex" else found.might)[0], play.g.seats.kept[0]) == (held, 1 - held)


# Magellan


@pytest.mark.parametrize(("option", "rate"), [("3", 3), ("2", 2)])
def test_magellan_trades_three_for_one_or_two_by_table_option(option: str, rate: int) -> None:
    play = table(2, ("magellan", "exiles"), wanderers="on", magellan_trade=option)
    with play.edit() as g:
        for seat in range(2):
            g.seats.store[seat, 0] = rate
            g.seats.store[seat, 1] = rate - 1
    assert "trade money science" in play.options()
    assert "trade science money" not in play.options()
    play.say("trade money science")
    assert play.store(0)[:2] == (0, rate)
    assert play.g.const.trade[play.g.seats.species[1]] == 3


def test_magellan_flips_a_colony_ship_for_a_resource_of_its_choice() -> None:
    play = wander("magellan", "hydran")
    assert play.store(0) == (2, 2, 3)
    play.say("swap science")
    assert (play.store(0), play.g.seats.colony[0]) == ((2, 3, 3), 2)
    assert play.events("free/swapped") == [{"seat": 0, "to": "science"}]
    play.say("swap money", "swap money")
    assert (play.store(0), play.g.seats.colony[0]) == ((4, 3, 3), 0)
    assert play.refusal("swap money") == "colonise/no-ship"
    assert play.say("pass").seat == 1
    assert not any(option.startswith("swap") for option in play.options())


def test_magellan_swaps_colony_ships_before_income_too() -> None:
    play = wander("magellan", "hydran").now(["settle", 0])
    assert play.options() == ["stop", "swap materials", "swap money", "swap science"]
    assert play.say("swap money", "stop").store(0)[0] == 3


def test_magellan_swaps_a_colony_ship_when_money_is_short() -> None:
    play = wander("magellan", "hydran")
    with play.edit() as g:
        g.seats.store[0, 0] = 0
        g.seats.spent[0], g.seats.discs[0] = 11, 1
        g.flow.agenda[0:0] = [["pay", 0]]
        g.flow.now = []
    assert "swap money" in play.options()
    assert "swap science" not in play.options()


def grids(play: Play, *names: str) -> Play:
    """Seat 0 owns these technologies, and has science for more."""
    with play.edit() as g:
        for name in names:
            own_technology(g, 0, name)
        tech = g.const.technology_index["improved-hull"]
        if not g.round.tray[tech]:
            g.round.bag[tech] -= 1
            g.round.tray[tech] += 1
        g.seats.store[0, 1] = 40
    return play


def test_magellan_turns_its_discovery_over_with_the_first_fourth_technology_on_a_track() -> None:
    play = grids(wander("magellan", "hydran"), "gauss-shield", "positron-computer")
    assert wanderers_of(play.g).sealed[0] == 1
    assert face_down(play.g) == sum(play.g.sectors.discovery) + 1
    play.say("research", "buy improved-hull grid")
    assert (play.asked, play.seat) == ("take-discovery", 0)
    assert play.events("discovery/unsealed") == [{"seat": 0}]
    assert play.events("discovery/found")[0]["sector"] == "233"
    assert wanderers_of(play.g).sealed[0] == 0
    assert face_down(play.g) == sum(play.g.sectors.discovery)


def test_three_technologies_on_a_track_do_not_turn_it_over() -> None:
    play = grids(wander("magellan", "hydran"), "gauss-shield").say("research", "buy improved-hull grid")
    assert play.events("discovery/unsealed") == []
    assert wanderers_of(play.g).sealed[0] == 1


# Lyra


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


# The Exiles


def test_the_exiles_begin_with_an_orbital_that_is_armed_once_it_has_a_cube() -> None:
    play = wander("exiles", "hydran")
    tile = play.tile("234")
    assert play.g.sectors.orbital[tile] == 1
    assert play.ships("234", 0) == ["interceptor"]
    play.say("colonise 234 orbital science")
    assert play.ships("234", 0) == ["interceptor", "starbase"]
    with play.edit() as g:
        population.kill(g, tile, population.ORBITAL_SQUARE)
    assert play.ships("234", 0) == ["interceptor"]


def test_no_more_orbitals_are_armed_than_there_are_pieces() -> None:
    play = wander("exiles", "hydran")
    with play.edit() as g:
        for number, sector in enumerate(("101", "103", "105", "106", "107")):
            tile = put(g, sector, 5 + number, -9, owner=0)
            g.sectors.orbital[tile] = 1
            population.place(g, 0, tile, population.ORBITAL_SQUARE, 0)
    armed = [sector for sector in ("101", "103", "105", "106", "107") if play.ships(sector, 0)]
    assert armed == ["101", "103", "105", "106"]


def test_a_sector_that_is_left_has_no_armed_orbital() -> None:
    play = wander("exiles", "hydran").say("colonise 234 orbital science")
    with play.edit() as g:
        for answer in population.abandon(g, Seat(0), play.tile("234")):
            raise AssertionError(answer)
    assert play.ships("234", 0) == ["interceptor"]


def test_an_armed_orbital_has_its_own_blueprint_without_a_drive() -> None:
    play = wander("exiles", "hydran")
    can = ship_stats(play.g, 0, STARBASE)
    assert (can[CANNONS], can[COMPUTER], can[HULL], can[PRODUCTION], can[DRIVE]) == (2, 1, 3, 4, 0)


def test_the_exiles_build_no_starbases() -> None:
    play = wander("exiles", "hydran")
    with play.edit() as g:
        own_technology(g, 0, "starbase")
        g.seats.store[0, 2] = 20
    play.say("build")
    assert not any("starbase" in option for option in play.options())
    assert play.refusal("construct starbase 234") == "build/never"


def test_a_destroyed_orbital_loses_its_cube_and_stands_on_and_counts_one_draw() -> None:
    arena = Arena("exiles", "terran-federation", wanderers="on").owns(0, "102", (population.ORBITAL_SQUARE, "money"))
    arena.ships(1, "102", dreadnought=2)
    tile = arena.tile("102")
    arena.g.sectors.orbital[tile] = 1
    assert arena.begin().in_sector(0, "102") == ["starbase"]
    arena.to_the_end()
    g = arena.now
    assert arena.new_events("combat/orbital-emptied") == [{"seat": 0, "sector": "102", "by": 1}]
    assert (g.sectors.orbital[tile], g.sectors.cubes[tile, population.ORBITAL_SQUARE]) == (1, 0)
    assert [event["tiles"] for event in arena.new_events("reputation/drawn") if event["seat"] == 1] == [2]


# Positions


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda found: found.sealed.__setitem__(0, 2), "position/out-of-range"),
        (lambda found: found.placed.__setitem__((0, 0), 4), "position/out-of-range"),
        (lambda found: found.shrines.__setitem__((0, 0), 1), "position/shrines"),
        (lambda found: found.shrines.__setitem__((0, 3), 4), "position/shrine"),
    ],
)
def test_impossible_positions_are_refused(change: Callable[[Wanderers], None], code: str) -> None:
    play = wander("lyra", "hydran")
    with play.edit(possible=False) as g:
        change(wanderers_of(g))
    problem = judge(ECLIPSE2, play.g)
    assert problem is not None
    assert problem.code == code


def test_a_ship_of_the_exiles_that_is_no_orbital_is_refused() -> None:
    play = wander("exiles", "hydran")
    with play.edit(possible=False) as g:
        station(g, "234", 0, "starbase")
    problem = judge(ECLIPSE2, play.g)
    assert problem is not None
    assert problem.code == "position/armed-orbital"
