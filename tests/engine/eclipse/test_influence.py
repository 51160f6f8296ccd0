from __future__ import annotations

from eclipse_table import Play, both_editions, cube, own_technology, put, station, table

from engine.core.registry import GameSpec
from engine.eclipse.editions.first import ECLIPSE1
from engine.eclipse.state import NOBODY


def shifts(play: Play) -> list[str]:
    return [option for option in play.options() if option.startswith("shift")]


def map_of_three() -> Play:
    """221 is connected with 102, that with 107; 107 is not connected with 221."""
    play = table()
    with play.edit() as g:
        put(g, "102", 0, -1)
        put(g, "107", 1, -1)
        g.sectors.turned[g.const.sector_index["107"]] = 1
    return play


def test_a_disc_goes_from_the_track_to_a_connected_sector() -> None:
    play = map_of_three().say("influence")
    assert "shift track 102" in shifts(play)
    assert play.ask.price(play.g, play.read("shift track 102")) == (("discs", -1),)
    play.say("shift track 102")
    assert play.g.sectors.owner[play.tile("102")] == 0


def test_a_sector_out_of_reach_or_held_is_refused_with_its_reason() -> None:
    play = map_of_three().say("influence")
    assert play.refusal("shift track 271") in {"influence/opposed", "influence/not-connected"}
    assert play.refusal("shift track 223") == "influence/controlled"
    with play.edit() as g:
        station(g, "102", 1, "interceptor")
    assert play.refusal("shift track 102") == "influence/opposed"


def test_half_a_connection_needs_the_wormhole_generator() -> None:
    play = table()
    with play.edit() as g:
        put(g, "103", 0, -1)
    assert "shift track 103" in shifts(play.say("influence"))
    play = table()
    with play.edit() as g:
        put(g, "101", 0, -1)
    assert shifts(play.say("influence")) == ["shift 221 track"]
    with play.edit() as g:
        own_technology(g, 0, "wormhole-generator")
    assert "shift track 101" in shifts(play)


def test_a_sector_where_only_oneself_has_ships_needs_no_connection() -> None:
    play = table()
    with play.edit() as g:
        put(g, "306", 5, 0)
        station(g, "306", 0, "interceptor")
    play.say("influence")
    assert "shift track 306" in shifts(play)
    with play.edit() as g:
        station(g, "306", 1, "interceptor")
    assert "shift track 306" not in shifts(play)


def test_ancients_oppose_all_but_draco() -> None:
    for species, allowed in ((["draco"], True), (["eridani"], False)):
        play = table(2, species)
        with play.edit() as g:
            put(g, "102", 0, -1)
            station(g, "102", NOBODY, "ancient")
        assert ("shift track 102" in shifts(play.say("influence"))) is allowed


def test_the_sector_a_disc_leaves_is_no_connection() -> None:
    play = table()
    with play.edit() as g:
        put(g, "102", 0, -1)
        for ship in range(18):
            g.ships.place[ship] = NOBODY
    play.say("influence")
    assert "shift track 102" in shifts(play)
    assert "shift 221 102" not in shifts(play)
    with play.edit() as g:
        station(g, "221", 0, "interceptor")
    assert "shift 221 102" in shifts(play)


def test_a_disc_that_returns_frees_the_cubes() -> None:
    play = table().say("influence")
    discs = play.g.seats.discs[0]
    play.say("shift 221 track")
    assert play.g.seats.discs[0] == discs + 1
    assert play.track(0) == (11, 11, 11)
    assert play.g.sectors.owner[play.tile("221")] == NOBODY


def test_gray_cubes_return_to_a_track_of_choice() -> None:
    play = table()
    with play.edit() as g:
        put(g, "313", 0, -3, owner=0)
        cube(g, 0, "313", 0, "science")
    play.say("influence", "shift 313 track")
    assert play.options() == ["materials", "money", "science"]
    before = play.track(0)
    play.say("money")
    assert play.track(0) == (before[0] + 1, before[1], before[2])


