"""What the pictures of Eclipse say at positions set up by hand."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "engine" / "eclipse"))

import pytest
from eclipse_table import Play, both_editions, clear, cube, own_technology, put, station, table

from client.games.eclipse.show.fight import battle_at, fight, units
from client.games.eclipse.show.map import sector
from client.games.eclipse.show.pictures import PICTURES, before
from client.games.eclipse.show.tech import gives, offers, part_text, parts, tray
from client.games.eclipse.show.words import dice_text
from client.show.document import Document, Note, Sheet, Shelf, Ware
from client.show.pictures import Frame
from client.show.styled import UNICODE
from client.system.texts import use
from client.words import DisplayNames, event_text
from engine.core.cards import Handle, Lens
from engine.core.events import Event
from engine.core.ids import Seat
from engine.core.registry import GameSpec
from engine.eclipse.actions.move import Fly, Move
from engine.eclipse.combat.bombard import AttackPopulation
from engine.eclipse.combat.reputation import KeepTile
from engine.eclipse.flow import Menu
from engine.eclipse.free import Colonise

NAMES = "Anna", "Bob", "Carl"


@pytest.fixture(autouse=True)
def english() -> None:
    use("en")


def frame(play: Play, seat: int = 0, *words: str) -> Frame:
    return Frame(play.match.view(seat), NAMES[: play.g.table.seats], UNICODE, words, width=100)


def wares(document: Document) -> dict[str, Ware]:
    return {ware.title: ware for block in document if isinstance(block, Shelf) for ware in block.wares}


def said(document: Document) -> list[str]:
    return [block.text for block in document if isinstance(block, Note)]


@both_editions
def test_what_a_technology_brings_is_told_with_its_figures(edition: GameSpec) -> None:
    shown = frame(table(2, game=edition))
    const = shown.g.const
    told = {id: gives(shown, tech) for tech, id in enumerate(const.technology_ids)}
    assert not [text for text in told.values() if "{" in text]
    assert told["artifact-key"] == "At once, for each artifact in your sectors: 5 of one resource."


def test_a_flight_says_beforehand_that_it_breaks_relations() -> None:
    play, fly = table(4), Fly("interceptor", "101", "110")
    with play.edit(possible=False) as g:
        put(g, "101", 1, -1, owner=0)
        put(g, "110", 1, 0, owner=1)
        station(g, "101", 0, "interceptor")
    shown = Frame(play.match.view(Seat(0)), (*NAMES, "Dora"), UNICODE, (), width=100)
    asked = Move(Seat(0), 1, 1)
    assert "Traitor" not in PICTURES.questions.hint(shown, asked, fly, ())
    with play.edit(possible=False) as g:
        g.seats.envoys[0, 1] = g.seats.envoys[1, 0] = 1
    shown = Frame(play.match.view(Seat(0)), (*NAMES, "Dora"), UNICODE, (), width=100)
    told = PICTURES.questions.hint(shown, asked, fly, ())
    assert "Bob's sector, breaks relations with Bob and makes you the Traitor" in told


def test_the_price_of_a_technology_is_that_of_a_track_with_room() -> None:
    play = table(2)
    with play.edit(possible=False) as g:
        const = g.const
        grid = [id for id, of in zip(const.technology_ids, const.category, strict=True) if of == 1]
        for name in grid[:7]:
            own_technology(g, 0, name)
        for name in (grid[7], "ancient-labs"):
            g.round.tray[const.technology_index[name]] = 1
        g.seats.store[0, 1] = 30
    for document in (tray(frame(play)), offers(frame(play))):
        found = wares(document)
        full, labs = found["Quantum Grid"], found["Ancient Labs"]
        assert (full.tail.split(), full.look, full.options) == (["1", "full", "x"], "", [])
        assert full.about()[-1] == "The track is full."
        assert labs.tail.split() == ["1", "12", "✓", "(mil)"]
        assert [buy.track for buy in labs.options] == ["military", "nano"]


@pytest.mark.parametrize("defender", [0, 1])
def test_of_ships_with_equal_initiative_the_defenders_stand_first(defender: int) -> None:
    play = table(2)
    with play.edit(possible=False) as g:
        tile = put(g, "304", 0, -3, owner=defender)
        for seat in (0, 1):
            station(g, "304", seat, "cruiser", "dreadnought")
    listed = units(frame(play), tile)
    assert listed is not None
    shown = [row[0].text for row in listed.rows]
    first, then = "AB"[defender], "BA"[defender]
    assert shown == [
        f"{first} 1 × cruiser",
        f"{then} 1 × cruiser",
        f"{first} 1 × dreadnought",
        f"{then} 1 × dreadnought",
    ]


def test_a_battle_names_all_sides_that_are_there_in_the_order_in_which_they_fight() -> None:
    play = table(3)
    with play.edit(possible=False) as g:
        tile = put(g, "304", 0, -3, owner=2)
        for seat in (2, 1, 0):
            station(g, "304", seat, "cruiser")
    order = "Anna attacks Bob; then the winner fights Carl"
    assert order in said(battle_at(frame(play), tile))
    with play.edit(possible=False) as g:
        g.flow.now = ["strike", tile, 0, 1, 1, 0]
    shown = fight(frame(play), ())
    assert shown is not None
    assert shown.stage == order
    with play.edit(possible=False) as g:
        clear(g, 1)
    assert not any("attacks" in text for text in said(battle_at(frame(play), tile)))


def test_a_ship_with_missiles_alone_has_no_other_dice_and_a_part_is_its_own_weapon() -> None:
    const = frame(table(2)).g.const
    missile = const.part_stats[const.part_index["plasma-missile"]]
    assert part_text(missile).startswith("missiles 2 orange, ")
    assert dice_text(missile) == "none; missiles 2 orange"


def test_the_ways_of_a_sector_are_also_those_by_warp_portal() -> None:
    play = table(2)
    with play.edit(possible=False) as g:
        for name, q in (("304", 0), ("306", 3)):
            g.sectors.warp[put(g, name, q, -3)] = 1
    told = said(sector(frame(play, 0, "304")))
    assert any(text.startswith("Ways: ") and "by warp portal to 306" in text for text in told)
    assert not any("portal to" in text for text in said(sector(frame(play, 0, play.home(0)))))


@pytest.mark.parametrize(
    ("mine", "theirs", "told"),
    [
        ((), (), ["Dice: 2, a hit on 6+. Cubes: 2, all destroyed 3%."]),
        (("neutron-bombs",), (), ["Neutron Bombs destroy all cubes there without a roll: 2."]),
        (
            ("neutron-bombs",),
            ("neutron-absorber",),
            [
                "Neutron Bombs do nothing here: Bob has Neutron Absorber.",
                "Dice: 2, a hit on 6+. Cubes: 2, all destroyed 3%.",
            ],
        ),
    ],
)
def test_whether_to_attack_a_population_is_asked_with_what_the_attack_may_do(
    mine: tuple[str, ...], theirs: tuple[str, ...], told: list[str]
) -> None:
    play = table(2)
    with play.edit(possible=False) as g:
        put(g, "304", 0, -3, owner=1)
        station(g, "304", 0, "interceptor", "interceptor")
        for square, (kind, _star) in enumerate(g.const.squares[play.tile("304")][:2]):
            cube(g, 1, "304", square, ("money", "science", "materials", "money")[kind])
        for seat, names in enumerate((mine, theirs)):
            for name in names:
                g.round.tray[g.const.technology_index[name]] += 1
                own_technology(g, seat, name)
    assert said(before(frame(play), AttackPopulation(Seat(0), "304"))) == told


def test_ships_that_opponents_pin_are_said_to_be_held_by_them() -> None:
    play = table(2)
    with play.edit(possible=False) as g:
        put(g, "304", 0, -3)
        station(g, "304", 0, "interceptor", "interceptor")
        station(g, "304", 1, "cruiser")
    told = said(sector(frame(play, 0, "304")))
    assert any(text.endswith("× interceptor; 1 may leave, opponents' ships hold 1 here") for text in told)
    assert any(text.endswith("cruiser; 0 may leave, opponents' ships hold 1 here") for text in told)


def test_a_sentence_about_the_neutral_fleet_begins_with_a_capital() -> None:
    event = Event("combat/destroyed", {"seat": 0, "sector": "105", "ship": "interceptor", "by": -1})
    told = event_text(event, NAMES, DisplayNames("eclipse2"))
    assert told == "The neutral fleet destroys a ship of Anna in sector 105: interceptor."


def test_a_reputation_tile_is_kept_in_a_few_words_with_what_goes_back_for_it() -> None:
    play = table(2)
    with play.edit(possible=False) as g:
        spaces = g.const.reputation_spaces[g.seats.species[0]]
        first = spaces.index(0)
        for place in (first, first + 1):
            g.seats.reputation[0, place] = 1 + place
    held = {Handle("reputation", first): 1, Handle("reputation", first + 1): 1}
    drawn = Handle("reputation", 30), Handle("reputation", 31)
    shown = Frame(play.match.view(0, Lens({**held, drawn[0]: 3, drawn[1]: 3})), NAMES[:2], UNICODE)
    ask = KeepTile(Seat(0), drawn)
    told = [PICTURES.questions.title(shown, ask, each, ()) for each in ask.options(shown.g)]
    assert Counter(told) == {"Keep none of the tiles": 1, "Keep 3 instead of 1": 4, "Keep 3 in a free place": 2}


def test_squares_and_cubes_are_named_as_people_name_them() -> None:
    shown = frame(table(2))
    titles = [
        PICTURES.questions.title(shown, Menu(Seat(0)), Colonise("304", square, cube), ())
        for square, cube in (("gray", "money"), ("science*", "science"))
    ]
    assert titles == [
        "Send a colony ship to sector 304: money cube, gray square",
        "Send a colony ship to sector 304: science cube, advanced science square",
    ]
    events = (
        Event("free/colonised", {"seat": 0, "sector": "304", "square": "orbital", "cube": "money"}),
        Event("population/brought-back", {"seat": 0, "square": "gray", "cube": "money"}),
    )
    told = [event_text(event, NAMES, DisplayNames("eclipse2")) for event in events]
    assert told == [
        "Anna settles sector 304: money cube, orbital square.",
        "A cube of Anna returns to the track of money.",
    ]
    assert gives(shown, shown.g.const.technology_index["advanced-economy"]) == "settle advanced squares: money"


def test_the_parts_say_whether_a_technology_or_a_discovery_brings_them() -> None:
    play = table(2)
    told = {
        block.title: [cell.text for cell in block.cells] for block in parts(frame(play)) if isinstance(block, Sheet)
    }
    assert [*told] == ["You may place", "Needs the technology of that name", "Needs a discovery"]
    assert "Ion Cannon" in told["You may place"]
    assert "Plasma Cannon" in told["Needs the technology of that name"]
    assert "Ion Turret" in told["Needs a discovery"]
