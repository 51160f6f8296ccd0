from __future__ import annotations

import pytest
from eclipse_table import Play, cube, own_technology, put, station, table

from engine.core.sections import flat
from engine.eclipse import sectors
from engine.eclipse.events.supernova import stability
from engine.eclipse.state import NOBODY
from engine.testing.judges.eclipse import check


def glowing(owner: int = 0, round: int = 6) -> Play:
    """Supernova 397 north of seat 0's home, its wormhole to it."""
    play = table(supernova="on")
    with play.edit() as g:
        put(g, "397", 0, -3, 0, owner=owner)
        g.round.number = round
    return play


def check_phase(play: Play, *faces: int) -> Play:
    return play.force("supernova", faces).now(["phase", "cleanup"])


@pytest.mark.parametrize(("faces", "value"), [((1, 6), 0), ((2, 5), 7), ((1, 4), 4), ((6, 6), 0), ((5, 5), 10)])
def test_blank_and_burst_count_nothing(faces: tuple[int, int], value: int) -> None:
    play = glowing(NOBODY)
    assert stability(play.g, play.tile("397"), faces) == value


def test_the_example_of_the_document_survives() -> None:
    """A burst and a 2, four Grid technologies against round 6: 0 + 2 + 4 is not less than 6."""
    play = glowing()
    with play.edit() as g:
        own_technology(g, 0, "neutron-bombs")
        owned = [t for t in range(len(g.const.technologies)) if g.seats.techs[0, t] == 2]
        for name in ("gauss-shield", "fusion-source", "improved-hull", "positron-computer")[: 4 - len(owned)]:
            own_technology(g, 0, name)
    tile = play.tile("397")
    grid = [t for t in range(len(play.g.const.technologies)) if play.g.seats.techs[0, t] == 2]
    assert len(grid) == 4
    assert stability(play.g, tile, (6, 2)) == 6
    check_phase(play, 6, 2)
    assert play.g.sectors.where[tile] == sectors.ON_MAP
    assert play.events("supernova/exploded") == []


def test_less_than_the_round_explodes() -> None:
    play = check_phase(glowing(NOBODY), 2, 3)
    assert play.g.sectors.where[play.tile("397")] == sectors.UNUSED
    assert play.g.sectors.where[play.tile("397-exploded")] == sectors.ON_MAP
    assert play.events("supernova/rolled")[0]["total"] == 5


def test_nobody_gets_no_bonus() -> None:
    play = glowing(NOBODY)
    with play.edit() as g:
        own_technology(g, 0, "gauss-shield")
    assert stability(play.g, play.tile("397"), (2, 2)) == 4


def test_an_explosion_removes_everything() -> None:
    play = glowing()
    before = play.track(0)
    with play.edit() as g:
        cube(g, 0, "397", 1, "science")
        cube(g, 0, "397", 3, "money")
        g.sectors.orbital[play.tile("397")] = 1
        g.sectors.monolith[play.tile("397")] = 1
        station(g, "397", 0, "interceptor")
        station(g, "397", 1, "cruiser")
        discs = g.seats.discs[0]
    check_phase(play, 1, 1)
    play.say("money")
    assert play.track(0) == before
    assert sum(flat(play.g.seats.graveyard)) == 0
    assert play.g.seats.discs[0] >= discs + 1
    assert play.g.sectors.owner[play.tile("397")] == NOBODY
    assert play.g.sectors.orbital[play.tile("397")] == play.g.sectors.monolith[play.tile("397")] == 0
    assert play.ships("397", 0) == play.ships("397", 1) == []
    assert check(play.g) is None


def test_every_explored_supernova_is_rolled_for_and_no_other() -> None:
    play = glowing()
    with play.edit() as g:
        put(g, "398", 1, -4, 0)
    play.force("supernova", (5, 5), (5, 5)).now(["phase", "cleanup"])
    assert [event["sector"] for event in play.events("supernova/rolled")] == ["398", "397"]
    play = table(supernova="on").say("pass", "pass").until("turn")
    assert play.events("supernova/rolled") == []


def test_an_exploded_supernova_is_reached_with_the_wormhole_generator_only() -> None:
    play = check_phase(glowing(NOBODY), 2, 2)
    tile, home = play.tile("397-exploded"), play.tile(play.home(0))
    assert not sectors.connected(play.g, home, tile, 0)
    with play.edit() as g:
        own_technology(g, 0, "wormhole-generator")
    assert sectors.connected(play.g, home, tile, 0)
    assert sectors.connected(play.g, tile, home, 0)
    assert not sectors.connected(play.g, home, tile)


def test_the_last_round_has_no_check() -> None:
    play = glowing(NOBODY, round=7).now(["round"])
    assert play.g.round.number == 8
    assert ["final"] in play.g.flow.agenda[:6]
    assert ["phase", "cleanup"] not in play.g.flow.agenda[: play.g.flow.agenda.index(["final"])]


def test_the_check_opens_the_cleanup() -> None:
    play = glowing(NOBODY).force("supernova", (5, 5)).now(["phase", "cleanup"])
    ids = [event.id for event in play.new_events]
    assert ids.index("supernova/rolled") < ids.index("research/new-technologies")
