"""Figures of the first edition that no tile of it reaches: it has neither blue dice nor Guardians nor warp portals.
They stand in its content since the constants of both editions have one form, and count where something reaches them."""

from __future__ import annotations

import pytest
from arena import Arena
from eclipse_table import table
from played_figures import single_figures

from engine.core.dataclass import replace
from engine.core.ids import Seat
from engine.eclipse.catalog import Edition, first, second
from engine.eclipse.discovery import take
from engine.eclipse.editions.first import ECLIPSE1
from engine.eclipse.state import NOBODY
from engine.eclipse.stats import of_part
from engine.eclipse.terms import GUARDIAN

FIRST = single_figures("eclipse/content/first/tracks.toml")


def grown(**tables: object) -> Edition:
    """The first edition with other tables."""
    return Edition(**{**vars(first()), **tables})


def test_blue_dice_would_do_their_damage() -> None:
    parts = [replace(part, colour="blue") if part.id == "ion-cannon" else part for part in first().parts]
    arena = Arena(game=ECLIPSE1).ships(0, "001", dreadnought=1).ships(1, "001", interceptor=1)
    arena.g.const = grown(part_stats=tuple(map(of_part, parts)))
    arena.begin().go((6,))
    assert tuple(told["damage"] for told in arena.new_events("combat/hit")) == FIRST["dice_damage.blue"]


def test_a_destroyed_guardian_would_be_worth_its_draws() -> None:
    arena = Arena(game=ECLIPSE1).ships(0, "001", dreadnought=2)
    supply = [max(1, count) for count in first().supply]
    arena.g.const = grown(supply=tuple(supply), npc_stats=second().npc_stats)
    arena.ships(NOBODY, "001", guardian=1)
    for slot in (1, 2):
        arena.part(0, "dreadnought", slot, "antimatter-cannon")
    arena.begin().to_the_end()
    assert arena.new_events("combat/destroyed")[-1]["ship"] == "guardian"
    (drawn,) = (told["tiles"] for told in arena.new_events("reputation/drawn"))
    assert (drawn - FIRST["participation_draws"][0],) == FIRST["draws.guardian"]
    assert first().supply[GUARDIAN] == 0


@pytest.mark.parametrize("source", ["technology", "discovery"])
def test_a_warp_portal_would_score_its_points(source: str) -> None:
    play = table(game=ECLIPSE1)
    home = play.tile(play.home(0))
    if source == "technology":
        play.now(["warp-portal", 0]).say(play.home(0))
    else:
        with play.edit(possible=False) as g:
            g.const = grown(discovery_effect=("ancient-warp-portal",) * len(first().discovery_ids))
            take(g, Seat(0), home, 0, "use")
            g.const = first()
    assert (play.g.sectors.warp[home] - 1,) == FIRST[f"portal_{source}_vp"]
