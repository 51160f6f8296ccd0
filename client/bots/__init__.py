# SPDX-License-Identifier: GPL-3.0-or-later
"""Bots. Each sees what a person in its seat sees, and answers with one of the listed options.

`LEVELS` lists them, the weakest first; users give a level by name or number. A game may tell fewer of them apart:
`levels_of` says which it has, `level_in` which of them another one is there. `FIELD` adds bots for ladders. `chooser`
lets bots play a match in one process.

    random     picks any option; `greedy`: the game's own bots, by the greatest immediate value and by rules of thumb
    graded     weaker and stronger ones, and greedy by other numbers, for fields; `numbers`: those numbers
    planner    playouts to the end, in Emperor
    programs   bots of others: programs on pipes and classes of packages; `position`: what they read
    reasons    a bot's answer explained in a line
    thinking   the process in which the bots of a table think
    one_game   plays a game from a seed to a row; `pool`: many of them in several processes
    version    names the bots that played, in each row
    ladder     compares bots by such rows; `aec`: the games as environments for who trains bots
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any, Final, Protocol

from client.bots.programs import ProgramBot, adopt, adopted, packaged
from client.system.errors import UserError
from client.system.meant import hint_of, nearest
from client.system.places import load
from client.system.registry import game_client
from client.system.texts import _
from client.words.options import game_title
from engine.core.values import Value
from engine.core.views import View
from engine.core.waits import Choose

if TYPE_CHECKING:
    from engine.core.dealer import Chooser, Dealer
    from engine.core.match import Match


class Bot(Protocol):
    """One player of some level; it keeps only caches between answers."""

    def choose(self, view: View, wait: Choose[Any], rng: Random, budget: int) -> Value:
        """A legal answer to `wait` from what `view` shows, random only by `rng`, after a look at no more than `budget`
        positions: an answer must not depend on the speed of a machine."""


LEVELS: Final[Mapping[str, str]] = {
    "random": "client.bots.random:RandomBot",
    "beginner": "client.bots.graded:BeginnerBot",
    "casual": "client.bots.graded:CasualBot",
    "greedy": "client.bots.greedy:GreedyBot",
    "expert": "client.bots.graded:ExpertBot",
    "master": "client.bots.graded:MasterBot",
}
"""Name of a level → module of its bot, the weakest first."""

FIELD: Final[Mapping[str, str]] = {
    **LEVELS,
    "light": "client.bots.greedy:LightBot",
    "tuned": "client.bots.graded:TunedBot",
    "first": "client.bots.graded:FirstBot",
    "perturbed": "client.bots.graded:PerturbedBot",
    "raider": "client.bots.graded:RaiderBot",
    "builder": "client.bots.graded:BuilderBot",
    "wavering": "client.bots.graded:WaveringBot",
    "planner": "client.bots.planner:PlannerBot",
}
"""The levels, and bots that only a ladder meets."""

DRAWING: Final = ("beginner", "casual", "perturbed")
"""The bots that draw something for a round or a game. A bot that is made anew draws it again from the same seed."""

NUMBERS: Final[Mapping[str, str]] = {str(number): name for number, name in enumerate(LEVELS)}
"""Levels by number: 0 plays anything, 1 to 5 are for people."""

COMMAS: Final = re.compile(r",(?=\s*(?:cmd:|package:|[a-z0-9][\w-]*(?:\+[0-9]+)?\s*(?:,|$)))")
"""The commas between levels; those within a command stay."""
NODES: Final = 4000
"""Positions that a bot may look at for one answer."""


def level(said: str, known_bots: Mapping[str, str] = LEVELS) -> str:
    """The name of a level given by name or number, or the label of a bot of others (see `programs`). UserError for an
    unknown one."""
    if said in NUMBERS:
        return NUMBERS[said]
    if said in known_bots:
        return said
    label = adopt(said)
    if label is not None:
        return label
    known = ", ".join(f"{number} {name}" for number, name in NUMBERS.items())
    hint = hint_of(nearest(said, known_bots), _("Bots: {known}").format(known=known))
    raise UserError("cli/unknown-bot", _("There is no bot “{level}”.").format(level=said), hint)


def levels_of(game: str) -> tuple[str, ...]:
    """The levels that a game tells apart, the weakest first."""
    return tuple(name for name in LEVELS if name not in game_client(game).alike)


def level_in(game: str, name: str) -> str:
    """The level of a game that plays as the one of that name; the same one if the game has it, or for a bot of
    others."""
    return game_client(game).alike.get(name, name)


def missing_text(game: str, name: str) -> str:
    """A sentence that says which level a game has instead of the one of that name; "" if it has it."""
    other = level_in(game, name)
    text = _("There are no bots of the level “{level}” in {game}: “{other}” is the same there.")
    return "" if other == name else text.format(game=game_title(game), level=name, other=other)


def levels(said: str, seats: int, known_bots: Mapping[str, str] = LEVELS) -> tuple[str, ...]:
    """The level of each of so many seats, given as one level or as several with commas, which then go round. UserError
    for an unknown one, and for more levels than seats."""
    names = [level(one.strip(), known_bots) for one in COMMAS.split(said)]
    if len(names) > max(seats, 1):
        raise UserError(
            "cli/bots",
            _("There are more levels than bots."),
            _("Bots here: {seats}").format(seats=seats),
        )
    return tuple(names[at % len(names)] for at in range(seats))


def bot(name: str, seed: str = "") -> Bot:
    """A bot of the level of that name, of a field, or of others. seed: determines what it draws for a round or a game.
    KeyError for a name that is none of this process."""
    if name not in FIELD:
        said = adopted(name)
        if said is None:
            raise KeyError(name)
        made: Bot = packaged(said.partition(":")[2])() if said.startswith("package:") else ProgramBot(said[4:])
        return made
    kind = load(FIELD[name])
    standard: Bot = kind(seed) if name in DRAWING else kind()
    return standard


def chooser(bots: Sequence[Bot], dealer: Dealer, rng: Random, budget: int = NODES) -> Chooser:
    """Let `bots[seat]` answer for each seat of a match that this process deals.

    The views are not copies: a bot must not change them, and a test checks that none does.
    """

    def choose(match: Match, seat: int, ask: Choose[Any]) -> Value:
        return bots[seat].choose(match.view(seat, dealer.lens(seat), copy=False), ask, rng, budget)

    return choose
