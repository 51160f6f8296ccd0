"""`starlock luck`: what each seat rolled in battles beside what fair dice show."""

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
    from client.luck import luck, luck_text
    from client.walk import walk_of_input

    walk = walk_of_input(args.what, context)
    found = luck((event for _height, events in walk.history for event in events), len(walk.names))
    lines = [luck_text(figures, walk.names[figures.seat]) for figures in found]
    note = _("This accuses nobody: every face follows from seeds of all members, as starlock verify shows.")
    context.answer(
        "\n".join([*lines, "", note]),
        seats=[
            {
                "name": walk.names[figures.seat],
                "dice": figures.dice,
                "pips": figures.pips,
                "expected": float(figures.expected),
                "tail": float(figures.tail),
            }
            for figures in found
        ],
    )
    return DONE
