"""Final scoring (document 000, section 6)."""

from __future__ import annotations

from eclipse_table import Play, both_editions, own_technology, put, station, table

from engine.core.registry import GameSpec, Score
from engine.eclipse.scoring import points, scores


def part(play: Play, name: str, seat: int = 0, reputation: int = 0) -> int:
    return dict(points(play.g, seat, reputation))[name]


def finished(play: Play) -> dict[int, Score]:
    """Reveal the reputation tiles now and give the scores by seat."""
    with play.edit() as g:
        g.flow.now, g.flow.agenda = ["final"], []
    assert play.match.over
    return {score.seat: score for score in scores(play.g)}


def test_controlled_sectors_score_their_printed_points() -> None:
    play = table()
    with play.edit() as g:
        tile = put(g, "101", 1, -1, owner=0)
    home = play.g.const.sector_vp[play.tile(play.home(0))]
    assert part(play, "sectors") == home + play.g.const.sector_vp[tile]


@both_editions
def test_a_monolith_scores_three_points_in_a_controlled_sector_only(edition: GameSpec) -> None:
    play = table(game=edition)
    with play.edit() as g:
        own = put(g, "101", 1, -1, owner=0)
        nobody = put(g, "102", -1, 1)
        g.sectors.monolith[own] = g.sectors.monolith[nobody] = 1
    assert part(play, "monoliths") == 3


def test_a_discovery_kept_scores_two_points() -> None:
    play = table()
    with play.edit() as g:
        g.seats.kept[0] = 2
    assert part(play, "discoveries") == 4


def test_a_track_of_four_technologies_scores_1_and_of_five_six_seven_2_3_5() -> None:
    names = ("gauss-shield", "fusion-source", "improved-hull", "positron-computer", "advanced-economy", "tachyon-drive")
    found = []
    for count in (3, 4, 5, 6, 7):
        play = table()
        with play.edit() as g:
            for name in (*names, "antimatter-cannon")[:count]:
                own_technology(g, 0, name)
        found.append(part(play, "technologies"))
    assert found == [0, 1, 2, 3, 5]


def test_an_ambassador_scores_a_point_and_the_traitor_tile_costs_two() -> None:
    play = table(4)
    with play.edit() as g:
        g.round.traitor = 0
        for a, b in ((0, 1), (1, 0)):
            g.seats.envoys[a, b] = 1
            g.seats.track[a, 0] -= 1
            g.seats.ambassadors[a] -= 1
            g.seats.reputation[a, 0] = -1 - b
    assert (part(play, "ambassadors"), part(play, "traitor"), part(play, "traitor", 1)) == (1, -2, 0)


def test_reputation_tiles_are_shown_at_the_end_and_score_their_value() -> None:
    play = table(seed=3)
    with play.edit() as g:
        index = g.decks.order["reputation"].pop(0)
        g.seats.reputation[0, 0] = 1 + index
    faces = {handle.index: face for handle, face in play.dealer.faces.items() if handle.deck == "reputation"}
    score = finished(play)[0]
    assert dict(score.parts)["reputation"] == faces[index]


def test_planta_score_a_point_for_each_controlled_sector() -> None:
    play = table(species=("planta", "terran-directorate"))
    with play.edit() as g:
        put(g, "101", 1, -1, owner=0)
    assert part(play, "species") == 2


def test_draco_score_a_point_for_each_ancient_on_the_board() -> None:
    play = table(species=("draco", "terran-directorate"))
    with play.edit() as g:
        put(g, "101", 1, -1)
        station(g, "101", -1, "ancient", "ancient")
    assert part(play, "species") == 2


def test_eridani_score_reputation_only_where_the_table_follows_the_document() -> None:
    species = ("eridani", "terran-federation")
    assert part(table(species=species), "species", reputation=7) == 0
    assert part(table(species=species, document_scoring="on"), "species", reputation=7) == 2


def test_a_warp_portal_scores_for_who_controls_its_sector() -> None:
    play = table()
    with play.edit() as g:
        g.sectors.warp[play.tile(play.home(0))] = 1 + 2
    assert (part(play, "portals"), part(play, "portals", 1)) == (2, 0)


def test_ties_are_broken_by_resources_and_then_shared() -> None:
    play = table()
    with play.edit() as g:
        for resource in range(3):
            g.seats.store[0, resource] = g.seats.store[1, resource] = 5
    level = finished(play)
    assert level[0].total == level[1].total
    assert (level[0].rank, level[1].rank) == (1, 1)
    with play.edit() as g:
        g.seats.store[0, 1] += 3  # most of one, but not of all together
        g.seats.store[1, 0] += 2
        g.seats.store[1, 2] += 2
    richer = {score.seat: score.rank for score in scores(play.g)}
    assert richer == {1: 1, 0: 2}
