"""Maps as SVG: well-formed, without markup from names, and only of what the seat may know."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from math import hypot
from random import Random
from typing import Any

import pytest
from test_show_titles import offered

from client.bots import NODES, bot
from client.games.eclipse.show.galactic import KINDS, kind_of
from client.games.eclipse.show.pieces import SHAPES
from client.games.rex.show.pieces import HUB, RIM
from client.games.rex.wording import term
from client.show import svg
from client.show.pictures import Frame, pictures
from client.show.styled import UNICODE
from client.system import texts
from client.system.texts import LANGUAGES
from engine.core.agenda import Table
from engine.core.dealer import Dealer, HashDice
from engine.core.inputs import Answer, Input
from engine.core.match import Match
from engine.core.notation import format_value
from engine.core.registry import game, settle_options
from engine.core.waits import Choose
from engine.eclipse.sectors import ON_MAP
from engine.eclipse.state import Eclipse

NAMES = ("Anna", "<script>alert(1)</script>", '"><b>', "D&D")
LARGEST = 60_000
"""Bytes of a map late in a game of four."""
DRAWN: tuple[tuple[str, dict[str, str]], ...] = (
    ("eclipse2", {}),
    ("eclipse1", {}),
    ("eclipse2", {"nebula": "on", "supernova": "on", "black-hole": "on"}),
    ("emperor", {}),
    ("rex", {}),
)


def played(
    name: str, steps: int, options: dict[str, str], program: str = "random", dice: str = "4"
) -> tuple[Match, Dealer]:
    """A position some steps into a game of four bots."""
    spec = game(name)
    table = settle_options(spec, 4, options)
    assert isinstance(table, Table), table
    match, dealer, rng, player = Match.new(spec, table), Dealer(HashDice(dice)), Random(4), bot(program)
    for _ in range(steps):
        given: Input | None = dealer.outcome(match, lambda *_: None)
        if given is None:
            seat = match.owing()[0]
            ask = match.ask_of(seat)
            assert ask is not None
            given = Answer(seat, player.choose(match.view(seat, dealer.lens(seat)), ask, rng, NODES))
        match.apply(given)
        if match.over:
            break
    return match, dealer


@pytest.mark.parametrize(("name", "options"), DRAWN, ids=str)
def test_a_map_is_well_formed_and_each_option_names_places_that_it_has(name: str, options: dict[str, str]) -> None:
    shows = pictures(name)
    for steps in (0, 40, 150, 400):
        match, dealer = played(name, steps, options)
        for seat in match.owing():
            frame = Frame(match.view(seat, dealer.lens(seat)), NAMES, UNICODE)
            drawn = shows.documents.drawing(frame)
            root = ET.fromstring(drawn)
            there = [each.get("data-place") for each in root.iter() if each.get("data-place")]
            assert len(there) == len(set(there)) > 0
            assert all(each.get("aria-label") for each in root.iter() if each.get("data-place"))
            shapes = {each.get("id") for each in root.iter() if each.get("id")}
            assert {str(each.get("href")).lstrip("#") for each in root.iter() if each.tag.endswith("use")} <= shapes
            assert len(drawn) <= LARGEST
            assert "<script" not in drawn
            assert "<b>" not in drawn
            ask: Choose[Any] | None = match.ask_of(seat)
            assert ask is not None
            for option in ask.options(match.g, dealer.lens(seat), ()):
                assert set(shows.questions.places(frame, ask, option, ())) <= {*there}, option


@pytest.mark.soak
@pytest.mark.parametrize(("name", "options"), DRAWN, ids=str)
def test_every_option_that_names_a_space_has_it_on_the_map_in_a_whole_game(name: str, options: dict[str, str]) -> None:
    shows, spaces, named = pictures(name), re.compile('data-place="([^"]+)"'), 0
    drawn, there = None, set[str]()
    for frame, ask, option, so_far in offered(name, 4, 7, "greedy", **options):
        if frame is not drawn:
            drawn, there = frame, {*spaces.findall(shows.documents.drawing(frame))}
        places = {*shows.questions.places(frame, ask, option, so_far)}
        assert there >= places >= there.intersection(format_value(option).split()), (ask.word, option)
        named += bool(places)
    assert named > 500


def test_a_map_is_the_same_for_a_face_that_the_seat_does_not_know() -> None:
    match, _dealer = played("eclipse2", 150, {})
    one, other = (Frame(match.view(seat), NAMES, UNICODE) for seat in (0, 0))
    assert pictures("eclipse2").documents.drawing(one) == pictures("eclipse2").documents.drawing(other)


def test_each_part_of_a_nebula_is_a_place_of_its_own() -> None:
    match, dealer = played("eclipse2", 500, {"nebula": "on", "supernova": "on", "black-hole": "on"}, "greedy", "3")
    g = match.g
    parts = [part for whole in g.const.subsectors for part in whole if g.sectors.where[part] == ON_MAP]
    assert parts
    drawn = pictures("eclipse2").documents.drawing(Frame(match.view(0, dealer.lens(0)), NAMES, UNICODE))
    assert all(f'data-place="{g.const.sector_ids[part]}"' in drawn for part in parts)


def _kinds(g: Eclipse) -> dict[str, str]:
    """Kinds of the sectors of Galactic Events on the map, by number."""
    on_map = ((number, tile) for tile, number in enumerate(g.const.sector_ids) if g.sectors.where[tile] == ON_MAP)
    return {number: kind for number, tile in on_map if (kind := kind_of(g, tile))}


def test_each_kind_of_sector_of_galactic_events_has_a_shape_of_its_own_a_word_in_the_legend_and_in_its_label() -> None:
    on = dict.fromkeys(("nebula", "supernova", "black-hole", "pulsar"), "on")
    games = (played("eclipse2", 700, on, "greedy", dice) for dice in "6712345")
    match, dealer, there = next(
        (match, dealer, there)
        for match, dealer in games
        if {*(there := _kinds(match.g)).values()} == {"black-hole", "pulsar", "exploded", "nebula"}
    )
    root = ET.fromstring(pictures("eclipse2").documents.drawing(Frame(match.view(0, dealer.lens(0)), NAMES, UNICODE)))
    spaces = {each.get("data-place"): each for each in root.iter() if each.get("data-place")}
    for number, space in spaces.items():
        signs = {str(each.get("href")).lstrip("#") for each in space.iter() if each.tag.endswith("use")}
        assert signs & KINDS.keys() == {there[number]} if number in there else not signs & KINDS.keys()
        assert number not in there or f"({KINDS[there[number]]})" in str(space.get("aria-label"))
    legend = [each.text for each in root if each.tag.endswith("text")]
    assert legend == [KINDS[kind] for kind in KINDS if kind in there.values()]
    colours = re.compile('(fill|stroke)="[^"]*"')
    assert len({colours.sub("", SHAPES[kind]) for kind in KINDS}) == len(KINDS)


def test_the_city_tells_nobody_s_veiled_influence() -> None:
    match, dealer = played("rex", 60, {})
    shows = pictures("rex")
    frame = Frame(match.view(0, dealer.lens(0)), NAMES, UNICODE)
    known = [len(shows.counts.figures(frame, seat)) for seat in range(4)]
    assert known[0] == max(known) > max(known[1:])


def test_the_sector_under_the_fleet_is_marked_to_beyond_the_outer_ring() -> None:
    match, dealer = played("rex", 60, {})
    drawn = pictures("rex").documents.drawing(Frame(match.view(0, dealer.lens(0)), NAMES, UNICODE))
    (marked,) = re.findall(r'<polygon points="([^"]*)" fill="#5c1420"', drawn)
    points = [tuple(map(float, point.split(","))) for point in marked.split()]
    assert max(hypot(x, y) for x, y in points) > RIM["outer"][1] > HUB >= min(hypot(x, y) for x, y in points) - 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_names_of_the_city_can_be_read_on_a_phone(language: str) -> None:
    match, dealer = played("rex", 60, {})
    texts.use(language)
    drawn = pictures("rex").documents.drawing(Frame(match.view(0, dealer.lens(0)), NAMES, UNICODE))
    names = {word for row in match.g.const.spaces for word in term(row.id).split()}
    (width,) = re.findall(r'data-whole="\S+ \S+ (\d+)', drawn)
    lines = re.findall(r'font-size="(\d+)"[^>]*>([^<]*)<', drawn)
    sizes = {int(size) for size, line in lines for word in line.split() if word in names}
    assert min(sizes) * 369 / int(width) >= 9  # the map's width on a screen of 390 pixels


def test_attributes_and_texts_are_escaped() -> None:
    assert svg.tag("a", href='"><x') == '<a href="&quot;&gt;&lt;x"/>'
    assert "<b>" not in svg.text(0, 0, "<b>")
    assert svg.tag("a", stroke_width=1.5, x=None) == '<a stroke-width="1.5"/>'
