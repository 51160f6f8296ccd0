# SPDX-License-Identifier: GPL-3.0-or-later
"""`starlock simulate`: plays whole games by bots in one process, with the engine alone."""

from __future__ import annotations

import random
from argparse import ArgumentParser, Namespace
from time import perf_counter

from client.bots import levels
from client.bots.one_game import PlayedGame, one_game
from client.commands.arguments import (
    add_bots,
    add_content,
    add_game,
    add_seed,
    add_table,
    missed_text,
    settle_bots,
    with_handicaps,
)
from client.system.context import Context
from client.system.errors import CHECK_FAILED, DONE, UserError
from client.system.texts import _
from client.table.options import chosen_game, settled
from engine.core.agenda import Table
from engine.core.registry import GameSpec


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
    settle_bots(args, spec.id, context)
    bots, options = with_handicaps(args.bots, range(args.players), args.players, args.options)
    table = settled(spec, args.players, options)
    names = levels(bots, table.seats)
    name = ", ".join(dict.fromkeys(names))
    seed = args.seed if args.seed is not None else f"{random.SystemRandom().getrandbits(48):012x}"
    started = perf_counter()
    games: list[PlayedGame] = []
    for number in range(args.games):
        context.progress(number, args.games, _("games"))
        games.append(one_game(spec, table, names, f"{seed}/{number}"))
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
        levels=[*names],
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


def _result(one: PlayedGame) -> dict[str, object]:
    return {
        "seed": one.seed,
        "rounds": one.rounds,
        "scores": [*one.totals],
        "ranks": [*one.ranks],
        "winners": [*one.winners],
        "factions": [*one.factions],
        "allies": [[*seats] for seats in one.allies],
        "ending": one.ending,
        "missed": [*one.missed],
    }


def _report(spec: GameSpec, table: Table, bots: str, games: list[PlayedGame], decisions: int, seconds: float) -> str:
    lines = [
        _("{game}, {players} seats, bots: {bots}").format(game=spec.id, players=table.seats, bots=bots),
        "",
        _("game  rounds  decisions  points by seat"),
    ]
    for number, one in enumerate(games):
        ranked = zip(one.totals, one.ranks, strict=True)
        points = "  ".join(f"{total:3}{'*' if rank == 1 else ' '}" for total, rank in ranked)
        lines.append(f"{number:4}  {one.rounds:6}  {one.decisions:9}  {one.fault or points}")
    speed = round(decisions / seconds) if seconds else 0
    lines += [
        "",
        _("{decisions} decisions in {seconds:.2f} s: {speed} a second  (* won)").format(
            decisions=decisions, seconds=seconds, speed=speed
        ),
    ]
    missed = sum(sum(one.missed) for one in games)
    return "\n".join([*lines, *([missed_text(missed)] if missed else [])])
