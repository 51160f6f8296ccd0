# SPDX-License-Identifier: GPL-3.0-or-later
"""The rules: pure, deterministic, standard library only.

``engine.core`` is the machine that every game runs on and ``engine.testing`` the kit that judges games; each other
sub-package is one game (or a family of editions).
The engine knows no network, no cryptography, no screen and no clock: what it needs from outside arrives as an answer or
an outcome.

A program that plays needs no more than this module::

    import engine

    match, dealer = engine.new_game("rex", seats=4, seed="first")
    for given, told in engine.play(match, dealer, engine.at_random(engine.HashDice(1))):
        print(given, [event.id for event in told])
    print(match.spec.scores(match.g))
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from engine.core.agenda import Table
    from engine.core.cards import Lens
    from engine.core.dealer import Chooser, Dealer, HashDice, at_random, by_caretaker, play
    from engine.core.errors import LocalError, Refusal
    from engine.core.events import Event
    from engine.core.imagine import ImagineError, imagine
    from engine.core.inputs import Answer, Outcome
    from engine.core.match import Match
    from engine.core.registry import GAMES, GameSpec, Score, game, settle_options
    from engine.core.values import Handle, Value, plain
    from engine.core.views import View
    from engine.core.waits import Choose, Deal, Reveal, Roll, Seal, Show, Shuffle, Together

__all__ = [
    "GAMES",
    "Answer",
    "Choose",
    "Chooser",
    "Deal",
    "Dealer",
    "Event",
    "GameSpec",
    "Handle",
    "HashDice",
    "ImagineError",
    "Lens",
    "LocalError",
    "Match",
    "Outcome",
    "Refusal",
    "Reveal",
    "Roll",
    "Score",
    "Seal",
    "Show",
    "Shuffle",
    "Table",
    "Together",
    "Value",
    "View",
    "at_random",
    "by_caretaker",
    "game",
    "imagine",
    "new_game",
    "plain",
    "play",
    "settle_options",
]

PLACES: Final = {
    "agenda": ("Table",),
    "cards": ("Lens",),
    "dealer": ("Chooser", "Dealer", "HashDice", "at_random", "by_caretaker", "play"),
    "errors": ("LocalError", "Refusal"),
    "events": ("Event",),
    "imagine": ("ImagineError", "imagine"),
    "inputs": ("Answer", "Outcome"),
    "match": ("Match",),
    "registry": ("GAMES", "GameSpec", "Score", "game", "settle_options"),
    "values": ("Handle", "Value", "plain"),
    "views": ("View",),
    "waits": ("Choose", "Deal", "Reveal", "Roll", "Seal", "Show", "Shuffle", "Together"),
}
"""The module of `engine.core` that each name comes from. They are imported when they are used, because each program of
the client imports some modules of the engine and few need all."""
MODULE: Final = {name: module for module, names in PLACES.items() for name in names}


def new_game(id: str, seats: int, seed: int | str, options: Mapping[str, str] | None = None) -> tuple[Match, Dealer]:
    """A new game of this id with a dealer whose dice and cards follow from the seed. Raises ValueError for seats or
    options that the game does not have, KeyError for an unknown game."""
    from engine.core.dealer import Dealer, HashDice
    from engine.core.errors import Refusal
    from engine.core.match import Match
    from engine.core.registry import game, settle_options

    spec = game(id)
    table = settle_options(spec, seats, options or {})
    if isinstance(table, Refusal):
        raise ValueError(f"{id}: {table}")  # noqa: TRY004  a refusal is no type that was given
    return Match.new(spec, table), Dealer(HashDice(seed))


def __getattr__(name: str) -> Any:
    if name not in MODULE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"engine.core.{MODULE[name]}"), name)
