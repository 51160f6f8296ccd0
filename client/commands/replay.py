"""`starlock replay`: walk through a game, told in words, or stand at one height of it."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING

from client.context import Context
from client.errors import DONE
from client.texts import _

if TYPE_CHECKING:
    from client.walk import Walk
    from engine.core.match import Match


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the game and where to stand."""
    parser.add_argument(
        "what", metavar=_("FILE|TABLE"), help=_("a saved game (.star), or the name of one of your tables")
    )
    parser.add_argument(
        "--at",
        metavar=_("HEIGHT"),
        type=int,
        help=_("show the position when this height opened: map, boards, points (default: tell the whole game)"),
    )


def run(args: Namespace, context: Context) -> int:
    """Tell the game, or show a position."""
    from client.walk import match_of, walk_of_input

    walk = walk_of_input(args.what, context)
    at = walk.last if args.at is None else args.at
    match = match_of(walk, at)
    text = walk.told(at) if args.at is None else _position(walk, match, at, context)
    context.answer("\n".join([*_heading(walk), *text]), **_fields(walk, match, at))
    return DONE


def _heading(walk: Walk) -> list[str]:
    names = ", ".join(f"{seat} {name}" for seat, name in enumerate(walk.names))
    return [_("{game}, table {table}").format(game=walk.genesis.game, table=walk.genesis.table.hex()[:16]), names, ""]


def _position(walk: Walk, match: Match, at: int, context: Context) -> Sequence[str]:
    """A height in words, and the pictures that the game has."""
    from client.show.pictures import Frame, pictures
    from client.show.styled import glyphs_for, plain
    from engine.core.ids import Seat

    waiting = ", ".join(walk.names[seat] for seat in match.owing())
    lines = [
        _("height {height} of {last}, round {round}").format(height=at, last=walk.last, round=walk.round_at(at)),
        _("to move: {names}").format(names=waiting) if waiting else _("nobody has to answer here"),
        _("digest {digest}").format(digest=match.digest().hex()),
    ]
    glyphs = glyphs_for(context.out.encoding, os.environ.get("TERM", ""))
    frame = Frame(match.view(Seat(-1)), walk.names, glyphs, called=walk.called)
    shown = pictures(walk.genesis.game).commands
    for name in ("map", "boards", "score"):
        if name in shown:
            lines += ["", *(plain(line).rstrip() for line in shown[name].draw(frame))]
    return lines


def _fields(walk: Walk, match: Match, at: int) -> dict[str, object]:
    scores = sorted(match.spec.scores(match.g), key=lambda score: score.seat)
    return {
        "game": walk.genesis.game,
        "table": walk.genesis.table.hex(),
        "names": walk.names,
        "height": at,
        "last": walk.last,
        "complete": walk.complete,
        "round": walk.round_at(at),
        "to_move": list(match.owing()),
        "head": walk.head_at(at).hex(),
        "digest": match.digest().hex(),
        "scores": [score.total for score in scores],
        "events": [
            {"height": height, "id": event.id, "args": dict(event.args)}
            for height, events in walk.history
            if height < at
            for event in events
        ],
    }