def test_no_sector_is_touched_twice_in_an_action() -> None:
    play = map_of_three().say("influence", "shift track 102")
    assert not [option for option in shifts(play) if "102" in option]
    play = map_of_three().say("influence", "shift 221 track")
    assert not [option for option in shifts(play) if "221" in option]
    assert play.refusal("shift track 221") == "influence/touched"


def test_in_the_first_edition_a_disc_taken_back_may_return_to_the_same_sector_with_the_second_move() -> None:
    play = table(game=ECLIPSE1)
    home = play.home(0)
    discs = play.g.seats.discs[0]
    play.say("influence", f"shift {home} track")
    assert play.track(0) == (11, 11, 11)
    assert f"shift track {home}" in shifts(play)
    play.say(f"shift track {home}")
    assert not shifts(play)
    assert play.g.sectors.owner[play.tile(home)] == 0
    assert play.g.seats.discs[0] == discs - 1  # that of the action


def test_in_the_first_edition_too_no_action_takes_back_a_disc_it_has_placed() -> None:
    play = table(game=ECLIPSE1)
    with play.edit() as g:
        put(g, "102", 0, -1)
    play.say("influence", "shift track 102")
    assert not [option for option in shifts(play) if "102" in option]


def test_two_activations_are_all() -> None:
    play = map_of_three().say("influence", "shift track 102", "stop", "done")
    assert play.seat == 1
    play = map_of_three()
    with play.edit() as g:
        put(g, "304", 0, -3)
    play.say("influence", "shift track 102", "shift track 304")
    assert play.g.flow.now[0] == "finish"
    assert [play.g.sectors.owner[play.tile(sector)] for sector in ("102", "304")] == [0, 0]
    assert not shifts(play)


def test_the_action_flips_up_to_two_colony_ships_first() -> None:
    for ready, after in ((0, 2), (1, 3), (2, 3), (3, 3)):
        play = table()
        with play.edit() as g:
            g.seats.colony[0] = ready
        play.say("influence")
        assert play.g.seats.colony[0] == after


def test_an_undefended_discovery_is_taken_with_control() -> None:
    play = table()
    with play.edit() as g:
        put(g, "110", 0, -1)
        g.sectors.discovery[g.const.sector_index["110"]] = 1
    play.say("influence", "shift track 110")
    assert play.g.flow.now[0] == "discovery"


def test_a_sector_without_influence_space_takes_no_disc() -> None:
    play = map_of_three().say("influence")
    assert all(play.g.const.influence_spaces)
    assert play.refusal("shift track 001") in {"influence/opposed", "influence/not-connected"}


@both_editions
def test_colony_ships_used_during_influence_are_flipped_again_in_the_first_edition_only(edition: GameSpec) -> None:
    play = table(game=edition)
    home = play.tile(play.home(0))
    with play.edit() as g:
        for square in range(len(g.const.squares[home])):
            if g.sectors.cubes[home, square]:
                g.seats.track[0, g.sectors.cubes[home, square] - 1] += 1
                g.sectors.cubes[home, square] = 0
    ready = play.g.seats.colony[0]
    play.say("influence")
    used = 0
    while colonies := [option for option in play.options() if option.startswith("colonise")]:
        play.say(colonies[0])
        used += 1
    flipped = 2 if edition is ECLIPSE1 else 0
    assert used == min(3, ready + flipped)
    assert play.g.seats.colony[0] == min(ready, ready - used + flipped)


def test_in_the_first_edition_colony_ships_are_flipped_at_the_end_of_the_action_too() -> None:
    play = table(game=ECLIPSE1)
    with play.edit() as g:
        put(g, "102", 0, -1)
        put(g, "304", 0, -3)
    play.say("influence", "shift track 102", "shift track 304")
    assert play.g.flow.now == ["finish", 0, 2]
    ready = play.g.seats.colony[0]
    colony = next(option for option in play.options() if option.startswith("colonise"))
    play.say(colony)
    assert play.g.seats.colony[0] == ready
    assert play.events("influence/refreshed") == [{"seat": 0, "ships": 1}]
