"""Battles set up by hand, each with a person's full screen in front of it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

sys.path += [str(Path(__file__).parents[1] / "engine" / game) for game in ("eclipse", "emperor", "rex")]

from arena import Arena
from emperor_table import put, station
from emperor_table import table as emperor
from line_game import LocalControls
from rex_bot import LETNEV, SIX, SOL, SPACE
from rex_bot import Play as RexPlay
from rex_bot import table as rex
from screen_game import NoHost

from client.fronts.screen.front import Front
from client.session.session import Session
from client.show.styled import UNICODE, Glyphs
from client.table.player import Asked
from engine.core.events import Event
from engine.core.match import Match
from engine.core.values import Value
from engine.core.waits import Choose

NAMES = ("Anna", "Bob", "Carl", "Dina", "Emil", "Fay")


class Scene(LocalControls):
    """The table of a position. before: the game as the battle began."""

    before: Match | None = None

    def past(self, height: int) -> Match | None:
        return self.before


def front_of(
    match: Match, dealer: Any, seat: int, events: Sequence[Event], glyphs: Glyphs = UNICODE, before: Match | None = None
) -> Front:
    """A person in this seat, asked what the position asks; a spectator for a seat below 0."""
    controls = Scene(match, dealer, NAMES[: match.g.table.seats], (seat,) if seat >= 0 else ())
    controls.history, controls.before = [(match.height - 1, list(events))], before
    session = Session(lambda _asked, _values: None, lambda: None, glyphs)
    front = Front(session, NoHost())
    session.sit(controls)
    if seat in match.owing():
        ask = match.ask_of(seat)
        assert ask is not None
        session.asking.asked(Asked(seat, match.clone(), controls.lens(seat), ask, match.height))
    return front


def eclipse() -> Arena:
    """Two interceptors and two cruisers of Anna attack two hulled cruisers of Bob, which stand in sector 102."""
    arena = Arena().owns(1, "102").ships(1, "102", cruiser=2).ships(0, "102", interceptor=2, cruiser=2)
    for slot, part in enumerate(("ion-cannon", "positron-computer", "gauss-shield")):
        arena.part(0, "cruiser", slot, part)
    for slot, part in enumerate(("ion-cannon", "electron-computer", "hull")):
        arena.part(1, "cruiser", slot, part)
    return arena


def rolling(glyphs: Glyphs = UNICODE, seat: int = 0) -> Front:
    """Anna's interceptors have hit and she assigns the hits."""
    arena = eclipse().begin()
    before = arena.match.clone()
    while arena.asking()[1].word != "assign":
        step = arena.options()[0]
        arena.go((6, 6), [step]) if arena.now.flow.now[:1] == ["strike"] and "attack" in step else arena.go((), [step])
    return front_of(arena.match, arena.dealer, seat, arena.events, glyphs, before)


def engaging(glyphs: Glyphs = UNICODE) -> Front:
    """Anna's cruisers may attack or retreat, after all others have missed."""
    arena = eclipse().owns(0, "221").begin()
    before = arena.match.clone()
    arena.go((1, 2, 1, 1), [arena.options()[0]])
    return front_of(arena.match, arena.dealer, 0, arena.events, glyphs, before)


def salvo(glyphs: Glyphs = UNICODE) -> Front:
    """Many ships of both sides, each kind with missiles: Bob's interceptors have hit three times."""
    kinds = ("interceptor", "cruiser", "dreadnought")
    arena = Arena().owns(1, "102").ships(1, "102", interceptor=3, cruiser=3, dreadnought=2, starbase=3)
    arena.ships(0, "102", interceptor=4, cruiser=3, dreadnought=2)
    for seat, ship in product((0, 1), kinds):
        arena.part(seat, ship, 0, "plasma-missile").part(seat, ship, 1, "hull")
    arena.begin().go((6, 5, 2, 6, 1, 6))
    return front_of(arena.match, arena.dealer, 1, arena.events, glyphs)


def crowd() -> Front:
    """All ships of two players, with two kinds of cannon and hulls."""
    arena = Arena().owns(1, "102").ships(1, "102", interceptor=8, cruiser=4, dreadnought=2, starbase=4)
    arena.ships(0, "102", interceptor=8, cruiser=4, dreadnought=2)
    for seat, ship in product((0, 1), ("interceptor", "cruiser", "dreadnought")):
        for slot, part in enumerate(("plasma-cannon", "ion-cannon", "hull")):
            arena.part(seat, ship, slot, part)
    arena.begin()
    return front_of(arena.match, arena.dealer, 0, arena.events)


def emperor_fire(glyphs: Glyphs = UNICODE, seat: int = 1) -> Front:
    """Bob has fired one phase at Carl and may retreat."""
    play = emperor(3)
    with play.edit() as g:
        station(g, 1, "c6", "dreadnought", "cruiser")
        put(g, "oatha", "c5", 2)
        station(g, 2, "c5", "fighter", "cruiser")
    events: list[Event] = []
    play.force("fire", (4, 1, 1)).say("left", "warlord", "-")
    for answer in ("ship:dreadnought:c6 c5", "ship:cruiser:c6 c5", "-"):
        play.say(answer)
        events += play.new_events
    while play.asked != "retreat":
        play.say(play.options()[0])
        events += play.new_events
    return front_of(play.match, play.dealer, seat, events, glyphs)


class Sealing(RexPlay):
    """A game of Rex that keeps the position in which plans are sealed."""

    at_seal: Match | None = None
    told_before: Sequence[Event] = ()

    def secret(self, match: Match, seat: int, ask: Choose[Any]) -> Value:
        if self.at_seal is None:
            self.at_seal, self.told_before = match.clone(), tuple(self.new_events)
        return super().secret(match, seat, ask)


def rex_battle(glyphs: Glyphs = UNICODE, *, sealing: bool, seat: int = LETNEV) -> Front:
    """Sol and Letnev fight: while they seal their plans, or after the plans were opened."""
    game = rex(SIX)
    game.__class__ = Sealing
    assert isinstance(game, Sealing)
    game.army(SOL, SPACE, 5).army(LETNEV, SPACE, 3)
    game.deal(SOL, "energy-rifle", "bio-filter")
    game.deal(LETNEV, "energy-shield")
    game.run(["fight", game.g.const.space_index[SPACE], SOL, LETNEV], phase="battle")
    events: list[Event] = list(game.new_events)
    while game.g.battle.dial[0] < 0:
        game.say("no" if "no" in game.options() else game.options()[0])
        events += game.new_events
    match = game.at_seal if sealing else game.match
    assert match is not None
    return front_of(match, game.dealer, seat, game.told_before if sealing else events, glyphs)
