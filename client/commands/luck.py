"""`starlock luck`: what each seat rolled in battles and drew, beside what chance gives."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from client.context import Context
from client.errors import DONE
from client.texts import _


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the game."""
    parser.add_argument(
        "what", metavar=_("FILE|TABLE"), help=_("a saved game (.star), or the name of one of your tables")
    )


def run(args: Namespace, context: Context) -> int:
    """Tell the figures of each seat."""
    from client.luck import draws_of, luck, luck_lines
    from client.walk import walk_of_input

    walk = walk_of_input(args.what, context)
    found = luck((event for _height, events in walk.history for event in events), len(walk.names))
    note = _("This accuses nobody: every face follows from seeds of all members, as starlock verify shows.")
    context.answer(
        "\n".join([*luck_lines(walk), "", note]),
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
            for figures in found
        ],
        draws=[
            {
                "name": walk.names[each.seat],
                "draws": each.number,
                "worth": each.worth,
                "expected": float(each.expected),
                "tail": float(each.tail),
            }
            for each in draws_of(walk)
        ],
    )
    return DONE
