"""Galactic Events on the map: every part of a nebula, a pulsar's disc, ships in a black hole, what exploded."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from client.games.eclipse.show.map import galaxy
from client.show.lines import lines
from client.show.pictures import Frame
from client.show.styled import UNICODE, plain
from client.system.texts import use
from engine.core.agenda import Table
from engine.core.dealer import Dealer, HashDice, by_caretaker, play
from engine.core.match import Match
from engine.core.registry import settle_options
from engine.core.views import View
from engine.eclipse import population, sectors
from engine.eclipse.sectors import idle_ship, launch
from engine.eclipse.spec import ECLIPSE2
from engine.eclipse.state import Eclipse, events_of

OPTIONS = {"pulsar": "on", "black-hole": "396", "supernova": "on", "nebula": "on"}


@pytest.fixture(autouse=True)
def english() -> None:
    use("en")


def shown(change: Callable[[Eclipse], None], *words: str) -> str:
    """The map, or what is said of a sector, after the change of a game just begun."""
    table = settle_options(ECLIPSE2, 2, OPTIONS)
    assert isinstance(table, Table)
    match = Match.new(ECLIPSE2, table)
    for _ in play(match, Dealer(HashDice(1)), by_caretaker):
        if match.g.round.number == 1:
            break
    change(match.g)
    ask = match.pending
    assert ask is not None
    view = View(match.owing()[0], match.g, ask, match.ask_of(match.owing()[0]), Dealer(HashDice(1)).lens(0), 0)
    return "\n".join(plain(each) for each in lines(galaxy(Frame(view, ["Ada", "Bo"], UNICODE, words)), 80))


def lay(g: Eclipse, *numbers: str, q: int = 0, r: int = -3) -> list[int]:
    tiles = [g.const.sector_index[number] for number in numbers]
    for tile in tiles:
        sectors.lay(g, tile, (q, r, 0))
    return tiles


def nebula(g: Eclipse) -> None:
    a, _b, c = lay(g, "395-a", "395-b", "395-c")
    g.sectors.where[g.const.sector_index["395"]] = sectors.UNUSED
    launch(g, idle_ship(g, 0, 0), a)
    launch(g, idle_ship(g, 1, 1), c)


def test_a_nebula_shows_the_ships_and_discoveries_of_all_its_parts() -> None:
    drawn = shown(nebula)
    assert "395" in drawn
    assert "395-" not in drawn
    assert ".0D" in drawn
    assert "A1i B1c" in drawn


def test_the_number_of_a_nebula_tells_of_each_part() -> None:
    told = shown(nebula, "395")
    assert [part for part in ("395-a", "395-b", "395-c") if part not in told] == []
    assert "Ada: interceptor" in told
    assert "Bo: cruiser" in told
    assert "joined with 395-b 395-c, open to zones" in told
    assert "joined with 221 395-a 395-b" in told


def test_a_pulsar_tells_where_its_disc_lies() -> None:
    def pulsar(g: Eclipse) -> None:
        (tile,) = lay(g, "393")
        population.take_control(g, 0, tile)
        events_of(g).used[tile] = 1

    told = shown(pulsar, "393")
    assert "The disc lies on: move." in told
    assert "activated in this round" in told


def test_a_black_hole_tells_who_is_away_and_until_when() -> None:
    def away(g: Eclipse) -> None:
        lay(g, "396")
        g.ships.entered[idle_ship(g, 1, 0)] = -3

    assert "Away until round 3: Bo: interceptor" in shown(away, "396")


def test_an_exploded_supernova_is_crossed_and_found_by_its_number() -> None:
    def explode(g: Eclipse) -> None:
        g.sectors.where[g.const.sector_index["397"]] = sectors.UNUSED
        lay(g, "397-exploded")

    assert "397x" in shown(explode)
    assert "397-exploded" in shown(explode, "397")
