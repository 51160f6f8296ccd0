"""Final scoring of the first edition (document 004, End), played with its own content."""

from __future__ import annotations

from itertools import product

import pytest
from eclipse_table import Play, first_table, own_technology, put, station

from engine.eclipse.scoring import points, scores


def part(play: Play, name: str, seat: int = 0) -> int:
    return dict(points(play.g, seat, 0))[name]


def test_ambassadors_score_1_and_the_traitor_card_costs_2() -> None:
    play = first_table(4)
    with play.edit() as g:
        g.round.traitor = 0
        for a, b in ((0, 1), (1, 0)):
            g.seats.envoys[a, b] = 1
            g.seats.track[a, 0] -= 1
            g.seats.ambassadors[a] -= 1
            g.seats.reputation[a, 0] = -1 - b
    assert (part(play, "ambassadors"), part(play, "traitor"), part(play, "traitor", 1)) == (1, -2, 0)


def test_controlled_sectors_score_their_points() -> None:
    play = first_table()
    home = part(play, "sectors")
    with play.edit() as g:
        put(g, "107", 1, -1, owner=0)
        put(g, "102", -1, 1)
    assert part(play, "sectors") == home + 2


def test_discoveries_kept_score_2_and_monoliths_in_controlled_sectors_3() -> None:
    play = first_table()
    with play.edit() as g:
        g.seats.kept[0] = 2
        g.sectors.monolith[put(g, "101", 1, -1, owner=0)] = 1
        g.sectors.monolith[put(g, "102", -1, 1)] = 1
    assert (part(play, "discoveries"), part(play, "monoliths")) == (4, 3)


@pytest.mark.parametrize(("count", "score"), [(3, 0), (4, 1), (5, 2), (6, 3), (7, 5)])
def test_technologies_of_a_category_score_1_2_3_and_5(count: int, score: int) -> None:
    names = ("gauss-shield", "fusion-source", "improved-hull", "positron-computer", "advanced-economy", "tachyon-drive")
    play = first_table()
    with play.edit() as g:
        for name in (*names, "antimatter-cannon")[:count]:
            own_technology(g, 0, name)
    assert part(play, "technologies") == score


def test_planta_and_draco_have_bonuses_of_their_own() -> None:
    play = first_table(2, "planta", "draco")
    with play.edit() as g:
        put(g, "101", 1, -1, owner=0)
        put(g, "102", -1, 1)
        station(g, "102", -1, "ancient", "ancient")
    assert (part(play, "species"), part(play, "species", 1)) == (2, 2)


def test_resources_in_storage_break_ties() -> None:
    play = first_table()
    with play.edit() as g:
        for seat, resource in product(range(2), range(3)):
            g.seats.store[seat, resource] = 5
    assert [score.rank for score in scores(play.g)] == [1, 1]
    with play.edit() as g:
        g.seats.store[0, 1] += 3  # most of one, but not of all together
        g.seats.store[1, 0] += 2
        g.seats.store[1, 2] += 2
    assert {score.seat: score.rank for score in scores(play.g)} == {1: 1, 0: 2}
