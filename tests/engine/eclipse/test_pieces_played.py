"""Pieces, base blueprints, Galactic Events and single figures of Eclipse as the rules compute with them, against the
second transcription of the content files."""

from __future__ import annotations

from typing import Any

import pytest
from arena import Arena
from eclipse_table import Play, both_editions, own_technology, put, table
from played_figures import Figures, single_figures, transcribed

from engine.core.errors import Refusal
from engine.core.registry import GameSpec
from engine.eclipse.actions.upgrade import openings
from engine.eclipse.blueprints import ship_stats
from engine.eclipse.editions.first import ECLIPSE1
from engine.eclipse.events.faces import event_sectors
from engine.eclipse.scoring import points
from engine.eclipse.sectors import STACKED, deploy, idle_ship, launch
from engine.eclipse.species import activations, artifacts
from engine.eclipse.state import NOBODY, SLOTS
from engine.eclipse.stats import COMPUTER, CONSUMPTION, HULL, INITIATIVE, PRODUCTION
from engine.eclipse.terms import ACTIONS, ANCIENT, BUILDABLE, GCDS, PIECES, RARE, RESOURCES

SHIPS = 4
"""Kinds of ships of a player; the rows of a set of blueprints."""
SETS = {
    "first": ("terran-union", "eridani", "planta", "orion"),
    "second": ("eridani", "terran-union", "planta", "orion"),
    "wanderers": ("exiles",),
}
"""A species for each set of blueprints, in the order of the file."""


def rows(edition: GameSpec, name: str) -> list[tuple[str, Figures]]:
    """The figures of a content file of an edition."""
    return transcribed(f"eclipse/content/{'first' if edition is ECLIPSE1 else 'second'}/{name}.toml")


@both_editions
def test_a_discovery_lies_there_so_often_and_gives_its_amounts(edition: GameSpec) -> None:
    for id, row in rows(edition, "discoveries"):
        play = table(game=edition)
        tile = play.g.const.discovery_index[id]
        assert (play.g.round.discoveries[tile],) == row["tiles"], id
        if len(row) == 1:
            continue
        with play.edit() as g:
            put(g, "304", 0, -3, owner=0)
        play.force("discovery", (1 + sum(play.g.round.discoveries[:tile]),))
        before = play.now(["draw-discovery", 0, play.tile("304")]).store(0)
        play.say("use")
        gained = tuple(after - had for after, had in zip(play.store(0), before, strict=True))
        assert gained == tuple(sum(row.get(name, ())) for name in RESOURCES), id


def test_the_discoveries_of_the_wanderers_are_added() -> None:
    g = table(wanderers="on").g
    for id, row in transcribed("eclipse/content/wanderers/discoveries.toml"):
        assert (g.round.discoveries[g.const.discovery_index[id]],) == row["tiles"], id


@both_editions
def test_a_technology_lies_there_so_often_and_gives_its_discs_and_activations(edition: GameSpec) -> None:
    for id, row in rows(edition, "technologies"):
        play = table(game=edition)
        tech = play.g.const.technology_index[id]
        printed = sum(play.g.seats.techs[seat, tech] > 0 for seat in range(2))
        tray, bag = play.g.round.tray[tech], play.g.round.bag[tech]
        assert (tray + bag,) == row["tiles"], (id, printed)
        if not {"discs", "extra"} & set(row):
            continue
        with play.edit() as g:
            g.round.bag[tech], g.round.tray[tech] = g.round.bag[tech] + tray - 1, 1
            g.seats.store[0, 1] = 40
        before = [activations(play.g, 0, at) for at in range(len(ACTIONS))]
        discs = play.g.seats.discs[0] + play.g.seats.spent[0]
        play.say("research", f"buy {id}{' military' if play.g.const.category[tech] == RARE else ''}")
        after = [activations(play.g, 0, at) for at in range(len(ACTIONS))]
        assert sum(after) - sum(before) == sum(row.get("extra", ())), id
        assert play.g.seats.discs[0] + play.g.seats.spent[0] - discs == sum(row.get("discs", ())), id


@both_editions
def test_there_are_as_many_ships_of_each_kind_as_the_edition_has(edition: GameSpec) -> None:
    numbers = single_figures(f"eclipse/content/{'first' if edition is ECLIPSE1 else 'second'}/tracks.toml")
    g = Arena(game=edition).g
    for kind in range(GCDS + 1):
        laid = 0
        while deploy(g, kind, 0) if kind >= ANCIENT else idle_ship(g, 0, kind) != NOBODY:
            laid += 1
            if kind < ANCIENT:
                launch(g, idle_ship(g, 0, kind), 0)
        most = sum(g.const.ancient_spaces) if kind == ANCIENT else 99
        assert laid == min(numbers[f"supply.{PIECES[kind]}"][0], most), PIECES[kind]


@pytest.mark.parametrize("audit", [False, True])
@pytest.mark.parametrize("file", SETS)
def test_a_blueprint_has_its_slots_and_the_figures_printed_beside_them(file: str, audit: bool) -> None:
    figures = transcribed(f"eclipse/content/{file}/blueprints.toml")
    options: dict[str, Any] = {"game": ECLIPSE1} if file == "first" else {"starbase_initiative": "3" if audit else "4"}
    if file == "wanderers":
        options["wanderers"] = "on"
    for number, species in enumerate(SETS[file]):
        play = table(2, (species,), **options)
        hull = play.g.const.part_index["hull"]
        for id, row in figures[number * SHIPS :][:SHIPS]:
            ship = PIECES.index(id)
            full = (*range(1, SLOTS), 0)  # a different part in each slot, none beside them
            slots = len([*openings(play.g.const, play.g.seats.species[0], ship, full, (hull,))]) - 1
            with play.edit(possible=False) as g:
                for slot in range(slots):
                    g.seats.blueprint[0, ship, slot] = 1 + hull
            can = ship_stats(play.g, 0, ship)
            assert (slots,) == row["slots"], (species, id)
            initiative = row["audit_initiative"] if audit and "audit_initiative" in row else row["initiative"]
            told = [can[place] for place in (INITIATIVE, COMPUTER, PRODUCTION, CONSUMPTION, HULL)]
            wanted = [*initiative, *row.get("computer", (0,)), *row.get("energy", (0,)), 0]
            assert told == [*wanted, slots + sum(row.get("hull", ()))], (species, id)


