"""Shrines, and what lies on the boards of Magellan, Lyra and the Exiles, in pictures; what greedy makes of them."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

sys.path.append(str(Path(__file__).parents[2] / "engine" / "eclipse"))

from eclipse_table import Play, table

from client.bots import NODES
from client.bots.greedy import GreedyBot
from client.games.eclipse.show.boards import board
from client.games.eclipse.show.map import galaxy, legend, sector, the_map
from client.show.document import Document
from client.show.lines import lines
from client.show.map import parts
from client.show.pictures import Frame
from client.show.styled import UNICODE, plain
from client.system.texts import use
from engine.core.ids import Seat
from engine.core.notation import format_value
from engine.core.waits import Choose
from engine.eclipse.combat.reroll import RerollDie
from engine.eclipse.state import wanderers_of


@pytest.fixture(autouse=True)
def english() -> None:
    use("en")


def frame(play: Play, *words: str) -> Frame:
    return Frame(play.match.view(Seat(play.seat)), ["Ada", "Bo"], UNICODE, words)


def built() -> Play:
    """Lyra has two shrines in its home sector."""
    play = table(2, ("lyra", "magellan"), wanderers="on")
    with play.edit() as g:
        found, home = wanderers_of(g), play.tile("238")
        found.shrines[home, 0], found.shrines[home, 1] = 1, 2
        found.placed[0, 0], found.placed[0, 1] = 2, 1
        found.codex[1] = 1
    return play


def text(document: Document) -> str:
    return "\n".join(map(plain, lines(document, 80)))


def test_the_map_and_a_sector_show_shrines() -> None:
    play = built()
    assert "&2" in text(galaxy(frame(play)))
    assert "shrines of Lyra" in text(legend(frame(play)))
    assert "Shrines beside planets: money (money), science (science)" in text(sector(frame(play, "238")))
    assert "Shrines" not in text(sector(frame(play, "233")))
    assert "shrines" not in text(legend(frame(table(2))))


def test_the_drawing_shows_shrines_where_they_stand() -> None:
    play = built()
    before = table(2, ("lyra", "magellan"), wanderers="on")
    assert "".join(parts(the_map(frame(play)))).count('"#shrine"') == 1
    assert '"#shrine"' not in "".join(parts(the_map(frame(before))))


def test_boards_tell_shrines_left_and_tiles_held() -> None:
    play = built()
    lyra, magellan = (" ".join(text([board(frame(play), seat)]).split()) for seat in (0, 1))
    assert "shrines left, by cost: money 5 (an influence disc); science 3 4 (Wormhole Generator)" in lyra
    assert "on the board: a discovery, face down, Artifact Codex" in magellan
    assert "on the board" not in lyra


def picked(play: Play, ask: Choose[Any] | None = None) -> str:
    """What greedy says when asked, or would say if it were asked that."""
    wait = play.ask if ask is None else ask
    return format_value(GreedyBot().choose(play.match.view(wait.seat), wait, Random(1), NODES))


def test_greedy_places_a_shrine_and_swaps_colony_ships_that_are_left() -> None:
    assert picked(table(2, ("lyra", "hydran"), wanderers="on").now(["shrine", 0])).startswith("shrine 238 ")
    play = table(2, ("magellan", "hydran"), wanderers="on")
    with play.edit() as g:
        for resource, amount in enumerate((9, 0, 9)):
            g.seats.store[0, resource] = amount
    assert picked(play.now(["settle", 0])).startswith("swap ")


def test_greedy_rolls_a_poor_die_again_and_keeps_good_ones() -> None:
    play = table(2, ("lyra", "hydran"), wanderers="on")
    dice = ("yellow", "orange", "orange")
    assert picked(play, RerollDie(Seat(0), "238", dice, (1, 3, 6))) == "reroll orange 3"
    assert picked(play, RerollDie(Seat(0), "238", dice, (5, 4, 6))) == "-"
