# SPDX-License-Identifier: GPL-3.0-or-later
"""`starlock simulate`: plays whole games by bots in one process, with the engine alone."""

from __future__ import annotations

import random
from argparse import ArgumentParser, Namespace
from time import perf_counter

from client.bots import bot, chooser, level
from client.commands.arguments import add_bots, add_content, add_game, add_seed, add_table
from client.context import Context
from client.errors import CHECK_FAILED, DONE, UserError
from client.rounds import ending_told, round_told
from client.table.options import chosen_game, settled
from client.texts import _
from engine.core.agenda import Table
from engine.core.dataclass import dataclass, field
from engine.core.dealer import Dealer, HashDice, play
from engine.core.errors import LocalError
from engine.core.inputs import Answer
from engine.core.match import Match
from engine.core.registry import GameSpec, Score


@dataclass(slots=True)
class SimulatedGame:
    """The outcome of one game: its seed, number of answers, rounds, the final scores by seat, or the fault that ended
    it."""

    seed: str
    decisions: int = 0
    rounds: int = 0
    ending: str = "played"
    scores: list[Score] = field(default_factory=list)
    fault: str = ""


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the table, the number of games and the bots."""
    add_game(parser)
    add_table(parser, players=4)
    add_content(parser)
    parser.add_argument("--games", metavar="K", type=int, default=1, help=_("how many games (default: 1)"))
    add_seed(parser, _("play the very same games again: all chance follows from S (default: a new one)"))
    add_bots(parser, default="random")


def run(args: Namespace, context: Context) -> int:
    """Play the games in turn; exit code 1 when one ended with a fault of the engine."""
    if args.games < 1:
        raise UserError("cli/usage", _("--games needs a number from 1."), _("For example: --games 10"))
    spec = chosen_game(args.game, args.content)
    table = settled(spec, args.players, args.options)
    name = level(args.bots)
    seed = args.seed if args.seed is not None else f"{random.SystemRandom().getrandbits(48):012x}"
    started = perf_counter()
    games: list[SimulatedGame] = []
    for number in range(args.games):
        context.progress(number, args.games, _("games"))
        games.append(played(spec, table, name, f"{seed}/{number}"))
        context.log("simulate/game", game=spec.id, number=number, decisions=games[-1].decisions, fault=games[-1].fault)
    seconds = perf_counter() - started
    decisions = sum(one.decisions for one in games)
    errors = [f"{one.seed}: {one.fault}" for one in games if one.fault]
    context.answer(
        _report(spec, table, name, games, decisions, seconds),
        ok=not errors,
        game=spec.id,
        players=table.seats,
        bots=name,
        seed=seed,
        content=spec.content_id(table).hex(),
        games=len(games),
        decisions=decisions,
        seconds=round(seconds, 3),
        decisions_per_second=round(decisions / seconds) if seconds else 0,
        errors=errors,
        results=[_result(one) for one in games],
    )
    return CHECK_FAILED if errors else DONE


def played(spec: GameSpec, table: Table, bots: str, seed: str) -> SimulatedGame:
    """Play one game from its seed; an exception of the engine ends it and becomes its fault."""
    one = SimulatedGame(seed)
    try:
        match = Match.new(spec, table, checkpoint=None)
        dealer = Dealer(HashDice(seed))
        choose = chooser([bot(bots) for _seat in range(table.seats)], dealer, random.Random(f"bots/{seed}"))
        for given, told in play(match, dealer, choose):
            one.decisions += isinstance(given, Answer)
            one.rounds = max(one.rounds, round_told(told))
            one.ending = ending_told(spec.id, told) or one.ending
        one.scores = sorted(spec.scores(match.g), key=lambda score: score.seat)
    except (LocalError, LookupError, TypeError, ValueError, ArithmeticError, AttributeError) as error:
        one.fault = f"{type(error).__name__}: {error}"
    return one


def _result(one: SimulatedGame) -> dict[str, object]:
    return {
        "seed": one.seed,
        "rounds": one.rounds,
        "scores": [score.total for score in one.scores],
        "ending": "error" if one.fault else one.ending,
    }


def _report(spec: GameSpec, table: Table, bots: str, games: list[SimulatedGame], decisions: int, seconds: float) -> str:
    lines = [
        _("{game}, {players} seats, bots: {bots}").format(game=spec.id, players=table.seats, bots=bots),
        "",
        _("game  rounds  decisions  points by seat"),
    ]
    for number, one in enumerate(games):
        points = "  ".join(f"{score.total:3}{'*' if score.rank == 1 else ' '}" for score in one.scores)
        lines.append(f"{number:4}  {one.rounds:6}  {one.decisions:9}  {one.fault or points}")
    speed = round(decisions / seconds) if seconds else 0
    lines += [
        "",
        _("{decisions} decisions in {seconds:.2f} s: {speed} a second  (* won)").format(
            decisions=decisions, seconds=seconds, speed=speed
        ),
    ]
    return "\n".join(lines)
