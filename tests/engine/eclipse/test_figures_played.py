"""Figures of both editions as the rules compute with them, against the second transcription of the content files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from eclipse_table import Play, both_editions, own_technology, put, table
from played_figures import single_figures

from engine.core.errors import Refusal
from engine.core.registry import GameSpec
from engine.core.sections import row_of
from engine.eclipse import population
from engine.eclipse.blueprints import ship_stats
from engine.eclipse.editions.first import ECLIPSE1
from engine.eclipse.scoring import points
from engine.eclipse.species import activations, artifacts
from engine.eclipse.state import NOBODY
from engine.eclipse.stats import CANNONS, COMPUTER, CONSUMPTION, DRIVE, HULL, INITIATIVE, PRODUCTION, SHIELD
from engine.eclipse.terms import ACTIONS, ANCIENT, BUILDABLE, CRUISER, PIECES, RARE, VARIANTS
from engine.eclipse.upkeep import cost

TRACK = 0
"""A track of technologies."""
FILE = Path(__file__).parents[1] / "content_figures.txt"


def transcribed(edition: str, name: str) -> list[tuple[str, dict[str, int]]]:
    """The figures of a content file by row, in its order; a list of figures is left out."""
    text = FILE.read_text("utf-8").split(f"# eclipse/content/{edition}/{name}.toml\n")[1].split("\n#")[0]
    found = []
    for line in filter(None, text.splitlines()):
        id, _, rest = line.partition(": ")
        words = rest.split()
        pairs = zip(words[::2], words[1::2], strict=True)
        found.append((id, {key: int(value) for key, value in pairs if value.lstrip("-").isdigit()}))
    return found


def named(spec: GameSpec) -> str:
    return "first" if spec is ECLIPSE1 else "second"


def researching(edition: GameSpec, id: str, owned: int) -> Play:
    """A game before a research for which seat 0 has 40 science, that technology alone on the tray, and `owned` others
    on its track."""
    play = table(game=edition)
    tech = play.g.const.technology_index[id]
    with play.edit() as g:
        printed = [other for other, has in enumerate(row_of(g.seats.techs, 0)) if has]
        others = [at for at in range(len(g.const.technologies)) if at != tech and at not in printed][:owned]
        for other in range(len(g.const.technologies)):
            g.round.bag[other] += g.round.tray[other]
            g.round.tray[other] = 0
            g.seats.techs[0, other] = 0
        for other in others:
            g.round.bag[other] -= 1
            g.seats.techs[0, other] = 1 + g.const.category[tech] % RARE
        g.round.bag[tech] -= 1
        g.round.tray[tech] = 1
        g.seats.store[0, 1] = 40
    return play


def asked_price(play: Play, id: str) -> int:
    """The science that the technology on the tray costs."""
    play.say("research")
    buy = next(option for option in play.options() if option.startswith(f"buy {id}"))
    if play.g.const.category[play.g.const.technology_index[id]] == RARE:
        buy = f"buy {id} military"
    return -dict(play.ask.price(play.g, play.read(buy)))["science"]


@both_editions
def test_a_technology_is_paid_with_its_cost_and_never_with_less_than_its_minimum(edition: GameSpec) -> None:
    for id, row in transcribed(named(edition), "technologies"):
        for owned, price in ((0, row["cost"]), (6, max(row["minimum"], row["cost"] - 8))):
            assert asked_price(researching(edition, id, owned), id) == price, (id, owned)


@both_editions
def test_each_technology_on_a_track_makes_the_next_one_cheaper_until_the_track_is_full(edition: GameSpec) -> None:
    numbers = single_figures(f"eclipse/content/{named(edition)}/tracks.toml")
    rows = transcribed(named(edition), "technologies")
    id, row = max(rows, key=lambda each: each[1]["cost"] - each[1]["minimum"])
    assert row["cost"] - row["minimum"] >= numbers["discounts"][-1], "each discount shows in the price"
    (slots,) = numbers["technology_slots"]
    for owned, less in enumerate(numbers["discounts"][:slots]):
        assert asked_price(researching(edition, id, owned), id) == row["cost"] - less, owned
    refused = researching(edition, id, slots).read("research")
    assert isinstance(refused, Refusal)
    assert refused.code == "research/nothing-affordable"


@both_editions
def test_technologies_on_a_track_score_by_their_number(edition: GameSpec) -> None:
    for owned, vp in enumerate(single_figures(f"eclipse/content/{named(edition)}/tracks.toml")["technology_vp"]):
        play = table(game=edition)
        with play.edit(possible=False) as g:
            for tech in range(len(g.const.technologies)):
                g.seats.techs[0, tech] = 1 + TRACK if tech < owned else 0
        assert dict(points(play.g, 0, 0))["technologies"] == vp, owned


@both_editions
def test_a_part_gives_a_ship_its_figures(edition: GameSpec) -> None:
    names = {"computer": COMPUTER, "shield": SHIELD, "hull": HULL, "drive": DRIVE, "initiative": INITIATIVE,
             "production": PRODUCTION, "consumption": CONSUMPTION}  # fmt: skip
    play = table(game=edition)
    const, species = play.g.const, play.g.seats.species[0]
    slot = const.printed[species][CRUISER].index(const.part_index["hull"])
    for id, row in transcribed(named(edition), "parts"):
        stats = {}
        for part in ("hull", id):
            with play.edit() as g:
                g.seats.blueprint[0, CRUISER, slot] = 1 + const.part_index[part]
            stats[part] = ship_stats(play.g, 0, CRUISER)
        told = {name: stats[id][at] - stats["hull"][at] + (name == "hull") for name, at in names.items()}
        assert told == {name: row.get(name, 0) for name in names}, id
        fired = sum(stats[id][CANNONS:]) - sum(stats["hull"][CANNONS:])
        assert fired == row.get("dice", 0), id


@both_editions
def test_a_sector_scores_its_points_and_counts_its_artifacts(edition: GameSpec) -> None:
    for id, row in transcribed(named(edition), "sectors"):
        play = table(game=edition)
        stacked = [play.g.const.sector_ids[tile] for stack in play.g.const.stacks for tile in stack]
        before, symbols = dict(points(play.g, 0, 0))["sectors"], artifacts(play.g, 0)
        if id in stacked:
            with play.edit() as g:
                put(g, id, 5, -5, owner=0)
        elif play.g.sectors.owner[play.tile(id)] != 0:
            with play.edit(possible=False) as g:
                g.sectors.owner[g.const.sector_index[id]] = 0
        else:
            continue
        assert dict(points(play.g, 0, 0))["sectors"] - before == row["vp"], id
        assert artifacts(play.g, 0) - symbols == row.get("artifacts", 0), id


@both_editions
def test_a_species_begins_trades_builds_and_acts_by_its_board(edition: GameSpec) -> None:
    for id, row in transcribed(named(edition), "species"):
        play = table(2, (id,), game=edition)
        g = play.g
        assert play.store(0) == (row["money"], row["science"], row["materials"]), id
        assert g.seats.colony_all[0] == row["colony_ships"]
        assert g.seats.discs[0] + 1 == row["discs"]
        assert g.seats.reserve[0] == row["reserve"]
        plain = [activations(g, 0, at) for at in range(len(ACTIONS))]
        assert plain == [row[f"activations.{name}"] for name in ACTIONS], id
        with play.edit() as g:
            g.seats.store[0, 0] = row["trade"]
            g.seats.store[0, 1] = g.seats.store[0, 2] = 0
        play.say("trade money science")
        assert play.store(0) == (0, 1, 0), id
        held = [tile for tile in row_of(g.seats.reputation, 0) if tile > 0]
        assert len(held) == row.get("reputation_draws", 0), id
        with play.edit() as g:
            g.seats.store[0, 2] = 30
            for name in ("starbase", "orbital", "monolith"):
                if not g.seats.techs[0, g.const.technology_index[name]]:
                    own_technology(g, 0, name)
        play.say("build")
        for piece in BUILDABLE:
            option = play.read(f"construct {PIECES[piece]} {play.home(0)}")
            assert dict(play.ask.price(play.g, option))["materials"] == -row[f"costs.{PIECES[piece]}"], id


@pytest.mark.parametrize("seats", range(2, 7))
@both_editions
def test_set_up_draws_technologies_and_keeps_sectors_by_players(edition: GameSpec, seats: int) -> None:
    row = dict(transcribed(named(edition), "setup"))[f"{seats}"]
    g = table(seats, game=edition).g
    regular = [tiles for tech, tiles in enumerate(g.round.tray) if g.const.category[tech] != RARE]
    assert sum(regular) == row["technologies"]
    assert g.round.left[3] == row["outer_sectors"]
    play = table(seats, game=edition).now(["phase", "cleanup"])
    drawn = [tiles for tech, tiles in enumerate(play.g.round.tray) if play.g.const.category[tech] != RARE]
    assert sum(drawn) - sum(regular) == row["new_technologies"]


@both_editions
def test_neutral_ships_fight_with_the_figures_of_their_blueprints(edition: GameSpec) -> None:
    variants = iter(transcribed(named(edition), "npcs"))
    seen: dict[str, int] = {}
    for id, row in variants:
        at = seen[id] = seen.get(id, -1) + 1
        chosen: dict[str, Any] = {f"{id}_blueprint": VARIANTS[at]} if edition is not ECLIPSE1 else {}
        can = ship_stats(table(game=edition, **chosen).g, NOBODY, PIECES.index(id))
        told = [can[place] for place in (INITIATIVE, COMPUTER, HULL, SHIELD)]
        assert told == [row.get(name, 0) for name in ("initiative", "computer", "hull", "shield")], (id, at)
        dice = sum(value for name, value in row.items() if name.startswith(("cannons", "missiles")))
        assert sum(can[CANNONS:]) == dice, (id, at)
    assert PIECES[ANCIENT] in seen


@both_editions
def test_a_home_scores_its_points_and_counts_its_artifacts(edition: GameSpec) -> None:
    rows = dict(transcribed(named(edition), "sectors"))
    for id, _ in transcribed(named(edition), "species"):
        play = table(2, (id,), game=edition)
        home = rows[play.home(0)]
        assert dict(points(play.g, 0, 0))["sectors"] == home["vp"], id
        assert artifacts(play.g, 0) == home.get("artifacts", 0), id


@both_editions
def test_tracks_give_income_and_cost_upkeep(edition: GameSpec) -> None:
    text = FILE.read_text("utf-8").split(f"# eclipse/content/{named(edition)}/tracks.toml\n")[1].split("\n#")[0]
    lists = {line.split()[-2]: [*map(int, line.split()[-1].split(","))] for line in text.splitlines() if "," in line}
    for gone, income in enumerate(lists["income"]):
        play = table(game=edition)
        with play.edit() as g:
            more = g.const.constants.track_squares - gone - g.seats.track[0, 0]
            g.seats.track[0, 0] += more
            if more > 0:
                g.seats.track[0, 1] -= more
            else:
                g.seats.graveyard[0, 0] -= more
        assert population.income(play.g, 0, 0) == income
    for empty, price in enumerate(lists["upkeep"]):
        play = table(game=edition)
        with play.edit() as g:
            fewer = g.seats.discs[0] - (g.const.constants.influence_spaces - empty)
            g.seats.discs[0] -= fewer
            g.seats.spent[0] += max(0, fewer)
            g.seats.reserve[0] += min(0, fewer)
        assert cost(play.g, 0) == price


@both_editions
def test_numbers_of_the_game_count_as_they_are_listed(edition: GameSpec) -> None:
    numbers = single_figures(f"eclipse/content/{named(edition)}/tracks.toml")
    play = table(game=edition)
    bag = {f"reputation.{value}": (play.g.const.reputation_bag.count(value),) for value in (1, 2, 3, 4)}
    assert bag == {name: told for name, told in numbers.items() if name.startswith("reputation.")}
    assert (play.g.seats.ambassadors[0],) == numbers["ambassadors"]
    before = play.g.seats.store[0, 0]
    play.say("pass")
    assert (play.g.seats.store[0, 0] - before,) == numbers["pass_money"]


@both_editions
def test_the_game_ends_with_its_last_round(edition: GameSpec) -> None:
    play = table(game=edition).until()
    assert play.match.over
    assert (play.g.round.number,) == single_figures(f"eclipse/content/{named(edition)}/tracks.toml")["rounds"]
