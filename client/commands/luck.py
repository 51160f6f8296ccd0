# SPDX-License-Identifier: GPL-3.0-or-later
"""`starlock luck`: compares each seat's battle dice and draws with chance."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from client.commands.arguments import add_recorded
from client.system.context import Context
from client.system.errors import DONE
from client.system.texts import _


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the game."""
    add_recorded(parser)


def run(args: Namespace, context: Context) -> int:
    """Print the figures of each seat."""
    from client.proof.luck import LUCK_NOTE, draws_of, luck, luck_lines
    from client.proof.walk import WIDTH, walk_of_input
    from client.show.styled import wrapped

    walk = walk_of_input(args.what, context)
    events, match = walk.events, walk.match_at(walk.last)
    game, g = walk.genesis.game, None if match is None else match.g
    told = [*luck_lines(events, walk.names, game, g), "", _(LUCK_NOTE)]
    context.answer(
        "\n".join(line for text in told for line in wrapped(text, WIDTH, "  ")),
        seats=[
            {
                "name": walk.names[figures.seat],
                "dice": figures.dice,
                "pips": figures.pips,
                "expected": float(figures.expected),
                "tail": float(figures.tail),
                "aimed": figures.aimed,
                "hits": figures.hits,
                "hits_expected": float(figures.hits_expected),
                "hits_tail": float(figures.hits_tail),
            }
            for figures in luck(events, len(walk.names))
        ],
        draws=[
            {
                "name": walk.names[each.seat],
                "kind": each.kind,
                "draws": each.number,
                "worth": each.worth,
                "expected": float(each.expected),
                "tail": float(each.tail),
            }
            for each in draws_of(events, game, g)
        ],
    )
    return DONE
