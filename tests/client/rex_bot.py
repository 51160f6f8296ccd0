"""What greedy answers in a game of Rex that a test has set up."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

sys.path.append(str(Path(__file__).parents[1] / "engine" / "rex"))

from rex_table import PARKED, Play, opening, table

from client.bots import NODES, Bot
from client.bots.greedy import GreedyBot
from engine.core.agenda import Item
from engine.core.errors import Refusal
from engine.core.match import Match
from engine.core.notation import format_value
from engine.core.waits import Seal

__all__ = [
    "ADMINUS", "BASE", "HACAN", "JOL_NAR", "LAZAX", "LETNEV", "PALACE", "PARKED", "PORT", "SIX", "SOL", "SOUTH",
    "SPACE", "XXCHA", "Play", "asked", "opening", "own_leaders", "picked", "power", "said", "table",
]  # fmt: skip

GREEDY = GreedyBot()
SIX = "sol,lazax,hacan,xxcha,jol-nar,letnev"
SOL, LAZAX, HACAN, XXCHA, JOL_NAR, LETNEV = range(6)
SPACE = "grand-exchange"
BASE, PORT, ADMINUS = "imperial-navy-base", "civilian-spaceport", "adminus-imperialis"
PALACE, SOUTH = "imperial-palace", "mecatol-power-south"


def picked(game: Play, seat: int | None = None) -> str:
    """What greedy answers to the question."""
    asked = game.seat if seat is None else seat
    return said(game.match, game, asked)


def said(match: Match, game: Play, seat: int, thinker: Bot = GREEDY) -> str:
    """What greedy, or another bot, answers in a match with the cards of a game; always legal."""
    ask = match.ask_of(seat)
    assert ask is not None
    lens = game.dealer.lens(seat)
    value = thinker.choose(match.view(seat, lens), ask, Random(1), NODES)
    sealed = isinstance(match.pending, Seal)
    assert not isinstance(ask.validate(None if sealed else match.g, value, lens), Refusal)
    return format_value(value)


def asked(game: Play, *items: Item, phase: str = "maneuvering") -> str:
    """What greedy answers to what these segments ask first."""
    return picked(game.run(*items, phase=phase))


def own_leaders(game: Play, seat: int) -> tuple[int, ...]:
    """The leaders of a seat by number."""
    owned: tuple[int, ...] = game.g.const.leaders_of[game.g.seats.faction[seat]]
    return owned


def power(game: Play, name: str) -> int:
    """The strength of a leader."""
    return int(game.g.const.leaders[game.g.const.leader_index[name]].strength)