ZONES = ((0, 0), (0, -1), (-1, -1), (0, -3))
"""A zone beside the home of seat 0 in each ring; none is the centre."""
EVENTS = {"395": "nebula", "295": "nebula", "393": "pulsar", "394": "pulsar", "396": "black_hole", "399": "black_hole"}


def explored(play: Play, id: str) -> list[int]:
    """Seat 0 draws a sector and lays it; gives its faces on the map. No faces: no stack has it."""
    const, tile = play.g.const, play.tile(id)
    ring = next((ring for ring, tiles in enumerate(const.stacks) if tile in tiles), 0)
    if not ring:
        return []
    pool = [other for other in const.stacks[ring] if play.g.sectors.where[other] == STACKED]
    play.force("sector", (1 + pool.index(tile),)).now(
        ["draw-sector", 0, *ZONES[ring]], ["place-sector", 0, *ZONES[ring]]
    )
    play.say(next(option for option in play.options() if option.startswith("lay")))
    return [*(const.subsectors[tile] or (tile,))]


def lying(play: Play, faces: list[int]) -> list[tuple[bool, int]]:
    """Whether a discovery lies in each face or was just found there, and its Ancients."""
    g, found = play.g, bool(play.events("discovery/found"))
    return [(found or g.sectors.discovery[face] > 0, len(play.ships(g.const.sector_ids[face]))) for face in faces]


@both_editions
def test_a_sector_that_is_laid_gets_its_discovery_and_its_ancients(edition: GameSpec) -> None:
    for id, row in rows(edition, "sectors"):
        play = table(game=edition)
        if faces := explored(play, id):
            assert lying(play, faces) == [("discoveries" in row, sum(row.get("ancients", ())))], id


def test_a_sector_of_galactic_events_gets_its_discoveries_and_ancients_by_part() -> None:
    for id, row in transcribed("eclipse/content/events/sectors.toml"):
        kind = EVENTS.get(id, "supernova")
        chosen: dict[str, Any] = {kind: id if kind == "black_hole" else "on"}
        play = table(**chosen)
        faces = explored(play, id)
        if kind == "nebula":
            part = [
                [row.get(f"subsectors.{at}.{name}", (0,))[0] for name in ("discoveries", "ancients")]
                for at in (1, 2, 3)
            ]
            assert lying(play, faces) == [(found > 0, lurking) for found, lurking in part], id
            whole = next(sector for sector in event_sectors() if sector.number == id)
            lies = [[own.discoveries, own.ancients] for own in whole.subsectors]
            assert lies == part, id
            assert [whole.discoveries, whole.ancients] == [sum(told) for told in zip(*lies, strict=True)], id
        else:
            assert lying(play, faces) == [("discoveries" in row, 0)], id
        before = dict(points(play.g, 0, 0))["sectors"]
        with play.edit(possible=False) as g:
            for face in faces:
                g.sectors.owner[face] = 0
        assert dict(points(play.g, 0, 0))["sectors"] - before == row["vp"][0], id


def test_the_wanderers_begin_trade_build_and_act_by_their_boards() -> None:
    homes = dict(transcribed("eclipse/content/wanderers/sectors.toml"))
    for id, row in transcribed("eclipse/content/wanderers/species.toml"):
        for trade, option in (("trade", "3"), ("audit_trade", "2")):
            play = table(2, (id,), wanderers="on", magellan_trade=option)
            price = row.get(trade, row["trade"])[0]
            with play.edit() as g:
                g.seats.store[0, 0] = price
                g.seats.store[0, 1] = g.seats.store[0, 2] = 0
            assert play.say("trade money science").store(0) == (0, 1, 0), id
        play = table(2, (id,), wanderers="on")
        g, home = play.g, homes[play.home(0)]
        assert play.store(0) == tuple(row[name][0] for name in RESOURCES), id
        assert g.seats.colony_all[0] == row["colony_ships"][0]
        assert g.seats.discs[0] + 1 == row["discs"][0]
        assert g.seats.reserve[0] == row["reserve"][0]
        assert [activations(g, 0, at) for at in range(len(ACTIONS))] == [
            row[f"activations.{name}"][0] for name in ACTIONS
        ]
        assert dict(points(g, 0, 0))["sectors"] == home["vp"][0]
        assert artifacts(g, 0) == home["artifacts"][0]
        for name in ("starbase", "orbital", "monolith"):
            if not g.seats.techs[0, g.const.technology_index[name]]:
                with play.edit() as g:
                    own_technology(g, 0, name)
        with play.edit() as g:
            put(g, "304", 0, -3, owner=0)
            g.seats.store[0, 2] = 30
        play.say("build")
        for piece in BUILDABLE:
            built = play.read(f"construct {PIECES[piece]} 304")
            if isinstance(built, Refusal):
                assert (id, PIECES[piece]) == ("exiles", "starbase"), built
                continue
            price = dict(play.ask.price(play.g, built)).get("materials", 0)
            assert -price == row[f"costs.{PIECES[piece]}"][0], (id, built)
