"""Magellan, Lyra and the Exiles as an option, and how they, the Artifact Codex and Ancient Might score (document 000,
section 6; their rulings)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from eclipse_table import Play, put, table, wander

from engine.core.agenda import Table
from engine.core.errors import Refusal
from engine.core.registry import settle_options
from engine.eclipse import population
from engine.eclipse.options import content_played
from engine.eclipse.scoring import WAYS, points
from engine.eclipse.setup import new_game
from engine.eclipse.spec import ECLIPSE2
from engine.eclipse.state import Wanderers, wanderers_of
from engine.testing.judges import judge


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
