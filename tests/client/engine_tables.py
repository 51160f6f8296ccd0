"""Games of the engine over the lockstep: the machine of a game, and a table whose seats answer at random."""

from __future__ import annotations

from client.table.machine import GameMachine
from engine.core.agenda import Table
from engine.core.match import Match
from engine.core.registry import GameSpec, settle_options


def machine(spec: GameSpec, seats: int) -> GameMachine:
    table = settle_options(spec, seats, {})
    assert isinstance(table, Table)
    return GameMachine(Match.new(spec, table))
